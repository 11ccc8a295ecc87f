//! Edits of a map that is answered for by labels: what each engine that can
//! stand in for them costs, and which to choose for how many edits.

use clap::Parser;
use farstride::labels::{self, GridLabels};
use farstride::{Cell, Detail, Engine, Grid, Live, LiveSettings, Planner, Query, Scratch};
use farstride_io::movingai::{load_map, load_scenario};
use farstride_testkit::SplitMix64;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Edit single cells of a map and ask in between.
///
/// All engines get the same edits and queries in turn. Of each call the least
/// time of all passes counts; means and percentiles are over calls.
#[derive(Parser)]
#[command(name = "live", after_help = "Example:\n  live --map M.map --scen M.map.scen")]
struct Options {
    /// Map
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// Problems on it
    #[arg(long, value_name = "FILE")]
    scen: PathBuf,

    /// Cells that are blocked and freed again
    #[arg(long, value_name = "N", default_value_t = 50)]
    cells: usize,

    /// Queries, at most
    #[arg(long, value_name = "N", default_value_t = 500)]
    queries: usize,

    /// Passes over edits and queries
    #[arg(long, value_name = "K", default_value_t = 5)]
    passes: usize,

    /// Edits after which labels are waited for
    #[arg(long, value_name = "N", default_value_t = 5)]
    builds: usize,

    /// Threads that make labels
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// Seconds that each choice is also run for, with an edit per second and
    /// one per frame
    #[arg(long, value_name = "S", default_value_t = 0)]
    run: u32,

    /// Seed of the edits
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Engines that can stand in.
const ENGINES: [Engine; 6] =
    [Engine::Astar, Engine::Hpa, Engine::Ssg, Engine::Nsg, Engine::Tsg, Engine::NsgPlus];
/// Frames per second.
const FRAMES: f64 = 60.0;
/// Queries per frame that are reckoned with.
const PER_FRAME: [f64; 2] = [10.0, 1000.0];

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let course = Course::load(&options)?;
    let (width, height) = (course.grid.width(), course.grid.height());
    println!(
        "{}: {width} x {height} cells, {} edits, {} queries, {} passes, labels on {} threads\n",
        options.map.file_stem().unwrap_or_default().to_string_lossy(),
        2 * course.cells.len(),
        course.queries.len(),
        options.passes,
        options.threads,
    );
    let figures = course.measure(&options)?;
    figures.print();
    for (words, every) in [("minute", 60.0), ("second", 1.0), ("frame", 1.0 / FRAMES)] {
        print_model(&figures, words, every);
    }
    if options.run > 0 {
        course.run(&options)?;
    }
    Ok(())
}

/// A map, what is edited and what is asked.
struct Course {
    grid: Arc<Grid>,
    cells: Vec<Cell>,
    queries: Vec<Query>,
}

/// What an engine costs, in microseconds.
struct Row {
    engine: Engine,
    /// Of a planner that nobody else holds, and of a live map.
    alone: Vec<f64>,
    live: Vec<f64>,
    query: Vec<f64>,
    /// Cost in that of a shortest path, over all queries.
    excess: f64,
}

struct Figures {
    rows: Vec<Row>,
    /// Until labels are there.
    labels: Vec<f64>,
    labels_query: Vec<f64>,
    bytes: usize,
    threads: f64,
}

impl Course {
    fn load(options: &Options) -> Result<Self, Box<dyn Error>> {
        let grid = load_map(&options.map)?;
        let problems = load_scenario(&options.scen, &grid)?;
        let problems: Vec<_> =
            problems.into_iter().filter(farstride_io::movingai::ScenarioQuery::is_solvable).collect();
        let step = problems.len().div_ceil(options.queries.max(1)).max(1);
        let queries: Vec<Query> =
            problems.iter().step_by(step).map(|problem| Query::new(problem.start, problem.goal)).collect();
        let first = queries.first().ok_or("the scenario has no queries")?;
        let main: Vec<Cell> =
            grid.area().cells().filter(|&cell| grid.is_connected(cell, first.start)).collect();
        let mut random = SplitMix64::new(options.seed);
        let cells = (0..options.cells).map(|_| main[random.below(main.len())]).collect();
        Ok(Self { grid: grid.into(), cells, queries })
    }

    fn measure(&self, options: &Options) -> Result<Figures, Box<dyn Error>> {
        let labels = Arc::new(GridLabels::build(&self.grid, labels::LabelSettings::default()));
        let bytes = labels.byte_count();
        let labelled = Planner::with_index(Arc::clone(&self.grid), labels)?;
        let mut contestants = Vec::new();
        for engine in ENGINES {
            let planner = Planner::with_engine(Arc::clone(&self.grid), engine)?;
            // The planner edits a map of its own.
            let alone = Planner::with_engine(Grid::clone(&self.grid), engine)?;
            let live = Live::with_stand_in(planner, idle(options))?;
            contestants.push((alone, live));
        }
        let edits = 2 * self.cells.len();
        let row = |engine| Row {
            engine,
            alone: vec![f64::MAX; edits],
            live: vec![f64::MAX; edits],
            query: vec![f64::MAX; self.queries.len()],
            excess: 0.0,
        };
        let mut rows = ENGINES.map(row);
        let mut labels_query = vec![f64::MAX; self.queries.len()];
        for _ in 0..options.passes {
            for (row, (alone, live)) in rows.iter_mut().zip(&mut contestants) {
                self.edit(&mut row.alone, |cell| toggle_alone(alone, cell));
                self.edit(&mut row.live, |cell| toggle(live, cell));
                self.ask(&live.planner(), &mut row.query);
            }
            self.ask(&labelled, &mut labels_query);
        }
        for (row, (_, live)) in rows.iter_mut().zip(&contestants) {
            row.excess = self.total_cost(&live.planner())? / self.total_cost(&labelled)?;
        }
        drop(contestants);
        let labels = self.build(options)?;
        let threads = options.threads as f64;
        Ok(Figures { rows: rows.into(), labels, labels_query, bytes, threads })
    }

    /// Blocks each cell and frees it again, so that the map is the same in the
    /// end.
    fn edit(&self, least: &mut [f64], mut toggle: impl FnMut(Cell)) {
        let edits = self.cells.iter().flat_map(|&cell| [cell; 2]);
        for (least, cell) in least.iter_mut().zip(edits) {
            let begun = Instant::now();
            toggle(cell);
            *least = least.min(micros(begun));
        }
    }

    fn ask(&self, planner: &Planner, least: &mut [f64]) {
        let mut scratch = Scratch::new();
        for (least, &query) in least.iter_mut().zip(&self.queries) {
            let begun = Instant::now();
            let outcome = planner.find(query, &mut scratch);
            let time = micros(begun);
            assert!(outcome.is_ok_and(|outcome| outcome.route().is_some()), "there is a way");
            *least = least.min(time);
        }
    }

    fn total_cost(&self, planner: &Planner) -> Result<f64, Box<dyn Error>> {
        let mut scratch = Scratch::new();
        let mut sum = 0;
        for query in &self.queries {
            let outcome = planner.find(query.with_detail(Detail::Cost), &mut scratch)?;
            sum += outcome.route().ok_or("there is a way")?.cost().units();
        }
        Ok(sum as f64)
    }

    /// How long labels take after an edit.
    fn build(&self, options: &Options) -> Result<Vec<f64>, Box<dyn Error>> {
        let settings = idle(options).with_stand_in(Engine::Astar);
        let live = Live::new(Arc::clone(&self.grid), settings)?;
        let mut times = Vec::new();
        for &cell in self.cells.iter().cycle().take(options.builds) {
            toggle(&live, cell);
            let begun = Instant::now();
            live.wait()?;
            times.push(micros(begun));
        }
        Ok(times)
    }

    /// Runs a game of ten queries per frame in real time.
    fn run(&self, options: &Options) -> Result<(), Box<dyn Error>> {
        println!(
            "A game of 60 frames per second and {} queries per frame, {} s each\n\n\
             | an edit per | stand-in | interim | edit ms, mean | largest | query us | by stand-in % | interim % | \
             labels % | labels begun |\n|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
            PER_FRAME[0], options.run,
        );
        for (words, frames) in [("10 s", 600), ("second", 60), ("frame", 1)] {
            for (stand_in, interim) in [
                (Engine::Hpa, None),
                (Engine::Ssg, None),
                (Engine::Ssg, Some(Engine::NsgPlus)),
                (Engine::NsgPlus, None),
            ] {
                let quiet = LiveSettings::DEFAULT_QUIET;
                let settings = idle(options).with_stand_in(stand_in).with_interim(interim).with_quiet(quiet);
                let live = Live::new(Arc::clone(&self.grid), settings)?;
                live.wait()?;
                let game = self.play(&live, frames, options.run);
                game.print(words, &live);
            }
        }
        println!();
        Ok(())
    }

    fn play(&self, live: &Live, edit_every: u32, seconds: u32) -> Game {
        let mut game = Game::default();
        let mut scratch = Scratch::new();
        let mut queries = self.queries.iter().cycle();
        let mut cells = self.cells.iter().flat_map(|&cell| [cell; 2]).cycle();
        let start = Instant::now();
        for frame in 0..seconds * FRAMES as u32 {
            if frame % edit_every == 0
                && let Some(cell) = cells.next()
            {
                let begun = Instant::now();
                toggle(live, cell);
                game.edits.push(micros(begun));
            }
            for &query in queries.by_ref().take(PER_FRAME[0] as usize) {
                let begun = Instant::now();
                let planner = live.planner();
                let _ = std::hint::black_box(planner.find(query, &mut scratch));
                game.queries.push((planner.engine(), micros(begun)));
            }
            let due = Duration::from_secs_f64(f64::from(frame + 1) / FRAMES);
            std::thread::sleep(due.saturating_sub(start.elapsed()));
        }
        game
    }
}

/// What was timed in a game, in microseconds.
#[derive(Default)]
struct Game {
    edits: Vec<f64>,
    queries: Vec<(Engine, f64)>,
}

impl Game {
    fn print(&self, words: &str, live: &Live) {
        let LiveSettings { stand_in, interim, .. } = live.settings();
        let share = |wanted: Option<Engine>| {
            let by = self.queries.iter().filter(|&&(engine, _)| Some(engine) == wanted).count();
            100.0 * by as f64 / self.queries.len() as f64
        };
        let times: Vec<f64> = self.queries.iter().map(|&(_, time)| time).collect();
        println!(
            "| {words} | {stand_in} | {} | {:.2} | {:.1} | {:.1} | {:.0} | {:.0} | {:.0} | {} |",
            interim.map_or("-", Engine::name),
            mean(&self.edits) / 1e3,
            percentile(&self.edits, 100) / 1e3,
            mean(&times),
            share(Some(stand_in)),
            share(interim),
            share(Some(Engine::Labels)),
            live.build_count() - 1,
        );
    }
}

/// Nothing in the background unless it is waited for.
fn idle(options: &Options) -> LiveSettings {
    LiveSettings::default().with_interim(None).with_quiet(Duration::MAX).with_threads(options.threads)
}

fn toggle(live: &Live, cell: Cell) {
    let change = live.edit(|grid| if grid.is_free(cell) { grid.block(cell) } else { grid.free(cell) });
    assert!(change.is_ok_and(|change| change.is_ok()), "cells are on the map");
}

fn toggle_alone(planner: &mut Planner, cell: Cell) {
    let change = planner.edit(|grid| if grid.is_free(cell) { grid.block(cell) } else { grid.free(cell) });
    assert!(change.is_ok(), "cells are on the map");
}

fn micros(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e6
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

/// The time that `percent` of all times do not exceed.
fn percentile(times: &[f64], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0.0)
}

impl Figures {
    fn print(&self) {
        println!(
            "| engine | edit alone us, mean | p99 | edit live us, mean | median | p99 | query us, mean | p99 | \
             path longer % |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
        );
        for Row { engine, alone, live, query, excess } in &self.rows {
            println!(
                "| {engine} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} | {:.1} | {:.2} |",
                mean(alone),
                percentile(alone, 99),
                mean(live),
                percentile(live, 50),
                percentile(live, 99),
                mean(query),
                percentile(query, 99),
                100.0 * (excess - 1.0),
            );
        }
        let Self { labels, labels_query, bytes, .. } = self;
        println!(
            "| labels | | | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | 0 |\n\n\
             Labels of {:.1} MB; least time until they are there {:.2} s\n",
            mean(labels),
            percentile(labels, 50),
            percentile(labels, 99),
            mean(labels_query),
            percentile(labels_query, 99),
            *bytes as f64 / 1e6,
            percentile(labels, 0) / 1e6,
        );
    }

    /// Seconds that an edit and a query take.
    fn of(&self, engine: Engine) -> (f64, f64) {
        if engine == Engine::Labels {
            return (percentile(&self.labels, 50) / 1e6, mean(&self.labels_query) / 1e6);
        }
        let row = self.rows.iter().find(|row| row.engine == engine);
        row.map_or((0.0, 0.0), |row| (mean(&row.live) / 1e6, mean(&row.query) / 1e6))
    }
}

/// A way to answer for a map that is edited: engines from the first to the last.
struct Choice {
    words: &'static str,
    ladder: &'static [Engine],
}

const CHOICES: [Choice; 8] = [
    Choice { words: "astar", ladder: &[Engine::Astar] },
    Choice { words: "hpa", ladder: &[Engine::Hpa] },
    Choice { words: "ssg", ladder: &[Engine::Ssg] },
    Choice { words: "nsg+", ladder: &[Engine::NsgPlus] },
    Choice { words: "labels, made before the edit returns", ladder: &[Engine::Labels] },
    Choice { words: "live: hpa, nsg+, labels", ladder: &[Engine::Hpa, Engine::NsgPlus, Engine::Labels] },
    Choice { words: "live: ssg, nsg+, labels", ladder: &[Engine::Ssg, Engine::NsgPlus, Engine::Labels] },
    Choice { words: "live: nsg+, labels", ladder: &[Engine::NsgPlus, Engine::Labels] },
];

/// What a choice costs, in seconds.
struct Reckoning {
    /// Per edit, of who edits.
    edit: f64,
    /// Per query, of who asks.
    query: f64,
    /// Per edit, in the background.
    background: f64,
}

impl Choice {
    /// Estimates the load on a map that is edited once in `every` seconds.
    fn reckon(&self, figures: &Figures, every: f64) -> Reckoning {
        let (edit, mut query) = figures.of(self.ladder[0]);
        let (mut now, mut weighted, mut background) = (0.0_f64, 0.0, 0.0);
        for &engine in &self.ladder[1..] {
            let (takes, next) = figures.of(engine);
            let begins = now.max(takes).max(LiveSettings::DEFAULT_QUIET.as_secs_f64());
            let ends = begins + takes;
            let threads = if engine == Engine::Labels { figures.threads } else { 1.0 };
            background += threads * (ends.min(every) - begins).max(0.0);
            weighted += query * (ends.min(every) - now);
            now = ends.min(every);
            if ends >= every {
                break;
            }
            query = next;
        }
        weighted += query * (every - now);
        Reckoning { edit, query: weighted / every, background }
    }
}

fn print_model(figures: &Figures, words: &str, every: f64) {
    let [few, many] = PER_FRAME;
    println!(
        "One edit per {words}\n\n\
         | choice | edit ms | query us | ms per second, {few} queries per frame | {many} per frame | \
         background ms per second |\n|---|---:|---:|---:|---:|---:|"
    );
    for choice in CHOICES {
        let Reckoning { edit, query, background } = choice.reckon(figures, every);
        let [few, many] = PER_FRAME.map(|queries| 1e3 * (edit / every + FRAMES * queries * query));
        println!(
            "| {} | {:.2} | {:.1} | {few:.0} | {many:.0} | {:.0} |",
            choice.words,
            edit * 1e3,
            query * 1e6,
            background / every * 1e3,
        );
    }
    println!();
}

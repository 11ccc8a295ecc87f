//! The tick of a strategy game: units walk by plans while buildings rise, and groups get orders.

use clap::Parser;
use farstride::atlas::{Atlas, Floor, Mover, MoverId, TileMap};
use farstride::{Cell, Plan, Planned, Query, Rect, Scratch, Step};
use farstride_testkit::{SplitMix64, TerrainKind, generate_terrain};
use std::error::Error;
use std::time::{Duration, Instant};

/// Measure ticks with many units and buildings, and orders to groups.
///
/// Each tick puts up or takes down buildings of 3 × 3 in one edit, then every unit takes a step;
/// units that arrive get another goal after the tick. Everything runs on all cores; steps are
/// also timed on one thread, in every other tick.
#[derive(Parser)]
#[command(name = "orders", after_help = "Example:\n  orders --units 2000 --ticks 300")]
struct Options {
    /// Side of the map in cells
    #[arg(long, value_name = "N", default_value_t = 512)]
    side: usize,

    /// Units
    #[arg(long, value_name = "N", default_value_t = 2000)]
    units: usize,

    /// Ticks of each measurement
    #[arg(long, value_name = "N", default_value_t = 200)]
    ticks: usize,

    /// Buildings in each tick
    #[arg(long, value_name = "N", default_value_t = 10)]
    buildings: usize,

    /// Seed of maps and units
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

/// Median, 99th percentile and maximum in milliseconds.
fn told(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    format!("median {:.2} p99 {:.2} max {:.2} ms", at(50), at(99), at(100))
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    for kind in [TerrainKind::Roads, TerrainKind::Noise] {
        let map = generate_terrain(kind, options.side, options.side, options.seed)?;
        let weights = map.weights.as_deref().unwrap_or_default();
        let cells = map.free.iter().zip(weights);
        let classes: Vec<u8> = cells.map(|(&free, &weight)| if free { weight } else { 0 }).collect();
        let floor = Floor::new(options.side, options.side, classes)?;
        for movers in [1, 3] {
            println!("{kind:?}, {movers} movers:");
            ticks(&options, floor.clone(), movers)?;
        }
        groups(&options, floor)?;
    }
    Ok(())
}

/// An atlas with movers that differ in what terrain costs and in size.
fn world(floor: Floor, movers: u16) -> Result<(Atlas, Vec<MoverId>), Box<dyn Error>> {
    let mut tiles = TileMap::new();
    tiles.add_floor(floor)?;
    let mut atlas = Atlas::new(tiles)?;
    let mut ids = Vec::new();
    for number in 0..movers {
        let weight = |class: u8| if number == 2 { class.div_ceil(2) } else { class };
        let mover = (1..=255).fold(Mover::new(), |mover, class| mover.entering(class, weight(class)));
        let id = atlas.add_mover(mover.sized(1 + number % 2))?;
        atlas.prepare(id)?;
        ids.push(id);
    }
    Ok((atlas, ids))
}

fn ticks(options: &Options, floor: Floor, movers: u16) -> Result<(), Box<dyn Error>> {
    let mut random = SplitMix64::new(options.seed);
    let (mut atlas, ids) = world(floor, movers)?;
    let floor = atlas.tiles().floors().map(|(id, _)| id).next().ok_or("a world has a floor")?;
    let threads = std::thread::available_parallelism()?.get();
    let mut scratches: Vec<Scratch> = (0..threads).map(|_| Scratch::new()).collect();
    let mut plans: Vec<Vec<Plan>> = ids.iter().map(|_| Vec::new()).collect();
    let (mut whole, mut edits, mut steps, mut alone) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut replans, mut most) = (0, 0);
    let mut standing: Vec<(Cell, Vec<u8>)> = Vec::new();
    for tick in 0..2 * options.ticks + 10 {
        for (&mover, plans) in ids.iter().zip(&mut plans) {
            let planner = atlas.planner(mover, floor)?;
            let mut cell = || Cell::new(random.below(options.side) as u16, random.below(options.side) as u16);
            while plans.len() < options.units / ids.len() {
                if let Planned::Plan(plan) = planner.plan(Query::new(cell(), cell()), &mut scratches[0])? {
                    plans.push(plan);
                }
            }
        }
        let before: u32 = plans.iter().flatten().map(Plan::replans).sum();
        let used = if tick % 2 == 0 { threads } else { 1 };
        let begun = Instant::now();
        edit(&mut atlas, options, &mut standing, &mut random)?;
        let edited = begun.elapsed();
        let mut taken = Vec::new();
        for (&mover, plans) in ids.iter().zip(&mut plans) {
            taken.push(atlas.planner(mover, floor)?.step_many(plans, &mut scratches[..used])?);
        }
        let all = begun.elapsed();
        // The first ticks warm up.
        if tick >= 10 {
            let here = plans.iter().flatten().map(Plan::replans).sum::<u32>() - before;
            (replans, most) = (replans + here, most.max(here));
            let stepped = all.saturating_sub(edited);
            if tick % 2 == 1 {
                alone.push(stepped);
            } else {
                whole.push(all);
                edits.push(edited);
                steps.push(stepped);
            }
        }
        for (plans, taken) in plans.iter_mut().zip(taken) {
            let mut taken = taken.into_iter();
            plans.retain(|_| matches!(taken.next(), Some(Step::To(_))));
        }
    }
    println!(
        "  tick   {}; {:.1} new routes a tick, at most {most}",
        told(&mut whole),
        f64::from(replans) / options.ticks as f64 / 2.0
    );
    println!("  edits  {}", told(&mut edits));
    println!("  steps  {}", told(&mut steps));
    println!("  steps  {} on one thread", told(&mut alone));
    Ok(())
}

/// Puts up or takes down some buildings in one edit.
fn edit(
    atlas: &mut Atlas,
    options: &Options,
    standing: &mut Vec<(Cell, Vec<u8>)>,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    let floor = atlas.tiles().floors().map(|(id, _)| id).next().ok_or("a world has a floor")?;
    let area = |at: Cell| Rect::spanning(at, Cell::new(at.x + 2, at.y + 2));
    atlas.edit(|tiles| {
        for _ in 0..options.buildings {
            if standing.len() > 40 {
                let (at, before) = standing.swap_remove(random.below(standing.len()));
                for (cell, class) in area(at).cells().zip(before) {
                    tiles.fill(floor, cell, class)?;
                }
            } else {
                let most = options.side - 3;
                let at = Cell::new(random.below(most) as u16, random.below(most) as u16);
                let before = |cell| tiles.floor(floor).and_then(|floor| floor.class(cell)).unwrap_or(0);
                let before: Vec<u8> = area(at).cells().map(before).collect();
                tiles.fill(floor, area(at), 0)?;
                standing.push((at, before));
            }
        }
        Ok(())
    })
}

/// Orders to all units at once: to a few goals.
fn groups(options: &Options, floor: Floor) -> Result<(), Box<dyn Error>> {
    let (atlas, ids) = world(floor, 1)?;
    let floor = atlas.tiles().floors().map(|(id, _)| id).next().ok_or("a world has a floor")?;
    let planner = atlas.planner(ids[0], floor)?;
    let mut random = SplitMix64::new(options.seed + 1);
    let mut cell = || loop {
        let cell = Cell::new(random.below(options.side) as u16, random.below(options.side) as u16);
        if planner.grid().is_free(cell) {
            return cell;
        }
    };
    let threads = std::thread::available_parallelism()?.get();
    for goals in [1, 3] {
        let (mut shared, mut single) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let goals: Vec<Cell> = (0..goals).map(|_| cell()).collect();
            let starts: Vec<Cell> = (0..options.units).map(|_| cell()).collect();
            let groups = starts.chunks(options.units.div_ceil(goals.len()));
            let begun = Instant::now();
            for (group, &goal) in groups.clone().zip(&goals) {
                std::hint::black_box(planner.plan_group(group, goal, threads)?);
            }
            shared.push(begun.elapsed());
            let queries: Vec<Query> = groups
                .zip(&goals)
                .flat_map(|(group, &goal)| group.iter().map(move |&start| Query::new(start, goal)))
                .collect();
            let begun = Instant::now();
            std::hint::black_box(planner.plan_many(&queries, threads)?);
            single.push(begun.elapsed());
        }
        println!("  {} units to {goals} goals: plan_group {}", options.units, told(&mut shared));
        println!("  {} units to {goals} goals: plan_many  {}", options.units, told(&mut single));
    }
    Ok(())
}

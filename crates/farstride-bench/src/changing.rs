//! Units that walk while walls go up and come down: what does each way of
//! planning cost, and how often does a plan break?
//!
//! Everybody walks in one simulation: every [`Mode`] has its own planner and
//! its own units on the same trips, and each edit is made to all of their maps
//! at the same time. Walls are put up near the way of a unit, those of the
//! modes in turn, and never on one. Each leg is judged by
//! [`farstride_testkit`] when it is begun.

use crate::rival::widen;
use farstride::grid::DiagonalCost;
use farstride::hpa::{Hierarchy, HpaSettings, Local, Skip, Tactics};
use farstride::{Cell, Engine, Grid, Plan, Planned, Planner, Point, Query, Rect, Route, Scratch, Step};
use farstride_testkit::{Diagonals, PlainMap, SplitMix64, judge};
use std::collections::BTreeSet;
use std::error::Error;
use std::time::Instant;

/// Cells of a wall at most.
const LONGEST_WALL: usize = 12;
/// Cells between a way and the wall near it at most, in either direction.
const ASIDE: usize = 6;
/// What a unit walks per tick, in cells.
const SPEED: f64 = 1.0;
/// Places that are tried for a wall before an edit is left out.
const TRIES: usize = 50;

/// A way of planning.
#[derive(Debug, Clone)]
pub struct Mode {
    /// What it is called.
    pub name: &'static str,
    /// The map and the engine.
    pub planner: Planner,
}

impl Mode {
    /// The ways that are compared: HPA* as it is and with the clusters of HPT*,
    /// HPT* that skips nodes when it refines and in its search, and Theta*.
    ///
    /// # Errors
    /// If the map has weights.
    pub fn all(grid: &Grid) -> Result<Vec<Self>, Box<dyn Error>> {
        let engine = |engine| Planner::with_engine(grid.clone(), engine);
        let settings = HpaSettings::any_angle().with_local(Local::Astar);
        let finer = Planner::with_index(grid.clone(), Hierarchy::build(grid, settings)?)?;
        let skipping = Tactics::default().with_skip(Skip::InSearch);
        Ok(vec![
            Self { name: "hpa", planner: engine(Engine::Hpa)? },
            Self { name: "hpa, clusters of hpt", planner: finer },
            Self { name: "hpt", planner: engine(Engine::Hpt)? },
            Self { name: "hpt, skipping in search", planner: engine(Engine::Hpt)?.with_tactics(skipping) },
            Self { name: "theta", planner: engine(Engine::Theta)? },
        ])
    }
}

/// How long a simulation runs and how much is edited.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Ticks of the simulation.
    pub ticks: usize,
    /// Ticks from edit to edit.
    pub edit_every: usize,
    /// Walls that stand at the same time at most.
    pub walls: usize,
    /// Seed of the edits.
    pub seed: u64,
    /// Whether a unit whose leg is still clear walks on after an edit and asks
    /// at the end of it; otherwise every unit asks again at once.
    pub walk_on: bool,
}

/// Times of one kind of call, in microseconds.
#[derive(Debug, Clone, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Notes the time of a call that began then.
    fn note(&mut self, begun: Instant) {
        self.0.push(begun.elapsed().as_secs_f64() * 1e6);
    }

    /// How many there were.
    pub const fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them together.
    pub fn sum(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Their mean; 0 without any.
    pub fn mean(&self) -> f64 {
        self.sum() / self.count().max(1) as f64
    }

    /// What 99 of 100 do not exceed.
    pub fn p99(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get((sorted.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0.0)
    }
}

/// How many of some plans still stood after an edit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Survival {
    /// Plans that were looked at.
    pub plans: usize,
    /// Those that were not made again.
    pub held: usize,
}

impl Survival {
    /// Percentage of plans that held.
    pub fn percent(self) -> f64 {
        100.0 * self.held as f64 / self.plans.max(1) as f64
    }
}

/// What one way of planning showed.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Editing the map and bringing the index up to date.
    pub edits: Times,
    /// Making the plan of a trip.
    pub plans: Times,
    /// Steps along a plan that stands, a look at it after an edit included.
    pub steps: Times,
    /// Steps for which the plan was made again.
    pub replans: Times,
    /// Plans after a wall went up.
    pub after_wall: Survival,
    /// Plans after a wall came down.
    pub after_gap: Survival,
    /// Length that was refined ahead of the units, summed up over plans and
    /// edits, in cells.
    pub refined: f64,
    /// The same of those that were made again: work thrown away.
    pub thrown_away: f64,
    /// Length of what was ahead, refined or not.
    pub ahead: f64,
    /// Parts that this consisted of: what is refined is one, and each edge of
    /// the abstract path.
    pub parts: usize,
    /// Trips that were finished.
    pub trips: usize,
    /// Length walked on these.
    pub walked: f64,
    /// Length of their paths by Theta* on the map as it was when they began.
    pub shortest: f64,
    /// Legs that are not legal, or steps to a cell that is not adjacent.
    pub illegal: usize,
    /// Ticks that units waited because walls had left no way.
    pub waited: usize,
}

impl Tally {
    /// Plans that were looked at after an edit.
    pub const fn looks(&self) -> usize {
        self.after_wall.plans + self.after_gap.plans
    }

    /// Takes the times of another run of the same simulation where they are
    /// less: what else the machine was doing does not count.
    ///
    /// # Panics
    /// If it was another simulation.
    pub fn take_faster(&mut self, again: &Self) {
        let pairs = [
            (&mut self.edits, &again.edits),
            (&mut self.plans, &again.plans),
            (&mut self.steps, &again.steps),
            (&mut self.replans, &again.replans),
        ];
        for (times, others) in pairs {
            assert_eq!(times.count(), others.count(), "the same simulation makes the same calls");
            times.0.iter_mut().zip(&others.0).for_each(|(time, other)| *time = time.min(*other));
        }
    }

    /// All that was timed, in microseconds.
    pub fn time(&self) -> f64 {
        [&self.edits, &self.plans, &self.steps, &self.replans].map(Times::sum).iter().sum()
    }
}

/// The straight way that a unit is on.
#[derive(Debug, Clone, Copy)]
struct Leg {
    from: Cell,
    to: Cell,
    /// Length of what is behind.
    walked: f64,
}

impl Leg {
    fn length(self) -> f64 {
        distance(centre(self.from), centre(self.to))
    }

    fn place(self) -> (f64, f64) {
        let ((x, y), (end_x, end_y)) = (centre(self.from), centre(self.to));
        let share = self.walked / self.length();
        (x + (end_x - x) * share, y + (end_y - y) * share)
    }

    /// The cell that holds the place.
    fn cell(self) -> Cell {
        let place = self.place();
        let beyond = |cell: &Cell| {
            let (x, y) = centre(*cell);
            (x - place.0).abs().max((y - place.1).abs())
        };
        let ends = [self.from, self.to];
        Grid::crossed_cells(&ends).min_by(|a, b| beyond(a).total_cmp(&beyond(b))).unwrap_or(self.to)
    }

    /// The cells that must stay free while a unit makes a step of a grid.
    fn cells_of_step(self) -> [Cell; 4] {
        let Self { from, to, .. } = self;
        [from, to, Cell::new(from.x, to.y), Cell::new(to.x, from.y)]
    }
}

fn centre(cell: Cell) -> (f64, f64) {
    (cell.x.into(), cell.y.into())
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// What has happened since the last step of a plan.
#[derive(Debug, Clone, Copy, Default)]
struct Upset {
    /// Walls that went up and came down.
    walls: usize,
    gaps: usize,
    /// Length that was refined ahead at the last edit.
    refined: f64,
}

/// Somebody who goes back and forth between two places.
#[derive(Debug, Clone)]
struct Unit {
    ends: [Cell; 2],
    /// Where it stands, or where its last leg began.
    position: Cell,
    plan: Option<Plan>,
    leg: Option<Leg>,
    upset: Upset,
    /// Whether there is no way until the next edit.
    stuck: bool,
    /// Length walked on this trip, and of its shortest path.
    walked: f64,
    shortest: f64,
}

impl Unit {
    const fn new(ends: [Cell; 2]) -> Self {
        let [position, _] = ends;
        let upset = Upset { walls: 0, gaps: 0, refined: 0.0 };
        Self { ends, position, plan: None, leg: None, upset, stuck: false, walked: 0.0, shortest: 0.0 }
    }
}

/// A way of planning and its units.
struct Party {
    planner: Planner,
    scratch: Scratch,
    units: Vec<Unit>,
    tally: Tally,
}

/// The map as it changes, and who judges on it.
struct World {
    map: PlainMap,
    walls: Vec<Rect>,
    /// Finds the ways near which walls are put up, and the shortest of each trip.
    theta: Planner,
    scratch: Scratch,
    random: SplitMix64,
}

/// An edit that everybody gets.
#[derive(Clone, Copy)]
struct Edit {
    area: Rect,
    wall: bool,
}

/// Lets units of every mode walk back and forth between the ends of the trips.
/// The tallies come in the order of the modes.
///
/// # Errors
/// If the map is not fit for an engine or holds not all of the trips.
pub fn simulate(modes: Vec<Mode>, trips: &[(Cell, Cell)], pace: Pace) -> Result<Vec<Tally>, Box<dyn Error>> {
    let Some(first) = modes.first() else { return Ok(Vec::new()) };
    let mut world = World::new(first.planner.grid(), pace.seed)?;
    let units: Vec<Unit> = trips.iter().map(|&(start, goal)| Unit::new([start, goal])).collect();
    let mut parties: Vec<Party> = modes
        .into_iter()
        .map(|Mode { planner, .. }| {
            let (scratch, tally) = (Scratch::new(), Tally::default());
            Party { planner, scratch, units: units.clone(), tally }
        })
        .collect();
    for tick in 0..pace.ticks {
        for party in &mut parties {
            party.walk(&mut world)?;
        }
        if (tick + 1).is_multiple_of(pace.edit_every.max(1)) {
            let turn = tick / pace.edit_every.max(1);
            let Some(edit) = world.draw(&parties, turn, pace.walls)? else { continue };
            world.make(edit)?;
            for party in &mut parties {
                party.edit(edit, pace.walk_on)?;
            }
        }
    }
    Ok(parties.into_iter().map(|party| party.tally).collect())
}

impl World {
    fn new(grid: &Grid, seed: u64) -> Result<Self, Box<dyn Error>> {
        let mut map = PlainMap::new(grid.width(), grid.height(), false);
        for (index, cell) in grid.area().cells().enumerate() {
            map.free[index] = grid.is_free(cell);
        }
        Ok(Self {
            map,
            walls: Vec::new(),
            theta: Planner::with_engine(grid.clone(), Engine::Theta)?,
            scratch: Scratch::new(),
            random: SplitMix64::new(seed),
        })
    }

    fn sees(&self, a: Cell, b: Cell) -> bool {
        let (a, b) = (widen((a.x, a.y)), widen((b.x, b.y)));
        judge::sees(&self.map, Diagonals::Strict, a, b)
    }

    /// Length of a path by Theta*, if there is one.
    fn shortest(&mut self, from: Cell, to: Cell) -> Result<Option<f64>, Box<dyn Error>> {
        let outcome = self.theta.find(Query::new(from, to), &mut self.scratch)?;
        Ok(outcome.route().map(Route::length))
    }

    /// The next edit: a wall near the way of a unit, or one taken away.
    fn draw(&mut self, parties: &[Party], turn: usize, most: usize) -> Result<Option<Edit>, Box<dyn Error>> {
        let full = self.walls.len() >= most;
        if full || (!self.walls.is_empty() && self.random.chance(50)) {
            let area = self.walls.swap_remove(self.random.below(self.walls.len()));
            return Ok(Some(Edit { area, wall: false }));
        }
        let taken: BTreeSet<Cell> = parties.iter().flat_map(Party::taken).collect();
        let party = &parties[turn % parties.len()];
        let unit = &party.units[self.random.below(party.units.len())];
        let at = unit.leg.map_or(unit.position, Leg::cell);
        let outcome = self.theta.find(Query::new(at, unit.ends[1]), &mut self.scratch)?;
        let turns: Vec<Point> =
            outcome.route().map_or_else(|| vec![at.into()], |route| route.path().points().to_vec());
        let way = self.theta.grid().entered_cells(&turns);
        for _ in 0..TRIES {
            let near = way[self.random.below(way.len())];
            if let Some(area) = self.wall_at(near, &taken) {
                self.walls.push(area);
                return Ok(Some(Edit { area, wall: true }));
            }
        }
        Ok(None)
    }

    /// A wall that begins near a cell and ends where something is in its way.
    fn wall_at(&mut self, near: Cell, taken: &BTreeSet<Cell>) -> Option<Rect> {
        let [x, y] = [near.x, near.y].map(|at| {
            let moved = usize::from(at) + self.random.below(2 * ASIDE + 1);
            moved.checked_sub(ASIDE)
        });
        let direction = self.random.below(4);
        let length = self.random.between(1, LONGEST_WALL);
        let (x, y) = (x?, y?);
        let cell_at = |step: usize| match direction {
            0 => Some((x + step, y)),
            1 => Some((x, y + step)),
            2 => Some((x.checked_sub(step)?, y)),
            _ => Some((x, y.checked_sub(step)?)),
        };
        let fits = |&(x, y): &(usize, usize)| {
            let inside = x < self.map.width && y < self.map.height;
            inside && self.map.is_free_at((x, y)) && !taken.contains(&Cell::new(x as u16, y as u16))
        };
        let cells = (0..length).map_while(|step| cell_at(step).filter(fits));
        let (far_x, far_y) = cells.last()?;
        Some(Rect::spanning(Cell::new(x as u16, y as u16), Cell::new(far_x as u16, far_y as u16)))
    }

    fn make(&mut self, edit: Edit) -> Result<(), Box<dyn Error>> {
        for cell in edit.area.cells() {
            self.map.set_free(widen((cell.x, cell.y)), !edit.wall);
        }
        edit.make(&mut self.theta)
    }
}

impl Edit {
    fn make(self, planner: &mut Planner) -> Result<(), Box<dyn Error>> {
        let Self { area, wall } = self;
        planner.edit(|grid| if wall { grid.block(area) } else { grid.free(area) })?;
        Ok(())
    }
}

impl Party {
    fn is_any_angle(&self) -> bool {
        self.planner.engine().is_any_angle()
    }

    /// Cells that no wall may stand on: units, and where they are going.
    fn taken(&self) -> impl Iterator<Item = Cell> {
        let any_angle = self.is_any_angle();
        self.units.iter().flat_map(move |unit| {
            let below = match unit.leg {
                Some(leg) if any_angle => [leg.cell(); 4],
                Some(leg) => leg.cells_of_step(),
                None => [unit.position; 4],
            };
            below.into_iter().chain(unit.ends)
        })
    }

    /// One tick.
    fn walk(&mut self, world: &mut World) -> Result<(), Box<dyn Error>> {
        for number in 0..self.units.len() {
            let mut left = SPEED;
            while left > 0.0 {
                if self.units[number].leg.is_none() && !self.begin_leg(number, world)? {
                    self.tally.waited += 1;
                    break;
                }
                let unit = &mut self.units[number];
                let Some(leg) = &mut unit.leg else { continue }; // at the goal: a new trip
                let rest = leg.length() - leg.walked;
                let now = left.min(rest);
                leg.walked += now;
                unit.walked += now;
                left -= now;
                if now >= rest {
                    unit.position = leg.to;
                    unit.leg = None;
                }
            }
        }
        Ok(())
    }

    /// Asks for the next leg, or for a plan first; false if there is no way.
    fn begin_leg(&mut self, number: usize, world: &mut World) -> Result<bool, Box<dyn Error>> {
        let any_angle = self.is_any_angle();
        let Self { planner, scratch, units, tally } = self;
        let unit = &mut units[number];
        if unit.stuck {
            return Ok(false);
        }
        if unit.plan.is_none() {
            let begun = Instant::now();
            let planned = planner.plan(Query::new(unit.position, unit.ends[1]), scratch)?;
            tally.plans.note(begun);
            let Planned::Plan(plan) = planned else {
                unit.stuck = true;
                return Ok(false);
            };
            unit.plan = Some(plan);
            unit.upset = Upset::default();
            unit.walked = 0.0;
            unit.shortest = world.shortest(unit.position, unit.ends[1])?.unwrap_or(f64::NAN);
        }
        let Some(plan) = &mut unit.plan else { return Ok(false) };
        let before = plan.replans();
        let begun = Instant::now();
        let step = plan.step(planner, scratch)?;
        let replanned = plan.replans() > before;
        if replanned { &mut tally.replans } else { &mut tally.steps }.note(begun);
        tally.judge_plan(std::mem::take(&mut unit.upset), replanned);
        match step {
            Step::To(next) => {
                let from = unit.position;
                let adjacent = from.direction_to(next).is_some();
                if !(world.sees(from, next) && next != from && (any_angle || adjacent)) {
                    tally.illegal += 1;
                }
                unit.leg = Some(Leg { from, to: next, walked: 0.0 });
                Ok(true)
            }
            Step::Arrived => {
                tally.trips += 1;
                tally.walked += unit.walked;
                tally.shortest += unit.shortest;
                unit.plan = None;
                unit.ends.reverse();
                Ok(true)
            }
            _ => {
                unit.stuck = true;
                Ok(false)
            }
        }
    }

    /// Edits the map. Units on a leg at any angle go to the middle of the cell
    /// they are in, and ask again from there; a step of a grid is finished.
    fn edit(&mut self, edit: Edit, walk_on: bool) -> Result<(), Box<dyn Error>> {
        let any_angle = self.is_any_angle();
        for unit in &mut self.units {
            unit.look_ahead(edit.wall, &mut self.tally);
        }
        let begun = Instant::now();
        edit.make(&mut self.planner)?;
        self.tally.edits.note(begun);
        for unit in &mut self.units {
            unit.stuck = false;
            let is_clear = |leg: Leg| self.planner.grid().line_of_sight(leg.from, leg.to);
            if any_angle && !(walk_on && unit.leg.is_some_and(is_clear)) {
                unit.stop();
            }
        }
        Ok(())
    }
}

impl Tally {
    /// Notes whether a plan stood the edits since its last step. If not, it is
    /// put down to one of them, to a wall if there was one.
    fn judge_plan(&mut self, upset: Upset, replanned: bool) {
        let Upset { walls, gaps, refined } = upset;
        if walls + gaps == 0 {
            return;
        }
        self.after_wall.plans += walls;
        self.after_gap.plans += gaps;
        let by_wall = replanned && walls > 0;
        self.after_wall.held += walls - usize::from(by_wall);
        self.after_gap.held += gaps - usize::from(replanned && !by_wall);
        if replanned {
            self.thrown_away += refined;
        }
    }
}

impl Unit {
    /// Measures what is ahead just before an edit.
    fn look_ahead(&mut self, wall: bool, tally: &mut Tally) {
        let Some(plan) = &self.plan else { return };
        let mut refined = self.leg.map_or(0.0, |leg| leg.length() - leg.walked);
        let straight = DiagonalCost::Sqrt2.straight().units() as f64;
        tally.ahead += refined + plan.cost().units() as f64 / straight;
        let mut at = plan.position();
        for next in plan.refined() {
            refined += distance(centre(at), centre(next));
            at = next;
        }
        tally.refined += refined;
        tally.parts += plan.waypoints().count() + usize::from(plan.refined().next().is_none());
        if wall {
            self.upset.walls += 1;
        } else {
            self.upset.gaps += 1;
        }
        self.upset.refined = refined;
    }

    /// Stops in the middle of the cell that it is in.
    fn stop(&mut self) {
        let (Some(leg), Some(plan)) = (self.leg.take(), &mut self.plan) else { return };
        let cell = leg.cell();
        self.walked += distance(leg.place(), centre(cell));
        self.position = cell;
        plan.stand_at(cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Workload, grid};
    use farstride_testkit::Kind;

    fn run(seed: u64, walk_on: bool) -> Vec<Tally> {
        let workload = Workload::new(Kind::Caves { blocked_percent: 40, rounds: 4 }, 96, 6);
        let trips: Vec<_> = workload.queries.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        let modes = Mode::all(&grid(&workload.map)).unwrap();
        simulate(modes, &trips, Pace { ticks: 300, edit_every: 3, walls: 20, seed, walk_on }).unwrap()
    }

    #[test]
    fn nobody_walks_into_a_wall() {
        for tally in [false, true].into_iter().flat_map(|walk_on| run(1, walk_on)) {
            assert_eq!(tally.illegal, 0);
            assert_eq!(tally.edits.count(), 100);
            assert!(tally.trips > 0 && tally.walked >= 0.9 * tally.shortest);
            assert!(tally.after_wall.held < tally.after_wall.plans, "some plans break: {tally:?}");
            let broken = tally.looks() - tally.after_wall.held - tally.after_gap.held;
            assert_eq!(broken, tally.replans.count());
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_walks() {
        let walks = |seed| run(seed, false).iter().map(|tally| tally.walked.to_bits()).collect::<Vec<_>>();
        assert_eq!(walks(2), walks(2));
        assert_ne!(walks(2), walks(3));
    }

    #[test]
    fn a_place_on_a_leg_is_in_a_cell_of_it() {
        let leg = |walked| Leg { from: Cell::new(2, 3), to: Cell::new(10, 9), walked };
        assert_eq!(leg(0.0).cell(), Cell::new(2, 3));
        assert_eq!(leg(4.9).cell(), Cell::new(6, 6));
        assert_eq!(leg(10.0).cell(), Cell::new(10, 9));
    }
}

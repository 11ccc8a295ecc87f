//! Plans: routes refined as they are walked.

mod legs;
mod sections;

use super::planner::ResumeKey;
use super::{Outcome, Planner, Query, QueryError, Scratch};
use crate::base::{Cell, Cost, euclidean};
use crate::grid::{Grid, Revision};
use crate::groups::GroupPlan;
use crate::hpa::PlanLeg;
use std::collections::VecDeque;

/// Cells that are refined at a time, at least: enough for smoothing to see
/// what comes, little enough for the first move to be known at once.
const SECTION: usize = 32;
/// When fewer refined cells than this are left, the next section is refined.
const LOW_WATER: usize = 16;
/// When no more legs at any angle than this are refined, the next section is:
/// where the last of them ends the path need not turn.
const FEW_LEGS: usize = 1;
/// Turning points ahead that a unit which was moved looks for.
const REJOIN: usize = 4;
/// Cells of a single leg from which on it is taken as it is.
const LONG_LEG: usize = 256;

/// A route that is refined while a unit walks it.
///
/// With HPA*, HPT* and groups making a plan finds the abstract path and nothing else.
/// Cells or turning points follow section by section when they are needed, so that the first move is
/// known after a small part of the work, and a unit that changes its mind has
/// wasted nothing. Other engines plan the whole way at once; for the caller
/// there is no difference.
///
/// Plans follow edits of the map: after one, the next step looks at what is
/// left of the route. As long as every part still exists and costs the same,
/// the plan stands; if not, it is made again from where the unit stands.
///
/// With engines at any angle a step is a whole leg. If the map is edited while
/// a unit walks one, tell the plan where it is ([`Plan::stand_at`]) and ask
/// again: the route stays if what is left of the leg is still in sight.
///
/// # Guarantee
/// Every step is legal on the map as it is when the step is taken. The walk
/// costs no more than the abstract path: a path of [`Planner::find`] without
/// smoothing and shortcuts. That does not hold for HPT* without kept ways,
/// where Theta* may find other ways than it did before, nor if parents are
/// skipped in the search, which finds other paths for plans. With groups there is
/// no such bound: plans go section by section, whatever way whole paths are found.
///
/// # Example
/// ```
/// use farstride::{Cell, Engine, Grid, Planned, Planner, Query, Scratch, Step};
///
/// let mut planner = Planner::with_engine(Grid::empty(200, 100)?, Engine::Hpa)?;
/// let mut scratch = Scratch::new();
/// let goal = Cell::new(190, 90);
/// let Planned::Plan(mut plan) = planner.plan(Query::new((3, 4), goal), &mut scratch)? else {
///     panic!("there is a way");
/// };
/// let mut steps = 0;
/// while let Step::To(_) = plan.step(&planner, &mut scratch)? {
///     steps += 1;
///     if steps == 50 {
///         // Something falls on the way; the plan finds out by itself.
///         let ahead = plan.position();
///         let wall = farstride::Rect::spanning(Cell::new(ahead.x + 5, 0), Cell::new(ahead.x + 5, 80));
///         planner.edit(|grid| grid.block(wall))?;
///     }
/// }
/// assert_eq!(plan.position(), goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    position: Cell,
    /// Where the last step began.
    before: Cell,
    goal: Cell,
    /// Refined cells or turning points ahead, without the position.
    cells: VecDeque<Cell>,
    /// Their cost from the position on.
    cells_cost: Cost,
    /// What is not refined yet, the first leg last.
    legs: Vec<PlanLeg>,
    /// What is not refined yet with groups.
    groups: Option<Box<ThroughGroups>>,
    /// Whether the unit was moved since the last step.
    moved: bool,
    /// What the plan was last held against.
    basis: Basis,
    replans: u32,
}

/// The way through groups beyond the refined cells.
#[derive(Clone, Debug, Default)]
struct ThroughGroups {
    plan: GroupPlan<Cell>,
    /// The nodes of its abstract paths.
    ahead: Vec<Waypoint>,
    /// What the rest costs at least.
    rest: Cost,
}

/// What the parts of a plan refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Basis {
    revision: Revision,
    key: ResumeKey,
}

impl Basis {
    fn of(planner: &Planner) -> Self {
        Self { revision: planner.grid().revision(), key: planner.resume_key() }
    }
}

/// What planning came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Planned {
    /// There is a way, and this is the plan for it.
    Plan(Plan),
    /// Start and goal are the same free cell.
    AlreadyThere,
    /// The start cannot be stood on.
    StartBlocked,
    /// The start is free, but the goal cannot be stood on.
    GoalBlocked,
    /// Both are free, and no path joins them.
    Unreachable,
}

/// What a plan says when it is asked for the next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Step {
    /// Go to this cell: an adjacent one or, with engines at any angle, one
    /// straight ahead in sight. The plan takes the unit to be there now.
    To(Cell),
    /// The unit stands at the goal.
    Arrived,
    /// An edit left no way from where the unit stands. Ask again after the
    /// next edit.
    Unreachable,
}

/// A node on an abstract path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waypoint {
    /// Where it is.
    pub cell: Cell,
    /// The level of the hierarchy on which the way there is known; 0 for a
    /// step from cluster to cluster or a way that is refined.
    pub level: u8,
}

impl Plan {
    /// [`Planner::plan`].
    pub(super) fn make(
        planner: &Planner,
        query: Query,
        scratch: &mut Scratch,
    ) -> Result<Planned, QueryError> {
        planner.check_query(query)?;
        scratch.paused = None;
        if let Some(outcome) = planner.answer_at_once(query) {
            return Ok(match outcome {
                Outcome::AlreadyThere => Planned::AlreadyThere,
                Outcome::StartBlocked => Planned::StartBlocked,
                Outcome::GoalBlocked => Planned::GoalBlocked,
                _ => Planned::Unreachable,
            });
        }
        let mut plan = Self {
            position: query.start,
            before: query.start,
            goal: query.goal,
            cells: VecDeque::new(),
            cells_cost: Cost::ZERO,
            legs: Vec::new(),
            groups: None,
            moved: false,
            basis: Basis::of(planner),
            replans: 0,
        };
        let found = plan.search(planner, scratch);
        Ok(if found { Planned::Plan(plan) } else { Planned::Unreachable })
    }
}

impl Plan {
    /// Where the unit stands.
    pub const fn position(&self) -> Cell {
        self.position
    }

    /// Where it goes.
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// How often a route was searched for again: because an edit had touched the
    /// plan, or because the unit was moved.
    pub const fn replans(&self) -> u32 {
        self.replans
    }

    /// The cells ahead that are refined, turning points with engines at any
    /// angle, in the order in which they will be walked unless the map is edited
    /// or the next section shows a shorter way.
    pub fn refined(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().copied()
    }

    /// The abstract path ahead: what is refined as one waypoint, then the nodes
    /// up to the goal.
    pub fn waypoints(&self) -> impl Iterator<Item = Waypoint> {
        let refined = self.cells.back().map(|&cell| Waypoint { cell, level: 0 });
        let legs = self.legs.iter().rev().map(|leg| Waypoint { cell: leg.to(), level: leg.level() });
        let groups = self.groups.iter().flat_map(|groups| {
            let goal = Waypoint { cell: groups.plan.goal(), level: 0 };
            groups.ahead.iter().copied().chain([goal])
        });
        refined.into_iter().chain(legs).chain(groups)
    }

    /// What is left to walk costs no more than this, unless the map is edited.
    ///
    /// With groups only what is refined is known: the rest counts as if nothing
    /// stood in the way.
    pub fn cost(&self) -> Cost {
        let rest = self.groups.as_ref().map_or(Cost::ZERO, |groups| groups.rest);
        self.legs.iter().fold(self.cells_cost + rest, |sum, leg| sum + leg.cost())
    }

    /// Tells the plan that the unit stands elsewhere: pushed aside, moved by
    /// other means, or still on its way along a leg. The next step plans from
    /// there; at any angle it keeps to the route if that is in sight, or if the
    /// leg that it was on leads through this cell and is clear from here on.
    pub fn stand_at(&mut self, position: Cell) {
        if self.position == position {
            return;
        }
        let has_route = !(self.cells.is_empty() && self.legs.is_empty()) || self.position == self.goal;
        if self.basis.key.engine.is_any_angle() && has_route {
            // It may have been on its way to where the plan took it to be.
            if !std::mem::replace(&mut self.moved, true) {
                self.cells.push_front(self.position);
            }
            let mut at = position;
            self.cells_cost = self
                .cells
                .iter()
                .fold(Cost::ZERO, |sum, &next| sum + euclidean(std::mem::replace(&mut at, next), next));
        } else {
            self.drop_route();
        }
        self.position = position;
    }

    /// The next step, on the map as it is now.
    ///
    /// # Complexity
    /// Usually none; every few steps a section is refined, and after an edit
    /// what is left of the route is looked at once.
    ///
    /// # Errors
    /// [`QueryError`] if an edit made the map unfit for the engine, or if
    /// position or goal are not on the map of this planner.
    pub fn step(&mut self, planner: &Planner, scratch: &mut Scratch) -> Result<Step, QueryError> {
        if self.position == self.goal {
            return Ok(Step::Arrived);
        }
        scratch.paused = None; // its memory is used for the next section
        let basis = Basis::of(planner);
        if basis != self.basis {
            planner.check_query(Query::new(self.position, self.goal))?;
            if !self.still_holds(planner, basis, scratch) {
                self.drop_route();
            }
            self.basis = basis;
        } else if self.moved && !self.rejoin(planner.grid()) {
            self.drop_route();
        }
        self.moved = false;
        if self.cells.is_empty() && self.legs.is_empty() && self.groups.is_none() {
            planner.check_query(Query::new(self.position, self.goal))?;
            self.replans += 1;
            if !self.search(planner, scratch) {
                return Ok(Step::Unreachable);
            }
        }
        if self.basis.key.engine.is_any_angle() {
            self.refine_turns(planner, scratch);
        } else if self.groups.is_some() {
            self.refine_groups(planner, scratch);
        } else if self.cells.len() < LOW_WATER && !self.legs.is_empty() {
            self.refine(planner, scratch);
        }
        Ok(match self.cells.pop_front() {
            Some(next) => {
                self.cells_cost = self.cells_cost.less(cost_between(planner, self.position, next));
                self.before = std::mem::replace(&mut self.position, next);
                Step::To(next)
            }
            None => Step::Unreachable,
        })
    }

    fn drop_route(&mut self) {
        self.moved = false;
        self.cells.clear();
        self.cells_cost = Cost::ZERO;
        self.legs.clear();
        self.groups = None;
    }

    /// Finds a route from the position, abstract if the engine has a hierarchy.
    fn search(&mut self, planner: &Planner, scratch: &mut Scratch) -> bool {
        self.drop_route();
        let query = Query::new(self.position, self.goal);
        if planner.answer_at_once(query).is_some() {
            return false;
        }
        if legs::plan(planner, query, scratch, &mut self.legs) {
            return true;
        }
        let mut groups = ThroughGroups {
            rest: planner.grid().rules().distance(query.start, query.goal),
            ..ThroughGroups::default()
        };
        if sections::plan(planner, query, &mut groups.plan, &mut groups.ahead, scratch) {
            self.groups = Some(Box::new(groups));
            return true;
        }
        self.search_whole(planner, scratch)
    }

    /// Finds the whole route from the position.
    fn search_whole(&mut self, planner: &Planner, scratch: &mut Scratch) -> bool {
        let query = Query::new(self.position, self.goal);
        let Ok(outcome) = planner.find(query, scratch) else { return false };
        let Some(route) = outcome.route() else { return false };
        self.cells_cost = route.cost();
        self.cells.extend(&route.path().cells()[1..]);
        true
    }

    /// Refines another section and smooths it together with what is left.
    fn refine(&mut self, planner: &Planner, scratch: &mut Scratch) {
        scratch.trail.restart(self.position);
        self.cells.iter().for_each(|&cell| scratch.trail.push_cell(cell));
        // The first section is short: somebody waits for it.
        let enough = if self.cells.is_empty() { LOW_WATER } else { SECTION };
        legs::refine(planner, self.goal, &mut self.legs, enough, scratch);
        self.cells.clear();
        self.cells.extend(&scratch.path[1..]);
        self.cells_cost = cost_along(planner, self.position, &self.cells);
    }

    /// Refines the next section through groups when the last one is used up.
    fn refine_groups(&mut self, planner: &Planner, scratch: &mut Scratch) {
        let Some(groups) = self.groups.as_mut().filter(|_| self.cells.is_empty()) else { return };
        let ThroughGroups { plan, ahead, rest } = &mut **groups;
        let before = plan.replans();
        if let Some((cells, cost)) = sections::refine(planner, plan, ahead, scratch) {
            self.cells.extend(cells);
            self.cells_cost = cost;
        }
        self.replans += plan.replans() - before;
        *rest = planner.grid().rules().distance(plan.position(), plan.goal());
        let is_whole = plan.position() == plan.goal();
        if self.cells.is_empty() {
            // There is no way left, or the groups were forged.
            self.groups = None;
            self.search_whole(planner, scratch);
        } else if is_whole {
            self.groups = None;
        }
    }

    /// Refines sections at any angle until the next leg ends where the path
    /// turns, or is long.
    fn refine_turns(&mut self, planner: &Planner, scratch: &mut Scratch) {
        let mut enough = SECTION;
        while self.cells.len() <= FEW_LEGS && !self.legs.is_empty() && enough <= LONG_LEG {
            legs::refine_turns(
                planner,
                self.position,
                &self.cells,
                self.goal,
                &mut self.legs,
                enough,
                scratch,
            );
            self.cells.clear();
            self.cells.extend(&scratch.path[1..]);
            enough *= 2;
        }
        self.cells_cost = cost_along(planner, self.position, &self.cells);
    }

    /// Whether a unit that was moved sees where it was or where it was to go, or
    /// can go on along its leg; what lies before is forgotten.
    fn rejoin(&mut self, grid: &Grid) -> bool {
        if self.cells.front() == Some(&self.position) {
            self.cells.pop_front();
            return !(self.cells.is_empty() && self.legs.is_empty());
        }
        let in_sight = |&ahead: &usize| grid.line_of_sight(self.position, self.cells[ahead]);
        let ahead = (0..self.cells.len().min(REJOIN)).rev().find(in_sight);
        self.cells.drain(..ahead.unwrap_or(0));
        ahead.is_some() || self.follow_leg(grid)
    }

    /// Goes on along the leg that the unit is on. The middle of a cell need not
    /// see the end of a leg through that cell where it runs close to walls, but
    /// what the leg enters from there on is a path of steps.
    fn follow_leg(&mut self, grid: &Grid) -> bool {
        let Some(&end) = self.cells.front() else { return false };
        let leg = [self.before, end];
        let entered: Vec<Cell> =
            Grid::crossed_cells(&leg).skip_while(|&cell| cell != self.position).collect();
        let is_step = |step: &[Cell]| {
            step[0].direction_to(step[1]).is_some_and(|direction| grid.moves(step[0]).contains(direction))
        };
        if entered.len() < 2 || !entered.windows(2).all(is_step) {
            return false;
        }
        self.cells.pop_front();
        let (mut at, mut turns) = (0, 0);
        while at + 1 < entered.len() {
            let mut farthest_first = (at + 2..entered.len()).rev();
            let seen = farthest_first.find(|&far| grid.line_of_sight(entered[at], entered[far]));
            at = seen.unwrap_or(at + 1);
            self.cells.insert(turns, entered[at]);
            turns += 1;
        }
        true
    }

    /// Whether every part of the route is still there and costs the same.
    fn still_holds(&mut self, planner: &Planner, basis: Basis, scratch: &mut Scratch) -> bool {
        let grid = planner.grid();
        if basis.key != self.basis.key || !grid.is_free(self.position) {
            return false;
        }
        if self.moved && !self.rejoin(grid) {
            return false;
        }
        let any_angle = basis.key.engine.is_any_angle();
        let mut at = self.position;
        let legal = self.cells.iter().all(|&next| {
            let is_step = |direction| grid.moves(at).contains(direction);
            let legal = if any_angle {
                grid.line_of_sight(at, next)
            } else {
                at.direction_to(next).is_some_and(is_step)
            };
            at = next;
            legal
        });
        legal
            && (self.moved || cost_along(planner, self.position, &self.cells) == self.cells_cost)
            && legs::hold(planner, self.goal, &mut self.legs, scratch)
    }
}

/// The cost of a step, or of a leg at any angle.
fn cost_between(planner: &Planner, at: Cell, next: Cell) -> Cost {
    if planner.engine().is_any_angle() { euclidean(at, next) } else { planner.grid().step_cost(at, next) }
}

/// The cost of walking from a cell along refined cells.
fn cost_along(planner: &Planner, from: Cell, cells: &VecDeque<Cell>) -> Cost {
    let mut at = from;
    cells.iter().fold(Cost::ZERO, |sum, &next| {
        let cost = cost_between(planner, at, next);
        at = next;
        sum + cost
    })
}

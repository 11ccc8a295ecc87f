//! Plans: routes refined as they are walked.

mod legs;
mod sections;

use super::planner::ResumeKey;
use super::{Outcome, Planner, Query, QueryError, Scratch};
use crate::base::{Cell, Cost, Point, Rect, euclidean};
use crate::grid::{Grid, Revision};
use crate::groups::GroupPlan;
use crate::hpa::{PlanLeg, Spread};
use crate::index::Engine;
use std::collections::VecDeque;

/// Minimum number of cells refined at a time: enough for smoothing to look ahead,
/// few enough for the first move to be known at once.
const SECTION: usize = 32;
/// The next section is refined once fewer refined cells than this are left.
const LOW_WATER: usize = 16;
/// Any-angle paths: the next section is refined once no more legs than this are left.
/// The end of the last leg need not be a turn of the path, so it is not walked to
/// before the next leg is known.
const FEW_LEGS: usize = 1;
/// Number of turning points ahead to which a unit that was moved may rejoin its route.
const REJOIN: usize = 4;
/// A leg of this many cells is walked without knowing whether the path turns at its
/// end: looking further ahead would delay the move.
const LONG_LEG: usize = 256;

/// A route that is refined while a unit walks it.
///
/// With HPA*, HPT* and groups, [`Planner::plan`] finds only an abstract path. Cells, or
/// turning points, follow section by section as they are needed. So the first move is
/// known after a fraction of the work, and little is wasted if the unit changes its
/// mind. Other engines find the whole route at once; the plan is used in the same way.
///
/// Plans follow edits of the map. The first step after an edit checks the rest of the
/// route, as far as the edit may have touched it. If all of it still exists and costs no more, the
/// plan stays; otherwise a new route is searched from where the unit stands.
///
/// With the engine `straight`, a plan goes step by step through the cells that the path enters.
/// With other any-angle engines, a step is a whole leg. If the map is edited while a unit
/// walks a leg, tell the plan where the unit is ([`Plan::stand_at`]) and take the next
/// step: the plan keeps its route if the end of the leg is still in sight.
///
/// # Guarantee
/// Every step is legal on the map at the time of the step. The walk costs no more than
/// the abstract path, which costs as much as a path of [`Planner::find`] without
/// smoothing and shortcuts. There are three exceptions: HPT* without kept ways, where
/// Theta* may find other ways when it searches again; searches that skip parents,
/// which find other paths for plans; and groups, whose plans proceed section by section
/// and have no such bound.
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
///         // A wall blocks the way; the plan notices by itself.
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
    /// Cost of walking from the position along these cells.
    cells_cost: Cost,
    /// Legs that are not refined yet, in reverse order.
    legs: Vec<PlanLeg>,
    /// Sections through groups that are not refined yet.
    groups: Option<Box<ThroughGroups>>,
    /// Whether [`Plan::stand_at`] moved the unit since the last step.
    moved: bool,
    /// The state of map and planner for which the route was last checked.
    basis: Basis,
    replans: u32,
}

/// The route through groups beyond the refined cells.
#[derive(Clone, Debug, Default)]
struct ThroughGroups {
    plan: GroupPlan<Cell>,
    /// The nodes of its abstract paths.
    ahead: Vec<Waypoint>,
    /// Lower bound of the cost of the rest.
    rest: Cost,
}

/// The state of map and planner that a route belongs to.
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

/// The outcome of [`Planner::plan`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Planned {
    /// There is a route, and this is its plan.
    Plan(Plan),
    /// Start and goal are the same free cell.
    AlreadyThere,
    /// The start is blocked.
    StartBlocked,
    /// The start is free, but the goal is blocked.
    GoalBlocked,
    /// Start and goal are free, but no path connects them.
    Unreachable,
}

/// The outcome of [`Plan::step`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Step {
    /// Go to this cell: an adjacent one or, with any-angle engines, one in line of
    /// sight. From now on the plan assumes that the unit is there.
    To(Cell),
    /// The unit stands at the goal.
    Arrived,
    /// Since an edit, no path leads from the unit to the goal. Try again after the next
    /// edit.
    Unreachable,
}

/// A node on an abstract path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waypoint {
    /// The cell of the node.
    pub cell: Cell,
    /// The level of the hierarchy that knows the way to this node; 0 for a step from one
    /// cluster to the next, and for cells that are refined.
    pub level: u8,
}

impl Plan {
    /// Does the work of [`Planner::plan`].
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
        let mut plan = Self::unrouted(planner, query);
        let found = plan.search(planner, scratch);
        Ok(if found { Planned::Plan(plan) } else { Planned::Unreachable })
    }

    /// A plan without a route.
    fn unrouted(planner: &Planner, query: Query) -> Self {
        Self {
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
        }
    }

    /// One search from a goal for the plans of many units; `None` if the engine has no use for
    /// it.
    pub(super) fn spread(planner: &Planner, goal: Cell) -> Option<Spread> {
        legs::spread(planner, goal)
    }

    /// Makes a plan by such a search; `None` if it has to be made on its own, or there is none.
    pub(super) fn on_spread(
        planner: &Planner,
        spread: &Spread,
        query: Query,
        scratch: &mut Scratch,
    ) -> Option<Self> {
        let mut plan = Self::unrouted(planner, query);
        let is_open = planner.answer_at_once(query).is_none();
        (is_open && legs::plan_on(planner, spread, query, scratch, &mut plan.legs)).then_some(plan)
    }

    /// A plan of a query whose path is known, from the cell after its start on.
    pub(super) fn along(
        planner: &Planner,
        query: Query,
        cost: Cost,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Self {
        let cells = cells.into_iter().collect();
        Self { cells, cells_cost: cost, ..Self::unrouted(planner, query) }
    }
}

impl Plan {
    /// The cell of the unit.
    pub const fn position(&self) -> Cell {
        self.position
    }

    /// The goal.
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Number of times that a new route was searched, because of an edit or because the
    /// unit was moved.
    pub const fn replans(&self) -> u32 {
        self.replans
    }

    /// The refined cells ahead, in the order of the walk; with any-angle engines, the
    /// turning points. They may still change, if the map is edited or the next section
    /// shows a shorter way.
    pub fn refined(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().copied()
    }

    /// The abstract path ahead: the last refined cell, then the nodes up to the goal.
    pub fn waypoints(&self) -> impl Iterator<Item = Waypoint> {
        let refined = self.cells.back().map(|&cell| Waypoint { cell, level: 0 });
        let legs = self.legs.iter().rev().map(|leg| Waypoint { cell: leg.to(), level: leg.level() });
        let groups = self.groups.iter().flat_map(|groups| {
            let goal = Waypoint { cell: groups.plan.goal(), level: 0 };
            groups.ahead.iter().copied().chain([goal])
        });
        refined.into_iter().chain(legs).chain(groups)
    }

    /// Upper bound of the cost of the rest of the walk, unless the map is edited.
    ///
    /// With groups it is only an estimate: cells that are not refined yet count as if
    /// the map were empty there.
    pub fn cost(&self) -> Cost {
        let rest = self.groups.as_ref().map_or(Cost::ZERO, |groups| groups.rest);
        self.legs.iter().fold(self.cells_cost + rest, |sum, leg| sum + leg.cost())
    }

    /// Tells the plan that the unit is somewhere else: pushed aside, teleported, or still
    /// on its way along a leg.
    ///
    /// The next step starts from `position`. With any-angle engines it keeps the route
    /// if that is in sight, or if the present leg leads through `position` and is free
    /// from there on. Otherwise it searches a new route.
    pub fn stand_at(&mut self, position: Cell) {
        if self.position == position {
            return;
        }
        let has_route = !(self.cells.is_empty() && self.legs.is_empty()) || self.position == self.goal;
        if walks_legs(self.basis.key.engine) && has_route {
            // The unit may still be walking the leg that the last step began.
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

    /// Takes the next step on the present map of `planner`.
    ///
    /// # Complexity
    /// Usually O(1). Every few steps a section is refined; the first step after an edit
    /// checks the rest of the route.
    ///
    /// # Errors
    /// [`QueryError`] if the engine cannot work on the edited map, or if position or goal
    /// are not on the map of this planner.
    pub fn step(&mut self, planner: &Planner, scratch: &mut Scratch) -> Result<Step, QueryError> {
        if self.position == self.goal {
            return Ok(Step::Arrived);
        }
        scratch.paused = None; // refining overwrites a paused search
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
        if walks_legs(self.basis.key.engine) {
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
                if next == self.goal {
                    // An eager search may have found a path that comes here twice.
                    self.drop_route();
                }
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

    /// Searches a route from the position: an abstract path if the engine has a
    /// hierarchy. Returns whether there is one.
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

    /// Searches the whole route from the position. Returns whether there is one.
    fn search_whole(&mut self, planner: &Planner, scratch: &mut Scratch) -> bool {
        let query = Query::new(self.position, self.goal);
        let Ok(outcome) = planner.find(query, scratch) else { return false };
        let Some(route) = outcome.route() else { return false };
        if planner.engine() == Engine::Straight {
            self.cells.extend(&planner.grid().entered_cells(route.path().points())[1..]);
            self.cells_cost = cost_along(planner, self.position, &self.cells);
        } else {
            self.cells_cost = route.cost();
            self.cells.extend(route.path().turns().skip(1).filter_map(Point::cell));
        }
        true
    }

    /// Refines another section, and smooths it together with the refined cells ahead.
    fn refine(&mut self, planner: &Planner, scratch: &mut Scratch) {
        scratch.trail.restart(self.position);
        self.cells.iter().for_each(|&cell| scratch.trail.push_cell(cell));
        // The first section is short, because the unit stands still until it is known.
        let enough = if self.cells.is_empty() { LOW_WATER } else { SECTION };
        legs::refine(planner, self.goal, &mut self.legs, enough, scratch);
        self.cells.clear();
        self.cells.extend(&scratch.path[1..]);
        self.cells_cost = cost_along(planner, self.position, &self.cells);
    }

    /// Refines the next section through groups once the last one is walked.
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
            // No path is left, or the index was forged and opened on trust. A search that
            // does not use groups finds out.
            self.groups = None;
            self.search_whole(planner, scratch);
        } else if is_whole {
            self.groups = None;
        }
    }

    /// Any-angle paths: refines sections until the next leg ends at a turn of the path,
    /// or is long.
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

    /// Lets a unit that was moved rejoin its route: at one of the next turning points in
    /// sight, or along its present leg. Drops turning points that are skipped. Returns
    /// `false` if the unit cannot rejoin.
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

    /// Continues along the leg that the unit is on. Returns `false` if it cannot.
    ///
    /// Close to walls, the centre of a cell on a leg need not see the end of the leg.
    /// But the cells that the leg enters from there on are a path of steps.
    fn follow_leg(&mut self, grid: &Grid) -> bool {
        let Some(&end) = self.cells.front() else { return false };
        let leg = [self.before, end];
        let entered: Vec<Cell> =
            Grid::crossed_cells(&leg).skip_while(|&cell| cell != self.position).collect();
        let is_step = |step: &[Cell]| {
            step[0].direction_to(step[1]).is_some_and(|direction| grid.moves_at(step[0]).contains(direction))
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

    /// Whether the rest of the route still exists and costs no more. Looks only at what
    /// the edits since the last check may have changed.
    fn still_holds(&mut self, planner: &Planner, basis: Basis, scratch: &mut Scratch) -> bool {
        let grid = planner.grid();
        if basis.key != self.basis.key || !grid.is_free(self.position) {
            return false;
        }
        if self.moved && !self.rejoin(grid) {
            return false;
        }
        let since = self.basis.revision;
        let is_edited = |area: Rect| match grid.changes_since(since) {
            Some(mut edits) => edits.any(|edit| edit.meets(area)),
            None => true,
        };
        // A step beside an edited cell may cut its corner.
        let way = self.cells.iter().fold(Rect::from(self.position), |way, &cell| way.hull(cell.into()));
        let cells_hold = !is_edited(way.grown(1, grid.area())) || self.cells_hold(planner);
        let known = Some(since).filter(|&since| grid.changes_since(since).is_some());
        cells_hold && legs::hold(planner, self.goal, &mut self.legs, known, is_edited, scratch)
    }

    /// Whether the refined cells are still a path, and cost no more.
    fn cells_hold(&mut self, planner: &Planner) -> bool {
        let (grid, any_angle) = (planner.grid(), walks_legs(planner.engine()));
        let mut at = self.position;
        let legal = self.cells.iter().all(|&next| {
            let is_step = |direction| grid.moves_at(at).contains(direction);
            let legal = if any_angle {
                grid.line_of_sight(at, next)
            } else {
                at.direction_to(next).is_some_and(is_step)
            };
            at = next;
            legal
        });
        let cost = cost_along(planner, self.position, &self.cells);
        let holds = legal && (self.moved || cost <= self.cells_cost);
        self.cells_cost = cost;
        holds
    }
}

/// Whether the steps of a plan are legs from cell to cell. Those of `straight` may
/// bend at corners of cells, so its plans go through the cells that the path enters, step by step.
fn walks_legs(engine: Engine) -> bool {
    engine.is_any_angle() && engine != Engine::Straight
}

/// The cost of a step, or of an any-angle leg.
fn cost_between(planner: &Planner, at: Cell, next: Cell) -> Cost {
    if walks_legs(planner.engine()) { euclidean(at, next) } else { planner.grid().step_cost(at, next) }
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

//! Plans through links: the links are chosen at once, walks are planned as they begin.

use super::error::AtlasError;
use super::journey::Part;
use super::table::distance_to;
use super::tiles::{LinkId, Place};
use super::{Atlas, AtlasScratch, Between, MoverId};
use crate::base::crew::{MOST_THREADS, split};
use crate::base::{Cell, Cost};
use crate::route::{Plan, Planned, Query, Step};

/// A way through floors and links that is refined while a unit goes it.
///
/// [`Atlas::plan`] chooses the links; each walk is planned when it begins, and refined as by
/// [`Plan`]. So the first move is known after a fraction of the work.
///
/// Plans follow edits. The next step after an edit looks at what the edit may have changed of the
/// rest of the way: a link that is gone, an end where the mover no longer stands, a walk that
/// may cost something else. Only then links are chosen anew, from where the unit is.
///
/// # Guarantee
/// Every step is legal at the time of the step: a step of the mover's engine on its floor, or a link
/// that exists, that the mover may use, and at both ends of which it can stand.
///
/// # Example
/// ```
/// use farstride::Cost;
/// use farstride::atlas::*;
///
/// let mut tiles = TileMap::new();
/// let (hall, cellar) = (Floor::filled(40, 9, b'.')?, Floor::filled(40, 9, b'.')?);
/// let (hall, cellar) = (tiles.add_floor(hall)?, tiles.add_floor(cellar)?);
/// let stair = |x: u16| Link::new(Place::new(hall, (x, 4)), Place::new(cellar, (x, 4)), Cost::new(9000).unwrap());
/// let near = tiles.add_link(stair(10))?;
/// tiles.add_link(stair(30))?;
/// let mut atlas = Atlas::new(tiles)?;
/// let dwarf = atlas.add_mover(Mover::new().entering(b'.', 1))?;
///
/// let mut scratch = AtlasScratch::new();
/// let goal = Place::new(cellar, (1, 1));
/// let TripPlanned::Plan(mut plan) = atlas.plan(dwarf, Place::new(hall, (1, 1)), goal, &mut scratch)? else {
///     panic!("there is a way");
/// };
/// let mut links = 0;
/// loop {
///     match plan.step(&atlas, &mut scratch)? {
///         TripStep::Walk(place) if place.cell.x == 7 => {
///             atlas.edit(|tiles| tiles.remove_link(near)); // the plan turns to the other stair
///         }
///         TripStep::Link { .. } => links += 1,
///         TripStep::Arrived => break,
///         _ => {}
///     }
/// }
/// assert_eq!((plan.position(), links, plan.replans()), (goal, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TripPlan {
    mover: MoverId,
    position: Place,
    goal: Place,
    /// The walk that the unit is on.
    walk: Option<Box<Plan>>,
    /// What comes after it, in reverse order.
    parts: Vec<Part>,
    /// How many edits of the atlas the plan knows of.
    known: u64,
    replans: u32,
}

/// The outcome of [`Atlas::plan`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TripPlanned {
    /// There is a way, and this is its plan.
    Plan(TripPlan),
    /// Start and goal are the same place, and the mover can stand there.
    AlreadyThere,
    /// The mover cannot stand at the start.
    StartBlocked,
    /// The mover cannot stand at the goal.
    GoalBlocked,
    /// It can stand at both, and no way leads from the one to the other.
    Unreachable,
}

/// The outcome of [`TripPlan::step`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TripStep {
    /// Go to this place on the same floor. From now on the plan assumes that the unit is
    /// there.
    Walk(Place),
    /// Take a link, which leads to this place. The same holds.
    Link {
        /// The link.
        link: LinkId,
        /// Where it leads.
        to: Place,
    },
    /// The unit is at the goal.
    Arrived,
    /// Since an edit, no way leads from the unit to the goal. Try again after the next
    /// edit.
    Unreachable,
}

impl Atlas {
    /// Makes a plan: links are chosen, walks are planned when they begin.
    ///
    /// # Guarantee
    /// A plan is made exactly when there is a way.
    ///
    /// # Errors
    /// [`AtlasError`] if mover or places are not of this atlas.
    pub fn plan(
        &self,
        mover: MoverId,
        from: Place,
        to: Place,
        scratch: &mut AtlasScratch,
    ) -> Result<TripPlanned, AtlasError> {
        let state = self.state(mover)?;
        self.check(from)?;
        self.check(to)?;
        Ok(if !self.stands(state, from) {
            TripPlanned::StartBlocked
        } else if !self.stands(state, to) {
            TripPlanned::GoalBlocked
        } else if from == to {
            TripPlanned::AlreadyThere
        } else {
            let mut plan = TripPlan::unrouted(self, mover, (from, to));
            if plan.choose(self, scratch)? { TripPlanned::Plan(plan) } else { TripPlanned::Unreachable }
        })
    }

    /// Makes many plans on several threads; in the order of the ways, each from a place to a
    /// place.
    ///
    /// # Guarantee
    /// The plans are those of [`Atlas::plan`], with any number of threads.
    ///
    /// # Errors
    /// As [`Atlas::plan`], for the first that fails.
    pub fn plan_many(
        &self,
        mover: MoverId,
        ways: &[(Place, Place)],
        threads: usize,
    ) -> Result<Vec<TripPlanned>, AtlasError> {
        let part = ways.len().div_ceil(threads.clamp(1, MOST_THREADS)).max(1);
        let planned = split(ways.chunks(part), |ways| {
            let mut scratch = AtlasScratch::new();
            let plan = |&(from, to): &(Place, Place)| self.plan(mover, from, to, &mut scratch);
            ways.iter().map(plan).collect::<Vec<_>>()
        });
        planned.into_iter().flatten().collect()
    }

    /// Makes plans for many units that go to one place; in the order of the starts.
    ///
    /// Those that can only walk there are planned as by [`Planner::plan_group`](crate::Planner::plan_group): one search may serve
    /// all of them. The others, whose region has links, are planned one by one.
    ///
    /// # Guarantee
    /// A plan is made exactly when there is a way. The number of threads decides nothing.
    ///
    /// # Errors
    /// As [`Atlas::plan`], for the first that fails.
    ///
    /// # Example
    /// ```
    /// use farstride::atlas::*;
    ///
    /// let mut tiles = TileMap::new();
    /// let hall = tiles.add_floor(Floor::filled(100, 100, b'.')?)?;
    /// let mut atlas = Atlas::new(tiles)?;
    /// let dwarf = atlas.add_mover(Mover::new().entering(b'.', 1))?;
    /// let dwarves: Vec<Place> = (0..200).map(|at| Place::new(hall, (at % 100, at / 100))).collect();
    /// let plans = atlas.plan_group(dwarf, &dwarves, Place::new(hall, (50, 90)), 2)?;
    /// assert!(plans.iter().all(|plan| matches!(plan, TripPlanned::Plan(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_group(
        &self,
        mover: MoverId,
        starts: &[Place],
        goal: Place,
        threads: usize,
    ) -> Result<Vec<TripPlanned>, AtlasError> {
        let state = self.state(mover)?;
        starts.iter().chain([&goal]).try_for_each(|&place| self.check(place))?;
        let walks = |&start: &Place| {
            let between = self.regions_of(state, start, goal);
            start != goal && between.is_some_and(Between::is_without_links)
        };
        let (walkers, others): (Vec<Place>, Vec<Place>) = starts.iter().copied().partition(walks);
        let cells: Vec<Cell> = walkers.iter().map(|start| start.cell).collect();
        let planner = self.planner_of(state, goal.floor);
        // All cells are on the map. An engine that cannot work on it knows no way.
        let walks_planned = planner.plan_group(&cells, goal.cell, threads).unwrap_or_default();
        let mut walks_planned = walkers.iter().zip(walks_planned);
        let ways: Vec<(Place, Place)> = others.iter().map(|&start| (start, goal)).collect();
        let mut others_planned = self.plan_many(mover, &ways, threads)?.into_iter();
        let all = starts.iter().map(|start| {
            if !walks(start) {
                return others_planned.next().unwrap_or(TripPlanned::Unreachable);
            }
            match walks_planned.next() {
                Some((&start, Planned::Plan(walk))) => {
                    let walk = Some(Box::new(walk));
                    TripPlanned::Plan(TripPlan { walk, ..TripPlan::unrouted(self, mover, (start, goal)) })
                }
                _ => TripPlanned::Unreachable,
            }
        });
        Ok(all.collect())
    }
}

impl TripPlan {
    /// A plan without a way.
    fn unrouted(atlas: &Atlas, mover: MoverId, (position, goal): (Place, Place)) -> Self {
        let known = atlas.history.count();
        Self { mover, position, goal, walk: None, parts: Vec::new(), known, replans: 0 }
    }

    /// The place of the unit.
    pub const fn position(&self) -> Place {
        self.position
    }

    /// The goal.
    pub const fn goal(&self) -> Place {
        self.goal
    }

    /// Number of times that other links or walks were chosen because of edits, or because the unit was
    /// moved.
    pub const fn replans(&self) -> u32 {
        self.replans
    }

    /// The links ahead, in the order of the way.
    pub fn links(&self) -> impl Iterator<Item = LinkId> {
        self.parts.iter().rev().filter_map(|part| match *part {
            Part::Link(link) => Some(link),
            Part::Walk { .. } => None,
        })
    }

    /// What the rest of the way is thought to cost: exact with an engine that finds shortest
    /// paths, unless the world is edited.
    pub fn cost(&self, atlas: &Atlas) -> Cost {
        let link_cost = |link| atlas.tiles().link(link).map_or(Cost::ZERO, |link| link.cost);
        let walk = self.walk.as_ref().map_or(Cost::ZERO, |plan| plan.cost());
        self.parts.iter().fold(walk, |sum, part| {
            sum + match *part {
                Part::Walk { cost, .. } => cost,
                Part::Link(link) => link_cost(link),
            }
        })
    }

    /// Tells the plan that the unit is somewhere else. The next step starts from there.
    ///
    /// # Errors
    /// [`AtlasError::Outside`] if the place is not of this atlas.
    pub fn stand_at(&mut self, atlas: &Atlas, position: Place) -> Result<(), AtlasError> {
        atlas.check(position)?;
        if position != self.position {
            self.position = position;
            self.drop_route();
        }
        Ok(())
    }

    /// Goes one step on: from cell to cell, or through a link.
    ///
    /// Asks the atlas that made the plan, or one made from it by edits. After an edit the plan is
    /// checked first.
    ///
    /// # Errors
    /// [`AtlasError`] if mover or places are not of this atlas.
    pub fn step(&mut self, atlas: &Atlas, scratch: &mut AtlasScratch) -> Result<TripStep, AtlasError> {
        let state = atlas.state(self.mover)?;
        atlas.check(self.position)?;
        atlas.check(self.goal)?;
        if self.position == self.goal {
            return Ok(TripStep::Arrived);
        }
        let is_known = self.known == atlas.history.count();
        let has_route = self.walk.is_some() || !self.parts.is_empty();
        if !has_route || !is_known && !self.is_untouched(atlas) {
            self.known = atlas.history.count();
            if !atlas.stands(state, self.position) || !self.choose_again(atlas, scratch)? {
                self.drop_route();
                return Ok(TripStep::Unreachable);
            }
        }
        self.known = atlas.history.count();
        // A walk may turn out to be cut: then links are chosen again, once.
        for _ in 0..2 {
            if let Some(step) = self.go_on(atlas, scratch) {
                return Ok(step);
            }
            self.replans += 1;
            if !self.choose(atlas, scratch)? {
                break;
            }
        }
        self.drop_route();
        Ok(TripStep::Unreachable)
    }

    fn drop_route(&mut self) {
        self.walk = None;
        self.parts.clear();
    }

    /// Chooses the way from the position on. Returns whether there is one.
    fn choose(&mut self, atlas: &Atlas, scratch: &mut AtlasScratch) -> Result<bool, AtlasError> {
        self.drop_route();
        let state = atlas.state(self.mover)?;
        let Some(between) = atlas.regions_of(state, self.position, self.goal) else { return Ok(false) };
        if between.is_without_links() {
            // Nothing to choose: what the walk costs need not be known before it is planned.
            self.walk = self.plan_walk(atlas, self.goal, scratch);
            return Ok(self.walk.is_some());
        }
        let found = atlas.choose_links(state, (self.position, self.goal), between, scratch);
        if found {
            self.parts.extend(scratch.parts.iter().rev());
        }
        Ok(found)
    }

    /// Plans a walk from the position to a place on its floor.
    fn plan_walk(&self, atlas: &Atlas, to: Place, scratch: &mut AtlasScratch) -> Option<Box<Plan>> {
        let state = atlas.state(self.mover).ok()?;
        let planner = atlas.planner_of(state, self.position.floor);
        let query = Query::new(self.position.cell, to.cell);
        match planner.plan(query, &mut scratch.from_start) {
            Ok(Planned::Plan(plan)) => Some(Box::new(plan)),
            _ => None,
        }
    }

    /// The same after an edit. If nothing comes out differently, the walk that has begun goes on.
    fn choose_again(&mut self, atlas: &Atlas, scratch: &mut AtlasScratch) -> Result<bool, AtlasError> {
        let between = atlas.regions_of(atlas.state(self.mover)?, self.position, self.goal);
        let is_only_walk = self.parts.is_empty() && self.walk.is_some();
        if is_only_walk && between.is_some_and(Between::is_without_links) {
            // There is nothing else, and plans of walks follow edits by themselves.
            return Ok(true);
        }
        let (walk, parts) = (self.walk.take(), std::mem::take(&mut self.parts));
        if !self.choose(atlas, scratch)? {
            self.replans += 1;
            return Ok(false);
        }
        // Costs may differ: the way is the same if its places and links are.
        let is_same = |(a, b): (&Part, &Part)| match (*a, *b) {
            (Part::Walk { from, to, .. }, Part::Walk { from: old_from, to: old_to, .. }) => {
                (from, to) == (old_from, old_to)
            }
            (a, b) => a == b,
        };
        let goes_on = match (&walk, self.parts.last()) {
            (Some(plan), Some(Part::Walk { to, .. })) => to.cell == plan.goal(),
            (Some(_), _) => false,
            (None, _) => true,
        };
        let rest = self.parts.len() - usize::from(goes_on && walk.is_some());
        if goes_on && rest == parts.len() && self.parts.iter().zip(&parts).all(is_same) {
            self.parts.truncate(rest);
            self.walk = walk;
        } else {
            self.replans += 1;
        }
        Ok(true)
    }

    /// Makes the next step of the way; `None` if a part of it is no longer there.
    fn go_on(&mut self, atlas: &Atlas, scratch: &mut AtlasScratch) -> Option<TripStep> {
        let state = atlas.state(self.mover).ok()?;
        let planner = atlas.planner_of(state, self.position.floor);
        if self.walk.is_none() {
            match self.parts.pop()? {
                Part::Link(link) => {
                    let to = self.through(atlas, link)?;
                    self.position = to;
                    return Some(TripStep::Link { link, to });
                }
                Part::Walk { to, .. } => self.walk = Some(self.plan_walk(atlas, to, scratch)?),
            }
        }
        let plan = self.walk.as_mut()?;
        let Ok(Step::To(cell)) = plan.step(planner, &mut scratch.from_start) else { return None };
        if cell == plan.goal() {
            self.walk = None;
        }
        self.position.cell = cell;
        Some(TripStep::Walk(self.position))
    }

    /// Where a link leads from the position; `None` if the mover cannot take it.
    fn through(&self, atlas: &Atlas, link: LinkId) -> Option<Place> {
        let (state, link) = (atlas.state(self.mover).ok()?, atlas.tiles().link(link)?);
        let to = if link.from == self.position { link.to } else { link.from };
        let leads = link.from == self.position || link.two_way && link.to == self.position;
        (leads && state.mover.uses(link.kind) && atlas.stands(state, to)).then_some(to)
    }

    /// Whether no edit since the last step can have changed what is ahead.
    fn is_untouched(&self, atlas: &Atlas) -> bool {
        let (Ok(state), Some(mut changes)) = (atlas.state(self.mover), atlas.history.since(self.known))
        else {
            return false;
        };
        let grid = atlas.planner_of(state, self.position.floor).grid();
        let walk = self.walk.as_ref().map(|plan| {
            let to = Place { floor: self.position.floor, cell: plan.goal() };
            Part::Walk { from: self.position, to, cost: plan.cost() }
        });
        let rules = grid.rules();
        changes.all(|change| {
            let Some((floor, area)) = change else { return false };
            let area = state.mover.touched(area);
            let bounds = atlas.planner_of(state, floor).grid().area();
            let around = area.grown(1, bounds);
            self.parts.iter().chain(&walk).all(|part| match *part {
                // A way by this area is longer than the walk, so the walk does not come by.
                Part::Walk { from, to, cost } => {
                    from.floor != floor
                        || distance_to(rules, from.cell, around) + distance_to(rules, to.cell, around) > cost
                }
                Part::Link(link) => atlas.tiles().link(link).is_some_and(|link| {
                    [link.from, link.to].iter().all(|end| end.floor != floor || !area.contains(end.cell))
                }),
            })
        })
    }
}

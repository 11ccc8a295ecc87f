//! The nearest of many places, through floors and links.
//!
//! First the floor of the start is searched, on foot. How far its goals are bounds the rest: the
//! costs to link ends (`Ways`), and then, floor by floor, the nearest first, the goals around the
//! ends that were reached. A floor is searched in all directions at once; where costs are looked
//! up, goals are tried in the order of lower bounds.

use super::error::AtlasError;
use super::net::{Net, write_offsets};
use super::state::MoverState;
use super::table::TableScratch;
use super::tiles::{FloorId, Place};
use super::trip::TripOutcome;
use super::{Atlas, AtlasScratch, MoverId};
use crate::base::{Cell, Cost};
use crate::graph::{Graph, NodeId, UniformGrid, WeightedGrid};
use crate::route::{AnyOf, CostsFrom, Planner, Reach, Scratch, looks_up};
use crate::search::{HeapQueue, Memory, Problem, SearchStatus, WideQueue};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Memory for the nearest of many places.
#[derive(Debug, Default)]
pub(super) struct NearestScratch {
    /// The positions of the goals, floor by floor, and where each floor begins.
    by_floor: Vec<u32>,
    first: Vec<u32>,
    /// Where a floor is entered and at what cost, the cheapest first.
    entered: Vec<(Cost, Cell)>,
    /// Costs of walks from the start to the ends of its floor.
    on_foot: Vec<Option<Cost>>,
    /// Which ends have their final cost.
    closed: Vec<bool>,
    /// Floors with goals, and what getting there costs.
    floors: Vec<(Cost, FloorId)>,
    /// Goals by lower bounds of their costs.
    waiting: BinaryHeap<Reverse<(Cost, u32)>>,
    flood: Memory<WideQueue>,
    marks: Vec<u64>,
    met: Vec<Cell>,
}

/// The best goal so far: its cost and its position.
type Best = Option<(Cost, usize)>;

/// What the best goal costs, or more than any.
fn most(best: Best) -> Cost {
    best.map_or(Cost::MAX, |(cost, _)| cost)
}

impl Atlas {
    /// Finds the way to the nearest of some places: the one that costs least to reach, the
    /// first of equals, with its position. `None` if the mover cannot stand at the start or none can be reached.
    ///
    /// One search, not a query per goal. The goal is chosen by the costs of shortest paths, whatever the
    /// engine (with any-angle engines, of paths of steps); the way to it is the engine's.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    ///
    /// # Errors
    /// [`AtlasError`] if mover or places are not of this atlas.
    ///
    /// # Example
    /// ```
    /// use farstride::Cost;
    /// use farstride::atlas::{Atlas, AtlasScratch, Floor, Link, Mover, Place, TileMap};
    ///
    /// let mut tiles = TileMap::new();
    /// let hall = tiles.add_floor(Floor::filled(20, 9, b'.')?)?;
    /// let cellar = tiles.add_floor(Floor::filled(20, 9, b'.')?)?;
    /// let stair = Cost::new(10_000)?; // about two steps
    /// tiles.add_link(Link::new(Place::new(hall, (3, 3)), Place::new(cellar, (3, 3)), stair))?;
    /// let mut atlas = Atlas::new(tiles)?;
    /// let dwarf = atlas.add_mover(Mover::new().entering(b'.', 1))?;
    ///
    /// let barrels = [Place::new(hall, (15, 3)), Place::new(cellar, (5, 4)), Place::new(cellar, (9, 8))];
    /// let mut scratch = AtlasScratch::new();
    /// let found = atlas.nearest(dwarf, Place::new(hall, (2, 2)), &barrels, &mut scratch)?;
    /// let (which, outcome) = found.expect("all can be reached");
    /// assert_eq!(which, 1);
    /// assert_eq!(outcome.trip().unwrap().links().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest<'s>(
        &self,
        mover: MoverId,
        from: Place,
        goals: &[Place],
        scratch: &'s mut AtlasScratch,
    ) -> Result<Option<(usize, TripOutcome<'s>)>, AtlasError> {
        let state = self.state(mover)?;
        [from].iter().chain(goals).try_for_each(|&place| self.check(place))?;
        if !self.stands(state, from) {
            return Ok(None);
        }
        match self.nearest_of(state, from, goals, scratch) {
            Some((_, at)) => Ok(Some((at, self.find(mover, from, goals[at], scratch)?))),
            None => Ok(None),
        }
    }

    fn nearest_of(
        &self,
        state: &MoverState,
        from: Place,
        goals: &[Place],
        scratch: &mut AtlasScratch,
    ) -> Best {
        let net = self.net(state);
        let AtlasScratch { from_start, from_goal, search, work, nearest, .. } = scratch;
        net.settle(|floor| self.planner_of(state, floor), &mut work.table);
        sort_by_floor(goals, self.tiles.floor_count(), nearest);
        let here = self.planner_of(state, from.floor);
        nearest.entered.clear();
        nearest.entered.push((Cost::ZERO, from.cell));
        let mut best = on_floor(here, (from.floor, goals), None, nearest, from_start);
        self.walk_to_ends(state, from, most(best), nearest, from_start);
        if nearest.on_foot.iter().all(Option::is_none) {
            return best;
        }
        let NearestScratch { closed, on_foot, .. } = &mut *nearest;
        closed.clear();
        closed.resize(net.end_count(), false);
        let around = RefCell::new(Around { closed, table: &mut work.table });
        let ways = Ways { atlas: self, state, net, floor: from.floor, on_foot, around };
        ways.follow(most(best), search);
        nearest.floors.clear();
        for (floor, _) in self.tiles.floors() {
            let has_goals = nearest.first[floor.index()] < nearest.first[floor.index() + 1];
            let costs = net.ends_on(floor).filter_map(|end| search.cost(end));
            if let Some(least) = costs.min().filter(|_| has_goals) {
                nearest.floors.push((least, floor));
            }
        }
        nearest.floors.sort_unstable();
        for at in 0..nearest.floors.len() {
            let (least, floor) = nearest.floors[at];
            if least > most(best) {
                break;
            }
            nearest.entered.clear();
            for end in net.ends_on(floor) {
                let Some(cost) = search.cost(end).filter(|&cost| cost <= most(best)) else { continue };
                // On the floor of the start only a way by links can be better than on foot.
                let walk = (floor == from.floor).then(|| nearest.on_foot[end - net.ends_on(floor).start]);
                if walk.flatten().is_none_or(|walk| cost < walk) {
                    nearest.entered.push((cost, net.end(end).cell));
                }
            }
            nearest.entered.sort_unstable();
            best = on_floor(self.planner_of(state, floor), (floor, goals), best, nearest, from_goal);
        }
        best
    }

    /// Writes the costs of walks from the start to the ends of its floor, up to `most`. If the floor
    /// was searched, they are known.
    fn walk_to_ends(
        &self,
        state: &MoverState,
        from: Place,
        most: Cost,
        scratch: &mut NearestScratch,
        query: &mut Scratch,
    ) {
        let (net, planner) = (self.net(state), self.planner_of(state, from.floor));
        let NearestScratch { on_foot, flood, .. } = scratch;
        on_foot.clear();
        let (grid, cells) = (planner.grid(), net.cells_on(from.floor).iter());
        if looks_up(planner) {
            let mut costs = CostsFrom::new(planner, from.cell, cells.len(), query);
            let near = |cell: Cell| grid.rules().distance(from.cell, cell) <= most;
            on_foot.extend(cells.map(|&cell| near(cell).then(|| costs.cost(cell)).flatten()));
        } else {
            on_foot.extend(cells.map(|&cell| flood.cost(grid.index(cell))));
        }
        for cost in on_foot {
            *cost = cost.filter(|&cost| cost <= most);
        }
    }
}

/// Lists the goals of each floor.
fn sort_by_floor(goals: &[Place], floors: usize, scratch: &mut NearestScratch) {
    let NearestScratch { by_floor, first, .. } = scratch;
    write_offsets(floors, goals.iter().map(|goal| u32::from(goal.floor.0)), first);
    by_floor.clear();
    by_floor.resize(goals.len(), 0);
    for (at, goal) in goals.iter().enumerate() {
        let next = &mut first[goal.floor.index()];
        by_floor[*next as usize] = at as u32;
        *next += 1;
    }
    // Each beginning has moved on to that of the next floor.
    first.rotate_right(1);
    first[0] = 0;
}

/// Finds a goal of a floor that is better than the best so far, given where the floor is entered.
fn on_floor(
    planner: &Planner,
    (floor, goals): (FloorId, &[Place]),
    best: Best,
    scratch: &mut NearestScratch,
    query: &mut Scratch,
) -> Best {
    if looks_up(planner) {
        return looked_up(planner, (floor, goals), best, scratch, query);
    }
    let NearestScratch { by_floor, first, entered, flood, marks, met, .. } = scratch;
    let here = &by_floor[first[floor.index()] as usize..first[floor.index() + 1] as usize];
    let cells = || here.iter().map(|&at| goals[at as usize].cell);
    let grid = planner.grid();
    let any = AnyOf::mark(grid, cells(), marks);
    let from = entered.iter().copied();
    let found = if grid.is_uniform() {
        any.meet(&UniformGrid(grid), from, most(best), flood, met)
    } else {
        any.meet(&WeightedGrid(grid), from, most(best), flood, met)
    };
    any.unmark(cells());
    let Some(cost) = found else { return best };
    // Goals are listed in their order, so this is the first of equals.
    let at = here.iter().find(|&&at| met.contains(&goals[at as usize].cell));
    at.map(|&at| (cost, at as usize)).into_iter().chain(best).min()
}

/// The same where costs are looked up.
fn looked_up(
    planner: &Planner,
    (floor, goals): (FloorId, &[Place]),
    mut best: Best,
    scratch: &mut NearestScratch,
    query: &mut Scratch,
) -> Best {
    let NearestScratch { by_floor, first, entered, waiting, .. } = scratch;
    let here = &by_floor[first[floor.index()] as usize..first[floor.index() + 1] as usize];
    let (grid, rules) = (planner.grid(), planner.grid().rules());
    let bound = |cell: Cell| entered.iter().map(move |&(cost, at)| cost + rules.distance(at, cell)).min();
    let bounds = here.iter().filter_map(|&at| Some(Reverse((bound(goals[at as usize].cell)?, at))));
    let mut heap = std::mem::take(waiting).into_vec();
    heap.clear();
    heap.extend(bounds.filter(|Reverse((bound, _))| *bound <= most(best)));
    *waiting = heap.into();
    while let Some(Reverse((bound, at))) = waiting.pop()
        && bound <= most(best)
    {
        let goal = goals[at as usize].cell;
        if !grid.is_free(goal) {
            continue;
        }
        let mut to_goal = CostsFrom::new(planner, goal, 1, query);
        for &(cost, from) in &*entered {
            if cost + rules.distance(from, goal) <= most(best)
                && let Some(walk) = to_goal.cost(from)
            {
                best = Some((cost + walk, at as usize)).into_iter().chain(best).min();
            }
        }
    }
    best
}

/// The costs from a start to all link ends, as a graph: a node for the start, one for each end, and one for
/// each walk between ends whose cost is not known yet. Such a walk is entered at its lower bound
/// and asked for only if its end is not closed by then.
struct Ways<'a> {
    atlas: &'a Atlas,
    state: &'a MoverState,
    net: &'a Net,
    floor: FloorId,
    on_foot: &'a [Option<Cost>],
    around: RefCell<Around<'a>>,
}

struct Around<'a> {
    closed: &'a mut [bool],
    table: &'a mut TableScratch,
}

impl Ways<'_> {
    /// Expansions between two looks how far the search has come.
    const SLICE: u64 = 16;

    /// Finds all costs up to `most`.
    fn follow(&self, most: Cost, memory: &mut Memory<HeapQueue>) {
        let problem = Problem::everywhere(self);
        problem.begin(NodeId::new(self.net.end_count() as u32), memory, &mut ());
        let mut reach = Reach(Cost::ZERO);
        while reach.0 <= most && problem.advance(memory, Self::SLICE, &mut reach) == SearchStatus::Paused {}
    }

    /// Whether the cost of an end is final.
    fn is_closed(&self, end: usize) -> bool {
        self.around.borrow().closed[end]
    }
}

impl Graph for Ways<'_> {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        self.net.end_count() + 1 + self.net.walk_count()
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let (net, number) = (self.net, node.index());
        let start = net.end_count();
        let node = |number: usize| NodeId::new(number as u32);
        if number == start {
            for (end, cost) in net.ends_on(self.floor).zip(self.on_foot) {
                if let Some(cost) = *cost {
                    visit(node(end), cost);
                }
            }
            return;
        }
        if number > start {
            let (from, to) = net.ends_of_walk(number - start - 1);
            if !self.is_closed(to) {
                let floor = net.end(from).floor;
                let ends = (from - net.ends_on(floor).start, to - net.ends_on(floor).start);
                let (table, planner) = (net.table(floor), self.atlas.planner_of(self.state, floor));
                let bound = table.bound(ends.0, ends.1);
                let scratch = &mut *self.around.borrow_mut().table;
                if let Some(cost) = table.cost(planner, net.cells_on(floor), ends, scratch) {
                    visit(node(to), cost.less(bound));
                }
            }
            return;
        }
        self.around.borrow_mut().closed[number] = true;
        for exit in net.exits(number) {
            visit(node(exit.to as usize), exit.cost);
        }
        let floor = net.end(number).floor;
        let (table, first) = (net.table(floor), net.ends_on(floor).start);
        for (other, known) in net.ends_on(floor).zip(table.row(number - first)) {
            if other == number || net.region(other) != net.region(number) {
                continue;
            }
            if let Some(cost) = known {
                visit(node(other), cost);
            } else if !self.is_closed(other) {
                let walk = start + 1 + net.walk(floor, number, other);
                visit(node(walk), table.bound(number - first, other - first));
            }
        }
    }
}

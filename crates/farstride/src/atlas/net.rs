//! The links of one mover: their ends, the regions these lie in, which region leads to
//! which, and what walking from end to end costs.

use super::far::Far;
use super::mover::Mover;
use super::table::{Table, TableScratch, WHOLE};
use super::tiles::{FloorId, Link, LinkId, Place, TileMap};
use crate::base::{Cell, Cost, Rect};
use crate::grid::Rules;
use crate::route::Planner;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::OnceLock;

/// A way out of a link end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) cost: Cost,
    pub(super) link: LinkId,
}

/// # Invariants
/// 1. `ends` holds the two places of every link that the mover may use and at both ends
///    of which it can stand, sorted, each once.
/// 2. `exits` holds these links by the numbers of their ends, sorted by `from`, then `to`
///    and link; two-way links in both directions. `entries` is the same sorted by `to`.
/// 3. Two ends have the same entry of `regions` exactly if they lie in one region of one
///    floor. Regions are numbered in the order of their first ends.
/// 4. Bit `b` of row `a` of `leads` is set exactly if links lead from region `a` to region `b`.
/// 5. `tables` holds a table for each floor, of its ends in their order.
#[derive(Debug)]
pub(super) struct Net {
    ends: Vec<Place>,          // (1)
    cells: Vec<Cell>,          // the cells of `ends`
    floors: Vec<Range<usize>>, // the ends of each floor
    exits: Vec<Exit>,          // (2)
    first_exit: Vec<u32>,      // where the exits of each end begin
    entries: Vec<Exit>,        // (2)
    first_entry: Vec<u32>,
    regions: Vec<u32>, // (3)
    /// For each floor, its regions with ends: what the grid calls them, and their number.
    numbers: Vec<Vec<(u32, u32)>>,
    leads: Leads,       // (4)
    tables: Vec<Table>, // (5)
    /// How many ordered pairs of ends there are on the floors before each, and on all.
    first_walk: Vec<usize>,
    /// Cells of a straight line in the world cost at least this much of their distance, in
    /// 1024ths, whether walked or saved by links.
    scale: u64,
    hops: Hops,
    /// Costs between all ends; there once the mover was prepared.
    far: OnceLock<Option<Far>>,
}

impl Net {
    /// The net of a mover; `planners` are those of all floors.
    pub(super) fn build(tiles: &TileMap, mover: &Mover, planners: &[&Planner]) -> Self {
        let mut net = Self {
            ends: Vec::new(),
            cells: Vec::new(),
            floors: vec![0..0; planners.len()],
            exits: Vec::new(),
            first_exit: Vec::new(),
            entries: Vec::new(),
            first_entry: Vec::new(),
            regions: Vec::new(),
            numbers: Vec::new(),
            leads: Leads::default(),
            tables: planners.iter().map(|_| Table::default()).collect(),
            first_walk: Vec::new(),
            scale: FULL,
            hops: Hops::default(),
            far: OnceLock::new(),
        };
        net.collect_links(tiles, mover, planners);
        net
    }

    /// Follows edits: `changed` lists areas of floors whose cells changed for this mover.
    pub(super) fn follow(
        &mut self,
        tiles: &TileMap,
        mover: &Mover,
        planners: &[&Planner],
        changed: &[(FloorId, Rect)],
        links_changed: bool,
    ) {
        for &(floor, area) in changed {
            self.tables[floor.index()].note(area);
        }
        if self.share() < WORTH_KEEPING {
            self.far.take();
        }
        let touches = |place: Place| {
            changed.iter().any(|&(floor, area)| floor == place.floor && area.contains(place.cell))
        };
        let ends_may_differ = links_changed
            || self.floors.len() != planners.len()
            || tiles.links().any(|(_, link)| touches(link.from) || touches(link.to));
        if ends_may_differ {
            self.collect_links(tiles, mover, planners);
        } else {
            self.number_regions(planners);
        }
    }

    /// Collects the links that the mover may use; keeps what is known about old ends.
    fn collect_links(&mut self, tiles: &TileMap, mover: &Mover, planners: &[&Planner]) {
        let stands = |place: Place| planners[place.floor.index()].grid().is_free(place.cell);
        let usable = || {
            tiles.links().filter(|(_, link)| mover.uses(link.kind) && stands(link.from) && stands(link.to))
        };
        let mut ends: Vec<Place> = usable().flat_map(|(_, link)| [link.from, link.to]).collect();
        ends.sort_unstable();
        ends.dedup();
        let number = |place: Place| ends.partition_point(|&end| end < place) as u32;
        let old_exits = std::mem::take(&mut self.exits);
        self.scale = FULL;
        for (id, link) in usable() {
            let exit = Exit { from: number(link.from), to: number(link.to), cost: link.cost, link: id };
            self.exits.push(exit);
            if link.two_way {
                self.exits.push(Exit { from: exit.to, to: exit.from, ..exit });
            }
            self.scale = self.scale.min(scale(tiles, mover.rules(), &link));
        }
        // Rounded up here and down in bounds, so that these stay lower bounds.
        let share =
            |link: &Link| gap(tiles, mover.rules(), link).units().saturating_mul(self.scale).div_ceil(FULL);
        let surplus = |link: Link| link.cost.less(Cost::from_units(share(&link)));
        let least = usable().map(|(_, link)| surplus(link)).min();
        let ways =
            self.exits.iter().map(|exit| (ends[exit.from as usize].floor, ends[exit.to as usize].floor));
        self.hops = Hops::count(planners.len(), least.unwrap_or_default(), ways);
        self.exits.sort_unstable_by_key(|exit| (exit.from, exit.to, exit.link));
        if (&ends, &self.exits) != (&self.ends, &old_exits) {
            self.far.take();
        }
        self.entries.clone_from(&self.exits);
        self.entries.sort_unstable_by_key(|exit| (exit.to, exit.from, exit.link));
        self.first_exit = offsets(ends.len(), self.exits.iter().map(|exit| exit.from));
        self.first_entry = offsets(ends.len(), self.entries.iter().map(|exit| exit.to));
        self.move_tables(ends, mover.rules(), planners.len());
        self.number_regions(planners);
    }

    fn move_tables(&mut self, ends: Vec<Place>, rules: Rules, floor_count: usize) {
        let cells: Vec<Cell> = ends.iter().map(|end| end.cell).collect();
        let first = |floor: usize| ends.partition_point(|end| end.floor.index() < floor);
        let floors: Vec<Range<usize>> =
            (0..floor_count).map(|floor| first(floor)..first(floor + 1)).collect();
        self.tables.resize_with(floor_count, Table::default);
        for (floor, range) in floors.iter().enumerate() {
            let old = self.floors.get(floor).map_or(&[][..], |range| &self.cells[range.clone()]);
            if *old != cells[range.clone()] {
                self.tables[floor] = self.tables[floor].moved(old, rules, &cells[range.clone()]);
            }
        }
        (self.ends, self.cells, self.floors) = (ends, cells, floors);
        self.first_walk.clear();
        let mut walks = 0;
        for range in &self.floors {
            self.first_walk.push(walks);
            walks += range.len() * range.len();
        }
        self.first_walk.push(walks);
    }

    /// Numbers the regions of the ends, and finds which lead to which.
    fn number_regions(&mut self, planners: &[&Planner]) {
        let mut numbers = vec![Vec::new(); self.floors.len()];
        let mut regions = Vec::with_capacity(self.ends.len());
        let mut count = 0;
        for (floor, range) in self.floors.iter().enumerate() {
            let known: &mut Vec<(u32, u32)> = &mut numbers[floor];
            for &cell in &self.cells[range.clone()] {
                // Ends are free, so they have a region.
                let name = planners[floor].grid().region(cell).unwrap_or(u32::MAX);
                let number = known.iter().find(|(known, _)| *known == name).map(|&(_, number)| number);
                regions.push(number.unwrap_or_else(|| {
                    known.push((name, count));
                    count += 1;
                    count - 1
                }));
            }
            known.sort_unstable();
        }
        self.numbers = numbers;
        let arcs: Vec<(u32, u32)> =
            self.exits.iter().map(|exit| (regions[exit.from as usize], regions[exit.to as usize])).collect();
        self.regions = regions;
        self.leads.follow(count as usize, arcs);
    }

    pub(super) const fn end_count(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn end(&self, end: usize) -> Place {
        self.ends[end]
    }

    /// The ends on a floor.
    pub(super) fn ends_on(&self, floor: FloorId) -> Range<usize> {
        self.floors[floor.index()].clone()
    }

    /// The cells of the ends on a floor.
    pub(super) fn cells_on(&self, floor: FloorId) -> &[Cell] {
        &self.cells[self.ends_on(floor)]
    }

    /// What walking between ends of a floor costs.
    pub(super) fn table(&self, floor: FloorId) -> &Table {
        &self.tables[floor.index()]
    }

    /// Forgets what edits may have changed of the walks between ends.
    pub(super) fn settle<'p>(&self, planner: impl Fn(FloorId) -> &'p Planner, scratch: &mut TableScratch) {
        for (number, table) in self.tables.iter().enumerate() {
            let floor = FloorId(number as u16);
            table.settle(planner(floor).grid(), self.cells_on(floor), scratch);
        }
    }

    /// Finds the costs between all ends, if they are not known; all walks must be.
    pub(super) fn look_far(&self) {
        self.far.get_or_init(|| {
            self.tables.iter().for_each(Table::pin);
            Far::build(self)
        });
    }

    /// The costs between all ends as they once were, and what is left of them at least.
    pub(super) fn far(&self) -> Option<(&Far, u64)> {
        let share = self.share();
        self.far.get()?.as_ref().filter(|_| share > 0).map(|far| (far, share))
    }

    /// What is left at least of the costs between ends that were found, in [`WHOLE`]ths.
    fn share(&self) -> u64 {
        self.tables.iter().map(Table::share).min().unwrap_or(WHOLE)
    }

    /// The links out of an end.
    pub(super) fn exits(&self, end: usize) -> &[Exit] {
        &self.exits[self.first_exit[end] as usize..self.first_exit[end + 1] as usize]
    }

    /// The links into an end.
    pub(super) fn entries(&self, end: usize) -> &[Exit] {
        &self.entries[self.first_entry[end] as usize..self.first_entry[end + 1] as usize]
    }

    /// The number of walks between ends of one floor, each way and from an end to itself.
    pub(super) fn walk_count(&self) -> usize {
        self.first_walk.last().copied().unwrap_or(0)
    }

    /// The number of the walk between two ends of a floor.
    pub(super) fn walk(&self, floor: FloorId, from: usize, to: usize) -> usize {
        let ends = self.ends_on(floor);
        self.first_walk[floor.index()] + (from - ends.start) * ends.len() + to - ends.start
    }

    /// The ends of a walk, by its number.
    pub(super) fn ends_of_walk(&self, walk: usize) -> (usize, usize) {
        let floor = self.first_walk.partition_point(|&first| first <= walk) - 1;
        let ends = self.floors[floor].clone();
        let within = walk - self.first_walk[floor];
        (ends.start + within / ends.len(), ends.start + within % ends.len())
    }

    /// The region of an end.
    pub(super) fn region(&self, end: usize) -> u32 {
        self.regions[end]
    }

    /// The number of a region by what its grid calls it; `None` if no link ends there.
    pub(super) fn region_named(&self, floor: FloorId, name: u32) -> Option<u32> {
        let known = &self.numbers[floor.index()];
        known.binary_search_by_key(&name, |&(name, _)| name).ok().map(|at| known[at].1)
    }

    /// Whether links lead from a region to another, or they are the same.
    pub(super) fn leads(&self, from: u32, to: u32) -> bool {
        self.leads.leads(from as usize, to as usize)
    }

    /// A lower bound of the cost of a way from floor to floor that covers this distance on an
    /// empty plane. Links are charged the distance they cover, and besides at least what the
    /// cheapest of them costs above that.
    pub(super) fn bound(&self, distance: Cost, from: FloorId, to: FloorId) -> Cost {
        bound_of(distance, self.scale) + self.hops.cost(from, to)
    }

    /// Everything that has to be the same however the net was made.
    pub(super) fn describe(&self, mut note: impl FnMut(u64)) {
        for (end, &region) in self.ends.iter().zip(&self.regions) {
            note(u64::from(end.floor.0) << 32 | u64::from(end.cell.y) << 16 | u64::from(end.cell.x));
            note(region.into());
        }
        for exit in &self.exits {
            note(u64::from(exit.from) << 32 | u64::from(exit.to));
            note(exit.cost.units());
            note(exit.link.0.into());
        }
        self.leads.bits.iter().for_each(|&bits| note(bits));
        note(self.scale);
    }
}

/// With less left of the costs between all ends, edits give them up, so that
/// [`Atlas::prepare`](super::Atlas::prepare) finds them anew.
const WORTH_KEEPING: u64 = WHOLE * 7 / 8;

/// The scale of a bound that links do not lower.
const FULL: u64 = 1024;

/// How much of the distance between its ends in the world a link costs, in 1024ths; at most
/// all of it.
fn scale(tiles: &TileMap, rules: Rules, link: &Link) -> u64 {
    let far = gap(tiles, rules, link).units();
    if far <= link.cost.units() { FULL } else { link.cost.units() * FULL / far }
}

/// The distance between the ends of a link in the world.
fn gap(tiles: &TileMap, rules: Rules, link: &Link) -> Cost {
    let position = |place: Place| tiles.floor(place.floor).map_or((0, 0), |floor| floor.position(place.cell));
    world_distance(rules, position(link.from), position(link.to))
}

/// What covering a distance costs at least.
fn bound_of(distance: Cost, scale: u64) -> Cost {
    Cost::from_units(distance.units().saturating_mul(scale) / FULL)
}

/// The cost between two cells of an empty world.
pub(super) fn world_distance(rules: Rules, a: (i64, i64), b: (i64, i64)) -> Cost {
    rules.distance_of(a.0.abs_diff(b.0), a.1.abs_diff(b.1))
}

/// Where the items of each of `count` owners begin, given the owners of sorted items.
fn offsets(count: usize, owners: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut first = Vec::new();
    write_offsets(count, owners, &mut first);
    first
}

/// The same into memory that is there.
pub(super) fn write_offsets(count: usize, owners: impl Iterator<Item = u32>, first: &mut Vec<u32>) {
    first.clear();
    first.resize(count + 1, 0);
    owners.for_each(|owner| first[owner as usize + 1] += 1);
    for at in 0..count {
        first[at + 1] += first[at];
    }
}

/// Which regions lead to which.
#[derive(Debug, Default)]
struct Leads {
    count: usize,
    /// Direct ways, sorted, each once.
    arcs: Vec<(u32, u32)>,
    /// A row of bits for each region.
    bits: Vec<u64>,
}

impl Leads {
    const fn words(&self) -> usize {
        self.count.div_ceil(64)
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        self.bits[from * self.words() + to / 64] >> (to % 64) & 1 != 0
    }

    /// Follows links and regions to `count` regions with these ways between them.
    fn follow(&mut self, count: usize, mut arcs: Vec<(u32, u32)>) {
        arcs.sort_unstable();
        arcs.dedup();
        if (count, &arcs) == (self.count, &self.arcs) {
            return;
        }
        (self.count, self.arcs) = (count, arcs);
        let first = offsets(count, self.arcs.iter().map(|&(from, _)| from));
        self.bits = vec![0; count * self.words()];
        let mut waiting = Vec::new();
        for from in 0..count {
            waiting.push(from as u32);
            let words = self.words();
            let row = &mut self.bits[from * words..(from + 1) * words];
            row[from / 64] |= 1 << (from % 64);
            while let Some(here) = waiting.pop() {
                let ways = first[here as usize] as usize..first[here as usize + 1] as usize;
                for &(_, to) in &self.arcs[ways] {
                    let (word, bit) = (to as usize / 64, 1 << (to % 64));
                    if row[word] & bit == 0 {
                        row[word] |= bit;
                        waiting.push(to);
                    }
                }
            }
        }
    }
}

/// How many links there are at least from floor to floor.
#[derive(Debug, Default)]
struct Hops {
    floors: usize,
    /// A row for each floor; empty if there are too many floors.
    counts: Vec<u16>,
    /// What each link costs at least.
    cost: Cost,
}

impl Hops {
    /// Above this many floors, hops are not counted: that takes time and memory by the square.
    const MOST_FLOORS: usize = 256;

    fn count(floors: usize, cost: Cost, ways: impl Iterator<Item = (FloorId, FloorId)>) -> Self {
        if floors > Self::MOST_FLOORS || cost == Cost::ZERO {
            return Self::default();
        }
        let mut ways: Vec<(FloorId, FloorId)> = ways.filter(|(from, to)| from != to).collect();
        ways.sort_unstable();
        ways.dedup();
        let mut counts = vec![u16::MAX; floors * floors];
        let mut waiting = VecDeque::new();
        for start in 0..floors {
            let row = &mut counts[start * floors..(start + 1) * floors];
            row[start] = 0;
            waiting.push_back(FloorId(start as u16));
            while let Some(here) = waiting.pop_front() {
                let first = ways.partition_point(|&(from, _)| from < here);
                for &(_, to) in ways[first..].iter().take_while(|&&(from, _)| from == here) {
                    if row[to.index()] == u16::MAX {
                        row[to.index()] = row[here.index()] + 1;
                        waiting.push_back(to);
                    }
                }
            }
        }
        Self { floors, counts, cost }
    }

    /// A lower bound of what links cost from floor to floor, beside the distance they cover.
    fn cost(&self, from: FloorId, to: FloorId) -> Cost {
        let hops = self.counts.get(from.index() * self.floors + to.index());
        self.cost * u64::from(hops.copied().unwrap_or(0).min(Self::MOST_FLOORS as u16))
    }
}

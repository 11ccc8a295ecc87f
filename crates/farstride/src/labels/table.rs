//! Costs between many cells, without their paths.
//!
//! A path leads from the start up to a hub and down to the goal. So the labels of
//! all goals are sorted into buckets by hub, once. Each start then visits the buckets
//! of its own hubs, and lowers the costs of the goals it finds there. Goals near each
//! other have nearly the same hubs; they are sorted by place, and sixteen of them, a
//! *tile*, are lowered together. For a few starts buckets do not pay; then the label
//! of each start is spread out and the record of each goal scanned ([`Fan`]).

use super::fan::Fan;
use super::full::{Corrupt, Full, Part};
use super::index::GridLabels;
use super::measure::FAR;
use super::outlook::{Outlook, Sights, TILE};
use super::reader::{CellLabels, Near, Reader};
use super::record::{Metric, Record};
use crate::base::crew::{Latch, split};
use crate::base::{Cell, Cost};
use crate::contraction::Rank;
use crate::grid::Grid;

/// Number of goals whose buckets are built at a time. A goal takes about half a
/// kilobyte, so the buckets of a strip stay in the cache of a core.
const STRIP: usize = 1024;
/// Number of starts and of goals from which buckets pay.
const WORTH_BUCKETS: usize = 4;

/// Costs in a table from here on mean that the goal is unreachable.
pub(crate) const UNREACHABLE: u32 = FAR;

/// Labels of all cells of a map, for costs between many cells.
pub(crate) struct Costs<'l, L> {
    grid: &'l Grid,
    full: &'l L,
}

impl<L> Clone for Costs<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Costs<'_, L> {}

impl GridLabels {
    /// The labels of a map, for costs between many cells; `None` for a climb index.
    pub(crate) fn costs<'l>(&'l self, grid: &'l Grid) -> Option<Costs<'l, Full>> {
        Some(Costs::new(grid, self.full()?))
    }
}

impl CellLabels for Full {
    type Sights = Sights;
    type Outlook = Outlook;

    #[inline]
    fn record(&self, cell: Cell) -> Result<Option<(Record<'_>, usize)>, Corrupt> {
        self.view().record(cell)
    }

    #[inline]
    fn metric(&self) -> impl Metric {
        self.measure
    }

    fn rank_count(&self) -> usize {
        (self.part(Part::First).len() / size_of::<u32>()).saturating_sub(1)
    }

    fn cost(&self, cost: u32) -> Cost {
        self.measure.cost(cost)
    }

    #[inline]
    fn direct(&self, grid: &Grid, start: Cell, goal: Cell) -> Option<u32> {
        grid.is_diagonal_first(start, goal).then(|| self.measure.distance(start, goal))
    }

    fn sights(grid: &Grid, goals: &[Cell]) -> Sights {
        Sights::new(grid, goals)
    }

    fn outlook(grid: &Grid, start: Cell) -> Outlook {
        Outlook::new(grid, start)
    }

    #[inline]
    fn lower(&self, _: &Grid, outlook: &Outlook, goals: &Sights, costs: &mut [i32; TILE]) {
        outlook.lower(goals, self.measure, costs);
    }
}

impl<'l, L: CellLabels> Costs<'l, L> {
    pub(crate) const fn new(grid: &'l Grid, full: &'l L) -> Self {
        Self { grid, full }
    }

    /// The cost of one unit in a table.
    pub(crate) fn unit(&self) -> Cost {
        self.full.cost(1)
    }

    /// Spreads out the label of a start.
    pub(crate) fn fan_out(&self, start: Cell, fan: &mut Fan) -> Result<(), Corrupt> {
        fan.aim(self.full, start)
    }

    /// Returns the cost from that start to a goal; `None` if it is unreachable.
    #[inline]
    pub(crate) fn cost(&self, fan: &mut Fan, goal: Cell) -> Result<Option<Cost>, Corrupt> {
        let cost = fan.cost(self.grid, self.full, goal)?;
        Ok((cost < FAR).then(|| self.full.cost(cost)))
    }

    /// Writes the costs from all starts to all goals into `table`, one row per start, on
    /// this many threads. `entry` makes an entry of a cost in units ([`Costs::unit`]). Stops
    /// early if the latch closes.
    ///
    /// # Errors
    /// [`Corrupt`] if the bytes of the labels do not fit together.
    pub(crate) fn write_table<T: Send>(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        threads: usize,
        latch: &Latch<'_>,
        entry: impl Fn(u32) -> T + Sync,
        table: &mut [T],
    ) -> Result<(), Corrupt> {
        if starts.len() < WORTH_BUCKETS {
            return self.write_rows(starts, goals, latch, entry, table);
        }
        if goals.len() < WORTH_BUCKETS {
            return self.write_columns(starts, goals, latch, entry, table);
        }
        let mut buckets = Buckets::<L::Sights>::default();
        let mut first = 0;
        for strip in goals.chunks(STRIP) {
            buckets.fill(self, strip)?;
            let rows = starts.len().div_ceil(threads);
            let parts = starts.chunks(rows).zip(table.chunks_mut(rows * goals.len()));
            let written = split(parts, |(starts, table)| {
                let mut walker = Walker::default();
                let rows = starts.iter().zip(table.chunks_exact_mut(goals.len()));
                rows.take_while(|_| latch.is_open()).try_for_each(|(&start, row)| {
                    walker.write_row(self, start, &buckets, &entry, &mut row[first..first + strip.len()])
                })
            });
            written.into_iter().collect::<Result<(), _>>()?;
            first += strip.len();
        }
        Ok(())
    }

    /// Writes a table with few rows.
    fn write_rows<T>(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        latch: &Latch<'_>,
        entry: impl Fn(u32) -> T,
        table: &mut [T],
    ) -> Result<(), Corrupt> {
        let mut fan = Fan::default();
        for (row, &start) in starts.iter().enumerate() {
            fan.aim(self.full, start)?;
            let costs = goals.iter().zip(&mut table[row * goals.len()..]);
            for (&goal, cost) in costs.take_while(|_| latch.is_open()) {
                *cost = entry(fan.cost(self.grid, self.full, goal)?);
            }
        }
        Ok(())
    }

    /// Writes a table with few columns, from the goals: the way back costs the same.
    fn write_columns<T>(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        latch: &Latch<'_>,
        entry: impl Fn(u32) -> T,
        table: &mut [T],
    ) -> Result<(), Corrupt> {
        let mut fan = Fan::default();
        for (column, &goal) in goals.iter().enumerate() {
            fan.aim(self.full, goal)?;
            let costs = table.iter_mut().skip(column).step_by(goals.len());
            for (&start, cost) in starts.iter().zip(costs).take_while(|_| latch.is_open()) {
                *cost = entry(fan.cost(self.grid, self.full, start)?);
            }
        }
        Ok(())
    }
}

/// The goals of a strip, sorted by the hubs of their labels.
struct Buckets<S> {
    reader: Reader,
    /// The goals, sorted so that cells near each other follow each other.
    goals: Vec<Cell>,
    /// Position of each goal in that order.
    places: Vec<u32>,
    /// The goals of each tile.
    sights: Vec<S>,
    /// Position at which the bucket of each hub begins, and the end of the last.
    first: Vec<u32>,
    /// The tiles of all buckets.
    tiles: Vec<u32>,
    /// Distance of the hub from each goal of the tile; [`FAR`] if it is not in the
    /// goal's label.
    costs: Vec<[i32; TILE]>,
    /// The labels of all goals, one after the other.
    labels: Vec<Near>,
    /// Position at which the label of each goal ends.
    ends: Vec<usize>,
    /// Sort keys of the goals, with their positions in the low bits.
    order: Vec<u64>,
}

/// A hub while its bucket is filled.
#[derive(Clone, Copy, Default)]
struct Filling {
    /// Position of its next tile.
    next: u32,
    /// The last tile that it holds, counted from 1; 0 for none.
    tile: u32,
}

impl<S> Default for Buckets<S> {
    fn default() -> Self {
        Self {
            reader: Reader::default(),
            goals: Vec::new(),
            places: Vec::new(),
            sights: Vec::new(),
            first: Vec::new(),
            tiles: Vec::new(),
            costs: Vec::new(),
            labels: Vec::new(),
            ends: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl<S> Buckets<S> {
    /// Replaces the contents by the goals of another strip.
    fn fill<L: CellLabels<Sights = S>>(
        &mut self,
        Costs { grid, full }: &Costs<'_, L>,
        goals: &[Cell],
    ) -> Result<(), Corrupt> {
        self.arrange(goals);
        self.labels.clear();
        self.ends.clear();
        for &goal in &self.goals {
            self.labels.extend_from_slice(self.reader.read(*full, goal)?);
            self.ends.push(self.labels.len());
        }
        self.sort(self.reader.hub_count());
        self.sights.clear();
        self.sights.extend(self.goals.chunks(TILE).map(|tile| L::sights(grid, tile)));
        Ok(())
    }

    /// Sorts the goals by place.
    fn arrange(&mut self, goals: &[Cell]) {
        let Self { order, .. } = self;
        order.clear();
        order.extend((0..).zip(goals).map(|(at, &goal)| u64::from(interleaved(goal)) << 32 | at));
        order.sort_unstable();
        self.places.clear();
        self.places.resize(goals.len(), 0);
        self.goals.clear();
        for (place, &key) in (0..).zip(&*order) {
            let at = key as u32 as usize;
            self.places[at] = place;
            self.goals.push(goals[at]);
        }
    }

    /// Sorts the labels by hub and tile: counts the tiles of each hub first, then
    /// puts them in place.
    fn sort(&mut self, hubs: usize) {
        let Self { first, tiles, costs, labels, ends, .. } = self;
        let mut fillings = vec![Filling::default(); hubs];
        first.clear();
        first.resize(hubs + 1, 0);
        for_each(labels, ends, |near, goal| {
            let (tile, filling) = ((goal / TILE) as u32 + 1, &mut fillings[near.hub.index()]);
            first[near.hub.index() + 1] += u32::from(filling.tile != tile);
            filling.tile = tile;
        });
        for hub in 0..hubs {
            fillings[hub] = Filling { next: first[hub], tile: 0 };
            first[hub + 1] += first[hub];
        }
        let count = first[hubs] as usize;
        tiles.clear();
        tiles.resize(count, 0);
        costs.clear();
        costs.resize(count, [FAR as i32; TILE]);
        for_each(labels, ends, |near, goal| {
            let (tile, filling) = ((goal / TILE) as u32, &mut fillings[near.hub.index()]);
            if filling.tile != tile + 1 {
                tiles[filling.next as usize] = tile;
                *filling = Filling { next: filling.next + 1, tile: tile + 1 };
            }
            costs[filling.next as usize - 1][goal % TILE] = near.cost as i32;
        });
    }

    /// The tiles in the bucket of a hub. A hub beyond the last has none: a start may
    /// have hubs that no goal has.
    #[inline]
    fn bucket(&self, hub: Rank) -> impl Iterator<Item = (usize, &[i32; TILE])> {
        let range = match self.first.get(hub.index()..).and_then(|first| first.first_chunk::<2>()) {
            Some(&[begin, end]) => begin as usize..end as usize,
            None => 0..0,
        };
        let tiles = self.tiles[range.clone()].iter().map(|&tile| tile as usize);
        tiles.zip(&self.costs[range])
    }
}

/// Calls `visit` with each entry of all labels and the position of its goal.
#[inline]
fn for_each(labels: &[Near], ends: &[usize], mut visit: impl FnMut(Near, usize)) {
    let mut begin = 0;
    for (goal, &end) in ends.iter().enumerate() {
        labels[begin..end].iter().for_each(|&near| visit(near, goal));
        begin = end;
    }
}

/// The bits of column and row in turn (Morton order): cells with near numbers are
/// near each other.
fn interleaved(cell: Cell) -> u32 {
    let spread = |number: u16| {
        let mut bits = u32::from(number);
        for (shift, mask) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(cell.x) | spread(cell.y) << 1
}

/// Visits buckets from a start; one per thread.
#[derive(Default)]
struct Walker {
    reader: Reader,
    /// The costs to the goals of a strip, tile by tile.
    row: Vec<[i32; TILE]>,
}

impl Walker {
    /// Writes the costs from a start to the goals in the buckets.
    fn write_row<T, L: CellLabels>(
        &mut self,
        costs: &Costs<'_, L>,
        start: Cell,
        buckets: &Buckets<L::Sights>,
        entry: impl Fn(u32) -> T,
        row: &mut [T],
    ) -> Result<(), Corrupt> {
        if !costs.grid.is_free(start) {
            row.fill_with(|| entry(FAR));
            return Ok(());
        }
        self.row.clear();
        self.row.resize(buckets.sights.len(), [FAR as i32; TILE]);
        for &Near { hub, cost } in self.reader.read(costs.full, start)? {
            for (tile, further) in buckets.bucket(hub) {
                lower(&mut self.row[tile], cost as i32, further);
            }
        }
        // Labels may lack a common hub with goals that the start sees.
        let outlook = L::outlook(costs.grid, start);
        for (row, goals) in self.row.iter_mut().zip(&buckets.sights) {
            costs.full.lower(costs.grid, &outlook, goals, row);
        }
        let found = self.row.as_flattened();
        for (cost, &place) in row.iter_mut().zip(&buckets.places) {
            *cost = entry(found[place as usize] as u32);
        }
        Ok(())
    }
}

/// Lowers the costs to the goals of a tile to the costs over a hub.
#[inline]
fn lower(row: &mut [i32; TILE], cost: i32, further: &[i32; TILE]) {
    for lane in 0..TILE {
        row[lane] = row[lane].min(cost + further[lane]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::LabelSettings;

    static PATIENT: Latch<'static> = Latch::new(&|| true);

    fn same(cost: u32) -> u32 {
        cost
    }

    fn labels() -> (Grid, GridLabels) {
        let is_free = |cell: Cell| (u32::from(cell.x) * 7919 + u32::from(cell.y) * 104_729) % 9 > 1;
        let grid = Grid::from_fn(40, 33, is_free).unwrap();
        let labels = GridLabels::build(&grid, LabelSettings::default());
        (grid, labels)
    }

    /// Few rows, few columns and buckets give the same costs.
    #[test]
    fn every_way_to_write_a_table_gives_the_same() {
        let (grid, labels) = labels();
        let costs = labels.costs(&grid).unwrap();
        let cells: Vec<Cell> = grid.area().cells().step_by(7).collect();
        let mut table = vec![0; cells.len() * cells.len()];
        costs.write_table(&cells, &cells, 2, &PATIENT, same, &mut table).unwrap();
        assert!(table.iter().filter(|&&cost| cost < UNREACHABLE).count() > table.len() / 3);
        for (at, row) in table.chunks(cells.len()).enumerate() {
            let is_same = |(&one, &other): (&u32, &u32)| one == other || one.min(other) >= UNREACHABLE;
            let mut line = vec![0; cells.len()];
            costs.write_table(&cells[at..=at], &cells, 1, &PATIENT, same, &mut line).unwrap();
            assert!(row.iter().zip(&line).all(is_same));
            costs.write_table(&cells, &cells[at..=at], 1, &PATIENT, same, &mut line).unwrap();
            assert!(row.iter().zip(&line).all(is_same));
        }
    }

    #[test]
    fn damaged_labels_are_told_or_give_some_costs() {
        let (grid, labels) = labels();
        let whole = labels.full().unwrap();
        let cells: Vec<Cell> = grid.area().cells().step_by(11).collect();
        let mut table = vec![0; cells.len() * cells.len()];
        let mut told = 0;
        for round in 0..200_usize {
            let mut bytes = whole.segments.bytes().to_vec();
            if round % 4 == 0 {
                bytes.truncate(bytes.len() * round / 200);
            } else {
                let damaged = bytes.len() - 1;
                for hit in 0..20 {
                    bytes[(round * 7919 + hit * 104_729) % damaged] ^= 1 << (hit % 8);
                }
            }
            let full = Full { segments: whole.segments.with_bytes(bytes), ..whole.clone() };
            let costs = Costs { grid: &grid, full: &full };
            told += usize::from(costs.write_table(&cells, &cells, 1, &PATIENT, same, &mut table).is_err());
            let few = costs.write_table(&cells[..1], &cells, 1, &PATIENT, same, &mut table[..cells.len()]);
            told += usize::from(few.is_err());
        }
        assert!((20..380).contains(&told), "{told}");
    }
}

//! Nodes of clusters, and the costs of crossing these.

use super::islands::Islands;
use super::short::{self, Scale};
use super::{Flaw, WORD, ensure, u16_at, u32_at};
use crate::base::{Cell, Cost, Node, Rect};
use std::ops::Range;

/// The nodes of a cluster on one level, and the costs between them inside the
/// cluster.
///
/// The nodes that one can get to from a node without leaving the cluster are, with it, an *island* of the cluster. There
/// are costs between nodes of the same island only, so where there are several, each has a matrix of its own: in rooms
/// that takes two thirds of the bytes, and searches read shorter rows. The *spot* of a node is its position in a list of all nodes,
/// island by island.
///
/// Record: the number of nodes `k`, with [`Costs::WIDE`] set if costs take 8
/// bytes because one is higher than [`Costs::MOST`], [`Costs::HALF`] if they are there one way only,
/// [`Costs::ISLANDS`] if there is a matrix for each island, and [`Costs::SHORT`] if they take 2 bytes, together with the number of their
/// [`Scale`]; `k` node numbers; `k` cells; the islands, see [`Islands`]; for each island, costs of
/// 2, 4 or 8 bytes from each of its nodes to each, row by row. Of half a matrix, each row ends before the node itself; only such costs are short.
/// Without islands, there is one matrix for all nodes, with all bits set where there is no way. Padding.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'t> {
    form: Form,
    nodes: &'t [[u8; WORD]],
    cells: &'t [[u8; WORD]],
    islands: Option<Islands<'t>>,
    matrices: &'t [u8],
}

/// What the bytes of a record depend on besides its islands.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Form {
    /// Number of nodes.
    count: usize,
    /// Whether costs take 8 bytes.
    wide: bool,
    /// Whether costs are there one way only.
    half: bool,
    /// The number of the scale of costs that take 2 bytes.
    scale: Option<u32>,
}

impl Form {
    #[inline]
    const fn read(head: u32) -> Self {
        let (wide, half) = (head & Costs::WIDE != 0, head & Costs::HALF != 0);
        let scale = if head & Costs::SHORT == 0 { None } else { Some(head >> Costs::SCALE_AT & 3) };
        Self { count: Costs::count_in(head), wide, half, scale }
    }

    /// The one that takes the fewest bytes for these costs between `count` nodes, if they may be there one way only.
    fn best(count: usize, half: bool, costs: &(impl Iterator<Item = u64> + Clone)) -> Self {
        let wide = costs.clone().any(|cost| cost > Costs::MOST.into());
        let half = half && !wide;
        let scale = if half { Scale::find(costs) } else { None };
        Self { count, wide, half, scale }
    }

    /// The first word of a record without islands.
    const fn head(self) -> u32 {
        let scale = match self.scale {
            Some(scale) => Costs::SHORT | scale << Costs::SCALE_AT,
            None => 0,
        };
        let (wide, half) = (if self.wide { Costs::WIDE } else { 0 }, if self.half { Costs::HALF } else { 0 });
        self.count as u32 | wide | half | scale
    }

    /// Bytes of a cost.
    #[inline]
    const fn cost_bytes(self) -> usize {
        match self.scale {
            Some(_) => WORD / 2,
            None if self.wide => 2 * WORD,
            None => WORD,
        }
    }

    /// Number of costs in the matrix of some nodes.
    #[inline]
    const fn costs_between(self, nodes: usize) -> usize {
        if self.half { half_at(nodes, 0) } else { nodes * nodes }
    }

    /// Whether a record with islands of these sizes takes fewer bytes than one with a matrix of all nodes.
    fn are_islands_worth_it(self, islands: impl ExactSizeIterator<Item = usize>) -> bool {
        // There are fewer than 2¹⁶ nodes, so costs can be counted on 32 bits, but not their bytes.
        let words = Islands::words(self.count, islands.len()) as u64;
        let costs: u64 = islands.map(|nodes| self.costs_between(nodes) as u64).sum();
        let all = self.costs_between(self.count) as u64;
        // Where costs take 2 bytes, each has 2 more in a record of ways, which has none between islands either.
        let bytes = self.cost_bytes().max(WORD) as u64;
        words * WORD as u64 + costs * bytes < all * bytes
    }

    /// Begins a record with room for some words behind numbers and cells.
    fn begin(self, islands: u32, nodes: &[(u32, Cell)], words: usize) -> Vec<u8> {
        let mut record = Vec::with_capacity(WORD * (1 + 2 * self.count + words));
        record.extend_from_slice(&(self.head() | islands).to_le_bytes());
        record.extend(nodes.iter().flat_map(|(node, _)| node.to_le_bytes()));
        record.extend(nodes.iter().flat_map(|(_, cell)| cell.pack().to_le_bytes()));
        record
    }

    /// Adds the matrix of some nodes.
    fn add_matrix(self, record: &mut Vec<u8>, nodes: &[usize], cost: CostOf<'_>) {
        for (at, &from) in nodes.iter().enumerate() {
            for &to in if self.half { &nodes[..at] } else { nodes } {
                let cost = if from == to { 0 } else { cost(from, to) };
                if let Some(scale) = self.scale {
                    let short = Scale::of(scale).shorten(cost).unwrap_or(short::NO_WAY);
                    record.extend_from_slice(&short.to_le_bytes());
                } else {
                    // Truncating keeps "all bits set", so this covers `UNREACHABLE`, too.
                    record.extend_from_slice(&cost.to_le_bytes()[..self.cost_bytes()]);
                }
            }
        }
    }

    /// A record with one matrix for all nodes.
    fn encode_whole(self, nodes: &[(u32, Cell)], cost: CostOf<'_>) -> Vec<u8> {
        let words = (self.costs_between(self.count) * self.cost_bytes()).div_ceil(WORD);
        let mut record = self.begin(0, nodes, words);
        let all: Vec<usize> = (0..self.count).collect();
        self.add_matrix(&mut record, &all, cost);
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// A record with a matrix for each island.
    fn encode_islands(self, nodes: &[(u32, Cell)], members: &[Vec<usize>], cost: CostOf<'_>) -> Vec<u8> {
        let costs: usize = members.iter().map(|members| self.costs_between(members.len())).sum();
        let words = Islands::words(self.count, members.len()) + (costs * self.cost_bytes()).div_ceil(WORD);
        let mut record = self.begin(Costs::ISLANDS, nodes, words);
        Islands::encode(&mut record, self.count, members, |nodes| self.costs_between(nodes));
        for members in members {
            self.add_matrix(&mut record, members, cost);
        }
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }
}

/// The ranks of each island of `count` nodes, in order; `reached` has for a node whether each other can be reached from it.
fn members<R: Fn(usize) -> bool>(count: usize, reached: impl Fn(usize) -> R) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut is_known = vec![false; count];
    for first in 0..count {
        if !is_known[first] {
            let is_reached = reached(first);
            // Ways lead on: what one node of an island reaches, all do.
            let belongs = |&to: &usize| to == first || !is_known[to] && is_reached(to);
            let island: Vec<usize> = (first..count).filter(belongs).collect();
            for &rank in &island {
                is_known[rank] = true;
            }
            members.push(island);
        }
    }
    members
}

/// The cost from one node to another. Not a generic type, so that what takes it is compiled once: WebAssembly is to stay small.
type CostOf<'a> = &'a dyn Fn(usize, usize) -> u64;

/// The costs between different nodes of the same island, each once.
fn costs_inside<'a>(members: &'a [Vec<usize>], cost: CostOf<'a>) -> impl Iterator<Item = u64> + Clone + 'a {
    members.iter().flat_map(move |members| {
        let pairs = members.iter().enumerate();
        pairs.flat_map(move |(at, &from)| members[..at].iter().map(move |&to| cost(from, to)))
    })
}

/// The cost where there is no way from one node to another.
pub(crate) const UNREACHABLE: u64 = u64::MAX;

impl<'t> Costs<'t> {
    pub(super) const WIDE: u32 = 1 << 31;
    pub(super) const HALF: u32 = 1 << 30;
    pub(super) const ISLANDS: u32 = 1 << 29;
    pub(super) const SHORT: u32 = 1 << 28;
    /// Where the number of the scale is, 2 bits.
    const SCALE_AT: u32 = 26;
    /// The highest cost that takes 4 bytes: the sum of two is a number of 4 bytes with a sign.
    pub(crate) const MOST: u32 = (1 << 30) - 1;

    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let head = u32_at(record, 0);
        let form = Form::read(head);
        let count = form.count;
        let (nodes, rest) = record[WORD..].split_at(count * WORD);
        let (cells, rest) = rest.split_at(count * WORD);
        let (islands, matrices) = if head & Self::ISLANDS == 0 {
            (None, rest)
        } else {
            let (islands, matrices) = Islands::split(rest, count);
            (Some(islands), matrices)
        };
        let [nodes, cells] = [nodes, cells].map(|bytes| bytes.as_chunks().0);
        Self { form, nodes, cells, islands, matrices }
    }

    /// The number of nodes in the first word of a record.
    #[inline]
    pub(super) const fn count_in(head: u32) -> usize {
        (head & ((1 << Self::SCALE_AT) - 1)) as usize
    }

    /// Encodes `nodes` and a matrix of costs, the same both ways, [`UNREACHABLE`] where there is none. With `half`, costs
    /// of 4 bytes are stored one way only.
    pub(crate) fn encode(nodes: &[(u32, Cell)], matrix: &[u64], half: bool) -> Vec<u8> {
        let count = nodes.len();
        debug_assert_eq!(matrix.len(), count * count);
        let members = members(count, |from| move |to| matrix[from * count + to] != UNREACHABLE);
        Self::encode_members(nodes, &members, half, &|from, to| matrix[from * count + to])
    }

    /// As [`Costs::encode`], given the ranks of each island in order, and the costs between different nodes of the same island.
    pub(crate) fn encode_members(
        nodes: &[(u32, Cell)],
        members: &[Vec<usize>],
        half: bool,
        cost: CostOf<'_>,
    ) -> Vec<u8> {
        let form = Form::best(nodes.len(), half, &costs_inside(members, cost));
        if form.are_islands_worth_it(members.iter().map(Vec::len)) {
            return form.encode_islands(nodes, members, cost);
        }
        let mut island_of = vec![0; form.count];
        for (island, members) in members.iter().enumerate() {
            for &rank in members {
                island_of[rank] = island;
            }
        }
        let is_same = |from: usize, to: usize| island_of[from] == island_of[to];
        form.encode_whole(nodes, &|from, to| if is_same(from, to) { cost(from, to) } else { UNREACHABLE })
    }

    /// A record that [`Costs::change`] has changed as the one that [`Costs::encode`] makes of these costs.
    pub(crate) fn settled(record: Vec<u8>) -> Vec<u8> {
        let costs = Costs::new(&record);
        // A whole matrix never has short costs.
        let may_be_shorter = costs.form.half;
        if !may_be_shorter && costs.islands.is_some() {
            return record;
        }
        let members = costs.members();
        if !may_be_shorter && !costs.form.are_islands_worth_it(members.iter().map(Vec::len)) {
            return record;
        }
        let units = |from, to| costs.cost(from, to).map_or(UNREACHABLE, Cost::units);
        Self::encode_members(&costs.places(), &members, costs.form.half, &units)
    }

    /// The number and the cell of each node.
    fn places(&self) -> Vec<(u32, Cell)> {
        (0..self.count()).map(|rank| (self.node(rank), self.cell(rank))).collect()
    }

    /// The ranks of each island, in order.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        match self.islands {
            Some(islands) => {
                let ranks = |island| islands.spots(island).map(|spot| islands.rank(spot)).collect();
                (0..islands.len()).map(ranks).collect()
            }
            None => members(self.count(), |from| {
                let row = self.row(from);
                move |to| row.cost(to).is_some()
            }),
        }
    }

    /// The record with one matrix for all nodes. Costs must take 4 bytes.
    fn joined(&self) -> Vec<u8> {
        debug_assert!(!self.form.wide);
        let nodes = self.places();
        let same: Vec<_> = (0..self.count()).map(Some).collect();
        self.rearranged(&nodes, &same)
    }

    /// The record with other numbers for its nodes.
    pub(crate) fn renamed(&self, nodes: impl ExactSizeIterator<Item = u32>) -> Vec<u8> {
        debug_assert_eq!(nodes.len(), self.form.count);
        let islands = self.islands.map_or(&[][..], |islands| islands.bytes);
        let bytes = WORD * (1 + 2 * self.form.count) + islands.len() + self.matrices.len();
        let mut record = Vec::with_capacity(bytes);
        record.extend_from_slice(&self.head().to_le_bytes());
        nodes.for_each(|node| record.extend_from_slice(&node.to_le_bytes()));
        record.extend_from_slice(self.cells.as_flattened());
        record.extend_from_slice(islands);
        record.extend_from_slice(self.matrices);
        record
    }

    /// A record of other nodes with costs of 4 bytes and without islands, given the rank here of those that are here, too. There
    /// are no ways to the others yet.
    pub(crate) fn rearranged(&self, nodes: &[(u32, Cell)], was: &[Option<usize>]) -> Vec<u8> {
        let count = nodes.len();
        let mut record = Vec::with_capacity(WORD * (1 + 2 * count + count * count));
        let head = count as u32 | if self.form.half { Self::HALF } else { 0 };
        record.extend_from_slice(&head.to_le_bytes());
        record.extend(nodes.iter().flat_map(|(node, _)| node.to_le_bytes()));
        record.extend(nodes.iter().flat_map(|(_, cell)| cell.pack().to_le_bytes()));
        let mut copied = Vec::new();
        for (from, &old_from) in was.iter().enumerate() {
            let row = old_from.and_then(|from| self.row(from).whole(&mut copied)).unwrap_or_default();
            for (to, old_to) in was[..if self.form.half { from } else { count }].iter().enumerate() {
                let known = old_to.and_then(|to| row.get(to)).copied();
                record.extend_from_slice(&known.unwrap_or(if from == to { ZERO } else { NO_WAY }));
            }
        }
        record
    }

    /// Changes the cost between two nodes in a record with costs of at most 4 bytes; returns false if it takes more. Islands may be
    /// others then, and costs take more bytes than they need, until the record is [`Costs::settled`].
    #[must_use]
    pub(crate) fn change(record: &mut Vec<u8>, (one, other): (usize, usize), units: u64) -> bool {
        let costs = Costs::new(record);
        let is_way = units != UNREACHABLE;
        if costs.form.wide || is_way && units > Self::MOST.into() {
            return false;
        }
        let is_joined = costs.position(one, other).is_some();
        if !is_joined && !is_way {
            return true;
        }
        if costs.form.scale.is_some() || costs.islands.is_some() && is_joined != is_way {
            *record = costs.joined();
        }
        let costs = Costs::new(record);
        let first = record.len() - costs.matrices.len();
        for at in [costs.position(one, other), costs.position(other, one)].into_iter().flatten() {
            // Truncating keeps "all bits set".
            record[first + at * WORD..][..WORD].copy_from_slice(&(units as u32).to_le_bytes());
        }
        true
    }

    /// Position among all costs of the one between two different nodes; `None` if they are in different islands.
    #[inline]
    fn position(&self, from: usize, to: usize) -> Option<usize> {
        if self.form.half {
            return self.pair(from, to);
        }
        let Some(islands) = self.islands else { return Some(from * self.form.count + to) };
        let ((island, from), (other, to)) = (islands.of(from), islands.of(to));
        let spots = islands.spots(island);
        (island == other)
            .then(|| islands.costs(island).start + (from - spots.start) * spots.len() + to - spots.start)
    }

    /// The number of a pair of different nodes. Pairs of the same island are counted, island by island, in the order of
    /// half a matrix. `None` if the nodes are in different islands.
    #[inline]
    pub(crate) fn pair(&self, one: usize, other: usize) -> Option<usize> {
        let Some(islands) = self.islands else { return Some(half_at(one.max(other), one.min(other))) };
        let ((island, one), (other_island, other)) = (islands.of(one), islands.of(other));
        let first = islands.spots(island).start;
        (island == other_island).then(|| {
            self.pairs_before(islands, island) + half_at(one.max(other) - first, one.min(other) - first)
        })
    }

    /// The number of pairs in all islands before one, or before the end of the last.
    #[inline]
    fn pairs_before(&self, islands: Islands<'_>, island: usize) -> usize {
        let [spots, costs] = islands.before(island);
        // A whole matrix has each pair twice, and a cost from each node to itself.
        if self.form.half { costs } else { (costs - spots) / 2 }
    }

    /// Number of pairs of different nodes, of the same island if there are islands.
    #[inline]
    pub(crate) fn pair_count(&self) -> usize {
        match self.islands {
            None => half_at(self.form.count, 0),
            Some(islands) => self.pairs_before(islands, islands.len()),
        }
    }

    /// These pairs in order, as ranks, the lower one first.
    pub(crate) fn pairs(self) -> impl Iterator<Item = (usize, usize)> + use<'t> {
        let islands = self.islands.map_or(1, |islands| islands.len());
        (0..islands).flat_map(move |island| {
            let spots = self.islands.map_or(0..self.form.count, |islands| islands.spots(island));
            let first = spots.start;
            spots.flat_map(move |other| {
                let rank = self.rank_on(other);
                (first..other).map(move |one| (self.rank_on(one), rank))
            })
        })
    }

    /// Calls `visit` with each of [`Costs::pairs`], which takes less time than to iterate.
    pub(crate) fn for_each_pair(&self, mut visit: impl FnMut(usize, usize)) {
        let mut ranks = Vec::with_capacity(self.form.count);
        for island in 0..self.islands.map_or(1, |islands| islands.len()) {
            let spots = self.islands.map_or(0..self.form.count, |islands| islands.spots(island));
            ranks.clear();
            for rank in spots.map(|spot| self.rank_on(spot)) {
                for &one in &ranks {
                    visit(one, rank);
                }
                ranks.push(rank);
            }
        }
    }

    /// The first word of the record.
    const fn head(&self) -> u32 {
        self.form.head() | if self.islands.is_some() { Self::ISLANDS } else { 0 }
    }

    /// Whether costs take 8 bytes.
    pub(crate) const fn is_wide(&self) -> bool {
        self.form.wide
    }

    #[inline]
    pub(crate) const fn count(&self) -> usize {
        self.form.count
    }

    #[inline]
    pub(crate) fn node(&self, rank: usize) -> u32 {
        u32::from_le_bytes(self.nodes[rank])
    }

    /// All nodes, in the order of their ranks.
    pub(crate) fn nodes(self) -> impl Iterator<Item = u32> + use<'t> {
        self.nodes.iter().map(|word| u32::from_le_bytes(*word))
    }

    #[inline]
    pub(crate) fn cell(&self, rank: usize) -> Cell {
        Cell::unpack(u32::from_le_bytes(self.cells[rank]))
    }

    /// Writes the ranks of all nodes on cells of an area.
    #[inline]
    pub(crate) fn ranks_in(&self, area: Rect, ranks: &mut Vec<u16>) {
        ranks.clear();
        ranks.resize(self.form.count, 0);
        let mut count = 0;
        // Without a branch for each: they would often be mispredicted.
        for (rank, &word) in self.cells.iter().enumerate() {
            ranks[count] = rank as u16;
            count += usize::from(area.contains(Cell::unpack(u32::from_le_bytes(word))));
        }
        ranks.truncate(count);
    }

    /// The rank of the node on a spot.
    #[inline]
    pub(crate) fn rank_on(&self, spot: usize) -> usize {
        self.islands.map_or(spot, |islands| islands.rank(spot))
    }

    /// Whether the record has islands.
    #[inline]
    pub(crate) const fn has_islands(&self) -> bool {
        self.islands.is_some()
    }

    /// The number of a node's island; 0 if the record has no islands.
    #[inline]
    pub(crate) fn island(&self, rank: usize) -> usize {
        self.islands.map_or(0, |islands| islands.of(rank).0)
    }

    /// Whether no other node can be reached from one.
    pub(crate) fn is_lone(&self, rank: usize) -> bool {
        if let Some(islands) = self.islands {
            return islands.spots(islands.of(rank).0).len() == 1;
        }
        let row = self.row(rank);
        (0..self.form.count).all(|to| to == rank || row.cost(to).is_none())
    }

    /// The ranks of the nodes from which no other can be reached.
    pub(crate) fn lone(&self) -> impl Iterator<Item = usize> {
        (0..self.form.count).filter(|&rank| self.is_lone(rank))
    }

    /// The spot of the node of a rank.
    #[inline]
    pub(crate) fn spot(&self, rank: usize) -> usize {
        self.islands.map_or(rank, |islands| islands.of(rank).1)
    }

    /// In a record, the spot of the node of a rank. Equals decoding it, in less time.
    #[inline]
    pub(super) fn spot_in(record: &[u8], rank: usize) -> usize {
        let head = u32_at(record, 0);
        if head & Self::ISLANDS == 0 {
            return rank;
        }
        // For the spots of nodes, neither their number nor the end of the islands matters.
        let islands = Islands { count: 0, bytes: &record[WORD * (1 + 2 * Self::count_in(head))..] };
        islands.of(rank).1
    }

    /// Costs from one node to all others.
    #[inline]
    pub(crate) fn row(&self, from: usize) -> Row<'t> {
        let (island, at, spots, costs) = match self.islands {
            None => (0, from, 0..self.form.count, 0),
            Some(islands) => {
                let ((island, spot), bounds) = (islands.of(from), islands.spots(islands.of(from).0));
                (island, spot - bounds.start, bounds, islands.costs(island).start)
            }
        };
        let bytes = self.form.cost_bytes();
        let costs = if self.form.half {
            &self.matrices[costs * bytes..]
        } else {
            &self.matrices[(costs + at * spots.len()) * bytes..][..spots.len() * bytes]
        };
        let Self { form: Form { count: all, wide, half, scale }, islands, .. } = *self;
        let scale = scale.map(Scale::of);
        Row { all, wide, half, scale, at, first: spots.start, count: spots.len(), costs, island, islands }
    }

    /// Cost from one node to another; `None` if there is no way.
    #[inline]
    pub(crate) fn cost(&self, from: usize, to: usize) -> Option<Cost> {
        self.row(from).cost(to)
    }

    /// Calls `visit` with every other node reachable from the one of rank `from`,
    /// and its cost.
    #[inline]
    pub(crate) fn for_each_from(&self, from: usize, mut visit: impl FnMut(u32, Cost)) {
        self.row(from).for_each(|to, cost| {
            if to != from {
                visit(self.node(to), cost);
            }
        });
    }

    /// Whether another record has the same nodes.
    pub(crate) fn has_nodes_of(&self, record: &[u8]) -> bool {
        self.nodes == Costs::new(record).nodes
    }

    /// Whether another record has the same nodes on the same cells.
    pub(crate) fn has_places_of(&self, record: &[u8]) -> bool {
        self.has_nodes_of(record) && self.cells == Costs::new(record).cells
    }

    /// Whether others have nodes on the same cells.
    pub(crate) fn has_cells_of(&self, other: Self) -> bool {
        self.cells == other.cells
    }

    /// Whether other costs of at most 4 bytes have nodes on the same cells, in the same islands.
    pub(crate) fn has_islands_of(&self, other: Self) -> bool {
        let bytes = |costs: Self| costs.islands.map(|islands| islands.bytes);
        !self.form.wide && !other.form.wide && self.cells == other.cells && bytes(*self) == bytes(other)
    }

    /// Whether others have nodes on the same cells, of which the same can be reached from each other.
    pub(crate) fn has_parts_of(&self, other: Self) -> bool {
        self.has_islands_of(other) && self.has_islands()
            || self.cells == other.cells && self.members() == other.members()
    }

    /// Rank of the node at a cell.
    pub(crate) fn rank_at(&self, cell: Cell) -> Option<usize> {
        self.cells.iter().position(|&word| u32::from_le_bytes(word) == cell.pack())
    }

    /// Rank of a node, which is looked for at a rank first, and then behind it.
    pub(crate) fn rank_from(&self, node: u32, first: usize) -> Option<usize> {
        let (before, behind) = self.nodes.split_at(first.min(self.form.count));
        let find = |nodes: &[[u8; WORD]]| nodes.iter().position(|&word| u32::from_le_bytes(word) == node);
        find(behind).map(|rank| first + rank).or_else(|| find(before))
    }

    /// Checks the form of costs of at most `most` nodes, less than 2¹⁶, which are there one way only if they may be `half`.
    pub(crate) fn check_form(record: &[u8], most: usize, may_be_half: bool) -> Result<(), Flaw> {
        ensure(record.len() >= WORD, "is empty")?;
        let head = u32_at(record, 0);
        let form = Form::read(head);
        let Form { count, wide, half, scale } = form;
        ensure(count <= most, "has more nodes than its cluster can have")?;
        ensure(half == (may_be_half && !wide), "has costs both ways instead of one, or the other way round")?;
        ensure(half || scale.is_none(), "has a whole matrix of short costs")?;
        let rest = record.get((1 + 2 * count) * WORD..).ok_or("is shorter than its nodes take")?;
        let (all, costs) = if head & Self::ISLANDS == 0 {
            (form.costs_between(count), rest)
        } else {
            let islands = rest.first_chunk().map_or(0, |word| u32::from_le_bytes(*word) as usize);
            ensure((1..=count).contains(&islands), "has no islands, or more of them than nodes")?;
            ensure(rest.len() >= Islands::words(count, islands) * WORD, "is shorter than its islands take")?;
            let (islands, costs) = Islands::split(rest, count);
            (islands.check_form(count, |nodes| form.costs_between(nodes))?, costs)
        };
        let bytes = all as u64 * form.cost_bytes() as u64;
        let is_long_enough = costs.len() as u64 == bytes.next_multiple_of(WORD as u64);
        ensure(is_long_enough, "has another length than its nodes take")?;
        ensure(costs[bytes as usize..].iter().all(|&byte| byte == 0), "has padding that is not zero")?;
        let mut words = costs.as_chunks().0.iter().copied().map(u32::from_le_bytes);
        let fits = wide || scale.is_some() || words.all(|cost| cost <= Self::MOST || cost == u32::MAX);
        ensure(fits, "has a cost that takes 8 bytes")?;
        let costs = Costs::new(record);
        ensure(costs.head() == head, "has a scale without short costs")?;
        costs.check_islands()?;
        if half || wide {
            let units = |from, to| costs.cost(from, to).map_or(UNREACHABLE, Cost::units);
            let best = Form::best(count, may_be_half, &costs_inside(&costs.members(), &units));
            ensure(best == form, "has costs that fit into fewer bytes")?;
        }
        let Some(scale) = scale.map(Scale::of) else { return Ok(()) };
        let is_plain = |&short: &[u8; 2]| {
            let short = u16::from_le_bytes(short);
            short == short::NO_WAY || scale.shorten(scale.lengthen(short).into()) == Some(short)
        };
        let is_plain = costs.matrices[..bytes as usize].as_chunks().0.iter().all(is_plain);
        ensure(is_plain, "has a cost with more diagonal steps than it needs")
    }

    /// Checks that there are islands exactly where they take fewer bytes, so that there is one record for the same costs.
    fn check_islands(&self) -> Result<(), Flaw> {
        let Some(islands) = self.islands else {
            let are_worth_it = self.form.are_islands_worth_it(self.members().iter().map(Vec::len));
            return ensure(!are_worth_it, "has one matrix, while islands take fewer bytes");
        };
        let sizes = (0..islands.len()).map(|island| islands.spots(island).len());
        ensure(self.form.are_islands_worth_it(sizes), "has islands, while one matrix takes fewer bytes")?;
        let ranks = |island: usize| islands.spots(island).map(|spot| islands.rank(spot));
        let is_sorted = (0..islands.len()).all(|island| ranks(island).is_sorted())
            && (0..islands.len()).map(|island| islands.rank(islands.spots(island).start)).is_sorted();
        ensure(is_sorted, "has islands in another order than nodes")?;
        ensure(islands.padding().iter().all(|&byte| byte == 0), "has padding that is not zero")?;
        let mut costs = self.matrices.chunks_exact(self.form.cost_bytes());
        ensure(!costs.any(|cost| cost.iter().all(|&byte| byte == u8::MAX)), "has no way inside an island")
    }
}

/// Position of a cost in half a matrix; the column is less than the row.
#[inline]
const fn half_at(row: usize, column: usize) -> usize {
    row * row.saturating_sub(1) / 2 + column
}

/// A cost of nothing, and one where there is no way.
const ZERO: [u8; WORD] = [0; WORD];
const NO_WAY: [u8; WORD] = [u8::MAX; WORD];

/// Costs from one node of a cluster to all others.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    /// Number of nodes of the cluster.
    all: usize,
    wide: bool,
    /// Whether `costs` begin with half a matrix.
    half: bool,
    /// Of costs that take 2 bytes.
    scale: Option<Scale>,
    /// The node's position in its island.
    at: usize,
    /// The first spot of the island, and the number of its nodes.
    first: usize,
    count: usize,
    costs: &'t [u8],
    island: usize,
    islands: Option<Islands<'t>>,
}

impl<'t> Row<'t> {
    /// The spots of the nodes that [`Row::narrow`] has costs to.
    #[inline]
    pub(crate) const fn spots(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// The rank of the node on a spot.
    #[inline]
    pub(crate) fn rank_on(&self, spot: usize) -> usize {
        self.islands.map_or(spot, |islands| islands.rank(spot))
    }

    /// The costs to the nodes of the same island in 4 bytes each, if they take no more; all bits are set where there is no
    /// way. `copied` is memory to put them together in.
    #[inline]
    pub(crate) fn narrow<'a>(&self, copied: &'a mut Vec<[u8; WORD]>) -> Option<&'a [[u8; WORD]]>
    where
        't: 'a,
    {
        if !self.half {
            return (!self.wide).then_some(self.costs.as_chunks().0);
        }
        copied.clear();
        match self.scale {
            None => self.copy_half(self.costs.as_chunks().0, |cost| cost, copied),
            Some(scale) => self.copy_half(
                self.costs.as_chunks().0,
                |short| match u16::from_le_bytes(short) {
                    short::NO_WAY => NO_WAY,
                    short => scale.lengthen(short).to_le_bytes(),
                },
                copied,
            ),
        }
        Some(copied)
    }

    /// Copies a row of half a matrix.
    fn copy_half<C: Copy>(&self, costs: &[C], read: impl Fn(C) -> [u8; WORD], copied: &mut Vec<[u8; WORD]>) {
        let from = self.at;
        copied.extend(costs[half_at(from, 0)..half_at(from, from)].iter().map(|&cost| read(cost)));
        copied.push(ZERO);
        copied.extend((from + 1..self.count).map(|to| read(costs[half_at(to, from)])));
    }

    /// Whether another row with the same nodes has the same bytes for those of lower rank.
    pub(crate) fn has_lower_bytes_of(&self, other: &Self) -> bool {
        let bytes = |row: &Self| {
            let first = if row.half { half_at(row.at, 0) } else { 0 };
            let bytes = if row.scale.is_some() { WORD / 2 } else { WORD };
            &row.costs[first * bytes..(first + row.at) * bytes]
        };
        let form = |row: &Self| (row.wide, row.half, row.scale);
        !self.wide && form(self) == form(other) && bytes(self) == bytes(other)
    }

    /// As [`Row::narrow`], to all nodes by rank.
    pub(crate) fn whole<'a>(&self, copied: &'a mut Vec<[u8; WORD]>) -> Option<&'a [[u8; WORD]]>
    where
        't: 'a,
    {
        if self.islands.is_none() || self.wide {
            return self.narrow(copied);
        }
        copied.clear();
        copied.resize(self.all, NO_WAY);
        self.for_each(|rank, cost| copied[rank] = (cost.units() as u32).to_le_bytes());
        Some(copied)
    }

    /// Calls `visit` with the rank of every node that can be reached, and its cost.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize, Cost)) {
        if !self.wide && !self.half {
            for (spot, &cost) in self.spots().zip(self.costs.as_chunks().0) {
                if cost != NO_WAY {
                    visit(self.rank_on(spot), Cost::from_units(u32::from_le_bytes(cost).into()));
                }
            }
            return;
        }
        for (at, spot) in self.spots().enumerate() {
            if let Some(cost) = self.cost_at(at) {
                visit(self.rank_on(spot), cost);
            }
        }
    }

    /// As [`Row::for_each`], for nodes of lower rank only.
    pub(crate) fn for_each_lower(&self, mut visit: impl FnMut(usize, Cost)) {
        for (at, spot) in (0..self.at).zip(self.first..) {
            if let Some(cost) = self.cost_at(at) {
                visit(self.rank_on(spot), cost);
            }
        }
    }

    /// The costs by rank, if they lie in one piece and take 4 bytes.
    #[inline]
    pub(super) fn plain(&self) -> Option<&'t [[u8; WORD]]> {
        let is_plain = !self.wide && !self.half && self.islands.is_none();
        is_plain.then_some(self.costs.as_chunks().0)
    }

    /// Cost to the node on a spot; `None` if there is no way.
    #[inline]
    pub(crate) fn cost_on(&self, spot: usize) -> Option<Cost> {
        let at = spot.checked_sub(self.first).filter(|&at| at < self.count)?;
        self.cost_at(at)
    }

    /// Cost to the node of a rank; `None` if there is no way.
    #[inline]
    pub(crate) fn cost(&self, to: usize) -> Option<Cost> {
        let Some(islands) = self.islands else { return self.cost_at(to) };
        let (island, spot) = islands.of(to);
        if island == self.island { self.cost_at(spot - self.first) } else { None }
    }

    /// Cost to a node by its position in the island.
    #[inline]
    fn cost_at(&self, at: usize) -> Option<Cost> {
        let at = match self.half {
            false => at,
            true if self.at == at => return Some(Cost::ZERO),
            true => half_at(self.at.max(at), self.at.min(at)),
        };
        let units = if let Some(scale) = self.scale {
            match u16_at(self.costs, at) {
                short::NO_WAY => UNREACHABLE,
                short => scale.lengthen(short).into(),
            }
        } else if self.wide {
            u64::from(u32_at(self.costs, at * 2)) | u64::from(u32_at(self.costs, at * 2 + 1)) << 32
        } else {
            match u32_at(self.costs, at) {
                u32::MAX => UNREACHABLE,
                units => units.into(),
            }
        };
        (units != UNREACHABLE).then(|| Cost::from_units(units))
    }
}

#[cfg(test)]
mod tests;

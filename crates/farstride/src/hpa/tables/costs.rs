//! Nodes of clusters, and the costs of crossing these.

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
/// bytes because one is higher than [`Costs::MOST`], [`Costs::HALF`] if they are there one way only, and
/// [`Costs::ISLANDS`] if there is a matrix for each island; `k` node numbers; `k` cells; the islands, see [`Islands`]; for each island, costs of
/// 4 or 8 bytes from each of its nodes to each, row by row. Of half a matrix, each row ends before the node itself.
/// Without islands, there is one matrix for all nodes, with all bits set where there is no way.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'t> {
    count: usize,
    wide: bool,
    half: bool,
    nodes: &'t [[u8; WORD]],
    cells: &'t [[u8; WORD]],
    islands: Option<Islands<'t>>,
    matrices: &'t [u8],
}

/// The islands of a cluster.
///
/// In the record: the number of islands; for each node its spot in 2 bytes and the number of its island in
/// 2 more; the rank of each node in 2 bytes, in the order of spots; padding; for each island, and for the end of the last, its first
/// spot and the number of costs before its own, in 4 bytes each.
#[derive(Clone, Copy)]
struct Islands<'t> {
    /// Number of nodes.
    count: usize,
    bytes: &'t [u8],
}

impl<'t> Islands<'t> {
    /// The islands of `count` nodes at the start of some bytes, and the bytes that follow.
    #[inline]
    fn split(bytes: &'t [u8], count: usize) -> (Self, &'t [u8]) {
        let islands = u32_at(bytes, 0) as usize;
        let (bytes, rest) = bytes.split_at(Self::words(count, islands) * WORD);
        (Self { count, bytes }, rest)
    }

    /// Words that `islands` islands of `count` nodes take.
    #[inline]
    const fn words(count: usize, islands: usize) -> usize {
        Self::before_bounds(count) + (islands + 1) * 2
    }

    #[inline]
    const fn before_bounds(count: usize) -> usize {
        1 + count + count.div_ceil(2)
    }

    /// Number of islands.
    fn len(&self) -> usize {
        u32_at(self.bytes, 0) as usize
    }

    /// The island of a node, and its spot.
    #[inline]
    fn of(&self, rank: usize) -> (usize, usize) {
        let word = u32_at(self.bytes, 1 + rank);
        ((word >> 16) as usize, (word & 0xffff) as usize)
    }

    #[inline]
    fn rank(&self, spot: usize) -> usize {
        u16_at(self.bytes, 2 * (1 + self.count) + spot).into()
    }

    /// What follows the ranks.
    fn padding(&self) -> &[u8] {
        &self.bytes[WORD * (1 + self.count) + 2 * self.count..WORD * Self::before_bounds(self.count)]
    }

    #[inline]
    fn spots(&self, island: usize) -> Range<usize> {
        self.bound(2 * island)..self.bound(2 * island + 2)
    }

    /// Where its costs are.
    #[inline]
    fn costs(&self, island: usize) -> Range<usize> {
        self.bound(2 * island + 1)..self.bound(2 * island + 3)
    }

    #[inline]
    fn bound(&self, at: usize) -> usize {
        u32_at(self.bytes, Self::before_bounds(self.count) + at) as usize
    }
}

/// The cost where there is no way from one node to another.
pub(crate) const UNREACHABLE: u64 = u64::MAX;

impl<'t> Costs<'t> {
    pub(super) const WIDE: u32 = 1 << 31;
    pub(super) const HALF: u32 = 1 << 30;
    pub(super) const ISLANDS: u32 = 1 << 29;
    /// The highest cost that takes 4 bytes: the sum of two is a number of 4 bytes with a sign.
    pub(crate) const MOST: u32 = (1 << 30) - 1;

    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let head = u32_at(record, 0);
        let count = Self::count_in(head);
        let (nodes, rest) = record[WORD..].split_at(count * WORD);
        let (cells, rest) = rest.split_at(count * WORD);
        let (wide, half) = (head & Self::WIDE != 0, head & Self::HALF != 0);
        let (islands, matrices) = if head & Self::ISLANDS == 0 {
            (None, rest)
        } else {
            let (islands, matrices) = Islands::split(rest, count);
            (Some(islands), matrices)
        };
        let [nodes, cells] = [nodes, cells].map(|bytes| bytes.as_chunks().0);
        Self { count, wide, half, nodes, cells, islands, matrices }
    }

    /// The number of nodes in the first word of a record.
    #[inline]
    pub(super) const fn count_in(head: u32) -> usize {
        (head & !(Self::WIDE | Self::HALF | Self::ISLANDS)) as usize
    }

    /// Encodes `nodes` and a matrix of costs, the same both ways, [`UNREACHABLE`] where there is none. With `half`, costs
    /// of 4 bytes are stored one way only.
    pub(crate) fn encode(
        nodes: impl ExactSizeIterator<Item = (u32, Cell)> + Clone,
        matrix: &[u64],
        half: bool,
    ) -> Vec<u8> {
        let count = nodes.len();
        debug_assert_eq!(matrix.len(), count * count);
        let wide = matrix.iter().any(|&cost| cost != UNREACHABLE && cost > Self::MOST.into());
        let cost_bytes = if wide { 8 } else { 4 };
        let mut record = Vec::with_capacity(WORD + count * 2 * WORD + matrix.len() * cost_bytes);
        let half = half && !wide;
        let head = count as u32 | if wide { Self::WIDE } else { 0 } | if half { Self::HALF } else { 0 };
        record.extend_from_slice(&head.to_le_bytes());
        record.extend(nodes.clone().flat_map(|(node, _)| node.to_le_bytes()));
        record.extend(nodes.flat_map(|(_, cell)| cell.pack().to_le_bytes()));
        for (from, row) in matrix.chunks(count.max(1)).enumerate() {
            for &cost in if half { &row[..from] } else { row } {
                // Truncating keeps "all bits set", so this covers `UNREACHABLE`, too.
                record.extend_from_slice(&cost.to_le_bytes()[..cost_bytes]);
            }
        }
        Self::with_islands(record)
    }

    /// A record without islands as one with islands, if that takes fewer bytes.
    pub(crate) fn with_islands(record: Vec<u8>) -> Vec<u8> {
        let whole = Costs::new(&record);
        if whole.islands.is_some() {
            return record;
        }
        let members = whole.members();
        if !whole.are_worth_it(members.iter().map(Vec::len)) {
            return record;
        }
        let count = whole.count;
        let spots: Vec<usize> = members.iter().flatten().copied().collect();
        let cost_bytes = whole.cost_bytes();
        let mut with_islands = Vec::with_capacity(record.len());
        with_islands.extend_from_slice(&(u32_at(&record, 0) | Self::ISLANDS).to_le_bytes());
        with_islands.extend_from_slice(whole.nodes.as_flattened());
        with_islands.extend_from_slice(whole.cells.as_flattened());
        with_islands.extend_from_slice(&(members.len() as u32).to_le_bytes());
        let mut of_nodes = vec![0_u32; count];
        let by_spot = (0_u32..)
            .zip(&members)
            .flat_map(|(island, members)| members.iter().map(move |&rank| (island, rank)));
        for (spot, (island, rank)) in (0_u32..).zip(by_spot) {
            of_nodes[rank] = island << 16 | spot;
        }
        with_islands.extend(of_nodes.into_iter().flat_map(u32::to_le_bytes));
        with_islands.extend(spots.iter().flat_map(|&rank| (rank as u16).to_le_bytes()));
        with_islands.resize(with_islands.len().next_multiple_of(WORD), 0);
        let (mut spot, mut costs) = (0, 0);
        for nodes in members.iter().map(Vec::len).chain([0]) {
            with_islands.extend([spot, costs].into_iter().flat_map(|bound| (bound as u32).to_le_bytes()));
            (spot, costs) = (spot + nodes, costs + whole.costs_between(nodes));
        }
        for members in &members {
            for (at, &from) in members.iter().enumerate() {
                for &to in &members[..if whole.half { at } else { members.len() }] {
                    let at = whole.position(from, to).unwrap_or(0) * cost_bytes;
                    with_islands.extend_from_slice(&whole.matrices[at..at + cost_bytes]);
                }
            }
        }
        with_islands
    }

    /// Whether a record with islands of these sizes takes fewer bytes than one with a matrix of all nodes.
    fn are_worth_it(&self, islands: impl ExactSizeIterator<Item = usize>) -> bool {
        // On 32 bits, a forged number of nodes has more costs than can be counted.
        let words = Islands::words(self.count, islands.len()) as u64;
        let costs: u64 = islands.map(|nodes| self.costs_between(nodes) as u64).sum();
        let all = self.costs_between(self.count) as u64;
        words * WORD as u64 + costs * (self.cost_bytes() as u64) < all * self.cost_bytes() as u64
    }

    /// Bytes of a cost.
    const fn cost_bytes(&self) -> usize {
        if self.wide { 2 * WORD } else { WORD }
    }

    /// The ranks of each island, in order.
    fn members(&self) -> Vec<Vec<usize>> {
        if let Some(islands) = self.islands {
            let ranks = |island| islands.spots(island).map(|spot| islands.rank(spot)).collect();
            return (0..islands.len()).map(ranks).collect();
        }
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut is_known = vec![false; self.count];
        for first in 0..self.count {
            if !is_known[first] {
                let row = self.row(first);
                // Ways lead on: what one node of an island reaches, all do.
                let reached = |&to: &usize| to == first || !is_known[to] && row.cost(to).is_some();
                let island: Vec<usize> = (first..self.count).filter(reached).collect();
                for &rank in &island {
                    is_known[rank] = true;
                }
                members.push(island);
            }
        }
        members
    }

    /// Number of costs in the matrix of some nodes.
    const fn costs_between(&self, nodes: usize) -> usize {
        if self.half { half_at(nodes, 0) } else { nodes * nodes }
    }

    /// The record with one matrix for all nodes. Costs must take 4 bytes.
    fn joined(&self) -> Vec<u8> {
        debug_assert!(!self.wide);
        let nodes: Vec<(u32, Cell)> =
            (0..self.count).map(|rank| (self.node(rank), self.cell(rank))).collect();
        let same: Vec<_> = (0..self.count).map(Some).collect();
        self.rearranged(&nodes, &same)
    }

    /// The record with other numbers for its nodes.
    pub(crate) fn renamed(&self, nodes: impl ExactSizeIterator<Item = u32>) -> Vec<u8> {
        debug_assert_eq!(nodes.len(), self.count);
        let islands = self.islands.map_or(&[][..], |islands| islands.bytes);
        let bytes = WORD * (1 + 2 * self.count) + islands.len() + self.matrices.len();
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
        let head = count as u32 | if self.half { Self::HALF } else { 0 };
        record.extend_from_slice(&head.to_le_bytes());
        record.extend(nodes.iter().flat_map(|(node, _)| node.to_le_bytes()));
        record.extend(nodes.iter().flat_map(|(_, cell)| cell.pack().to_le_bytes()));
        let mut copied = Vec::new();
        for (from, &old_from) in was.iter().enumerate() {
            let row = old_from.and_then(|from| self.row(from).whole(&mut copied)).unwrap_or_default();
            for (to, old_to) in was[..if self.half { from } else { count }].iter().enumerate() {
                let known = old_to.and_then(|to| row.get(to)).copied();
                record.extend_from_slice(&known.unwrap_or(if from == to { ZERO } else { NO_WAY }));
            }
        }
        record
    }

    /// Changes the cost between two nodes in a record with costs of 4 bytes; returns false if it takes more. If the islands may be
    /// others then, the record has none any more, and [`Costs::with_islands`] gives it those that it should have.
    #[must_use]
    pub(crate) fn change(record: &mut Vec<u8>, (one, other): (usize, usize), units: u64) -> bool {
        let costs = Costs::new(record);
        let is_way = units != UNREACHABLE;
        if costs.wide || is_way && units > Self::MOST.into() {
            return false;
        }
        if costs.islands.is_some() {
            match (costs.position(one, other).is_some(), is_way) {
                (false, false) => return true,
                (true, true) => {}
                (true, false) | (false, true) => *record = costs.joined(),
            }
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
        let (start, count, from, to) = match self.islands {
            None => (0, self.count, from, to),
            Some(islands) => {
                let ((island, from), (other, to)) = (islands.of(from), islands.of(to));
                if island != other {
                    return None;
                }
                let spots = islands.spots(island);
                (islands.costs(island).start, spots.len(), from - spots.start, to - spots.start)
            }
        };
        Some(start + if self.half { half_at(from.max(to), from.min(to)) } else { from * count + to })
    }

    /// The first word of the record.
    const fn head(&self) -> u32 {
        self.count as u32
            | if self.wide { Self::WIDE } else { 0 }
            | if self.half { Self::HALF } else { 0 }
            | if self.islands.is_some() { Self::ISLANDS } else { 0 }
    }

    /// Whether costs take 8 bytes.
    pub(crate) const fn is_wide(&self) -> bool {
        self.wide
    }

    #[inline]
    pub(crate) const fn count(&self) -> usize {
        self.count
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
        ranks.resize(self.count, 0);
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
        (0..self.count).all(|to| to == rank || row.cost(to).is_none())
    }

    /// The ranks of the nodes from which no other can be reached.
    pub(crate) fn lone(&self) -> impl Iterator<Item = usize> {
        (0..self.count).filter(|&rank| self.is_lone(rank))
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
            None => (0, from, 0..self.count, 0),
            Some(islands) => {
                let ((island, spot), bounds) = (islands.of(from), islands.spots(islands.of(from).0));
                (island, spot - bounds.start, bounds, islands.costs(island).start)
            }
        };
        let bytes = self.cost_bytes();
        let costs = if self.half {
            &self.matrices[costs * bytes..]
        } else {
            &self.matrices[(costs + at * spots.len()) * bytes..][..spots.len() * bytes]
        };
        let Self { count: all, wide, half, islands, .. } = *self;
        Row { all, wide, half, at, first: spots.start, count: spots.len(), costs, island, islands }
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

    /// Whether other costs of 4 bytes have nodes on the same cells, in the same islands.
    pub(crate) fn has_islands_of(&self, other: Self) -> bool {
        let bytes = |costs: Self| costs.islands.map(|islands| islands.bytes);
        !self.wide && !other.wide && self.cells == other.cells && bytes(*self) == bytes(other)
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
        let (before, behind) = self.nodes.split_at(first.min(self.count));
        let find = |nodes: &[[u8; WORD]]| nodes.iter().position(|&word| u32::from_le_bytes(word) == node);
        find(behind).map(|rank| first + rank).or_else(|| find(before))
    }

    /// Checks the form of costs of at most `most` nodes.
    pub(crate) fn check_form(record: &[u8], most: usize) -> Result<(), Flaw> {
        ensure(record.len() >= WORD, "is empty")?;
        let head = u32_at(record, 0);
        let count = Self::count_in(head);
        ensure(count <= most, "has more nodes than its cluster can have")?;
        let (wide, half) = (head & Self::WIDE != 0, head & Self::HALF != 0);
        ensure(!(wide && half), "has half a matrix of wide costs")?;
        let rest = record.get((1 + 2 * count) * WORD..).ok_or("is shorter than its nodes take")?;
        let costs_between = |nodes: usize| if half { half_at(nodes, 0) } else { nodes * nodes };
        let (all, costs) = if head & Self::ISLANDS == 0 {
            (costs_between(count), rest)
        } else {
            let islands = rest.first_chunk().map_or(0, |word| u32::from_le_bytes(*word) as usize);
            ensure((1..=count).contains(&islands), "has no islands, or more of them than nodes")?;
            ensure(rest.len() >= Islands::words(count, islands) * WORD, "is shorter than its islands take")?;
            let (islands, costs) = Islands::split(rest, count);
            (islands.check_form(count, costs_between)?, costs)
        };
        let bytes = if wide { 2 * WORD } else { WORD };
        ensure(costs.len() as u64 == all as u64 * bytes as u64, "has another length than its nodes take")?;
        let mut words = costs.as_chunks().0.iter().copied().map(u32::from_le_bytes);
        let fits = wide || words.all(|cost| cost <= Self::MOST || cost == u32::MAX);
        ensure(fits, "has a cost that takes 8 bytes")?;
        Costs::new(record).check_islands()
    }

    /// Checks that there are islands exactly where they take fewer bytes, so that there is one record for the same costs. (Others
    /// are of older versions.)
    fn check_islands(&self) -> Result<(), Flaw> {
        let Some(islands) = self.islands else {
            let are_worth_it = self.are_worth_it(self.members().iter().map(Vec::len));
            return ensure(!are_worth_it, "has one matrix, while islands take fewer bytes");
        };
        let sizes = (0..islands.len()).map(|island| islands.spots(island).len());
        ensure(self.are_worth_it(sizes), "has islands, while one matrix takes fewer bytes")?;
        let ranks = |island: usize| islands.spots(island).map(|spot| islands.rank(spot));
        let is_sorted = (0..islands.len()).all(|island| ranks(island).is_sorted())
            && (0..islands.len()).map(|island| islands.rank(islands.spots(island).start)).is_sorted();
        ensure(is_sorted, "has islands in another order than nodes")?;
        ensure(islands.padding().iter().all(|&byte| byte == 0), "has padding that is not zero")?;
        let mut costs = self.matrices.chunks_exact(self.cost_bytes());
        ensure(!costs.any(|cost| cost.iter().all(|&byte| byte == u8::MAX)), "has no way inside an island")
    }
}

impl Islands<'_> {
    /// Checks the form of the islands of `count` nodes; returns the number of all costs.
    fn check_form(&self, count: usize, costs_between: impl Fn(usize) -> usize) -> Result<usize, Flaw> {
        ensure(self.spots(0).start == 0 && self.costs(0).start == 0, "does not start at its first island")?;
        let mut spots = 0;
        for island in 0..self.len() {
            ensure(self.spots(island).start < self.spots(island).end, "has an empty island")?;
            spots = self.spots(island).end;
            ensure(spots <= count, "has more nodes on its islands than in all")?;
            let costs = costs_between(self.spots(island).len());
            let is_right = self.costs(island).start.checked_add(costs) == Some(self.costs(island).end);
            ensure(is_right, "has another number of costs than an island takes")?;
            for spot in self.spots(island) {
                let rank = self.rank(spot);
                ensure(rank < count && self.of(rank) == (island, spot), "has a node in two places")?;
            }
        }
        // Then every node is on an island: each spot has another one.
        ensure(spots == count, "has nodes on no island")?;
        Ok(self.costs(self.len() - 1).end)
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

    /// The costs to the nodes of the same island as they are kept, if they take 4 bytes each; all bits are set where there is no
    /// way. `copied` is memory to put them together in.
    #[inline]
    pub(crate) fn narrow<'a>(&self, copied: &'a mut Vec<[u8; WORD]>) -> Option<&'a [[u8; WORD]]>
    where
        't: 'a,
    {
        let costs = self.costs.as_chunks().0;
        if !self.half {
            return (!self.wide).then_some(costs);
        }
        let from = self.at;
        copied.clear();
        copied.extend_from_slice(&costs[half_at(from, 0)..half_at(from, from)]);
        copied.push(ZERO);
        copied.extend((from + 1..self.count).map(|to| costs[half_at(to, from)]));
        Some(copied)
    }

    /// The costs of [`Row::narrow`] to nodes of lower rank; they must take 4 bytes each.
    pub(crate) fn lower(&self) -> &'t [[u8; WORD]] {
        let first = if self.half { half_at(self.at, 0) } else { 0 };
        &self.costs.as_chunks().0[first..first + self.at]
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
        let units = if self.wide {
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
mod tests {
    use super::*;
    use farstride_testkit::SplitMix64;

    /// Costs between nodes, of which those with the same remainder reach each other.
    fn matrix(count: usize, islands: usize, most: usize, random: &mut SplitMix64) -> Vec<u64> {
        let mut matrix = vec![UNREACHABLE; count * count];
        for from in 0..count {
            matrix[from * count + from] = 0;
            for to in (0..from).filter(|to| to % islands == from % islands) {
                let cost = random.between(1, most) as u64;
                matrix[from * count + to] = cost;
                matrix[to * count + from] = cost;
            }
        }
        matrix
    }

    fn nodes(count: usize) -> impl ExactSizeIterator<Item = (u32, Cell)> + Clone {
        (0..count as u32).map(|node| (7 * node + 3, Cell::new(node as u16, 5)))
    }

    /// Every reader gives what the matrix has.
    fn check(record: &[u8], count: usize, matrix: &[u64]) {
        Costs::check_form(record, count).unwrap();
        let costs = Costs::new(record);
        let mut spots: Vec<usize> = (0..count).map(|rank| Costs::spot_in(record, rank)).collect();
        assert!(spots.iter().enumerate().all(|(rank, &spot)| costs.rank_on(spot) == rank));
        spots.sort_unstable();
        assert!(spots.into_iter().eq(0..count));
        let (mut copied, mut copied_whole) = (Vec::new(), Vec::new());
        for (from, expected) in matrix.chunks(count).enumerate() {
            let units = |cost: Option<Cost>| cost.map_or(UNREACHABLE, Cost::units);
            let row = costs.row(from);
            assert!((0..count).map(|to| units(row.cost(to))).eq(expected.iter().copied()));
            let mut reached = vec![UNREACHABLE; count];
            row.for_each(|to, cost| reached[to] = cost.units());
            assert_eq!(reached, expected);
            reached[..from].fill(UNREACHABLE);
            row.for_each_lower(|to, cost| reached[to] = cost.units());
            assert_eq!(reached, expected);
            let words = |cost: &u64| (*cost as u32).to_le_bytes();
            if let Some(whole) = row.whole(&mut copied_whole) {
                assert!(whole.iter().copied().eq(expected.iter().map(words)));
                let island = row.narrow(&mut copied).unwrap();
                assert!(row.spots().zip(island).all(|(spot, &cost)| cost == whole[costs.rank_on(spot)]));
                assert!(row.spots().contains(&Costs::spot_in(record, from)));
                assert_eq!(row.lower(), &island[..Costs::spot_in(record, from) - row.spots().start]);
            }
        }
    }

    #[test]
    fn islands_hold_what_a_whole_matrix_holds() {
        let mut random = SplitMix64::new(3);
        let mut with_islands = 0;
        for count in [1, 2, 3, 8, 21, 60] {
            for islands in 1..=count.min(9) {
                for (most, half) in [(1 << 20, false), (1 << 20, true), (1 << 31, false), (1 << 31, true)] {
                    let matrix = matrix(count, islands, most, &mut random);
                    let record = Costs::encode(nodes(count), &matrix, half);
                    with_islands += usize::from(Costs::new(&record).has_islands());
                    check(&record, count, &matrix);
                    let renamed = Costs::new(&record).renamed(nodes(count).map(|(node, _)| node));
                    assert_eq!(renamed, record);
                }
            }
        }
        assert!(with_islands > 50);
    }

    #[test]
    fn costs_that_change_give_the_record_of_the_new_costs() {
        let mut random = SplitMix64::new(4);
        let mut changes = [0; 4];
        for round in 0..200 {
            let (count, half) = (random.between(2, 30), round % 2 == 0);
            let [islands, other] = [0; 2].map(|_| random.between(1, 6));
            let [before, after] = [islands, if round % 3 == 0 { islands } else { other }]
                .map(|islands| matrix(count, islands, 1 << 20, &mut random));
            let mut record = Costs::encode(nodes(count), &before, half);
            for one in 0..count {
                for other in 0..one {
                    assert!(Costs::change(&mut record, (one, other), after[one * count + other]));
                }
            }
            let expected = Costs::encode(nodes(count), &after, half);
            assert_eq!(Costs::with_islands(record), expected);
            let [had, has] = [&Costs::encode(nodes(count), &before, half), &expected]
                .map(|record| Costs::new(record).has_islands());
            changes[2 * usize::from(had) + usize::from(has)] += 1;
        }
        assert!(changes.iter().all(|&count| count > 10), "{changes:?}");
        let mut record = Costs::encode(nodes(2), &[0, 1, 1, 0], false);
        assert!(!Costs::change(&mut record, (0, 1), 1 << 30));
    }

    #[test]
    fn there_is_one_record_for_the_same_costs() {
        let mut random = SplitMix64::new(6);
        for (count, islands, is_better) in [(20, 4, true), (3, 3, false)] {
            let matrix = matrix(count, islands, 1 << 20, &mut random);
            let record = Costs::encode(nodes(count), &matrix, false);
            assert_eq!(Costs::new(&record).has_islands(), is_better);
            let joined = Costs::new(&record).joined();
            assert_eq!(Costs::check_form(&joined, count).is_err(), is_better);
        }
    }

    #[test]
    fn forged_islands_are_refused() {
        let mut random = SplitMix64::new(5);
        for (count, most, half) in [(20, 1 << 20, false), (27, 1 << 20, true), (21, 1 << 31, false)] {
            let matrix = matrix(count, 4, most, &mut random);
            let record = Costs::encode(nodes(count), &matrix, half);
            assert!(Costs::new(&record).has_islands());
            let first = (1 + 2 * count) * WORD;
            for at in first..first + Islands::words(count, 4) * WORD {
                for bit in 0..8 {
                    let mut forged = record.clone();
                    forged[at] ^= 1 << bit;
                    assert!(Costs::check_form(&forged, count).is_err(), "byte {at}");
                }
            }
            for length in 0..record.len() {
                assert!(Costs::check_form(&record[..length], count).is_err());
            }
        }
    }
}

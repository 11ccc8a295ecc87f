//! How the nodes of clusters are joined: inter-edges, the ways out of a cluster, and the ranks of
//! nodes on upper levels.

use super::{Row, WORD, u16_at, u32_at};
use crate::base::{Cost, Direction};

/// An inter-edge from a node of a 1-cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    /// The node it leads to.
    pub(crate) head: u32,
    /// The highest level on which it counts.
    pub(crate) height: u8,
    /// Whether it is the door of a pocket of the level above, and does not count there for that reason alone.
    pub(crate) is_pocket_door: bool,
    pub(crate) cost: Cost,
}

impl Link {
    /// Bits of the cost; the height has the others, and [`Link::POCKET_DOOR`].
    const COST_BITS: u32 = 24;
    const POCKET_DOOR: u8 = 1 << 7;

    #[inline]
    fn read([head, cost]: [u32; 2]) -> Self {
        let height = (cost >> Self::COST_BITS) as u8;
        Self {
            head,
            height: height & !Self::POCKET_DOOR,
            is_pocket_door: height & Self::POCKET_DOOR != 0,
            cost: cost_in(cost),
        }
    }

    const fn words(self) -> [u32; 2] {
        let height = self.height | if self.is_pocket_door { Self::POCKET_DOOR } else { 0 };
        [self.head, self.cost.units() as u32 | (height as u32) << Self::COST_BITS]
    }

    /// Whether it counts on a level, or would if it were not the door of a pocket.
    #[inline]
    pub(crate) const fn is_in_net(&self, level: u8) -> bool {
        self.height + self.is_pocket_door as u8 >= level
    }
}

/// The inter-edges of a 1-cluster's nodes.
///
/// Record: the number of nodes in 2 bytes; for each node 2 bytes with the number
/// of links before its own, and 2 more for their total; padding; for each link the
/// number of the node it leads to, its cost in 3 bytes and its height in one, of which the highest bit is set for
/// the door of a pocket.
#[derive(Clone, Copy)]
pub(crate) struct Links<'t> {
    first: &'t [u8],
    links: &'t [u8],
}

impl<'t> Links<'t> {
    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let count = usize::from(u16_at(record, 0));
        let (first, links) = record.split_at(((count + 2) * 2).next_multiple_of(WORD));
        Self { first: &first[2..(count + 2) * 2], links }
    }

    /// Encodes the links of each node.
    pub(crate) fn encode(links: &[Vec<Link>]) -> Vec<u8> {
        let mut record = (links.len() as u16).to_le_bytes().to_vec();
        let mut first = 0_u16;
        for links in links {
            record.extend_from_slice(&first.to_le_bytes());
            first += links.len() as u16;
        }
        record.extend_from_slice(&first.to_le_bytes());
        record.resize(record.len().next_multiple_of(WORD), 0);
        let words = links.iter().flatten().flat_map(|link| link.words());
        record.extend(words.flat_map(u32::to_le_bytes));
        record
    }

    /// Sets how high the inter-edge from a node to another counts.
    pub(crate) fn set_height(
        record: &mut [u8],
        (local, head): (usize, u32),
        (height, is_pocket_door): (u8, bool),
    ) {
        let count = usize::from(u16_at(record, 0));
        let (first, links) = record.split_at_mut(((count + 2) * 2).next_multiple_of(WORD));
        let [from, to] = [local + 1, local + 2].map(|at| usize::from(u16_at(first, at)));
        for link in links[from * 2 * WORD..to * 2 * WORD].chunks_exact_mut(2 * WORD) {
            let old = Link::read([u32_at(link, 0), u32_at(link, 1)]);
            if old.head == head {
                let [_, word] = Link { height, is_pocket_door, ..old }.words();
                link[WORD..].copy_from_slice(&word.to_le_bytes());
            }
        }
    }

    /// Calls `visit` with every inter-edge and the local number of the node it starts
    /// from.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize, Link)) {
        let count = self.first.len() / 2 - 1;
        for local in 0..count {
            self.for_each_from(local, |link| visit(local, link));
        }
    }

    /// Calls `visit` with every inter-edge of one node.
    #[inline]
    pub(crate) fn for_each_from(&self, local: usize, mut visit: impl FnMut(Link)) {
        let from = usize::from(u16_at(self.first, local));
        let to = usize::from(u16_at(self.first, local + 1));
        for link in self.links[from * 2 * WORD..to * 2 * WORD].chunks_exact(2 * WORD) {
            visit(Link::read([u32_at(link, 0), u32_at(link, 1)]));
        }
    }
}

/// The step of an inter-edge.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) cost: Cost,
    pub(crate) direction: Direction,
}

impl Step {
    const fn word(self) -> u32 {
        self.cost.units() as u32 | (self.direction as u32) << Link::COST_BITS
    }

    #[inline]
    const fn read(word: u32) -> Self {
        let direction = Direction::ALL[(word >> Link::COST_BITS) as usize % Direction::ALL.len()];
        Self { cost: cost_in(word), direction }
    }
}

/// The cost in a word of which another number has the other bits.
#[inline]
const fn cost_in(word: u32) -> Cost {
    Cost::from_units((word & ((1 << Link::COST_BITS) - 1)) as u64)
}

/// The inter-edges out of a cluster of level 2 or more. (Those out of a 1-cluster
/// are its [`Links`].)
///
/// Record: the number of nodes; for each of them the number of the node to which
/// its first inter-edge out of the cluster leads; the steps of these: the cost in 3 bytes and the number of the
/// direction in one; for each
/// further inter-edge, in order, the rank of the node it starts from, the number of
/// the node it leads to, and its step. Nearly all nodes have just one, so a search
/// reads three plain arrays in one pass.
///
/// With the direction, a search knows the cells of the nodes that it reaches. Their own records lie all over
/// a large index.
#[derive(Clone, Copy)]
pub(crate) struct Doors<'t> {
    heads: &'t [u8],
    steps: &'t [u8],
    more: &'t [u8],
}

impl<'t> Doors<'t> {
    #[inline]
    pub(crate) fn new(record: &'t [u8]) -> Self {
        let count = u32_at(record, 0) as usize;
        let (heads, rest) = record[WORD..].split_at(count * WORD);
        let (steps, more) = rest.split_at(count * WORD);
        Self { heads, steps, more }
    }

    /// Encodes the inter-edges (node and step) of each node, at least one each.
    pub(crate) fn encode(doors: &[Vec<(u32, Step)>]) -> Vec<u8> {
        let mut words = vec![doors.len() as u32];
        words.extend(doors.iter().filter_map(|doors| doors.first()).map(|&(head, _)| head));
        words.extend(doors.iter().filter_map(|doors| doors.first()).map(|&(_, step)| step.word()));
        for (rank, doors) in doors.iter().enumerate() {
            words.extend(doors.iter().skip(1).flat_map(|&(head, step)| [rank as u32, head, step.word()]));
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Calls `visit` with the head of every inter-edge and the cost up to there,
    /// given the costs to the nodes of the cluster.
    #[inline]
    pub(crate) fn for_each_beyond(&self, row: Row<'_>, mut visit: impl FnMut(u32, Cost)) {
        if let Some(costs) = row.plain() {
            let words =
                |bytes: &'t [u8]| bytes.as_chunks::<WORD>().0.iter().map(|word| u32::from_le_bytes(*word));
            let costs = costs.iter().map(|word| u32::from_le_bytes(*word));
            for ((cost, head), step) in costs.zip(words(self.heads)).zip(words(self.steps)) {
                if cost != u32::MAX {
                    visit(head, Cost::from_units(cost.into()) + cost_in(step));
                }
            }
        } else {
            row.for_each(|rank, cost| {
                visit(u32_at(self.heads, rank), cost + cost_in(u32_at(self.steps, rank)));
            });
        }
        for more in self.more.chunks_exact(3 * WORD) {
            if let Some(cost) = row.cost(u32_at(more, 0) as usize) {
                visit(u32_at(more, 1), cost + cost_in(u32_at(more, 2)));
            }
        }
    }

    /// Calls `visit` with the head and the step of every inter-edge from the node of a rank.
    #[inline]
    pub(crate) fn for_each_at(&self, rank: usize, mut visit: impl FnMut(u32, Step)) {
        let [heads, steps] = [self.heads, self.steps].map(|bytes| bytes.as_chunks::<WORD>().0);
        if let (Some(&head), Some(&step)) = (heads.get(rank), steps.get(rank)) {
            visit(u32::from_le_bytes(head), Step::read(u32::from_le_bytes(step)));
        }
        // They are in the order of ranks, and there are many where diagonal steps squeeze between blocked cells.
        let further = self.more.as_chunks::<{ 3 * WORD }>().0;
        let first = further.partition_point(|more| (u32_at(more, 0) as usize) < rank);
        for more in further[first..].iter().take_while(|more| u32_at(*more, 0) as usize == rank) {
            visit(u32_at(more, 1), Step::read(u32_at(more, 2)));
        }
    }
}

/// The positions of a 1-cluster's nodes in the records of the levels above.
///
/// Record: for each node and each level from 2 on, its rank there in 2 bytes, or
/// [`Ranks::NOT_THERE`] if it is not a node of that level; padding.
#[derive(Clone, Copy)]
pub(crate) struct Ranks<'t> {
    record: &'t [u8],
    /// Number of levels above the first.
    upper_levels: usize,
}

impl<'t> Ranks<'t> {
    pub(crate) const NOT_THERE: u16 = u16::MAX;

    #[inline]
    pub(crate) const fn new(record: &'t [u8], levels: u8) -> Self {
        Self { record, upper_levels: levels as usize - 1 }
    }

    /// Encodes the ranks of each node; all levels of the first node come first.
    pub(crate) fn encode(ranks: &[u16]) -> Vec<u8> {
        let mut record: Vec<u8> = ranks.iter().flat_map(|rank| rank.to_le_bytes()).collect();
        record.resize(record.len().next_multiple_of(WORD), 0);
        record
    }

    /// Rank of a node on a level from 2 on; `None` if it is not a node there.
    #[inline]
    pub(crate) fn rank(&self, local: usize, level: u8) -> Option<usize> {
        let rank = u16_at(self.record, local * self.upper_levels + usize::from(level) - 2);
        (rank != Self::NOT_THERE).then_some(rank.into())
    }
}

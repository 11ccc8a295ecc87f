//! Open lists: the next node to expand.

use crate::base::Cost;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A priority queue of nodes, by ascending f = g + h. A node may be pushed several
/// times; the search skips all but the first to come out.
pub trait OpenList: Default {
    /// Empties the list and pushes the first node.
    fn start(&mut self, f: Cost, h: Cost, node: u32);

    /// Pushes a node.
    fn push(&mut self, f: Cost, h: Cost, node: u32);

    /// Removes and returns a node of least f.
    fn pop(&mut self) -> Option<u32>;
}

/// A binary heap, for any costs in any order of pushes.
///
/// Ties in f go to the smaller h, which is closer to the goal, then to the smaller
/// packed node, so the order does not depend on the pushes.
///
/// An entry is one integer, f above h above the node: comparing it takes two
/// instructions where comparing three fields took four branches.
#[derive(Debug, Default)]
pub struct HeapQueue {
    heap: BinaryHeap<Reverse<u128>>,
}

/// Bits of a node and of a cost in an entry.
const NODE_BITS: u32 = 32;
const COST_BITS: u32 = 48;

impl OpenList for HeapQueue {
    fn start(&mut self, f: Cost, h: Cost, node: u32) {
        self.heap.clear();
        self.push(f, h, node);
    }

    #[inline]
    fn push(&mut self, f: Cost, h: Cost, node: u32) {
        // Above the largest exact cost the order no longer matters.
        let [f, h] = [f, h].map(|cost| u128::from(cost.min(Cost::MAX).units()));
        self.heap.push(Reverse(f << (NODE_BITS + COST_BITS) | h << NODE_BITS | u128::from(node)));
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|Reverse(entry)| entry as u32)
    }
}

/// A list that drops nodes whose f exceeds a limit: the search ends once no path
/// within the limit is left.
#[derive(Debug, Default)]
pub(crate) struct LimitedQueue<Q = HeapQueue> {
    list: Q,
    /// The largest f to keep.
    pub(crate) limit: Cost,
}

impl<Q: OpenList> OpenList for LimitedQueue<Q> {
    fn start(&mut self, f: Cost, h: Cost, node: u32) {
        self.list.start(f, h, node);
    }

    #[inline]
    fn push(&mut self, f: Cost, h: Cost, node: u32) {
        if f <= self.limit {
            self.list.push(f, h, node);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.list.pop()
    }
}

/// Buckets for searches of a goal that do not stop there: as soon as the goal is pushed,
/// nodes are dropped that cannot lie on a path as short, or on a shorter one.
///
/// Nodes of a bucket come in any order, and the search expands some of them once more.
/// When no node is left, the cost of the goal is exact, and so are the costs of all nodes on
/// shortest paths if ties are kept.
#[derive(Debug, Default)]
pub(crate) struct GoalQueue {
    ring: BucketQueue<FINE>,
    /// The goal, packed. Set it before a search starts.
    pub(crate) goal: u32,
    /// Whether nodes are kept that may lie on a path as short as the best. Set it before
    /// a search starts.
    pub(crate) ties: bool,
    /// The largest f to keep.
    most: Cost,
}

impl OpenList for GoalQueue {
    fn start(&mut self, f: Cost, h: Cost, node: u32) {
        self.most = Cost::MAX;
        self.ring.start(f, h, node);
    }

    #[inline]
    fn push(&mut self, f: Cost, h: Cost, node: u32) {
        if node == self.goal {
            let most = if self.ties { f } else { Cost::from_units(f.units().saturating_sub(1)) };
            self.most = self.most.min(most);
        } else if f <= self.most {
            self.ring.push(f, h, node);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let node = self.ring.pop()?;
        (self.ring.floor() <= self.most).then_some(node)
    }
}

/// A first-in, first-out list that drops nodes whose f exceeds a limit. For
/// searches that expand nearly every node anyway: keeping an order costs more
/// than it saves.
#[derive(Debug, Default)]
pub(crate) struct Fifo {
    nodes: Vec<u32>,
    next: usize,
    /// The largest f to keep.
    pub(crate) limit: Cost,
}

impl OpenList for Fifo {
    fn start(&mut self, _: Cost, _: Cost, node: u32) {
        self.nodes.clear();
        self.nodes.push(node);
        self.next = 0;
    }

    #[inline]
    fn push(&mut self, f: Cost, _: Cost, node: u32) {
        if f <= self.limit {
            self.nodes.push(node);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let node = self.nodes.get(self.next).copied();
        self.next += usize::from(node.is_some());
        node
    }
}

/// Consecutive values of f that share a bucket of a search with a heuristic. Grid
/// steps cost an even number, so A* loses nothing; Theta* may take two adjacent values
/// in either order.
const NARROW: u64 = 2;
/// The same for searches on any weights. Without a heuristic no node of a bucket is improved
/// by another one of it, because no step costs less, and their order does not matter. With
/// one, a path may be that much too long.
const WIDE: u64 = 4096;
/// The same for searches with a heuristic over long arcs on any weights, which expand nodes of a
/// bucket again that come in the wrong order. With wide buckets that doubled the work.
const FINE: u64 = 256;
/// Number of buckets: a power of two that covers the largest rise of f in one
/// step, twice the most expensive diagonal (2 × 7100 units). With wide buckets it covers
/// steps of any weight; longer arcs may lead beyond.
const RING: usize = 1 << 13;
const WORDS: usize = RING / 64;
/// Marks the end of a chain of entries.
const NIL: u32 = u32::MAX;

/// A ring of buckets by f: constant-time push and pop.
///
/// Exact if f never falls below that of the last popped node and rises by less
/// than the ring per step: true on unweighted grids with a consistent heuristic.
/// Theta* pushes a few nodes below the last popped f, and Lazy Theta* some beyond
/// the ring; these go to the near and far end of the ring. Ties go to the node
/// pushed last, usually the one farthest along its path; the order depends on the
/// pushes alone, so it is deterministic.
///
/// Push and pop do not branch on the state of a bucket: it is close to random, and
/// mispredictions cost a third of the time.
#[derive(Debug)]
pub(crate) struct BucketQueue<const WIDTH: u64 = NARROW> {
    /// First entry of each bucket; valid where `occupied` says so.
    heads: Box<[u32; RING]>,
    /// One bit per bucket.
    occupied: [u64; WORDS],
    /// Number of entries in all buckets.
    len: usize,
    /// The first `used` entries are in a bucket or in the free chain.
    entries: Vec<Entry>,
    used: usize,
    /// Head of the chain of reusable entries.
    free: u32,
    /// The f of the last popped node, in buckets.
    floor: u64,
    /// Nodes beyond a ring of wide buckets, and their f in buckets.
    beyond: BinaryHeap<Reverse<(u64, u32)>>,
}

/// Buckets for searches on weighted ground.
pub(crate) type WideQueue = BucketQueue<WIDE>;

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    next: u32,
}

impl<const WIDTH: u64> Default for BucketQueue<WIDTH> {
    #[expect(clippy::large_stack_arrays, reason = "32 kB, once per scratch; a slice costs a test per push")]
    fn default() -> Self {
        Self {
            heads: Box::new([NIL; RING]),
            occupied: [0; WORDS],
            len: 0,
            entries: Vec::new(),
            used: 0,
            free: NIL,
            floor: 0,
            beyond: BinaryHeap::new(),
        }
    }
}

impl<const WIDTH: u64> BucketQueue<WIDTH> {
    /// The first occupied bucket at or after `from`, wrapping around. There must
    /// be one. Occupied buckets are close together: a second level of bits costs
    /// more per push than it saves here.
    #[inline]
    fn next_occupied(&self, from: usize) -> usize {
        let mut word = from / 64;
        let mut here = self.occupied[word] & u64::MAX << (from % 64);
        while here == 0 {
            word = (word + 1) % WORDS;
            here = self.occupied[word];
        }
        word * 64 + here.trailing_zeros() as usize
    }

    /// No node is left whose f is less.
    #[inline]
    const fn floor(&self) -> Cost {
        Cost::from_units(self.floor * WIDTH)
    }

    /// Moves nodes from beyond the ring into it, as far as it reaches by now.
    #[cold]
    fn fetch(&mut self) {
        if self.len == 0
            && let Some(&Reverse((f, _))) = self.beyond.peek()
        {
            self.floor = f;
        }
        while let Some(&Reverse((f, node))) = self.beyond.peek()
            && f < self.floor + RING as u64
        {
            self.beyond.pop();
            self.push(Cost::from_units(f * WIDTH), Cost::ZERO, node);
        }
    }

    /// Takes an entry that is in no bucket.
    #[inline]
    fn unused_entry(&mut self) -> u32 {
        if self.used == self.entries.len() {
            let room = (self.used * 2).max(1 << 10);
            self.entries.resize(room, Entry { node: 0, next: NIL });
        }
        let reuse = self.free != NIL;
        let index = if reuse { self.free } else { self.used as u32 };
        self.used += usize::from(!reuse);
        let next = self.entries[index as usize].next;
        self.free = if reuse { next } else { NIL };
        index
    }
}

impl<const WIDTH: u64> OpenList for BucketQueue<WIDTH> {
    fn start(&mut self, f: Cost, h: Cost, node: u32) {
        self.occupied.fill(0);
        self.len = 0;
        self.used = 0;
        self.free = NIL;
        self.floor = f.units() / WIDTH;
        self.beyond.clear();
        self.push(f, h, node);
    }

    #[inline]
    fn push(&mut self, f: Cost, _: Cost, node: u32) {
        let f = (f.units() / WIDTH).max(self.floor);
        if WIDTH != NARROW && f >= self.floor + RING as u64 {
            self.beyond.push(Reverse((f, node)));
            return;
        }
        let f = f.min(self.floor + RING as u64 - 1);
        let bucket = f as usize % RING;
        let (word, bit) = (bucket / 64, 1 << (bucket % 64));
        let head = self.heads[bucket];
        let next = if self.occupied[word] & bit == 0 { NIL } else { head };
        let index = self.unused_entry();
        self.entries[index as usize] = Entry { node, next };
        self.heads[bucket] = index;
        self.occupied[word] |= bit;
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if WIDTH != NARROW && !self.beyond.is_empty() {
            self.fetch();
        }
        self.len = self.len.checked_sub(1)?;
        let lowest = self.floor as usize % RING;
        let bucket = self.next_occupied(lowest);
        self.floor += (bucket.wrapping_sub(lowest) % RING) as u64;
        let index = self.heads[bucket];
        let Entry { node, next } = self.entries[index as usize];
        self.entries[index as usize].next = self.free;
        self.free = index;
        self.heads[bucket] = next;
        self.occupied[bucket / 64] &= !(u64::from(next == NIL) << (bucket % 64));
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(queue: &mut impl OpenList, f: u64, node: u32) {
        queue.push(Cost::from_units(f), Cost::ZERO, node);
    }

    /// Pops nodes and pushes two above each, as a search does; returns the
    /// values of f in the order in which they came out.
    fn drain<Q: OpenList>() -> Vec<u64> {
        let mut queue = Q::default();
        let mut values = vec![1_000_000];
        queue.start(Cost::from_units(values[0]), Cost::ZERO, 0);
        let mut out = Vec::new();
        while let Some(node) = queue.pop() {
            let f = values[node as usize];
            out.push(f);
            for rise in [f * 7919 % 7_101 * 2, f * 104_729 % 4_501 * 2] {
                if values.len() < 5000 {
                    push(&mut queue, f + rise, values.len() as u32);
                    values.push(f + rise);
                }
            }
        }
        out
    }

    #[test]
    fn both_lists_hand_out_by_f() {
        let ring = drain::<BucketQueue>();
        assert_eq!(ring.len(), 5000);
        assert!(ring.is_sorted());
        assert_eq!(ring, drain::<HeapQueue>());
    }

    #[test]
    fn ties_go_to_the_last_comer() {
        let mut queue = <BucketQueue>::default();
        queue.start(Cost::from_units(5), Cost::ZERO, 1);
        push(&mut queue, 5, 2);
        push(&mut queue, 3, 3);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [3, 2, 1]);
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn what_lies_beyond_the_ring_waits_at_its_end() {
        let mut queue = <BucketQueue>::default();
        queue.start(Cost::ZERO, Cost::ZERO, 0);
        push(&mut queue, 1_000_000, 1);
        push(&mut queue, 100, 2);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [0, 2, 1]);
    }

    #[test]
    fn wide_buckets_keep_the_order_beyond_the_ring() {
        let mut queue = WideQueue::default();
        queue.start(Cost::ZERO, Cost::ZERO, 0);
        let far = WIDE * RING as u64;
        for (node, times) in [(5, 5), (2, 2), (4, 4), (1, 1), (3, 3)] {
            push(&mut queue, far * times + 7, node);
        }
        assert_eq!((queue.pop(), queue.pop()), (Some(0), Some(1)));
        push(&mut queue, far + WIDE, 6);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [6, 2, 3, 4, 5]);
    }

    #[test]
    fn the_ring_goes_round() {
        let mut queue = <BucketQueue>::default();
        queue.start(Cost::ZERO, Cost::ZERO, 0);
        for lap in 1..100_u32 {
            assert_eq!(queue.pop(), Some(lap - 1));
            push(&mut queue, u64::from(lap) * NARROW * (RING as u64 - 1), lap);
        }
    }
}

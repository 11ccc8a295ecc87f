//! Open lists: the next node to expand.

use crate::base::Cost;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Hands out nodes by ascending f = g + h. A node may be in it several times:
/// the search skips all but the first to come out.
pub trait OpenList: Default {
    /// Empties the list and puts in the first node.
    fn start(&mut self, f: Cost, h: Cost, node: u32);

    /// Puts in a node.
    fn push(&mut self, f: Cost, h: Cost, node: u32);

    /// Takes out a node of least f.
    fn pop(&mut self) -> Option<u32>;
}

/// A binary heap: any costs, any order of pushes.
///
/// Ties of f go to the smaller h, which is nearer to the goal, then to the
/// smaller node.
#[derive(Debug, Default)]
pub struct HeapQueue {
    heap: BinaryHeap<Reverse<(Cost, Cost, u32)>>,
}

impl OpenList for HeapQueue {
    fn start(&mut self, f: Cost, h: Cost, node: u32) {
        self.heap.clear();
        self.push(f, h, node);
    }

    #[inline]
    fn push(&mut self, f: Cost, h: Cost, node: u32) {
        self.heap.push(Reverse((f, h, node)));
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|Reverse((.., node))| node)
    }
}

/// Buckets in the ring: a power of two above the largest rise of f in one
/// step, which is twice the dearest diagonal (2 × 7100).
const RING: usize = 1 << 14;
const WORDS: usize = RING / 64;
/// End of a chain of entries.
const NIL: u32 = u32::MAX;

/// A ring of buckets, one per value of f: push and pop in constant time.
///
/// Fit for searches in which f never falls below the last node taken out and
/// never rises by [`RING`] or more in one step: unweighted grids with a
/// consistent heuristic. A node that would come before the last one taken out
/// (Theta* makes a few) is put level with it. Ties go to the node that came
/// last, which is usually the farthest on its way; the order depends on the
/// pushes alone.
#[derive(Debug)]
pub(crate) struct BucketQueue {
    /// First entry of each bucket; valid where `occupied` says so.
    heads: Box<[u32]>,
    /// One bit per bucket, and one bit per word of those.
    occupied: [u64; WORDS],
    summary: [u64; WORDS / 64],
    entries: Vec<Entry>,
    /// First entry of the chain of those that can be used again.
    free: u32,
    /// The f of the last node taken out.
    floor: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    next: u32,
}

impl Default for BucketQueue {
    fn default() -> Self {
        Self {
            heads: vec![NIL; RING].into(),
            occupied: [0; WORDS],
            summary: [0; WORDS / 64],
            entries: Vec::new(),
            free: NIL,
            floor: 0,
        }
    }
}

impl BucketQueue {
    /// The first occupied bucket at or after `from`, around the ring.
    #[inline]
    fn next_occupied(&self, from: usize) -> Option<usize> {
        let word = from / 64;
        let here = self.occupied[word] & u64::MAX << (from % 64);
        if here != 0 {
            return Some(word * 64 + here.trailing_zeros() as usize);
        }
        let word = self.next_word((word + 1) % WORDS)?;
        Some(word * 64 + self.occupied[word].trailing_zeros() as usize)
    }

    /// The first word with an occupied bucket at or after `from`.
    fn next_word(&self, from: usize) -> Option<usize> {
        let first = from / 64;
        let here = self.summary[first] & u64::MAX << (from % 64);
        if here != 0 {
            return Some(first * 64 + here.trailing_zeros() as usize);
        }
        let count = self.summary.len();
        (1..=count)
            .map(|step| (first + step) % count)
            .find(|&group| self.summary[group] != 0)
            .map(|group| group * 64 + self.summary[group].trailing_zeros() as usize)
    }

    #[inline]
    fn take_entry(&mut self, entry: Entry) -> u32 {
        if self.free == NIL {
            self.entries.push(entry);
            return self.entries.len() as u32 - 1;
        }
        let index = self.free;
        self.free = self.entries[index as usize].next;
        self.entries[index as usize] = entry;
        index
    }
}

impl OpenList for BucketQueue {
    fn start(&mut self, f: Cost, h: Cost, node: u32) {
        self.occupied.fill(0);
        self.summary.fill(0);
        self.entries.clear();
        self.free = NIL;
        self.floor = f.units();
        self.push(f, h, node);
    }

    #[inline]
    fn push(&mut self, f: Cost, _: Cost, node: u32) {
        let f = f.units().max(self.floor);
        debug_assert!(f - self.floor < RING as u64, "f rises too fast for the ring");
        let bucket = f as usize % RING;
        let bit = 1 << (bucket % 64);
        let next = if self.occupied[bucket / 64] & bit == 0 { NIL } else { self.heads[bucket] };
        self.heads[bucket] = self.take_entry(Entry { node, next });
        self.occupied[bucket / 64] |= bit;
        self.summary[bucket / 64 / 64] |= 1 << (bucket / 64 % 64);
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let lowest = self.floor as usize % RING;
        let bucket = self.next_occupied(lowest)?;
        self.floor += (bucket.wrapping_sub(lowest) % RING) as u64;
        let index = self.heads[bucket];
        let Entry { node, next } = self.entries[index as usize];
        self.entries[index as usize].next = self.free;
        self.free = index;
        if next == NIL {
            self.occupied[bucket / 64] &= !(1 << (bucket % 64));
            if self.occupied[bucket / 64] == 0 {
                self.summary[bucket / 64 / 64] &= !(1 << (bucket / 64 % 64));
            }
        } else {
            self.heads[bucket] = next;
        }
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(queue: &mut impl OpenList, f: u64, node: u32) {
        queue.push(Cost::from_units(f), Cost::ZERO, node);
    }

    /// Takes nodes out and puts two above each back in, as a search does; the
    /// values of f in the order they came out.
    fn drain<Q: OpenList>() -> Vec<u64> {
        let mut queue = Q::default();
        let mut values = vec![1_000_000];
        queue.start(Cost::from_units(values[0]), Cost::ZERO, 0);
        let mut out = Vec::new();
        while let Some(node) = queue.pop() {
            let f = values[node as usize];
            out.push(f);
            for rise in [f * 7919 % 14_201, f * 104_729 % 9_001] {
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
        let mut queue = BucketQueue::default();
        queue.start(Cost::from_units(5), Cost::ZERO, 1);
        push(&mut queue, 5, 2);
        push(&mut queue, 4, 3);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [3, 2, 1]);
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn the_ring_goes_round() {
        let mut queue = BucketQueue::default();
        queue.start(Cost::ZERO, Cost::ZERO, 0);
        for lap in 1..100_u32 {
            assert_eq!(queue.pop(), Some(lap - 1));
            push(&mut queue, u64::from(lap) * (RING as u64 - 1), lap);
        }
    }
}

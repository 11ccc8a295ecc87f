//! The search tree: what a search knows about each node it has reached.

use crate::base::Cost;
use crate::search::PriorState;
use crate::search::theta::{Cone, PackedCone};

/// The search tree: g and parent of every reached node, cleared in O(1).
///
/// A node's record is one word: the number of the search that wrote it, then how
/// far g lies *below* [`Cost::MAX`], then whether the node is closed. Words grow
/// with every search and with every improvement, so one comparison shows whether
/// a g is an improvement, whether the node is unseen, was written by an earlier
/// search, or is known at a higher g. All-zero memory is an empty tree: pages
/// that no search touches never become resident.
///
/// Parents are stored separately: an improvement writes them, but the many
/// neighbours that are not improved need not load them.
/// # Panics
/// Methods that take an index, except [`SearchTree::cost`] and
/// [`SearchTree::is_reached`], panic if it is not below the graph's node count.
#[derive(Debug, Default)]
pub struct SearchTree {
    words: Vec<u64>,
    parents: Vec<u32>,
    /// For Theta*: what a node's parent is known to see. Empty until first used.
    cones: Vec<PackedCone>,
    search: u64,
    /// The record of an open node at g = 0 in this search.
    zero: u64,
    overflowed: bool,
}

/// Set while a node is closed: the lowest bit, so that closing a node does not
/// change how its g compares.
const CLOSED: u64 = 1;
const COST_SHIFT: u32 = 1;
/// The number of the search takes the 15 bits above the 48 of the cost.
const SEARCH_SHIFT: u32 = 49;
const LAST_SEARCH: u64 = (1 << (64 - SEARCH_SHIFT)) - 1;
/// Legs are distinguished up to half this length (in units); the square of this still
/// fits in 64 bits.
const LONGEST_LEG: u64 = 1 << 32;

impl SearchTree {
    /// Starts a new search: forgets all nodes and makes room for `nodes`.
    pub(super) fn begin(&mut self, nodes: usize) {
        if self.words.len() < nodes {
            // Fresh zeroed memory instead of `resize`: nothing old is worth copying.
            self.words = vec![0; nodes];
            self.parents = vec![0; nodes];
            self.search = 0;
        }
        if self.search == LAST_SEARCH {
            self.words.fill(0);
            self.search = 0;
        }
        self.search += 1;
        self.zero = self.search << SEARCH_SHIFT | Cost::MAX.units() << COST_SHIFT;
        self.overflowed = false;
    }

    fn word_of(&self, g: Cost) -> u64 {
        self.zero - (g.units() << COST_SHIFT)
    }

    /// Whether `g` is lower than the known g of node `index`.
    #[inline]
    pub fn improves(&self, index: usize, g: Cost) -> bool {
        g <= Cost::MAX && self.word_of(g) > self.words[index] | CLOSED
    }

    /// Records g and parent if g is an improvement; returns the node's state
    /// before, or `None` if it is not.
    #[inline]
    pub(super) fn improve(&mut self, index: usize, g: Cost, parent: u32) -> Option<PriorState> {
        if g > Cost::MAX {
            self.overflowed = true;
            return None;
        }
        let word = self.word_of(g);
        let before = self.words[index];
        if word <= before | CLOSED {
            return None;
        }
        self.words[index] = word;
        self.parents[index] = parent;
        Some(self.was(before))
    }

    /// Closes a node that need not be expanded at this g or more. It gets no
    /// parent, because no path is read back through it.
    #[inline]
    pub(super) fn settle(&mut self, index: usize, g: Cost) {
        let word = self.word_of(g.min(Cost::MAX));
        if word > self.words[index] | CLOSED {
            self.words[index] = word | CLOSED;
        }
    }

    /// Overwrites g and parent, better or not. A closed node stays closed.
    pub(crate) fn replace(&mut self, index: usize, g: Cost, parent: u32) {
        self.words[index] = self.word_of(g) | self.words[index] & CLOSED;
        self.parents[index] = parent;
    }

    fn was(&self, word: u64) -> PriorState {
        match (word >> SEARCH_SHIFT == self.search, word & CLOSED != 0) {
            (false, _) => PriorState::Unseen,
            (true, false) => PriorState::Open,
            (true, true) => PriorState::Closed,
        }
    }

    /// Closes a node; returns whether it was open.
    #[inline]
    pub(super) fn close(&mut self, index: usize) -> bool {
        let open = self.words[index] & CLOSED == 0;
        self.words[index] |= CLOSED;
        open
    }

    /// Whether this search has expanded node `index`.
    #[inline]
    pub fn is_closed(&self, index: usize) -> bool {
        self.was(self.words[index]) == PriorState::Closed
    }

    /// The records of a node and of its two neighbours in the table. Positions
    /// outside the table count as unseen.
    #[inline]
    pub(super) fn three_words(&self, middle: usize) -> [u64; 3] {
        let first = middle.wrapping_sub(1);
        match self.words.get(first..first.wrapping_add(3)) {
            Some(&[left, here, right]) => [left, here, right],
            _ => self.three_words_at_the_end(first),
        }
    }

    #[cold]
    fn three_words_at_the_end(&self, first: usize) -> [u64; 3] {
        [0, 1, 2].map(|i| self.words.get(first.wrapping_add(i)).copied().unwrap_or(0))
    }

    /// Whether a node with this record is not closed, and its g exceeds `from` plus
    /// the length of a straight leg, whose doubled length squared is `square`. May
    /// answer yes when in doubt.
    ///
    /// Avoids both the square root and a branch on the answer, which is close to
    /// random and most often no.
    #[inline]
    pub(super) fn is_open_for(&self, word: u64, from: Cost, square: u64) -> bool {
        // Treat an unseen node as an open one at `Cost::MAX`.
        let word = word.max(self.search << SEARCH_SHIFT);
        // For integers, ceil(sqrt(s)) < d if and only if s <= (d - 1)^2.
        let above = self.word_of(from).wrapping_sub(word).min(LONGEST_LEG).wrapping_sub(2);
        (word & CLOSED == 0) & (square <= above.wrapping_mul(above))
    }

    /// g of a node that this search has reached.
    #[inline]
    pub fn g(&self, index: usize) -> Cost {
        Cost::from_units(Cost::MAX.units() - (self.words[index] >> COST_SHIFT & Cost::MAX.units()))
    }

    /// g of node `index`, or `None` if this search has not reached it.
    pub fn cost(&self, index: usize) -> Option<Cost> {
        let word = *self.words.get(index)?;
        (self.was(word) != PriorState::Unseen).then(|| self.g(index))
    }

    /// Whether this search has reached node `index`.
    #[inline]
    pub fn is_reached(&self, index: usize) -> bool {
        self.words.get(index).is_some_and(|word| word >> SEARCH_SHIFT == self.search)
    }

    /// Packed parent of a node that this search has reached.
    #[inline]
    pub fn parent(&self, index: usize) -> u32 {
        self.parents[index]
    }

    /// Packed parent of node `index`, or `None` if this search has not reached it.
    pub(super) fn known_parent(&self, index: usize) -> Option<u32> {
        (self.was(self.words[index]) != PriorState::Unseen).then(|| self.parents[index])
    }

    /// The cone of a node that this search has reached and given one.
    #[inline]
    pub(super) fn cone(&self, index: usize) -> PackedCone {
        self.cones.get(index).copied().unwrap_or_default()
    }

    /// Stores a node's cone.
    #[inline]
    pub(super) fn set_cone(&mut self, index: usize, cone: PackedCone) {
        if index >= self.cones.len() {
            self.cones = vec![Cone::NONE; self.words.len()];
        }
        self.cones[index] = cone;
    }

    /// Whether a path was dropped because its cost exceeded [`Cost::MAX`].
    pub(super) const fn overflowed(&self) -> bool {
        self.overflowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(units: u64) -> Cost {
        Cost::new(units).unwrap()
    }

    #[test]
    fn only_lower_costs_improve() {
        let mut tree = SearchTree::default();
        tree.begin(2);
        assert_eq!(tree.improve(0, cost(7), 3), Some(PriorState::Unseen));
        assert_eq!(tree.improve(0, cost(7), 4), None);
        assert_eq!(tree.improve(0, cost(6), 5), Some(PriorState::Open));
        assert!(tree.close(0));
        assert!(!tree.close(0));
        assert_eq!(tree.improve(0, cost(6), 6), None);
        assert_eq!(tree.improve(0, cost(5), 6), Some(PriorState::Closed));
        assert_eq!((tree.g(0), tree.parent(0)), (cost(5), 6));
        assert_eq!(tree.cost(1), None);
        assert_eq!(tree.cost(2), None);
    }

    #[test]
    fn an_open_node_is_compared_with_a_leg_as_its_cost_would_be() {
        let mut tree = SearchTree::default();
        let from = cost(1_000);
        for (leg, square) in [(3, 9), (4, 10), (4, 16), (5, 17), (67_000_000, 67_000_000_u64.pow(2))] {
            for g in [leg - 1, leg, leg + 1, leg + 2, 1 << 40].map(|leg| from + cost(leg)) {
                tree.begin(2);
                let [_, unseen, _] = tree.three_words(0);
                assert!(tree.is_open_for(unseen, from, 4 * square));
                tree.improve(0, g, 0);
                let [outside, open, _] = tree.three_words(0);
                assert!(tree.is_open_for(outside, from, 4 * square));
                let news = from + cost(leg) < g;
                assert_eq!(tree.is_open_for(open, from, 4 * square), news);
                assert_eq!(tree.improves(0, from + cost(leg)), news);
                tree.close(0);
                let [_, closed, _] = tree.three_words(0);
                assert!(!tree.is_open_for(closed, from, 4 * square));
            }
        }
    }

    #[test]
    fn a_new_search_knows_nothing_even_when_the_counter_wraps() {
        let mut tree = SearchTree::default();
        for _ in 0..LAST_SEARCH + 5 {
            tree.begin(1);
            assert_eq!(tree.cost(0), None);
            assert_eq!(tree.improve(0, Cost::MAX, 0), Some(PriorState::Unseen));
            assert!(tree.close(0));
        }
    }

    #[test]
    fn costs_that_are_not_exact_are_noticed() {
        let mut tree = SearchTree::default();
        tree.begin(1);
        assert_eq!(tree.improve(0, Cost::MAX + cost(1), 0), None);
        assert!(tree.overflowed());
        tree.begin(1);
        assert!(!tree.overflowed());
    }
}

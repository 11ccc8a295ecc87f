//! What a search knows about each node.

use crate::base::Cost;
use crate::search::Was;
use crate::search::theta::{Cone, PackedCone};

/// The best known cost and the parent of every node, reset in O(1).
///
/// A label is one word: the number of the search that wrote it, then how far
/// its cost lies *below* [`Cost::MAX`], then whether the node is closed. Such
/// words grow with every search and with every improvement, so a single
/// comparison tells whether a cost is news, be the node unseen, left over from
/// an earlier search, or known at a higher cost. All-zero memory is an empty
/// table: pages that no search touches are never made resident.
///
/// Parents lie apart: they are written with an improvement but not read for
/// the many neighbours that are none.
///
/// # Panics
/// Methods that take an index, but for [`Labels::known`], panic on an index
/// that is not of a node of the graph searched.
#[derive(Debug, Default)]
pub struct Labels {
    words: Vec<u64>,
    parents: Vec<u32>,
    /// What Theta* knows of the sight from a node's parent; grows when used.
    cones: Vec<PackedCone>,
    search: u64,
    /// The word of cost 0 in this search.
    zero: u64,
    overflowed: bool,
}

const CLOSED: u64 = 1;
const COST_SHIFT: u32 = 1;
const SEARCH_SHIFT: u32 = 49;
const LAST_SEARCH: u64 = (1 << (64 - SEARCH_SHIFT)) - 1;
/// Twice the longest leg that is told from longer ones: the square still fits.
const LONGEST_LEG: u64 = 1 << 32;

impl Labels {
    /// Forgets everything and makes room for `nodes` nodes.
    pub(super) fn begin(&mut self, nodes: usize) {
        if self.words.len() < nodes {
            // Fresh zeroed memory, not `resize`: nothing old is worth copying.
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

    /// Whether `g` is less than what is known of node `index`.
    #[inline]
    pub fn is_news(&self, index: usize, g: Cost) -> bool {
        g <= Cost::MAX && self.word_of(g) > self.words[index] | CLOSED
    }

    /// Notes a cost and a parent if they are news; what the node was before.
    #[inline]
    pub(super) fn improve(&mut self, index: usize, g: Cost, parent: u32) -> Option<Was> {
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

    /// Notes that a node need not be expanded at this cost or more. It has no
    /// parent: no path is read back from it.
    #[inline]
    pub(super) fn settle(&mut self, index: usize, g: Cost) {
        let word = self.word_of(g.min(Cost::MAX));
        if word > self.words[index] | CLOSED {
            self.words[index] = word | CLOSED;
        }
    }

    /// Replaces cost and parent of a node without asking whether they are
    /// better; it stays closed if it was.
    pub(crate) fn replace(&mut self, index: usize, g: Cost, parent: u32) {
        self.words[index] = self.word_of(g) | self.words[index] & CLOSED;
        self.parents[index] = parent;
    }

    fn was(&self, word: u64) -> Was {
        match (word >> SEARCH_SHIFT == self.search, word & CLOSED != 0) {
            (false, _) => Was::Unseen,
            (true, false) => Was::Open,
            (true, true) => Was::Closed,
        }
    }

    /// Closes a node; whether it was open.
    #[inline]
    pub(super) fn close(&mut self, index: usize) -> bool {
        let open = self.words[index] & CLOSED == 0;
        self.words[index] |= CLOSED;
        open
    }

    /// Whether this search has expanded node `index`.
    #[inline]
    pub fn is_closed(&self, index: usize) -> bool {
        self.was(self.words[index]) == Was::Closed
    }

    /// The words of a node and of its neighbours in the table. What lies
    /// outside the table counts as unseen.
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

    /// Whether a node with this word is not closed and costs more than `from`
    /// and a straight leg together, of whose doubled length the square is
    /// given. In doubt yes.
    ///
    /// Neither a root nor a branch is taken for the answer: it is as good as
    /// random, and most often no.
    #[inline]
    pub(super) fn is_open_for(&self, word: u64, from: Cost, square: u64) -> bool {
        // An unseen node is as good as an open one of cost `Cost::MAX`.
        let word = word.max(self.search << SEARCH_SHIFT);
        // For whole numbers, ceil(sqrt(s)) < d if and only if s <= (d - 1)^2.
        let above = self.word_of(from).wrapping_sub(word).min(LONGEST_LEG).wrapping_sub(2);
        (word & CLOSED == 0) & (square <= above.wrapping_mul(above))
    }

    /// Cost of a node that this search has labelled.
    #[inline]
    pub fn g(&self, index: usize) -> Cost {
        Cost::from_units(Cost::MAX.units() - (self.words[index] >> COST_SHIFT & Cost::MAX.units()))
    }

    /// Cost of node `index`, if this search has labelled it.
    pub fn known(&self, index: usize) -> Option<Cost> {
        let word = *self.words.get(index)?;
        (self.was(word) != Was::Unseen).then(|| self.g(index))
    }

    /// Whether this search has labelled node `index`.
    #[inline]
    pub fn is_known(&self, index: usize) -> bool {
        self.words.get(index).is_some_and(|word| word >> SEARCH_SHIFT == self.search)
    }

    /// Packed parent of a node that this search has labelled.
    #[inline]
    pub fn parent(&self, index: usize) -> u32 {
        self.parents[index]
    }

    /// Packed parent of node `index`, if this search has labelled it.
    pub(super) fn known_parent(&self, index: usize) -> Option<u32> {
        (self.was(self.words[index]) != Was::Unseen).then(|| self.parents[index])
    }

    /// The cone of a node that this search has labelled and given one.
    #[inline]
    pub(super) fn cone(&self, index: usize) -> PackedCone {
        self.cones.get(index).copied().unwrap_or_default()
    }

    /// Gives a node a cone.
    #[inline]
    pub(super) fn set_cone(&mut self, index: usize, cone: PackedCone) {
        if index >= self.cones.len() {
            self.cones = vec![Cone::NONE; self.words.len()];
        }
        self.cones[index] = cone;
    }

    /// Whether a path was left out because its cost is not exact any more.
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
    fn only_lower_costs_are_news() {
        let mut labels = Labels::default();
        labels.begin(2);
        assert_eq!(labels.improve(0, cost(7), 3), Some(Was::Unseen));
        assert_eq!(labels.improve(0, cost(7), 4), None);
        assert_eq!(labels.improve(0, cost(6), 5), Some(Was::Open));
        assert!(labels.close(0));
        assert!(!labels.close(0));
        assert_eq!(labels.improve(0, cost(6), 6), None);
        assert_eq!(labels.improve(0, cost(5), 6), Some(Was::Closed));
        assert_eq!((labels.g(0), labels.parent(0)), (cost(5), 6));
        assert_eq!(labels.known(1), None);
        assert_eq!(labels.known(2), None);
    }

    #[test]
    fn an_open_node_is_compared_with_a_leg_as_its_cost_would_be() {
        let mut labels = Labels::default();
        let from = cost(1_000);
        for (leg, square) in [(3, 9), (4, 10), (4, 16), (5, 17), (67_000_000, 67_000_000_u64.pow(2))] {
            for g in [leg - 1, leg, leg + 1, leg + 2, 1 << 40].map(|leg| from + cost(leg)) {
                labels.begin(2);
                let [_, unseen, _] = labels.three_words(0);
                assert!(labels.is_open_for(unseen, from, 4 * square));
                labels.improve(0, g, 0);
                let [outside, open, _] = labels.three_words(0);
                assert!(labels.is_open_for(outside, from, 4 * square));
                let news = from + cost(leg) < g;
                assert_eq!(labels.is_open_for(open, from, 4 * square), news);
                assert_eq!(labels.is_news(0, from + cost(leg)), news);
                labels.close(0);
                let [_, closed, _] = labels.three_words(0);
                assert!(!labels.is_open_for(closed, from, 4 * square));
            }
        }
    }

    #[test]
    fn a_new_search_knows_nothing_even_when_the_counter_wraps() {
        let mut labels = Labels::default();
        for _ in 0..LAST_SEARCH + 5 {
            labels.begin(1);
            assert_eq!(labels.known(0), None);
            assert_eq!(labels.improve(0, Cost::MAX, 0), Some(Was::Unseen));
            assert!(labels.close(0));
        }
    }

    #[test]
    fn costs_that_are_not_exact_are_noticed() {
        let mut labels = Labels::default();
        labels.begin(1);
        assert_eq!(labels.improve(0, Cost::MAX + cost(1), 0), None);
        assert!(labels.overflowed());
        labels.begin(1);
        assert!(!labels.overflowed());
    }
}

//! How far ranks are, forgotten at once.

use crate::base::Cost;

/// How far each rank is.
///
/// A word is the number of the query that wrote it, then how far the cost lies
/// below [`Cost::MAX`]. So nearer is larger, what is left of earlier queries is
/// always farther, and so is a cost that is not exact any more: one comparison
/// tells.
#[derive(Debug, Default)]
pub(super) struct Reach {
    words: Vec<u64>,
    query: u64,
    /// The word of cost 0 in this query.
    zero: u64,
}

const QUERY_SHIFT: u32 = 48;
/// Leaves the highest bit free: costs of what is not known can be added up.
const LAST_QUERY: u64 = (1 << (63 - QUERY_SHIFT)) - 1;

impl Reach {
    /// Farther than anything.
    pub(super) const FAR: u64 = Cost::MAX.units() + 1;

    /// Forgets everything and makes room for `ranks` ranks.
    pub(super) fn begin(&mut self, ranks: usize) {
        if self.words.len() < ranks {
            self.words = vec![0; ranks];
            self.query = 0;
        }
        if self.query == LAST_QUERY {
            self.words.fill(0);
            self.query = 0;
        }
        self.query += 1;
        self.zero = self.query << QUERY_SHIFT | Cost::MAX.units();
    }

    /// How far a rank is; at least [`Reach::FAR`] if it is not known.
    #[inline]
    pub(super) fn cost(&self, rank: u32) -> u64 {
        self.zero - self.words[rank as usize]
    }

    /// Whether something is known of a rank.
    #[inline]
    pub(super) fn is_known(&self, rank: u32) -> bool {
        self.words[rank as usize] >> QUERY_SHIFT == self.query
    }

    /// Whether a rank is known to be no farther than a cost below [`Reach::FAR`].
    #[inline]
    pub(super) fn is_within(&self, rank: u32, cost: u64) -> bool {
        self.words[rank as usize] >= self.zero - cost
    }

    /// Notes a cost, if it is less than what is known: at most [`Reach::FAR`] and
    /// an arc.
    #[inline]
    pub(super) fn improve(&mut self, rank: u32, cost: u64) {
        let word = &mut self.words[rank as usize];
        *word = (*word).max(self.zero - cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_an_earlier_query() {
        let mut reach = Reach::default();
        for _ in 0..LAST_QUERY + 5 {
            reach.begin(2);
            assert!(!reach.is_known(0) && !reach.is_within(0, Reach::FAR - 1));
            assert!(reach.cost(0) >= Reach::FAR);
            reach.improve(0, 7);
            reach.improve(0, 9);
            assert!(reach.is_known(0) && reach.is_within(0, 7) && !reach.is_within(0, 6));
            assert_eq!(reach.cost(0), 7);
        }
    }

    #[test]
    fn costs_that_are_not_exact_are_not_known() {
        let mut reach = Reach::default();
        reach.begin(1);
        reach.improve(0, Reach::FAR + u64::from(u32::MAX));
        assert!(!reach.is_known(0));
        reach.improve(0, Reach::FAR - 1);
        assert_eq!(reach.cost(0), Cost::MAX.units());
    }
}

//! Distances to ranks, forgotten in O(1).

use crate::base::Cost;
use crate::contraction::Rank;

/// The distance of each rank from one end of a query.
///
/// A word holds the number of the query that wrote it in the high bits and
/// [`Cost::MAX`] minus the cost in the low ones. A larger word is nearer, and a
/// word of an earlier query is always smaller. So nothing is cleared, and one
/// comparison tells whether a rank is known and near enough. A cost above
/// [`Cost::MAX`] borrows from the high bits, and so looks like one of an earlier
/// query: unknown, as it should.
#[derive(Debug, Default)]
pub(super) struct Reach {
    words: Vec<u64>,
    query: u64,
    /// The word of cost 0 in this query, its largest.
    zero: u64,
}

const QUERY_SHIFT: u32 = 48;
/// Leaves the highest bit free, so that two costs of unknown ranks can be added
/// without overflow: meeting points are compared before anybody asks whether
/// both sides know them.
const LAST_QUERY: u64 = (1 << (63 - QUERY_SHIFT)) - 1;

impl Reach {
    /// More than any exact cost.
    pub(super) const FAR: u64 = Cost::MAX.units() + 1;

    /// Forgets all distances and makes room for `ranks` ranks.
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

    /// The distance of a rank; at least [`Reach::FAR`] if it is not known.
    #[inline]
    pub(super) fn cost(&self, rank: Rank) -> u64 {
        self.zero - self.words[rank.index()]
    }

    /// Whether the distance of a rank is known.
    #[inline]
    pub(super) fn is_known(&self, rank: Rank) -> bool {
        self.words[rank.index()] >> QUERY_SHIFT == self.query
    }

    /// Whether a rank is known to be at most `cost` away. `cost` must be below
    /// [`Reach::FAR`].
    #[inline]
    pub(super) fn is_within(&self, rank: Rank, cost: u64) -> bool {
        self.words[rank.index()] >= self.zero - cost
    }

    /// Lowers the distance of a rank to `cost`, which must be at most
    /// [`Reach::FAR`] plus the cost of an arc.
    #[inline]
    pub(super) fn improve(&mut self, rank: Rank, cost: u64) {
        let word = &mut self.words[rank.index()];
        *word = (*word).max(self.zero - cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: Rank = Rank::new(0);

    #[test]
    fn nothing_is_left_of_an_earlier_query() {
        let mut reach = Reach::default();
        for _ in 0..LAST_QUERY + 5 {
            reach.begin(2);
            assert!(!reach.is_known(TOP) && !reach.is_within(TOP, Reach::FAR - 1));
            assert!(reach.cost(TOP) >= Reach::FAR);
            reach.improve(TOP, 7);
            reach.improve(TOP, 9);
            assert!(reach.is_known(TOP) && reach.is_within(TOP, 7) && !reach.is_within(TOP, 6));
            assert_eq!(reach.cost(TOP), 7);
        }
    }

    #[test]
    fn costs_that_are_not_exact_are_not_known() {
        let mut reach = Reach::default();
        reach.begin(1);
        reach.improve(TOP, Reach::FAR + u64::from(u32::MAX));
        assert!(!reach.is_known(TOP));
        reach.improve(TOP, Reach::FAR - 1);
        assert_eq!(reach.cost(TOP), Cost::MAX.units());
    }
}

//! What a connection between two groups costs.

use crate::base::Cost;

/// How the cost of moving from one group to another is told from the
/// connections below: the text's three heuristics, straight or blended. No
/// single number is right for every way through a group; each of them is wrong
/// in another way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Connection {
    /// The cheapest link between the groups: optimistic, as if crossing a
    /// group cost nothing.
    Minimum,
    /// For each link into the group, the least cost from there to the other
    /// group, its link included; the largest of these: pessimistic.
    Maximin,
    /// The same, but their average: pragmatic.
    #[default]
    Average,
    /// A weighted mean of the three.
    Blend {
        /// Weight of [`Connection::Minimum`].
        minimum: u16,
        /// Weight of [`Connection::Maximin`].
        maximin: u16,
        /// Weight of [`Connection::Average`].
        average: u16,
    },
}

/// What was found out about the ways from one group to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    cheapest_link: Cost,
    dearest: Cost,
    sum: u128,
    count: u64,
}

impl Ways {
    /// Ways over links of which this is the cheapest.
    pub(super) const fn over(cheapest_link: Cost) -> Self {
        Self { cheapest_link, dearest: Cost::ZERO, sum: 0, count: 0 }
    }

    /// Notes the least cost from one of the places where the group is entered.
    pub(super) fn note(&mut self, cost: Cost) {
        self.dearest = self.dearest.max(cost);
        self.sum += u128::from(cost.units());
        self.count += 1;
    }
}

impl Connection {
    /// Whether ways through the groups matter, and not only links.
    pub(super) const fn needs_ways(self) -> bool {
        !matches!(self, Self::Minimum | Self::Blend { maximin: 0, average: 0, .. })
    }

    /// The cost by this rule, rounded down to a whole unit.
    pub(super) fn cost(self, ways: &Ways) -> Cost {
        let [minimum, maximin, average] = self.weights();
        let count = u128::from(ways.count);
        let [link, dearest] = [ways.cheapest_link, ways.dearest].map(|cost| u128::from(cost.units()));
        let all = u128::from(minimum) + u128::from(maximin) + u128::from(average);
        if all == 0 || count == 0 {
            return ways.cheapest_link;
        }
        let sum = (u128::from(minimum) * link + u128::from(maximin) * dearest) * count
            + u128::from(average) * ways.sum;
        Cost::from_units(u64::try_from(sum / (all * count)).unwrap_or(u64::MAX).min(Cost::MAX.units()))
    }

    const fn weights(self) -> [u16; 3] {
        match self {
            Self::Minimum => [1, 0, 0],
            Self::Maximin => [0, 1, 0],
            Self::Average => [0, 0, 1],
            Self::Blend { minimum, maximin, average } => [minimum, maximin, average],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blends_lie_between() {
        let cost = |units| Cost::new(units).unwrap();
        let mut ways = Ways::over(cost(2));
        ways.note(cost(10));
        ways.note(cost(4));
        assert_eq!(Connection::Minimum.cost(&ways), cost(2));
        assert_eq!(Connection::Maximin.cost(&ways), cost(10));
        assert_eq!(Connection::Average.cost(&ways), cost(7));
        let blend = |minimum, maximin, average| Connection::Blend { minimum, maximin, average }.cost(&ways);
        assert_eq!(blend(1, 1, 0), cost(6));
        assert_eq!(blend(1, 1, 2), cost(6)); // 6.5
        assert_eq!(blend(0, 0, 0), cost(2));
    }
}

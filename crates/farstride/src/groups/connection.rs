//! The cost of a connection between two groups.

use crate::base::Cost;

/// The rule that turns arcs and crossings into one cost for moving from one group to
/// another: one of the text's three heuristics, or a blend of them.
///
/// No single number is right for every way through a group; each rule is wrong on other
/// maps. `docs/groups.md` shows where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Connection {
    /// The cheapest arc between the groups: optimistic, as if crossing a group cost
    /// nothing.
    Minimum,
    /// The least cost of getting to the other group, from the worst of the nodes where
    /// this group is entered: pessimistic.
    Maximin,
    /// The same, averaged over all arcs that enter this group: pragmatic.
    #[default]
    Average,
    /// The weighted mean of the three. If all weights are zero, the same as
    /// [`Connection::Minimum`].
    Blend {
        /// Weight of [`Connection::Minimum`].
        minimum: u16,
        /// Weight of [`Connection::Maximin`].
        maximin: u16,
        /// Weight of [`Connection::Average`].
        average: u16,
    },
}

/// What it costs to cross one group and step into another.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrossingCosts {
    cheapest_link: Cost,
    dearest: Cost,
    sum: u128,
    count: u64,
}

impl CrossingCosts {
    /// Starts with the cheapest link between the groups and no crossings.
    pub(super) const fn over(cheapest_link: Cost) -> Self {
        Self { cheapest_link, dearest: Cost::ZERO, sum: 0, count: 0 }
    }

    /// Adds the least cost from one of the places where the group is entered.
    pub(super) fn add(&mut self, cost: Cost) {
        self.dearest = self.dearest.max(cost);
        self.sum += u128::from(cost.units());
        self.count += 1;
    }
}

impl Connection {
    /// Whether the rule depends on crossings, which take a search for every connection.
    pub(super) const fn needs_crossings(self) -> bool {
        !matches!(self, Self::Minimum | Self::Blend { maximin: 0, average: 0, .. })
    }

    /// Returns the cost by this rule, rounded down to a whole unit.
    pub(super) fn cost(self, costs: &CrossingCosts) -> Cost {
        let [minimum, maximin, average] = self.weights();
        let count = u128::from(costs.count);
        let [link, dearest] = [costs.cheapest_link, costs.dearest].map(|cost| u128::from(cost.units()));
        let all = u128::from(minimum) + u128::from(maximin) + u128::from(average);
        if all == 0 || count == 0 {
            return costs.cheapest_link;
        }
        // One fraction over `all * count`, so that the blend is rounded once. 128 bits
        // because a sum of 48-bit costs times 16-bit weights does not fit into 64.
        let sum = (u128::from(minimum) * link + u128::from(maximin) * dearest) * count
            + u128::from(average) * costs.sum;
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
        let mut costs = CrossingCosts::over(cost(2));
        costs.add(cost(10));
        costs.add(cost(4));
        assert_eq!(Connection::Minimum.cost(&costs), cost(2));
        assert_eq!(Connection::Maximin.cost(&costs), cost(10));
        assert_eq!(Connection::Average.cost(&costs), cost(7));
        let blend = |minimum, maximin, average| Connection::Blend { minimum, maximin, average }.cost(&costs);
        assert_eq!(blend(1, 1, 0), cost(6));
        assert_eq!(blend(1, 1, 2), cost(6)); // 6.5
        assert_eq!(blend(0, 0, 0), cost(2));
    }
}

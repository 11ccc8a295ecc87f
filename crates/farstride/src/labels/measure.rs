//! Costs in the largest unit that the rules allow.

use crate::base::{Cell, Cost};
use crate::grid::{Diagonals, Rules, Steps};
use crate::subgoal::StepCosts;

/// How labels measure costs: in units of the greatest common divisor of the costs of
/// a straight and a diagonal step, so that long paths fit into 30 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Measure {
    pub(super) steps: StepCosts,
    /// Number of units of [`Cost`] in one of these units.
    unit: u32,
    /// Cost of a diagonal step minus that of a straight one. On an empty map, the
    /// distance is the longer of the two differences, in columns and in rows, times
    /// the cost of a straight step, plus the shorter one times this.
    shorter: u32,
    /// Inverse of `shorter` modulo `steps.straight`: a cost times this, modulo
    /// `steps.straight`, is the number of diagonal steps. 0 if there are none.
    inverse: u32,
}

/// Costs from here on mean that there is no path. Three of them fit into 32 bits.
pub(crate) const FAR: u32 = 1 << 30;

impl Measure {
    /// The measure for some rules.
    pub(super) const fn new(rules: Rules) -> Self {
        let straight = rules.diagonal_cost.straight().units() as u32;
        let diagonal = rules.diagonal_cost.diagonal().units() as u32;
        if let Diagonals::None = rules.diagonals {
            return Self {
                steps: StepCosts { straight: 1, diagonal: 2 },
                unit: straight,
                shorter: 1,
                inverse: 0,
            };
        }
        let unit = greatest_common_divisor(straight, diagonal);
        let steps = StepCosts { straight: straight / unit, diagonal: diagonal / unit };
        let shorter = steps.diagonal - steps.straight;
        Self { steps, unit, shorter, inverse: inverse(shorter, steps.straight) }
    }

    /// The factors of the longer and of the shorter difference of columns and rows in
    /// a distance on an empty map.
    #[inline]
    pub(super) const fn factors(self) -> (u32, u32) {
        (self.steps.straight, self.shorter)
    }

    /// The distance between two cells on an empty map.
    #[inline]
    pub(super) fn distance(self, from: Cell, to: Cell) -> u32 {
        let (dx, dy) = (u32::from(from.x.abs_diff(to.x)), u32::from(from.y.abs_diff(to.y)));
        dx.max(dy) * self.steps.straight + dx.min(dy) * self.shorter
    }

    /// Converts to a [`Cost`].
    #[inline]
    pub(super) const fn cost(self, cost: u32) -> Cost {
        Cost::from_units(cost as u64 * self.unit as u64)
    }

    /// The numbers of steps of a path, if they follow from its cost.
    ///
    /// The costs of a straight and a diagonal step have no common divisor. So the
    /// numbers of diagonal steps of paths of equal cost differ by multiples of the
    /// cost of a straight step, and only very long paths are ambiguous.
    #[inline]
    pub(super) const fn steps(self, cost: u32) -> Option<Steps> {
        // Step costs are below 2¹², so that products of two fit into 32 bits.
        let StepCosts { straight, diagonal } = self.steps;
        let count = cost % straight * self.inverse % straight;
        match cost.checked_sub(count * diagonal) {
            // Otherwise some straight steps could be more diagonal ones instead.
            Some(rest) if self.inverse == 0 || rest < straight * diagonal => {
                Some(Self::halves(rest / straight, count))
            }
            _ => None,
        }
    }

    /// The numbers of steps of shortest paths between two cells on an empty map.
    #[inline]
    pub(super) fn steps_between(self, from: Cell, to: Cell) -> Steps {
        let (dx, dy) = (u32::from(from.x.abs_diff(to.x)), u32::from(from.y.abs_diff(to.y)));
        if self.inverse == 0 { Self::halves(dx + dy, 0) } else { Self::halves(dx.abs_diff(dy), dx.min(dy)) }
    }

    const fn halves(straight: u32, diagonal: u32) -> Steps {
        Steps { straight_halves: 2 * straight as u64, diagonal_halves: 2 * diagonal as u64 }
    }

    /// Largest number of cells of a path of this cost.
    pub(super) const fn most_cells(self, cost: u32) -> usize {
        (cost / self.steps.straight) as usize + 1
    }
}

const fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The inverse of `number` modulo `modulus`; the two must have no common divisor.
const fn inverse(number: u32, modulus: u32) -> u32 {
    let mut candidate = 1;
    while number as u64 * candidate as u64 % modulus as u64 != 1 {
        candidate += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DiagonalCost;

    fn measures() -> impl Iterator<Item = (Rules, Measure)> {
        let rules = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
        let costs = [DiagonalCost::Sqrt2, DiagonalCost::Ratio142];
        let all = rules
            .into_iter()
            .flat_map(move |diagonals| costs.map(|diagonal_cost| Rules { diagonals, diagonal_cost }));
        all.map(|rules| (rules, Measure::new(rules)))
    }

    #[test]
    fn distances_are_those_of_the_rules() {
        for (rules, measure) in measures() {
            for (from, to) in [((3, 4), (3, 4)), ((0, 0), (9, 4)), ((7, 100), (2, 3)), ((9999, 0), (0, 9999))]
            {
                let (from, to) = (Cell::from(from), Cell::from(to));
                assert_eq!(measure.cost(measure.distance(from, to)), rules.distance(from, to), "{rules:?}");
                let steps = measure.steps_between(from, to);
                assert_eq!(steps.cost(rules.diagonal_cost), rules.distance(from, to), "{rules:?}");
            }
        }
    }

    #[test]
    fn steps_follow_from_costs_or_are_unknown() {
        for (rules, measure) in measures() {
            for straight in [0, 1, 2, 49, 50, 71, 2377, 2378, 5000] {
                for diagonal in [0, 1, 2, 49, 50, 71, 2377, 2378, 5000] {
                    let diagonal = if rules.diagonals == Diagonals::None { 0 } else { diagonal };
                    let cost = straight * measure.steps.straight + diagonal * measure.steps.diagonal;
                    let steps = Steps {
                        straight_halves: 2 * u64::from(straight),
                        diagonal_halves: 2 * u64::from(diagonal),
                    };
                    // Else a diagonal's worth of straight steps might be the
                    // other way round.
                    let is_known = rules.diagonals == Diagonals::None
                        || straight < measure.steps.diagonal && diagonal < measure.steps.straight;
                    assert_eq!(measure.steps(cost), is_known.then_some(steps), "{rules:?}");
                    assert!(straight + diagonal < measure.most_cells(cost) as u32);
                }
            }
        }
    }
}

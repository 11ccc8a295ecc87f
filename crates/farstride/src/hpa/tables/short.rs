//! Costs in 2 bytes.

use crate::base::DiagonalCost;

/// What two steps cost of which other costs are made: a straight and a diagonal one.
///
/// Nearly all costs of lower levels are those of so many straight steps and so many diagonal ones, fewer than 256 of each. These two
/// numbers take half as many bytes as the cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scale {
    number: u8,
    straight: u32,
    diagonal: u32,
    /// The largest number that divides both.
    common: u32,
    /// What `diagonal / common` has to be multiplied by to leave 1 when divided by `straight / common`.
    inverse: u32,
}

/// Where there is no way.
pub(super) const NO_WAY: u16 = u16::MAX;

impl Scale {
    /// The scales that are tried, in this order. Where most cells weigh the same, it is one of those with whole steps; a step between cells
    /// of different weights may cost half a step more.
    const ALL: [Self; 4] = [
        Self::new(0, DiagonalCost::Sqrt2, 1),
        Self::new(1, DiagonalCost::Sqrt2, 2),
        Self::new(2, DiagonalCost::Ratio142, 1),
        Self::new(3, DiagonalCost::Ratio142, 2),
    ];

    const fn new(number: u8, costs: DiagonalCost, divisor: u32) -> Self {
        let (straight, diagonal) =
            (costs.straight().units() as u32 / divisor, costs.diagonal().units() as u32 / divisor);
        let (mut common, mut rest) = (straight, diagonal);
        while rest > 0 {
            (common, rest) = (rest, common % rest);
        }
        let mut inverse = 1;
        while diagonal / common * inverse % (straight / common) != 1 {
            inverse += 1;
        }
        Self { number, straight, diagonal, common, inverse }
    }

    /// The scale of a number below 4.
    #[inline]
    pub(super) const fn of(number: u32) -> Self {
        Self::ALL[number as usize % Self::ALL.len()]
    }

    /// The number of the first scale in which all of these costs take 2 bytes.
    pub(super) fn find(costs: &(impl Iterator<Item = u64> + Clone)) -> Option<u32> {
        let fits = |&number: &u32| costs.clone().all(|units| Self::of(number).shorten(units).is_some());
        (0..Self::ALL.len() as u32).find(fits)
    }

    /// A cost in 2 bytes, the number of straight steps in the lower one; `None` if it takes more. Of several ways to write it, the one
    /// with the fewest diagonal steps.
    #[inline(never)] // there are four of what it calls, and WebAssembly is to stay small
    pub(super) fn shorten(self, units: u64) -> Option<u16> {
        // With numbers that the compiler knows, there are no divisions.
        match self.number {
            0 => Self::ALL[0].divide(units),
            1 => Self::ALL[1].divide(units),
            2 => Self::ALL[2].divide(units),
            _ => Self::ALL[3].divide(units),
        }
    }

    #[inline(always)]
    fn divide(self, units: u64) -> Option<u16> {
        const MOST: u32 = u8::MAX as u32;
        let Self { straight, diagonal, common, inverse, .. } = self;
        if units > u64::from(MOST * (straight + diagonal)) {
            return None;
        }
        let units = units as u32;
        if !units.is_multiple_of(common) {
            return None;
        }
        let period = straight / common;
        let mut diagonals = units / common % period * inverse % period;
        while diagonals <= MOST && diagonals * diagonal <= units {
            let straights = (units - diagonals * diagonal) / straight;
            if straights <= MOST {
                let short = (diagonals << 8 | straights) as u16;
                return (short != NO_WAY).then_some(short);
            }
            diagonals += period;
        }
        None
    }

    /// The cost of 2 bytes.
    #[inline]
    pub(super) const fn lengthen(self, short: u16) -> u32 {
        (short & 0xff) as u32 * self.straight + (short >> 8) as u32 * self.diagonal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_costs_are_those_of_so_many_steps() {
        for number in 0..4 {
            let scale = Scale::of(number);
            for short in 0..NO_WAY {
                let units = scale.lengthen(short).into();
                let again = scale.shorten(units).unwrap();
                assert_eq!(u64::from(scale.lengthen(again)), units, "{short}");
                assert!(again <= short);
            }
            let least = scale.straight.min(scale.diagonal);
            assert!((1..u64::from(least)).all(|units| scale.shorten(units).is_none()));
            assert_eq!(scale.shorten(scale.lengthen(NO_WAY).into()), None);
            assert_eq!(scale.shorten(u64::MAX), None);
        }
    }

    #[test]
    fn the_first_scale_that_fits_is_taken() {
        let find = |costs: &[u64]| Scale::find(&costs.iter().copied());
        assert_eq!(find(&[]), Some(0));
        assert_eq!(find(&[0, 4756, 3 * 6726 + 255 * 4756]), Some(0));
        assert_eq!(find(&[0, 4756, 4756 / 2]), Some(1));
        assert_eq!(find(&[5000, 7100 * 3]), Some(2));
        assert_eq!(find(&[2500]), Some(3));
        assert_eq!(find(&[1]), None);
        assert_eq!(find(&[4756 * 256]), None);
    }
}

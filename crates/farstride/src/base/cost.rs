//! Exact fixed-point costs, and distances measured in them.

use super::Cell;
use std::error::Error;
use std::fmt;
use std::ops::{Add, AddAssign, Mul};

/// The cost of a path: an exact whole number of units.
///
/// On a grid with [`DiagonalCost::Sqrt2`], a straight step between cells of
/// weight 1 costs 4756 units and a diagonal step 6726; their ratio differs from
/// √2 by 4.4·10⁻⁸. Both are even, so a step can charge half its cost to each of
/// its two cells and stay exact.
///
/// # Limits
///
/// Costs up to [`Cost::MAX`] = 2⁴⁸ − 1 are exact. No simple path on a grid can
/// exceed it: 10⁸ cells × weight 255 × 7100 units is 1.8·10¹⁴ < 2.8·10¹⁴. On
/// other graphs, a search whose sums grow larger reports an overflow instead of
/// a wrong answer.
///
/// Two paths compare exactly as their true lengths do while their numbers of
/// diagonal steps differ by fewer than 2378 (on weighted maps: their weighted
/// diagonal steps by fewer than 1189). Beyond that, two paths whose lengths
/// differ by less than one part in twenty million may compare the wrong way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost(u64);

impl Cost {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The largest exact cost, 2⁴⁸ − 1.
    pub const MAX: Self = Self((1 << 48) - 1);

    /// A cost of `units`.
    ///
    /// # Errors
    /// [`CostOutOfRange`] above [`Cost::MAX`].
    pub const fn new(units: u64) -> Result<Self, CostOutOfRange> {
        if units <= Self::MAX.0 { Ok(Self(units)) } else { Err(CostOutOfRange { found: units }) }
    }

    /// Converts a length to a cost at `units` per 1, rounding up.
    ///
    /// Rounding up keeps the triangle inequality. Returns `None` if `length` is
    /// negative or NaN, or if the cost exceeds [`Cost::MAX`].
    ///
    /// # Example
    /// ```
    /// use farstride::Cost;
    ///
    /// assert_eq!(Cost::scaled(2.5, 1000), Cost::new(2500).ok());
    /// assert_eq!(Cost::scaled(-2.5, 1000), None);
    /// assert_eq!(Cost::scaled(f64::NAN, 1000), None);
    /// assert_eq!(Cost::scaled(1e12, 1000), None);
    /// ```
    pub fn scaled(length: f64, units: u32) -> Option<Self> {
        let units = (length * f64::from(units)).ceil();
        // `Cost::MAX` is exact as a float, and a comparison with NaN is false.
        (length >= 0.0 && units <= Self::MAX.0 as f64).then_some(Self(units as u64))
    }

    /// A cost that the caller knows to be at most [`Cost::MAX`].
    pub(crate) const fn from_units(units: u64) -> Self {
        Self(units)
    }

    /// The cost in units.
    pub const fn units(self) -> u64 {
        self.0
    }
}

impl Cost {
    /// Subtracts `other`, saturating at zero.
    pub(crate) const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for Cost {
    type Output = Self;

    /// Saturates at `u64::MAX`, far above [`Cost::MAX`], so an overflow is still
    /// recognisable after further additions.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u64> for Cost {
    type Output = Self;

    fn mul(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }
}

/// Error: a cost above [`Cost::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CostOutOfRange {
    /// The rejected number of units.
    pub found: u64,
}

impl fmt::Display for CostOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cost {} is above the largest exact cost {}", self.found, Cost::MAX.0)
    }
}

impl Error for CostOutOfRange {}

/// What a diagonal step costs, measured in straight steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum DiagonalCost {
    /// √2, the geometric length. The default.
    #[default]
    Sqrt2,
    /// Exactly 1.42, the approximation of the HPA* paper.
    #[cfg_attr(feature = "serde", serde(rename = "1.42"))]
    Ratio142,
}

impl DiagonalCost {
    /// Cost of a straight step between cells of weight 1.
    pub const fn straight(self) -> Cost {
        match self {
            Self::Sqrt2 => Cost(4756),
            Self::Ratio142 => Cost(5000),
        }
    }

    /// Cost of a diagonal step between cells of weight 1.
    pub const fn diagonal(self) -> Cost {
        match self {
            Self::Sqrt2 => Cost(6726),
            Self::Ratio142 => Cost(7100),
        }
    }

    /// Length of a diagonal step, measured in straight steps.
    pub const fn ratio(self) -> f64 {
        match self {
            Self::Sqrt2 => std::f64::consts::SQRT_2,
            Self::Ratio142 => 1.42,
        }
    }

    /// Octile distance: the cost between two cells of an empty 8-connected grid
    /// of weight 1.
    #[inline]
    pub fn octile(self, a: Cell, b: Cell) -> Cost {
        self.octile_of(u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)))
    }

    /// The same for cells this many columns and rows apart.
    #[inline]
    pub(crate) fn octile_of(self, columns: u64, rows: u64) -> Cost {
        let both = columns.min(rows);
        Cost(self.straight().0 * (columns.max(rows) - both) + self.diagonal().0 * both)
    }

    /// Manhattan distance: the cost on an empty 4-connected grid of weight 1.
    #[inline]
    pub fn manhattan(self, a: Cell, b: Cell) -> Cost {
        self.straight() * u64::from(a.x.abs_diff(b.x)) + self.straight() * u64::from(a.y.abs_diff(b.y))
    }
}

/// Euclidean distance between two cell centres in units of 1/4756 step,
/// rounded up.
///
/// Rounding up keeps the triangle inequality, so a straight leg never costs more
/// than a detour and the distance is a consistent heuristic. Uses only integers
/// and the correctly rounded IEEE 754 square root: the result is the same on
/// every platform.
#[inline]
pub fn euclidean(a: Cell, b: Cell) -> Cost {
    let dx = i64::from(a.x) - i64::from(b.x);
    let dy = i64::from(a.y) - i64::from(b.y);
    let unit = DiagonalCost::Sqrt2.straight().0;
    Cost(ceil_sqrt((dx * dx + dy * dy) as u64 * (unit * unit)))
}

/// The smallest integer whose square is at least `square`, which must be below 2⁶².
pub(super) fn ceil_sqrt(square: u64) -> u64 {
    // Adding 2^52 rounds the root to an integer in the low mantissa bits. A
    // cast to u64 would also handle values out of range, which took 7 % of the
    // instructions of Theta*. The floating-point root is off by less than
    // 10^-6, so the rounded value is the integer just below or above the root.
    const SHIFT: u64 = 1 << 52;
    let root = (square as i64 as f64).sqrt() + SHIFT as f64;
    let guess = root.to_bits() & (SHIFT - 1);
    guess + u64::from(guess * guess < square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_grid_stays_within_exact_costs() {
        let cells = 10_000_u64 * 10_000;
        let dearest = DiagonalCost::Ratio142.diagonal() * 255;
        assert!(dearest * cells <= Cost::MAX);
        assert!(Cost::new(Cost::MAX.units()).is_ok());
        assert_eq!(Cost::new(1 << 48), Err(CostOutOfRange { found: 1 << 48 }));
    }

    #[test]
    fn sums_never_wrap_around() {
        let huge = Cost::from_units(u64::MAX - 1);
        assert!(huge + huge > Cost::MAX);
        assert!(Cost::MAX * u64::MAX > Cost::MAX);
    }

    #[test]
    fn the_root_is_rounded_up_exactly() {
        for root in (1..2000).chain((1 << 30) - 2000..1 << 30) {
            let square: u64 = root * root;
            assert_eq!(ceil_sqrt(square), root);
            assert_eq!(ceil_sqrt(square - 1), if root == 1 { 0 } else { root });
            assert_eq!(ceil_sqrt(square + 1), root + 1);
        }
    }

    #[test]
    fn distances_on_an_empty_plane() {
        let origin = Cell::new(0, 0);
        let knight = Cell::new(1, 2);
        let cost = DiagonalCost::Sqrt2;
        assert_eq!(cost.octile(origin, knight), Cost(4756 + 6726));
        assert_eq!(cost.manhattan(origin, knight), Cost(3 * 4756));
        assert_eq!(euclidean(origin, Cell::new(3, 4)), Cost(5 * 4756));
        assert_eq!(euclidean(origin, Cell::new(1, 1)), Cost(6726));
    }
}

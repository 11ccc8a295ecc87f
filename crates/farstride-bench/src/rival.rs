//! What a rival is, and what it promises.
//!
//! Crates differ in what they call a path: some cut corners, some charge a
//! diagonal step like a straight one, some return turning points. Each rival
//! declares its own terms as [`Claims`], and [`Claims::judge`] holds it to
//! exactly those. Lengths are always measured anew from the cells, never taken
//! from the rival.

use farstride_testkit::{DiagonalCost, Diagonals, Fault, PlainMap, judge_any_angle, judge_grid};

/// A cell as (x, y): column, then row.
pub type Point = (u16, u16);

/// A way to find paths that can take part in a race.
pub trait Rival {
    /// Its name on the command line and in tables.
    fn name(&self) -> &'static str;

    /// What it promises about its answers.
    fn claims(&self) -> Claims;

    /// Builds whatever it needs to answer queries on a map.
    ///
    /// # Errors
    /// In words, if it cannot work on such a map.
    fn prepare(&self, map: &PlainMap) -> Result<Box<dyn Prepared>, String>;
}

/// A rival that is ready for queries on one map.
pub trait Prepared {
    /// Replaces `path` by one from `start` to `goal`, both included, and says
    /// whether there is one. What `path` holds otherwise means nothing.
    fn query(&mut self, start: Point, goal: Point, path: &mut Vec<Point>) -> bool;
}

/// What a rival promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claims {
    /// When it takes diagonal steps.
    pub diagonals: Diagonals,
    /// What its paths are made of.
    pub shape: Shape,
    /// What it minimises, or tries to.
    pub length: Length,
    /// Whether its paths are always the shortest by that measure.
    pub optimal: bool,
    /// Whether it finds a path whenever there is one.
    pub complete: bool,
}

/// What a path is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Every cell of the way.
    Cells,
    /// Turning points in line of sight of each other.
    Points,
}

/// What a diagonal step counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// √2 straight steps.
    Octile,
    /// 99/70 straight steps: 5·10⁻⁵ more than √2.
    Ratio99To70,
    /// As much as a straight step: the rival counts cells.
    CellCount,
    /// Legs at any angle have their straight length.
    Euclidean,
}

/// A path that was found to be legal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// True length: √2 for each diagonal step, whatever the rival counts.
    pub length: f64,
    /// Length as the rival counts.
    pub own_length: f64,
}

impl Claims {
    /// An optimal rival that plays by the rules of the `MovingAI` benchmarks.
    pub const STRICT_OPTIMAL: Self = Self {
        diagonals: Diagonals::Strict,
        shape: Shape::Cells,
        length: Length::Octile,
        optimal: true,
        complete: true,
    };

    /// Judges a path under the rules that the rival claims.
    ///
    /// # Errors
    /// The first [`Fault`] along the path.
    pub fn judge(&self, map: &PlainMap, start: Point, goal: Point, path: &[Point]) -> Result<Verdict, Fault> {
        let (start, goal) = (widen(start), widen(goal));
        let points: Vec<_> = path.iter().copied().map(widen).collect();
        match self.shape {
            Shape::Points => {
                let length = judge_any_angle(map, self.diagonals, start, goal, &points)?;
                Ok(Verdict { length, own_length: length })
            }
            Shape::Cells => {
                let cost = DiagonalCost::Sqrt2;
                let verdict = judge_grid(map, self.diagonals, cost, start, goal, &points)?;
                let (straight, diagonal) = (verdict.straight_steps, verdict.diagonal_steps);
                Ok(Verdict {
                    length: verdict.length,
                    own_length: straight as f64 + diagonal as f64 * self.length.diagonal(),
                })
            }
        }
    }

    /// What sets the rival apart from a strict and octile one, in short.
    pub fn remarks(&self) -> Vec<&'static str> {
        let mut remarks = Vec::new();
        match self.diagonals {
            Diagonals::Strict => {}
            Diagonals::OneSide => remarks.push("cuts one corner"),
            Diagonals::Free => remarks.push("cuts corners"),
            Diagonals::None => remarks.push("no diagonals"),
        }
        if self.length == Length::CellCount {
            remarks.push("diagonal counted as straight");
        }
        if self.shape == Shape::Points {
            remarks.push("turning points only");
        }
        remarks
    }
}

impl Length {
    /// What a diagonal step counts, in straight steps.
    pub const fn diagonal(self) -> f64 {
        match self {
            Self::Octile | Self::Euclidean => std::f64::consts::SQRT_2,
            Self::Ratio99To70 => 99.0 / 70.0,
            Self::CellCount => 1.0,
        }
    }
}

/// The testkit's form of a cell.
pub fn widen((x, y): Point) -> farstride_testkit::Point {
    (usize::from(x), usize::from(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_are_held_to_their_own_rules() {
        let map = PlainMap::from_ascii(".#\n..\n..");
        let cut = [(0, 0), (1, 1)];
        let strict = Claims::STRICT_OPTIMAL;
        let free = Claims { diagonals: Diagonals::Free, length: Length::CellCount, ..strict };
        assert!(strict.judge(&map, (0, 0), (1, 1), &cut).is_err());
        let verdict = free.judge(&map, (0, 0), (1, 1), &cut).unwrap();
        assert!((verdict.length - std::f64::consts::SQRT_2).abs() < 1e-12);
        assert!((verdict.own_length - 1.0).abs() < 1e-12);
        assert_eq!(free.remarks(), ["cuts corners", "diagonal counted as straight"]);
    }

    #[test]
    fn turning_points_are_judged_as_legs() {
        let map = PlainMap::from_ascii("....\n#...\n....");
        let claims = Claims { shape: Shape::Points, length: Length::Euclidean, ..Claims::STRICT_OPTIMAL };
        let verdict = claims.judge(&map, (0, 0), (3, 1), &[(0, 0), (3, 1)]);
        assert!((verdict.unwrap().length - 10_f64.sqrt()).abs() < 1e-12);
        assert!(claims.judge(&map, (0, 0), (1, 2), &[(0, 0), (1, 2)]).is_err());
    }
}

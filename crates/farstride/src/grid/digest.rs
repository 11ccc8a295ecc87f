//! The digest that identifies a map's content.

use super::{Diagonals, Grid, Rules};
use crate::base::DiagonalCost;
use xxhash_rust::xxh3::Xxh3;

impl Grid {
    /// A 64-bit digest of size, rules, cells and weights.
    ///
    /// Equal maps have equal digests on every platform, however they were made.
    /// Different maps have different digests, except with negligible probability.
    /// Index files name their map by it.
    ///
    /// It is the XXH3-64 of, in this order: width and height, 4 bytes each,
    /// little-endian; one byte each for diagonals, diagonal cost and whether there
    /// are weights, and a zero byte; the rows from top to bottom, one bit per cell
    /// starting at the lowest bit, set if the cell is free, each row padded to
    /// whole bytes; and, if there are weights, one byte per cell, row by row.
    ///
    /// # Complexity
    /// O(cells / 8), or O(cells) with weights: microseconds for game maps.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid};
    ///
    /// let mut grid = Grid::empty(20, 10)?;
    /// let before = grid.digest();
    /// grid.block(Cell::new(3, 3))?;
    /// assert_ne!(grid.digest(), before);
    /// grid.free(Cell::new(3, 3))?;
    /// assert_eq!(grid.digest(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn digest(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&u32::from(self.width).to_le_bytes());
        hash.update(&u32::from(self.height).to_le_bytes());
        let [diagonals, diagonal_cost] = self.rules.code();
        hash.update(&[diagonals, diagonal_cost, u8::from(!self.is_uniform()), 0]);
        let mut row = Vec::new();
        for y in 0..self.height {
            self.bits.row_into(y, self.width, &mut row);
            hash.update(&row);
        }
        if let Some(weights) = &self.weights {
            hash.update(weights);
        }
        hash.digest()
    }
}

impl Rules {
    /// The rules as stored in files: diagonals and diagonal cost.
    pub(crate) const fn code(self) -> [u8; 2] {
        let diagonals = match self.diagonals {
            Diagonals::Strict => 0,
            Diagonals::OneSide => 1,
            Diagonals::Free => 2,
            Diagonals::None => 3,
        };
        let diagonal_cost = match self.diagonal_cost {
            DiagonalCost::Sqrt2 => 0,
            DiagonalCost::Ratio142 => 1,
        };
        [diagonals, diagonal_cost]
    }

    /// The rules that [`Rules::code`] encoded; `None` for unknown codes.
    pub(crate) const fn from_code([diagonals, diagonal_cost]: [u8; 2]) -> Option<Self> {
        let diagonals = match diagonals {
            0 => Diagonals::Strict,
            1 => Diagonals::OneSide,
            2 => Diagonals::Free,
            3 => Diagonals::None,
            _ => return None,
        };
        let diagonal_cost = match diagonal_cost {
            0 => DiagonalCost::Sqrt2,
            1 => DiagonalCost::Ratio142,
            _ => return None,
        };
        Some(Self { diagonals, diagonal_cost })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Cell;
    use xxhash_rust::xxh3::xxh3_64;

    #[test]
    fn the_digest_is_that_of_the_bytes_it_promises() {
        let mut grid = Grid::from_ascii("..........\n.#......#.\n########.#").unwrap();
        let cells = [0xff, 0x03, 0xfd, 0x02, 0x00, 0x01];
        let mut bytes = vec![10, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(cells);
        assert_eq!(grid.digest(), xxh3_64(&bytes));
        let _ = grid.set_weight(Cell::new(2, 1), 7).unwrap();
        let mut grid =
            grid.with_rules(Rules { diagonals: Diagonals::OneSide, diagonal_cost: DiagonalCost::Ratio142 });
        bytes[8..11].copy_from_slice(&[1, 1, 1]);
        bytes.extend([1; 30]);
        bytes[12 + 6 + 12] = 7;
        assert_eq!(grid.digest(), xxh3_64(&bytes));
        let _ = grid.set_weight(Cell::new(2, 1), 1).unwrap();
        bytes[10] = 0;
        assert_eq!(grid.digest(), xxh3_64(&bytes[..12 + 6]));
    }

    #[test]
    fn rows_of_every_width_differ() {
        for width in 1..40_u16 {
            let mut grid = Grid::empty(width.into(), 2).unwrap();
            let mut seen = vec![grid.digest()];
            for cell in grid.area().cells() {
                let _ = grid.block(cell).unwrap();
                seen.push(grid.digest());
                let _ = grid.free(cell).unwrap();
            }
            assert_eq!(grid.digest(), seen[0]);
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 2 * usize::from(width) + 1);
        }
    }

    #[test]
    fn codes_of_rules_are_reversible() {
        let codes = (0..=255).flat_map(|a| (0..=255).map(move |b| [a, b]));
        let known: Vec<_> = codes.filter_map(|code| Some((code, Rules::from_code(code)?))).collect();
        assert_eq!(known.len(), 8);
        assert!(known.into_iter().all(|(code, rules)| rules.code() == code));
    }
}

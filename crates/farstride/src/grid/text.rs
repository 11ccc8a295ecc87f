//! Maps drawn as text.

use super::{Grid, SizeError};
use crate::base::Cell;
use std::error::Error;
use std::fmt;

/// What a letter of a map stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terrain {
    /// A free cell of this weight.
    Free(u8),
    /// A blocked cell.
    Blocked,
}

impl Terrain {
    /// The terrain that `letter` stands for.
    ///
    /// The letters are those of [`Grid::from_ascii`]. Returns `None` for any other.
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'.' | b'G' | b'S' => Some(Self::Free(1)),
            b'1'..=b'9' => Some(Self::Free(letter - b'0')),
            b'@' | b'O' | b'T' | b'W' | b'#' => Some(Self::Blocked),
            _ => None,
        }
    }
}

impl Grid {
    /// Reads a map drawn with letters.
    ///
    /// `.`, `G` (ground) and `S` (swamp) are free with weight 1, digits `1` to `9`
    /// free with that weight; `@`, `O`, `T` (trees), `W` (water) and `#` are
    /// blocked.
    ///
    /// Blank lines and white space around rows are ignored, so a map can be drawn
    /// in indented source code.
    ///
    /// # Errors
    /// [`TextError`] names the first invalid line.
    pub fn from_ascii(text: &str) -> Result<Self, TextError> {
        let rows: Vec<(usize, &[u8])> = text
            .lines()
            .enumerate()
            .map(|(line, row)| (line + 1, row.trim().as_bytes()))
            .filter(|(_, row)| !row.is_empty())
            .collect();
        let width = rows.first().ok_or(TextError::Empty)?.1.len();
        Self::from_rows(width, &rows)
    }

    /// Builds a map from rows of letters, each paired with its line number, which
    /// errors report.
    ///
    /// # Errors
    /// [`TextError`] names the first row of a different width, or the first
    /// unknown letter.
    pub fn from_rows(width: usize, rows: &[(usize, &[u8])]) -> Result<Self, TextError> {
        SizeError::sides(width, rows.len()).map_err(TextError::Size)?;
        let mut heavy = Vec::new();
        for &(line, row) in rows {
            if row.len() != width {
                return Err(TextError::Width { line, found: row.len(), expected: width });
            }
        }
        let mut unknown = None;
        let mut grid = Self::from_fn(width, rows.len(), |cell| {
            let (line, row) = rows[usize::from(cell.y)];
            let letter = row[usize::from(cell.x)];
            match Terrain::from_letter(letter) {
                Some(Terrain::Free(1)) => true,
                Some(Terrain::Free(weight)) => {
                    heavy.push((cell, weight));
                    true
                }
                Some(Terrain::Blocked) => false,
                None => {
                    let column = usize::from(cell.x) + 1;
                    unknown.get_or_insert(TextError::Letter { line, column, found: letter });
                    false
                }
            }
        })
        .map_err(TextError::Size)?;
        if let Some(error) = unknown {
            return Err(error);
        }
        for (cell, weight) in heavy {
            grid.put_weight(cell, weight);
        }
        Ok(grid)
    }

    /// Draws the map: `.` for free, `#` for blocked, `2` to `9` for free cells with
    /// weights; weights above 9 are drawn as 9.
    pub fn to_ascii(&self) -> String {
        let mut text = String::with_capacity((self.width() + 1) * self.height());
        for y in 0..self.height {
            text.extend((0..self.width).map(|x| self.letter(Cell::new(x, y))));
            text.push('\n');
        }
        text
    }

    fn letter(&self, cell: Cell) -> char {
        match (self.is_free(cell), self.weight(cell)) {
            (false, _) => '#',
            (true, 1) => '.',
            (true, weight) => char::from(b'0' + weight.min(9)),
        }
    }
}

/// Why a drawing is not a valid map.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextError {
    /// There are no rows.
    Empty,
    /// The size is not supported.
    Size(SizeError),
    /// A row differs in width from the first.
    Width {
        /// Line of the text, from 1.
        line: usize,
        /// Letters in the row.
        found: usize,
        /// Letters expected.
        expected: usize,
    },
    /// An unknown letter.
    Letter {
        /// Line of the text, from 1.
        line: usize,
        /// Column of the row, from 1.
        column: usize,
        /// The byte found there.
        found: u8,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "no row of cells"),
            Self::Size(error) => error.fmt(f),
            Self::Width { line, found, expected } => {
                write!(f, "line {line} has {found} cells, expected {expected}")
            }
            Self::Letter { line, column, found } => {
                let letter = found.escape_ascii();
                write!(
                    f,
                    "line {line}, column {column}: '{letter}' is not a terrain letter; known are . G S @ O T W #"
                )
            }
        }
    }
}

impl Error for TextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_and_reading_are_inverse() {
        let drawing = ".#.3\n9..#\n";
        assert_eq!(Grid::from_ascii(drawing).unwrap().to_ascii(), drawing);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        assert_eq!(Grid::from_ascii(" \n\n"), Err(TextError::Empty));
        assert_eq!(Grid::from_ascii("..\n...\n"), Err(TextError::Width { line: 2, found: 3, expected: 2 }));
        assert_eq!(Grid::from_ascii("..\n.x\n"), Err(TextError::Letter { line: 2, column: 2, found: b'x' }));
        let wide = ".".repeat(10_001);
        assert!(matches!(Grid::from_ascii(&wide), Err(TextError::Size(_))));
    }
}

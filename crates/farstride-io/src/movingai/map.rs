//! Maps.

use super::{LoadError, excerpt, lines, load};
use farstride::error::{SizeError, TextError};
use farstride::{Cell, Grid};
use std::error::Error;
use std::fmt;
use std::path::Path;

/// Longest map file: the largest map with CR LF, and room for its header.
const MAX_BYTES: u64 = (Grid::MAX_SIDE as u64 + 2) * Grid::MAX_SIDE as u64 + 4096;

/// Loads a map from a file.
///
/// # Errors
/// [`LoadError`] names the file and what is wrong with it.
pub fn load_map(path: &Path) -> Result<Grid, LoadError<MapError>> {
    load(path, MAX_BYTES, read_map)
}

/// Reads a map.
///
/// `.`, `G` and `S` (swamp) are free; `@`, `O`, `T` (trees) and `W` (water)
/// are blocked. All free cells have weight 1.
///
/// # Errors
/// [`MapError`] names the first line that does not fit.
///
/// # Example
/// ```
/// let grid = farstride_io::movingai::read_map(b"type octile\nheight 1\nwidth 3\nmap\n.@S\n")?;
/// assert_eq!(grid.free_count(), 2);
/// # Ok::<(), farstride_io::movingai::MapError>(())
/// ```
pub fn read_map(bytes: &[u8]) -> Result<Grid, MapError> {
    if bytes.is_empty() {
        return Err(MapError::Empty);
    }
    let mut lines = lines(bytes);
    let header = Header::read(&mut lines)?;
    Grid::check_size(header.width, header.height).map_err(MapError::Size)?;
    let mut rows: Vec<(usize, &[u8])> = lines.collect();
    while rows.len() > header.height && rows.last().is_some_and(|(_, row)| row.is_empty()) {
        rows.pop();
    }
    if rows.len() != header.height {
        return Err(MapError::Rows { found: rows.len(), expected: header.height });
    }
    // Weights are ours, not MovingAI's: a digit is not a terrain letter in these files.
    for &(line, row) in &rows {
        if let Some(column) = row.iter().position(u8::is_ascii_digit) {
            let (column, found) = (column + 1, row[column]);
            return Err(MapError::Text(TextError::Letter { line, column, found }));
        }
    }
    Grid::from_rows(header.width, &rows).map_err(MapError::Text)
}

/// Writes a map: `.` for free cells, `@` for blocked ones. Weights are lost.
pub fn write_map(grid: &Grid) -> String {
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", grid.height(), grid.width());
    text.reserve((grid.width() + 1) * grid.height());
    for y in 0..grid.height() as u16 {
        let letter = |x| if grid.is_free(Cell::new(x, y)) { '.' } else { '@' };
        text.extend((0..grid.width() as u16).map(letter));
        text.push('\n');
    }
    text
}

/// What stands before the rows.
struct Header {
    width: usize,
    height: usize,
}

impl Header {
    fn read<'a>(lines: &mut impl Iterator<Item = (usize, &'a [u8])>) -> Result<Self, MapError> {
        let mut field = |key: &'static str| {
            let (line, text) = lines.next().ok_or(MapError::HeaderEnds { expected: key })?;
            let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            if words.next() != Some(key.as_bytes()) {
                return Err(MapError::Header { line, found: excerpt(text), expected: key });
            }
            let value = words.next().unwrap_or_default();
            match words.next() {
                Some(_) => Err(MapError::Header { line, found: excerpt(text), expected: key }),
                None => Ok((line, value)),
            }
        };
        let (line, kind) = field("type")?;
        if kind != b"octile" {
            return Err(MapError::Kind { line, found: excerpt(kind) });
        }
        let height = number(field("height")?)?;
        let width = number(field("width")?)?;
        match field("map")? {
            (_, b"") => Ok(Self { width, height }),
            (line, value) => Err(MapError::Header { line, found: excerpt(value), expected: "map" }),
        }
    }
}

fn number((line, text): (usize, &[u8])) -> Result<usize, MapError> {
    let digits = text.iter().all(u8::is_ascii_digit).then_some(text);
    let parsed = digits.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
    parsed.ok_or_else(|| MapError::Number { line, found: excerpt(text) })
}

/// Why bytes are not a map.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MapError {
    /// There is nothing.
    Empty,
    /// The file ends within the header.
    HeaderEnds {
        /// The line that should come next starts with this word.
        expected: &'static str,
    },
    /// A header line does not start as it should.
    Header {
        /// Line of the file, from 1.
        line: usize,
        /// What it says.
        found: String,
        /// The word it should start with.
        expected: &'static str,
    },
    /// A kind of map other than `octile`.
    Kind {
        /// Line of the file, from 1.
        line: usize,
        /// The kind.
        found: String,
    },
    /// A size that is not a number, or too large for one.
    Number {
        /// Line of the file, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A size that is not supported.
    Size(SizeError),
    /// More or fewer rows than the header says.
    Rows {
        /// Rows in the file.
        found: usize,
        /// Rows by the header.
        expected: usize,
    },
    /// A row of the wrong width, or with an unknown letter.
    Text(TextError),
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty; a map starts with 'type octile'"),
            Self::HeaderEnds { expected } => write!(f, "the header ends before its line '{expected}'"),
            Self::Header { line, found, expected } => {
                write!(f, "line {line} is {found}, expected '{expected}': not a MovingAI map")
            }
            Self::Kind { line, found } => write!(f, "line {line}: map type {found}, expected 'octile'"),
            Self::Number { line, found } => write!(f, "line {line}: {found} is not a number of cells"),
            Self::Size(error) => error.fmt(f),
            Self::Rows { found, expected } => {
                write!(f, "{found} rows of cells, but the header says height {expected}")
            }
            Self::Text(error) => error.fmt(f),
        }
    }
}

impl Error for MapError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        read_map(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_can_be_read() {
        let text = "type octile\nheight 2\nwidth 3\nmap\n.@.\n@..\n";
        let grid = read_map(text.as_bytes()).unwrap();
        assert_eq!(write_map(&grid), text);
        let windows = text.replace('\n', "\r\n");
        assert_eq!(read_map(windows.as_bytes()).unwrap(), grid);
        assert_eq!(read_map(text.trim_end().as_bytes()).unwrap(), grid);
        assert_eq!(read_map(format!("{text}\n\n").as_bytes()).unwrap(), grid);
    }

    #[test]
    fn every_fault_has_its_own_words() {
        let head = "type octile\nheight 2\nwidth 3\nmap\n";
        let cases = [
            (String::new(), "empty"),
            ("...\n...\n".into(), "line 1 is '...', expected 'type'"),
            ("type octile\nheight 2\n".into(), "ends before its line 'width'"),
            ("type hex\nheight 2\nwidth 3\nmap\n".into(), "map type 'hex'"),
            ("type octile\nheight -2\nwidth 3\nmap\n".into(), "'-2' is not a number"),
            ("type octile\nheight 99999999999999999999999999\nwidth 3\nmap\n".into(), "…' is not a number"),
            ("type octile\nheight +2\nwidth 3\nmap\n".into(), "'+2' is not a number"),
            ("type octile\nheight 2 9\nwidth 3\nmap\n".into(), "line 2 is 'height 2 9'"),
            ("type octile\nheight 2\nwidth 3\nmap of it\n".into(), "line 4 is"),
            ("type octile\nheight 0\nwidth 3\nmap\n".into(), "between 1 and 10000"),
            ("type octile\nheight 2\nwidth 10001\nmap\n".into(), "between 1 and 10000"),
            (format!("{head}...\n"), "1 rows of cells, but the header says height 2"),
            (format!("{head}...\n...\n...\n"), "3 rows of cells"),
            (format!("{head}...\n..\n"), "line 6 has 2 cells, expected 3"),
            (format!("{head}...\n....\n"), "line 6 has 4 cells, expected 3"),
            (format!("{head}.x.\n...\n"), "line 5, column 2: 'x' is not a terrain letter"),
            (format!("{head}.5.\n...\n"), "line 5, column 2: '5' is not a terrain letter"),
            (format!("{head}.\r.\n...\n"), "line 5, column 2: '\\r' is not a terrain letter"),
        ];
        for (text, expected) in cases {
            assert!(fault(&text).contains(expected), "{text:?} gave {}", fault(&text));
        }
        let binary = read_map(b"type octile\nheight 1\nwidth 1\nmap\n\xff\n").unwrap_err();
        assert!(binary.to_string().contains("'\\xff' is not a terrain letter"));
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let error = load_map(Path::new("no/such/file.map")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read no/such/file.map"), "{error}");
    }
}

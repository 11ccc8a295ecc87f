//! Maps.

use super::{LoadError, excerpt, lines, load};
use farstride::error::{SizeError, TextError, WeightsError};
use farstride::internal::Terrain;
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
    let (width, rows) = read_rows(bytes)?;
    // Weights are ours, not MovingAI's: a digit is not a terrain letter in these files.
    for &(line, row) in &rows {
        if let Some(column) = row.iter().position(u8::is_ascii_digit) {
            let (column, found) = (column + 1, row[column]);
            return Err(MapError::Text(TextError::Letter { line, column, found }));
        }
    }
    Grid::from_rows(width, &rows).map_err(MapError::Text)
}

/// Loads a map from a file, with other meanings of its letters.
///
/// # Errors
/// [`LoadError`] names the file and what is wrong with it.
pub fn load_map_with(path: &Path, letters: &[(u8, Terrain)]) -> Result<Grid, LoadError<MapError>> {
    load(path, MAX_BYTES, |bytes| read_map_with(bytes, letters))
}

/// Reads a map in which these letters stand for this terrain, and all others for
/// what [`read_map`] says. Of a letter named twice, the last meaning counts.
///
/// # Errors
/// [`MapError`] names the first line that does not fit, a letter that no cell
/// has, or a weight of 0.
///
/// # Example
/// ```
/// use farstride::internal::Terrain;
/// use farstride_io::movingai::read_map_with;
///
/// let letters = [(b'S', Terrain::Free(5)), (b'T', Terrain::Free(3))];
/// let grid = read_map_with(b"type octile\nheight 1\nwidth 4\nmap\n.@ST\n", &letters)?;
/// assert_eq!(grid.to_ascii(), ".#53\n");
/// # Ok::<(), farstride_io::movingai::MapError>(())
/// ```
pub fn read_map_with(bytes: &[u8], letters: &[(u8, Terrain)]) -> Result<Grid, MapError> {
    let mut meanings: [Option<Terrain>; 256] = std::array::from_fn(|letter| {
        let letter = letter as u8;
        Terrain::from_letter(letter).filter(|_| !letter.is_ascii_digit())
    });
    for &(letter, terrain) in letters {
        if terrain == Terrain::Free(0) {
            return Err(MapError::ZeroWeight { letter });
        }
        meanings[usize::from(letter)] = Some(terrain);
    }
    let (width, rows) = read_rows(bytes)?;
    let mut seen = [false; 256];
    // Rows may be shorter than the header says: memory follows those that there are.
    let mut weights = Vec::new();
    for &(line, row) in &rows {
        if row.len() != width {
            return Err(MapError::Text(TextError::Width { line, found: row.len(), expected: width }));
        }
        for (column, &found) in (1..).zip(row) {
            seen[usize::from(found)] = true;
            weights.push(match meanings[usize::from(found)] {
                Some(Terrain::Free(weight)) => weight,
                Some(Terrain::Blocked) => 0,
                None => return Err(MapError::Text(TextError::Letter { line, column, found })),
            });
        }
    }
    if let Some(&(letter, _)) = letters.iter().find(|(letter, _)| !seen[usize::from(*letter)]) {
        let found = (0..=u8::MAX).filter(|&letter| seen[usize::from(letter)]).collect();
        return Err(MapError::MissingLetter { letter, found });
    }
    Grid::from_weights(width, rows.len(), &weights).map_err(|error| match error {
        WeightsError::Size(error) => MapError::Size(error),
        _ => MapError::Rows { found: weights.len() / width, expected: rows.len() },
    })
}

/// A row of letters, with its line number.
type Row<'a> = (usize, &'a [u8]);

/// The width by the header, and the rows; as many as the header says, but not
/// checked in any other way.
fn read_rows(bytes: &[u8]) -> Result<(usize, Vec<Row<'_>>), MapError> {
    if bytes.is_empty() {
        return Err(MapError::Empty);
    }
    let mut lines = lines(bytes);
    let header = Header::read(&mut lines)?;
    Grid::check_size(header.width, header.height).map_err(MapError::Size)?;
    let mut rows: Vec<Row<'_>> = lines.collect();
    while rows.len() > header.height && rows.last().is_some_and(|(_, row)| row.is_empty()) {
        rows.pop();
    }
    if rows.len() != header.height {
        return Err(MapError::Rows { found: rows.len(), expected: header.height });
    }
    Ok((header.width, rows))
}

/// Parses a letter and its terrain for [`read_map_with`], as in `S=5` or `W=blocked`.
///
/// # Errors
/// Says what was expected.
pub fn parse_letter(text: &str) -> Result<(u8, Terrain), String> {
    let expected = || "expected LETTER=WEIGHT with a weight of 1 to 255, or LETTER=blocked".to_owned();
    let (letter, weight) = text.trim().split_once('=').ok_or_else(expected)?;
    let &[letter] = letter.trim().as_bytes() else { return Err(expected()) };
    if !letter.is_ascii_graphic() {
        return Err(expected());
    }
    match weight.trim() {
        "blocked" => Ok((letter, Terrain::Blocked)),
        weight => match weight.parse() {
            Ok(0) => Err("weight 0: the smallest is 1; write 'blocked' for a cell nobody enters".to_owned()),
            Ok(weight) => Ok((letter, Terrain::Free(weight))),
            Err(_) => Err(expected()),
        },
    }
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
    /// A letter was given a meaning, but no cell has it.
    MissingLetter {
        /// The letter.
        letter: u8,
        /// Letters that the map has, in order.
        found: Vec<u8>,
    },
    /// A letter was given a weight of 0.
    ZeroWeight {
        /// The letter.
        letter: u8,
    },
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
            Self::MissingLetter { letter, found } => {
                write!(f, "no cell has the letter '{}'; the map has", letter.escape_ascii())?;
                found.iter().try_for_each(|letter| write!(f, " {}", letter.escape_ascii()))
            }
            Self::ZeroWeight { letter } => {
                let letter = letter.escape_ascii();
                write!(f, "weight 0 of the letter '{letter}': the smallest is 1; block it instead")
            }
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
    fn letters_can_have_other_meanings() {
        let head = "type octile\nheight 2\nwidth 4\nmap\n";
        let text = format!("{head}.@ST\nGWx.\n");
        let read = |letters: &[(u8, Terrain)]| read_map_with(text.as_bytes(), letters);
        let letters = [(b'S', Terrain::Free(5)), (b'W', Terrain::Free(9)), (b'x', Terrain::Blocked)];
        let grid = read(&letters).unwrap();
        assert_eq!(grid.to_ascii(), ".#5#\n.9#.\n");
        grid.check().unwrap();
        let missing = read(&[(b'x', Terrain::Blocked), (b'O', Terrain::Free(2))]).unwrap_err().to_string();
        assert_eq!(missing, "no cell has the letter 'O'; the map has . @ G S T W x");
        let unknown = read(&[(b'S', Terrain::Free(5))]).unwrap_err().to_string();
        assert!(unknown.starts_with("line 6, column 3: 'x' is not a terrain letter"), "{unknown}");
        assert_eq!(read(&[(b'S', Terrain::Free(0))]), Err(MapError::ZeroWeight { letter: b'S' }));
        let ragged = read_map_with(format!("{head}....\n...\n").as_bytes(), &[]).unwrap_err().to_string();
        assert_eq!(ragged, "line 6 has 3 cells, expected 4");
        let digit = read_map_with(format!("{head}....\n..5.\n").as_bytes(), &[]).unwrap_err().to_string();
        assert!(digit.contains("'5' is not a terrain letter"), "{digit}");
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let error = load_map(Path::new("no/such/file.map")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read no/such/file.map"), "{error}");
    }

    #[test]
    fn letters_have_weights_or_are_blocked() {
        assert_eq!(parse_letter("S=5"), Ok((b'S', Terrain::Free(5))));
        assert_eq!(parse_letter(" .= 255"), Ok((b'.', Terrain::Free(255))));
        assert_eq!(parse_letter("@=blocked"), Ok((b'@', Terrain::Blocked)));
        for bad in ["", "S", "S=", "=5", "SW=5", "S=256", "S=-1", "S=1.5", "S=wall", "é=3", "S=5=6"] {
            assert!(parse_letter(bad).is_err(), "{bad}");
        }
        assert!(parse_letter("S=0").unwrap_err().contains("blocked"));
    }
}

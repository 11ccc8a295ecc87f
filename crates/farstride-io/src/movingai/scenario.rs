//! Scenarios: lists of queries with their answers.

use super::{LoadError, excerpt, lines, load};
use farstride::{Cell, Grid};
use std::error::Error;
use std::fmt;
use std::path::Path;

/// Longest scenario file; the longest of the benchmarks have a few megabytes.
const MAX_BYTES: u64 = 1 << 28;

/// No path on any map is longer, if all weights are 1; and none is shorter than a
/// step.
const LONGEST: f64 = (Grid::MAX_SIDE * Grid::MAX_SIDE) as f64 * 2.0;

/// One query of a scenario.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScenarioQuery {
    /// Queries of similar length share a bucket.
    pub bucket: u32,
    /// Where to start.
    pub start: Cell,
    /// Where to go.
    pub goal: Cell,
    /// Length of a shortest path, to six digits, or its cost on a map with weights;
    /// 0 with different ends means that there is none.
    pub length: f64,
}

impl ScenarioQuery {
    /// Whether the scenario says that there is a path.
    pub fn is_solvable(&self) -> bool {
        self.length > 0.0 || self.start == self.goal
    }
}

/// Loads the scenario of a map from a file.
///
/// # Errors
/// [`LoadError`] names the file and what is wrong with it.
pub fn load_scenario(path: &Path, grid: &Grid) -> Result<Vec<ScenarioQuery>, LoadError<ScenarioError>> {
    load(path, MAX_BYTES, |bytes| read_scenario(bytes, grid))
}

/// Reads a scenario made for `grid`.
///
/// # Errors
/// [`ScenarioError`] names the first line that does not fit, in itself or to
/// the map.
pub fn read_scenario(bytes: &[u8], grid: &Grid) -> Result<Vec<ScenarioQuery>, ScenarioError> {
    let mut lines = lines(bytes).filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace));
    match lines.next() {
        None => return Err(ScenarioError::Empty),
        Some((_, line)) if matches!(line.trim_ascii(), b"version 1" | b"version 1.0") => {}
        Some((line, text)) => return Err(ScenarioError::Version { line, found: excerpt(text) }),
    }
    lines.map(|(line, text)| read_query(line, text, grid)).collect()
}

/// Fields before the name of the map, and after it: the name may have spaces.
const BEFORE_NAME: usize = 1;
const AFTER_NAME: usize = 7;

fn read_query(line: usize, text: &[u8], grid: &Grid) -> Result<ScenarioQuery, ScenarioError> {
    let fields: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
    if fields.len() < BEFORE_NAME + 1 + AFTER_NAME {
        return Err(ScenarioError::Fields { line, found: fields.len() });
    }
    let &[width, height, start_x, start_y, goal_x, goal_y, length] =
        fields.last_chunk::<AFTER_NAME>().ok_or(ScenarioError::Fields { line, found: fields.len() })?;
    let number = |field| parse(line, field, "a whole number");
    let size = (number(width)?, number(height)?);
    if size != (grid.width(), grid.height()) {
        return Err(ScenarioError::OtherMap { line, found: size, expected: (grid.width(), grid.height()) });
    }
    let cell = |x: usize, y: usize| match (u16::try_from(x), u16::try_from(y)) {
        (Ok(cell_x), Ok(cell_y)) if grid.contains(Cell::new(cell_x, cell_y)) => Ok(Cell::new(cell_x, cell_y)),
        _ => Err(ScenarioError::Outside { line, found: (x, y), size }),
    };
    let start = cell(number(start_x)?, number(start_y)?)?;
    let goal = cell(number(goal_x)?, number(goal_y)?)?;
    let bucket = parse(line, fields[0], "a whole number")?;
    let length_value: f64 = parse(line, length, "a length")?;
    let longest = if grid.is_uniform() { LONGEST } else { LONGEST * f64::from(u8::MAX) };
    if !(length_value == 0.0 || (1.0..=longest).contains(&length_value)) {
        return Err(ScenarioError::Number { line, found: excerpt(length), expected: "a length" });
    }
    Ok(ScenarioQuery { bucket, start, goal, length: length_value })
}

fn parse<T: std::str::FromStr>(
    line: usize,
    field: &[u8],
    expected: &'static str,
) -> Result<T, ScenarioError> {
    let parsed = std::str::from_utf8(field).ok().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| ScenarioError::Number { line, found: excerpt(field), expected })
}

/// Why bytes are not a scenario for a map.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ScenarioError {
    /// There is nothing.
    Empty,
    /// The first line is not a version.
    Version {
        /// Line of the file, from 1.
        line: usize,
        /// What it says.
        found: String,
    },
    /// A query has too few fields.
    Fields {
        /// Line of the file, from 1.
        line: usize,
        /// Fields in it.
        found: usize,
    },
    /// A field is not the number it should be.
    Number {
        /// Line of the file, from 1.
        line: usize,
        /// What it says.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The query was made for a map of another size.
    OtherMap {
        /// Line of the file, from 1.
        line: usize,
        /// Width and height in the query.
        found: (usize, usize),
        /// Width and height of the map.
        expected: (usize, usize),
    },
    /// Start or goal is not on the map.
    Outside {
        /// Line of the file, from 1.
        line: usize,
        /// Column and row.
        found: (usize, usize),
        /// Width and height of the map.
        size: (usize, usize),
    },
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty; a scenario starts with 'version 1'"),
            Self::Version { line, found } => {
                write!(f, "line {line} is {found}, expected 'version 1': not a MovingAI scenario")
            }
            Self::Fields { line, found } => write!(
                f,
                "line {line} has {found} fields, expected 9: bucket, map, width, height, start x, start y, goal x, goal y, length"
            ),
            Self::Number { line, found, expected } => write!(f, "line {line}: {found} is not {expected}"),
            Self::OtherMap { line, found, expected } => write!(
                f,
                "line {line} is for a map of {} x {}, this map has {} x {}",
                found.0, found.1, expected.0, expected.1
            ),
            Self::Outside { line, found, size } => write!(
                f,
                "line {line}: cell {},{} is not on the map of {} x {}",
                found.0, found.1, size.0, size.1
            ),
        }
    }
}

impl Error for ScenarioError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<ScenarioQuery>, String> {
        let grid = Grid::empty(8, 4).unwrap();
        read_scenario(text.as_bytes(), &grid).map_err(|error| error.to_string())
    }

    #[test]
    fn tabs_and_spaces_and_names_with_spaces() {
        let query =
            ScenarioQuery { bucket: 3, start: Cell::new(1, 2), goal: Cell::new(7, 3), length: 6.41421 };
        for text in [
            "version 1\n3\tmaps/a.map\t8\t4\t1\t2\t7\t3\t6.41421\n",
            "version 1.0\r\n3 maps/a.map 8 4 1 2 7 3 6.41421\r\n\r\n",
            "version 1\n3\tmy maps/a b.map\t8\t4\t1\t2\t7\t3\t6.41421",
        ] {
            assert_eq!(read(text), Ok(vec![query]));
        }
        assert_eq!(read("version 1\n"), Ok(vec![]));
    }

    #[test]
    fn a_length_of_zero_means_no_path() {
        let queries = read("version 1\n0 m 8 4 1 1 1 1 0\n0 m 8 4 1 1 1 2 0\n").unwrap();
        assert!(queries[0].is_solvable());
        assert!(!queries[1].is_solvable());
    }

    #[test]
    fn every_fault_has_its_own_words() {
        let cases = [
            ("", "empty"),
            ("0 m 8 4 1 2 7 3 1\n", "expected 'version 1'"),
            ("version 1\n0 m 8 4 1 2 7 3\n", "line 2 has 8 fields"),
            ("version 1\n0 m 8 4 1 x 7 3 1\n", "line 2: 'x' is not a whole number"),
            ("version 1\n-1 m 8 4 1 2 7 3 1\n", "'-1' is not a whole number"),
            ("version 1\n0 m 8 4 1 2 7 3 nan\n", "'nan' is not a length"),
            ("version 1\n0 m 8 4 1 2 7 3 -1\n", "'-1' is not a length"),
            ("version 1\n0 m 8 4 1 2 7 3 1e-310\n", "is not a length"),
            ("version 1\n0 m 8 4 1 2 7 3 1.7e308\n", "is not a length"),
            ("version 2\n", "expected 'version 1'"),
            ("versionfoo\n", "expected 'version 1'"),
            ("version 1\n0 m 9 4 1 2 7 3 1\n", "for a map of 9 x 4, this map has 8 x 4"),
            ("version 1\n0 m 8 4 1 2 8 3 1\n", "cell 8,3 is not on the map"),
            ("version 1\n0 m 8 4 1 2 7 70000 1\n", "cell 7,70000 is not on the map"),
            ("version 1\n0 m 8 4 1 2 7 99999999999999999999 1\n", "is not a whole number"),
        ];
        for (text, expected) in cases {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text:?} gave {error}");
        }
    }
}

//! A line per query, for those who make their own statistics.

use crate::output;
use farstride_io::movingai::ScenarioQuery;
use serde::Serialize;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Where `--rows` writes to.
pub(crate) struct RowFile {
    path: PathBuf,
    format: Format,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Csv,
    JsonLines,
}

/// What one query showed.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) engine: &'static str,
    /// From 0 on.
    pub(crate) query: usize,
    pub(crate) start: [u16; 2],
    pub(crate) goal: [u16; 2],
    pub(crate) status: &'static str,
    pub(crate) cost: Option<f64>,
    pub(crate) reference: Option<f64>,
    /// Microseconds, if they were measured.
    pub(crate) us: Option<f64>,
    pub(crate) expanded: u64,
    /// What is wrong with the answer.
    pub(crate) failure: Option<String>,
}

const HEADER: &str = "engine,query,start_x,start_y,goal_x,goal_y,status,cost,reference,us,expanded,failure\n";

impl Row {
    /// The ends of a query, and whether a path was found; the rest is empty.
    pub(crate) fn new(engine: &'static str, query: usize, asked: &ScenarioQuery, cost: Option<f64>) -> Self {
        Self {
            engine,
            query,
            start: [asked.start.x, asked.start.y],
            goal: [asked.goal.x, asked.goal.y],
            status: if cost.is_some() { "found" } else { "unreachable" },
            cost,
            reference: None,
            us: None,
            expanded: 0,
            failure: None,
        }
    }

    fn write_csv(&self, text: &mut String) {
        let Self { engine, query, start, goal, status, expanded, .. } = self;
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let failure = self.failure.as_deref().map_or_else(String::new, quoted);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{engine},{query},{},{},{},{},{status},{},{},{},{expanded},{failure}",
            start[0],
            start[1],
            goal[0],
            goal[1],
            number(self.cost),
            number(self.reference),
            number(self.us),
        );
    }
}

/// Text as CSV has it, if it may hold a comma.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl RowFile {
    /// Fails unless the name says how to write.
    pub(crate) fn new(path: &Path) -> Result<Self, String> {
        let format = match path.extension().map(OsStr::to_ascii_lowercase) {
            Some(ending) if ending == "csv" => Format::Csv,
            Some(ending) if ending == "jsonl" || ending == "json" => Format::JsonLines,
            _ => return Err(format!("{}: a file of rows ends in .csv, .jsonl or .json", path.display())),
        };
        let text = if format == Format::Csv { HEADER.to_owned() } else { String::new() };
        Ok(Self { path: path.to_owned(), format, text })
    }

    pub(crate) fn push(&mut self, row: &Row) -> Result<(), serde_json::Error> {
        match self.format {
            Format::Csv => row.write_csv(&mut self.text),
            Format::JsonLines => {
                self.text += &serde_json::to_string(row)?;
                self.text.push('\n');
            }
        }
        Ok(())
    }

    pub(crate) fn write(&self) -> Result<(), Box<dyn Error>> {
        output::write_file(&self.path, self.text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::Cell;

    fn written(name: &str, failure: Option<&str>) -> String {
        let (start, goal) = (Cell::new(1, 2), Cell::new(3, 4));
        let asked = ScenarioQuery { bucket: 0, start, goal, length: 2.5 };
        let mut file = RowFile::new(Path::new(name)).unwrap();
        let failure = failure.map(str::to_owned);
        file.push(&Row { reference: Some(2.5), failure, ..Row::new("astar", 7, &asked, None) }).unwrap();
        file.text
    }

    #[test]
    fn the_ending_tells_the_format() {
        assert_eq!(written("a.csv", None), format!("{HEADER}astar,7,1,2,3,4,unreachable,,2.5,,0,\n"));
        let line = written("a.jsonl", None);
        assert!(line.starts_with("{\"engine\":\"astar\",\"query\":7,\"start\":[1,2]"), "{line}");
        assert_eq!(line, written("a.JSON", None));
        for bad in ["a", "a.txt", "csv", ".csv"] {
            assert!(RowFile::new(Path::new(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn text_with_commas_is_quoted() {
        assert!(written("a.csv", Some("length 3, but \"2\"")).ends_with(",0,\"length 3, but \"\"2\"\"\"\n"));
    }
}

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
    /// CSV with the columns of the Grid-Based Path Planning Competition.
    Gppc,
}

/// Which columns rows have.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Columns {
    /// All that is known of a query.
    #[default]
    All,
    /// Those of the Grid-Based Path Planning Competition, as its harness writes them; .csv only.
    /// Times are in seconds. The path comes whole, so its first 20 steps and its slowest step take
    /// as long as all of it.
    Gppc,
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
    pub(crate) map: String,
    /// The files of the map and of the scenario, and the number of cells of the path: what the
    /// competition lists, too.
    #[serde(skip)]
    pub(crate) files: [String; 2],
    #[serde(skip)]
    pub(crate) path_size: usize,
}

const HEADER: &str =
    "engine,query,start_x,start_y,goal_x,goal_y,status,cost,reference,us,expanded,failure,map\n";
const GPPC_HEADER: &str =
    "map,scen,experiment_id,path_size,path_length,ref_length,time_cost,20steps_cost,max_step_time\n";

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
            map: String::new(),
            files: [String::new(), String::new()],
            path_size: 0,
        }
    }

    fn write_gppc(&self, text: &mut String) {
        let [map, scen] = &self.files;
        let seconds = self.us.unwrap_or_default() / 1e6;
        let _ = writeln!(
            text,
            "{},{},{},{},{:.9},{:.9},{seconds:.9},{seconds:.9},{seconds:.9}",
            quoted(map),
            quoted(scen),
            self.query,
            self.path_size,
            self.cost.unwrap_or_default(),
            self.reference.unwrap_or_default(),
        );
    }

    fn write_csv(&self, text: &mut String) {
        let Self { engine, query, start, goal, status, expanded, .. } = self;
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let failure = self.failure.as_deref().map_or_else(String::new, quoted);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{engine},{query},{},{},{},{},{status},{},{},{},{expanded},{failure},{}",
            start[0],
            start[1],
            goal[0],
            goal[1],
            number(self.cost),
            number(self.reference),
            number(self.us),
            quoted(&self.map),
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
    pub(crate) fn new(path: &Path, columns: Columns) -> Result<Self, String> {
        let format = match path.extension().map(OsStr::to_ascii_lowercase) {
            Some(ending) if ending == "csv" && columns == Columns::Gppc => Format::Gppc,
            _ if columns == Columns::Gppc => {
                return Err(format!(
                    "{}: the columns of the competition go into a .csv file",
                    path.display()
                ));
            }
            Some(ending) if ending == "csv" => Format::Csv,
            Some(ending) if ending == "jsonl" || ending == "json" => Format::JsonLines,
            _ => return Err(format!("{}: a file of rows ends in .csv, .jsonl or .json", path.display())),
        };
        let text = match format {
            Format::Csv => HEADER.to_owned(),
            Format::Gppc => GPPC_HEADER.to_owned(),
            Format::JsonLines => String::new(),
        };
        Ok(Self { path: path.to_owned(), format, text })
    }

    pub(crate) fn push(&mut self, row: &Row) -> Result<(), serde_json::Error> {
        match self.format {
            Format::Csv => row.write_csv(&mut self.text),
            Format::Gppc => row.write_gppc(&mut self.text),
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
        written_as(name, Columns::All, failure)
    }

    fn written_as(name: &str, columns: Columns, failure: Option<&str>) -> String {
        let (start, goal) = (Cell::new(1, 2), Cell::new(3, 4));
        let asked = ScenarioQuery { bucket: 0, start, goal, length: 2.5 };
        let mut file = RowFile::new(Path::new(name), columns).unwrap();
        let failure = failure.map(str::to_owned);
        let files = ["m.map", "m.map.scen"].map(str::to_owned);
        let row = Row::new("astar", 7, &asked, None);
        file.push(&Row { reference: Some(2.5), failure, map: "m".to_owned(), files, ..row }).unwrap();
        file.text
    }

    #[test]
    fn the_ending_tells_the_format() {
        assert_eq!(written("a.csv", None), format!("{HEADER}astar,7,1,2,3,4,unreachable,,2.5,,0,,m\n"));
        let line = written("a.jsonl", None);
        assert!(line.starts_with("{\"engine\":\"astar\",\"query\":7,\"start\":[1,2]"), "{line}");
        assert_eq!(line, written("a.JSON", None));
        for bad in ["a", "a.txt", "csv", ".csv"] {
            assert!(RowFile::new(Path::new(bad), Columns::All).is_err(), "{bad}");
        }
    }

    #[test]
    fn text_with_commas_is_quoted() {
        assert!(
            written("a.csv", Some("length 3, but \"2\"")).ends_with(",0,\"length 3, but \"\"2\"\"\",m\n")
        );
    }

    #[test]
    fn the_competition_has_columns_of_its_own() {
        let zero = "0.000000000";
        assert_eq!(
            written_as("a.csv", Columns::Gppc, None),
            format!("{GPPC_HEADER}m.map,m.map.scen,7,0,{zero},2.500000000,{zero},{zero},{zero}\n")
        );
        assert!(RowFile::new(Path::new("a.jsonl"), Columns::Gppc).is_err());
    }
}

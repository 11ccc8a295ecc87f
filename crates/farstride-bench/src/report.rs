//! Showing a race: as a table in Markdown, or as JSON.

use crate::race::Standing;
use serde::Serialize;
use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A race and what it was run on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Day of the race, as year-month-day.
    pub date: String,
    /// Name of the map.
    pub map: String,
    /// Columns of the map.
    pub width: usize,
    /// Rows of the map.
    pub height: usize,
    /// Name of the scenario.
    pub scenario: String,
    /// Queries in the scenario.
    pub listed: usize,
    /// Queries raced.
    pub sample: usize,
    /// Times that each was asked.
    pub repeat: usize,
    /// Whether all others ran between two times of a rival.
    pub cold: bool,
    /// The rivals, the baseline first.
    pub standings: Vec<Standing>,
}

/// Table headings; the first column is aligned left, the others right.
const HEADINGS: [&str; 11] = [
    "rival",
    "build ms",
    "mean µs",
    "p50 µs",
    "p99 µs",
    "time ratio",
    "length ratio",
    "own rule",
    "illegal",
    "unsolved",
    "remarks",
];

impl Report {
    /// The table, readable as it is and valid Markdown.
    pub fn table(&self) -> String {
        let mut rows = vec![HEADINGS.map(str::to_owned)];
        rows.extend(self.standings.iter().map(cells));
        let widths: Vec<usize> = (0..HEADINGS.len())
            .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for (number, row) in rows.iter().enumerate() {
            text += &line(row, &widths);
            if number == 0 {
                text += &rule(&widths);
            }
        }
        text
    }

    /// The whole report in Markdown.
    pub fn markdown(&self) -> String {
        let Self { date, map, width, height, scenario, listed, sample, repeat, cold, .. } = self;
        let turns = if *cold { "with all others in between" } else { "in a row" };
        let mut text = format!(
            "# Race on {map}, {date}\n\n\
             {sample} of the {listed} queries of {scenario}, evenly spread; map of {width} x {height} cells. \
             One thread. Every answer was judged before timing. The rivals took turns query by query, \
             each {repeat} times {turns} (queries above 20 ms once); per query the least time counts. \
             Read times as ratios within this table.\n\n"
        );
        text += &self.table();
        text += LEGEND;
        for standing in &self.standings {
            if let Some(fault) = &standing.first_fault {
                let _ = writeln!(text, "- {}: first illegal path: {fault}", standing.rival);
            }
            if standing.panics > 0 {
                let _ = writeln!(text, "- {} panicked in {} queries", standing.rival, standing.panics);
            }
        }
        text
    }

    /// A name for the file that holds this report.
    pub fn file_name(&self) -> String {
        let map = self.map.trim_end_matches(".map");
        format!("{}-race-{map}.md", self.date)
    }
}

/// What the less obvious columns mean.
const LEGEND: &str = "
- *time ratio*: mean time over that of the first rival.
- *length ratio*: mean true length over the mean strict optimum of the same queries; \
below 1 for those who cut corners or turn at any angle.
- *own rule*: the same over the optimum under the rule that the rival moves by.
- *illegal*: paths that break that rule. *unsolved*: queries with a path, but not for this rival.
";

fn cells(standing: &Standing) -> [String; HEADINGS.len()] {
    [
        standing.rival.to_owned(),
        format!("{:.1}", standing.build_ms),
        format!("{:.1}", standing.mean_us),
        format!("{:.1}", standing.p50_us),
        format!("{:.1}", standing.p99_us),
        format!("{:.2}", standing.time_ratio),
        format!("{:.4}", standing.length_ratio),
        standing.own_rule_length_ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.4}")),
        standing.illegal.to_string(),
        standing.unsolved.to_string(),
        standing.remarks.join(", "),
    ]
}

/// Whether a column holds words.
const fn is_words(column: usize) -> bool {
    column == 0 || column == HEADINGS.len() - 1
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut text = String::from("|");
    for (column, (cell, &width)) in row.iter().zip(widths).enumerate() {
        if is_words(column) {
            let _ = write!(text, " {cell:<width$} |");
        } else {
            let _ = write!(text, " {cell:>width$} |");
        }
    }
    text + "\n"
}

fn rule(widths: &[usize]) -> String {
    let mut text = String::from("|");
    for (column, &width) in widths.iter().enumerate() {
        text += &"-".repeat(width + 1);
        text += if is_words(column) { "-|" } else { ":|" };
    }
    text + "\n"
}

/// Today in UTC, as year-month-day.
pub fn today() -> String {
    date(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO))
}

/// The day that lies `since` after the start of 1970, counted off year by year
/// and month by month: a calendar is not worth a dependency.
fn date(since: Duration) -> String {
    let mut days = since.as_secs() / (24 * 60 * 60);
    let mut year = 1970;
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let february = year_length(year) - 337;
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

const fn year_length(year: u64) -> u64 {
    if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_the_right_names() {
        let day = |days: u64| date(Duration::from_secs(days * 86_400 + 86_399));
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(364), "1970-12-31");
        assert_eq!(day(365), "1971-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(11_017), "2000-03-01");
        assert_eq!(day(20_088), "2024-12-31");
        assert_eq!(day(20_089), "2025-01-01");
    }

    #[test]
    fn tables_are_aligned() {
        let standing = Standing {
            rival: "somebody",
            remarks: vec!["cuts corners"],
            build_ms: 1.0,
            mean_us: 12_345.6,
            p50_us: 1.0,
            p99_us: 2.0,
            time_ratio: 1.0,
            length_ratio: 0.99,
            own_rule_length_ratio: None,
            illegal: 1,
            unsolved: 0,
            panics: 2,
            first_fault: Some("step 3".to_owned()),
        };
        let report = Report {
            date: "2025-01-02".to_owned(),
            map: "some.map".to_owned(),
            width: 3,
            height: 2,
            scenario: "some.map.scen".to_owned(),
            listed: 10,
            sample: 5,
            repeat: 3,
            cold: false,
            standings: vec![standing],
        };
        let table = report.table();
        let lengths: Vec<_> = table.lines().map(|line| line.chars().count()).collect();
        assert_eq!(lengths.len(), 3);
        assert!(lengths.iter().all(|&length| length == lengths[0]), "{table}");
        assert_eq!(report.file_name(), "2025-01-02-race-some.md");
        assert!(report.markdown().contains("first illegal path: step 3"));
        assert!(report.markdown().contains("panicked in 2 queries"));
    }
}

//! What several commands print.

use console::Term;
use farstride::{Outcome, Point};
use farstride_io::file;
use farstride_io::terminal::Screen;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

/// A coordinate of a point in cells: a whole number, or one that ends in .5.
#[derive(Serialize, Clone, Copy)]
#[serde(untagged)]
pub(crate) enum Half {
    Whole(u32),
    Half(f64),
}

impl Half {
    const fn new(halves: u32) -> Self {
        if halves.is_multiple_of(2) { Self::Whole(halves / 2) } else { Self::Half(halves as f64 / 2.0) }
    }

    /// A point as JSON has it.
    pub(crate) const fn pair(point: Point) -> [Self; 2] {
        [Self::new(point.x), Self::new(point.y)]
    }
}

/// Prints one JSON document and nothing else.
pub fn print_json(value: &impl Serialize) -> Result<(), Box<dyn Error>> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    print(&text)
}

/// Prints to standard output; a reader that has gone away is no error.
pub fn print(text: &str) -> Result<(), Box<dyn Error>> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Size and colours of the terminal, or of a page where there is none.
pub fn screen() -> Screen {
    let term = Term::stdout();
    let (rows, columns) = term.size_checked().unwrap_or((50, 100));
    Screen {
        columns: usize::from(columns).clamp(20, 200),
        rows: usize::from(rows).clamp(12, 100).saturating_sub(4),
        colour: term.is_term() && console::colors_enabled(),
    }
}

/// A bar on standard error, shown only where that is a terminal.
pub fn progress(steps: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(what.to_owned());
    bar
}

/// Writes a file in one step; see [`file::write`].
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    file::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// The word of the JSON contract for how a query ended.
pub const fn status(outcome: &Outcome<'_>) -> &'static str {
    match outcome {
        Outcome::Found(_) | Outcome::AlreadyThere => "found",
        Outcome::StartBlocked => "start-blocked",
        Outcome::GoalBlocked => "goal-blocked",
        Outcome::BudgetSpent(_) => "budget-spent",
        _ => "unreachable",
    }
}

/// A time with three digits, in the unit that suits it: `634 ns`, `76.7 ms`.
pub fn time(seconds: f64) -> String {
    const UNITS: [(&str, f64); 4] = [("ns", 1e9), ("µs", 1e6), ("ms", 1e3), ("s", 1.0)];
    // 999.5 would be rounded to four digits.
    let fits = UNITS.iter().find(|(_, factor)| seconds * factor < 999.5);
    let &(unit, factor) = fits.unwrap_or(&UNITS[3]);
    let value = seconds * factor;
    let decimals = match value {
        _ if unit == "ns" || value >= 99.95 => 0,
        _ if value >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {unit}")
}

/// Tells the user something on standard error; if nobody listens, nobody does.
pub fn tell(line: &str) {
    // A file name may hold anything; a message is one line.
    let line = line.replace(['\n', '\r'], " ");
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        for (seconds, text) in [
            (0.0, "0 ns"),
            (3e-9, "3 ns"),
            (999.4e-9, "999 ns"),
            (999.6e-9, "1.00 µs"),
            (9.996e-6, "10.0 µs"),
            (0.076_733, "76.7 ms"),
            (0.999_7, "1.00 s"),
            (4321.0, "4321 s"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }
}

//! What several commands print.

use console::Term;
use farstride_io::file;
use farstride_io::terminal::Screen;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

/// Prints one JSON document and nothing else.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Box<dyn Error>> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    print(&text)
}

/// Prints to standard output; a reader that has gone away is no error.
pub(crate) fn print(text: &str) -> Result<(), Box<dyn Error>> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Size and colours of the terminal, or of a page where there is none.
pub(crate) fn screen() -> Screen {
    let term = Term::stdout();
    let (rows, columns) = term.size_checked().unwrap_or((50, 100));
    Screen {
        columns: usize::from(columns).clamp(20, 200),
        rows: usize::from(rows).clamp(12, 100).saturating_sub(4),
        colour: term.is_term() && console::colors_enabled(),
    }
}

/// A bar on standard error, shown only where that is a terminal.
pub(crate) fn progress(steps: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(what.to_owned());
    bar
}

/// Writes a file in one step; see [`file::write`].
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    file::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Tells the user something on standard error; if nobody listens, nobody does.
pub(crate) fn tell(line: &str) {
    // A file name may hold anything; a message is one line.
    let line = line.replace(['\n', '\r'], " ");
    let _ = writeln!(io::stderr(), "{line}");
}

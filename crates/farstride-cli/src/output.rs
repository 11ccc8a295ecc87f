//! What several commands print.

use console::Term;
use farstride_io::terminal::Screen;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::error::Error;
use std::fs;
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

/// Writes a file in one go: a temporary file beside it takes its name when it
/// is complete, so that an interrupted write leaves no half file. Anything but
/// a file that is in the way (a device, a pipe) is written to as it is.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    // Where a link leads to is written, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(&target).ok();
    let written = match &before {
        Some(metadata) if !metadata.is_file() => fs::write(&target, bytes),
        _ => replace(&target, bytes, before.map(|metadata| metadata.permissions())),
    };
    written.map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

fn replace(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let partial = path.with_file_name(format!(".farstride-{}.part", std::process::id()));
    let written = fs::write(&partial, bytes)
        .and_then(|()| permissions.map_or(Ok(()), |kept| fs::set_permissions(&partial, kept)))
        .and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // Best effort: the reason for the failure is worth more than this one.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Tells the user something on standard error; if nobody listens, nobody does.
pub(crate) fn tell(line: &str) {
    // A file name may hold anything; a message is one line.
    let line = line.replace(['\n', '\r'], " ");
    let _ = writeln!(io::stderr(), "{line}");
}

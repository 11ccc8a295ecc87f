//! The file formats of the MovingAI benchmarks.
//!
//! A *map* starts with `type octile`, `height H`, `width W` and `map`, one per
//! line, followed by H rows of W letters. A *scenario* starts with `version 1`,
//! followed by one query per line: bucket, map name, the map's width and
//! height, start x and y, goal x and y, and the length of a shortest path.
//! Fields are separated by tabs in most files and by spaces in some; lines end
//! in LF or CR LF. Anything else is refused with the line it stands on.

mod map;
mod scenario;

pub use map::{MapError, load_map, load_map_with, parse_letter, read_map, read_map_with, write_map};
pub use scenario::{ScenarioError, ScenarioQuery, load_scenario, read_scenario};

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file that could not be loaded.
#[derive(Debug)]
pub struct LoadError<E> {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: Fault<E>,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault<E> {
    /// It could not be read.
    Io(io::Error),
    /// It is longer than any file of its kind can be.
    TooLong {
        /// The most bytes that are read.
        limit: u64,
    },
    /// It was read but does not make sense.
    Content(E),
}

impl<E: fmt::Display> fmt::Display for LoadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.fault {
            Fault::Io(_) => write!(f, "cannot read {path}"),
            Fault::TooLong { limit } => write!(f, "{path} is longer than {limit} bytes: not such a file"),
            Fault::Content(error) => write!(f, "{path}: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> Error for LoadError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.fault {
            Fault::Io(error) => Some(error),
            Fault::TooLong { .. } | Fault::Content(_) => None, // printed with the path
        }
    }
}

/// Reads a file of at most `limit` bytes and parses it.
pub(crate) fn load<T, E>(
    path: &Path,
    limit: u64,
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, LoadError<E>> {
    let failed = |fault| LoadError { path: path.to_owned(), fault };
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|error| failed(Fault::Io(error)))?;
    if bytes.len() as u64 > limit {
        return Err(failed(Fault::TooLong { limit }));
    }
    parse(&bytes).map_err(|error| failed(Fault::Content(error)))
}

/// Lines with their numbers from 1, without their ends.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes
        .split(|&byte| byte == b'\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.strip_suffix(b"\r").unwrap_or(line)))
}

/// A piece of a file for an error message: printable, and cut if long.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 24;
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let dots = if bytes.len() > SHOWN { "…" } else { "" };
    format!("'{}{dots}'", shown.escape_ascii())
}

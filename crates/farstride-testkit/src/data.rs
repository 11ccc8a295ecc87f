//! Where the benchmark sets are, on machines that have them.
//!
//! The `MovingAI` sets are too large to ship. Tests that want them read a folder
//! from the environment and, where it is not named, say that they were skipped
//! rather than pass in silence. Uses nothing else of this crate.

use std::ffi::OsString;
use std::path::PathBuf;

/// The environment variable that names the folder of benchmark sets.
pub const VARIABLE: &str = "FARSTRIDE_BENCHMARKS";

/// The folder of benchmark sets, with files `SET/NAME.map` and
/// `SET/NAME.map.scen`, if the environment names one.
///
/// # Panics
/// If it names something that is not a folder: a slip in the name must not make
/// every benchmark test look merely skipped.
pub fn benchmark_dir() -> Option<PathBuf> {
    folder(std::env::var_os(VARIABLE))
}

/// [`benchmark_dir`], or a note on standard error that `test` was skipped.
///
/// ```no_run
/// let Some(sets) = farstride_testkit::data::skip_without_benchmarks("scenarios") else {
///     return;
/// };
/// # drop(sets);
/// ```
///
/// # Panics
/// As [`benchmark_dir`].
pub fn skip_without_benchmarks(test: &str) -> Option<PathBuf> {
    let dir = benchmark_dir();
    if dir.is_none() {
        eprintln!("{}", skip_note(test));
    }
    dir
}

/// The pure half of [`benchmark_dir`]: tests cannot set variables safely.
fn folder(value: Option<OsString>) -> Option<PathBuf> {
    let dir = PathBuf::from(value.filter(|value| !value.is_empty())?);
    assert!(dir.is_dir(), "{VARIABLE} names {}, which is not a folder", dir.display());
    Some(dir)
}

fn skip_note(test: &str) -> String {
    format!("skipped: {test} (set {VARIABLE} to a folder of MovingAI sets)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_and_empty_mean_no_folder() {
        assert_eq!(folder(None), None);
        assert_eq!(folder(Some(OsString::new())), None);
    }

    #[test]
    fn named_folder_is_returned() {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(folder(Some(here.clone().into_os_string())), Some(here));
    }

    #[test]
    #[should_panic(expected = "not a folder")]
    fn a_slip_in_the_name_is_loud() {
        folder(Some("/no/such/folder/anywhere".into()));
    }

    #[test]
    fn note_says_what_to_do() {
        let expected = "skipped: bg512 (set FARSTRIDE_BENCHMARKS to a folder of MovingAI sets)";
        assert_eq!(skip_note("bg512"), expected);
    }

    #[test]
    fn skipping_agrees_with_the_folder() {
        assert_eq!(skip_without_benchmarks("self test"), benchmark_dir());
    }
}

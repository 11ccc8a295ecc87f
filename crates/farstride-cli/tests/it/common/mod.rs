//! What the tests of the command line share.

#![allow(dead_code, reason = "every test uses a part of it")]

use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};

/// The program under test; the tests of `farstride-paper` share this file.
const PROGRAM: &str =
    match (option_env!("CARGO_BIN_EXE_farstride"), option_env!("CARGO_BIN_EXE_farstride-paper")) {
        (Some(path), _) | (None, Some(path)) => path,
        _ => panic!("no program to test"),
    };

pub(crate) fn farstride(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

/// A folder for one test, empty at first and removed at the end.
#[derive(Debug)]
#[must_use = "the folder is removed with the statement unless it is bound to a name"]
pub(crate) struct Folder(PathBuf);

/// A fresh folder under the build folder. Two runs of the tests at once do not
/// meet: the name has the number of the process in it.
pub(crate) fn folder(test: &str) -> Folder {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", process::id()));
    fs::create_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    Folder(folder)
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it, and a panic here would hide that of a test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(crate) fn json(arguments: &[&str]) -> (Value, i32) {
    let output = farstride(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
    (value, output.status.code().unwrap())
}

/// Runs a command that must fail with 2, one line on stderr, nothing on stdout.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = farstride(arguments);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(told.trim_end().lines().count(), 1, "{arguments:?}: {told}");
    told
}

/// A map of caves and a scenario of ways across it, one every `step` rows, with
/// lengths.
pub(crate) fn caves(folder: &Path, (width, height): (usize, usize), step: usize) -> (String, String) {
    let map = folder.join("caves.map").to_str().unwrap().to_owned();
    let size = format!("{width}x{height}");
    assert!(farstride(&["gen", "caves", "--size", &size, "--seed", "3", "-o", &map]).status.success());
    let mut scenario = String::from("version 1\n");
    for y in (0..height).step_by(step) {
        let (x, back) = (width - 10, height - 1 - y);
        let (from, to) = (format!("5,{y}"), format!("{x},{back}"));
        let (report, _) =
            json(&["path", "--map", &map, "--from", &from, "--to", &to, "--engine", "astar", "--json"]);
        if let Some(length) = report["cost"].as_f64() {
            writeln!(scenario, "0\tcaves.map\t{width}\t{height}\t5\t{y}\t{x}\t{back}\t{length}").unwrap();
        }
    }
    assert!(scenario.lines().count() > 5, "{scenario}");
    (map, write(folder, "caves.map.scen", scenario))
}

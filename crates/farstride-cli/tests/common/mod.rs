//! What the tests of the command line share.

#![allow(dead_code, reason = "every test uses a part of it")]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) fn farstride(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farstride")).args(arguments).output().unwrap()
}

/// A folder of its own for each test, under the build folder.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    folder
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

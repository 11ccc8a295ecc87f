//! `farstride paper` hands over to a program beside it.

use crate::common::folder;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a copy of `farstride` in a folder of its own, with nothing on the `PATH`.
fn paper(folder: &Path) -> Output {
    let copy = folder.join("farstride");
    // A link, not a copy: a program cannot run while another process, started by
    // another test in that moment, has it open for writing.
    fs::hard_link(env!("CARGO_BIN_EXE_farstride"), &copy).unwrap();
    Command::new(copy).args(["paper", "hpa", "--help"]).env("PATH", "").output().unwrap()
}

#[test]
fn a_missing_program_is_named_in_one_line() {
    let output = paper(&folder("paper-missing"));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{told}");
    assert!(told.contains("cargo build --release -p farstride-lab") && output.stdout.is_empty(), "{told}");
}

#[cfg(unix)]
#[test]
fn arguments_and_exit_code_are_passed_on() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("paper-beside");
    let program = folder.join("farstride-paper");
    fs::write(&program, "#!/bin/sh\necho \"$@\"\nexit 1\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let output = paper(&folder);
    assert_eq!((&output.stdout[..], output.status.code()), (&b"hpa --help\n"[..], Some(1)));
}

//! The examples of the help texts and of the README work as they stand.

use crate::common::{farstride, folder, json};
use std::path::Path;
use std::process::Command;

const COMMANDS: [&str; 9] = ["demo", "path", "table", "bench", "verify", "build", "info", "gen", "render"];

/// Files that an example may name but that are not here.
const ABSENT: [&str; 4] = ["orz700d", "movingai", ".txt", "|"];

/// Lines of a text that call `farstride` and can be run anywhere.
fn examples(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with("farstride "));
    let told = lines.map(|line| line.split("  ").next().unwrap_or(line).to_owned());
    told.filter(|line| !ABSENT.iter().any(|word| line.contains(word))).collect()
}

fn run(line: &str, folder: &Path) {
    let words = line.split_whitespace().skip(1);
    let output =
        Command::new(env!("CARGO_BIN_EXE_farstride")).args(words).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn examples_work() {
    let folder = folder("examples");
    let help =
        |command: &[&str]| String::from_utf8(farstride(&[command, &["--help"]].concat()).stdout).unwrap();
    // The first ones make the map that others use.
    let mut lines = examples(&help(&[]));
    for command in COMMANDS {
        lines.extend(examples(&help(&[command])));
    }
    // Every other piece of the README is code.
    let code = include_str!("../../../../README.md").split("```").skip(1).step_by(2);
    lines.extend(code.flat_map(examples));
    assert!(lines.len() > 20, "{lines:?}");
    for line in lines {
        run(&line, &folder);
    }
}

#[test]
fn help_fits_a_screen_and_says_where_the_rest_is() {
    let text = |arguments: &[&str]| String::from_utf8(farstride(arguments).stdout).unwrap();
    for command in COMMANDS {
        let help = text(&[command, "--help"]);
        assert!(help.lines().count() <= 45, "{help}");
        let has_engines = help.contains("--engine <");
        assert_eq!(help.contains("farstride help engines"), has_engines, "{help}");
        assert!(!help.contains("--cluster <"), "{help}");
        assert_eq!(text(&["help", command]).contains("--cluster <"), has_engines, "{command}");
    }
    let engines = text(&["help", "engines"]);
    for word in ["--cluster <", "--connection <", "--index-budget <", "lazy-theta", "labels  "] {
        assert!(engines.contains(word), "{word}: {engines}");
    }
    assert_eq!(text(&["engines"]), engines);
}

#[test]
fn blocked_ends_have_one_name() {
    let ends = ["--from", "12,33", "--to", "9,31"];
    let (report, code) = json(&[&["path", "--json"], &ends[..]].concat());
    assert_eq!((report["status"].as_str(), code), (Some("goal-blocked"), 1));
    let drawn = farstride(&[&["render"], &ends[..]].concat());
    assert_eq!(drawn.status.code(), Some(1));
    let told = String::from_utf8(drawn.stderr).unwrap();
    assert!(told.contains("goal-blocked from 12,33 to 9,31"), "{told}");
}

#[test]
fn the_first_steps_do_not_end_at_the_goal() {
    let output = farstride(&["path", "--from", "12,33", "--to", "147,11", "--first", "5"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, drawing) = text.split_once('\n').unwrap();
    let row = |letter| drawing.lines().position(|line| line.contains(letter)).unwrap();
    assert!(row('S') > row('G') + 5, "{text}");
}

#[test]
fn times_have_units_that_suit_them() {
    let output = farstride(&["table", "--cells", "300", "--engine", "astar", "--threads", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let answered = text.split("answered in ").nth(1).unwrap();
    let number = answered.split(' ').next().unwrap();
    assert!(number.len() <= 4, "{text}");
}

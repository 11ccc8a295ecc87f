//! The layers of the engine: each module uses only those above it in `lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules in the order in which `lib.rs` declares them.
fn layers() -> Vec<String> {
    let lib = fs::read_to_string(source().join("lib.rs")).unwrap();
    lib.lines()
        .filter_map(|line| line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

/// Every Rust file of a module.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

/// The modules of this crate that a line names.
fn used(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split("crate::")
        .skip(1)
        .map(|rest| {
            rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or("")
        })
        .collect()
}

#[test]
fn modules_use_only_those_above_them() {
    let layers = layers();
    assert!(layers.len() >= 5, "{layers:?}");
    let mut looked_at = 0;
    for (level, layer) in layers.iter().enumerate() {
        let file = source().join(layer).with_extension("rs");
        let files = if file.exists() { vec![file] } else { files(&source().join(layer)) };
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for (number, line) in text.lines().enumerate() {
                for name in used(line) {
                    let place = format!("{}:{}", file.display(), number + 1);
                    let target = layers.iter().position(|layer| layer == name);
                    let target = target.unwrap_or_else(|| panic!("{place} uses crate::{name}, not a layer"));
                    assert!(target <= level, "{place}: {layer} uses {name}, which is below it");
                    looked_at += 1;
                }
            }
        }
    }
    assert!(looked_at > 20, "only {looked_at} uses were found: the scan misses them");
}

#[test]
fn the_scan_sees_what_a_line_uses() {
    assert_eq!(used("use crate::grid::{Grid, Moves};"), ["grid"]);
    assert_eq!(used("    cost += crate::base::euclidean(a, crate::route::x);"), ["base", "route"]);
    assert_eq!(used("// crate::route is not used"), Vec::<&str>::new());
}

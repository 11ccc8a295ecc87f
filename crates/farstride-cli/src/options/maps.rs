//! Several maps at once.

use super::map::{MapOptions, RuleOptions};
use clap::Args;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Maps that are treated alike.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MapListOptions {
    /// Map in the MovingAI format, or a folder: all its .map files, also in folders below.
    /// May be given several times [default: the built-in map].
    #[arg(long, value_name = "FILE|FOLDER")]
    map: Vec<PathBuf>,

    #[command(flatten)]
    rules: RuleOptions,
}

impl MapListOptions {
    /// The maps one by one, those of a folder by name; and whether there may be several of them,
    /// also if there is one.
    ///
    /// Fails if two of them have the same name: their reports and indexes could not be told apart.
    pub(crate) fn each(&self) -> Result<(Vec<MapOptions>, bool), Box<dyn Error>> {
        let is_list = self.map.len() > 1 || self.map.iter().any(|path| path.is_dir());
        if self.map.is_empty() {
            return Ok((vec![MapOptions::new(None, &self.rules)], false));
        }
        let mut files = Vec::new();
        for path in &self.map {
            if path.is_dir() {
                let before = files.len();
                collect(path, &mut files)?;
                if files.len() == before {
                    return Err(format!("{}: no .map file in this folder", path.display()).into());
                }
            } else {
                files.push(path.clone());
            }
        }
        let maps: Vec<MapOptions> =
            files.into_iter().map(|file| MapOptions::new(Some(file), &self.rules)).collect();
        check_names(&maps)?;
        Ok((maps, is_list))
    }
}

/// Adds the maps in a folder and in those below it, in the order of their names.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        // A link to a folder could lead in circles.
        entries.push((entry.path(), entry.file_type().map_err(unreadable)?.is_dir()));
    }
    entries.sort();
    for (path, is_folder) in entries {
        if is_folder {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("map")) {
            files.push(path);
        }
    }
    Ok(())
}

fn check_names(maps: &[MapOptions]) -> Result<(), String> {
    let mut seen = BTreeMap::new();
    for map in maps {
        let shown = |map: &MapOptions| map.file().map_or_else(String::new, |file| file.display().to_string());
        if let Some(other) = seen.insert(map.name(), map) {
            return Err(format!(
                "{} and {} have the same name; give one at a time",
                shown(other),
                shown(map)
            ));
        }
    }
    Ok(())
}

//! Which maps belong to which row of the table.

use super::published::{Row, TABLE_1};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of the table and the maps found for it.
pub(super) struct Set {
    pub(super) published: &'static Row,
    /// By name.
    pub(super) maps: Vec<PathBuf>,
}

/// Folders of games, with the sets in them.
const FOLDERS: [(&str, &str); 5] = [
    ("bg512", "bg512"),
    ("dao", "DAO"),
    ("sc1", "starcraft"),
    ("starcraft", "starcraft"),
    ("wc3maps512", "wc3maps512"),
];

/// The sets of the table that are found in the folders of a folder. Maps of
/// games go by their folder, mazes, rooms and random maps by their names.
pub(super) fn find(data: &Path) -> Result<Vec<Set>, Box<dyn Error>> {
    let mut sets: Vec<Set> = TABLE_1.iter().map(|row| Set { published: row, maps: Vec::new() }).collect();
    for folder in entries(data)?.into_iter().filter(|path| path.is_dir()) {
        for file in entries(&folder)? {
            if file.extension().is_none_or(|ending| ending != "map") {
                continue;
            }
            let name = set_of(&name(&folder), &name(&file));
            if let Some(set) = sets.iter_mut().find(|set| Some(set.published.set) == name.as_deref()) {
                set.maps.push(file);
            }
        }
    }
    sets.retain(|set| !set.maps.is_empty());
    for set in &mut sets {
        set.maps.sort();
    }
    if sets.is_empty() {
        let expected = "folders bg512, dao, sc1, wc3maps512, mazes, random and rooms with .map and .map.scen";
        return Err(format!("no maps of the paper in {}: expected {expected}", data.display()).into());
    }
    Ok(sets)
}

/// The set that a map belongs to, if it is one of the table.
fn set_of(folder: &str, file: &str) -> Option<String> {
    let game = FOLDERS.iter().find(|(name, _)| folder.eq_ignore_ascii_case(name));
    let number = |text: &str| text.parse::<u32>().ok();
    let kind_and_size = |kind: &str, text: Option<&str>| Some(format!("{kind}{}", number(text?)?));
    if let Some((_, set)) = game {
        Some((*set).to_owned())
    } else if let Some(rest) = file.strip_prefix("maze512-") {
        kind_and_size("maze", rest.split('-').next())
    } else if let Some(rest) = file.strip_prefix("random512-") {
        kind_and_size("random", rest.split('-').next())
    } else {
        let (size, _) = file.split_once("room_")?;
        kind_and_size("room", Some(size))
    }
}

fn name(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let told = |error| format!("cannot read {}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        paths.push(entry.map_err(told)?.path());
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_go_by_folder_or_name() {
        let set = |folder, file| set_of(folder, file);
        for (folder, file, expected) in [
            ("sc1", "Aurora", "starcraft"),
            ("starcraft", "Aurora", "starcraft"),
            ("dao", "orz700d", "DAO"),
            ("mazes", "maze512-16-3", "maze16"),
            ("maze-map", "maze512-1-0", "maze1"),
            ("random", "random512-40-9", "random40"),
            ("rooms", "64room_008", "room64"),
        ] {
            assert_eq!(set(folder, file).as_deref(), Some(expected));
        }
        assert!(set("cities", "Berlin_0_1024").is_none());
        assert!(set("mazes", "maze512-wide").is_none());
    }
}

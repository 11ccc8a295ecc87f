//! Worlds of the level editor `LDtk`.
//!
//! Read by its JSON: the crate for it brings a game engine along.

use super::json::{list, missing, number, parse, text};
use super::{Classes, MAX_BYTES, WorldError};
use crate::movingai::{LoadError, load};
use farstride::atlas::{Floor, TileMap};
use serde_json::Value;
use std::path::Path;

/// Loads a project of `LDtk` from a file; see [`read_ldtk`].
///
/// # Errors
/// [`LoadError`] names the file and what is wrong with it.
pub fn load_ldtk(path: &Path) -> Result<TileMap, LoadError<WorldError>> {
    load(path, MAX_BYTES, read_ldtk)
}

/// Reads a project of `LDtk`: each level with a layer of integers (`IntGrid`) becomes a floor, at
/// its place in the world, counted in cells. Of several such layers the first is taken. The value of a cell is its class, and classes have
/// the names of their values.
///
/// # Errors
/// [`WorldError`] if the file is damaged, its levels are in other files, or a value exceeds
/// 255.
pub fn read_ldtk(bytes: &[u8]) -> Result<TileMap, WorldError> {
    let project = parse(bytes)?;
    if project["externalLevels"].as_bool() == Some(true) {
        return Err(WorldError::ExternalLevels);
    }
    let mut floors = Vec::new();
    for level in list(&project, "levels")? {
        let layers = level["layerInstances"].as_array().ok_or_else(|| missing("layerInstances"))?;
        if let Some(layer) = layers.iter().find(|layer| text(layer, "__type") == "IntGrid") {
            floors.push(floor_of(level, layer)?);
        }
    }
    Classes { names: names_in(&project)? }.map_of(floors)
}

fn floor_of(level: &Value, layer: &Value) -> Result<Floor, WorldError> {
    let (width, height): (usize, usize) = (number(layer, "__cWid")?, number(layer, "__cHei")?);
    let side: i32 = number(layer, "__gridSize")?;
    let class = |value: &Value| value.as_i64().and_then(|value| u8::try_from(value).ok());
    let classes: Option<Vec<u8>> = list(layer, "intGridCsv")?.iter().map(class).collect();
    let classes = classes.ok_or(WorldError::TooManyClasses)?;
    let floor = Floor::new(width, height, classes).map_err(WorldError::Floor)?;
    let at = |key| Ok(number::<i32>(level, key)?.div_euclid(side.max(1)));
    Ok(floor.at(at("worldX")?, at("worldY")?))
}

/// The names of the values of all layers of integers; empty where there is none.
fn names_in(project: &Value) -> Result<Vec<String>, WorldError> {
    let mut names = vec!["empty".to_owned()];
    for layer in list(&project["defs"], "layers")? {
        for named in layer["intGridValues"].as_array().into_iter().flatten() {
            let value: usize = number(named, "value")?;
            if value > 255 {
                return Err(WorldError::TooManyClasses);
            }
            names.resize(names.len().max(value + 1), String::new());
            text(named, "identifier").clone_into(&mut names[value]);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = r#"{
        "externalLevels": false,
        "defs": {"layers": [{"intGridValues": [
            {"value": 1, "identifier": "grass"}, {"value": 3, "identifier": "water"}]}]},
        "levels": [
            {"worldX": -32, "worldY": 16, "layerInstances": [
                {"__type": "Entities"},
                {"__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16, "intGridCsv": [1, 1, 3, 0, 1, 1]}]},
            {"worldX": 0, "worldY": 0, "layerInstances": [{"__type": "Tiles"}]}]
    }"#;

    #[test]
    fn levels_become_floors() {
        let tiles = read_ldtk(PROJECT.as_bytes()).unwrap();
        let (_, floor) = tiles.floors().next().unwrap();
        assert_eq!(*floor, Floor::new(3, 2, [1, 1, 3, 0, 1, 1]).unwrap().at(-2, 1));
        assert_eq!(tiles.floor_count(), 1);
        assert_eq!((tiles.class_named("water"), tiles.class_name(1)), (Some(3), Some("grass")));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let told = |text: &str| read_ldtk(text.as_bytes()).unwrap_err().to_string();
        let with = |old: &str, new: &str| told(&PROJECT.replace(old, new));
        assert!(with("\"externalLevels\": false", "\"externalLevels\": true").contains("files of their own"));
        assert_eq!(with("3, 0, 1, 1]", "300, 0, 1, 1]"), "has more than 256 kinds of terrain");
        assert_eq!(with("\"value\": 3", "\"value\": 300"), "has more than 256 kinds of terrain");
        assert_eq!(with("IntGrid\"", "Auto\""), "has no layer of tiles");
        assert_eq!(with("\"levels\"", "\"rooms\""), "has no 'levels'");
        assert_eq!(with("\"__cWid\": 3", "\"__cWid\": -3"), "'__cWid' is -3, not a whole number in range");
        assert!(with("3, 0, 1, 1]", "3]").contains("class"));
        for cut in (0..PROJECT.len() - 1).step_by(7) {
            assert!(read_ldtk(&PROJECT.as_bytes()[..cut]).is_err());
        }
    }
}

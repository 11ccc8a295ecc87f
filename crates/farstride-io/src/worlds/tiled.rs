//! Maps of the editor Tiled, as XML (`.tmx`) or JSON (`.tmj`).

use super::json::{list, number, parse, text};
use super::{Classes, MAX_BYTES, WorldError};
use crate::movingai::{Fault, LoadError, load};
use farstride::Grid;
use farstride::atlas::{Floor, FloorError, TileMap};
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use tiled::{Layer, LayerTile, LayerType, Loader, Map, Orientation, TileLayer};

/// What the layers of a map mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layers {
    /// Each is a floor.
    Floors,
    /// All lie on each other and make one floor: a cell is of the uppermost tile.
    Stacked,
}

/// The class of a cell without a tile.
const EMPTY: &str = "empty";
/// The bits of a tile's number that say how it is flipped or turned.
const FLIPS: u32 = 0xf000_0000;

/// Loads a map of Tiled, `.tmj` or `.json` as JSON, others as XML.
///
/// A kind of terrain is a class of tiles as set in the editor ("class", before Tiled 1.9 "type"); tiles
/// without one are kinds by themselves, named after their tile set and number. Kinds are numbered as they
/// are met, row by row; class 0 is "empty", a cell without a tile. Groups of layers are opened;
/// layers of objects and images are left out. Names of classes in tile sets that a `.tmj` refers to in other files are not
/// read: their tiles are kinds by themselves.
///
/// # Errors
/// [`LoadError`] names the file and what is wrong with it: infinite maps, flipped tiles, more
/// than 256 kinds of terrain, and tiles that are not in rows and columns are refused.
pub fn load_tiled(path: &Path, layers: Layers) -> Result<TileMap, LoadError<WorldError>> {
    let is_json = path.extension().is_some_and(|end| end == "tmj" || end == "json");
    if is_json {
        return load(path, MAX_BYTES, |bytes| read_tmj(bytes, layers));
    }
    let failed = |fault| LoadError { path: path.to_owned(), fault };
    // The loader does not tell a file that cannot be read from one that is damaged.
    File::open(path).map_err(|error| failed(Fault::Io(error)))?;
    let map = Loader::new().load_tmx_map(path).map_err(|error| match error {
        tiled::Error::ResourceLoadingError { path, err } => {
            failed(Fault::Content(WorldError::Damaged { problem: format!("{}: {err}", path.display()) }))
        }
        error => failed(Fault::Content(WorldError::Damaged { problem: error.to_string() })),
    })?;
    from_tmx(&map, layers).map_err(|error| failed(Fault::Content(error)))
}

/// A layer of tiles: a name, and the kind of terrain of each cell.
struct Sheet {
    width: usize,
    height: usize,
    classes: Vec<u8>,
}

impl Sheet {
    fn empty(width: usize, height: usize) -> Result<Self, WorldError> {
        Grid::check_size(width, height).map_err(|error| WorldError::Floor(FloorError::Size(error)))?;
        Ok(Self { width, height, classes: vec![0; width * height] })
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let Self { width, height, .. } = *self;
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }
}

/// The map of some layers, the lowest first.
fn map_of(sheets: Vec<Sheet>, layers: Layers, classes: Classes) -> Result<TileMap, WorldError> {
    let sheets = match layers {
        Layers::Floors => sheets,
        Layers::Stacked => {
            sheets.into_iter().reduce(|below, above| lay_over(below, &above)).into_iter().collect()
        }
    };
    let floor = |sheet: Sheet| Floor::new(sheet.width, sheet.height, sheet.classes);
    let floors: Result<Vec<Floor>, FloorError> = sheets.into_iter().map(floor).collect();
    classes.map_of(floors.map_err(WorldError::Floor)?)
}

fn lay_over(mut below: Sheet, above: &Sheet) -> Sheet {
    for (x, y) in above.cells().filter(|&(x, y)| x < below.width && y < below.height) {
        let class = above.classes[y * above.width + x];
        if class != 0 {
            below.classes[y * below.width + x] = class;
        }
    }
    below
}

fn from_tmx(map: &Map, layers: Layers) -> Result<TileMap, WorldError> {
    if map.infinite() {
        return Err(WorldError::Infinite);
    }
    if map.orientation != Orientation::Orthogonal {
        return Err(WorldError::Orientation { found: map.orientation.to_string() });
    }
    let mut classes = Classes::default();
    classes.named(EMPTY)?;
    let mut sheets = Vec::new();
    for layer in map.layers() {
        read_layer(&layer, &mut classes, &mut sheets)?;
    }
    map_of(sheets, layers, classes)
}

fn read_layer(layer: &Layer<'_>, classes: &mut Classes, sheets: &mut Vec<Sheet>) -> Result<(), WorldError> {
    match layer.layer_type() {
        LayerType::Tiles(TileLayer::Finite(tiles)) => {
            let mut sheet = Sheet::empty(tiles.width() as usize, tiles.height() as usize)?;
            for (at, cell) in sheet.cells().enumerate() {
                let Some(tile) = tiles.get_tile(cell.0 as i32, cell.1 as i32) else { continue };
                if tile.flip_h || tile.flip_v || tile.flip_d {
                    return Err(WorldError::Flipped { layer: layer.name.clone(), cell });
                }
                sheet.classes[at] = classes.named(&kind_of(&tile))?;
            }
            sheets.push(sheet);
        }
        LayerType::Tiles(TileLayer::Infinite(_)) => return Err(WorldError::Infinite),
        LayerType::Group(group) => {
            for layer in group.layers() {
                read_layer(&layer, classes, sheets)?;
            }
        }
        LayerType::Objects(_) | LayerType::Image(_) => {}
    }
    Ok(())
}

fn kind_of(tile: &LayerTile<'_>) -> String {
    let class = tile.get_tile().map(|tile| tile.user_type.clone());
    class
        .filter(|class| !class.is_empty())
        .unwrap_or_else(|| format!("{} {}", tile.get_tileset().name, tile.id()))
}

/// Reads a map of Tiled in JSON; see [`load_tiled`]. Layers must be saved as CSV, not
/// compressed.
///
/// # Errors
/// [`WorldError`] says what is wrong with it.
pub fn read_tmj(bytes: &[u8], layers: Layers) -> Result<TileMap, WorldError> {
    let map = parse(bytes)?;
    if map["infinite"].as_bool() == Some(true) {
        return Err(WorldError::Infinite);
    }
    if text(&map, "orientation") != "orthogonal" {
        return Err(WorldError::Orientation { found: map["orientation"].to_string() });
    }
    let sets = list(&map, "tilesets")?;
    let mut classes = Classes::default();
    classes.named(EMPTY)?;
    let mut sheets = Vec::new();
    // The layers that are left to read, the next one last.
    let mut waiting: Vec<&Value> = list(&map, "layers")?.iter().rev().collect();
    while let Some(layer) = waiting.pop() {
        match text(layer, "type") {
            "tilelayer" => sheets.push(read_json_layer(layer, sets, &mut classes)?),
            "group" => waiting.extend(list(layer, "layers")?.iter().rev()),
            _ => {}
        }
    }
    map_of(sheets, layers, classes)
}

fn read_json_layer(layer: &Value, sets: &[Value], classes: &mut Classes) -> Result<Sheet, WorldError> {
    let mut sheet = Sheet::empty(number(layer, "width")?, number(layer, "height")?)?;
    let strange = |found: String, expected| WorldError::Value { key: "data".to_owned(), found, expected };
    let data = match &layer["data"] {
        Value::Array(data) => data,
        Value::Null => return Err(WorldError::Missing { key: "data".to_owned() }),
        _ => return Err(strange("encoded".to_owned(), "a list; save the layer as CSV, or the map as .tmx")),
    };
    if data.len() != sheet.classes.len() {
        return Err(strange(format!("a list of {}", data.len()), "as long as the layer has cells"));
    }
    for ((at, cell), tile) in sheet.cells().enumerate().zip(data) {
        let tile = tile.as_u64().and_then(|tile| u32::try_from(tile).ok());
        let tile = tile.ok_or_else(|| strange("a list with other things".to_owned(), "numbers of tiles"))?;
        if tile & FLIPS != 0 {
            return Err(WorldError::Flipped { layer: text(layer, "name").to_owned(), cell });
        }
        if tile != 0 {
            sheet.classes[at] = classes.named(&json_kind(tile, sets)?)?;
        }
    }
    Ok(sheet)
}

/// The kind of a tile by its number in the map.
fn json_kind(tile: u32, sets: &[Value]) -> Result<String, WorldError> {
    let first = |set: &Value| number::<u32>(set, "firstgid").unwrap_or(u32::MAX);
    let set = sets.iter().filter(|&set| first(set) <= tile).max_by_key(|&set| first(set));
    let set = set.ok_or_else(|| WorldError::Value {
        key: "data".to_owned(),
        found: tile.to_string(),
        expected: "the number of a tile of a tile set",
    })?;
    let id = tile - first(set);
    let tiles = set["tiles"].as_array().into_iter().flatten();
    let known = tiles.filter(|known| known["id"].as_u64() == Some(id.into()));
    let class =
        known.flat_map(|known| [text(known, "class"), text(known, "type")]).find(|name| !name.is_empty());
    let name = [text(set, "name"), text(set, "source")].into_iter().find(|name| !name.is_empty());
    Ok(class.map_or_else(|| format!("{} {id}", name.unwrap_or("tiles")), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const TMX: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" renderorder="right-down" width="3" height="2" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="land" tilewidth="16" tileheight="16" tilecount="4" columns="2">
  <image source="land.png" width="32" height="32"/>
  <tile id="0" type="grass"/>
  <tile id="1" type="water"/>
  <tile id="2" type="grass"/>
 </tileset>
 <layer id="1" name="ground" width="3" height="2"><data encoding="csv">
1,2,3,
4,1,1
</data></layer>
 <group id="3" name="above"><layer id="2" name="walls" width="3" height="2"><data encoding="csv">
0,0,0,
2,0,2
</data></layer></group>
</map>"#;

    const TMJ: &str = r#"{"orientation": "orthogonal", "infinite": false, "width": 3, "height": 2,
        "tilesets": [{"firstgid": 1, "name": "land", "tiles": [
            {"id": 0, "type": "grass"}, {"id": 1, "class": "water"}, {"id": 2, "type": "grass"}]}],
        "layers": [
            {"type": "tilelayer", "name": "ground", "width": 3, "height": 2, "data": [1, 2, 3, 4, 1, 1]},
            {"type": "objectgroup", "objects": []},
            {"type": "group", "layers": [
                {"type": "tilelayer", "name": "walls", "width": 3, "height": 2, "data": [0, 0, 0, 2, 0, 2]}]}]}"#;

    /// Loads a map from a file of its own.
    fn load_text(name: &str, text: &str, layers: Layers) -> Result<TileMap, String> {
        let folder = std::env::temp_dir().join(format!("farstride-tiled-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        let loaded = load_tiled(&path, layers).map_err(|error| error.to_string());
        fs::remove_file(&path).unwrap();
        loaded
    }

    #[test]
    fn both_forms_give_the_same_floors() {
        let ground = Floor::new(3, 2, [1, 2, 1, 3, 1, 1]).unwrap();
        let walls = Floor::new(3, 2, [0, 0, 0, 2, 0, 2]).unwrap();
        let stacked = Floor::new(3, 2, [1, 2, 1, 2, 1, 2]).unwrap();
        for (name, text) in [("same.tmx", TMX), ("same.tmj", TMJ)] {
            let tiles = load_text(name, text, Layers::Floors).unwrap();
            let floors: Vec<&Floor> = tiles.floors().map(|(_, floor)| floor).collect();
            assert_eq!(floors, [&ground, &walls], "{name}");
            let names = [0, 1, 2, 3].map(|class| tiles.class_name(class).unwrap());
            assert_eq!(names, ["empty", "grass", "water", "land 3"], "{name}");
            let tiles = load_text(name, text, Layers::Stacked).unwrap();
            assert_eq!(tiles.floors().map(|(_, floor)| floor).collect::<Vec<_>>(), [&stacked], "{name}");
        }
    }

    #[test]
    fn infinite_maps_and_flipped_tiles_are_refused() {
        let told = |name: &str, text: String| load_text(name, &text, Layers::Floors).unwrap_err();
        let flipped = (0x8000_0002_u32).to_string();
        let expected = "the tile at 1,0 of layer 'ground' is flipped or turned";
        assert!(told("flip.tmx", TMX.replace("1,2,3,", &format!("1,{flipped},3,"))).contains(expected));
        assert!(told("flip.tmj", TMJ.replace("[1, 2, 3,", &format!("[1, {flipped}, 3,"))).contains(expected));
        assert!(told("endless.tmj", TMJ.replace("false", "true")).contains("infinite"));
        let endless = TMX
            .replace("infinite=\"0\"", "infinite=\"1\"")
            .replace("1,2,3,\n4,1,1", "")
            .replace("0,0,0,\n2,0,2", "");
        assert!(told("endless.tmx", endless).contains("infinite"));
        assert!(told("iso.tmx", TMX.replace("orthogonal", "isometric")).contains("isometric"));
        assert!(told("iso.tmj", TMJ.replace("orthogonal", "hexagonal")).contains("hexagonal"));
    }

    #[test]
    fn maps_that_make_no_sense_are_refused() {
        let told = |text: &str| read_tmj(text.as_bytes(), Layers::Floors).unwrap_err().to_string();
        assert!(told(&TMJ.replace("[1, 2, 3, 4, 1, 1]", "\"AQAAAA==\"")).contains("save the layer as CSV"));
        assert!(told(&TMJ.replace("[1, 2, 3, 4, 1, 1]", "[1]")).contains("a list of 1"));
        assert!(told(&TMJ.replace("tilelayer", "imagelayer")).contains("no layer of tiles"));
        assert!(told(&TMJ.replace("\"width\": 3", "\"width\": 0")).contains('0'));
        let kinds: Vec<String> = (1..=300).map(|tile| tile.to_string()).collect();
        let many = TMJ.replace(
            "\"width\": 3, \"height\": 2, \"data\": [1, 2, 3, 4, 1, 1]",
            &format!("\"width\": 300, \"height\": 1, \"data\": [{}]", kinds.join(", ")),
        );
        assert!(told(&many).contains("more than 256 kinds"));
        assert!(load_text("cut.tmx", &TMX[..300], Layers::Floors).unwrap_err().contains("cut.tmx"));
        assert!(load_tiled(Path::new("no such file.tmx"), Layers::Floors).is_err());
    }
}

//! Occupancy maps of ROS: an image and a small YAML file beside it.

use super::{MAX_BYTES, WorldError};
use crate::movingai::{LoadError, load};
use crate::weights::{WeightImage, read_weights};
use farstride::Cell;
use farstride::atlas::{Floor, FloorError};
use std::path::Path;

/// A map of ROS (`map_server`): which cells are free, occupied or unknown, and where the map
/// lies in the world, in metres.
///
/// # Example
/// ```
/// use farstride_io::worlds::RosMap;
///
/// let yaml = "image: hall.pgm\nresolution: 0.5\norigin: [-1.0, 2.0, 0.0]\n";
/// let image = b"P2 4 3 255  254 254 254 0  254 254 254 0  254 254 205 0";
/// let map = RosMap::read(yaml, image)?;
/// // The lower left cell begins at the origin; y goes up.
/// assert_eq!(map.position((0, 2).into()), (-0.75, 2.25));
/// assert_eq!(map.cell_at(-0.9, 3.4), Some((0, 0).into()));
/// // A robot of 60 cm radius keeps off the wall at the right.
/// let floor = map.inflated(0.6);
/// assert_eq!(floor.class((2, 0).into()), Some(RosMap::OCCUPIED));
/// assert_eq!(floor.class((1, 0).into()), Some(RosMap::FREE));
/// # Ok::<(), farstride_io::worlds::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RosMap {
    floor: Floor,
    resolution: f64,
    /// Where the lower left corner of the image is, and how the map is turned.
    origin: [f64; 3],
}

impl RosMap {
    /// The class of free cells.
    pub const FREE: u8 = 1;
    /// The class of occupied cells.
    pub const OCCUPIED: u8 = 2;
    /// The class of cells about which nothing is known.
    pub const UNKNOWN: u8 = 3;

    /// Loads the pair of files of a map, given that with the description; the image lies where
    /// that says, seen from its folder.
    ///
    /// # Errors
    /// [`LoadError`] names the file and what is wrong with it.
    pub fn load(yaml: &Path) -> Result<Self, LoadError<WorldError>> {
        let (facts, image) = load(yaml, MAX_BYTES, |bytes| {
            let text =
                str::from_utf8(bytes).map_err(|error| WorldError::Damaged { problem: error.to_string() })?;
            let facts = Facts::read(text)?;
            Ok((facts, text_of(text, "image")?.to_owned()))
        })?;
        let folder = yaml.parent().unwrap_or(Path::new(""));
        load(&folder.join(image), MAX_BYTES, |bytes| facts.map_of(bytes))
    }

    /// Reads a map from its description and its image (PGM, or PNG of 8-bit grey).
    ///
    /// # Errors
    /// [`WorldError`] if a value is missing or does not make sense, or the image cannot be read.
    pub fn read(yaml: &str, image: &[u8]) -> Result<Self, WorldError> {
        Facts::read(yaml)?.map_of(image)
    }

    /// The cells: [`RosMap::FREE`], [`RosMap::OCCUPIED`] or [`RosMap::UNKNOWN`].
    pub const fn floor(&self) -> &Floor {
        &self.floor
    }

    /// The side of a cell in metres.
    pub const fn resolution(&self) -> f64 {
        self.resolution
    }

    /// The cell at a point of the world, in metres; `None` if it is off the map.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<Cell> {
        let [left, bottom, turn] = self.origin;
        let (sin, cos) = turn.sin_cos();
        let (x, y) = (x - left, y - bottom);
        let (across, up) = ((x * cos + y * sin) / self.resolution, (y * cos - x * sin) / self.resolution);
        let within = |at: f64, side: usize| (at >= 0.0 && at < side as f64).then_some(at as usize);
        let (column, row) = (within(across, self.floor.width())?, within(up, self.floor.height())?);
        Some(Cell::new(column as u16, (self.floor.height() - 1 - row) as u16))
    }

    /// The middle of a cell in the world, in metres.
    pub fn position(&self, cell: Cell) -> (f64, f64) {
        let [left, bottom, turn] = self.origin;
        let (sin, cos) = turn.sin_cos();
        let across = (f64::from(cell.x) + 0.5) * self.resolution;
        let up = (self.floor.height() as f64 - f64::from(cell.y) - 0.5) * self.resolution;
        (left + across * cos - up * sin, bottom + across * sin + up * cos)
    }

    /// The cells for the middle of a round robot: occupied also where a disc of this radius, in
    /// metres, around the middle of the cell overlaps an occupied cell. Exact, by straight distance.
    ///
    /// For a square robot, give its mover a size instead.
    ///
    /// # Complexity
    /// O(cells × radius in cells).
    pub fn inflated(&self, radius: f64) -> Floor {
        let (width, height) = (self.floor.width(), self.floor.height());
        let class = |x: usize, y: usize| self.floor.class(Cell::new(x as u16, y as u16)).unwrap_or(0);
        let radius = (radius / self.resolution).clamp(0.0, (width + height) as f64);
        // How far the nearest occupied cell of its row is from each cell, in cells.
        let mut across = vec![usize::MAX; width * height];
        for y in 0..height {
            let row = &mut across[y * width..(y + 1) * width];
            let mut spread = |order: &mut dyn Iterator<Item = usize>| {
                let mut last = None;
                for x in order {
                    last = if class(x, y) == Self::OCCUPIED { Some(x) } else { last };
                    row[x] = row[x].min(last.map_or(usize::MAX, |last| x.abs_diff(last)));
                }
            };
            spread(&mut (0..width));
            spread(&mut (0..width).rev());
        }
        // From the middle of a cell to the edge of one so many columns or rows away.
        let edge = |cells: usize| if cells == 0 { 0.0 } else { cells as f64 - 0.5 };
        let reach = (radius + 0.5).ceil() as usize;
        let mut classes = Vec::with_capacity(width * height);
        for y in 0..height {
            let rows = y.saturating_sub(reach)..(y + reach + 1).min(height);
            for x in 0..width {
                let is_hit = rows.clone().any(|row| {
                    let columns = across[row * width + x];
                    columns != usize::MAX && edge(columns).hypot(edge(row.abs_diff(y))) < radius
                });
                classes.push(if is_hit { Self::OCCUPIED } else { class(x, y) });
            }
        }
        Floor::new(width, height, classes).unwrap_or_else(|_| self.floor.clone())
    }
}

/// What the description says.
struct Facts {
    resolution: f64,
    origin: [f64; 3],
    negate: bool,
    occupied: f64,
    free: f64,
}

impl Facts {
    fn read(yaml: &str) -> Result<Self, WorldError> {
        text_of(yaml, "image")?;
        let resolution = number_of(yaml, "resolution")?.ok_or_else(|| missing("resolution"))?;
        if resolution <= 0.0 {
            return Err(value("resolution", &resolution.to_string(), "a positive number of metres"));
        }
        let negate = number_of(yaml, "negate")?.unwrap_or(0.0) != 0.0;
        let occupied = number_of(yaml, "occupied_thresh")?.unwrap_or(0.65);
        let free = number_of(yaml, "free_thresh")?.unwrap_or(0.196);
        match text_of(yaml, "mode") {
            Ok("trinary") | Err(_) => {}
            Ok(mode) => return Err(value("mode", mode, "'trinary', the only one that is read")),
        }
        Ok(Self { resolution, origin: origin_of(yaml)?, negate, occupied, free })
    }

    fn map_of(&self, image: &[u8]) -> Result<RosMap, WorldError> {
        let image: WeightImage = read_weights(image).map_err(WorldError::Image)?;
        let class = |&pixel: &u8| {
            let bright = f64::from(pixel) / 255.0;
            let taken = if self.negate { bright } else { 1.0 - bright };
            if taken > self.occupied {
                RosMap::OCCUPIED
            } else if taken < self.free {
                RosMap::FREE
            } else {
                RosMap::UNKNOWN
            }
        };
        let classes: Vec<u8> = image.pixels().iter().map(class).collect();
        let floor: Result<Floor, FloorError> = Floor::new(image.width(), image.height(), classes);
        let floor = floor.map_err(WorldError::Floor)?;
        Ok(RosMap { floor, resolution: self.resolution, origin: self.origin })
    }
}

fn missing(key: &str) -> WorldError {
    WorldError::Missing { key: key.to_owned() }
}

fn value(key: &str, found: &str, expected: &'static str) -> WorldError {
    WorldError::Value { key: key.to_owned(), found: found.to_owned(), expected }
}

/// The text after a key at the beginning of a line. These files are flat, so no more of YAML is
/// read.
fn text_of<'y>(yaml: &'y str, key: &str) -> Result<&'y str, WorldError> {
    let after = |line: &'y str| line.strip_prefix(key)?.trim_start().strip_prefix(':');
    let text = yaml.lines().find_map(after).ok_or_else(|| missing(key))?;
    let text = text.split(" #").next().unwrap_or(text).trim();
    let text = text.trim_matches(|mark| mark == '"' || mark == '\'');
    if text.is_empty() { Err(missing(key)) } else { Ok(text) }
}

fn parse(key: &str, text: &str) -> Result<f64, WorldError> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| value(key, &format!("'{}'", text.trim()), "a number"))
}

fn number_of(yaml: &str, key: &str) -> Result<Option<f64>, WorldError> {
    match text_of(yaml, key) {
        Ok(text) => parse(key, text).map(Some),
        Err(_) => Ok(None),
    }
}

/// The three numbers of `origin`, in brackets or one in each of the next lines.
fn origin_of(yaml: &str) -> Result<[f64; 3], WorldError> {
    let expected = "three numbers: x and y in metres, and a turn";
    let numbers: Vec<f64> = match text_of(yaml, "origin") {
        Ok(text) => {
            let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
            let inner = inner.ok_or_else(|| value("origin", &format!("'{text}'"), expected))?;
            inner.split(',').map(|number| parse("origin", number)).collect::<Result<_, _>>()?
        }
        Err(_) if yaml.lines().any(|line| line.trim_end() == "origin:") => {
            let after = yaml.lines().skip_while(|line| line.trim_end() != "origin:").skip(1);
            let items = after.map_while(|line| line.trim_start().strip_prefix('-'));
            items.map(|number| parse("origin", number)).collect::<Result<_, _>>()?
        }
        Err(missing) => return Err(missing),
    };
    <[f64; 3]>::try_from(numbers)
        .map_err(|numbers| value("origin", &format!("{} numbers", numbers.len()), expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    const YAML: &str = "image: 'a.pgm' # beside this file\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 0\n\
                        occupied_thresh: 0.65\nfree_thresh: 0.25\n";

    fn told(yaml: &str) -> String {
        RosMap::read(yaml, b"P2 1 1 255 0").unwrap_err().to_string()
    }

    #[test]
    fn pixels_are_free_occupied_or_unknown() {
        let map = RosMap::read(YAML, b"P2 3 1 255  254 205 0").unwrap();
        let classes = |map: &RosMap| [0, 1, 2].map(|x| map.floor().class(Cell::new(x, 0)).unwrap());
        assert_eq!(classes(&map), [RosMap::FREE, RosMap::FREE, RosMap::OCCUPIED]);
        let strict = YAML.replace("0.25", "0.1");
        let map = RosMap::read(&strict, b"P2 3 1 255  254 205 0").unwrap();
        assert_eq!(classes(&map), [RosMap::FREE, RosMap::UNKNOWN, RosMap::OCCUPIED]);
        let map = RosMap::read(&strict.replace("negate: 0", "negate: 1"), b"P2 3 1 255  254 205 0").unwrap();
        assert_eq!(classes(&map), [RosMap::OCCUPIED, RosMap::OCCUPIED, RosMap::FREE]);
    }

    #[test]
    fn what_is_missing_or_makes_no_sense_is_named() {
        assert_eq!(told(&YAML.replace("resolution", "scale")), "has no 'resolution'");
        assert_eq!(told(&YAML.replace("origin", "corner")), "has no 'origin'");
        assert_eq!(told(&YAML.replace("image", "picture")), "has no 'image'");
        assert_eq!(told(&YAML.replace("0.1", "-1")), "'resolution' is -1, not a positive number of metres");
        assert_eq!(told(&YAML.replace("0.1", "wide")), "'resolution' is 'wide', not a number");
        assert!(told(&YAML.replace("[0, 0, 0]", "[0, 0]")).starts_with("'origin' is 2 numbers, not three"));
        assert!(told(&YAML.replace("[0, 0, 0]", "0")).starts_with("'origin' is '0', not three"));
        assert!(told(&format!("{YAML}mode: scale\n")).starts_with("'mode' is scale"));
        assert!(RosMap::read(YAML, b"P5").is_err());
    }

    #[test]
    fn metres_lead_to_cells_and_back_whatever_the_turn() {
        let image = b"P2 4 3 255  254 254 254 254 254 254 254 254 254 254 254 254";
        for turn in ["0", "0.7", "-2.5"] {
            let yaml = YAML.replace("[0, 0, 0]", &format!("[3.5, -2, {turn}]"));
            let map = RosMap::read(&yaml, image).unwrap();
            for cell in map.floor().area().cells() {
                let (x, y) = map.position(cell);
                assert_eq!(map.cell_at(x, y), Some(cell), "{turn}");
            }
            assert_eq!(map.cell_at(-90.0, 0.0), None);
        }
        let list = YAML.replace(" [0, 0, 0]", "\n  - 1.5\n  - 2\n  - 0");
        let map = RosMap::read(&list, image).unwrap();
        assert_eq!(map.cell_at(1.55, 2.05), Some(Cell::new(0, 2)));
    }

    #[test]
    fn discs_keep_off_occupied_cells() {
        let mut pixels = vec!["254"; 15 * 11];
        for at in [3, 40, 77, 163] {
            pixels[at] = "0";
        }
        let image = format!("P2 15 11 255 {}", pixels.join(" "));
        let map = RosMap::read(YAML, image.as_bytes()).unwrap();
        for radius in [0.0, 0.05, 0.06, 0.15, 0.27, 0.5, 9.0] {
            let floor = map.inflated(radius);
            for cell in floor.area().cells() {
                // The nearest point of every occupied cell, one by one.
                let is_hit = map.floor().area().cells().any(|other| {
                    let off = |a: u16, b: u16| (f64::from(a.abs_diff(b)) - 0.5).max(0.0);
                    map.floor().class(other) == Some(RosMap::OCCUPIED)
                        && off(cell.x, other.x).hypot(off(cell.y, other.y)) < radius / 0.1
                });
                let expected = if is_hit { Some(RosMap::OCCUPIED) } else { map.floor().class(cell) };
                assert_eq!(floor.class(cell), expected, "{cell} {radius}");
            }
        }
    }
}

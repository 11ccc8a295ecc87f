//! Worlds from the files that people have: images of terrain, maps of ROS, Tiled and `LDtk`.
//!
//! Everything becomes floors of terrain classes ([`Floor`]); what classes cost is said by a
//! [`Mover`](farstride::atlas::Mover). Files that mean something else than what is read here are
//! refused with an error that says why.
//!
//! | file | read by | classes |
//! |---|---|---|
//! | PNG or PGM | [`read_floor`] with a [`Legend`] | grey levels, numbers of a palette, or colours |
//! | ROS `.yaml` with its image | [`RosMap`] | [`RosMap::FREE`], [`RosMap::OCCUPIED`], [`RosMap::UNKNOWN`] |
//! | Tiled `.tmx`, `.tmj` | [`load_tiled`] | kinds of tiles, named |
//! | `LDtk` `.ldtk` | [`read_ldtk`] | values of the integer grid, named |

mod error;
mod image;
mod json;
mod ldtk;
mod ros;
mod tiled;

pub use error::WorldError;
pub use image::{Legend, load_floor, read_floor};
pub use ldtk::{load_ldtk, read_ldtk};
pub use ros::RosMap;
pub use tiled::{Layers, load_tiled, read_tmj};

use farstride::atlas::{Floor, TileMap};

/// Longest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 28;

/// Classes of terrain by their names, numbered as they are met.
#[derive(Default)]
struct Classes {
    names: Vec<String>,
}

impl Classes {
    /// The class of a name.
    fn named(&mut self, name: &str) -> Result<u8, WorldError> {
        let known = self.names.iter().position(|known| known == name);
        let class = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        u8::try_from(class).map_err(|_| WorldError::TooManyClasses)
    }

    /// A map of floors with these classes.
    fn map_of(self, floors: Vec<Floor>) -> Result<TileMap, WorldError> {
        let mut tiles = TileMap::new();
        for floor in floors {
            tiles.add_floor(floor).map_err(WorldError::Floor)?;
        }
        if tiles.floor_count() == 0 {
            return Err(WorldError::NoFloors);
        }
        tiles.name_classes(self.names).map_err(WorldError::Floor)?;
        Ok(tiles)
    }
}

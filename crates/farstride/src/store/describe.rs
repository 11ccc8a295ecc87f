//! What an index is, for people and programs that look at it.

use super::MapStamp;
use super::header::Header;
use crate::hpa::{Hierarchy, LevelCounts, Part, Settings};

/// What an index is; see [`super::describe`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Description {
    /// Name of the engine, as on the command line.
    pub engine: String,
    /// Version of the format.
    pub version: u32,
    /// The map it belongs to.
    pub map: MapStamp,
    /// Its digest: [`Hierarchy::digest`].
    pub digest: u64,
    /// Bytes of the whole.
    pub bytes: usize,
    /// Bytes of each table, in the order in which they lie.
    pub parts: Vec<PartSize>,
    /// What is particular to the engine.
    pub kind: Kind,
}

/// How large a part is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct PartSize {
    /// Which part.
    pub part: Part,
    /// Its bytes.
    pub bytes: usize,
}

/// What is particular to an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// HPA*.
    Hpa {
        /// How the map was abstracted.
        settings: Settings,
        /// How large each level is, the first level first.
        levels: Vec<LevelCounts>,
    },
}

impl Description {
    pub(super) fn new(header: &Header, hierarchy: &Hierarchy) -> Self {
        Self {
            engine: header.engine_name(),
            version: header.version,
            map: header.map,
            digest: header.digest,
            bytes: header.length,
            parts: hierarchy
                .tables()
                .map(|(part, table)| PartSize { part, bytes: table.byte_count() })
                .collect(),
            kind: Kind::Hpa { settings: *hierarchy.settings(), levels: hierarchy.counts() },
        }
    }
}

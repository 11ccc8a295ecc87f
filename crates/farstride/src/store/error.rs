//! What can be wrong with an index.

use super::MapStamp;
use crate::base::SettingsError;
use crate::groups::CorruptGroups;
use crate::hpa::CorruptTable;
use crate::index::{MapMismatch, Unsupported};
use crate::labels::CorruptLabels;
use crate::nlevel::CorruptGraph;
use std::error::Error;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;

/// Why bytes could not be opened as an index.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// They do not start as an index does: probably another file.
    NotAnIndex,
    /// Written by an incompatible release.
    Version {
        /// The version of the format.
        found: u32,
        /// The versions that can be read.
        supported: RangeInclusive<u32>,
    },
    /// There are fewer bytes than there should be.
    Truncated {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be, at least.
        expected: u64,
    },
    /// There are more bytes than there should be.
    TooLong {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// Some byte is not what it was when the index was written.
    Damaged {
        /// The checksum of the bytes.
        found: u64,
        /// The checksum they carry.
        expected: u64,
    },
    /// The index of an engine that this release does not know.
    UnknownEngine {
        /// Its name.
        found: String,
    },
    /// The index of another map, or of this one with other cells, weights or
    /// rules.
    OtherMap {
        /// The map it was built for.
        found: MapStamp,
        /// The map it was opened with.
        expected: MapStamp,
    },
    /// The checksum is right, but the head or the list of parts is not:
    /// written by a faulty program.
    Layout {
        /// What is wrong.
        flaw: &'static str,
    },
    /// The map is the right one, but the engine cannot work on it: written by
    /// a faulty program.
    Unsupported(Unsupported),
    /// The checksum is right, but a setting is out of range.
    Settings(SettingsError),
    /// The checksum is right, but a table does not fit to the others or to the
    /// map.
    Table(CorruptTable),
    /// The checksum is right, but a graph contradicts itself or the map.
    Graph(CorruptGraph),
    /// The checksum is right, but a hierarchy of blocks contradicts itself or
    /// the map.
    Groups(CorruptGroups),
    /// The checksum is right, or was not looked at, but labels contradict
    /// themselves or the map.
    Labels(CorruptLabels),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const REBUILD: &str = "build it again with 'farstride build'";
        match self {
            Self::NotAnIndex => write!(f, "not an index file; make one with 'farstride build'"),
            Self::Version { found, supported } => {
                let (least, most) = (supported.start(), supported.end());
                write!(
                    f,
                    "index of format version {found}, but this release reads {least} to {most}; {REBUILD}"
                )
            }
            Self::Truncated { found, expected } => {
                write!(f, "index cut off after {found} of {expected} bytes; {REBUILD}")
            }
            Self::TooLong { found, expected } => {
                write!(f, "index of {found} bytes that should have {expected}; {REBUILD}")
            }
            Self::Damaged { found, expected } => {
                write!(f, "index damaged: its checksum is {found:016x} instead of {expected:016x}; {REBUILD}")
            }
            Self::UnknownEngine { found } => {
                write!(f, "index of the engine '{found}', which this release does not know; {REBUILD}")
            }
            Self::OtherMap { found, expected } => {
                write!(f, "index of another map ({found}; this one is {expected}); ")?;
                write!(f, "use the map and rules it was built for, or {REBUILD}")
            }
            Self::Layout { flaw } => write!(f, "index not sound: {flaw}; {REBUILD}"),
            Self::Unsupported(error) => write!(f, "index not sound: {error}"),
            Self::Settings(error) => write!(f, "index not sound: {error}; {REBUILD}"),
            Self::Table(error) => write!(f, "index not sound: {error}; {REBUILD}"),
            Self::Graph(error) => write!(f, "index not sound: {error}; {REBUILD}"),
            Self::Groups(error) => write!(f, "index not sound: {error}; {REBUILD}"),
            Self::Labels(error) => write!(f, "index not sound: {error}; {REBUILD}"),
        }
    }
}

impl Error for OpenError {}

impl From<CorruptTable> for OpenError {
    fn from(error: CorruptTable) -> Self {
        Self::Table(error)
    }
}

impl From<CorruptGraph> for OpenError {
    fn from(error: CorruptGraph) -> Self {
        Self::Graph(error)
    }
}

impl From<CorruptGroups> for OpenError {
    fn from(error: CorruptGroups) -> Self {
        Self::Groups(error)
    }
}

impl From<CorruptLabels> for OpenError {
    fn from(error: CorruptLabels) -> Self {
        Self::Labels(error)
    }
}

impl From<SettingsError> for OpenError {
    fn from(error: SettingsError) -> Self {
        Self::Settings(error)
    }
}

/// Why an index could not be saved.
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// The index does not belong to the map in its present state.
    MapMismatch(MapMismatch),
    /// Writing failed.
    Io(io::Error),
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MapMismatch(error) => error.fmt(f),
            Self::Io(error) => write!(f, "cannot write the index: {error}"),
        }
    }
}

impl Error for SaveError {}

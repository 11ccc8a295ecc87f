//! What can be wrong with a saved index.

use super::MapStamp;
use crate::base::{Inconsistent, SettingsError};
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
///
/// Whatever the reason, the remedy is to build the index again. If the bytes belong
/// to another map, the remedy may also be to use that map.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// They do not begin like an index: probably another kind of file.
    NotAnIndex,
    /// Written by an incompatible release.
    Version {
        /// Version of the format.
        found: u32,
        /// Versions that this release reads.
        supported: RangeInclusive<u32>,
    },
    /// There are fewer bytes than there should be.
    Truncated {
        /// Number of bytes.
        found: u64,
        /// Smallest number of bytes that the index can have.
        expected: u64,
    },
    /// There are more bytes than there should be.
    TooLong {
        /// Number of bytes.
        found: u64,
        /// Number of bytes that the index says it has.
        expected: u64,
    },
    /// A byte has changed since the index was written.
    Damaged {
        /// The checksum of the bytes.
        found: u64,
        /// The checksum stored with them.
        expected: u64,
    },
    /// The index belongs to an engine that this release does not know.
    UnknownEngine {
        /// Name of the engine.
        found: String,
    },
    /// The index belongs to another map, or to this map with other cells, weights or
    /// rules.
    OtherMap {
        /// The map it was built for.
        found: MapStamp,
        /// The map it was opened with.
        expected: MapStamp,
    },
    /// The checksum is right, but the head or the list of segments is not. The program
    /// that wrote it has a bug.
    Layout {
        /// What is wrong.
        flaw: &'static str,
    },
    /// The index belongs to the map, but its engine cannot work on that map. The
    /// program that wrote it has a bug.
    Unsupported(Unsupported),
    /// The checksum is right, but a setting is out of range.
    Settings(SettingsError),
    /// The index contradicts itself or the map, although the checksum is right or was
    /// skipped.
    Inconsistent(Inconsistent),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnIndex => write!(f, "not an index"),
            Self::Version { found, supported } => {
                let (least, most) = (supported.start(), supported.end());
                write!(f, "index of format version {found}, but this release reads {least} to {most}")
            }
            Self::Truncated { found, expected } => {
                write!(f, "index cut off after {found} of {expected} bytes")
            }
            Self::TooLong { found, expected } => {
                write!(f, "index of {found} bytes that should have {expected}")
            }
            Self::Damaged { found, expected } => {
                write!(f, "index damaged: its checksum is {found:016x} instead of {expected:016x}")
            }
            Self::UnknownEngine { found } => {
                write!(f, "index of the engine '{found}', which this release does not know")
            }
            Self::OtherMap { found, expected } => {
                write!(f, "index of another map ({found}; this one is {expected})")
            }
            Self::Layout { flaw } => write!(f, "index not sound: {flaw}"),
            // The cause is left to `source`, so that printers of chains show it once.
            Self::Unsupported(_) | Self::Settings(_) | Self::Inconsistent(_) => write!(f, "index not sound"),
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unsupported(error) => Some(error),
            Self::Settings(error) => Some(error),
            Self::Inconsistent(error) => Some(error),
            Self::NotAnIndex
            | Self::Version { .. }
            | Self::Truncated { .. }
            | Self::TooLong { .. }
            | Self::Damaged { .. }
            | Self::UnknownEngine { .. }
            | Self::OtherMap { .. }
            | Self::Layout { .. } => None,
        }
    }
}

impl From<CorruptTable> for OpenError {
    fn from(error: CorruptTable) -> Self {
        Self::Inconsistent(error.into())
    }
}

impl From<CorruptGraph> for OpenError {
    fn from(error: CorruptGraph) -> Self {
        Self::Inconsistent(error.into())
    }
}

impl From<CorruptGroups> for OpenError {
    fn from(error: CorruptGroups) -> Self {
        Self::Inconsistent(error.into())
    }
}

impl From<CorruptLabels> for OpenError {
    fn from(error: CorruptLabels) -> Self {
        Self::Inconsistent(error.into())
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
            Self::Io(_) => write!(f, "cannot write the index"),
        }
    }
}

impl Error for SaveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::MapMismatch(_) => None, // printed as this error itself
            Self::Io(error) => Some(error),
        }
    }
}

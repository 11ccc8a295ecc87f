//! Descriptions of saved indexes.

use super::MapStamp;
use super::header::{Header, Tag};
use super::subgoal::Saved;
use crate::groups::{self, Unbound};
use crate::hpa::{self, Hierarchy};
use crate::index::{Engine, IndexSettings};
use crate::labels::{self, GridLabels};
use crate::nlevel;
use crate::subgoal;

/// A description of a saved index; see [`super::describe`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The engine that uses it.
    pub engine: Engine,
    /// Version of the format.
    pub version: u32,
    /// The map it belongs to.
    pub map: MapStamp,
    /// Its digest: [`Index::digest`](crate::Index::digest).
    pub digest: u64,
    /// Number of bytes of the whole index.
    pub bytes: usize,
    /// Size of each segment except the settings, in the order of the file.
    pub segments: Vec<SegmentSize>,
    /// Settings and counts, which depend on the engine.
    pub details: IndexDetails,
}

/// Size of a segment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SegmentSize {
    /// What it holds, in words.
    pub part: String,
    /// Number of bytes.
    pub bytes: usize,
}

/// Settings and counts of an index, by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexDetails {
    /// The index of HPA* or, if its local searcher is any-angle, of HPT*.
    Hpa {
        /// The settings it was built with.
        settings: hpa::HpaSettings,
        /// Size of each level, the lowest first.
        levels: Vec<hpa::HpaLevelCounts>,
    },
    /// A subgoal graph.
    Subgoals {
        /// The settings it was built with.
        settings: subgoal::SubgoalSettings,
        /// Size of each level, the lowest first.
        levels: Vec<nlevel::NLevelCounts>,
    },
    /// A hierarchy of groups.
    Groups {
        /// The settings it was built with.
        settings: groups::GridGroupSettings,
        /// Size of each level, the lowest first.
        levels: Vec<groups::GroupLevelCounts>,
    },
    /// Labels.
    Labels {
        /// The settings they were built with.
        settings: labels::LabelSettings,
        /// The kind of index that was built.
        kept: labels::LabelKind,
        /// Their size.
        counts: labels::LabelCounts,
    },
}

impl Description {
    fn new(header: &Header, engine: Engine, segments: Vec<SegmentSize>, details: IndexDetails) -> Self {
        let Header { version, map, digest, length, .. } = *header;
        Self { engine, version, map, digest, bytes: length, segments, details }
    }

    pub(super) fn of_hierarchy(header: &Header, hierarchy: &Hierarchy) -> Self {
        let segments = hierarchy
            .tables()
            .map(|(part, table)| SegmentSize { part: part.to_string(), bytes: table.byte_count() })
            .collect();
        let details = IndexDetails::Hpa { settings: *hierarchy.settings(), levels: hierarchy.counts() };
        Self::new(header, IndexSettings::Hpa(*hierarchy.settings()).engine(), segments, details)
    }

    pub(super) fn of_subgoals(header: &Header, saved: &Saved) -> Self {
        let segments = sizes(header, super::subgoal::segment_name);
        let engine = IndexSettings::Subgoals(saved.settings).engine();
        let details = IndexDetails::Subgoals { settings: saved.settings, levels: saved.parts.counts() };
        Self::new(header, engine, segments, details)
    }

    pub(super) fn of_groups(header: &Header, saved: &Unbound) -> Self {
        let segments = sizes(header, super::groups::segment_name);
        let details = IndexDetails::Groups { settings: saved.settings(), levels: saved.counts() };
        Self::new(header, Engine::Groups, segments, details)
    }

    pub(super) fn of_labels(header: &Header, labels: &GridLabels) -> Self {
        let segments = sizes(header, |tag| super::labels::segment_name(labels, tag));
        let (settings, kept, counts) = (labels.settings(), labels.kind(), labels.counts());
        Self::new(header, Engine::Labels, segments, IndexDetails::Labels { settings, kept, counts })
    }
}

/// Sizes of the segments that have a name: all except the settings.
fn sizes(header: &Header, name: impl Fn(Tag) -> Option<&'static str>) -> Vec<SegmentSize> {
    let named = header.segments.iter().filter_map(|segment| Some((name(segment.tag)?, segment.bytes.len())));
    named.map(|(name, bytes)| SegmentSize { part: name.to_owned(), bytes }).collect()
}

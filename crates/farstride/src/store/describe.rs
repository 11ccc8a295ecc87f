//! What an index is, for people and programs that look at it.

use super::MapStamp;
use super::header::{Header, Tag};
use super::subgoal::Saved;
use crate::groups::{self, Unbound};
use crate::hpa::{self, Hierarchy};
use crate::index::{Engine, IndexSettings};
use crate::labels::{self, GridLabels};
use crate::nlevel;
use crate::subgoal;

/// What an index is; see [`super::describe`].
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
    /// Bytes of the whole.
    pub bytes: usize,
    /// Bytes of each part but the settings, in the order in which they lie.
    pub segments: Vec<SegmentSize>,
    /// What is particular to the engine.
    pub details: IndexDetails,
}

/// How large a part is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SegmentSize {
    /// What it holds, in words.
    pub part: String,
    /// Its bytes.
    pub bytes: usize,
}

/// What is particular to an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexDetails {
    /// HPA*, or HPT* if the searcher of its settings is one of legs at any
    /// angle.
    Hpa {
        /// How the map was abstracted.
        settings: hpa::HpaSettings,
        /// How large each level is, the first level first.
        levels: Vec<hpa::HpaLevelCounts>,
    },
    /// Subgoal graphs.
    Subgoals {
        /// How the subgoals were partitioned.
        settings: subgoal::SubgoalSettings,
        /// How large each level is, the lowest first.
        levels: Vec<nlevel::NLevelCounts>,
    },
    /// Hierarchies of blocks.
    Groups {
        /// How the blocks were made groups.
        settings: groups::GridGroupSettings,
        /// How large each level is, the lowest first.
        levels: Vec<groups::GroupLevelCounts>,
    },
    /// Labels.
    Labels {
        /// How they were made.
        settings: labels::LabelSettings,
        /// What is kept.
        kept: labels::LabelKind,
        /// How large they are.
        counts: labels::LabelCounts,
    },
}

impl Description {
    fn new(header: &Header, engine: Engine, parts: Vec<SegmentSize>, details: IndexDetails) -> Self {
        let Header { version, map, digest, length, .. } = *header;
        Self { engine, version, map, digest, bytes: length, segments: parts, details }
    }

    pub(super) fn of_hierarchy(header: &Header, hierarchy: &Hierarchy) -> Self {
        let parts = hierarchy
            .tables()
            .map(|(part, table)| SegmentSize { part: part.to_string(), bytes: table.byte_count() })
            .collect();
        let kind = IndexDetails::Hpa { settings: *hierarchy.settings(), levels: hierarchy.counts() };
        Self::new(header, IndexSettings::Hpa(*hierarchy.settings()).engine(), parts, kind)
    }

    pub(super) fn of_subgoals(header: &Header, saved: &Saved) -> Self {
        let parts = sizes(header, super::subgoal::part_name);
        let engine = IndexSettings::Subgoals(saved.settings).engine();
        let kind = IndexDetails::Subgoals { settings: saved.settings, levels: saved.parts.counts() };
        Self::new(header, engine, parts, kind)
    }

    pub(super) fn of_groups(header: &Header, saved: &Unbound) -> Self {
        let parts = sizes(header, super::groups::part_name);
        let kind = IndexDetails::Groups { settings: saved.settings(), levels: saved.counts() };
        Self::new(header, Engine::Groups, parts, kind)
    }

    pub(super) fn of_labels(header: &Header, labels: &GridLabels) -> Self {
        let parts = sizes(header, |tag| super::labels::part_name(labels, tag));
        let (settings, kept, counts) = (labels.settings(), labels.kind(), labels.counts());
        Self::new(header, Engine::Labels, parts, IndexDetails::Labels { settings, kept, counts })
    }
}

/// The parts that have a name.
fn sizes(header: &Header, name: impl Fn(Tag) -> Option<&'static str>) -> Vec<SegmentSize> {
    let named = header.sections.iter().filter_map(|section| Some((name(section.tag)?, section.bytes.len())));
    named.map(|(name, bytes)| SegmentSize { part: name.to_owned(), bytes }).collect()
}

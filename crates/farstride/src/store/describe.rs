//! Descriptions of saved indexes.

use super::MapStamp;
use super::header::{Header, Tag};
use super::subgoal::Saved;
use crate::groups::{GroupLevelCounts, Unbound};
use crate::hpa::{Hierarchy, HpaLevelCounts};
use crate::index::{Engine, IndexSettings};
use crate::labels::{GridLabels, LabelCounts, LabelKind};
use crate::nlevel::NLevelCounts;
use crate::overlay::{OverlayCounts, UnboundOverlay};
use crate::straight::{StraightCounts, StraightIndex, StraightKind};

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
    /// The settings it was built with.
    pub settings: IndexSettings,
    #[doc(hidden)]
    pub segments: Vec<SegmentSize>,
    #[doc(hidden)]
    pub counts: IndexCounts,
}

/// Size of a segment; all segments but the settings are listed, in the order of the
/// file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SegmentSize {
    /// What it holds, in words.
    pub part: String,
    /// Number of bytes.
    pub bytes: usize,
}

/// Sizes of an index, by kind; of each level, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexCounts {
    /// The index of HPA* or HPT*.
    Hpa(Vec<HpaLevelCounts>),
    /// A subgoal graph.
    Subgoals(Vec<NLevelCounts>),
    /// A hierarchy of groups.
    Groups(Vec<GroupLevelCounts>),
    /// Labels: the kind of index that was built, and its size.
    Labels(LabelKind, LabelCounts),
    /// An overlay.
    Overlay(OverlayCounts),
    /// Labels over corners: the kind of index that was built, and its size.
    Straight(StraightKind, StraightCounts),
}

impl Description {
    fn new(
        header: &Header,
        settings: IndexSettings,
        segments: Vec<SegmentSize>,
        counts: IndexCounts,
    ) -> Self {
        let Header { version, map, digest, length, .. } = *header;
        Self { engine: settings.engine(), version, map, digest, bytes: length, settings, segments, counts }
    }

    pub(super) fn of_hierarchy(header: &Header, hierarchy: &Hierarchy) -> Self {
        let segments = hierarchy
            .tables()
            .map(|(part, table)| SegmentSize { part: part.to_string(), bytes: table.byte_count() })
            .collect();
        let settings = IndexSettings::Hpa(*hierarchy.settings());
        Self::new(header, settings, segments, IndexCounts::Hpa(hierarchy.counts()))
    }

    pub(super) fn of_subgoals(header: &Header, saved: &Saved) -> Self {
        let segments = sizes(header, super::subgoal::segment_name);
        let settings = IndexSettings::Subgoals(saved.settings);
        Self::new(header, settings, segments, IndexCounts::Subgoals(saved.parts.counts()))
    }

    pub(super) fn of_groups(header: &Header, saved: &Unbound) -> Self {
        let segments = sizes(header, super::groups::segment_name);
        let settings = IndexSettings::Groups(saved.settings());
        Self::new(header, settings, segments, IndexCounts::Groups(saved.counts()))
    }

    pub(super) fn of_overlay(header: &Header, saved: &UnboundOverlay) -> Self {
        let segments = sizes(header, super::overlay::segment_name);
        let settings = IndexSettings::Overlay(saved.settings());
        Self::new(header, settings, segments, IndexCounts::Overlay(saved.counts()))
    }

    pub(super) fn of_labels(header: &Header, labels: &GridLabels) -> Self {
        let segments = sizes(header, |tag| super::labels::segment_name(labels, tag));
        let settings = IndexSettings::Labels(labels.settings());
        Self::new(header, settings, segments, IndexCounts::Labels(labels.kind(), labels.counts()))
    }
}

impl Description {
    pub(super) fn of_straight(header: &Header, index: &StraightIndex) -> Self {
        let segments = sizes(header, |tag| super::straight::segment_name(index, tag));
        let settings = IndexSettings::Straight(index.settings());
        Self::new(header, settings, segments, IndexCounts::Straight(index.kind(), index.counts()))
    }
}

/// Sizes of the segments that have a name: all except the settings.
fn sizes(header: &Header, name: impl Fn(Tag) -> Option<&'static str>) -> Vec<SegmentSize> {
    let named = header.segments.iter().filter_map(|segment| Some((name(segment.tag)?, segment.bytes.len())));
    named.map(|(name, bytes)| SegmentSize { part: name.to_owned(), bytes }).collect()
}

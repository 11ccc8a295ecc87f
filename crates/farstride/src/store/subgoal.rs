//! The segments of an index of subgoal graphs.
//!
//! First the settings, then levels and edges. The cells of subgoals are not saved:
//! they are found on the map again. The segments are small compared to those of
//! HPA*; opening converts them into the tables that queries read.

use super::header::{Header, Segment, Tag, padded_name};
use super::{MapStamp, OpenError};
use crate::grid::Grid;
use crate::index::{Engine, IndexSettings};
use crate::nlevel::{CorruptGraph, Parts};
use crate::subgoal::{Partition, SubgoalGraph, SubgoalSettings};
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the segment with the settings.
const SETTINGS_BYTES: usize = 8;
/// Value of the fifth byte of the settings if the number of levels is limited.
const LIMITED: u8 = 1;

/// Tag and content of each segment after the settings, in order.
const SEGMENTS: [(Tag, &str); 5] =
    [(*b"levl", "levels"), (*b"rows", "rows"), (*b"head", "heads"), (*b"vias", "vias"), (*b"turn", "turns")];
/// Number of these segments if the partition adds no edges.
const WITHOUT_EXTRA: usize = 3;

/// A saved subgoal graph that is not bound to a map yet.
pub(super) struct Saved {
    pub(super) settings: SubgoalSettings,
    pub(super) parts: Parts,
}

/// Writes an index.
pub(super) fn write(graph: &SubgoalGraph, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let engine = IndexSettings::Subgoals(graph.settings()).engine();
    let parts = graph.to_parts();
    let settings = encode(graph.settings()).to_vec();
    let bytes: Vec<Vec<u8>> = std::iter::once(settings).chain(parts.to_bytes()).collect();
    let tags = std::iter::once(super::SETTINGS).chain(SEGMENTS.map(|(tag, _)| tag));
    let list: Vec<_> =
        tags.zip(&bytes).map(|(tag, segment)| (tag, 0, segment.len(), xxh3_64(segment))).collect();
    let header = Header::new(padded_name(engine.name()), map, parts.digest(), list.into_iter());
    header.write(bytes.iter(), writer)
}

/// Reads a subgoal graph and checks all that can be checked without the map.
pub(super) fn read(bytes: &[u8], header: &Header, engine: Engine) -> Result<Saved, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let content = |segment: &Segment| bytes.get(segment.bytes.clone());
    let is_sound = |segment| content(segment).is_some_and(|bytes| xxh3_64(bytes) == segment.digest);
    if !header.segments.iter().all(is_sound) {
        return Err(flawed("a segment has another digest than the list says"));
    }
    let [first, graph @ ..] = &header.segments[..] else { return Err(flawed("it has no segments")) };
    if (first.tag, first.number) != (super::SETTINGS, 0) {
        return Err(flawed("it does not start with its settings"));
    }
    let settings = content(first).and_then(|bytes| decode(engine, bytes));
    let settings = settings.ok_or(flawed("its settings are of another form"))?;
    let count = if settings.allows_extra() { SEGMENTS.len() } else { WITHOUT_EXTRA };
    let listed = graph.iter().map(|segment| (segment.tag, segment.number));
    if !listed.eq(SEGMENTS[..count].iter().map(|&(tag, _)| (tag, 0))) {
        return Err(flawed("its segments are not those of its settings"));
    }
    let content: Vec<&[u8]> = graph.iter().filter_map(content).collect();
    let parts = match content[..] {
        [levels, rows, heads] => Parts::from_bytes([levels, rows, heads], None),
        [levels, rows, heads, vias, turns] => Parts::from_bytes([levels, rows, heads], Some([vias, turns])),
        _ => return Err(flawed("its segments are not those of its settings")),
    }?;
    if parts.digest() != header.digest {
        return Err(flawed("its digest is not that of its segments"));
    }
    Ok(Saved { settings, parts })
}

impl Saved {
    /// The graph on its map.
    pub(super) fn bound_to(&self, grid: &Grid) -> Result<SubgoalGraph, CorruptGraph> {
        SubgoalGraph::restore(&self.parts, grid, self.settings)
    }
}

/// What a segment holds, in words; `None` for the settings.
pub(super) fn segment_name(tag: Tag) -> Option<&'static str> {
    SEGMENTS.iter().find(|&&(known, _)| known == tag).map(|&(_, name)| name)
}

/// Encodes the limit on levels. The rest of the settings follows from the name of the
/// engine.
fn encode(settings: SubgoalSettings) -> [u8; SETTINGS_BYTES] {
    let limit = match settings.partition {
        Partition::Basic(limit) | Partition::Advanced(limit) => limit,
        Partition::Simple | Partition::TwoLevel | Partition::TwoLevelLossy => None,
    };
    let [a, b, c, d] = limit.unwrap_or(0).to_le_bytes();
    [a, b, c, d, if limit.is_some() { LIMITED } else { 0 }, 0, 0, 0]
}

fn decode(engine: Engine, bytes: &[u8]) -> Option<SubgoalSettings> {
    let &[a, b, c, d, limited @ (0 | LIMITED), 0, 0, 0] = bytes else { return None };
    let limit = u32::from_le_bytes([a, b, c, d]);
    let Some(IndexSettings::Subgoals(usual)) = engine.default_settings() else { return None };
    let partition = match (usual.partition, limited == LIMITED, limit) {
        (partition, false, 0) => partition,
        (Partition::Basic(_), true, limit) => Partition::Basic(Some(limit)),
        (Partition::Advanced(_), true, limit) => Partition::Advanced(Some(limit)),
        _ => return None,
    };
    Some(SubgoalSettings::new(partition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_what_was_written() {
        let limits = [None, Some(0), Some(1), Some(0x0102_0304), Some(u32::MAX)];
        let limited =
            limits.into_iter().flat_map(|limit| [Partition::Basic(limit), Partition::Advanced(limit)]);
        let fixed = [Partition::Simple, Partition::TwoLevel, Partition::TwoLevelLossy];
        for partition in limited.chain(fixed) {
            let settings = SubgoalSettings::new(partition);
            assert_eq!(decode(IndexSettings::Subgoals(settings).engine(), &encode(settings)), Some(settings));
        }
        assert_eq!(
            encode(SubgoalSettings::new(Partition::Basic(Some(0x0102_0304)))),
            [4, 3, 2, 1, 1, 0, 0, 0]
        );
    }

    #[test]
    fn other_settings_are_refused() {
        for (engine, bytes) in [
            (Engine::Nsg, &[1, 0, 0, 0, 0, 0, 0, 0][..]),
            (Engine::Nsg, &[1, 0, 0, 0, 2, 0, 0, 0]),
            (Engine::Nsg, &[1, 0, 0, 0, 1, 0, 0, 1]),
            (Engine::Nsg, &[1, 0, 0, 0, 1, 0, 0]),
            (Engine::Ssg, &[1, 0, 0, 0, 1, 0, 0, 0]),
            (Engine::Tl, &[2, 0, 0, 0, 1, 0, 0, 0]),
            (Engine::Hpa, &[0; 8]),
        ] {
            assert_eq!(decode(engine, bytes), None, "{engine} {bytes:?}");
        }
    }
}

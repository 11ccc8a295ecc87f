//! The segments of an index of HPA* or HPT*.
//!
//! First the settings, then the tables in the order of [`TableKind::all`], with the bytes
//! they have in memory.

use super::header::{Header, Segment, Tag, padded_name};
use super::{Bytes, MapStamp, OpenError, SETTINGS};
use crate::hpa::{Ground, Hierarchy, HpaSettings, KeepWays, Local, Place, TableKind};
use crate::index::{Engine, IndexSettings};
use std::borrow::Cow;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the segment with the settings.
const SETTINGS_BYTES: usize = 12;
/// Kept ways by their number in the settings.
const KEPT: [KeepWays; 3] = [KeepWays::Nothing, KeepWays::All, KeepWays::Between];
/// Local searchers by their number in the settings.
const LOCALS: [Local; 3] = [Local::Astar, Local::Theta, Local::LazyTheta];

/// Tag and number of the segment that holds a table.
const fn tag_of(part: TableKind) -> (Tag, u32) {
    match part {
        TableKind::Costs { level } => (*b"toll", level as u32),
        TableKind::Doors { level } => (*b"door", level as u32),
        TableKind::Links => (*b"link", 0),
        TableKind::Ranks => (*b"rank", 0),
        TableKind::Ways => (*b"step", 0),
        TableKind::Lanes => (*b"lane", 0),
        TableKind::Stops { level } => (*b"stop", level as u32),
    }
}

/// Writes an index.
pub(super) fn write(hierarchy: &Hierarchy, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let settings = encode(*hierarchy.settings());
    let mut list = vec![(SETTINGS, 0, settings.len(), xxh3_64(&settings))];
    list.extend(hierarchy.tables().map(|(part, table)| {
        let (tag, number) = tag_of(part);
        (tag, number, table.byte_count(), table.digest())
    }));
    let engine = IndexSettings::Hpa(*hierarchy.settings()).engine();
    let header = Header::new(padded_name(engine.name()), map, hierarchy.digest(), list.into_iter());
    let tables = hierarchy.tables().map(|(_, table)| table.to_bytes());
    header.write(std::iter::once(Cow::Borrowed(&settings[..])).chain(tables), writer)
}

/// Reads a hierarchy and checks all that can be checked without the map. The
/// hierarchy points into `bytes` and is not bound to a map yet. `heaviest` is the
/// largest weight that a cell of the map may have.
pub(super) fn read(
    bytes: &Bytes,
    header: &Header,
    engine: Engine,
    heaviest: u8,
) -> Result<Hierarchy, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let [first, tables @ ..] = &header.segments[..] else { return Err(flawed("it has no segments")) };
    if (first.tag, first.number) != (SETTINGS, 0) {
        return Err(flawed("it does not start with its settings"));
    }
    let settings = (**bytes).as_ref().get(first.bytes.clone()).filter(|bytes| xxh3_64(bytes) == first.digest);
    let settings = settings.and_then(decode);
    let settings = settings.ok_or(flawed("its settings are of another form"))?;
    settings.check()?;
    if IndexSettings::Hpa(settings).engine() != engine {
        return Err(flawed("its settings are those of another engine"));
    }
    let listed = tables.iter().map(|segment| (segment.tag, segment.number));
    if !listed.eq(TableKind::all(settings).map(tag_of)) {
        return Err(flawed("its segments are not those of its settings"));
    }
    let place = |Segment { bytes, digest, .. }: &Segment| Place { bytes: bytes.clone(), digest: *digest };
    let places: Vec<Place> = tables.iter().map(place).collect();
    let MapStamp { width, height, rules, .. } = header.map;
    let ground = Ground { rules, heaviest };
    let hierarchy = Hierarchy::restore(bytes, &places, (width, height), ground, settings)?;
    if hierarchy.digest() != header.digest {
        return Err(flawed("its digest is not that of its segments"));
    }
    Ok(hierarchy)
}

fn encode(settings: HpaSettings) -> [u8; SETTINGS_BYTES] {
    let HpaSettings { cluster, entrance, gap, levels, net, group, keep_ways, local } = settings;
    let [[c, luster], [e, ntrance], [g, ap]] = [cluster, entrance, gap].map(u16::to_le_bytes);
    let searcher = LOCALS.iter().position(|&known| known == local).unwrap_or(0) as u8;
    debug_assert!(keep_ways != KeepWays::Auto, "a hierarchy that was built knows what it keeps");
    let ways = KEPT.iter().position(|&known| known == keep_ways).unwrap_or(0) as u8;
    [c, luster, e, ntrance, levels, group, ways, searcher, g, ap, net, 0]
}

fn decode(bytes: &[u8]) -> Option<HpaSettings> {
    let &[c, luster, e, ntrance, levels, group, ways, local, g, ap, net, 0] = bytes else {
        return None;
    };
    let local = *LOCALS.get(usize::from(local))?;
    let keep_ways = *KEPT.get(usize::from(ways))?;
    let is_known = keep_ways != KeepWays::Between || !local.is_any_angle();
    is_known.then_some(HpaSettings {
        cluster: u16::from_le_bytes([c, luster]),
        entrance: u16::from_le_bytes([e, ntrance]),
        gap: u16::from_le_bytes([g, ap]),
        levels,
        net,
        group,
        keep_ways,
        local,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_what_was_written() {
        let settings = HpaSettings {
            cluster: 0x102,
            entrance: 0x304,
            gap: 0x708,
            levels: 5,
            net: 9,
            group: 6,
            keep_ways: KeepWays::All,
            local: Local::Astar,
        };
        assert_eq!(encode(settings), [2, 1, 4, 3, 5, 6, 1, 0, 8, 7, 9, 0]);
        for settings in LOCALS
            .into_iter()
            .flat_map(|local| KEPT.map(|keep_ways| HpaSettings { keep_ways, local, ..settings }))
        {
            let is_possible = settings.keep_ways != KeepWays::Between || settings.local == Local::Astar;
            assert_eq!(decode(&encode(settings)), is_possible.then_some(settings));
        }
        assert_eq!(encode(HpaSettings { local: Local::Theta, ..settings })[7], 1);
        assert_eq!(encode(HpaSettings { local: Local::LazyTheta, ..settings })[7], 2);
        let good = encode(settings);
        for (at, byte) in [(6, 3), (7, 3), (11, 1)] {
            let mut bad = good;
            bad[at] = byte;
            assert_eq!(decode(&bad), None);
        }
        assert_eq!(decode(&good[..11]), None);
    }
}

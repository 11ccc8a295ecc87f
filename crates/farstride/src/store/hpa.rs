//! The parts of an index of HPA* or HPT*.
//!
//! First the settings, then the tables as they lie in memory, in the order of
//! [`Part::all`].

use super::header::{Header, Section, Tag, padded_name};
use super::{Bytes, MapStamp, OpenError, SETTINGS};
use crate::hpa::{Ground, Hierarchy, HpaSettings, Local, Part, Place};
use crate::index::{Engine, IndexSettings};
use std::borrow::Cow;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the part with the settings.
const SETTINGS_BYTES: usize = 8;
/// Set in the last byte but one of the settings if the ways are kept.
const KEEPS_WAYS: u8 = 1;
/// The searchers in the order of their numbers in the last byte.
const LOCALS: [Local; 3] = [Local::Astar, Local::Theta, Local::LazyTheta];

/// Tag and number of the part that holds a table.
const fn label(part: Part) -> (Tag, u32) {
    match part {
        Part::Costs { level } => (*b"cost", level as u32),
        Part::Doors { level } => (*b"door", level as u32),
        Part::Links => (*b"link", 0),
        Part::Ranks => (*b"rank", 0),
        Part::Ways => (*b"ways", 0),
        Part::Lanes => (*b"lane", 0),
        Part::Stops { level } => (*b"stop", level as u32),
    }
}

/// Writes an index.
pub(super) fn write(hierarchy: &Hierarchy, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let settings = encode(*hierarchy.settings());
    let mut parts = vec![(SETTINGS, 0, settings.len(), xxh3_64(&settings))];
    parts.extend(hierarchy.tables().map(|(part, table)| {
        let (tag, number) = label(part);
        (tag, number, table.byte_count(), table.digest())
    }));
    let engine = IndexSettings::Hpa(*hierarchy.settings()).engine();
    let header = Header::new(padded_name(engine.name()), map, hierarchy.digest(), parts.into_iter());
    let tables = hierarchy.tables().map(|(_, table)| table.to_bytes());
    header.write(std::iter::once(Cow::Borrowed(&settings[..])).chain(tables), writer)
}

/// The abstraction of an engine that lies in some bytes, bound to no map, on
/// which no cell weighs more than `heaviest`.
pub(super) fn read(
    bytes: &Bytes,
    header: &Header,
    engine: Engine,
    heaviest: u8,
) -> Result<Hierarchy, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let [first, tables @ ..] = &header.sections[..] else { return Err(flawed("it has no parts")) };
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
    let labels = tables.iter().map(|section| (section.tag, section.number));
    if !labels.eq(Part::all(settings).map(label)) {
        return Err(flawed("its parts are not those of its settings"));
    }
    let place = |Section { bytes, digest, .. }: &Section| Place { bytes: bytes.clone(), digest: *digest };
    let places: Vec<Place> = tables.iter().map(place).collect();
    let MapStamp { width, height, rules, .. } = header.map;
    let ground = Ground { rules, heaviest };
    let hierarchy = Hierarchy::restore(bytes, &places, (width, height), ground, settings)?;
    if hierarchy.digest() != header.digest {
        return Err(flawed("its digest is not that of its parts"));
    }
    Ok(hierarchy)
}

fn encode(settings: HpaSettings) -> [u8; SETTINGS_BYTES] {
    let HpaSettings { cluster, entrance, levels, group, keep_ways, local } = settings;
    let ([c, luster], [e, ntrance]) = (cluster.to_le_bytes(), entrance.to_le_bytes());
    let searcher = LOCALS.iter().position(|&known| known == local).unwrap_or(0) as u8;
    [c, luster, e, ntrance, levels, group, if keep_ways { KEEPS_WAYS } else { 0 }, searcher]
}

fn decode(bytes: &[u8]) -> Option<HpaSettings> {
    let &[c, luster, e, ntrance, levels, group, ways @ (0 | KEEPS_WAYS), local] = bytes else { return None };
    Some(HpaSettings {
        cluster: u16::from_le_bytes([c, luster]),
        entrance: u16::from_le_bytes([e, ntrance]),
        levels,
        group,
        keep_ways: ways == KEEPS_WAYS,
        local: *LOCALS.get(usize::from(local))?,
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
            levels: 5,
            group: 6,
            keep_ways: true,
            local: Local::Astar,
        };
        assert_eq!(encode(settings), [2, 1, 4, 3, 5, 6, 1, 0]);
        let other = HpaSettings { keep_ways: false, ..settings };
        for settings in
            LOCALS.into_iter().flat_map(|local| [settings, other].map(|s| HpaSettings { local, ..s }))
        {
            assert_eq!(decode(&encode(settings)), Some(settings));
        }
        assert_eq!(encode(HpaSettings { local: Local::Theta, ..settings })[7], 1);
        assert_eq!(encode(HpaSettings { local: Local::LazyTheta, ..settings })[7], 2);
        for bad in [&[2, 1, 4, 3, 5, 6, 2, 0][..], &[2, 1, 4, 3, 5, 6, 1, 3], &[2, 1, 4, 3, 5, 6, 1], &[]] {
            assert_eq!(decode(bad), None);
        }
    }
}

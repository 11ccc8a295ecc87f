//! The parts of an index of the engine `groups`.
//!
//! First the settings, then a list of each kind over all levels. Which blocks
//! lie in which is told by settings and map, and like subgoal graphs these
//! parts are turned into what queries read.

use super::header::{Header, Section, Tag, padded_name};
use super::{MapStamp, OpenError, SETTINGS};
use crate::groups::{GridGroupSettings, GridGroups, Kept, Unbound};
use crate::index::Engine;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// What each part holds, in order.
const PARTS: [(Tag, &str); 6] = [
    (*b"part", "parts of groups"),
    (*b"tabl", "tables of parts"),
    (*b"repr", "representatives"),
    (*b"rows", "rows"),
    (*b"head", "heads"),
    (*b"cost", "costs"),
];

/// Writes an index.
pub(super) fn write(groups: &GridGroups, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let (kept, settings) = (groups.kept(), groups.settings());
    let bytes: Vec<Vec<u8>> = std::iter::once(settings.to_bytes().to_vec()).chain(kept.to_bytes()).collect();
    let tags = std::iter::once(SETTINGS).chain(PARTS.map(|(tag, _)| tag));
    let list: Vec<_> = tags.zip(&bytes).map(|(tag, part)| (tag, 0, part.len(), xxh3_64(part))).collect();
    let name = padded_name(Engine::Groups.name());
    let digest = Kept::digest_of(list.iter().map(|&(.., digest)| digest));
    let header = Header::new(name, map, digest, list.into_iter());
    header.write(bytes.iter(), writer)
}

/// The hierarchy that lies in some bytes: as sound as can be told without the
/// map.
pub(super) fn read(bytes: &[u8], header: &Header) -> Result<Unbound, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let content = |section: &Section| bytes.get(section.bytes.clone());
    let is_sound = |section| content(section).is_some_and(|bytes| xxh3_64(bytes) == section.digest);
    if !header.sections.iter().all(is_sound) {
        return Err(flawed("a part has another digest than the list says"));
    }
    let labels = header.sections.iter().map(|section| (section.tag, section.number));
    let tags = std::iter::once(SETTINGS).chain(PARTS.map(|(tag, _)| tag));
    if !labels.eq(tags.map(|tag| (tag, 0))) {
        return Err(flawed("its parts are not those of its engine"));
    }
    let content: Vec<&[u8]> = header.sections.iter().filter_map(content).collect();
    let [settings, parts, tables, representatives, rows, heads, costs] = content[..] else {
        return Err(flawed("its parts are not those of its engine"));
    };
    let settings =
        GridGroupSettings::from_bytes(settings).ok_or(flawed("its settings are of another form"))?;
    settings.check()?;
    if Kept::digest_of(header.sections.iter().map(|section| section.digest)) != header.digest {
        return Err(flawed("its digest is not that of its parts"));
    }
    let kept = Kept::from_bytes([parts, tables, representatives, rows, heads, costs])?;
    Ok(Unbound::new(&kept, settings, (header.map.width, header.map.height))?)
}

/// What a part other than the settings holds, in words.
pub(super) fn part_name(tag: Tag) -> Option<&'static str> {
    PARTS.iter().find(|&&(known, _)| known == tag).map(|&(_, name)| name)
}

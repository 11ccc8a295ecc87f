//! The segments of an index of the engine `groups`.
//!
//! First the settings, then lists that run over all levels. Which squares lie in
//! which follows from the settings and the size of the map, and is not saved. Opening
//! converts these lists into the tables that queries read.

use super::header::{Header, Tag, padded_name};
use super::{MapStamp, OpenError, SETTINGS};
use crate::groups::{GridGroupSettings, GridGroups, Kept, Unbound};
use crate::index::Engine;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Tag and content of each segment after the settings, in order.
const SEGMENTS: [(Tag, &str); 6] = [
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
    let tags = std::iter::once(SETTINGS).chain(SEGMENTS.map(|(tag, _)| tag));
    let list: Vec<_> =
        tags.zip(&bytes).map(|(tag, segment)| (tag, 0, segment.len(), xxh3_64(segment))).collect();
    let name = padded_name(Engine::Groups.name());
    let digest = Kept::digest_of(list.iter().map(|&(.., digest)| digest));
    let header = Header::new(name, map, digest, list.into_iter());
    header.write(bytes.iter(), writer)
}

/// Reads a hierarchy and checks all that can be checked without the map.
pub(super) fn read(bytes: &[u8], header: &Header) -> Result<Unbound, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let tags = std::iter::once(SETTINGS).chain(SEGMENTS.map(|(tag, _)| tag));
    let content = header.contents(bytes, tags)?;
    let [settings, parts, tables, representatives, rows, heads, costs] = content[..] else {
        return Err(flawed("its segments are not those of its engine"));
    };
    let settings =
        GridGroupSettings::from_bytes(settings).ok_or(flawed("its settings are of another form"))?;
    settings.check()?;
    if Kept::digest_of(header.segments.iter().map(|segment| segment.digest)) != header.digest {
        return Err(flawed("its digest is not that of its segments"));
    }
    let kept = Kept::from_bytes([parts, tables, representatives, rows, heads, costs])?;
    Ok(Unbound::new(&kept, settings, (header.map.width, header.map.height))?)
}

/// What a segment holds, in words; `None` for the settings.
pub(super) fn segment_name(tag: Tag) -> Option<&'static str> {
    SEGMENTS.iter().find(|&&(known, _)| known == tag).map(|&(_, name)| name)
}

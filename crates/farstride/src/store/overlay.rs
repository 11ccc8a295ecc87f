//! The segments of an index of the engine `overlay`: settings, then the arcs of all
//! blocks. Opening converts them into the rows that queries read.

use super::header::{Header, Tag, padded_name};
use super::{MapStamp, OpenError, SETTINGS};
use crate::index::Engine;
use crate::overlay::{Overlay, OverlaySettings, UnboundOverlay, digest_of};
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Tag and content of each segment after the settings, in order.
const SEGMENTS: [(Tag, &str); 3] =
    [(*b"rows", "arcs of each cell"), (*b"head", "heads"), (*b"cost", "costs")];

/// Writes an index.
pub(super) fn write(overlay: &Overlay, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let contents = overlay.contents();
    let list: Vec<_> =
        tags().zip(&contents).map(|(tag, content)| (tag, 0, content.len(), xxh3_64(content))).collect();
    let digest = digest_of(list.iter().map(|&(.., digest)| digest));
    let header = Header::new(padded_name(Engine::Overlay.name()), map, digest, list.into_iter());
    header.write(contents.iter(), writer)
}

fn tags() -> impl Iterator<Item = Tag> {
    std::iter::once(SETTINGS).chain(SEGMENTS.map(|(tag, _)| tag))
}

/// Reads an overlay and checks all that can be checked without the map.
pub(super) fn read(bytes: &[u8], header: &Header) -> Result<UnboundOverlay, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let contents = header.contents(bytes, tags())?;
    if digest_of(header.segments.iter().map(|segment| segment.digest)) != header.digest {
        return Err(flawed("its digest is not that of its segments"));
    }
    let [settings, rows, heads, costs] = contents[..] else {
        return Err(flawed("its segments are not those of its engine"));
    };
    let settings = OverlaySettings::from_bytes(settings).ok_or(flawed("its settings are of another form"))?;
    settings.check()?;
    let size = (header.map.width, header.map.height);
    UnboundOverlay::read(settings, size, [rows, heads, costs]).map_err(OpenError::Inconsistent)
}

/// What a segment holds, in words; `None` for the settings.
pub(super) fn segment_name(tag: Tag) -> Option<&'static str> {
    SEGMENTS.iter().find(|&&(known, _)| known == tag).map(|&(_, name)| name)
}

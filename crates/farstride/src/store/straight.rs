//! The segments of an index of the engine `straight`.
//!
//! First their form, then segments with the bytes they have in memory; none if the index has
//! no labels. An opened index points at them, so that a mapped file is ready at once.

use super::header::{Header, Tag, padded_name};
use super::{Bytes, MapStamp, OpenError, SETTINGS};
use crate::index::Engine;
use crate::straight::{Form, StraightIndex};
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Tags of the segments of labels, in order.
const TAGS: [Tag; 5] = [*b"blok", *b"reco", *b"crnr", *b"rows", *b"hops"];

/// Writes an index.
pub(super) fn write(index: &StraightIndex, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let form = index.form().to_bytes();
    let contents = index.contents_of_parts();
    let segments = || std::iter::once(&form[..]).chain(contents.iter().copied());
    let tags = std::iter::once(SETTINGS).chain(TAGS);
    let list: Vec<_> =
        tags.zip(segments()).map(|(tag, segment)| (tag, 0, segment.len(), xxh3_64(segment))).collect();
    let header = Header::new(padded_name(Engine::Straight.name()), map, index.digest(), list.into_iter());
    header.write(segments(), writer)
}

/// Reads an index and checks its sizes alone. It points into `bytes` and is not bound to a
/// map yet.
pub(super) fn read(bytes: &Bytes, header: &Header) -> Result<StraightIndex, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let [first, segments @ ..] = &header.segments[..] else { return Err(flawed("it has no segments")) };
    if (first.tag, first.number) != (SETTINGS, 0) {
        return Err(flawed("it does not start with its settings"));
    }
    let form = (**bytes).as_ref().get(first.bytes.clone()).and_then(Form::from_bytes);
    let form = form.ok_or(flawed("its settings are of another form"))?;
    let listed = segments.iter().map(|segment| (segment.tag, segment.number));
    if !listed.eq(TAGS.iter().take(form.part_names().len()).map(|&tag| (tag, 0))) {
        return Err(flawed("its segments are not those of its settings"));
    }
    let places: Vec<_> = segments.iter().map(|segment| segment.bytes.clone()).collect();
    let size = (header.map.width, header.map.height);
    StraightIndex::restore(bytes, &places, size, form, header.digest).map_err(OpenError::Inconsistent)
}

/// What a segment holds, in words; `None` for the settings.
pub(super) fn segment_name(tag: Tag) -> Option<&'static str> {
    let at = TAGS.iter().position(|&known| known == tag)?;
    Form::ALL_NAMES.get(at).copied()
}

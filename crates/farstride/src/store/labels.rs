//! The segments of an index of the engine `labels`.
//!
//! First their form, then segments with the bytes they have in memory. An opened
//! index points at them, so that a mapped file is ready at once.

use super::header::{Header, Segment, Tag, padded_name};
use super::{Bytes, MapStamp, OpenError, SETTINGS};
use crate::index::Engine;
use crate::labels::{Form, GridLabels};
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Tags of the segments of labels of all cells, in order.
const FULL: [Tag; 6] = [*b"blok", *b"reco", *b"rows", *b"hubs", *b"hops", *b"trks"];
/// Tags of the segments of a climb index, in order.
pub(super) const CLIMB: [Tag; 5] = [*b"rank", *b"arow", *b"arcs", *b"lrow", *b"entr"];

/// The tags of the segments of this form. The two forms differ in their number.
fn tags(form: Form) -> &'static [Tag] {
    if form.part_names().len() == FULL.len() { &FULL } else { &CLIMB }
}

/// Writes an index.
pub(super) fn write(labels: &GridLabels, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let form = labels.form();
    write_parts(Engine::Labels, (tags(form), form.to_bytes()), &labels.contents_of_parts(), map, writer)
}

/// Writes an index of labels of any kind: its form, then its segments.
pub(super) fn write_parts<const N: usize>(
    engine: Engine,
    (tags, form): (&[Tag], [u8; N]),
    contents: &[Cow<'_, [u8]>],
    map: MapStamp,
    writer: impl Write,
) -> io::Result<()> {
    let segments = || std::iter::once(&form[..]).chain(contents.iter().map(|content| &**content));
    let tags = std::iter::once(SETTINGS).chain(tags.iter().copied());
    let list: Vec<_> =
        tags.zip(segments()).map(|(tag, segment)| (tag, 0, segment.len(), xxh3_64(segment))).collect();
    let digests: Vec<u64> = list.iter().map(|&(.., digest)| digest).collect();
    let digest = GridLabels::digest_of(&digests);
    let header = Header::new(padded_name(engine.name()), map, digest, list.into_iter());
    header.write(segments(), writer)
}

/// Reads labels and checks their sizes alone. They point into `bytes` and are not
/// bound to a map yet.
pub(super) fn read(bytes: &Bytes, header: &Header) -> Result<GridLabels, OpenError> {
    let (form, places) = read_parts(bytes, header, Form::from_bytes, |&form| tags(form))?;
    let MapStamp { width, height, rules, .. } = header.map;
    Ok(GridLabels::restore(bytes, &places, (width, height), rules, form, header.digest)?)
}

/// Reads the form of labels of any kind, and finds the segments it asks for.
pub(super) fn read_parts<F>(
    bytes: &Bytes,
    header: &Header,
    from_bytes: impl Fn(&[u8]) -> Option<F>,
    tags: impl Fn(&F) -> &'static [Tag],
) -> Result<(F, Vec<Range<usize>>), OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let [first, segments @ ..] = &header.segments[..] else { return Err(flawed("it has no segments")) };
    if (first.tag, first.number) != (SETTINGS, 0) {
        return Err(flawed("it does not start with its settings"));
    }
    let form = (**bytes).as_ref().get(first.bytes.clone()).and_then(from_bytes);
    let form = form.ok_or(flawed("its settings are of another form"))?;
    let listed = segments.iter().map(|segment| (segment.tag, segment.number));
    if !listed.eq(tags(&form).iter().map(|&tag| (tag, 0))) {
        return Err(flawed("its segments are not those of its settings"));
    }
    Ok((form, segments.iter().map(|segment| segment.bytes.clone()).collect()))
}

/// Checks the digest of every segment and that of the whole index.
pub(super) fn check_digests(bytes: &[u8], header: &Header) -> Result<(), OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let is_sound = |Segment { bytes: place, digest, .. }: &Segment| {
        bytes.get(place.clone()).is_some_and(|content| xxh3_64(content) == *digest)
    };
    if !header.segments.iter().all(is_sound) {
        return Err(flawed("a segment has another digest than the list says"));
    }
    let digests: Vec<u64> = header.segments.iter().map(|segment| segment.digest).collect();
    if GridLabels::digest_of(&digests) != header.digest {
        return Err(flawed("its digest is not that of its segments"));
    }
    Ok(())
}

/// What a segment holds, in words; `None` for the settings.
pub(super) fn segment_name(labels: &GridLabels, tag: Tag) -> Option<&'static str> {
    let form = labels.form();
    let at = tags(form).iter().position(|&known| known == tag)?;
    form.part_names().get(at).copied()
}

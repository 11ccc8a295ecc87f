//! The parts of an index of the engine `labels`.
//!
//! First their form, then the parts as they lie in memory: what is opened points
//! at them.

use super::header::{Header, Section, Tag, padded_name};
use super::{Bytes, MapStamp, OpenError, SETTINGS};
use crate::labels::{Form, GridLabels};
use crate::route::Engine;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// The tags of the parts, in order.
const TAGS: [Tag; 7] = [*b"blok", *b"reco", *b"rows", *b"hubs", *b"hops", *b"strt", *b"trak"];

/// Writes an index.
pub(super) fn write(labels: &GridLabels, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let form = labels.form().to_bytes();
    let parts = || std::iter::once(&form[..]).chain(labels.contents_of_parts());
    let tags = std::iter::once(SETTINGS).chain(TAGS);
    let list: Vec<_> = tags.zip(parts()).map(|(tag, part)| (tag, 0, part.len(), xxh3_64(part))).collect();
    let digests: Vec<u64> = list.iter().map(|&(.., digest)| digest).collect();
    let digest = GridLabels::digest_of(&digests);
    let header = Header::new(padded_name(Engine::Labels.name()), map, digest, list.into_iter());
    header.write(parts(), writer)
}

/// The labels that lie in some bytes, bound to no map: only sizes are looked at.
pub(super) fn read(bytes: &Bytes, header: &Header) -> Result<GridLabels, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let labels = header.sections.iter().map(|section| (section.tag, section.number));
    if !labels.eq(std::iter::once(SETTINGS).chain(TAGS).map(|tag| (tag, 0))) {
        return Err(flawed("its parts are not those of its engine"));
    }
    let mut places = header.sections.iter().map(|section| section.bytes.clone());
    let form = places.next().and_then(|place| (**bytes).as_ref().get(place)).and_then(Form::from_bytes);
    let form = form.ok_or(flawed("its settings are of another form"))?;
    let places = std::array::from_fn(|_| places.next().unwrap_or_default());
    let MapStamp { width, height, rules, .. } = header.map;
    Ok(GridLabels::restore(bytes, places, (width, height), rules, form, header.digest)?)
}

/// Whether every part is as it was written.
pub(super) fn check_digests(bytes: &[u8], header: &Header) -> Result<(), OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let is_sound = |Section { bytes: place, digest, .. }: &Section| {
        bytes.get(place.clone()).is_some_and(|part| xxh3_64(part) == *digest)
    };
    if !header.sections.iter().all(is_sound) {
        return Err(flawed("a part has another digest than the list says"));
    }
    let digests: Vec<u64> = header.sections.iter().map(|section| section.digest).collect();
    if GridLabels::digest_of(&digests) != header.digest {
        return Err(flawed("its digest is not that of its parts"));
    }
    Ok(())
}

/// What a part other than the settings holds, in words.
pub(super) fn part_name(tag: Tag) -> Option<&'static str> {
    let at = TAGS.iter().position(|&known| known == tag)?;
    GridLabels::part_names().get(at).copied()
}

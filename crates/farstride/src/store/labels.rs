//! The parts of an index of the engine `labels`.
//!
//! First their form, then the parts as they lie in memory: what is opened points
//! at them.

use super::header::{Header, Section, Tag, padded_name};
use super::{Bytes, MapStamp, OpenError, SETTINGS};
use crate::index::Engine;
use crate::labels::{Form, GridLabels};
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// The tags of the parts of labels of all cells, in order.
const FULL: [Tag; 6] = [*b"blok", *b"reco", *b"rows", *b"hubs", *b"hops", *b"trak"];
/// The tags of the parts of hierarchies that are climbed.
const CLIMB: [Tag; 5] = [*b"rank", *b"arow", *b"arcs", *b"lrow", *b"entr"];

/// The tags of as many parts as there are of each kind.
fn tags(form: Form) -> &'static [Tag] {
    if form.part_names().len() == FULL.len() { &FULL } else { &CLIMB }
}

/// Writes an index.
pub(super) fn write(labels: &GridLabels, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let form = labels.form().to_bytes();
    let contents = labels.contents_of_parts();
    let parts = || std::iter::once(&form[..]).chain(contents.iter().map(|part| &**part));
    let tags = std::iter::once(SETTINGS).chain(tags(labels.form()).iter().copied());
    let list: Vec<_> = tags.zip(parts()).map(|(tag, part)| (tag, 0, part.len(), xxh3_64(part))).collect();
    let digests: Vec<u64> = list.iter().map(|&(.., digest)| digest).collect();
    let digest = GridLabels::digest_of(&digests);
    let header = Header::new(padded_name(Engine::Labels.name()), map, digest, list.into_iter());
    header.write(parts(), writer)
}

/// The labels that lie in some bytes, bound to no map: only sizes are looked at.
pub(super) fn read(bytes: &Bytes, header: &Header) -> Result<GridLabels, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let [first, parts @ ..] = &header.sections[..] else { return Err(flawed("it has no parts")) };
    if (first.tag, first.number) != (SETTINGS, 0) {
        return Err(flawed("it does not start with its settings"));
    }
    let form = (**bytes).as_ref().get(first.bytes.clone()).and_then(Form::from_bytes);
    let form = form.ok_or(flawed("its settings are of another form"))?;
    let labels = parts.iter().map(|section| (section.tag, section.number));
    if !labels.eq(tags(form).iter().map(|&tag| (tag, 0))) {
        return Err(flawed("its parts are not those of its settings"));
    }
    let places: Vec<_> = parts.iter().map(|section| section.bytes.clone()).collect();
    let MapStamp { width, height, rules, .. } = header.map;
    Ok(GridLabels::restore(bytes, &places, (width, height), rules, form, header.digest)?)
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
pub(super) fn part_name(labels: &GridLabels, tag: Tag) -> Option<&'static str> {
    let form = labels.form();
    let at = tags(form).iter().position(|&known| known == tag)?;
    form.part_names().get(at).copied()
}

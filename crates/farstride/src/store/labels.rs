//! The parts of an index of the engine `labels`.
//!
//! First their form, then the parts. Those of labels of all cells are saved as
//! they lie in memory: what is opened points at them.

use super::header::{Header, Section, Tag, padded_name};
use super::{Bytes, MapStamp, OpenError, SETTINGS};
use crate::labels::{Form, GridLabels, Kept, Unbound};
use crate::route::Engine;
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// What each part of labels of all cells holds, in order.
const FULL: [(Tag, &str); 6] = [
    (*b"blok", "blocks"),
    (*b"reco", "records of blocks"),
    (*b"lrow", "rows of labels"),
    (*b"hubs", "hubs"),
    (*b"hops", "hops"),
    (*b"trak", "tracks"),
];

/// What each part of a hierarchy holds, in order.
const CLIMB: [(Tag, &str); 6] = [
    (*b"node", "ranks of subgoals"),
    (*b"rows", "rows of arcs"),
    (*b"arcs", "arcs"),
    (*b"lrow", "rows of labels"),
    (*b"hubs", "hubs"),
    (*b"hops", "hops"),
];

/// The parts of labels of a form.
const fn parts_of(form: Form) -> &'static [(Tag, &'static str)] {
    match form.kept {
        Kept::Full { .. } => &FULL,
        Kept::Climb { .. } => &CLIMB,
    }
}

/// Writes an index.
pub(super) fn write(labels: &GridLabels, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let form = labels.form();
    let settings = form.to_bytes();
    let mut parts = vec![Cow::Borrowed(&settings[..])];
    parts.extend(labels.parts());
    let tags = std::iter::once(SETTINGS).chain(parts_of(form).iter().map(|&(tag, _)| tag));
    let list: Vec<_> = tags.zip(&parts).map(|(tag, part)| (tag, 0, part.len(), xxh3_64(part))).collect();
    let digests: Vec<u64> = list.iter().map(|&(.., digest)| digest).collect();
    let digest = GridLabels::digest_of(&digests);
    let header = Header::new(padded_name(Engine::Labels.name()), map, digest, list.into_iter());
    header.write(parts.iter(), writer)
}

/// The labels that lie in some bytes. Of labels of all cells, only sizes are
/// looked at.
pub(super) fn read(bytes: &Bytes, header: &Header) -> Result<Unbound, OpenError> {
    let flawed = |flaw| OpenError::Layout { flaw };
    let [first, parts @ ..] = &header.sections[..] else { return Err(flawed("it has no parts")) };
    if (first.tag, first.number) != (SETTINGS, 0) {
        return Err(flawed("it does not start with its settings"));
    }
    let form = (**bytes).as_ref().get(first.bytes.clone()).and_then(Form::from_bytes);
    let form = form.ok_or(flawed("its settings are of another form"))?;
    let labels = parts.iter().map(|section| (section.tag, section.number));
    if !labels.eq(parts_of(form).iter().map(|&(tag, _)| (tag, 0))) {
        return Err(flawed("its parts are not those of its settings"));
    }
    let places: Vec<Range<usize>> = parts.iter().map(|section| section.bytes.clone()).collect();
    let MapStamp { width, height, rules, .. } = header.map;
    Ok(Unbound::read(bytes, &places, (width, height), rules, form, header.digest)?)
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
    FULL.iter().chain(&CLIMB).find(|&&(known, _)| known == tag).map(|&(_, name)| name)
}

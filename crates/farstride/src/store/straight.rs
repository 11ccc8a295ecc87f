//! The segments of an index of the engine `straight`.
//!
//! First their form, then segments with the bytes they have in memory; none if the index is
//! empty. An opened index points at them, so that a mapped file is ready at once.

use super::header::{Header, Tag};
use super::labels::{CLIMB, read_parts, write_parts};
use super::{Bytes, MapStamp, OpenError};
use crate::index::Engine;
use crate::straight::{Form, StraightIndex};
use std::io::{self, Write};

/// Tags of the segments of labels of all cells, in order.
const FULL: [Tag; 5] = [*b"blok", *b"reco", *b"crnr", *b"rows", *b"hops"];

/// The tags of the segments of this form.
const fn tags(form: Form) -> &'static [Tag] {
    if form.is_full() {
        &FULL
    } else if form.part_names().is_empty() {
        &[]
    } else {
        &CLIMB
    }
}

/// Writes an index.
pub(super) fn write(index: &StraightIndex, map: MapStamp, writer: impl Write) -> io::Result<()> {
    let form = index.form();
    write_parts(Engine::Straight, (tags(form), form.to_bytes()), &index.contents_of_parts(), map, writer)
}

/// Reads an index and checks its sizes alone. It points into `bytes` and is not bound to a
/// map yet.
pub(super) fn read(bytes: &Bytes, header: &Header) -> Result<StraightIndex, OpenError> {
    let (form, places) = read_parts(bytes, header, Form::from_bytes, |&form| tags(form))?;
    let size = (header.map.width, header.map.height);
    StraightIndex::restore(bytes, &places, size, form, header.digest).map_err(OpenError::Inconsistent)
}

/// What a segment holds, in words; `None` for the settings.
pub(super) fn segment_name(index: &StraightIndex, tag: Tag) -> Option<&'static str> {
    let form = index.form();
    let at = tags(form).iter().position(|&known| known == tag)?;
    form.part_names().get(at).copied()
}

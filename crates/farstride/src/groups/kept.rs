//! The saved form of an index of squares, as lists and as bytes.

use super::part::LocalPart;
use super::{Connection, GridGroupSettings, GroupId};
use crate::base::{Cost, Inconsistent};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// A saved index that contradicts itself or the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CorruptGroups {
    /// The level, from 1, and the group in question; `None` if it is about the whole
    /// index.
    pub(crate) group: Option<(usize, GroupId)>,
    /// What is wrong.
    pub(crate) flaw: &'static str,
}

impl CorruptGroups {
    pub(super) const fn whole(flaw: &'static str) -> Self {
        Self { group: None, flaw }
    }

    pub(super) const fn at(level: usize, group: GroupId, flaw: &'static str) -> Self {
        Self { group: Some((level, group)), flaw }
    }
}

impl fmt::Display for CorruptGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, flaw } = self;
        match group {
            Some((level, group)) => write!(f, "group {group} of level {level} {flaw}"),
            None => write!(f, "the hierarchy {flaw}"),
        }
    }
}

impl From<CorruptGroups> for Inconsistent {
    fn from(error: CorruptGroups) -> Self {
        Self::new(error.to_string())
    }
}

/// The lists that are saved: everything that the rest of an index can be computed from.
///
/// Each list runs over all levels, the lowest first. Not saved, because they follow:
/// which square lies in which, where arcs come from, and which part lies in which.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Kept {
    /// Number of parts of each group.
    pub(super) counts: Vec<u32>,
    /// The part of each place, for every group with several parts ([`put_table`]).
    pub(super) tables: Vec<u8>,
    /// The place of each part's representative in its group.
    pub(super) places: Vec<u32>,
    /// Number of arcs of each part.
    pub(super) degrees: Vec<u32>,
    /// The part of the same level that each arc leads to.
    pub(super) heads: Vec<u32>,
    /// The cost of each arc.
    pub(super) costs: Vec<u64>,
}

/// Number of lists.
const LISTS: usize = 6;

impl Kept {
    /// The bytes of each list.
    pub(crate) fn to_bytes(&self) -> [Vec<u8>; LISTS] {
        let Self { counts, tables, places, degrees, heads, costs } = self;
        let words = |words: &[u32]| to_column(words.iter().map(|&word| word.into()));
        let costs = to_column(costs.iter().copied());
        [words(counts), tables.clone(), words(places), words(degrees), words(heads), costs]
    }

    /// Reads lists that [`Kept::to_bytes`] wrote.
    pub(crate) fn from_bytes(
        [counts, tables, places, degrees, heads, costs]: [&[u8]; LISTS],
    ) -> Result<Self, CorruptGroups> {
        Ok(Self {
            counts: words(counts)?,
            tables: tables.to_vec(),
            places: words(places)?,
            degrees: words(degrees)?,
            heads: words(heads)?,
            costs: from_column(costs, Cost::MAX.units())?.collect(),
        })
    }

    /// Digest of an index built with these settings.
    pub(super) fn digest(&self, settings: GridGroupSettings) -> u64 {
        let lists = self.to_bytes();
        let lists = lists.iter().map(|list| xxh3_64(list));
        Self::digest_of(std::iter::once(xxh3_64(&settings.to_bytes())).chain(lists))
    }

    /// The same digest, from those of the settings and of each list: a file's header
    /// has these already.
    pub(crate) fn digest_of(parts: impl Iterator<Item = u64>) -> u64 {
        xxh3_64(&parts.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
    }
}

/// Number of bytes that a number takes, at least 1.
const fn width(number: u64) -> usize {
    let bytes = (u64::BITS - number.leading_zeros()).div_ceil(8);
    if bytes == 0 { 1 } else { bytes as usize }
}

/// Writes a byte with the width of the largest number, then all numbers in that width.
fn to_column(numbers: impl Iterator<Item = u64> + Clone) -> Vec<u8> {
    let width = width(numbers.clone().max().unwrap_or(0));
    let mut bytes = vec![width as u8];
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes()[..width]);
    }
    bytes
}

/// Reads what [`to_column`] wrote, if no number is above `most`.
fn from_column(bytes: &[u8], most: u64) -> Result<impl Iterator<Item = u64> + Clone, CorruptGroups> {
    let form = CorruptGroups::whole("has a list of another form");
    let (&bytes_each, rest) = bytes.split_first().ok_or(form)?;
    let bytes_each = usize::from(bytes_each);
    if !(1..=size_of::<u64>()).contains(&bytes_each) || !rest.len().is_multiple_of(bytes_each) {
        return Err(form);
    }
    let numbers = rest.chunks_exact(bytes_each).map(|bytes| {
        let mut number = [0; size_of::<u64>()];
        number[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(number)
    });
    // A wider column than necessary is refused, too: equal lists must have equal bytes.
    let largest = numbers.clone().max().unwrap_or(0);
    match (width(largest) == bytes_each, largest <= most) {
        (true, true) => Ok(numbers),
        (false, _) => Err(form),
        (_, false) => Err(CorruptGroups::whole("has a number that is too large")),
    }
}

fn words(bytes: &[u8]) -> Result<Vec<u32>, CorruptGroups> {
    Ok(from_column(bytes, u32::MAX.into())?.map(|number| number as u32).collect())
}

/// Number of bits of an entry that is a part's index, or has all bits set for a vacant
/// place.
const fn table_bits(parts: u32) -> u32 {
    u32::BITS - parts.leading_zeros()
}

/// Writes the part of each place, from the lowest bit of the first byte, padded with
/// zeros to a whole byte.
pub(super) fn put_table(table: &[LocalPart], parts: u32, bytes: &mut Vec<u8>) {
    let bits = table_bits(parts);
    let mask = (1_u64 << bits) - 1;
    let (mut buffer, mut count) = (0_u64, 0);
    for &part in table {
        buffer |= (u64::from(part.raw()) & mask) << count;
        count += bits;
        while count >= u8::BITS {
            bytes.push(buffer as u8);
            buffer >>= u8::BITS;
            count -= u8::BITS;
        }
    }
    if count > 0 {
        bytes.push(buffer as u8);
    }
}

/// Reads what [`put_table`] wrote and removes it from `bytes`. `None` unless parts are
/// numbered in the order of their first places and there are exactly `parts` of them.
pub(super) fn take_table(bytes: &mut &[u8], places: usize, parts: u32) -> Option<Box<[LocalPart]>> {
    let bits = table_bits(parts);
    let mask = (1_u64 << bits) - 1;
    let length = places.checked_mul(bits as usize)?.div_ceil(8);
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    let mut taken = taken.iter();
    let (mut buffer, mut count, mut next) = (0_u64, 0, 0);
    let mut table = Vec::with_capacity(places);
    for _ in 0..places {
        while count < bits {
            buffer |= u64::from(*taken.next()?) << count;
            count += u8::BITS;
        }
        let part = (buffer & mask) as u32;
        buffer >>= bits;
        count -= bits;
        if u64::from(part) == mask {
            table.push(LocalPart::VACANT);
            continue;
        }
        // The first mention of a part must be the next number: any other numbering
        // would be a second form of the same index.
        if part > next || part >= parts {
            return None;
        }
        next = next.max(part + 1);
        table.push(LocalPart::new(part));
    }
    (next == parts && buffer == 0).then(|| table.into())
}

/// Number of bytes that settings take.
const SETTINGS: usize = 12;

impl GridGroupSettings {
    /// The saved form of the settings.
    pub(crate) fn to_bytes(self) -> [u8; SETTINGS] {
        let Self { side, group, levels, connection } = self;
        let (rule, weights) = match connection {
            Connection::Minimum => (0_u16, [0; 3]),
            Connection::Maximin => (1, [0; 3]),
            Connection::Average => (2, [0; 3]),
            Connection::Blend { minimum, maximin, average } => (3, [minimum, maximin, average]),
        };
        let head = [u16::from_le_bytes([group, levels.unwrap_or(0)]), rule];
        let mut words = std::iter::once(side).chain(head).chain(weights).flat_map(u16::to_le_bytes);
        std::array::from_fn(|_| words.next().unwrap_or_default())
    }

    /// Reads settings, in range or not; `None` if they have another form.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let words: [u8; SETTINGS] = bytes.try_into().ok()?;
        let word = |at: usize| u16::from_le_bytes([words[2 * at], words[2 * at + 1]]);
        let connection = match (word(2), [3, 4, 5].map(word)) {
            (0, [0, 0, 0]) => Connection::Minimum,
            (1, [0, 0, 0]) => Connection::Maximin,
            (2, [0, 0, 0]) => Connection::Average,
            (3, [minimum, maximin, average]) => Connection::Blend { minimum, maximin, average },
            _ => return None,
        };
        let levels = Some(words[3]).filter(|&levels| levels > 0);
        Some(Self { side: word(0), group: words[2], levels, connection })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VACANT: u32 = u32::MAX;

    #[test]
    fn columns_are_as_wide_as_their_largest_number() {
        for (numbers, bytes) in [
            (&[][..], &[1][..]),
            (&[0, 255], &[1, 0, 255]),
            (&[7, 256], &[2, 7, 0, 0, 1]),
            (&[0x01_0203_0405_0607], &[7, 7, 6, 5, 4, 3, 2, 1]),
        ] {
            assert_eq!(to_column(numbers.iter().copied()), bytes);
            assert!(from_column(bytes, u64::MAX).unwrap().eq(numbers.iter().copied()));
        }
        let bad = [&[][..], &[0], &[9], &[2], &[2, 1], &[2, 1, 0], &[3, 1, 0, 0], &[0, 1]];
        assert!(bad.iter().all(|bytes| from_column(bytes, u64::MAX).is_err()));
        assert!(from_column(&[1, 6], 5).is_err() && from_column(&[1, 5], 5).is_ok());
    }

    #[test]
    fn tables_are_what_was_written() {
        let cases: [(&[u32], u32, &[u8]); 4] = [
            (&[0, VACANT, 1, 0], 2, &[0b0001_1100]),
            (&[0, 1, 2, VACANT, 0], 3, &[0b1110_0100, 0]),
            (&[0, 1, 2, 3, VACANT], 4, &[0b1000_1000, 0b0111_0110]),
            (&[VACANT, VACANT, 0, 1], 2, &[0b0100_1111]),
        ];
        for (table, parts, bytes) in cases {
            let mut written = Vec::new();
            let table: Vec<LocalPart> = table.iter().copied().map(LocalPart::new).collect();
            put_table(&table, parts, &mut written);
            assert_eq!(written, bytes, "{table:?}");
            let mut rest = &[bytes, &[9]].concat()[..];
            assert_eq!(take_table(&mut rest, table.len(), parts).as_deref(), Some(&table[..]));
            assert_eq!(rest, [9]);
        }
        let long: Vec<LocalPart> = (0..1000).map(LocalPart::new).collect();
        let mut written = Vec::new();
        put_table(&long, 1000, &mut written);
        assert_eq!(written.len(), 1250);
        assert_eq!(take_table(&mut &written[..], 1000, 1000).as_deref(), Some(&long[..]));
    }

    #[test]
    fn other_tables_are_refused() {
        let take = |bytes: &[u8], places, parts| take_table(&mut &bytes[..], places, parts);
        assert!(take(&[0b0001_1100], 4, 2).is_some());
        for (bytes, places, parts, flaw) in [
            (&[][..], 4, 2, "too short"),
            (&[0b0001_1101], 4, 2, "not by first places"),
            (&[0b0010_0100], 4, 2, "one part too many"),
            (&[0b0000_0000], 4, 2, "one part too few"),
            (&[0b0101_0100], 3, 2, "bits that are not in use"),
        ] {
            assert!(take(bytes, places, parts).is_none(), "{flaw}");
        }
        assert!(take(&[], usize::MAX, u32::MAX).is_none());
    }

    #[test]
    fn settings_are_what_was_written() {
        let blend = Connection::Blend { minimum: 0x102, maximin: 3, average: 0x405 };
        let settings = GridGroupSettings { side: 0x102, group: 3, levels: Some(4), connection: blend };
        assert_eq!(settings.to_bytes(), [2, 1, 3, 4, 3, 0, 2, 1, 3, 0, 5, 4]);
        for connection in [blend, Connection::Minimum, Connection::Maximin, Connection::Average] {
            for levels in [None, Some(1), Some(14)] {
                let settings = GridGroupSettings { levels, connection, ..settings };
                assert_eq!(GridGroupSettings::from_bytes(&settings.to_bytes()), Some(settings));
            }
        }
        let sound = GridGroupSettings::DEFAULT.to_bytes();
        for (at, value) in [(4, 4), (5, 1), (6, 1), (11, 1)] {
            let mut bytes = sound;
            bytes[at] = value;
            assert_eq!(GridGroupSettings::from_bytes(&bytes), None, "{at}");
        }
        assert_eq!(GridGroupSettings::from_bytes(&sound[1..]), None);
    }
}

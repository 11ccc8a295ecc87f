//! The head of an index file, which is the same for every engine.
//!
//! The head comes first, then the list of segments, then the segments, each padded
//! to a multiple of [`ALIGNMENT`] bytes, and at the end the checksum of everything
//! before it. All numbers are little-endian. `docs/format.md` lists every byte.

use super::OpenError;
use crate::grid::{Diagonals, Grid, Rules};
use crate::index::Engine;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A byte beyond ASCII, a name, and the line ends of all systems: programs that
/// treat the file as text change these bytes.
pub(super) const MAGIC: [u8; 8] = *b"\x89FSI\r\n\x1a\n";

/// The version of the format. No other version can be read.
pub(super) const VERSION: u32 = 1;

/// Bytes of the head.
const HEAD: usize = 64;
/// Bytes of an entry in the list of segments.
const ENTRY: usize = 32;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;
/// Segments start at a multiple of this many bytes.
const ALIGNMENT: usize = 8;
/// Maximum number of segments, more than any engine has: limits the memory that a
/// forged head can ask for.
const MOST_SEGMENTS: usize = 64;

/// Identifies the map that an index belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MapStamp {
    /// Columns of the map.
    pub width: usize,
    /// Rows of the map.
    pub height: usize,
    /// The rules of movement.
    pub rules: Rules,
    /// [`Grid::digest`] of the map.
    pub digest: u64,
}

impl MapStamp {
    /// The stamp of a map.
    pub fn of(grid: &Grid) -> Self {
        Self { width: grid.width(), height: grid.height(), rules: grid.rules(), digest: grid.digest() }
    }
}

/// Writes size, rules and digest in a few words.
impl fmt::Display for MapStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, rules, digest } = self;
        let diagonals = match rules.diagonals {
            Diagonals::Strict => "strict",
            Diagonals::OneSide => "one-side",
            Diagonals::Free => "free",
            Diagonals::None => "no",
        };
        let cost = rules.diagonal_cost.ratio();
        write!(f, "{width} x {height}, {diagonals} diagonals of {cost:.2}, digest {digest:016x}")
    }
}

/// Four letters that name the content of a segment.
pub(super) type Tag = [u8; 4];

/// An entry in the list of segments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub(super) tag: Tag,
    /// The level, for segments that every level has; otherwise 0.
    pub(super) number: u32,
    pub(super) bytes: Range<usize>,
    pub(super) digest: u64,
}

/// The head and the list of segments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) version: u32,
    /// Name of the engine, padded with zeros.
    pub(super) engine: [u8; 8],
    pub(super) map: MapStamp,
    /// Digest of the index, computed in a way that depends on the engine.
    pub(super) digest: u64,
    pub(super) segments: Vec<Segment>,
    /// Bytes of the whole index.
    pub(super) length: usize,
}

impl Header {
    /// The head of an index with these segments, given by tag, number, length and
    /// digest.
    pub(super) fn new(
        engine: [u8; 8],
        map: MapStamp,
        digest: u64,
        list: impl ExactSizeIterator<Item = (Tag, u32, usize, u64)>,
    ) -> Self {
        let mut at = HEAD + list.len() * ENTRY;
        let segments = list
            .map(|(tag, number, length, digest)| {
                let bytes = at..at + length;
                at = padded(bytes.end);
                Segment { tag, number, bytes, digest }
            })
            .collect();
        Self { version: VERSION, engine, map, digest, segments, length: at + CHECKSUM }
    }

    /// Reads the head of an index and checks the checksum.
    ///
    /// Checks that tell the user most come first: that it is an index, of this
    /// version, complete, undamaged.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, OpenError> {
        check_start(bytes)?;
        check_sum(bytes)?;
        Self::decode(bytes)
    }

    /// As [`Header::read`], but skips the checksum: O(1).
    pub(super) fn read_trusting(bytes: &[u8]) -> Result<Self, OpenError> {
        check_start(bytes)?;
        Self::decode(bytes)
    }

    /// Reads the head of bytes whose start has been checked.
    fn decode(bytes: &[u8]) -> Result<Self, OpenError> {
        let flawed = |flaw| OpenError::Layout { flaw };
        let count = u32_at(bytes, 12) as usize;
        if count > MOST_SEGMENTS || HEAD + count * ENTRY + CHECKSUM > bytes.len() {
            return Err(flawed("it has more segments than bytes for them"));
        }
        let (width, height) = (u32_at(bytes, 32) as usize, u32_at(bytes, 36) as usize);
        Grid::check_size(width, height).map_err(|_| flawed("no map is that large"))?;
        let rules =
            Rules::from_code([bytes[40], bytes[41]]).ok_or(flawed("its rules of movement are unknown"))?;
        if bytes[42..48] != [0; 6] {
            return Err(flawed("reserved bytes are not zero"));
        }
        let map = MapStamp { width, height, rules, digest: u64_at(bytes, 48) };
        let length_at = |at: usize| u64_at(bytes, at + 16);
        let entries = (0..count).map(|segment| HEAD + segment * ENTRY);
        let lengths = entries.clone().fold(0, |sum: u64, at| sum.saturating_add(length_at(at)));
        if lengths > bytes.len() as u64 {
            return Err(flawed("its segments are longer than the whole"));
        }
        let list = entries.map(|at| {
            (array_at(bytes, at), u32_at(bytes, at + 4), length_at(at) as usize, u64_at(bytes, at + 24))
        });
        let header = Self::new(array_at(bytes, 24), map, u64_at(bytes, 56), list);
        // There is only one way to lay out these segments. Encoding the head again and
        // comparing finds any byte that differs, without a check for each field.
        let mut encoded = Vec::new();
        header.encode(&mut encoded);
        if header.length != bytes.len() || encoded != bytes[..encoded.len()] {
            return Err(flawed("its segments overlap or leave gaps"));
        }
        let mut gaps = header.segments.iter().map(|segment| segment.bytes.end..padded(segment.bytes.end));
        if gaps.any(|gap| bytes[gap].iter().any(|&byte| byte != 0)) {
            return Err(flawed("the bytes between its segments are not zero"));
        }
        Ok(header)
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&(self.segments.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.length as u64).to_le_bytes());
        bytes.extend_from_slice(&self.engine);
        bytes.extend_from_slice(&(self.map.width as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.map.height as u32).to_le_bytes());
        bytes.extend_from_slice(&self.map.rules.code());
        bytes.extend_from_slice(&[0; 6]);
        bytes.extend_from_slice(&self.map.digest.to_le_bytes());
        bytes.extend_from_slice(&self.digest.to_le_bytes());
        for segment in &self.segments {
            bytes.extend_from_slice(&segment.tag);
            bytes.extend_from_slice(&segment.number.to_le_bytes());
            bytes.extend_from_slice(&(segment.bytes.start as u64).to_le_bytes());
            bytes.extend_from_slice(&(segment.bytes.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&segment.digest.to_le_bytes());
        }
    }

    /// Writes an index: this head, the segments and the checksum.
    pub(super) fn write<P: AsRef<[u8]>>(
        &self,
        contents: impl Iterator<Item = P>,
        writer: impl Write,
    ) -> io::Result<()> {
        let mut summed = Summed { writer, sum: Xxh3::new() };
        let mut head = Vec::with_capacity(HEAD + self.segments.len() * ENTRY);
        self.encode(&mut head);
        summed.put(&head)?;
        for content in contents {
            let content = content.as_ref();
            summed.put(content)?;
            summed.put(&[0; ALIGNMENT][..padded(content.len()) - content.len()])?;
        }
        let sum = summed.sum.digest();
        summed.writer.write_all(&sum.to_le_bytes())?;
        summed.writer.flush()
    }

    /// The bytes of every segment, whose digests must be those of the list, and whose
    /// tags must be these, all with number 0.
    pub(super) fn contents<'b>(
        &self,
        bytes: &'b [u8],
        tags: impl Iterator<Item = Tag>,
    ) -> Result<Vec<&'b [u8]>, OpenError> {
        let flawed = |flaw| OpenError::Layout { flaw };
        let content = |segment: &Segment| {
            bytes.get(segment.bytes.clone()).filter(|content| xxh3_64(content) == segment.digest)
        };
        let contents: Option<Vec<&[u8]>> = self.segments.iter().map(content).collect();
        let contents = contents.ok_or(flawed("a segment has another digest than the list says"))?;
        let listed = self.segments.iter().map(|segment| (segment.tag, segment.number));
        if !listed.eq(tags.map(|tag| (tag, 0))) {
            return Err(flawed("its segments are not those of its engine"));
        }
        Ok(contents)
    }

    /// The engine that uses the index.
    pub(super) fn engine(&self) -> Result<Engine, OpenError> {
        let is_named = |engine: &Engine| self.engine == padded_name(engine.name());
        let known = Engine::ALL.into_iter().filter(|engine| engine.has_index()).find(is_named);
        known.ok_or_else(|| {
            let end = self.engine.iter().position(|&byte| byte == 0).unwrap_or(self.engine.len());
            OpenError::UnknownEngine { found: self.engine[..end].escape_ascii().to_string() }
        })
    }
}

/// The name of an engine as the head stores it.
pub(super) fn padded_name(name: &str) -> [u8; 8] {
    std::array::from_fn(|at| name.as_bytes().get(at).copied().unwrap_or(0))
}

/// Where the next segment starts after one that ends here.
const fn padded(end: usize) -> usize {
    end.next_multiple_of(ALIGNMENT)
}

/// A writer that computes the checksum of what it writes.
struct Summed<W> {
    writer: W,
    sum: Xxh3,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.writer.write_all(bytes)
    }
}

/// Checks the first bytes, the version and the number of bytes.
fn check_start(bytes: &[u8]) -> Result<(), OpenError> {
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    if start.is_empty() || !MAGIC.starts_with(start) {
        return Err(OpenError::NotAnIndex);
    }
    check_length(bytes, HEAD + CHECKSUM)?;
    let version = u32_at(bytes, 8);
    if version != VERSION {
        return Err(OpenError::Version { found: version, supported: VERSION..=VERSION });
    }
    let length = u64_at(bytes, 16);
    let found = bytes.len() as u64;
    if found < length {
        return Err(OpenError::Truncated { found, expected: length });
    }
    if found > length {
        return Err(OpenError::TooLong { found, expected: length });
    }
    Ok(())
}

fn check_length(bytes: &[u8], expected: usize) -> Result<(), OpenError> {
    let (found, expected) = (bytes.len() as u64, expected as u64);
    if found < expected { Err(OpenError::Truncated { found, expected }) } else { Ok(()) }
}

/// Checks that the last bytes are the checksum of the others.
fn check_sum(bytes: &[u8]) -> Result<(), OpenError> {
    let Some((summed, sum)) = bytes.split_last_chunk::<CHECKSUM>() else {
        return check_length(bytes, CHECKSUM);
    };
    let (found, expected) = (xxh3_64(summed), u64::from_le_bytes(*sum));
    if found == expected { Ok(()) } else { Err(OpenError::Damaged { found, expected }) }
}

/// The bytes at a position. The caller has checked that they exist.
fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..].first_chunk().copied().unwrap_or([0; N])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

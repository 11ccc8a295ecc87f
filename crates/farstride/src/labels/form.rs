//! The header of saved labels, of either engine.

use super::settings::Block;

/// What the header of saved labels holds: settings, kind, and a number that depends on the kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FormBytes {
    pub(crate) budget: u64,
    pub(crate) number: u32,
    pub(crate) block: Block,
    pub(crate) kind: FormKind,
    /// What else tells indexes of an engine apart: by `straight` the rule, otherwise 0.
    pub(crate) variant: u8,
}

/// The kind of index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FormKind {
    /// Labels of all cells, in blocks that are `1 << shift` cells wide and high.
    Full { shift: u8 },
    /// Labels of the highest ranks, or none.
    Climb,
    /// Nothing.
    Empty,
}

impl FormBytes {
    /// Number of bytes of a header.
    pub(crate) const BYTES: usize = 16;

    /// The block sizes, in the order of their numbers in files.
    pub(super) const BLOCKS: [Block; 3] = [Block::Auto, Block::Eight, Block::Sixteen];
    /// Second to last byte for labels of all cells.
    const FULL: u8 = 0;
    /// Second to last byte for a climb index.
    const CLIMB: u8 = 1;
    /// Second to last byte for an empty index.
    const EMPTY: u8 = 2;

    /// The header as bytes; `docs/format.md` has the layout.
    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let Self { budget, number, block, kind, variant } = self;
        let block = Self::BLOCKS.iter().position(|&known| known == block).unwrap_or(0) as u8;
        let (shift, kind) = match kind {
            FormKind::Full { shift } => (shift, Self::FULL),
            FormKind::Climb => (0, Self::CLIMB),
            FormKind::Empty => (0, Self::EMPTY),
        };
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&budget.to_le_bytes());
        bytes[8..12].copy_from_slice(&number.to_le_bytes());
        bytes[12..].copy_from_slice(&[block, shift, kind, variant]);
        bytes
    }

    /// Reads a header; `None` if it is not one that [`FormBytes::to_bytes`] writes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (budget, rest) = bytes.split_first_chunk()?;
        let (number, rest) = rest.split_first_chunk()?;
        let &[block, shift, kind, variant] = rest else { return None };
        let block = *Self::BLOCKS.get(usize::from(block))?;
        let kind = match (kind, shift, block) {
            (Self::FULL, 3, Block::Auto | Block::Eight) | (Self::FULL, 4, Block::Auto | Block::Sixteen) => {
                FormKind::Full { shift }
            }
            (Self::CLIMB, 0, _) => FormKind::Climb,
            (Self::EMPTY, 0, _) => FormKind::Empty,
            _ => return None,
        };
        let (budget, number) = (u64::from_le_bytes(*budget), u32::from_le_bytes(*number));
        Some(Self { budget, number, block, kind, variant })
    }
}

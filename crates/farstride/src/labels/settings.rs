//! How labels are built.

use crate::base::with_methods;

/// How labels are built. The same settings always give the same labels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct LabelSettings {
    /// Size of the blocks whose cells share a record.
    pub block: Block,
    /// Memory budget of the index in bytes. If labels of all cells do not fit, only
    /// the most important subgoals get labels, and queries search a little.
    pub budget: u64,
}

with_methods!(LabelSettings { with_block block: Block, with_budget budget: u64 });

/// The size of the blocks whose cells share a record. Smaller blocks make queries
/// faster and take more memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Block {
    /// 8 × 8 cells if that fits into the budget, otherwise 16 × 16.
    #[default]
    Auto,
    /// 8 × 8 cells.
    Eight,
    /// 16 × 16 cells.
    Sixteen,
}

impl Block {
    /// The sizes to try in turn, as powers of two.
    pub(crate) const fn shifts(self) -> &'static [u32] {
        match self {
            Self::Auto => &[3, 4],
            Self::Eight => &[3],
            Self::Sixteen => &[4],
        }
    }
}

impl LabelSettings {
    /// The default budget: 50 MB, usually enough for game maps of 1024 × 1024 cells.
    pub const DEFAULT_BUDGET: u64 = 50_000_000;

    /// The default settings.
    pub const DEFAULT: Self = Self { block: Block::Auto, budget: Self::DEFAULT_BUDGET };
}

impl Default for LabelSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

//! How labels are made.

/// How labels are made. The same settings always give the same labels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    /// Side of the blocks that share a record.
    pub block: Block,
    /// Bytes that the index may take. What does not fit is searched for.
    pub budget: u64,
}

/// The side of the blocks whose cells share a record: smaller blocks are faster
/// and take more memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Block {
    /// 8 × 8 cells if that is within the budget, else 16 × 16.
    #[default]
    Auto,
    /// 8 × 8 cells.
    Eight,
    /// 16 × 16 cells.
    Sixteen,
}

impl Settings {
    /// 50 MB: maps of games of 1024 × 1024 cells usually fit.
    pub const DEFAULT_BUDGET: u64 = 50_000_000;

    /// The default settings.
    pub const DEFAULT: Self = Self { block: Block::Auto, budget: Self::DEFAULT_BUDGET };
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

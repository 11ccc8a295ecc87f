//! How the index of `straight` is built.

use crate::base::with_methods;
use crate::labels::{Block, LabelSettings};

use super::rule::StraightRule;

/// How the index of `straight` is built. The same settings always give the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct StraightSettings {
    /// What moves along a path, and so what it may touch.
    pub rule: StraightRule,
    /// Size of the blocks whose cells share a record.
    pub block: Block,
    /// Memory budget of the index in bytes. If labels do not fit, queries search.
    pub budget: u64,
}

with_methods!(StraightSettings { with_rule rule: StraightRule, with_block block: Block, with_budget budget: u64 });

impl StraightSettings {
    /// The default budget, that of `labels`: 50 MB, usually enough for game maps of 1024 × 1024 cells.
    pub const DEFAULT_BUDGET: u64 = LabelSettings::DEFAULT_BUDGET;

    /// The default settings.
    pub const DEFAULT: Self =
        Self { rule: StraightRule::Touch, block: Block::Auto, budget: Self::DEFAULT_BUDGET };
}

impl Default for StraightSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

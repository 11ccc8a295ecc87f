//! Options of the engines labels and straight.

use clap::{Args, ValueEnum};
use farstride::Engine;
use farstride::labels::{Block, LabelSettings};
use farstride::straight::{StraightRule, StraightSettings};

/// How the engines labels and straight build their indexes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Options of the engines labels and straight")]
pub(super) struct LabelOptions {
    /// Maximum size of the index in bytes, as in 64M [default: 50M]; what does
    /// not fit is searched at query time.
    #[arg(long, value_name = "BYTES", hide_short_help = true, allow_hyphen_values = true, value_parser = parse_bytes)]
    index_budget: Option<u64>,

    /// Side in cells of the blocks that share a record; smaller blocks are
    /// faster and take more memory [default: auto].
    #[arg(long, value_enum, value_name = "SIDE", hide_short_help = true)]
    block: Option<BlockOption>,

    /// What moves along a path of the engine straight [default: touch].
    #[arg(long, value_enum, value_name = "RULE", hide_short_help = true)]
    rule: Option<RuleOption>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum RuleOption {
    /// A point, which may touch corners and walls; paths bend at corners.
    Touch,
    /// A square as large as a cell, which slides without clipping; paths bend at
    /// centres of cells.
    Body,
}

impl From<RuleOption> for StraightRule {
    fn from(option: RuleOption) -> Self {
        match option {
            RuleOption::Touch => Self::Touch,
            RuleOption::Body => Self::Body,
        }
    }
}

/// The name of a rule on the command line.
pub(crate) const fn rule_name(rule: StraightRule) -> &'static str {
    match rule {
        StraightRule::Body => "body",
        _ => "touch",
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum BlockOption {
    /// 8 if that fits the budget, else 16.
    Auto,
    /// 8 x 8 cells.
    #[value(name = "8")]
    Eight,
    /// 16 x 16 cells.
    #[value(name = "16")]
    Sixteen,
}

impl From<BlockOption> for Block {
    fn from(option: BlockOption) -> Self {
        match option {
            BlockOption::Auto => Self::Auto,
            BlockOption::Eight => Self::Eight,
            BlockOption::Sixteen => Self::Sixteen,
        }
    }
}

impl LabelOptions {
    const TAKERS: &'static [Engine] = &[Engine::Labels, Engine::Straight];

    /// Settings of an index; those not given are the `usual` ones.
    pub(super) fn settings(self, usual: LabelSettings) -> LabelSettings {
        usual
            .with_block(self.block.map_or(usual.block, Block::from))
            .with_budget(self.index_budget.unwrap_or(usual.budget))
    }

    /// The same for `straight`.
    pub(super) fn straight(self, usual: StraightSettings) -> StraightSettings {
        usual
            .with_block(self.block.map_or(usual.block, Block::from))
            .with_budget(self.index_budget.unwrap_or(usual.budget))
            .with_rule(self.rule().unwrap_or(usual.rule))
    }

    /// The rule, if one was given.
    pub(super) fn rule(self) -> Option<StraightRule> {
        self.rule.map(StraightRule::from)
    }

    pub(super) fn given(self) -> impl Iterator<Item = (&'static str, &'static [Engine])> {
        let options = [
            ("--index-budget", self.index_budget.is_some(), Self::TAKERS),
            ("--block", self.block.is_some(), Self::TAKERS),
            ("--rule", self.rule.is_some(), &[Engine::Straight][..]),
        ];
        options.into_iter().filter(|&(_, given, _)| given).map(|(name, _, takers)| (name, takers))
    }
}

/// Parses a number of bytes; k, M and G stand for thousands, millions and
/// billions.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.trim().char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text.trim()[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text.trim()[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text.trim()[..at], 1_000_000_000),
        _ => (text.trim(), 1),
    };
    let bytes = digits.parse().ok().and_then(|count: u64| count.checked_mul(factor));
    bytes.ok_or_else(|| "expected a number of bytes, as in 500000, 800k, 64M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_in_thousands() {
        for (text, bytes) in
            [("0", 0), ("48000000", 48_000_000), ("3k", 3000), ("64M", 64_000_000), ("2g", 2_000_000_000)]
        {
            assert_eq!(parse_bytes(text), Ok(bytes));
        }
        for bad in ["", "M", "-1", "1.5G", "64MB", "6 4", "99999999999999G", "é"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }
}

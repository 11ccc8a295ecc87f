//! Whether records fit a budget, told early from a sample of blocks.

use super::blocks::TooMany;
use crate::base::Cancelled;
use crate::base::crew::Crew;

/// One block in this many is built first, to estimate the size of all.
const SAMPLE: usize = 16;
/// Number of blocks from which the estimate is off by a few hundredths only.
const LARGE: usize = 1 << 12;

/// Number of blocks in a sample.
pub(crate) const fn sample_size(blocks: usize) -> usize {
    blocks.div_ceil(SAMPLE)
}

/// Whether the records of some blocks may fit into this many bytes, as far as a sample tells; `size`
/// builds one and returns its bytes. Allows for the error of the sample, so that of many blocks
/// nothing that fits is refused; of a few dozen the sample makes too much, and what would just fit may be
/// refused. What is too large after all has to be refused at the end.
pub(crate) fn may_fit<W: Default>(
    blocks: usize,
    budget: u64,
    crew: &Crew<'_>,
    size: impl Fn(usize, &mut W) -> Result<u64, TooMany> + Sync,
) -> Result<bool, Cancelled> {
    let sample = crew.try_map(sample_size(blocks), |piece, work: &mut W| {
        // One in `SAMPLE`, shifted by one each time: with a constant stride,
        // maps of some widths would be sampled in a few columns only.
        size((piece * SAMPLE + piece % SAMPLE).min(blocks - 1), work)
    })?;
    let Ok(sampled) = sample.into_iter().sum::<Result<u64, TooMany>>() else { return Ok(false) };
    let error = if blocks < LARGE { 10 } else { 30 };
    Ok(sampled * SAMPLE as u64 / error * (error - 1) <= budget)
}

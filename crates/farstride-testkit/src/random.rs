//! Random numbers that stay the same on every platform and in every release.
//!
//! Generated maps appear in benchmarks and bug reports by their seed, so the
//! numbers behind them must never change; no library promises that for ever.
//! `SplitMix64` (Steele, Lea and Flood, *Fast splittable pseudorandom number
//! generators*, 2014) is short enough to own. Uses nothing else of this crate.

/// The `SplitMix64` generator: one 64-bit state, good enough for drawing maps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator whose whole future depends on the seed alone.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number in `0..bound`. Not perfectly even, but within 2⁻³² · `bound`,
    /// and without a rejection loop each call takes one step of the state.
    ///
    /// # Panics
    /// If `bound` is 0 or above 2³².
    pub const fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0 && bound as u64 <= 1 << 32, "the bound must be in 1..=2^32");
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number in `low..=high`.
    ///
    /// # Panics
    /// If `high` is below `low`.
    pub const fn between(&mut self, low: usize, high: usize) -> usize {
        assert!(low <= high, "the range must not be empty");
        low + self.below(high - low + 1)
    }

    /// True in `percent` of 100 cases.
    pub const fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for seed 0, as printed by the reference program.
    #[test]
    fn values_are_those_of_splitmix64() {
        let mut random = SplitMix64::new(0);
        assert_eq!(random.next_u64(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.next_u64(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(random.next_u64(), 0x06C4_5D18_8009_454F);
    }

    #[test]
    fn bounded_numbers_cover_their_range_evenly() {
        let mut random = SplitMix64::new(1);
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[random.between(10, 16) - 10] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    }

    #[test]
    fn chances_keep_to_their_percentage() {
        let mut random = SplitMix64::new(2);
        let hits = (0..10_000).filter(|_| random.chance(30)).count();
        assert!((2800..3200).contains(&hits), "{hits}");
        assert!((0..1000).all(|_| random.chance(100) && !random.chance(0)));
    }
}

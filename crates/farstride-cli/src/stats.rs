//! Figures that several commands take from their samples.

/// The mean, or 0 if there is nothing to take it of.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values.into_iter().fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Values in order, for [`percentile`].
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The value that `percent` of the sorted values do not exceed.
pub fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0.0)
}

/// How much longer a path is than the shortest, in percent.
pub fn excess_pct(shortest: f64, found: f64) -> f64 {
    if shortest == 0.0 { 0.0 } else { 100.0 * (found - shortest) / shortest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_few_values() {
        let values = sorted([3.0, 1.0, 4.0, 2.0]);
        assert!((percentile(&values, 50) - 2.0).abs() < 1e-12);
        assert!((percentile(&values, 99) - 4.0).abs() < 1e-12);
        assert!((percentile(&values, 100) - 4.0).abs() < 1e-12);
        assert!(percentile(&[], 50).abs() < 1e-12);
    }

    #[test]
    fn the_mean_of_nothing_is_nothing() {
        assert!(mean([]).abs() < 1e-12);
        assert!((mean([1.0, 2.0]) - 1.5).abs() < 1e-12);
        assert!((excess_pct(100.0, 101.0) - 1.0).abs() < 1e-9);
        assert!(excess_pct(0.0, 0.0).abs() < 1e-12);
    }
}

//! Scenarios beside maps.

use farstride_io::movingai::ScenarioQuery;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The scenario beside a map.
pub(super) fn scenario_of(map: &Path) -> PathBuf {
    let mut name = OsString::from(map);
    name.push(".scen");
    name.into()
}

/// At most `limit` queries, evenly spread: scenarios are sorted by length.
pub(super) fn spread(queries: &[ScenarioQuery], limit: usize) -> Vec<ScenarioQuery> {
    let count = queries.len().min(limit);
    // From the middle of each part, so that a single one is of medium length.
    (0..count).map(|at| queries[(2 * at + 1) * queries.len() / (2 * count)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::Cell;

    #[test]
    fn samples_are_spread_evenly() {
        let query =
            |length| ScenarioQuery { bucket: 0, start: Cell::new(0, 0), goal: Cell::new(1, 0), length };
        let queries: Vec<_> = (0..10).map(|length| query(f64::from(length))).collect();
        let lengths = |limit| spread(&queries, limit).iter().map(|query| query.length).collect::<Vec<_>>();
        assert_eq!(lengths(2), [2.0, 7.0]);
        assert_eq!(lengths(1), [5.0]);
        assert_eq!(lengths(10).len(), 10);
        assert_eq!(lengths(10), lengths(usize::MAX));
        assert!(lengths(0).is_empty());
    }
}

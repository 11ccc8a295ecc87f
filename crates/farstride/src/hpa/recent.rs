//! Ways through clusters that were edited lately.
//!
//! Where an index does not keep the ways from every cell, an edit has nothing to repair and searches all ways
//! through its clusters. Edits rarely come alone: a wall grows cell by cell, a door opens and closes. So the ways that an edit
//! finds are remembered for the next one in the same place. They are those that a search would find, so answers and
//! bytes of an index do not depend on what is remembered.

use super::layout::ClusterId;
use std::collections::VecDeque;
use std::sync::Arc;

/// The ways of the 1-clusters edited last, the most recent last.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentWays {
    clusters: VecDeque<(ClusterId, Arc<[u8]>)>,
    bytes: usize,
}

/// Bytes that are remembered at most: with default settings, the ways of some 300 clusters.
const MOST_BYTES: usize = 4 << 20;

impl RecentWays {
    /// The ways of a cluster, if they are remembered.
    pub(super) fn get(&self, cluster: ClusterId) -> Option<&[u8]> {
        self.clusters.iter().find(|(of, _)| *of == cluster).map(|(_, ways)| &**ways)
    }

    /// Remembers the ways of a cluster instead of those of before.
    pub(super) fn put(&mut self, cluster: ClusterId, ways: &[u8]) {
        if let Some(at) = self.clusters.iter().position(|(of, _)| *of == cluster) {
            let before = self.clusters.remove(at);
            self.bytes -= before.map_or(0, |(_, ways)| ways.len());
        }
        self.clusters.push_back((cluster, ways.into()));
        self.bytes += ways.len();
        while self.bytes > MOST_BYTES {
            let least_recent = self.clusters.pop_front();
            self.bytes -= least_recent.map_or(0, |(_, ways)| ways.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clusters_edited_last_are_remembered() {
        let mut recent = RecentWays::default();
        let quarter = vec![1; MOST_BYTES / 4];
        for cluster in 0..4 {
            recent.put(cluster, &quarter);
        }
        recent.put(0, &[2]);
        recent.put(4, &quarter);
        assert_eq!(recent.get(0), Some(&[2][..]));
        assert_eq!(recent.get(1), None, "the one that was edited least recently");
        assert_eq!(recent.get(2), Some(&quarter[..]));
        recent.put(5, &vec![1; MOST_BYTES + 1]);
        assert!((0..6).all(|cluster| recent.get(cluster).is_none()), "too large");
        assert_eq!((recent.bytes, recent.clusters.len()), (0, 0));
    }
}

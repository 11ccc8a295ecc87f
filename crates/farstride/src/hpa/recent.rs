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
}

/// Clusters that are remembered. Their ways take about ten kilobytes each.
const MOST: usize = 256;

impl RecentWays {
    /// The ways of a cluster, if they are remembered.
    pub(super) fn get(&self, cluster: ClusterId) -> Option<&[u8]> {
        self.clusters.iter().find(|(of, _)| *of == cluster).map(|(_, ways)| &**ways)
    }

    /// Remembers the ways of a cluster instead of those of before.
    pub(super) fn put(&mut self, cluster: ClusterId, ways: &[u8]) {
        self.clusters.retain(|(of, _)| *of != cluster);
        self.clusters.push_back((cluster, ways.into()));
        if self.clusters.len() > MOST {
            self.clusters.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clusters_edited_last_are_remembered() {
        let mut recent = RecentWays::default();
        for cluster in 0..MOST as ClusterId {
            recent.put(cluster, &[1]);
        }
        recent.put(0, &[2]);
        recent.put(MOST as ClusterId, &[3]);
        assert_eq!(recent.get(0), Some(&[2][..]));
        assert_eq!(recent.get(1), None, "the one that was edited least recently");
        assert_eq!(recent.get(2), Some(&[1][..]));
    }
}

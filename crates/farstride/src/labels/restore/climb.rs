//! Saving and opening climb indexes.

use super::{CorruptLabels, LabelPlace};
use crate::contraction::{ContractionHierarchy, Rank, UpArc};
use crate::grid::Grid;
use crate::hublabel::{HubIndex, HubLabels, LabelParts};
use crate::labels::climb::{Climb, Ground};

/// Number of segments of a climb index.
pub(crate) const PARTS: usize = 5;

/// Names of the segments.
pub(crate) const NAMES: [&str; PARTS] = ["ranks", "rows of arcs", "arcs", "rows of labels", "entries"];

impl<G: Ground> Climb<G> {
    /// Returns the segments to be saved.
    pub(crate) fn to_parts(&self) -> [Vec<u8>; PARTS] {
        let (hierarchy, labels) = (self.index.hierarchy(), self.index.labels());
        let arcs = hierarchy.arcs().iter().flat_map(|arc| [arc.head.get(), arc.cost, arc.via.get()]);
        let entries = labels.hubs().iter().zip(labels.costs()).zip(labels.steps());
        let mut entry_bytes = Vec::with_capacity(labels.entry_count() * HubLabels::ENTRY_BYTES);
        for ((hub, cost), step) in entries {
            entry_bytes.extend(hub.to_le_bytes());
            entry_bytes.extend(cost.to_le_bytes());
            entry_bytes.extend(step.to_le_bytes());
        }
        [
            bytes_of(hierarchy.nodes().iter().copied()),
            bytes_of(hierarchy.first().iter().copied()),
            bytes_of(arcs),
            bytes_of(labels.first().iter().copied()),
            entry_bytes,
        ]
    }

    /// Builds a climb index from its segments, not yet bound to a map.
    ///
    /// # Errors
    /// [`CorruptLabels`] if a segment is truncated, or hierarchy and labels break
    /// an invariant that can be checked without a build.
    pub(crate) fn from_parts(core_size: u32, parts: [&[u8]; PARTS]) -> Result<Self, CorruptLabels> {
        let [nodes, first, arcs, rows, entries] = parts;
        let arcs = rows_of::<3>(arcs)?
            .map(|[head, cost, via]| UpArc { head: Rank::new(head), cost, via: Rank::new(via) })
            .collect();
        let hierarchy = ContractionHierarchy::from_parts(core_size, words_of(nodes)?, words_of(first)?, arcs);
        let hierarchy = hierarchy.map_err(CorruptLabels::whole)?;
        let (entries, rest) = entries.as_chunks::<{ HubLabels::ENTRY_BYTES }>();
        if !rest.is_empty() {
            return Err(CUT_OFF);
        }
        let word = |at: usize| {
            let words = entries.iter().map(move |entry| entry[at..].first_chunk());
            words.flatten().map(|&word| u32::from_le_bytes(word)).collect()
        };
        let parts = LabelParts {
            first: words_of(rows)?,
            hubs: word(0),
            costs: word(4),
            steps: entries.iter().map(|entry| u16::from_le_bytes([entry[8], entry[9]])).collect(),
        };
        let labels = HubLabels::from_parts(&hierarchy, parts).map_err(CorruptLabels::whole)?;
        Ok(Self::unbound(HubIndex::of_parts(hierarchy, labels)))
    }

    /// Proves that every edge of the original graph is a link of the map. Every
    /// shortcut is the sum of its halves, so paths are then legal and cost what
    /// the index says. That they are shortest is not proved.
    ///
    /// # Errors
    /// [`CorruptLabels`] names the first rank with another edge.
    pub(crate) fn check_on(&self, grid: &Grid) -> Result<(), CorruptLabels> {
        let hierarchy = self.index.hierarchy();
        let Some(ground) = &self.ground else {
            return Err(CorruptLabels::whole("have another number of places than the map"));
        };
        for rank in hierarchy.all_ranks() {
            for arc in hierarchy.up_arcs(rank).iter().filter(|arc| arc.via().is_none()) {
                let is_link = ground.cost_between(rank, arc.head()) == arc.cost
                    && ground.is_link(grid, rank, arc.head());
                if !is_link {
                    return Err(CorruptLabels::at(
                        LabelPlace::Rank(rank.get()),
                        "has an edge that is no link of the map",
                    ));
                }
            }
        }
        Ok(())
    }
}

const CUT_OFF: CorruptLabels = CorruptLabels::whole("have a part that is cut off");

/// The bytes of some words.
fn bytes_of(words: impl Iterator<Item = u32>) -> Vec<u8> {
    words.flat_map(u32::to_le_bytes).collect()
}

/// The words of some bytes; fails if the last is cut off.
fn words_of(bytes: &[u8]) -> Result<Vec<u32>, CorruptLabels> {
    Ok(rows_of::<1>(bytes)?.map(|[word]| word).collect())
}

/// Splits bytes into rows of `N` words; fails if some bytes are left over.
fn rows_of<const N: usize>(bytes: &[u8]) -> Result<impl Iterator<Item = [u32; N]>, CorruptLabels> {
    let (words, rest) = bytes.as_chunks::<4>();
    let (rows, more) = words.as_chunks::<N>();
    if !rest.is_empty() || !more.is_empty() {
        return Err(CUT_OFF);
    }
    Ok(rows.iter().map(|row| row.map(u32::from_le_bytes)))
}

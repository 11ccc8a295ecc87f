//! Hierarchies that are climbed, saved and opened.

use super::{CorruptLabels, Place};
use crate::contraction::{ContractionHierarchy, UpArc};
use crate::grid::Grid;
use crate::hublabel::{HubIndex, HubLabels, LabelParts};
use crate::labels::climb::Climb;

/// Parts of what is saved.
pub(super) const PARTS: usize = 5;

/// What each part holds, in words.
pub(super) const NAMES: [&str; PARTS] = ["ranks", "rows of arcs", "arcs", "rows of labels", "entries"];

impl Climb {
    /// What is saved.
    pub(super) fn to_parts(&self) -> [Vec<u8>; PARTS] {
        let (hierarchy, labels) = (self.index.hierarchy(), self.index.labels());
        let arcs = hierarchy.arcs().iter().flat_map(|arc| [arc.head, arc.cost, arc.via]);
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

    /// What these parts were saved of, bound to no map.
    pub(super) fn from_parts(core_size: u32, parts: [&[u8]; PARTS]) -> Result<Self, CorruptLabels> {
        let [nodes, first, arcs, rows, entries] = parts;
        let arcs = rows_of::<3>(arcs)?.map(|[head, cost, via]| UpArc { head, cost, via }).collect();
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

    /// Proves that every edge is a link of the map, so that paths are legal and
    /// cost what they are said to.
    pub(super) fn check_on(&self, grid: &Grid) -> Result<(), CorruptLabels> {
        let hierarchy = self.index.hierarchy();
        if self.cells.len() != hierarchy.node_count() {
            return Err(CorruptLabels::whole("have another number of subgoals than the map"));
        }
        for rank in 0..hierarchy.node_count() as u32 {
            for arc in hierarchy.up_arcs(rank).iter().filter(|arc| arc.via == UpArc::NONE) {
                let (from, to) = (self.cells[rank as usize], self.cells[arc.head as usize]);
                let is_link = self.measure.distance(from, to) == arc.cost
                    && grid.is_diagonal_first(from, to)
                    && grid.is_diagonal_first(to, from);
                if !is_link {
                    return Err(CorruptLabels::at(
                        Place::Rank(rank),
                        "has an edge that is no link of the map",
                    ));
                }
            }
        }
        Ok(())
    }
}

const CUT_OFF: CorruptLabels = CorruptLabels::whole("have a part that is cut off");

fn bytes_of(words: impl Iterator<Item = u32>) -> Vec<u8> {
    words.flat_map(u32::to_le_bytes).collect()
}

fn words_of(bytes: &[u8]) -> Result<Vec<u32>, CorruptLabels> {
    Ok(rows_of::<1>(bytes)?.map(|[word]| word).collect())
}

/// Rows of so many words.
fn rows_of<const N: usize>(bytes: &[u8]) -> Result<impl Iterator<Item = [u32; N]>, CorruptLabels> {
    let (words, rest) = bytes.as_chunks::<4>();
    let (rows, more) = words.as_chunks::<N>();
    if !rest.is_empty() || !more.is_empty() {
        return Err(CUT_OFF);
    }
    Ok(rows.iter().map(|row| row.map(u32::from_le_bytes)))
}

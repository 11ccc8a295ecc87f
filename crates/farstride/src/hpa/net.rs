//! Nets: which transitions count on the highest levels.
//!
//! Borders grow with their clusters, and the work of a search with the square of the
//! transitions along them. On large maps, from [`FIRST_LEVEL`] on, only a *net* of the transitions between two
//! clusters counts: in reading order, one is left out if another that is kept is near it in both
//! clusters. So no connection is lost, a crossing left out costs a detour of at most two radii, and
//! clusters have about as many nodes on every level.
//!
//! What is near follows from the costs of the level below alone. So nets are a function of the
//! map, and an edit looks again at the nets between clusters whose costs changed, and at no
//! others.

use super::Hierarchy;
use super::hierarchy::View;
use super::layout::{ClusterId, Layout};
use super::tables::{Link, Links};
use crate::base::{Cell, Cost};
use std::collections::BTreeMap;

/// The lowest level with nets, if there are more levels than that. Below it, heights follow from the cells along
/// a border.
pub(super) const FIRST_LEVEL: u8 = 4;
/// The radius of a net in steps is one part in this many of the side of the clusters.
const RADIUS_PARTS: usize = 16;
/// Units of a step: what a straight one costs, or a little more.
const STEP: u64 = 5000;

/// Whether a transition counts on a level, seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    from: u32,
    to: u32,
    counts: bool,
}

/// Chooses among the transitions from a cluster of the level below to those with a larger
/// number in other clusters of `level`, as far as these are `wanted`. Choices between two clusters do not depend on others.
pub(super) fn choose(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    wanted: impl Fn(ClusterId) -> bool,
) -> Vec<Choice> {
    let (below, layout) = (level - 1, view.layout);
    let radius = Cost::from_units((layout.side(level) / RADIUS_PARTS) as u64 * STEP);
    let is_near = |cost: Option<Cost>| cost.is_some_and(|cost| cost <= radius);
    let nodes = view.costs(below, cluster);
    let parent = layout.cluster_of(level, layout.area(below, cluster).min());
    let mut transitions = Vec::new();
    for rank in 0..nodes.count() {
        let from = nodes.node(rank);
        view.for_each_way_out(from, below, |to, first, _| {
            let other = layout.ancestor(below, first);
            if other > cluster && layout.ancestor(level, first) != parent && wanted(other) {
                let mut ends = [view.cell(from), view.cell(to)].map(|cell| (cell.y, cell.x));
                ends.sort_unstable();
                transitions.push((ends, rank, to));
            }
        });
    }
    transitions.sort_unstable();
    let mut kept: Vec<(ClusterId, usize, usize)> = Vec::new();
    let mut choices = Vec::new();
    // Transitions follow each other along the border, and so do most of their nodes.
    let mut next = 0;
    for (_, rank, to) in transitions {
        let other = layout.ancestor(below, layout.cluster_and_local(to).0);
        let beyond = view.costs(below, other);
        let Some(there) = beyond.rank_from(to, next) else { continue };
        next = there + 1;
        let spares = |&(cluster, near, far): &(ClusterId, usize, usize)| {
            cluster == other && is_near(nodes.cost(near, rank)) && is_near(beyond.cost(far, there))
        };
        let counts = !kept.iter().any(spares);
        if counts {
            kept.push((other, rank, there));
        }
        choices.push(Choice { from: nodes.node(rank), to, counts });
    }
    choices
}

/// New heights of inter-edges, by the 1-clusters that they start from: local number, head and
/// height.
pub(super) type Heights = BTreeMap<ClusterId, Vec<(usize, u32, u8)>>;

/// The heights that have to change so that transitions count on a level as chosen.
pub(super) fn heights(view: &View<'_>, level: u8, choices: impl Iterator<Item = Choice>) -> Heights {
    let mut heights = Heights::new();
    for Choice { from, to, counts } in choices {
        for (from, to) in [(from, to), (to, from)] {
            let (cluster, local) = view.layout.cluster_and_local(from);
            view.links(cluster).for_each_from(local, |Link { head, height, .. }| {
                if head == to && counts != (height >= level) {
                    // What counts on this level may count on all above, until these are looked at.
                    let highest = || view.layout.border_level(view.cell(from), view.cell(to));
                    let height = if counts { highest() } else { level - 1 };
                    heights.entry(cluster).or_default().push((local, head, height));
                }
            });
        }
    }
    heights
}

/// Changes heights in the record of a 1-cluster's inter-edges.
pub(super) fn change(record: &mut [u8], heights: &[(usize, u32, u8)]) {
    for &(local, head, height) in heights {
        Links::set_height(record, local, head, height);
    }
}

/// The height that a transition would have without nets: those that reach up to the level below the first
/// with nets count on all levels of their border.
pub(super) fn unthinned(layout: &Layout, (from, to): (Cell, Cell), height: u8) -> u8 {
    if height + 1 < layout.first_net() { height } else { layout.border_level(from, to) }
}

impl Hierarchy {
    /// Whether a level has nets.
    pub(super) fn has_net(&self, level: u8) -> bool {
        level >= self.layout.first_net()
    }
}

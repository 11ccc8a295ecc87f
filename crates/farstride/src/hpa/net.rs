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
/// Units of a step: what a straight one costs, or a little more.
const STEP: u64 = 5000;

/// A choice about a transition on a level, seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) verdict: Verdict,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Verdict {
    /// Its net leaves it out.
    LeftOut,
    /// Its net keeps it; [pockets](super::pockets) still have to be looked for.
    Kept,
    /// Its net keeps it, but it is the door of a pocket.
    PocketDoor,
    /// Its net keeps it, and it counts.
    Counts,
}

impl Verdict {
    /// How high an inter-edge counts by the verdict about a level, and whether it is the door of a pocket; `None` if
    /// that is known already. What counts on a level may count on all up to that of its `border`, until these are looked
    /// at.
    fn height(self, link: Link, level: u8, border: impl Fn() -> u8) -> Option<(u8, bool)> {
        let is_known = match self {
            Self::LeftOut => !link.is_in_net(level),
            Self::Kept => link.is_in_net(level),
            Self::PocketDoor => link.height < level,
            Self::Counts => link.height >= level,
        };
        (!is_known).then(|| match self {
            Self::LeftOut => (level - 1, false),
            Self::PocketDoor => (level - 1, true),
            Self::Kept | Self::Counts => (border(), false),
        })
    }
}

/// Chooses among the transitions from a cluster of the level below to those with a larger
/// number in other clusters of `level`, as far as these are `wanted`. Choices between two clusters do not depend on others.
pub(super) fn choose(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    wanted: &dyn Fn(ClusterId) -> bool,
) -> Vec<Choice> {
    let (below, layout) = (level - 1, view.layout);
    let radius = Cost::from_units(layout.net_radius(level) as u64 * STEP);
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
        let is_kept = !kept.iter().any(spares);
        if is_kept {
            kept.push((other, rank, there));
        }
        let verdict = if is_kept { Verdict::Kept } else { Verdict::LeftOut };
        choices.push(Choice { from: nodes.node(rank), to, verdict });
    }
    choices
}

/// A new height of an inter-edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewHeight {
    /// The local number of the node it starts from.
    local: usize,
    head: u32,
    height: u8,
    is_pocket_door: bool,
}

/// New heights of inter-edges, by the 1-clusters that they start from.
pub(super) type Heights = BTreeMap<ClusterId, Vec<NewHeight>>;

/// The heights that have to change so that transitions count on a level as chosen.
pub(super) fn heights(view: &View<'_>, level: u8, choices: &[Choice]) -> Heights {
    let mut heights = Heights::new();
    for &Choice { from, to, verdict } in choices {
        for (from, to) in [(from, to), (to, from)] {
            let (cluster, local) = view.layout.cluster_and_local(from);
            view.links(cluster).for_each_from(local, |link| {
                let border = || view.layout.border_level(view.cell(from), view.cell(to));
                if link.head == to
                    && let Some((height, is_pocket_door)) = verdict.height(link, level, border)
                {
                    let new = NewHeight { local, head: to, height, is_pocket_door };
                    heights.entry(cluster).or_default().push(new);
                }
            });
        }
    }
    heights
}

/// Changes heights in the record of a 1-cluster's inter-edges.
pub(super) fn change(record: &mut [u8], heights: &[NewHeight]) {
    for &NewHeight { local, head, height, is_pocket_door } in heights {
        Links::set_height(record, (local, head), (height, is_pocket_door));
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

//! Pockets: parts of clusters that upper levels do without.
//!
//! What can be reached from a node without leaving its cluster is a *part* of the cluster. A part with one transition to other clusters,
//! its *door*, is a *pocket*: nobody passes through. Between small rooms, more than half of all nodes on the highest level would
//! be ends of such doors. So from the first level with nets on, the door of a pocket does not count, unless both of its ends are in pockets.
//!
//! Who starts or ends in a pocket has to get through its door, which no crossing of the cluster beyond leads to. Therefore this
//! cluster is the *host* of whatever is in the pocket: a search crosses it on a lower level, as if start or goal were in it.
//!
//! Whether a door counts follows from the parts of two clusters and from their nets. So it is a function of the map, and an edit
//! looks again where parts or nets have changed, and nowhere else.

use super::hierarchy::View;
use super::layout::ClusterId;
use super::net::{Choice, Verdict};
use super::tables::{Costs, Link};
use std::ops::ControlFlow;

/// Finds which of the transitions that the nets of a level keep, from a cluster to others that are `wanted`, are doors of pockets.
pub(super) fn choose(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    wanted: &dyn Fn(ClusterId) -> bool,
) -> Vec<Choice> {
    let layout = view.layout;
    let mut choices = Vec::new();
    for child in layout.children(level, cluster) {
        for from in view.costs(level - 1, child).nodes() {
            for_each_kept(view, level, from, |link| {
                if wanted(layout.ancestor(level, layout.cluster_and_local(link.head).0)) {
                    choices.push(Choice { from, to: link.head, verdict: Verdict::Counts });
                }
            });
        }
    }
    for choice in &mut choices {
        if is_pocket(view, level, choice.from) != is_pocket(view, level, choice.to) {
            choice.verdict = Verdict::PocketDoor;
        }
    }
    choices
}

/// Calls `visit` with every cluster that is a host of what can be reached from a node of a 1-cluster, and its level.
pub(super) fn for_each_host(view: &View<'_>, node: u32, mut visit: impl FnMut(u8, ClusterId)) {
    let mut at = node;
    // One cluster that is the whole map has neither doors nor hosts.
    for level in (2..=view.levels()).take_while(|&level| view.layout.count(level) > 1) {
        let mut found = above(view, level, at);
        if let Some(Above::Beyond(head)) = found {
            visit(level, view.layout.ancestor(level, view.layout.cluster_and_local(head).0));
            found = above(view, level, head);
        }
        let Some(Above::Node(node)) = found else { return };
        at = node;
    }
}

/// What leads from a part of a cluster to the level of the cluster.
enum Above {
    /// A node of that level.
    Node(u32),
    /// The node beyond the door, if the part is a pocket.
    Beyond(u32),
}

/// What leads to a level from the part of a node of the level below. Nothing does if all of its doors are those of pockets: then
/// there is nothing else that it could lead to.
fn above(view: &View<'_>, level: u8, node: u32) -> Option<Above> {
    let (mut doors, mut found) = (0, None);
    for_each_door(view, level, node, &mut |from, link| {
        doors += 1;
        if link.height >= level {
            found = Some(Above::Node(from));
            return ControlFlow::Break(());
        }
        found = (doors == 1).then_some(Above::Beyond(link.head));
        ControlFlow::Continue(())
    });
    found
}

/// Whether the part of a node of the level below, which has a door, is a pocket.
fn is_pocket(view: &View<'_>, level: u8, node: u32) -> bool {
    let mut doors = 0;
    for_each_door(view, level, node, &mut |_, _| {
        doors += 1;
        if doors > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    doors < 2
}

/// Calls `visit` with every transition that leads out of the part of a node of the level below, as far as the net of the
/// level keeps it, and with the node it starts from, until `visit` breaks off.
fn for_each_door(view: &View<'_>, level: u8, node: u32, visit: &mut dyn FnMut(u32, Link) -> ControlFlow<()>) {
    let (below, layout) = (level - 1, view.layout);
    let place = |node: u32| {
        let child = layout.ancestor(below, layout.cluster_and_local(node).0);
        let rank = view.costs(below, child).rank_from(node, 0)?;
        Some((child, first_reached(view.costs(below, child), rank)))
    };
    // Islands of children, each by the lowest rank in it.
    let mut islands: Vec<_> = place(node).into_iter().collect();
    let mut at = 0;
    while let Some(&(child, first)) = islands.get(at) {
        let nodes = view.costs(below, child);
        let row = nodes.row(first);
        let members = || {
            let reached = row.spots().filter(|&spot| row.cost_on(spot).is_some());
            reached.map(|spot| nodes.node(row.rank_on(spot)))
        };
        for node in members() {
            let mut flow = ControlFlow::Continue(());
            for_each_kept(view, level, node, |link| {
                if flow.is_continue() {
                    flow = visit(node, link);
                }
            });
            if flow.is_break() {
                return;
            }
        }
        let parent = layout.ancestor(level, layout.cluster_and_local(node).0);
        for node in members() {
            view.for_each_way_out(node, below, |head, cluster, _| {
                if layout.ancestor(level, cluster) == parent
                    && let Some(island) = place(head)
                    && !islands.contains(&island)
                {
                    islands.push(island);
                }
            });
        }
        at += 1;
    }
}

/// The lowest rank that can be reached from another one.
fn first_reached(nodes: Costs<'_>, rank: usize) -> usize {
    let row = nodes.row(rank);
    let spot = row.spots().find(|&spot| row.cost_on(spot).is_some());
    spot.map_or(rank, |spot| row.rank_on(spot))
}

/// Calls `visit` with every inter-edge from a node out of its cluster of a level that the net of the level keeps.
#[inline]
fn for_each_kept(view: &View<'_>, level: u8, node: u32, mut visit: impl FnMut(Link)) {
    let (cluster, local) = view.layout.cluster_and_local(node);
    view.links(cluster).for_each_from(local, |link| {
        let beyond = view.layout.cluster_and_local(link.head).0;
        if link.is_in_net(level)
            && view.layout.ancestor(level, beyond) != view.layout.ancestor(level, cluster)
        {
            visit(link);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Cell, Cost};
    use crate::grid::{Diagonals, Grid, Rules};
    use crate::hpa::{Connect, Hierarchy, HpaScratch, HpaSettings, Local, Tactics};
    use crate::search::{Counters, SearchStatus};
    use farstride_testkit::{Kind, SplitMix64, generate};

    const KINDS: [Kind; 4] = [
        Kind::Rooms { size: 5 },
        Kind::Caves { blocked_percent: 45, rounds: 4 },
        Kind::Random { blocked_percent: 40 },
        Kind::Maze { corridor: 2, wall: 1 },
    ];

    fn map(kind: Kind, side: usize, seed: u64, diagonals: Diagonals) -> Grid {
        let map = generate(kind, side, side, seed).unwrap();
        let rules = Rules { diagonals, ..Rules::default() };
        Grid::from_fn(side, side, |cell| map.is_free_at((cell.x.into(), cell.y.into())))
            .unwrap()
            .with_rules(rules)
    }

    fn free_cell(grid: &Grid, random: &mut SplitMix64) -> Cell {
        loop {
            let [x, y] = [grid.width(), grid.height()].map(|side| random.below(side) as u16);
            if grid.is_free(Cell::new(x, y)) {
                return Cell::new(x, y);
            }
        }
    }

    /// The cost of the path in the hierarchy, and how many hosts its ends have. The second time, insertions are remembered.
    fn search(
        index: &Hierarchy,
        grid: &Grid,
        ends: [Cell; 2],
        connect: Connect,
    ) -> (Option<Cost>, [usize; 2]) {
        let tactics = Tactics::default().with_eager(false).with_connect(connect).with_remember(2);
        let (online, mut scratch) = (index.online(grid, tactics), HpaScratch::default());
        let mut ask = || {
            let mut counters = Counters::default();
            online.begin(ends[0], ends[1], &mut scratch, &mut counters);
            let found = match online.advance(u64::MAX, &mut scratch, &mut counters) {
                SearchStatus::Reached(cost) => Some(cost),
                _ => None,
            };
            (found, scratch.host_counts())
        };
        let found = ask();
        assert_eq!(ask(), found);
        found
    }

    fn pocket_doors(index: &Hierarchy) -> usize {
        let view = index.view();
        let mut doors = 0;
        for cluster in index.layout.clusters(1) {
            view.links(cluster).for_each(|_, link| doors += usize::from(link.is_pocket_door));
        }
        doors / 2
    }

    /// On one level there are no pockets.
    #[test]
    fn ways_into_pockets_and_out_of_them_are_found() {
        let mut random = SplitMix64::new(29);
        let rules = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
        let (mut hosts, mut chains, mut doors, mut both) = (0, 0, 0, [0, 0]);
        for (round, &kind) in (0..).zip(KINDS.iter().cycle().take(24)) {
            let grid = map(kind, 100 + 30 * (round % 4), round as u64, rules[round / 4 % 4]);
            let settings = HpaSettings::default().with_cluster(4);
            let settings = match round % 9 {
                4 => settings.with_local(Local::Theta),
                5 => settings.with_group(3).with_net(5),
                8 => settings.with_net(40),
                _ => settings,
            };
            let index = Hierarchy::build(&grid, settings.with_levels(6)).unwrap();
            let flat = Hierarchy::build(&grid, settings.with_levels(1)).unwrap();
            doors += pocket_doors(&index);
            for _ in 0..80 {
                let ends = [(); 2].map(|()| free_cell(&grid, &mut random));
                let [start, goal] = ends.map(|end| (end.x / 4, end.y / 4));
                if start == goal {
                    continue; // cells of one cluster are joined in different ways
                }
                let least = search(&flat, &grid, ends, Connect::OnTheWay).0;
                for connect in [Connect::OnTheWay, Connect::Beforehand] {
                    let (cost, counts) = search(&index, &grid, ends, connect);
                    hosts += counts[0] + counts[1];
                    chains += counts.into_iter().filter(|&count| count > 1).count();
                    assert_eq!(cost.is_some(), least.is_some(), "{kind:?}, {ends:?}, {connect:?}");
                    if let (Some(least), Some(cost)) = (least, cost) {
                        assert!(cost >= least || settings.local.is_any_angle(), "{kind:?}, {ends:?}");
                        both[0] += least.units();
                        both[1] += cost.units();
                    }
                }
            }
        }
        assert!(hosts > 300, "{hosts} hosts");
        assert!(chains > 30, "{chains} pockets with several hosts");
        assert!(doors > 200, "{doors} doors");
        assert!(both[1] < both[0] + both[0] / 20, "{both:?}");
    }

    #[test]
    fn pockets_after_edits_are_those_of_a_build() {
        let mut random = SplitMix64::new(31);
        let rules = [Diagonals::Strict, Diagonals::Free];
        let (mut came, mut went) = (0, 0);
        for (round, &kind) in (0..).zip(KINDS.iter().cycle().take(8)) {
            let mut grid = map(kind, 96, round as u64, rules[round / 4 % 2]);
            let settings = HpaSettings::default().with_cluster(4).with_levels(5);
            let mut index = Hierarchy::build(&grid, settings).unwrap();
            for _ in 0..120 {
                let before = pocket_doors(&index);
                for _ in 0..=random.below(2) {
                    let cell = Cell::new(random.below(96) as u16, random.below(96) as u16);
                    let _ = if grid.is_free(cell) { grid.block(cell) } else { grid.free(cell) }.unwrap();
                }
                index.catch_up(&grid, 1);
                let after = pocket_doors(&index);
                came += usize::from(after > before);
                went += usize::from(after < before);
                assert!(index == Hierarchy::build(&grid, settings).unwrap(), "{kind:?}");
            }
            assert!(index.verify(&grid).is_ok());
        }
        assert!(came > 10 && went > 10, "{came} came, {went} went");
    }

    /// Two pockets whose only doors lead to each other.
    #[test]
    fn a_door_between_two_pockets_counts() {
        let is_free = |cell: Cell| (100..156).contains(&cell.x) && cell.y == 70;
        let grid = Grid::from_fn(256, 256, is_free).unwrap();
        let settings = HpaSettings::default().with_cluster(8).with_levels(6);
        let index = Hierarchy::build(&grid, settings).unwrap();
        let view = index.view();
        let node = view.node_at(Cell::new(127, 70)).unwrap();
        assert!((2..=5).all(|level| view.known_rank(node, level).is_some()));
        assert!(matches!(above(&view, 5, node), Some(Above::Node(found)) if found == node));
    }
}

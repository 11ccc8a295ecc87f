//! Balanced groups of graphs of any shape.

use crate::common::cases;
use farstride::error::GroupError;
use farstride::graph::{Graph, NodeId, RowGraph, UniformGrid};
use farstride::groups::Members;
use farstride::{Cost, Grid};
use farstride_testkit::SplitMix64;
use proptest::prelude::*;

type Arcs = Vec<(u32, u32)>;

fn graph(nodes: usize, arcs: &[(u32, u32)]) -> RowGraph {
    RowGraph::from_arcs(nodes, arcs.iter().map(|&(tail, head)| (tail, head, Cost::ZERO))).unwrap()
}

/// The number of each node's group.
fn balanced(graph: &RowGraph, most: usize) -> Vec<u32> {
    let groups = Members::balanced(graph, most).unwrap();
    let nodes = (0..graph.node_count() as u32).map(NodeId::new);
    nodes.map(|node| groups.group_of(node).index() as u32).collect()
}

fn groups(nodes: usize, arcs: &[(u32, u32)], most: usize) -> Vec<u32> {
    let groups = balanced(&graph(nodes, arcs), most);
    judge(nodes, arcs, most, &groups).unwrap();
    groups
}

/// A number for every node that it shares with the nodes it hangs together with,
/// along those of the arcs that `counts`: the least of them.
fn connected(nodes: usize, arcs: &[(u32, u32)], counts: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    let mut least: Vec<u32> = (0..nodes as u32).collect();
    loop {
        let before = least.clone();
        for &(a, b) in arcs.iter().filter(|&&(a, b)| counts(a, b)) {
            let both = least[a as usize].min(least[b as usize]);
            (least[a as usize], least[b as usize]) = (both, both);
        }
        if least == before {
            return least;
        }
    }
}

fn sizes(groups: &[u32]) -> Vec<usize> {
    let mut sizes = vec![0; groups.iter().max().map_or(0, |&last| last as usize + 1)];
    for &group in groups {
        sizes[group as usize] += 1;
    }
    sizes
}

/// Everything that is promised of groups.
fn judge(nodes: usize, arcs: &[(u32, u32)], most: usize, groups: &[u32]) -> Result<(), TestCaseError> {
    prop_assert_eq!(groups.len(), nodes);
    let sizes = sizes(groups);
    prop_assert!(sizes.iter().all(|size| (1..=most).contains(size)), "sizes {:?}", sizes);
    let mut seen = 0;
    for &group in groups {
        prop_assert!(group <= seen, "{:?} are not numbered by their first nodes", groups);
        seen = seen.max(group + 1);
    }
    let group = |node: u32| groups[node as usize];
    let parts = connected(nodes, arcs, |a, b| group(a) == group(b));
    let firsts: Vec<_> = (0..nodes as u32).filter(|&node| parts[node as usize] == node).collect();
    prop_assert_eq!(firsts.len(), sizes.len(), "a group is not connected: {:?}", groups);
    for &(a, b) in arcs.iter().filter(|&&(a, b)| group(a) != group(b)) {
        let both = sizes[group(a) as usize] + sizes[group(b) as usize];
        prop_assert!(both > most, "groups {} and {} fit into one: {:?}", group(a), group(b), groups);
    }
    Ok(())
}

/// Arcs between groups.
fn cut(arcs: &[(u32, u32)], groups: &[u32]) -> usize {
    arcs.iter().filter(|&&(a, b)| groups[a as usize] != groups[b as usize]).count()
}

/// Graphs without structure, from lone nodes to dense ones, and long ones in which
/// arcs lead to nodes close by; some arcs double, some loops.
fn graphs() -> impl Strategy<Value = (usize, Arcs)> {
    (1..90_usize, 1..90_u32, 0..5_usize).prop_flat_map(|(nodes, reach, density)| {
        let last = nodes as u32 - 1;
        let arc = (0..=last, 0..=2 * reach)
            .prop_map(move |(tail, shift)| (tail, (tail + shift).saturating_sub(reach).min(last)));
        (Just(nodes), prop::collection::vec(arc, 0..=nodes * density))
    })
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn groups_are_what_is_promised((nodes, arcs) in graphs(), most in 1..40_usize) {
        let groups = balanced(&graph(nodes, &arcs), most);
        judge(nodes, &arcs, most, &groups)?;
    }

    /// The same groups from the arcs in another order, turned around and twice.
    #[test]
    fn groups_depend_on_edges_alone((nodes, arcs) in graphs(), most in 1..40_usize, seed in any::<u64>()) {
        let expected = balanced(&graph(nodes, &arcs), most);
        let mut random = SplitMix64::new(seed);
        let mut other: Arcs =
            arcs.iter().map(|&(a, b)| if random.chance(50) { (a, b) } else { (b, a) }).collect();
        other.reverse();
        prop_assert_eq!(&balanced(&graph(nodes, &other), most), &expected);
        other.extend(&arcs);
        prop_assert_eq!(&balanced(&graph(nodes, &other), most), &expected);
    }
}

fn path(nodes: u32) -> Arcs {
    (1..nodes).map(|node| (node - 1, node)).collect()
}

#[test]
fn no_nodes_make_no_groups() {
    assert!(groups(0, &[], 5).is_empty());
    assert_eq!(groups(1, &[], 5), [0]);
    assert_eq!(groups(1, &[(0, 0)], 1), [0]);
}

#[test]
fn groups_without_room_are_refused() {
    for nodes in [0, 3] {
        let refused = Members::balanced(&graph(nodes, &[]), 0);
        assert_eq!(refused, Err(GroupError::NoRoom));
        assert_eq!(refused.unwrap_err().to_string(), "groups of at most 0 nodes cannot hold any");
    }
}

#[test]
fn groups_of_one_are_the_nodes() {
    assert_eq!(groups(9, &path(9), 1), (0..9).collect::<Vec<_>>());
}

#[test]
fn what_fits_is_one_group() {
    for most in [9, 10, usize::MAX] {
        assert_eq!(groups(9, &path(9), most), [0; 9]);
    }
}

/// All but the one around the hub are single nodes: nothing else is connected.
#[test]
fn a_star_has_one_full_group() {
    for hub in [0, 50, 99] {
        let arcs: Arcs = (0..100).filter(|&node| node != hub).map(|node| (node, hub)).collect();
        let mut sizes = sizes(&groups(100, &arcs, 7));
        sizes.sort_unstable();
        assert_eq!((sizes.len(), sizes[93], sizes[92]), (94, 7, 1));
    }
}

#[test]
fn a_path_is_cut_into_stretches() {
    for (nodes, most) in [(10, 5), (1000, 10), (1000, 64), (777, 100)] {
        let arcs = path(nodes);
        let groups = groups(nodes as usize, &arcs, most);
        let count = sizes(&groups).len();
        assert_eq!(cut(&arcs, &groups), count - 1);
        assert!(count <= (nodes as usize).div_ceil(most) * 4 / 3, "{count} groups");
    }
}

#[test]
fn a_clique_is_cut_into_full_groups() {
    let arcs: Arcs = (0..60).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    assert_eq!(sizes(&groups(60, &arcs, 20)).len(), 3);
    assert_eq!(sizes(&groups(60, &arcs, 59)).len(), 2);
}

#[test]
fn unconnected_nodes_stay_apart() {
    let pairs: Arcs = (0..50).map(|pair| (2 * pair, 2 * pair + 1)).collect();
    let groups = groups(103, &pairs, 40);
    assert_eq!(groups[..6], [0, 0, 1, 1, 2, 2]);
    assert_eq!(groups[99..], [49, 50, 51, 52]);
}

/// Two rooms of 5 × 5 with a door: the door is the border.
#[test]
fn doors_are_borders() {
    let grid = Grid::from_ascii(
        "
        .....#.....
        .....#.....
        ...........
        .....#.....
        .....#.....
        ",
    )
    .unwrap();
    let cells = grid.area().cells().filter(|&cell| grid.is_free(cell));
    let (graph, cells) = RowGraph::collect(&UniformGrid(&grid), cells).unwrap();
    let groups = balanced(&graph, 30);
    for (cell, &group) in cells.iter().zip(&groups).filter(|(cell, _)| cell.x != 5) {
        assert_eq!(group, u32::from(cell.x > 5), "{cell}");
    }
}

/// On an open field borders are about as long as those of square blocks, groups
/// nearly full, and on a field with holes they are better than blocks.
#[test]
fn fields_are_cut_about_as_well_as_by_squares() {
    let mut random = SplitMix64::new(3);
    for (blocked, share) in [(0, 1.15), (25, 0.8)] {
        let grid = Grid::from_fn(128, 128, |_| !random.chance(blocked)).unwrap();
        let cells = grid.area().cells().filter(|&cell| grid.is_free(cell));
        let (graph, cells) = RowGraph::collect(&UniformGrid(&grid), cells).unwrap();
        let arcs: Arcs = (0..cells.len() as u32)
            .flat_map(|tail| {
                graph.arcs(NodeId::new(tail)).iter().map(move |arc| (tail, arc.0.index() as u32))
            })
            .collect();
        let groups = groups(graph.node_count(), &arcs, 256);
        let squares: Vec<_> = cells.iter().map(|cell| u32::from(cell.y / 16 * 8 + cell.x / 16)).collect();
        let (ours, theirs) = (cut(&arcs, &groups) as f64, cut(&arcs, &squares) as f64);
        assert!(ours < share * theirs, "{ours} arcs instead of {theirs}");
        let large = sizes(&groups).into_iter().filter(|&size| size > 128).count();
        assert!(large * 256 < cells.len() * 5 / 4, "{large} groups for {} nodes", cells.len());
    }
}

use super::*;
use crate::map::ascii;

const RULE: Diagonals = Diagonals::Strict;
/// Straight and diagonal units of the scale that the tests use.
const S: u64 = 4756;
const D: u64 = 6726;

fn settings(cluster: usize, entrance: usize, levels: usize) -> AbstractionSettings {
    AbstractionSettings { cluster, entrance, levels, group: 2, gap: 0, net: 16 }
}

fn abstraction(map: &PlainMap, rule: Diagonals, settings: AbstractionSettings) -> Abstraction {
    Abstraction::new(map, rule, DiagonalCost::Sqrt2, settings)
}

/// Grid and abstract distance of a drawn query.
fn distances(text: &str, rule: Diagonals, settings: AbstractionSettings) -> (Option<u64>, Option<u64>) {
    let drawing = ascii(text);
    let (start, goal) = drawing.query();
    let grid = oracle::distance(&drawing.map, rule, DiagonalCost::Sqrt2, start, goal);
    (grid, abstraction(&drawing.map, rule, settings).abstract_distance(start, goal))
}

const fn counts(nodes: usize, inter_edges: usize, intra_edges: usize) -> LevelCounts {
    LevelCounts { nodes, inter_edges, intra_edges }
}

/// Entrances of width 5 and 1 above, of width 6 below. The right clusters
/// are two columns wide.
const THREE_WIDTHS: &str = "
    .........
    .........
    .........
    .........
    .........
    ......##.
    .........
    #########
    .........
    .........
    .........
    .........
    .........
    .........
";

#[test]
fn width_decides_on_one_or_two_transitions() {
    let map = PlainMap::from_ascii(THREE_WIDTHS);
    let rows = |entrance| {
        let edges = abstraction(&map, RULE, settings(7, entrance, 1)).inter_edges();
        let rows: Vec<usize> = edges.iter().map(|edge| edge.0.1).collect();
        let expected: Vec<_> = rows.iter().map(|&y| ((6, y), (7, y), S, 1)).collect();
        assert_eq!(edges, expected, "all across the one border that is open");
        rows
    };
    assert_eq!(rows(6), [2, 6, 8, 13]);
    assert_eq!(rows(5), [0, 4, 6, 8, 13]);
    assert_eq!(rows(2), [0, 4, 6, 8, 13]);
    assert_eq!(rows(1), [0, 4, 6, 8, 13], "two ends in one place are one transition");
    assert_eq!(rows(0), rows(1));
    // Of six rows from 8 on, the two middle ones are 10 and 11.
    assert_eq!(rows(7), [2, 6, 10]);
}

#[test]
fn intra_edges_go_around_walls_inside_the_cluster() {
    let map = PlainMap::from_ascii(THREE_WIDTHS);
    let graph = abstraction(&map, RULE, settings(7, 6, 1));
    let around = D + 4 * S;
    let expected = [
        ((6, 2), (6, 6), around),
        ((7, 2), (7, 6), around),
        ((6, 8), (6, 13), 5 * S),
        ((7, 8), (7, 13), 5 * S),
    ];
    assert_eq!(graph.intra_edges(1), expected);
    assert_eq!(graph.counts(), [counts(8, 4, 4)]);
    let expected = [(6, 2), (7, 2), (6, 6), (7, 6), (6, 8), (7, 8), (6, 13), (7, 13)];
    assert_eq!(graph.nodes(), expected.map(|node| (node, 1)));
}

#[test]
fn nodes_cut_off_inside_a_cluster_have_no_intra_edge() {
    let map = PlainMap::from_ascii("....\n###.\n....");
    let graph = abstraction(&map, RULE, settings(3, 2, 1));
    assert_eq!(graph.nodes(), [((2, 0), 1), ((3, 0), 1), ((2, 2), 1), ((3, 2), 1)]);
    assert_eq!(graph.intra_edges(1), [((3, 0), (3, 2), 2 * S)]);
    assert_eq!(graph.abstract_distance((0, 0), (0, 2)), Some(8 * S));
}

/// Four entrances of width 10, eight transitions. The four cells around the
/// centre belong to two each: sixteen ends, twelve nodes, three a cluster.
#[test]
fn corner_nodes_are_merged() {
    let graph = abstraction(&PlainMap::new(20, 20, true), RULE, settings(10, 6, 1));
    assert_eq!(graph.counts(), [counts(12, 8, 12)]);
    let nodes: Vec<Point> = graph.nodes().into_iter().map(|(node, _)| node).collect();
    let expected = [
        [(9, 0), (10, 0)].as_slice(),
        &[(0, 9), (9, 9), (10, 9), (19, 9)],
        &[(0, 10), (9, 10), (10, 10), (19, 10)],
        &[(9, 19), (10, 19)],
    ];
    assert_eq!(nodes, expected.concat());
    let first: Vec<_> = graph.intra_edges(1).into_iter().filter(|edge| edge.1.0 < 10).take(3).collect();
    let expected = [((9, 0), (0, 9), 9 * D), ((9, 0), (9, 9), 9 * S), ((0, 9), (9, 9), 9 * S)];
    assert_eq!(first, expected);
    let centre = [(9, 9), (10, 9), (9, 10), (10, 10)];
    let inner = graph.inter_edges().into_iter().filter(|edge| centre.contains(&edge.0));
    let inner: Vec<_> = inner.map(|(a, b, ..)| (a, b)).collect();
    let [one, two, three, four] = centre;
    assert_eq!(inner, [(one, two), (one, three), (two, four), (three, four)]);
}

#[test]
fn entrances_end_where_clusters_end() {
    // One free run of width 6 along three borders of width 2.
    let edges = abstraction(&PlainMap::new(4, 6, true), RULE, settings(2, 3, 1)).inter_edges();
    let upright: Vec<_> = edges.iter().filter(|edge| edge.0.1 == edge.1.1).map(|edge| edge.0).collect();
    assert_eq!(upright, [(1, 0), (1, 2), (1, 4)]);
}

/// One 2-cluster covers the whole map, so that nothing is of level 2.
#[test]
fn levels_above_the_map_are_empty() {
    let map = PlainMap::new(20, 20, true);
    let graph = abstraction(&map, RULE, settings(10, 6, 3));
    assert_eq!(graph.counts(), [counts(12, 8, 12), counts(0, 0, 0), counts(0, 0, 0)]);
    let expected = Some(2 * S + 18 * D);
    for level in 1..=3 {
        assert_eq!(graph.abstract_distance_at(level, (0, 0), (19, 19)), expected);
    }
    let huge = AbstractionSettings { levels: 9, group: usize::MAX, ..settings(10, 6, 1) };
    assert_eq!(abstraction(&map, RULE, huge).abstract_distance_at(9, (0, 0), (19, 19)), expected);
}

/// 4 x 4 clusters in 2 x 2 groups. 24 borders have two transitions each, 8
/// of them lie between groups. Each of nine crossings merges four pairs of
/// ends; only at the centre do two transitions of level 2 share a cell.
/// Clusters in the corners of the map have three nodes, all others four,
/// groups seven.
#[test]
fn levels_of_an_open_map_are_counted_by_hand() {
    let graph = abstraction(&PlainMap::new(40, 40, true), RULE, settings(10, 6, 2));
    assert_eq!(graph.counts(), [counts(60 - 28, 32, 4 * 3 + 12 * 6), counts(28, 16, 4 * 21)]);
    let levels: BTreeMap<Point, usize> = graph.nodes().into_iter().collect();
    assert_eq!((levels[&(19, 9)], levels[&(10, 9)], levels[&(0, 19)]), (2, 1, 2));
    assert_eq!(levels.get(&(10, 10)), Some(&1));

    let cost = |a, b| graph.intra_edges(2).iter().find(|edge| (edge.0, edge.1) == (a, b)).map(|e| e.2);
    assert_eq!(cost((19, 0), (19, 9)), Some(9 * S));
    assert_eq!(cost((19, 0), (0, 19)), Some(18 * D + 2 * S), "through the crossing of clusters");
    assert_eq!(cost((19, 0), (20, 0)), None);
}

/// 2-clusters begin at 0 and 4, 3-clusters at 0 and 8; the last cluster of
/// each level is cut off.
#[test]
fn last_clusters_may_be_smaller() {
    let graph = abstraction(&PlainMap::new(11, 1, true), RULE, settings(2, 6, 3));
    let levels: Vec<_> = graph.nodes().into_iter().map(|((x, _), level)| (x, level)).collect();
    let expected = [(1, 1), (2, 1), (3, 2), (4, 2), (5, 1), (6, 1), (7, 3), (8, 3), (9, 1), (10, 1)];
    assert_eq!(levels, expected);
    let ends = |level| {
        let edges = graph.intra_edges(level).into_iter();
        edges.map(|(a, b, cost)| (a.0, b.0, cost / S)).collect::<Vec<_>>()
    };
    assert_eq!(ends(1), [(2, 3, 1), (4, 5, 1), (6, 7, 1), (8, 9, 1)]);
    assert_eq!(ends(2), [(4, 7, 3)]);
    assert_eq!(ends(3), []);
    assert_eq!(graph.counts(), [counts(6, 3, 4), counts(2, 1, 1), counts(2, 1, 0)]);
}

#[test]
fn last_rows_and_columns_have_entrances_of_their_own() {
    let graph = abstraction(&PlainMap::new(7, 5, true), RULE, settings(4, 3, 1));
    let ends: Vec<_> = graph.inter_edges().into_iter().map(|(a, b, ..)| (a, b)).collect();
    // On the right rows 0 to 3 and row 4 alone; below columns 0 to 3 and 4 to 6.
    let expected = [
        ((3, 0), (4, 0)),
        ((0, 3), (0, 4)),
        ((3, 3), (4, 3)),
        ((3, 3), (3, 4)),
        ((4, 3), (4, 4)),
        ((6, 3), (6, 4)),
        ((3, 4), (4, 4)),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn group_of_three_takes_nine_clusters() {
    let wide = AbstractionSettings { group: 3, ..settings(1, 6, 3) };
    assert_eq!([1, 2, 3].map(|level| wide.side(level)), [1, 3, 9]);
    let graph = abstraction(&PlainMap::new(10, 1, true), RULE, wide);
    let levels: Vec<_> = graph.inter_edges().into_iter().map(|edge| edge.3).collect();
    assert_eq!(levels, [1, 1, 2, 1, 1, 2, 1, 1, 3]);
}

#[test]
fn single_clusters_may_be_groups() {
    let alone = AbstractionSettings { group: 1, ..settings(2, 6, 2) };
    let graph = abstraction(&PlainMap::new(6, 1, true), RULE, alone);
    assert_eq!(graph.counts(), [counts(0, 0, 1), counts(4, 2, 1)]);
    assert_eq!(graph.abstract_distance_at(2, (0, 0), (5, 0)), Some(5 * S));
}

#[test]
fn weights_are_paid_on_every_edge() {
    let map = PlainMap::from_ascii("1111\n9931\n1124\n1151");
    let graph = abstraction(&map, RULE, settings(3, 6, 1));
    let expected = [
        ((2, 1), (3, 1), 2 * S, 1),
        ((1, 2), (1, 3), S, 1),
        ((3, 2), (3, 3), 5 * S / 2, 1),
        ((2, 3), (3, 3), 3 * S, 1),
    ];
    assert_eq!(graph.inter_edges(), expected);
    let expected = [((2, 1), (1, 2), 2 * D), ((3, 1), (3, 2), 5 * S / 2), ((1, 3), (2, 3), 3 * S)];
    assert_eq!(graph.intra_edges(1), expected);
}

/// The rows of the transitions across the middle of a map of 16 columns,
/// with their heights. A row has the same weight everywhere.
fn across_the_middle(rows: &str, settings: AbstractionSettings) -> Vec<(usize, usize)> {
    let text: Vec<String> = rows.chars().map(|weight| weight.to_string().repeat(16)).collect();
    let graph = abstraction(&PlainMap::from_ascii(&text.join("\n")), RULE, settings);
    let edges = graph.inter_edges().into_iter().filter(|edge| (edge.0.0, edge.1.0) == (7, 8));
    edges.map(|edge| (edge.0.1, edge.3)).collect()
}

#[test]
fn cheap_ground_comes_first() {
    let apart = |gap| AbstractionSettings { gap, ..settings(4, 6, 1) };
    assert_eq!(across_the_middle("9121", apart(2)), [(1, 1), (3, 1)]);
    assert_eq!(across_the_middle("9121", apart(3)), [(1, 1)]);
    assert_eq!(across_the_middle("2#12", apart(3)), [(0, 1), (2, 1)], "a wall between two runs");
    // A run of the same ground: its ends, one and a half gaps apart.
    assert_eq!(across_the_middle("3339", apart(1)), [(0, 1), (2, 1), (3, 1)]);
    assert_eq!(across_the_middle("9121", apart(0)), [(1, 1)]);
}

/// A border of level 2 that is eight rows long, clusters of 4 or of 8 beside it.
#[test]
fn even_ground_has_transitions_at_the_ends_and_between() {
    let by = |cluster, gap, entrance| AbstractionSettings { gap, ..settings(cluster, entrance, 3) };
    assert_eq!(across_the_middle("33333333", by(8, 6, 6)), [(3, 1)], "too narrow for more");
    assert_eq!(across_the_middle("11111111", by(8, 5, 9)), [(0, 1), (7, 1)]);
    assert_eq!(across_the_middle("33333333", by(8, 2, 9)), [(0, 1), (3, 1), (7, 1)]);
    let four = [(0, 2), (1, 2), (3, 2), (4, 2), (5, 2), (7, 2)];
    assert_eq!(across_the_middle("11111111", by(4, 1, 4)), four);
    assert_eq!(across_the_middle("11#11111", by(4, 1, 4)), [(0, 2), (1, 2), (3, 2), (4, 2), (5, 2), (7, 2)]);
}

/// A border of level 3: as many transitions as by the paper's rule keep it.
#[test]
fn transitions_between_the_ends_keep_level_two() {
    let by = |entrance| AbstractionSettings { gap: 1, ..settings(2, entrance, 3) };
    assert_eq!(across_the_middle("11", by(2)), [(0, 3), (1, 3)]);
    assert_eq!(across_the_middle("11", by(3)), [(0, 3), (1, 2)]);
}

/// A border of level 2 that is eight rows long. The four 5s have their ends in rows 2
/// and 5, of which level 2 keeps the first.
#[test]
fn heights_depend_on_the_whole_border() {
    let two = AbstractionSettings { gap: 3, ..settings(4, 6, 2) };
    assert_eq!(across_the_middle("99555599", two), [(2, 2), (5, 1)]);
    assert_eq!(across_the_middle("91555519", two), [(1, 2), (6, 2)]);
    assert_eq!(across_the_middle("9955#599", two), [(2, 2), (5, 2)]);
    // One row of other ground is enough for the whole border.
    assert_eq!(across_the_middle("11111119", two), [(0, 2), (6, 2)]);
    let one = AbstractionSettings { levels: 1, ..two };
    assert_eq!(across_the_middle("99555599", one), [(2, 1), (4, 1), (7, 1)]);
    assert_eq!(across_the_middle("11111119", one), [(1, 1), (4, 1), (7, 1)]);
}

/// Inside the left cluster the way between its nodes leads over a 9, while
/// a path through the graph goes around it.
#[test]
fn intra_edges_pay_what_paths_avoid() {
    let map = PlainMap::from_ascii("1111\n9991\n1111");
    let graph = abstraction(&map, RULE, settings(3, 2, 1));
    assert_eq!(graph.intra_edges(1), [((2, 0), (2, 2), 10 * S), ((3, 0), (3, 2), 2 * S)]);
    assert_eq!(graph.abstract_distance((2, 0), (2, 2)), Some(4 * S));
    assert_eq!(graph.abstract_distance((0, 0), (0, 2)), Some(8 * S));
}

#[test]
fn neighbours_in_one_cluster_need_no_node() {
    for level in 1..=2 {
        let graph = abstraction(&PlainMap::new(3, 3, true), RULE, settings(4, 6, 2));
        assert_eq!(graph.nodes(), []);
        assert_eq!(graph.abstract_distance_at(level, (0, 0), (2, 2)), Some(2 * D));
        assert_eq!(graph.abstract_distance_at(level, (1, 2), (1, 2)), Some(0));
    }
}

#[test]
fn paths_may_leave_the_cluster_of_both_ends() {
    let stays = "
        S...
        ##..
        G...
    ";
    assert_eq!(distances(stays, RULE, settings(3, 6, 1)).1, Some(6 * S));
    let leaves = "
        S...
        ###.
        G...
    ";
    assert_eq!(distances(leaves, RULE, settings(3, 6, 1)).1, Some(8 * S));
}

#[test]
fn blocked_and_outside_ends_have_no_path() {
    let graph = abstraction(&PlainMap::from_ascii(".#."), Diagonals::Free, settings(2, 6, 1));
    for (a, b) in [((0, 0), (1, 0)), ((1, 0), (1, 0)), ((0, 0), (2, 0)), ((3, 0), (3, 0)), ((0, 5), (0, 0))] {
        assert_eq!(graph.abstract_distance(a, b), None, "{a:?} {b:?}");
    }
}

#[test]
#[should_panic(expected = "level 3 is not one of 1 to 2")]
fn unknown_levels_are_refused() {
    abstraction(&PlainMap::new(3, 3, true), RULE, settings(2, 6, 2)).intra_edges(3);
}

/// The smallest maps whose connection the abstraction misses: two free
/// cells that touch at a corner, in two clusters, between blocked cells.
#[test]
fn steps_through_gaps_between_clusters_are_missed() {
    for (text, cluster) in [
        ("S#\n#G", 1),        // four clusters of one cell
        ("#S#\n##G", 2),      // side by side, falling
        ("##G\n#S#", 2),      // side by side, rising
        ("##\nS#\n#G", 2),    // one above the other
        ("###\n#S#\n##G", 2), // touching at a corner only
        ("###\n##G\n#S#", 2), // the other two at that corner
    ] {
        let apart = settings(cluster, 6, 1);
        assert_eq!(distances(text, Diagonals::Free, apart), (Some(D), None), "{text}");
        assert_eq!(missed(text, Diagonals::Free, apart), 1, "{text}");
        // No other rule connects the two cells in the first place.
        assert_eq!(distances(text, Diagonals::OneSide, apart), (None, None), "{text}");
        // Inside one cluster the step is like any other.
        assert_eq!(distances(text, Diagonals::Free, settings(3, 6, 1)), (Some(D), Some(D)), "{text}");
    }
}

#[test]
fn missed_steps_can_be_inter_edges() {
    let map = PlainMap::from_ascii("#.#\n##.");
    let graph = Abstraction::with_gaps(&map, Diagonals::Free, DiagonalCost::Sqrt2, settings(2, 6, 3));
    assert_eq!(graph.inter_edges().len(), 1);
    for level in 1..=3 {
        assert_eq!(graph.abstract_distance_at(level, (1, 0), (2, 1)), Some(D));
    }
}

/// With levels the map is as disconnected as without.
#[test]
fn higher_levels_do_not_find_missed_steps() {
    let graph = abstraction(&PlainMap::from_ascii("#.#\n##."), Diagonals::Free, settings(2, 6, 3));
    assert_eq!(graph.missed_steps(), [((1, 0), (2, 1))]);
    for level in 1..=3 {
        assert_eq!(graph.abstract_distance_at(level, (1, 0), (2, 1)), None);
    }
}

fn missed(text: &str, rule: Diagonals, settings: AbstractionSettings) -> usize {
    abstraction(&ascii(text).map, rule, settings).missed_steps().len()
}

/// Where the gap has a way around, the path takes it, however long.
#[test]
fn ways_around_a_missed_step_are_found() {
    let text = "
        .S#
        .#G
        ...
    ";
    let around = settings(2, 6, 1);
    assert_eq!(distances(text, Diagonals::Free, around), (Some(D), Some(D + 4 * S)));
    assert_eq!(distances(text, Diagonals::OneSide, around), (Some(3 * D), Some(D + 4 * S)));
    assert_eq!((missed(text, Diagonals::Free, around), missed(text, Diagonals::OneSide, around)), (1, 0));
}

/// One free side cell is enough for two straight steps instead.
#[test]
fn steps_past_one_free_cell_are_replaced() {
    for rule in [Diagonals::OneSide, Diagonals::Free] {
        for text in ["S.\n#G", "S#\n.G"] {
            assert_eq!(distances(text, rule, settings(1, 6, 1)), (Some(D), Some(2 * S)), "{rule:?}");
            assert_eq!(missed(text, rule, settings(1, 6, 1)), 0);
        }
    }
}

/// The regions of the grid without the missed steps: cells get the smallest
/// label around them until nothing changes.
fn regions_without_missed_steps(map: &PlainMap, graph: &Abstraction) -> Vec<usize> {
    let missed = graph.missed_steps();
    let kept = |a, b| !missed.contains(&(a, b)) && !missed.contains(&(b, a));
    let mut labels: Vec<usize> = (0..map.free.len()).collect();
    loop {
        let before = labels.clone();
        for a in map.free_points() {
            for b in map.free_points() {
                if map.allows_step(graph.diagonals, a, b) && kept(a, b) {
                    labels[map.index(a)] = labels[map.index(a)].min(labels[map.index(b)]);
                }
            }
        }
        if labels == before {
            return labels;
        }
    }
}

/// The statement at the top of this module, for all pairs of cells.
fn assert_connected_without_missed_steps(map: &PlainMap, rule: Diagonals, settings: AbstractionSettings) {
    let graph = abstraction(map, rule, settings);
    let labels = regions_without_missed_steps(map, &graph);
    assert!(rule == Diagonals::Free || graph.missed_steps().is_empty());
    for start in map.free_points() {
        for goal in map.free_points() {
            let connected = labels[map.index(start)] == labels[map.index(goal)];
            let found = graph.abstract_distance(start, goal);
            assert_eq!(found.is_some(), connected, "{map:?}{rule:?} {settings:?} {start:?} {goal:?}");
        }
    }
}

/// No map of these sizes is an exception.
#[test]
fn connections_of_all_small_maps_are_kept_but_for_missed_steps() {
    for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 2), (3, 3)] {
        for drawing in 0..1usize << (width * height) {
            let mut map = PlainMap::new(width, height, false);
            map.free.iter_mut().enumerate().for_each(|(bit, free)| *free = drawing >> bit & 1 == 1);
            for rule in Diagonals::ALL {
                for cluster in 1..=2 {
                    assert_connected_without_missed_steps(&map, rule, settings(cluster, 2, 1));
                }
            }
        }
    }
}

#[cfg(feature = "strategies")]
mod properties {
    use super::*;
    use crate::strategies::{MapQuery, maps};
    use crate::strategies::{diagonal_costs, diagonals, map_and_query, query_on, terrain_maps};
    use proptest::prelude::*;

    /// All that the paper has.
    fn paper_settings() -> impl Strategy<Value = AbstractionSettings> + Clone {
        (1..=6usize, 0..=7usize, 1..=4usize, 2..=3usize).prop_map(|(cluster, entrance, levels, group)| {
            AbstractionSettings { cluster, entrance, levels, group, gap: 0, net: 16 }
        })
    }

    fn all_settings() -> impl Strategy<Value = AbstractionSettings> + Clone {
        (paper_settings(), 0..=6usize).prop_map(|(paper, gap)| AbstractionSettings { gap, ..paper })
    }

    fn queries() -> impl Strategy<Value = MapQuery> + Clone {
        prop_oneof![2 => map_and_query(26, 26), 1 => query_on(terrain_maps(26, 26))]
    }

    /// The part of the map that a cluster covers.
    fn cut(map: &PlainMap, (left, top): Point, side: usize) -> PlainMap {
        let (width, height) = (side.min(map.width - left), side.min(map.height - top));
        let mut part = PlainMap::new(width, height, false);
        let mut weights = vec![1; width * height];
        for (index, weight) in weights.iter_mut().enumerate() {
            let (x, y) = part.point(index);
            part.free[index] = map.is_free_at((left + x, top + y));
            *weight = map.weight((left + x, top + y)) as u8;
        }
        PlainMap { weights: Some(weights), ..part }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Every level of one graph gives the same distance, and so does
        /// the top level of a graph with fewer levels.
        #[test]
        fn distance_is_the_same_on_every_level(
            query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in paper_settings(),
        ) {
            let MapQuery { map, start, goal } = query;
            let with_levels = |levels| AbstractionSettings { levels, ..settings };
            let graph = Abstraction::new(&map, rule, cost, with_levels(4));
            let expected = graph.abstract_distance(start, goal);
            for level in 1..=4 {
                prop_assert_eq!(graph.abstract_distance_at(level, start, goal), expected);
                let lower = Abstraction::new(&map, rule, cost, with_levels(level));
                prop_assert_eq!(lower.abstract_distance_at(level, start, goal), expected);
            }
        }

        /// With heights the distance may grow with the level, but it exists
        /// on all of them or none.
        #[test]
        fn distance_grows_with_the_level(
            query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in all_settings(),
        ) {
            let MapQuery { map, start, goal } = query;
            let graph = Abstraction::with_gaps(&map, rule, cost, settings);
            let mut lower = oracle::distance(&map, rule, cost, start, goal);
            for level in 1..=settings.levels {
                let found = graph.abstract_distance_at(level, start, goal);
                prop_assert!(found.is_some() == lower.is_some() && found >= lower);
                lower = found;
            }
        }

        /// Never shorter than the optimum, symmetric, and found exactly
        /// when the grid has a path, but for the missed steps.
        #[test]
        fn distance_fits_the_grid(
            query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in all_settings(),
        ) {
            let MapQuery { map, start, goal } = query;
            let graph = Abstraction::new(&map, rule, cost, settings);
            let found = graph.abstract_distance(start, goal);
            let best = oracle::distance(&map, rule, cost, start, goal);
            prop_assert_eq!(found, graph.abstract_distance(goal, start));
            prop_assert!(found.is_none() || found >= best, "{:?} {:?}", found, best);
            if graph.missed_steps().is_empty() {
                prop_assert_eq!(found.is_some(), best.is_some());
            }
        }

        /// The exact rule for connections, on larger maps.
        #[test]
        fn connections_are_kept_but_for_missed_steps(
            map in maps(9, 9), rule in diagonals(), settings in all_settings(),
        ) {
            assert_connected_without_missed_steps(&map, rule, settings);
        }

        /// An intra-edge knows nothing outside its cluster: it costs what a
        /// path between its ends costs on the cluster alone, however low
        /// the level that finds it; and it exists when there is such a path.
        #[test]
        fn intra_edges_are_distances_on_the_cluster_alone(
            query in queries(), rule in diagonals(), cost in diagonal_costs(), settings in paper_settings(),
        ) {
            let graph = Abstraction::new(&query.map, rule, cost, settings);
            for level in 1..=settings.levels {
                let side = settings.side(level);
                let edges = &graph.intra[level - 1];
                for ((column, row), nodes) in graph.nodes_by_cluster(level) {
                    let corner = (column * side, row * side);
                    let part = cut(&query.map, corner, side);
                    let part = Abstraction::new(&part, rule, cost, AbstractionSettings { levels: 1, ..settings });
                    let place = |node| {
                        let (x, y) = query.map.point(node);
                        (x - corner.0, y - corner.1)
                    };
                    for (&a, &b) in nodes.iter().flat_map(|a| nodes.iter().map(move |b| (a, b))) {
                        let expected = (a < b).then(|| part.abstract_distance(place(a), place(b))).flatten();
                        prop_assert_eq!(edges.get(&(a, b)).copied(), expected);
                    }
                }
            }
        }
    }
}

//! Subgoal graphs of a grid, taken straight from their definitions.
//!
//! An engine must find the edges of a subgoal by scanning the grid around it.
//! Here every pair of subgoals is tried, and every cell that lies on some
//! shortest path between them is looked at. Follows Definition 1 of Uras and
//! Koenig, *Identifying Hierarchies for Fast Optimal Search* (2014).
//! Uses [`map`](crate::map) only.
//!
//! # Which grids
//!
//! Subgoal graphs need grids without weights:
//!
//! * [`Diagonals::Strict`] is the grid of the paper: 8 neighbours, and h is the
//!   octile distance.
//! * [`Diagonals::None`] has 4 neighbours. Subgoals stand on the same cells, and
//!   h is the Manhattan distance.
//! * Under [`Diagonals::OneSide`] and [`Diagonals::Free`] paths cut corners and
//!   bend beside them: subgoals are the cells from which a diagonal step leads
//!   past a blocked cell.
//!
//! Everything here panics on maps with weights.

use std::collections::BTreeSet;

use crate::map::{DiagonalCost, Diagonals, PlainMap, Point};

/// Subgoals and the edges between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubgoalGraph {
    /// The subgoals, row by row.
    pub subgoals: Vec<Point>,
    /// Places in `subgoals`, the smaller one first, and the cost in the units
    /// of [`DiagonalCost`]. Sorted.
    pub edges: Vec<(usize, usize, u64)>,
}

/// Distance between two cells on a map where everything is free: the paper's h,
/// in the units of [`DiagonalCost`].
pub fn heuristic(rule: Diagonals, cost: DiagonalCost, a: Point, b: Point) -> u64 {
    let (dx, dy) = (a.0.abs_diff(b.0) as u64, a.1.abs_diff(b.1) as u64);
    let diagonal = if rule == Diagonals::None { 0 } else { dx.min(dy) };
    diagonal * cost.diagonal_units() + (dx + dy - 2 * diagonal) * cost.straight_units()
}

/// All subgoals, row by row: the free cells that have a blocked diagonal
/// neighbour while both cells beside that step are free; where corners are cut,
/// those that can be left by a diagonal step with a blocked cell beside it.
///
/// Cells outside the map are blocked, but they make no subgoal: a step that
/// leaves the map diagonally has at least one side cell outside too.
///
/// # Panics
/// If the map has weights.
pub fn subgoals(map: &PlainMap, rule: Diagonals) -> Vec<Point> {
    assert_supported(map);
    map.free_points().into_iter().filter(|&cell| is_subgoal(map, rule, cell)).collect()
}

fn is_subgoal(map: &PlainMap, rule: Diagonals, cell: Point) -> bool {
    let (x, y) = (cell.0 as isize, cell.1 as isize);
    if matches!(rule, Diagonals::OneSide | Diagonals::Free) {
        let leads_past = |(kx, ky): (isize, isize)| {
            let to = (cell.0.wrapping_add_signed(kx), cell.1.wrapping_add_signed(ky));
            let beside = map.is_free(x + kx, y) && map.is_free(x, y + ky);
            map.is_free(x + kx, y + ky) && map.allows_step(rule, cell, to) && !beside
        };
        return [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter().any(leads_past);
    }
    let is_corner =
        |(kx, ky)| map.is_free(x + kx, y) && map.is_free(x, y + ky) && !map.is_free(x + kx, y + ky);
    map.is_free(x, y) && [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter().any(is_corner)
}

/// Whether a path as long as [`heuristic`] says joins two cells. A free cell
/// reaches itself; blocked cells and those outside reach nothing.
///
/// # Panics
/// If the map has weights.
///
/// # Complexity
/// O(n log n) for n cells in the rectangle between `a` and `b`.
pub fn is_h_reachable(map: &PlainMap, rule: Diagonals, cost: DiagonalCost, a: Point, b: Point) -> bool {
    assert_supported(map);
    toward(map, rule, cost, a, b).contains(&b)
}

/// Whether two cells are h-reachable and *no* shortest path between them
/// touches a subgoal, the two cells themselves aside.
///
/// # Panics
/// If the map has weights.
///
/// # Complexity
/// As [`is_h_reachable`].
pub fn is_direct_h_reachable(
    map: &PlainMap,
    rule: Diagonals,
    cost: DiagonalCost,
    a: Point,
    b: Point,
) -> bool {
    assert_supported(map);
    let from_a = toward(map, rule, cost, a, b);
    if !from_a.contains(&b) {
        return false;
    }
    // Both parts of a path through a cell of both sets are as short as h, and
    // together as short as h(a, b): such cells lie on shortest paths, and no
    // others do.
    let from_b = toward(map, rule, cost, b, a);
    let mut between = from_a.intersection(&from_b).filter(|&&cell| cell != a && cell != b);
    between.all(|&cell| !is_subgoal(map, rule, cell))
}

/// The cells that can be reached from a cell by legal steps each of which
/// brings `to` nearer by its whole length, as h measures it.
///
/// No step brings it nearer by more. So a path is as long as h exactly when
/// all its steps are of this kind.
fn toward(map: &PlainMap, rule: Diagonals, cost: DiagonalCost, from: Point, to: Point) -> BTreeSet<Point> {
    let h = |a, b| heuristic(rule, cost, a, b);
    let mut reached = BTreeSet::new();
    let mut pending: Vec<Point> = map.is_free_at(from).then_some(from).into_iter().collect();
    while let Some(cell) = pending.pop() {
        if !reached.insert(cell) {
            continue;
        }
        for y in cell.1.saturating_sub(1)..=cell.1 + 1 {
            for x in cell.0.saturating_sub(1)..=cell.0 + 1 {
                let next = (x, y);
                let nearer = h(cell, next) + h(next, to) == h(cell, to);
                if nearer && map.allows_step(rule, cell, next) {
                    pending.push(next);
                }
            }
        }
    }
    reached
}

/// The simple subgoal graph: all subgoals, and an edge between each two that
/// are direct-h-reachable.
///
/// ```
/// use farstride_testkit::subgoals::simple_subgoal_graph;
/// use farstride_testkit::{DiagonalCost, Diagonals, PlainMap};
///
/// let map = PlainMap::from_ascii("#..\n...\n..#");
/// let graph = simple_subgoal_graph(&map, Diagonals::Strict, DiagonalCost::Ratio142);
/// assert_eq!(graph.subgoals, [(1, 1)]);
/// assert_eq!(graph.edges, []);
/// ```
///
/// # Panics
/// If the map has weights.
///
/// # Complexity
/// For each two subgoals, two fillings of the rectangle between them: seconds
/// for a few hundred subgoals.
pub fn simple_subgoal_graph(map: &PlainMap, rule: Diagonals, cost: DiagonalCost) -> SubgoalGraph {
    let subgoals = subgoals(map, rule);
    let mut edges = Vec::new();
    for (u, &a) in subgoals.iter().enumerate() {
        for (v, &b) in subgoals.iter().enumerate().skip(u + 1) {
            if is_direct_h_reachable(map, rule, cost, a, b) {
                edges.push((u, v, heuristic(rule, cost, a, b)));
            }
        }
    }
    SubgoalGraph { subgoals, edges }
}

fn assert_supported(map: &PlainMap) {
    assert!(map.weights.is_none(), "subgoal graphs know no weights");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::ascii;
    use crate::oracle;
    use crate::random::SplitMix64;

    /// The rule of the paper, and the one without diagonal steps.
    const RULES: [Diagonals; 2] = [Diagonals::Strict, Diagonals::None];
    const COST: DiagonalCost = DiagonalCost::Sqrt2;
    /// Straight and diagonal units of that scale.
    const S: u64 = 4756;
    const D: u64 = 6726;

    /// One blocked cell with a subgoal at each corner.
    const BLOCK: &str = "
        .....
        .....
        ..#..
        .....
        .....
    ";

    fn random_map(random: &mut SplitMix64, side: usize) -> PlainMap {
        let mut map = PlainMap::new(random.between(1, side), random.between(1, side), true);
        let blocked = random.below(50) as u32;
        map.free.iter_mut().for_each(|free| *free = !random.chance(blocked));
        map
    }

    /// Every pair of cells of some random maps, blocked ones included.
    fn for_random_pairs(seed: u64, side: usize, check: impl Fn(&PlainMap, Diagonals, Point, Point)) {
        let mut random = SplitMix64::new(seed);
        for round in 0..60 {
            let map = random_map(&mut random, side);
            for a in (0..map.free.len()).map(|index| map.point(index)) {
                for b in (0..map.free.len()).map(|index| map.point(index)) {
                    check(&map, Diagonals::ALL[round % 4], a, b);
                }
            }
        }
    }

    /// Cost of a cheapest path over a graph of subgoals; start and goal are
    /// joined to the direct-h-reachable ones and, if they are so, to each other.
    fn through(
        graph: &SubgoalGraph,
        map: &PlainMap,
        rule: Diagonals,
        start: Point,
        goal: Point,
    ) -> Option<u64> {
        let mut cells = graph.subgoals.clone();
        let mut edges = graph.edges.clone();
        let count = cells.len();
        cells.extend([start, goal]);
        for end in count..count + 2 {
            for other in (0..count + 2).filter(|&other| other != end) {
                if is_direct_h_reachable(map, rule, COST, cells[end], cells[other]) {
                    edges.push((end, other, heuristic(rule, COST, cells[end], cells[other])));
                }
            }
        }
        let mut best = vec![None; count + 2];
        best[count] = Some(0);
        for _ in 0..count + 2 {
            for &(u, v, cost) in &edges {
                for (from, to) in [(u, v), (v, u)] {
                    let total = best[from].map(|reached: u64| reached + cost);
                    best[to] = [best[to], total].into_iter().flatten().min();
                }
            }
        }
        best[count + 1]
    }

    #[test]
    fn heuristic_is_the_distance_on_an_empty_map() {
        let map = PlainMap::new(6, 4, true);
        for cost in DiagonalCost::ALL {
            for rule in RULES {
                for (a, b) in [((0, 0), (5, 3)), ((4, 0), (1, 3)), ((2, 2), (2, 2)), ((5, 1), (0, 1))] {
                    let expected = oracle::distance(&map, rule, cost, a, b);
                    assert_eq!(Some(heuristic(rule, cost, a, b)), expected);
                }
            }
        }
    }

    #[test]
    fn subgoals_stand_at_convex_corners_only() {
        for rule in RULES {
            let found = |text| subgoals(&PlainMap::from_ascii(text), rule);
            assert_eq!(found(BLOCK), [(1, 1), (3, 1), (1, 3), (3, 3)]);
            assert_eq!(found("...\n...\n..."), []);
            assert_eq!(found("#.\n.."), [(1, 1)]);
            // The wall fills its row: no way around, no corner.
            assert_eq!(found("...\n###\n..."), []);
            assert_eq!(found("....\n.###\n...."), [(0, 0), (0, 2)]);
            // Side cells beside the step are blocked.
            assert_eq!(found(".#.\n#.#\n.#."), []);
            // The inner corner of an L is no corner.
            assert_eq!(found("#...\n#...\n##.."), [(2, 1)]);
        }
    }

    #[test]
    fn h_reachable_cells_may_have_few_or_many_ways() {
        for (text, expected) in [
            ("S..\n...\n..G", [true, true]),
            ("S..\n.#.\n..G", [false, true]),
            ("S#.\n...\n..G", [false, true]),
            ("S.#\n...\n..G", [true, true]),
            ("S#G\n...\n...", [false, false]),
            ("S#.\n#..\n..G", [false, false]),
        ] {
            let drawing = ascii(text);
            let (start, goal) = drawing.query();
            let found = RULES.map(|rule| is_h_reachable(&drawing.map, rule, COST, start, goal));
            assert_eq!(found, expected, "{text}");
        }
    }

    /// One shortest path through a subgoal is enough to be no longer direct.
    #[test]
    fn direct_reach_needs_all_shortest_paths_free_of_subgoals() {
        for (text, expected) in [
            ("S..\n...\n..G", [true, true]),
            ("S..\n.#.\nG..", [true, true]),
            // The middle cell is a subgoal.
            ("S.#\n...\n..G", [false, false]),
            // Of two ways to go, one leads over the middle, a subgoal again.
            ("S..\n...\n.G#", [false, false]),
            // With diagonals, (1, 1) is the only cell between and no subgoal;
            // without them, (2, 0) lies between too.
            ("S...\n...#\n..G.", [true, false]),
        ] {
            let drawing = ascii(text);
            let (start, goal) = drawing.query();
            let found = RULES.map(|rule| is_direct_h_reachable(&drawing.map, rule, COST, start, goal));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn blocked_and_outside_cells_reach_nothing() {
        let map = PlainMap::from_ascii(".#.");
        for (a, b) in
            [((0, 0), (1, 0)), ((1, 0), (0, 0)), ((1, 0), (1, 0)), ((0, 0), (3, 0)), ((9, 9), (9, 9))]
        {
            assert!(!is_h_reachable(&map, Diagonals::Strict, COST, a, b), "{a:?} {b:?}");
            assert!(!is_direct_h_reachable(&map, Diagonals::Strict, COST, a, b), "{a:?} {b:?}");
        }
        assert!(is_direct_h_reachable(&map, Diagonals::Strict, COST, (2, 0), (2, 0)));
    }

    /// The same judged by distances over the whole map.
    #[test]
    fn reach_agrees_with_distances() {
        for_random_pairs(31, 7, |map, rule, a, b| {
            for cost in DiagonalCost::ALL {
                let h = heuristic(rule, cost, a, b);
                let reachable = oracle::distance(map, rule, cost, a, b) == Some(h);
                assert_eq!(is_h_reachable(map, rule, cost, a, b), reachable, "{map:?}{rule:?} {a:?} {b:?}");

                let from_a = oracle::distances(map, rule, cost, a);
                let from_b = oracle::distances(map, rule, cost, b);
                let crosses = |&cell: &Point| {
                    let sum = from_a[map.index(cell)].zip(from_b[map.index(cell)]);
                    cell != a && cell != b && sum.is_some_and(|(one, other)| one + other == h)
                };
                let direct = reachable && !subgoals(map, rule).iter().any(crosses);
                let found = is_direct_h_reachable(map, rule, cost, a, b);
                assert_eq!(found, direct, "{map:?}{rule:?} {a:?} {b:?}");
            }
        });
    }

    #[test]
    fn edges_run_around_a_block() {
        let map = PlainMap::from_ascii(BLOCK);
        let around = [(0, 1, 2 * S), (0, 2, 2 * S), (1, 3, 2 * S), (2, 3, 2 * S)];
        for rule in RULES {
            let graph = simple_subgoal_graph(&map, rule, COST);
            assert_eq!(graph.subgoals, [(1, 1), (3, 1), (1, 3), (3, 3)]);
            assert_eq!(graph.edges, around, "{rule:?}");
        }
    }

    #[test]
    fn edges_cost_what_h_says() {
        let map = PlainMap::from_ascii(
            "
            .#...
            .....
            .....
            ...#.
            ",
        );
        let graph = simple_subgoal_graph(&map, Diagonals::Strict, COST);
        assert_eq!(graph.subgoals, [(0, 1), (2, 1), (2, 2), (4, 2)]);
        let expected = [(0, 1, 2 * S), (0, 2, D + S), (1, 2, S), (1, 3, D + S), (2, 3, 2 * S)];
        assert_eq!(graph.edges, expected);
        // Without diagonals, (2, 1) lies between (0, 1) and (2, 2), and (2, 2)
        // between (2, 1) and (4, 2).
        let graph = simple_subgoal_graph(&map, Diagonals::None, COST);
        assert_eq!(graph.edges, [(0, 1, 2 * S), (1, 2, S), (2, 3, 2 * S)]);
    }

    /// What the graph is for: with start and goal joined to it, its distances
    /// are those of the grid. Holds without diagonals too.
    #[test]
    fn simple_graphs_keep_all_distances() {
        let mut random = SplitMix64::new(32);
        for round in 0..60 {
            let map = random_map(&mut random, 9);
            let rule = Diagonals::ALL[round % 4];
            let graph = simple_subgoal_graph(&map, rule, COST);
            let Some(&start) = map.free_points().get(random.below(map.free.len())) else {
                continue;
            };
            for goal in map.free_points() {
                let expected = oracle::distance(&map, rule, COST, start, goal);
                assert_eq!(through(&graph, &map, rule, start, goal), expected, "{map:?}{start:?} {goal:?}");
            }
        }
    }

    #[test]
    fn where_corners_are_cut_subgoals_lie_beside_them() {
        let map = ascii(BLOCK).map;
        for rule in [Diagonals::OneSide, Diagonals::Free] {
            assert_eq!(subgoals(&map, rule).len(), 4, "{rule:?}");
            assert!(
                subgoals(&map, rule).iter().all(|cell| !subgoals(&map, Diagonals::Strict).contains(cell))
            );
        }
        let gap = ascii("#.\n.#").map;
        assert_eq!(subgoals(&gap, Diagonals::Free), [(1, 0), (0, 1)]);
        assert_eq!(subgoals(&gap, Diagonals::OneSide), []);
    }

    #[test]
    #[should_panic(expected = "no weights")]
    fn weights_are_refused() {
        subgoals(&PlainMap::from_ascii("12"), Diagonals::Strict);
    }
}

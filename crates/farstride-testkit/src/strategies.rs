//! proptest strategies: small maps of every nature, queries, rules and edits.
//!
//! A good random map is small enough to draw in a bug report and odd enough to
//! find the bug: dense and empty, one cell wide, all blocked, maze or cave.
//! Cells are drawn one by one where possible, and shrink towards free ones, so
//! that a failure ends as a nearly empty map with the few walls that matter.
//! Uses [`map`](crate::map), [`edit`](crate::edit) and
//! [`generate`](mod@crate::generate).

use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::edit::{Change, Edit};
use crate::generate::{Kind, generate};
use crate::map::{DiagonalCost, Diagonals, PlainMap, Point};

/// A map with a question about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapQuery {
    /// Where to look for a path; at least one cell.
    pub map: PlainMap,
    /// Where the path begins: on the map, but perhaps blocked.
    pub start: Point,
    /// Where it ends: the same, and perhaps the start itself.
    pub goal: Point,
}

/// Maps without weights from 1x1 up to the given size.
///
/// # Panics
/// If a limit is 0.
pub fn maps(max_width: usize, max_height: usize) -> impl Strategy<Value = PlainMap> + Clone {
    prop_oneof![
        8 => sized_cells((1..=max_width, 1..=max_height)),
        1 => sized_cells((1..=max_width, 1..=1)),
        1 => sized_cells((1..=1, 1..=max_height)),
        3 => generated(max_width, max_height),
    ]
}

/// As [`maps`], every cell with a weight from 1 to 9.
///
/// # Panics
/// If a limit is 0.
pub fn weighted_maps(max_width: usize, max_height: usize) -> impl Strategy<Value = PlainMap> + Clone {
    maps(max_width, max_height).prop_flat_map(|map| {
        vec(1..=9u8, map.free.len())
            .prop_map(move |weights| PlainMap { weights: Some(weights), ..map.clone() })
    })
}

/// As [`maps`], with terrain of every nature: noise, few kinds of ground, patches,
/// roads, light ground with a stain, and the largest weights.
///
/// # Panics
/// If a limit is 0.
pub fn terrain_maps(max_width: usize, max_height: usize) -> impl Strategy<Value = PlainMap> + Clone {
    let palette = select(vec![
        (1..=9).collect::<Vec<u8>>(),
        vec![1, 5],
        vec![1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
        vec![3],
        vec![1, 255],
        vec![254, 255],
    ]);
    let patch = prop_oneof![2 => Just((1, 1)), 1 => Just((3, 3)), 1 => Just((1, 64)), 1 => Just((64, 1))];
    (maps(max_width, max_height), palette, patch).prop_flat_map(|(map, palette, (across, down))| {
        vec(select(palette), map.free.len()).prop_map(move |drawn| {
            let weight = |index| {
                let (x, y) = map.point(index);
                drawn[map.index((x / across * across, y / down * down))]
            };
            let weights = (0..map.free.len()).map(weight).collect();
            PlainMap { weights: Some(weights), ..map.clone() }
        })
    })
}

/// Maps of independent cells: mostly mixed, sometimes all free or all blocked.
fn sized_cells(
    size: (std::ops::RangeInclusive<usize>, std::ops::RangeInclusive<usize>),
) -> impl Strategy<Value = PlainMap> + Clone {
    let share = select(vec![0.0, 0.05, 0.15, 0.3, 0.45, 0.7, 1.0]);
    (size, share).prop_flat_map(|((width, height), share)| {
        vec(weighted(share), width * height).prop_map(move |blocked| PlainMap {
            width,
            height,
            free: blocked.into_iter().map(|blocked| !blocked).collect(),
            weights: None,
        })
    })
}

/// Maps with structure. They shrink in size and seed only.
fn generated(max_width: usize, max_height: usize) -> impl Strategy<Value = PlainMap> + Clone {
    let kinds = select(vec![
        Kind::Maze { corridor: 1, wall: 1 },
        Kind::Maze { corridor: 2, wall: 1 },
        Kind::Rooms { size: 3 },
        Kind::Caves { blocked_percent: 42, rounds: 2 },
        Kind::City { block: 5, street: 1 },
        Kind::Open { blocked_percent: 20 },
    ]);
    (kinds, 1..=max_width, 1..=max_height, any::<u64>()).prop_map(|(kind, width, height, seed)| {
        generate(kind, width, height, seed).expect("the parameters are in range")
    })
}

/// Every diagonal rule.
pub fn diagonals() -> impl Strategy<Value = Diagonals> + Clone {
    select(Diagonals::ALL.to_vec())
}

/// Both scales of cost.
pub fn diagonal_costs() -> impl Strategy<Value = DiagonalCost> + Clone {
    select(DiagonalCost::ALL.to_vec())
}

/// A map as [`maps`] draws them with two of its cells: free ones most of the
/// time, any cells sometimes, and now and then the same cell twice.
///
/// # Panics
/// If a limit is 0.
pub fn map_and_query(max_width: usize, max_height: usize) -> impl Strategy<Value = MapQuery> + Clone {
    query_on(maps(max_width, max_height))
}

/// As [`map_and_query`] for maps of any strategy, weighted ones for instance.
/// The maps must have at least one cell.
pub fn query_on(maps: impl Strategy<Value = PlainMap> + Clone) -> impl Strategy<Value = MapQuery> + Clone {
    let taste = prop_oneof![16 => Just(Taste::Free), 3 => Just(Taste::Any), 1 => Just(Taste::Same)];
    (maps, taste, any::<[Index; 2]>()).prop_map(|(map, taste, [start, goal])| {
        let free = map.free_points();
        let choose = |index: Index| {
            if taste == Taste::Any || free.is_empty() {
                map.point(index.index(map.free.len()))
            } else {
                free[index.index(free.len())]
            }
        };
        let start = choose(start);
        let goal = if taste == Taste::Same { start } else { choose(goal) };
        MapQuery { map, start, goal }
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taste {
    Free,
    Any,
    Same,
}

/// Up to eight edits within a map of the given size, small ones more often
/// than large ones, with weights from 1 to 9.
///
/// # Panics
/// If a side is 0.
pub fn edits(width: usize, height: usize) -> impl Strategy<Value = Vec<Edit>> + Clone {
    vec(edit(width, height), 0..=8)
}

fn edit(width: usize, height: usize) -> impl Strategy<Value = Edit> + Clone {
    let sides = prop_oneof![
        3 => (1..=3.min(width), 1..=3.min(height)),
        1 => (1..=width, 1..=height),
    ];
    let change = prop_oneof![
        2 => Just(Change::Free),
        2 => Just(Change::Blocked),
        1 => (1..=9u8).prop_map(Change::Weight),
    ];
    (0..width, 0..height, sides, change).prop_map(move |(x, y, sides, change)| Edit {
        corner: (x, y),
        width: sides.0.min(width - x),
        height: sides.1.min(height - y),
        change,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    /// Fixed draws, so that the shares below are the same in every run.
    fn draw<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, count: usize) -> Vec<T> {
        let mut runner = TestRunner::deterministic();
        (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
    }

    #[test]
    fn maps_keep_to_their_limits_and_are_varied() {
        let maps = draw(maps(9, 6), 800);
        let all = |map: &PlainMap, free: bool| map.free.iter().all(|&cell| cell == free);
        for map in &maps {
            assert!((1..=9).contains(&map.width) && (1..=6).contains(&map.height));
            assert_eq!(map.free.len(), map.width * map.height);
            assert_eq!(map.weights, None);
        }
        let count = |wanted: &dyn Fn(&PlainMap) -> bool| maps.iter().filter(|map| wanted(map)).count();
        let large = |map: &PlainMap| map.width > 3 && map.height > 3;
        assert!(count(&|map| large(map) && all(map, true)) > 10);
        assert!(count(&|map| large(map) && all(map, false)) > 10);
        assert!(count(&|map| large(map) && !all(map, true) && !all(map, false)) > 100);
        assert!(count(&|map| map.width == 1 && map.height > 1) > 10);
        assert!(count(&|map| map.height == 1 && map.width > 1) > 10);
    }

    #[test]
    fn weights_are_digits() {
        let maps = draw(weighted_maps(6, 6), 100);
        let weights = |map: &PlainMap| map.weights.clone().expect("the map has weights");
        assert!(maps.iter().all(|map| weights(map).len() == map.free.len()));
        let all: Vec<u8> = maps.iter().flat_map(weights).collect();
        assert!((1..=9).all(|weight| all.contains(&weight)));
        assert!(all.iter().all(|weight| (1..=9).contains(weight)));
    }

    #[test]
    fn terrain_has_noise_patches_and_roads() {
        let maps = draw(terrain_maps(9, 9), 1000);
        let count = |wanted: &dyn Fn(&PlainMap) -> bool| {
            maps.iter().filter(|map| map.width > 5 && map.height > 5 && wanted(map)).count()
        };
        let weight = |map: &PlainMap, index: usize| map.weight(map.point(index));
        assert!(count(&|map| (0..map.free.len()).any(|index| weight(map, index) == 255)) > 30);
        assert!(count(&|map| (0..map.free.len()).all(|index| weight(map, index) == 3)) > 10);
        let is_even = |map: &PlainMap, dx: usize, dy: usize| {
            (0..map.width - dx)
                .all(|x| (0..map.height - dy).all(|y| map.weight((x, y)) == map.weight((x + dx, y + dy))))
        };
        assert!(count(&|map| is_even(map, 1, 0) && !is_even(map, 0, 1)) > 10);
        assert!(count(&|map| is_even(map, 0, 1) && !is_even(map, 1, 0)) > 10);
        assert!(count(&|map| !is_even(map, 0, 1) && !is_even(map, 1, 0)) > 50);
    }

    #[test]
    fn queries_are_mostly_between_free_cells() {
        let queries = draw(map_and_query(8, 8), 1000);
        assert!(queries.iter().all(|q| q.map.contains(q.start) && q.map.contains(q.goal)));
        let free = |q: &&MapQuery| q.map.is_free_at(q.start) && q.map.is_free_at(q.goal);
        let free = queries.iter().filter(free).count();
        assert!((700..980).contains(&free), "{free} of 1000 free");
        let odd = |q: &&MapQuery| q.map.free.contains(&true) && !q.map.is_free_at(q.start);
        let odd = queries.iter().filter(odd).count();
        assert!((10..200).contains(&odd), "{odd} of 1000 from a blocked cell");
        let same = queries.iter().filter(|q| q.start == q.goal).count();
        assert!((30..300).contains(&same), "{same} of 1000 the same");
    }

    #[test]
    fn rules_and_costs_all_occur() {
        let (rules, costs) = (draw(diagonals(), 100), draw(diagonal_costs(), 50));
        assert!(Diagonals::ALL.iter().all(|rule| rules.contains(rule)));
        assert!(DiagonalCost::ALL.iter().all(|cost| costs.contains(cost)));
    }

    #[test]
    fn edits_stay_on_the_map() {
        let edits: Vec<Edit> = draw(edits(7, 4), 200).concat();
        let fits = |edit: &Edit| {
            let (x, y) = edit.corner;
            edit.width >= 1 && edit.height >= 1 && x + edit.width <= 7 && y + edit.height <= 4
        };
        assert!(edits.iter().all(fits));
        for change in [Change::Free, Change::Blocked, Change::Weight(5)] {
            assert!(edits.iter().any(|edit| edit.change == change));
        }
        assert!(edits.iter().any(|edit| edit.width * edit.height > 15));
    }

    #[test]
    fn failures_shrink_to_few_blocked_cells() {
        let mut runner = TestRunner::deterministic();
        let result = runner.run(&sized_cells((1..=9, 1..=9)), |map| {
            let blocked = map.free.iter().filter(|&&free| !free).count();
            prop_assert!(blocked < 3);
            Ok(())
        });
        let text = result.unwrap_err().to_string();
        assert_eq!(text.matches('#').count(), 3, "{text}");
    }
}

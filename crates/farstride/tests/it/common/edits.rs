//! Hierarchies of test maps, and edits that must leave no trace in them.

use super::{Answer, World, any_point, cell, query};
use farstride::hpa::{Hierarchy, HpaSettings, Tactics};
use farstride::{Cell, Grid, Index, Planner, Rect, Scratch};
use farstride_testkit::edit::{Change, Edit};
use farstride_testkit::{Point, SplitMix64};

pub(crate) fn planner(world: &World, settings: HpaSettings, tactics: Tactics) -> Planner {
    let grid = world.grid();
    let hierarchy = Hierarchy::build(&grid, settings).unwrap();
    Planner::with_index(grid, hierarchy).unwrap().with_tactics(tactics)
}

pub(crate) fn ends(world: &World, seed: u64, count: usize) -> Vec<(Point, Point)> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(|_| (any_point(&mut random, &world.map), any_point(&mut random, &world.map))).collect()
}

/// Edits a map at random, several edits at a time now and then, and holds the
/// abstraction against one built from nothing.
pub(crate) fn edit_and_compare(
    world: &mut World,
    settings: HpaSettings,
    random: &mut SplitMix64,
    edits: usize,
) {
    let mut planner = planner(world, settings, Tactics::default());
    let weights = !settings.local.is_any_angle();
    let mut left = edits;
    while left > 0 {
        let batch = if random.chance(80) { 1 } else { random.between(2, 4) };
        left = left.saturating_sub(batch);
        planner.edit(|grid| (0..batch).for_each(|_| apply(grid, world, weights, random)));
        let fresh = Hierarchy::build(&world.grid(), settings).unwrap();
        let edited = planner.index().and_then(Index::hierarchy).unwrap();
        assert!(*edited == fresh, "{settings:?} on {world:?}");
        assert_eq!(edited.digest(), fresh.digest());
    }
    let fresh = self::planner(world, settings, Tactics::default());
    let mut scratch = Scratch::new();
    for (start, goal) in ends(world, random.next_u64(), 4) {
        let answer = Answer::from(planner.find(query(start, goal), &mut scratch).unwrap());
        assert_eq!(answer, Answer::from(fresh.find(query(start, goal), &mut scratch).unwrap()));
    }
}

/// One random edit of both maps.
pub(crate) fn apply(grid: &mut Grid, world: &mut World, weights: bool, random: &mut SplitMix64) {
    let corner = any_point(random, &world.map);
    let side = |most: usize, random: &mut SplitMix64| {
        if random.chance(60) { 1 } else { random.between(1, most.min(6)) }
    };
    let (width, height) =
        (side(world.map.width - corner.0, random), side(world.map.height - corner.1, random));
    let change = match random.below(4) {
        // Legs at any angle know no weights.
        0 if weights => Change::Weight(random.between(1, 4) as u8),
        0 | 1 => Change::Free,
        _ if world.map.is_free_at(corner) => Change::Blocked,
        _ => Change::Free,
    };
    world.map.apply(&Edit { corner, width, height, change });
    let area = Rect::spanning(cell(corner), cell((corner.0 + width - 1, corner.1 + height - 1)));
    let result = match change {
        Change::Free => grid.free(area),
        Change::Blocked => grid.block(area),
        Change::Weight(weight) => grid.set_weight(area, weight),
    };
    let _ = result.expect("the edit is on the map");
}

/// Blocks or frees a few cells, never where the unit stands.
pub(crate) fn edit_at_random(planner: &mut Planner, random: &mut SplitMix64, position: Cell) {
    let (width, height) = (planner.grid().width(), planner.grid().height());
    let corner: Point = (random.below(width), random.below(height));
    let far = ((corner.0 + random.below(4)).min(width - 1), (corner.1 + random.below(4)).min(height - 1));
    let area = Rect::spanning(cell(corner), cell(far));
    let block = random.chance(60);
    let _ = planner.edit(|grid| {
        let _ = if block { grid.block(area) } else { grid.free(area) }.unwrap();
        grid.free(position).unwrap()
    });
}

//! A map that was edited is the map one would have built: its cells, regions
//! and lines of sight, what edits report, and what queries find.

use crate::common::{Answer, World, any_point, cases, cell, point, query};
use farstride::error::QueryError;
use farstride::index::IndexSettings;
use farstride::{Cell, Engine, Grid, Planner, Query, Rect, Rules, Scratch};
use farstride_testkit::strategies::{diagonals, edits, maps};
use farstride_testkit::{
    Change, DiagonalCost, Diagonals, Edit, Kind, PlainMap, Point, SplitMix64, generate, oracle,
};
use proptest::prelude::*;
use std::sync::Arc;

/// A plain map and the engine's, edited side by side.
struct Pair {
    world: World,
    grid: Grid,
}

impl Pair {
    fn new(map: PlainMap, diagonals: Diagonals) -> Self {
        let world = World::new(map, diagonals, DiagonalCost::Sqrt2);
        Self { grid: world.grid(), world }
    }

    /// Edits both and holds the report against what really changed.
    fn edit(&mut self, edit: &Edit) {
        let before = (self.world.map.clone(), self.grid.edit_count());
        self.world.map.apply(edit);
        let (x, y) = edit.corner;
        let area = Rect::spanning(cell(edit.corner), cell((x + edit.width - 1, y + edit.height - 1)));
        let change = match edit.change {
            Change::Free => self.grid.free(area),
            Change::Blocked => self.grid.block(area),
            Change::Weight(weight) => self.grid.set_weight(area, weight),
        };
        let change = change.expect("the edit is on the map");
        let expected = bounding_box(&before.0, &self.world.map);
        assert_eq!(change.area.map(corners), expected, "{edit:?} of {:?}", before.0);
        assert_eq!(change.edit_count, before.1 + u64::from(expected.is_some()));
        assert_eq!(change.edit_count, self.grid.edit_count());
    }

    /// Holds the edited map against one built from nothing.
    fn assert_as_built(&self) {
        let Self { world, grid } = self;
        grid.check().unwrap_or_else(|fault| panic!("{fault}: {world:?}"));
        assert_eq!(*grid, world.grid(), "{world:?}");
        for (index, &free) in world.map.free.iter().enumerate() {
            let point = world.map.point(index);
            assert_eq!(grid.is_free(cell(point)), free, "{point:?} on {world:?}");
            assert_eq!(
                u64::from(grid.weight(cell(point))),
                world.map.weight(point),
                "{point:?} on {world:?}"
            );
        }
        self.assert_regions();
    }

    /// Every cell is connected to the first of its region, and those are not
    /// connected to each other.
    fn assert_regions(&self) {
        let Self { world, grid } = self;
        let (count, labels) = oracle::regions(&world.map, world.diagonals);
        assert_eq!(grid.region_count(), count as usize, "{world:?}");
        let mut first: Vec<Option<Cell>> = vec![None; count as usize];
        for (index, label) in labels.iter().enumerate() {
            let here = cell(world.map.point(index));
            let Some(label) = *label else {
                assert!(!grid.is_connected(here, here), "{here} on {world:?}");
                continue;
            };
            let first = *first[label as usize].get_or_insert(here);
            assert!(grid.is_connected(first, here), "{first} to {here} on {world:?}");
        }
        let first: Vec<Cell> = first.into_iter().flatten().collect();
        for (place, &a) in first.iter().enumerate() {
            for &b in &first[..place] {
                assert!(!grid.is_connected(a, b) && !grid.is_connected(b, a), "{a} to {b} on {world:?}");
            }
        }
    }

    /// Every engine finds the same paths on the edited map and on a fresh one.
    fn assert_same_answers(&self, queries: &[(Point, Point)]) {
        let Self { world, grid } = self;
        let mut scratch = Scratch::new();
        for engine in Engine::ALL {
            assert_eq!(engine.check(grid).is_ok(), world.suits(engine), "{world:?}");
            if !world.suits(engine) {
                continue;
            }
            let edited = Planner::with_engine(grid.clone(), engine).unwrap();
            let fresh = world.planner(engine);
            for &(start, goal) in queries {
                let query = query(start, goal);
                let answer = Answer::from(edited.find(query, &mut scratch).unwrap());
                let expected = Answer::from(fresh.find(query, &mut scratch).unwrap());
                assert_eq!(answer, expected, "{engine} from {start:?} to {goal:?} on {world:?}");
                if engine.is_optimal() {
                    world.assert_optimal(start, goal, &answer);
                }
            }
        }
    }
}

fn corners(area: Rect) -> (Point, Point) {
    (point(area.min()), point(area.max()))
}

/// The corners of the smallest rectangle around all cells that differ.
fn bounding_box(one: &PlainMap, other: &PlainMap) -> Option<(Point, Point)> {
    let cells = (0..one.free.len()).map(|index| one.point(index));
    let differs = |&cell: &Point| {
        one.is_free_at(cell) != other.is_free_at(cell) || one.weight(cell) != other.weight(cell)
    };
    let cells: Vec<Point> = cells.filter(differs).collect();
    let left = cells.iter().map(|cell| cell.0).min()?;
    let right = cells.iter().map(|cell| cell.0).max()?;
    let top = cells.iter().map(|cell| cell.1).min()?;
    let bottom = cells.iter().map(|cell| cell.1).max()?;
    Some(((left, top), (right, bottom)))
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn an_edited_map_is_the_map_one_would_have_built(
        (map, edits) in maps(28, 28).prop_flat_map(|map| {
            let edits = edits(map.width, map.height);
            (Just(map), edits)
        }),
        rule in diagonals(),
        ends in any::<[[prop::sample::Index; 2]; 3]>(),
    ) {
        let mut pair = Pair::new(map, rule);
        for edit in &edits {
            pair.edit(edit);
            pair.assert_as_built();
            let place = |index: prop::sample::Index| pair.world.map.point(index.index(pair.world.map.free.len()));
            pair.assert_same_answers(&ends.map(|[start, goal]| (place(start), place(goal))));
        }
    }
}

/// Small edits on maps of many chunks, where regions are repaired and not built
/// again: walls go up and come down cell by cell.
#[test]
fn regions_stay_true_through_sequences_of_small_edits() {
    edit_regions(100);
}

#[test]
#[ignore = "takes a minute; run by ./exhaustive"]
fn regions_stay_true_through_long_sequences_of_small_edits() {
    edit_regions(2500);
}

fn edit_regions(edits: usize) {
    let kinds = [
        Kind::Maze { corridor: 1, wall: 1 },
        Kind::Rooms { size: 6 },
        Kind::Caves { blocked_percent: 45, rounds: 4 },
        Kind::Random { blocked_percent: 40 },
    ];
    let mut random = SplitMix64::new(12);
    for (kind, diagonals) in kinds.into_iter().flat_map(|kind| Diagonals::ALL.map(|rule| (kind, rule))) {
        let map = generate(kind, random.between(50, 75), random.between(50, 75), random.next_u64()).unwrap();
        let mut pair = Pair::new(map, diagonals);
        for step in 0..edits {
            let corner = any_point(&mut random, &pair.world.map);
            let (long, short) = (random.between(1, 12), random.between(1, 2));
            let (width, height) = if random.chance(50) { (long, short) } else { (short, long) };
            let change = if random.chance(50) { Change::Free } else { Change::Blocked };
            pair.edit(&Edit {
                corner,
                width: width.min(pair.world.map.width - corner.0),
                height: height.min(pair.world.map.height - corner.1),
                change,
            });
            pair.assert_regions();
            if step % 25 == 0 {
                pair.assert_as_built();
                let ends = (any_point(&mut random, &pair.world.map), any_point(&mut random, &pair.world.map));
                pair.assert_same_answers(&[ends]);
            }
        }
        pair.assert_as_built();
    }
}

/// A ring closed and opened again, one cell of it at a time.
#[test]
fn the_last_cell_of_a_wall_cuts_a_region_in_two() {
    let mut grid = Grid::empty(60, 60).unwrap();
    let wall: Vec<Cell> = (0..60).map(|y| Cell::new(30, y)).collect();
    let (west, east) = (Cell::new(0, 17), Cell::new(59, 42));
    for (built, &cell) in wall.iter().enumerate() {
        let _ = grid.block(cell).unwrap();
        let is_whole = built + 1 == wall.len();
        assert_eq!(grid.is_connected(west, east), !is_whole);
        assert_eq!(grid.region_count(), if is_whole { 2 } else { 1 });
        grid.check().unwrap();
    }
    let _ = grid.free(wall[33]).unwrap();
    assert!(grid.is_connected(west, east));
    assert_eq!(grid.region_count(), 1);
    assert_eq!(grid.edit_count(), 61);
}

/// Weights that appear under a planner stop the engines that cannot use them,
/// and let them go on when they are gone.
#[test]
fn an_edit_can_make_a_map_unfit_for_an_engine() {
    let ends = Query::new(Cell::new(0, 0), Cell::new(8, 8));
    for engine in Engine::ALL {
        let mut planner = Planner::with_engine(Grid::empty(9, 9).unwrap(), engine).unwrap();
        let mut scratch = Scratch::new();
        let before = Answer::from(planner.find(ends, &mut scratch).unwrap());
        let _ = planner.edit(|grid| grid.set_weight(Cell::new(1, 7), 3)).unwrap();
        let unfit = planner
            .find(ends, &mut scratch)
            .is_err_and(|error| matches!(error, QueryError::Unsupported(fault) if fault.engine == engine));
        assert_eq!(
            unfit,
            engine.is_any_angle()
                || matches!(engine.default_settings(), Some(IndexSettings::Subgoals(_)))
                || engine == Engine::Labels,
            "{engine}"
        );
        let _ = planner.edit(|grid| grid.set_weight(Cell::new(1, 7), 1)).unwrap();
        assert_eq!(before, planner.find(ends, &mut scratch).unwrap().into());
    }
}

/// An edit of a map that planners share is seen by the one that made it alone.
#[test]
fn an_edit_leaves_other_planners_of_the_map_alone() {
    let grid = Arc::new(Grid::empty(3, 3).unwrap());
    let mut one = Planner::new(Arc::clone(&grid));
    let other = Planner::new(Arc::clone(&grid));
    let _ = one.edit(|grid| grid.block(Cell::new(1, 1))).unwrap();
    assert!(!one.grid().is_free(Cell::new(1, 1)));
    assert!(other.grid().is_free(Cell::new(1, 1)) && grid.is_free(Cell::new(1, 1)));
}

/// Several districts of the size that they have outside unit tests, with edits where they meet.
#[test]
fn regions_follow_edits_where_districts_meet() {
    use farstride::Diagonals::{Free, None, OneSide, Strict};
    for diagonals in [Strict, OneSide, Free, None] {
        let rules = Rules { diagonals, ..Rules::default() };
        let mut random = SplitMix64::new(12);
        let cells: Vec<bool> = (0..1100 * 600).map(|_| random.chance(57)).collect();
        let is_free = |cell: Cell| cells[usize::from(cell.y) * 1100 + usize::from(cell.x)];
        let mut grid = Grid::from_fn(1100, 600, is_free).unwrap().with_rules(rules);
        for round in 0..60 {
            // Districts have 512 × 512 cells.
            let near =
                |side: usize, random: &mut SplitMix64| 512 * random.between(1, side) + random.below(6) - 3;
            let (x, y) = (near(2, &mut random), near(1, &mut random));
            let corner = Cell::new(x as u16, y as u16);
            let far = Cell::new((x + random.below(4)) as u16, (y + random.below(12)) as u16);
            let area = Rect::spanning(corner, far);
            let _ = if round % 2 == 0 { grid.free(area) } else { grid.block(area) }.unwrap();
            grid.check().unwrap();
        }
        // A wall, with one door that joins the districts of either side.
        let _ = grid.block(Rect::spanning(Cell::new(512, 0), Cell::new(512, 599))).unwrap();
        let _ = grid.free(Rect::spanning(Cell::new(508, 300), Cell::new(516, 303))).unwrap();
        grid.check().unwrap();
        let _ = grid.block(Rect::spanning(Cell::new(512, 300), Cell::new(512, 303))).unwrap();
        grid.check().unwrap();
        assert!(!grid.is_connected(Cell::new(508, 300), Cell::new(516, 300)));
    }
}

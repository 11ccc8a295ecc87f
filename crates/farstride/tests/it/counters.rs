//! What the counters of a search count, on maps small enough to do by hand.

use farstride::grid::DiagonalCost;
use farstride::search::Counters;
use farstride::{Cell, Diagonals, Engine, Grid, Planner, Query, Rules, Scratch};

/// Expanded, generated, reopened, peak nodes, and the sum of open-list sizes.
type Figures = (u64, u64, u64, u64, f64);

/// The figures of a search from `S` to `G`.
fn figures(engine: Engine, diagonals: Diagonals, drawing: &str) -> Figures {
    let counters = count(engine, diagonals, drawing);
    let open_total = counters.average_open() * counters.expanded as f64;
    (counters.expanded, counters.generated, counters.reopened, counters.peak_nodes, open_total)
}

fn count(engine: Engine, diagonals: Diagonals, drawing: &str) -> Counters {
    let drawing = farstride_testkit::ascii(drawing);
    let (start, goal) = drawing.query();
    let grid = Grid::from_ascii(&drawing.map.to_ascii()).unwrap();
    let grid = grid.with_rules(Rules { diagonals, diagonal_cost: DiagonalCost::Sqrt2 });
    let planner = Planner::with_engine(grid, engine).unwrap();
    let cell = |(x, y): (usize, usize)| Cell::new(x as u16, y as u16);
    let mut counters = Counters::default();
    let query = Query::new(cell(start), cell(goal));
    planner.find_observed(query, &mut counters, &mut Scratch::new()).unwrap();
    counters
}

/// The start and the goal are expanded too. A* does not look back, so that
/// every cell but the goal generates one successor and the open list holds
/// nothing but the cell that comes next.
#[test]
fn a_corridor_is_expanded_cell_by_cell() {
    for engine in [Engine::Astar, Engine::Dijkstra] {
        assert_eq!(figures(engine, Diagonals::Strict, "S...G"), (5, 4, 0, 5, 5.0));
    }
}

/// Theta* looks at all neighbours: one from the start, two from the three
/// cells between, of which one is known.
#[test]
fn any_angle_searches_look_back() {
    for engine in [Engine::Theta, Engine::LazyTheta] {
        assert_eq!(figures(engine, Diagonals::Strict, "S...G"), (5, 1 + 3 * 2, 0, 5, 5.0));
    }
}

/// The start opens its three neighbours, of which the middle lies on the way.
/// It opens three more: those on its own way on. Open before each expansion:
/// 1, then 3, then 3 - 1 + 3.
#[test]
fn an_open_square_is_crossed_in_three_expansions() {
    let square = "S..\n...\n..G";
    assert_eq!(figures(Engine::Astar, Diagonals::Strict, square), (3, 6, 0, 7, 9.0));
}

/// The middle looks at all eight neighbours; five of them are new to it.
#[test]
fn theta_opens_every_neighbour_of_the_middle() {
    let square = "S..\n...\n..G";
    assert_eq!(figures(Engine::Theta, Diagonals::Strict, square), (3, 3 + 8, 0, 9, 1.0 + 3.0 + 7.0));
}

/// Straight on around the wall by the strict rule, one way only; across the
/// corners by the one-side rule, past a cell on either side.
#[test]
fn the_rule_decides_what_is_generated() {
    let wall = "S#G\n...";
    assert_eq!(figures(Engine::Astar, Diagonals::Strict, wall), (5, 4, 0, 5, 5.0));
    assert_eq!(figures(Engine::Astar, Diagonals::OneSide, wall), (3, 4, 0, 5, 1.0 + 2.0 + 3.0));
}

/// Over weights A* looks at every neighbour: three of the start, and all five
/// of the cell below the heavy one, by which two diagonal steps lead past it.
/// Open before each expansion: 1, then 3, then 3 - 1 + 2.
#[test]
fn weights_are_searched_without_leaving_out_moves() {
    assert_eq!(figures(Engine::Astar, Diagonals::Strict, "S9G\n..."), (3, 3 + 5, 0, 6, 8.0));
}

#[test]
fn answers_known_at_once_take_no_work() {
    assert_eq!(count(Engine::Astar, Diagonals::Strict, "S#G"), Counters::default());
    assert_eq!(Counters::default().average_open().to_bits(), 0.0_f64.to_bits());
}

/// Work adds up; memory is that of the larger search.
#[test]
fn counters_of_searches_one_after_the_other_add_up() {
    let mut sum = count(Engine::Astar, Diagonals::Strict, "S...G");
    let other = count(Engine::Astar, Diagonals::Strict, "S..\n...\n..G");
    sum.absorb(&other);
    assert_eq!((sum.expanded, sum.generated, sum.reopened, sum.peak_nodes), (5 + 3, 4 + 6, 0, 7));
    assert!((sum.average_open() - 14.0 / 8.0).abs() < 1e-12);
}

/// What one search leaves in its open list is not in that of the next.
#[test]
fn every_search_starts_with_empty_lists() {
    let planner = Planner::with_engine(Grid::empty(3, 3).unwrap(), Engine::Astar).unwrap();
    let mut scratch = Scratch::new();
    let query = Query::new(Cell::new(0, 0), Cell::new(2, 2));
    let mut counters = Counters::default();
    planner.find_observed(query, &mut counters, &mut scratch).unwrap();
    let once = counters;
    planner.find_observed(query, &mut counters, &mut scratch).unwrap();
    assert_eq!((counters.expanded, counters.peak_nodes), (2 * once.expanded, once.peak_nodes));
    assert!((counters.average_open() - once.average_open()).abs() < 1e-12);
}

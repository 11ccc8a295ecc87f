use crate::base::{Cell, Rect};
use crate::grid::{Diagonals, Grid, Rules};

fn ring(side: u16) -> Grid {
    let inside = 1..side - 1;
    Grid::from_fn(side.into(), side.into(), |cell| !(inside.contains(&cell.x) && inside.contains(&cell.y)))
        .unwrap()
}

#[test]
fn a_ring_is_cut_only_by_the_second_wall() {
    let mut grid = ring(100);
    assert_eq!(grid.region_count(), 1);
    grid.block(Cell::new(50, 0)).unwrap();
    assert_eq!(grid.region_count(), 1);
    assert!(grid.is_connected(Cell::new(49, 0), Cell::new(51, 0)));
    grid.block(Cell::new(50, 99)).unwrap();
    assert_eq!(grid.region_count(), 2);
    assert!(!grid.is_connected(Cell::new(49, 0), Cell::new(51, 0)));
    grid.free(Cell::new(50, 99)).unwrap();
    assert_eq!(grid.region_count(), 1);
    grid.check().unwrap();
}

#[test]
fn a_door_in_a_wall_through_the_map_cuts_it_in_two() {
    let mut grid = Grid::from_fn(2000, 600, |cell| cell.x != 1000 || cell.y == 300).unwrap();
    let door = Cell::new(1000, 300);
    for _ in 0..2 {
        grid.block(door).unwrap();
        assert_eq!(grid.region_count(), 2);
        grid.check().unwrap();
        grid.free(door).unwrap();
        assert_eq!(grid.region_count(), 1);
    }
}

/// Corridors of one cell: every square has as many parts as it can, every district as many wards, and a walk comes to all of them.
#[test]
fn a_map_of_corridors_is_cut_in_two() {
    let mut grid = Grid::from_fn(1024, 1024, |cell| cell.y % 2 == 0 || cell.x == 0).unwrap();
    let gap = Cell::new(0, 511);
    let (above, below) = (Cell::new(1023, 0), Cell::new(1023, 1022));
    for _ in 0..2 {
        let _ = grid.block(gap).unwrap();
        assert_eq!(grid.region_count(), 2);
        assert!(!grid.is_connected(above, below));
        assert!(grid.is_connected(above, Cell::new(0, 510)) && grid.is_connected(below, Cell::new(0, 512)));
        grid.check().unwrap();
        let _ = grid.free(gap).unwrap();
        assert_eq!(grid.region_count(), 1);
        assert!(grid.is_connected(above, below));
    }
}

#[test]
fn the_last_cell_of_a_region_takes_it_along() {
    let mut grid = Grid::from_ascii("\n.#.\n###\n.#.\n").unwrap();
    assert_eq!(grid.region_count(), 4);
    grid.block(Cell::new(2, 2)).unwrap();
    assert_eq!(grid.region_count(), 3);
    grid.check().unwrap();
}

#[test]
fn only_the_free_rule_connects_through_corners() {
    let checkers = Grid::from_fn(40, 40, |cell| (cell.x + cell.y) % 2 == 0).unwrap();
    assert_eq!(checkers.region_count(), 800);
    let rules = Rules { diagonals: Diagonals::Free, ..Rules::default() };
    assert_eq!(checkers.with_rules(rules).region_count(), 1);
}

/// Cells and rectangles freed and blocked at random: on a map that is mostly free, on one
/// with winding corridors between squares, where many parts come and go, and on scattered cells.
#[test]
fn regions_follow_random_edits() {
    for diagonals in [Diagonals::Strict, Diagonals::Free] {
        let rules = Rules { diagonals, ..Rules::default() };
        follow_random_edits(Grid::empty(60, 45).unwrap().with_rules(rules), 1500);
        let corridors = |cell: Cell| match cell.x / 3 % 2 {
            0 => cell.x.is_multiple_of(3) || cell.y == 0,
            _ => cell.x.is_multiple_of(3) || cell.y == 149,
        };
        follow_random_edits(Grid::from_fn(200, 150, corridors).unwrap().with_rules(rules), 600);
        // About half of the cells, scattered: many parts touch nothing, and wards wind through several districts.
        let scattered = |cell: Cell| (u32::from(cell.x) * 7919 + u32::from(cell.y) * 104_729) % 101 % 7 < 4;
        follow_random_edits(Grid::from_fn(300, 280, scattered).unwrap().with_rules(rules), 300);
    }
}

fn follow_random_edits(mut grid: Grid, edits: usize) {
    let (width, height) = (grid.width() as u16, grid.height() as u16);
    let mut state = 1_u32;
    let mut next = |below: u16| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u16 % below
    };
    for _ in 0..edits {
        let corner = Cell::new(next(width), next(height));
        let (wide, high) = (next(9), next(3));
        let other = Cell::new((corner.x + wide).min(width - 1), (corner.y + high).min(height - 1));
        let area = if wide % 2 == 0 { Rect::spanning(corner, other) } else { Rect::from(corner) };
        if next(5) < 3 { grid.block(area) } else { grid.free(area) }.unwrap();
        grid.check().unwrap();
    }
}

/// One edit that leaves as many pieces as there can be, and one that joins them again.
#[test]
fn a_region_falls_into_tens_of_thousands_of_pieces() {
    let mut grid = Grid::empty(900, 700).unwrap();
    let side: u16 = 300;
    let is_free = |offset: usize| (offset % usize::from(side) + offset / usize::from(side)).is_multiple_of(2);
    let weights: Vec<u8> =
        (0..usize::from(side) * usize::from(side)).map(|offset| is_free(offset).into()).collect();
    let area = Rect::spanning(Cell::new(100, 100), Cell::new(99 + side, 99 + side));
    let begin = std::time::Instant::now();
    grid.write_weights(area, &weights).unwrap();
    assert!(grid.region_count() > 40_000);
    grid.check().unwrap();
    grid.free(area).unwrap();
    assert_eq!(grid.region_count(), 1);
    grid.check().unwrap();
    assert!(begin.elapsed().as_secs() < 20, "time grows with the square of the number of pieces");
}

/// Numbers that joins and cuts waste are given anew long before they run out.
#[test]
fn numbers_do_not_run_out() {
    let mut grid = Grid::from_fn(20, 9, |cell| cell.x != 10 || cell.y == 4).unwrap();
    let before = grid.memory_bytes();
    for _ in 0..super::SPARE_NUMBERS + 100 {
        grid.block(Cell::new(10, 4)).unwrap();
        grid.free(Cell::new(10, 4)).unwrap();
    }
    grid.check().unwrap();
    assert_eq!(grid.region_count(), 1);
    assert!(grid.memory_bytes() < before + 40 * super::SPARE_NUMBERS);
}

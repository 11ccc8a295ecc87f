//! Entrances and transitions: where paths pass from cluster to cluster.

use super::layout::{ClusterId, Layout};
use crate::base::{Cell, Direction, Rect};
use crate::grid::{Diagonals, Grid};

/// A step from a cell of one cluster to a cell of another.
pub(crate) type Transition = (Cell, Cell);

/// Writes every transition out of a 1-cluster into `transitions`, sorted by cell.
/// The cells they start from are the nodes of the cluster.
///
/// An entrance is a maximal run of a common border along which the cells on both
/// sides are free. It gets one transition in the middle if it is narrower than
/// `threshold`, otherwise one at each end. Weights are not considered. The result
/// depends only on the cells at the border, and both clusters find the same
/// transitions: edits rely on that to equal a rebuild byte for byte.
///
/// Under [`Diagonals::Free`], a diagonal step between two blocked cells may be the
/// only connection of two clusters. It belongs to no entrance, so each of these
/// steps is a transition of its own.
pub(crate) fn find_transitions(
    grid: &Grid,
    layout: &Layout,
    cluster: ClusterId,
    threshold: u16,
    transitions: &mut Vec<Transition>,
) {
    transitions.clear();
    let area = layout.area(1, cluster);
    for direction in [Direction::North, Direction::East, Direction::South, Direction::West] {
        find_on_border(grid, area, direction, threshold, transitions);
    }
    if grid.rules().diagonals == Diagonals::Free {
        find_squeezes(grid, area, transitions);
    }
    transitions.sort_unstable();
}

/// Adds the transitions across one side of a cluster.
fn find_on_border(
    grid: &Grid,
    area: Rect,
    direction: Direction,
    threshold: u16,
    transitions: &mut Vec<Transition>,
) {
    let (min, max) = (area.min(), area.max());
    let (first, last, along) = match direction {
        Direction::North => (min, Cell::new(max.x, min.y), Direction::East),
        Direction::South => (Cell::new(min.x, max.y), max, Direction::East),
        Direction::West => (min, Cell::new(min.x, max.y), Direction::South),
        _ => (Cell::new(max.x, min.y), max, Direction::South),
    };
    let at_edge = match direction {
        Direction::North => min.y == 0,
        Direction::South => usize::from(max.y) + 1 == grid.height(),
        Direction::West => min.x == 0,
        _ => usize::from(max.x) + 1 == grid.width(),
    };
    if at_edge {
        return;
    }
    let passes = |cell: Cell| grid.is_free(cell) && grid.is_free(cell.step(direction));
    let mut entrance: Option<(Cell, Cell)> = None;
    let mut cell = first;
    loop {
        if passes(cell) {
            entrance = Some((entrance.map_or(cell, |(from, _)| from), cell));
        } else if let Some((from, to)) = entrance.take() {
            add_entrance(from, to, direction, threshold, transitions);
        }
        if cell == last {
            break;
        }
        cell = cell.step(along);
    }
    if let Some((from, to)) = entrance {
        add_entrance(from, to, direction, threshold, transitions);
    }
}

fn add_entrance(
    from: Cell,
    to: Cell,
    direction: Direction,
    threshold: u16,
    transitions: &mut Vec<Transition>,
) {
    let width = (to.x - from.x) + (to.y - from.y) + 1;
    let mut add = |cell: Cell| transitions.push((cell, cell.step(direction)));
    if width < threshold || width == 1 {
        add(Cell::new(from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2));
    } else {
        add(from);
        add(to);
    }
}

/// Adds the diagonal steps out of a cluster that pass between two blocked cells.
fn find_squeezes(grid: &Grid, area: Rect, transitions: &mut Vec<Transition>) {
    let (min, max) = (area.min(), area.max());
    let on_border = |cell: &Cell| cell.x == min.x || cell.x == max.x || cell.y == min.y || cell.y == max.y;
    for cell in area.cells().filter(on_border) {
        for direction in grid.moves(cell).filter(|direction| direction.is_diagonal()) {
            let to = cell.step(direction);
            let sides = [Cell::new(cell.x, to.y), Cell::new(to.x, cell.y)];
            if !area.contains(to) && !sides.into_iter().any(|side| grid.is_free(side)) {
                transitions.push((cell, to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;
    use crate::hpa::HpaSettings;

    fn transitions(map: &str, cluster: ClusterId, rule: Diagonals) -> Vec<((u16, u16), (u16, u16))> {
        let rules = Rules { diagonals: rule, ..Rules::default() };
        let grid = Grid::from_ascii(map).unwrap().with_rules(rules);
        let settings = HpaSettings { cluster: 8, entrance: 6, levels: 1, ..HpaSettings::default() };
        let layout = Layout::new(grid.width(), grid.height(), settings);
        let mut found = Vec::new();
        find_transitions(&grid, &layout, cluster, settings.entrance, &mut found);
        found.into_iter().map(|(a, b)| ((a.x, a.y), (b.x, b.y))).collect()
    }

    #[test]
    fn narrow_entrances_have_one_transition_and_wide_ones_two() {
        let map = "
            .....#.#........
            ................
        ";
        // Rows 0 and 1 on either side of the border between columns 7 and 8.
        assert_eq!(transitions(map, 0, Diagonals::Strict), [((7, 1), (8, 1))]);
        let tall = ["........"; 8].join("\n") + "\n" + &[".....#.."; 2].join("\n");
        // Below row 7: widths 5 and 2.
        assert_eq!(transitions(&tall, 0, Diagonals::Strict), [((2, 7), (2, 8)), ((6, 7), (6, 8))]);
        let wide = ["......#."; 9].join("\n");
        assert_eq!(
            transitions(&wide, 0, Diagonals::Strict),
            [((0, 7), (0, 8)), ((5, 7), (5, 8)), ((7, 7), (7, 8))]
        );
    }

    #[test]
    fn both_sides_of_a_border_see_the_same_transitions() {
        let rows: Vec<String> = (0..16)
            .map(|y| (0..24).map(|x| if x * 7 % 5 == y * 3 % 4 { '#' } else { '.' }).collect())
            .collect();
        let map = rows.join("\n");
        for rule in [Diagonals::Strict, Diagonals::Free] {
            let all: Vec<_> = (0..6).flat_map(|cluster| transitions(&map, cluster, rule)).collect();
            assert!(!all.is_empty());
            assert!(all.iter().all(|&(a, b)| all.contains(&(b, a))));
        }
    }

    #[test]
    fn a_squeeze_between_blocked_cells_counts_where_it_is_legal() {
        let mut rows = vec![vec![b'#'; 16]; 16];
        rows[7][7] = b'.';
        rows[8][8] = b'.';
        let map =
            rows.iter().map(|row| String::from_utf8(row.clone()).unwrap()).collect::<Vec<_>>().join("\n");
        assert_eq!(transitions(&map, 0, Diagonals::Free), [((7, 7), (8, 8))]);
        assert_eq!(transitions(&map, 3, Diagonals::Free), [((8, 8), (7, 7))]);
        assert!(transitions(&map, 0, Diagonals::OneSide).is_empty());
    }
}

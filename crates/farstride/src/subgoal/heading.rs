//! Headings: the directions in which a leg of a path may begin and end.

use super::corner::Corners;
use crate::base::{Cell, Direction};
use crate::grid::{Diagonals, Grid};
use crate::nlevel::{ANYHOW, Turns};

/// Which turns at the subgoals of a map are detours.
///
/// Between two direct-h-reachable cells the steps of a shortest path may come in
/// any order. So a leg can begin and end with a step of each direction it contains;
/// these are at most two, and make its *class*. If a step that may be the last of
/// one leg and a step that may be the first of the next can be replaced by
/// something shorter ([`is_detour`]), the two legs together are no shortest path.
/// A search that skips such turns looks at a seventh of the successors
/// (`docs/decisions/0010-turns-that-are-detours.md`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Headings {
    corners: Box<[Corners]>,
    table: &'static Table,
}

/// For each set of corners and each class of arrival, [`ANYHOW`] included, the
/// classes in which a subgoal can be left, one bit each.
type Table = [[u16; 17]; 16];

static ONWARD: [Table; 4] =
    [table(Diagonals::Strict), table(Diagonals::OneSide), table(Diagonals::Free), table(Diagonals::None)];

/// Classes from here on have two directions. Smaller ones are the number of their
/// single direction.
const MIXED: u8 = 8;

impl Headings {
    /// The headings of a map with the given subgoals.
    pub(super) fn new(grid: &Grid, subgoals: &[Cell]) -> Self {
        let corners = subgoals.iter().map(|&cell| Corners::at(grid, cell)).collect();
        Self { corners, table: &ONWARD[grid.rules().diagonals as usize] }
    }
}

impl Turns for Headings {
    #[inline]
    fn onward(&self, node: u32, arrival: u8) -> u16 {
        let row = &self.table[usize::from(self.corners[node as usize].turns())];
        row[usize::from(arrival.min(ANYHOW))]
    }

    #[inline]
    fn back(&self, class: u8) -> u8 {
        back(class)
    }
}

/// The class of the same leg walked the other way.
#[inline]
pub(super) const fn back(class: u8) -> u8 {
    match class {
        MIXED.. => class ^ 3,
        _ => Direction::ALL[class as usize].opposite() as u8,
    }
}

/// The headings of a graph, or none if every turn may be taken.
pub(super) struct Onward<'h> {
    pub(super) headings: &'h Headings,
    pub(super) any: bool,
}

impl Turns for Onward<'_> {
    #[inline]
    fn onward(&self, node: u32, arrival: u8) -> u16 {
        if self.any { u16::MAX } else { self.headings.onward(node, arrival) }
    }

    #[inline]
    fn back(&self, class: u8) -> u8 {
        self.headings.back(class)
    }
}

/// The class of legs with diagonal steps into a quarter and straight ones along a
/// row (`across`) or column. On 4-connected maps, the class of legs along a row and
/// a column, with `across` false.
pub(super) const fn mixed(quarter: u8, across: bool) -> u8 {
    MIXED + quarter + 4 * across as u8
}

/// The diagonal direction into a quarter: bit 0 of the quarter stands for larger
/// columns, bit 1 for larger rows.
pub(super) const fn diagonal(quarter: u8) -> Direction {
    match quarter {
        0 => Direction::NorthWest,
        1 => Direction::NorthEast,
        2 => Direction::SouthWest,
        _ => Direction::SouthEast,
    }
}

/// The directions of a class, one bit each.
pub(super) const fn directions(rule: Diagonals, class: u8) -> u8 {
    if class < MIXED {
        return 1 << class;
    }
    let quarter = class & 3;
    let across = if quarter & 1 != 0 { Direction::East } else { Direction::West };
    let down = if quarter & 2 != 0 { Direction::South } else { Direction::North };
    match rule {
        Diagonals::None => 1 << across as u8 | 1 << down as u8,
        _ if class & 4 != 0 => 1 << diagonal(quarter) as u8 | 1 << across as u8,
        _ => 1 << diagonal(quarter) as u8 | 1 << down as u8,
    }
}

/// Whether a step to a cell with these corners and a step on from there can be
/// replaced by something shorter.
///
/// Without diagonal steps, only a step and its reverse can. With them, two steps
/// that turn by more than a right angle can: one step joins their ends, over cells
/// that the two need free anyway. At a right angle, two straight steps can be
/// replaced by a diagonal one, unless the cell between them is blocked and corners
/// must not be cut. Two diagonal steps can be replaced by straight ones over the
/// cell between them, unless that is blocked, which happens only where corners may
/// be cut.
pub(super) const fn is_detour(
    rule: Diagonals,
    corners: u8,
    arrival: Direction,
    departure: Direction,
) -> bool {
    let (ax, ay) = arrival.delta();
    let (bx, by) = departure.delta();
    let along = ax * bx + ay * by; // has the sign of the cosine of the turn
    if along != 0 || matches!(rule, Diagonals::None) {
        return along < 0;
    }
    // The cell between the one come from and the one gone to.
    let (x, y) = (bx - ax, by - ay);
    match (rule, arrival.is_diagonal()) {
        (Diagonals::Strict, false) => corners >> ((x > 0) as u8 + 2 * (y > 0) as u8) & 1 == 0,
        (Diagonals::OneSide | Diagonals::Free, true) => corners >> side(x, y) & 1 == 0,
        _ => true,
    }
}

/// The number of the straight direction towards an offset.
pub(super) const fn side(x: i16, y: i16) -> u8 {
    if y < 0 {
        Direction::North as u8
    } else if x > 0 {
        Direction::East as u8
    } else if y > 0 {
        Direction::South as u8
    } else {
        Direction::West as u8
    }
}

/// Computes [`ONWARD`] for a rule.
const fn table(rule: Diagonals) -> Table {
    let mut table = [[u16::MAX; 17]; 16];
    let mut corners = 0;
    while corners < 16 {
        let mut pair = 0;
        while pair < 256 {
            let (arrival, departure) = (pair / 16, pair % 16);
            if class_is_detour(rule, corners, arrival as u8, departure as u8) {
                table[corners as usize][arrival] &= !(1 << departure);
            }
            pair += 1;
        }
        corners += 1;
    }
    table
}

/// Whether some last step of one class and some first step of another are a detour.
/// One such pair of steps is enough: both legs can be walked so that it occurs.
const fn class_is_detour(rule: Diagonals, corners: u8, arrival: u8, departure: u8) -> bool {
    let (last, first) = (directions(rule, arrival), directions(rule, departure));
    let mut pair = 0;
    while pair < 64 {
        let (a, b) = (pair / 8, pair % 8);
        if last >> a & 1 != 0
            && first >> b & 1 != 0
            && is_detour(rule, corners, Direction::ALL[a], Direction::ALL[b])
        {
            return true;
        }
        pair += 1;
    }
    false
}

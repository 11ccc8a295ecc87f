//! Headings: in which directions a leg of a path may begin and end.

use super::corner::Corners;
use crate::base::{Cell, Direction};
use crate::grid::{Diagonals, Grid};
use crate::nlevel::{ANYHOW, Turns};

/// Which turns at subgoals are detours.
///
/// Between two direct-h-reachable cells the steps of a shortest path may come
/// in any order, so that it can begin and end with a step of each direction it
/// contains: at most two, which make its class. If a step that may be the last
/// of one leg and a step that may be the first of the next can be replaced by
/// something shorter, the two legs together are no shortest path
/// ([`is_detour`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Headings {
    corners: Box<[Corners]>,
    table: &'static Table,
}

/// Classes in which a subgoal can be left, for each set of corners and each
/// class of arrival, [`ANYHOW`] included.
type Table = [[u16; 17]; 16];

static ONWARD: [Table; 4] =
    [table(Diagonals::Strict), table(Diagonals::OneSide), table(Diagonals::Free), table(Diagonals::None)];

/// From here on, classes of two directions.
const MIXED: u8 = 8;

impl Headings {
    /// Those of a map with the given subgoals.
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

/// Those of a graph, unless any turn may be taken.
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

/// The class of diagonal steps in a quarter and straight ones in a row or
/// column. On 4-connected maps, of steps in row and column, as if in a column.
pub(super) const fn mixed(quarter: u8, across: bool) -> u8 {
    MIXED + quarter + 4 * across as u8
}

/// The diagonal in a quarter: 1 stands for larger columns, 2 for larger rows.
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

/// Whether a step to a cell with such corners and a step on from there can be
/// replaced by something shorter.
///
/// Without diagonal steps only the way back can. With them, two steps that turn
/// by more than a right angle can: one step joins their ends, along cells that
/// the two need to be free. At a right angle, two straight steps can be replaced
/// by a diagonal one, unless the cell between them is blocked and must not be
/// passed; two diagonal ones by straight ones over the cell between them, unless
/// that is blocked, which it can only be where corners are cut.
pub(super) const fn is_detour(
    rule: Diagonals,
    corners: u8,
    arrival: Direction,
    departure: Direction,
) -> bool {
    let (ax, ay) = arrival.delta();
    let (bx, by) = departure.delta();
    let along = ax * bx + ay * by; // sign of the cosine of the turn
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

/// The straight direction of a cell beside another.
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

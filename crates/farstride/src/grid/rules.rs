//! Which steps are legal, and what they cost.

use crate::base::{Cell, Cost, DiagonalCost, Direction, Node, Rect, Trail};

/// Which diagonal steps are allowed between free cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Diagonals {
    /// Only if both side cells are free: the rule of the MovingAI benchmarks and
    /// of the subgoal papers. The default.
    #[default]
    Strict,
    /// Only if at least one side cell is free, so never between two blocked
    /// cells. The rule of the HPA* paper.
    OneSide,
    /// Always.
    Free,
    /// Never: a 4-connected grid.
    None,
}

/// Moves by rule, by the step that led to the cell (see [`arrival`]) and by 3 × 3
/// neighbourhood. The 18 kB decide every step of every search; computing the
/// moves instead takes three times as long.
static MOVES: [[[u8; 512]; 9]; 4] = [
    moves_table(Diagonals::Strict),
    moves_table(Diagonals::OneSide),
    moves_table(Diagonals::Free),
    moves_table(Diagonals::None),
];

/// Table position for a cell without a parent.
const NO_STEP: usize = arrival(0, 0);

/// Table position for a cell reached by a step `(dx, dy)`.
const fn arrival(dx: i16, dy: i16) -> usize {
    ((dy + 1) * 3 + dx + 1) as usize
}

const fn moves_table(rule: Diagonals) -> [[u8; 512]; 9] {
    let mut table = [[0; 512]; 9];
    let mut around = 0;
    while around < 512 {
        let mut d = 0;
        while d < 8 {
            let direction = Direction::ALL[d];
            if rule.allows(around, direction) {
                table[NO_STEP][around] |= 1 << d;
                let mut s = 0;
                while s < 8 {
                    let (dx, dy) = Direction::ALL[s].delta();
                    if !rule.is_detour(around, direction, (dx, dy)) {
                        table[arrival(dx, dy)][around] |= 1 << d;
                    }
                    s += 1;
                }
            }
            d += 1;
        }
        around += 1;
    }
    table
}

impl Diagonals {
    /// Whether a unit in the middle of a 3 × 3 neighbourhood may step in
    /// `direction`.
    const fn allows(self, around: usize, direction: Direction) -> bool {
        let (dx, dy) = direction.delta();
        is_set(around, 0, 0) && self.allows_step(around, (0, 0), (dx, dy))
    }

    /// Whether a unit on the free cell `from` may step to the adjacent cell `to`.
    const fn allows_step(self, around: usize, from: (i16, i16), to: (i16, i16)) -> bool {
        if !is_set(around, to.0, to.1) {
            return false;
        }
        let straight = from.0 == to.0 || from.1 == to.1;
        straight || self.passes_corner(is_set(around, to.0, from.1), is_set(around, from.0, to.1))
    }

    /// Whether a search that came to the middle by a step `(dx, dy)` can skip a
    /// move, because the cell it came from reaches the target as well without it:
    ///
    /// 1. the target is that cell, or one step from it: strictly shorter;
    /// 2. two straight steps reach it where the way over the middle takes two
    ///    diagonal ones: strictly shorter;
    /// 3. a diagonal step, then a straight one reach it where the way over the
    ///    middle takes a straight step, then a diagonal one: equally short, and
    ///    its last step is straight, which rule 3 never skips.
    ///
    /// So whenever a step of a shortest path is skipped, another shortest path to
    /// the same cell has a last step that is not. This holds for any choice among
    /// equally good parents. It does not hold with weights, where one step may
    /// cost more than two.
    const fn is_detour(self, around: usize, direction: Direction, (dx, dy): (i16, i16)) -> bool {
        let from = (-dx, -dy);
        let to = direction.delta();
        match ((to.0 - from.0).abs(), (to.1 - from.1).abs()) {
            (0, 0) => true,
            (0 | 1, 0 | 1) => self.allows_step(around, from, to),
            (2, 0) => to.1 != 0 && is_set(around, 0, to.1),
            (0, 2) => to.0 != 0 && is_set(around, to.0, 0),
            (2, 1) => dy == 0 && self.allows_step(around, from, (0, to.1)),
            (1, 2) => dx == 0 && self.allows_step(around, from, (to.0, 0)),
            _ => false,
        }
    }

    /// Whether a diagonal step may pass between two side cells, given which of
    /// them are free.
    pub(crate) const fn passes_corner(self, one: bool, other: bool) -> bool {
        match self {
            Self::Strict => one && other,
            Self::OneSide => one || other,
            Self::Free => true,
            Self::None => false,
        }
    }

    /// Whether the rule lets units move at an angle, but not between two blocked cells that
    /// touch at a corner. Then cells are connected exactly if a string joins them.
    pub(crate) const fn keeps_gaps_closed(self) -> bool {
        matches!(self, Self::Strict | Self::OneSide)
    }

    /// Moves from the middle of a 3 × 3 neighbourhood, given as nine bits.
    #[inline]
    pub(super) fn moves(self, around: usize) -> Moves {
        Moves(MOVES[self as usize][NO_STEP][around & 511])
    }

    /// The moves that remain for a search that came from the adjacent cell
    /// `parent` (see [`Diagonals::is_detour`]).
    #[inline]
    pub(super) fn onward_moves(self, around: usize, cell: Cell, parent: Cell) -> Moves {
        let dx = cell.x.wrapping_sub(parent.x).wrapping_add(1);
        let dy = cell.y.wrapping_sub(parent.y).wrapping_add(1);
        let arrival = if dx < 3 && dy < 3 { usize::from(dy * 3 + dx) } else { NO_STEP };
        Moves(MOVES[self as usize][arrival][around & 511])
    }
}

const fn is_set(around: usize, dx: i16, dy: i16) -> bool {
    around >> ((dy + 1) * 3 + dx + 1) & 1 != 0
}

/// A set of directions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Moves(u8);

impl Moves {
    /// The empty set.
    pub(crate) const NONE: Self = Self(0);

    /// Whether `direction` is in the set.
    pub(crate) const fn contains(&self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 != 0
    }

    /// Whether any of these directions, one bit each, is in the set.
    #[inline]
    pub(crate) const fn meets(self, directions: u8) -> bool {
        self.0 & directions != 0
    }

    /// One bit for each direction.
    #[inline]
    pub(crate) const fn bits(&self) -> u8 {
        self.0
    }

    /// The moves from `cell` that stay in `area`, which contains `cell`.
    #[inline]
    pub(crate) fn within(self, area: Rect, cell: Cell) -> Self {
        let (min, max) = (area.min(), area.max());
        let barred = |at_edge: bool, outwards: u8| if at_edge { outwards } else { 0 };
        let barred = barred(cell.y == min.y, Self::NORTHWARDS)
            | barred(cell.y == max.y, Self::SOUTHWARDS)
            | barred(cell.x == min.x, Self::WESTWARDS)
            | barred(cell.x == max.x, Self::EASTWARDS);
        Self(self.0 & !barred)
    }

    /// The directions that change the row or column this way, one bit each.
    pub(crate) const NORTHWARDS: u8 = leading(0, -1);
    pub(crate) const SOUTHWARDS: u8 = leading(0, 1);
    pub(crate) const WESTWARDS: u8 = leading(-1, 0);
    pub(crate) const EASTWARDS: u8 = leading(1, 0);
}

/// The directions with this change of column or row; the other one is 0.
const fn leading(dx: i16, dy: i16) -> u8 {
    let mut bits = 0;
    let mut d = 0;
    while d < Direction::ALL.len() {
        let delta = Direction::ALL[d].delta();
        if delta.0 * dx + delta.1 * dy > 0 {
            bits |= 1 << d;
        }
        d += 1;
    }
    bits
}

impl Moves {
    /// Calls `visit` with every cell that a move leads to, and whether the step is
    /// diagonal. The iterator does the same at twice the cost: it decodes a
    /// [`Direction`] where this adds one number.
    #[inline]
    pub(crate) fn for_each_cell(self, cell: Cell, mut visit: impl FnMut(Cell, bool)) {
        let here = cell.pack();
        let mut left = self.0;
        while left != 0 {
            let d = left.trailing_zeros() as usize & 7;
            visit(Cell::unpack(here.wrapping_add(PACKED_STEPS[d])), d >= 4);
            left &= left - 1;
        }
    }
}

/// What each direction adds to a packed cell.
static PACKED_STEPS: [u32; 8] = {
    let mut steps = [0; 8];
    let mut d = 0;
    while d < 8 {
        steps[d] = Direction::ALL[d].packed_step();
        d += 1;
    }
    steps
};

impl Iterator for Moves {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let direction = Direction::ALL[self.0.trailing_zeros() as usize & 7];
        self.0 &= self.0 - 1;
        Some(direction)
    }
}

/// The movement rules of a map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Rules {
    /// Which diagonal steps are allowed.
    pub diagonals: Diagonals,
    /// What a diagonal step costs.
    pub diagonal_cost: DiagonalCost,
}

impl Rules {
    /// The cost between two cells of an empty map of weight 1: the heuristic.
    #[inline]
    pub(crate) fn distance(self, from: Cell, to: Cell) -> Cost {
        match self.diagonals {
            Diagonals::None => self.diagonal_cost.manhattan(from, to),
            _ => self.diagonal_cost.octile(from, to),
        }
    }

    /// The same for cells this many columns and rows apart.
    pub(crate) fn distance_of(self, columns: u64, rows: u64) -> Cost {
        match self.diagonals {
            Diagonals::None => self.diagonal_cost.straight() * (columns + rows),
            _ => self.diagonal_cost.octile_of(columns, rows),
        }
    }

    /// Cost of one step between cells whose weights add up to `weights`.
    #[inline]
    pub(crate) fn step(self, direction: Direction, weights: u64) -> Cost {
        let full = if direction.is_diagonal() {
            self.diagonal_cost.diagonal()
        } else {
            self.diagonal_cost.straight()
        };
        Cost::from_units(full.units() / 2 * weights)
    }
}

/// Exact counts of a path's straight and diagonal steps, weighted: a step counts
/// the sum of its two cells' weights, so 2 halves on ground of weight 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Steps {
    /// Straight steps: sum of the weights of both cells of each.
    pub straight_halves: u64,
    /// Diagonal steps: sum of the weights of both cells of each.
    pub diagonal_halves: u64,
}

impl Steps {
    /// The steps of a path over ground of weight 1.
    pub(crate) fn of_trail(trail: &Trail) -> Self {
        let (straight, diagonal) = trail.step_counts();
        Self { straight_halves: 2 * straight, diagonal_halves: 2 * diagonal }
    }

    /// Length in straight steps. The same on every platform, because it rounds
    /// integers only.
    pub(crate) fn length(self, cost: DiagonalCost) -> f64 {
        self.straight_halves as f64 / 2.0 + self.diagonal_halves as f64 / 2.0 * cost.ratio()
    }

    /// The exact cost.
    pub(crate) fn cost(self, cost: DiagonalCost) -> Cost {
        let halves = cost.straight().units() / 2 * self.straight_halves
            + cost.diagonal().units() / 2 * self.diagonal_halves;
        Cost::from_units(halves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves north-east from the middle, given the cells north and east.
    fn north_east(rule: Diagonals, north: bool, east: bool) -> bool {
        let around = 0b000_010_100 | usize::from(north) << 1 | usize::from(east) << 5;
        rule.moves(around).contains(Direction::NorthEast)
    }

    #[test]
    fn side_cells_decide_diagonal_steps() {
        let sides = [(true, true), (true, false), (false, true), (false, false)];
        let allowed = |rule| sides.map(|(north, east)| north_east(rule, north, east));
        assert_eq!(allowed(Diagonals::Strict), [true, false, false, false]);
        assert_eq!(allowed(Diagonals::OneSide), [true, true, true, false]);
        assert_eq!(allowed(Diagonals::Free), [true; 4]);
        assert_eq!(allowed(Diagonals::None), [false; 4]);
    }

    #[test]
    fn packed_steps_are_steps() {
        let cell = Cell::new(1000, 1);
        let moves = Diagonals::Free.moves(0b111_111_111);
        let mut seen = Vec::new();
        moves.clone().for_each_cell(cell, |next, diagonal| seen.push((next, diagonal)));
        let expected = moves.map(|direction| (cell.step(direction), direction.is_diagonal()));
        assert_eq!(seen, expected.collect::<Vec<_>>());
    }

    #[test]
    fn only_onward_moves_remain_in_the_open() {
        for step in Direction::ALL {
            let parent = Cell::new(5, 5);
            let cell = parent.step(step);
            let onward = Diagonals::Strict.onward_moves(0b111_111_111, cell, parent);
            let contains = onward.contains(step);
            assert_eq!(onward.count(), if step.is_diagonal() { 3 } else { 1 }, "{step:?}");
            assert!(contains);
        }
        let unrelated = Diagonals::Strict.onward_moves(0b111_111_111, Cell::new(5, 5), Cell::new(0, 9));
        assert_eq!(unrelated.count(), 8);
    }

    #[test]
    fn blocked_cells_are_neither_left_nor_entered() {
        assert_eq!(Diagonals::Free.moves(0b111_101_111), Moves::NONE);
        assert_eq!(Diagonals::Free.moves(0b000_010_000), Moves::NONE);
        assert_eq!(Diagonals::Free.moves(0b111_111_111).count(), 8);
        assert_eq!(Diagonals::None.moves(0b111_111_111).count(), 4);
    }
}

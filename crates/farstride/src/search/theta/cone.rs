//! Cones: what a parent is known to see around a node.
//!
//! When Theta* expands a node, its parent sees the node, and a successor is next
//! to it, so nearly all cells between parent and successor were tested before. A
//! cone remembers the results. It is narrowed by one row or column of cells per
//! expanded node, passed on to the successors, and shows nine in ten of those in
//! sight without a test along the line. What it shows is certainly in sight; all
//! else is left to [`Grid::line_of_sight`], so that paths are the same as without
//! cones.

use crate::base::Cell;
use crate::grid::{Diagonals, Grid};

/// Places nearer than this to the edge of a cone, in cells, count as outside. It
/// covers the rounding of `f32` up to [`Grid::MAX_SIDE`]: half a unit in the last
/// place of the bound, magnified by the distance, plus that of the product, are
/// less than 0.0012 cells.
const MARGIN: f32 = 1.0 / 512.0;

/// Coordinates around a parent. `u` counts columns (rows if upright) and is
/// positive on the node's side; `v` counts the other axis.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Frame {
    parent: Cell,
    upright: bool,
    backwards: bool,
}

impl Frame {
    /// A frame for a node; `u` of the node must not be 0 unless it is the parent.
    #[inline]
    fn new(parent: Cell, node: Cell, upright: bool) -> Self {
        let (dx, dy) = offset(parent, node);
        Self { parent, upright, backwards: if upright { dy < 0 } else { dx < 0 } }
    }

    /// The frame in which the node is at least as far ahead as aside.
    #[inline]
    fn natural(parent: Cell, node: Cell) -> Self {
        let (dx, dy) = offset(parent, node);
        Self::new(parent, node, dy.abs() > dx.abs())
    }

    /// The coordinates of a cell.
    #[inline]
    fn place(self, cell: Cell) -> (i32, i32) {
        let (dx, dy) = offset(self.parent, cell);
        let (u, v) = if self.upright { (dy, dx) } else { (dx, dy) };
        (if self.backwards { -u } else { u }, v)
    }

    /// The cell at these coordinates.
    #[inline]
    fn cell(self, u: i32, v: i32) -> Cell {
        let u = if self.backwards { -u } else { u };
        let (dx, dy) = if self.upright { (v, u) } else { (u, v) };
        Cell::new((i32::from(self.parent.x) + dx) as u16, (i32::from(self.parent.y) + dy) as u16)
    }
}

#[inline]
fn offset(from: Cell, to: Cell) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}

/// The slopes `v / u` strictly between `low` and `high`: no ray from the parent
/// with one of them touches a blocked cell, not even at a corner, in ranks
/// `0..=u` up to that of a node (a rank is all cells of equal `u`).
///
/// **Claim.** Let a cone reach to rank `u`. Then the parent sees every free cell
/// inside the cone up to rank `u + 1`, under every diagonal rule, if the cell is
/// more ahead than aside, or if the next cell of its rank towards the middle line
/// is free.
/// *Proof.* In all ranks but the last, the segment touches no blocked cell. In
/// the last it moves sideways by half its slope before it ends in the middle of
/// the cell. That is less than half a cell in the first case, so it touches no
/// other cell; and less than one and a half cells in any case ([`STEEPEST`]), so
/// it touches no other cell but the next.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Cone {
    frame: Frame,
    low: f32,
    high: f32,
}

/// The steepest slope of any cone. Above 1, so that a cone can be passed on across
/// the diagonals through the parent; otherwise one node in twenty-five needed a
/// new cone there.
const STEEPEST: f32 = 2.5;

/// A cone as the search tree stores it: bounds in ascending order if the frame is
/// upright, descending if not; equal bounds mean no cone.
pub(in crate::search) type PackedCone = [f32; 2];

impl Cone {
    /// No cone.
    pub(in crate::search) const NONE: PackedCone = [0.0; 2];

    /// Unpacks the cone of `node`; `None` if there is none or the node is the
    /// start. A node beside its parent (`u` = 0) is not in its own cone. No cone
    /// lies behind the parent: only the start has successors there, and the one
    /// rank that its cone covers looks the same from both sides.
    #[inline]
    pub(in crate::search) fn unpack([first, last]: PackedCone, parent: Cell, node: Cell) -> Option<Self> {
        let upright = first < last;
        let frame = Frame::new(parent, node, upright);
        let (low, high) = if upright { (first, last) } else { (last, first) };
        (low < high && parent != node).then_some(Self { frame, low, high })
    }

    /// Packs the cone for a successor.
    #[inline]
    pub(in crate::search) fn pack(self) -> PackedCone {
        if self.frame.upright { [self.low, self.high] } else { [self.high, self.low] }
    }

    /// Whether the cone shows a free cell, at most one rank ahead.
    #[inline]
    pub(in crate::search) fn shows(&self, grid: &Grid, cell: Cell) -> bool {
        let (u, v) = self.frame.place(cell);
        self.contains(u, v) && (v.abs() < u || grid.is_free(self.frame.cell(u, v - v.signum())))
    }

    /// Whether a place is inside. Places beside or behind the parent are not:
    /// there nothing is both above `low` and below `high`.
    #[inline]
    fn contains(&self, u: i32, v: i32) -> bool {
        let (u, v) = (u as f32, v as f32);
        v - self.low * u > MARGIN && self.high * u - v > MARGIN
    }

    /// Narrows the cone to the slopes that also pass the rank of `node` through
    /// the free cells around it. A ray is farthest from the middle line where it
    /// leaves the rank, so a bound on its own side of that line is taken there, and
    /// a bound on the other side where the ray enters.
    #[inline]
    pub(in crate::search) fn narrowed(self, grid: &Grid, node: Cell) -> Self {
        let (u, v) = self.frame.place(node);
        let (before, after) = grid.free_beside(node, self.frame.upright);
        let (enter, leave) = (u as f32 - 0.5, u as f32 + 0.5);
        let low = (v - before as i32) as f32 + 0.5;
        let high = (v + after as i32) as f32 - 0.5;
        let low = low / if low < 0.0 { leave } else { enter };
        let high = high / if high < 0.0 { enter } else { leave };
        // Not `f32::max`, which handles NaN at a cost.
        Self {
            low: if low > self.low { low } else { self.low },
            high: if high < self.high { high } else { self.high },
            ..self
        }
    }

    /// Builds the cone around the ray from `parent` to `node`, rank by rank. It
    /// shows nothing if the ray touches a blocked cell.
    pub(in crate::search) fn around(grid: &Grid, parent: Cell, node: Cell) -> Self {
        let frame = Frame::natural(parent, node);
        let (ranks, v) = frame.place(node);
        let mut cone = Self { frame, low: -STEEPEST, high: STEEPEST };
        let slope = (i64::from(v) << 32) / i64::from(ranks.max(1));
        let mut middle = 1 << 31;
        for u in 0..=ranks {
            cone = cone.narrowed(grid, frame.cell(u, (middle >> 32) as i32));
            middle += slope;
        }
        let touches = ranks > 0 && !cone.contains(ranks, v);
        // On a 4-connected grid, oblique segments are not lines of sight.
        if touches || grid.rules().diagonals == Diagonals::None {
            return Self { low: 0.0, high: 0.0, ..cone };
        }
        cone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    const SIDE: usize = 40;

    /// A map with one blocked cell in `rarity`, scattered or in lumps of 3 × 3.
    fn scattered(seed: u64, rarity: u64, lump: u16) -> Grid {
        let is_free = |cell: Cell| {
            let key = u64::from(cell.x / lump) << 32 | u64::from(cell.y / lump);
            let mixed = (key ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33 & 0xffff >= 0x1_0000 / rarity
        };
        Grid::from_fn(SIDE, SIDE, is_free).unwrap()
    }

    /// Passes the cones of `parent` on as a search does, breadth first; returns how many
    /// cells were shown and how many were in sight.
    fn spread(grid: &Grid, parent: Cell) -> (usize, usize) {
        let mut seen = vec![false; SIDE * SIDE];
        let mut queue = std::collections::VecDeque::from([(parent, Cone::NONE)]);
        seen[grid.index(parent)] = true;
        let mut counts = (0, 0);
        while let Some((node, packed)) = queue.pop_front() {
            let cone = match Cone::unpack(packed, parent, node) {
                Some(cone) => cone.narrowed(grid, node),
                None => Cone::around(grid, parent, node),
            };
            for next in grid.moves_at(node).map(|direction| node.step(direction)) {
                let (shown, in_sight) = (cone.shows(grid, next), grid.line_of_sight(parent, next));
                assert!(in_sight || !shown, "{parent} does not see {next}, but {node} was told so");
                if in_sight && !std::mem::replace(&mut seen[grid.index(next)], true) {
                    counts = (counts.0 + usize::from(shown), counts.1 + 1);
                    queue.push_back((next, if shown { cone.pack() } else { Cone::NONE }));
                }
            }
        }
        counts
    }

    #[test]
    fn what_a_cone_shows_is_in_sight() {
        let (mut shown, mut in_sight) = (0, 0);
        for diagonals in [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None] {
            for (seed, rarity, lump) in [(1, 6, 1), (2, 20, 1), (3, 200, 1), (4, 8, 3), (5, 30, 3)] {
                let grid = scattered(seed, rarity, lump).with_rules(Rules { diagonals, ..Rules::default() });
                for parent in (0..SIDE * SIDE).step_by(7) {
                    let parent = Cell::new((parent % SIDE) as u16, (parent / SIDE) as u16);
                    let counts = if grid.is_free(parent) { spread(&grid, parent) } else { (0, 0) };
                    shown += counts.0;
                    in_sight += counts.1;
                }
            }
        }
        assert!(shown * 10 > in_sight * 8, "{shown} of {in_sight} cells need no look");
    }
}

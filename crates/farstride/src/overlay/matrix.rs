//! Costs between all border cells of a block.
//!
//! A rectangle of up to 5 × 5 cells is solved cell by cell. Larger ones are made of two
//! halves that share a line: every way through the whole changes halves on that line,
//! so eliminating its cells one after the other gives the costs between the others.
//! All of it is additions and minima over rows, which compilers turn into vector
//! instructions; a search from each border cell takes several times as long.

use super::ground::Ground;
use super::layout::Frame;

/// Marks that there is no way. Every cost in a block is below, and the sum of two does
/// not overflow.
pub(super) const NO_WAY: u32 = u32::MAX >> 1;

/// The longest side of a rectangle that is solved cell by cell, in steps.
const SMALL: usize = 4;

/// Working memory for matrices. Keep one per thread and reuse it.
#[derive(Debug, Default)]
pub(super) struct MatrixScratch {
    /// Costs between all cells that take part in a merge.
    table: Vec<u32>,
    row: Vec<u32>,
}

/// Costs between the border cells of a rectangle, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Matrix {
    frame: Frame,
    costs: Vec<u32>,
}

impl Matrix {
    /// The costs of ways that stay in a block of this side.
    pub(super) fn of_block(ground: &Ground, side: usize, scratch: &mut MatrixScratch) -> Self {
        solve(ground, (0, 0), Frame { width: side, height: side }, scratch)
    }

    /// The costs from a border cell to all of them.
    pub(super) fn row(&self, place: usize) -> &[u32] {
        let len = self.frame.len();
        &self.costs[place * len..(place + 1) * len]
    }

    /// Says of no cell that it reaches itself: for those who look for detours.
    pub(super) fn without_diagonal(mut self) -> Self {
        let len = self.frame.len();
        self.costs.iter_mut().step_by(len + 1).for_each(|cost| *cost = NO_WAY);
        self
    }
}

/// The matrix of a rectangle of a block.
fn solve(ground: &Ground, (x, y): (usize, usize), frame: Frame, scratch: &mut MatrixScratch) -> Matrix {
    let Frame { width, height } = frame;
    if width <= SMALL && height <= SMALL {
        return solve_small(ground, (x, y), frame, scratch);
    }
    let upright = width >= height;
    let half = if upright { width / 2 } else { height / 2 };
    let (near, far, beyond) = if upright {
        (Frame { width: half, height }, Frame { width: width - half, height }, (x + half, y))
    } else {
        (Frame { width, height: half }, Frame { width, height: height - half }, (x, y + half))
    };
    let near = solve(ground, (x, y), near, scratch);
    let far = solve(ground, beyond, far, scratch);
    merge(frame, &near, &far, upright, scratch)
}

/// The matrix of a small rectangle: eliminates the cells inside, then closes the rest.
fn solve_small(ground: &Ground, corner: (usize, usize), frame: Frame, scratch: &mut MatrixScratch) -> Matrix {
    let MatrixScratch { table, row } = scratch;
    let border = frame.len();
    let mut cells = frame.cells();
    cells.extend((1..frame.height).flat_map(|y| (1..frame.width).map(move |x| (x, y))));
    let count = cells.len();
    let number = |(x, y): (usize, usize)| {
        frame.place(x, y).unwrap_or_else(|| border + (y - 1) * (frame.width - 1) + x - 1)
    };
    table.clear();
    table.resize(count * count, NO_WAY);
    for (at, &(x, y)) in cells.iter().enumerate() {
        let in_block = |(x, y): (usize, usize)| (corner.0 + x, corner.1 + y);
        if !ground.is_free(in_block((x, y))) {
            continue;
        }
        table[at * count + at] = 0;
        ground.for_each_step(in_block((x, y)), |(next_x, next_y), cost| {
            let inside = (next_x.wrapping_sub(corner.0), next_y.wrapping_sub(corner.1));
            if inside.0 <= frame.width && inside.1 <= frame.height {
                table[at * count + number(inside)] = cost;
            }
        });
    }
    for middle in (0..count).rev() {
        // Cells inside are not needed once they are eliminated; border cells are.
        let left = middle.max(border);
        row.clear();
        row.extend_from_slice(&table[middle * count..][..left]);
        for from in 0..left {
            lower(&mut table[from * count..][..left], row, row[from]);
        }
    }
    let costs = (0..border).flat_map(|from| &table[from * count..][..border]).copied().collect();
    Matrix { frame, costs }
}

/// The matrix of two rectangles that share a line: side by side (`upright`), or one
/// above the other.
fn merge(frame: Frame, near: &Matrix, far: &Matrix, upright: bool, scratch: &mut MatrixScratch) -> Matrix {
    let MatrixScratch { table, row } = scratch;
    let border = frame.len();
    let (line, shared) =
        if upright { (near.frame.width, frame.height - 1) } else { (near.frame.height, frame.width - 1) };
    let count = border + shared;
    let number = |(x, y): (usize, usize)| {
        frame.place(x, y).unwrap_or_else(|| border + if upright { y - 1 } else { x - 1 })
    };
    table.clear();
    table.resize(count * count, NO_WAY);
    for (half, shift) in [(near, 0), (far, line)] {
        let shifted = |(x, y)| if upright { (x + shift, y) } else { (x, y + shift) };
        let numbers: Vec<usize> = half.frame.cells().into_iter().map(|cell| number(shifted(cell))).collect();
        for (from, &to_row) in numbers.iter().enumerate() {
            for (&to, &cost) in numbers.iter().zip(half.row(from)) {
                let entry = &mut table[to_row * count + to];
                *entry = cost.min(*entry);
            }
        }
    }
    // Costs are the same both ways: the lower triangle is enough.
    for middle in (border..count).rev() {
        let (rows, rest) = table.split_at_mut(middle * count);
        let through = &rest[..middle];
        for (from, row) in rows.chunks_exact_mut(count).enumerate() {
            lower(&mut row[..=from], &through[..=from], through[from]);
        }
    }
    // The two ends of the shared line belong to the border, and ways lead through them.
    let ends = if upright { [(line, 0), (line, frame.height)] } else { [(0, line), (frame.width, line)] };
    for middle in ends.map(number) {
        row.clear();
        row.extend_from_slice(&table[middle * count..][..=middle]);
        row.extend((middle + 1..border).map(|from| table[from * count + middle]));
        for from in 0..border {
            lower(&mut table[from * count..][..=from], &row[..=from], row[from]);
        }
    }
    let mut costs = vec![NO_WAY; border * border];
    for from in 0..border {
        for to in 0..=from {
            let cost = table[from * count + to];
            costs[from * border + to] = cost;
            costs[to * border + from] = cost;
        }
    }
    Matrix { frame, costs }
}

/// Lowers costs to those of ways that first take a way of cost `first`.
#[inline]
fn lower(costs: &mut [u32], onward: &[u32], first: u32) {
    if first < NO_WAY {
        costs.iter_mut().zip(onward).for_each(|(cost, &onward)| *cost = (*cost).min(first + onward));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DiagonalCost;

    #[test]
    fn costs_in_the_largest_block_fit() {
        let side = u64::from(*super::super::OverlaySettings::SIDE_RANGE.end());
        let steps = (side + 1) * (side + 1) - 1;
        let longest = DiagonalCost::Ratio142.diagonal() * 255 * steps;
        assert!(longest.units() < NO_WAY.into());
    }
}

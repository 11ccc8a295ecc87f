//! Moving paths onto cheaper ground.
//!
//! On terrain with weights, a path through a hierarchy is the best one between the
//! cells where it crosses borders, and these were chosen for all paths alike. Nearly
//! always a better path is a few cells to the side. So the path becomes the middle of a
//! *band*: each of its cells is the middle of a *rung*, a row of cells across the path.
//! The cheapest path from rung to rung is found by going along the band once, without a
//! search: a cell is reached from three cells of the rung before, or from its neighbours
//! on its own rung.
//!
//! Rungs lie across the steps: upright where the path goes east or west, level where it
//! goes north or south; diagonal steps suit both. Where they change from one to the
//! other the band has a corner, and the cells that rungs of both kinds share join them.

use crate::base::{Cell, Direction, Run, Trail};
use crate::grid::{Diagonals, Grid};

/// Cells of a rung on either side of the path.
const REACH: usize = 7;
/// Cells of a rung, and one more that is always blocked: with so many lanes of so many
/// bits, the compiler handles a rung in a few vector instructions.
const LANES: usize = 2 * REACH + 2;
/// The cost of a cell that is not reached, and of steps on blocked ones. Sums stop here.
const FAR: i16 = i16::MAX;
/// Costs of half a straight and half a diagonal step on ground of weight 1. The ratio is
/// that of the map to within two parts in a thousand; whether a path is cheaper is
/// decided by its real cost.
const STRAIGHT: i16 = 12;
const DIAGONAL: i16 = 17;
/// How often a path is moved at most.
const ROUNDS: usize = 4;
/// A path is moved once more if that has saved at least one part in this many.
const WORTHWHILE: u64 = 50;

/// A number for each cell of a rung.
type Lanes = [i16; LANES];

/// A row of cells across a path.
#[derive(Clone, Copy, Debug)]
struct Rung {
    /// The cell of the path, on lane [`REACH`].
    middle: Cell,
    /// Whether lanes are rows, for steps east and west; otherwise they are columns.
    upright: bool,
    /// What is subtracted from `costs`, which would not fit otherwise.
    base: i64,
    /// Cost of the cheapest way to each lane.
    costs: Lanes,
    /// Weights; 0 where blocked.
    weights: Lanes,
}

/// Moves paths onto cheaper ground; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Band {
    rungs: Vec<Rung>,
    /// Steps of the cheapest path, the last one first.
    steps: Vec<Direction>,
    /// The path before it was moved.
    before: Trail,
}

impl Band {
    /// Moves a path onto cheaper ground as far as it pays.
    pub(super) fn settle(&mut self, grid: &Grid, trail: &mut Trail) {
        if grid.is_uniform() || trail.steps() < 2 {
            return;
        }
        let mut cost = cost_of(grid, trail);
        for _ in 0..ROUNDS {
            self.lay(grid, trail);
            self.before.copy_from(trail);
            if !self.trace(grid, trail) {
                return;
            }
            let moved = cost_of(grid, trail);
            if moved >= cost {
                trail.copy_from(&self.before);
                return;
            }
            if cost - moved < cost / WORTHWHILE {
                return;
            }
            cost = moved;
        }
    }

    /// Lays the rungs across a path, and finds the cheapest ways to all their cells.
    fn lay(&mut self, grid: &Grid, trail: &Trail) {
        let Self { rungs, .. } = self;
        rungs.clear();
        let rule = grid.rules().diagonals;
        let first = trail.runs().iter().find_map(|run| is_upright(run.direction));
        let mut upright = first.unwrap_or(true);
        let mut at = trail.start();
        let mut rung = Rung::new(grid, at, upright);
        rung.costs[REACH] = 0;
        rung.go_along();
        rungs.push(rung);
        // The first rung after the last corner.
        let mut corner = 0;
        for run in trail.runs() {
            if is_upright(run.direction).is_some_and(|turned| turned != upright) {
                upright = !upright;
                corner = rungs.len();
                rung = Rung::new(grid, at, upright);
                rung.join(rungs, corner);
                rung.go_along();
                rungs.push(rung);
            }
            for _ in 0..run.len {
                at = at.step(run.direction);
                let mut next = Rung::new(grid, at, upright);
                next.come_from(&rung, rule);
                if corner > 0 && rungs.len() - corner <= REACH {
                    next.join(rungs, corner);
                }
                next.go_along();
                rungs.push(next);
                rung = next;
            }
        }
    }

    /// Replaces a path by the cheapest one in its band; returns whether it was found.
    fn trace(&mut self, grid: &Grid, trail: &mut Trail) -> bool {
        let Self { rungs, steps, .. } = self;
        steps.clear();
        let (mut at, mut lane) = (rungs.len() - 1, REACH);
        while (at, lane) != (0, REACH) {
            let Some((rung, from)) = came_from(grid, rungs, at, lane) else { return false };
            steps.extend(rungs[rung].cell(from).direction_to(rungs[at].cell(lane)));
            (at, lane) = (rung, from);
        }
        trail.restart(trail.start());
        steps.iter().rev().for_each(|&direction| trail.push(Run { direction, len: 1 }));
        true
    }
}

/// The cost of a path.
fn cost_of(grid: &Grid, trail: &Trail) -> u64 {
    let mut at = trail.start();
    let costs = trail.runs().iter().map(|&run| {
        let cost = grid.run_cost(at, run).units();
        at = at.walk_within(run.direction, run.len);
        cost
    });
    costs.sum()
}

/// Whether rungs across a step are upright; `None` if it is diagonal.
const fn is_upright(direction: Direction) -> Option<bool> {
    match direction {
        Direction::East | Direction::West => Some(true),
        Direction::North | Direction::South => Some(false),
        _ => None,
    }
}

/// Lanes moved by `BY`: lane 0 gets what lane `BY` had.
#[inline]
fn moved<const BY: isize>(lanes: &Lanes) -> Lanes {
    std::array::from_fn(|lane| {
        let from = lane.wrapping_add_signed(BY);
        if from < LANES { lanes[from] } else { FAR }
    })
}

/// Applies a function lane by lane.
#[inline]
fn zip(a: &Lanes, b: &Lanes, f: impl Fn(i16, i16) -> i16) -> Lanes {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

/// Costs of half a step on each lane; [`FAR`] where blocked.
#[inline]
fn halves(weights: &Lanes, step: i16) -> Lanes {
    weights.map(|weight| if weight == 0 { FAR } else { weight.wrapping_mul(step) })
}

impl Rung {
    #[inline]
    fn new(grid: &Grid, middle: Cell, upright: bool) -> Self {
        let mut weights: Lanes = grid.weights_across(middle, upright, REACH as u16);
        weights[LANES - 1] = 0;
        Self { middle, upright, base: 0, costs: [FAR; LANES], weights }
    }

    /// The row or column of the middle, along which lanes are counted.
    const fn offset(&self) -> i32 {
        if self.upright { self.middle.y as i32 } else { self.middle.x as i32 }
    }

    /// The cell of a lane.
    const fn cell(&self, lane: usize) -> Cell {
        let Cell { x, y } = self.middle;
        let off = lane as i16 - REACH as i16;
        if self.upright {
            Cell { x, y: y.wrapping_add_signed(off) }
        } else {
            Cell { x: x.wrapping_add_signed(off), y }
        }
    }

    /// Cost of the cheapest way to a lane; `None` if there is none.
    fn cost(&self, lane: usize) -> Option<i64> {
        (self.costs[lane] != FAR).then(|| self.base + i64::from(self.costs[lane]))
    }

    /// Takes the ways from the rung before, which is of the same kind.
    #[inline]
    fn come_from(&mut self, before: &Self, rule: Diagonals) {
        match rule {
            Diagonals::Strict => self.come_by(before, |near, far| near | far),
            Diagonals::OneSide => self.come_by(before, |near, far| near & far),
            Diagonals::Free => self.come_by(before, |_, _| 0),
            Diagonals::None => self.come_by(before, |_, _| FAR),
        }
    }

    /// Takes the ways from the rung before. `between` says what it costs to pass
    /// diagonally between two cells, each 0 or, if it is blocked, [`FAR`].
    #[inline]
    fn come_by(&mut self, before: &Self, between: impl Fn(i16, i16) -> i16) {
        match self.offset() - before.offset() {
            0 => self.come_over::<-1, 0, 1>(before, between),
            1 => self.come_over::<0, 1, 2>(before, between),
            _ => self.come_over::<-2, -1, 0>(before, between),
        }
    }

    /// Takes the ways from the rung before, where the neighbours of lane 0 are these.
    #[inline]
    fn come_over<const BELOW: isize, const LEVEL: isize, const ABOVE: isize>(
        &mut self,
        before: &Self,
        between: impl Fn(i16, i16) -> i16,
    ) {
        let closed = |weights: &Lanes| weights.map(|weight| if weight == 0 { FAR } else { 0 });
        let costs = |step: i16| zip(&before.costs, &halves(&before.weights, step), i16::saturating_add);
        let (straight, diagonal) = (costs(STRAIGHT), costs(DIAGONAL));
        let near = moved::<LEVEL>(&closed(&before.weights));
        let far = closed(&self.weights);
        let side = |from: Lanes, far: Lanes| zip(&from, &zip(&near, &far, &between), i16::saturating_add);
        let below = side(moved::<BELOW>(&diagonal), moved::<-1>(&far));
        let above = side(moved::<ABOVE>(&diagonal), moved::<1>(&far));
        let diagonal = zip(&below, &above, i16::min);
        let diagonal = zip(&diagonal, &halves(&self.weights, DIAGONAL), i16::saturating_add);
        let straight = zip(&moved::<LEVEL>(&straight), &halves(&self.weights, STRAIGHT), i16::saturating_add);
        let costs = zip(&straight, &diagonal, i16::min);
        // The path itself is a way, so its lane is reached.
        let path = costs[REACH];
        self.base = before.base + i64::from(path);
        self.costs = costs.map(|cost| if cost == FAR { FAR } else { cost.wrapping_sub(path) });
    }

    /// Takes the ways along the rung. Each round doubles the number of lanes that a way
    /// may pass.
    #[inline]
    fn go_along(&mut self) {
        let halves = halves(&self.weights, STRAIGHT);
        let mut up = zip(&halves, &moved::<-1>(&halves), i16::saturating_add);
        let mut down = zip(&halves, &moved::<1>(&halves), i16::saturating_add);
        let add = i16::saturating_add;
        macro_rules! round {
            ($by:literal) => {
                let below = zip(&moved::<{ -$by }>(&self.costs), &up, add);
                let above = zip(&moved::<$by>(&self.costs), &down, add);
                self.costs = zip(&self.costs, &zip(&below, &above, i16::min), i16::min);
                up = zip(&up, &moved::<{ -$by }>(&up), add);
                down = zip(&down, &moved::<$by>(&down), add);
            };
        }
        round!(1);
        round!(2);
        round!(4);
        let _ = (up, down);
    }

    /// The lanes of the cell that this rung shares with one of the other kind.
    fn shared(&self, other: &Self) -> Option<(usize, usize)> {
        let dx = i32::from(other.middle.x) - i32::from(self.middle.x);
        let dy = i32::from(other.middle.y) - i32::from(self.middle.y);
        let (ours, theirs) = if self.upright { (dy, -dx) } else { (dx, -dy) };
        let lane = |off: i32| usize::try_from(off + REACH as i32).ok().filter(|&lane| lane <= 2 * REACH);
        Some((lane(ours)?, lane(theirs)?))
    }

    /// Takes the ways to cells shared with the rungs before a corner.
    fn join(&mut self, rungs: &[Self], corner: usize) {
        for (at, other) in rungs_before(rungs, corner, self.upright) {
            let Some((ours, theirs)) = self.shared(other) else { continue };
            let Some(cost) = other.cost(theirs) else { continue };
            if at + 1 == corner && rungs.len() == corner {
                self.base = cost; // of the path, which all ways are measured from
            }
            if let Ok(cost) = i16::try_from(cost - self.base) {
                self.costs[ours] = self.costs[ours].min(cost);
            }
        }
    }
}

/// The rungs before a corner that may share cells with one after it.
fn rungs_before(rungs: &[Rung], corner: usize, upright: bool) -> impl Iterator<Item = (usize, &Rung)> {
    let before = rungs[..corner].iter().enumerate().rev().take(REACH + 1);
    before.take_while(move |(_, rung)| rung.upright != upright)
}

/// The rung and lane from which the cheapest way to a lane comes.
fn came_from(grid: &Grid, rungs: &[Rung], at: usize, lane: usize) -> Option<(usize, usize)> {
    let here = &rungs[at];
    let (cost, cell) = (here.cost(lane)?, here.cell(lane));
    let follow = |rung: usize, from: usize| {
        let other = &rungs[rung];
        let direction = other.cell(from).direction_to(cell)?;
        let step = if direction.is_diagonal() { DIAGONAL } else { STRAIGHT };
        let step = i64::from(step) * i64::from(other.weights[from] + here.weights[lane]);
        let is_way = other.cost(from)? + step == cost
            && (!direction.is_diagonal() || grid.may_step(other.cell(from), direction));
        is_way.then_some((rung, from))
    };
    if at > 0 && rungs[at - 1].upright == here.upright {
        let shift = here.offset() - rungs[at - 1].offset();
        // Along the path first: of equal ways it is taken.
        for side in [-shift, 0, -1, 1] {
            if let Ok(from) = usize::try_from(lane as i32 + shift + side)
                && from <= 2 * REACH
                && let Some(found) = follow(at - 1, from)
            {
                return Some(found);
            }
        }
    }
    let along = [lane.wrapping_sub(1), lane + 1].into_iter().filter(|&from| from <= 2 * REACH);
    along.filter_map(|from| follow(at, from)).next().or_else(|| {
        let corner = (0..at).rev().find(|&rung| rungs[rung].upright != here.upright)? + 1;
        rungs_before(rungs, corner, here.upright).find_map(|(rung, other)| {
            let (ours, theirs) = here.shared(other)?;
            (ours == lane && other.cost(theirs) == Some(cost)).then_some((rung, theirs))
        })
    })
}

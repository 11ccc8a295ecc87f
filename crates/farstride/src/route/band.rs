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

use super::smooth::HEADINGS;
use crate::base::{Cell, Direction, Run, Trail};
use crate::grid::{Diagonals, Grid};
use std::ops::Range;

/// Cells of a rung on either side of the path.
const REACH: usize = 7;
/// Cells of a rung, and one more that is always blocked: with so many lanes of so many
/// bits, the compiler handles a rung in a few vector instructions.
const LANES: usize = 2 * REACH + 2;
/// The cost of a cell that is not reached. Sums stop here; blocked cells stay here.
const FAR: i16 = i16::MAX;
/// Opposite of [`FAR`], for lanes that are open: the larger of this and a cost is the cost.
const OPEN: i16 = i16::MIN;
/// Costs of half a straight and half a diagonal step on ground of weight 1. The ratio is
/// that of the map to within three parts in a thousand; whether a path is cheaper is
/// decided by its real cost.
const STRAIGHT: i16 = 12;
const DIAGONAL: i16 = 17;
/// Lanes that a way passes along a rung at most. Ways that pass more are rare: they pass
/// the others on the next rungs.
const ALONG: usize = 2;
/// How often a path is moved at most.
const ROUNDS: usize = 4;
/// A path that was moved to an edge of its band is moved once more if that has saved at
/// least one part in this many.
const WORTHWHILE: u64 = 50;

/// Steps at either end of a part on the lightest ground that may move all the same.
const MARGIN: usize = 2 * REACH;

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
    /// Steps of the cheapest path between two rungs, the last one first.
    steps: Vec<Direction>,
    /// The path before it was moved, and its steps.
    before: Trail,
    path: Vec<Direction>,
    /// Parts of these steps that stay where they are.
    kept: Vec<Range<usize>>,
}

impl Band {
    /// Moves a path onto cheaper ground as far as it pays.
    pub(super) fn settle(&mut self, grid: &Grid, trail: &mut Trail) {
        if grid.is_uniform() || trail.steps() < 2 {
            return;
        }
        let mut cost = cost_of(grid, trail);
        for _ in 0..ROUNDS {
            self.before.copy_from(trail);
            let edged = self.move_once(grid, trail);
            let moved = cost_of(grid, trail);
            if edged.is_none() || moved >= cost {
                trail.copy_from(&self.before);
                return;
            }
            if edged == Some(false) || cost - moved < cost / WORTHWHILE {
                return;
            }
            cost = moved;
        }
    }

    /// Moves a path once, part by part. Returns whether it comes to an edge of a band, beyond
    /// which there may be a better one; `None` if none was found.
    fn move_once(&mut self, grid: &Grid, trail: &mut Trail) -> Option<bool> {
        self.find_kept(grid);
        trail.restart(self.before.start());
        let (mut done, mut edged) = (0, false);
        for part in 0..=self.kept.len() {
            let kept = self.kept.get(part).cloned().unwrap_or(self.path.len()..self.path.len());
            if done < kept.start {
                self.lay(grid, trail.end(), done..kept.start);
                edged |= self.trace(grid, trail)?;
            }
            self.path[kept.clone()].iter().for_each(|&direction| trail.push(Run { direction, len: 1 }));
            done = kept.end;
        }
        Some(edged)
    }

    /// Finds the parts of the path that cannot be cheaper: they lie on ground of weight 1 and
    /// turn by half a right angle at most. Only next to their ends may a better path leave them.
    fn find_kept(&mut self, grid: &Grid) {
        let Self { before, path, kept, .. } = self;
        path.clear();
        kept.clear();
        let mut at = before.start();
        // The first step of the part, and its directions, each with a bit.
        let mut light = grid.weight(at) == 1;
        let (mut first, mut directions) = (0, 0_u8);
        let mut keep = |part: Range<usize>| {
            if part.len() >= 3 * MARGIN {
                kept.push(part.start + MARGIN..part.end - MARGIN);
            }
        };
        for run in before.runs() {
            let direction = 1 << HEADINGS[run.direction as usize];
            if !are_near(directions | direction) {
                keep(first..path.len());
                (first, directions) = (path.len(), 0);
            }
            directions |= direction;
            for _ in 0..run.len {
                at = at.step(run.direction);
                let was_light = std::mem::replace(&mut light, grid.weight(at) == 1);
                if !(was_light && light) {
                    keep(first..path.len());
                    (first, directions) = (path.len() + 1, direction);
                }
                path.push(run.direction);
            }
        }
        keep(first..path.len());
    }

    /// Lays the rungs across a part of the path, and finds the cheapest ways to all their cells.
    fn lay(&mut self, grid: &Grid, start: Cell, part: Range<usize>) {
        let Self { rungs, path, .. } = self;
        let path = &path[part];
        rungs.clear();
        let rule = grid.rules().diagonals;
        let first = path.iter().find_map(|&direction| is_upright(direction));
        let mut upright = first.unwrap_or(true);
        let mut at = start;
        let mut rung = Rung::new(grid, at, upright);
        rung.costs[REACH] = 0;
        rung.go_along();
        rungs.push(rung);
        // The first rung after the last corner.
        let mut corner = 0;
        for &direction in path {
            if is_upright(direction).is_some_and(|turned| turned != upright) {
                upright = !upright;
                corner = rungs.len();
                rung = Rung::new(grid, at, upright);
                rung.join(rungs, corner);
                rung.go_along();
                rungs.push(rung);
            }
            at = at.step(direction);
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

    /// Adds the cheapest path in the band to a trail. Returns whether that comes to an
    /// edge of the band, beyond which there may be a better one; `None` if it was not found.
    fn trace(&mut self, grid: &Grid, trail: &mut Trail) -> Option<bool> {
        let Self { rungs, steps, .. } = self;
        steps.clear();
        let (mut at, mut lane) = (rungs.len() - 1, REACH);
        let mut edged = false;
        while (at, lane) != (0, REACH) {
            let (rung, from) = came_from(grid, rungs, at, lane)?;
            steps.extend(rungs[rung].cell(from).direction_to(rungs[at].cell(lane)));
            edged |= from == 0 || from == 2 * REACH;
            (at, lane) = (rung, from);
        }
        steps.iter().rev().for_each(|&direction| trail.push(Run { direction, len: 1 }));
        Some(edged)
    }
}

/// Whether these directions, each a bit, turn by half a right angle at most.
const fn are_near(directions: u8) -> bool {
    // One, or two that are next to each other on the compass.
    let pair = directions & directions.rotate_left(1);
    directions.count_ones() < 2 || directions.count_ones() == 2 && pair != 0
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

/// Costs of half a step on each lane; 0 where blocked.
#[inline]
fn halves(weights: &Lanes, step: i16) -> Lanes {
    weights.map(|weight| weight.wrapping_mul(step))
}

/// [`FAR`] on each lane that is blocked, otherwise [`OPEN`].
#[inline]
fn bars(weights: &Lanes) -> Lanes {
    weights.map(|weight| if weight == 0 { FAR } else { OPEN })
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
            Diagonals::Strict => self.come_by(before, i16::max),
            Diagonals::OneSide => self.come_by(before, i16::min),
            Diagonals::Free => self.come_by(before, |_, _| OPEN),
            Diagonals::None => self.come_by(before, |_, _| FAR),
        }
    }

    /// Takes the ways from the rung before. `between` says whether one can pass
    /// diagonally between two cells, from their [`bars`].
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
        let costs = |step: i16| zip(&before.costs, &halves(&before.weights, step), i16::saturating_add);
        let (straight, diagonal) = (costs(STRAIGHT), costs(DIAGONAL));
        let near = moved::<LEVEL>(&bars(&before.weights));
        let far = bars(&self.weights);
        let side = |from: Lanes, far: Lanes| zip(&from, &zip(&near, &far, &between), i16::max);
        let below = side(moved::<BELOW>(&diagonal), moved::<-1>(&far));
        let above = side(moved::<ABOVE>(&diagonal), moved::<1>(&far));
        let diagonal = zip(&below, &above, i16::min);
        let diagonal = zip(&diagonal, &halves(&self.weights, DIAGONAL), i16::saturating_add);
        let straight = zip(&moved::<LEVEL>(&straight), &halves(&self.weights, STRAIGHT), i16::saturating_add);
        let costs = zip(&zip(&straight, &diagonal, i16::min), &far, i16::max);
        // The path itself is a way, so its lane is reached.
        let path = costs[REACH];
        self.base = before.base + i64::from(path);
        self.costs = costs.map(|cost| if cost == FAR { FAR } else { cost.saturating_sub(path) });
    }

    /// Takes the ways along the rung that pass up to [`ALONG`] lanes.
    #[inline]
    fn go_along(&mut self) {
        let (halves, bars) = (halves(&self.weights, STRAIGHT), bars(&self.weights));
        for _ in 0..ALONG {
            let from = zip(&self.costs, &halves, i16::saturating_add);
            let from = zip(&moved::<-1>(&from), &moved::<1>(&from), i16::min);
            let along = zip(&zip(&from, &halves, i16::saturating_add), &bars, i16::max);
            self.costs = zip(&self.costs, &along, i16::min);
        }
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
        // Less than the cost if that was too small a number, or if a cheaper way to the
        // other lane along its rung has too many lanes to pass to come here as well.
        let is_way = other.cost(from)? + step <= cost
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
    let mut along = [lane.wrapping_sub(1), lane + 1].into_iter().filter(|&from| from <= 2 * REACH);
    along.find_map(|from| follow(at, from)).or_else(|| {
        let corner = (0..at).rev().find(|&rung| rungs[rung].upright != here.upright)? + 1;
        rungs_before(rungs, corner, here.upright).find_map(|(rung, other)| {
            let (ours, theirs) = here.shared(other)?;
            (ours == lane && other.cost(theirs)? <= cost).then_some((rung, theirs))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{DiagonalCost, Rules};
    use crate::index::Engine;
    use crate::route::{Planner, Query, Scratch};
    use farstride_testkit::strategies::{diagonals, query_on, terrain_maps};
    use farstride_testkit::{self as testkit, PlainMap, Point};
    use proptest::prelude::*;

    type Cells = Vec<(u16, u16)>;

    fn trail(path: &[(u16, u16)]) -> Trail {
        let mut trail = Trail::default();
        trail.restart(path[0].into());
        path[1..].iter().for_each(|&cell| trail.push_cell(cell.into()));
        trail
    }

    fn cells(trail: &Trail) -> Cells {
        let mut cells = Vec::new();
        trail.cells_into(&mut cells);
        cells.into_iter().map(|cell| (cell.x, cell.y)).collect()
    }

    fn settled_on(grid: &Grid, path: &[(u16, u16)]) -> Cells {
        let mut trail = trail(path);
        Band::default().settle(grid, &mut trail);
        cells(&trail)
    }

    fn settled(map: &str, path: &[(u16, u16)]) -> Cells {
        settled_on(&Grid::from_ascii(map).unwrap(), path)
    }

    fn cost(grid: &Grid, path: &[(u16, u16)]) -> u64 {
        cost_of(grid, &trail(path))
    }

    #[test]
    fn paths_move_onto_a_road_beside_them() {
        let upper = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)];
        let road = [(0, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (5, 0)];
        assert_eq!(settled("999999\n111111", &upper), road);
        // The same from top to bottom, and along the first column of the map.
        let turned = |path: &[(u16, u16)]| path.iter().map(|&(x, y)| (y, x)).collect::<Cells>();
        assert_eq!(settled(&["91"; 6].join("\n"), &turned(&upper)), turned(&road));
        let mirrored: Cells = turned(&upper).into_iter().map(|(x, y)| (1 - x, y)).collect();
        let expected: Cells = turned(&road).into_iter().map(|(x, y)| (1 - x, y)).collect();
        assert_eq!(settled(&["19"; 6].join("\n"), &mirrored), expected);
    }

    /// No rung reaches the road, but from round to round paths come nearer.
    #[test]
    fn paths_move_on_while_it_pays() {
        let map: Vec<String> = "9876421".chars().map(|weight| weight.to_string().repeat(40)).collect();
        let straight: Cells = (0..40).map(|x| (x, 0)).collect();
        let found = settled(&map.join("\n"), &straight);
        assert!(found.iter().filter(|cell| cell.1 == 6).count() > 20, "{found:?}");
    }

    #[test]
    fn good_paths_and_light_ground_are_left_alone() {
        let path = [(0, 1), (1, 1), (2, 1), (3, 1)];
        assert_eq!(settled("9999\n1111\n9999", &path), path);
        assert_eq!(settled("3333\n3333\n3333", &path), path);
        let detour = [(0, 0), (1, 1), (2, 1), (3, 0)];
        assert_eq!(settled("....\n....", &detour), detour, "the map has no weights");
        assert_eq!(settled("12", &[(0, 0), (1, 0)]), [(0, 0), (1, 0)]);
        assert_eq!(settled("12", &[(0, 0)]), [(0, 0)]);
    }

    /// Where a path follows a light road, only its ends are looked at: a better way from one
    /// side of the road to the other is found at both.
    #[test]
    fn long_ways_on_the_lightest_ground_stay_where_they_are() {
        let length = 6 * MARGIN;
        let map =
            [vec!["9"; length].concat(), vec!["1"; length].concat(), vec!["9"; length].concat()].join("\n");
        let last = length as u16 - 1;
        let mut path: Cells = vec![(0, 0), (1, 0), (2, 0)];
        path.extend((3..last - 2).map(|x| (x, 1)));
        path.extend([(last - 2, 2), (last - 1, 2), (last, 2)]);
        let mut expected: Cells = vec![(0, 0)];
        expected.extend((0..=last).map(|x| (x, 1)));
        expected.push((last, 2));
        assert_eq!(settled(&map, &path), expected);
        let grid = Grid::from_ascii(&map).unwrap();
        let mut band = Band::default();
        band.before.copy_from(&trail(&path));
        band.find_kept(&grid);
        assert_eq!(band.kept.as_slice(), std::slice::from_ref(&(3 + MARGIN..length - 4 - MARGIN)));
        // A turn back is no light part, however light the ground.
        let back: Cells = (0..40).chain((0..39).rev()).map(|x| (x, 1)).collect();
        band.before.copy_from(&trail(&back));
        band.find_kept(&grid);
        assert_eq!(band.kept, [], "neither half is long enough");
    }

    /// The path goes along two sides of a square, the road inside of them; where it
    /// turns, upright rungs meet level ones.
    #[test]
    fn corners_are_turned_on_the_road() {
        let map = "
            99999999
            11111119
            99999919
            99999919
            99999919
            99999919
        ";
        let mut path: Cells = (0..8).map(|x| (x, 0)).collect();
        path.extend((1..6).map(|y| (7, y)));
        let mut expected: Cells = vec![(0, 0), (0, 1)];
        expected.extend((1..6).map(|x| (x, 1)));
        expected.extend((2..6).map(|y| (6, y)));
        expected.push((7, 5));
        assert_eq!(settled(map, &path), expected);
        path.reverse();
        let backwards: Cells = expected.into_iter().rev().collect();
        assert_eq!(settled(map, &path), backwards);
    }

    /// A turn every few cells, fewer than a rung has lanes.
    #[test]
    fn stairs_have_a_corner_at_every_step() {
        let map = ["13131313"; 8].join("\n");
        let grid = Grid::from_ascii(&map).unwrap();
        let mut path: Cells = vec![(0, 0)];
        for at in 0..7 {
            path.extend([(at + 1, at), (at + 1, at + 1)]);
        }
        let found = settled_on(&grid, &path);
        assert_eq!((found[0], found[found.len() - 1]), ((0, 0), (7, 7)));
        assert!(cost(&grid, &found) < cost(&grid, &path), "{found:?}");
    }

    /// A wall between the path and cheap ground, along which ways get cheaper than the
    /// path by more than a lane can say, until it ends.
    #[test]
    fn the_heaviest_ground_is_not_too_heavy() {
        for (heavy, light, length) in [(255, 1, 40), (255, 254, 300), (200, 1, 8), (255, 255, 20)] {
            for gaps in [vec![0, length - 1], vec![0, 3, length - 4, length - 1], vec![length / 2]] {
                let row = |free: &dyn Fn(u16) -> bool, weight: u8| {
                    (0..length).map(|x| if free(x) { weight } else { 0 }).collect()
                };
                let rows: [Vec<u8>; 3] =
                    [row(&|_| true, heavy), row(&|x| gaps.contains(&x), heavy), row(&|_| true, light)];
                let mut map = PlainMap::new(length.into(), 3, true);
                map.free = rows.concat().iter().map(|&weight| weight > 0).collect();
                map.weights = Some(rows.concat().iter().map(|&weight| weight.max(1)).collect());
                let straight: Cells = (0..length).map(|x| (x, 0)).collect();
                for rule in testkit::Diagonals::ALL {
                    check(&map, rule, &straight);
                    if light == 1 && gaps.len() > 1 {
                        let found = settled_on(&grid_of(&map, rule), &straight);
                        assert!(found.iter().any(|cell| cell.1 == 2), "{rule:?} {gaps:?} {found:?}");
                    }
                }
            }
        }
    }

    fn grid_of(map: &PlainMap, rule: testkit::Diagonals) -> Grid {
        let diagonals = match rule {
            testkit::Diagonals::Strict => Diagonals::Strict,
            testkit::Diagonals::OneSide => Diagonals::OneSide,
            testkit::Diagonals::Free => Diagonals::Free,
            testkit::Diagonals::None => Diagonals::None,
        };
        let rules = Rules { diagonals, diagonal_cost: DiagonalCost::Sqrt2 };
        let mut grid = Grid::from_fn(map.width, map.height, |cell| map.is_free_at(point(cell))).unwrap();
        for index in 0..map.free.len() {
            let (x, y) = map.point(index);
            let _ = grid.set_weight(Cell::new(x as u16, y as u16), map.weight((x, y)) as u8).unwrap();
        }
        grid.with_rules(rules)
    }

    fn point(cell: Cell) -> Point {
        (cell.x.into(), cell.y.into())
    }

    /// Moves a path and judges it: legal, between the same ends, no dearer than before
    /// and no cheaper than the best.
    fn check(map: &PlainMap, rule: testkit::Diagonals, path: &[(u16, u16)]) {
        let scale = testkit::DiagonalCost::Sqrt2;
        let found = settled_on(&grid_of(map, rule), path);
        let points =
            |path: &[(u16, u16)]| path.iter().map(|&(x, y)| (x.into(), y.into())).collect::<Vec<Point>>();
        let (before, after) = (points(path), points(&found));
        let (start, goal) = (before[0], before[before.len() - 1]);
        let judge = |path: &[Point]| {
            let verdict = testkit::judge_grid(map, rule, scale, start, goal, path);
            verdict.unwrap_or_else(|fault| panic!("{fault}: {path:?} on {map:?}")).cost
        };
        let best = testkit::oracle::distance(map, rule, scale, start, goal).unwrap();
        let [before, after] = [before, after].map(|path| judge(&path));
        assert!(best <= after && after <= before, "{best} {after} {before} {found:?} on {map:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Paths that know nothing of the weights.
        #[test]
        fn paths_stay_legal_and_never_cost_more(query in query_on(terrain_maps(24, 24)), rule in diagonals()) {
            let testkit::strategies::MapQuery { map, start, goal } = query;
            let uniform = grid_of(&PlainMap { weights: None, ..map.clone() }, rule);
            let cell = |(x, y): Point| Cell::new(x as u16, y as u16);
            let planner = Planner::with_engine(uniform, Engine::Astar).unwrap();
            let mut scratch = Scratch::new();
            let outcome = planner.find(Query::new(cell(start), cell(goal)), &mut scratch).unwrap();
            if let Some(route) = outcome.route() {
                let path: Cells = route.path().cells().iter().map(|cell| (cell.x, cell.y)).collect();
                check(&map, rule, &path);
            }
        }

        /// Paths that wander, turn back and cross themselves.
        #[test]
        fn wandering_paths_are_moved_as_well(
            query in query_on(terrain_maps(12, 12)), rule in diagonals(), turns in prop::collection::vec(0..8_usize, 2..60),
        ) {
            let testkit::strategies::MapQuery { map, start, .. } = query;
            let grid = grid_of(&map, rule);
            let mut at = Cell::new(start.0 as u16, start.1 as u16);
            prop_assume!(grid.is_free(at));
            let mut path = vec![(at.x, at.y)];
            for turn in turns {
                let moves: Vec<Direction> = grid.moves(at).collect();
                let Some(&direction) = moves.get(turn % moves.len().max(1)) else { break };
                at = at.step(direction);
                path.push((at.x, at.y));
            }
            check(&map, rule, &path);
        }
    }
}

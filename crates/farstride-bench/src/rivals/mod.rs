//! Everybody who takes part.
//!
//! Each adapter asks its crate as a good user of it would: whatever can be
//! built once is built in [`prepare`](crate::Rival::prepare), costs are
//! integers, successors are handed over without allocating, and memory is
//! reused where the crate lets it be. What a crate allocates by itself in
//! every query is its own affair and is timed.

mod grid_pathfinding;
mod hierarchical;
mod ours;
mod pathfinding;
mod petgraph;

pub use grid_pathfinding::GridPathfinding;
pub use hierarchical::Hierarchical;
pub use ours::Ours;
pub use pathfinding::Pathfinding;
pub use petgraph::Petgraph;

use crate::rival::Rival;
use farstride::Engine;
use farstride_testkit::PlainMap;

/// Every rival, our own engines first. The first is the baseline of races.
pub fn all() -> Vec<Box<dyn Rival>> {
    let mut rivals: Vec<Box<dyn Rival>> = vec![Box::new(baseline())];
    let others = Engine::ALL.into_iter().filter(|&engine| {
        // Paths of `straight` bend at corners, which no rival here has words for.
        !matches!(engine, Engine::Astar | Engine::Straight)
    });
    rivals.extend(others.map(|engine| Box::new(Ours(engine)) as Box<dyn Rival>));
    rivals.push(Box::new(Pathfinding));
    rivals.push(Box::new(Petgraph));
    rivals.push(Box::new(GridPathfinding::Plain));
    rivals.push(Box::new(GridPathfinding::ImprovedPruning));
    rivals.push(Box::new(Hierarchical::STRICT_32));
    rivals.push(Box::new(Hierarchical::STRICT_8));
    rivals.push(Box::new(Hierarchical::MOORE_32));
    rivals
}

/// What all others are compared with.
pub const fn baseline() -> Ours {
    Ours(Engine::Astar)
}

/// The eight steps, the straight ones first.
const STEPS: [(i16, i16); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// Units of a straight and of a diagonal step: 3363/2378 is √2 to 4·10⁻⁸.
const STRAIGHT: u32 = 2378;
const DIAGONAL: u32 = 3363;

/// A plain grid, as a user of a general crate would keep it.
#[derive(Clone, Debug)]
struct Walls {
    width: usize,
    height: usize,
    free: Vec<bool>,
}

impl Walls {
    /// # Errors
    /// If the map has weights: not every rival can charge for them.
    fn new(map: &PlainMap) -> Result<Self, String> {
        if map.weights.is_some() {
            return Err("races are run on maps without weights".to_owned());
        }
        Ok(Self { width: map.width, height: map.height, free: map.free.clone() })
    }

    /// Whether a cell is on the map and free; negative coordinates wrap to
    /// very large ones.
    fn is_free(&self, x: u16, y: u16) -> bool {
        let (x, y) = (usize::from(x), usize::from(y));
        x < self.width && y < self.height && self.free[y * self.width + x]
    }

    /// Legal steps from a free cell under the strict rule, without allocating.
    fn strict_steps(&self, (x, y): (u16, u16)) -> impl Iterator<Item = ((u16, u16), u32)> + use<> {
        let mut steps = [((0, 0), 0); STEPS.len()];
        let mut count = 0;
        for (dx, dy) in STEPS {
            let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            let diagonal = dx != 0 && dy != 0;
            if self.is_free(to_x, to_y) && (!diagonal || self.is_free(to_x, y) && self.is_free(x, to_y)) {
                steps[count] = ((to_x, to_y), if diagonal { DIAGONAL } else { STRAIGHT });
                count += 1;
            }
        }
        steps.into_iter().take(count)
    }
}

/// Octile distance in units.
fn octile((ax, ay): (u16, u16), (bx, by): (u16, u16)) -> u32 {
    let (dx, dy) = (u32::from(ax.abs_diff(bx)), u32::from(ay.abs_diff(by)));
    STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_distinct_and_the_baseline_is_first() {
        let rivals = all();
        let names: HashSet<_> = rivals.iter().map(|rival| rival.name()).collect();
        assert_eq!(names.len(), rivals.len());
        assert_eq!(rivals[0].name(), baseline().name());
    }

    #[test]
    fn strict_steps_are_those_of_the_testkit() {
        let map = PlainMap::from_ascii("..#\n#..\n...");
        let walls = Walls::new(&map).unwrap();
        for from in map.free_points() {
            let found: HashSet<_> = walls
                .strict_steps((from.0 as u16, from.1 as u16))
                .map(|((x, y), _)| (usize::from(x), usize::from(y)))
                .collect();
            let rule = farstride_testkit::Diagonals::Strict;
            let expected = map.free_points().into_iter();
            let expected: HashSet<_> = expected.filter(|&to| map.allows_step(rule, from, to)).collect();
            assert_eq!(found, expected, "from {from:?}");
        }
    }

    #[test]
    fn weights_are_refused() {
        let map = PlainMap::from_ascii(".3");
        for rival in all() {
            assert!(rival.prepare(&map).is_err(), "{}", rival.name());
        }
    }
}

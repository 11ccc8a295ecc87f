//! Small maps, all of them.

use super::cell;
use farstride::subgoal::{Settings, SubgoalGraph};
use farstride::{Cell, DiagonalCost, Diagonals, Engine, Grid, Planner, Query, Rules, Scratch};

/// All maps of one size that a bit pattern can draw, and how one moves there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Universe {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rules: Rules,
    pub(crate) engine: Engine,
}

/// More cells than any map of the universe has.
const ROW: usize = 16;

/// What no way costs; two of them can be added.
const NO_WAY: u32 = u32::MAX / 2;

/// Cost of the way between any two cells.
#[derive(Clone)]
struct Table([u32; ROW * ROW]);

impl Table {
    fn at(&self, from: usize, to: usize) -> u32 {
        self.0[from * ROW + to]
    }

    fn set(&mut self, from: usize, to: usize, cost: u32) {
        self.0[from * ROW + to] = cost;
    }
}

impl Universe {
    fn cells(self) -> usize {
        self.width * self.height
    }

    fn point(self, index: usize) -> (usize, usize) {
        (index % self.width, index / self.width)
    }

    fn index(self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width + usize::from(cell.x)
    }

    /// Cost of every single step of a map whose free cells are the set bits.
    fn steps(self, free: usize) -> Table {
        let Rules { diagonals, diagonal_cost } = self.rules;
        let (straight, diagonal) = match diagonal_cost {
            DiagonalCost::Ratio142 => (5000, 7100),
            _ => (4756, 6726),
        };
        let is_free = |x: usize, y: usize| free >> (y * self.width + x) & 1 == 1;
        let mut steps = Table([NO_WAY; ROW * ROW]);
        for from in 0..self.cells() {
            for to in 0..self.cells() {
                let ((x, y), (to_x, to_y)) = (self.point(from), self.point(to));
                if !is_free(x, y) || !is_free(to_x, to_y) {
                    continue;
                }
                let sides = usize::from(is_free(x, to_y)) + usize::from(is_free(to_x, y));
                let passes = match diagonals {
                    Diagonals::Strict => sides == 2,
                    Diagonals::OneSide => sides > 0,
                    Diagonals::Free => true,
                    Diagonals::None => false,
                };
                let cost = match (x.abs_diff(to_x), y.abs_diff(to_y)) {
                    (0, 0) => 0,
                    (0, 1) | (1, 0) => straight,
                    (1, 1) if passes => diagonal,
                    _ => NO_WAY,
                };
                steps.set(from, to, cost);
            }
        }
        steps
    }

    /// Floyd's algorithm: no queue, no heuristic, no move left out.
    fn distances(self, steps: &Table) -> Table {
        let mut best = steps.clone();
        for over in 0..self.cells() {
            for from in 0..self.cells() {
                let first = best.at(from, over);
                if first < NO_WAY {
                    for to in 0..self.cells() {
                        best.set(from, to, best.at(from, to).min(first + best.at(over, to)));
                    }
                }
            }
        }
        best
    }

    /// A planner for a map whose free cells are the set bits. Subgoal graphs
    /// are made on this thread: the next one is busy with other maps.
    fn planner(self, free: usize) -> Planner {
        let is_free = |cell| free >> self.index(cell) & 1 == 1;
        let grid = Grid::from_fn(self.width, self.height, is_free).unwrap().with_rules(self.rules);
        let Some(partition) = self.engine.default_partition() else {
            return Planner::with_engine(grid, self.engine).unwrap();
        };
        let graph = SubgoalGraph::build_with(&grid, Settings::new(partition), 1, &|_, _| ());
        Planner::with_subgoals(grid, graph).unwrap()
    }

    /// Whether no map that a symmetry of the square turns this one into has a
    /// smaller number; for square maps.
    pub(crate) fn is_first_of_its_kind(self, free: usize) -> bool {
        let side = self.width;
        assert_eq!(side, self.height, "only squares can be turned");
        let turned = |at: &dyn Fn(usize, usize) -> (usize, usize)| {
            (0..self.cells())
                .filter(|&index| {
                    let (x, y) = at(index % side, index / side);
                    free >> (y * side + x) & 1 == 1
                })
                .fold(0, |bits, index| bits | 1 << index)
        };
        let last = side - 1;
        let symmetries: [&dyn Fn(usize, usize) -> (usize, usize); 7] = [
            &|x, y| (y, x),
            &|x, y| (last - x, y),
            &|x, y| (x, last - y),
            &|x, y| (last - x, last - y),
            &|x, y| (last - y, x),
            &|x, y| (y, last - x),
            &|x, y| (last - y, last - x),
        ];
        symmetries.into_iter().all(|symmetry| turned(symmetry) >= free)
    }

    /// Asks for the way between all cells of some maps; how many there were.
    fn check(self, maps: impl Iterator<Item = usize>) -> usize {
        let mut scratch = Scratch::new();
        let mut found = 0;
        for free in maps {
            let planner = self.planner(free);
            let steps = self.steps(free);
            let best = self.distances(&steps);
            for from in 0..self.cells() {
                for to in (0..self.cells()).filter(|&to| to != from) {
                    let query = Query::new(cell(self.point(from)), cell(self.point(to)));
                    let outcome = planner.find(query, &mut scratch).unwrap();
                    let cost = outcome.route().map_or(NO_WAY, |route| {
                        let path = route.path().cells();
                        assert_eq!((path.first(), path.last()), (Some(&query.start), Some(&query.goal)));
                        let steps =
                            path.windows(2).map(|step| steps.at(self.index(step[0]), self.index(step[1])));
                        let walked = steps.fold(0, u32::saturating_add);
                        assert_eq!(u64::from(walked), route.cost().units());
                        walked
                    });
                    assert_eq!(cost, best.at(from, to), "map {free:#b}, {from} to {to}, {self:?}");
                    found += usize::from(cost < NO_WAY);
                }
            }
        }
        found
    }

    /// Asks for every way on every map there is.
    pub(crate) fn check_all(self) -> usize {
        self.check_those(|_| true)
    }

    /// Asks for every way on the maps that are chosen, on two threads.
    pub(crate) fn check_those(self, chosen: impl Fn(usize) -> bool + Copy + Send) -> usize {
        let maps = 1_usize << self.cells();
        std::thread::scope(|scope| {
            let other = scope.spawn(move || self.check((0..maps).step_by(2).filter(|&map| chosen(map))));
            let found = self.check((1..maps).step_by(2).filter(|&map| chosen(map)));
            found + other.join().expect("the other half holds as well")
        })
    }
}

//! The testkit's maps and rules as the engine's, and answers that outlive the
//! scratch they were found in.

use farstride::grid::DiagonalCost;
use farstride::{Cell, Diagonals, Engine, Grid, Outcome, Path, Planner, Query, Rules};
use farstride_testkit::{self as testkit, PlainMap, Point, oracle};

/// Lengths are sums of correctly rounded numbers; two orders of adding up the
/// same legs of a path on a small map differ by far less.
pub(crate) const TOLERANCE: f64 = 1e-9;

pub(crate) fn cell((x, y): Point) -> Cell {
    let narrow = |side| u16::try_from(side).expect("maps of tests are small");
    Cell::new(narrow(x), narrow(y))
}

pub(crate) fn point(cell: Cell) -> Point {
    (cell.x.into(), cell.y.into())
}

pub(crate) fn points(cells: &[Cell]) -> Vec<Point> {
    cells.iter().copied().map(point).collect()
}

pub(crate) fn query(start: Point, goal: Point) -> Query {
    Query::new(cell(start), cell(goal))
}

/// A map and the rules on it, in the words of the testkit.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) map: PlainMap,
    pub(crate) diagonals: testkit::Diagonals,
    pub(crate) cost: testkit::DiagonalCost,
}

impl World {
    pub(crate) fn new(map: PlainMap, diagonals: testkit::Diagonals, cost: testkit::DiagonalCost) -> Self {
        Self { map, diagonals, cost }
    }

    /// The map under the default rules of the engine.
    pub(crate) fn strict(map: PlainMap) -> Self {
        Self::new(map, testkit::Diagonals::Strict, testkit::DiagonalCost::Sqrt2)
    }

    pub(crate) fn rules(&self) -> Rules {
        let diagonals = match self.diagonals {
            testkit::Diagonals::Strict => Diagonals::Strict,
            testkit::Diagonals::OneSide => Diagonals::OneSide,
            testkit::Diagonals::Free => Diagonals::Free,
            testkit::Diagonals::None => Diagonals::None,
        };
        let diagonal_cost = match self.cost {
            testkit::DiagonalCost::Sqrt2 => DiagonalCost::Sqrt2,
            testkit::DiagonalCost::Ratio142 => DiagonalCost::Ratio142,
        };
        Rules { diagonals, diagonal_cost }
    }

    /// The map as the engine's, built from nothing.
    pub(crate) fn grid(&self) -> Grid {
        let Self { map, .. } = self;
        let grid = Grid::from_fn(map.width, map.height, |cell| map.is_free_at(point(cell)));
        let mut grid = grid.expect("maps of tests have a size").with_rules(self.rules());
        for (index, &weight) in map.weights.iter().flatten().enumerate() {
            let _ = grid.set_weight(cell(map.point(index)), weight).expect("weights are at least 1");
        }
        grid
    }

    pub(crate) fn planner(&self, engine: Engine) -> Planner {
        Planner::with_engine(self.grid(), engine).expect("the engine suits the map")
    }

    /// Whether an engine can work on the map: no legs at any angle and no
    /// subgoals over weights.
    pub(crate) fn suits(&self, engine: Engine) -> bool {
        let is_uniform = self.map.weights.iter().flatten().all(|&weight| weight == 1);
        match engine {
            Engine::Dijkstra | Engine::Astar | Engine::Hpa | Engine::Groups | Engine::Overlay => true,
            Engine::Straight => {
                is_uniform
                    && matches!(self.diagonals, testkit::Diagonals::Strict | testkit::Diagonals::OneSide)
            }
            _ => is_uniform,
        }
    }

    /// The engines that find shortest paths on the map.
    pub(crate) fn optimal_engines(&self) -> Vec<Engine> {
        Engine::ALL.into_iter().filter(|&engine| engine.is_optimal() && self.suits(engine)).collect()
    }

    /// Judges the answer of an optimal engine against the oracle.
    pub(crate) fn assert_optimal(&self, start: Point, goal: Point, answer: &Answer) {
        let best = oracle::distance(&self.map, self.diagonals, self.cost, start, goal);
        self.assert_costs(start, goal, answer, best);
    }

    /// Judges an answer of single steps; `best` is what the way should cost.
    pub(crate) fn assert_costs(&self, start: Point, goal: Point, answer: &Answer, best: Option<u64>) {
        let Self { map, diagonals, cost } = self;
        let Answer::Found { cost: units, length, path, is_any_angle } = answer else {
            assert_eq!(
                *answer,
                self.refusal(start, goal, best.is_some()),
                "{start:?} to {goal:?} on {self:?}"
            );
            return;
        };
        let verdict = testkit::judge_grid(map, *diagonals, *cost, start, goal, path);
        let verdict = verdict.unwrap_or_else(|fault| panic!("{fault}: {path:?} on {self:?}"));
        assert!(!is_any_angle);
        assert_eq!(Some(*units), best, "{start:?} to {goal:?} on {self:?}");
        assert_eq!(*units, verdict.cost, "{path:?} on {self:?}");
        assert!((length - verdict.length).abs() < TOLERANCE, "{length} for {path:?} on {self:?}");
    }

    /// Judges an answer of an any-angle engine and returns the length of its
    /// path.
    pub(crate) fn judged_length(&self, start: Point, goal: Point, answer: &Answer) -> Option<f64> {
        let Answer::Found { cost, length, path, is_any_angle } = answer else {
            let best = oracle::distance(&self.map, self.diagonals, self.cost, start, goal);
            let refusal = self.refusal(start, goal, best.is_some());
            assert_eq!(*answer, refusal, "{start:?} to {goal:?} on {self:?}");
            return None;
        };
        assert!(is_any_angle);
        let judged = testkit::judge_any_angle(&self.map, self.diagonals, start, goal, path);
        let judged = judged.unwrap_or_else(|fault| panic!("{fault}: {path:?} on {self:?}"));
        assert!((length - judged).abs() < TOLERANCE, "{length} for {path:?} on {self:?}");
        assert_eq!(*cost, path.windows(2).map(|leg| leg_units(leg[0], leg[1])).sum::<u64>(), "{path:?}");
        assert!(path.windows(3).all(|bend| !goes_straight_on(bend)), "{path:?} on {self:?}");
        Some(*length)
    }

    /// What to answer instead of a path, or the word for one.
    pub(crate) fn refusal(&self, start: Point, goal: Point, reachable: bool) -> Answer {
        if !self.map.is_free_at(start) {
            Answer::StartBlocked
        } else if !self.map.is_free_at(goal) {
            Answer::GoalBlocked
        } else if start == goal {
            Answer::AlreadyThere
        } else if reachable {
            Answer::SomePath
        } else {
            Answer::Unreachable
        }
    }
}

/// Where corners are put in a list of cells: far off every map, so that none is mistaken for
/// a cell.
const CORNERS: usize = 1_000_000;

/// The cells, waypoints or turning points of a path. Corners are given in half cells.
pub(crate) fn turns(path: Path<'_>) -> Vec<Point> {
    let turn = |turn: farstride::Point| {
        turn.cell().map_or((CORNERS + turn.x as usize, CORNERS + turn.y as usize), point)
    };
    path.turns().map(turn).collect()
}

/// A leg's length in units of 1/4756 step, rounded up.
pub(crate) fn leg_units(a: Point, b: Point) -> u64 {
    let (dx, dy) = (a.0.abs_diff(b.0) as u64, a.1.abs_diff(b.1) as u64);
    let square = (dx * dx + dy * dy) * 4756 * 4756;
    let root = square.isqrt();
    root + u64::from(root * root < square)
}

/// Whether the middle one of three points is no turning point.
fn goes_straight_on(bend: &[Point]) -> bool {
    let leg = |a: Point, b: Point| (b.0 as i64 - a.0 as i64, b.1 as i64 - a.1 as i64);
    let (one, other) = (leg(bend[0], bend[1]), leg(bend[1], bend[2]));
    one.0 * other.1 == one.1 * other.0 && one.0 * other.0 + one.1 * other.1 > 0
}

/// An outcome without the scratch it came from.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    Found {
        cost: u64,
        length: f64,
        path: Vec<Point>,
        is_any_angle: bool,
    },
    AlreadyThere,
    StartBlocked,
    GoalBlocked,
    Unreachable,
    /// What no outcome becomes: stands for a path that should have been found.
    SomePath,
}

impl Answer {
    pub(crate) fn is_found(&self) -> bool {
        matches!(self, Self::Found { .. })
    }
}

impl From<Outcome<'_>> for Answer {
    fn from(outcome: Outcome<'_>) -> Self {
        match outcome {
            Outcome::Found(route) => Self::Found {
                cost: route.cost().units(),
                length: route.length(),
                path: turns(route.path()),
                is_any_angle: matches!(route.path(), farstride::Path::Points(_)),
            },
            Outcome::AlreadyThere => Self::AlreadyThere,
            Outcome::StartBlocked => Self::StartBlocked,
            Outcome::GoalBlocked => Self::GoalBlocked,
            Outcome::Unreachable => Self::Unreachable,
            other => panic!("not an answer: {other:?}"),
        }
    }
}

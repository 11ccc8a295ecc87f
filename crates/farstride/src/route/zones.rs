//! Queries with forbidden and costly zones, and cells beside an area.

use super::answer::{PathWriter, Run};
use super::run::{Stage, run};
use super::{Detail, Outcome, Path, Planner, Query, QueryError, Scratch};
use crate::base::{Cell, Cost, Rect};
use crate::graph::Graph;
use crate::grid::{Diagonals, Direction, Grid};
use crate::search::{GridTarget, Problem, SearchStatus};
use std::num::NonZeroU8;

/// A rectangle that one query keeps out of, or enters only at a price: see
/// [`Planner::find_avoiding`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Zone {
    area: Rect,
    /// What is added to the weights of its cells; `None` if they are forbidden.
    extra: Option<NonZeroU8>,
}

impl Zone {
    /// A zone that counts as blocked.
    pub fn forbidden(area: impl Into<Rect>) -> Self {
        Self { area: area.into(), extra: None }
    }

    /// A zone each cell of which weighs this much more than on the map, at most 255. Where zones
    /// overlap, what they add adds up.
    pub fn costly(area: impl Into<Rect>, extra: NonZeroU8) -> Self {
        Self { area: area.into(), extra: Some(extra) }
    }

    /// Its cells.
    pub const fn area(self) -> Rect {
        self.area
    }

    /// What it adds to the weight of a cell; `None` if it is forbidden.
    pub const fn extra(self) -> Option<NonZeroU8> {
        self.extra
    }
}

impl Planner {
    /// Finds a path that heeds some zones, as if their cells were blocked, or weighed more, for
    /// this query alone. The budget of the query is ignored.
    ///
    /// If the path of the engine keeps out of all zones, it is the answer, at any angle if it keeps a
    /// cell away from them; otherwise A* searches the map with the zones on it. Then any-angle engines
    /// answer with a path of steps, too. The cost of
    /// the route includes what zones add.
    ///
    /// # Guarantee
    /// A path is found exactly when there is one that enters no forbidden zone. With an engine that
    /// finds shortest paths of steps, it is a shortest on the map with the zones on it.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    ///
    /// # Complexity
    /// That of [`Planner::find`], and of a search of the map for each cell of which every
    /// zone is looked at: meant for a handful of zones.
    ///
    /// # Errors
    /// As [`Planner::find`].
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid, Planner, Query, Rect, Scratch, Zone};
    ///
    /// let planner = Planner::new(Grid::empty(9, 9)?);
    /// let tower = Rect::spanning(Cell::new(3, 0), Cell::new(5, 6));
    /// let mut scratch = Scratch::new();
    /// let query = Query::new((0, 4), (8, 4));
    /// let outcome = planner.find_avoiding(query, &[Zone::forbidden(tower)], &mut scratch)?;
    /// assert!(outcome.route().unwrap().path().cells().iter().all(|&cell| !tower.contains(cell)));
    ///
    /// // Its surroundings are dangerous: better to pass at a distance, but not at any price.
    /// let near = Rect::spanning(Cell::new(2, 0), Cell::new(6, 7));
    /// let zones = [Zone::forbidden(tower), Zone::costly(near, 4.try_into()?)];
    /// let outcome = planner.find_avoiding(query, &zones, &mut scratch)?;
    /// assert!(outcome.route().unwrap().path().cells().iter().all(|&cell| !near.contains(cell)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_avoiding<'s>(
        &self,
        query: Query,
        zones: &[Zone],
        scratch: &'s mut Scratch,
    ) -> Result<Outcome<'s>, QueryError> {
        self.check_query(query)?;
        scratch.paused = None;
        let ground = Zoned { grid: self.grid(), zones };
        if !ground.admits(query.start) {
            return Ok(Outcome::StartBlocked);
        }
        if !ground.admits(query.goal) {
            return Ok(Outcome::GoalBlocked);
        }
        if let Some(outcome) = self.answer_at_once(query) {
            return Ok(outcome);
        }
        let query = query.with_budget(u64::MAX);
        let mut came_to = run(self, query.with_detail(Detail::Cells), Stage::Start, scratch, &mut ());
        if let Run::Found(answer) = came_to {
            if !ground.spares(scratch.route(answer).path()) {
                came_to = ground.find(query, scratch);
            } else if query.detail != Detail::Cells {
                came_to = run(self, query, Stage::Start, scratch, &mut ());
            }
        }
        Ok(match came_to {
            Run::Found(answer) => Outcome::Found(scratch.route(answer)),
            Run::Paused | Run::Unreachable => Outcome::Unreachable,
        })
    }
}

/// A map with zones on it.
struct Zoned<'a> {
    grid: &'a Grid,
    zones: &'a [Zone],
}

impl Zoned<'_> {
    fn at(&self, cell: Cell) -> impl Iterator<Item = &Zone> {
        self.zones.iter().filter(move |zone| zone.area.contains(cell))
    }

    fn forbids(&self, cell: Cell) -> bool {
        self.at(cell).any(|zone| zone.extra.is_none())
    }

    /// The weight of a cell, with what zones add.
    fn weight(&self, cell: Cell) -> u8 {
        let extra = self.at(cell).filter_map(|zone| zone.extra);
        extra.fold(self.grid.weight(cell), |weight, extra| weight.saturating_add(extra.get()))
    }

    fn admits(&self, cell: Cell) -> bool {
        self.grid.is_free(cell) && !self.forbids(cell)
    }

    /// Whether zones leave a step that is legal on the map.
    fn leaves(&self, from: Cell, direction: Direction) -> bool {
        let to = from.step(direction);
        if self.forbids(to) {
            return false;
        }
        let beside = || [Cell::new(to.x, from.y), Cell::new(from.x, to.y)].map(|cell| self.admits(cell));
        !direction.is_diagonal()
            || match self.grid.rules().diagonals {
                Diagonals::Strict => beside() == [true, true],
                Diagonals::OneSide => beside() != [false, false],
                Diagonals::Free | Diagonals::None => true,
            }
    }

    /// Whether a path of the map keeps out of all zones.
    fn spares(&self, path: Path<'_>) -> bool {
        match path {
            Path::Cells(cells) => {
                let leaves = |step: &[Cell]| {
                    step[0].direction_to(step[1]).is_some_and(|direction| self.leaves(step[0], direction))
                };
                cells.iter().all(|&cell| self.at(cell).next().is_none()) && cells.windows(2).all(leaves)
            }
            path => path.points().windows(2).all(|leg| {
                let mut spares = true;
                self.grid.for_each_entered(leg[0], leg[1], |cell| {
                    // A leg beside a zone may touch its corner.
                    let around = Rect::from(cell).grown(1, self.grid.area());
                    spares &= !self.zones.iter().any(|zone| zone.area.meets(around));
                });
                spares
            }),
        }
    }

    /// Searches the map with the zones on it.
    fn find(&self, query: Query, scratch: &mut Scratch) -> Run {
        let Scratch { heap, path, .. } = scratch;
        let problem = Problem::new(self, GridTarget::new(query.goal, self.grid.rules()));
        problem.begin(query.start, heap, &mut ());
        match problem.advance(heap, u64::MAX, &mut ()) {
            SearchStatus::Reached(goal) => {
                heap.path_into(self, goal, path);
                PathWriter { grid: self.grid, detail: query.detail, path }
                    .cells_weighing(|cell| self.weight(cell))
            }
            _ => Run::Unreachable,
        }
    }
}

/// Without the shortcuts of grids, which take walls for the only obstacles.
impl Graph for Zoned<'_> {
    type Node = Cell;

    fn node_count(&self) -> usize {
        self.grid.width() * self.grid.height()
    }

    #[inline]
    fn index(&self, cell: Cell) -> usize {
        self.grid.index(cell)
    }

    fn for_each_arc(&self, cell: Cell, mut visit: impl FnMut(Cell, Cost)) {
        let weight = self.weight(cell);
        for direction in self.grid.moves(cell).filter(|&direction| self.leaves(cell, direction)) {
            let next = cell.step(direction);
            let weights = u64::from(weight) + u64::from(self.weight(next));
            visit(next, self.grid.rules().step(direction, weights));
        }
    }
}

impl Grid {
    /// The free cells around an area of the map that touch it, in reading order: goals for
    /// [`Planner::nearest`] or a [`Field`](super::Field), to go beside a building or a mine.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid, Rect};
    ///
    /// let grid = Grid::from_ascii("
    ///     .....
    ///     .##..
    ///     .##.#
    /// ")?;
    /// let mine = Rect::spanning(Cell::new(1, 1), Cell::new(2, 2));
    /// assert_eq!(grid.beside(mine).count(), 8);
    /// # Ok::<(), farstride::error::TextError>(())
    /// ```
    pub fn beside(&self, area: Rect) -> impl Iterator<Item = Cell> {
        let around = self.contains(area.max()).then(|| area.grown(1, self.area()));
        around
            .into_iter()
            .flat_map(Rect::cells)
            .filter(move |&cell| !area.contains(cell) && self.is_free(cell))
    }
}

//! What comes back.

use super::Query;
use super::planner::ResumeKey;
use crate::base::{Cell, Cost, Point};
use crate::grid::Revision;

/// The answer to a query.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Outcome<'s> {
    /// There is a path.
    Found(Route<'s>),
    /// Start and goal are the same free cell.
    AlreadyThere,
    /// The start is a blocked cell.
    StartBlocked,
    /// The goal is a blocked cell; the start is free.
    GoalBlocked,
    /// Start and goal are free, and no path joins them.
    Unreachable,
    /// The budget was spent first. [`Planner::resume`](super::Planner::resume)
    /// continues the search.
    BudgetSpent(Paused),
}

impl<'s> Outcome<'s> {
    /// The path, if one was found.
    pub fn route(&self) -> Option<&Route<'s>> {
        match self {
            Self::Found(route) => Some(route),
            _ => None,
        }
    }
}

/// A path that was found. It borrows from the scratch until the next query;
/// [`Route::to_owned`] makes one that can be kept.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Route<'s> {
    pub(super) cost: Cost,
    pub(super) length: f64,
    pub(super) path: Path<'s>,
}

impl<'s> Route<'s> {
    /// The exact cost. Of an any-angle path: the sum of its legs, each rounded up to
    /// a unit; with the engine `straight`, the length to a few units, of which a straight
    /// step has 4756.
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// The length in straight steps, times terrain weights.
    ///
    /// With the engines `overlay` and `straight` and [`Detail::Cost`](crate::Detail::Cost)
    /// it follows from the cost, to one part in twenty million or a few units of cost.
    pub const fn length(&self) -> f64 {
        self.length
    }

    /// The path, start and goal included.
    pub const fn path(&self) -> Path<'s> {
        self.path
    }

    /// A copy that outlives the scratch and can be sent to other threads.
    pub fn to_owned(&self) -> OwnedRoute {
        let form = match self.path {
            Path::Cells(_) => Form::Cells,
            Path::Points(_) => Form::Points,
            Path::Waypoints(_) => Form::Waypoints,
            Path::Omitted => Form::Omitted,
        };
        OwnedRoute {
            cost: self.cost,
            length: self.length,
            form,
            cells: self.path.cells().into(),
            points: self.path.points().into(),
        }
    }
}

/// A path in one of several forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Path<'s> {
    /// Every cell; neighbours in the list are one legal step apart.
    Cells(&'s [Cell]),
    /// The turning points of an any-angle path; neighbours in the list see each other.
    /// Those of `straight` are corners, and [`Grid::is_clear`](crate::Grid::is_clear) says
    /// what seeing means; those of other engines are centres of cells in line of sight.
    /// [`Grid::entered_cells`](crate::Grid::entered_cells) lists the cells between them.
    Points(&'s [Point]),
    /// Some cells of the path. From each to the next, go diagonally while that leads
    /// nearer in both coordinates, then straight; on 4-connected maps along the row,
    /// then along the column.
    Waypoints(&'s [Cell]),
    /// Nothing: only the cost was asked for.
    Omitted,
}

impl<'s> Path<'s> {
    /// The cells or waypoints, whichever it has; none of an any-angle path.
    pub const fn cells(self) -> &'s [Cell] {
        match self {
            Self::Cells(cells) | Self::Waypoints(cells) => cells,
            Self::Points(_) | Self::Omitted => &[],
        }
    }

    /// The turning points of an any-angle path; none of another.
    pub const fn points(self) -> &'s [Point] {
        match self {
            Self::Points(points) => points,
            Self::Cells(_) | Self::Waypoints(_) | Self::Omitted => &[],
        }
    }

    /// Its cells, waypoints or turning points as points, whichever it has.
    pub fn turns(self) -> impl Iterator<Item = Point> + 's {
        self.cells().iter().map(|&cell| Point::centre(cell)).chain(self.points().iter().copied())
    }
}

/// A path that can be kept and sent to other threads: a [`Route`] that owns its
/// cells.
///
/// # Example
/// ```
/// use farstride::{Grid, OwnedRoute, Planner, Query, Scratch};
///
/// let planner = Planner::new(Grid::empty(30, 30)?);
/// let mut scratch = Scratch::new();
/// let mut routes: Vec<OwnedRoute> = Vec::new();
/// for x in 1..10 {
///     let outcome = planner.find(Query::new((0, 0), (x, 20)), &mut scratch)?;
///     routes.extend(outcome.route().map(|route| route.to_owned()));
/// }
/// assert_eq!(routes.len(), 9);
/// assert_eq!(routes[0].cells().len(), 21);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OwnedRoute {
    cost: Cost,
    length: f64,
    form: Form,
    cells: Box<[Cell]>,
    points: Box<[Point]>,
}

/// Which form of a [`Path`] some cells are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Cells,
    Points,
    Waypoints,
    Omitted,
}

impl Form {
    pub(super) const fn path<'p>(self, cells: &'p [Cell], points: &'p [Point]) -> Path<'p> {
        match self {
            Self::Cells => Path::Cells(cells),
            Self::Points => Path::Points(points),
            Self::Waypoints => Path::Waypoints(cells),
            Self::Omitted => Path::Omitted,
        }
    }
}

impl OwnedRoute {
    /// A route read from somewhere else.
    #[cfg(feature = "serde")]
    pub(crate) fn from_parts(cost: Cost, length: f64, path: Path<'_>) -> Self {
        Route { cost, length, path }.to_owned()
    }

    /// The route from a cell to itself.
    pub(super) fn of_cell(cell: Cell) -> Self {
        Self {
            cost: Cost::ZERO,
            length: 0.0,
            form: Form::Cells,
            cells: [cell].into(),
            points: Box::default(),
        }
    }

    /// The route again, borrowed.
    pub fn as_route(&self) -> Route<'_> {
        Route { cost: self.cost, length: self.length, path: self.form.path(&self.cells, &self.points) }
    }

    /// The exact cost: [`Route::cost`].
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// The length in straight steps: [`Route::length`].
    pub const fn length(&self) -> f64 {
        self.length
    }

    /// The cells or waypoints: [`Path::cells`].
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The turning points: [`Path::points`].
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}

/// A search that paused because its budget was spent.
///
/// Its state is in the scratch that it ran with. It can be resumed as long as that
/// scratch is not used for another query and the map is not edited. To cancel it, drop
/// it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paused {
    pub(super) query: Query,
    pub(super) revision: Revision,
    pub(super) key: ResumeKey,
    /// The scratch that holds the search has the same number.
    pub(super) serial: u64,
}

impl Paused {
    /// The query that was paused.
    pub const fn query(&self) -> Query {
        self.query
    }
}

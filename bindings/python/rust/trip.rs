//! Ways through a world: trips that were found, and plans that are walked.

use crate::arrays::cell_array;
use crate::atlas::{PyAtlas, Triple, place, triple};
use crate::failure::Raised;
use crate::walk::{Came, Walk, Walker};
use farstride::atlas::{LinkId, Place, Stage, Trip, TripOutcome, TripPlan, TripPlanned, TripStep};
use farstride_bindings::{Failure, Status};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// The answer of an :class:`Atlas`: a way over floors and through links.
///
/// It is true if there is a way, also if start and goal are the same place.
#[pyclass(name = "Trip", module = "farstride", frozen)]
pub(crate) struct PyTrip {
    status: Status,
    /// The exact cost, links included; ``None`` if there is no way.
    #[pyo3(get)]
    cost: Option<u64>,
    /// Where the way starts: another place than asked for only with ``nearest=True``.
    #[pyo3(get)]
    start: Triple,
    /// Where it ends.
    #[pyo3(get)]
    goal: Triple,
    stages: Vec<Py<PyStage>>,
}

impl PyTrip {
    pub(crate) fn new(
        py: Python<'_>,
        outcome: &TripOutcome<'_>,
        start: Place,
        goal: Place,
    ) -> PyResult<Self> {
        let status = Status::of_trip(outcome);
        let cost = match outcome {
            TripOutcome::AlreadyThere => Some(0),
            outcome => outcome.trip().map(|trip| trip.cost().units()),
        };
        let stages = outcome.trip().into_iter().flat_map(Trip::stages);
        let stages = stages.map(|stage| Py::new(py, PyStage::new(py, stage))).collect::<PyResult<_>>()?;
        Ok(Self { status, cost, start: triple(start), goal: triple(goal), stages })
    }
}

#[pymethods]
impl PyTrip {
    /// ``"found"``, ``"already-there"``, ``"start-blocked"``, ``"goal-blocked"`` or ``"unreachable"``.
    #[getter]
    fn status(&self) -> &'static str {
        self.status.name()
    }

    /// The walks and links of the way, in order: a list of :class:`Stage`.
    #[getter]
    fn stages(&self, py: Python<'_>) -> Vec<Py<PyStage>> {
        self.stages.iter().map(|stage| stage.clone_ref(py)).collect()
    }

    fn __bool__(&self) -> bool {
        self.cost.is_some()
    }

    fn __len__(&self) -> usize {
        self.stages.len()
    }

    fn __repr__(&self) -> String {
        let (status, count) = (self.status.name(), self.stages.len());
        match self.cost {
            Some(cost) => format!("Trip('{status}', cost={cost}, {count} stages)"),
            None => format!("Trip('{status}')"),
        }
    }
}

/// A part of a :class:`Trip`: a walk on a floor, or a link.
#[pyclass(name = "Stage", module = "farstride", frozen)]
pub(crate) struct PyStage {
    /// The floor of a walk; ``None`` for a link.
    #[pyo3(get)]
    floor: Option<usize>,
    /// The number of a link; ``None`` for a walk.
    #[pyo3(get)]
    link: Option<usize>,
    path: Py<PyArray2<i32>>,
}

impl PyStage {
    fn new(py: Python<'_>, stage: Stage<'_>) -> Self {
        let (floor, link, cells) = match stage {
            Stage::Walk { floor, cells } => (Some(floor.index()), None, cells),
            Stage::Link(link) => (None, Some(link.index()), &[][..]),
            _ => (None, None, &[][..]),
        };
        Self { floor, link, path: cell_array(py, cells).unbind() }
    }
}

#[pymethods]
impl PyStage {
    /// The cells of a walk as an ``int32`` array of shape (n, 2), both ends included; empty for a link.
    #[getter]
    fn path(&self, py: Python<'_>) -> Py<PyArray2<i32>> {
        self.path.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match (self.floor, self.link) {
            (Some(floor), _) => format!("Stage(floor={floor}, {} cells)", self.path.bind(py).dims()[0]),
            (None, Some(link)) => format!("Stage(link={link})"),
            (None, None) => "Stage()".to_owned(),
        }
    }
}

/// A way through floors and links that is refined while a unit goes it: an iterator over the places
/// ``(floor, x, y)`` it goes to.
///
/// :attr:`link` is the link that the last step took. If the world is edited meanwhile, the plan adapts. It
/// ends when the unit has arrived or when no way is left; :attr:`state` tells which. After another edit, go
/// on with ``next``.
///
/// >>> import farstride as fs
/// >>> atlas = fs.Atlas(["....", "...."])
/// >>> stair = atlas.add_link((0, 3, 0), (1, 3, 0), cost=9000)
/// >>> dwarf = atlas.add_mover({".": 1})
/// >>> plan = atlas.plan(dwarf, (0, 1, 0), (1, 2, 0))
/// >>> [(place, plan.link) for place in plan]
/// [((0, 2, 0), None), ((0, 3, 0), None), ((1, 3, 0), 0), ((1, 2, 0), None)]
/// >>> plan.state
/// 'arrived'
#[pyclass(name = "TripPlan", module = "farstride", frozen)]
pub(crate) struct PyTripPlan {
    atlas: Py<PyAtlas>,
    walker: Walker<Trek>,
    start: Place,
    goal: Place,
}

/// A plan, and the link that its last step took.
struct Trek {
    plan: TripPlan,
    link: Option<usize>,
}

impl PyTripPlan {
    pub(crate) fn new(atlas: &Bound<'_, PyAtlas>, start: Place, goal: Place, planned: TripPlanned) -> Self {
        let status = Status::of_trip_plan(&planned);
        let trek = if let TripPlanned::Plan(plan) = planned { Some(Trek { plan, link: None }) } else { None };
        Self { atlas: atlas.clone().unbind(), walker: Walker::new(trek, status), start, goal }
    }

    fn at(&self, walk: &Walk<Trek>) -> Triple {
        triple(walk.plan.as_ref().map_or(self.start, |trek| trek.plan.position()))
    }
}

#[pymethods]
impl PyTripPlan {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<Triple>, Raised> {
        let mut walk = self.walker.walk()?;
        let Some(Trek { plan, link: taken }) = &mut walk.plan else { return Ok(None) };
        let atlas = self.atlas.get();
        let step = py.detach(|| atlas.with_scratch(|atlas, scratch| plan.step(atlas, scratch)));
        let came_to = |place| Came::To { place: triple(place), is_goal: place == self.goal };
        *taken = None;
        let came = match step.map_err(Failure::query)? {
            TripStep::Walk(place) => came_to(place),
            TripStep::Link { link, to } => {
                *taken = Some(link.index());
                came_to(to)
            }
            TripStep::Arrived => Came::Arrived,
            _ => Came::Nowhere,
        };
        Ok(walk.note(came))
    }

    /// ``"walking"``, ``"arrived"``, ``"unreachable"``, ``"start-blocked"`` or ``"goal-blocked"``.
    #[getter]
    fn state(&self) -> PyResult<&'static str> {
        Ok(self.walker.walk()?.state)
    }

    /// The number of the link that the last step took; ``None`` if it was a step on a floor.
    #[getter]
    fn link(&self) -> PyResult<Option<usize>> {
        Ok(self.walker.walk()?.plan.as_ref().and_then(|trek| trek.link))
    }

    /// The numbers of the links ahead, in the order of the way.
    #[getter]
    fn links(&self) -> PyResult<Vec<usize>> {
        let walk = self.walker.walk()?;
        Ok(walk.plan.iter().flat_map(|trek| trek.plan.links()).map(LinkId::index).collect())
    }

    /// Where the unit is.
    #[getter]
    fn position(&self) -> PyResult<Triple> {
        Ok(self.at(&*self.walker.walk()?))
    }

    /// Where it goes.
    #[getter]
    fn goal(&self) -> Triple {
        triple(self.goal)
    }

    /// How often links or walks were chosen again, because of an edit or because the unit was moved.
    #[getter]
    fn replans(&self) -> PyResult<u32> {
        Ok(self.walker.walk()?.plan.as_ref().map_or(0, |trek| trek.plan.replans()))
    }

    /// Tells the plan that the unit is somewhere else.
    fn stand_at(&self, py: Python<'_>, position: Triple) -> Result<(), Raised> {
        let (atlas, position) = (self.atlas.get(), place(position)?);
        let mut walk = self.walker.walk()?;
        let Some(Trek { plan, .. }) = &mut walk.plan else { return Ok(()) };
        let moved = py.detach(|| atlas.with_scratch(|atlas, _| plan.stand_at(atlas, position)));
        Ok(moved.map_err(Failure::query)?)
    }

    fn __repr__(&self) -> PyResult<String> {
        let walk = self.walker.walk()?;
        let ((floor, x, y), (to, to_x, to_y)) = (self.at(&walk), triple(self.goal));
        Ok(format!("TripPlan('{}', at ({floor}, {x}, {y}), to ({to}, {to_x}, {to_y}))", walk.state))
    }
}

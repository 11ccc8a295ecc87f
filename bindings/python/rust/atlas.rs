//! Worlds: floors of terrain, movers of many kinds, links between floors.

use crate::arrays::{as_array, cells_on, converted, kind, rows, shown};
use crate::failure::Raised;
use crate::field::{Ground, PyField};
use crate::grid::PyGrid;
use crate::trip::{PyTrip, PyTripPlan};
use crate::wait::{in_parts, thread_count};
use crate::worlds::class_array;
use farstride::atlas::{
    Atlas, AtlasError, AtlasScratch, Floor, FloorId, Link, MoverError, MoverId, Place, TileMap,
};
use farstride_bindings::{Failure, worlds};
use farstride_io::worlds::{Layers, load_ldtk, load_tiled};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, TryLockError};

/// One world for many kinds of movers: floors of terrain, and links between places on them.
///
/// A floor is an array of terrain classes: numbers from 0 to 255 that mean nothing by themselves. A
/// mover says which classes it may enter, and at what cost. Places are ``(floor, x, y)``; a class may be
/// written as a letter, which stands for its code.
///
/// :param floors: for each floor a two-dimensional array of whole numbers, or a drawing of a
///     letter per cell
/// :param origins: where in the world the upper left cell of each floor is
///
/// What a mover needs is prepared by the first question about it. Any number of threads may ask.
///
/// >>> import farstride as fs
/// >>> atlas = fs.Atlas(["...#...\n...#...", ".......\n......."])
/// >>> for x in (1, 5):
/// ...     _ = atlas.add_link((0, x, 1), (1, x, 1), cost=10_000)
/// >>> dwarf = atlas.add_mover({".": 1}, engine="labels")
/// >>> trip = atlas.find(dwarf, (0, 0, 0), (0, 6, 0))
/// >>> trip
/// Trip('found', cost=52476, 5 stages)
/// >>> [stage.link if stage.link is not None else len(stage.path) for stage in trip.stages]
/// [2, 0, 5, 1, 2]
/// >>> atlas.edit([(1, 3, 0, 1, 2, ord("#"))])    # floor, x, y, width, height, class
/// >>> atlas.can_reach(dwarf, (0, 0, 0), (0, 6, 0))
/// False
#[pyclass(name = "Atlas", module = "farstride", frozen, weakref)]
pub(crate) struct PyAtlas {
    atlas: RwLock<Atlas>,
    scratches: Mutex<Vec<AtlasScratch>>,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place as Python writes it.
pub(crate) type Triple = (i64, i64, i64);

/// A terrain class: a name that the world's file gave it, a letter, or a number.
fn class_of(value: &Bound<'_, PyAny>, tiles: &TileMap) -> PyResult<u8> {
    let expected = || {
        let names: Vec<String> = worlds::named_classes(tiles).map(|(name, _)| format!("'{name}'")).collect();
        let or = if names.is_empty() { String::new() } else { format!(", or one of {}", names.join(", ")) };
        PyTypeError::new_err(format!(
            "a class is a number from 0 to 255 or an ASCII letter{or}; found {value:?}"
        ))
    };
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_string();
        if let Some(class) = tiles.class_named(&text) {
            return Ok(class);
        }
        let mut letters = text.chars();
        return match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_ascii() => Ok(letter as u8),
            _ => Err(expected()),
        };
    }
    let number: i64 = value.extract().map_err(|_| expected())?;
    u8::try_from(number).map_err(|_| PyValueError::new_err(format!("class is {number}; expected 0 to 255")))
}

/// A floor from an array or a drawing.
fn floor_of(classes: &Bound<'_, PyAny>) -> Result<Floor, Raised> {
    if let Ok(text) = classes.cast::<PyString>() {
        return Ok(Floor::from_text(&text.to_string()).map_err(Failure::map)?);
    }
    let array = as_array(classes)?;
    let &[height, width] = array.shape() else {
        let shape = shown(array.shape());
        let message = format!("a floor is an array of shape (rows, columns), found shape {shape}");
        return Err(PyValueError::new_err(message).into());
    };
    if !matches!(kind(&array), 'i' | 'u' | 'b') {
        let found = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("a floor is an array of classes, found {found}")).into());
    }
    if width * height > 0 {
        let end = |name: &str| array.call_method0(name)?.extract::<i128>();
        let (least, most) = (end("min")?, end("max")?);
        if least < 0 || most > 255 {
            let wrong = if least < 0 { least } else { most };
            return Err(Failure::map(format!("class is {wrong}; expected 0 to 255")).into());
        }
    }
    let bytes = converted(&array, "uint8")?.cast_into::<PyArray2<u8>>().map_err(PyErr::from)?;
    let bytes = bytes.readonly();
    let bytes = bytes.as_slice().map_err(PyErr::from)?;
    Ok(Floor::new(width, height, bytes).map_err(Failure::map)?)
}

/// A place, checked as far as types go.
pub(crate) fn place((floor, x, y): Triple) -> Result<Place, Failure> {
    worlds::place([floor, x, y])
}

pub(crate) fn triple(place: Place) -> Triple {
    (place.floor.index() as i64, place.cell.x.into(), place.cell.y.into())
}

impl PyAtlas {
    fn of(tiles: TileMap) -> Result<Self, Raised> {
        let atlas = Atlas::new(tiles).map_err(Failure::map)?;
        Ok(Self { atlas: RwLock::new(atlas), scratches: Mutex::default() })
    }

    /// Runs work on the atlas with working memory; for threads without Python's lock.
    pub(crate) fn with_scratch<T>(&self, work: impl FnOnce(&Atlas, &mut AtlasScratch) -> T) -> T {
        let world = self.lock();
        let mut scratch = locked(&self.scratches).pop().unwrap_or_default();
        let made = work(&world, &mut scratch);
        locked(&self.scratches).push(scratch);
        made
    }

    /// Runs work on the planner of a mover on a floor; for threads without Python's lock.
    pub(crate) fn with_planner<T>(
        &self,
        mover: i64,
        floor: FloorId,
        work: impl FnOnce(&farstride::Planner) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let world = self.lock();
        let mover = worlds::mover_numbered(&world, mover)?;
        work(world.planner(mover, floor).map_err(Failure::query)?)
    }

    /// The world, for threads without Python's lock.
    fn lock(&self) -> RwLockReadGuard<'_, Atlas> {
        self.atlas.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The world, for a moment; as `PyPlanner::read`.
    fn read(&self, py: Python<'_>) -> RwLockReadGuard<'_, Atlas> {
        loop {
            match self.atlas.try_read() {
                Ok(world) => return world,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    py.detach(|| drop(self.lock()));
                }
            }
        }
    }

    /// Asks about a mover without Python's lock: its first question may take a while.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        mover: i64,
        ask: impl FnOnce(&Atlas, MoverId) -> Result<T, AtlasError> + Send,
    ) -> Result<T, Raised> {
        let world = self.read(py);
        let world = &*world;
        let mover = worlds::mover_numbered(world, mover)?;
        Ok(py.detach(|| ask(world, mover)).map_err(Failure::query)?)
    }

    /// Changes the world without Python's lock, which those who ask meanwhile may need.
    fn change<T: Send>(&self, py: Python<'_>, change: impl FnOnce(&mut Atlas) -> T + Send) -> T {
        py.detach(|| change(&mut self.atlas.write().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[pymethods]
impl PyAtlas {
    #[new]
    #[pyo3(signature = (floors, *, origins = None))]
    fn new(floors: Vec<Bound<'_, PyAny>>, origins: Option<Vec<(i32, i32)>>) -> Result<Self, Raised> {
        let origins = origins.unwrap_or_else(|| vec![(0, 0); floors.len()]);
        if origins.len() != floors.len() {
            let (floors, origins) = (floors.len(), origins.len());
            return Err(PyValueError::new_err(format!("{floors} floors, but {origins} origins")).into());
        }
        let mut tiles = TileMap::new();
        for (floor, (x, y)) in floors.iter().zip(origins) {
            tiles.add_floor(floor_of(floor)?.at(x, y)).map_err(Failure::map)?;
        }
        Self::of(tiles)
    }

    /// A world from a map of the editor Tiled (``.tmx``, ``.tmj``). :attr:`class_names` has the kinds of
    /// terrain: classes of tiles as set in the editor, and tiles without one under a name of their own.
    ///
    /// :param stacked: whether layers lie on each other and make one floor; otherwise each is a floor
    #[staticmethod]
    #[pyo3(signature = (path, *, stacked = false))]
    fn from_tiled(py: Python<'_>, path: PathBuf, stacked: bool) -> Result<Self, Raised> {
        let layers = if stacked { Layers::Stacked } else { Layers::Floors };
        Self::of(py.detach(|| load_tiled(&path, layers)).map_err(Failure::from)?)
    }

    /// A world from a project of the editor LDtk: a floor for each layer of an integer grid.
    /// :attr:`class_names` has the values by name.
    #[staticmethod]
    fn from_ldtk(py: Python<'_>, path: PathBuf) -> Result<Self, Raised> {
        Self::of(py.detach(|| load_ldtk(&path)).map_err(Failure::from)?)
    }

    /// The classes that a file gave names to, by name.
    #[getter]
    fn class_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let world = self.read(py);
        let names: Vec<(String, u8)> =
            worlds::named_classes(world.tiles()).map(|(name, class)| (name.to_owned(), class)).collect();
        drop(world);
        let dictionary = PyDict::new(py);
        for (name, class) in names {
            // Of several classes of one name, the first: as movers understand it.
            if !dictionary.contains(&name)? {
                dictionary.set_item(name, class)?;
            }
        }
        Ok(dictionary)
    }

    /// Adds a floor and returns its number.
    #[pyo3(signature = (classes, *, origin = (0, 0)))]
    fn add_floor(
        &self,
        py: Python<'_>,
        classes: &Bound<'_, PyAny>,
        origin: (i32, i32),
    ) -> Result<usize, Raised> {
        let floor = floor_of(classes)?.at(origin.0, origin.1);
        let added = self.change(py, |world| world.edit(|tiles| tiles.add_floor(floor)));
        Ok(added.map_err(Failure::map)?.index())
    }

    /// Adds a kind of mover and returns its number.
    ///
    /// :param costs: what entering a class costs, 1 to 255; classes that are not listed cannot be
    ///     entered. A class is a number, a letter, or one of :attr:`class_names`.
    /// :param size: of the square that it covers, in cells; its place is that of its upper left cell
    /// :param engine: that finds its paths
    /// :param links: the kinds of links it may use; all if not given
    ///
    /// >>> import farstride as fs
    /// >>> atlas = fs.Atlas(["..~~\n...."])
    /// >>> boat, tank = atlas.add_mover({"~": 1}), atlas.add_mover({".": 1, "~": 9}, size=2)
    /// >>> atlas.grid(boat, 0).to_array()
    /// array([[0, 0, 1, 1],
    ///        [0, 0, 0, 0]], dtype=uint8)
    /// >>> atlas.grid(tank, 0).to_array()
    /// array([[1, 9, 9, 0],
    ///        [0, 0, 0, 0]], dtype=uint8)
    #[pyo3(signature = (costs, *, size = 1, engine = "hpa", diagonals = "strict", diagonal_cost = "sqrt2",
        links = None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn add_mover(
        &self,
        py: Python<'_>,
        costs: &Bound<'_, PyDict>,
        size: i64,
        engine: &str,
        diagonals: &str,
        diagonal_cost: &str,
        links: Option<Vec<i64>>,
    ) -> Result<usize, Raised> {
        let mut mover = worlds::mover(engine, size, diagonals, diagonal_cost)?;
        for (class, cost) in costs {
            let number: i64 = cost.extract()?;
            let cost = u8::try_from(number).ok().filter(|&cost| cost > 0);
            let cost =
                cost.ok_or_else(|| Failure::settings(format!("cost is {number}; expected 1 to 255")))?;
            mover = mover.entering(class_of(&class, self.read(py).tiles())?, cost);
        }
        if let Some(kinds) = links {
            let kind = |kind: i64| u8::try_from(kind).ok().filter(|&kind| kind < Link::KINDS);
            let wrong = kinds.iter().find(|&&number| kind(number).is_none());
            if let Some(number) = wrong {
                return Err(Failure::settings(format!("kind of link is {number}; expected 0 to 63")).into());
            }
            mover = mover.using_links(&kinds.into_iter().filter_map(kind).collect::<Vec<_>>());
        }
        let added = self.change(py, |world| {
            world.add_mover(mover)?;
            Ok(world.movers().len() - 1)
        });
        added.map_err(|error: MoverError| Failure::settings(error).into())
    }

    /// Adds a link, such as stairs or a portal, and returns its number.
    ///
    /// :param cost: as exact costs are: a straight step costs 4756
    /// :param one_way: whether it does not lead back
    /// :param kind: 0 to 63; movers may be limited to some kinds
    #[pyo3(signature = (start, goal, *, cost, one_way = false, kind = 0))]
    fn add_link(
        &self,
        py: Python<'_>,
        start: Triple,
        goal: Triple,
        cost: i64,
        one_way: bool,
        kind: i64,
    ) -> Result<usize, Raised> {
        let link = worlds::link(place(start)?, place(goal)?, cost, one_way, kind)?;
        let added = self.change(py, |world| world.edit(|tiles| tiles.add_link(link)));
        Ok(added.map_err(Failure::query)?.index())
    }

    /// Removes a link; returns whether it was there. Its number is not used again.
    fn remove_link(&self, py: Python<'_>, link: i64) -> bool {
        self.change(py, |world| worlds::remove_link(world, link))
    }

    /// Gives rectangles other classes, one after the other; everything that is prepared follows
    /// before this returns.
    ///
    /// :param changes: rows ``floor, x, y, width, height, class``. If one of them does not fit, none is
    ///     carried out.
    fn edit(&self, py: Python<'_>, changes: &Bound<'_, PyAny>) -> Result<(), Raised> {
        let rows = rows(changes, 6, "changes")?;
        let numbers: Vec<[i64; 6]> = rows.as_slice().map_err(PyErr::from)?.as_chunks::<6>().0.to_vec();
        Ok(self.change(py, |world| worlds::fill_all(world, numbers))?)
    }

    /// Prepares everything for a mover, on all cores: maps and indexes of all floors, and the costs
    /// between all ends of links.
    fn prepare(&self, py: Python<'_>, mover: i64) -> Result<(), Raised> {
        self.ask(py, mover, Atlas::prepare)
    }

    /// Finds a way from a place to another.
    ///
    /// :param nearest: go to the nearest place that can be reached, if the goal cannot; and from
    ///     the nearest place where the mover can stand, if it cannot stand at the start
    #[pyo3(signature = (mover, start, goal, *, nearest = false))]
    fn find(
        &self,
        py: Python<'_>,
        mover: i64,
        start: Triple,
        goal: Triple,
        nearest: bool,
    ) -> Result<PyTrip, Raised> {
        let (mut start, mut goal) = (place(start)?, place(goal)?);
        if nearest
            && let Some(instead) = self.ask(py, mover, |atlas, mover| atlas.substitute(mover, start, goal))?
        {
            (start, goal) = instead;
        }
        let mover = worlds::mover_numbered(&self.read(py), mover)?;
        let mut scratch = locked(&self.scratches).pop().unwrap_or_default();
        let trip = (|| {
            let world = self.read(py);
            let world = &*world;
            let found = py.detach(|| world.find(mover, start, goal, &mut scratch));
            Ok(PyTrip::new(py, &found.map_err(Failure::query)?, start, goal)?)
        })();
        locked(&self.scratches).push(scratch);
        trip
    }

    /// The place that costs least to reach, through floors and links: its number in the list and the way to
    /// it; ``None`` if none can be reached.
    ///
    /// :param goals: places as an array of shape (n, 3)
    ///
    /// >>> import farstride as fs
    /// >>> atlas = fs.Atlas(["........", "........"])
    /// >>> stair = atlas.add_link((0, 1, 0), (1, 1, 0), cost=10_000)
    /// >>> dwarf = atlas.add_mover({".": 1})
    /// >>> atlas.nearest(dwarf, (0, 0, 0), [(0, 7, 0), (1, 2, 0)])
    /// (1, Trip('found', cost=19512, 3 stages))
    fn nearest(
        &self,
        py: Python<'_>,
        mover: i64,
        start: Triple,
        goals: &Bound<'_, PyAny>,
    ) -> Result<Option<(usize, PyTrip)>, Raised> {
        let (start, goals) = (place(start)?, places(goals, "goals")?);
        let mover = worlds::mover_numbered(&self.read(py), mover)?;
        let mut scratch = locked(&self.scratches).pop().unwrap_or_default();
        let nearest = (|| {
            let world = self.read(py);
            let world = &*world;
            let found = py.detach(|| world.nearest(mover, start, &goals, &mut scratch));
            let trip = |(at, outcome)| Ok((at, PyTrip::new(py, &outcome, start, goals[at])?));
            found.map_err(Failure::query)?.map(trip).transpose()
        })();
        locked(&self.scratches).push(scratch);
        nearest
    }

    /// A plan that chooses its links at once, plans each walk when it begins, and adapts to edits.
    /// Iterate over it to walk; see :class:`TripPlan`.
    fn plan(slf: &Bound<'_, Self>, mover: i64, start: Triple, goal: Triple) -> Result<PyTripPlan, Raised> {
        let (py, atlas) = (slf.py(), slf.get());
        let (mover, start, goal) =
            (worlds::mover_numbered(&atlas.read(py), mover)?, place(start)?, place(goal)?);
        let planned =
            py.detach(|| atlas.with_scratch(|atlas, memory| atlas.plan(mover, start, goal, memory)));
        Ok(PyTripPlan::new(slf, start, goal, planned.map_err(Failure::query)?))
    }

    /// Makes many plans of a mover on all cores: a list of :class:`TripPlan`, those of :meth:`plan`.
    ///
    /// :param starts: places as an array of shape (n, 3)
    /// :param goals: as many goals
    /// :param threads: all cores if not given
    #[pyo3(signature = (mover, starts, goals, *, threads = None))]
    fn plan_many(
        slf: &Bound<'_, Self>,
        mover: i64,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        threads: Option<i64>,
    ) -> Result<Vec<PyTripPlan>, Raised> {
        let (py, atlas, threads) = (slf.py(), slf.get(), thread_count(threads)?);
        let (starts, goals) = (places(starts, "starts")?, places(goals, "goals")?);
        if starts.len() != goals.len() {
            let (starts, goals) = (starts.len(), goals.len());
            return Err(PyValueError::new_err(format!("{starts} starts, but {goals} goals")).into());
        }
        let mover = worlds::mover_numbered(&atlas.read(py), mover)?;
        let ways: Vec<(Place, Place)> = starts.into_iter().zip(goals).collect();
        let planned = in_parts(
            py,
            &ways,
            threads,
            || atlas.lock(),
            |atlas, ways| atlas.plan_many(mover, ways, threads).map_err(Failure::query),
        )?;
        let plan = |(planned, &(start, goal))| PyTripPlan::new(slf, start, goal, planned);
        Ok(planned.into_iter().zip(&ways).map(plan).collect())
    }

    /// One search from some goals of a floor for any number of units of a kind; see :class:`Field`.
    ///
    /// :param goals: cells of the floor as an array of shape (n, 2)
    fn field(
        slf: &Bound<'_, Self>,
        mover: i64,
        floor: i64,
        goals: &Bound<'_, PyAny>,
    ) -> Result<PyField, Raised> {
        let (py, goals) = (slf.py(), rows(goals, 2, "goals")?);
        let floor = place((floor, 0, 0))?.floor;
        let grid =
            slf.get().ask(py, mover, |atlas, mover| Ok(atlas.planner(mover, floor)?.grid().clone()))?;
        let goals = cells_on(&grid, &goals)?;
        PyField::new(py, Ground::Floor { atlas: slf.clone().unbind(), mover, floor }, &goals)
    }

    /// Whether a way leads from a place to another. Nothing is searched.
    fn can_reach(&self, py: Python<'_>, mover: i64, start: Triple, goal: Triple) -> Result<bool, Raised> {
        let (start, goal) = (place(start)?, place(goal)?);
        self.ask(py, mover, |atlas, mover| atlas.can_reach(mover, start, goal))
    }

    /// Start and goal of a way that is as near as one gets: a start where the mover cannot stand and a
    /// goal that it cannot reach are replaced by the nearest places of their floors, or, if nothing of the
    /// goal's can be reached, by one above or below it or close to that; ``None`` if the mover can stand nowhere on the start's floor.
    ///
    /// >>> import farstride as fs
    /// >>> atlas = fs.Atlas(["...#."])
    /// >>> unit = atlas.add_mover({".": 1})
    /// >>> atlas.substitute(unit, (0, 0, 0), (0, 4, 0))
    /// ((0, 0, 0), (0, 2, 0))
    fn substitute(
        &self,
        py: Python<'_>,
        mover: i64,
        start: Triple,
        goal: Triple,
    ) -> Result<Option<(Triple, Triple)>, Raised> {
        let (start, goal) = (place(start)?, place(goal)?);
        let instead = self.ask(py, mover, |atlas, mover| atlas.substitute(mover, start, goal))?;
        Ok(instead.map(|(start, goal)| (triple(start), triple(goal))))
    }

    /// The map of a floor as a mover sees it.
    fn grid(&self, py: Python<'_>, mover: i64, floor: i64) -> Result<PyGrid, Raised> {
        let floor = place((floor, 0, 0))?.floor;
        let grid = self.ask(py, mover, |atlas, mover| Ok(atlas.planner(mover, floor)?.grid().clone()))?;
        Ok(PyGrid { grid: Arc::new(grid) })
    }

    /// The classes of a floor, as an array.
    fn classes<'py>(&self, py: Python<'py>, floor: i64) -> Result<Bound<'py, PyArray2<u8>>, Raised> {
        let at = place((floor, 0, 0))?.floor;
        let world = self.read(py);
        let found = world.tiles().floor(at);
        let found = found.ok_or_else(|| Failure::query(format!("there is no floor {floor}")))?;
        let found = found.clone();
        drop(world);
        Ok(class_array(py, &found)?)
    }

    /// Number of floors.
    #[getter]
    fn floor_count(&self, py: Python<'_>) -> usize {
        self.read(py).tiles().floor_count()
    }

    /// A hash of everything that is kept for a mover: the same however the world came to be as it
    /// is.
    fn digest(&self, py: Python<'_>, mover: i64) -> Result<String, Raised> {
        Ok(format!("{:016x}", self.ask(py, mover, Atlas::digest)?))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let world = self.read(py);
        let (tiles, movers) = (world.tiles(), world.movers().len());
        let (floors, links) = (tiles.floor_count(), tiles.links().count());
        format!("Atlas({floors} floors, {links} links, {movers} movers)")
    }
}

/// Places from an array of shape (n, 3); checked as far as types go.
fn places(object: &Bound<'_, PyAny>, what: &str) -> Result<Vec<Place>, Raised> {
    let rows = rows(object, 3, what)?;
    let numbers = rows.as_slice().map_err(PyErr::from)?.as_chunks::<3>().0;
    Ok(numbers.iter().map(|&[floor, x, y]| place((floor, x, y))).collect::<Result<_, _>>()?)
}

//! Graphs, and what is prepared on them.

use crate::arrays::{as_array, converted, kind, line, rows, shown, zeros};
use crate::failure::Raised;
use crate::wait::{built, thread_count, watched};
use farstride::Cost;
use farstride::graph::{Graph as _, NodeId, RowGraph};
use farstride::hublabel::{HubIndex, HubScratch};
use farstride::nlevel::{ArchScratch, Basic, NLevelGraph};
use farstride_bindings::{Failure, FailureKind};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::hint::black_box;
use std::sync::{Arc, Mutex, PoisonError};

/// A graph of numbered nodes.
///
/// :param node_count: nodes are numbered from 0
/// :param edges: pairs of nodes, as an array of shape (m, 2)
/// :param costs: what each costs: whole numbers, which are exact, or lengths
/// :param directed: whether an edge leads one way only
/// :param units: units per 1 of length; lengths are rounded up to units
///
/// >>> import farstride as fs
/// >>> graph = fs.Graph(4, [(0, 1), (1, 2), (2, 3)], [5, 6, 2])
/// >>> graph
/// Graph(4 nodes, 6 arcs)
#[pyclass(name = "Graph", module = "farstride", frozen)]
pub(crate) struct PyGraph {
    pub(crate) graph: Arc<RowGraph>,
    scale: Scale,
}

/// What a cost means.
#[derive(Clone, Copy)]
pub(crate) enum Scale {
    /// Itself.
    Whole,
    /// This many units are 1 of length.
    Units(u32),
}

impl Scale {
    pub(crate) fn number(self, py: Python<'_>, cost: Cost) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Whole => cost.units().into_pyobject(py)?.into_any(),
            Self::Units(units) => (cost.units() as f64 / f64::from(units)).into_pyobject(py)?.into_any(),
        })
    }
}

/// A distance and the nodes of the path, for Python.
pub(crate) type Path<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray1<i64>>);

pub(crate) fn path<'py>(py: Python<'py>, scale: Scale, cost: Cost, nodes: &[NodeId]) -> PyResult<Path<'py>> {
    let nodes = PyArray1::from_iter(py, nodes.iter().map(|node| node.index() as i64));
    Ok((scale.number(py, cost)?, nodes))
}

/// A node of a graph.
pub(crate) fn node(count: usize, number: i64) -> Result<NodeId, Failure> {
    let known = u32::try_from(number).ok().filter(|&number| (number as usize) < count);
    known.map(NodeId::new).ok_or_else(|| {
        Failure::query(format!("node {number} is not in the graph, whose {count} nodes are numbered from 0"))
    })
}

fn nodes(count: usize, numbers: &Bound<'_, PyAny>) -> Result<Vec<NodeId>, Raised> {
    let numbers = line(numbers, "nodes")?;
    let numbers = numbers.as_slice().map_err(PyErr::from)?;
    Ok(numbers.iter().map(|&number| node(count, number)).collect::<Result<_, _>>()?)
}

impl PyGraph {
    fn build(
        node_count: i64,
        ends: &[[i64; 2]],
        costs: &Bound<'_, PyAny>,
        directed: bool,
        units: i64,
    ) -> Result<Self, Raised> {
        let bad = |message: String| Failure::new(FailureKind::Graph, message);
        let node_count = usize::try_from(node_count)
            .map_err(|_| bad(format!("{node_count} nodes; expected at least 0")))?;
        let units = u32::try_from(units).ok().filter(|&units| units > 0);
        let units = units.ok_or_else(|| bad(format!("units have to be from 1 to {}", u32::MAX)))?;
        let array = as_array(costs)?;
        if array.shape() != [ends.len()] && !(ends.is_empty() && array.is_empty()) {
            let shape = shown(array.shape());
            return Err(bad(format!("{} edges, but costs of shape {shape}", ends.len())).into());
        }
        let end = |number: i64| match node(node_count, number) {
            Ok(node) => Ok(node.index() as u32),
            Err(unknown) => Err(bad(unknown.message)),
        };
        let pairs =
            ends.iter().map(|&[from, to]| Ok((end(from)?, end(to)?))).collect::<Result<Vec<_>, Failure>>()?;
        // Rows are made for all nodes, also for those without edges.
        let mut rows = Vec::<u64>::new();
        if u32::try_from(node_count).is_ok() && black_box(rows.try_reserve_exact(node_count)).is_err() {
            let message = format!("a graph of {node_count} nodes does not fit into memory");
            return Err(PyMemoryError::new_err(message).into());
        }
        drop(black_box(rows));
        if matches!(kind(&array), 'i' | 'u') || ends.is_empty() {
            let costs = line(costs, "costs")?;
            let costs = costs.as_slice().map_err(PyErr::from)?.iter().map(|&cost| {
                let units = u64::try_from(cost).ok().and_then(|cost| Cost::new(cost).ok());
                units.ok_or_else(|| bad(format!("cost is {cost}; expected 0 to {}", Cost::MAX.units())))
            });
            let costs = costs.collect::<Result<Vec<_>, _>>()?;
            let arcs = pairs.into_iter().zip(costs).map(|((from, to), cost)| (from, to, cost));
            let graph = if directed {
                RowGraph::from_arcs(node_count, arcs)
            } else {
                RowGraph::from_edges(node_count, arcs)
            };
            return Ok(Self { graph: Arc::new(graph?), scale: Scale::Whole });
        }
        if kind(&array) != 'f' {
            let found = array.dtype();
            return Err(
                PyTypeError::new_err(format!("costs are whole numbers or lengths, found {found}")).into()
            );
        }
        let lengths =
            converted(&array, "float64")?.cast_into::<PyArray1<f64>>().map_err(PyErr::from)?.readonly();
        let lengths = lengths.as_slice().map_err(PyErr::from)?;
        let arcs = pairs.into_iter().zip(lengths).map(|((from, to), &length)| (from, to, length));
        let graph = if directed {
            RowGraph::from_lengths(node_count, arcs, units)
        } else {
            RowGraph::from_edge_lengths(node_count, arcs, units)
        };
        Ok(Self { graph: Arc::new(graph?), scale: Scale::Units(units) })
    }

    pub(crate) const fn scale(&self) -> Scale {
        self.scale
    }
}

#[pymethods]
impl PyGraph {
    #[new]
    #[pyo3(signature = (node_count, edges, costs, *, directed = false, units = 1000))]
    fn new(
        node_count: i64,
        edges: &Bound<'_, PyAny>,
        costs: &Bound<'_, PyAny>,
        directed: bool,
        units: i64,
    ) -> Result<Self, Raised> {
        let ends = rows(edges, 2, "edges")?;
        let ends = ends.as_slice().map_err(PyErr::from)?.as_chunks::<2>().0;
        Self::build(node_count, ends, costs, directed, units)
    }

    /// A graph from a square sparse matrix of SciPy: what is stored at ``i, j`` is the cost of
    /// the arc from ``i`` to ``j``.
    ///
    /// :param directed: if not, every entry counts both ways
    ///
    /// >>> import farstride as fs, scipy.sparse
    /// >>> matrix = scipy.sparse.csr_array([[0, 2, 0], [0, 0, 3], [0, 0, 0]])
    /// >>> fs.HubLabels(fs.Graph.from_scipy(matrix, directed=False)).distance(0, 2)
    /// 5
    #[staticmethod]
    #[pyo3(signature = (matrix, *, directed = true, units = 1000))]
    fn from_scipy(matrix: &Bound<'_, PyAny>, directed: bool, units: i64) -> Result<Self, Raised> {
        let coo = matrix.call_method0("tocoo").map_err(|_| {
            PyTypeError::new_err(format!("expected a sparse matrix of SciPy, found {}", matrix.get_type()))
        })?;
        let shape: (i64, i64) = coo.getattr("shape")?.extract()?;
        if shape.0 != shape.1 {
            return Err(PyValueError::new_err(format!(
                "the matrix of a graph is square, found shape {shape:?}"
            ))
            .into());
        }
        let (from, to) = (line(&coo.getattr("row")?, "rows")?, line(&coo.getattr("col")?, "columns")?);
        let (from, to) = (from.as_slice().map_err(PyErr::from)?, to.as_slice().map_err(PyErr::from)?);
        let ends: Vec<[i64; 2]> = from.iter().zip(to).map(|(&from, &to)| [from, to]).collect();
        Self::build(shape.0, &ends, &coo.getattr("data")?, directed, units)
    }

    /// Number of nodes.
    #[getter]
    fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    /// Number of arcs; an edge that leads both ways is two.
    #[getter]
    fn arc_count(&self) -> usize {
        self.graph.arc_count()
    }

    fn __repr__(&self) -> String {
        format!("Graph({} nodes, {} arcs)", self.node_count(), self.arc_count())
    }
}

/// Hub labels of an undirected graph: exact distances and paths by look-up.
///
/// Distances are whole numbers if the costs of the graph are; -1 in tables where there is
/// no path. Of a graph with lengths they are lengths, ``inf`` where there is no path.
///
/// >>> import farstride as fs
/// >>> roads = fs.Graph(5, [(0, 1), (1, 2), (0, 3)], [4, 4, 1])
/// >>> labels = fs.HubLabels(roads)
/// >>> labels.distance(2, 3)
/// 9
/// >>> labels.path(2, 3)
/// (9, array([2, 1, 0, 3]))
/// >>> labels.distances([0, 2], [3, 4])
/// array([[ 1, -1],
///        [ 9, -1]])
#[pyclass(name = "HubLabels", module = "farstride", frozen)]
pub(crate) struct PyHubLabels {
    index: HubIndex,
    scale: Scale,
    scratches: Mutex<Vec<HubScratch>>,
}

impl PyHubLabels {
    fn with_scratch<T>(&self, work: impl FnOnce(&HubIndex, &mut HubScratch) -> T) -> T {
        let pool = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = pool().pop().unwrap_or_default();
        let result = work(&self.index, &mut scratch);
        pool().push(scratch);
        result
    }

    fn node(&self, number: i64) -> Result<NodeId, Failure> {
        node(self.index.hierarchy().node_count(), number)
    }
}

#[pymethods]
impl PyHubLabels {
    #[new]
    #[pyo3(signature = (graph, *, threads = None, progress = None))]
    fn new(
        py: Python<'_>,
        graph: &Bound<'_, PyGraph>,
        threads: Option<i64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Result<Self, Raised> {
        let PyGraph { graph, scale } = graph.get();
        let index = built(py, threads, progress, |options| HubIndex::build_with(&**graph, options))?;
        Ok(Self { index, scale: *scale, scratches: Mutex::default() })
    }

    /// The distance between two nodes; ``None`` if there is no path.
    fn distance<'py>(
        &self,
        py: Python<'py>,
        start: i64,
        goal: i64,
    ) -> Result<Option<Bound<'py, PyAny>>, Raised> {
        let (start, goal) = (self.node(start)?, self.node(goal)?);
        let distance = self.with_scratch(|index, scratch| index.distance(start, goal, scratch));
        Ok(distance.map(|cost| self.scale.number(py, cost)).transpose()?)
    }

    /// The distance and the nodes of a shortest path; ``None`` if there is none.
    fn path<'py>(&self, py: Python<'py>, start: i64, goal: i64) -> Result<Option<Path<'py>>, Raised> {
        let (start, goal) = (self.node(start)?, self.node(goal)?);
        let mut nodes = Vec::new();
        let cost = self.with_scratch(|index, scratch| index.path_into(start, goal, &mut nodes, scratch));
        Ok(cost.map(|cost| path(py, self.scale, cost, &nodes)).transpose()?)
    }

    /// The distances from each of some nodes to each of others, on all cores: an array with a
    /// row for each start.
    #[pyo3(signature = (starts, goals, *, threads = None, progress = None))]
    fn distances<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        threads: Option<i64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>, Raised> {
        let (threads, count) = (thread_count(threads)?, self.index.hierarchy().node_count());
        let (starts, goals) = (nodes(count, starts)?, nodes(count, goals)?);
        let ends = Ends { starts: &starts, goals: &goals, threads };
        match self.scale {
            Scale::Whole => {
                let entry = |cost: Option<Cost>| cost.map_or(-1, |cost| cost.units() as i64);
                Ok(ends.write(py, &self.index, entry, progress)?.into_any())
            }
            Scale::Units(units) => {
                let length = |cost: Cost| cost.units() as f64 / f64::from(units);
                let entry = |cost: Option<Cost>| cost.map_or(f64::INFINITY, length);
                Ok(ends.write(py, &self.index, entry, progress)?.into_any())
            }
        }
    }

    /// Bytes in memory.
    #[getter]
    fn byte_count(&self) -> usize {
        self.index.byte_count()
    }

    fn __repr__(&self) -> String {
        format!("HubLabels({} nodes, {} bytes)", self.index.hierarchy().node_count(), self.index.byte_count())
    }
}

/// Starts and goals of a table.
struct Ends<'e> {
    starts: &'e [NodeId],
    goals: &'e [NodeId],
    threads: usize,
}

impl Ends<'_> {
    fn write<'py, T: Element + Copy>(
        &self,
        py: Python<'py>,
        index: &HubIndex,
        entry: impl Fn(Option<Cost>) -> T + Sync,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyArray2<T>>, Raised> {
        let &Self { starts, goals, threads } = self;
        let table = zeros::<T, _>(py, (starts.len(), goals.len()))?;
        let mut write = table.readwrite();
        let entries = write.as_slice_mut().map_err(PyErr::from)?;
        // In parts, so that Ctrl-C is noticed between them: about a million pairs each.
        let part = (1_000_000 / goals.len().max(1)).max(threads);
        watched(py, progress, |watch| {
            watch.expect(starts.len());
            let rows = entries.chunks_mut((part * goals.len()).max(1));
            for (starts, entries) in starts.chunks(part).zip(rows) {
                if !watch.is_wanted() {
                    return Err(Failure::new(FailureKind::Cancelled, "the table was cancelled"));
                }
                for (to, cost) in entries.iter_mut().zip(index.distances(starts, goals, threads)) {
                    *to = entry(cost);
                }
                watch.count(starts.len());
            }
            Ok(())
        })?;
        drop(write);
        Ok(table)
    }
}

/// An undirected graph partitioned into levels: exact paths by a short search.
///
/// :param levels: maximum number of levels; no limit if not given
///
/// >>> import farstride as fs
/// >>> graph = fs.Graph(5, [(0, 1), (1, 2), (2, 3), (1, 4)], [4, 5, 1, 2])
/// >>> levels = fs.NLevelGraph(graph)
/// >>> levels.path(4, 3)
/// (8, array([4, 1, 2, 3]))
/// >>> levels.level(1) > levels.level(0)
/// True
#[pyclass(name = "NLevelGraph", module = "farstride", frozen)]
pub(crate) struct PyNLevelGraph {
    levels: NLevelGraph,
    scale: Scale,
    scratches: Mutex<Vec<ArchScratch>>,
}

#[pymethods]
impl PyNLevelGraph {
    #[new]
    #[pyo3(signature = (graph, *, levels = None, progress = None))]
    fn new(
        py: Python<'_>,
        graph: &Bound<'_, PyGraph>,
        levels: Option<u32>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Result<Self, Raised> {
        let PyGraph { graph, scale } = graph.get();
        if levels == Some(0) {
            return Err(Failure::settings("levels is 0; expected at least 1").into());
        }
        let levels = built(py, Some(1), progress, |options| {
            NLevelGraph::partition_with(&**graph, levels, &Basic, options)
        })?;
        Ok(Self { levels, scale: *scale, scratches: Mutex::default() })
    }

    /// The distance and the nodes of a shortest path; ``None`` if there is none.
    fn path<'py>(&self, py: Python<'py>, start: i64, goal: i64) -> Result<Option<Path<'py>>, Raised> {
        let count = self.levels.node_count();
        let (start, goal) = (node(count, start)?, node(count, goal)?);
        let pool = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = pool().pop().unwrap_or_default();
        let found = py.detach(|| self.levels.find(start, goal, &mut scratch));
        let found = found.map(|found| path(py, self.scale, found.cost, found.path)).transpose();
        pool().push(scratch);
        Ok(found?)
    }

    /// The level of a node, from 1.
    fn level(&self, node: i64) -> Result<u32, Raised> {
        Ok(self.levels.level(self::node(self.levels.node_count(), node)?))
    }

    /// Number of levels.
    #[getter]
    const fn level_count(&self) -> u32 {
        self.levels.level_count()
    }

    fn __repr__(&self) -> String {
        format!("NLevelGraph({} nodes, {} levels)", self.levels.node_count(), self.levels.level_count())
    }
}

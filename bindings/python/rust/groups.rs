//! Hierarchies of groups on graphs.

use crate::arrays::line;
use crate::failure::Raised;
use crate::graph::{Path, PyGraph, Scale, node, path};
use crate::wait::built;
use farstride::Cost;
use farstride::graph::{Graph as _, NodeId, RowGraph};
use farstride::groups::{
    Ground, GroupHierarchy, GroupPlan, GroupRoute, GroupScratch, GroupTactics, Members, Next,
};
use farstride_bindings::{Failure, Settings, Value};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::sync::{Arc, Mutex, PoisonError};

/// Groups of nodes, groups of groups and so on: routes that are planned section by section.
///
/// Works on any graph, directed or not. Routes are as good as the connection costs.
///
/// :param groups: the most nodes of a group, to have them made; or a list with the number of
///     each node's group, then one with the number of each group's group, and so on
/// :param connection: ``"average"``, ``"minimum"`` or ``"maximin"``
/// :param mode: ``"sections"`` or ``"exclusion"`` (slower, shorter routes)
/// :param ahead: number of steps on each level that are refined at a time
///
/// >>> import farstride as fs
/// >>> graph = fs.Graph(6, [(i, i + 1) for i in range(5)], [2, 3, 1, 2, 2])
/// >>> groups = fs.GroupHierarchy(graph, [[0, 0, 0, 1, 1, 1]])
/// >>> groups.path(0, 5)
/// (10, array([0, 1, 2, 3, 4, 5]))
/// >>> [section.tolist() for section in groups.plan(0, 5)][-1][-1]
/// 5
#[pyclass(name = "GroupHierarchy", module = "farstride", frozen)]
pub(crate) struct PyGroupHierarchy {
    base: Arc<Base>,
    tactics: GroupTactics,
    scale: Scale,
    scratches: Mutex<Vec<GroupScratch<NodeId>>>,
}

struct Base {
    graph: Arc<RowGraph>,
    members: Members,
    hierarchy: GroupHierarchy<NodeId>,
}

/// The groups of one level, from the number of each member's group.
fn members(numbers: &Bound<'_, PyAny>) -> Result<Members, Raised> {
    let numbers = line(numbers, "groups")?;
    let number = |&number: &i64| {
        u32::try_from(number)
            .map_err(|_| Failure::query(format!("group is {number}; groups are numbered from 0")))
    };
    let numbers = numbers.as_slice().map_err(PyErr::from)?.iter().map(number).collect::<Result<_, _>>()?;
    Ok(Members::by_number(numbers)?)
}

#[pymethods]
impl PyGroupHierarchy {
    #[new]
    #[pyo3(signature = (graph, groups, *, connection = "average", mode = "sections", ahead = 2, threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn new(
        py: Python<'_>,
        graph: &Bound<'_, PyGraph>,
        groups: &Bound<'_, PyAny>,
        connection: &str,
        mode: &str,
        ahead: i64,
        threads: Option<i64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Result<Self, Raised> {
        let (scale, graph) = (graph.get().scale(), Arc::clone(&graph.get().graph));
        let text = |text: &str| Value::Text(text.to_owned());
        let given = [
            ("connection".to_owned(), text(connection)),
            ("mode".to_owned(), text(mode)),
            ("ahead".to_owned(), Value::Number(ahead)),
        ];
        let (connection, tactics) = Settings::read(farstride::Engine::Groups, &given)?.of_groups();
        let (most, mut levels) = if groups.is_instance_of::<PyInt>() {
            let most: i64 = groups.extract()?;
            let none = || Failure::settings(format!("groups of at most {most} nodes; expected at least 1"));
            (Some(usize::try_from(most).map_err(|_| none())?), Vec::new())
        } else {
            let levels = groups.try_iter()?.map(|level| members(&level?));
            (None, levels.collect::<Result<Vec<_>, _>>()?)
        };
        if most.is_none() && levels.is_empty() {
            return Err(Failure::settings("no groups; give the number of each node's group").into());
        }
        let (members, hierarchy) = built(py, threads, progress, |options| {
            let first = match most {
                Some(most) => Members::balanced_with(&graph, most, options)?,
                None => levels.remove(0),
            };
            let ground = Ground::new(&*graph, &first);
            let hierarchy = GroupHierarchy::build_with(ground, levels, connection, options)?;
            Ok::<_, farstride::error::GroupError>((first, hierarchy))
        })?;
        let base = Arc::new(Base { graph, members, hierarchy });
        Ok(Self { base, tactics, scale, scratches: Mutex::default() })
    }

    /// The cost and the nodes of a route; ``None`` if there is none.
    fn path<'py>(&self, py: Python<'py>, start: i64, goal: i64) -> Result<Option<Path<'py>>, Raised> {
        let Base { graph, members, hierarchy } = &*self.base;
        let (start, goal) = (node(graph.node_count(), start)?, node(graph.node_count(), goal)?);
        let navigator = hierarchy.on(&**graph, members)?.with_tactics(self.tactics);
        let pool = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = pool().pop().unwrap_or_default();
        let route = py.detach(|| navigator.find(start, goal, &mut scratch));
        let route = match route {
            GroupRoute::Found { path: nodes, cost } => Some(path(py, self.scale, cost, nodes)),
            GroupRoute::AlreadyThere => Some(path(py, self.scale, Cost::ZERO, &[start])),
            _ => None,
        };
        pool().push(scratch);
        Ok(route.transpose()?)
    }

    /// A plan: an iterator over sections of the route, arrays of nodes. It is empty if there
    /// is no route.
    fn plan(&self, py: Python<'_>, start: i64, goal: i64) -> Result<PyGroupPlan, Raised> {
        let Base { graph, members, hierarchy } = &*self.base;
        let (start, goal) = (node(graph.node_count(), start)?, node(graph.node_count(), goal)?);
        let navigator = hierarchy.on(&**graph, members)?.with_tactics(self.tactics);
        let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
        let has_route = py.detach(|| navigator.plan(start, goal, &mut plan, &mut scratch));
        let walk = Mutex::new((plan, scratch));
        Ok(PyGroupPlan { base: Arc::clone(&self.base), tactics: self.tactics, has_route, walk })
    }

    /// Number of levels above the graph.
    #[getter]
    fn level_count(&self) -> usize {
        self.base.hierarchy.level_count()
    }

    /// The number of each node's group, on the first level.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let Base { graph, members, .. } = &*self.base;
        let nodes = (0..graph.node_count() as u32).map(NodeId::new);
        PyArray1::from_iter(py, nodes.map(|node| members.group_of(node).index() as i64))
    }

    fn __repr__(&self) -> String {
        let Base { graph, hierarchy, .. } = &*self.base;
        let counts: Vec<String> =
            (1..=hierarchy.level_count()).map(|level| hierarchy.group_count(level).to_string()).collect();
        format!("GroupHierarchy({} nodes, groups by level: {})", graph.node_count(), counts.join(", "))
    }
}

/// An iterator over the sections of a route; see :meth:`GroupHierarchy.plan`.
#[pyclass(name = "GroupPlan", module = "farstride", frozen)]
pub(crate) struct PyGroupPlan {
    base: Arc<Base>,
    tactics: GroupTactics,
    /// Whether there is a route.
    #[pyo3(get)]
    has_route: bool,
    walk: Mutex<(GroupPlan<NodeId>, GroupScratch<NodeId>)>,
}

#[pymethods]
impl PyGroupPlan {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyArray1<i64>>>, Raised> {
        if !self.has_route {
            return Ok(None);
        }
        let Base { graph, members, hierarchy } = &*self.base;
        let navigator = hierarchy.on(&**graph, members)?.with_tactics(self.tactics);
        let section = py.detach(|| {
            let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
            let (plan, scratch) = &mut *walk;
            match navigator.go_on(plan, scratch) {
                Next::Section { nodes, .. } => Some(nodes.to_vec()),
                _ => None,
            }
        });
        let numbers =
            |nodes: Vec<NodeId>| nodes.into_iter().map(|node| node.index() as i64).collect::<Vec<_>>();
        Ok(section.map(|nodes| PyArray1::from_vec(py, numbers(nodes))))
    }
}

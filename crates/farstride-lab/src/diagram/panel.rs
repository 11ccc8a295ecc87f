//! A graph and what is drawn around it.

use super::DiagramError;
use super::parts::{Area, Edge, Form, Group, Node, Route};
use super::shape::Bow;
use farstride_io::picture::Colour;

/// Coordinates beyond this are refused: differences and products of those
/// below stay exact enough to be drawn.
const FARTHEST: f64 = 1e12;

/// One graph of a [`Diagram`](super::Diagram), with its ground, groups and routes.
///
/// Nodes are numbered from 0 in the order in which they are added; everything
/// else names them by these numbers, before or after they are added. Coordinates
/// may have any unit; y grows downwards.
///
/// # Example
/// Two rooms, the nodes in them and a way from one to the other:
/// ```
/// use farstride_lab::diagram::{Area, Diagram, Group, Panel, Route};
///
/// let mut rooms = Panel::new("Two rooms");
/// rooms
///     .area(Area::room((0.0, 0.0), (4.0, 3.0)).label("Office"))
///     .area(Area::room((4.0, 0.0), (8.0, 3.0)).label("Lobby"))
///     .area(Area::door((4.0, 1.0), (4.0, 2.0)))
///     .nodes([(1.0, 1.0), (3.0, 1.5), (5.0, 1.5), (7.0, 2.0)])
///     .edges([(0, 1), (1, 2), (2, 3)])
///     .group(Group::of([0, 1]).representative(1))
///     .group(Group::of([2, 3]).representative(2))
///     .route(Route::through(0..4).name("shortest").cost(12));
/// assert!(Diagram::new("Rooms").panel(rooms).to_svg()?.contains("shortest: cost 12"));
/// # Ok::<(), farstride_lab::diagram::DiagramError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[must_use = "a panel is only seen in a diagram"]
pub struct Panel {
    pub(super) caption: String,
    pub(super) background: Colour,
    pub(super) ground: Option<(u16, u16)>,
    pub(super) areas: Vec<Area>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) groups: Vec<Group>,
    pub(super) routes: Vec<Route>,
    pub(super) start: Option<usize>,
    pub(super) goal: Option<usize>,
}

impl Panel {
    /// An empty panel; the caption, if it is not empty, is written below.
    pub fn new(caption: impl Into<String>) -> Self {
        Self {
            caption: caption.into(),
            background: Colour::PAPER,
            ground: None,
            areas: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
            routes: Vec::new(),
            start: None,
            goal: None,
        }
    }

    /// Sets another caption, such as for a copy of a panel.
    pub fn caption(&mut self, caption: impl Into<String>) -> &mut Self {
        self.caption = caption.into();
        self
    }

    /// Sets the colour below everything; text is light on a dark one.
    pub const fn background(&mut self, colour: Colour) -> &mut Self {
        self.background = colour;
        self
    }

    /// Draws the cells of a grid below everything, the first at the origin and
    /// all of side 1, as [`Node::tile`] takes them.
    pub const fn cells(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.ground = Some((columns, rows));
        self
    }

    /// Adds a part of the ground.
    pub fn area(&mut self, area: Area) -> &mut Self {
        self.areas.push(area);
        self
    }

    /// Adds a node.
    pub fn node(&mut self, node: impl Into<Node>) -> &mut Self {
        self.nodes.push(node.into());
        self
    }

    /// Adds nodes.
    pub fn nodes(&mut self, nodes: impl IntoIterator<Item = impl Into<Node>>) -> &mut Self {
        self.nodes.extend(nodes.into_iter().map(Into::into));
        self
    }

    /// Adds an edge.
    pub fn edge(&mut self, edge: impl Into<Edge>) -> &mut Self {
        self.edges.push(edge.into());
        self
    }

    /// Adds edges.
    pub fn edges(&mut self, edges: impl IntoIterator<Item = impl Into<Edge>>) -> &mut Self {
        self.edges.extend(edges.into_iter().map(Into::into));
        self
    }

    /// Adds a group.
    pub fn group(&mut self, group: Group) -> &mut Self {
        self.groups.push(group);
        self
    }

    /// Adds a route. The first ones are drawn wider, so that all are seen where
    /// they go the same way.
    pub fn route(&mut self, route: Route) -> &mut Self {
        self.routes.push(route);
        self
    }

    /// Marks a node as the start, where no route does.
    pub const fn start(&mut self, node: usize) -> &mut Self {
        self.start = Some(node);
        self
    }

    /// Marks a node as the goal, where no route does.
    pub const fn goal(&mut self, node: usize) -> &mut Self {
        self.goal = Some(node);
        self
    }

    /// Whether every coordinate can be drawn and every node named is there.
    pub(super) fn check(&self) -> Result<(), DiagramError> {
        self.points().try_for_each(|(x, y)| {
            let is_near = |along: f64| along.abs() <= FARTHEST;
            if is_near(x) && is_near(y) { Ok(()) } else { Err(DiagramError::Coordinates { x, y }) }
        })?;
        let nodes = self.nodes.len();
        match self.named().find(|&node| node >= nodes) {
            Some(node) => Err(DiagramError::UnknownNode { node, nodes }),
            None => Ok(()),
        }
    }

    /// Everything that has to be inside the panel.
    pub(super) fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let ground = self.ground.map(|(columns, rows)| [(0.0, 0.0), (columns.into(), rows.into())]);
        let areas = self.areas.iter().flat_map(|area| area.corners.iter().copied());
        let frames = self.groups.iter().filter_map(|group| group.frame).flatten();
        let nodes = self.nodes.iter().flat_map(|node| {
            let (x, y) = node.at;
            let half = if matches!(node.form, Form::Tile(..)) { 0.5 } else { 0.0 };
            [(x - half, y - half), (x + half, y + half)]
        });
        ground.into_iter().flatten().chain(areas).chain(frames).chain(nodes)
    }

    /// The middles of bent edges between nodes that are there.
    pub(super) fn bends(&self) -> impl Iterator<Item = (f64, f64)> {
        self.edges.iter().filter(|edge| edge.bend != 0.0).filter_map(|edge| {
            let (from, to) = (self.nodes.get(edge.from)?, self.nodes.get(edge.to)?);
            Some(Bow::new(from.at, to.at, edge.bend).at(0.5))
        })
    }

    /// Whether a group holds nothing but tiles.
    pub(super) fn is_of_tiles(&self, group: &Group) -> bool {
        let is_tile = |&member: &usize| matches!(self.nodes[member].form, Form::Tile(..));
        !group.members.is_empty() && group.members.iter().all(is_tile)
    }

    /// All nodes that something names.
    fn named(&self) -> impl Iterator<Item = usize> {
        let edges = self.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let groups = self.groups.iter().flat_map(|group| group.members.iter().chain(&group.representative));
        let routes = self.routes.iter().flat_map(|route| &route.nodes);
        edges.chain(groups.chain(routes).copied()).chain(self.start).chain(self.goal)
    }
}

//! What a panel is made of: plain data with setters.

use farstride_io::picture::Colour;

/// The usual share of its length by which a portal departs from the straight
/// line.
const PORTAL_BEND: f64 = 0.16;

/// A place of the graph.
///
/// The usual one is a small disc. [`Node::named`] is a plate with its label on
/// it, for the groups of a higher level; [`Node::tile`] is a cell of a grid.
///
/// A pair of numbers is a node without a label.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    pub(super) at: (f64, f64),
    pub(super) label: String,
    pub(super) form: Form,
    pub(super) size: f64,
    pub(super) colour: Option<Colour>,
    pub(super) dimmed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Disc,
    Plate,
    Tile(u16, u16),
}

impl Node {
    /// A disc; y grows downwards.
    pub const fn at(x: f64, y: f64) -> Self {
        Self { at: (x, y), label: String::new(), form: Form::Disc, size: 1.0, colour: None, dimmed: false }
    }

    /// A plate with its name on it.
    pub fn named(x: f64, y: f64, name: impl Into<String>) -> Self {
        Self { form: Form::Plate, label: name.into(), ..Self::at(x, y) }
    }

    /// The square of side 1 whose upper left corner is at `(column, row)`.
    pub fn tile(column: u16, row: u16) -> Self {
        let middle = |along: u16| f64::from(along) + 0.5;
        Self { form: Form::Tile(column, row), ..Self::at(middle(column), middle(row)) }
    }

    /// Sets the label: beside a disc, on a plate or a tile.
    #[must_use]
    pub fn label(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// Makes a disc this many times as large as the usual one; what lies
    /// outside of 0.25 to 8 counts as the nearer of both, what is no number as 1.
    #[must_use]
    pub fn size(self, times: f64) -> Self {
        Self { size: times, ..self }
    }

    pub(super) fn times(&self) -> f64 {
        if self.size.is_nan() { 1.0 } else { self.size.clamp(0.25, 8.0) }
    }

    /// Sets the colour. Without one, a node takes that of the lowest group that
    /// holds it.
    #[must_use]
    pub fn colour(self, colour: Colour) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// Draws the node and its edges pale: one that a search leaves out.
    #[must_use]
    pub fn dimmed(self) -> Self {
        Self { dimmed: true, ..self }
    }
}

impl From<(f64, f64)> for Node {
    fn from((x, y): (f64, f64)) -> Self {
        Self::at(x, y)
    }
}

/// An arc between two nodes, named by their numbers.
///
/// A pair of numbers is an edge that can be gone both ways. Of edges from a node
/// to itself nothing is drawn. Two one-way edges between the same nodes are
/// bent, so that both are seen.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) one_way: bool,
    pub(super) portal: bool,
    pub(super) bend: f64,
    pub(super) label: String,
}

impl Edge {
    /// A line: both ways.
    pub const fn between(a: usize, b: usize) -> Self {
        Self { from: a, to: b, one_way: false, portal: false, bend: 0.0, label: String::new() }
    }

    /// An arrow: one way.
    pub fn one_way(from: usize, to: usize) -> Self {
        Self { one_way: true, ..Self::between(from, to) }
    }

    /// Makes it a link that takes no way across the ground, such as a portal, a
    /// lift or a wormhole: a dashed curve in [`Colour::PORTAL`].
    #[must_use]
    pub fn portal(self) -> Self {
        Self { portal: true, bend: PORTAL_BEND, ..self }
    }

    /// Sets how far the middle of the line departs from the straight one, as a
    /// share of its length, to the left as one walks it if positive; what lies
    /// outside of -1 to 1 counts as the nearer of both, what is no number as 0.
    #[must_use]
    pub fn bend(self, share: f64) -> Self {
        Self { bend: if share.is_nan() { 0.0 } else { share.clamp(-1.0, 1.0) }, ..self }
    }

    /// Writes this on the line: its cost.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "costs are numbers, passed by value")]
    pub fn cost(self, cost: impl ToString) -> Self {
        Self { label: cost.to_string(), ..self }
    }
}

impl From<(usize, usize)> for Edge {
    fn from((a, b): (usize, usize)) -> Self {
        Self::between(a, b)
    }
}

/// Nodes that belong together: a soft area around them, in one colour.
///
/// The area is the convex hull of the members; that of tiles follows their
/// borders. Groups of a higher level lie below those of lower ones and reach
/// further.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub(super) members: Vec<usize>,
    pub(super) name: String,
    pub(super) level: usize,
    pub(super) colour: Option<Colour>,
    pub(super) representative: Option<usize>,
    pub(super) frame: Option<[(f64, f64); 2]>,
}

impl Group {
    /// A group of level 1, its members named by their numbers.
    pub fn of(members: impl IntoIterator<Item = usize>) -> Self {
        Self {
            members: members.into_iter().collect(),
            name: String::new(),
            level: 1,
            colour: None,
            representative: None,
            frame: None,
        }
    }

    /// Writes a name beside the area.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Sets the level; 0 counts as 1, and those above 6 as 6.
    #[must_use]
    pub fn level(self, level: usize) -> Self {
        Self { level: level.clamp(1, 6), ..self }
    }

    /// Sets the colour. Without one, the n-th group of its panel takes
    /// [`Colour::group`] of n.
    #[must_use]
    pub fn colour(self, colour: Colour) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// Puts a ring around this node.
    #[must_use]
    pub fn representative(self, node: usize) -> Self {
        Self { representative: Some(node), ..self }
    }

    /// Draws a rectangle with round corners between two opposite corners in
    /// place of the hull.
    #[must_use]
    pub fn framed(self, corner: (f64, f64), opposite: (f64, f64)) -> Self {
        Self { frame: Some([corner, opposite]), ..self }
    }
}

/// A way from node to node.
///
/// Both ends are marked. It follows the edges of the panel where there are
/// some, also those that are bent.
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    pub(super) nodes: Vec<usize>,
    pub(super) name: String,
    pub(super) colour: Option<Colour>,
    pub(super) dashed: bool,
    pub(super) marked: bool,
}

impl Route {
    /// A way through nodes, named by their numbers.
    pub fn through(nodes: impl IntoIterator<Item = usize>) -> Self {
        let nodes = nodes.into_iter().collect();
        Self { nodes, name: String::new(), colour: None, dashed: false, marked: true }
    }

    /// Sets the name in the legend; without one, the route has no entry.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Adds a cost to the name.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "costs are numbers, passed by value")]
    pub fn cost(self, cost: impl ToString) -> Self {
        let between = if self.name.is_empty() { "" } else { ": " };
        Self { name: format!("{}{between}cost {}", self.name, cost.to_string()), ..self }
    }

    /// Sets the colour. Without one, the n-th route of its panel takes
    /// [`Colour::path`] of n.
    #[must_use]
    pub fn colour(self, colour: Colour) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// Makes it a dashed line.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }

    /// Leaves its ends without marks.
    #[must_use]
    pub fn unmarked(self) -> Self {
        Self { marked: false, ..self }
    }
}

/// A part of the ground below the graph, in the order in which it is given.
#[derive(Clone, PartialEq, Debug)]
pub struct Area {
    pub(super) corners: Vec<(f64, f64)>,
    pub(super) label: String,
    pub(super) fill: Option<Colour>,
    /// Colour and width in pixels of the border.
    pub(super) border: Option<(Colour, f64)>,
}

impl Area {
    const WALL_WIDTH: f64 = 3.0;

    /// A polygon without a border. One of two corners is a line, of less is
    /// nothing.
    pub fn polygon(corners: impl IntoIterator<Item = (f64, f64)>, colour: Colour) -> Self {
        let corners = corners.into_iter().collect();
        Self { corners, label: String::new(), fill: Some(colour), border: None }
    }

    /// A rectangle between two opposite corners.
    pub fn rectangle(corner: (f64, f64), opposite: (f64, f64), colour: Colour) -> Self {
        let ((left, top), (right, bottom)) = (corner, opposite);
        Self::polygon([(left, top), (right, top), (right, bottom), (left, bottom)], colour)
    }

    /// A rectangle of floor with walls around it.
    pub fn room(corner: (f64, f64), opposite: (f64, f64)) -> Self {
        Self::rectangle(corner, opposite, Colour::FLOOR).border(Colour::WALL)
    }

    /// An opening in a wall, from one post to the other.
    pub fn door(from: (f64, f64), to: (f64, f64)) -> Self {
        let border = Some((Colour::FLOOR, Self::WALL_WIDTH + 1.5));
        Self { fill: None, border, ..Self::polygon([from, to], Colour::FLOOR) }
    }

    /// Writes this into a corner that is free.
    #[must_use]
    pub fn label(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// Sets the colour: that of the inside, or of the opening.
    #[must_use]
    pub fn colour(self, colour: Colour) -> Self {
        match (self.fill, self.border) {
            (None, Some((_, width))) => Self { border: Some((colour, width)), ..self },
            _ => Self { fill: Some(colour), ..self },
        }
    }

    /// Draws a wall of this colour around it.
    #[must_use]
    pub fn border(self, colour: Colour) -> Self {
        Self { border: Some((colour, Self::WALL_WIDTH)), ..self }
    }
}

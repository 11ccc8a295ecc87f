//! Diagrams of graphs as SVG or PNG: nodes, edges and portals, groups of several
//! levels, routes, and the rooms or cells below them.
//!
//! A [`Panel`] is one graph, given as plain data: positions in any unit, and
//! numbers of nodes. A [`Diagram`] sets panels side by side or one below the
//! other, such as a graph and the graph of its groups, under a title and above a
//! legend. Labels take the place where they cover least; the same data give the
//! same bytes.
//!
//! ```
//! use farstride_io::diagram::{Diagram, Edge, Group, Node, Panel, Route, Sample};
//!
//! let mut ground = Panel::new("Level 0");
//! ground
//!     .nodes([(0.0, 0.0), (2.0, 1.0), (5.0, 1.0), (7.0, 0.0)])
//!     .edges([Edge::between(0, 1).cost(2), Edge::between(1, 2).cost(3), Edge::one_way(2, 3).cost(2)])
//!     .edge(Edge::one_way(3, 0).portal())
//!     .group(Group::of([0, 1]).name("west").representative(1))
//!     .group(Group::of([2, 3]).name("east").representative(2))
//!     .route(Route::through([0, 1, 2, 3]).name("A*").cost(7));
//! let mut above = Panel::new("Level 1");
//! above
//!     .nodes([Node::named(0.0, 0.0, "west"), Node::named(4.0, 0.0, "east")])
//!     .edges([Edge::one_way(0, 1).cost(3), Edge::one_way(1, 0).cost(1)]);
//!
//! let mut diagram = Diagram::new("Two groups");
//! diagram.width(900).panel(ground).panel(above).legend(Sample::Portal, "portal");
//! assert!(diagram.to_svg()?.contains("A*: cost 7"));
//! assert!(diagram.to_png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), farstride_io::diagram::DiagramError>(())
//! ```

mod canvas;
mod draw;
mod label;
mod layout;
mod names;
mod panel;
mod parts;
mod sample;
mod shape;

pub use panel::Panel;
pub use parts::{Area, Edge, Group, Node, Route};
pub use sample::Sample;

use crate::picture::PictureError;
use std::error::Error;
use std::fmt;

/// Panels under a title and above a legend.
///
/// # Guarantee
/// The same data give the same bytes. Nothing panics; what cannot be drawn is an
/// error of [`Diagram::to_svg`] and [`Diagram::to_png`].
///
/// # Complexity
/// Nodes, edges and groups take time and bytes in proportion to their number; a
/// label is compared with what lies near it, so that many on one spot take time
/// by the square of their number.
#[derive(Clone, PartialEq, Debug)]
#[must_use = "a diagram is only seen through `to_svg` or `to_png`"]
pub struct Diagram {
    title: String,
    width: u32,
    stacked: bool,
    panels: Vec<Panel>,
    legend: Vec<(Sample, String)>,
}

impl Diagram {
    /// No panels, 900 pixels wide; an empty title takes no room.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), width: 900, stacked: false, panels: Vec::new(), legend: Vec::new() }
    }

    /// Sets the width; what lies outside of 240 to 2400 pixels counts as the
    /// nearer of both. The height follows from the panels, whose graphs keep
    /// their proportions.
    pub fn width(&mut self, pixels: u32) -> &mut Self {
        self.width = pixels.clamp(240, 2400);
        self
    }

    /// Sets panels one below the other, the first on top, and not side by side.
    pub const fn stacked(&mut self) -> &mut Self {
        self.stacked = true;
        self
    }

    /// Adds a panel.
    pub fn panel(&mut self, panel: Panel) -> &mut Self {
        self.panels.push(panel);
        self
    }

    /// Adds an entry to the legend, after those of the routes, which come by
    /// themselves.
    pub fn legend(&mut self, sample: Sample, text: impl Into<String>) -> &mut Self {
        self.legend.push((sample, text.into()));
        self
    }

    /// The diagram as a file of scalable vector graphics.
    ///
    /// # Errors
    /// [`DiagramError`] names the first thing that cannot be drawn.
    pub fn to_svg(&self) -> Result<String, DiagramError> {
        self.check()?;
        Ok(layout::draw(self).to_svg())
    }

    /// The diagram as a PNG file with two pixels to each of its width; its
    /// letters are those of ASCII and few more, the others are boxes.
    ///
    /// # Errors
    /// [`DiagramError`] names the first thing that cannot be drawn.
    pub fn to_png(&self) -> Result<Vec<u8>, DiagramError> {
        self.check()?;
        layout::draw(self).to_png().map_err(DiagramError::Png)
    }

    fn check(&self) -> Result<(), DiagramError> {
        self.panels.iter().try_for_each(Panel::check)
    }
}

/// Why a diagram could not be drawn.
#[derive(Debug)]
#[non_exhaustive]
pub enum DiagramError {
    /// A coordinate is no number, or farther than 1e12 from the origin.
    Coordinates {
        /// To the right.
        x: f64,
        /// Downwards.
        y: f64,
    },
    /// An edge, a group, a route or a mark names a node that its panel lacks.
    UnknownNode {
        /// The number that was named.
        node: usize,
        /// How many nodes the panel has.
        nodes: usize,
    },
    /// The picture could not be written as PNG.
    Png(PictureError),
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coordinates { x, y } => {
                write!(f, "place ({x}, {y}): coordinates are numbers from -1e12 to 1e12")
            }
            Self::UnknownNode { node, nodes } => write!(f, "node {node} of a panel with {nodes} nodes"),
            Self::Png(_) => write!(f, "the diagram could not be written as PNG"),
        }
    }
}

impl Error for DiagramError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Coordinates { .. } | Self::UnknownNode { .. } => None,
            Self::Png(error) => Some(error),
        }
    }
}

//! What stands in front of a name in the legend.

use super::canvas::{Canvas, Pen};
use super::draw::{self, Ring};
use super::shape::{Frame, Path, Point};
use crate::svg::legend::SWATCH;
use farstride_io::picture::Colour;

/// Radius of a node in the legend, and sides of an area.
const RADIUS: f64 = 6.0;
const AREA: (f64, f64) = (22.0, 16.0);

/// Something drawn in a diagram, as the legend shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sample {
    /// A node of this colour.
    Node(Colour),
    /// The area of a group of this colour.
    Group(Colour),
    /// A part of the ground of this colour.
    Ground(Colour),
    /// The ring around a node that stands for its group.
    Representative,
    /// The mark of the start.
    Start,
    /// The mark of the goal.
    Goal,
    /// An edge that can be gone both ways.
    BothWays,
    /// An edge that can be gone one way.
    OneWay,
    /// A link that takes no way across the ground.
    Portal,
}

/// An entry of the legend: a sample, or a route.
#[derive(Clone, Copy)]
pub(super) enum Key {
    Sample(Sample),
    Route(Pen),
}

impl Key {
    /// Draws it left of the middle of a line.
    pub(super) fn draw(self, canvas: &mut Canvas, x: f64, middle: f64) {
        let (left, right) = ((x + 2.0, middle), (x + SWATCH - 2.0, middle));
        match self {
            Self::Route(pen) => canvas.stroke(Path::segment(left, right), pen),
            Self::Sample(sample) => sample.draw(canvas, left, right),
        }
    }
}

impl Sample {
    fn draw(self, canvas: &mut Canvas, left: Point, right: Point) {
        let spot = (right.0 - AREA.0 / 2.0, right.1);
        let area = Frame::around(spot, AREA.0, AREA.1);
        match self {
            Self::Node(colour) => draw::disc(canvas, spot, RADIUS, colour, Colour::PAPER),
            Self::Group(colour) => draw::soft(canvas, &Path::rounded(area, 6.0), colour, 1),
            Self::Ground(colour) => {
                canvas.fill(Path::rounded(area, 2.0), colour);
                canvas.stroke(Path::rounded(area, 2.0), Pen::new(Colour::PALE_WALL, 1.0));
            }
            Self::Representative => {
                draw::disc(canvas, spot, RADIUS * 0.8, draw::NEUTRAL, Colour::PAPER);
                draw::ring(canvas, spot, RADIUS * 0.8, Colour::WALL);
            }
            Self::Start => Ring::Start.draw(canvas, spot, RADIUS),
            Self::Goal => Ring::Goal.draw(canvas, spot, RADIUS),
            Self::BothWays => canvas.stroke(Path::segment(left, right), draw::edge_pen(Colour::WALL, false)),
            Self::OneWay => {
                let base = (right.0 - 7.0, right.1);
                canvas.stroke(Path::segment(left, base), draw::edge_pen(Colour::WALL, false));
                draw::arrow(canvas, base, right, draw::edge_pen(Colour::WALL, false).colour);
            }
            Self::Portal => canvas.stroke(Path::segment(left, right), draw::edge_pen(Colour::WALL, true)),
        }
    }
}

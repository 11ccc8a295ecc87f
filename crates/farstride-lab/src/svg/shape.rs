//! Paths as SVG writes them.

use super::Short;
use std::fmt::{self, Write};

/// A path in pixels.
#[derive(Clone, Default)]
pub(crate) struct Shape(String);

impl Shape {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A straight line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.start(from.0, from.1);
        self.on(to.0, to.1);
    }

    /// Starts a line.
    pub(crate) fn start(&mut self, x: f64, y: f64) {
        self.put(format_args!("M{} {}", Short(x), Short(y)));
    }

    /// Goes on with it.
    pub(crate) fn on(&mut self, x: f64, y: f64) {
        self.put(format_args!("L{} {}", Short(x), Short(y)));
    }

    /// A line of no length: a dot as wide as the stroke, which has round ends.
    pub(crate) fn dot(&mut self, x: f64, y: f64) {
        self.put(format_args!("M{} {}h0", Short(x), Short(y)));
    }

    /// Goes on in a curve with two control points.
    pub(crate) fn bend(&mut self, first: (f64, f64), second: (f64, f64), to: (f64, f64)) {
        let [x1, x2, x] = [first.0, second.0, to.0].map(Short);
        let [y1, y2, y] = [first.1, second.1, to.1].map(Short);
        self.put(format_args!("C{x1} {y1} {x2} {y2} {x} {y}"));
    }

    /// Back to where the line started.
    pub(crate) fn close(&mut self) {
        self.put(format_args!("z"));
    }

    /// A whole circle.
    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64) {
        let (left, y, wide) = (Short(x - radius), Short(y), Short(2.0 * radius));
        let radius = Short(radius);
        self.put(format_args!(
            "M{left} {y}a{radius} {radius} 0 1 0 {wide} 0a{radius} {radius} 0 1 0 -{wide} 0z"
        ));
    }

    pub(crate) fn block(&mut self, left: f64, width: f64, bottom: f64, top: f64) {
        let [left, width, bottom, top] = [left, width, bottom, top].map(Short);
        self.put(format_args!("M{left} {bottom}h{width}V{top}H{left}z"));
    }

    fn put(&mut self, commands: fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(commands);
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

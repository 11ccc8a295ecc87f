//! Shapes as SVG writes them.

use crate::svg::Short;
use std::fmt::{self, Write};

/// A path in pixels.
#[derive(Clone, Default)]
pub(super) struct Shape(String);

impl Shape {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.start(from.0, from.1);
        self.on(to.0, to.1);
    }

    /// Starts a line.
    pub(super) fn start(&mut self, x: f64, y: f64) {
        self.put(format_args!("M{} {}", Short(x), Short(y)));
    }

    /// Goes on with it.
    pub(super) fn on(&mut self, x: f64, y: f64) {
        self.put(format_args!("L{} {}", Short(x), Short(y)));
    }

    /// A line of no length: a dot as wide as the stroke, which has round ends.
    pub(super) fn dot(&mut self, x: f64, y: f64) {
        self.put(format_args!("M{} {}h0", Short(x), Short(y)));
    }

    pub(super) fn block(&mut self, left: f64, width: f64, bottom: f64, top: f64) {
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

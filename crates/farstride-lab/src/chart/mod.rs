//! Charts as SVG: curves over one or two logarithmic axes, and stacked bars in
//! groups, for the figures of papers and for plots of growth.
//!
//! A chart is plain data; `to_svg` lays it out 900 x 560 pixels large, taller
//! only if the legend takes more than one line. The same data give the same
//! bytes. Values that are no number, infinite, beyond 1e300 or, on a
//! logarithmic axis, below 1e-300 are left out; nothing panics.
//!
//! ```
//! use farstride_lab::chart::{LineChart, Scale, Series};
//!
//! let chart = LineChart {
//!     title: "Memory by size of the map".into(),
//!     x_label: "side in cells".into(),
//!     y_label: "bytes".into(),
//!     x_scale: Scale::Log2,
//!     y_scale: Scale::Log10,
//!     series: vec![
//!         Series::new("measured", [(256.0, 9.1e4), (1024.0, 1.3e6), (4096.0, 2.2e7)]),
//!         Series::new("published", [(256.0, 8.0e4), (4096.0, 2.0e7)]).dashed(),
//!     ],
//! };
//! assert!(chart.to_svg().contains("published"));
//! ```
//!
//! The `plotters` crate was tried and left: with nothing but its SVG backend it
//! is light to build, but ticks on powers of two, a legend that does not cover
//! the curves, margins that fit their labels and text that is always valid XML
//! would be written here all the same, and its SVG backend rounds coordinates to
//! whole pixels and cuts a dashed line into one element per dash.

mod axis;
mod bars;
mod line;
mod sheet;

pub use axis::Scale;
pub use bars::{Bar, BarChart, BarGroup};
pub use line::{LineChart, LineStyle, Series};

/// What the tests of both charts share.
#[cfg(test)]
mod testing {
    pub(super) use crate::svg::testing::texts;

    /// Values that no chart can draw, and some that it barely can.
    pub(super) const SPECIAL: [f64; 13] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        1e300,
        -1e300,
        1e-300,
        -0.0,
        -1.0,
        1e15,
    ];
}

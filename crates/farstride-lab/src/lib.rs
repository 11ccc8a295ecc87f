//! What is not published: measurements of papers again ([`paper`]), charts
//! ([`chart`]) and diagrams of graphs ([`diagram`]).
//!
//! Its program `farstride-paper` is what `farstride paper` runs.

pub mod chart;
pub mod diagram;
mod guides;
pub mod paper;
mod svg;

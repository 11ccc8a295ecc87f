//! What the bindings to Python, C and JavaScript share: names of settings and rules, checks of
//! numbers from outside, edits, and reasons why something failed.
//!
//! It speaks in plain numbers, names and [`Value`]s. How a language hands these over is
//! for its binding to know.

mod cells;
mod edit;
mod failure;
pub mod layers;
mod maps;
mod names;
mod settings;
mod status;
mod wanted;
pub mod worlds;

pub use cells::{cell, cells};
pub use edit::{Change, apply, area, change, zone};
pub use failure::{Failure, FailureKind, chain};
pub use maps::{load_map, read_map};
pub use names::{diagonal_cost, diagonal_cost_name, diagonals, diagonals_name, terrain};
pub use settings::{Settings, Value, parse};
pub use status::{FORMS, Status, flat_cell, flat_path};
pub use wanted::Wanted;

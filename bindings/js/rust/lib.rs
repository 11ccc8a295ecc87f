//! The engine for JavaScript. TypeScript in `src/` wraps what is here; users meet only that.
//!
//! Calls that a game makes thousands of times a second return a plain number and leave
//! the rest of the answer in memory that JavaScript reads (`answer`); all others return
//! JavaScript values. Nothing here panics on any argument: TypeScript checks what
//! JavaScript hands over, and numbers are narrowed with checks again.

mod answer;
mod crowd;
mod failure;
#[cfg(feature = "faults")]
mod faults;
mod generate;
mod grid;
mod object;
mod plan;
mod planner;
mod progress;
mod settings;
mod trace;

use farstride::{Engine, Grid};
use js_sys::Array;
use object::object;
use wasm_bindgen::prelude::wasm_bindgen;

/// Prepares the module; called once, when it is loaded.
#[wasm_bindgen(start)]
pub fn start() {
    failure::listen();
}

/// The release of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Tidies up after a call that trapped; returns the message of its panic, if there was one.
#[wasm_bindgen]
pub fn recover() -> Option<String> {
    progress::forget();
    failure::take_panic()
}

/// The engines, as the command line lists them.
#[wasm_bindgen]
pub fn engines() -> Array {
    // Any map with weights tells which engines take them.
    let weighted = Grid::from_weights(1, 1, &[2]).ok();
    let describe = |engine: Engine| {
        let weights = weighted.as_ref().is_some_and(|grid| engine.check(grid).is_ok());
        object([
            ("name", engine.name().into()),
            ("optimal", engine.is_optimal().into()),
            ("anyAngle", engine.is_any_angle().into()),
            ("hasIndex", engine.has_index().into()),
            ("weights", weights.into()),
            ("summary", engine.summary().into()),
        ])
    };
    Engine::ALL.into_iter().map(describe).collect()
}

//! Calls that fail on purpose, so that a test sees what is left usable afterwards.

use crate::planner::RawPlanner;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl RawPlanner {
    /// Panics in the middle of an edit, with something on the stack.
    pub fn provoke_panic(&mut self) {
        let cells = std::hint::black_box([self.planner.grid().width(); 2000]);
        self.planner.edit(|_| assert!(cells.iter().sum::<usize>() == 0, "provoked"));
    }

    /// Takes memory until there is none left.
    #[expect(clippy::unused_self, reason = "a call on an object, like any other")]
    pub fn provoke_exhaustion(&mut self) {
        let mut taken = Vec::new();
        loop {
            taken.push(std::hint::black_box(Vec::<u8>::with_capacity(1 << 30)));
        }
    }
}

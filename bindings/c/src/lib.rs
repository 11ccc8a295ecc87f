//! The engine for C. `include/farstride.h` is made from what is here, comments included; so
//! these are written for those who read the header.
//!
//! Nothing crosses the border by unwinding: every function runs inside `border::guard`.

pub mod border;
pub mod grid;
pub mod many;
pub mod orders;
pub mod plan;
pub mod planner;
pub mod route;
pub mod trip;
pub mod world;

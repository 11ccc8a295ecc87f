//! Races between `farstride` and what a Rust user would pick instead, and the
//! fixed workloads of the benches.
//!
//! A time means nothing if the answer is wrong, so every rival stands behind
//! one trait, [`Rival`], says which rules it moves by, and has each of its
//! answers judged by [`farstride_testkit`] before anything is timed. Rivals
//! are then timed query by query in turn: the machine may be noisy, but it is
//! noisy for all of them alike.
//!
//! | module | what it answers |
//! |---|---|
//! | [`rival`] | what does a rival promise, and how is it asked? |
//! | [`rivals`] | who takes part? |
//! | [`mod@race`] | are the answers right, and how long do they take? |
//! | [`report`] | how is a race shown? |
//! | [`planar`] | what can be done on graphs that are no grids? |
//! | [`changing`] | how do plans stand a map that changes? |
//! | [`workload`] | which maps and queries do the benches run on? |
//!
//! Three ways to use it:
//!
//! ```text
//! cargo run --release -p farstride-bench --bin race -- --map FILE --scen FILE
//! cargo bench -p farstride-bench
//! bench/instructions
//! ```

pub mod changing;
pub mod country;
pub mod planar;
pub mod race;
pub mod report;
pub mod rival;
pub mod rivals;
pub mod workload;

pub use race::{Course, CourseError, Question, Standing, race};
pub use rival::{Claims, Length, Point, Prepared, Rival, Shape, Verdict};

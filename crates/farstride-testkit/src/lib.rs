//! The independent judge of the `farstride` engine.
//!
//! A pathfinding engine that is tested against itself can be wrong twice in the
//! same way. Everything here is therefore written a second time, as plainly as
//! possible, and shares no code with the engine: another map type, other line
//! of sight arithmetic, other searches. The crate knows nothing of the engine's
//! types, so a test converts its map once and compares plain numbers.
//!
//! | module | what it answers |
//! |---|---|
//! | [`map`] | what does this drawing mean, and which moves are legal? |
//! | [`edit`] | what does the map look like after these changes? |
//! | [`oracle`] | what is the right answer, however slowly it is found? |
//! | [`floors`] | where does a square get to over floors and links? |
//! | [`abstraction`] | which clusters, entrances and edges does HPA* have on this map? |
//! | [`subgoals`] | which subgoals and edges does a subgoal graph have on this map? |
//! | [`levels`] | which levels do the nodes of a graph get, and is it an N-level graph? |
//! | [`body`] | how long is the shortest path of a square as large as a cell? |
//! | [`taut`] | how long is the shortest string that may touch walls? |
//! | [`judge`] | is this path legal, and what does it cost? |
//! | [`random`] | a number generator that gives the same values for ever |
//! | [`mod@generate`] | where do large and interesting maps come from? |
//! | `strategies` | how does proptest draw small and nasty maps? (feature `strategies`) |
//! | [`data`] | where are the benchmark sets, if there are any? |
//!
//! ```
//! use farstride_testkit::{Diagonals, DiagonalCost, ascii, judge_grid, oracle};
//!
//! let drawing = ascii(
//!     "
//!     S.#
//!     ..G
//!     ",
//! );
//! let (start, goal) = drawing.query();
//! let (rule, cost) = (Diagonals::Strict, DiagonalCost::Sqrt2);
//!
//! let path = [(0, 0), (1, 1), (2, 1)];
//! let verdict = judge_grid(&drawing.map, rule, cost, start, goal, &path).unwrap();
//! assert_eq!(Some(verdict.cost), oracle::distance(&drawing.map, rule, cost, start, goal));
//! ```

pub mod abstraction;
pub mod body;
pub mod data;
pub mod edit;
pub mod floors;
pub mod generate;
pub mod judge;
pub mod levels;
pub mod map;
pub mod oracle;
pub mod random;
#[cfg(feature = "strategies")]
pub mod strategies;
pub mod subgoals;
pub mod taut;

pub use abstraction::{Abstraction, AbstractionSettings, LevelCounts};
pub use body::judge_body;
pub use edit::{Change, Edit};
pub use generate::{GenerateError, Kind, TerrainKind, generate, generate_terrain};
pub use judge::{Fault, Verdict, judge_any_angle, judge_grid};
pub use levels::Levels;
pub use map::{DiagonalCost, Diagonals, Drawing, PlainMap, Point, ascii};
pub use random::SplitMix64;
pub use subgoals::SubgoalGraph;
pub use taut::{HalfPoint, Strings, judge_points};

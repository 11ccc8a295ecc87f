//! Types of other crates, each behind a feature of that name. All are off by default.
//!
//! | feature | adds |
//! |---|---|
//! | `serde` | read and write plain types, settings, routes and maps |
//! | `glam` | cells from and to `glam` vectors, for Bevy and others |
//! | `mint` | cells from and to `mint` points and vectors |
//! | `petgraph` | `interop::petgraph`: search and partition `petgraph` graphs |
//!
//! The engine depends on none of them; answers are the same with and without.
//!
//! Layer: the last one; uses the public types of all others.
//!
//! # `serde`
//!
//! | type | in JSON |
//! |---|---|
//! | [`Cell`] | `[3, 4]` |
//! | [`Rect`](crate::Rect) | `{"min": [0, 0], "max": [9, 5]}` |
//! | [`Cost`](crate::Cost) | its units: `4756` |
//! | [`Engine`](crate::Engine) | its name: `"nsg+"` |
//! | [`Grid`](crate::Grid) | `{"width": 3, "height": 1, "rules": {…}, "rows": ["..#"], "weights": null}` |
//! | [`Query`](crate::Query) | `{"start": [0, 0], "goal": [9, 5], "detail": "cells", "budget": null}` |
//! | [`OwnedRoute`](crate::OwnedRoute) | `{"cost": 4756, "length": 1.0, "path": {"cells": [[0, 0], [1, 0]]}}` |
//! | [`CostTable`](crate::CostTable) | `{"starts": 1, "goals": 2, "costs": [[4756, null]]}` |
//! | settings and tactics | an object of their fields |
//! | other enums | their variants in lower case: `"one-side"`, `{"first": 5}` |
//!
//! Fields of settings, tactics and rules that are missing get their defaults. Unknown
//! ones are errors, so that a misspelt setting is noticed.
//!
//! Reading validates: a map of a bad size, an unknown letter, a cost above
//! [`Cost::MAX`](crate::Cost::MAX) or a rectangle without cells are errors. The ranges
//! of settings are checked where they are used, as for settings made in code.
//!
//! The rows of a map take every letter of
//! [`Grid::from_ascii`](crate::Grid::from_ascii) and are written with `.`
//! and `#`. `weights` has a row of numbers for each row of the map, or is `null` if
//! every cell weighs 1.
//!
//! ```
//! # #[cfg(feature = "serde")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use farstride::{Grid, Planner, Query};
//!
//! let grid: Grid = serde_json::from_str(r##"{
//!     "width": 5,
//!     "height": 3,
//!     "rules": {"diagonals": "one-side"},
//!     "rows": [
//!         ".....",
//!         ".###.",
//!         "....."
//!     ]
//! }"##)?;
//! let query: Query = serde_json::from_str(r#"{"start": [0, 1], "goal": [4, 1]}"#)?;
//!
//! let route = Planner::new(grid).path(query.start, query.goal).expect("a way around the wall");
//! let text = serde_json::to_string(&route)?;
//! assert!(text.contains(r#""path":{"cells":[[0,1],"#), "{text}");
//!
//! let mistyped = serde_json::from_str::<Query>(r#"{"start": [0, -1], "goal": [4, 1]}"#);
//! assert!(mistyped.is_err());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "serde"))]
//! # fn main() {}
//! ```
//!
//! JSON keeps every cost exactly. A length is a float: `serde_json` reads its last bit
//! exactly only with the feature `float_roundtrip`.
//!
//! # `glam`
//!
//! [`Cell`] converts into `IVec2`, `UVec2`, `I64Vec2`, `U16Vec2` and `Vec2`, and back
//! from all but `Vec2`: with `try_from`, because a vector may be negative or too large
//! (`CellOutOfRange`), and with `from` for `U16Vec2`. A cell on no map converts as
//! well; the query that uses it fails.
//!
//! ```
//! # #[cfg(feature = "glam")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use farstride::Cell;
//! use glam::{IVec2, Vec2};
//!
//! let unit = IVec2::new(12, 7);
//! let cell = Cell::try_from(unit)?;
//! assert_eq!(IVec2::from(cell), unit);
//!
//! // `Vec2` is the corner of the cell with the lowest coordinates.
//! let tile_size = 16.0;
//! let centre = (Vec2::from(cell) + 0.5) * tile_size;
//! assert_eq!(centre, Vec2::new(200.0, 120.0));
//!
//! let error = Cell::try_from(IVec2::new(12, -1)).unwrap_err();
//! assert_eq!(error.to_string(), "12,-1 is not a cell: coordinates go from 0 to 65535");
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "glam"))]
//! # fn main() {}
//! ```
//!
//! Any `glam` from 0.29 (Bevy 0.16) to 0.34 will do, but Cargo picks the newest of them
//! if nothing else does. If vectors of your `glam` do not convert, there are two in your
//! build: `cargo tree -i glam` names them, and `cargo update glam@0.34.2 --precise
//! 0.33.12` (with the numbers it named) makes them one.
//!
//! # `mint`
//!
//! [`Cell`] converts into `Point2` and `Vector2` of `i32`, `u16` and `f32`, and back from
//! those of `i32` with `try_from` and of `u16` with `from`. Most libraries of vectors
//! convert from and to `mint`.
//!
//! ```
//! # #[cfg(feature = "mint")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use farstride::Cell;
//! use mint::Point2;
//!
//! let cell = Cell::try_from(Point2 { x: 12, y: 7 })?;
//! assert_eq!(Point2::<i32>::from(cell), Point2 { x: 12, y: 7 });
//! assert!(Cell::try_from(Point2 { x: -1, y: 7 }).is_err());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "mint"))]
//! # fn main() {}
//! ```

#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "petgraph")]
#[cfg_attr(docsrs, doc(cfg(feature = "petgraph")))]
pub mod petgraph;
#[cfg(feature = "serde")]
mod serde;

#[cfg(any(feature = "glam", feature = "mint"))]
pub(crate) mod vector;

#[cfg(doc)]
use crate::base::Cell;

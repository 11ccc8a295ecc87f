//! Saving indexes and opening them again: one format for every engine.
//!
//! The tables of HPA* and HPT*, and labels, are saved with the bytes they have in
//! memory. Opening them means checking them and pointing at them: nothing is parsed
//! or copied, and a file can be mapped into memory. Of subgoal graphs, groups
//! and overlays, only what cannot be recomputed quickly from the map is saved.
//!
//! An index stores the stamp of its map and a checksum of all its bytes. Bytes that
//! are damaged, incomplete, of another release or of another map are refused with an
//! [`OpenError`] that says which. `docs/format.md` describes every byte.
//!
//! A checksum does not stop an attacker, who can compute it again. So [`open`] also
//! checks everything that queries rely on: whatever the bytes, there is no panic and
//! no endless search. To prove that every answer is right, which takes as long as a
//! build, call [`Hierarchy::verify`](crate::hpa::Hierarchy::verify),
//! [`SubgoalGraph::verify`](crate::subgoal::SubgoalGraph::verify),
//! [`GridGroups::verify`](crate::groups::GridGroups::verify),
//! [`Overlay::verify`](crate::overlay::Overlay::verify) or
//! [`GridLabels::verify`](crate::labels::GridLabels::verify). If you trust the bytes,
//! [`open_trusted`] opens labels in microseconds, and you can check them later.
//!
//! Layer: uses everything above. Works on bytes in memory; `farstride-io` reads and
//! writes files.

pub(crate) mod describe;
pub(crate) mod error;
mod groups;
mod header;
mod hpa;
mod labels;
mod overlay;
mod straight;
mod subgoal;

pub use describe::Description;
pub(crate) use error::{OpenError, SaveError};
pub use header::MapStamp;

use crate::grid::Grid;
use crate::index::{Engine, Index, IndexSettings, MapMismatch};
use header::{Header, MAGIC, Tag};
use std::io::Write;
use std::sync::Arc;

/// Tag of the first segment of every index.
const SETTINGS: Tag = *b"sett";

/// Immutable bytes: a vector, or a mapped file.
///
/// An index opened from them keeps them alive and reads them in place. `as_ref` must
/// return the same slice every time.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Whether bytes begin like an index, of any version. They may still be damaged.
pub fn is_index(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Returns the bytes of an index.
///
/// # Guarantee
/// The same map and settings give the same bytes on every platform, with any
/// number of threads and after any edits.
///
/// # Errors
/// [`MapMismatch`] if the index does not belong to `grid` in its present state.
///
/// # Example
/// ```
/// use farstride::{Engine, Grid, Index, store};
/// use std::sync::Arc;
///
/// let grid = Grid::empty(100, 60)?;
/// let settings = Engine::NsgPlus.default_settings().expect("nsg+ has an index");
/// let index = Index::build(&grid, settings)?;
/// let bytes = store::save(&index, &grid)?;
/// assert_eq!(store::open(Arc::new(bytes), &grid)?, index);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save(index: &Index, grid: &Grid) -> Result<Vec<u8>, MapMismatch> {
    let mut bytes = Vec::new();
    match save_to(index, grid, &mut bytes) {
        Err(SaveError::MapMismatch(error)) => Err(error),
        _ => Ok(bytes), // writing to memory does not fail
    }
}

/// Writes the bytes of [`save`] to `writer` and flushes it. Does not copy labels, nor
/// tables of HPA* and HPT* that no edit has touched.
///
/// # Errors
/// [`SaveError`] if the index does not belong to `grid` in its present state (then
/// nothing is written), or if writing fails.
pub fn save_to(index: &Index, grid: &Grid, writer: impl Write) -> Result<(), SaveError> {
    if !index.is_current(grid) {
        return Err(SaveError::MapMismatch(MapMismatch));
    }
    let map = MapStamp::of(grid);
    let written = match index {
        Index::Hpa(hierarchy) => hpa::write(hierarchy, map, writer),
        Index::Subgoals(graph) => subgoal::write(graph, map, writer),
        Index::Groups(squares) => groups::write(squares, map, writer),
        Index::Labels(cells) => labels::write(cells, map, writer),
        Index::Overlay(lines) => overlay::write(lines, map, writer),
        Index::Straight(index) => straight::write(index, map, writer),
    };
    written.map_err(SaveError::Io)
}

/// Opens an index of `grid` from the bytes that [`save`] wrote.
///
/// # Guarantee
/// The index equals the one that was saved. Bytes forged together with their
/// checksum cannot cause a panic or an endless search, but may cause paths that are
/// too long; with engines other than `groups`, `labels` and `straight` a path may be missed,
/// and
/// with `hpa` it may cross walls near its ends.
///
/// # Complexity
/// `hpa`, `hpt`: O(bytes), at the speed of memory; `hpt` also checks the lines of
/// sight between the nodes of each cluster. Subgoal engines: O(cells) to find the
/// subgoals, plus O(E log D) for E edges, at most D of one subgoal. `groups`:
/// O(bytes + cells). `labels`: O(bytes) plus the lengths of all links. `straight`: O(bytes)
/// plus what all corners see. `overlay`:
/// O(bytes), plus a search of the overlay for each landmark.
///
/// # Errors
/// [`OpenError`] says what is wrong with the bytes.
#[expect(clippy::needless_pass_by_value, reason = "an opened index may keep them")]
pub fn open(bytes: Bytes, grid: &Grid) -> Result<Index, OpenError> {
    let header = Header::read((*bytes).as_ref())?;
    let engine = check_map(&header, grid)?;
    match settings_of(engine)? {
        IndexSettings::Hpa(_) => {
            let heaviest = if grid.is_uniform() { 1 } else { u8::MAX };
            Ok(hpa::read(&bytes, &header, engine, heaviest)?.bound_to(grid)?.into())
        }
        IndexSettings::Subgoals(_) => {
            Ok(subgoal::read((*bytes).as_ref(), &header, engine)?.bound_to(grid)?.into())
        }
        IndexSettings::Groups(_) => Ok(groups::read((*bytes).as_ref(), &header)?.bound_to(grid)?.into()),
        IndexSettings::Overlay(_) => {
            let overlay = overlay::read((*bytes).as_ref(), &header)?;
            Ok(overlay.bound_to(grid).map_err(OpenError::Inconsistent)?.into())
        }
        IndexSettings::Labels(_) => {
            let labels = labels::read(&bytes, &header)?;
            labels::check_digests((*bytes).as_ref(), &header)?;
            let labels = labels.bound_to(grid);
            labels.check_on(grid)?;
            Ok(labels.into())
        }
        IndexSettings::Straight(_) => {
            let index = straight::read(&bytes, &header)?;
            labels::check_digests((*bytes).as_ref(), &header)?;
            let index = index.bound_to(grid);
            index.check_on(grid).map_err(OpenError::Inconsistent)?;
            Ok(index.into())
        }
    }
}

/// Opens an index from bytes that you trust, without most checks of [`open`].
///
/// For labels of all cells, of `labels` and of `straight`, checks only the head, the list of
/// segments and the map.
/// For a climb index, skips the proof of its links. Other indexes are opened as by
/// [`open`].
///
/// # Guarantee
/// No bytes cause a panic or an endless search, and queries take memory in
/// proportion to bytes and map. If the bytes are what [`save`] wrote, answers are
/// right; if not, paths may lead anywhere, even off the map.
/// [`GridLabels::check`](crate::labels::GridLabels::check) makes up for the checks.
///
/// # Complexity
/// Labels of all cells: as [`Grid::digest`], microseconds whatever the size of the
/// index. A climb index: O(bytes + cells).
///
/// # Errors
/// As [`open`], except for faults inside segments that are not read.
///
/// # Example
/// ```
/// use farstride::labels::LabelSettings;
/// use farstride::{Grid, Index, Planner, store};
/// use std::sync::Arc;
///
/// let grid = Grid::from_fn(200, 100, |cell| cell.x % 9 != 4 || cell.y % 7 == 3)?;
/// let bytes = store::save(&Index::build(&grid, LabelSettings::default())?, &grid)?;
///
/// // Later:
/// let index = store::open_trusted(Arc::new(bytes), &grid)?;
/// let planner = Planner::with_index(grid, index)?;
///
/// // When there is time:
/// let labels = planner.index().and_then(Index::labels).expect("the index holds labels");
/// labels.check(planner.grid())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_trusted(bytes: Bytes, grid: &Grid) -> Result<Index, OpenError> {
    let header = Header::read_trusting((*bytes).as_ref())?;
    let engine = header.engine()?;
    if !matches!(engine, Engine::Labels | Engine::Straight) {
        return open(bytes, grid);
    }
    check_map(&header, grid)?;
    Ok(match engine {
        Engine::Straight => straight::read(&bytes, &header)?.bound_to(grid).into(),
        _ => labels::read(&bytes, &header)?.bound_to(grid).into(),
    })
}

/// The kind of index an engine uses.
fn settings_of(engine: Engine) -> Result<IndexSettings, OpenError> {
    engine.default_settings().ok_or(OpenError::Layout { flaw: "its engine has no index" })
}

/// Checks that an index belongs to a map, and returns its engine.
fn check_map(header: &Header, grid: &Grid) -> Result<Engine, OpenError> {
    let engine = header.engine()?;
    let expected = MapStamp::of(grid);
    if header.map != expected {
        return Err(OpenError::OtherMap { found: header.map, expected });
    }
    engine.check(grid).map_err(OpenError::Unsupported)?;
    Ok(engine)
}

/// Returns the engine of a saved index. Checks the head and the checksum, but not the
/// segments.
///
/// # Errors
/// As [`open`], except for faults inside segments and for other maps.
pub fn engine(bytes: &[u8]) -> Result<Engine, OpenError> {
    Header::read(bytes)?.engine()
}

/// Describes a saved index, without the map it belongs to.
///
/// # Errors
/// As [`open`], except for faults that only the map shows.
///
/// # Example
/// ```
/// use farstride::hpa::HpaSettings;
/// use farstride::{Engine, Grid, Index, store};
/// use std::sync::Arc;
///
/// let grid = Grid::empty(100, 60)?;
/// let settings = HpaSettings::default().with_levels(2);
/// let bytes = store::save(&Index::build(&grid, settings)?, &grid)?;
/// let description = store::describe(Arc::new(bytes))?;
/// assert_eq!(description.engine, Engine::Hpa);
/// assert_eq!((description.map.width, description.map.height), (100, 60));
/// assert_eq!(description.map.digest, grid.digest());
/// assert_eq!(description.settings, settings.for_size(100, 60).into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::needless_pass_by_value, reason = "takes the same argument as `open`")]
pub fn describe(bytes: Bytes) -> Result<Description, OpenError> {
    let header = Header::read((*bytes).as_ref())?;
    let engine = header.engine()?;
    match settings_of(engine)? {
        IndexSettings::Hpa(_) => {
            Ok(Description::of_hierarchy(&header, &hpa::read(&bytes, &header, engine, u8::MAX)?))
        }
        IndexSettings::Subgoals(_) => {
            Ok(Description::of_subgoals(&header, &subgoal::read((*bytes).as_ref(), &header, engine)?))
        }
        IndexSettings::Groups(_) => {
            Ok(Description::of_groups(&header, &groups::read((*bytes).as_ref(), &header)?))
        }
        IndexSettings::Overlay(_) => {
            Ok(Description::of_overlay(&header, &overlay::read((*bytes).as_ref(), &header)?))
        }
        IndexSettings::Labels(_) => {
            let labels = labels::read(&bytes, &header)?;
            labels::check_digests((*bytes).as_ref(), &header)?;
            labels.check_alone((header.map.width, header.map.height), header.map.rules)?;
            Ok(Description::of_labels(&header, &labels))
        }
        IndexSettings::Straight(_) => {
            let index = straight::read(&bytes, &header)?;
            labels::check_digests((*bytes).as_ref(), &header)?;
            let size = (header.map.width, header.map.height);
            index.check_alone(size).map_err(OpenError::Inconsistent)?;
            Ok(Description::of_straight(&header, &index))
        }
    }
}

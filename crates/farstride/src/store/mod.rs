//! Indexes as bytes: one file format for every engine.
//!
//! What takes long to build is worth keeping. The tables of HPA* and HPT*, and
//! labels, are saved as they are, so that opening them again is checking them and
//! pointing at them: nothing is parsed or copied, and a file can be mapped into
//! memory. Of a subgoal graph and of a hierarchy of blocks what cannot be found on
//! the map again, or not quickly, is saved, which is little. An index names the map
//! it belongs to by a digest and carries a checksum over all of its bytes; what is
//! damaged, cut off, of another release or of another map is refused with an
//! [`OpenError`] that says which. `docs/format.md` describes every byte.
//!
//! A checksum does not stop whoever writes it anew. So opening also proves
//! that the parts fit together and to the map, as far as queries rely on it:
//! whatever the bytes, there is no panic and no endless search.
//! [`Hierarchy::verify`](crate::hpa::Hierarchy::verify),
//! [`SubgoalGraph::verify`](crate::subgoal::SubgoalGraph::verify),
//! [`GridGroups::verify`](crate::groups::GridGroups::verify) and
//! [`GridLabels::verify`](crate::labels::GridLabels::verify) prove that every
//! answer is right as well, in the time of a build. Whoever knows where the bytes
//! come from can open labels without any of this ([`open_trusted`]), in
//! microseconds, and have them checked when there is time.
//!
//! Layer: uses everything above. Bytes in memory only; files are the business
//! of `farstride-io`.

mod describe;
pub(crate) mod error;
mod groups;
mod header;
mod hpa;
mod labels;
mod subgoal;

pub use describe::{Description, IndexDetails, SegmentSize};
pub(crate) use error::{OpenError, SaveError};
pub use header::MapStamp;

use crate::grid::Grid;
use crate::index::{Engine, Index, IndexSettings, MapMismatch};
use header::{Header, MAGIC, Tag};
use std::io::Write;
use std::sync::Arc;

/// The first part of every index.
const SETTINGS: Tag = *b"sett";

/// Bytes from anywhere that stay as they are: a vector, or a mapped file.
///
/// What is opened from them keeps them alive and reads them in place. They
/// must give the same slice every time.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Whether bytes are meant to be an index, of any version and in any state:
/// whether they start with the format's first eight bytes.
pub fn is_index(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Writes an index to bytes.
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

/// Writes the bytes of [`save`] to `writer` and flushes it. Tables of HPA* and HPT*
/// that no edit touched, and labels, are not copied on the way.
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
    };
    written.map_err(SaveError::Io)
}

/// Opens the index of `grid` in bytes that [`save`] wrote.
///
/// # Guarantee
/// The index equals the one that was saved. Bytes forged together with their
/// checksum cannot cause a panic or an endless search, but may cause paths that are
/// too long; with engines other than `groups` and `labels` a path may be missed, and
/// with `hpa` it may cross walls near its ends.
///
/// # Complexity
/// `hpa`, `hpt`: O(bytes), at the speed of memory; `hpt` also checks the lines of
/// sight between the nodes of each cluster. Subgoal engines: as finding the subgoals
/// of the map, and O(E log D) for E edges, at most D of one subgoal. `groups`:
/// O(bytes + cells). `labels`: O(bytes) and the lengths of its links.
///
/// # Errors
/// [`OpenError`] says what is wrong with the bytes and what to do about it.
#[expect(clippy::needless_pass_by_value, reason = "what is opened may keep them")]
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
        IndexSettings::Labels(_) => {
            let labels = labels::read(&bytes, &header)?;
            labels::check_digests((*bytes).as_ref(), &header)?;
            let labels = labels.bound_to(grid);
            labels.check_on(grid)?;
            Ok(labels.into())
        }
    }
}

/// As [`open`], but trusts the bytes where the engine allows it: of labels of all
/// cells only the head, the list of segments and the map are checked. Other labels
/// are read and checked except for their links; other indexes are opened as by
/// [`open`].
///
/// # Guarantee
/// No bytes cause a panic or an endless search, and queries take memory in
/// proportion to bytes and map. If the bytes are what [`save`] wrote, answers are
/// what they should be; if not, paths may lead anywhere, even off the map.
/// [`GridLabels::check`](crate::labels::GridLabels::check) tells.
///
/// # Complexity
/// Labels of all cells: that of [`Grid::digest`], microseconds however long the
/// index is. Other labels: O(bytes + cells).
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
    if header.engine()? != Engine::Labels {
        return open(bytes, grid);
    }
    check_map(&header, grid)?;
    Ok(labels::read(&bytes, &header)?.bound_to(grid).into())
}

/// The kind of index an engine uses.
fn settings_of(engine: Engine) -> Result<IndexSettings, OpenError> {
    engine.default_settings().ok_or(OpenError::Layout { flaw: "its engine has no index" })
}

/// The engine of an index, if it is one of this map.
fn check_map(header: &Header, grid: &Grid) -> Result<Engine, OpenError> {
    let engine = header.engine()?;
    let expected = MapStamp::of(grid);
    if header.map != expected {
        return Err(OpenError::OtherMap { found: header.map, expected });
    }
    engine.check(grid).map_err(OpenError::Unsupported)?;
    Ok(engine)
}

/// The engine of the index that lies in some bytes. Looks at the head and at
/// the checksum, not at the parts.
///
/// # Errors
/// As [`open`], but for what only the map or the parts can tell.
pub fn engine(bytes: &[u8]) -> Result<Engine, OpenError> {
    Header::read(bytes)?.engine()
}

/// What an index is, without the map it belongs to.
///
/// # Errors
/// As [`open`], but for what only the map can tell.
///
/// # Example
/// ```
/// use farstride::hpa::HpaSettings;
/// use farstride::store::{self, IndexDetails};
/// use farstride::{Engine, Grid, Index};
/// use std::sync::Arc;
///
/// let grid = Grid::empty(100, 60)?;
/// let bytes = store::save(&Index::build(&grid, LabelSettings::default())?, &grid)?;
/// let description = store::describe(Arc::new(bytes))?;
/// assert_eq!(description.engine, Engine::Hpa);
/// assert_eq!((description.map.width, description.map.height), (100, 60));
/// assert_eq!(description.map.digest, grid.digest());
/// let IndexDetails::Hpa { settings, levels } = description.details else { panic!("not HPA*") };
/// assert_eq!(levels.len(), usize::from(settings.levels));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(
    clippy::needless_pass_by_value,
    reason = "as for `open`: a vector or a mapped file is handed over as it is"
)]
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
        IndexSettings::Labels(_) => {
            let labels = labels::read(&bytes, &header)?;
            labels::check_digests((*bytes).as_ref(), &header)?;
            labels.check_alone((header.map.width, header.map.height), header.map.rules)?;
            Ok(Description::of_labels(&header, &labels))
        }
    }
}

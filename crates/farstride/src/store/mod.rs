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
mod error;
mod groups;
mod header;
mod hpa;
mod index;
mod labels;
mod subgoal;

pub use crate::groups::CorruptGroups;
pub use crate::hpa::{CorruptTable, Part};
pub use crate::labels::CorruptLabels;
pub use crate::nlevel::CorruptGraph;
pub use describe::{Description, Kind, PartSize};
pub use error::{OpenError, SaveError};
pub use header::MapStamp;
pub use index::{Index, IndexRef};

use crate::grid::Grid;
use crate::route::{Engine, NotItsMap};
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

/// The version of the format that is written.
pub const VERSION: u32 = header::VERSION;

/// Whether bytes are meant to be an index, of any version and in any state:
/// whether they start with the format's first eight bytes.
pub fn is_index(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The bytes of an index of a map: of an abstraction, of a subgoal graph, of a
/// hierarchy of blocks, of labels, or of an [`Index`].
///
/// # Guarantee
/// The same map and settings give the same bytes on every platform, however
/// many threads built the index and however the map was edited since.
///
/// # Errors
/// [`NotItsMap`] if the index is of another map, or of this one before it was
/// edited.
///
/// # Example
/// ```
/// use farstride::hpa::{Hierarchy, Settings};
/// use farstride::subgoal::{self, SubgoalGraph};
/// use farstride::{Grid, store};
/// use std::sync::Arc;
///
/// let grid = Grid::open(100, 60)?;
/// let hierarchy = Hierarchy::build(&grid, Settings::default())?;
/// let bytes = store::save(&hierarchy, &grid)?;
/// assert_eq!(store::open(Arc::new(bytes), &grid)?, hierarchy.into());
///
/// let graph = SubgoalGraph::build(&grid, subgoal::Settings::default());
/// let bytes = store::save(&graph, &grid)?;
/// assert_eq!(store::open(Arc::new(bytes), &grid)?, graph.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save<'i>(index: impl Into<IndexRef<'i>>, grid: &Grid) -> Result<Vec<u8>, NotItsMap> {
    let mut bytes = Vec::new();
    match save_to(index, grid, &mut bytes) {
        Err(SaveError::NotItsMap(error)) => Err(error),
        _ => Ok(bytes), // writing to memory does not fail
    }
}

/// Writes the bytes of [`save`] to `writer`, a part at a time; unedited tables
/// of HPA* and HPT*, and labels, are not copied. The writer is flushed at the end.
///
/// # Errors
/// [`SaveError`] if the index is not that of the map, before anything is
/// written, or if writing fails.
pub fn save_to<'i>(index: impl Into<IndexRef<'i>>, grid: &Grid, writer: impl Write) -> Result<(), SaveError> {
    let index = index.into();
    if !index.is_current(grid) {
        return Err(SaveError::NotItsMap(NotItsMap));
    }
    let map = MapStamp::of(grid);
    let written = match index {
        IndexRef::Hierarchy(hierarchy) => hpa::write(hierarchy, map, writer),
        IndexRef::Subgoals(graph) => subgoal::write(graph, map, writer),
        IndexRef::Groups(blocks) => groups::write(blocks, map, writer),
        IndexRef::Labels(cells) => labels::write(cells, map, writer),
    };
    written.map_err(SaveError::Io)
}

/// The index of `grid` that lies in some bytes; see [`save`].
///
/// # Guarantee
/// Equal to the index that was saved. If the bytes were forged, checksum and
/// all, paths may be longer than they should be or, but for the engines
/// `groups` and `labels`, not be found, and those of HPA* may lead through walls
/// near their ends; nothing panics or goes on for ever.
///
/// # Complexity
/// Of HPA* and HPT*, linear in the bytes, at the speed of memory: the checksum
/// and the proofs read them once each. HPT* looks along the legs between the
/// nodes of each cluster as well. Of a subgoal graph, that of finding the subgoals
/// of the map, and O(E log D) for E edges, at most D of one subgoal.
/// Of a hierarchy of blocks, linear in the bytes and in the cells of the map.
/// Of labels, linear in the bytes and in the lengths of their links.
///
/// # Errors
/// [`OpenError`] says what is wrong with the bytes and what to do about it.
#[expect(clippy::needless_pass_by_value, reason = "what is opened may keep them")]
pub fn open(bytes: Bytes, grid: &Grid) -> Result<Index, OpenError> {
    let header = Header::read((*bytes).as_ref())?;
    let engine = check_map(&header, grid)?;
    if engine == Engine::Labels {
        let labels = labels::read(&bytes, &header)?;
        labels::check_digests((*bytes).as_ref(), &header)?;
        let labels = labels.bound_to(grid);
        labels.check_on(grid)?;
        return Ok(labels.into());
    }
    if engine.uses_hierarchy() {
        let heaviest = if grid.is_uniform() { 1 } else { u8::MAX };
        return Ok(hpa::read(&bytes, &header, engine, heaviest)?.bound_to(grid)?.into());
    }
    if engine == Engine::Groups {
        return Ok(groups::read((*bytes).as_ref(), &header)?.bound_to(grid)?.into());
    }
    Ok(subgoal::read((*bytes).as_ref(), &header, engine)?.bound_to(grid)?.into())
}

/// As [`open`], taking the bytes on trust as far as the engine can live with it.
/// Labels of all cells are not looked at beyond head, list of parts and map.
/// Labels that do not cover all cells are read, and proved but for their
/// links. Indexes of other engines are opened as ever.
///
/// # Guarantee
/// Whatever the bytes, nothing panics or goes on for ever, and the memory that
/// queries take is in proportion to the bytes and the map. If the bytes are what
/// [`save`] wrote, so is every answer; if not, paths may lead anywhere, also off
/// the map. [`GridLabels::check`](crate::labels::GridLabels::check) tells.
///
/// # Complexity
/// Of labels of all cells, that of [`Grid::digest`]: microseconds, however long
/// the index is. Else linear in the bytes and the cells of the map.
///
/// # Errors
/// As [`open`], but for what only the parts can tell.
///
/// # Example
/// ```
/// use farstride::labels::{GridLabels, Settings};
/// use farstride::{Grid, Planner, store};
/// use std::sync::Arc;
///
/// let grid = Grid::from_fn(200, 100, |cell| cell.x % 9 != 4 || cell.y % 7 == 3)?;
/// let labels = GridLabels::build(&grid, Settings::default());
/// let bytes = store::save(&labels, &grid)?;
///
/// // Later:
/// let index = store::open_trusted(Arc::new(bytes), &grid)?;
/// let planner = Planner::with_index(grid, index)?;
///
/// // When there is time:
/// planner.labels().expect("the index is of labels").check(planner.grid())?;
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
/// use farstride::hpa::{Hierarchy, Settings};
/// use farstride::store::{self, Kind};
/// use farstride::{Engine, Grid};
/// use std::sync::Arc;
///
/// let grid = Grid::open(100, 60)?;
/// let bytes = store::save(&Hierarchy::build(&grid, Settings::default())?, &grid)?;
/// let description = store::describe(Arc::new(bytes))?;
/// assert_eq!(description.engine, Engine::Hpa);
/// assert_eq!((description.map.width, description.map.height), (100, 60));
/// assert_eq!(description.map.digest, grid.digest());
/// let Kind::Hpa { settings, levels } = description.kind else { panic!("not HPA*") };
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
    if engine.uses_hierarchy() {
        return Ok(Description::of_hierarchy(&header, &hpa::read(&bytes, &header, engine, u8::MAX)?));
    }
    if engine == Engine::Groups {
        return Ok(Description::of_groups(&header, &groups::read((*bytes).as_ref(), &header)?));
    }
    if engine == Engine::Labels {
        let labels = labels::read(&bytes, &header)?;
        labels::check_digests((*bytes).as_ref(), &header)?;
        labels.check_alone((header.map.width, header.map.height), header.map.rules)?;
        return Ok(Description::of_labels(&header, &labels));
    }
    Ok(Description::of_subgoals(&header, &subgoal::read((*bytes).as_ref(), &header, engine)?))
}

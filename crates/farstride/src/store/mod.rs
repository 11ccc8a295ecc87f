//! Indexes as bytes: one file format for every engine.
//!
//! What takes long to build is worth keeping. An index is saved as the tables
//! it consists of, so that opening it again is checking them and pointing at
//! them: nothing is parsed or copied, and a file can be mapped into memory. It
//! names the map it belongs to by a digest and carries a checksum over all of
//! its bytes; what is damaged, cut off, of another release or of another map is
//! refused with an [`OpenError`] that says which. `docs/format.md` describes
//! every byte.
//!
//! A checksum does not stop whoever writes it anew. So opening also proves
//! that the tables fit together and to the map, as far as queries rely on it:
//! whatever the bytes, there is no panic and no endless search.
//! [`Hierarchy::verify`] proves that every answer is right as well, in the time
//! of a build.
//!
//! Layer: uses everything above. Bytes in memory only; files are the business
//! of `farstride-io`.

mod describe;
mod error;
mod header;
mod hpa;

pub use crate::hpa::{CorruptTable, Part};
pub use describe::{Description, Kind, PartSize};
pub use error::{OpenError, SaveError};
pub use header::MapStamp;

use crate::grid::Grid;
use crate::hpa::Hierarchy;
use crate::route::NotItsMap;
use header::{Header, MAGIC};
use std::io::Write;
use std::sync::Arc;

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

/// The bytes of an abstraction of a map.
///
/// # Guarantee
/// The same map and settings give the same bytes on every platform, however
/// many threads built the abstraction and however it was edited since.
///
/// # Errors
/// [`NotItsMap`] if the abstraction is of another map, or of this one before
/// it was edited.
///
/// # Example
/// ```
/// use farstride::hpa::{Hierarchy, Settings};
/// use farstride::{Grid, store};
/// use std::sync::Arc;
///
/// let grid = Grid::open(100, 60)?;
/// let hierarchy = Hierarchy::build(&grid, Settings::default())?;
/// let bytes = store::save(&hierarchy, &grid)?;
/// let opened = store::open(Arc::new(bytes), &grid)?;
/// assert_eq!(opened, hierarchy);
/// assert!(opened.is_current(&grid));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save(hierarchy: &Hierarchy, grid: &Grid) -> Result<Vec<u8>, NotItsMap> {
    let mut bytes = Vec::new();
    match save_to(hierarchy, grid, &mut bytes) {
        Err(SaveError::NotItsMap(error)) => Err(error),
        _ => Ok(bytes), // writing to memory does not fail
    }
}

/// Writes the bytes of [`save`] to `writer`, a table at a time; unedited
/// tables are not copied. The writer is flushed at the end.
///
/// # Errors
/// [`SaveError`] if the abstraction is not that of the map, before anything is
/// written, or if writing fails.
pub fn save_to(hierarchy: &Hierarchy, grid: &Grid, writer: impl Write) -> Result<(), SaveError> {
    if !hierarchy.is_current(grid) {
        return Err(SaveError::NotItsMap(NotItsMap));
    }
    hpa::write(hierarchy, MapStamp::of(grid), writer).map_err(SaveError::Io)
}

/// The abstraction of `grid` that lies in some bytes; see [`save`].
///
/// # Guarantee
/// Equal to the abstraction that was saved. If the bytes were forged, checksum
/// and all, paths may be longer than they should be or not be found; nothing
/// panics or goes on for ever.
///
/// # Complexity
/// Linear in the bytes, at the speed of memory: the checksum and the proofs
/// read them once each.
///
/// # Errors
/// [`OpenError`] says what is wrong with the bytes and what to do about it.
#[expect(clippy::needless_pass_by_value, reason = "what is opened keeps them")]
pub fn open(bytes: Bytes, grid: &Grid) -> Result<Hierarchy, OpenError> {
    let header = Header::read((*bytes).as_ref())?;
    let expected = MapStamp::of(grid);
    if header.map != expected {
        return Err(OpenError::OtherMap { found: header.map, expected });
    }
    let heaviest = if grid.is_uniform() { 1 } else { u8::MAX };
    Ok(hpa::read(&bytes, &header, heaviest)?.bound_to(grid)?)
}

/// What an index is, without the map it belongs to.
///
/// # Errors
/// As [`open`], but for what only the map can tell.
///
/// # Example
/// ```
/// use farstride::hpa::Hierarchy;
/// use farstride::store::{self, Kind};
/// use farstride::Grid;
/// use std::sync::Arc;
///
/// let grid = Grid::open(100, 60)?;
/// let bytes = store::save(&Hierarchy::build_default(&grid), &grid)?;
/// let description = store::describe(Arc::new(bytes))?;
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
    let hierarchy = hpa::read(&bytes, &header, u8::MAX)?;
    Ok(Description::new(&header, &hierarchy))
}

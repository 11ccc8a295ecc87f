//! Indexes in files.
//!
//! The bytes are those of [`farstride::store`]; this module brings them to disk
//! and back. Saving goes through a temporary file, so that an index is there as
//! a whole or not at all. Opening maps the file into memory. Indexes of HPA* and
//! HPT* are checked, not read or copied, and processes that use one share its
//! memory; others are small, and are read and let go.
//!
//! # Example
//! ```
//! use farstride::{Engine, Grid, Index, Planner};
//! use farstride_io::index;
//!
//! # let folder = std::env::temp_dir().join(format!("farstride-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let file = folder.join("open.fsi");
//! let grid = Grid::empty(200, 100)?;
//! let settings = Engine::Hpa.default_settings().expect("hpa has an index");
//! index::save(&file, &Index::build(&grid, settings)?, &grid)?;
//!
//! // Later, in another process:
//! let index = index::open(&file, &grid)?;
//! let planner = Planner::with_index(grid, index)?;
//! # drop(planner);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::file;
use farstride::error::MapMismatch;
use farstride::error::{OpenError, SaveError};
use farstride::store::{self, Bytes, Description};
use farstride::{Engine, Grid, Index};
use memmap2::Mmap;
use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Saves an index of a map and returns the number of bytes written.
///
/// The file is replaced in one step, as [`file::write`] does: `path` holds its
/// old content or the whole new index, and a process that has the old file open
/// keeps the old bytes.
///
/// # Errors
/// [`IndexError`] names the file and what is wrong. Nothing is left behind.
pub fn save(path: &Path, index: &Index, grid: &Grid) -> Result<u64, IndexError> {
    let failed = |fault| IndexError { path: path.to_owned(), fault };
    if file::is_special(path) {
        return Err(failed(Fault::NotAFile));
    }
    file::replace(path, |writer| store::save_to(index, grid, writer), SaveError::Io).map_err(|error| {
        failed(match error {
            SaveError::MapMismatch(error) => Fault::MapMismatch(error),
            SaveError::Io(error) => Fault::Write(error),
            other => Fault::Write(io::Error::other(other)),
        })
    })
}

/// Opens an index of a map, mapped into memory.
///
/// The file must not be changed in place or made shorter as long as the
/// index is in use; see `docs/decisions/0008-mapped-files.md`. [`save`]
/// never does either. Use [`read`] for files that others may write to.
///
/// # Errors
/// [`IndexError`] names the file and what is wrong with it.
pub fn open(path: &Path, grid: &Grid) -> Result<Index, IndexError> {
    let bytes = map(path)?;
    store::open(bytes, grid).map_err(|error| content(path, error))
}

/// As [`open`], taking the bytes on trust where the engine can live with it:
/// labels are open in microseconds, and read from disk when queries need them.
/// [`store::open_trusted`] says what that means.
///
/// # Errors
/// As [`open`], but for what only the parts can tell.
pub fn open_trusted(path: &Path, grid: &Grid) -> Result<Index, IndexError> {
    let bytes = map(path)?;
    store::open_trusted(bytes, grid).map_err(|error| content(path, error))
}

/// Opens an index of a map from a copy in memory: slower by the time it takes
/// to read the file, and whatever happens to the file afterwards does not
/// matter.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path, grid: &Grid) -> Result<Index, IndexError> {
    let mut bytes = Vec::new();
    let failed = |error| IndexError { path: path.to_owned(), fault: Fault::Read(error) };
    open_file(path)?.read_to_end(&mut bytes).map_err(failed)?;
    store::open(Arc::new(bytes), grid).map_err(|error| content(path, error))
}

/// What an index is, without the map it belongs to.
///
/// # Errors
/// As [`open`], but for what only the map can tell.
pub fn describe(path: &Path) -> Result<Description, IndexError> {
    let bytes = map(path)?;
    store::describe(bytes).map_err(|error| content(path, error))
}

/// The engine of an index; its parts are not looked at.
///
/// # Errors
/// As [`open`], but for what only the map or the parts can tell.
pub fn engine(path: &Path) -> Result<Engine, IndexError> {
    let bytes = map(path)?;
    store::engine((*bytes).as_ref()).map_err(|error| content(path, error))
}

/// Whether a file is meant to be an index, whatever state it is in: whether it
/// starts like one. No if it cannot be read.
pub fn is_index(path: &Path) -> bool {
    let mut start = Vec::new();
    let Ok(file) = open_file(path) else { return false };
    file.take(8).read_to_end(&mut start).is_ok() && store::is_index(&start)
}

fn content(path: &Path, error: OpenError) -> IndexError {
    IndexError { path: path.to_owned(), fault: Fault::Content(error) }
}

/// Opens a file for reading that is one: reading from a pipe or a device might
/// never end.
fn open_file(path: &Path) -> Result<File, IndexError> {
    let failed = |fault| IndexError { path: path.to_owned(), fault };
    let metadata = fs::metadata(path).map_err(|error| failed(Fault::Read(error)))?;
    if !metadata.is_file() {
        return Err(failed(Fault::NotAFile));
    }
    File::open(path).map_err(|error| failed(Fault::Read(error)))
}

fn map(path: &Path) -> Result<Bytes, IndexError> {
    let file = open_file(path)?;
    #[expect(unsafe_code, reason = "docs/decisions/0008-mapped-files.md")]
    // SAFETY: the bytes must not change while they are mapped. Who writes
    // indexes replaces files as a whole and never writes into one; who writes
    // into them by other means is told not to, above.
    let mapped = unsafe { Mmap::map(&file) };
    let mapped = mapped.map_err(|error| IndexError { path: path.to_owned(), fault: Fault::Read(error) })?;
    Ok(Arc::new(mapped))
}

/// A file that could not be saved or opened as an index.
#[derive(Debug)]
pub struct IndexError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// It could not be read.
    Read(io::Error),
    /// It could not be written.
    Write(io::Error),
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// The index that was to be saved is not that of the map.
    MapMismatch(MapMismatch),
    /// It was read, but is not an index of the map.
    Content(OpenError),
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.fault {
            Fault::Read(_) => write!(f, "cannot read {path}"),
            Fault::Write(_) => write!(f, "cannot write {path}"),
            Fault::NotAFile => write!(f, "{path} is not a file, so it cannot hold an index"),
            Fault::MapMismatch(_) => write!(f, "cannot save {path}"),
            Fault::Content(_) => write!(f, "cannot open {path}"),
        }
    }
}

impl Error for IndexError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.fault {
            Fault::Read(error) | Fault::Write(error) => Some(error),
            Fault::NotAFile => None,
            Fault::MapMismatch(error) => Some(error),
            Fault::Content(error) => Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::Cell;
    use farstride::groups::GridGroupSettings;
    use farstride::hpa::HpaSettings;
    use farstride::subgoal;

    /// An error and all its causes in one line.
    fn told(error: &dyn Error) -> String {
        match error.source() {
            Some(cause) => format!("{error}: {}", told(cause)),
            None => error.to_string(),
        }
    }

    /// A folder that is gone when the test is over.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("farstride-{}-{test}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort_unstable();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn example() -> (Grid, Index) {
        let grid = Grid::from_fn(40, 30, |cell| cell.x % 7 != 3 || cell.y % 5 == 1).unwrap();
        let hierarchy = Index::build(&grid, HpaSettings::default().with_cluster(8)).unwrap();
        (grid, hierarchy)
    }

    #[test]
    fn what_is_saved_can_be_opened() {
        let folder = Folder::new("round");
        let file = folder.file("map.fsi");
        let (grid, hierarchy) = example();
        let length = save(&file, &hierarchy, &grid).unwrap();
        assert_eq!(fs::read(&file).unwrap(), store::save(&hierarchy, &grid).unwrap());
        assert_eq!(length, fs::metadata(&file).unwrap().len());
        assert!(is_index(&file));
        for opened in [open(&file, &grid), read(&file, &grid)] {
            assert!(opened.unwrap() == hierarchy);
        }
        assert_eq!(describe(&file).unwrap().bytes as u64, length);
        assert_eq!(folder.names(), ["map.fsi"]);
    }

    #[test]
    fn subgoal_graphs_and_groups_are_indexes_too() {
        let folder = Folder::new("others");
        let file = folder.file("map.fsi");
        let (grid, _) = example();
        let graph = Index::build(&grid, subgoal::SubgoalSettings::default()).unwrap();
        let groups = Index::build(&grid, GridGroupSettings::default()).unwrap();
        for index in [graph, groups] {
            save(&file, &index, &grid).unwrap();
            assert_eq!(engine(&file).unwrap(), index.engine());
            assert_eq!(describe(&file).unwrap().engine, index.engine());
            let opened = [open(&file, &grid), read(&file, &grid)].map(Result::unwrap);
            // It is not read where it lies: the file may change.
            fs::write(&file, "something else").unwrap();
            assert!(opened.iter().all(|opened| *opened == index));
            assert!(told(&engine(&file).unwrap_err()).contains("not an index"));
        }
    }

    #[test]
    fn who_has_a_file_open_keeps_it() {
        let folder = Folder::new("replace");
        let file = folder.file("map.fsi");
        let (mut grid, hierarchy) = example();
        save(&file, &hierarchy, &grid).unwrap();
        let open = |grid: &Grid| open(&file, grid).unwrap();
        let before = open(&grid);
        let _ = grid.block(Cell::new(1, 1)).unwrap();
        let other = Index::build(&grid, hierarchy.settings()).unwrap();
        save(&file, &other, &grid).unwrap();
        assert!(before == hierarchy);
        assert!(open(&grid) == other);
        // A mapped index can be edited: changes lie beside it.
        let mut planner = farstride::Planner::with_index(grid.clone(), open(&grid)).unwrap();
        planner.edit(|grid| grid.free(Cell::new(1, 1))).unwrap();
        assert!(*planner.index().unwrap() == before);
        assert!(open(&grid) == other);
    }

    #[test]
    fn a_failed_save_leaves_everything_as_it_was() {
        let folder = Folder::new("fail");
        let file = folder.file("map.fsi");
        let (grid, hierarchy) = example();
        fs::write(&file, "precious").unwrap();
        let mut edited = grid.clone();
        let _ = edited.block(Cell::new(1, 1)).unwrap();
        let error = save(&file, &hierarchy, &edited).unwrap_err();
        assert!(matches!(error.fault, Fault::MapMismatch(_)), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"precious");
        let error = save(&folder.file("none/map.fsi"), &hierarchy, &grid).unwrap_err();
        assert!(error.to_string().starts_with("cannot write "), "{error}");
        fs::create_dir(folder.file("folder.fsi")).unwrap();
        let error = save(&folder.file("folder.fsi"), &hierarchy, &grid).unwrap_err();
        assert!(error.to_string().contains("is not a file"), "{error}");
        assert_eq!(folder.names(), ["folder.fsi", "map.fsi"]);
        save(&file, &hierarchy, &grid).unwrap();
        assert!(open(&file, &grid).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("links");
        let (file, link) = (folder.file("map.fsi"), folder.file("link.fsi"));
        let (grid, hierarchy) = example();
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        save(&link, &hierarchy, &grid).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(open(&file, &grid).unwrap() == hierarchy);
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let folder = Folder::new("foreign");
        let (grid, hierarchy) = example();
        let told = |content: &[u8]| {
            let file = folder.file("map.fsi");
            fs::write(&file, content).unwrap();
            let errors = [open(&file, &grid).unwrap_err(), read(&file, &grid).unwrap_err()];
            let [one, other] = errors.map(|error| told(&error));
            assert_eq!(one, other);
            assert!(one.starts_with(&format!("cannot open {}: ", file.display())), "{one}");
            one
        };
        assert!(told(b"").contains("not an index"));
        assert!(told(b"type octile\n").contains("not an index"));
        let mut bytes = store::save(&hierarchy, &grid).unwrap();
        assert!(told(&bytes[..bytes.len() - 1]).contains("cut off"));
        bytes[100] ^= 4;
        assert!(told(&bytes).contains("damaged"));
        assert!(open(&folder.file("none"), &grid).unwrap_err().to_string().starts_with("cannot read "));
        assert!(open(&folder.0, &grid).unwrap_err().to_string().contains("is not a file"));
        assert!(!is_index(&folder.0) && !is_index(&folder.file("none")));
    }
}

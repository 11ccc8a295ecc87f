//! Files that are written as a whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file in one step.
///
/// The bytes go to a temporary file in the same folder, are synced to disk, and
/// then take the name `path`. Whatever interrupts that, `path` holds its old
/// content or all of the new one. A process that has the old file open keeps the
/// old bytes. If `path` is a link, the file it leads to is replaced; its
/// permissions stay. A device or a pipe is written to directly.
///
/// # Errors
/// The error of the system call that failed. No temporary file is left behind.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return fs::write(path, bytes);
    }
    replace(path, |writer| writer.write_all(bytes), |error| error).map(|_| ())
}

/// Whether `path` exists and is not a regular file.
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// Replaces a regular file by what `content` writes, as [`write`] says; returns
/// the number of bytes. `failed` wraps the errors of the system.
pub(crate) fn replace<E>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
    failed: impl Fn(io::Error) -> E,
) -> Result<u64, E> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let permissions = fs::metadata(&target).map(|metadata| metadata.permissions()).ok();
    let (partial, file) = create_beside(&target).map_err(&failed)?;
    let mut writer = BufWriter::new(file);
    let written = content(&mut writer).and_then(|()| {
        let length = finish(writer, permissions).map_err(&failed)?;
        fs::rename(&partial, &target).map_err(&failed)?;
        sync_folder(&target);
        Ok(length)
    });
    if written.is_err() {
        // Best effort: the caller needs the first error, not this one.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Creates a file in the folder of `target` that no other thread or process
/// writes to.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let partial = target.with_file_name(format!(".farstride-{}-{number}.part", std::process::id()));
    // A process with the same number may have been killed here.
    let _ = fs::remove_file(&partial);
    let file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
    Ok((partial, file))
}

/// Syncs a file to disk; returns its length.
fn finish(writer: BufWriter<File>, permissions: Option<Permissions>) -> io::Result<u64> {
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// Syncs the folder's new entry as well. Not every system can, and the file is
/// in place without it.
fn sync_folder(target: &Path) {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_write_keeps_the_old_file_and_leaves_nothing_else() {
        let folder = std::env::temp_dir().join(format!("farstride-{}-file", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("map");
        write(&path, b"old").unwrap();
        let interrupted = replace(
            &path,
            |writer| {
                writer.write_all(b"new")?;
                Err(io::Error::other("interrupted"))
            },
            |error| error,
        );
        assert_eq!(interrupted.unwrap_err().to_string(), "interrupted");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}

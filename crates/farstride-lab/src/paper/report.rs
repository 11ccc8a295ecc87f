//! Where a measured document goes.

use farstride_cli::output;
use serde::Serialize;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Makes the folder that figures are written to.
pub(super) fn make_folder(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()).into())
}

/// Writes figures, each with the name of its file, and the summary; prints the
/// summary, or the same as JSON.
pub(super) fn write<N: AsRef<Path>>(
    folder: &Path,
    figures: &[(N, String)],
    text: &str,
    json: Option<&impl Serialize>,
) -> Result<(), Box<dyn Error>> {
    for (name, svg) in figures {
        output::write_file(&folder.join(name), svg.as_bytes())?;
    }
    output::write_file(&folder.join("summary.md"), text.as_bytes())?;
    if let Some(summary) = json {
        output::print_json(summary)?;
    } else {
        output::print(text)?;
        output::tell(&format!("figures and summary.md are in {}", folder.display()));
    }
    Ok(())
}

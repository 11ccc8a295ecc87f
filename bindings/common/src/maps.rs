//! Maps from files and their bytes.

use crate::{Failure, terrain};
use farstride::Grid;
use farstride_io::{movingai, weights};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Loads a map: the MovingAI format, or a grey PNG or PGM image of weights. `letters` are other
/// meanings of letters, as in `S=5,W=blocked`.
///
/// # Errors
/// [`Failure`] names the file and what is wrong with it, or with the letters.
pub fn load_map(file: &Path, letters: &str) -> Result<Grid, Failure> {
    let letters = terrain(letters)?;
    let mut start = Vec::new();
    let is_read = File::open(file).and_then(|file| file.take(8).read_to_end(&mut start)).is_ok();
    if is_read && weights::is_image(&start) {
        check_letters(letters.is_empty())?;
        return Ok(weights::load_weights(file)?.to_grid());
    }
    Ok(if letters.is_empty() { movingai::load_map(file)? } else { movingai::load_map_with(file, &letters)? })
}

/// A map from the bytes of a file, as [`load_map`].
///
/// # Errors
/// As [`load_map`].
pub fn read_map(bytes: &[u8], letters: &str) -> Result<Grid, Failure> {
    let letters = terrain(letters)?;
    if weights::is_image(bytes) {
        check_letters(letters.is_empty())?;
        return Ok(weights::read_weights(bytes).map_err(Failure::map)?.to_grid());
    }
    let grid =
        if letters.is_empty() { movingai::read_map(bytes) } else { movingai::read_map_with(bytes, &letters) };
    grid.map_err(Failure::map)
}

fn check_letters(are_none: bool) -> Result<(), Failure> {
    if are_none {
        return Ok(());
    }
    Err(Failure::map("letters are given a meaning, but this map is an image"))
}

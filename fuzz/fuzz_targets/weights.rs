//! Any bytes are weights of a map or are refused; weights that were read can be
//! written and read again, alone and over a map.

#![no_main]

use farstride::Grid;
use farstride_io::weights::{read_weights, write_weights};
use libfuzzer_sys::fuzz_target;

/// Re-proving a large map takes too long to be done for each.
const CHECKED_CELLS: usize = 1 << 14;

fuzz_target!(|bytes: &[u8]| {
    let image = match read_weights(bytes) {
        Ok(image) => image,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let (width, height) = (image.width(), image.height());
    assert_eq!(image.pixels().len(), width * height);
    if width * height > CHECKED_CELLS {
        return;
    }
    let grid = image.to_grid();
    grid.check().unwrap();
    assert_eq!(read_weights(&write_weights(&grid)), Ok(image.clone()));
    assert_eq!(image.lay_over(&Grid::empty(width, height).unwrap()), Ok(grid));
});

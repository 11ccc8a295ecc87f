//! Any bytes are a map or are refused; a map that was read can be written and
//! read again.

#![no_main]

use farstride_io::movingai::{read_map, write_map};
use libfuzzer_sys::fuzz_target;

/// Re-proving a large map takes too long to be done for each.
const CHECKED_CELLS: usize = 1 << 14;

fuzz_target!(|bytes: &[u8]| {
    match read_map(bytes) {
        Ok(grid) => {
            assert_eq!(read_map(write_map(&grid).as_bytes()), Ok(grid.clone()));
            if grid.width() * grid.height() <= CHECKED_CELLS {
                grid.check().unwrap();
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

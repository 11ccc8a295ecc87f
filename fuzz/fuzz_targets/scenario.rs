//! Any bytes are a scenario for a map or are refused; the queries of one that
//! was read lie on the map and can be written and read again.

#![no_main]

use farstride::Grid;
use farstride_io::movingai::{ScenarioQuery, read_scenario};
use libfuzzer_sys::fuzz_target;
use std::fmt::Write;

/// Larger maps take longer to make than scenarios to read.
const MAX_SIDE: u8 = 32;

// The first two bytes are the size of a map, the rest is the scenario.
fuzz_target!(|input: (u8, u8, &[u8])| {
    let (width, height, bytes) = input;
    check(bytes, &Grid::empty(8, 4).unwrap());
    let side = |byte: u8| usize::from(byte % MAX_SIDE) + 1;
    check(bytes, &Grid::empty(side(width), side(height)).unwrap());
});

fn check(bytes: &[u8], grid: &Grid) {
    match read_scenario(bytes, grid) {
        Ok(queries) => {
            for query in &queries {
                assert!(grid.contains(query.start) && grid.contains(query.goal));
                assert!(query.length.is_finite() && query.length >= 0.0);
            }
            assert_eq!(read_scenario(written(&queries, grid).as_bytes(), grid), Ok(queries));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn written(queries: &[ScenarioQuery], grid: &Grid) -> String {
    let mut text = "version 1\n".to_owned();
    for ScenarioQuery { bucket, start, goal, length } in queries {
        let (width, height) = (grid.width(), grid.height());
        let ends = format!("{}\t{}\t{}\t{}", start.x, start.y, goal.x, goal.y);
        writeln!(text, "{bucket}\ta.map\t{width}\t{height}\t{ends}\t{length}").unwrap();
    }
    text
}

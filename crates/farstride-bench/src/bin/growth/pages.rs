//! Counting the pages of a mapped index that a query touches.
//!
//! Linux marks the pages that a process refers to, forgets these marks if it is told to, and
//! says how many there are in each mapping.

use crate::Options;
use crate::measure::any_cell;
use farstride::{Planner, Query, Scratch};
use farstride_io::index;
use farstride_testkit::SplitMix64;
use std::error::Error;
use std::fs;

const PAGE: f64 = 4.0; // in kilobytes, as the system counts

/// The pages that each of some random queries touches; `None` if the system does not tell.
pub(crate) fn count(planner: &Planner, options: &Options) -> Result<Option<Vec<f64>>, Box<dyn Error>> {
    let Some(made) = planner.index() else { return Ok(None) };
    let name = format!("farstride-growth-{}.fsi", std::process::id());
    let file = std::env::temp_dir().join(&name);
    index::save(&file, made, planner.grid())?;
    let mapped = index::open(&file, planner.grid());
    fs::remove_file(&file)?; // the mapping stays
    let planner = Planner::with_index(planner.grid().clone(), mapped?)?;
    let mut random = SplitMix64::new(options.seed);
    let mut scratch = Scratch::new();
    let mut pages = Vec::new();
    while pages.len() < options.pages {
        let (start, goal) = (any_cell(planner.grid(), &mut random), any_cell(planner.grid(), &mut random));
        if start == goal || !planner.grid().is_connected(start, goal) {
            continue;
        }
        if fs::write("/proc/self/clear_refs", "1").is_err() {
            return Ok(None);
        }
        std::hint::black_box(planner.find(Query::new(start, goal), &mut scratch)?);
        let Some(referenced) = referenced(&name) else { return Ok(None) };
        pages.push(referenced / PAGE);
    }
    Ok(Some(pages))
}

/// Kilobytes of the mappings of a file that were referred to.
fn referenced(name: &str) -> Option<f64> {
    let maps = fs::read_to_string("/proc/self/smaps").ok()?;
    let mut inside = false;
    let mut sum = None;
    for line in maps.lines() {
        // The first line of a mapping starts with its addresses and ends with its file.
        if line.split_whitespace().next().is_some_and(|word| word.contains('-')) {
            inside = line.contains(name);
        } else if let Some(size) = line.strip_prefix("Referenced:").filter(|_| inside) {
            let kilobytes: f64 = size.trim().trim_end_matches("kB").trim().parse().ok()?;
            sum = Some(sum.unwrap_or(0.0) + kilobytes);
        }
    }
    sum
}

//! Maps.

use crate::border::{Fault, Handle, Result, free, give, guard, list, list_out, path, shared, text, value};
use farstride::{Cell, Grid as Map, Rules};
use farstride_bindings::{Failure, cell, diagonals, load_map};
use std::ffi::c_char;
use std::sync::Arc;

/// A map. It never changes; a planner that is edited has a map of its own.
pub struct Grid {
    pub(crate) map: Arc<Map>,
}

impl Handle for Grid {
    const KIND: u32 = 0x6672_6731;
}

impl Grid {
    fn under(map: Map, rule: *const c_char) -> std::result::Result<Self, Fault> {
        let rule = diagonals(text(rule)?.unwrap_or("strict"))?;
        let map = Arc::new(map.with_rules(Rules { diagonals: rule, ..Rules::default() }));
        Ok(Self { map })
    }
}

/// Makes a map from a weight per cell, row by row: 0 is blocked, 1 to 255 is what entering the cell
/// costs, in steps. With null weights all cells are free.
///
/// diagonals: which diagonal steps are legal: "strict" (both cells beside the step have to be
/// free; null means this), "one-side", "free" or "none".
///
/// Any thread may call it. Free the map with farstride_grid_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_grid_new(
    width: u32,
    height: u32,
    weights: *const u8,
    diagonals: *const c_char,
    grid: *mut *mut Grid,
) -> Result {
    guard(|| {
        let (width, height) = (width as usize, height as usize);
        Map::check_size(width, height).map_err(Failure::map)?;
        let map = if weights.is_null() {
            Map::empty(width, height).map_err(Failure::map)?
        } else {
            Map::from_weights(width, height, list(weights, width * height)?).map_err(Failure::map)?
        };
        give(Grid::under(map, diagonals)?, grid)
    })
}

/// Loads a map from a file: the MovingAI format, or a grey PNG or PGM image of weights.
///
/// letters: other meanings of letters in the MovingAI format, as in "S=5,W=blocked", or null.
/// diagonals: as in farstride_grid_new.
///
/// Any thread may call it. Free the map with farstride_grid_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_grid_load(
    file: *const c_char,
    letters: *const c_char,
    diagonals: *const c_char,
    grid: *mut *mut Grid,
) -> Result {
    guard(|| {
        let map = load_map(path(file)?, text(letters)?.unwrap_or(""))?;
        give(Grid::under(map, diagonals)?, grid)
    })
}

/// Frees a map; planners on it stay. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_grid_free(grid: *mut Grid) {
    free(grid);
}

/// Number of columns; 0 if the handle is wrong.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_grid_width(grid: *const Grid) -> u32 {
    value(0, || Ok(shared(grid)?.map.width() as u32))
}

/// Number of rows; 0 if the handle is wrong.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_grid_height(grid: *const Grid) -> u32 {
    value(0, || Ok(shared(grid)?.map.height() as u32))
}

/// The weight of a cell; 0 if it is blocked or not on the map.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_grid_weight(grid: *const Grid, x: i32, y: i32) -> u8 {
    value(0, || {
        let map = &shared(grid)?.map;
        Ok(cell(map, x.into(), y.into()).map_or(0, |cell| weight(map, cell)))
    })
}

/// Copies the weights of all cells, row by row; 0 is blocked.
///
/// weights: room for width times height bytes; count: how many there are.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_grid_weights(grid: *const Grid, weights: *mut u8, count: usize) -> Result {
    guard(|| write_weights(&shared(grid)?.map, weights, count))
}

pub(crate) fn write_weights(map: &Map, weights: *mut u8, count: usize) -> std::result::Result<(), Fault> {
    let expected = map.width() * map.height();
    if count != expected {
        return Err(Fault::new(
            Result::Query,
            format!("room for {count} weights, the map has {expected} cells"),
        ));
    }
    for (to, cell) in list_out(weights, count)?.iter_mut().zip(map.area().cells()) {
        to.write(weight(map, cell));
    }
    Ok(())
}

fn weight(map: &Map, cell: Cell) -> u8 {
    if map.is_free(cell) { map.weight(cell) } else { 0 }
}

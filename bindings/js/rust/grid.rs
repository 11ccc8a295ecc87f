//! Maps.

use crate::failure::Failure;
use crate::generate;
use farstride::{Cell, Grid, Rules};
use farstride_io::{movingai, weights};
use js_sys::{Array, Object};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A map.
#[wasm_bindgen]
pub struct RawGrid {
    pub(crate) grid: Arc<Grid>,
}

impl RawGrid {
    pub(crate) fn under(grid: Grid, diagonals: &str) -> Result<Self, Failure> {
        let diagonals = farstride_bindings::diagonals(diagonals)?;
        Ok(Self { grid: Arc::new(grid.with_rules(Rules { diagonals, ..Rules::default() })) })
    }
}

/// A cell, wherever it may lie; cells off every map stay off every map.
pub(crate) fn cell(x: u32, y: u32) -> Cell {
    let narrow = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    Cell::new(narrow(x), narrow(y))
}

#[wasm_bindgen]
impl RawGrid {
    /// A map from one weight per cell; 0 is blocked.
    pub fn from_weights(width: u32, height: u32, weights: &[u8], diagonals: &str) -> Result<Self, Failure> {
        let grid = Grid::from_weights(width as usize, height as usize, weights).map_err(Failure::map)?;
        Self::under(grid, diagonals)
    }

    /// A map whose cells are all free.
    pub fn empty(width: u32, height: u32, diagonals: &str) -> Result<Self, Failure> {
        Self::under(Grid::empty(width as usize, height as usize).map_err(Failure::map)?, diagonals)
    }

    /// A map in the MovingAI format, its letters with other meanings if `terrain` gives any.
    pub fn from_movingai(bytes: &[u8], terrain: &str, diagonals: &str) -> Result<Self, Failure> {
        let letters = farstride_bindings::terrain(terrain)?;
        let grid = if letters.is_empty() {
            movingai::read_map(bytes)
        } else {
            movingai::read_map_with(bytes, &letters)
        };
        Self::under(grid.map_err(Failure::map)?, diagonals)
    }

    /// A map from a grey image.
    pub fn from_weight_image(bytes: &[u8], diagonals: &str) -> Result<Self, Failure> {
        Self::under(weights::read_weights(bytes).map_err(Failure::map)?.to_grid(), diagonals)
    }

    /// A generated map: what `farstride gen` draws.
    pub fn generate(
        kind: &str,
        width: u32,
        height: u32,
        seed: u64,
        parameters: &Object,
        diagonals: &str,
    ) -> Result<Self, Failure> {
        let map = generate::draw(kind, width as usize, height as usize, seed, parameters)?;
        Self::under(map, diagonals)
    }

    /// The generators and their parameters.
    pub fn kinds() -> Array {
        generate::kinds()
    }

    /// Number of columns.
    pub fn width(&self) -> u32 {
        self.grid.width() as u32
    }

    /// Number of rows.
    pub fn height(&self) -> u32 {
        self.grid.height() as u32
    }

    /// The rule of diagonal steps, by name.
    pub fn diagonals(&self) -> String {
        farstride_bindings::diagonals_name(self.grid.rules().diagonals).to_owned()
    }

    /// Whether a cell weighs more than 1.
    pub fn has_weights(&self) -> bool {
        !self.grid.is_uniform()
    }

    /// Number of free cells.
    pub fn free_count(&self) -> u32 {
        self.grid.free_count() as u32
    }

    /// The digest, as the command line prints it.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.grid.digest())
    }

    /// One weight per cell; 0 is blocked.
    pub fn weights(&self) -> Vec<u8> {
        let weight = |cell: Cell| if self.grid.is_free(cell) { self.grid.weight(cell) } else { 0 };
        self.grid.area().cells().map(weight).collect()
    }

    /// Whether a cell is on the map and free.
    pub fn is_free(&self, x: u32, y: u32) -> bool {
        self.grid.is_free(cell(x, y))
    }

    /// Whether a path joins two cells.
    pub fn is_connected(&self, ax: u32, ay: u32, bx: u32, by: u32) -> bool {
        let (a, b) = (cell(ax, ay), cell(bx, by));
        self.grid.is_free(a) && self.grid.is_free(b) && self.grid.is_connected(a, b)
    }

    /// Whether two cells are in line of sight.
    pub fn line_of_sight(&self, ax: u32, ay: u32, bx: u32, by: u32) -> bool {
        let (a, b) = (cell(ax, ay), cell(bx, by));
        self.grid.is_free(a) && self.grid.is_free(b) && self.grid.line_of_sight(a, b)
    }

    /// The map in the MovingAI format; weights are lost.
    pub fn to_movingai(&self) -> String {
        movingai::write_map(&self.grid)
    }

    /// The weights as a binary PGM.
    pub fn to_pgm(&self) -> Vec<u8> {
        weights::write_weights(&self.grid)
    }
}

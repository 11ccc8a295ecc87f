//! Options that several commands share.

use crate::world;
use clap::{Args, ValueEnum};
use farstride::{Cell, DiagonalCost, Diagonals, Engine, Grid, Rules};
use farstride_io::movingai;
use std::error::Error;
use std::path::PathBuf;

/// Which map, and how one moves on it.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MapOptions {
    /// Map in the MovingAI format; left out: the built-in map.
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,

    /// Which diagonal steps are allowed between free cells.
    #[arg(long, value_enum, default_value_t, value_name = "RULE")]
    diagonals: DiagonalsOption,

    /// What a diagonal step costs, in straight steps.
    #[arg(long, value_enum, default_value_t, value_name = "COST")]
    diagonal_cost: CostOption,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum DiagonalsOption {
    /// Only if both side cells are free.
    #[default]
    Strict,
    /// Only if at least one side cell is free.
    OneSide,
    /// Always.
    Free,
    /// Never: a 4-connected grid.
    None,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum CostOption {
    /// The square root of two.
    #[default]
    Sqrt2,
    /// The approximation of the HPA* paper.
    #[value(name = "1.42")]
    Ratio142,
}

impl MapOptions {
    /// Loads the map with its rules.
    pub(crate) fn load(&self) -> Result<Grid, Box<dyn Error>> {
        let grid = match &self.map {
            Some(path) => movingai::load_map(path)?,
            None => world::built_in()?,
        };
        Ok(grid.with_rules(self.rules()))
    }

    fn rules(&self) -> Rules {
        let diagonals = match self.diagonals {
            DiagonalsOption::Strict => Diagonals::Strict,
            DiagonalsOption::OneSide => Diagonals::OneSide,
            DiagonalsOption::Free => Diagonals::Free,
            DiagonalsOption::None => Diagonals::None,
        };
        let diagonal_cost = match self.diagonal_cost {
            CostOption::Sqrt2 => DiagonalCost::Sqrt2,
            CostOption::Ratio142 => DiagonalCost::Ratio142,
        };
        Rules { diagonals, diagonal_cost }
    }

    /// What to call the map in reports.
    pub(crate) fn name(&self) -> String {
        let stem = self.map.as_ref().and_then(|path| path.file_stem());
        stem.map_or_else(|| "built-in".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// An engine by name, or the one that suits the map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EngineOption {
    Auto,
    Named(Engine),
}

impl EngineOption {
    /// For the parser of the command line.
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        if name == "auto" {
            return Ok(Self::Auto);
        }
        name.parse().map(Self::Named).map_err(|error| format!("{error}, and auto"))
    }

    /// The engine to use on `grid`, and why it was taken if it was not named.
    pub(crate) fn choose(self, grid: &Grid) -> (Engine, Option<&'static str>) {
        match self {
            Self::Named(engine) => (engine, None),
            Self::Auto => {
                let (engine, why) = Engine::choose(grid);
                (engine, Some(why))
            }
        }
    }
}

/// `X,Y`, for the parser of the command line.
pub(crate) fn parse_cell(text: &str) -> Result<Cell, String> {
    let numbers = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    let (x, y) = numbers.ok_or_else(|| "expected X,Y with whole numbers, as in 12,34".to_owned())?;
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => Ok(Cell::new(x, y)),
        _ => Err(format!("no map has a cell {x},{y}: the largest coordinate is {}", Grid::MAX_SIDE - 1)),
    }
}

fn number(text: &str) -> Option<u128> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_two_numbers() {
        assert_eq!(parse_cell("3,4"), Ok(Cell::new(3, 4)));
        assert_eq!(parse_cell(" 3, 4"), Ok(Cell::new(3, 4)));
        for bad in ["", "3", "3,", "3,4,5", "-1,2", "a,b", "3;4", "1e3,4"] {
            assert!(parse_cell(bad).is_err(), "{bad}");
        }
        assert!(parse_cell("70000,1").unwrap_err().contains("9999"));
    }
}

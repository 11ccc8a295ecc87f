//! Options of the map: its file, its weights and its rules of movement.

use crate::world;
use clap::{Args, ValueEnum};
use farstride::grid::DiagonalCost;
use farstride::internal::Terrain;
use farstride::{Diagonals, Grid, Rules};
use farstride_io::movingai;
use farstride_io::weights::{is_image, load_weights};
use std::error::Error;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The map and its rules of movement.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MapOptions {
    /// Map in the MovingAI format [default: the built-in map].
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,

    #[command(flatten)]
    rules: RuleOptions,
}

/// What the cells of a map weigh, and its rules of movement.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RuleOptions {
    #[command(flatten)]
    terrain: TerrainOptions,

    /// Diagonal steps that are allowed.
    #[arg(long, value_enum, default_value_t, value_name = "RULE")]
    diagonals: DiagonalsOption,

    /// Cost of a diagonal step, in straight steps.
    #[arg(long, value_enum, default_value_t, value_name = "COST")]
    diagonal_cost: CostOption,
}

/// What the cells of a map weigh.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TerrainOptions {
    /// Grey PGM or PNG with the weight of each cell; without a map, it serves as one.
    ///
    /// One pixel of 8 bits per cell: 0 is blocked, 1 to 255 is the weight. A cell is
    /// blocked if the map or the image says so. A step costs its length times the
    /// mean weight of its two cells.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Weights of the map's letters, as in S=5,T=3,W=blocked.
    ///
    /// Letters not named keep their meaning: . G S are free with weight 1, @ O T W
    /// blocked.
    #[arg(
        long,
        value_name = "LETTERS",
        value_delimiter = ',',
        value_parser = movingai::parse_letter,
        conflicts_with = "weights"
    )]
    terrain: Vec<(u8, Terrain)>,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum DiagonalsOption {
    /// If both side cells are free.
    #[default]
    Strict,
    /// If at least one side cell is free.
    OneSide,
    /// Always.
    Free,
    /// Never: the grid is 4-connected.
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
    /// A map under some rules; the built-in one if no file is given.
    pub(super) fn new(map: Option<PathBuf>, rules: &RuleOptions) -> Self {
        Self { map, rules: rules.clone() }
    }

    /// The map or image of weights in a file, under the same rules and letters.
    pub(crate) fn of_file(&self, file: &Path) -> Self {
        let mut rules = self.rules.clone();
        let is_image = is_image_file(file);
        rules.terrain.weights = is_image.then(|| file.to_owned());
        Self { map: (!is_image).then(|| file.to_owned()), rules }
    }

    /// Loads the map with its weights and rules.
    pub(crate) fn load(&self) -> Result<Grid, Box<dyn Error>> {
        let grid = match self.rules.terrain.load(self.map.as_deref())? {
            Some(grid) => grid,
            None => world::built_in()?,
        };
        Ok(grid.with_rules(self.rules.rules()))
    }

    /// The map's file, unless it is built in or an image.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.map.as_deref()
    }

    /// The map's name in reports.
    pub(crate) fn name(&self) -> String {
        let file = self.map.as_ref().or(self.rules.terrain.weights.as_ref());
        let stem = file.and_then(|path| path.file_stem());
        stem.map_or_else(|| "built-in".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }
}

impl RuleOptions {
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
}

impl TerrainOptions {
    /// Loads a map with its weights, or the weights as a map; `None` if there are
    /// neither.
    pub(crate) fn load(&self, map: Option<&Path>) -> Result<Option<Grid>, Box<dyn Error>> {
        self.check_letters()?;
        let grid = match map {
            Some(path) if is_image_file(path) => {
                let file = path.display();
                return Err(format!("{file} is an image, not a MovingAI map; give it as --weights").into());
            }
            Some(path) if self.terrain.is_empty() => Some(movingai::load_map(path)?),
            Some(path) => Some(movingai::load_map_with(path, &self.terrain)?),
            None if self.terrain.is_empty() => None,
            None => return Err("--terrain gives weights to the letters of a map; name the map, too".into()),
        };
        let Some(file) = &self.weights else { return Ok(grid) };
        let weights = load_weights(file)?;
        Ok(Some(match grid {
            Some(grid) => weights.lay_over(&grid).map_err(|error| format!("{}: {error}", file.display()))?,
            None => weights.to_grid(),
        }))
    }

    /// Whether any is given.
    pub(crate) fn is_given(&self) -> bool {
        self.weights.is_some() || !self.terrain.is_empty()
    }

    /// Fails if a letter is given twice.
    fn check_letters(&self) -> Result<(), String> {
        let twice = (1..self.terrain.len()).find(|&later| {
            let (earlier, [(letter, _), ..]) = self.terrain.split_at(later) else { return false };
            earlier.iter().any(|(other, _)| other == letter)
        });
        match twice {
            Some(later) => {
                let letter = char::from(self.terrain[later].0);
                Err(format!("--terrain names the letter {letter} twice"))
            }
            None => Ok(()),
        }
    }
}

/// Whether a file starts like an image of weights; what cannot be read is found out
/// later.
pub(crate) fn is_image_file(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let _ = File::open(path).and_then(|file| file.take(8).read_to_end(&mut bytes));
    is_image(&bytes)
}

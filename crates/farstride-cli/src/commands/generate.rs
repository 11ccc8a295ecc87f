//! `farstride gen`: maps from a seed.

use crate::{Ending, output};
use clap::ValueEnum;
use farstride_testkit::{Kind, PlainMap, TerrainKind, generate, generate_terrain};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Generate a map; the same seed gives the same map everywhere.
#[derive(clap::Args)]
#[command(after_help = "\
A map of kind terrain has weights, written as a PGM image that --weights reads. -o land.pgm writes
only the image, which other commands take as a map; -o land.map writes a map and, beside it, land.pgm.
Without -o, the image is printed in decimal numbers.

Examples:
  farstride gen maze --size 256x256 --seed 1 --corridor 4 -o maze.map
  farstride gen random --size 512x512 --seed 2 --blocked 30 -o random.map
  farstride gen city --size 800x600 --seed 3 | head -20
  farstride gen terrain --kind fields --size 300x200 -o farm.map
  farstride render --map farm.map --weights farm.pgm -o farm.png")]
pub(crate) struct Args {
    /// Kind of map.
    #[arg(value_enum, value_name = "KIND")]
    kind: KindOption,

    /// Columns and rows.
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: (usize, usize),

    /// Seed of the random numbers.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// maze: width of the corridors in cells.
    #[arg(long, value_name = "CELLS")]
    corridor: Option<usize>,

    /// maze: thickness of the walls in cells.
    #[arg(long, value_name = "CELLS")]
    wall: Option<usize>,

    /// rooms: side of a room in cells.
    #[arg(long, value_name = "CELLS")]
    room: Option<usize>,

    /// random, caves, open: share of blocked cells.
    #[arg(long, value_name = "PERCENT")]
    blocked: Option<u32>,

    /// caves: rounds of smoothing.
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,

    /// city: side of a block of houses in cells.
    #[arg(long, value_name = "CELLS")]
    block: Option<usize>,

    /// city: width of the streets in cells.
    #[arg(long, value_name = "CELLS")]
    street: Option<usize>,

    /// terrain: what covers the ground [default: roads].
    #[arg(long = "kind", value_enum, value_name = "GROUND")]
    ground: Option<GroundOption>,

    /// File to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// terrain: file for the weights [default: named like the map, with .pgm].
    #[arg(long, value_name = "FILE", requires = "output")]
    weights_out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum KindOption {
    /// A perfect maze: exactly one path between any two places.
    Maze,
    /// Rooms with doors.
    Rooms,
    /// Cells blocked at random.
    Random,
    /// Caves smoothed by a cellular automaton.
    Caves,
    /// Blocks of houses, streets, squares and parks.
    City,
    /// A field with scattered obstacles.
    Open,
    /// A bit of everything: the built-in map.
    World,
    /// Ground of different weights; see --kind.
    Terrain,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum GroundOption {
    /// Grass (weight 1 and 2), forest (3 and 5), swamp (10), and lakes.
    Patches,
    /// The same without weight 1, and roads of weight 1 between towns.
    Roads,
    /// The same, with each weight off by up to one.
    Mixed,
    /// Each cell from 1 to 10 on its own.
    Noise,
    /// Fields of weight 2 to 6 with lanes of weight 1, hedges and ponds.
    Fields,
}

impl From<GroundOption> for TerrainKind {
    fn from(option: GroundOption) -> Self {
        match option {
            GroundOption::Patches => Self::Patches,
            GroundOption::Roads => Self::Roads,
            GroundOption::Mixed => Self::Mixed,
            GroundOption::Noise => Self::Noise,
            GroundOption::Fields => Self::Fields,
        }
    }
}

pub(crate) fn run(args: &Args) -> Ending {
    args.check()?;
    let (width, height) = args.size;
    let Some(kind) = args.plain_kind() else {
        let ground = args.ground.unwrap_or(GroundOption::Roads);
        let map = generate_terrain(ground.into(), width, height, args.seed)?;
        args.write_terrain(&map)?;
        return Ok(ExitCode::SUCCESS);
    };
    let map = generate(kind, width, height, args.seed)?.to_movingai();
    match &args.output {
        Some(path) => output::write_file(path, map.as_bytes())?,
        None => output::print(&map)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Writes a map with weights: an image, or a map and an image.
    fn write_terrain(&self, map: &PlainMap) -> Result<(), Box<dyn Error>> {
        let Some(path) = &self.output else { return output::print(&decimal(map)) };
        if has_ending(path, "png") {
            let file = path.display();
            return Err(format!("{file}: weights are written as PGM; end the name in .pgm or .map").into());
        }
        if has_ending(path, "pgm") && self.weights_out.is_none() {
            return output::write_file(path, &map.to_pgm());
        }
        let weights = self.weights_out.clone().unwrap_or_else(|| path.with_extension("pgm"));
        if weights == *path {
            return Err(format!("{}: map and weights need different files", path.display()).into());
        }
        output::write_file(&weights, &map.to_pgm())?;
        output::write_file(path, map.to_movingai().as_bytes())?;
        // Without its weights a map is one of even ground, and nobody would notice.
        let (map, weights) = (path.display(), weights.display());
        output::print(&format!(
            "wrote {map} and its weights, {weights}; give both: --map {map} --weights {weights}\n"
        ))
    }

    /// Fails if a parameter is given that the kind does not take.
    fn check(&self) -> Result<(), String> {
        use KindOption::{Caves, City, Maze, Open, Random, Rooms, Terrain};
        let given: [(&str, bool, &[KindOption]); 9] = [
            ("--corridor", self.corridor.is_some(), &[Maze]),
            ("--wall", self.wall.is_some(), &[Maze]),
            ("--room", self.room.is_some(), &[Rooms]),
            ("--blocked", self.blocked.is_some(), &[Random, Caves, Open]),
            ("--rounds", self.rounds.is_some(), &[Caves]),
            ("--block", self.block.is_some(), &[City]),
            ("--street", self.street.is_some(), &[City]),
            ("--kind", self.ground.is_some(), &[Terrain]),
            ("--weights-out", self.weights_out.is_some(), &[Terrain]),
        ];
        if let Some((option, ..)) =
            given.iter().find(|(_, is_given, takers)| *is_given && !takers.contains(&self.kind))
        {
            let name = format!("{:?}", self.kind).to_lowercase();
            return Err(format!("a map of kind {name} takes no {option}; see 'farstride gen --help'"));
        }
        Ok(())
    }

    /// The kind with its parameters; `None` if it has weights.
    fn plain_kind(&self) -> Option<Kind> {
        use KindOption::{Caves, City, Maze, Open, Random, Rooms, Terrain, World};
        Some(match self.kind {
            Maze => Kind::Maze { corridor: self.corridor.unwrap_or(1), wall: self.wall.unwrap_or(1) },
            Rooms => Kind::Rooms { size: self.room.unwrap_or(16) },
            Random => Kind::Random { blocked_percent: self.blocked.unwrap_or(25) },
            Caves => {
                Kind::Caves { blocked_percent: self.blocked.unwrap_or(45), rounds: self.rounds.unwrap_or(5) }
            }
            City => Kind::City { block: self.block.unwrap_or(14), street: self.street.unwrap_or(3) },
            Open => Kind::Open { blocked_percent: self.blocked.unwrap_or(10) },
            World => Kind::World,
            Terrain => return None,
        })
    }
}

fn has_ending(path: &Path, expected: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(expected))
}

/// The weights as a PGM in decimal numbers.
fn decimal(map: &PlainMap) -> String {
    let mut text = format!("P2\n{} {}\n255\n", map.width, map.height);
    for y in 0..map.height {
        for x in 0..map.width {
            let weight = if map.is_free_at((x, y)) { map.weight((x, y)) } else { 0 };
            // Writing to a string cannot fail.
            let _ = write!(text, "{weight} ");
        }
        text.pop();
        text.push('\n');
    }
    text
}

pub(crate) fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    sides.ok_or_else(|| "expected WxH with whole numbers, as in 640x480".to_owned())
}

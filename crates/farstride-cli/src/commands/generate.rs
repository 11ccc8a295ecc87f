//! `farstride gen`: maps from a seed.

use crate::{Ending, output};
use clap::ValueEnum;
use farstride_testkit::{Kind, generate};
use std::path::PathBuf;
use std::process::ExitCode;

/// Generate a map; the same seed gives the same map everywhere.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  farstride gen maze --size 256x256 --seed 1 --corridor 4 -o maze.map
  farstride gen random --size 512x512 --seed 2 --blocked 30 -o random.map
  farstride gen city --size 800x600 --seed 3 | head -20")]
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

    /// File to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
}

pub(crate) fn run(args: &Args) -> Ending {
    let kind = args.kind()?;
    let (width, height) = args.size;
    let map = generate(kind, width, height, args.seed)?.to_movingai();
    match &args.output {
        Some(path) => output::write_file(path, map.as_bytes())?,
        None => output::print(&map)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The kind with its parameters. Fails if one is given that it does not take.
    fn kind(&self) -> Result<Kind, String> {
        use KindOption::{Caves, City, Maze, Open, Random, Rooms, World};
        let given: [(&str, bool, &[KindOption]); 7] = [
            ("--corridor", self.corridor.is_some(), &[Maze]),
            ("--wall", self.wall.is_some(), &[Maze]),
            ("--room", self.room.is_some(), &[Rooms]),
            ("--blocked", self.blocked.is_some(), &[Random, Caves, Open]),
            ("--rounds", self.rounds.is_some(), &[Caves]),
            ("--block", self.block.is_some(), &[City]),
            ("--street", self.street.is_some(), &[City]),
        ];
        if let Some((option, ..)) =
            given.iter().find(|(_, is_given, takers)| *is_given && !takers.contains(&self.kind))
        {
            let name = format!("{:?}", self.kind).to_lowercase();
            return Err(format!("a map of kind {name} takes no {option}; see 'farstride gen --help'"));
        }
        Ok(match self.kind {
            Maze => Kind::Maze { corridor: self.corridor.unwrap_or(1), wall: self.wall.unwrap_or(1) },
            Rooms => Kind::Rooms { size: self.room.unwrap_or(16) },
            Random => Kind::Random { blocked_percent: self.blocked.unwrap_or(25) },
            Caves => {
                Kind::Caves { blocked_percent: self.blocked.unwrap_or(45), rounds: self.rounds.unwrap_or(5) }
            }
            City => Kind::City { block: self.block.unwrap_or(14), street: self.street.unwrap_or(3) },
            Open => Kind::Open { blocked_percent: self.blocked.unwrap_or(10) },
            World => Kind::World,
        })
    }
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    sides.ok_or_else(|| "expected WxH with whole numbers, as in 640x480".to_owned())
}

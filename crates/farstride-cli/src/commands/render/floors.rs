//! Worlds: floors side by side with their links, and what a large mover may enter.

use super::{Args, Layer, write_scene};
use crate::options::{EngineOption, MapOptions, parse_cell};
use crate::output;
use farstride::atlas::{
    Atlas, AtlasScratch, Floor, FloorId, Link, Mover, MoverId, Place, TileMap, TripOutcome,
};
use farstride_io::picture::{Colour, FloorsPicture};
use std::error::Error;
use std::path::PathBuf;

/// Floors, links, and who walks there.
#[derive(clap::Args)]
pub(super) struct FloorOptions {
    /// Floor of a world, a MovingAI map or an image of weights. May be given several times.
    ///
    /// Floors count from 0 and are drawn side by side.
    #[arg(long, value_name = "FILE", hide_short_help = true, conflicts_with_all = ["map", "weights", "from", "crop"])]
    floor: Vec<PathBuf>,

    /// Link between two places, each a floor and a cell, as in 0:3,4=1:3,4. May be given several times.
    ///
    /// It costs a straight step. With - instead of = it leads one way.
    #[arg(long, value_name = "F:X,Y=F:X,Y", hide_short_help = true, value_parser = Joined::parse)]
    link: Vec<Joined>,

    /// Trip to draw through floors and links, as in 0:3,4-2:9,1.
    #[arg(
        long,
        value_name = "F:X,Y-F:X,Y",
        hide_short_help = true,
        value_parser = Joined::parse,
        conflicts_with = "from"
    )]
    trip: Option<Joined>,

    /// Draw the map for a mover of this many cells square; shades what is too narrow for it.
    #[arg(long, value_name = "CELLS", hide_short_help = true, conflicts_with_all = ["from", "crop"])]
    size: Option<u16>,
}

/// Two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Joined {
    from: Place,
    to: Place,
    both_ways: bool,
}

impl Joined {
    fn parse(text: &str) -> Result<Self, String> {
        let halves = text.split_once('=').map(|halves| (halves, true));
        let halves = halves.or_else(|| text.split_once('-').map(|halves| (halves, false)));
        let expected = || "expected two floors and cells, as in 0:3,4=1:3,4 or 0:3,4-1:3,4".to_owned();
        let ((from, to), both_ways) = halves.ok_or_else(expected)?;
        let place = |text: &str| {
            let (floor, cell) = text.split_once(':')?;
            Some(Place { floor: FloorId::new(floor.trim().parse().ok()?), cell: parse_cell(cell).ok()? })
        };
        let (from, to) = place(from).zip(place(to)).ok_or_else(expected)?;
        Ok(Self { from, to, both_ways })
    }
}

impl FloorOptions {
    /// Whether a world is to be drawn and not a map.
    pub(super) fn is_given(&self) -> bool {
        !self.floor.is_empty() || self.size.is_some() || !self.link.is_empty() || self.trip.is_some()
    }
}

/// Draws a world; returns whether the trip was found, if there is one.
pub(super) fn draw(args: &Args) -> Result<bool, Box<dyn Error>> {
    let path = args.output.as_ref().ok_or("a world needs a picture; name one with -o")?;
    if args.show != [Layer::Path] {
        return Err("--show draws what engines build on one map; leave it out with --floor and --size".into());
    }
    let (atlas, mover) = world(args)?;
    let picture = FloorsPicture::new(&atlas, mover)?;
    let mut scene = picture.scene();
    let mut is_found = true;
    if let Some(Joined { from, to, .. }) = args.floors.trip {
        let mut scratch = AtlasScratch::new();
        let told = match atlas.find(mover, from, to, &mut scratch)? {
            TripOutcome::Found(trip) => {
                picture.draw_trip(&mut scene, &trip, Colour::path(0));
                let links = match trip.links().count() {
                    1 => "1 link".to_owned(),
                    count => format!("{count} links"),
                };
                let step = atlas.mover(mover)?.rules().diagonal_cost.straight();
                let length = trip.cost().units() as f64 / step.units() as f64;
                format!("trip: cost {length:.3}, {links}")
            }
            TripOutcome::AlreadyThere => "trip: already there".to_owned(),
            outcome => {
                is_found = false;
                format!("trip: {} from {from} to {to}", status(&outcome))
            }
        };
        if let (Some(start), Some(goal)) = (picture.cell(from), picture.cell(to)) {
            scene.start(start).goal(goal);
        }
        scene.legend(Colour::path(0), told.as_str());
        output::tell(&told);
    }
    write_scene(scene, args.scale, picture.area(), path)?;
    Ok(is_found)
}

const fn status(outcome: &TripOutcome<'_>) -> &'static str {
    match outcome {
        TripOutcome::StartBlocked => "start-blocked",
        TripOutcome::GoalBlocked => "goal-blocked",
        _ => "unreachable",
    }
}

/// The world, and a mover that pays the weights of cells.
fn world(args: &Args) -> Result<(Atlas, MoverId), Box<dyn Error>> {
    let FloorOptions { floor: files, link: links, size, .. } = &args.floors;
    let maps: Vec<MapOptions> = match &files[..] {
        [] => vec![args.map.clone()],
        files => files.iter().map(|file| args.map.of_file(file)).collect(),
    };
    let (mut tiles, mut rules) = (TileMap::new(), None);
    for map in maps {
        let grid = map.load()?;
        rules = Some(grid.rules());
        let class = |cell| if grid.is_free(cell) { grid.weight(cell) } else { 0 };
        let classes: Vec<u8> = grid.area().cells().map(class).collect();
        tiles.add_floor(Floor::new(grid.width(), grid.height(), classes)?)?;
    }
    let mut mover = (1..=255).fold(Mover::new(), |mover, weight| mover.entering(weight, weight));
    mover = mover.sized(size.unwrap_or(1)).moving_by(rules.unwrap_or_default());
    match &args.engine[..] {
        [EngineOption::Auto] => {}
        [EngineOption::Named(engine)] => mover = mover.with_engine(*engine),
        _ => return Err("a world is drawn for one engine; name one with --engine".into()),
    }
    let mut atlas = Atlas::new(tiles)?;
    let mover = atlas.add_mover(mover)?;
    for &Joined { from, to, both_ways } in links {
        let step = atlas.mover(mover)?.rules().diagonal_cost.straight();
        let link = Link::new(from, to, step);
        atlas.add_link(if both_ways { link } else { link.one_way() })?;
    }
    Ok((atlas, mover))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_a_floor_and_a_cell() {
        let place = |floor, cell: (u16, u16)| Place::new(FloorId::new(floor), cell);
        let stair = Joined { from: place(0, (3, 4)), to: place(12, (5, 6)), both_ways: true };
        assert_eq!(Joined::parse("0:3,4=12:5,6"), Ok(stair));
        assert_eq!(Joined::parse("0:3,4 - 12:5,6"), Ok(Joined { both_ways: false, ..stair }));
        for bad in ["", "0:3,4", "3,4=5,6", "0:3,4=1:3", "0:3,4==1:3,4", "-1:3,4=0:1,1", "70000:1,1=0:1,1"] {
            assert!(Joined::parse(bad).is_err(), "{bad}");
        }
    }
}

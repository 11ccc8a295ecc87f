//! A colony on several floors: dwarfs dig, and haul what they find to the store.
//!
//! Run with `cargo run -p farstride-io --example colony -- colony.svg`.

use farstride::atlas::{
    Atlas, AtlasScratch, Floor, FloorId, Link, Mover, MoverId, Place, TileMap, TripPlan, TripPlanned,
    TripStep,
};
use farstride::{Cell, Cost, Engine};
use farstride_io::picture::{Colour, FloorsPicture, Width};
use std::error::Error;

const FLOOR: u8 = b'.';
const ROCK: u8 = b'#';
const WIDTH: usize = 48;
const HEIGHT: usize = 28;
const FLOORS: usize = 4;

/// Halls in the rock, larger from floor to floor, with stairs in their corners.
fn mountain() -> Result<TileMap, Box<dyn Error>> {
    let mut tiles = TileMap::new();
    for floor in 0..FLOORS {
        let hall = 8 + 4 * floor;
        let is_hall =
            |at: usize| (4..4 + hall).contains(&(at % WIDTH)) && (4..4 + hall).contains(&(at / WIDTH));
        let classes: Vec<u8> = (0..WIDTH * HEIGHT).map(|at| if is_hall(at) { FLOOR } else { ROCK }).collect();
        tiles.add_floor(Floor::new(WIDTH, HEIGHT, classes)?)?;
    }
    let stair = Cost::new(2 * 4756)?; // as long as two straight steps
    for upper in 1..FLOORS as u16 {
        for cell in [(5, 5), (10, 10)] {
            let (from, to) = (FloorId::new(upper - 1), FloorId::new(upper));
            tiles.add_link(Link::new(Place::new(from, cell), Place::new(to, cell), stair))?;
        }
    }
    Ok(tiles)
}

/// What a dwarf is about.
struct Dwarf {
    place: Place,
    task: Option<(TripPlan, Job)>,
    trail: Vec<Place>,
}

#[derive(Clone, Copy)]
enum Job {
    /// Goes beside a cell of rock, to dig it.
    Dig(Place),
    Haul,
}

/// A plan to the first cell beside a place that can be reached.
fn beside(
    atlas: &Atlas,
    mover: MoverId,
    from: Place,
    rock: Place,
    scratch: &mut AtlasScratch,
) -> Result<Option<TripPlanned>, Box<dyn Error>> {
    for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let cell = rock.cell.x.checked_add_signed(right).zip(rock.cell.y.checked_add_signed(down));
        let Some(cell) = cell.filter(|&(x, y)| usize::from(x) < WIDTH && usize::from(y) < HEIGHT) else {
            continue;
        };
        let to = Place::new(rock.floor, cell);
        if atlas.can_reach(mover, from, to)? {
            return Ok(Some(atlas.plan(mover, from, to, scratch)?));
        }
    }
    Ok(None)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut atlas = Atlas::new(mountain()?)?;
    // `overlay` finds shortest paths and follows edits.
    let kind = Mover::new().entering(FLOOR, 1).with_engine(Engine::Overlay);
    let mover = atlas.add_mover(kind)?;
    let mut scratch = AtlasScratch::new();
    let store = Place::new(FloorId::new(0), (8, 8));
    let mut dwarfs: Vec<Dwarf> = (0..6)
        .map(|number| Place::new(FloorId::new(number % 4), (6 + number, 6)))
        .map(|place| Dwarf { place, task: None, trail: vec![place] })
        .collect();
    // A gallery on the lowest floor, a shaft room on the second; the nearest rock comes first.
    let lowest = FloorId::new(FLOORS as u16 - 1);
    let gallery = (24..44).map(|x| Place::new(lowest, (x, 12)));
    let room = (16..22).flat_map(|x| (6..10).map(move |y| Place::new(FloorId::new(1), (x, y))));
    let mut rock: Vec<Place> = gallery.chain(room).collect();
    rock.reverse();
    let (all, mut dug, mut hauled, mut ticks) = (rock.len(), 0, 0, 0);

    while hauled < all && ticks < 5000 {
        ticks += 1;
        for dwarf in &mut dwarfs {
            if dwarf.task.is_none() {
                // Take the first rock that can be reached; what cannot be yet waits.
                for at in (0..rock.len()).rev() {
                    if let Some(planned) = beside(&atlas, mover, dwarf.place, rock[at], &mut scratch)? {
                        let place = rock.remove(at);
                        match planned {
                            TripPlanned::Plan(plan) => dwarf.task = Some((plan, Job::Dig(place))),
                            _ => rock.push(place), // beside it already; the next tick finds another way
                        }
                        break;
                    }
                }
            }
            let Some((plan, job)) = &mut dwarf.task else { continue };
            match plan.step(&atlas, &mut scratch)? {
                TripStep::Walk(place) | TripStep::Link { to: place, .. } => {
                    dwarf.place = place;
                    dwarf.trail.push(place);
                }
                TripStep::Arrived => {
                    dwarf.task = match *job {
                        Job::Dig(place) => {
                            atlas.edit(|tiles| tiles.fill(place.floor, place.cell, FLOOR))?;
                            dug += 1;
                            match atlas.plan(mover, dwarf.place, store, &mut scratch)? {
                                TripPlanned::Plan(plan) => Some((plan, Job::Haul)),
                                other => return Err(format!("no way to the store: {other:?}").into()),
                            }
                        }
                        Job::Haul => {
                            hauled += 1;
                            None
                        }
                    };
                }
                other => return Err(format!("a dwarf is lost: {other:?}").into()),
            }
        }
    }
    println!("{dug} cells dug and {hauled} stones hauled by {} dwarfs in {ticks} ticks", dwarfs.len());
    assert_eq!((dug, hauled), (all, all));

    if let Some(file) = std::env::args().nth(1) {
        let picture = FloorsPicture::new(&atlas, mover)?;
        let mut scene = picture.scene();
        for (number, dwarf) in dwarfs.iter().enumerate().take(2) {
            for walk in dwarf.trail.chunk_by(|a, b| a.floor == b.floor) {
                let cells: Vec<Cell> = walk.iter().filter_map(|&place| picture.cell(place)).collect();
                scene.path(&cells, Colour::path(number), Width::EDGE.times(3.0));
            }
            scene.legend(Colour::path(number), format!("dwarf {}", number + 1));
        }
        farstride_io::file::write(file.as_ref(), scene.to_svg().as_bytes())?;
    }
    Ok(())
}

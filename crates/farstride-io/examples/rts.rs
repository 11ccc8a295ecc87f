//! The tick loop of a strategy game: groups get orders, buildings rise, units walk on.
//!
//! Run with `cargo run -p farstride-io --example rts -- rts.svg`.

use farstride::atlas::{Atlas, Floor, Mover, TileMap};
use farstride::{Cell, Plan, Planned, Rect, Scratch, Step};
use farstride_io::picture::{Colour, FloorsPicture, Shape, Width};
use std::error::Error;

const GRASS: u8 = b'.';
const SWAMP: u8 = b',';
const WATER: u8 = b'~';
const BUILDING: u8 = b'#';

/// A field with a swamp and a lake; a bridge leads over the middle of the lake.
fn land() -> Result<Floor, Box<dyn Error>> {
    let mut classes = vec![GRASS; 160 * 100];
    for y in 0..100_usize {
        for x in 0..160_usize {
            let lake = (60..100).contains(&x) && !(45..=55).contains(&y);
            let swamp = x.abs_diff(30) + y.abs_diff(60) < 22;
            classes[y * 160 + x] = if lake {
                WATER
            } else if swamp {
                SWAMP
            } else {
                GRASS
            };
        }
    }
    Ok(Floor::new(160, 100, classes)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut tiles = TileMap::new();
    let ground = tiles.add_floor(land()?)?;
    let mut atlas = Atlas::new(tiles)?;
    let soldier = atlas.add_mover(Mover::new().entering(GRASS, 1).entering(SWAMP, 4))?;
    let tank = atlas.add_mover(Mover::new().entering(GRASS, 1).sized(3))?;

    // Orders: one search from the goal serves a whole group.
    let square = |x: u16, y: u16| {
        (0..12).flat_map(move |row| (0..12).map(move |at| Cell::new(x + at * 2, y + row * 2)))
    };
    let threads = std::thread::available_parallelism()?.get();
    let mut plans: Vec<_> = Vec::new();
    for (mover, corner, goal) in [(soldier, (4, 4), (150, 90)), (tank, (4, 70), (150, 10))] {
        let starts: Vec<Cell> = square(corner.0, corner.1).collect();
        let planned = atlas.planner(mover, ground)?.plan_group(&starts, Cell::from(goal), threads)?;
        plans.extend(planned.into_iter().filter_map(|planned| match planned {
            Planned::Plan(plan) => Some((mover, plan)),
            _ => None, // the unit stands where it cannot go anywhere
        }));
    }
    println!("{} units have plans", plans.len());

    let mut scratch = Scratch::new();
    let mut trails: Vec<Vec<Cell>> = plans.iter().map(|(_, plan)| vec![plan.position()]).collect();
    let (mut arrived, mut tick) = (0, 0);
    while arrived < plans.len() && tick < 1000 {
        // All buildings of a tick in one edit: indexes are repaired once.
        if tick % 3 == 2 && tick < 20 {
            let (here, there) = (Cell::new(48, 3 + tick * 2), Cell::new(104 + tick * 2, 40 + tick));
            atlas.edit(|tiles| {
                tiles.fill(ground, Rect::spanning(here, Cell::new(here.x + 2, here.y + 2)), BUILDING)?;
                tiles.fill(ground, Rect::spanning(there, Cell::new(there.x + 2, there.y + 9)), BUILDING)
            })?;
        }
        arrived = 0;
        for ((mover, plan), trail) in plans.iter_mut().zip(&mut trails) {
            // Plans look only at buildings that may stand in their way.
            match plan.step(atlas.planner(*mover, ground)?, &mut scratch)? {
                Step::To(cell) => trail.push(cell),
                _ => arrived += 1, // there, or walled in
            }
        }
        tick += 1;
    }
    let there = plans.iter().filter(|(_, plan)| plan.position() == plan.goal()).count();
    let replans: u32 = plans.iter().map(|(_, plan): &(_, Plan)| plan.replans()).sum();
    println!("{there} of {} units arrived after {tick} ticks; {replans} new routes", plans.len());
    assert_eq!(there, plans.len());

    if let Some(file) = std::env::args().nth(1) {
        let picture = FloorsPicture::new(&atlas, tank)?;
        let mut scene = picture.scene();
        let is_swamp =
            |cell: &Cell| atlas.tiles().floor(ground).and_then(|floor| floor.class(*cell)) == Some(SWAMP);
        let swamp = Colour::HEAVIEST;
        scene.fill(picture.area().cells().filter(is_swamp), swamp).legend(swamp, "swamp, for soldiers only");
        for (number, ((mover, _), trail)) in plans.iter().zip(&trails).enumerate() {
            if number % 12 == 0 {
                let colour = Colour::path(usize::from(*mover == tank));
                scene.path(trail, colour, Width::EDGE.times(3.0)).dots(
                    [trail[0]],
                    colour,
                    Width::NODE,
                    Shape::Disc,
                );
            }
        }
        scene.legend(Colour::path(0), "soldiers").legend(Colour::path(1), "tanks");
        farstride_io::file::write(file.as_ref(), scene.to_svg().as_bytes())?;
    }
    Ok(())
}

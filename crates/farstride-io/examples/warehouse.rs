//! A round robot in a warehouse: a map as ROS has it, metres in and metres out.
//!
//! Run with `cargo run -p farstride-io --example warehouse -- warehouse.svg`.

use farstride::atlas::{Atlas, AtlasScratch, Mover, Place, TileMap};
use farstride::{Cell, Engine, Rect};
use farstride_io::picture::{Colour, FloorsPicture};
use farstride_io::worlds::RosMap;
use std::error::Error;

/// The radius of the robot in metres.
const RADIUS: f64 = 0.3;

/// A hall of 24 × 16 metres with rows of shelves, ten cells a metre, as a PGM.
fn image() -> Vec<u8> {
    let (width, height) = (240, 160);
    let mut image = format!("P5\n{width} {height}\n255\n").into_bytes();
    for y in 0..height {
        for x in 0..width {
            let wall = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
            let shelf =
                (20..220).contains(&x) && (20..140).contains(&y) && y % 20 < 10 && !(110..124).contains(&x);
            image.push(if wall || shelf { 0 } else { 254 });
        }
    }
    image
}

fn main() -> Result<(), Box<dyn Error>> {
    // `RosMap::load` reads such a pair from files.
    let yaml = "image: hall.pgm\nresolution: 0.1\norigin: [-12.0, -8.0, 0.0]\nnegate: 0\n\
                occupied_thresh: 0.65\nfree_thresh: 0.25\n";
    let map = RosMap::read(yaml, &image())?;
    let mut tiles = TileMap::new();
    let hall = tiles.add_floor(map.inflated(RADIUS))?;
    let mut atlas = Atlas::new(tiles)?;
    let robot = atlas.add_mover(Mover::new().entering(RosMap::FREE, 1).with_engine(Engine::Overlay))?;
    let place = |(x, y): (f64, f64)| {
        let cell = map.cell_at(x, y).ok_or_else(|| format!("{x}, {y} is off the map"))?;
        Ok::<_, String>(Place::new(hall, cell))
    };

    let dock = place((-11.0, -7.0))?;
    let picks = [(-5.0, 1.5), (9.0, 5.5), (10.5, -4.5), (-3.0, 3.6)];
    let mut scratch = AtlasScratch::new();
    let (mut here, mut metres, mut walks) = (dock, 0.0, Vec::new());
    for (number, &pick) in picks.iter().enumerate() {
        if number == 2 {
            // A pallet falls into the aisle in the middle; it is as wide as the aisle.
            let pallet = Rect::spanning(Cell::new(108, 60), Cell::new(126, 66));
            atlas.edit(|tiles| tiles.fill(hall, pallet, RosMap::OCCUPIED))?;
        }
        // A pick inside a shelf stands for the nearest cell that the robot can reach.
        let (_, goal) = atlas.substitute(robot, here, place(pick)?)?.ok_or("the robot is walled in")?;
        let outcome = atlas.find(robot, here, goal, &mut scratch)?;
        let trip = outcome.trip().ok_or("there is no way to a pick")?;
        let length = trip.cost().units() as f64 / 4756.0 * map.resolution();
        let (x, y) = map.position(goal.cell);
        println!("pick {number}: {length:.1} m to {x:.2}, {y:.2}");
        metres += length;
        walks.push(
            trip.stages()
                .filter_map(|stage| match stage {
                    farstride::atlas::Stage::Walk { cells, .. } => Some(cells.to_vec()),
                    _ => None,
                })
                .collect::<Vec<_>>()
                .concat(),
        );
        here = goal;
    }
    println!("{metres:.1} m in all");
    assert!(metres > 40.0 && metres < 120.0);

    if let Some(file) = std::env::args().nth(1) {
        let picture = FloorsPicture::new(&atlas, robot)?;
        let mut scene = picture.scene();
        for (number, cells) in walks.iter().enumerate() {
            scene.route(cells, Colour::path(number)).legend(Colour::path(number), format!("pick {number}"));
        }
        farstride_io::file::write(file.as_ref(), scene.to_svg().as_bytes())?;
    }
    Ok(())
}

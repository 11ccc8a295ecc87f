//! Draws one generated map of each kind, two rows of cells to a line of text.
//!
//! `cargo run -p farstride-testkit --example draw -- [KIND] [WIDTH] [HEIGHT] [SEED]`

use std::time::Instant;

use farstride_testkit::{Kind, PlainMap, generate};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let wanted = arguments.next().unwrap_or_default();
    let mut number = |otherwise| match arguments.next() {
        Some(text) => text.parse().expect("sizes and seeds are numbers"),
        None => otherwise,
    };
    let (width, height, seed) = (number(150), number(84), number(1));
    for kind in Kind::SAMPLES.into_iter().filter(|kind| kind.name().contains(&wanted)) {
        let begin = Instant::now();
        match generate(kind, width, height, seed as u64) {
            Ok(map) => show(kind, &map, begin),
            Err(error) => eprintln!("{error}"),
        }
    }
}

/// Prints the map if it fits a terminal, and how long it took in any case.
fn show(kind: Kind, map: &PlainMap, begin: Instant) {
    let taken = begin.elapsed();
    let free = map.free.iter().filter(|&&free| free).count() * 100 / map.free.len();
    println!("{kind:?} {}x{}: {free}% free, {taken:.2?}", map.width, map.height);
    if map.width > 400 {
        return;
    }
    for y in (0..map.height as isize).step_by(2) {
        let cell = |x: isize| match (map.is_free(x, y), map.is_free(x, y + 1)) {
            (true, true) => ' ',
            (true, false) => '▄',
            (false, true) => '▀',
            (false, false) => '█',
        };
        println!("{}", (0..map.width as isize).map(cell).collect::<String>());
    }
}

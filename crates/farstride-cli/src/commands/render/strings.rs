//! Pictures of the engine `straight`: corners, taut links, ports, the label of a cell.

use farstride::internal::{CornerPorts, StringLabel, Strings};
use farstride::straight::{StraightIndex, StraightRule};
use farstride::{Cell, Grid, Point};
use farstride_io::picture::{Colour, Scene, Shape, Width};
use std::collections::BTreeSet;

const CORNER: Colour = Colour::path(0);
const LINK: Colour = Colour::path(4);
const VIA: Colour = Colour::path(2);
const HUB: Colour = Colour::path(1);
const SIDES: [Colour; 2] = [Colour::path(1), Colour::path(2)];

/// More links than this are drawn paler.
const MANY: usize = 20_000;

/// Draws all corners and the taut links between them.
pub(super) fn all(grid: &Grid, rule: StraightRule, scene: &mut Scene<'_>) -> String {
    let Strings { corners, links } = Strings::new(grid, rule);
    let alpha = if links.len() > MANY { 40 } else { 120 };
    let told = format!("{} corners, {} taut links", corners.len(), links.len());
    scene
        .pale()
        .lines(links, LINK.with_alpha(alpha), Width::cells(0.08).at_least(0.8))
        .dots(corners, CORNER, Width::cells(0.16).at_least(1.4), Shape::Disc)
        .legend(CORNER, "corners of obstacles")
        .legend(LINK, "taut links: a path can bend at both ends");
    told
}

/// Draws the ports of the corners of a blocked cell: what each side of a corner is linked to.
pub(super) fn ports(grid: &Grid, rule: StraightRule, cell: Cell, scene: &mut Scene<'_>) -> String {
    let ports = CornerPorts::of_blocked(grid, rule, cell);
    scene.pale();
    for CornerPorts { corner, links } in &ports {
        for (links, colour) in links.iter().zip(SIDES) {
            let lines = links.iter().map(|&to| (*corner, to));
            scene.lines(lines, colour, Width::cells(0.12).at_least(1.4));
            let ends = links.iter().copied();
            scene.dots(ends, colour, Width::cells(0.2).at_least(2.0), Shape::Disc);
        }
        scene.dots([*corner], CORNER, Width::cells(0.3).at_least(2.6), Shape::Disc);
    }
    scene
        .legend(CORNER, format!("corners of the cell {cell}"))
        .legend(SIDES[0], "links of one port")
        .legend(SIDES[1], "links of the other: a path that comes by one colour goes on by the other");
    let counts: Vec<String> =
        ports.iter().map(|ports| format!("{} + {}", ports.links[0].len(), ports.links[1].len())).collect();
    match &counts[..] {
        [] => format!("no path bends around {cell}: it has no corner"),
        counts => format!("corners of {cell}: {}; links of their ports: {}", counts.len(), counts.join(", ")),
    }
}

/// Draws the label of a free cell: the corners where its paths bend first, and hubs beyond.
pub(super) fn label(index: &StraightIndex, cell: Cell, scene: &mut Scene<'_>) -> String {
    let Some(StringLabel { vias, hubs }) = index.label(cell) else {
        return format!("{cell} has no label: {}", index.kind());
    };
    let beyond: BTreeSet<Point> = hubs.iter().map(|&(hub, _)| hub).collect();
    let lines: BTreeSet<(Point, Point)> = hubs.iter().map(|&(hub, via)| (via, hub)).collect();
    scene
        .pale()
        .lines(lines, HUB.with_alpha(70), Width::cells(0.08).at_least(0.8))
        .lines(vias.iter().map(|&via| (Point::centre(cell), via)), VIA, Width::cells(0.12).at_least(1.4))
        .dots(beyond.iter().copied(), HUB, Width::cells(0.26).at_least(2.4), Shape::Disc)
        .dots(vias.iter().copied(), VIA, Width::cells(0.22).at_least(2.2), Shape::Disc)
        .legend(Colour::START, format!("the cell {cell}"))
        .legend(VIA, "corners where its paths bend first, hubs themselves")
        .legend(HUB, "hubs beyond, joined to those corners")
        .start(cell);
    format!("{cell} has {} vias and {} hubs beyond them", vias.len(), beyond.len())
}

//! How the engine overlay sees a map: lines, blocks, arcs and landmarks.

use farstride::overlay::Overlay;
use farstride_io::picture::{Colour, Scene, Shape, Width};

const LINE: Colour = Colour::WALL;
const LANDMARK: Colour = Colour::path(0);

/// The blocks, whose borders lie on the lines, and the landmarks.
pub(super) fn blocks(overlay: &Overlay, scene: &mut Scene<'_>) {
    scene
        .outline(overlay.blocks(), LINE, Width::BORDER)
        .dots(overlay.landmark_cells(), LANDMARK, Width::cells(1.2).at_least(4.0), Shape::Disc)
        .legend(LINE, "blocks, which share the cells along their borders")
        .legend(LANDMARK, "landmarks");
}

/// The arcs that are kept.
pub(super) fn arcs(overlay: &Overlay, scene: &mut Scene<'_>) {
    let mut lines = Vec::new();
    overlay.for_each_arc(|from, to, _| lines.push((from, to)));
    scene
        .lines(lines, Colour::level(0).with_alpha(90), Width::EDGE)
        .legend(Colour::level(0), "arcs between cells of lines");
}

//! The legend below a map, laid out once for every kind of picture.

use super::Colour;
use super::frame::Frame;

/// Height of the letters, and of the lines, in pixels.
pub(super) const FONT: f32 = 15.0;
pub(super) const LEADING: f32 = 24.0;
/// Mean width of a letter, as a share of its height: an estimate that sits on
/// the safe side of the usual fonts.
pub(super) const LETTER: f32 = 0.6;
/// From a swatch to its text, and from a text to the next swatch, in pixels.
pub(super) const TEXT_INDENT: f32 = 22.0;
const GAP: f32 = 22.0;

/// The legend, laid out in lines as long as the map is wide; in pixels.
pub(super) struct Legend<'s> {
    pub(super) entries: Vec<Entry<'s>>,
    pub(super) width: f32,
    pub(super) lines: usize,
}

/// A swatch and its text, with the upper left corner of both.
pub(super) struct Entry<'s> {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) colour: Colour,
    pub(super) text: &'s str,
}

impl<'s> Legend<'s> {
    pub(super) fn arrange(legend: &'s [(Colour, String)], frame: &Frame) -> Self {
        let room = frame.width as f32 / frame.unit;
        let mut all = Self { entries: Vec::new(), width: 0.0, lines: usize::from(!legend.is_empty()) };
        let mut x = 0.0;
        for (colour, text) in legend {
            let width = TEXT_INDENT + text.chars().count() as f32 * FONT * LETTER;
            if x > 0.0 && x + width > room {
                x = 0.0;
                all.lines += 1;
            }
            all.entries.push(Entry { x, y: (all.lines - 1) as f32 * LEADING, colour: *colour, text });
            all.width = all.width.max(x + width);
            x += width + GAP;
        }
        all
    }

    pub(super) fn height(&self) -> f32 {
        self.lines as f32 * LEADING
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scene;
    use super::*;
    use farstride::Grid;

    #[test]
    fn a_legend_wraps_and_makes_room_for_itself() {
        let grid = Grid::empty(100, 10).unwrap();
        let mut scene = Scene::new(&grid);
        let bare = scene.frame();
        for number in 0..30 {
            scene.legend(Colour::path(number), format!("engine number {number}"));
        }
        let legend = Legend::arrange(&scene.legend, &bare);
        assert!(legend.lines > 3 && legend.lines < 10, "{}", legend.lines);
        assert!(legend.width <= bare.width as f32);
        let narrow = Grid::empty(1, 1).unwrap();
        let legend = Legend::arrange(&scene.legend, &Scene::new(&narrow).frame());
        assert_eq!(legend.lines, 30);
    }
}

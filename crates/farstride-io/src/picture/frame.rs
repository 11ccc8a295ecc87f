//! How large everything is.

/// Pixels that the longer side of a map takes, roughly, if cells allow it.
const USUAL_SIDE: u32 = 1200;
/// Most pixels per cell, unless asked for: larger cells show nothing more.
const MAX_SCALE: u32 = 24;
/// Most pixels that a side of the map may take: 64 MiB of memory, twice while
/// the file is written.
pub(super) const MAX_SIDE: u32 = 4096;
/// Pixels per cell from which on lines have their full width.
const FULL_LINES: f32 = 4.0;
/// Paper around the map, wide enough for marks at its edge.
const MARGIN: f32 = 12.0;

/// How wide a line is, or how far a dot reaches from its centre: some cells,
/// but no less than some pixels.
///
/// The pixels are those of a picture of the usual size; pictures of more than
/// 1200 pixels a side scale them up, since they are looked at from farther
/// away. Where cells are smaller than four pixels, lines get thinner, down to
/// half: on a large map there is more to see beside them. Widths that are negative or no number draw nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Width {
    cells: f32,
    pixels: f32,
}

impl Width {
    /// Of a path.
    pub const PATH: Self = Self::cells(0.36).at_least(3.2);
    /// Of the edge of a graph.
    pub const EDGE: Self = Self::cells(0.09).at_least(0.9);
    /// Of the border of a cluster.
    pub const BORDER: Self = Self::cells(0.1).at_least(1.0);
    /// Radius of a node.
    pub const NODE: Self = Self::cells(0.22).at_least(1.6);
    /// Radius of the marks at start and goal.
    pub const MARK: Self = Self::cells(0.4).at_least(7.5);

    /// A width that grows with the cells.
    pub const fn cells(cells: f32) -> Self {
        Self { cells, pixels: 0.0 }
    }

    /// A width that does not depend on the size of a cell.
    pub const fn pixels(pixels: f32) -> Self {
        Self { cells: 0.0, pixels }
    }

    /// The same width, but no less than this.
    #[must_use]
    pub const fn at_least(self, pixels: f32) -> Self {
        Self { pixels, ..self }
    }

    /// As many times as wide.
    #[must_use]
    pub const fn times(self, factor: f32) -> Self {
        Self { cells: self.cells * factor, pixels: self.pixels * factor }
    }
}

/// Whether a cell is one or more pixels, or a pixel several cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scale {
    /// Pixels per cell.
    Up(u32),
    /// Cells per pixel, both ways.
    Down(u32),
}

/// Measures of a picture in pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Frame {
    pub(super) scale: Scale,
    /// Size of the map.
    pub(super) width: u32,
    pub(super) height: u32,
    /// Paper on each side of the map.
    pub(super) margin: u32,
    /// What a pixel of a [`Width`] is here.
    pub(super) unit: f32,
}

impl Frame {
    /// Measures for a map of `columns` x `rows` cells.
    pub(super) fn new(columns: usize, rows: usize, scale: Option<u16>) -> Self {
        let (columns, rows) = (columns as u32, rows as u32);
        let longer = columns.max(rows);
        let scale = match scale {
            Some(pixels) => Scale::Up(u32::from(pixels).max(1)),
            None if longer > MAX_SIDE => Scale::Down(longer.div_ceil(MAX_SIDE)),
            None => Scale::Up(((USUAL_SIDE + longer / 2) / longer).clamp(1, MAX_SCALE)),
        };
        let side = |cells: u32| match scale {
            Scale::Up(pixels) => cells * pixels,
            Scale::Down(cells_per_pixel) => cells.div_ceil(cells_per_pixel),
        };
        let unit = (side(longer) as f32 / USUAL_SIDE as f32).max(1.0);
        Self { scale, width: side(columns), height: side(rows), margin: (MARGIN * unit).round() as u32, unit }
    }

    /// Pixels per cell.
    pub(super) fn per_cell(&self) -> f32 {
        match self.scale {
            Scale::Up(pixels) => pixels as f32,
            Scale::Down(cells) => 1.0 / cells as f32,
        }
    }

    /// A width in pixels, or `None` if there is nothing to be seen of it.
    pub(super) fn pixels(&self, width: Width) -> Option<f32> {
        let pixels = (width.cells * self.per_cell()).max(width.pixels * self.pen());
        let longest = self.width.max(self.height) as f32;
        (pixels > 0.0).then_some(pixels.min(longest))
    }

    /// What a pixel of a line is here.
    fn pen(&self) -> f32 {
        self.unit * (self.per_cell() / FULL_LINES).clamp(0.5, 1.0)
    }

    /// How far the white rim of paths and marks reaches, in pixels.
    pub(super) fn rim(&self) -> f32 {
        (self.per_cell() * 0.08).max(self.pen())
    }

    /// How far walls throw their shadow, in whole pixels; none if cells are
    /// too small for it.
    pub(super) fn shadow(&self) -> Option<u32> {
        match self.scale {
            Scale::Up(pixels @ 4..) => Some((pixels / 6).max(1)),
            _ => None,
        }
    }

    /// Whether cells are large enough for lines between them.
    pub(super) fn has_lines(&self) -> bool {
        matches!(self.scale, Scale::Up(10..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(columns: usize, rows: usize) -> Scale {
        Frame::new(columns, rows, None).scale
    }

    #[test]
    fn the_longer_side_takes_about_1200_pixels() {
        assert_eq!(scale(1, 1), Scale::Up(24));
        assert_eq!(scale(50, 20), Scale::Up(24));
        assert_eq!(scale(20, 100), Scale::Up(12));
        assert_eq!(scale(512, 512), Scale::Up(2));
        assert_eq!(scale(2000, 10), Scale::Up(1));
        assert_eq!(scale(4096, 10), Scale::Up(1));
        assert_eq!(scale(10, 4097), Scale::Down(2));
        assert_eq!(scale(10_000, 10_000), Scale::Down(3));
        assert_eq!(Frame::new(10, 20, Some(0)).scale, Frame::new(10, 20, Some(1)).scale);
    }

    #[test]
    fn no_picture_of_its_own_choice_is_too_large() {
        for side in 1..=10_000 {
            let frame = Frame::new(side, side, None);
            assert!(frame.width <= MAX_SIDE, "{side}");
        }
        assert_eq!(Frame::new(10_000, 1, None).height, 1);
    }

    #[test]
    fn a_thin_line_is_still_seen_on_a_large_map() {
        let small = Frame::new(50, 50, None);
        assert_eq!(small.pixels(Width::cells(0.5)), Some(12.0));
        assert_eq!(small.pixels(Width::pixels(3.0)), Some(3.0));
        assert_eq!(small.pixels(Width::pixels(3.0).times(2.0)), Some(6.0));
        let large = Frame::new(10_000, 10_000, None);
        let path = large.pixels(Width::PATH).unwrap();
        assert!(path > 4.0, "{path}");
        // As wide as five cells would hide what is beneath.
        let middling = Frame::new(1024, 1024, None).pixels(Width::PATH).unwrap();
        assert!((1.5..2.0).contains(&middling), "{middling}");
    }

    #[test]
    fn senseless_widths_draw_nothing() {
        let frame = Frame::new(50, 50, None);
        for width in [f32::NAN, -1.0, 0.0, f32::NEG_INFINITY] {
            assert_eq!(frame.pixels(Width::cells(width)), None);
            assert_eq!(frame.pixels(Width::pixels(width)), None);
        }
        let endless = frame.pixels(Width::cells(f32::INFINITY));
        assert_eq!(endless, Some(1200.0));
    }

    #[test]
    fn the_greatest_scale_does_not_overflow() {
        let frame = Frame::new(10_000, 10_000, Some(u16::MAX));
        assert_eq!(frame.width, 655_350_000);
        assert!(frame.width.checked_add(2 * frame.margin).is_some());
    }
}

//! The sheet that both charts are drawn on, with title, legend and axes; in
//! pixels.

use super::axis::{Axis, Scale, Tick};
use crate::svg::legend::{Entry, Legend, Placed, SWATCH, SWATCH_GAP};
use crate::svg::text::{BOLD, FONT, HALF_HEIGHT, LEADING, TITLE_FONT, TITLE_LEADING, fitted, widest};
use crate::svg::{Escaped, Paint, Shape, Short};
use farstride_io::picture::Colour;
use std::fmt::{self, Write};

const WIDTH: f64 = 900.0;
/// With a legend of one line at most.
const HEIGHT: f64 = 560.0;
/// Paper on every side.
const MARGIN: f64 = 18.0;
/// Heights of letters at the ticks, and of their lines.
pub(super) const TICK_FONT: f64 = 13.0;
pub(super) const TICK_LEADING: f64 = 19.0;
/// From an axis to its labels, and the least between two labels.
const LABEL_GAP: f64 = 7.0;
const BETWEEN_LABELS: f64 = 10.0;
/// From the end of a logarithmic axis, which is no natural border, to its first
/// value: enough for a mark.
const INSET: f64 = 14.0;
/// Side of a sample in the legend that is a block.
const BLOCK: f64 = 14.0;

/// Of lines and their marks.
const STROKE: f64 = 2.2;
pub(super) const MARK: f64 = 7.5;
const HOLE: f64 = 4.0;
const DASHES: &str = " stroke-dasharray=\"7 5\"";

const GRID: Colour = Colour::rgb(0xdd, 0xe1, 0xe7);
const FAINT_GRID: Colour = Colour::rgb(0xf0, 0xf2, 0xf5);
const INK: Colour = Colour::WALL;

/// What is written around the plot.
pub(super) struct Texts<'s> {
    pub(super) title: &'s str,
    pub(super) x_label: &'s str,
    pub(super) y_label: &'s str,
    pub(super) legend: Vec<Entry<'s, Sample>>,
}

#[derive(Clone, Copy)]
pub(super) enum Sample {
    Line(Pen),
    Block(Colour),
}

/// How a line and its marks are drawn.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) colour: Colour,
    pub(super) has_line: bool,
    pub(super) dashed: bool,
    pub(super) marked: bool,
    /// Width of a mark.
    pub(super) mark: f64,
}

/// A chart in the making, with the place of its plot.
pub(super) struct Sheet {
    text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Sheet {
    /// Draws what stands around the plot.
    ///
    /// What is written along the x axis may reach beyond both its ends by
    /// `overhang`, and takes `tick_room` below it, which may depend on its length.
    pub(super) fn open(texts: &Texts, y: &Axis, overhang: f64, tick_room: impl FnOnce(f64) -> f64) -> Self {
        let legend = Legend::arrange(&texts.legend, WIDTH - 2.0 * MARGIN);
        let height = HEIGHT + legend.lines.saturating_sub(1) as f64 * LEADING;
        let room = |text: &str, leading| if text.is_empty() { 0.0 } else { leading };
        let y_labels = widest(y.labels(), TICK_FONT) + LABEL_GAP;
        let left = (MARGIN + room(texts.y_label, LEADING) + y_labels).max(overhang);
        let right = WIDTH - MARGIN.max(overhang);
        let legend_top = MARGIN + room(texts.title, TITLE_LEADING);
        let top = legend_top + legend.lines as f64 * LEADING + LABEL_GAP;
        let bottom = height - MARGIN - room(texts.x_label, LEADING) - tick_room(right - left);
        let mut sheet = Self { text: String::new(), left, right, top, bottom };
        sheet.begin(texts.title, height);
        sheet.around(texts, height);
        sheet.legend(&legend, legend_top);
        sheet
    }

    pub(super) fn close(mut self) -> String {
        self.put(format_args!("</svg>\n"));
        self.text
    }

    /// Pixels between the ends of the x axis.
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn left(&self) -> f64 {
        self.left
    }

    pub(super) fn bottom(&self) -> f64 {
        self.bottom
    }

    fn put(&mut self, markup: fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(markup);
    }

    fn begin(&mut self, title: &str, height: f64) {
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\"{}>\n",
            Paint("fill", INK)
        ));
        if !title.is_empty() {
            self.put(format_args!("<title>{}</title>\n", Escaped(title)));
        }
        let paper = Paint("fill", Colour::PAPER);
        self.put(format_args!("<rect width=\"{WIDTH}\" height=\"{height}\"{paper}/>\n"));
    }

    /// The title and the names of the axes.
    fn around(&mut self, texts: &Texts, height: f64) {
        let title = fitted(texts.title, TITLE_FONT * BOLD, WIDTH - 2.0 * MARGIN);
        self.text(WIDTH / 2.0, MARGIN + TITLE_FONT, &title, "middle", TITLE_FONT, " font-weight=\"600\"");
        let x_label = fitted(texts.x_label, FONT, self.width());
        let middle = f64::midpoint(self.left, self.right);
        self.text(middle, height - MARGIN, &x_label, "middle", FONT, "");
        let y_label = fitted(texts.y_label, FONT, self.bottom - self.top);
        // Turned by a quarter, x runs up and y to the right.
        let middle = -f64::midpoint(self.top, self.bottom);
        self.text(middle, MARGIN + FONT * 0.8, &y_label, "middle", FONT, " transform=\"rotate(-90)\"");
    }

    fn legend(&mut self, legend: &Legend<Sample>, top: f64) {
        let start = (WIDTH - legend.width) / 2.0;
        for Placed { x, line, sample, name } in &legend.entries {
            let (x, middle) = (start + x, top + (*line as f64 + 0.5) * LEADING);
            self.sample(*sample, x, middle);
            self.text(x + SWATCH + SWATCH_GAP, middle + FONT * HALF_HEIGHT, name, "start", FONT, "");
        }
    }

    fn sample(&mut self, sample: Sample, x: f64, middle: f64) {
        match sample {
            Sample::Line(pen) => {
                let (mut line, mut mark) = (Shape::default(), Shape::default());
                line.line((x, middle), (x + SWATCH, middle));
                self.line(&line, pen);
                if pen.marked {
                    mark.dot(x + SWATCH / 2.0, middle);
                }
                self.marks(&mark, Pen { mark: MARK, ..pen });
            }
            Sample::Block(colour) => {
                let mut block = Shape::default();
                block.block(x + SWATCH - BLOCK, BLOCK, middle + BLOCK / 2.0, middle - BLOCK / 2.0);
                self.area(&block, colour);
            }
        }
    }

    /// Lines across the plot at the ticks of the y axis, and their labels.
    pub(super) fn y_axis(&mut self, y: &Axis) {
        let (left, right) = (self.left, self.right);
        let spots = spots(y, |value| self.y(y, value));
        self.grid(&spots, |spot| [(left, spot), (right, spot)]);
        for (spot, label) in apart(&spots, TICK_FONT, 2.0) {
            self.text(left - LABEL_GAP, spot + TICK_FONT * HALF_HEIGHT, label, "end", TICK_FONT, "");
        }
    }

    /// The same for the x axis.
    pub(super) fn x_axis(&mut self, x: &Axis) {
        let (top, bottom) = (self.top, self.bottom);
        let spots = spots(x, |value| self.x(x, value));
        self.grid(&spots, |spot| [(spot, top), (spot, bottom)]);
        for (spot, label) in apart(&spots, widest(x.labels(), TICK_FONT), BETWEEN_LABELS) {
            self.text(spot, bottom + TICK_LEADING, label, "middle", TICK_FONT, "");
        }
    }

    /// The lines at the left and at the bottom, above the grid.
    pub(super) fn border(&mut self) {
        let mut corner = Shape::default();
        corner.line((self.left, self.top), (self.left, self.bottom));
        corner.on(self.right, self.bottom);
        self.stroke(&corner, INK, 1.2, "");
    }

    fn grid(&mut self, spots: &[(f64, &Tick)], ends: impl Fn(f64) -> [(f64, f64); 2]) {
        for (labelled, colour) in [(false, FAINT_GRID), (true, GRID)] {
            let mut lines = Shape::default();
            for &(spot, _) in spots.iter().filter(|(_, tick)| tick.label.is_some() == labelled) {
                let [from, to] = ends(spot);
                lines.line(from, to);
            }
            self.stroke(&lines, colour, 1.0, "");
        }
    }

    /// Where a value is between left and right; `None` if it has no place.
    pub(super) fn x(&self, axis: &Axis, value: f64) -> Option<f64> {
        let inset = inset(axis);
        Some(self.left + inset + axis.share(value)? * (self.width() - 2.0 * inset))
    }

    /// Where a value is between bottom and top; `None` if it has no place.
    pub(super) fn y(&self, axis: &Axis, value: f64) -> Option<f64> {
        let inset = inset(axis);
        Some(self.bottom - inset - axis.share(value)? * (self.bottom - self.top - 2.0 * inset))
    }

    /// Draws the path `shape` with a pen.
    pub(super) fn line(&mut self, shape: &Shape, pen: Pen) {
        let dashes = if pen.dashed { DASHES } else { "" };
        if pen.has_line {
            self.stroke(shape, pen.colour, STROKE, dashes);
        }
    }

    /// Draws a mark wherever `shape` has a line of no length; those of dashed
    /// lines are hollow.
    pub(super) fn marks(&mut self, shape: &Shape, pen: Pen) {
        self.stroke(shape, pen.colour, pen.mark, "");
        if pen.dashed {
            self.stroke(shape, Colour::PAPER, HOLE, "");
        }
    }

    /// Fills the path `shape`.
    pub(super) fn area(&mut self, shape: &Shape, colour: Colour) {
        if !shape.is_empty() {
            self.put(format_args!("<path d=\"{shape}\"{}/>\n", Paint("fill", colour)));
        }
    }

    fn stroke(&mut self, shape: &Shape, colour: Colour, width: f64, style: &str) {
        if !shape.is_empty() {
            self.put(format_args!(
                "<path d=\"{shape}\" fill=\"none\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
                 stroke-linejoin=\"round\"{}{style}/>\n",
                Paint("stroke", colour)
            ));
        }
    }

    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, anchor: &str, font: f64, style: &str) {
        if !text.is_empty() {
            let (x, y, text) = (Short(x), Short(y), Escaped(text));
            self.put(format_args!(
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{font}\"{style}>{text}</text>\n"
            ));
        }
    }
}

/// Ticks with their places.
fn spots(axis: &Axis, place: impl Fn(f64) -> Option<f64>) -> Vec<(f64, &Tick)> {
    axis.ticks().iter().filter_map(|tick| Some((place(tick.value)?, tick))).collect()
}

fn inset(axis: &Axis) -> f64 {
    match axis.scale() {
        Scale::Linear => 0.0,
        Scale::Log10 | Scale::Log2 => INSET,
    }
}

/// Labels that keep their distance if all take as much room as `size`.
fn apart<'t>(spots: &[(f64, &'t Tick)], size: f64, gap: f64) -> Vec<(f64, &'t str)> {
    let mut kept: Vec<(f64, &str)> = Vec::new();
    for &(spot, tick) in spots {
        let is_free =
            |last: Option<&(f64, &str)>| last.is_none_or(|(last, _)| (spot - last).abs() >= size + gap);
        if let Some(label) = tick.label.as_deref()
            && is_free(kept.last())
        {
            kept.push((spot, label));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance_either_way() {
        let ticks: Vec<_> =
            (0..10).map(|number| Tick { value: 0.0, label: Some(number.to_string()) }).collect();
        let kept = |step: f64| {
            let spots: Vec<_> =
                ticks.iter().enumerate().map(|(index, tick)| (step * index as f64, tick)).collect();
            apart(&spots, 20.0, 5.0).into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(kept(25.0), "0 1 2 3 4 5 6 7 8 9");
        assert_eq!(kept(-24.0), "0 2 4 6 8");
        assert_eq!(kept(9.0), "0 3 6 9");
        assert_eq!(kept(0.0), "0");
    }
}

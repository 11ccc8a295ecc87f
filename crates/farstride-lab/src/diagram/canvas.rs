//! What is drawn, from the lowest to the uppermost, before it becomes SVG or
//! pixels.

use super::shape::{Path, Point, Step};
use crate::svg::text::{BOLD, text_width};
use crate::svg::{Escaped, Paint, Shape, Short};
use farstride_io::internal::{Ink, letters, paint, skia};
use farstride_io::picture::{Colour, PictureError};
use std::fmt::{self, Write};
use tiny_skia::{FillRule, LineCap, LineJoin, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

/// Width of the rim around letters that are written over lines.
const HALO: f64 = 4.5;
/// Most pixels of a PNG on a side: what is larger is better seen as SVG.
const MAX_SIDE: u32 = 16_384;
/// Pixels of a PNG per unit.
const DENSITY: f32 = 2.0;

/// A sheet of a given size and the marks on it.
pub(super) struct Canvas {
    width: f64,
    height: f64,
    title: String,
    marks: Vec<Mark>,
}

enum Mark {
    Fill(Path, Colour),
    Stroke(Path, Pen),
    Text(Writing),
}

#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) colour: Colour,
    pub(super) width: f64,
    /// Lengths of a dash and of the gap behind it.
    pub(super) dashes: Option<(f64, f64)>,
}

impl Pen {
    pub(super) const fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width, dashes: None }
    }

    pub(super) const fn dashed(self, dash: f64, gap: f64) -> Self {
        Self { dashes: Some((dash, gap)), ..self }
    }
}

/// Where a text stands beside its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) struct Writing {
    pub(super) text: String,
    /// On the line that letters stand on.
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    pub(super) style: Style,
}

#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) font: f64,
    pub(super) bold: bool,
    pub(super) colour: Colour,
    pub(super) halo: Option<Colour>,
}

impl Style {
    /// About as wide as the text will be.
    pub(super) fn width(self, text: &str) -> f64 {
        text_width(text, self.font) * if self.bold { BOLD } else { 1.0 }
    }
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        Self { width, height, title: title.into(), marks: Vec::new() }
    }

    pub(super) fn fill(&mut self, path: Path, colour: Colour) {
        self.marks.push(Mark::Fill(path, colour));
    }

    pub(super) fn stroke(&mut self, path: Path, pen: Pen) {
        self.marks.push(Mark::Stroke(path, pen));
    }

    pub(super) fn text(&mut self, writing: Writing) {
        if !writing.text.is_empty() {
            self.marks.push(Mark::Text(writing));
        }
    }

    pub(super) fn to_svg(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_svg(&mut text);
        text
    }

    fn write_svg(&self, svg: &mut String) -> fmt::Result {
        let (width, height) = (Short(self.width), Short(self.height));
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">"
        )?;
        if !self.title.is_empty() {
            writeln!(svg, "<title>{}</title>", Escaped(&self.title))?;
        }
        writeln!(svg, "<rect width=\"{width}\" height=\"{height}\"{}/>", Paint("fill", Colour::PAPER))?;
        for mark in &self.marks {
            mark.write_svg(svg)?;
        }
        writeln!(svg, "</svg>")
    }

    pub(super) fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        let [width, height] = [self.width, self.height].map(|side| (side as f32 * DENSITY).ceil() as u32);
        let too_large = PictureError::TooLarge { side: width.max(height), limit: MAX_SIDE };
        let fits = width.max(height) <= MAX_SIDE;
        let mut pixmap = fits.then(|| Pixmap::new(width, height)).flatten().ok_or(too_large)?;
        pixmap.fill(skia(Colour::PAPER));
        for mark in &self.marks {
            mark.put(&mut pixmap);
        }
        pixmap.encode_png().map_err(|error| PictureError::Encode(Box::new(error)))
    }
}

impl Mark {
    fn write_svg(&self, svg: &mut String) -> fmt::Result {
        match self {
            Self::Fill(path, colour) => {
                writeln!(svg, "<path d=\"{}\"{}/>", shape(path), Paint("fill", *colour))
            }
            Self::Stroke(path, pen) => {
                let (shape, width, paint) = (shape(path), Short(pen.width), Paint("stroke", pen.colour));
                write!(
                    svg,
                    "<path d=\"{shape}\" fill=\"none\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{paint}"
                )?;
                match pen.dashes {
                    Some((dash, gap)) => {
                        writeln!(svg, " stroke-dasharray=\"{} {}\"/>", Short(dash), Short(gap))
                    }
                    None => writeln!(svg, " stroke-linecap=\"round\"/>"),
                }
            }
            Self::Text(writing) => writing.write_svg(svg),
        }
    }

    fn put(&self, pixmap: &mut Pixmap) {
        match self {
            Self::Fill(path, colour) => fill(pixmap, outline(path), *colour),
            Self::Stroke(path, pen) => stroke(pixmap, outline(path), *pen),
            Self::Text(writing) => writing.put(pixmap),
        }
    }
}

impl Writing {
    fn write_svg(&self, svg: &mut String) -> fmt::Result {
        let Self { text, at: (x, y), anchor, style } = self;
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, font) = (Short(*x), Short(*y), Short(style.font));
        write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{font}\"")?;
        if style.bold {
            svg.write_str(" font-weight=\"600\"")?;
        }
        if let Some(halo) = style.halo {
            let halo = Paint("stroke", halo);
            write!(svg, " paint-order=\"stroke\" stroke-width=\"{HALO}\" stroke-linejoin=\"round\"{halo}")?;
        }
        writeln!(svg, "{}>{}</text>", Paint("fill", style.colour), Escaped(text))
    }

    /// Letters made of strokes, all equally wide, and smaller if that takes more
    /// room than was planned with.
    fn put(&self, pixmap: &mut Pixmap) {
        let Self { text, at: (x, y), anchor, style } = self;
        let (count, advance) = (text.chars().count() as f64, f64::from(letters::ADVANCE));
        let column = (style.font * 0.108).min(style.width(text) / (count * advance));
        let pen = column * if style.bold { 1.25 } else { 0.85 };
        let width = (count * advance - (advance - f64::from(letters::WIDTH))) * column;
        let left = match anchor {
            Anchor::Start => *x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let mut ink = Ink::default();
        for (position, letter) in text.chars().enumerate() {
            let left = left + position as f64 * advance * column;
            ink.letter(letter, (left as f32, *y as f32), column as f32, pen as f32);
        }
        let Ink { lines, dots } = ink;
        let (lines, dots) = (lines.finish(), dots.finish());
        if let Some(halo) = style.halo {
            stroke(pixmap, lines.clone(), Pen::new(halo, pen + HALO));
            stroke(pixmap, dots.clone(), Pen::new(halo, HALO));
        }
        stroke(pixmap, lines, Pen::new(style.colour, pen));
        fill(pixmap, dots, style.colour);
    }
}

fn shape(path: &Path) -> Shape {
    let mut shape = Shape::default();
    for &step in &path.0 {
        match step {
            Step::Move((x, y)) => shape.start(x, y),
            Step::Line((x, y)) => shape.on(x, y),
            Step::Curve(first, second, to) => shape.bend(first, second, to),
            Step::Circle((x, y), radius) => shape.circle(x, y, radius),
            Step::Close => shape.close(),
        }
    }
    shape
}

fn outline(path: &Path) -> Option<tiny_skia::Path> {
    let mut outline = PathBuilder::new();
    for &step in &path.0 {
        match step {
            Step::Move((x, y)) => outline.move_to(x as f32, y as f32),
            Step::Line((x, y)) => outline.line_to(x as f32, y as f32),
            Step::Curve(first, second, to) => {
                let [x1, x2, x] = [first.0, second.0, to.0].map(|x| x as f32);
                let [y1, y2, y] = [first.1, second.1, to.1].map(|y| y as f32);
                outline.cubic_to(x1, y1, x2, y2, x, y);
            }
            Step::Circle((x, y), radius) => outline.push_circle(x as f32, y as f32, radius as f32),
            Step::Close => outline.close(),
        }
    }
    outline.finish()
}

fn fill(pixmap: &mut Pixmap, path: Option<tiny_skia::Path>, colour: Colour) {
    if let Some(path) = path {
        let place = Transform::from_scale(DENSITY, DENSITY);
        pixmap.fill_path(&path, &paint(colour), FillRule::Winding, place, None);
    }
}

fn stroke(pixmap: &mut Pixmap, path: Option<tiny_skia::Path>, pen: Pen) {
    if let Some(path) = path {
        let dashes = pen.dashes.map(|(dash, gap)| vec![dash as f32, gap as f32]);
        let stroke = Stroke {
            width: pen.width as f32,
            line_cap: if dashes.is_some() { LineCap::Butt } else { LineCap::Round },
            line_join: LineJoin::Round,
            dash: dashes.and_then(|dashes| StrokeDash::new(dashes, 0.0)),
            ..Stroke::default()
        };
        let place = Transform::from_scale(DENSITY, DENSITY);
        pixmap.stroke_path(&path, &paint(pen.colour), &stroke, place, None);
    }
}

//! Scalable vector graphics, in units of cells.

use super::frame::{Frame, Width};
use super::legend::{Entry, FONT, LEADING, Legend, TEXT_INDENT};
use super::runs::{self, Block, Run};
use super::{Colour, Layer, Scene, Shape};
use crate::svg::{Escaped, Paint, Short};
use farstride::internal::Terrain;
use farstride::{Cell, Grid, Point, Rect};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The whole file.
pub(super) fn draw(scene: &Scene) -> String {
    let frame = scene.frame();
    let mut svg = Svg { text: String::new(), frame };
    let legend = Legend::arrange(&scene.legend, &frame);
    // Writing to a string cannot fail.
    let _ = svg.scene(scene, &legend);
    svg.text
}

struct Svg {
    text: String,
    frame: Frame,
}

impl Svg {
    fn scene(&mut self, scene: &Scene, legend: &Legend) -> fmt::Result {
        self.open(scene.area, legend)?;
        if scene.is_cropped() {
            // A picture within the picture, which cuts off what reaches beyond it.
            let (Cell { x, y }, width, height) = (scene.area.min(), scene.area.width(), scene.area.height());
            writeln!(
                self.text,
                "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                 viewBox=\"{x} {y} {width} {height}\">"
            )?;
        }
        self.ground(scene.grid, scene.area, scene.wall)?;
        for layer in &scene.layers {
            self.layer(layer)?;
        }
        if scene.is_cropped() {
            self.text.write_str("</svg>\n")?;
        }
        self.legend(legend, scene.area)?;
        self.text.write_str("</svg>\n")
    }

    fn open(&mut self, area: Rect, legend: &Legend) -> fmt::Result {
        let Frame { margin, unit, .. } = self.frame;
        let per_cell = self.frame.per_cell();
        let margin = margin as f32;
        let width = (area.width() as f32 * per_cell).max(legend.width * unit) + 2.0 * margin;
        let height = area.height() as f32 * per_cell + 2.0 * margin + legend.height() * unit;
        let left = Short(f32::from(area.min().x) - margin / per_cell);
        let top = Short(f32::from(area.min().y) - margin / per_cell);
        let (across, down) = (Short(width / per_cell), Short(height / per_cell));
        write!(
            self.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
             viewBox=\"{left} {top} {across} {down}\">\n\
             <rect x=\"{left}\" y=\"{top}\" width=\"{across}\" height=\"{down}\"{}/>\n",
            Short(width),
            Short(height),
            Paint("fill", Colour::PAPER),
        )
    }

    fn ground(&mut self, grid: &Grid, area: Rect, wall: Colour) -> fmt::Result {
        let (width, height) = (grid.width(), grid.height());
        let ground = Paint("fill", Colour::GROUND);
        writeln!(self.text, "<rect width=\"{width}\" height=\"{height}\"{ground}/>")?;
        let Runs { walls, heavy } = Runs::of(grid, area);
        for (weight, runs) in heavy {
            self.blocks(&runs::stack(runs), Colour::terrain(weight), 0.0)?;
        }
        if self.frame.has_lines() {
            self.lines_between_cells(area)?;
        }
        let walls = runs::stack(walls);
        if let Some(pixels) = self.frame.shadow() {
            let offset = pixels as f32 / self.frame.per_cell();
            self.blocks(&walls, Colour::SHADOW, offset)?;
        }
        self.blocks(&walls, wall, 0.0)
    }

    fn lines_between_cells(&mut self, area: Rect) -> fmt::Result {
        let (Cell { x: left, y: top }, Cell { x: right, y: bottom }) = (area.min(), area.max());
        self.text.write_str("<path d=\"")?;
        for x in left + 1..=right {
            write!(self.text, "M{x} {top}V{}", bottom + 1)?;
        }
        for y in top + 1..=bottom {
            write!(self.text, "M{left} {y}H{}", right + 1)?;
        }
        let thin = Short(1.0 / self.frame.per_cell());
        let paint = Paint("stroke", Colour::LINES);
        writeln!(self.text, "\" stroke-width=\"{thin}\"{paint}/>")
    }

    /// Filled rectangles, moved right and down by `offset`.
    fn blocks(&mut self, blocks: &[Block], colour: Colour, offset: f32) -> fmt::Result {
        if blocks.is_empty() {
            return Ok(());
        }
        self.text.write_str("<path d=\"")?;
        for Block { columns, rows } in blocks {
            let (x, y) = (columns.start, rows.start);
            let (width, height) = (columns.len(), rows.len());
            write!(self.text, "M{x} {y}h{width}v{height}H{x}z")?;
        }
        self.text.write_char('"')?;
        if offset > 0.0 {
            let offset = Short(offset);
            write!(self.text, " transform=\"translate({offset} {offset})\"")?;
        }
        writeln!(self.text, "{}/>", Paint("fill", colour))
    }

    fn layer(&mut self, layer: &Layer) -> fmt::Result {
        match layer {
            Layer::Fill { runs, colour } => self.blocks(&runs::stack(runs.iter().cloned()), *colour, 0.0),
            Layer::Outline { rects, colour, width } => {
                let mut shape = String::new();
                for rect in rects {
                    let Cell { x, y } = rect.min();
                    let (width, height) = (rect.width(), rect.height());
                    write!(shape, "M{x} {y}h{width}v{height}H{x}z")?;
                }
                self.stroke(&shape, *colour, self.frame.pixels(*width), "")
            }
            Layer::Lines { lines, colour, width } => {
                let mut shape = String::new();
                for &(from, to) in lines {
                    write!(shape, "M{}L{}", Place(from), Place(to))?;
                }
                let width = self.frame.pixels(*width);
                self.stroke(&shape, *colour, width, AT_CENTRES)
            }
            Layer::Path { points, colour, width, rim } => self.path(points, *colour, *width, *rim),
            Layer::Dots { points, colour, radius, shape } => self.dots(points, *colour, *radius, *shape),
        }
    }

    fn path(&mut self, points: &[Point], colour: Colour, width: Width, rim: bool) -> fmt::Result {
        let mut shape = String::new();
        for (index, &point) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            write!(shape, "{command}{}", Place(point))?;
        }
        if points.len() == 1 {
            shape.push_str("h0");
        }
        let width = self.frame.pixels(width);
        if rim {
            let rim = width.map(|width| width + 2.0 * self.frame.rim());
            self.stroke(&shape, Colour::PAPER, rim, AT_CENTRES)?;
        }
        self.stroke(&shape, colour, width, AT_CENTRES)
    }

    /// Dots are lines of no length with round or square ends: a few bytes each.
    fn dots(&mut self, points: &[Point], colour: Colour, radius: Width, dot: Shape) -> fmt::Result {
        let Some(radius) = self.frame.pixels(radius) else {
            return Ok(());
        };
        let mut shape = String::new();
        for &point in points {
            write!(shape, "M{}h0", Place(point))?;
        }
        let style = match dot {
            Shape::Square => SQUARES_AT_CENTRES,
            Shape::Disc | Shape::Mark | Shape::Target => AT_CENTRES,
        };
        for (colour, radius) in dot.rings(colour, radius, self.frame.rim()) {
            self.stroke(&shape, colour, Some(2.0 * radius), style)?;
        }
        Ok(())
    }

    /// A stroked path; `width` in pixels.
    fn stroke(&mut self, shape: &str, colour: Colour, width: Option<f32>, style: &str) -> fmt::Result {
        let Some(width) = width.filter(|_| !shape.is_empty()) else {
            return Ok(());
        };
        let width = Short(width / self.frame.per_cell());
        let paint = Paint("stroke", colour);
        writeln!(self.text, "<path d=\"{shape}\" fill=\"none\" stroke-width=\"{width}\"{paint}{style}/>")
    }

    /// The legend in pixels, below the map.
    fn legend(&mut self, legend: &Legend, area: Rect) -> fmt::Result {
        if legend.entries.is_empty() {
            return Ok(());
        }
        let Frame { margin, unit, .. } = self.frame;
        let per_cell = self.frame.per_cell();
        let left = area.min().x;
        let top = Short(f32::from(area.max().y) + 1.0 + margin as f32 / per_cell);
        let scale = Short(unit / per_cell);
        let text = Paint("fill", Colour::WALL);
        writeln!(
            self.text,
            "<g transform=\"translate({left} {top}) scale({scale})\" \
             font-family=\"system-ui,sans-serif\" font-size=\"{FONT}\"{text}>"
        )?;
        for Entry { x, y, colour, text } in &legend.entries {
            let (left, top) = (Short(x + TEXT_INDENT), Short(y + LEADING / 2.0 + 1.0));
            let (x, baseline) = (Short(*x), Short(y + LEADING / 2.0 + 6.0));
            writeln!(
                self.text,
                "<path d=\"M{x} {top}m7 0h0\" stroke-width=\"14\" stroke-linecap=\"round\"{}/>\
                 <text x=\"{left}\" y=\"{baseline}\">{}</text>",
                Paint("stroke", *colour),
                Escaped(text),
            )?;
        }
        self.text.write_str("</g>\n")
    }
}

/// A point as two numbers, in cells.
struct Place(Point);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.0.to_cells();
        write!(f, "{x} {y}")
    }
}

/// Coordinates are cells, and what is drawn goes through their centres.
const AT_CENTRES: &str = " stroke-linecap=\"round\" stroke-linejoin=\"round\" transform=\"translate(.5 .5)\"";
const SQUARES_AT_CENTRES: &str = " stroke-linecap=\"square\" transform=\"translate(.5 .5)\"";

/// The map apart from plain ground, in reading order.
#[derive(Default)]
struct Runs {
    walls: Vec<Run>,
    /// By weight, all above 1.
    heavy: BTreeMap<u8, Vec<Run>>,
}

impl Runs {
    fn of(grid: &Grid, area: Rect) -> Self {
        let mut all = Self::default();
        for (terrain, run) in runs::of_area(grid, area) {
            match terrain {
                Terrain::Blocked => all.walls.push(run),
                Terrain::Free(0..=1) => {}
                Terrain::Free(weight) => all.heavy.entry(weight).or_default().push(run),
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of all elements in the order in which they open; panics unless
    /// every one is closed in turn and all attributes are quoted.
    fn elements(svg: &str) -> Vec<&str> {
        let (mut names, mut open) = (Vec::new(), Vec::new());
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("every tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            names.push(name);
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?} are left open");
        names
    }

    fn grid() -> Grid {
        Grid::from_ascii(
            "
            .##5
            .##.
            #...
            ",
        )
        .unwrap()
    }

    #[test]
    fn walls_are_one_path_of_rectangles() {
        let grid = grid();
        let svg = Scene::new(&grid).to_svg();
        let walls = "<path d=\"M1 0h2v2H1zM0 2h1v1H0z\" fill=\"#374151\"/>";
        assert_eq!(svg.matches(walls).count(), 1, "{svg}");
        let heavy = format!("M3 0h1v1H3z\" fill=\"{}\"", Colour::terrain(5));
        assert!(svg.contains(&heavy), "{svg}");
        assert!(svg.contains("viewBox=\"-0.5 -0.5 5 4\""), "{svg}");
        assert_eq!(elements(&svg), ["svg", "rect", "rect", "path", "path", "path", "path"]);
    }

    #[test]
    fn every_layer_is_drawn_in_order() {
        let grid = grid();
        let bare = elements(&Scene::new(&grid).to_svg()).len();
        let mut scene = Scene::new(&grid);
        let (a, b, c) = (Cell::new(0, 1), Cell::new(1, 2), Cell::new(3, 1));
        scene
            .fill([a], Colour::path(1).with_alpha(51))
            .outline([Rect::spanning(a, b)], Colour::level(0), Width::BORDER)
            .lines([(a, b), (b, c)], Colour::level(1), Width::EDGE)
            .dots([a, b], Colour::level(2), Width::NODE, Shape::Square)
            .route(&[a, b, c], Colour::path(0))
            .inlay(&[a, b], Colour::path(1), Width::EDGE);
        let svg = scene.to_svg();
        let expected = [
            "M0 1h1v1H0z\" fill=\"#0072b2\" fill-opacity=\"0.2\"",
            "M0 1h2v2H0z\" fill=\"none\"",
            "M0 1L1 2M1 2L3 1\"",
            "M0 1h0M1 2h0\"",
            "M0 1L1 2L3 1\"",
            "M0 1h0\"",
            "M3 1h0\"",
            "M0 1L1 2\"",
        ];
        let found: Vec<_> = expected.iter().map(|part| svg.find(part)).collect();
        assert!(found.is_sorted() && found[0].is_some(), "{found:?} in {svg}");
        // Fill, outline, lines, squares; the path with its rim; both marks
        // with theirs, the goal with its centre; the inlay.
        assert_eq!(elements(&svg).len() - bare, 4 + 2 + 2 + 3 + 1);
    }

    #[test]
    fn a_part_of_the_map_is_a_picture_within() {
        let grid = grid();
        let mut scene = Scene::new(&grid);
        scene.route(&[Cell::new(0, 0), Cell::new(3, 2)], Colour::path(0)).legend(Colour::path(0), "A*");
        scene.crop(Rect::spanning(Cell::new(1, 1), Cell::new(9, 9)));
        let svg = scene.to_svg();
        assert!(svg.contains("viewBox=\"0.5 0.5 4 4\""), "{svg}");
        assert!(svg.contains("<svg x=\"1\" y=\"1\" width=\"3\" height=\"2\" viewBox=\"1 1 3 2\">"), "{svg}");
        // The wall at the left is out of sight, the other one is cut.
        assert!(svg.contains("d=\"M1 1h2v1H1z\" fill=\"#374151\""), "{svg}");
        elements(&svg);
        let whole = Scene::new(&grid).to_svg();
        let mut outside = Scene::new(&grid);
        outside.crop(Rect::spanning(Cell::new(4, 0), Cell::new(9, 9)));
        assert_eq!(outside.to_svg(), whole);
    }

    #[test]
    fn text_is_escaped() {
        let grid = grid();
        let mut scene = Scene::new(&grid);
        scene.legend(Colour::path(0), "a < b & \"c\" > \u{1}\n</text>");
        let svg = scene.to_svg();
        assert!(svg.contains(">a &lt; b &amp; \"c\" &gt; \u{fffd} &lt;/text&gt;</text>"), "{svg}");
    }

    #[test]
    fn a_legend_is_drawn_last() {
        let grid = grid();
        let mut scene = Scene::new(&grid);
        scene.legend(Colour::path(0), "A*");
        assert_eq!(elements(&scene.to_svg()).last(), Some(&"text"));
    }
}

//! Pixels: cells are filled as whole pixels, lines are drawn smoothly.
//!
//! Cells are painted here rather than by the drawing library: a map of
//! millions of walls would take a path of millions of corners, while runs of
//! pixels take no memory at all.

use super::frame::{Frame, MAX_SIDE, Scale};
use super::legend::{Entry, FONT, LEADING, LETTER, Legend, TEXT_INDENT};
use super::letters::{self, Ink};
use super::runs::{self, Run};
use super::{Colour, Layer, PictureError, Scene, Shape};
use farstride::internal::Terrain;
use farstride::{Cell, Grid, Point, Rect};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Shader, Stroke, Transform,
};

/// Lines, rectangles or dots drawn in one go. Only memory asks for a limit:
/// 64 or 100,000 at a time take equally long. Translucent ones that cross are
/// mixed once within a batch, as in SVG, and twice between batches.
const BATCH: usize = 8192;

/// The whole file.
pub(super) fn draw(scene: &Scene) -> Result<Vec<u8>, PictureError> {
    let frame = scene.frame();
    let legend = Legend::arrange(&scene.legend, &frame);
    let mut canvas = Canvas::new(frame, scene.area, &legend)?;
    canvas.ground(scene.grid, scene.wall);
    for layer in &scene.layers {
        canvas.layer(layer);
    }
    if scene.is_cropped() {
        canvas.clear_margins();
    }
    canvas.legend(&legend);
    let png = canvas.pixmap.encode_png();
    png.map_err(|error| PictureError::Encode(Box::new(error)))
}

struct Canvas {
    pixmap: Pixmap,
    frame: Frame,
    /// The part of the map that is seen.
    area: Rect,
}

impl Canvas {
    /// A sheet of paper with room for the map and, below it, the legend; what
    /// is too long of that is cut off.
    fn new(frame: Frame, area: Rect, legend: &Legend) -> Result<Self, PictureError> {
        let side = frame.width.max(frame.height);
        let too_large = PictureError::TooLarge { side, limit: MAX_SIDE };
        if side > MAX_SIDE {
            return Err(too_large);
        }
        let room = |pixels: f32| ((pixels * frame.unit).ceil() as u32).min(MAX_SIDE);
        let width = frame.width.max(room(legend.width)) + 2 * frame.margin;
        let height = frame.height + room(legend.height()) + 2 * frame.margin;
        let mut pixmap = Pixmap::new(width, height).ok_or(too_large)?;
        pixmap.fill(skia(Colour::PAPER));
        Ok(Self { pixmap, frame, area })
    }

    /// Paints over what reaches beyond the map that is seen.
    fn clear_margins(&mut self) {
        let Frame { width, height, margin, .. } = self.frame;
        let stride = self.pixmap.width();
        let (columns, rows) = (margin..margin + width, margin..margin + height);
        for (index, pixel) in (0..).zip(self.pixmap.data_mut().chunks_exact_mut(4)) {
            if !columns.contains(&(index % stride)) || !rows.contains(&(index / stride)) {
                blend(pixel, Colour::PAPER);
            }
        }
    }

    fn ground(&mut self, grid: &Grid, wall: Colour) {
        match self.frame.scale {
            Scale::Up(_) => self.ground_enlarged(grid, wall),
            Scale::Down(cells) => self.ground_reduced(grid, wall, cells),
        }
    }

    fn ground_enlarged(&mut self, grid: &Grid, wall: Colour) {
        let Frame { width, height, .. } = self.frame;
        self.blend_area(0, 0, width, height, Colour::GROUND);
        let runs = runs::of_area(grid, self.area);
        if !grid.is_uniform() {
            for (terrain, run) in runs.clone() {
                if let Terrain::Free(weight @ 2..) = terrain {
                    self.blend_run(&run, 0, Colour::terrain(weight));
                }
            }
        }
        if self.frame.has_lines() {
            self.lines_between_cells();
        }
        // Shadows come first, since those of one row fall on the walls of the
        // next.
        let shadow = self.frame.shadow().map(|offset| (offset, Colour::SHADOW));
        for (offset, colour) in shadow.into_iter().chain([(0, wall)]) {
            for (terrain, run) in runs.clone() {
                if terrain == Terrain::Blocked {
                    self.blend_run(&run, offset, colour);
                }
            }
        }
    }

    fn lines_between_cells(&mut self) {
        let Frame { width, height, .. } = self.frame;
        let step = self.frame.per_cell() as usize;
        for x in (step as u32..width).step_by(step) {
            self.blend_area(x, 0, 1, height, Colour::LINES);
        }
        for y in (step as u32..height).step_by(step) {
            self.blend_area(0, y, width, 1, Colour::LINES);
        }
    }

    /// Every pixel is the mean of the cells below it.
    fn ground_reduced(&mut self, grid: &Grid, wall: Colour, cells: u32) {
        let Cell { x: left, y: top } = self.area.min();
        let (right, bottom) = (self.area.max().x + 1, u32::from(self.area.max().y) + 1);
        let mut sums = vec![[0_u32; 4]; self.frame.width as usize];
        for (row, first) in (u32::from(top)..bottom).step_by(cells as usize).enumerate() {
            sums.fill([0; 4]);
            for y in first..bottom.min(first + cells) {
                for (terrain, run) in runs::of_row(grid, y as u16, left..right) {
                    let colour = match terrain {
                        Terrain::Blocked => wall,
                        Terrain::Free(weight) => Colour::terrain(weight),
                    };
                    let channels = [colour.red, colour.green, colour.blue, 1].map(u32::from);
                    for x in run.columns {
                        let sum = &mut sums[(u32::from(x - left) / cells) as usize];
                        for (sum, channel) in sum.iter_mut().zip(channels) {
                            *sum += channel;
                        }
                    }
                }
            }
            for (x, &[red, green, blue, count]) in sums.iter().enumerate() {
                let [red, green, blue] = [red, green, blue].map(|sum| (sum / count.max(1)) as u8);
                self.blend_area(x as u32, row as u32, 1, 1, Colour::rgb(red, green, blue));
            }
        }
    }

    fn layer(&mut self, layer: &Layer) {
        match layer {
            Layer::Fill { runs, colour } => self.fill(runs, *colour),
            Layer::Outline { rects, colour, width } => {
                let width = self.frame.pixels(*width);
                for rects in rects.chunks(BATCH) {
                    self.stroke(self.outlines(rects), *colour, width);
                }
            }
            Layer::Lines { lines, colour, width } => {
                let width = self.frame.pixels(*width);
                for lines in lines.chunks(BATCH) {
                    self.stroke(self.segments(lines), *colour, width);
                }
            }
            Layer::Path { points, colour, width, rim } => {
                let width = self.frame.pixels(*width);
                if *rim {
                    let rim = width.map(|width| width + 2.0 * self.frame.rim());
                    self.stroke(self.polyline(points), Colour::PAPER, rim);
                }
                self.stroke(self.polyline(points), *colour, width);
            }
            Layer::Dots { points, colour, radius, shape } => {
                let Some(radius) = self.frame.pixels(*radius) else {
                    return;
                };
                for (colour, radius) in shape.rings(*colour, radius, self.frame.rim()) {
                    for points in points.chunks(BATCH) {
                        self.fill_path(self.dots(points, radius, *shape), colour);
                    }
                }
            }
        }
    }

    /// Swatches and texts below the map.
    fn legend(&mut self, legend: &Legend) {
        let Frame { margin, unit, height, .. } = self.frame;
        let (left, top) = (margin as f32, (height + 2 * margin) as f32);
        for Entry { x, y, colour, text } in &legend.entries {
            let (x, middle) = (left + x * unit, top + (y + LEADING / 2.0 + 1.0) * unit);
            let mut swatch = PathBuilder::new();
            swatch.push_circle(x + 7.0 * unit, middle, 7.0 * unit);
            self.fill_path(swatch.finish(), *colour);
            self.text(text, x + TEXT_INDENT * unit, middle + 5.0 * unit);
        }
    }

    /// Text that stands on `baseline`.
    fn text(&mut self, text: &str, left: f32, baseline: f32) {
        let unit = self.frame.unit;
        let column = FONT * LETTER / letters::ADVANCE * unit;
        let pen = 1.5 * unit;
        let mut ink = Ink::default();
        for (position, letter) in text.chars().enumerate() {
            let left = left + position as f32 * letters::ADVANCE * column;
            ink.letter(letter, (left, baseline), column, pen);
        }
        self.stroke(ink.lines.finish(), Colour::WALL, Some(pen));
        self.fill_path(ink.dots.finish(), Colour::WALL);
    }

    fn fill(&mut self, runs: &[Run], colour: Colour) {
        let area = self.area;
        let seen = runs.iter().filter_map(|run| run.within(area));
        match self.frame.scale {
            Scale::Up(_) => {
                for run in seen {
                    self.blend_run(&run, 0, colour);
                }
            }
            Scale::Down(cells) => {
                let runs: Vec<Run> = seen.collect();
                self.fill_reduced(&runs, colour, cells);
            }
        }
    }

    /// A pixel takes on as much colour as cells below it are filled; those that
    /// reach over the edge of the map, a little less.
    fn fill_reduced(&mut self, runs: &[Run], colour: Colour, cells: u32) {
        let mut counts = vec![0_u32; self.frame.width as usize];
        let Cell { x: left, y: top } = self.area.min();
        let row = |run: &Run| u32::from(run.y - top) / cells;
        for band in runs.chunk_by(|a, b| row(a) == row(b)) {
            counts.fill(0);
            for x in band.iter().flat_map(|run| run.columns.clone()) {
                counts[(u32::from(x - left) / cells) as usize] += 1;
            }
            let y = row(&band[0]);
            for (x, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
                let alpha = u32::from(colour.alpha) * count / (cells * cells);
                self.blend_area(x as u32, y, 1, 1, colour.with_alpha(alpha as u8));
            }
        }
    }

    /// Paints a run of cells that are seen, moved right and down by `offset` pixels.
    fn blend_run(&mut self, run: &Run, offset: u32, colour: Colour) {
        let side = self.frame.per_cell() as u32;
        let Cell { x: left, y: top } = self.area.min();
        let (x, y) = (u32::from(run.columns.start - left), u32::from(run.y - top));
        let width = run.columns.len() as u32 * side;
        self.blend_area(x * side + offset, y * side + offset, width, side, colour);
    }

    /// Paints those pixels of a rectangle that lie on the map.
    fn blend_area(&mut self, x: u32, y: u32, width: u32, height: u32, colour: Colour) {
        let Frame { margin, .. } = self.frame;
        let columns = x..(x + width).min(self.frame.width);
        let rows = y..(y + height).min(self.frame.height);
        let stride = self.pixmap.width();
        let data = self.pixmap.data_mut();
        for y in rows {
            let row = (y + margin) * stride + margin;
            let (first, last) = (row + columns.start, row + columns.end.max(columns.start));
            for pixel in data[4 * first as usize..4 * last as usize].chunks_exact_mut(4) {
                blend(pixel, colour);
            }
        }
    }

    /// A point in pixels.
    fn point(&self, point: Point) -> (f32, f32) {
        self.place((point.x + 1) as f32 / 2.0, (point.y + 1) as f32 / 2.0)
    }

    /// A place on the map, given in cells, in pixels.
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let (margin, per_cell) = (self.frame.margin as f32, self.frame.per_cell());
        let along = |at: f32, first: u16| margin + (at - f32::from(first)) * per_cell;
        (along(x, self.area.min().x), along(y, self.area.min().y))
    }

    fn outlines(&self, rects: &[Rect]) -> Option<Path> {
        let mut path = PathBuilder::new();
        for rect in rects {
            let (min, max) = (rect.min(), rect.max());
            let (left, top) = self.place(min.x.into(), min.y.into());
            let (right, bottom) = self.place(f32::from(max.x) + 1.0, f32::from(max.y) + 1.0);
            if let Some(rect) = tiny_skia::Rect::from_ltrb(left, top, right, bottom) {
                path.push_rect(rect);
            }
        }
        path.finish()
    }

    fn segments(&self, lines: &[(Point, Point)]) -> Option<Path> {
        let mut path = PathBuilder::new();
        for &(from, to) in lines {
            let ((from_x, from_y), (to_x, to_y)) = (self.point(from), self.point(to));
            path.move_to(from_x, from_y);
            path.line_to(to_x, to_y);
        }
        path.finish()
    }

    fn polyline(&self, points: &[Point]) -> Option<Path> {
        let mut path = PathBuilder::new();
        for (index, &point) in points.iter().enumerate() {
            let (x, y) = self.point(point);
            if index == 0 {
                path.move_to(x, y);
            }
            // A path of one cell is a line of no length: a dot.
            path.line_to(x, y);
        }
        path.finish()
    }

    fn dots(&self, points: &[Point], radius: f32, shape: Shape) -> Option<Path> {
        let mut path = PathBuilder::new();
        for &point in points {
            let (x, y) = self.point(point);
            let square = |x, y| tiny_skia::Rect::from_xywh(x, y, 2.0 * radius, 2.0 * radius);
            match shape {
                Shape::Square => {
                    if let Some(square) = square(x - radius, y - radius) {
                        path.push_rect(square);
                    }
                }
                Shape::Disc | Shape::Mark | Shape::Target => path.push_circle(x, y, radius),
            }
        }
        path.finish()
    }

    fn stroke(&mut self, path: Option<Path>, colour: Colour, width: Option<f32>) {
        let (Some(path), Some(width)) = (path, width) else {
            return;
        };
        let stroke =
            Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        let (paint, place) = (paint(colour), Transform::identity());
        self.pixmap.stroke_path(&path, &paint, &stroke, place, None);
    }

    fn fill_path(&mut self, path: Option<Path>, colour: Colour) {
        if let Some(path) = path {
            let (paint, rule) = (paint(colour), FillRule::Winding);
            self.pixmap.fill_path(&path, &paint, rule, Transform::identity(), None);
        }
    }
}

/// Paints over an opaque pixel.
fn blend(pixel: &mut [u8], colour: Colour) {
    let alpha = u32::from(colour.alpha);
    for (below, above) in pixel.iter_mut().zip([colour.red, colour.green, colour.blue]) {
        let sum = u32::from(above) * alpha + u32::from(*below) * (255 - alpha);
        *below = ((sum + 127) / 255) as u8;
    }
}

/// A colour as `tiny-skia` has it.
pub fn skia(colour: Colour) -> Color {
    Color::from_rgba8(colour.red, colour.green, colour.blue, colour.alpha)
}

/// What paints with a colour.
pub fn paint(colour: Colour) -> Paint<'static> {
    Paint { shader: Shader::SolidColor(skia(colour)), anti_alias: true, ..Paint::default() }
}

#[cfg(test)]
mod tests {
    use super::super::Width;
    use super::*;

    fn decoded(scene: &Scene) -> Pixmap {
        Pixmap::decode_png(&scene.to_png().unwrap()).unwrap()
    }

    fn pixel(pixmap: &Pixmap, x: u32, y: u32) -> Colour {
        let pixel = pixmap.pixel(x, y).unwrap().demultiply();
        Colour::rgb(pixel.red(), pixel.green(), pixel.blue()).with_alpha(pixel.alpha())
    }

    /// The pixel at the centre of a cell.
    fn at(pixmap: &Pixmap, scene: &Scene, cell: Cell) -> Colour {
        let frame = scene.frame();
        let first = scene.area.min();
        let centre = |along: u16| frame.margin + ((f32::from(along) + 0.5) * frame.per_cell()) as u32;
        pixel(pixmap, centre(cell.x - first.x), centre(cell.y - first.y))
    }

    #[test]
    fn a_part_of_the_map_fills_the_picture() {
        let grid = Grid::from_ascii("\n.#..\n..9.\n####\n").unwrap();
        let mut scene = Scene::new(&grid);
        let heavy = Cell::new(2, 1);
        scene.fill([Cell::new(3, 1), Cell::new(0, 0)], Colour::path(2));
        scene.route(&[Cell::new(0, 2), Cell::new(1, 1)], Colour::path(0));
        scene.crop(Rect::spanning(Cell::new(1, 0), Cell::new(3, 1)));
        let pixmap = decoded(&scene);
        assert_eq!(pixmap.width(), 3 * 24 + 2 * scene.frame().margin);
        assert_eq!(at(&pixmap, &scene, heavy), Colour::terrain(9));
        assert_eq!(at(&pixmap, &scene, Cell::new(1, 0)), Colour::WALL);
        assert_eq!(at(&pixmap, &scene, Cell::new(3, 1)), Colour::path(2));
        // The path comes from beyond and is cut off at the edge.
        let margins = (0..pixmap.height()).map(|y| pixel(&pixmap, 2, y));
        assert!(margins.into_iter().all(|colour| colour == Colour::PAPER));
    }

    #[test]
    fn cells_have_the_colours_of_their_ground() {
        let grid = Grid::from_ascii("\n.#.\n7..\n").unwrap();
        let mut scene = Scene::new(&grid);
        let picture = decoded(&scene);
        let colour = |x, y| at(&picture, &scene, Cell::new(x, y));
        assert_eq!((picture.width(), picture.height()), (72 + 24, 48 + 24));
        assert_eq!(colour(0, 0), Colour::GROUND);
        assert_eq!(colour(1, 0), Colour::WALL);
        assert_eq!(colour(0, 1), Colour::terrain(7));
        assert_eq!(pixel(&picture, 3, 3), Colour::PAPER);
        let pale = decoded(scene.pale());
        assert_eq!(at(&pale, &scene, Cell::new(1, 0)), Colour::PALE_WALL);
    }

    #[test]
    fn walls_fill_their_cells_and_throw_a_shadow() {
        let grid = Grid::from_ascii("\n...\n.#.\n...\n").unwrap();
        let picture = decoded(&Scene::new(&grid));
        // The cell takes the pixels 36 to 59, its shadow reaches 4 further.
        for inside in [36, 59] {
            assert_eq!(pixel(&picture, inside, 36), Colour::WALL);
            assert_eq!(pixel(&picture, 36, inside), Colour::WALL);
        }
        let light = |x, y| pixel(&picture, x, y).red;
        assert!(light(61, 50) < light(35, 50) && light(61, 50) > Colour::WALL.red);
        assert_eq!(light(65, 50), Colour::GROUND.red);
        assert_eq!(light(34, 50), Colour::GROUND.red);
    }

    #[test]
    fn layers_cover_each_other_in_order() {
        let grid = Grid::empty(9, 9).unwrap();
        let mut scene = Scene::new(&grid);
        let (a, b, c) = (Cell::new(1, 1), Cell::new(7, 1), Cell::new(4, 1));
        let (node, edge) = (Cell::new(4, 5), (Cell::new(2, 5), Cell::new(6, 5)));
        scene
            .fill([a, b, c, Cell::new(4, 7)], Colour::path(4))
            .lines([edge], Colour::path(3), Width::pixels(4.0))
            .dots([node], Colour::path(2), Width::NODE, Shape::Square)
            .route(&[a, b], Colour::path(1));
        let picture = decoded(&scene);
        let colour = |cell| at(&picture, &scene, cell);
        assert_eq!(colour(Cell::new(4, 7)), Colour::path(4));
        assert_eq!(colour(c), Colour::path(1));
        assert_eq!(colour(Cell::new(5, 5)), Colour::path(3));
        assert_eq!(colour(node), Colour::path(2));
        assert_eq!(colour(a), Colour::START);
        assert_eq!(colour(b), Colour::PAPER);
        let below_the_start = (12 + 36, 12 + 36 + 11);
        assert_eq!(pixel(&picture, below_the_start.0, below_the_start.1), Colour::PAPER);
    }

    #[test]
    fn outlines_follow_the_borders_of_cells() {
        let grid = Grid::empty(10, 10).unwrap();
        let mut scene = Scene::new(&grid);
        let rect = Rect::spanning(Cell::new(2, 3), Cell::new(5, 6));
        scene.outline([rect], Colour::level(3), Width::pixels(4.0));
        let picture = decoded(&scene);
        let (left, right, middle) = (12 + 2 * 24, 12 + 6 * 24, 12 + 5 * 24 - 8);
        assert_eq!(pixel(&picture, left, middle), Colour::level(3));
        assert_eq!(pixel(&picture, right, middle), Colour::level(3));
        assert_eq!(pixel(&picture, left + 10, middle), Colour::GROUND);
    }

    #[test]
    fn translucent_cells_are_mixed_once() {
        let grid = Grid::empty(3, 1).unwrap();
        let mut scene = Scene::new(&grid);
        let cell = Cell::new(1, 0);
        scene.fill([cell, cell, cell], Colour::rgb(0, 0, 0).with_alpha(51));
        let mixed = at(&decoded(&scene), &scene, cell);
        let expected = (f32::from(Colour::GROUND.red) * 0.8).round() as u8;
        assert_eq!(mixed.red, expected);
    }

    #[test]
    fn large_maps_are_reduced_to_the_mean_of_their_cells() {
        let grid = Grid::from_fn(5000, 5, |cell| cell.x % 2 == 0 || cell.x < 2).unwrap();
        let mut scene = Scene::new(&grid);
        scene.fill([Cell::new(0, 0), Cell::new(1, 0)], Colour::rgb(0, 0, 0));
        let picture = decoded(&scene);
        let margin = scene.frame().margin;
        assert_eq!((picture.width(), picture.height()), (2500 + 2 * margin, 3 + 2 * margin));
        let mean = |a: u8, b: u8| (u16::midpoint(a.into(), b.into())) as u8;
        let mixed = pixel(&picture, margin + 1, margin);
        assert_eq!(mixed.red, mean(Colour::GROUND.red, Colour::WALL.red));
        let half_filled = pixel(&picture, margin, margin);
        assert!(half_filled.red.abs_diff(Colour::GROUND.red / 2) <= 1, "{half_filled}");
        // Five rows make two full rows of pixels and a half one.
        assert_eq!(pixel(&picture, margin + 1, margin + 2), mixed);
        assert_eq!(pixel(&picture, margin + 1, margin + 3), Colour::PAPER);
    }

    #[test]
    fn a_scale_too_great_is_refused() {
        let grid = Grid::empty(200, 10).unwrap();
        let mut scene = Scene::new(&grid);
        assert_eq!(decoded(scene.scale(20)).width(), 4000 + 2 * 40);
        let error = scene.scale(21).to_png().unwrap_err();
        assert!(matches!(error, PictureError::TooLarge { side: 4200, limit: 4096 }), "{error}");
        assert!(scene.scale(u16::MAX).to_png().is_err());
        assert!(scene.scale(0).to_png().is_ok());
    }

    #[test]
    fn a_legend_takes_room_below_the_map() {
        let grid = Grid::empty(100, 10).unwrap();
        let mut scene = Scene::new(&grid);
        scene.legend(Colour::path(0), "A*: length 12.5").legend(Colour::path(1), "Theta*");
        let picture = decoded(&scene);
        assert_eq!((picture.width(), picture.height()), (1200 + 24, 120 + 24 + 24));
        let (top, middle) = (120 + 24, 120 + 24 + 13);
        assert_eq!(pixel(&picture, 12 + 7, middle), Colour::path(0));
        let inked = |columns: std::ops::Range<u32>| {
            let pixels = columns.flat_map(|x| (top..picture.height()).map(move |y| (x, y)));
            pixels.filter(|&(x, y)| pixel(&picture, x, y).red < 128).count()
        };
        assert!(inked(34..170) > 100, "{}", inked(34..170));
        assert_eq!(inked(700..1224), 0);
        // Of a legend that is too long, what fits is drawn.
        scene.legend(Colour::path(2), "endless ".repeat(2000));
        assert_eq!(decoded(&scene).width(), MAX_SIDE + 24);
    }

    #[test]
    fn odd_sizes_and_widths_draw_without_panic() {
        for (columns, rows) in [(1, 1), (1, 300), (10_000, 1), (4097, 2)] {
            let grid = Grid::empty(columns, rows).unwrap();
            let corner = Cell::new(columns as u16 - 1, rows as u16 - 1);
            let mut scene = Scene::new(&grid);
            for cells in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e-30, 1e30] {
                let width = Width::cells(cells);
                scene
                    .path(&[corner], Colour::path(0), width)
                    .path(&[Cell::new(0, 0), corner], Colour::path(0), width)
                    .lines([(corner, corner)], Colour::path(1), width)
                    .outline([grid.area()], Colour::path(2), width)
                    .dots([corner], Colour::path(3), width, Shape::Target)
                    .dots([corner], Colour::path(3), width, Shape::Square);
            }
            scene.route(&[corner], Colour::path(4));
            assert!(scene.to_png().is_ok());
            assert!(scene.to_svg().ends_with("</svg>\n"));
        }
    }
}

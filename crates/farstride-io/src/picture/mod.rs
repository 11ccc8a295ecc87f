//! Pictures of maps, paths and abstractions, as SVG or PNG.
//!
//! A [`Scene`] is a map and, on top of it, layers in the order in which they
//! are drawn: filled cells, outlined rectangles, lines, paths and dots. Both
//! outputs take their sizes from one frame, so that they show the same picture;
//! widths are given in cells with a least number of pixels, so that a path on a
//! map of 10,000 cells is still seen.
//!
//! ```
//! use farstride::{Cell, Grid};
//! use farstride_io::picture::{Colour, Scene};
//!
//! let grid = Grid::from_ascii("
//!     ..#.
//!     ..#.
//!     ....
//! ")?;
//! let path = [Cell::new(0, 0), Cell::new(1, 1), Cell::new(2, 2), Cell::new(3, 1)];
//! let mut scene = Scene::new(&grid);
//! scene.route(&path, Colour::path(0)).legend(Colour::path(0), "A*");
//! assert!(scene.to_svg().starts_with("<svg"));
//! assert!(scene.to_png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod colour;
mod floors;
mod frame;
mod legend;
#[doc(hidden)]
pub mod letters;
pub(crate) mod png;
mod runs;
mod svg;

pub use colour::Colour;
pub use floors::FloorsPicture;
pub use frame::Width;

use farstride::{Cell, Grid, Point, Rect};
use frame::Frame;
use runs::Run;
use std::error::Error;
use std::fmt;

/// A map and what is drawn on it.
///
/// Whatever lies off the map is left out; nothing panics.
///
/// # Example
/// Borders of clusters, the edges between them and the nodes they join:
/// ```
/// use farstride::{Cell, Grid, Rect};
/// use farstride_io::picture::{Colour, Scene, Shape, Width};
///
/// let grid = Grid::empty(8, 4)?;
/// let (left, right) = (Cell::new(3, 1), Cell::new(4, 1));
/// let mut scene = Scene::new(&grid);
/// scene
///     .outline(
///         [
///             Rect::spanning(Cell::new(0, 0), Cell::new(3, 3)),
///             Rect::spanning(Cell::new(4, 0), Cell::new(7, 3)),
///         ],
///         Colour::level(0),
///         Width::BORDER,
///     )
///     .lines([(left, right)], Colour::level(1), Width::EDGE)
///     .dots([left, right], Colour::level(1), Width::NODE, Shape::Disc)
///     .legend(Colour::level(0), "clusters")
///     .legend(Colour::level(1), "transitions");
/// assert!(scene.to_svg().contains("transitions"));
/// # Ok::<(), farstride::error::SizeError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a scene is only seen through `to_svg` or `to_png`"]
pub struct Scene<'g> {
    grid: &'g Grid,
    layers: Vec<Layer>,
    legend: Vec<(Colour, String)>,
    scale: Option<u16>,
    wall: Colour,
    /// The part of the map that is seen.
    area: Rect,
}

/// Something drawn on the map; every cell in it lies on the map.
#[derive(Clone, Debug)]
enum Layer {
    /// Runs in reading order that do not touch.
    Fill {
        runs: Vec<Run>,
        colour: Colour,
    },
    Outline {
        rects: Vec<Rect>,
        colour: Colour,
        width: Width,
    },
    Lines {
        lines: Vec<(Point, Point)>,
        colour: Colour,
        width: Width,
    },
    /// Neighbours differ, and no three of them are in line.
    Path {
        points: Vec<Point>,
        colour: Colour,
        width: Width,
        /// Whether it has a white rim.
        rim: bool,
    },
    Dots {
        points: Vec<Point>,
        colour: Colour,
        radius: Width,
        shape: Shape,
    },
}

/// The shape of a dot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A disc without a rim, for nodes in great number.
    Disc,
    /// A square without a rim.
    Square,
    /// A disc with a white rim: the start.
    Mark,
    /// A disc with a white rim and a white centre: the goal.
    Target,
}

impl Shape {
    /// The discs or squares that a dot is made of, as colours and radii in
    /// pixels, from the lowest to the uppermost.
    #[doc(hidden)]
    pub fn rings(self, colour: Colour, radius: f32, rim: f32) -> impl Iterator<Item = (Colour, f32)> {
        let edge = (Colour::PAPER, radius + 1.4 * rim);
        let centre = (Colour::PAPER, radius * 0.42);
        let (edge, centre) = match self {
            Self::Disc | Self::Square => (None, None),
            Self::Mark => (Some(edge), None),
            Self::Target => (Some(edge), Some(centre)),
        };
        edge.into_iter().chain([(colour, radius)]).chain(centre)
    }
}

impl<'g> Scene<'g> {
    /// The bare map.
    pub fn new(grid: &'g Grid) -> Self {
        let (layers, legend, area) = (Vec::new(), Vec::new(), grid.area());
        Self { grid, layers, legend, scale: None, wall: Colour::WALL, area }
    }

    /// Shows only a part of the map; what is not on the map is left out, and if
    /// that is all, nothing changes.
    pub fn crop(&mut self, area: Rect) -> &mut Self {
        let (min, whole) = (area.min(), self.grid.area());
        if whole.contains(min) {
            let (end, last) = (area.max(), whole.max());
            self.area = Rect::spanning(min, Cell::new(end.x.min(last.x), end.y.min(last.y)));
        }
        self
    }

    /// Draws walls in [`Colour::PALE_WALL`], so that a graph drawn over them
    /// stands out.
    pub const fn pale(&mut self) -> &mut Self {
        self.wall = Colour::PALE_WALL;
        self
    }

    /// Sets the pixels per cell; 0 counts as 1.
    ///
    /// Unless it is set, the longer side of what is seen takes about 1200 pixels,
    /// a cell takes 1 to 24 pixels, and of more than 4096 cells a side a pixel
    /// takes several cells.
    pub const fn scale(&mut self, pixels_per_cell: u16) -> &mut Self {
        self.scale = Some(pixels_per_cell);
        self
    }

    /// Fills cells; one that is named twice is filled once.
    pub fn fill(&mut self, cells: impl IntoIterator<Item = Cell>, colour: Colour) -> &mut Self {
        let runs = runs::of_cells(cells.into_iter().filter(|&cell| self.grid.contains(cell)).collect());
        self.push(Layer::Fill { runs, colour })
    }

    /// Draws the borders of rectangles, such as clusters.
    pub fn outline(
        &mut self,
        rects: impl IntoIterator<Item = Rect>,
        colour: Colour,
        width: Width,
    ) -> &mut Self {
        let area = self.grid.area();
        let rects =
            rects.into_iter().filter(|rect| area.contains(rect.min()) && area.contains(rect.max())).collect();
        self.push(Layer::Outline { rects, colour, width })
    }

    /// Draws straight lines between the centres of cells, such as the edges of
    /// a graph.
    pub fn lines<P: Into<Point>>(
        &mut self,
        lines: impl IntoIterator<Item = (P, P)>,
        colour: Colour,
        width: Width,
    ) -> &mut Self {
        let lines = lines
            .into_iter()
            .map(|(from, to)| (from.into(), to.into()))
            .filter(|&(from, to)| self.has(from) && self.has(to))
            .collect();
        self.push(Layer::Lines { lines, colour, width })
    }

    /// Draws a line through points or the centres of cells, every cell of the way or its
    /// turning points only, with a thin white rim.
    pub fn path(&mut self, path: &[impl Into<Point> + Copy], colour: Colour, width: Width) -> &mut Self {
        let points = turning_points(&self.on_map(path.iter().copied()));
        self.push(Layer::Path { points, colour, width, rim: true })
    }

    /// The same without the rim, so that a wider path beneath is seen on both
    /// sides of it.
    pub fn inlay(&mut self, path: &[impl Into<Point> + Copy], colour: Colour, width: Width) -> &mut Self {
        let points = turning_points(&self.on_map(path.iter().copied()));
        self.push(Layer::Path { points, colour, width, rim: false })
    }

    /// Draws a dot on every point given, or on the centre of every cell.
    pub fn dots(
        &mut self,
        places: impl IntoIterator<Item = impl Into<Point>>,
        colour: Colour,
        radius: Width,
        shape: Shape,
    ) -> &mut Self {
        let points = self.on_map(places);
        self.push(Layer::Dots { points, colour, radius, shape })
    }

    /// Marks where a path starts.
    pub fn start(&mut self, cell: Cell) -> &mut Self {
        self.dots([cell], Colour::START, Width::MARK, Shape::Mark)
    }

    /// Marks where a path ends.
    pub fn goal(&mut self, cell: Cell) -> &mut Self {
        self.dots([cell], Colour::GOAL, Width::MARK, Shape::Target)
    }

    /// Draws a path of the usual width and marks both its ends. An empty one
    /// draws nothing.
    pub fn route(&mut self, cells: &[Cell], colour: Colour) -> &mut Self {
        if let (Some(&start), Some(&goal)) = (cells.first(), cells.last()) {
            self.path(cells, colour, Width::PATH).start(start).goal(goal);
        }
        self
    }

    /// Adds a line to the legend below the map. A PNG draws its letters itself:
    /// those of ASCII and few more, the others as boxes.
    pub fn legend(&mut self, colour: Colour, text: impl Into<String>) -> &mut Self {
        self.legend.push((colour, text.into()));
        self
    }

    /// The picture as a file of scalable vector graphics.
    ///
    /// The numbers in it are cells; it can be shown at any size. Blocked cells
    /// are one path of rectangles, each as wide and then as tall as the walls
    /// allow. Each takes 15 to 20 bytes: a map of 10,000 x 10,000 cells of noise
    /// makes hundreds of megabytes, which no viewer enjoys; there, prefer
    /// [`Scene::to_png`].
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// [`PictureError::TooLarge`] if a scale was set that makes a side of the
    /// map longer than 4096 pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        png::draw(self)
    }

    fn frame(&self) -> Frame {
        Frame::new(self.area.width() as usize, self.area.height() as usize, self.scale)
    }

    /// Whether a part of the map is left out.
    fn is_cropped(&self) -> bool {
        self.area != self.grid.area()
    }

    fn on_map(&self, places: impl IntoIterator<Item = impl Into<Point>>) -> Vec<Point> {
        places.into_iter().map(Into::into).filter(|&point| self.has(point)).collect()
    }

    /// Whether a point lies on the map.
    fn has(&self, point: Point) -> bool {
        let last = |side: usize| 2 * side as u32 - 2;
        point.x <= last(self.grid.width()) && point.y <= last(self.grid.height())
    }

    fn push(&mut self, layer: Layer) -> &mut Self {
        self.layers.push(layer);
        self
    }
}

/// The cells at which a path turns, its ends included: what is left when every
/// cell is dropped that the line between its neighbours passes in the same
/// direction.
fn turning_points(path: &[Point]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for &point in path {
        if points.last() == Some(&point) {
            continue;
        }
        if let [.., before, last] = points[..]
            && goes_straight(before, last, point)
        {
            points.pop();
        }
        points.push(point);
    }
    points
}

fn goes_straight(before: Point, last: Point, next: Point) -> bool {
    let delta = |from: Point, to: Point| {
        let along = |from: u32, to: u32| i64::from(to) - i64::from(from);
        (along(from.x, to.x), along(from.y, to.y))
    };
    let (here, there) = (delta(before, last), delta(last, next));
    here.0 * there.1 == here.1 * there.0 && here.0 * there.0 + here.1 * there.1 > 0
}

/// Why a picture could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum PictureError {
    /// The scale asked for makes the picture too large to be held in memory.
    TooLarge {
        /// Pixels of the longer side of the map.
        side: u32,
        /// The most that are drawn.
        limit: u32,
    },
    /// The picture could not be written as PNG.
    Encode(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { side, limit } => {
                write!(f, "picture of {side} pixels a side: at most {limit} are drawn")
            }
            Self::Encode(_) => write!(f, "the picture could not be written as PNG"),
        }
    }
}

impl Error for PictureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::TooLarge { .. } => None,
            Self::Encode(error) => Some(error.as_ref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(pairs: &[(u16, u16)]) -> Vec<Point> {
        pairs.iter().map(|&pair| Point::centre(pair.into())).collect()
    }

    #[test]
    fn only_turns_are_kept() {
        let path = cells(&[(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (4, 2), (4, 3)]);
        assert_eq!(turning_points(&path), cells(&[(0, 0), (2, 0), (4, 2), (4, 3)]));
    }

    #[test]
    fn a_path_that_turns_back_keeps_its_far_end() {
        let path = cells(&[(0, 0), (5, 0), (2, 0)]);
        assert_eq!(turning_points(&path), path);
    }

    #[test]
    fn legs_of_any_angle_are_joined_only_in_line() {
        let straight = cells(&[(0, 0), (2, 1), (6, 3)]);
        assert_eq!(turning_points(&straight), cells(&[(0, 0), (6, 3)]));
        let bent = cells(&[(0, 0), (2, 1), (6, 4)]);
        assert_eq!(turning_points(&bent), bent);
    }

    #[test]
    fn what_lies_off_the_map_is_left_out() {
        let grid = Grid::empty(3, 2).unwrap();
        let (inside, outside) = (Cell::new(2, 1), Cell::new(3, 1));
        let far = Cell::new(u16::MAX, u16::MAX);
        let mut scene = Scene::new(&grid);
        let width = Width::EDGE;
        scene
            .fill([far, outside], Colour::WALL)
            .outline([Rect::spanning(inside, far)], Colour::WALL, width)
            .lines([(inside, outside)], Colour::WALL, width)
            .route(&[outside, inside, far], Colour::WALL);
        for layer in &scene.layers {
            let kept = match layer {
                Layer::Fill { runs, .. } => runs.len(),
                Layer::Outline { rects, .. } => rects.len(),
                Layer::Lines { lines, .. } => lines.len(),
                Layer::Path { points, .. } => points.len() - 1,
                Layer::Dots { points, .. } => points.len(),
            };
            assert_eq!(kept, 0, "{layer:?}");
        }
        assert_eq!(scene.layers.len(), 6);
    }

    #[test]
    fn an_empty_route_draws_nothing() {
        let grid = Grid::empty(3, 2).unwrap();
        let mut scene = Scene::new(&grid);
        scene.route(&[], Colour::WALL);
        assert_eq!(scene.to_svg(), Scene::new(&grid).to_svg());
    }
}

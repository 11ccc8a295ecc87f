//! Worlds of floors: all of them side by side, with their links.

use super::{Colour, PictureError, Scene, Shape, Width};
use farstride::atlas::{Atlas, AtlasError, FloorId, MoverId, Place, Stage, Trip};
use farstride::{Cell, Grid, Rect};

/// Cells between two floors.
const GAP: usize = 2;

/// The floors of a world as one mover sees them, side by side on one map to draw on.
///
/// Cells that the mover may enter are ground, by their weights. A mover larger than a cell cannot
/// be everywhere on it: [`FloorsPicture::scene`] shades what no place where it can stand covers.
///
/// # Example
/// ```
/// use farstride::Cost;
/// use farstride::atlas::{Atlas, Floor, Link, Mover, Place, TileMap};
/// use farstride_io::picture::FloorsPicture;
///
/// let mut tiles = TileMap::new();
/// let hall = tiles.add_floor(Floor::from_text(".....\n.###.\n.....")?)?;
/// let cellar = tiles.add_floor(Floor::filled(4, 3, b'.')?)?;
/// tiles.add_link(Link::new(Place::new(hall, (0, 0)), Place::new(cellar, (0, 0)), Cost::new(9000)?))?;
/// let mut atlas = Atlas::new(tiles)?;
/// let dwarf = atlas.add_mover(Mover::new().entering(b'.', 1))?;
/// let picture = FloorsPicture::new(&atlas, dwarf)?;
/// assert_eq!(picture.cell(Place::new(cellar, (1, 2))), Some((8, 2).into()));
/// assert!(picture.scene().to_svg().contains("links"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FloorsPicture {
    grid: Grid,
    /// Where each floor is on the grid.
    areas: Vec<Rect>,
    links: Vec<(Cell, Cell)>,
    /// Cells that the mover may enter, but nowhere stands on.
    narrow: Vec<Cell>,
}

impl FloorsPicture {
    /// The floors of an atlas as a mover sees them.
    ///
    /// # Errors
    /// [`AtlasError`] if the mover is not of this atlas.
    ///
    /// # Panics
    /// Never: floors have sizes of maps, and those that would make the picture larger than a map are left
    /// out.
    pub fn new(atlas: &Atlas, mover: MoverId) -> Result<Self, AtlasError> {
        let kind = atlas.mover(mover)?;
        let (mut areas, mut right, mut height) = (Vec::new(), 0, 1);
        for (_, floor) in atlas.tiles().floors() {
            if right + floor.width() > Grid::MAX_SIDE {
                break;
            }
            let corner = Cell::new(right as u16, 0);
            let end = Cell::new((right + floor.width() - 1) as u16, (floor.height() - 1) as u16);
            areas.push(Rect::spanning(corner, end));
            right += floor.width() + GAP;
            height = height.max(floor.height());
        }
        let width = (right - GAP).max(1);
        let mut weights = vec![0; width * height];
        let mut narrow = Vec::new();
        for ((id, floor), area) in atlas.tiles().floors().zip(&areas) {
            let seen = atlas.planner(mover, id)?.grid();
            let covered = covered(seen, kind.size());
            for (cell, at) in floor.area().cells().zip(area.cells()) {
                let cost = floor.class(cell).and_then(|class| kind.cost(class)).unwrap_or(0);
                weights[usize::from(at.y) * width + usize::from(at.x)] = cost;
                let is_covered = covered[usize::from(cell.y) * floor.width() + usize::from(cell.x)];
                if cost > 0 && !is_covered {
                    narrow.push(at);
                }
            }
        }
        let grid = Grid::from_weights(width, height, &weights).expect("the size is that of a map");
        let mut picture = Self { grid, areas, links: Vec::new(), narrow };
        let usable = atlas.tiles().links().filter(|(_, link)| kind.uses(link.kind));
        let ends = usable.filter_map(|(_, link)| picture.cell(link.from).zip(picture.cell(link.to)));
        picture.links = ends.collect();
        Ok(picture)
    }

    /// The cell of the picture that shows a place; `None` if it shows none.
    pub fn cell(&self, place: Place) -> Option<Cell> {
        let area = self.areas.get(place.floor.index())?;
        let cell = Cell::new(area.min().x.checked_add(place.cell.x)?, place.cell.y);
        area.contains(cell).then_some(cell)
    }

    /// All cells of the picture.
    pub fn area(&self) -> Rect {
        self.grid.area()
    }

    /// The floors with their frames, links, and what is too narrow for the mover.
    pub fn scene(&self) -> Scene<'_> {
        let shade = Colour::WALL.with_alpha(0x60);
        let mut scene = Scene::new(&self.grid);
        scene.outline(self.areas.iter().copied(), Colour::level(0), Width::BORDER);
        if !self.narrow.is_empty() {
            scene.fill(self.narrow.iter().copied(), shade).legend(shade, "too narrow");
        }
        if !self.links.is_empty() {
            scene
                .lines(self.links.iter().copied(), Colour::PORTAL.with_alpha(0x50), Width::EDGE)
                .dots(
                    self.links.iter().flat_map(|&(from, to)| [from, to]),
                    Colour::PORTAL,
                    Width::NODE.times(1.5),
                    Shape::Square,
                )
                .legend(Colour::PORTAL, "links");
        }
        scene
    }

    /// Draws a trip, floor by floor.
    pub fn draw_trip(&self, scene: &mut Scene<'_>, trip: &Trip<'_>, colour: Colour) {
        for stage in trip.stages() {
            if let Stage::Walk { floor, cells } = stage {
                self.draw_walk(scene, floor, cells, colour);
            }
        }
    }

    /// Draws a walk on a floor.
    pub fn draw_walk(&self, scene: &mut Scene<'_>, floor: FloorId, cells: &[Cell], colour: Colour) {
        let cells: Vec<Cell> = cells.iter().filter_map(|&cell| self.cell(Place { floor, cell })).collect();
        scene.path(&cells, colour, Width::PATH);
    }

    /// The picture of the bare world as a PNG.
    ///
    /// # Errors
    /// As [`Scene::to_png`].
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        self.scene().to_png()
    }
}

/// Which cells are under a square somewhere: those to the right of and below free cells.
fn covered(grid: &Grid, size: u16) -> Vec<bool> {
    let (width, height) = (grid.width(), grid.height());
    let mut covered = vec![false; width * height];
    for cell in grid.area().cells().filter(|&cell| grid.is_free(cell)) {
        let (x, y) = (usize::from(cell.x), usize::from(cell.y));
        let size = usize::from(size);
        for row in y..(y + size).min(height) {
            covered[row * width + x..row * width + (x + size).min(width)].fill(true);
        }
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::atlas::{Floor, Mover, TileMap};

    #[test]
    fn narrow_places_are_shaded_for_large_movers_only() {
        let mut tiles = TileMap::new();
        let floor = tiles.add_floor(Floor::from_text("..#..\n.....\n###..").unwrap()).unwrap();
        let mut atlas = Atlas::new(tiles).unwrap();
        let small = atlas.add_mover(Mover::new().entering(b'.', 1)).unwrap();
        let large = atlas.add_mover(Mover::new().entering(b'.', 1).sized(2)).unwrap();
        assert!(FloorsPicture::new(&atlas, small).unwrap().narrow.is_empty());
        // A square of two fits at the left, and at the right; between them it does not.
        let picture = FloorsPicture::new(&atlas, large).unwrap();
        assert_eq!(picture.narrow, [Cell::new(2, 1)]);
        assert!(picture.scene().to_svg().contains("too narrow"));
        assert_eq!(picture.cell(Place::new(floor, (5, 0))), None);
        assert!(picture.to_png().unwrap().starts_with(b"\x89PNG"));
    }
}

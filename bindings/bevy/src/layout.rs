//! Cells and Bevy's coordinates.

use bevy_math::{Vec2, Vec3};
use farstride::Cell;
use farstride::atlas::{Atlas, Floor, FloorId, Place};

/// Where the cells of a world are in Bevy's coordinates.
///
/// Columns go along one vector, rows along another, floors along a third. Use [`Layout::flat`]
/// for a game in two dimensions and [`Layout::ground`] for one in three; [`Layout::new`] takes
/// any vectors, for example those of an isometric view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layout {
    origin: Vec3,
    right: Vec3,
    down: Vec3,
    up: Vec3,
    /// What a point is multiplied with to find its column and its row.
    columns: Vec3,
    rows: Vec3,
}

impl Layout {
    /// For cameras in two dimensions: `origin` is the upper left corner of the map, x goes
    /// right, and rows go down, against y. All floors lie on each other.
    pub fn flat(origin: Vec2, cell_size: f32) -> Self {
        Self::new(origin.extend(0.0), Vec3::X * cell_size, Vec3::NEG_Y * cell_size, Vec3::ZERO)
    }

    /// For three dimensions with y up: columns go along x, rows along z, floors are `storey`
    /// above each other.
    pub fn ground(origin: Vec3, cell_size: f32, storey: f32) -> Self {
        Self::new(origin, Vec3::X * cell_size, Vec3::Z * cell_size, Vec3::Y * storey)
    }

    /// A layout by vectors: from the corner of the first cell, to the next column, to the next
    /// row, to the next floor.
    ///
    /// If `right` and `down` are parallel or zero, no point has a cell.
    pub fn new(origin: Vec3, right: Vec3, down: Vec3, up: Vec3) -> Self {
        let (rr, rd, dd) = (right.dot(right), right.dot(down), down.dot(down));
        let area = rr * dd - rd * rd;
        let columns = (right * dd - down * rd) / area;
        let rows = (down * rr - right * rd) / area;
        Self { origin, right, down, up, columns, rows }
    }

    /// The length of a side of a cell along the rows, in Bevy's units.
    pub fn cell_size(&self) -> f32 {
        self.right.length()
    }

    /// From a cell to the next of its row.
    pub(crate) const fn column(&self) -> Vec3 {
        self.right
    }

    /// From a cell to the next of its column.
    pub(crate) const fn row(&self) -> Vec3 {
        self.down
    }

    /// The point in the row of `from` and the column of `to`.
    pub(crate) fn along_rows(&self, from: Vec3, to: Vec3) -> Vec3 {
        from + self.right * (to - from).dot(self.columns)
    }

    /// The point in the column of `from` and the row of `to`.
    pub(crate) fn along_columns(&self, from: Vec3, to: Vec3) -> Vec3 {
        from + self.down * (to - from).dot(self.rows)
    }

    fn base(&self, floor: FloorId) -> Vec3 {
        self.origin + self.up * floor.index() as f32
    }
}

/// A layout with the floors of a world.
#[derive(Clone, Debug)]
pub struct Places {
    layout: Layout,
    floors: Vec<Frame>,
}

/// Where a floor begins, and how large it is.
#[derive(Clone, Copy, Debug)]
struct Frame {
    origin: (i32, i32),
    width: u16,
    height: u16,
}

impl Places {
    pub(crate) fn new(layout: Layout, atlas: &Atlas) -> Self {
        let frame = |floor: &Floor| Frame {
            origin: floor.origin(),
            width: floor.width() as u16,
            height: floor.height() as u16,
        };
        Self { layout, floors: atlas.tiles().floors().map(|(_, floor)| frame(floor)).collect() }
    }

    /// The layout.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The middle of the square that a mover of this size covers at a place: where its sprite or
    /// model belongs. For a size of 1 the middle of the cell. Floors that do not exist begin at the
    /// origin.
    pub fn point(&self, place: Place, size: u16) -> Vec3 {
        let (x, y) = self.floors.get(place.floor.index()).map_or((0, 0), |frame| frame.origin);
        let half = f32::from(size) / 2.0;
        let column = x as f32 + f32::from(place.cell.x) + half;
        let row = y as f32 + f32::from(place.cell.y) + half;
        self.layout.base(place.floor) + self.layout.right * column + self.layout.down * row
    }

    /// The place of a mover of this size whose square has its middle at or near this point;
    /// `None` if that is off the floor.
    pub fn place(&self, floor: FloorId, point: Vec3, size: u16) -> Option<Place> {
        let frame = self.floors.get(floor.index())?;
        let from = point - self.layout.base(floor);
        let shift = (f32::from(size) - 1.0) / 2.0;
        let within = |at: f32, origin: i32, side: u16| {
            let at = (at - shift).floor() - origin as f32;
            (at >= 0.0 && at < f32::from(side)).then_some(at as u16)
        };
        let x = within(from.dot(self.layout.columns), frame.origin.0, frame.width)?;
        let y = within(from.dot(self.layout.rows), frame.origin.1, frame.height)?;
        Some(Place::new(floor, Cell::new(x, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::atlas::TileMap;

    fn places(layout: Layout) -> Places {
        let mut tiles = TileMap::new();
        tiles.add_floor(Floor::filled(20, 10, b'.').unwrap()).unwrap();
        tiles.add_floor(Floor::filled(5, 5, b'.').unwrap().at(-3, 4)).unwrap();
        Places::new(layout, &Atlas::new(tiles).unwrap())
    }

    #[test]
    fn points_and_places_are_inverse() {
        let layouts = [
            Layout::flat(Vec2::new(-50.0, 30.0), 8.0),
            Layout::ground(Vec3::new(3.0, -1.0, 9.5), 1.5, 4.0),
            Layout::new(Vec3::ZERO, Vec3::new(16.0, -8.0, 0.0), Vec3::new(-16.0, -8.0, 0.0), Vec3::Y),
        ];
        for layout in layouts {
            let places = places(layout);
            for (floor, (width, height)) in [(0, (20, 10)), (1, (5, 5))] {
                let floor = FloorId::new(floor);
                for size in 1..=4 {
                    for cell in (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y))) {
                        let place = Place::new(floor, cell);
                        assert_eq!(places.place(floor, places.point(place, size), size), Some(place));
                    }
                }
            }
        }
    }

    #[test]
    fn flat_layouts_go_down_from_the_upper_left_corner() {
        let places = places(Layout::flat(Vec2::new(100.0, 200.0), 10.0));
        let ground = FloorId::new(0);
        assert_eq!(places.point(Place::new(ground, (1, 2)), 1), Vec3::new(115.0, 175.0, 0.0));
        assert_eq!(places.point(Place::new(ground, (1, 2)), 2), Vec3::new(120.0, 170.0, 0.0));
        assert_eq!(places.place(ground, Vec3::new(99.0, 195.0, 0.0), 1), None);
        assert_eq!(places.place(ground, Vec3::new(f32::NAN, 195.0, 0.0), 1), None);
        assert_eq!(places.place(FloorId::new(7), Vec3::new(115.0, 175.0, 0.0), 1), None);
    }

    #[test]
    fn layouts_without_area_have_no_places() {
        let places = places(Layout::new(Vec3::ZERO, Vec3::X, Vec3::X, Vec3::ZERO));
        assert_eq!(places.place(FloorId::new(0), Vec3::ONE, 1), None);
    }
}

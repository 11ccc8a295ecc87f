//! The tile map: terrain classes on floors, and links between them.

use super::error::{FloorError, LinkError};
use crate::base::{Cell, Cost, Rect};
use crate::grid::Grid;
use std::fmt;

/// The number of a floor of a [`TileMap`], in the order in which they were added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloorId(pub(super) u16);

impl FloorId {
    /// The floor with this number.
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Its number, for indexing slices.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for FloorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A cell of a floor. Ordered by floor, then in reading order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The floor.
    pub floor: FloorId,
    /// The cell, counted from the upper left corner of the floor.
    pub cell: Cell,
}

impl Place {
    /// A cell of a floor.
    pub fn new(floor: FloorId, cell: impl Into<Cell>) -> Self {
        Self { floor, cell: cell.into() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on floor {}", self.cell, self.floor)
    }
}

/// A rectangle of cells, each of one terrain class.
///
/// A class is a byte and means nothing by itself: a [`Mover`](super::Mover) says what it
/// costs to enter. Floors lie anywhere in the world: the upper left cell is at
/// [`Floor::origin`].
#[derive(Clone, PartialEq, Eq)]
pub struct Floor {
    width: u16,
    height: u16,
    origin: (i32, i32),
    classes: Box<[u8]>,
    /// How many cells there are of each class.
    counts: Box<[u32; 256]>,
}

impl Floor {
    /// A floor of one class.
    ///
    /// # Errors
    /// [`FloorError`] unless both sides are between 1 and [`Grid::MAX_SIDE`].
    pub fn filled(width: usize, height: usize, class: u8) -> Result<Self, FloorError> {
        Grid::check_size(width, height).map_err(FloorError::Size)?;
        Self::new(width, height, vec![class; width * height])
    }

    /// A floor from the classes of its cells, row by row.
    ///
    /// # Errors
    /// [`FloorError`] if the size is not supported or there are not `width * height`
    /// classes.
    pub fn new(width: usize, height: usize, classes: impl Into<Box<[u8]>>) -> Result<Self, FloorError> {
        Grid::check_size(width, height).map_err(FloorError::Size)?;
        let classes = classes.into();
        if classes.len() != width * height {
            return Err(FloorError::Classes { found: classes.len(), expected: width * height });
        }
        let mut counts = Box::new([0; 256]);
        classes.iter().for_each(|&class| counts[usize::from(class)] += 1);
        Ok(Self { width: width as u16, height: height as u16, origin: (0, 0), classes, counts })
    }

    /// A floor from a drawing, one character a cell: the class is the character's byte.
    /// Blanks around lines and empty lines are left out.
    ///
    /// # Errors
    /// [`FloorError`] if there is no line, lines differ in length, or a character is not
    /// ASCII.
    pub fn from_text(text: &str) -> Result<Self, FloorError> {
        let lines: Vec<&[u8]> =
            text.lines().map(|line| line.trim().as_bytes()).filter(|line| !line.is_empty()).collect();
        let width = lines.first().map_or(0, |line| line.len());
        if let Some(line) = lines.iter().position(|line| line.len() != width || !line.is_ascii()) {
            return Err(FloorError::Line { number: line + 1 });
        }
        Self::new(width, lines.len(), lines.concat())
    }

    /// The same floor elsewhere: its upper left cell is at these coordinates of the world.
    #[must_use]
    pub const fn at(mut self, x: i32, y: i32) -> Self {
        self.origin = (x, y);
        self
    }

    /// Number of columns.
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// Where the upper left cell is in the world.
    pub const fn origin(&self) -> (i32, i32) {
        self.origin
    }

    /// Whether a cell lies on the floor.
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// The class of a cell; `None` if it is not on the floor.
    pub fn class(&self, cell: Cell) -> Option<u8> {
        self.contains(cell).then(|| self.classes[self.index(cell)])
    }

    /// The cell at these coordinates of the world, if it is on the floor.
    pub fn cell_at(&self, x: i32, y: i32) -> Option<Cell> {
        let within = |at: i32, origin: i32| u16::try_from(i64::from(at) - i64::from(origin)).ok();
        let cell = Cell::new(within(x, self.origin.0)?, within(y, self.origin.1)?);
        self.contains(cell).then_some(cell)
    }

    /// Where a cell is in the world.
    pub fn position(&self, cell: Cell) -> (i64, i64) {
        (i64::from(self.origin.0) + i64::from(cell.x), i64::from(self.origin.1) + i64::from(cell.y))
    }

    /// The rectangle of all cells.
    pub fn area(&self) -> Rect {
        Rect::spanning(Cell::new(0, 0), Cell::new(self.width - 1, self.height - 1))
    }

    const fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// The classes of cells `from..` of a row.
    pub(super) fn row_from(&self, y: u16, from: u16) -> &[u8] {
        let row = self.index(Cell::new(0, y));
        &self.classes[row + usize::from(from)..row + self.width()]
    }

    /// Whether a class is found on the floor.
    pub(super) fn has_class(&self, class: u8) -> bool {
        self.counts[usize::from(class)] > 0
    }

    /// Gives all cells of an area a class; returns whether any had another.
    fn fill(&mut self, area: Rect, class: u8) -> bool {
        let mut changed = 0;
        for y in area.min().y..=area.max().y {
            let row = self.index(Cell::new(area.min().x, y));
            for cell in &mut self.classes[row..row + area.width() as usize] {
                if *cell != class {
                    self.counts[usize::from(*cell)] -= 1;
                    *cell = class;
                    changed += 1;
                }
            }
        }
        self.counts[usize::from(class)] += changed;
        changed > 0
    }
}

impl fmt::Debug for Floor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, origin, .. } = self;
        f.debug_struct("Floor")
            .field("width", width)
            .field("height", height)
            .field("origin", origin)
            .finish_non_exhaustive()
    }
}

/// Which links a mover may use is decided by their kinds, 0 to 63.
pub type LinkKind = u8;

/// A way from a place to a place that is not a step: stairs, a ladder, a portal, a drop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Link {
    /// Where it starts.
    pub from: Place,
    /// Where it leads.
    pub to: Place,
    /// What it costs, at least one unit ([`Cost`]).
    pub cost: Cost,
    /// Whether it leads back as well, at the same cost.
    pub two_way: bool,
    /// Which movers may use it.
    pub kind: LinkKind,
}

impl Link {
    /// Number of kinds.
    pub const KINDS: u8 = 64;

    /// A link of kind 0 that leads both ways.
    pub const fn new(from: Place, to: Place, cost: Cost) -> Self {
        Self { from, to, cost, two_way: true, kind: 0 }
    }

    /// The same link, one way only.
    #[must_use]
    pub const fn one_way(self) -> Self {
        Self { two_way: false, ..self }
    }

    /// The same link, of another kind.
    #[must_use]
    pub const fn of_kind(self, kind: LinkKind) -> Self {
        Self { kind, ..self }
    }
}

/// The number of a link of a [`TileMap`]. It is not used again when the link is removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinkId(pub(super) u32);

impl LinkId {
    /// Its number: links count from 0, removed ones included.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the user of an [`Atlas`](super::Atlas) edits: floors of terrain classes, and links
/// between places on them.
///
/// # Example
/// ```
/// use farstride::Cost;
/// use farstride::atlas::{Floor, Link, Place, TileMap};
///
/// let mut tiles = TileMap::new();
/// let ground = tiles.add_floor(Floor::from_text("
///     ....~
///     ..#.~
/// ")?)?;
/// let cellar = tiles.add_floor(Floor::filled(3, 3, b'.')?.at(-1, 0))?;
/// let stairs = Link::new(Place::new(ground, (0, 0)), Place::new(cellar, (1, 0)), Cost::new(9000)?);
/// let stairs = tiles.add_link(stairs)?;
/// assert_eq!(tiles.link(stairs).unwrap().cost.units(), 9000);
/// assert_eq!(tiles.floor(cellar).unwrap().cell_at(0, 2), Some((1, 2).into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TileMap {
    floors: Vec<Floor>,
    links: Vec<Option<Link>>,
    /// How many links begin or end on each floor.
    link_ends: Vec<usize>,
    /// Names of the first classes.
    names: Vec<String>,
    /// What an atlas has not seen yet: areas whose classes changed, and whether links did.
    pub(super) changes: Vec<(FloorId, Rect)>,
    pub(super) links_changed: bool,
}

/// Changed areas this far apart at most, in columns and rows, may be followed as one that holds
/// some cells that did not change.
const CLOSE: u32 = 8;

impl TileMap {
    /// How many ends of links a floor may have. Costs between them take 32 bytes for each
    /// pair and each kind of mover.
    pub const MAX_LINK_ENDS: usize = 4096;

    /// A map without floors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a floor.
    ///
    /// # Errors
    /// [`FloorError`] if there are 65,535 already.
    pub fn add_floor(&mut self, floor: Floor) -> Result<FloorId, FloorError> {
        let number = u16::try_from(self.floors.len()).ok().filter(|&number| number < u16::MAX);
        let id = FloorId(number.ok_or(FloorError::TooMany)?);
        self.floors.push(floor);
        self.link_ends.push(0);
        Ok(id)
    }

    /// Number of floors.
    pub const fn floor_count(&self) -> usize {
        self.floors.len()
    }

    /// A floor; `None` if there is none of this number.
    pub fn floor(&self, id: FloorId) -> Option<&Floor> {
        self.floors.get(id.index())
    }

    /// All floors, in the order of their numbers.
    pub fn floors(&self) -> impl ExactSizeIterator<Item = (FloorId, &Floor)> {
        self.floors.iter().enumerate().map(|(number, floor)| (FloorId(number as u16), floor))
    }

    /// Names the classes, from 0 on. Names are for people; paths do not depend on them.
    ///
    /// # Errors
    /// [`FloorError`] if there are more than 256; nothing changes then.
    pub fn name_classes<S: Into<String>>(
        &mut self,
        names: impl IntoIterator<Item = S>,
    ) -> Result<(), FloorError> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        if names.len() > 256 {
            return Err(FloorError::TooManyClasses { found: names.len() });
        }
        self.names = names;
        Ok(())
    }

    /// The name of a class, if it has one.
    pub fn class_name(&self, class: u8) -> Option<&str> {
        self.names.get(usize::from(class)).map(String::as_str)
    }

    /// The first class of a name.
    pub fn class_named(&self, name: &str) -> Option<u8> {
        self.names.iter().position(|known| known == name).and_then(|class| u8::try_from(class).ok())
    }

    /// Whether a place is on a floor of the map.
    pub fn contains(&self, place: Place) -> bool {
        self.floor(place.floor).is_some_and(|floor| floor.contains(place.cell))
    }

    /// Gives a cell, or every cell of a rectangle, a class.
    ///
    /// # Errors
    /// [`FloorError`] if the floor does not exist or the area is not entirely on it;
    /// nothing changes then.
    pub fn fill(&mut self, floor: FloorId, area: impl Into<Rect>, class: u8) -> Result<(), FloorError> {
        let area = area.into();
        let found = self.floors.get_mut(floor.index()).ok_or(FloorError::Missing { floor })?;
        if !found.contains(area.max()) {
            let (width, height) = (found.width(), found.height());
            return Err(FloorError::Outside { floor, area, width, height });
        }
        if found.fill(area, class) {
            self.note(floor, area);
        }
        Ok(())
    }

    /// Notes a changed area for the atlas, as one with those noted last if they are close
    /// together: many change a map cell by cell, and each area is followed on its own.
    fn note(&mut self, floor: FloorId, mut area: Rect) {
        while let Some(&(other, last)) = self.changes.last() {
            let hull = area.hull(last);
            let apart = area.cell_count() + last.cell_count();
            let is_close = hull.cell_count() <= apart
                || hull.cell_count() <= 2 * apart && hull.width().max(hull.height()) <= CLOSE;
            if other != floor || !is_close {
                break;
            }
            self.changes.pop();
            area = hull;
        }
        self.changes.push((floor, area));
    }

    /// Adds a link.
    ///
    /// # Errors
    /// [`LinkError`] if an end is not on the map, both are the same place, it costs
    /// nothing or more than [`Cost::MAX`], its kind is not below [`Link::KINDS`], or a floor
    /// has [`TileMap::MAX_LINK_ENDS`] already; nothing changes then.
    pub fn add_link(&mut self, link: Link) -> Result<LinkId, LinkError> {
        self.check_link(&link)?;
        let id = LinkId(u32::try_from(self.links.len()).map_err(|_| LinkError::TooMany)?);
        self.links.push(Some(link));
        for end in [link.from, link.to] {
            self.link_ends[end.floor.index()] += 1;
        }
        self.links_changed = true;
        Ok(id)
    }

    /// Checks what [`TileMap::add_link`] demands of a link.
    pub(super) fn check_link(&self, link: &Link) -> Result<(), LinkError> {
        if let Some(&place) = [link.from, link.to].iter().find(|&&end| !self.contains(end)) {
            return Err(LinkError::Missing { place });
        }
        if link.from == link.to {
            return Err(LinkError::Loop { place: link.from });
        }
        if link.cost == Cost::ZERO || link.cost > Cost::MAX {
            return Err(LinkError::Cost { found: link.cost });
        }
        if link.kind >= Link::KINDS {
            return Err(LinkError::Kind { found: link.kind });
        }
        let is_full = |end: &&Place| self.link_ends[end.floor.index()] + 2 > Self::MAX_LINK_ENDS;
        if let Some(end) = [link.from, link.to].iter().find(is_full) {
            return Err(LinkError::FullFloor { floor: end.floor });
        }
        Ok(())
    }

    /// Removes a link and returns it; `None` if there is none of this number.
    pub fn remove_link(&mut self, id: LinkId) -> Option<Link> {
        let link = self.links.get_mut(id.index())?.take()?;
        for end in [link.from, link.to] {
            self.link_ends[end.floor.index()] -= 1;
        }
        self.links_changed = true;
        Some(link)
    }

    /// A link; `None` if it was removed or never existed.
    pub fn link(&self, id: LinkId) -> Option<Link> {
        self.links.get(id.index()).copied().flatten()
    }

    /// All links, in the order of their numbers.
    pub fn links(&self) -> impl Iterator<Item = (LinkId, Link)> {
        let numbered = self.links.iter().enumerate();
        numbered.filter_map(|(number, link)| Some((LinkId(number as u32), (*link)?)))
    }

    /// Memory that floors and links take, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let floors = self.floors.iter().map(|floor| floor.classes.len() + 1024);
        floors.sum::<usize>() + self.links.len() * size_of::<Option<Link>>()
    }
}

/// Maps are equal if their floors and links are, by number; names do not matter.
impl PartialEq for TileMap {
    fn eq(&self, other: &Self) -> bool {
        (&self.floors, &self.links) == (&other.floors, &other.links)
    }
}

impl Eq for TileMap {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_close_together_are_noted_as_one() {
        let mut tiles = TileMap::new();
        let floors = [0, 1].map(|_| tiles.add_floor(Floor::filled(40, 40, 1).unwrap()).unwrap());
        tiles.changes.clear();
        // A building, cell by cell.
        let building = Rect::spanning(Cell::new(5, 5), Cell::new(7, 7));
        building.cells().for_each(|cell| tiles.fill(floors[0], cell, 2).unwrap());
        assert_eq!(tiles.changes, [(floors[0], building)]);
        // Already so: nothing changes.
        tiles.fill(floors[0], building, 2).unwrap();
        assert_eq!(tiles.changes.len(), 1);
        // Far away, and on another floor.
        tiles.fill(floors[0], Cell::new(30, 30), 2).unwrap();
        tiles.fill(floors[1], Cell::new(30, 31), 2).unwrap();
        assert_eq!(tiles.changes.len(), 3);
        // A long wall is one area; one beside its end is not: the whole between them did not change.
        let wall = Rect::spanning(Cell::new(0, 20), Cell::new(39, 20));
        wall.cells().for_each(|cell| tiles.fill(floors[1], cell, 2).unwrap());
        assert_eq!(tiles.changes.last(), Some(&(floors[1], wall)));
        tiles.fill(floors[1], Cell::new(0, 24), 2).unwrap();
        assert_eq!(tiles.changes.len(), 5);
    }
}

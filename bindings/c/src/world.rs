//! Worlds: floors of terrain, movers of many kinds, links between places.

use crate::border::{
    Fault, Handle, Result, exclusive, free, give, guard, input, list, list_out, out, path, shared, text,
    value,
};
use crate::orders::Rect;
use farstride::atlas::{Atlas as Inner, Floor, FloorId, MoverId, Place as Where, TileMap};
use farstride_bindings::{Failure, worlds};
use farstride_io::worlds::{Layers, load_ldtk, load_tiled};
use std::ffi::{CString, c_char};
use std::ptr;

/// A world: floors of terrain, and links between places on them, for movers of many kinds.
pub struct Atlas {
    pub(crate) inner: Inner,
    /// Names of classes, by their numbers, as C reads them. Nothing changes them.
    names: Vec<CString>,
}

impl Atlas {
    fn new(tiles: TileMap) -> std::result::Result<Self, Failure> {
        let name = |(name, _): (&str, u8)| CString::new(name.replace('\0', " ")).unwrap_or_default();
        let names = worlds::named_classes(&tiles).map(name).collect();
        Ok(Self { inner: Inner::new(tiles).map_err(Failure::map)?, names })
    }
}

impl Handle for Atlas {
    const KIND: u32 = 0x6672_6131;
}

/// A place: a floor, and a cell on it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The number of the floor, from 0.
    pub floor: i32,
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Place {
    pub(crate) fn read(self) -> std::result::Result<Where, Failure> {
        worlds::place([self.floor, self.x, self.y].map(i64::from))
    }
}

impl From<Where> for Place {
    fn from(place: Where) -> Self {
        Self { floor: place.floor.index() as i32, x: place.cell.x.into(), y: place.cell.y.into() }
    }
}

/// A kind of mover. Set all of it to zero first, then what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Mover {
    /// What entering a cell of each class costs: 256 numbers; 0 if the mover may not enter.
    pub costs: *const u8,
    /// Side of the square that it covers, in cells; 0 means 1. Its place is that of its upper left cell.
    pub size: i32,
    /// The engine that finds its paths; null for "hpa".
    pub engine: *const c_char,
    /// Its diagonal steps, as in farstride_grid_new; null for "strict".
    pub diagonals: *const c_char,
    /// Not 0 if it may use no links at all.
    pub without_links: u8,
    /// The kinds of links it may use, a bit for each; 0 for all.
    pub link_kinds: u64,
}

/// A link, such as stairs or a portal. Set all of it to zero first, then what you need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Where it begins.
    pub from: Place,
    /// Where it leads.
    pub to: Place,
    /// What it costs, at least 1: a straight step costs 4756.
    pub cost: i64,
    /// Not 0 if it does not lead back.
    pub one_way: u8,
    /// 0 to 63; movers may be limited to some kinds.
    pub kind: i32,
}

/// A rectangle of a floor, and the class that its cells get.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The floor.
    pub floor: i32,
    /// The cells.
    pub area: Rect,
    /// 0 to 255.
    pub terrain_class: i32,
}

pub(crate) fn mover(atlas: &Inner, number: u32) -> std::result::Result<MoverId, Failure> {
    worlds::mover_numbered(atlas, number.into())
}

/// Makes a world of one floor. classes: a number per cell, row by row, which means nothing by itself:
/// movers say which classes they may enter.
///
/// Any thread may call it. Free the world with farstride_atlas_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_new(
    width: u32,
    height: u32,
    classes: *const u8,
    atlas: *mut *mut Atlas,
) -> Result {
    guard(|| {
        let mut tiles = TileMap::new();
        tiles.add_floor(self::floor(width, height, classes)?).map_err(Failure::map)?;
        give(Atlas::new(tiles)?, atlas)
    })
}

/// Loads a world from a map of the editor Tiled (.tmx or .tmj). farstride_atlas_class_named has the kinds of
/// terrain: classes of tiles as set in the editor, and tiles without one under a name of their own.
///
/// stacked: not 0 if its layers lie on each other and make one floor; otherwise each is a floor.
///
/// Any thread may call it. Free the world with farstride_atlas_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_load_tiled(
    file: *const c_char,
    stacked: u8,
    atlas: *mut *mut Atlas,
) -> Result {
    guard(|| {
        let layers = if stacked == 0 { Layers::Floors } else { Layers::Stacked };
        give(Atlas::new(load_tiled(path(file)?, layers)?)?, atlas)
    })
}

/// Loads a world from a project of the editor LDtk: a floor for each layer of an integer grid.
/// farstride_atlas_class_named has its values by name.
///
/// Any thread may call it. Free the world with farstride_atlas_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_load_ldtk(file: *const c_char, atlas: *mut *mut Atlas) -> Result {
    guard(|| give(Atlas::new(load_ldtk(path(file)?)?)?, atlas))
}

/// The class that a file gave a name to.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_class_named(
    atlas: *const Atlas,
    name: *const c_char,
    terrain_class: *mut u8,
) -> Result {
    guard(|| {
        let (tiles, terrain_class) = (shared(atlas)?.inner.tiles(), out(terrain_class)?);
        let name = text(name)?.ok_or_else(|| Fault::new(Result::Argument, "the name of a class is null"))?;
        terrain_class.set(worlds::class_named(tiles, name)?);
        Ok(())
    })
}

/// The name that a file gave to a class; null if it has none. It is there until the world is freed.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_class_name(atlas: *const Atlas, terrain_class: u8) -> *const c_char {
    value(ptr::null(), || {
        let name = shared(atlas)?.names.get(usize::from(terrain_class));
        Ok(name.map_or(ptr::null(), |name| name.as_ptr()))
    })
}

/// Number of floors; 0 if the handle is wrong.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_floor_count(atlas: *const Atlas) -> u32 {
    value(0, || Ok(shared(atlas)?.inner.tiles().floor_count() as u32))
}

/// Columns and rows of a floor.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_floor_size(
    atlas: *const Atlas,
    floor: u32,
    width: *mut u32,
    height: *mut u32,
) -> Result {
    guard(|| {
        let (floor, width, height) =
            (floor_numbered(&shared(atlas)?.inner, floor)?.1, out(width)?, out(height)?);
        width.set(floor.width() as u32);
        height.set(floor.height() as u32);
        Ok(())
    })
}

/// Copies the classes of a floor as it is now, row by row.
///
/// classes: room for as many bytes as it has cells; count: how many there are.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_classes(
    atlas: *const Atlas,
    floor: u32,
    classes: *mut u8,
    count: usize,
) -> Result {
    guard(|| {
        let floor = floor_numbered(&shared(atlas)?.inner, floor)?.1;
        let cells = floor.width() * floor.height();
        if count != cells {
            let message = format!("room for {count} classes, the floor has {cells} cells");
            return Err(Fault::new(Result::Query, message));
        }
        for (room, cell) in list_out(classes, count)?.iter_mut().zip(floor.area().cells()) {
            room.write(floor.class(cell).unwrap_or_default());
        }
        Ok(())
    })
}

/// A floor of a world by its number.
pub(crate) fn floor_numbered(atlas: &Inner, number: u32) -> std::result::Result<(FloorId, &Floor), Failure> {
    let (count, mut floors) = (atlas.tiles().floor_count(), atlas.tiles().floors());
    let none = || Failure::query(format!("there is no floor {number}: there are {count}"));
    floors.nth(number as usize).ok_or_else(none)
}

/// A floor from its classes.
fn floor(width: u32, height: u32, classes: *const u8) -> std::result::Result<Floor, Fault> {
    let (width, height) = (width as usize, height as usize);
    farstride::Grid::check_size(width, height).map_err(Failure::map)?;
    let classes = list(classes, width * height)?;
    Ok(Floor::new(width, height, classes).map_err(Failure::map)?)
}

/// Adds a floor. x and y: where in the world its upper left cell is.
///
/// number: of the floor; may be null. The first is 0.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_add_floor(
    atlas: *mut Atlas,
    width: u32,
    height: u32,
    classes: *const u8,
    x: i32,
    y: i32,
    number: *mut u32,
) -> Result {
    guard(|| {
        let (atlas, floor) = (&mut exclusive(atlas)?.inner, floor(width, height, classes)?.at(x, y));
        let added = atlas.edit(|tiles| tiles.add_floor(floor)).map_err(Failure::map)?;
        if !number.is_null() {
            out(number)?.set(added.index() as u32);
        }
        Ok(())
    })
}

/// Adds a kind of mover. What it needs is prepared by the first question about it, or by
/// farstride_atlas_prepare.
///
/// number: of the mover, for queries. The first is 0.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_add_mover(
    atlas: *mut Atlas,
    mover: *const Mover,
    number: *mut u32,
) -> Result {
    guard(|| {
        let (atlas, given, number) = (&mut exclusive(atlas)?.inner, input(mover)?, out(number)?);
        let (engine, diagonals) = (text(given.engine)?, text(given.diagonals)?);
        let size = if given.size == 0 { 1 } else { given.size };
        let mut mover =
            worlds::mover(engine.unwrap_or("hpa"), size.into(), diagonals.unwrap_or("strict"), "sqrt2")?;
        for (class, &cost) in (0..=u8::MAX).zip(list(given.costs, 256)?) {
            mover = mover.entering(class, cost);
        }
        let without_links = given.without_links != 0;
        if without_links || given.link_kinds != 0 {
            let uses = |kind: &u8| !without_links && given.link_kinds >> kind & 1 != 0;
            mover = mover.using_links(&(0..64).filter(uses).collect::<Vec<_>>());
        }
        atlas.add_mover(mover).map_err(Failure::settings)?;
        number.set(atlas.movers().len() as u32 - 1);
        Ok(())
    })
}

/// Adds a link.
///
/// number: of the link, as stages and farstride_atlas_remove_link name it; may be null.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_add_link(
    atlas: *mut Atlas,
    link: *const Link,
    number: *mut i64,
) -> Result {
    guard(|| {
        let (atlas, given) = (&mut exclusive(atlas)?.inner, input(link)?);
        let (from, to) = (given.from.read()?, given.to.read()?);
        let link = worlds::link(from, to, given.cost, given.one_way != 0, given.kind.into())?;
        let added = atlas.edit(|tiles| tiles.add_link(link)).map_err(Failure::query)?;
        if !number.is_null() {
            out(number)?.set(added.index() as i64);
        }
        Ok(())
    })
}

/// Removes a link. Its number is not used again.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_remove_link(atlas: *mut Atlas, link: i64) -> Result {
    guard(|| {
        if worlds::remove_link(&mut exclusive(atlas)?.inner, link) {
            Ok(())
        } else {
            Err(Failure::query(format!("there is no link {link}")).into())
        }
    })
}

/// Gives rectangles other classes, one after the other. All of them are checked before the first is
/// carried out, and everything that is prepared follows before this returns.
///
/// Nobody else may use the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_edit(atlas: *mut Atlas, fills: *const Fill, count: usize) -> Result {
    guard(|| {
        let (atlas, fills) = (&mut exclusive(atlas)?.inner, list(fills, count)?);
        let numbers = |&Fill { floor, area, terrain_class }: &Fill| {
            [floor, area.x, area.y, area.width, area.height, terrain_class].map(i64::from)
        };
        Ok(worlds::fill_all(atlas, fills.iter().map(numbers))?)
    })
}

/// Prepares everything for a mover, on all cores: maps and indexes of all floors, and the costs between
/// all ends of links.
///
/// Threads may ask the world meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_prepare(atlas: *const Atlas, mover: u32) -> Result {
    guard(|| {
        let atlas = &shared(atlas)?.inner;
        Ok(atlas.prepare(self::mover(atlas, mover)?).map_err(Failure::query)?)
    })
}

/// Frees a world. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_atlas_free(atlas: *mut Atlas) {
    free(atlas);
}

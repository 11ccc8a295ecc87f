//! Worlds: places, movers, links and edits from numbers.

use crate::{Failure, Status, diagonal_cost, diagonals};
use farstride::atlas::{
    Atlas, FloorId, Link, LinkId, Mover, MoverId, Place, TileMap, TripOutcome, TripPlanned,
};
use farstride::{Cell, Cost, Engine, Rect, Rules};

/// A place: floor, column and row; checked as far as types go.
///
/// # Errors
/// [`Failure`] if no world has such a place.
pub fn place([floor, x, y]: [i64; 3]) -> Result<Place, Failure> {
    let outside = || Failure::query(format!("place {floor}: {x},{y} is not in this world"));
    let narrow = |number: i64| u16::try_from(number).map_err(|_| outside());
    Ok(Place::new(FloorId::new(narrow(floor)?), Cell::new(narrow(x)?, narrow(y)?)))
}

/// The classes that have a name, and the names.
pub fn named_classes(tiles: &TileMap) -> impl Iterator<Item = (&str, u8)> {
    (0..=u8::MAX).filter_map(|class| Some((tiles.class_name(class)?, class)))
}

/// The first class of a name.
///
/// # Errors
/// [`Failure`] lists the names there are.
pub fn class_named(tiles: &TileMap, name: &str) -> Result<u8, Failure> {
    tiles.class_named(name).ok_or_else(|| {
        let names: Vec<String> = named_classes(tiles).map(|(name, _)| format!("'{name}'")).collect();
        let known = if names.is_empty() { "none has a name".to_owned() } else { names.join(", ") };
        Failure::query(format!("there is no class '{name}': {known}"))
    })
}

/// A rectangle of a floor and its class: floor, column, row, width, height, class.
///
/// # Errors
/// [`Failure`] if it is empty or not in the world, or the class is not 0 to 255.
pub fn fill(tiles: &TileMap, numbers: [i64; 6]) -> Result<(FloorId, Rect, u8), Failure> {
    let [floor, x, y, width, height, class] = numbers;
    let class =
        u8::try_from(class).map_err(|_| Failure::query(format!("class is {class}; expected 0 to 255")))?;
    let outside =
        || Failure::query(format!("the area {width} x {height} at {floor}: {x},{y} is not in this world"));
    let last = |first: i64, count: i64| first.saturating_add(count.saturating_sub(1));
    let (from, to) = (place([floor, x, y]), place([floor, last(x, width), last(y, height)]));
    let (Ok(from), Ok(to)) = (from, to) else { return Err(outside()) };
    if width < 1 || height < 1 || !tiles.contains(from) || !tiles.contains(to) {
        return Err(outside());
    }
    Ok((from.floor, Rect::spanning(from.cell, to.cell), class))
}

/// Gives rectangles other classes, one after the other; all are checked before the first is
/// carried out.
///
/// # Errors
/// As [`fill`].
pub fn fill_all(atlas: &mut Atlas, all: impl IntoIterator<Item = [i64; 6]>) -> Result<(), Failure> {
    let read = |numbers| fill(atlas.tiles(), numbers);
    let fills = all.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    atlas.edit(|tiles| {
        fills
            .into_iter()
            .try_for_each(|(floor, area, class)| tiles.fill(floor, area, class).map_err(Failure::query))
    })
}

/// A mover that enters nothing yet.
///
/// # Errors
/// [`Failure`] names an engine or a rule that does not exist, or a size out of range.
pub fn mover(engine: &str, size: i64, rule: &str, cost: &str) -> Result<Mover, Failure> {
    let engine: Engine = engine.parse().map_err(Failure::settings)?;
    // For maps these are faults of the map.
    let setting = |failure: Failure| Failure::settings(failure.message);
    let rules = Rules {
        diagonals: diagonals(rule).map_err(setting)?,
        diagonal_cost: diagonal_cost(cost).map_err(setting)?,
    };
    let size = u16::try_from(size)
        .map_err(|_| Failure::settings(format!("size is {size}; expected 1 to {}", Mover::MAX_SIZE)))?;
    Ok(Mover::new().sized(size).moving_by(rules).with_engine(engine))
}

/// A link: from a place to another, what it costs, whether it leads one way only, its kind.
///
/// # Errors
/// [`Failure`] names what is out of range.
pub fn link(from: Place, to: Place, cost: i64, one_way: bool, kind: i64) -> Result<Link, Failure> {
    let wrong = |what: &str, number: i64, most: u64| {
        Failure::query(format!("{what} of a link is {number}; expected at most {most}, and no less than 0"))
    };
    let units = u64::try_from(cost).ok().and_then(|units| Cost::new(units).ok());
    let units = units.ok_or_else(|| wrong("cost", cost, Cost::MAX.units()))?;
    let of_kind = u8::try_from(kind).map_err(|_| wrong("kind", kind, u64::from(Link::KINDS) - 1))?;
    let link = Link::new(from, to, units).of_kind(of_kind);
    Ok(if one_way { link.one_way() } else { link })
}

/// Removes a link by its number; whether it was there.
pub fn remove_link(atlas: &mut Atlas, link: i64) -> bool {
    let id: Option<LinkId> = atlas.tiles().links().map(|(id, _)| id).find(|id| id.index() as i64 == link);
    id.is_some_and(|id| atlas.edit(|tiles| tiles.remove_link(id)).is_some())
}

/// A mover of a world by its number.
///
/// # Errors
/// [`Failure`] says how many there are.
pub fn mover_numbered(atlas: &Atlas, number: i64) -> Result<MoverId, Failure> {
    let mover = usize::try_from(number).ok().and_then(|number| atlas.movers().nth(number));
    let none = || Failure::query(format!("there is no mover {number}: there are {}", atlas.movers().len()));
    mover.map(|(id, _)| id).ok_or_else(none)
}

impl Status {
    /// How a query of a world ended.
    pub const fn of_trip(outcome: &TripOutcome<'_>) -> Self {
        match outcome {
            TripOutcome::Found(_) => Self::Found,
            TripOutcome::AlreadyThere => Self::AlreadyThere,
            TripOutcome::StartBlocked => Self::StartBlocked,
            TripOutcome::GoalBlocked => Self::GoalBlocked,
            _ => Self::Unreachable,
        }
    }

    /// How planning in a world ended.
    pub const fn of_trip_plan(planned: &TripPlanned) -> Self {
        match planned {
            TripPlanned::Plan(_) => Self::Found,
            TripPlanned::AlreadyThere => Self::AlreadyThere,
            TripPlanned::StartBlocked => Self::StartBlocked,
            TripPlanned::GoalBlocked => Self::GoalBlocked,
            _ => Self::Unreachable,
        }
    }
}

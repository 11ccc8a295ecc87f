//! Hierarchies of blocks that are kept: what is saved of one, and one from
//! lists that somebody else wrote.
//!
//! Finding the parts of every block again would take a third of the time of a
//! build, so they are saved. So that forged lists do no harm, opening proves
//! what queries and updates rely on: numbers in range, tables that fit the
//! groups and the map, representatives inside their parts, arcs in order. What
//! is taken on trust is that members of a part can reach each other, and that
//! arcs are where they should be at costs that are right. Costs that are not
//! make paths longer; where the rest is not, queries fall back to A*.
//! [`GridGroups::verify`] proves all of it.

use super::floor::UpperFloor;
use super::interior::VACANT;
use super::kept::{CorruptGroups, Kept, put_table, take_table};
use super::level::{Arc, Level};
use super::{BlockSettings, Blocks, GridGroups, GroupHierarchy, GroupId, Grouping, Members};
use crate::base::{Cell, Cost, Node};
use crate::grid::Grid;

/// How large a level is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct LevelCounts {
    /// Groups of the level.
    pub groups: usize,
    /// Their parts: the nodes that a plan on the level sees.
    pub parts: usize,
    /// Arcs between these.
    pub arcs: usize,
}

impl LevelCounts {
    fn of(level: &Level) -> Self {
        let arcs = level.arcs.iter().map(|row| row.len()).sum();
        Self { groups: level.group_count(), parts: level.part_count(), arcs }
    }
}

impl GridGroups {
    /// A digest of settings and levels: the same on every platform, for every
    /// number of threads, after any edits.
    ///
    /// # Complexity
    /// Linear in the size of the hierarchy.
    pub fn digest(&self) -> u64 {
        self.kept().digest(self.settings)
    }

    /// How large each level is, the lowest first.
    pub fn counts(&self) -> Vec<LevelCounts> {
        self.hierarchy.levels.iter().map(LevelCounts::of).collect()
    }

    /// What is saved.
    pub(crate) fn kept(&self) -> Kept {
        let GroupHierarchy { levels, uppers, .. } = &self.hierarchy;
        let mut kept = Kept::default();
        for (number, level) in levels.iter().enumerate() {
            let below = number.checked_sub(1).map(|below| (&levels[below], &uppers[below]));
            for group in (0..level.group_count() as u32).map(GroupId::new) {
                let parts = level.parts(group);
                kept.counts.push(parts.len() as u32);
                if let Some(table) = &level.tables[group.index()] {
                    put_table(table, parts.len() as u32, &mut kept.tables);
                }
                for part in parts {
                    let node = level.representatives[part as usize];
                    kept.places.push(match below {
                        None => self.place(Cell::unpack(node)),
                        Some((below, members)) => place_among(below, members, group, node),
                    });
                    let row = &level.arcs[part as usize];
                    kept.degrees.push(row.len() as u32);
                    kept.heads.extend(row.iter().map(|arc| arc.to));
                    kept.costs.extend(row.iter().map(|arc| arc.cost.units()));
                }
            }
        }
        kept
    }

    /// The place of a cell in its block.
    fn place(&self, cell: Cell) -> u32 {
        let side = u32::from(self.settings.block);
        u32::from(cell.y) % side * side + u32::from(cell.x) % side
    }

    /// Whether every part, arc and cost is what a build on this map gives.
    /// Opening a file proves what queries need to be safe; this proves that
    /// their answers are as good as they can be.
    ///
    /// # Complexity
    /// That of a build.
    ///
    /// # Errors
    /// [`CorruptGroups`] names the first group of which something is not.
    ///
    /// # Example
    /// ```
    /// use farstride::groups::{BlockSettings, GridGroups};
    /// use farstride::{Cell, Grid, Rect};
    ///
    /// let mut grid = Grid::open(60, 40)?;
    /// let groups = GridGroups::build(&grid, BlockSettings::default())?;
    /// assert!(groups.verify(&grid).is_ok());
    /// grid.block(Rect::spanning(Cell::new(10, 0), Cell::new(10, 39)))?;
    /// assert!(groups.verify(&grid).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self, grid: &Grid) -> Result<(), CorruptGroups> {
        let fresh = Self::built_in_range(grid, self.settings);
        if *self == fresh {
            return Ok(());
        }
        let levels = (1..).zip(self.hierarchy.levels.iter().zip(&fresh.hierarchy.levels));
        let difference = levels.filter_map(|(number, (found, expected))| {
            let mut groups = (0..found.group_count().min(expected.group_count()) as u32).map(GroupId::new);
            groups
                .find_map(|group| Some(CorruptGroups::at(number, group, difference(found, expected, group)?)))
        });
        let whole = CorruptGroups::whole("is of a map of another size");
        Err(difference.into_iter().next().unwrap_or(whole))
    }
}

/// The place of a node among the representatives of the parts in a group.
fn place_among(below: &Level, members: &Members, group: GroupId, node: u32) -> u32 {
    let mut nodes = parts_in(below, members, group).map(|part| below.representatives[part as usize]);
    nodes.position(|found| found == node).unwrap_or_default() as u32
}

/// The parts of a level that lie in a group of the next.
fn parts_in(below: &Level, members: &Members, group: GroupId) -> impl Iterator<Item = u32> {
    let groups = members.members(group).iter().map(|group| GroupId::new(group.index() as u32));
    groups.flat_map(|group| below.parts(group))
}

/// What is not the same of a group on two levels.
fn difference(one: &Level, other: &Level, group: GroupId) -> Option<&'static str> {
    let representatives = |level: &Level| -> Vec<u32> {
        level.parts(group).map(|part| level.representatives[part as usize]).collect()
    };
    let rows = |level: &Level| -> Vec<Box<[Arc]>> {
        level.parts(group).map(|part| level.arcs[part as usize].clone()).collect()
    };
    if one.parts(group).len() != other.parts(group).len()
        || one.tables[group.index()] != other.tables[group.index()]
    {
        Some("has other parts")
    } else if representatives(one) != representatives(other) {
        Some("has other representatives")
    } else if rows(one) != rows(other) {
        Some("has other arcs")
    } else {
        None
    }
}

/// A hierarchy of blocks that is as sound as can be told without the map.
///
/// # Invariants
///
/// Those of [`Level`] but for the second half of 2, and:
///
/// 1. There are as many levels and groups as settings and size say.
/// 2. A group has no more parts than places; above the first level it has some
///    exactly if there are any below.
/// 3. The table of a group with several parts has an entry per place and names
///    each of them; above the first level no place is vacant.
/// 4. The representative of a part is in it: a cell of the map, or the
///    representative of a part of the level below.
pub(crate) struct Unbound {
    settings: BlockSettings,
    levels: Vec<Level>,
    uppers: Vec<Members>,
}

impl Unbound {
    /// The hierarchy of a map of some size that these lists were saved of.
    /// The settings must be in range.
    pub(crate) fn new(
        kept: &Kept,
        settings: BlockSettings,
        (width, height): (usize, usize),
    ) -> Result<Self, CorruptGroups> {
        let spans = settings.spans(width, height);
        let groups: usize = spans.iter().map(|&[columns, rows]| columns as usize * rows as usize).sum();
        // Before memory is taken for them.
        if groups != kept.counts.len() {
            return Err(CorruptGroups::whole("has another number of groups than its settings demand"));
        }
        let uppers = settings.uppers(&spans);
        let mut levels: Vec<Level> = Vec::new();
        let mut rest = Rest::of(kept);
        for (at, &[columns, rows]) in spans.iter().enumerate() {
            let floor = match levels.last() {
                None => Floor::Cells { side: settings.block.into(), columns, width, height },
                Some(below) => Floor::Parts { below, members: &uppers[at - 1] },
            };
            let level = rest.level(at + 1, columns as usize * rows as usize, &floor)?;
            if let Some(below) = levels.last_mut() {
                below.lie_in(&level, &uppers[at - 1]);
            }
            levels.push(level);
        }
        if !rest.is_empty() {
            return Err(CorruptGroups::whole("has more in its lists than its groups"));
        }
        Ok(Self { settings, levels, uppers })
    }

    /// How it was made.
    pub(crate) const fn settings(&self) -> BlockSettings {
        self.settings
    }

    /// How large each level is, the lowest first.
    pub(crate) fn counts(&self) -> Vec<LevelCounts> {
        self.levels.iter().map(LevelCounts::of).collect()
    }

    /// The hierarchy as that of a map of this size: proves that its parts hold
    /// the free cells and no others.
    pub(crate) fn bound_to(self, grid: &Grid) -> Result<GridGroups, CorruptGroups> {
        let Self { settings, levels, uppers } = self;
        let blocks = Blocks::new(grid, settings.block);
        for (level, group) in levels.first().into_iter().flat_map(Level::groups) {
            if !level.holds_free_cells(group, grid, &blocks) {
                return Err(CorruptGroups::at(1, group, "has parts that are not those of the map"));
            }
        }
        let hierarchy = GroupHierarchy::of_levels(levels, uppers, settings.connection);
        Ok(GridGroups { settings, hierarchy, contents: grid.contents() })
    }
}

impl Level {
    fn groups(&self) -> impl Iterator<Item = (&Self, GroupId)> {
        (0..self.group_count() as u32).map(move |group| (self, GroupId::new(group)))
    }

    /// Whether the parts of a block hold its free cells and no others.
    fn holds_free_cells(&self, group: GroupId, grid: &Grid, blocks: &Blocks<'_>) -> bool {
        let parts = self.parts(group);
        let Some(table) = &self.tables[group.index()] else {
            if parts.len() == 1 {
                return grid.is_free(Cell::unpack(self.representatives[parts.start as usize]));
            }
            let mut is_empty = true;
            blocks.for_each_member(group, |_: Cell| is_empty = false);
            return is_empty;
        };
        let mut vacant = table.len();
        let mut all_known = true;
        blocks.for_each_member(group, |cell: Cell| {
            all_known &= table[blocks.locate(cell).1] != VACANT;
            vacant -= 1;
        });
        all_known && table.iter().filter(|&&part| part == VACANT).count() == vacant
    }

    /// Notes which part of the next level each part lies in.
    fn lie_in(&mut self, above: &Self, members: &Members) {
        let nowhere = |_: Cell| None;
        let floor = UpperFloor::new(self, members, &nowhere);
        let parts = 0..self.part_count() as u32;
        self.above = parts.map(|part| floor.part_above(above, part)).collect();
    }
}

/// What the groups of a level are made of.
enum Floor<'a> {
    Cells { side: u32, columns: u32, width: usize, height: usize },
    Parts { below: &'a Level, members: &'a Members },
}

impl Floor<'_> {
    fn places(&self, group: GroupId) -> usize {
        match *self {
            Self::Cells { side, .. } => (side * side) as usize,
            Self::Parts { below, members } => parts_in(below, members, group).count(),
        }
    }

    /// The node, packed, that is at a place of a group or represents what is.
    fn node_at(&self, group: GroupId, place: u32) -> Option<u32> {
        match *self {
            Self::Cells { side, columns, width, height } => {
                let group = group.index() as u32;
                let x = group % columns * side + place % side;
                let y = group / columns * side + place / side;
                let is_inside = place < side * side && (x as usize) < width && (y as usize) < height;
                is_inside.then(|| Cell::new(x as u16, y as u16).pack())
            }
            Self::Parts { below, members } => {
                let part = parts_in(below, members, group).nth(place as usize)?;
                Some(below.representatives[part as usize])
            }
        }
    }
}

/// What is left of the lists.
struct Rest<'k> {
    counts: &'k [u32],
    tables: &'k [u8],
    places: &'k [u32],
    degrees: &'k [u32],
    heads: &'k [u32],
    costs: &'k [u64],
}

/// Takes the first entries of a list away, if there are as many.
fn take<'k, T>(list: &mut &'k [T], count: usize) -> Option<&'k [T]> {
    let (taken, rest) = list.split_at_checked(count)?;
    *list = rest;
    Some(taken)
}

const TOO_SHORT: CorruptGroups = CorruptGroups::whole("has less in its lists than its groups");

impl<'k> Rest<'k> {
    fn of(kept: &'k Kept) -> Self {
        let Kept { counts, tables, places, degrees, heads, costs } = kept;
        Self { counts, tables, places, degrees, heads, costs }
    }

    const fn is_empty(&self) -> bool {
        let Self { counts, tables, places, degrees, heads, costs } = self;
        counts.is_empty()
            && tables.is_empty()
            && places.is_empty()
            && degrees.is_empty()
            && heads.is_empty()
            && costs.is_empty()
    }

    /// Takes what belongs to a level of so many groups.
    fn level(&mut self, number: usize, groups: usize, floor: &Floor<'_>) -> Result<Level, CorruptGroups> {
        let counts = take(&mut self.counts, groups).ok_or(TOO_SHORT)?;
        let parts: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        // Before memory is taken for them.
        if parts > self.places.len().min(VACANT as usize - 1) as u64 {
            return Err(TOO_SHORT);
        }
        let mut level = Level { first_part: vec![0], ..Level::default() };
        for (&count, group) in counts.iter().zip((0..).map(GroupId::new)) {
            let flawed = |flaw| CorruptGroups::at(number, group, flaw);
            self.take_parts(&mut level, group, count, floor).map_err(flawed)?;
        }
        for part in 0..parts as u32 {
            let flawed = |flaw| CorruptGroups::at(number, GroupId::new(level.group_of[part as usize]), flaw);
            let row = self.take_row(part, parts as u32).map_err(flawed)?;
            level.arcs.push(row);
        }
        level.sources = level.find_sources();
        Ok(level)
    }

    /// Takes the parts of a group and proves 2 to 4.
    fn take_parts(
        &mut self,
        level: &mut Level,
        group: GroupId,
        count: u32,
        floor: &Floor<'_>,
    ) -> Result<(), &'static str> {
        let places = floor.places(group);
        let is_ground = matches!(floor, Floor::Cells { .. });
        if count as usize > places || (!is_ground && (count == 0) != (places == 0)) {
            return Err("has parts that it has no room for");
        }
        let table = if count > 1 {
            let table = take_table(&mut self.tables, places, count);
            let table = table.filter(|table| is_ground || !table.contains(&VACANT));
            Some(table.ok_or("has a table that does not fit its parts")?)
        } else {
            None
        };
        let places = take(&mut self.places, count as usize).ok_or("has no representatives")?;
        for (&place, part) in places.iter().zip(0..) {
            let is_inside = |table: &[u32]| table.get(place as usize) == Some(&part);
            let node = floor.node_at(group, place).filter(|_| table.as_deref().is_none_or(is_inside));
            level.representatives.push(node.ok_or("is represented from outside")?);
        }
        level.group_of.resize(level.group_of.len() + count as usize, group.index() as u32);
        level.first_part.push(level.group_of.len() as u32);
        level.tables.push(table);
        Ok(())
    }

    /// Takes the arcs of a part of a level of so many.
    fn take_row(&mut self, part: u32, parts: u32) -> Result<Box<[Arc]>, &'static str> {
        const MISSING: &str = "has arcs that are not there";
        let &[degree] = take(&mut self.degrees, 1).ok_or(MISSING)? else { return Err(MISSING) };
        let heads = take(&mut self.heads, degree as usize).ok_or(MISSING)?;
        let costs = take(&mut self.costs, degree as usize).ok_or(MISSING)?;
        let is_rising = heads.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_rising || heads.last().is_some_and(|&head| head >= parts) || heads.contains(&part) {
            return Err("has arcs that lead nowhere or are not in order");
        }
        let arc = |(&to, &units): (&u32, &u64)| Arc { to, cost: Cost::from_units(units) };
        Ok(heads.iter().zip(costs).map(arc).collect())
    }
}

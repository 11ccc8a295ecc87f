//! Saving an index of squares, and restoring it from bytes that may be forged.
//!
//! Parts are saved, because finding them again takes a third of the time of a build.
//! Opening an index validates everything that queries and updates rely on for safety:
//! indices in range, tables that fit the groups and the map, representatives inside
//! their parts, arcs in order.
//!
//! It does not validate that the members of a part can reach each other, or that arcs
//! and costs are right. Wrong costs make routes longer; where anything else is wrong,
//! queries fall back to A* on the whole map. [`GridGroups::verify`] checks all of it.

use super::below::LevelBelow;
use super::kept::{CorruptGroups, Kept, put_table, take_table};
use super::level::{Arc, Level};
use super::part::{LocalPart, PartId};
use super::{GridGroupSettings, GridGroups, GroupHierarchy, GroupId, Grouping, Members, Squares};
use crate::base::{Cell, Cost, Inconsistent, Node};
use crate::grid::Grid;

/// The size of a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct GroupLevelCounts {
    /// Number of groups.
    pub groups: usize,
    /// Number of parts, which are the nodes that a plan sees on the level.
    pub parts: usize,
    /// Number of arcs between parts.
    pub arcs: usize,
}

impl GroupLevelCounts {
    fn of(level: &Level) -> Self {
        let arcs = level.arcs.iter().map(|row| row.len()).sum();
        Self { groups: level.group_count(), parts: level.part_count(), arcs }
    }
}

impl GridGroups {
    /// Digest of settings and levels: the same on every platform, for any number of
    /// threads, after any edits.
    ///
    /// # Complexity
    /// O(size of the index).
    pub fn digest(&self) -> u64 {
        self.kept().digest(self.settings)
    }

    /// The size of each level, the lowest first.
    #[doc(hidden)]
    pub fn counts(&self) -> Vec<GroupLevelCounts> {
        self.hierarchy.levels.iter().map(GroupLevelCounts::of).collect()
    }

    /// Returns the lists that are saved.
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
                for part in parts.iter() {
                    let node = level.representatives[part.index()];
                    kept.places.push(match below {
                        None => self.place(Cell::unpack(node)),
                        Some((below, members)) => place_among(below, members, group, node),
                    });
                    let row = &level.arcs[part.index()];
                    kept.degrees.push(row.len() as u32);
                    kept.heads.extend(row.iter().map(|arc| arc.to.raw()));
                    kept.costs.extend(row.iter().map(|arc| arc.cost.units()));
                }
            }
        }
        kept
    }

    /// The place of a cell in its square.
    fn place(&self, cell: Cell) -> u32 {
        let side = u32::from(self.settings.side);
        u32::from(cell.y) % side * side + u32::from(cell.x) % side
    }

    /// Checks that every part, arc and cost equals what a build on this map gives.
    ///
    /// Opening a file validates what queries need to be safe; this proves that their
    /// answers are as good as those of a fresh index.
    ///
    /// # Complexity
    /// That of a build.
    ///
    /// # Errors
    /// [`Inconsistent`] names the first group that differs.
    ///
    /// # Example
    /// ```
    /// use farstride::groups::{GridGroupSettings, GridGroups};
    /// use farstride::{Cell, Grid, Rect};
    ///
    /// let mut grid = Grid::empty(60, 40)?;
    /// let groups = GridGroups::build(&grid, GridGroupSettings::default())?;
    /// assert!(groups.verify(&grid).is_ok());
    /// grid.block(Rect::spanning(Cell::new(10, 0), Cell::new(10, 39)))?;
    /// assert!(groups.verify(&grid).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self, grid: &Grid) -> Result<(), Inconsistent> {
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
        Err(difference.into_iter().next().unwrap_or(whole).into())
    }
}

/// The place of a representative among the representatives of the parts inside a group.
///
/// Saved as a place, not as a cell: it takes fewer bytes, and cannot name a cell
/// outside the group.
fn place_among(below: &Level, members: &Members, group: GroupId, node: u32) -> u32 {
    let mut nodes = below.parts_inside(members, group).map(|part| below.representatives[part.index()]);
    nodes.position(|found| found == node).unwrap_or_default() as u32
}

/// What differs in a group between two levels, if anything.
fn difference(one: &Level, other: &Level, group: GroupId) -> Option<&'static str> {
    let representatives =
        |level: &Level| -> Vec<u32> { level.representatives[level.parts(group).indices()].to_vec() };
    let rows = |level: &Level| -> Vec<Box<[Arc]>> { level.arcs[level.parts(group).indices()].to_vec() };
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

/// An index that has been validated as far as possible without the map.
///
/// # Invariants
///
/// Those of [`Level`] except the second half of 2, and:
///
/// 1. The number of levels and groups follows from settings and map size.
/// 2. A group has at most as many parts as places. Above the first level it has parts
///    exactly if there are parts below.
/// 3. The table of a group with several parts has an entry per place and names every
///    part; above the first level no place is vacant.
/// 4. The representative of a part lies in it: a cell of the map, or the representative
///    of a part of the level below.
pub(crate) struct Unbound {
    settings: GridGroupSettings,
    levels: Vec<Level>,
    uppers: Vec<Members>,
}

impl Unbound {
    /// Restores the index of a map of some size from saved lists. The settings must be
    /// in range.
    pub(crate) fn new(
        kept: &Kept,
        settings: GridGroupSettings,
        (width, height): (usize, usize),
    ) -> Result<Self, CorruptGroups> {
        let level_sizes = settings.level_sizes(width, height);
        let groups: usize = level_sizes.iter().map(|&[columns, rows]| columns as usize * rows as usize).sum();
        // Before anything is allocated for them: forged settings may ask for a lot.
        if groups != kept.counts.len() {
            return Err(CorruptGroups::whole("has another number of groups than its settings demand"));
        }
        let uppers = settings.uppers(&level_sizes);
        let mut levels: Vec<Level> = Vec::new();
        let mut lists = ListReader::of(kept);
        for (at, &[columns, rows]) in level_sizes.iter().enumerate() {
            let below = match levels.last() {
                None => LowerNodes::Cells { side: settings.side.into(), columns, width, height },
                Some(below) => LowerNodes::Parts { below, members: &uppers[at - 1] },
            };
            let level = lists.level(at + 1, columns as usize * rows as usize, &below)?;
            if let Some(below) = levels.last_mut() {
                below.set_parts_above(&level, &uppers[at - 1]);
            }
            levels.push(level);
        }
        if !lists.is_empty() {
            return Err(CorruptGroups::whole("has more in its lists than its groups"));
        }
        Ok(Self { settings, levels, uppers })
    }

    /// The settings that it was built with.
    pub(crate) const fn settings(&self) -> GridGroupSettings {
        self.settings
    }

    /// The size of each level, the lowest first.
    pub(crate) fn counts(&self) -> Vec<GroupLevelCounts> {
        self.levels.iter().map(GroupLevelCounts::of).collect()
    }

    /// Binds the index to a map of this size: checks that its parts hold exactly the
    /// free cells.
    pub(crate) fn bound_to(self, grid: &Grid) -> Result<GridGroups, CorruptGroups> {
        let Self { settings, levels, uppers } = self;
        let squares = Squares::new(grid, settings.side);
        for (level, group) in levels.first().into_iter().flat_map(Level::groups) {
            if !level.holds_free_cells(group, grid, &squares) {
                return Err(CorruptGroups::at(1, group, "has parts that are not those of the map"));
            }
        }
        let hierarchy = GroupHierarchy::from_levels(levels, uppers, settings.connection);
        Ok(GridGroups { settings, hierarchy, revision: grid.revision() })
    }
}

impl Level {
    fn groups(&self) -> impl Iterator<Item = (&Self, GroupId)> {
        (0..self.group_count() as u32).map(move |group| (self, GroupId::new(group)))
    }

    /// Whether the parts of a square hold exactly its free cells.
    fn holds_free_cells(&self, group: GroupId, grid: &Grid, squares: &Squares<'_>) -> bool {
        let parts = self.parts(group);
        let Some(table) = &self.tables[group.index()] else {
            // One part has no table to compare with: all free cells are in it. Only the
            // representative could be wrong.
            if parts.len() == 1 {
                return grid.is_free(Cell::unpack(self.representatives[parts.start().index()]));
            }
            let mut is_empty = true;
            squares.for_each_member(group, |_: Cell| is_empty = false);
            return is_empty;
        };
        let mut vacant = table.len();
        let mut all_known = true;
        squares.for_each_member(group, |cell: Cell| {
            all_known &= table[squares.locate(cell).1] != LocalPart::VACANT;
            vacant -= 1;
        });
        // As many vacant places as cells that are not free, and no free cell among
        // them: so each vacant place is one of these cells.
        all_known && table.iter().filter(|&&part| part == LocalPart::VACANT).count() == vacant
    }

    /// Computes which part of the next level each part lies in.
    fn set_parts_above(&mut self, above: &Self, members: &Members) {
        let nowhere = |_: Cell| None;
        self.above = LevelBelow::new(self, members, &nowhere).parts_above(above);
    }
}

/// The nodes that the groups of a level consist of.
enum LowerNodes<'a> {
    Cells { side: u32, columns: u32, width: usize, height: usize },
    Parts { below: &'a Level, members: &'a Members },
}

impl LowerNodes<'_> {
    fn places(&self, group: GroupId) -> usize {
        match *self {
            Self::Cells { side, .. } => (side * side) as usize,
            Self::Parts { below, members } => below.parts_inside(members, group).count(),
        }
    }

    /// The cell at a place of a group, or the representative of the part there, packed.
    fn node_at(&self, group: GroupId, place: u32) -> Option<u32> {
        match *self {
            Self::Cells { side, columns, width, height } => {
                let group = group.raw();
                let x = group % columns * side + place % side;
                let y = group / columns * side + place / side;
                let is_inside = place < side * side && (x as usize) < width && (y as usize) < height;
                is_inside.then(|| Cell::new(x as u16, y as u16).pack())
            }
            Self::Parts { below, members } => {
                let part = below.parts_inside(members, group).nth(place as usize)?;
                Some(below.representatives[part.index()])
            }
        }
    }
}

/// The rest of the saved lists while levels are read from them.
struct ListReader<'k> {
    counts: &'k [u32],
    tables: &'k [u8],
    places: &'k [u32],
    degrees: &'k [u32],
    heads: &'k [u32],
    costs: &'k [u64],
}

/// Removes and returns the first `count` entries of a list; `None` if there are fewer.
fn take<'k, T>(list: &mut &'k [T], count: usize) -> Option<&'k [T]> {
    let (taken, lists) = list.split_at_checked(count)?;
    *list = lists;
    Some(taken)
}

const TOO_SHORT: CorruptGroups = CorruptGroups::whole("has less in its lists than its groups");

impl<'k> ListReader<'k> {
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

    /// Reads a level of `groups` groups.
    fn level(
        &mut self,
        number: usize,
        groups: usize,
        below: &LowerNodes<'_>,
    ) -> Result<Level, CorruptGroups> {
        let counts = take(&mut self.counts, groups).ok_or(TOO_SHORT)?;
        let parts: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        // Before anything is allocated for them: every part has a representative in the
        // file.
        if parts > self.places.len().min(u32::MAX as usize - 1) as u64 {
            return Err(TOO_SHORT);
        }
        let mut level = Level { first_part: vec![PartId::new(0)], ..Level::default() };
        for (&count, group) in counts.iter().zip((0..).map(GroupId::new)) {
            let flawed = |flaw| CorruptGroups::at(number, group, flaw);
            self.take_parts(&mut level, group, count, below).map_err(flawed)?;
        }
        for part in (0..parts as u32).map(PartId::new) {
            let flawed = |flaw| CorruptGroups::at(number, level.group_of[part.index()], flaw);
            let row = self.take_row(part, parts as u32).map_err(flawed)?;
            level.arcs.push(row);
        }
        level.sources = level.find_sources();
        Ok(level)
    }

    /// Reads the parts of a group and proves invariants 2 to 4.
    fn take_parts(
        &mut self,
        level: &mut Level,
        group: GroupId,
        count: u32,
        below: &LowerNodes<'_>,
    ) -> Result<(), &'static str> {
        let places = below.places(group);
        let is_lowest = matches!(below, LowerNodes::Cells { .. });
        if count as usize > places || (!is_lowest && (count == 0) != (places == 0)) {
            return Err("has parts that it has no room for");
        }
        let table = if count > 1 {
            let table = take_table(&mut self.tables, places, count);
            let table = table.filter(|table| is_lowest || !table.contains(&LocalPart::VACANT));
            Some(table.ok_or("has a table that does not fit its parts")?)
        } else {
            None
        };
        let places = take(&mut self.places, count as usize).ok_or("has no representatives")?;
        for (&place, part) in places.iter().zip((0..).map(LocalPart::new)) {
            let is_inside = |table: &[LocalPart]| table.get(place as usize) == Some(&part);
            let node = below.node_at(group, place).filter(|_| table.as_deref().is_none_or(is_inside));
            level.representatives.push(node.ok_or("is represented from outside")?);
        }
        level.group_of.resize(level.group_of.len() + count as usize, group);
        level.first_part.push(level.all_parts().end());
        level.tables.push(table);
        Ok(())
    }

    /// Reads the arcs of a part, on a level of `parts` parts.
    fn take_row(&mut self, part: PartId, parts: u32) -> Result<Box<[Arc]>, &'static str> {
        const MISSING: &str = "has arcs that are not there";
        let &[degree] = take(&mut self.degrees, 1).ok_or(MISSING)? else { return Err(MISSING) };
        let heads = take(&mut self.heads, degree as usize).ok_or(MISSING)?;
        let costs = take(&mut self.costs, degree as usize).ok_or(MISSING)?;
        let is_rising = heads.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_rising || heads.last().is_some_and(|&head| head >= parts) || heads.contains(&part.raw()) {
            return Err("has arcs that lead nowhere or are not in order");
        }
        let arc = |(&to, &units): (&u32, &u64)| Arc { to: PartId::new(to), cost: Cost::from_units(units) };
        Ok(heads.iter().zip(costs).map(arc).collect())
    }
}

//! Saving subgoal graphs, and opening what somebody else saved.
//!
//! Only levels and edges are saved. Subgoals, clearances and headings are found on
//! the map again, which is quick. Opening proves everything queries rely on
//! ([`Parts`], [`NLevelGraph::from_parts`]), so that forged bytes do no harm:
//! queries end, and paths are legal. Costs cannot be forged, because they are
//! distances on the map. Not proved is that levels and edges are those of a
//! partition, so that paths are shortest; [`SubgoalGraph::verify`] proves that too.

use super::clearance::Clearance;
use super::graph::SubgoalGraph;
use super::heading::{Headings, diagonal, mixed};
use super::settings::SubgoalSettings;
use crate::base::{Cell, Direction, Inconsistent};
use crate::grid::{Diagonals, Grid};
use crate::nlevel::{CorruptGraph, NLevelCounts, NLevelGraph, Parts, Places, Turns};

/// Two graphs are equal if they give the same answers. They may belong to different
/// maps with the same cells, so revisions are not compared.
impl PartialEq for SubgoalGraph {
    fn eq(&self, other: &Self) -> bool {
        let Self { settings, clearance, cells, headings, levels, revision: _ } = self;
        *settings == other.settings
            && *clearance == other.clearance
            && *cells == other.cells
            && *headings == other.headings
            && *levels == other.levels
    }
}

impl Eq for SubgoalGraph {}

impl SubgoalGraph {
    /// Returns a digest of levels and edges. Equal graphs have equal digests on
    /// every platform, whatever the number of threads, and whether they were built
    /// at once or followed edits.
    ///
    /// # Complexity
    /// O(nodes + edges).
    pub fn digest(&self) -> u64 {
        self.to_parts().digest()
    }

    /// Counts the subgoals and edges of each level, the lowest level first.
    #[doc(hidden)]
    pub fn counts(&self) -> Vec<NLevelCounts> {
        self.to_parts().counts()
    }

    /// The levels and edges, as they are saved.
    pub(crate) fn to_parts(&self) -> Parts {
        self.levels.to_parts(self.settings.allows_extra())
    }

    /// Rebuilds the graph of a map from saved levels and edges.
    ///
    /// # Errors
    /// [`CorruptGraph`] if they do not fit the map or the settings, or break an
    /// invariant that queries rely on.
    pub(crate) fn restore(
        parts: &Parts,
        grid: &Grid,
        settings: SubgoalSettings,
    ) -> Result<Self, CorruptGraph> {
        if parts.level_count() > settings.most_levels().unwrap_or(u32::MAX).max(1) {
            return Err(CorruptGraph::whole("has more levels than its settings allow"));
        }
        let clearance = Clearance::new(grid);
        let cells = clearance.subgoal_cells();
        if parts.node_count() != cells.len() {
            return Err(CorruptGraph::whole("has another number of nodes than the map has subgoals"));
        }
        let headings = Headings::new(grid, &cells);
        let places = OnMap { grid, cells: &cells, headings: &headings };
        let levels = NLevelGraph::from_parts(parts, &places)?;
        let mut graph =
            Self { settings, cells: cells.into(), clearance, headings, levels, revision: grid.revision() };
        graph.mark_plain_edges(grid);
        Ok(graph)
    }

    /// Checks that every level and edge is what a build on this map gives. Opening a
    /// file proves that queries are safe; this proves that their answers are right.
    ///
    /// # Complexity
    /// Same as a build.
    ///
    /// # Errors
    /// [`Inconsistent`] names the first subgoal with another level or other edges.
    ///
    /// # Example
    /// ```
    /// use farstride::subgoal::{SubgoalSettings, SubgoalGraph};
    /// use farstride::{Cell, Grid};
    ///
    /// let mut grid = Grid::empty(60, 40)?;
    /// let graph = SubgoalGraph::build(&grid, SubgoalSettings::default());
    /// assert!(graph.verify(&grid).is_ok());
    /// grid.block(Cell::new(10, 10))?;
    /// assert!(graph.verify(&grid).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self, grid: &Grid) -> Result<(), Inconsistent> {
        let fresh = Self::build(grid, self.settings);
        if *self == fresh {
            return Ok(());
        }
        if self.cells != fresh.cells {
            return Err(CorruptGraph::whole("has other subgoals than the map").into());
        }
        let difference = self.to_parts().difference(&fresh.to_parts());
        Err(difference.unwrap_or(CorruptGraph::whole("is of a map with other cells or rules")).into())
    }
}

/// The subgoals on their map, from which costs and classes follow.
struct OnMap<'m> {
    grid: &'m Grid,
    cells: &'m [Cell],
    headings: &'m Headings,
}

impl Places for OnMap<'_> {
    #[inline]
    fn distance(&self, from: u32, to: u32) -> u32 {
        self.grid.rules().distance(self.cells[from as usize], self.cells[to as usize]).units() as u32
    }

    #[inline]
    fn class(&self, from: u32, to: u32) -> u8 {
        let four_connected = self.grid.rules().diagonals == Diagonals::None;
        class(self.cells[from as usize], self.cells[to as usize], four_connected)
    }

    #[inline]
    fn back(&self, class: u8) -> u8 {
        self.headings.back(class)
    }

    fn is_plain(&self, one: u32, other: u32) -> bool {
        let (one, other) = (self.cells[one as usize], self.cells[other as usize]);
        self.grid.is_diagonal_first(one, other) && self.grid.is_diagonal_first(other, one)
    }
}

/// The class of the leg between two direct-h-reachable cells, the same that
/// scanning gives it.
fn class(from: Cell, to: Cell, four_connected: bool) -> u8 {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let (right, down) = (to.x > from.x, to.y > from.y);
    let quarter = u8::from(right) + 2 * u8::from(down);
    match (dx, dy) {
        (0, _) if down => Direction::South as u8,
        (0, _) => Direction::North as u8,
        (_, 0) if right => Direction::East as u8,
        (_, 0) => Direction::West as u8,
        _ if four_connected => mixed(quarter, false),
        _ if dx == dy => diagonal(quarter) as u8,
        _ => mixed(quarter, dx > dy),
    }
}

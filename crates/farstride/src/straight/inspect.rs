//! A look inside, for pictures and for the curious. No query needs it.

use super::corner::Corner;
use super::full::MOST_CORNERS;
use super::graph::{Port, TautCorners};
use super::index::StraightIndex;
use super::rule::StraightRule;
use crate::base::crew::{Crew, Watch, all_cores};
use crate::base::{Cancelled, Cell, Point};
use crate::grid::Grid;

/// The corners of a map and the taut links between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strings {
    /// The corners, in reading order; by the body rule some points are several corners.
    pub corners: Vec<Point>,
    /// Pairs of corners that see each other so that a path can bend at both; each once.
    pub links: Vec<(Point, Point)>,
}

impl Strings {
    /// Finds the corners of a map and their links.
    pub fn new(grid: &Grid, rule: StraightRule) -> Self {
        let taut = linked(grid, rule);
        let point = |id: u32| taut.point(id);
        let links = (0..)
            .map(Port)
            .zip(&taut.links)
            .flat_map(|(port, links)| links.iter().map(move |link| (port.corner(), link.to.corner())));
        Self {
            corners: taut.corners.iter().map(|&corner| taut.space.point(corner)).collect(),
            links: links
                .filter(|(one, other)| one < other)
                .map(|(one, other)| (point(one), point(other)))
                .collect(),
        }
    }
}

/// The corners of a map and their links, found on all cores.
fn linked(grid: &Grid, rule: StraightRule) -> TautCorners<'_> {
    let crew = Crew::new(all_cores(), 1, Watch::none());
    let taut = TautCorners::find(rule.on(grid), usize::MAX);
    let mut taut = taut.unwrap_or_else(|| unreachable!("there is no limit"));
    taut.link(&crew).unwrap_or_else(|Cancelled| unreachable!("nobody cancels"));
    taut
}

/// The two ports of a corner. A path that comes through one leaves through the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CornerPorts {
    /// The corner.
    pub corner: Point,
    /// The corners that each port is linked to.
    pub links: [Vec<Point>; 2],
}

impl CornerPorts {
    /// The ports of the corners of a blocked cell: none in the midst of a wall, up to four of a
    /// cell that stands alone.
    pub fn of_blocked(grid: &Grid, rule: StraightRule, cell: Cell) -> Vec<Self> {
        let taut = linked(grid, rule);
        let linked_to = |port: Port| taut.links[port.index()].iter().map(|link| taut.point(link.to.corner()));
        let ports = |(id, &corner): (u32, _)| Self {
            corner: taut.space.point(corner),
            links: [0, 1].map(|side| linked_to(Port::new(id, side)).collect()),
        };
        let is_of_cell = |&(_, &corner): &(u32, &Corner)| taut.space.blocked_cell(corner) == Some(cell);
        (0..).zip(&taut.corners).filter(is_of_cell).map(ports).collect()
    }
}

/// The label of a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StringLabel {
    /// Corners at which paths from the cell bend first, in the order of the record.
    pub vias: Vec<Point>,
    /// Hubs, each with the via it is reached by: vias are hubs too and are not repeated here.
    pub hubs: Vec<(Point, Point)>,
}

impl StraightIndex {
    /// The label of a cell; `None` without labels, or if no path bends.
    #[doc(hidden)]
    pub fn label(&self, cell: Cell) -> Option<StringLabel> {
        let full = self.full()?;
        let (record, position) = full.record(cell).ok()??;
        let rank = |via: usize| record.word(via).map(|word| word as usize & (MOST_CORNERS - 1));
        let view = full.view();
        let point = |rank: usize| view.place(rank).ok();
        let vias = record.links(position).filter_map(|via| point(rank(via)?)).collect();
        let entries = record.entries().filter(|entry| record.is_linked(position, entry.via()));
        let hubs =
            entries.filter_map(|entry| Some((point(entry.hub())?, point(rank(entry.via())?)?))).collect();
        Some(StringLabel { vias, hubs })
    }

    /// The corners from the most important to the least; none without labels.
    #[doc(hidden)]
    pub fn corners_by_rank(&self) -> Vec<Point> {
        let Some(full) = self.full() else { return Vec::new() };
        (0..full.corner_count()).filter_map(|rank| full.view().place(rank).ok()).collect()
    }
}

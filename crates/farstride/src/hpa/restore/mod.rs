//! An abstraction from bytes that somebody else wrote.
//!
//! A checksum tells accidents, not intent: bytes may be forged, or come from a
//! faulty program. So everything that queries rely on is proved before the
//! first of them, in time of the size of the bytes:
//!
//! 1. every record has the form of its kind ([`Table::from_bytes`] and the
//!    `check_form` of the records);
//! 2. the nodes of a 1-cluster are numbered as [`Layout::node`] says and lie in
//!    it, in reading order;
//! 3. every inter-edge leads to a node of another 1-cluster on an adjacent
//!    cell;
//! 4. a node is one of a level exactly if an inter-edge leads from it out of
//!    its cluster of that level; ranks and the nodes of the levels above name
//!    each other, and doors are those inter-edges;
//! 5. costs are the same both ways, never below the distance on an empty map,
//!    by steps or straight, which keeps heuristics consistent and every node
//!    expanded once, and never above what a path through all cells of the
//!    cluster costs, which keeps every path short;
//! 6. no way leaves its cluster or goes on from its node, be it one of steps or
//!    of bends, and each lane leads inside its cluster from its first node to
//!    its second; there is one exactly if there is a cost;
//! 7. from stop to stop there is an edge of the level below, and their costs
//!    add up to that of the pair;
//! 8. with a map at hand: nodes and inter-edges are those that its entrances
//!    give, so that edits find what they expect around them; lanes are legal
//!    and cost what the costs say, and so are the shorter ones of the bends
//!    from node to node there and back, which are those that are followed;
//! 9. where there are no lanes: nodes have a cost exactly if one can be reached
//!    from the other inside their cluster.
//!
//! So whatever abstract path is found can be refined. What is left to trust is
//! that costs are the least there are, and that the ways from each cell to the
//! nodes lead there by legal steps: on forged bytes a path may be too long,
//! lead through a wall near its ends, or not be found because a way leads round
//! in circles. To look at every way would take longer than all the rest;
//! [`Hierarchy::verify`] does, and takes as long as a build. Bends from a cell
//! are few, and are looked at when they are used (`View::kept_cost`): paths of
//! HPT* are legal whatever the bytes.

mod on_map;
mod proof;
mod reach;
mod verify;

use super::layout::Layout;
use super::tables::{Flaw, Table};
use super::{Hierarchy, Settings};
use crate::base::Bytes;
use crate::grid::{Contents, Grid};
use std::error::Error;
use std::fmt;
use std::ops::Range;

pub(crate) use proof::Ground;

/// A table of an abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Part {
    /// The nodes of the clusters of a level and what it costs to cross these.
    Costs {
        /// The level, from 1.
        level: u8,
    },
    /// The inter-edges out of the clusters of a level.
    Doors {
        /// The level, from 2.
        level: u8,
    },
    /// The inter-edges of the nodes of the 1-clusters.
    Links,
    /// Where nodes stand in the tables of the levels above the first.
    Ranks,
    /// The ways through the 1-clusters, from every cell to every node: steps,
    /// or where to turn next.
    Ways,
    /// The same from node to node, as runs of steps; not for ways at any angle.
    Lanes,
    /// The nodes on the ways through the clusters of a level.
    Stops {
        /// The level, from 2.
        level: u8,
    },
}

impl Part {
    /// The tables of an abstraction with these settings, in the order in which
    /// they are saved.
    pub(crate) fn all(settings: Settings) -> impl Iterator<Item = Self> + use<> {
        let costs = (1..=settings.levels).map(|level| Self::Costs { level });
        let doors = (2..=settings.levels).map(|level| Self::Doors { level });
        let stops = (2..=settings.levels).map(|level| Self::Stops { level });
        let lanes = (!settings.local.is_any_angle()).then_some(Self::Lanes);
        let kept = settings.keep_ways.then(|| [Self::Ways].into_iter().chain(lanes).chain(stops));
        costs.chain(doors).chain([Self::Links, Self::Ranks]).chain(kept.into_iter().flatten())
    }

    /// The level of the clusters that it has a record for each of.
    const fn level(self) -> u8 {
        match self {
            Self::Costs { level } | Self::Doors { level } | Self::Stops { level } => level,
            _ => 1,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Costs { level } => write!(f, "costs of level {level}"),
            Self::Doors { level } => write!(f, "doors of level {level}"),
            Self::Links => f.write_str("links"),
            Self::Ranks => f.write_str("ranks"),
            Self::Ways => f.write_str("ways"),
            Self::Lanes => f.write_str("lanes"),
            Self::Stops { level } => write!(f, "stops of level {level}"),
        }
    }
}

/// A table that contradicts itself, another one, or the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CorruptTable {
    /// Which one.
    pub part: Part,
    /// The cluster whose record it is, if it is a single one.
    pub cluster: Option<u32>,
    /// What is wrong with it.
    pub flaw: &'static str,
}

impl fmt::Display for CorruptTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, cluster, flaw } = self;
        match cluster {
            Some(cluster) => write!(f, "the table of {part}: the record of cluster {cluster} {flaw}"),
            None => write!(f, "the table of {part} {flaw}"),
        }
    }
}

impl Error for CorruptTable {}

/// The flaw of the record of a cluster as an error.
fn in_record(part: Part, cluster: u32) -> impl Fn(Flaw) -> CorruptTable {
    move |flaw| CorruptTable { part, cluster: Some(cluster), flaw }
}

/// Where a table lies in some bytes, and its digest.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) bytes: Range<usize>,
    pub(crate) digest: u64,
}

impl Hierarchy {
    /// Every table, in the order in which they are saved.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (Part, &Table)> {
        let tables = self.costs.iter().chain(&self.doors).chain([&self.links, &self.ranks]);
        let tables = tables.chain(&self.ways).chain(&self.lanes).chain(&self.stops);
        Part::all(self.settings).zip(tables)
    }

    /// The abstraction of a map of this size whose tables lie at `places`, in
    /// the order of [`Part::all`]; it belongs to no map yet. Proves 1 to 7;
    /// the settings must be in range.
    pub(crate) fn restore(
        bytes: &Bytes,
        places: &[Place],
        (width, height): (usize, usize),
        ground: Ground,
        settings: Settings,
    ) -> Result<Self, CorruptTable> {
        let mut tables = Vec::with_capacity(places.len());
        for (part, place) in Part::all(settings).zip(places) {
            let side = settings.side(part.level());
            let count = width.div_ceil(side) * height.div_ceil(side);
            let table = Table::from_bytes(bytes.clone(), place.bytes.clone(), count, place.digest);
            tables.push(table.map_err(|flaw| CorruptTable { part, cluster: None, flaw })?);
        }
        let mut tables = tables.into_iter();
        let missing = |part| CorruptTable { part, cluster: None, flaw: "is missing" };
        let mut next = |part| tables.next().ok_or(missing(part));
        let (levels, upper, kept) = (1..=settings.levels, 2..=settings.levels, settings.keep_ways);
        let lanes = kept && !settings.local.is_any_angle();
        let hierarchy = Self {
            costs: levels.map(|level| next(Part::Costs { level })).collect::<Result<_, _>>()?,
            doors: upper.clone().map(|level| next(Part::Doors { level })).collect::<Result<_, _>>()?,
            links: next(Part::Links)?,
            ranks: next(Part::Ranks)?,
            ways: kept.then(|| next(Part::Ways)).transpose()?,
            lanes: lanes.then(|| next(Part::Lanes)).transpose()?,
            stops: upper
                .filter(|_| kept)
                .map(|level| next(Part::Stops { level }))
                .collect::<Result<_, _>>()?,
            settings,
            // Only now: it takes memory in proportion to the tables, which
            // are there.
            layout: Layout::new(width, height, settings),
            contents: Contents::fresh(),
        };
        proof::prove(&hierarchy, ground)?;
        Ok(hierarchy)
    }

    /// The same abstraction, as that of a map of its size and rules. Proves 8
    /// and 9.
    pub(crate) fn bound_to(self, grid: &Grid) -> Result<Self, CorruptTable> {
        on_map::prove(grid, &self)?;
        Ok(Self { contents: grid.contents(), ..self })
    }
}

/// Every pair of different ranks, in the order of the records of pairs.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
}

//! Restoring a hierarchy from untrusted bytes.
//!
//! A checksum detects accidents, not intent: bytes may be forged or written by a
//! faulty program. Therefore everything that queries rely on is proved before the
//! first query, in time linear in the size of the bytes:
//!
//! 1. every record has the form of its kind ([`Table::from_bytes`] and the
//!    `check_form` of the records);
//! 2. the nodes of a 1-cluster are numbered as [`Layout::node`] says and lie in
//!    it, in reading order;
//! 3. every inter-edge leads to a node of another 1-cluster on an adjacent cell;
//! 4. a node belongs to a level exactly if an inter-edge that counts there leads from
//!    it out of its cluster of that level; ranks and the nodes of upper levels refer to each
//!    other, and doors are those inter-edges;
//! 5. costs are the same both ways, and never below the distance on an empty map
//!    (by steps, or straight), which keeps the heuristic consistent, so that every node
//!    is expanded at most once at a cost (by an eager search again only at a lower one, which a stretch may make more frequent; by `hpt` perhaps again where the goal is in sight), and never above the cost of a path through all cells
//!    of the cluster, which keeps every path short;
//! 6. no way, by steps or by bends, leaves its cluster or continues past its node;
//!    each lane runs inside its cluster from its first node to its second, and
//!    there is one exactly if there is a cost;
//! 7. consecutive stops are joined by an edge of the level below, and the costs
//!    add up to that of the pair;
//! 8. given the map: nodes and inter-edges are those of its entrances, so that
//!    edits find around them what they expect; lanes are legal and cost what the
//!    costs say, and so does the shorter of the two ways by bends between two
//!    nodes, which is the one that is followed;
//! 9. two nodes have a cost exactly if one is reachable from the other inside their cluster: a search
//!    that has crossed a cluster does not look for a second way through it.
//!
//! So every path found in the hierarchy can be refined. What remains to be trusted
//! is that costs are minimal, and that the ways from each cell to the nodes are
//! legal and arrive: with forged bytes a path may be too long, pass through a wall
//! near its ends, or not be found because a way leads round in circles. Testing
//! every way would take longer than everything else together;
//! [`Hierarchy::verify`] does it, and takes as long as a build. Bends from a cell
//! are few and are tested when used (`View::kept_cost`): paths of HPT* are legal
//! whatever the bytes.

mod on_map;
mod proof;
mod reach;
mod verify;

use super::hierarchy::Changes;
use super::layout::{ClusterId, Layout};
use super::recent::RecentWays;
use super::stretch::Stretch;
use super::tables::{Flaw, Table};
use super::{Hierarchy, HpaSettings, KeepWays};
use crate::base::crew::{Crew, Watch, all_cores};
use crate::base::{Bytes, Inconsistent};
use crate::grid::{Grid, Revision};
use std::fmt;
use std::ops::Range;

pub(crate) use proof::Ground;

/// A kind of table of a hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TableKind {
    /// Nodes of the clusters of a level, and the costs of crossing these.
    Costs {
        /// The level, from 1.
        level: u8,
    },
    /// Inter-edges out of the clusters of a level.
    Doors {
        /// The level, from 2.
        level: u8,
    },
    /// Inter-edges of the nodes of the 1-clusters.
    Links,
    /// Positions of nodes in the tables of the levels above the first.
    Ranks,
    /// Ways through the 1-clusters, from every cell to every node: steps, or the
    /// next turning point.
    Ways,
    /// Ways from node to node as runs of steps. Not for any-angle hierarchies.
    Lanes,
    /// Nodes on the ways through the clusters of a level.
    Stops {
        /// The level, from 2.
        level: u8,
    },
}

impl TableKind {
    /// The tables of a hierarchy with these settings, in the order in which they
    /// are saved.
    pub(crate) fn all(settings: HpaSettings) -> impl Iterator<Item = Self> + use<> {
        let costs = (1..=settings.levels).map(|level| Self::Costs { level });
        let doors = (2..=settings.levels).map(|level| Self::Doors { level });
        let stops = (2..=settings.levels).map(|level| Self::Stops { level });
        let has_stops = settings.keep_ways != KeepWays::Nothing;
        let ways = (settings.keep_ways == KeepWays::All).then_some(Self::Ways);
        let lanes = (has_stops && !settings.local.is_any_angle()).then_some(Self::Lanes);
        let kept = ways.into_iter().chain(lanes).chain(stops.filter(move |_| has_stops));
        costs.chain(doors).chain([Self::Links, Self::Ranks]).chain(kept)
    }

    /// The level whose clusters have one record each in this table.
    const fn level(self) -> u8 {
        match self {
            Self::Costs { level } | Self::Doors { level } | Self::Stops { level } => level,
            _ => 1,
        }
    }
}

impl fmt::Display for TableKind {
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

/// A table that contradicts itself, another table, or the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CorruptTable {
    /// Which table.
    pub(crate) part: TableKind,
    /// The cluster of the faulty record, if it is a single one.
    pub(crate) cluster: Option<u32>,
    /// What is wrong, as a phrase that follows the name of the table or record.
    pub(crate) flaw: &'static str,
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

impl From<CorruptTable> for Inconsistent {
    fn from(error: CorruptTable) -> Self {
        Self::new(error.to_string())
    }
}

/// Turns a flaw in the record of a cluster into an error.
fn in_record(part: TableKind, cluster: ClusterId) -> impl Fn(Flaw) -> CorruptTable {
    move |flaw| CorruptTable { part, cluster: Some(cluster), flaw }
}

/// Checks the record of every cluster in a table; returns the error of the first cluster with one.
fn check_each<W: Default>(
    crew: &Crew<'_>,
    layout: &Layout,
    part: TableKind,
    check: impl Fn(ClusterId, &mut W) -> Result<(), Flaw> + Sync,
) -> Result<(), CorruptTable> {
    each_cluster(crew, layout, part.level(), |cluster, worker| {
        check(cluster, worker).map_err(in_record(part, cluster))
    })
}

/// As [`check_each`], for checks that know which record is at fault.
fn each_cluster<W: Default>(
    crew: &Crew<'_>,
    layout: &Layout,
    level: u8,
    check: impl Fn(ClusterId, &mut W) -> Result<(), CorruptTable> + Sync,
) -> Result<(), CorruptTable> {
    let clusters = layout.count(level);
    let checks = crew.try_map(clusters, |cluster, worker| check(cluster as ClusterId, worker));
    let Ok(checks) = checks else { unreachable!("nobody cancels") };
    checks.into_iter().collect()
}

/// As many threads as the machine has, for checks.
fn crew() -> Crew<'static> {
    Crew::new(all_cores(), 0, Watch::none())
}

/// Position of a table in some bytes, and its digest.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) bytes: Range<usize>,
    pub(crate) digest: u64,
}

impl Hierarchy {
    /// Every table, in the order in which they are saved.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (TableKind, &Table)> {
        let tables = self.costs.iter().chain(&self.doors).chain([&self.links, &self.ranks]);
        let tables = tables.chain(&self.ways).chain(&self.lanes).chain(&self.stops);
        TableKind::all(self.settings).zip(tables)
    }

    /// The hierarchy of a map of this size whose tables lie at `places`, in the
    /// order of [`TableKind::all`]. Proves 1 to 7. It belongs to no map yet; see
    /// [`Hierarchy::bound_to`]. The settings must be in range.
    pub(crate) fn restore(
        bytes: &Bytes,
        places: &[Place],
        (width, height): (usize, usize),
        ground: Ground,
        settings: HpaSettings,
    ) -> Result<Self, CorruptTable> {
        let mut tables = Vec::with_capacity(places.len());
        for (part, place) in TableKind::all(settings).zip(places) {
            let side = settings.side(part.level());
            let count = width.div_ceil(side) * height.div_ceil(side);
            let table = Table::from_bytes(bytes.clone(), place.bytes.clone(), count, place.digest);
            tables.push(table.map_err(|flaw| CorruptTable { part, cluster: None, flaw })?);
        }
        let mut tables = tables.into_iter();
        let missing = |part| CorruptTable { part, cluster: None, flaw: "is missing" };
        let mut next = |part| tables.next().ok_or(missing(part));
        let (levels, upper) = (1..=settings.levels, 2..=settings.levels);
        let (ways, stops) = (settings.keep_ways == KeepWays::All, settings.keep_ways != KeepWays::Nothing);
        let lanes = stops && !settings.local.is_any_angle();
        let revision = Revision::fresh();
        let mut hierarchy = Self {
            costs: levels.map(|level| next(TableKind::Costs { level })).collect::<Result<_, _>>()?,
            doors: upper.clone().map(|level| next(TableKind::Doors { level })).collect::<Result<_, _>>()?,
            links: next(TableKind::Links)?,
            ranks: next(TableKind::Ranks)?,
            ways: ways.then(|| next(TableKind::Ways)).transpose()?,
            lanes: lanes.then(|| next(TableKind::Lanes)).transpose()?,
            stops: upper
                .filter(|_| stops)
                .map(|level| next(TableKind::Stops { level }))
                .collect::<Result<_, _>>()?,
            settings,
            // Last, because its memory grows with the number of clusters, which
            // the tables have proved to be there by now.
            layout: Layout::new(width, height, settings),
            revision,
            changes: Changes::none_since(revision),
            stretch: Stretch::default(),
            dead_ends: Vec::new(),
            recent: RecentWays::default(),
            has_unproved_ways: Vec::new(),
        };
        proof::prove(&hierarchy, ground, &crew())?;
        if ways {
            hierarchy.has_unproved_ways = vec![true; hierarchy.layout.count(1)];
        }
        Ok(hierarchy)
    }

    /// Binds the hierarchy to a map of its size and rules. Proves 8 and 9.
    pub(crate) fn bound_to(self, grid: &Grid) -> Result<Self, CorruptTable> {
        on_map::prove(grid, &self, &crew())?;
        let revision = grid.revision();
        let mut bound = Self { revision, changes: Changes::none_since(revision), ..self };
        bound.find_stretch(grid.rules());
        let Ok(()) = bound.find_dead_ends(&crew()) else { unreachable!("nobody cancels") };
        Ok(bound)
    }
}

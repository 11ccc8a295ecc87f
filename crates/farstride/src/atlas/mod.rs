//! One world, many movers: floors of terrain, units of any size, links between floors.
//!
//! A [`TileMap`] is what the world is made of: floors whose cells have a terrain class, and
//! [`Link`]s between places. A [`Mover`] says what the classes cost a kind of unit, how large
//! it is and which links it may use. An [`Atlas`] holds the tile map and, for each mover,
//! the map as that mover sees it, with the index of its engine. One edit of the tile map
//! keeps all of them true.
//!
//! # How a query goes through links
//! Walking from link end to link end costs the same until the floor is edited, so these costs
//! are found when first needed and kept (`table`). A query looks from start and goal to the
//! link ends around them, searches the small graph of links (`journey`), and has the
//! mover's engine find each walk. With an engine that finds shortest paths the whole way is
//! a cheapest one; other engines choose links by true costs between ends and their own costs
//! at start and goal.
//!
//! Layer: uses everything above.

mod edit;
pub(crate) mod error;
mod far;
mod journey;
mod mover;
mod nearest;
mod net;
mod plan;
mod scratch;
mod state;
mod substitute;
mod table;
mod tiles;
mod trip;

pub use error::{AtlasError, FloorError, LinkError, MoverError};
pub use mover::Mover;
pub use plan::{TripPlan, TripPlanned, TripStep};
pub use scratch::AtlasScratch;
pub use tiles::{Floor, FloorId, Link, LinkId, LinkKind, Place, TileMap};
pub use trip::{Stage, Trip, TripOutcome};

use crate::base::crew::{all_cores, split};
use crate::base::{Cost, Inconsistent, Point};
use crate::index::Index;
use crate::route::{CostsFrom, Planner, Query};
use edit::History;
use journey::{Asked, Journey, Part};
use net::Net;
use scratch::Leg;
use state::{Ground, MoverState};
use std::cell::RefCell;
use std::sync::OnceLock;
use table::TableScratch;
use xxhash_rust::xxh3::Xxh3;

/// The number of a mover of an [`Atlas`], in the order in which they were added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoverId(u32);

impl MoverId {
    /// Its number, for indexing slices.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tile map, and for each mover in use the map as it sees it, with an index.
///
/// What a mover needs is prepared when the first question about it is asked. Movers for
/// which a floor is the same share its map and index. Any number of threads may ask; each
/// brings its own [`AtlasScratch`].
///
/// # Guarantee
/// After any edits every answer is the same as that of an atlas made anew from the tile
/// map. With an engine that finds shortest paths ([`Engine::is_optimal`]) trips are
/// cheapest ways through floors and links.
///
/// [`Engine::is_optimal`]: crate::Engine::is_optimal
///
/// # Example
/// ```
/// use farstride::atlas::{Atlas, AtlasScratch, Floor, Link, Mover, Place, Stage, TileMap};
/// use farstride::{Cost, Engine};
///
/// let mut tiles = TileMap::new();
/// let hall = tiles.add_floor(Floor::from_text("
///     ...#...
///     ...#...
///     ...#...
/// ")?)?;
/// let cellar = tiles.add_floor(Floor::filled(7, 3, b'.')?)?;
/// let stair = Cost::new(10_000)?;
/// for cell in [(1, 1), (5, 1)] {
///     tiles.add_link(Link::new(Place::new(hall, cell), Place::new(cellar, cell), stair))?;
/// }
/// let mut atlas = Atlas::new(tiles)?;
/// let dwarf = atlas.add_mover(Mover::new().entering(b'.', 1).with_engine(Engine::Labels))?;
/// let troll = atlas.add_mover(Mover::new().entering(b'.', 1).sized(2))?;
///
/// let (from, to) = (Place::new(hall, (0, 0)), Place::new(hall, (5, 0)));
/// let mut scratch = AtlasScratch::new();
/// let found = atlas.find(dwarf, from, to, &mut scratch)?;
/// let stages: Vec<Stage> = found.trip().expect("the cellar joins both rooms").stages().collect();
/// assert_eq!(stages.len(), 5); // walk, down, walk, up, walk
/// assert!(atlas.can_reach(troll, from, to)?);
///
/// // A chest under the second stair: the dwarf passes, the troll has no room.
/// atlas.edit(|tiles| tiles.fill(cellar, farstride::Cell::new(6, 2), b'C'))?;
/// assert!(atlas.can_reach(dwarf, from, to)? && !atlas.can_reach(troll, from, to)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Atlas {
    tiles: TileMap,
    movers: Vec<MoverState>,
    /// For each floor, how movers see it.
    grounds: Vec<Vec<Ground>>,
    /// What was edited lately, for plans.
    history: History,
}

impl Atlas {
    /// An atlas without movers.
    ///
    /// # Errors
    /// [`AtlasError::NoFloors`] if the map has no floor.
    pub fn new(mut tiles: TileMap) -> Result<Self, AtlasError> {
        if tiles.floor_count() == 0 {
            return Err(AtlasError::NoFloors);
        }
        tiles.changes.clear();
        tiles.links_changed = false;
        let grounds = (0..tiles.floor_count()).map(|_| Vec::new()).collect();
        Ok(Self { tiles, movers: Vec::new(), grounds, history: History::default() })
    }

    /// The tile map.
    pub const fn tiles(&self) -> &TileMap {
        &self.tiles
    }

    /// Adds a kind of mover. Takes next to no time: what it needs is prepared by the first
    /// question about it, or by [`Atlas::prepare`].
    ///
    /// # Errors
    /// [`MoverError`] if its size is not supported, it can enter nothing, or no floor is large
    /// enough for it.
    pub fn add_mover(&mut self, mover: Mover) -> Result<MoverId, MoverError> {
        mover.check()?;
        let size = usize::from(mover.size());
        if self.tiles.floors().all(|(_, floor)| floor.width().min(floor.height()) < size) {
            return Err(MoverError::LargerThanFloors { size: mover.size() });
        }
        let number = self.movers.len();
        self.movers.push(MoverState { mover, grounds: Vec::new(), net: OnceLock::new() });
        self.settle_on_new_floors(number);
        Ok(MoverId(number as u32))
    }

    /// A mover.
    ///
    /// # Errors
    /// [`AtlasError::UnknownMover`] if it is not of this atlas.
    pub fn mover(&self, mover: MoverId) -> Result<&Mover, AtlasError> {
        Ok(&self.state(mover)?.mover)
    }

    /// All movers, in the order in which they were added.
    pub fn movers(&self) -> impl ExactSizeIterator<Item = (MoverId, &Mover)> {
        self.movers.iter().enumerate().map(|(number, state)| (MoverId(number as u32), &state.mover))
    }

    /// The map of a floor as a mover sees it, with the engine that finds its paths there.
    ///
    /// # Errors
    /// [`AtlasError`] if mover or floor are not of this atlas.
    pub fn planner(&self, mover: MoverId, floor: FloorId) -> Result<&Planner, AtlasError> {
        let state = self.state(mover)?;
        self.check(Place::new(floor, (0, 0)))?;
        Ok(self.planner_of(state, floor))
    }

    /// Prepares everything for a mover, on all cores: maps and indexes of all floors, and the
    /// costs between all link ends, on their floors and across them.
    ///
    /// Call it again when there is time after edits: what they made uncertain is found again then
    /// and not by queries. Answers do not depend on it.
    ///
    /// # Errors
    /// [`AtlasError::UnknownMover`] if it is not of this atlas.
    pub fn prepare(&self, mover: MoverId) -> Result<(), AtlasError> {
        let state = self.state(mover)?;
        let net = self.net(state);
        net.settle(|floor| self.planner_of(state, floor), &mut TableScratch::default());
        let rows: Vec<(FloorId, usize)> = self
            .tiles
            .floors()
            .flat_map(|(floor, _)| (0..net.ends_on(floor).len()).map(move |row| (floor, row)))
            .collect();
        let part = rows.len().div_ceil(all_cores()).max(1);
        split(rows.chunks(part), |rows| {
            let mut scratch = TableScratch::default();
            for &(floor, row) in rows {
                self.fill_row(state, net, (floor, row), &mut scratch);
            }
        });
        net.look_far();
        Ok(())
    }

    /// Finds the costs from a link end to those before it on its floor.
    fn fill_row(
        &self,
        state: &MoverState,
        net: &Net,
        (floor, row): (FloorId, usize),
        scratch: &mut TableScratch,
    ) {
        let (first, planner) = (net.ends_on(floor).start, self.planner_of(state, floor));
        for other in 0..row {
            if net.region(first + row) == net.region(first + other) {
                net.table(floor).cost(planner, net.cells_on(floor), (row, other), scratch);
            }
        }
    }

    /// Whether a way leads from a place to another. Takes a fraction of a microsecond:
    /// nothing is searched.
    ///
    /// # Errors
    /// [`AtlasError`] if mover or places are not of this atlas.
    pub fn can_reach(&self, mover: MoverId, from: Place, to: Place) -> Result<bool, AtlasError> {
        let state = self.state(mover)?;
        self.check(from)?;
        self.check(to)?;
        Ok(self.regions_of(state, from, to).is_some())
    }

    /// Finds a way from a place to another.
    ///
    /// # Allocation
    /// None once `scratch` has grown.
    ///
    /// # Errors
    /// [`AtlasError`] if mover or places are not of this atlas.
    pub fn find<'s>(
        &self,
        mover: MoverId,
        from: Place,
        to: Place,
        scratch: &'s mut AtlasScratch,
    ) -> Result<TripOutcome<'s>, AtlasError> {
        let state = self.state(mover)?;
        self.check(from)?;
        self.check(to)?;
        if !self.stands(state, from) {
            return Ok(TripOutcome::StartBlocked);
        }
        if !self.stands(state, to) {
            return Ok(TripOutcome::GoalBlocked);
        }
        if from == to {
            return Ok(TripOutcome::AlreadyThere);
        }
        let Some(between) = self.regions_of(state, from, to) else { return Ok(TripOutcome::Unreachable) };
        let found = self.choose_links(state, (from, to), between, scratch) && self.walk(state, scratch);
        Ok(if found { TripOutcome::Found(self.trip(scratch)) } else { TripOutcome::Unreachable })
    }

    /// Writes the parts of a cheapest way; `false` if there is none.
    fn choose_links(
        &self,
        state: &MoverState,
        (start, goal): (Place, Place),
        between: Between,
        scratch: &mut AtlasScratch,
    ) -> bool {
        let net = self.net(state);
        let AtlasScratch { from_start, from_goal, search, work, parts, .. } = scratch;
        net.settle(|floor| self.planner_of(state, floor), &mut work.table);
        work.begin(net.ends_on(start.floor).len(), net.ends_on(goal.floor).len(), net.end_count());
        // Only the ends of links that lie on the way are asked for, as the search gets there.
        let asked = Asked {
            from_start: CostsFrom::new(self.planner_of(state, start.floor), start.cell, 1, from_start),
            from_goal: CostsFrom::new(self.planner_of(state, goal.floor), goal.cell, 1, from_goal),
            work,
        };
        let Between { start_region, goal_region, is_near } = between;
        let work = RefCell::new(asked);
        let far = net.far();
        let journey =
            Journey { atlas: self, state, net, far, start, goal, start_region, goal_region, is_near, work };
        journey.look_ahead();
        journey.find(search, parts)
    }

    /// Has the engine find the walks of a way; `false` if it finds none.
    fn walk(&self, state: &MoverState, scratch: &mut AtlasScratch) -> bool {
        let AtlasScratch { from_start, parts, legs, cells, .. } = scratch;
        legs.clear();
        cells.clear();
        for &part in &*parts {
            match part {
                Part::Link(link) => legs.push(Leg::Link(link)),
                Part::Walk { from, to, .. } => {
                    let planner = self.planner_of(state, from.floor);
                    let outcome = planner.find(Query::new(from.cell, to.cell), from_start);
                    let Ok(Some(route)) = outcome.as_ref().map(|outcome| outcome.route()) else {
                        return false;
                    };
                    let first = cells.len();
                    cells.extend(route.path().turns().filter_map(Point::cell));
                    legs.push(Leg::Walk(from.floor, first..cells.len(), route.cost()));
                }
            }
        }
        true
    }

    fn trip<'s>(&self, scratch: &'s AtlasScratch) -> Trip<'s> {
        let cost = scratch.legs.iter().fold(Cost::ZERO, |sum, leg| {
            sum + match leg {
                Leg::Walk(.., cost) => *cost,
                Leg::Link(link) => self.tiles.link(*link).map_or(Cost::ZERO, |link| link.cost),
            }
        });
        Trip { cost, legs: &scratch.legs, cells: &scratch.cells }
    }

    /// A hash of everything that is kept for a mover: the maps and indexes of all floors, the
    /// links it may use and where they lead. The same however the atlas came to its present
    /// state.
    ///
    /// # Errors
    /// [`AtlasError::UnknownMover`] if it is not of this atlas.
    pub fn digest(&self, mover: MoverId) -> Result<u64, AtlasError> {
        let state = self.state(mover)?;
        let mut hash = Xxh3::new();
        for (floor, _) in self.tiles.floors() {
            let planner = self.planner_of(state, floor);
            hash.update(&planner.grid().digest().to_le_bytes());
            hash.update(&planner.index().map_or(0, Index::digest).to_le_bytes());
        }
        self.net(state).describe(|number| hash.update(&number.to_le_bytes()));
        Ok(hash.digest())
    }

    /// Re-proves what is kept for a mover against the tile map: every map cell by cell, and
    /// every known cost between link ends. For tests; takes as long as preparing it anew.
    ///
    /// # Errors
    /// [`Inconsistent`] describes the first thing that is not true.
    pub fn check_mover(&self, mover: MoverId) -> Result<(), Inconsistent> {
        let state = self.state(mover).map_err(|error| Inconsistent::new(error.to_string()))?;
        let net = self.net(state);
        for (id, floor) in self.tiles.floors() {
            let (kept, fresh) = (self.planner_of(state, id), state::plan_for(&state.mover, floor));
            if kept.grid() != fresh.grid() || kept.engine() != fresh.engine() {
                return Err(Inconsistent::new(format!("the map of floor {id} is not that of its classes")));
            }
            net.table(id).check(&fresh, net.cells_on(id))?;
        }
        Ok(())
    }

    /// Number of maps with an index that are kept: at most one for each floor and mover.
    pub fn ground_count(&self) -> usize {
        self.grounds.iter().flatten().filter(|ground| ground.planner.get().is_some()).count()
    }

    fn state(&self, mover: MoverId) -> Result<&MoverState, AtlasError> {
        self.movers.get(mover.index()).ok_or(AtlasError::UnknownMover { mover })
    }

    fn check(&self, place: Place) -> Result<(), AtlasError> {
        if self.tiles.contains(place) { Ok(()) } else { Err(AtlasError::Outside { place }) }
    }

    /// The planner of a mover on a floor of the map; prepares it if need be.
    fn planner_of(&self, state: &MoverState, floor: FloorId) -> &Planner {
        let ground = &self.grounds[floor.index()][state.grounds[floor.index()]];
        ground.planner.get_or_init(|| {
            let floor = self.tiles.floor(floor).unwrap_or_else(|| unreachable!("it has a ground"));
            state::plan_for(&state.mover, floor)
        })
    }

    /// The links of a mover; prepares them if need be.
    fn net<'a>(&'a self, state: &'a MoverState) -> &'a Net {
        state.net.get_or_init(|| {
            let planners: Vec<&Planner> =
                self.tiles.floors().map(|(floor, _)| self.planner_of(state, floor)).collect();
            Net::build(&self.tiles, &state.mover, &planners)
        })
    }

    /// Whether a mover can stand at a place of the map.
    fn stands(&self, state: &MoverState, place: Place) -> bool {
        self.planner_of(state, place.floor).grid().is_free(place.cell)
    }

    /// How two places are joined; `None` if they are not.
    fn regions_of(&self, state: &MoverState, from: Place, to: Place) -> Option<Between> {
        let name = |place: Place| self.planner_of(state, place.floor).grid().region(place.cell);
        let (start, goal) = (name(from)?, name(to)?);
        let net = self.net(state);
        let is_near = from.floor == to.floor && start == goal;
        let start_region = net.region_named(from.floor, start);
        let goal_region = net.region_named(to.floor, goal);
        let by_links = start_region.zip(goal_region).is_some_and(|(start, goal)| net.leads(start, goal));
        (is_near || by_links).then_some(Between { start_region, goal_region, is_near })
    }
}

/// How two places are joined.
#[derive(Clone, Copy)]
struct Between {
    /// The regions of start and goal, if links end there.
    start_region: Option<u32>,
    goal_region: Option<u32>,
    /// Whether one can walk without links.
    is_near: bool,
}

impl Between {
    /// Whether a walk is the only way: no link ends where the start is.
    const fn is_without_links(self) -> bool {
        self.is_near && self.start_region.is_none()
    }
}

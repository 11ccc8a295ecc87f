//! The resource: worlds with their atlases.

use crate::agent::{Agent, Hop};
use crate::layout::{Layout, Places};
use crate::message::{Change, Edit, WorldNews};
use crate::surveyor::{Batch, Budget, Reply, Surveyor, prepare, stand_in};
use crate::track::{is_by, is_near};
use bevy_ecs::prelude::*;
use bevy_tasks::futures_lite::future;
use bevy_tasks::{Task, TaskPool, TaskPoolBuilder};
use farstride::atlas::{Atlas, Mover, MoverId, Place};
use farstride::{Cell, Engine, Rect};
use std::mem;
use std::sync::OnceLock;

/// The number of a world, in the order in which they were added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct WorldId(u32);

impl WorldId {
    /// The world that was added first.
    pub const FIRST: Self = Self(0);

    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All worlds of the app. Most apps have one.
///
/// A world is an [`Atlas`]: floors, movers, links. Once added it is worked on in the background:
/// change it by [`Edit`]s, and look at it with [`Worlds::atlas`].
///
/// # Example
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_farstride::prelude::*;
/// use bevy_math::Vec2;
///
/// fn set_up(mut commands: Commands, mut worlds: ResMut<Worlds>) -> Result {
///     let mut tiles = TileMap::new();
///     tiles.add_floor(Floor::filled(100, 100, b'.')?)?;
///     let mut atlas = Atlas::new(tiles)?;
///     let villager = atlas.add_mover(Mover::new().entering(b'.', 1))?;
///     worlds.add(atlas, Layout::flat(Vec2::ZERO, 16.0));
///     commands.spawn((Agent::new(villager), Position::new(8.0, -8.0), Speed(40.0)));
///     Ok(())
/// }
/// # let _ = set_up;
/// ```
#[derive(Resource, Debug)]
pub struct Worlds {
    pub(crate) sites: Vec<Site>,
    pub(crate) is_lock_step: bool,
    pub(crate) budget: Budget,
    pub(crate) pool: &'static TaskPool,
    /// Agents that were moved, or lost their way: their orders are given again.
    pub(crate) renew: Vec<Entity>,
}

/// A world, seen from the main thread.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) id: WorldId,
    pub(crate) places: Places,
    movers: Vec<Mover>,
    state: State,
    /// The atlas with the engines asked for, while it is prepared.
    better: Option<Task<Box<Atlas>>>,
    /// Edits that it has not seen.
    missed: Vec<Edit>,
    pub(crate) batch: Batch,
    /// Edits that the surveyor works on.
    pending: Vec<Edit>,
    /// Where edits wait or are worked on.
    marks: Marks,
    pub(crate) is_paused: bool,
    pub(crate) is_ready: bool,
}

#[derive(Debug)]
enum State {
    /// Here, perhaps with a reply that nobody has taken yet.
    Home(Box<Surveyor>, Option<Box<Reply>>),
    /// At work.
    Away(Task<(Box<Surveyor>, Reply)>),
    /// While one becomes the other.
    Between,
}

impl Worlds {
    pub(crate) const fn new(is_lock_step: bool, budget: Budget, pool: &'static TaskPool) -> Self {
        Self { sites: Vec::new(), is_lock_step, budget, pool, renew: Vec::new() }
    }

    /// Adds a world. Its movers must have been added to the atlas before.
    ///
    /// The indexes are made in the background. Until they are ready (`WorldNews::Ready`), A*
    /// answers; in lock step there is no stand-in, and the next frame waits.
    pub fn add(&mut self, atlas: Atlas, layout: Layout) -> WorldId {
        let id = WorldId(self.sites.len() as u32);
        let places = Places::new(layout, &atlas);
        let movers: Vec<Mover> = atlas.movers().map(|(_, mover)| mover.clone()).collect();
        let needs_none = |mover: &Mover| matches!(mover.engine(), Engine::Astar | Engine::Dijkstra);
        let atlas = Box::new(atlas);
        let other = if self.is_lock_step || movers.iter().all(needs_none) { None } else { stand_in(&atlas) };
        let (serving, better) = match other {
            None => (atlas, None),
            Some(other) => {
                let better = builders().spawn(async move {
                    prepare(&atlas);
                    atlas
                });
                (other, Some(better))
            }
        };
        let is_ready = better.is_none();
        let first = if is_ready { builders() } else { self.pool }.spawn(async move {
            prepare(&serving);
            let news = if is_ready { vec![WorldNews::Ready(id)] } else { Vec::new() };
            (Box::new(Surveyor::new(serving)), Reply { news, ..Reply::default() })
        });
        self.sites.push(Site {
            id,
            places,
            movers,
            state: State::Away(first),
            better,
            missed: Vec::new(),
            batch: Batch::default(),
            pending: Vec::new(),
            marks: Marks::NONE,
            is_paused: false,
            is_ready: false,
        });
        id
    }

    /// Number of worlds.
    pub const fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether there is no world.
    pub const fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Where the cells of a world are; `None` if there is no such world.
    pub fn places(&self, world: WorldId) -> Option<&Places> {
        self.sites.get(world.index()).map(|site| &site.places)
    }

    /// Whether the indexes of a world are ready.
    pub fn is_ready(&self, world: WorldId) -> bool {
        self.sites.get(world.index()).is_some_and(|site| site.is_ready)
    }

    /// Whether edits of a world wait, or are being made: [`Worlds::atlas`] may not show them yet.
    pub fn has_edits_waiting(&self, world: WorldId) -> bool {
        self.sites.get(world.index()).is_some_and(Site::has_edits_waiting)
    }

    /// The side of the square that an agent covers, in cells; 1 if its mover or world does not exist.
    pub fn size(&self, agent: &Agent) -> u16 {
        self.sites.get(agent.world.index()).map_or(1, |site| site.size(agent.mover))
    }

    /// Pauses a world, or lets it go on: its agents stand still; its edits and orders wait.
    pub fn pause(&mut self, world: WorldId, is_paused: bool) {
        if let Some(site) = self.sites.get_mut(world.index()) {
            site.is_paused = is_paused;
        }
    }

    /// Whether a world is paused.
    pub fn is_paused(&self, world: WorldId) -> bool {
        self.sites.get(world.index()).is_some_and(|site| site.is_paused)
    }

    /// The atlas as it was at the end of the last work; `None` if there is no such world.
    ///
    /// Waits for work that is going on: at most about the time of a [`Budget`], longer while the
    /// world is new. For questions that cannot wait for a frame; agents do not need it.
    pub fn atlas(&mut self, world: WorldId) -> Option<&Atlas> {
        let site = self.sites.get_mut(world.index())?;
        site.come_home();
        match &site.state {
            State::Home(surveyor, _) => Some(&surveyor.atlas),
            State::Away(_) | State::Between => None,
        }
    }

    pub(crate) fn site_mut(&mut self, world: WorldId) -> Option<&mut Site> {
        self.sites.get_mut(world.index())
    }
}

/// The pool of the surveyors, with as many threads as the first plugin of the process asked for. Bevy's pool
/// for long tasks has a quarter of the cores: too few for two thousand orders at once.
pub(crate) fn surveyors(threads: usize) -> &'static TaskPool {
    static POOL: OnceLock<TaskPool> = OnceLock::new();
    let name = || "farstride".to_owned();
    POOL.get_or_init(|| TaskPoolBuilder::new().num_threads(threads.max(1)).thread_name(name()).build())
}

/// The pool on which indexes are made. On that of the surveyors nothing would be answered for as long as an
/// index takes.
fn builders() -> &'static TaskPool {
    static POOL: OnceLock<TaskPool> = OnceLock::new();
    let name = || "farstride index".to_owned();
    POOL.get_or_init(|| TaskPoolBuilder::new().num_threads(1).thread_name(name()).build())
}

impl Site {
    /// The size of a mover, in cells.
    pub(crate) fn size(&self, mover: MoverId) -> u16 {
        self.movers.get(mover.index()).map_or(1, Mover::size)
    }

    /// Waits for the surveyor. Its reply is kept for the next frame.
    fn come_home(&mut self) {
        self.state = match mem::replace(&mut self.state, State::Between) {
            State::Away(task) => {
                let (surveyor, reply) = future::block_on(task);
                State::Home(surveyor, Some(Box::new(reply)))
            }
            state => state,
        };
    }

    /// Takes the reply of the surveyor, if it has finished; in lock step waits for it.
    pub(crate) fn collect(&mut self, waits: bool) -> Option<Reply> {
        if let State::Away(task) = &self.state
            && (waits || task.is_finished())
        {
            self.come_home();
        }
        let State::Home(_, reply) = &mut self.state else { return None };
        let reply = reply.take()?;
        self.pending.clear();
        self.marks = Marks::NONE;
        let movers = &self.movers;
        self.batch.edits.iter().for_each(|edit| self.marks.add(edit, movers));
        Some(*reply)
    }

    /// Puts an edit into the batch.
    pub(crate) fn add_edit(&mut self, edit: Edit) {
        self.marks.add(&edit, &self.movers);
        self.batch.edits.push(edit);
    }

    /// Whether edits are not made yet, as far as is known here.
    pub(crate) const fn has_edits_waiting(&self) -> bool {
        !self.pending.is_empty() || !self.batch.edits.is_empty()
    }

    /// Whether the surveyor can take a batch.
    pub(crate) const fn is_home(&self) -> bool {
        matches!(self.state, State::Home(_, None))
    }

    /// Hands the batch to the surveyor, if it is there and there is something to do.
    pub(crate) fn send(&mut self, budget: Budget, pool: &'static TaskPool) {
        if !self.is_home() {
            return;
        }
        if let Some(task) = self.better.take_if(|task| task.is_finished()) {
            let missed = mem::take(&mut self.missed);
            self.batch.better = Some((future::block_on(task), missed));
        }
        let State::Home(surveyor, _) = &self.state else { return };
        if self.batch.is_empty() && !surveyor.is_busy() {
            return;
        }
        if let State::Home(mut surveyor, _) = mem::replace(&mut self.state, State::Between) {
            let (id, batch) = (self.id, mem::take(&mut self.batch));
            self.pending.clone_from(&batch.edits);
            if self.better.is_some() {
                self.missed.extend(&batch.edits);
            }
            self.state = State::Away(pool.spawn(async move {
                let reply = surveyor.work(id, batch, budget, pool);
                (surveyor, reply)
            }));
        }
    }

    /// Whether an edit of the batch may change something for a mover within these bounds.
    pub(crate) fn may_touch(&self, mover: MoverId, bounds: Rect) -> bool {
        let size = self.size(mover);
        self.batch.edits.iter().any(|edit| match edit.change {
            Change::Fill { area, .. } => is_near(area, bounds, size),
            Change::AddLink(_) | Change::RemoveLink(_) => true,
        })
    }

    /// Whether an edit that the surveyor has not finished may forbid a hop. Then the agent waits.
    pub(crate) fn may_forbid(&self, mover: MoverId, from: Place, hop: Hop) -> bool {
        let is_far = hop.link.is_none() && is_step(from, hop.place) && !self.marks.has(hop.place.cell);
        let Some(mover) = self.movers.get(mover.index()).filter(|_| !is_far) else { return false };
        self.pending.iter().chain(&self.batch.edits).any(|edit| match edit.change {
            Change::Fill { floor, area, class } => {
                floor == hop.place.floor
                    && mover.cost(class).is_none()
                    && is_by(area, from, hop, mover.size())
            }
            Change::RemoveLink(id) => hop.link == Some(id),
            Change::AddLink(_) => false,
        })
    }
}

/// Whether two places are the same or neighbours.
pub(crate) fn is_step(from: Place, to: Place) -> bool {
    let beside = |a: u16, b: u16| a.abs_diff(b) <= 1;
    from.floor == to.floor && beside(from.cell.x, to.cell.x) && beside(from.cell.y, to.cell.y)
}

/// Blocks of cells by which edits wait, on any floor: most agents are far from all of them, and need not
/// look at each. Blocks 1024 cells apart share a mark.
#[derive(Debug)]
struct Marks {
    /// A row of blocks in each.
    rows: [u64; Self::BLOCKS as usize],
}

impl Marks {
    const BLOCKS: u16 = 64;
    const SIDE: u16 = 16;
    const NONE: Self = Self { rows: [0; Self::BLOCKS as usize] };

    /// Marks all blocks in which a step may end that an edit forbids.
    fn add(&mut self, edit: &Edit, movers: &[Mover]) {
        let Change::Fill { area, .. } = edit.change else { return };
        let margin = movers.iter().map(Mover::size).max().unwrap_or(1).saturating_add(2);
        let blocks = |least: u16, most: u16| {
            let (first, last) =
                (least.saturating_sub(margin) / Self::SIDE, most.saturating_add(margin) / Self::SIDE);
            first..=last.min(first + Self::BLOCKS - 1)
        };
        let (least, most) = (area.min(), area.max());
        let columns = blocks(least.x, most.x).fold(0, |bits, x| bits | 1 << (x % Self::BLOCKS));
        for y in blocks(least.y, most.y) {
            self.rows[usize::from(y % Self::BLOCKS)] |= columns;
        }
    }

    fn has(&self, cell: Cell) -> bool {
        let (x, y) = (cell.x / Self::SIDE % Self::BLOCKS, cell.y / Self::SIDE % Self::BLOCKS);
        self.rows[usize::from(y)] & 1 << x != 0
    }
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.edits.is_empty()
            && self.orders.is_empty()
            && self.gatherings.is_empty()
            && self.progress.is_empty()
            && self.gone.is_empty()
            && self.better.is_none()
    }
}

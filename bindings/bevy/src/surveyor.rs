//! The surveyor: it has the atlas and all plans, and works on a task pool.
//!
//! The main thread hands it a batch and takes the reply in a later frame, so that it never waits
//! for a search, an edit or an index.

use crate::gather::{self, Gathering};
use crate::message::{Change, Edit, WorldNews};
use crate::track::{Memory, Order, Progress, Task, Told, Track};
use crate::world::WorldId;
use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_tasks::TaskPool;
use farstride::atlas::{Atlas, MoverId, Place, TripPlanned};
use farstride::{Engine, Planner, Rect};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Number of agents that a thread works for before the clock is looked at.
const ROUND: usize = 16;
/// Number of agents that are worked for in one go. Plans take from a few to hundreds of microseconds: with
/// few at a time, all threads finish a round at about the same time.
const PORTION: usize = 4;

/// How much is planned between two frames. What is left waits for the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Budget {
    /// Until this much time has passed.
    Time(Duration),
    /// This many orders. Unlike time, the same on any machine.
    Orders(usize),
}

/// What the surveyor is to do.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) edits: Vec<Edit>,
    pub(crate) orders: Vec<Order>,
    pub(crate) gatherings: Vec<Gathering>,
    pub(crate) progress: Vec<Progress>,
    /// Agents that are gone or have no order any more.
    pub(crate) gone: Vec<Entity>,
    /// An atlas with better engines, and the edits that it has not seen.
    pub(crate) better: Option<(Box<Atlas>, Vec<Edit>)>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub(crate) told: Vec<Told>,
    pub(crate) goals: Vec<(Entity, Place)>,
    pub(crate) news: Vec<WorldNews>,
}

/// The atlas of a world and the plans of its agents.
#[derive(Debug)]
pub(crate) struct Surveyor {
    pub(crate) atlas: Box<Atlas>,
    tracks: Vec<Option<Track>>,
    slots: EntityHashMap<usize>,
    free: Vec<usize>,
    /// Slots with work to do, the most urgent first.
    queue: VecDeque<usize>,
    /// Those that no thread uses.
    memories: Mutex<Vec<Memory>>,
}

impl Surveyor {
    pub(crate) fn new(atlas: Box<Atlas>) -> Self {
        Self {
            atlas,
            tracks: Vec::new(),
            slots: EntityHashMap::default(),
            free: Vec::new(),
            queue: VecDeque::new(),
            memories: Mutex::default(),
        }
    }

    /// Whether agents wait for an answer.
    pub(crate) fn is_busy(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Does the work of a batch.
    pub(crate) fn work(&mut self, world: WorldId, batch: Batch, budget: Budget, pool: &TaskPool) -> Reply {
        let begin = Instant::now();
        let mut reply = Reply::default();
        for agent in batch.gone {
            self.drop_track(agent);
        }
        let areas = areas(&self.atlas, &batch.edits);
        edit(&mut self.atlas, &batch.edits, &mut reply.news);
        if !batch.edits.is_empty() {
            // Plans that nobody has begun may lead nowhere now.
            self.tracks.iter_mut().flatten().for_each(Track::unshare);
        }
        if let Some((mut better, missed)) = batch.better {
            let mut told_before = Vec::new();
            edit(&mut better, &missed, &mut told_before);
            edit(&mut better, &batch.edits, &mut told_before);
            self.atlas = better;
            self.tracks.iter_mut().flatten().for_each(Track::change_atlas);
            reply.news.push(WorldNews::Ready(world));
        }
        for progress in &batch.progress {
            self.note(progress, &areas);
        }
        for order in batch.orders {
            self.add(order);
        }
        for gathering in &batch.gatherings {
            gather::assign(&self.atlas, gathering, &mut reply.goals);
        }
        self.work_off((begin, budget), pool, &mut reply.told);
        reply
    }

    fn drop_track(&mut self, agent: Entity) {
        if let Some(slot) = self.slots.remove(&agent) {
            self.tracks[slot] = None;
            self.queue.retain(|&queued| queued != slot);
            self.free.push(slot);
        }
    }

    fn add(&mut self, order: Order) {
        let agent = order.agent;
        let slot = *self.slots.entry(agent).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.tracks.push(None);
                self.tracks.len() - 1
            })
        });
        let is_queued = self.tracks[slot].as_ref().is_some_and(|track| track.task != Task::Rest);
        self.tracks[slot] = Some(Track::new(order));
        if !is_queued {
            self.queue.push_back(slot);
        }
    }

    /// Notes how far an agent has come, and whether edits concern it. Agents that walk come before
    /// those that wait for a first answer.
    fn note(&mut self, progress: &Progress, areas: &[(usize, Rect)]) {
        let Some(&slot) = self.slots.get(&progress.agent) else { return };
        let Some(track) = &mut self.tracks[slot] else { return };
        if track.order.serial != progress.serial {
            return;
        }
        let was_queued = track.task != Task::Rest;
        track.note(progress);
        if !areas.is_empty() {
            track.check(&self.atlas, progress, areas);
        }
        if !was_queued && track.task != Task::Rest {
            self.queue.push_front(slot);
        }
    }

    /// Makes the plans of agents that go to the same place by one search, where the engine can. At most
    /// this many orders are looked at, and no search begins when it is time to stop.
    fn plan_groups(&mut self, orders: usize, threads: usize, must_stop: impl Fn() -> bool) {
        let mut groups: HashMap<(MoverId, Place), Vec<(usize, Place)>> = HashMap::new();
        let to_plan = self.queue.iter().filter_map(|&slot| {
            let track = self.tracks[slot].as_ref()?;
            track.is_to_plan().then_some((slot, track))
        });
        for (slot, track) in to_plan.take(orders) {
            if let Some(from) = track.may_share() {
                let key = (track.order.mover, track.order.goal);
                groups.entry(key).or_default().push((slot, from));
            }
        }
        for ((mover, goal), agents) in groups {
            let shares = |planner: &Planner| planner.shares_search(agents.len());
            if !self.atlas.planner(mover, goal.floor).is_ok_and(shares) {
                continue;
            }
            if must_stop() {
                break;
            }
            let starts: Vec<Place> = agents.iter().map(|&(_, from)| from).collect();
            let Ok(plans) = self.atlas.plan_group(mover, &starts, goal, threads) else { continue };
            for ((slot, _), planned) in agents.into_iter().zip(plans) {
                if let (Some(track), TripPlanned::Plan(plan)) = (&mut self.tracks[slot], planned) {
                    track.share(plan);
                }
            }
        }
    }

    /// Works for the agents in the queue until it is empty or the budget is spent.
    fn work_off(&mut self, (begin, budget): (Instant, Budget), pool: &TaskPool, told: &mut Vec<Told>) {
        let threads = pool.thread_num().max(1);
        let mut orders = match budget {
            Budget::Orders(orders) => orders.max(1),
            Budget::Time(_) => usize::MAX,
        };
        let must_stop = || matches!(budget, Budget::Time(time) if begin.elapsed() >= time);
        self.plan_groups(orders, threads, must_stop);
        let mut left = VecDeque::new();
        while !self.queue.is_empty() {
            let mut round = Vec::with_capacity(threads * ROUND);
            while round.len() < threads * ROUND
                && let Some(slot) = self.queue.pop_front()
            {
                let Some(track) = self.tracks[slot].take() else { continue };
                if track.is_to_plan() && orders == 0 {
                    self.tracks[slot] = Some(track);
                    left.push_back(slot);
                } else {
                    orders -= usize::from(track.is_to_plan());
                    round.push((slot, track));
                }
            }
            let (atlas, memories) = (&*self.atlas, &self.memories);
            let work = |tracks: &mut [(usize, Track)]| {
                let lock = || memories.lock().unwrap_or_else(PoisonError::into_inner);
                let mut memory = lock().pop().unwrap_or_default();
                let told = tracks.iter_mut().filter_map(|(_, track)| track.work(atlas, &mut memory));
                let told: Vec<Told> = told.collect();
                lock().push(memory);
                told
            };
            if threads == 1 || round.len() <= PORTION {
                told.extend(work(&mut round));
            } else {
                let portions = round.chunks_mut(PORTION);
                let done = pool.scope(|scope| {
                    portions.for_each(|tracks| scope.spawn(async move { work(tracks) }));
                });
                told.extend(done.into_iter().flatten());
            }
            for (slot, track) in round {
                self.tracks[slot] = Some(track);
            }
            if must_stop() {
                break;
            }
        }
        left.append(&mut self.queue);
        self.queue = left;
    }
}

/// The areas that edits change, with the numbers of their floors. Links count as the cells at
/// their ends.
fn areas(atlas: &Atlas, edits: &[Edit]) -> Vec<(usize, Rect)> {
    let mut areas = Vec::with_capacity(edits.len());
    for edit in edits {
        let link = match edit.change {
            Change::Fill { floor, area, .. } => {
                areas.push((floor.index(), area));
                continue;
            }
            Change::AddLink(link) => Some(link),
            Change::RemoveLink(id) => atlas.tiles().link(id),
        };
        let ends = link.into_iter().flat_map(|link| [link.from, link.to]);
        areas.extend(ends.map(|end| (end.floor.index(), Rect::from(end.cell))));
    }
    areas
}

/// Makes all edits in one go.
fn edit(atlas: &mut Atlas, edits: &[Edit], news: &mut Vec<WorldNews>) {
    if edits.is_empty() {
        return;
    }
    atlas.edit(|tiles| {
        for &edit in edits {
            match edit.change {
                Change::Fill { floor, area, class } => {
                    if let Err(error) = tiles.fill(floor, area, class) {
                        news.push(WorldNews::FillRefused { edit, error });
                    }
                }
                Change::AddLink(link) => news.push(match tiles.add_link(link) {
                    Ok(id) => WorldNews::LinkAdded { world: edit.world, id, link },
                    Err(error) => WorldNews::LinkRefused { edit, error },
                }),
                Change::RemoveLink(id) => {
                    tiles.remove_link(id);
                }
            }
        }
    });
}

/// Prepares all movers of an atlas.
pub(crate) fn prepare(atlas: &Atlas) {
    for (mover, _) in atlas.movers() {
        // The mover is one of the atlas.
        let _ = atlas.prepare(mover);
    }
}

/// An atlas of the same world that needs no index.
pub(crate) fn stand_in(atlas: &Atlas) -> Option<Box<Atlas>> {
    let mut other = Atlas::new(atlas.tiles().clone()).ok()?;
    for (_, mover) in atlas.movers() {
        other.add_mover(mover.clone().with_engine(Engine::Astar)).ok()?;
    }
    Some(Box::new(other))
}

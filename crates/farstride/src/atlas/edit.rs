//! Edits of an atlas: one change, and everything is true again.

use super::error::LinkError;
use super::state::{self, Ground, MoverState};
use super::tiles::{Floor, FloorId, Link, LinkId, TileMap};
use super::{Atlas, Mover};
use crate::base::Rect;
use crate::base::crew::{all_cores, split};
use crate::route::Planner;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Number of areas of planners to bring up to date that is worth another thread: each takes a fraction
/// of a millisecond, and starting a thread some tens of microseconds.
const WORTH_A_THREAD: usize = 2;

/// Number of edited areas that are remembered for plans.
const REMEMBERED: usize = 1024;

/// The latest edits of an atlas, so that plans look only at those on their way.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Number of changes so far.
    count: u64,
    /// The latest of them: areas of floors, or `None` for a change of links or floors.
    latest: VecDeque<Option<(FloorId, Rect)>>,
}

impl History {
    fn note(&mut self, change: Option<(FloorId, Rect)>) {
        if self.latest.len() == REMEMBERED {
            self.latest.pop_front();
        }
        self.latest.push_back(change);
        self.count += 1;
    }

    /// The number of changes so far, to ask [`History::since`] about later.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The changes since there were this many; `None` if they are no longer known.
    pub(super) fn since(&self, count: u64) -> Option<impl Iterator<Item = Option<(FloorId, Rect)>>> {
        let missed = usize::try_from(self.count.checked_sub(count)?).ok()?;
        let known = self.latest.len().checked_sub(missed)?;
        Some(self.latest.iter().skip(known).copied())
    }
}

/// A ground that an edit has changed, and where.
struct Changed {
    floor: FloorId,
    ground: usize,
    areas: Vec<Rect>,
}

/// A planner to bring up to date.
struct Job<'a> {
    id: FloorId,
    floor: &'a Floor,
    ground: usize,
    mover: &'a Mover,
    planner: &'a mut Planner,
    areas: &'a [Rect],
}

impl Atlas {
    /// Changes the tile map, and brings everything that was prepared up to date: only around
    /// the changes, on all cores.
    ///
    /// Several changes in one call cost less than several calls.
    pub fn edit<T>(&mut self, edit: impl FnOnce(&mut TileMap) -> T) -> T {
        let result = edit(&mut self.tiles);
        self.catch_up();
        result
    }

    /// Adds a link at whose ends some mover of this atlas that may use it can stand.
    ///
    /// # Errors
    /// As [`TileMap::add_link`], and [`LinkError::Blocked`] if there are movers and none that
    /// may use the link can stand at an end; nothing changes then.
    pub fn add_link(&mut self, link: Link) -> Result<LinkId, LinkError> {
        self.tiles.check_link(&link)?;
        for place in [link.from, link.to] {
            let stands = |state: &MoverState| {
                state.mover.uses(link.kind) && self.planner_of(state, place.floor).grid().is_free(place.cell)
            };
            if !self.movers.is_empty() && !self.movers.iter().any(stands) {
                return Err(LinkError::Blocked { place });
            }
        }
        self.edit(|tiles| tiles.add_link(link))
    }

    /// Follows the changes that the tile map has noted.
    fn catch_up(&mut self) {
        let noted = std::mem::take(&mut self.tiles.changes);
        let links_changed = std::mem::take(&mut self.tiles.links_changed);
        let is_larger = self.grounds.len() < self.tiles.floor_count();
        self.grounds.resize_with(self.tiles.floor_count(), Vec::new);
        for &area in &noted {
            self.history.note(Some(area));
        }
        if links_changed {
            self.history.note(None);
        }
        let mut areas = vec![Vec::new(); self.tiles.floor_count()];
        for &(floor, area) in &noted {
            areas[floor.index()].push(area);
        }
        self.part_grounds(&areas);
        (0..self.movers.len()).for_each(|number| self.settle_on_new_floors(number));
        let changed = self.follow_grounds(&areas);
        if links_changed || is_larger || !changed.is_empty() {
            self.follow_nets(&changed, links_changed);
        }
    }

    /// Gives movers that no longer see a floor alike grounds of their own.
    fn part_grounds(&mut self, areas: &[Vec<Rect>]) {
        let Self { tiles, movers, grounds, .. } = self;
        for (id, floor) in tiles.floors().filter(|(id, _)| !areas[id.index()].is_empty()) {
            let here = &mut grounds[id.index()];
            let mut moved = Vec::new();
            for at in 0..here.len() {
                let alike = |a: usize, b: usize| movers[a].mover.sees_alike(&movers[b].mover, floor);
                let first = here[at].movers[0];
                let (staying, leaving): (Vec<_>, Vec<_>) =
                    here[at].movers.iter().partition(|&&mover| alike(first, mover));
                here[at].movers = staying;
                let parted = here.len();
                for mover in leaving {
                    let among = here[parted..].iter().position(|ground| alike(ground.movers[0], mover));
                    let to = parted + among.unwrap_or(here.len() - parted);
                    if to == here.len() {
                        let planner = here[at].planner.clone();
                        here.push(Ground { planner, ..Ground::default() });
                    }
                    here[to].movers.push(mover);
                    moved.push((mover, to));
                }
            }
            for (mover, ground) in moved {
                movers[mover].grounds[id.index()] = ground;
            }
        }
    }

    /// Finds the grounds of a mover on floors that it does not know yet.
    pub(super) fn settle_on_new_floors(&mut self, number: usize) {
        let Self { tiles, movers, grounds, .. } = self;
        for (id, floor) in tiles.floors().skip(movers[number].grounds.len()) {
            let mover = &movers[number].mover;
            let here = &mut grounds[id.index()];
            let alike =
                here.iter().position(|ground| movers[ground.movers[0]].mover.sees_alike(mover, floor));
            let at = alike.unwrap_or_else(|| {
                here.push(Ground::default());
                here.len() - 1
            });
            here[at].movers.push(number);
            movers[number].grounds.push(at);
        }
    }

    /// Brings maps and indexes up to date, on all cores.
    fn follow_grounds(&mut self, areas: &[Vec<Rect>]) -> Vec<Changed> {
        let Self { tiles, movers, grounds, .. } = self;
        let mut jobs = Vec::new();
        for ((id, floor), here) in tiles.floors().zip(grounds) {
            let areas = &areas[id.index()];
            for (ground, Ground { movers: users, planner }) in here.iter_mut().enumerate() {
                let mover = &movers[users[0]].mover;
                if let Some(planner) = planner.get_mut().filter(|_| !areas.is_empty()) {
                    jobs.push(Job { id, floor, ground, mover, planner, areas });
                }
            }
        }
        // Each thread takes the next job: one that is held up delays no more than that.
        let work: usize = jobs.iter().map(|job| job.areas.len()).sum();
        let threads = (work / WORTH_A_THREAD).min(jobs.len()).clamp(1, all_cores());
        // Few jobs leave threads without one, at the end at least: these help inside of jobs.
        let inner = (2 * all_cores() / jobs.len().max(1)).clamp(1, all_cores());
        let jobs = Mutex::new(jobs.into_iter());
        let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let follow = |job: Job<'_>| Changed {
            floor: job.id,
            ground: job.ground,
            areas: state::follow(job.planner, job.mover, job.floor, job.areas, inner),
        };
        let done =
            split((0..threads).map(|_| ()), |()| std::iter::from_fn(next).map(follow).collect::<Vec<_>>());
        done.into_iter().flatten().filter(|changed| !changed.areas.is_empty()).collect()
    }

    /// Brings the links of all movers up to date.
    fn follow_nets(&mut self, changed: &[Changed], links_changed: bool) {
        for number in 0..self.movers.len() {
            let Some(mut net) = self.movers[number].net.take() else { continue };
            let state = &self.movers[number];
            let planners: Vec<&Planner> =
                self.tiles.floors().map(|(floor, _)| self.planner_of(state, floor)).collect();
            let of_mover =
                changed.iter().filter(|changed| state.grounds[changed.floor.index()] == changed.ground);
            let areas: Vec<(FloorId, Rect)> = of_mover
                .flat_map(|changed| changed.areas.iter().map(|&area| (changed.floor, area)))
                .collect();
            net.follow(&self.tiles, &state.mover, &planners, &areas, links_changed);
            self.movers[number].net = net.into();
        }
    }
}

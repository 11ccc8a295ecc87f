//! Room for many around one place.

use bevy_ecs::entity::Entity;
use farstride::Cell;
use farstride::atlas::{Atlas, Mover, MoverId, Place};
use std::collections::{HashMap, HashSet, VecDeque};

/// Agents that go to one place, each with its mover and where it is.
#[derive(Debug)]
pub(crate) struct Gathering {
    pub(crate) agents: Vec<(Entity, MoverId, Place)>,
    pub(crate) around: Place,
    pub(crate) gap: u16,
}

/// Gives each agent a place of its own; those for whom there is none are left out.
pub(crate) fn assign(atlas: &Atlas, gathering: &Gathering, goals: &mut Vec<(Entity, Place)>) {
    let Gathering { agents, around, gap } = gathering;
    let size = |mover| atlas.mover(mover).map_or(1, Mover::size);
    let distance = |place: &Place| {
        let (dx, dy) = (place.cell.x.abs_diff(around.cell.x), place.cell.y.abs_diff(around.cell.y));
        u64::from(dx).pow(2) + u64::from(dy).pow(2)
    };
    let mut order: Vec<&(Entity, MoverId, Place)> = agents.iter().collect();
    order.sort_by_key(|(_, mover, place)| {
        (std::cmp::Reverse(size(*mover)), place.floor != around.floor, distance(place))
    });
    // Those who can get to different places only gather around these.
    let mut rings: HashMap<(MoverId, Place), Ring<'_>> = HashMap::new();
    let mut taken: HashSet<Place> = HashSet::new();
    for &&(agent, mover, from) in &order {
        let Some((_, goal)) = atlas.substitute(mover, from, *around).ok().flatten() else { continue };
        let ring = rings.entry((mover, goal)).or_insert_with(|| Ring::new(atlas, mover, goal));
        let room = size(mover).saturating_add(*gap);
        if let Some(place) = ring.next_free(room, &taken) {
            taken.extend(square(place, room));
            goals.push((agent, place));
        }
    }
}

/// The places that a mover of this size covers at a place.
fn square(Place { floor, cell }: Place, side: u16) -> impl Iterator<Item = Place> {
    let across = move |at: u16| at..at.saturating_add(side);
    across(cell.y).flat_map(move |y| across(cell.x).map(move |x| Place { floor, cell: Cell::new(x, y) }))
}

/// The places around a goal, in the order in which a mover gets there from it.
struct Ring<'a> {
    atlas: &'a Atlas,
    mover: MoverId,
    queue: VecDeque<Place>,
    seen: HashSet<Place>,
}

impl<'a> Ring<'a> {
    fn new(atlas: &'a Atlas, mover: MoverId, goal: Place) -> Self {
        Self { atlas, mover, queue: [goal].into(), seen: [goal].into() }
    }

    /// The next place at which a square is free.
    fn next_free(&mut self, side: u16, taken: &HashSet<Place>) -> Option<Place> {
        while let Some(place) = self.queue.pop_front() {
            let grid = self.atlas.planner(self.mover, place.floor).ok()?.grid();
            for direction in grid.moves(place.cell) {
                let next = Place { floor: place.floor, cell: place.cell.step(direction) };
                if self.seen.insert(next) {
                    self.queue.push_back(next);
                }
            }
            if square(place, side).all(|place| !taken.contains(&place)) {
                return Some(place);
            }
        }
        None
    }
}

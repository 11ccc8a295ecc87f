//! Room for many around one place.

use bevy_ecs::entity::Entity;
use farstride::Cell;
use farstride::atlas::{Atlas, FloorId, Mover, MoverId, Place};
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
    let mut rings: HashMap<MoverId, Ring<'_>> = HashMap::new();
    let mut taken: HashSet<Cell> = HashSet::new();
    for &&(agent, mover, from) in &order {
        let substitute = || atlas.substitute(mover, from, *around).ok().flatten();
        let ring = rings.entry(mover).or_insert_with(|| {
            Ring::new(atlas, mover, around.floor, substitute().map(|(_, goal)| goal.cell))
        });
        let room = size(mover).saturating_add(*gap);
        if let Some(cell) = ring.next_free(room, &taken) {
            taken.extend(square(cell, room));
            goals.push((agent, Place { floor: around.floor, cell }));
        }
    }
}

/// The cells that a mover of this size covers at a cell.
fn square(cell: Cell, side: u16) -> impl Iterator<Item = Cell> {
    let across = move |at: u16| at..at.saturating_add(side);
    across(cell.y).flat_map(move |y| across(cell.x).map(move |x| Cell::new(x, y)))
}

/// The cells around a goal, in the order in which a mover gets there from it.
struct Ring<'a> {
    atlas: &'a Atlas,
    mover: MoverId,
    floor: FloorId,
    queue: VecDeque<Cell>,
    seen: HashSet<Cell>,
}

impl<'a> Ring<'a> {
    fn new(atlas: &'a Atlas, mover: MoverId, floor: FloorId, goal: Option<Cell>) -> Self {
        Self { atlas, mover, floor, queue: goal.into_iter().collect(), seen: goal.into_iter().collect() }
    }

    /// The next cell at which a square is free.
    fn next_free(&mut self, side: u16, taken: &HashSet<Cell>) -> Option<Cell> {
        let grid = self.atlas.planner(self.mover, self.floor).ok()?.grid();
        while let Some(cell) = self.queue.pop_front() {
            for direction in grid.moves(cell) {
                let next = cell.step(direction);
                if self.seen.insert(next) {
                    self.queue.push_back(next);
                }
            }
            if square(cell, side).all(|cell| !taken.contains(&cell)) {
                return Some(cell);
            }
        }
        None
    }
}

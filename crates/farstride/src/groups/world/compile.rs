//! Compiling designs into building types.

use super::WorldError;
use super::crossings::crossings;
use super::design::{Design, Door};
use super::kind::{DoorOut, ExitNode, Kind, MAYBE_EXIT, RoomPlace};
use super::parts::Parts;
use super::representatives::{leaving, representatives};
use crate::base::{Cost, NodeId};
use crate::search::Memory;

/// How deep rooms may be nested. Finding the arcs of a node goes down room by room.
pub(super) const MOST_DEPTH: u32 = 32;
/// How many exits a type may have. Costs are stored for every pair of them.
pub(super) const MOST_EXITS: usize = 4096;

/// Compiles every design, and computes what all instances of it share.
pub(super) fn compile(designs: Vec<Design>) -> Result<Box<[Kind]>, WorldError> {
    let order = sort_innermost_first(&designs)?;
    let counts = node_counts(&designs, &order)?;
    for (design, &nodes) in designs.iter().zip(&counts) {
        check_exits(design, nodes)?;
    }
    let mut kinds = Vec::with_capacity(designs.len());
    for (design, &nodes) in designs.iter().zip(&counts) {
        kinds.push(Blueprint { designs: &designs, counts: &counts, design }.kind(nodes)?);
    }
    for (kind, design) in kinds.iter_mut().zip(designs) {
        kind.name = design.name.into();
    }
    mark_exits(&mut kinds);
    let mut memory = Memory::default();
    // Innermost first: each type needs the parts, crossings and representatives of the
    // types of its rooms, and these in this order.
    for at in order {
        assign_part_slots(&mut kinds, at);
        kinds[at].parts = Parts::of(&kinds, &kinds[at]);
        kinds[at].crossings = crossings(&kinds, &kinds[at], &mut memory)?;
        let chosen = representatives(&kinds, &kinds[at]);
        let costs = leaving(&kinds, &kinds[at], &chosen, &mut memory);
        (kinds[at].representatives, kinds[at].leaving) = (chosen, costs);
    }
    Ok(kinds.into())
}

/// Returns the designs in an order in which the type of every room comes before the
/// types that contain it.
fn sort_innermost_first(designs: &[Design]) -> Result<Vec<usize>, WorldError> {
    let mut order = Vec::with_capacity(designs.len());
    let mut states = vec![State::New; designs.len()];
    for start in 0..designs.len() {
        if states[start] != State::New {
            continue;
        }
        // Depth first with a stack of its own: designs may be nested deeper than the
        // call stack before `node_counts` refuses them.
        let mut stack = vec![(start, 0)];
        states[start] = State::InProgress;
        while let Some((at, room)) = stack.pop() {
            let Some(next) = designs[at].rooms.get(room) else {
                states[at] = State::Done;
                order.push(at);
                continue;
            };
            stack.push((at, room + 1));
            let next = room_type(designs, at, next.kind)?;
            match states[next] {
                State::New => {
                    states[next] = State::InProgress;
                    stack.push((next, 0));
                }
                State::InProgress => return Err(cycle(designs, &stack, next)),
                State::Done => {}
            }
        }
    }
    Ok(order)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    InProgress,
    Done,
}

/// Returns the index of a room's type if it exists.
fn room_type(designs: &[Design], at: usize, found: super::TypeId) -> Result<usize, WorldError> {
    let (building, types) = (&designs[at].name, designs.len());
    if found.index() < types {
        Ok(found.index())
    } else {
        Err(WorldError::UnknownRoom { building: building.clone(), found, types })
    }
}

/// The error for a type on the stack that contains itself: the types from there on.
fn cycle(designs: &[Design], stack: &[(usize, usize)], from: usize) -> WorldError {
    let types = stack.iter().map(|&(at, _)| at).skip_while(|&at| at != from);
    WorldError::InsideItself { cycle: types.map(|at| designs[at].name.clone()).collect() }
}

/// Returns the number of nodes of every type, including those of rooms.
fn node_counts(designs: &[Design], order: &[usize]) -> Result<Vec<u32>, WorldError> {
    let mut counts = vec![0_u32; designs.len()];
    let mut depths = vec![0; designs.len()];
    for &at in order {
        let Design { name, nodes, rooms, .. } = &designs[at];
        let inside = rooms.iter().map(|room| u64::from(counts[room.kind.index()]));
        let nodes = inside.fold(u64::from(*nodes), u64::saturating_add);
        let building = || name.clone();
        counts[at] =
            u32::try_from(nodes).map_err(|_| WorldError::TooManyNodes { building: building(), nodes })?;
        if nodes == 0 {
            return Err(WorldError::Empty { building: building() });
        }
        depths[at] = rooms.iter().map(|room| depths[room.kind.index()] + 1).max().unwrap_or(0);
        if depths[at] > MOST_DEPTH {
            return Err(WorldError::TooDeep { building: building(), most: MOST_DEPTH });
        }
    }
    Ok(counts)
}

/// Checks that exits exist, are not too many, and are listed once.
fn check_exits(design: &Design, nodes: u32) -> Result<(), WorldError> {
    let building = || design.name.clone();
    if design.exits.len() > MOST_EXITS {
        let exits = design.exits.len();
        return Err(WorldError::TooManyExits { building: building(), exits, most: MOST_EXITS });
    }
    if let Some(&node) = design.exits.iter().find(|&&exit| exit >= nodes) {
        return Err(WorldError::UnknownNode { building: building(), node, nodes });
    }
    let mut sorted = design.exits.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(WorldError::ExitTwice { building: building(), node: pair[0] }),
        None => Ok(()),
    }
}

/// Marks the rows of all exits, in whichever type they lie. A mark in a type that is
/// also used elsewhere costs a lookup there and nothing else.
fn mark_exits(kinds: &mut [Kind]) {
    for at in 0..kinds.len() {
        for exit in 0..kinds[at].exits.len() {
            let node = kinds[at].exits[exit].index() as u32;
            let (mut inner, mut local) = (at, node);
            while local >= kinds[inner].own_nodes {
                let room = kinds[inner].rooms[kinds[inner].room_at(local)];
                (inner, local) = (room.kind.index(), local - room.offset);
            }
            kinds[inner].rows[local as usize] |= MAYBE_EXIT;
        }
    }
}

/// Assigns slots to the parts of each room, after those of own nodes.
fn assign_part_slots(kinds: &mut [Kind], at: usize) {
    let mut rooms = std::mem::take(&mut kinds[at].rooms);
    let mut next = kinds[at].own_nodes;
    for room in &mut rooms {
        room.first_part_slot = next;
        next += kinds[room.kind.index()].parts.count;
    }
    kinds[at].rooms = rooms;
}

/// A design among the others.
struct Blueprint<'d> {
    designs: &'d [Design],
    counts: &'d [u32],
    design: &'d Design,
}

/// Arcs with their tails, before they are sorted into rows.
type Arcs = Vec<(u32, NodeId, Cost)>;

impl Blueprint<'_> {
    /// Returns the type without its name, parts and crossings.
    fn kind(&self, node_count: u32) -> Result<Kind, WorldError> {
        let design = self.design;
        let mut arcs = self.own_arcs()?;
        let (rooms, mut doors_out) = self.rooms(&mut arcs)?;
        arcs.sort_unstable();
        doors_out.sort_by_key(|way| way.inside);
        self.check_arc_count(arcs.len())?;
        let mut exits_by_node: Vec<_> =
            (0..).zip(&design.exits).map(|(exit, &node)| ExitNode { node, exit }).collect();
        exits_by_node.sort_unstable();
        Ok(Kind {
            rows: self.rows(&arcs),
            arcs: arcs.into_iter().map(|(_, head, cost)| (head, cost)).collect(),
            own_nodes: design.nodes,
            rooms: rooms.into(),
            doors_out: doors_out.into(),
            exits_by_node: exits_by_node.into(),
            exits: design.exits.iter().copied().map(NodeId::new).collect(),
            node_count,
            name: Box::default(),
            parts: Parts::default(),
            crossings: Box::default(),
            representatives: Box::default(),
            leaving: Box::default(),
        })
    }

    /// Checks that the start of every row leaves the bit of [`MAYBE_EXIT`] free.
    fn check_arc_count(&self, arcs: usize) -> Result<(), WorldError> {
        if arcs < MAYBE_EXIT as usize {
            return Ok(());
        }
        Err(WorldError::TooManyArcs { building: self.design.name.clone(), arcs })
    }

    fn own_arcs(&self) -> Result<Arcs, WorldError> {
        let arc = |&(tail, head, cost): &(u32, u32, Cost)| {
            self.check_own(tail)?;
            self.check_own(head)?;
            if cost > Cost::MAX {
                return Err(self.too_dear(cost));
            }
            Ok((tail, NodeId::new(head), cost))
        };
        self.design.arcs.iter().map(arc).collect()
    }

    fn check_own(&self, node: u32) -> Result<(), WorldError> {
        let Design { name, nodes, .. } = self.design;
        if node < *nodes {
            Ok(())
        } else {
            Err(WorldError::UnknownNode { building: name.clone(), node, nodes: *nodes })
        }
    }

    fn too_dear(&self, cost: Cost) -> WorldError {
        WorldError::TooDear { building: self.design.name.clone(), cost }
    }

    /// Returns the rooms and the doors out of them; adds the doors into them to the
    /// arcs.
    fn rooms(&self, arcs: &mut Arcs) -> Result<(Vec<RoomPlace>, Vec<DoorOut>), WorldError> {
        let (mut rooms, mut doors_out) = (Vec::new(), Vec::new());
        let mut offset = self.design.nodes;
        for room in &self.design.rooms {
            for door in &room.doors {
                let inside = offset + self.exit_node(room.kind, door)?;
                let outside = door.outside.index() as u32;
                arcs.extend(door.into.map(|cost| (outside, NodeId::new(inside), cost)));
                doors_out.extend(door.out.map(|cost| DoorOut { inside, outside, cost }));
            }
            rooms.push(RoomPlace { offset, kind: room.kind, first_part_slot: 0 });
            // Cannot overflow: `node_counts` has checked the sum.
            offset += self.counts[room.kind.index()];
        }
        Ok((rooms, doors_out))
    }

    /// The exit node of a door, numbered as in the room's type.
    fn exit_node(&self, kind: super::TypeId, door: &Door) -> Result<u32, WorldError> {
        let Design { name, exits, .. } = &self.designs[kind.index()];
        let Some(&node) = exits.get(door.exit as usize) else {
            let building = name.clone();
            return Err(WorldError::UnknownExit { building, exit: door.exit, exits: exits.len() });
        };
        self.check_own(door.outside.index() as u32)?;
        match [door.out, door.into].into_iter().flatten().find(|&cost| cost >= Cost::MAX) {
            Some(cost) => Err(self.too_dear(cost)),
            None => Ok(node),
        }
    }

    /// Where the arcs of each own node begin.
    fn rows(&self, arcs: &Arcs) -> Box<[u32]> {
        let own = self.design.nodes as usize;
        let mut rows = vec![0; own + 1];
        for &(tail, ..) in arcs {
            rows[tail as usize + 1] += 1;
        }
        for node in 0..own {
            rows[node + 1] += rows[node];
        }
        rows.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_arcs_are_refused() {
        let design = Design { name: "web".into(), ..Design::default() };
        let blueprint = Blueprint { designs: &[], counts: &[], design: &design };
        assert_eq!(blueprint.check_arc_count((1 << 31) - 1), Ok(()));
        let error = blueprint.check_arc_count(1 << 31).unwrap_err();
        assert_eq!(error, WorldError::TooManyArcs { building: "web".into(), arcs: 1 << 31 });
    }
}

//! The pictures of the office.

use super::{CAR, DESK, DOORS, FIRE_DOOR, FLOORS, Office, STAIRS, nodes};
use farstride::graph::NodeId;
use farstride::groups::{GroupHierarchy, GroupId};
use farstride_io::picture::Colour;
use farstride_lab::diagram::{Area, Diagram, Edge, Group, Node, Panel, Route, Sample};

/// How many of the doors are in walls; the others lead from one place outside to
/// another.
const WALLS: usize = 6;

impl Office {
    /// The office with the whole walk and its first section.
    pub(super) fn draw(
        &self,
        hierarchy: &GroupHierarchy<NodeId>,
        path: &[NodeId],
        first: &[NodeId],
    ) -> Diagram {
        let mut office = Panel::new("");
        self.draw_ground(&mut office);
        for room in (0..self.rooms.len() as u32).map(GroupId::new) {
            let members = Group::of(numbers(self.groups.members(room)));
            let stands_for = hierarchy.representative(1, room).map_or(0, NodeId::index);
            office.group(members.representative(stands_for));
        }
        office
            .route(Route::through(numbers(first)).name("the first section").unmarked())
            .route(Route::through(numbers(path)).name("the whole walk").dashed());
        let mut diagram = Diagram::new("From the desk to the rear parking lot");
        diagram.panel(office);
        diagram
            .legend(Sample::Representative, "stands for its room")
            .legend(Sample::Portal, "stairs, fire escape");
        diagram
    }

    /// Rooms and floors, and what was planned of the walk when its first section
    /// was.
    pub(super) fn draw_levels(
        &self,
        hierarchy: &GroupHierarchy<NodeId>,
        planned: &[(NodeId, usize)],
    ) -> Diagram {
        let (mut rooms, mut floors) = (Panel::new("Level 1: rooms"), Panel::new("Level 2: floors"));
        for (number, room) in self.rooms.iter().enumerate() {
            let [(left, top), (right, bottom)] = room.corners;
            let lower = if FLOORS[2].1.contains(&number) { 2.5 } else { 0.0 };
            let (x, y) = (f64::midpoint(left, right), f64::midpoint(top, bottom) + lower);
            rooms.node(Node::named(x, y, room.name).colour(Colour::group(number)));
        }
        for (number, (name, _)) in FLOORS.into_iter().enumerate() {
            let x = [6.0, 0.0, 6.0][number];
            floors.node(Node::named(x, 9.0 * number as f64, name).colour(Colour::group(number + 4)));
        }
        for (level, panel) in [(1, &mut rooms), (2, &mut floors)] {
            for from in 0..hierarchy.group_count(level) {
                let connections = hierarchy.connections(level, GroupId::new(from as u32));
                panel.edges(connections.map(|(to, cost)| Edge::one_way(from, to.index()).cost(cost.units())));
            }
            let known = planned.iter().filter(|(_, of)| *of <= level);
            let groups = known.filter_map(|&(node, _)| hierarchy.group_at(&self.groups, node, level));
            let mut groups: Vec<usize> = groups.map(GroupId::index).collect();
            groups.dedup();
            panel.route(Route::through(groups).colour(Colour::path(2)).unmarked());
            let [start, goal] = [DESK, CAR].map(|end| hierarchy.group_at(&self.groups, end, level));
            panel.start(start.map_or(0, GroupId::index)).goal(goal.map_or(0, GroupId::index));
        }
        let mut diagram = Diagram::new("What is planned when the first section is");
        diagram.panel(rooms).panel(floors);
        diagram
    }

    fn draw_ground(&self, panel: &mut Panel) {
        let (lawn, tar) = (Colour::rgb(0xe6, 0xf0, 0xd8), Colour::rgb(0xe4, 0xe6, 0xea));
        for room in self.rooms.iter().rev() {
            let [corner, opposite] = room.corners;
            panel.area(
                match room.name {
                    "Forecourt" | "Side path" => Area::rectangle(corner, opposite, lawn),
                    "Parking lot" => Area::rectangle(corner, opposite, tar),
                    _ => Area::room(corner, opposite),
                }
                .label(room.name),
            );
        }
        for &(a, b) in &DOORS[..WALLS] {
            panel.area(self.door(a as usize, b as usize));
        }
        panel.nodes(self.places.iter().copied());
        for node in nodes(0..self.places.len()) {
            let arcs = self.graph.graph().arcs(node).iter().filter(|(head, _)| node < *head);
            panel.edges(arcs.map(|(head, _)| (node.index(), head.index())));
        }
        panel.edge(Edge::between(STAIRS[0].index(), STAIRS[1].index()).portal().cost("8 down, 12 up"));
        panel.edge(Edge::one_way(FIRE_DOOR[0].index(), FIRE_DOOR[1].index()).portal().cost(100));
    }

    /// The opening where the way between two waypoints leaves the room of the first.
    fn door(&self, a: usize, b: usize) -> Area {
        let ((x, y), (to_x, to_y)) = (self.places[a], self.places[b]);
        let [(left, top), (right, bottom)] =
            self.rooms[self.groups.group_of(NodeId::new(a as u32)).index()].corners;
        if (to_x - x).abs() < (to_y - y).abs() {
            let wall = if to_y > y { bottom } else { top };
            Area::door((x - 0.7, wall), (x + 0.7, wall))
        } else {
            let wall = if to_x > x { right } else { left };
            Area::door((wall, y - 0.7), (wall, y + 0.7))
        }
    }
}

fn numbers(path: &[NodeId]) -> impl Iterator<Item = usize> {
    path.iter().map(|node| node.index())
}

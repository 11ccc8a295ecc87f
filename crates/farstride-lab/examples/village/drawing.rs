//! The picture of the village.

use super::{BROOK, PLANS, Plan, ROADS, Village, steps};
use farstride::graph::{Graph, NodeId};
use farstride::groups::world::InstanceId;
use farstride::{Cell, Cost};
use farstride_io::picture::Colour;
use farstride_lab::diagram::{Area, Diagram, Group, Node, Panel, Route, Sample};

const GRASS: Colour = Colour::rgb(0xe6, 0xf0, 0xd8);
const ROAD: Colour = Colour::rgb(0xd9, 0xcf, 0xb0);
const WATER: Colour = Colour::rgb(0xa9, 0xd0, 0xe8);
const WOOD: Colour = Colour::rgb(0xf6, 0xe7, 0xd3);

impl Plan {
    /// Walls and doors.
    fn draw(&self, panel: &mut Panel, corner: (u16, u16), turned: bool) {
        let at = |point| self.on_map(point, corner, turned);
        panel.area(Area::room(at((0.0, 0.0)), at(self.size)).colour(WOOD));
        for &(kind, (x, y), _) in self.rooms {
            let Self { size: (width, height), nodes, .. } = &PLANS[kind];
            panel.area(Area::room(at((x, y)), at((x + width, y + height))).colour(WOOD));
            let middle = x + nodes[0].0;
            let posts = [middle - 0.4, middle + 0.4].map(|x| at((x, y + height)));
            panel.area(Area::door(posts[0], posts[1]).colour(WOOD));
        }
        for &exit in self.exits {
            let Cell { x, y } = self.in_front(exit, corner, turned);
            let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            let (left, top) = (f64::from(corner.0), f64::from(corner.1));
            let wall = (x.clamp(left, left + self.size.0), y.clamp(top, top + self.size.1));
            let half = if (wall.1 - y).abs() > 0.1 { (0.4, 0.0) } else { (0.0, 0.4) };
            let posts = [(wall.0 - half.0, wall.1 - half.1), (wall.0 + half.0, wall.1 + half.1)];
            panel.area(Area::door(posts[0], posts[1]).colour(WOOD));
        }
    }
}

impl Village {
    pub(super) fn draw(&self, routes: [(&[NodeId], Cost); 2]) -> Diagram {
        let mut panel = Panel::new("");
        panel.background(GRASS).area(cells([BROOK[0][0], BROOK[1][1]], WATER));
        for road in ROADS {
            panel.area(cells(road, ROAD));
        }
        let mut number_of = vec![None; self.world.node_count()];
        let mut count = 0;
        for &(instance, kind, corner, turned) in &self.placed {
            let plan = &PLANS[kind];
            plan.draw(&mut panel, corner, turned);
            let first = count;
            for (node, place) in self.world.nodes_of(instance).zip(plan.places()) {
                panel.node(plan.on_map(place, corner, turned));
                number_of[node as usize] = Some(count);
                count += 1;
            }
            let [corner, opposite] = [(0.0, 0.0), plan.size].map(|point| plan.on_map(point, corner, turned));
            let group = Group::of(first..count).framed(corner, opposite).name(plan.name);
            let stands_for = first + self.draw_inside(&mut panel, instance, first);
            panel.group(group.colour(Colour::group(kind)).representative(stands_for));
        }
        for ((path, cost), name) in routes.into_iter().zip(["by the footbridge", "by the ford"]) {
            let mut way = Vec::new();
            for node in self.turns(path) {
                let number = number_of[node.index()].get_or_insert_with(|| {
                    let cell = self.world.base().cell(node).unwrap_or_default();
                    panel.node(Node::at(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5).size(0.25));
                    count += 1;
                    count - 1
                });
                way.push(*number);
            }
            panel.route(Route::through(way).name(name).cost(format!("{:.1}", steps(cost))));
        }
        let mut diagram = Diagram::new("From a bed to a chair");
        diagram.width(1000).panel(panel);
        diagram
            .legend(Sample::Representative, "stands for its building")
            .legend(Sample::Ground(ROAD), "road");
        diagram
    }

    /// The arcs in an instance whose nodes are drawn from number `first` on; which
    /// node stands for it.
    fn draw_inside(&self, panel: &mut Panel, instance: InstanceId, first: usize) -> usize {
        let kind = self.world.type_of(instance);
        let Some(building) = kind.and_then(|kind| self.world.catalog().building(kind)) else { return 0 };
        for node in (0..building.node_count() as u32).map(NodeId::new) {
            building.for_each_arc(node, |head, _| {
                if node < head {
                    panel.edge((first + node.index(), first + head.index()));
                }
            });
        }
        building.representatives().next().map_or(0, NodeId::index)
    }

    /// A way without the cells that lie straight between others.
    fn turns(&self, path: &[NodeId]) -> Vec<NodeId> {
        let place = |cell: Cell| (i32::from(cell.x), i32::from(cell.y));
        let cell = |node: NodeId| self.world.base().cell(node).map(place);
        let is_straight = |nodes: &[NodeId]| match [nodes[0], nodes[1], nodes[2]].map(cell) {
            [Some(a), Some(b), Some(c)] => (a.0 + c.0, a.1 + c.1) == (2 * b.0, 2 * b.1),
            _ => false,
        };
        let inner = path.windows(3).filter(|nodes| !is_straight(nodes)).map(|nodes| nodes[1]);
        path.first().copied().into_iter().chain(inner).chain(path.last().copied()).collect()
    }
}

fn cells([from, to]: [(u16, u16); 2], colour: Colour) -> Area {
    let end = |at: u16| f64::from(at) + 1.0;
    Area::rectangle((from.0.into(), from.1.into()), (end(to.0), end(to.1)), colour)
}

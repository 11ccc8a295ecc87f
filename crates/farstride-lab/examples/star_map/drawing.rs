//! The picture of the star map.

use super::{Found, Star, light_years};
use farstride::graph::{Link, Linked};
use farstride::graph::{NodeId, RowGraph};
use farstride::groups::{GroupHierarchy, GroupId, Members};
use farstride_io::picture::Colour;
use farstride_lab::diagram::{Diagram, Edge, Group, Node, Panel, Route, Sample};

/// The map, pale where the plan over sectors does not lead.
pub(super) fn draw(
    stars: &[Star],
    space: &Linked<RowGraph>,
    hierarchy: &GroupHierarchy<NodeId>,
    sectors: &Members,
    [route, best]: [&Found; 2],
) -> Diagram {
    let mut sky = Panel::new("");
    sky.background(Colour::rgb(0x14, 0x1a, 0x2e));
    let is_planned = |sector| route.0.iter().any(|&star| sectors.group_of(star) == sector);
    for (number, star) in (0..).map(NodeId::new).zip(stars) {
        let node = Node::at(star.at.0, star.at.1).label(star.name);
        sky.node(if is_planned(sectors.group_of(number)) { node } else { node.dimmed() });
        let lanes = space.graph().arcs(number).iter().filter(|(head, _)| number < *head);
        sky.edges(lanes.map(|(head, _)| (number.index(), head.index())));
    }
    for Link { from, to, .. } in space.links() {
        match space.link(*to, *from) {
            None => _ = sky.edge(Edge::one_way(from.index(), to.index()).portal()),
            Some(_) if from < to => _ = sky.edge(Edge::between(from.index(), to.index()).portal()),
            Some(_) => {}
        }
    }
    for sector in (0..sectors.group_count() as u32).map(GroupId::new) {
        let members = Group::of(sectors.members(sector).iter().map(|star| star.index()));
        sky.group(members.representative(hierarchy.representative(1, sector).map_or(0, NodeId::index)));
    }
    for (name, (path, cost)) in [("on exclusions", route), ("shortest", best)] {
        sky.route(Route::through(path.iter().map(|star| star.index())).name(name).cost(light_years(*cost)));
    }
    let mut diagram = Diagram::new("");
    diagram
        .panel(sky)
        .legend(Sample::Portal, "wormhole")
        .legend(Sample::Representative, "stands for its sector");
    diagram
}

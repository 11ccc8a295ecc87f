//! Surveying one group: its parts, its links, and what its connections cost.
//!
//! Building and updating share this code, which is what makes an updated hierarchy
//! equal to a fresh one.

use super::below::{Below, NodeOf};
use super::connection::CrossingCosts;
use super::interior::Interior;
use super::level::{Arc, Level};
use super::part::{LocalPart, PartId};
use super::representative::Candidate;
use super::world::Building;
use super::{Connection, GroupId, Grouping, Representative};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;

/// An arc of the graph below that leads from one part to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The part where it starts, and the place in that part's group.
    pub(super) from: PartId,
    tail: u32,
    /// The part where it ends, and the place in that part's group.
    pub(super) to: PartId,
    head: u32,
    cost: Cost,
}

/// A link before parts are numbered on the level: it names groups instead.
#[derive(Clone, Copy, Debug)]
struct UnresolvedLink {
    tail: u32,
    head_group: GroupId,
    head: u32,
    cost: Cost,
}

/// What was found in a group.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) part_count: usize,
    /// The part of each place, as in [`Level::tables`](Level).
    pub(super) table: Option<Box<[LocalPart]>>,
    /// A ground node for each part, packed.
    pub(super) representatives: Vec<u32>,
    /// The area of each part, if representatives are chosen by area.
    pub(super) areas: Vec<u64>,
    links: Vec<UnresolvedLink>,
}

impl Survey {
    /// The groups that links out of this group lead to.
    pub(super) fn neighbours(&self) -> impl Iterator<Item = GroupId> {
        self.links.iter().map(|link| link.head_group)
    }
}

/// Surveys the groups of one level.
pub(super) struct Surveyor<'a, B: Below> {
    pub(super) below: &'a B,
    /// The number of the level, from 1.
    pub(super) number: usize,
    pub(super) representative: Representative<'a, B::Ground>,
    pub(super) connection: Connection,
}

/// Working memory for surveys, one per thread.
#[derive(Debug, Default)]
pub(super) struct SurveyScratch {
    interior: Interior,
    members: Vec<Member>,
    sorted_links: Vec<Link>,
}

/// A member of the group that is being surveyed.
#[derive(Clone, Copy, Debug)]
struct Member {
    place: u32,
    /// Its node, packed.
    node: u32,
    arcs: u32,
}

impl<B: Below> Surveyor<'_, B> {
    fn building(&self, group: GroupId) -> Option<Building<'_>> {
        self.below.groups().building(group)
    }

    /// Finds the parts of a group and the links out of them.
    pub(super) fn survey(&self, group: GroupId, scratch: &mut SurveyScratch) -> Survey {
        if let Some(building) = self.building(group) {
            return self.survey_instance(group, building);
        }
        let mut links = self.load(group, scratch);
        let SurveyScratch { interior, members, .. } = scratch;
        interior.find_parts();
        let parts = interior.parts();
        interior.for_each_arc_between_parts(|tail, head, cost| {
            links.push(UnresolvedLink { tail, head_group: group, head, cost });
        });
        // The surveys of all groups are held at once until the level is finished.
        links.shrink_to_fit();
        let table = (interior.part_count() > 1).then(|| parts.into());
        let mut survey = Survey { part_count: interior.part_count(), table, links, ..Survey::default() };
        self.choose_representatives(group, members, parts, &mut survey);
        survey
    }

    /// Surveys an instance of a building. Its type knows the inside, so that only
    /// nodes with doors are looked at: the cost does not depend on the building's size.
    fn survey_instance(&self, group: GroupId, building: Building<'_>) -> Survey {
        let groups = self.below.groups();
        let mut links = Vec::new();
        groups.for_each_door(group, |node| {
            let tail = groups.locate(node).1 as u32;
            self.below.graph().for_each_arc(node, |to, cost| {
                let (head_group, head) = groups.locate(to);
                let head = head as u32;
                let part = |place| building.part_of_existing(place);
                if head_group != group || part(tail) != part(head) {
                    links.push(UnresolvedLink { tail, head_group, head, cost });
                }
            });
        });
        let ground = |place: NodeId| self.below.ground(groups.node_at(group, place.index())).pack();
        let part_count = building.part_count();
        let representatives = building.representatives().map(ground).collect();
        let areas = self.areas_of_instance(group, building);
        let mut survey = Survey { part_count, table: None, representatives, areas, links };
        self.apply_named_node(group, |place| building.part_of_existing(place as u32), &mut survey);
        survey
    }

    /// The area of each part of an instance; empty unless representatives are chosen
    /// by area. This is the one thing that has to look at every node of an instance:
    /// areas are the user's, node by node.
    fn areas_of_instance(&self, group: GroupId, building: Building<'_>) -> Vec<u64> {
        let Representative::Largest(area) = self.representative else { return Vec::new() };
        let mut areas = vec![0_u64; building.part_count()];
        let groups = self.below.groups();
        groups.for_each_member(group, |node| {
            if let Some(part) = building.part_of_existing(groups.locate(node).1 as u32) {
                let sum = &mut areas[part.index()];
                *sum = sum.saturating_add(self.below.area(node, &area));
            }
        });
        areas
    }

    const fn has_areas(&self) -> bool {
        matches!(self.representative, Representative::Largest(_))
    }

    /// Loads the members of a group and the arcs between them into the scratch;
    /// returns the arcs to other groups.
    fn load(&self, group: GroupId, scratch: &mut SurveyScratch) -> Vec<UnresolvedLink> {
        let SurveyScratch { interior, members, .. } = scratch;
        let (graph, groups) = (self.below.graph(), self.below.groups());
        interior.begin(groups.places(group));
        members.clear();
        let mut links = Vec::new();
        groups.for_each_member(group, |node| {
            let place = groups.locate(node).1 as u32;
            interior.add_member(place);
            let mut arcs = 0;
            graph.for_each_arc(node, |to, cost| {
                arcs += 1;
                let (head_group, head) = groups.locate(to);
                let head = head as u32;
                if head_group == group {
                    interior.add_arc(place, head, cost);
                } else {
                    links.push(UnresolvedLink { tail: place, head_group, head, cost });
                }
            });
            members.push(Member { place, node: node.pack(), arcs });
        });
        links
    }

    fn choose_representatives(
        &self,
        group: GroupId,
        members: &[Member],
        parts: &[LocalPart],
        survey: &mut Survey,
    ) {
        let candidate = |member: &Member| {
            let node = NodeOf::<B>::unpack(member.node);
            let area = match self.representative {
                Representative::Largest(area) => self.below.area(node, &area),
                _ => 0,
            };
            Candidate { node: self.below.ground(node), arcs: member.arcs, area }
        };
        let mut by_part: Vec<Vec<Candidate<B::Ground>>> = vec![Vec::new(); survey.part_count];
        for member in members {
            by_part[parts[member.place as usize].index()].push(candidate(member));
        }
        for candidates in &by_part {
            // A part has members, so there is always a choice.
            let chosen = self.representative.choose(candidates).map_or(u32::MAX, Node::pack);
            survey.representatives.push(chosen);
            if self.has_areas() {
                survey.areas.push(candidates.iter().fold(0, |sum: u64, one| sum.saturating_add(one.area)));
            }
        }
        self.apply_named_node(group, |place| parts.get(place).copied(), survey);
    }

    /// Makes the node that the user named for a group represent the part it lies in.
    /// The other parts keep the representatives that were chosen for them.
    fn apply_named_node(
        &self,
        group: GroupId,
        part_at: impl Fn(usize) -> Option<LocalPart>,
        survey: &mut Survey,
    ) {
        if let Representative::ByHand(named) = self.representative
            && let Some(node) = named(self.number, group)
            && let Some((of, place)) = self.below.locate_ground(node)
            && of == group
            && let Some(part) = part_at(place).and_then(LocalPart::known)
        {
            survey.representatives[part.index()] = node.pack();
        }
    }

    fn part_at(&self, level: &Level, group: GroupId, place: u32) -> PartId {
        level.part_at(self.below.groups(), group, place as usize)
    }

    /// The links of a surveyed group, once parts have numbers on the level.
    ///
    /// Links to instances that the level has not been updated for are dropped: such an
    /// instance has no parts yet, and its own update adds them.
    pub(super) fn resolve_links(&self, level: &Level, group: GroupId, survey: Survey) -> Vec<Link> {
        let resolve = |link: UnresolvedLink| Link {
            from: self.part_at(level, group, link.tail),
            tail: link.tail,
            to: self.part_at(level, link.head_group, link.head),
            head: link.head,
            cost: link.cost,
        };
        let is_known = |link: &Link| link.from != PartId::NONE && link.to != PartId::NONE;
        // Both kinds of links have the same size, so `collect` reuses the allocation.
        survey.links.into_iter().map(resolve).filter(is_known).collect()
    }

    /// The links of a group whose parts the level knows already. Cheaper than a
    /// survey: parts are not searched for again.
    pub(super) fn find_links(&self, level: &Level, group: GroupId, scratch: &mut SurveyScratch) -> Vec<Link> {
        if let Some(building) = self.building(group) {
            return self.resolve_links(level, group, self.survey_instance(group, building));
        }
        let mut links = self.load(group, scratch);
        self.set_known_parts(level, group, &mut scratch.interior);
        scratch.interior.for_each_arc_between_parts(|tail, head, cost| {
            links.push(UnresolvedLink { tail, head_group: group, head, cost });
        });
        self.resolve_links(level, group, Survey { links, ..Survey::default() })
    }

    /// Sets the parts of a loaded group to those that the level knows.
    fn set_known_parts(&self, level: &Level, group: GroupId, interior: &mut Interior) {
        let parts = level.parts(group);
        interior.set_parts(|place| {
            let part = self.part_at(level, group, place as u32);
            part.known().map_or(LocalPart::VACANT, |part| parts.local(part))
        });
    }

    /// The arcs of each part of a group, given all links out of the group and all
    /// links into it.
    pub(super) fn connect<'l>(
        &self,
        level: &Level,
        group: GroupId,
        out: &[Link],
        into: &(impl Iterator<Item = &'l Link> + Clone),
        scratch: &mut SurveyScratch,
    ) -> Vec<Box<[Arc]>> {
        let needs_crossings = self.connection.needs_crossings();
        let building = self.building(group);
        if needs_crossings && building.is_none() && !out.is_empty() {
            self.load(group, scratch);
            self.set_known_parts(level, group, &mut scratch.interior);
            scratch.interior.reverse();
        }
        let SurveyScratch { interior, sorted_links, .. } = scratch;
        sorted_links.clear();
        sorted_links.extend_from_slice(out);
        // By `from` and `to`, to make runs of one connection each in the order of the
        // rows; by `tail` and `cost`, so that the result does not depend on link order.
        sorted_links.sort_unstable_by_key(|link| (link.from, link.to, link.tail, link.cost));
        let parts = level.parts(group);
        let mut rows: Vec<Vec<Arc>> = vec![Vec::new(); parts.len()];
        for links in sorted_links.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
            let (from, to) = (links[0].from, links[0].to);
            // Units that come from `to` do not go back there: their entries say nothing
            // about what the connection costs.
            let entries =
                into.clone().filter(|link| link.to == from && link.from != to).map(|link| link.head);
            let costs = if !needs_crossings {
                CrossingCosts::over(cheapest(links))
            } else if let Some(building) = building {
                crossing_instance(building, parts.local(from), links, entries)
            } else {
                let node = B::Ground::unpack(level.representatives[from.index()]);
                let start = self.below.locate_ground(node).map_or(0, |(_, place)| place as u32);
                crossing(interior, start, links, entries)
            };
            rows[parts.local(from).index()].push(Arc { to, cost: self.connection.cost(&costs) });
        }
        rows.into_iter().map(Vec::into_boxed_slice).collect()
    }
}

fn cheapest(links: &[Link]) -> Cost {
    links.iter().map(|link| link.cost).min().unwrap_or(Cost::ZERO)
}

/// What it costs to cross a group and leave it by one of `links`, from each of its
/// `entries`, or from its representative's place if there are none.
fn crossing(
    interior: &mut Interior,
    representative: u32,
    links: &[Link],
    entries: impl Iterator<Item = u32>,
) -> CrossingCosts {
    interior.flood(links.iter().map(|link| (link.tail, link.cost)));
    let entries = entries.filter_map(|place| interior.cost_from(place));
    collect_costs(links, entries, || interior.cost_from(representative))
}

/// The same for an instance of a building, from the tables of its type.
fn crossing_instance(
    building: Building<'_>,
    part: LocalPart,
    links: &[Link],
    entries: impl Iterator<Item = u32>,
) -> CrossingCosts {
    let exit = |place: u32| building.exit_at(NodeId::new(place));
    let least = |cost_to: &dyn Fn(u32) -> Option<Cost>| {
        links.iter().filter_map(|link| Some(cost_to(exit(link.tail)?)? + link.cost)).min()
    };
    let crossing = |place| least(&|to| building.crossing(exit(place)?, to));
    collect_costs(links, entries.filter_map(crossing), || least(&|to| building.leaving(part.raw(), to)))
}

fn collect_costs(
    links: &[Link],
    entries: impl Iterator<Item = Cost>,
    from_representative: impl Fn() -> Option<Cost>,
) -> CrossingCosts {
    let mut costs = CrossingCosts::over(cheapest(links));
    let mut is_entered = false;
    for cost in entries {
        costs.add(cost);
        is_entered = true;
    }
    if !is_entered && let Some(cost) = from_representative() {
        costs.add(cost);
    }
    costs
}

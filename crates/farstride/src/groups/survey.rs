//! Looking at one group: its parts, its links, and what connections cost.

use super::connection::Ways;
use super::floor::{Floor, NodeOf};
use super::interior::{Interior, VACANT};
use super::level::{Arc, Level};
use super::representative::Candidate;
use super::world::Building;
use super::{Connection, GroupId, Grouping, Representative};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;

/// An arc of the floor that leaves its part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Where it starts: a part, and a place in its group.
    pub(super) from: u32,
    tail: u32,
    /// Where it ends.
    pub(super) to: u32,
    head: u32,
    cost: Cost,
}

/// The same before parts have numbers: groups instead of parts.
#[derive(Clone, Copy, Debug)]
struct RawLink {
    tail: u32,
    head_group: u32,
    head: u32,
    cost: Cost,
}

/// What was found in a group.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) part_count: usize,
    /// The part of each place, if there are several and no type of building tells it.
    pub(super) table: Option<Box<[u32]>>,
    /// Packed nodes of the ground.
    pub(super) representatives: Vec<u32>,
    pub(super) areas: Vec<u64>,
    links: Vec<RawLink>,
}

impl Survey {
    /// Groups that links lead to.
    pub(super) fn neighbours(&self) -> impl Iterator<Item = u32> {
        self.links.iter().map(|link| link.head_group)
    }
}

/// What looks at groups of a floor.
pub(super) struct Surveyor<'a, F: Floor> {
    pub(super) floor: &'a F,
    /// The number of the level that is made.
    pub(super) number: usize,
    pub(super) representative: Representative<'a, F::Ground>,
    pub(super) connection: Connection,
}

/// Memory for surveys.
#[derive(Debug, Default)]
pub(super) struct Tools {
    interior: Interior,
    members: Vec<Member>,
    out: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    place: u32,
    /// Its node, packed.
    node: u32,
    arcs: u32,
}

impl<F: Floor> Surveyor<'_, F> {
    fn building(&self, group: GroupId) -> Option<Building<'_>> {
        self.floor.groups().building(group)
    }

    /// Finds the parts of a group and the links out of it.
    pub(super) fn survey(&self, group: GroupId, tools: &mut Tools) -> Survey {
        if let Some(building) = self.building(group) {
            return self.survey_instance(group, building);
        }
        let mut links = self.enter(group, tools);
        let Tools { interior, members, .. } = tools;
        interior.find_parts();
        let parts = interior.parts();
        interior.for_each_arc_between_parts(|tail, head, cost| {
            links.push(RawLink { tail, head_group: group.index() as u32, head, cost });
        });
        links.shrink_to_fit(); // all of them are kept until the level is done
        let table = (interior.part_count() > 1).then(|| parts.into());
        let mut survey = Survey { part_count: interior.part_count(), table, links, ..Survey::default() };
        self.choose_representatives(group, members, parts, &mut survey);
        survey
    }

    /// An instance of a building: the inside is known already, and only links
    /// are looked at.
    fn survey_instance(&self, group: GroupId, building: Building<'_>) -> Survey {
        let groups = self.floor.groups();
        let mut links = Vec::new();
        groups.for_each_door(group, |node| {
            let tail = groups.locate(node).1 as u32;
            self.floor.graph().for_each_arc(node, |to, cost| {
                let (head_group, head) = groups.locate(to);
                let (head_group, head) = (head_group.index() as u32, head as u32);
                let part = |place| building.known_part_of(place);
                if head_group != group.index() as u32 || part(tail) != part(head) {
                    links.push(RawLink { tail, head_group, head, cost });
                }
            });
        });
        let ground = |place: NodeId| self.floor.ground(groups.node_at(group, place.index())).pack();
        let part_count = building.part_count();
        let representatives = building.representatives().map(ground).collect();
        let areas = self.areas_of_instance(group, building);
        let mut survey = Survey { part_count, table: None, representatives, areas, links };
        self.name_by_hand(group, |place| building.known_part_of(place as u32), &mut survey);
        survey
    }

    /// The area of each part of an instance, if it matters.
    fn areas_of_instance(&self, group: GroupId, building: Building<'_>) -> Vec<u64> {
        let Representative::Largest(area) = self.representative else { return Vec::new() };
        let mut areas = vec![0_u64; building.part_count()];
        let groups = self.floor.groups();
        groups.for_each_member(group, |node| {
            if let Some(part) = building.known_part_of(groups.locate(node).1 as u32) {
                let sum = &mut areas[part as usize];
                *sum = sum.saturating_add(self.floor.area(node, &area));
            }
        });
        areas
    }

    const fn has_areas(&self) -> bool {
        matches!(self.representative, Representative::Largest(_))
    }

    /// Takes the members of a group and the arcs between them into the tools;
    /// the arcs to others are handed back.
    fn enter(&self, group: GroupId, tools: &mut Tools) -> Vec<RawLink> {
        let Tools { interior, members, .. } = tools;
        let (graph, groups) = (self.floor.graph(), self.floor.groups());
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
                if head_group == group {
                    interior.add_arc(place, head as u32, cost);
                } else {
                    let head_group = head_group.index() as u32;
                    links.push(RawLink { tail: place, head_group, head: head as u32, cost });
                }
            });
            members.push(Member { place, node: node.pack(), arcs });
        });
        links
    }

    fn choose_representatives(&self, group: GroupId, members: &[Member], parts: &[u32], survey: &mut Survey) {
        let candidate = |member: &Member| {
            let node = NodeOf::<F>::unpack(member.node);
            let area = match self.representative {
                Representative::Largest(area) => self.floor.area(node, &area),
                _ => 0,
            };
            Candidate { node: self.floor.ground(node), arcs: member.arcs, area }
        };
        let mut by_part: Vec<Vec<Candidate<F::Ground>>> = vec![Vec::new(); survey.part_count];
        for member in members {
            by_part[parts[member.place as usize] as usize].push(candidate(member));
        }
        for candidates in &by_part {
            let chosen = self.representative.choose(candidates).map_or(VACANT, Node::pack);
            survey.representatives.push(chosen);
            if self.has_areas() {
                survey.areas.push(candidates.iter().fold(0, |sum: u64, one| sum.saturating_add(one.area)));
            }
        }
        self.name_by_hand(group, |place| parts.get(place).copied(), survey);
    }

    /// Puts in the node that was named for a group.
    fn name_by_hand(&self, group: GroupId, part_at: impl Fn(usize) -> Option<u32>, survey: &mut Survey) {
        if let Representative::ByHand(named) = self.representative
            && let Some(node) = named(self.number, group)
            && let Some((of, place)) = self.floor.locate_ground(node)
            && of == group
            && let Some(part) = part_at(place).filter(|&part| part != VACANT)
        {
            survey.representatives[part as usize] = node.pack();
        }
    }

    fn part_at(&self, level: &Level, group: GroupId, place: u32) -> u32 {
        level.part_at(self.floor.groups(), group, place as usize)
    }

    /// The links of a surveyed group, now that parts have numbers. Those of
    /// instances that have not been taken in yet are left out.
    pub(super) fn links(&self, level: &Level, group: GroupId, survey: Survey) -> Vec<Link> {
        let number = |raw: RawLink| Link {
            from: self.part_at(level, group, raw.tail),
            tail: raw.tail,
            to: self.part_at(level, GroupId::new(raw.head_group), raw.head),
            head: raw.head,
            cost: raw.cost,
        };
        // Both kinds are of one size: this takes no memory of its own.
        let is_known = |link: &Link| link.from != VACANT && link.to != VACANT;
        survey.links.into_iter().map(number).filter(is_known).collect()
    }

    /// The links of a group whose parts are known.
    pub(super) fn find_links(&self, level: &Level, group: GroupId, tools: &mut Tools) -> Vec<Link> {
        if let Some(building) = self.building(group) {
            return self.links(level, group, self.survey_instance(group, building));
        }
        let mut links = self.enter(group, tools);
        tools.interior.set_parts(|place| self.part_at(level, group, place as u32));
        tools.interior.for_each_arc_between_parts(|tail, head, cost| {
            links.push(RawLink { tail, head_group: group.index() as u32, head, cost });
        });
        self.links(level, group, Survey { links, ..Survey::default() })
    }

    /// What the connections of each part of a group cost, given all links out
    /// of the group and all into it.
    pub(super) fn connect<'l>(
        &self,
        level: &Level,
        group: GroupId,
        out: &[Link],
        into: &(impl Iterator<Item = &'l Link> + Clone),
        tools: &mut Tools,
    ) -> Vec<Box<[Arc]>> {
        let building = self.building(group);
        if self.connection.needs_ways() && building.is_none() && !out.is_empty() {
            self.enter(group, tools);
            tools.interior.set_parts(|place| self.part_at(level, group, place as u32));
            tools.interior.reverse();
        }
        let Tools { interior, out: sorted, .. } = tools;
        sorted.clear();
        sorted.extend_from_slice(out);
        sorted.sort_unstable_by_key(|link| (link.from, link.to, link.tail, link.cost));
        let mut rows: Vec<Vec<Arc>> = vec![Vec::new(); level.parts(group).len()];
        let first = level.parts(group).start;
        for links in sorted.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
            let (from, to) = (links[0].from, links[0].to);
            let entries =
                into.clone().filter(|link| link.to == from && link.from != to).map(|link| link.head);
            let ways = match building {
                _ if !self.connection.needs_ways() => Ways::over(cheapest(links)),
                Some(building) => ways_through_instance(building, from - first, links, entries),
                None => {
                    let node = F::Ground::unpack(level.representatives[from as usize]);
                    let start = self.floor.locate_ground(node).map_or(0, |(_, place)| place as u32);
                    ways_through(interior, start, links, entries)
                }
            };
            rows[(from - first) as usize].push(Arc { to, cost: self.connection.cost(&ways) });
        }
        rows.into_iter().map(Vec::into_boxed_slice).collect()
    }
}

fn cheapest(links: &[Link]) -> Cost {
    links.iter().map(|link| link.cost).min().unwrap_or(Cost::ZERO)
}

/// Ways through a group to links out of it, from where it is entered, or from
/// its representative if that is nowhere.
fn ways_through(
    interior: &mut Interior,
    representative: u32,
    links: &[Link],
    entries: impl Iterator<Item = u32>,
) -> Ways {
    interior.flood(links.iter().map(|link| (link.tail, link.cost)));
    note_all(
        links,
        representative,
        entries,
        |place| interior.cost_from(place),
        |place| interior.cost_from(place),
    )
}

/// The same through an instance of a building.
fn ways_through_instance(
    building: Building<'_>,
    part: u32,
    links: &[Link],
    entries: impl Iterator<Item = u32>,
) -> Ways {
    let exit = |place: u32| building.exit_at(NodeId::new(place));
    let least = |cost_to: &dyn Fn(u32) -> Option<Cost>| {
        links.iter().filter_map(|link| Some(cost_to(exit(link.tail)?)? + link.cost)).min()
    };
    let crossing = |place| least(&|to| building.crossing(exit(place)?, to));
    note_all(links, 0, entries, crossing, |_| least(&|to| building.leaving(part, to)))
}

fn note_all(
    links: &[Link],
    representative: u32,
    entries: impl Iterator<Item = u32>,
    cost_from: impl Fn(u32) -> Option<Cost>,
    cost_from_representative: impl Fn(u32) -> Option<Cost>,
) -> Ways {
    let mut ways = Ways::over(cheapest(links));
    let mut is_entered = false;
    for cost in entries.filter_map(cost_from) {
        ways.note(cost);
        is_entered = true;
    }
    if !is_entered && let Some(cost) = cost_from_representative(representative) {
        ways.note(cost);
    }
    ways
}

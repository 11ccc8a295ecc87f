//! Group hierarchies on graphs of any shape.

use crate::common::cases;
use farstride::Cost;
use farstride::error::GroupError;
use farstride::graph::{NodeId, RowGraph};
use farstride::groups::{
    Aim, Connection, Ground, GroupHierarchy, GroupId, GroupPlan, GroupRoute, GroupScratch, GroupTactics,
    Members, Mode, Next, Representative,
};
use farstride::index::BuildOptions;
use proptest::prelude::*;

type Arcs = Vec<(u32, u32, u64)>;

fn cost(units: u64) -> Cost {
    Cost::new(units).unwrap()
}

fn graph(nodes: usize, arcs: &Arcs) -> RowGraph {
    RowGraph::from_arcs(nodes, arcs.iter().map(|&(tail, head, units)| (tail, head, cost(units)))).unwrap()
}

fn node(number: usize) -> NodeId {
    NodeId::new(number as u32)
}

fn group(number: usize) -> GroupId {
    GroupId::new(number as u32)
}

/// A graph and how its nodes, their groups and so on are grouped.
#[derive(Clone, Debug)]
struct Grouped {
    nodes: usize,
    arcs: Arcs,
    levels: Vec<Vec<u32>>,
}

impl Grouped {
    /// Takes group numbers out of range into it, and leaves none out.
    fn members(&self) -> Vec<Members> {
        let mut count = self.nodes;
        let dense = |numbers: &Vec<u32>| {
            let members = Members::by_function(count, |node| numbers[node.index() % numbers.len()]).unwrap();
            count = members.group_count();
            members
        };
        self.levels.iter().map(dense).collect()
    }
}

/// Graphs with a way to everywhere and without, groups that hang together and
/// that do not.
fn grouped(max_nodes: usize) -> impl Strategy<Value = Grouped> {
    (2..max_nodes).prop_flat_map(|nodes| {
        let end = 0..nodes as u32;
        let units = prop_oneof![1 => Just(0), 6 => 1..30_u64, 1 => 1000..100_000_u64];
        let arcs = prop::collection::vec((end.clone(), end, units), 0..nodes * 4);
        let numbers = prop::collection::vec(0..6_u32, nodes);
        let levels = prop::collection::vec(numbers, 1..4);
        (arcs, levels, any::<bool>()).prop_map(move |(mut arcs, levels, both_ways)| {
            if both_ways {
                let back: Arcs = arcs.iter().map(|&(tail, head, units)| (head, tail, units)).collect();
                arcs.extend(back);
            }
            Grouped { nodes, arcs, levels }
        })
    })
}

fn rules() -> impl Strategy<Value = Connection> {
    prop_oneof![
        Just(Connection::Minimum),
        Just(Connection::Maximin),
        Just(Connection::Average),
        (0..3_u16, 0..3_u16, 0..3_u16).prop_map(|(minimum, maximin, average)| Connection::Blend {
            minimum,
            maximin,
            average
        }),
    ]
}

/// Costs between all pairs of nodes for which `inside` holds: Floyd and
/// Warshall's way.
fn all_pairs(nodes: usize, arcs: &Arcs, inside: impl Fn(usize) -> bool) -> Vec<Vec<Option<u64>>> {
    let mut best = vec![vec![None; nodes]; nodes];
    (0..nodes).filter(|&n| inside(n)).for_each(|n| best[n][n] = Some(0));
    for &(tail, head, units) in arcs {
        let (tail, head) = (tail as usize, head as usize);
        if inside(tail) && inside(head) {
            best[tail][head] = Some(best[tail][head].map_or(units, |known: u64| known.min(units)));
        }
    }
    for middle in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                if let (Some(a), Some(b)) = (best[from][middle], best[middle][to]) {
                    best[from][to] = Some(best[from][to].map_or(a + b, |known| known.min(a + b)));
                }
            }
        }
    }
    best
}

/// What a path costs by the cheapest arcs it can take; every step must be one.
fn walked(graph: &RowGraph, path: &[NodeId]) -> u64 {
    let step = |pair: &[NodeId]| {
        let arcs = graph.arcs(pair[0]).iter().filter(|(head, _)| *head == pair[1]);
        arcs.map(|(_, cost)| cost.units()).min().expect("every step is an arc")
    };
    path.windows(2).map(step).sum()
}

/// The text's Figure 4.39, in units of half a step: its tiles are A1, B1, C1 to
/// C7, D1 and D2.
fn figure_4_39() -> (RowGraph, Members) {
    let (a1, b1, d1, d2) = (0, 1, 9, 10);
    let c = |number: u32| number + 1;
    let mut pairs = vec![(a1, c(1)), (b1, c(6)), (c(5), d1), (c(7), d2), (d1, d2)];
    pairs.extend([(c(1), c(2)), (c(2), c(3)), (c(3), c(4)), (c(4), c(5)), (c(4), c(6))]);
    pairs.extend([(c(5), c(7)), (c(6), c(7))]);
    let edges = pairs.into_iter().map(|(a, b)| (a, b, cost(2)));
    let groups = Members::by_number(vec![0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3]).unwrap();
    (RowGraph::from_edges(11, edges).unwrap(), groups)
}

#[test]
fn the_worked_example_of_the_text() {
    let (graph, groups) = figure_4_39();
    let half_steps_from_c_to_d = |connection| {
        let ground = Ground::new(&graph, &groups);
        let hierarchy = GroupHierarchy::build(ground, Vec::new(), connection).unwrap();
        hierarchy.connection(1, group(2), group(3)).unwrap().units()
    };
    assert_eq!(half_steps_from_c_to_d(Connection::Minimum), 2);
    assert_eq!(half_steps_from_c_to_d(Connection::Maximin), 10);
    assert_eq!(half_steps_from_c_to_d(Connection::Average), 7);
    let blend = Connection::Blend { minimum: 1, maximin: 1, average: 0 };
    assert_eq!(half_steps_from_c_to_d(blend), 6);
}

#[test]
fn costs_given_by_hand_stand() {
    let (graph, groups) = figure_4_39();
    let ground = Ground::new(&graph, &groups);
    let mut hierarchy = GroupHierarchy::build(ground, Vec::new(), Connection::Average).unwrap();
    let [c, d] = [2, 3].map(group);
    hierarchy.set_cost(ground, 1, c, d, Some(cost(4))).unwrap();
    assert_eq!(hierarchy.connection(1, c, d), Some(cost(4)));
    hierarchy.update(ground, (0..11).map(node)).unwrap();
    assert_eq!(hierarchy.connection(1, c, d), Some(cost(4)));
    hierarchy.set_cost(ground, 1, c, d, None).unwrap();
    assert_eq!(hierarchy.connection(1, c, d), Some(cost(7)));
    // A cost can be taken back when there is no connection any more.
    hierarchy.set_cost(ground, 1, c, d, Some(cost(4))).unwrap();
    let empty = RowGraph::from_arcs(11, []).unwrap();
    let bare = Ground::new(&empty, &groups);
    hierarchy.update(bare, (0..11).map(node)).unwrap();
    hierarchy.set_cost(bare, 1, c, d, None).unwrap();
    assert_eq!(hierarchy, GroupHierarchy::build(bare, Vec::new(), Connection::Average).unwrap());
    let apart = GroupError::NotConnected { level: 1, from: group(0), to: d };
    assert_eq!(hierarchy.set_cost(ground, 1, group(0), d, Some(cost(4))), Err(apart));
}

#[test]
fn levels_that_do_not_fit_are_refused() {
    let (graph, groups) = figure_4_39();
    let upper = Members::by_number(vec![0, 0, 1]).unwrap();
    let refused = GroupHierarchy::build(Ground::new(&graph, &groups), vec![upper], Connection::Average);
    assert_eq!(refused.err(), Some(GroupError::Level { level: 2, expected: 4, found: 3 }));
}

/// What the connections between groups cost, found out by looking at all pairs
/// of nodes: for each two parts of groups, their cost, in the order of groups.
fn expected_connections(world: &Grouped, groups: &Members, rule: Connection) -> Vec<(usize, usize, u64)> {
    let of = |n: usize| groups.group_of(node(n)).index();
    let inside: Vec<_> =
        (0..groups.group_count()).map(|g| all_pairs(world.nodes, &world.arcs, |n| of(n) == g)).collect();
    let together =
        |a: usize, b: usize| of(a) == of(b) && inside[of(a)][a][b].is_some() && inside[of(a)][b][a].is_some();
    let first = |n: usize| (0..world.nodes).find(|&other| together(other, n)).unwrap();
    let arcs = || world.arcs.iter().map(|&(tail, head, units)| (tail as usize, head as usize, units));
    let degree = |n: usize| graph(world.nodes, &world.arcs).arcs(node(n)).len();
    let mut found = Vec::new();
    let parts: Vec<usize> = (0..world.nodes).filter(|&n| first(n) == n).collect();
    for &from in &parts {
        for &to in parts.iter().filter(|&&to| of(to) != of(from)) {
            let links: Vec<_> = arcs().filter(|&(t, h, _)| first(t) == from && first(h) == to).collect();
            let Some(cheapest) = links.iter().map(|link| link.2).min() else { continue };
            let least = |entry: usize| {
                links
                    .iter()
                    .filter_map(|&(t, _, units)| Some(inside[of(from)][entry][t]? + units))
                    .min()
                    .unwrap()
            };
            let into = arcs().filter(|&(t, h, _)| first(h) == from && first(t) != from && first(t) != to);
            let mut ways: Vec<u64> = into.map(|(_, entry, _)| least(entry)).collect();
            if ways.is_empty() {
                let members = (0..world.nodes).filter(|&n| together(n, from));
                let best = members.rev().max_by_key(|&n| degree(n)).unwrap();
                ways.push(least(best));
            }
            let (count, sum) = (ways.len() as u64, ways.iter().sum::<u64>());
            let dearest = *ways.iter().max().unwrap();
            found.push((
                of(from),
                of(to),
                match rule {
                    Connection::Minimum => cheapest,
                    Connection::Maximin => dearest,
                    Connection::Average => sum / count,
                    Connection::Blend { minimum, maximin, average } => {
                        let [a, b, c] = [minimum, maximin, average].map(u64::from);
                        let weighted = (a * cheapest + b * dearest) * count + c * sum;
                        weighted.checked_div((a + b + c) * count).unwrap_or(cheapest)
                    }
                    _ => unreachable!(),
                },
            ));
        }
    }
    found.sort_unstable();
    found
}

proptest! {
    #![proptest_config(cases(400))]

    /// By every rule, with either mode, aim and look-ahead: a route is found
    /// exactly when there is one, its arcs exist and add up, and it is never
    /// cheaper than the cheapest. The same of sections, which begin where the
    /// last one ended; one scratch throughout.
    #[test]
    fn a_route_is_found_exactly_when_one_exists(
        world in grouped(20),
        rule in rules(),
        ahead in 1..4_usize,
        aim in prop_oneof![Just(Aim::Doorway), Just(Aim::Representative)],
        share in 0..3_u64,
    ) {
        let graph = graph(world.nodes, &world.arcs);
        let mut levels = world.members();
        let groups = levels.remove(0);
        let hierarchy = GroupHierarchy::build(Ground::new(&graph, &groups), levels, rule).unwrap();
        let best = all_pairs(world.nodes, &world.arcs, |_| true);
        let bound = |a: NodeId, b: NodeId| best[a.index()][b.index()].map_or(Cost::ZERO, |c| cost(c * share / 2));
        let navigator = |mode| {
            hierarchy.on(&graph, &groups).unwrap().with_bound(bound).with_tactics(GroupTactics::default().with_mode(mode).with_ahead(ahead).with_aim(aim))
        };
        let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
        for (start, row) in best.iter().enumerate() {
            for (goal, &best) in row.iter().enumerate() {
                let (start, goal) = (node(start), node(goal));
                for mode in [Mode::Sections, Mode::Exclusion] {
                    match navigator(mode).find(start, goal, &mut scratch) {
                        GroupRoute::Found { path, cost } => {
                            prop_assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
                            prop_assert_eq!(walked(&graph, path), cost.units());
                            prop_assert!(best.is_some_and(|best| best <= cost.units()));
                        }
                        GroupRoute::AlreadyThere => prop_assert_eq!(start, goal),
                        GroupRoute::Unreachable => prop_assert_eq!(best, None),
                        _ => prop_assert!(false, "unknown answer"),
                    }
                }
                let navigator = navigator(Mode::Sections);
                if navigator.plan(start, goal, &mut plan, &mut scratch) {
                    let (mut at, mut total) = (start, 0);
                    while let Next::Section { nodes, cost } = navigator.go_on(&mut plan, &mut scratch) {
                        prop_assert_eq!(nodes[0], at);
                        prop_assert!(nodes.len() > 1);
                        prop_assert_eq!(walked(&graph, nodes), cost.units());
                        total += cost.units();
                        at = nodes[nodes.len() - 1];
                    }
                    prop_assert_eq!(at, goal);
                    prop_assert_eq!(navigator.go_on(&mut plan, &mut scratch), Next::Arrived);
                    prop_assert!(best.is_some_and(|best| best <= total));
                    prop_assert_eq!(plan.replans(), 0);
                } else {
                    prop_assert_eq!(best, None);
                }
            }
        }
    }

    /// Connections exist exactly where links between parts do, at the cost that
    /// looking at all pairs of nodes gives.
    #[test]
    fn connections_cost_what_the_rules_say(world in grouped(16), rule in rules()) {
        let graph = graph(world.nodes, &world.arcs);
        let groups = world.members().remove(0);
        let hierarchy = GroupHierarchy::build(Ground::new(&graph, &groups), Vec::new(), rule).unwrap();
        let mut found: Vec<_> = (0..groups.group_count()).flat_map(|from| {
            let connections = hierarchy.connections(1, group(from));
            connections.map(move |(to, cost)| (from, to.index(), cost.units())).collect::<Vec<_>>()
        }).collect();
        found.sort_unstable();
        prop_assert_eq!(found, expected_connections(&world, &groups, rule));
    }

    /// After arcs have appeared, vanished and changed their costs, an updated
    /// hierarchy equals one built from scratch, on any number of threads.
    #[test]
    fn updates_equal_rebuilds(
        world in grouped(20),
        rule in rules(),
        changes in prop::collection::vec(prop::collection::vec((any::<u32>(), any::<u32>(), 0..40_u64), 1..6), 1..4),
        representative in 0..4,
        threads in 1..4_usize,
    ) {
        let mut arcs = world.arcs.clone();
        let mut levels = world.members();
        let groups = levels.remove(0);
        let position = |node: NodeId| (node.index() as f64, (node.index() * 7 % 5) as f64);
        let area = |node: NodeId| (node.index() * 5 % 7) as u64;
        let first = |level: usize, group: GroupId| {
            let mut members = vec![NodeId::new(group.index() as u32)];
            for below in levels[..level - 1].iter().rev().chain([&groups]) {
                members = below.members(GroupId::new(members[0].index() as u32)).to_vec();
            }
            members.last().copied()
        };
        let representative = match representative {
            0 => Representative::MostConnected,
            1 => Representative::Central(&position),
            2 => Representative::Largest(&area),
            _ => Representative::ByHand(&first),
        };
        let before = graph(world.nodes, &arcs);
        let ground = Ground::new(&before, &groups).represented_by(representative);
        let mut hierarchy = GroupHierarchy::build(ground, levels.clone(), rule).unwrap();
        for batch in changes {
            let mut tails = Vec::new();
            for (a, b, units) in batch {
                let (tail, head) = (a % world.nodes as u32, b % world.nodes as u32);
                tails.push(NodeId::new(tail));
                match arcs.iter().position(|arc| (arc.0, arc.1) == (tail, head)) {
                    Some(known) if units % 2 == 0 => {
                        arcs.swap_remove(known);
                    }
                    Some(known) => arcs[known].2 = units,
                    None => arcs.push((tail, head, units)),
                }
            }
            let after = graph(world.nodes, &arcs);
            let ground = Ground::new(&after, &groups).represented_by(representative);
            hierarchy.update(ground, tails).unwrap();
            let options = BuildOptions::new().threads(threads);
            let fresh = GroupHierarchy::build_with(ground, levels.clone(), rule, &options).unwrap();
            prop_assert_eq!(&hierarchy, &fresh);
        }
    }
}

/// A plan that the graph has left behind is made again, or says that there is
/// no route any more.
#[test]
fn plans_follow_updates() {
    let arcs = |bridge: bool| {
        let mut arcs: Arcs = (0..9).flat_map(|n| [(n, n + 1, 5), (n + 1, n, 5)]).collect();
        if !bridge {
            arcs.retain(|&(tail, head, _)| (tail.min(head), tail.max(head)) != (6, 7));
        }
        graph(10, &arcs)
    };
    let groups = Members::by_number((0..10).map(|n| n / 2).collect()).unwrap();
    let upper = Members::by_number(vec![0, 0, 1, 1, 1]).unwrap();
    let (whole, broken) = (arcs(true), arcs(false));
    let mut hierarchy =
        GroupHierarchy::build(Ground::new(&whole, &groups), vec![upper], Connection::Average).unwrap();
    let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
    let navigator = hierarchy.on(&whole, &groups).unwrap();
    assert!(navigator.plan(node(0), node(9), &mut plan, &mut scratch));
    assert!(matches!(navigator.go_on(&mut plan, &mut scratch), Next::Section { .. }));
    assert!(plan.position().index() < 7);
    hierarchy.update(Ground::new(&broken, &groups), [node(6), node(7)]).unwrap();
    let navigator = hierarchy.on(&broken, &groups).unwrap();
    assert_eq!(navigator.go_on(&mut plan, &mut scratch), Next::Unreachable);
    hierarchy.update(Ground::new(&whole, &groups), [node(6), node(7)]).unwrap();
    let navigator = hierarchy.on(&whole, &groups).unwrap();
    while let Next::Section { .. } = navigator.go_on(&mut plan, &mut scratch) {}
    assert_eq!(plan.position(), node(9));
    assert_eq!(plan.replans(), 2);
}

#[test]
fn nodes_that_there_are_not_have_no_routes() {
    let (graph, groups) = figure_4_39();
    let ground = Ground::new(&graph, &groups);
    let upper = Members::by_number(vec![0, 0, 1, 1]).unwrap();
    let mut hierarchy = GroupHierarchy::build(ground, vec![upper], Connection::Average).unwrap();
    hierarchy.update(ground, [node(11), node(3)]).unwrap();
    let navigator = hierarchy.on(&graph, &groups).unwrap();
    let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
    for (start, goal) in [(0, 11), (11, 0), (11, 11), (u32::MAX as usize, 0)] {
        let (start, goal) = (node(start), node(goal));
        assert_eq!(navigator.find(start, goal, &mut scratch), GroupRoute::Unreachable);
        assert_eq!(navigator.optimum(start, goal, &mut scratch), GroupRoute::Unreachable);
        assert!(!navigator.plan(start, goal, &mut plan, &mut scratch));
        assert_eq!(navigator.go_on(&mut plan, &mut scratch), Next::Unreachable);
    }
}

#[test]
fn representatives_must_lie_in_their_groups() {
    let (graph, groups) = figure_4_39();
    for stray in [0, 11] {
        let named = |level: usize, group: GroupId| ((level, group.index()) == (1, 3)).then(|| node(stray));
        let ground = Ground::new(&graph, &groups).represented_by(Representative::ByHand(&named));
        let refused = GroupHierarchy::build(ground, Vec::new(), Connection::Average);
        assert_eq!(refused.err(), Some(GroupError::NotInGroup { level: 1, group: group(3) }));
    }
}

#[test]
fn every_node_of_the_graph_must_be_grouped() {
    let (graph, _) = figure_4_39();
    for found in [10, 12] {
        let groups = Members::by_number(vec![0; found]).unwrap();
        let refused = GroupHierarchy::build(Ground::new(&graph, &groups), Vec::new(), Connection::Average);
        assert_eq!(refused.err(), Some(GroupError::Nodes { expected: 11, found }));
    }
}

/// Costs given by hand may be too large to add up: then the graph itself says
/// whether there is a route.
#[test]
fn huge_costs_by_hand_hide_no_routes() {
    let graph = graph(4, &vec![(0, 1, 5), (1, 2, 5)]);
    let groups = Members::by_number(vec![0, 1, 2, 3]).unwrap();
    let ground = Ground::new(&graph, &groups);
    let mut hierarchy = GroupHierarchy::build(ground, Vec::new(), Connection::Minimum).unwrap();
    for from in [0, 1] {
        hierarchy.set_cost(ground, 1, group(from), group(from + 1), Some(Cost::MAX)).unwrap();
    }
    let navigator = hierarchy.on(&graph, &groups).unwrap();
    let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
    assert!(!navigator.plan(node(0), node(3), &mut plan, &mut scratch));
    assert!(navigator.plan(node(0), node(2), &mut plan, &mut scratch));
    let next = navigator.go_on(&mut plan, &mut scratch);
    let Next::Section { nodes, cost: walked } = next else { panic!("no section") };
    assert_eq!((nodes.len(), walked), (3, cost(10)));
    assert_eq!(plan.position(), node(2));
}

/// Representatives by hand are taken where they are in their group, also through
/// updates; a group says which node below stands for it on every level.
#[test]
fn representatives_are_those_named_by_hand() {
    let (graph, groups) = figure_4_39();
    let upper = Members::by_number(vec![0, 0, 1, 1]).unwrap();
    let named = |level: usize, group: GroupId| match (level, group.index()) {
        (1, 2) => Some(node(4)),  // C3
        (2, 1) => Some(node(10)), // D2
        _ => None,
    };
    let ground = Ground::new(&graph, &groups).represented_by(Representative::ByHand(&named));
    let mut hierarchy = GroupHierarchy::build(ground, vec![upper], Connection::Average).unwrap();
    for _ in 0..2 {
        let of = |level, number| hierarchy.representative(level, group(number));
        assert_eq!([of(1, 2), of(2, 1)], [Some(node(4)), Some(node(10))]);
        assert_eq!(of(1, 3), Some(node(9)));
        assert_eq!(of(1, 4), None);
        hierarchy.update(ground, (0..11).map(node)).unwrap();
    }
}

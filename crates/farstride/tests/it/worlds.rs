//! Worlds of instanced buildings against the same worlds written out in full.

use crate::common::cases;
use crate::common::model::{Arcs, Maker, Model, arcs_of, bare, cost, kind, node, plain, size, write_out};
use farstride::error::WorldError;
use farstride::graph::NumberedGrid;
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::groups::world::{Building, Catalog, Design, Door, InstanceId, Room, World};
use farstride::search::{Memory, dijkstra};
use farstride::{Cost, Grid};
use farstride_testkit::SplitMix64;
use proptest::prelude::*;
use std::sync::Arc;

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_world_is_its_buildings_written_out(seed in any::<u64>(), changes in 0..40_usize) {
        let mut maker = Maker(SplitMix64::new(seed));
        let mut model = Model::new(&mut maker);
        for change in 0..changes {
            if maker.0.chance(if change < 10 { 25 } else { 50 }) {
                model.remove(&mut maker);
            } else {
                model.place(&mut maker);
            }
            if change % 8 == 0 {
                model.check();
            }
        }
        model.check();
    }

    /// Parts and crossings against the building written out.
    #[test]
    fn parts_and_crossings_are_those_of_the_inside(seed in any::<u64>()) {
        let designs = Maker(SplitMix64::new(seed)).designs();
        let catalog = Catalog::new(designs.clone()).unwrap();
        for (design, building) in designs.iter().zip(catalog.buildings()) {
            let mut arcs = Vec::new();
            write_out(&designs, design, 0, &mut arcs);
            let best = distances(size(&designs, design) as usize, &arcs);
            let parts = parts(&best);
            let found: Vec<_> = (0..best.len() as u32).map(|number| building.part_of(node(number))).collect();
            prop_assert_eq!(building.part_count() as u32, parts.iter().max().map_or(0, |last| last + 1));
            prop_assert_eq!(found, parts);
            check_crossings(design, building, &best)?;
        }
    }
}

/// Nodes that can reach each other have the same number; new numbers are given
/// in the order of the nodes.
fn parts(best: &[Vec<Option<u64>>]) -> Vec<u32> {
    let mut parts: Vec<u32> = Vec::new();
    for (number, row) in best.iter().enumerate() {
        let together = (0..number).find(|&other| row[other].is_some() && best[other][number].is_some());
        let fresh = parts.iter().max().map_or(0, |last| last + 1);
        parts.push(together.map_or(fresh, |other| parts[other]));
    }
    parts
}

fn check_crossings(
    design: &Design,
    building: Building<'_>,
    best: &[Vec<Option<u64>>],
) -> Result<(), TestCaseError> {
    let exits = 0..design.exits.len() as u32;
    for (from, &start) in (0..).zip(&design.exits) {
        prop_assert_eq!(building.exit_at(node(start)), Some(from));
        for (to, &end) in (0..).zip(&design.exits) {
            let expected = best[start as usize][end as usize].map(cost);
            prop_assert_eq!(building.crossing(from, to), expected, "from {} to {}", start, end);
        }
        prop_assert_eq!(building.crossing(from, exits.end), None);
    }
    let representatives: Vec<NodeId> = building.representatives().collect();
    prop_assert_eq!(representatives.len(), building.part_count());
    for (part, &chosen) in (0..).zip(&representatives) {
        prop_assert_eq!(building.part_of(chosen), part);
        for (to, &end) in (0..).zip(&design.exits) {
            let expected = best[chosen.index()][end as usize].map(cost);
            prop_assert_eq!(building.leaving(part, to), expected, "from {} to {}", chosen, end);
        }
    }
    Ok(())
}

/// Costs between all nodes: every node in turn may be passed through.
fn distances(nodes: usize, arcs: &Arcs) -> Vec<Vec<Option<u64>>> {
    let mut best = vec![vec![None; nodes]; nodes];
    for (number, row) in best.iter_mut().enumerate() {
        row[number] = Some(0);
    }
    for &(tail, head, cost) in arcs {
        let entry: &mut Option<u64> = &mut best[tail as usize][head as usize];
        *entry = Some(entry.map_or(cost.units(), |known| known.min(cost.units())));
    }
    for over in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                if let (Some(one), Some(other)) = (best[from][over], best[over][to]) {
                    let sum = one + other;
                    best[from][to] = Some(best[from][to].map_or(sum, |known| known.min(sum)));
                }
            }
        }
    }
    best
}

/// The text's example: a base graph of 10,000 nodes, buildings of 100, 200 and
/// 100 nodes. It gives the offsets as 10,000; 10,200; 10,300. By its own rule,
/// "offsets which differ from the previous building by the number of nodes in
/// the previous building's graph", the second is 10,000 + 100.
#[test]
fn offsets_of_the_text() {
    let catalog = Catalog::new(vec![plain("small", 100, &[], &[]), plain("large", 200, &[], &[])]).unwrap();
    let mut world = World::new(bare(10_000), catalog);
    let ids = [0, 1, 0].map(|place| world.place(kind(place), &[]).unwrap());
    assert_eq!(ids.map(|id| world.nodes_of(id)), [10_000..10_100, 10_100..10_300, 10_300..10_400]);
    assert_eq!(world.node_count(), 10_400);
}

#[test]
fn the_lowest_vacant_numbers_of_the_size_are_taken() {
    let catalog =
        Catalog::new(vec![plain("a", 3, &[], &[]), plain("b", 5, &[], &[]), plain("c", 3, &[], &[])])
            .unwrap();
    let mut world = World::new(bare(10), catalog);
    let ids = [0, 1, 0, 0].map(|place| world.place(kind(place), &[]).unwrap());
    for at in [2, 0, 1] {
        world.remove(ids[at]).unwrap();
    }
    let again = [2, 2, 2].map(|place| world.place(kind(place), &[]).unwrap());
    assert_eq!(again.map(|id| world.nodes_of(id)), [10..13, 18..21, 24..27]);
    assert_eq!((again[0].index(), world.instance_slots()), (ids[0].index(), 5));
    assert_ne!(again[0], ids[0]);
    assert_eq!(world.remove(ids[0]), Err(WorldError::Removed { found: ids[0] }));
    assert_eq!(world.instance_of(node(14)), None);
}

/// Arcs come in an order that does not depend on what was removed before.
#[test]
fn the_order_of_arcs_depends_on_what_is_there() {
    let hall = plain("hall", 3, &[(0, 2, 4), (0, 1, 7)], &[2, 0]);
    let catalog = Arc::new(Catalog::new(vec![hall]).unwrap());
    let base = RowGraph::from_arcs(2, [(0, 1, cost(9))]).unwrap();
    let door = |exit, units| Door::both_ways(exit, node(0), cost(units));
    let mut world = World::new(base, catalog);
    let first = world.place(kind(0), &[door(0, 1)]).unwrap();
    let second = world.place(kind(0), &[door(1, 2), door(0, 3), door(1, 1)]).unwrap();
    let arcs = |world: &World<RowGraph>, number| {
        let arcs = arcs_of(&world.view(), node(number));
        arcs.into_iter().map(|(head, cost)| (head.index(), cost.units())).collect::<Vec<_>>()
    };
    assert_eq!(arcs(&world, 0), [(1, 9), (4, 1), (5, 2), (5, 1), (7, 3)]);
    assert_eq!(arcs(&world, 5), [(6, 7), (7, 4), (0, 2), (0, 1)]);
    world.remove(first).unwrap();
    world.remove(second).unwrap();
    assert_eq!(arcs(&world, 0), [(1, 9)]);
    assert_eq!(arcs(&world, 5), []);
    world.place(kind(0), &[door(0, 1)]).unwrap();
    world.place(kind(0), &[door(1, 2), door(0, 3), door(1, 1)]).unwrap();
    assert_eq!(arcs(&world, 0), [(1, 9), (4, 1), (5, 2), (5, 1), (7, 3)]);
}

fn refused(designs: Vec<Design>) -> WorldError {
    Catalog::new(designs).unwrap_err()
}

fn with_room(design: Design, inner: u32, doors: Vec<Door>) -> Design {
    Design { rooms: vec![Room { kind: kind(inner), doors }], ..design }
}

#[test]
fn types_that_contain_each_other_are_named() {
    let around = |name: &str, inner| with_room(plain(name, 1, &[], &[]), inner, Vec::new());
    let names = |error| match error {
        WorldError::InsideItself { cycle } => cycle,
        other => panic!("{other}"),
    };
    let designs = vec![around("start", 2), plain("hut", 1, &[], &[]), around("keep", 3), around("tower", 2)];
    assert_eq!(names(refused(designs.clone())), ["keep", "tower"]);
    let text = refused(designs).to_string();
    assert_eq!(text, "buildings contain each other: 'keep' has 'tower'");
    assert_eq!(names(refused(vec![around("mirror", 0)])), ["mirror"]);
}

#[test]
fn bad_designs_are_refused_by_name() {
    let name = || "hut".to_owned();
    let hut = |nodes, arcs: &[_], exits: &[_]| plain("hut", nodes, arcs, exits);
    let yard = || plain("yard", 2, &[], &[]);
    let door = |exit, outside, units| vec![Door::both_ways(exit, node(outside), cost(units))];
    let in_yard = |doors| vec![hut(1, &[], &[0]), with_room(yard(), 0, doors)];
    let yard_name = || "yard".to_owned();
    let dear = Cost::MAX;
    let too_dear = dear + dear;
    let mut wrong_arc = hut(2, &[], &[]);
    wrong_arc.arcs.push((0, 1, too_dear));
    let cases = [
        (vec![hut(0, &[], &[])], WorldError::Empty { building: name() }),
        (vec![hut(2, &[(2, 0, 1)], &[])], WorldError::UnknownNode { building: name(), node: 2, nodes: 2 }),
        (vec![hut(2, &[(0, 3, 1)], &[])], WorldError::UnknownNode { building: name(), node: 3, nodes: 2 }),
        (vec![hut(2, &[], &[0, 2])], WorldError::UnknownNode { building: name(), node: 2, nodes: 2 }),
        (vec![hut(2, &[], &[1, 0, 1])], WorldError::ExitTwice { building: name(), node: 1 }),
        (
            vec![hut(5000, &[], &(0..5000).collect::<Vec<_>>())],
            WorldError::TooManyExits { building: name(), exits: 5000, most: 4096 },
        ),
        (
            vec![with_room(yard(), 1, Vec::new())],
            WorldError::UnknownRoom { building: yard_name(), found: kind(1), types: 1 },
        ),
        (in_yard(door(1, 0, 1)), WorldError::UnknownExit { building: name(), exit: 1, exits: 1 }),
        (in_yard(door(0, 2, 1)), WorldError::UnknownNode { building: yard_name(), node: 2, nodes: 2 }),
        (in_yard(door(0, 0, dear.units())), WorldError::TooDear { building: yard_name(), cost: dear }),
        (vec![wrong_arc], WorldError::TooDear { building: name(), cost: too_dear }),
        (
            vec![hut(3, &[(0, 1, dear.units()), (1, 2, 1)], &[0, 1, 2])],
            WorldError::CrossingTooDear { building: name(), from: 0, to: 2 },
        ),
    ];
    for (designs, expected) in cases {
        assert_eq!(refused(designs), expected);
        assert!(!expected.to_string().ends_with('.'));
    }
}

#[test]
fn rooms_in_rooms_end_somewhere() {
    let doubled = |name: String, inner| {
        let room = || Room { kind: kind(inner), doors: Vec::new() };
        Design { name, nodes: 0, rooms: vec![room(), room()], ..Design::default() }
    };
    let chain = |length| {
        let outer = (0..length).map(|at| doubled(format!("{at}"), at));
        std::iter::once(plain("cell", 1, &[], &[])).chain(outer).collect::<Vec<_>>()
    };
    let catalog = Catalog::new(chain(16)).unwrap();
    let last = catalog.building(kind(16)).unwrap();
    assert_eq!((last.node_count(), last.part_count()), (1 << 16, 1 << 16));
    assert_eq!(refused(chain(32)), WorldError::TooManyNodes { building: "31".into(), nodes: 1 << 32 });

    let inside = |at: u32| with_room(plain(&at.to_string(), 0, &[], &[]), at, Vec::new());
    let chain = |length| std::iter::once(plain("cell", 1, &[], &[])).chain((0..length).map(inside)).collect();
    assert!(Catalog::new(chain(32)).is_ok());
    assert_eq!(refused(chain(100_000)), WorldError::TooDeep { building: "32".into(), most: 32 });
}

/// A building of hundreds of millions of nodes is no trouble as long as it is
/// made of small ones.
#[test]
fn large_types_take_what_is_new_in_them() {
    let room = |inner| Room { kind: kind(inner), doors: vec![Door::both_ways(0, node(0), cost(1))] };
    let mut designs =
        vec![plain("cell", 60, &(0..60).map(|at| (at, (at + 1) % 60, 1)).collect::<Vec<_>>(), &[0])];
    for at in 0..4 {
        let name = format!("{at}");
        designs.push(Design {
            name,
            nodes: 1,
            rooms: (0..60).map(|_| room(at)).collect(),
            exits: vec![0],
            ..Design::default()
        });
    }
    let catalog = Catalog::new(designs).unwrap();
    let city = catalog.building(kind(4)).unwrap();
    assert_eq!(city.node_count(), 60 * 60 * 60 * 60 * 60 + 1 + 60 + 60 * 60 + 60 * 60 * 60);
    assert_eq!((city.part_count(), city.crossing(0, 0)), (1, Some(Cost::ZERO)));
    assert!(catalog.memory_bytes() < 64_000, "{} bytes", catalog.memory_bytes());
    let mut world = World::new(bare(1), catalog);
    let id = world.place(kind(4), &[Door::both_ways(0, node(0), cost(1))]).unwrap();
    let last = node(world.nodes_of(id).end - 1);
    assert_eq!(arcs_of(&world.view(), last).len(), 1);
    assert!(world.memory_bytes() < 10_000);
    let nodes = world.nodes_of(id).len() as u32;
    for _ in 0..4 {
        world.place(kind(4), &[]).unwrap();
    }
    let offset = world.node_count();
    assert_eq!(world.place(kind(4), &[]), Err(WorldError::WorldFull { offset, nodes }));
}

#[test]
fn bad_instances_are_refused_and_change_nothing() {
    let hut = plain("hut", 3, &[], &[0, 2]);
    let catalog = Arc::new(Catalog::new(vec![hut]).unwrap());
    let mut world = World::new(bare(4), Arc::clone(&catalog));
    let door = |exit, outside, units| Door::both_ways(exit, node(outside), cost(units));
    let dear = Cost::MAX;
    let good = door(0, 1, 1);
    let cases = [
        (kind(1), vec![good], WorldError::UnknownType { found: kind(1), types: 1 }),
        (
            kind(0),
            vec![good, door(2, 0, 1)],
            WorldError::UnknownExit { building: "hut".into(), exit: 2, exits: 2 },
        ),
        (kind(0), vec![good, door(1, 4, 1)], WorldError::UnknownOutside { node: node(4), nodes: 4 }),
        (
            kind(0),
            vec![good, door(1, 0, dear.units())],
            WorldError::TooDear { building: "hut".into(), cost: dear },
        ),
    ];
    for (kind, doors, expected) in cases {
        assert_eq!(world.place(kind, &doors), Err(expected));
        assert_eq!((world.node_count(), world.instance_slots()), (4, 0));
        assert_eq!(world.entrances(node(1)).count(), 0);
    }
    let mut elsewhere = World::new(bare(4), catalog);
    let foreign = elsewhere.place(kind(0), &[]).unwrap();
    assert_eq!(world.remove(foreign), Err(WorldError::UnknownInstance { found: foreign, slots: 0 }));
    let id = world.place(kind(0), &[good]).unwrap();
    world.remove(id).unwrap();
    assert_eq!(world.remove(id), Err(WorldError::Removed { found: id }));
    assert_eq!(world.remove(id).unwrap_err().to_string(), "instance 0.0 has been removed");
}

#[test]
fn doors_lead_to_where_one_can_be() {
    let hut = plain("hut", 1, &[], &[0]);
    let ground = NumberedGrid::new(Grid::from_ascii(".#").unwrap());
    let mut world = World::new(ground, Catalog::new(vec![hut]).unwrap());
    let door = |outside| Door::both_ways(0, node(outside), cost(1));
    let refused = world.place(kind(0), &[door(0), door(1)]);
    assert_eq!(refused, Err(WorldError::BlockedOutside { node: node(1) }));
    assert_eq!(refused.unwrap_err().to_string(), "a door leads to node 1, where nobody can be");
    assert!(world.place(kind(0), &[door(0)]).is_ok());
}

/// A base graph that has all numbers but ten.
struct Vast;

impl Graph for Vast {
    type Node = NodeId;

    fn node_count(&self) -> usize {
        u32::MAX as usize - 10
    }

    fn index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn for_each_arc(&self, _: NodeId, _: impl FnMut(NodeId, Cost)) {}
}

#[test]
fn numbers_run_out() {
    let catalog =
        Catalog::new(vec![plain("six", 6, &[(0, 5, 2)], &[0]), plain("four", 4, &[], &[])]).unwrap();
    let mut world = World::new(Vast, catalog);
    let first = u32::MAX - 10;
    let six = world.place(kind(0), &[Door::both_ways(0, node(first - 1), cost(3))]).unwrap();
    let full = |nodes| WorldError::WorldFull { offset: first as usize + 6, nodes };
    assert_eq!(world.place(kind(0), &[]), Err(full(6)));
    world.place(kind(1), &[]).unwrap();
    assert_eq!(world.node_count(), u32::MAX as usize);
    assert_eq!(arcs_of(&world.view(), node(first - 1)), [(node(first), cost(3))]);
    assert_eq!(arcs_of(&world.view(), node(first)), [(node(first + 5), cost(2)), (node(first - 1), cost(3))]);
    assert_eq!(arcs_of(&world.view(), node(u32::MAX)), []);
    world.remove(six).unwrap();
    assert_eq!(world.place(kind(0), &[]).map(|id| world.nodes_of(id)), Ok(first..first + 6));
}

/// Bytes per instance between the thousandth and the hundred thousandth.
fn bytes_per_instance(nodes: u32, scatter: bool) -> f64 {
    let hall = plain("hall", nodes, &[], &[0, 1]);
    let mut world = World::new(bare(200_000), Catalog::new(vec![hall]).unwrap());
    let mut random = SplitMix64::new(5);
    let mut bytes = Vec::new();
    for count in 1..=100_000_u32 {
        let mut outside =
            |side| node(if scatter { random.below(200_000) as u32 } else { (count - 1) * 2 + side });
        let doors = [0, 1].map(|exit| Door::both_ways(exit, outside(exit), cost(7)));
        world.place(kind(0), &doors).unwrap();
        if count == 1_000 || count == 100_000 {
            bytes.push(world.memory_bytes() as f64);
        }
    }
    (bytes[1] - bytes[0]) / 99_000.0
}

#[test]
fn an_instance_takes_less_than_a_hundred_bytes_whatever_its_size() {
    for scatter in [false, true] {
        let (small, large) = (bytes_per_instance(2, scatter), bytes_per_instance(40_000, scatter));
        assert!(small < 100.0 && large < 100.0, "{small} and {large}");
        // Pages of the directory are powers of two: there may be twice as many.
        assert!((small - large).abs() < 8.0, "{small} and {large}");
    }
}

/// Thousands of doors at few nodes: blocks of entrances are split, emptied and
/// joined.
#[test]
fn crowded_nodes_keep_their_entrances() {
    let catalog = Catalog::new(vec![plain("hut", 1, &[], &[0])]).unwrap();
    let mut world = World::new(bare(3), catalog);
    let mut random = SplitMix64::new(3);
    let mut there: Vec<(InstanceId, u32)> = Vec::new();
    for round in 0..12_000 {
        let grows = (round / 3000) % 2 == 0;
        if there.is_empty() || random.chance(if grows { 90 } else { 15 }) {
            let outside = random.below(3) as u32;
            let id = world.place(kind(0), &[Door::both_ways(0, node(outside), cost(1))]).unwrap();
            there.push((id, outside));
        } else {
            let (id, _) = there.swap_remove(random.below(there.len()));
            world.remove(id).unwrap();
        }
        if round % 500 == 499 {
            world.check().unwrap();
            for outside in 0..3 {
                let found: Vec<_> = world.entrances(node(outside)).map(|(id, _)| id).collect();
                let mut expected: Vec<_> = there.iter().filter(|at| at.1 == outside).map(|at| at.0).collect();
                expected.sort_unstable();
                assert_eq!(found, expected);
                assert_eq!(arcs_of(&world.view(), node(outside)).len(), found.len());
            }
        }
    }
}

/// The directory of numbers is made anew as buildings get larger and smaller.
#[test]
fn numbers_lead_to_their_instances_whatever_the_sizes() {
    let sizes = [1, 6, 500, 90_000];
    let designs = sizes.map(|nodes| plain("hall", nodes, &[], &[])).to_vec();
    let mut random = SplitMix64::new(9);
    for orders in [[3, 0, 2, 1], [0, 3, 1, 2], [0, 1, 2, 3]] {
        let mut world = World::new(bare(100), Catalog::new(designs.clone()).unwrap());
        let mut next = 100;
        for at in orders {
            for _ in 0..1_500 {
                let id = world.place(kind(at), &[]).unwrap();
                assert_eq!(world.nodes_of(id), next..next + sizes[at as usize]);
                next += sizes[at as usize];
            }
            world.check().unwrap();
            for _ in 0..2_000 {
                let number = random.between(100, next as usize - 1) as u32;
                let (id, local) = world.instance_of(node(number)).unwrap();
                assert_eq!(world.nodes_of(id).start + local, number);
            }
        }
        assert!(world.memory_bytes() < 6_000 * 40, "{} bytes", world.memory_bytes());
    }
}

#[test]
fn threads_share_a_world() {
    fn shared<T: Send + Sync>(_: &T) {}
    fn sent<T: Send>(_: &T) {}
    let mut maker = Maker(SplitMix64::new(8));
    let mut model = Model::new(&mut maker);
    for _ in 0..20 {
        model.place(&mut maker);
    }
    let world = &model.world;
    shared(world);
    sent(&world.view());
    let search = || {
        let mut memory = Memory::default();
        let starts = (0..world.node_count()).map(|start| {
            dijkstra(&world.view(), node(start as u32), &mut memory, &mut ());
            (0..world.node_count()).filter_map(|at| memory.cost(at)).map(Cost::units).sum::<u64>()
        });
        starts.collect::<Vec<_>>()
    };
    let alone = search();
    std::thread::scope(|scope| {
        let others = [(); 3].map(|()| scope.spawn(search));
        for other in others {
            assert_eq!(other.join().unwrap(), alone);
        }
    });
}

/// On a grid, what is left out for a parent on the grid is never missed,
/// however buildings join its cells.
#[test]
fn terrain_leaves_out_no_move_that_a_building_needs() {
    let mut random = SplitMix64::new(21);
    let (mut memory, mut flat_memory) = (Memory::default(), Memory::default());
    for _ in 0..300 {
        let side = random.between(3, 12);
        let ground = Grid::from_fn(side, side, |_| !random.chance(25)).unwrap();
        let cells = side * side;
        let arcs = [(0, 1, random.below(20_000) as u64), (1, 0, random.below(20_000) as u64)];
        let catalog = Catalog::new(vec![plain("tunnel", 2, &arcs, &[0, 1])]).unwrap();
        let mut world = World::new(NumberedGrid::new(ground), catalog);
        for _ in 0..random.below(6) {
            let doors =
                [0, 1].map(|exit| Door::both_ways(exit, node(random.below(cells) as u32), Cost::ZERO));
            let blocked = doors.iter().find(|door| !world.base().contains(door.outside));
            let refused = blocked.map(|door| WorldError::BlockedOutside { node: door.outside });
            assert_eq!(world.place(kind(0), &doors).err(), refused);
        }
        let view = world.view();
        let all = (0..view.node_count() as u32).map(node);
        let (flat, _) = RowGraph::collect(&view, all).unwrap();
        let start = node(random.below(view.node_count()) as u32);
        dijkstra(&view, start, &mut memory, &mut ());
        dijkstra(&flat, start, &mut flat_memory, &mut ());
        for number in 0..view.node_count() {
            assert_eq!(memory.cost(number), flat_memory.tree().cost(number));
        }
    }
}

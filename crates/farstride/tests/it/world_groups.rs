//! Hierarchies over worlds of instanced buildings.

use crate::common::cases;
use crate::common::model::{Maker, Model, Placed, node};
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::groups::world::{World, WorldGroups};
use farstride::groups::{
    Connection, Ground, GroupHierarchy, GroupId, GroupRoute, GroupScratch, GroupTactics, Members, Mode,
    Representative,
};
use farstride::search::{Memory, dijkstra};
use farstride_testkit::SplitMix64;
use proptest::prelude::*;
use std::thread;

/// Groups of the base graph's nodes, and groups of these.
struct Levels {
    base: Members,
    upper: Option<Members>,
}

impl Levels {
    fn new(maker: &mut Maker, model: &Model) -> Self {
        let numbers: Vec<u32> = (0..model.base.0).map(|_| maker.below(3)).collect();
        let base = Members::by_function(numbers.len(), |node| numbers[node.index()]).unwrap();
        let numbers: Vec<u32> = (0..base.group_count()).map(|_| maker.below(2)).collect();
        let upper = Members::by_function(numbers.len(), |node| numbers[node.index()]).unwrap();
        Self { base, upper: maker.0.chance(80).then_some(upper) }
    }

    fn hierarchy(&self, world: &World<RowGraph>, rule: Connection) -> GroupHierarchy<NodeId> {
        let groups = WorldGroups::new(world, &self.base);
        let uppers = self.upper.iter().map(|upper| groups.above(upper)).collect();
        GroupHierarchy::build(Ground::new(world, &groups), uppers, rule).unwrap()
    }
}

fn rules() -> impl Strategy<Value = Connection> {
    prop_oneof![Just(Connection::Minimum), Just(Connection::Maximin), Just(Connection::Average)]
}

/// Whether routes between all nodes are found exactly when there are some.
fn check_routes(model: &Model, levels: &Levels, hierarchy: &GroupHierarchy<NodeId>) {
    let (flat, view) = (model.written_out(), model.world.view());
    let groups = WorldGroups::new(&model.world, &levels.base);
    let mut memory = Memory::default();
    let mut scratch = GroupScratch::default();
    for start in (0..model.end).map(node) {
        dijkstra(&flat, start, &mut memory, &mut ());
        for goal in (0..model.end).map(node) {
            let is_node = [start, goal].iter().all(|&node| view.contains(node));
            let best = memory.cost(goal.index()).filter(|_| is_node);
            for mode in [Mode::Sections, Mode::Exclusion] {
                let tactics = GroupTactics::default().with_mode(mode);
                let navigator = hierarchy.on(&view, &groups).unwrap().with_tactics(tactics);
                match navigator.find(start, goal, &mut scratch) {
                    GroupRoute::Found { path, cost } => {
                        assert!(best.is_some_and(|best| best <= cost), "{start} to {goal}");
                        let step = |pair: &[NodeId]| {
                            let arcs = flat.arcs(pair[0]).iter().filter(|arc| arc.0 == pair[1]);
                            arcs.map(|arc| arc.1.units()).min().expect("every step is an arc")
                        };
                        assert_eq!(path.windows(2).map(step).sum::<u64>(), cost.units());
                    }
                    GroupRoute::AlreadyThere => assert_eq!(start, goal),
                    _ => assert_eq!(best, None, "{start} to {goal}"),
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// As buildings come and go, routes are found exactly when there are some,
    /// and the hierarchy that followed equals one built from scratch.
    #[test]
    fn hierarchies_follow_buildings_that_come_and_go(
        seed in any::<u64>(),
        changes in 1..10_usize,
        rule in rules(),
    ) {
        let mut maker = Maker(SplitMix64::new(seed));
        let mut model = Model::new(&mut maker);
        let levels = Levels::new(&mut maker, &model);
        let mut hierarchy = levels.hierarchy(&model.world, rule);
        for _ in 0..changes {
            let groups = WorldGroups::new(&model.world, &levels.base);
            let look = |placed: &Placed| (placed.0, groups.around(placed.0).collect::<Vec<GroupId>>());
            let before: Vec<_> = model.placed.iter().map(look).collect();
            let (changed, around) = if maker.0.chance(30) && !model.placed.is_empty() {
                model.remove(&mut maker);
                let gone = *model.removed.last().unwrap();
                before.into_iter().find(|&(id, _)| id == gone).unwrap()
            } else {
                model.place(&mut maker);
                let placed = model.placed.last().unwrap().0;
                (placed, WorldGroups::new(&model.world, &levels.base).around(placed).collect())
            };
            let groups = WorldGroups::new(&model.world, &levels.base);
            let chosen = Representative::MostConnected;
            groups.follow(&mut hierarchy, chosen, levels.upper.as_ref(), changed, around).unwrap();
            prop_assert_eq!(&hierarchy, &levels.hierarchy(&model.world, rule));
            check_routes(&model, &levels, &hierarchy);
        }
    }
}

/// Any number of threads ask one hierarchy and get the same answers.
#[test]
fn threads_share_a_world_and_its_hierarchy() {
    let mut maker = Maker(SplitMix64::new(11));
    let mut model = Model::new(&mut maker);
    (0..30).for_each(|_| model.place(&mut maker));
    let levels = Levels::new(&mut maker, &model);
    let hierarchy = levels.hierarchy(&model.world, Connection::Average);
    let (world, levels) = (&model.world, &levels);
    let answers = || {
        let (view, groups) = (world.view(), WorldGroups::new(world, &levels.base));
        let navigator = hierarchy.on(&view, &groups).unwrap();
        let mut scratch = GroupScratch::default();
        let pairs =
            (0..model.end).flat_map(|start| (0..model.end).map(move |goal| (node(start), node(goal))));
        let mut path = |(start, goal)| match navigator.find(start, goal, &mut scratch) {
            GroupRoute::Found { path, .. } => path.to_vec(),
            _ => Vec::new(),
        };
        pairs.map(&mut path).collect::<Vec<_>>()
    };
    let expected = answers();
    assert!(expected.iter().any(|path| path.len() > 2));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(answers)).collect();
        for thread in threads {
            assert!(thread.join().unwrap() == expected);
        }
    });
}

/// Two instances are placed before the hierarchy follows either: it can be asked
/// in between, and in the end it is as if it had been built from scratch.
#[test]
fn instances_are_followed_one_by_one() {
    (0..200).for_each(follow_two_instances);
}

fn follow_two_instances(seed: u64) {
    let mut maker = Maker(SplitMix64::new(seed));
    let mut model = Model::new(&mut maker);
    let levels = Levels::new(&mut maker, &model);
    let fresh = levels.hierarchy(&model.world, Connection::Average);
    (0..2).for_each(|_| model.place(&mut maker));
    let groups = WorldGroups::new(&model.world, &levels.base);
    let view = model.world.view();
    for order in [[0, 1], [1, 0]] {
        let mut hierarchy = fresh.clone();
        for place in order {
            let placed = model.placed[place].0;
            let around = groups.around(placed);
            let chosen = Representative::MostConnected;
            groups.follow(&mut hierarchy, chosen, levels.upper.as_ref(), placed, around).unwrap();
            let navigator = hierarchy.on(&view, &groups).unwrap();
            let mut scratch = GroupScratch::default();
            for number in 0..model.end {
                navigator.find(node(number), node(model.end - 1), &mut scratch);
            }
        }
        assert_eq!(hierarchy, levels.hierarchy(&model.world, Connection::Average));
        let wrong = if levels.upper.is_some() { None } else { Some(&levels.base) };
        let chosen = Representative::MostConnected;
        let refused = groups.follow(&mut hierarchy, chosen, wrong, model.placed[0].0, []);
        assert!(refused.is_err(), "there are other levels");
    }
}

//! Links on grids and graphs: searches stay optimal, bounds stay consistent, and
//! a path tells which of its steps are links.

use crate::common::{World, cases, cell, point};
use farstride::error::LinkError;
use farstride::graph::{Graph, NodeId, RowGraph};
use farstride::graph::{Link, Linked, LinkedStep, UniformGrid, WeightedGrid};
use farstride::internal::Window;
use farstride::search::{Counters, Memory, SearchStatus, astar, dijkstra};
use farstride::{Cell, Cost, Diagonals, Grid, Rect};
use farstride_testkit::{PlainMap, Point, strategies};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A link in the words of the testkit: from, to, units.
type PlainLink = (Point, Point, u64);

fn cost(units: u64) -> Cost {
    Cost::new(units).unwrap()
}

fn link(from: (u16, u16), to: (u16, u16), units: u64) -> Link<Cell> {
    Link::new(from.into(), to.into(), cost(units))
}

/// Links between free cells, from anywhere to anywhere or to a neighbour, that
/// cost nothing, less than a step, as much as some steps do, or a lot.
fn links(map: &PlainMap) -> impl Strategy<Value = Vec<PlainLink>> + use<> {
    let units = select(vec![0, 1, 3000, 4756, 5000, 6726, 7100, 9512, 10_000, 11_482, 30_000, 100_000]);
    let near = (any::<bool>(), 0..3_usize, 0..3_usize);
    let free = map.free_points();
    let most = if free.is_empty() { 0 } else { 7 };
    let map = map.clone();
    prop::collection::vec((any::<[Index; 2]>(), near, units), 0..=most).prop_map(move |drawn| {
        let place = |([from, to], (is_near, dx, dy), units): ([Index; 2], (bool, usize, usize), u64)| {
            let [from, far] = [from, to].map(|index| free[index.index(free.len())]);
            let beside = ((from.0 + dx).saturating_sub(1), (from.1 + dy).saturating_sub(1));
            let to = if is_near && map.is_free_at(beside) { beside } else { far };
            (from, to, units)
        };
        let mut links: Vec<_> = drawn.into_iter().map(place).filter(|(from, to, _)| from != to).collect();
        links.sort_unstable();
        links.dedup_by_key(|link| (link.0, link.1));
        links
    })
}

fn worlds(
    maps: impl Strategy<Value = PlainMap> + Clone,
) -> impl Strategy<Value = (World, Vec<PlainLink>)> + Clone {
    (maps, strategies::diagonals(), strategies::diagonal_costs()).prop_flat_map(|(map, diagonals, cost)| {
        let links = links(&map);
        (Just(World::new(map, diagonals, cost)), links)
    })
}

fn engine_links(links: &[PlainLink]) -> Vec<Link<Cell>> {
    links.iter().map(|&(from, to, units)| Link::new(cell(from), cell(to), cost(units))).collect()
}

/// All arcs of a map and its links, between places in the map.
fn arcs(world: &World, links: &[PlainLink], area: Rect) -> Vec<(usize, usize, u64)> {
    let World { map, diagonals, cost } = world;
    let mut arcs: Vec<_> =
        links.iter().map(|&(from, to, units)| (map.index(from), map.index(to), units)).collect();
    let inside = |&at: &Point| area.contains(cell(at));
    for from in map.free_points().into_iter().filter(inside) {
        for to in map.free_points().into_iter().filter(inside) {
            if from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)) == 1 && map.allows_step(*diagonals, from, to)
            {
                let is_straight = from.0 == to.0 || from.1 == to.1;
                let step = if is_straight { cost.straight_units() } else { cost.diagonal_units() };
                let units = step / 2 * (map.weight(from) + map.weight(to));
                arcs.push((map.index(from), map.index(to), units));
            }
        }
    }
    arcs
}

/// Cost from every place to `goal`: relaxes every arc until nothing changes.
fn bellman_ford(places: usize, arcs: &[(usize, usize, u64)], goal: usize) -> Vec<Option<u64>> {
    let mut best = vec![None; places];
    best[goal] = Some(0);
    loop {
        let before = best.clone();
        for &(from, to, units) in arcs {
            if let Some(rest) = best[to] {
                let entry: &mut Option<u64> = &mut best[from];
                *entry = Some(entry.map_or(rest + units, |known| known.min(rest + units)));
            }
        }
        if best == before {
            return best;
        }
    }
}

/// The distance on an empty map of weight 1.
fn base(world: &World) -> impl Fn(Cell, Cell) -> Cost + Copy + use<> {
    let rules = world.rules();
    move |from, to| match rules.diagonals {
        Diagonals::None => rules.diagonal_cost.manhattan(from, to),
        _ => rules.diagonal_cost.octile(from, to),
    }
}

/// Holds searches of a graph against all distances: with the bound that knows of
/// links, without any, and with none but from one cell to all.
fn judge(
    graph: &Linked<impl Graph<Node = Cell>>,
    world: &World,
    arcs: &[(usize, usize, u64)],
    area: Rect,
) -> Result<(), TestCaseError> {
    let map = &world.map;
    let ends: Vec<_> = map.free_points().into_iter().map(cell).filter(|&end| area.contains(end)).collect();
    let mut memory = Memory::default();
    let backwards: Vec<_> = arcs.iter().map(|&(from, to, units)| (to, from, units)).collect();
    for &start in &ends {
        let best = bellman_ford(map.free.len(), &backwards, map.index(point(start)));
        prop_assert_eq!(dijkstra(graph, start, &mut memory, &mut ()), SearchStatus::Exhausted);
        for &end in &ends {
            let expected = best[map.index(point(end))].map(cost);
            prop_assert_eq!(memory.cost(graph.index(end)), expected, "{} to {}", start, end);
        }
    }
    for &goal in &ends {
        let best = bellman_ford(map.free.len(), arcs, map.index(point(goal)));
        let bound = graph.bound(goal, base(world));
        let bounds: [&dyn Fn(Cell) -> Cost; 2] = [&bound, &|_| Cost::ZERO];
        for (&start, bound) in ends.iter().flat_map(|start| bounds.map(|bound| (start, bound))) {
            let mut counters = Counters::default();
            let progress = astar(graph, start, goal, bound, &mut memory, &mut counters);
            prop_assert_eq!(counters.reopened, 0);
            let Some(expected) = best[map.index(point(start))] else {
                prop_assert_eq!(progress, SearchStatus::Exhausted);
                continue;
            };
            prop_assert_eq!(progress, SearchStatus::Reached(goal), "from {}", start);
            let mut path = Vec::new();
            memory.path_into(graph, goal, &mut path);
            let steps = graph.steps(&path).map(|step| step.expect("every step is an arc or a link"));
            let walked: u64 = steps.map(|step| step.cost().units()).sum();
            prop_assert_eq!(walked, expected, "from {} to {}", start, goal);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Moves that are left out on a grid are not missed where there are links,
    /// under any rule, and wherever the links lead.
    #[test]
    fn searches_with_links_are_optimal((world, links) in worlds(strategies::maps(6, 6))) {
        let grid = world.grid();
        let graph = Linked::new(UniformGrid(&grid), engine_links(&links)).unwrap();
        judge(&graph, &world, &arcs(&world, &links, grid.area()), grid.area())?;
    }

    #[test]
    fn searches_with_links_over_weights_are_optimal(
        (world, links) in worlds(strategies::weighted_maps(5, 5)),
    ) {
        let grid = world.grid();
        let graph = Linked::new(WeightedGrid(&grid), engine_links(&links)).unwrap();
        judge(&graph, &world, &arcs(&world, &links, grid.area()), grid.area())?;
    }

    /// In a rectangle of a grid, with those links whose ends are inside.
    #[test]
    fn searches_with_links_in_a_rectangle_are_optimal(
        (world, links) in worlds(strategies::maps(7, 7)),
        corners in any::<[Index; 2]>(),
    ) {
        let grid = world.grid();
        let [one, other] = corners.map(|index| cell(world.map.point(index.index(world.map.free.len()))));
        let area = Rect::spanning(one, other);
        let window = Window::new(UniformGrid(&grid), area);
        let is_inside = |link: &PlainLink| area.contains(cell(link.0)) && area.contains(cell(link.1));
        let (inside, outside): (Vec<_>, Vec<_>) = links.into_iter().partition(is_inside);
        let mut graph = Linked::new(window, engine_links(&inside)).unwrap();
        for link in engine_links(&outside) {
            let refusal = graph.add(link).unwrap_err();
            prop_assert!(matches!(refusal, LinkError::NotInGraph { .. }), "{}", refusal);
        }
        judge(&graph, &world, &arcs(&world, &inside, area), area)?;
    }

    /// The bound never rises by more than a step costs, and is what the least of
    /// all ways over links would be if one could walk as on an empty map.
    #[test]
    fn bounds_are_consistent_and_as_high_as_they_can_be(
        (world, links) in worlds(strategies::maps(9, 9)),
        goal in any::<Index>(),
    ) {
        let map = &world.map;
        let free = map.free_points();
        if free.is_empty() {
            return Ok(());
        }
        let goal = free[goal.index(free.len())];
        let grid = world.grid();
        let graph = Linked::new(UniformGrid(&grid), engine_links(&links)).unwrap();
        let base = base(&world);
        let bound = graph.bound(cell(goal), base);
        let mut as_on_empty: Vec<_> =
            links.iter().map(|&(from, to, units)| (map.index(from), map.index(to), units)).collect();
        for &from in &free {
            let straight = |to: Point| (map.index(from), map.index(to), base(cell(from), cell(to)).units());
            as_on_empty.extend(links.iter().map(|link| straight(link.0)));
            as_on_empty.push(straight(goal));
        }
        let expected = bellman_ford(map.free.len(), &as_on_empty, map.index(goal));
        for &at in &free {
            prop_assert_eq!(Some(bound(cell(at)).units()), expected[map.index(at)]);
        }
        for (from, to, units) in arcs(&world, &links, grid.area()) {
            let [from, to] = [from, to].map(|index| cell(map.point(index)));
            prop_assert!(bound(from) <= cost(units) + bound(to), "{} to {}", from, to);
        }
    }

    /// Adding and removing in any order leaves what the remaining links alone
    /// would make.
    #[test]
    fn links_come_and_go(
        drawn in prop::collection::vec((0..200_u32, 0..200_u32, 0..9_u64, any::<bool>()), 0..60),
    ) {
        let graph = RowGraph::from_edges(200, []).unwrap();
        let mut linked = Linked::new(&graph, []).unwrap();
        let mut left: Vec<Link<NodeId>> = Vec::new();
        for (from, to, units, is_added) in drawn {
            let (from, to) = (NodeId::new(from % 7 * 30), NodeId::new(to % 20));
            let known = left.iter().position(|link| (link.from, link.to) == (from, to));
            if is_added {
                let link = Link::new(from, to, cost(units));
                let expected = match known {
                    _ if from == to => Err(LinkError::Loop { node: from }),
                    Some(_) => Err(LinkError::Twice { from, to }),
                    None => {
                        left.push(link);
                        Ok(())
                    }
                };
                prop_assert_eq!(linked.add(link), expected);
            } else {
                prop_assert_eq!(linked.remove(from, to), known.map(|at| left.remove(at)));
            }
        }
        for node in (0..200).map(NodeId::new) {
            let mut own: Vec<_> = left.iter().filter(|link| link.from == node).copied().collect();
            own.sort_by_key(|link| link.to);
            prop_assert_eq!(linked.links_from(node), own);
        }
        prop_assert_eq!(linked, Linked::new(&graph, left).unwrap());
    }
}

fn two_rooms() -> Grid {
    Grid::from_ascii(
        "
        ....#...
        ....#...
        ....#...
        ",
    )
    .unwrap()
}

fn path_cost(graph: &Linked<UniformGrid<'_>>, start: (u16, u16), goal: (u16, u16)) -> Option<u64> {
    let (start, goal) = (start.into(), goal.into());
    let mut memory = Memory::default();
    astar(graph, start, goal, |_| Cost::ZERO, &mut memory, &mut ());
    memory.cost(graph.index(goal)).map(Cost::units)
}

#[test]
fn a_one_way_door_leads_one_way() {
    let grid = two_rooms();
    let mut graph = Linked::new(UniformGrid(&grid), []).unwrap();
    assert_eq!(path_cost(&graph, (0, 0), (7, 0)), None);
    graph.add(link((3, 1), (5, 1), 9512)).unwrap();
    assert_eq!(path_cost(&graph, (0, 1), (7, 1)), Some(7 * 4756));
    assert_eq!(path_cost(&graph, (7, 1), (0, 1)), None);
    graph.remove(Cell::new(3, 1), Cell::new(5, 1)).unwrap();
    assert_eq!(path_cost(&graph, (0, 1), (7, 1)), None);
}

#[test]
fn links_that_cannot_be_are_named() {
    let grid = two_rooms();
    let refused = |links: &[Link<Cell>]| Linked::new(UniformGrid(&grid), links.iter().copied()).unwrap_err();
    let good = link((0, 0), (7, 2), 1);
    for end in [(4, 1), (8, 0), (0, 3), (u16::MAX, u16::MAX)] {
        let error = refused(&[good, link((0, 0), end, 1)]);
        let (from, to) = ((0, 0).into(), end.into());
        assert_eq!(error, LinkError::NotInGraph { from, to, end: to });
        let error = refused(&[good, link(end, (0, 0), 1)]);
        assert_eq!(error, LinkError::NotInGraph { from: to, to: from, end: to });
        assert!(error.to_string().contains(&to.to_string()), "{error}");
    }
    assert_eq!(refused(&[good, link((1, 1), (1, 1), 5)]), LinkError::Loop { node: Cell::new(1, 1) });
    let twice = LinkError::Twice { from: good.from, to: good.to };
    assert_eq!(refused(&[good, link((1, 1), (0, 0), 1), link((0, 0), (7, 2), 2)]), twice);

    let rows = RowGraph::from_edges(3, []).unwrap();
    let (from, to) = (NodeId::new(3), NodeId::new(1));
    let error = Linked::new(rows, [Link::new(from, to, cost(1))]).unwrap_err();
    assert_eq!(error, LinkError::NotInGraph { from, to, end: from });
}

#[test]
fn a_step_is_a_link_if_it_is_cheaper_than_walking() {
    let grid = two_rooms();
    let [cheap, equal, dear] =
        [link((0, 0), (1, 0), 4755), link((1, 0), (2, 0), 4756), link((2, 0), (3, 0), 4757)];
    let portal = link((3, 0), (5, 0), 90_000);
    let graph = Linked::new(UniformGrid(&grid), [cheap, equal, dear, portal]).unwrap();
    let path = [0, 1, 2, 3, 5, 6].map(|x| Cell::new(x, 0));
    let straight = cost(4756);
    let told: Vec<_> = graph.steps(&path).map(Option::unwrap).collect();
    let walk = LinkedStep::Walk(straight);
    assert_eq!(told, [LinkedStep::Link(&cheap), walk, walk, LinkedStep::Link(&portal), walk]);
    let total: u64 = told.iter().map(|step| step.cost().units()).sum();
    assert_eq!(total, 4755 + 3 * 4756 + 90_000);
    assert_eq!(graph.step(Cell::new(5, 0), Cell::new(3, 0)), None);
    assert_eq!(graph.steps(&path[..1]).count(), 0);
}

/// Of two parallel arcs the cheaper one counts as the walk.
#[test]
fn walks_take_the_cheapest_arc() {
    let rows = RowGraph::from_arcs(2, [(0, 1, cost(7)), (0, 1, cost(9))]).unwrap();
    let (from, to) = (NodeId::new(0), NodeId::new(1));
    let graph = Linked::new(rows, [Link::new(from, to, cost(8))]).unwrap();
    assert_eq!(graph.step(from, to), Some(LinkedStep::Walk(cost(7))));
}

/// With few links the bound keeps A* from looking everywhere.
#[test]
fn a_bound_saves_work() {
    let grid = Grid::from_fn(100, 100, |_| true).unwrap();
    let graph = Linked::new(UniformGrid(&grid), [link((20, 50), (80, 50), 4756)]).unwrap();
    let diagonal_cost = grid.rules().diagonal_cost;
    let (start, goal) = (Cell::new(10, 50), Cell::new(90, 50));
    let bound = graph.bound(goal, |from, to| diagonal_cost.octile(from, to));
    let expanded = |bound: &dyn Fn(Cell) -> Cost| {
        let (mut memory, mut counters) = (Memory::default(), Counters::default());
        assert_eq!(
            astar(&graph, start, goal, bound, &mut memory, &mut counters),
            SearchStatus::Reached(goal)
        );
        assert_eq!(memory.cost(graph.index(goal)), Some(cost(21 * 4756)));
        counters.expanded
    };
    assert_eq!(expanded(&bound), 22);
    assert!(expanded(&|_| Cost::ZERO) > 1000);
}

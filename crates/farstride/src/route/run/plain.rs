//! Engines that search the map itself.

use super::{Call, Stage};
use crate::base::{Cell, Cost};
use crate::graph::{Graph, UniformGrid, WeightedGrid};
use crate::index::{Engine, Index};
use crate::route::answer::Run;
use crate::route::{Planner, Scratch};
use crate::search::{
    EuclideanTarget, GridTarget, Heuristic, LazyTheta, Memory, Observer, OpenList, Problem, Rule,
    SearchStatus, ShortestPath, Target, Theta,
};

/// Searches the map. Engines whose index is outdated, because an edit panicked, are
/// answered for as well: by A*, or by Lazy Theta* if they are any-angle; `straight` by a
/// search of corners.
pub(super) fn run(
    call: Call<'_>,
    planner: &Planner,
    scratch: &mut Scratch,
    observer: &mut impl Observer<Cell>,
) -> Run {
    let engine = planner.engine();
    if engine == Engine::Straight {
        let rule = planner.index().and_then(Index::straight).map(|index| index.settings().rule);
        return super::straight::search(call, rule.unwrap_or_default(), scratch, observer);
    }
    let Scratch { ring, heap, path, points, puller, .. } = scratch;
    let (grid, goal) = (call.grid, call.query.goal);
    let (graph, weighted) = (&UniformGrid(grid), &WeightedGrid(grid));
    let rule = ShortestPath;
    let blind = Heuristic { goal, bound: |_: Cell| Cost::ZERO };
    let octile = GridTarget::new(goal, grid.rules());
    let straight = EuclideanTarget(goal);
    let progress = match (engine, grid.is_uniform()) {
        (Engine::Dijkstra, true) => {
            search(call, &Problem { graph, target: blind, rule }, ring, path, observer)
        }
        (Engine::Dijkstra, false) => {
            search(call, &Problem { graph: weighted, target: blind, rule }, heap, path, observer)
        }
        (Engine::Theta, _) => {
            search(call, &Problem { graph, target: straight, rule: Theta(graph) }, ring, path, observer)
        }
        (engine, _) if engine.is_any_angle() => {
            search(call, &Problem { graph, target: straight, rule: LazyTheta(graph) }, ring, path, observer)
        }
        (_, true) => search(call, &Problem { graph, target: octile, rule }, ring, path, observer),
        (_, false) => search(call, &Problem { graph: weighted, target: octile, rule }, heap, path, observer),
    };
    match progress {
        SearchStatus::Reached(_) if engine.is_any_angle() => {
            puller.pull(grid, path);
            call.writer(path).points(points)
        }
        SearchStatus::Reached(_) => call.writer(path).cells(),
        SearchStatus::Paused => Run::Paused,
        // The size of grids rules out the second.
        SearchStatus::Exhausted | SearchStatus::CostOverflow => Run::Unreachable,
    }
}

/// Begins or continues a search; writes the path once the goal is reached.
fn search<G: Graph<Node = Cell>, T: Target<Cell>, R: Rule<G>, Q: OpenList>(
    call: Call<'_>,
    problem: &Problem<'_, G, T, R>,
    memory: &mut Memory<Q>,
    path: &mut Vec<Cell>,
    observer: &mut impl Observer<Cell>,
) -> SearchStatus<Cell> {
    if call.stage == Stage::Start {
        problem.begin(call.query.start, memory, observer);
    }
    let progress = problem.advance(memory, call.query.budget, observer);
    if let SearchStatus::Reached(goal) = progress {
        memory.path_into(problem.graph, goal, path);
    }
    progress
}

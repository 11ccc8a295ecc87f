//! Proofs that need the map: 8 and 9.

use super::reach::Reach;
use super::{CorruptTable, TableKind, check_each, each_cluster, in_record};
use crate::base::crew::Crew;
use crate::base::{Cell, Cost, Run, euclidean};
use crate::grid::Grid;
use crate::hpa::Hierarchy;
use crate::hpa::entrance::{Transition, TransitionFinder};
use crate::hpa::hierarchy::View;
use crate::hpa::layout::ClusterId;
use crate::hpa::net::{self, Choice};
use crate::hpa::pockets;
use crate::hpa::tables::{Flaw, Link, ensure};

/// Proves that a hierarchy fits a map of its size and rules.
pub(super) fn prove(grid: &Grid, hierarchy: &Hierarchy, crew: &Crew<'_>) -> Result<(), CorruptTable> {
    let Hierarchy { layout, settings, .. } = hierarchy;
    let view = hierarchy.view();
    each_cluster(crew, layout, 1, |cluster, transitions: &mut TransitionFinder| {
        transitions.find(grid, layout, *settings, cluster);
        check_transitions(grid, &view, cluster, &transitions.found)
            .map_err(in_record(TableKind::Links, cluster))?;
        check_lanes(grid, &view, cluster).map_err(in_record(TableKind::Lanes, cluster))?;
        check_bends(grid, &view, cluster).map_err(in_record(TableKind::Ways, cluster))
    })?;
    check_nets(hierarchy, crew)?;
    for level in 1..=layout.level_count() {
        check_each(crew, layout, TableKind::Costs { level }, |cluster, reach: &mut Reach| match level {
            1 => reach.check_cells(grid, &view, cluster),
            _ => reach.check_nodes(&view, level, cluster),
        })?;
    }
    Ok(())
}

/// Checks that the nodes and inter-edges of a 1-cluster are the ends and steps of
/// its transitions, in the same order.
fn check_transitions(
    grid: &Grid,
    view: &View<'_>,
    cluster: ClusterId,
    transitions: &[Transition],
) -> Result<(), Flaw> {
    let nodes = view.costs(1, cluster);
    let links = view.links(cluster);
    let any_angle = view.local.is_any_angle();
    let step_cost = |from, to| if any_angle { euclidean(from, to) } else { grid.step_cost(from, to) };
    let mut left = transitions.iter();
    let mut same = true;
    for local in 0..nodes.count() {
        let from = nodes.cell(local);
        let before = left.len();
        links.for_each_from(local, |Link { head, height, cost, .. }| {
            let to = view.cell(head);
            let height = net::unthinned(view.layout, (from, to), height);
            let expected = Transition { from, to, height, is_pocket_door: false };
            same &= left.next() == Some(&expected) && cost == step_cost(from, to);
        });
        // Otherwise a node without a transition would go unnoticed.
        same &= left.len() < before;
    }
    ensure(same && left.len() == 0, "has other inter-edges than the map")
}

/// Checks that the transitions that count on upper levels are those of their nets, except for the doors of pockets: no
/// connection is lost then.
pub(super) fn check_nets(hierarchy: &Hierarchy, crew: &Crew<'_>) -> Result<(), CorruptTable> {
    let (layout, view) = (&hierarchy.layout, hierarchy.view());
    let check = |level: u8, choices: &[Choice], flaw| {
        let heights = net::heights(&view, level, choices);
        let differs = heights.first_key_value().map(|(&first, _)| in_record(TableKind::Links, first)(flaw));
        differs.map_or(Ok(()), Err)
    };
    for level in (2..=layout.level_count()).filter(|&level| hierarchy.has_net(level)) {
        each_cluster(crew, layout, level - 1, |cluster, (): &mut ()| {
            let flaw = "has an inter-edge that counts on another level than its net says";
            check(level, &net::choose(&view, level, cluster, &|_| true), flaw)
        })?;
        each_cluster(crew, layout, level, |cluster, (): &mut ()| {
            let choices = pockets::choose(&view, level, cluster, &|other| other > cluster);
            check(level, &choices, "has an inter-edge that was taken for the door of a pocket, or was not")
        })?;
    }
    Ok(())
}

/// Checks that the lanes of a 1-cluster are legal and cost what its costs say.
fn check_lanes(grid: &Grid, view: &View<'_>, cluster: ClusterId) -> Result<(), Flaw> {
    let Some(lanes) = view.lanes(cluster) else { return Ok(()) };
    let uniform = grid.is_uniform_in(view.layout.area(1, cluster));
    let nodes = view.costs(1, cluster);
    for (lane, (first, second)) in nodes.pairs().enumerate() {
        let mut cell = nodes.cell(first);
        let mut cost = Cost::ZERO;
        for run in lanes.runs(lane) {
            ensure(grid.run_is_free(cell, run.direction, run.len), "leads through blocked cells")?;
            cost += if uniform { run_cost(grid, run) } else { weighted_run_cost(grid, cell, run) };
            cell = cell.walk_within(run.direction, run.len);
        }
        ensure(cost == nodes.cost(first, second).unwrap_or_default(), "has a lane of another cost")?;
    }
    Ok(())
}

/// Checks that the bends between the nodes of a 1-cluster are legal and cost what
/// its costs say. Of the ways there and back, checks the one that queries follow:
/// the shorter, or the way there if they are equal.
fn check_bends(grid: &Grid, view: &View<'_>, cluster: ClusterId) -> Result<(), Flaw> {
    let Some(bends) = view.bends(cluster, view.layout.area(1, cluster)) else { return Ok(()) };
    let nodes = view.costs(1, cluster);
    for (first, second) in nodes.pairs() {
        let Some(cost) = nodes.cost(first, second) else { continue };
        let (one, other) = (nodes.cell(first), nodes.cell(second));
        let (there, back) = (bends.cost(second, one, other), bends.cost(first, other, one));
        ensure(there.min(back) == cost.units(), "has bends of another cost")?;
        let (start, end, to) = if there <= back { (one, other, second) } else { (other, one, first) };
        let (mut at, mut in_sight) = (start, true);
        bends.follow(to, start, end, |next| {
            in_sight &= grid.line_of_sight(at, next);
            at = next;
        });
        ensure(in_sight, "leads through blocked cells")?;
    }
    Ok(())
}

/// Cost of a run over cells of weight 1.
fn run_cost(grid: &Grid, run: Run) -> Cost {
    grid.rules().step(run.direction, 2) * u64::from(run.len)
}

/// Cost of a run, including the weights of its cells.
fn weighted_run_cost(grid: &Grid, start: Cell, run: Run) -> Cost {
    (0..run.len)
        .map(|steps| start.walk_within(run.direction, steps))
        .fold(Cost::ZERO, |cost, cell| cost + grid.step_cost(cell, cell.step(run.direction)))
}

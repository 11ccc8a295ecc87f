//! Which nodes of a cluster can reach each other inside it.

use crate::base::{Cell, Sets};
use crate::grid::{Diagonals, Grid};
use crate::hpa::hierarchy::View;
use crate::hpa::layout::ClusterId;
use crate::hpa::tables::{Costs, Flaw, ensure};

/// Working memory for checking one cluster after the other.
#[derive(Debug, Default)]
pub(super) struct Reach {
    sets: Sets,
    /// Runs of free cells (first and last column), row by row.
    stretches: Vec<(u16, u16)>,
    /// Where the runs of each row start; one more entry for the end.
    rows: Vec<usize>,
    /// The set of each node.
    roots: Vec<u32>,
}

impl Reach {
    /// Checks that two nodes of a 1-cluster have a cost exactly if free cells join
    /// them inside it.
    pub(super) fn check_cells(
        &mut self,
        grid: &Grid,
        view: &View<'_>,
        cluster: ClusterId,
    ) -> Result<(), Flaw> {
        let nodes = view.costs(1, cluster);
        if nodes.count() < 2 {
            return Ok(());
        }
        let area = view.layout.area(1, cluster);
        let (min, max) = (area.min(), area.max());
        // A diagonal step beside a free cell joins nothing that straight steps
        // do not; only under `Free` may runs touch at corners alone.
        let slack = u16::from(grid.rules().diagonals == Diagonals::Free);
        self.stretches.clear();
        self.rows.clear();
        for y in min.y..=max.y {
            self.rows.push(self.stretches.len());
            grid.for_each_stretch(y, min.x, max.x, |first, last| self.stretches.push((first, last)));
        }
        self.rows.push(self.stretches.len());
        self.sets.reset(self.stretches.len());
        for row in 1..self.rows.len() - 1 {
            self.join_rows(row, slack);
        }
        self.roots.clear();
        for local in 0..nodes.count() {
            let stretch = self.stretch_of(nodes.cell(local), min.y).ok_or("has a node on a blocked cell")?;
            self.roots.push(self.sets.root(stretch as u32));
        }
        self.compare(&nodes)
    }

    /// Joins the runs of a row with those above that they touch.
    fn join_rows(&mut self, row: usize, slack: u16) {
        let (mut above, mut below) = (self.rows[row - 1], self.rows[row]);
        let (above_end, below_end) = (self.rows[row], self.rows[row + 1]);
        while above < above_end && below < below_end {
            let ((first, last), (from, to)) = (self.stretches[above], self.stretches[below]);
            if first <= to + slack && from <= last + slack {
                self.sets.join(above as u32, below as u32);
            }
            // The one that ends first touches nothing farther on.
            if last < to {
                above += 1;
            } else {
                below += 1;
            }
        }
    }

    /// The run that contains a cell.
    fn stretch_of(&self, cell: Cell, top: u16) -> Option<usize> {
        let row = usize::from(cell.y - top);
        let stretches = self.rows[row]..self.rows[row + 1];
        stretches.into_iter().find(|&index| {
            let (first, last) = self.stretches[index];
            (first..=last).contains(&cell.x)
        })
    }

    /// Checks that two nodes of a cluster of level 2 or more have a cost exactly if
    /// edges of the level below join them inside it.
    pub(super) fn check_nodes(&mut self, view: &View<'_>, level: u8, cluster: ClusterId) -> Result<(), Flaw> {
        let nodes = view.costs(level, cluster);
        if nodes.count() < 2 {
            return Ok(());
        }
        let (layout, below) = (view.layout, level - 1);
        let mut count = 0;
        let mut starts: Vec<(ClusterId, usize)> = Vec::new();
        for child in layout.children(level, cluster) {
            starts.push((child, count));
            count += view.costs(below, child).count();
        }
        // Position of a node of the level below among those of all children.
        let place = |node: u32| {
            let child = layout.ancestor(below, layout.cluster_and_local(node).0);
            let at = starts.binary_search_by_key(&child, |&(child, _)| child).ok()?;
            Some((starts[at].1 + view.rank(node, below)) as u32)
        };
        self.sets.reset(count);
        for &(child, start) in &starts {
            let costs = view.costs(below, child);
            for rank in 0..costs.count() {
                costs.row(rank).for_each_lower(|other, _| {
                    self.sets.join((start + rank) as u32, (start + other) as u32);
                });
                view.for_each_way_out(costs.node(rank), below, |head, first, _| {
                    if layout.ancestor(level, first) == cluster
                        && let Some(other) = place(head)
                    {
                        self.sets.join((start + rank) as u32, other);
                    }
                });
            }
        }
        self.roots.clear();
        for rank in 0..nodes.count() {
            let place = place(nodes.node(rank)).ok_or("has a node outside")?;
            self.roots.push(self.sets.root(place));
        }
        self.compare(&nodes)
    }

    /// Checks that nodes have a cost exactly if they are in the same set.
    fn compare(&self, nodes: &Costs<'_>) -> Result<(), Flaw> {
        if nodes.has_islands() {
            // Nodes of an island have costs between them, so each island must be one of the sets.
            let mut both: Vec<_> =
                self.roots.iter().enumerate().map(|(rank, &root)| (nodes.island(rank), root)).collect();
            both.sort_unstable();
            both.dedup();
            let mut roots: Vec<u32> = both.iter().map(|&(_, root)| root).collect();
            roots.sort_unstable();
            roots.dedup();
            let are_sets = both.is_sorted_by(|one, next| one.0 < next.0) && roots.len() == both.len();
            return ensure(are_sets, "has islands that are not what its nodes reach");
        }
        let right = |(a, b)| nodes.cost(a, b).is_some() == (self.roots[a] == self.roots[b]);
        ensure(nodes.pairs().all(right), "has a cost without a way, or a way without a cost")
    }
}

//! Comparing a hierarchy with what a build would give.

use super::on_map::check_nets;
use super::{CorruptTable, TableKind, in_record};
use crate::base::Inconsistent;
use crate::base::crew::{Crew, Watch};
use crate::grid::Grid;
use crate::hpa::Hierarchy;
use crate::hpa::build::{FirstLevel, Worker, doors, ranks};
use crate::hpa::level::{Crossings, cross};
use crate::hpa::net;
use crate::hpa::tables::{Link, Links, ensure};

impl Hierarchy {
    /// Checks that every record and digest is what a build on this map gives.
    ///
    /// Opening a file proves that queries are safe; this proves that their answers
    /// are right.
    ///
    /// # Complexity
    /// As long as a build on one thread, without its memory.
    ///
    /// # Errors
    /// [`Inconsistent`] names the first record that differs.
    ///
    /// # Example
    /// ```
    /// use farstride::hpa::{Hierarchy, HpaSettings};
    /// use farstride::{Cell, Grid};
    ///
    /// let mut grid = Grid::empty(60, 40)?;
    /// let hierarchy = Hierarchy::build(&grid, HpaSettings::paper(2))?;
    /// assert!(hierarchy.verify(&grid).is_ok());
    /// grid.block(Cell::new(10, 10))?;
    /// assert!(hierarchy.verify(&grid).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self, grid: &Grid) -> Result<(), Inconsistent> {
        Ok(self.verify_tables(grid)?)
    }

    fn verify_tables(&self, grid: &Grid) -> Result<(), CorruptTable> {
        if !self.layout.is_of(grid.width(), grid.height()) {
            return Err(CorruptTable {
                part: TableKind::Links,
                cluster: None,
                flaw: "belongs to a map of another size",
            });
        }
        self.verify_first_level(grid)?;
        for level in 2..=self.layout.level_count() {
            self.verify_level(level)?;
        }
        check_nets(self, &Crew::new(1, 0, Watch::none()))?;
        let view = self.view();
        for cluster in self.layout.clusters(1) {
            same(TableKind::Ranks, cluster, view.ranks.record(cluster), &ranks(&view, cluster))?;
        }
        if let Some((level, cluster)) = self.false_dead_ends() {
            let part = if level == 1 { TableKind::Links } else { TableKind::Doors { level } };
            return Err(in_record(part, cluster)("was taken for other dead ends than it has"));
        }
        match self.tables().find(|(_, table)| table.digest() != table.fresh_digest()) {
            Some((part, _)) => {
                Err(CorruptTable { part, cluster: None, flaw: "does not have the digest it states" })
            }
            None => Ok(()),
        }
    }

    fn verify_first_level(&self, grid: &Grid) -> Result<(), CorruptTable> {
        let view = self.view();
        let mut worker = Worker::default();
        for cluster in self.layout.clusters(1) {
            let FirstLevel { costs, ways, lanes } =
                worker.first_level(grid, &self.layout, self.settings, cluster);
            same(TableKind::Costs { level: 1 }, cluster, view.costs[0].record(cluster), &costs)?;
            for (part, table, record) in
                [(TableKind::Ways, &view.ways, ways), (TableKind::Lanes, &view.lanes, lanes)]
            {
                if let Some(table) = table {
                    same(part, cluster, table.record(cluster), &record)?;
                }
            }
        }
        // Links name nodes of other clusters, so all nodes are verified first.
        for cluster in self.layout.clusters(1) {
            let links = worker.links(grid, &view, self.settings, cluster);
            let mut stored = view.links.record(cluster).to_vec();
            let nodes = view.costs(1, cluster);
            view.links(cluster).for_each(|local, Link { head, height, is_pocket_door, .. }| {
                // Where nets begin, heights and doors of pockets are compared later.
                let is_stray = is_pocket_door && height.saturating_add(1) < view.layout.first_net();
                let height = net::unthinned(view.layout, (nodes.cell(local), view.cell(head)), height);
                Links::set_height(&mut stored, (local, head), (height, is_stray));
            });
            same(TableKind::Links, cluster, &stored, &links)?;
        }
        Ok(())
    }

    fn verify_level(&self, level: u8) -> Result<(), CorruptTable> {
        let view = self.view();
        let mut worker = Worker::default();
        let above = usize::from(level) - 1;
        for cluster in self.layout.clusters(level) {
            let Crossings { costs, stops } = cross(&view, level, cluster, &mut worker.level);
            same(TableKind::Costs { level }, cluster, view.costs[above].record(cluster), &costs)?;
            let doors = doors(&view, level, cluster);
            same(TableKind::Doors { level }, cluster, view.doors[above - 1].record(cluster), &doors)?;
            if view.keeps_stops() {
                same(TableKind::Stops { level }, cluster, view.stops[above - 1].record(cluster), &stops)?;
            }
        }
        Ok(())
    }
}

fn same(part: TableKind, cluster: u32, found: &[u8], expected: &[u8]) -> Result<(), CorruptTable> {
    ensure(found == expected, "differs from what the map gives").map_err(in_record(part, cluster))
}

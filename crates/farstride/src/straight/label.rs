//! Hub labels of ports, by pruned labelling, and what can be left out of them.
//!
//! The label of a port lists corners that are more important than its own, its *hubs*, with
//! the length of a path there that leaves the corner by that side. From the most important
//! corner on, a search spreads the hub over all ports, and ends wherever a more important
//! hub explains a path that is as short.
//!
//! Then labels are *cleaned*: an entry that is longer than the distance between the two
//! corners, taken as free points, is on no shortest path. `docs/straight-proof.md`

use super::graph::{CornerId, Port, TautCorners};
use super::order::Nearest;
use super::scan::Scan;
use crate::base::Cancelled;
use crate::base::crew::{Crew, Wanted};
use std::collections::BinaryHeap;

/// Sums that differ by less are taken as equal: rounding of lengths below 10⁵ cells.
pub(super) const SLACK: f64 = 1e-9;
/// An entry is only dropped as too long if it is so by more than this.
pub(super) const MARGIN: f64 = 1e-7;

/// Position of a corner in the order of importance.
pub(super) type Rank = u32;

/// An entry of a label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Entry {
    pub(super) hub: Rank,
    /// The corner that the path comes to next.
    pub(super) next: CornerId,
    pub(super) length: f64,
}

/// The labels of all ports; hubs rise. A port's own corner is the last hub of its label.
pub(super) struct PortLabels {
    pub(super) order: Vec<CornerId>,
    pub(super) ranks: Vec<Rank>,
    labels: Vec<Vec<Entry>>,
    /// For each rank, the hubs above it in both labels of its corner, each at the shorter length.
    above: Vec<Vec<(Rank, f64)>>,
    /// Hubs of each corner taken as a free point, from which a path may leave anywhere.
    free: Vec<Vec<(Rank, f64)>>,
}

impl PortLabels {
    /// Labels all ports; `None` if that takes more entries than `most`.
    pub(super) fn build(
        taut: &TautCorners<'_>,
        order: Vec<CornerId>,
        most: usize,
        wanted: Wanted<'_>,
    ) -> Result<Option<Self>, Cancelled> {
        let mut ranks = vec![0; order.len()];
        for (rank, &corner) in (0..).zip(&order) {
            ranks[corner as usize] = rank;
        }
        let labels = vec![Vec::new(); taut.port_count()];
        let mut this = Self { order, ranks, labels, above: Vec::new(), free: Vec::new() };
        let mut spread = Spread::new(taut);
        let mut entries = 0;
        for rank in 0..this.order.len() as Rank {
            if rank % 64 == 0 && !wanted() {
                return Err(Cancelled);
            }
            entries += spread.run(taut, &mut this, rank);
            if entries > most {
                return Ok(None);
            }
        }
        Ok(Some(this))
    }

    /// The label of a port.
    #[inline]
    pub(super) fn of(&self, port: Port) -> &[Entry] {
        &self.labels[port.index()]
    }

    /// The entry of a hub in the label of a port.
    pub(super) fn entry(&self, port: Port, hub: Rank) -> Option<usize> {
        self.of(port).binary_search_by_key(&hub, |entry| entry.hub).ok()
    }

    /// The largest length of an entry.
    pub(super) fn farthest(&self) -> f64 {
        self.labels.iter().flatten().map(|entry| entry.length).fold(0.0, f64::max)
    }

    /// The hubs above a hub, and how far it is from them. A way to it that is no shorter than one over
    /// such a hub, give or take [`SLACK`], is explained.
    pub(super) fn above(&self, hub: Rank) -> &[(Rank, f64)] {
        &self.above[hub as usize]
    }

    /// The hubs of a hub's corner taken as a free point, and how far it is from them. A way to it that is
    /// longer than one over such a hub, by more than [`MARGIN`], is on no shortest path.
    pub(super) fn around(&self, hub: Rank) -> &[(Rank, f64)] {
        &self.free[hub as usize]
    }

    /// Both labels of the corner with a rank.
    #[inline]
    pub(super) fn of_rank(&self, rank: Rank) -> impl Iterator<Item = &Entry> {
        let corner = self.order[rank as usize];
        self.of(Port::new(corner, 0)).iter().chain(self.of(Port::new(corner, 1)))
    }

    /// Drops entries that are longer than the distance between the two corners.
    pub(super) fn clean(&mut self, taut: &TautCorners<'_>, crew: &Crew<'_>) -> Result<(), Cancelled> {
        let corners = self.order.len();
        let free = crew.try_map(corners, |rank, work: &mut Work| {
            work.begin(corners);
            self.free_label(taut, rank as Rank, work)
        })?;
        let seen;
        (self.free, seen) = free.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        let labels = crew.try_map(taut.port_count(), |port, work: &mut Work| {
            work.begin(corners);
            let port = Port(port as u32);
            let own = self.ranks[port.corner() as usize];
            for &(hub, length) in &self.free[own as usize] {
                work.near[hub as usize] = length;
            }
            let here = taut.point(port.corner());
            let is_shortest = |entry: &&Entry| {
                let corner = self.order[entry.hub as usize];
                let is_seen = seen[own as usize].binary_search(&corner).is_ok();
                let is_shorter =
                    |&(other, rest): &(Rank, f64)| work.near[other as usize] + rest + MARGIN < entry.length;
                let farther = || self.around(entry.hub).iter().any(is_shorter);
                entry.hub == own
                    || !(is_seen && here.distance(taut.point(corner)) + SLACK < entry.length || farther())
            };
            let kept: Vec<Entry> = self.of(port).iter().filter(is_shortest).copied().collect();
            for &(hub, _) in &self.free[own as usize] {
                work.near[hub as usize] = f64::INFINITY;
            }
            kept
        })?;
        self.labels = labels;
        self.above = crew.try_map(corners, |rank, (): &mut ()| self.hubs_above(rank as Rank))?;
        Ok(())
    }

    /// The hubs above a rank in both labels of its corner, each at the shorter length.
    fn hubs_above(&self, rank: Rank) -> Vec<(Rank, f64)> {
        let entries = self.of_rank(rank).filter(|entry| entry.hub < rank);
        let mut above: Vec<(Rank, f64)> = entries.map(|entry| (entry.hub, entry.length)).collect();
        above.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        above.dedup_by_key(|&mut (hub, _)| hub);
        above
    }

    /// The label of a corner as a free point, and the corners it sees.
    fn free_label(
        &self,
        taut: &TautCorners<'_>,
        own: Rank,
        work: &mut Work,
    ) -> (Vec<(Rank, f64)>, Vec<CornerId>) {
        let id = self.order[own as usize];
        let (here, seen) = (taut.corner(id), taut.seen_around(id, &mut work.scan));
        // Other corners at the same point are as near.
        for same in taut.ids_at(here.x, here.y) {
            work.lower(self.ranks[same as usize], 0.0);
        }
        for &other in &seen {
            let corner = taut.corner(other);
            let Some(side) = corner.side(super::graph::between(corner, here)) else { continue };
            let length = taut.point(id).distance(taut.point(other));
            for entry in self.of(Port::new(other, side).opposite()) {
                work.lower(entry.hub, length + entry.length);
            }
        }
        work.hubs.sort_unstable();
        let near = &work.near;
        let is_needed = |&&hub: &&Rank| {
            let length = near[hub as usize];
            let mut above = self.of_rank(hub).filter(|entry| entry.hub < hub);
            !above.any(|entry| near[entry.hub as usize] + entry.length <= length + SLACK)
        };
        let label = work.hubs.iter().filter(is_needed).map(|&hub| (hub, near[hub as usize])).collect();
        work.clear();
        (label, seen)
    }
}

/// Distances of hubs, while a label is made; one per thread.
#[derive(Default)]
struct Work {
    scan: Scan,
    near: Vec<f64>,
    hubs: Vec<Rank>,
}

impl Work {
    fn begin(&mut self, corners: usize) {
        self.near.resize(corners, f64::INFINITY);
    }

    fn lower(&mut self, hub: Rank, length: f64) {
        let near = &mut self.near[hub as usize];
        if *near == f64::INFINITY {
            self.hubs.push(hub);
        }
        *near = near.min(length);
    }

    fn clear(&mut self) {
        for hub in self.hubs.drain(..) {
            self.near[hub as usize] = f64::INFINITY;
        }
    }
}

/// The search that spreads a hub over all ports.
struct Spread {
    lengths: Vec<f64>,
    parents: Vec<CornerId>,
    /// Distance of each hub of the corner at hand.
    near: Vec<f64>,
    touched: Vec<Port>,
    queue: BinaryHeap<Nearest>,
}

impl Spread {
    fn new(taut: &TautCorners<'_>) -> Self {
        Self {
            lengths: vec![f64::INFINITY; taut.port_count()],
            parents: vec![0; taut.port_count()],
            near: vec![f64::INFINITY; taut.corners.len()],
            touched: Vec::new(),
            queue: BinaryHeap::new(),
        }
    }

    /// Spreads the corner of a rank, and returns the number of new entries.
    fn run(&mut self, taut: &TautCorners<'_>, labels: &mut PortLabels, rank: Rank) -> usize {
        let corner = labels.order[rank as usize];
        for entry in labels.of_rank(rank) {
            let near = &mut self.near[entry.hub as usize];
            *near = near.min(entry.length);
        }
        let mut entries = 0;
        for side in 0..2 {
            self.relax(taut, labels, Port::new(corner, side), 0.0, rank);
        }
        while let Some(Nearest(length, port)) = self.queue.pop() {
            if length > self.lengths[port.index()] {
                continue;
            }
            let label = &mut labels.labels[port.index()];
            // A path back to the hub over a more important one.
            if label.iter().any(|entry| entry.length + self.near[entry.hub as usize] <= length + SLACK) {
                continue;
            }
            label.push(Entry { hub: rank, next: self.parents[port.index()], length });
            entries += 1;
            self.relax(taut, labels, port.opposite(), length, rank);
        }
        for port in self.touched.drain(..) {
            self.lengths[port.index()] = f64::INFINITY;
        }
        for entry in labels.of_rank(rank) {
            self.near[entry.hub as usize] = f64::INFINITY;
        }
        for side in 0..2 {
            labels.labels[Port::new(corner, side).index()].push(Entry {
                hub: rank,
                next: corner,
                length: 0.0,
            });
        }
        entries + 2
    }

    /// Follows the links of a port, back to the ports from which paths come over it.
    fn relax(&mut self, taut: &TautCorners<'_>, labels: &PortLabels, from: Port, length: f64, rank: Rank) {
        for link in &taut.links[from.index()] {
            let (port, length) = (link.to, length + link.length);
            if labels.ranks[port.corner() as usize] <= rank {
                continue;
            }
            let known = &mut self.lengths[port.index()];
            if length + SLACK < *known {
                if *known == f64::INFINITY {
                    self.touched.push(port);
                }
                *known = length;
                self.parents[port.index()] = from.corner();
                self.queue.push(Nearest(length, port));
            }
        }
    }
}

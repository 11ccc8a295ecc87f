//! Crossing costs of a cluster after an edit: only pairs of nodes whose way may change are looked at.
//!
//! What has changed below a cluster are a few edges: costs of its children, and inter-edges between them. Where
//! an edge became dearer or is gone, ways that used it are found again, by searches from as few
//! nodes as those ways have in common. Where an edge became cheaper or is new, better ways lead over it: a
//! search from one of its ends finds the best way by that end between any two nodes. All other ways stay.
//!
//! The result equals that of [`cross`], bit for bit; see [`below`](super::below) for equally short ways. If
//! nodes of the cluster have changed their order or what they are to its ways, or too much has changed, `cross` is what is called.

use super::below::{Below, FAR, Search};
use super::hierarchy::View;
use super::layout::{ClusterId, Layout};
use super::level::{Crossings, LEFT_OUT, LevelScratch, cross, gather_nodes};
use super::tables::{Costs, Link, Links, Stops, UNREACHABLE, WORD};
use crate::base::{Cell, Cost};
use std::collections::{BTreeMap, BTreeSet};

/// Searches are done only if they start from at most one in this many of the cluster's own nodes; for more, elimination
/// is faster. Edges that have fallen take two searches each.
/// Tests search always.
const WORTH_SEARCHING: usize = if cfg!(test) { 1 } else { 6 };
/// Clusters with fewer nodes below them are computed whole if a way is lost or may be better.
const LARGE: usize = if cfg!(test) { 1 } else { 100 };

/// What an edit has changed so far.
pub(super) struct BeforeEdit<'a> {
    /// The records of clusters of the level below whose costs changed.
    pub(super) costs: &'a BTreeMap<ClusterId, Vec<u8>>,
    /// The inter-edges of 1-clusters that have others now.
    pub(super) links: &'a BTreeMap<ClusterId, Vec<u8>>,
    pub(super) renamed: &'a Renamed,
}

/// The numbers that nodes have now, by 1-cluster and former local number. 1-clusters that are not listed have the nodes
/// of before.
#[derive(Debug, Default)]
pub(super) struct Renamed(BTreeMap<ClusterId, Vec<Option<u32>>>);

impl Renamed {
    /// Notes that the nodes of a 1-cluster have changed.
    pub(super) fn note(&mut self, layout: &Layout, cluster: ClusterId, before: Costs<'_>, after: Costs<'_>) {
        let now = |local| after.rank_at(before.cell(local)).map(|local| layout.node(cluster, local));
        self.0.insert(cluster, (0..before.count()).map(now).collect());
    }

    /// The number of a node now; `None` if it is gone.
    fn now(&self, layout: &Layout, node: u32) -> Option<u32> {
        let (cluster, local) = layout.cluster_and_local(node);
        match self.0.get(&cluster) {
            Some(locals) => locals.get(local).copied().flatten(),
            None => Some(node),
        }
    }
}

/// The records of a cluster of level 2 or more after an edit; `None` if they stay as they are.
pub(super) fn cross_again(
    view: &View<'_>,
    level: u8,
    cluster: ClusterId,
    before: &BeforeEdit<'_>,
    (scratch, ways): (&mut LevelScratch, &mut NewWays),
) -> Option<Crossings> {
    let again = changed(view, (level, cluster), before, (scratch, ways));
    #[cfg(test)]
    tests::count(&again);
    match again {
        Again::Same => None,
        Again::Changed(crossings) => Some(crossings),
        Again::Unknown => Some(cross(view, level, cluster, scratch)),
    }
}

/// What came of looking at changes only.
enum Again {
    Same,
    Changed(Crossings),
    /// Nothing: everything has to be computed.
    Unknown,
}

fn changed(
    view: &View<'_>,
    (level, cluster): (u8, ClusterId),
    before: &BeforeEdit<'_>,
    (scratch, ways): (&mut LevelScratch, &mut NewWays),
) -> Again {
    let old = view.costs(level, cluster);
    let kept = gather_nodes(view, level, cluster, scratch);
    let LevelScratch { nodes, place, .. } = scratch;
    if old.is_wide() || old.count() == 0 || kept == 0 {
        return Again::Unknown;
    }
    let Some(former) = former_ranks(view, (level, cluster), old, (nodes, kept)) else {
        return Again::Unknown;
    };
    let has_the_same_nodes = old.count() == kept && former.iter().all(Option::is_some);
    let mut edges = Edges::default();
    if !edges.compare_costs(view, (level, cluster), (before, place)) {
        return Again::Unknown;
    }
    edges.compare_links(view, (level, cluster), before);
    let kept_nodes = nodes[..kept].iter().map(|&(node, _)| node);
    let Some(stops) = view.stops(level, cluster) else {
        let is_same = edges.risen.is_empty()
            && edges.fallen.is_empty()
            && has_the_same_nodes
            && old.nodes().eq(kept_nodes);
        return if is_same { Again::Same } else { Again::Unknown };
    };
    let Some(mut lost) = pairs_over(&edges.risen, old, stops) else { return Again::Unknown };
    let now = |node| before.renamed.now(view.layout, node);
    if lost.is_empty() && edges.fallen.is_empty() && has_the_same_nodes {
        let names_stay = stops.nodes().all(|node| now(node) == Some(node));
        if names_stay && old.nodes().eq(kept_nodes.clone()) {
            return Again::Same;
        }
        let stops = view.stops_record(level, cluster).to_vec();
        let Some(stops) = Stops::renamed(stops, old, now) else { return Again::Unknown };
        return Again::Changed(Crossings { costs: old.renamed(kept_nodes), stops });
    }
    // Theta* does not find all shortest ways, so costs of children are not shortest distances there.
    if view.local.is_any_angle() || nodes.len() < LARGE {
        return Again::Unknown;
    }
    let Some(below) = Below::new(view, (level, cluster), (nodes.len(), kept), place) else {
        return Again::Unknown;
    };
    let places: Vec<_> =
        stops.nodes().map(|node| now(node).and_then(|node| below.position_of(node))).collect();
    let position_of = |node| below.position_of(node);
    let fallen = edges.fallen.iter().map(|&(from, to)| position_of(from).zip(position_of(to)));
    let Some(fallen) = fallen.collect::<Option<Vec<_>>>() else { return Again::Unknown }; // forged
    let costs = if has_the_same_nodes {
        old.renamed(kept_nodes)
    } else {
        lost = with_new_nodes(&lost, old.count(), &former);
        old.rearranged(&nodes[..kept], &former)
    };
    ways.begin(former, costs);
    if ways.replace(&below, &lost) && ways.offer_fallen(&below, &fallen, (stops, &places)) {
        ways.finish(nodes, stops, &places).map_or(Again::Unknown, Again::Changed)
    } else {
        Again::Unknown
    }
}

/// The former rank of each of the cluster's own nodes, which come first in `nodes`. `None` if they are in another order, or
/// ways may prefer other nodes than before: elimination comes to the cluster's own nodes last, and some that
/// others pass through have become such, or are none any more.
fn former_ranks(
    view: &View<'_>,
    (level, cluster): (u8, ClusterId),
    old: Costs<'_>,
    (nodes, kept): (&[(u32, Cell)], usize),
) -> Option<Vec<Option<usize>>> {
    let is_the_same = |(rank, node): (usize, &(u32, Cell))| old.cell(rank) == node.1;
    if old.count() == kept && nodes[..kept].iter().enumerate().all(is_the_same) {
        return Some((0..kept).map(Some).collect());
    }
    let mut cells: Vec<(Cell, usize)> = (0..old.count()).map(|rank| (old.cell(rank), rank)).collect();
    cells.sort_unstable();
    let rank_of = |cell: Cell| Some(cells[cells.binary_search_by_key(&cell, |&(cell, _)| cell).ok()?].1);
    let was: Vec<_> = nodes[..kept].iter().map(|&(_, cell)| rank_of(cell)).collect();
    let layout = view.layout;
    let joins = |&node: &u32| {
        let (first, local) = layout.cluster_and_local(node);
        let mut joins = false;
        view.links(first).for_each_from(local, |link| {
            joins |= link.height + 1 >= level
                && layout.ancestor(level, layout.cluster_and_local(link.head).0) == cluster;
        });
        joins
    };
    let mut new = nodes.iter().zip(&was).filter(|(_, was)| was.is_none()).map(|(&(node, _), _)| node);
    let has_moved =
        new.any(|node| joins(&node)) || nodes[kept..].iter().any(|&(_, cell)| rank_of(cell).is_some());
    (!has_moved && was.iter().flatten().is_sorted()).then_some(was)
}

/// Pairs of former ranks as pairs of ranks now, as far as both are there, and all pairs of a new rank.
fn with_new_nodes(lost: &[(u32, u32)], before: usize, was: &[Option<usize>]) -> Vec<(u32, u32)> {
    let mut now = vec![None; before];
    for (rank, was) in (0_u32..).zip(was) {
        if let Some(was) = was {
            now[*was] = Some(rank);
        }
    }
    let mut pairs: Vec<_> =
        lost.iter().filter_map(|&(from, to)| now[from as usize].zip(now[to as usize])).collect();
    for new in (0..was.len()).filter(|&rank| was[rank].is_none()) {
        // Pairs of two new ranks come once.
        let others = (0..was.len()).filter(|&rank| rank != new && (was[rank].is_some() || new < rank));
        pairs.extend(others.map(|other| in_order(new as u32, other as u32)));
    }
    pairs
}

/// The edges between nodes of children that an edit changed.
#[derive(Default)]
struct Edges {
    /// Those that cost more or are gone, by the numbers that nodes had before.
    risen: Vec<(u32, u32)>,
    /// Those that cost less or are new, by the numbers that nodes have now.
    fallen: Vec<(u32, u32)>,
}

impl Edges {
    /// Compares the costs of crossing the children. Returns false if that is not possible.
    ///
    /// Nodes that only one of the two records has need no look: to pass them, a way
    /// needs an inter-edge that is new or gone, and ways that begin at a new node of the cluster itself are all
    /// looked for.
    fn compare_costs(
        &mut self,
        view: &View<'_>,
        (level, cluster): (u8, ClusterId),
        (before, place): (&BeforeEdit<'_>, &[u32]),
    ) -> bool {
        let mut start = 0;
        let mut copies = [Vec::new(), Vec::new()];
        for child in view.layout.children(level, cluster) {
            let new = view.costs(level - 1, child);
            let place = &place[start..start + new.count()];
            start += new.count();
            let Some(record) = before.costs.get(&child) else { continue };
            let old = Costs::new(record);
            // With any-angle legs, ways need no inter-edge at their nodes.
            if view.local.is_any_angle() && !new.has_places_of(record) {
                return false;
            }
            if new.has_islands_of(old) {
                self.compare_rows(old, new, place);
                continue;
            }
            let Some(common) = common_nodes(old, new, place) else { return false };
            let [copy, other] = &mut copies;
            for (at, &(old_from, from)) in common.iter().enumerate() {
                let (Some(old_row), Some(row)) = (old.row(old_from).whole(copy), new.row(from).whole(other))
                else {
                    return false; // wide
                };
                for &(old_to, to) in &common[..at] {
                    let [was, is] = [old_row[old_to], row[to]].map(u32::from_le_bytes);
                    if is > was {
                        self.risen.push(in_order(old.node(old_from), old.node(old_to)));
                    } else if is < was {
                        self.fallen.push((new.node(from), new.node(to)));
                    }
                }
            }
        }
        true
    }

    /// As [`Edges::compare_costs`], for a child with the same nodes and islands as before.
    fn compare_rows(&mut self, old: Costs<'_>, new: Costs<'_>, place: &[u32]) {
        for from in (0..new.count()).filter(|&from| place[from] != LEFT_OUT) {
            let [old_row, row] = [old, new].map(|costs| costs.row(from));
            // Few rows change.
            if row.has_lower_bytes_of(&old_row) {
                continue;
            }
            for spot in row.spots().start..new.spot(from) {
                let to = row.rank_on(spot);
                let [was, is] = [old_row, row].map(|row| row.cost_on(spot).unwrap_or(Cost::MAX));
                if was == is || place[to] == LEFT_OUT {
                    continue;
                }
                if is > was {
                    self.risen.push(in_order(old.node(from), old.node(to)));
                } else {
                    self.fallen.push((new.node(from), new.node(to)));
                }
            }
        }
    }

    /// Compares the inter-edges between children.
    fn compare_links(&mut self, view: &View<'_>, (level, cluster): (u8, ClusterId), before: &BeforeEdit<'_>) {
        let layout = view.layout;
        let is_inside =
            |link: &Link| layout.ancestor(level, layout.cluster_and_local(link.head).0) == cluster;
        // Where a node has moved, its number and so the record of its inter-edges may be those of before.
        let firsts: BTreeSet<_> = before.links.keys().chain(before.renamed.0.keys()).copied().collect();
        for first in firsts.into_iter().filter(|&first| layout.ancestor(level, first) == cluster) {
            let old = before.links.get(&first).map_or(view.links(first), |record| Links::new(record));
            let mut left = BTreeMap::new();
            view.links(first).for_each(|local, link| {
                if link.height >= level - 1 && is_inside(&link) {
                    left.insert((layout.node(first, local), link.head), link.cost);
                }
            });
            // Those that did not count here are used by forged ways only, which must not outlive them.
            old.for_each(|local, link| {
                if !is_inside(&link) {
                    return;
                }
                let old = (layout.node(first, local), link.head);
                let ends = before.renamed.now(layout, old.0).zip(before.renamed.now(layout, old.1));
                let now = ends.and_then(|ends| left.get(&ends).copied());
                if now.is_none_or(|cost| cost > link.cost) {
                    self.risen.push(in_order(old.0, old.1));
                }
                if link.height >= level - 1 && now.is_some_and(|cost| cost >= link.cost) {
                    ends.and_then(|ends| left.remove(&ends));
                }
            });
            self.fallen.extend(left.keys());
        }
    }
}

/// The ranks, before and after, of nodes that two records of a child have in common and that ways
/// through its parent may use. `None` if they are not in the same order.
fn common_nodes(old: Costs<'_>, new: Costs<'_>, place: &[u32]) -> Option<Vec<(usize, usize)>> {
    let mut cells: Vec<(Cell, usize)> = (0..old.count()).map(|rank| (old.cell(rank), rank)).collect();
    cells.sort_unstable();
    let common: Vec<_> = (0..new.count())
        .filter(|&rank| place[rank] != LEFT_OUT)
        .filter_map(|rank| {
            let at = cells.binary_search_by_key(&new.cell(rank), |&(cell, _)| cell).ok()?;
            Some((cells[at].1, rank))
        })
        .collect();
    common.is_sorted().then_some(common)
}

/// Two nodes, the smaller number first.
const fn in_order(one: u32, other: u32) -> (u32, u32) {
    if one < other { (one, other) } else { (other, one) }
}

/// Stops that new ways may have; for more, elimination is faster.
const MOST_STOPS: usize = 1 << 20;
/// No way has been found for a pair.
const NO_WAY: u32 = u32::MAX;

/// The new ways through a cluster; holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct NewWays {
    kept: usize,
    /// The former rank of each of the cluster's nodes.
    was: Vec<Option<usize>>,
    /// The record of costs.
    costs: Vec<u8>,
    /// For each pair of ranks, where its new way is in `ways`, or [`NO_WAY`].
    slots: Vec<u32>,
    /// New ways: where the part of each in `stops` begins and ends.
    ways: Vec<(u32, u32)>,
    /// Positions of the nodes on new ways, from the first node of a pair to the second.
    stops: Vec<u32>,
    search: Search,
    /// Working memory.
    moments: [Vec<u32>; 2],
    copied: Vec<[u8; WORD]>,
    offers: Vec<u32>,
}

impl NewWays {
    fn begin(&mut self, was: Vec<Option<usize>>, costs: Vec<u8>) {
        let kept = was.len();
        self.kept = kept;
        self.was = was;
        self.costs = costs;
        self.slots.clear();
        self.slots.resize(kept * kept, NO_WAY);
        self.ways.clear();
        self.stops.clear();
    }

    /// Finds the ways between these pairs again. Returns false if it takes too many searches, or records are forged.
    fn replace(&mut self, below: &Below, pairs: &[(u32, u32)]) -> bool {
        let Some(rows) = cover(pairs, self.kept, self.kept / WORTH_SEARCHING) else { return false };
        rows.into_iter().all(|(source, wanted)| {
            self.search.run(below, source, &wanted) && wanted.iter().all(|&to| self.take(below, source, to))
        })
    }

    /// Takes the way that the search has found between its source and another node. Returns false if there is none
    /// that makes up its distance.
    fn take(&mut self, below: &Below, source: u32, to: u32) -> bool {
        let distance = self.search.distance(below, to);
        let begin = self.stops.len();
        if distance < FAR {
            if !self.search.trace(below, to) {
                return false;
            }
            self.stops.extend(self.search.way_back(below, to));
            if source < to {
                self.stops[begin..].reverse();
            }
        }
        self.put(in_order(source, to), distance, begin)
    }

    /// Notes the last stops, from the one at `begin` on, as the way between two nodes.
    fn put(&mut self, (from, to): (u32, u32), distance: i32, begin: usize) -> bool {
        self.slots[from as usize * self.kept + to as usize] = self.ways.len() as u32;
        self.ways.push((begin as u32, self.stops.len() as u32));
        // Ways that are replaced stay in the list.
        if self.stops.len() > MOST_STOPS {
            return false;
        }
        let units = if distance < FAR { distance as u64 } else { UNREACHABLE };
        Costs::change(&mut self.costs, (from as usize, to as usize), units)
    }

    /// Offers every pair of nodes the best way over one of these edges, which have fallen. Returns false if it takes
    /// too many searches, a way is too long, or records are forged.
    fn offer_fallen(
        &mut self,
        below: &Below,
        fallen: &[(u32, u32)],
        (stops, places): (Stops<'_>, &[Option<u32>]),
    ) -> bool {
        let most = (self.kept / WORTH_SEARCHING).div_ceil(2);
        let Some(covered) = cover(fallen, below.count(), most) else { return false };
        let wanted: Vec<u32> = (0..self.kept as u32).collect();
        for (by, ends) in covered {
            if !self.search.run_by(below, by, &ends, &wanted) {
                return false;
            }
            let over: Vec<i32> = wanted.iter().map(|&to| self.search.distance(below, to)).collect();
            if !self.search.run(below, by, &wanted) {
                return false;
            }
            let distances: Vec<i32> = wanted.iter().map(|&to| self.search.distance(below, to)).collect();
            // A way over a fallen edge passes `by` and goes on over that edge to one of its two ends: that one is `to`.
            for to in 0..self.kept {
                if distances[to] < FAR
                    && over[to] == distances[to]
                    && !self.offer_all(below, (by, to), &distances, (stops, places))
                {
                    return false;
                }
            }
        }
        true
    }

    /// Offers the ways by a node to another. Returns false if one is too long, or records are forged.
    fn offer_all(
        &mut self,
        below: &Below,
        (by, to): (u32, usize),
        distances: &[i32],
        (stops, places): (Stops<'_>, &[Option<u32>]),
    ) -> bool {
        let mut copied = std::mem::take(&mut self.copied);
        let mut offers = std::mem::take(&mut self.offers);
        offers.clear();
        let present = Costs::new(&self.costs).row(to).whole(&mut copied).unwrap_or_default();
        for (from, (&distance, &present)) in distances.iter().zip(present).enumerate() {
            if distance < FAR
                && (distance + distances[to]) as u32 <= u32::from_le_bytes(present)
                && from != to
            {
                offers.push(from as u32);
            }
        }
        let is_fine = offers.iter().all(|&from| {
            let distance = distances[from as usize] + distances[to];
            distance < FAR && self.offer(below, (from, by, to as u32), distance, (stops, places))
        });
        self.copied = copied;
        self.offers = offers;
        is_fine
    }

    /// Takes the way from one node by another to a third if it is better than the present one, which is not
    /// shorter. Returns false if records are forged.
    fn offer(
        &mut self,
        below: &Below,
        (from, by, to): (u32, u32, u32),
        distance: i32,
        (stops, places): (Stops<'_>, &[Option<u32>]),
    ) -> bool {
        if !self.search.trace(below, from) || !self.search.trace(below, to) {
            return false;
        }
        let (from, to) = in_order(from, to);
        let begin = self.stops.len();
        self.stops.extend(self.search.way_back(below, from));
        if by != from && by != to {
            self.stops.push(by);
        }
        let middle = self.stops.len();
        self.stops.extend(self.search.way_back(below, to));
        self.stops[middle..].reverse();
        let present = Costs::new(&self.costs).cost(from as usize, to as usize);
        if present.is_some_and(|present| present.units() == distance as u64) {
            let [new, old] = &mut self.moments;
            below.moments(self.stops[begin..].iter().copied(), new);
            match self.slots[from as usize * self.kept + to as usize] {
                NO_WAY => {
                    // Pairs of a new node have a slot by now.
                    let Some((from, to)) = self.was[from as usize].zip(self.was[to as usize]) else {
                        return false;
                    };
                    let names = stops.names_between(from, to);
                    below.moments(names.filter_map(|name| places[name]), old);
                }
                slot => {
                    let (begin, end) = self.ways[slot as usize];
                    below.moments(self.stops[begin as usize..end as usize].iter().copied(), old);
                }
            }
            if new >= old {
                self.stops.truncate(begin);
                return true;
            }
        }
        self.put((from, to), distance, begin)
    }

    /// The new records; `None` if records are forged.
    fn finish(
        &mut self,
        nodes: &[(u32, Cell)],
        stops: Stops<'_>,
        places: &[Option<u32>],
    ) -> Option<Crossings> {
        let new_way = |from: usize, to: usize| match self.slots[from * self.kept + to] {
            NO_WAY => None,
            slot => {
                let (begin, end) = self.ways[slot as usize];
                Some(&self.stops[begin as usize..end as usize])
            }
        };
        let costs = Costs::settled(std::mem::take(&mut self.costs));
        let stops = stops.with_ways((Costs::new(&costs), nodes), (&self.was, places), new_way)?;
        Some(Crossings { costs, stops })
    }
}

/// The pairs of ranks whose ways use one of these edges, given by numbers of nodes in order. `None` if there are too many edges.
fn pairs_over(edges: &[(u32, u32)], nodes: Costs<'_>, stops: Stops<'_>) -> Option<Vec<(u32, u32)>> {
    /// Most ends of edges.
    const MOST: usize = 1 << 10;
    if edges.is_empty() {
        return Some(Vec::new());
    }
    let mut ends: Vec<u32> = edges.iter().flat_map(|&(from, to)| [from, to]).collect();
    ends.sort_unstable();
    ends.dedup();
    if ends.len() > MOST {
        return None;
    }
    // Ends are counted from 1, and other nodes are 0, so no edge joins these.
    let end_of = |node: u32| ends.binary_search(&node).map_or(0, |at| at + 1);
    let width = ends.len() + 1;
    let mut is_edge = vec![false; width * width];
    for &(from, to) in edges {
        let (from, to) = (end_of(from), end_of(to));
        is_edge[from * width + to] = true;
        is_edge[to * width + from] = true;
    }
    let ranks: Vec<usize> = nodes.nodes().map(end_of).collect();
    let names: Vec<usize> = stops.nodes().map(end_of).collect();
    let mut pairs = Vec::new();
    let mut note = |(from, to): (usize, usize), [one, other]: [usize; 2]| {
        if is_edge[one * width + other] {
            pairs.push(in_order(from as u32, to as u32));
        }
    };
    let is_end: Vec<bool> = names.iter().map(|&end| end > 0).collect();
    stops.for_each_both(&is_end, |pair, both| note(pair, both.map(|name| names[name])));
    for from in (0..ranks.len()).filter(|&rank| ranks[rank] > 0) {
        for to in (0..ranks.len()).filter(|&rank| rank != from && nodes.pair(rank, from).is_some()) {
            let next = stops.name_next_to(from, to).map_or(ranks[to], |name| names[name]);
            note((from, to), [ranks[from], next]);
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    Some(pairs)
}

/// Chooses nodes so that each edge has one of them as an end, with the other ends: always the node that most of the
/// edges left have. `None` if it takes more than `most` of them.
fn cover(edges: &[(u32, u32)], count: usize, most: usize) -> Option<Vec<(u32, Vec<u32>)>> {
    let mut left = edges.to_vec();
    let mut degrees = vec![0_u32; count];
    for &(from, to) in edges {
        degrees[from as usize] += 1;
        degrees[to as usize] += 1;
    }
    let mut chosen = Vec::new();
    while !left.is_empty() {
        if chosen.len() == most {
            return None;
        }
        let node = (0..count as u32).max_by_key(|&node| degrees[node as usize])?;
        let mut others = Vec::new();
        left.retain(|&(from, to)| {
            let other = if from == node { to } else { from };
            let is_end = from == node || to == node;
            if is_end {
                degrees[other as usize] -= 1;
                others.push(other);
            }
            !is_end
        });
        degrees[node as usize] = 0;
        chosen.push((node, others));
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Diagonals, Grid, Rules};
    use crate::hpa::{Hierarchy, HpaSettings, KeepWays};
    use farstride_testkit::SplitMix64;
    use std::cell::RefCell;

    thread_local! {
        /// How often records stayed, were changed, and were computed anew.
        static VERDICTS: RefCell<[usize; 3]> = const { RefCell::new([0; 3]) };
    }

    pub(super) fn count(again: &Again) {
        let verdict = match again {
            Again::Same => 0,
            Again::Changed(_) => 1,
            Again::Unknown => 2,
        };
        VERDICTS.with_borrow_mut(|verdicts| verdicts[verdict] += 1);
    }

    /// Every record equals that of a build, and most are found without one.
    #[test]
    fn few_searches_give_what_elimination_gives() {
        VERDICTS.set([0; 3]);
        for seed in 0..80 {
            let mut random = SplitMix64::new(seed);
            let blocked = random.between(0, 40) as u32;
            // With the heaviest, distances are too large for a search here and there.
            let weights = 1..=[1, 9, 60][random.below(3)];
            let (width, height) = (random.between(20, 70), random.between(20, 70));
            let draw = |random: &mut SplitMix64| random.between(*weights.start(), *weights.end()) as u8;
            let cells: Vec<u8> = (0..width * height)
                .map(|_| if random.chance(blocked) { 0 } else { draw(&mut random) })
                .collect();
            let all = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];
            let rules = Rules { diagonals: all[random.below(4)], ..Rules::default() };
            let mut grid = Grid::from_weights(width, height, &cells).unwrap().with_rules(rules);
            let settings = HpaSettings::default()
                .with_cluster(random.between(4, 8) as u16)
                .with_levels(random.between(3, 6) as u8)
                .with_keep_ways([KeepWays::All, KeepWays::Between, KeepWays::Nothing][random.below(3)]);
            let mut index = Hierarchy::build(&grid, settings).unwrap();
            for _ in 0..20 {
                for _ in 0..random.between(1, 2) {
                    let cell = Cell::new(random.below(width) as u16, random.below(height) as u16);
                    let _ = if grid.is_free(cell) && random.chance(50) {
                        grid.block(cell).unwrap()
                    } else {
                        grid.set_weight(cell, draw(&mut random)).unwrap()
                    };
                }
                index.catch_up(&grid, 1);
                assert!(index == Hierarchy::build(&grid, settings).unwrap(), "seed {seed}");
            }
        }
        let counts @ [same, changed, unknown] = VERDICTS.take();
        assert!(same > 500 && changed > 500 && unknown > 500, "{counts:?}");
    }

    #[test]
    fn a_cover_leaves_no_edge_out() {
        let star = [(0, 3), (3, 1), (2, 3), (1, 4)];
        let chosen = cover(&star, 5, 2).unwrap();
        assert_eq!(chosen[0], (3, vec![0, 1, 2]));
        assert_eq!(chosen.len(), 2);
        assert_eq!(cover(&star, 5, 1), None);
        assert_eq!(cover(&[], 5, 0), Some(Vec::new()));
    }
}

//! The graph of a cluster's children, and searches in it after an edit.
//!
//! [`cross`](super::level::cross) finds all ways through a cluster at once, by elimination. After an edit
//! few of them change, and a search from one node finds those that begin there.
//!
//! Of several equally short ways, elimination keeps the first that it finds, and a search has to find the same
//! one. The *moment* of a node is when it is eliminated. A way is found when the last of its nodes goes, so elimination
//! keeps the way whose latest moment comes first, and chooses the two parts of it, before and after that node, likewise. So
//! list the moments of a way, the latest first: of all shortest ways, the one that is kept has the list that a
//! dictionary would put first. Parts of such a way are such ways themselves, so a search can put them together node by
//! node.

use super::hierarchy::View;
use super::layout::ClusterId;
use super::level::LEFT_OUT;
use super::tables::Costs;
use std::cmp::Reverse;
use std::ops::Range;

/// The distance where there is no way. Sums of two fit, and the compiler adds and compares several at once.
/// Tests come near it with small maps.
pub(super) const FAR: i32 = if cfg!(test) { 1 << 22 } else { 1 << 30 };
/// Costs are less than this, and so are distances that are followed, so that no sum of two is taken for [`FAR`].
const LIMIT: i32 = FAR / 2;

/// The nodes of a cluster's children, and the edges between them.
///
/// Nodes are numbered child by child in the order of their spots, those included that no way needs. Where elimination
/// puts a node is its *position*: the nodes of the cluster itself come first.
pub(super) struct Below {
    /// How many of the nodes are nodes of the cluster itself.
    kept: usize,
    /// The position of each node, or [`LEFT_OUT`].
    place: Vec<u32>,
    /// The node at each position.
    nodes: Vec<u32>,
    children: Vec<Child>,
    /// The child of each node.
    child_of: Vec<u32>,
    /// The first inter-edge of each node, and the number of all.
    first: Vec<u32>,
    /// Inter-edges between children: where they lead, and what they cost.
    edges: Vec<(u32, i32)>,
    /// Numbers that nodes have in records, and their own, by the former.
    numbers: Vec<(u32, u32)>,
}

struct Child {
    /// Its nodes.
    nodes: Range<usize>,
    /// The nodes of the island of each node, and where the costs from it to these are.
    rows: Vec<(Range<usize>, usize)>,
    /// Costs between the nodes of each island, row by row.
    costs: Vec<i32>,
    /// Its nodes with inter-edges to other children.
    gates: Vec<u32>,
}

impl Child {
    /// Copies the costs of a child whose first node has a number; `None` if one is too large.
    fn new(first: usize, costs: Costs<'_>) -> Option<Self> {
        let count = costs.count();
        let mut child = Self {
            nodes: first..first + count,
            rows: Vec::with_capacity(count),
            costs: Vec::with_capacity(if costs.has_islands() { 0 } else { count * count }),
            gates: Vec::new(),
        };
        let mut copied = Vec::new();
        let mut fits = true;
        for spot in 0..count {
            let row = costs.row(costs.rank_on(spot));
            let spots = row.spots();
            child.rows.push((first + spots.start..first + spots.end, child.costs.len()));
            child.costs.extend(row.narrow(&mut copied)?.iter().map(|&cost| {
                let cost = u32::from_le_bytes(cost);
                fits &= cost < LIMIT as u32 || cost == u32::MAX;
                if cost == u32::MAX { FAR } else { cost as i32 }
            }));
        }
        fits.then_some(child)
    }

    /// Costs from a node to the nodes of its island, and these.
    fn row(&self, node: usize) -> (Range<usize>, &[i32]) {
        let (island, at) = &self.rows[node - self.nodes.start];
        (island.clone(), &self.costs[*at..][..island.len()])
    }
}

impl Below {
    /// The graph below a cluster; `places` has the position of each node of its children, in the order of ranks. `None` if
    /// costs are too large.
    pub(super) fn new(
        view: &View<'_>,
        (level, cluster): (u8, ClusterId),
        (count, kept): (usize, usize),
        places: &[u32],
    ) -> Option<Self> {
        let mut below = Self {
            kept,
            place: Vec::with_capacity(places.len()),
            nodes: vec![0; count],
            children: Vec::new(),
            child_of: Vec::with_capacity(places.len()),
            first: vec![0],
            edges: Vec::new(),
            numbers: Vec::with_capacity(count),
        };
        for child in view.layout.children(level, cluster) {
            let costs = view.costs(level - 1, child);
            let start = below.child_of.len();
            below.child_of.resize(start + costs.count(), below.children.len() as u32);
            for (node, rank) in (start..).zip((0..costs.count()).map(|spot| costs.rank_on(spot))) {
                let place = places[start + rank];
                below.place.push(place);
                if place != LEFT_OUT {
                    below.nodes[place as usize] = node as u32;
                    below.numbers.push((costs.node(rank), node as u32));
                }
            }
            below.children.push(Child::new(start, costs)?);
        }
        below.numbers.sort_unstable();
        below.add_inter_edges(view, (level, cluster));
        Some(below)
    }

    fn add_inter_edges(&mut self, view: &View<'_>, (level, cluster): (u8, ClusterId)) {
        let children = view.layout.children(level, cluster).map(|child| view.costs(level - 1, child));
        let numbers =
            children.flat_map(|costs| (0..costs.count()).map(move |spot| costs.node(costs.rank_on(spot))));
        for (node, number) in numbers.enumerate() {
            let before = self.edges.len();
            if self.place[node] != LEFT_OUT {
                view.for_each_way_out(number, level - 1, |head, _, cost| {
                    if let Some(to) = self.node_of(head) {
                        // Inter-edges are single steps.
                        self.edges.push((to, cost.units() as i32));
                    }
                });
            }
            if self.edges.len() > before {
                self.children[self.child_of[node] as usize].gates.push(node as u32);
            }
            self.first.push(self.edges.len() as u32);
        }
    }

    /// The node with a number; `None` if no way through the cluster needs it.
    fn node_of(&self, number: u32) -> Option<u32> {
        let at = self.numbers.binary_search_by_key(&number, |&(number, _)| number).ok()?;
        Some(self.numbers[at].1)
    }

    /// The position of the node with a number; `None` if no way through the cluster needs it.
    pub(super) fn position_of(&self, number: u32) -> Option<u32> {
        self.node_of(number).map(|node| self.place[node as usize])
    }

    /// Number of positions.
    pub(super) const fn count(&self) -> usize {
        self.nodes.len()
    }

    /// When elimination comes to a position: inner nodes from the last to the first, then those of the cluster itself.
    const fn moment(&self, position: u32) -> u32 {
        let (position, count) = (position as usize, self.nodes.len());
        let moment = if position < self.kept { count - self.kept + position } else { count - 1 - position };
        moment as u32
    }

    /// The moments of positions, the latest first: the less, the sooner elimination finds the way by these.
    pub(super) fn moments(&self, positions: impl Iterator<Item = u32>, moments: &mut Vec<u32>) {
        moments.clear();
        moments.extend(positions.map(|position| self.moment(position)));
        moments.sort_unstable_by_key(|&moment| Reverse(moment));
    }

    fn child(&self, node: u32) -> &Child {
        &self.children[self.child_of[node as usize] as usize]
    }

    fn edges(&self, node: u32) -> &[(u32, i32)] {
        let [from, to] = [0, 1].map(|next| self.first[node as usize + next] as usize);
        &self.edges[from..to]
    }
}

/// No node is known to come before.
const UNKNOWN: u32 = u32::MAX;

/// A search from one node; holds memory that is reused.
///
/// Nodes are given by position.
#[derive(Debug, Default)]
pub(super) struct Search {
    source: u32,
    /// The distance to each node by an inter-edge.
    entered: Vec<i32>,
    /// The distance to each node across its child.
    crossed: Vec<i32>,
    /// Of each child, the nodes that have been entered and not yet followed.
    open: Vec<Vec<u32>>,
    is_open: Vec<bool>,
    /// Whether distances may be too large for their numbers.
    is_too_far: bool,
    /// The node before each node on the way that is kept, or [`UNKNOWN`].
    before: Vec<u32>,
    /// The latest moment on the way to each node, its own included.
    latest: Vec<u32>,
    /// Working memory.
    entries: Vec<u32>,
    stack: Vec<u32>,
    candidates: Vec<u32>,
    moments: [Vec<u32>; 2],
}

impl Search {
    /// Finds the distances from a node to the wanted ones. Returns false if they may be too large.
    #[must_use]
    pub(super) fn run(&mut self, below: &Below, source: u32, wanted: &[u32]) -> bool {
        self.begin(below, source);
        self.enter(below, self.source, 0);
        self.follow(below, wanted);
        !self.is_too_far
    }

    /// As [`Search::run`], by ways that begin with the edge to one of these `ends`.
    #[must_use]
    pub(super) fn run_by(&mut self, below: &Below, source: u32, ends: &[u32], wanted: &[u32]) -> bool {
        self.begin(below, source);
        let child = below.child(self.source);
        for &end in ends {
            let end = below.nodes[end as usize];
            let (island, row) = child.row(self.source as usize);
            if island.contains(&(end as usize)) {
                let cost = row[end as usize - island.start];
                self.crossed[end as usize] = self.crossed[end as usize].min(cost);
            }
            for &(_, cost) in below.edges(self.source).iter().filter(|&&(to, _)| to == end) {
                self.enter(below, end, cost);
            }
        }
        self.leave(below, child);
        self.follow(below, wanted);
        !self.is_too_far
    }

    fn begin(&mut self, below: &Below, source: u32) {
        let count = below.place.len();
        self.source = below.nodes[source as usize];
        for distances in [&mut self.entered, &mut self.crossed] {
            distances.clear();
            distances.resize(count, FAR);
        }
        for notes in [&mut self.before, &mut self.latest] {
            notes.clear();
        }
        self.before.resize(count, UNKNOWN);
        self.latest.resize(count, 0);
        self.is_too_far = false;
        self.is_open.clear();
        self.is_open.resize(count, false);
        self.open.iter_mut().for_each(Vec::clear);
        self.open.resize(below.children.len(), Vec::new());
    }

    /// Follows ways child by child until no better one leads to a wanted node.
    ///
    /// Whoever crosses a child goes on to another one: costs of a child are shortest distances, so to cross it
    /// twice in a row is never better. So only nodes that are entered from another child are
    /// followed, and only if that is better than to come across their own.
    fn follow(&mut self, below: &Below, wanted: &[u32]) {
        let mut entries = std::mem::take(&mut self.entries);
        loop {
            let nearest =
                |&child: &usize| self.open[child].iter().map(|&node| self.entered[node as usize]).min();
            let next =
                (0..self.open.len()).filter_map(|child| nearest(&child).map(|nearest| (nearest, child)));
            let Some((nearest, child)) = next.min() else { break };
            // Distances only get less, so what is not less than all that are wanted is of no use.
            let end = wanted.iter().map(|&position| self.distance(below, position)).max().unwrap_or(0);
            if nearest >= end {
                break;
            }
            std::mem::swap(&mut entries, &mut self.open[child]);
            entries.sort_unstable_by_key(|&node| self.entered[node as usize]);
            let child = &below.children[child];
            for node in entries.drain(..) {
                self.is_open[node as usize] = false;
                let distance = self.entered[node as usize];
                self.is_too_far |= distance >= LIMIT;
                if distance < self.crossed[node as usize] && distance < end {
                    let (island, row) = child.row(node as usize);
                    for (crossed, &cost) in self.crossed[island].iter_mut().zip(row) {
                        *crossed = (*crossed).min(distance + cost);
                    }
                }
            }
            self.leave(below, child);
        }
        self.open.iter_mut().for_each(Vec::clear);
        self.entries = entries;
    }

    /// Follows the inter-edges out of a child.
    fn leave(&mut self, below: &Below, child: &Child) {
        for &gate in &child.gates {
            let crossed = self.crossed[gate as usize];
            if crossed < FAR {
                self.is_too_far |= crossed >= LIMIT;
                for &(to, cost) in below.edges(gate) {
                    self.enter(below, to, crossed + cost);
                }
            }
        }
    }

    fn enter(&mut self, below: &Below, node: u32, distance: i32) {
        let at = node as usize;
        if distance < self.entered[at] {
            self.entered[at] = distance;
            if distance < self.crossed[at] && !self.is_open[at] {
                self.is_open[at] = true;
                self.open[below.child_of[at] as usize].push(node);
            }
        }
    }

    /// The distance to a wanted node, [`FAR`] if there is no way.
    pub(super) fn distance(&self, below: &Below, position: u32) -> i32 {
        self.distance_to(below.nodes[position as usize])
    }

    fn distance_to(&self, node: u32) -> i32 {
        self.entered[node as usize].min(self.crossed[node as usize])
    }

    /// The nodes on the way that is kept from a wanted node back to the source, without these two. [`Search::trace`] has
    /// found it.
    pub(super) fn way_back(&self, below: &Below, position: u32) -> impl Iterator<Item = u32> {
        self.nodes_back(below.nodes[position as usize]).map(|node| below.place[node as usize])
    }

    fn nodes_back(&self, node: u32) -> impl Iterator<Item = u32> {
        let before = |&node: &u32| Some(self.before[node as usize]).filter(|&before| before != UNKNOWN);
        std::iter::successors(before(&node), before).take_while(|&node| node != self.source)
    }

    /// Finds the way that is kept to a wanted node. Returns false if there is none that
    /// makes up the distance, which means that records are forged.
    #[must_use]
    pub(super) fn trace(&mut self, below: &Below, position: u32) -> bool {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(below.nodes[position as usize]);
        let mut is_found = true;
        while let Some(&node) = stack.last() {
            if self.is_traced(node) {
                stack.pop();
                continue;
            }
            self.find_candidates(below, node);
            let depth = stack.len();
            stack.extend(self.candidates.iter().filter(|&&before| !self.is_traced(before)));
            if stack.len() > depth {
                continue;
            }
            let Some(before) = self.first_candidate(below) else {
                is_found = false;
                break;
            };
            self.before[node as usize] = before;
            let moment = below.moment(below.place[node as usize]);
            self.latest[node as usize] = self.latest[before as usize].max(moment);
            stack.pop();
        }
        self.stack = stack;
        is_found
    }

    /// Whether the way to a node is known.
    fn is_traced(&self, node: u32) -> bool {
        node == self.source || self.before[node as usize] != UNKNOWN
    }

    /// Finds the nodes that may come just before a node on a shortest way.
    fn find_candidates(&mut self, below: &Below, node: u32) {
        /// Nodes are compared this many at a time.
        const AT_ONCE: usize = 16;
        let distance = self.distance_to(node);
        self.candidates.clear();
        if distance >= FAR {
            return;
        }
        for &(before, cost) in below.edges(node) {
            let so_far = self.distance_to(before);
            if so_far < distance && so_far + cost == distance {
                self.candidates.push(before);
            }
        }
        let (island, row) = below.child(node).row(node as usize);
        let starts = (island.start..).step_by(AT_ONCE);
        let entered = self.entered[island].chunks(AT_ONCE);
        for (start, (entered, row)) in starts.zip(entered.zip(row.chunks(AT_ONCE))) {
            let leads_here = |(&entered, &cost): (&i32, &i32)| {
                entered < distance && entered.wrapping_add(cost) == distance
            };
            if entered.iter().zip(row).fold(false, |any, pair| any | leads_here(pair)) {
                let found = (start as u32..).zip(entered.iter().zip(row));
                let found = found.filter(|&(_, pair)| leads_here(pair));
                // The way back must be as short as the distance, whatever forged costs say.
                let found = found.filter(|&(before, (&entered, _))| entered <= self.crossed[before as usize]);
                self.candidates.extend(found.map(|(before, _)| before));
            }
        }
    }

    /// Of the candidates, the one on the way that is kept.
    fn first_candidate(&mut self, below: &Below) -> Option<u32> {
        let (&first, others) = self.candidates.split_first()?;
        let latest = |node: u32| if node == self.source { None } else { Some(self.latest[node as usize]) };
        let mut best = first;
        let mut moments = std::mem::take(&mut self.moments);
        for &other in others {
            let is_sooner = latest(other).cmp(&latest(best)).then_with(|| {
                for (node, moments) in [other, best].into_iter().zip(&mut moments) {
                    let own = Some(node).filter(|&node| node != self.source);
                    let nodes = own.into_iter().chain(self.nodes_back(node));
                    below.moments(nodes.map(|node| below.place[node as usize]), moments);
                }
                moments[0].cmp(&moments[1])
            });
            if is_sooner.is_lt() {
                best = other;
            }
        }
        self.moments = moments;
        Some(best)
    }
}

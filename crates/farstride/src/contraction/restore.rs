//! Hierarchies from bytes that somebody else wrote.

use super::{ContractionHierarchy, Rank, UpArc};

impl ContractionHierarchy {
    /// The node of each rank.
    pub(crate) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Builds a hierarchy from the arrays of an index file.
    ///
    /// Proves invariants 1 to 4 in O(arcs × log degree). That is enough for every
    /// query to end, and for every shortcut to cost what its two halves cost.
    /// Invariant 5, that paths are shortest, would take a build to prove; it is
    /// not checked here.
    ///
    /// # Errors
    /// Says in words what is wrong, for a sentence that begins with "labels".
    pub(crate) fn from_parts(
        core_size: u32,
        nodes: Vec<u32>,
        first: Vec<u32>,
        arcs: Vec<UpArc>,
    ) -> Result<Self, &'static str> {
        let mut ranks = vec![u32::MAX; nodes.len()];
        for (rank, &node) in (0..).zip(&nodes) {
            match ranks.get_mut(node as usize) {
                Some(place) if *place == u32::MAX => *place = rank,
                _ => return Err("have ranks that are not those of all nodes"),
            }
        }
        let is_sound = first.len() == nodes.len() + 1
            && first.first() == Some(&0)
            && first.is_sorted()
            && first.last().is_some_and(|&end| end as usize == arcs.len())
            && core_size as usize <= nodes.len();
        if !is_sound {
            return Err("have rows of arcs that overlap or leave gaps");
        }
        let hierarchy = Self {
            core_size,
            nodes: nodes.into(),
            ranks: ranks.into(),
            first: first.into(),
            arcs: arcs.into(),
        };
        for rank in hierarchy.all_ranks() {
            hierarchy.check_arcs(rank)?;
        }
        Ok(hierarchy)
    }

    /// Proves invariants 3 and 4 for the arcs of a rank, and that every arc costs
    /// something: the limit on the length of unfolded paths relies on that.
    fn check_arcs(&self, rank: Rank) -> Result<(), &'static str> {
        let arcs = self.up_arcs(rank);
        if !arcs.is_sorted_by(|one, other| one.head < other.head) {
            return Err("have arcs that are not in order");
        }
        for arc in arcs {
            let (head, core) = (arc.head(), Rank::new(self.core_size));
            let leads_up = if rank < core { head < core } else { head < rank };
            if !leads_up || head == rank || arc.cost == 0 {
                return Err("have an arc that does not lead upwards");
            }
            let is_counterpart = |back: usize| self.arcs[back].cost == arc.cost;
            if rank < core && !self.arc_to(head, rank).is_some_and(is_counterpart) {
                return Err("have an arc of the core that leads one way");
            }
            if let Some(via) = arc.via() {
                self.check_via(rank, arc, via)?;
            }
        }
        Ok(())
    }

    /// Proves invariant 4 for a shortcut. The via is looked up only after it is
    /// known to be a rank below the core, all of whose arcs lead up.
    fn check_via(&self, rank: Rank, arc: &UpArc, via: Rank) -> Result<(), &'static str> {
        let head = arc.head();
        if via <= rank.max(head) || via < Rank::new(self.core_size) || via.index() >= self.node_count() {
            return Err("have an arc that leads over a higher node");
        }
        let half = |end: Rank| self.arc_to(via, end).map(|arc| u64::from(self.arcs[arc].cost));
        if half(rank).zip(half(head)).is_none_or(|(one, other)| one + other != u64::from(arc.cost)) {
            return Err("have an arc that costs less or more than its halves");
        }
        Ok(())
    }
}

//! Hierarchies from parts that somebody else wrote.

use super::{ContractionHierarchy, UpArc};

impl ContractionHierarchy {
    /// The node of each rank.
    pub(crate) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// A hierarchy of these parts, if they have the invariants of one but for the
    /// last: that is, whatever they say, queries end, and every arc that is no
    /// edge leads over two others and costs as much as these.
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
        for rank in 0..hierarchy.node_count() as u32 {
            hierarchy.check_arcs(rank)?;
        }
        Ok(hierarchy)
    }

    /// Invariants 3 and 4.
    fn check_arcs(&self, rank: u32) -> Result<(), &'static str> {
        let arcs = self.up_arcs(rank);
        if !arcs.is_sorted_by(|one, other| one.head < other.head) {
            return Err("have arcs that are not in order");
        }
        for &UpArc { head, cost, via } in arcs {
            let leads_up = if rank < self.core_size { head < self.core_size } else { head < rank };
            if !leads_up || head == rank || cost == 0 {
                return Err("have an arc that does not lead upwards");
            }
            let back = |arc: usize| self.arcs[arc].cost == cost;
            if rank < self.core_size && !self.arc_to(head, rank).is_some_and(back) {
                return Err("have an arc of the core that leads one way");
            }
            if via == UpArc::NONE {
                continue;
            }
            if via <= rank.max(head) || via < self.core_size || via as usize >= self.node_count() {
                return Err("have an arc that leads over a higher node");
            }
            let half = |end: u32| self.arc_to(via, end).map(|arc| u64::from(self.arcs[arc].cost));
            if half(rank).zip(half(head)).is_none_or(|(one, other)| one + other != u64::from(cost)) {
                return Err("have an arc that costs less or more than its halves");
            }
        }
        Ok(())
    }
}

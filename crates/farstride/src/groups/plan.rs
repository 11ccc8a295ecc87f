//! Plans that are refined section by section.

use super::part::PartId;
use crate::base::{Cost, Node};

/// A route through groups that is refined while a unit walks it.
///
/// For every level it holds the rest of the way through the parts of that level, as far
/// as it has been refined from the level above. To go on, the lowest level with steps
/// left is refined further; nothing above it is planned again.
///
/// A plan is also reusable memory: give the same one to
/// [`Navigator::plan`](super::Navigator::plan) again and again.
#[derive(Clone, Debug)]
pub struct GroupPlan<N> {
    pub(super) position: N,
    pub(super) goal: N,
    /// Parts ahead on each level in reverse, so that the next one is popped off the
    /// end. The last entry is the part in which the unit is, or will be after the
    /// current section.
    pub(super) routes: Vec<Vec<PartId>>,
    /// The part of the goal on each level.
    pub(super) goal_parts: Vec<PartId>,
    pub(super) section: Vec<N>,
    pub(super) cost: Cost,
    /// The revision of the hierarchy that the parts belong to; `u64::MAX`, which no
    /// hierarchy has, to plan again.
    pub(super) revision: u64,
    pub(super) replans: u32,
    /// Whether that revision of the hierarchy has no route to the goal.
    pub(super) is_unreachable: bool,
}

impl<N: Node> Default for GroupPlan<N> {
    fn default() -> Self {
        Self {
            position: N::unpack(0),
            goal: N::unpack(0),
            routes: Vec::new(),
            goal_parts: Vec::new(),
            section: Vec::new(),
            cost: Cost::ZERO,
            revision: u64::MAX,
            replans: 0,
            is_unreachable: true,
        }
    }
}

/// The result of planning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupPlanned {
    /// A route exists, and the plan holds it.
    Planned,
    /// Start and goal are the same node.
    AlreadyThere,
    /// No route leads from start to goal.
    Unreachable,
}

/// The result of asking a plan for its next section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Next<'p, N> {
    /// Walk this section. The plan now assumes that the unit is at its end.
    Section {
        /// The nodes of the section. The first is the one where the unit stands.
        nodes: &'p [N],
        /// The cost of walking it.
        cost: Cost,
    },
    /// The unit is at the goal.
    Arrived,
    /// No route is left: the graph has changed since the plan was made.
    Unreachable,
}

impl<N: Node> GroupPlan<N> {
    /// Where the unit is, or will be after the current section.
    pub const fn position(&self) -> N {
        self.position
    }

    /// The goal.
    pub const fn goal(&self) -> N {
        self.goal
    }

    /// Number of times the plan was made again because the hierarchy was updated or the
    /// unit was moved.
    pub const fn replans(&self) -> u32 {
        self.replans
    }

    /// Number of parts of a level that the plan still leads through, including the one
    /// in which the current section ends; 0 if the plan does not use that level.
    pub fn ahead(&self, level: usize) -> usize {
        level.checked_sub(1).and_then(|level| self.routes.get(level)).map_or(0, Vec::len)
    }

    /// The nodes of the section that was refined last.
    pub fn section(&self) -> &[N] {
        &self.section
    }

    /// The cost of that section.
    pub const fn section_cost(&self) -> Cost {
        self.cost
    }

    /// Moves the unit. The next section is planned from there.
    pub fn stand_at(&mut self, position: N) {
        if self.position != position {
            self.position = position;
            self.revision = u64::MAX;
        }
    }

    /// Forgets the old route and keeps its memory.
    pub(super) fn restart(&mut self, start: N, goal: N, levels: usize, revision: u64) {
        (self.position, self.goal, self.revision) = (start, goal, revision);
        self.is_unreachable = false;
        self.routes.resize_with(levels, Vec::new);
        self.routes.iter_mut().for_each(Vec::clear);
        self.goal_parts.clear();
    }
}

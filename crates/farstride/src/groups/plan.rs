//! Plans that are refined section by section.

use crate::base::{Cost, Node};

/// A route through groups, refined while a unit walks it.
///
/// On every level it holds what is left of the way through the parts of that
/// level, up to where the level above takes over: going on refines the next
/// steps of the lowest level that still has some, and rebuilds nothing above.
///
/// It is memory too: [`Navigator::plan`](super::Navigator::plan) may be given
/// the same plan again and again.
#[derive(Clone, Debug)]
pub struct GroupPlan<N> {
    pub(super) position: N,
    pub(super) goal: N,
    /// Parts ahead on each level, the nearest last.
    pub(super) routes: Vec<Vec<u32>>,
    /// The part of the goal on each level.
    pub(super) goal_parts: Vec<u32>,
    pub(super) section: Vec<N>,
    pub(super) cost: Cost,
    /// The state of the hierarchy that the parts refer to.
    pub(super) edition: u64,
    pub(super) replans: u32,
    /// Whether there is no route on the hierarchy as it was.
    pub(super) is_lost: bool,
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
            edition: u64::MAX,
            replans: 0,
            is_lost: true,
        }
    }
}

/// What planning came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GroupPlanned {
    /// There is a way, and the plan holds it.
    Planned,
    /// Start and goal are the same node.
    AlreadyThere,
    /// No route leads from start to goal.
    NoRoute,
}

/// The next part of a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section<'p, N> {
    /// The nodes of the way, the one on which the unit stands first.
    pub nodes: &'p [N],
    /// What it costs.
    pub cost: Cost,
}

/// What a plan says when it is asked to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Next<'p, N> {
    /// Go this way. The plan takes the unit to be at its end now.
    Section(Section<'p, N>),
    /// The unit stands at the goal.
    Arrived,
    /// Since the plan was made the graph has changed, and no route is left.
    NoRoute,
}

impl<N: Node> GroupPlan<N> {
    /// Where the unit stands.
    pub const fn position(&self) -> N {
        self.position
    }

    /// Where it goes.
    pub const fn goal(&self) -> N {
        self.goal
    }

    /// How often the plan was made again because the hierarchy was updated or
    /// the unit was moved.
    pub const fn replans(&self) -> u32 {
        self.replans
    }

    /// Number of parts on a level that the plan still leads through, the one in
    /// which the refined section ends included; none if that level is not used.
    pub fn ahead(&self, level: usize) -> usize {
        level.checked_sub(1).and_then(|level| self.routes.get(level)).map_or(0, Vec::len)
    }

    /// The section that was refined last.
    pub fn section(&self) -> Section<'_, N> {
        Section { nodes: &self.section, cost: self.cost }
    }

    /// Tells the plan that the unit stands elsewhere: the next section is
    /// planned from there.
    pub fn stand_at(&mut self, position: N) {
        if self.position != position {
            self.position = position;
            self.edition = u64::MAX;
        }
    }

    pub(super) fn restart(&mut self, start: N, goal: N, levels: usize, edition: u64) {
        (self.position, self.goal, self.edition) = (start, goal, edition);
        self.is_lost = false;
        self.routes.resize_with(levels, Vec::new);
        self.routes.iter_mut().for_each(Vec::clear);
        self.goal_parts.clear();
    }
}

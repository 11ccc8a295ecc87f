//! Which node stands for a group.

use super::GroupId;

/// How the node is chosen that stands for a group on the level below: where a
/// plan aims at, and where it begins if a group is entered from nowhere.
///
/// Instances of a building are represented by what its type chose
/// ([`Building::representatives`](super::world::Building::representatives)),
/// unless another node is named by hand.
pub enum Representative<'r, N> {
    /// The one with the most connections.
    MostConnected,
    /// The one nearest to the middle of all, given their positions.
    Central(&'r (dyn Fn(N) -> (f64, f64) + Sync)),
    /// The one that covers the greatest area, given their areas; of groups of
    /// groups, the group whose nodes cover most together.
    Largest(&'r (dyn Fn(N) -> u64 + Sync)),
    /// The node named for a group of a level, which must lie in it, or else the
    /// one with the most connections.
    ByHand(&'r (dyn Fn(usize, GroupId) -> Option<N> + Sync)),
}

impl<N> Clone for Representative<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for Representative<'_, N> {}

impl<N> std::fmt::Debug for Representative<'_, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::MostConnected => "MostConnected",
            Self::Central(_) => "Central",
            Self::Largest(_) => "Largest",
            Self::ByHand(_) => "ByHand",
        })
    }
}

/// A member of a part that may represent it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<N> {
    pub(super) node: N,
    pub(super) arcs: u32,
    pub(super) area: u64,
}

impl<N: Copy> Representative<'_, N> {
    /// The best of the members of a part, the first of several.
    pub(super) fn choose(&self, members: &[Candidate<N>]) -> Option<N> {
        let first = *members.first()?;
        let best = match self {
            Self::MostConnected | Self::ByHand(_) => first_best(members, |member| u64::from(member.arcs)),
            Self::Largest(_) => first_best(members, |member| member.area),
            Self::Central(position) => nearest_to_middle(members, position),
        };
        Some(best.unwrap_or(first).node)
    }
}

fn first_best<N: Copy>(
    members: &[Candidate<N>],
    value: impl Fn(&Candidate<N>) -> u64,
) -> Option<Candidate<N>> {
    members.iter().rev().max_by_key(|member| value(member)).copied()
}

fn nearest_to_middle<N: Copy>(
    members: &[Candidate<N>],
    position: &dyn Fn(N) -> (f64, f64),
) -> Option<Candidate<N>> {
    let sum = members.iter().fold((0.0, 0.0), |sum, member| {
        let (x, y) = position(member.node);
        (sum.0 + x, sum.1 + y)
    });
    let count = members.len() as f64;
    let middle = (sum.0 / count, sum.1 / count);
    let square = |member: &Candidate<N>| {
        let (x, y) = position(member.node);
        (x - middle.0) * (x - middle.0) + (y - middle.1) * (y - middle.1)
    };
    members.iter().min_by(|a, b| square(a).total_cmp(&square(b))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_its_favourite() {
        let members =
            [(3, 1, 9), (5, 4, 1), (9, 4, 2)].map(|(node, arcs, area)| Candidate { node, arcs, area });
        let at = |node: u32| (f64::from(node), 0.0);
        assert_eq!(Representative::MostConnected.choose(&members), Some(5));
        assert_eq!(Representative::Largest(&|_| 0).choose(&members), Some(3));
        assert_eq!(Representative::Central(&at).choose(&members), Some(5));
        assert_eq!(Representative::Central(&|_| (f64::NAN, 0.0)).choose(&members), Some(3));
        assert_eq!(Representative::<u32>::MostConnected.choose(&[]), None);
    }
}

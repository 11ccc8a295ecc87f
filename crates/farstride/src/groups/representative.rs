//! Choosing the node that represents a group.

use super::GroupId;

/// How the representative of a group is chosen: the node that plans aim at, and where a
/// crossing is measured from if no other group leads into this one.
///
/// A group of several parts has a representative for each. Instances of a building use
/// those of its type
/// ([`Building::representatives`](super::world::Building::representatives)), unless a
/// node is named by hand.
pub enum Representative<'r, N> {
    /// The node with the most arcs.
    MostConnected,
    /// The node nearest to the mean of all positions, which the function returns.
    Central(&'r (dyn Fn(N) -> (f64, f64) + Sync)),
    /// The node with the largest area, which the function returns. In a group of
    /// groups, the representative of the group with the largest total area.
    Largest(&'r (dyn Fn(N) -> u64 + Sync)),
    /// The node that the function names for a group of a level, which must lie in that
    /// group; where it names none, the node with the most arcs.
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

/// A member that may represent its part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<N> {
    pub(super) node: N,
    pub(super) arcs: u32,
    pub(super) area: u64,
}

impl<N: Copy> Representative<'_, N> {
    /// Returns the best member of a part, the first of equals; `None` if there are no
    /// members.
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
    // `max_by_key` returns the last of equals: reversed, that is the first.
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
    // `total_cmp` puts up with positions that are not numbers.
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

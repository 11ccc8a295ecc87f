//! Groups stored as tables.

use super::partition::balanced_groups;
use super::{GroupError, GroupId};
use crate::base::{BuildOptions, NodeId};
use crate::graph::RowGraph;

/// Groups of numbered nodes, or of the groups of the level below, stored as tables.
///
/// # Invariants
///
/// 1. Every node is in one group, and no group is empty, unless a hierarchy has moved
///    the last member of an upper group elsewhere.
/// 2. The members of a group are sorted, and a node's place is its position among them.
///
/// # Example
/// ```
/// use farstride::graph::NodeId;
/// use farstride::error::GroupError;
/// use farstride::groups::{GroupId, Members};
///
/// let rooms = [vec![0, 1, 2], vec![3, 4]].map(|room| room.into_iter().map(NodeId::new));
/// let groups = Members::by_hand(5, rooms)?;
/// assert_eq!(groups.group_of(NodeId::new(3)), GroupId::new(1));
///
/// let forgotten = Members::by_hand(3, [[NodeId::new(0)], [NodeId::new(2)]]);
/// assert_eq!(forgotten, Err(GroupError::InNoGroup { node: NodeId::new(1) }));
/// # Ok::<(), GroupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Members {
    pub(super) group_of: Box<[u32]>,
    pub(super) place_of: Box<[u32]>,
    /// Group `g` owns `nodes[first[g]..first[g + 1]]`.
    first: Box<[u32]>,
    nodes: Box<[NodeId]>,
}

/// Marks a node that is in no group yet.
const NONE: u32 = u32::MAX;

impl Members {
    /// Builds groups from lists of nodes.
    ///
    /// # Errors
    /// [`GroupError`] names the node that is in no group or in two, the node that
    /// does not exist, or the group without nodes.
    pub fn by_hand<M: IntoIterator<Item = NodeId>>(
        node_count: usize,
        groups: impl IntoIterator<Item = M>,
    ) -> Result<Self, GroupError> {
        check_size(node_count)?;
        let mut group_of = vec![NONE; node_count];
        let mut group_count = 0;
        for (group, members) in (0_u32..).zip(groups) {
            group_count += 1;
            let mut is_empty = true;
            for node in members {
                is_empty = false;
                let group = GroupId::new(group);
                let unknown = GroupError::UnknownNode { group, node, nodes: node_count };
                let known = group_of.get_mut(node.index()).ok_or(unknown)?;
                if *known != NONE {
                    return Err(GroupError::InTwoGroups { node, first: GroupId::new(*known), second: group });
                }
                *known = group.raw();
            }
            if is_empty {
                return Err(GroupError::Empty { group: GroupId::new(group) });
            }
        }
        match group_of.iter().position(|&group| group == NONE) {
            Some(node) => Err(GroupError::InNoGroup { node: NodeId::new(node as u32) }),
            None => Ok(Self::tables(group_of, group_count)),
        }
    }

    /// Builds groups from the number of each node's group.
    ///
    /// # Errors
    /// [`GroupError::Empty`] if a number below the largest is not used.
    pub fn by_number(group_of: Vec<u32>) -> Result<Self, GroupError> {
        check_size(group_of.len())?;
        let group_count = group_of.iter().max().map_or(0, |&last| last as usize + 1);
        // Sorting instead of a table of used numbers: one stray number near 2³² must
        // not make us allocate gigabytes.
        let gap = || {
            let mut used: Vec<u32> = group_of.clone();
            used.sort_unstable();
            used.dedup();
            (0_u32..).zip(&used).find(|&(number, &group)| number != group).map(|(number, _)| number)
        };
        match gap() {
            Some(group) => Err(GroupError::Empty { group: GroupId::new(group) }),
            None => Ok(Self::tables(group_of, group_count)),
        }
    }

    /// Builds a group for every value that `group` returns: a room, a region, a square.
    /// Groups are numbered in the order of these values.
    ///
    /// # Errors
    /// [`GroupError::TooManyNodes`] if there are too many nodes.
    pub fn by_function<K: Ord>(node_count: usize, group: impl Fn(NodeId) -> K) -> Result<Self, GroupError> {
        check_size(node_count)?;
        let keys: Vec<K> = (0..node_count).map(|node| group(NodeId::new(node as u32))).collect();
        let mut nodes: Vec<u32> = (0..node_count as u32).collect();
        nodes.sort_by(|&a, &b| keys[a as usize].cmp(&keys[b as usize]));
        let mut group_of = vec![0; node_count];
        let mut last = 0;
        for pair in nodes.windows(2) {
            last += u32::from(keys[pair[0] as usize] != keys[pair[1] as usize]);
            group_of[pair[1] as usize] = last;
        }
        let group_count = if node_count == 0 { 0 } else { last as usize + 1 };
        Ok(Self::tables(group_of, group_count))
    }

    /// Divides the nodes of a graph into connected groups of at most `most` nodes, with few
    /// arcs between them.
    ///
    /// Arcs count as edges, whatever their direction and cost; several arcs between the
    /// same two nodes count as several.
    ///
    /// # Guarantee
    ///
    /// 1. Every group is connected by arcs inside it, if their directions are ignored.
    /// 2. No group has more than `most` nodes, and no two groups that an arc joins would
    ///    fit into one.
    /// 3. Groups are numbered from 0 in the order of their first nodes, and none is empty.
    /// 4. Equal graphs give equal groups.
    ///
    /// Most groups are nearly full where the graph allows it. Not every graph does: all but
    /// one of the groups of a star are single nodes. The number of arcs between groups is
    /// small, but not the minimum, which is NP-hard to find.
    ///
    /// # Errors
    /// [`GroupError`] if `most` is 0, or if there are 2²⁹ nodes or more.
    ///
    /// # Complexity
    /// O((V + E) log V) time; another logarithm for moves over the border if single nodes
    /// have many edges.
    ///
    /// # Example
    /// Two squares joined by an edge:
    /// ```
    /// use farstride::Cost;
    /// use farstride::graph::{NodeId, RowGraph};
    /// use farstride::groups::Members;
    ///
    /// let edges = [(0, 2), (2, 4), (4, 6), (6, 0), (1, 3), (3, 5), (5, 7), (7, 1), (6, 7)];
    /// let graph = RowGraph::from_edges(8, edges.map(|(a, b)| (a, b, Cost::ZERO)))?;
    /// let groups = Members::balanced(&graph, 5)?;
    /// assert_eq!(groups.group_count(), 2);
    /// assert_eq!(groups.group_of(NodeId::new(2)), groups.group_of(NodeId::new(6)));
    /// assert_ne!(groups.group_of(NodeId::new(6)), groups.group_of(NodeId::new(7)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn balanced(graph: &RowGraph, most: usize) -> Result<Self, GroupError> {
        Self::balanced_with(graph, most, &BuildOptions::new())
    }

    /// Same as [`Members::balanced`], reporting progress, until it is done or cancelled.
    /// Runs on one thread, whatever the options say.
    ///
    /// # Errors
    /// As [`Members::balanced`], and [`GroupError::Cancelled`].
    pub fn balanced_with(
        graph: &RowGraph,
        most: usize,
        options: &BuildOptions<'_>,
    ) -> Result<Self, GroupError> {
        Ok(Self::of_numbers(balanced_groups(graph, most, options)?))
    }

    /// Builds groups from numbers that are known to have no gaps.
    pub(super) fn of_numbers(group_of: Vec<u32>) -> Self {
        let group_count = group_of.iter().max().map_or(0, |&last| last as usize + 1);
        Self::tables(group_of, group_count)
    }

    /// Groups nodes that lie in columns and rows by squares of `factor` × `factor`.
    pub(super) fn of_squares([columns, rows]: [u32; 2], factor: u32) -> Self {
        let factor = factor.max(1);
        let wide = columns.div_ceil(factor);
        let square = |x: u32, y: u32| y / factor * wide + x / factor;
        Self::of_numbers((0..rows).flat_map(|y| (0..columns).map(move |x| square(x, y))).collect())
    }

    /// Builds the tables. `group_of` may leave groups empty: a hierarchy in which
    /// groups move (`GroupHierarchy::move_group`) can have an upper group without
    /// members.
    pub(super) fn tables(group_of: Vec<u32>, group_count: usize) -> Self {
        let mut first = vec![0; group_count + 1];
        let mut place_of = Vec::with_capacity(group_of.len());
        for &group in &group_of {
            place_of.push(first[group as usize + 1]);
            first[group as usize + 1] += 1;
        }
        for group in 0..group_count {
            first[group + 1] += first[group];
        }
        let mut nodes = vec![NodeId::default(); group_of.len()];
        for (node, (&group, &place)) in (0..).zip(group_of.iter().zip(&place_of)) {
            nodes[(first[group as usize] + place) as usize] = NodeId::new(node);
        }
        Self {
            group_of: group_of.into(),
            place_of: place_of.into(),
            first: first.into(),
            nodes: nodes.into(),
        }
    }

    /// Number of groups.
    pub fn group_count(&self) -> usize {
        self.first.len() - 1
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.group_of.len()
    }

    /// Returns the group of a node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn group_of(&self, node: NodeId) -> GroupId {
        GroupId::new(self.group_of[node.index()])
    }

    /// Memory of the tables in bytes.
    pub fn memory_bytes(&self) -> usize {
        let words = self.group_of.len() + self.place_of.len() + self.first.len() + self.nodes.len();
        words * size_of::<u32>()
    }

    /// Returns the nodes of a group, sorted; empty if there is no such group.
    pub fn members(&self, group: GroupId) -> &[NodeId] {
        match self.first.get(group.index()..group.index() + 2) {
            Some(&[first, end]) => &self.nodes[first as usize..end as usize],
            _ => &[],
        }
    }
}

fn check_size(node_count: usize) -> Result<(), GroupError> {
    if node_count < NONE as usize {
        Ok(())
    } else {
        Err(GroupError::TooManyNodes { nodes: node_count, most: NONE as usize - 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(numbers: &[u32]) -> Vec<NodeId> {
        numbers.iter().copied().map(NodeId::new).collect()
    }

    #[test]
    fn three_ways_to_the_same_groups() {
        let by_hand = Members::by_hand(5, [nodes(&[4, 0]), nodes(&[1, 2, 3])]).unwrap();
        assert_eq!(Members::by_number(vec![0, 1, 1, 1, 0]), Ok(by_hand.clone()));
        let by_function = Members::by_function(5, |node| (1..4).contains(&node.index()));
        assert_eq!(by_function, Ok(by_hand.clone()));
        assert_eq!(by_hand.members(GroupId::new(0)), nodes(&[0, 4]));
        assert_eq!(by_hand.members(GroupId::new(2)), []);
    }

    #[test]
    fn the_culprit_is_named() {
        let error =
            |groups: &[&[u32]]| Members::by_hand(3, groups.iter().map(|group| nodes(group))).unwrap_err();
        assert_eq!(error(&[&[0, 2]]), GroupError::InNoGroup { node: NodeId::new(1) });
        let (first, second) = (GroupId::new(0), GroupId::new(1));
        assert_eq!(
            error(&[&[0, 1], &[2, 1]]),
            GroupError::InTwoGroups { node: NodeId::new(1), first, second }
        );
        assert_eq!(error(&[&[0, 1], &[], &[2]]), GroupError::Empty { group: second });
        let unknown = GroupError::UnknownNode { group: second, node: NodeId::new(3), nodes: 3 };
        assert_eq!(error(&[&[0, 1], &[3]]), unknown);
        assert_eq!(Members::by_number(vec![0, 2]), Err(GroupError::Empty { group: second }));
        assert!(Members::by_number(vec![u32::MAX]).is_err());
    }

    #[test]
    fn no_nodes_make_no_groups() {
        assert_eq!(Members::by_hand(0, [[]; 0]).unwrap().group_count(), 0);
        assert_eq!(Members::by_number(Vec::new()).unwrap().group_count(), 0);
        assert_eq!(Members::by_function(0, |node| node).unwrap().group_count(), 0);
    }
}

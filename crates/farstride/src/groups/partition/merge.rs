//! Joining groups that fit into one.

use super::adjacency::{Adjacency, Edge};
use crate::base::Cancelled;
use crate::base::crew::Watch;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::mem;

/// Number of nodes looked at between two checks for cancelling: about a millisecond.
const CHECK_EVERY: usize = 1 << 13;

/// Joins neighbouring groups until no two of them fit into one. The smallest goes
/// first, and joins the neighbour with most arcs to it. Joined groups leave an empty
/// list behind.
///
/// Each group is tried once, as the smallest one left. If no neighbour has room for it
/// then, none will have later, because groups only grow.
///
/// # Complexity
/// O((V + E) log V) time: a group that is joined to another ends up in one at least
/// twice its size.
///
/// # Errors
/// [`Cancelled`] once `watch` says so.
pub(super) fn merge(
    graph: &Adjacency,
    groups: &mut [Vec<u32>],
    group_of: &mut [u32],
    most: usize,
    watch: Watch<'_>,
) -> Result<(), Cancelled> {
    // By size, then by number: the order of joining, and with it the result, does not
    // depend on anything else.
    let mut left: BTreeSet<(usize, u32)> = groups.iter().map(Vec::len).zip(0..).collect();
    let mut arcs = Arcs { to: vec![0; groups.len()], touched: Vec::new() };
    let mut unchecked = 0;
    while let Some((size, group)) = left.pop_first() {
        unchecked += size;
        if unchecked >= CHECK_EVERY {
            unchecked = 0;
            watch.check()?;
        }
        for &Edge { to, weight } in groups[group as usize].iter().flat_map(|&node| graph.edges(node)) {
            let other = group_of[to as usize];
            if other != group && size + groups[other as usize].len() <= most {
                arcs.add(other, weight);
            }
        }
        if let Some(other) = arcs.take_best() {
            let nodes = mem::take(&mut groups[group as usize]);
            for &node in &nodes {
                group_of[node as usize] = other;
            }
            left.remove(&(groups[other as usize].len(), other));
            groups[other as usize].extend(nodes);
            left.insert((groups[other as usize].len(), other));
        }
    }
    Ok(())
}

/// Number of arcs from one group to each of the others.
struct Arcs {
    to: Vec<u64>,
    /// The groups with any.
    touched: Vec<u32>,
}

impl Arcs {
    fn add(&mut self, group: u32, arcs: u32) {
        let to = &mut self.to[group as usize];
        if *to == 0 {
            self.touched.push(group);
        }
        *to += u64::from(arcs);
    }

    /// Returns the group with most arcs, of equals the one with the smallest number,
    /// and clears all counts.
    fn take_best(&mut self) -> Option<u32> {
        let arcs =
            self.touched.drain(..).map(|group| (mem::take(&mut self.to[group as usize]), Reverse(group)));
        arcs.max().map(|(_, Reverse(group))| group)
    }
}

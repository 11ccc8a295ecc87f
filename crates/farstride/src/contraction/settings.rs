//! How a graph is contracted.

use crate::base::with_methods;

/// How thoroughly a graph is contracted, and when contraction stops. The same
/// settings always give the same hierarchy.
///
/// Without limits every node is contracted. On graphs that spread in all
/// directions, such as the subgoals of a map with scattered obstacles, the last
/// nodes have hundreds of neighbours each. A limit keeps them as a *core* that
/// queries search.
///
/// # Example
/// ```
/// use farstride::contraction::ContractionSettings;
///
/// let settings = ContractionSettings::default().with_core_degree(20);
/// assert!(settings.core_degree < ContractionSettings::default().core_degree);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct ContractionSettings {
    /// Number of nodes a search may settle while a node's priority is
    /// estimated. More of them give a better order. With 0, only detours of two
    /// edges are considered.
    pub trial: u32,
    /// Number of nodes a search may settle while a node is contracted. More of
    /// them save shortcuts.
    pub proof: u32,
    /// Contraction stops once the remaining nodes have more neighbours than
    /// this on average.
    pub core_degree: u32,
    /// Contraction stops once this many edges have been examined.
    pub most_work: u64,
}

with_methods!(ContractionSettings { with_trial trial: u32, with_proof proof: u32, with_core_degree core_degree: u32, with_most_work most_work: u64 });

impl Default for ContractionSettings {
    fn default() -> Self {
        Self { trial: 20, proof: 300, core_degree: u32::MAX, most_work: u64::MAX }
    }
}

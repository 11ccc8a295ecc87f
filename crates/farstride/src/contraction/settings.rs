//! How a graph is contracted.

/// How a graph is contracted, and when that stops. The same settings always give
/// the same hierarchy.
///
/// Without limits every node is contracted. On graphs that are wide in all
/// directions, as the subgoals of a map of scattered obstacles, the last nodes
/// have hundreds of neighbours each; a limit leaves them as a core.
///
/// # Example
/// ```
/// use farstride::contraction::Settings;
///
/// let settings = Settings { core_degree: 20, ..Settings::default() };
/// assert!(settings.core_degree < Settings::default().core_degree);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    /// Nodes that a search around a node may settle when the node is judged:
    /// more of them make a better order. With 0, only detours of two edges are
    /// looked for.
    pub trial: u32,
    /// The same when it is contracted: more of them save shortcuts.
    pub proof: u32,
    /// Contraction stops when the nodes that are left have more neighbours than
    /// this on average.
    pub core_degree: u32,
    /// Contraction stops when so many edges have been looked at.
    pub most_work: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { trial: 20, proof: 300, core_degree: u32::MAX, most_work: u64::MAX }
    }
}

//! How a graph is contracted.

/// How a graph is contracted. The same settings always give the same hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settings {
    /// Nodes that a witness search may settle when a node is judged.
    pub trial: u32,
    /// The same when it is contracted.
    pub proof: u32,
    /// Contraction stops when the nodes that are left have more neighbours than
    /// this on average.
    pub core_degree: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { trial: 40, proof: 300, core_degree: u32::MAX }
    }
}

//! How a build runs: threads, progress, cancelling.

use super::crew::{Watch, all_cores};
use std::error::Error;
use std::fmt;

/// Threads, progress and cancelling of a build.
///
/// The result of a build never depends on these.
///
/// # Example
/// ```
/// use farstride::index::BuildOptions;
/// use farstride::{Engine, Grid, Index};
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let stop = AtomicBool::new(false); // another thread may set it
/// let keep_going = || !stop.load(Ordering::Relaxed);
/// let options = BuildOptions::new().threads(2).keep_going(&keep_going);
///
/// let settings = Engine::NsgPlus.default_settings().expect("nsg+ has an index");
/// let index = Index::build_with(&Grid::empty(60, 40)?, settings, &options)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "options do nothing until a build takes them"]
pub struct BuildOptions<'b> {
    pub(crate) threads: usize,
    pub(crate) watch: Watch<'b>,
}

impl Default for BuildOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'b> BuildOptions<'b> {
    /// All cores, no reports, never cancelled.
    pub fn new() -> Self {
        Self { threads: all_cores(), watch: Watch::none() }
    }

    /// Sets the number of threads; 0 counts as 1.
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Calls `report` with the work done and the total, many times and from any
    /// thread of the build.
    ///
    /// The last report of a finished build has the two equal. With one thread, the
    /// work done never falls; reports of several threads may arrive out of order. A
    /// build that has nothing to do reports nothing.
    pub const fn on_progress(mut self, report: &'b (dyn Fn(usize, usize) + Sync)) -> Self {
        self.watch.progress = report;
        self
    }

    /// Cancels the build once `wanted` returns `false`. A cancelled build returns an
    /// error and leaves nothing behind.
    ///
    /// `wanted` is called every few milliseconds on maps and graphs of up to some
    /// millions of nodes, and more rarely on larger ones: single passes over all nodes
    /// are not interrupted. Any thread of the build may call it.
    pub const fn keep_going(mut self, wanted: &'b (dyn Fn() -> bool + Sync)) -> Self {
        self.watch.wanted = wanted;
        self
    }
}

impl fmt::Debug for BuildOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuildOptions").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// A build was cancelled through its [`BuildOptions`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the build was cancelled")
    }
}

impl Error for Cancelled {}

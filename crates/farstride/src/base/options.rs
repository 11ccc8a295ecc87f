//! How long work is done: threads, progress, cancelling.

use super::crew::{Watch, all_cores};
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
        Self { threads: all_cores(), watch: Watch::patient(&|_, _| ()) }
    }

    /// Builds with this many threads, at least one.
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Calls `report` with the work done and the total, many times and from any
    /// thread of the build. Reports of two threads may arrive out of order.
    pub const fn on_progress(mut self, report: &'b (dyn Fn(usize, usize) + Sync)) -> Self {
        self.watch.progress = report;
        self
    }

    /// Cancels the build once `wanted` returns `false`. It is called every few
    /// milliseconds, from any thread of the build; once it has returned `false` it
    /// must not return `true` again.
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

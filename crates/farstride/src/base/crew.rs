//! Dividing work among threads, with results that do not depend on how many.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Called with the number of finished pieces and the total.
pub(crate) type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// The number of threads that the machine runs at once; 1 if unknown.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Asked whether a result is still wanted. After the first `false` it must
/// keep returning `false`.
pub(crate) type Wanted<'p> = &'p (dyn Fn() -> bool + Sync);

/// Reports progress to the caller of a long computation, and asks whether to
/// go on.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'p> {
    pub(crate) progress: Progress<'p>,
    pub(crate) wanted: Wanted<'p>,
}

impl<'p> Watch<'p> {
    /// A watch that never cancels.
    pub(crate) const fn patient(progress: Progress<'p>) -> Self {
        Self { progress, wanted: &|| true }
    }
}

/// Threads that share the pieces of one computation. The results are the same
/// for every number of threads.
pub(crate) struct Crew<'p> {
    threads: usize,
    watch: Watch<'p>,
    done: AtomicUsize,
    steps: usize,
}

/// Upper limit on threads, whatever the caller asks for.
pub(crate) const MOST_THREADS: usize = 256;
/// Pieces a thread claims at a time: one claim per piece would contend on
/// the shared counter.
const BATCH: usize = 16;

impl<'p> Crew<'p> {
    /// A crew whose calls process `steps` pieces in total.
    pub(crate) fn new(threads: usize, steps: usize, progress: Progress<'p>) -> Self {
        Self::watched(threads, steps, Watch::patient(progress))
    }

    /// As [`Crew::new`], for work that may be cancelled.
    pub(crate) fn watched(threads: usize, steps: usize, watch: Watch<'p>) -> Self {
        let threads = threads.clamp(1, MOST_THREADS);
        Self { threads, watch, done: AtomicUsize::new(0), steps }
    }

    /// Whether the result is still wanted. Once it is not, `map` may return
    /// anything, and the owner of the crew must discard it.
    pub(crate) fn is_wanted(&self) -> bool {
        (self.watch.wanted)()
    }

    /// As [`Crew::map`]; `None` once the result is no longer wanted.
    pub(crate) fn try_map<T: Send, W: Default>(
        &self,
        pieces: usize,
        work: impl Fn(usize, &mut W) -> T + Sync,
    ) -> Option<Vec<T>> {
        let made = self.map(pieces, |piece, worker: &mut W| self.is_wanted().then(|| work(piece, worker)));
        made.into_iter().collect()
    }

    /// Calls `work` on every piece and returns the results in order of pieces.
    pub(crate) fn map<T: Send, W: Default>(
        &self,
        pieces: usize,
        work: impl Fn(usize, &mut W) -> T + Sync,
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let run_batches = || {
            let mut worker = W::default();
            let mut made = Vec::new();
            loop {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                let batch = first..(first + BATCH).min(pieces);
                if batch.is_empty() {
                    return made;
                }
                let count = batch.len();
                made.push((first, batch.map(|piece| work(piece, &mut worker)).collect::<Vec<T>>()));
                let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
                if self.is_wanted() {
                    (self.watch.progress)(done, self.steps);
                }
            }
        };
        let threads = self.threads.min(pieces.div_ceil(BATCH));
        let mut batches: Vec<_> = if threads <= 1 {
            run_batches()
        } else {
            thread::scope(|scope| {
                let helpers = start(scope, (1..threads).map(|_| &run_batches));
                let mine = run_batches();
                mine.into_iter().chain(helpers.into_iter().flat_map(join)).collect()
            })
        };
        // Threads finish in any order; sorting makes the result independent of it.
        batches.sort_unstable_by_key(|&(first, _)| first);
        batches.into_iter().flat_map(|(_, batch)| batch).collect()
    }
}

/// Threads that keep their memory from one task to the next, for many small
/// tasks that depend on each other. The results are the same for every number
/// of threads.
pub(crate) struct Workers<W> {
    memories: Vec<W>,
}

impl<W: Send> Workers<W> {
    /// Workers for up to `threads` threads, each with a memory of its own.
    pub(crate) fn new(threads: usize, memory: impl Fn() -> W) -> Self {
        Self { memories: (0..threads.clamp(1, MOST_THREADS)).map(|_| memory()).collect() }
    }

    /// Calls `work` on every piece and returns the results in order of pieces.
    /// With `alone` it stays on this thread: for a small task that is faster than
    /// starting others.
    pub(crate) fn map<T: Send>(
        &mut self,
        pieces: usize,
        alone: bool,
        work: impl Fn(usize, &mut W) -> T + Sync,
    ) -> Vec<T> {
        let threads = if alone { 1 } else { self.memories.len().min(pieces) };
        if threads <= 1 {
            let memory = &mut self.memories[0];
            return (0..pieces).map(|piece| work(piece, memory)).collect();
        }
        let next = AtomicUsize::new(0);
        let run_pieces = |memory: &mut W| {
            let pieces = std::iter::from_fn(|| {
                Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&piece| piece < pieces)
            });
            pieces.map(|piece| (piece, work(piece, memory))).collect::<Vec<_>>()
        };
        let mut made: Vec<_> = thread::scope(|scope| {
            let run_pieces = &run_pieces;
            let (first, others) = self.memories[..threads].split_at_mut(1);
            let others = start(scope, others.iter_mut().map(|memory| move || run_pieces(memory)));
            let first = run_pieces(&mut first[0]);
            first.into_iter().chain(others.into_iter().flat_map(join)).collect()
        });
        made.sort_unstable_by_key(|&(piece, _)| piece);
        made.into_iter().map(|(_, made)| made).collect()
    }
}

/// Starts a thread for each task, up to the first that cannot be started: some
/// platforms have no threads (wasm32), others run out of them. Whoever calls
/// this must be able to do the work of those that are missing.
fn start<'scope, 'env, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, 'env>,
    tasks: impl Iterator<Item = impl FnOnce() -> T + Send + 'scope>,
) -> Vec<thread::ScopedJoinHandle<'scope, T>> {
    tasks.map_while(|task| thread::Builder::new().spawn_scoped(scope, task).ok()).collect()
}

/// The result of a thread; its panic, if it had one, goes on here.
fn join<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Applies `work` to every part and returns the results in order: each part on
/// its own thread, as far as threads can be started.
pub(crate) fn split<P: Send, T: Send>(
    parts: impl ExactSizeIterator<Item = P> + Send,
    work: impl Fn(P) -> T + Sync,
) -> Vec<T> {
    let threads = parts.len();
    if threads <= 1 {
        return parts.map(work).collect();
    }
    // Threads fetch their parts: one that cannot be started would take a part
    // given to it along.
    let parts = Mutex::new(parts.enumerate());
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || std::iter::from_fn(next).map(|(at, part)| (at, work(part))).collect::<Vec<_>>();
    let mut made: Vec<_> = thread::scope(|scope| {
        let helpers = start(scope, (1..threads).map(|_| &run));
        let mine = run();
        mine.into_iter().chain(helpers.into_iter().flat_map(join)).collect()
    });
    made.sort_unstable_by_key(|&(at, _)| at);
    made.into_iter().map(|(_, made)| made).collect()
}

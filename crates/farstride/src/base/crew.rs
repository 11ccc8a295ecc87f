//! Dividing work among threads, with results that do not depend on how many.

use super::options::Cancelled;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// Called with the number of finished pieces and the total.
pub(crate) type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// The number of threads that the machine runs at once; 1 if unknown. Asked once: the answer
/// comes from files of the system, which takes longer than a small edit.
pub(crate) fn all_cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// Returns whether a result is still wanted. The work stops at the first `false`.
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

    /// A watch that neither reports nor cancels.
    pub(crate) const fn none() -> Self {
        Self::patient(&|_, _| ())
    }

    /// A progress function for one stage of a computation, which covers this part of `all`.
    pub(crate) fn stage(&self, part: Range<usize>, all: usize) -> impl Fn(usize, usize) + Sync + use<'p> {
        let progress = self.progress;
        move |done, steps| progress(part.start + part.len() * done / steps.max(1), all)
    }

    /// Fails once the result is no longer wanted.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        if (self.wanted)() { Ok(()) } else { Err(Cancelled) }
    }
}

/// Asks a [`Wanted`] on behalf of several threads, and remembers a `false`: so
/// all threads agree, even if the function changes its mind.
pub(crate) struct Latch<'p> {
    wanted: Wanted<'p>,
    cancelled: AtomicBool,
}

impl<'p> Latch<'p> {
    pub(crate) const fn new(wanted: Wanted<'p>) -> Self {
        Self { wanted, cancelled: AtomicBool::new(false) }
    }

    pub(crate) fn is_open(&self) -> bool {
        if self.cancelled.load(Ordering::Relaxed) {
            return false;
        }
        let wanted = (self.wanted)();
        if !wanted {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        wanted
    }

    /// Fails if anybody has found the latch closed. Does not ask again.
    pub(crate) fn result(&self) -> Result<(), Cancelled> {
        if self.cancelled.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

/// Threads that share the pieces of one computation. The results are the same
/// for every number of threads.
pub(crate) struct Crew<'p> {
    threads: usize,
    progress: Progress<'p>,
    latch: Latch<'p>,
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
    pub(crate) fn new(threads: usize, steps: usize, watch: Watch<'p>) -> Self {
        let threads = threads.clamp(1, MOST_THREADS);
        let Watch { progress, wanted } = watch;
        Self { threads, progress, latch: Latch::new(wanted), done: AtomicUsize::new(0), steps }
    }

    /// Fails once the result is no longer wanted: for work of one thread between the pieces.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        self.latch.is_open();
        self.latch.result()
    }

    /// Calls `work` on every piece and returns the results in order of pieces.
    ///
    /// # Errors
    /// [`Cancelled`] once the result is no longer wanted. Checked before every
    /// piece; no thread starts another one after that.
    pub(crate) fn try_map<T: Send, W: Default>(
        &self,
        pieces: usize,
        work: impl Fn(usize, &mut W) -> T + Sync,
    ) -> Result<Vec<T>, Cancelled> {
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
                let mut results = Vec::with_capacity(count);
                for piece in batch {
                    if !self.latch.is_open() {
                        return made;
                    }
                    results.push(work(piece, &mut worker));
                }
                made.push((first, results));
                let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
                (self.progress)(done, self.steps);
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
        self.latch.result()?;
        // Threads finish in any order; sorting makes the result independent of it.
        batches.sort_unstable_by_key(|&(first, _)| first);
        Ok(batches.into_iter().flat_map(|(_, batch)| batch).collect())
    }
}

/// Threads that keep their memory from one task to the next, for many small
/// tasks that depend on each other. The results are the same for every number
/// of threads.
pub(crate) struct Workers<W> {
    memories: Vec<W>,
}

impl<W: Send> Workers<W> {
    /// Workers for up to `threads` threads, each with its own memory.
    pub(crate) fn new(threads: usize, memory: impl Fn() -> W) -> Self {
        Self { memories: (0..threads.clamp(1, MOST_THREADS)).map(|_| memory()).collect() }
    }

    /// Calls `work` on every piece and returns the results in order of pieces.
    /// With `alone` it stays on this thread: for a small task that is faster than
    /// starting others.
    ///
    /// # Errors
    /// [`Cancelled`] once `wanted` returns `false`, which is checked before every
    /// piece.
    pub(crate) fn try_map<T: Send>(
        &mut self,
        pieces: usize,
        alone: bool,
        wanted: Wanted<'_>,
        work: impl Fn(usize, &mut W) -> T + Sync,
    ) -> Result<Vec<T>, Cancelled> {
        let latch = Latch::new(wanted);
        let threads = if alone { 1 } else { self.memories.len().min(pieces) };
        if threads <= 1 {
            let memory = &mut self.memories[0];
            let made = (0..pieces).take_while(|_| latch.is_open()).map(|piece| work(piece, memory)).collect();
            return latch.result().map(|()| made);
        }
        let next = AtomicUsize::new(0);
        let run_pieces = |memory: &mut W| {
            let pieces = std::iter::from_fn(|| {
                Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&piece| piece < pieces && latch.is_open())
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
        latch.result()?;
        made.sort_unstable_by_key(|&(piece, _)| piece);
        Ok(made.into_iter().map(|(_, made)| made).collect())
    }

    /// As [`Workers::try_map`], for work that nobody cancels.
    pub(crate) fn map<T: Send>(
        &mut self,
        pieces: usize,
        alone: bool,
        work: impl Fn(usize, &mut W) -> T + Sync,
    ) -> Vec<T> {
        let made = self.try_map(pieces, alone, &|| true, work);
        made.unwrap_or_else(|Cancelled| unreachable!("nobody cancels"))
    }
}

/// Starts a thread for each task, up to the first that cannot be started: some
/// platforms have no threads (wasm32), others run out of them. The caller must
/// be able to do the work of threads that are missing.
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

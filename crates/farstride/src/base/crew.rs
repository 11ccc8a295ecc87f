//! Threads that share work among them.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Told how many pieces of how many are done.
pub(crate) type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// As many threads as the machine has cores for.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Asked whether a result is still wanted; once it is not, it never is again.
pub(crate) type Wanted<'p> = &'p (dyn Fn() -> bool + Sync);

/// Who waits for a result: is told how far it is, and says whether it is still
/// wanted.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'p> {
    pub(crate) progress: Progress<'p>,
    pub(crate) wanted: Wanted<'p>,
}

impl<'p> Watch<'p> {
    /// Somebody who waits until the result is there.
    pub(crate) const fn patient(progress: Progress<'p>) -> Self {
        Self { progress, wanted: &|| true }
    }
}

/// Threads that share pieces of work among them. What they make is the same
/// for every number of threads.
pub(crate) struct Crew<'p> {
    threads: usize,
    watch: Watch<'p>,
    done: AtomicUsize,
    steps: usize,
}

/// Threads that work is divided among at most.
pub(crate) const MOST_THREADS: usize = 256;
/// Pieces that a thread takes at a time.
const BATCH: usize = 16;

impl<'p> Crew<'p> {
    /// A crew that has so many pieces of work to do in all its calls.
    pub(crate) fn new(threads: usize, steps: usize, progress: Progress<'p>) -> Self {
        Self::watched(threads, steps, Watch::patient(progress))
    }

    /// The same, for work that may turn out to be in vain.
    pub(crate) fn watched(threads: usize, steps: usize, watch: Watch<'p>) -> Self {
        let threads = threads.clamp(1, MOST_THREADS);
        Self { threads, watch, done: AtomicUsize::new(0), steps }
    }

    /// Whether the result is still wanted. Pieces made after it is not may be
    /// anything: who made the crew throws them away.
    pub(crate) fn is_wanted(&self) -> bool {
        (self.watch.wanted)()
    }

    /// What `work` makes of every piece, in order.
    pub(crate) fn map<T: Send, W: Default>(
        &self,
        pieces: usize,
        work: impl Fn(usize, &mut W) -> T + Sync,
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let toil = || {
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
            toil()
        } else {
            thread::scope(|scope| {
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(toil)).collect();
                threads.into_iter().flat_map(|thread| join(thread)).collect()
            })
        };
        batches.sort_unstable_by_key(|&(first, _)| first);
        batches.into_iter().flat_map(|(_, batch)| batch).collect()
    }
}

/// Threads that keep their memory from one task to the next: for many small
/// tasks that depend on each other. What they make is the same for every number
/// of threads.
pub(crate) struct Workers<W> {
    memories: Vec<W>,
}

impl<W: Send> Workers<W> {
    /// Workers for so many threads.
    pub(crate) fn new(threads: usize, memory: impl Fn() -> W) -> Self {
        Self { memories: (0..threads.clamp(1, MOST_THREADS)).map(|_| memory()).collect() }
    }

    /// What `work` makes of every piece, in order; on one thread if that is
    /// asked for, since starting others takes longer than a small task.
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
        let toil = |memory: &mut W| {
            let pieces = std::iter::from_fn(|| {
                Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&piece| piece < pieces)
            });
            pieces.map(|piece| (piece, work(piece, memory))).collect::<Vec<_>>()
        };
        let mut made: Vec<_> = thread::scope(|scope| {
            let toil = &toil;
            let (first, others) = self.memories[..threads].split_at_mut(1);
            let others: Vec<_> = others.iter_mut().map(|memory| scope.spawn(move || toil(memory))).collect();
            let first = toil(&mut first[0]);
            first.into_iter().chain(others.into_iter().flat_map(join)).collect()
        });
        made.sort_unstable_by_key(|&(piece, _)| piece);
        made.into_iter().map(|(_, made)| made).collect()
    }
}

/// The result of a thread; its panic, if it had one, goes on here.
fn join<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What `work` makes of some parts, in order: each on a thread of its own, a
/// single one on this.
pub(crate) fn split<P: Send, T: Send>(
    parts: impl ExactSizeIterator<Item = P>,
    work: impl Fn(P) -> T + Sync,
) -> Vec<T> {
    if parts.len() <= 1 {
        return parts.map(work).collect();
    }
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        threads.into_iter().map(join).collect()
    })
}

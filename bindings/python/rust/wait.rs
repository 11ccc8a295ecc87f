//! Long work that Ctrl-C stops, and that reports how far it has come.
//!
//! The work runs on other threads. The thread that called waits without Python's lock
//! and looks up now and then: are there signals, and how far is the work? So callbacks
//! run where the caller expects them, and working threads never wait for Python.

use crate::failure::Raised;
use farstride::error::QueryError;
use farstride::index::BuildOptions;
use farstride_bindings::Failure;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the waiting thread looks up: often enough for Ctrl-C, too rarely to cost.
const LOOK_UP: Duration = Duration::from_millis(20);

/// The number of threads asked for; all cores if none.
pub(crate) fn thread_count(threads: Option<i64>) -> PyResult<usize> {
    match threads {
        None => Ok(thread::available_parallelism().map_or(1, NonZeroUsize::get)),
        Some(threads) => match usize::try_from(threads) {
            Ok(threads) if threads > 0 => Ok(threads),
            _ => Err(PyValueError::new_err(format!("threads is {threads}; expected at least 1"))),
        },
    }
}

/// How far some work is, and whether it is still wanted.
#[derive(Default)]
pub(crate) struct Watch {
    stop: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Watch {
    pub(crate) fn is_wanted(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// Notes progress; of reports that overtake each other, the furthest counts.
    pub(crate) fn report(&self, done: usize, total: usize) {
        self.total.store(total, Ordering::Relaxed);
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    /// Sets the number of pieces, for [`Watch::count`].
    pub(crate) fn expect(&self, total: usize) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// Notes that some more pieces are done.
    pub(crate) fn count(&self, pieces: usize) {
        self.done.fetch_add(pieces, Ordering::Relaxed);
    }
}

/// A callback for progress, as `farstride._progress.resolve` understands it.
fn resolve<'py>(py: Python<'py>, progress: Option<Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyAny>>> {
    static RESOLVE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(progress) = progress else { return Ok(None) };
    let callback = RESOLVE.import(py, "farstride._progress", "resolve")?.call1((progress,))?;
    if callback.is_none() || callback.is_callable() {
        return Ok(Some(callback).filter(|callback| !callback.is_none()));
    }
    Err(PyTypeError::new_err("progress has to be a function, a tqdm bar, True or None"))
}

/// Runs work on another thread until it is done, Ctrl-C is pressed, or the callback raises.
///
/// # Errors
/// What the work returns; if it was stopped, what stopped it.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send,
) -> Result<T, Raised> {
    let callback = resolve(py, progress)?.map(Bound::unbind);
    let watch = Watch::default();
    let tell = |py: Python<'_>| match &callback {
        Some(callback) => {
            let total = watch.total.load(Ordering::Relaxed);
            let done = watch.done.load(Ordering::Relaxed).min(total);
            if total > 0 { callback.call1(py, (done, total)).map(drop) } else { Ok(()) }
        }
        None => Ok(()),
    };
    let (worked, mut stopped) = py.detach(|| {
        thread::scope(|scope| {
            let (alive, is_done) = channel::<()>();
            let worker = scope.spawn(|| {
                let worked = work(&watch);
                drop(alive);
                worked
            });
            let mut stopped = None;
            while is_done.recv_timeout(LOOK_UP) == Err(RecvTimeoutError::Timeout) {
                if stopped.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals().and_then(|()| tell(py)))
                {
                    stopped = Some(error);
                    watch.stop.store(true, Ordering::Relaxed);
                }
            }
            (worker.join().unwrap_or_else(|panic| resume_unwind(panic)), stopped)
        })
    });
    if stopped.is_none() && worked.is_ok() {
        stopped = tell(py).err();
    }
    if let Some(callback) = &callback
        && let Ok(close) = callback.getattr(py, "close")
    {
        close.call0(py)?;
    }
    match stopped {
        Some(error) => Err(error.into()),
        None => Ok(worked?),
    }
}

/// Queries of the first part that is answered between two looks whether they are still wanted, for each thread.
const AT_FIRST: usize = 16;
/// Parts that take less are followed by larger ones: every part starts threads with memory of their own.
const SHORT: Duration = Duration::from_millis(20);

/// Answers many queries a part at a time, as [`watched`]; `lock` is called once, on the thread that works.
pub(crate) fn in_parts<Q: Sync, A: Send, G>(
    py: Python<'_>,
    queries: &[Q],
    threads: usize,
    lock: impl FnOnce() -> G + Send,
    answer: impl Fn(&G, &[Q]) -> Result<Vec<A>, Failure> + Sync,
) -> Result<Vec<A>, Raised> {
    watched(py, None, |watch| {
        let (guard, mut answers) = (lock(), Vec::with_capacity(queries.len()));
        let (mut left, mut size) = (queries, threads.saturating_mul(AT_FIRST));
        while !left.is_empty() {
            if !watch.is_wanted() {
                return Err(QueryError::Cancelled.into());
            }
            let (part, rest) = left.split_at(size.clamp(1, left.len()));
            let begun = Instant::now();
            answers.extend(answer(&guard, part)?);
            if begun.elapsed() < SHORT {
                size = size.saturating_mul(2);
            }
            left = rest;
        }
        Ok(answers)
    })
}

/// Runs a build, as [`watched`].
pub(crate) fn built<T: Send, E: Into<Failure>>(
    py: Python<'_>,
    threads: Option<i64>,
    progress: Option<Bound<'_, PyAny>>,
    build: impl FnOnce(&BuildOptions<'_>) -> Result<T, E> + Send,
) -> Result<T, Raised> {
    let threads = thread_count(threads)?;
    watched(py, progress, |watch| {
        let report = |done, total| watch.report(done, total);
        let wanted = || watch.is_wanted();
        let options = BuildOptions::new().threads(threads).on_progress(&report).keep_going(&wanted);
        build(&options).map_err(Into::into)
    })
}

//! What units do with their plans, on maps and in worlds.

use farstride_bindings::Status;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A plan, and what became of it.
pub(crate) struct Walk<P> {
    /// `None` if there never was a path.
    pub(crate) plan: Option<P>,
    pub(crate) state: &'static str,
}

/// What a step came to.
pub(crate) enum Came<T> {
    /// The unit goes there; it may be the goal.
    To { place: T, is_goal: bool },
    /// It is at the goal.
    Arrived,
    /// No path is left.
    Nowhere,
}

impl<P> Walk<P> {
    /// Notes what a step came to; where the unit goes, if it does.
    pub(crate) fn note<T>(&mut self, came: Came<T>) -> Option<T> {
        let (state, place) = match came {
            Came::To { place, is_goal } => (if is_goal { "arrived" } else { "walking" }, Some(place)),
            Came::Arrived => ("arrived", None),
            Came::Nowhere => (Status::Unreachable.name(), None),
        };
        self.state = state;
        place
    }
}

/// A walk of one thread at a time.
pub(crate) struct Walker<P>(Mutex<Walk<P>>);

impl<P> Walker<P> {
    pub(crate) fn new(plan: Option<P>, planned: Status) -> Self {
        let state = match planned {
            Status::Found => "walking",
            Status::AlreadyThere => "arrived",
            other => other.name(),
        };
        Self(Mutex::new(Walk { plan, state }))
    }

    /// The walk, unless another thread has it.
    pub(crate) fn walk(&self) -> PyResult<MutexGuard<'_, Walk<P>>> {
        match self.0.try_lock() {
            Ok(walk) => Ok(walk),
            Err(TryLockError::Poisoned(poisoned)) => Ok(PoisonError::into_inner(poisoned)),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("another thread is using this plan; give each its own"))
            }
        }
    }
}

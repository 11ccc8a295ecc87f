//! Tables of costs, written where they stay.

use crate::arrays::zeros;
use crate::failure::Raised;
use crate::wait::{Watch, watched};
use farstride::{Cell, Cost, Planner};
use farstride_bindings::Failure;
use numpy::{Element, PyArray2, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods, dtype};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use std::sync::RwLockReadGuard;
use std::sync::atomic::{AtomicBool, Ordering};

/// A table is written in so many parts if somebody asks for progress.
const PARTS: usize = 50;

/// The number in a table for a pair without a path; no cost is below zero.
const NONE: i64 = -1;

/// Whether 32 bits are asked for.
pub(crate) fn is_small(asked: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = asked.py();
    let found = PyArrayDescr::new(py, asked)?;
    if found.is_equiv_to(&dtype::<i64>(py)) {
        Ok(false)
    } else if found.is_equiv_to(&dtype::<i32>(py)) {
        Ok(true)
    } else {
        Err(PyTypeError::new_err(format!("dtype is {found}; expected int64 or int32")))
    }
}

/// Starts and goals on the map.
pub(crate) struct Table<'t> {
    pub(crate) starts: &'t [Cell],
    pub(crate) goals: &'t [Cell],
    pub(crate) threads: usize,
}

impl Table<'_> {
    /// Writes the costs; `lock` gives the planner to a thread without Python's lock.
    pub(crate) fn write<'py, 'p, T: Element + TryFrom<i64> + Copy + Default>(
        &self,
        py: Python<'py>,
        lock: impl Fn() -> RwLockReadGuard<'p, Planner> + Sync,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyArray2<T>>, Raised> {
        let table = zeros::<T, _>(py, (self.starts.len(), self.goals.len()))?;
        let mut write = table.readwrite();
        let costs = write.as_slice_mut().map_err(PyErr::from)?;
        // The engine does not say how far it is; a table in parts does.
        let parts = if progress.is_some() { PARTS } else { 1 };
        let is_too_large = AtomicBool::new(false);
        let entry = |cost: Option<Cost>| {
            let number = cost.map_or(NONE, |cost| cost.units() as i64);
            T::try_from(number).unwrap_or_else(|_| {
                is_too_large.store(true, Ordering::Relaxed);
                T::default()
            })
        };
        watched(py, progress, |watch| self.write_parts(&lock(), parts, &entry, costs, watch))?;
        drop(write);
        if is_too_large.into_inner() {
            return Err(PyOverflowError::new_err("a cost is too large for int32; take dtype int64").into());
        }
        Ok(table)
    }

    fn write_parts<T: Send>(
        &self,
        planner: &Planner,
        parts: usize,
        entry: &(impl Fn(Option<Cost>) -> T + Sync),
        costs: &mut [T],
        watch: &Watch,
    ) -> Result<(), Failure> {
        watch.expect(self.starts.len());
        let part = self.starts.len().div_ceil(parts).max(1);
        let rows = costs.chunks_mut((part * self.goals.len()).max(1));
        for (starts, costs) in self.starts.chunks(part).zip(rows) {
            planner.cost_table_into(starts, self.goals, self.threads, || watch.is_wanted(), entry, costs)?;
            watch.count(starts.len());
        }
        Ok(())
    }
}

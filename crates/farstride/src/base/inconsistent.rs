//! Broken invariants.

use std::error::Error;
use std::fmt;

/// A broken invariant, found by one of the `check` methods.
///
/// These methods are for tests and fuzzing. An error from one of them is a bug of
/// this crate, or the result of opening forged bytes as trusted ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inconsistent {
    what: Box<str>,
}

impl Inconsistent {
    pub(crate) fn new(what: impl Into<Box<str>>) -> Self {
        Self { what: what.into() }
    }
}

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Error for Inconsistent {}

//! Broken invariants.

use std::error::Error;
use std::fmt;

/// A map or an index contradicts itself, or an index contradicts its map.
///
/// Opening an index proves the opposite; so do the methods named `check` and `verify`,
/// which are for tests and for indexes that were opened as trusted ones. The text says
/// what is wrong and where.
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

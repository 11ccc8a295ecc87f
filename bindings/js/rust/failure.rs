//! Errors as JavaScript sees them: a kind and our message. And panics, which it should
//! never see.

use farstride::error::{BuildError, QueryError, Unsupported};
use farstride_bindings::{self as shared, FailureKind};
use std::cell::RefCell;
use std::fmt::Display;
use std::panic;
use wasm_bindgen::JsValue;

/// What went wrong, as all bindings tell it; a type of this crate, so that it can become
/// an error of JavaScript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure(shared::Failure);

impl Failure {
    pub(crate) fn map(message: impl Display) -> Self {
        Self(shared::Failure::map(message))
    }

    pub(crate) fn query(message: impl Display) -> Self {
        Self(shared::Failure::query(message))
    }

    pub(crate) fn settings(message: impl Display) -> Self {
        Self(shared::Failure::settings(message))
    }

    pub(crate) fn index(message: impl Display) -> Self {
        Self(shared::Failure::index(message))
    }

    /// What it is about: `FarstrideError.kind`.
    const fn kind(&self) -> &'static str {
        match self.0.kind {
            FailureKind::Map => "map",
            FailureKind::Settings => "settings",
            FailureKind::Index => "index",
            FailureKind::Cancelled => "cancelled",
            FailureKind::Engine => "engine",
            // Graphs and files do not come here.
            FailureKind::Query | FailureKind::Graph | FailureKind::File(_) => "query",
        }
    }
}

impl From<shared::Failure> for Failure {
    fn from(failure: shared::Failure) -> Self {
        Self(failure)
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        Self(error.into())
    }
}

impl From<Unsupported> for Failure {
    fn from(error: Unsupported) -> Self {
        Self(error.into())
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        Self(error.into())
    }
}

/// An `Error` whose name is the kind; TypeScript makes a `FarstrideError` of it.
impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = js_sys::Error::new(&failure.0.message);
        error.set_name(failure.kind());
        error.into()
    }
}

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of a panic for JavaScript, which otherwise sees a trap alone.
pub(crate) fn listen() {
    panic::set_hook(Box::new(|panic| LAST_PANIC.set(Some(panic.to_string()))));
}

pub(crate) fn take_panic() -> Option<String> {
    LAST_PANIC.take()
}

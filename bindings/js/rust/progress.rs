//! Builds that report to JavaScript and ask it whether to go on.

use js_sys::Function;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds by the clock of JavaScript.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(crate) fn milliseconds() -> f64;
}

/// Milliseconds between two reports: as often as a screen is drawn.
const PAUSE: f64 = 16.0;

/// A function of JavaScript that watches a build.
struct Watcher {
    report: Function,
    /// When it was called last.
    last: Cell<f64>,
    done: Cell<usize>,
    total: Cell<usize>,
    wanted: Cell<bool>,
    /// What it threw.
    thrown: RefCell<Option<JsValue>>,
}

impl Watcher {
    const fn new(report: Function) -> Self {
        Self {
            report,
            last: Cell::new(f64::NEG_INFINITY),
            done: Cell::new(0),
            total: Cell::new(0),
            wanted: Cell::new(true),
            thrown: RefCell::new(None),
        }
    }

    fn tell(&self, is_last: bool) {
        let now = milliseconds();
        if !self.wanted.get() || !is_last && now - self.last.get() < PAUSE {
            return;
        }
        let [done, total] = [&self.done, &self.total].map(|count| JsValue::from(count.get() as f64));
        let outer = WAITING.replace(change(|watchers| watchers.len()));
        let called = self.report.call2(&JsValue::UNDEFINED, &done, &total);
        WAITING.set(outer);
        match called {
            Ok(answer) => self.wanted.set(answer.as_bool() != Some(false)),
            Err(thrown) => {
                self.wanted.set(false);
                self.thrown.replace(Some(thrown));
            }
        }
        self.last.set(milliseconds());
    }
}

thread_local! {
    /// The watchers of the builds that run, the innermost last: a report may start
    /// another build, which may have none. They are here because the engine wants
    /// functions that threads could share, and values of JavaScript cannot be.
    ///
    /// Only taken out and put back, so that a trap cannot leave it borrowed.
    static WATCHERS: RefCell<Vec<Option<Rc<Watcher>>>> = const { RefCell::new(Vec::new()) };
    /// How many of these builds wait for a report.
    static WAITING: Cell<usize> = const { Cell::new(0) };
}

/// Changes the list of watchers.
fn change<T>(change: impl FnOnce(&mut Vec<Option<Rc<Watcher>>>) -> T) -> T {
    let mut watchers = WATCHERS.take();
    let result = change(&mut watchers);
    WATCHERS.set(watchers);
    result
}

fn innermost() -> Option<Rc<Watcher>> {
    change(|watchers| watchers.last().cloned().flatten())
}

/// What the engine calls with the work done and the total.
pub(crate) fn report(done: usize, total: usize) {
    if let Some(watcher) = innermost() {
        watcher.done.set(done);
        watcher.total.set(total);
        watcher.tell(done == total);
    }
}

/// What the engine calls to know whether to go on.
pub(crate) fn wanted() -> bool {
    innermost().is_none_or(|watcher| {
        if watcher.total.get() > 0 {
            watcher.tell(false);
        }
        watcher.wanted.get()
    })
}

/// Runs a build that a function watches, if one is given.
///
/// # Errors
/// What the build returns, or what the function threw.
pub(crate) fn watched<T, E: Into<JsValue>>(
    function: Option<Function>,
    build: impl FnOnce() -> Result<T, E>,
) -> Result<T, JsValue> {
    let watcher = function.map(|report| Rc::new(Watcher::new(report)));
    change(|watchers| watchers.push(watcher.clone()));
    let result = build();
    change(Vec::pop);
    match watcher.and_then(|watcher| watcher.thrown.take()) {
        Some(thrown) => Err(thrown),
        None => result.map_err(Into::into),
    }
}

/// Forgets the watchers of builds that trapped: of all but those that wait for a report.
pub(crate) fn forget() {
    change(|watchers| watchers.truncate(WAITING.get()));
}

//! Planners and their scratches.

use crate::border::{
    Fault, Handle, Result, exclusive, free, give, guard, input, list, list_out, out, path, shared, text,
    value,
};
use crate::grid::{Grid, write_weights};
use crate::route::{Cell, Query, Route};
use crate::trip::Travel;
use farstride::index::BuildOptions as Options;
use farstride::{
    Cell as MapCell, Cost, Engine, Index, Planner as Inner, Query as Asked, Scratch as Memory, store,
};
use farstride_bindings::{Failure, Wanted, apply, cell, cells, chain, change, parse};
use farstride_io::index as file;
use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::num::NonZeroUsize;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A map and an engine that finds paths on it.
pub struct Planner {
    pub(crate) inner: Inner,
}

impl Handle for Planner {
    const KIND: u32 = 0x6672_7031;
}

/// Working memory for queries, of planners and of worlds. Make one for each thread, and use it again and
/// again: queries then allocate nothing.
pub struct Scratch {
    pub(crate) memory: Memory,
    pub(crate) cells: Vec<MapCell>,
    /// For worlds, which are rarer: made when it is needed.
    pub(crate) travel: Option<Box<Travel>>,
}

impl Handle for Scratch {
    const KIND: u32 = 0x6672_7331;
}

/// How an index is built. Null instead of this means: all cores, no reports.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BuildOptions {
    /// Number of threads; 0 for all cores.
    pub threads: u32,
    /// Called with the work done and the total, from any thread of the build, also from several at
    /// once; null for no reports. If it returns false, the build stops with
    /// FARSTRIDE_RESULT_CANCELLED.
    pub progress: Option<unsafe extern "C" fn(user: *mut c_void, done: usize, total: usize) -> bool>,
    /// What progress is called with.
    pub user: *mut c_void,
}

/// What a callback is called with. Threads of a build share it.
struct User(*mut c_void);

// SAFETY: the header says that the callback is called from any thread; that the pointer can be
// used there is for the caller to see to.
unsafe impl Sync for User {}

impl User {
    const fn pointer(&self) -> *mut c_void {
        self.0
    }
}

/// Runs a build as its options say.
fn build<T, E: Into<Failure>>(
    options: *const BuildOptions,
    work: impl FnOnce(&Options<'_>) -> std::result::Result<T, E>,
) -> std::result::Result<T, Fault> {
    let none = BuildOptions { threads: 0, progress: None, user: ptr::null_mut() };
    let BuildOptions { threads, progress, user } = if options.is_null() { none } else { *input(options)? };
    let (user, stop) = (User(user), AtomicBool::new(false));
    let report = |done: usize, total: usize| {
        // SAFETY: the callback is a function of this type, as the header says.
        if progress.is_some_and(|progress| !unsafe { progress(user.pointer(), done, total) }) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let wanted = || !stop.load(Ordering::Relaxed);
    let options = Options::new().threads(thread_count(threads)).on_progress(&report).keep_going(&wanted);
    work(&options).map_err(|error| error.into().into())
}

/// The number of threads asked for; all cores for 0.
pub(crate) fn thread_count(threads: u32) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if threads == 0 { all() } else { threads as usize }
}

impl Planner {
    fn opened(grid: &Grid, index: Index) -> std::result::Result<Self, Fault> {
        Ok(Self { inner: Inner::with_index(Arc::clone(&grid.map), index).map_err(Failure::index)? })
    }
}

/// Makes a planner, and builds its index if the engine has one.
///
/// engine: its name, such as "labels", "nsg+", "hpa", "hpt" or "astar"; "shortest" for the one that
/// suits the map and finds shortest paths, "any-angle" for "straight" where its labels fit, else "hpt",
/// and on maps with weights "hpa", whose paths are grid paths; null for the one that suits the map.
/// settings: as in "cluster=16,smooth=false", or null. options: or null.
///
/// The map may be freed afterwards. Any thread may call it. Free the planner with
/// farstride_planner_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_new(
    grid: *const Grid,
    engine: *const c_char,
    settings: *const c_char,
    options: *const BuildOptions,
    planner: *mut *mut Planner,
) -> Result {
    guard(|| {
        let (map, given) = (&shared(grid)?.map, parse(text(settings)?.unwrap_or(""))?);
        let wanted = Wanted::read(text(engine)?, &given, map)?;
        let (inner, _) = build(options, |options| wanted.build(map, options))?;
        give(Planner { inner }, planner)
    })
}

/// Opens the index of a map from a file and maps it into memory: processes share it. The file must
/// not be changed in place as long as the planner is used; farstride_planner_save never does.
///
/// trust: whether to skip the proofs that the file is sound; for files of your own.
///
/// Any thread may call it. Free the planner with farstride_planner_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_open(
    grid: *const Grid,
    file: *const c_char,
    trust: bool,
    planner: *mut *mut Planner,
) -> Result {
    guard(|| {
        let (grid, path) = (shared(grid)?, path(file)?);
        let index = if trust { file::open_trusted(path, &grid.map) } else { file::open(path, &grid.map) };
        give(Planner::opened(grid, index?)?, planner)
    })
}

/// Opens the index of a map from bytes, which are copied.
///
/// Any thread may call it. Free the planner with farstride_planner_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_open_bytes(
    grid: *const Grid,
    bytes: *const u8,
    count: usize,
    planner: *mut *mut Planner,
) -> Result {
    guard(|| {
        let (grid, bytes) = (shared(grid)?, Arc::new(list(bytes, count)?.to_vec()));
        let index = store::open(bytes, &grid.map).map_err(|error| Failure::index(chain(&error)))?;
        give(Planner::opened(grid, index)?, planner)
    })
}

/// Saves the index to a file, which is replaced as a whole or not at all.
///
/// size: its size in bytes; may be null.
///
/// Threads may ask the planner meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_save(
    planner: *const Planner,
    file: *const c_char,
    size: *mut u64,
) -> Result {
    guard(|| {
        let (inner, path) = (&shared(planner)?.inner, path(file)?);
        let none = || Failure::index(format!("engine {} has no index to save", inner.engine()));
        let written = file::save(path, inner.index().ok_or_else(none)?, inner.grid())?;
        if !size.is_null() {
            out(size)?.set(written);
        }
        Ok(())
    })
}

/// Frees a planner. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_free(planner: *mut Planner) {
    free(planner);
}

/// The name of the engine; null if the handle is wrong. If the map chose it, an edit may change it.
///
/// Threads may ask the planner meanwhile. The text is there for good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_engine(planner: *const Planner) -> *const c_char {
    value(ptr::null(), || Ok(c_name(shared(planner)?.inner.engine())))
}

/// The name of an engine with a null byte, made once.
fn c_name(engine: Engine) -> *const c_char {
    static NAMES: std::sync::OnceLock<Vec<(Engine, std::ffi::CString)>> = std::sync::OnceLock::new();
    let all = || {
        let name = |engine: Engine| (engine, std::ffi::CString::new(engine.name()).unwrap_or_default());
        Engine::ALL.into_iter().map(name).collect()
    };
    let names = NAMES.get_or_init(all);
    names.iter().find(|(other, _)| *other == engine).map_or(ptr::null(), |(_, name)| name.as_ptr())
}

/// Copies the weights of the map as it is now: as farstride_grid_weights.
///
/// Threads may ask the planner meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_weights(
    planner: *const Planner,
    weights: *mut u8,
    count: usize,
) -> Result {
    guard(|| write_weights(shared(planner)?.inner.grid(), weights, count))
}

/// A rectangle and the weight that its cells get.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// Column of its upper left cell.
    pub x: i32,
    /// Row of that cell.
    pub y: i32,
    /// Number of columns.
    pub width: i32,
    /// Number of rows.
    pub height: i32,
    /// 0 blocks; 1 to 255 is the weight.
    pub weight: i32,
}

/// Edits rectangles, one after the other. The index follows before this returns. All of them are
/// checked before the first is carried out.
///
/// Nobody else may use the planner meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_planner_edit(
    planner: *mut Planner,
    edits: *const Edit,
    count: usize,
) -> Result {
    guard(|| {
        let (inner, edits) = (&mut exclusive(planner)?.inner, list(edits, count)?);
        let read = |edit: &Edit| {
            let Edit { x, y, width, height, weight } = *edit;
            change(inner.grid(), [x, y, width, height, weight].map(i64::from))
        };
        let changes = edits.iter().map(read).collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(apply(inner, &changes)?)
    })
}

/// Makes a scratch.
///
/// Any thread may call it. Free it with farstride_scratch_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_scratch_new(scratch: *mut *mut Scratch) -> Result {
    guard(|| give(Scratch { memory: Memory::new(), cells: Vec::new(), travel: None }, scratch))
}

/// Frees a scratch, and the paths that lie in it. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_scratch_free(scratch: *mut Scratch) {
    free(scratch);
}

/// Finds a path.
///
/// route: the answer; its cells lie in the scratch until that is used again or freed.
///
/// Threads may ask the planner at once, each with its own scratch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_find(
    planner: *const Planner,
    scratch: *mut Scratch,
    query: *const Query,
    route: *mut Route,
) -> Result {
    guard(|| {
        let (planner, scratch) = (&shared(planner)?.inner, exclusive(scratch)?);
        let query = input(query)?.on(planner.grid())?;
        let outcome = planner.find(query, &mut scratch.memory)?;
        out(route)?.set(Route::new(&outcome, query, planner.engine(), &mut scratch.cells));
        Ok(())
    })
}

/// Finds the goal that costs least to reach, and the path to it.
///
/// which: the number of that goal in the list; SIZE_MAX if none can be reached, and then the route
/// is not written.
///
/// Threads may ask the planner at once, each with its own scratch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_nearest(
    planner: *const Planner,
    scratch: *mut Scratch,
    x: i32,
    y: i32,
    goals: *const Cell,
    goal_count: usize,
    which: *mut usize,
    route: *mut Route,
) -> Result {
    guard(|| {
        let (planner, scratch) = (&shared(planner)?.inner, exclusive(scratch)?);
        let start = cell(planner.grid(), x.into(), y.into())?;
        let goals = map_cells(planner, list(goals, goal_count)?)?;
        let (which, route) = (out(which)?, out(route)?);
        let nearest = planner.nearest(Asked::starting_at(start), &goals, &mut scratch.memory)?;
        match nearest {
            Some((at, outcome)) => {
                which.set(at);
                let query = Asked::new(start, goals[at]);
                route.set(Route::new(&outcome, query, planner.engine(), &mut scratch.cells));
            }
            None => which.set(usize::MAX),
        }
        Ok(())
    })
}

/// Writes the exact costs from each of some starts to each of some goals, row by start; -1 where
/// there is no path.
///
/// costs: room for start_count times goal_count numbers. threads: 0 for all cores.
///
/// Threads may ask the planner meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farstride_cost_table(
    planner: *const Planner,
    starts: *const Cell,
    start_count: usize,
    goals: *const Cell,
    goal_count: usize,
    threads: u32,
    costs: *mut i64,
) -> Result {
    guard(|| {
        let planner = &shared(planner)?.inner;
        let starts = map_cells(planner, list(starts, start_count)?)?;
        let goals = map_cells(planner, list(goals, goal_count)?)?;
        let room = start_count.checked_mul(goal_count);
        let room = room.ok_or_else(|| Fault::new(Result::Argument, "the table does not fit into memory"))?;
        let costs = list_out(costs, room)?;
        let units = |cost: Option<Cost>| MaybeUninit::new(cost.map_or(-1, |cost| cost.units() as i64));
        Ok(planner.cost_table_into(&starts, &goals, thread_count(threads), || true, units, costs)?)
    })
}

/// Cells from outside, checked.
pub(crate) fn map_cells(planner: &Inner, list: &[Cell]) -> std::result::Result<Vec<MapCell>, Failure> {
    cells(planner.grid(), list.iter().map(|cell| [cell.x.into(), cell.y.into()]))
}

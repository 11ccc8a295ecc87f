//! Maps that are edited while others ask.
//!
//! Labels answer in about a microsecond and take seconds to make. So another
//! engine stands in for them after an edit, one that can follow it at once, and
//! a thread in the background makes the labels of the map as it is now. Who asks
//! takes a snapshot, a planner that nobody changes.
//!
//! Between the two a third engine may relieve the stand-in: faster to answer
//! than that, faster to make than labels.

mod builder;

use super::Planner;
use crate::base::crew::all_cores;
use crate::base::with_methods;
use crate::grid::Grid;
use crate::index::{Engine, Index, MapMismatch, Unsupported};
use crate::labels::LabelSettings;
use builder::{Builder, PlannerSlot, Rung};
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How a [`Live`] map is answered for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct LiveSettings {
    /// The engine that answers as soon as an edit returns: any but `labels`.
    /// `hpa` follows edits in the least time and finds paths a little too long;
    /// it is also the one for maps that may get terrain weights.
    pub stand_in: Engine,
    /// The engine that takes over from the stand-in while labels are made. It
    /// follows edits in the background, before labels are begun; left out on
    /// maps that it cannot work on.
    pub relief: Option<Engine>,
    /// How labels are made.
    pub labels: LabelSettings,
    /// Threads that make labels.
    pub threads: usize,
    /// How long the map has to be left alone before anything is made in the
    /// background. If that took longer the last time, then for as long as it
    /// took: work in vain takes at most about half of the time. With
    /// [`Duration::MAX`] nothing is made unless somebody waits for it.
    pub quiet: Duration,
}

with_methods!(LiveSettings { with_stand_in stand_in: Engine, with_relief relief: Option<Engine>, with_labels labels: LabelSettings, with_threads threads: usize, with_quiet quiet: Duration });

impl LiveSettings {
    /// Longer than a frame, so that edits of every frame start nothing.
    pub const DEFAULT_QUIET: Duration = Duration::from_millis(50);
}

/// `ssg`, relieved by `nsg+`: shortest paths at any time. Labels of the usual
/// settings, on all cores but one.
impl Default for LiveSettings {
    fn default() -> Self {
        Self {
            stand_in: Engine::Ssg,
            relief: Some(Engine::NsgPlus),
            labels: LabelSettings::DEFAULT,
            threads: all_cores().saturating_sub(1).max(1),
            quiet: Self::DEFAULT_QUIET,
        }
    }
}

/// A map that is edited while others ask, by labels whenever they are there.
///
/// [`Live::planner`] hands out a snapshot: map and index as they are now, shared
/// and never changed again. [`Live::edit`] puts up the snapshot of the edited
/// map before it returns; at first a stand-in answers, later its relief, and
/// then labels, which a thread in the background makes. Any number of threads
/// may ask, edit and wait at once.
///
/// # Guarantee
/// A snapshot answers for the map it was taken of with the guarantee of its
/// engine, as long as somebody holds it: with the default settings, shortest
/// paths. Labels of a map that was edited since are thrown away.
///
/// A snapshot of one engine always gives the same answers for a map. *When* one
/// engine takes over from another depends on time, and which of several equally
/// short paths is found depends on the engine. Who needs the same paths in every
/// run calls [`Live::wait`] after each edit, or uses a [`Planner`].
///
/// # Allocation
/// An edit copies the map and what the stand-in has prepared of it. Index of the
/// stand-in, of the relief and labels are all kept; labels that are replaced go
/// when nobody holds their snapshot any more.
///
/// # Dropping
/// Dropping a live map tells the thread to stop and does not wait for it: it
/// ends by itself at the next block of labels, or at the next round in which the
/// corners of the map are put in order, the first of which looks at all of them.
/// [`Live::close`] waits. Snapshots stay valid.
///
/// # Example
/// ```
/// use farstride::{Cell, Engine, Grid, Live, LiveSettings, Query, Scratch};
///
/// let live = Live::new(Grid::empty(40, 40)?, LiveSettings::default())?;
/// let mut scratch = Scratch::new();
/// let query = Query::new(Cell::new(0, 20), Cell::new(39, 20));
///
/// let before = live.wait()?;
/// assert_eq!(before.engine(), Engine::Labels);
/// live.edit(|grid| grid.block(Cell::new(20, 20)))??;
/// let after = live.planner(); // by the stand-in, until labels are made
/// assert!(after.find(query, &mut scratch)?.route().is_some_and(|route| route.length() > 39.0));
/// assert!(before.find(query, &mut scratch)?.route().is_some_and(|route| route.length() == 39.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Live {
    /// The stand-in for the map as it is; who edits holds it.
    stand_in: Mutex<Arc<Planner>>,
    slot: Arc<PlannerSlot>,
    thread: Option<JoinHandle<()>>,
    settings: LiveSettings,
}

impl Live {
    /// Prepares the stand-in; labels follow in the background.
    ///
    /// # Errors
    /// [`LiveError::Unsupported`] if the stand-in cannot work on this map, or is
    /// `labels`; [`LiveError::NoThread`] if no thread can be started.
    pub fn new(grid: impl Into<Arc<Grid>>, settings: LiveSettings) -> Result<Self, LiveError> {
        check_stand_in(settings.stand_in)?;
        let planner = Planner::with_engine(grid, settings.stand_in).map_err(LiveError::Unsupported)?;
        Self::with_stand_in(planner, settings)
    }

    /// The same with a stand-in of your own, for settings and tactics of its
    /// engine. It is used instead of the one that the settings name.
    ///
    /// # Errors
    /// As [`Live::new`].
    pub fn with_stand_in(planner: Planner, settings: LiveSettings) -> Result<Self, LiveError> {
        check_stand_in(planner.engine())?;
        let settings = LiveSettings { stand_in: planner.engine(), ..settings };
        let planner = Arc::new(planner);
        let slot = Arc::new(PlannerSlot::new(Arc::clone(&planner)));
        let builder = Builder::new(Arc::clone(&slot), settings);
        let thread = thread::Builder::new().name("farstride labels".to_owned()).spawn(move || builder.run());
        let thread = Some(thread.map_err(LiveError::NoThread)?);
        Ok(Self { stand_in: Mutex::new(planner), slot, thread, settings })
    }

    /// How the map is answered for.
    pub const fn settings(&self) -> LiveSettings {
        self.settings
    }

    /// The map as it is now, with the best engine that is ready for it. Takes as
    /// long as cloning an [`Arc`], even while somebody edits.
    ///
    /// A paused search can only be resumed on the snapshot that began it. Plans
    /// may be walked from snapshot to snapshot.
    pub fn planner(&self) -> Arc<Planner> {
        self.slot.planner()
    }

    /// Changes the map, and puts up the stand-in for it before this returns.
    /// Edits of several threads take turns. An edit must not edit this map by
    /// another way; it would wait for itself.
    ///
    /// An edit that panics changes nothing, and neither does one that leaves the
    /// map as it was: labels stay.
    ///
    /// # Errors
    /// [`Unsupported`] if the edit would make the map unfit for the stand-in.
    /// Nothing is changed then. A map that is only unfit for labels is left to the
    /// stand-in.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut Grid) -> T) -> Result<T, Unsupported> {
        let mut stand_in = builder::lock(&self.stand_in);
        let mut planner = Planner::clone(&stand_in);
        let result = planner.edit(edit);
        planner.engine().check(planner.grid())?;
        if planner.grid().revision() != stand_in.grid().revision() {
            *stand_in = Arc::new(planner);
            self.slot.publish_edited(Arc::clone(&stand_in));
        }
        Ok(result)
    }

    /// Whether the planner answers by labels.
    pub fn is_settled(&self) -> bool {
        self.slot.is_settled()
    }

    /// Waits until there are labels of the map as it is, and returns their
    /// planner. They are begun at once, however recent the last edit is.
    ///
    /// # Errors
    /// [`LiveError::Unsupported`] if there are none of this map,
    /// [`LiveError::Panicked`] if making them did.
    pub fn wait(&self) -> Result<Arc<Planner>, LiveError> {
        self.slot.wait()
    }

    /// Puts up labels that were made elsewhere, read from a file for instance.
    /// None are made if that happens right after the map went live.
    ///
    /// # Errors
    /// [`MapMismatch`] if they are not of the map as it is now.
    pub fn adopt(&self, index: impl Into<Index>) -> Result<(), MapMismatch> {
        let planner = Planner::with_index(Arc::clone(&self.planner().grid), index)?;
        let is_labels = planner.engine() == Engine::Labels;
        if is_labels && self.slot.publish(Arc::new(planner), Rung::Labels) {
            Ok(())
        } else {
            Err(MapMismatch)
        }
    }

    /// How many times labels have been begun so far, in vain or not.
    pub fn build_count(&self) -> u64 {
        self.slot.build_count()
    }

    /// Drops the map and waits until its thread has ended.
    pub fn close(mut self) {
        self.slot.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it has been told about any panic
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.slot.close();
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = self.planner().engine();
        f.debug_struct("Live")
            .field("engine", &engine)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

fn check_stand_in(engine: Engine) -> Result<(), LiveError> {
    if engine != Engine::Labels {
        return Ok(());
    }
    let why = "the stand-in answers while labels are made";
    Err(LiveError::Unsupported(Unsupported { engine, why, instead: Engine::Ssg }))
}

/// Why a map is not live, or its labels do not come.
#[derive(Debug)]
#[non_exhaustive]
pub enum LiveError {
    /// The engine cannot work on the map, or cannot stand in.
    Unsupported(Unsupported),
    /// The thread in the background could not be started.
    NoThread(io::Error),
    /// Making labels of the map as it is panicked, which is a fault of this
    /// library. The stand-in goes on; the next edit starts another attempt.
    Panicked,
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(unsupported) => unsupported.fmt(f),
            Self::NoThread(_) => write!(f, "the thread that makes labels could not be started"),
            Self::Panicked => write!(f, "the thread that makes labels panicked; the stand-in goes on"),
        }
    }
}

impl Error for LiveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NoThread(error) => Some(error),
            _ => None,
        }
    }
}

//! Maps edited while other threads query them.
//!
//! Labels answer in about a microsecond but take seconds to build. So after an edit
//! another engine, the *stand-in*, follows the edit at once and answers queries,
//! while a background thread builds labels of the edited map. Queries run on a
//! snapshot: a planner that never changes.
//!
//! A third engine, the *interim* engine, may take over in between. It answers faster than the
//! stand-in and is ready sooner than labels.

mod builder;

use super::Planner;
use crate::base::crew::all_cores;
use crate::base::with_methods;
use crate::grid::Grid;
use crate::index::{Engine, Index, IndexSettings, MapMismatch, Unsupported};
use crate::labels::LabelSettings;
use crate::straight::StraightSettings;
use builder::{Builder, PlannerSlot, Rung};
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Which engines answer for a [`Live`] map, and when labels are built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct LiveSettings {
    /// The engine that answers as soon as an edit returns; any except the one that is built
    /// in the background.
    ///
    /// `hpa` follows edits fastest, but its paths are a little too long. Choose it for
    /// maps that may get terrain weights.
    pub stand_in: Engine,
    /// The engine that takes over from the stand-in until labels are ready, if any.
    /// The background thread prepares it before it begins labels. Ignored on maps that
    /// it cannot work on.
    pub interim: Option<Engine>,
    /// How labels are built.
    pub labels: LabelSettings,
    /// How labels of the engine `straight` are built, if these are wanted in place of `labels`. Until
    /// they are ready, the stand-in answers by its own rule: legs of `hpt` pass corners more closely than the
    /// body rule allows.
    pub straight: Option<StraightSettings>,
    /// Number of threads for builds in the background.
    pub threads: usize,
    /// How long the map must stay unedited before a build begins in the background.
    ///
    /// If the last build took longer than this, the map must stay unedited for as long
    /// as that build took; so builds that an edit cancels take at most about half of
    /// the time. With [`Duration::MAX`] nothing is built until [`Live::wait`] asks.
    pub quiet: Duration,
}

with_methods!(LiveSettings { with_stand_in stand_in: Engine, with_interim interim: Option<Engine>, with_labels labels: LabelSettings, with_straight straight: Option<StraightSettings>, with_threads threads: usize, with_quiet quiet: Duration });

impl LiveSettings {
    /// Longer than a frame, so that a game that edits the map every frame starts no
    /// builds.
    pub const DEFAULT_QUIET: Duration = Duration::from_millis(50);

    /// Paths at any angle: `hpt` stands in, labels of `straight` follow. Otherwise the default
    /// settings.
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid, Live, LiveSettings};
    ///
    /// let live = Live::new(Grid::empty(40, 30)?, LiveSettings::any_angle())?;
    /// live.edit(|grid| grid.block(Cell::new(20, 10)))??;
    /// assert_eq!(live.wait()?.engine(), Engine::Straight);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn any_angle() -> Self {
        let straight = Some(StraightSettings::DEFAULT);
        Self { stand_in: Engine::Hpt, interim: None, straight, ..Self::default() }
    }

    /// The engine whose labels are built.
    pub(super) fn engine(&self) -> Engine {
        self.index_settings().engine()
    }

    /// How they are built.
    fn index_settings(&self) -> IndexSettings {
        self.straight.map_or_else(|| self.labels.into(), Into::into)
    }
}

/// Shortest paths at any time: `ssg` stands in, `nsg+` takes over, labels follow with
/// their default settings. Builds use all cores but one.
impl Default for LiveSettings {
    fn default() -> Self {
        Self {
            stand_in: Engine::Ssg,
            interim: Some(Engine::NsgPlus),
            labels: LabelSettings::DEFAULT,
            straight: None,
            threads: all_cores().saturating_sub(1).max(1),
            quiet: Self::DEFAULT_QUIET,
        }
    }
}

/// A map that can be edited while other threads query it, answered by labels as soon
/// as they are ready.
///
/// [`Live::planner`] returns a snapshot: the map and its index in their present state,
/// shared and never changed again. [`Live::edit`] publishes a snapshot of the edited
/// map before it returns. At first the stand-in answers, then the interim engine, then labels,
/// which a background thread builds. Any number of threads may query, edit and wait at
/// the same time.
///
/// # Guarantee
/// A snapshot answers for its map with the guarantee of its engine for as long as you
/// hold it: with the default settings, shortest paths. Labels of a map that has been
/// edited since are never published.
///
/// A snapshot of one engine always gives the same answers for a map. *When* one engine
/// takes over from another depends on timing, and which of several equally short paths
/// is found depends on the engine. If you need the same paths in every run, call
/// [`Live::wait`] after each edit, or use a [`Planner`].
///
/// # Allocation
/// An edit copies the map and the index of the stand-in. The indexes of the stand-in,
/// of the interim engine and of labels stay in memory together. Replaced labels are freed once
/// no one holds their snapshot.
///
/// # Dropping
/// Dropping a live map cancels the build in the background, which usually ends within
/// milliseconds, and does not wait for it. [`Live::close`] waits. Snapshots stay valid.
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
/// let after = live.planner(); // answered by the stand-in until labels are ready
/// assert!(after.find(query, &mut scratch)?.route().is_some_and(|route| route.length() > 39.0));
/// assert!(before.find(query, &mut scratch)?.route().is_some_and(|route| route.length() == 39.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Live {
    /// The stand-in for the present map. Edits lock it, so that they take turns.
    stand_in: Mutex<Arc<Planner>>,
    slot: Arc<PlannerSlot>,
    thread: Option<JoinHandle<()>>,
    settings: LiveSettings,
}

impl Live {
    /// Prepares the stand-in, and starts the background thread that builds labels.
    ///
    /// # Errors
    /// [`LiveError::Unsupported`] if the stand-in cannot work on this map, or is the engine
    /// that is built in the background; [`LiveError::NoThread`] if no thread can be started, as on
    /// wasm32-unknown-unknown.
    pub fn new(grid: impl Into<Arc<Grid>>, settings: LiveSettings) -> Result<Self, LiveError> {
        check_stand_in(settings.stand_in, settings.engine())?;
        let planner = Planner::with_engine(grid, settings.stand_in).map_err(LiveError::Unsupported)?;
        Self::with_stand_in(planner, settings)
    }

    /// As [`Live::new`] with your own stand-in, whose engine may have other settings
    /// and tactics than the default. Ignores [`LiveSettings::stand_in`].
    ///
    /// # Errors
    /// As [`Live::new`].
    pub fn with_stand_in(planner: Planner, settings: LiveSettings) -> Result<Self, LiveError> {
        check_stand_in(planner.engine(), settings.engine())?;
        let settings = LiveSettings { stand_in: planner.engine(), ..settings };
        let planner = Arc::new(planner);
        let slot = Arc::new(PlannerSlot::new(Arc::clone(&planner), settings.engine()));
        let builder = Builder::new(Arc::clone(&slot), settings);
        let thread = thread::Builder::new().name("farstride labels".to_owned()).spawn(move || builder.run());
        let thread = Some(thread.map_err(LiveError::NoThread)?);
        Ok(Self { stand_in: Mutex::new(planner), slot, thread, settings })
    }

    /// The settings.
    pub const fn settings(&self) -> LiveSettings {
        self.settings
    }

    /// A snapshot of the present map, with the best engine that is ready for it. Takes
    /// as long as cloning an [`Arc`], even during an edit.
    ///
    /// A paused search can only be resumed on the snapshot that began it. A plan can be
    /// continued on any later snapshot.
    pub fn planner(&self) -> Arc<Planner> {
        self.slot.planner()
    }

    /// Edits the map, and publishes the stand-in for it before it returns.
    ///
    /// Edits of several threads take turns. The closure must not call `edit` of the same
    /// live map: that is a deadlock. If the closure panics or changes nothing, the map
    /// and its labels stay as they are.
    ///
    /// # Errors
    /// [`Unsupported`] if the stand-in cannot work on the edited map; the map is not
    /// changed then. If only labels cannot, the stand-in keeps answering.
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

    /// Whether labels of the present map are ready.
    pub fn is_settled(&self) -> bool {
        self.slot.is_settled()
    }

    /// Waits for labels of the present map, and returns a planner that uses them. Their
    /// build begins at once, however recent the last edit is.
    ///
    /// # Errors
    /// [`LiveError::Unsupported`] if labels cannot work on this map,
    /// [`LiveError::Panicked`] if their build panicked.
    pub fn wait(&self) -> Result<Arc<Planner>, LiveError> {
        self.slot.wait()
    }

    /// Publishes labels that were built elsewhere, for example read from a file. Called
    /// right after [`Live::new`], it saves the first build.
    ///
    /// # Errors
    /// [`MapMismatch`] if `index` does not hold labels of the present map.
    pub fn adopt(&self, index: impl Into<Index>) -> Result<(), MapMismatch> {
        let planner = Planner::with_index(Arc::clone(&self.planner().grid), index)?;
        let is_labels = planner.engine() == self.settings.engine();
        if is_labels && self.slot.publish(Arc::new(planner), Rung::Labels) {
            Ok(())
        } else {
            Err(MapMismatch)
        }
    }

    /// Number of builds of labels begun so far, cancelled ones included.
    pub fn build_count(&self) -> u64 {
        self.slot.build_count()
    }

    /// Drops the live map and waits until its background thread has ended.
    pub fn close(mut self) {
        self.slot.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // panics of a build are caught and reported by `wait`
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

fn check_stand_in(engine: Engine, built: Engine) -> Result<(), LiveError> {
    if engine != built {
        return Ok(());
    }
    let why = "the stand-in answers while labels are built";
    let instead = if built == Engine::Straight { Engine::Hpt } else { Engine::Ssg };
    Err(LiveError::Unsupported(Unsupported { engine, why, instead }))
}

/// Why a map cannot go live, or why there are no labels of it.
#[derive(Debug)]
#[non_exhaustive]
pub enum LiveError {
    /// The engine cannot work on the map, or cannot stand in.
    Unsupported(Unsupported),
    /// The background thread could not be started.
    NoThread(io::Error),
    /// The build of labels panicked, which is a bug of this library. The stand-in keeps
    /// answering; the next edit starts another attempt.
    Panicked,
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(unsupported) => unsupported.fmt(f),
            Self::NoThread(_) => write!(f, "the thread that builds labels could not be started"),
            Self::Panicked => {
                write!(f, "the thread that builds labels panicked; the stand-in keeps answering")
            }
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

//! The engines and what each of them promises.

use crate::grid::Grid;
use crate::subgoal::subgoal_count;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A way to find paths.
///
/// | you need | engine |
/// |---|---|
/// | shortest paths, static map | [`Labels`](Self::Labels) |
/// | shortest paths, map edited now and then | [`NsgPlus`](Self::NsgPlus) |
/// | shortest paths, terrain, map edited all the time | [`Overlay`](Self::Overlay) |
/// | near-optimal paths, map edited all the time, terrain, huge worlds | [`Hpa`](Self::Hpa) |
/// | shortest any-angle paths, static map | [`Straight`](Self::Straight) |
/// | any-angle paths, map edited all the time | [`Hpt`](Self::Hpt) |
/// | a single query, any map | [`Astar`](Self::Astar) |
///
/// [`Engine::choose`] picks one for a map, [`Engine::choose_any_angle`] one whose paths have any
/// angle, [`Engine::choose_shortest`] one whose paths are
/// always the shortest. The others are the stages these grew out
/// of, and references to compare with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Engine {
    /// Dijkstra's algorithm: optimal, no sense of direction. A reference.
    Dijkstra,
    /// A*: optimal on every map, no index.
    Astar,
    /// Basic Theta*: any-angle, close to the shortest, no index.
    Theta,
    /// Lazy Theta*: any-angle, faster than Theta* and hardly longer, no index.
    LazyTheta,
    /// HPA*: near-optimal through a hierarchy of clusters, cheap to edit.
    Hpa,
    /// HPT*: any-angle through a hierarchy of clusters, cheap to edit.
    Hpt,
    /// A simple subgoal graph: optimal.
    Ssg,
    /// A two-level subgoal graph: optimal.
    Tsg,
    /// A two-level subgoal graph without edges between local subgoals:
    /// near-optimal, smaller.
    Tl,
    /// An N-level subgoal graph by basic partitioning: optimal.
    Nsg,
    /// An N-level subgoal graph by advanced partitioning: optimal, the fastest of
    /// the subgoal graphs.
    NsgPlus,
    /// A hierarchy of groups with approximate costs: the first section of a path
    /// comes at once, and the path is as good as the costs.
    Groups,
    /// Hub labels of all cells: optimal, in about a microsecond. Labels that do not
    /// fit their memory budget are replaced by a short search, optimal too.
    Labels,
    /// An overlay of lines: optimal on every map, terrain included, cheap to edit.
    Overlay,
    /// Hub labels over corners: the shortest any-angle paths, in about a microsecond. Labels
    /// that do not fit their memory budget are replaced by labels of some corners and a search,
    /// optimal too.
    Straight,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Self; 15] = [
        Self::Dijkstra,
        Self::Astar,
        Self::Theta,
        Self::LazyTheta,
        Self::Hpa,
        Self::Hpt,
        Self::Ssg,
        Self::Tsg,
        Self::Tl,
        Self::Nsg,
        Self::NsgPlus,
        Self::Groups,
        Self::Labels,
        Self::Overlay,
        Self::Straight,
    ];

    /// Above this many cells, subgoal graphs are not chosen by default: on wide
    /// plains with scattered obstacles, four times as many cells took ten seconds
    /// and a gigabyte to prepare.
    const LARGE_MAP: usize = 1 << 22;
    /// Above this many cells, labels are not chosen by default: they would take
    /// more than seconds to build or exceed the default budget on most maps.
    const LABELLED_MAP: usize = 1 << 21;
    /// The same for the number of subgoals.
    const LABELLED_SUBGOALS: usize = 1 << 15;
    /// The same on fields of noise for labels of `straight`.
    const NOISY_SUBGOALS: usize = 1 << 12;

    /// The best engine for a map when the caller has no wishes, and the reason.
    ///
    /// # Complexity
    /// O(cells).
    pub fn choose(grid: &Grid) -> (Self, &'static str) {
        let cells = grid.width() * grid.height();
        match Self::NsgPlus.check(grid) {
            Ok(()) if cells > Self::LARGE_MAP => {
                (Self::Hpa, "nsg+ takes long to prepare on maps above four million cells")
            }
            Ok(()) if cells > Self::LABELLED_MAP => {
                (Self::NsgPlus, "optimal, and labels take long to prepare on maps above two million cells")
            }
            Ok(()) if subgoal_count(grid) > Self::LABELLED_SUBGOALS => {
                (Self::NsgPlus, "optimal, and labels take long to prepare on maps with so many corners")
            }
            Ok(()) => (Self::Labels, "optimal, and the fastest on static maps of uniform cost"),
            Err(Unsupported { instead, .. }) => {
                (instead, "fast on terrain weights, but not optimal there; shortest takes overlay")
            }
        }
    }

    /// The best engine for a map if its paths must be the shortest, and the reason.
    ///
    /// # Complexity
    /// O(cells).
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Engine, Grid};
    ///
    /// let mut grid = Grid::empty(50, 50)?;
    /// assert_eq!(Engine::choose_shortest(&grid).0, Engine::Labels);
    /// grid.set_weight(Cell::new(7, 7), 9)?;
    /// assert_eq!(Engine::choose_shortest(&grid).0, Engine::Overlay);
    /// assert_eq!(Engine::choose(&grid).0, Engine::Hpa);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose_shortest(grid: &Grid) -> (Self, &'static str) {
        match Self::choose(grid) {
            (engine, why) if engine.is_optimal() => (engine, why),
            _ if grid.is_uniform() => {
                (Self::Overlay, "optimal, and nsg+ takes long to prepare on maps above four million cells")
            }
            _ => (Self::Overlay, "optimal on terrain weights"),
        }
    }

    /// The best engine for a map if paths at any angle are wanted, and the reason. On maps with
    /// terrain weights no engine finds such paths, and this is [`Engine::choose`].
    ///
    /// # Complexity
    /// O(cells).
    ///
    /// # Example
    /// ```
    /// use farstride::{Diagonals, Engine, Grid, Rules};
    ///
    /// let grid = Grid::empty(50, 50)?;
    /// assert_eq!(Engine::choose_any_angle(&grid).0, Engine::Straight);
    /// let free = grid.with_rules(Rules { diagonals: Diagonals::Free, ..Rules::default() });
    /// assert_eq!(Engine::choose_any_angle(&free).0, Engine::Hpt);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose_any_angle(grid: &Grid) -> (Self, &'static str) {
        let cells = grid.width() * grid.height();
        // On noise corners see far: labels of 192 × 192 cells with a tenth of them blocked took half a
        // minute, and did not fit.
        let too_many = |subgoals: usize| {
            subgoals > Self::LABELLED_SUBGOALS
                || subgoals > Self::NOISY_SUBGOALS && subgoals * 5 > grid.free_count()
        };
        match Self::Straight.check(grid) {
            Ok(()) if cells > Self::LABELLED_MAP => {
                (Self::Hpt, "labels of straight take long to prepare on maps above two million cells")
            }
            Ok(()) if too_many(subgoal_count(grid)) => {
                (Self::Hpt, "labels of straight take long to prepare on maps with so many corners")
            }
            Ok(()) => (Self::Straight, "the shortest any-angle paths, and the fastest on static maps"),
            Err(_) if grid.is_uniform() => {
                (Self::Hpt, "straight needs the diagonal rules strict or one-side")
            }
            Err(_) => Self::choose(grid),
        }
    }

    /// The engine that replaces an automatically chosen one at the first edit: labels
    /// would have to be rebuilt after every edit.
    pub(crate) const fn after_edits(self) -> Self {
        match self {
            Self::Labels => Self::NsgPlus,
            Self::Straight => Self::Hpt,
            other => other,
        }
    }

    /// The engine's name, as [`Engine::from_str`] and the command line read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dijkstra => "dijkstra",
            Self::Astar => "astar",
            Self::Theta => "theta",
            Self::LazyTheta => "lazy-theta",
            Self::Hpa => "hpa",
            Self::Hpt => "hpt",
            Self::Ssg => "ssg",
            Self::Tsg => "tsg",
            Self::Tl => "tl",
            Self::Nsg => "nsg",
            Self::NsgPlus => "nsg+",
            Self::Groups => "groups",
            Self::Labels => "labels",
            Self::Overlay => "overlay",
            Self::Straight => "straight",
        }
    }

    /// What it finds, in one line of help.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Dijkstra => "shortest paths without a heuristic, for comparison",
            Self::Astar => "shortest paths on any map, no index",
            Self::Theta => "any-angle paths, close to the shortest, no index",
            Self::LazyTheta => "any-angle paths, a little longer and faster than theta",
            Self::Hpa => "near-optimal paths through a hierarchy of clusters; the index follows edits",
            Self::Hpt => "any-angle paths through a hierarchy of clusters; the index follows edits",
            Self::Ssg => "shortest paths over a simple subgoal graph",
            Self::Tsg => "shortest paths over a two-level subgoal graph",
            Self::Tl => "nearly always shortest paths; a smaller index than tsg",
            Self::Nsg => "shortest paths over an N-level subgoal graph",
            Self::NsgPlus => "the same with better levels: the fastest subgoal graph",
            Self::Groups => "sections of a path, planned as they are needed; the index follows edits",
            Self::Labels => "shortest paths by look-up, in about a microsecond; for static maps",
            Self::Overlay => "shortest paths on any terrain; the index follows edits",
            Self::Straight => "the shortest any-angle paths, by look-up, touching corners; for static maps",
        }
    }

    /// Whether its grid paths are always the shortest. Paths of `straight` are the shortest of
    /// all, but no grid paths.
    pub const fn is_optimal(self) -> bool {
        match self {
            Self::Dijkstra
            | Self::Astar
            | Self::Ssg
            | Self::Tsg
            | Self::Nsg
            | Self::NsgPlus
            | Self::Labels
            | Self::Overlay => true,
            Self::Theta
            | Self::LazyTheta
            | Self::Hpa
            | Self::Hpt
            | Self::Tl
            | Self::Groups
            | Self::Straight => false,
        }
    }

    /// Whether it prepares an [`Index`](super::Index), which can be saved and opened
    /// again ([`store`](crate::store)).
    pub const fn has_index(self) -> bool {
        self.default_settings().is_some()
    }

    /// Whether its paths are straight legs at any angle instead of steps.
    pub const fn is_any_angle(self) -> bool {
        match self {
            Self::Theta | Self::LazyTheta | Self::Hpt | Self::Straight => true,
            Self::Dijkstra
            | Self::Astar
            | Self::Hpa
            | Self::Ssg
            | Self::Tsg
            | Self::Tl
            | Self::Nsg
            | Self::NsgPlus
            | Self::Groups
            | Self::Labels
            | Self::Overlay => false,
        }
    }

    /// Checks that the engine can work on a map.
    ///
    /// # Errors
    /// [`Unsupported`] says why not and which engine to use instead.
    #[inline]
    pub fn check(self, grid: &Grid) -> Result<(), Unsupported> {
        if !grid.is_uniform() {
            return self.check_weighted();
        }
        if self == Self::Straight && !grid.rules().diagonals.keeps_gaps_closed() {
            return Err(Unsupported { engine: self, why: GAPS, instead: Self::Hpt });
        }
        Ok(())
    }

    fn check_weighted(self) -> Result<(), Unsupported> {
        let (why, instead) = match self {
            Self::Dijkstra | Self::Astar | Self::Hpa | Self::Groups | Self::Overlay => return Ok(()),
            Self::Theta | Self::LazyTheta => (STRAIGHT, Self::Astar),
            Self::Hpt | Self::Straight => (STRAIGHT, Self::Hpa),
            Self::Ssg | Self::Tsg | Self::Tl | Self::Nsg | Self::NsgPlus | Self::Labels => (BENT, Self::Hpa),
        };
        Err(Unsupported { engine: self, why, instead })
    }
}

/// Why any-angle engines refuse weights.
const STRAIGHT: &str = "any-angle costs are lengths, and this map has terrain weights";
/// Why `straight` refuses some diagonal rules.
const GAPS: &str = "its paths keep to the touch rule, which fits the rules strict and one-side only";
/// Why subgoal engines and labels refuse weights.
const BENT: &str = "subgoals are where paths bend on uniform ground, and this map has terrain weights";

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let known = Self::ALL.into_iter().find(|engine| engine.name() == name);
        known.ok_or_else(|| UnknownEngine { found: name.to_owned() })
    }
}

/// A name that is not the name of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownEngine {
    /// The name that was given.
    pub found: String,
}

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no engine is called '{}'; there are", self.found)?;
        Engine::ALL.iter().try_for_each(|engine| write!(f, " {engine}"))
    }
}

impl Error for UnknownEngine {}

/// An engine was asked to work on a map it does not support.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unsupported {
    /// The engine asked for.
    pub engine: Engine,
    /// The reason.
    pub why: &'static str,
    /// An engine that supports the map.
    pub instead: Engine,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, why, instead } = self;
        write!(f, "{engine} cannot be used here: {why}; use {instead} instead")
    }
}

impl Error for Unsupported {}

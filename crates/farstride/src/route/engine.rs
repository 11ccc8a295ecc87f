//! The engines and what each of them promises.

use crate::grid::Grid;
use crate::subgoal::subgoal_count;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A way to find paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Engine {
    /// Dijkstra's algorithm: optimal, without a sense of direction. For
    /// comparison.
    Dijkstra,
    /// A*: optimal on every map, no preparation.
    Astar,
    /// Basic Theta*: any-angle, close to the shortest.
    Theta,
    /// Lazy Theta*: any-angle, faster and hardly longer.
    LazyTheta,
    /// HPA*: near-optimal through a hierarchy of clusters, cheap to edit.
    Hpa,
    /// HPT*: any-angle through a hierarchy of clusters, cheap to edit.
    Hpt,
    /// A simple subgoal graph: optimal.
    Ssg,
    /// A two-level subgoal graph: optimal.
    Tsg,
    /// The same without edges between local subgoals: near-optimal.
    Tl,
    /// An N-level subgoal graph made by basic partitioning: optimal.
    Nsg,
    /// An N-level subgoal graph made by advanced partitioning: optimal, and
    /// the fastest of them.
    NsgPlus,
    /// A hierarchy of blocks with approximate costs between them: the first
    /// section of a path is known at once, and the path is as good as the costs.
    Groups,
    /// Labels of all cells: optimal, in about a microsecond. Where they do not fit
    /// into their budget, optimal with a short search.
    Labels,
}

impl Engine {
    /// Every engine there is.
    pub const ALL: [Self; 13] = [
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
    ];

    /// Cells from which on a subgoal graph is not made unasked: on wide plains
    /// with many single obstacles that takes ten seconds and a gigabyte for
    /// four times as many.
    const LARGE_MAP: usize = 1 << 22;

    /// Cells up to which labels are made unasked: seconds of preparation, and
    /// within the usual budget for most maps.
    const LABELLED_MAP: usize = 1 << 21;
    /// Subgoals up to which they are.
    const LABELLED_SUBGOALS: usize = 1 << 15;

    /// The engine that suits a map best when nothing else is asked for, and
    /// why. Takes the time of a look at every cell.
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
            Ok(()) => {
                (Self::Labels, "optimal, and the fastest on maps of uniform cost that stay as they are")
            }
            Err(Unsupported { instead, why, .. }) => (instead, why),
        }
    }

    /// The engine that a map which is edited is left to, if it was chosen by
    /// the map: labels would be made anew each time.
    pub(super) const fn after_edits(self) -> Self {
        match self {
            Self::Labels => Self::NsgPlus,
            other => other,
        }
    }

    /// The name used on the command line.
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
        }
    }

    /// Whether its grid paths are always the shortest.
    pub const fn is_optimal(self) -> bool {
        matches!(
            self,
            Self::Dijkstra | Self::Astar | Self::Ssg | Self::Tsg | Self::Nsg | Self::NsgPlus | Self::Labels
        )
    }

    /// Whether it searches a hierarchy of clusters.
    pub const fn uses_hierarchy(self) -> bool {
        matches!(self, Self::Hpa | Self::Hpt)
    }

    /// Whether it searches a subgoal graph.
    pub const fn uses_subgoals(self) -> bool {
        matches!(self, Self::Ssg | Self::Tsg | Self::Tl | Self::Nsg | Self::NsgPlus)
    }

    /// Whether it prepares something that can be saved and opened again
    /// ([`store`](crate::store)).
    pub const fn has_index(self) -> bool {
        self.uses_hierarchy() || self.uses_subgoals() || matches!(self, Self::Groups | Self::Labels)
    }

    /// Whether its paths consist of legs at any angle instead of steps.
    pub const fn is_any_angle(self) -> bool {
        matches!(self, Self::Theta | Self::LazyTheta | Self::Hpt)
    }

    /// Whether the engine can work on `grid`.
    ///
    /// # Errors
    /// [`Unsupported`] says why not and what to use instead.
    pub fn check(self, grid: &Grid) -> Result<(), Unsupported> {
        if self.is_any_angle() && !grid.is_uniform() {
            let why = "any-angle costs are lengths, and this map has terrain weights";
            let instead = if self == Self::Hpt { Self::Hpa } else { Self::Astar };
            return Err(Unsupported { engine: self, why, instead });
        }
        if (self.uses_subgoals() || self == Self::Labels) && !grid.is_uniform() {
            let why = "subgoals are where paths bend on uniform ground, and this map has terrain weights";
            return Err(Unsupported { engine: self, why, instead: Self::Hpa });
        }
        Ok(())
    }
}

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

/// A name that no engine has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEngine {
    /// The name.
    pub found: String,
}

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no engine is called '{}'; there are", self.found)?;
        Engine::ALL.iter().try_for_each(|engine| write!(f, " {engine}"))
    }
}

impl Error for UnknownEngine {}

/// A map that an engine cannot work on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The engine asked for.
    pub engine: Engine,
    /// What stands in the way.
    pub why: &'static str,
    /// An engine that can do it.
    pub instead: Engine,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, why, instead } = self;
        write!(f, "{engine} cannot be used here: {why}; use {instead} instead")
    }
}

impl Error for Unsupported {}

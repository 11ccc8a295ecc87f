//! What an engine has prepared from the map.

use super::{Engine, Planner};
use crate::base::crew::all_cores;
use crate::grid::Grid;
use crate::groups::{BlockSettings, GridGroups, GroupTactics};
use crate::hpa::{self, Hierarchy, Tactics};
use crate::labels::{self, GridLabels};
use crate::subgoal::{self, Partition, SubgoalGraph};
use std::sync::Arc;

/// What an engine has prepared from the map.
#[derive(Clone, Debug)]
pub(super) enum Prepared {
    Nothing,
    Hierarchy(Arc<Hierarchy>),
    Subgoals(Arc<SubgoalGraph>),
    Groups(Arc<GridGroups>),
    Labels(Arc<GridLabels>),
}

/// How that was made and is used: a paused search goes on only with the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    Plain,
    Hierarchy(hpa::Settings, Tactics),
    Subgoals(subgoal::Settings),
    Groups(BlockSettings, GroupTactics),
    Labels(labels::Settings),
}

impl Prepared {
    /// What an engine needs, by default settings.
    pub(super) fn build(grid: &Grid, engine: Engine) -> Self {
        if let Some(partition) = engine.default_partition() {
            let settings = subgoal::Settings::new(partition);
            return Self::Subgoals(SubgoalGraph::build(grid, settings).into());
        }
        if let Some(settings) = engine.default_hierarchy() {
            return Self::Hierarchy(Hierarchy::build_in_range(grid, settings).into());
        }
        if let Some(settings) = engine.default_groups() {
            let groups = GridGroups::build_in_range(grid, settings, all_cores(), &|_, _| ());
            return Self::Groups(groups.into());
        }
        if let Some(settings) = engine.default_labels() {
            return Self::Labels(GridLabels::build(grid, settings).into());
        }
        Self::Nothing
    }

    /// Brings it up to date with an edited map.
    pub(super) fn catch_up(&mut self, grid: &Grid) {
        match self {
            Self::Hierarchy(hierarchy) if !hierarchy.is_current(grid) => {
                Arc::make_mut(hierarchy).catch_up(grid);
            }
            Self::Subgoals(graph) if !graph.is_current(grid) => {
                Arc::make_mut(graph).catch_up(grid);
            }
            Self::Groups(groups) if !groups.is_current(grid) => {
                Arc::make_mut(groups).catch_up(grid);
            }
            // Nobody can ask for labels of a map with weights.
            Self::Labels(labels) if !labels.is_current(grid) && grid.is_uniform() => {
                *labels = GridLabels::build(grid, labels.settings()).into();
            }
            _ => {}
        }
    }
}

impl Engine {
    /// How the engine abstracts a map by default, if it does.
    pub const fn default_hierarchy(self) -> Option<hpa::Settings> {
        match self {
            Self::Hpa => Some(hpa::Settings::astar()),
            Self::Hpt => Some(hpa::Settings::any_angle()),
            _ => None,
        }
    }

    /// The engine that searches a hierarchy made with this searcher.
    pub const fn of_local(local: hpa::Local) -> Self {
        if local.is_any_angle() { Self::Hpt } else { Self::Hpa }
    }

    /// How the engine groups blocks by default, if it does.
    pub const fn default_groups(self) -> Option<BlockSettings> {
        match self {
            Self::Groups => Some(BlockSettings::DEFAULT),
            _ => None,
        }
    }

    /// How the engine makes labels by default, if it does.
    pub const fn default_labels(self) -> Option<labels::Settings> {
        match self {
            Self::Labels => Some(labels::Settings::DEFAULT),
            _ => None,
        }
    }

    /// How the engine partitions subgoals, if it uses any.
    pub const fn default_partition(self) -> Option<Partition> {
        match self {
            Self::Ssg => Some(Partition::Simple),
            Self::Tsg => Some(Partition::TwoLevel),
            Self::Tl => Some(Partition::TwoLevelLossy),
            Self::Nsg => Some(Partition::Basic(None)),
            Self::NsgPlus => Some(Partition::Advanced(None)),
            _ => None,
        }
    }

    /// The engine that searches a subgoal graph partitioned so.
    pub const fn of_partition(partition: Partition) -> Self {
        match partition {
            Partition::Simple => Self::Ssg,
            Partition::TwoLevel => Self::Tsg,
            Partition::TwoLevelLossy => Self::Tl,
            Partition::Basic(_) => Self::Nsg,
            Partition::Advanced(_) => Self::NsgPlus,
        }
    }
}

impl Planner {
    /// How what is prepared was made and is used.
    pub(super) fn manner(&self) -> Manner {
        match &self.prepared {
            Prepared::Nothing => Manner::Plain,
            Prepared::Hierarchy(hierarchy) => Manner::Hierarchy(*hierarchy.settings(), self.tactics),
            Prepared::Subgoals(graph) => Manner::Subgoals(graph.settings()),
            Prepared::Groups(groups) => Manner::Groups(groups.settings(), self.group_tactics),
            Prepared::Labels(labels) => Manner::Labels(labels.settings()),
        }
    }

    /// The abstraction, unless it is out of date because an edit panicked: then
    /// queries are answered by A*.
    pub(super) fn current_hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy().filter(|hierarchy| hierarchy.is_current(&self.grid))
    }

    /// The subgoal graph, with the same exception.
    pub(super) fn current_subgoals(&self) -> Option<&SubgoalGraph> {
        self.subgoals().filter(|graph| graph.is_current(&self.grid))
    }

    /// The labels, with the same exception.
    #[inline]
    pub(super) fn current_labels(&self) -> Option<&GridLabels> {
        self.labels().filter(|labels| labels.is_current(&self.grid))
    }

    /// The groups, with the same exception.
    pub(super) fn current_groups(&self) -> Option<&GridGroups> {
        self.groups().filter(|groups| groups.is_current(&self.grid))
    }
}

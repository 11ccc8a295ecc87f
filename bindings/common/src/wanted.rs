//! Planners by the name of an engine.

use crate::{Failure, Settings, Value};
use farstride::error::{BuildError, Cancelled};
use farstride::index::BuildOptions;
use farstride::{Engine, Grid, Index, Planner};
use std::sync::Arc;

/// A planner that is wanted: an engine with its settings, or one that the map chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// [`Planner::new`].
    Auto,
    /// [`Planner::shortest`].
    Shortest,
    /// [`Planner::any_angle`].
    AnyAngle,
    /// An engine and its settings.
    Named(Engine, Settings),
}

impl Wanted {
    /// By the name of an engine, `shortest`, `any-angle`, or none, and settings by name.
    ///
    /// # Errors
    /// [`Failure`] lists the names there are, names a wrong setting, or says that the engine does not
    /// support the map.
    pub fn read(name: Option<&str>, given: &[(String, Value)], grid: &Grid) -> Result<Self, Failure> {
        let chosen = match name {
            None => Self::Auto,
            Some("shortest") => Self::Shortest,
            Some("any-angle") => Self::AnyAngle,
            Some(name) => {
                let names = |error| Failure::settings(format!("{error}, shortest and any-angle"));
                let engine = name.parse::<Engine>().map_err(names)?;
                engine.check(grid)?;
                let settings = Settings::read(engine, given)?;
                settings.check()?;
                return Ok(Self::Named(engine, settings));
            }
        };
        if given.is_empty() {
            Ok(chosen)
        } else {
            Err(Failure::settings("settings belong to an engine; name one"))
        }
    }

    /// Makes the planner, which answers by its settings.
    ///
    /// # Errors
    /// [`Failure`] if the options cancel the build.
    pub fn build(self, grid: &Arc<Grid>, options: &BuildOptions<'_>) -> Result<(Planner, Settings), Failure> {
        let cancelled = |error: Cancelled| Failure::from(BuildError::from(error));
        let map = Arc::clone(grid);
        let planner = match self {
            Self::Auto => Planner::new_with(map, options).map_err(cancelled)?,
            Self::Shortest => Planner::shortest_with(map, options).map_err(cancelled)?,
            Self::AnyAngle => Planner::any_angle_with(map, options).map_err(cancelled)?,
            Self::Named(engine, settings) => {
                let planner = match settings.index {
                    None => Planner::with_engine(map, engine)?,
                    Some(wanted) => {
                        let index = Index::build_with(grid, wanted, options)?;
                        Planner::with_index(map, index).map_err(Failure::index)?
                    }
                };
                return Ok((settings.applied_to(planner), settings));
            }
        };
        let settings = Settings::of(planner.engine());
        Ok((planner, settings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{apply, change, parse};

    fn built(name: Option<&str>, settings: &str, grid: &Arc<Grid>) -> Result<(Planner, Settings), Failure> {
        Wanted::read(name, &parse(settings)?, grid)?.build(grid, &BuildOptions::new())
    }

    #[test]
    fn maps_choose_and_follow_edits() {
        let grid = Arc::new(Grid::empty(20, 20).unwrap());
        let wall = change(&grid, [5, 0, 1, 15, 0]).unwrap();
        for (name, first, after) in [
            (None, Engine::Labels, Engine::NsgPlus),
            (Some("shortest"), Engine::Labels, Engine::NsgPlus),
            (Some("any-angle"), Engine::Straight, Engine::Hpt),
            (Some("straight"), Engine::Straight, Engine::Straight),
        ] {
            let (mut planner, settings) = built(name, "", &grid).unwrap();
            assert_eq!((planner.engine(), settings), (first, Settings::of(first)));
            apply(&mut planner, &[wall]).unwrap();
            assert_eq!(planner.engine(), after, "{name:?}");
        }
    }

    #[test]
    fn settings_need_an_engine() {
        let grid = Arc::new(Grid::empty(20, 20).unwrap());
        for name in [None, Some("shortest"), Some("any-angle")] {
            let message = built(name, "cluster=16", &grid).unwrap_err().message;
            assert_eq!(message, "settings belong to an engine; name one");
        }
        let message = built(Some("bfs"), "", &grid).unwrap_err().message;
        assert!(message.contains("astar") && message.ends_with("shortest and any-angle"), "{message}");
        let (planner, _) = built(Some("straight"), "rule=body", &grid).unwrap();
        let rule = crate::parse("rule=touch").unwrap();
        assert_ne!(
            planner.index().map(Index::settings),
            Settings::read(Engine::Straight, &rule).unwrap().index
        );
    }
}

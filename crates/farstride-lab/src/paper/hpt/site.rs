//! A map, its problems, and the planners that answer them.

use super::methods::{Method, Setup};
use super::published::MAPS;
use crate::paper::book::Searcher;
use crate::paper::scenario::{scenario_of, spread};
use farstride::hpa::{Hierarchy, HpaSettings, Tactics};
use farstride::index::BuildOptions;
use farstride::straight::StraightSettings;
use farstride::{Cell, Diagonals, Engine, Grid, Index, Planner, Query, Rect, Rules};
use farstride_io::movingai::{self, ScenarioQuery};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A map and what is asked on it.
pub(super) struct Site {
    pub(super) name: String,
    pub(super) grid: Arc<Grid>,
    /// Everything that its scenario lists.
    pub(super) listed: Vec<ScenarioQuery>,
    /// Solvable problems with different ends.
    pub(super) problems: Vec<ScenarioQuery>,
}

/// The maps of the thesis that a folder holds.
pub(super) fn map_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !folder.is_dir() {
        return Err(format!("cannot read {}: no such folder", folder.display()).into());
    }
    let files = MAPS.iter().map(|name| folder.join(name).with_extension("map"));
    let found: Vec<PathBuf> = files.filter(|file| file.exists()).collect();
    if found.is_empty() {
        let expected = MAPS.join(", ");
        return Err(format!(
            "no maps of the thesis in {}: expected {expected} with .map and .map.scen",
            folder.display()
        )
        .into());
    }
    Ok(found)
}

impl Site {
    /// Loads a map and at most `limit` of its problems. Errors cross threads as
    /// text.
    pub(super) fn load(file: &Path, limit: usize) -> Result<Self, String> {
        let grid = movingai::load_map(file).map_err(|error| error.to_string())?;
        let listed = movingai::load_scenario(&scenario_of(file), &grid).map_err(|error| error.to_string())?;
        let asked = |query: &&ScenarioQuery| query.is_solvable() && query.start != query.goal;
        let problems: Vec<_> = listed.iter().filter(asked).copied().collect();
        Ok(Self {
            name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            grid: Arc::new(grid),
            listed,
            problems: spread(&problems, limit),
        })
    }

    /// The same map with another rule for diagonal steps.
    pub(super) fn grid_under(&self, diagonals: Diagonals) -> Arc<Grid> {
        let rules = Rules { diagonals, ..self.grid.rules() };
        Arc::new(Grid::clone(&self.grid).with_rules(rules))
    }
}

/// A problem as planners take it.
pub(super) fn query_of(problem: &ScenarioQuery) -> Query {
    Query::new(problem.start, problem.goal)
}

/// How a method answers queries on a map.
pub(super) enum Way {
    /// By a planner.
    Planner(Planner),
    /// By a search of the whole map as textbooks have it.
    Book(Searcher),
    /// By a planner, its searches inside clusters counted by the book.
    BookInside(Planner),
}

/// Every method, ready for queries.
pub(super) struct Ways {
    /// By [`Method`].
    pub(super) all: Vec<Way>,
    /// The shortest any-angle paths, to compare lengths with.
    pub(super) straight: Planner,
    /// Of the thesis.
    pub(super) clusters: Clusters,
}

impl Ways {
    /// Builds every hierarchy once, each on one core: maps share the cores.
    pub(super) fn build(grid: &Arc<Grid>) -> Result<Self, Box<dyn Error>> {
        let mut built = Built { grid, hierarchies: Vec::new() };
        let all = Method::ALL.into_iter().map(|method| built.way(method)).collect::<Result<_, _>>()?;
        let clusters =
            Clusters::of(built.hierarchical(HpaSettings::thesis())?.index().and_then(Index::hierarchy));
        let options = BuildOptions::new().threads(1);
        let straight = Index::build_with(grid, StraightSettings::default(), &options)?;
        let straight = Planner::with_index(Arc::clone(grid), straight)?;
        Ok(Self { all, straight, clusters })
    }
}

/// The hierarchies of a map that were asked for so far.
struct Built<'g> {
    grid: &'g Arc<Grid>,
    hierarchies: Vec<(HpaSettings, Planner)>,
}

impl Built<'_> {
    fn way(&mut self, method: Method) -> Result<Way, Box<dyn Error>> {
        Ok(match method.setup() {
            Setup::Book(searcher) => Way::Book(searcher),
            Setup::BookInside(settings) => {
                Way::BookInside(self.hierarchical(settings)?.with_tactics(Tactics::thesis()))
            }
            Setup::Engine(engine) => Way::Planner(plain(self.grid, engine)?),
            Setup::Hierarchy(settings, tactics) => {
                Way::Planner(self.hierarchical(settings)?.with_tactics(tactics))
            }
        })
    }

    fn hierarchical(&mut self, settings: HpaSettings) -> Result<Planner, Box<dyn Error>> {
        if let Some((_, planner)) = self.hierarchies.iter().find(|(other, _)| *other == settings) {
            return Ok(planner.clone());
        }
        let planner = hierarchical(self.grid, settings)?;
        self.hierarchies.push((settings, planner.clone()));
        Ok(planner)
    }
}

/// An engine that prepares nothing.
pub(super) fn plain(grid: &Arc<Grid>, engine: Engine) -> Result<Planner, Box<dyn Error>> {
    Ok(Planner::with_engine(Arc::clone(grid), engine)?)
}

/// HPA* or HPT*, depending on the settings.
fn hierarchical(grid: &Arc<Grid>, settings: HpaSettings) -> Result<Planner, Box<dyn Error>> {
    let index = Index::build_with(grid, settings, &BuildOptions::new().threads(1))?;
    Ok(Planner::with_index(Arc::clone(grid), index)?)
}

/// HPA* and HPT* of the thesis with clusters of some size.
pub(super) struct Couple {
    pub(super) hpa: Planner,
    pub(super) hpt: Planner,
    pub(super) clusters: Clusters,
}

impl Couple {
    pub(super) fn build(grid: &Arc<Grid>, cluster: u16) -> Result<Self, Box<dyn Error>> {
        let hpa = hierarchical(grid, HpaSettings::paper(1).with_cluster(cluster))?;
        let hpt = hierarchical(grid, HpaSettings::thesis().with_cluster(cluster))?;
        let clusters = Clusters::of(hpa.index().and_then(Index::hierarchy));
        let [hpa, hpt] = [hpa, hpt].map(|planner| planner.with_tactics(Tactics::thesis()));
        Ok(Self { hpa, hpt, clusters })
    }
}

/// The clusters of a hierarchy with the cells of their nodes.
pub(super) struct Clusters {
    side: u16,
    across: usize,
    areas: Vec<Rect>,
    nodes: Vec<Vec<Cell>>,
}

impl Clusters {
    /// No hierarchy has no clusters.
    fn of(hierarchy: Option<&Hierarchy>) -> Self {
        let side = hierarchy.map_or(1, |hierarchy| hierarchy.settings().cluster);
        let areas: Vec<Rect> = hierarchy.iter().flat_map(|hierarchy| hierarchy.clusters(1)).collect();
        let first_row = areas.iter().take_while(|area| area.min().y == 0);
        let mut clusters =
            Self { side, across: first_row.count(), nodes: vec![Vec::new(); areas.len()], areas };
        for node in hierarchy.iter().flat_map(|hierarchy| hierarchy.nodes()) {
            let number = clusters.number(node.cell);
            clusters.nodes[number].push(node.cell);
        }
        clusters
    }

    fn number(&self, cell: Cell) -> usize {
        usize::from(cell.y / self.side) * self.across + usize::from(cell.x / self.side)
    }

    /// The cluster that holds a cell.
    pub(super) fn area(&self, cell: Cell) -> Rect {
        self.areas[self.number(cell)]
    }

    /// The nodes of that cluster.
    pub(super) fn nodes(&self, cell: Cell) -> &[Cell] {
        &self.nodes[self.number(cell)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_nodes_are_in_their_clusters() {
        let grid = Arc::new(Grid::empty(37, 23).unwrap());
        let couple = Couple::build(&grid, 10).unwrap();
        let mut nodes = 0;
        for cell in grid.area().cells() {
            let area = couple.clusters.area(cell);
            assert!(
                area.contains(cell) && couple.clusters.nodes(cell).iter().all(|&node| area.contains(node))
            );
            nodes += usize::from(couple.clusters.nodes(cell).contains(&cell));
        }
        for planner in [&couple.hpa, &couple.hpt] {
            assert_eq!(planner.index().and_then(Index::hierarchy).unwrap().nodes().count(), nodes);
        }
    }
}

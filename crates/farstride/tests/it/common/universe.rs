//! Small maps, all of them.

use super::small::{SmallMap, UNREACHABLE};
use farstride::index::BuildOptions;
use farstride::subgoal::{SubgoalGraph, SubgoalSettings};
use farstride::{Engine, Index, Planner, Query, Rules, Scratch};

/// All maps of one size that a bit pattern can draw, and how one moves there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Universe {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rules: Rules,
    pub(crate) engine: Engine,
}

impl Universe {
    fn cells(self) -> usize {
        self.width * self.height
    }

    /// The map whose free cells are the set bits.
    fn map(self, free: usize) -> SmallMap {
        let Self { width, height, rules, .. } = self;
        SmallMap { width, height, rules, free: free as u64 }
    }

    /// A planner for a map whose free cells are the set bits. Subgoal graphs
    /// are made on this thread: the next one is busy with other maps.
    fn planner(self, free: usize) -> Planner {
        let grid = self.map(free).grid(0);
        let Some(settings) = self.engine.default_settings() else {
            return Planner::with_engine(grid, self.engine).unwrap();
        };
        let graph = Index::build_with(&grid, settings, &BuildOptions::new().threads(1)).unwrap();
        Planner::with_index(grid, graph).unwrap()
    }

    /// Whether no map that a symmetry of the square turns this one into has a
    /// smaller number; for square maps.
    pub(crate) fn is_first_of_its_kind(self, free: usize) -> bool {
        self.map(free).is_first_of_its_kind()
    }

    /// Asks for the way between all cells of some maps; how many there were.
    fn check(self, maps: impl Iterator<Item = usize>) -> usize {
        let mut scratch = Scratch::new();
        let mut found = 0;
        for free in maps {
            let planner = self.planner(free);
            let map = self.map(free);
            let steps = map.steps();
            let best = map.distances(&steps);
            for from in 0..self.cells() {
                for to in (0..self.cells()).filter(|&to| to != from) {
                    let query = Query::new(map.cell(from), map.cell(to));
                    let outcome = planner.find(query, &mut scratch).unwrap();
                    let cost = outcome.route().map_or(UNREACHABLE, |route| {
                        let path = route.path().cells();
                        assert_eq!((path.first(), path.last()), (Some(&query.start), Some(&query.goal)));
                        let steps =
                            path.windows(2).map(|step| steps.at(map.index(step[0]), map.index(step[1])));
                        let walked = steps.fold(0, u32::saturating_add);
                        assert_eq!(u64::from(walked), route.cost().units());
                        walked
                    });
                    assert_eq!(cost, best.at(from, to), "map {free:#b}, {from} to {to}, {self:?}");
                    found += usize::from(cost < UNREACHABLE);
                }
            }
        }
        found
    }

    /// Asks for every way on every map there is.
    pub(crate) fn check_all(self) -> usize {
        self.check_those(|_| true)
    }

    /// Asks for every way on the maps that are chosen, on two threads.
    pub(crate) fn check_those(self, chosen: impl Fn(usize) -> bool + Copy + Send) -> usize {
        let maps = 1_usize << self.cells();
        std::thread::scope(|scope| {
            let other = scope.spawn(move || self.check((0..maps).step_by(2).filter(|&map| chosen(map))));
            let found = self.check((1..maps).step_by(2).filter(|&map| chosen(map)));
            found + other.join().expect("the other half holds as well")
        })
    }
}

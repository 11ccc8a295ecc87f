//! Taut links: those after which a shortest path may bend.
//!
//! On an empty map, the shortest paths between two cells fill a parallelogram, or a
//! rectangle on 4-connected maps. Two cells are *linked* if all of these paths are
//! legal. A link to a subgoal is *taut* if a shortest path that arrives by it may
//! bend around a corner there: the corner holds the bend, as it would hold a string
//! under tension. Any two cells that are connected but not linked have a shortest
//! path of links that are taut at every subgoal it bends at (proved in
//! `docs/labels-proof.md`). On wide ground these are a third of what is
//! direct-h-reachable.

use super::clearance::{Clearance, Leg, Spots, beside, beyond, shift};
use super::corner::Corners;
use super::heading::{self, directions, is_detour, side};
use crate::base::crew::{Crew, Watch};
use crate::base::{Cancelled, Cell, Direction, NodeId};
use crate::grid::{Bits, Diagonals, Grid};

/// A link from a cell to a subgoal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TautLink {
    /// The subgoal's number in reading order.
    pub(crate) subgoal: u32,
    /// Number of straight steps.
    pub(crate) straight: u32,
    /// Number of diagonal steps.
    pub(crate) diagonal: u32,
}

/// Finds taut links on a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TautLinks<'l> {
    grid: &'l Grid,
    clearance: &'l Clearance,
    table: &'static Table,
}

/// For each set of corners and class of arrival, the directions in which a path may
/// leave if it bends around one of these corners, one bit each.
type Table = [[u8; 16]; 16];

static ONWARD: [Table; 4] =
    [table(Diagonals::Strict), table(Diagonals::OneSide), table(Diagonals::Free), table(Diagonals::None)];

/// Computes [`ONWARD`] for a rule.
const fn table(rule: Diagonals) -> Table {
    let mut table = [[0; 16]; 16];
    let mut corners = 0;
    while corners < 16 {
        let mut pair = 0;
        while pair < 128 {
            let (arrival, departure) = (pair / 8, pair % 8);
            if bends(rule, corners as u8, directions(rule, arrival as u8), Direction::ALL[departure]) {
                table[corners][arrival] |= 1 << departure;
            }
            pair += 1;
        }
        corners += 1;
    }
    table
}

/// Whether a path whose last step may have any of some directions can go on in
/// another one, and a corner holds the bend.
///
/// The steps of a link come in any order. So no last step may make the turn a
/// detour, and one that a corner holds is enough.
const fn bends(rule: Diagonals, corners: u8, last: u8, departure: Direction) -> bool {
    let mut held = false;
    let mut d = 0;
    while d < 8 {
        let arrival = Direction::ALL[d];
        if last >> d & 1 != 0 {
            if is_detour(rule, corners, arrival, departure) {
                return false;
            }
            held |= is_held(rule, corners, arrival, departure);
        }
        d += 1;
    }
    held
}

/// Whether a step to a cell with these corners and a step on from there cannot be
/// exchanged. They must not be a detour.
const fn is_held(rule: Diagonals, corners: u8, arrival: Direction, departure: Direction) -> bool {
    let (ax, ay) = arrival.delta();
    let (bx, by) = departure.delta();
    if ax == bx && ay == by {
        return false;
    }
    // The cell that the other order would have to pass.
    let (x, y) = match (rule, arrival.is_diagonal(), departure.is_diagonal()) {
        (Diagonals::OneSide | Diagonals::Free, _, _) => {
            return corners >> side(bx - ax, by - ay) & 1 != 0;
        }
        (_, false, true) => (bx - 2 * ax, by - 2 * ay),
        (_, true, false) => (2 * bx - ax, 2 * by - ay),
        _ => (bx - ax, by - ay),
    };
    corners >> ((x > 0) as u8 + 2 * (y > 0) as u8) & 1 != 0
}

impl<'l> TautLinks<'l> {
    /// Taut links on a map, given its clearances.
    pub(crate) fn new(grid: &'l Grid, clearance: &'l Clearance) -> Self {
        Self { grid, clearance, table: &ONWARD[grid.rules().diagonals as usize] }
    }

    /// Calls `visit` with every link from a free cell that is taut at its subgoal,
    /// each once, always in the same order.
    #[inline]
    pub(crate) fn for_each(&self, cell: Cell, mut visit: impl FnMut(TautLink)) {
        self.for_each_leg(cell, |leg| visit(self.link(leg)));
    }

    /// Calls `visit` with every link from a subgoal that is taut at both ends.
    fn for_each_edge(&self, subgoal: Cell, mut visit: impl FnMut(TautLink)) {
        self.for_each_leg(subgoal, |leg| {
            if self.is_taut(subgoal, heading::back(leg.class)) {
                visit(self.link(leg));
            }
        });
    }

    /// Calls `visit` with the cells that have a link to `subgoal` that is taut
    /// there, in stretches of rows and columns given by their two ends. Each cell
    /// is in exactly one of them.
    ///
    /// The same links as [`TautLinks::for_each`] finds, seen from the other end.
    /// For labels of all cells, searching from every cell took half of the build.
    pub(crate) fn for_each_stretch(&self, subgoal: Cell, mut visit: impl FnMut(Cell, Cell)) {
        let taut = |class: u8| self.is_taut(subgoal, heading::back(class));
        let spots = self.clearance.spots(subgoal);
        let (rows, columns) = (self.grid.bits(), self.grid.columns());
        let [left, right] = [rows.free_before(spots.row), rows.free_after(spots.row)];
        let [up, down] = [columns.free_before(spots.column), columns.free_after(spots.column)];
        let mut straight = |direction: Direction, steps: usize| {
            if steps > 0 && taut(direction as u8) {
                visit(subgoal.step(direction), subgoal.walk_within(direction, steps as u32));
            }
        };
        straight(Direction::West, left);
        straight(Direction::East, right);
        straight(Direction::North, up);
        straight(Direction::South, down);
        let visit = &mut visit;
        self.stretches_of_quarter::<false, false>(subgoal, [left, up], &taut, visit);
        self.stretches_of_quarter::<true, false>(subgoal, [right, up], &taut, visit);
        self.stretches_of_quarter::<false, true>(subgoal, [left, down], &taut, visit);
        self.stretches_of_quarter::<true, true>(subgoal, [right, down], &taut, visit);
    }

    /// The stretches of one quarter, without its row and column.
    fn stretches_of_quarter<const RIGHT: bool, const DOWN: bool>(
        &self,
        subgoal: Cell,
        clear: [usize; 2],
        taut: &impl Fn(u8) -> bool,
        visit: &mut impl FnMut(Cell, Cell),
    ) {
        let quarter = u8::from(RIGHT) + 2 * u8::from(DOWN);
        if self.grid.rules().diagonals == Diagonals::None {
            if taut(heading::mixed(quarter, false)) {
                self.for_each_row::<RIGHT, DOWN>(subgoal, clear, |here, _, side| {
                    visit(beside::<RIGHT>(here, 1), beside::<RIGHT>(here, side));
                });
            }
            return;
        }
        let classes = [heading::mixed(quarter, true), heading::mixed(quarter, false)];
        let ([across, along], diagonal) = (classes.map(taut), taut(heading::diagonal(quarter) as u8));
        if !across && !along && !diagonal {
            return;
        }
        self.for_each_diagonal::<RIGHT, DOWN>(subgoal, clear, |here, _, [row, column]| {
            if diagonal {
                visit(here.0, here.0);
            }
            if across && row > 0 {
                visit(beside::<RIGHT>(here.0, 1), beside::<RIGHT>(here.0, row));
            }
            if along && column > 0 {
                visit(beyond::<DOWN>(here.0, 1), beyond::<DOWN>(here.0, column));
            }
        });
    }

    /// Whether a path that arrives at a subgoal in this class may bend there.
    #[inline]
    fn is_taut(&self, subgoal: Cell, arrival: u8) -> bool {
        let corners = usize::from(Corners::at(self.grid, subgoal).turns());
        self.grid.moves_inside(subgoal).meets(self.table[corners][usize::from(arrival)])
    }

    #[inline]
    fn link(&self, leg: Leg) -> TautLink {
        let subgoal = self.clearance.number(leg.to);
        TautLink { subgoal, straight: leg.straight, diagonal: leg.diagonal }
    }

    /// Calls `visit` with every leg from a cell that is taut at its end.
    #[inline]
    fn for_each_leg(&self, cell: Cell, mut visit: impl FnMut(Leg)) {
        let spots = self.clearance.spots(cell);
        let mut visit = |leg: Leg| {
            if self.is_taut(leg.to, leg.class) {
                visit(leg);
            }
        };
        let left = self.look_across::<false>(cell, spots, &mut visit);
        let right = self.look_across::<true>(cell, spots, &mut visit);
        let up = self.look_along::<false>(cell, spots, &mut visit);
        let down = self.look_along::<true>(cell, spots, &mut visit);
        if self.grid.rules().diagonals == Diagonals::None {
            self.scan_rectangle::<false, false>(cell, [left, up], &mut visit);
            self.scan_rectangle::<true, false>(cell, [right, up], &mut visit);
            self.scan_rectangle::<false, true>(cell, [left, down], &mut visit);
            self.scan_rectangle::<true, true>(cell, [right, down], &mut visit);
        } else {
            self.scan_diagonal::<false, false>(cell, [left, up], &mut visit);
            self.scan_diagonal::<true, false>(cell, [right, up], &mut visit);
            self.scan_diagonal::<false, true>(cell, [left, down], &mut visit);
            self.scan_diagonal::<true, true>(cell, [right, down], &mut visit);
        }
    }

    /// Scans along the row of a cell; returns how far it is free.
    fn look_across<const RIGHT: bool>(&self, cell: Cell, spots: Spots, visit: &mut impl FnMut(Leg)) -> usize {
        let free = free_from::<RIGHT>(self.grid.bits(), spots.row);
        let class = if RIGHT { Direction::East } else { Direction::West } as u8;
        self.subgoals_across::<RIGHT>(spots, free, |steps| {
            visit(Leg { to: beside::<RIGHT>(cell, steps), diagonal: 0, straight: steps as u32, class });
        });
        free
    }

    /// Scans along the column of a cell; returns how far it is free.
    fn look_along<const DOWN: bool>(&self, cell: Cell, spots: Spots, visit: &mut impl FnMut(Leg)) -> usize {
        let free = free_from::<DOWN>(self.grid.columns(), spots.column);
        let class = if DOWN { Direction::South } else { Direction::North } as u8;
        self.subgoals_along::<DOWN>(spots, free, |steps| {
            visit(Leg { to: beyond::<DOWN>(cell, steps), diagonal: 0, straight: steps as u32, class });
        });
        free
    }

    /// Scans rows and columns from each cell of a diagonal.
    fn scan_diagonal<const RIGHT: bool, const DOWN: bool>(
        &self,
        cell: Cell,
        clear: [usize; 2],
        visit: &mut impl FnMut(Leg),
    ) {
        let quarter = u8::from(RIGHT) + 2 * u8::from(DOWN);
        let classes = [heading::mixed(quarter, true), heading::mixed(quarter, false)];
        self.for_each_diagonal::<RIGHT, DOWN>(cell, clear, |(here, spots), diagonal, [across, along]| {
            if self.clearance.is_subgoal_at(spots.row) {
                let class = heading::diagonal(quarter) as u8;
                visit(Leg { to: here, diagonal, straight: 0, class });
            }
            self.subgoals_across::<RIGHT>(spots, across, |steps| {
                let (to, straight) = (beside::<RIGHT>(here, steps), steps as u32);
                visit(Leg { to, diagonal, straight, class: classes[0] });
            });
            self.subgoals_along::<DOWN>(spots, along, |steps| {
                let (to, straight) = (beyond::<DOWN>(here, steps), steps as u32);
                visit(Leg { to, diagonal, straight, class: classes[1] });
            });
        });
    }

    /// Calls `visit` with every cell of a diagonal that legal steps lead to, the
    /// number of these steps, and how far along its row and its column cells are
    /// linked: as far as all rows and columns before were free.
    ///
    /// If corners must not be cut, the rows before need one more free cell, beside
    /// the last diagonal step of the parallelogram.
    #[inline]
    fn for_each_diagonal<const RIGHT: bool, const DOWN: bool>(
        &self,
        cell: Cell,
        [mut across, mut along]: [usize; 2],
        mut visit: impl FnMut((Cell, Spots), u32, [usize; 2]),
    ) {
        let direction = heading::diagonal(u8::from(RIGHT) + 2 * u8::from(DOWN));
        let (rows, columns) = (self.grid.bits(), self.grid.columns());
        let beside_step = usize::from(self.grid.rules().diagonals == Diagonals::Strict);
        let (mut here, mut spots) = (cell, self.clearance.spots(cell));
        let mut diagonal = 0;
        while self.grid.moves_inside(here).contains(direction) {
            here = here.step(direction);
            diagonal += 1;
            spots.row = shift::<RIGHT>(shift::<DOWN>(spots.row, rows.row_bits()), 1);
            spots.column = shift::<DOWN>(shift::<RIGHT>(spots.column, columns.row_bits()), 1);
            let mut free = [0; 2];
            if across > beside_step {
                let row = free_from::<RIGHT>(rows, spots.row);
                free[0] = row.min(across - beside_step);
                across = across.min(row);
            }
            if along > beside_step {
                let column = free_from::<DOWN>(columns, spots.column);
                free[1] = column.min(along - beside_step);
                along = along.min(column);
            }
            visit((here, spots), diagonal, free);
        }
    }

    /// Scans rows from each cell of a column.
    fn scan_rectangle<const RIGHT: bool, const DOWN: bool>(
        &self,
        cell: Cell,
        clear: [usize; 2],
        visit: &mut impl FnMut(Leg),
    ) {
        let class = heading::mixed(u8::from(RIGHT) + 2 * u8::from(DOWN), false);
        self.for_each_row::<RIGHT, DOWN>(cell, clear, |here, steps, across| {
            self.subgoals_across::<RIGHT>(self.clearance.spots(here), across, |side| {
                let straight = (steps + side) as u32;
                visit(Leg { to: beside::<RIGHT>(here, side), diagonal: 0, straight, class });
            });
        });
    }

    /// Calls `visit` with every cell of a column, its distance, and how far to the
    /// side all rows up to it are free. Stops where that is 0.
    fn for_each_row<const RIGHT: bool, const DOWN: bool>(
        &self,
        cell: Cell,
        [mut across, along]: [usize; 2],
        mut visit: impl FnMut(Cell, usize, usize),
    ) {
        for steps in 1..=along {
            let here = beyond::<DOWN>(cell, steps);
            across = across.min(free_from::<RIGHT>(self.grid.bits(), self.clearance.spots(here).row));
            if across == 0 {
                return;
            }
            visit(here, steps, across);
        }
    }

    /// Calls `visit` with the distance of every subgoal in a row, up to `limit`.
    /// All cells up to there must be free, so that whatever is not clear is a
    /// subgoal.
    #[inline]
    fn subgoals_across<const RIGHT: bool>(&self, spots: Spots, limit: usize, mut visit: impl FnMut(usize)) {
        let mut steps = 0;
        loop {
            let row = shift::<RIGHT>(spots.row, steps);
            steps += 1 + self.clearance.clear_across::<RIGHT>(Spots { row, ..spots });
            if steps > limit {
                return;
            }
            visit(steps);
        }
    }

    /// Calls `visit` with the distance of every subgoal in a column, up to `limit`;
    /// see [`TautLinks::subgoals_across`].
    #[inline]
    fn subgoals_along<const DOWN: bool>(&self, spots: Spots, limit: usize, mut visit: impl FnMut(usize)) {
        let mut steps = 0;
        loop {
            let column = shift::<DOWN>(spots.column, steps);
            steps += 1 + self.clearance.clear_along::<DOWN>(Spots { column, ..spots });
            if steps > limit {
                return;
            }
            visit(steps);
        }
    }
}

/// Number of free cells of a row or column, from a position on.
#[inline]
fn free_from<const FORWARD: bool>(bits: &Bits, spot: usize) -> usize {
    if FORWARD { bits.free_after(spot) } else { bits.free_before(spot) }
}

/// Costs of a straight and of a diagonal step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StepCosts {
    pub(crate) straight: u32,
    pub(crate) diagonal: u32,
}

impl StepCosts {
    /// The cost of a link.
    #[inline]
    pub(crate) const fn of(self, link: TautLink) -> u32 {
        self.straight * link.straight + self.diagonal * link.diagonal
    }
}

/// The subgoals of a map, and the taut links between them that no two others
/// replace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TautGraph {
    pub(crate) clearance: Clearance,
    /// The cell of each subgoal, in reading order.
    pub(crate) cells: Vec<Cell>,
    /// For each subgoal, the other ends of its edges and their costs.
    pub(crate) edges: Vec<Vec<(NodeId, u32)>>,
}

impl TautGraph {
    /// Builds the taut graph of a map.
    pub(crate) fn build(
        grid: &Grid,
        costs: StepCosts,
        threads: usize,
        watch: Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let clearance = Clearance::new(grid);
        let cells = clearance.subgoal_cells();
        let links = TautLinks::new(grid, &clearance);
        let crew = Crew::new(threads, 2 * cells.len(), watch);
        let all: Vec<Vec<(NodeId, u32)>> = crew.try_map(cells.len(), |subgoal, (): &mut ()| {
            let mut edges = Vec::new();
            links.for_each_edge(cells[subgoal], |link| {
                edges.push((NodeId::new(link.subgoal), costs.of(link)));
            });
            edges.sort_unstable();
            edges
        })?;
        let kept = crew.try_map(cells.len(), |subgoal, dominance: &mut Dominance| {
            let mut edges = all[subgoal].clone();
            dominance.prune(&mut edges, &all);
            edges
        })?;
        Ok(Self { clearance, cells, edges: kept_by_both(kept) })
    }

    /// The subgoals that are direct-h-reachable from a free cell, in reading order.
    pub(crate) fn direct(&self, grid: &Grid, cell: Cell) -> Vec<Cell> {
        let mut numbers = Vec::new();
        self.clearance.for_each_direct(grid, cell, |leg| numbers.push(self.clearance.number(leg.to)));
        numbers.sort_unstable();
        numbers.into_iter().map(|number| self.cells[number as usize]).collect()
    }
}

/// Keeps the edges that both of their ends kept: if the path that replaces an edge
/// was found from one end, it replaces it from the other too.
fn kept_by_both(mut kept: Vec<Vec<(NodeId, u32)>>) -> Vec<Vec<(NodeId, u32)>> {
    let is_kept =
        |from: NodeId, to: NodeId| kept[from.index()].binary_search_by_key(&to, |edge| edge.0).is_ok();
    let rows: Vec<Vec<bool>> = (0..)
        .map(NodeId::new)
        .zip(&kept)
        .map(|(subgoal, row)| row.iter().map(|&(other, _)| is_kept(other, subgoal)).collect())
        .collect();
    for (row, both) in kept.iter_mut().zip(rows) {
        let mut both = both.into_iter();
        row.retain(|_| both.next() == Some(true));
    }
    kept
}

/// Working memory to drop links that others replace.
#[derive(Clone, Debug, Default)]
struct Dominance {
    /// Cost of the link to each subgoal, [`DOMINATED`] if others replace it, or
    /// [`NO_LINK`].
    costs: Vec<u32>,
}

const NO_LINK: u32 = u32::MAX;
/// No link costs nothing.
const DOMINATED: u32 = 0;

impl Dominance {
    /// Drops every link that another link and an edge between the two subgoals
    /// replace at no higher cost.
    fn prune(&mut self, links: &mut Vec<(NodeId, u32)>, edges: &[Vec<(NodeId, u32)>]) {
        if self.costs.len() < edges.len() {
            self.costs.resize(edges.len(), NO_LINK);
        }
        for &(subgoal, cost) in &*links {
            self.costs[subgoal.index()] = cost;
        }
        // In the order of the list. A link that was dropped before its turn replaces
        // no others, which may keep more than necessary.
        for &(subgoal, _) in &*links {
            let cost = self.costs[subgoal.index()];
            if cost == DOMINATED {
                continue;
            }
            for &(other, edge) in &edges[subgoal.index()] {
                let link = &mut self.costs[other.index()];
                if *link != NO_LINK && cost.saturating_add(edge) <= *link {
                    *link = DOMINATED;
                }
            }
        }
        links.retain(|&(subgoal, _)| {
            std::mem::replace(&mut self.costs[subgoal.index()], NO_LINK) != DOMINATED
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rect;
    use crate::grid::Rules;

    const RULES: [Diagonals; 4] = [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None];

    fn grid(text: &str, diagonals: Diagonals) -> Grid {
        Grid::from_ascii(text).unwrap().with_rules(Rules { diagonals, ..Rules::default() })
    }

    fn links(grid: &Grid, from: (u16, u16)) -> Vec<Cell> {
        let clearance = Clearance::new(grid);
        let cells = clearance.subgoal_cells();
        let mut found = Vec::new();
        TautLinks::new(grid, &clearance).for_each(from.into(), |link| {
            found.push(cells[link.subgoal as usize]);
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn only_corners_that_a_path_can_bend_around_are_linked() {
        let grid = grid("\n.....\n..#..\n.....\n", Diagonals::Strict);
        // From the left middle, the cells before the obstacle can be bent
        // around, those behind it only after another bend.
        assert_eq!(links(&grid, (0, 1)), [(1, 0), (1, 2)].map(Cell::from));
        // Along the row above, the far corner can be bent around as well.
        assert_eq!(links(&grid, (0, 0)), [(3, 0), (1, 2)].map(Cell::from));
    }

    #[test]
    fn stretches_are_the_links_seen_from_the_other_end() {
        let mut seen = 0;
        for rule in RULES {
            for seed in 0..20 {
                let grid = scattered(seed, rule);
                let clearance = Clearance::new(&grid);
                let cells = clearance.subgoal_cells();
                let taut = TautLinks::new(&grid, &clearance);
                let mut expected = Vec::new();
                for cell in grid.area().cells().filter(|&cell| grid.is_free(cell)) {
                    taut.for_each(cell, |link| expected.push((cells[link.subgoal as usize], cell)));
                }
                let mut found = Vec::new();
                for &subgoal in &cells {
                    taut.for_each_stretch(subgoal, |first, last| {
                        found.extend(Rect::spanning(first, last).cells().map(|cell| (subgoal, cell)));
                    });
                }
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{rule:?}\n{}", grid.to_ascii());
                seen += found.len();
            }
        }
        assert!(seen > 5000);
    }

    fn scattered(seed: u32, rule: Diagonals) -> Grid {
        let blocked = |x: u32, y: u32| (x * 7919 + y * 104_729 + x * y * 31 + seed * 577) % 11 < 2;
        let row = |y: u32| (0..8).map(|x| if blocked(x, y) { '#' } else { '.' }).collect::<String>();
        grid(&(0..7).map(row).collect::<Vec<_>>().join("\n"), rule)
    }

    /// Every path of an empty map between two cells, step by step.
    fn all_paths_are_legal(grid: &Grid, from: Cell, to: Cell) -> bool {
        if from == to {
            return true;
        }
        let rules = grid.rules();
        let onward = Direction::ALL.into_iter().filter(|&direction| {
            let next = from.step(direction);
            (rules.diagonals != Diagonals::None || !direction.is_diagonal())
                && grid.contains(next)
                && rules.distance(next, to) + rules.step(direction, 2) == rules.distance(from, to)
        });
        onward.into_iter().all(|direction| {
            grid.moves_at(from).contains(direction) && all_paths_are_legal(grid, from.step(direction), to)
        })
    }

    #[test]
    fn links_are_where_every_path_is_legal_and_a_corner_holds() {
        let mut seen = 0;
        for rule in RULES {
            for seed in 0..40_u32 {
                let grid = scattered(seed, rule);
                let subgoals = Clearance::new(&grid).subgoal_cells();
                for cell in grid.area().cells().filter(|&cell| grid.is_free(cell)) {
                    let found = links(&grid, (cell.x, cell.y));
                    for &to in subgoals.iter().filter(|&&to| to != cell) {
                        let linked = all_paths_are_legal(&grid, cell, to) && may_bend(&grid, cell, to);
                        assert_eq!(found.contains(&to), linked, "{rule:?} {cell} {to}\n{}", grid.to_ascii());
                        seen += usize::from(linked);
                    }
                }
            }
        }
        assert!(seen > 5000);
    }

    /// Whether some step on from `at` cannot change places with the last step
    /// of some path from `from`, and no last step makes it a detour: seen on
    /// the map, not in the tables.
    fn may_bend(grid: &Grid, from: Cell, at: Cell) -> bool {
        let rules = grid.rules();
        let last: Vec<Direction> = Direction::ALL
            .into_iter()
            .filter(|&direction| {
                let before = at.step(direction.opposite());
                (rules.diagonals != Diagonals::None || !direction.is_diagonal())
                    && grid.contains(before)
                    && rules.distance(from, before) + rules.step(direction, 2) == rules.distance(from, at)
            })
            .collect();
        Direction::ALL.into_iter().filter(|&on| grid.moves_at(at).contains(on)).any(|on| {
            let best = |&arrival: &Direction| {
                let (start, end) = (at.step(arrival.opposite()), at.step(on));
                let two = rules.step(arrival, 2) + rules.step(on, 2);
                let steps = |cell: Cell| grid.moves_at(cell).map(move |step| (step, cell.step(step)));
                let alone = start == end || steps(start).any(|(_, next)| next == end);
                // At right angles, two diagonal steps in the other order pass
                // the blocked cell on its other side.
                let other = !(arrival.is_diagonal() && on.is_diagonal())
                    && grid.moves_at(start).contains(on)
                    && grid.moves_at(start.step(on)).contains(arrival);
                let shorter = steps(start).any(|(first, middle)| {
                    steps(middle).any(|(second, next)| {
                        next == end && rules.step(first, 2) + rules.step(second, 2) < two
                    })
                });
                (alone || shorter, other)
            };
            let turns: Vec<(bool, bool)> = last.iter().map(best).collect();
            turns.iter().all(|&(detour, _)| !detour)
                && last.iter().zip(&turns).any(|(&arrival, &(_, other))| arrival != on && !other)
        })
    }
}

//! Entrances and transitions: where paths pass from cluster to cluster.
//!
//! An *entrance* is a maximal run of a common border along which the cells on both sides
//! are free. Transitions are chosen from the cells at the border alone, and both clusters
//! choose the same: edits rely on that to equal a rebuild byte for byte.
//!
//! By the paper's rule, a narrow entrance has one transition in the middle, a wide one has
//! one at each end, and each counts on all levels of its border. That is the rule where
//! [`HpaSettings::gap`] is 0. Otherwise transitions lie closer together, and most have a
//! *height*, the highest level on which they count: a long way needs fewer places to cross
//! a border, while close to start and goal, where the lowest levels are searched, it
//! matters where.
//!
//! On borders where all ground weighs the same, entrances of one and a half gaps or more have
//! a transition at either end, where paths bend around corners, and others evenly between. As
//! many as by the paper's rule count on all levels, the others on the lowest two.
//!
//! On other borders transitions stand where the ground is cheapest, in a run of equal weight
//! at its ends first, and at least a gap apart, which grows by half with each level above
//! the second. Their heights follow from all cells along the border of the highest level
//! below those with nets, which decide about the levels above (`net.rs`).

use super::HpaSettings;
use super::layout::{ClusterId, Layout};
use crate::base::{Cell, Direction, Rect};
use crate::grid::{Diagonals, Grid};

/// A step from a cell of one cluster to a cell of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Transition {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// The highest level on which it counts.
    pub(crate) height: u8,
    /// Whether it is the door of a pocket of the level above.
    pub(crate) is_pocket_door: bool,
}

/// Finds transitions; holds memory that is reused.
#[derive(Debug, Default)]
pub(crate) struct TransitionFinder {
    /// Every transition out of the cluster asked for last, sorted by cell. The cells
    /// they start from are the nodes of the cluster.
    pub(crate) found: Vec<Transition>,
    /// For each of [`SIDES`], the border looked at last.
    borders: [Border; 4],
    /// Cells of an entrance, the most suitable first.
    order: Vec<(u16, u16, usize)>,
    picks: Vec<usize>,
}

/// The cells along the border of the highest level that a side of a cluster belongs to.
#[derive(Debug, Default)]
struct Border {
    /// The cluster on the inside, and its level.
    cluster: Option<(u8, ClusterId)>,
    /// Whether all ground weighs the same.
    is_even: bool,
    places: Vec<Place>,
}

/// A cell of a side of a cluster.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Sum of the weights on both sides of the border; 0 if either cell is blocked.
    weight: u16,
    /// Distance to the nearer end of the run of cells of the same weight. Paths turn
    /// where the ground changes.
    from_end: u16,
    /// The height of the transition here; 0 if there is none.
    height: u8,
}

/// How much farther apart transitions are where the ground is the same, in halves: it
/// matters less then which of them a path takes.
const SAME_GROUND_HALVES: usize = 3;
const SIDES: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];
/// The highest level on which transitions are as close together as on level 1.
pub(super) const DENSE_LEVELS: u8 = 2;
/// On maps of more cells than this, transitions on even ground are farther apart: ways are
/// longer there, so that detours matter less, and the main search takes more of the time.
const LARGE: usize = 512 * 512;

impl TransitionFinder {
    /// For each side of a 1-cluster, the cells on both sides of the border of the highest
    /// level that the side belongs to. Transitions across it follow from these.
    pub(crate) fn borders_of(grid: &Grid, layout: &Layout, cluster: ClusterId) -> impl Iterator<Item = Rect> {
        let side = move |direction| whole_side(grid, layout, cluster, direction);
        SIDES.into_iter().filter_map(side).map(|(_, side)| side.strip())
    }

    /// Finds every transition out of a 1-cluster. The map and the settings must be the same
    /// for all clusters.
    ///
    /// Under [`Diagonals::Free`], a diagonal step between two blocked cells may be the
    /// only connection of two clusters. It belongs to no entrance, so each of these
    /// steps is a transition of its own.
    pub(crate) fn find(&mut self, grid: &Grid, layout: &Layout, settings: HpaSettings, cluster: ClusterId) {
        self.find_where(grid, layout, settings, cluster, |_| true);
        self.found.sort_unstable();
    }

    /// Finds every transition out of a 1-cluster after edits of these areas, given those
    /// of before.
    pub(crate) fn find_again(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        settings: HpaSettings,
        cluster: ClusterId,
        (edits, before): (&[Rect], impl Iterator<Item = Transition>),
    ) {
        let is_edited = |cells: Rect| edits.iter().any(|edit| edit.meets(cells));
        self.find_where(grid, layout, settings, cluster, is_edited);
        let area = layout.area(1, cluster);
        self.found.extend(before.filter(|&Transition { from, to, .. }| {
            let side = from.direction_to(to).and_then(|out| SIDES.into_iter().find(|&side| side == out));
            let cells = match side {
                None => area.grown(1, grid.area()),
                Some(out) => whole_side(grid, layout, cluster, out).map_or(area, |(_, side)| side.strip()),
            };
            !is_edited(cells)
        }));
        self.found.sort_unstable();
    }

    /// Finds the transitions out of a 1-cluster that depend on cells which are asked for.
    fn find_where(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        settings: HpaSettings,
        cluster: ClusterId,
        is_asked_for: impl Fn(Rect) -> bool,
    ) {
        self.found.clear();
        for (side, direction) in SIDES.into_iter().enumerate() {
            let Some((level, whole)) = whole_side(grid, layout, cluster, direction) else { continue };
            if is_asked_for(whole.strip()) {
                self.find_on_side(grid, layout, settings, (cluster, side), (level, whole));
            }
        }
        let area = layout.area(1, cluster);
        if grid.rules().diagonals == Diagonals::Free && is_asked_for(area.grown(1, grid.area())) {
            self.find_squeezes(grid, layout, area);
        }
    }

    /// Adds the transitions across one side of a cluster. `whole` is the side of the highest
    /// cluster that it belongs to.
    fn find_on_side(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        settings: HpaSettings,
        (cluster, side): (ClusterId, usize),
        (level, whole): (u8, Side),
    ) {
        let own = Side::of(layout.area(1, cluster), SIDES[side]);
        // Any-angle legs do not gain from transitions that are closer together.
        if settings.gap == 0 || settings.local.is_any_angle() {
            return self.find_ends(grid, own, settings.entrance, level);
        }
        if grid.is_uniform() {
            return self.find_evenly(grid, own, settings, level);
        }
        // Heights depend on what else there is along the whole side.
        let below = level.min(layout.first_net() - 1);
        let asked_for = Some((below, layout.ancestor(below, cluster)));
        if self.borders[side].cluster != asked_for {
            self.look_along(grid, layout, settings.gap, side, (level, whole));
            self.borders[side].cluster = asked_for;
        }
        if self.borders[side].is_even {
            return self.find_evenly(grid, own, settings, level);
        }
        let begin = whole.position(own.first);
        for (at, place) in (begin..).zip(&self.borders[side].places[begin..begin + own.len]) {
            if place.height > 0 {
                self.found.push(whole.transition(at, place.height));
            }
        }
    }

    /// Looks at all cells along a border.
    fn look_along(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        gap: u16,
        side: usize,
        (level, whole): (u8, Side),
    ) {
        let Border { is_even, places, .. } = &mut self.borders[side];
        places.clear();
        places.extend((0..whole.len).map(|at| Place {
            weight: whole.weight(grid, at),
            from_end: 0,
            height: 0,
        }));
        let mut weights = places.iter().map(|place| place.weight).filter(|&weight| weight > 0);
        let first = weights.next();
        *is_even = weights.all(|weight| Some(weight) == first);
        if !*is_even {
            let mut places = std::mem::take(places);
            self.spread(layout, gap.into(), level, &mut places);
            self.borders[side].places = places;
        }
    }

    /// Adds the transitions across one side of a cluster by the paper's rule.
    fn find_ends(&mut self, grid: &Grid, side: Side, threshold: u16, level: u8) {
        side.for_each_entrance(grid, |start, width| {
            let mut add = |at: usize| self.found.push(side.transition(start + at, level));
            match width {
                1 => add(0),
                _ if width < usize::from(threshold) => add((width - 1) / 2),
                _ => {
                    add(0);
                    add(width - 1);
                }
            }
        });
    }

    /// Adds the transitions across one side of a cluster where all ground is the same.
    fn find_evenly(&mut self, grid: &Grid, side: Side, settings: HpaSettings, level: u8) {
        let gap = usize::from(settings.gap);
        let gaps = if grid.area().cell_count() > LARGE { 3 } else { 2 };
        side.for_each_entrance(grid, |start, width| {
            if width * 2 < gap * SAME_GROUND_HALVES {
                return self.found.push(side.transition(start + (width - 1) / 2, level));
            }
            let is_wide = width >= usize::from(settings.entrance);
            let last = (width - 1).div_ceil(gaps * gap);
            for at in 0..=last {
                let is_high = if is_wide { at == 0 || at == last } else { at == last / 2 };
                let height = if is_high { level } else { level.min(DENSE_LEVELS) };
                self.found.push(side.transition(start + (width - 1) * at / last, height));
            }
        });
    }

    /// Chooses transitions among all places along a border of a level, and their heights.
    fn spread(&mut self, layout: &Layout, gap: usize, level: u8, places: &mut [Place]) {
        measure_runs(places);
        let mut apart = gap;
        let highest = level.min(layout.first_net() - 1);
        for height in 1..=highest {
            if height > DENSE_LEVELS {
                apart += apart / 2;
            }
            // The borders of this level of which the whole one consists.
            let side = layout.side(height);
            for part in places.chunks_mut(side) {
                self.raise(part, height, apart);
            }
        }
        // On the levels above, nets decide.
        for place in places.iter_mut().filter(|place| place.height == highest) {
            place.height = level;
        }
    }

    /// Raises transitions of the entrances along a part of a side to a height: the most
    /// suitable first, each if none is too near.
    fn raise(&mut self, places: &mut [Place], height: u8, apart: usize) {
        let Self { order, picks, .. } = self;
        let mut start = 0;
        while start < places.len() {
            let end = (start..places.len()).find(|&at| places[at].weight == 0).unwrap_or(places.len());
            order.clear();
            let known = (start..end).filter(|&at| places[at].height + 1 == height);
            order.extend(known.map(|at| (places[at].weight, places[at].from_end, at)));
            order.sort_unstable();
            picks.clear();
            for &(weight, _, at) in &*order {
                let near = |&other: &usize| {
                    let distance = at.abs_diff(other);
                    let between = &places[at.min(other)..=at.max(other)];
                    distance < apart
                        || distance * 2 < apart.saturating_mul(SAME_GROUND_HALVES)
                            && between.iter().all(|place| place.weight == weight)
                };
                if !picks.iter().any(near) {
                    picks.push(at);
                }
            }
            for &at in &*picks {
                places[at].height = height;
            }
            start = end + 1;
        }
    }

    /// Adds the diagonal steps out of a cluster that pass between two blocked cells.
    fn find_squeezes(&mut self, grid: &Grid, layout: &Layout, area: Rect) {
        let (min, max) = (area.min(), area.max());
        let on_border =
            |cell: &Cell| cell.x == min.x || cell.x == max.x || cell.y == min.y || cell.y == max.y;
        for from in area.cells().filter(on_border) {
            for direction in grid.moves(from).filter(|direction| direction.is_diagonal()) {
                let to = from.step(direction);
                let sides = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
                if !area.contains(to) && !sides.into_iter().any(|side| grid.is_free(side)) {
                    let height = layout.border_level(from, to);
                    self.found.push(Transition { from, to, height, is_pocket_door: false });
                }
            }
        }
    }
}

/// Sets the distance of every place to the nearer end of its run of equal weights.
fn measure_runs(places: &mut [Place]) {
    for run in places.chunk_by_mut(|a, b| a.weight == b.weight) {
        let last = run.len() - 1;
        for (at, place) in run.iter_mut().enumerate() {
            place.from_end = at.min(last - at) as u16;
        }
    }
}

/// The side of the highest cluster below the levels with nets that a side of a 1-cluster
/// belongs to, and the level of its border; `None` at the edge of the map.
fn whole_side(grid: &Grid, layout: &Layout, cluster: ClusterId, direction: Direction) -> Option<(u8, Side)> {
    let level = border_level(grid, layout, layout.area(1, cluster), direction)?;
    let below = level.min(layout.first_net() - 1);
    Some((level, Side::of(layout.area(below, layout.ancestor(below, cluster)), direction)))
}

/// The level of the border on one side of a 1-cluster; `None` at the edge of the map.
fn border_level(grid: &Grid, layout: &Layout, area: Rect, direction: Direction) -> Option<u8> {
    let Side { first, out, .. } = Side::of(area, direction);
    let (dx, dy) = out.delta();
    let x = u16::try_from(i32::from(first.x) + i32::from(dx)).ok()?;
    let y = u16::try_from(i32::from(first.y) + i32::from(dy)).ok()?;
    let beyond = Cell::new(x, y);
    grid.area().contains(beyond).then(|| layout.border_level(first, beyond))
}

/// The cells along one side of a cluster.
#[derive(Clone, Copy, Debug)]
struct Side {
    first: Cell,
    len: usize,
    along: Direction,
    /// The direction out of the cluster.
    out: Direction,
}

impl Side {
    const fn of(area: Rect, out: Direction) -> Self {
        let (min, max) = (area.min(), area.max());
        let (first, along, len) = match out {
            Direction::North => (min, Direction::East, area.width()),
            Direction::South => (Cell::new(min.x, max.y), Direction::East, area.width()),
            Direction::West => (min, Direction::South, area.height()),
            _ => (Cell::new(max.x, min.y), Direction::South, area.height()),
        };
        Self { first, len: len as usize, along, out }
    }

    /// The cells on both sides of the border, which must not be the edge of the map.
    fn strip(&self) -> Rect {
        let beyond = Self { first: self.first.step(self.out), ..*self };
        let row = |side: Self| Rect::spanning(side.first, side.cell(side.len - 1));
        row(*self).hull(row(beyond))
    }

    fn cell(&self, at: usize) -> Cell {
        self.first.walk_within(self.along, at as u32)
    }

    /// Position of a cell along the side.
    const fn position(&self, cell: Cell) -> usize {
        ((cell.x - self.first.x) + (cell.y - self.first.y)) as usize
    }

    fn passes(&self, grid: &Grid, at: usize) -> bool {
        let cell = self.cell(at);
        grid.is_free(cell) && grid.is_free(cell.step(self.out))
    }

    /// Calls `visit` with the first position and the width of every entrance.
    fn for_each_entrance(&self, grid: &Grid, mut visit: impl FnMut(usize, usize)) {
        let mut start = 0;
        while start < self.len {
            let end = (start..self.len).find(|&at| !self.passes(grid, at)).unwrap_or(self.len);
            if start < end {
                visit(start, end - start);
            }
            start = end + 1;
        }
    }

    /// Sum of the weights on both sides of the border; 0 if either cell is blocked.
    fn weight(&self, grid: &Grid, at: usize) -> u16 {
        if !self.passes(grid, at) {
            return 0;
        }
        let cell = self.cell(at);
        u16::from(grid.weight(cell)) + u16::from(grid.weight(cell.step(self.out)))
    }

    fn transition(&self, at: usize, height: u8) -> Transition {
        let from = self.cell(at);
        Transition { from, to: from.step(self.out), height, is_pocket_door: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;
    use crate::hpa::HpaSettings;

    fn transitions(map: &str, cluster: ClusterId, rule: Diagonals) -> Vec<((u16, u16), (u16, u16))> {
        let rules = Rules { diagonals: rule, ..Rules::default() };
        let grid = Grid::from_ascii(map).unwrap().with_rules(rules);
        let settings = HpaSettings { cluster: 8, entrance: 6, levels: 1, gap: 0, ..HpaSettings::default() };
        let layout = Layout::new(grid.width(), grid.height(), settings);
        let mut finder = TransitionFinder::default();
        finder.find(&grid, &layout, settings, cluster);
        finder.found.into_iter().map(|Transition { from, to, .. }| ((from.x, from.y), (to.x, to.y))).collect()
    }

    #[test]
    fn narrow_entrances_have_one_transition_and_wide_ones_two() {
        let map = "
            .....#.#........
            ................
        ";
        // Rows 0 and 1 on either side of the border between columns 7 and 8.
        assert_eq!(transitions(map, 0, Diagonals::Strict), [((7, 1), (8, 1))]);
        let tall = ["........"; 8].join("\n") + "\n" + &[".....#.."; 2].join("\n");
        // Below row 7: widths 5 and 2.
        assert_eq!(transitions(&tall, 0, Diagonals::Strict), [((2, 7), (2, 8)), ((6, 7), (6, 8))]);
        let wide = ["......#."; 9].join("\n");
        assert_eq!(
            transitions(&wide, 0, Diagonals::Strict),
            [((0, 7), (0, 8)), ((5, 7), (5, 8)), ((7, 7), (7, 8))]
        );
    }

    /// At most two gaps apart on small maps, three on large ones.
    #[test]
    fn open_borders_have_transitions_at_even_distances() {
        for (side, rows) in [(512, vec![0, 7, 15, 23, 31]), (513, vec![0, 10, 20, 31])] {
            let grid = Grid::empty(side, side).unwrap();
            let settings = HpaSettings::default();
            let layout = Layout::new(side, side, settings);
            let mut finder = TransitionFinder::default();
            finder.find(&grid, &layout, settings, 0);
            let east = finder.found.iter().filter(|transition| transition.to.x == 32);
            assert_eq!(east.map(|transition| transition.from.y).collect::<Vec<_>>(), rows);
        }
    }

    #[test]
    fn both_sides_of_a_border_see_the_same_transitions() {
        let rows: Vec<String> = (0..16)
            .map(|y| (0..24).map(|x| if x * 7 % 5 == y * 3 % 4 { '#' } else { '.' }).collect())
            .collect();
        let map = rows.join("\n");
        for rule in [Diagonals::Strict, Diagonals::Free] {
            let all: Vec<_> = (0..6).flat_map(|cluster| transitions(&map, cluster, rule)).collect();
            assert!(!all.is_empty());
            assert!(all.iter().all(|&(a, b)| all.contains(&(b, a))));
        }
    }

    #[test]
    fn a_squeeze_between_blocked_cells_counts_where_it_is_legal() {
        let mut rows = vec![vec![b'#'; 16]; 16];
        rows[7][7] = b'.';
        rows[8][8] = b'.';
        let map =
            rows.iter().map(|row| String::from_utf8(row.clone()).unwrap()).collect::<Vec<_>>().join("\n");
        assert_eq!(transitions(&map, 0, Diagonals::Free), [((7, 7), (8, 8))]);
        assert_eq!(transitions(&map, 3, Diagonals::Free), [((8, 8), (7, 7))]);
        assert!(transitions(&map, 0, Diagonals::OneSide).is_empty());
    }
}

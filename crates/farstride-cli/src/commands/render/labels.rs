//! Labels: the taut links they are made of, their hubs, the label of a cell, and
//! where two of them meet.

use super::Drawn;
use farstride::internal::{Hub, Inspector, Label, LabelEntry, Links, Meeting, TautMap};
use farstride::{Cell, Grid};
use farstride_io::picture::{Colour, Scene, Shape, Width};
use std::collections::{BTreeMap, BTreeSet};

/// Of subgoals that nothing is said about.
const SUBGOAL: Colour = Colour::PALE_WALL;
/// Links after which no shortest path bends.
const SLACK: Colour = Colour::WALL;
/// Taut links for which two others stand in.
const DOMINATED: Colour = Colour::path(5);
/// Links that are kept, and the subgoals they lead to.
const VIA: Colour = Colour::path(0);
/// Borders of blocks.
const BLOCK: Colour = Colour::WALL;
/// Ways from vias to hubs.
const WAY: Colour = Colour::path(5);
/// What belongs to the start alone, to the goal alone, and to both.
const FROM: Colour = Colour::path(2);
const TO: Colour = Colour::path(0);
const BOTH: Colour = Colour::path(6);

/// More edges than this are drawn faintly, or nothing else would be seen.
const CROWD: usize = 1500;
/// The least share of all labels that the hubs of a band are in: one in so
/// many, and in words.
const SHARES: [(usize, &str); 5] =
    [(2, "half of all labels"), (4, "a quarter"), (8, "an eighth"), (16, "a sixteenth"), (32, "a 32nd")];
/// Bands of cost that the hubs of a label are told apart by.
const BANDS: usize = 5;

/// Draws the taut graph, and tells about it.
pub(super) fn taut_graph(taut: &TautMap<'_>, scene: &mut Scene<'_>) -> String {
    let edges: Vec<_> = taut.edges().collect();
    let (nodes, lines) = (taut.subgoals().len(), edges.len());
    let (alpha, width) = if lines > CROWD {
        (90, Width::cells(0.06).at_least(0.7))
    } else {
        (220, Width::cells(0.08).at_least(1.2))
    };
    let subgoals = taut.subgoals().iter().copied();
    scene
        .pale()
        .lines(edges, Colour::level(1).with_alpha(alpha), width)
        .dots(subgoals, Colour::level(4), Width::cells(0.26).at_least(1.8), Shape::Disc)
        .legend(Colour::level(4), format!("{nodes} subgoals"))
        .legend(Colour::level(1), format!("{lines} taut links between them that no others replace"));
    format!("{nodes} subgoals, {lines} taut links between them")
}

/// Draws the links of a cell beside those that subgoal graphs would have;
/// `None` if the cell is not free.
pub(super) fn taut_links(taut: &TautMap<'_>, cell: Cell, scene: &mut Scene<'_>) -> Option<String> {
    let Links { direct, taut: all, kept } = taut.links(cell)?;
    let without = |cells: &[Cell], others: &[Cell]| -> Vec<Cell> {
        cells.iter().copied().filter(|cell| !others.contains(cell)).collect()
    };
    let (slack, dominated) = (without(&direct, &all), without(&all, &kept));
    let others = taut.subgoals().iter().copied();
    scene.pale().dots(others, SUBGOAL, Width::cells(0.2).at_least(1.4), Shape::Disc);
    for (ends, colour, size) in [(&slack, SLACK, 0.7), (&dominated, DOMINATED, 0.8), (&kept, VIA, 1.0)] {
        scene
            .lines(ends.iter().map(|&end| (cell, end)), colour, Width::cells(0.14).at_least(2.0).times(size))
            .dots(ends.iter().copied(), colour, Width::cells(0.36).at_least(3.2).times(size), Shape::Disc);
    }
    let counts = [kept.len(), dominated.len(), slack.len()];
    scene
        .start(cell)
        .legend(Colour::START, format!("the cell {cell}"))
        .legend(VIA, format!("{} taut links that are kept", counts[0]))
        .legend(DOMINATED, format!("{} taut ones that a nearer link and an edge replace", counts[1]))
        .legend(SLACK, format!("{} direct-h-reachable subgoals where no path bends", counts[2]))
        .legend(SUBGOAL, "other subgoals");
    let (direct, all, kept) = (direct.len(), all.len(), kept.len());
    Some(format!(
        "{cell} has {all} taut links, of which {kept} are kept; {direct} subgoals are direct-h-reachable"
    ))
}

/// Labels to be drawn.
pub(super) struct Labels<'a> {
    pub(super) inspector: Inspector<'a>,
    pub(super) grid: &'a Grid,
}

impl Labels<'_> {
    /// Draws every hub, the larger the more labels it is in.
    pub(super) fn hubs(&self, scene: &mut Scene<'_>) -> String {
        let hubs = self.inspector.hubs();
        let all = self.grid.area().cells().filter(|&cell| self.grid.is_free(cell)).count();
        let mut bands: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for Hub { cell, labels, .. } in &hubs {
            let band = SHARES.iter().position(|(share, _)| labels * share >= all).unwrap_or(SHARES.len());
            bands.entry(band).or_default().push(*cell);
        }
        scene.pale();
        for (&band, cells) in bands.iter().rev() {
            let size = (SHARES.len() - band) as f32 / SHARES.len() as f32;
            let radius = Width::cells(0.2 + 0.55 * size).at_least(1.6 + 5.4 * size);
            let shape = if size > 0.5 { Shape::Mark } else { Shape::Disc };
            scene.dots(cells.iter().copied(), Colour::level(SHARES.len() - band), radius, shape);
        }
        for (&band, cells) in &bands {
            let share =
                SHARES.get(band).map_or_else(|| "fewer".to_owned(), |(_, share)| format!("{share} or more"));
            scene.legend(
                Colour::level(SHARES.len() - band),
                format!("{} in {share}", counted(cells.len(), "hub")),
            );
        }
        let most = hubs.iter().rev().max_by_key(|hub| hub.labels);
        let most =
            most.map(|Hub { cell, labels, .. }| format!(", that at {cell} in {labels} of {all} labels"));
        format!("{} hubs{}", hubs.len(), most.unwrap_or_default())
    }

    /// Draws the label of a cell: its block, its vias, and the ways on from
    /// these to its hubs. `None` if the cell is not free.
    pub(super) fn label(&self, cell: Cell, scene: &mut Scene<'_>) -> Option<String> {
        let label = self.inspector.label(cell)?;
        let mut beyond = nearest(&label);
        beyond.retain(|hub, _| !label.vias.contains(hub));
        let ways = beyond.values().filter_map(|entry| self.way_from_via(cell, entry));
        let onward: BTreeSet<(Cell, Cell)> = ways.flat_map(|way| legs(&way)).collect();
        let links = label.vias.iter().map(|&via| (cell, via));
        scene
            .pale()
            .outline(self.inspector.block(cell), BLOCK, Width::cells(0.16).at_least(1.6))
            .lines(onward, WAY, Width::cells(0.2).at_least(2.0))
            .lines(links, VIA, Width::cells(0.14).at_least(1.6))
            .dots(label.vias.iter().copied(), VIA, Width::cells(0.4).at_least(3.2), Shape::Mark)
            .legend(Colour::START, format!("the cell {cell}"))
            .legend(BLOCK, "its block, whose labels lie together")
            .legend(VIA, format!("{}, hubs themselves", counted(label.vias.len(), "via")))
            .legend(WAY, "ways from there to other hubs");
        self.hubs_by_cost(&beyond, scene);
        scene.start(cell);
        Some(format!("{cell} has {} vias and {} hubs beyond them", label.vias.len(), beyond.len()))
    }

    /// The cells of the way to a hub from the via on.
    fn way_from_via(&self, cell: Cell, entry: &LabelEntry) -> Option<Vec<Cell>> {
        let way = self.inspector.way(cell, entry)?;
        let via = way.iter().position(|&cell| cell == entry.via)?;
        Some(way[via..].to_vec())
    }

    /// Draws hubs, the farther the larger and warmer: these are in many labels.
    fn hubs_by_cost(&self, hubs: &BTreeMap<Cell, LabelEntry>, scene: &mut Scene<'_>) {
        let straight = self.grid.rules().diagonal_cost.straight().units();
        let steps = |entry: &LabelEntry| (entry.cost.units() / straight) as usize;
        let width = round_width(hubs.values().map(steps).max().unwrap_or(0));
        for band in 0..BANDS {
            let inside = hubs.values().filter(|entry| steps(entry) / width == band);
            let cells: Vec<Cell> = inside.map(|entry| entry.hub).collect();
            if cells.is_empty() {
                continue;
            }
            let (from, to) = (band * width, (band + 1) * width);
            let colour = Colour::level(band + 1);
            scene.legend(colour, format!("{} at {from} to {to} steps", counted(cells.len(), "hub")));
            let radius = Width::cells(0.45 + 0.05 * band as f32).at_least(3.6 + 0.4 * band as f32);
            scene.dots(cells, colour, radius, Shape::Mark);
        }
    }

    /// Draws the hubs of two labels, and the path in two halves that meet at one
    /// of them. `None` if labels do not meet, or need not.
    pub(super) fn meeting(
        &self,
        from: Cell,
        to: Cell,
        path: &Drawn,
        scene: &mut Scene<'_>,
    ) -> Option<String> {
        let Meeting { hub, start_via, goal_via, .. } = self.inspector.meeting(from, to)?;
        let split = path.cells.iter().position(|&cell| cell == hub)?;
        let hubs = |end: Cell| -> Option<BTreeSet<Cell>> {
            Some(nearest(&self.inspector.label(end)?).into_keys().collect())
        };
        let (start, goal) = (hubs(from)?, hubs(to)?);
        let both: BTreeSet<Cell> = start.intersection(&goal).copied().collect();
        let radius = Width::cells(0.4).at_least(3.4);
        scene
            .pale()
            .path(&path.cells[..=split], FROM, Width::PATH)
            .path(&path.cells[split..], TO, Width::PATH)
            .dots(start.difference(&goal).copied(), FROM, radius, Shape::Mark)
            .dots(goal.difference(&start).copied(), TO, radius, Shape::Mark)
            .dots(both.iter().copied(), BOTH, radius.times(1.4), Shape::Mark)
            .dots([start_via], FROM, radius, Shape::Target)
            .dots([goal_via], TO, radius, Shape::Target)
            .dots([hub], BOTH, Width::MARK.times(1.2), Shape::Mark)
            .start(from)
            .goal(to)
            .legend(FROM, format!("{} of the start alone", counted(start.len() - both.len(), "hub")))
            .legend(TO, format!("{} of the goal alone", counted(goal.len() - both.len(), "hub")))
            .legend(BOTH, format!("{} of both, the large one is where they meet", counted(both.len(), "hub")))
            .legend(Colour::PAPER, path.label.as_str());
        Some(format!("the labels of {from} and {to} meet at {hub}"))
    }
}

/// A count with its noun in singular or plural.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The best entry of each hub.
fn nearest(label: &Label) -> BTreeMap<Cell, LabelEntry> {
    let mut hubs: BTreeMap<Cell, LabelEntry> = BTreeMap::new();
    for entry in &label.entries {
        let known = hubs.entry(entry.hub).or_insert(*entry);
        if entry.cost < known.cost {
            *known = *entry;
        }
    }
    hubs
}

/// The straight pieces of a way.
fn legs(way: &[Cell]) -> Vec<(Cell, Cell)> {
    let along = |from: u16, to: u16| i32::from(to) - i32::from(from);
    let heading = |step: &[Cell]| (along(step[0].x, step[1].x), along(step[0].y, step[1].y));
    let steps: Vec<&[Cell]> = way.windows(2).collect();
    let runs = steps.chunk_by(|one, next| heading(one) == heading(next));
    runs.map(|run| (run[0][0], run[run.len() - 1][1])).collect()
}

/// A round number of steps, so that [`BANDS`] of them reach beyond as many as
/// asked for.
fn round_width(most: usize) -> usize {
    let tens = std::iter::successors(Some(1_usize), |ten| ten.checked_mul(10));
    let mut widths = tens.flat_map(|ten| [1, 2, 5].map(|times| ten.saturating_mul(times)));
    widths.find(|width| width.saturating_mul(BANDS) > most).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round_and_wide_enough() {
        for (most, expected) in [(0, 1), (4, 1), (5, 2), (49, 10), (50, 20), (99, 20), (100, 50), (2499, 500)]
        {
            assert_eq!(round_width(most), expected, "{most}");
        }
        assert!(round_width(usize::MAX) > usize::MAX / 100);
    }

    #[test]
    fn a_way_is_cut_where_it_turns() {
        let way = [(0, 0), (1, 1), (2, 2), (3, 2), (4, 2), (3, 3)].map(Cell::from);
        let expected = [((0, 0), (2, 2)), ((2, 2), (4, 2)), ((4, 2), (3, 3))];
        assert_eq!(legs(&way), expected.map(|(from, to)| (Cell::from(from), Cell::from(to))));
        assert!(legs(&way[..1]).is_empty());
    }
}

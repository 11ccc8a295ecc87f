//! Building labels of all cells.
//!
//! Records of blocks come first, because they tell which entries of the labels of
//! subgoals any path uses. Only those entries, and the tracks of the arcs they
//! begin with, are kept.

use super::blocks::{Labeller, Made, TooMany, Work};
use super::full::{ARRIVED, Full, is_four_connected};
use super::measure::{FAR, Measure};
use super::record::{ALIGNMENT, MOST_HUBS, Record};
use super::sample::may_fit;
use super::segments::Segments;
use super::stretches::Stretches;
use super::tracks;
use crate::base::crew::Crew;
use crate::base::{Cancelled, Cell, Trail};
use crate::contraction::{ContractionHierarchy, Rank, UpArc};
use crate::grid::Grid;
use crate::hublabel::{EntryId, HubLabels};
use crate::subgoal::TautGraph;

/// At least one block in this many is assumed to have a record. So a map that is
/// far too large for its budget is refused before anything is built.
const SPARSE: u64 = 16;
/// Bytes per entry of a subgoal's label: its hub and its hop.
const ENTRY_BYTES: u64 = 12;
/// Bytes per cell of a track.
const CELL_BYTES: u64 = 2;

/// Everything that labels of cells are built from.
#[derive(Clone, Copy)]
pub(super) struct Ingredients<'i> {
    pub(super) grid: &'i Grid,
    pub(super) graph: &'i TautGraph,
    pub(super) hierarchy: &'i ContractionHierarchy,
    pub(super) labels: &'i HubLabels,
}

impl Ingredients<'_> {
    /// The cell of the subgoal with this rank.
    pub(super) fn cell(&self, rank: Rank) -> Cell {
        self.graph.cells[self.hierarchy.node_at(rank).index()]
    }

    /// Builds labels of all cells, in blocks with `1 << shift` cells to a side.
    ///
    /// Returns `None` if they would take more bytes than `budget`, or numbers
    /// would not fit into records. Tries to find that out early: first by
    /// experience, then from a sample of blocks.
    pub(super) fn full(self, shift: u32, budget: u64, crew: &Crew<'_>) -> Result<Option<Full>, Cancelled> {
        let Self { grid, hierarchy, .. } = self;
        let measure = Measure::new(grid.rules());
        if !self.costs_fit(measure) || hierarchy.node_count() >= MOST_HUBS {
            return Ok(None);
        }
        let side = 1_usize << shift;
        let (columns, rows) = (grid.width().div_ceil(side), grid.height().div_ceil(side));
        let others = self.least_bytes(measure);
        // What is sure to be needed besides is set aside first, so that the sample of
        // records is compared with what is left for them.
        let Some(budget) = budget.checked_sub(others) else { return Ok(None) };
        if (columns * rows * Record::LEAST) as u64 / SPARSE > budget {
            return Ok(None);
        }
        let Some(records) = self.records(shift, [columns, rows], budget, crew)? else { return Ok(None) };
        let full = self.assemble(shift, columns, measure, records);
        Ok(full.filter(|full| full.segments.byte_count() as u64 <= budget + others))
    }

    /// Joins the segments into one array of bytes, as an index file has them.
    /// Returns `None` if the tracks get too long.
    fn assemble(&self, shift: u32, columns: usize, measure: Measure, records: Records) -> Option<Full> {
        let grid = self.grid;
        let Records { blocks, bytes: records, used } = records;
        let Pruned { first, hubs, hops, farthest, tracks } = self.prune(used)?;
        let parts = [words(blocks), records, words(first), words(hubs), words(hops), tracks];
        let full = Full {
            segments: Segments::join(&parts, shift, columns),
            measure,
            four_connected: is_four_connected(grid.rules().diagonals),
            longest: 0,
            room: 0,
        };
        let longest = full.longest_of(farthest, grid.width(), grid.height()) as u32;
        Some(full.with_longest(longest))
    }

    /// Whether every path is cheap enough for a record: a link at each end, and
    /// twice the way to the farthest hub.
    fn costs_fit(&self, measure: Measure) -> bool {
        let farthest = u64::from(self.labels.costs().iter().copied().max().unwrap_or(0));
        let end = Cell::new(self.grid.width() as u16, self.grid.height() as u16);
        let longest = 2 * (farthest + u64::from(measure.distance(Cell::new(0, 0), end)));
        longest < FAR.into()
    }

    /// Estimates how many bytes labels of subgoals and tracks will take at least.
    /// Some entries and tracks are used by no path; by experience at least five
    /// in eight of the entries and seven in ten of the tracks stay.
    fn least_bytes(&self, measure: Measure) -> u64 {
        let entries = self.labels.entry_count() as u64 * ENTRY_BYTES;
        let cells = |arc: &UpArc| measure.most_cells(arc.cost) as u64;
        let tracks = self.hierarchy.arcs().iter().map(cells).sum::<u64>() * CELL_BYTES;
        entries / 8 * 5 + tracks / 10 * 7
    }

    /// Builds the records of all blocks. Returns `None` if a sample says that
    /// they do not fit into the budget, or if a block has too many vias.
    fn records(
        &self,
        shift: u32,
        [columns, rows]: [usize; 2],
        budget: u64,
        crew: &Crew<'_>,
    ) -> Result<Option<Records>, Cancelled> {
        let stretches = Stretches::find(self, shift, [columns, rows], crew)?;
        let labeller = Labeller::new(self);
        let make = |block: usize, work: &mut Work| {
            let [x, y] = [block % columns, block / columns].map(|place| (place << shift) as u16);
            labeller.record(Cell::new(x, y), 1 << shift, stretches.of_block(block), work)
        };
        let size = |block: usize, work: &mut Work| {
            make(block, work).map(|made| made.map_or(0, |made| made.record.len() as u64))
        };
        if !may_fit(columns * rows, budget, crew, size)? {
            return Ok(None);
        }
        Ok(self.collect(crew.try_map(columns * rows, make)?))
    }

    /// Joins the records of all blocks. Returns `None` if a block has too many
    /// vias.
    fn collect(&self, made: Vec<Result<Option<Made>, TooMany>>) -> Option<Records> {
        let mut all = Records {
            blocks: Vec::with_capacity(made.len()),
            // No record begins at 0, which stands for a block without one.
            bytes: vec![0; ALIGNMENT],
            used: vec![false; self.labels.entry_count()],
        };
        for block in made {
            let Some(block) = block.ok()? else {
                all.blocks.push(0);
                continue;
            };
            all.blocks.push((all.bytes.len() / ALIGNMENT) as u32);
            all.bytes.extend_from_slice(&block.record);
            block.used.into_iter().for_each(|entry| all.used[entry.index()] = true);
        }
        Some(all)
    }

    /// Builds the labels of subgoals as queries read them, and the tracks of the
    /// arcs they use. Returns `None` if the tracks get too long.
    ///
    /// Leaves out entries that no path uses, and the entry of each rank for
    /// itself, which is known without.
    fn prune(&self, used: Vec<bool>) -> Option<Pruned> {
        let labels = self.labels;
        let used = self.with_onward(used);
        let mut pruned = Pruned { first: vec![0], ..Pruned::default() };
        pruned.tracks.resize(tracks::MARGIN, 0);
        let mut places = vec![ARRIVED; used.len()];
        let mut starts = vec![UNWRITTEN; self.hierarchy.arcs().len()];
        let (mut tracer, mut cells) = (Tracer::new(self), Vec::new());
        // Ranks rise, so the entry that an entry goes on with has its place
        // already: climbing by entries goes to smaller places only, and ends.
        for rank in self.hierarchy.all_ranks() {
            for entry in labels.range(rank).filter(|&entry| used[entry]) {
                let onward = labels.onward(self.hierarchy, rank, EntryId::new(entry as u32));
                let Some(onward) = onward else { continue };
                let start = &mut starts[onward.arc];
                if *start == UNWRITTEN {
                    *start = u32::try_from(pruned.tracks.len()).ok()?;
                    cells.clear();
                    tracer.trace(onward.arc, &mut cells)?;
                    tracks::write(&cells, &mut pruned.tracks);
                }
                places[entry] = pruned.hubs.len() as u32;
                pruned.hubs.push(labels.hubs()[entry]);
                pruned.farthest = pruned.farthest.max(labels.costs()[entry]);
                pruned.hops.extend([*start, places[onward.entry.index()]]);
            }
            pruned.first.push(pruned.hubs.len() as u32);
        }
        pruned.tracks.resize(pruned.tracks.len() + tracks::MARGIN, 0);
        Some(pruned)
    }

    /// Marks every entry that a marked one goes on with.
    fn with_onward(&self, mut used: Vec<bool>) -> Vec<bool> {
        // Entries go on in labels of higher ranks, so one pass from below marks
        // them all.
        for rank in self.labels.ranks().rev() {
            for entry in self.labels.range(rank) {
                if used[entry]
                    && let Some(onward) = self.labels.onward(self.hierarchy, rank, EntryId::new(entry as u32))
                {
                    used[onward.entry.index()] = true;
                }
            }
        }
        used
    }
}

/// The records of all blocks.
struct Records {
    /// Position of each block's record, in units of [`ALIGNMENT`]; 0 for none.
    blocks: Vec<u32>,
    bytes: Vec<u8>,
    /// Whether some record contains each entry of the subgoals' labels.
    used: Vec<bool>,
}

/// The labels of subgoals as queries read them.
#[derive(Default)]
struct Pruned {
    first: Vec<u32>,
    hubs: Vec<u32>,
    /// Two words per entry: the start of its first track, and the entry it goes
    /// on with.
    hops: Vec<u32>,
    /// The largest distance of a hub.
    farthest: u32,
    /// The tracks of the arcs that entries begin with, in the order of entries, so
    /// that those of one label lie near each other.
    tracks: Vec<u8>,
}

/// Start of a track that has not been written yet.
const UNWRITTEN: u32 = u32::MAX;

/// Unfolds arcs to cells.
struct Tracer<'t> {
    ingredients: &'t Ingredients<'t>,
    /// The lower end of each arc.
    tails: Vec<Rank>,
    trail: Trail,
    leg: Vec<Cell>,
    /// Arcs still to be written, and whether from the upper end down.
    left: Vec<(usize, bool)>,
}

impl<'t> Tracer<'t> {
    fn new(ingredients: &'t Ingredients<'t>) -> Self {
        let hierarchy = ingredients.hierarchy;
        let ranks = hierarchy.all_ranks();
        let tails = ranks.flat_map(|rank| hierarchy.range(rank).map(move |_| rank)).collect();
        Self { ingredients, tails, trail: Trail::default(), leg: Vec::new(), left: Vec::new() }
    }

    /// Appends the cells of an arc to `cells`, from its lower end to its upper
    /// one. Returns `None` if the hierarchy lacks half of a shortcut.
    fn trace(&mut self, arc: usize, cells: &mut Vec<Cell>) -> Option<()> {
        let Ingredients { grid, hierarchy, .. } = *self.ingredients;
        self.left.push((arc, false));
        while let Some((arc, down)) = self.left.pop() {
            let (tail, up) = (self.tails[arc], hierarchy.arcs()[arc]);
            let (from, to) = if down { (up.head(), tail) } else { (tail, up.head()) };
            if let Some(via) = up.via() {
                // A via is below both ends: the first half leads down to it.
                self.left.push((hierarchy.arc_to(via, to)?, false));
                self.left.push((hierarchy.arc_to(via, from)?, true));
                continue;
            }
            self.trail.restart(self.ingredients.cell(from));
            grid.push_diagonal_first(&mut self.trail, self.ingredients.cell(to));
            self.trail.cells_into(&mut self.leg);
            let known = usize::from(!cells.is_empty()); // where the last leg ended
            cells.extend_from_slice(&self.leg[known..]);
        }
        Some(())
    }
}

/// The bytes of some numbers.
fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

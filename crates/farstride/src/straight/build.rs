//! Building labels of all cells, or nothing if they do not fit the budget.

use super::cells::{Ingredients, Made, Work};
use super::climb::Corners;
use super::full::{Full, Hop, MOST_CORNERS, MOST_ENTRIES};
use super::graph::{Outlets, Port, TautCorners};
use super::index::Kept;
use super::label::PortLabels;
use super::order;
use super::settings::StraightSettings;
use crate::base::crew::{Crew, Watch};
use crate::base::{BuildOptions, Cancelled, Cell};
use crate::contraction::{ContractionHierarchy, ContractionSettings};
use crate::grid::Grid;
use crate::labels::TooMany;
use crate::labels::climb::Climb;
use crate::labels::record::ALIGNMENT;
use crate::labels::sample::{may_fit, sample_size};
use crate::labels::segments::Segments;
use std::ops::Range;

/// Builds the index.
pub(super) struct Builder<'b> {
    pub(super) grid: &'b Grid,
    pub(super) settings: StraightSettings,
    pub(super) contraction: ContractionSettings,
    pub(super) threads: usize,
    pub(super) watch: Watch<'b>,
}

/// Build progress in thousandths at the ends of the stages, roughly in proportion to their
/// time: finding links, finding outlets, ordering corners, labelling and cleaning, blocks,
/// and what is built if these do not fit.
const LINKED: usize = 60;
const OUTLETS: usize = 120;
const ORDERED: usize = 450;
const LABELLED: usize = 480;
const CLEANED: usize = 560;
const LOOKED_UP: usize = 900;
const END: usize = 1000;

/// Bytes of the index per entry of a port label before cleaning, at least: 6.8 to 27 on maps of
/// all kinds, the least among small rooms. More entries are not worth the time they take.
const ENTRY_BYTES: u64 = 6;
/// Bytes of an outlet in memory, twice, while labels are built.
const OUTLET_BYTES: u64 = 8;
/// Memory that a build may take for outlets, in budgets.
const OUTLET_BUDGETS: u64 = 10;
/// Bytes of the index per corner, at least, on maps with many: more corners are not labelled.
const CORNER_BYTES: u64 = 768;
/// Fewer corners than this are tried on any budget.
const FEW_CORNERS: usize = 1 << 12;
/// Bytes of a climb index per corner on maps with many, at least: more corners are not linked.
const CLIMB_BYTES: u64 = 256;
/// Bytes of a climb index per corner on any map, at least: its place and its rows.
const PLACE_BYTES: u64 = 16;

/// How corners are contracted where labels of all cells do not fit. A core remains on noise with
/// few obstacles, where corners see far. The limit of work bounds the time to about a minute.
pub(super) const CONTRACTION: ContractionSettings =
    ContractionSettings { trial: 20, proof: 300, core_degree: 128, most_work: 4_000_000_000 };

impl Builder<'_> {
    pub(super) fn run(&self) -> Result<Kept, Cancelled> {
        let kept = self.choose()?;
        (self.watch.progress)(END, END);
        Ok(kept)
    }

    /// Builds the fastest kind of index within the budget.
    fn choose(&self) -> Result<Kept, Cancelled> {
        let Self { grid, settings: settings @ StraightSettings { budget, .. }, .. } = *self;
        self.watch.check()?;
        let most = FEW_CORNERS.max((budget / CLIMB_BYTES) as usize);
        let Some(mut taut) = TautCorners::find(settings.rule.on(grid), most) else { return Ok(Kept::Search) };
        self.stage(0..LINKED, taut.port_count(), |crew| taut.link(crew))?;
        if let Some(full) = self.full(&taut)? {
            return Ok(Kept::Full(full));
        }
        Ok(self.climb(&taut)?.map_or(Kept::Search, Kept::Climb))
    }

    /// A hierarchy of the corners, and labels of the highest; `None` if it does not fit.
    pub(super) fn climb(&self, taut: &TautCorners<'_>) -> Result<Option<Climb<Corners>>, Cancelled> {
        let Self { threads, watch, settings: StraightSettings { budget, .. }, .. } = *self;
        if taut.corners.len() as u64 * PLACE_BYTES > budget {
            return Ok(None);
        }
        let stage = watch.stage(LOOKED_UP..END, END);
        let told = Watch { progress: &stage, ..watch };
        let hierarchy = ContractionHierarchy::of_rows(taut.rows(), &self.contraction, threads, told)?;
        let Some(corners) = Corners::new(taut, &hierarchy) else { return Ok(None) };
        let options = BuildOptions { threads, watch: Watch { progress: &|_, _| (), ..watch } };
        let climb = Climb::within(budget, hierarchy, corners, None, &options)?;
        Ok((climb.byte_count() as u64 <= budget).then_some(climb))
    }

    /// Runs a stage, which covers a range of thousandths and has this many steps.
    fn stage<T>(
        &self,
        part: Range<usize>,
        steps: usize,
        run: impl FnOnce(&Crew<'_>) -> Result<T, Cancelled>,
    ) -> Result<T, Cancelled> {
        let told = self.watch.stage(part, END);
        run(&Crew::new(self.threads, steps.max(1), Watch { progress: &told, ..self.watch }))
    }

    /// Labels of all cells; `None` if they do not fit.
    fn full(&self, taut: &TautCorners<'_>) -> Result<Option<Full>, Cancelled> {
        let Self { grid, settings: StraightSettings { budget, .. }, .. } = *self;
        let most = FEW_CORNERS.max((budget / CORNER_BYTES) as usize).min(MOST_CORNERS - 1);
        if taut.corners.len() > most {
            return Ok(None);
        }
        let ports = taut.port_count();
        let most = (budget.saturating_mul(OUTLET_BUDGETS) / OUTLET_BYTES) as usize;
        let find = |crew: &Crew<'_>| Outlets::find(taut, most, crew);
        let Some(outlets) = self.stage(LINKED..OUTLETS, ports, find)? else { return Ok(None) };
        let grow = |crew: &Crew<'_>| order::order(taut, &outlets, crew);
        let order = self.stage(OUTLETS..ORDERED, order::steps(taut), grow)?;
        let most = (budget / ENTRY_BYTES).min(MOST_ENTRIES as u64) as usize;
        let Some(mut labels) = PortLabels::build(taut, order, most, self.watch.wanted)? else {
            return Ok(None);
        };
        self.stage(LABELLED..CLEANED, 2 * ports, |crew| labels.clean(taut, crew))?;
        let farthest = labels.farthest();
        let across = Full::across(grid.width(), grid.height());
        if !Full::costs_fit(farthest, across) {
            return Ok(None);
        }
        let ingredients = Ingredients { taut, outlets: &outlets, labels: &labels };
        let shifts = self.settings.block.shifts();
        let each = (LOOKED_UP - CLEANED) / shifts.len();
        for (trial, &shift) in shifts.iter().enumerate() {
            let begin = CLEANED + trial * each;
            if let Some(full) = self.blocks(ingredients, shift, begin..begin + each)? {
                return Ok(Some(full));
            }
        }
        Ok(None)
    }

    /// Labels of all cells in blocks with `1 << shift` cells to a side; `None` if they take
    /// more than the budget.
    fn blocks(
        &self,
        ingredients: Ingredients<'_>,
        shift: u32,
        part: Range<usize>,
    ) -> Result<Option<Full>, Cancelled> {
        let side = 1_usize << shift;
        let (columns, rows) = (self.grid.width().div_ceil(side), self.grid.height().div_ceil(side));
        let record = |block: usize, work: &mut Work| {
            let [x, y] = [block % columns, block / columns].map(|place| (place << shift) as u16);
            ingredients.record(Cell::new(x, y), side as u16, work)
        };
        let bytes_of = |block: usize, work: &mut Work| {
            record(block, work).map(|made| made.map_or(0, |made| made.record.len() as u64))
        };
        let (blocks, budget) = (columns * rows, self.settings.budget);
        let made = self.stage(part, sample_size(blocks) + blocks, |crew| {
            let is_small = may_fit(blocks, budget, crew, bytes_of)?;
            is_small.then(|| crew.try_map(blocks, record)).transpose()
        })?;
        let Some(made) = made else { return Ok(None) };
        Ok(assemble(ingredients, shift, columns, made)
            .filter(|full| full.segments.byte_count() as u64 <= budget))
    }
}

/// Joins the segments into one array of bytes, as an index file has them. Returns `None` if
/// a block has too many vias, or numbers do not fit.
fn assemble(
    ingredients: Ingredients<'_>,
    shift: u32,
    columns: usize,
    made: Vec<Result<Option<Made>, TooMany>>,
) -> Option<Full> {
    let Ingredients { taut, labels, .. } = ingredients;
    let mut blocks = Vec::with_capacity(made.len());
    // No record begins at 0, which stands for a block without one.
    let mut records = vec![0; ALIGNMENT];
    let mut used: Vec<Vec<bool>> =
        (0..taut.port_count()).map(|port| vec![false; labels.of(Port(port as u32)).len()]).collect();
    let mut open = Vec::new();
    for block in made {
        let Some(block) = block.ok()? else {
            blocks.push(0);
            continue;
        };
        blocks.push(u32::try_from(records.len() / ALIGNMENT).ok()?);
        records.extend_from_slice(&block.record);
        open.extend(block.used);
        while let Some((port, at)) = open.pop() {
            if !std::mem::replace(&mut used[port.index()][at], true) {
                open.extend(onward(taut, labels, port, at));
            }
        }
    }
    let (first, hops) = hops(taut, labels, &used)?;
    let places = labels.order.iter().flat_map(|&corner| {
        let corner = taut.corner(corner);
        [corner.x as u16, corner.y as u16].into_iter().flat_map(u16::to_le_bytes)
    });
    let words = |numbers: Vec<u32>| numbers.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let hops = hops.into_iter().flat_map(|hop| hop.0.to_le_bytes()).collect();
    let parts = [words(blocks), records, places.collect(), words(first), hops];
    Some(Full { rule: taut.space.rule, segments: Segments::join(&parts, shift, columns) })
}

/// The entry that an entry goes on with, unless that is the hub's own.
fn onward(taut: &TautCorners<'_>, labels: &PortLabels, port: Port, at: usize) -> Option<(Port, usize)> {
    let entry = labels.of(port)[at];
    if labels.ranks[entry.next as usize] == entry.hub {
        return None;
    }
    let next = taut.corner(entry.next);
    let side = next.side(super::graph::between(next, taut.corner(port.corner())))?;
    let onward = Port::new(entry.next, side).opposite();
    Some((onward, labels.entry(onward, entry.hub)?))
}

/// The port labels as queries read them, by rank and side: positions of first entries, and
/// the entries that some record uses.
fn hops(taut: &TautCorners<'_>, labels: &PortLabels, used: &[Vec<bool>]) -> Option<(Vec<u32>, Vec<Hop>)> {
    let ports = || labels.order.iter().flat_map(|&corner| [0, 1].map(|side| Port::new(corner, side)));
    let is_kept = |port: Port, at: usize| {
        used[port.index()][at] && labels.of(port)[at].hub != labels.ranks[port.corner() as usize]
    };
    let mut places: Vec<Vec<u32>> = used.iter().map(|used| vec![0; used.len()]).collect();
    let mut first = vec![0];
    let mut count = 0;
    for port in ports() {
        for (at, place) in places[port.index()].iter_mut().enumerate() {
            if is_kept(port, at) {
                *place = count;
                count += 1;
            }
        }
        first.push(count);
    }
    if count as usize >= MOST_ENTRIES {
        return None;
    }
    let mut hops = Vec::with_capacity(count as usize);
    for port in ports() {
        for (at, entry) in labels.of(port).iter().enumerate().filter(|&(at, _)| is_kept(port, at)) {
            let next = onward(taut, labels, port, at).map(|(port, at)| places[port.index()][at]);
            if next.is_none() && labels.ranks[entry.next as usize] != entry.hub {
                return None; // cleaning never drops what a shortest path goes on with
            }
            hops.push(Hop::new(entry.hub, labels.ranks[port.corner() as usize], next));
        }
    }
    Some((first, hops))
}

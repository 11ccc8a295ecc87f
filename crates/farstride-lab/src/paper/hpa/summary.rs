//! The statistics: plain data, ready to be drawn, written or serialized.

use super::gather::{CLUSTERS, Counted, Sample};
use super::published::{self, Size};
use super::site::{LEVELS, Site};
use super::timing::Times;
use farstride::search::{Counters, Effort};
use farstride_cli::stats::{excess_pct, mean};
use serde::Serialize;

/// Everything that is reported.
#[derive(Serialize)]
pub(super) struct Summary {
    pub(super) maps: usize,
    pub(super) queries: usize,
    pub(super) seed: u64,
    /// How long the measurements took.
    pub(super) seconds: f64,
    /// Queries for which 1, 2 and 3 levels gave paths of the same length.
    pub(super) levels_agree: usize,
    pub(super) table_2: Vec<SizeRow>,
    pub(super) table_3: Vec<OpenRow>,
    /// Means over all queries.
    pub(super) overall: Bin,
    /// By length of the shortest path: Figures 5 and 7.
    pub(super) by_length: Vec<Bin>,
    /// The same in wider steps: Figure 6.
    pub(super) by_length_coarse: Vec<Bin>,
    /// Queries longer than [`LONG`].
    pub(super) long: Bin,
    /// Figure 8, over all queries and over long ones.
    pub(super) by_cluster: Vec<ClusterTable>,
}

/// A column of Table 2.
#[derive(Serialize)]
pub(super) struct SizeRow {
    pub(super) graph: usize,
    /// A level of the graph, or the whole of it.
    pub(super) level: Option<usize>,
    pub(super) measured: Size,
    pub(super) published: Size,
}

/// A row of open-list sizes: Table 3.
#[derive(Serialize)]
pub(super) struct OpenRow {
    pub(super) search: &'static str,
    /// For 1, 2 and 3 levels, or one value where levels play no part.
    pub(super) measured: Vec<f64>,
    pub(super) published: Option<f64>,
}

/// Figure 8 over the queries from some length on.
#[derive(Serialize)]
pub(super) struct ClusterTable {
    pub(super) least_length: f64,
    pub(super) queries: usize,
    pub(super) rows: Vec<ClusterRow>,
}

/// Effort for an abstract path with clusters of some size.
#[derive(Serialize)]
pub(super) struct ClusterRow {
    pub(super) cluster: u16,
    pub(super) insert: f64,
    pub(super) main: f64,
    pub(super) total: f64,
}

impl ClusterTable {
    /// The size of clusters with the least effort.
    pub(super) fn best(&self) -> u16 {
        let best = self.rows.iter().min_by(|a, b| a.total.total_cmp(&b.total));
        best.map_or(0, |row| row.cluster)
    }
}

/// Means over the queries whose shortest path has a length in a range.
#[derive(Serialize)]
pub(super) struct Bin {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) queries: usize,
    pub(super) astar: Cost,
    pub(super) astar_by_the_book: Cost,
    /// Paper's settings on 1, 2 and 3 levels.
    pub(super) levels: [Cost; LEVELS],
    /// Our default settings and tactics.
    pub(super) ours: Cost,
    pub(super) error_pct: Errors,
}

/// What a search takes.
#[derive(Serialize, Clone, Copy)]
pub(super) struct Cost {
    pub(super) insert: f64,
    pub(super) main: f64,
    pub(super) refine: f64,
    pub(super) expanded: f64,
    pub(super) micros: f64,
}

/// How much longer than the shortest paths are, in percent.
#[derive(Serialize, Clone, Copy)]
pub(super) struct Errors {
    pub(super) before_smoothing: f64,
    /// After smoothing as the paper describes it.
    pub(super) after_straight_lines: f64,
    /// After the engine's smoothing.
    pub(super) after_smoothing: f64,
    pub(super) ours_before_smoothing: f64,
    pub(super) ours_after_smoothing: f64,
}

/// Width of the steps in length, in cells.
const STEP: f64 = 25.0;
const COARSE_STEP: f64 = 100.0;
/// Means of fewer queries say little.
const LEAST_QUERIES: usize = 20;
/// From this length on the paper's errors before smoothing are told.
pub(super) const LONG: f64 = 100.0;

/// Figure 8 is told for all queries and for those from these lengths on.
const LEAST_LENGTHS: [f64; 4] = [0.0, 50.0, 100.0, 200.0];

/// A query with all that was measured of it.
type Record<'a> = (&'a Sample, &'a Times);

impl Summary {
    pub(super) fn new(
        sites: &[Site],
        counted: &[Counted],
        times: &[Vec<Times>],
        seed: u64,
        seconds: f64,
    ) -> Self {
        let samples = counted.iter().flat_map(|counted| &counted.samples);
        let records: Vec<Record<'_>> = samples.zip(times.iter().flatten()).collect();
        Self {
            maps: sites.len(),
            queries: records.len(),
            seed,
            seconds,
            levels_agree: records.iter().filter(|(sample, _)| sample.levels_agree).count(),
            table_2: table_2(counted),
            table_3: table_3(&records),
            overall: Bin::new(&records, 0.0, f64::MAX),
            by_length: bins(&records, STEP),
            by_length_coarse: bins(&records, COARSE_STEP),
            long: Bin::new(&records, LONG, f64::MAX),
            by_cluster: LEAST_LENGTHS.iter().map(|&least| by_cluster(counted, least)).collect(),
        }
    }

    /// Intra-edges of the largest hierarchy as a share of the cells and the
    /// moves between them, in percent.
    pub(super) fn overhead_pct(&self) -> f64 {
        let measured = |graph| self.table_2.iter().find(|row| row.graph == graph && row.level.is_none());
        let (Some(cells), Some(top)) = (measured(0), measured(LEVELS)) else { return 0.0 };
        100.0 * top.measured.intra_edges / (cells.measured.nodes + cells.measured.inter_edges)
    }

    /// The range of lengths in which something is largest.
    pub(super) fn best_bin(&self, gain: impl Fn(&Bin) -> f64) -> Option<&Bin> {
        self.by_length.iter().max_by(|a, b| gain(a).total_cmp(&gain(b)))
    }
}

fn table_2(counted: &[Counted]) -> Vec<SizeRow> {
    let of_cells = Size {
        nodes: mean(counted.iter().map(|counted| counted.sizes.cells as f64)),
        inter_edges: mean(counted.iter().map(|counted| counted.sizes.moves as f64)),
        intra_edges: 0.0,
    };
    let mut rows = vec![SizeRow { graph: 0, level: None, measured: of_cells, published: published::CELLS }];
    for graph in 1..=LEVELS {
        let first = rows.len();
        for (level, &published) in (1..).zip(published::GRAPHS[graph - 1]) {
            let measured = level_size(counted, graph, level);
            rows.push(SizeRow { graph, level: Some(level), measured, published });
        }
        let measured = rows[first..].iter().map(|row| row.measured).fold(Size::default(), Size::plus);
        let published = published::TOTALS[graph - 1];
        rows.push(SizeRow { graph, level: None, measured, published });
    }
    rows
}

/// Mean size of one level of the hierarchies with `graph` levels.
fn level_size(counted: &[Counted], graph: usize, level: usize) -> Size {
    let counts = || counted.iter().map(|counted| counted.sizes.levels[graph - 1][level - 1]);
    Size {
        nodes: mean(counts().map(|counts| counts.nodes as f64)),
        inter_edges: mean(counts().map(|counts| counts.inter_edges as f64)),
        intra_edges: mean(counts().map(|counts| counts.intra_edges as f64)),
    }
}

fn table_3(records: &[Record<'_>]) -> Vec<OpenRow> {
    let average = |of: &dyn Fn(&Sample) -> Counters| {
        mean(
            records.iter().map(|(sample, _)| of(sample)).filter(|c| c.expanded > 0).map(|c| c.average_open()),
        )
    };
    let by_level = |of: fn(&Effort) -> Counters| {
        (0..LEVELS).map(|level| average(&|sample| of(&sample.levels[level]))).collect()
    };
    let row = |search, published, measured| OpenRow { search, measured, published };
    vec![
        row("low level, our A*", None, vec![average(&|sample| sample.astar.main)]),
        row(
            "low level, A* by the book",
            Some(published::OPEN_LOW_LEVEL),
            vec![average(&|sample| sample.book.main)],
        ),
        row("main", Some(published::OPEN_MAIN), by_level(|effort| effort.main)),
        row("SG (insertion)", Some(published::OPEN_INSERT), by_level(|effort| effort.insert)),
        row("refinement", Some(published::OPEN_REFINE), by_level(|effort| effort.refine)),
    ]
}

/// Figure 8 over the queries whose shortest path is at least so long.
fn by_cluster(counted: &[Counted], least_length: f64) -> ClusterTable {
    let row = |(at, &cluster): (usize, &u16)| {
        let efforts = counted.iter().flat_map(|counted| counted.samples.iter().zip(&counted.clusters[at]));
        let efforts: Vec<_> = efforts.filter(|(sample, _)| sample.shortest >= least_length).collect();
        let insert = mean(efforts.iter().map(|(_, effort)| effort.insert as f64));
        let main = mean(efforts.iter().map(|(_, effort)| effort.main as f64));
        ClusterRow { cluster, insert, main, total: insert + main }
    };
    let samples = counted.iter().flat_map(|counted| &counted.samples);
    ClusterTable {
        least_length,
        queries: samples.filter(|sample| sample.shortest >= least_length).count(),
        rows: CLUSTERS.iter().enumerate().map(row).collect(),
    }
}

/// Means by length, where there are enough queries.
fn bins(records: &[Record<'_>], step: f64) -> Vec<Bin> {
    let longest = records.iter().map(|(sample, _)| sample.shortest).fold(0.0, f64::max);
    let steps = 0..=(longest / step) as usize;
    let bins = steps.map(|number| Bin::new(records, number as f64 * step, (number + 1) as f64 * step));
    bins.filter(|bin| bin.queries >= LEAST_QUERIES).collect()
}

impl Bin {
    fn new(records: &[Record<'_>], from: f64, to: f64) -> Self {
        let inside = |&&(sample, _): &&Record<'_>| sample.shortest >= from && sample.shortest < to;
        let records: Vec<Record<'_>> = records.iter().filter(inside).copied().collect();
        Self {
            from,
            to,
            queries: records.len(),
            astar: Cost::new(&records, |sample| sample.astar, |times| times.astar),
            astar_by_the_book: Cost::new(&records, |sample| sample.book, |times| times.book),
            levels: std::array::from_fn(|level| {
                Cost::new(&records, |sample| sample.levels[level], |times| times.levels[level])
            }),
            ours: Cost::new(&records, |sample| sample.ours, |times| times.ours),
            error_pct: Errors::new(&records),
        }
    }

    /// Where the range is drawn on an axis.
    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.from, self.to)
    }
}

impl Cost {
    fn new(
        records: &[Record<'_>],
        effort: impl Fn(&Sample) -> Effort,
        micros: impl Fn(&Times) -> f64,
    ) -> Self {
        let mean_of =
            |count: fn(&Effort) -> u64| mean(records.iter().map(|(sample, _)| count(&effort(sample)) as f64));
        Self {
            insert: mean_of(|effort| effort.insert.expanded),
            main: mean_of(|effort| effort.main.expanded),
            refine: mean_of(|effort| effort.refine.expanded),
            expanded: mean_of(|effort| effort.total().expanded),
            micros: mean(records.iter().map(|(_, times)| micros(times))),
        }
    }
}

impl Errors {
    fn new(records: &[Record<'_>]) -> Self {
        let mean_of = |length: fn(&Sample) -> f64| {
            mean(records.iter().map(|(sample, _)| excess_pct(sample.shortest, length(sample))))
        };
        Self {
            before_smoothing: mean_of(|sample| sample.paper_lengths.rough),
            after_straight_lines: mean_of(|sample| sample.straightened),
            after_smoothing: mean_of(|sample| sample.paper_lengths.smooth),
            ours_before_smoothing: mean_of(|sample| sample.our_lengths.rough),
            ours_after_smoothing: mean_of(|sample| sample.our_lengths.smooth),
        }
    }
}

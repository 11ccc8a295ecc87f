//! What a bench reports: one engine's figures, and the table of all.

use crate::options::{Asked, Reference};
use crate::output;
use crate::stats::{self, mean, percentile, sorted};
use farstride::search::Effort;
use serde::Serialize;
use std::fmt::Write as _;

/// One engine's figures, as the contract has them.
#[derive(Serialize, Default)]
pub(crate) struct Report {
    pub(crate) engine: &'static str,
    pub(crate) map: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) free_cells: usize,
    pub(crate) queries: usize,
    pub(crate) solved: usize,
    pub(crate) unreachable: usize,
    /// The sum of the next three.
    pub(crate) failed: usize,
    pub(crate) illegal: usize,
    pub(crate) too_long: usize,
    pub(crate) unlisted: usize,
    pub(crate) build_ms: f64,
    pub(crate) index_bytes: u64,
    pub(crate) mean_us: f64,
    pub(crate) p50_us: f64,
    pub(crate) p95_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    pub(crate) first_move_mean_us: f64,
    pub(crate) first_move_p99_us: f64,
    pub(crate) mean_length: f64,
    /// Where reference lengths come from: `listed` or `astar`.
    pub(crate) reference: &'static str,
    pub(crate) reference_mean_length: f64,
    pub(crate) suboptimality_mean_pct: f64,
    pub(crate) suboptimality_p99_pct: f64,
    pub(crate) suboptimality_max_pct: f64,
    /// Of engines that smooth their paths.
    pub(crate) suboptimality_before_smoothing_mean_pct: Option<f64>,
    pub(crate) expanded_mean: f64,
    pub(crate) expanded_insert_mean: f64,
    pub(crate) expanded_main_mean: f64,
    pub(crate) expanded_refine_mean: f64,
    pub(crate) peak_nodes_mean: f64,
    pub(crate) peak_rss_bytes: Option<u64>,
    /// Of engines whose queries have phases: connecting start and goal,
    /// searching, and making cells of what was found.
    pub(crate) connect_mean_us: Option<f64>,
    pub(crate) search_mean_us: Option<f64>,
    pub(crate) unpack_mean_us: Option<f64>,
    /// Of subgoal graphs and labels.
    pub(crate) subgoals: Option<usize>,
    /// Of subgoal graphs.
    pub(crate) edges: Option<usize>,
    /// Of subgoal graphs and hierarchies.
    pub(crate) levels: Option<u32>,
}

/// What one query showed.
pub(crate) struct Sample {
    pub(crate) micros: f64,
    /// Time to the first cell to walk to.
    pub(crate) first_move_micros: f64,
    /// Length of the path, `None` if there is none.
    pub(crate) length: Option<f64>,
    /// The same before smoothing, if the engine smooths.
    pub(crate) rough_length: Option<f64>,
    /// Number of cells or turning points.
    pub(crate) path_size: usize,
    pub(crate) effort: Effort,
    pub(crate) failure: Option<Failure>,
}

/// Why an answer is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The path breaks the rules, or its length is not the one reported.
    Illegal,
    /// An optimal engine's path is longer than the reference.
    TooLong,
    /// The list says otherwise: there is a path or none, or it is no longer
    /// than a shortest one.
    Unlisted,
}

impl Failure {
    /// The word for it in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::TooLong => "too_long",
            Self::Unlisted => "unlisted",
        }
    }
}

impl Report {
    /// The figures that follow from the samples alone.
    pub(crate) fn new(asked: &Asked, samples: &[Sample]) -> Self {
        let count = |is: fn(&Sample) -> bool| samples.iter().filter(|sample| is(sample)).count();
        let failed = |failure| samples.iter().filter(|sample| sample.failure == Some(failure)).count();
        Self {
            queries: samples.len(),
            solved: count(|sample| sample.length.is_some()),
            unreachable: count(|sample| sample.length.is_none()),
            failed: count(|sample| sample.failure.is_some()),
            illegal: failed(Failure::Illegal),
            too_long: failed(Failure::TooLong),
            unlisted: failed(Failure::Unlisted),
            reference: asked.reference.name(),
            ..Self::default()
        }
        .with_times(samples)
        .with_lengths(asked, samples)
        .with_effort(samples)
    }

    fn with_times(self, samples: &[Sample]) -> Self {
        let micros = sorted(samples.iter().map(|sample| sample.micros));
        let first_move = sorted(samples.iter().map(|sample| sample.first_move_micros));
        Self {
            mean_us: mean(micros.iter().copied()),
            p50_us: percentile(&micros, 50),
            p95_us: percentile(&micros, 95),
            p99_us: percentile(&micros, 99),
            max_us: percentile(&micros, 100),
            first_move_mean_us: mean(first_move.iter().copied()),
            first_move_p99_us: percentile(&first_move, 99),
            ..self
        }
    }

    /// Lengths and how they compare with the references, of legal paths.
    fn with_lengths(self, asked: &Asked, samples: &[Sample]) -> Self {
        let Asked { queries, reference } = asked;
        let excess_pct = |shortest, found| excess_pct(*reference, shortest, found);
        let is_legal = |sample: &Sample| matches!(sample.failure, None | Some(Failure::TooLong));
        let legal =
            queries.iter().zip(samples).filter(|(query, sample)| query.is_solvable() && is_legal(sample));
        let lengths: Vec<(f64, f64)> =
            legal.clone().filter_map(|(query, sample)| Some((query.length, sample.length?))).collect();
        let rough: Vec<f64> = legal
            .filter_map(|(query, sample)| Some(excess_pct(query.length, sample.rough_length?)))
            .collect();
        let excess = sorted(lengths.iter().map(|&(listed, found)| excess_pct(listed, found)));
        Self {
            mean_length: mean(lengths.iter().map(|&(_, found)| found)),
            reference_mean_length: mean(lengths.iter().map(|&(listed, _)| listed)),
            suboptimality_mean_pct: mean(excess.iter().copied()),
            suboptimality_p99_pct: percentile(&excess, 99),
            suboptimality_max_pct: percentile(&excess, 100),
            suboptimality_before_smoothing_mean_pct: (!rough.is_empty()).then(|| mean(rough)),
            ..self
        }
    }

    fn with_effort(self, samples: &[Sample]) -> Self {
        let counted = |count: fn(&Effort) -> u64| mean(samples.iter().map(|s| count(&s.effort) as f64));
        Self {
            expanded_mean: counted(|effort| effort.total().expanded),
            expanded_insert_mean: counted(|effort| effort.insert.expanded),
            expanded_main_mean: counted(|effort| effort.main.expanded),
            expanded_refine_mean: counted(|effort| effort.refine.expanded),
            peak_nodes_mean: counted(|effort| effort.total().peak_nodes),
            ..self
        }
    }
}

/// How much longer a path is than its reference, in percent; a difference that the
/// digits of the reference cannot show is none.
fn excess_pct(reference: Reference, shortest: f64, found: f64) -> f64 {
    let is_rounding = (found - shortest).abs() <= reference.tolerance(shortest);
    if is_rounding { 0.0 } else { stats::excess_pct(shortest, found) }
}

/// The reports side by side.
pub(crate) fn table(reports: &[Report]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    if let Some(first) = reports.first() {
        let Report { map, width, height, queries, .. } = first;
        writeln!(text, "{map}: {width} x {height} cells, {queries} queries\n")?;
    }
    writeln!(
        text,
        "engine         build   index      mean       p50       p99     first  expanded    length  \
         longer by  solved  none  failed"
    )?;
    for report in reports {
        writeln!(
            text,
            "{:<11}{:>9}{:>8}{:>10}{:>10}{:>10}{:>10}{:>10.0}{:>10.3}{:>10.3}%{:>8}{:>6}{:>8}",
            report.engine,
            output::time(report.build_ms / 1e3),
            size(report.index_bytes),
            micros(report.mean_us),
            micros(report.p50_us),
            micros(report.p99_us),
            micros(report.first_move_mean_us),
            report.expanded_mean,
            report.mean_length,
            report.suboptimality_mean_pct,
            report.solved,
            report.unreachable,
            report.failed
        )?;
    }
    phase_table(&mut text, reports)?;
    for report in reports.iter().filter(|report| report.failed > 0) {
        let Report { engine, failed, illegal, too_long, unlisted, .. } = report;
        writeln!(
            text,
            "\n{engine}: {failed} failed: {illegal} illegal, {too_long} too long, \
             {unlisted} not as the list says"
        )?;
    }
    Ok(text)
}

/// The phases of the engines that have any, and the graphs they search.
fn phase_table(text: &mut String, reports: &[Report]) -> std::fmt::Result {
    let mut reports = reports.iter().filter(|report| report.connect_mean_us.is_some()).peekable();
    if reports.peek().is_none() {
        return Ok(());
    }
    writeln!(text, "\nengine        connect     search     unpack  subgoals     edges  levels")?;
    let count = |count: Option<usize>| count.map_or_else(|| "–".to_owned(), |count| count.to_string());
    for report in reports {
        writeln!(
            text,
            "{:<11}{:>10}{:>11}{:>11}{:>10}{:>10}{:>8}",
            report.engine,
            micros(report.connect_mean_us.unwrap_or_default()),
            micros(report.search_mean_us.unwrap_or_default()),
            micros(report.unpack_mean_us.unwrap_or_default()),
            count(report.subgoals),
            count(report.edges),
            count(report.levels.map(|levels| levels as usize)),
        )?;
    }
    Ok(())
}

fn micros(micros: f64) -> String {
    output::time(micros / 1e6)
}

/// A number of bytes that fits a column.
fn size(bytes: u64) -> String {
    match bytes {
        0 => "none".to_owned(),
        1..=9_999 => format!("{bytes} B"),
        10_000..=9_999_999 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_of_the_list_is_no_excess() {
        assert!(excess_pct(Reference::Listed, 2.41421, 2.414_213_562).abs() < 1e-12);
        assert!(excess_pct(Reference::Astar, 2.41421, 2.414_213_562) > 0.0);
        for reference in [Reference::Listed, Reference::Astar] {
            assert!((excess_pct(reference, 100.0, 101.0) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn sizes_fit_a_column() {
        assert_eq!([0, 9_999, 10_000, 123_456_789].map(size), ["none", "9999 B", "10 kB", "123 MB"]);
    }
}

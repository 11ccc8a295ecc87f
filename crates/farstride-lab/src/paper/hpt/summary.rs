//! The statistics: plain data, ready to be drawn, written or serialized.

use super::gather::{EVERY, Figures, RuleCount, RuleSample, Sample, SizeCount, SizeSample};
use super::methods::Method;
use super::published::{self, MANY, MOST};
use super::site::Site;
use super::timing::{ENGINES, Times};
use crate::paper::table::Both;
use farstride::Diagonals;
use farstride_cli::stats::mean;
use serde::Serialize;

/// Everything that is reported.
#[derive(Serialize)]
pub(super) struct Summary {
    pub(super) maps: Vec<String>,
    /// Problems that were asked, and as many as the thesis had.
    pub(super) problems: usize,
    pub(super) published_problems: usize,
    /// Listed queries that were left out: without a path, or without a way to go.
    pub(super) unsolvable: usize,
    pub(super) trivial: usize,
    /// Problems whose goal is in sight of the start: HPT* does not search there.
    pub(super) in_sight: usize,
    /// How long the measurements took.
    pub(super) seconds: f64,
    /// Paths of HPA* that are shorter than A*'s: there must be none.
    pub(super) shorter: Fault,
    /// Paths at any angle with a leg that is not in sight: there must be none.
    pub(super) hidden: Fault,
    /// Tables 2 to 4.
    pub(super) methods: Vec<MethodRow>,
    /// L, V and M.
    pub(super) verdicts: Vec<Verdict>,
    pub(super) by_rule: Vec<RuleRow>,
    pub(super) by_cluster: Vec<SizeRow>,
    /// Problems that those were counted on.
    pub(super) by_cluster_problems: usize,
    pub(super) claims: Vec<Claim>,
    /// Times of long queries.
    pub(super) long_queries: usize,
    pub(super) times: Vec<TimeRow>,
}

/// Something that must not be.
#[derive(Serialize)]
pub(super) struct Fault {
    pub(super) problems: usize,
    pub(super) first: Option<String>,
}

/// Means of a method over all problems.
#[derive(Serialize)]
pub(super) struct MethodRow {
    pub(super) method: &'static str,
    pub(super) length: Both,
    /// To Theta*'s of the same kind.
    pub(super) length_ratio: Both,
    /// Percent above the shortest any-angle paths, which may touch corners.
    pub(super) above_shortest: f64,
    pub(super) insert: f64,
    pub(super) main: f64,
    pub(super) refine: f64,
    pub(super) visits: Both,
    /// To HPA*'s of the same kind.
    pub(super) visits_ratio: Both,
    pub(super) nodes: Both,
    /// To HPA*'s of the same kind.
    pub(super) nodes_ratio: Both,
}

/// The criteria of the thesis for a pair of HPT* and HPA*.
#[derive(Serialize)]
pub(super) struct Verdict {
    pub(super) pair: &'static str,
    #[serde(rename = "L")]
    pub(super) length: f64,
    #[serde(rename = "V")]
    pub(super) visits: f64,
    #[serde(rename = "M")]
    pub(super) nodes: f64,
    /// Whether none is larger than 1.1.
    pub(super) success: bool,
}

/// Means under a rule for diagonal steps.
#[derive(Serialize)]
pub(super) struct RuleRow {
    pub(super) diagonals: &'static str,
    /// Listed queries of different ends that have a path.
    pub(super) solvable: usize,
    pub(super) astar_length: f64,
    pub(super) theta_length: f64,
    pub(super) theta_by_the_book_length: f64,
    pub(super) hpa_length: f64,
    pub(super) hpt_length: f64,
    pub(super) astar_by_the_book: Effort,
    pub(super) theta_by_the_book: Effort,
}

/// Means with clusters of some size.
#[derive(Serialize)]
pub(super) struct SizeRow {
    pub(super) cluster: u16,
    pub(super) hpa: Effort,
    pub(super) hpt: Effort,
    pub(super) hpa_by_the_book: Effort,
    pub(super) hpt_by_the_book: Effort,
    pub(super) hpa_length: f64,
    pub(super) hpt_length: f64,
    #[serde(rename = "L")]
    pub(super) length: f64,
    #[serde(rename = "V")]
    pub(super) visits: f64,
    #[serde(rename = "M")]
    pub(super) nodes: f64,
    #[serde(rename = "V_by_the_book")]
    pub(super) visits_by_the_book: f64,
    #[serde(rename = "M_by_the_book")]
    pub(super) nodes_by_the_book: f64,
}

/// Mean visits and nodes in memory.
#[derive(Serialize, Clone, Copy)]
pub(super) struct Effort {
    pub(super) visits: f64,
    pub(super) nodes: f64,
}

/// Something that the text of the thesis says.
#[derive(Serialize)]
pub(super) struct Claim {
    pub(super) statement: String,
    pub(super) published: &'static str,
    pub(super) measured: String,
    pub(super) by_the_book: String,
}

/// Mean time of long queries.
#[derive(Serialize)]
pub(super) struct TimeRow {
    pub(super) search: String,
    pub(super) micros: f64,
    /// How many times as fast as Theta*.
    pub(super) speedup: f64,
}

/// All that was measured.
pub(super) struct Measured<'m> {
    pub(super) sites: &'m [Site],
    pub(super) samples: &'m [Sample],
    pub(super) by_cluster: &'m [SizeCount],
    pub(super) by_rule: &'m [RuleCount],
    pub(super) times: &'m [Times],
    pub(super) seconds: f64,
}

impl Summary {
    pub(super) fn new(measured: &Measured<'_>) -> Self {
        let Measured { sites, samples, by_cluster, by_rule, times, seconds } = *measured;
        let listed = || sites.iter().flat_map(|site| &site.listed);
        Self {
            maps: sites.iter().map(|site| site.name.clone()).collect(),
            problems: samples.len(),
            published_problems: published::PROBLEMS,
            unsolvable: listed().filter(|query| !query.is_solvable()).count(),
            trivial: listed().filter(|query| query.start == query.goal).count(),
            in_sight: samples.iter().filter(|sample| sample.in_sight).count(),
            seconds,
            shorter: Fault::new(samples.iter().map(|sample| &sample.shorter)),
            hidden: Fault::new(samples.iter().map(|sample| &sample.hidden)),
            methods: Method::ALL.iter().map(|&method| MethodRow::new(samples, method)).collect(),
            verdicts: verdicts(samples),
            by_rule: by_rule.iter().map(RuleRow::new).collect(),
            by_cluster: by_cluster.iter().map(SizeRow::new).collect(),
            by_cluster_problems: samples.len().div_ceil(EVERY),
            claims: claims(samples),
            long_queries: times.len(),
            times: time_rows(times),
        }
    }

    /// The first thing that must not be, in words.
    pub(super) fn fault(&self) -> Option<String> {
        let shorter = self.shorter.told("a path of HPA* shorter than A*'s");
        shorter.or_else(|| self.hidden.told("a leg that is not in sight"))
    }
}

impl Fault {
    fn new<'s>(faults: impl Iterator<Item = &'s Option<String>>) -> Self {
        let mut faults = faults.flatten().peekable();
        let first = faults.peek().map(|&first| first.clone());
        Self { problems: faults.count(), first }
    }

    /// In words, if there is any.
    fn told(&self, what: &str) -> Option<String> {
        let first = self.first.as_ref()?;
        Some(format!("{} problems with {what}; the first is {first}", self.problems))
    }
}

/// A mean over samples.
fn over<'s, S: 's>(samples: impl IntoIterator<Item = &'s S>, value: impl Fn(&S) -> f64) -> f64 {
    mean(samples.into_iter().map(value))
}

/// A ratio; nothing to nothing is nothing.
fn ratio(one: f64, other: f64) -> f64 {
    if other == 0.0 { 0.0 } else { one / other }
}

impl MethodRow {
    fn new(samples: &[Sample], method: Method) -> Self {
        let both = |of: fn(&Figures) -> f64, published: fn(&published::Row) -> f64, base: Option<Method>| {
            let measured = |method: Method| over(samples, |sample| of(sample.of(method)));
            let printed = |method: Method| method.published().map(|row| published(&row));
            match base {
                None => Both { measured: measured(method), published: printed(method) },
                Some(base) => Both {
                    measured: ratio(measured(method), measured(base)),
                    published: printed(method).zip(printed(base)).map(|(one, other)| one / other),
                },
            }
        };
        let part = |of: fn(&Figures) -> u64| over(samples, |sample| of(sample.of(method)) as f64);
        let (length, visits, nodes) = (
            (|figures: &Figures| figures.length) as fn(&Figures) -> f64,
            (|figures: &Figures| figures.visits() as f64) as fn(&Figures) -> f64,
            (|figures: &Figures| figures.nodes as f64) as fn(&Figures) -> f64,
        );
        let (theta, hpa) = (Some(method.theta()), Some(method.hpa()));
        Self {
            method: method.name(),
            length: both(length, |row| row.length, None),
            length_ratio: both(length, |row| row.length, theta),
            above_shortest: 100.0
                * (ratio(
                    over(samples, |sample| sample.of(method).length),
                    over(samples, |sample| sample.shortest),
                ) - 1.0),
            insert: part(|figures| figures.insert),
            main: part(|figures| figures.main),
            refine: part(|figures| figures.refine),
            visits: both(visits, |row| row.visits, None),
            visits_ratio: both(visits, |row| row.visits, hpa),
            nodes: both(nodes, |row| row.nodes, None),
            nodes_ratio: both(nodes, |row| row.nodes, hpa),
        }
    }
}

/// Every pair that it makes sense to compare.
fn verdicts(samples: &[Sample]) -> Vec<Verdict> {
    let all: Vec<&Sample> = samples.iter().collect();
    let apart: Vec<&Sample> = samples.iter().filter(|sample| !sample.in_sight).collect();
    let published = Verdict::new(
        "published",
        published::HPT.length / published::THETA.length,
        published::HPT.visits / published::HPA.visits,
        published::HPT.nodes / published::HPA.nodes,
    );
    let pair = |name, samples: &[&Sample], hpt: Method, hpa: Method| {
        let of = |method: Method, value: fn(&Figures) -> f64| {
            mean(samples.iter().map(|sample| value(sample.of(method))))
        };
        let compared = |one, other, value| ratio(of(one, value), of(other, value));
        Verdict::new(
            name,
            compared(hpt, hpt.theta(), |figures| figures.length),
            compared(hpt, hpa, |figures| figures.visits() as f64),
            compared(hpt, hpa, |figures| figures.nodes as f64),
        )
    };
    vec![
        published,
        pair("by the book", &all, Method::HptByTheBook, Method::HpaByTheBook),
        pair("by the book, goals out of sight", &apart, Method::HptByTheBook, Method::HpaByTheBook),
        pair("as in the thesis, our searches", &all, Method::Hpt, Method::Hpa),
        pair("the same, goals out of sight", &apart, Method::Hpt, Method::Hpa),
        pair("the same with Lazy Theta*", &all, Method::HptLazy, Method::Hpa),
        pair("our tactics", &all, Method::HptOurTactics, Method::HpaOurTactics),
        pair("our defaults", &all, Method::HptOurDefaults, Method::HpaOurDefaults),
        pair("our tactics against HPA* as in the thesis", &all, Method::HptOurTactics, Method::Hpa),
        pair("our defaults against HPA* as in the thesis", &all, Method::HptOurDefaults, Method::Hpa),
        pair("our defaults against HPA* by the book", &all, Method::HptOurDefaults, Method::HpaByTheBook),
    ]
}

impl Verdict {
    fn new(pair: &'static str, length: f64, visits: f64, nodes: f64) -> Self {
        let success = [length, visits, nodes].iter().all(|&ratio| ratio <= MOST);
        Self { pair, length, visits, nodes, success }
    }
}

impl Effort {
    fn new<S>(samples: &[S], of: impl Fn(&S) -> &Figures) -> Self {
        Self {
            visits: over(samples, |sample| of(sample).visits() as f64),
            nodes: over(samples, |sample| of(sample).nodes as f64),
        }
    }
}

impl From<published::Row> for Effort {
    fn from(row: published::Row) -> Self {
        Self { visits: row.visits, nodes: row.nodes }
    }
}

impl RuleRow {
    fn new(RuleCount { rule, solvable, samples }: &RuleCount) -> Self {
        let mean = |value: fn(&RuleSample) -> f64| over(samples, value);
        Self {
            diagonals: match rule {
                Diagonals::Strict => "strict",
                Diagonals::OneSide => "one-side",
                Diagonals::Free => "free",
                Diagonals::None => "none",
            },
            solvable: *solvable,
            astar_length: mean(|sample| sample.astar.length),
            theta_length: mean(|sample| sample.theta.length),
            theta_by_the_book_length: mean(|sample| sample.theta_by_the_book.length),
            hpa_length: mean(|sample| sample.hpa.length),
            hpt_length: mean(|sample| sample.hpt.length),
            astar_by_the_book: Effort::new(samples, |sample| &sample.astar_by_the_book),
            theta_by_the_book: Effort::new(samples, |sample| &sample.theta_by_the_book),
        }
    }
}

impl SizeRow {
    fn new(SizeCount { cluster, samples }: &SizeCount) -> Self {
        let effort = |of: fn(&SizeSample) -> &Figures| Effort::new(samples, of);
        let (hpa, hpt) = (effort(|sample| &sample.hpa), effort(|sample| &sample.hpt));
        let by_the_book =
            [effort(|sample| &sample.hpa_by_the_book), effort(|sample| &sample.hpt_by_the_book)];
        let hpt_length = over(samples, |sample| sample.hpt.length);
        Self {
            cluster: *cluster,
            hpa,
            hpt,
            hpa_by_the_book: by_the_book[0],
            hpt_by_the_book: by_the_book[1],
            hpa_length: over(samples, |sample| sample.hpa.length),
            hpt_length,
            length: ratio(hpt_length, over(samples, |sample| sample.theta)),
            visits: ratio(hpt.visits, hpa.visits),
            nodes: ratio(hpt.nodes, hpa.nodes),
            visits_by_the_book: ratio(by_the_book[1].visits, by_the_book[0].visits),
            nodes_by_the_book: ratio(by_the_book[1].nodes, by_the_book[0].nodes),
        }
    }
}

/// What the text of the thesis says, beside what was measured.
fn claims(samples: &[Sample]) -> Vec<Claim> {
    // The least length of A*'s path with many visits or nodes.
    let from = |value: fn(&Figures) -> u64, method: Method| {
        let many = samples.iter().filter(|sample| value(sample.of(method)) > MANY);
        let least = many.map(|sample| sample.of(Method::Astar).length).min_by(f64::total_cmp);
        least.map_or_else(|| "never".to_owned(), |length| format!("{length:.0}"))
    };
    let longer = |method: Method, than: Method| {
        let length = |method: Method| over(samples, |sample| sample.of(method).length);
        format!("{:.2} %", 100.0 * (ratio(length(method), length(than)) - 1.0))
    };
    let most = |method: Method| {
        let most = samples.iter().map(|sample| sample.of(method).visits()).max();
        most.unwrap_or_default().to_string()
    };
    let pairs = [
        (Method::Astar, Method::AstarByTheBook),
        (Method::Theta, Method::ThetaByTheBook),
        (Method::Hpa, Method::HpaByTheBook),
        (Method::Hpt, Method::HptByTheBook),
    ];
    let mut claims = Vec::new();
    let mut claim = |what: &str, method: Method, published, measured, by_the_book| {
        let statement = format!("{}: {what}", method.name());
        claims.push(Claim { statement, published, measured, by_the_book });
    };
    for ((method, book), published) in pairs.into_iter().zip(["200", "200", "800", "never"]) {
        let visits = |method| from(Figures::visits, method);
        claim("more than 10,000 visits from a length of", method, published, visits(method), visits(book));
    }
    for ((method, book), published) in pairs.into_iter().zip(["200", "200", "never", "never"]) {
        let nodes = |method| from(|figures| figures.nodes, method);
        claim("more than 10,000 nodes from a length of", method, published, nodes(method), nodes(book));
    }
    for ((method, book), published) in pairs.into_iter().zip(["–", "–", "–", "below 10,000"]) {
        claim("most visits of a problem", method, published, most(method), most(book));
    }
    for ((method, book), published) in pairs.into_iter().zip(["–", "–", "4.7 %", "-1.9 %"]).skip(2) {
        let longer = |method| longer(method, Method::Astar);
        claim("longer than A* on average", method, published, longer(method), longer(book));
    }
    claims
}

fn time_rows(times: &[Times]) -> Vec<TimeRow> {
    let complete = |engine: usize| over(times, |times| times.complete[engine]);
    let theta = complete(0);
    let row = |search: String, micros: f64| TimeRow { search, micros, speedup: ratio(theta, micros) };
    let mut rows: Vec<_> = ENGINES
        .iter()
        .enumerate()
        .map(|(number, engine)| row(engine.name().to_owned(), complete(number)))
        .collect();
    rows.push(row("hpt, plan and first leg".to_owned(), over(times, |times| times.first_leg)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ratio_too_large_is_no_success() {
        assert!(Verdict::new("", 1.1, 0.5, 1.1).success);
        assert!(!Verdict::new("", 1.0, 1.0, 1.11).success);
        assert!(!Verdict::new("", 1.2, 0.1, 0.1).success);
    }

    #[test]
    fn the_first_fault_is_named() {
        let faults = [None, Some("one".to_owned()), None, Some("two".to_owned())];
        let fault = Fault::new(faults.iter());
        assert_eq!((fault.problems, fault.first.as_deref()), (2, Some("one")));
        assert_eq!(fault.told("such paths").as_deref(), Some("2 problems with such paths; the first is one"));
        assert!(Fault::new([None].iter()).told("").is_none());
    }
}

//! Judging, then timing.
//!
//! A [`Course`] is a map with queries and the length of a shortest path for
//! each; [`race`] lets every rival answer all of them once, has each answer
//! judged under the rules that the rival claims, and only then takes times.
//! Query by query, every rival is asked in turn and as often, so that what
//! else the machine does hits all alike; per query the least time counts. Each
//! is asked several times in a row, as a program that uses one engine would;
//! or, on request, only once a turn, with caches full of what the others did.

use crate::rival::{Claims, Point, Prepared, Rival, Verdict, widen};
use crate::rivals::baseline;
use farstride_testkit::{Diagonals, Fault, PlainMap};
use serde::Serialize;
use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A query that takes longer is not repeated.
const SLOW: Duration = Duration::from_millis(20);

/// Scenario lengths have six significant digits: half a unit of the last one,
/// relative to the smallest number with six digits.
const LISTED_PRECISION: f64 = 5.1e-6;

/// One query and what is known about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Where to start.
    pub start: Point,
    /// Where to go.
    pub goal: Point,
    /// Length of a shortest path as far as somebody else knows it; 0 between
    /// different cells if there is none.
    pub listed: f64,
}

/// A map, queries, and how short their paths can be.
#[derive(Debug)]
pub struct Course {
    map: PlainMap,
    questions: Vec<Question>,
    /// Per question, under the strict rule; `None` where there is no path.
    optima: Vec<Option<f64>>,
}

impl Course {
    /// Finds the shortest paths with our own A*, which must agree with the
    /// listed lengths.
    ///
    /// # Errors
    /// [`CourseError`] names the first question where it does not, or says
    /// that the map cannot be raced on.
    pub fn new(map: PlainMap, questions: Vec<Question>) -> Result<Self, CourseError> {
        let optima = optima(&map, &questions, Diagonals::Strict).map_err(CourseError::Map)?;
        for (question, &found) in questions.iter().zip(&optima) {
            let Question { start, goal, listed } = *question;
            let solvable = listed > 0.0 || start == goal;
            let agrees = match found {
                Some(length) => solvable && (length - listed).abs() <= listed * LISTED_PRECISION,
                None => !solvable,
            };
            if !agrees {
                return Err(CourseError::Length { start, goal, found, listed });
            }
        }
        Ok(Self { map, questions, optima })
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.questions.len()
    }

    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }
}

/// Lengths of shortest paths under a rule, by our own A*. The judge measures
/// them, so that they compare with those of the rivals to the last bit.
fn optima(map: &PlainMap, questions: &[Question], diagonals: Diagonals) -> Result<Vec<Option<f64>>, String> {
    let mut prepared = baseline().prepare_with(map, diagonals)?;
    let claims = Claims { diagonals, ..Claims::STRICT_OPTIMAL };
    let mut path = Vec::new();
    let mut length = |&Question { start, goal, .. }: &Question| {
        if !prepared.query(start, goal, &mut path) {
            return Ok(None);
        }
        let verdict = claims.judge(map, start, goal, &path);
        let verdict = verdict.map_err(|fault| format!("our own path is illegal: {fault}"))?;
        Ok(Some(verdict.length))
    };
    questions.iter().map(&mut length).collect()
}

/// Why a course cannot be raced on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CourseError {
    /// The map does not suit our own A*.
    Map(String),
    /// Our own A* and the list do not agree: one of them is wrong.
    Length {
        /// Where to start.
        start: Point,
        /// Where to go.
        goal: Point,
        /// What A* found.
        found: Option<f64>,
        /// What is listed.
        listed: f64,
    },
}

impl fmt::Display for CourseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Map(reason) => f.write_str(reason),
            Self::Length { start, goal, found, listed } => {
                write!(f, "from {start:?} to {goal:?}, the scenario lists length {listed}")?;
                match found {
                    Some(length) => write!(f, " but our shortest path has {length}"),
                    None => write!(f, " but we find no path"),
                }
            }
        }
    }
}

impl Error for CourseError {}

/// What became of one answer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Finding {
    Legal(Verdict),
    Illegal(Fault),
    NoPath,
    /// The rival panicked; it is not asked this again.
    Panicked,
}

/// How a rival did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Name of the rival.
    pub rival: &'static str,
    /// What sets it apart from a strict and octile one.
    pub remarks: Vec<&'static str>,
    /// Time to prepare for the map.
    pub build_ms: f64,
    /// Mean time of a query.
    pub mean_us: f64,
    /// Half of the queries take at most this.
    pub p50_us: f64,
    /// All but one in a hundred queries take at most this.
    pub p99_us: f64,
    /// Mean time over that of the baseline.
    pub time_ratio: f64,
    /// Mean length of its legal paths over the mean strict optimum of the
    /// same queries.
    pub length_ratio: f64,
    /// The same over the optimum under the rule that it moves by, if that is
    /// another than the strict one.
    pub own_rule_length_ratio: Option<f64>,
    /// Paths that break the rule that it claims.
    pub illegal: usize,
    /// Queries that have a path, but not for this rival.
    pub unsolved: usize,
    /// Queries in which it panicked, counted as unsolved too.
    pub panics: usize,
    /// What was wrong with the first illegal path.
    pub first_fault: Option<String>,
}

/// A rival on the course.
struct Entry<'r> {
    rival: &'r dyn Rival,
    prepared: Box<dyn Prepared>,
    build: Duration,
    path: Vec<Point>,
    findings: Vec<Finding>,
    times: Vec<Option<Duration>>,
}

impl<'r> Entry<'r> {
    fn prepare(rival: &'r dyn Rival, course: &Course) -> Result<Self, String> {
        let began = Instant::now();
        let prepared = rival.prepare(&course.map)?;
        let build = began.elapsed();
        Ok(Self {
            rival,
            prepared,
            build,
            path: Vec::new(),
            findings: Vec::with_capacity(course.len()),
            times: vec![None; course.len()],
        })
    }

    /// Answers every question once and has the answers judged. This is the
    /// warm-up as well.
    fn judge(&mut self, course: &Course) {
        let claims = self.rival.claims();
        for &Question { start, goal, .. } in &course.questions {
            let Self { prepared, path, .. } = self;
            let asked = AssertUnwindSafe(|| prepared.query(start, goal, path));
            self.findings.push(match catch_unwind(asked) {
                Err(_) => Finding::Panicked,
                Ok(false) => Finding::NoPath,
                Ok(true) => match claims.judge(&course.map, start, goal, &self.path) {
                    Ok(verdict) => Finding::Legal(verdict),
                    Err(fault) => Finding::Illegal(fault),
                },
            });
        }
    }

    /// Times one question, unless it is known to panic or to be slow.
    fn time(&mut self, place: usize, question: &Question) {
        let least = &mut self.times[place];
        if self.findings[place] == Finding::Panicked || least.is_some_and(|time| time > SLOW) {
            return;
        }
        let (start, goal) = black_box((question.start, question.goal));
        let began = Instant::now();
        black_box(self.prepared.query(start, goal, &mut self.path));
        let time = began.elapsed();
        *least = Some(least.map_or(time, |before| before.min(time)));
    }

    fn standing(&self, course: &Course, relaxed: &[Option<f64>]) -> Standing {
        let mut times: Vec<f64> = self.times.iter().flatten().map(|time| time.as_secs_f64() * 1e6).collect();
        times.sort_by(f64::total_cmp);
        let count = |wanted: &dyn Fn(&Finding) -> bool| {
            self.findings.iter().filter(|finding| wanted(finding)).count()
        };
        let missing = self.findings.iter().zip(&course.optima).filter(|(finding, optimum)| {
            optimum.is_some() && matches!(finding, Finding::NoPath | Finding::Panicked)
        });
        let own_rule = self.rival.claims().diagonals != Diagonals::Strict;
        Standing {
            rival: self.rival.name(),
            remarks: self.rival.claims().remarks(),
            build_ms: self.build.as_secs_f64() * 1e3,
            mean_us: mean(&times),
            p50_us: percentile(&times, 50),
            p99_us: percentile(&times, 99),
            time_ratio: f64::NAN,
            length_ratio: self.length_ratio(&course.optima),
            own_rule_length_ratio: own_rule.then(|| self.length_ratio(relaxed)),
            illegal: count(&|finding| matches!(finding, Finding::Illegal(_))),
            unsolved: missing.count(),
            panics: count(&|finding| matches!(finding, Finding::Panicked)),
            first_fault: self.findings.iter().find_map(|finding| match finding {
                Finding::Illegal(fault) => Some(fault.to_string()),
                _ => None,
            }),
        }
    }

    /// Sum of the lengths of legal paths over the sum of the optima, where
    /// there are both.
    fn length_ratio(&self, optima: &[Option<f64>]) -> f64 {
        let (mut lengths, mut bounds) = (0.0, 0.0);
        for (finding, optimum) in self.findings.iter().zip(optima) {
            if let (Finding::Legal(verdict), Some(optimum)) = (finding, optimum) {
                lengths += verdict.length;
                bounds += optimum;
            }
        }
        lengths / bounds
    }
}

/// Lets rivals race: all of them answer every query, are judged, and are timed
/// `repeat` times (queries above 20 ms once): in a row, or if `cold` with all
/// others in between. The first rival is the baseline.
///
/// `tell` hears about each stage.
///
/// # Errors
/// In words, if a rival cannot work on the map.
pub fn race(
    course: &Course,
    rivals: &[Box<dyn Rival>],
    repeat: usize,
    cold: bool,
    mut tell: impl FnMut(&str),
) -> Result<Vec<Standing>, String> {
    let mut entries = Vec::new();
    for rival in rivals {
        tell(&format!("preparing and judging {}", rival.name()));
        let mut entry =
            Entry::prepare(rival.as_ref(), course).map_err(|reason| format!("{}: {reason}", rival.name()))?;
        entry.judge(course);
        entries.push(entry);
    }
    let relaxed = relaxed_optima(course, rivals)?;
    tell("timing");
    for (place, question) in course.questions.iter().enumerate() {
        let (turns, in_a_row) = if cold { (repeat, 1) } else { (1, repeat) };
        for _ in 0..turns {
            for entry in &mut entries {
                (0..in_a_row).for_each(|_| entry.time(place, question));
            }
        }
    }
    let mut standings: Vec<_> = entries.iter().map(|entry| entry.standing(course, &relaxed)).collect();
    let base = standings.first().map_or(f64::NAN, |first| first.mean_us);
    for standing in &mut standings {
        standing.time_ratio = standing.mean_us / base;
    }
    Ok(standings)
}

/// The optima of those who cut corners, if anybody does.
fn relaxed_optima(course: &Course, rivals: &[Box<dyn Rival>]) -> Result<Vec<Option<f64>>, String> {
    let mut rules = rivals.iter().map(|rival| rival.claims().diagonals);
    if rules.any(|rule| rule == Diagonals::Free) {
        optima(&course.map, &course.questions, Diagonals::Free)
    } else {
        Ok(Vec::new())
    }
}

fn mean(sorted: &[f64]) -> f64 {
    sorted.iter().sum::<f64>() / sorted.len() as f64
}

/// The smallest value that at least `percent` of all do not exceed.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// Picks `count` of `questions`, evenly spread and always the same ones; all
/// of them if there are fewer.
pub fn spread<T: Copy>(questions: &[T], count: usize) -> Vec<T> {
    let count = count.min(questions.len());
    (0..count).map(|place| questions[place * questions.len() / count]).collect()
}

/// Turns a drawn query into a question with the answer of the testkit.
pub fn question(map: &PlainMap, start: Point, goal: Point) -> Question {
    let cost = farstride_testkit::DiagonalCost::Sqrt2;
    let (from, to) = (widen(start), widen(goal));
    let units = farstride_testkit::oracle::distance(map, Diagonals::Strict, cost, from, to);
    let listed = units.map_or(0.0, |units| units as f64 / cost.straight_units() as f64);
    Question { start, goal, listed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_and_fixed() {
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(spread(&all, 5), [0, 2, 4, 6, 8]);
        assert_eq!(spread(&all, 3), [0, 3, 6]);
        assert_eq!(spread(&all, 50), all);
        assert_eq!(spread(&all[..0], 5), []);
    }

    #[test]
    fn percentiles_are_values_that_occur() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(percentile(&values, 50), 100.0));
        assert!(close(percentile(&values, 99), 198.0));
        assert!(close(percentile(&values[..1], 99), 1.0));
        assert!(percentile(&[], 50).is_nan());
    }

    #[test]
    fn wrong_lists_are_noticed() {
        let map = PlainMap::from_ascii("...#.\n...#.");
        let (bend, cut_off) = (((0, 0), (2, 1)), ((0, 0), (4, 0)));
        let stay = ((1, 1), (1, 1));
        let right = [(bend, 2.41421), (cut_off, 0.0), (stay, 0.0)];
        let wrong = [(bend, 2.4143), (bend, 0.0), (cut_off, 4.0)];
        let course = |((start, goal), listed)| {
            let question = Question { start, goal, listed };
            Course::new(map.clone(), vec![question])
        };
        assert!(right.into_iter().all(|query| course(query).is_ok()));
        assert!(wrong.into_iter().all(|query| course(query).is_err()));
    }

    /// Answers every query with the same path.
    struct Liar(Vec<Point>);

    impl Rival for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }
        fn claims(&self) -> Claims {
            Claims::STRICT_OPTIMAL
        }
        fn prepare(&self, _: &PlainMap) -> Result<Box<dyn Prepared>, String> {
            Ok(Box::new(Self(self.0.clone())))
        }
    }

    impl Prepared for Liar {
        fn query(&mut self, _: Point, _: Point, path: &mut Vec<Point>) -> bool {
            path.clone_from(&self.0);
            assert!(path.len() < 4, "liars panic at times");
            !path.is_empty()
        }
    }

    #[test]
    fn lies_silence_and_panics_are_counted() {
        let map = PlainMap::from_ascii(".#\n..");
        let course = Course::new(map.clone(), vec![question(&map, (0, 0), (1, 1))]).unwrap();
        let honest = vec![(0, 0), (0, 1), (1, 1)];
        let cut = vec![(0, 0), (1, 1)];
        let rivals: Vec<Box<dyn Rival>> = [honest, cut, vec![], vec![(0, 0); 4]]
            .into_iter()
            .map(|path| Box::new(Liar(path)) as Box<dyn Rival>)
            .collect();
        let standings = race(&course, &rivals, 2, true, |_| ()).unwrap();
        let counts: Vec<_> = standings.iter().map(|s| (s.illegal, s.unsolved, s.panics)).collect();
        assert_eq!(counts, [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1)]);
        assert!((standings[0].length_ratio - 1.0).abs() < 1e-12);
        assert!(standings[1].first_fault.is_some());
        assert!(standings[3].mean_us.is_nan());
    }
}

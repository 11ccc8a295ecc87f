//! A search that is paused goes on as if it had never stopped, or not at all.

use crate::common::{Answer, World, any_point, cases, query, random_map, weigh};
use farstride::error::ResumeError;
use farstride::index::IndexSettings;
use farstride::search::{Counters, Effort};
use farstride::{Cell, Engine, Grid, Outcome, Paused, Planner, Query, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, query_on, weighted_maps};
use farstride_testkit::{DiagonalCost, Diagonals, SplitMix64};
use proptest::prelude::*;
use std::sync::Arc;

/// Runs a search in slices, the last budget again and again; the answer, what
/// it took, and in how many slices.
fn in_slices(planner: &Planner, query: Query, budgets: &[u64]) -> (Answer, Counters, u64) {
    let mut scratch = Scratch::new();
    let mut counters = Counters::default();
    let mut budgets = budgets.iter().copied().chain(std::iter::repeat(budgets[budgets.len() - 1]));
    let mut next = || budgets.next().expect("the last budget is repeated");
    let mut slices = 1;
    let first = query.with_budget(next());
    let mut outcome = planner.find_observed(first, &mut counters, &mut scratch).unwrap();
    while let Outcome::BudgetSpent(paused) = outcome {
        assert_eq!((paused.query().start, paused.query().goal), (query.start, query.goal));
        outcome = planner.resume_observed(&paused, next(), &mut counters, &mut scratch).unwrap();
        slices += 1;
    }
    (outcome.into(), counters, slices)
}

/// The same without a pause.
fn in_one_go(planner: &Planner, query: Query) -> (Answer, Counters) {
    let mut counters = Counters::default();
    let answer = planner.find_observed(query, &mut counters, &mut Scratch::new()).unwrap().into();
    (answer, counters)
}

/// What each phase of a search takes.
fn effort(planner: &Planner, query: Query) -> Effort {
    let mut effort = Effort::default();
    planner.find_observed(query, &mut effort, &mut Scratch::new()).unwrap();
    effort
}

proptest! {
    #![proptest_config(cases(400))]

    /// Path, cost and every counter, for every engine, however the budget is
    /// divided.
    #[test]
    fn pauses_change_nothing(
        case in query_on(prop_oneof![maps(16, 16), weighted_maps(12, 12)]),
        rule in diagonals(),
        cost in diagonal_costs(),
        split in prop::collection::vec(0..20_u64, 1..12),
    ) {
        let world = World::new(case.map, rule, cost);
        for engine in Engine::ALL.into_iter().filter(|&engine| world.suits(engine)) {
            let planner = world.planner(engine);
            let query = query(case.start, case.goal);
            let (answer, counters) = in_one_go(&planner, query);
            let split: Vec<u64> = split.iter().copied().chain([9]).collect();
            for budgets in [&[1][..], &[2], &[7], &split] {
                let (sliced, sliced_counters, slices) = in_slices(&planner, query, budgets);
                prop_assert_eq!(&sliced, &answer);
                prop_assert_eq!(sliced_counters, counters);
                if let [budget] = budgets {
                    // HPA* counts the nodes of its main search alone.
                    let counted = effort(&planner, query).main.expanded;
                    let expected = counted.div_ceil(*budget).max(1);
                    // It may also end by finding out that nothing is left.
                    let settings = engine.default_settings();
                    let hierarchical = matches!(
                        settings,
                        Some(IndexSettings::Hpa(_) | IndexSettings::Overlay(_))
                    );
                    let spare = u64::from(hierarchical);
                    prop_assert!((expected..=expected + spare).contains(&slices));
                }
            }
        }
    }
}

#[test]
fn a_budget_of_nothing_only_starts_the_search() {
    let planner = astar(3, 1);
    let query = Query::new(Cell::new(0, 0), Cell::new(2, 0));
    let mut scratch = Scratch::new();
    let mut counters = Counters::default();
    let outcome = planner.find_observed(query.with_budget(0), &mut counters, &mut scratch).unwrap();
    let Outcome::BudgetSpent(paused) = outcome else { panic!("{outcome:?}") };
    assert_eq!(counters.expanded, 0);
    let answer = Answer::from(planner.resume(&paused, 3, &mut scratch).unwrap());
    assert_eq!(answer, in_one_go(&planner, query).0);
}

/// An open map on which Dijkstra's algorithm takes many thousand expansions.
fn long_search() -> (Planner, Query) {
    let grid = Grid::empty(120, 120).unwrap();
    let planner = Planner::with_engine(grid, Engine::Dijkstra).unwrap();
    (planner, Query::new(Cell::new(0, 0), Cell::new(119, 119)))
}

#[test]
fn a_search_that_stays_wanted_ends_as_if_nobody_had_asked() {
    let (planner, query) = long_search();
    let mut asked = 0;
    let mut scratch = Scratch::new();
    let wanted = || {
        asked += 1;
        true
    };
    let answer = Answer::from(planner.find_while(query, wanted, &mut scratch).unwrap());
    assert_eq!(answer, in_one_go(&planner, query).0);
    assert!((2..100).contains(&asked), "{asked}");
}

#[test]
fn a_search_that_is_no_longer_wanted_stops_and_can_go_on() {
    let (planner, query) = long_search();
    for patience in 0..4 {
        let mut left = patience;
        let mut scratch = Scratch::new();
        let wanted = || {
            left -= 1;
            left >= 0
        };
        let outcome = planner.find_while(query, wanted, &mut scratch).unwrap();
        let Outcome::BudgetSpent(paused) = outcome else { panic!("{outcome:?}") };
        assert_eq!(paused.query(), query);
        assert_eq!(left, -1);
        let answer = Answer::from(planner.resume(&paused, u64::MAX, &mut scratch).unwrap());
        assert_eq!(answer, in_one_go(&planner, query).0);
    }
}

#[test]
fn a_wanted_search_keeps_to_its_budget() {
    let (planner, query) = long_search();
    let total = in_one_go(&planner, query).1.expanded;
    for budget in [0, 1, 3000, total - 1, total] {
        let mut scratch = Scratch::new();
        let outcome = planner.find_while(query.with_budget(budget), || true, &mut scratch).unwrap();
        let Outcome::BudgetSpent(paused) = outcome else {
            assert_eq!((budget, outcome.route().is_some()), (total, true));
            continue;
        };
        let mut counters = Counters::default();
        let rest = planner.resume_observed(&paused, u64::MAX, &mut counters, &mut scratch).unwrap();
        assert!(rest.route().is_some());
        assert_eq!(counters.expanded, total - budget);
    }
}

/// What needs no search is answered without asking.
#[test]
fn nobody_is_asked_about_answers_known_at_once() {
    let planner = Planner::new(Grid::from_ascii("..#.").unwrap());
    let mut scratch = Scratch::new();
    for (goal, expected) in [(0, Outcome::AlreadyThere), (2, Outcome::GoalBlocked), (3, Outcome::Unreachable)]
    {
        let query = Query::new(Cell::new(0, 0), Cell::new(goal, 0)).with_budget(0);
        let asked = || panic!("nothing to give up");
        assert_eq!(planner.find_while(query, asked, &mut scratch).unwrap(), expected);
        assert_eq!(planner.find(query, &mut scratch).unwrap(), expected);
    }
}

/// A planner of an open map whose paths all take a search.
fn astar(width: usize, height: usize) -> Planner {
    Planner::with_engine(Grid::empty(width, height).unwrap(), Engine::Astar).unwrap()
}

/// A search on a small open map, paused after two expansions.
fn pause(planner: &Planner, scratch: &mut Scratch) -> Paused {
    let query = Query::new(Cell::new(0, 0), Cell::new(7, 5)).with_budget(2);
    match planner.find(query, scratch).unwrap() {
        Outcome::BudgetSpent(paused) => paused,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_search_cannot_go_on_in_a_scratch_used_for_another_query() {
    let planner = astar(9, 6);
    let mut scratch = Scratch::new();
    let paused = pause(&planner, &mut scratch);
    let elsewhere = planner.resume(&paused, 1, &mut Scratch::new()).unwrap_err();
    assert_eq!(elsewhere, ResumeError::ScratchReused);
    let at_once = Query::new(Cell::new(1, 1), Cell::new(1, 1));
    for other in [Query::new(Cell::new(1, 1), Cell::new(3, 3)), at_once] {
        let paused = pause(&planner, &mut scratch);
        planner.find(other, &mut scratch).unwrap();
        assert_eq!(planner.resume(&paused, 1, &mut scratch).unwrap_err(), ResumeError::ScratchReused);
    }
    let older = pause(&planner, &mut scratch);
    let newer = pause(&planner, &mut scratch);
    assert_eq!(planner.resume(&older, 1, &mut scratch).unwrap_err(), ResumeError::ScratchReused);
    assert!(planner.resume(&newer, u64::MAX, &mut scratch).unwrap().route().is_some());
}

/// Going on consumes a pause: an older one of the same search is refused.
#[test]
fn a_search_cannot_go_on_from_where_it_was_before() {
    let planner = astar(9, 6);
    let mut scratch = Scratch::new();
    let first = pause(&planner, &mut scratch);
    let Outcome::BudgetSpent(second) = planner.resume(&first, 1, &mut scratch).unwrap() else {
        panic!("one expansion is not enough")
    };
    assert_eq!(planner.resume(&first, 1, &mut scratch).unwrap_err(), ResumeError::ScratchReused);
    assert!(planner.resume(&second, u64::MAX, &mut scratch).unwrap().route().is_some());
}

#[test]
fn a_search_that_has_ended_cannot_go_on() {
    let planner = astar(9, 6);
    let mut scratch = Scratch::new();
    let paused = pause(&planner, &mut scratch);
    assert!(planner.resume(&paused, u64::MAX, &mut scratch).unwrap().route().is_some());
    let again = planner.resume(&paused, u64::MAX, &mut scratch);
    assert_eq!(again, Err(ResumeError::ScratchReused));
}

#[test]
fn a_query_that_is_refused_leaves_the_paused_search_alone() {
    let planner = astar(9, 6);
    let mut scratch = Scratch::new();
    let paused = pause(&planner, &mut scratch);
    let outside = Query::new(Cell::new(0, 0), Cell::new(9, 0));
    assert!(planner.find(outside, &mut scratch).is_err());
    assert!(planner.resume(&paused, u64::MAX, &mut scratch).unwrap().route().is_some());
}

#[test]
fn a_search_cannot_go_on_after_the_map_was_edited() {
    let mut planner = astar(9, 6);
    let mut scratch = Scratch::new();
    let paused = pause(&planner, &mut scratch);
    let nothing = planner.edit(|grid| grid.free(Cell::new(8, 5))).unwrap();
    assert_eq!(nothing.area, None);
    let Outcome::BudgetSpent(paused) = planner.resume(&paused, 1, &mut scratch).unwrap() else {
        panic!("one expansion is not enough")
    };
    let _ = planner.edit(|grid| grid.block(Cell::new(8, 5))).unwrap();
    assert_eq!(planner.resume(&paused, 1, &mut scratch).unwrap_err(), ResumeError::MapChanged);
    let _ = planner.edit(|grid| grid.free(Cell::new(8, 5))).unwrap();
    assert_eq!(planner.resume(&paused, 1, &mut scratch).unwrap_err(), ResumeError::MapChanged);
}

#[test]
fn a_search_cannot_go_on_with_another_engine_or_map() {
    let grid = Arc::new(Grid::empty(9, 6).unwrap());
    let planner = Planner::with_engine(Arc::clone(&grid), Engine::Astar).unwrap();
    let mut scratch = Scratch::new();
    let paused = pause(&planner, &mut scratch);
    for found in [Engine::Dijkstra, Engine::Theta, Engine::LazyTheta] {
        let other = Planner::with_engine(Arc::clone(&grid), found).unwrap();
        let expected = ResumeError::OtherEngine { began: Engine::Astar, found };
        assert_eq!(other.resume(&paused, 1, &mut scratch).unwrap_err(), expected);
    }
    let equal = Planner::with_engine(Grid::empty(9, 6).unwrap(), Engine::Astar).unwrap();
    assert_eq!(equal.resume(&paused, 1, &mut scratch).unwrap_err(), ResumeError::MapChanged);
    let rules = farstride::Rules { diagonals: farstride::Diagonals::None, ..grid.rules() };
    let other_rules = Planner::new(Grid::clone(&grid).with_rules(rules));
    assert_eq!(other_rules.resume(&paused, 1, &mut scratch).unwrap_err(), ResumeError::MapChanged);
    let copy = planner.clone();
    assert!(copy.resume(&paused, u64::MAX, &mut scratch).unwrap().route().is_some());
}

/// Two searches in two scratches, taken in turns, do not disturb each other.
#[test]
fn searches_in_scratches_of_their_own_go_on_in_turns() {
    let mut random = SplitMix64::new(11);
    for round in 0..60 {
        let mut map = random_map(&mut random, 14, 14, 20);
        if round % 2 == 0 {
            weigh(&mut random, &mut map);
        }
        let world = World::new(map, Diagonals::ALL[round % 4], DiagonalCost::Sqrt2);
        let planners = [Engine::Astar, Engine::Dijkstra].map(|engine| world.planner(engine));
        let queries =
            [0; 2].map(|_| query(any_point(&mut random, &world.map), any_point(&mut random, &world.map)));
        let mut scratches: Vec<Scratch> = (0..2).map(|_| Scratch::new()).collect();
        let mut answers = [None, None];
        let mut paused = [None, None];
        while answers.iter().any(Option::is_none) {
            for turn in 0..2 {
                if answers[turn].is_some() {
                    continue;
                }
                let scratch = &mut scratches[turn];
                let outcome = match paused[turn].take() {
                    None => planners[turn].find(queries[turn].with_budget(3), scratch).unwrap(),
                    Some(paused) => planners[turn].resume(&paused, 3, scratch).unwrap(),
                };
                match outcome {
                    Outcome::BudgetSpent(again) => paused[turn] = Some(again),
                    other => answers[turn] = Some(Answer::from(other)),
                }
            }
        }
        for turn in 0..2 {
            assert_eq!(answers[turn], Some(in_one_go(&planners[turn], queries[turn]).0), "{world:?}");
        }
    }
}

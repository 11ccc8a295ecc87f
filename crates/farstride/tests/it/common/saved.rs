//! What holds for the bytes of every index, whatever its engine.

use super::forge::{assert_same_answers, sign, sign_parts};
use super::{Forgeries, World};
use farstride::error::{Inconsistent, OpenError};
use farstride::hpa::{HpaSettings, KeepWays};
use farstride::index::IndexSettings;
use farstride::internal::IndexCounts;
use farstride::labels::LabelKind;
use farstride::{Cell, Grid, Index, Planned, Planner, Query, Scratch, Step, store};
use farstride_testkit::SplitMix64;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

/// What a hierarchy can keep of its ways.
pub(crate) const KEPT: [KeepWays; 3] = [KeepWays::Nothing, KeepWays::Between, KeepWays::All];

/// Settings of HPA* small enough for small maps to have many clusters.
pub(crate) fn hpa_settings(largest: u16, most_levels: u8) -> impl Strategy<Value = HpaSettings> {
    (2..=largest, 1..8_u16, 0..=6_u16, 1..=most_levels, 4..=64_u8, 2..4_u8, select(&KEPT[..])).prop_map(
        |(cluster, entrance, gap, levels, net, group, keep_ways)| {
            HpaSettings::default()
                .with_cluster(cluster)
                .with_entrance(entrance)
                .with_gap(gap)
                .with_levels(levels)
                .with_net(net)
                .with_group(group)
                .with_keep_ways(keep_ways)
        },
    )
}

pub(crate) fn open(bytes: &[u8], grid: &Grid) -> Result<Index, OpenError> {
    store::open(Arc::new(bytes.to_vec()), grid)
}

fn verify(index: &Index, grid: &Grid) -> Result<(), Inconsistent> {
    match index {
        Index::Hpa(hierarchy) => hierarchy.check().and_then(|()| hierarchy.verify(grid)),
        Index::Subgoals(graph) => graph.verify(grid),
        Index::Groups(groups) => groups.verify(grid),
        Index::Overlay(overlay) => overlay.verify(grid),
        Index::Labels(labels) => labels.check(grid).and_then(|()| labels.verify(grid)),
        other => panic!("{other:?}"),
    }
}

fn counts(index: &Index) -> IndexCounts {
    match index {
        Index::Hpa(hierarchy) => IndexCounts::Hpa(hierarchy.counts()),
        Index::Subgoals(graph) => IndexCounts::Subgoals(graph.counts()),
        Index::Groups(groups) => IndexCounts::Groups(groups.counts()),
        Index::Overlay(overlay) => IndexCounts::Overlay(overlay.counts()),
        Index::Labels(labels) => IndexCounts::Labels(labels.kind(), labels.counts()),
        other => panic!("{other:?}"),
    }
}

/// What is opened equals what was saved, in every answer too.
pub(crate) fn assert_round_trip(world: &World, settings: impl Into<IndexSettings>, seed: u64) {
    let (grid, settings) = (world.grid(), settings.into());
    let built = Index::build(&grid, settings).unwrap();
    let bytes = store::save(&built, &grid).unwrap();
    let trusted = store::open_trusted(Arc::new(bytes.clone()), &grid).unwrap();
    for opened in [open(&bytes, &grid).unwrap(), trusted] {
        assert!(opened == built && opened.is_current(&grid));
        assert_eq!((opened.engine(), opened.settings()), (settings.engine(), settings));
        assert_eq!((opened.digest(), counts(&opened)), (built.digest(), counts(&built)));
        if let (Index::Hpa(opened), Index::Hpa(built)) = (&opened, &built) {
            assert_eq!(opened.byte_counts(), built.byte_counts());
        }
        verify(&opened, &grid).unwrap();
        assert!(store::save(&opened, &grid).unwrap() == bytes);
        let planners =
            [&built, &opened].map(|index| Planner::with_index(grid.clone(), index.clone()).unwrap());
        assert_eq!(planners[1].engine(), settings.engine());
        assert_same_answers([&planners[0], &planners[1]], &world.map, seed);
    }
    assert_eq!(store::engine(&bytes), Ok(settings.engine()));
    let description = store::describe(Arc::new(bytes.clone())).unwrap();
    assert_eq!((description.engine, description.settings), (settings.engine(), settings));
    assert_eq!((description.digest, description.bytes), (built.digest(), bytes.len()));
    assert_eq!(description.map.digest, grid.digest());
    assert_eq!(description.counts, counts(&built));
    if let Some(labels) = built.labels().filter(|labels| matches!(labels.kind(), LabelKind::Full { .. })) {
        let sizes: usize = description.segments.iter().map(|part| part.bytes).sum();
        assert_eq!(sizes, labels.byte_count());
    }
}

/// Edits leave no trace in the bytes, be the index built or opened.
pub(crate) fn assert_edits_leave_no_trace(
    grid: &Grid,
    settings: impl Into<IndexSettings>,
    seed: u64,
    edit: impl Fn(&mut Grid, &mut SplitMix64),
) {
    let settings = settings.into();
    let built = Index::build(grid, settings).unwrap();
    let opened = open(&store::save(&built, grid).unwrap(), grid).unwrap();
    for index in [built, opened] {
        let mut planner = Planner::with_index(grid.clone(), index).unwrap();
        let mut random = SplitMix64::new(seed);
        for _ in 0..6 {
            planner.edit(|grid| edit(grid, &mut random));
            let (grid, index) = (planner.grid(), planner.index().unwrap());
            let fresh = Index::build(grid, settings).unwrap();
            assert_eq!(index.digest(), fresh.digest());
            let edited = store::save(index, grid).unwrap();
            assert!(edited == store::save(&fresh, grid).unwrap(), "{settings:?}");
            assert!(open(&edited, grid).is_ok());
        }
    }
}

/// Forges the bytes of a sound index again and again, and hands over what becomes of
/// opening them, with the bytes. `forge` makes the checksum right again.
pub(crate) fn forge_and_open(
    (sound, grid): (&[u8], &Grid),
    (rounds, forgeries): (usize, &Forgeries),
    random: &mut SplitMix64,
    forge: impl Fn(&mut [u8], &mut SplitMix64),
    mut judge: impl FnMut(Result<Index, OpenError>, &[u8], &mut SplitMix64),
) {
    for _ in 0..rounds {
        let mut bytes = sound.to_vec();
        forge(&mut bytes, random);
        let _ = store::describe(Arc::new(bytes.clone()));
        let opened = open(&bytes, grid);
        if bytes != sound {
            forgeries.count(opened.is_ok());
        }
        judge(opened, &bytes, random);
    }
}

/// Makes every digest right again, or now and then the checksum alone; see
/// [`sign_parts`].
pub(crate) fn sign_most(bytes: &mut [u8], first: usize, random: &mut SplitMix64) {
    if random.chance(80) {
        sign_parts(bytes, first);
    } else {
        sign(bytes);
    }
}

/// Walks as a plan says. It may lead nowhere, but not for ever.
pub(crate) fn walk(
    planner: &Planner,
    (start, goal): (Cell, Cell),
    scratch: &mut Scratch,
    assert_step: impl Fn(Cell, Cell),
) {
    let Planned::Plan(mut plan) = planner.plan(Query::new(start, goal), scratch).unwrap() else { return };
    let mut at = start;
    for _ in 0..4 * planner.grid().width() * planner.grid().height() {
        let Step::To(next) = plan.step(planner, scratch).unwrap() else { return };
        assert_step(at, next);
        at = next;
    }
    panic!("still walking from {start} to {goal}");
}

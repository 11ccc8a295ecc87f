//! Indexes in bytes: what is saved can be opened, and whatever else the bytes
//! are, they are refused or do no harm.

use crate::common::forge::{
    assert_damage_is_noticed, edit, forge_cost, forge_word, open, parts, plain, refusal, sign, small,
};
use crate::common::{Forgeries, World, any_point, cases, cell, query, random_map, saved, weigh};
use farstride::error::OpenError;
use farstride::grid::DiagonalCost;
use farstride::hpa::{Connect, Hierarchy, HpaSettings, Tactics};
use farstride::index::BuildOptions;
use farstride::store::{self};
use farstride::{Cell, Diagonals, Grid, Index, Outcome, Planner, Query, Rect, Rules, Scratch};
use farstride_testkit::strategies::{diagonal_costs, diagonals, maps, weighted_maps};
use farstride_testkit::{self as testkit, PlainMap, SplitMix64};
use proptest::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

fn settings() -> impl Strategy<Value = HpaSettings> {
    saved::hpa_settings(6, 4)
}

fn any_map() -> impl Strategy<Value = PlainMap> {
    prop_oneof![maps(24, 24), weighted_maps(16, 16)]
}

/// For a small map with every kind of part.
const SMALL: HpaSettings = HpaSettings::astar().with_cluster(3).with_entrance(2).with_levels(2);

proptest! {
    #![proptest_config(cases(192))]

    /// What is opened equals what was saved, in every answer too.
    #[test]
    fn what_is_saved_can_be_opened(
        map in any_map(), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        saved::assert_round_trip(&World::new(map, rule, cost), settings, seed);
    }

    /// Edits leave no trace in the bytes, be the index built or opened.
    #[test]
    fn an_edited_index_is_saved_like_a_fresh_one(
        map in any_map(), rule in diagonals(), cost in diagonal_costs(), settings in settings(), seed: u64,
    ) {
        let grid = World::new(map, rule, cost).grid();
        saved::assert_edits_leave_no_trace(&grid, settings, seed, |grid, random| edit(grid, random, true));
    }
}

/// Bytes that somebody changed and signed again are refused or do no harm:
/// every query ends, and what it finds is a path.
#[test]
fn forged_bytes_do_no_harm() {
    let any_case = (any_map(), diagonals(), diagonal_costs(), settings(), any::<u64>());
    Forgeries::test((cases(512), file!()), &any_case, 200, |case, forgeries| {
        let (map, rule, cost, settings, seed) = case;
        let mut random = SplitMix64::new(seed);
        let world = World::new(map, rule, cost);
        let grid = world.grid();
        let sound = store::save(&Index::build(&grid, settings).unwrap(), &grid).unwrap();
        let forge = |bytes: &mut [u8], random: &mut SplitMix64| {
            for _ in 0..random.below(4) {
                forge_cost(bytes, &grid, settings, random);
            }
            for _ in 0..random.below(3) {
                forge_way(bytes, random);
            }
            // Nearly every forged lane is refused, so that few others would be opened.
            if random.chance(30) {
                forge_lane(bytes, random);
            }
            if random.chance(30) {
                forge_word(bytes, random);
            }
            sign(bytes);
        };
        saved::forge_and_open(
            (&sound, &grid),
            (32, forgeries),
            &mut random,
            forge,
            |opened, bytes, random| {
                if let Ok(Index::Hpa(hierarchy)) = opened {
                    ask_and_edit(&world, &grid, &hierarchy, trust(&sound, bytes), random);
                }
            },
        );
    });
}

/// Turns some ways: in circles, through walls, or to nowhere.
fn forge_way(bytes: &mut [u8], random: &mut SplitMix64) {
    if let [(_, ways)] = &parts(bytes, *b"step")[..] {
        for _ in 0..random.between(1, 30) {
            // Most of it lands among the ways: the offsets before are few.
            let at = ways.start + random.below(ways.len());
            let step = if random.chance(90) { random.below(8) as u8 } else { 15 };
            bytes[at] = if random.chance(50) { bytes[at] & 0xf0 | step } else { bytes[at] & 15 | step << 4 };
        }
    }
}

/// Swaps two runs of a lane: it still leads where it led, on other cells.
fn forge_lane(bytes: &mut [u8], random: &mut SplitMix64) {
    if let [(_, lanes)] = &parts(bytes, *b"lane")[..] {
        let at = lanes.start + random.below(lanes.len() - 1);
        bytes.swap(at, at + 1);
    }
}

/// What can be told of paths if these bytes became those.
fn trust(sound: &[u8], forged: &[u8]) -> Trust {
    let mut ways = parts(sound, *b"step").into_iter().map(|(_, ways)| ways);
    if ways.all(|ways| sound[ways.clone()] == forged[ways]) { Trust::Legal } else { Trust::Connected }
}

/// Asks an index of unknown origin what it is there for, and edits its map.
fn ask_and_edit(world: &World, grid: &Grid, hierarchy: &Hierarchy, trust: Trust, random: &mut SplitMix64) {
    let _ = (hierarchy.check(), hierarchy.verify(grid), hierarchy.counts());
    let mut planner = Planner::with_index(grid.clone(), hierarchy.clone()).unwrap();
    let mut scratch = Scratch::new();
    for round in 0..3 {
        for tactics in [Tactics::default(), Tactics::paper(), PLAIN] {
            let planner = planner.clone().with_tactics(tactics);
            for _ in 0..4 {
                let (start, goal) = (any_point(random, &world.map), any_point(random, &world.map));
                if let Outcome::Found(route) = planner.find(query(start, goal), &mut scratch).unwrap() {
                    trust.assert_path(planner.grid(), cell(start), cell(goal), route.path().cells());
                }
                let step = |from, to| trust.assert_step(planner.grid(), from, to);
                saved::walk(&planner, (cell(start), cell(goal)), &mut scratch, step);
            }
        }
        if round < 2 {
            planner.edit(|grid| edit(grid, random, true));
        }
    }
}

/// Nothing but what the abstract graph gives.
const PLAIN: Tactics =
    Tactics::DEFAULT.with_smooth(false).with_shortcuts(false).with_connect(Connect::OnTheWay);

/// What can be told of a path that a forged index gave.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Trust {
    /// Its ways are forged, and may lead through walls; only
    /// [`Hierarchy::verify`] can tell. The path is connected, no more.
    Connected,
    /// Its ways are true. The path is legal, whatever else is forged.
    Legal,
}

impl Trust {
    fn assert_path(self, grid: &Grid, start: Cell, goal: Cell, path: &[Cell]) {
        assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
        path.windows(2).for_each(|step| self.assert_step(grid, step[0], step[1]));
    }

    fn assert_step(self, grid: &Grid, from: Cell, to: Cell) {
        let direction = from.direction_to(to).expect("cells are adjacent");
        assert!(grid.contains(to), "{from} to {to}");
        assert!(self == Self::Connected || grid.may_step(from, direction), "{from} to {to}");
    }
}

#[test]
fn every_damage_is_noticed() {
    let (grid, bytes) = small(SMALL);
    assert_damage_is_noticed(bytes, &grid);
}

#[test]
fn swapped_halves_and_other_accidents_are_noticed() {
    let (grid, bytes) = small(SMALL);
    let middle = bytes.len() / 2;
    let mut swapped = bytes.clone();
    swapped[64..].rotate_left(middle - 64);
    assert!(matches!(refusal(&swapped, &grid), OpenError::Damaged { .. }));
    let mut zeroed = bytes.clone();
    zeroed[middle..].fill(0);
    assert!(matches!(refusal(&zeroed, &grid), OpenError::Damaged { .. }));
    let as_text = String::from_utf8_lossy(&bytes).into_owned();
    assert_eq!(refusal(as_text.as_bytes(), &grid), OpenError::NotAnIndex);
    let windows: Vec<u8> =
        bytes.iter().flat_map(|&b| if b == b'\n' { vec![b'\r', b'\n'] } else { vec![b] }).collect();
    assert_eq!(refusal(&windows, &grid), OpenError::NotAnIndex);
}

#[test]
fn other_files_are_told_apart() {
    let (grid, bytes) = small(SMALL);
    let foreign: [&[u8]; 5] =
        [b"", b"type octile\nheight 1\nwidth 1\nmap\n.\n", b"\x89PNG\r\n\x1a\n", b"\x7fELF", &[0; 4096]];
    for bytes in foreign {
        assert!(!store::is_index(bytes));
        assert_eq!(refusal(bytes, &grid), OpenError::NotAnIndex);
    }
    assert!(store::is_index(&bytes));
}

#[test]
fn other_versions_are_told_apart() {
    let (grid, mut bytes) = small(SMALL);
    for found in [0, 2, 255, u32::MAX] {
        bytes[8..12].copy_from_slice(&found.to_le_bytes());
        sign(&mut bytes);
        assert_eq!(refusal(&bytes, &grid), OpenError::Version { found, supported: 1..=1 });
    }
}

#[test]
fn other_engines_are_told_apart() {
    let (grid, mut bytes) = small(SMALL);
    bytes[24..32].copy_from_slice(b"flowmaps");
    sign(&mut bytes);
    let error = refusal(&bytes, &grid);
    assert_eq!(error, OpenError::UnknownEngine { found: "flowmaps".to_owned() });
    // Of an engine without an index, not a name, and not padded with zeros.
    for name in [b"astar\0\0\0", b"\xff\n\r\0\0\0\0\0", b"hpa\0x\0\0\0", b"hpahpahp"] {
        bytes[24..32].copy_from_slice(name);
        sign(&mut bytes);
        assert!(matches!(refusal(&bytes, &grid), OpenError::UnknownEngine { .. }));
    }
    // Of another engine that has one, but other parts.
    for name in [b"ssg\0\0\0\0\0", b"nsg+\0\0\0\0", b"groups\0\0"] {
        bytes[24..32].copy_from_slice(name);
        sign(&mut bytes);
        assert!(matches!(refusal(&bytes, &grid), OpenError::Layout { .. }));
    }
}

#[test]
fn other_maps_and_rules_are_told_apart() {
    let (grid, bytes) = small(SMALL);
    let assert_other = |grid: &Grid| match refusal(&bytes, grid) {
        OpenError::OtherMap { found, expected } => {
            assert_ne!(found, expected);
            assert_eq!(expected.digest, grid.digest());
        }
        other => panic!("{other}"),
    };
    for rules in [
        Rules { diagonals: Diagonals::OneSide, ..grid.rules() },
        Rules { diagonals: Diagonals::None, ..grid.rules() },
        Rules { diagonal_cost: DiagonalCost::Ratio142, ..grid.rules() },
    ] {
        assert_other(&grid.clone().with_rules(rules));
    }
    for at in grid.area().cells() {
        let mut edited = grid.clone();
        let _ = if grid.is_free(at) { edited.block(at) } else { edited.free(at) }.unwrap();
        assert_other(&edited);
        let mut heavier = grid.clone();
        let _ = heavier.set_weight(at, 2).unwrap();
        assert_other(&heavier);
    }
    assert_other(&Grid::empty(10, 7).unwrap());
    // The same map, made in another way.
    let mut again = Grid::empty(10, 6).unwrap();
    grid.area().cells().filter(|&at| !grid.is_free(at)).for_each(|at| {
        let _ = again.block(at).unwrap();
    });
    assert!(open(&bytes, &again).unwrap().is_current(&again));
}

#[test]
fn an_index_is_saved_with_its_own_map_only() {
    let (grid, bytes) = small(SMALL);
    let hierarchy = open(&bytes, &grid).unwrap();
    let mut edited = grid.clone();
    let _ = edited.block(Cell::new(0, 0)).unwrap();
    assert!(store::save(&hierarchy.clone().into(), &edited).is_err());
    let mut written = Vec::new();
    assert!(store::save_to(&hierarchy.clone().into(), &edited, &mut written).is_err());
    assert!(written.is_empty());
}

#[test]
fn a_writer_that_fails_is_noticed() {
    let (grid, bytes) = small(SMALL);
    let hierarchy = open(&bytes, &grid).unwrap();
    for room in 0..bytes.len() {
        let mut full = vec![0; room];
        assert!(matches!(
            store::save_to(&hierarchy.clone().into(), &grid, &mut full[..]),
            Err(farstride::error::SaveError::Io(_))
        ));
    }
    let mut enough = vec![0; bytes.len()];
    store::save_to(&hierarchy.clone().into(), &grid, &mut enough[..]).unwrap();
    assert_eq!(enough, bytes);
}

/// Every word of a small index, changed to many values and signed again. A
/// systematic twin of `forged_bytes_do_no_harm`.
#[test]
fn every_forged_word_is_refused_or_does_no_harm() {
    let (grid, sound) = small(SMALL);
    let world = World::strict(plain(&grid));
    let mut random = SplitMix64::new(1);
    let mut opened = 0;
    for at in (0..sound.len() - 8).step_by(4) {
        let old = u32::from_le_bytes(sound[at..at + 4].try_into().unwrap());
        for new in [
            0,
            1,
            2,
            old.wrapping_sub(1),
            old.wrapping_add(1),
            old ^ 0x8000,
            old ^ 1 << 31,
            u32::MAX,
            0x1111_1111,
        ] {
            if new == old {
                continue;
            }
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
            sign(&mut bytes);
            if let Ok(hierarchy) = open(&bytes, &grid) {
                opened += 1;
                assert!(hierarchy.verify(&grid).is_err(), "word {at}");
                ask_and_edit(&world, &grid, &hierarchy, trust(&sound, &bytes), &mut random);
            }
        }
    }
    assert!(opened > 0, "nothing got past the checks, so nothing was asked");
}

/// The level up to which an inter-edge counts follows from the map.
#[test]
fn forged_heights_are_refused() {
    let (grid, _) = small(SMALL);
    let mut heavy = grid.clone();
    let _ = heavy.set_weight(Rect::spanning(Cell::new(5, 0), Cell::new(6, 5)), 3).unwrap();
    for grid in [grid, heavy] {
        let sound = store::save(&Index::build(&grid, SMALL.with_gap(1)).unwrap(), &grid).unwrap();
        let [(_, table)] = &parts(&sound, *b"link")[..] else { panic!("there is one part of links") };
        let reader = Reader { bytes: &sound };
        let mut forged = 0;
        for record in reader.records(table, 8) {
            let count = reader.u16(record.start);
            let links = record.start + (2 * (count + 2)).next_multiple_of(4);
            for height in (links + 7..record.end).step_by(8) {
                for other in [0, 1, 2, 3, 255].into_iter().filter(|&other| other != sound[height]) {
                    let mut bytes = sound.clone();
                    bytes[height] = other;
                    sign(&mut bytes);
                    assert!(matches!(refusal(&bytes, &grid), OpenError::Inconsistent(_)));
                    forged += 1;
                }
            }
        }
        assert!(forged > 50);
    }
}

/// A head that promises a huge map is refused before memory is taken for it.
#[test]
fn a_forged_size_takes_no_memory() {
    let (grid, sound) = small(SMALL);
    for (width, height) in [(10_000_u32, 10_000_u32), (10_001, 1), (0, 6), (u32::MAX, u32::MAX)] {
        let mut bytes = sound.clone();
        bytes[32..36].copy_from_slice(&width.to_le_bytes());
        bytes[36..40].copy_from_slice(&height.to_le_bytes());
        sign(&mut bytes);
        assert!(store::describe(Arc::new(bytes.clone())).is_err());
        refusal(&bytes, &grid);
    }
}

/// Two builds, any number of threads, and large maps with weights.
#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    let mut random = SplitMix64::new(11);
    let mut map = random_map(&mut random, 120, 90, 20);
    weigh(&mut random, &mut map);
    let grid = World::new(map, testkit::Diagonals::OneSide, testkit::DiagonalCost::Ratio142).grid();
    let settings = HpaSettings::default().with_cluster(9);
    let bytes = |threads| {
        let hierarchy = Index::build_with(&grid, settings, &BuildOptions::new().threads(threads)).unwrap();
        store::save(&hierarchy, &grid).unwrap()
    };
    let one = bytes(1);
    assert!([2, 3, 8].into_iter().all(|threads| bytes(threads) == one));
}

/// A winding way over heavy ground costs more than 4 bytes hold.
#[test]
fn costs_of_eight_bytes_are_kept() {
    let winds =
        |at: Cell| at.y.is_multiple_of(2) || at.x == if at.y % 4 == 1 { 127 } else { 0 } || at.x > 127;
    let mut grid = Grid::from_fn(136, 136, winds).unwrap();
    let _ = grid.set_weight(grid.area(), 255).unwrap();
    for keep_ways in saved::KEPT {
        let settings = HpaSettings::default()
            .with_cluster(128)
            .with_entrance(4)
            .with_levels(2)
            .with_group(2)
            .with_keep_ways(keep_ways);
        let built = Hierarchy::build(&grid, settings).unwrap();
        let dearest = built.intra_edges(1).map(|edge| edge.cost.units()).max().unwrap();
        assert!(dearest > u32::MAX.into(), "{dearest}");
        let opened = open(&store::save(&built.clone().into(), &grid).unwrap(), &grid).unwrap();
        assert!(opened == built);
        opened.verify(&grid).unwrap();
    }
}

#[test]
fn bytes_are_read_where_they_lie() {
    let (grid, bytes) = small(SMALL);
    let bytes = Arc::new(bytes);
    let opened = store::open(bytes.clone(), &grid).unwrap();
    assert!(Arc::strong_count(&bytes) > 1);
    drop(opened);
    assert_eq!(Arc::strong_count(&bytes), 1);
}

/// Reads a file as `docs/format.md` describes it, with none of our code.
struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    fn u16(&self, at: usize) -> usize {
        u16::from_le_bytes(self.bytes[at..at + 2].try_into().unwrap()).into()
    }

    fn u32(&self, at: usize) -> usize {
        u32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap()) as usize
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes[at..at + 8].try_into().unwrap())
    }

    /// Tag, number, place and digest of every part.
    fn list(&self) -> Vec<(&'b [u8], usize, Range<usize>, u64)> {
        let entries = (0..self.u32(12)).map(|part| 64 + 32 * part);
        entries
            .map(|at| {
                let start = self.u64(at + 8) as usize;
                let place = start..start + self.u64(at + 16) as usize;
                (&self.bytes[at..at + 4], self.u32(at + 4), place, self.u64(at + 24))
            })
            .collect()
    }

    /// The places of the records of a table.
    fn records(&self, table: &Range<usize>, clusters: usize) -> Vec<Range<usize>> {
        let word = |index: usize| table.start + 4 * (clusters + 1 + self.u32(table.start + 4 * index));
        assert_eq!(word(clusters), table.end);
        (0..clusters).map(|cluster| word(cluster)..word(cluster + 1)).collect()
    }

    fn cell(&self, at: usize) -> Cell {
        Cell::new(self.u16(at) as u16, self.u16(at + 2) as u16)
    }
}

#[test]
fn the_bytes_are_what_the_documentation_says() {
    let (grid, bytes) = small(SMALL);
    let hierarchy = open(&bytes, &grid).unwrap();
    let reader = Reader { bytes: &bytes };
    assert_eq!(bytes[..12], *b"\x89FSI\r\n\x1a\n\x01\0\0\0");
    assert_eq!(reader.u64(16), bytes.len() as u64);
    assert_eq!(bytes[24..48], *b"hpa\0\0\0\0\0\x0a\0\0\0\x06\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!((reader.u64(48), reader.u64(56)), (grid.digest(), hierarchy.digest()));
    let (summed, sum) = bytes.split_last_chunk::<8>().unwrap();
    assert_eq!(xxh3_64(summed), u64::from_le_bytes(*sum));

    let list = reader.list();
    let labels: Vec<_> = list.iter().map(|(tag, number, ..)| (*tag, *number)).collect();
    let expected: [(&[u8], usize); 9] = [
        (b"sett", 0),
        (b"toll", 1),
        (b"toll", 2),
        (b"door", 2),
        (b"link", 0),
        (b"rank", 0),
        (b"step", 0),
        (b"lane", 0),
        (b"stop", 2),
    ];
    assert_eq!(labels, expected);
    assert_eq!(list[0].2.start, 64 + 32 * 9);
    assert!(list.windows(2).all(|parts| parts[0].2.end.next_multiple_of(8) == parts[1].2.start));
    assert_eq!(list[8].2.end.next_multiple_of(8) + 8, bytes.len());
    assert_eq!(bytes[list[0].2.clone()], [3, 0, 2, 0, 2, 2, 1, 0, 4, 0, 16, 0]);

    let clusters = |level: usize| if level == 2 { 2 } else { 8 };
    let mut digests = Vec::new();
    for (_, number, place, digest) in &list[1..] {
        let records = reader.records(place, clusters(*number));
        let sums = records.iter().enumerate().map(|(cluster, record)| {
            xxhash_rust::xxh3::xxh3_64_with_seed(&bytes[record.clone()], cluster as u64)
        });
        assert_eq!(sums.fold(0, u64::wrapping_add), *digest);
        digests.extend(digest.to_le_bytes());
    }
    assert_eq!(xxh3_64(&digests), hierarchy.digest());

    let (nodes, intra) = read_costs(&reader, &list[1].2, 8);
    assert_eq!(nodes, hierarchy.nodes().map(|node| node.cell).collect::<Vec<_>>());
    let listed = hierarchy.intra_edges(1).map(|edge| (edge.from, edge.to, edge.cost.units()));
    assert_eq!(intra, listed.collect::<Vec<_>>());
    let (upper, intra) = read_costs(&reader, &list[2].2, 2);
    assert_eq!(upper.len(), hierarchy.nodes().filter(|node| node.level == 2).count());
    let listed = hierarchy.intra_edges(2).map(|edge| (edge.from, edge.to, edge.cost.units()));
    assert_eq!(intra, listed.collect::<Vec<_>>());
    assert_eq!(read_links(&reader, &list[4].2, &list[1].2), hierarchy.inter_edges().count());
}

/// The cells of all nodes, and all pairs with a cost.
fn read_costs(
    reader: &Reader<'_>,
    table: &Range<usize>,
    clusters: usize,
) -> (Vec<Cell>, Vec<(Cell, Cell, u64)>) {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for record in reader.records(table, clusters) {
        let count = reader.u32(record.start);
        let cells: Vec<_> =
            (0..count).map(|rank| reader.cell(record.start + 4 * (1 + count + rank))).collect();
        let matrix = record.start + 4 * (1 + 2 * count);
        assert_eq!(record.end, matrix + 4 * count * count);
        for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
            let cost = reader.u32(matrix + 4 * (a * count + b));
            if cost != u32::MAX as usize {
                edges.push((cells[a].min(cells[b]), cells[a].max(cells[b]), cost as u64));
            }
        }
        nodes.extend(cells);
    }
    (nodes, edges)
}

/// Half the number of inter-edges, all of which join adjacent cells.
fn read_links(reader: &Reader<'_>, table: &Range<usize>, costs: &Range<usize>) -> usize {
    let nodes = reader.records(costs, 8);
    // Clusters of 3 x 3 cells: 4 x 3 - 5 = 7 has 3 bits.
    let cell_of = |node: usize| {
        let record = &nodes[node >> 3];
        reader.cell(record.start + 4 * (1 + reader.u32(record.start) + (node & 7)))
    };
    let mut total = 0;
    for (cluster, record) in reader.records(table, 8).into_iter().enumerate() {
        let count = reader.u16(record.start);
        let before = |node: usize| reader.u16(record.start + 2 * (1 + node));
        let links = record.start + (2 * (count + 2)).next_multiple_of(4);
        assert_eq!(record.end, links + 8 * before(count));
        for node in 0..count {
            for link in before(node)..before(node + 1) {
                let (from, to) = (cell_of(cluster << 3 | node), cell_of(reader.u32(links + 8 * link)));
                let cost = if from.direction_to(to).unwrap().is_diagonal() { 6726 } else { 4756 };
                // On two levels without weights, the height is the level of the border.
                let height = if (from.x / 6, from.y / 6) == (to.x / 6, to.y / 6) { 1 } else { 2 };
                assert_eq!(reader.u32(links + 8 * link + 4), cost | height << 24);
                total += 1;
            }
        }
    }
    total / 2
}

/// Nodes that an edit puts on a cell whose ways are forged must not be thought to be joined to others.
#[test]
fn forged_ways_do_not_outlive_an_edit_that_needs_them() {
    let (grid, sound) = small(SMALL);
    let [(_, table)] = &parts(&sound, *b"step")[..] else { panic!("there is one part of ways") };
    let mut opened = 0;
    for at in table.clone().step_by(4) {
        let old = u32::from_le_bytes(sound[at..at + 4].try_into().unwrap());
        // A way that ends where it begins may be the one between two nodes, which has a lane, too.
        let ended = (0..8).map(|nibble| old | 15 << (4 * nibble));
        let turned = [old.wrapping_sub(1), old.wrapping_add(1), old ^ 0x8000, old ^ 1 << 31];
        for new in ended.chain(turned).filter(|&new| new != old) {
            let mut bytes = sound.clone();
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
            sign(&mut bytes);
            let Ok(hierarchy) = open(&bytes, &grid) else { continue };
            opened += 1;
            for seed in 0..4 {
                let mut planner = Planner::with_index(grid.clone(), hierarchy.clone()).unwrap();
                let mut random = SplitMix64::new(seed);
                for _ in 0..=seed % 2 {
                    planner.edit(|grid| edit(grid, &mut random, true));
                }
                for tactics in [Tactics::default(), Tactics::paper(), PLAIN] {
                    ask_all(&planner.clone().with_tactics(tactics));
                }
            }
        }
    }
    assert!(opened > 0);
}

/// Every path between two cells is connected.
fn ask_all(planner: &Planner) {
    let grid = planner.grid();
    let cells =
        (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x as u16, y as u16)));
    let free: Vec<Cell> = cells.filter(|&cell| grid.is_free(cell)).collect();
    let mut scratch = Scratch::new();
    for &start in &free {
        for &goal in &free {
            if let Outcome::Found(route) = planner.find(Query::new(start, goal), &mut scratch).unwrap() {
                Trust::Connected.assert_path(grid, start, goal, route.path().cells());
            }
        }
    }
}

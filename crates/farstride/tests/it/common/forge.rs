//! Bytes of indexes, changed and signed again.

use super::{Answer, any_point, cell, query};
use farstride::error::OpenError;
use farstride::hpa::{Hierarchy, HpaSettings};
use farstride::store;
use farstride::{Grid, Index, Planner, Rect, Scratch};
use farstride_testkit::{PlainMap, SplitMix64};
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The hierarchy that bytes hold.
pub(crate) fn open(bytes: &[u8], grid: &Grid) -> Result<Hierarchy, OpenError> {
    let index = store::open(Arc::new(bytes.to_vec()), grid)?;
    Ok(index.hierarchy().expect("only hierarchies are opened here").clone())
}

/// Opens bytes that must be refused.
pub(crate) fn refusal(bytes: &[u8], grid: &Grid) -> OpenError {
    let error =
        store::open(Arc::new(bytes.to_vec()), grid).expect_err("the bytes are not an index of the map");
    let told = error.to_string();
    assert!(!told.is_empty() && !told.contains('\n'), "{told}");
    error
}

/// A small map with an index that has every kind of part.
pub(crate) fn small(settings: HpaSettings) -> (Grid, Vec<u8>) {
    let grid = Grid::from_ascii(
        "
        ......#...
        .####.....
        ....#.##..
        ..#.......
        .##..#.##.
        .....#....
        ",
    )
    .unwrap();
    let bytes = store::save(&Index::build(&grid, settings).unwrap(), &grid).unwrap();
    (grid, bytes)
}

/// Makes the checksum right again.
pub(crate) fn sign(bytes: &mut [u8]) {
    let (summed, sum) = bytes.split_last_chunk_mut::<8>().unwrap();
    *sum = xxh3_64(summed).to_le_bytes();
}

/// Makes everything right again that is a digest; that of the index is over the
/// parts from number `first` on.
pub(crate) fn sign_parts(bytes: &mut [u8], first: usize) {
    let places: Vec<_> = all_parts(bytes).into_iter().map(|(_, place)| place).collect();
    let mut digests = Vec::new();
    for (number, place) in places.into_iter().enumerate() {
        let digest = bytes.get(place).map_or(0, xxh3_64).to_le_bytes();
        let entry = 64 + 32 * number;
        bytes[entry + 24..entry + 32].copy_from_slice(&digest);
        if number >= first {
            digests.extend(digest);
        }
    }
    bytes[56..64].copy_from_slice(&xxh3_64(&digests).to_le_bytes());
    sign(bytes);
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Tag and place of every part, as `docs/format.md` says; as many as there is
/// room for.
pub(crate) fn all_parts(bytes: &[u8]) -> Vec<([u8; 4], Range<usize>)> {
    let count = (u32_at(bytes, 12) as usize).min((bytes.len() - 72) / 32);
    let part = |number: usize| {
        let entry = 64 + 32 * number;
        let [start, length] = [8, 16].map(|at| u32_at(bytes, entry + at) as usize);
        (bytes[entry..entry + 4].try_into().unwrap(), start..start.saturating_add(length))
    };
    (0..count).map(part).collect()
}

pub(crate) fn part(bytes: &[u8], tag: [u8; 4]) -> Range<usize> {
    all_parts(bytes).into_iter().find(|(found, _)| *found == tag).unwrap().1
}

/// Every changed byte and every wrong length of an index is noticed.
pub(crate) fn assert_damage_is_noticed(mut bytes: Vec<u8>, grid: &Grid) {
    for at in 0..bytes.len() {
        let sound = bytes[at];
        let flips = (0..8).map(|bit| sound ^ 1 << bit);
        let others = [0, 0xff, !sound, sound.wrapping_add(1), sound.rotate_left(4)];
        for changed in flips.chain(others).filter(|&changed| changed != sound) {
            bytes[at] = changed;
            refusal(&bytes, grid);
            assert!(store::describe(Arc::new(bytes.clone())).is_err(), "byte {at}");
            assert!(store::engine(&bytes).is_err(), "byte {at}");
        }
        bytes[at] = sound;
    }
    assert!(store::open(Arc::new(bytes.clone()), grid).is_ok());
    for length in 0..bytes.len() {
        match refusal(&bytes[..length], grid) {
            OpenError::NotAnIndex => assert_eq!(length, 0),
            OpenError::Truncated { found, expected } => {
                assert!(found == length as u64 && expected > found && expected <= bytes.len() as u64);
            }
            other => panic!("{length} bytes: {other}"),
        }
    }
    let expected = bytes.len() as u64;
    for byte in [0, 1, 0xff] {
        for _ in 0..64 {
            bytes.push(byte);
            assert_eq!(refusal(&bytes, grid), OpenError::TooLong { found: bytes.len() as u64, expected });
        }
        bytes.truncate(expected as usize);
    }
}

/// Holds what two planners answer against each other.
pub(crate) fn assert_same_answers([one, other]: [&Planner; 2], map: &PlainMap, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut scratch = Scratch::new();
    for _ in 0..8 {
        let query = query(any_point(&mut random, map), any_point(&mut random, map));
        let answer = Answer::from(one.find(query, &mut scratch).unwrap());
        assert_eq!(answer, Answer::from(other.find(query, &mut scratch).unwrap()));
    }
}

/// A random edit; of weights too, if the engine takes any.
pub(crate) fn edit(grid: &mut Grid, random: &mut SplitMix64, weighs: bool) {
    let corner = |random: &mut SplitMix64, grid: &Grid| {
        cell((random.below(grid.width()), random.below(grid.height())))
    };
    let one = corner(random, grid);
    let area = if random.chance(70) { one.into() } else { Rect::spanning(one, corner(random, grid)) };
    let _ = match random.below(4) {
        0 if weighs => grid.set_weight(area, random.between(1, 4) as u8),
        0 | 1 => grid.free(area),
        _ => grid.block(area),
    }
    .unwrap();
}

/// A random edit of a cell, for engines that take no weights.
pub(crate) fn edit_cell(grid: &mut Grid, random: &mut SplitMix64) {
    let at = cell((random.below(grid.width()), random.below(grid.height())));
    let _ = if random.chance(40) { grid.free(at) } else { grid.block(at) }.unwrap();
}

/// Changes a word, most often of a part, into what another sound file might have
/// there.
pub(crate) fn forge_part_word(bytes: &mut [u8], random: &mut SplitMix64) {
    let parts = all_parts(bytes);
    let place = match random.below(10) {
        at if at > 0 && !parts.is_empty() => parts[at % parts.len()].1.clone(),
        _ => 0..bytes.len() - 8,
    };
    if place.len() < 4 || place.end > bytes.len() - 8 {
        return; // nothing there, or forged before
    }
    let at = place.start + random.below(place.len() / 4) * 4;
    let old = u32_at(bytes, at);
    let new = match random.below(9) {
        0 => random.below(8) as u32,
        1 => old.wrapping_add(1),
        2 => old.wrapping_sub(1),
        3 => u32::MAX,
        4 => u32_at(bytes, place.start + random.below(place.len() / 4) * 4),
        5 | 6 => old ^ 1 << random.below(32),
        7 => random.next_u64() as u32,
        _ => random.below(64) as u32,
    };
    bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
}

/// Changes some bytes, most often in a way that a sound file might have: words
/// that become other small numbers, their neighbours, or all bits set.
pub(crate) fn forge_word(bytes: &mut [u8], random: &mut SplitMix64) {
    let at = random.below(bytes.len() - 8);
    let word = at / 4 * 4;
    let old = u32::from_le_bytes(bytes[word..word + 4].try_into().unwrap());
    let new = match random.below(8) {
        0 => random.below(8) as u32,
        1 => old.wrapping_add(1),
        2 => old.wrapping_sub(1),
        3 => u32::MAX,
        4 => {
            let from = random.below(bytes.len() - 8) / 4 * 4;
            u32::from_le_bytes(bytes[from..from + 4].try_into().unwrap())
        }
        5 => old ^ 1 << random.below(32),
        6 => random.next_u64() as u32,
        _ => {
            bytes[at] = random.next_u64() as u8;
            return;
        }
    };
    bytes[word..word + 4].copy_from_slice(&new.to_le_bytes());
}

/// The parts of one kind with their numbers, as `docs/format.md` says.
pub(crate) fn parts(bytes: &[u8], tag: [u8; 4]) -> Vec<(u8, Range<usize>)> {
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let entries = (0..u32_at(12) as usize).map(|part| 64 + 32 * part);
    let tagged = entries.filter(|&entry| bytes[entry..entry + 4] == tag);
    tagged
        .map(|entry| {
            let start = u32_at(entry + 8) as usize;
            (u32_at(entry + 4) as u8, start..start + u32_at(entry + 16) as usize)
        })
        .collect()
}

/// Claims another cost between two nodes, the same both ways: what no look at
/// the record can tell from a true one.
pub(crate) fn forge_cost(bytes: &mut [u8], grid: &Grid, settings: HpaSettings, random: &mut SplitMix64) {
    let tables = parts(bytes, *b"toll");
    let (level, table) = &tables[random.below(tables.len())];
    let side = settings.side(*level);
    let clusters = grid.width().div_ceil(side) * grid.height().div_ceil(side);
    let u32_at = |bytes: &[u8], word: usize| {
        u32::from_le_bytes(bytes[table.start + word * 4..][..4].try_into().unwrap())
    };
    let record = clusters + 1 + u32_at(bytes, random.below(clusters)) as usize;
    let head = u32_at(bytes, record);
    let (is_wide, is_half, has_islands) = (head >> 31 != 0, head & 1 << 30 != 0, head & 1 << 29 != 0);
    // As numbers of straight and diagonal steps.
    let is_short = head & 1 << 28 != 0;
    let mut nodes = (head & ((1 << 26) - 1)) as usize;
    let (mut matrix, mut before) = (record + 1 + 2 * nodes, 0);
    if has_islands {
        let islands = u32_at(bytes, matrix) as usize;
        let bounds = matrix + 1 + nodes + nodes.div_ceil(2);
        let [first, costs, end] =
            [0, 1, 2].map(|at| u32_at(bytes, bounds + 2 * random.clone().below(islands) + at) as usize);
        nodes = end - first;
        (matrix, before) = (bounds + 2 * (islands + 1), costs);
    }
    if is_wide || nodes < 2 {
        return;
    }
    let (a, b) = (random.below(nodes), random.below(nodes));
    if is_half && a == b {
        return; // not stored
    }
    let count = if is_half { nodes * (nodes - 1) / 2 } else { nodes * nodes };
    let place = |from: usize, to: usize| {
        if is_half { from.max(to) * (from.max(to) - 1) / 2 + from.min(to) } else { from * nodes + to }
    };
    let bytes_each = if is_short { 2 } else { 4 };
    let at = |place: usize| {
        let at = table.start + matrix * 4 + (before + place) * bytes_each;
        at..at + bytes_each
    };
    let mut new = [0; 4];
    match random.below(4) {
        0 => new = [u8::MAX; 4],
        1 => {
            new[..bytes_each].copy_from_slice(&bytes[at(place(a, b))]);
            new = u32::from_le_bytes(new).wrapping_mul(2).to_le_bytes();
        }
        2 => new[..bytes_each].copy_from_slice(&bytes[at(random.below(count))]),
        _ => new = (random.between(5, 40) as u32 * if is_short { 1 } else { 4756 }).to_le_bytes(),
    }
    for (from, to) in [(a, b), (b, a)] {
        let at = at(place(from, to));
        bytes[at].copy_from_slice(&new[..bytes_each]);
    }
}

/// The map of a grid, without weights, as the testkit has it.
pub(crate) fn plain(grid: &Grid) -> PlainMap {
    let mut map = PlainMap::new(grid.width(), grid.height(), false);
    for at in grid.area().cells().filter(|&at| grid.is_free(at)) {
        map.set_free((at.x.into(), at.y.into()), true);
    }
    map
}

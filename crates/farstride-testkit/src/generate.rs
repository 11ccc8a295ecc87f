//! Maps of every kind and size from a seed.
//!
//! Benchmarks and demos need maps that are large, varied and the same on every
//! machine. Each [`Kind`] is drawn by its own module with integer arithmetic
//! and [`SplitMix64`] only, without recursion, in time linear in the cells.
//! Golden hashes in the tests notice any change of output: seeds appear in
//! reports, so a change is a breaking one. Uses [`map`](crate::map) and
//! [`random`](crate::random).

mod canvas;
mod city;
mod fields;
mod lattice;
mod noise;
mod regions;
mod terrain;
mod world;

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

pub use terrain::TerrainKind;

use crate::map::PlainMap;
use crate::random::SplitMix64;

/// The longest side of a generated map, in cells.
pub const MAX_SIDE: usize = 10_000;

/// What to generate. Any parameter in its range works on any size of map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A perfect maze: one path of corridors between any two places.
    Maze {
        /// Width of the corridors in cells, 1 to 1000.
        corridor: usize,
        /// Thickness of the walls in cells, 1 to 1000.
        wall: usize,
    },
    /// Square rooms with thin walls between them and random doors; every room
    /// can be reached.
    Rooms {
        /// Inner side of a room in cells, 1 to 1000.
        size: usize,
    },
    /// Independent blocked cells, exactly as many as the share says (rounded
    /// down), connected or not.
    Random {
        /// Share of blocked cells, 0 to 100.
        blocked_percent: u32,
    },
    /// Winding caves, joined by tunnels to one region. Even a very dense cave
    /// has a free cell.
    Caves {
        /// Share of blocked cells before smoothing, 0 to 100; 45 looks best.
        blocked_percent: u32,
        /// Rounds of smoothing, 0 to 50; 4 or 5 look best.
        rounds: u32,
    },
    /// Streets both ways, buildings of many shapes, courtyards, parks and
    /// slanting avenues, all in one region.
    City {
        /// Usual side of a block in cells, 4 to 1000.
        block: usize,
        /// Width of a usual street in cells, 1 to 1000.
        street: usize,
    },
    /// A field with scattered trees, boulders, walls and ponds, all free cells
    /// in one region.
    Open {
        /// Share of blocked cells, 0 to 50, met nearly.
        blocked_percent: u32,
    },
    /// A land of a game: a river with bridges, a walled town, caves in the
    /// mountains, a ruined maze, farms and woods, all in one region. Meant for
    /// about 150x84 cells; below 40x24 only some trees are left of it.
    World,
}

impl Kind {
    /// One good example of every kind, for tests that must hold for each.
    pub const SAMPLES: [Self; 7] = [
        Self::Maze { corridor: 1, wall: 1 },
        Self::Rooms { size: 8 },
        Self::Random { blocked_percent: 30 },
        Self::Caves { blocked_percent: 45, rounds: 5 },
        Self::City { block: 14, street: 2 },
        Self::Open { blocked_percent: 10 },
        Self::World,
    ];

    /// The name of the kind, one word in lower case.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Maze { .. } => "maze",
            Self::Rooms { .. } => "rooms",
            Self::Random { .. } => "random",
            Self::Caves { .. } => "caves",
            Self::City { .. } => "city",
            Self::Open { .. } => "open",
            Self::World => "world",
        }
    }

    /// Name, value and range of every parameter.
    pub fn parameters(self) -> Vec<(&'static str, usize, RangeInclusive<usize>)> {
        let percent = |value: u32, most| ("blocked_percent", value as usize, 0..=most);
        match self {
            Self::Maze { corridor, wall } => {
                vec![("corridor", corridor, 1..=1000), ("wall", wall, 1..=1000)]
            }
            Self::Rooms { size } => vec![("size", size, 1..=1000)],
            Self::Random { blocked_percent } => vec![percent(blocked_percent, 100)],
            Self::Caves { blocked_percent, rounds } => {
                vec![percent(blocked_percent, 100), ("rounds", rounds as usize, 0..=50)]
            }
            Self::City { block, street } => {
                vec![("block", block, 4..=1000), ("street", street, 1..=1000)]
            }
            Self::Open { blocked_percent } => vec![percent(blocked_percent, 50)],
            Self::World => vec![],
        }
    }
}

/// Why a map could not be generated.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GenerateError {
    /// A side is 0 or above [`MAX_SIDE`].
    Size {
        /// Width asked for.
        width: usize,
        /// Height asked for.
        height: usize,
    },
    /// A parameter of the kind is out of its range.
    Parameter {
        /// Name of the kind.
        kind: &'static str,
        /// Name of the parameter.
        name: &'static str,
        /// Value asked for.
        found: usize,
        /// Values that work.
        allowed: RangeInclusive<usize>,
    },
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => {
                write!(f, "size {width}x{height} is not within 1x1 to {MAX_SIDE}x{MAX_SIDE}")
            }
            Self::Parameter { kind, name, found, allowed } => {
                let (low, high) = (allowed.start(), allowed.end());
                write!(f, "{name} of kind {kind} is {found}, not within {low} to {high}")
            }
        }
    }
}

impl Error for GenerateError {}

/// Draws a map without weights. The same arguments give the same map on every
/// platform.
///
/// ```
/// use farstride_testkit::{Kind, generate, oracle, Diagonals};
///
/// let map = generate(Kind::Maze { corridor: 2, wall: 1 }, 31, 31, 7).unwrap();
/// assert_eq!(oracle::regions(&map, Diagonals::None).0, 1);
/// ```
///
/// # Errors
/// [`GenerateError`] names the size or the parameter that is out of range.
///
/// # Complexity
/// O(cells) time, times `rounds` for caves. Memory stays below about 10 bytes
/// for each cell.
pub fn generate(kind: Kind, width: usize, height: usize, seed: u64) -> Result<PlainMap, GenerateError> {
    check(kind, width, height)?;
    let mut random = SplitMix64::new(seed);
    let mut map = PlainMap::new(width, height, true);
    match kind {
        Kind::Maze { corridor, wall } => lattice::draw_maze(&mut map, corridor, wall, &mut random),
        Kind::Rooms { size } => lattice::draw_rooms(&mut map, size, &mut random),
        Kind::Random { blocked_percent } => {
            noise::draw_random(&mut map, blocked_percent, &mut random);
        }
        Kind::Caves { blocked_percent, rounds } => {
            noise::draw_caves(&mut map, blocked_percent, rounds, &mut random);
        }
        Kind::City { block, street } => city::draw_city(&mut map, block, street, &mut random),
        Kind::Open { blocked_percent } => fields::draw_open(&mut map, blocked_percent, &mut random),
        Kind::World => world::draw_world(&mut map, &mut random),
    }
    Ok(map)
}

/// Draws a map with weights, its free cells in one region. The same arguments
/// give the same map on every platform.
///
/// ```
/// use farstride_testkit::{TerrainKind, generate_terrain};
///
/// let map = generate_terrain(TerrainKind::Roads, 256, 256, 7)?;
/// assert!(map.free_points().iter().any(|&point| map.weight(point) == 1));
/// # Ok::<(), farstride_testkit::GenerateError>(())
/// ```
///
/// # Errors
/// [`GenerateError`] if the size is out of range.
///
/// # Complexity
/// O(cells) time, and for roads O(towns²), with a town for every few thousand
/// cells.
pub fn generate_terrain(
    kind: TerrainKind,
    width: usize,
    height: usize,
    seed: u64,
) -> Result<PlainMap, GenerateError> {
    check_size(width, height)?;
    let mut map = PlainMap::new(width, height, true);
    terrain::draw(&mut map, kind, &mut SplitMix64::new(seed));
    Ok(map)
}

fn check_size(width: usize, height: usize) -> Result<(), GenerateError> {
    let sides = 1..=MAX_SIDE;
    if sides.contains(&width) && sides.contains(&height) {
        Ok(())
    } else {
        Err(GenerateError::Size { width, height })
    }
}

fn check(kind: Kind, width: usize, height: usize) -> Result<(), GenerateError> {
    check_size(width, height)?;
    for (name, found, allowed) in kind.parameters() {
        if !allowed.contains(&found) {
            return Err(GenerateError::Parameter { kind: kind.name(), name, found, allowed });
        }
    }
    Ok(())
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Diagonals;
    use crate::oracle::regions;

    /// FNV-1a over the drawing: short, and stable for ever.
    fn fingerprint(map: &PlainMap) -> u64 {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        map.to_ascii().bytes().fold(0xCBF2_9CE4_8422_2325, step)
    }

    /// Seeds stand for maps in reports. If this fails, either the change of
    /// output was a slip, or it belongs in the changelog.
    #[test]
    fn maps_are_the_same_for_ever() {
        let golden = [
            ("maze", 0x0606_d170_6210_83d6),
            ("rooms", 0x7275_718d_0cc6_06bd),
            ("random", 0x5c75_fe47_d775_b905),
            ("caves", 0x09a4_ab86_f17a_d57c),
            ("city", 0x01c9_8b49_ef91_e867),
            ("open", 0xcaaa_97a4_99f7_9ae7),
            ("world", 0xf660_4f01_f953_850b),
        ];
        let found = Kind::SAMPLES.map(|kind| {
            let map = generate(kind, 150, 84, 1).unwrap();
            (kind.name(), fingerprint(&map))
        });
        assert_eq!(found, golden, "{found:#x?}");
    }

    #[test]
    fn terrain_is_the_same_for_ever() {
        let golden = [
            ("patches", 0xf888_135c_f2ce_684b),
            ("roads", 0x8fbe_a194_33c7_7773),
            ("mixed", 0x8aad_11fc_4f55_454a),
            ("noise", 0xb52b_2364_1b94_e827),
            ("fields", 0x0aa8_670b_13ea_9fb2),
        ];
        let found = TerrainKind::ALL.map(|kind| {
            let map = generate_terrain(kind, 300, 200, 1).unwrap();
            (kind.name(), fingerprint(&map))
        });
        assert_eq!(found, golden, "{found:#x?}");
    }

    #[test]
    fn seeds_matter_and_nothing_else_does() {
        for kind in Kind::SAMPLES {
            let map = generate(kind, 90, 50, 1).unwrap();
            assert_eq!(map, generate(kind, 90, 50, 1).unwrap());
            assert_ne!(map, generate(kind, 90, 50, 2).unwrap(), "{kind:?}");
        }
    }

    /// The extremes of every parameter on the smallest and oddest sizes.
    #[test]
    fn every_parameter_works_on_every_size() {
        let mut kinds = Kind::SAMPLES.to_vec();
        for (low, high) in [(1, 1), (1, 1000), (1000, 1), (1000, 1000), (7, 3)] {
            kinds.push(Kind::Maze { corridor: low, wall: high });
            kinds.push(Kind::Rooms { size: low });
            kinds.push(Kind::City { block: low.max(4), street: high });
        }
        for percent in [0, 1, 50, 99, 100] {
            kinds.push(Kind::Random { blocked_percent: percent });
            kinds.push(Kind::Open { blocked_percent: percent.min(50) });
            kinds.push(Kind::Caves { blocked_percent: percent, rounds: percent / 2 });
        }
        for (width, height) in
            [(1, 1), (1, 90), (90, 1), (2, 3), (5, 5), (40, 24), (41, 23), (300, 24), (40, 200)]
        {
            for &kind in &kinds {
                let map = generate(kind, width, height, 3).unwrap();
                assert_eq!((map.width, map.height), (width, height));
                assert_eq!(map.free.len(), width * height);
                check_connected(kind, &map);
            }
        }
    }

    /// Every kind but the random one promises a single region.
    fn check_connected(kind: Kind, map: &PlainMap) {
        let dense = matches!(kind, Kind::Caves { blocked_percent: 100, .. });
        if !dense && !matches!(kind, Kind::Random { .. }) {
            assert_eq!(regions(map, Diagonals::None).0, 1, "{kind:?}\n{map:?}");
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        for (width, height) in [(0, 5), (5, 0), (10_001, 5), (5, usize::MAX)] {
            let refused = GenerateError::Size { width, height };
            assert_eq!(generate(Kind::World, width, height, 1).as_ref(), Err(&refused));
            assert_eq!(generate_terrain(TerrainKind::Noise, width, height, 1), Err(refused));
        }
        let message = generate(Kind::World, 0, 5, 1).unwrap_err().to_string();
        assert_eq!(message, "size 0x5 is not within 1x1 to 10000x10000");
        assert!(generate(Kind::Random { blocked_percent: 5 }, 10_000, 1, 1).is_ok());
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (kind, parameter) in [
            (Kind::Maze { corridor: 0, wall: 1 }, "corridor"),
            (Kind::Maze { corridor: 1, wall: 0 }, "wall"),
            (Kind::Maze { corridor: usize::MAX, wall: 1 }, "corridor"),
            (Kind::Rooms { size: 0 }, "size"),
            (Kind::Random { blocked_percent: 101 }, "blocked_percent"),
            (Kind::Caves { blocked_percent: 101, rounds: 1 }, "blocked_percent"),
            (Kind::Caves { blocked_percent: 45, rounds: 51 }, "rounds"),
            (Kind::City { block: 3, street: 1 }, "block"),
            (Kind::City { block: 9, street: 0 }, "street"),
            (Kind::Open { blocked_percent: 51 }, "blocked_percent"),
        ] {
            match generate(kind, 9, 9, 1) {
                Err(GenerateError::Parameter { name, .. }) => assert_eq!(name, parameter),
                other => panic!("{kind:?}: {other:?}"),
            }
        }
        let error = generate(Kind::Open { blocked_percent: 51 }, 9, 9, 1).unwrap_err();
        let message = "blocked_percent of kind open is 51, not within 0 to 50";
        assert_eq!(error.to_string(), message);
    }
}

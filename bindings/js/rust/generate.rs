//! Generated maps: the kinds, parameters and defaults of `farstride gen`.

use crate::failure::Failure;
use crate::object::object;
use crate::settings::shown;
use farstride::Grid;
use farstride_testkit::{Kind, PlainMap, TerrainKind};
use js_sys::{Array, Object};
use std::iter;
use wasm_bindgen::JsCast as _;

/// Every kind without weights, with the parameters that the command line takes when
/// none are given, and what it calls them.
const KINDS: [(Kind, &[&str]); 7] = [
    (Kind::Maze { corridor: 1, wall: 1 }, &["corridor", "wall"]),
    (Kind::Rooms { size: 16 }, &["room"]),
    (Kind::Random { blocked_percent: 25 }, &["blocked"]),
    (Kind::Caves { blocked_percent: 45, rounds: 5 }, &["blocked", "rounds"]),
    (Kind::City { block: 14, street: 3 }, &["block", "street"]),
    (Kind::Open { blocked_percent: 10 }, &["blocked"]),
    (Kind::World, &[]),
];

/// The same kind with other values of its parameters, in their order.
fn with_values(kind: Kind, values: &[usize]) -> Kind {
    // Whether they are in range, the generator checks; what does not fit is not.
    let small = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    match (kind, values) {
        (Kind::Maze { .. }, &[corridor, wall]) => Kind::Maze { corridor, wall },
        (Kind::Rooms { .. }, &[size]) => Kind::Rooms { size },
        (Kind::Random { .. }, &[blocked]) => Kind::Random { blocked_percent: small(blocked) },
        (Kind::Caves { .. }, &[blocked, rounds]) => {
            Kind::Caves { blocked_percent: small(blocked), rounds: small(rounds) }
        }
        (Kind::City { .. }, &[block, street]) => Kind::City { block, street },
        (Kind::Open { .. }, &[blocked]) => Kind::Open { blocked_percent: small(blocked) },
        (other, _) => other,
    }
}

/// Draws a map of a kind.
pub(crate) fn draw(
    name: &str,
    width: usize,
    height: usize,
    seed: u64,
    given: &Object,
) -> Result<Grid, Failure> {
    let given = parameters(given)?;
    let takes_none = |parameter: &str| Failure::map(format!("a map of kind {name} takes no '{parameter}'"));
    if let Some((kind, names)) = KINDS.iter().find(|(kind, _)| kind.name() == name) {
        let mut values: Vec<usize> = kind.parameters().into_iter().map(|(_, value, _)| value).collect();
        for (parameter, value) in given {
            let at = names.iter().position(|name| *name == parameter);
            values[at.ok_or_else(|| takes_none(&parameter))?] = value;
        }
        let map = farstride_testkit::generate(with_values(*kind, &values), width, height, seed);
        return to_grid(&map.map_err(Failure::map)?);
    }
    let Some(kind) = TerrainKind::ALL.into_iter().find(|kind| kind.name() == name) else {
        let kinds = KINDS.iter().map(|(kind, _)| kind.name());
        let all: Vec<_> = kinds.chain(TerrainKind::ALL.map(TerrainKind::name)).collect();
        return Err(Failure::map(format!("no kind of map is called '{name}'; there are {}", all.join(" "))));
    };
    if let Some((parameter, _)) = given.first() {
        return Err(takes_none(parameter));
    }
    let map = farstride_testkit::generate_terrain(kind, width, height, seed);
    to_grid(&map.map_err(Failure::map)?)
}

/// Names and values of parameters.
fn parameters(given: &Object) -> Result<Vec<(String, usize)>, Failure> {
    let mut parameters = Vec::new();
    for pair in Object::entries(given).iter() {
        let pair: Array = pair.unchecked_into();
        let (name, value) = (pair.get(0).as_string().unwrap_or_default(), pair.get(1));
        if value.is_undefined() {
            continue;
        }
        let number = value.as_f64().filter(|number| number.fract() == 0.0);
        let number = number.filter(|number| (0.0..=f64::from(u32::MAX)).contains(number));
        let expected = || Failure::map(format!("{name} is {}; expected a whole number", shown(&value)));
        let number = number.ok_or_else(expected)? as usize;
        parameters.push((name, number));
    }
    Ok(parameters)
}

fn to_grid(map: &PlainMap) -> Result<Grid, Failure> {
    let ones = iter::repeat(&1);
    let weight = |(&free, &weight): (&bool, &u8)| if free { weight } else { 0 };
    let weights: Vec<u8> = match &map.weights {
        Some(weights) => map.free.iter().zip(weights).map(weight).collect(),
        None => map.free.iter().zip(ones).map(weight).collect(),
    };
    Grid::from_weights(map.width, map.height, &weights).map_err(Failure::map)
}

/// The kinds, for `Grid.kinds`.
pub(crate) fn kinds() -> Array {
    let describe = |name: &str, terrain: bool, parameters: Array| {
        object([("kind", name.into()), ("terrain", terrain.into()), ("parameters", parameters.into())])
    };
    let plain = KINDS.iter().map(|(kind, names)| {
        let parameters = kind.parameters().into_iter().zip(*names).map(|((_, value, range), name)| {
            object([
                ("name", (*name).into()),
                ("value", (value as f64).into()),
                ("least", (*range.start() as f64).into()),
                ("most", (*range.end() as f64).into()),
            ])
        });
        describe(kind.name(), false, parameters.collect())
    });
    let terrain = TerrainKind::ALL.into_iter().map(|kind| describe(kind.name(), true, Array::new()));
    plain.chain(terrain).collect()
}

//! Atlases against squares that are moved cell by cell, and against atlases made anew.

use crate::common::cases;
use farstride::atlas::{
    Atlas, AtlasError, AtlasScratch, Floor, FloorError, FloorId, Link, LinkError, LinkId, Mover, MoverError,
    MoverId, Place, Stage, TileMap, TripOutcome,
};
use farstride::grid::DiagonalCost;
use farstride::{Cell, Cost, Diagonals, Engine, Rect, Rules};
use farstride_testkit as testkit;
use farstride_testkit::SplitMix64;
use farstride_testkit::floors::{PlainFloor, PlainLink, PlainMover, Spot, costs_through_links};
use proptest::prelude::*;

const CLASSES: [u8; 5] = *b".,~#D";
const ENGINES: [Engine; 8] = [
    Engine::Astar,
    Engine::Hpa,
    Engine::Labels,
    Engine::NsgPlus,
    Engine::Groups,
    Engine::Dijkstra,
    Engine::Ssg,
    Engine::Overlay,
];

/// Draws worlds and changes of them.
pub(crate) struct Maker(pub(crate) SplitMix64);

impl Maker {
    fn floor(&mut self) -> Floor {
        let (width, height) = (self.0.between(3, 22), self.0.between(3, 22));
        let main = CLASSES[self.0.below(2)];
        let mut classes = vec![main; width * height];
        for _ in 0..self.0.below(12) {
            let (x, y) = (self.0.below(width), self.0.below(height));
            let (right, down) =
                (self.0.between(x, width.min(x + 6) - 1), self.0.between(y, height.min(y + 6) - 1));
            let class = CLASSES[self.0.below(CLASSES.len())];
            (y..=down).for_each(|y| classes[y * width + x..=y * width + right].fill(class));
        }
        let origin = (self.0.below(40) as i32 - 20, self.0.below(40) as i32 - 20);
        Floor::new(width, height, classes).unwrap().at(origin.0, origin.1)
    }

    pub(crate) fn place(&mut self, tiles: &TileMap) -> Place {
        let floor = FloorId::new(self.0.below(tiles.floor_count()) as u16);
        let found = tiles.floor(floor).unwrap();
        Place::new(floor, (self.0.below(found.width()) as u16, self.0.below(found.height()) as u16))
    }

    fn link(&mut self, tiles: &TileMap) -> Link {
        let cost = Cost::new([1, 500, 5000, 20_000, 100_000][self.0.below(5)]).unwrap();
        let link = Link::new(self.place(tiles), self.place(tiles), cost).of_kind(self.0.below(3) as u8);
        if self.0.chance(30) { link.one_way() } else { link }
    }

    pub(crate) fn tiles(&mut self) -> TileMap {
        let mut tiles = TileMap::new();
        for _ in 0..self.0.between(1, 4) {
            tiles.add_floor(self.floor()).unwrap();
        }
        for _ in 0..self.0.below(14) {
            let link = self.link(&tiles);
            let _ = tiles.add_link(link); // a loop is refused
        }
        tiles
    }

    pub(crate) fn mover(&mut self) -> Mover {
        let diagonals =
            [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None][self.0.below(4)];
        let diagonal_cost = if self.0.chance(20) { DiagonalCost::Ratio142 } else { DiagonalCost::Sqrt2 };
        let is_even = self.0.chance(60);
        let mut mover = Mover::new()
            .sized([1, 1, 2, 3][self.0.below(4)])
            .moving_by(Rules { diagonals, diagonal_cost })
            .with_engine(ENGINES[self.0.below(ENGINES.len())]);
        for class in CLASSES {
            if class != b'#' && self.0.chance(70) {
                mover = mover.entering(class, if is_even { 1 } else { self.0.between(1, 9) as u8 });
            }
        }
        let mover = mover.entering(b'.', if is_even { 1 } else { 2 });
        if self.0.chance(40) { mover.using_links(&[self.0.below(3) as u8]) } else { mover }
    }

    /// Changes a world: terrain, links, rarely a new floor.
    pub(crate) fn change(&mut self, tiles: &mut TileMap) {
        for _ in 0..self.0.between(1, 3) {
            let place = self.place(tiles);
            let floor = tiles.floor(place.floor).unwrap();
            match self.0.below(20) {
                0 if tiles.floor_count() < 6 => {
                    let floor = self.floor();
                    tiles.add_floor(floor).unwrap();
                }
                1..=3 => {
                    let link = self.link(tiles);
                    let _ = tiles.add_link(link);
                }
                4 | 5 => {
                    let ids: Vec<LinkId> = tiles.links().map(|(id, _)| id).collect();
                    if !ids.is_empty() {
                        tiles.remove_link(ids[self.0.below(ids.len())]).unwrap();
                    }
                }
                _ => {
                    let right = (usize::from(place.cell.x) + self.0.below(4)).min(floor.width() - 1);
                    let down = (usize::from(place.cell.y) + self.0.below(4)).min(floor.height() - 1);
                    let area = Rect::spanning(place.cell, Cell::new(right as u16, down as u16));
                    tiles.fill(place.floor, area, CLASSES[self.0.below(CLASSES.len())]).unwrap();
                }
            }
        }
    }
}

pub(crate) fn plain_floors(tiles: &TileMap) -> Vec<PlainFloor> {
    let classes = |floor: &Floor| floor.area().cells().map(|cell| floor.class(cell).unwrap()).collect();
    tiles.floors().map(|(_, floor)| PlainFloor { width: floor.width(), classes: classes(floor) }).collect()
}

pub(crate) fn plain_mover(mover: &Mover) -> PlainMover {
    PlainMover {
        costs: std::array::from_fn(|class| mover.cost(class as u8).unwrap_or(0)),
        size: mover.size().into(),
        diagonals: match mover.rules().diagonals {
            Diagonals::Strict => testkit::Diagonals::Strict,
            Diagonals::OneSide => testkit::Diagonals::OneSide,
            Diagonals::Free => testkit::Diagonals::Free,
            Diagonals::None => testkit::Diagonals::None,
        },
        diagonal_cost: match mover.rules().diagonal_cost {
            DiagonalCost::Sqrt2 => testkit::DiagonalCost::Sqrt2,
            _ => testkit::DiagonalCost::Ratio142,
        },
    }
}

pub(crate) fn plain_links(tiles: &TileMap, mover: &Mover) -> Vec<PlainLink> {
    let usable = tiles.links().filter(|(_, link)| mover.uses(link.kind));
    let plain = |link: Link| PlainLink {
        from: spot(link.from),
        to: spot(link.to),
        units: link.cost.units(),
        two_way: link.two_way,
    };
    usable.map(|(_, link)| plain(link)).collect()
}

pub(crate) fn spot(place: Place) -> Spot {
    (place.floor.index(), (place.cell.x.into(), place.cell.y.into()))
}

/// Walks a trip step by step; returns what it costs.
fn walk(tiles: &TileMap, mover: &Mover, stages: &[Stage<'_>], from: Place, to: Place) -> u64 {
    let (floors, plain) = (plain_floors(tiles), plain_mover(mover));
    let mut here = from;
    let mut units = 0;
    for stage in stages {
        match *stage {
            Stage::Walk { floor, cells } => {
                assert_eq!(Place::new(floor, cells[0]), here);
                for pair in cells.windows(2) {
                    let (right, down) =
                        (pair[1].x.wrapping_sub(pair[0].x), pair[1].y.wrapping_sub(pair[0].y));
                    let (_, (from, delta)) = (
                        floor,
                        (spot(Place::new(floor, pair[0])).1, (right as i16 as isize, down as i16 as isize)),
                    );
                    let (_, cost) =
                        plain.step(&floors[floor.index()], from, delta).expect("the step is legal");
                    units += cost;
                }
                here.cell = *cells.last().unwrap();
            }
            Stage::Link(id) => {
                let link = tiles.link(id).expect("the link exists");
                assert!(mover.uses(link.kind));
                here = if link.from == here {
                    link.to
                } else {
                    assert!(link.two_way && link.to == here, "{link:?} from {here}");
                    link.from
                };
                units += link.cost.units();
            }
            _ => unreachable!("there are no other stages"),
        }
    }
    assert_eq!(here, to);
    units
}

/// Holds answers of an atlas against the oracle.
fn judge(atlas: &Atlas, id: MoverId, maker: &mut Maker, scratch: &mut AtlasScratch) {
    let (tiles, mover) = (atlas.tiles(), atlas.mover(id).unwrap());
    let is_exact = tiles.floors().all(|(floor, _)| atlas.planner(id, floor).unwrap().engine().is_optimal());
    let (floors, links, plain) = (plain_floors(tiles), plain_links(tiles, mover), plain_mover(mover));
    let from = maker.place(tiles);
    let costs = costs_through_links(&floors, &links, &plain, spot(from));
    let best = |place: Place| {
        let (floor, (x, y)) = spot(place);
        costs[floor][y * floors[floor].width + x]
    };
    for _ in 0..6 {
        let to = maker.place(tiles);
        let outcome = atlas.find(id, from, to, scratch).unwrap();
        assert_eq!(atlas.can_reach(id, from, to).unwrap(), best(to).is_some(), "{from} to {to}");
        match outcome {
            TripOutcome::Found(trip) => {
                let stages: Vec<_> = trip.stages().collect();
                let units = walk(tiles, mover, &stages, from, to);
                assert_eq!(trip.cost().units(), units, "{from} to {to}");
                let least = best(to).expect("the oracle knows a way");
                assert!(
                    least <= units && (!is_exact || least == units),
                    "{least} {units} {mover:?} {from} to {to}"
                );
            }
            TripOutcome::AlreadyThere => assert!(from == to && best(to) == Some(0)),
            _ => assert_eq!(best(to), None, "{outcome:?} from {from} to {to}"),
        }
        substitutes_are_nearest(atlas, id, (from, to), &costs, &floors);
    }
    let goals: Vec<Place> = (0..maker.0.below(30)).map(|_| maker.place(tiles)).collect();
    let expected = (0..goals.len()).filter_map(|at| Some((best(goals[at])?, at))).min();
    let found = atlas.nearest(id, from, &goals, scratch).unwrap();
    assert_eq!(found.as_ref().map(|&(at, _)| at), expected.map(|(_, at)| at), "{mover:?} {from} {goals:?}");
    if let (Some((_, outcome)), Some((least, _))) = (&found, expected) {
        let units = outcome.trip().map_or(0, |trip| trip.cost().units());
        assert!(least <= units && (!is_exact || least == units));
    }
}

fn substitutes_are_nearest(
    atlas: &Atlas,
    id: MoverId,
    (from, to): (Place, Place),
    costs: &[Vec<Option<u64>>],
    floors: &[PlainFloor],
) {
    let (floor, (x, y)) = spot(from);
    if costs[floor][y * floors[floor].width + x].is_none() {
        return; // the start is replaced, too: the oracle knows nothing of it
    }
    // A goal's floor that cannot be reached is replaced by another.
    let origin = |floor: usize| {
        let (left, top) = atlas.tiles().floor(FloorId::new(floor as u16)).unwrap().origin();
        [i64::from(left), i64::from(top)]
    };
    let (floor, (x, y)) = spot(to);
    let asked = [origin(floor)[0] + x as i64, origin(floor)[1] + y as i64];
    let nearest_on = |floor: usize| {
        let (width, height) = (floors[floor].width, costs[floor].len() / floors[floor].width);
        let local: Vec<i64> = (0..2)
            .map(|axis| (asked[axis] - origin(floor)[axis]).clamp(0, [width, height][axis] as i64 - 1))
            .collect();
        let at = |cell: usize| [(cell % width) as i64, (cell / width) as i64];
        let square = |cell: usize| (at(cell)[0] - local[0]).pow(2) + (at(cell)[1] - local[1]).pow(2);
        let reached = (0..costs[floor].len()).filter(|&cell| costs[floor][cell].is_some());
        let [x, y] = at(reached.min_by_key(|&cell| (square(cell), cell))?);
        let apart = [x + origin(floor)[0] - asked[0], y + origin(floor)[1] - asked[1]];
        let place = Place::new(FloorId::new(floor as u16), (x as u16, y as u16));
        Some((apart[0].pow(2) + apart[1].pow(2), place))
    };
    let elsewhere = || {
        let nearest =
            |other: usize| nearest_on(other).map(|(apart, place)| (apart, other.abs_diff(floor), place));
        (0..floors.len()).filter_map(nearest).min().map(|(_, _, place)| place)
    };
    let expected = nearest_on(floor).map(|(_, place)| place).or_else(elsewhere).map(|place| (from, place));
    assert_eq!(atlas.substitute(id, from, to).unwrap(), expected, "{from} to {to}");
}

/// An atlas as if it had never been edited.
fn made_anew(atlas: &Atlas, movers: &[MoverId]) -> Atlas {
    let mut fresh = Atlas::new(atlas.tiles().clone()).unwrap();
    for &mover in movers {
        // A mover may have become larger than all floors only if it was so before.
        fresh.add_mover(atlas.mover(mover).unwrap().clone()).unwrap();
    }
    fresh
}

/// Stages that outlive the scratch.
fn kept(outcome: &TripOutcome<'_>) -> Option<(Cost, String)> {
    let trip = outcome.trip()?;
    Some((trip.cost(), format!("{:?}", trip.stages().collect::<Vec<_>>())))
}

fn edits_equal_rebuilds(seed: u64, edits: usize) {
    let mut maker = Maker(SplitMix64::new(seed));
    let mut atlas = Atlas::new(maker.tiles()).unwrap();
    let mut scratch = AtlasScratch::new();
    let movers: Vec<MoverId> = (0..3).filter_map(|_| atlas.add_mover(maker.mover()).ok()).collect();
    for edit in 0..edits {
        for &mover in &movers {
            if maker.0.chance(10) {
                atlas.prepare(mover).unwrap();
            }
            if maker.0.chance(20) {
                judge(&atlas, mover, &mut maker, &mut scratch);
            }
        }
        atlas.edit(|tiles| maker.change(tiles));
        // One mover by turns: an atlas prepares only what is asked for.
        let Some(&mover) = movers.get(edit % movers.len().max(1)) else { return };
        let fresh = made_anew(&atlas, &movers);
        assert_eq!(atlas.digest(mover), fresh.digest(mover), "edit {edit}");
        atlas.check_mover(mover).unwrap();
        for _ in 0..3 {
            let (from, to) = (maker.place(atlas.tiles()), maker.place(atlas.tiles()));
            let found = kept(&atlas.find(mover, from, to, &mut scratch).unwrap());
            let expected = kept(&fresh.find(mover, from, to, &mut scratch).unwrap());
            assert_eq!(found, expected, "{from} to {to} after edit {edit}");
        }
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn an_edited_atlas_equals_one_made_anew(seed in any::<u64>()) {
        edits_equal_rebuilds(seed, 10);
    }

    #[test]
    fn trips_are_those_of_squares_moved_by_hand(seed in any::<u64>()) {
        let mut maker = Maker(SplitMix64::new(seed));
        let mut atlas = Atlas::new(maker.tiles()).unwrap();
        let mut scratch = AtlasScratch::new();
        for _ in 0..2 {
            if let Ok(mover) = atlas.add_mover(maker.mover()) {
                judge(&atlas, mover, &mut maker, &mut scratch);
                judge(&atlas, mover, &mut maker, &mut scratch);
            }
        }
    }
}

/// 100,000 edits; the test of every run makes 10,000.
#[test]
#[ignore = "takes minutes; run by ./exhaustive"]
fn a_hundred_thousand_edits_equal_rebuilds() {
    for seed in 0..5000 {
        edits_equal_rebuilds(seed, 20);
    }
}

/// Two floors with a stair between them.
fn small() -> (TileMap, FloorId, FloorId) {
    let mut tiles = TileMap::new();
    let ground = tiles.add_floor(Floor::from_text("..#..\n..#..\n..#..").unwrap()).unwrap();
    let upper = tiles.add_floor(Floor::filled(5, 3, b'.').unwrap()).unwrap();
    for x in [0, 4] {
        let stair = Link::new(Place::new(ground, (x, 0)), Place::new(upper, (x, 0)), Cost::new(100).unwrap());
        tiles.add_link(stair).unwrap();
    }
    (tiles, ground, upper)
}

#[test]
fn movers_share_what_they_see_alike_until_they_do_not() {
    let (tiles, ground, _) = small();
    let mut atlas = Atlas::new(tiles).unwrap();
    let walker = atlas.add_mover(Mover::new().entering(b'.', 1)).unwrap();
    let swimmer = atlas.add_mover(Mover::new().entering(b'.', 1).entering(b'~', 2)).unwrap();
    let large = atlas.add_mover(Mover::new().entering(b'.', 1).sized(2)).unwrap();
    for mover in [walker, swimmer, large] {
        atlas.prepare(mover).unwrap();
    }
    assert_eq!(atlas.ground_count(), 4); // two floors, two sizes
    atlas.edit(|tiles| tiles.fill(ground, Cell::new(1, 1), b'~')).unwrap();
    assert_eq!(atlas.ground_count(), 5); // water parts walker and swimmer on one floor
    let wet = Place::new(ground, (1, 1));
    let dry = Place::new(ground, (0, 0));
    assert_eq!(atlas.can_reach(walker, dry, wet), Ok(false));
    assert_eq!(atlas.can_reach(swimmer, dry, wet), Ok(true));
    for mover in [walker, swimmer, large] {
        atlas.check_mover(mover).unwrap();
    }
}

#[test]
fn one_way_links_lead_one_way_and_removed_ones_nowhere() {
    let mut tiles = TileMap::new();
    let floors = [0, 1].map(|_| tiles.add_floor(Floor::filled(4, 4, b'.').unwrap()).unwrap());
    let [low, high] = floors.map(|floor| Place::new(floor, (1, 2)));
    let drop = tiles.add_link(Link::new(high, low, Cost::new(50).unwrap()).one_way()).unwrap();
    let mut atlas = Atlas::new(tiles).unwrap();
    let mover = atlas.add_mover(Mover::new().entering(b'.', 1).with_engine(Engine::Astar)).unwrap();
    assert_eq!((atlas.can_reach(mover, high, low), atlas.can_reach(mover, low, high)), (Ok(true), Ok(false)));
    let mut scratch = AtlasScratch::new();
    let found = atlas.find(mover, high, low, &mut scratch).unwrap();
    assert_eq!(found.trip().unwrap().links().collect::<Vec<_>>(), [drop]);
    assert!(matches!(atlas.find(mover, low, high, &mut scratch), Ok(TripOutcome::Unreachable)));
    assert!(atlas.edit(|tiles| tiles.remove_link(drop)).is_some());
    assert_eq!(atlas.can_reach(mover, high, low), Ok(false));
    // Nothing of the lower floor can be reached, so one stays above where one wanted to be.
    assert_eq!(
        atlas.substitute(mover, high, Place::new(floors[0], (3, 3))),
        Ok(Some((high, Place::new(floors[1], (3, 3)))))
    );
}

#[test]
fn bad_input_is_refused_by_type_and_changes_nothing() {
    assert!(matches!(Floor::filled(0, 3, 1), Err(FloorError::Size(_))));
    assert_eq!(Floor::new(2, 2, vec![0; 5]), Err(FloorError::Classes { found: 5, expected: 4 }));
    assert!(matches!(Floor::from_text(""), Err(FloorError::Size(_))));
    assert_eq!(Floor::from_text("..\n..."), Err(FloorError::Line { number: 2 }));
    assert_eq!(Atlas::new(TileMap::new()).unwrap_err(), AtlasError::NoFloors);
    let mut names = TileMap::new();
    let many = (0..300).map(|number| number.to_string());
    assert_eq!(names.name_classes(many), Err(FloorError::TooManyClasses { found: 300 }));
    assert_eq!(names.class_name(0), None);

    let (tiles, ground, upper) = small();
    let mut atlas = Atlas::new(tiles.clone()).unwrap();
    let refused = |mover: Mover, atlas: &mut Atlas| atlas.add_mover(mover).unwrap_err();
    assert_eq!(refused(Mover::new(), &mut atlas), MoverError::EntersNothing);
    let walker = Mover::new().entering(b'.', 1);
    assert_eq!(refused(walker.clone().sized(0), &mut atlas), MoverError::Size { found: 0 });
    assert_eq!(refused(walker.clone().sized(17), &mut atlas), MoverError::Size { found: 17 });
    assert_eq!(refused(walker.clone().sized(4), &mut atlas), MoverError::LargerThanFloors { size: 4 });
    let mover = atlas.add_mover(walker).unwrap();
    let digest = atlas.digest(mover).unwrap();

    let (here, there) = (Place::new(ground, (0, 0)), Place::new(upper, (3, 2)));
    let (off, gone) = (Place::new(ground, (5, 0)), Place::new(FloorId::new(2), (0, 0)));
    let wall = Place::new(ground, (2, 1));
    let cost = Cost::new(9).unwrap();
    assert_eq!(atlas.add_link(Link::new(here, off, cost)), Err(LinkError::Missing { place: off }));
    assert_eq!(atlas.add_link(Link::new(gone, here, cost)), Err(LinkError::Missing { place: gone }));
    assert_eq!(atlas.add_link(Link::new(here, wall, cost)), Err(LinkError::Blocked { place: wall }));
    assert_eq!(atlas.add_link(Link::new(here, here, cost)), Err(LinkError::Loop { place: here }));
    assert_eq!(
        atlas.add_link(Link::new(here, there, Cost::ZERO)),
        Err(LinkError::Cost { found: Cost::ZERO })
    );
    assert_eq!(atlas.add_link(Link::new(here, there, cost).of_kind(64)), Err(LinkError::Kind { found: 64 }));
    let beyond = Rect::spanning(Cell::new(3, 1), Cell::new(5, 1));
    assert!(matches!(atlas.edit(|tiles| tiles.fill(ground, beyond, b'#')), Err(FloorError::Outside { .. })));
    let missing = atlas.edit(|tiles| tiles.fill(gone.floor, Cell::new(0, 0), b'#'));
    assert_eq!(missing, Err(FloorError::Missing { floor: gone.floor }));
    assert_eq!(atlas.can_reach(mover, here, off), Err(AtlasError::Outside { place: off }));
    assert_eq!((atlas.tiles(), atlas.digest(mover).unwrap()), (&tiles, digest));

    let mut other = Atlas::new(tiles).unwrap();
    assert_eq!(other.can_reach(mover, here, there), Err(AtlasError::UnknownMover { mover }));
    other.add_mover(Mover::new().entering(b'.', 1)).unwrap();
    let message = other.add_link(Link::new(here, wall, cost)).unwrap_err().to_string();
    assert_eq!(message, "no mover that may use the link can stand at its end 2,1 on floor 0; clear it first");
}

#[test]
fn a_floor_holds_so_many_ends_of_links() {
    let mut tiles = TileMap::new();
    let floor = tiles.add_floor(Floor::filled(100, 100, b'.').unwrap()).unwrap();
    let link = |at: usize| {
        let cell = |at: usize| Place::new(floor, ((at % 100) as u16, (at / 100) as u16));
        Link::new(cell(at), cell(at + 5000), Cost::new(1).unwrap())
    };
    for at in 0..TileMap::MAX_LINK_ENDS / 2 {
        tiles.add_link(link(at)).unwrap();
    }
    assert_eq!(tiles.add_link(link(4000)), Err(LinkError::FullFloor { floor }));
    let (first, _) = tiles.links().next().unwrap();
    tiles.remove_link(first).unwrap();
    tiles.add_link(link(4000)).unwrap();
}

/// Whether a square of `size` cells clips no blocked cell while its upper left cell slides straight
/// from one place to another: asked cell by cell.
fn square_slides(map: &testkit::PlainMap, size: i64, from: (i64, i64), to: (i64, i64)) -> bool {
    map.free.iter().enumerate().filter(|&(_, &free)| !free).all(|(index, _)| {
        let (x, y) = map.point(index);
        let (left, right) = (x as i64 - size, x as i64 + 1);
        let (top, bottom) = (y as i64 - size, y as i64 + 1);
        let sides = [(left, top), (right, top), (left, bottom), (right, bottom)]
            .map(|(x, y)| (to.0 - from.0) * (y - from.1) - (to.1 - from.1) * (x - from.0));
        let is_beside = sides.iter().all(|&side| side >= 0) || sides.iter().all(|&side| side <= 0);
        let (least, most) = ((from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1)));
        is_beside || most.0 <= left || least.0 >= right || most.1 <= top || least.1 >= bottom
    })
}

/// With `straight`, squares of every size slide along shortest paths: each leg clips nothing, and
/// brute force finds none shorter. Edits are followed.
#[test]
fn squares_of_every_size_slide_along_shortest_paths() {
    let mut random = SplitMix64::new(31);
    let (mut walks, mut bends) = ([0; 4], 0);
    for round in 0..60 {
        let (width, height, size) = (random.between(4, 16), random.between(4, 16), 1 + round % 3);
        let mut map = testkit::PlainMap::new(width, height, true);
        map.free.iter_mut().for_each(|free| *free = !random.chance(4 + round as u32 % 12));
        let classes: Vec<u8> = map.free.iter().map(|&free| if free { b'.' } else { b'#' }).collect();
        let mut tiles = TileMap::new();
        let floor = tiles.add_floor(Floor::new(width, height, classes).unwrap()).unwrap();
        let mut atlas = Atlas::new(tiles).unwrap();
        let mover = Mover::new().entering(b'.', 1).sized(size as u16).with_engine(Engine::Straight);
        let mover = atlas.add_mover(mover).unwrap();
        let mut scratch = AtlasScratch::new();
        for _ in 0..2 {
            // Where the whole square is free.
            let mut places = testkit::PlainMap::new(width, height, false);
            for index in 0..map.free.len() {
                let (x, y) = map.point(index);
                let covered = (0..size).flat_map(|dy| (0..size).map(move |dx| (x + dx, y + dy)));
                places.free[index] = covered.into_iter().all(|(x, y)| map.is_free(x as isize, y as isize));
            }
            let free = places.free_points();
            let Some(&start) = free.get(random.below(free.len().max(1))) else { continue };
            let lengths = testkit::Strings::of_bodies_anywhere(&places).lengths_from(start);
            let at = |(x, y): (usize, usize)| Place::new(floor, (x as u16, y as u16));
            for &goal in free.iter().filter(|&&goal| goal != start) {
                let outcome = atlas.find(mover, at(start), at(goal), &mut scratch).unwrap();
                let best = lengths[places.index(goal)];
                let Some(trip) = outcome.trip() else {
                    assert!(best.is_none());
                    continue;
                };
                let Some(Stage::Walk { cells, .. }) = trip.stages().next() else { panic!("no walk") };
                let turns: Vec<(i64, i64)> =
                    cells.iter().map(|cell| (cell.x.into(), cell.y.into())).collect();
                let mut length = 0.0;
                for leg in turns.windows(2) {
                    assert!(square_slides(&map, size as i64, leg[0], leg[1]), "{leg:?}\n{}", map.to_ascii());
                    length += ((leg[1].0 - leg[0].0) as f64).hypot((leg[1].1 - leg[0].1) as f64);
                }
                assert!((length - best.expect("there is a path")).abs() < 2e-3, "{length} {best:?}");
                assert!((trip.cost().units() as f64 / 4756.0 - length).abs() < 2e-3);
                walks[size] += 1;
                bends += turns.len() - 2;
            }
            let blocked = map.point(random.below(map.free.len()));
            map.set_free(blocked, false);
            atlas
                .edit(|tiles| {
                    let cell = Cell::new(blocked.0 as u16, blocked.1 as u16);
                    tiles.fill(floor, Rect::spanning(cell, cell), b'#')
                })
                .unwrap();
        }
    }
    assert!(walks[1..].iter().all(|&walks| walks > 300) && bends > 1000, "{walks:?} {bends}");
}

//! The optional features: what is written can be read again and is the same, nonsense
//! is refused, and vectors become cells only if they are cells.

#[cfg(feature = "serde")]
mod serde {
    use crate::common::{World, cases};
    use farstride::contraction::ContractionSettings;
    use farstride::error::BuildError;
    use farstride::graph::NodeId;
    use farstride::grid::{Change, DiagonalCost, Direction};
    use farstride::groups::{Aim, Connection, GridGroupSettings, GroupTactics, Mode};
    use farstride::hpa::{Connect, HpaSettings, Local, Skip, Tactics};
    use farstride::index::IndexSettings;
    use farstride::labels::{Block, LabelSettings};
    use farstride::store::MapStamp;
    use farstride::subgoal::{Partition, SubgoalSettings};
    use farstride::{
        Cell, Cost, CostTable, Detail, Diagonals, Engine, Grid, Index, LiveSettings, OwnedRoute, Planner,
        Query, Rect, Rules, Scratch, Step, Waypoint,
    };
    use farstride_testkit::PlainMap;
    use farstride_testkit::strategies::{diagonal_costs, diagonals, maps};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::{Value, from_str, from_value, json, to_string, to_value};
    use std::fmt::Debug;
    use std::time::Duration;

    /// Writes and reads a value, as text and as a tree of values.
    #[track_caller]
    fn round_trip<T>(value: &T) -> Value
    where
        T: ::serde::Serialize + ::serde::de::DeserializeOwned + PartialEq + Debug,
    {
        let text = to_string(value).unwrap();
        assert_eq!(&from_str::<T>(&text).unwrap(), value, "{text}");
        let tree = to_value(value).unwrap();
        assert_eq!(&from_value::<T>(tree.clone()).unwrap(), value, "{text}");
        tree
    }

    #[track_caller]
    fn written<T>(value: &T, expected: &Value)
    where
        T: ::serde::Serialize + ::serde::de::DeserializeOwned + PartialEq + Debug,
    {
        assert_eq!(&round_trip(value), expected);
    }

    /// The message with which a value is refused.
    #[track_caller]
    fn refusal<T: ::serde::de::DeserializeOwned + Debug>(value: Value) -> String {
        from_value::<T>(value).unwrap_err().to_string()
    }

    #[test]
    fn cells_costs_and_rectangles() {
        written(&Cell::new(3, 65_535), &json!([3, 65_535]));
        written(&Rect::spanning((1, 2).into(), (3, 4).into()), &json!({"min": [1, 2], "max": [3, 4]}));
        written(&NodeId::new(u32::MAX), &json!(u32::MAX));
        written(&Cost::ZERO, &json!(0));
        written(&Cost::MAX, &json!(Cost::MAX.units()));
        written(&Direction::NorthEast, &json!("north-east"));
        for direction in Direction::ALL {
            round_trip(&direction);
        }

        for bad in
            [json!([1]), json!([1, 2, 3]), json!([-1, 0]), json!([0, 65_536]), json!("1,2"), json!(null)]
        {
            refusal::<Cell>(bad);
        }
        assert_eq!(
            refusal::<Cost>(json!(1_u64 << 48)),
            "cost 281474976710656 is above the largest exact cost 281474976710655"
        );
        refusal::<Cost>(json!(-1));
        refusal::<Cost>(json!(1.5));
        assert_eq!(
            refusal::<Rect>(json!({"min": [3, 0], "max": [2, 5]})),
            "no rectangle has its top left cell at 3,0 and ends at 2,5"
        );
        refusal::<Rect>(json!({"min": [0, 3], "max": [5, 2]}));
    }

    #[test]
    fn rules() {
        for diagonals in [Diagonals::Strict, Diagonals::OneSide, Diagonals::Free, Diagonals::None] {
            for diagonal_cost in [DiagonalCost::Sqrt2, DiagonalCost::Ratio142] {
                round_trip(&Rules { diagonals, diagonal_cost });
            }
        }
        let rules = Rules { diagonals: Diagonals::OneSide, diagonal_cost: DiagonalCost::Ratio142 };
        written(&rules, &json!({"diagonals": "one-side", "diagonal_cost": "1.42"}));
        assert_eq!(from_str::<Rules>("{}").unwrap(), Rules::default());
        refusal::<Rules>(json!({"diagonals": "sometimes"}));
        refusal::<Rules>(json!({"diagonal": "free"}));
    }

    #[test]
    fn engines_are_written_by_name() {
        for engine in Engine::ALL {
            written(&engine, &json!(engine.name()));
        }
        assert!(refusal::<Engine>(json!("dijkstar")).starts_with("no engine is called 'dijkstar'"));
        refusal::<Engine>(json!(3));
    }

    #[test]
    fn queries() {
        let query = Query::new((0, 1), (9, 5));
        written(&query, &json!({"start": [0, 1], "goal": [9, 5], "detail": "cells", "budget": null}));
        for detail in [Detail::Cells, Detail::Waypoints, Detail::First(5), Detail::Cost] {
            round_trip(&query.with_detail(detail).with_budget(77));
        }
        written(&Detail::First(5), &json!({"first": 5}));
        assert_eq!(from_value::<Query>(json!({"start": [0, 1], "goal": [9, 5]})).unwrap(), query);
        refusal::<Query>(json!({"start": [0, 1]}));
        refusal::<Query>(json!({"start": [0, 1], "goal": [9, 5], "limit": 3}));
    }

    #[test]
    fn steps_and_waypoints() {
        written(&Step::To(Cell::new(1, 2)), &json!({"to": [1, 2]}));
        written(&Step::Arrived, &json!("arrived"));
        written(&Step::Unreachable, &json!("unreachable"));
        written(&Waypoint { cell: Cell::new(1, 2), level: 3 }, &json!({"cell": [1, 2], "level": 3}));
        let mut grid = Grid::empty(4, 4).unwrap();
        round_trip::<Change>(&grid.block(Cell::new(1, 1)).unwrap());
        round_trip::<Change>(&grid.block(Cell::new(1, 1)).unwrap());
        round_trip(&MapStamp::of(&grid));
    }

    #[test]
    fn settings() {
        for settings in [
            HpaSettings::astar(),
            HpaSettings::any_angle(),
            HpaSettings::thesis().with_local(Local::LazyTheta),
        ] {
            round_trip(&settings);
            round_trip(&IndexSettings::from(settings));
        }
        for partition in [
            Partition::Simple,
            Partition::TwoLevel,
            Partition::TwoLevelLossy,
            Partition::Basic(None),
            Partition::Advanced(Some(3)),
        ] {
            round_trip(&SubgoalSettings::new(partition));
            round_trip(&IndexSettings::from(SubgoalSettings::new(partition)));
        }
        for block in [Block::Auto, Block::Eight, Block::Sixteen] {
            let settings = LabelSettings::DEFAULT.with_block(block).with_budget(u64::MAX);
            round_trip(&settings);
            round_trip(&IndexSettings::from(settings));
        }
        for connection in [
            Connection::Minimum,
            Connection::Maximin,
            Connection::Average,
            Connection::Blend { minimum: 1, maximin: 2, average: 3 },
        ] {
            let settings = GridGroupSettings::DEFAULT.with_connection(connection).with_levels(Some(2));
            round_trip(&settings);
            round_trip(&IndexSettings::from(settings));
        }
        round_trip(&ContractionSettings::default());
        let partial = json!({"hpa": {"cluster": 16, "local": "lazy-theta"}});
        let expected = HpaSettings::default().with_cluster(16).with_local(Local::LazyTheta);
        assert_eq!(from_value::<IndexSettings>(partial).unwrap(), expected.into());
        assert!(refusal::<HpaSettings>(json!({"clusters": 16})).contains("unknown field `clusters`"));
        refusal::<IndexSettings>(json!({"hpa": {}, "labels": {}}));
        refusal::<IndexSettings>(json!("hpa"));
    }

    #[test]
    fn tactics() {
        for connect in [Connect::OnTheWay, Connect::Beforehand] {
            for skip in [Skip::Afterwards, Skip::InSearch] {
                round_trip(&Tactics::thesis().with_connect(connect).with_skip(skip).with_remember(9));
            }
        }
        for mode in [Mode::Sections, Mode::Exclusion] {
            for aim in [Aim::Doorway, Aim::Representative] {
                round_trip(&GroupTactics::DEFAULT.with_mode(mode).with_ahead(3).with_aim(aim));
            }
        }
        for quiet in [Duration::ZERO, LiveSettings::DEFAULT_QUIET, Duration::MAX] {
            round_trip(&LiveSettings::default().with_quiet(quiet));
        }
        assert_eq!(from_str::<LiveSettings>("{}").unwrap(), LiveSettings::default());
        assert_eq!(from_str::<Tactics>("{}").unwrap(), Tactics::default());
        assert_eq!(from_str::<GroupTactics>("{}").unwrap(), GroupTactics::default());
    }

    /// Every number can be read; those out of range are refused where they are used,
    /// and none of them panics.
    #[test]
    fn settings_out_of_range_are_refused_at_use() {
        let grid = Grid::from_ascii("......\n.##.#.\n......\n").unwrap();
        for bad in [
            json!({"hpa": {"cluster": 0}}),
            json!({"hpa": {"cluster": 65_535}}),
            json!({"hpa": {"levels": 255}}),
            json!({"hpa": {"group": 0}}),
            json!({"hpa": {"entrance": 0}}),
            json!({"groups": {"side": 1}}),
            json!({"groups": {"group": 1}}),
            json!({"groups": {"levels": 0}}),
        ] {
            let settings: IndexSettings = from_value(bad.clone()).unwrap();
            let refused = Index::build(&grid, settings).unwrap_err();
            assert!(matches!(refused, BuildError::Settings(_)), "{bad}: {refused}");
        }
        for odd in [
            json!({"labels": {"budget": 0}}),
            json!({"labels": {"budget": u64::MAX}}),
            json!({"subgoals": {"partition": {"basic": 0}}}),
            json!({"subgoals": {"partition": {"advanced": u32::MAX}}}),
        ] {
            let settings: IndexSettings = from_value(odd).unwrap();
            if let Ok(index) = Index::build(&grid, settings) {
                let planner = Planner::with_index(grid.clone(), index).unwrap();
                assert!(planner.path((0, 0), (5, 2)).is_some());
            }
        }
    }

    #[test]
    fn routes() {
        let grid = Grid::from_ascii("......\n.####.\n......\n").unwrap();
        let mut scratch = Scratch::new();
        for engine in [Engine::Astar, Engine::Theta, Engine::NsgPlus] {
            let planner = Planner::with_engine(grid.clone(), engine).unwrap();
            for detail in [Detail::Cells, Detail::Waypoints, Detail::First(2), Detail::Cost] {
                let query = Query::new((0, 1), (5, 1)).with_detail(detail);
                let outcome = planner.find(query, &mut scratch).unwrap();
                let route = outcome.route().unwrap();
                let tree = round_trip(&route.to_owned());
                assert_eq!(to_value(route).unwrap(), tree);
                assert_eq!(tree["cost"], json!(route.cost().units()));
                assert_eq!(tree["path"] == json!("omitted"), detail == Detail::Cost);
            }
        }
        let route = json!({"cost": 4756, "length": 1.0, "path": {"cells": [[0, 0], [1, 0]]}});
        let read: OwnedRoute = from_value(route).unwrap();
        written(&read, &json!({"cost": 4756, "length": 1.0, "path": {"cells": [[0, 0], [1, 0]]}}));
        assert_eq!(read.cells(), [Cell::new(0, 0), Cell::new(1, 0)]);

        assert_eq!(
            refusal::<OwnedRoute>(json!({"cost": 1, "length": 1.0, "path": {"points": []}})),
            "the path has no cells"
        );
        assert_eq!(
            refusal::<OwnedRoute>(json!({"cost": 1, "length": -1.0, "path": "omitted"})),
            "-1 is not the length of a route"
        );
        refusal::<OwnedRoute>(json!({"cost": 1, "length": null, "path": "omitted"}));
        refusal::<OwnedRoute>(json!({"cost": 1, "length": 1.0, "path": {"legs": []}}));
        refusal::<OwnedRoute>(json!({"cost": u64::MAX, "length": 1.0, "path": "omitted"}));
    }

    #[test]
    fn tables_of_costs() {
        let grid = Grid::from_ascii("...#.\n.#.#.\n...#.\n").unwrap();
        let starts = [(0, 0), (2, 2), (4, 1)].map(Cell::from);
        let goals = [(2, 0), (4, 0)].map(Cell::from);
        for engine in [Engine::Labels, Engine::Astar] {
            let planner = Planner::with_engine(grid.clone(), engine).unwrap();
            let table = planner.cost_table(&starts, &goals, 1).unwrap();
            let tree = round_trip(&table);
            assert_eq!(tree["costs"][0], json!([2 * 4756, null]));
            round_trip(&planner.cost_table(&starts, &[], 1).unwrap());
            round_trip(&planner.cost_table(&[], &goals, 1).unwrap());
        }
        let large = json!({"starts": 1, "goals": 2, "costs": [[Cost::MAX.units(), null]]});
        let table: CostTable = from_value(large.clone()).unwrap();
        assert_eq!((table.cost(0, 0), table.cost(0, 1)), (Some(Cost::MAX), None));
        written(&table, &large);

        assert_eq!(
            refusal::<CostTable>(json!({"starts": 2, "goals": 1, "costs": [[1]]})),
            "costs has 1 rows, expected 2"
        );
        assert_eq!(
            refusal::<CostTable>(json!({"starts": 2, "goals": 1, "costs": [[1], [1, 2]]})),
            "row 1 of costs has 2 entries, expected 1"
        );
        refusal::<CostTable>(json!({"starts": 1, "goals": 1, "costs": [[u64::MAX]]}));
        refusal::<CostTable>(json!({"starts": usize::MAX, "goals": usize::MAX, "costs": []}));
    }

    #[test]
    fn a_map_can_be_read_and_written_by_hand() {
        let text = r#"{"width": 4, "height": 2, "rows": ["..#3", "WT.."]}"#;
        let grid: Grid = from_str(text).unwrap();
        assert_eq!(grid, Grid::from_ascii("..#3\n##..").unwrap());
        written(
            &grid,
            &json!({
                "width": 4,
                "height": 2,
                "rules": {"diagonals": "strict", "diagonal_cost": "sqrt2"},
                "rows": ["..#.", "##.."],
                "weights": [[1, 1, 1, 3], [1, 1, 1, 1]],
            }),
        );
        // Weights replace digits, and a map of weight 1 has none.
        let grid: Grid = from_value(json!({
            "width": 2, "height": 1, "rows": ["37"], "weights": [[1, 1]],
        }))
        .unwrap();
        assert!(grid.is_uniform());
        assert_eq!(round_trip(&grid)["weights"], Value::Null);
    }

    #[test]
    fn nonsense_is_not_a_map() {
        let map = |width: usize, height: usize, rows: Value| {
            refusal::<Grid>(json!({"width": width, "height": height, "rows": rows}))
        };
        assert_eq!(map(0, 0, json!([])), "map of 0 x 0 cells: each side must be between 1 and 10000");
        assert!(map(10_001, 1, json!([".".repeat(10_001)])).contains("10001 x 1"));
        assert!(map(usize::MAX, usize::MAX, json!([])).contains("each side"));
        assert_eq!(map(2, 2, json!([".."])), "rows has 1 rows, expected 2");
        assert_eq!(map(2, 2, json!(["..", "..."])), "line 2 has 3 cells, expected 2");
        assert_eq!(map(3, 1, json!(["..é"])), "line 1 has 4 cells, expected 3");
        assert!(map(2, 1, json!([".x"])).starts_with("line 1, column 2: 'x' is not"));
        assert!(map(2, 1, json!([".0"])).starts_with("line 1, column 2: '0' is not"));
        map(2, 1, json!(".."));

        let weighted = |weights: Value| {
            refusal::<Grid>(json!({"width": 2, "height": 1, "rows": [".."], "weights": weights}))
        };
        assert_eq!(weighted(json!([])), "weights has 0 rows, expected 1");
        assert_eq!(weighted(json!([[1]])), "row 0 of weights has 1 entries, expected 2");
        assert_eq!(weighted(json!([[1, 0]])), "the weight of cell 1,0 is 0, but must be between 1 and 255");
        weighted(json!([[1, 256]]));
        weighted(json!([[1, -1]]));
        refusal::<Grid>(json!({"height": 1, "rows": [".."]}));
        refusal::<Grid>(json!({"width": 2, "height": 1, "rows": [".."], "weight": [[1, 1]]}));
    }

    /// Maps of any weights, also on blocked cells.
    fn any_map() -> impl Strategy<Value = PlainMap> {
        maps(24, 24).prop_flat_map(|map| {
            let weights = prop::option::of(vec(1..=255_u8, map.free.len()));
            weights.prop_map(move |weights| PlainMap { weights, ..map.clone() })
        })
    }

    proptest! {
        #![proptest_config(cases(200))]

        #[test]
        fn a_map_that_is_written_and_read_is_the_same(
            map in any_map(),
            diagonals in diagonals(),
            cost in diagonal_costs(),
        ) {
            let grid = World::new(map, diagonals, cost).grid();
            let read: Grid = from_str(&to_string(&grid).unwrap()).unwrap();
            prop_assert_eq!(&read, &grid);
            prop_assert_eq!(read.digest(), grid.digest());
            prop_assert_eq!(read.rules(), grid.rules());
            prop_assert_eq!(read.edit_count(), 0);
            for cell in grid.area().cells() {
                prop_assert_eq!(read.is_free(cell), grid.is_free(cell));
                prop_assert_eq!(read.weight(cell), grid.weight(cell));
            }
            prop_assert!(read.check().is_ok());
        }
    }
}

/// Coordinates that are a cell's, and some that are not.
#[cfg(any(feature = "glam", feature = "mint"))]
const PLACES: [(i64, i64, bool); 9] = [
    (0, 0, true),
    (12, 7, true),
    (65_535, 65_535, true),
    (-1, 0, false),
    (0, -1, false),
    (65_536, 0, false),
    (0, 65_536, false),
    (i32::MIN as i64, 5, false),
    (5, i32::MAX as i64, false),
];

#[cfg(feature = "glam")]
mod glam {
    use super::PLACES;
    use ::glam::{I64Vec2, IVec2, U16Vec2, UVec2, Vec2};
    use farstride::Cell;
    use farstride::error::CellOutOfRange;

    #[test]
    fn vectors_become_cells_only_in_range() {
        for (x, y, is_cell) in PLACES {
            let wide = I64Vec2::new(x, y);
            let cell = Cell::try_from(wide);
            assert_eq!(cell.is_ok(), is_cell);
            assert_eq!(Cell::try_from(IVec2::new(x as i32, y as i32)), cell);
            if x >= 0 && y >= 0 {
                assert_eq!(Cell::try_from(UVec2::new(x as u32, y as u32)), cell);
            }
            match cell {
                Ok(cell) => assert_eq!(I64Vec2::from(cell), wide),
                Err(error) => assert_eq!(error, CellOutOfRange { x, y }),
            }
        }
        let farthest = I64Vec2::new(i64::MIN, i64::MAX);
        let error = Cell::try_from(farthest).unwrap_err();
        assert_eq!(error, CellOutOfRange { x: i64::MIN, y: i64::MAX });
        assert!(Cell::try_from(UVec2::MAX).is_err());
    }

    #[test]
    fn cells_become_vectors() {
        let cell = Cell::new(65_535, 2);
        assert_eq!(IVec2::from(cell), IVec2::new(65_535, 2));
        assert_eq!(UVec2::from(cell), UVec2::new(65_535, 2));
        assert_eq!(Vec2::from(cell), Vec2::new(65_535.0, 2.0));
        assert_eq!(U16Vec2::from(cell), U16Vec2::new(65_535, 2));
        assert_eq!(Cell::from(U16Vec2::from(cell)), cell);
    }

    #[test]
    fn the_message_names_the_vector() {
        let error = Cell::try_from(IVec2::new(-3, 9)).unwrap_err();
        assert_eq!(error.to_string(), "-3,9 is not a cell: coordinates go from 0 to 65535");
    }
}

#[cfg(feature = "mint")]
mod mint {
    use super::PLACES;
    use ::mint::{Point2, Vector2};
    use farstride::Cell;
    use farstride::error::CellOutOfRange;

    #[test]
    fn points_and_vectors_become_cells_only_in_range() {
        for (x, y, is_cell) in PLACES {
            let (x32, y32) = (x as i32, y as i32);
            let cell = Cell::try_from(Point2 { x: x32, y: y32 });
            assert_eq!(cell.is_ok(), is_cell);
            assert_eq!(Cell::try_from(Vector2 { x: x32, y: y32 }), cell);
            match cell {
                Ok(cell) => {
                    assert_eq!(Point2::<i32>::from(cell), Point2 { x: x32, y: y32 });
                    assert_eq!(Vector2::<i32>::from(cell), Vector2 { x: x32, y: y32 });
                }
                Err(error) => assert_eq!(error, CellOutOfRange { x, y }),
            }
        }
    }

    #[test]
    fn narrow_and_floating_forms() {
        let cell = Cell::new(65_535, 2);
        assert_eq!(Cell::from(Point2::<u16>::from(cell)), cell);
        assert_eq!(Cell::from(Vector2::<u16>::from(cell)), cell);
        assert_eq!(Point2::<f32>::from(cell), Point2 { x: 65_535.0, y: 2.0 });
        assert_eq!(Vector2::<f32>::from(cell), Vector2 { x: 65_535.0, y: 2.0 });
    }
}

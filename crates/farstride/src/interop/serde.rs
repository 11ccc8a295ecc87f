//! Types whose written form is not their layout, or that have to be validated when
//! they are read. The others derive both traits where they are defined.
//!
//! Nothing is left out when it is written, even if it is a default: formats that do not
//! name fields need every one of them.

use crate::base::{Cell, Cost, Point, Rect};
use crate::grid::{Grid, Rules};
use crate::index::Engine;
use crate::route::{CostTable, Detail, OwnedRoute, Path, Query};
use ::serde::de::Error as _;
use ::serde::ser::SerializeStruct;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x, self.y).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(u16, u16)>::deserialize(deserializer).map(Self::from)
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x, self.y).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(u32, u32)>::deserialize(deserializer).map(|(x, y)| Self { x, y })
    }
}

impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.units().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(u64::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Rect", deny_unknown_fields)]
struct RectForm {
    min: Cell,
    max: Cell,
}

impl Serialize for Rect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RectForm { min: self.min(), max: self.max() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let RectForm { min, max } = RectForm::deserialize(deserializer)?;
        let rect = Self::spanning(min, max);
        if (rect.min(), rect.max()) == (min, max) {
            Ok(rect)
        } else {
            Err(D::Error::custom(format_args!(
                "no rectangle has its top left cell at {min} and ends at {max}"
            )))
        }
    }
}

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Engine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Query", deny_unknown_fields)]
struct QueryForm {
    start: Cell,
    goal: Cell,
    #[serde(default)]
    detail: Detail,
    /// `None` for no limit: `u64::MAX` would lose digits in languages whose numbers
    /// are floats.
    #[serde(default)]
    budget: Option<u64>,
}

impl Serialize for Query {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self { start, goal, detail, budget } = self;
        let budget = (budget != u64::MAX).then_some(budget);
        QueryForm { start, goal, detail, budget }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Query {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let QueryForm { start, goal, detail, budget } = QueryForm::deserialize(deserializer)?;
        Ok(Self::new(start, goal).with_detail(detail).with_budget(budget.unwrap_or(u64::MAX)))
    }
}

/// A route as [`Route`](crate::route::Route) writes it.
#[derive(Deserialize)]
#[serde(rename = "Route", deny_unknown_fields)]
struct RouteForm {
    cost: Cost,
    length: f64,
    path: PathForm,
}

/// A path as [`Path`] writes it: the same variants in the same order, for formats that
/// number them.
#[derive(Deserialize)]
#[serde(rename = "Path", rename_all = "kebab-case")]
enum PathForm {
    Cells(Vec<Cell>),
    Points(Vec<Point>),
    Waypoints(Vec<Cell>),
    Omitted,
}

impl PathForm {
    fn as_path(&self) -> Path<'_> {
        match self {
            Self::Cells(cells) => Path::Cells(cells),
            Self::Points(points) => Path::Points(points),
            Self::Waypoints(cells) => Path::Waypoints(cells),
            Self::Omitted => Path::Omitted,
        }
    }
}

impl Serialize for OwnedRoute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_route().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OwnedRoute {
    /// Fails unless the length is a finite number from 0 on and a path that is not
    /// omitted has a cell. Whether the path is legal, only a map can tell.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let RouteForm { cost, length, path } = RouteForm::deserialize(deserializer)?;
        if !(length.is_finite() && length >= 0.0) {
            return Err(D::Error::custom(format_args!("{length} is not the length of a route")));
        }
        let path = path.as_path();
        if path.turns().next().is_none() && path != Path::Omitted {
            return Err(D::Error::custom("the path has no cells"));
        }
        Ok(Self::from_parts(cost, length, path))
    }
}

/// Rows written one after the other, so that there is never a second copy of them all.
struct Rows<F> {
    count: usize,
    row: F,
}

impl<T: Serialize, F: Fn(usize) -> T> Serialize for Rows<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.count).map(&self.row))
    }
}

#[derive(Deserialize)]
#[serde(rename = "CostTable", deny_unknown_fields)]
struct TableForm {
    starts: usize,
    goals: usize,
    costs: Vec<Vec<Option<Cost>>>,
}

impl Serialize for CostTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |start| self.row(start).collect::<Vec<_>>();
        let mut table = serializer.serialize_struct("CostTable", 3)?;
        table.serialize_field("starts", &self.start_count())?;
        table.serialize_field("goals", &self.goal_count())?;
        table.serialize_field("costs", &Rows { count: self.start_count(), row })?;
        table.end()
    }
}

impl<'de> Deserialize<'de> for CostTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let TableForm { starts, goals, costs } = TableForm::deserialize(deserializer)?;
        check_rows("costs", &costs, goals, starts).map_err(D::Error::custom)?;
        Ok(Self::from_rows(goals, &costs))
    }
}

/// Checks that there are `height` rows of `width` entries each.
fn check_rows<T>(name: &str, rows: &[Vec<T>], width: usize, height: usize) -> Result<(), String> {
    if rows.len() != height {
        return Err(format!("{name} has {} rows, expected {height}", rows.len()));
    }
    match rows.iter().enumerate().find(|(_, row)| row.len() != width) {
        Some((y, row)) => Err(format!("row {y} of {name} has {} entries, expected {width}", row.len())),
        None => Ok(()),
    }
}

#[derive(Deserialize)]
#[serde(rename = "Grid", deny_unknown_fields)]
struct GridForm {
    width: usize,
    height: usize,
    #[serde(default)]
    rules: Rules,
    rows: Vec<String>,
    #[serde(default)]
    weights: Option<Vec<Vec<u8>>>,
}

impl Serialize for Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = |y| (0..self.width()).map(move |x| Cell::new(x as u16, y as u16));
        let letter = |cell| if self.is_free(cell) { '.' } else { '#' };
        let rows = Rows { count: self.height(), row: |y| cells(y).map(letter).collect::<String>() };
        let weights = Rows {
            count: self.height(),
            row: |y| cells(y).map(|cell| self.weight(cell)).collect::<Vec<_>>(),
        };
        let mut grid = serializer.serialize_struct("Grid", 5)?;
        grid.serialize_field("width", &self.width())?;
        grid.serialize_field("height", &self.height())?;
        grid.serialize_field("rules", &self.rules())?;
        grid.serialize_field("rows", &rows)?;
        grid.serialize_field("weights", &(!self.is_uniform()).then_some(weights))?;
        grid.end()
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        GridForm::deserialize(deserializer)?.into_grid().map_err(D::Error::custom)
    }
}

impl GridForm {
    fn into_grid(self) -> Result<Grid, String> {
        let Self { width, height, rules, rows, weights } = self;
        Grid::check_size(width, height).map_err(|error| error.to_string())?;
        if rows.len() != height {
            return Err(format!("rows has {} rows, expected {height}", rows.len()));
        }
        let rows: Vec<_> = (1..).zip(rows.iter().map(String::as_bytes)).collect();
        let mut grid = Grid::from_rows(width, &rows).map_err(|error| error.to_string())?.with_rules(rules);
        if let Some(weights) = weights {
            check_rows("weights", &weights, width, height)?;
            for (cell, &weight) in grid.area().cells().zip(weights.iter().flatten()) {
                if weight == 0 {
                    return Err(format!("the weight of cell {cell} is 0, but must be between 1 and 255"));
                }
                grid.put_weight(cell, weight);
            }
        }
        Ok(grid)
    }
}

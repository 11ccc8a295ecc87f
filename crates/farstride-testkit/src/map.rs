//! Maps as plain as they can be, drawn as text, and the rules of movement.
//!
//! A test should show its map, not describe it. [`ascii`] turns a drawing in an
//! indented string literal into a [`PlainMap`], which is nothing but a size and
//! two vectors with public fields, and [`PlainMap::to_ascii`] draws it again for
//! failure messages. [`Diagonals`] and [`DiagonalCost`] restate the rules of the
//! engine in their own words; no layer below this one.

use std::fmt;

/// A cell as (x, y): column, then row, both from the top left corner.
pub type Point = (usize, usize);

/// When a step to a diagonal neighbour is legal.
///
/// Such a step passes between two *side cells*, the two cells that touch both
/// its ends. Both ends must be free under every rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Diagonals {
    /// Both side cells must be free.
    Strict,
    /// At least one side cell must be free.
    OneSide,
    /// The side cells do not matter.
    Free,
    /// There are no diagonal steps.
    None,
}

impl Diagonals {
    /// Every rule, for tests that must hold under each of them.
    pub const ALL: [Self; 4] = [Self::Strict, Self::OneSide, Self::Free, Self::None];

    /// Whether one may pass diagonally between two side cells.
    pub const fn allows_passing(self, one_side_free: bool, other_side_free: bool) -> bool {
        match self {
            Self::Strict => one_side_free && other_side_free,
            Self::OneSide => one_side_free || other_side_free,
            Self::Free => true,
            Self::None => false,
        }
    }
}

/// What a diagonal step costs beside a straight one.
///
/// Costs are integers in *units*, so that sums are exact. All four step values
/// are even: a step between cells of different weights costs the mean of both,
/// and the halves must stay whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiagonalCost {
    /// The square root of two, as the fraction 3363/2378.
    Sqrt2,
    /// Exactly 1.42, as in the HPA* paper.
    Ratio142,
}

impl DiagonalCost {
    /// Both scales, for tests that must hold under each of them.
    pub const ALL: [Self; 2] = [Self::Sqrt2, Self::Ratio142];

    /// Units of a straight step between two cells of weight 1.
    pub const fn straight_units(self) -> u64 {
        match self {
            Self::Sqrt2 => 4756,
            Self::Ratio142 => 5000,
        }
    }

    /// Units of a diagonal step between two cells of weight 1.
    pub const fn diagonal_units(self) -> u64 {
        match self {
            Self::Sqrt2 => 6726,
            Self::Ratio142 => 7100,
        }
    }

    /// Length of a diagonal step where a straight one has length 1.
    pub const fn diagonal_length(self) -> f64 {
        match self {
            Self::Sqrt2 => std::f64::consts::SQRT_2,
            Self::Ratio142 => 1.42,
        }
    }
}

/// A grid of free and blocked cells, row by row, with optional weights.
///
/// # Invariants
///
/// 1. `free` has `width * height` entries; cell (x, y) is entry `y * width + x`.
/// 2. `weights`, if present, has as many. The weights of blocked cells mean
///    nothing; those of free cells are at least 1.
///
/// The fields are public because tests build odd maps by hand; the constructors
/// of this crate keep both.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainMap {
    /// Cells per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Whether each cell is free (1).
    pub free: Vec<bool>,
    /// Cost factor of each cell; without it every weight is 1 (2).
    pub weights: Option<Vec<u8>>,
}

impl PlainMap {
    /// A map without weights whose cells are all free or all blocked.
    pub fn new(width: usize, height: usize, free: bool) -> Self {
        Self { width, height, free: vec![free; width * height], weights: None }
    }

    /// Reads a drawing; see [`ascii`], whose marks count as free cells here.
    ///
    /// # Panics
    /// If the drawing is not a rectangle of known characters.
    pub fn from_ascii(text: &str) -> Self {
        ascii(text).map
    }

    /// Whether (x, y) lies on the map and is free; all that is outside is blocked.
    pub fn is_free(&self, x: isize, y: isize) -> bool {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
            return false;
        };
        self.is_free_at((x, y))
    }

    /// [`PlainMap::is_free`] for a point.
    pub fn is_free_at(&self, point: Point) -> bool {
        self.contains(point) && self.free[self.index(point)]
    }

    /// Whether the point lies on the map.
    pub const fn contains(&self, (x, y): Point) -> bool {
        x < self.width && y < self.height
    }

    /// Place of a cell in `free` and `weights`.
    pub const fn index(&self, (x, y): Point) -> usize {
        y * self.width + x
    }

    /// The cell at a place in `free` and `weights`.
    pub const fn point(&self, index: usize) -> Point {
        (index % self.width, index / self.width)
    }

    /// Cost factor of a cell on the map.
    ///
    /// # Panics
    /// If the map has weights and the point lies outside.
    pub fn weight(&self, point: Point) -> u64 {
        match &self.weights {
            Some(weights) => u64::from(weights[self.index(point)]),
            None => 1,
        }
    }

    /// Makes one cell free or blocked.
    ///
    /// # Panics
    /// If the point lies outside.
    pub fn set_free(&mut self, point: Point, free: bool) {
        assert!(self.contains(point), "{point:?} is not on the map");
        let index = self.index(point);
        self.free[index] = free;
    }

    /// All free cells, row by row.
    pub fn free_points(&self) -> Vec<Point> {
        let free = self.free.iter().enumerate().filter(|&(_, &free)| free);
        free.map(|(index, _)| self.point(index)).collect()
    }

    /// Whether a step between two neighbouring cells is legal: both free, and
    /// the rule content if it is diagonal. False for cells that do not touch
    /// and for a step on the spot.
    pub fn allows_step(&self, diagonals: Diagonals, from: Point, to: Point) -> bool {
        if !self.is_free_at(from) || !self.is_free_at(to) {
            return false;
        }
        match (from.0.abs_diff(to.0), from.1.abs_diff(to.1)) {
            (0, 1) | (1, 0) => true,
            (1, 1) => {
                diagonals.allows_passing(self.is_free_at((from.0, to.1)), self.is_free_at((to.0, from.1)))
            }
            _ => false,
        }
    }

    /// Draws the map: `#` blocked and `.` free, or, where the map has weights,
    /// the weight of each free cell as a digit (`+` above 9).
    pub fn to_ascii(&self) -> String {
        self.draw(|map, point| match (map.is_free_at(point), &map.weights) {
            (false, _) => '#',
            (true, None) => '.',
            (true, Some(_)) => digit(map.weight(point)),
        })
    }

    /// The map as the text of a `MovingAI` file. Weights have no place there.
    pub fn to_movingai(&self) -> String {
        let rows = self.draw(|map, point| if map.is_free_at(point) { '.' } else { '@' });
        let (width, height) = (self.width, self.height);
        format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}")
    }

    /// The map as a binary PGM image of one pixel a cell: 0 blocked, otherwise
    /// the weight.
    pub fn to_pgm(&self) -> Vec<u8> {
        let mut image = format!("P5\n{} {}\n255\n", self.width, self.height).into_bytes();
        image.extend(self.free.iter().enumerate().map(|(index, &free)| match &self.weights {
            _ if !free => 0,
            Some(weights) => weights[index],
            None => 1,
        }));
        image
    }

    fn draw(&self, letter: impl Fn(&Self, Point) -> char) -> String {
        let mut text = String::with_capacity((self.width + 1) * self.height);
        for y in 0..self.height {
            text.extend((0..self.width).map(|x| letter(self, (x, y))));
            text.push('\n');
        }
        text
    }
}

/// Shows the drawing instead of two vectors, for readable test failures.
impl fmt::Debug for PlainMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{} map\n{}", self.width, self.height, self.to_ascii())
    }
}

fn digit(weight: u64) -> char {
    match u32::try_from(weight) {
        Ok(weight) => char::from_digit(weight, 10).unwrap_or('+'),
        Err(_) => '+',
    }
}

/// A map with the places that its drawing marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The map itself; marks are free cells.
    pub map: PlainMap,
    /// Where the `S` stands.
    pub start: Option<Point>,
    /// Where the `G` stands.
    pub goal: Option<Point>,
}

impl Drawing {
    /// Start and goal of a drawing that must have both.
    ///
    /// # Panics
    /// If either mark is missing.
    pub fn query(&self) -> (Point, Point) {
        let start = self.start.expect("the drawing has no S");
        let goal = self.goal.expect("the drawing has no G");
        (start, goal)
    }
}

/// Reads a drawn map: `.` free, `#` blocked, `1` to `9` free with that weight,
/// `S` and `G` free and marked as start and goal.
///
/// Blank lines and spaces around a row are ignored, so that drawings can be
/// indented with the code around them. One digit gives the whole map weights.
///
/// ```
/// let drawing = farstride_testkit::ascii(
///     "
///     S.#
///     #.G
///     ",
/// );
/// assert_eq!(drawing.query(), ((0, 0), (2, 1)));
/// assert_eq!(drawing.map.to_ascii(), "..#\n#..\n");
/// ```
///
/// # Panics
/// On an empty drawing, rows of unequal length, an unknown character or a
/// second mark of one kind.
pub fn ascii(text: &str) -> Drawing {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let width = rows.first().expect("the drawing has no rows").chars().count();
    let mut drawing = Drawing { map: PlainMap::new(width, rows.len(), false), start: None, goal: None };
    for (y, row) in rows.iter().enumerate() {
        assert_eq!(row.chars().count(), width, "row {y} of the drawing has another length");
        for (x, letter) in row.chars().enumerate() {
            read_letter(&mut drawing, (x, y), letter);
        }
    }
    drawing
}

fn read_letter(drawing: &mut Drawing, point: Point, letter: char) {
    let map = &mut drawing.map;
    let index = map.index(point);
    map.free[index] = letter != '#';
    match letter {
        '.' | '#' => {}
        'S' => place_mark(&mut drawing.start, point, letter),
        'G' => place_mark(&mut drawing.goal, point, letter),
        '1'..='9' => {
            let weights = map.weights.get_or_insert_with(|| vec![1; map.free.len()]);
            weights[index] = letter as u8 - b'0';
        }
        _ => panic!("{letter:?} at {point:?} means nothing in a drawing"),
    }
}

fn place_mark(mark: &mut Option<Point>, point: Point, letter: char) {
    let earlier = mark.replace(point);
    assert!(earlier.is_none(), "the drawing has more than one {letter}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_read_with_indentation_and_blank_lines() {
        let drawing = ascii(
            "

            S.#

            #.G
            ",
        );
        assert_eq!(drawing.map.free, [true, true, false, false, true, true]);
        assert_eq!(drawing.query(), ((0, 0), (2, 1)));
        assert_eq!(drawing.map.weights, None);
    }

    #[test]
    fn digits_are_weights_of_free_cells() {
        let map = PlainMap::from_ascii("3.#\n1#9");
        assert_eq!(map.free, [true, true, false, true, false, true]);
        assert_eq!((map.weight((0, 0)), map.weight((1, 0))), (3, 1));
        assert_eq!((map.weight((0, 1)), map.weight((2, 1))), (1, 9));
        assert_eq!(PlainMap::new(2, 2, true).weight((1, 1)), 1);
    }

    #[test]
    fn drawings_survive_a_round_trip() {
        for text in ["..#\n#..\n", "31#\n1#9\n", "#\n", "."] {
            let map = PlainMap::from_ascii(text);
            assert_eq!(map.to_ascii().trim(), text.trim());
            assert_eq!(PlainMap::from_ascii(&map.to_ascii()), map);
        }
        let mut heavy = PlainMap::new(1, 1, true);
        heavy.weights = Some(vec![10]);
        assert_eq!(heavy.to_ascii(), "+\n");
    }

    #[test]
    #[should_panic(expected = "another length")]
    fn ragged_drawings_are_refused() {
        ascii("..\n...");
    }

    #[test]
    #[should_panic(expected = "means nothing")]
    fn unknown_letters_are_refused() {
        ascii("..\n.0");
    }

    #[test]
    #[should_panic(expected = "more than one G")]
    fn second_marks_are_refused() {
        ascii("SG\nG.");
    }

    #[test]
    #[should_panic(expected = "no rows")]
    fn empty_drawings_are_refused() {
        ascii(" \n ");
    }

    #[test]
    fn outside_is_blocked() {
        let map = PlainMap::new(3, 2, true);
        assert!(map.is_free(0, 0) && map.is_free(2, 1));
        for (x, y) in [(-1, 0), (0, -1), (3, 0), (0, 2)] {
            assert!(!map.is_free(x, y), "({x}, {y})");
        }
        assert!(!map.is_free_at((3, 0)) && !map.is_free_at((0, 2)));
    }

    #[test]
    fn free_points_come_row_by_row() {
        let map = PlainMap::from_ascii(".#.\n##.");
        assert_eq!(map.free_points(), [(0, 0), (2, 0), (2, 1)]);
    }

    #[test]
    fn movingai_text_has_header_and_rows() {
        let map = PlainMap::from_ascii(".#.\n##.");
        let expected = "type octile\nheight 2\nwidth 3\nmap\n.@.\n@@.\n";
        assert_eq!(map.to_movingai(), expected);
    }

    #[test]
    fn images_have_a_pixel_per_cell() {
        assert_eq!(PlainMap::from_ascii(".#.\n##.").to_pgm(), b"P5\n3 2\n255\n\x01\0\x01\0\0\x01");
        assert_eq!(PlainMap::from_ascii("3#\n1.").to_pgm(), b"P5\n2 2\n255\n\x03\0\x01\x01");
    }

    #[test]
    fn index_and_point_are_inverse() {
        let map = PlainMap::new(5, 3, true);
        for index in 0..map.free.len() {
            assert_eq!(map.index(map.point(index)), index);
        }
        assert_eq!(map.index((2, 1)), 7);
    }

    /// Which rules allow the step from the top left to the bottom right cell.
    fn allowing(text: &str) -> Vec<Diagonals> {
        let map = PlainMap::from_ascii(text);
        let allowing = |rule: &Diagonals| map.allows_step(*rule, (0, 0), (1, 1));
        Diagonals::ALL.into_iter().filter(allowing).collect()
    }

    #[test]
    fn diagonal_steps_follow_the_rule() {
        use Diagonals::{Free, OneSide, Strict};
        assert_eq!(allowing("..\n.."), [Strict, OneSide, Free]);
        assert_eq!(allowing(".#\n.."), [OneSide, Free]);
        assert_eq!(allowing("..\n#."), [OneSide, Free]);
        assert_eq!(allowing(".#\n#."), [Free]);
        assert_eq!(allowing("..\n.#"), []);
        assert_eq!(allowing("#.\n.."), []);
    }

    #[test]
    fn only_neighbours_are_a_step_apart() {
        let map = PlainMap::new(4, 4, true);
        for rule in Diagonals::ALL {
            assert!(map.allows_step(rule, (1, 1), (1, 0)));
            assert!(map.allows_step(rule, (1, 1), (0, 1)));
            assert!(!map.allows_step(rule, (1, 1), (1, 1)));
            assert!(!map.allows_step(rule, (1, 1), (3, 1)));
            assert!(!map.allows_step(rule, (1, 1), (2, 3)));
        }
    }

    #[test]
    fn step_units_are_even_and_keep_their_ratio() {
        for cost in DiagonalCost::ALL {
            assert_eq!(cost.straight_units() % 2, 0);
            assert_eq!(cost.diagonal_units() % 2, 0);
            let ratio = cost.diagonal_units() as f64 / cost.straight_units() as f64;
            assert!((ratio - cost.diagonal_length()).abs() < 1e-7, "{cost:?}");
        }
    }

    #[test]
    fn debug_shows_the_drawing() {
        let map = PlainMap::from_ascii(".#");
        assert_eq!(format!("{map:?}"), "2x1 map\n.#\n");
    }
}

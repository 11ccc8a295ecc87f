//! Maps and paths as text, for the terminal.
//!
//! A small map is drawn cell by cell, two columns to a cell, since letters are
//! about twice as tall as wide. A larger one takes half a letter or a quarter
//! of one per cell; the largest are reduced by a whole factor, with a quarter
//! of a letter blocked where most cells below it are.
//!
//! ```
//! use farstride::{Cell, Grid};
//! use farstride_io::terminal::{Screen, draw};
//!
//! let grid = Grid::from_ascii("
//!     ...
//!     .#.
//! ")?;
//! let path = [Cell::new(0, 1), Cell::new(0, 0), Cell::new(2, 0), Cell::new(2, 1)];
//! let text = draw(&grid, &[&path], Screen { columns: 80, rows: 24, colour: false });
//! assert_eq!(text, "\
//! ┌──────┐
//! │• • • │
//! │S ██G │
//! └──────┘
//! ");
//! # Ok::<(), farstride::error::TextError>(())
//! ```

use farstride::{Cell, Grid};
use std::ops::Range;

/// What there is to draw on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Screen {
    /// Most letters in a line, frame included.
    pub columns: usize,
    /// Most lines, frame included.
    pub rows: usize,
    /// Whether to use colours; without, the text has no escape sequences.
    pub colour: bool,
}

/// Draws a map in a frame, with paths on it.
///
/// A path is all of its cells or its turning points; these are joined through
/// the cells that the lines between them enter. It starts at `S` and ends at
/// `G`. What lies off the map is left out, and where paths meet, the first one
/// is seen. Terrain weights are seen only where a cell takes two columns.
///
/// The text fits the screen, unless that is smaller than 3 x 3 letters; lines
/// end in a line feed, the last one as well.
pub fn draw(grid: &Grid, paths: &[&[Cell]], screen: Screen) -> String {
    let ends: Vec<_> = paths.iter().filter_map(|path| Some((*path.first()?, *path.last()?))).collect();
    draw_between(grid, paths, &ends, screen)
}

/// Draws a map and the beginning of a path that goes on to `goal`, as [`draw`]
/// does.
///
/// ```
/// use farstride::{Cell, Grid};
/// use farstride_io::terminal::{Screen, draw_beginning};
///
/// let grid = Grid::from_ascii("......")?;
/// let steps = [0, 1, 2].map(|x| Cell::new(x, 0));
/// let screen = Screen { columns: 80, rows: 24, colour: false };
/// let text = draw_beginning(&grid, &steps, Cell::new(5, 0), screen);
/// assert!(text.contains("│S • •     G │"));
/// # Ok::<(), farstride::error::TextError>(())
/// ```
pub fn draw_beginning(grid: &Grid, path: &[Cell], goal: Cell, screen: Screen) -> String {
    let ends: Vec<_> = path.first().map(|&start| (start, goal)).into_iter().collect();
    draw_between(grid, &[path], &ends, screen)
}

fn draw_between(grid: &Grid, paths: &[&[Cell]], ends: &[(Cell, Cell)], screen: Screen) -> String {
    let layout = Layout::choose(grid, screen);
    let marks = Marks::place(grid, paths, ends, &layout);
    let mut ink = Ink::new(screen.colour);
    let line = "─".repeat(layout.columns * layout.letters_per_spot());
    ink.write(Style::Wall, &format!("┌{line}┐"));
    ink.end_line();
    for row in 0..layout.rows {
        ink.write(Style::Wall, "│");
        for column in 0..layout.columns {
            match marks.at(column, row) {
                Some(mark) => ink.mark(mark, layout.letters_per_spot()),
                None => layout.ground(grid, column, row, &mut ink),
            }
        }
        ink.write(Style::Wall, "│");
        ink.end_line();
    }
    ink.write(Style::Wall, &format!("└{line}┘"));
    ink.end_line();
    ink.text
}

/// How many cells go into a spot, which is the place of a mark: one letter, or
/// two side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Layout {
    detail: Detail,
    /// Spots in a line, and lines.
    columns: usize,
    rows: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    /// A cell is two letters.
    Whole,
    /// A letter is `across` x `down` cells, in two by two quarters; `across`
    /// may be 1.
    Quarters { across: usize, down: usize },
}

impl Detail {
    /// Cells per spot, across and down.
    const fn cells(self) -> (usize, usize) {
        match self {
            Self::Whole => (1, 1),
            Self::Quarters { across, down } => (across, down),
        }
    }
}

impl Layout {
    /// The layout that shows most. The last resort keeps the map's proportions;
    /// quarters of 2 x 2 cells do not, but lose no cell.
    fn choose(grid: &Grid, screen: Screen) -> Self {
        let columns = screen.columns.saturating_sub(2).max(1);
        let rows = screen.rows.saturating_sub(2).max(1);
        let quarters = |across, down| Detail::Quarters { across, down };
        let factor = grid.width().div_ceil(columns).max(grid.height().div_ceil(rows.saturating_mul(2)));
        [Detail::Whole, quarters(1, 2), quarters(2, 2)]
            .map(|detail| Self::new(grid, detail))
            .into_iter()
            .find(|layout| layout.columns * layout.letters_per_spot() <= columns && layout.rows <= rows)
            .unwrap_or_else(|| Self::new(grid, quarters(factor, 2 * factor)))
    }

    fn new(grid: &Grid, detail: Detail) -> Self {
        let (across, down) = detail.cells();
        Self { detail, columns: grid.width().div_ceil(across), rows: grid.height().div_ceil(down) }
    }

    const fn letters_per_spot(&self) -> usize {
        match self.detail {
            Detail::Whole => 2,
            Detail::Quarters { .. } => 1,
        }
    }

    /// Draws a spot without a mark.
    fn ground(&self, grid: &Grid, column: usize, row: usize, ink: &mut Ink) {
        match self.detail {
            Detail::Whole => {
                let cell = Cell::new(column as u16, row as u16);
                if !grid.is_free(cell) {
                    ink.write(Style::Wall, "██");
                } else if grid.weight(cell) > 1 {
                    ink.write(Style::Heavy, "░░");
                } else {
                    ink.write(Style::Plain, "  ");
                }
            }
            Detail::Quarters { across, down } => {
                let letter = quarter_letter(quarters(grid, column, row, across, down));
                let style = if letter == " " { Style::Plain } else { Style::Wall };
                ink.write(style, letter);
            }
        }
    }
}

/// Which quarters of a letter are blocked: upper left, upper right, lower left,
/// lower right, from the lowest bit up.
fn quarters(grid: &Grid, column: usize, row: usize, across: usize, down: usize) -> usize {
    let (left, top) = (column * across, row * down);
    // A column that cannot be halved is both halves.
    let halves = if across == 1 {
        [left..left + 1, left..left + 1]
    } else {
        let middle = left + across.div_ceil(2);
        [left..middle, middle..left + across]
    };
    let middle = top + down.div_ceil(2);
    let mut blocked = 0;
    for (half, rows) in [top..middle, middle..top + down].into_iter().enumerate() {
        for (side, columns) in halves.iter().enumerate() {
            if is_mostly_blocked(grid, columns.clone(), rows.clone()) {
                blocked |= 1 << (2 * half + side);
            }
        }
    }
    blocked
}

/// Whether at least half of those cells that lie on the map are blocked.
fn is_mostly_blocked(grid: &Grid, columns: Range<usize>, rows: Range<usize>) -> bool {
    let columns = columns.start..columns.end.min(grid.width());
    let rows = rows.start..rows.end.min(grid.height());
    let cells = columns.len() * rows.len();
    let blocked = rows
        .flat_map(|y| columns.clone().map(move |x| Cell::new(x as u16, y as u16)))
        .filter(|&cell| !grid.is_free(cell))
        .count();
    cells > 0 && 2 * blocked >= cells
}

/// The letter with these quarters filled.
const fn quarter_letter(blocked: usize) -> &'static str {
    const LETTERS: [&str; 16] =
        [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];
    LETTERS[blocked % LETTERS.len()]
}

/// What stands on a spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Start,
    Goal,
    /// Number of the path.
    Path(usize),
}

/// The marks of all spots, row by row.
struct Marks {
    spots: Vec<Option<Mark>>,
    columns: usize,
}

impl Marks {
    fn place(grid: &Grid, paths: &[&[Cell]], ends: &[(Cell, Cell)], layout: &Layout) -> Self {
        let mut marks = Self { spots: vec![None; layout.columns * layout.rows], columns: layout.columns };
        let (across, down) = layout.detail.cells();
        let mut set = |x: u16, y: u16, mark: Mark| {
            let spot = usize::from(y) / down * marks.columns + usize::from(x) / across;
            marks.spots[spot].get_or_insert(mark);
        };
        let paths: Vec<Vec<Cell>> = paths
            .iter()
            .map(|path| path.iter().copied().filter(|&cell| grid.contains(cell)))
            .map(Iterator::collect)
            .collect();
        // What is set first stays, so the ends come first.
        for (cell, mark) in ends.iter().flat_map(|&(start, goal)| [(start, Mark::Start), (goal, Mark::Goal)])
        {
            if grid.contains(cell) {
                set(cell.x, cell.y, mark);
            }
        }
        for (number, path) in paths.iter().enumerate() {
            for leg in path.windows(2) {
                for span in Grid::row_spans(leg[0], leg[1]) {
                    for x in span.from..=span.to {
                        set(x, span.y, Mark::Path(number));
                    }
                }
            }
        }
        marks
    }

    fn at(&self, column: usize, row: usize) -> Option<Mark> {
        self.spots[row * self.columns + column]
    }
}

/// How letters look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Plain,
    Wall,
    Heavy,
    Start,
    Goal,
    /// Number of the path.
    Path(usize),
}

impl Style {
    /// The escape sequence that selects it.
    const fn code(self) -> &'static str {
        const PATHS: [&str; 6] = [
            "\x1b[0;1;38;5;208m", // orange
            "\x1b[0;1;38;5;39m",  // blue
            "\x1b[0;1;38;5;42m",  // green
            "\x1b[0;1;38;5;177m", // purple
            "\x1b[0;1;38;5;220m", // yellow
            "\x1b[0;1;38;5;117m", // sky
        ];
        match self {
            Self::Plain => "\x1b[0m",
            Self::Wall => "\x1b[0;90m",
            Self::Heavy => "\x1b[0;33m",
            Self::Start => "\x1b[0;1;92m",
            Self::Goal => "\x1b[0;1;91m",
            Self::Path(number) => PATHS[number % PATHS.len()],
        }
    }
}

/// Text that changes its style only where it must.
struct Ink {
    text: String,
    colour: bool,
    style: Style,
}

impl Ink {
    const fn new(colour: bool) -> Self {
        Self { text: String::new(), colour, style: Style::Plain }
    }

    fn write(&mut self, style: Style, letters: &str) {
        if self.colour && style != self.style {
            self.text.push_str(style.code());
        }
        self.style = style;
        self.text.push_str(letters);
    }

    /// A mark, followed by blanks up to the width of a spot.
    fn mark(&mut self, mark: Mark, letters: usize) {
        /// For the first path, the second and so on, to tell them apart
        /// without colours.
        const DOTS: [&str; 4] = ["•", "*", "o", "+"];
        let (style, letter) = match mark {
            Mark::Start => (Style::Start, "S"),
            Mark::Goal => (Style::Goal, "G"),
            Mark::Path(number) => (Style::Path(number), DOTS[number % DOTS.len()]),
        };
        self.write(style, letter);
        self.text.extend(std::iter::repeat_n(' ', letters - 1));
    }

    fn end_line(&mut self) {
        self.write(Style::Plain, "\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn screen(columns: usize, rows: usize) -> Screen {
        Screen { columns, rows, colour: false }
    }

    /// Columns and rows of a text.
    fn size(text: &str) -> (usize, usize) {
        let widths: Vec<_> = text.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
        (widths[0], widths.len())
    }

    fn grid(rows: &str) -> Grid {
        Grid::from_ascii(rows).unwrap()
    }

    const MAP: &str = "
        ..#.##
        ..#..#
        .....#
        #.3...
    ";

    #[test]
    fn a_small_map_takes_two_columns_per_cell() {
        let expected = "\
┌────────────┐
│    ██  ████│
│    ██    ██│
│          ██│
│██  ░░      │
└────────────┘
";
        assert_eq!(draw(&grid(MAP), &[], screen(14, 6)), expected);
    }

    #[test]
    fn a_narrow_screen_halves_letters() {
        let expected = "\
┌──────┐
│  █ ▀█│
│▄    ▀│
└──────┘
";
        assert_eq!(draw(&grid(MAP), &[], screen(13, 6)), expected);
        assert_eq!(draw(&grid(MAP), &[], screen(14, 5)), expected);
    }

    #[test]
    fn a_narrower_one_quarters_them() {
        let expected = "\
┌───┐
│ ▌▜│
│▖ ▝│
└───┘
";
        assert_eq!(draw(&grid(MAP), &[], screen(7, 6)), expected);
    }

    #[test]
    fn the_narrowest_reduces_the_map_in_proportion() {
        let grid = Grid::from_fn(300, 200, |cell| cell.x < 150 && cell.y < 100).unwrap();
        let text = draw(&grid, &[], screen(32, 100));
        // Letters of 10 x 20 cells.
        assert_eq!(size(&text), (32, 12));
        assert!(text.contains(&format!("│{}{}│", " ".repeat(15), "█".repeat(15))));
        let flat = draw(&grid, &[], screen(1000, 7));
        // Letters of 20 x 40 cells: five lines.
        assert_eq!(size(&flat), (17, 7));
    }

    #[test]
    fn half_of_the_cells_block_a_quarter_and_less_do_not() {
        for (share, letter) in [(4, ' '), (5, '█')] {
            let grid = Grid::from_fn(400, 40, |cell| cell.x % 10 >= share).unwrap();
            // Letters of 20 x 40 cells.
            let text = draw(&grid, &[], screen(22, 10));
            assert_eq!(size(&text), (22, 3));
            assert_eq!(text.matches(letter).count(), 20, "{text}");
        }
    }

    #[test]
    fn all_sixteen_letters_stand_for_their_quarters() {
        for blocked in 0..16 {
            let grid = Grid::from_fn(2, 2, |cell| blocked >> (2 * cell.y + cell.x) & 1 == 0);
            let found = quarters(&grid.unwrap(), 0, 0, 2, 2);
            assert_eq!(found, blocked);
        }
        let letters: Vec<_> = (0..16).map(quarter_letter).collect();
        assert_eq!(letters[0b0001], "▘");
        assert_eq!(letters[0b0010], "▝");
        assert_eq!(letters[0b0100], "▖");
        assert_eq!(letters[0b1000], "▗");
        assert_eq!(letters[0b0110], "▞");
        assert_eq!(letters[0b1101], "▙");
    }

    #[test]
    fn turning_points_are_joined() {
        let grid = Grid::empty(5, 2).unwrap();
        let path = [Cell::new(0, 0), Cell::new(4, 1)];
        let expected = "\
┌──────────┐
│S • •     │
│    • • G │
└──────────┘
";
        assert_eq!(draw(&grid, &[&path], screen(80, 24)), expected);
    }

    #[test]
    fn diagonal_steps_touch_no_other_cell() {
        let grid = Grid::empty(3, 3).unwrap();
        let path = [Cell::new(2, 0), Cell::new(1, 1), Cell::new(0, 2)];
        let text = draw(&grid, &[&path], screen(80, 24));
        assert_eq!(text.matches('•').count(), 1);
    }

    #[test]
    fn the_first_path_lies_on_top_and_ends_above_all() {
        let grid = Grid::empty(5, 3).unwrap();
        let (first, second) = ([Cell::new(0, 1), Cell::new(4, 1)], [Cell::new(2, 0), Cell::new(2, 2)]);
        let expected = "\
┌──────────┐
│    S     │
│S • • • G │
│    G     │
└──────────┘
";
        assert_eq!(draw(&grid, &[&first, &second], screen(80, 24)), expected);
        let through = [Cell::new(0, 0), Cell::new(0, 2)];
        let text = draw(&grid, &[&through, &first], screen(80, 24));
        assert_eq!(text.lines().nth(2), Some("│S * * * G │"));
    }

    #[test]
    fn colours_come_only_when_asked_for_and_change_nothing_else() {
        let grid = grid(MAP);
        let path = [Cell::new(0, 0), Cell::new(1, 2), Cell::new(5, 3)];
        for columns in [80, 13, 7] {
            let plain = draw(&grid, &[&path], screen(columns, 24));
            assert!(!plain.contains('\x1b'));
            let coloured = draw(&grid, &[&path], Screen { colour: true, ..screen(columns, 24) });
            assert!(coloured.contains(Style::Goal.code()));
            let mut stripped = String::new();
            for (index, part) in coloured.split('\x1b').enumerate() {
                let rest = if index == 0 { Some(part) } else { part.split_once('m').map(|(_, rest)| rest) };
                stripped.push_str(rest.expect("every sequence ends in m"));
            }
            assert_eq!(stripped, plain);
            assert!(coloured.lines().all(|line| !line.ends_with('│')));
        }
    }

    #[test]
    fn every_screen_is_kept_to() {
        for (width, height) in [(1, 1), (7, 3), (100, 1), (1, 100), (333, 77)] {
            let grid = Grid::empty(width, height).unwrap();
            let corner = Cell::new(width as u16 - 1, height as u16 - 1);
            let outside = Cell::new(u16::MAX, 0);
            let path = [Cell::new(0, 0), outside, corner];
            for columns in [0, 1, 2, 3, 4, 9, 80, usize::MAX] {
                for rows in [0, 1, 2, 3, 4, 9, 24, usize::MAX] {
                    let text = draw(&grid, &[&path, &[], &[outside]], screen(columns, rows));
                    let (found_columns, found_rows) = size(&text);
                    assert!(found_columns <= columns.max(3), "{text}");
                    assert!(found_rows <= rows.max(3), "{text}");
                    assert!(text.contains('S'), "{text}");
                }
            }
        }
    }
}

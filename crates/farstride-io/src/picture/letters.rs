//! Letters made of strokes, for pictures whose drawing library knows no fonts.
//!
//! A letter is written as chains of points, each point two digits: the column
//! from 0 to 4 and the line from 0, the top of capitals, over 2, the top of
//! small letters, and 6, where all stand, to 8.

use tiny_skia::PathBuilder;

/// From one letter to the next, in columns.
pub const ADVANCE: f32 = 5.2;
/// Columns of a letter.
pub const WIDTH: f32 = 4.0;
/// Where letters stand.
const BASELINE: f32 = 6.0;

/// Letters as paths: lines to be stroked, dots to be filled.
#[derive(Default)]
pub struct Ink {
    /// Lines, to be stroked.
    pub lines: PathBuilder,
    /// Dots, to be filled.
    pub dots: PathBuilder,
}

impl Ink {
    /// Adds a letter that stands at a point, with columns and a pen of this
    /// width.
    pub fn letter(&mut self, letter: char, at: (f32, f32), column: f32, pen: f32) {
        let place = |(x, y): (f32, f32)| (at.0 + x * column, at.1 + (y - BASELINE) * column);
        for stroke in strokes(letter) {
            let points: Vec<_> = stroke.map(place).collect();
            match points[..] {
                [(x, y)] => self.dots.push_circle(x, y, pen * 0.7),
                [(x, y), ref others @ ..] => {
                    self.lines.move_to(x, y);
                    for &(x, y) in others {
                        self.lines.line_to(x, y);
                    }
                }
                [] => {}
            }
        }
    }
}

/// The strokes of a letter, each a chain of columns and lines; a chain of one
/// point is a dot. Letters that are not known are boxes.
fn strokes(letter: char) -> impl Iterator<Item = impl Iterator<Item = (f32, f32)>> {
    shape(letter).split_ascii_whitespace().map(|chain| {
        let digit = |byte: u8| f32::from(byte.saturating_sub(b'0'));
        chain.as_bytes().chunks_exact(2).map(move |point| (digit(point[0]), digit(point[1])))
    })
}

const fn shape(letter: char) -> &'static str {
    match letter {
        'A'..='Z' => CAPITALS[letter as usize - 'A' as usize],
        'a'..='z' => SMALL[letter as usize - 'a' as usize],
        '0'..='9' => DIGITS[letter as usize - '0' as usize],
        _ => sign(letter),
    }
}

const CAPITALS: [&str; 26] = [
    "0602204246 0444",
    "06003041423303 3344453606",
    "4130100105163645",
    "00063645413000",
    "40000646 0333",
    "400006 0333",
    "41301001051636454323",
    "0006 4046 0343",
    "1030 2026 1636",
    "4045361605",
    "0006 400346",
    "000646",
    "0600234046",
    "06004640",
    "100105163645413010",
    "06003041423303",
    "100105163645413010 2446",
    "06003041423303 2346",
    "413010010213334445361605",
    "0040 2026",
    "000516364540",
    "002640",
    "0016233640",
    "0046 4006",
    "002340 2326",
    "00400646",
];

const SMALL: [&str; 26] = [
    "12324346 441405163645",
    "0006 0312324345361605",
    "4332120305163645",
    "4046 4332120305163645",
    "04444332120305163645",
    "40302126 0242",
    "4247381807 4332120305163645",
    "0006 0312324346",
    "2226 20",
    "32371808 30",
    "0006 420446",
    "10202536",
    "0206 03122326 23324346",
    "0206 0312324346",
    "120305163645433212",
    "0208 0312324345361605",
    "4248 4332120305163645",
    "0206 04123243",
    "43321203143445361605",
    "1015263645 0232",
    "0205163645 4246",
    "022642",
    "0216243642",
    "0246 4206",
    "0225 4208",
    "02420646",
];

const DIGITS: [&str; 10] = [
    "100105163645413010",
    "112026 1636",
    "01103041420646",
    "01103041423323 334445361605",
    "36300444",
    "400002324345361605",
    "413010010516364544331304",
    "004026",
    "130201103041423313 1304051636454433",
    "051636454130100102133342",
];

const fn sign(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        '!' => "2024 26",
        '"' => "1012 3032",
        '#' => "1016 3036 0242 0444",
        '$' => "413010010213334445361605 2026",
        '%' => "4006 11 35",
        '&' => "4612112031320405162644",
        '\'' => "2022",
        '(' => "30212536",
        ')' => "10212516",
        '*' => "2125 0244 4204",
        '+' => "2125 0343",
        ',' => "2617",
        '-' => "1434",
        '.' => "26",
        '/' => "4006",
        ':' => "23 26",
        ';' => "23 2617",
        '<' => "420446",
        '=' => "0343 0545",
        '>' => "024406",
        '?' => "011030414224 26",
        '@' => "36160501103041442422 2242",
        '[' => "30101636",
        '\\' => "0046",
        ']' => "10303616",
        '^' => "022042",
        '_' => "0747",
        '`' => "1021",
        '{' => "30212213242536",
        '|' => "2027",
        '}' => "10212233242516",
        '~' => "04133443",
        '–' => "0444",
        '×' => "0246 4206",
        'µ' => "0208 0205163645 4246",
        _ => "0006464000",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn known() -> impl Iterator<Item = char> {
        (' '..='~').chain(['–', '×', 'µ'])
    }

    #[test]
    fn letters_are_pairs_of_digits_in_range() {
        for letter in known() {
            let shape = shape(letter);
            assert!(shape.is_empty() == (letter == ' '), "{letter}");
            for chain in shape.split_ascii_whitespace() {
                assert!(chain.len() % 2 == 0 && chain.bytes().all(|byte| byte.is_ascii_digit()), "{letter}");
            }
            let mut points = strokes(letter).flatten();
            assert!(points.all(|(column, line)| column <= 4.0 && line <= 8.0), "{letter}");
        }
    }

    /// All but the capital O and the digit 0, and the small x and the cross.
    #[test]
    fn letters_differ_from_each_other() {
        let shapes: BTreeSet<&str> = known().map(shape).collect();
        assert_eq!(shapes.len(), known().count() - 2);
        assert!(!shapes.contains(shape('語')));
    }
}

//! How much room text takes.

use std::borrow::Cow;

/// Heights of letters.
pub(crate) const TITLE_FONT: f64 = 19.0;
pub(crate) const FONT: f64 = 14.0;
/// Heights of lines of text.
pub(crate) const TITLE_LEADING: f64 = 34.0;
pub(crate) const LEADING: f64 = 24.0;
/// From the middle of a line of digits to its foot, as a share of their font.
pub(crate) const HALF_HEIGHT: f64 = 0.36;
/// Bold letters are wider.
pub(crate) const BOLD: f64 = 1.1;

/// Pixels that a text takes: an estimate on the safe side of the usual fonts,
/// since those of the viewer are not known.
pub(crate) fn text_width(text: &str, font: f64) -> f64 {
    text.chars().map(|letter| letter_width(letter) * font).sum()
}

/// Width of a letter as a share of its height.
fn letter_width(letter: char) -> f64 {
    match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '!'..='/' | ':' | ';' | '[' | ']' | '|' => 0.41,
        'm' | 'w' | 'M' | 'W' | '@' => 1.0,
        'A'..='Z' => 0.76,
        '\0'..='\x7f' => 0.64,
        _ => 1.0,
    }
}

pub(crate) fn widest<'s>(texts: impl Iterator<Item = &'s str>, font: f64) -> f64 {
    texts.map(|text| text_width(text, font)).fold(0.0, f64::max)
}

/// A text that fits into `room`, its end cut off if need be.
pub(crate) fn fitted(text: &str, font: f64, room: f64) -> Cow<'_, str> {
    if text_width(text, font) <= room {
        return text.into();
    }
    let mut left = room - letter_width('…') * font;
    let fits = |letter: &char| {
        left -= letter_width(*letter) * font;
        left >= 0.0
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_only_if_it_does_not_fit() {
        let text = "seven nodes";
        let width = text_width(text, 10.0);
        assert_eq!(fitted(text, 10.0, width), text);
        let cut = fitted(text, 10.0, width - 1.0);
        assert!(cut.starts_with("seven no") && cut.ends_with('…'), "{cut}");
        assert!(text_width(&cut, 10.0) < width);
        assert_eq!(fitted(text, 10.0, 0.0), "…");
        assert_eq!(fitted("", 10.0, 0.0), "");
    }
}

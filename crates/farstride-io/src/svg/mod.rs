//! Colours, numbers, text and paths as SVG writes them, and what charts and
//! diagrams lay out alike.

pub(crate) mod legend;
mod shape;
pub(crate) mod text;

pub(crate) use shape::Shape;

use crate::picture::Colour;
use std::fmt::{self, Write};

/// An attribute that paints, with its opacity if there is one.
pub(crate) struct Paint(pub(crate) &'static str, pub(crate) Colour);

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(attribute, colour) = self;
        write!(f, " {attribute}=\"{colour}\"")?;
        if colour.alpha < u8::MAX {
            write!(f, " {attribute}-opacity=\"{}\"", Short(f64::from(colour.alpha) / 255.0))?;
        }
        Ok(())
    }
}

/// A number with no more digits than can be seen.
#[derive(Clone, Copy)]
pub(crate) struct Short<F>(pub(crate) F);

impl<F: fmt::Display> fmt::Display for Short<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:.3}", self.0);
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if digits == "-0" { "0" } else { digits })
    }
}

/// Text as XML allows it; characters that it has no way to write become U+FFFD.
pub(crate) struct Escaped<'s>(pub(crate) &'s str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

/// What the tests of all that is drawn as SVG share.
#[cfg(test)]
pub(crate) mod testing {
    /// Texts in the order in which they are drawn; panics unless every element
    /// is closed in turn, all attributes are quoted and no number is missing.
    pub(crate) fn texts(svg: &str) -> Vec<&str> {
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let (mut texts, mut open) = (Vec::new(), Vec::new());
        for tag in svg.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').expect("every tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            if !tag.ends_with('/') {
                open.push(name);
            }
            if name == "text" {
                texts.push(text);
            }
        }
        assert!(open.is_empty(), "{open:?} are left open");
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let text = Escaped("a < b & \"c\" > \u{1}\n</text>").to_string();
        assert_eq!(text, "a &lt; b &amp; \"c\" &gt; \u{fffd} &lt;/text&gt;");
    }

    #[test]
    fn numbers_are_short() {
        let short = |number: f64| Short(number).to_string();
        assert_eq!([1.0, 0.5, -0.0001, 10.0, 1.0 / 3.0].map(short), ["1", "0.5", "0", "10", "0.333"]);
    }
}

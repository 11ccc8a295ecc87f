//! Colours, numbers and text as SVG writes them.

use crate::picture::Colour;
use std::fmt::{self, Write};

/// An attribute that paints, with its opacity if there is one.
pub struct Paint(pub &'static str, pub Colour);

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
pub struct Short<F>(pub F);

impl<F: fmt::Display> fmt::Display for Short<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:.3}", self.0);
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if digits == "-0" { "0" } else { digits })
    }
}

/// Text as XML allows it; characters that it has no way to write become U+FFFD.
pub struct Escaped<'s>(pub &'s str);

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

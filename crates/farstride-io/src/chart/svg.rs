//! Shapes, colours, numbers and text as SVG writes them.

use crate::picture::Colour;
use std::fmt::{self, Write};

/// A path in pixels.
#[derive(Clone, Default)]
pub(super) struct Shape(String);

impl Shape {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.start(from.0, from.1);
        self.on(to.0, to.1);
    }

    /// Starts a line.
    pub(super) fn start(&mut self, x: f64, y: f64) {
        self.put(format_args!("M{} {}", Short(x), Short(y)));
    }

    /// Goes on with it.
    pub(super) fn on(&mut self, x: f64, y: f64) {
        self.put(format_args!("L{} {}", Short(x), Short(y)));
    }

    /// A line of no length: a dot as wide as the stroke, which has round ends.
    pub(super) fn dot(&mut self, x: f64, y: f64) {
        self.put(format_args!("M{} {}h0", Short(x), Short(y)));
    }

    pub(super) fn block(&mut self, left: f64, width: f64, bottom: f64, top: f64) {
        let [left, width, bottom, top] = [left, width, bottom, top].map(Short);
        self.put(format_args!("M{left} {bottom}h{width}V{top}H{left}z"));
    }

    fn put(&mut self, commands: fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(commands);
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An attribute that paints, with its opacity if there is one.
pub(super) struct Paint(pub(super) &'static str, pub(super) Colour);

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

/// A number of pixels, with no more digits than can be seen.
#[derive(Clone, Copy)]
pub(super) struct Short(pub(super) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:.2}", self.0);
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if digits == "-0" { "0" } else { digits })
    }
}

/// Text as XML allows it; characters that it has no way to write become U+FFFD.
pub(super) struct Escaped<'s>(pub(super) &'s str);

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
        let short = |number| Short(number).to_string();
        assert_eq!([1.0, 0.5, -0.001, 10.0, 1.0 / 3.0].map(short), ["1", "0.5", "0", "10", "0.33"]);
    }
}

//! Portable grey maps, in decimal numbers (P2) and binary (P5).
//!
//! Numbers are parted by white space; a `#` starts a comment that ends with its
//! line, anywhere but among binary pixels. Those begin one byte after the
//! greatest value, or after the comment that follows it without a space.

use super::{WeightImage, WeightImageError};
use crate::movingai::excerpt;

/// Reads an image that starts with `P2` or `P5`.
pub(super) fn read(bytes: &[u8]) -> Result<WeightImage, WeightImageError> {
    let is_binary = bytes[1] == b'5';
    let mut text = Text { left: &bytes[2..] };
    if text.left.first().is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'#') {
        let found = excerpt(&bytes[..bytes.len().min(8)]);
        return Err(WeightImageError::Format { found });
    }
    let width = text.number("a width")?.ok_or_else(|| ends("the width"))?;
    let height = text.number("a height")?.ok_or_else(|| ends("the height"))?;
    let most = text.number("a greatest value")?.ok_or_else(|| ends("the greatest value"))?;
    let (width, height) = WeightImage::check_size(width, height)?;
    let most =
        u8::try_from(most).ok().filter(|&most| most > 0).ok_or(WeightImageError::MaxValue { found: most })?;
    let pixels = if is_binary {
        text.end_of_header();
        binary(text.left, width, height, most)?
    } else {
        decimal(&mut text, width, height, most)?
    };
    Ok(WeightImage { width, height, pixels })
}

fn binary(bytes: &[u8], width: usize, height: usize, most: u8) -> Result<Vec<u8>, WeightImageError> {
    let expected = width * height;
    if bytes.len() < expected {
        return Err(ends(&format!("pixel {} of {expected}", bytes.len() + 1)));
    }
    if bytes.len() > expected {
        return Err(WeightImageError::Trailing { bytes: bytes.len() - expected });
    }
    match bytes.iter().position(|&pixel| pixel > most) {
        Some(index) => Err(too_great(index, width, bytes[index].into(), most)),
        None => Ok(bytes.to_vec()),
    }
}

fn decimal(text: &mut Text<'_>, width: usize, height: usize, most: u8) -> Result<Vec<u8>, WeightImageError> {
    let expected = width * height;
    // No more than the bytes that are left can hold.
    let mut pixels = Vec::with_capacity(expected.min(text.left.len() / 2 + 1));
    for index in 0..expected {
        let value =
            text.number("a weight")?.ok_or_else(|| ends(&format!("pixel {} of {expected}", index + 1)))?;
        let pixel = u8::try_from(value).ok().filter(|&pixel| pixel <= most);
        pixels.push(pixel.ok_or_else(|| too_great(index, width, value, most))?);
    }
    text.skip();
    if text.left.is_empty() { Ok(pixels) } else { Err(WeightImageError::Trailing { bytes: text.left.len() }) }
}

fn too_great(index: usize, width: usize, found: u64, most: u8) -> WeightImageError {
    WeightImageError::Value { cell: (index % width, index / width), found, most }
}

fn ends(expected: &str) -> WeightImageError {
    WeightImageError::Truncated { expected: expected.to_owned() }
}

/// Numbers, spaces and comments.
struct Text<'a> {
    left: &'a [u8],
}

impl Text<'_> {
    /// The next number, or `None` at the end of the file. Ends with the number
    /// itself. Values too large for 64 bits count as the largest that fits.
    fn number(&mut self, expected: &'static str) -> Result<Option<u64>, WeightImageError> {
        self.skip();
        if self.left.is_empty() {
            return Ok(None);
        }
        let word = self.word();
        let digits = self.left.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits < word {
            return Err(WeightImageError::Number { expected, found: excerpt(&self.left[..word]) });
        }
        let add = |value: u64, digit: &u8| value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        let value = self.left[..digits].iter().fold(0, add);
        self.left = &self.left[digits..];
        Ok(Some(value))
    }

    /// Bytes up to the next space or comment; at least one.
    fn word(&self) -> usize {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'#';
        self.left.iter().position(ends).unwrap_or(self.left.len())
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            self.left = self.left.trim_ascii_start();
            if self.left.first() != Some(&b'#') {
                return;
            }
            self.skip_comment();
        }
    }

    /// Skips a comment and the end of its line.
    fn skip_comment(&mut self) {
        let end = self.left.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        self.left = end.map_or(&[], |end| &self.left[end + 1..]);
    }

    /// Skips what parts the header from binary pixels: one byte of white space,
    /// or a comment.
    fn end_of_header(&mut self) {
        if self.left.first() == Some(&b'#') {
            self.skip_comment();
        } else {
            self.left = self.left.get(1..).unwrap_or(&[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_weights;

    fn pixels(bytes: &[u8]) -> Vec<u8> {
        read_weights(bytes).unwrap().pixels().to_vec()
    }

    fn fault(bytes: &[u8]) -> String {
        read_weights(bytes).unwrap_err().to_string()
    }

    #[test]
    fn comments_may_stand_anywhere_before_binary_pixels() {
        let expected = [1, 0, 255, 35];
        for image in [
            &b"P5 2 2 255 \x01\x00\xff#"[..],
            b"P5\n2 2\n255\n\x01\x00\xff#",
            b"P5\r\n2 2\r\n255\n\x01\x00\xff#",
            b"P5# a\n2# b\n2# c\n255\n\x01\x00\xff#",
            b"P5\n# made by hand # really\n#\n2\t\n# 9 9\n2 #\r255\t\x01\x00\xff#",
            b"P5 2 2 255# comment\n\x01\x00\xff#",
            b"P5 002 2 0255 \x01\x00\xff#",
        ] {
            assert_eq!(pixels(image), expected, "{}", image.escape_ascii());
        }
    }

    #[test]
    fn decimal_pixels_take_comments_and_any_space() {
        for image in [
            &b"P2 3 2 9 1 2 3 4 0 9"[..],
            b"P2\n3 2\n9\n1 2 3\n4 0 9\n",
            b"P2#x\n3 2 9 1#one\n2 3\n# row\n4\t0\r\n009 # end",
        ] {
            assert_eq!(pixels(image), [1, 2, 3, 4, 0, 9], "{}", image.escape_ascii());
        }
    }

    #[test]
    fn pixels_are_not_scaled() {
        assert_eq!(pixels(b"P2 2 1 5 1 5"), [1, 5]);
        assert_eq!(pixels(b"P5 2 1 1 \x01\x00"), [1, 0]);
    }

    #[test]
    fn every_fault_has_its_own_words() {
        for (image, told) in [
            (&b"P5"[..], "ends where the width should follow"),
            (b"P5 3", "ends where the height"),
            (b"P5 3 2 # 255", "ends where the greatest value"),
            (b"P5x3 2 255 ", "neither"),
            (b"P5 a 2 255 ", "'a' is not a width"),
            (b"P5 -3 2 255 ", "'-3' is not a width"),
            (b"P5 3 2.5 255 ", "'2.5' is not a height"),
            (b"P5 3 2 0x10 ", "'0x10' is not a greatest value"),
            (b"P5 0 2 255 ", "between 1 and 10000"),
            (b"P5 3 10001 255 ", "between 1 and 10000"),
            (b"P5 99999999999999999999999 4294967296 255 ", "between 1 and 10000"),
            (b"P5 3 2 0 abcdef", "greatest value is 0, but must be between 1 and 255"),
            (b"P5 3 2 256 abcdefabcdef", "greatest value is 256"),
            (b"P5 3 2 65535 abcdefabcdef", "greatest value is 65535"),
            (b"P5 3 2 255 abcde", "ends where pixel 6 of 6 should follow"),
            (b"P5 3 2 255", "ends where pixel 1 of 6"),
            (b"P5 10000 10000 255 a", "ends where pixel 2 of 100000000"),
            (b"P5 3 2 255 abcdef\n", "1 bytes follow the last pixel"),
            (b"P5 3 2 255 #\nabcdef", "2 bytes follow the last pixel"),
            (b"P5 3 2 9 \x01\x02\x03\x04\x0a\x01", "pixel 1,1 is 10, but the greatest value is 9"),
            (b"P2 3 2 9 1 2 3 4 10 1", "pixel 1,1 is 10, but the greatest value is 9"),
            (b"P2 2 1 255 1 256", "pixel 1,0 is 256"),
            (b"P2 2 1 255 1 99999999999999999999999999", "pixel 1,0 is 18446744073709551615"),
            (b"P2 2 1 255 1 -1", "'-1' is not a weight"),
            (b"P2 2 1 255 1 1x", "'1x' is not a weight"),
            (b"P2 2 1 255 1", "ends where pixel 2 of 2"),
            (b"P2 10000 10000 255 1", "ends where pixel 2 of 100000000"),
            (b"P2 2 1 255 1 1 1", "1 bytes follow the last pixel"),
        ] {
            let found = fault(image);
            assert!(found.contains(told), "{} gave {found}", image.escape_ascii());
        }
    }
}

//! Images of terrain weights: PGM or PNG, one grey pixel per cell.
//!
//! A pixel of 0 is a blocked cell, 1 to 255 is the weight of a free one, just as
//! in [`Grid::from_weights`]. Pixels are taken as they stand: the greatest value
//! that a PGM declares does not scale them, but none may exceed it. Whatever is
//! not plain 8-bit grey (16 bits, colour, a palette, transparency) is refused
//! rather than converted, since nobody could tell which weights it means.
//!
//! ```
//! use farstride_io::weights::read_weights;
//!
//! let grid = read_weights(b"P2 3 2 9  1 0 1  5 5 1")?.to_grid();
//! assert_eq!(grid.to_ascii(), ".#.\n55.\n");
//! # Ok::<(), farstride_io::weights::WeightImageError>(())
//! ```

mod pgm;
mod png;

use crate::movingai::{LoadError, excerpt, load};
use farstride::error::SizeError;
use farstride::{Cell, Grid};
use std::error::Error;
use std::fmt;
use std::path::Path;

/// Longest image of weights: the largest map in decimal numbers, and room for
/// comments.
const MAX_BYTES: u64 = (Grid::MAX_SIDE * Grid::MAX_SIDE) as u64 * 4 + (1 << 16);

/// Weights of the cells of a map.
///
/// # Invariants
///
/// 1. `Grid::check_size(width, height)` holds.
/// 2. `pixels` has `width * height` entries, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct WeightImage {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl WeightImage {
    /// Checks a size before anything is allocated.
    fn check_size(width: u64, height: u64) -> Result<(usize, usize), WeightImageError> {
        let [width, height] = [width, height].map(|side| usize::try_from(side).unwrap_or(usize::MAX));
        Grid::check_size(width, height).map_err(WeightImageError::Size)?;
        Ok((width, height))
    }

    /// Number of columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// One weight per cell, row by row; 0 is blocked.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The image as a map of its own.
    ///
    /// # Panics
    /// Never: the size is right (1, 2).
    pub fn to_grid(&self) -> Grid {
        Grid::from_weights(self.width, self.height, &self.pixels).expect("the size was checked")
    }

    /// Puts the weights onto a map under its rules. A cell is blocked if the map
    /// or the image says so. Weights that the map had are replaced.
    ///
    /// # Errors
    /// [`WeightImageError::OtherSize`] if the image has another size.
    ///
    /// # Panics
    /// Never: the size is right (1, 2).
    pub fn lay_over(&self, grid: &Grid) -> Result<Grid, WeightImageError> {
        let (found, expected) = ((self.width, self.height), (grid.width(), grid.height()));
        if found != expected {
            return Err(WeightImageError::OtherSize { found, expected });
        }
        let cells = grid.area().cells().zip(&self.pixels);
        let weights: Vec<u8> =
            cells.map(|(cell, &pixel)| if grid.is_free(cell) { pixel } else { 0 }).collect();
        let laid = Grid::from_weights(self.width, self.height, &weights).expect("the size was checked");
        Ok(laid.with_rules(grid.rules()))
    }
}

impl fmt::Debug for WeightImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeightImage")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

/// Loads an image of weights from a file, PGM or PNG by its content.
///
/// # Errors
/// [`LoadError`] names the file and what is wrong with it.
pub fn load_weights(path: &Path) -> Result<WeightImage, LoadError<WeightImageError>> {
    load(path, MAX_BYTES, read_weights)
}

/// Reads an image of weights, PGM (P2 or P5) or PNG.
///
/// # Errors
/// [`WeightImageError`] says what is wrong with it. A size that is not supported
/// is refused before any memory is taken.
pub fn read_weights(bytes: &[u8]) -> Result<WeightImage, WeightImageError> {
    match bytes {
        [] => Err(WeightImageError::Empty),
        [b'P', b'2' | b'5', ..] => pgm::read(bytes),
        [b'P', b'1'..=b'7', ..] => {
            Err(WeightImageError::Kind { found: format!("of the format P{}", char::from(bytes[1])) })
        }
        _ if bytes.starts_with(png::SIGNATURE) => png::read(bytes),
        _ => Err(WeightImageError::Format { found: excerpt(&bytes[..bytes.len().min(8)]) }),
    }
}

/// Writes the weights of a map as a binary PGM; [`read_weights`] gives the map
/// back.
pub fn write_weights(grid: &Grid) -> Vec<u8> {
    let mut image = format!("P5\n{} {}\n255\n", grid.width(), grid.height()).into_bytes();
    let pixel = |cell: Cell| if grid.is_free(cell) { grid.weight(cell) } else { 0 };
    image.extend(grid.area().cells().map(pixel));
    image
}

/// Whether bytes start like an image of weights rather than a map in letters.
pub fn is_image(bytes: &[u8]) -> bool {
    bytes.starts_with(png::SIGNATURE) || matches!(bytes, [b'P', b'1'..=b'7', ..])
}

/// Why bytes are not weights of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WeightImageError {
    /// There is nothing.
    Empty,
    /// Neither PGM nor PNG.
    Format {
        /// What the bytes start with.
        found: String,
    },
    /// An image, but not of 8-bit grey pixels.
    Kind {
        /// What it is.
        found: String,
    },
    /// A size that is not supported.
    Size(SizeError),
    /// The greatest value of a PGM is not within 1 to 255.
    MaxValue {
        /// What the header says.
        found: u64,
    },
    /// A pixel exceeds the greatest value that the header declares.
    Value {
        /// Column and row of the pixel.
        cell: (usize, usize),
        /// Its value.
        found: u64,
        /// The greatest value.
        most: u8,
    },
    /// Something that is not a number, where a PGM has one.
    Number {
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The file ends too early.
    Truncated {
        /// What should come next.
        expected: String,
    },
    /// Something follows the last pixel.
    Trailing {
        /// How many bytes.
        bytes: usize,
    },
    /// The PNG is damaged, or uses something unknown.
    Png {
        /// What the decoder says.
        reason: String,
    },
    /// The image is not of the size of the map.
    OtherSize {
        /// Width and height of the image.
        found: (usize, usize),
        /// Width and height of the map.
        expected: (usize, usize),
    },
}

impl fmt::Display for WeightImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty; weights are a PGM or PNG image"),
            Self::Format { found } => write!(f, "starts with {found}: neither a PGM nor a PNG image"),
            Self::Kind { found } => {
                write!(f, "the image is {found}; weights are 8-bit grey without alpha: PGM (P2, P5) or PNG")
            }
            Self::Size(error) => error.fmt(f),
            Self::MaxValue { found } => {
                write!(f, "the greatest value is {found}, but must be between 1 and 255")
            }
            Self::Value { cell: (x, y), found, most } => {
                write!(f, "pixel {x},{y} is {found}, but the greatest value is {most}")
            }
            Self::Number { expected, found } => write!(f, "{found} is not {expected}"),
            Self::Truncated { expected } => write!(f, "the file ends where {expected} should follow"),
            Self::Trailing { bytes } => write!(f, "{bytes} bytes follow the last pixel"),
            Self::Png { reason } => write!(f, "the PNG is damaged: {reason}"),
            Self::OtherSize { found, expected } => write!(
                f,
                "the image has {} x {} pixels, but the map {} x {} cells",
                found.0, found.1, expected.0, expected.1
            ),
        }
    }
}

impl Error for WeightImageError {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_written_can_be_read() {
        let grid = Grid::from_ascii("\n.#3\n9.#\n").unwrap();
        let image = read_weights(&write_weights(&grid)).unwrap();
        assert_eq!(image.pixels(), [1, 0, 3, 9, 1, 0]);
        assert_eq!(image.to_grid(), grid);
    }

    #[test]
    fn a_cell_is_blocked_if_map_or_weights_say_so() {
        let map = Grid::from_ascii("\n.#.\n#..\n").unwrap();
        let image = read_weights(b"P2 3 2 255  0 5 3  2 1 0").unwrap();
        let laid = image.lay_over(&map).unwrap();
        assert_eq!(laid.to_ascii(), "##3\n#.#\n");
        laid.check().unwrap();
        let other = read_weights(b"P2 2 3 255  0 5 3  2 1 0").unwrap().lay_over(&map).unwrap_err();
        assert_eq!(other.to_string(), "the image has 2 x 3 pixels, but the map 3 x 2 cells");
    }

    #[test]
    fn other_files_are_told_apart() {
        for (bytes, told) in [
            (&b""[..], "empty"),
            (b"type octile\n", "starts with 'type oct': neither"),
            (b"\xff\xd8\xff\xe0JFIF", "neither a PGM nor a PNG"),
            (b"P6 1 1 255 abc", "of the format P6"),
            (b"P1 1 1 1", "of the format P1"),
            (b"P8 1 1 1", "neither"),
            (b"P", "neither"),
            (b"\x89PNG\r\n", "neither"),
        ] {
            let error = read_weights(bytes).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        assert!(is_image(b"P5 ") && is_image(png::SIGNATURE) && !is_image(b"type octile"));
    }

    /// Bytes that are likely to get past the header.
    fn nearly() -> impl Strategy<Value = Vec<u8>> {
        let header = proptest::string::string_regex("P[25]([ \n#a]{0,3}[0-9]{0,3}){0,6}").unwrap();
        (header, proptest::collection::vec(any::<u8>(), 0..40)).prop_map(|(header, rest)| {
            let mut bytes = header.into_bytes();
            bytes.extend(rest);
            bytes
        })
    }

    proptest! {
        #[test]
        fn any_bytes_are_weights_or_refused(bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..64),
            nearly(),
        ]) {
            match read_weights(&bytes) {
                Ok(image) => {
                    prop_assert_eq!(image.pixels().len(), image.width() * image.height());
                    let grid = image.to_grid();
                    prop_assert!(grid.check().is_ok());
                    prop_assert_eq!(read_weights(&write_weights(&grid)), Ok(image));
                }
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }

        /// A sound PNG with one byte changed or cut off is read or refused.
        #[test]
        fn damaged_images_are_read_or_refused(at in 0_usize..100, byte: u8, cut: bool) {
            for image in [png::tests::grey(5, 3, &[7; 15]), b"P5 5 3 255 abcdefghijklmno".to_vec()] {
                let mut image = image;
                let at = at % image.len();
                if cut { image.truncate(at) } else { image[at] = byte }
                let _ = read_weights(&image);
            }
        }
    }
}

//! Floors from images: one pixel is a cell.

use super::{MAX_BYTES, WorldError};
use crate::movingai::{LoadError, load};
use crate::weights::{WeightImageError, read_weights};
use farstride::Grid;
use farstride::atlas::{Floor, FloorError};
use png::{BitDepth, ColorType, Decoder, Limits, Reader, Transformations};
use std::collections::HashMap;
use std::fmt;
use std::io::Cursor;
use std::path::Path;

/// Memory for the decoder beside the pixels.
const WORKING_BYTES: usize = 1 << 22;

/// How pixels become terrain classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Legend<'a> {
    /// The grey level is the class: PGM, or PNG of 8-bit grey. Give a mover the same weights to read an
    /// image in which grey means weight.
    Grey,
    /// The number in the palette is the class: PNG with a palette.
    Palette,
    /// Each colour (red, green, blue) has a class: PNG of any kind.
    Colours(&'a [([u8; 3], u8)]),
}

/// Loads a floor from an image file; see [`read_floor`].
///
/// # Errors
/// [`LoadError`] names the file and what is wrong with it.
pub fn load_floor(path: &Path, legend: Legend<'_>) -> Result<Floor, LoadError<WorldError>> {
    load(path, MAX_BYTES, |bytes| read_floor(bytes, legend))
}

/// Reads a floor from an image.
///
/// # Errors
/// [`WorldError`] if the image is damaged or not of the kind that the legend is for, or if
/// a pixel has a colour without a class.
///
/// # Example
/// ```
/// use farstride_io::worlds::{Legend, read_floor};
///
/// let floor = read_floor(b"P2 3 2 9  1 0 1  5 5 1", Legend::Grey)?;
/// assert_eq!(floor.class((1, 1).into()), Some(5));
/// # Ok::<(), farstride_io::worlds::WorldError>(())
/// ```
pub fn read_floor(bytes: &[u8], legend: Legend<'_>) -> Result<Floor, WorldError> {
    match legend {
        Legend::Grey => {
            let image = read_weights(bytes).map_err(WorldError::Image)?;
            Floor::new(image.width(), image.height(), image.pixels()).map_err(WorldError::Floor)
        }
        Legend::Palette => palette(bytes),
        Legend::Colours(colours) => {
            let mut classes = HashMap::new();
            for &(colour, class) in colours {
                if classes.insert(colour, class).is_some() {
                    return Err(WorldError::LegendTwice { colour });
                }
            }
            coloured(bytes, &classes)
        }
    }
}

/// A PNG that is being read, and its size.
struct Image<'a> {
    reader: Reader<Cursor<&'a [u8]>>,
    width: usize,
    height: usize,
}

impl<'a> Image<'a> {
    fn open(bytes: &'a [u8], changes: Transformations) -> Result<Self, WorldError> {
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: WORKING_BYTES });
        decoder.set_transformations(changes);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let header = decoder.read_header_info().map_err(damaged)?;
        let (width, height) = (header.width as usize, header.height as usize);
        Grid::check_size(width, height).map_err(|error| WorldError::Floor(FloorError::Size(error)))?;
        Ok(Self { reader: decoder.read_info().map_err(damaged)?, width, height })
    }

    /// All bytes of the pixels, rows filled up to whole bytes.
    fn pixels(&mut self) -> Result<Vec<u8>, WorldError> {
        let bytes = self.reader.output_buffer_size().ok_or_else(|| damaged("it is too large"))?;
        let mut pixels = vec![0; bytes];
        self.reader.next_frame(&mut pixels).map_err(damaged)?;
        self.reader.finish().map_err(damaged)?; // a file that is cut off says so
        Ok(pixels)
    }
}

fn damaged(problem: impl fmt::Display) -> WorldError {
    WorldError::Damaged { problem: format!("{problem}") }
}

/// The numbers in the palette of an image.
fn palette(bytes: &[u8]) -> Result<Floor, WorldError> {
    let mut image = Image::open(bytes, Transformations::IDENTITY)?;
    let (colour, depth) = image.reader.output_color_type();
    let bits = match (colour, depth) {
        (ColorType::Indexed, BitDepth::One) => 1,
        (ColorType::Indexed, BitDepth::Two) => 2,
        (ColorType::Indexed, BitDepth::Four) => 4,
        (ColorType::Indexed, _) => 8,
        _ => {
            let found = "without a palette".to_owned();
            return Err(WorldError::Image(WeightImageError::Kind { found }));
        }
    };
    let Image { width, height, .. } = image;
    let pixels = image.pixels()?;
    let row = (width * bits).div_ceil(8);
    let mut classes = Vec::with_capacity(width * height);
    for row in pixels.chunks_exact(row) {
        // The first pixel is in the highest bits.
        let at = |x: usize| row[x * bits / 8] >> (8 - bits - x * bits % 8) & (u8::MAX >> (8 - bits));
        classes.extend((0..width).map(at));
    }
    Floor::new(width, height, classes).map_err(WorldError::Floor)
}

fn coloured(bytes: &[u8], legend: &HashMap<[u8; 3], u8>) -> Result<Floor, WorldError> {
    let mut image = Image::open(bytes, Transformations::normalize_to_color8())?;
    let (colour, _) = image.reader.output_color_type();
    let pixels = image.pixels()?;
    let mut classes = Vec::with_capacity(image.width * image.height);
    for pixel in pixels.chunks_exact(colour.samples()) {
        let cell = (classes.len() % image.width, classes.len() / image.width);
        let (colour, alpha) = match *pixel {
            [grey] => ([grey; 3], u8::MAX),
            [grey, alpha] => ([grey; 3], alpha),
            [red, green, blue] => ([red, green, blue], u8::MAX),
            [red, green, blue, alpha] => ([red, green, blue], alpha),
            _ => return Err(damaged("pixels have more than four parts")),
        };
        if alpha != u8::MAX {
            return Err(WorldError::Transparent { cell });
        }
        classes.push(*legend.get(&colour).ok_or(WorldError::Colour { cell, colour })?);
    }
    Floor::new(image.width, image.height, classes).map_err(WorldError::Floor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(colour: ColorType, depth: BitDepth, size: (u32, u32), palette: &[u8], data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    const GRASS: [u8; 3] = [10, 200, 30];
    const WATER: [u8; 3] = [0, 0, 255];

    #[test]
    fn colours_become_classes() {
        let data = [GRASS, WATER, WATER, GRASS].concat();
        let image = png(ColorType::Rgb, BitDepth::Eight, (2, 2), &[], &data);
        let legend = [(GRASS, b'.'), (WATER, b'~')];
        let floor = read_floor(&image, Legend::Colours(&legend)).unwrap();
        assert_eq!(floor, Floor::from_text(".~\n~.").unwrap());
        // The same picture with a palette, two bits a pixel.
        let palette = [[0; 3], GRASS, WATER].concat();
        let image = png(ColorType::Indexed, BitDepth::Two, (2, 2), &palette, &[0b0110_0000, 0b1001_0000]);
        assert_eq!(read_floor(&image, Legend::Colours(&legend)).unwrap(), floor);
        let numbers = read_floor(&image, Legend::Palette).unwrap();
        assert_eq!(numbers, Floor::new(2, 2, [1, 2, 2, 1]).unwrap());
        // And a wide one of one bit, whose rows end within a byte.
        let image =
            png(ColorType::Indexed, BitDepth::One, (10, 1), &palette[..6], &[0b1010_1010, 0b1100_0000]);
        assert_eq!(
            read_floor(&image, Legend::Palette).unwrap(),
            Floor::new(10, 1, [1, 0, 1, 0, 1, 0, 1, 0, 1, 1]).unwrap()
        );
    }

    #[test]
    fn what_the_legend_does_not_name_is_refused() {
        let image = png(ColorType::Rgb, BitDepth::Eight, (2, 1), &[], &[GRASS, WATER].concat());
        let error = |image: &[u8], legend| read_floor(image, legend).unwrap_err().to_string();
        assert_eq!(
            error(&image, Legend::Colours(&[(GRASS, 1)])),
            "the pixel at 1,0 has the colour #0000ff, which the legend does not name"
        );
        let twice = [(GRASS, 1), (WATER, 2), (GRASS, 3)];
        assert_eq!(error(&image, Legend::Colours(&twice)), "the legend names the colour #0ac81e twice");
        assert!(error(&image, Legend::Palette).contains("without a palette"));
        assert!(error(&image, Legend::Grey).contains("in colour"));
        let clear = png(ColorType::Rgba, BitDepth::Eight, (1, 1), &[], &[1, 2, 3, 0]);
        assert_eq!(error(&clear, Legend::Colours(&[([1, 2, 3], 1)])), "the pixel at 0,0 is transparent");
        for cut in 0..image.len() {
            assert!(read_floor(&image[..cut], Legend::Colours(&[(GRASS, 1), (WATER, 2)])).is_err(), "{cut}");
        }
    }
}

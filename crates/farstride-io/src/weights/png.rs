//! Grey PNG images of 8 bits.

use super::{WeightImage, WeightImageError};
use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Transformations};
use std::io::Cursor;

/// What every PNG starts with.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Memory for the decoder beside the pixels: two rows of them, and chunks that
/// it keeps.
const WORKING_BYTES: usize = 1 << 22;

/// Reads an image that starts with [`SIGNATURE`].
pub(super) fn read(bytes: &[u8]) -> Result<WeightImage, WeightImageError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: WORKING_BYTES });
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let (width, height) = check(decoder.read_header_info().map_err(damaged)?)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    if reader.info().trns.is_some() {
        return Err(WeightImageError::Kind { found: "partly transparent".to_owned() });
    }
    let pixels = if reader.info().interlaced {
        let mut pixels = vec![0; width * height];
        reader.next_frame(&mut pixels).map_err(damaged)?;
        pixels
    } else {
        // Row by row, so that memory follows the pixels that there are.
        let mut pixels = Vec::new();
        while let Some(row) = reader.next_row().map_err(damaged)? {
            pixels.extend_from_slice(row.data());
        }
        pixels
    };
    reader.finish().map_err(damaged)?;
    if pixels.len() == width * height {
        Ok(WeightImage { width, height, pixels })
    } else {
        Err(WeightImageError::Truncated { expected: format!("pixel {}", pixels.len() + 1) })
    }
}

/// The size of an image that can hold weights.
fn check(info: &Info<'_>) -> Result<(usize, usize), WeightImageError> {
    let colour = match info.color_type {
        ColorType::Grayscale if info.bit_depth == BitDepth::Eight => None,
        ColorType::Grayscale => Some(format!("{}-bit grey", info.bit_depth as u8)),
        ColorType::GrayscaleAlpha => Some("grey with alpha".to_owned()),
        ColorType::Indexed => Some("of colours from a palette".to_owned()),
        ColorType::Rgb => Some("in colour".to_owned()),
        ColorType::Rgba => Some("in colour with alpha".to_owned()),
    };
    match colour {
        Some(found) => Err(WeightImageError::Kind { found }),
        None => WeightImage::check_size(info.width.into(), info.height.into()),
    }
}

fn damaged(error: DecodingError) -> WeightImageError {
    let reason = match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it ends too early".to_owned()
        }
        error => plain(&error.to_string()),
    };
    WeightImageError::Png { reason }
}

/// The decoder prints chunks with all their fields; their names suffice.
fn plain(text: &str) -> String {
    let (mut told, mut rest) = (String::new(), text);
    while let Some((before, chunk)) = rest.split_once("ChunkType { type: ") {
        let (fields, after) = chunk.split_once(" }").unwrap_or((chunk, ""));
        told += before;
        told += fields.split(',').next().unwrap_or_default();
        rest = after;
    }
    told += rest.trim_end_matches('.');
    told
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{WeightImageError, read_weights};
    use png::{BitDepth, ColorType, Encoder};

    fn encoded(width: u32, height: u32, colour: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if colour == ColorType::Indexed {
            encoder.set_palette(vec![9; 30]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    /// A grey image.
    pub(in super::super) fn grey(width: u32, height: u32, data: &[u8]) -> Vec<u8> {
        encoded(width, height, ColorType::Grayscale, BitDepth::Eight, data)
    }

    #[test]
    fn grey_pixels_are_weights() {
        let image = read_weights(&grey(3, 2, &[1, 0, 255, 7, 7, 7])).unwrap();
        assert_eq!((image.width(), image.height()), (3, 2));
        assert_eq!(image.pixels(), [1, 0, 255, 7, 7, 7]);
    }

    #[test]
    fn other_pixels_are_refused() {
        for (colour, depth, bytes, told) in [
            (ColorType::Grayscale, BitDepth::Sixteen, 4, "16-bit grey"),
            (ColorType::Grayscale, BitDepth::Four, 1, "4-bit grey"),
            (ColorType::Grayscale, BitDepth::One, 1, "1-bit grey"),
            (ColorType::GrayscaleAlpha, BitDepth::Eight, 4, "grey with alpha"),
            (ColorType::Indexed, BitDepth::Eight, 2, "palette"),
            (ColorType::Rgb, BitDepth::Eight, 6, "in colour"),
            (ColorType::Rgba, BitDepth::Eight, 8, "in colour with alpha"),
        ] {
            let error = read_weights(&encoded(2, 1, colour, depth, &vec![1; bytes])).unwrap_err();
            assert!(matches!(error, WeightImageError::Kind { .. }), "{error:?}");
            assert!(error.to_string().contains(told), "{error}");
        }
    }

    #[test]
    fn a_transparent_grey_is_refused() {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_trns(vec![0, 5]);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[5, 6]).unwrap();
        writer.finish().unwrap();
        assert!(read_weights(&bytes).unwrap_err().to_string().contains("transparent"));
    }

    #[test]
    fn a_size_that_no_map_has_is_refused_before_the_pixels() {
        let mut image = grey(3, 2, &[1; 6]);
        // The width stands right after the signature and the name of the chunk.
        image[16..20].copy_from_slice(&u32::MAX.to_be_bytes());
        let crc = crc32(&image[12..29]);
        image[29..33].copy_from_slice(&crc.to_be_bytes());
        let error = read_weights(&image).unwrap_err();
        assert!(matches!(error, WeightImageError::Size(_) | WeightImageError::Png { .. }), "{error:?}");
        image[16..20].copy_from_slice(&10_000_u32.to_be_bytes());
        image[20..24].copy_from_slice(&10_000_u32.to_be_bytes());
        let crc = crc32(&image[12..29]);
        image[29..33].copy_from_slice(&crc.to_be_bytes());
        let error = read_weights(&image).unwrap_err();
        assert!(matches!(error, WeightImageError::Png { .. }), "{error:?}");
    }

    #[test]
    fn truncated_and_damaged_images_are_refused() {
        let image = grey(9, 7, &[3; 63]);
        for length in 8..image.len() {
            assert!(read_weights(&image[..length]).is_err(), "{length} of {} bytes", image.len());
        }
        for at in 8..image.len() - 12 {
            let mut damaged = image.clone();
            damaged[at] ^= 0x10;
            match read_weights(&damaged) {
                Ok(read) => assert_eq!(read.pixels(), [3; 63], "byte {at}"),
                Err(error) => assert!(!error.to_string().contains('{'), "byte {at}: {error}"),
            }
        }
    }

    /// The check of a chunk, bit by bit.
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
        })
    }
}

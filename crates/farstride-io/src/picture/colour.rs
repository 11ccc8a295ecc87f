//! The colours that maps are drawn in.

use std::fmt;

/// A colour with 8 bits a channel; an alpha of 255 covers what is below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity.
    pub alpha: u8,
}

impl Colour {
    /// Around the map, and the rim of marks and paths.
    pub const PAPER: Self = Self::rgb(0xff, 0xff, 0xff);
    /// Free cells of weight 1.
    pub const GROUND: Self = Self::rgb(0xf5, 0xef, 0xe2);
    /// Free cells of the greatest weight.
    pub const HEAVIEST: Self = Self::rgb(0xb8, 0x88, 0x56);
    /// Blocked cells, and text.
    pub const WALL: Self = Self::rgb(0x37, 0x41, 0x51);
    /// Blocked cells below a graph.
    pub const PALE_WALL: Self = Self::rgb(0xb4, 0xbb, 0xc5);
    /// Where a path starts.
    pub const START: Self = Self::rgb(0x00, 0x8f, 0x68);
    /// Where a path ends.
    pub const GOAL: Self = Self::rgb(0xc2, 0x1e, 0x3a);

    /// The floor of a room.
    pub const FLOOR: Self = Self::rgb(0xfb, 0xf9, 0xf4);
    /// Links that take no way across the ground.
    pub const PORTAL: Self = Self::rgb(0x9b, 0x5d, 0xe5);

    /// Strong colours for paths, chosen so that any two can be told apart on
    /// [`Colour::GROUND`], with red-green blindness as well.
    pub const PATHS: [Self; 8] = [
        Self::rgb(0xd5, 0x5e, 0x00), // vermilion
        Self::rgb(0x00, 0x72, 0xb2), // blue
        Self::rgb(0x00, 0x9e, 0x73), // green
        Self::rgb(0x7b, 0x1f, 0x6a), // plum
        Self::rgb(0xe6, 0x9f, 0x00), // amber
        Self::rgb(0x56, 0xb4, 0xe9), // sky
        Self::rgb(0x33, 0x22, 0x88), // indigo
        Self::rgb(0xe0, 0x8c, 0xb4), // pink
    ];

    /// Falls on the ground to the right of walls and below them.
    pub(super) const SHADOW: Self = Self::WALL.with_alpha(56);
    /// Lines between cells.
    pub(super) const LINES: Self = Self::WALL.with_alpha(20);

    /// Groups of nodes, none as strong as a path.
    const GROUPS: [Self; 10] = [
        Self::rgb(0x3f, 0x7f, 0xc6), // blue
        Self::rgb(0xc9, 0x86, 0x2b), // ochre
        Self::rgb(0x3a, 0x9a, 0x6c), // green
        Self::rgb(0xb8, 0x56, 0x86), // rose
        Self::rgb(0x7d, 0x63, 0xb8), // violet
        Self::rgb(0x2a, 0x98, 0xa8), // teal
        Self::rgb(0xb9, 0x5c, 0x45), // brick
        Self::rgb(0x7f, 0x8f, 0x33), // olive
        Self::rgb(0x5c, 0x6f, 0x8c), // slate
        Self::rgb(0x8f, 0x6a, 0x4d), // brown
    ];

    /// Levels of an abstraction, darker and warmer as they rise.
    const LEVELS: [Self; 6] = [
        Self::rgb(0x5f, 0xa8, 0xc4),
        Self::rgb(0x2f, 0x7f, 0xb5),
        Self::rgb(0x3b, 0x52, 0xa3),
        Self::rgb(0x5a, 0x2d, 0x8a),
        Self::rgb(0x8f, 0x1d, 0x6b),
        Self::rgb(0xb8, 0x12, 0x3f),
    ];

    /// An opaque colour.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue, alpha: u8::MAX }
    }

    /// The same colour, more or less opaque.
    #[must_use]
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// The colour of the path with this number; starts again after the last of
    /// [`Colour::PATHS`].
    pub const fn path(number: usize) -> Self {
        Self::PATHS[number % Self::PATHS.len()]
    }

    /// The colour of the group with this number; starts again after the tenth.
    pub const fn group(number: usize) -> Self {
        Self::GROUPS[number % Self::GROUPS.len()]
    }

    /// The colour of a level of an abstraction, the lowest being 0; those above
    /// the sixth look like the sixth.
    pub fn level(level: usize) -> Self {
        Self::LEVELS[level.min(Self::LEVELS.len() - 1)]
    }

    /// The colour of a share from 0, pale yellow, to 1, plum, by way of orange and
    /// red: cells in the order in which a search expands them.
    pub fn heat(share: f32) -> Self {
        const STOPS: [Colour; 4] = [
            Colour::rgb(0xff, 0xe0, 0x8a),
            Colour::rgb(0xf5, 0x9b, 0x3c),
            Colour::rgb(0xd6, 0x41, 0x5a),
            Colour::rgb(0x7b, 0x1f, 0x6a),
        ];
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let place = share * (STOPS.len() - 1) as f32;
        let below = (place as usize).min(STOPS.len() - 2);
        let (from, to, part) = (STOPS[below], STOPS[below + 1], place - below as f32);
        let mix =
            |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * part).round() as u8;
        Self::rgb(mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue))
    }

    /// The colour of free ground: the heavier, the darker.
    ///
    /// The weights 1 to 9, which maps in letters know, take most of the way
    /// from [`Colour::GROUND`] to [`Colour::HEAVIEST`].
    pub fn terrain(weight: u8) -> Self {
        /// Share of the way that they take.
        const LETTERS: f32 = 0.8;
        let weight = f32::from(weight.max(1));
        let share = if weight <= 9.0 {
            LETTERS * weight.log(9.0)
        } else {
            LETTERS + (1.0 - LETTERS) * (weight / 9.0).log(255.0 / 9.0)
        };
        let mix = |from: u8, to: u8| {
            let (from, to) = (f32::from(from), f32::from(to));
            (from + (to - from) * share).round() as u8
        };
        Self::rgb(
            mix(Self::GROUND.red, Self::HEAVIEST.red),
            mix(Self::GROUND.green, Self::HEAVIEST.green),
            mix(Self::GROUND.blue, Self::HEAVIEST.blue),
        )
    }
}

/// As CSS writes it, without the alpha: `#d55e00`.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { red, green, blue, .. } = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Light as an eye without red or without green cones takes it in
    /// (Viénot, Brettel and Mollon 1999), coarsely: red and green merge into
    /// one channel, blue stays.
    fn seen_red_green_blind(colour: Colour, red_share: f32) -> [f32; 2] {
        let linear = |channel: u8| (f32::from(channel) / 255.0).powf(2.2);
        let yellow = red_share * linear(colour.red) + (1.0 - red_share) * linear(colour.green);
        [yellow.powf(1.0 / 2.2), f32::from(colour.blue) / 255.0]
    }

    fn gap<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
        let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
        square.sqrt()
    }

    #[test]
    fn any_two_path_colours_differ_for_every_eye() {
        let mut colours = Colour::PATHS.to_vec();
        colours.push(Colour::GROUND);
        for (index, &a) in colours.iter().enumerate() {
            for &b in &colours[..index] {
                // Shares of red in the yellow channel without red, without green.
                for red_share in [0.11, 0.29] {
                    let there = seen_red_green_blind(a, red_share);
                    let here = seen_red_green_blind(b, red_share);
                    assert!(gap(there, here) > 0.12, "{a} and {b}: {}", gap(there, here));
                }
            }
        }
    }

    #[test]
    fn heavier_ground_is_darker_and_never_as_dark_as_a_wall() {
        let light = |colour: Colour| u32::from(colour.red) + u32::from(colour.green) + u32::from(colour.blue);
        assert_eq!(Colour::terrain(1), Colour::GROUND);
        assert_eq!(Colour::terrain(0), Colour::GROUND);
        for weight in 1..u8::MAX {
            let (here, next) = (Colour::terrain(weight), Colour::terrain(weight + 1));
            assert!(light(here) >= light(next), "{weight}");
            assert!(weight > 9 || light(here) > light(next), "{weight}");
        }
        assert!(light(Colour::terrain(u8::MAX)) > 2 * light(Colour::WALL));
    }

    #[test]
    fn heat_gets_darker() {
        let light = |share: f32| {
            let Colour { red, green, blue, .. } = Colour::heat(share);
            u32::from(red) + u32::from(green) + u32::from(blue)
        };
        assert!((0..10).all(|step| light(step as f32 / 10.0) > light((step + 1) as f32 / 10.0)));
        assert_eq!(Colour::heat(-1.0), Colour::heat(0.0));
        assert_eq!(Colour::heat(f32::NAN), Colour::heat(0.0));
        assert_eq!(Colour::heat(f32::INFINITY), Colour::heat(1.0));
    }

    #[test]
    fn numbers_beyond_the_palette_have_a_colour() {
        assert_eq!(Colour::path(8), Colour::path(0));
        assert_eq!(Colour::level(usize::MAX), Colour::level(5));
        assert_eq!(Colour::group(13), Colour::group(3));
        assert_eq!(Colour::path(0).to_string(), "#d55e00");
    }
}

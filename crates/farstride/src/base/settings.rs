//! Settings out of range.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

/// A setting out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SettingsError {
    /// The setting, by the name of its field.
    pub setting: &'static str,
    /// Its value.
    pub found: u16,
    /// The smallest value allowed.
    pub least: u16,
    /// The largest value allowed.
    pub most: u16,
}

impl SettingsError {
    /// Checks settings against their ranges.
    pub(crate) fn check<const N: usize>(
        settings: [(&'static str, u16, RangeInclusive<u16>); N],
    ) -> Result<(), Self> {
        match settings.into_iter().find(|(_, found, range)| !range.contains(found)) {
            Some((setting, found, range)) => {
                Err(Self { setting, found, least: *range.start(), most: *range.end() })
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setting, found, least, most } = self;
        write!(f, "{setting} is {found}, but must be between {least} and {most}")
    }
}

impl Error for SettingsError {}

/// The same range in wider numbers.
pub(crate) const fn widened(range: &RangeInclusive<u8>) -> RangeInclusive<u16> {
    *range.start() as u16..=*range.end() as u16
}

//! How an overlay is built.

use crate::base::{SettingsError, widened, with_methods};
use std::ops::RangeInclusive;

/// How an overlay is built. The same settings always give the same index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct OverlaySettings {
    /// Distance between lines in cells. Small blocks are cheap to edit; large ones make
    /// for fewer nodes.
    pub side: u16,
    /// Number of landmarks. More of them make searches narrower, and take 4 bytes per
    /// node each.
    pub landmarks: u8,
}

with_methods!(OverlaySettings { with_side side: u16, with_landmarks landmarks: u8 });

impl Default for OverlaySettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl OverlaySettings {
    /// The default, as a constant: the settings that measured best.
    pub const DEFAULT: Self = Self { side: 32, landmarks: 32 };
    /// Range of [`side`](Self::side). In larger blocks, costs at weight 255 would not
    /// fit into four bytes.
    pub const SIDE_RANGE: RangeInclusive<u16> = 1..=32;
    /// Range of [`landmarks`](Self::landmarks).
    pub const LANDMARK_RANGE: RangeInclusive<u8> = 0..=64;

    /// Checks that every setting is in range.
    ///
    /// # Errors
    /// [`SettingsError`] names the one that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check([
            ("side", self.side, Self::SIDE_RANGE),
            ("landmarks", self.landmarks.into(), widened(&Self::LANDMARK_RANGE)),
        ])
    }

    /// The settings as they are saved.
    pub(crate) fn to_bytes(self) -> [u8; 4] {
        let [low, high] = self.side.to_le_bytes();
        [low, high, self.landmarks, 0]
    }

    /// The settings of which [`OverlaySettings::to_bytes`] returned these bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let &[low, high, landmarks, 0] = bytes else { return None };
        Some(Self { side: u16::from_le_bytes([low, high]), landmarks })
    }
}

//! Options of the engine overlay.

use super::out_of_range;
use clap::Args;
use farstride::Engine;
use farstride::overlay::OverlaySettings;

/// How the engine overlay builds its index.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Options of the engine overlay")]
pub(crate) struct OverlayOptions {
    /// Number of landmarks that direct the search, 0 to 64 [default: 32].
    #[arg(long, value_name = "N", hide_short_help = true)]
    landmarks: Option<u8>,
}

impl OverlayOptions {
    const TAKERS: &'static [Engine] = &[Engine::Overlay];

    /// Settings of an index; those not given are the `usual` ones.
    pub(super) fn settings(
        self,
        usual: OverlaySettings,
        side: Option<u16>,
    ) -> Result<OverlaySettings, String> {
        let settings = usual
            .with_side(side.unwrap_or(usual.side))
            .with_landmarks(self.landmarks.unwrap_or(usual.landmarks));
        settings.check().map_err(|error| out_of_range(&error))?;
        Ok(settings)
    }

    pub(super) fn given(self) -> impl Iterator<Item = (&'static str, &'static [Engine])> {
        self.landmarks.map(|_| ("--landmarks", Self::TAKERS)).into_iter()
    }
}

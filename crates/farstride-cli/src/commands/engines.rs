//! `farstride engines`: what there is to choose from.

use crate::options::{EngineOptions, MapOptions};
use farstride::Engine;
use std::fmt::Write as _;

/// List the engines and explain their options.
#[derive(clap::Args)]
#[command(long_about = table(), override_usage = "farstride COMMAND --engine NAME [OPTIONS]", after_help = "\
Examples:
  farstride path --from 126,56 --to 3,2 --engine hpa --cluster 10 --levels 2
  farstride path --from 126,56 --to 3,2 --engine hpt --local lazy-theta
  farstride path --from 126,56 --to 3,2 --engine groups --connection maximin --mode exclusion")]
pub(crate) struct Args {
    #[command(flatten)]
    _map: MapOptions,

    #[command(flatten)]
    _options: EngineOptions,
}

/// The engines, one a line.
fn table() -> String {
    let mut text = String::from("Engines:\n");
    let auto = "picks one for the map: labels; nsg+ or hpa if it is large, hpa if it has weights";
    let shortest = "the same among those that find shortest paths: overlay if the map has weights";
    let any_angle = "straight; hpt where its labels would be too large, hpa if the map has weights";
    for (name, says) in [("auto", auto), ("shortest", shortest), ("any-angle", any_angle)] {
        let _ = writeln!(text, "  {name:<11} {says}");
    }
    for engine in Engine::ALL {
        let _ = writeln!(text, "  {:<11} {}", engine.name(), engine.summary());
    }
    text + "\nAn option that an engine does not take is an error."
}

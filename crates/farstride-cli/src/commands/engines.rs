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
    let _ = writeln!(text, "  {:<11} {auto}", "auto");
    for engine in Engine::ALL {
        let _ = writeln!(text, "  {:<11} {}", engine.name(), summary(engine));
    }
    text + "\nAn option that an engine does not take is an error."
}

const fn summary(engine: Engine) -> &'static str {
    match engine {
        Engine::Dijkstra => "shortest paths without a heuristic, for comparison",
        Engine::Astar => "shortest paths on any map, no index",
        Engine::Theta => "any-angle paths, close to the shortest, no index",
        Engine::LazyTheta => "any-angle paths, a little longer and faster than theta",
        Engine::Hpa => "near-optimal paths through a hierarchy of clusters; the index follows edits",
        Engine::Hpt => "any-angle paths through a hierarchy of clusters; the index follows edits",
        Engine::Ssg => "shortest paths over a simple subgoal graph",
        Engine::Tsg => "shortest paths over a two-level subgoal graph",
        Engine::Tl => "nearly always shortest paths; a smaller index than tsg",
        Engine::Nsg => "shortest paths over an N-level subgoal graph",
        Engine::NsgPlus => "the same with better levels: the fastest subgoal graph",
        Engine::Groups => "sections of a path, planned as they are needed; the index follows edits",
        Engine::Labels => "shortest paths by look-up, in about a microsecond; for static maps",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_described() {
        assert!(Engine::ALL.iter().all(|&engine| !summary(engine).is_empty()));
    }
}

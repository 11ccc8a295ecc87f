//! Options of the engines that divide a map into clusters.

use super::{narrow, out_of_range};
use clap::{Args, ValueEnum};
use farstride::Engine;
use farstride::hpa::{HpaSettings, KeepWays, Local, Skip, Tactics};
use std::error::Error;

/// Settings of the hierarchies of hpa and hpt and of the squares of groups, and
/// how hpa and hpt answer queries.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Options of the engines hpa and hpt")]
pub(super) struct ClusterOptions {
    /// Side of the smallest clusters or squares in cells, 2 to 256
    /// [default: 32 for hpa, 16 for hpt and groups]; of the blocks of overlay, 1 to 32
    /// [default: 32].
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = CLUSTER_HEADING)]
    pub(super) cluster: Option<u16>,

    /// Make each cluster of N x N clusters of the level below, 2 to 16
    /// [default: 2 for hpa and hpt, 4 for groups].
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = SIDES_HEADING)]
    pub(super) group: Option<u8>,

    /// Give entrances narrower than N cells one transition that counts on all levels,
    /// others two [default: 16 for hpa, 6 for hpt].
    #[arg(long, value_name = "N", hide_short_help = true)]
    entrance: Option<u16>,

    /// How close transitions are, 0 to 256: at least N cells apart on terrain with
    /// weights, at most 2N or 3N on even ground; 0 places them by --entrance alone
    /// [default: 4].
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = HPA_HEADING)]
    gap: Option<u16>,

    /// How fine the nets of large maps are, 4 to 64: on upper levels, transitions less than the Nth
    /// part of a side away from another one are left out. More: shorter paths, slower queries
    /// [default: 16].
    #[arg(long, value_name = "N", hide_short_help = true)]
    net: Option<u8>,

    /// How queries find the ways through clusters [default: auto].
    #[arg(long, value_enum, value_name = "HOW", hide_short_help = true)]
    ways: Option<WaysOption>,

    /// Whether to smooth paths [default: on].
    #[arg(long, value_enum, value_name = "ON|OFF", hide_short_help = true)]
    smooth: Option<Switch>,

    /// Search algorithm inside clusters [default: theta].
    #[arg(long, value_enum, value_name = "SEARCHER", hide_short_help = true, help_heading = HPT_HEADING)]
    local: Option<LocalOption>,

    /// When to replace turns by straight legs between cells in sight of each
    /// other [default: afterwards].
    #[arg(long, value_enum, value_name = "WHEN", hide_short_help = true, help_heading = HPT_HEADING)]
    skip: Option<SkipOption>,
}

const CLUSTER_HEADING: &str = "Options of the engines hpa, hpt, groups and overlay";
const SIDES_HEADING: &str = "Options of the engines hpa, hpt and groups";
const HPA_HEADING: &str = "Options of the engine hpa";
const HPT_HEADING: &str = "Options of the engine hpt";

#[derive(ValueEnum, Clone, Copy, Debug)]
enum LocalOption {
    /// Theta*.
    Theta,
    /// Lazy Theta*: slightly longer paths, slightly faster builds.
    LazyTheta,
}

impl From<LocalOption> for Local {
    fn from(option: LocalOption) -> Self {
        match option {
            LocalOption::Theta => Self::Theta,
            LocalOption::LazyTheta => Self::LazyTheta,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum SkipOption {
    /// When a path is refined.
    Afterwards,
    /// Also in the abstract search, as in the thesis.
    InSearch,
}

impl From<SkipOption> for Skip {
    fn from(option: SkipOption) -> Self {
        match option {
            SkipOption::Afterwards => Self::Afterwards,
            SkipOption::InSearch => Self::InSearch,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum WaysOption {
    /// `keep`; on maps of more than 4096 x 4096 cells `between`.
    Auto,
    /// Look them up: a larger index.
    Keep,
    /// Look up those between transitions, search those of start and goal (not hpt).
    Between,
    /// Search inside clusters again: a smaller index.
    Search,
}

impl From<WaysOption> for KeepWays {
    fn from(ways: WaysOption) -> Self {
        match ways {
            WaysOption::Auto => Self::Auto,
            WaysOption::Keep => Self::All,
            WaysOption::Between => Self::Between,
            WaysOption::Search => Self::Nothing,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Switch {
    On,
    Off,
}

impl ClusterOptions {
    // Engines that search a hierarchy of clusters, that divide the map into
    // squares of a given side, on several levels or on one, that cross terrain with weights in a hierarchy of
    // clusters, and that find any-angle paths.
    const TAKERS: &'static [Engine] = &[Engine::Hpa, Engine::Hpt];
    const SIDES_TAKERS: &'static [Engine] = &[Engine::Hpa, Engine::Hpt, Engine::Groups];
    const CLUSTER_TAKERS: &'static [Engine] = &[Engine::Hpa, Engine::Hpt, Engine::Groups, Engine::Overlay];
    const GAP_TAKERS: &'static [Engine] = &[Engine::Hpa];
    const ANY_ANGLE_TAKERS: &'static [Engine] = &[Engine::Hpt];

    /// Settings of a hierarchy; those not given are the engine's `usual` ones.
    pub(super) fn settings(
        &self,
        usual: HpaSettings,
        levels: Option<u32>,
    ) -> Result<HpaSettings, Box<dyn Error>> {
        // With several engines, those that take no searcher or no gap keep theirs.
        let any_angle = usual.local.is_any_angle();
        let local = self.local.filter(|_| any_angle).map_or(usual.local, Local::from);
        let gap = self.gap.filter(|_| !any_angle).unwrap_or(usual.gap);
        let settings = usual
            .with_cluster(self.cluster.unwrap_or(usual.cluster))
            .with_levels(narrow(levels, &HpaSettings::LEVEL_RANGE)?.unwrap_or(usual.levels))
            .with_net(self.net.unwrap_or(usual.net))
            .with_group(self.group.unwrap_or(usual.group))
            .with_entrance(self.entrance.unwrap_or(usual.entrance))
            .with_gap(gap)
            .with_keep_ways(self.ways.map_or(usual.keep_ways, KeepWays::from))
            .with_local(local);
        settings.check().map_err(|error| out_of_range(&error))?;
        Ok(settings)
    }

    /// How to answer queries.
    pub(super) fn tactics(&self) -> Tactics {
        let usual = Tactics::default();
        usual
            .with_smooth(self.smooth.map_or(usual.smooth, |smooth| smooth == Switch::On))
            .with_skip(self.skip.map_or(usual.skip, Skip::from))
    }

    /// Names of the options that were given, with the engines that take them.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, &'static [Engine])> {
        let options = [
            ("--cluster", self.cluster.is_some(), Self::CLUSTER_TAKERS),
            ("--group", self.group.is_some(), Self::SIDES_TAKERS),
            ("--entrance", self.entrance.is_some(), Self::TAKERS),
            ("--gap", self.gap.is_some(), Self::GAP_TAKERS),
            ("--net", self.net.is_some(), Self::TAKERS),
            ("--ways", self.ways.is_some(), Self::TAKERS),
            ("--smooth", self.smooth.is_some(), Self::TAKERS),
            ("--local", self.local.is_some(), Self::ANY_ANGLE_TAKERS),
            ("--skip", self.skip.is_some(), Self::ANY_ANGLE_TAKERS),
        ];
        options.into_iter().filter(|&(_, given, _)| given).map(|(name, _, takers)| (name, takers))
    }
}

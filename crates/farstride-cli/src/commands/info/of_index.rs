//! What an index holds.

use super::hex;
use crate::options::rule_name;
use farstride::grid::DiagonalCost;
use farstride::groups::{self, Connection};
use farstride::hpa::Local;
use farstride::index::IndexSettings;
use farstride::internal::{
    GroupLevelCounts, IndexCounts, LabelCounts, NLevelCounts, SegmentSize, StraightCounts,
};
use farstride::labels::{self, Block};
use farstride::overlay::{OverlayCounts, OverlaySettings};
use farstride::store::Description;
use farstride::straight::StraightSettings;
use farstride::subgoal::{self, Partition};
use farstride::{Diagonals, Rules, hpa};
use serde::Serialize;
use std::error::Error;
use std::fmt::{self, Write};

#[derive(Serialize)]
pub(super) struct IndexReport {
    kind: &'static str,
    engine: &'static str,
    version: u32,
    bytes: usize,
    digest: String,
    width: usize,
    height: usize,
    diagonals: &'static str,
    diagonal_cost: &'static str,
    map_digest: String,
    settings: SettingsReport,
    levels: Vec<LevelReport>,
    /// Of the engine labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<LabelsReport>,
    /// Of the engine straight.
    #[serde(skip_serializing_if = "Option::is_none")]
    strings: Option<StringsReport>,
    parts: Vec<PartReport>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SettingsReport {
    Hpa {
        cluster: u16,
        levels: u8,
        group: u8,
        entrance: u16,
        /// Of hpa.
        #[serde(skip_serializing_if = "Option::is_none")]
        gap: Option<u16>,
        net: u8,
        ways: &'static str,
        /// What searches the ways of hpt.
        #[serde(skip_serializing_if = "Option::is_none")]
        local: Option<&'static str>,
    },
    Subgoals {
        /// The most levels there may be; none: as many as there are.
        levels: Option<u32>,
    },
    Groups {
        cluster: u16,
        group: u8,
        /// None: as many as the size of the map asks for.
        levels: Option<u8>,
        connection: &'static str,
        /// Weights of minimum, maximin and average in a blend of these.
        #[serde(skip_serializing_if = "Option::is_none")]
        weights: Option<[u16; 3]>,
    },
    Overlay {
        cluster: u16,
        landmarks: u8,
    },
    Labels {
        index_budget: u64,
        block: &'static str,
        /// Of `straight`.
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<&'static str>,
    },
}

/// How large labels are.
#[derive(Serialize)]
struct LabelsReport {
    kept: String,
    subgoals: usize,
    /// Those that have labels.
    labelled: usize,
    hubs_per_subgoal: f64,
    block_side: usize,
    blocks: usize,
    vias_per_block: f64,
    entries_per_block: f64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum LevelReport {
    Hpa { level: usize, clusters: usize, nodes: usize, inter_edges: usize, intra_edges: usize },
    Subgoals { level: usize, nodes: usize, edges: usize, extra_edges: usize },
    Groups { level: usize, groups: usize, parts: usize, arcs: usize },
    Overlay { level: usize, blocks: usize, nodes: usize, arcs: usize },
}

#[derive(Serialize)]
struct PartReport {
    part: String,
    bytes: usize,
}

impl IndexReport {
    pub(super) fn new(index: &Description) -> Result<Self, Box<dyn Error>> {
        let unknown = || format!("engine {} is not known to 'farstride info'", index.engine);
        let settings = match &index.settings {
            IndexSettings::Hpa(settings) => settings.into(),
            IndexSettings::Subgoals(settings) => settings.into(),
            IndexSettings::Groups(settings) => settings.into(),
            IndexSettings::Labels(settings) => settings.into(),
            IndexSettings::Overlay(settings) => settings.into(),
            IndexSettings::Straight(settings) => settings.into(),
            _ => return Err(unknown().into()),
        };
        let levels = match &index.counts {
            IndexCounts::Hpa(levels) => numbered(levels, LevelReport::of_hpa),
            IndexCounts::Subgoals(levels) => numbered(levels, LevelReport::of_subgoals),
            IndexCounts::Groups(levels) => numbered(levels, LevelReport::of_groups),
            IndexCounts::Labels(..) | IndexCounts::Straight(..) => Vec::new(),
            IndexCounts::Overlay(counts) => numbered(&[*counts], LevelReport::of_overlay),
            _ => return Err(unknown().into()),
        };
        let (diagonals, diagonal_cost) = names(index.map.rules);
        Ok(Self {
            kind: "index",
            engine: index.engine.name(),
            version: index.version,
            bytes: index.bytes,
            digest: hex(index.digest),
            width: index.map.width,
            height: index.map.height,
            diagonals,
            diagonal_cost,
            map_digest: hex(index.map.digest),
            settings,
            levels,
            labels: LabelsReport::of(&index.counts),
            strings: StringsReport::of(&index.counts),
            parts: index.segments.iter().map(PartReport::from).collect(),
        })
    }

    pub(super) fn text(&self) -> Result<String, Box<dyn Error>> {
        let Self { engine, version, bytes, digest, width, height, diagonals, diagonal_cost, .. } = self;
        let mut text = format!(
            "index for {engine}, {bytes} bytes of format version {version}, digest {digest}\n\
             of a map of {width} x {height} cells, digest {}, with --diagonals {diagonals} --diagonal-cost {diagonal_cost}\n\
             made with --engine {engine}{}\n",
            self.map_digest, self.settings
        );
        if let Some(columns) = self.settings.columns() {
            writeln!(text, "\n{columns}")?;
        }
        for level in &self.levels {
            writeln!(text, "{level}")?;
        }
        if let Some(labels) = &self.labels {
            writeln!(text, "\n{labels}")?;
        }
        if let Some(strings) = &self.strings {
            writeln!(text, "\n{strings}")?;
        }
        text.push_str("\n     bytes  part\n");
        for PartReport { part, bytes } in &self.parts {
            writeln!(text, "{bytes:>10}  {part}")?;
        }
        Ok(text)
    }
}

/// The levels with their numbers, from 1.
fn numbered<C>(levels: &[C], report: fn(usize, &C) -> LevelReport) -> Vec<LevelReport> {
    levels.iter().enumerate().map(|(index, counts)| report(index + 1, counts)).collect()
}

impl SettingsReport {
    /// The heads of the columns of [`LevelReport`], if there are levels.
    const fn columns(&self) -> Option<&'static str> {
        match self {
            Self::Hpa { .. } => Some("level   clusters      nodes  inter-edges  intra-edges"),
            Self::Subgoals { .. } => Some("level      nodes      edges  extra edges"),
            Self::Groups { .. } => Some("level     groups      parts       arcs"),
            Self::Labels { .. } => None,
            Self::Overlay { .. } => Some("level     blocks      nodes       arcs"),
        }
    }
}

impl From<&hpa::HpaSettings> for SettingsReport {
    fn from(settings: &hpa::HpaSettings) -> Self {
        let hpa::HpaSettings { cluster, levels, group, entrance, gap, net, keep_ways, local, .. } = *settings;
        let local = match local {
            Local::Astar => None,
            Local::Theta => Some("theta"),
            Local::LazyTheta => Some("lazy-theta"),
        };
        let gap = local.is_none().then_some(gap);
        let ways = match keep_ways {
            hpa::KeepWays::Auto => "auto",
            hpa::KeepWays::All => "keep",
            hpa::KeepWays::Between => "between",
            hpa::KeepWays::Nothing => "search",
        };
        Self::Hpa { cluster, levels, group, entrance, gap, net, ways, local }
    }
}

impl From<&subgoal::SubgoalSettings> for SettingsReport {
    fn from(settings: &subgoal::SubgoalSettings) -> Self {
        let levels = match settings.partition {
            Partition::Basic(levels) | Partition::Advanced(levels) => levels,
            Partition::Simple => Some(1),
            _ => Some(2),
        };
        Self::Subgoals { levels }
    }
}

impl From<&groups::GridGroupSettings> for SettingsReport {
    fn from(settings: &groups::GridGroupSettings) -> Self {
        let groups::GridGroupSettings { side, group, levels, connection, .. } = *settings;
        let (connection, weights) = match connection {
            Connection::Minimum => ("minimum", None),
            Connection::Maximin => ("maximin", None),
            Connection::Average => ("average", None),
            Connection::Blend { minimum, maximin, average } => ("blend", Some([minimum, maximin, average])),
            _ => ("unknown", None),
        };
        Self::Groups { cluster: side, group, levels, connection, weights }
    }
}

impl From<&OverlaySettings> for SettingsReport {
    fn from(settings: &OverlaySettings) -> Self {
        Self::Overlay { cluster: settings.side, landmarks: settings.landmarks }
    }
}

impl From<&labels::LabelSettings> for SettingsReport {
    fn from(settings: &labels::LabelSettings) -> Self {
        let block = match settings.block {
            Block::Eight => "8",
            Block::Sixteen => "16",
            _ => "auto",
        };
        Self::Labels { index_budget: settings.budget, block, rule: None }
    }
}

impl From<&StraightSettings> for SettingsReport {
    fn from(settings: &StraightSettings) -> Self {
        let usual = labels::LabelSettings::default();
        match (&usual.with_block(settings.block).with_budget(settings.budget)).into() {
            Self::Labels { index_budget, block, .. } => {
                Self::Labels { index_budget, block, rule: Some(rule_name(settings.rule)) }
            }
            other => other,
        }
    }
}

/// How large labels over corners are.
#[derive(Serialize)]
struct StringsReport {
    kept: String,
    corners: usize,
    /// Means over the two sides of each corner.
    hubs_per_side: f64,
    block_side: usize,
    blocks: usize,
    vias_per_block: f64,
    entries_per_block: f64,
}

impl StringsReport {
    fn of(counts: &IndexCounts) -> Option<Self> {
        let IndexCounts::Straight(kept, counts) = counts else { return None };
        let StraightCounts { corners, entries, block_side, blocks, block_vias, block_entries, .. } = *counts;
        let mean = |all: usize, of: usize| all as f64 / of.max(1) as f64;
        Some(Self {
            kept: kept.to_string(),
            corners,
            hubs_per_side: mean(entries, 2 * corners),
            block_side,
            blocks,
            vias_per_block: mean(block_vias, blocks),
            entries_per_block: mean(block_entries, blocks),
        })
    }
}

impl fmt::Display for StringsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, corners, hubs_per_side, blocks, vias_per_block, entries_per_block, .. } = self;
        write!(f, "{kept}")?;
        if *blocks > 0 {
            write!(
                f,
                "\n{corners} corners, {hubs_per_side:.1} hubs per side\n\
                 {blocks} blocks, {vias_per_block:.1} vias and {entries_per_block:.1} entries each"
            )?;
        }
        Ok(())
    }
}

impl LabelsReport {
    fn of(counts: &IndexCounts) -> Option<Self> {
        let IndexCounts::Labels(kept, counts) = counts else { return None };
        let LabelCounts { subgoals, block_side, blocks, .. } = *counts;
        // Of labels that are climbed to, each has an entry of its own subgoal.
        let (labelled, own) = match *kept {
            labels::LabelKind::Hybrid { labelled } => (labelled as usize, labelled as usize),
            labels::LabelKind::Core { .. } => (0, 0),
            _ => (subgoals, 0),
        };
        let mean = |all: usize, of: usize| all as f64 / of.max(1) as f64;
        Some(Self {
            kept: kept.to_string(),
            subgoals,
            labelled,
            hubs_per_subgoal: mean(counts.entries.saturating_sub(own), labelled),
            block_side,
            blocks,
            vias_per_block: mean(counts.block_vias, blocks),
            entries_per_block: mean(counts.block_entries, blocks),
        })
    }
}

impl fmt::Display for LabelsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, subgoals, labelled, block_side, blocks, .. } = self;
        write!(f, "{kept}\n{subgoals} subgoals, {labelled} of them with labels")?;
        if *labelled > 0 {
            write!(f, ", of {:.1} hubs each on average", self.hubs_per_subgoal)?;
        }
        if *blocks == 0 {
            return Ok(());
        }
        let (vias, entries) = (self.vias_per_block, self.entries_per_block);
        write!(
            f,
            "\n{blocks} blocks of {block_side} x {block_side} cells with {vias:.1} vias and {entries:.1} entries each"
        )
    }
}

/// The settings as options of the command line.
impl fmt::Display for SettingsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hpa { cluster, levels, group, entrance, gap, net, ways, local } => {
                write!(f, " --cluster {cluster} --levels {levels} --group {group}")?;
                write!(f, " --entrance {entrance}")?;
                gap.map_or(Ok(()), |gap| write!(f, " --gap {gap}"))?;
                write!(f, " --net {net} --ways {ways}")?;
                local.map_or(Ok(()), |local| write!(f, " --local {local}"))
            }
            Self::Subgoals { levels: Some(levels) } => write!(f, ", at most {levels} levels"),
            Self::Subgoals { levels: None } => write!(f, ", as many levels as there are"),
            Self::Groups { cluster, group, levels, connection, weights } => {
                write!(f, " --cluster {cluster} --group {group}")?;
                levels.map_or(Ok(()), |levels| write!(f, " --levels {levels}"))?;
                match weights {
                    Some([minimum, maximin, average]) => {
                        write!(f, ", costs blended {minimum} : {maximin} : {average}")
                    }
                    None => write!(f, " --connection {connection}"),
                }
            }
            Self::Overlay { cluster, landmarks } => {
                write!(f, " --cluster {cluster} --landmarks {landmarks}")
            }
            Self::Labels { index_budget, block, rule } => {
                write!(f, " --index-budget {index_budget} --block {block}")?;
                rule.map_or(Ok(()), |rule| write!(f, " --rule {rule}"))
            }
        }
    }
}

impl LevelReport {
    const fn of_hpa(level: usize, counts: &hpa::HpaLevelCounts) -> Self {
        let hpa::HpaLevelCounts { clusters, nodes, inter_edges, intra_edges } = *counts;
        Self::Hpa { level, clusters, nodes, inter_edges, intra_edges }
    }

    const fn of_subgoals(level: usize, counts: &NLevelCounts) -> Self {
        let NLevelCounts { nodes, edges, extra_edges, .. } = *counts;
        Self::Subgoals { level, nodes, edges, extra_edges }
    }

    const fn of_groups(level: usize, counts: &GroupLevelCounts) -> Self {
        let GroupLevelCounts { groups, parts, arcs, .. } = *counts;
        Self::Groups { level, groups, parts, arcs }
    }

    const fn of_overlay(level: usize, counts: &OverlayCounts) -> Self {
        let OverlayCounts { blocks, nodes, arcs, .. } = *counts;
        Self::Overlay { level, blocks, nodes, arcs }
    }
}

impl fmt::Display for LevelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hpa { level, clusters, nodes, inter_edges, intra_edges } => {
                write!(f, "{level:>5} {clusters:>10} {nodes:>10} {inter_edges:>12} {intra_edges:>12}")
            }
            Self::Subgoals { level, nodes, edges, extra_edges } => {
                write!(f, "{level:>5} {nodes:>10} {edges:>10} {extra_edges:>12}")
            }
            Self::Groups { level, groups, parts, arcs } => {
                write!(f, "{level:>5} {groups:>10} {parts:>10} {arcs:>10}")
            }
            Self::Overlay { level, blocks, nodes, arcs } => {
                write!(f, "{level:>5} {blocks:>10} {nodes:>10} {arcs:>10}")
            }
        }
    }
}

impl From<&SegmentSize> for PartReport {
    fn from(size: &SegmentSize) -> Self {
        Self { part: size.part.clone(), bytes: size.bytes }
    }
}

/// The rules as they are named on the command line.
const fn names(rules: Rules) -> (&'static str, &'static str) {
    let diagonals = match rules.diagonals {
        Diagonals::Strict => "strict",
        Diagonals::OneSide => "one-side",
        Diagonals::Free => "free",
        Diagonals::None => "none",
    };
    let cost = match rules.diagonal_cost {
        DiagonalCost::Ratio142 => "1.42",
        _ => "sqrt2",
    };
    (diagonals, cost)
}

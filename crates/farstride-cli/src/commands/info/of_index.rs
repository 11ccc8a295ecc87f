//! What an index holds.

use super::hex;
use farstride::groups::{self, Connection};
use farstride::hpa::Local;
use farstride::labels::{self, Block};
use farstride::store::{Description, Kind, PartSize};
use farstride::subgoal::{self, Partition};
use farstride::{DiagonalCost, Diagonals, Rules, hpa, nlevel};
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
    Labels {
        index_budget: u64,
        block: &'static str,
    },
}

/// What labels there are.
#[derive(Serialize)]
struct LabelsReport {
    /// Full labels, hybrid, or core.
    kept: &'static str,
    subgoals: usize,
    /// Subgoals that have labels.
    labelled: usize,
    hubs_per_label: f64,
    /// Of full labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<BlocksReport>,
    /// Of others: arcs of the hierarchy, and subgoals in its core.
    #[serde(skip_serializing_if = "Option::is_none")]
    hierarchy: Option<HierarchyReport>,
}

#[derive(Serialize)]
struct BlocksReport {
    side: u16,
    count: usize,
    vias_per_block: f64,
    entries_per_block: f64,
}

#[derive(Serialize)]
struct HierarchyReport {
    arcs: usize,
    core: u32,
}

#[derive(Serialize)]
#[serde(untagged)]
enum LevelReport {
    Hpa { level: usize, clusters: usize, nodes: usize, inter_edges: usize, intra_edges: usize },
    Subgoals { level: usize, nodes: usize, edges: usize, extra_edges: usize },
    Groups { level: usize, groups: usize, parts: usize, arcs: usize },
}

#[derive(Serialize)]
struct PartReport {
    part: String,
    bytes: usize,
}

impl IndexReport {
    pub(super) fn new(index: &Description) -> Result<Self, Box<dyn Error>> {
        let (settings, levels) = match &index.kind {
            Kind::Hpa { settings, levels } => (settings.into(), numbered(levels, LevelReport::of_hpa)),
            Kind::Subgoals { settings, levels } => {
                (settings.into(), numbered(levels, LevelReport::of_subgoals))
            }
            Kind::Groups { settings, levels } => (settings.into(), numbered(levels, LevelReport::of_groups)),
            Kind::Labels { settings, .. } => (settings.into(), Vec::new()),
            _ => return Err(format!("engine {} is not known to 'farstride info'", index.engine).into()),
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
            labels: LabelsReport::of(&index.kind),
            parts: index.parts.iter().map(PartReport::from).collect(),
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
        }
    }
}

impl From<&hpa::Settings> for SettingsReport {
    fn from(settings: &hpa::Settings) -> Self {
        let hpa::Settings { cluster, levels, group, entrance, keep_ways, local } = *settings;
        let local = match local {
            Local::Astar => None,
            Local::Theta => Some("theta"),
            Local::LazyTheta => Some("lazy-theta"),
        };
        Self::Hpa { cluster, levels, group, entrance, ways: if keep_ways { "keep" } else { "search" }, local }
    }
}

impl From<&subgoal::Settings> for SettingsReport {
    fn from(settings: &subgoal::Settings) -> Self {
        let levels = match settings.partition {
            Partition::Basic(levels) | Partition::Advanced(levels) => levels,
            Partition::Simple => Some(1),
            _ => Some(2),
        };
        Self::Subgoals { levels }
    }
}

impl From<&groups::BlockSettings> for SettingsReport {
    fn from(settings: &groups::BlockSettings) -> Self {
        let groups::BlockSettings { block, group, levels, connection } = *settings;
        let (connection, weights) = match connection {
            Connection::Minimum => ("minimum", None),
            Connection::Maximin => ("maximin", None),
            Connection::Average => ("average", None),
            Connection::Blend { minimum, maximin, average } => ("blend", Some([minimum, maximin, average])),
            _ => ("unknown", None),
        };
        Self::Groups { cluster: block, group, levels, connection, weights }
    }
}

impl From<&labels::Settings> for SettingsReport {
    fn from(settings: &labels::Settings) -> Self {
        let block = match settings.block {
            Block::Eight => "8",
            Block::Sixteen => "16",
            _ => "auto",
        };
        Self::Labels { index_budget: settings.budget, block }
    }
}

impl LabelsReport {
    fn of(kind: &Kind) -> Option<Self> {
        let Kind::Labels { kept, counts, .. } = kind else { return None };
        let labels::Counts { subgoals, labelled, entries, arcs, blocks, .. } = *counts;
        let mean = |all: usize, of: usize| all as f64 / of.max(1) as f64;
        let of_hierarchy = |core| Some(HierarchyReport { arcs, core });
        let (kept, blocks, hierarchy) = match *kept {
            labels::Kind::Full { block } => {
                let (vias_per_block, entries_per_block) =
                    (mean(counts.block_vias, blocks), mean(counts.block_entries, blocks));
                let blocks = BlocksReport { side: block, count: blocks, vias_per_block, entries_per_block };
                ("full labels", Some(blocks), None)
            }
            labels::Kind::Hybrid { .. } => ("hybrid", None, of_hierarchy(0)),
            labels::Kind::Core { core } => ("core", None, of_hierarchy(core)),
            _ => ("unknown", None, None),
        };
        let hubs_per_label = mean(entries, labelled);
        Some(Self { kept, subgoals, labelled, hubs_per_label, blocks, hierarchy })
    }
}

impl fmt::Display for LabelsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, subgoals, labelled, hubs_per_label, blocks, hierarchy } = self;
        write!(f, "{kept}: {subgoals} subgoals, {labelled} with labels of {hubs_per_label:.1} hubs each")?;
        if let Some(BlocksReport { side, count, vias_per_block: vias, entries_per_block: entries }) = blocks {
            write!(
                f,
                "\n{count} blocks of {side} x {side} cells with {vias:.1} vias and {entries:.1} entries each"
            )?;
        }
        match hierarchy {
            Some(HierarchyReport { arcs, core: 0 }) => write!(f, "\n{arcs} arcs"),
            Some(HierarchyReport { arcs, core }) => write!(f, "\n{arcs} arcs, {core} subgoals in the core"),
            None => Ok(()),
        }
    }
}

/// The settings as options of the command line.
impl fmt::Display for SettingsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hpa { cluster, levels, group, entrance, ways, local } => {
                write!(f, " --cluster {cluster} --levels {levels} --group {group}")?;
                write!(f, " --entrance {entrance} --ways {ways}")?;
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
            Self::Labels { index_budget, block } => {
                write!(f, " --index-budget {index_budget} --block {block}")
            }
        }
    }
}

impl LevelReport {
    const fn of_hpa(level: usize, counts: &hpa::LevelCounts) -> Self {
        let hpa::LevelCounts { clusters, nodes, inter_edges, intra_edges } = *counts;
        Self::Hpa { level, clusters, nodes, inter_edges, intra_edges }
    }

    const fn of_subgoals(level: usize, counts: &nlevel::LevelCounts) -> Self {
        let nlevel::LevelCounts { nodes, edges, extra_edges, .. } = *counts;
        Self::Subgoals { level, nodes, edges, extra_edges }
    }

    const fn of_groups(level: usize, counts: &groups::LevelCounts) -> Self {
        let groups::LevelCounts { groups, parts, arcs, .. } = *counts;
        Self::Groups { level, groups, parts, arcs }
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
        }
    }
}

impl From<&PartSize> for PartReport {
    fn from(size: &PartSize) -> Self {
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

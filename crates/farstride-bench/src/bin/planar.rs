//! N-level graphs of planar graphs: how long they take to make, how large they
//! are, and how much faster they answer.

use clap::{Parser, ValueEnum};
use farstride::Cost;
use farstride::graph::{Graph, NodeId};
use farstride::nlevel::{ArchScratch, NLevelGraph, Property};
use farstride::search::{Counters, Memory, Observer, SearchStatus, astar};
use farstride_bench::planar::{Bidirectional, Planar, Weights, walked};
use farstride_testkit::SplitMix64;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Instant;

/// Partition a generated planar graph and race its levels against Dijkstra.
///
/// One thread. Every answer is compared with Dijkstra's, every path walked
/// along the graph; a time is the least of some runs of a query in a row.
#[derive(Parser)]
#[command(name = "planar", after_help = "Example:\n  planar --nodes 10000 --partitions basic,short:4")]
struct Options {
    /// Nodes of the graph
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: usize,

    /// How edges get their weights
    #[arg(long, value_enum, default_value_t = WeightsOption::Random)]
    weights: WeightsOption,

    /// Partitions to make: basic; short:K, edges of up to K mean weights may be
    /// added; used:S, edges around a node that is used less than the two ends,
    /// by the shortest paths from S nodes; any, which is quadratic; /L after it:
    /// at most L levels
    #[arg(long, value_name = "P,...", value_delimiter = ',', default_value = "basic,short:2,used:50")]
    partitions: Vec<Kind>,

    /// Queries between random nodes
    #[arg(long, value_name = "N", default_value_t = 500)]
    queries: usize,

    /// Runs per query
    #[arg(long, value_name = "K", default_value_t = 3)]
    repeat: usize,

    /// Seed of graph and queries
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum WeightsOption {
    /// Evenly from 1 to a million units
    Random,
    /// Length times a number from 1 to 2
    Roads,
}

/// A kind of partition.
#[derive(Clone, Copy)]
struct Kind {
    adds: Adds,
    most_levels: Option<u32>,
}

/// Which edges may be added.
#[derive(Clone, Copy)]
enum Adds {
    Nothing,
    /// Those that cost at most this many times the mean weight.
    Short(f64),
    /// Those around a node that ranks below both ends, by a sample of this size.
    Used(usize),
    Anything,
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, levels) = text.split_once('/').map_or((text, None), |(name, levels)| (name, Some(levels)));
        let bad = |what: &str| format!("{what}; try basic, short:2, used:50, any/2");
        let most_levels = levels.map(str::parse).transpose().map_err(|_| bad("levels are a number"))?;
        let adds = match name.split_once(':') {
            None if name == "basic" => Adds::Nothing,
            None if name == "any" => Adds::Anything,
            Some(("short", longest)) => {
                Adds::Short(longest.parse().map_err(|_| bad("a number of mean weights"))?)
            }
            Some(("used", sample)) => Adds::Used(sample.parse().map_err(|_| bad("a number of nodes"))?),
            _ => return Err(bad("no such partition")),
        };
        Ok(Self { adds, most_levels })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.adds {
            Adds::Nothing => f.write_str("basic")?,
            Adds::Short(longest) => write!(f, "short:{longest}")?,
            Adds::Used(sample) => write!(f, "used:{sample}")?,
            Adds::Anything => f.write_str("any")?,
        }
        self.most_levels.map_or(Ok(()), |levels| write!(f, "/{levels}"))
    }
}

/// What may be added; straight lines bound the distances.
struct Additions<'p> {
    planar: &'p Planar,
    adds: Adds,
    ranks: Vec<u32>,
}

impl<'p> Additions<'p> {
    fn new(planar: &'p Planar, adds: Adds, seed: u64) -> Self {
        let ranks = if let Adds::Used(sample) = adds { planar.ranks(sample, seed) } else { Vec::new() };
        Self { planar, adds, ranks }
    }
}

impl Property for Additions<'_> {
    fn allows(&self, _: NodeId, _: NodeId, cost: Cost) -> bool {
        match self.adds {
            Adds::Nothing => false,
            Adds::Short(longest) => cost.units() as f64 <= longest * self.planar.mean_weight,
            Adds::Used(_) | Adds::Anything => true,
        }
    }

    fn allows_around(&self, around: NodeId, from: NodeId, to: NodeId, cost: Cost) -> bool {
        let Adds::Used(_) = self.adds else { return self.allows(from, to, cost) };
        let [around, from, to] = [around, from, to].map(|node| self.ranks[node.index()]);
        around < from.min(to)
    }

    fn bound(&self, from: NodeId, to: NodeId) -> Cost {
        self.planar.bound(from, to)
    }
}

/// How a way of searching did, summed up over all queries.
#[derive(Default)]
struct Tally {
    name: String,
    micros: f64,
    expanded: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let weights = match options.weights {
        WeightsOption::Random => Weights::Random,
        WeightsOption::Roads => Weights::Roads,
    };
    let planar = Planar::generate(options.nodes, weights, options.seed)?;
    let nodes = planar.graph.node_count();
    println!(
        "{nodes} nodes, {} edges, mean weight {:.0}\n",
        planar.graph.arc_count() / 2,
        planar.mean_weight
    );
    println!(
        "| partition | seconds, ranks included | levels | nodes on top | edges kept | extra edges | MB |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut partitions = Vec::new();
    for &kind in &options.partitions {
        let begun = Instant::now();
        let property = Additions::new(&planar, kind.adds, options.seed);
        let levels = NLevelGraph::partition(&planar.graph, kind.most_levels, &property)?;
        println!("{}", describe(kind, &levels, begun.elapsed().as_secs_f64())?);
        partitions.push((kind, levels));
    }
    let mut race = Race::new(&planar, &partitions, options.repeat);
    let mut random = SplitMix64::new(options.seed);
    for _ in 0..options.queries {
        let [start, goal] = [(); 2].map(|()| NodeId::new(random.below(nodes) as u32));
        race.ask(start, goal)?;
    }
    print!("{}", race.table(options.queries)?);
    Ok(())
}

/// A row about a partition.
fn describe(kind: Kind, levels: &NLevelGraph, seconds: f64) -> Result<String, fmt::Error> {
    let top = levels.level_count();
    let on_top =
        (0..levels.node_count() as u32).filter(|&node| levels.level(NodeId::new(node)) == top).count();
    let extra = levels.edges().filter(|edge| edge.via.is_some()).count();
    let kept = levels.edges().count() - extra;
    let mut row = String::new();
    let megabytes = levels.byte_count() as f64 / 1e6;
    write!(row, "| {kind} | {seconds:.2} | {top} | {on_top} | {kept} | {extra} | {megabytes:.1} |")?;
    Ok(row)
}

/// Places of the rivals that use no levels; the partitions follow, each without
/// bounds and with them.
const ONE_END: usize = 0;
const ASTAR: usize = 1;
const BOTH_ENDS: usize = 2;
const PARTITIONS: usize = 3;

/// All ways of searching, side by side.
struct Race<'r> {
    planar: &'r Planar,
    partitions: &'r [(Kind, NLevelGraph)],
    repeat: usize,
    tallies: Vec<Tally>,
    memory: Memory,
    both: Bidirectional,
    arching: ArchScratch,
    path: Vec<NodeId>,
}

impl<'r> Race<'r> {
    fn new(planar: &'r Planar, partitions: &'r [(Kind, NLevelGraph)], repeat: usize) -> Self {
        let mut names =
            vec!["Dijkstra".to_owned(), "A*, straight lines".into(), "Dijkstra, both ends".into()];
        for (kind, _) in partitions {
            names.extend([kind.to_string(), format!("{kind}, straight lines")]);
        }
        Self {
            planar,
            partitions,
            repeat: repeat.max(1),
            tallies: names.into_iter().map(|name| Tally { name, ..Tally::default() }).collect(),
            memory: Memory::default(),
            both: Bidirectional::default(),
            arching: ArchScratch::default(),
            path: Vec::new(),
        }
    }

    /// Asks all of them, and judges what they say.
    fn ask(&mut self, start: NodeId, goal: NodeId) -> Result<(), String> {
        let mut expected = None;
        for rival in 0..self.tallies.len() {
            // The first run is for the judge and the counters, and warms up.
            let mut counters = Counters::default();
            let cost = self.search(rival, start, goal, &mut counters);
            let expected = *expected.get_or_insert(cost);
            let tally = &mut self.tallies[rival];
            if cost != expected || cost != walked(&self.planar.graph, &self.path) {
                return Err(format!("{} from {start} to {goal}: {cost:?}, not {expected:?}", tally.name));
            }
            tally.expanded += if rival == BOTH_ENDS { self.both.expanded } else { counters.expanded };
            let mut least = f64::INFINITY;
            for _ in 0..self.repeat {
                let begun = Instant::now();
                std::hint::black_box(self.search(rival, start, goal, &mut ()));
                least = least.min(begun.elapsed().as_secs_f64() * 1e6);
            }
            self.tallies[rival].micros += least;
        }
        Ok(())
    }

    /// The distance; the path is left in `path`.
    fn search(
        &mut self,
        rival: usize,
        start: NodeId,
        goal: NodeId,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<u64> {
        let Self { planar, memory, path, .. } = self;
        let guided = |node: NodeId| planar.bound(node, goal);
        let none = |_: NodeId| Cost::ZERO;
        let progress = match rival {
            ONE_END => astar(&planar.graph, start, goal, none, memory, observer),
            ASTAR => astar(&planar.graph, start, goal, guided, memory, observer),
            BOTH_ENDS => return self.both.find(&planar.graph, start, goal, path),
            _ => return self.climb(rival - PARTITIONS, start, goal, observer),
        };
        let SearchStatus::Reached(goal) = progress else { return None };
        memory.path_into(&planar.graph, goal, path);
        memory.cost(goal.index()).map(Cost::units)
    }

    /// The same by a partition: those with bounds are odd.
    fn climb(
        &mut self,
        number: usize,
        start: NodeId,
        goal: NodeId,
        observer: &mut impl Observer<NodeId>,
    ) -> Option<u64> {
        let Self { planar, path, arching, .. } = self;
        let (_, levels) = &self.partitions[number / 2];
        let found = if number.is_multiple_of(2) {
            levels.find_guided(start, goal, |_| Cost::ZERO, arching, observer)?
        } else {
            levels.find_guided(start, goal, |node| planar.bound(node, goal), arching, observer)?
        };
        path.clear();
        path.extend_from_slice(found.path);
        Some(found.cost.units())
    }

    fn table(&self, queries: usize) -> Result<String, fmt::Error> {
        let mut text = String::from(
            "\n| search | mean µs | mean expanded | times faster than Dijkstra | than Dijkstra from both ends |\n\
             |---|---:|---:|---:|---:|\n",
        );
        let (one, both) = (self.tallies[ONE_END].micros, self.tallies[BOTH_ENDS].micros);
        for Tally { name, micros, expanded } in &self.tallies {
            let mean = |sum: f64| sum / queries.max(1) as f64;
            writeln!(
                text,
                "| {name} | {:.1} | {:.0} | {:.2} | {:.2} |",
                mean(*micros),
                mean(*expanded as f64),
                one / micros,
                both / micros
            )?;
        }
        writeln!(text, "\n{queries} queries, every answer and path the same length.")?;
        Ok(text)
    }
}

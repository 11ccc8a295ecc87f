//! A world of a hundred million nodes: how long it takes to build, how much
//! memory, and how soon a unit can start walking.

use clap::Parser;
use farstride::Cell;
use farstride::graph::NodeId;
use farstride::groups::world::WorldGroups;
use farstride::groups::{
    Connection, GroupHierarchy, GroupPlan, GroupRoute, GroupScratch, GroupTactics, Mode, Next,
};
use farstride::search::Memory;
use farstride_bench::country::Country;
use farstride_testkit::SplitMix64;
use std::error::Error;
use std::time::Instant;

/// Build a country of houses and walk from place to place in it.
///
/// Built on all cores, asked on one thread.
#[derive(Parser)]
#[command(name = "hugeworld", after_help = "Example:\n  hugeworld --lots 64 --queries 500")]
struct Options {
    /// Lots per side of the country, each with a house
    #[arg(long, value_name = "N", default_value_t = 516)]
    lots: u16,

    /// Types of houses
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    types: u32,

    /// Houses, at most
    #[arg(long, value_name = "N", default_value_t = 250_000)]
    houses: usize,

    /// What connections between groups cost
    #[arg(long, value_name = "RULE", default_value = "average", value_parser = rule)]
    connection: Connection,

    /// First sections to time
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    queries: usize,

    /// How often each is asked for; the first time and the least are told
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Complete routes to time
    #[arg(long, value_name = "N", default_value_t = 200)]
    routes: usize,

    /// Routes to compare with the optimum
    #[arg(long, value_name = "N", default_value_t = 20)]
    optima: usize,

    /// Houses to build and to tear down again at the end
    #[arg(long, value_name = "N", default_value_t = 20)]
    houses_on_the_way: usize,

    /// Seed of everything
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn rule(name: &str) -> Result<Connection, String> {
    match name {
        "minimum" => Ok(Connection::Minimum),
        "maximin" => Ok(Connection::Maximin),
        "average" => Ok(Connection::Average),
        _ => Err("there are minimum, maximin and average".to_owned()),
    }
}

const MIB: f64 = 1024.0 * 1024.0;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let start = Instant::now();
    let mut country = Country::new(options.lots, options.types, options.houses, options.seed)?;
    let placed = start.elapsed().as_secs_f64();
    let mut hierarchy = country.hierarchy(&country.squares(), options.connection)?;
    let built = start.elapsed().as_secs_f64();
    println!("| what | value |\n|---|---:|");
    println!("| world made, s | {placed:.2} |");
    println!("| world and hierarchy made, s | {built:.2} |");
    tell_peak("most memory used until then");
    describe(&country, &hierarchy);
    let mut random = SplitMix64::new(options.seed);
    first_sections(&country, &hierarchy, &options, &mut random)?;
    routes(&country, &hierarchy, &options, &mut random)?;
    houses(&mut country, &mut hierarchy, options.houses_on_the_way)?;
    tell_peak("most memory used");
    Ok(())
}

fn describe(country: &Country, hierarchy: &GroupHierarchy<NodeId>) {
    let world = country.world();
    println!("| nodes | {} |", world.node_count());
    println!("| of these on the ground | {} |", country.grid().width() * country.grid().height());
    println!("| types, instances | {}, {} |", world.catalog().type_count(), world.instances().count());
    println!("| world's instances, MiB | {:.1} |", world.memory_bytes() as f64 / MIB);
    println!("| types, MiB | {:.2} |", world.catalog().memory_bytes() as f64 / MIB);
    println!("| hierarchy, MiB | {:.1} |", hierarchy.memory_bytes() as f64 / MIB);
    for level in 1..=hierarchy.level_count() {
        let [groups, parts, arcs] =
            [hierarchy.group_count(level), hierarchy.part_count(level), hierarchy.arc_count(level)];
        println!("| level {level}: groups, parts, arcs | {groups}, {parts}, {arcs} |");
    }
}

/// How soon a unit can start walking from anywhere to anywhere.
fn first_sections(
    country: &Country,
    hierarchy: &GroupHierarchy<NodeId>,
    options: &Options,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    let squares = country.squares();
    let (view, groups) = (country.world().view(), WorldGroups::new(country.world(), &squares));
    let navigator = hierarchy.on(&view, &groups)?;
    let (mut plan, mut scratch) = (GroupPlan::default(), GroupScratch::default());
    let [mut least, mut first_time] = [Vec::new(), Vec::new()];
    let mut unreachable = 0;
    for _ in 0..options.queries {
        let [start, goal] = [(); 2].map(|()| country.random_place(random));
        let mut found = false;
        let mut ask = || {
            let clock = Instant::now();
            let planned = navigator.plan(start, goal, &mut plan, &mut scratch);
            let section = matches!(navigator.go_on(&mut plan, &mut scratch), Next::Section { .. });
            found = planned && section;
            clock.elapsed().as_secs_f64() * 1e6
        };
        let once = ask();
        let again = (1..options.repeat).map(|_| ask()).fold(once, f64::min);
        if found {
            first_time.push(once);
            least.push(again);
        } else {
            unreachable += 1;
        }
    }
    println!("| first section, asked for the first time, us: {} |", spread(&mut first_time));
    println!("| first section, least of {}, us: {} |", options.repeat, spread(&mut least));
    println!("| no route | {unreachable} |");
    Ok(())
}

/// Whole routes, and what they cost compared with the optimum.
fn routes(
    country: &Country,
    hierarchy: &GroupHierarchy<NodeId>,
    options: &Options,
    random: &mut SplitMix64,
) -> Result<(), Box<dyn Error>> {
    let squares = country.squares();
    let (view, groups) = (country.world().view(), WorldGroups::new(country.world(), &squares));
    let (mut memory, mut scratch) = (Memory::default(), GroupScratch::default());
    let mut times = [Vec::new(), Vec::new()];
    let mut compared = Vec::new();
    for number in 0..options.routes {
        let [start, goal] = [(); 2].map(|()| country.random_place(random));
        let mut costs = [None; 2];
        for (place, mode) in [Mode::Sections, Mode::Exclusion].into_iter().enumerate() {
            let tactics = GroupTactics::default().with_mode(mode);
            let navigator = hierarchy.on(&view, &groups)?.with_tactics(tactics);
            let clock = Instant::now();
            costs[place] = cost(&navigator.find(start, goal, &mut scratch));
            times[place].push(clock.elapsed().as_secs_f64() * 1e6);
        }
        if number < options.optima {
            let clock = Instant::now();
            let best = country.optimum(start, goal, &mut memory).map(|cost| cost.units() as f64);
            let time = clock.elapsed().as_secs_f64() * 1e3;
            if let (Some(best), [Some(sections), Some(exclusion)]) = (best, costs) {
                compared.push([sections / best, exclusion / best, time]);
            }
        }
    }
    let [sections, exclusion] = &mut times;
    println!("| complete route by sections, us: {} |", spread(sections));
    println!("| complete route on exclusions, us: {} |", spread(exclusion));
    let count = compared.len().max(1) as f64;
    let mean = |at: usize| compared.iter().map(|row| row[at]).sum::<f64>() / count;
    let worst = |at: usize| compared.iter().map(|row| row[at]).fold(0.0, f64::max);
    println!("| routes compared with the optimum | {} |", compared.len());
    println!("| by sections, times the optimum: mean, largest | {:.3}, {:.3} |", mean(0), worst(0));
    println!("| on exclusions, times the optimum: mean, largest | {:.3}, {:.3} |", mean(1), worst(1));
    println!("| the optimum itself, ms | {:.0} |", mean(2));
    Ok(())
}

/// Houses that come and go while the hierarchy follows.
fn houses(
    country: &mut Country,
    hierarchy: &mut GroupHierarchy<NodeId>,
    count: usize,
) -> Result<(), Box<dyn Error>> {
    let [mut built, mut torn_down] = [Vec::new(), Vec::new()];
    for place in 0..count {
        let at = Cell::new((place * 8 % country.grid().width()) as u16, 0);
        let clock = Instant::now();
        let house = country.build_house(at, hierarchy)?;
        built.push(clock.elapsed().as_secs_f64() * 1e6);
        let clock = Instant::now();
        country.tear_down(house, hierarchy)?;
        torn_down.push(clock.elapsed().as_secs_f64() * 1e6);
    }
    println!("| a house more, hierarchy up to date, us: {} |", spread(&mut built));
    println!("| a house less, hierarchy up to date, us: {} |", spread(&mut torn_down));
    Ok(())
}

fn tell_peak(what: &str) {
    if let Some(peak) = peak_memory() {
        println!("| {what}, MiB | {:.0} |", peak / MIB);
    }
}

fn cost(route: &GroupRoute<'_, NodeId>) -> Option<f64> {
    match route {
        GroupRoute::Found { cost, .. } => Some(cost.units() as f64),
        _ => None,
    }
}

/// Mean, median, 99th percentile and largest.
fn spread(times: &mut [f64]) -> String {
    times.sort_unstable_by(f64::total_cmp);
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
    let [p50, p99, max] = [50, 99, 100].map(|percent| at(percent).copied().unwrap_or(0.0));
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    format!("mean, median, p99, largest | {mean:.1}, {p50:.1}, {p99:.1}, {max:.1}")
}

/// Most memory that was ever resident, in bytes, where the system tells it.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<f64>().ok()? * 1024.0)
}

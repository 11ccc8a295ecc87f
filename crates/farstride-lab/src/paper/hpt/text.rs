//! The summary in words.

use super::gather::EVERY;
use super::published::{MAPS, MOST, PUBLISHED};
use super::summary::{Effort, Fault, MethodRow, Summary, Verdict};
use super::timing::LONG;
use crate::paper::table::{Table, row, section};
use std::fmt::{self, Write as _};

/// The whole summary.
pub(super) fn markdown(summary: &Summary) -> Result<String, fmt::Error> {
    let mut text = String::from("# Hierarchical Path-Finding Theta*, measured again\n\n");
    let Summary { maps, problems, unsolvable, trivial, in_sight, seconds, .. } = summary;
    writeln!(
        text,
        "{problems} problems (published: {}) on {} of {} maps; {seconds:.0} s. Of those listed, {unsolvable} \
         without a path and {trivial} from a cell to itself are left out. Clusters of 10 x 10, threshold 6, \
         one level; no diagonal steps past blocked cells. The published value stands in brackets.\n",
        summary.published_problems,
        maps.len(),
        MAPS.len()
    )?;
    writeln!(
        text,
        "HPA* and HPT* search as in the thesis: start and goal are connected to each node by a search of its \
         own, nothing is smoothed. A* leaves out moves and breaks ties towards the goal; Theta* looks at \
         parents of parents, too, and is pulled taut. \"By the book\" does none of it; HPA* and HPT* by the \
         book are the same paths and main searches, with the searches inside clusters counted so: to every \
         node, in sight or not, and of HPA* for every step between clusters, too. \"Our tactics\" keep the \
         clusters, connect start and goal by one search, expand only nodes at which clusters are entered, \
         skip parents afterwards, and smooth; \"our defaults\" are the engines as they come. \
         Ratios are to Theta* and HPA* of the same kind. Where the goal is in sight of the start, {in_sight} \
         times, HPT* does not search.\n"
    )?;
    writeln!(text, "{}", fault("Paths of HPA* shorter than A*'s", &summary.shorter))?;
    writeln!(text, "{}\n", fault("Paths at any angle with a leg that is not in sight", &summary.hidden))?;
    let methods = &summary.methods;
    section(&mut text, "Table 2: mean length of the paths", &lengths(methods))?;
    section(&mut text, "Table 3: mean number of visits", &visits(methods))?;
    section(&mut text, "Table 4: mean of the most nodes in memory", &nodes(methods))?;
    let title = format!("The three criteria: L, V and M no more than {MOST}");
    section(&mut text, &title, &verdicts(&summary.verdicts))?;
    section(&mut text, "Rules for diagonal steps: mean lengths", &rule_lengths(summary))?;
    section(&mut text, "Rules for diagonal steps: mean effort by the book", &rule_efforts(summary))?;
    let sample = format!("on every {EVERY}th problem ({})", summary.by_cluster_problems);
    let title = format!("Sizes of clusters, {sample}");
    section(&mut text, &title, &clusters(summary))?;
    let title = format!("Sizes of clusters by the book, {sample}");
    section(&mut text, &title, &clusters_by_the_book(summary))?;
    section(&mut text, "What else the thesis says", &claims(summary))?;
    let title = format!("Times of the {} problems of length {LONG} and more", summary.long_queries);
    section(&mut text, &title, &times(summary))?;
    Ok(text)
}

fn fault(what: &str, fault: &Fault) -> String {
    match &fault.first {
        None => format!("{what}: none."),
        Some(first) => format!("ERROR: {what}: {}; the first is {first}.", fault.problems),
    }
}

fn lengths(methods: &[MethodRow]) -> Table {
    let mut table =
        vec![row(["algorithm", "mean length", "relative to Theta*", "% above the true shortest path"])];
    table.extend(methods.iter().map(|method| {
        let above = format!("{:.2}", method.above_shortest);
        vec![method.method.to_owned(), method.length.written(2), method.length_ratio.written(4), above]
    }));
    table
}

fn visits(methods: &[MethodRow]) -> Table {
    let mut table = vec![row(["algorithm", "insertion", "main", "refinement", "visits", "relative to HPA*"])];
    table.extend(methods.iter().map(|method| {
        let mut cells = vec![method.method.to_owned()];
        cells.extend([method.insert, method.main, method.refine].map(|part| format!("{part:.1}")));
        cells.extend([method.visits.written(1), method.visits_ratio.written(4)]);
        cells
    }));
    table
}

fn nodes(methods: &[MethodRow]) -> Table {
    let mut table = vec![row(["algorithm", "nodes in memory", "relative to HPA*"])];
    table.extend(methods.iter().map(|method| {
        vec![method.method.to_owned(), method.nodes.written(1), method.nodes_ratio.written(4)]
    }));
    table
}

fn verdicts(verdicts: &[Verdict]) -> Table {
    let mut table = vec![row(["pair", "L", "V", "M", "success"])];
    table.extend(verdicts.iter().map(|verdict| {
        let mut cells = vec![verdict.pair.to_owned()];
        cells.extend([verdict.length, verdict.visits, verdict.nodes].map(|ratio| format!("{ratio:.4}")));
        cells.push(if verdict.success { "yes" } else { "no" }.to_owned());
        cells
    }));
    table
}

fn rule_lengths(summary: &Summary) -> Table {
    let mut table = vec![row(["rule", "problems", "A*", "Theta*", "Theta* by the book", "HPA*", "HPT*"])];
    let mut add = |name: &str, problems: usize, lengths: [f64; 5]| {
        let mut cells = vec![name.to_owned(), problems.to_string()];
        cells.extend(lengths.map(|length| format!("{length:.2}")));
        table.push(cells);
    };
    for rule in &summary.by_rule {
        let [astar, theta] = [rule.astar_length, rule.theta_length];
        let by_the_book = rule.theta_by_the_book_length;
        add(rule.diagonals, rule.solvable, [astar, theta, by_the_book, rule.hpa_length, rule.hpt_length]);
    }
    let [astar, theta, hpa, hpt] = PUBLISHED.map(|row| row.length);
    add("published", summary.published_problems, [astar, theta, theta, hpa, hpt]);
    table
}

fn rule_efforts(summary: &Summary) -> Table {
    let mut table = vec![row(["rule", "A*: visits", "nodes", "Theta*: visits", "nodes"])];
    let mut add = |name: &str, efforts: [Effort; 2]| {
        let mut cells = vec![name.to_owned()];
        cells.extend(efforts.iter().flat_map(counts));
        table.push(cells);
    };
    for rule in &summary.by_rule {
        add(rule.diagonals, [rule.astar_by_the_book, rule.theta_by_the_book]);
    }
    let [astar, theta, ..] = PUBLISHED.map(Effort::from);
    add("published", [astar, theta]);
    table
}

/// Visits and nodes in memory.
fn counts(effort: &Effort) -> [String; 2] {
    [effort.visits, effort.nodes].map(|count| format!("{count:.0}"))
}

fn clusters(summary: &Summary) -> Table {
    let head = ["cluster", "HPA*: visits", "nodes", "HPT*: visits", "nodes", "L", "V", "M"];
    let mut table = vec![row(head)];
    let mut add = |name: String, efforts: [Effort; 2], ratios: [f64; 3]| {
        table.push(size_row(name, efforts, &ratios));
    };
    for size in &summary.by_cluster {
        let ratios = [size.length, size.visits, size.nodes];
        add(size.cluster.to_string(), [size.hpa, size.hpt], ratios);
    }
    let Some(Verdict { length, visits, nodes, .. }) = summary.verdicts.first() else { return table };
    add("published".to_owned(), published_pair(), [*length, *visits, *nodes]);
    table
}

fn clusters_by_the_book(summary: &Summary) -> Table {
    let mut table = vec![row(["cluster", "HPA*: visits", "nodes", "HPT*: visits", "nodes", "V", "M"])];
    let mut add = |name: String, efforts: [Effort; 2], ratios: [f64; 2]| {
        table.push(size_row(name, efforts, &ratios));
    };
    for size in &summary.by_cluster {
        let ratios = [size.visits_by_the_book, size.nodes_by_the_book];
        add(size.cluster.to_string(), [size.hpa_by_the_book, size.hpt_by_the_book], ratios);
    }
    let Some(Verdict { visits, nodes, .. }) = summary.verdicts.first() else { return table };
    add("published".to_owned(), published_pair(), [*visits, *nodes]);
    table
}

fn size_row(name: String, efforts: [Effort; 2], ratios: &[f64]) -> Vec<String> {
    let mut cells = vec![name];
    cells.extend(efforts.iter().flat_map(counts));
    cells.extend(ratios.iter().map(|ratio| format!("{ratio:.3}")));
    cells
}

/// HPA* and HPT* of the thesis.
fn published_pair() -> [Effort; 2] {
    let [_, _, hpa, hpt] = PUBLISHED.map(Effort::from);
    [hpa, hpt]
}

fn claims(summary: &Summary) -> Table {
    let mut table = vec![row(["statement", "published", "measured", "by the book"])];
    table.extend(summary.claims.iter().map(|claim| {
        let (measured, by_the_book) = (claim.measured.clone(), claim.by_the_book.clone());
        vec![claim.statement.clone(), claim.published.to_owned(), measured, by_the_book]
    }));
    table
}

fn times(summary: &Summary) -> Table {
    let mut table = vec![row(["search", "mean µs", "times as fast as Theta*"])];
    table.extend(summary.times.iter().map(|time| {
        vec![time.search.clone(), format!("{:.1}", time.micros), format!("{:.1}", time.speedup)]
    }));
    table
}

//! The summary in words: Markdown that reads well in a terminal, too.

use super::figures::LEVEL_NAMES;
use super::published;
use super::site::LEVELS;
use super::summary::{Bin, Cost, LONG, OpenRow, SizeRow, Summary};
use crate::paper::table::{Table, row, section};
use std::fmt::{self, Write as _};

/// The whole summary.
pub(super) fn markdown(summary: &Summary) -> Result<String, fmt::Error> {
    let mut text = String::from("# Near Optimal Hierarchical Path-Finding, measured again\n\n");
    let Summary { maps, queries, seed, seconds, .. } = summary;
    writeln!(
        text,
        "{maps} maps, {queries} random queries (seed {seed}), {seconds:.0} s. Clusters of 10 x 10, threshold 6, \
         diagonal steps of 1.42 past at most one blocked cell. The published value stands in brackets.\n"
    )?;
    section(&mut text, "Table 2: average size of the graphs", &table_2(summary))?;
    section(&mut text, "Table 3: average size of the open list", &table_3(summary))?;
    section(&mut text, "Figures 5 and 6: mean effort of a query", &efforts(summary))?;
    section(&mut text, "Figure 5: by length of the shortest path, expanded nodes (µs)", &by_length(summary))?;
    section(&mut text, "Figure 7: how much longer than the shortest, in %", &errors(summary))?;
    section(&mut text, "Figure 8: nodes expanded for an abstract path, 1 level", &cluster_sizes(summary))?;
    section(&mut text, "What else the paper says", &claims(summary))?;
    Ok(text)
}

fn table_2(summary: &Summary) -> Table {
    let mut table = vec![row(["graph", "nodes", "inter-edges", "intra-edges"])];
    table.extend(summary.table_2.iter().map(size_row));
    table
}

fn size_row(row: &SizeRow) -> Vec<String> {
    let SizeRow { graph, level, measured, published } = row;
    let name = match (graph, level) {
        (0, _) => "0 (cells and moves)".to_owned(),
        (_, Some(level)) => format!("{graph}, level {level}"),
        (_, None) => format!("{graph}, total"),
    };
    let both = |measured: f64, published: f64| format!("{measured:.0} ({published:.0})");
    vec![
        name,
        both(measured.nodes, published.nodes),
        both(measured.inter_edges, published.inter_edges),
        both(measured.intra_edges, published.intra_edges),
    ]
}

fn table_3(summary: &Summary) -> Table {
    let mut table = vec![row(["search", "published", LEVEL_NAMES[0], LEVEL_NAMES[1], LEVEL_NAMES[2]])];
    table.extend(summary.table_3.iter().map(|OpenRow { search, measured, published }| {
        let published = published.map_or_else(|| "–".to_owned(), |published| format!("{published:.2}"));
        let mut cells = vec![(*search).to_owned(), published];
        cells.extend(measured.iter().map(|open| format!("{open:.2}")));
        cells.resize(2 + LEVELS, String::new());
        cells
    }));
    table
}

/// Every way to search with what it took.
fn costs(bin: &Bin) -> Vec<(&'static str, &Cost)> {
    let mut costs = vec![("A*", &bin.astar), ("A* by the book", &bin.astar_by_the_book)];
    costs.extend(LEVEL_NAMES.into_iter().zip(&bin.levels));
    costs.push(("farstride's defaults", &bin.ours));
    costs
}

fn efforts(summary: &Summary) -> Table {
    let mut table = vec![row(["search", "SG", "main", "abstract", "refinement", "total", "µs"])];
    for (name, cost) in costs(&summary.overall) {
        let Cost { insert, main, refine, expanded, micros } = cost;
        let counts = [*insert, *main, insert + main, *refine, *expanded, *micros];
        let mut cells = vec![name.to_owned()];
        cells.extend(counts.iter().map(|count| format!("{count:.1}")));
        table.push(cells);
    }
    table
}

fn by_length(summary: &Summary) -> Table {
    let mut head = row(["length", "queries"]);
    head.extend(costs(&summary.overall).into_iter().map(|(name, _)| name.to_owned()));
    let mut table = vec![head];
    for bin in &summary.by_length_coarse {
        let mut cells = vec![format!("{}–{}", bin.from, bin.to), bin.queries.to_string()];
        cells.extend(costs(bin).iter().map(|(_, cost)| format!("{:.0} ({:.1})", cost.expanded, cost.micros)));
        table.push(cells);
    }
    table
}

fn errors(summary: &Summary) -> Table {
    let head = [
        "length",
        "queries",
        "before",
        "straight lines",
        "farstride's",
        "defaults, before",
        "defaults, after",
    ];
    let mut table = vec![row(head)];
    let mut add = |name: String, bin: &Bin| {
        let errors = &bin.error_pct;
        let mut cells = vec![name, bin.queries.to_string()];
        let values = [
            errors.before_smoothing,
            errors.after_straight_lines,
            errors.after_smoothing,
            errors.ours_before_smoothing,
            errors.ours_after_smoothing,
        ];
        cells.extend(values.iter().map(|value| format!("{value:.2}")));
        table.push(cells);
    };
    for bin in &summary.by_length_coarse {
        add(format!("{}–{}", bin.from, bin.to), bin);
    }
    add(format!("above {LONG}"), &summary.long);
    add("all".to_owned(), &summary.overall);
    table
}

fn cluster_sizes(summary: &Summary) -> Table {
    let mut table = vec![row(["cluster", "SG", "main", "total"])];
    let [all, long @ ..] = &summary.by_cluster[..] else { return table };
    table[0].extend(long.iter().map(|long| format!("total, length {}+", long.least_length)));
    for (at, size) in all.rows.iter().enumerate() {
        let totals = long.iter().map(|long| long.rows[at].total);
        let counts = [size.insert, size.main, size.total].into_iter().chain(totals);
        let mut cells = vec![size.cluster.to_string()];
        cells.extend(counts.map(|count| format!("{count:.1}")));
        table.push(cells);
    }
    table
}

/// Statements of the paper that have no table, beside what was measured.
fn claims(summary: &Summary) -> Table {
    let mut table = vec![row(["statement", "published", "measured"])];
    let mut add = |statement: &str, published: &str, measured: String| {
        table.push(vec![statement.to_owned(), published.to_owned(), measured]);
    };
    let faster = |bin: &Bin| bin.astar_by_the_book.micros / least(bin, |cost| cost.micros);
    let than_ours = |bin: &Bin| bin.astar.micros / least(bin, |cost| cost.micros);
    let fewer = |bin: &Bin| bin.astar_by_the_book.expanded / least(bin, |cost| cost.expanded);
    let defaults = |bin: &Bin| bin.astar.micros / bin.ours.micros;
    add("faster than A*, at best", "up to 10 times", best(summary, faster) + " than A* by the book");
    add("", "", best(summary, than_ours) + " than our A*");
    add("", "", best(summary, defaults) + " than our A* by our defaults");
    add("fewer nodes than A*, at best", "–", best(summary, fewer));
    let errors = &summary.long.error_pct;
    add("error before smoothing, length above 100", "4 to 6 %", format!("{:.2} %", errors.before_smoothing));
    let errors = &summary.overall.error_pct;
    add(
        "error after smoothing",
        "below 1 %",
        format!(
            "{:.2} % by straight lines, {:.2} % by ours",
            errors.after_straight_lines, errors.after_smoothing
        ),
    );
    add(
        "the number of levels does not change the path's length",
        "always",
        format!("{} of {} queries", summary.levels_agree, summary.queries),
    );
    for table in &summary.by_cluster {
        let statement = match table.least_length {
            0.0 => "cluster size with the least abstract effort".to_owned(),
            length => format!("the same, length {length} and more ({} queries)", table.queries),
        };
        add(&statement, if table.least_length == 0.0 { "10" } else { "–" }, table.best().to_string());
    }
    let overhead = format!("{:.2} %", published::OVERHEAD_PCT);
    add(
        "intra-edges of graph 3 per node and edge of graph 0",
        &overhead,
        format!("{:.2} %", summary.overhead_pct()),
    );
    let levels = &summary.overall.levels;
    let total = |level: &usize| levels[*level].expanded;
    let best_level = (0..LEVELS).min_by(|a, b| total(a).total_cmp(&total(b))).map_or(0, |level| level + 1);
    add("levels with the least total effort on these maps", "1", best_level.to_string());
    table
}

/// The least of something over the numbers of levels.
fn least(bin: &Bin, value: fn(&Cost) -> f64) -> f64 {
    bin.levels.iter().map(value).fold(f64::INFINITY, f64::min)
}

/// The largest of a ratio, and for which lengths it is that.
fn best(summary: &Summary, ratio: impl Fn(&Bin) -> f64) -> String {
    summary.best_bin(&ratio).map_or_else(
        || "–".to_owned(),
        |bin| format!("{:.1} times (length {} to {})", ratio(bin), bin.from, bin.to),
    )
}

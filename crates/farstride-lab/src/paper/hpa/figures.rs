//! The figures as charts.

use super::site::LEVELS;
use super::summary::{Bin, ClusterRow, ClusterTable, Cost, Errors, Summary};
use crate::chart::{Bar, BarChart, BarGroup, LineChart, Scale, Series};
use farstride_io::picture::Colour;

const BY_LENGTH: &str = "length of the shortest path";
const EXPANDED: &str = "expanded nodes";

/// Names of the hierarchies with 1, 2 and 3 levels.
pub(super) const LEVEL_NAMES: [&str; LEVELS] = ["1 level", "2 levels", "3 levels"];

/// Names and contents of the figures' files.
pub(super) fn draw(summary: &Summary) -> Vec<(&'static str, String)> {
    vec![
        (
            "figure-5-expanded.svg",
            efforts(summary, "Figure 5: expanded nodes", EXPANDED, |cost| cost.expanded),
        ),
        ("figure-5-time.svg", efforts(summary, "Figure 5: time", "µs", |cost| cost.micros)),
        ("figure-6-parts.svg", parts(summary)),
        ("figure-7-error.svg", errors(summary)),
        ("figure-8-cluster-size.svg", cluster_sizes(summary)),
    ]
}

/// A curve over the lengths of the paths.
fn by_length(bins: &[Bin], name: &str, value: impl Fn(&Bin) -> f64) -> Series {
    Series::new(name, bins.iter().map(|bin| (bin.middle(), value(bin))))
}

fn efforts(summary: &Summary, title: &str, label: &str, value: fn(&Cost) -> f64) -> String {
    let bins = &summary.by_length;
    let mut series = vec![
        by_length(bins, "A*", |bin| value(&bin.astar)),
        by_length(bins, "A* by the book", |bin| value(&bin.astar_by_the_book))
            .colour(Colour::path(0))
            .dashed(),
    ];
    for (level, name) in LEVEL_NAMES.into_iter().enumerate() {
        series.push(by_length(bins, name, |bin| value(&bin.levels[level])).colour(Colour::path(1 + level)));
    }
    series.push(by_length(bins, "farstride's defaults", |bin| value(&bin.ours)).colour(Colour::path(4)));
    LineChart {
        title: title.to_owned() + ", A* against hierarchies",
        x_label: BY_LENGTH.into(),
        y_label: label.into(),
        y_scale: Scale::Log10,
        series,
        ..LineChart::default()
    }
    .to_svg()
}

fn parts(summary: &Summary) -> String {
    let bar = |cost: &Cost, name: &str| Bar::new(name, [cost.main, cost.insert, cost.refine]);
    let group = |bin: &Bin| {
        let bars = bin.levels.iter().zip(["1", "2", "3"]).map(|(cost, name)| bar(cost, name));
        BarGroup::new(format!("{}–{}", bin.from, bin.to), bars)
    };
    BarChart {
        title: "Figure 6: what the effort consists of, on 1, 2 and 3 levels".into(),
        x_label: BY_LENGTH.into(),
        y_label: EXPANDED.into(),
        parts: ["main", "SG (insertion)", "refinement"].map(String::from).to_vec(),
        groups: summary.by_length_coarse.iter().map(group).collect(),
    }
    .to_svg()
}

fn errors(summary: &Summary) -> String {
    let curve = |name: &str, error: fn(&Errors) -> f64| {
        by_length(&summary.by_length, name, |bin| error(&bin.error_pct))
    };
    let series = vec![
        curve("before smoothing", |errors| errors.before_smoothing),
        curve("after, straight lines", |errors| errors.after_straight_lines),
        curve("after, farstride's", |errors| errors.after_smoothing),
        curve("defaults, before", |errors| errors.ours_before_smoothing).colour(Colour::path(4)).dashed(),
        curve("defaults, after", |errors| errors.ours_after_smoothing).colour(Colour::path(4)),
    ];
    LineChart {
        title: "Figure 7: error before and after smoothing".into(),
        x_label: BY_LENGTH.into(),
        y_label: "longer than the shortest, %".into(),
        series,
        ..LineChart::default()
    }
    .to_svg()
}

fn cluster_sizes(summary: &Summary) -> String {
    let curve = |name: String, table: &ClusterTable, value: fn(&ClusterRow) -> f64| {
        Series::new(name, table.rows.iter().map(|row| (f64::from(row.cluster), value(row))))
    };
    let mut series = Vec::new();
    for (number, table) in summary.by_cluster.iter().enumerate() {
        if number == 0 {
            series.push(curve("SG (insertion)".into(), table, |row| row.insert));
            series.push(curve("main".into(), table, |row| row.main));
            series.push(curve("total".into(), table, |row| row.total));
        } else {
            let name = format!("total, length {}+", table.least_length);
            series.push(curve(name, table, |row| row.total).dashed());
        }
    }
    LineChart {
        title: "Figure 8: effort for an abstract path by cluster size, 1 level".into(),
        x_label: "side of a cluster, cells".into(),
        y_label: EXPANDED.into(),
        series,
        ..LineChart::default()
    }
    .to_svg()
}

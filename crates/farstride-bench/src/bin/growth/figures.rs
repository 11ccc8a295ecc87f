//! What was measured, as a table and as charts.

use farstride_lab::chart::{LineChart, Scale, Series};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// What one map showed; times in microseconds. What was not measured is left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) engine: String,
    pub(crate) kind: String,
    pub(crate) side: usize,
    pub(crate) free: usize,
    pub(crate) build: Option<f64>,
    pub(crate) bytes: Option<usize>,
    pub(crate) path: Option<f64>,
    pub(crate) first: Option<Spread>,
    /// The same where all queries are asked in turn, once each.
    pub(crate) path_once: Option<f64>,
    pub(crate) first_once: Option<Spread>,
    pub(crate) edit: Option<Spread>,
    /// The worst cut: closing a gap, and opening it.
    pub(crate) cut: Option<[f64; 2]>,
    /// How much dearer paths are than the shortest, in percent.
    pub(crate) excess: Option<Spread>,
    /// Pages of the mapped index that a query touches.
    pub(crate) pages: Option<Spread>,
    /// Why this is the largest map it was asked about.
    pub(crate) gave_up: Option<String>,
}

/// Some values of one kind.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) p99: f64,
    pub(crate) worst: f64,
}

impl Spread {
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let p99 = values.get((values.len() * 99).div_ceil(100).saturating_sub(1));
        Self {
            mean: mean(&values),
            p99: p99.copied().unwrap_or(0.0),
            worst: values.last().copied().unwrap_or(0.0),
        }
    }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub(crate) fn table(rows: &[Figures]) -> Result<String, std::fmt::Error> {
    let mut text = String::from(
        "| engine | map | side | free cells | build s | bytes per free cell | path µs | first move µs | 99th percentile | \
         path once µs | first move once µs | 99th percentile | \
         edit µs | 99th percentile | worst | worst cut: close µs | open | excess % | worst | pages of a query | |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n",
    );
    let show = |value: Option<f64>, digits: usize| {
        value.map_or_else(String::new, |value| format!("{value:.digits$}"))
    };
    for row in rows {
        let Figures {
            engine,
            kind,
            side,
            free,
            build,
            bytes,
            path,
            first,
            path_once,
            first_once,
            edit,
            cut,
            excess,
            pages,
            gave_up,
        } = row;
        writeln!(
            text,
            "| {engine} | {kind} | {side} | {free} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            show(build.map(|build| build / 1e6), 3),
            show(bytes.map(|bytes| bytes as f64 / *free as f64), 2),
            show(*path, 1),
            show(first.map(|first| first.mean), 1),
            show(first.map(|first| first.p99), 1),
            show(*path_once, 1),
            show(first_once.map(|first| first.mean), 1),
            show(first_once.map(|first| first.p99), 1),
            show(edit.map(|edit| edit.mean), 0),
            show(edit.map(|edit| edit.p99), 0),
            show(edit.map(|edit| edit.worst), 0),
            show(cut.map(|[close, _]| close), 0),
            show(cut.map(|[_, open]| open), 0),
            show(excess.map(|excess| excess.mean), 2),
            show(excess.map(|excess| excess.worst), 1),
            show(pages.map(|pages| pages.mean), 0),
            gave_up.as_deref().unwrap_or_default(),
        )?;
    }
    Ok(text)
}

/// A figure that gets a chart: name of the file, title, axis and value.
type Measure = (&'static str, &'static str, &'static str, fn(&Figures) -> Option<f64>);

const MEASURES: [Measure; 5] = [
    ("build", "build on all cores", "seconds", |row| row.build.map(|build| build / 1e6)),
    ("index", "index", "megabytes", |row| row.bytes.map(|bytes| bytes as f64 / 1e6)),
    ("path", "path, mean", "microseconds", |row| row.path),
    ("first", "first move, 99th percentile", "microseconds", |row| row.first.map(|first| first.p99)),
    ("edit", "edit of one cell, mean", "microseconds", |row| row.edit.map(|edit| edit.mean)),
];

/// A chart for every figure of the engine by kind of map, and one with all crates on the first
/// kind.
pub(crate) fn charts(rows: &[Figures], engine: &str) -> Vec<(&'static str, LineChart)> {
    let mut charts = Vec::new();
    let ours = || rows.iter().filter(|row| row.engine == engine);
    for (name, title, unit, value) in MEASURES {
        let series = distinct(ours().map(|row| &row.kind)).into_iter().map(|kind| {
            let points =
                ours().filter(|row| row.kind == kind).filter_map(|row| Some((row.side as f64, value(row)?)));
            Series::new(kind, points)
        });
        charts.push((name, chart(format!("{engine}: {title}"), unit, series.collect())));
    }
    if let Some(kind) = rows.iter().find(|row| row.engine != engine).map(|row| &row.kind) {
        let here = || rows.iter().filter(|row| &row.kind == kind);
        let series = distinct(here().map(|row| &row.engine)).into_iter().map(|who| {
            let points =
                here().filter(|row| row.engine == who).filter_map(|row| Some((row.side as f64, row.path?)));
            Series::new(who, points)
        });
        charts.push(("rivals", chart(format!("path, mean, on {kind}"), "microseconds", series.collect())));
    }
    charts
}

fn chart(title: String, unit: &str, series: Vec<Series>) -> LineChart {
    LineChart {
        title,
        x_label: "side of the map in cells".into(),
        y_label: unit.into(),
        x_scale: Scale::Log2,
        y_scale: Scale::Log10,
        series,
    }
}

/// Names in the order in which they appear, each once.
fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name.as_str()) {
            distinct.push(name);
        }
    }
    distinct
}

//! The speed-ups as charts.

use super::published::Family;
use super::summary::{SetRow, Summary};
use crate::chart::{Bar, BarChart, BarGroup};

/// Names and contents of the figures' files: one for every kind of maps that
/// was found, since they differ by orders of magnitude.
pub(super) fn draw(summary: &Summary) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for family in Family::ALL {
        let sets: Vec<_> = summary.sets.iter().filter(|set| set.family == family).collect();
        if !sets.is_empty() {
            files.push((format!("speedup-{}.svg", family.name()), chart(family, &sets)));
        }
    }
    files
}

fn chart(family: Family, sets: &[&SetRow]) -> String {
    BarChart {
        title: format!("Times as fast as A*: {}", family.name()),
        x_label: "each method measured, and beside it as published".into(),
        y_label: "mean run time of A* / mean run time".into(),
        parts: ["measured", "published"].map(String::from).to_vec(),
        groups: sets.iter().map(|set| group(set)).collect(),
    }
    .to_svg()
}

/// Two bars for every method but A*; colours go by part, so that each bar has
/// one part and nothing of the other.
fn group(set: &SetRow) -> BarGroup {
    let bars = set.methods.iter().skip(1).flat_map(|method| {
        let published = method.speedup.published.unwrap_or_default();
        [Bar::new(method.method, [method.speedup.measured]), Bar::new("", [0.0, published])]
    });
    BarGroup::new(set.set, bars)
}

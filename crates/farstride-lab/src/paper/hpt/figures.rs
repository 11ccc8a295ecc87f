//! The figures as charts.

use super::gather::{Figures, Sample};
use super::methods::Method;
use crate::chart::{LineChart, LineStyle, Scale, Series};

/// Most points of a series: more only cover each other.
const MOST_POINTS: usize = 2000;
/// What is drawn, the last one uppermost.
const DRAWN: [Method; 4] = [Method::Theta, Method::Astar, Method::Hpa, Method::Hpt];

/// Names and contents of the figures' files.
pub(super) fn draw(samples: &[Sample]) -> Vec<(&'static str, String)> {
    vec![
        (
            "figure-4-length.svg",
            chart(samples, "Figure 4: length of the path", "length", Scale::Linear, |figures| figures.length),
        ),
        (
            "figure-5-visits.svg",
            chart(samples, "Figure 5: visits", "visits", Scale::Log10, |figures| figures.visits() as f64),
        ),
        (
            "figure-6-nodes.svg",
            chart(samples, "Figure 6: most nodes in memory", "nodes in memory", Scale::Log10, |figures| {
                figures.nodes as f64
            }),
        ),
    ]
}

/// A point for every problem, or for every nth if there are too many.
fn chart(samples: &[Sample], title: &str, label: &str, y_scale: Scale, value: fn(&Figures) -> f64) -> String {
    let step = samples.len().div_ceil(MOST_POINTS).max(1);
    let series = |method: Method| {
        let points = samples.iter().step_by(step);
        let points = points.map(|sample| (sample.of(Method::Astar).length, value(sample.of(method))));
        Series { style: LineStyle::Dots, ..Series::new(method.name(), points) }
    };
    let shown = match step {
        1 => "every problem".to_owned(),
        _ => format!("one problem in {step}"),
    };
    LineChart {
        title: format!("{title}, {shown}"),
        x_label: "length of A*'s path".into(),
        y_label: label.into(),
        y_scale,
        series: DRAWN.map(series).into(),
        ..LineChart::default()
    }
    .to_svg()
}

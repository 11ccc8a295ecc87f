//! Curves.

use super::axis::{Axis, Scale};
use super::sheet::{MARK, Pen, Sample, Sheet, TICK_FONT, TICK_LEADING, Texts};
use crate::svg::Shape;
use crate::svg::legend::Entry;
use crate::svg::text::widest;
use farstride_io::picture::Colour;
use std::cmp::Ordering;

/// About how many labels an axis has.
const X_STEPS: u16 = 10;
const Y_STEPS: u16 = 8;
/// Most points of a curve that are marked; more would run into each other.
const MAX_MARKED: usize = 48;
/// Width of the dots of a cloud, and steps per pixel that they are placed in:
/// finer ones are not seen, and take room in the file.
const SPECK: f64 = 2.6;
const PLACES: f64 = 2.0;

/// Curves over two axes, with a legend.
///
/// # Example
/// What a paper published beside what was measured, in the same colour:
/// ```
/// use farstride_lab::chart::{LineChart, Series};
/// use farstride_io::picture::Colour;
///
/// let chart = LineChart {
///     title: "Expanded nodes by solution length".into(),
///     x_label: "solution length".into(),
///     y_label: "expanded nodes".into(),
///     series: vec![
///         Series::new("A*", [(100.0, 2100.0), (200.0, 5300.0)]).colour(Colour::path(1)),
///         Series::new("A*, published", [(100.0, 2000.0), (200.0, 5000.0)]).colour(Colour::path(1)).dashed(),
///     ],
///     ..LineChart::default()
/// };
/// assert_eq!(chart.to_svg(), chart.to_svg());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineChart {
    /// Above everything else; none of these texts is drawn if it is empty.
    pub title: String,
    /// Below the x axis.
    pub x_label: String,
    /// Beside the y axis, turned.
    pub y_label: String,
    /// Of the x axis.
    pub x_scale: Scale,
    /// Of the y axis.
    pub y_scale: Scale,
    /// Curves, the last one uppermost.
    pub series: Vec<Series>,
}

/// One curve of a [`LineChart`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// In the legend, unless it is empty.
    pub name: String,
    /// As x and y, in the order in which the curve passes them. It is broken at
    /// points that cannot be drawn, such as those that are not numbers.
    pub points: Vec<(f64, f64)>,
    /// Without one, the n-th series takes [`Colour::path`] of n.
    pub colour: Option<Colour>,
    /// How its points are joined.
    pub style: LineStyle,
}

/// How the points of a curve are joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum LineStyle {
    /// By a line.
    #[default]
    Solid,
    /// By a dashed line, with hollow marks: published values.
    Dashed,
    /// Not at all; every point is marked, however many there are. Many are
    /// marked by small dots: a cloud.
    Dots,
}

impl Series {
    /// A solid line in a colour of the chart's choice.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), ..Self::default() }
    }

    /// Sets the colour.
    #[must_use]
    pub fn colour(self, colour: Colour) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// Makes it a dashed line.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { style: LineStyle::Dashed, ..self }
    }

    /// Whether it is a cloud of small dots.
    fn is_cloud(&self) -> bool {
        self.style == LineStyle::Dots && self.points.len() > MAX_MARKED
    }

    fn pen(&self, number: usize) -> Pen {
        Pen {
            colour: self.colour.unwrap_or(Colour::path(number)),
            has_line: self.style != LineStyle::Dots,
            dashed: self.style == LineStyle::Dashed,
            marked: self.style == LineStyle::Dots || self.points.len() <= MAX_MARKED,
            mark: if self.is_cloud() { SPECK } else { MARK },
        }
    }
}

impl LineChart {
    /// The chart as a file of scalable vector graphics.
    pub fn to_svg(&self) -> String {
        let (x, y) = (self.x_axis(), self.y_axis());
        let overhang = widest(x.labels(), TICK_FONT) / 2.0 + 6.0;
        let mut sheet = Sheet::open(&self.texts(), &y, overhang, |_| TICK_LEADING);
        sheet.y_axis(&y);
        sheet.x_axis(&x);
        sheet.border();
        for (number, series) in self.series.iter().enumerate() {
            draw(&mut sheet, &x, &y, series, series.pen(number));
        }
        sheet.close()
    }

    fn texts(&self) -> Texts<'_> {
        let sample = |number: usize, series: &Series| Sample::Line(series.pen(number));
        let entries = self.series.iter().enumerate();
        let legend =
            entries.map(|(number, series)| Entry { name: &series.name, sample: sample(number, series) });
        Texts { title: &self.title, x_label: &self.x_label, y_label: &self.y_label, legend: legend.collect() }
    }

    /// A point with one coordinate that cannot be drawn does not stretch the
    /// axis of the other.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let all = self.series.iter().flat_map(|series| series.points.iter().copied());
        all.filter(|&(x, y)| self.x_scale.admits(x) && self.y_scale.admits(y))
    }

    fn x_axis(&self) -> Axis {
        Axis::spanning(self.x_scale, self.points().map(|(x, _)| x), X_STEPS)
    }

    fn y_axis(&self) -> Axis {
        Axis::spanning(self.y_scale, self.points().map(|(_, y)| y), Y_STEPS)
    }
}

fn draw(sheet: &mut Sheet, x: &Axis, y: &Axis, series: &Series, pen: Pen) {
    let (mut line, mut marks) = (Shape::default(), Shape::default());
    let place = |&(along, up): &(f64, f64)| Some((sheet.x(x, along)?, sheet.y(y, up)?));
    let mut places: Vec<_> = series.points.iter().map(place).collect();
    if series.is_cloud() {
        thin(&mut places);
    }
    for run in places.split(Option::is_none) {
        for (index, &(x, y)) in run.iter().flatten().enumerate() {
            if index == 0 {
                line.start(x, y);
            } else {
                line.on(x, y);
            }
            // A lone point has no line to be seen by.
            if pen.marked || run.len() == 1 {
                marks.dot(x, y);
            }
        }
    }
    sheet.line(&line, pen);
    sheet.marks(&marks, pen);
}

/// Leaves one dot of those that nearly cover each other.
fn thin(places: &mut Vec<Option<(f64, f64)>>) {
    let rounded = |at: f64| (at * PLACES).round() / PLACES;
    places.iter_mut().flatten().for_each(|place| *place = (rounded(place.0), rounded(place.1)));
    places.retain(Option::is_some);
    places.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    places.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{SPECIAL, texts};

    fn chart(series: Vec<Series>) -> LineChart {
        LineChart {
            title: "Growth <of> A & B".into(),
            x_label: "side".into(),
            y_label: "time".into(),
            x_scale: Scale::Log2,
            y_scale: Scale::Log10,
            series,
        }
    }

    #[test]
    fn every_text_is_there() {
        let chart = chart(vec![
            Series::new("A*", [(256.0, 0.6), (4096.0, 900.0)]),
            Series::new("published", [(512.0, 2.0), (2048.0, 70.0)]).dashed(),
            Series::new("", [(300.0, 2.0)]),
        ]);
        let svg = chart.to_svg();
        let expected = [
            "Growth &lt;of&gt; A &amp; B",
            "side",
            "time",
            "A*",
            "published",
            "1",
            "10",
            "100",
            "1000",
            "256",
            "512",
            "1024",
            "2048",
            "4096",
        ];
        let found = texts(&svg);
        for text in expected {
            assert!(found.contains(&text), "{text} in {found:?}");
        }
        assert!(svg.contains("height=\"560\""), "{svg}");
        assert_eq!(svg, chart.clone().to_svg());
    }

    /// Shapes of the lines drawn in this colour, and of the marks.
    fn shapes(svg: &str, colour: Colour) -> (Vec<&str>, Vec<&str>) {
        let colour = format!("stroke=\"{colour}\"");
        let paths = svg.lines().filter(|line| line.starts_with("<path d=") && line.contains(&colour));
        paths.filter_map(|line| line.split('"').nth(1)).partition(|shape| !shape.ends_with("h0"))
    }

    #[test]
    fn a_curve_is_broken_where_it_cannot_be_drawn() {
        let points = [(1.0, 1.0), (2.0, 4.0), (3.0, f64::NAN), (4.0, 2.0), (f64::INFINITY, 1.0), (5.0, 5.0)];
        let line = LineChart { series: vec![Series::new("", points)], ..LineChart::default() };
        let svg = line.to_svg();
        let (lines, marks) = shapes(&svg, Colour::path(0));
        assert_eq!([lines.len(), marks.len()], [1, 1], "{svg}");
        assert_eq!([lines[0].matches('M').count(), lines[0].matches('L').count()], [3, 1]);
        assert_eq!(marks[0].matches('M').count(), 4);
        assert!(texts(&svg).contains(&"5"));
    }

    #[test]
    fn a_value_that_is_left_out_stretches_no_axis() {
        let series = vec![Series::new("", [(256.0, 1.0), (512.0, 10.0), (1_048_576.0, 0.0)])];
        let svg = chart(series).to_svg();
        assert!(!texts(&svg).contains(&"1024"), "{svg}");
    }

    #[test]
    fn lone_points_are_seen_among_many() {
        let wave = |x: i32| if x % 50 == 49 || x == 51 { f64::NAN } else { f64::from(x % 7) };
        let points = (0..200).map(|x| (f64::from(x), wave(x)));
        let dense = Series::new("", points);
        let marks = |style| {
            let series = vec![Series { style, ..dense.clone() }];
            let svg = LineChart { series, ..LineChart::default() }.to_svg();
            shapes(&svg, Colour::path(0)).1.concat().matches('M').count()
        };
        assert_eq!(marks(LineStyle::Solid), 1);
        assert_eq!(marks(LineStyle::Dashed), 1);
        assert_eq!(marks(LineStyle::Dots), 195);
    }

    #[test]
    fn many_dots_are_small_and_do_not_cover_each_other() {
        let draw = |count: usize| {
            let points = (0..count).map(|number| ((number % 100) as f64, (number % 7) as f64));
            let series = Series { style: LineStyle::Dots, ..Series::new("", points) };
            let svg = LineChart { series: vec![series], ..LineChart::default() }.to_svg();
            (shapes(&svg, Colour::path(0)).1.concat().matches('M').count(), svg)
        };
        let (dots, few) = draw(40);
        assert!(dots == 40 && few.contains("stroke-width=\"7.5\""), "{few}");
        let (dots, many) = draw(7000);
        assert!(dots == 700 && !many.contains("stroke-width=\"7.5\""), "{many}");
        assert!(many.len() < 700 * 15 + 4000, "{}", many.len());
    }

    #[test]
    fn dashes_and_colours_reach_the_legend() {
        let series = Series::new("published", [(1.0, 1.0), (2.0, 2.0)]).dashed().colour(Colour::GOAL);
        let svg = LineChart { series: vec![series], ..LineChart::default() }.to_svg();
        assert_eq!(svg.matches("stroke-dasharray").count(), 2, "{svg}");
        assert_eq!(shapes(&svg, Colour::GOAL).0.len(), 2, "{svg}");
    }

    #[test]
    fn a_long_legend_makes_the_chart_taller_and_the_plot_no_smaller() {
        let series = |count: usize| vec![Series::new("a series with a name", [(1.0, 1.0)]); count];
        let plain = chart(series(1)).to_svg();
        let tall = chart(series(40)).to_svg();
        assert_eq!(texts(&tall).iter().filter(|text| text.starts_with("a series")).count(), 40);
        let height = |svg: &str| -> f64 {
            let (_, rest) = svg.split_once("height=\"").unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        assert!(height(&tall) > height(&plain) + 100.0);
    }

    #[test]
    fn special_values_never_break_a_chart() {
        let scales = [Scale::Linear, Scale::Log10, Scale::Log2];
        for (x_scale, y_scale) in scales.into_iter().flat_map(|x| scales.map(|y| (x, y))) {
            let draw = |points: &[(f64, f64)]| {
                let series = vec![Series::new("s", points.iter().copied()), Series::default()];
                texts(&LineChart { x_scale, y_scale, series, ..LineChart::default() }.to_svg());
            };
            draw(&[]);
            for a in SPECIAL {
                draw(&[(a, a)]);
                draw(&[(a, 1.0), (2.0, a), (1.0, 2.0)]);
                for b in SPECIAL {
                    draw(&[(a, b), (b, a)]);
                }
            }
        }
    }
}

//! Stacked bars in groups.

use super::axis::{Axis, Scale};
use super::sheet::{Sample, Sheet, TICK_FONT, TICK_LEADING, Texts};
use crate::svg::Shape;
use crate::svg::legend::Entry;
use crate::svg::text::{HALF_HEIGHT, fitted, widest};
use farstride_io::picture::Colour;
use std::iter;

/// About how many labels the y axis has.
const Y_STEPS: u16 = 8;
/// Share of its place that a group takes, and a bar.
const GROUP_SHARE: f64 = 0.84;
const BAR_SHARE: f64 = 0.86;
/// Most pixels from bar to bar.
const MAX_PITCH: f64 = 64.0;
/// Height of the letters in names of bars, and the most pixels that turned ones
/// take.
const NAME_FONT: f64 = 11.5;
const MAX_TURNED: f64 = 90.0;
/// Pixels that are always left to the name of a group, and between two of them.
const LEAST_NAME: f64 = 60.0;
const NAME_GAP: f64 = 8.0;

/// Groups of bars, each a stack of the same parts, with a legend of the parts.
///
/// # Example
/// The effort of three levels by the length of the path:
/// ```
/// use farstride_lab::chart::{Bar, BarChart, BarGroup};
///
/// let chart = BarChart {
///     title: "Effort by level".into(),
///     x_label: "solution length".into(),
///     y_label: "expanded nodes".into(),
///     parts: ["main", "SG", "refinement"].map(String::from).to_vec(),
///     groups: vec![
///         BarGroup::new("100", [Bar::new("1", [180.0, 60.0, 90.0]), Bar::new("2", [70.0, 95.0, 90.0])]),
///         BarGroup::new("200", [Bar::new("1", [420.0, 60.0, 190.0]), Bar::new("2", [150.0, 95.0, 190.0])]),
///     ],
/// };
/// assert!(chart.to_svg().contains("refinement"));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BarChart {
    /// Above everything else; none of these texts is drawn if it is empty.
    pub title: String,
    /// Below the names of the groups.
    pub x_label: String,
    /// Beside the y axis, turned.
    pub y_label: String,
    /// Names of what bars are stacked of, from the bottom up; the n-th has the
    /// colour [`Colour::path`] of n.
    pub parts: Vec<String>,
    /// From left to right, each in a place of the same width.
    pub groups: Vec<BarGroup>,
}

/// Bars side by side, of one value of x.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BarGroup {
    /// Below the group, unless there are so many that it does not fit.
    pub name: String,
    /// From left to right.
    pub bars: Vec<Bar>,
}

/// A stack of parts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bar {
    /// Below the bar, turned if it does not fit, and left out if it does not
    /// fit even so.
    pub name: String,
    /// Heights from the bottom up, in the order of [`BarChart::parts`]. Those
    /// that are not above zero, or no number, take no room.
    pub parts: Vec<f64>,
}

impl BarGroup {
    /// A group of bars.
    pub fn new(name: impl Into<String>, bars: impl IntoIterator<Item = Bar>) -> Self {
        Self { name: name.into(), bars: bars.into_iter().collect() }
    }
}

impl Bar {
    /// A stack of parts.
    pub fn new(name: impl Into<String>, parts: impl IntoIterator<Item = f64>) -> Self {
        Self { name: name.into(), parts: parts.into_iter().collect() }
    }

    /// Number, bottom and top of every part that can be seen.
    fn stack(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        let mut top = 0.0;
        self.parts.iter().enumerate().filter_map(move |(number, &height)| {
            let bottom = top;
            let grows = height > 0.0 && Scale::Linear.admits(bottom + height);
            grows.then(|| {
                top = bottom + height;
                (number, bottom, top)
            })
        })
    }
}

impl BarChart {
    /// The chart as a file of scalable vector graphics.
    pub fn to_svg(&self) -> String {
        let tops = self.bars().flat_map(Bar::stack).map(|(_, _, top)| top);
        let y = Axis::spanning(Scale::Linear, iter::once(0.0).chain(tops), Y_STEPS);
        let layout = |width| Layout::new(self, width);
        let mut sheet = Sheet::open(&self.texts(), &y, LEAST_NAME / 2.0, |width| layout(width).tick_room());
        let layout = layout(sheet.width());
        sheet.y_axis(&y);
        self.draw_bars(&mut sheet, &y, &layout);
        sheet.border();
        self.draw_bar_names(&mut sheet, &layout);
        self.draw_group_names(&mut sheet, &layout);
        sheet.close()
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|group| &group.bars)
    }

    fn texts(&self) -> Texts<'_> {
        let sample = |number| Sample::Block(Colour::path(number));
        let entries = self.parts.iter().enumerate();
        let legend = entries.map(|(number, name)| Entry { name, sample: sample(number) });
        let Self { title, x_label, y_label, .. } = self;
        Texts { title, x_label, y_label, legend: legend.collect() }
    }

    /// All parts of one number are one path.
    fn draw_bars(&self, sheet: &mut Sheet, y: &Axis, layout: &Layout) {
        let mut shapes: Vec<Shape> = Vec::new();
        let width = layout.pitch * BAR_SHARE;
        for (centre, bar) in self.placed(layout) {
            let left = sheet.left() + centre - width / 2.0;
            for (number, bottom, top) in bar.stack() {
                shapes.resize_with(shapes.len().max(number + 1), Shape::default);
                if let (Some(bottom), Some(top)) = (sheet.y(y, bottom), sheet.y(y, top)) {
                    shapes[number].block(left, width, bottom, top);
                }
            }
        }
        for (number, shape) in shapes.iter().enumerate() {
            sheet.area(shape, Colour::path(number));
        }
    }

    fn draw_bar_names(&self, sheet: &mut Sheet, layout: &Layout) {
        let below = sheet.bottom();
        for (centre, bar) in self.placed(layout) {
            let x = sheet.left() + centre;
            match layout.names {
                Names::Hidden => {}
                Names::Flat => sheet.text(x, below + NAME_FONT + 3.0, &bar.name, "middle", NAME_FONT, ""),
                Names::Turned { room } => {
                    let name = fitted(&bar.name, NAME_FONT, room);
                    // Turned by a quarter, x runs up and y to the right.
                    let (up, right) = (-(below + 5.0), x + NAME_FONT * HALF_HEIGHT);
                    sheet.text(up, right, &name, "end", NAME_FONT, " transform=\"rotate(-90)\"");
                }
            }
        }
    }

    fn draw_group_names(&self, sheet: &mut Sheet, layout: &Layout) {
        let baseline = sheet.bottom() + layout.tick_room() - 4.0;
        for (number, group) in self.groups.iter().enumerate().step_by(layout.stride) {
            let centre = sheet.left() + layout.centre(number);
            let name = fitted(&group.name, TICK_FONT, layout.name_room());
            sheet.text(centre, baseline, &name, "middle", TICK_FONT, "");
        }
    }

    /// Bars with the pixels from the left of the plot to their middle.
    fn placed<'c>(&'c self, layout: &'c Layout) -> impl Iterator<Item = (f64, &'c Bar)> {
        self.groups.iter().enumerate().flat_map(move |(number, group)| {
            let first = layout.centre(number) - layout.pitch * (group.bars.len() as f64 - 1.0) / 2.0;
            group.bars.iter().enumerate().map(move |(index, bar)| (first + layout.pitch * index as f64, bar))
        })
    }
}

/// Where bars and their names are, in pixels.
struct Layout {
    /// From group to group.
    place: f64,
    /// From bar to bar.
    pitch: f64,
    /// How the names of bars are written.
    names: Names,
    /// Every how many groups a name is written.
    stride: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Names {
    Hidden,
    Flat,
    Turned { room: f64 },
}

impl Layout {
    fn new(chart: &BarChart, width: f64) -> Self {
        let most = chart.groups.iter().map(|group| group.bars.len()).max().unwrap_or(0).max(1);
        let place = width / chart.groups.len().max(1) as f64;
        let pitch = (place * GROUP_SHARE / most as f64).min(MAX_PITCH);
        let names = Names::choose(widest(chart.bars().map(|bar| bar.name.as_str()), NAME_FONT), pitch);
        let mut layout = Self { place, pitch, names, stride: 1 };
        let name = widest(chart.groups.iter().map(|group| group.name.as_str()), TICK_FONT);
        layout.stride = ((name.min(layout.name_room()) + NAME_GAP) / place).ceil().max(1.0) as usize;
        layout
    }

    /// Pixels from the left of the plot to the middle of a group.
    fn centre(&self, group: usize) -> f64 {
        self.place * (group as f64 + 0.5)
    }

    /// Pixels that the name of a group may take: the place of the group, or of
    /// several if names would be cut too short.
    fn name_room(&self) -> f64 {
        (self.place - NAME_GAP).max(LEAST_NAME)
    }

    /// Pixels that all names take below the axis.
    fn tick_room(&self) -> f64 {
        let names = match self.names {
            Names::Hidden => 0.0,
            Names::Flat => NAME_FONT + 3.0,
            Names::Turned { room } => room + 5.0,
        };
        TICK_LEADING + 3.0 + names
    }
}

impl Names {
    fn choose(widest: f64, pitch: f64) -> Self {
        if widest == 0.0 {
            Self::Hidden
        } else if widest <= pitch {
            Self::Flat
        } else if NAME_FONT <= pitch {
            Self::Turned { room: widest.min(MAX_TURNED) }
        } else {
            Self::Hidden
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{SPECIAL, texts};

    fn chart(groups: usize, bar_names: &[&str]) -> BarChart {
        let bars = || bar_names.iter().map(|&name| Bar::new(name, [300.0, 200.0, 100.0]));
        BarChart {
            title: "Effort".into(),
            x_label: "solution length".into(),
            y_label: "nodes".into(),
            parts: ["main", "SG", "refinement"].map(String::from).to_vec(),
            groups: (0..groups).map(|number| BarGroup::new(format!("{}", 20 * number), bars())).collect(),
        }
    }

    #[test]
    fn every_text_is_there() {
        let chart = chart(10, &["1", "2", "3"]);
        let svg = chart.to_svg();
        let found = texts(&svg);
        for text in ["Effort", "solution length", "nodes", "main", "SG", "refinement", "1", "2", "3", "600"] {
            assert!(found.contains(&text), "{text} in {found:?}");
        }
        for group in &chart.groups {
            assert!(found.contains(&group.name.as_str()), "{} in {found:?}", group.name);
        }
        assert_eq!(svg, chart.clone().to_svg());
    }

    #[test]
    fn parts_stand_on_each_other() {
        let bar = Bar::new("", [3.0, 0.0, f64::NAN, 2.0, -1.0, f64::INFINITY, 4.0]);
        let stack: Vec<_> = bar.stack().collect();
        assert_eq!(stack, [(0, 0.0, 3.0), (3, 3.0, 5.0), (6, 5.0, 9.0)]);
    }

    #[test]
    fn a_part_is_one_path_over_all_bars() {
        let svg = chart(4, &["1", "2"]).to_svg();
        for number in 0..3 {
            let colour = format!("fill=\"{}\"", Colour::path(number));
            let shapes: Vec<_> = svg.lines().filter(|line| line.contains(&colour)).collect();
            // The one in the legend comes first.
            assert_eq!(shapes.iter().map(|shape| shape.matches('M').count()).collect::<Vec<_>>(), [1, 8]);
        }
    }

    #[test]
    fn names_turn_and_then_vanish_as_bars_become_thin() {
        let names = |groups, names: &[&str]| Layout::new(&chart(groups, names), 800.0).names;
        assert_eq!(names(10, &["1", "2", "3"]), Names::Flat);
        assert!(matches!(names(10, &["level 1", "level 2", "level 3"]), Names::Turned { .. }));
        assert_eq!(names(60, &["level 1", "level 2", "level 3"]), Names::Hidden);
        assert_eq!(names(10, &["", ""]), Names::Hidden);
        let long = "x".repeat(1000);
        assert_eq!(names(10, &[&long]), Names::Turned { room: MAX_TURNED });
    }

    #[test]
    fn names_of_many_groups_are_thinned_out() {
        let stride = |groups| Layout::new(&chart(groups, &["1"]), 800.0).stride;
        assert_eq!(stride(10), 1);
        assert!((2..8).contains(&stride(50)), "{}", stride(50));
        assert!(stride(5000) > 100);
    }

    #[test]
    fn groups_of_fewer_bars_are_centred() {
        let mut chart = chart(2, &["1", "2", "3"]);
        chart.groups[1].bars.truncate(1);
        let layout = Layout::new(&chart, 800.0);
        let centres: Vec<_> = chart.placed(&layout).map(|(centre, _)| centre).collect();
        assert_eq!(centres, [136.0, 200.0, 264.0, 600.0]);
    }

    #[test]
    fn special_values_never_break_a_chart() {
        texts(&BarChart::default().to_svg());
        texts(&chart(3, &[]).to_svg());
        texts(&chart(2000, &["1", "2"]).to_svg());
        for a in SPECIAL {
            for b in SPECIAL {
                let mut chart = chart(1, &["1"]);
                chart.groups[0].bars[0].parts = vec![a, b, 1.0, a];
                texts(&chart.to_svg());
                chart.groups[0].bars[0].parts = vec![b];
                texts(&chart.to_svg());
            }
        }
    }
}

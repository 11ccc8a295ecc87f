//! Diagrams of graphs as SVG or PNG: nodes, edges and portals, groups of several
//! levels, routes, and the rooms or cells below them.
//!
//! A [`Panel`] is one graph, given as plain data: positions in any unit, and
//! numbers of nodes. A [`Diagram`] sets panels side by side or one below the
//! other, such as a graph and the graph of its groups, under a title and above a
//! legend. Labels take the place where they cover least; the same data give the
//! same bytes.
//!
//! ```
//! use farstride_lab::diagram::{Diagram, Edge, Group, Node, Panel, Route, Sample};
//!
//! let mut ground = Panel::new("Level 0");
//! ground
//!     .nodes([(0.0, 0.0), (2.0, 1.0), (5.0, 1.0), (7.0, 0.0)])
//!     .edges([Edge::between(0, 1).cost(2), Edge::between(1, 2).cost(3), Edge::one_way(2, 3).cost(2)])
//!     .edge(Edge::one_way(3, 0).portal())
//!     .group(Group::of([0, 1]).name("west").representative(1))
//!     .group(Group::of([2, 3]).name("east").representative(2))
//!     .route(Route::through([0, 1, 2, 3]).name("A*").cost(7));
//! let mut above = Panel::new("Level 1");
//! above
//!     .nodes([Node::named(0.0, 0.0, "west"), Node::named(4.0, 0.0, "east")])
//!     .edges([Edge::one_way(0, 1).cost(3), Edge::one_way(1, 0).cost(1)]);
//!
//! let mut diagram = Diagram::new("Two groups");
//! diagram.width(900).panel(ground).panel(above).legend(Sample::Portal, "portal");
//! assert!(diagram.to_svg()?.contains("A*: cost 7"));
//! assert!(diagram.to_png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), farstride_lab::diagram::DiagramError>(())
//! ```

mod canvas;
mod draw;
mod label;
mod layout;
mod names;
mod panel;
mod parts;
mod sample;
mod shape;

pub use panel::Panel;
pub use parts::{Area, Edge, Group, Node, Route};
pub use sample::Sample;

use farstride_io::picture::PictureError;
use std::error::Error;
use std::fmt;

/// Panels under a title and above a legend.
///
/// # Guarantee
/// The same data give the same bytes. Nothing panics; what cannot be drawn is an
/// error of [`Diagram::to_svg`] and [`Diagram::to_png`].
///
/// # Complexity
/// Nodes, edges and groups take time and bytes in proportion to their number; a
/// label is compared with what lies near it, so that many on one spot take time
/// by the square of their number.
#[derive(Clone, PartialEq, Debug)]
#[must_use = "a diagram is only seen through `to_svg` or `to_png`"]
pub struct Diagram {
    title: String,
    width: u32,
    stacked: bool,
    panels: Vec<Panel>,
    legend: Vec<(Sample, String)>,
}

impl Diagram {
    /// No panels, 900 pixels wide; an empty title takes no room.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), width: 900, stacked: false, panels: Vec::new(), legend: Vec::new() }
    }

    /// Sets the width; what lies outside of 240 to 2400 pixels counts as the
    /// nearer of both. The height follows from the panels, whose graphs keep
    /// their proportions.
    pub fn width(&mut self, pixels: u32) -> &mut Self {
        self.width = pixels.clamp(240, 2400);
        self
    }

    /// Sets panels one below the other, the first on top, and not side by side.
    pub const fn stacked(&mut self) -> &mut Self {
        self.stacked = true;
        self
    }

    /// Adds a panel.
    pub fn panel(&mut self, panel: Panel) -> &mut Self {
        self.panels.push(panel);
        self
    }

    /// Adds an entry to the legend, after those of the routes, which come by
    /// themselves.
    pub fn legend(&mut self, sample: Sample, text: impl Into<String>) -> &mut Self {
        self.legend.push((sample, text.into()));
        self
    }

    /// The diagram as a file of scalable vector graphics.
    ///
    /// # Errors
    /// [`DiagramError`] names the first thing that cannot be drawn.
    pub fn to_svg(&self) -> Result<String, DiagramError> {
        self.check()?;
        Ok(layout::draw(self).to_svg())
    }

    /// The diagram as a PNG file with two pixels to each of its width; its
    /// letters are those of ASCII and few more, the others are boxes.
    ///
    /// # Errors
    /// [`DiagramError`] names the first thing that cannot be drawn.
    pub fn to_png(&self) -> Result<Vec<u8>, DiagramError> {
        self.check()?;
        layout::draw(self).to_png().map_err(DiagramError::Png)
    }

    fn check(&self) -> Result<(), DiagramError> {
        self.panels.iter().try_for_each(Panel::check)
    }
}

/// Why a diagram could not be drawn.
#[derive(Debug)]
#[non_exhaustive]
pub enum DiagramError {
    /// A coordinate is no number, or farther than 1e12 from the origin.
    Coordinates {
        /// To the right.
        x: f64,
        /// Downwards.
        y: f64,
    },
    /// An edge, a group, a route or a mark names a node that its panel lacks.
    UnknownNode {
        /// The number that was named.
        node: usize,
        /// How many nodes the panel has.
        nodes: usize,
    },
    /// The picture could not be written as PNG.
    Png(PictureError),
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coordinates { x, y } => {
                write!(f, "place ({x}, {y}): coordinates are numbers from -1e12 to 1e12")
            }
            Self::UnknownNode { node, nodes } => write!(f, "node {node} of a panel with {nodes} nodes"),
            Self::Png(_) => write!(f, "the diagram could not be written as PNG"),
        }
    }
}

impl Error for DiagramError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Coordinates { .. } | Self::UnknownNode { .. } => None,
            Self::Png(error) => Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::testing::texts;
    use crate::svg::text::text_width;
    use farstride_io::picture::Colour;
    use std::f64::consts::SQRT_2;
    use tiny_skia::Pixmap;

    /// A square of nodes with everything around it that can be drawn.
    fn rich() -> Panel {
        let mut panel = Panel::new("Caption <1>");
        panel
            .area(Area::room((-1.0, -1.0), (5.0, 5.0)).label("Room & co"))
            .area(Area::door((-1.0, 0.0), (-1.0, 1.0)))
            .area(Area::polygon([(6.0, 0.0), (7.0, 0.0), (6.5, 3.0)], Colour::GROUND))
            .nodes([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)])
            .node(Node::at(2.0, 2.0).label("a \"b\" <c>").size(1.5))
            .node(Node::named(7.0, 4.0, "Plate"))
            .node(Node::at(7.0, 2.0).dimmed())
            .edges([(0, 1), (1, 2), (2, 3)])
            .edges([Edge::one_way(3, 0).cost(7), Edge::one_way(0, 3).cost("8 & 9")])
            .edge(Edge::one_way(2, 5).portal().cost(1))
            .edge((4, 4))
            .group(Group::of([0, 1]).name("low").representative(1))
            .group(Group::of([0, 1, 2]).name("high").level(2))
            .group(Group::of([]).name("nobody"))
            .group(Group::of([3]).name("framed").framed((-0.5, 3.5), (0.5, 4.5)))
            .route(Route::through([0, 1, 2, 5]).name("A* > B").cost(12.5))
            .route(Route::through([3, 0]).dashed())
            .route(Route::through([]))
            .goal(4);
        panel
    }

    fn svg(panel: Panel) -> String {
        Diagram::new("").panel(panel).to_svg().unwrap()
    }

    #[test]
    fn every_text_is_there_and_escaped() {
        let mut diagram = Diagram::new("Title & <more>");
        diagram.panel(rich()).legend(Sample::Portal, "lift <2>");
        let svg = diagram.to_svg().unwrap();
        let found = texts(&svg);
        for text in [
            "Title &amp; &lt;more&gt;",
            "Caption &lt;1&gt;",
            "Room &amp; co",
            "a \"b\" &lt;c&gt;",
            "Plate",
            "7",
            "8 &amp; 9",
            "low",
            "high",
            "framed",
            "A* &gt; B: cost 12.5",
            "lift &lt;2&gt;",
        ] {
            assert_eq!(found.iter().filter(|&&other| other == text).count(), 1, "{text} in {found:?}");
        }
        let entities = ["&amp;", "&lt;", "&gt;"];
        assert!(svg.match_indices('&').all(|(at, _)| entities.iter().any(|e| svg[at..].starts_with(e))));
    }

    #[test]
    fn the_same_data_give_the_same_bytes() {
        let mut diagram = Diagram::new("t");
        diagram.panel(rich()).panel(rich());
        assert_eq!(diagram.to_svg().unwrap(), diagram.clone().to_svg().unwrap());
        assert_eq!(diagram.to_png().unwrap(), diagram.clone().to_png().unwrap());
        assert_ne!(diagram.to_svg().unwrap(), diagram.stacked().to_svg().unwrap());
    }

    #[test]
    fn empty_diagrams_are_drawn() {
        let mut lone = Panel::new("");
        lone.node((3.0, 3.0)).route(Route::through([0])).group(Group::of([0, 0]));
        for panels in [vec![], vec![Panel::new("")], vec![Panel::new("nothing"), lone]] {
            let mut diagram = Diagram::new("");
            for panel in panels {
                diagram.panel(panel);
            }
            for _ in 0..2 {
                texts(&diagram.to_svg().unwrap());
                assert!(diagram.to_png().is_ok());
                diagram.stacked();
            }
        }
    }

    #[test]
    fn coordinates_that_cannot_be_drawn_are_named() {
        for (x, y) in [(f64::NAN, 0.0), (0.0, f64::INFINITY), (-1e300, 1.0), (1.0, 1.1e12)] {
            let mut panels = [Panel::new(""), Panel::new(""), Panel::new("")];
            panels[0].node((x, y));
            panels[1].area(Area::polygon([(0.0, 0.0), (x, y)], Colour::WALL));
            panels[2].group(Group::of([]).framed((0.0, 0.0), (x, y)));
            for panel in panels {
                let error = Diagram::new("").panel(rich()).panel(panel).to_svg().unwrap_err();
                let DiagramError::Coordinates { x: found, .. } = error else {
                    panic!("{error}");
                };
                assert_eq!(found.to_bits(), x.to_bits(), "{found}");
            }
        }
    }

    #[test]
    fn extreme_coordinates_are_drawn() {
        let values = [0.0, -0.0, 1e12, -1e12, 1e-300, 5e-324, 1e-9, 1.0, 0.1];
        for (a, b) in values.into_iter().flat_map(|a| values.map(|b| (a, b))) {
            let mut panel = Panel::new("");
            panel
                .nodes([(a, b), (b, a), (a, a), (1.0, b)])
                .node(Node::at(b, b).size(a).label("x"))
                .node(Node::at(a, b).size(f64::NAN))
                .edges([(0, 1), (1, 2)])
                .edge(Edge::one_way(2, 3).bend(a).cost(b))
                .edge(Edge::one_way(0, 3).portal().bend(f64::NAN))
                .group(Group::of(0..3).name("g").level(usize::MAX).representative(0))
                .route(Route::through(0..5));
            let mut diagram = Diagram::new("");
            texts(&diagram.width(240).panel(panel).to_svg().unwrap());
            assert!(diagram.to_png().is_ok());
        }
    }

    #[test]
    fn nodes_that_are_not_there_are_named() {
        let naming: [fn(&mut Panel); 7] = [
            |panel| _ = panel.edge((0, 5)),
            |panel| _ = panel.edge(Edge::one_way(5, 0)),
            |panel| _ = panel.group(Group::of([1, 5])),
            |panel| _ = panel.group(Group::of([1]).representative(5)),
            |panel| _ = panel.route(Route::through([0, 5])),
            |panel| _ = panel.start(5),
            |panel| _ = panel.goal(5),
        ];
        for name in naming {
            let mut panel = Panel::new("");
            name(panel.nodes([(0.0, 0.0), (1.0, 0.0)]));
            let error = Diagram::new("").panel(panel.clone()).to_png().unwrap_err();
            assert!(matches!(error, DiagramError::UnknownNode { node: 5, nodes: 2 }), "{error}");
            panel.nodes([(0.0, 0.0); 4]);
            assert!(Diagram::new("").panel(panel).to_svg().is_ok(), "nodes may be added later");
        }
    }

    /// Centres of the discs that are filled with a colour.
    fn discs(svg: &str, colour: Colour) -> Vec<(f64, f64)> {
        let fill = format!("fill=\"{colour}\"");
        let discs = svg.lines().filter(|line| line.contains(&fill) && line.contains('a'));
        let centre = |line: &str| {
            let (start, rest) = line.split_once("d=\"M")?.1.split_once('a')?;
            let (left, y) = start.split_once(' ')?;
            let radius: f64 = rest.split(' ').next()?.parse().ok()?;
            Some((left.parse::<f64>().ok()? + radius, y.parse().ok()?))
        };
        discs.filter_map(centre).collect()
    }

    #[test]
    fn proportions_are_kept_in_every_layout() {
        let mut panel = Panel::new("");
        panel.nodes([(0.0, 0.0), (50.0, 0.0), (0.0, 50.0), (50.0, 50.0)].map(Node::from));
        panel.nodes([Node::at(10.0, 7.0).colour(Colour::WALL), Node::at(20.0, 17.0).colour(Colour::WALL)]);
        for others in 0..4 {
            let mut diagram = Diagram::new("t");
            diagram.panel(panel.clone());
            (0..others).for_each(|_| _ = diagram.panel(rich()));
            for width in [0, 500, u32::MAX] {
                let svg = diagram.width(width).to_svg().unwrap();
                let found = discs(&svg, Colour::WALL);
                let [(x, y), (right, below)] = found[..] else {
                    panic!("{found:?}");
                };
                assert!(right - x > 1.0 && ((right - x) - (below - y)).abs() < 0.01, "{found:?}");
                let wide = diagram.width(width).width;
                assert!(svg.contains(&format!("width=\"{wide}\"")) && (240..=2400).contains(&wide));
            }
        }
    }

    #[test]
    fn only_one_way_edges_have_arrowheads() {
        let arrows = |edges: &[Edge]| {
            let mut panel = Panel::new("");
            panel.nodes([(0.0, 0.0), (5.0, 1.0)]).edges(edges.iter().cloned());
            let svg = svg(panel);
            let heads =
                svg.lines().filter(|line| line.matches('L').count() == 2 && line.contains("z\" fill"));
            let bent = svg.lines().filter(|line| line.contains("fill=\"none\"") && line.contains('C'));
            // The frame of the panel has round corners.
            (heads.count(), bent.count() - 1)
        };
        assert_eq!(arrows(&[Edge::between(0, 1)]), (0, 0));
        assert_eq!(arrows(&[Edge::one_way(0, 1)]), (1, 0));
        assert_eq!(arrows(&[Edge::one_way(0, 1), Edge::one_way(1, 0)]), (2, 2));
        assert_eq!(arrows(&[Edge::one_way(0, 1).portal(), Edge::between(0, 1)]), (1, 1));
        assert_eq!(arrows(&[Edge::one_way(0, 0)]), (0, 0));
    }

    /// Widths and shapes of the lines in a colour.
    fn lines(svg: &str, colour: Colour) -> Vec<(&str, &str)> {
        let stroke = format!("stroke=\"{colour}\"");
        let lines = svg.lines().filter(|line| line.starts_with("<path") && line.contains(&stroke));
        let part = |line: &'_ str, name: &str| -> Option<(usize, usize)> {
            let start = line.find(name)? + name.len();
            Some((start, start + line[start..].find('"')?))
        };
        let cut = |line| {
            let (width, shape) = (part(line, "stroke-width=\"")?, part(line, "d=\"")?);
            Some((&line[width.0..width.1], &line[shape.0..shape.1]))
        };
        lines.filter_map(cut).collect()
    }

    #[test]
    fn routes_follow_bent_edges_and_are_all_seen() {
        let mut panel = Panel::new("");
        panel
            .nodes([(0.0, 0.0), (5.0, 1.0), (9.0, 0.0), (9.0, 4.0)])
            .edges([Edge::between(1, 0).portal(), Edge::between(1, 2)])
            .route(Route::through([0, 1, 2]).colour(Colour::path(0)))
            .route(Route::through([2, 1]).colour(Colour::path(1)))
            .route(Route::through([2, 3]).colour(Colour::path(2)));
        let svg = svg(panel);
        let [first, second, third] = [0, 1, 2].map(|number| lines(&svg, Colour::path(number))[0]);
        assert_eq!((first.1.matches('C').count(), first.1.matches('L').count()), (1, 1), "{}", first.1);
        assert_eq!((second.1.matches('C').count(), second.1.matches('L').count()), (0, 1));
        let numbers: Vec<f64> =
            first.1.split(['M', 'C', 'L', ' ']).filter_map(|part| part.parse().ok()).collect();
        let [x, y, .., middle, height, right, bottom] = numbers[..] else {
            panic!("{numbers:?}");
        };
        let passed = [(x, y), (middle, height), (right, bottom)];
        // Two of the nodes are hidden below the marks of ends, but drawn.
        for (found, node) in passed.into_iter().zip(discs(&svg, draw::NEUTRAL)) {
            assert!((found.0 - node.0).abs() < 0.01 && (found.1 - node.1).abs() < 0.01, "{passed:?}");
        }
        assert_eq!([first.0, second.0, third.0], ["8", "4", "4"]);
        assert_eq!(lines(&svg, Colour::PORTAL).len(), 1);
    }

    #[test]
    fn higher_groups_lie_below_lower_ones_and_reach_further() {
        let mut panel = Panel::new("");
        let (low, high) = (Colour::rgb(1, 2, 3), Colour::rgb(4, 5, 6));
        panel
            .nodes([(0.0, 0.0), (5.0, 0.0)])
            .group(Group::of([0]).colour(low))
            .group(Group::of([0]).level(2).colour(high));
        let svg = svg(panel);
        let at = |colour: Colour| svg.find(&format!("fill=\"{colour}\" fill-opacity")).unwrap();
        assert!(at(high) < at(low));
        let radius = |colour| {
            let shape = lines(&svg, colour)[0].1;
            shape.split(['a', ' ']).nth(2).unwrap().parse::<f64>().unwrap()
        };
        assert!(radius(high) > radius(low), "{} {}", radius(high), radius(low));
        assert_eq!(discs(&svg, low).len(), 2, "the area and the node");
    }

    #[test]
    fn borders_of_tiles_enclose_them() {
        let mut panel = Panel::new("");
        let colour = Colour::rgb(1, 2, 3);
        panel.cells(3, 2).nodes([(0, 0), (1, 0), (1, 1)].map(|(column, row)| Node::tile(column, row)));
        panel.group(Group::of(0..3).colour(colour));
        let svg = svg(panel);
        let sides = lines(&svg, colour);
        assert_eq!(sides.len(), 1);
        assert_eq!(sides[0].1.matches('M').count(), 8, "three cells in an L have eight sides");
        // Every end of a side is the end of another one: the border is closed.
        let mut ends: Vec<_> = sides[0].1.split(['M', 'L']).skip(1).collect();
        ends.sort_unstable();
        assert!(ends.chunks(2).all(|pair| pair[0] == pair[1]), "{ends:?}");
    }

    /// About the room that each text takes, as left, right, top and bottom.
    fn rooms(svg: &str) -> Vec<(String, [f64; 4])> {
        let texts = svg.lines().filter(|line| line.starts_with("<text"));
        let room = |line: &str| {
            let number = |name: &str| -> f64 {
                line.split_once(name).unwrap().1.split('"').next().unwrap().parse().unwrap()
            };
            let (x, y, font) = (number("x=\""), number("y=\""), number("font-size=\""));
            let text = line.split_once('>').unwrap().1.split('<').next().unwrap();
            let width = text_width(text, font);
            let left = match line.split_once("anchor=\"").unwrap().1.split('"').next().unwrap() {
                "start" => x,
                "middle" => x - width / 2.0,
                _ => x - width,
            };
            (text.to_owned(), [left, left + width, y - 0.8 * font, y + 0.1 * font])
        };
        texts.map(room).collect()
    }

    #[test]
    fn labels_of_a_usual_graph_do_not_overlap() {
        let mut panel = Panel::new("streets");
        let side = 6;
        for number in 0..side * side {
            let (x, y) = ((number % side) as f64, (number / side) as f64);
            panel.node(Node::at(x, y * SQRT_2 / 2.0).label(format!("street {number}")));
            if number % side + 1 < side {
                panel.edge(Edge::between(number, number + 1).cost(number));
            }
            if number + side < side * side {
                panel.edge(Edge::one_way(number, number + side).cost(100 * number));
            }
        }
        for first in [0, 3, 18, 21] {
            let members = (0..9).map(|member| first + member / 3 * side + member % 3);
            panel.group(Group::of(members).name(format!("quarter {first}")));
        }
        panel.route(Route::through([0, 1, 2, 8, 14, 15, 21]).name("walk"));
        let svg = Diagram::new("A town").width(1200).panel(panel).to_svg().unwrap();
        let rooms = rooms(&svg);
        assert_eq!(rooms.len(), 36 + 60 + 4 + 3);
        for (x, y) in (0..4).flat_map(|group| discs(&svg, Colour::group(group))) {
            let covers = |room: &[f64; 4]| room[0] < x && x < room[1] && room[2] < y && y < room[3];
            assert!(!rooms.iter().any(|(_, room)| covers(room)), "({x}, {y})");
        }
        for (index, (a, first)) in rooms.iter().enumerate() {
            for (b, second) in &rooms[..index] {
                let meet = |low: usize| first[low] < second[low + 1] && second[low] < first[low + 1];
                assert!(!(meet(0) && meet(2)), "{a} {first:?} and {b} {second:?}");
            }
        }
    }

    #[test]
    fn labels_do_not_cover_nodes() {
        let mut panel = Panel::new("");
        panel.node(Node::at(10.0, 5.0).label("quite a long label")).nodes([
            (11.0, 5.0),
            (0.0, 10.0),
            (20.0, 0.0),
        ]);
        let svg = svg(panel);
        let [(_, room)] = &rooms(&svg)[..] else {
            panic!("{svg}");
        };
        for (x, y) in discs(&svg, draw::NEUTRAL) {
            assert!(x < room[0] || x > room[1] || y < room[2] || y > room[3], "({x}, {y}) in {room:?}");
        }
    }

    #[test]
    fn pixels_have_the_colours_of_the_shapes() {
        let mut panel = Panel::new("");
        panel
            .background(Colour::GROUND)
            .nodes([(0.0, 0.0), (4.0, 2.0)].map(|(x, y)| Node::at(x, y).colour(Colour::WALL)));
        let mut diagram = Diagram::new("");
        diagram.width(400).panel(panel);
        let picture = Pixmap::decode_png(&diagram.to_png().unwrap()).unwrap();
        let pixel = |x: f64, y: f64| {
            let pixel = picture.pixel((2.0 * x) as u32, (2.0 * y) as u32).unwrap().demultiply();
            Colour::rgb(pixel.red(), pixel.green(), pixel.blue())
        };
        assert_eq!(picture.width(), 800);
        let discs = discs(&diagram.to_svg().unwrap(), Colour::WALL);
        assert_eq!(discs.len(), 2);
        for (x, y) in discs {
            assert_eq!(pixel(x, y), Colour::WALL);
        }
        assert_eq!(pixel(5.0, 5.0), Colour::PAPER);
        assert_eq!(pixel(200.0, 30.0), Colour::GROUND);
    }

    #[test]
    fn a_long_column_of_panels_is_refused_as_pixels_only() {
        let mut tall = Panel::new("");
        tall.nodes([(0.0, 0.0), (0.0, 100.0)]);
        let mut diagram = Diagram::new("");
        (0..40).for_each(|_| _ = diagram.stacked().width(2400).panel(tall.clone()));
        assert!(diagram.to_svg().is_ok());
        let error = diagram.to_png().unwrap_err();
        assert!(matches!(error, DiagramError::Png(PictureError::TooLarge { limit: 16_384, .. })), "{error}");
        assert!(error.source().is_some());
    }
}

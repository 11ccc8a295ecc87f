//! What is written in a panel: names and costs, each where it covers least.

use super::canvas::{Anchor, Canvas, Style, Writing};
use super::draw::{CHALK, EDGE_WIDTH, NAME_FONT, Spotted, View, group_colour, is_dark, mixed};
use super::label::{ON_BORDER, ON_EDGE, ON_ROUTE, ON_WALL, Obstacles, Spot};
use super::parts::{Area, Form, Group};
use super::shape::{Bow, Frame, Path, Point, length, minus, plus, times};
use crate::svg::text::HALF_HEIGHT;
use farstride_io::picture::Colour;

/// Between a node and its label.
const LABEL_GAP: f64 = 3.0;
/// Opacity of the rim of letters.
const HALO_ALPHA: u8 = 240;
const LABEL_FONT: f64 = 12.0;
const COST_FONT: f64 = 11.5;
const TILE_FONT: f64 = 15.0;

impl View<'_> {
    pub(super) fn labels(&self, canvas: &mut Canvas) {
        let mut obstacles = self.obstacles();
        self.names_on_nodes(canvas, &mut obstacles);
        self.costs(canvas, &mut obstacles);
        self.names_beside_nodes(canvas, &mut obstacles);
        self.names_of_groups(canvas, &mut obstacles);
        self.names_of_areas(canvas, &mut obstacles);
    }

    fn obstacles(&self) -> Obstacles {
        let mut obstacles = Obstacles::new(self.frame.grown(-3.0));
        for Spotted { node, frame, rim, .. } in &self.nodes {
            if !matches!(node.form, Form::Tile(..)) {
                obstacles.node(frame.grown(rim + 1.0));
            }
        }
        for area in self.panel.areas.iter().filter(|area| area.border.is_some()) {
            let corners: Vec<_> = area.corners.iter().map(|&corner| self.place(corner)).collect();
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).for_each(|(&from, &to)| obstacles.line((from, to), ON_WALL, None));
        }
        for (number, bow) in self.bows.iter().enumerate() {
            bow.segments().for_each(|segment| obstacles.line(segment, ON_EDGE, Some(number)));
        }
        for group in self.panel.groups.iter().filter(|group| self.tiles_of(group).is_none()) {
            self.outline(group).sides().into_iter().for_each(|side| obstacles.line(side, ON_BORDER, None));
        }
        let ways = self.ways();
        for leg in self.panel.routes.iter().flat_map(|route| self.legs(route, &ways)) {
            leg.segments().for_each(|segment| obstacles.line(segment, ON_ROUTE, None));
        }
        obstacles
    }

    fn style(&self, font: f64) -> Style {
        Style { font, bold: false, colour: self.ink, halo: None }
    }

    /// Nearer to the ground if what it names is dimmed.
    fn faded(&self, colour: Colour, is_dimmed: bool) -> Colour {
        mixed(colour, self.panel.background, if is_dimmed { 0.55 } else { 0.0 })
    }

    /// Writes with a rim in the colour of the ground.
    fn write_over(&self, canvas: &mut Canvas, text: &str, spot: Spot, style: Style) {
        let centre = spot.frame.centre();
        let below = |area: &&Area| {
            let corners = area.corners.iter().map(|&corner| self.place(corner));
            area.fill.is_some() && Path::polygon(corners).holds(centre)
        };
        let area = self.panel.areas.iter().rev().find(below).and_then(|area| area.fill);
        let ground = area.unwrap_or(self.panel.background).with_alpha(HALO_ALPHA);
        write(canvas, text, spot, Style { halo: Some(ground), ..style });
    }

    /// On plates, and in tiles: in the middle, or in a corner if lines lie there.
    fn names_on_nodes(&self, canvas: &mut Canvas, obstacles: &mut Obstacles) {
        let is_crossed = !(self.panel.edges.is_empty() && self.panel.routes.is_empty());
        for Spotted { node, frame, centre, .. } in &self.nodes {
            let (font, bold) = match node.form {
                Form::Disc => continue,
                Form::Plate => (NAME_FONT, true),
                Form::Tile(..) => (TILE_FONT.min(self.scale * if is_crossed { 0.19 } else { 0.3 }), false),
            };
            let ink = if node.form == Form::Plate { self.ink } else { Colour::WALL };
            let colour = self.faded(ink, node.dimmed);
            let style = Style { font, bold, colour, halo: None };
            let size = size_of(&node.label, style);
            let spot = if node.form != Form::Plate && is_crossed {
                Spot::inside(frame.grown(-self.scale * 0.05 - 2.0), -1.0, -1.0, size)
            } else {
                Spot::on(*centre, size)
            };
            if !node.label.is_empty() {
                obstacles.label(spot.frame);
            }
            write(canvas, &node.label, spot, style);
        }
    }

    /// On the edges, near their middle.
    fn costs(&self, canvas: &mut Canvas, obstacles: &mut Obstacles) {
        const SHARES: [f64; 7] = [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72];
        const BESIDE: f64 = 2.5;
        let style = self.style(COST_FONT);
        // Most labels beside their edge are there because of a route.
        let gap = BESIDE + self.route_widths().into_iter().fold(EDGE_WIDTH, f64::max) / 2.0;
        let labelled = self.panel.edges.iter().zip(&self.bows).enumerate();
        for (number, (edge, bow)) in labelled.filter(|(_, (edge, _))| !edge.label.is_empty()) {
            let size = size_of(&edge.label, style);
            let first = bow.leaves(|point| self.nodes[edge.from].covers(point));
            let last = 1.0 - bow.reversed().leaves(|point| self.nodes[edge.to].covers(point));
            let visible = bow.between(first.min(last), last);
            let shares: &[f64] = if visible.length() > 1.5 * size.0 { &SHARES } else { &SHARES[..1] };
            let on = shares.iter().map(|&share| Spot::on(visible.at(share), size));
            let spots = on.chain(beside(&visible, size, gap));
            let colour = if edge.portal { self.strong(Colour::PORTAL) } else { style.colour };
            let is_dimmed = self.nodes[edge.from].node.dimmed || self.nodes[edge.to].node.dimmed;
            let colour = self.faded(colour, is_dimmed);
            if let Some(spot) = obstacles.place(spots, Some(number)) {
                self.write_over(canvas, &edge.label, spot, Style { colour, ..style });
            }
        }
    }

    fn names_beside_nodes(&self, canvas: &mut Canvas, obstacles: &mut Obstacles) {
        const SIDES: [(f64, f64); 8] = [
            (1.0, 0.0),
            (0.0, -1.0),
            (0.0, 1.0),
            (-1.0, 0.0),
            (1.0, -0.8),
            (1.0, 0.8),
            (-1.0, -0.8),
            (-1.0, 0.8),
        ];
        for Spotted { node, frame, rim, .. } in &self.nodes {
            if node.form != Form::Disc || node.label.is_empty() {
                continue;
            }
            let style = self.style(LABEL_FONT);
            let size = size_of(&node.label, style);
            let around = frame.grown(rim + LABEL_GAP);
            let spots = SIDES.map(|(right, down)| Spot::beside(around, right, down, size));
            if let Some(spot) = obstacles.place(spots, None) {
                self.write_over(
                    canvas,
                    &node.label,
                    spot,
                    Style { colour: self.faded(style.colour, node.dimmed), ..style },
                );
            }
        }
    }

    fn names_of_groups(&self, canvas: &mut Canvas, obstacles: &mut Obstacles) {
        let named = self.panel.groups.iter().enumerate().filter(|(_, group)| !group.name.is_empty());
        for (number, group) in named {
            let colour = self.strong(group_colour(group, number));
            let style = Style { bold: true, colour, ..self.style(NAME_FONT) };
            let size = size_of(&group.name, style);
            if let Some(spot) = obstacles.place(self.spots_at(group, size), None) {
                if group.frame.is_some() {
                    write(canvas, &group.name, spot, style);
                } else {
                    self.write_over(canvas, &group.name, spot, style);
                }
            }
        }
    }

    /// Places for a name: inside a frame, or close above, below or beside a hull.
    fn spots_at(&self, group: &Group, size: Point) -> Vec<Spot> {
        const SHARES: [f64; 5] = [0.5, 0.3, 0.7, 0.1, 0.9];
        let extent = self.extent(group);
        let inside = group.frame.map(|_| corners(extent.grown(-7.0), size));
        let outline = match self.tiles_of(group) {
            Some(_) => Path::polygon(extent.corners()),
            None => self.outline(group),
        };
        let around = |gap: f64| {
            let gap = gap + size.1 / 2.0;
            let fitting = SHARES.into_iter().filter_map(|share| {
                let x = extent.left + share * extent.width();
                let (top, bottom) = outline.rise(x - size.0 / 2.0, x + size.0 / 2.0)?;
                Some([top - gap, bottom + gap].map(|y| Spot::on((x, y), size)))
            });
            let (above, below): (Vec<_>, Vec<_>) = fitting.map(|[above, below]| (above, below)).unzip();
            above.into_iter().chain(below)
        };
        let sides = [1.0, -1.0].map(|right| Spot::beside(extent.grown(3.0), right, 0.0, size));
        // Close to the hull, or else beyond a wall around it.
        let (close, far) = (around(2.0), around(24.0));
        inside.into_iter().flatten().chain(close).chain(sides).chain(far).collect()
    }

    fn names_of_areas(&self, canvas: &mut Canvas, obstacles: &mut Obstacles) {
        for area in self.panel.areas.iter().filter(|area| !area.label.is_empty()) {
            let ground = area.fill.unwrap_or(self.panel.background);
            let ink = if is_dark(ground) { CHALK } else { Colour::WALL };
            let colour = mixed(ink, ground, 0.25);
            let style = Style { font: LABEL_FONT, bold: false, colour, halo: None };
            let size = size_of(&area.label, style);
            let places = area.corners.iter().map(|&corner| self.place(corner));
            let Some(extent) = Frame::spanning(places) else {
                continue;
            };
            if let Some(spot) = obstacles.place(corners(extent.grown(-8.0), size), None) {
                write(canvas, &area.label, spot, style);
            }
        }
    }
}

/// Places on both sides of the middle of a line.
fn beside(bow: &Bow, size: Point, gap: f64) -> impl Iterator<Item = Spot> {
    [0.5, 0.4, 0.6].into_iter().flat_map(move |share| {
        let (at, ahead) = (bow.at(share), minus(bow.at(share + 0.05), bow.at(share - 0.05)));
        let (x, y) = times((-ahead.1, ahead.0), 1.0 / length(ahead).max(1e-9));
        // As far as the label reaches in this direction.
        let reach = gap + f64::midpoint(x.abs() * size.0, y.abs() * size.1);
        [-reach, reach].map(|reach| Spot::on(plus(at, times((x, y), reach)), size))
    })
}

/// Places inside a frame, the upper left corner first.
fn corners(frame: Frame, size: Point) -> [Spot; 7] {
    [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (0.0, -1.0), (0.0, 1.0), (0.0, 0.0)]
        .map(|(right, down)| Spot::inside(frame, right, down, size))
}

fn size_of(text: &str, style: Style) -> Point {
    (style.width(text), style.font * 1.1)
}

fn write(canvas: &mut Canvas, text: &str, spot: Spot, style: Style) {
    let Spot { frame, anchor } = spot;
    let x = match anchor {
        Anchor::Start => frame.left,
        Anchor::Middle => frame.centre().0,
        Anchor::End => frame.right,
    };
    let at = (x, frame.centre().1 + style.font * HALF_HEIGHT);
    canvas.text(Writing { text: text.into(), at, anchor, style });
}

//! A panel, from the ground up.

use super::canvas::{Canvas, Pen, Style};
use super::layout::Placement;
use super::panel::Panel;
use super::parts::{Area, Edge, Form, Group, Node, Route};
use super::shape::{Bow, Frame, Path, Point, Step, length, minus, plus, times};
use farstride_io::picture::{Colour, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// Nodes in no group.
pub(super) const NEUTRAL: Colour = Colour::rgb(0x64, 0x74, 0x8b);
/// Cells of a grid without a tile.
const VOID: Colour = Colour::rgb(0xe9, 0xec, 0xf0);
/// Text on a dark background.
pub(super) const CHALK: Colour = Colour::rgb(0xe8, 0xec, 0xf4);

/// Radius of nodes: as a share of the side of the square that each has for
/// itself, within limits.
const RADIUS_SHARE: f64 = 0.16;
pub(super) const RADII: (f64, f64) = (3.0, 7.0);
/// Between a node and its ring, or the end of an edge.
const RING_GAP: f64 = 3.2;
const EDGE_GAP: f64 = 1.5;
/// By how much the mark of an end is larger than its node, and the width of its
/// white edge.
const MARK_RIM: f64 = 1.5;
const MARK_EDGE: f64 = 2.0;
/// How far the area of a group of level 1 reaches beyond its nodes, and each
/// further level beyond that.
const GROUP_PADDING: f64 = 17.0;
const LEVEL_PADDING: f64 = 20.0;
const FRAME_CORNER: f64 = 12.0;
/// Of edges, their arrowheads, and how far two opposite arrows bend.
pub(super) const EDGE_WIDTH: f64 = 1.5;
const PORTAL_WIDTH: f64 = 2.0;
const ARROW: (f64, f64) = (9.0, 3.8);
const OPPOSITE_BEND: f64 = 0.1;
/// Width of the uppermost route; those below are wider by a step, all of them
/// together by a limit.
pub(super) const ROUTE_WIDTH: f64 = 4.0;
const ROUTE_STEP: f64 = 4.0;
const ROUTE_EXTRA: f64 = 14.0;

/// Height of the letters of plates and groups.
pub(super) const NAME_FONT: f64 = 13.0;

/// Draws a panel into its frame.
pub(super) fn panel(canvas: &mut Canvas, placement: &Placement) {
    View::new(placement).draw(canvas);
}

/// How far the area of a group reaches beyond its nodes.
pub(super) fn reach(level: usize) -> f64 {
    GROUP_PADDING + (level.clamp(1, 6) - 1) as f64 * LEVEL_PADDING
}

/// Width and height of a plate with this name.
pub(super) fn plate_size(name: &str) -> Point {
    let style = Style { font: NAME_FONT, bold: true, colour: NEUTRAL, halo: None };
    ((style.width(name) + 18.0).max(40.0), 30.0)
}

pub(super) fn route_colour(route: &Route, number: usize) -> Colour {
    route.colour.unwrap_or(Colour::path(number))
}

pub(super) fn route_pen(colour: Colour, width: f64, dashed: bool) -> Pen {
    let pen = Pen::new(colour, width);
    if dashed { pen.dashed(9.0, 5.0) } else { pen }
}

pub(super) fn edge_pen(ink: Colour, portal: bool) -> Pen {
    if portal {
        Pen::new(Colour::PORTAL, PORTAL_WIDTH).dashed(6.0, 4.0)
    } else {
        Pen::new(mixed(ink, NEUTRAL, 0.6), EDGE_WIDTH)
    }
}

/// A disc with a rim in the colour of the ground.
pub(super) fn disc(canvas: &mut Canvas, centre: Point, radius: f64, colour: Colour, rim: Colour) {
    canvas.fill(Path::circle(centre, radius + 1.3), rim);
    canvas.fill(Path::circle(centre, radius), colour);
}

/// The ring of a representative.
pub(super) fn ring(canvas: &mut Canvas, centre: Point, radius: f64, colour: Colour) {
    canvas.stroke(Path::circle(centre, radius + RING_GAP), Pen::new(colour, 2.0));
}

/// The area of a group.
pub(super) fn soft(canvas: &mut Canvas, path: &Path, colour: Colour, level: usize) {
    let (inside, border) = if level > 1 { (22, 120) } else { (44, 150) };
    canvas.fill(path.clone(), colour.with_alpha(inside));
    let pen = Pen::new(colour.with_alpha(border), 1.4);
    canvas.stroke(path.clone(), if level > 1 { pen.dashed(2.0, 3.0) } else { pen });
}

pub(super) fn arrow(canvas: &mut Canvas, from: Point, tip: Point, colour: Colour) {
    let along = minus(tip, from);
    let along = times(along, 1.0 / length(along).max(1e-9));
    let base = minus(tip, times(along, ARROW.0));
    let side = times((-along.1, along.0), ARROW.1);
    canvas.fill(Path::polygon([tip, plus(base, side), minus(base, side)]), colour);
}

/// The mark at an end of a route.
#[derive(Clone, Copy)]
pub(super) enum Ring {
    Start,
    Goal,
}

impl Ring {
    pub(super) fn draw(self, canvas: &mut Canvas, centre: Point, radius: f64) {
        let shape = match self {
            Self::Start => Shape::Mark,
            Self::Goal => Shape::Target,
        };
        for (colour, radius) in shape.rings(self.colour(), radius as f32, 1.5) {
            canvas.fill(Path::circle(centre, f64::from(radius)), colour);
        }
    }

    const fn colour(self) -> Colour {
        match self {
            Self::Start => Colour::START,
            Self::Goal => Colour::GOAL,
        }
    }
}

/// Between two opaque colours.
pub(super) fn mixed(from: Colour, to: Colour, share: f64) -> Colour {
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8;
    Colour::rgb(mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue))
}

pub(super) fn is_dark(colour: Colour) -> bool {
    let light = 3 * u32::from(colour.red) + 6 * u32::from(colour.green) + u32::from(colour.blue);
    light < 1100
}

/// A panel with the places of everything in it, in pixels.
pub(super) struct View<'p> {
    pub(super) panel: &'p Panel,
    pub(super) frame: Frame,
    pub(super) nodes: Vec<Spotted<'p>>,
    /// As drawn from centre to centre.
    pub(super) bows: Vec<Bow>,
    /// Left and top of the graph in its unit, and pixels of them on the sheet.
    pub(super) origin: (Point, Point),
    pub(super) scale: f64,
    pub(super) ink: Colour,
    /// Around nodes and routes.
    pub(super) rim: Colour,
    pub(super) is_dark: bool,
}

/// A node in its place.
pub(super) struct Spotted<'p> {
    pub(super) node: &'p Node,
    pub(super) centre: Point,
    /// That it takes.
    pub(super) frame: Frame,
    pub(super) colour: Colour,
    /// How far its rings and marks reach beyond that.
    pub(super) rim: f64,
}

impl Spotted<'_> {
    /// Whether a point is covered by the node, or nearly so.
    pub(super) fn covers(&self, point: Point) -> bool {
        match self.node.form {
            Form::Disc => length(minus(point, self.centre)) < self.radius() + EDGE_GAP,
            Form::Plate => self.frame.grown(EDGE_GAP).holds(point),
            Form::Tile(..) => length(minus(point, self.centre)) < RADII.0,
        }
    }

    fn radius(&self) -> f64 {
        self.frame.width().min(self.frame.height()) / 2.0
    }
}

impl<'p> View<'p> {
    fn new(placement: &Placement<'p>) -> Self {
        let &Placement { panel, frame, bounds, scale } = placement;
        let is_dark = is_dark(panel.background);
        let origin = (bounds.centre(), frame.centre());
        let ink = if is_dark { CHALK } else { Colour::WALL };
        let rim = if is_dark { panel.background } else { Colour::PAPER };
        let (nodes, bows) = (Vec::new(), Vec::new());
        let mut view = Self { panel, frame, nodes, bows, origin, scale, ink, rim, is_dark };
        view.nodes = view.spotted();
        view.bows = view.bows();
        view
    }

    /// A place of the graph in pixels.
    pub(super) fn place(&self, point: Point) -> Point {
        plus(self.origin.1, times(minus(point, self.origin.0), self.scale))
    }

    fn spotted(&self) -> Vec<Spotted<'p>> {
        let colours = self.colours();
        let count = self.panel.nodes.len().max(1) as f64;
        let usual = (self.frame.width() * self.frame.height() / count).sqrt() * RADIUS_SHARE;
        let usual = usual.clamp(RADII.0, RADII.1);
        let spotted = self.panel.nodes.iter().zip(colours).map(|(node, colour)| {
            let centre = self.place(node.at);
            let (width, height) = match node.form {
                Form::Disc => (2.0 * usual * node.times(), 2.0 * usual * node.times()),
                Form::Plate => plate_size(&node.label),
                Form::Tile(..) => (self.scale, self.scale),
            };
            Spotted { node, centre, frame: Frame::around(centre, width, height), colour, rim: 0.0 }
        });
        let mut spotted: Vec<_> = spotted.collect();
        for node in self.panel.groups.iter().filter_map(|group| group.representative) {
            spotted[node].rim = RING_GAP + 1.0;
        }
        for (node, _) in self.ends() {
            spotted[node].rim += MARK_RIM + MARK_EDGE;
        }
        spotted
    }

    /// Of every node: its own, or that of the lowest group that holds it.
    fn colours(&self) -> Vec<Colour> {
        let mut lowest: Vec<Option<(usize, Colour)>> = vec![None; self.panel.nodes.len()];
        for (number, group) in self.panel.groups.iter().enumerate() {
            for &member in &group.members {
                if lowest[member].is_none_or(|(level, _)| group.level < level) {
                    lowest[member] = Some((group.level, group_colour(group, number)));
                }
            }
        }
        let colour = |(node, group): (&Node, Option<(usize, Colour)>)| {
            node.colour.or(group.map(|(_, colour)| colour)).unwrap_or(NEUTRAL)
        };
        self.panel.nodes.iter().zip(lowest).map(colour).collect()
    }

    fn bows(&self) -> Vec<Bow> {
        let is_arrow = |edge: &&Edge| edge.one_way && !edge.portal;
        let arrows: BTreeSet<_> =
            self.panel.edges.iter().filter(is_arrow).map(|edge| (edge.from, edge.to)).collect();
        let bow = |edge: &Edge| {
            let has_opposite = is_arrow(&edge) && arrows.contains(&(edge.to, edge.from));
            let bend = if edge.bend == 0.0 && has_opposite { OPPOSITE_BEND } else { edge.bend };
            Bow::new(self.nodes[edge.from].centre, self.nodes[edge.to].centre, bend)
        };
        self.panel.edges.iter().map(bow).collect()
    }

    fn draw(&self, canvas: &mut Canvas) {
        let ground = Path::rounded(self.frame, 6.0);
        canvas.fill(ground.clone(), self.panel.background);
        self.cells(canvas);
        for area in &self.panel.areas {
            self.area(canvas, area);
        }
        self.tiles(canvas);
        self.groups(canvas);
        let tips = self.edges(canvas);
        self.routes(canvas);
        for (from, tip, colour) in tips {
            arrow(canvas, from, tip, colour);
        }
        self.discs_and_plates(canvas);
        self.rings(canvas);
        self.labels(canvas);
        canvas.stroke(ground, Pen::new(Colour::WALL.with_alpha(40), 1.0));
    }

    fn cells(&self, canvas: &mut Canvas) {
        let Some((columns, rows)) = self.panel.ground else {
            return;
        };
        let (columns, rows) = (f64::from(columns), f64::from(rows));
        let corners = [(0.0, 0.0), (columns, 0.0), (columns, rows), (0.0, rows)];
        canvas.fill(Path::polygon(corners.map(|corner| self.place(corner))), VOID);
    }

    fn area(&self, canvas: &mut Canvas, area: &Area) {
        let corners: Vec<_> = area.corners.iter().map(|&corner| self.place(corner)).collect();
        if corners.len() < 2 {
            return;
        }
        let path = Path::polygon(corners);
        if let Some(fill) = area.fill {
            canvas.fill(path.clone(), fill);
        }
        if let Some((colour, width)) = area.border {
            canvas.stroke(path, Pen::new(colour, width));
        }
    }

    fn tiles(&self, canvas: &mut Canvas) {
        let tiles = self.nodes.iter().filter(|spotted| matches!(spotted.node.form, Form::Tile(..)));
        for Spotted { node, frame, colour, .. } in tiles {
            let share = match (node.dimmed, *colour == NEUTRAL) {
                (true, _) | (_, true) => 0.12,
                (false, false) => 0.4,
            };
            let path = Path::polygon(frame.corners());
            canvas.fill(path.clone(), mixed(Colour::PAPER, *colour, share));
            canvas.stroke(path, Pen::new(Colour::WALL.with_alpha(46), 1.0));
        }
    }

    /// Areas of the highest level first, and borders of tiles last.
    fn groups(&self, canvas: &mut Canvas) {
        let mut order: Vec<_> = self.panel.groups.iter().enumerate().collect();
        order.sort_by_key(|(_, group)| group.level);
        let areas = order.iter().rev().filter(|(_, group)| self.tiles_of(group).is_none());
        for &(number, group) in areas {
            soft(canvas, &self.outline(group), group_colour(group, number), group.level);
        }
        for (number, group) in order {
            if let Some(tiles) = self.tiles_of(group) {
                self.borders(canvas, &tiles, group_colour(group, number), group.level);
            }
        }
    }

    /// The cells of a group of nothing but tiles.
    pub(super) fn tiles_of(&self, group: &Group) -> Option<BTreeSet<(u16, u16)>> {
        let cell = |&member: &usize| match self.panel.nodes[member].form {
            Form::Tile(column, row) => Some((column, row)),
            Form::Disc | Form::Plate => None,
        };
        let is_shaped = group.frame.is_none() && self.panel.is_of_tiles(group);
        is_shaped.then(|| group.members.iter().filter_map(cell).collect())
    }

    /// Lines along the borders of a set of cells, a little inside.
    fn borders(&self, canvas: &mut Canvas, cells: &BTreeSet<(u16, u16)>, colour: Colour, level: usize) {
        let width = 1.0 + 1.5 * level as f64;
        let inset = if level > 1 { 0.0 } else { width / 2.0 / self.scale };
        let has = |column: i32, row: i32| {
            let cell = u16::try_from(column).ok().zip(u16::try_from(row).ok());
            cell.is_some_and(|cell| cells.contains(&cell))
        };
        let mut path = Path::default();
        for &(column, row) in cells {
            let (x, y) = (i32::from(column), i32::from(row));
            let centre = (f64::from(column) + 0.5, f64::from(row) + 0.5);
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                if has(x + dx, y + dy) {
                    continue;
                }
                // A side ends early at a corner of the shape, and late where the
                // shape turns into it.
                let end = |sign: i32| {
                    let (across, down) = (sign * dy.abs(), sign * dx.abs());
                    let half = if !has(x + across, y + down) {
                        0.5 - inset
                    } else if has(x + across + dx, y + down + dy) {
                        0.5 + inset
                    } else {
                        0.5
                    };
                    let out = 0.5 - inset;
                    let offset = (
                        f64::from(dx) * out + f64::from(across) * half,
                        f64::from(dy) * out + f64::from(down) * half,
                    );
                    self.place(plus(centre, offset))
                };
                path.0.extend([Step::Move(end(-1)), Step::Line(end(1))]);
            }
        }
        canvas.stroke(path, Pen::new(colour, width));
    }

    /// The area of a group.
    pub(super) fn outline(&self, group: &Group) -> Path {
        match group.frame {
            Some(_) => Path::rounded(self.extent(group), FRAME_CORNER),
            None => Path::padded(&self.corners_of(group), reach(group.level)),
        }
    }

    fn corners_of(&self, group: &Group) -> Vec<Point> {
        let corners = |&member: &usize| {
            let Spotted { node, centre, frame, .. } = &self.nodes[member];
            match node.form {
                Form::Disc => vec![*centre],
                Form::Plate | Form::Tile(..) => frame.grown(-RADII.1).corners().to_vec(),
            }
        };
        group.members.iter().flat_map(corners).collect()
    }

    /// The least frame around the area of a group.
    pub(super) fn extent(&self, group: &Group) -> Frame {
        match (group.frame, self.tiles_of(group)) {
            (Some(corners), _) => Frame::spanning(corners.map(|corner| self.place(corner))),
            (None, Some(_)) => {
                let corners = group.members.iter().flat_map(|&member| self.nodes[member].frame.corners());
                Frame::spanning(corners)
            }
            (None, None) => {
                Frame::spanning(self.corners_of(group)).map(|frame| frame.grown(reach(group.level)))
            }
        }
        .unwrap_or_default()
    }

    /// Draws the lines; what comes back are the arrowheads, to be drawn above
    /// the routes.
    fn edges(&self, canvas: &mut Canvas) -> Vec<(Point, Point, Colour)> {
        let mut tips = Vec::new();
        for (edge, bow) in self.panel.edges.iter().zip(&self.bows) {
            let (from, to) = (&self.nodes[edge.from], &self.nodes[edge.to]);
            let mut pen = edge_pen(self.ink, edge.portal);
            if from.node.dimmed || to.node.dimmed {
                pen.colour = mixed(pen.colour, self.panel.background, 0.65);
            }
            let first = bow.leaves(|point| from.covers(point));
            let last = 1.0 - bow.reversed().leaves(|point| to.covers(point));
            if last <= first {
                continue;
            }
            let mut visible = bow.between(first, last);
            if edge.one_way {
                let tip = visible.at(1.0);
                let back = visible.reversed().leaves(|point| length(minus(point, tip)) < ARROW.0 * 0.8);
                visible = visible.between(0.0, 1.0 - back);
                tips.push((visible.at(1.0), tip, pen.colour));
            }
            canvas.stroke(visible.path(), pen);
        }
        tips
    }

    /// Rims first, so that they cut no other route.
    fn routes(&self, canvas: &mut Canvas) {
        let ways = self.ways();
        let routes = self.panel.routes.iter().zip(self.route_widths()).enumerate();
        let drawn: Vec<_> = routes
            .map(|(number, (route, width))| (number, route, width, self.route_path(route, &ways)))
            .collect();
        for (_, _, width, path) in &drawn {
            canvas.stroke(path.clone(), Pen::new(self.rim, width + 2.5));
        }
        for (number, route, width, path) in drawn {
            canvas.stroke(path, route_pen(route_colour(route, number), width, route.dashed));
        }
    }

    /// A route is wider than those above it that share a leg with it.
    pub(super) fn route_widths(&self) -> Vec<f64> {
        let legs = |route: &Route| -> BTreeSet<_> {
            route.nodes.windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))).collect()
        };
        let legs: Vec<_> = self.panel.routes.iter().map(legs).collect();
        let mut below = vec![0_usize; legs.len()];
        for number in (0..legs.len()).rev() {
            let shares = |&above: &usize| !legs[number].is_disjoint(&legs[above]);
            let above = (number + 1..legs.len()).filter(shares).map(|above| below[above] + 1);
            below[number] = above.max().unwrap_or(0);
        }
        let most = below.iter().copied().max().unwrap_or(0).max(1);
        let step = ROUTE_STEP.min(ROUTE_EXTRA / most as f64);
        below.into_iter().map(|below| ROUTE_WIDTH + below as f64 * step).collect()
    }

    /// How to get from node to node; the first edge counts.
    pub(super) fn ways(&self) -> BTreeMap<(usize, usize), Bow> {
        let mut ways = BTreeMap::new();
        for (edge, bow) in self.panel.edges.iter().zip(&self.bows) {
            ways.entry((edge.from, edge.to)).or_insert(*bow);
            if !edge.one_way {
                ways.entry((edge.to, edge.from)).or_insert(bow.reversed());
            }
        }
        ways
    }

    /// The legs of a route; where there is no edge, straight lines.
    pub(super) fn legs(&self, route: &Route, ways: &BTreeMap<(usize, usize), Bow>) -> Vec<Bow> {
        let leg = |pair: &[usize]| {
            let straight = || Bow::new(self.nodes[pair[0]].centre, self.nodes[pair[1]].centre, 0.0);
            ways.get(&(pair[0], pair[1])).copied().unwrap_or_else(straight)
        };
        route.nodes.windows(2).map(leg).collect()
    }

    fn route_path(&self, route: &Route, ways: &BTreeMap<(usize, usize), Bow>) -> Path {
        let mut path = Path::default();
        if let Some(&first) = route.nodes.first() {
            path.0.push(Step::Move(self.nodes[first].centre));
        }
        for leg in self.legs(route, ways) {
            leg.draw(&mut path);
        }
        path
    }

    fn discs_and_plates(&self, canvas: &mut Canvas) {
        for spotted in &self.nodes {
            let Spotted { node, centre, frame, colour, .. } = spotted;
            let paper = self.panel.background;
            match node.form {
                Form::Disc => {
                    let colour = if node.dimmed { mixed(paper, *colour, 0.3) } else { *colour };
                    disc(canvas, *centre, spotted.radius(), colour, self.rim);
                }
                Form::Plate => {
                    let (fill, border) = if node.dimmed { (0.06, 0.3) } else { (0.2, 1.0) };
                    let path = Path::rounded(*frame, 9.0);
                    canvas.fill(path.clone(), mixed(paper, *colour, fill));
                    canvas.stroke(path, Pen::new(mixed(paper, *colour, border), 2.0));
                }
                Form::Tile(..) => {}
            }
        }
    }

    /// Representatives, then the ends of routes.
    fn rings(&self, canvas: &mut Canvas) {
        let ends = self.ends();
        for (number, group) in self.panel.groups.iter().enumerate() {
            if let Some(node) = group.representative {
                let colour = self.strong(group_colour(group, number));
                let is_end = ends.iter().any(|&(end, _)| end == node);
                self.ring(canvas, &self.nodes[node], if is_end { MARK_RIM + MARK_EDGE } else { 0.0 }, colour);
            }
        }
        for (node, ring) in ends {
            let Spotted { node, centre, frame, .. } = &self.nodes[node];
            match node.form {
                Form::Disc => ring.draw(canvas, *centre, frame.width() / 2.0 + MARK_RIM),
                Form::Plate => canvas.stroke(Path::rounded(*frame, 9.0), Pen::new(ring.colour(), 3.5)),
                Form::Tile(..) => ring.draw(canvas, *centre, (self.scale * 0.14).clamp(3.0, 9.0)),
            }
        }
    }

    /// The ring of a representative; wider if there is a mark inside.
    fn ring(&self, canvas: &mut Canvas, spotted: &Spotted, mark: f64, colour: Colour) {
        let Spotted { node, centre, frame, .. } = spotted;
        match node.form {
            Form::Disc => ring(canvas, *centre, spotted.radius() + mark, colour),
            Form::Plate => canvas.stroke(Path::rounded(frame.grown(RING_GAP), 11.0), Pen::new(colour, 2.0)),
            Form::Tile(..) => {
                let inside = frame.grown(-self.scale * 0.12);
                canvas.stroke(Path::rounded(inside, self.scale * 0.2), Pen::new(colour, 2.0));
            }
        }
    }

    /// Marked nodes, each once.
    fn ends(&self) -> Vec<(usize, Ring)> {
        let routes = || self.panel.routes.iter().filter(|route| route.marked);
        let starts: BTreeSet<_> =
            routes().filter_map(|route| route.nodes.first().copied()).chain(self.panel.start).collect();
        let goals: BTreeSet<_> =
            routes().filter_map(|route| route.nodes.last().copied()).chain(self.panel.goal).collect();
        let starts = starts.into_iter().map(|node| (node, Ring::Start));
        starts.chain(goals.into_iter().map(|node| (node, Ring::Goal))).collect()
    }

    /// A colour that can be read on the ground.
    pub(super) fn strong(&self, colour: Colour) -> Colour {
        if self.is_dark { mixed(colour, CHALK, 0.45) } else { mixed(colour, Colour::WALL, 0.4) }
    }
}

pub(super) fn group_colour(group: &Group, number: usize) -> Colour {
    group.colour.unwrap_or(Colour::group(number))
}

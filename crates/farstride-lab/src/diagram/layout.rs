//! The sheet: where title, panels, captions and legend are.

use super::Diagram;
use super::canvas::{Anchor, Canvas, Style, Writing};
use super::draw::{self, RADII, plate_size, reach};
use super::panel::Panel;
use super::parts::{Form, Node};
use super::sample::Key;
use super::shape::{Frame, Point, times};
use crate::svg::legend::{Entry, Legend, Placed, SWATCH, SWATCH_GAP};
use crate::svg::text::{BOLD, FONT, HALF_HEIGHT, LEADING, TITLE_FONT, TITLE_LEADING, fitted};
use farstride_io::picture::Colour;

/// Paper on every side of the sheet, and between panels.
const MARGIN: f64 = 18.0;
const GAP: f64 = 16.0;
/// Least room around the graph in its panel, and around everything else in it.
const INSET: f64 = 18.0;
const AROUND: f64 = 9.0;
/// Above and below a group that has a name.
const NAME_ROOM: f64 = 16.0;
/// Proportions of a graph that panels follow; those of longer ones have room to
/// spare.
const ASPECTS: (f64, f64) = (0.4, 6.0);
/// Extents below this count as none.
const LEAST_EXTENT: f64 = 1e-9;

/// A panel, its frame, the room for the graph inside and pixels per unit.
pub(super) struct Placement<'p> {
    pub(super) panel: &'p Panel,
    pub(super) frame: Frame,
    pub(super) bounds: Frame,
    pub(super) scale: f64,
}

/// What a panel asks for.
struct Want<'p> {
    panel: &'p Panel,
    bounds: Frame,
    /// Width by height.
    aspect: f64,
    /// Room left and right, above and below.
    inset: (f64, f64),
}

impl<'p> Want<'p> {
    fn of(panel: &'p Panel) -> Self {
        let bounds = Frame::spanning(panel.points().chain(panel.bends())).unwrap_or_default();
        let (width, height) = (bounds.width(), bounds.height());
        let aspect = if width.max(height) < LEAST_EXTENT {
            ASPECTS.1
        } else {
            (width / height.max(LEAST_EXTENT)).clamp(ASPECTS.0, ASPECTS.1)
        };
        Self { panel, bounds, aspect, inset: inset(panel, bounds, 0.0) }
    }

    /// The frame of this size at this place, with the graph as large as fits.
    fn place(&self, left: f64, top: f64, width: f64, height: f64) -> Placement<'p> {
        let room = |length: f64, inset: f64, extent: f64| {
            (length - 2.0 * inset).max(length / 4.0) / extent.max(LEAST_EXTENT)
        };
        let across = room(width, self.inset.0, self.bounds.width());
        let down = room(height, self.inset.1, self.bounds.height());
        let frame = Frame { left, top, right: left + width, bottom: top + height };
        Placement { panel: self.panel, frame, bounds: self.bounds, scale: across.min(down) }
    }

    fn has_caption(&self) -> bool {
        !self.panel.caption.is_empty()
    }
}

/// Room that everything needs around the graph: what reaches beyond its bounds
/// at a scale in pixels per unit.
fn inset(panel: &Panel, bounds: Frame, scale: f64) -> (f64, f64) {
    let place = |(x, y): Point| ((x - bounds.left) * scale, (y - bounds.top) * scale);
    let nodes =
        panel.nodes.iter().map(|node| Frame::around(place(node.at), 0.0, 0.0).stretched(half_size(node)));
    let groups = panel.groups.iter().filter(|group| group.frame.is_none()).filter_map(|group| {
        let members = group.members.iter().map(|&member| &panel.nodes[member]);
        let nodes = Frame::spanning(members.clone().map(|node| place(node.at)))?;
        let plates = members.filter(|node| node.form == Form::Plate);
        let widest = plates.map(|node| half_size(node).0).fold(0.0, f64::max);
        let around = if panel.is_of_tiles(group) { scale / 2.0 } else { reach(group.level) };
        let name = if group.name.is_empty() { 0.0 } else { NAME_ROOM };
        Some(nodes.stretched((around + widest, around + name)))
    });
    let (right, bottom) = place((bounds.right, bounds.bottom));
    nodes.chain(groups).fold((INSET, INSET), |(across, down), frame| {
        let beyond = |low: f64, high: f64| low.max(high) + AROUND;
        (
            across.max(beyond(-frame.left, frame.right - right)),
            down.max(beyond(-frame.top, frame.bottom - bottom)),
        )
    })
}

/// Half of the width and of the height that a node takes at most.
fn half_size(node: &Node) -> Point {
    match node.form {
        Form::Disc => times((RADII.1, RADII.1), node.times()),
        Form::Plate => times(plate_size(&node.label), 0.5),
        Form::Tile(..) => (0.0, 0.0),
    }
}

/// Everything on one sheet.
pub(super) fn draw(diagram: &Diagram) -> Canvas {
    let width = f64::from(diagram.width);
    let mut wants: Vec<_> = diagram.panels.iter().map(Want::of).collect();
    let top = MARGIN + if diagram.title.is_empty() { 0.0 } else { TITLE_LEADING };
    let arrange = if diagram.stacked { column } else { row };
    // Hulls and plates need less room than is kept for them at first, since not
    // all of them are at the edge; how much less depends on the scale.
    let scales: Vec<_> = arrange(&wants, width, top).0.iter().map(|placement| placement.scale).collect();
    for (want, scale) in wants.iter_mut().zip(scales) {
        want.inset = inset(want.panel, want.bounds, scale);
    }
    let (panels, bottom) = arrange(&wants, width, top);
    let entries = entries(diagram);
    let legend = Legend::arrange(&entries, width - 2.0 * MARGIN);
    let legend_top = bottom + if legend.lines > 0 { GAP / 2.0 } else { 0.0 };
    let height = legend_top + legend.lines as f64 * LEADING + MARGIN;

    let mut canvas = Canvas::new(width, height, &diagram.title);
    let style = Style { font: TITLE_FONT, bold: true, colour: Colour::WALL, halo: None };
    let title = fitted(&diagram.title, TITLE_FONT * BOLD, width - 2.0 * MARGIN);
    write(&mut canvas, title, (width / 2.0, MARGIN + TITLE_FONT), Anchor::Middle, style);
    for placement in &panels {
        draw::panel(&mut canvas, placement);
        caption(&mut canvas, placement);
    }
    write_legend(&mut canvas, &legend, (width - legend.width) / 2.0, legend_top);
    canvas
}

/// Panels side by side, equally tall; and where they end.
fn row<'p>(wants: &[Want<'p>], width: f64, top: f64) -> (Vec<Placement<'p>>, f64) {
    if wants.is_empty() {
        return (Vec::new(), top);
    }
    let count = wants.len() as f64;
    let room = width - 2.0 * MARGIN - (count - 1.0) * GAP;
    let sum = |of: fn(&Want) -> f64| wants.iter().map(of).sum::<f64>();
    let insets = sum(|want| 2.0 * want.inset.0);
    let graphs = ((room - insets) / sum(|want| want.aspect)).clamp(80.0, room.max(80.0));
    let height = graphs + 2.0 * wants.iter().map(|want| want.inset.1).fold(0.0, f64::max);
    let taken = sum(|want| want.aspect) * graphs + insets;
    let mut left = MARGIN;
    let panels = wants.iter().map(|want| {
        // Exactly the room there is, if need be by stretching or by squeezing.
        let width = (want.aspect * graphs + 2.0 * want.inset.0) * room / taken;
        let panel = want.place(left, top, width, height);
        left += width + GAP;
        panel
    });
    let caption = if wants.iter().any(Want::has_caption) { LEADING } else { 0.0 };
    (panels.collect(), top + height + caption)
}

/// Panels one below the other, equally wide; and where they end.
fn column<'p>(wants: &[Want<'p>], width: f64, top: f64) -> (Vec<Placement<'p>>, f64) {
    let room = width - 2.0 * MARGIN;
    let mut next = top;
    let panels = wants.iter().map(|want| {
        let graph = ((room - 2.0 * want.inset.0) / want.aspect).clamp(80.0, room.max(80.0));
        let height = graph + 2.0 * want.inset.1;
        let panel = want.place(MARGIN, next, room, height);
        next += height + if want.has_caption() { LEADING } else { 0.0 } + GAP;
        panel
    });
    let panels: Vec<_> = panels.collect();
    (panels, if wants.is_empty() { top } else { next - GAP })
}

fn caption(canvas: &mut Canvas, placement: &Placement) {
    let Frame { bottom, .. } = placement.frame;
    let text = fitted(&placement.panel.caption, FONT, placement.frame.width());
    let style = Style { font: FONT, bold: false, colour: Colour::WALL, halo: None };
    write(canvas, text, (placement.frame.centre().0, bottom + FONT + 4.0), Anchor::Middle, style);
}

/// Routes first, those that look and read alike once.
fn entries(diagram: &Diagram) -> Vec<Entry<'_, Key>> {
    let mut routes = Vec::new();
    for panel in &diagram.panels {
        for (number, route) in panel.routes.iter().enumerate() {
            let look = (&*route.name, draw::route_colour(route, number), route.dashed);
            if !routes.contains(&look) {
                routes.push(look);
            }
        }
    }
    let routes = routes.into_iter().map(|(name, colour, dashed)| Entry {
        name,
        sample: Key::Route(draw::route_pen(colour, draw::ROUTE_WIDTH, dashed)),
    });
    let samples = diagram.legend.iter().map(|(sample, name)| Entry { name, sample: Key::Sample(*sample) });
    routes.chain(samples).collect()
}

fn write_legend(canvas: &mut Canvas, legend: &Legend<Key>, left: f64, top: f64) {
    let style = Style { font: FONT, bold: false, colour: Colour::WALL, halo: None };
    for Placed { x, line, sample, name } in &legend.entries {
        let (x, middle) = (left + x, top + (*line as f64 + 0.5) * LEADING);
        sample.draw(canvas, x, middle);
        let at = (x + SWATCH + SWATCH_GAP, middle + FONT * HALF_HEIGHT);
        write(canvas, name.clone(), at, Anchor::Start, style);
    }
}

fn write(canvas: &mut Canvas, text: impl Into<String>, at: Point, anchor: Anchor, style: Style) {
    canvas.text(Writing { text: text.into(), at, anchor, style });
}

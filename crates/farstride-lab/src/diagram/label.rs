//! Places for labels: of those that a label may take, the one that covers
//! least.

use super::canvas::Anchor;
use super::shape::{Frame, Point};

/// Side of the squares that obstacles are sorted into.
const BUCKET: f64 = 48.0;
/// What it costs to cover something, beside 1 for every place that was
/// preferred. A label on a label is worse than anything else, as neither can be
/// read.
const ON_LABEL: f64 = 200.0;
const OFF_PANEL: f64 = 150.0;
const ON_NODE: f64 = 60.0;
pub(super) const ON_WALL: f64 = 25.0;
pub(super) const ON_ROUTE: f64 = 12.0;
pub(super) const ON_EDGE: f64 = 8.0;
pub(super) const ON_BORDER: f64 = 1.0;

/// Distance that labels keep from lines.
const BESIDE_LINES: f64 = 1.5;

/// A place that a label may take.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) frame: Frame,
    pub(super) anchor: Anchor,
}

impl Spot {
    /// Above, below or beside a frame: to the right if `right` is 1, to the left
    /// if it is -1, and accordingly for `down`.
    pub(super) fn beside(frame: Frame, right: f64, down: f64, size: Point) -> Self {
        let (x, y) = frame.centre();
        let across = f64::midpoint(frame.width(), size.0);
        let along = f64::midpoint(frame.height(), size.1);
        let anchor = if right >= 1.0 {
            Anchor::Start
        } else if right <= -1.0 {
            Anchor::End
        } else {
            Anchor::Middle
        };
        Self { frame: Frame::around((x + right * across, y + down * along), size.0, size.1), anchor }
    }

    /// In a corner of the frame, or in the middle of an edge of it.
    pub(super) fn inside(frame: Frame, right: f64, down: f64, size: Point) -> Self {
        let (x, y) = frame.centre();
        let across = (frame.width() - size.0) / 2.0;
        let along = (frame.height() - size.1) / 2.0;
        let outside = Self::beside(frame, -right, down, size);
        let frame = Frame::around((x + right * across, y + down * along), size.0, size.1);
        Self { frame, anchor: outside.anchor }
    }

    /// On a point.
    pub(super) fn on(centre: Point, size: Point) -> Self {
        Self { frame: Frame::around(centre, size.0, size.1), anchor: Anchor::Middle }
    }
}

enum Obstacle {
    Label(Frame),
    Node(Frame),
    /// With the harm, and the number of the edge that it is part of.
    Line(Point, Point, f64, Option<usize>),
}

/// Everything that labels of a panel should not cover.
pub(super) struct Obstacles {
    panel: Frame,
    columns: usize,
    rows: usize,
    all: Vec<Obstacle>,
    buckets: Vec<Vec<usize>>,
}

impl Obstacles {
    pub(super) fn new(panel: Frame) -> Self {
        let count = |length: f64| (length / BUCKET).max(0.0) as usize + 1;
        let (columns, rows) = (count(panel.width()), count(panel.height()));
        Self { panel, columns, rows, all: Vec::new(), buckets: vec![Vec::new(); columns * rows] }
    }

    pub(super) fn node(&mut self, frame: Frame) {
        self.push(Obstacle::Node(frame), frame);
    }

    pub(super) fn label(&mut self, frame: Frame) {
        self.push(Obstacle::Label(frame), frame);
    }

    /// A line that is covered at this harm, except by the label of its edge.
    pub(super) fn line(&mut self, (from, to): (Point, Point), harm: f64, edge: Option<usize>) {
        if let Some(frame) = Frame::spanning([from, to]) {
            self.push(Obstacle::Line(from, to, harm, edge), frame);
        }
    }

    /// Takes the best of the places for a label, which may lie on the edge that
    /// it belongs to; the first of those that are equally good.
    pub(super) fn place(
        &mut self,
        spots: impl IntoIterator<Item = Spot>,
        edge: Option<usize>,
    ) -> Option<Spot> {
        let judged = spots.into_iter().enumerate();
        let judged = judged.map(|(rank, spot)| (self.harm(spot.frame, edge) + rank as f64, spot));
        let (_, best) = judged.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        self.label(best.frame);
        Some(best)
    }

    fn harm(&self, frame: Frame, edge: Option<usize>) -> f64 {
        let is_off = !frame.corners().iter().all(|&corner| self.panel.holds(corner));
        let mut harm = if is_off { OFF_PANEL } else { 0.0 };
        let mut near: Vec<usize> =
            self.buckets_of(frame).flat_map(|bucket| &self.buckets[bucket]).copied().collect();
        near.sort_unstable();
        near.dedup();
        for number in near {
            harm += match self.all[number] {
                Obstacle::Label(other) if other.meets(frame) => ON_LABEL,
                Obstacle::Node(other) if other.meets(frame) => ON_NODE,
                Obstacle::Line(_, _, _, of) if of.is_some() && of == edge => 0.0,
                Obstacle::Line(from, to, harm, _) if crosses(frame.grown(BESIDE_LINES), from, to) => harm,
                _ => 0.0,
            };
        }
        harm
    }

    fn push(&mut self, obstacle: Obstacle, frame: Frame) {
        let number = self.all.len();
        self.all.push(obstacle);
        for bucket in self.buckets_of(frame) {
            self.buckets[bucket].push(number);
        }
    }

    /// Whatever lies off the panel is in the buckets at its edges.
    fn buckets_of(&self, frame: Frame) -> impl Iterator<Item = usize> + use<> {
        let column = |x: f64| (((x - self.panel.left) / BUCKET).max(0.0) as usize).min(self.columns - 1);
        let row = |y: f64| (((y - self.panel.top) / BUCKET).max(0.0) as usize).min(self.rows - 1);
        let (columns, across) = (column(frame.left)..=column(frame.right), self.columns);
        let rows = row(frame.top)..=row(frame.bottom);
        rows.flat_map(move |row| columns.clone().map(move |column| row * across + column))
    }
}

/// Whether a line passes through a frame.
fn crosses(frame: Frame, from: Point, to: Point) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    let sides = [(from.0, to.0, frame.left, frame.right), (from.1, to.1, frame.top, frame.bottom)];
    for (from, to, low, high) in sides {
        let along = to - from;
        if along.abs() < 1e-9 {
            if from < low || from > high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - from) / along, (high - from) / along);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    first <= last
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANEL: Frame = Frame { left: 0.0, top: 0.0, right: 400.0, bottom: 300.0 };

    #[test]
    fn lines_cross_frames_or_pass_them() {
        let frame = Frame::around((50.0, 50.0), 20.0, 10.0);
        assert!(crosses(frame, (0.0, 50.0), (100.0, 50.0)));
        assert!(crosses(frame, (0.0, 0.0), (100.0, 100.0)));
        assert!(crosses(frame, (50.0, 50.0), (51.0, 50.0)));
        assert!(!crosses(frame, (0.0, 56.0), (100.0, 56.0)));
        assert!(!crosses(frame, (0.0, 0.0), (30.0, 50.0)));
        assert!(!crosses(frame, (0.0, 60.0), (60.0, 0.0 - 60.0)));
    }

    #[test]
    fn labels_avoid_each_other_nodes_lines_and_the_edge() {
        let size = (40.0, 12.0);
        let around = |centre: Point| {
            let disc = Frame::around(centre, 12.0, 12.0);
            [(1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (-1.0, 0.0)]
                .map(|(right, down)| Spot::beside(disc, right, down, size))
        };
        let chosen = |obstacles: &mut Obstacles, centre| {
            let spots = around(centre);
            let spot = obstacles.place(spots, None).unwrap();
            spots.iter().position(|other| other.frame == spot.frame).unwrap()
        };
        let mut obstacles = Obstacles::new(PANEL);
        assert_eq!(chosen(&mut obstacles, (100.0, 100.0)), 0);
        assert_eq!(chosen(&mut obstacles, (100.0, 100.0)), 1, "the first place is taken");
        obstacles.line(((0.0, 215.0), (400.0, 215.0)), ON_EDGE, None);
        assert_eq!(chosen(&mut obstacles, (200.0, 215.0)), 1, "the line goes left and right");
        obstacles.node(Frame::around((320.0, 100.0), 10.0, 10.0));
        assert_eq!(chosen(&mut obstacles, (300.0, 100.0)), 1);
        assert_eq!(chosen(&mut obstacles, (390.0, 8.0)), 3, "three places are off the panel");
        assert!(obstacles.place([], None).is_none());
    }

    #[test]
    fn the_label_of_an_edge_may_lie_on_it() {
        let mut obstacles = Obstacles::new(PANEL);
        obstacles.line(((0.0, 50.0), (400.0, 50.0)), ON_EDGE, Some(7));
        let spots = [(200.0, 50.0), (200.0, 70.0)].map(|centre| Spot::on(centre, (20.0, 12.0)));
        assert_eq!(obstacles.place(spots, Some(7)).unwrap().frame, spots[0].frame);
        let mut obstacles = Obstacles::new(PANEL);
        obstacles.line(((0.0, 50.0), (400.0, 50.0)), ON_EDGE, Some(8));
        assert_eq!(obstacles.place(spots, Some(7)).unwrap().frame, spots[1].frame);
    }
}

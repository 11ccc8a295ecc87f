//! Points, curves and outlines in pixels.
//!
//! Only sums, products and square roots are used, which are the same on every
//! machine; sines would not be.

/// x to the right, y downwards.
pub(super) type Point = (f64, f64);

pub(super) fn plus((x, y): Point, (dx, dy): Point) -> Point {
    (x + dx, y + dy)
}

pub(super) fn minus((x, y): Point, (dx, dy): Point) -> Point {
    (x - dx, y - dy)
}

pub(super) fn times((x, y): Point, factor: f64) -> Point {
    (x * factor, y * factor)
}

pub(super) fn length((x, y): Point) -> f64 {
    (x * x + y * y).sqrt()
}

/// The direction of a vector; that of no length points to the right.
fn unit(vector: Point) -> Point {
    let length = length(vector);
    if length > 1e-9 { times(vector, 1.0 / length) } else { (1.0, 0.0) }
}

/// Turned by a quarter, from right to down.
fn turned((x, y): Point) -> Point {
    (-y, x)
}

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Frame {
    pub(super) fn around(centre: Point, width: f64, height: f64) -> Self {
        let (x, y) = centre;
        let (across, down) = (width / 2.0, height / 2.0);
        Self { left: x - across, top: y - down, right: x + across, bottom: y + down }
    }

    /// The least frame that holds the points; `None` if there are none.
    pub(super) fn spanning(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        let mut points = points.into_iter();
        let (x, y) = points.next()?;
        let first = Self { left: x, top: y, right: x, bottom: y };
        Some(points.fold(first, |frame, (x, y)| Self {
            left: frame.left.min(x),
            top: frame.top.min(y),
            right: frame.right.max(x),
            bottom: frame.bottom.max(y),
        }))
    }

    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn centre(self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

    pub(super) fn grown(self, by: f64) -> Self {
        self.stretched((by, by))
    }

    /// Larger by this on either side.
    pub(super) fn stretched(self, (across, down): Point) -> Self {
        Self {
            left: self.left - across,
            top: self.top - down,
            right: self.right + across,
            bottom: self.bottom + down,
        }
    }

    pub(super) fn corners(self) -> [Point; 4] {
        [(self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)]
    }

    pub(super) fn holds(self, (x, y): Point) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Step {
    Move(Point),
    Line(Point),
    /// Two control points, and where it goes.
    Curve(Point, Point, Point),
    Circle(Point, f64),
    Close,
}

/// Lines and circles, stroked or filled together.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Path(pub(super) Vec<Step>);

impl Path {
    pub(super) fn circle(centre: Point, radius: f64) -> Self {
        Self(vec![Step::Circle(centre, radius)])
    }

    pub(super) fn polygon(points: impl IntoIterator<Item = Point>) -> Self {
        let mut path = Self::default();
        path.chain(points);
        path.0.push(Step::Close);
        path
    }

    pub(super) fn segment(from: Point, to: Point) -> Self {
        Self(vec![Step::Move(from), Step::Line(to)])
    }

    pub(super) fn chain(&mut self, points: impl IntoIterator<Item = Point>) {
        for (index, point) in points.into_iter().enumerate() {
            self.0.push(if index == 0 { Step::Move(point) } else { Step::Line(point) });
        }
    }

    /// The ends of its steps; of a circle, four points around it.
    fn ends(&self) -> Vec<Point> {
        let ends = |step: &Step| match *step {
            Step::Move(to) | Step::Line(to) | Step::Curve(_, _, to) => vec![to],
            Step::Circle(centre, radius) => {
                Frame::around(centre, 2.0 * radius, 2.0 * radius).corners().to_vec()
            }
            Step::Close => Vec::new(),
        };
        self.0.iter().flat_map(ends).collect()
    }

    /// Straight lines from end to end, in place of an outline.
    pub(super) fn sides(&self) -> Vec<(Point, Point)> {
        let ends = self.ends();
        ends.iter().copied().zip(ends.iter().copied().cycle().skip(1)).collect()
    }

    /// Whether a point is inside of an outline, curves counted as straight.
    pub(super) fn holds(&self, (x, y): Point) -> bool {
        let crossed = self.sides().into_iter().filter(|&(from, to)| {
            (from.1 > y) != (to.1 > y) && x < from.0 + (y - from.1) / (to.1 - from.1) * (to.0 - from.0)
        });
        crossed.count() % 2 == 1
    }

    /// The highest and the lowest point between two columns, each curve counted
    /// as the straight line between its ends.
    pub(super) fn rise(&self, left: f64, right: f64) -> Option<(f64, f64)> {
        let cut = |(from, to): (Point, Point)| {
            let share = |x: f64| ((x - from.0) / (to.0 - from.0)).clamp(0.0, 1.0);
            let at =
                |share: f64| plus(from, times(minus(to, from), if share.is_nan() { 0.0 } else { share }));
            [from, to, at(share(left)), at(share(right))]
        };
        let near = |&(x, _): &Point| left - 1e-6 <= x && x <= right + 1e-6;
        let points = self.sides().into_iter().flat_map(cut).filter(near);
        Frame::spanning(points).map(|frame| (frame.top, frame.bottom))
    }

    /// A rectangle with round corners.
    pub(super) fn rounded(frame: Frame, radius: f64) -> Self {
        let radius = radius.min(frame.width() / 2.0).min(frame.height() / 2.0).max(0.0);
        Self::padded(&frame.grown(-radius).corners(), radius)
    }

    /// Everything within `padding` of the convex hull of the points.
    pub(super) fn padded(points: &[Point], padding: f64) -> Self {
        let hull = hull(points);
        let mut path = Self::default();
        match hull[..] {
            [] => {}
            [only] => path = Self::circle(only, padding),
            _ => {
                let outward = |index: usize| {
                    let (x, y) = unit(minus(hull[(index + 1) % hull.len()], hull[index]));
                    (y, -x)
                };
                let last = hull.len() - 1;
                path.0.push(Step::Move(plus(hull[0], times(outward(last), padding))));
                for (index, &corner) in hull.iter().enumerate() {
                    let before = outward(if index == 0 { last } else { index - 1 });
                    path.arc(corner, padding, before, outward(index));
                    let next = hull[(index + 1) % hull.len()];
                    path.0.push(Step::Line(plus(next, times(outward(index), padding))));
                }
                path.0.push(Step::Close);
            }
        }
        path
    }

    /// Goes on around `centre` from one direction to another, half a turn at
    /// most.
    fn arc(&mut self, centre: Point, radius: f64, from: Point, to: Point) {
        let cosine = from.0 * to.0 + from.1 * to.1;
        if cosine < -1e-9 {
            let sum = plus(from, to);
            let middle = if length(sum) > 1e-6 { unit(sum) } else { turned(from) };
            self.arc(centre, radius, from, middle);
            return self.arc(centre, radius, middle, to);
        }
        // tan(angle / 4) by the formulas of half angles.
        let half = f64::midpoint(1.0, cosine.min(1.0)).sqrt();
        let reach = radius * 4.0 / 3.0 * ((1.0 - half) / (1.0 + half)).max(0.0).sqrt();
        let (start, end) = (plus(centre, times(from, radius)), plus(centre, times(to, radius)));
        let leaving = plus(start, times(turned(from), reach));
        let arriving = minus(end, times(turned(to), reach));
        self.0.push(Step::Curve(leaving, arriving, end));
    }
}

/// The corners of the convex hull, each once, clockwise as seen on a screen.
fn hull(points: &[Point]) -> Vec<Point> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while let [.., before, last] = chain[..]
                && !turns_right(before, last, point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

fn turns_right(a: Point, b: Point, c: Point) -> bool {
    let ((ax, ay), (bx, by)) = (minus(b, a), minus(c, b));
    ax * by - ay * bx > 1e-9
}

/// A line with at most one bend: a quadratic curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bow {
    from: Point,
    control: Point,
    to: Point,
    straight: bool,
}

impl Bow {
    /// Its middle departs from the straight line by a share of its length, to
    /// the left as one walks it if that is positive.
    pub(super) fn new(from: Point, to: Point, bend: f64) -> Self {
        let along = minus(to, from);
        let middle = times(plus(from, to), 0.5);
        let control = minus(middle, times(turned(along), 2.0 * bend));
        Self { from, control, to, straight: bend == 0.0 }
    }

    pub(super) fn at(&self, share: f64) -> Point {
        self.blossom(share, share)
    }

    pub(super) fn reversed(self) -> Self {
        Self { from: self.to, to: self.from, ..self }
    }

    /// The part between two shares of the way.
    pub(super) fn between(&self, first: f64, last: f64) -> Self {
        Self {
            from: self.at(first),
            control: self.blossom(first, last),
            to: self.at(last),
            straight: self.straight,
        }
    }

    fn blossom(&self, a: f64, b: f64) -> Point {
        let ends = plus(times(self.from, (1.0 - a) * (1.0 - b)), times(self.to, a * b));
        plus(ends, times(self.control, (1.0 - a) * b + a * (1.0 - b)))
    }

    /// The first share of the way that is not `inside` any more, at most 1/2.
    pub(super) fn leaves(&self, inside: impl Fn(Point) -> bool) -> f64 {
        let (mut low, mut high) = (0.0, 0.5);
        for _ in 0..24 {
            let middle = f64::midpoint(low, high);
            if inside(self.at(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    pub(super) fn length(&self) -> f64 {
        self.segments().map(|(from, to)| length(minus(to, from))).sum()
    }

    /// Draws on from where the path is.
    pub(super) fn draw(&self, path: &mut Path) {
        let towards = |end: Point| plus(end, times(minus(self.control, end), 2.0 / 3.0));
        path.0.push(if self.straight {
            Step::Line(self.to)
        } else {
            Step::Curve(towards(self.from), towards(self.to), self.to)
        });
    }

    pub(super) fn path(&self) -> Path {
        let mut path = Path(vec![Step::Move(self.from)]);
        self.draw(&mut path);
        path
    }

    /// Short straight lines in its place.
    pub(super) fn segments(&self) -> impl Iterator<Item = (Point, Point)> {
        let parts = if self.straight { 1 } else { 8 };
        let share = move |part: u32| f64::from(part) / f64::from(parts);
        (0..parts).map(move |part| (self.at(share(part)), self.at(share(part + 1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_corners_only() {
        let square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
        let mut points = square.to_vec();
        points.extend([(2.0, 2.0), (2.0, 0.0), (4.0, 4.0), (1.0, 3.0)]);
        let hull = hull(&points);
        assert_eq!(hull, square);
        assert_eq!(super::hull(&[(1.0, 1.0); 5]), [(1.0, 1.0)]);
        assert_eq!(super::hull(&[(2.0, 2.0), (0.0, 0.0), (1.0, 1.0)]), [(0.0, 0.0), (2.0, 2.0)]);
        assert!(super::hull(&[]).is_empty());
    }

    /// Points on the outline, several on each curve.
    fn outline(path: &Path) -> Vec<Point> {
        let (mut here, mut points) = ((0.0, 0.0), Vec::new());
        for &step in &path.0 {
            match step {
                Step::Move(to) | Step::Line(to) => {
                    points.push(to);
                    here = to;
                }
                Step::Curve(a, b, to) => {
                    for share in [0.25, 0.5, 0.75, 1.0] {
                        let rest: f64 = 1.0 - share;
                        let ends = plus(times(here, rest.powi(3)), times(to, share * share * share));
                        let bend =
                            plus(times(a, 3.0 * rest * rest * share), times(b, 3.0 * rest * share * share));
                        points.push(plus(ends, bend));
                    }
                    here = to;
                }
                Step::Circle(..) | Step::Close => {}
            }
        }
        points
    }

    #[test]
    fn padding_keeps_its_distance() {
        for points in [vec![(0.0, 0.0), (10.0, 0.0), (3.0, 8.0)], vec![(0.0, 0.0), (5.0, 5.0)]] {
            let path = Path::padded(&points, 2.0);
            let outline = outline(&path);
            assert!(outline.len() > 6);
            for point in outline {
                let near = points.iter().zip(points.iter().cycle().skip(1));
                let gap = near.map(|(&from, &to)| distance(point, from, to)).fold(f64::MAX, f64::min);
                assert!((gap - 2.0).abs() < 0.01, "{point:?}: {gap}");
            }
        }
        assert_eq!(Path::padded(&[(1.0, 2.0)], 3.0), Path::circle((1.0, 2.0), 3.0));
        assert_eq!(Path::padded(&[], 3.0), Path::default());
    }

    fn distance(point: Point, from: Point, to: Point) -> f64 {
        let (along, here) = (minus(to, from), minus(point, from));
        let share = (along.0 * here.0 + along.1 * here.1) / (along.0 * along.0 + along.1 * along.1);
        length(minus(here, times(along, share.clamp(0.0, 1.0))))
    }

    #[test]
    fn an_outline_rises_as_far_as_its_slope_between_two_columns() {
        let slope = Path::polygon([(0.0, 10.0), (10.0, 0.0), (10.0, 20.0)]);
        assert_eq!(slope.rise(0.0, 5.0), Some((5.0, 15.0)));
        assert_eq!(slope.rise(-5.0, 20.0), Some((0.0, 20.0)));
        assert_eq!(slope.rise(11.0, 20.0), None);
        assert_eq!(Path::circle((3.0, 3.0), 1.0).rise(2.5, 3.5), Some((2.0, 4.0)));
        assert_eq!(Path::default().rise(0.0, 1.0), None);
        assert!(slope.holds((8.0, 10.0)) && slope.holds((1.0, 9.9)));
        assert!(!slope.holds((1.0, 8.0)) && !slope.holds((11.0, 10.0)) && !slope.holds((-1.0, 10.0)));
    }

    #[test]
    fn a_bow_bends_to_its_left_and_is_cut_where_it_leaves() {
        let bow = Bow::new((0.0, 0.0), (10.0, 0.0), 0.2);
        assert_eq!(bow.at(0.5), (5.0, -2.0));
        assert_eq!(bow.reversed().at(0.5), (5.0, -2.0));
        let straight = Bow::new((0.0, 0.0), (10.0, 0.0), 0.0);
        let share = straight.leaves(|point| length(point) < 3.0);
        assert!((share - 0.3).abs() < 1e-6);
        assert!((straight.leaves(|_| true) - 0.5).abs() < 1e-6);
        let part = bow.between(0.25, 0.75);
        assert_eq!((part.at(0.0), part.at(1.0)), (bow.at(0.25), bow.at(0.75)));
        assert_eq!(part.at(0.5), bow.at(0.5));
    }
}

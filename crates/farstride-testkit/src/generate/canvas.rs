//! Drawing on a map with rectangles that may hang over its edges.
//!
//! Generators place things at random, also half outside the map or on maps
//! smaller than the thing. Signed coordinates and clipping in one place keep
//! every generator free of such worries. Lowest layer of the generators.

use crate::map::PlainMap;
use crate::random::SplitMix64;

/// A rectangle of cells, `left..right` by `top..bottom`, possibly empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: isize,
    pub(super) top: isize,
    pub(super) right: isize,
    pub(super) bottom: isize,
}

impl Area {
    pub(super) const fn new(left: isize, top: isize, right: isize, bottom: isize) -> Self {
        Self { left, top, right, bottom }
    }

    pub(super) const fn sized(left: isize, top: isize, width: isize, height: isize) -> Self {
        Self::new(left, top, left + width, top + height)
    }

    pub(super) const fn whole(map: &PlainMap) -> Self {
        Self::new(0, 0, map.width as isize, map.height as isize)
    }

    pub(super) const fn width(&self) -> isize {
        self.right - self.left
    }

    pub(super) const fn height(&self) -> isize {
        self.bottom - self.top
    }

    pub(super) const fn center(&self) -> (isize, isize) {
        (self.left.midpoint(self.right), self.top.midpoint(self.bottom))
    }

    /// The rectangle without a frame of the given thickness.
    pub(super) const fn inset(&self, frame: isize) -> Self {
        Self::new(self.left + frame, self.top + frame, self.right - frame, self.bottom - frame)
    }

    /// All cells of the rectangle, row by row.
    pub(super) fn cells(self) -> impl Iterator<Item = (isize, isize)> {
        (self.top..self.bottom).flat_map(move |y| (self.left..self.right).map(move |x| (x, y)))
    }

    /// Cuts the rectangle in two across its longer side, at a place from one
    /// third to two thirds along, with a gap between the parts.
    pub(super) fn split(&self, gap: isize, random: &mut SplitMix64) -> [Self; 2] {
        let wide = self.width() >= self.height();
        let length = if wide { self.width() } else { self.height() };
        let cut = pick(random, length / 3, (length * 2 / 3).max(length / 3));
        let (mut first, mut second) = (*self, *self);
        if wide {
            first.right = self.left + cut;
            second.left = first.right + gap;
        } else {
            first.bottom = self.top + cut;
            second.top = first.bottom + gap;
        }
        [first, second]
    }
}

/// A random number in `low..=high`, signed.
pub(super) fn pick(random: &mut SplitMix64, low: isize, high: isize) -> isize {
    low + random.below((high - low + 1) as usize) as isize
}

/// A percentage of a number of cells, rounded down. In 64 bits: the product of
/// the two would overflow where `usize` has 32.
pub(super) const fn share(cells: usize, percent: u32) -> usize {
    (cells as u64 * percent as u64 / 100) as usize
}

/// Makes one cell free or blocked and tells whether that changed it; nothing
/// happens outside the map.
pub(super) fn set(map: &mut PlainMap, x: isize, y: isize, free: bool) -> bool {
    let on_map = x >= 0 && y >= 0 && map.contains((x as usize, y as usize));
    if !on_map {
        return false;
    }
    let index = map.index((x as usize, y as usize));
    std::mem::replace(&mut map.free[index], free) != free
}

/// Makes the part of a rectangle that lies on the map free or blocked.
pub(super) fn fill(map: &mut PlainMap, area: Area, free: bool) {
    let whole = Area::whole(map);
    let (left, right) = (area.left.max(0), area.right.min(whole.right));
    if left >= right {
        return;
    }
    for y in area.top.max(0)..area.bottom.min(whole.bottom) {
        let row = y as usize * map.width;
        map.free[row + left as usize..row + right as usize].fill(free);
    }
}

/// Blocks the outermost cells of a rectangle.
pub(super) fn frame(map: &mut PlainMap, area: Area, thickness: isize) {
    let Area { left, top, right, bottom } = area;
    for side in [
        Area::new(left, top, right, top + thickness),
        Area::new(left, bottom - thickness, right, bottom),
        Area::new(left, top, left + thickness, bottom),
        Area::new(right - thickness, top, right, bottom),
    ] {
        fill(map, side, false);
    }
}

/// Frees a straight road of square brush strokes between two points.
pub(super) fn road(map: &mut PlainMap, from: (isize, isize), to: (isize, isize), width: isize) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.abs().max(dy.abs()).max(1);
    for step in 0..=length {
        let (x, y) = (from.0 + dx * step / length, from.1 + dy * step / length);
        let (left, top) = (x - width / 2, y - width / 2);
        fill(map, Area::sized(left, top, width, width), true);
    }
}

/// A smooth random height from 0 to 255 at every cell: values at lattice points
/// `scale` cells apart, blended in between. Depends on seed and place alone.
pub(super) fn height(seed: u64, x: isize, y: isize, scale: isize) -> isize {
    let (column, row) = (x.div_euclid(scale), y.div_euclid(scale));
    let (right, down) = (ease(x.rem_euclid(scale), scale), ease(y.rem_euclid(scale), scale));
    let top = blend(lattice(seed, column, row), lattice(seed, column + 1, row), right);
    let bottom = blend(lattice(seed, column, row + 1), lattice(seed, column + 1, row + 1), right);
    blend(top, bottom, down)
}

/// Share of the way, 0 to 1024, along the cubic that starts and ends flat;
/// straight blending would show the lattice.
const fn ease(along: isize, scale: isize) -> isize {
    let t = along * 1024 / scale;
    (t * t / 1024) * (3 * 1024 - 2 * t) / 1024
}

const fn blend(from: isize, to: isize, share: isize) -> isize {
    from + (to - from) * share / 1024
}

fn lattice(seed: u64, column: isize, row: isize) -> isize {
    let place = (u64::from(column as u32) << 32) | u64::from(row as u32);
    let mut random = SplitMix64::new(seed ^ place.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    random.below(256) as isize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_clipped_to_the_map() {
        let mut map = PlainMap::new(4, 3, true);
        fill(&mut map, Area::new(-2, -2, 2, 1), false);
        fill(&mut map, Area::new(3, 2, 9, 9), false);
        fill(&mut map, Area::new(5, -9, 2, 9), false);
        assert_eq!(map.to_ascii(), "##..\n....\n...#\n");
    }

    #[test]
    fn frames_leave_their_inside() {
        let mut map = PlainMap::new(5, 4, true);
        frame(&mut map, Area::new(0, 0, 5, 4), 1);
        assert_eq!(map.to_ascii(), "#####\n#...#\n#...#\n#####\n");
    }

    #[test]
    fn roads_join_their_ends() {
        let mut map = PlainMap::new(5, 3, false);
        road(&mut map, (0, 0), (4, 2), 1);
        assert_eq!(map.to_ascii(), "..###\n##..#\n####.\n");
    }

    #[test]
    fn splits_keep_within_the_rectangle() {
        let mut random = SplitMix64::new(1);
        for side in 0..20 {
            let area = Area::sized(-3, 5, side, 7);
            let [first, second] = area.split(0, &mut random);
            assert_eq!((first.left, first.top), (-3, 5));
            assert_eq!((second.right, second.bottom), (area.right, area.bottom));
            assert!(first.right == second.left || first.bottom == second.top);
        }
    }

    #[test]
    fn heights_are_smooth_and_in_range() {
        let mut seen = [false; 256];
        for (x, y) in Area::new(-40, -40, 40, 40).cells() {
            let here = height(9, x, y, 8);
            seen[here as usize] = true;
            assert!((here - height(9, x + 1, y, 8)).abs() < 64);
            assert!((here - height(9, x, y + 1, 8)).abs() < 64);
        }
        assert!(seen.iter().filter(|&&seen| seen).count() > 200);
    }
}

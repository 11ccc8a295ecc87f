//! Taut links: which corners see each other so that a path can bend at both.
//!
//! A *port* is a corner and one of its sides. A link joins two ports: each corner lies on
//! that side of the other. A path passes a corner from one port to the other. Of corners in
//! a row only the nearest is linked, because a path may go straight on there.

use super::climb;
use super::corner::{Corner, Side, Slope};
use super::rule::{QUADRANTS, Space};
use super::scan::{Scan, Stretch};
use crate::base::crew::Crew;
use crate::base::{Cancelled, Cell, NodeId, Point};

/// Number of a corner: in reading order while labels are built.
pub(super) type CornerId = u32;

/// A corner and a side of it: `2 * corner + side`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Port(pub(super) u32);

impl Port {
    #[inline]
    pub(super) const fn new(corner: CornerId, side: Side) -> Self {
        Self(corner * 2 + side as u32)
    }

    #[inline]
    pub(super) const fn corner(self) -> CornerId {
        self.0 / 2
    }

    #[inline]
    pub(super) const fn side(self) -> Side {
        (self.0 % 2) as Side
    }

    /// The other port of the same corner.
    #[inline]
    pub(super) const fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A link from a port to another, and its length in cells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Link {
    pub(super) to: Port,
    pub(super) length: f64,
}

/// The corners of a map and their taut links.
pub(super) struct TautCorners<'g> {
    pub(super) space: Space<'g>,
    /// In reading order; those at one lattice point by slot.
    pub(super) corners: Vec<Corner>,
    /// The first corner at each lattice point, or [`NONE`].
    ids: Vec<CornerId>,
    /// The links of each port.
    pub(super) links: Vec<Vec<Link>>,
    /// For each port, the slope of whatever it sees nearest to its wall: a centre, or a
    /// corner linked to it.
    lowest: Vec<Slope>,
}

/// No corner.
const NONE: CornerId = CornerId::MAX;

impl<'g> TautCorners<'g> {
    /// Finds the corners; `None` if there are more than `most`.
    pub(super) fn find(space: Space<'g>, most: usize) -> Option<Self> {
        let (width, height) = space.lattice();
        let mut ids = vec![NONE; width * height];
        let mut corners = Vec::new();
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                let first = corners.len();
                corners.extend(space.corners_at(x, y));
                if corners.len() > first {
                    ids[space.place(x, y)] = first as CornerId;
                }
            }
            if corners.len() > most {
                return None;
            }
        }
        Some(Self { space, corners, ids, links: Vec::new(), lowest: Vec::new() })
    }

    /// Finds the links of all ports.
    pub(super) fn link(&mut self, crew: &Crew<'_>) -> Result<(), Cancelled> {
        let ports =
            crew.try_map(self.port_count(), |port, scan: &mut Scan| self.links_of(Port(port as u32), scan))?;
        (self.links, self.lowest) = ports.into_iter().unzip();
        Ok(())
    }

    /// The corners that each is linked to, whatever the side, and the costs of a climb index.
    pub(super) fn rows(&self) -> Vec<Vec<(NodeId, u32)>> {
        let row = |links: &[Vec<Link>], &corner: &Corner| {
            let linked = links.iter().flatten().map(|link| link.to.corner());
            let arc = |other| (NodeId::new(other), climb::cost(self.space.point(corner), self.point(other)));
            let mut row: Vec<_> = linked.map(arc).collect();
            row.sort_unstable();
            row.dedup();
            row
        };
        self.links.chunks_exact(2).zip(&self.corners).map(|(links, corner)| row(links, corner)).collect()
    }

    /// Number of ports.
    pub(super) fn port_count(&self) -> usize {
        2 * self.corners.len()
    }

    #[inline]
    pub(super) fn corner(&self, id: CornerId) -> Corner {
        self.corners[id as usize]
    }

    /// The point of a corner.
    #[inline]
    pub(super) fn point(&self, id: CornerId) -> Point {
        self.space.point(self.corner(id))
    }

    /// The first corner at each lattice point, or `CornerId::MAX`.
    pub(super) fn ids(&self) -> &[CornerId] {
        &self.ids
    }

    /// The corners at a lattice point.
    #[inline]
    pub(super) fn ids_at(&self, x: i32, y: i32) -> impl Iterator<Item = CornerId> {
        let first = self.ids[self.space.place(x, y)];
        let others = self.corners.get(first as usize..).unwrap_or_default().iter();
        (first..).zip(others.take_while(move |corner| (corner.x, corner.y) == (x, y))).map(|(id, _)| id)
    }

    /// The links of a port, and the lowest slope of anything it sees.
    fn links_of(&self, port: Port, scan: &mut Scan) -> (Vec<Link>, Slope) {
        let corner = self.corner(port.corner());
        let mut lowest = self.space.lowest_behind();
        let mut lower = |slope: Slope| {
            if slope.is_below(lowest) {
                lowest = slope;
            }
        };
        let seen = self.seen_in(corner, corner.quadrant(port.side()), scan, |stretch| {
            for x in [stretch.nearest, stretch.farthest] {
                lower(Corner::slope(port.side(), self.space.to_cell(corner, x, stretch.y)));
            }
        });
        let mut links = Vec::new();
        for id in seen {
            let other = self.corner(id);
            if let Some(side) = other.side(between(other, corner)) {
                lower(Corner::slope(port.side(), between(corner, other)));
                let length = self.space.point(corner).distance(self.space.point(other));
                links.push(Link { to: Port::new(id, side), length });
            }
        }
        (links, lowest)
    }

    /// The corners that a corner sees in a closed quadrant, at the nearest point of each ray.
    /// By the touch rule, calls `cells` with the cells seen.
    fn seen_in(
        &self,
        corner: Corner,
        quadrant: (i32, i32),
        scan: &mut Scan,
        cells: impl FnMut(Stretch),
    ) -> Vec<CornerId> {
        let mut seen = Vec::new();
        let point = |x: i32, y: i32| {
            if self.ids[self.space.place(x, y)] != NONE {
                seen.push(((x - corner.x).abs(), (y - corner.y).abs(), (x, y)));
            }
        };
        scan.closed_quadrant(self.space, corner, quadrant, point, cells);
        // By direction, the nearest first.
        seen.sort_unstable_by(|a, b| {
            let turn = i64::from(a.1) * i64::from(b.0) - i64::from(a.0) * i64::from(b.1);
            turn.cmp(&0).then((a.0 + a.1).cmp(&(b.0 + b.1)))
        });
        seen.dedup_by(|b, a| i64::from(a.1) * i64::from(b.0) == i64::from(a.0) * i64::from(b.1));
        seen.into_iter().flat_map(|(_, _, (x, y))| self.ids_at(x, y)).collect()
    }

    /// All corners that a corner sees, whether a path can bend there or not; sorted.
    pub(super) fn seen_around(&self, id: CornerId, scan: &mut Scan) -> Vec<CornerId> {
        let corner = self.corner(id);
        let mut all = Vec::new();
        for quadrant in QUADRANTS {
            if quadrant != corner.blocked {
                all.extend(self.seen_in(corner, quadrant, scan, |_| ()));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Calls `visit` with every cell that sees a corner from the side of this port and for
    /// which something lies behind the corner: between the wall and the extension of the leg
    /// from the cell, a centre or a corner to go on to. The others never bend here.
    pub(super) fn for_each_user(&self, port: Port, scan: &mut Scan, mut visit: impl FnMut(i32, i32)) {
        let corner = self.corner(port.corner());
        let behind = port.opposite();
        let lowest = self.lowest[behind.index()];
        scan.cells(self.space, (corner.x, corner.y), corner.quadrant(port.side()), |stretch| {
            for x in stretch.columns() {
                // The extension has the slope of the leg, seen from the other wall.
                let slope = Corner::slope(behind.side(), self.space.to_cell(corner, x, stretch.y));
                if !slope.is_below(lowest) {
                    visit(x, stretch.y);
                }
            }
        });
    }

    /// The distance from a cell's centre to a corner.
    #[inline]
    pub(super) fn distance(&self, cell: Cell, corner: CornerId) -> f64 {
        Point::centre(cell).distance(self.point(corner))
    }
}

/// Offset from a corner to another, in half cells.
#[inline]
pub(super) const fn between(from: Corner, to: Corner) -> (i64, i64) {
    (2 * (to.x - from.x) as i64, 2 * (to.y - from.y) as i64)
}

/// The ports through which each cell's paths may leave: the corner lies ahead, and the port
/// is the one on the far side, by which the path goes on.
pub(super) struct Outlets {
    first: Vec<u32>,
    ports: Vec<Port>,
}

impl Outlets {
    /// Finds them; `None` if there are more than `most`.
    pub(super) fn find(
        taut: &TautCorners<'_>,
        most: usize,
        crew: &Crew<'_>,
    ) -> Result<Option<Self>, Cancelled> {
        let width = taut.space.grid.width();
        let found = crew.try_map(taut.port_count(), |port, scan: &mut Scan| {
            let mut cells = Vec::new();
            taut.for_each_user(Port(port as u32), scan, |x, y| {
                cells.push((y as usize * width + x as usize) as u32);
            });
            cells
        })?;
        if found.iter().map(Vec::len).sum::<usize>() > most {
            return Ok(None);
        }
        let mut first = vec![0; width * taut.space.grid.height() + 1];
        for &cell in found.iter().flatten() {
            first[cell as usize + 1] += 1;
        }
        for cell in 1..first.len() {
            first[cell] += first[cell - 1];
        }
        let mut next = first.clone();
        let mut ports = vec![Port(0); first.last().map_or(0, |&count: &u32| count as usize)];
        for (port, cells) in (0..).map(Port).zip(&found) {
            for &cell in cells {
                let next = &mut next[cell as usize];
                ports[*next as usize] = port.opposite();
                *next += 1;
            }
        }
        Ok(Some(Self { first, ports }))
    }

    /// The ports of a cell, given its number in reading order.
    #[inline]
    pub(super) fn of_cell(&self, cell: usize) -> &[Port] {
        &self.ports[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}

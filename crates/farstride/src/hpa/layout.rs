//! The arrangement of clusters.

use super::HpaSettings;
use crate::base::{Cell, Rect};

/// Number of a cluster on its level, row by row.
pub(crate) type ClusterId = u32;

/// The rectangles of all clusters on all levels, and the numbering of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    width: u16,
    height: u16,
    /// One per level, level 1 first.
    levels: Vec<LevelLayout>,
    /// Low bits of a node number that distinguish the nodes of one cluster.
    local_bits: u32,
    first_net: u8,
    /// See [`HpaSettings::net`].
    net: u8,
}

#[derive(Clone, Debug)]
struct LevelLayout {
    side: u32,
    across: u32,
    down: u32,
    /// The cluster of this level that contains each 1-cluster: a table, because the
    /// main search asks for every arc and would divide twice.
    of_first: Box<[ClusterId]>,
}

impl Layout {
    pub(crate) fn new(width: usize, height: usize, settings: HpaSettings) -> Self {
        let mut layout = Self {
            width: width as u16,
            height: height as u16,
            levels: Vec::new(),
            // At most 4 * side - 4 cells lie on the border, so the largest local number
            // is 4 * side - 5.
            local_bits: (4 * u32::from(settings.cluster) - 5).ilog2() + 1,
            first_net: settings.first_net(),
            net: settings.net,
        };
        for level in 1..=settings.levels {
            let side = settings.side(level) as u32;
            let (across, down) = ((width as u32).div_ceil(side), (height as u32).div_ceil(side));
            layout.levels.push(LevelLayout { side, across, down, of_first: Box::default() });
        }
        let corners: Vec<Cell> = layout.clusters(1).map(|cluster| layout.corner(cluster)).collect();
        for level in 1..=settings.levels {
            let of_first = corners.iter().map(|&corner| layout.cluster_of(level, corner)).collect();
            layout.levels[usize::from(level) - 1].of_first = of_first;
        }
        layout
    }

    #[inline]
    fn level(&self, level: u8) -> &LevelLayout {
        &self.levels[usize::from(level) - 1]
    }

    pub(crate) fn level_count(&self) -> u8 {
        self.levels.len() as u8
    }

    /// The lowest level with nets; more than there can be if none has.
    pub(crate) const fn first_net(&self) -> u8 {
        self.first_net
    }

    /// The radius of the nets of a level in steps.
    pub(crate) fn net_radius(&self, level: u8) -> usize {
        self.side(level) / usize::from(self.net)
    }

    /// Number of clusters on a level.
    pub(crate) fn count(&self, level: u8) -> usize {
        let LevelLayout { across, down, .. } = self.level(level);
        *across as usize * *down as usize
    }

    /// Every cluster of a level.
    pub(crate) fn clusters(&self, level: u8) -> impl Iterator<Item = ClusterId> + use<> {
        0..self.count(level) as ClusterId
    }

    /// The cluster of a level that contains a cell.
    pub(crate) fn cluster_of(&self, level: u8, cell: Cell) -> ClusterId {
        let LevelLayout { side, across, .. } = self.level(level);
        u32::from(cell.y) / side * across + u32::from(cell.x) / side
    }

    /// The cluster of a level that contains a 1-cluster.
    #[inline]
    pub(crate) fn ancestor(&self, level: u8, first: ClusterId) -> ClusterId {
        // Most are asked about level 1, where a look into memory would take longer.
        if level == 1 { first } else { self.level(level).of_first[first as usize] }
    }

    /// The rectangle of the map.
    pub(crate) fn map_area(&self) -> Rect {
        Rect::spanning(Cell::new(0, 0), Cell::new(self.width - 1, self.height - 1))
    }

    /// Whether a cell lies on the map.
    pub(crate) const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Column and row of a cluster on its level.
    pub(crate) fn place(&self, level: u8, cluster: ClusterId) -> (u32, u32) {
        let across = self.level(level).across;
        (cluster % across, cluster / across)
    }

    /// Side of the clusters of a level in cells.
    pub(crate) fn side(&self, level: u8) -> usize {
        self.level(level).side as usize
    }

    /// The cell of a 1-cluster with the lowest coordinates.
    #[inline]
    pub(crate) fn corner(&self, cluster: ClusterId) -> Cell {
        let LevelLayout { side, across, .. } = self.level(1);
        Cell::new((cluster % across * side) as u16, (cluster / across * side) as u16)
    }

    /// The rectangle of a cluster.
    pub(crate) fn area(&self, level: u8, cluster: ClusterId) -> Rect {
        let LevelLayout { side, across, .. } = self.level(level);
        let (x, y) = (cluster % across * side, cluster / across * side);
        let right = (x + side - 1).min(u32::from(self.width) - 1);
        let bottom = (y + side - 1).min(u32::from(self.height) - 1);
        Rect::spanning(Cell::new(x as u16, y as u16), Cell::new(right as u16, bottom as u16))
    }

    /// The clusters of a level that share a cell with `area`.
    pub(crate) fn touching(&self, level: u8, area: Rect) -> impl Iterator<Item = ClusterId> + use<> {
        let LevelLayout { side, across, .. } = *self.level(level);
        let column = |x: u16| u32::from(x) / side;
        let columns = column(area.min().x)..=column(area.max().x);
        (column(area.min().y)..=column(area.max().y))
            .flat_map(move |row| columns.clone().map(move |column| row * across + column))
    }

    /// The clusters of the level below that form a cluster of level 2 or more.
    pub(crate) fn children(&self, level: u8, cluster: ClusterId) -> impl Iterator<Item = ClusterId> + use<> {
        self.touching(level - 1, self.area(level, cluster))
    }

    /// The highest level on which two adjacent cells lie in different clusters; 0 if
    /// they share a 1-cluster.
    pub(crate) fn border_level(&self, a: Cell, b: Cell) -> u8 {
        let apart = |level: &&LevelLayout| {
            let side = level.side;
            let column = |x: u16| u32::from(x) / side;
            column(a.x) != column(b.x) || column(a.y) != column(b.y)
        };
        self.levels.iter().take_while(apart).count() as u8
    }

    /// One more than the largest node number.
    pub(crate) fn node_bound(&self) -> usize {
        self.count(1) << self.local_bits
    }

    /// Whether this is the layout for a map of this size.
    pub(crate) const fn is_of(&self, width: usize, height: usize) -> bool {
        self.width as usize == width && self.height as usize == height
    }

    /// Upper limit on the nodes of a 1-cluster.
    pub(crate) const fn local_bound(&self) -> usize {
        1 << self.local_bits
    }

    #[inline]
    pub(crate) const fn node(&self, cluster: ClusterId, local: usize) -> u32 {
        cluster << self.local_bits | local as u32
    }

    #[inline]
    pub(crate) const fn cluster_and_local(&self, node: u32) -> (ClusterId, usize) {
        (node >> self.local_bits, (node & ((1 << self.local_bits) - 1)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout::new(45, 23, HpaSettings { cluster: 10, levels: 3, ..HpaSettings::default() })
    }

    #[test]
    fn the_last_clusters_may_be_smaller() {
        let layout = layout();
        assert_eq!((1..=3).map(|level| layout.count(level)).collect::<Vec<_>>(), [15, 6, 2]);
        let last = layout.area(1, 14);
        assert_eq!((last.width(), last.height()), (5, 3));
        assert_eq!(layout.cluster_of(1, Cell::new(44, 22)), 14);
        assert_eq!(layout.ancestor(2, 14), 5);
        assert_eq!(layout.ancestor(3, 14), 1);
    }

    #[test]
    fn every_cell_lies_in_one_cluster_per_level_and_children_cover_their_parent() {
        let layout = layout();
        for level in 1..=3 {
            let cells: u32 =
                layout.clusters(level).map(|c| layout.area(level, c)).map(|a| a.width() * a.height()).sum();
            assert_eq!(cells, 45 * 23);
        }
        assert_eq!(layout.children(2, 1).collect::<Vec<_>>(), [2, 3, 7, 8]);
        assert_eq!(layout.children(2, 5).collect::<Vec<_>>(), [14]);
    }

    #[test]
    fn borders_belong_to_the_highest_level_they_separate() {
        let layout = layout();
        let level = |x, y, to_x, to_y| layout.border_level(Cell::new(x, y), Cell::new(to_x, to_y));
        assert_eq!(level(8, 0, 9, 0), 0);
        assert_eq!(level(9, 0, 10, 0), 1);
        assert_eq!(level(19, 5, 20, 5), 2);
        assert_eq!(level(39, 5, 40, 6), 3);
        assert_eq!(level(9, 19, 9, 20), 2);
    }

    #[test]
    fn node_numbers_tell_clusters_and_nodes_apart() {
        let layout = layout();
        let node = layout.node(14, 35);
        assert_eq!(layout.cluster_and_local(node), (14, 35));
        assert!((node as usize) < layout.node_bound());
    }
}

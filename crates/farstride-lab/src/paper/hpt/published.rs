//! What the thesis printed.

/// A row of Tables 2, 3 and 4: means over its problems.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) length: f64,
    pub(super) visits: f64,
    pub(super) nodes: f64,
}

pub(super) const ASTAR: Row = Row { length: 282.81, visits: 8638.2, nodes: 9378.3 };
pub(super) const THETA: Row = Row { length: 265.99, visits: 8825.1, nodes: 9462.9 };
pub(super) const HPA: Row = Row { length: 296.16, visits: 3310.8, nodes: 817.64 };
pub(super) const HPT: Row = Row { length: 277.54, visits: 1752.9, nodes: 760.18 };

/// A*, Theta*, HPA* and HPT*.
pub(super) const PUBLISHED: [Row; 4] = [ASTAR, THETA, HPA, HPT];

/// Problems it had.
pub(super) const PROBLEMS: usize = 9937;

/// Its maps, in this order.
pub(super) const MAPS: [&str; 10] = [
    "brc505d", "den408d", "den600d", "lak100c", "lak105d", "lak110d", "lak503d", "lak511d", "lgt604d",
    "orz300d",
];

/// None of its three ratios may be larger for HPT* to be a success.
pub(super) const MOST: f64 = 1.1;

/// Visits and nodes in memory that its text tells the first problems above, by
/// the length of A*'s path.
pub(super) const MANY: u64 = 10_000;

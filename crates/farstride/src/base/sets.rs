//! Disjoint sets.

/// Disjoint sets of the numbers below some count.
#[derive(Debug, Default)]
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    /// So many numbers, each in a set of its own.
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// Puts every number below `count` into a set of its own.
    pub(crate) fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.extend(0..count as u32);
    }

    /// Adds the next number, in a set of its own.
    pub(crate) fn add(&mut self) {
        self.0.push(self.0.len() as u32);
    }

    /// The smallest number in the set of one; halves paths on the way.
    pub(crate) fn root(&mut self, mut number: u32) -> u32 {
        while self.0[number as usize] != number {
            let above = self.0[self.0[number as usize] as usize];
            self.0[number as usize] = above;
            number = above;
        }
        number
    }

    pub(crate) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other) as usize] = one.min(other);
    }

    /// For each number the position of its set, if sets are in the order of their smallest numbers.
    pub(crate) fn positions(mut self) -> Vec<usize> {
        let mut positions: Vec<usize> = Vec::with_capacity(self.0.len());
        let mut count = 0;
        for number in 0..self.0.len() as u32 {
            let root = self.root(number);
            positions.push(if root == number { count } else { positions[root as usize] });
            count += usize::from(root == number);
        }
        positions
    }
}

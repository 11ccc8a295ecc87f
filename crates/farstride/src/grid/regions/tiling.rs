//! Chunks and squares: where they lie, what touches what, and the patches of a chunk.

/// Chunks along a side of a square.
const SIDE: usize = 8;
/// Squares along a side of a district. In tests there are several districts even on small maps.
const DISTRICT_SIDE: usize = if cfg!(test) { 2 } else { 8 };
/// Directions between chunks, straight ones first.
const AROUND: [(isize, isize); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
/// Leftmost column of a chunk.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// Rightmost column of a chunk.
const RIGHT: u64 = LEFT << 7;

/// A side of a square: the chunks along it, and those beyond.
pub(super) struct Side {
    /// The square beyond.
    pub(super) square: usize,
    /// The first chunk of this square, how far the next one is, and their number.
    pub(super) chunks: (usize, usize, usize),
    /// The chunk beyond the first one.
    pub(super) beyond: usize,
    /// Whether it is a column of cells on either side, not a row.
    pub(super) is_column: bool,
    /// That row or column on this side and beyond, counted with the margin of the map.
    pub(super) lines: (usize, usize),
    /// The row of the first chunk if it is a column of cells, otherwise its column.
    pub(super) begin: usize,
    pub(super) direction: (isize, isize),
}

/// How a map is divided into chunks and squares, and whether a step may lead through a corner.
#[derive(Clone, Copy)]
pub(super) struct Tiling {
    pub(super) eight: bool,
    /// Chunks along the map's sides.
    pub(super) wide: usize,
    pub(super) high: usize,
}

impl Tiling {
    /// Chunks of a square, at most.
    pub(super) const CHUNKS: usize = SIDE * SIDE;

    /// Column and row of a chunk.
    pub(super) const fn place(self, chunk: usize) -> (usize, usize) {
        (chunk % self.wide, chunk / self.wide)
    }

    pub(super) const fn squares(self) -> usize {
        self.wide.div_ceil(SIDE) * self.high.div_ceil(SIDE)
    }

    pub(super) const fn square_of(self, chunk: usize) -> usize {
        let (column, row) = self.place(chunk);
        row / SIDE * self.wide.div_ceil(SIDE) + column / SIDE
    }

    /// The position of a chunk in its square.
    pub(super) const fn within(self, chunk: usize) -> usize {
        let (column, row) = self.place(chunk);
        row % SIDE * SIDE + column % SIDE
    }

    /// The chunks of a square, by rows.
    pub(super) fn chunks_of(self, square: usize) -> impl Iterator<Item = usize> {
        let [(left, top), (right, bottom)] = self.corners_of(square);
        (top..=bottom).flat_map(move |row| (left..=right).map(move |column| row * self.wide + column))
    }

    /// Column and row of the first and the last chunk of a square.
    pub(super) fn corners_of(self, square: usize) -> [(usize, usize); 2] {
        let across = self.wide.div_ceil(SIDE);
        let (left, top) = (square % across * SIDE, square / across * SIDE);
        [(left, top), ((left + SIDE).min(self.wide) - 1, (top + SIDE).min(self.high) - 1)]
    }

    /// The squares that a step can reach from a square.
    pub(super) fn squares_around(self, square: usize) -> impl Iterator<Item = usize> {
        self.around(square, [self.wide, self.high].map(|chunks| chunks.div_ceil(SIDE)))
    }

    /// The districts that a step can reach from a district.
    pub(super) fn districts_around(self, district: usize) -> impl Iterator<Item = usize> {
        self.around(district, [self.wide, self.high].map(|chunks| chunks.div_ceil(SIDE * DISTRICT_SIDE)))
    }

    /// What a step can reach from the tile of this number, where there are so many in a row and in a column.
    fn around(self, tile: usize, [across, down]: [usize; 2]) -> impl Iterator<Item = usize> {
        let (column, row) = (tile % across, tile / across);
        let directions: &[(isize, isize)] = if self.eight { &AROUND } else { &AROUND[..4] };
        directions.iter().filter_map(move |&(dx, dy)| {
            // Wrapped ones are beyond the map, too.
            let (column, row) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
            (column < across && row < down).then(|| row * across + column)
        })
    }

    pub(super) const fn districts(self) -> usize {
        self.wide.div_ceil(SIDE * DISTRICT_SIDE) * self.high.div_ceil(SIDE * DISTRICT_SIDE)
    }

    pub(super) const fn district_of(self, square: usize) -> usize {
        let across = self.wide.div_ceil(SIDE);
        let (column, row) = (square % across, square / across);
        row / DISTRICT_SIDE * self.wide.div_ceil(SIDE * DISTRICT_SIDE) + column / DISTRICT_SIDE
    }

    /// Column and row of the first and the last chunk of a district.
    pub(super) fn corners_of_district(self, district: usize) -> [(usize, usize); 2] {
        const CHUNKS: usize = SIDE * DISTRICT_SIDE;
        let across = self.wide.div_ceil(CHUNKS);
        let (left, top) = (district % across * CHUNKS, district / across * CHUNKS);
        [(left, top), ((left + CHUNKS).min(self.wide) - 1, (top + CHUNKS).min(self.high) - 1)]
    }

    /// The squares of a district, by rows.
    pub(super) fn squares_of(self, district: usize) -> impl Iterator<Item = usize> {
        let [across, down] = [self.wide, self.high].map(|chunks| chunks.div_ceil(SIDE));
        let districts = across.div_ceil(DISTRICT_SIDE);
        let (left, top) = (district % districts * DISTRICT_SIDE, district / districts * DISTRICT_SIDE);
        let (right, bottom) = ((left + DISTRICT_SIDE).min(across), (top + DISTRICT_SIDE).min(down));
        (top..bottom).flat_map(move |row| (left..right).map(move |column| row * across + column))
    }

    /// Calls `visit` with the chunks of a square from which a step leads into another square: the
    /// chunk, the one that the step reaches with its square, and the direction.
    pub(super) fn for_each_beyond(
        self,
        square: usize,
        mut visit: impl FnMut(usize, (usize, usize), (isize, isize)),
    ) {
        let across = self.wide.div_ceil(SIDE);
        let [(left, top), (right, bottom)] = self.corners_of(square);
        let (right, bottom) = (right + 1, bottom + 1);
        let directions: &[(isize, isize)] = if self.eight { &AROUND } else { &AROUND[..4] };
        for row in top..bottom {
            let inner = row > top && row + 1 < bottom;
            let mut column = left;
            while column < right {
                for &(dx, dy) in directions {
                    let (x, y) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
                    // Wrapped ones are beyond the map, too.
                    if x >= self.wide || y >= self.high {
                        continue;
                    }
                    let there = square + usize::from(x >= right) - usize::from(x < left)
                        + across * usize::from(y >= bottom)
                        - across * usize::from(y < top);
                    if there != square {
                        visit(row * self.wide + column, (y * self.wide + x, there), (dx, dy));
                    }
                }
                // Between the first and the last row, only the ends have neighbours outside.
                column = if inner && column + 1 < right - 1 { right - 1 } else { column + 1 };
            }
        }
    }

    /// The sides of a square behind which there is another.
    pub(super) fn sides_of(self, square: usize) -> impl Iterator<Item = Side> {
        let across = self.wide.div_ceil(SIDE);
        let [(left, top), (right, bottom)] = self.corners_of(square);
        let (right, bottom) = (right + 1, bottom + 1);
        let (first, wide) = (top * self.wide + left, self.wide);
        let side = |is_column, chunk, (square, beyond), lines, direction| Side {
            square,
            chunks: if is_column { (chunk, wide, bottom - top) } else { (chunk, 1, right - left) },
            beyond,
            is_column,
            lines,
            begin: if is_column { top } else { left },
            direction,
        };
        let last_row = first + (bottom - top - 1) * wide;
        let last_column = first + right - left - 1;
        let [up, down] = [top * 8, bottom * 8];
        let [west, east] = [left * 8, right * 8];
        [
            (top > 0).then(|| side(false, first, (square - across, first - wide), (up, up - 1), (0, -1))),
            (bottom < self.high)
                .then(|| side(false, last_row, (square + across, last_row + wide), (down - 1, down), (0, 1))),
            (left > 0).then(|| side(true, first, (square - 1, first - 1), (west, west - 1), (-1, 0))),
            (right < wide)
                .then(|| side(true, last_column, (square + 1, last_column + 1), (east - 1, east), (1, 0))),
        ]
        .into_iter()
        .flatten()
    }

    /// Chunks that a step can reach from `chunk`, with their direction.
    pub(super) fn neighbours(self, chunk: usize) -> impl Iterator<Item = (usize, isize, isize)> {
        self.surroundings(chunk).filter(move |&(_, dx, dy)| self.eight || dx == 0 || dy == 0)
    }

    /// The up to eight chunks around `chunk`, with their direction.
    pub(super) fn surroundings(self, chunk: usize) -> impl Iterator<Item = (usize, isize, isize)> {
        let (column, row) = self.place(chunk);
        (0..9).filter(|&step| step != 4).filter_map(move |step| {
            let (dx, dy) = (step % 3 - 1, step / 3 - 1);
            let x = column.checked_add_signed(dx).filter(|&x| x < self.wide)?;
            let y = row.checked_add_signed(dy).filter(|&y| y < self.high)?;
            Some((y * self.wide + x, dx, dy))
        })
    }

    /// The cells of the neighbouring chunk at `(dx, dy)` that are one step away
    /// from `cells`.
    pub(super) const fn spill(self, cells: u64, dx: isize, dy: isize) -> u64 {
        let across = match dx {
            1 => (cells & RIGHT) >> 7,
            -1 => (cells & LEFT) << 7,
            _ if self.eight => cells | (cells & !RIGHT) << 1 | (cells & !LEFT) >> 1,
            _ => cells,
        };
        match dy {
            1 => across >> 56,
            -1 => across << 56,
            _ if self.eight => across | across << 8 | across >> 8,
            _ => across,
        }
    }

    /// The patches of a chunk, ordered by lowest cell.
    pub(super) fn patches(self, chunk: u64) -> impl Iterator<Item = u64> {
        let mut left = chunk;
        std::iter::from_fn(move || {
            let seed = left & left.wrapping_neg();
            let patch = flood(seed, left, self.eight);
            left &= !patch;
            (patch != 0).then_some(patch)
        })
    }
}

/// All cells of `within` that are connected to `seed` inside the chunk.
const fn flood(seed: u64, within: u64, eight: bool) -> u64 {
    if within == u64::MAX {
        return within; // open ground, by far the most common case
    }
    let mut reached = seed;
    loop {
        let across = reached | (reached & !RIGHT) << 1 | (reached & !LEFT) >> 1;
        let base = if eight { across } else { reached };
        let next = (across | base << 8 | base >> 8) & within;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

//! Tracks: the cells of upward arcs.
//!
//! The *track* of an arc lists every cell from its lower end to its upper one, so that
//! following the arc means copying. A track consists of pieces, each of which fits into
//! 256 columns and rows. So a cell takes two bytes, relative to the piece's smallest
//! column and row. A piece begins with these two, the number of its cells, the number of
//! its turns, and whether another piece follows. After its cells it lists those at which
//! the track turns once more: who asks for corners copies these alone.

use crate::base::Cell;

/// Number of cells written at a time. The surplus at the end of a piece is overwritten
/// by the next one; that is faster than writing exactly.
pub(super) const STRIDE: usize = 16;

/// Bytes per cell.
const STEP: usize = 2;
const HEAD: usize = 8;
/// Largest number of columns and rows of a piece.
const SIDE: u16 = 256;
/// Largest number of cells of a piece: one bit less than a word, whose last says
/// whether another piece follows.
const MOST_CELLS: usize = i16::MAX as usize;
/// Bytes before the first track and after the last, because reading in strides goes
/// beyond a track.
pub(super) const MARGIN: usize = STRIDE * STEP;

/// Appends the track of some cells to `bytes`.
pub(super) fn write(cells: &[Cell], bytes: &mut Vec<u8>) {
    let mut begin = 0;
    while begin < cells.len() {
        let end = begin + piece_len(&cells[begin..]);
        let piece = &cells[begin..end];
        let origin = origin(piece);
        let relative = |cell: Cell| [(cell.x - origin.x) as u8, (cell.y - origin.y) as u8];
        let is_turn = |&at: &usize| at > 0 && at + 1 < cells.len() && turns_at(cells, at);
        let turns = (begin..end).filter(is_turn);
        let turns_and_more = (turns.clone().count() << 1) as u16 | u16::from(end < cells.len());
        for number in [origin.x, origin.y, piece.len() as u16, turns_and_more] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend(piece.iter().flat_map(|&cell| relative(cell)));
        bytes.extend(turns.flat_map(|at| relative(cells[at])));
        begin = end;
    }
}

/// Whether a path turns at an inner cell.
fn turns_at(cells: &[Cell], at: usize) -> bool {
    heading(cells[at - 1], cells[at]) != heading(cells[at], cells[at + 1])
}

/// The smallest column and row of some cells.
fn origin(cells: &[Cell]) -> Cell {
    cells.iter().fold(Cell::new(u16::MAX, u16::MAX), |least, cell| {
        Cell::new(least.x.min(cell.x), least.y.min(cell.y))
    })
}

/// Number of cells in the longest piece that these begin with.
fn piece_len(cells: &[Cell]) -> usize {
    let (mut least, mut most) = (cells[0], cells[0]);
    let fits = |cell: &&Cell| {
        least = Cell::new(least.x.min(cell.x), least.y.min(cell.y));
        most = Cell::new(most.x.max(cell.x), most.y.max(cell.y));
        most.x - least.x < SIDE && most.y - least.y < SIDE
    };
    cells.iter().take(MOST_CELLS).take_while(fits).count()
}

/// The direction of a step, in columns and rows.
pub(super) type Heading = (i8, i8);

/// The direction from a cell to a neighbour.
#[inline]
pub(super) const fn heading(from: Cell, to: Cell) -> Heading {
    (to.x.wrapping_sub(from.x) as i8, to.y.wrapping_sub(from.y) as i8)
}

/// The direction from a cell to a neighbour, both relative to the same origin.
#[inline]
const fn byte_heading(from: [u8; STEP], to: [u8; STEP]) -> Heading {
    (to[0].wrapping_sub(from[0]) as i8, to[1].wrapping_sub(from[1]) as i8)
}

/// What is copied of a track.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copied {
    Cells,
    /// The cells at which it turns, ends not included.
    Turns,
}

/// A piece of a track, in bytes.
struct Piece {
    origin: Cell,
    /// Position of its first cell.
    start: usize,
    len: usize,
    turns: usize,
    /// Whether another piece follows.
    more: bool,
}

impl Piece {
    #[inline]
    fn read(tracks: &[u8], at: usize) -> Option<Self> {
        let head = u64::from_le_bytes(*tracks.get(at..)?.first_chunk::<HEAD>()?);
        let piece = Self {
            origin: Cell::new(head as u16, (head >> 16) as u16),
            start: at + HEAD,
            len: usize::from((head >> 32) as u16),
            turns: (head >> 49) as usize,
            more: head >> 48 & 1 != 0,
        };
        // With empty pieces, forged bytes could keep a query busy without filling its
        // path.
        (piece.len > 0).then_some(piece)
    }

    /// Position of its first turn.
    const fn turns_start(&self) -> usize {
        self.start + self.len * STEP
    }

    /// Position of the next piece.
    const fn end(&self) -> usize {
        self.turns_start() + self.turns * STEP
    }

    /// Its last cell, and the direction of the step to it if there is one in this piece.
    #[inline]
    fn last(&self, tracks: &[u8]) -> Option<(Cell, Heading)> {
        let [.., before_x, before_y, x, y] = *tracks.get(..self.turns_start())? else { return None };
        Some((cell(self.origin, [x, y]), byte_heading([before_x, before_y], [x, y])))
    }

    #[inline]
    fn span(&self, copied: Copied) -> Span {
        let (start, len) = match copied {
            Copied::Cells => (self.start, self.len),
            Copied::Turns => (self.turns_start(), self.turns),
        };
        Span { origin: self.origin, start, len }
    }
}

/// Cells in a row of bytes, relative to an origin.
struct Span {
    origin: Cell,
    /// Position of the first cell.
    start: usize,
    len: usize,
}

impl Span {
    const fn end(&self) -> usize {
        self.start + self.len * STEP
    }

    /// Number of cells that are copied: whole strides, and one even if there is nothing
    /// to copy. Most tracks have few turns, so the processor can count on one.
    const fn padded(&self) -> usize {
        if self.len == 0 { STRIDE } else { self.len.next_multiple_of(STRIDE) }
    }

    /// Writes the cells into `path`, from position `at` on.
    #[inline]
    fn forward(&self, tracks: &[u8], path: &mut [Cell], at: usize) -> Option<()> {
        let len = self.padded();
        let source = tracks.get(self.start..self.start + len * STEP)?.as_chunks::<STEP>().0;
        let target = path.get_mut(at..at + len)?;
        let strides = source.as_chunks::<STRIDE>().0.iter().zip(target.as_chunks_mut::<STRIDE>().0);
        for (source, target) in strides {
            write_stride(self.origin, source, target);
        }
        Some(())
    }

    /// Writes the cells in reverse, from position `at` on.
    #[inline]
    fn backward(&self, tracks: &[u8], path: &mut [Cell], at: usize) -> Option<()> {
        let len = self.padded();
        let end = self.end();
        let source = tracks.get(end.checked_sub(len * STEP)?..end)?.as_chunks::<STEP>().0;
        let target = path.get_mut(at..at + len)?;
        let strides = source.as_rchunks::<STRIDE>().1.iter().rev().zip(target.as_chunks_mut::<STRIDE>().0);
        for (source, target) in strides {
            write_stride_back(self.origin, source, target);
        }
        Some(())
    }

    /// Writes the cells in reverse, without surplus.
    #[inline]
    fn backward_exactly(&self, tracks: &[u8], path: &mut [Cell], at: usize) -> Option<()> {
        let source = tracks.get(self.start..self.end())?.as_chunks::<STEP>().0;
        let (first, source) = source.as_rchunks::<STRIDE>();
        let (target, last) = path.get_mut(at..at + self.len)?.as_chunks_mut::<STRIDE>();
        for (source, target) in source.iter().rev().zip(target) {
            write_stride_back(self.origin, source, target);
        }
        for (&source, target) in first.iter().rev().zip(last) {
            *target = cell(self.origin, source);
        }
        Some(())
    }
}

/// Writes the cells of a stride. Arrays of fixed size become a few vector
/// instructions; slices would be copied byte by byte.
#[inline]
fn write_stride(origin: Cell, source: &[[u8; STEP]; STRIDE], target: &mut [Cell; STRIDE]) {
    for lane in 0..STRIDE {
        target[lane] = cell(origin, source[lane]);
    }
}

/// Writes the cells of a stride in reverse.
#[inline]
fn write_stride_back(origin: Cell, source: &[[u8; STEP]; STRIDE], target: &mut [Cell; STRIDE]) {
    for lane in 0..STRIDE {
        target[lane] = cell(origin, source[STRIDE - 1 - lane]);
    }
}

#[inline]
const fn cell(origin: Cell, [x, y]: [u8; STEP]) -> Cell {
    Cell { x: origin.x.wrapping_add(x as u16), y: origin.y.wrapping_add(y as u16) }
}

/// Writes the cells or the turns of a track into `path` from `at` on, and returns the
/// position after the last. `None` if the bytes are not a track, or `path` has no room
/// for it and a stride.
#[inline]
pub(super) fn forward(
    tracks: &[u8],
    track: usize,
    copied: Copied,
    path: &mut [Cell],
    mut at: usize,
) -> Option<usize> {
    let mut next = track;
    loop {
        let piece = Piece::read(tracks, next)?;
        let span = piece.span(copied);
        span.forward(tracks, path, at)?;
        at += span.len;
        next = piece.end();
        if !piece.more {
            return Some(at);
        }
    }
}

/// Writes the cells or turns of a track in reverse; otherwise as [`forward`].
#[inline]
pub(super) fn backward(
    tracks: &[u8],
    track: usize,
    copied: Copied,
    path: &mut [Cell],
    at: usize,
) -> Option<usize> {
    let piece = Piece::read(tracks, track)?;
    if !piece.more {
        let span = piece.span(copied);
        span.backward(tracks, path, at)?;
        return Some(at + span.len);
    }
    backward_in_pieces(tracks, track, copied, path, at)
}

/// Reverses a track of several pieces. They are read first to last, but the first comes
/// last in the path, so none may write beyond its own cells.
#[cold]
fn backward_in_pieces(
    tracks: &[u8],
    track: usize,
    copied: Copied,
    path: &mut [Cell],
    at: usize,
) -> Option<usize> {
    let mut end = at;
    each_piece(tracks, track, |piece| {
        end += piece.span(copied).len;
        Some(())
    })?;
    let mut start = end;
    each_piece(tracks, track, |piece| {
        let span = piece.span(copied);
        start = start.checked_sub(span.len)?;
        span.backward_exactly(tracks, path, start)
    })?;
    Some(end)
}

/// Calls `take` with every piece of a track, and returns the position after it. `None` if
/// `take` returns that, or the bytes are not a track.
fn each_piece(tracks: &[u8], track: usize, mut take: impl FnMut(&Piece) -> Option<()>) -> Option<usize> {
    let mut next = track;
    loop {
        let piece = Piece::read(tracks, next)?;
        take(&piece)?;
        next = piece.end();
        if !piece.more {
            return Some(next);
        }
    }
}

/// How a track begins and ends, and how many cells it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    /// The first cell, and the direction of the step from it.
    pub(super) first: (Cell, Heading),
    /// The last cell, and the direction of the step to it.
    pub(super) last: (Cell, Heading),
    pub(super) cells: usize,
}

/// The ends of the track at a position. `None` if the bytes are not a track of two or
/// more cells.
#[inline]
pub(super) fn ends(tracks: &[u8], track: usize) -> Option<Ends> {
    let piece = Piece::read(tracks, track)?;
    // Two neighbours always fit into a piece, so the first one has both.
    let [x, y, next_x, next_y] = *tracks.get(piece.start..)?.first_chunk()?;
    let first = (cell(piece.origin, [x, y]), byte_heading([x, y], [next_x, next_y]));
    let mut ends = Ends { first, last: piece.last(tracks)?, cells: piece.len };
    if piece.more {
        ends_in_pieces(tracks, track, &mut ends)?;
    }
    Some(ends)
}

/// Corrects the end of a track of several pieces.
#[cold]
fn ends_in_pieces(tracks: &[u8], track: usize, ends: &mut Ends) -> Option<usize> {
    ends.cells = 0;
    each_piece(tracks, track, |piece| {
        ends.cells += piece.len;
        let before = ends.last.0;
        ends.last = piece.last(tracks)?;
        if piece.len == 1 {
            ends.last.1 = heading(before, ends.last.0);
        }
        Some(())
    })
}

/// Writes the cells of a track into `cells`, and returns the position after it. `None` if
/// it is not as [`write()`] writes them. `bytes` is working memory.
pub(super) fn read(tracks: &[u8], track: usize, cells: &mut Vec<Cell>, bytes: &mut Vec<u8>) -> Option<usize> {
    cells.clear();
    bytes.clear();
    let end = each_piece(tracks, track, |piece| {
        let Cell { x: left, y: top } = piece.origin;
        for &[x, y] in tracks.get(piece.start..piece.turns_start())?.as_chunks::<STEP>().0 {
            cells.push(Cell { x: left.checked_add(x.into())?, y: top.checked_add(y.into())? });
        }
        Some(())
    })?;
    write(cells, bytes);
    (tracks.get(track..end)? == bytes).then_some(end)
}

/// Writes a run of steps after the cell at `at`, and gives the position of the
/// last. `None` if the path is too short for it and a stride.
#[inline]
pub(super) fn run(
    from: Cell,
    (dx, dy): (u16, u16),
    len: usize,
    path: &mut [Cell],
    at: usize,
) -> Option<usize> {
    let target = path.get_mut(at + 1..at + 1 + len.next_multiple_of(STRIDE))?;
    let mut from = from;
    for target in target.as_chunks_mut::<STRIDE>().0 {
        for (lane, cell) in target.iter_mut().enumerate() {
            let steps = lane as u16 + 1;
            *cell = Cell {
                x: from.x.wrapping_add(dx.wrapping_mul(steps)),
                y: from.y.wrapping_add(dy.wrapping_mul(steps)),
            };
        }
        from = target[STRIDE - 1];
    }
    Some(at + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths of some lengths, straight and winding.
    fn paths() -> Vec<Vec<Cell>> {
        let winding = |len: usize| {
            let mut cell = Cell::new(700, 600);
            (0..len)
                .map(|step| {
                    let here = cell;
                    let (dx, dy) = [(1_i16, 0_i16), (1, 1), (0, 1), (-1, 1)][step / 40 % 4];
                    cell = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                    here
                })
                .collect()
        };
        [2, 3, 15, 16, 17, 60, 300, 1000].map(winding).to_vec()
    }

    #[test]
    fn tracks_are_read_as_they_were_written_and_in_reverse() {
        let mut bytes = vec![0; MARGIN];
        let mut starts = Vec::new();
        for path in paths() {
            starts.push(bytes.len());
            write(&path, &mut bytes);
        }
        bytes.resize(bytes.len() + MARGIN, 0);
        let track_ends: Vec<usize> = starts[1..].iter().copied().chain([bytes.len() - MARGIN]).collect();
        for ((path, start), end_of_track) in paths().into_iter().zip(starts).zip(track_ends) {
            let mut out = vec![Cell::default(); path.len() + 3 + STRIDE];
            let inner = path.windows(3).filter(|at| heading(at[0], at[1]) != heading(at[1], at[2]));
            let turns: Vec<Cell> = inner.map(|at| at[1]).collect();
            for (copied, cells) in [(Copied::Cells, &path), (Copied::Turns, &turns)] {
                let end = forward(&bytes, start, copied, &mut out, 3).unwrap();
                assert_eq!(out[3..end], **cells);
                let end = backward(&bytes, start, copied, &mut out, 2).unwrap();
                assert!(out[2..end].iter().eq(cells.iter().rev()));
            }
            assert_eq!(forward(&bytes, start, Copied::Cells, &mut out[..path.len()], 3), None);
            let [before, last] = *path.last_chunk().unwrap();
            let expected = Ends {
                first: (path[0], heading(path[0], path[1])),
                last: (last, heading(before, last)),
                cells: path.len(),
            };
            assert_eq!(ends(&bytes, start), Some(expected));
            let (mut seen, mut memory) = (Vec::new(), Vec::new());
            let end = read(&bytes, start, &mut seen, &mut memory);
            assert_eq!((end, seen), (Some(end_of_track), path));
        }
    }

    #[test]
    fn a_track_with_other_turns_is_not_as_written() {
        let path = &paths()[5];
        let mut bytes = vec![0; MARGIN];
        write(path, &mut bytes);
        let end = bytes.len();
        bytes.resize(end + MARGIN, 0);
        let (mut cells, mut memory) = (Vec::new(), Vec::new());
        let mut is_sound = |bytes: &[u8]| read(bytes, MARGIN, &mut cells, &mut memory).is_some();
        assert!(is_sound(&bytes));
        bytes[end - 1] ^= 1; // the last turn
        assert!(!is_sound(&bytes));
    }

    #[test]
    fn bytes_of_something_else_are_no_track() {
        let bytes = vec![0xff; 100];
        let mut out = vec![Cell::default(); 50];
        for at in 0..110 {
            for copied in [Copied::Cells, Copied::Turns] {
                assert_eq!(forward(&bytes, at, copied, &mut out, 0), None);
                assert_eq!(backward(&bytes, at, copied, &mut out, 0), None);
            }
            assert_eq!(ends(&bytes, at), None);
        }
        assert_eq!(forward(&[0; 100], 10, Copied::Cells, &mut out, 0), None);
    }

    #[test]
    fn a_run_is_its_steps() {
        let mut out = vec![Cell::default(); 80];
        let end = run(Cell::new(50, 60), (1, u16::MAX), 37, &mut out, 4).unwrap();
        assert_eq!(end, 41);
        for (step, &cell) in (1..).zip(&out[5..=end]) {
            assert_eq!(cell, Cell::new(50 + step, 60 - step));
        }
        assert_eq!(run(Cell::new(50, 60), (1, 0), 100, &mut out, 4), None);
    }
}

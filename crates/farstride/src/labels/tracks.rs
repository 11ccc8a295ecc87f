//! Tracks: the cells of upward arcs.
//!
//! The *track* of an arc lists every cell from its lower end to its upper one, so that
//! following the arc means copying. A track consists of pieces, each of which fits into
//! 256 columns and rows. So a cell takes two bytes, relative to the piece's smallest
//! column and row. A piece begins with these two, the number of its cells, and the
//! number of pieces that follow.

use crate::base::Cell;

/// Number of cells written at a time. The surplus at the end of a piece is overwritten
/// by the next one; that is faster than writing exactly.
pub(super) const STRIDE: usize = 16;

/// Bytes per cell.
const STEP: usize = 2;
const HEAD: usize = 8;
/// Largest number of columns and rows of a piece.
const SIDE: u16 = 256;
/// Bytes before the first track and after the last, because reading in strides goes
/// beyond a track.
pub(super) const MARGIN: usize = STRIDE * STEP;

/// Appends the track of some cells to `bytes`.
pub(super) fn write(cells: &[Cell], bytes: &mut Vec<u8>) {
    let pieces: Vec<&[Cell]> = pieces(cells).collect();
    for (at, piece) in pieces.iter().enumerate() {
        let origin = origin(piece);
        for number in [origin.x, origin.y, piece.len() as u16, (pieces.len() - 1 - at) as u16] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend(piece.iter().flat_map(|cell| [(cell.x - origin.x) as u8, (cell.y - origin.y) as u8]));
    }
}

/// The smallest column and row of some cells.
fn origin(cells: &[Cell]) -> Cell {
    cells.iter().fold(Cell::new(u16::MAX, u16::MAX), |least, cell| {
        Cell::new(least.x.min(cell.x), least.y.min(cell.y))
    })
}

/// Divides cells into pieces, each as long as possible.
fn pieces(mut cells: &[Cell]) -> impl Iterator<Item = &[Cell]> {
    std::iter::from_fn(move || {
        let &first = cells.first()?;
        let (mut least, mut most) = (first, first);
        let fits = |cell: &&Cell| {
            least = Cell::new(least.x.min(cell.x), least.y.min(cell.y));
            most = Cell::new(most.x.max(cell.x), most.y.max(cell.y));
            most.x - least.x < SIDE && most.y - least.y < SIDE
        };
        let end = cells.iter().take(usize::from(u16::MAX)).take_while(fits).count();
        let (piece, rest) = cells.split_at(end);
        cells = rest;
        Some(piece)
    })
}

/// A piece of a track, in bytes.
struct Piece {
    origin: Cell,
    /// Position of its first cell.
    start: usize,
    len: usize,
    /// Number of pieces that follow.
    left: usize,
}

impl Piece {
    #[inline]
    fn read(tracks: &[u8], at: usize) -> Option<Self> {
        let head = u64::from_le_bytes(*tracks.get(at..)?.first_chunk::<HEAD>()?);
        let piece = Self {
            origin: Cell::new(head as u16, (head >> 16) as u16),
            start: at + HEAD,
            len: usize::from((head >> 32) as u16),
            left: usize::from((head >> 48) as u16),
        };
        // With empty pieces, forged bytes could keep a query busy without filling its
        // path.
        (piece.len > 0).then_some(piece)
    }

    /// Position of the next piece.
    const fn end(&self) -> usize {
        self.start + self.len * STEP
    }

    /// Writes the cells of the piece into `path`, from position `at` on.
    #[inline]
    fn forward(&self, tracks: &[u8], path: &mut [Cell], at: usize) -> Option<()> {
        let len = self.len.next_multiple_of(STRIDE);
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
        let len = self.len.next_multiple_of(STRIDE);
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

/// Writes the cells of a track into `path`, the first over the cell at `at`, and returns
/// the position of the last. `None` if the bytes are not a track, or `path` has no room
/// for it and a stride.
#[inline]
pub(super) fn forward(tracks: &[u8], track: usize, path: &mut [Cell], mut at: usize) -> Option<usize> {
    let mut next = track;
    loop {
        let piece = Piece::read(tracks, next)?;
        piece.forward(tracks, path, at)?;
        at += piece.len;
        next = piece.end();
        if piece.left == 0 {
            return at.checked_sub(1);
        }
    }
}

/// Writes the cells of a track in reverse; otherwise as [`forward`].
#[inline]
pub(super) fn backward(tracks: &[u8], track: usize, path: &mut [Cell], at: usize) -> Option<usize> {
    let piece = Piece::read(tracks, track)?;
    if piece.left == 0 {
        piece.backward(tracks, path, at)?;
        return (at + piece.len).checked_sub(1);
    }
    backward_in_pieces(tracks, track, path, at)
}

/// Reverses a track of several pieces. They are read first to last, but the first comes
/// last in the path, so none may write beyond its own cells.
#[cold]
fn backward_in_pieces(tracks: &[u8], track: usize, path: &mut [Cell], at: usize) -> Option<usize> {
    let mut end = at;
    let mut next = track;
    loop {
        let piece = Piece::read(tracks, next)?;
        end += piece.len;
        next = piece.end();
        if piece.left == 0 {
            break;
        }
    }
    let (mut start, mut next) = (end, track);
    while start > at {
        let piece = Piece::read(tracks, next)?;
        start = start.checked_sub(piece.len)?;
        piece.backward_exactly(tracks, path, start)?;
        next = piece.end();
    }
    end.checked_sub(1)
}

/// Calls `visit` with every cell of a track, and returns the position after it. `None` if
/// it is not as [`write()`] writes them.
pub(super) fn visit(tracks: &[u8], track: usize, mut visit: impl FnMut(Cell)) -> Option<usize> {
    let mut piece = Piece::read(tracks, track)?;
    loop {
        let cells = tracks.get(piece.start..piece.end())?.as_chunks::<STEP>().0;
        for &[x, y] in cells {
            let Cell { x: left, y: top } = piece.origin;
            visit(Cell { x: left.checked_add(x.into())?, y: top.checked_add(y.into())? });
        }
        if piece.left == 0 {
            return Some(piece.end());
        }
        let next = Piece::read(tracks, piece.end())?;
        if next.left + 1 != piece.left {
            return None;
        }
        piece = next;
    }
}

/// Cells whose directions are compared at a time.
const LOOK: usize = 16;
/// Cells in a word of the comparison.
const LANES: usize = 4;

/// The direction of a step.
pub(super) type Heading = (i8, i8);

/// Where a track begins and ends, and in which directions.
pub(super) struct Ends {
    pub(super) first: (Cell, Heading),
    pub(super) last: (Cell, Heading),
    /// Number of cells.
    pub(super) cells: usize,
}

/// Appends the cells at which the track at a position turns, without its ends.
/// `None` if the bytes are none of ours.
#[inline]
pub(super) fn turns_into(tracks: &[u8], track: usize, turns: &mut Vec<Cell>) -> Option<Ends> {
    let mut piece = Piece::read(tracks, track)?;
    let begin = *piece.cells(tracks)?.first()?;
    let begin = cell(piece.origin, begin);
    let mut first = None;
    let mut last: (Cell, Option<Heading>) = (begin, None);
    let mut count = 0;
    loop {
        let cells = piece.cells(tracks)?;
        let mut step_to = |next: Cell, turns: &mut Vec<Cell>| {
            let heading = (next.x.wrapping_sub(last.0.x) as i8, next.y.wrapping_sub(last.0.y) as i8);
            if last.1.is_some_and(|before| before != heading) {
                turns.push(last.0);
            }
            first.get_or_insert(heading);
            last = (next, Some(heading));
        };
        // The steps into a piece, to its second cell and to its last one are looked at
        // one by one; between these, many at a time.
        if count > 0 {
            step_to(cell(piece.origin, cells[0]), turns);
        }
        if let Some(&second) = cells.get(1) {
            step_to(cell(piece.origin, second), turns);
        }
        if let [_, .., before, end] = *cells
            && cells.len() > 2
        {
            piece.inner_turns_into(tracks, turns)?;
            last = (cell(piece.origin, end), Some(heading(before, end)));
        }
        count += piece.len;
        if piece.left == 0 {
            let (end, heading) = last;
            return Some(Ends { first: (begin, first?), last: (end, heading?), cells: count });
        }
        piece = Piece::read(tracks, piece.end())?;
    }
}

impl Piece {
    #[inline]
    fn cells<'t>(&self, tracks: &'t [u8]) -> Option<&'t [[u8; STEP]]> {
        Some(tracks.get(self.start..self.end())?.as_chunks::<STEP>().0)
    }

    /// Appends the cells between the first and the last one at which the piece turns.
    #[inline]
    fn inner_turns_into(&self, tracks: &[u8], turns: &mut Vec<Cell>) -> Option<()> {
        // A look at the last cells goes beyond them.
        let end = self.end() + (LOOK - 1) * STEP;
        let padded = tracks.get(self.start..end)?.as_chunks::<STEP>().0;
        let inner = self.len - 1;
        let mut at = 1;
        while at < inner {
            let look = padded.get(at - 1..)?.first_chunk::<{ LOOK + 2 }>()?;
            // Where the path goes on straight, both differences are the same. Of arrays
            // the compiler makes vector instructions; then four lanes are tested at once.
            let lanes: [u16; LOOK] =
                std::array::from_fn(|lane| turn(look[lane], look[lane + 1], look[lane + 2]));
            for (first, word) in (0..).step_by(LANES).zip(lanes.as_chunks::<LANES>().0) {
                let mut word = word.iter().rev().fold(0, |word, &lane| word << 16 | u64::from(lane));
                while word != 0 {
                    let lane = word.trailing_zeros() as usize / 16;
                    if at + first + lane >= inner {
                        return Some(()); // what follows the piece
                    }
                    turns.push(cell(self.origin, look[first + lane + 1]));
                    word &= !(0xffff << (16 * lane));
                }
            }
            at += LOOK;
        }
        Some(())
    }
}

#[inline]
const fn heading(from: [u8; STEP], to: [u8; STEP]) -> Heading {
    (to[0].wrapping_sub(from[0]) as i8, to[1].wrapping_sub(from[1]) as i8)
}

/// Not 0 if a path turns at the second of three cells. A cell is compared as one
/// word, whose differences tell all eight directions apart.
#[inline]
const fn turn(before: [u8; STEP], here: [u8; STEP], after: [u8; STEP]) -> u16 {
    let here = u16::from_le_bytes(here);
    here.wrapping_sub(u16::from_le_bytes(before)) ^ u16::from_le_bytes(after).wrapping_sub(here)
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
        [2, 3, 15, 16, 17, 40, 300, 1000].map(winding).to_vec()
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
        let ends: Vec<usize> = starts[1..].iter().copied().chain([bytes.len() - MARGIN]).collect();
        for ((path, start), end_of_track) in paths().into_iter().zip(starts).zip(ends) {
            let mut out = vec![Cell::default(); path.len() + 3 + STRIDE];
            let end = forward(&bytes, start, &mut out, 3).unwrap();
            assert_eq!(out[3..=end], path);
            let end = backward(&bytes, start, &mut out, 2).unwrap();
            assert!(out[2..=end].iter().eq(path.iter().rev()));
            assert_eq!(forward(&bytes, start, &mut out[..path.len()], 3), None);
            let mut seen = Vec::new();
            let end = visit(&bytes, start, |cell| seen.push(cell));
            assert_eq!((end, seen), (Some(end_of_track), path));
        }
    }

    #[test]
    fn bytes_of_something_else_are_no_track() {
        let bytes = vec![0xff; 100];
        let mut out = vec![Cell::default(); 50];
        for at in 0..110 {
            assert_eq!(forward(&bytes, at, &mut out, 0), None);
            assert_eq!(backward(&bytes, at, &mut out, 0), None);
        }
        assert_eq!(forward(&[0; 100], 10, &mut out, 0), None);
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

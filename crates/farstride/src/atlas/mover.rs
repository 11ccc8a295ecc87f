//! Movers: what terrain costs, how large they are, which links they may use.

use super::error::MoverError;
use super::tiles::{Floor, LinkKind};
use crate::base::{Cell, Rect};
use crate::grid::Rules;
use crate::index::Engine;
use std::fmt;

/// A kind of unit: where it may go, and at what cost.
///
/// # Size
/// A mover of size `n` covers a square of `n` × `n` cells and is *where its upper left
/// cell is*: places in queries and paths are the places of that cell. It may stand where all
/// cells of its square are on the floor and may be entered. A cell costs what the dearest
/// cell under the square costs. The rule of diagonals is applied to the square as a whole:
/// a diagonal step passes the two cells that it touches beside its squares before and
/// after, so that under [`Diagonals::Strict`](crate::Diagonals::Strict) no cell of the
/// square cuts a corner.
///
/// # Doors
/// A door is a terrain class of its own, which some movers may enter and others may not. A
/// door that is shut is a cell of another class.
///
/// # Example
/// ```
/// use farstride::atlas::Mover;
///
/// let boat = Mover::new().entering(b'~', 1);
/// let tank = Mover::new().entering(b'.', 1).entering(b',', 3).sized(3);
/// assert_eq!((tank.cost(b','), tank.cost(b'~')), (Some(3), None));
/// assert_eq!(boat.cost(b'~'), Some(1));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Mover {
    /// What each class costs; 0 if it cannot be entered.
    costs: [u8; 256],
    size: u16,
    rules: Rules,
    /// A bit for each kind of link it may use.
    links: u64,
    engine: Engine,
}

impl Mover {
    /// The largest size.
    pub const MAX_SIZE: u16 = 16;

    /// A mover of one cell that may enter nothing yet, uses all links, and moves by the
    /// default rules.
    pub fn new() -> Self {
        Self { costs: [0; 256], size: 1, rules: Rules::default(), links: u64::MAX, engine: Engine::Hpa }
    }

    /// The same mover, which enters cells of a class at a cost of 1 to 255. A cost of 0
    /// means that it cannot enter them.
    #[must_use]
    pub const fn entering(mut self, class: u8, cost: u8) -> Self {
        self.costs[class as usize] = cost;
        self
    }

    /// The same mover, covering a square with sides of this many cells.
    #[must_use]
    pub const fn sized(self, size: u16) -> Self {
        Self { size, ..self }
    }

    /// The same mover under other rules of movement.
    #[must_use]
    pub const fn moving_by(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// The same mover, which may use only links of these kinds. Kinds from 64 on do not
    /// exist and are ignored.
    #[must_use]
    pub fn using_links(self, kinds: &[LinkKind]) -> Self {
        let bits = kinds.iter().filter_map(|&kind| 1_u64.checked_shl(kind.into()));
        Self { links: bits.fold(0, |all, bit| all | bit), ..self }
    }

    /// The same mover, whose paths another engine finds; [`Engine::Hpa`] unless set.
    ///
    /// Where the engine does not support the terrain of a floor, the engine that it names
    /// instead ([`Engine::check`]) is taken on that floor.
    #[must_use]
    pub const fn with_engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// What a class costs; `None` if it cannot be entered.
    pub const fn cost(&self, class: u8) -> Option<u8> {
        match self.costs[class as usize] {
            0 => None,
            cost => Some(cost),
        }
    }

    /// The side of its square, in cells.
    pub const fn size(&self) -> u16 {
        self.size
    }

    /// The rules of movement.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The engine asked for.
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// Whether it may use links of a kind.
    pub fn uses(&self, kind: LinkKind) -> bool {
        self.links.checked_shr(kind.into()).is_some_and(|bits| bits & 1 != 0)
    }

    pub(super) fn check(&self) -> Result<(), MoverError> {
        if !(1..=Self::MAX_SIZE).contains(&self.size) {
            return Err(MoverError::Size { found: self.size });
        }
        if self.costs.iter().all(|&cost| cost == 0) {
            return Err(MoverError::EntersNothing);
        }
        Ok(())
    }

    /// Whether another mover has the same map of a floor: they differ only in classes that
    /// are not there, and in links.
    pub(super) fn sees_alike(&self, other: &Self, floor: &Floor) -> bool {
        (self.size, self.rules, self.engine) == (other.size, other.rules, other.engine)
            && (0..=255).all(|class| {
                self.costs[usize::from(class)] == other.costs[usize::from(class)] || !floor.has_class(class)
            })
    }

    /// The cells that a change of the classes in `area` may change for this mover.
    pub(super) fn touched(&self, area: Rect) -> Rect {
        let before = |at: u16| at.saturating_sub(self.size - 1);
        Rect::spanning(Cell::new(before(area.min().x), before(area.min().y)), area.max())
    }

    /// Writes the weights of the cells of an area for this mover, row by row: the largest
    /// cost under its square, or 0 where it cannot stand.
    pub(super) fn weigh(&self, floor: &Floor, area: Rect, weights: &mut Vec<u8>) {
        /// More than any cost.
        const NEVER: u16 = 256;
        let (size, width) = (usize::from(self.size), area.width() as usize);
        let cost = |class: u8| match self.costs[usize::from(class)] {
            0 => NEVER,
            cost => u16::from(cost),
        };
        // The largest cost of `size` cells of a row, then that of `size` rows.
        let mut rows = Vec::with_capacity((area.height() as usize + size - 1) * width);
        let mut line = vec![NEVER; width + size - 1];
        for y in area.min().y..area.max().y + self.size {
            line.fill(NEVER);
            if usize::from(y) < floor.height() {
                let classes = floor.row_from(y, area.min().x);
                line.iter_mut().zip(classes).for_each(|(to, &class)| *to = cost(class));
            }
            rows.extend(line.windows(size).map(|cells| cells.iter().copied().max().unwrap_or(NEVER)));
        }
        weights.clear();
        for row in 0..area.height() as usize {
            for column in 0..width {
                let cells = (row..row + size).map(|row| rows[row * width + column]);
                weights.push(u8::try_from(cells.max().unwrap_or(NEVER)).unwrap_or(0));
            }
        }
    }
}

impl Default for Mover {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes = self.costs.iter().enumerate().filter(|(_, cost)| **cost > 0);
        f.debug_struct("Mover")
            .field("costs", &classes.collect::<Vec<_>>())
            .field("size", &self.size)
            .field("rules", &self.rules)
            .field("links", &format_args!("{:#x}", self.links))
            .field("engine", &self.engine)
            .finish()
    }
}

//! How queries are answered.

/// How the way between start and goal is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Section by section: each level plans the first steps of the level above.
    /// The first section is known at once.
    #[default]
    Sections,
    /// On exclusions: each level plans the whole way, but sees only what the
    /// level above goes through. Slower, and the way is shorter.
    Exclusion,
}

/// What a section leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Aim {
    /// The border of the group that it leads to, where that is best reached on
    /// the way to its representative: a doorway.
    #[default]
    Doorway,
    /// The representative of that group, as in the text.
    Representative,
}

/// How queries are answered. None of it changes the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GroupTactics {
    /// How whole routes are found. Plans go section by section in any case.
    pub mode: Mode,
    /// Steps of each level that are refined at a time, at least 1. More look
    /// further ahead and take longer.
    pub ahead: usize,
    /// What sections lead to.
    pub aim: Aim,
}

impl Default for GroupTactics {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl GroupTactics {
    /// The default, where a constant is needed.
    pub const DEFAULT: Self = Self { mode: Mode::Sections, ahead: 2, aim: Aim::Doorway };
}

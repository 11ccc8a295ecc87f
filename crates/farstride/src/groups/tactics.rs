//! Settings of queries on a hierarchy.

use crate::base::with_methods;

/// How a whole route is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Mode {
    /// Section by section: each level refines the next few steps of the level above.
    /// The first section is ready long before the whole route.
    #[default]
    Sections,
    /// By exclusion: each level finds the whole way, confined to what the level above
    /// leads through. Slower, and the route is shorter.
    Exclusion,
}

/// Where a section ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Aim {
    /// At the border of the group that it leads to, at the best place on the way to
    /// that group's representative.
    #[default]
    Doorway,
    /// At the representative of that group, as in the text.
    Representative,
}

/// Settings of queries. They can differ from query to query: the hierarchy does not
/// depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct GroupTactics {
    /// How whole routes are found. Plans are always refined section by section.
    pub mode: Mode,
    /// Number of steps on each level that are refined at a time; 0 counts as 1. More
    /// steps give shorter routes and slower sections.
    pub ahead: usize,
    /// Where sections end.
    pub aim: Aim,
}

with_methods!(GroupTactics { with_mode mode: Mode, with_ahead ahead: usize, with_aim aim: Aim });

impl Default for GroupTactics {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl GroupTactics {
    /// The default, as a constant.
    // Decision 15 has the figures: doorways with one step give shorter routes than
    // representatives with two, and a second step still helps.
    pub const DEFAULT: Self = Self { mode: Mode::Sections, ahead: 2, aim: Aim::Doorway };
}

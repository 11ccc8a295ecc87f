//! Options of the engine groups.

use clap::{Args, ValueEnum};
use farstride::Engine;
use farstride::groups::{Connection, GroupTactics, Mode};

/// How the engine groups connects squares and answers queries.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Options of the engine groups")]
pub(super) struct GroupOptions {
    /// Cost of moving from one group to the next [default: average].
    #[arg(long, value_enum, value_name = "RULE", hide_short_help = true)]
    pub(super) connection: Option<ConnectionOption>,

    /// How to find whole paths [default: sections]; not part of an index.
    #[arg(long, value_enum, value_name = "HOW", hide_short_help = true)]
    mode: Option<ModeOption>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(super) enum ConnectionOption {
    /// The cheapest link between them, as if crossing a group cost nothing.
    Minimum,
    /// The least cost from each link in to the next group; the largest of these.
    Maximin,
    /// The same, but the average of these.
    Average,
}

impl From<ConnectionOption> for Connection {
    fn from(option: ConnectionOption) -> Self {
        match option {
            ConnectionOption::Minimum => Self::Minimum,
            ConnectionOption::Maximin => Self::Maximin,
            ConnectionOption::Average => Self::Average,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum ModeOption {
    /// Each level plans the first steps of the level above.
    Sections,
    /// Each level plans the whole path within the groups that the level above
    /// passes through: shorter paths that take longer to find.
    Exclusion,
}

impl From<ModeOption> for Mode {
    fn from(option: ModeOption) -> Self {
        match option {
            ModeOption::Sections => Self::Sections,
            ModeOption::Exclusion => Self::Exclusion,
        }
    }
}

impl GroupOptions {
    const TAKERS: &'static [Engine] = &[Engine::Groups];

    /// How to answer queries.
    pub(super) fn tactics(self) -> GroupTactics {
        let usual = GroupTactics::default();
        usual.with_mode(self.mode.map_or(usual.mode, Mode::from))
    }

    pub(super) fn given(self) -> impl Iterator<Item = (&'static str, &'static [Engine])> {
        let options = [("--connection", self.connection.is_some()), ("--mode", self.mode.is_some())];
        options.into_iter().filter(|&(_, given)| given).map(|(name, _)| (name, Self::TAKERS))
    }
}

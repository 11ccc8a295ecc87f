//! Settings of engines by name.

use crate::names::{find, name};
use crate::{Failure, chain};
use farstride::groups::{Aim, Connection, GridGroupSettings, GroupTactics, Mode};
use farstride::hpa::{KeepWays, Local, Skip, Tactics};
use farstride::index::IndexSettings;
use farstride::labels::Block;
use farstride::straight::StraightRule;
use farstride::subgoal::{Partition, SubgoalSettings};
use farstride::{Engine, Planner};
use std::fmt;

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Yes or no.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// A name.
    Text(String),
    /// Nothing: no limit.
    None,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "'{value}'"),
            Self::None => write!(f, "none"),
        }
    }
}

/// Reads settings from text, as in `cluster=16,smooth=false`.
///
/// # Errors
/// [`Failure`] shows the first part that is not a name and a value.
pub fn parse(text: &str) -> Result<Vec<(String, Value)>, Failure> {
    let parts = text.split(',').filter(|_| !text.trim().is_empty());
    let read = |part: &str| {
        let (name, value) = part.split_once('=').ok_or_else(|| {
            Failure::settings(format!(
                "'{part}' is not a setting; write settings as in cluster=16,smooth=false"
            ))
        })?;
        let value = match value.trim() {
            "true" => Value::Switch(true),
            "false" => Value::Switch(false),
            "none" => Value::None,
            text => text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Number),
        };
        Ok((name.trim().to_owned(), value))
    };
    parts.map(read).collect()
}

/// Everything that can be set for an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How the index is built; `None` if the engine has none.
    pub index: Option<IndexSettings>,
    tactics: Tactics,
    group_tactics: GroupTactics,
}

const LOCALS: [(&str, Local); 2] = [("theta", Local::Theta), ("lazy-theta", Local::LazyTheta)];
const SKIPS: [(&str, Skip); 2] = [("afterwards", Skip::Afterwards), ("in-search", Skip::InSearch)];
const CONNECTIONS: [(&str, Connection); 3] =
    [("minimum", Connection::Minimum), ("maximin", Connection::Maximin), ("average", Connection::Average)];
const MODES: [(&str, Mode); 2] = [("sections", Mode::Sections), ("exclusion", Mode::Exclusion)];
const AIMS: [(&str, Aim); 2] = [("doorway", Aim::Doorway), ("representative", Aim::Representative)];
const RULES: [(&str, StraightRule); 2] = [("touch", StraightRule::Touch), ("body", StraightRule::Body)];
const BLOCKS: [(&str, Block); 3] = [("auto", Block::Auto), ("8", Block::Eight), ("16", Block::Sixteen)];

/// A setting with its value.
struct Given<'a> {
    name: &'a str,
    value: &'a Value,
}

impl Given<'_> {
    fn expected(&self, what: &str) -> Failure {
        Failure::settings(format!("{} is {}; expected {what}", self.name, self.value))
    }

    /// A whole number. Whether it is in the range of the setting, the engine checks.
    fn number<N: TryFrom<i64>>(&self) -> Result<N, Failure> {
        let Value::Number(number) = *self.value else { return Err(self.expected("a whole number")) };
        let least = if number < 0 { "at least 0" } else { "a smaller number" };
        N::try_from(number).map_err(|_| self.expected(least))
    }

    fn limit<N: TryFrom<i64>>(&self) -> Result<Option<N>, Failure> {
        if *self.value == Value::None { Ok(None) } else { self.number().map(Some) }
    }

    fn switch(&self) -> Result<bool, Failure> {
        let Value::Switch(value) = *self.value else { return Err(self.expected("true or false")) };
        Ok(value)
    }

    /// Yes or no, or a name for what is between.
    fn kept_ways(&self) -> Result<KeepWays, Failure> {
        match self.value {
            Value::Switch(true) => Ok(KeepWays::All),
            Value::Switch(false) => Ok(KeepWays::Nothing),
            Value::Text(text) if text == "auto" => Ok(KeepWays::Auto),
            Value::Text(text) if text == "between" => Ok(KeepWays::Between),
            _ => Err(self.expected("true, false, 'between' or 'auto'")),
        }
    }

    fn one_of<T: Copy>(&self, names: &[(&str, T)]) -> Result<T, Failure> {
        let text = match self.value {
            Value::Text(text) => text.clone(),
            // So that `block = 8` is understood.
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        find(names, &text).map_err(|all| self.expected(&all))
    }
}

fn kept_ways(kept: KeepWays) -> Value {
    match kept {
        KeepWays::Auto => Value::Text("auto".to_owned()),
        KeepWays::All => Value::Switch(true),
        KeepWays::Between => Value::Text("between".to_owned()),
        KeepWays::Nothing => Value::Switch(false),
    }
}

impl Settings {
    /// The usual settings of an engine.
    pub fn of(engine: Engine) -> Self {
        Self {
            index: engine.default_settings(),
            tactics: Tactics::default(),
            group_tactics: GroupTactics::default(),
        }
    }

    /// The settings of an engine: its usual ones, except for those given by name.
    ///
    /// # Errors
    /// [`Failure`] names a setting that the engine does not have, or a wrong value.
    pub fn read<'a>(
        engine: Engine,
        given: impl IntoIterator<Item = &'a (String, Value)>,
    ) -> Result<Self, Failure> {
        let mut settings = Self::of(engine);
        for (name, value) in given {
            settings.set(engine, &Given { name, value })?;
        }
        Ok(settings)
    }

    /// The same settings of queries, with those of an index that was opened.
    #[must_use]
    pub const fn with_index(self, index: IndexSettings) -> Self {
        Self { index: Some(index), ..self }
    }

    /// How queries of `hpa` and `hpt` are answered.
    pub const fn tactics(&self) -> Tactics {
        self.tactics
    }

    /// The planner, answering queries by these settings.
    pub fn applied_to(&self, planner: Planner) -> Planner {
        planner.with_tactics(self.tactics).with_group_tactics(self.group_tactics)
    }

    /// The settings of groups on any graph: how connections cost, and how queries are answered.
    pub const fn of_groups(&self) -> (Connection, GroupTactics) {
        let connection = match self.index {
            Some(IndexSettings::Groups(settings)) => settings.connection,
            _ => GridGroupSettings::DEFAULT.connection,
        };
        (connection, self.group_tactics)
    }

    fn set(&mut self, engine: Engine, given: &Given<'_>) -> Result<(), Failure> {
        let is_hpt = engine == Engine::Hpt;
        match (&mut self.index, given.name) {
            (Some(IndexSettings::Hpa(settings)), name) => match name {
                "cluster" => settings.cluster = given.number()?,
                "levels" => settings.levels = given.number()?,
                "net" => settings.net = given.number()?,
                "group" => settings.group = given.number()?,
                "entrance" => settings.entrance = given.number()?,
                "gap" if !is_hpt => settings.gap = given.number()?,
                "keep_ways" => settings.keep_ways = given.kept_ways()?,
                "local" if is_hpt => settings.local = given.one_of(&LOCALS)?,
                "smooth" => self.tactics.smooth = given.switch()?,
                "skip" if is_hpt => self.tactics.skip = given.one_of(&SKIPS)?,
                _ => return Err(unknown(engine, name)),
            },
            (Some(IndexSettings::Subgoals(settings)), "levels") => {
                let levels: Option<u32> = given.limit()?;
                if levels == Some(0) {
                    return Err(given.expected("at least 1"));
                }
                settings.partition = match settings.partition {
                    Partition::Basic(_) => Partition::Basic(levels),
                    Partition::Advanced(_) => Partition::Advanced(levels),
                    _ => return Err(unknown(engine, "levels")),
                };
            }
            (Some(IndexSettings::Groups(settings)), name) => match name {
                "cluster" => settings.side = given.number()?,
                "group" => settings.group = given.number()?,
                "levels" => settings.levels = given.limit()?,
                "connection" => settings.connection = given.one_of(&CONNECTIONS)?,
                "mode" => self.group_tactics.mode = given.one_of(&MODES)?,
                "ahead" => self.group_tactics.ahead = given.number()?,
                "aim" => self.group_tactics.aim = given.one_of(&AIMS)?,
                _ => return Err(unknown(engine, name)),
            },
            (Some(IndexSettings::Labels(settings)), name) => match name {
                "budget" => settings.budget = given.number()?,
                "block" => settings.block = given.one_of(&BLOCKS)?,
                _ => return Err(unknown(engine, name)),
            },
            (Some(IndexSettings::Straight(settings)), name) => match name {
                "rule" => settings.rule = given.one_of(&RULES)?,
                "budget" => settings.budget = given.number()?,
                "block" => settings.block = given.one_of(&BLOCKS)?,
                _ => return Err(unknown(engine, name)),
            },
            (Some(IndexSettings::Overlay(settings)), name) => match name {
                "cluster" => settings.side = given.number()?,
                "landmarks" => settings.landmarks = given.number()?,
                _ => return Err(unknown(engine, name)),
            },
            (_, name) => return Err(unknown(engine, name)),
        }
        Ok(())
    }

    /// Checks an engine on a map and its settings before anything is built.
    ///
    /// # Errors
    /// [`Failure`] names a setting out of range.
    pub fn check(&self) -> Result<(), Failure> {
        let checked = match self.index {
            Some(IndexSettings::Hpa(settings)) => settings.check(),
            Some(IndexSettings::Groups(settings)) => settings.check(),
            Some(IndexSettings::Overlay(settings)) => settings.check(),
            _ => Ok(()),
        };
        checked.map_err(|error| Failure::settings(chain(&error)))
    }

    /// All settings by name, as [`Settings::read`] takes them.
    pub fn list(&self) -> Vec<(&'static str, Value)> {
        let number = |value: u64| Value::Number(value as i64);
        let limit = |value: Option<u32>| value.map_or(Value::None, |value| number(value.into()));
        let text = |name: &str| Value::Text(name.to_owned());
        match self.index {
            Some(IndexSettings::Hpa(settings)) => {
                let mut list = vec![
                    ("cluster", number(settings.cluster.into())),
                    ("levels", number(settings.levels.into())),
                    ("group", number(settings.group.into())),
                    ("entrance", number(settings.entrance.into())),
                    ("net", number(settings.net.into())),
                    ("keep_ways", kept_ways(settings.keep_ways)),
                    ("smooth", Value::Switch(self.tactics.smooth)),
                ];
                if settings.local.is_any_angle() {
                    list.push(("local", text(name(&LOCALS, &settings.local))));
                    list.push(("skip", text(name(&SKIPS, &self.tactics.skip))));
                } else {
                    list.push(("gap", number(settings.gap.into())));
                }
                list
            }
            Some(IndexSettings::Subgoals(SubgoalSettings {
                partition: Partition::Basic(levels) | Partition::Advanced(levels),
            })) => vec![("levels", limit(levels))],
            Some(IndexSettings::Groups(settings)) => vec![
                ("cluster", number(settings.side.into())),
                ("group", number(settings.group.into())),
                ("levels", limit(settings.levels.map(Into::into))),
                ("connection", text(name(&CONNECTIONS, &settings.connection))),
                ("mode", text(name(&MODES, &self.group_tactics.mode))),
                ("ahead", number(self.group_tactics.ahead as u64)),
                ("aim", text(name(&AIMS, &self.group_tactics.aim))),
            ],
            Some(IndexSettings::Labels(settings)) => {
                vec![("budget", number(settings.budget)), ("block", text(name(&BLOCKS, &settings.block)))]
            }
            Some(IndexSettings::Straight(settings)) => vec![
                ("rule", text(name(&RULES, &settings.rule))),
                ("budget", number(settings.budget)),
                ("block", text(name(&BLOCKS, &settings.block))),
            ],
            Some(IndexSettings::Overlay(settings)) => vec![
                ("cluster", number(settings.side.into())),
                ("landmarks", number(settings.landmarks.into())),
            ],
            _ => Vec::new(),
        }
    }
}

fn unknown(engine: Engine, name: &str) -> Failure {
    Failure::settings(format!("engine {engine} takes no setting '{name}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_can_be_read() {
        for engine in Engine::ALL {
            let usual = Settings::of(engine);
            let list: Vec<(String, Value)> =
                usual.list().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(Settings::read(engine, &list), Ok(usual), "{engine}");
            assert_eq!(usual.check(), Ok(()));
        }
    }

    #[test]
    fn text_is_read_as_settings() {
        let list = parse("cluster=16, levels=none ,smooth=false,local=theta").unwrap();
        let expected = [
            ("cluster", Value::Number(16)),
            ("levels", Value::None),
            ("smooth", Value::Switch(false)),
            ("local", Value::Text("theta".to_owned())),
        ];
        assert_eq!(list, expected.map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(parse(" "), Ok(Vec::new()));
        assert!(parse("cluster").unwrap_err().message.contains("'cluster' is not a setting"));
    }

    #[test]
    fn wrong_settings_are_named() {
        for (engine, text, expected) in [
            (Engine::Astar, "cluster=3", "engine astar takes no setting 'cluster'"),
            (Engine::Hpa, "local=theta", "engine hpa takes no setting 'local'"),
            (Engine::Hpa, "cluster=-3", "cluster is -3; expected at least 0"),
            (Engine::Hpa, "cluster=70000", "expected a smaller number"),
            (Engine::Hpa, "cluster=big", "cluster is 'big'; expected a whole number"),
            (Engine::Hpa, "smooth=1", "smooth is 1; expected true or false"),
            (Engine::Hpt, "skip=x", "skip is 'x'; expected afterwards or in-search"),
            (Engine::Nsg, "levels=0", "levels is 0; expected at least 1"),
            (Engine::Ssg, "levels=2", "engine ssg takes no setting 'levels'"),
            (Engine::Labels, "block=9", "block is 9; expected auto, 8 or 16"),
        ] {
            let message = Settings::read(engine, &parse(text).unwrap()).unwrap_err().message;
            assert!(message.contains(expected), "{text} gave {message}");
        }
        let settings = Settings::read(Engine::Hpa, &parse("cluster=1").unwrap()).unwrap();
        assert!(settings.check().unwrap_err().message.contains("cluster"));
    }
}

//! The command `farstride`: one file per command, and what they share.
//!
//! Exit codes: 0 when the command did its job, 1 when there is no route or a
//! check failed, 2 when the input is wrong; the reason is one line on standard
//! error.
//!
//! This is a library only so that `farstride-paper` can share the code that
//! parses, prints and averages. It is no public interface and changes without
//! notice.
#![doc(hidden)]

mod commands;
mod options;
pub mod output;
pub mod stats;
mod world;

use clap::{Arg, ArgAction, CommandFactory, Parser, Subcommand};
use farstride::error::OpenError;
use std::error::Error;
use std::process::ExitCode;

/// Find paths in worlds too large for plain A*: exact, deterministic, fast.
#[derive(Parser)]
#[command(name = "farstride", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Without a command, farstride runs 'farstride demo'. Help on a command: farstride help COMMAND.

Examples:
  farstride path --from 126,56 --to 3,2
  farstride gen caves --size 512x512 --seed 7 -o caves.map
  farstride render --map caves.map --from 20,20 --to 490,490 -o caves.png
  farstride gen terrain --kind roads --size 300x200 --seed 4 -o land.pgm
  farstride path --weights land.pgm --from 10,10 --to 290,190
  farstride bench --weights land.pgm --queries 200 --engine astar,hpa
  farstride bench --map orz700d.map --scen orz700d.map.scen --engine astar,theta";

#[derive(Subcommand)]
enum Command {
    Demo(commands::demo::Args),
    Path(commands::path::Args),
    Table(commands::table::Args),
    Bench(commands::bench::Args),
    Verify(commands::verify::Args),
    Build(commands::build::Args),
    Info(commands::info::Args),
    Gen(commands::generate::Args),
    Render(commands::render::Args),
    Paper(commands::paper::Args),
    Engines(commands::engines::Args),
}

/// How a command ends: with an exit code, or with what is wrong with its input.
pub type Ending = Result<ExitCode, Box<dyn Error>>;

/// Runs the command `farstride` with the arguments of the process.
pub fn main() -> ExitCode {
    run("farstride", |cli: Cli| match cli.command {
        None => commands::demo::run(&commands::demo::Args::default()),
        Some(Command::Demo(args)) => commands::demo::run(&args),
        Some(Command::Path(args)) => commands::path::run(&args),
        Some(Command::Table(args)) => commands::table::run(&args),
        Some(Command::Bench(args)) => commands::bench::run(&args),
        Some(Command::Verify(args)) => commands::verify::run(&args),
        Some(Command::Build(args)) => commands::build::run(&args),
        Some(Command::Info(args)) => commands::info::run(&args),
        Some(Command::Gen(args)) => commands::generate::run(&args),
        Some(Command::Render(args)) => commands::render::run(&args),
        Some(Command::Paper(args)) => commands::paper::run(&args),
        Some(Command::Engines(_)) => {
            let mut command = with_short_help(Cli::command());
            let engines = command.find_subcommand_mut(ENGINES).ok_or("there is no help on engines")?;
            output::print(&engines.render_long_help().to_string())?;
            Ok(ExitCode::SUCCESS)
        }
    })
}

/// Parses the arguments of the process and runs a command; a failure is one line
/// on standard error.
pub fn run<C: Parser>(name: &str, command: impl FnOnce(C) -> Ending) -> ExitCode {
    let parsed = with_short_help(C::command())
        .try_get_matches()
        .and_then(|mut matches| C::from_arg_matches_mut(&mut matches));
    let ending = match parsed {
        Ok(cli) => command(cli),
        Err(error) => return refuse(name, &error),
    };
    ending.unwrap_or_else(|error| {
        output::tell(&format!("{name}: {}", message(&*error)));
        ExitCode::from(2)
    })
}

/// An error and its causes in one line, and what to do if an index is at fault.
fn message(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let (mut last, mut opening) = (error, error.downcast_ref());
    while let Some(cause) = last.source() {
        text += ": ";
        text += &cause.to_string();
        opening = opening.or_else(|| cause.downcast_ref());
        last = cause;
    }
    if let Some(error) = opening {
        text += match error {
            OpenError::NotAnIndex => "; make one with 'farstride build'",
            OpenError::OtherMap { .. } => {
                "; use the map, weights and rules it was built for, or build it again with 'farstride build'"
            }
            _ => "; build it again with 'farstride build'",
        };
    }
    text
}

/// The subcommand whose help explains the options of engines.
const ENGINES: &str = "engines";

/// `-h` and `--help` print a line per option and fit a screen; `help COMMAND`
/// prints everything.
fn with_short_help(command: clap::Command) -> clap::Command {
    // This one is nothing but help.
    let action = if command.get_name() == ENGINES { ArgAction::HelpLong } else { ArgAction::HelpShort };
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(action)
        .help("Print this help")
        .help_heading(None::<&str>);
    let command =
        if command.is_disable_help_flag_set() { command } else { command.disable_help_flag(true).arg(help) };
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_short_help))
}

/// Prints help as it is, and any complaint of the parser in one line.
fn refuse(name: &str, error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A reader that has gone away is no error.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let told = text.split("\n\nUsage").next().unwrap_or(&text);
    let told = told.split("\n\nFor more").next().unwrap_or(told);
    let line = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    output::tell(&format!("{name}: {line}; see '{name} --help'"));
    ExitCode::from(2)
}

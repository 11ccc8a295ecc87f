//! The command `farstride`: one file per command, and what they share.
//!
//! Exit codes: 0 when the command did its job, 1 when there is no route (or a
//! check failed), 2 when something is wrong with the input; the reason is one
//! line on standard error.

mod commands;
mod options;
mod output;
mod stats;
mod world;

use clap::{Parser, Subcommand};
use std::error::Error;
use std::process::ExitCode;

/// Finds paths in worlds too large for plain A*: exact, deterministic, fast.
///
/// Without a command, `farstride` shows what it can do on a built-in map.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  farstride                                          what it can do, on a built-in map
  farstride path --from 12,33 --to 147,11             one path on the built-in map
  farstride gen caves --size 512x512 --seed 7 -o caves.map
  farstride render --map caves.map --from 20,20 --to 490,490 -o caves.png
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
}

/// What every command ends with: whether all is well, or why it could not run.
type Ending = Result<ExitCode, Box<dyn Error>>;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let ending = match cli.command {
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
    };
    ending.unwrap_or_else(|error| {
        output::tell(&format!("farstride: {error}"));
        ExitCode::from(2)
    })
}

/// Help goes out as it is; any other complaint of the parser is put in one line.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Nothing is lost if the reader has gone away.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let told = text.split("\n\nUsage").next().unwrap_or(&text);
    let told = told.split("\n\nFor more").next().unwrap_or(told);
    let line = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    output::tell(&format!("farstride: {line}; see 'farstride --help'"));
    ExitCode::from(2)
}

//! `farstride paper`: repeats the measurements of papers.

mod book;
mod clock;
mod hpa;
mod hpt;
mod nlevel;
mod report;
mod scenario;
mod table;

use std::process::ExitCode;

/// Repeat the measurements of a paper, with the published values beside ours.
#[derive(clap::Parser)]
#[command(name = NAME, bin_name = NAME, version, after_help = "\
Examples:
  farstride paper hpa --data movingai --out paper-hpa
  farstride paper nlevel --data movingai --out paper-nlevel --limit 100
  farstride paper hpt --data movingai --out paper-hpt")]
struct Args {
    #[command(subcommand)]
    document: Document,
}

#[derive(clap::Subcommand)]
enum Document {
    Hpa(hpa::Args),
    Nlevel(nlevel::Args),
    Hpt(hpt::Args),
}

const NAME: &str = "farstride paper";

/// Runs the command `farstride paper` with the arguments of the process.
pub fn main() -> ExitCode {
    farstride_cli::run(NAME, |args: Args| match &args.document {
        Document::Hpa(args) => hpa::run(args),
        Document::Nlevel(args) => nlevel::run(args),
        Document::Hpt(args) => hpt::run(args),
    })
}

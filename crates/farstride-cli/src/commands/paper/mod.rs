//! `farstride paper`: the papers' tables and figures, measured again.

mod book;
mod clock;
mod hpa;
mod hpt;
mod nlevel;
mod report;
mod scenario;
mod table;

use crate::Ending;

/// Repeat the measurements of a paper, published values beside ours.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  farstride paper hpa --data movingai --out paper-hpa
  farstride paper nlevel --data movingai --out paper-nlevel --limit 100
  farstride paper hpt --data movingai --out paper-hpt")]
pub(crate) struct Args {
    #[command(subcommand)]
    document: Document,
}

#[derive(clap::Subcommand)]
enum Document {
    Hpa(hpa::Args),
    Nlevel(nlevel::Args),
    Hpt(hpt::Args),
}

pub(crate) fn run(args: &Args) -> Ending {
    match &args.document {
        Document::Hpa(args) => hpa::run(args),
        Document::Nlevel(args) => nlevel::run(args),
        Document::Hpt(args) => hpt::run(args),
    }
}

//! `farstride paper`: the papers' tables and figures, measured again.

mod hpa;
mod nlevel;
mod table;

use crate::Ending;

/// Repeat the measurements of a paper, published values beside ours.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  farstride paper hpa --data movingai --out paper-hpa
  farstride paper nlevel --data movingai --out paper-nlevel --limit 100")]
pub(crate) struct Args {
    #[command(subcommand)]
    document: Document,
}

#[derive(clap::Subcommand)]
enum Document {
    Hpa(hpa::Args),
    Nlevel(nlevel::Args),
}

pub(crate) fn run(args: &Args) -> Ending {
    match &args.document {
        Document::Hpa(args) => hpa::run(args),
        Document::Nlevel(args) => nlevel::run(args),
    }
}

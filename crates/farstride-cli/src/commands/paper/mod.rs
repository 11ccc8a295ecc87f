//! `farstride paper`: the papers' tables and figures, measured again.

mod hpa;

use crate::Ending;

/// Repeat the measurements of a paper, published values beside ours.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  farstride paper hpa --data movingai --out paper-hpa")]
pub(crate) struct Args {
    #[command(subcommand)]
    document: Document,
}

#[derive(clap::Subcommand)]
enum Document {
    Hpa(hpa::Args),
}

pub(crate) fn run(args: &Args) -> Ending {
    match &args.document {
        Document::Hpa(args) => hpa::run(args),
    }
}

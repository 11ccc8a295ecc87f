//! `farstride paper`: hands over to `farstride-paper`, which is not published.

use crate::Ending;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Repeat the measurements of a paper: hpa, nlevel or hpt.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// Arguments of the program farstride-paper; --help explains them.
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

const PROGRAM: &str = "farstride-paper";

pub(crate) fn run(args: &Args) -> Ending {
    let status =
        Command::new(program()).args(&args.arguments).status().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!(
                "there is no {PROGRAM} beside this program or on the PATH; \
             build it in farstride's repository: cargo build --release -p farstride-lab"
            ),
            _ => format!("cannot run {PROGRAM}: {error}"),
        })?;
    // Without a code it was ended by a signal.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(2)))
}

/// The program beside this one, or its name to look for on the `PATH`.
fn program() -> PathBuf {
    let beside = env::current_exe()
        .map(|path| path.with_file_name(PROGRAM).with_extension(env::consts::EXE_EXTENSION));
    beside.ok().filter(|path| path.is_file()).unwrap_or_else(|| PROGRAM.into())
}

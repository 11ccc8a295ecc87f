//! The command `farstride`; everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    farstride_cli::main()
}

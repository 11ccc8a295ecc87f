//! The program behind `farstride paper`; everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    farstride_lab::paper::main()
}

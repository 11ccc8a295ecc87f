//! Prints the table of digests; with `--wide`, that of fifty maps.

use farstride_platforms::{table, wide_table};

fn main() {
    let is_wide = std::env::args().nth(1).is_some_and(|argument| argument == "--wide");
    print!("{}", if is_wide { wide_table() } else { table() });
}

//! Prints the table of digests.

fn main() {
    print!("{}", farstride_platforms::table());
}

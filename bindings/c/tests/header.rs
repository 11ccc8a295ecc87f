//! The header is what cbindgen makes of the sources.

use std::path::Path;

/// `FARSTRIDE_WRITE_HEADER=1 cargo test -p farstride-c` writes it anew.
#[test]
fn the_header_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::generate_with_config(folder, config).unwrap().write(&mut made);
    let (made, file) = (String::from_utf8(made).unwrap(), folder.join("include/farstride.h"));
    if std::env::var_os("FARSTRIDE_WRITE_HEADER").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(
        kept == made,
        "include/farstride.h is out of date: FARSTRIDE_WRITE_HEADER=1 cargo test -p farstride-c"
    );
}

//! The guide shows code that is compiled elsewhere.

use std::path::Path;

/// Programs for the full Bevy are no doc tests here: they are parts of the examples that `full` compiles.
#[test]
fn programs_of_the_guide_are_those_of_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    let guide = read("../../docs/bevy.md");
    let examples = ["start", "see"].map(|name| read(&format!("full/village/examples/{name}.rs")));
    let blocks: Vec<&str> =
        guide.split("```rust,ignore\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        assert!(examples.iter().any(|example| example.contains(block.trim_end())), "in no example:\n{block}");
    }
}

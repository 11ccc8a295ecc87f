//! The code in the guides and in the README, run as documentation tests.
//!
//! They stand here because a published package holds no file from outside its folder.

// The guide to Bevy is tested by bindings/bevy, which has the crates that its code needs.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/groups.md")]
struct Groups;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/hpa.md")]
struct Hpa;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/hpt.md")]
struct Hpt;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/labels.md")]
struct Labels;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/overlay.md")]
struct Overlay;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/straight.md")]
struct Straight;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/subgoals.md")]
struct Subgoals;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/worlds.md")]
struct Worlds;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    fn pages(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] })
            .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
            .collect()
    }

    #[test]
    fn every_page_with_code_is_run() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut with_code = 0;
        for page in pages(&root.join("docs")).into_iter().chain([root.join("README.md")]) {
            if fs::read_to_string(&page).unwrap().contains("```rust") {
                let name = page.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                let attribute = format!("include_str!(\"../../../{name}\")");
                let bevy = fs::read_to_string(root.join("bindings/bevy/src/lib.rs")).unwrap();
                let runs = |code: &str| code.contains(&attribute);
                assert!(runs(include_str!("guides.rs")) || runs(&bevy), "{name} is not run");
                with_code += 1;
            }
        }
        assert!(with_code > 5, "only {with_code} pages with code were found");
    }
}

//! The pictures of `docs/groups.md` are what the examples draw.

use farstride_lab::diagram::Diagram;
use std::path::Path;

#[path = "../examples/figure_4_39.rs"]
#[expect(dead_code, reason = "its own main is not called here")]
mod figure_4_39;
#[path = "../examples/office/main.rs"]
#[expect(dead_code, reason = "its own main is not called here")]
mod office;
#[path = "../examples/star_map/main.rs"]
#[expect(dead_code, reason = "its own main is not called here")]
mod star_map;
#[path = "../examples/strange_effects.rs"]
#[expect(dead_code, reason = "its own main is not called here")]
mod strange_effects;
#[path = "../examples/village/main.rs"]
#[expect(dead_code, reason = "its own main is not called here")]
mod village;

fn compare(example: &str, pictures: impl IntoIterator<Item = (&'static str, Diagram)>) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let guide = std::fs::read_to_string(docs.join("groups.md")).unwrap();
    for (name, diagram) in pictures {
        let kept = std::fs::read_to_string(docs.join("img").join(name)).unwrap_or_default();
        assert!(
            kept == diagram.to_svg().unwrap(),
            "docs/img/{name} is old; make it anew: cargo run -p farstride-lab --example {example} -- docs/img"
        );
        assert!(guide.contains(&format!("(img/{name})")), "docs/groups.md does not show {name}");
    }
}

#[test]
fn figure_4_39_is_drawn_by_its_example() {
    compare("figure_4_39", [("groups-figure-4-39.svg", figure_4_39::figure_4_39().unwrap())]);
}

#[test]
fn strange_effects_are_drawn_by_their_example() {
    let pictures = [
        ("groups-strange-minimum.svg", strange_effects::minimum().unwrap()),
        ("groups-strange-maximin.svg", strange_effects::maximin().unwrap()),
    ];
    compare("strange_effects", pictures);
}

#[test]
fn the_office_is_drawn_by_its_example() {
    let [walk, levels] = office::office().unwrap();
    compare("office", [("groups-office.svg", walk), ("groups-office-levels.svg", levels)]);
}

#[test]
fn the_star_map_is_drawn_by_its_example() {
    compare("star_map", [("groups-star-map.svg", star_map::star_map().unwrap())]);
}

#[test]
fn the_village_is_drawn_by_its_example() {
    compare("village", [("groups-village.svg", village::village().unwrap())]);
}

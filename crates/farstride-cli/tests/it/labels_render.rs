//! Pictures of labels: taut links, hubs, the label of a cell, and where two
//! labels meet.

use crate::common::{farstride, folder, json, refusal, write};
use std::fs;
use std::path::Path;

/// Draws a picture; what is in it, what is told, and the exit code.
fn draw(folder: &Path, options: &[&str]) -> (String, String, i32) {
    let file = folder.join("p.svg").to_str().unwrap().to_owned();
    let output = farstride(&[&["render", "-o", &file], options].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    let code = output.status.code().unwrap();
    assert!(code < 2, "{options:?}: {told}");
    (fs::read_to_string(file).unwrap(), told, code)
}

/// The number before the last of some words.
fn number_before(text: &str, words: &str) -> usize {
    let end = text.rfind(words).unwrap_or_else(|| panic!("{words}: {text}"));
    text[..end].trim_end().rsplit([' ', '>']).next().unwrap().parse().unwrap()
}

#[test]
fn taut_links_are_drawn_of_a_cell_or_all() {
    let folder = folder("labels-taut");
    let (all, told, _) = draw(&folder, &["--show", "taut"]);
    let subgoals = number_before(&all, "subgoals<");
    assert!(subgoals > 1000 && told.starts_with(&format!("labels: {subgoals} subgoals, ")), "{told}");
    assert!(number_before(&all, "taut links between them") > subgoals);
    let (one, told, _) = draw(&folder, &["--show", "taut", "--at", "66,30", "--engine", "labels"]);
    let [kept, dominated] =
        ["taut links that are kept", "taut ones that"].map(|words| number_before(&one, words));
    assert!(kept > 5, "{told}");
    assert!(
        told.contains(&format!("66,30 has {} taut links, of which {kept} are kept", kept + dominated)),
        "{told}"
    );
    assert_eq!(one.matches("M66 30L").count(), kept + dominated + number_before(&one, "direct-h-reachable"));
    assert!(one.contains("the cell 66,30") && !one.contains("links between them"));
    let none = draw(&folder, &["--show", "taut", "--at", "66,30", "--diagonals", "none"]).0;
    assert_ne!(one, none);
}

#[test]
fn hubs_are_drawn_by_importance() {
    let folder = folder("labels-hubs");
    let (hubs, told, _) = draw(&folder, &["--show", "hubs"]);
    let bands =
        ["in half of all labels", "in a quarter", "in an eighth", "in a sixteenth", "in a 32nd", "in fewer"];
    let counts = bands.map(|band| number_before(&hubs[..hubs.find(band).unwrap()], "hub"));
    assert!(counts.is_sorted(), "{counts:?}");
    let all: usize = counts.iter().sum();
    assert!(
        told.starts_with(&format!("labels: {all} hubs, that at ")) && told.contains(" of 9356 labels"),
        "{told}"
    );
    let (with_path, told, _) = draw(
        &folder,
        &["--show", "hubs,path", "--from", "12,33", "--to", "147,11", "--engine", "labels,hpa"],
    );
    assert!(with_path.contains("labels: length") && with_path.contains("hpa: length"), "{told}");
}

#[test]
fn the_label_of_a_cell_is_drawn_with_its_vias() {
    let folder = folder("labels-label");
    let (label, told, _) = draw(&folder, &["--show", "label", "--at", "40,43"]);
    let vias = number_before(&label, "vias");
    assert!(told.contains(&format!("40,43 has {vias} vias and ")), "{told}");
    assert_eq!(label.matches("M40 43L").count(), vias);
    assert!(label.contains("M40 40h8v8H40z"), "the block of 8 cells to a side is outlined");
    assert!(number_before(&label, "hubs at 0 to ") > 0);
    let (both, _, _) = draw(&folder, &["--show", "label,taut", "--at", "40,43"]);
    assert!(both.contains("taut links that are kept") && both.contains("its block"));
}

#[test]
fn labels_meet_on_the_path() {
    let folder = folder("labels-meeting");
    let (query, told, code) = draw(&folder, &["--show", "meeting", "--from", "12,33", "--to", "147,11"]);
    assert_eq!(code, 0);
    let words = ["of the start alone", "of the goal alone", "of both, the large one"];
    assert!(words.iter().all(|words| query.contains(words)), "{told}");
    let hub = told.lines().find_map(|line| line.split_once(" meet at ")).unwrap().1;
    let (report, _) = json(&["path", "--from", "12,33", "--to", "147,11", "--engine", "labels", "--json"]);
    let cell = serde_json::from_str(&format!("[{hub}]")).unwrap();
    assert!(report["cells"].as_array().unwrap().contains(&cell), "{hub}");
    let length = format!("labels: length {:.3}", report["cost"].as_f64().unwrap());
    assert!(told.contains(&length) && query.contains(&length), "{told}");
    let ends = ["--from", "12,33", "--to", "147,11", "--engine", "labels,astar"];
    let (both, told, _) = draw(&folder, &[&ends[..], &["--show", "meeting,path"]].concat());
    assert_eq!(told.matches(&length).count(), 1, "{told}");
    assert!(both.contains("astar: length"));
    let png = folder.join("p.png").to_str().unwrap().to_owned();
    assert!(
        farstride(&[&["render", "--show", "meeting,hubs", "-o", &png], &ends[..]].concat()).status.success()
    );
    assert!(fs::read(png).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn where_no_labels_meet_the_path_is_drawn_if_there_is_one() {
    let folder = folder("labels-seen");
    let map = write(&folder, "two.map", "type octile\nheight 3\nwidth 7\nmap\n....@..\n..@.@..\n....@..\n");
    let ask = |from: &str, to: &str| {
        draw(&folder, &["--map", &map, "--show", "meeting", "--from", from, "--to", to])
    };
    let (seen, told, code) = ask("0,0", "3,0");
    assert!(seen.contains("labels: length 3.000") && !told.contains("meet"), "{told}");
    assert_eq!(code, 0);
    let (around, told, _) = ask("1,1", "3,1");
    assert!(around.contains("of both") && told.contains("meet"), "{told}");
    let (_, told, code) = ask("0,0", "6,0");
    assert!(told.contains("unreachable from 0,0 to 6,0"), "{told}");
    assert_eq!(code, 1);
}

#[test]
fn maps_without_subgoals_have_labels_to_draw() {
    let folder = folder("labels-none");
    let map = write(&folder, "open.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    for show in ["taut", "hubs", "label,taut"] {
        let at: &[&str] = if show == "hubs" { &[] } else { &["--at", "1,1"] };
        assert_eq!(draw(&folder, &[&["--map", &map, "--show", show], at].concat()).2, 0, "{show}");
    }
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused() {
    let cases: [(&[&str], &str); 9] = [
        (&["--show", "hubs"], "--show hubs needs a picture"),
        (&["--show", "hubs", "-o", "p.svg", "--engine", "hpa"], "--show hubs needs --engine labels"),
        (&["--show", "taut", "-o", "p.svg", "--engine", "nsg"], "--show taut needs --engine labels"),
        (&["--show", "label", "-o", "p.svg"], "--show label needs a cell; name it with --at"),
        (&["--show", "hubs", "-o", "p.svg", "--at", "1,1"], "--at needs --show taut or --show label"),
        (&["--show", "meeting", "-o", "p.svg"], "--show meeting needs --from and --to"),
        (&["--show", "label", "-o", "p.svg", "--at", "25,0"], "--at 25,0 is blocked"),
        (&["--show", "taut", "-o", "p.svg", "--at", "150,0"], "cell 150,0 is not on the map"),
        (&["--show", "label", "-o", "p.svg", "--at", "1;1"], "expected X,Y"),
    ];
    for (arguments, expected) in cases {
        let told = refusal(&[&["render"], arguments].concat());
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
    assert!(!Path::new("p.svg").exists());
}

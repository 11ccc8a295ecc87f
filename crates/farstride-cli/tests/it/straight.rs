//! The engine straight on the command line: its two rules, and the files of both.

use crate::common::{caves, farstride, folder, json, refusal};
use serde_json::json;

/// Paths of both rules hold, those of bodies are longer and bend at cells, and a file of one rule is
/// refused for the other.
#[test]
fn rules_are_chosen_and_told_apart() {
    let folder = folder("straight-rules");
    let (map, scen) = caves(&folder, (60, 40), 1);
    let mut lengths = Vec::new();
    for (rule, other) in [("touch", "body"), ("body", "touch")] {
        let index = folder.join(format!("{rule}.fsi")).to_str().unwrap().to_owned();
        let (built, code) =
            json(&["build", "--map", &map, "--engine", "straight", "--rule", rule, "-o", &index, "--json"]);
        assert_eq!(code, 0, "{built}");
        let (info, _) = json(&["info", &index, "--json"]);
        let settings = json!({"index_budget": 50_000_000, "block": "auto", "rule": rule});
        assert_eq!((&info["engine"], &info["settings"]), (&json!("straight"), &settings));
        for more in [
            &["--engine", "straight", "--rule", rule][..],
            &["--index", &index],
            &["--index", &index, "--rule", rule],
        ] {
            let (report, code) =
                json(&[&["verify", "--map", &map, "--scen", &scen, "--json"], more].concat());
            assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{report}");
        }
        let bench = ["bench", "--map", &map, "--scen", &scen, "--repeat", "1", "--json"];
        let (report, _) = json(&[&bench[..], &["--engine", "straight", "--rule", rule]].concat());
        assert_eq!(report[0]["failed"].as_u64(), Some(0));
        lengths.push(report[0]["mean_length"].as_f64().unwrap());
        let told = refusal(&[&bench[..], &["--index", &index, "--rule", other]].concat());
        assert!(told.contains(&format!("is an index by the rule {rule}, not {other}")), "{told}");
    }
    assert!(lengths[0] < lengths[1], "{lengths:?}");

    // No other engine's path is shorter than that of a point; some are shorter than that of a body.
    let against = ["verify", "--map", &map, "--scen", &scen, "--json", "--against", "theta,hpt", "--engine"];
    let (report, code) = json(&[&against[..], &["straight"]].concat());
    assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{report}");
    let (report, code) = json(&[&against[..], &["straight", "--rule", "body"]].concat());
    assert!(report["failed"].as_u64() > Some(0) && code == 1, "{report}");
    assert!(report["first_offender"].as_str().unwrap().contains(" finds "), "{report}");
    let told =
        refusal(&["path", "--from", "12,33", "--to", "147,11", "--engine", "labels", "--rule", "body"]);
    assert!(told.contains("engine labels takes no --rule; use it with --engine straight"), "{told}");
    let path =
        ["path", "--from", "12,33", "--to", "147,11", "--engine", "straight", "--rule", "body", "--json"];
    let (report, _) = json(&path);
    let points = report["points"].as_array().unwrap();
    let whole = |number: &serde_json::Value| number.as_f64().is_some_and(|number| number.fract() == 0.0);
    assert!(points.len() > 2 && points.iter().all(|point| whole(&point[0]) && whole(&point[1])), "{report}");
    let picture = folder.join("corners.svg").to_str().unwrap().to_owned();
    let drawn =
        farstride(&["render", "--show", "strings", "--rule", "body", "--engine", "straight", "-o", &picture]);
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
}

/// `--show strings --at` draws the label of a free cell and the ports of a blocked one.
#[test]
fn ports_are_drawn_for_blocked_cells() {
    let folder = folder("straight-ports");
    let map = folder.join("block.map").to_str().unwrap().to_owned();
    std::fs::write(&map, "type octile\nheight 4\nwidth 5\nmap\n.....\n.@@@.\n.@@@.\n.....\n").unwrap();
    let picture = folder.join("ports.svg").to_str().unwrap().to_owned();
    for (cell, told) in [
        ("1,1", "corners of 1,1: 1; links of their ports: 1 + 1"),
        ("2,1", "no path bends around 2,1: it has no corner"),
        ("0,1", "0,1 has 2 vias"),
    ] {
        let drawn = farstride(&["render", "--map", &map, "--show", "strings", "--at", cell, "-o", &picture]);
        let said = String::from_utf8_lossy(&drawn.stderr);
        assert!(drawn.status.success() && said.contains(told), "{cell}: {said}");
    }
    let told = refusal(&["render", "--map", &map, "--show", "strings", "--at", "9,9", "-o", &picture]);
    assert!(told.contains("9,9"), "{told}");
}

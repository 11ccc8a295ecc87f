//! Indexes of subgoal graphs in the place of building them.

use crate::common::{farstride, folder, json, refusal, write};
use std::fmt::Write as _;
use std::fs;

#[test]
fn an_index_takes_the_place_of_building() {
    let folder = folder("subgoals-index");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (map, index, other) = (file("caves.map"), file("caves.fsi"), file("hpa.fsi"));
    assert!(farstride(&["gen", "caves", "--size", "60x40", "--seed", "3", "-o", &map]).status.success());
    let (mut scenario, mut ends) = (String::from("version 1\n"), Vec::new());
    for y in 0..40 {
        let (start, goal) = (format!("5,{y}"), format!("50,{}", 39 - y));
        let path = ["path", "--map", &map, "--from", &start, "--to", &goal, "--engine", "astar", "--json"];
        if let Some(length) = json(&path).0["cost"].as_f64() {
            writeln!(scenario, "0\tcaves.map\t60\t40\t5\t{y}\t50\t{}\t{length}", 39 - y).unwrap();
            ends.push((start, goal));
        }
    }
    assert!(ends.len() > 5, "{ends:?}");
    let scen = write(&folder, "caves.map.scen", scenario);

    let limit = ["--levels", "4"];
    let make = |engine, to, options: &[&str]| {
        let made = farstride(&[&["build", "--map", &map, "--engine", engine, "-o", to], options].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    make("nsg+", index.as_str(), &limit);
    make("hpa", other.as_str(), &[]);
    let bench = ["bench", "--map", &map, "--scen", &scen, "--json"];
    let (opened, _) = json(&[&bench[..], &["--index", &index]].concat());
    let (built, _) = json(&[&bench[..], &["--engine", "nsg+"], &limit].concat());
    for field in ["engine", "expanded_mean", "mean_length", "failed", "index_bytes"] {
        assert_eq!(opened[0][field], built[0][field], "{field}");
    }
    assert_eq!((opened[0]["engine"].as_str(), opened[0]["failed"].as_u64()), (Some("nsg+"), Some(0)));
    assert_eq!(opened[0]["index_bytes"].as_u64(), Some(fs::metadata(&index).unwrap().len()));
    let (unlimited, _) = json(&[&bench[..], &["--engine", "nsg+,astar"]].concat());
    assert_ne!(unlimited[0]["index_bytes"], built[0]["index_bytes"]);
    assert_eq!(unlimited[1]["index_bytes"], 0);
    // Engines without an index can run beside it; for others nothing is built.
    let (mixed, _) = json(&[&bench[..], &["--engine", "astar,nsg+", "--index", &index]].concat());
    assert_eq!(mixed[1]["index_bytes"], opened[0]["index_bytes"]);
    assert!(mixed[1]["build_ms"].as_f64() > Some(0.0));
    let told = refusal(&[&bench[..], &["--engine", "astar,hpa,nsg+", "--index", &index]].concat());
    assert!(told.contains("is an index of the engine nsg+, not of hpa; run hpa without --index"), "{told}");

    let verify = ["verify", "--map", &map, "--scen", &scen, "--index", &index, "--json"];
    let (report, code) = json(&verify);
    assert_eq!((report["engine"].as_str(), report["failed"].as_u64(), code), (Some("nsg+"), Some(0), 0));
    let picture = file("p.svg");
    let (from, to) = &ends[0];
    let render = ["render", "--map", &map, "--from", from, "--to", to, "--index", &index, "-o", &picture];
    assert!(farstride(&render).status.success());
    assert!(fs::read_to_string(&picture).unwrap().contains("nsg+: length"));

    let path = ["path", "--map", &map, "--from", "0,0", "--to", "1,1", "--index"];
    let with = |index: &str, options: &[&str]| refusal(&[&path[..], &[index], options].concat());
    for (index, found, asked) in [(&index, "nsg+", "hpa"), (&index, "nsg+", "nsg"), (&other, "hpa", "nsg+")] {
        let told = with(index, &["--engine", asked]);
        assert!(told.contains(&format!("is an index of the engine {found}, not of {asked}")), "{told}");
    }
    assert!(with(&index, &["--engine", "astar"]).contains("engine astar takes no --index"));
    assert!(with(&index, &["--levels", "4"]).contains("--levels"));
    assert!(with(&index, &["--smooth", "off"]).contains("engine nsg+ takes no --smooth"));
    assert!(with(&index, &["--diagonals", "none"]).contains("another map"));
    assert!(with(&file("none.fsi"), &[]).contains("cannot read"));
    assert!(with(&map, &[]).contains("not an index"));
    let layers = ["render", "--map", &map, "--show", "clusters", "-o", &picture, "--index", &index];
    assert!(refusal(&layers).contains("is an index of the engine nsg+, not of hpa"));
}

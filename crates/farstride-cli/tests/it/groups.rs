//! The engine groups on the command line: its options, figures, index and
//! pictures.

use crate::common::{caves, farstride, folder, json, refusal, write};
use serde_json::{Value, json as value};
use std::fs;

const CONNECTIONS: [&str; 3] = ["minimum", "maximin", "average"];
const MODES: [&str; 2] = ["sections", "exclusion"];

/// A route across the made-in map.
const TOUR: [&str; 5] = ["path", "--from", "12,33", "--to", "147,11"];

fn tour(options: &[&str]) -> Value {
    let (report, code) = json(&[&TOUR[..], &["--json"], options].concat());
    assert_eq!((report["status"].as_str(), code), (Some("found"), 0), "{options:?}");
    report
}

fn cost(report: &Value) -> f64 {
    report["cost"].as_f64().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = farstride(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_connection_and_mode_finds_the_tour() {
    let shortest = cost(&tour(&["--engine", "astar"]));
    let usual = tour(&["--engine", "groups"]);
    for connection in CONNECTIONS {
        for mode in MODES {
            let report = tour(&["--engine", "groups", "--connection", connection, "--mode", mode]);
            assert_eq!(report["engine"], "groups");
            assert!(report["points"].is_null() && report["waypoints"].is_null());
            let cells = report["cells"].as_array().unwrap();
            assert_eq!((cells.first(), cells.last()), (Some(&value!([12, 33])), Some(&value!([147, 11]))));
            let expanded = &report["stats"]["expanded"];
            assert!(["main", "refine"].iter().all(|phase| expanded[phase].as_u64() > Some(0)), "{expanded}");
            assert_eq!(expanded["insert"].as_u64(), Some(0));
            assert!(cost(&report) >= shortest - 1e-9, "{connection} {mode}");
            let is_usual = (connection, mode) == ("average", "sections");
            assert!(!is_usual || report["cells"] == usual["cells"]);
        }
    }
    let of = |mode| cost(&tour(&["--engine", "groups", "--mode", mode]));
    assert!(of("exclusion") < of("sections"), "the whole way is planned on every level");
}

#[test]
fn sides_and_levels_are_taken() {
    let groups = |options: &[&str]| tour(&[&["--engine", "groups"], options].concat());
    let usual = groups(&[]);
    let same = groups(&["--cluster", "16", "--group", "4", "--levels", "1"]);
    assert_eq!(usual["cells"], same["cells"], "the made-in map has few blocks");
    for options in [&["--cluster", "5"][..], &["--levels", "3", "--group", "2"]] {
        assert_ne!(groups(options)["stats"], usual["stats"], "{options:?}");
    }
    for (option, value, told) in [
        ("--cluster", "1", "--cluster is 1, but must be between 2 and 256"),
        ("--group", "17", "--group is 17, but must be between 2 and 16"),
        ("--levels", "0", "--levels is 0, but must be between 1 and 14"),
        ("--levels", "15", "--levels is 15, but must be between 1 and 14"),
        ("--levels", "300", "--levels is 300, but must be between 1 and 14"),
        ("--connection", "blend", "possible values: minimum, maximin, average"),
        ("--mode", "both", "possible values: sections, exclusion"),
    ] {
        let found = refusal(&[&TOUR[..], &["--engine", "groups", option, value]].concat());
        assert!(found.contains(told), "{found}");
    }
}

#[test]
fn options_are_of_the_engine_or_refused() {
    for (option, value) in [
        ("--entrance", "5"),
        ("--ways", "keep"),
        ("--smooth", "off"),
        ("--local", "theta"),
        ("--skip", "in-search"),
    ] {
        let told = refusal(&[&TOUR[..], &["--engine", "groups", option, value]].concat());
        assert!(
            told.contains(&format!("engine groups takes no {option}; use it with --engine hp")),
            "{told}"
        );
    }
    for engine in ["astar", "theta", "hpa", "hpt", "nsg+", "auto"] {
        for (option, value) in [("--connection", "minimum"), ("--mode", "exclusion")] {
            let told = refusal(&[&TOUR[..], &["--engine", engine, option, value]].concat());
            let expected = format!("takes no {option}; use it with --engine groups");
            assert!(told.contains(&expected), "{engine}: {told}");
        }
    }
    let told = refusal(&[&TOUR[..], &["--engine", "tl", "--cluster", "8"]].concat());
    assert!(told.contains("use it with --engine hpa, hpt, groups or overlay"), "{told}");
    for command in ["path", "bench", "verify", "build", "render"] {
        let help = text(&["help", command]);
        let heading = help.find("Options of the engine groups:").unwrap_or_else(|| panic!("{help}"));
        assert!(help[heading..].contains("--connection") && help[heading..].contains("--mode"), "{command}");
        assert!(help.contains("--engine groups") || help.contains("hpa,groups"), "{command}: {help}");
    }
}

#[test]
fn verify_holds_in_every_mode_and_under_every_rule() {
    let folder = folder("groups-verify");
    let (map, scen) = caves(&folder, (90, 60), 2);
    let verify = ["verify", "--map", &map, "--scen", &scen, "--engine", "groups", "--json"];
    for (connection, mode) in CONNECTIONS.into_iter().zip(MODES.into_iter().cycle()) {
        for rule in ["strict", "one-side", "free", "none"] {
            let options = ["--connection", connection, "--mode", mode, "--diagonals", rule, "--cluster", "7"];
            let (report, code) = json(&[&verify[..], &options].concat());
            assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{options:?}: {report}");
            assert_eq!((report["engine"].as_str(), report["map"].as_str()), (Some("groups"), Some("caves")));
            assert!(report["expanded_refine_mean"].as_f64() > Some(0.0), "{report}");
        }
    }
    let told = text(&verify[..7]);
    assert!(told.contains("all paths hold") && told.contains("longer than A*'s on average"), "{told}");
}

#[test]
fn bench_tells_phases_levels_and_first_moves() {
    let folder = folder("groups-bench");
    let (map, scen) = caves(&folder, (90, 60), 2);
    let bench = ["bench", "--map", &map, "--scen", &scen, "--repeat", "2", "--json", "--engine"];
    let (reports, code) = json(&[&bench[..], &["groups,hpa", "--levels", "3", "--cluster", "8"]].concat());
    let [groups, hpa] = &reports.as_array().unwrap()[..] else { panic!("{reports}") };
    assert_eq!((code, groups["engine"].as_str(), hpa["engine"].as_str()), (0, Some("groups"), Some("hpa")));
    assert_eq!((groups["failed"].as_u64(), hpa["failed"].as_u64()), (Some(0), Some(0)));
    assert_eq!((groups["levels"].as_u64(), hpa["levels"].as_u64()), (Some(3), Some(3)));
    assert!(groups["index_bytes"].as_u64() > Some(0) && groups["subgoals"].is_null());
    for field in ["connect_mean_us", "search_mean_us", "unpack_mean_us", "mean_us", "first_move_mean_us"] {
        assert!(groups[field].as_f64() > Some(0.0), "{field}: {groups}");
    }
    // No smoothing, so nothing before it.
    assert!(groups["suboptimality_before_smoothing_mean_pct"].is_null());
    assert!(groups["suboptimality_mean_pct"].as_f64() >= Some(0.0));
    let with = |mode| json(&[&bench[..], &["groups", "--mode", mode]].concat()).0[0]["mean_length"].as_f64();
    assert!(with("exclusion") <= with("sections"));
}

#[test]
fn an_index_takes_the_place_of_building() {
    let folder = folder("groups-index");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (map, scen) = caves(&folder, (90, 60), 2);
    let (index, same) = (file("caves.fsi"), file("same.fsi"));
    let settings = ["--cluster", "6", "--group", "2", "--levels", "3", "--connection", "maximin"];
    let build = |to: &str, options: &[&str]| {
        let build = ["build", "--map", &map, "--engine", "groups", "-o", to, "--json"];
        json(&[&build[..], options].concat()).0
    };
    let made = build(&index, &[&settings[..], &["--threads", "1"]].concat());
    assert_eq!(made["engine"], "groups");
    assert_eq!(made["bytes"].as_u64(), Some(fs::metadata(&index).unwrap().len()));
    build(&same, &[&settings[..], &["--threads", "3", "--mode", "exclusion"]].concat());
    assert_eq!(fs::read(&index).unwrap(), fs::read(&same).unwrap(), "a mode is a way of answering");

    let (info, _) = json(&["info", &index, "--json"]);
    assert_eq!((&info["engine"], &info["digest"]), (&value!("groups"), &made["digest"]));
    assert_eq!(info["map_digest"], made["map_digest"]);
    assert_eq!(info["settings"], value!({"cluster": 6, "group": 2, "levels": 3, "connection": "maximin"}));
    let levels = info["levels"].as_array().unwrap();
    assert_eq!((levels.len(), &levels[0]["groups"], &levels[2]["groups"]), (3, &value!(150), &value!(12)));
    assert!(levels.iter().all(|level| level["parts"].as_u64() > Some(0) && level["arcs"].as_u64() > Some(0)));
    let parts = info["parts"].as_array().unwrap();
    assert!(parts.iter().any(|part| part["part"] == "costs" && part["bytes"].as_u64() > Some(0)));
    let told = text(&["info", &index]);
    assert!(told.contains("--engine groups --cluster 6 --group 2 --levels 3 --connection maximin"), "{told}");
    assert!(told.contains("level     groups      parts       arcs"), "{told}");
    let automatic = file("automatic.fsi");
    build(&automatic, &[]);
    assert!(text(&["info", &automatic]).contains("--cluster 16 --group 4 --connection average"));

    let bench = ["bench", "--map", &map, "--scen", &scen, "--repeat", "1", "--json"];
    for mode in MODES {
        let (opened, _) = json(&[&bench[..], &["--index", &index, "--mode", mode]].concat());
        let (anew, _) = json(&[&bench[..], &["--engine", "groups", "--mode", mode], &settings].concat());
        for field in ["engine", "expanded_mean", "mean_length", "failed", "index_bytes", "levels"] {
            assert_eq!(opened[0][field], anew[0][field], "{field}");
        }
        assert_eq!((opened[0]["engine"].as_str(), opened[0]["failed"].as_u64()), (Some("groups"), Some(0)));
    }
    let (report, code) = json(&["verify", "--map", &map, "--scen", &scen, "--index", &index, "--json"]);
    assert_eq!((report["engine"].as_str(), report["failed"].as_u64(), code), (Some("groups"), Some(0), 0));

    let path = ["path", "--map", &map, "--from", "0,0", "--to", "1,1", "--index", &index];
    let with = |options: &[&str]| refusal(&[&path[..], options].concat());
    for (option, value) in
        [("--connection", "maximin"), ("--cluster", "6"), ("--group", "2"), ("--levels", "3")]
    {
        let told = with(&[option, value]);
        assert!(told.contains(option) && told.contains("cannot be used with"), "{told}");
    }
    assert!(with(&["--engine", "hpa"]).contains("is an index of the engine groups, not of hpa"));
    assert!(with(&["--smooth", "off"]).contains("engine groups takes no --smooth"));
    assert!(with(&["--diagonals", "none"]).contains("another map"));
    let mut bytes = fs::read(&index).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = write(&folder, "damaged.fsi", &bytes);
    assert!(refusal(&["info", &damaged]).contains("damaged"));
    assert!(refusal(&["verify", "--map", &map, "--scen", &scen, "--index", &damaged]).contains("damaged"));
}

#[test]
fn blocks_parts_and_plans_are_drawn_with_a_legend() {
    let folder = folder("groups-render");
    let draw = |name: &str, options: &[&str]| {
        let file = folder.join(name).to_str().unwrap().to_owned();
        let output = farstride(&[&["render", "-o", &file], options].concat());
        assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
        fs::read(file).unwrap()
    };
    let svg = |options: &[&str]| {
        String::from_utf8(draw("p.svg", &[&["--engine", "groups"], options].concat())).unwrap()
    };
    let ends = ["--from", "12,33", "--to", "147,11"];
    let blocks = svg(&["--show", "clusters,graph"]);
    for word in [
        "squares of level 1",
        "first part of a square with several",
        "second part of a square with several",
        "connections on level 1",
        "parts, each where its representative is",
    ] {
        assert!(blocks.contains(word), "{word}");
    }
    let upper = svg(&["--show", "clusters", "--levels", "3", "--group", "2", "--level", "3"]);
    assert!(upper.contains("squares of level 3") && !upper.contains("squares of level 1"));
    let single = svg(&["--show", "clusters", "--cluster", "2", "--diagonals", "free"]);
    assert!(!single.contains("first part of"), "cells of four touch each other");
    let levels = ["--cluster", "8", "--group", "3", "--levels", "3"];
    let planned = svg(&[&ends[..], &["--show", "abstract,path"], &levels].concat());
    for word in [
        "planned on level 3: the whole way",
        "planned on level 2: what comes next",
        "planned on level 1: what comes next",
        "refined: the first section",
        "groups: length",
    ] {
        assert!(planned.contains(word), "{word}");
    }
    // Of several engines with clusters, those of the first.
    let several = |engines: &str, show: &str| {
        let options = [&ends[..], &["--engine", engines, "--show", show]].concat();
        String::from_utf8(draw("q.svg", &options)).unwrap()
    };
    let first = several("groups,hpa", "clusters,smoothed,path");
    assert!(first.contains("squares of level 1") && !first.contains("clusters of level 1"));
    assert!(first.contains("smoothed: length") && first.contains("hpa: length"));
    assert!(several("hpa,groups", "clusters").contains("clusters of level 1"));
    assert!(draw("p.png", &["--engine", "groups", "--show", "clusters"]).starts_with(b"\x89PNG"));
    let index = folder.join("world.fsi").to_str().unwrap().to_owned();
    assert!(farstride(&["build", "--engine", "groups", "-o", &index]).status.success());
    let from_index = draw("i.svg", &["--engine", "groups", "--show", "clusters,graph", "--index", &index]);
    assert_eq!(String::from_utf8(from_index).unwrap(), blocks);
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused() {
    let cases: [(&[&str], &str); 5] = [
        (&["--show", "clusters"], "--show clusters needs a picture"),
        (&["--show", "abstract", "-o", "p.svg"], "--show abstract needs --from and --to"),
        (&["--show", "entrances", "-o", "p.svg"], "--show entrances needs --engine hpa or hpt"),
        (
            &["--show", "smoothed", "-o", "p.svg", "--from", "12,33", "--to", "147,11"],
            "--show smoothed needs --engine hpa or hpt",
        ),
        (&["--show", "clusters", "-o", "p.svg", "--level", "2"], "--level is 2, but the hierarchy has 1"),
    ];
    for (arguments, expected) in cases {
        let told = refusal(&[&["render", "--engine", "groups"], arguments].concat());
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

#[test]
fn the_demo_knows_the_engine() {
    let folder = folder("groups-demo");
    let picture = folder.join("demo.svg").to_str().unwrap().to_owned();
    let told = text(&["demo", "-o", &picture]);
    assert!(told.lines().any(|line| line.starts_with("groups ")), "{told}");
    assert!(fs::read_to_string(&picture).unwrap().contains("groups: length"));
}

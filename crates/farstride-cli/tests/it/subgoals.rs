//! The engines on subgoal graphs on the command line: their options, figures,
//! details and pictures.

use crate::common::{caves, farstride, folder, json, refusal, write};
use serde_json::Value;
use std::fs;

const ENGINES: [&str; 5] = ["ssg", "tsg", "tl", "nsg", "nsg+"];

/// A route across the built-in map.
const TOUR: [&str; 5] = ["path", "--from", "12,33", "--to", "147,11"];

fn tour(options: &[&str]) -> Value {
    let (report, code) = json(&[&TOUR[..], &["--json"], options].concat());
    assert_eq!((report["status"].as_str(), code), (Some("found"), 0), "{options:?}");
    report
}

fn cost(report: &Value) -> f64 {
    report["cost"].as_f64().unwrap()
}

/// Distance between two cells as on an empty map.
fn octile(from: &Value, to: &Value) -> f64 {
    let along = |axis: usize| (from[axis].as_f64().unwrap() - to[axis].as_f64().unwrap()).abs();
    let (longer, shorter) = (along(0).max(along(1)), along(0).min(along(1)));
    longer - shorter + shorter * std::f64::consts::SQRT_2
}

#[test]
fn every_engine_finds_the_tour() {
    let shortest = cost(&tour(&["--engine", "astar"]));
    for engine in ENGINES {
        let report = tour(&["--engine", engine]);
        assert_eq!(report["engine"], engine);
        assert!(report["points"].is_null() && report["waypoints"].is_null());
        assert!(report["cells"].as_array().unwrap().len() > 100);
        assert!(report["stats"]["expanded"]["main"].as_u64() > Some(0), "{engine}");
        let longer = cost(&report) - shortest;
        assert!((-1e-9..0.01 * shortest).contains(&longer), "{engine}");
        assert!(engine == "tl" || longer < 1e-9, "{engine}");
    }
}

#[test]
fn less_detail_is_less_but_costs_the_same() {
    for engine in ["astar", "hpa", "ssg", "tl", "nsg+"] {
        let of = |detail| tour(&["--engine", engine, "--detail", detail]);
        let [cells, waypoints, alone] = ["cells", "waypoints", "cost"].map(of);
        assert!((cost(&cells) - cost(&waypoints)).abs() < 1e-9, "{engine}");
        assert!((cost(&cells) - cost(&alone)).abs() < 1e-9, "{engine}");
        assert!(cells["waypoints"].is_null() && waypoints["cells"].is_null(), "{engine}");
        for field in ["cells", "points", "waypoints"] {
            assert!(alone[field].is_null() && alone.get(field).is_some(), "{engine}: {field}");
        }
        let (all, some) = (cells["cells"].as_array().unwrap(), waypoints["waypoints"].as_array().unwrap());
        assert!(some.len() > 2 && some.len() < all.len(), "{engine}");
        assert_eq!((some.first(), some.last()), (all.first(), all.last()));
        assert!(some.iter().all(|waypoint| all.contains(waypoint)), "{engine}");
        let length: f64 = some.windows(2).map(|leg| octile(&leg[0], &leg[1])).sum();
        assert!((length - cost(&waypoints)).abs() < 1e-6, "{engine}: {length}");
    }
    let theta = tour(&["--engine", "theta", "--detail", "waypoints"]);
    assert!(theta["points"].is_array() && theta["waypoints"].is_null());
    let here = |detail| {
        json(&["path", "--from", "12,33", "--to", "12,33", "--detail", detail, "--engine", "nsg+", "--json"])
            .0
    };
    assert_eq!(here("waypoints")["waypoints"], serde_json::json!([[12, 33]]));
    assert!(here("cost")["cells"].is_null() && here("cost")["cost"].as_f64() == Some(0.0));
    let told =
        String::from_utf8(farstride(&[&TOUR[..], &["--detail", "waypoints"]].concat()).stdout).unwrap();
    assert!(told.contains("waypoints") && told.contains("12,33 ") && told.contains(" 147,11\n"), "{told}");
}

#[test]
fn levels_can_be_capped() {
    let folder = folder("subgoals-levels");
    let (map, scen) = caves(&folder, (60, 40), 1);
    let levels = |engine: &str, options: &[&str]| {
        let bench = ["bench", "--map", &map, "--scen", &scen, "--repeat", "1", "--json", "--engine", engine];
        let (reports, code) = json(&[&bench[..], options].concat());
        assert_eq!((reports[0]["failed"].as_u64(), code), (Some(0), 0), "{engine} {options:?}");
        reports[0]["levels"].as_u64().unwrap()
    };
    for engine in ["nsg", "nsg+"] {
        let all = levels(engine, &[]);
        assert!(all > 3, "{engine}: {all}");
        assert_eq!(levels(engine, &["--levels", "1"]), 1);
        assert_eq!(levels(engine, &["--levels", "3"]), 3);
        assert_eq!(levels(engine, &["--levels", "4000000000"]), all);
        let told = refusal(&[&TOUR[..], &["--engine", engine, "--levels", "0"]].concat());
        assert!(told.contains("--levels is 0, but must be at least 1"), "{told}");
    }
    assert_eq!((levels("ssg", &[]), levels("tsg", &[]), levels("hpa", &["--levels", "2"])), (1, 2, 2));
    assert!(refusal(&[&TOUR[..], &["--engine", "hpa", "--levels", "300"]].concat()).contains("1 and 14"));
}

#[test]
fn options_of_other_engines_are_refused() {
    for engine in ["ssg", "tsg", "tl"] {
        let told = refusal(&[&TOUR[..], &["--engine", engine, "--levels", "2"]].concat());
        let expected =
            format!("engine {engine} takes no --levels; use it with --engine hpa, hpt, groups, nsg or nsg+");
        assert!(told.contains(&expected), "{told}");
    }
    for engine in ENGINES {
        for (option, value) in [("--cluster", "10"), ("--smooth", "off"), ("--ways", "keep")] {
            let told = refusal(&[&TOUR[..], &["--engine", engine, option, value]].concat());
            assert!(told.contains(&format!("engine {engine} takes no {option}")), "{told}");
        }
    }
    let help = String::from_utf8(farstride(&["help", "path"]).stdout).unwrap();
    let heading = |name: &str| help.find(name).unwrap_or_else(|| panic!("{name}: {help}"));
    assert!(heading("Options of the engines hpa, hpt, groups, nsg and nsg+:") < heading("--levels"));
    assert!(heading("--levels") < heading("Options of the engines hpa and hpt:"));
}

#[test]
fn auto_says_what_it_took_and_why() {
    let folder = folder("subgoals-auto");
    let (map, scen) = caves(&folder, (60, 40), 1);
    let told = |arguments: &[&str]| {
        let output = farstride(arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(told(&TOUR).starts_with("engine labels (chosen for this map: optimal"));
    assert!(
        told(&[&TOUR[..], &["--diagonals", "free"]].concat())
            .starts_with("engine labels (chosen for this map: ")
    );
    let shortest = told(&[&TOUR[..], &["--engine", "shortest"]].concat());
    assert!(shortest.starts_with("engine labels (chosen for this map: "), "{shortest}");
    let any_angle = told(&[&TOUR[..], &["--engine", "any-angle"]].concat());
    assert!(any_angle.starts_with("engine straight (chosen for this map: "), "{any_angle}");
    let any_angle = told(&[&TOUR[..], &["--engine", "any-angle", "--diagonals", "free"]].concat());
    assert!(any_angle.starts_with("engine hpt (chosen for this map: "), "{any_angle}");
    assert!(!told(&[&TOUR[..], &["--engine", "nsg+"]].concat()).contains("chosen"));
    for command in ["bench", "verify"] {
        let queries = [command, "--map", &map, "--scen", &scen];
        assert!(told(&queries).starts_with("auto took labels: optimal"), "{command}");
        assert!(!told(&[&queries[..], &["--engine", "ssg"]].concat()).contains("auto"));
    }
}

#[test]
fn verify_holds_for_every_engine() {
    let folder = folder("subgoals-verify");
    let (map, scen) = caves(&folder, (60, 40), 1);
    for engine in ENGINES {
        for rule in ["strict", "none"] {
            let verify = ["verify", "--map", &map, "--scen", &scen, "--engine", engine, "--diagonals", rule];
            let (report, code) = json(&[&verify[..], &["--json"]].concat());
            assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{engine} {rule}: {report}");
            let longest = report["suboptimality_max_pct"].as_f64().unwrap();
            assert!(longest < 1e-6 || engine == "tl", "{engine}: {longest}");
            let told = String::from_utf8(farstride(&verify).stdout).unwrap();
            assert_eq!(told.contains("longer than A*'s on average"), engine == "tl", "{told}");
        }
    }
}

#[test]
fn bench_times_the_phases_apart() {
    let folder = folder("subgoals-bench");
    let (map, scen) = caves(&folder, (60, 40), 1);
    let bench = ["bench", "--map", &map, "--scen", &scen, "--repeat", "2", "--engine"];
    let (reports, _) = json(&[&bench[..], &["astar,hpa,ssg,tsg,tl,nsg,nsg+", "--json"]].concat());
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), 7);
    let phases = ["connect_mean_us", "search_mean_us", "unpack_mean_us"];
    for report in reports {
        let engine = report["engine"].as_str().unwrap();
        assert_eq!(report["failed"].as_u64(), Some(0), "{engine}");
        assert!(phases.iter().all(|phase| report[phase].is_f64() != (engine == "astar")), "{report}");
        let is_graph = ENGINES.contains(&engine);
        assert!(["subgoals", "edges"].iter().all(|count| report[count].is_u64() == is_graph), "{report}");
        assert_eq!(report["levels"].is_u64(), engine != "astar");
        assert_eq!(report["index_bytes"].as_u64() > Some(0), engine != "astar");
        assert!(report["mean_us"].as_f64() > Some(0.0) && report["first_move_mean_us"].as_f64() > Some(0.0));
    }
    let of = |engine: &str| reports.iter().find(|report| report["engine"] == engine).unwrap();
    assert_eq!((of("ssg")["levels"].as_u64(), of("tsg")["levels"].as_u64()), (Some(1), Some(2)));
    assert_eq!(of("ssg")["edges"], of("nsg")["edges"]);
    assert!(of("nsg+")["edges"].as_u64() >= of("nsg")["edges"].as_u64());
    let table = String::from_utf8(farstride(&[&bench[..], &["astar,nsg+"]].concat()).stdout).unwrap();
    assert!(table.contains("connect") && table.contains("subgoals"), "{table}");
    let plain = String::from_utf8(farstride(&[&bench[..], &["astar"]].concat()).stdout).unwrap();
    assert!(!plain.contains("connect"), "{plain}");
}

#[test]
fn subgoals_and_levels_are_drawn_with_a_legend() {
    let folder = folder("subgoals-render");
    let draw = |name: &str, options: &[&str]| {
        let file = folder.join(name).to_str().unwrap().to_owned();
        let output = farstride(&[&["render", "-o", &file], options].concat());
        assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
        (fs::read(file).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let text = |options: &[&str]| {
        let (picture, told) = draw("p.svg", options);
        (String::from_utf8(picture).unwrap(), told)
    };
    let (all, told) = text(&["--show", "subgoals"]);
    for word in ["edges of the simple graph", "extra edges", "subgoals of level 1"] {
        assert!(all.contains(word), "{word}");
    }
    assert!(told.starts_with("nsg+: ") && told.contains("subgoals on "), "{told}");
    let (simple, told) = text(&["--show", "subgoals", "--engine", "ssg"]);
    assert!(!simple.contains("extra edges") && told.contains("on one level"), "{told}");
    let (two, _) = text(&["--show", "subgoals", "--engine", "tsg"]);
    assert!(two.contains("subgoals of level 1") && two.contains("subgoals of level 2"));
    assert!(!two.contains("level 3"));
    let (highest, told) = text(&["--show", "levels"]);
    assert!(!highest.contains("subgoals of level 1<") && told.contains("on the highest of "), "{told}");
    assert!(highest.len() < all.len());
    let (some, told) = text(&["--show", "levels", "--level", "2"]);
    assert!(!some.contains("subgoals of level 1<") && told.contains("on levels 2 to "), "{told}");
    assert!(some.len() < all.len() && some.len() > highest.len());
    let (capped, _) = text(&["--show", "levels", "--levels", "2", "--engine", "nsg"]);
    assert!(capped.contains("subgoals of level 2"));
    let both = ["--show", "path,subgoals", "--from", "12,33", "--to", "147,11", "--engine", "nsg+,astar"];
    let (paths, _) = text(&both);
    assert!(paths.contains("nsg+: length") && paths.contains("astar: length"));
    assert!(text(&["--show", "clusters,levels"]).0.contains("clusters of level 1"));
    assert!(draw("p.png", &["--show", "levels"]).0.starts_with(b"\x89PNG"));
}

#[test]
fn maps_without_subgoals_are_drawn_and_answered() {
    let folder = folder("subgoals-none");
    let map = write(&folder, "open.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    let picture = folder.join("p.svg").to_str().unwrap().to_owned();
    for show in ["subgoals", "levels"] {
        let output = farstride(&["render", "--map", &map, "--show", show, "-o", &picture]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for engine in ENGINES {
        let (report, code) =
            json(&["path", "--map", &map, "--from", "0,0", "--to", "2,1", "--engine", engine, "--json"]);
        assert_eq!((report["cells"].as_array().unwrap().len(), code), (3, 0), "{engine}");
    }
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused() {
    let cases: [(&[&str], &str); 3] = [
        (&["--show", "subgoals"], "--show subgoals needs a picture"),
        (
            &["--show", "levels", "-o", "p.svg", "--engine", "hpa"],
            "--show levels needs --engine ssg, tsg, tl, nsg or nsg+",
        ),
        (&["--show", "levels", "-o", "p.svg", "--level", "9", "--levels", "3"], "the subgoal graph has 3"),
    ];
    for (arguments, expected) in cases {
        let told = refusal(&[&["render"], arguments].concat());
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

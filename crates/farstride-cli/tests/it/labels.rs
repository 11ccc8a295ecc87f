//! The engine labels on the command line: paths, options, figures, and its index.

use crate::common::{caves, farstride, folder, json, refusal, write};
use serde_json::{Value, json};
use std::fs;

/// A route across the built-in map.
const TOUR: [&str; 5] = ["path", "--from", "12,33", "--to", "147,11"];

fn tour(options: &[&str]) -> Value {
    let (report, code) = json(&[&TOUR[..], &["--json"], options].concat());
    assert_eq!((report["status"].as_str(), code), (Some("found"), 0), "{options:?}");
    report
}

fn text(arguments: &[&str]) -> String {
    let output = farstride(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_tour_is_as_short_as_astar_has_it() {
    for rule in ["strict", "one-side", "free", "none"] {
        for cost in ["sqrt2", "1.42"] {
            let rules = ["--diagonals", rule, "--diagonal-cost", cost];
            let of = |engine| tour(&[&["--engine", engine], &rules[..]].concat());
            let (found, best) = (of("labels"), of("astar"));
            let [a, b] = [&found, &best].map(|report| report["cost"].as_f64().unwrap());
            assert!((a - b).abs() < 1e-9, "{rule} {cost}: {a}, {b}");
            assert_eq!(found["engine"], "labels");
            assert!(found["points"].is_null() && found["waypoints"].is_null());
            assert_eq!(
                (&found["cells"][0], found["stats"]["expanded"]["total"].as_u64()),
                (&json!([12, 33]), Some(0))
            );
            assert!(found["query_ns"].as_u64() > Some(0));
        }
    }
}

#[test]
fn less_detail_is_less_but_costs_the_same() {
    let whole = tour(&["--engine", "labels"]);
    let all = whole["cells"].as_array().unwrap();
    for detail in ["waypoints", "cost"] {
        let some = tour(&["--engine", "labels", "--detail", detail]);
        assert_eq!((&some["cost"], &some["cells"]), (&whole["cost"], &Value::Null));
    }
    for engine in ["labels", "astar", "hpa", "nsg+"] {
        for (steps, cells) in [("0", 1), ("1", 2), ("5", 6), ("100000", usize::MAX)] {
            let some = tour(&["--engine", engine, "--first", steps]);
            let whole = tour(&["--engine", engine]);
            let all = whole["cells"].as_array().unwrap();
            assert_eq!(some["cost"], whole["cost"], "{engine}");
            assert_eq!(some["cells"].as_array().unwrap()[..], all[..cells.min(all.len())], "{engine}");
        }
    }
    assert_eq!(tour(&["--engine", "theta", "--first", "1"])["points"].as_array().unwrap().len(), 2);
    assert!(all.len() > 100);
    let told = text(&[&TOUR[..], &["--engine", "labels", "--first", "3"]].concat());
    assert!(told.contains("engine labels: length") && told.contains("4 cells"), "{told}");
    for option in [&["--detail", "cost"][..], &["--crossed"]] {
        let told = refusal(&[&TOUR[..], &["--first", "3"], option].concat());
        assert!(told.contains("--first"), "{told}");
    }
}

#[test]
fn options_are_those_of_the_engine() {
    for (option, value) in [("--index-budget", "64M"), ("--block", "16")] {
        tour(&["--engine", "labels", option, value]);
        for engine in ["astar", "hpa", "nsg+", "groups"] {
            let told = refusal(&[&TOUR[..], &["--engine", engine, option, value]].concat());
            let expected = format!("engine {engine} takes no {option}; use it with --engine labels");
            assert!(told.contains(&expected), "{told}");
        }
    }
    for option in ["--cluster", "--levels"] {
        let told = refusal(&[&TOUR[..], &["--engine", "labels", option, "4"]].concat());
        assert!(told.contains(&format!("engine labels takes no {option}")), "{told}");
    }
    for (option, value) in
        [("--index-budget", "64MB"), ("--index-budget", "-1"), ("--block", "32"), ("--block", "")]
    {
        let told = refusal(&[&TOUR[..], &["--engine", "labels", option, value]].concat());
        assert!(told.contains(option), "{told}");
    }
    for command in ["path", "bench", "verify", "build"] {
        let help = text(&["help", command]);
        assert!(help.contains("--index-budget") && help.contains("--block"), "{help}");
    }
}

#[test]
fn an_index_takes_the_place_of_building() {
    let folder = folder("labels-index");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (map, scen) = caves(&folder, (60, 40), 1);
    let index = file("caves.fsi");
    let block = ["--block", "16"];
    let make = ["build", "--map", &map, "--engine", "labels", "-o", &index, "--json"];
    let (built, _) = json(&[&make[..], &block].concat());
    assert_eq!((built["engine"].as_str(), built["bytes"].as_u64()), (Some("labels"), Some(size(&index))));

    let bench = ["bench", "--map", &map, "--scen", &scen, "--json"];
    let (opened, _) = json(&[&bench[..], &["--index", &index]].concat());
    let (fresh, _) = json(&[&bench[..], &["--engine", "labels"], &block].concat());
    for field in ["engine", "expanded_mean", "mean_length", "failed", "index_bytes", "subgoals"] {
        assert_eq!(opened[0][field], fresh[0][field], "{field}");
    }
    assert_eq!((opened[0]["engine"].as_str(), opened[0]["failed"].as_u64()), (Some("labels"), Some(0)));
    assert_eq!(opened[0]["index_bytes"].as_u64(), Some(size(&index)));
    assert_eq!(
        (&opened[0]["expanded_mean"], &opened[0]["suboptimality_max_pct"]),
        (&json!(0.0), &json!(0.0))
    );
    assert!(opened[0]["connect_mean_us"].is_null() && opened[0]["subgoals"].as_u64() > Some(10));
    let [first, mean] = ["first_move_mean_us", "mean_us"].map(|field| opened[0][field].as_f64().unwrap());
    assert!(first > 0.0 && mean > 0.0 && mean.is_finite());

    let (report, code) = json(&["verify", "--map", &map, "--scen", &scen, "--index", &index, "--json"]);
    assert_eq!((report["engine"].as_str(), report["failed"].as_u64(), code), (Some("labels"), Some(0), 0));

    // On trust, and with less to find, the answers are the same.
    let (trusted, _) = json(&[&bench[..], &["--index", &index, "--trust", "--detail", "cost"]].concat());
    for field in ["engine", "mean_length", "failed", "index_bytes"] {
        assert_eq!(trusted[0][field], opened[0][field], "{field}");
    }
    // It must not read the whole file: a wrong checksum at its end goes unnoticed.
    let mut bytes = fs::read(&index).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let unchecked = write(&folder, "unchecked.fsi", bytes);
    assert!(refusal(&[&bench[..], &["--index", &unchecked]].concat()).contains("unchecked.fsi"));
    for engine in ["auto", "labels"] {
        let (trusted, _) =
            json(&[&bench[..], &["--engine", engine, "--index", &unchecked, "--trust"]].concat());
        assert_eq!(trusted[0]["mean_length"], opened[0]["mean_length"]);
    }
    assert!(refusal(&[&bench[..], &["--engine", "labels", "--trust"]].concat()).contains("--index"));
    let mut bytes = fs::read(&index).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = file("damaged.fsi");
    fs::write(&damaged, bytes).unwrap();
    assert!(refusal(&[&bench[..], &["--index", &damaged]].concat()).contains("damaged.fsi"));

    let path = ["path", "--map", &map, "--from", "0,0", "--to", "1,1", "--index", &index];
    let with = |options: &[&str]| refusal(&[&path[..], options].concat());
    assert!(with(&["--engine", "hpa"]).contains("is an index of the engine labels, not of hpa"));
    assert!(with(&["--block", "8"]).contains("--block"));
    assert!(with(&["--index-budget", "1M"]).contains("--index-budget"));
    assert!(with(&["--diagonals", "none"]).contains("another map"));
}

fn size(file: &str) -> u64 {
    fs::metadata(file).unwrap().len()
}

#[test]
fn info_tells_what_labels_there_are() {
    let folder = folder("labels-info");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (map, index) = (file("rooms.map"), file("rooms.fsi"));
    text(&["gen", "rooms", "--size", "80x50", "--seed", "4", "-o", &map]);
    let make =
        ["build", "--map", &map, "--engine", "labels", "--index-budget", "20M", "-o", &index, "--json"];
    let (built, _) = json(&make);
    let (info, _) = json(&["info", &index, "--json"]);
    assert_eq!((&info["engine"], &info["digest"]), (&json!("labels"), &built["digest"]));
    assert_eq!(info["map_digest"], built["map_digest"]);
    assert_eq!(info["settings"], json!({"index_budget": 20_000_000, "block": "auto"}));
    assert_eq!(info["levels"], json!([]));
    let labels = &info["labels"];
    assert_eq!(
        (&labels["kept"], &labels["block_side"]),
        (&json!("full labels, in blocks of 8 x 8 cells"), &json!(8))
    );
    assert_eq!(labels["blocks"], 10 * 7);
    for field in ["subgoals", "hubs_per_subgoal", "vias_per_block", "entries_per_block"] {
        assert!(labels[field].as_f64() > Some(1.0), "{field}: {labels}");
    }
    let parts: u64 =
        info["parts"].as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
    assert!(parts < size(&index) && size(&index) < parts + 500);
    let told = text(&["info", &index]);
    for word in [
        "index for labels",
        "--index-budget 20000000 --block auto",
        "full labels, in blocks",
        "hubs each",
        "tracks",
    ] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

/// Each query's time is the least of all passes, so more passes are not slower by
/// much more than chance; and every query is counted once.
#[test]
fn passes_count_every_query_once() {
    let folder = folder("labels-passes");
    let (map, scen) = caves(&folder, (60, 40), 2);
    let queries = fs::read_to_string(&scen).unwrap().lines().count() as u64 - 1;
    let bench = ["bench", "--map", &map, "--scen", &scen, "--engine", "labels,hpa,astar", "--json"];
    for repeat in ["1", "3"] {
        let (reports, _) = json(&[&bench[..], &["--repeat", repeat]].concat());
        for report in reports.as_array().unwrap() {
            assert_eq!(
                (report["queries"].as_u64(), report["solved"].as_u64()),
                (Some(queries), Some(queries))
            );
            for field in ["mean_us", "p50_us", "max_us", "first_move_mean_us"] {
                let micros = report[field].as_f64().unwrap();
                assert!(micros > 0.0 && micros.is_finite(), "{field}: {report}");
            }
        }
    }
    let paths = write(&folder, "paths", "");
    json(&[
        "bench", "--map", &map, "--scen", &scen, "--engine", "labels", "--repeat", "2", "--paths", &paths,
        "--json",
    ]);
    assert_eq!(fs::read_to_string(&paths).unwrap().lines().count() as u64, queries);
}

#[test]
fn other_commands_know_the_engine() {
    assert!(
        text(&["demo", "-o", folder("labels-demo").join("d.svg").to_str().unwrap()]).contains("\nlabels ")
    );
    let told = refusal(&["build", "-o", "/nowhere.fsi", "--engine", "astar"]);
    assert!(told.contains("groups or labels"), "{told}");
}

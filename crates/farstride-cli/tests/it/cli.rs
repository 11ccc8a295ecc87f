//! The command line as outside checks see it: JSON field by field, exit codes,
//! and one clear line for every kind of bad input.

use crate::common::{farstride, folder, json, refusal, write};
use serde_json::Value;
use std::fs;

const MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
const SCENARIO: &str = "version 1\n\
    0\tm.map\t5\t3\t0\t0\t4\t0\t6.82843\n\
    0\tm.map\t5\t3\t0\t0\t0\t0\t0\n";

#[test]
fn path_reports_every_field_of_the_contract() {
    let folder = folder("path");
    let map = write(&folder, "m.map", MAP);
    let (report, code) =
        json(&["path", "--map", &map, "--from", "0,0", "--to", "4,0", "--engine", "astar", "--json"]);
    assert_eq!(code, 0);
    assert_eq!(report["engine"], "astar");
    assert_eq!(report["status"], "found");
    assert!((report["cost"].as_f64().unwrap() - 6.828_427_125).abs() < 1e-8);
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.first().unwrap(), &serde_json::json!([0, 0]));
    assert_eq!(cells.last().unwrap(), &serde_json::json!([4, 0]));
    assert_eq!(cells.len(), 7);
    assert!(report["points"].is_null());
    for phase in ["insert", "main", "refine", "total"] {
        assert!(report["stats"]["expanded"][phase].is_u64(), "{phase}");
    }
    assert!(report["stats"]["generated"].as_u64().unwrap() > 0);
    assert!(report["stats"]["peak_nodes"].as_u64().unwrap() > 0);
    assert!(report["build_us"].is_u64() && report["query_us"].is_u64());
}

#[test]
fn any_angle_engines_fill_points_instead_of_cells() {
    let folder = folder("points");
    let map = write(&folder, "m.map", MAP);
    for engine in ["theta", "lazy-theta"] {
        let (report, _) =
            json(&["path", "--map", &map, "--from", "0,0", "--to", "4,0", "--engine", engine, "--json"]);
        assert!(report["cells"].is_null());
        assert!(report["points"].as_array().unwrap().len() >= 3);
    }
}

#[test]
fn nearest_goes_where_it_can_and_names_the_substitute() {
    let folder = folder("nearest");
    let map = write(&folder, "m.map", "type octile\nheight 2\nwidth 6\nmap\n...@..\n..@@.@\n");
    for engine in ["astar", "hpa", "labels", "theta", "groups"] {
        for (from, to, ends, substitute) in [
            ("0,0", "1,1", [[0, 0], [1, 1]], None),
            ("0,0", "4,1", [[0, 0], [2, 0]], Some([2, 0])), // no route: 2,0 is nearer than 1,1
            ("0,1", "3,1", [[0, 1], [2, 0]], Some([2, 0])), // goal blocked
            ("2,1", "0,0", [[2, 0], [0, 0]], Some([2, 0])), // start blocked: first of two
            ("5,1", "3,1", [[5, 0], [4, 1]], Some([4, 1])), // both blocked: the goal's is told
            ("5,0", "0,1", [[5, 0], [4, 1]], Some([4, 1])), // no route: 4,0 is farther by a hair
        ] {
            let asked = ["--map", &map, "--from", from, "--to", to, "--engine", engine];
            let (report, code) = json(&[&["path", "--nearest", "--json"], &asked[..]].concat());
            assert_eq!((&report["status"], code), (&"found".into(), 0), "{engine} {from} {to}");
            assert_eq!(report["substitute"], serde_json::json!(substitute), "{engine} {from} {to}");
            let path = report["cells"].as_array().or(report["points"].as_array()).unwrap();
            let [first, last] = [path.first(), path.last()].map(|cell| cell.unwrap().clone());
            assert_eq!(serde_json::json!([first, last]), serde_json::json!(ends), "{engine} {from} {to}");
            if substitute.is_some() {
                let (report, code) = json(&[&["path", "--json"], &asked[..]].concat());
                assert_eq!((&report["substitute"], code), (&Value::Null, 1));
                let told = String::from_utf8(farstride(&[&["path"], &asked[..]].concat()).stdout).unwrap();
                assert!(told.contains("--nearest"), "{told}");
            }
        }
    }
}

#[test]
fn every_outcome_has_its_status_and_exit_code() {
    let folder = folder("status");
    let map = write(&folder, "m.map", "type octile\nheight 1\nwidth 4\nmap\n..@.\n");
    for (from, to, status, code) in [
        ("0,0", "1,0", "found", 0),
        ("0,0", "0,0", "found", 0),
        ("0,0", "3,0", "unreachable", 1),
        ("2,0", "0,0", "start-blocked", 1),
        ("0,0", "2,0", "goal-blocked", 1),
    ] {
        let (report, exit) = json(&["path", "--map", &map, "--from", from, "--to", to, "--json"]);
        assert_eq!((report["status"].as_str().unwrap(), exit), (status, code), "{from} to {to}");
        assert_eq!(report["cost"].is_null(), code == 1);
        assert_eq!(report["cells"].as_array().unwrap().is_empty(), code == 1);
    }
    let ends = ["path", "--from", "12,33", "--to", "147,11", "--engine", "nsg+"];
    let (report, exit) = json(&[&ends[..], &["--budget", "10", "--json"]].concat());
    assert_eq!((report["status"].as_str().unwrap(), exit), ("budget-spent", 1));
}

#[test]
fn rules_and_costs_are_taken_from_the_options() {
    let folder = folder("rules");
    let map = write(&folder, "m.map", "type octile\nheight 2\nwidth 2\nmap\n.@\n..\n");
    let cost = |options: &[&str]| {
        let mut arguments = vec!["path", "--map", &map, "--from", "0,0", "--to", "1,1", "--json"];
        arguments.extend(options);
        json(&arguments).0["cost"].as_f64().unwrap()
    };
    assert!((cost(&[]) - 2.0).abs() < 1e-12);
    assert!((cost(&["--diagonals", "one-side"]) - std::f64::consts::SQRT_2).abs() < 1e-12);
    assert!((cost(&["--diagonals", "free", "--diagonal-cost", "1.42"]) - 1.42).abs() < 1e-12);
    assert!((cost(&["--diagonals", "none"]) - 2.0).abs() < 1e-12);
}

#[test]
fn bench_reports_every_field_of_the_contract() {
    let folder = folder("bench");
    let (map, scen) = (write(&folder, "m.map", MAP), write(&folder, "m.map.scen", SCENARIO));
    let paths = folder.join("paths.jsonl");
    let common = ["bench", "--map", &map, "--scen", &scen, "--repeat", "2", "--json", "--engine"];
    let (reports, code) = json(&[&common[..], &["theta,astar"]].concat());
    assert_eq!(code, 0);
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), 2);
    for field in [
        "width",
        "height",
        "free_cells",
        "queries",
        "solved",
        "unreachable",
        "failed",
        "illegal",
        "too_long",
        "unlisted",
        "build_ms",
        "index_bytes",
        "mean_us",
        "p50_us",
        "p95_us",
        "p99_us",
        "max_us",
        "first_move_mean_us",
        "mean_length",
        "reference_mean_length",
        "suboptimality_mean_pct",
        "suboptimality_p99_pct",
        "suboptimality_max_pct",
        "expanded_mean",
        "expanded_insert_mean",
        "expanded_main_mean",
        "expanded_refine_mean",
        "peak_nodes_mean",
    ] {
        assert!(reports.iter().all(|report| report[field].is_number()), "{field}");
    }
    let astar = &reports[1];
    assert_eq!((astar["engine"].as_str(), astar["map"].as_str()), (Some("astar"), Some("m")));
    assert_eq!((astar["queries"].as_u64(), astar["solved"].as_u64()), (Some(2), Some(2)));
    assert_eq!((astar["failed"].as_u64(), astar["suboptimality_max_pct"].as_f64()), (Some(0), Some(0.0)));
    let with_paths = ["--paths", paths.to_str().unwrap()];
    json(&[&common[..], &["astar"], &with_paths[..]].concat());
    assert!(refusal(&[&common[..], &["theta,astar"], &with_paths[..]].concat()).contains("one engine"));
    let lines = fs::read_to_string(paths).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0]["query"].as_u64(), lines[0]["cells"].as_array().unwrap().len()), (Some(0), 7));
}

#[test]
fn bench_notices_a_wrong_length() {
    let folder = folder("bench-wrong");
    let (map, lies) =
        (write(&folder, "m.map", MAP), write(&folder, "lies.scen", SCENARIO.replace("6.82843", "7.9")));
    let blocked = write(&folder, "blocked.scen", SCENARIO.replace("6.82843", "0"));
    let short = write(&folder, "short.scen", SCENARIO.replace("6.82843", "5.9"));
    for (list, too_long, unlisted) in [(&lies, 0, 1), (&blocked, 0, 1), (&short, 1, 0)] {
        let (reports, code) = json(&["bench", "--map", &map, "--scen", list, "--engine", "astar", "--json"]);
        let count = |field: &str| reports[0][field].as_u64().unwrap();
        let counts = ["failed", "illegal", "too_long", "unlisted"].map(count);
        assert_eq!((counts, code), ([1, 0, too_long, unlisted], 1), "{list}");
    }
    // Engines that are not optimal may be longer.
    let (reports, code) = json(&["bench", "--map", &map, "--scen", &short, "--engine", "hpa", "--json"]);
    assert_eq!((reports[0]["failed"].as_u64(), code), (Some(0), 0));
    let told = farstride(&["bench", "--map", &map, "--scen", &lies, "--engine", "astar"]);
    assert_eq!(told.status.code(), Some(1));
    assert!(
        String::from_utf8(told.stdout).unwrap().contains("astar: 1 failed: 0 illegal, 0 too long, 1 not")
    );
    let one_side = ["--diagonals", "one-side", "--engine", "astar", "--json"];
    let (reports, _) = json(&[&["bench", "--map", &map, "--scen", &lies][..], &one_side].concat());
    assert_eq!(
        (reports[0]["failed"].as_u64(), reports[0]["suboptimality_max_pct"].as_f64()),
        (Some(0), Some(0.0))
    );
}

#[test]
fn writing_keeps_links_and_devices() {
    let folder = folder("links");
    let (target, link) = (folder.join("target.map"), folder.join("link.map"));
    fs::write(&target, "old").unwrap();
    let _ = fs::remove_file(&link);
    #[cfg(unix)]
    std::os::unix::fs::symlink(&target, &link).unwrap();
    #[cfg(not(unix))]
    fs::write(&link, "old").unwrap();
    let made = farstride(&["gen", "open", "--size", "3x3", "-o", link.to_str().unwrap()]);
    assert!(made.status.success());
    assert!(fs::read_to_string(&link).unwrap().starts_with("type octile"));
    #[cfg(unix)]
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn verify_accepts_what_holds_and_names_what_does_not() {
    let folder = folder("verify");
    let (map, scen) = (write(&folder, "m.map", MAP), write(&folder, "m.map.scen", SCENARIO));
    for engine in ["astar", "dijkstra", "theta", "lazy-theta", "hpa", "ssg", "tsg", "tl", "nsg", "nsg+"] {
        let (report, code) = json(&["verify", "--map", &map, "--scen", &scen, "--engine", engine, "--json"]);
        assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{report}");
    }
    let lies = write(&folder, "lies.scen", SCENARIO.replace("6.82843", "5.1"));
    let output = farstride(&["verify", "--map", &map, "--scen", &lies]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("1 failed; the first is query 0 from 0,0 to 4,0"), "{told}");
}

#[test]
fn generated_maps_can_be_described_and_drawn() {
    let folder = folder("gen");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for kind in ["maze", "rooms", "random", "caves", "city", "open", "world"] {
        let map = file(&format!("{kind}.map"));
        assert!(farstride(&["gen", kind, "--size", "60x40", "--seed", "3", "-o", &map]).status.success());
        let again = farstride(&["gen", kind, "--size", "60x40", "--seed", "3"]).stdout;
        assert_eq!(fs::read(&map).unwrap(), again, "{kind}");
        let (report, _) = json(&["info", &map, "--json"]);
        assert_eq!((report["width"].as_u64(), report["height"].as_u64()), (Some(60), Some(40)));
        for picture in [file("picture.png"), file("picture.svg")] {
            assert!(farstride(&["render", "--map", &map, "-o", &picture]).status.success(), "{kind}");
            assert!(fs::metadata(&picture).unwrap().len() > 500);
        }
        assert!(farstride(&["render", "--map", &map]).status.success());
    }
    let left: Vec<_> = fs::read_dir(&*folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".part")), "{left:?}");
}

#[test]
fn the_demo_shows_every_engine_and_writes_a_picture() {
    let folder = folder("demo");
    let picture = folder.join("demo.png");
    let output = farstride(&["demo", "-o", picture.to_str().unwrap()]);
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    for word in ["dijkstra", "astar", "theta", "lazy-theta", "hpa", "tsg", "nsg+", "build", "Try next"] {
        assert!(told.contains(word), "{word}");
    }
    assert!(told.contains("on a map with weights"), "{told}");
    for picture in [picture, folder.join("demo-terrain.png")] {
        assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let commands: [&[&str]; 8] =
        [&["demo"], &["path"], &["table"], &["bench"], &["verify"], &["info"], &["gen"], &["render"]];
    for command in commands {
        let output = farstride(&[command, &["--help"]].concat());
        assert!(output.status.success());
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("Example"), "{command:?}: {told}");
    }
}

#[test]
fn bad_arguments_are_refused_in_one_line() {
    let cases: [(&[&str], &str); 17] = [
        (&["nonsense"], "nonsense"),
        (&["path"], "--from"),
        (&["path", "--from", "1", "--to", "2,2"], "expected X,Y"),
        (&["path", "--from", "-1,0", "--to", "2,2"], "-1,0"),
        (&["path", "--from", "0,0", "--to", "99999999999999999999,2"], "9999"),
        (&["path", "--from", "0,0", "--to", "150,2"], "cell 150,2 is not on the map: x runs from 0 to 149"),
        (&["path", "--from", "0,0", "--to", "2,2", "--engine", "teleport"], "there are dijkstra astar"),
        (&["path", "--from", "0,0", "--to", "2,2", "--cluster", "10"], "--cluster"),
        (&["path", "--from", "0,0", "--to", "2,2", "--diagonals", "maybe"], "one-side"),
        (&["gen", "maze", "--size", "0x5"], "0"),
        (&["gen", "maze", "--size", "20000x5"], "10"),
        (&["gen", "maze", "--size", "20x20", "--blocked", "5"], "takes no --blocked"),
        (&["render", "-o", "picture.gif"], ".png or .svg"),
        (&["bench", "--scen", "x.scen", "--min-length", "long"], "expected a length"),
        (&["bench", "--scen", "x.scen", "--min-length", "-1"], "--min-length"),
        (&["bench", "--scen", "x.scen", "--repeat", "0"], "--repeat"),
        (&["info", "no-such-file.map"], "cannot read no-such-file.map"),
    ];
    for (arguments, expected) in cases {
        let told = refusal(arguments);
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

#[test]
fn bad_files_are_refused_in_one_line() {
    let folder = folder("bad");
    let good = write(&folder, "good.map", MAP);
    let head = "type octile\nheight 3\nwidth 5\nmap\n";
    for (name, content, expected) in [
        ("empty", String::new(), "empty"),
        ("headless", "..@..\n".to_owned(), "expected 'type'"),
        ("few", format!("{head}..@..\n"), "1 rows of cells, but the header says height 3"),
        ("short", format!("{head}..@..\n..@\n.....\n"), "line 6 has 3 cells, expected 5"),
        ("long", format!("{head}..@..\n..@...\n.....\n"), "line 6 has 6 cells, expected 5"),
        ("letter", format!("{head}..@..\n..?..\n.....\n"), "line 6, column 3: '?'"),
        ("huge", MAP.replace("height 3", "height 300000000000000000000"), "not a number"),
        ("large", MAP.replace("height 3", "height 30000"), "between 1 and 10000"),
    ] {
        let file = write(&folder, name, content);
        let told = refusal(&["path", "--map", &file, "--from", "0,0", "--to", "1,1"]);
        assert!(told.contains(expected), "{name}: {told}");
    }
    let binary = write(&folder, "binary", b"type octile\nheight 1\nwidth 2\nmap\n\xff\xfe\n");
    assert!(refusal(&["info", &binary]).contains("line 5, column 1: '\\xff'"));
    for (name, content, expected) in [
        ("empty.scen", "", "empty"),
        ("other.scen", "version 1\n0 m 9 9 0 0 1 1 1\n", "this map has 5 x 3"),
        ("outside.scen", "version 1\n0 m 5 3 0 0 5 1 1\n", "cell 5,1 is not on the map"),
        ("fields.scen", "version 1\n0 m 5 3 0 0\n", "line 2 has 6 fields"),
    ] {
        let file = write(&folder, name, content);
        for command in ["bench", "verify"] {
            let told = refusal(&[command, "--map", &good, "--scen", &file]);
            assert!(told.contains(expected), "{name}: {told}");
        }
    }
}

#[test]
fn windows_line_ends_are_read() {
    let folder = folder("crlf");
    let map = write(&folder, "m.map", MAP.replace('\n', "\r\n"));
    let scen = write(&folder, "m.scen", SCENARIO.replace('\n', "\r\n"));
    let (report, code) = json(&["verify", "--map", &map, "--scen", &scen, "--json"]);
    assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{report}");
}

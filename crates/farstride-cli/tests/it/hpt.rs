//! The engine `hpt` on the command line: its options, its figures, its pictures.

use crate::common::{farstride, folder, json, refusal, write};
use farstride::hpa::HpaSettings;
use farstride::index::IndexSettings;
use farstride::{Cell, Engine, Grid};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A route across the built-in map.
const TOUR: [&str; 5] = ["path", "--from", "12,33", "--to", "147,11"];

/// The answer of an engine with these options.
fn tour(engine: &str, options: &[&str]) -> Value {
    let (report, code) = json(&[&TOUR[..], &["--engine", engine, "--json"], options].concat());
    assert_eq!((report["status"].as_str(), code), (Some("found"), 0), "{engine} {options:?}");
    report
}

fn cost(report: &Value) -> f64 {
    report["cost"].as_f64().unwrap()
}

fn cells(pairs: &Value) -> Vec<Cell> {
    let number = |value: &Value| u16::try_from(value.as_u64().unwrap()).unwrap();
    pairs.as_array().unwrap().iter().map(|pair| Cell::new(number(&pair[0]), number(&pair[1]))).collect()
}

/// A map of 60 x 40 cells and a scenario of queries across it.
fn caves(folder: &Path) -> (String, String) {
    let map = folder.join("caves.map").to_str().unwrap().to_owned();
    assert!(farstride(&["gen", "caves", "--size", "60x40", "--seed", "3", "-o", &map]).status.success());
    let (mut scenario, mut queries) = (String::from("version 1\n"), 0);
    for (x, y, u, v) in (0..40).map(|y| (y, y, 59 - y, 39 - y)) {
        let (start, goal) = (format!("{x},{y}"), format!("{u},{v}"));
        let (report, _) = json(&["path", "--map", &map, "--from", &start, "--to", &goal, "--json"]);
        if let Some(length) = report["cost"].as_f64() {
            writeln!(scenario, "0\tcaves.map\t60\t40\t{x}\t{y}\t{u}\t{v}\t{length}").unwrap();
            queries += 1;
        }
    }
    assert!(queries > 5, "{queries}");
    (map, write(folder, "caves.map.scen", scenario))
}

#[test]
fn path_tells_turning_points() {
    let report = tour("hpt", &["--cluster", "10", "--ways", "search"]);
    assert!(report["cells"].is_null() && report["waypoints"].is_null() && report["crossed"].is_null());
    let points = cells(&report["points"]);
    assert_eq!((points[0], points[points.len() - 1]), (Cell::new(12, 33), Cell::new(147, 11)));
    let along = |a: u16, b: u16| f64::from(a.abs_diff(b));
    let legs = points.windows(2).map(|leg| along(leg[0].x, leg[1].x).hypot(along(leg[0].y, leg[1].y)));
    assert!((legs.sum::<f64>() - cost(&report)).abs() < 1e-6);
    let expanded = &report["stats"]["expanded"];
    let [insert, main, refine, total] =
        ["insert", "main", "refine", "total"].map(|phase| expanded[phase].as_u64().unwrap());
    assert!(main > 0 && insert + main + refine == total, "{expanded}");
    assert!(cost(&report) < cost(&tour("astar", &[])));
}

#[test]
fn options_do_what_they_say() {
    let rough = |options: &[&str]| cost(&tour("hpt", &[&["--smooth", "off"], options].concat()));
    let smooth = cost(&tour("hpt", &[]));
    assert!(smooth <= rough(&[]) + 1e-9);
    // A way that is searched may turn elsewhere than the one that is kept.
    assert!((rough(&["--ways", "search"]) / rough(&["--ways", "keep"]) - 1.0).abs() < 0.01);
    for options in [
        &["--local", "lazy-theta"][..],
        &["--local", "theta"],
        &["--skip", "in-search"],
        &["--cluster", "10"],
    ] {
        assert!(rough(options) >= cost(&tour("theta", &[])) * 0.95, "{options:?}");
    }
    assert!((cost(&tour("hpt", &["--local", "theta", "--skip", "afterwards"])) - smooth).abs() < 1e-9);
}

/// What is not given is as each engine has it by default.
#[test]
fn every_engine_has_its_own_defaults() {
    let folder = folder("hpt-defaults");
    let (map, scen) = caves(&folder);
    let bench = |engines: &str, options: &[&str]| {
        let common =
            ["bench", "--map", &map, "--scen", &scen, "--repeat", "1", "--json", "--engine", engines];
        json(&[&common[..], options].concat()).0
    };
    let both = bench("hpa,hpt", &[]);
    for (report, engine) in both.as_array().unwrap().iter().zip([Engine::Hpa, Engine::Hpt]) {
        let Some(IndexSettings::Hpa(usual)) = engine.default_settings() else { panic!("{engine}") };
        let (cluster, entrance) = (usual.cluster.to_string(), usual.entrance.to_string());
        let (levels, group) = (usual.levels.to_string(), usual.group.to_string());
        let spelt = ["--cluster", &cluster, "--entrance", &entrance, "--levels", &levels, "--group", &group];
        let alone = bench(engine.name(), &spelt);
        for field in ["engine", "mean_length", "expanded_mean", "index_bytes", "levels"] {
            assert_eq!(report[field], alone[0][field], "{engine} {field}");
        }
    }
    let help = String::from_utf8(farstride(&["help", "bench"]).stdout).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let [hpa, hpt] = [HpaSettings::astar(), HpaSettings::any_angle()];
    assert!(help.contains(&format!("default: {} for hpa, {} for hpt", hpa.cluster, hpt.cluster)), "{help}");
    assert!(help.contains(&format!("default: {} for hpa, {} for hpt", hpa.entrance, hpt.entrance)), "{help}");
    assert!(help.contains(&format!("by --entrance alone [default: {}]", hpa.gap)), "{help}");
    assert!(
        help.contains(&format!("default: {}, more if", hpa.levels)) && hpa.levels == hpt.levels,
        "{help}"
    );
    assert!(
        help.contains("Options of the engines hpa and hpt") && help.contains("Options of the engine hpt")
    );
}

#[test]
fn options_of_another_engine_are_refused() {
    for (option, value) in [("--local", "theta"), ("--skip", "in-search")] {
        for engine in ["hpa", "theta", "nsg+"] {
            let told = refusal(&[&TOUR[..], &["--engine", engine, option, value]].concat());
            assert!(
                told.contains(&format!("engine {engine} takes no {option}; use it with --engine hpt")),
                "{told}"
            );
        }
    }
    for engine in ["hpt", "astar", "groups"] {
        let told = refusal(&[&TOUR[..], &["--engine", engine, "--gap", "4"]].concat());
        let expected = format!("engine {engine} takes no --gap; use it with --engine hpa");
        assert!(told.contains(&expected) && !told.contains("hpa or"), "{told}");
    }
    let told = refusal(&[&TOUR[..], &["--engine", "astar", "--entrance", "10"]].concat());
    assert!(told.contains("use it with --engine hpa or hpt"), "{told}");
    for (option, value, expected) in [
        ("--local", "astar", "lazy-theta"),
        ("--skip", "never", "in-search"),
        ("--cluster", "1", "--cluster is 1"),
    ] {
        let told = refusal(&[&TOUR[..], &["--engine", "hpt", option, value]].concat());
        assert!(told.contains(expected), "{told}");
    }
    // One of several engines takes it, and the others keep theirs.
    let folder = folder("hpt-refused");
    let (map, scen) = caves(&folder);
    let mixed =
        ["bench", "--map", &map, "--scen", &scen, "--engine", "hpa,hpt", "--local", "lazy-theta", "--json"];
    let (reports, code) = json(&mixed);
    let failed = |number: usize| reports[number]["failed"].as_u64();
    assert_eq!(
        (reports[0]["engine"].as_str(), failed(0), failed(1), code),
        (Some("hpa"), Some(0), Some(0), 0)
    );
}

#[test]
fn bench_counts_the_first_step_and_writes_points() {
    let folder = folder("hpt-bench");
    let (map, scen) = caves(&folder);
    let paths = folder.join("paths.jsonl").to_str().unwrap().to_owned();
    let (reports, _) = json(&[
        "bench",
        "--map",
        &map,
        "--scen",
        &scen,
        "--engine",
        "hpt",
        "--cluster",
        "8",
        "--repeat",
        "2",
        "--paths",
        &paths,
        "--json",
    ]);
    let hpt = &reports[0];
    assert_eq!((hpt["failed"].as_u64(), hpt["solved"].as_u64()), (Some(0), hpt["queries"].as_u64()));
    for field in ["first_move_mean_us", "connect_mean_us", "search_mean_us", "unpack_mean_us", "index_bytes"]
    {
        assert!(hpt[field].as_f64() > Some(0.0), "{field}: {hpt}");
    }
    assert!(
        hpt["suboptimality_before_smoothing_mean_pct"].as_f64() >= hpt["suboptimality_mean_pct"].as_f64()
    );
    let lines = fs::read_to_string(&paths).unwrap();
    assert_eq!(lines.lines().count() as u64, hpt["queries"].as_u64().unwrap());
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(line["points"].is_array() && line.get("cells").is_none() && line["cost"].is_f64(), "{line}");
    }
}

#[test]
fn verify_holds_under_every_rule() {
    let folder = folder("hpt-verify");
    let (map, scen) = caves(&folder);
    for rule in ["strict", "one-side", "free", "none"] {
        for options in [
            &["--cluster", "7"][..],
            &["--cluster", "5", "--local", "lazy-theta", "--ways", "search", "--smooth", "off"],
            &["--skip", "in-search", "--levels", "1"],
        ] {
            let common =
                ["verify", "--map", &map, "--scen", &scen, "--engine", "hpt", "--diagonals", rule, "--json"];
            let (report, code) = json(&[&common[..], options].concat());
            assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{rule} {options:?}: {report}");
        }
    }
}

#[test]
fn crossed_cells_are_told_when_asked() {
    for engine in ["hpt", "theta", "lazy-theta"] {
        let report = tour(engine, &["--crossed"]);
        let (points, crossed) = (cells(&report["points"]), cells(&report["crossed"]));
        assert_eq!(crossed, Grid::crossed_cells(&points).collect::<Vec<_>>(), "{engine}");
        assert!(crossed.len() > points.len() && report["cells"].is_null());
    }
    let steps = tour("hpa", &["--crossed"]);
    assert_eq!(steps["crossed"], steps["cells"]);
    assert!(tour("hpa", &[])["crossed"].is_null());

    let here = ["path", "--from", "12,33", "--to", "12,33", "--engine", "hpt", "--crossed", "--json"];
    assert_eq!(json(&here).0["crossed"], serde_json::json!([[12, 33]]));
    let blocked = ["path", "--from", "12,33", "--to", "80,1", "--engine", "hpt", "--crossed", "--json"];
    let (report, code) = json(&blocked);
    assert_eq!((&report["crossed"], code), (&serde_json::json!([]), 1), "{report}");

    let text = farstride(&[&TOUR[..], &["--engine", "hpt", "--crossed"]].concat()).stdout;
    let text = String::from_utf8(text).unwrap();
    let told = text.lines().last().unwrap();
    assert!(text.contains(" crossed, ") && told.starts_with("12,33 ") && told.ends_with(" 147,11"), "{text}");
    let refused = refusal(&[&TOUR[..], &["--crossed", "--detail", "cost"]].concat());
    assert!(refused.contains("--crossed needs the whole path"), "{refused}");
}

#[test]
fn an_index_takes_the_place_of_building() {
    let folder = folder("hpt-index");
    let index = folder.join("world.fsi").to_str().unwrap().to_owned();
    let settings = ["--engine", "hpt", "--cluster", "12", "--levels", "2", "--local", "lazy-theta"];
    let output = farstride(&[&["build", "-o", &index], &settings[..]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (opened, _) = json(&[&TOUR[..], &["--index", &index, "--json"]].concat());
    let (built, _) = json(&[&TOUR[..], &settings[..], &["--json"]].concat());
    for field in ["engine", "cost", "points"] {
        assert_eq!(opened[field], built[field], "{field}");
    }
    let (info, _) = json(&["info", &index, "--json"]);
    assert_eq!(
        (info["engine"].as_str(), info["settings"]["local"].as_str()),
        (Some("hpt"), Some("lazy-theta"))
    );
    let text = String::from_utf8(farstride(&["info", &index]).stdout).unwrap();
    assert!(
        text.contains("--engine hpt --cluster 12 --levels 2") && text.contains("--local lazy-theta"),
        "{text}"
    );
    let refused = refusal(&[&TOUR[..], &["--index", &index, "--local", "theta"]].concat());
    assert!(refused.contains("--local"), "{refused}");
    let refused = refusal(&[&TOUR[..], &["--index", &index, "--engine", "hpa"]].concat());
    assert!(refused.contains("is an index of the engine hpt, not of hpa"), "{refused}");
}

#[test]
fn an_index_of_hpa_has_no_local_searcher() {
    let folder = folder("hpt-none");
    let index = folder.join("hpa.fsi").to_str().unwrap().to_owned();
    assert!(farstride(&["build", "--engine", "hpa", "-o", &index]).status.success());
    assert!(json(&["info", &index, "--json"]).0["settings"].get("local").is_none());
}

#[test]
fn engines_are_drawn_side_by_side() {
    let folder = folder("hpt-render");
    let picture = |name: &str, options: &[&str]| {
        let file = folder.join(name).to_str().unwrap().to_owned();
        let common = ["render", "--from", "12,33", "--to", "147,11", "-o", &file];
        let output = farstride(&[&common[..], options].concat());
        assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
        fs::read(file).unwrap()
    };
    let text = |options: &[&str]| String::from_utf8(picture("p.svg", options)).unwrap();
    let four = ["--engine", "astar,theta,hpa,hpt"];
    let all = text(&four);
    for (number, engine) in ["astar", "theta", "hpa", "hpt"].into_iter().enumerate() {
        let length = format!("{engine}: length {:.3}<", cost(&tour(engine, &[])));
        assert!(all.contains(&length), "{length}");
        let colour = farstride_io::picture::Colour::path(number).to_string();
        assert!(all.matches(&colour).count() >= 2, "{engine}");
    }
    // Every turn of an any-angle path is a dot; those of grid paths are not.
    for (engine, dotted) in [("hpt", true), ("theta", true), ("hpa", false)] {
        let points = tour(engine, &[]);
        let turns = cells(&points[if dotted { "points" } else { "cells" }]);
        let turns = &turns[1..turns.len() - 1];
        let dots = turns.iter().fold(String::new(), |dots, Cell { x, y }| dots + &format!("M{x} {y}h0"));
        assert_eq!(text(&["--engine", engine]).contains(&dots), dotted, "{engine}");
    }
    assert!(picture("p.png", &four).starts_with(b"\x89PNG"));
    let layers = text(&["--engine", "hpt", "--show", "clusters,entrances,graph,abstract,refined,smoothed"]);
    for word in [
        "clusters of level 1",
        "entrances",
        "intra-edges",
        "abstract path",
        "refined: length",
        "smoothed: length",
    ] {
        assert!(layers.contains(word), "{word}");
    }
}

/// Pictures of the guides that are made by a command are what it draws.
#[test]
fn pictures_are_what_their_commands_draw() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = folder("hpt-pictures");
    let mut drawn = 0;
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    for guide in docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let text = fs::read_to_string(&guide).unwrap().replace("\\\n", " ");
        for command in text.lines().filter(|line| line.starts_with("farstride render ")) {
            let Some((options, kept)) = command.split_once(" -o docs/img/") else { continue };
            let picture = folder.join(kept.trim()).to_str().unwrap().to_owned();
            let map = |word: &str| if word.starts_with("docs/") { root.join(word) } else { word.into() };
            let words: Vec<String> = options
                .split_whitespace()
                .skip(1)
                .map(|word| map(word).to_str().unwrap().to_owned())
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).chain(["-o", &picture]).collect();
            assert!(farstride(&words).status.success(), "{command}");
            let kept = fs::read(root.join("docs/img").join(kept.trim())).unwrap();
            assert!(
                fs::read(&picture).unwrap() == kept,
                "{} has an old picture; make it anew: {command}",
                guide.display()
            );
            drawn += 1;
        }
    }
    assert!(drawn >= 6, "{drawn}");
}

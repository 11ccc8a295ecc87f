//! The engine `hpa` on the command line: its options, its figures, its pictures.

use crate::common::{farstride, folder, json, refusal, write};
use farstride::hpa::{HpaSettings, KeepWays};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A route across the built-in map.
const TOUR: [&str; 5] = ["path", "--from", "12,33", "--to", "147,11"];

/// The answer of `hpa` with these options.
fn tour(options: &[&str]) -> Value {
    let (report, code) = json(&[&TOUR[..], &["--engine", "hpa", "--json"], options].concat());
    assert_eq!((report["status"].as_str(), code), (Some("found"), 0), "{options:?}");
    report
}

fn cost(report: &Value) -> f64 {
    report["cost"].as_f64().unwrap()
}

/// A map of 60 x 40 cells and a scenario of queries between its corners.
fn caves(folder: &Path) -> (String, String) {
    let map = folder.join("caves.map").to_str().unwrap().to_owned();
    assert!(farstride(&["gen", "caves", "--size", "60x40", "--seed", "3", "-o", &map]).status.success());
    let (mut scenario, mut queries) = (String::from("version 1\n"), 0);
    for (from, to) in (0..40).flat_map(|y| [((y, y), (59 - y, 39 - y)), ((5, y), (50, 39 - y))]) {
        let (start, goal) = (format!("{},{}", from.0, from.1), format!("{},{}", to.0, to.1));
        let (report, _) = json(&["path", "--map", &map, "--from", &start, "--to", &goal, "--json"]);
        if let Some(length) = report["cost"].as_f64() {
            let ((x, y), (u, v)) = (from, to);
            writeln!(scenario, "0\tcaves.map\t60\t40\t{x}\t{y}\t{u}\t{v}\t{length}").unwrap();
            queries += 1;
        }
    }
    assert!(queries > 10, "{queries}");
    (map, write(folder, "caves.map.scen", scenario))
}

#[test]
fn path_reports_every_phase() {
    let report = tour(&["--cluster", "10", "--entrance", "6", "--ways", "search"]);
    let expanded = &report["stats"]["expanded"];
    let [insert, main, refine, total] =
        ["insert", "main", "refine", "total"].map(|phase| expanded[phase].as_u64().unwrap());
    assert!(insert > 0 && main > 0 && refine > 0, "{expanded}");
    assert_eq!(insert + main + refine, total);
    assert!(
        report["stats"]["generated"].as_u64() > Some(0) && report["stats"]["peak_nodes"].as_u64() > Some(0)
    );
    assert!(report["points"].is_null() && report["build_us"].as_u64() > Some(0));
    let (shortest, _) = json(&[&TOUR[..], &["--engine", "astar", "--json"]].concat());
    assert!(cost(&report) >= cost(&shortest) - 1e-9);
}

#[test]
fn options_do_what_they_say() {
    let rough = |options: &[&str]| cost(&tour(&[&["--smooth", "off"], options].concat()));
    let one = rough(&["--cluster", "10", "--levels", "1"]);
    for levels in ["2", "3", "5"] {
        assert!((rough(&["--cluster", "10", "--levels", levels]) - one).abs() < 1e-9, "{levels}");
    }
    assert!((rough(&["--cluster", "10", "--levels", "2", "--group", "3"]) - one).abs() < 1e-9);
    assert!(
        (rough(&["--cluster", "10", "--ways", "search"]) - rough(&["--cluster", "10", "--ways", "keep"]))
            .abs()
            < 1e-9
    );
    assert!(cost(&tour(&["--cluster", "10", "--smooth", "on"])) <= one);
    let refined = |ways| tour(&["--ways", ways])["stats"]["expanded"]["refine"].as_u64().unwrap();
    assert!(refined("search") > refined("keep"));
}

#[test]
fn options_out_of_range_are_named() {
    for (option, value, told) in [
        ("--cluster", "1", "--cluster is 1, but must be between 2 and 256"),
        ("--cluster", "257", "--cluster is 257"),
        ("--cluster", "65536", "--cluster"),
        ("--levels", "0", "--levels is 0, but must be between 1 and 14"),
        ("--levels", "15", "--levels is 15"),
        ("--group", "1", "--group is 1, but must be between 2 and 16"),
        ("--group", "17", "--group is 17"),
        ("--entrance", "0", "--entrance is 0"),
        ("--net", "3", "--net is 3"),
        ("--gap", "257", "--gap is 257, but must be between 0 and 256"),
        ("--ways", "guess", "search"),
        ("--smooth", "maybe", "off"),
    ] {
        let refused = refusal(&[&TOUR[..], &["--engine", "hpa", option, value]].concat());
        assert!(refused.contains(told), "{option} {value}: {refused}");
    }
}

#[test]
fn options_of_another_engine_are_refused() {
    let folder = folder("hpa-refused");
    let (map, scen) = caves(&folder);
    let queries = ["--map", map.as_str(), "--scen", scen.as_str()];
    let picture = folder.join("p.svg");
    let render = ["render", "--from", "1,1", "--to", "2,2", "-o", picture.to_str().unwrap()];
    let commands =
        [&TOUR[..], &[&["bench"], &queries[..]].concat(), &[&["verify"], &queries[..]].concat(), &render];
    for command in commands {
        for (option, value) in [("--cluster", "10"), ("--smooth", "off"), ("--index", "x.fsi")] {
            let told = refusal(&[command, &["--engine", "theta", option, value]].concat());
            assert!(told.contains(&format!("engine theta takes no {option}")), "{told}");
        }
    }
    let told = refusal(&[&["bench"], &queries[..], &["--engine", "astar,theta", "--levels", "2"]].concat());
    assert!(told.contains("engine astar and theta takes no --levels"), "{told}");
    let mixed = ["--engine", "astar,hpa", "--cluster", "10", "--levels", "2", "--json"];
    let (reports, code) = json(&[&["bench"], &queries[..], &mixed].concat());
    assert_eq!((reports.as_array().unwrap().len(), code), (2, 0));
}

#[test]
fn bench_tells_what_helps_to_judge_a_hierarchy() {
    let folder = folder("hpa-bench");
    let (map, scen) = caves(&folder);
    let bench =
        ["bench", "--map", &map, "--scen", &scen, "--engine", "astar,hpa", "--repeat", "2", "--cluster", "8"];
    let (reports, _) = json(&[&bench[..], &["--ways", "search", "--json"]].concat());
    let [astar, hpa] = [0, 1].map(|number| &reports[number]);
    let number =
        |report: &Value, field: &str| report[field].as_f64().unwrap_or_else(|| panic!("{field}: {report}"));
    assert!(astar["suboptimality_before_smoothing_mean_pct"].is_null());
    assert!(number(astar, "index_bytes") < 0.5 && number(hpa, "index_bytes") > 100.0);
    assert!(number(hpa, "build_ms") > 0.0 && number(hpa, "first_move_mean_us") > 0.0);
    assert!(number(hpa, "first_move_p99_us") > 0.0);
    assert_eq!((hpa["failed"].as_u64(), hpa["solved"].as_u64()), (Some(0), hpa["queries"].as_u64()));
    let (mean, most) = (number(hpa, "suboptimality_mean_pct"), number(hpa, "suboptimality_max_pct"));
    assert!((0.0..=most).contains(&mean) && number(hpa, "suboptimality_p99_pct") <= most);
    assert!(number(hpa, "suboptimality_before_smoothing_mean_pct") >= mean);
    let phases = ["expanded_insert_mean", "expanded_main_mean", "expanded_refine_mean"];
    let sum: f64 = phases.iter().map(|phase| number(hpa, phase)).sum();
    assert!((sum - number(hpa, "expanded_mean")).abs() < 1e-6 && sum > 0.0);
    let table = String::from_utf8(farstride(&bench).stdout).unwrap();
    assert!(table.contains("build") && table.contains("index") && table.contains("none"), "{table}");
}

#[test]
fn short_queries_can_be_left_out() {
    let folder = folder("hpa-min-length");
    let (map, scen) = caves(&folder);
    let queries = |options: &[&str]| {
        let (reports, _) = json(
            &[&["bench", "--map", &map, "--scen", &scen, "--json", "--engine", "astar"], options].concat(),
        );
        (reports[0]["queries"].as_u64().unwrap(), reports[0]["reference_mean_length"].as_f64().unwrap())
    };
    let (all, mean) = queries(&[]);
    let (long, long_mean) = queries(&["--min-length", "40"]);
    assert!(0 < long && long < all && mean < long_mean && long_mean >= 40.0);
    assert_eq!(queries(&["--min-length", "40", "--limit", "2"]).0, 2);
    // Without diagonals paths are longer: lengths are A*'s, not the list's.
    assert!(queries(&["--min-length", "40", "--diagonals", "none"]).0 >= long);
    assert_eq!(queries(&["--min-length", "100000"]).0, 0);
}

#[test]
fn verify_holds_under_every_rule() {
    let folder = folder("hpa-verify");
    let (map, scen) = caves(&folder);
    for rule in ["strict", "one-side", "free", "none"] {
        for options in [
            &["--cluster", "7"][..],
            &["--cluster", "5", "--levels", "4", "--ways", "search", "--smooth", "off"],
        ] {
            let common =
                ["verify", "--map", &map, "--scen", &scen, "--engine", "hpa", "--diagonals", rule, "--json"];
            let (report, code) = json(&[&common[..], options].concat());
            assert_eq!((report["failed"].as_u64(), code), (Some(0), 0), "{rule}: {report}");
            assert!(report["suboptimality_max_pct"].as_f64() >= report["suboptimality_mean_pct"].as_f64());
            assert!(report["expanded_main_mean"].is_f64() && report["build_ms"].is_f64());
        }
    }
}

#[test]
fn an_index_takes_the_place_of_building() {
    let folder = folder("hpa-index");
    let (map, scen) = caves(&folder);
    let index = folder.join("caves.fsi").to_str().unwrap().to_owned();
    let settings = ["--cluster", "6", "--levels", "2"];
    let make = ["build", "--map", &map, "--engine", "hpa", "-o", &index];
    assert!(farstride(&[&make[..], &settings[..]].concat()).status.success());
    let bench = ["bench", "--map", &map, "--scen", &scen, "--json"];
    let (opened, _) = json(&[&bench[..], &["--index", &index]].concat());
    let (built, _) = json(&[&bench[..], &["--engine", "hpa"], &settings[..]].concat());
    for field in ["engine", "expanded_mean", "mean_length", "failed", "index_bytes"] {
        assert_eq!(opened[0][field], built[0][field], "{field}");
    }
    assert_eq!(opened[0]["index_bytes"].as_u64(), Some(fs::metadata(&index).unwrap().len()));
    let (report, code) =
        json(&["verify", "--map", &map, "--scen", &scen, "--index", &index, "--smooth", "off", "--json"]);
    assert_eq!((report["failed"].as_u64(), code), (Some(0), 0));

    let path = ["path", "--map", &map, "--from", "0,0", "--to", "1,1", "--index", &index];
    assert!(refusal(&[&path[..], &["--cluster", "6"]].concat()).contains("--cluster"));
    assert!(refusal(&[&path[..], &["--engine", "astar"]].concat()).contains("engine astar takes no --index"));
    assert!(refusal(&[&path[..], &["--diagonals", "free"]].concat()).contains("another map"));
    assert!(refusal(&["path", "--from", "0,0", "--to", "1,1", "--index", &index]).contains("another map"));
    assert!(
        refusal(&["path", "--map", &map, "--from", "0,0", "--to", "1,1", "--index", &map])
            .contains("not an index")
    );
}

#[test]
fn every_layer_is_drawn_and_has_a_legend() {
    let folder = folder("hpa-render");
    let picture = |name: &str, options: &[&str]| {
        let file = folder.join(name).to_str().unwrap().to_owned();
        let output = farstride(&[&["render", "-o", &file, "--cluster", "10"], options].concat());
        assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
        fs::read(file).unwrap()
    };
    let text = |options: &[&str]| String::from_utf8(picture("p.svg", options)).unwrap();
    let ends = ["--from", "12,33", "--to", "147,11"];
    let graph = text(&["--show", "clusters,entrances,graph"]);
    for word in ["clusters of level 1", "entrances", "intra-edges", "inter-edges"] {
        assert!(graph.contains(word), "{word}");
    }
    let upper = text(&["--show", "clusters,graph", "--level", "2"]);
    assert!(upper.contains("clusters of level 2") && !upper.contains("entrances"));
    let paths =
        text(&[&["--show", "abstract,refined,smoothed,path", "--engine", "hpa,astar"], &ends[..]].concat());
    for word in
        ["abstract path: steps", "refined: length", "smoothed: length", "hpa: length", "astar: length"]
    {
        assert!(paths.contains(word), "{word}");
    }
    assert!(picture("p.png", &["--show", "graph"]).starts_with(b"\x89PNG"));
}

#[test]
fn layers_that_cannot_be_drawn_are_refused() {
    let cases: [(&[&str], &str); 6] = [
        (&["--show", "clusters"], "--show clusters needs a picture"),
        (&["--show", "abstract", "-o", "p.svg"], "--show abstract needs --from and --to"),
        (
            &["--show", "graph", "-o", "p.svg", "--engine", "astar"],
            "--show graph needs --engine hpa, hpt, groups or overlay",
        ),
        (
            &["--show", "graph", "-o", "p.svg", "--level", "4", "--levels", "3"],
            "--level is 4, but the hierarchy has 3",
        ),
        (&["--show", "graph", "-o", "p.svg", "--level", "0"], "--level counts from 1"),
        (&["--show", "everything", "-o", "p.svg"], "entrances"),
    ];
    for (arguments, expected) in cases {
        let told = refusal(&[&["render"], arguments].concat());
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

/// The guide's table of settings cannot fall behind.
#[test]
fn the_guide_tells_the_defaults_and_ranges() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hpa.md")).unwrap();
    let HpaSettings { cluster, entrance, gap, levels, net, group, keep_ways, .. } = HpaSettings::default();
    let rows = [
        format!(
            "| `cluster` | `--cluster` | {} to {} cells | {cluster} |",
            HpaSettings::CLUSTER_RANGE.start(),
            HpaSettings::CLUSTER_RANGE.end()
        ),
        format!(
            "| `entrance` | `--entrance` | {} to {} cells | {entrance} |",
            HpaSettings::ENTRANCE_RANGE.start(),
            HpaSettings::ENTRANCE_RANGE.end()
        ),
        format!(
            "| `gap` | `--gap` | {} to {} cells | {gap} |",
            HpaSettings::GAP_RANGE.start(),
            HpaSettings::GAP_RANGE.end()
        ),
        format!(
            "| `levels` | `--levels` | {} to {} | {levels} |",
            HpaSettings::LEVEL_RANGE.start(),
            HpaSettings::LEVEL_RANGE.end()
        ),
        format!(
            "| `net` | `--net` | {} to {} | {net} |",
            HpaSettings::NET_RANGE.start(),
            HpaSettings::NET_RANGE.end()
        ),
        format!(
            "| `group` | `--group` | {} to {} | {group} |",
            HpaSettings::GROUP_RANGE.start(),
            HpaSettings::GROUP_RANGE.end()
        ),
        format!(
            "| `keep_ways` | `--ways auto`, `keep`, `between` or `search` | | {} |",
            if keep_ways == KeepWays::Auto { "auto" } else { "keep" }
        ),
    ];
    for row in rows {
        assert!(guide.contains(&row), "docs/hpa.md lacks {row}");
    }
}

//! Weights, letters, random queries and rows as outside checks see them.

use crate::common::{farstride, folder, json, refusal, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A road around a swamp, with a wall.
const WEIGHTS: &str = "P2 6 4 255
1 1 1 1 1 1
1 9 9 9 9 1 # swamp
1 9 0 9 9 1
1 9 9 9 9 1
";

const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n.....W\n.SSSS.\n.S@SS.\n.SSSST\n";

fn cost(arguments: &[&str]) -> f64 {
    let (report, _) = json(&[&["path", "--json"], arguments].concat());
    report["cost"].as_f64().unwrap_or_else(|| panic!("{arguments:?}: {report}"))
}

/// A generated map with weights.
fn terrain(folder: &Path, kind: &str, size: &str) -> String {
    let file = folder.join(format!("{kind}.pgm")).to_str().unwrap().to_owned();
    let made = farstride(&["gen", "terrain", "--kind", kind, "--size", size, "--seed", "2", "-o", &file]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    file
}

#[test]
fn weights_alone_are_a_map_and_change_paths() {
    let folder = folder("weights_alone");
    let weights = write(&folder, "w.pgm", WEIGHTS);
    let ends = ["--from", "0,3", "--to", "5,3"];
    for engine in ["astar", "dijkstra", "hpa", "groups"] {
        let found = cost(&[&["--weights", &weights, "--engine", engine], &ends[..]].concat());
        // Up, along and down, or a little more where paths are not the shortest.
        assert!((9.8..13.0).contains(&found), "{engine}: {found}");
    }
    let (info, _) = json(&["info", &weights, "--json"]);
    assert_eq!(info["weights"], serde_json::json!([[1, 12], [9, 11]]));
    assert_eq!(info, json(&["info", "--weights", &weights, "--json"]).0);
    let told = String::from_utf8(farstride(&["info", &weights]).stdout).unwrap();
    assert!(told.contains("weights from 1 to 9, 4.83 on average"), "{told}");
    let (table, _) = json(&["table", "--weights", &weights, "--cells", "4", "--json"]);
    assert_eq!(table["engine"], "hpa");
    let (path, code) = json(&["path", "--weights", &weights, "--from", "0,0", "--to", "2,2", "--json"]);
    assert_eq!((path["status"].as_str(), code), (Some("goal-blocked"), 1));
}

/// With a gap of 0, transitions are placed without a look at the ground.
#[test]
fn the_gap_makes_hpa_take_the_road() {
    let folder = folder("gap");
    let weights = terrain(&folder, "roads", "150x100");
    let excess = |gap: &str| {
        let bench = ["bench", "--weights", &weights, "--queries", "60", "--seed", "5", "--repeat", "1"];
        let (report, _) = json(&[&bench[..], &["--engine", "hpa", "--gap", gap, "--json"]].concat());
        report[0]["suboptimality_mean_pct"].as_f64().unwrap()
    };
    let (blind, near, far) = (excess("0"), excess("4"), excess("32"));
    assert!(near < 1.0 && near < blind && near < far, "{near} {far} {blind}");
}

#[test]
fn gen_says_where_the_weights_of_a_map_are() {
    let folder = folder("gen_weights");
    let [map, weights] = ["farm.map", "farm.pgm"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let made = farstride(&["gen", "terrain", "--size", "30x20", "-o", &map]);
    let told = String::from_utf8(made.stdout).unwrap();
    assert!(told.contains(&format!("--map {map} --weights {weights}")), "{told}");
    let (info, _) = json(&["info", &map, "--weights", &weights, "--json"]);
    assert!(info["weights"].as_array().unwrap().len() > 1, "{info}");
}

#[test]
fn a_cell_is_blocked_if_map_or_weights_say_so() {
    let folder = folder("map_and_weights");
    let map = write(&folder, "m.map", MAP);
    let weights = write(&folder, "w.pgm", WEIGHTS);
    let (both, _) = json(&["info", &map, "--weights", &weights, "--json"]);
    // The wall of the image is that of the map; water and trees are the map's.
    assert_eq!(both["free_cells"], 21);
    assert_eq!(both["weights"], serde_json::json!([[1, 10], [9, 11]]));
}

#[test]
fn letters_have_weights() {
    let folder = folder("letters");
    let map = write(&folder, "m.map", MAP);
    let (info, _) = json(&["info", &map, "--terrain", "S=5,W=20,T=blocked", "--json"]);
    assert_eq!(info["weights"], serde_json::json!([[1, 10], [5, 11], [20, 1]]));
    let ends = ["--engine", "astar", "--from", "0,2", "--to", "5,2"];
    let plain = cost(&[&["--map", &map], &ends[..]].concat());
    let swamp = cost(&[&["--map", &map, "--terrain", "S=5"], &ends[..]].concat());
    assert!(plain < 6.0 && swamp > 10.0, "{plain} {swamp}");
    for (terrain, part) in [
        ("S=5,X=3", "no cell has the letter 'X'; the map has . @ S T W"),
        ("S=5,S=6", "the letter S twice"),
        ("S=0", "weight 0"),
        ("S=256", "expected LETTER=WEIGHT"),
        ("S", "expected LETTER=WEIGHT"),
        ("swamp=3", "expected LETTER=WEIGHT"),
        ("S=5,", "expected LETTER=WEIGHT"),
    ] {
        let ends = ["--from", "0,0", "--to", "1,0"];
        let told = refusal(&[&["path", "--map", &map, "--terrain", terrain], &ends[..]].concat());
        assert!(told.contains(part), "{terrain}: {told}");
    }
    let weights = write(&folder, "w.pgm", WEIGHTS);
    for command in ["path", "bench", "verify", "render", "build", "table"] {
        let rest: &[&str] = match command {
            "path" => &["--from", "0,0", "--to", "1,0"],
            "bench" | "verify" => &["--queries", "5"],
            "build" => &["-o", "never.fsi"],
            "table" => &["--cells", "2"],
            _ => &[],
        };
        let told = refusal(&[&[command, "--terrain", "S=5"], rest].concat());
        assert!(told.contains("--terrain") && told.contains("map"), "{told}");
        let both = ["--map", &map, "--terrain", "S=5", "--weights", &weights];
        let told = refusal(&[&[command], &both[..], rest].concat());
        assert!(told.contains("--terrain") && told.contains("--weights"), "{told}");
    }
}

#[test]
fn bad_images_are_refused_in_one_line() {
    let folder = folder("bad_images");
    let map = write(&folder, "m.map", MAP);
    let colour =
        [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0"[..], b"\x90\x77\x53\xde"]
            .concat();
    for (name, content, part) in [
        ("empty.pgm", &b""[..], "the file is empty"),
        ("text.pgm", b"type octile\n", "neither a PGM nor a PNG"),
        ("colour.ppm", b"P6 1 1 255 abc", "of the format P6"),
        ("bits.pgm", b"P4 8 1 a", "of the format P4"),
        ("header.pgm", b"P5 6 # 4", "ends where the height"),
        ("zero.pgm", b"P5 6 4 0 ", "greatest value is 0"),
        ("deep.pgm", b"P5 6 4 65535 ", "greatest value is 65535"),
        ("huge.pgm", b"P5 4294967295 4294967295 255 ", "between 1 and 10000"),
        ("none.pgm", b"P5 0 0 255 ", "between 1 and 10000"),
        ("short.pgm", b"P5 10000 10000 255 abc", "ends where pixel 4"),
        ("great.pgm", b"P2 2 1 5 1 6", "pixel 1,0 is 6"),
        ("more.pgm", b"P2 2 1 5 1 5 5", "follow the last pixel"),
        ("words.pgm", b"P2 2 1 5 one two", "'one' is not a weight"),
        ("other.pgm", b"P2 2 1 5 1 2", "2 x 1 pixels, but the map 6 x 4 cells"),
        ("colour.png", &colour, "in colour"),
        ("cut.png", &colour[..20], "the PNG is damaged"),
        ("junk.png", b"\x89PNG\r\n\x1a\n and no more", "the PNG is damaged"),
    ] {
        let file = write(&folder, name, content);
        let told = refusal(&["path", "--map", &map, "--weights", &file, "--from", "0,0", "--to", "1,0"]);
        assert!(told.contains(part) && told.contains(name), "{name}: {told}");
        assert!(told.len() < 400, "{told}");
        if name != "other.pgm" {
            refusal(&["info", "--weights", &file]);
        }
    }
    let told = refusal(&["path", "--weights", "no/such.pgm", "--from", "0,0", "--to", "1,0"]);
    assert!(told.contains("cannot read no/such.pgm"), "{told}");
    refusal(&["info"]);
}

#[test]
fn engines_for_uniform_maps_say_so() {
    let folder = folder("uniform_engines");
    let weights = write(&folder, "w.pgm", WEIGHTS);
    for engine in ["theta", "lazy-theta", "hpt", "ssg", "tsg", "tl", "nsg", "nsg+", "labels"] {
        let told = refusal(&["bench", "--weights", &weights, "--queries", "3", "--engine", engine]);
        assert!(told.contains(&format!("{engine} cannot be used here")), "{told}");
        assert!(told.contains("terrain weights; use"), "{told}");
    }
    // An image of weight 1 alone is a uniform map.
    let uniform = write(&folder, "u.pgm", WEIGHTS.replace('9', "1"));
    let (report, code) =
        json(&["bench", "--weights", &uniform, "--queries", "9", "--engine", "labels,hpt", "--json"]);
    assert_eq!((report[0]["failed"].as_u64(), code), (Some(0), 0));
}

#[test]
fn indexes_belong_to_their_weights() {
    let folder = folder("weighted_index");
    let weights = terrain(&folder, "patches", "120x90");
    let index = folder.join("patches.fsi").to_str().unwrap().to_owned();
    for engine in ["hpa", "groups"] {
        let (built, _) = json(&["build", "--weights", &weights, "--engine", engine, "-o", &index, "--json"]);
        assert_eq!(built["map"], "patches");
        let queries = ["--queries", "20", "--engine", engine, "--json"];
        let (with, _) = json(&[&["bench", "--weights", &weights, "--index", &index], &queries[..]].concat());
        let (without, _) = json(&[&["bench", "--weights", &weights], &queries[..]].concat());
        assert_eq!(with[0]["mean_length"], without[0]["mean_length"]);
        assert_eq!(with[0]["failed"], 0);
    }
    let other = terrain(&folder, "noise", "120x90");
    let ends = ["--from", "1,1", "--to", "9,9", "--index", &index];
    let told = refusal(&[&["path", "--weights", &other], &ends[..]].concat());
    assert!(told.contains("the map, weights and rules it was built for"), "{told}");
    let told = refusal(&["info", &index, "--weights", &other]);
    assert!(told.contains("takes no --weights"), "{told}");
}

#[test]
fn random_queries_need_no_scenario() {
    let folder = folder("random_queries");
    for kind in ["patches", "roads", "mixed", "noise", "fields"] {
        let weights = terrain(&folder, kind, "90x70");
        let arguments = ["--weights", &weights, "--queries", "30", "--seed", "5", "--json"];
        let engines = ["bench", "--engine", "astar,hpa,groups", "--repeat", "1"];
        let (reports, code) = json(&[&engines[..], &arguments[..]].concat());
        assert_eq!(code, 0, "{reports}");
        for report in reports.as_array().unwrap() {
            assert_eq!((&report["queries"], &report["solved"]), (&30.into(), &30.into()), "{report}");
            assert_eq!(report["reference"], "astar");
            let [mean, p99, most] =
                ["mean", "p99", "max"].map(|of| report[format!("suboptimality_{of}_pct")].as_f64().unwrap());
            assert!(mean <= p99 && p99 <= most, "{report}");
            let reference = report["reference_mean_length"].as_f64().unwrap();
            assert!(report["mean_length"].as_f64().unwrap() >= reference - 1e-6, "{report}");
        }
        assert_eq!(reports[0]["suboptimality_max_pct"], 0.0);
        let (verified, code) = json(&[&["verify", "--engine", "hpa"], &arguments[..]].concat());
        assert_eq!((verified["failed"].as_u64(), code), (Some(0), 0), "{verified}");
        assert_eq!(verified["oracle_checked"], 15);
    }
    let built_in = |seed: &str| {
        let (reports, _) = json(&["bench", "--queries", "20", "--seed", seed, "--engine", "astar", "--json"]);
        reports[0]["mean_length"].as_f64().unwrap()
    };
    assert!((built_in("1") - built_in("1")).abs() < 1e-12);
    assert!((built_in("1") - built_in("2")).abs() > 1e-3);
}

#[test]
fn listed_lengths_are_costs_on_a_weighted_map() {
    let folder = folder("weighted_scenario");
    let weights = write(&folder, "w.pgm", WEIGHTS);
    let ends = ["--from", "0,3", "--to", "5,3", "--engine", "astar"];
    let length = cost(&[&["--weights", &weights], &ends[..]].concat());
    for (listed, failed) in [(length, 0), (length - 1.0, 1), (0.0, 1)] {
        let scen = write(&folder, "s.scen", format!("version 1\n0 w 6 4 0 3 5 3 {listed}\n"));
        let arguments = ["--weights", &weights, "--scen", &scen, "--engine", "astar", "--json"];
        let (reports, code) = json(&[&["bench"], &arguments[..]].concat());
        assert_eq!((reports[0]["failed"].as_u64(), code), (Some(failed), failed as i32), "{listed}");
        assert_eq!(reports[0]["reference"], "listed");
        let (report, code) = json(&[&["verify"], &arguments[..]].concat());
        assert_eq!((report["failed"].as_u64(), code), (Some(failed), failed as i32), "{listed}");
    }
}

#[test]
fn sources_of_queries_exclude_each_other() {
    for (arguments, part) in [
        (&["bench"][..], "--queries"),
        (&["verify"], "--scen"),
        (&["bench", "--scen", "x.scen", "--queries", "5"], "--queries"),
        (&["bench", "--queries", "0"], "--queries"),
        (&["bench", "--queries", "many"], "--queries"),
        (&["bench", "--scen", "x.scen", "--seed", "5"], "--seed"),
        (&["bench", "--queries", "5", "--rows", "rows.txt"], ".csv, .jsonl or .json"),
        (&["verify", "--queries", "5", "--rows", "rows"], ".csv, .jsonl or .json"),
        (&["bench", "--queries", "5", "--rows", "x.json", "--paths", "x.json"], "different files"),
    ] {
        let told = refusal(arguments);
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
    let folder = folder("no_pairs");
    let alone = write(&folder, "alone.pgm", "P2 3 1 1 1 0 1");
    let told = refusal(&["bench", "--weights", &alone, "--queries", "5"]);
    assert!(told.contains("nothing to ask"), "{told}");
    let walls = write(&folder, "walls.pgm", "P2 3 1 1 0 0 0");
    let told = refusal(&["verify", "--weights", &walls, "--queries", "5"]);
    assert!(told.contains("no cell of the map is free"), "{told}");
}

#[test]
fn rows_have_a_line_per_query_and_engine() {
    let folder = folder("rows");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (csv, lines, verified) = (file("rows.csv"), file("rows.jsonl"), file("verified.json"));
    let common = ["--queries", "7", "--seed", "3"];
    let bench = ["bench", "--engine", "astar,hpa", "--repeat", "1", "--rows"];
    assert!(farstride(&[&bench[..], &[&csv], &common[..]].concat()).status.success());
    assert!(farstride(&[&bench[..], &[&lines], &common[..]].concat()).status.success());
    assert!(
        farstride(&[&["verify", "--engine", "hpa", "--rows", &verified], &common[..]].concat())
            .status
            .success()
    );
    let csv = fs::read_to_string(csv).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 2 * 7);
    assert!(rows.iter().all(|row| row.len() == 13), "{csv}");
    let read = |file: &str| -> Vec<Value> {
        let text = fs::read_to_string(file).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (lines, verified) = (read(&lines), read(&verified));
    assert_eq!((lines.len(), verified.len()), (14, 7));
    for (number, (row, line)) in rows[1..].iter().zip(&lines).enumerate() {
        assert_eq!(line["engine"], if number < 7 { "astar" } else { "hpa" });
        assert_eq!(line["query"], number % 7);
        assert_eq!((line["status"].as_str(), line["failure"].is_null()), (Some("found"), true));
        for (column, field) in [(7, "cost"), (8, "reference")] {
            let (read, told) = (row[column].parse::<f64>().unwrap(), line[field].as_f64().unwrap());
            assert!((read - told).abs() < 1e-9, "{field}");
        }
        assert_eq!(row[10].parse::<u64>().ok(), line["expanded"].as_u64());
        assert!(line["us"].as_f64().unwrap() > 0.0);
    }
    for (line, checked) in lines[7..].iter().zip(&verified) {
        for field in ["engine", "query", "start", "goal", "status", "cost", "reference", "expanded"] {
            assert_eq!(line[field], checked[field], "{field}");
        }
        assert!(checked["us"].is_null());
    }
}

#[test]
fn terrain_is_written_as_image_map_or_text() {
    let folder = folder("gen_terrain");
    let image = fs::read(terrain(&folder, "fields", "40x30")).unwrap();
    assert!(image.starts_with(b"P5\n40 30\n255\n") && image.len() == 13 + 1200);
    let map = folder.join("both.map").to_str().unwrap().to_owned();
    let common = ["gen", "terrain", "--kind", "fields", "--size", "40x30", "--seed", "2"];
    assert!(farstride(&[&common[..], &["-o", &map]].concat()).status.success());
    assert_eq!(fs::read(folder.join("both.pgm")).unwrap(), image);
    let (alone, _) = json(&["info", folder.join("both.pgm").to_str().unwrap(), "--json"]);
    let (both, _) = json(&["info", &map, "--weights", folder.join("both.pgm").to_str().unwrap(), "--json"]);
    assert_eq!(alone, both);
    let named = folder.join("named").to_str().unwrap().to_owned();
    assert!(farstride(&[&common[..], &["-o", &map, "--weights-out", &named]].concat()).status.success());
    assert_eq!(fs::read(&named).unwrap(), image);
    let told = refusal(&["path", "--map", &named, "--from", "0,0", "--to", "1,1"]);
    assert!(told.contains("is an image, not a MovingAI map; give it as --weights"), "{told}");
    let text = write(&folder, "text.pgm", farstride(&common).stdout);
    assert_eq!(json(&["info", &text, "--json"]).0, alone);
    for (arguments, part) in [
        (&["gen", "caves", "--size", "9x9", "--kind", "roads"][..], "takes no --kind"),
        (&["gen", "terrain", "--size", "9x9", "--blocked", "5"], "takes no --blocked"),
        (&["gen", "terrain", "--size", "9x9", "--kind", "hills"], "--kind"),
        (&["gen", "terrain", "--size", "9x9", "--weights-out", "x.pgm"], "--output"),
        (&["gen", "terrain", "--size", "9x9", "-o", "x.pgm", "--weights-out", "x.pgm"], "different files"),
        (&["gen", "terrain", "--size", "9x9", "-o", "x.png"], "written as PGM"),
        (&["gen", "terrain", "--size", "0x9"], "size 0x9"),
    ] {
        let told = refusal(arguments);
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
}

#[test]
fn pictures_show_parts_and_expansions() {
    let folder = folder("render_terrain");
    let weights = terrain(&folder, "roads", "60x40");
    let picture = folder.join("p.svg").to_str().unwrap().to_owned();
    let drawn = |arguments: &[&str]| {
        let output = farstride(&[&["render", "--weights", &weights, "-o", &picture], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        (fs::read_to_string(&picture).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (whole, _) = drawn(&[]);
    let (part, _) = drawn(&["--crop", "10,5,20x10"]);
    assert!(part.contains("viewBox=\"10 5 20 10\"") && part.len() < whole.len(), "{part}");
    let (edge, _) = drawn(&["--crop", "50,30,99x99"]);
    assert!(edge.contains("viewBox=\"50 30 10 10\""), "{edge}");
    let ends = ["--from", "1,1", "--to", "58,38"];
    for (engine, what) in [("astar", "cells"), ("hpa", "nodes of the index")] {
        let (svg, told) = drawn(&[&ends[..], &["--show", "expanded,path", "--engine", engine]].concat());
        assert!(told.contains(&format!("{engine}: ")) && told.contains(what), "{told}");
        assert!(svg.contains("expanded first"), "{svg}");
    }
    let (_, told) = drawn(&[&ends[..], &["--show", "expanded"]].concat());
    assert!(told.starts_with("astar: "), "{told}");
    for (arguments, part) in [
        (&["render", "--show", "expanded", "-o", "x.png"][..], "needs --from and --to"),
        (&["render", "--show", "expanded", "--from", "1,1", "--to", "2,2"], "needs a picture"),
        (&["render", "--crop", "0,0,5x5"], "--crop needs a picture"),
        (&["render", "--crop", "0,0,0x5", "-o", "x.png"], "expected X,Y,WxH"),
        (&["render", "--crop", "0,0", "-o", "x.png"], "expected X,Y,WxH"),
        (&["render", "--crop", "150,0,5x5", "-o", "x.png"], "not on the map of 150 x 84"),
    ] {
        let told = refusal(arguments);
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
}

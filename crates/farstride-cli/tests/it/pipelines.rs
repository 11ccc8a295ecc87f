//! Many maps at once, other programs' columns, and traces.

use crate::common::{Folder, farstride, folder, json, refusal, write};
use serde_json::Value;
use std::fs;

const MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
const OPEN: &str = "type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n.....\n";
const SCENARIO: &str = "version 1\n\
    0\tm.map\t5\t3\t0\t0\t4\t0\t6.82843\n\
    0\tm.map\t5\t3\t0\t0\t0\t0\t0\n";

/// A folder `maps` with two maps, one of them in a folder of its own, and their scenarios.
fn maps(test: &str) -> (Folder, String) {
    let folder = folder(test);
    let maps = folder.join("maps");
    fs::create_dir_all(maps.join("more")).unwrap();
    write(&maps, "walls.map", MAP);
    write(&maps, "walls.map.scen", SCENARIO);
    write(&maps, "more/open.map", OPEN);
    write(&maps, "more/open.map.scen", SCENARIO.replace("6.82843", "4"));
    write(&maps, "notes.txt", "no map");
    let maps = maps.to_str().unwrap().to_owned();
    (folder, maps)
}

fn names(reports: &Value) -> Vec<&str> {
    reports.as_array().unwrap().iter().map(|report| report["map"].as_str().unwrap()).collect()
}

#[test]
fn a_folder_of_maps_is_baked_and_measured() {
    let (folder, maps) = maps("folders");
    let indexes = folder.join("indexes").to_str().unwrap().to_owned();
    let (built, code) = json(&["build", "--map", &maps, "--engine", "labels", "-o", &indexes, "--json"]);
    assert_eq!((names(&built), code), (vec!["open", "walls"], 0));
    for report in built.as_array().unwrap() {
        let file = report["file"].as_str().unwrap();
        assert_eq!(fs::metadata(file).unwrap().len(), report["bytes"].as_u64().unwrap());
    }
    let bench = ["bench", "--map", &maps, "--repeat", "1", "--engine", "labels,astar", "--json"];
    for index in [&[][..], &["--index", &indexes]] {
        let (reports, code) = json(&[&bench[..], index].concat());
        assert_eq!((names(&reports), code), (vec!["open", "open", "walls", "walls"], 0));
        for report in reports.as_array().unwrap() {
            assert_eq!((&report["queries"], &report["failed"]), (&Value::from(2), &Value::from(0)));
        }
    }
    // One map in a folder still gives a list and a folder: a pipeline need not count.
    fs::remove_file(folder.join("maps/more/open.map")).unwrap();
    let (built, _) = json(&["build", "--map", &maps, "--engine", "hpa", "-o", &indexes, "--json"]);
    assert_eq!(names(&built), ["walls"]);
}

#[test]
fn a_map_brings_its_scenario() {
    let (_folder, maps) = maps("beside");
    let map = format!("{maps}/walls.map");
    for command in ["bench", "verify"] {
        let told = farstride(&[command, "--map", &map, "--engine", "astar"]);
        assert_eq!(told.status.code(), Some(0), "{command}");
    }
    let (reports, _) = json(&[
        "bench",
        "--map",
        &map,
        "--map",
        &format!("{maps}/more/open.map"),
        "--queries",
        "3",
        "--engine",
        "astar",
        "--json",
    ]);
    assert_eq!(names(&reports), ["walls", "open"]);
    assert!(reports.as_array().unwrap().iter().all(|report| report["queries"] == 3));
}

#[test]
fn bad_lists_of_maps_are_refused_in_one_line() {
    let (folder, maps) = maps("bad-lists");
    let (walls, scen) = (format!("{maps}/walls.map"), format!("{maps}/walls.map.scen"));
    fs::create_dir(folder.join("empty")).unwrap();
    let empty = folder.join("empty").to_str().unwrap().to_owned();
    let lonely = write(&folder, "lonely.map", MAP);
    let twin = write(&folder, "walls.map", MAP);
    let index = folder.join("x.fsi").to_str().unwrap().to_owned();
    let cases: [(&[&str], &str); 9] = [
        (&["bench", "--map", &maps, "--scen", &scen], "--scen is of one map"),
        (&["bench", "--map", &empty], "no .map file in this folder"),
        (&["bench", "--map", &lonely], "--queries"),
        (&["verify", "--map", &lonely], "--queries"),
        (&["bench"], "no queries"),
        (&["bench", "--map", &walls, "--map", &twin], "have the same name"),
        (&["bench", "--map", &maps, "--engine", "astar", "--paths", "p.json"], "on one map"),
        (&["bench", "--map", &maps, "--index", &maps, "--engine", "labels"], "open.fsi"),
        (&["build", "--map", &walls, "--map", &lonely, "-o", &twin], "cannot make the folder"),
    ];
    for (arguments, expected) in cases {
        let told = refusal(arguments);
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
    // A map that cannot be read is named, and what was built before it stays.
    write(&folder, "maps/bad.map", "type octile\n");
    let told = farstride(&["build", "--map", &maps, "--engine", "hpa", "-o", &empty]);
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8(told.stderr).unwrap().contains("bad.map"));
    assert!(
        refusal(&["build", "--map", &maps, "--engine", "astar", "-o", &index]).contains("needs no index")
    );
}

#[test]
fn rows_have_the_columns_of_the_competition() {
    let (folder, maps) = maps("gppc");
    let rows = folder.join("rows.csv").to_str().unwrap().to_owned();
    let bench = ["bench", "--map", &maps, "--engine", "labels", "--repeat", "1"];
    let told = farstride(&[&bench[..], &["--rows", &rows, "--columns", "gppc"]].concat());
    assert_eq!(told.status.code(), Some(0));
    let text = fs::read_to_string(&rows).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        lines[0].join(","),
        "map,scen,experiment_id,path_size,path_length,ref_length,time_cost,20steps_cost,max_step_time"
    );
    assert_eq!(lines.len(), 5);
    let walls = &lines[3];
    assert!(walls[0].ends_with("walls.map") && walls[1].ends_with("walls.map.scen"), "{walls:?}");
    assert_eq!(walls[2..6], ["0", "7", "6.828427125", "6.828430000"]);
    let seconds: f64 = walls[6].parse().unwrap();
    assert!(seconds > 0.0 && seconds < 1.0, "{walls:?}");
    assert_eq!(lines[4][2..6], ["1", "0", "0.000000000", "0.000000000"]);
    let (plain, json_lines) = (&rows.replace("rows", "all"), &rows.replace("rows.csv", "rows.jsonl"));
    assert!(farstride(&[&bench[..], &["--rows", plain]].concat()).status.success());
    let text = fs::read_to_string(plain).unwrap();
    assert!(text.lines().next().unwrap().ends_with(",map") && text.contains(",open\n"), "{text}");
    let told = refusal(&[&bench[..], &["--rows", json_lines, "--columns", "gppc"]].concat());
    assert!(told.contains(".csv"), "{told}");
}

#[test]
fn a_search_leaves_a_trace() {
    let folder = folder("trace");
    let file = folder.join("search.trace.json").to_str().unwrap().to_owned();
    for engine in ["astar", "theta", "hpa", "nsg+", "labels"] {
        let ends =
            ["path", "--from", "126,56", "--to", "3,2", "--json", "--trace", &file, "--engine", engine];
        let (report, code) = json(&ends);
        assert_eq!(code, 0);
        let trace: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(trace["version"], "1.4.0");
        let events = trace["events"].as_array().unwrap();
        let count = |kind: &str| events.iter().filter(|event| event["type"] == kind).count() as u64;
        assert_eq!(count("expanding"), report["stats"]["expanded"]["total"].as_u64().unwrap(), "{engine}");
        let path = report["cells"].as_array().or(report["points"].as_array()).unwrap();
        assert_eq!(count("end"), path.len() as u64, "{engine}");
        assert!(events.iter().all(|event| event["x"].is_u64() && !event["id"].is_null()));
    }
}

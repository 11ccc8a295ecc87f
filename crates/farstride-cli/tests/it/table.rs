//! `farstride table` as outside checks see it.

use crate::common::{farstride, folder, json, refusal, write};

const MAP: &str = "type octile\nheight 3\nwidth 6\nmap\n..@..@\n..@..@\n.....@\n";

#[test]
fn a_table_says_what_paths_say() {
    let folder = folder("table");
    let map = write(&folder, "m.map", MAP);
    let from = write(&folder, "from.txt", "0,0\n# a wall\n2,0\n\n 4, 1\n");
    let to = write(&folder, "to.txt", "4,0\n0,0\n5,2\n");
    for engine in ["labels", "astar", "hpa", "theta"] {
        let (report, code) =
            json(&["table", "--map", &map, "--from", &from, "--to", &to, "--engine", engine, "--json"]);
        assert_eq!(code, 0);
        assert_eq!(report["engine"], engine);
        assert_eq!(report["starts"], serde_json::json!([[0, 0], [2, 0], [4, 1]]));
        assert_eq!(report["goals"], serde_json::json!([[4, 0], [0, 0], [5, 2]]));
        assert!(report["build_us"].is_u64() && report["table_us"].is_u64());
        for (row, from) in ["0,0", "2,0", "4,1"].into_iter().enumerate() {
            for (column, to) in ["4,0", "0,0", "5,2"].into_iter().enumerate() {
                let (path, _) =
                    json(&["path", "--map", &map, "--from", from, "--to", to, "--engine", engine, "--json"]);
                let cost = &report["costs"][row][column];
                match path["cost"].as_f64() {
                    Some(length) => assert!((cost.as_f64().unwrap() - length).abs() < 1e-3, "{engine}"),
                    None => assert!(cost.is_null(), "{engine} from {from} to {to}"),
                }
            }
        }
    }
}

#[test]
fn the_same_seed_draws_the_same_cells() {
    let drawn = |seed: &str, threads: &str| {
        let (mut report, _) =
            json(&["table", "--cells", "20", "--seed", seed, "--threads", threads, "--json"]);
        ["starts", "goals", "costs"].map(|field| report[field].take())
    };
    assert_eq!(drawn("1", "1"), drawn("1", "3"));
    assert_ne!(drawn("1", "1"), drawn("2", "1"));
    assert_eq!(drawn("1", "1")[2].as_array().unwrap().len(), 20);
}

#[test]
fn small_tables_are_shown_and_large_ones_are_not() {
    let small = farstride(&["table", "--cells", "5"]);
    let told = String::from_utf8(small.stdout).unwrap();
    assert_eq!(told.lines().count(), 8, "{told}");
    assert!(told.contains("of 25 pairs connected"), "{told}");
    let large = farstride(&["table", "--cells", "30"]);
    assert_eq!(String::from_utf8(large.stdout).unwrap().lines().count(), 2);
}

#[test]
fn bad_lists_are_refused_in_one_line() {
    let folder = folder("bad_lists");
    let good = write(&folder, "good.txt", "1,1\n");
    let bad = write(&folder, "bad.txt", "1,1\n\n2;2\n");
    let far = write(&folder, "far.txt", "1,1\n900,2\n");
    for (arguments, part) in [
        (vec!["table"], "--from"),
        (vec!["table", "--cells", "0"], "--cells"),
        (vec!["table", "--cells", "5001"], "1..=5000"),
        (vec!["table", "--cells", "18446744073709551615"], "--cells"),
        (vec!["table", "--cells", "3", "--from", &good], "--from"),
        (vec!["table", "--to", &good], "--from"),
        (vec!["table", "--from", "no such file"], "no such file"),
        (vec!["table", "--from", &bad], "bad.txt, line 3: expected X,Y"),
        (vec!["table", "--from", &good, "--to", &far], "cell 900,2 is not on the map"),
        (vec!["table", "--from", &good, "--threads", "0"], "--threads"),
    ] {
        let told = refusal(&arguments);
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
    let walls = write(&folder, "walls.map", "type octile\nheight 1\nwidth 2\nmap\n@@\n");
    assert!(refusal(&["table", "--map", &walls, "--cells", "3"]).contains("no cell of the map is free"));
}

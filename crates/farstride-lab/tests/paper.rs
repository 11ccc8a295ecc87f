//! `farstride paper`: complete, repeatable, and clear about what is missing.

#[path = "../../farstride-cli/tests/it/common/mod.rs"]
mod common;

use common::{farstride, folder, json, refusal, write};
use farstride_testkit::{Kind, generate};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const FILES: [&str; 6] = [
    "figure-5-expanded.svg",
    "figure-5-time.svg",
    "figure-6-parts.svg",
    "figure-7-error.svg",
    "figure-8-cluster-size.svg",
    "summary.md",
];

const CAVES: Kind = Kind::Caves { blocked_percent: 45, rounds: 5 };
const MAZE: Kind = Kind::Maze { corridor: 1, wall: 1 };
const OPEN: Kind = Kind::Open { blocked_percent: 10 };
const ROOMS: Kind = Kind::Rooms { size: 16 };

fn draw(kind: Kind, (width, height): (usize, usize), seed: u64, file: &str) {
    fs::write(file, generate(kind, width, height, seed).unwrap().to_movingai()).unwrap();
}

/// A folder with a set of two small maps.
fn data(folder: &Path) -> String {
    let set = folder.join("bgmaps");
    fs::create_dir_all(&set).unwrap();
    for (name, kind) in [("a.map", CAVES), ("b.map", ROOMS)] {
        let map = set.join(name).to_str().unwrap().to_owned();
        draw(kind, (64, 48), 2, &map);
    }
    folder.to_str().unwrap().to_owned()
}

/// All that does not depend on how fast the machine is.
fn without_times(mut summary: Value) -> Value {
    match &mut summary {
        Value::Object(fields) => {
            fields.retain(|name, _| !["micros", "seconds", "speedup"].contains(&name.as_str()));
            fields.values_mut().for_each(|value| *value = without_times(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = without_times(value.take())),
        _ => {}
    }
    summary
}

#[test]
fn every_paper_has_help_with_an_example() {
    for arguments in [&["--help"][..], &["hpa", "--help"], &["nlevel", "--help"], &["hpt", "--help"]] {
        let output = farstride(arguments);
        assert!(output.status.success());
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("farstride paper hp") || told.contains("farstride paper nlevel"), "{told}");
    }
    assert!(refusal(&["poetry"]).contains("poetry"));
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let folder = folder("paper");
    let data = data(&folder);
    let out = folder.join("out").to_str().unwrap().to_owned();
    let run =
        |options: &[&str]| json(&[&["hpa", "--data", &data, "--out", &out, "--json"], options].concat());
    let (summary, code) = run(&[]);
    assert_eq!((summary["maps"].as_u64(), summary["queries"].as_u64(), code), (Some(2), Some(200), 0));
    assert_eq!(summary["levels_agree"], summary["queries"]);
    for file in FILES {
        assert!(fs::metadata(folder.join("out").join(file)).unwrap().len() > 500, "{file}");
    }
    let published = &summary["table_2"][1]["published"];
    assert_eq!((published["nodes"].as_f64(), published["intra_edges"].as_f64()), (Some(367.0), Some(722.0)));
    assert_eq!(summary["table_3"].as_array().unwrap().len(), 5);
    assert!(summary["overall"]["levels"][2]["expanded"].as_f64() > Some(0.0));
    assert_eq!(without_times(run(&[]).0), without_times(summary.clone()));
    assert_ne!(without_times(run(&["--seed", "2"]).0), without_times(summary));
    assert_eq!(run(&["--limit", "1"]).0["queries"].as_u64(), Some(100));
}

#[test]
fn the_summary_shows_the_published_values() {
    let folder = folder("paper-text");
    let (data, out) = (data(&folder), folder.join("out").to_str().unwrap().to_owned());
    let output = farstride(&["hpa", "--data", &data, "--out", &out, "--limit", "1"]);
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    for word in [
        "Table 2",
        "(4469)",
        "(1846)",
        "Table 3",
        "51.24",
        "Figure 7",
        "Figure 8",
        "up to 10 times",
        "8.83 %",
    ] {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert_eq!(told, fs::read_to_string(folder.join("out/summary.md")).unwrap());
}

#[test]
fn missing_and_broken_data_are_refused_in_one_line() {
    let folder = folder("paper-bad");
    let out = folder.join("out").to_str().unwrap().to_owned();
    let refused =
        |data: &str, options: &[&str]| refusal(&[&["hpa", "--data", data, "--out", &out], options].concat());
    assert!(refused("no-such-folder", &[]).contains("cannot read no-such-folder"));
    let empty = folder.join("empty");
    fs::create_dir_all(empty.join("bgmaps")).unwrap();
    let empty = empty.to_str().unwrap();
    assert!(refused(empty, &[]).contains("no maps to measure"));
    assert!(refused(empty, &["--set", "other"]).contains("cannot read"));
    let broken = folder.join("broken");
    fs::create_dir_all(broken.join("bgmaps")).unwrap();
    write(&broken.join("bgmaps"), "x.map", "type octile\nheight 3\n");
    assert!(refused(broken.to_str().unwrap(), &[]).contains("x.map"));
    let good = data(&folder.join("good"));
    assert!(refused(&good, &["--limit", "0"]).contains("no maps to measure"));
    let file = write(&folder, "file", "");
    assert!(refusal(&["hpa", "--data", &good, "--out", &file]).contains("cannot make"));
}

/// Queries from the left of a map of 61 x 41 cells to its right, with the length
/// that is listed for each.
fn scenario(map: &str, length: impl Fn(usize) -> f64) -> String {
    let cells: Vec<_> = map.lines().skip(4).collect();
    let free = |x: usize, y: usize| cells[y].as_bytes()[x] == b'.';
    let mut scenario = String::from("version 1\n");
    for y in 0..20 {
        if let (Some(x), Some(u)) = ((0..60).find(|&x| free(x, y)), (0..60).rev().find(|&x| free(x, 40 - y)))
        {
            writeln!(scenario, "0\tm\t61\t41\t{x}\t{y}\t{u}\t{}\t{}", 40 - y, length(y)).unwrap();
        }
    }
    scenario
}

/// A folder with a map of a game, a maze and a map of no set, each but the last
/// with a scenario.
fn subgoal_data(folder: &Path) -> String {
    for (set, name, kind) in
        [("sc1", "a.map", CAVES), ("mazes", "maze512-2-0.map", MAZE), ("other", "x.map", ROOMS)]
    {
        let set = folder.join(set);
        fs::create_dir_all(&set).unwrap();
        let map = set.join(name).to_str().unwrap().to_owned();
        draw(kind, (61, 41), 2, &map);
        let scenario = scenario(&fs::read_to_string(&map).unwrap(), |_| 1.0);
        if kind != ROOMS {
            fs::write(map + ".scen", scenario).unwrap();
        }
    }
    folder.to_str().unwrap().to_owned()
}

#[test]
fn the_subgoal_table_is_measured_beside_the_published_one() {
    let folder = folder("paper-nlevel");
    let data = subgoal_data(&folder.join("data"));
    let out = folder.join("out");
    let paper = ["nlevel", "--data", &data, "--out", out.to_str().unwrap()];
    let (summary, code) = json(&[&paper[..], &["--json", "--limit", "5"]].concat());
    assert_eq!((summary["differing"].as_u64(), code), (Some(0), 0), "{summary}");
    assert_eq!((summary["maps"].as_u64(), summary["queries"].as_u64()), (Some(2), Some(10)));
    assert!(summary["listed_queries"].as_u64() > Some(10));
    let sets: Vec<_> = summary["sets"].as_array().unwrap().iter().map(|set| &set["set"]).collect();
    assert_eq!(sets, ["starcraft", "maze2"]);
    for set in summary["sets"].as_array().unwrap() {
        assert_eq!(set["agreeing"], set["queries"]);
        assert!(set["tl_suboptimality_max_pct"].as_f64() >= set["tl_suboptimality_mean_pct"].as_f64());
        let methods = set["methods"].as_array().unwrap();
        let engines: Vec<_> = methods.iter().map(|method| &method["engine"]).collect();
        assert_eq!(engines, ["astar", "ssg", "tl", "nsg", "nsg+"]);
        for (number, method) in methods.iter().enumerate() {
            assert!(method["run"]["measured"].as_f64() > Some(0.0), "{method}");
            assert!(method["speedup"]["measured"].as_f64() > Some(0.0), "{method}");
            assert!(method["run"]["published"].is_f64() && method["speedup"]["published"].is_f64());
            assert_eq!(method["subgoals"].as_f64() > Some(0.0), number > 0, "{method}");
            assert_eq!(method["levels"]["published"].is_f64(), number > 2);
            assert_eq!(method["build_ms"]["published"].is_f64(), number > 1);
        }
        assert!(methods[4]["extra_edges"].as_f64() > methods[3]["extra_edges"].as_f64());
    }
    for file in ["summary.md", "speedup-games.svg", "speedup-mazes.svg"] {
        assert!(fs::metadata(out.join(file)).unwrap().len() > 500, "{file}");
    }
    assert!(!out.join("speedup-rooms.svg").exists());

    let output = farstride(&[&paper[..], &["--limit", "1000"]].concat());
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    for word in
        ["Table 1", "(24870)", "(138.2)", "(59334)", "(71.1)", "193", "exactly as long as A*'s", "All "]
    {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert_eq!(told, fs::read_to_string(out.join("summary.md")).unwrap());
}

#[test]
fn missing_subgoal_data_is_refused_in_one_line() {
    let folder = folder("paper-nlevel-bad");
    let out = folder.join("out").to_str().unwrap().to_owned();
    let refused = |data: &str| refusal(&["nlevel", "--data", data, "--out", &out]);
    assert!(refused("no-such-folder").contains("cannot read no-such-folder"));
    let empty = folder.join("empty");
    fs::create_dir_all(empty.join("dao")).unwrap();
    assert!(refused(empty.to_str().unwrap()).contains("no maps of the paper"));
    let alone = folder.join("alone");
    fs::create_dir_all(alone.join("dao")).unwrap();
    write(&alone.join("dao"), "x.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    assert!(refused(alone.to_str().unwrap()).contains("x.map.scen"));
    let zero = ["nlevel", "--data", alone.to_str().unwrap(), "--limit", "0"];
    assert!(refusal(&zero).contains("--limit"));
}

/// A folder with two maps that are named as those of the thesis, and another;
/// their scenarios list a long query, one from a cell to itself and one that has
/// no path.
fn any_angle_data(folder: &Path) -> String {
    let set = folder.join("dao");
    fs::create_dir_all(&set).unwrap();
    for (name, kind) in [("lak105d.map", MAZE), ("orz300d.map", OPEN), ("x.map", MAZE)] {
        let map = set.join(name).to_str().unwrap().to_owned();
        draw(kind, (61, 41), 3, &map);
        // The last cell of the last row is cut off, unless one may squeeze past corners.
        let text = fs::read_to_string(&map).unwrap();
        let mut rows: Vec<_> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
        let last = rows.len() - 1;
        for (x, y, cell) in [(60, last, b'.'), (59, last, b'@'), (60, last - 1, b'@'), (59, last - 1, b'.')] {
            rows[y][x] = cell;
        }
        let text = String::from_utf8(rows.join(&b'\n')).unwrap() + "\n";
        fs::write(&map, &text).unwrap();
        let mut scenario = scenario(&text, |row| if row == 3 { 400.0 } else { 1.0 });
        let first = scenario.lines().nth(1).unwrap().split('\t').collect::<Vec<_>>();
        let [x, y] = [first[4], first[5]].map(str::to_owned);
        writeln!(scenario, "0\tm\t61\t41\t{x}\t{y}\t{x}\t{y}\t0").unwrap();
        writeln!(scenario, "0\tm\t61\t41\t{x}\t{y}\t60\t40\t0").unwrap();
        fs::write(map + ".scen", scenario).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

#[test]
fn the_tables_of_the_thesis_are_measured_beside_the_published_ones() {
    let folder = folder("paper-hpt");
    let data = any_angle_data(&folder.join("data"));
    let out = folder.join("out");
    let paper = ["hpt", "--data", &data, "--out", out.to_str().unwrap()];
    let run = |options: &[&str]| json(&[&paper[..], &["--json"], options].concat());
    let (summary, code) = run(&[]);
    assert_eq!((&summary["maps"][0], &summary["maps"][1], code), (&"lak105d".into(), &"orz300d".into(), 0));
    let count = |name: &str| summary[name].as_u64().unwrap();
    let problems = count("problems");
    assert!(problems > 20 && count("in_sight") < problems, "{summary}");
    assert_eq!([count("unsolvable"), count("trivial")], [2, 2]);
    assert!(count("long_queries") > 0 && summary["times"].as_array().unwrap().len() == 5);
    for fault in ["shorter", "hidden"] {
        assert_eq!(summary[fault]["problems"].as_u64(), Some(0), "{summary}");
    }
    let methods = summary["methods"].as_array().unwrap();
    let of = |name: &str, value: &str| {
        let method = methods.iter().find(|method| method["method"] == name).unwrap();
        method[value]["measured"].as_f64().or(method[value].as_f64()).unwrap()
    };
    assert_eq!(methods.len(), 14);
    let hpt = methods.iter().find(|method| method["method"] == "HPT*").unwrap();
    assert_eq!(hpt["nodes"]["published"].as_f64(), Some(760.18));
    // Theta*'s rule is stricter than that of the shortest path, so it cannot be shorter.
    assert!(of("Theta*", "above_shortest") > 0.0, "{summary}");
    assert!(of("A*", "above_shortest") > of("Lazy Theta*", "above_shortest"), "{summary}");
    assert!(of("Theta*", "length") < of("A*", "length") && of("A*", "length") < of("HPA*", "length"));
    assert!((of("A* by the book", "length") - of("A*", "length")).abs() < 0.01);
    for part in ["insert", "refine"] {
        assert!(of("HPA* by the book", part) > of("HPA*", part), "{part}: {summary}");
        assert!(of("HPT* by the book", part) > 0.0, "{part}: {summary}");
    }
    assert!((of("HPA* by the book", "main") - of("HPA*", "main")).abs() < 1e-9);
    assert!(of("HPT*, our defaults", "visits") < of("HPT*", "visits"));
    let verdicts = summary["verdicts"].as_array().unwrap();
    assert_eq!((&verdicts[0]["pair"], &verdicts[0]["success"]), (&"published".into(), &true.into()));
    let rules = summary["by_rule"].as_array().unwrap();
    assert_eq!(
        rules.iter().map(|rule| &rule["diagonals"]).collect::<Vec<_>>(),
        ["strict", "one-side", "free"]
    );
    let solvable: Vec<_> = rules.iter().map(|rule| rule["solvable"].as_u64().unwrap()).collect();
    assert_eq!(solvable, [problems, problems, problems + 2]);
    assert!(
        rules.windows(2).all(|pair| pair[1]["astar_length"].as_f64() <= pair[0]["astar_length"].as_f64())
    );
    assert_eq!(summary["by_cluster"].as_array().unwrap().len(), 9);
    assert_eq!(summary["by_cluster_problems"].as_u64(), Some(problems.div_ceil(8)));
    for file in ["figure-4-length.svg", "figure-5-visits.svg", "figure-6-nodes.svg", "summary.md"] {
        assert!(fs::metadata(out.join(file)).unwrap().len() > 500, "{file}");
    }
    assert_eq!(without_times(run(&[]).0), without_times(summary.clone()));
    assert_eq!(run(&["--limit", "4"]).0["problems"].as_u64(), Some(8));

    let output = farstride(&[&paper[..], &["--limit", "3"]].concat());
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    for word in [
        "Table 2",
        "(282.81)",
        "Table 3",
        "(1752.9)",
        "(0.5294)",
        "Table 4",
        "(760.2)",
        "2 of 10 maps",
        ": none.",
    ] {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert_eq!(told, fs::read_to_string(out.join("summary.md")).unwrap());
}

#[test]
fn data_that_the_thesis_cannot_be_measured_on_are_refused_in_one_line() {
    let folder = folder("paper-hpt-bad");
    let out = folder.join("out").to_str().unwrap().to_owned();
    let refused = |data: &Path| refusal(&["hpt", "--data", data.to_str().unwrap(), "--out", &out]);
    assert!(refused(Path::new("no-such-folder")).contains("cannot read no-such-folder"));
    let with = |case: &str, files: &[(&str, &str)]| {
        let set = folder.join(case).join("dao");
        fs::create_dir_all(&set).unwrap();
        for (name, content) in files {
            write(&set, name, content);
        }
        refused(&folder.join(case))
    };
    assert!(with("empty", &[]).contains("no maps of the thesis"));
    let map = ("lak105d.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    assert!(with("alone", &[map]).contains("lak105d.map.scen"));
    let scenario = ("lak105d.map.scen", "version 1\n0\tm\t3\t1\t0\t0\t2\t0\t2\n");
    assert!(with("apart", &[map, scenario]).contains("finds no path on lak105d from 0,0 to 2,0"));
    assert!(refusal(&["hpt", "--data", ".", "--limit", "0"]).contains("--limit"));
}

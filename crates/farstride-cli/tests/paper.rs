//! `farstride paper`: complete, repeatable, and clear about what is missing.

mod common;

use common::{farstride, folder, json, refusal, write};
use serde_json::Value;
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

/// A folder with a set of two small maps.
fn data(folder: &Path) -> String {
    let set = folder.join("bgmaps");
    fs::create_dir_all(&set).unwrap();
    for (name, kind) in [("a.map", "caves"), ("b.map", "rooms")] {
        let map = set.join(name).to_str().unwrap().to_owned();
        assert!(farstride(&["gen", kind, "--size", "64x48", "--seed", "2", "-o", &map]).status.success());
    }
    folder.to_str().unwrap().to_owned()
}

/// All that does not depend on how fast the machine is.
fn without_times(mut summary: Value) -> Value {
    match &mut summary {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "micros" && name != "seconds");
            fields.values_mut().for_each(|value| *value = without_times(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = without_times(value.take())),
        _ => {}
    }
    summary
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let folder = folder("paper");
    let data = data(&folder);
    let out = folder.join("out").to_str().unwrap().to_owned();
    let run = |options: &[&str]| {
        json(&[&["paper", "hpa", "--data", &data, "--out", &out, "--json"], options].concat())
    };
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
    let output = farstride(&["paper", "hpa", "--data", &data, "--out", &out, "--limit", "1"]);
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
    let refused = |data: &str, options: &[&str]| {
        refusal(&[&["paper", "hpa", "--data", data, "--out", &out], options].concat())
    };
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
    assert!(refusal(&["paper", "hpa", "--data", &good, "--out", &file]).contains("cannot make"));
}

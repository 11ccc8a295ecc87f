//! Index files on the command line: built, described, and refused in one line
//! when they are not what they should be.

use crate::common::{farstride, refusal};
use serde_json::Value;
use std::fs;

const MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";

/// A fresh folder for each test, under the build folder.
struct Folder(crate::common::Folder);

impl Folder {
    fn new(test: &str) -> Self {
        Self(crate::common::folder(&format!("index-{test}")))
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), content).unwrap();
        self.path(name)
    }

    /// A map of many clusters.
    fn world(&self) -> String {
        let map = self.path("world.map");
        let made = farstride(&["gen", "caves", "--size", "120x90", "--seed", "5", "-o", &map]);
        assert!(made.status.success());
        map
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&*self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }
}

/// The document that a command prints on one line, when it does its job.
fn json(arguments: &[&str]) -> Value {
    let (value, code) = crate::common::json(arguments);
    assert_eq!(code, 0, "{arguments:?}: {value}");
    value
}

#[test]
fn an_index_is_built_and_described() {
    let folder = Folder::new("build");
    let (map, file) = (folder.world(), folder.path("world.fsi"));
    let options = "--cluster 8 --levels 3 --group 2 --entrance 4 --gap 6 --net 9 --ways search";
    let options: Vec<_> = options.split(' ').collect();
    let built =
        json(&[&["build", "--map", &map, "--engine", "hpa", "-o", &file, "--json"], &options[..]].concat());
    assert_eq!((built["engine"].as_str(), built["map"].as_str()), (Some("hpa"), Some("world")));
    assert_eq!(built["bytes"].as_u64(), Some(fs::metadata(&file).unwrap().len()));
    assert!(built["build_ms"].is_f64() && built["threads"].as_u64().unwrap() > 0);

    let index = json(&["info", &file, "--json"]);
    assert_eq!((index["kind"].as_str(), index["engine"].as_str()), (Some("index"), Some("hpa")));
    assert_eq!((index["width"].as_u64(), index["height"].as_u64()), (Some(120), Some(90)));
    assert_eq!((&index["digest"], &index["map_digest"]), (&built["digest"], &built["map_digest"]));
    assert_eq!(index["map_digest"], json(&["info", &map, "--json"])["digest"]);
    let settings = serde_json::json!({"cluster": 8, "levels": 3, "group": 2, "entrance": 4, "gap": 6, "net": 9, "ways": "search"});
    assert_eq!(index["settings"], settings);
    let levels = index["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 3);
    assert_eq!(levels[0]["clusters"].as_u64(), Some(15 * 12));
    for level in levels {
        for count in ["level", "clusters", "nodes", "inter_edges", "intra_edges"] {
            assert!(level[count].as_u64().unwrap() > 0, "{count}");
        }
    }
    let parts: u64 =
        index["parts"].as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
    let whole = index["bytes"].as_u64().unwrap();
    assert!(parts < whole && whole < parts + 1000, "{parts} of {whole}");
    let told = String::from_utf8(farstride(&["info", &file]).stdout).unwrap();
    for word in ["index for hpa", "120 x 90", "--cluster 8", "--gap 6", "intra-edges", "costs of level 3"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert_eq!(folder.names(), ["world.fsi", "world.map"]);
}

#[test]
fn the_bytes_depend_on_map_and_settings_alone() {
    let folder = Folder::new("same");
    let (map, file) = (folder.world(), folder.path("world.fsi"));
    let build = |options: &[&str]| {
        let made = farstride(&[&["build", "--map", &map, "-o", &file], options].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        fs::read(&file).unwrap()
    };
    for (engine, option, value) in
        [("hpa", "--cluster", "16"), ("nsg+", "--levels", "3"), ("labels", "--block", "16")]
    {
        let build = |options: &[&str]| build(&[&["--engine", engine], options].concat());
        let one = build(&["--threads", "1"]);
        assert!(["2", "7"].iter().all(|threads| build(&["--threads", threads]) == one));
        assert_ne!(build(&[option, value]), one);
        assert_ne!(build(&["--diagonals", "none"]), one);
        assert_ne!(build(&["--diagonal-cost", "1.42"]), one);
    }
}

#[test]
fn every_engine_with_an_index_can_build_one() {
    let folder = Folder::new("engines");
    let (map, file) = (folder.world(), folder.path("world.fsi"));
    for (engine, settings, levels) in [
        ("ssg", serde_json::json!({"levels": 1}), 1),
        ("tsg", serde_json::json!({"levels": 2}), 2),
        ("tl", serde_json::json!({"levels": 2}), 2),
        ("nsg", serde_json::json!({"levels": 3}), 3),
        ("nsg+", serde_json::json!({"levels": null}), 0),
    ] {
        let limit = if engine == "nsg" { &["--levels", "3"][..] } else { &[] };
        let built =
            json(&[&["build", "--map", &map, "--engine", engine, "-o", &file, "--json"], limit].concat());
        assert_eq!(built["engine"], engine);
        assert_eq!(built["bytes"].as_u64(), Some(fs::metadata(&file).unwrap().len()));
        let index = json(&["info", &file, "--json"]);
        assert_eq!((&index["engine"], &index["settings"]), (&built["engine"], &settings));
        assert_eq!((&index["digest"], &index["map_digest"]), (&built["digest"], &built["map_digest"]));
        assert_eq!(index["map_digest"], json(&["info", &map, "--json"])["digest"]);
        let reported = index["levels"].as_array().unwrap();
        assert!(reported.len() == levels || levels == 0 && reported.len() > 3, "{engine}: {index}");
        let sum = |count| reported.iter().map(|level| level[count].as_u64().unwrap()).sum::<u64>();
        assert!(sum("nodes") > 50 && sum("edges") > 50);
        assert_eq!(sum("extra_edges") > 0, ["tsg", "tl", "nsg+"].contains(&engine), "{engine}");
        let parts: u64 =
            index["parts"].as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
        let whole = index["bytes"].as_u64().unwrap();
        assert!(parts < whole && whole < parts + 300, "{parts} of {whole}");
        let told = String::from_utf8(farstride(&["info", &file]).stdout).unwrap();
        for word in ["120 x 90", &format!("index for {engine},"), "extra edges", "heads", "levels"] {
            assert!(told.contains(word), "{word}: {told}");
        }
    }
    assert_eq!(folder.names(), ["world.fsi", "world.map"]);
}

/// The engine that is built for is the one that would be used.
#[test]
fn the_engine_is_chosen_by_the_map() {
    let folder = Folder::new("auto");
    let (map, file) = (folder.world(), folder.path("world.fsi"));
    for rule in ["strict", "none", "one-side", "free"] {
        let make = ["build", "--map", &map, "--diagonals", rule, "-o", &file];
        let built = json(&[&make[..], &["--json"]].concat());
        let told = String::from_utf8(farstride(&make).stdout).unwrap();
        assert!(told.contains(&format!("for {} (", built["engine"].as_str().unwrap())), "{told}");
        let path = ["path", "--map", &map, "--from", "0,0", "--to", "9,9", "--diagonals", rule, "--json"];
        let (with, _) = crate::common::json(&[&path[..], &["--index", &file]].concat());
        let (without, _) = crate::common::json(&path);
        assert_eq!((&with["engine"], &without["engine"]), (&built["engine"], &built["engine"]));
        assert_eq!(with["cost"], without["cost"]);
    }
}

#[test]
fn the_built_in_map_has_an_index_too() {
    let folder = Folder::new("built-in");
    let file = folder.path("world.fsi");
    let made = farstride(&["build", "-o", &file]);
    assert!(made.status.success());
    let told = String::from_utf8(made.stdout).unwrap();
    assert!(told.contains("index of built-in for labels") && told.contains("bytes"), "{told}");
    assert_eq!(json(&["info", &file, "--json"])["width"], 150);
}

#[test]
fn damaged_indexes_are_refused_in_one_line() {
    for engine in ["hpa", "nsg+", "labels"] {
        damage(engine);
    }
}

fn damage(engine: &str) {
    let folder = Folder::new(&format!("damaged-{engine}"));
    let (map, file) = (folder.write("m.map", MAP), folder.path("m.fsi"));
    assert!(farstride(&["build", "--map", &map, "--engine", engine, "-o", &file]).status.success());
    let sound = fs::read(&file).unwrap();
    let told = |content: &[u8]| refusal(&["info", &folder.write("bad.fsi", content), "--json"]);
    assert!(told(&sound[..sound.len() - 1]).contains("cut off"));
    assert!(told(&sound[..8]).contains("cut off after 8"));
    assert!(told(&[&sound[..], b"\n"].concat()).contains("bytes that should have"));
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 0x10;
    assert!(told(&flipped).contains("damaged"));
    let mut newer = sound.clone();
    newer[8] = 9;
    let newer = told(&newer);
    assert!(newer.contains("format version 9") && newer.contains("farstride build"), "{newer}");
    // What does not start like an index is taken for a map.
    assert!(told(&sound[1..]).contains("expected 'type'"));
    assert!(told(b"").contains("empty"));
    let path = ["path", "--map", &map, "--from", "0,0", "--to", "4,0", "--json", "--index"];
    for content in [&sound[..sound.len() - 1], &flipped, &sound[1..], b""] {
        refusal(&[&path[..], &[&folder.write("bad.fsi", content)]].concat());
    }
    assert_eq!(json(&[&path[..], &[&file]].concat())["engine"], engine);
    assert!(refusal(&["info", &folder.path("none.fsi")]).contains("cannot read"));
}

#[test]
fn what_cannot_be_built_leaves_nothing_behind() {
    let folder = Folder::new("refused");
    let (map, file) = (folder.write("m.map", MAP), folder.write("m.fsi", "precious"));
    let bad = folder.write("bad.map", "type octile\nheight 3\n");
    let nowhere = folder.path("no/such/folder.fsi");
    for (arguments, expected) in [
        (
            &["--map", &map, "-o", &file, "--engine", "hpa", "--cluster", "1"][..],
            "--cluster is 1, but must be between 2 and 256",
        ),
        (&["--map", &map, "-o", &file, "--engine", "hpa", "--levels", "15"], "--levels is 15"),
        (&["--map", &map, "-o", &file, "--engine", "hpa", "--group", "1"], "--group is 1"),
        (&["--map", &map, "-o", &file, "--engine", "hpa", "--entrance", "0"], "--entrance is 0"),
        (&["--map", &map, "-o", &file, "--engine", "hpa", "--gap", "300"], "--gap is 300"),
        (&["--map", &map, "-o", &file, "--threads", "0"], "--threads"),
        (&["--map", &map, "-o", &file, "--engine", "hpa", "--levels", "300"], "--levels is"),
        (&["--map", &map, "-o", &file, "--engine", "nsg+", "--levels", "0"], "--levels is 0"),
        (&["--map", &map, "-o", &file, "--cluster", "8"], "engine labels takes no --cluster"),
        (&["--map", &map, "-o", &file, "--engine", "tl", "--levels", "2"], "engine tl takes no --levels"),
        (&["--map", &map, "-o", &file, "--engine", "astar"], "engine astar needs no index"),
        (&["--map", &map, "-o", &file, "--engine", "teleport"], "teleport"),
        (&["--map", &bad, "-o", &file], "ends before its line"),
        (&["--map", &map], "--output"),
        (&["--map", &map, "-o", &nowhere], "cannot write"),
        (&["--map", &map, "-o", folder.0.to_str().unwrap()], "is not a file"),
    ] {
        let told = refusal(&[&["build"], arguments].concat());
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(folder.names(), ["bad.map", "m.fsi", "m.map"]);
}

#[test]
fn build_has_help_with_an_example() {
    let told = String::from_utf8(farstride(&["build", "--help"]).stdout).unwrap();
    assert!(told.contains("Example") && told.contains("--threads"), "{told}");
}

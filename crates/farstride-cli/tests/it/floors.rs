//! Pictures of worlds: floors side by side, links, trips, and large movers.

use crate::common::{farstride, folder, refusal, write};
use std::fs;

#[test]
fn floors_are_drawn_side_by_side_with_links_and_a_trip() {
    let folder = folder("floors");
    let hall = write(&folder, "hall.map", "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@..\n");
    let cellar = write(&folder, "cellar.map", "type octile\nheight 2\nwidth 6\nmap\n......\n......\n");
    let picture = folder.join("p.svg").to_str().unwrap().to_owned();
    let world = ["render", "--floor", &hall, "--floor", &cellar, "-o", &picture, "--link", "0:0,0=1:0,0"];
    let trip = ["--trip", "0:1,1-0:4,2"];
    let output = farstride(&[&world[..], &["--link", "1:5,0-0:4,0"], &trip].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.as_str()), (Some(0), "trip: cost 10.414, 2 links\n"));
    let drawn = fs::read_to_string(&picture).unwrap();
    assert!(drawn.contains("links") && drawn.contains("10.414") && !drawn.contains("too narrow"));

    // Without the way back up there is none.
    let output = farstride(&[&world[..], &trip].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), told.as_str()),
        (Some(1), "trip: unreachable from 1,1 on floor 0 to 4,2 on floor 0\n")
    );
}

#[test]
fn what_is_too_narrow_for_a_large_mover_is_shaded() {
    let folder = folder("floors-size");
    let picture = folder.join("p.svg").to_str().unwrap().to_owned();
    assert!(farstride(&["render", "--size", "3", "-o", &picture]).status.success());
    assert!(fs::read_to_string(&picture).unwrap().contains("too narrow"));
}

#[test]
fn worlds_that_cannot_be_drawn_are_refused() {
    let cases: [(&[&str], &str); 8] = [
        (&["--size", "3"], "a world needs a picture; name one with -o"),
        (&["--size", "17", "-o", "p.svg"], "size"),
        (&["--size", "99999", "-o", "p.svg"], "99999"),
        (&["--size", "2", "--show", "clusters", "-o", "p.svg"], "leave it out"),
        (&["--link", "0:1,1", "-o", "p.svg"], "expected two floors and cells"),
        (&["--link", "0:3,2=1:1,1", "-o", "p.svg"], "floor 1"),
        (&["--trip", "0:1,1-0:999,0", "-o", "p.svg"], "999,0"),
        (&["--floor", "no-such.map", "-o", "p.svg"], "no-such.map"),
    ];
    for (arguments, expected) in cases {
        let told = refusal(&[&["render"], arguments].concat());
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

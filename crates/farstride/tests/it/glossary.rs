//! The glossary is complete in itself, and true: every word and every place it names
//! is found in the sources.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of the glossary: a word, and the items or files it names.
struct Row {
    word: String,
    places: Vec<String>,
}

/// The rows in their order; `None` in a packaged crate, which has no `docs` folder.
fn rows() -> Option<Vec<Row>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/glossary.md");
    let text = fs::read_to_string(file).ok()?;
    let table = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    Some(table.map(row).collect())
}

fn row(line: &str) -> Row {
    let columns: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [word, meaning, places] = columns[..] else { panic!("not three columns: {line}") };
    assert!(!meaning.is_empty(), "no meaning: {line}");
    let places: Vec<_> = places.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(!places.is_empty(), "no place: {line}");
    Row { word: word.to_owned(), places }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The text of all sources of the engine.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// Letters and digits in words: `search_tree`, `SearchTree` and "search tree" are all
/// `search tree`.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut before = ' ';
    for letter in text.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        before = letter;
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words
}

/// Whether `text` has `phrase` as whole words, in the singular or the plural.
fn has(text: &str, phrase: &str) -> bool {
    let ends = |rest: &str| rest.starts_with(' ') || rest.starts_with("s ") || rest.starts_with("es ");
    text.match_indices(phrase).any(|(at, _)| text[..at].ends_with(' ') && ends(&text[at + phrase.len()..]))
}

/// The identifiers of a text.
fn identifiers(text: &str) -> HashSet<&str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect()
}

#[test]
fn words_are_sorted_and_unique() {
    let Some(rows) = rows() else { return eprintln!("skipped: there is no glossary here") };
    let words: Vec<_> = rows.iter().map(|row| row.word.to_lowercase()).collect();
    assert!(words.len() > 50, "only {} rows were read", words.len());
    for pair in words.windows(2) {
        assert!(pair[0] < pair[1], "'{}' stands before '{}'", pair[0], pair[1]);
    }
}

#[test]
fn every_word_is_used_in_the_engine() {
    let Some(rows) = rows() else { return eprintln!("skipped: there is no glossary here") };
    let mut text = String::new();
    sources(&source(), &mut text);
    // Line breaks inside a comment separate words as spaces do.
    let text = words(&text.replace("\n    ///", " ").replace("\n///", " ").replace("\n//!", " "));
    let missing = rows.iter().flat_map(|row| row.word.split(", ")).filter(|word| !has(&text, &words(word)));
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "words that no source uses: {missing:?}");
}

#[test]
fn every_place_exists() {
    let Some(rows) = rows() else { return eprintln!("skipped: there is no glossary here") };
    let mut text = String::new();
    sources(&source(), &mut text);
    let known = identifiers(&text);
    for Row { word, places } in &rows {
        for place in places {
            let exists = if place.contains(".rs") {
                source().join(place).is_file()
            } else {
                place.split("::").all(|name| known.contains(name))
            };
            assert!(exists, "'{word}' lives in {place}, which does not exist");
        }
    }
}

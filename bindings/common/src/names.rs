//! Rules and terrain by the names of the command line.

use crate::Failure;
use farstride::Diagonals;
use farstride::grid::DiagonalCost;
use farstride::internal::Terrain;
use farstride_io::movingai;

const DIAGONALS: [(&str, Diagonals); 4] = [
    ("strict", Diagonals::Strict),
    ("one-side", Diagonals::OneSide),
    ("free", Diagonals::Free),
    ("none", Diagonals::None),
];

const DIAGONAL_COSTS: [(&str, DiagonalCost); 2] =
    [("sqrt2", DiagonalCost::Sqrt2), ("1.42", DiagonalCost::Ratio142)];

/// Finds a value by its name.
///
/// # Errors
/// The names there are, for a message.
pub(crate) fn find<T: Copy>(names: &[(&str, T)], name: &str) -> Result<T, String> {
    let known = names.iter().find(|(other, _)| *other == name);
    known.map(|(_, value)| *value).ok_or_else(|| {
        let all: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        let (last, others) = all.split_last().unwrap_or((&"", &[]));
        format!("{} or {last}", others.join(", "))
    })
}

/// The name of a value; empty if it has none.
pub(crate) fn name<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

/// Which diagonal steps are legal, by name.
///
/// # Errors
/// [`Failure`] lists the names there are.
pub fn diagonals(name: &str) -> Result<Diagonals, Failure> {
    let expected = |all| Failure::map(format!("diagonals is '{name}'; expected {all}"));
    find(&DIAGONALS, name).map_err(expected)
}

/// The name of a rule.
pub fn diagonals_name(rule: Diagonals) -> &'static str {
    name(&DIAGONALS, &rule)
}

/// What diagonal steps cost, by name.
///
/// # Errors
/// [`Failure`] lists the names there are.
pub fn diagonal_cost(name: &str) -> Result<DiagonalCost, Failure> {
    let expected = |all| Failure::map(format!("diagonal cost is '{name}'; expected {all}"));
    find(&DIAGONAL_COSTS, name).map_err(expected)
}

/// The name of a cost of diagonal steps.
pub fn diagonal_cost_name(cost: DiagonalCost) -> &'static str {
    name(&DIAGONAL_COSTS, &cost)
}

/// Letters of a map with their terrain, as in `S=5,W=blocked`; none if the text is empty.
///
/// # Errors
/// [`Failure`] says which letter is wrong.
pub fn terrain(text: &str) -> Result<Vec<(u8, Terrain)>, Failure> {
    let mut letters: Vec<(u8, Terrain)> = Vec::new();
    for part in text.split(',').filter(|_| !text.trim().is_empty()) {
        let (letter, terrain) = movingai::parse_letter(part).map_err(Failure::map)?;
        if letters.iter().any(|(other, _)| *other == letter) {
            let letter = char::from(letter);
            return Err(Failure::map(format!("terrain names the letter {letter} twice")));
        }
        letters.push((letter, terrain));
    }
    Ok(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_rules_and_back() {
        for (name, rule) in DIAGONALS {
            assert_eq!((diagonals(name), diagonals_name(rule)), (Ok(rule), name));
        }
        for (name, cost) in DIAGONAL_COSTS {
            assert_eq!((diagonal_cost(name), diagonal_cost_name(cost)), (Ok(cost), name));
        }
        let message = diagonals("always").unwrap_err().message;
        assert_eq!(message, "diagonals is 'always'; expected strict, one-side, free or none");
    }

    #[test]
    fn letters_are_named_once() {
        assert_eq!(terrain("").unwrap().len(), 0);
        assert_eq!(terrain("S=5,W=blocked").unwrap(), [(b'S', Terrain::Free(5)), (b'W', Terrain::Blocked)]);
        assert!(terrain("S=5,S=6").unwrap_err().message.contains("twice"));
    }
}

//! Tables of the summaries.

use serde::Serialize;
use std::fmt::{self, Write as _};

/// Rows of cells, the first being the head.
pub(super) type Table = Vec<Vec<String>>;

/// A title and a table: Markdown that reads well in a terminal, too.
pub(super) fn section(text: &mut String, title: &str, table: &Table) -> fmt::Result {
    writeln!(text, "## {title}\n")?;
    let columns = table.first().map_or(0, Vec::len);
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (number, row) in table.iter().enumerate() {
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width - cell.chars().count());
            let (left, right) = if column == 0 { ("", pad.as_str()) } else { (pad.as_str(), "") };
            write!(text, "| {left}{cell}{right} ")?;
        }
        writeln!(text, "|")?;
        if number == 0 {
            let rule = |(column, &width): (usize, &usize)| {
                let end = if column == 0 { '-' } else { ':' };
                format!("|{}{end}", "-".repeat(width + 1))
            };
            writeln!(text, "{}|", widths.iter().enumerate().map(rule).collect::<String>())?;
        }
    }
    writeln!(text)
}

/// A row of names.
pub(super) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// A value of ours, and the published one.
#[derive(Serialize, Clone, Copy)]
pub(super) struct Both {
    pub(super) measured: f64,
    pub(super) published: Option<f64>,
}

impl Both {
    /// Our value, and the published one in brackets.
    pub(super) fn written(&self, decimals: usize) -> String {
        let Self { measured, published } = self;
        let published = published.map_or_else(String::new, |published| format!(" ({published:.decimals$})"));
        format!("{measured:.decimals$}{published}")
    }
}

//! A legend in lines, samples in front of their names.

use super::text::{FONT, fitted, text_width};
use std::borrow::Cow;

/// Room for the sample in front of a name.
pub(crate) const SWATCH: f64 = 30.0;
pub(crate) const SWATCH_GAP: f64 = 7.0;
const ENTRY_GAP: f64 = 22.0;

/// A name in the legend, with a sample of what it names.
pub(crate) struct Entry<'s, S> {
    pub(crate) name: &'s str,
    pub(crate) sample: S,
}

/// The legend, in lines no longer than the room given.
pub(crate) struct Legend<'s, S> {
    pub(crate) entries: Vec<Placed<'s, S>>,
    pub(crate) lines: usize,
    /// Of the widest line.
    pub(crate) width: f64,
}

pub(crate) struct Placed<'s, S> {
    pub(crate) x: f64,
    pub(crate) line: usize,
    pub(crate) sample: S,
    pub(crate) name: Cow<'s, str>,
}

impl<'s, S: Copy> Legend<'s, S> {
    /// What has no name has no place in the legend.
    pub(crate) fn arrange(entries: &[Entry<'s, S>], room: f64) -> Self {
        let mut legend = Self { entries: Vec::new(), lines: 0, width: 0.0 };
        let mut x = room;
        for Entry { name, sample } in entries.iter().filter(|entry| !entry.name.is_empty()) {
            let name = fitted(name, FONT, room - SWATCH - SWATCH_GAP);
            let width = SWATCH + SWATCH_GAP + text_width(&name, FONT);
            if x + width > room {
                legend.lines += 1;
                x = 0.0;
            }
            legend.entries.push(Placed { x, line: legend.lines - 1, sample: *sample, name });
            legend.width = legend.width.max(x + width);
            x += width + ENTRY_GAP;
        }
        legend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: f64 = 864.0;

    fn legend(names: &[&str]) -> (usize, f64) {
        let entries: Vec<_> = names.iter().map(|&name| Entry { name, sample: () }).collect();
        let legend = Legend::arrange(&entries, ROOM);
        (legend.lines, legend.width)
    }

    #[test]
    fn the_legend_wraps_and_skips_what_has_no_name() {
        assert_eq!(legend(&[]), (0, 0.0));
        assert_eq!(legend(&["", ""]), (0, 0.0));
        assert_eq!(legend(&["A*", "", "level 1"]).0, 1);
        let (lines, width) = legend(&["level 1 of the hierarchy"; 20]);
        assert!((5..10).contains(&lines) && width <= ROOM, "{lines} {width}");
        assert_eq!(legend(&["a"; 3]).0, 1);
        let long = "a name ".repeat(100);
        let (lines, width) = legend(&[&long, &long]);
        assert!(lines == 2 && width <= ROOM, "{lines} {width}");
    }
}

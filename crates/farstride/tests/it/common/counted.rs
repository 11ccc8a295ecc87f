//! Random cases that are counted.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;

/// What became of forged bytes. A test of forgeries is worth something only if
/// some are opened, and so asked, and some are refused.
#[derive(Debug, Default)]
pub(crate) struct Forgeries {
    opened: Cell<u32>,
    refused: Cell<u32>,
}

impl Forgeries {
    /// Runs a property on random cases; `file` is that of the test, as
    /// `file!()` has it. Fails if fewer than `least` of the forgeries that the
    /// property counts are opened, or refused. How many are opened differs by
    /// engine, from one in forty (labels) to one in nine (HPA*): `least` is
    /// about half of what five runs showed at worst.
    pub(crate) fn test<S: Strategy>(
        (config, file): (Config, &'static str),
        cases: &S,
        least: u32,
        property: impl Fn(S::Value, &Self),
    ) {
        let forgeries = Self::default();
        let mut runner = TestRunner::new(Config { source_file: Some(file), ..config });
        let run = runner.run(cases, |case| {
            property(case, &forgeries);
            Ok(())
        });
        run.unwrap_or_else(|failure| panic!("{failure}"));
        let (opened, refused) = (forgeries.opened.get(), forgeries.refused.get());
        println!("{opened} forgeries opened, {refused} refused");
        assert!(opened.min(refused) >= least, "{opened} forgeries opened, {refused} refused, not {least}");
    }

    /// Counts bytes that differ from those that were saved.
    pub(crate) fn count(&self, is_opened: bool) {
        let counter = if is_opened { &self.opened } else { &self.refused };
        counter.set(counter.get() + 1);
    }
}

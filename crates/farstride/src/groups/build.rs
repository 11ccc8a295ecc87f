//! Building a level from nothing.
//!
//! Two passes over all groups, each in parallel. The first finds the parts of every
//! group; only then do parts have numbers on the level, which links between groups
//! need. The second computes what connections cost, for which it needs the links
//! into a group as well as those out of it.

use super::below::Below;
use super::level::{Arc, Level};
use super::part::PartId;
use super::survey::{Link, Survey, SurveyScratch, Surveyor};
use super::{GroupId, Grouping};
use crate::base::crew::Crew;
use crate::base::{Cancelled, Cost};
use std::collections::BTreeMap;

/// Costs set by hand, for connections from one group to another.
pub(super) type ManualCosts = BTreeMap<(GroupId, GroupId), Cost>;

impl<B: Below> Surveyor<'_, B> {
    /// Builds the level of all groups below it. Its `above` is left empty.
    pub(super) fn build(&self, crew: &Crew<'_>) -> Result<Level, Cancelled> {
        let group_count = self.below.groups().group_count();
        // `try_map` returns results in the order of the groups, on any number of threads.
        let surveys = crew.try_map(group_count, |group, scratch: &mut SurveyScratch| {
            self.survey(GroupId::new(group as u32), scratch)
        })?;
        let mut level = Level::from_surveys(&surveys);
        let resolve = |(group, survey)| self.resolve_links(&level, GroupId::new(group), survey);
        let links = LinkTable::new(&level, (0..).zip(surveys).map(resolve).collect());
        let rows = crew.try_map(group_count, |group, scratch: &mut SurveyScratch| {
            let (out, into) = (links.out(group), &links.entering(group));
            self.connect(&level, GroupId::new(group as u32), out, into, scratch)
        })?;
        level.arcs = rows.into_iter().flatten().collect();
        level.sources = level.find_sources();
        Ok(level)
    }
}

/// The links out of every group, and an index of the links into it.
struct LinkTable {
    out: Vec<Vec<Link>>,
    /// Links `into[first_in[g]..first_in[g + 1]]` enter group `g`.
    first_in: Vec<u32>,
    into: Vec<LinkRef>,
}

/// Where a link is stored: the group that it leaves, and its position there.
#[derive(Clone, Copy, Default)]
struct LinkRef {
    group: GroupId,
    position: u32,
}

impl LinkTable {
    fn new(level: &Level, out: Vec<Vec<Link>>) -> Self {
        let entered = |link: &Link| level.group_of[link.to.index()].index();
        let mut first_in = vec![0; level.group_count() + 1];
        for link in out.iter().flatten() {
            first_in[entered(link)] += 1;
        }
        let mut end = 0;
        for first in &mut first_in {
            end += *first;
            *first = end;
        }
        // Counting sort from the back: it turns the ends of the rows into their
        // starts, and leaves each row sorted by the group that its links come from.
        let mut into = vec![LinkRef::default(); end as usize];
        for (group, links) in (0..out.len() as u32).zip(&out).rev() {
            for (position, link) in (0..links.len() as u32).zip(links).rev() {
                let first = &mut first_in[entered(link)];
                *first -= 1;
                into[*first as usize] = LinkRef { group: GroupId::new(group), position };
            }
        }
        Self { out, first_in, into }
    }

    fn out(&self, group: usize) -> &[Link] {
        &self.out[group]
    }

    fn entering(&self, group: usize) -> impl Iterator<Item = &Link> + Clone {
        let row = &self.into[self.first_in[group] as usize..self.first_in[group + 1] as usize];
        row.iter().map(|link| &self.out[link.group.index()][link.position as usize])
    }
}

impl Level {
    /// A level with the parts of all groups, and no arcs yet.
    fn from_surveys(surveys: &[Survey]) -> Self {
        let mut level = Self { first_part: vec![PartId::new(0)], ..Self::default() };
        for (group, survey) in (0..).map(GroupId::new).zip(surveys) {
            level.tables.push(survey.table.clone());
            level.group_of.extend(std::iter::repeat_n(group, survey.part_count));
            level.first_part.push(level.all_parts().end());
            level.representatives.extend(&survey.representatives);
            level.areas.extend(&survey.areas);
        }
        level
    }

    /// Overwrites the costs of a part's arcs with those set by hand.
    pub(super) fn apply_manual_costs(&self, manual_costs: &ManualCosts, part: PartId, row: &mut [Arc]) {
        if manual_costs.is_empty() {
            return;
        }
        let from = self.group_of[part.index()];
        for arc in row {
            if let Some(&cost) = manual_costs.get(&(from, self.group_of[arc.to.index()])) {
                arc.cost = cost;
            }
        }
    }

    /// For each part, the parts with an arc to it in ascending order.
    pub(super) fn find_sources(&self) -> Vec<Box<[PartId]>> {
        let mut sources = vec![Vec::new(); self.part_count()];
        for (part, row) in self.all_parts().iter().zip(&self.arcs) {
            for arc in row {
                sources[arc.to.index()].push(part);
            }
        }
        sources.into_iter().map(Vec::into_boxed_slice).collect()
    }
}

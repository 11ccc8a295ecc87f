//! Making levels.

use super::floor::Floor;
use super::level::{Arc, Level};
use super::survey::{Link, Survey, Surveyor, Tools};
use super::{GroupId, Grouping};
use crate::base::Cost;
use crate::base::crew::Crew;
use std::collections::BTreeMap;

/// Costs given by hand: from group, to group.
pub(super) type ByHand = BTreeMap<(u32, u32), Cost>;

impl<F: Floor> Surveyor<'_, F> {
    /// Makes the level of all groups of the floor.
    pub(super) fn build(&self, crew: &Crew<'_>) -> Level {
        let group_count = self.floor.groups().group_count();
        let surveys =
            crew.map(group_count, |group, tools: &mut Tools| self.survey(GroupId::new(group as u32), tools));
        let mut level = Level::of_surveys(&surveys);
        let number = |(group, survey)| self.links(&level, GroupId::new(group), survey);
        let links = AllLinks::new(&level, (0..).zip(surveys).map(number).collect());
        let rows = crew.map(group_count, |group, tools: &mut Tools| {
            let (out, into) = (links.out(group), &links.entering(group));
            self.connect(&level, GroupId::new(group as u32), out, into, tools)
        });
        level.arcs = rows.into_iter().flatten().collect();
        level.sources = level.find_sources();
        level
    }
}

/// The links out of every group, and where those into it are.
struct AllLinks {
    out: Vec<Vec<Link>>,
    /// Group `g` is entered by the links `entering[first_in[g]..first_in[g + 1]]`:
    /// the group they leave, and their place there.
    first_in: Vec<u32>,
    entering: Vec<(u32, u32)>,
}

impl AllLinks {
    fn new(level: &Level, out: Vec<Vec<Link>>) -> Self {
        let entered = |link: &Link| level.group_of[link.to as usize] as usize;
        let mut first_in = vec![0; level.group_count() + 1];
        for link in out.iter().flatten() {
            first_in[entered(link)] += 1;
        }
        let mut end = 0;
        for first in &mut first_in {
            end += *first;
            *first = end;
        }
        let mut entering = vec![(0, 0); end as usize];
        for (group, links) in (0..out.len() as u32).zip(&out).rev() {
            for (place, link) in (0..links.len() as u32).zip(links).rev() {
                let first = &mut first_in[entered(link)];
                *first -= 1;
                entering[*first as usize] = (group, place);
            }
        }
        Self { out, first_in, entering }
    }

    fn out(&self, group: usize) -> &[Link] {
        &self.out[group]
    }

    fn entering(&self, group: usize) -> impl Iterator<Item = &Link> + Clone {
        let entering = &self.entering[self.first_in[group] as usize..self.first_in[group + 1] as usize];
        entering.iter().map(|&(group, place)| &self.out[group as usize][place as usize])
    }
}

impl Level {
    /// The parts of all groups, without arcs.
    fn of_surveys(surveys: &[Survey]) -> Self {
        let mut level = Self { first_part: vec![0], ..Self::default() };
        for (group, survey) in (0..).zip(surveys) {
            level.tables.push(survey.table.clone());
            level.group_of.extend(std::iter::repeat_n(group, survey.part_count));
            level.first_part.push(level.group_of.len() as u32);
            level.representatives.extend(&survey.representatives);
            level.areas.extend(&survey.areas);
        }
        level
    }

    /// Replaces costs of a part's arcs by those given by hand.
    pub(super) fn apply_by_hand(&self, by_hand: &ByHand, part: u32, row: &mut [Arc]) {
        if by_hand.is_empty() {
            return;
        }
        let from = self.group_of[part as usize];
        for arc in row {
            if let Some(&cost) = by_hand.get(&(from, self.group_of[arc.to as usize])) {
                arc.cost = cost;
            }
        }
    }

    /// The parts with an arc to each part.
    pub(super) fn find_sources(&self) -> Vec<Box<[u32]>> {
        let mut sources = vec![Vec::new(); self.part_count()];
        for (part, row) in (0..).zip(&self.arcs) {
            for arc in row {
                sources[arc.to as usize].push(part);
            }
        }
        sources.into_iter().map(Vec::into_boxed_slice).collect()
    }
}

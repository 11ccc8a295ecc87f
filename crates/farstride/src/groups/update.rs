//! Following changes of the graph.

use super::build::ByHand;
use super::floor::{Floor, GroundFloor, UpperFloor};
use super::hierarchy::next_edition;
use super::interior::VACANT;
use super::level::{Arc, Level};
use super::survey::{Link, Survey, Surveyor, Tools};
use super::{Ground, GroupHierarchy, GroupId, Grouping, HierarchyError, Members};
use crate::base::{Cost, Node, NodeId};
use crate::graph::Graph;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::repeat_n;
use std::ops::Range;

impl<N: Node> GroupHierarchy<N> {
    /// Brings the hierarchy up to date after arcs out of some nodes have
    /// appeared, vanished or changed their costs. Where these arcs lead or led
    /// to need not be said.
    ///
    /// # Guarantee
    /// Equal to the hierarchy built from scratch.
    ///
    /// # Complexity
    /// The groups of these nodes and those next to them are looked at again, on
    /// every level on which something changes. Besides, a little for every part
    /// of the level below, from the second level on, and for every part of a
    /// level on which groups fall into more or fewer parts than before: they are
    /// renumbered. Many changes at once take no longer than one.
    ///
    /// # Errors
    /// [`HierarchyError`] if there are other groups than before.
    pub fn update<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        nodes: impl IntoIterator<Item = N>,
    ) -> Result<(), HierarchyError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let nodes = nodes.into_iter().filter(|&node| ground.graph.index(node) < ground.graph.node_count());
        let groups: BTreeSet<GroupId> = nodes.map(|node| ground.groups.locate(node).0).collect();
        self.update_groups(ground, groups)
    }

    /// As [`GroupHierarchy::update`] after anything in these groups has changed,
    /// or in links out of them.
    ///
    /// # Errors
    /// As [`GroupHierarchy::update`], or if there is no such group.
    pub fn update_groups<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        groups: impl IntoIterator<Item = GroupId>,
    ) -> Result<(), HierarchyError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let (expected, found) = (self.group_count(1), ground.groups.group_count());
        if expected != found {
            return Err(HierarchyError::OtherGroups { expected, found });
        }
        let groups: BTreeSet<GroupId> = groups.into_iter().collect();
        if let Some(&group) = groups.last().filter(|group| group.index() >= found) {
            return Err(HierarchyError::UnknownGroup { level: 1, group, groups: found });
        }
        self.update_fitting(ground, groups);
        Ok(())
    }

    /// The same with groups that there are.
    pub(super) fn update_fitting<G, P>(&mut self, ground: Ground<'_, G, P>, groups: BTreeSet<GroupId>)
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        self.follow(ground, 1, groups.into_iter().map(|group| group.index() as u32).collect());
    }

    /// Adds groups to the first level, each to a group of the second, with no
    /// nodes yet: [`GroupHierarchy::update_groups`] takes them in. With one
    /// level only the number of them matters.
    ///
    /// # Errors
    /// [`HierarchyError::UnknownGroup`] if there is no such group on the second.
    pub fn add_groups(&mut self, above: &[GroupId]) -> Result<(), HierarchyError> {
        if let Some(upper) = self.uppers.first_mut() {
            let groups = upper.group_count();
            if let Some(&group) = above.iter().find(|group| group.index() >= groups) {
                return Err(HierarchyError::UnknownGroup { level: 2, group, groups });
            }
            let mut numbers = std::mem::take(&mut upper.group_of).into_vec();
            numbers.extend(above.iter().map(|group| group.index() as u32));
            *upper = Members::tables(numbers, groups);
        }
        if let Some(first) = self.levels.first_mut() {
            let end = first.group_of.len() as u32;
            first.first_part.extend(above.iter().map(|_| end));
            first.tables.extend(above.iter().map(|_| None));
        }
        self.edition = next_edition();
        Ok(())
    }

    /// Moves a group of the first level into another group of the second;
    /// [`GroupHierarchy::update_groups`] makes it take effect. With one level
    /// nothing happens.
    ///
    /// # Errors
    /// [`HierarchyError::UnknownGroup`] if there is no such group.
    pub fn move_group(&mut self, group: GroupId, above: GroupId) -> Result<(), HierarchyError> {
        let Some(upper) = self.uppers.first_mut() else { return Ok(()) };
        let counts = [(1, group, upper.node_count()), (2, above, upper.group_count())];
        if let Some(&(level, group, groups)) = counts.iter().find(|(_, group, count)| group.index() >= *count)
        {
            return Err(HierarchyError::UnknownGroup { level, group, groups });
        }
        let before = upper.group_of(NodeId::new(group.index() as u32));
        if before != above {
            let groups = upper.group_count();
            let mut numbers = std::mem::take(&mut upper.group_of).into_vec();
            numbers[group.index()] = above.index() as u32;
            *upper = Members::tables(numbers, groups);
            self.left.extend([before, above].map(|group| group.index() as u32));
            self.edition = next_edition();
        }
        Ok(())
    }

    /// Gives the connection from one group to another a cost by hand, whatever
    /// the rule says, or takes that back. It lasts through updates.
    ///
    /// # Errors
    /// [`HierarchyError`] if these groups are not connected.
    pub fn set_cost<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        level: usize,
        from: GroupId,
        to: GroupId,
        cost: Option<Cost>,
    ) -> Result<(), HierarchyError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let (expected, found) = (self.group_count(1), ground.groups.group_count());
        if expected != found {
            return Err(HierarchyError::OtherGroups { expected, found });
        }
        let key = (from.index() as u32, to.index() as u32);
        let is_known = |by_hand: &ByHand| by_hand.contains_key(&key);
        let is_taken_back = cost.is_none() && self.by_hand.get(level.wrapping_sub(1)).is_some_and(is_known);
        if self.connection(level, from, to).is_none() && !is_taken_back {
            return Err(HierarchyError::NotConnected { level, from, to });
        }
        match cost {
            Some(cost) => self.by_hand[level - 1].insert(key, cost),
            None => self.by_hand[level - 1].remove(&key),
        };
        self.follow(ground, level, BTreeSet::from([key.0]));
        Ok(())
    }

    /// Looks again at dirty groups of a level, and at whatever follows above.
    fn follow<G, P>(&mut self, ground: Ground<'_, G, P>, level: usize, dirty: BTreeSet<u32>)
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        self.edition = next_edition();
        let mut dirty = dirty;
        if level == 2 {
            dirty.append(&mut self.left);
        }
        for number in level..=self.levels.len() {
            let mut level = std::mem::take(&mut self.levels[number - 1]);
            let changed = self.follow_on(ground, number, &mut level, &dirty);
            self.levels[number - 1] = level;
            let Some(upper) = self.uppers.get(number - 1) else { return };
            let above = |&group: &u32| upper.group_of(NodeId::new(group)).index() as u32;
            dirty = changed.iter().map(above).collect();
            if number == 1 {
                dirty.append(&mut self.left);
            }
            if dirty.is_empty() {
                return;
            }
        }
    }

    /// Looks again at dirty groups of one level, which was taken out; the
    /// groups that changed.
    fn follow_on<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        number: usize,
        level: &mut Level,
        dirty: &BTreeSet<u32>,
    ) -> BTreeSet<u32>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let (representative, connection) = (ground.representative, self.connection);
        let by_hand = &self.by_hand[number - 1];
        let Some(below) = number.checked_sub(2) else {
            let floor = GroundFloor { graph: ground.graph, groups: ground.groups };
            return Surveyor { floor: &floor, number, representative, connection }
                .update(level, by_hand, dirty)
                .changed;
        };
        let part_of = |node| self.known_part_on(ground, node, number - 1);
        let floor = UpperFloor::new(&self.levels[below], &self.uppers[below], &part_of);
        let update =
            Surveyor { floor: &floor, number, representative, connection }.update(level, by_hand, dirty);
        let old = &self.levels[below].above;
        let above = (0..self.levels[below].part_count() as u32)
            .map(|part| {
                let group = floor.groups().locate(NodeId::new(part)).0.index() as u32;
                match old.get(part as usize) {
                    Some(&above) if !dirty.contains(&group) => update.renumbered(above),
                    _ => floor.part_above(level, part),
                }
            })
            .collect();
        self.levels[below].above = above;
        update.changed
    }
}

/// What an update of a level came to.
struct Update {
    /// Groups whose parts, arcs or representatives changed.
    changed: BTreeSet<u32>,
    /// The new number of each part, if they were renumbered.
    numbers: Option<Vec<u32>>,
}

impl Update {
    fn renumbered(&self, part: u32) -> u32 {
        match &self.numbers {
            Some(numbers) => numbers.get(part as usize).copied().unwrap_or(VACANT),
            None => part,
        }
    }
}

impl<F: Floor> Surveyor<'_, F> {
    fn update(&self, level: &mut Level, by_hand: &ByHand, dirty: &BTreeSet<u32>) -> Update {
        let mut tools = Tools::default();
        let mut affected = level.neighbours(dirty);
        let surveys: Vec<Survey> =
            dirty.iter().map(|&group| self.survey(GroupId::new(group), &mut tools)).collect();
        let mut changed = BTreeSet::new();
        for (&group, survey) in dirty.iter().zip(&surveys) {
            affected.extend(survey.neighbours());
            if !level.holds(GroupId::new(group), survey) {
                changed.insert(group);
            }
        }
        affected.extend(dirty);
        let numbers = level.take_in(dirty, surveys, &mut changed);
        let mut sources = level.neighbours(&affected);
        sources.extend(&affected);
        let out: BTreeMap<u32, Vec<Link>> = sources
            .into_iter()
            .map(|group| (group, self.find_links(level, GroupId::new(group), &mut tools)))
            .collect();
        let mut into: BTreeMap<u32, Vec<Link>> = BTreeMap::new();
        for link in out.values().flatten() {
            into.entry(level.group_of[link.to as usize]).or_default().push(*link);
        }
        for &group in &affected {
            let entering = into.get(&group).map_or(&[][..], Vec::as_slice).iter();
            let rows = self.connect(level, GroupId::new(group), &out[&group], &entering, &mut tools);
            for (part, mut row) in level.parts(GroupId::new(group)).zip(rows) {
                level.apply_by_hand(by_hand, part, &mut row);
                if level.replace_row(part, row) {
                    changed.insert(group);
                }
            }
        }
        Update { changed, numbers }
    }
}

impl Level {
    /// Groups with an arc to one of these or from one.
    fn neighbours(&self, groups: &BTreeSet<u32>) -> BTreeSet<u32> {
        let parts = groups.iter().flat_map(|&group| self.parts(GroupId::new(group)));
        let others = parts.flat_map(|part| {
            let heads = self.arcs[part as usize].iter().map(|arc| arc.to);
            heads.chain(self.sources[part as usize].iter().copied())
        });
        others.map(|part| self.group_of[part as usize]).collect()
    }

    /// Whether a survey found in a group what is known of it.
    fn holds(&self, group: GroupId, survey: &Survey) -> bool {
        let parts = self.parts(group);
        let parts = parts.start as usize..parts.end as usize;
        parts.len() == survey.part_count
            && self.tables[group.index()] == survey.table
            && self.representatives[parts.clone()] == survey.representatives
            && (self.areas.is_empty() || self.areas[parts] == survey.areas)
    }

    /// Puts in what was found in dirty groups; the new numbers of all parts, if
    /// they change. Parts of which there are now more or fewer have none, and
    /// groups with arcs to such parts count as changed.
    fn take_in(
        &mut self,
        dirty: &BTreeSet<u32>,
        surveys: Vec<Survey>,
        changed: &mut BTreeSet<u32>,
    ) -> Option<Vec<u32>> {
        let is_same =
            |(&group, survey): (&u32, &Survey)| self.parts(GroupId::new(group)).len() == survey.part_count;
        let numbers = if dirty.iter().zip(&surveys).all(is_same) {
            None
        } else {
            let counts = surveys.iter().map(|survey| survey.part_count);
            Some(self.renumber(dirty.iter().copied().zip(counts), changed))
        };
        if surveys.iter().any(|survey| !survey.areas.is_empty()) {
            self.areas.resize(self.part_count(), 0); // there may have been no part before
        }
        for (&group, survey) in dirty.iter().zip(surveys) {
            let parts = self.parts(GroupId::new(group));
            let parts = parts.start as usize..parts.end as usize;
            self.tables[group as usize] = survey.table;
            self.representatives[parts.clone()].copy_from_slice(&survey.representatives);
            if !survey.areas.is_empty() {
                self.areas[parts].copy_from_slice(&survey.areas);
            }
        }
        numbers
    }

    /// Makes room for so many parts of some groups: those of groups that get more
    /// or fewer go, and new ones take their place.
    fn renumber(
        &mut self,
        counts: impl Iterator<Item = (u32, usize)>,
        changed: &mut BTreeSet<u32>,
    ) -> Vec<u32> {
        let ranges = counts.map(|(group, count)| (group, self.parts(GroupId::new(group)), count));
        let resized: Vec<(u32, Range<u32>, usize)> =
            ranges.filter(|(_, before, count)| before.len() != *count).collect();
        for part in resized.iter().flat_map(|(_, before, _)| before.clone()) {
            self.unlink(part, changed);
        }
        let numbers = self.new_numbers(&resized);
        for (group, before, count) in resized.iter().rev() {
            self.replace_parts(*group, before, *count);
        }
        let is_moved = |part: &u32| numbers[*part as usize] != *part;
        if (0..numbers.len() as u32).any(|part| is_moved(&part) && numbers[part as usize] != VACANT) {
            for row in &mut self.arcs {
                row.iter_mut().for_each(|arc| arc.to = numbers[arc.to as usize]);
            }
            for row in &mut self.sources {
                row.iter_mut().for_each(|part| *part = numbers[*part as usize]);
            }
        }
        numbers
    }

    /// Takes a part out of the arcs and sources of all others.
    fn unlink(&mut self, part: u32, changed: &mut BTreeSet<u32>) {
        for source in std::mem::take(&mut self.sources[part as usize]) {
            let row = &mut self.arcs[source as usize];
            *row = row.iter().copied().filter(|arc| arc.to != part).collect();
            changed.insert(self.group_of[source as usize]);
        }
        for arc in std::mem::take(&mut self.arcs[part as usize]) {
            let row = &mut self.sources[arc.to as usize];
            *row = row.iter().copied().filter(|&source| source != part).collect();
        }
    }

    /// The number that each part has when some groups have other counts.
    fn new_numbers(&self, resized: &[(u32, Range<u32>, usize)]) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.part_count());
        let (mut next, mut old) = (0, 0);
        for (_, before, count) in resized {
            numbers.extend(next..next + (before.start - old));
            numbers.extend(before.clone().map(|_| VACANT));
            next += before.start - old + *count as u32;
            old = before.end;
        }
        numbers.extend(next..next + (self.part_count() as u32 - old));
        numbers
    }

    fn replace_parts(&mut self, group: u32, before: &Range<u32>, count: usize) {
        let parts = before.start as usize..before.end as usize;
        self.group_of.splice(parts.clone(), repeat_n(group, count));
        self.arcs.splice(parts.clone(), repeat_n(Box::default(), count));
        self.sources.splice(parts.clone(), repeat_n(Box::default(), count));
        self.representatives.splice(parts.clone(), repeat_n(VACANT, count));
        if !self.areas.is_empty() {
            self.areas.splice(parts.clone(), repeat_n(0, count));
        }
        if !self.above.is_empty() {
            self.above.splice(parts, repeat_n(VACANT, count));
        }
        for first in &mut self.first_part[group as usize + 1..] {
            *first = *first + count as u32 - before.len() as u32;
        }
    }

    /// Replaces the arcs of a part; whether they were others.
    fn replace_row(&mut self, part: u32, row: Box<[Arc]>) -> bool {
        if self.arcs[part as usize] == row {
            return false;
        }
        let old = std::mem::replace(&mut self.arcs[part as usize], row);
        let heads = |row: &[Arc]| row.iter().map(|arc| arc.to).collect::<BTreeSet<u32>>();
        let (before, after) = (heads(&old), heads(&self.arcs[part as usize]));
        for &gone in before.difference(&after) {
            let sources = &mut self.sources[gone as usize];
            *sources = sources.iter().copied().filter(|&source| source != part).collect();
        }
        for &new in after.difference(&before) {
            let sources = &mut self.sources[new as usize];
            let mut longer = std::mem::take(sources).into_vec();
            let at = longer.partition_point(|&source| source < part);
            longer.insert(at, part);
            *sources = longer.into_boxed_slice();
        }
        true
    }
}

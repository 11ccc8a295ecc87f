//! Updating a hierarchy after the graph or its groups have changed.

use super::below::{Below, GraphBelow, LevelBelow};
use super::build::ManualCosts;
use super::hierarchy::next_revision;
use super::level::{Arc, Level};
use super::part::{PartId, PartRange};
use super::survey::{Link, Survey, SurveyScratch, Surveyor};
use super::{Ground, GroupError, GroupHierarchy, GroupId, Grouping, Members};
use crate::base::{Cost, Node};
use crate::graph::Graph;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::repeat_n;

impl<N: Node> GroupHierarchy<N> {
    /// Updates the hierarchy after arcs out of some nodes have appeared, vanished or
    /// changed their costs. The nodes where these arcs end need not be listed.
    ///
    /// # Guarantee
    /// The result equals a hierarchy built from scratch.
    ///
    /// # Complexity
    /// The groups of these nodes and their neighbours are surveyed again, on every
    /// level on which something changes. From the second level on, add O(parts of the
    /// level below); if groups fall into more or fewer parts than before, O(parts and
    /// arcs of the level) for renumbering. One call with many changes is much cheaper
    /// than many calls.
    ///
    /// # Errors
    /// [`GroupError`] if the number of groups has changed.
    pub fn update<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        nodes: impl IntoIterator<Item = N>,
    ) -> Result<(), GroupError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let nodes = nodes.into_iter().filter(|&node| ground.graph.index(node) < ground.graph.node_count());
        let groups: BTreeSet<GroupId> = nodes.map(|node| ground.groups.locate(node).0).collect();
        self.update_groups(ground, groups)
    }

    /// Like [`GroupHierarchy::update`], after anything inside these groups or in links
    /// out of them has changed.
    ///
    /// # Errors
    /// [`GroupError`] if the number of groups has changed, or if there is no such
    /// group.
    pub fn update_groups<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        groups: impl IntoIterator<Item = GroupId>,
    ) -> Result<(), GroupError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let (expected, found) = (self.group_count(1), ground.groups.group_count());
        if expected != found {
            return Err(GroupError::OtherGroups { expected, found });
        }
        let groups: BTreeSet<GroupId> = groups.into_iter().collect();
        if let Some(&group) = groups.last().filter(|group| group.index() >= found) {
            return Err(GroupError::UnknownGroup { level: 1, group, groups: found });
        }
        self.update_unchecked(ground, groups);
        Ok(())
    }

    /// Updates groups that are known to exist.
    pub(super) fn update_unchecked<G, P>(&mut self, ground: Ground<'_, G, P>, groups: BTreeSet<GroupId>)
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        self.update_from(ground, 1, groups);
    }

    /// Adds groups without nodes to the first level, each inside a group of the second;
    /// [`GroupHierarchy::update_groups`] then surveys them.
    ///
    /// `above` has one entry per new group. In a hierarchy of one level only their
    /// number counts.
    ///
    /// # Errors
    /// [`GroupError::UnknownGroup`] if the second level has no such group.
    pub fn add_groups(&mut self, above: &[GroupId]) -> Result<(), GroupError> {
        if let Some(upper) = self.uppers.first_mut() {
            let groups = upper.group_count();
            if let Some(&group) = above.iter().find(|group| group.index() >= groups) {
                return Err(GroupError::UnknownGroup { level: 2, group, groups });
            }
            let mut numbers = std::mem::take(&mut upper.group_of).into_vec();
            numbers.extend(above.iter().map(|group| group.raw()));
            *upper = Members::tables(numbers, groups);
        }
        if let Some(first) = self.levels.first_mut() {
            let end = first.all_parts().end();
            first.first_part.extend(above.iter().map(|_| end));
            first.tables.extend(above.iter().map(|_| None));
        }
        self.revision = next_revision();
        Ok(())
    }

    /// Moves a group of the first level into another group of the second. Takes effect
    /// with the next [`GroupHierarchy::update_groups`]. Does nothing in a hierarchy of
    /// one level.
    ///
    /// # Errors
    /// [`GroupError::UnknownGroup`] if there is no such group.
    pub fn move_group(&mut self, group: GroupId, above: GroupId) -> Result<(), GroupError> {
        let Some(upper) = self.uppers.first_mut() else { return Ok(()) };
        let counts = [(1, group, upper.node_count()), (2, above, upper.group_count())];
        if let Some(&(level, group, groups)) = counts.iter().find(|(_, group, count)| group.index() >= *count)
        {
            return Err(GroupError::UnknownGroup { level, group, groups });
        }
        let before = upper.group_of(group.as_node());
        if before != above {
            let groups = upper.group_count();
            let mut numbers = std::mem::take(&mut upper.group_of).into_vec();
            numbers[group.index()] = above.raw();
            *upper = Members::tables(numbers, groups);
            self.regrouped.extend([before, above]);
            self.revision = next_revision();
        }
        Ok(())
    }

    /// Sets the cost of the connection from one group to another by hand, or with
    /// `None` goes back to the rule. The cost lasts through updates.
    ///
    /// # Errors
    /// [`GroupError`] if the groups are not connected.
    pub fn set_cost<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        level: usize,
        from: GroupId,
        to: GroupId,
        cost: Option<Cost>,
    ) -> Result<(), GroupError>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let (expected, found) = (self.group_count(1), ground.groups.group_count());
        if expected != found {
            return Err(GroupError::OtherGroups { expected, found });
        }
        let key = (from, to);
        let is_known = |manual_costs: &ManualCosts| manual_costs.contains_key(&key);
        // A cost can be reset even if the connection has vanished since.
        let is_taken_back =
            cost.is_none() && self.manual_costs.get(level.wrapping_sub(1)).is_some_and(is_known);
        if self.connection(level, from, to).is_none() && !is_taken_back {
            return Err(GroupError::NotConnected { level, from, to });
        }
        match cost {
            Some(cost) => self.manual_costs[level - 1].insert(key, cost),
            None => self.manual_costs[level - 1].remove(&key),
        };
        self.update_from(ground, level, BTreeSet::from([from]));
        Ok(())
    }

    /// Updates dirty groups of a level, and every level above on which that changes
    /// something.
    fn update_from<G, P>(&mut self, ground: Ground<'_, G, P>, level: usize, dirty: BTreeSet<GroupId>)
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        self.revision = next_revision();
        let mut dirty = dirty;
        if level == 2 {
            dirty.append(&mut self.regrouped);
        }
        for number in level..=self.levels.len() {
            let mut level = std::mem::take(&mut self.levels[number - 1]);
            let changed = self.update_level(ground, number, &mut level, &dirty);
            self.levels[number - 1] = level;
            let Some(upper) = self.uppers.get(number - 1) else { return };
            dirty = changed.iter().map(|group| upper.group_of(group.as_node())).collect();
            if number == 1 {
                dirty.append(&mut self.regrouped);
            }
            if dirty.is_empty() {
                return;
            }
        }
    }

    /// Updates dirty groups of one level, which the caller has taken out of the
    /// hierarchy; returns the groups that changed.
    fn update_level<G, P>(
        &mut self,
        ground: Ground<'_, G, P>,
        number: usize,
        level: &mut Level,
        dirty: &BTreeSet<GroupId>,
    ) -> BTreeSet<GroupId>
    where
        G: Graph<Node = N> + Sync,
        P: Grouping<N> + Sync,
    {
        let (representative, connection) = (ground.representative, self.connection);
        let manual_costs = &self.manual_costs[number - 1];
        let Some(lower) = number.checked_sub(2) else {
            let below = GraphBelow { graph: ground.graph, groups: ground.groups };
            let surveyor = Surveyor { below: &below, number, representative, connection };
            return surveyor.update(level, manual_costs, dirty).changed;
        };
        let part_of = |node| self.existing_part_on(ground, node, number - 1);
        let below = LevelBelow::new(&self.levels[lower], &self.uppers[lower], &part_of);
        let surveyor = Surveyor { below: &below, number, representative, connection };
        let update = surveyor.update(level, manual_costs, dirty);
        let old = &self.levels[lower].above;
        // Parts in groups that are not dirty lie where they did: translating the number
        // is cheaper than looking the place up.
        let above = |part: PartId| match old.get(part.index()) {
            Some(&above) if !dirty.contains(&below.groups().locate(part.as_node()).0) => {
                update.renumbered(above)
            }
            _ => below.part_above(level, part),
        };
        let above = self.levels[lower].all_parts().iter().map(above).collect();
        self.levels[lower].above = above;
        update.changed
    }
}

/// The result of updating a level.
struct Update {
    /// Groups whose parts, arcs or representatives changed.
    changed: BTreeSet<GroupId>,
    /// The new index of each part; `None` if parts kept their indices.
    new_ids: Option<Vec<PartId>>,
}

impl Update {
    fn renumbered(&self, part: PartId) -> PartId {
        match &self.new_ids {
            Some(new_ids) => new_ids.get(part.index()).copied().unwrap_or(PartId::NONE),
            None => part,
        }
    }
}

impl<B: Below> Surveyor<'_, B> {
    /// Brings a level up to date with dirty groups.
    ///
    /// What a connection costs depends on the links into its group, so the neighbours
    /// of dirty groups are *affected*: their arcs are computed again, too. For these,
    /// the links of the affected groups' neighbours are needed, and no more. Neighbours
    /// are taken from before and after the change: a link may have gone or come.
    fn update(&self, level: &mut Level, manual_costs: &ManualCosts, dirty: &BTreeSet<GroupId>) -> Update {
        let mut scratch = SurveyScratch::default();
        let mut affected = level.neighbours(dirty);
        let surveys: Vec<Survey> = dirty.iter().map(|&group| self.survey(group, &mut scratch)).collect();
        let mut changed = BTreeSet::new();
        for (&group, survey) in dirty.iter().zip(&surveys) {
            affected.extend(survey.neighbours());
            if !level.matches(group, survey) {
                changed.insert(group);
            }
        }
        affected.extend(dirty);
        let new_ids = level.store_surveys(dirty, surveys, &mut changed);
        self.connect_again(level, manual_costs, &affected, &mut scratch, &mut changed);
        Update { changed, new_ids }
    }

    /// Computes the arcs of affected groups again, and adds those groups whose arcs
    /// are different now to `changed`.
    fn connect_again(
        &self,
        level: &mut Level,
        manual_costs: &ManualCosts,
        affected: &BTreeSet<GroupId>,
        scratch: &mut SurveyScratch,
        changed: &mut BTreeSet<GroupId>,
    ) {
        let mut sources = level.neighbours(affected);
        sources.extend(affected);
        let links = |group| (group, self.find_links(level, group, scratch));
        let out: BTreeMap<GroupId, Vec<Link>> = sources.into_iter().map(links).collect();
        let mut into: BTreeMap<GroupId, Vec<Link>> = BTreeMap::new();
        for link in out.values().flatten() {
            into.entry(level.group_of[link.to.index()]).or_default().push(*link);
        }
        for &group in affected {
            let entering = into.get(&group).map_or(&[][..], Vec::as_slice).iter();
            let rows = self.connect(level, group, &out[&group], &entering, scratch);
            for (part, mut row) in level.parts(group).iter().zip(rows) {
                level.apply_manual_costs(manual_costs, part, &mut row);
                if level.replace_row(part, row) {
                    changed.insert(group);
                }
            }
        }
    }
}

/// A group whose number of parts changes.
struct Resized {
    group: GroupId,
    before: PartRange,
    count: usize,
}

impl Level {
    /// The groups with an arc to or from one of these groups.
    fn neighbours(&self, groups: &BTreeSet<GroupId>) -> BTreeSet<GroupId> {
        let parts = groups.iter().flat_map(|&group| self.parts(group).iter());
        let others = parts.flat_map(|part| {
            let heads = self.arcs[part.index()].iter().map(|arc| arc.to);
            heads.chain(self.sources[part.index()].iter().copied())
        });
        others.map(|part| self.group_of[part.index()]).collect()
    }

    /// Whether the level already holds what a survey found in a group.
    fn matches(&self, group: GroupId, survey: &Survey) -> bool {
        let parts = self.parts(group).indices();
        parts.len() == survey.part_count
            && self.tables[group.index()] == survey.table
            && self.representatives[parts.clone()] == survey.representatives
            && (self.areas.is_empty() || self.areas[parts] == survey.areas)
    }

    /// Stores what was found in dirty groups. Returns the new index of every part, or
    /// `None` if no group has more or fewer parts than before.
    ///
    /// Parts of a group whose count changes become [`PartId::NONE`], and groups with
    /// arcs to such parts are added to `changed`.
    fn store_surveys(
        &mut self,
        dirty: &BTreeSet<GroupId>,
        surveys: Vec<Survey>,
        changed: &mut BTreeSet<GroupId>,
    ) -> Option<Vec<PartId>> {
        let with_counts = dirty.iter().zip(&surveys).map(|(&group, survey)| {
            let (before, count) = (self.parts(group), survey.part_count);
            Resized { group, before, count }
        });
        let resized: Vec<Resized> = with_counts.filter(|group| group.before.len() != group.count).collect();
        // Renumbering looks at every part of the level: most edits do without.
        let new_ids = (!resized.is_empty()).then(|| self.resize_groups(&resized, changed));
        if surveys.iter().any(|survey| !survey.areas.is_empty()) {
            // A level without any parts had no areas, either.
            self.areas.resize(self.part_count(), 0);
        }
        for (&group, survey) in dirty.iter().zip(surveys) {
            let parts = self.parts(group).indices();
            self.tables[group.index()] = survey.table;
            self.representatives[parts.clone()].copy_from_slice(&survey.representatives);
            if !survey.areas.is_empty() {
                self.areas[parts].copy_from_slice(&survey.areas);
            }
        }
        new_ids
    }

    /// Gives groups another number of parts: their old parts are removed and blank ones
    /// take their place. Returns the new index of every part.
    fn resize_groups(&mut self, resized: &[Resized], changed: &mut BTreeSet<GroupId>) -> Vec<PartId> {
        // Unlink while all indices are still the old ones.
        for part in resized.iter().flat_map(|group| group.before.iter()) {
            self.unlink(part, changed);
        }
        let new_ids = self.new_ids(resized);
        // From the back, so that the ranges of the groups before stay valid.
        for group in resized.iter().rev() {
            self.replace_parts(group);
        }
        let mut moves = (0..).map(PartId::new).zip(&new_ids);
        if moves.any(|(old, &new)| new != old && new != PartId::NONE) {
            for row in &mut self.arcs {
                row.iter_mut().for_each(|arc| arc.to = new_ids[arc.to.index()]);
            }
            for row in &mut self.sources {
                row.iter_mut().for_each(|part| *part = new_ids[part.index()]);
            }
        }
        new_ids
    }

    /// Removes a part from the arcs and sources of all others. The groups that had an
    /// arc to it are changed even if they get an equal one back: the part it led to is
    /// gone, and the level above has to look again.
    fn unlink(&mut self, part: PartId, changed: &mut BTreeSet<GroupId>) {
        for source in std::mem::take(&mut self.sources[part.index()]) {
            let row = &mut self.arcs[source.index()];
            *row = row.iter().copied().filter(|arc| arc.to != part).collect();
            changed.insert(self.group_of[source.index()]);
        }
        for arc in std::mem::take(&mut self.arcs[part.index()]) {
            let row = &mut self.sources[arc.to.index()];
            *row = row.iter().copied().filter(|&source| source != part).collect();
        }
    }

    /// The index that each part will have once groups are resized.
    fn new_ids(&self, resized: &[Resized]) -> Vec<PartId> {
        let mut new_ids: Vec<PartId> = Vec::with_capacity(self.part_count());
        let (mut next, mut old) = (0, 0);
        for &Resized { before, count, .. } in resized {
            let kept = before.start().raw() - old;
            new_ids.extend((next..next + kept).map(PartId::new));
            new_ids.extend(before.iter().map(|_| PartId::NONE));
            next += kept + count as u32;
            old = before.end().raw();
        }
        new_ids.extend((next..next + (self.part_count() as u32 - old)).map(PartId::new));
        new_ids
    }

    /// Replaces the parts of a group by blank ones.
    fn replace_parts(&mut self, &Resized { group, before, count }: &Resized) {
        let parts = before.indices();
        self.group_of.splice(parts.clone(), repeat_n(group, count));
        self.arcs.splice(parts.clone(), repeat_n(Box::default(), count));
        self.sources.splice(parts.clone(), repeat_n(Box::default(), count));
        self.representatives.splice(parts.clone(), repeat_n(u32::MAX, count));
        if !self.areas.is_empty() {
            self.areas.splice(parts.clone(), repeat_n(0, count));
        }
        if !self.above.is_empty() {
            self.above.splice(parts, repeat_n(PartId::NONE, count));
        }
        for first in &mut self.first_part[group.index() + 1..] {
            *first = PartId::new(first.raw() + count as u32 - before.len() as u32);
        }
    }

    /// Replaces the arcs of a part and adjusts the sources of the parts they lead to;
    /// returns whether anything changed.
    fn replace_row(&mut self, part: PartId, row: Box<[Arc]>) -> bool {
        if self.arcs[part.index()] == row {
            return false;
        }
        let old = std::mem::replace(&mut self.arcs[part.index()], row);
        let heads = |row: &[Arc]| row.iter().map(|arc| arc.to).collect::<BTreeSet<PartId>>();
        let (before, after) = (heads(&old), heads(&self.arcs[part.index()]));
        for gone in before.difference(&after) {
            let sources = &mut self.sources[gone.index()];
            *sources = sources.iter().copied().filter(|&source| source != part).collect();
        }
        for new in after.difference(&before) {
            let sources = &mut self.sources[new.index()];
            let mut longer = std::mem::take(sources).into_vec();
            let at = longer.partition_point(|&source| source < part);
            longer.insert(at, part);
            *sources = longer.into_boxed_slice();
        }
        true
    }
}

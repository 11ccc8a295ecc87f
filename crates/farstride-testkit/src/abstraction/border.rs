//! Where clusters touch: borders, entrances and transitions.

use super::AbstractionSettings;
use crate::map::{PlainMap, Point};
use std::collections::{BTreeMap, BTreeSet};

/// The two cells on either side of a border between clusters.
pub(super) type Pair = (Point, Point);

/// The entrances along the common border of two adjacent 1-clusters: the pairs
/// of each longest free run.
pub(super) fn entrances<'a>(map: &PlainMap, border: &'a [Pair]) -> Vec<&'a [Pair]> {
    let is_free = |&(one, other): &Pair| map.is_free_at(one) && map.is_free_at(other);
    let runs = border.chunk_by(|one, next| is_free(one) == is_free(next));
    runs.filter(|run| is_free(&run[0])).collect()
}

/// The pairs along each border between two adjacent clusters: the borders on
/// the right of a cluster, then those below one.
pub(super) fn borders(map: &PlainMap, side: usize) -> Vec<Vec<Pair>> {
    let upright = stretches(map.width, map.height, side);
    let upright = upright.map(|(x, rows)| rows.map(|y| ((x - 1, y), (x, y))).collect());
    let level = stretches(map.height, map.width, side);
    let level = level.map(|(y, columns)| columns.map(|x| ((x, y - 1), (x, y))).collect());
    upright.chain(level).collect()
}

/// Where clusters meet along one axis, `across` cells long, each place with the
/// stretches into which clusters divide the other axis, `along` cells long.
pub(super) fn stretches(
    across: usize,
    along: usize,
    side: usize,
) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let stretch = move |first: usize| first..along.min(first.saturating_add(side));
    (side..across)
        .step_by(side)
        .flat_map(move |place| (0..along).step_by(side).map(move |first| (place, stretch(first))))
}

/// The transitions of an entrance. A middle between two pairs is the first of
/// them; ends that coincide are one transition.
pub(super) fn transitions(entrance: &[Pair], threshold: usize) -> BTreeSet<Pair> {
    let last = entrance.len() - 1;
    if entrance.len() < threshold {
        BTreeSet::from([entrance[last / 2]])
    } else {
        BTreeSet::from([entrance[0], entrance[last]])
    }
}

/// The transitions of an entrance on a border of a level where all ground weighs
/// the same, with their heights.
///
/// An entrance narrower than one and a half gaps has one in the middle. Any other
/// is divided into as few parts as can be, none longer than so many gaps and all
/// of the same length but for rounding down, and has transitions where parts begin
/// and end. Of these, the outermost keep the level of the border if the entrance
/// is as wide as the threshold, otherwise the middle one, or the one before the
/// middle; the others keep level 2 at most.
pub(super) fn even_transitions(
    entrance: &[Pair],
    settings: AbstractionSettings,
    gaps: usize,
    level: usize,
) -> Vec<(Pair, usize)> {
    let steps = entrance.len() - 1;
    if 2 * entrance.len() < 3 * settings.gap {
        return vec![(entrance[steps / 2], level)];
    }
    let parts = (1..=steps).find(|parts| steps <= parts * gaps * settings.gap).unwrap_or(1);
    let keeps = |place: usize| {
        if entrance.len() < settings.entrance { place == parts / 2 } else { [0, parts].contains(&place) }
    };
    let height = |place| if keeps(place) { level } else { level.min(2) };
    (0..=parts).map(|place| (entrance[steps * place / parts], height(place))).collect()
}

/// A whole border of the highest level without nets that it belongs to, with its weights.
///
/// # The rule
///
/// A *stretch* of level l is a longest free run along the border of two adjacent
/// l-clusters; the whole border consists of one or more such borders for each l
/// up to its own level. The transitions of height 1 or more are chosen from all
/// pairs of a stretch of level 1, those of height l or more from the ones of
/// height l - 1 or more on a stretch of level l. One after the other is taken
/// unless it is *close* to one that is taken already, in this order:
///
/// * those that weigh less come first;
/// * then those nearer to an end of the longest run of the same weight around the
///   pair, which may reach beyond the stretch;
/// * then those nearer to the beginning of the border.
///
/// Two pairs are close if less than [`AbstractionSettings::apart`] lies between
/// them, or less than one and a half times that on ground of one weight.
pub(super) struct Terrain<'a> {
    border: &'a [Pair],
    /// What each pair weighs together, 0 if it is not free.
    sums: Vec<u64>,
}

impl<'a> Terrain<'a> {
    pub(super) fn of(map: &PlainMap, border: &'a [Pair]) -> Self {
        let sum = |&(one, other): &Pair| {
            let is_free = map.is_free_at(one) && map.is_free_at(other);
            if is_free { map.weight(one) + map.weight(other) } else { 0 }
        };
        Self { sums: border.iter().map(sum).collect(), border }
    }

    /// Whether all free pairs weigh the same.
    pub(super) fn is_even(&self) -> bool {
        self.sums.iter().filter(|&&sum| sum > 0).collect::<BTreeSet<_>>().len() <= 1
    }

    /// The transitions with their heights, of which `level` is the largest.
    pub(super) fn transitions(&self, settings: AbstractionSettings, level: usize) -> Vec<(Pair, usize)> {
        let mut heights = BTreeMap::new();
        let mut left: BTreeSet<usize> = (0..self.sums.len()).collect();
        for height in 1..=level.min(settings.plain_levels()) {
            let stretches = self.stretches(settings.side(height));
            let kept = stretches.flat_map(|stretch| {
                let candidates = left.iter().copied().filter(|at| stretch.contains(at));
                let rank = |at: usize| (self.sums[at], self.off_end(at), at);
                let order: BTreeSet<_> = candidates.map(rank).collect();
                self.thinned(order.into_iter().map(|(.., at)| at), settings.apart(height))
            });
            left = kept.collect();
            heights.extend(left.iter().map(|&at| (at, height)));
        }
        let raised = |height| if height == level.min(settings.plain_levels()) { level } else { height };
        heights.into_iter().map(|(at, height)| (self.border[at], raised(height))).collect()
    }

    /// The longest free runs of each part of the border.
    fn stretches(&self, side: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        let places: Vec<usize> = (0..self.sums.len()).collect();
        let is_free = |at: usize| self.sums[at] > 0;
        let together =
            move |one: &usize, next: &usize| is_free(*one) == is_free(*next) && one / side == next / side;
        let runs: Vec<_> = places.chunk_by(together).map(|run| run[0]..run[run.len() - 1] + 1).collect();
        runs.into_iter().filter(move |run| is_free(run.start))
    }

    /// How far a pair is from the nearer end of the longest run of the same weight
    /// around it.
    pub(super) fn off_end(&self, at: usize) -> usize {
        let is_same = |&other: &usize| self.sums[other] == self.sums[at];
        let first = (0..=at).rev().take_while(is_same).last().unwrap_or(at);
        let last = (at..self.sums.len()).take_while(is_same).last().unwrap_or(at);
        (at - first).min(last - at)
    }

    /// Those that are not close to one before them.
    fn thinned(&self, order: impl Iterator<Item = usize>, apart: usize) -> Vec<usize> {
        let close = |one: usize, other: usize| {
            let (low, high) = (one.min(other), one.max(other));
            let is_even = self.sums[low..=high].iter().collect::<BTreeSet<_>>().len() == 1;
            let enough = if is_even { apart.saturating_add(apart.div_ceil(2)) } else { apart };
            high - low < enough
        };
        order.fold(Vec::new(), |mut taken, at| {
            if !taken.iter().any(|&other| close(at, other)) {
                taken.push(at);
            }
            taken
        })
    }
}

//! Where two labels meet: the label of the start is spread out in a table by hub, and the
//! record of the goal is scanned for the hub with the least sum.

use super::record::{MOST_HUBS, MOST_VIAS, Record, Way};

/// Where two labels meet: a hub, and the vias by which it is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting {
    pub(crate) cost: u32,
    /// Rank of the hub.
    pub(crate) hub: usize,
    /// Position of the via in the record of the start.
    pub(crate) from: usize,
    /// Position of the via in the record of the goal.
    pub(crate) to: usize,
}

/// Writes `top` minus the way to every hub of a label into `best`: larger is nearer.
///
/// `UNIQUE` if no two vias have the same rank; then those of vias need no comparison.
#[inline]
pub(crate) fn scatter<const UNIQUE: bool>(
    record: &Record<'_>,
    links: &[u32; MOST_VIAS],
    top: i64,
    best: &mut [i64; MOST_HUBS],
) {
    for ((hub, &link), via) in record.hubs().zip(links).zip(0..) {
        let way = top - Way::new(link, via).0;
        best[hub] = if UNIQUE { way } else { best[hub].max(way) };
    }
    for entry in record.entries() {
        let way = entry.way().after(links[entry.via()]);
        best[entry.hub()] = best[entry.hub()].max(top - way.0);
    }
}

/// The least cost at which a label meets the one spread out in `best`.
#[inline]
pub(crate) fn least(
    record: &Record<'_>,
    links: &[u32; MOST_VIAS],
    top: i64,
    best: &[i64; MOST_HUBS],
) -> Option<u32> {
    let none = top - Way::FAR.0;
    let vias = record.hubs().zip(links).map(|(hub, &link)| best[hub] - Way::new(link, 0).0);
    let entries = record
        .entries()
        .map(|entry| best[entry.hub()] - Way::new(entry.cost(), 0).after(links[entry.via()]).0);
    let nearest = entries.fold(vias.fold(none, i64::max), i64::max);
    (nearest > none).then(|| Way(top - nearest).cost())
}

/// The hub at which a label meets the one spread out in `best` at the least cost.
#[inline]
pub(crate) fn gather(
    record: &Record<'_>,
    links: &[u32; MOST_VIAS],
    top: i64,
    best: &[i64; MOST_HUBS],
) -> Option<Meeting> {
    let none = top - Way::FAR.0;
    let (mut nearest, mut place) = (none, 0);
    for (at, (hub, &link)) in record.hubs().zip(links).enumerate() {
        let sum = best[hub] - Way::new(link, 0).0;
        if sum > nearest {
            (nearest, place) = (sum, at);
        }
    }
    let vias = record.via_count();
    for (at, entry) in record.entries().enumerate() {
        let sum = best[entry.hub()] - Way::new(entry.cost(), 0).after(links[entry.via()]).0;
        if sum > nearest {
            (nearest, place) = (sum, vias + at);
        }
    }
    if nearest == none {
        return None;
    }
    let (hub, to) = match place.checked_sub(vias) {
        None => (record.hubs().nth(place)?, place),
        Some(at) => record.entry(at).map(|entry| (entry.hub(), entry.via()))?,
    };
    let way = Way(top - nearest);
    Some(Meeting { cost: way.cost(), hub, from: way.via(), to })
}

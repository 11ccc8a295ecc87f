use super::*;
use farstride_testkit::SplitMix64;

/// Costs between nodes, of which those with the same remainder reach each other: up to `most`, or of so many steps if it is 0.
fn matrix(count: usize, islands: usize, most: usize, random: &mut SplitMix64) -> Vec<u64> {
    let mut matrix = vec![UNREACHABLE; count * count];
    for from in 0..count {
        matrix[from * count + from] = 0;
        for to in (0..from).filter(|to| to % islands == from % islands) {
            let [straight, diagonal] = if count.is_multiple_of(2) { [4756, 6726] } else { [2500, 3550] };
            let steps = straight * random.between(1, 255) + diagonal * random.below(255);
            let cost = if most == 0 { steps } else { random.between(1, most) } as u64;
            matrix[from * count + to] = cost;
            matrix[to * count + from] = cost;
        }
    }
    matrix
}

fn nodes(count: usize) -> Vec<(u32, Cell)> {
    (0..count as u32).map(|node| (7 * node + 3, Cell::new(node as u16, 5))).collect()
}

/// Every reader gives what the matrix has.
fn check(record: &[u8], (count, half): (usize, bool), matrix: &[u64]) {
    let costs = Costs::new(record);
    Costs::check_form(record, count, half).unwrap();
    let mut spots: Vec<usize> = (0..count).map(|rank| Costs::spot_in(record, rank)).collect();
    assert!(spots.iter().enumerate().all(|(rank, &spot)| costs.rank_on(spot) == rank));
    spots.sort_unstable();
    assert!(spots.into_iter().eq(0..count));
    assert!(costs.pairs().map(|(one, other)| costs.pair(other, one)).eq((0..costs.pair_count()).map(Some)));
    let mut counted: Vec<_> = costs.pairs().collect();
    assert!(counted.iter().all(|(one, other)| one < other));
    counted.sort_unstable();
    let is_counted =
        |&(one, other): &(usize, usize)| !costs.has_islands() || matrix[one * count + other] != UNREACHABLE;
    let all = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
    assert!(all.filter(is_counted).eq(counted));
    let (mut copied, mut copied_whole) = (Vec::new(), Vec::new());
    for (from, expected) in matrix.chunks(count).enumerate() {
        let units = |cost: Option<Cost>| cost.map_or(UNREACHABLE, Cost::units);
        let row = costs.row(from);
        assert!((0..count).map(|to| units(row.cost(to))).eq(expected.iter().copied()));
        let mut reached = vec![UNREACHABLE; count];
        row.for_each(|to, cost| reached[to] = cost.units());
        assert_eq!(reached, expected);
        reached[..from].fill(UNREACHABLE);
        row.for_each_lower(|to, cost| reached[to] = cost.units());
        assert_eq!(reached, expected);
        let words = |cost: &u64| (*cost as u32).to_le_bytes();
        if let Some(whole) = row.whole(&mut copied_whole) {
            assert!(whole.iter().copied().eq(expected.iter().map(words)));
            let island = row.narrow(&mut copied).unwrap();
            assert!(row.spots().zip(island).all(|(spot, &cost)| cost == whole[costs.rank_on(spot)]));
            assert!(row.spots().contains(&Costs::spot_in(record, from)));
            assert!(row.has_lower_bytes_of(&row));
        }
    }
}

#[test]
fn islands_hold_what_a_whole_matrix_holds() {
    let mut random = SplitMix64::new(3);
    let mut with_islands = 0;
    for count in [1, 2, 3, 8, 21, 60] {
        for islands in 1..=count.min(9) {
            let most = [1 << 20, 1 << 31, 0];
            for (most, half) in most.into_iter().flat_map(|most| [(most, false), (most, true)]) {
                let matrix = matrix(count, islands, most, &mut random);
                let record = Costs::encode(&nodes(count), &matrix, half);
                with_islands += usize::from(Costs::new(&record).has_islands());
                check(&record, (count, half), &matrix);
                let renamed = Costs::new(&record).renamed(nodes(count).into_iter().map(|(node, _)| node));
                assert_eq!(renamed, record);
            }
        }
    }
    assert!(with_islands > 50);
}

#[test]
fn costs_that_change_give_the_record_of_the_new_costs() {
    let mut random = SplitMix64::new(4);
    let mut changes = [0; 4];
    for round in 0..200 {
        let (count, half) = (random.between(2, 30), round % 2 == 0);
        let [islands, other] = [0; 2].map(|_| random.between(1, 6));
        let [before, after] = [islands, if round % 3 == 0 { islands } else { other }]
            .map(|islands| matrix(count, islands, [0, 1 << 20][random.below(2)], &mut random));
        let mut record = Costs::encode(&nodes(count), &before, half);
        for one in 0..count {
            for other in 0..one {
                assert!(Costs::change(&mut record, (one, other), after[one * count + other]));
            }
        }
        let expected = Costs::encode(&nodes(count), &after, half);
        assert_eq!(Costs::settled(record), expected);
        let [had, has] = [&Costs::encode(&nodes(count), &before, half), &expected]
            .map(|record| Costs::new(record).has_islands());
        changes[2 * usize::from(had) + usize::from(has)] += 1;
    }
    assert!(changes.iter().all(|&count| count > 10), "{changes:?}");
    let mut record = Costs::encode(&nodes(2), &[0, 1, 1, 0], false);
    assert!(!Costs::change(&mut record, (0, 1), 1 << 30));
}

#[test]
fn there_is_one_record_for_the_same_costs() {
    let mut random = SplitMix64::new(6);
    for (count, islands, is_better) in [(20, 4, true), (3, 3, false)] {
        let matrix = matrix(count, islands, 1 << 20, &mut random);
        let record = Costs::encode(&nodes(count), &matrix, false);
        assert_eq!(Costs::new(&record).has_islands(), is_better);
        let joined = Costs::new(&record).joined();
        assert_eq!(Costs::check_form(&joined, count, false).is_err(), is_better);
    }
}

#[test]
fn forged_islands_are_refused() {
    let mut random = SplitMix64::new(5);
    for (count, most, half) in
        [(20, 1 << 20, false), (27, 1 << 20, true), (21, 1 << 31, false), (60, 0, true)]
    {
        let matrix = matrix(count, 4, most, &mut random);
        let record = Costs::encode(&nodes(count), &matrix, half);
        assert!(Costs::new(&record).has_islands());
        let first = (1 + 2 * count) * WORD;
        for at in first..first + Islands::words(count, 4) * WORD {
            for bit in 0..8 {
                let mut forged = record.clone();
                forged[at] ^= 1 << bit;
                assert!(Costs::check_form(&forged, count, half).is_err(), "byte {at}");
            }
        }
        for length in 0..record.len() {
            assert!(Costs::check_form(&record[..length], count, half).is_err());
        }
    }
}

/// Whatever bytes are accepted can be read, and are what is made of the costs that they hold.
#[test]
fn accepted_costs_are_the_only_record_of_what_they_hold() {
    let mut random = SplitMix64::new(7);
    let mut accepted = 0;
    for (count, islands, most, half) in
        [(9, 1, 0, true), (8, 2, 0, true), (13, 5, 0, true), (6, 1, 1 << 20, false), (7, 3, 1 << 31, true)]
    {
        let matrix = matrix(count, islands, most, &mut random);
        let record = Costs::encode(&nodes(count), &matrix, half);
        for bit in 0..8 * record.len() {
            let mut forged = record.clone();
            forged[bit / 8] ^= 1 << (bit % 8);
            if Costs::check_form(&forged, count, half).is_err() {
                continue;
            }
            accepted += 1;
            let costs = Costs::new(&forged);
            let units = |from, to| costs.cost(from, to).map_or(UNREACHABLE, Cost::units);
            let all = (0..costs.count()).flat_map(|from| (0..costs.count()).map(move |to| (from, to)));
            let held: Vec<u64> = all.map(|(from, to)| units(from, to)).collect();
            let members = costs.members();
            let island = |rank| members.iter().position(|members| members.contains(&rank));
            let is_sound = costs.pairs().all(|(one, other)| {
                units(one, other) == units(other, one)
                    && (units(one, other) == UNREACHABLE) == (island(one) != island(other))
            });
            let zeros = (0..costs.count()).all(|rank| units(rank, rank) == 0);
            // Others are refused by later proofs.
            if is_sound && zeros {
                assert_eq!(Costs::encode(&costs.places(), &held, half), forged, "bit {bit}");
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

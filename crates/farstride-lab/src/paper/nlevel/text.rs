//! The summary in words.

use super::published::METHODS;
use super::summary::{MethodRow, SetRow, Summary};
use crate::paper::table::{Both, Table, row, section};
use std::fmt::{self, Write as _};

/// The whole summary.
pub(super) fn markdown(summary: &Summary) -> Result<String, fmt::Error> {
    let mut text = String::from("# Identifying Hierarchies for Fast Optimal Search, measured again\n\n");
    let Summary { seconds, limit, maps, queries, listed_queries, differing, .. } = summary;
    let sample = if queries == listed_queries {
        format!("All {queries} queries of {maps} maps")
    } else {
        format!(
            "{queries} of the {listed_queries} queries of {maps} maps, at most {limit} per map, evenly spread"
        )
    };
    writeln!(
        text,
        "{sample}; {seconds:.0} s. Everything on one thread; the run time of a query is the least of three, from \
         coordinates to every cell of the path. A map counts as often as its scenario has queries. A* is our \
         own, which leaves out moves that no shortest path needs: a harder rival than the paper's. The \
         published value stands in brackets.\n"
    )?;
    match &summary.first_difference {
        None => writeln!(
            text,
            "Every path of {} is exactly as long as A*'s, and none of TL's is shorter.\n",
            ["S", "S_N", "S_N+"].join(", ")
        )?,
        Some(first) => {
            writeln!(text, "ERROR: {differing} queries differ from A* in length; the first is {first}\n")?;
        }
    }
    let sets = &summary.sets;
    section(&mut text, "Table 1: mean run time of a query, µs", &run_times(sets))?;
    section(&mut text, "Times as fast as A*", &speedups(sets))?;
    section(&mut text, "Table 1: average number of levels", &levels(sets))?;
    section(&mut text, "Table 1: average time for the partition, ms", &partitions(sets))?;
    section(&mut text, "Average size of the graphs", &sizes(sets))?;
    section(&mut text, "Lengths", &lengths(sets))?;
    section(&mut text, "What else the paper says", &claims(summary))?;
    Ok(text)
}

fn table(sets: &[SetRow], methods: &[usize], cell: impl Fn(&MethodRow) -> String) -> Table {
    let mut head = vec!["set".to_owned()];
    head.extend(methods.iter().map(|&method| METHODS[method].to_owned()));
    let mut table = vec![head];
    for set in sets {
        let mut cells = vec![set.set.to_owned()];
        cells.extend(methods.iter().map(|&method| cell(&set.methods[method])));
        table.push(cells);
    }
    table
}

fn run_times(sets: &[SetRow]) -> Table {
    table(sets, &[0, 1, 2, 3, 4], |method| {
        let Both { measured, published } = method.run;
        format!("{measured:.1} ({:.0})", published.unwrap_or_default())
    })
}

fn speedups(sets: &[SetRow]) -> Table {
    table(sets, &[1, 2, 3, 4], |method| method.speedup.written(1))
}

fn levels(sets: &[SetRow]) -> Table {
    table(sets, &[3, 4], |method| method.levels.as_ref().map_or_else(String::new, |levels| levels.written(1)))
}

fn partitions(sets: &[SetRow]) -> Table {
    let mut table = table(sets, &[1, 2, 3, 4], |method| {
        method.build_ms.as_ref().map_or_else(String::new, |build| {
            let published =
                build.published.map_or_else(String::new, |published| format!(" ({published:.0})"));
            format!("{:.1}{published}", build.measured)
        })
    });
    "S, subgoals and edges".clone_into(&mut table[0][1]);
    table
}

fn sizes(sets: &[SetRow]) -> Table {
    let head = [
        "set",
        "maps",
        "subgoals",
        "edges of S",
        "edges of TL",
        "extra in TL",
        "edges of S_N+",
        "extra in S_N+",
    ];
    let mut table = vec![row(head)];
    for set in sets {
        let [_, simple, tl, _, advanced] = &set.methods[..] else { continue };
        let counts =
            [simple.subgoals, simple.edges, tl.edges, tl.extra_edges, advanced.edges, advanced.extra_edges];
        let mut cells = vec![set.set.to_owned(), set.maps.to_string()];
        cells.extend(counts.iter().map(|count| format!("{:.0}", count.unwrap_or_default())));
        table.push(cells);
    }
    table
}

fn lengths(sets: &[SetRow]) -> Table {
    let mut table = vec![row(["set", "queries", "as A* has it", "TL longer by, mean %", "most %"])];
    for set in sets {
        table.push(vec![
            set.set.to_owned(),
            format!("{} of {}", set.queries, set.listed_queries),
            set.agreeing.to_string(),
            format!("{:.4}", set.tl_suboptimality_mean_pct),
            format!("{:.3}", set.tl_suboptimality_max_pct),
        ]);
    }
    table
}

fn claims(summary: &Summary) -> Table {
    let mut table = vec![row(["statement", "its text", "its Table 1", "measured"])];
    for claim in &summary.claims {
        let by_table = claim.published_table.map_or_else(|| "–".to_owned(), |factor| format!("{factor:.1}"));
        let measured = format!("{:.2}", claim.measured);
        table.push(vec![claim.statement.clone(), claim.published.to_string(), by_table, measured]);
    }
    table
}

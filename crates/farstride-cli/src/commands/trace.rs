//! Traces of a search for the visualiser Posthoc (posthoc.pathfinding.ai), in version 1.4.0 of
//! its format, as JSON: a list of events, and how to draw one.

use farstride::search::{Observer, Phase, PriorState};
use farstride::{Cell, Cost, Point, Query};
use std::fmt::Write as _;

/// What comes before the events: how to draw each, and where lines between them end. Events are written as they
/// come, for a search of a large map has millions.
const HEAD: &str = r#"{"version":"1.4.0",
"views":{"main":[{"$":"rect","x":"${{ $.x }}","y":"${{ $.y }}","width":1,"height":1,"fill":"${{ color[$.type] }}"}]},
"pivot":{"x":"${{ $.x + 0.5 }}","y":"${{ $.y + 0.5 }}","scale":1},
"events":["#;

/// Takes a search down.
pub(crate) struct Trace {
    text: String,
    /// Searches begun so far. A cell of another search is another node.
    search: usize,
    phase: Phase,
    /// Whose successors are reported.
    parent: Option<Cell>,
}

impl Trace {
    pub(crate) fn new(query: Query) -> Self {
        let mut trace = Self { text: HEAD.to_owned(), search: 0, phase: Phase::default(), parent: None };
        trace.event("source", "\"start\"", "null", query.start, "");
        trace.event("destination", "\"goal\"", "null", query.goal, "");
        trace
    }

    /// Ends the trace with the path, each of its cells or turning points the child of the last.
    pub(crate) fn finish(mut self, path: &[Point]) -> String {
        for (at, &point) in path.iter().enumerate() {
            let parent =
                at.checked_sub(1).map_or_else(|| "null".to_owned(), |before| format!("\"path {before}\""));
            self.event("end", &format!("\"path {at}\""), &parent, point, "");
        }
        // The comma after the last event.
        self.text.pop();
        self.text += "\n]}\n";
        self.text
    }

    fn event(&mut self, kind: &str, id: &str, parent: &str, place: impl Into<Point>, more: &str) {
        let (x, y) = place.into().to_cells();
        // Writing to a string cannot fail.
        let _ = write!(
            self.text,
            "\n{{\"type\":\"{kind}\",\"id\":{id},\"pId\":{parent},\"x\":{x},\"y\":{y}{more}}},"
        );
    }

    fn node(&self, cell: Cell) -> String {
        format!("\"{} {},{}\"", self.search, cell.x, cell.y)
    }

    fn step(&mut self, kind: &str, cell: Cell, parent: Option<Cell>, g: Cost) {
        let parent = parent.filter(|&parent| parent != cell);
        let parent = parent.map_or_else(|| "null".to_owned(), |parent| self.node(parent));
        let phase = match self.phase {
            Phase::Insert => "insert",
            Phase::Main => "main",
            Phase::Refine => "refine",
        };
        let more = format!(",\"g\":{},\"phase\":\"{phase}\"", g.units());
        self.event(kind, &self.node(cell), &parent, cell, &more);
    }
}

impl Observer<Cell> for Trace {
    fn phase(&mut self, phase: Phase) {
        self.phase = phase;
    }

    fn begun(&mut self) {
        self.search += 1;
        self.parent = None;
    }

    fn expanded(&mut self, cell: Cell, g: Cost) {
        self.parent = Some(cell);
        // Its parent was told when it was reached.
        self.step("expanding", cell, None, g);
    }

    fn resumed(&mut self, cell: Cell, _: Cost) {
        self.parent = Some(cell);
    }

    fn improved(&mut self, cell: Cell, g: Cost, was: PriorState) {
        let kind = if was == PriorState::Unseen { "generating" } else { "updating" };
        self.step(kind, cell, self.parent, g);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farstride::{Engine, Grid, Planner, Scratch};
    use serde_json::Value;
    use std::collections::HashMap;

    /// Every node but the first of a search has a parent that was reached before, and the way back from
    /// the goal leads to the start.
    #[test]
    fn a_trace_is_a_tree() {
        let grid = Grid::from_ascii(".....\n.###.\n...#.\n").unwrap();
        let planner = Planner::with_engine(grid, Engine::Astar).unwrap();
        let query = Query::new((0, 2), (4, 2));
        let (mut trace, mut scratch) = (Trace::new(query), Scratch::new());
        let outcome = planner.find_observed(query, &mut trace, &mut scratch).unwrap();
        let path: Vec<Point> = outcome.route().unwrap().path().turns().collect();
        let trace: Value = serde_json::from_str(&trace.finish(&path)).unwrap();
        assert_eq!(trace["version"], "1.4.0");
        let events = trace["events"].as_array().unwrap();
        assert_eq!([&events[0]["type"], &events[1]["type"]], ["source", "destination"]);
        let mut parents = HashMap::new();
        for event in events.iter().filter(|event| event["type"] == "generating") {
            let (id, parent) = (event["id"].as_str().unwrap(), event["pId"].as_str());
            assert!(parent.is_none_or(|parent| parents.contains_key(parent)), "{event}");
            parents.insert(id, parent);
        }
        let steps = std::iter::successors(Some("1 4,2"), |&at| parents[at]).count();
        assert_eq!(steps, path.len());
        assert_eq!(events.iter().filter(|event| event["type"] == "end").count(), path.len());
    }
}

/** What can be shown on top of the map, in words, and what each needs from which engine. */
import type { EngineName, LayerName } from "farstride";
import type { LayerOrder } from "./slot";
import type { State } from "./state";

export type LayerId =
  | "paths"
  | "heat"
  | "clusters"
  | "entrances"
  | "graph"
  | "abstract"
  | "refined"
  | "subgoals"
  | "subgoalEdges"
  | "taut"
  | "hubs"
  | "meeting";

export interface LayerEntry {
  id: LayerId;
  label: string;
  /** The sentence that says what it is. */
  hint: string;
  /** Engines that have it; empty for those that every engine has. */
  sources: readonly EngineName[];
  /** The engine's layers that it is drawn from. */
  parts: readonly LayerName[];
  /** What its numbers depend on besides the map. */
  by: "map" | "level" | "query" | "cursor";
}

const HIERARCHIES: readonly EngineName[] = ["hpa", "hpt"];
const SUBGOALS: readonly EngineName[] = ["nsg+", "nsg", "tsg", "tl", "ssg"];
const LABELS: readonly EngineName[] = ["labels"];

export const LAYERS: readonly LayerEntry[] = [
  {
    id: "paths",
    label: "Paths, smoothed",
    hint: "The finished path of every chosen engine; dots mark the turns of any-angle paths.",
    sources: [],
    parts: [],
    by: "query",
  },
  {
    id: "heat",
    label: "Expanded nodes",
    hint: "The nodes that the search looked at, in the order in which it did: the heat map of its work.",
    sources: [],
    parts: [],
    by: "query",
  },
  {
    id: "clusters",
    label: "Clusters",
    hint: "HPA* divides the map into squares, and four of those make one of the next level.",
    sources: [...HIERARCHIES, "groups"],
    parts: ["clusters"],
    by: "level",
  },
  {
    id: "entrances",
    label: "Entrances",
    hint: "The cells where paths may pass from one cluster to the next: the nodes of the level.",
    sources: HIERARCHIES,
    parts: ["entrances"],
    by: "level",
  },
  {
    id: "graph",
    label: "Abstract graph",
    hint: "The edges that the abstract search follows, through clusters and between them.",
    sources: [...HIERARCHIES, "groups"],
    parts: ["inter-edges", "intra-edges", "connections"],
    by: "level",
  },
  {
    id: "abstract",
    label: "Abstract path",
    hint: "The path from entrance to entrance, before it is refined into cells.",
    sources: HIERARCHIES,
    parts: ["abstract-path"],
    by: "query",
  },
  {
    id: "refined",
    label: "Refined path",
    hint: "The abstract path in cells, before smoothing straightens it.",
    sources: HIERARCHIES,
    parts: ["refined-path"],
    by: "query",
  },
  {
    id: "subgoals",
    label: "Subgoals and levels",
    hint: "Cells at the corners of walls, where shortest paths bend; warmer colours are higher levels.",
    sources: SUBGOALS,
    parts: ["subgoals"],
    by: "map",
  },
  {
    id: "subgoalEdges",
    label: "Subgoal edges",
    hint: "Subgoals that see each other with no other in between; a search hops along these.",
    sources: SUBGOALS,
    parts: ["subgoal-edges"],
    by: "map",
  },
  {
    id: "taut",
    label: "Taut links",
    hint: "From the cell under the pointer: the links that a shortest path can begin with.",
    sources: LABELS,
    parts: ["taut-links"],
    by: "cursor",
  },
  {
    id: "hubs",
    label: "Hubs of a label",
    hint: "The label of the cell under the pointer: each hub is a subgoal to which it knows the way.",
    sources: LABELS,
    parts: ["hubs"],
    by: "cursor",
  },
  {
    id: "meeting",
    label: "Where the query meets",
    hint: "The labels of start and goal share a hub on a shortest path; here they meet.",
    sources: LABELS,
    parts: ["meeting"],
    by: "query",
  },
];

/** Whether a layer stays the same while the ends and the pointer move. */
export function isStill(layer: LayerName): boolean {
  return LAYERS.some(({ parts, by }) => parts.includes(layer) && (by === "map" || by === "level"));
}

/** The cell that layers of the cursor are about: where the pointer is, else the selected end. */
export function inspectedCell(state: State) {
  return state.cursor ?? state[state.selected];
}

/** What to ask of which engine for the layers that are shown. */
export function layerOrders(
  state: State,
  source: (layer: LayerName) => EngineName | null,
): (LayerOrder & { engine: EngineName; by: LayerEntry["by"] })[] {
  const { start, goal, level } = state;
  const at = inspectedCell(state);
  return LAYERS.filter(({ id }) => state.layers.has(id)).flatMap(({ parts, by }) =>
    parts.flatMap((name) => {
      const engine = source(name);
      if (!engine) return [];
      const options =
        by === "level" ? { level } : by === "query" ? { ...start, goalX: goal.x, goalY: goal.y } : by === "cursor" ? { ...at } : {};
      return [{ name, options, engine, by }];
    }),
  );
}

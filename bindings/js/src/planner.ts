/// <reference lib="esnext.disposable" preserve="true" />
import { array, integer, isOn, offMap, options as given, shown, text, whole } from "./check.js";
import { called, copiedCells, failure, Handle, memory, type Raw, run } from "./engine.js";
import { FarstrideError } from "./error.js";
import { engines as listed, RawPlanner } from "./farstride.js";
import { Grid } from "./grid.js";
import { Plan } from "./plan.js";

/** The engines, by the names of the command line. */
export type EngineName =
  | "dijkstra"
  | "astar"
  | "theta"
  | "lazy-theta"
  | "hpa"
  | "hpt"
  | "ssg"
  | "tsg"
  | "tl"
  | "nsg"
  | "nsg+"
  | "groups"
  | "labels"
  | "overlay"
  | "straight";

/**
 * An engine, or one that the map chooses: `shortest` finds shortest paths, also on weights;
 * `any-angle` is `straight` where its labels fit, else `hpt`, and on maps with weights `hpa`, whose paths
 * are grid paths. Both may change their engine at an edit, and take no settings.
 */
export type EngineChoice = EngineName | "shortest" | "any-angle";

/** What an engine promises. */
export interface EngineInfo {
  name: EngineName;
  /** Whether its grid paths are always the shortest. */
  optimal: boolean;
  /** Whether its paths are straight legs at any angle. */
  anyAngle: boolean;
  /** Whether it prepares an index, which can be saved. */
  hasIndex: boolean;
  /** Whether it works on maps with weights. */
  weights: boolean;
  summary: string;
}

/** Every engine. */
export const engines = (): EngineInfo[] => run(() => listed() as EngineInfo[]);

/** How a query ended. */
export type Status = "found" | "already-there" | "start-blocked" | "goal-blocked" | "unreachable" | "budget-spent";

/** The statuses in the order of the numbers that `Planner.findMany` returns. */
export const statuses: readonly Status[] = [
  "found",
  "already-there",
  "start-blocked",
  "goal-blocked",
  "unreachable",
  "budget-spent",
];

/** How much of a path is wanted: all, its turns, nothing but its cost, or its first steps. */
export type PathDetail = "cells" | "waypoints" | "cost" | { first: number };

/** How a path is found. */
export interface FindOptions {
  /** Default: "cells". */
  detail?: PathDetail;
  /** Most nodes that may be expanded; default: no limit. */
  budget?: number;
  /**
   * Where to write the path, if it fits; `path` is then a part of it, until the next path is written there.
   * Saves an array per query, which takes longer to make than `labels` to find the path.
   */
  into?: Int32Array;
}

/** The answer to a query. */
export interface Route {
  readonly status: Status;
  /** In exact units, 4756 for a straight step; 0 unless found. */
  readonly cost: number;
  /** In straight steps, times weights. */
  readonly length: number;
  /** x, y, x, y, …, in the form asked for; empty if only the cost was. */
  readonly path: Int32Array;
  /** Every cell; turning points of an any-angle path; some cells; nothing; turning points of `straight`, in half cells. */
  readonly form: "cells" | "points" | "waypoints" | "omitted" | "halves";
}

const FORMS = ["cells", "points", "waypoints", "omitted", "halves"] as const;

/** How many nodes a search expanded, by phase and in all, and other counts. */
export interface Effort {
  insert: number;
  main: number;
  refine: number;
  expanded: number;
  generated: number;
  peakNodes: number;
}

/** A search, expansion by expansion. */
export interface SearchTrace {
  route: Route;
  effort: Effort;
  /** The expanded nodes in order: x, y, x, y, …. */
  expanded: Int32Array;
  /** The phase of each: 0 connecting the ends, 1 main search, 2 refining. */
  phase: Uint8Array;
  /** The g of each, in units. */
  g: Float64Array;
}

/** Answers to many queries. */
export interface Routes {
  /** Numbers of `statuses`. */
  status: Uint8Array;
  cost: Float64Array;
  length: Float64Array;
  /** The paths of all queries; those of `straight` in half cells. */
  path: Int32Array;
  /** Where each path begins in `path`, in numbers; the last entry is where the last one ends. */
  offsets: Uint32Array;
}

/** How much of a build is done. */
export interface BuildProgress {
  done: number;
  total: number;
}

/** How an index is built. */
export interface BuildOptions {
  /**
   * Settings of the engine, named as `Planner.settings` names them: cluster, levels, net, group, entrance,
   * keepWays (true, false, "between" or "auto"), smooth, gap (hpa), local, skip (hpt), connection, mode, ahead, aim (groups), budget,
   * block (labels), landmarks (overlay).
   */
  settings?: Record<string, number | string | boolean>;
  /** Called at most 60 times a second. Return false to cancel: the build throws an error of kind "cancelled". */
  onProgress?: (progress: BuildProgress) => boolean | void;
}

/** Cells to change: a rectangle, one cell unless it has a width and a height. Weight 0 blocks. */
export interface Change {
  x: number;
  y: number;
  width?: number;
  height?: number;
  weight: number;
}

/** What an index looks like, in numbers. */
export type LayerName =
  /** hpa, hpt, groups, by level, and overlay: x, y, width, height, … */
  | "clusters"
  /** hpa, hpt: nodes of a level: x, y, … */
  | "entrances"
  /** hpa, hpt: inter-edges of a level: ax, ay, bx, by, … */
  | "inter-edges"
  /** hpa, hpt: intra-edges of a level: ax, ay, bx, by, … */
  | "intra-edges"
  /** groups: connections of a level; overlay: arcs: ax, ay, bx, by, … */
  | "connections"
  /** hpa, hpt, groups, from x, y to goalX, goalY: waypoints of the plan: x, y, level, … */
  | "abstract-path"
  /** hpa, hpt, from x, y to goalX, goalY: the path before smoothing: x, y, … */
  | "refined-path"
  /** Subgoal engines, from a level on: x, y, level, … */
  | "subgoals"
  /** Subgoal engines, from a level on: ax, ay, bx, by, … */
  | "subgoal-edges"
  /** labels: links of the cell x, y, or all between subgoals: ax, ay, bx, by, … */
  | "taut-links"
  /** labels: hubs in the label of the cell x, y, or all: x, y, rank, … */
  | "hubs"
  /** labels: the hub where the labels of x, y and goalX, goalY meet, then the path: x, y, …; empty if they need none. */
  | "meeting";

/** Which part of a layer. */
export interface LayerOptions {
  /** From 1; default 1. */
  level?: number;
  x?: number;
  y?: number;
  goalX?: number;
  goalY?: number;
}

/** A map with an engine that finds paths on it. */
export class Planner {
  /** @internal */
  readonly handle: Handle<RawPlanner>;
  readonly #width: number;
  readonly #height: number;
  /** Where the module leaves answers, as an index into its memory. */
  readonly #answer: number;
  #indexBytes: number | undefined;

  /**
   * Builds the index of a map. Without an engine, the map chooses: labels, nsg+ or hpa; and may
   * choose another one when it is edited. The map stays usable.
   */
  constructor(grid: Grid, engine?: EngineChoice, options?: BuildOptions);
  /** @internal */
  constructor(raw: RawPlanner, grid: Grid);
  constructor(grid: Grid | RawPlanner, engine?: EngineChoice | Grid, options?: BuildOptions) {
    const map = engine instanceof Grid ? engine : known(grid);
    // Before the build, whose reports may free the map.
    this.#width = map.width;
    this.#height = map.height;
    const raw = grid instanceof RawPlanner ? grid : built(map, engine as EngineChoice | undefined, options);
    this.handle = new Handle("Planner", raw);
    this.#answer = raw.answer_address() / 8;
  }

  /**
   * A planner with an index that `save` returned, here or from the command line, for the same map.
   * With `trusted`, most checks are left out: only for bytes of your own.
   */
  static open(grid: Grid, index: Uint8Array, options?: { trusted?: boolean }): Planner {
    const { handle } = known(grid);
    const bytes = array("Uint8Array", index, "index", "index");
    const { trusted = false } = given(options, "options", "index");
    return new Planner(
      run(() => RawPlanner.open(handle.raw, bytes, trusted === true)),
      grid,
    );
  }

  /** The engine. */
  get engine(): EngineName {
    return this.handle.run((raw) => raw.engine() as EngineName);
  }

  /** The settings of the index and of its queries. */
  get settings(): Record<string, unknown> {
    return this.handle.run((raw) => raw.settings() as Record<string, unknown>);
  }

  /** Bytes of the saved index; 0 if the engine has none. */
  get indexBytes(): number {
    this.#indexBytes ??= this.handle.run((raw) => raw.index_bytes());
    return this.#indexBytes;
  }

  /** A hash of the index in 16 hexadecimal digits; null if the engine has none. */
  get indexDigest(): string | null {
    return this.handle.run((raw) => raw.index_digest() ?? null);
  }

  /** A copy of the present map. */
  get grid(): Grid {
    return new Grid(this.handle.run((raw) => raw.grid()));
  }

  /** The index as bytes: the same file that `farstride build` writes. */
  save(): Uint8Array {
    return this.handle.run((raw) => raw.save());
  }

  /** Finds a path. */
  find(startX: number, startY: number, goalX: number, goalY: number, options?: FindOptions): Route {
    this.#check(startX, startY, goalX, goalY);
    let kind = 0;
    let first = 0;
    let budget = Infinity;
    let into: Int32Array | undefined;
    if (options !== undefined) {
      const { detail, budget: most = Infinity, into: buffer } = given(options, "options", "query");
      into = buffer === undefined ? undefined : array("Int32Array", buffer, "into", "query");
      [kind, first] = parsedDetail(detail);
      if (typeof most !== "number" || !(most >= 0)) {
        throw new FarstrideError("query", `budget is ${shown(most)}; expected a number from 0 on`);
      }
      budget = most;
    }
    const { raw } = this.handle;
    let status;
    try {
      status = raw.find(startX, startY, goalX, goalY, kind, first, budget);
    } catch (error) {
      throw failure(error, this.#concerned);
    }
    return this.#route(status, into);
  }

  /** The cost alone, in units; -1 if there is no way. The fastest call. */
  cost(startX: number, startY: number, goalX: number, goalY: number): number {
    this.#check(startX, startY, goalX, goalY);
    const { raw } = this.handle;
    let cost;
    try {
      cost = raw.cost(startX, startY, goalX, goalY);
    } catch (error) {
      throw failure(error, this.#concerned);
    }
    if (cost === -2) {
      throw this.#reason();
    }
    return cost;
  }

  /** Answers many queries, four numbers each: startX, startY, goalX, goalY. */
  findMany(queries: Int32Array, options?: { detail?: PathDetail }): Routes {
    const list = array("Int32Array", queries, "queries", "query");
    const [kind, first] = parsedDetail(given(options, "options", "query").detail);
    const [status, cost, length, path, offsets] = this.handle.run(
      (raw) => raw.find_many(list, kind, first) as [Uint8Array, Float64Array, Float64Array, Int32Array, Uint32Array],
    );
    return { status, cost, length, path, offsets };
  }

  /** Finds a path, and lists the nodes that the search expands. */
  trace(startX: number, startY: number, goalX: number, goalY: number): SearchTrace {
    this.#check(startX, startY, goalX, goalY);
    type Traced = Omit<SearchTrace, "route"> & { status: number };
    const { status, ...rest } = this.handle.run((raw) => raw.trace(startX, startY, goalX, goalY) as Traced);
    return { route: this.#route(status), ...rest };
  }

  /** Mean microseconds of a query with its whole path, measured for at least some milliseconds. */
  time(
    startX: number,
    startY: number,
    goalX: number,
    goalY: number,
    milliseconds = 5,
  ): { micros: number; runs: number } {
    this.#check(startX, startY, goalX, goalY);
    if (typeof milliseconds !== "number" || !(milliseconds >= 0 && milliseconds <= 60_000)) {
      throw new FarstrideError("query", `milliseconds is ${shown(milliseconds)}; expected 0 to 60000`);
    }
    const [micros = 0, runs = 0] = this.handle.run((raw) => raw.time(startX, startY, goalX, goalY, milliseconds, 1));
    return { micros, runs };
  }

  /** The nearest of some goals, x, y, x, y, …; null if none can be reached. */
  nearest(startX: number, startY: number, goals: Int32Array): { index: number; route: Route } | null {
    this.#check(startX, startY, startX, startY);
    const list = array("Int32Array", goals, "goals", "query");
    const index = this.handle.run((raw) => raw.nearest(startX, startY, list));
    if (index === -2) {
      throw this.#reason();
    }
    if (index === -1) {
      return null;
    }
    const isThere = list[2 * index] === startX && list[2 * index + 1] === startY;
    return { index, route: this.#route(isThere ? 1 : 0) };
  }

  /** Costs from each start to each goal, row by start, in units; -1 where there is no way. */
  costTable(starts: Int32Array, goals: Int32Array): Float64Array {
    const from = array("Int32Array", starts, "starts", "query");
    const to = array("Int32Array", goals, "goals", "query");
    return this.handle.run((raw) => raw.cost_table(from, to));
  }

  /** Plans a route that is refined while a unit walks it. */
  plan(startX: number, startY: number, goalX: number, goalY: number): { status: Status; plan: Plan | null } {
    this.#check(startX, startY, goalX, goalY);
    return this.handle.run((raw) => {
      const planning = raw.plan(startX, startY, goalX, goalY);
      try {
        const plan = planning.take();
        return { status: statusOf(planning.status()), plan: plan === undefined ? null : new Plan(plan) };
      } finally {
        planning.free();
      }
    });
  }

  /** Edits the planner's map; the index follows before this returns. Nothing changes if a change is refused. */
  edit(changes: readonly Change[]): void {
    if (!Array.isArray(changes)) {
      throw new FarstrideError("query", `changes is ${shown(changes)}; expected an array`);
    }
    const numbers = new Int32Array(changes.length * 5);
    changes.forEach((change: Change, at) => {
      const { x, y, width = 1, height = 1, weight } = given(change, "a change", "query");
      const names = { x, y, width, height, weight };
      const values = Object.entries(names).map(([name, value]) => integer(value, name, "query"));
      numbers.set(values, at * 5);
    });
    this.#indexBytes = undefined;
    this.handle.run((raw) => raw.edit(numbers));
  }

  /** The same for single cells, three numbers each: x, y, weight. */
  editCells(triples: Int32Array): void {
    const list = array("Int32Array", triples, "triples", "query");
    this.#indexBytes = undefined;
    this.handle.run((raw) => raw.edit_cells(list));
  }

  /** What the index looks like, in numbers; see `LayerName`. */
  layer(name: LayerName, options?: LayerOptions): Int32Array {
    const { level, x, y, goalX, goalY } = given(options, "options", "query");
    const asked = text(name, "name", "query");
    const least = level === undefined ? undefined : whole(level, "level", "query");
    const [from, to] = [this.#pair(x, y), this.#pair(goalX, goalY)];
    return this.handle.run((raw) => raw.layer(asked, least, from, to));
  }

  /** The layers that the engine has. */
  layers(): LayerName[] {
    return this.handle.run((raw) => raw.layers() as LayerName[]);
  }

  /** Gives the memory back. Also happens, later, when nothing refers to the planner any more. */
  free(): void {
    this.handle.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** @internal */
  check(x: number, y: number): void {
    this.#check(x, y, x, y);
  }

  #check(ax: number, ay: number, bx: number, by: number): void {
    if (!isOn(ax, ay, this.#width, this.#height)) {
      throw offMap(ax, ay, this.#width, this.#height);
    }
    if (!isOn(bx, by, this.#width, this.#height)) {
      throw offMap(bx, by, this.#width, this.#height);
    }
  }

  /** A cell that may be left out. */
  #pair(x: number | undefined, y: number | undefined): Int32Array | undefined {
    if (x === undefined && y === undefined) {
      return undefined;
    }
    this.#check(x as number, y as number, x as number, y as number);
    return Int32Array.of(x as number, y as number);
  }

  get #concerned(): Handle<Raw> {
    return this.handle as unknown as Handle<Raw>;
  }

  /** Why the last call failed. */
  #reason(): unknown {
    return failure(this.handle.raw.take_failure());
  }

  /** The answer that the module left; see rust/answer.rs. */
  #route(status: number, into?: Int32Array): Route {
    if (status > 5) {
      throw this.#reason();
    }
    const block = memory();
    const at = this.#answer;
    return {
      status: statusOf(status),
      cost: block[at] as number,
      length: block[at + 1] as number,
      path: copiedCells(block[at + 3] as number, block[at + 4] as number, into),
      form: FORMS[block[at + 2] as number] ?? "omitted",
    };
  }
}

function statusOf(number: number): Status {
  return statuses[number] ?? "unreachable";
}

function known(grid: unknown): Grid {
  if (!(grid instanceof Grid)) {
    throw new FarstrideError("map", `grid is ${shown(grid)}; expected a Grid`);
  }
  return grid;
}

/** A detail as the module takes it: its kind, and for the first steps how many. */
function parsedDetail(detail: PathDetail | undefined): [number, number] {
  switch (detail) {
    case undefined:
    case "cells":
      return [0, 0];
    case "waypoints":
      return [1, 0];
    case "cost":
      return [2, 0];
  }
  if (typeof detail === "object" && detail !== null) {
    return [3, whole(detail.first, "first", "query")];
  }
  const expected = "cells, waypoints, cost or { first: steps }";
  throw new FarstrideError("query", `detail is ${shown(detail)}; expected ${expected}`);
}

function built(grid: Grid, engine: EngineChoice | undefined, options: BuildOptions | undefined): RawPlanner {
  const { settings, onProgress } = given(options, "options", "settings");
  const name = engine === undefined ? undefined : text(engine, "engine", "settings");
  const wishes = given(settings, "settings", "settings");
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new FarstrideError("settings", `onProgress is ${shown(onProgress)}; expected a function`);
  }
  const report = onProgress && called((done: number, total: number) => onProgress({ done, total }));
  const { raw } = grid.handle;
  return run(() => RawPlanner.build(raw, name, wishes, report));
}

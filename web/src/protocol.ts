/**
 * What the page and its workers say to each other.
 *
 * Each message to a worker is a request with a number, each gets one reply with the same number, and a
 * worker handles one after the other. Builds also send progress. There is one worker for each chosen engine
 * and one for maps; all run the same script.
 */
import type { BuildProgress, Diagonals, Effort, EngineName, LayerName, Route } from "farstride";

export interface Cell {
  x: number;
  y: number;
}

/** A map as it travels: one byte a cell, 0 blocked, else the weight. */
export interface Cells {
  width: number;
  height: number;
  weights: Uint8Array<ArrayBuffer>;
}

/** A map just made or read, with two cells far apart that are worth a path. */
export interface NewMap extends Cells {
  start: Cell;
  goal: Cell;
  fromPicture: boolean;
}

/** How to make a map with one of the generators of `farstride gen`. */
export interface Recipe {
  kind: string;
  width: number;
  height: number;
  seed: number;
  parameters: Record<string, number>;
}

export type EngineInfo = {
  name: EngineName;
  optimal: boolean;
  anyAngle: boolean;
  hasIndex: boolean;
  weights: boolean;
  summary: string;
};

export type Generator = {
  kind: string;
  terrain: boolean;
  parameters: { name: string; value: number; least: number; most: number }[];
};

export type ImageReading = { as: "walls"; threshold: number } | { as: "weights" };

export type EngineSettings = Record<string, number | string | boolean>;

export interface LayerQuery {
  level?: number;
  x?: number;
  y?: number;
  goalX?: number;
  goalY?: number;
}

export interface Built {
  ms: number;
  indexBytes: number;
  layers: LayerName[];
}

export interface QueryOrder {
  start: Cell;
  goal: Cell;
  /** Whether to list the expanded nodes. */
  expanded: boolean;
  /** Milliseconds over which to time the query; it runs once at least. */
  timing: number;
}

/** A route and what it took to find it. */
export interface Answer {
  status: Route["status"];
  length: number;
  path: Int32Array;
  form: Route["form"];
  effort: Effort;
  micros: number;
  /** x, y of expanded nodes in order, if asked for. */
  expanded: Int32Array | null;
}

export interface UnitsMoved {
  /** x, y of each unit. */
  positions: Int32Array;
  /** 0 walking, 1 arrived, 2 no way. */
  states: Uint8Array;
  /** Plans made again since the walk began. */
  replans: number;
  /** Units that made theirs again in this step; empty where the crowd does not tell. */
  replanned: Int32Array;
  /** What lies ahead of the first unit: refined cells (x, y) and waypoints (x, y, level); empty for crowds. */
  refined: Int32Array;
  waypoints: Int32Array;
  /** Milliseconds that the engine took. */
  ms: number;
}

/** Requests by name, with what they carry and what comes back. */
export interface Requests {
  load: { ask: { module: WebAssembly.Module }; reply: object };
  describe: { ask: object; reply: { engines: EngineInfo[]; generators: Generator[]; version: string } };
  generate: { ask: { recipe: Recipe }; reply: NewMap };
  openFile: { ask: { name: string; bytes: Uint8Array; terrain: string; image: ImageReading }; reply: NewMap };
  exportMap: { ask: { cells: Cells; format: "map" | "pgm" }; reply: { bytes: Uint8Array<ArrayBuffer> } };
  scatter: { ask: { cells: Cells; diagonals: Diagonals; goal: Cell; count: number }; reply: { starts: Int32Array } };
  build: { ask: { cells: Cells; diagonals: Diagonals; engine: EngineName; settings: EngineSettings }; reply: Built };
  edit: { ask: { triples: Int32Array }; reply: object };
  size: { ask: object; reply: { indexBytes: number } };
  query: { ask: QueryOrder; reply: Answer };
  layer: { ask: { name: LayerName; options: LayerQuery }; reply: { numbers: Int32Array } };
  walk: { ask: { starts: Int32Array; goal: Cell }; reply: UnitsMoved };
  walkTo: { ask: { goal: Cell }; reply: object };
  walkStep: { ask: { steps: number }; reply: UnitsMoved };
  walkEnd: { ask: object; reply: object };
}

export type RequestName = keyof Requests;

export type RequestMessage = { [K in RequestName]: { id: number; name: K; ask: Requests[K]["ask"] } }[RequestName];

export type ReplyMessage =
  | { id: number; reply: unknown }
  | { id: number; error: string }
  | { progress: BuildProgress };

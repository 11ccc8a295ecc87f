/** A worker: holds one engine's planner, or makes and reads maps. It answers requests one after the other. */
import * as farstride from "farstride";
import { readImage } from "./images";
import type { Answer, Cell, Cells, NewMap, QueryOrder, ReplyMessage, RequestMessage, RequestName, Requests, UnitsMoved } from "./protocol";
import { WorkerWalk } from "./worker-walk";

const { Grid, Planner } = farstride;

/** Progress is told this often at most, in milliseconds: often enough for a bar that moves. */
const PROGRESS_EVERY = 40;
/** A timing longer than this is taken in parts, in milliseconds. */
const TIMED_PART = 5;
/** The largest map the page takes. */
const LARGEST_SIDE = 2048;
/** Cells looked at for the first start and goal. */
const SAMPLES = 2000;

let planner: farstride.Planner | null = null;
let walk: WorkerWalk | null = null;

function built(): farstride.Planner {
  if (!planner) throw new Error("the index is not built yet");
  return planner;
}

/** Takes the cells out of a grid, and gives its memory back. */
function newMap(grid: farstride.Grid, fromPicture = false): NewMap {
  try {
    const { width, height } = grid;
    if (width > LARGEST_SIDE || height > LARGEST_SIDE) {
      throw new Error(`the map has ${width} × ${height} cells; the playground takes up to ${LARGEST_SIDE} × ${LARGEST_SIDE}`);
    }
    const weights = grid.weights() as Uint8Array<ArrayBuffer>;
    return { width, height, weights, ...farApart(grid), fromPicture };
  } finally {
    grid.free();
  }
}

/** Two connected cells, near the lower left and the upper right corner, in the region that most cells belong to. */
function farApart(grid: farstride.Grid): { start: Cell; goal: Cell } {
  const { width, height } = grid;
  const samples: Cell[] = [];
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / SAMPLES)));
  for (let y = height - 1 - ((height - 1) % step >> 1); y >= 0; y -= step) {
    for (let x = (width - 1) % step >> 1; x < width; x += step) if (grid.isFree(x, y)) samples.push({ x, y });
  }
  if (samples.length === 0) return { start: { x: 0, y: height - 1 }, goal: { x: width - 1, y: 0 } };
  let region: Cell[] = [];
  // The largest region is all but surely among those of a few cells.
  for (let at = 0; at < samples.length; at += Math.ceil(samples.length / 16)) {
    const { x, y } = samples[at];
    const connected = samples.filter((cell) => grid.isConnected(x, y, cell.x, cell.y));
    if (connected.length > region.length) region = connected;
  }
  const nearest = (to: Cell) =>
    region.reduce((best, cell) => (Math.hypot(cell.x - to.x, cell.y - to.y) < Math.hypot(best.x - to.x, best.y - to.y) ? cell : best));
  const at = (right: number, down: number) => ({ x: Math.round(width * right), y: Math.round(height * down) });
  return { start: nearest(at(0.06, 0.92)), goal: nearest(at(0.94, 0.08)) };
}

function withGrid<T>(cells: Cells, diagonals: farstride.Diagonals, use: (grid: farstride.Grid) => T): T {
  const grid = new Grid(cells.width, cells.height, cells.weights, { diagonals });
  try {
    return use(grid);
  } finally {
    grid.free();
  }
}

type Handlers = { [K in RequestName]: (ask: Requests[K]["ask"]) => Requests[K]["reply"] | Promise<Requests[K]["reply"]> };

const handlers: Handlers = {
  async load({ module }) {
    await farstride.init(module);
    return {};
  },

  describe() {
    return { engines: farstride.engines(), generators: Grid.kinds(), version: farstride.version() };
  },

  generate({ recipe }) {
    const { kind, width, height, seed, parameters } = recipe;
    return newMap(Grid.generate(kind, width, height, seed, parameters));
  },

  async openFile({ name, bytes, terrain, image }) {
    const start = String.fromCharCode(...bytes.subarray(0, 5));
    if (/^P[25]\s/.test(start)) return newMap(Grid.fromWeightImage(bytes));
    if (/\.map$/i.test(name) || start === "type ") {
      return newMap(Grid.fromMovingAi(bytes, terrain ? { terrain } : {}));
    }
    const { width, height, weights } = await readImage(bytes, image, LARGEST_SIDE);
    return newMap(new Grid(width, height, weights), true);
  },

  exportMap({ cells, format }) {
    return withGrid(cells, "strict", (grid) => {
      const bytes = format === "pgm" ? grid.toPgm() : new TextEncoder().encode(grid.toMovingAi());
      return { bytes: bytes as Uint8Array<ArrayBuffer> };
    });
  },

  /** Free cells from which the goal can be reached, spread over the map. */
  scatter({ cells, diagonals, goal, count }) {
    return withGrid(cells, diagonals, (grid) => {
      const starts: number[] = [];
      for (let tries = 0; starts.length < 2 * count && tries < 200 * count; tries++) {
        const x = Math.floor(Math.random() * cells.width);
        const y = Math.floor(Math.random() * cells.height);
        if (grid.isFree(x, y) && grid.isConnected(x, y, goal.x, goal.y)) starts.push(x, y);
      }
      return { starts: Int32Array.from(starts) };
    });
  },

  build({ cells, diagonals, engine, settings }) {
    walk?.free();
    walk = null;
    planner?.free();
    planner = null;
    let told = 0;
    const begin = performance.now();
    planner = withGrid(cells, diagonals, (grid) => {
      return new Planner(grid, engine, {
        settings,
        onProgress(progress) {
          const now = performance.now();
          if (now - told < PROGRESS_EVERY) return;
          told = now;
          post({ progress: { done: progress.done, total: progress.total } });
        },
      });
    });
    return { ms: performance.now() - begin, indexBytes: planner.indexBytes, layers: planner.layers() };
  },

  edit({ triples }) {
    built().editCells(triples);
    return {};
  },

  size() {
    return { indexBytes: built().indexBytes };
  },

  query(order) {
    return answer(built(), order);
  },

  layer({ name, options }) {
    return { numbers: built().layer(name, options) };
  },

  walk({ starts, goal }) {
    walk?.free();
    walk = new WorkerWalk(built(), starts, goal);
    return walk.state();
  },

  walkTo({ goal }) {
    walk?.sendTo(built(), goal);
    return {};
  },

  walkStep({ steps }): UnitsMoved {
    if (!walk) throw new Error("nobody walks");
    return walk.step(built(), steps);
  },

  walkEnd() {
    walk?.free();
    walk = null;
    return {};
  },
};

function answer(planner: farstride.Planner, { start, goal, timing, expanded: wantsExpanded }: QueryOrder): Answer {
  const ends = [start.x, start.y, goal.x, goal.y] as const;
  // The first run warms up, so that the others time what a game would see.
  const { route, effort, expanded } = planner.trace(...ends);
  // Of a careful timing the best part counts: other programs and other engines can only make it slower.
  const parts = Math.max(1, Math.floor(timing / TIMED_PART));
  const micros = Math.min(...Array.from({ length: parts }, () => planner.time(...ends, timing / parts).micros));
  const { status, length, path, form } = route;
  return { status, length, path, form, effort, micros, expanded: wantsExpanded ? expanded : null };
}

function post(message: ReplyMessage, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

/** Arrays of a reply that go to the page without a copy. */
function buffersOf(reply: object): Transferable[] {
  const buffers = new Set<Transferable>();
  for (const value of Object.values(reply)) {
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
  }
  return [...buffers];
}

// Requests are chained because some handlers are asynchronous, and the next one must not overtake them.
let previous: Promise<void> = Promise.resolve();

addEventListener("message", ({ data }: MessageEvent<RequestMessage>) => {
  previous = previous.then(() => handle(data));
});

async function handle({ id, name, ask }: RequestMessage): Promise<void> {
  try {
    const reply = await (handlers[name] as (ask: unknown) => unknown)(ask);
    post({ id, reply }, buffersOf(reply as object));
  } catch (error) {
    post({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

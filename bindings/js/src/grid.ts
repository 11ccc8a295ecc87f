/// <reference lib="esnext.disposable" preserve="true" />
import { array, isOn, offMap, options as given, seed as seedOf, text, whole } from "./check.js";
import { Handle, run } from "./engine.js";
import { FarstrideError } from "./error.js";
import { RawGrid } from "./farstride.js";

/** Which diagonal steps are allowed: if both side cells are free, if one is, always, never. */
export type Diagonals = "strict" | "one-side" | "free" | "none";

/** How one moves on a map. */
export interface MapOptions {
  /** Default: "strict". */
  diagonals?: Diagonals;
}

/** A generator of maps, and the parameters it takes. */
export interface MapKind {
  kind: string;
  /** Whether its maps have weights. */
  terrain: boolean;
  /** Each with its default and its range. */
  parameters: { name: string; value: number; least: number; most: number }[];
}

/** A map. Its cells never change; `Planner.edit` edits the planner's own copy. */
export class Grid {
  /** @internal */
  readonly handle: Handle<RawGrid>;
  readonly #width: number;
  readonly #height: number;

  /** A map from one byte per cell, row by row: 0 is blocked, 1 to 255 the weight. Copied once. */
  constructor(width: number, height: number, weights: Uint8Array, options?: MapOptions);
  /** @internal */
  constructor(raw: RawGrid);
  constructor(width: number | RawGrid, height?: number, weights?: Uint8Array, options?: MapOptions) {
    const raw = width instanceof RawGrid ? width : fromWeights(width, height, weights, options);
    this.handle = new Handle("Grid", raw);
    this.#width = raw.width();
    this.#height = raw.height();
  }

  /** A map whose cells are all free. */
  static empty(width: number, height: number, options?: MapOptions): Grid {
    const diagonals = rule(options);
    const [columns, rows] = [whole(width, "width", "map"), whole(height, "height", "map")];
    return new Grid(run(() => RawGrid.empty(columns, rows, diagonals)));
  }

  /**
   * A map in the MovingAI format. `terrain` gives other meanings to its letters, as in
   * "S=5,W=blocked".
   */
  static fromMovingAi(source: string | Uint8Array, options?: MapOptions & { terrain?: string }): Grid {
    const bytes =
      typeof source === "string" ? new TextEncoder().encode(source) : array("Uint8Array", source, "source", "map");
    const { terrain = "" } = given(options, "options", "map");
    const [letters, diagonals] = [text(terrain, "terrain", "map"), rule(options)];
    return new Grid(run(() => RawGrid.from_movingai(bytes, letters, diagonals)));
  }

  /** A map from a grey image, PGM or PNG of 8 bits: 0 is blocked, other pixels are weights. */
  static fromWeightImage(bytes: Uint8Array, options?: MapOptions): Grid {
    const [image, diagonals] = [array("Uint8Array", bytes, "bytes", "map"), rule(options)];
    return new Grid(run(() => RawGrid.from_weight_image(image, diagonals)));
  }

  /**
   * A generated map, the same as `farstride gen` draws from this seed. The other options are
   * parameters of the kind; `Grid.kinds` lists them.
   */
  static generate(
    kind: string,
    width: number,
    height: number,
    seed: number | bigint,
    options?: MapOptions & Record<string, number | string>,
  ): Grid {
    const { diagonals: _, ...parameters } = given(options, "options", "map");
    const [name, diagonals] = [text(kind, "kind", "map"), rule(options)];
    const [columns, rows] = [whole(width, "width", "map"), whole(height, "height", "map")];
    const number = seedOf(seed);
    return new Grid(run(() => RawGrid.generate(name, columns, rows, number, parameters, diagonals)));
  }

  /** The kinds that `Grid.generate` knows. */
  static readonly kinds = (): MapKind[] => run(() => RawGrid.kinds() as MapKind[]);

  /** Number of columns. */
  get width(): number {
    void this.handle.raw;
    return this.#width;
  }

  /** Number of rows. */
  get height(): number {
    void this.handle.raw;
    return this.#height;
  }

  /** Which diagonal steps are allowed. */
  get diagonals(): Diagonals {
    return this.handle.run((raw) => raw.diagonals() as Diagonals);
  }

  /** Whether any cell weighs more than 1. */
  get hasWeights(): boolean {
    return this.handle.run((raw) => raw.has_weights());
  }

  /** Number of free cells. */
  get freeCount(): number {
    return this.handle.run((raw) => raw.free_count());
  }

  /** A hash of the map in 16 hexadecimal digits, as the command line prints it. */
  get digest(): string {
    return this.handle.run((raw) => raw.digest());
  }

  /** One byte per cell, row by row: 0 is blocked, 1 to 255 the weight. */
  weights(): Uint8Array {
    return this.handle.run((raw) => raw.weights());
  }

  /** Whether a cell is free. Nothing off the map is. */
  isFree(x: number, y: number): boolean {
    return this.handle.run((raw) => this.#has(x, y) && raw.is_free(x, y));
  }

  /** Whether a path joins two cells. */
  isConnected(ax: number, ay: number, bx: number, by: number): boolean {
    return this.handle.run((raw) => this.#has(ax, ay) && this.#has(bx, by) && raw.is_connected(ax, ay, bx, by));
  }

  /** Whether two free cells are in line of sight. */
  lineOfSight(ax: number, ay: number, bx: number, by: number): boolean {
    return this.handle.run((raw) => this.#has(ax, ay) && this.#has(bx, by) && raw.line_of_sight(ax, ay, bx, by));
  }

  /** The map in the MovingAI format; weights are lost. */
  toMovingAi(): string {
    return this.handle.run((raw) => raw.to_movingai());
  }

  /** The weights as a binary PGM, which `Grid.fromWeightImage` reads. */
  toPgm(): Uint8Array {
    return this.handle.run((raw) => raw.to_pgm());
  }

  /** Gives the memory back. Also happens, later, when nothing refers to the map any more. */
  free(): void {
    this.handle.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** Whether a cell is on the map; what is no cell at all is refused. */
  #has(x: number, y: number): boolean {
    if (isOn(x, y, this.#width, this.#height)) {
      return true;
    }
    if (Number.isInteger(x) && Number.isInteger(y)) {
      return false;
    }
    throw offMap(x, y, this.#width, this.#height);
  }
}

function rule(options: MapOptions | undefined): string {
  const { diagonals = "strict" } = given(options, "options", "map");
  return text(diagonals, "diagonals", "map");
}

function fromWeights(width: unknown, height: unknown, weights: unknown, options: MapOptions | undefined): RawGrid {
  const [columns, rows] = [whole(width, "width", "map"), whole(height, "height", "map")];
  const bytes = array("Uint8Array", weights, "weights", "map");
  // Before the bytes are copied.
  if (bytes.length !== columns * rows && columns * rows > 0) {
    const expected = `${columns * rows} for a map of ${columns} x ${rows} cells`;
    throw new FarstrideError("map", `there are ${bytes.length} weights; expected ${expected}`);
  }
  const diagonals = rule(options);
  return run(() => RawGrid.from_weights(columns, rows, bytes, diagonals));
}

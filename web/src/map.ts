/** The map on screen: its cells, where it came from, and what was painted, with undo. */
import type { Cell, Cells, Recipe } from "./protocol";
import { Signal } from "./signal";

/** Where a map came from: what a link can say in a few letters, and what cannot be made again from anything but cells. */
export type Origin =
  | { from: "generator"; recipe: Recipe }
  | { from: "file"; name: string };

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Some cells that change together. */
export interface Change {
  /** x, y, weight of each cell. */
  triples: Int32Array;
  area: Area;
}

/**
 * What one stroke changed, in order: `cells[i]` was `before[i]`. In the end it was `after[i]`. A cell may be
 * there more than once; then undoing goes backwards, so that its first weight counts.
 */
interface Stroke {
  cells: Uint32Array;
  before: Uint8Array;
  after: Uint8Array;
}

/** Cells of all strokes that can be undone; the oldest strokes are forgotten. Each takes 6 bytes. */
const LONGEST_HISTORY = 16 << 20;

export class GameMap {
  readonly width: number;
  readonly height: number;
  readonly weights: Uint8Array<ArrayBuffer>;
  /** The cells as generated or read, so that a link needs to hold only what was painted since. */
  readonly base: Uint8Array<ArrayBuffer>;

  /** Batches of painted cells, at most one per frame. */
  readonly changed = new Signal<Change>();
  /** A stroke has ended, or was undone or done again. */
  readonly settled = new Signal();

  private undoable: Stroke[] = [];
  private redoable: Stroke[] = [];
  /** The stroke being painted: cells, and the weights that they had. */
  private strokeCells: number[] = [];
  private strokeBefore: number[] = [];
  /** Cells painted since the last batch. */
  private batch: number[] = [];
  /** What takes a look at all cells to know, until the next change. */
  private known: { isEdited?: boolean; hasWeights?: boolean } = {};

  constructor(cells: Cells, readonly origin: Origin) {
    this.width = cells.width;
    this.height = cells.height;
    this.weights = cells.weights;
    this.base = cells.weights.slice();
  }

  contains({ x, y }: Cell): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  weightAt({ x, y }: Cell): number {
    return this.contains({ x, y }) ? this.weights[y * this.width + x] : 0;
  }

  get isEdited(): boolean {
    return (this.known.isEdited ??= this.weights.some((weight, cell) => weight !== this.base[cell]));
  }

  get hasWeights(): boolean {
    return (this.known.hasWeights ??= this.weights.some((weight) => weight > 1));
  }

  get canUndo(): boolean {
    return this.undoable.length > 0;
  }

  get canRedo(): boolean {
    return this.redoable.length > 0;
  }

  /** The cells as they travel to a worker: a copy. */
  cells(): Cells {
    return { width: this.width, height: this.height, weights: this.weights.slice() };
  }

  /** Paints one cell as part of the present stroke; cells off the map are ignored. */
  paint(x: number, y: number, weight: number): void {
    if (!this.contains({ x, y })) return;
    const cell = y * this.width + x;
    if (this.weights[cell] === weight) return;
    this.strokeCells.push(cell);
    this.strokeBefore.push(this.weights[cell]);
    this.weights[cell] = weight;
    this.batch.push(cell);
  }

  /** Tells what was painted since the last call. */
  flush(): void {
    if (this.batch.length === 0) return;
    this.known = {};
    const triples = new Int32Array(3 * this.batch.length);
    let at = 0;
    let [left, top, right, bottom] = [this.width, this.height, 0, 0];
    for (const cell of this.batch) {
      const x = cell % this.width;
      const y = (cell - x) / this.width;
      triples[at++] = x;
      triples[at++] = y;
      triples[at++] = this.weights[cell];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    this.batch = [];
    this.changed.emit({ triples, area: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 } });
  }

  endStroke(): void {
    this.flush();
    if (this.strokeCells.length > 0) {
      const cells = Uint32Array.from(this.strokeCells);
      const before = Uint8Array.from(this.strokeBefore);
      const after = Uint8Array.from(cells, (cell) => this.weights[cell]);
      this.undoable.push({ cells, before, after });
      let kept = this.undoable.reduce((sum, stroke) => sum + stroke.cells.length, 0);
      while (kept > LONGEST_HISTORY && this.undoable.length > 1) kept -= this.undoable.shift()!.cells.length;
      this.redoable = [];
      this.strokeCells = [];
      this.strokeBefore = [];
    }
    this.settled.emit();
  }

  /** Takes back the stroke being painted. */
  dropStroke(): void {
    const [cells, before] = [Uint32Array.from(this.strokeCells), Uint8Array.from(this.strokeBefore)];
    this.strokeCells = [];
    this.strokeBefore = [];
    this.put(cells, before);
  }

  /** In the middle of a stroke, takes back what is painted of it so far. */
  undo(): void {
    if (this.strokeCells.length > 0) this.endStroke();
    const stroke = this.undoable.pop();
    if (!stroke) return;
    this.redoable.push(stroke);
    this.put(stroke.cells, stroke.before);
  }

  redo(): void {
    if (this.strokeCells.length > 0) this.endStroke();
    const stroke = this.redoable.pop();
    if (!stroke) return;
    this.undoable.push(stroke);
    this.put(stroke.cells, stroke.after);
  }

  private put(cells: Uint32Array, weights: Uint8Array): void {
    for (let at = cells.length - 1; at >= 0; at--) {
      this.weights[cells[at]] = weights[at];
      this.batch.push(cells[at]);
    }
    this.flush();
    this.settled.emit();
  }
}

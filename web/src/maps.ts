/** Where maps come from: ready-made ones, generators and files. One worker makes and reads them all. */
import type { WorkerLink } from "./link";
import { GameMap, type Origin } from "./map";
import type { Cell, ImageReading, Recipe } from "./protocol";
import { applyDifferences, type Shared } from "./share";
import type { State } from "./state";

/** No file for the page is larger; a map of 2048 × 2048 has 4 MB. */
export const LARGEST_FILE = 64 << 20;

export interface ReadyMade {
  label: string;
  recipe: Recipe;
  start?: Cell;
  goal?: Cell;
}

const recipe = (kind: string, width: number, height: number, seed: number): Recipe => ({ kind, width, height, seed, parameters: {} });

/** The first three have the places that the README and the command line's demo show them with. */
export const READY_MADE: readonly ReadyMade[] = [
  { label: "World, 512 × 288", recipe: recipe("world", 512, 288, 3), start: { x: 14, y: 270 }, goal: { x: 495, y: 20 } },
  { label: "Small world, 150 × 84 (built into the command line)", recipe: recipe("world", 150, 84, 20), start: { x: 126, y: 56 }, goal: { x: 3, y: 2 } },
  { label: "Roads, 150 × 84, with weights", recipe: recipe("roads", 150, 84, 3), start: { x: 142, y: 78 }, goal: { x: 25, y: 22 } },
  { label: "Fields, 300 × 200, with weights", recipe: recipe("fields", 300, 200, 4) },
  { label: "Maze, 257 × 161", recipe: recipe("maze", 257, 161, 7) },
  { label: "Rooms, 400 × 256", recipe: recipe("rooms", 400, 256, 5) },
  { label: "Caves, 512 × 320", recipe: recipe("caves", 512, 320, 7) },
  { label: "City, 800 × 600", recipe: recipe("city", 800, 600, 3) },
  { label: "Large world, 1024 × 1024", recipe: recipe("world", 1024, 1024, 1) },
  { label: "Huge world, 2048 × 2048", recipe: recipe("world", 2048, 2048, 1) },
  { label: "Empty field, 128 × 80", recipe: { ...recipe("open", 128, 80, 0), parameters: { blocked: 0 } } },
];

export class Maps {
  /** The last picture, to read it again when the threshold changes. */
  private picture: { name: string; bytes: Uint8Array } | null = null;
  /** Counts what was asked for, so that an older map that comes late is dropped. */
  private asked = 0;

  constructor(private readonly state: State, private readonly worker: WorkerLink) {}

  async generate(recipe: Recipe, start?: Cell, goal?: Cell): Promise<void> {
    const number = ++this.asked;
    const made = await this.worker.ask("generate", { recipe });
    if (number !== this.asked) return;
    this.picture = null;
    this.state.setMap(new GameMap(made, { from: "generator", recipe }), start ?? made.start, goal ?? made.goal);
  }

  async openFile(name: string, bytes: Uint8Array, terrain: string, image: ImageReading): Promise<void> {
    const number = ++this.asked;
    const read = await this.worker.ask("openFile", { name, bytes, terrain, image });
    if (number !== this.asked) return;
    this.picture = read.fromPicture ? { name, bytes } : null;
    this.state.setMap(new GameMap(read, { from: "file", name }), read.start, read.goal);
  }

  /** Reads the last picture again, if there is one. */
  async readAgain(image: ImageReading): Promise<void> {
    if (this.picture) await this.openFile(this.picture.name, this.picture.bytes, "", image);
  }

  /** The map of a link or a saved file. */
  async restored({ width, height, origin, cells }: Shared): Promise<GameMap> {
    this.asked++;
    const base =
      origin.from === "generator"
        ? (await this.worker.ask("generate", { recipe: origin.recipe })).weights
        : new Uint8Array(width * height);
    const map = new GameMap({ width, height, weights: base }, origin);
    applyDifferences(map.weights, cells);
    this.picture = null;
    return map;
  }

  async exported(format: "map" | "pgm"): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.worker.ask("exportMap", { cells: this.state.map.cells(), format })).bytes;
  }

  async scatter(goal: Cell, count: number): Promise<Int32Array> {
    const { map, settings } = this.state;
    return (await this.worker.ask("scatter", { cells: map.cells(), diagonals: settings.diagonals, goal, count })).starts;
  }
}

/** What a link must hold of the map: cells that differ from what a generator makes, or all that are not blocked. */
export function baseOf(map: GameMap, origin: Origin): Uint8Array {
  return origin.from === "generator" ? map.base : new Uint8Array(map.weights.length);
}

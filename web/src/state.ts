/** What is on screen, in one place. Everything else reads it, changes it and says so by a signal. */
import type { Diagonals, EngineName } from "farstride";
import { GameMap } from "./map";
import type { Cell, EngineInfo, Generator } from "./protocol";
import { Signal } from "./signal";
import type { Theme } from "./palette";
import type { LayerId } from "./layers";

export type End = "start" | "goal";

export type Tool = "move" | "wall" | "erase" | "terrain" | "room" | "fill";

/** Settings of indexes; `null` leaves it to the engine. */
export interface IndexSettings {
  cluster: number | null;
  levels: number | null;
}

export interface Settings {
  diagonals: Diagonals;
  index: IndexSettings;
}

/** There is a path colour for each of them. */
export const MOST_ENGINES = 8;

export class State {
  map = new GameMap({ width: 1, height: 1, weights: new Uint8Array([1]) }, { from: "file", name: "empty" });
  start: Cell = { x: 0, y: 0 };
  goal: Cell = { x: 0, y: 0 };
  /** The end that arrow keys and taps move. */
  selected: End = "goal";
  /** In the order in which they were chosen; colours go by it. */
  chosen: EngineName[] = [];
  settings: Settings = { diagonals: "strict", index: { cluster: null, levels: null } };
  layers = new Set<LayerId>(["paths"]);
  /** The level that clusters, entrances and edges are shown of. */
  level = 1;
  /** The engine whose layers and expanded nodes are shown, as far as it has them. */
  inspected: EngineName | null = null;
  tool: Tool = "move";
  brush = 3;
  weight = 5;
  /** The cell under the pointer, or where the keyboard paints. */
  cursor: Cell | null = null;
  theme: Theme = "light";

  /** Told by the engine once it is loaded. */
  engines: EngineInfo[] = [];
  generators: Generator[] = [];

  readonly mapReplaced = new Signal();
  readonly queryChanged = new Signal();
  readonly chosenChanged = new Signal();
  readonly settingsChanged = new Signal();
  readonly layersChanged = new Signal();
  readonly toolChanged = new Signal();
  readonly cursorMoved = new Signal();
  readonly themeChanged = new Signal();

  setMap(map: GameMap, start: Cell, goal: Cell): void {
    this.map = map;
    this.start = start;
    this.goal = goal;
    this.cursor = null;
    this.mapReplaced.emit();
  }

  moveEnd(end: End, to: Cell): void {
    const cell = {
      x: Math.min(Math.max(to.x, 0), this.map.width - 1),
      y: Math.min(Math.max(to.y, 0), this.map.height - 1),
    };
    if (this[end].x === cell.x && this[end].y === cell.y) return;
    this[end] = cell;
    this.queryChanged.emit();
  }

  select(end: End): void {
    this.selected = end;
    this.toolChanged.emit();
  }

  choose(name: EngineName, on: boolean): void {
    const others = this.chosen.filter((other) => other !== name);
    if (on && others.length >= MOST_ENGINES) return;
    this.chosen = on ? [...others, name] : others;
    this.chosenChanged.emit();
  }

  show(layer: LayerId, on: boolean): void {
    if (on) this.layers.add(layer);
    else this.layers.delete(layer);
    this.layersChanged.emit();
  }

  info(name: EngineName): EngineInfo | undefined {
    return this.engines.find((engine) => engine.name === name);
  }
}

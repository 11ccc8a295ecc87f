/**
 * One view of the map: three canvases on top of each other.
 *
 * The ground changes with the map and the camera, what engines have built changes with layers and edits, and
 * paths change with every move of a pointer. Each is drawn again only when it must be.
 */
import type { EngineName, LayerName } from "farstride";
import type { Camera } from "./camera";
import { make } from "./dom";
import { Pen } from "./draw";
import type { Fleet } from "./fleet";
import { inspectedCell } from "./layers";
import { HeatImage, type MapImage } from "./map-image";
import { faded, heatColour, levelColour, PALETTES, type Palette } from "./palette";
import type { Player } from "./play";
import type { Answer } from "./protocol";
import type { State } from "./state";
import type { Preview } from "./tools";
import type { Walk } from "./walk";

/** Cells are separated by lines from this size on, in pixels. */
const LINES_FROM = 9;
/** Up to this many expanded nodes are dots that can be seen on any map; more are cells. */
const MOST_DOTS = 2500;
/** Marks of a layer cover at most this share of the map. */
const MOST_COVERED = 0.08;

export interface Scene {
  state: State;
  fleet: Fleet;
  camera: Camera;
  player: Player;
  walk: Walk;
  image: MapImage;
  preview: () => Preview | null;
}

function layer(): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = make("canvas", { "aria-hidden": "true" });
  return { canvas, context: canvas.getContext("2d")! };
}

export class Pane {
  readonly element: HTMLElement;
  /** Edges that were not drawn because there are too many in view. */
  edgesLeftOut = 0;

  private readonly ground = layer();
  private readonly built = layer();
  private readonly paths = layer();
  private readonly heat = new HeatImage();
  private readonly label = make("p", { class: "pane-label" });
  private width = 1;
  private height = 1;

  /** `played`: which of the searches being played this pane shows. */
  constructor(private readonly scene: Scene, private readonly played: 0 | 1) {
    this.element = make("div", { class: "pane" }, this.ground.canvas, this.built.canvas, this.paths.canvas, this.label);
  }

  resize(): void {
    const { width, height } = this.element.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    for (const { canvas, context } of [this.ground, this.built, this.paths]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
      context.setTransform(canvas.width / Math.max(1, width), 0, 0, canvas.height / Math.max(1, height), 0, 0);
    }
  }

  drawGround(): void {
    const { camera, image, state } = this.scene;
    const { context } = this.ground;
    const { map } = state;
    context.clearRect(0, 0, this.width, this.height);
    const first = camera.cellAt({ x: 0, y: 0 });
    const last = camera.cellAt({ x: this.width, y: this.height });
    const [left, top] = [Math.max(0, first.x), Math.max(0, first.y)];
    const [right, bottom] = [Math.min(map.width, last.x + 1), Math.min(map.height, last.y + 1)];
    if (right <= left || bottom <= top) return;
    const from = camera.toPane({ x: left, y: top });
    const to = camera.toPane({ x: right, y: bottom });
    context.imageSmoothingEnabled = camera.scale < 1;
    context.drawImage(image.canvas, left, top, right - left, bottom - top, from.x, from.y, to.x - from.x, to.y - from.y);
    if (camera.scale < LINES_FROM) return;
    context.beginPath();
    for (let x = left; x <= right; x++) {
      const at = camera.toPane({ x, y: 0 }).x;
      context.moveTo(at, from.y);
      context.lineTo(at, to.y);
    }
    for (let y = top; y <= bottom; y++) {
      const at = camera.toPane({ x: 0, y }).y;
      context.moveTo(from.x, at);
      context.lineTo(to.x, at);
    }
    context.strokeStyle = this.palette.line;
    context.lineWidth = 1;
    context.stroke();
  }

  /** What does not depend on the query: clusters, entrances, graphs, subgoals. */
  drawBuilt(): void {
    const { state } = this.scene;
    const { context } = this.built;
    context.clearRect(0, 0, this.width, this.height);
    const pen = this.pen(context);
    const { palette, scale } = pen;
    const colour = levelColour(palette, state.level - 1);
    this.edgesLeftOut = 0;
    this.withLayer("subgoalEdges", "subgoal-edges", (numbers) => {
      this.edgesLeftOut += pen.edges(numbers, faded(palette.levels[1], 0.22), 1);
    });
    this.withLayer("graph", "intra-edges", (numbers) => {
      this.edgesLeftOut += pen.edges(numbers, faded(colour, 0.45), 1);
    });
    this.withLayer("graph", "connections", (numbers) => {
      this.edgesLeftOut += pen.edges(numbers, faded(colour, 0.8), 1.4);
    });
    this.withLayer("clusters", "clusters", (numbers) => pen.boxes(numbers, palette.border, 1.2));
    this.withLayer("graph", "inter-edges", (numbers) => {
      this.edgesLeftOut += pen.edges(numbers, colour, 2);
    });
    this.withLayer("entrances", "entrances", (numbers) => {
      pen.dots(numbers, colour, this.markSize(numbers.length / 2, scale) * 0.7, { rim: scale > 2 });
    });
    this.withLayer("subgoals", "subgoals", (numbers) => pen.levels(numbers, this.markSize(numbers.length / 3, scale)));
  }

  /** Side of so many marks, in pixels: about half a cell, but on a map that is far away they must not hide it. */
  private markSize(count: number, scale: number): number {
    const { map } = this.scene.state;
    const share = scale * Math.sqrt((MOST_COVERED * map.width * map.height) / Math.max(1, count));
    return Math.max(1, Math.min(9, Math.max(2.5, scale * 0.55), share));
  }

  /** What changes with the query, the pointer and time. */
  drawPaths(): void {
    const { state, fleet, player, walk } = this.scene;
    const { context } = this.paths;
    context.clearRect(0, 0, this.width, this.height);
    const pen = this.pen(context);
    const { palette } = pen;
    const size = Math.min(6, Math.max(2.6, pen.scale * 0.45));
    const search = player.search(this.played);
    if (search) this.drawExpanded(pen, search.engine, search.answer, search.count);
    else if (!player.isOpen && state.layers.has("heat")) {
      const source = fleet.heatSource();
      const answer = source && fleet.get(source)?.answer;
      if (answer) this.drawExpanded(pen, source, answer, Infinity);
    }
    this.drawCursorLayers(pen, size);
    this.withLayer("refined", "refined-path", (numbers) => pen.path(numbers, palette.levels[4], size * 0.7, { dash: [2, size * 1.4] }));
    if (state.layers.has("paths")) {
      if (player.isOpen) {
        if (search?.done) this.drawRoute(pen, search.engine, search.answer, size);
      } else if (!walk.isOpen) this.drawRoutes(pen, size);
    }
    this.withLayer("abstract", "abstract-path", (numbers) => {
      const { x, y } = state.start;
      pen.path(Int32Array.of(x, y, 0, ...numbers), palette.ink, 2, { dash: [7, 5], stride: 3 });
      pen.levels(numbers, size * 1.7);
    });
    this.drawMeeting(pen, size);
    walk.draw(pen, state);
    pen.mark(state.start, palette.start, false, state.selected === "start");
    pen.mark(state.goal, palette.goal, true, state.selected === "goal");
    const preview = this.scene.preview();
    if (preview) pen.outline(preview.x, preview.y, preview.width, preview.height, palette.ink);
    this.label.textContent = search ? search.title : "";
    this.label.hidden = !search;
  }

  private get palette(): Palette {
    return PALETTES[this.scene.state.theme];
  }

  private pen(context: CanvasRenderingContext2D): Pen {
    return new Pen(context, this.scene.camera, this.palette, this.width, this.height);
  }

  /** Calls `draw` with the numbers of a layer if it is shown and has come. */
  private withLayer(id: Parameters<State["show"]>[0], part: LayerName, draw: (numbers: Int32Array, engine: EngineName) => void): void {
    const { state, fleet } = this.scene;
    if (!state.layers.has(id)) return;
    const engine = fleet.layerSource(part);
    const numbers = engine && fleet.get(engine)?.layers.get(part);
    if (numbers) draw(numbers, engine);
  }

  /** Searches of the map itself expand cells; those of an index expand nodes far apart, which would be lost as cells. */
  private drawExpanded(pen: Pen, engine: EngineName, { expanded }: Answer, most: number): void {
    if (!expanded) return;
    const isIndexed = this.scene.state.info(engine)?.hasIndex;
    const total = expanded.length / 2;
    const count = Math.min(total, most);
    const { map } = this.scene.state;
    if (total > MOST_DOTS || !isIndexed) {
      this.heat.paint(map.width, map.height, expanded, count, pen.palette.heat);
      pen.context.imageSmoothingEnabled = pen.scale < 1;
      pen.context.globalAlpha = 0.82;
      pen.context.drawImage(this.heat.canvas, pen.x(-0.5), pen.y(-0.5), map.width * pen.scale, map.height * pen.scale);
      pen.context.globalAlpha = 1;
      return;
    }
    // One batch of dots for each of a few shades: fewer strokes than one for each node.
    const SHADES = 12;
    const radius = Math.max(2.4, pen.scale * 0.42);
    for (let shade = 0; shade < SHADES; shade++) {
      const from = Math.ceil((shade / SHADES) * total);
      const to = Math.min(count, Math.ceil(((shade + 1) / SHADES) * total));
      if (to > from) pen.dots(expanded.subarray(2 * from, 2 * to), heatColour(pen.palette, shade / (SHADES - 1)), radius);
    }
  }

  /** Where paths overlap, the one chosen first is wider and beneath. */
  private drawRoutes(pen: Pen, size: number): void {
    const { fleet } = this.scene;
    const slots = fleet.all();
    slots.forEach(({ name, answer }, place) => {
      if (answer) this.drawRoute(pen, name, answer, size + (slots.length - 1 - place) * 1.5);
    });
  }

  private drawRoute(pen: Pen, engine: EngineName, { path, form }: Answer, width: number): void {
    const colour = this.palette.paths[Math.max(0, this.scene.state.chosen.indexOf(engine)) % this.palette.paths.length];
    const isBent = form === "points" || form === "halves";
    const points = form === "halves" ? Float64Array.from(path, (half) => half / 2) : path;
    pen.path(points, colour, width);
    if (isBent && path.length < 2000) pen.dots(points, colour, width / 2 + 1.6);
  }

  private drawCursorLayers(pen: Pen, size: number): void {
    const { palette } = pen;
    this.withLayer("taut", "taut-links", (numbers) => {
      pen.edges(numbers, palette.levels[2], 1.6);
      const ends = new Int32Array(numbers.length / 2);
      for (let edge = 0; edge < numbers.length / 4; edge++) ends.set([numbers[4 * edge + 2], numbers[4 * edge + 3]], 2 * edge);
      pen.dots(ends, palette.levels[2], size * 0.8);
    });
    this.withLayer("hubs", "hubs", (numbers) => {
      const { x, y } = inspectedCell(this.scene.state);
      const links: number[] = [];
      for (let at = 0; at < numbers.length; at += 3) links.push(x, y, numbers[at], numbers[at + 1]);
      pen.edges(Int32Array.from(links), faded(palette.levels[4], 0.35), 1);
      pen.dots(numbers, palette.levels[4], size * 0.9, { stride: 3 });
      pen.ring(x, y, palette.levels[4], size * 1.4, 2);
    });
  }

  private drawMeeting(pen: Pen, size: number): void {
    const { palette } = pen;
    this.withLayer("meeting", "meeting", (numbers) => {
      if (numbers.length < 2) return;
      pen.path(numbers.subarray(2), palette.levels[3], size * 0.8, { dash: [1, size * 1.6] });
      pen.dots(numbers.subarray(2), palette.levels[3], size * 0.75);
      pen.ring(numbers[0], numbers[1], palette.paper, size * 2.4, 5);
      pen.ring(numbers[0], numbers[1], palette.levels[5], size * 2.4, 3);
    });
  }
}

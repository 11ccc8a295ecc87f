/** What pointers, fingers, the wheel and keys do on the map. */
import type { Camera, Point } from "./camera";
import type { Cell } from "./protocol";
import { oncePerFrame } from "./signal";
import type { Stage } from "./stage";
import type { End, State, Tool } from "./state";

/** Cells that an outline marks: what the brush covers, or a rectangle being drawn. */
export interface Preview {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A pointer this near to a mark takes hold of it, in pixels; fingers are less exact. */
const GRIP = { mouse: 14, touch: 26 };
/** A pointer that moved less than this is a tap. */
const TAP = 5;
/** Fingers that come down within this time are a pinch, in milliseconds. */
const PINCH_MS = 300;
/** One notch of a wheel, and one press of a zoom key. */
const WHEEL_ZOOM = 0.0016;
export const KEY_ZOOM = 1.35;

type Drag =
  | { kind: "end"; end: End }
  | { kind: "pan"; from: Point; last: Point; moved: boolean }
  | { kind: "brush"; last: Cell }
  | { kind: "rectangle"; from: Cell; to: Cell };

const PAINTS: readonly Tool[] = ["wall", "erase", "terrain", "room", "fill"];

export class Tools {
  private readonly pointers = new Map<number, Point>();
  private drag: Drag | null = null;
  /** When the first pointer came down. */
  private began = 0;
  private readonly flush = oncePerFrame(() => this.state.map.flush());

  constructor(private readonly state: State, private readonly camera: Camera, private readonly stage: Stage) {
    const { element } = stage;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", (event) => this.up(event));
    element.addEventListener("pointerleave", () => {
      if (!this.drag) this.setCursor(null);
    });
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    state.toolChanged.on(() => {
      // A room begun by keyboard must not become a block, nor stay when another tool is taken up.
      if (element.dataset.tool !== state.tool && this.drag?.kind === "rectangle") this.giveUp();
      element.dataset.tool = state.tool;
    });
  }

  preview(): Preview | null {
    const { tool, cursor, brush, map } = this.state;
    if (this.drag?.kind === "rectangle") return spanning(this.drag.from, this.drag.to);
    if (!PAINTS.includes(tool) || !cursor || !map.contains(cursor)) return null;
    const size = tool === "room" || tool === "fill" ? 1 : brush;
    return { x: cursor.x - ((size - 1) >> 1), y: cursor.y - ((size - 1) >> 1), width: size, height: size };
  }

  private down(event: PointerEvent): void {
    const at = this.stage.paneAt(event.clientX, event.clientY);
    this.stage.element.focus({ preventScroll: true });
    this.stage.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) {
      // A second finger means to pinch, and a dab of the first on the way there was not meant. A long stroke was.
      if (event.timeStamp - this.began < PINCH_MS) this.giveUp();
      else this.finish();
      return;
    }
    if (this.pointers.size > 2) return;
    this.began = event.timeStamp;
    const cell = this.camera.cellAt(at);
    const end = this.endAt(at, event.pointerType === "touch" ? GRIP.touch : GRIP.mouse);
    const { tool } = this.state;
    if (event.button === 1 || event.button === 2) {
      this.drag = { kind: "pan", from: at, last: at, moved: true };
    } else if (end && tool === "move") {
      this.drag = { kind: "end", end };
      this.state.select(end);
    } else if (tool === "move") {
      this.drag = { kind: "pan", from: at, last: at, moved: false };
    } else if (tool === "room" || tool === "fill") {
      this.drag = { kind: "rectangle", from: cell, to: cell };
    } else {
      this.drag = { kind: "brush", last: cell };
      this.dab(cell);
    }
    this.setCursor(cell);
  }

  private move(event: PointerEvent): void {
    const at = this.stage.paneAt(event.clientX, event.clientY);
    const cell = this.camera.cellAt(at);
    const before = this.pointers.get(event.pointerId);
    if (before && this.pointers.size === 2) return this.pinch(event.pointerId, before, at);
    if (before) this.pointers.set(event.pointerId, at);
    const { drag } = this;
    switch (drag?.kind) {
      case "end":
        this.state.moveEnd(drag.end, cell);
        break;
      case "pan":
        drag.moved ||= Math.hypot(at.x - drag.from.x, at.y - drag.from.y) > TAP;
        if (drag.moved) this.camera.pan(at.x - drag.last.x, at.y - drag.last.y);
        drag.last = at;
        break;
      case "brush":
        this.line(drag.last, cell);
        drag.last = cell;
        break;
      case "rectangle":
        drag.to = cell;
        break;
      default:
        this.stage.element.dataset.over = this.state.tool === "move" && this.endAt(at, GRIP.mouse) ? "end" : "";
    }
    this.setCursor(cell);
  }

  private up(event: PointerEvent): void {
    const { drag } = this;
    const at = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (drag?.kind === "pan" && !drag.moved && at && event.type === "pointerup") {
      const cell = this.camera.cellAt(at);
      if (this.state.map.contains(cell)) this.state.moveEnd(this.state.selected, cell);
    }
    this.finish();
    if (event.pointerType === "touch") this.state.cursorMoved.emit();
  }

  private finish(): void {
    const { drag } = this;
    this.drag = null;
    if (drag?.kind === "rectangle") this.rectangle(spanning(drag.from, drag.to));
    if (drag?.kind === "rectangle" || drag?.kind === "brush") this.state.map.endStroke();
  }

  /** Ends what was begun, and leaves the map as it was before. */
  private giveUp(): void {
    const { drag } = this;
    this.drag = null;
    if (drag?.kind === "brush") this.state.map.dropStroke();
  }

  private pinch(id: number, before: Point, at: Point): void {
    const other = [...this.pointers].find(([key]) => key !== id)![1];
    const apart = (a: Point, b: Point) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
    const middle = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    const [from, to] = [middle(before, other), middle(at, other)];
    this.camera.pan(to.x - from.x, to.y - from.y);
    this.camera.zoom(apart(at, other) / apart(before, other), to);
    this.pointers.set(id, at);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    // Lines and pages of old wheels, as pixels.
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30;
    // A pinch on a touchpad arrives as a wheel with ctrl, in smaller steps.
    const strength = event.ctrlKey ? 6 * WHEEL_ZOOM : WHEEL_ZOOM;
    this.camera.zoom(Math.exp(-event.deltaY * unit * strength), this.stage.paneAt(event.clientX, event.clientY));
  }

  private key(event: KeyboardEvent): void {
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      this.arrow(arrow[0] * far, arrow[1] * far);
    } else if (event.key === "Enter" && PAINTS.includes(this.state.tool)) {
      event.preventDefault();
      this.paintAtCursor();
    } else if (event.key === "Escape" && this.drag?.kind === "rectangle") {
      event.stopPropagation(); // it would also end a walk
      this.giveUp();
      this.state.cursorMoved.emit();
    }
  }

  /** With the move tool, arrow keys move the selected end; with a brush, they move the place to paint. */
  private arrow(dx: number, dy: number): void {
    const { state } = this;
    if (state.tool === "move") {
      const end = state[state.selected];
      state.moveEnd(state.selected, { x: end.x + dx, y: end.y + dy });
      this.camera.reveal(state[state.selected]);
      return;
    }
    const from = state.cursor ?? state[state.selected];
    const to = {
      x: Math.min(Math.max(from.x + dx, 0), state.map.width - 1),
      y: Math.min(Math.max(from.y + dy, 0), state.map.height - 1),
    };
    if (this.drag?.kind === "rectangle") this.drag.to = to;
    this.setCursor(to);
    this.camera.reveal(to);
  }

  /** Enter dabs with a brush; for rectangles it sets one corner, then the other. */
  private paintAtCursor(): void {
    const { state } = this;
    const at = state.cursor ?? state[state.selected];
    this.setCursor(at);
    if (state.tool !== "room" && state.tool !== "fill") {
      this.dab(at);
      state.map.endStroke();
    } else if (this.drag?.kind === "rectangle") {
      this.finish();
    } else {
      this.drag = { kind: "rectangle", from: at, to: at };
      state.cursorMoved.emit();
    }
  }

  private setCursor(cell: Cell | null): void {
    const { cursor } = this.state;
    if (cursor?.x === cell?.x && cursor?.y === cell?.y && this.drag?.kind !== "rectangle") return;
    this.state.cursor = cell && this.state.map.contains(cell) ? cell : null;
    this.state.cursorMoved.emit();
  }

  private endAt(at: Point, grip: number): End | null {
    const distance = (end: End) => {
      const { x, y } = this.camera.toPane({ x: this.state[end].x + 0.5, y: this.state[end].y + 0.5 });
      return Math.hypot(x - at.x, y - at.y);
    };
    const [start, goal] = [distance("start"), distance("goal")];
    if (Math.min(start, goal) > grip) return null;
    return goal <= start ? "goal" : "start";
  }

  private paintWeight(): number {
    const { tool, weight } = this.state;
    return tool === "erase" ? 1 : tool === "terrain" ? weight : 0;
  }

  private dab({ x, y }: Cell): void {
    const { brush, map } = this.state;
    const weight = this.paintWeight();
    const before = (brush - 1) >> 1;
    for (let dy = 0; dy < brush; dy++) {
      for (let dx = 0; dx < brush; dx++) map.paint(x - before + dx, y - before + dy, weight);
    }
    this.flush();
  }

  /** Dabs along a line, so that a fast pointer leaves no holes. */
  private line(from: Cell, to: Cell): void {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
    for (let step = 1; step <= steps; step++) {
      this.dab({
        x: Math.round(from.x + ((to.x - from.x) * step) / steps),
        y: Math.round(from.y + ((to.y - from.y) * step) / steps),
      });
    }
  }

  /** A room: walls around it, ground inside, and a door in the middle of the longer sides. Or a filled block. */
  private rectangle({ x, y, width, height }: Preview): void {
    const { map, tool } = this.state;
    const [right, bottom] = [x + width - 1, y + height - 1];
    for (let row = Math.max(0, y); row <= Math.min(bottom, map.height - 1); row++) {
      for (let column = Math.max(0, x); column <= Math.min(right, map.width - 1); column++) {
        const rim = row === y || row === bottom || column === x || column === right;
        map.paint(column, row, tool === "fill" || rim ? 0 : 1);
      }
    }
    if (tool !== "room" || width < 3 || height < 3) return;
    const [middleX, middleY] = [x + (width >> 1), y + (height >> 1)];
    if (width >= height) {
      map.paint(middleX, y, 1);
      map.paint(middleX, bottom, 1);
    } else {
      map.paint(x, middleY, 1);
      map.paint(right, middleY, 1);
    }
  }
}

function spanning(a: Cell, b: Cell): Preview {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
}

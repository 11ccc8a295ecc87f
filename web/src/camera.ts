/** Which part of the map is seen, and how large. All panes share one camera. */
import type { Cell } from "./protocol";
import { Signal } from "./signal";

/** Pixels of a cell at most. */
const LARGEST_SCALE = 48;

export interface Point {
  x: number;
  y: number;
}

export class Camera {
  readonly moved = new Signal();
  /** CSS pixels per cell. */
  scale = 1;
  /** The place of the map, in cells, at the middle of a pane. */
  private middle: Point = { x: 0, y: 0 };
  private map = { width: 1, height: 1 };
  private pane = { width: 1, height: 1 };
  /** Whether the whole map was asked for; then it stays in view when the pane changes its size. */
  private fitted = true;

  setMap(width: number, height: number): void {
    this.map = { width, height };
    this.fit();
  }

  setPane(width: number, height: number): void {
    this.pane = { width: Math.max(1, width), height: Math.max(1, height) };
    if (this.fitted) this.fit();
    else this.hold();
  }

  fit(): void {
    this.fitted = true;
    this.scale = this.fittingScale();
    this.middle = { x: this.map.width / 2, y: this.map.height / 2 };
    this.moved.emit();
  }

  pan(dx: number, dy: number): void {
    this.fitted = false;
    this.middle = { x: this.middle.x - dx / this.scale, y: this.middle.y - dy / this.scale };
    this.hold();
  }

  /** Zooms so that the place under `at`, a point of the pane, stays there. */
  zoom(factor: number, at: Point = { x: this.pane.width / 2, y: this.pane.height / 2 }): void {
    const before = this.toMap(at);
    const least = Math.min(1, this.fittingScale()) / 2;
    this.fitted = false;
    this.scale = Math.min(LARGEST_SCALE, Math.max(least, this.scale * factor));
    const after = this.toMap(at);
    this.middle = { x: this.middle.x + before.x - after.x, y: this.middle.y + before.y - after.y };
    this.hold();
  }

  toMap({ x, y }: Point): Point {
    return {
      x: (x - this.pane.width / 2) / this.scale + this.middle.x,
      y: (y - this.pane.height / 2) / this.scale + this.middle.y,
    };
  }

  toPane({ x, y }: Point): Point {
    return {
      x: (x - this.middle.x) * this.scale + this.pane.width / 2,
      y: (y - this.middle.y) * this.scale + this.pane.height / 2,
    };
  }

  cellAt(point: Point): Cell {
    const { x, y } = this.toMap(point);
    return { x: Math.floor(x), y: Math.floor(y) };
  }

  /** Pans just enough to see the cell. */
  reveal({ x, y }: Cell): void {
    const MARGIN = 40;
    const at = this.toPane({ x: x + 0.5, y: y + 0.5 });
    const off = (place: number, size: number) =>
      place < MARGIN ? MARGIN - place : place > size - MARGIN ? size - MARGIN - place : 0;
    const [dx, dy] = [off(at.x, this.pane.width), off(at.y, this.pane.height)];
    if ((dx !== 0 || dy !== 0) && !this.fitted) this.pan(dx, dy);
  }

  private fittingScale(): number {
    const MARGIN = 12;
    const across = (this.pane.width - 2 * MARGIN) / this.map.width;
    const down = (this.pane.height - 2 * MARGIN) / this.map.height;
    return Math.min(LARGEST_SCALE, Math.max(0.05, Math.min(across, down)));
  }

  /** Keeps the middle of the pane on the map, so that the map cannot get lost. */
  private hold(): void {
    this.middle.x = Math.min(Math.max(this.middle.x, 0), this.map.width);
    this.middle.y = Math.min(Math.max(this.middle.y, 0), this.map.height);
    this.moved.emit();
  }
}

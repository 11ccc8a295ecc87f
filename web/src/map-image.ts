/** The map as a picture with one pixel a cell, painted anew only where it changed. */
import type { Area, GameMap } from "./map";

export class MapImage {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d", { alpha: false })!;

  /** Paints part of the map, or all of it. `pixels` has a pixel for each weight. */
  paint(map: GameMap, pixels: Uint32Array, area: Area = { x: 0, y: 0, width: map.width, height: map.height }): void {
    if (this.canvas.width !== map.width || this.canvas.height !== map.height) {
      this.canvas.width = map.width;
      this.canvas.height = map.height;
      area = { x: 0, y: 0, width: map.width, height: map.height };
    }
    const image = new ImageData(area.width, area.height);
    const target = new Uint32Array(image.data.buffer);
    let at = 0;
    for (let y = area.y; y < area.y + area.height; y++) {
      const row = y * map.width;
      for (let x = area.x; x < area.x + area.width; x++) target[at++] = pixels[map.weights[row + x]];
    }
    this.context.putImageData(image, area.x, area.y);
  }
}

/** Expanded cells as a picture with one pixel a cell: the heat map of a search that floods the map. */
export class HeatImage {
  readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private image = new ImageData(1, 1);
  private painted: { expanded: Int32Array; count: number; pixels: Uint32Array } | null = null;

  /** Paints the first `count` nodes of `expanded` (x, y pairs). Going on from what is painted costs only the new ones. */
  paint(width: number, height: number, expanded: Int32Array, count: number, pixels: Uint32Array): void {
    const total = expanded.length / 2;
    let from = 0;
    const { painted } = this;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.image = new ImageData(width, height);
    } else if (painted?.expanded === expanded && painted.count <= count && painted.pixels === pixels) {
      if (painted.count === count) return;
      from = painted.count;
    } else {
      this.image.data.fill(0);
    }
    const target = new Uint32Array(this.image.data.buffer);
    let [left, top, right, bottom] = from === 0 ? [0, 0, width - 1, height - 1] : [width, height, -1, -1];
    for (let node = from; node < count; node++) {
      const [x, y] = [expanded[2 * node], expanded[2 * node + 1]];
      target[y * width + x] = pixels[Math.floor((node / total) * pixels.length)];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    if (right >= left) this.context.putImageData(this.image, 0, 0, left, top, right - left + 1, bottom - top + 1);
    this.painted = { expanded, count, pixels };
  }
}

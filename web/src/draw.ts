/** Strokes and dots on a canvas, in cells of the map. */
import type { Camera } from "./camera";
import { faded, levelColour, type Palette } from "./palette";

/** At most this many edges are drawn at once; more would only be a grey haze, and slow. */
const MOST_EDGES = 30_000;

const TURN = 2 * Math.PI;

/** Draws on one canvas of one pane. Positions are cells; sizes are pixels. */
export class Pen {
  readonly scale: number;
  private readonly offset: { x: number; y: number };
  private readonly reach: { left: number; top: number; right: number; bottom: number };

  constructor(readonly context: CanvasRenderingContext2D, camera: Camera, readonly palette: Palette, width: number, height: number) {
    this.scale = camera.scale;
    this.offset = camera.toPane({ x: 0.5, y: 0.5 });
    const [first, last] = [camera.toMap({ x: 0, y: 0 }), camera.toMap({ x: width, y: height })];
    this.reach = { left: first.x - 1, top: first.y - 1, right: last.x + 1, bottom: last.y + 1 };
  }

  /** Pixels of a column's centre. */
  x(column: number): number {
    return column * this.scale + this.offset.x;
  }

  /** Pixels of a row's centre. */
  y(row: number): number {
    return row * this.scale + this.offset.y;
  }

  sees(x: number, y: number): boolean {
    const { left, top, right, bottom } = this.reach;
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  /** A line through x, y pairs, with a rim that sets it off from the ground. */
  path(points: ArrayLike<number>, colour: string, width: number, options: { dash?: number[]; rim?: boolean; stride?: number } = {}): void {
    const { context } = this;
    const { dash = [], rim = true, stride = 2 } = options;
    if (points.length < 2 * stride) return;
    context.beginPath();
    for (let at = 0; at < points.length; at += stride) context.lineTo(this.x(points[at]), this.y(points[at + 1]));
    context.lineJoin = "round";
    context.lineCap = "round";
    context.setLineDash(dash);
    if (rim) {
      context.strokeStyle = faded(this.palette.paper, 0.85);
      context.lineWidth = width + 2;
      context.stroke();
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
    context.setLineDash([]);
  }

  /** Dots at x, y, … of every `stride` numbers, all of one colour. */
  dots(points: ArrayLike<number>, colour: string, radius: number, options: { rim?: boolean; stride?: number } = {}): void {
    const { context } = this;
    const { rim = true, stride = 2 } = options;
    context.beginPath();
    for (let at = 0; at + 1 < points.length; at += stride) {
      if (!this.sees(points[at], points[at + 1])) continue;
      const [x, y] = [this.x(points[at]), this.y(points[at + 1])];
      if (!rim && radius < 3) {
        context.rect(x - radius, y - radius, 2 * radius, 2 * radius); // too small to tell, and far cheaper
      } else {
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, TURN);
      }
    }
    if (rim) {
      context.strokeStyle = this.palette.paper;
      context.lineWidth = 1.5;
      context.stroke();
    }
    context.fillStyle = colour;
    context.fill();
  }

  /** Many equal dots, drawn once and stamped: with 1,000 units, a frame took 7 ms instead of 10 with circles. */
  stamps(points: ArrayLike<number>, colour: string, radius: number): void {
    const { context } = this;
    const ratio = context.getTransform().a;
    const half = radius + 1.5;
    const stamp = new OffscreenCanvas(Math.ceil(2 * half * ratio), Math.ceil(2 * half * ratio));
    const ink = stamp.getContext("2d")!;
    ink.scale(stamp.width / (2 * half), stamp.height / (2 * half));
    for (const [fill, size] of [[this.palette.paper, radius + 1], [colour, radius]] as const) {
      ink.beginPath();
      ink.arc(half, half, size, 0, TURN);
      ink.fillStyle = fill;
      ink.fill();
    }
    for (let at = 0; at + 1 < points.length; at += 2) {
      if (!this.sees(points[at], points[at + 1])) continue;
      context.drawImage(stamp, this.x(points[at]) - half, this.y(points[at + 1]) - half, 2 * half, 2 * half);
    }
  }

  /** Edges as ax, ay, bx, by. Returns how many of those in view were left out. */
  edges(numbers: Int32Array, colour: string, width: number): number {
    const { context, reach } = this;
    let drawn = 0;
    let left = 0;
    context.beginPath();
    for (let at = 0; at + 3 < numbers.length; at += 4) {
      const [ax, ay, bx, by] = [numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]];
      if (Math.max(ax, bx) < reach.left || Math.min(ax, bx) > reach.right) continue;
      if (Math.max(ay, by) < reach.top || Math.min(ay, by) > reach.bottom) continue;
      if (drawn === MOST_EDGES) {
        left++;
        continue;
      }
      drawn++;
      context.moveTo(this.x(ax), this.y(ay));
      context.lineTo(this.x(bx), this.y(by));
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
    return left;
  }

  /** Rectangles as x, y, width, height in cells. */
  boxes(numbers: Int32Array, colour: string, width: number): void {
    const { context, scale } = this;
    context.beginPath();
    for (let at = 0; at + 3 < numbers.length; at += 4) {
      const [x, y] = [this.x(numbers[at] - 0.5), this.y(numbers[at + 1] - 0.5)];
      context.rect(x, y, numbers[at + 2] * scale, numbers[at + 3] * scale);
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }

  /** Squares at x, y, level, coloured by level; higher levels are drawn last and larger. */
  levels(numbers: Int32Array, size: number): void {
    const { context } = this;
    const byLevel = new Map<number, number[]>();
    for (let at = 0; at + 2 < numbers.length; at += 3) {
      if (!this.sees(numbers[at], numbers[at + 1])) continue;
      const level = numbers[at + 2];
      const places = byLevel.get(level) ?? [];
      if (places.length === 0) byLevel.set(level, places);
      places.push(this.x(numbers[at]), this.y(numbers[at + 1]));
    }
    for (const level of [...byLevel.keys()].sort((a, b) => a - b)) {
      const side = size * (1 + 0.18 * Math.min(level - 1, 5));
      context.fillStyle = levelColour(this.palette, level - 1);
      const places = byLevel.get(level)!;
      for (let at = 0; at < places.length; at += 2) {
        context.fillRect(places[at] - side / 2, places[at + 1] - side / 2, side, side);
      }
    }
  }

  ring(x: number, y: number, colour: string, radius: number, width: number): void {
    const { context } = this;
    context.beginPath();
    context.arc(this.x(x), this.y(y), radius, 0, TURN);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }

  /** Where a path starts or ends, as `render` marks them. */
  mark({ x, y }: { x: number; y: number }, colour: string, hollow: boolean, selected: boolean): void {
    const radius = 8;
    if (selected) this.ring(x, y, faded(colour, 0.35), radius + 5, 5);
    this.dots([x, y], colour, radius);
    if (hollow) this.dots([x, y], this.palette.paper, radius / 2.6, { rim: false });
  }

  /** The outline of some cells. */
  outline(x: number, y: number, width: number, height: number, colour: string): void {
    const { context, scale } = this;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash([5, 3]);
    context.strokeRect(this.x(x - 0.5), this.y(y - 0.5), width * scale, height * scale);
    context.setLineDash([]);
  }
}

/** Units that walk their plans while the map is edited. The engine moves them in its worker; this draws them. */
import type { EngineName } from "farstride";
import type { Pen } from "./draw";
import type { Fleet } from "./fleet";
import { faded } from "./palette";
import type { Cell, UnitsMoved } from "./protocol";
import { Signal } from "./signal";
import type { State } from "./state";

/** How long a unit that planned again is marked, in milliseconds. */
const FLASH_MS = 700;
/** Frames over which times are averaged. */
const SMOOTHING = 20;
/** Never ask for more steps at once; a page that was hidden does not catch up. */
const MOST_STEPS = 8;

/** Mean times of a frame in milliseconds. */
export interface FrameTimes {
  engine: number;
  drawing: number;
}

export class Walk {
  readonly changed = new Signal();
  /** Something moved and must be drawn. */
  readonly moved = new Signal();
  isOpen = false;
  isRunning = false;
  engine: EngineName | null = null;
  /** Steps of each unit per second. */
  speed = 20;
  times: FrameTimes = { engine: 0, drawing: 0 };

  private now: UnitsMoved | null = null;
  private before: Int32Array | null = null;
  private flashes = new Map<number, number>();
  private replanFlash = 0;
  /** Steps due, as a fraction: how far units are on their way to the next cell. */
  private due = 0;
  private last = 0;
  private asking = false;
  private sending = false;
  /** Which walk an answer belongs to. */
  private walkNumber = 0;

  constructor(
    private readonly state: State,
    private readonly fleet: Fleet,
    private readonly scatter: (goal: Cell, count: number) => Promise<Int32Array>,
  ) {
    fleet.isWalking = (name) => this.isOpen && name === this.engine;
    state.mapReplaced.on(() => this.end());
    state.settingsChanged.on(() => this.end());
    state.chosenChanged.on(() => {
      if (this.engine && !state.chosen.includes(this.engine)) this.end();
    });
    let goal = state.goal;
    state.queryChanged.on(() => {
      if (goal === state.goal) return;
      goal = state.goal;
      if (this.isOpen) void this.sendToGoal();
    });
  }

  get size(): number {
    return this.now ? this.now.states.length : 0;
  }

  get replans(): number {
    return this.now?.replans ?? 0;
  }

  /** Units in a state: 0 walking, 1 arrived, 2 no way. */
  count(state: 0 | 1 | 2): number {
    let count = 0;
    for (const each of this.now?.states ?? []) if (each === state) count++;
    return count;
  }

  /** Puts `units` on the map: the first at the start, others anywhere from where the goal can be reached. */
  async begin(engine: EngineName, units: number): Promise<void> {
    this.end();
    if (this.fleet.get(engine)?.state !== "ready") throw new Error(`${engine} has no index to walk by yet`);
    const number = ++this.walkNumber;
    const { start, goal } = this.state;
    const others = units > 1 ? await this.scatter(goal, units - 1) : new Int32Array(0);
    const starts = new Int32Array(2 + others.length);
    starts.set([start.x, start.y]);
    starts.set(others, 2);
    if (number !== this.walkNumber) return;
    this.engine = engine;
    const slot = this.slot();
    if (!slot) return;
    const first = await slot.order("walk", { starts, goal });
    if (number !== this.walkNumber) return;
    this.now = first;
    this.before = first.positions;
    this.flashes.clear();
    this.times = { engine: 0, drawing: 0 };
    this.due = 0;
    this.isOpen = true;
    this.run(true);
  }

  run(on: boolean): void {
    this.isRunning = on && this.isOpen;
    this.last = performance.now();
    if (this.isRunning) requestAnimationFrame(this.frame);
    this.changed.emit();
  }

  end(): void {
    this.walkNumber++;
    if (this.isOpen) this.slot()?.order("walkEnd", {}).catch(() => {});
    this.isOpen = false;
    this.isRunning = false;
    this.now = null;
    this.before = null;
    this.changed.emit();
    this.moved.emit();
  }

  draw(pen: Pen, { goal }: State): void {
    const { now, before } = this;
    if (!this.isOpen || !now || !before) return;
    const begin = performance.now();
    const { palette, scale } = pen;
    if (now.refined.length > 2) pen.path(now.refined, palette.unit, Math.max(2, scale * 0.25));
    if (now.waypoints.length > 0) {
      pen.path(now.waypoints, palette.ink, 1.2, { dash: [4, 4], rim: false, stride: 3 });
      pen.levels(now.waypoints, 6);
    }
    // Crowds share cells; smaller dots keep them apart.
    const radius = Math.max(now.states.length > 100 ? 1.8 : 4, Math.min(scale * 0.38, 9));
    const share = Math.min(1, this.due);
    const groups: number[][] = [[], [], []];
    for (let unit = 0; unit < now.states.length; unit++) {
      const [fromX, fromY] = [before[2 * unit], before[2 * unit + 1]];
      const x = fromX + (now.positions[2 * unit] - fromX) * share;
      const y = fromY + (now.positions[2 * unit + 1] - fromY) * share;
      groups[now.states[unit]]?.push(x, y);
      const flash = this.flashes.get(unit);
      if (flash !== undefined) {
        const age = (begin - flash) / FLASH_MS;
        if (age >= 1) this.flashes.delete(unit);
        else pen.ring(x, y, faded(palette.replan, 1 - age), radius + 4 + 16 * age, 3);
      }
    }
    pen.dots(groups[1], faded(palette.goal, 0.6), radius, { rim: false });
    pen.dots(groups[2], palette.replan, radius, { rim: false });
    pen.stamps(groups[0], palette.unit, radius);
    const flashAge = (begin - this.replanFlash) / FLASH_MS;
    if (now.states.length > 24 && flashAge < 1) pen.ring(goal.x, goal.y, faded(palette.replan, 1 - flashAge), 14 + 30 * flashAge, 4);
  }

  /** A frame was drawn in so many milliseconds. */
  drew(ms: number): void {
    this.times.drawing += (ms - this.times.drawing) / SMOOTHING;
  }

  private slot() {
    return this.engine ? this.fleet.get(this.engine) : undefined;
  }

  /** Sends the units to the goal. A drag moves it faster than a crowd can plan, so only its last place waits. */
  private async sendToGoal(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      let sent: Cell;
      do {
        sent = this.state.goal;
        await this.slot()?.order("walkTo", { goal: sent });
      } while (this.isOpen && sent !== this.state.goal);
    } catch {
      // The index is gone, and the walk ends with it.
    } finally {
      this.sending = false;
    }
  }

  private readonly frame = (time: number): void => {
    if (!this.isRunning) return;
    this.due += (Math.max(0, time - this.last) / 1000) * this.speed;
    this.last = time;
    if (this.due >= 1 && !this.asking) void this.advance(Math.min(Math.floor(this.due), MOST_STEPS));
    this.moved.emit();
    requestAnimationFrame(this.frame);
  };

  private async advance(steps: number): Promise<void> {
    const slot = this.slot();
    const number = this.walkNumber;
    if (!slot || slot.state !== "ready") return;
    this.asking = true;
    try {
      const moved = await slot.order("walkStep", { steps });
      if (number !== this.walkNumber || !this.now) return;
      const clock = performance.now();
      for (const unit of moved.replanned) this.flashes.set(unit, clock);
      if (moved.replans > this.now.replans) this.replanFlash = clock;
      this.before = this.now.positions;
      this.now = moved;
      this.times.engine += (moved.ms - this.times.engine) / SMOOTHING;
      this.due = Math.min(Math.max(0, this.due - steps), 1);
      this.changed.emit();
    } catch {
      if (number === this.walkNumber) this.end(); // the planner is gone, such as after a build
    } finally {
      this.asking = false;
    }
  }
}

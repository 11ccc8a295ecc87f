/// <reference lib="esnext.disposable" preserve="true" />
import { shown, whole } from "./check.js";
import { failure, Handle, type Raw } from "./engine.js";
import { FarstrideError } from "./error.js";
import { RawCrowd, type RawPlan, type RawPlanner } from "./farstride.js";
import { Planner } from "./planner.js";

/** The handle of a planner, or an error. */
function handleOf(planner: unknown): Handle<RawPlanner> {
  if (!(planner instanceof Planner)) {
    throw new FarstrideError("query", `planner is ${shown(planner)}; expected a Planner`);
  }
  return planner.handle;
}

/** Runs a call that uses both objects. */
function together<R extends Raw, T>(
  handle: Handle<R>,
  planner: unknown,
  call: (raw: R, planner: RawPlanner) => T,
): T {
  const other = handleOf(planner);
  const [raw, rawPlanner] = [handle.raw, other.raw];
  try {
    return call(raw, rawPlanner);
  } catch (error) {
    throw failure(error, handle as unknown as Handle<Raw>, other as unknown as Handle<Raw>);
  }
}

const STEPS = ["to", "arrived", "unreachable"] as const;

/** A route that is refined while a unit walks it, and follows edits of the map. `Planner.plan` makes it. */
export class Plan {
  readonly #handle: Handle<RawPlan>;

  /** @internal */
  constructor(raw: RawPlan) {
    this.#handle = new Handle("Plan", raw);
  }

  /**
   * Takes the next step on the present map of the planner. "to": the unit is at `x`, `y` now.
   * "unreachable": an edit has cut it off; try again after the next one.
   */
  step(planner: Planner): "to" | "arrived" | "unreachable" {
    return STEPS[together(this.#handle, planner, (raw, other) => raw.step(other))] ?? "unreachable";
  }

  /** Column of the unit. */
  get x(): number {
    return this.#handle.run((raw) => raw.x());
  }

  /** Row of the unit. */
  get y(): number {
    return this.#handle.run((raw) => raw.y());
  }

  /** Column of the goal. */
  get goalX(): number {
    return this.#handle.run((raw) => raw.goal_x());
  }

  /** Row of the goal. */
  get goalY(): number {
    return this.#handle.run((raw) => raw.goal_y());
  }

  /** How often a new route was searched. */
  get replans(): number {
    return this.#handle.run((raw) => raw.replans());
  }

  /** Upper bound of the cost of the rest, in units; with groups an estimate. */
  get cost(): number {
    return this.#handle.run((raw) => raw.cost());
  }

  /** Refined cells or turning points ahead: x, y, …. */
  refined(): Int32Array {
    return this.#handle.run((raw) => raw.refined());
  }

  /** The abstract path ahead: x, y, level, …. */
  waypoints(): Int32Array {
    return this.#handle.run((raw) => raw.waypoints());
  }

  /** Tells the plan that the unit is somewhere else. The next step starts there. */
  standAt(x: number, y: number): void {
    const [column, row] = [whole(x, "x", "query"), whole(y, "y", "query")];
    this.#handle.run((raw) => raw.stand_at(column, row));
  }

  /** Gives the memory back. */
  free(): void {
    this.#handle.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** Where the units of a crowd are after a step. */
export interface CrowdStep {
  /** x, y, … in the order of the units' numbers. */
  positions: Int32Array;
  /** 0 walking, 1 arrived, 2 no way. */
  states: Uint8Array;
  /** New routes searched so far, by all units together. */
  replans: number;
}

/** Many units that walk their plans, with one call per frame. */
export class Crowd {
  readonly #handle: Handle<RawCrowd>;
  readonly #planner: Planner;

  constructor(planner: Planner) {
    void handleOf(planner).raw;
    this.#planner = planner;
    this.#handle = new Handle("Crowd", new RawCrowd());
  }

  /** Adds a unit and returns its number. A unit without a way waits for one. */
  add(startX: number, startY: number, goalX: number, goalY: number): number {
    this.#planner.check(startX, startY);
    this.#planner.check(goalX, goalY);
    return together(this.#handle, this.#planner, (raw, planner) => raw.add(planner, startX, startY, goalX, goalY));
  }

  /** Sends all units to one goal. */
  sendAll(goalX: number, goalY: number): void {
    this.#planner.check(goalX, goalY);
    together(this.#handle, this.#planner, (raw, planner) => raw.send_all(planner, goalX, goalY));
  }

  /** Each unit takes one step on the present map of the planner. */
  step(planner: Planner): CrowdStep {
    const [positions, states, replans] = together(
      this.#handle,
      planner,
      (raw, other) => raw.step(other) as [Int32Array, Uint8Array, number],
    );
    return { positions, states, replans };
  }

  /** Number of units. */
  get size(): number {
    return this.#handle.run((raw) => raw.size());
  }

  /** Gives the memory back. */
  free(): void {
    this.#handle.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

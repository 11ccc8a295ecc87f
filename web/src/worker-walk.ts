/** Units that walk, inside the worker of their engine. */
import { Crowd, type Plan, type Planner } from "farstride";
import type { Cell, UnitsMoved } from "./protocol";

/**
 * Up to this many units have a plan each, so that the page can show which of them plans again and what lies
 * ahead. More walk as a crowd: one call moves them all.
 */
const SINGLE_PLANS = 24;

const NOTHING = new Int32Array(0);

export class WorkerWalk {
  private readonly crowd: Crowd | null;
  private plans: (Plan | null)[] = [];
  private positions: Int32Array;
  private states: Uint8Array;
  private replans = 0;
  /** Replans of each plan at the last step, to see which are new. */
  private known: number[] = [];

  constructor(planner: Planner, starts: Int32Array, private goal: Cell) {
    const count = starts.length / 2;
    this.positions = starts.slice();
    this.states = new Uint8Array(count);
    this.crowd = count > SINGLE_PLANS ? new Crowd(planner) : null;
    if (this.crowd) {
      for (let unit = 0; unit < count; unit++) {
        this.crowd.add(starts[2 * unit], starts[2 * unit + 1], goal.x, goal.y);
      }
    } else {
      this.planAll(planner);
    }
  }

  sendTo(planner: Planner, goal: Cell): void {
    this.goal = goal;
    if (this.crowd) this.crowd.sendAll(goal.x, goal.y);
    else this.planAll(planner);
  }

  step(planner: Planner, steps: number): UnitsMoved {
    const begin = performance.now();
    const replanned: number[] = [];
    for (let round = 0; round < steps; round++) {
      if (this.crowd) this.stepCrowd(this.crowd, planner);
      else this.stepPlans(planner, replanned);
    }
    return this.state(performance.now() - begin, replanned);
  }

  state(ms = 0, replanned: number[] = []): UnitsMoved {
    const first = this.plans[0];
    return {
      positions: this.positions.slice(),
      states: this.states.slice(),
      replans: this.replans,
      replanned: Int32Array.from(replanned),
      refined: first ? first.refined() : NOTHING.slice(),
      waypoints: first ? first.waypoints() : NOTHING.slice(),
      ms,
    };
  }

  free(): void {
    this.crowd?.free();
    for (const plan of this.plans) plan?.free();
    this.plans = [];
  }

  private planAll(planner: Planner): void {
    for (const plan of this.plans) plan?.free();
    for (let unit = 0; unit < this.states.length; unit++) this.plan(planner, unit);
  }

  private plan(planner: Planner, unit: number): void {
    const { status, plan } = planner.plan(this.positions[2 * unit], this.positions[2 * unit + 1], this.goal.x, this.goal.y);
    this.plans[unit] = plan;
    this.known[unit] = 0;
    this.states[unit] = plan ? 0 : status === "already-there" ? 1 : 2;
  }

  private stepPlans(planner: Planner, replanned: number[]): void {
    for (let unit = 0; unit < this.states.length; unit++) {
      // A plan that was cut off looks for a way by itself; a unit that never had one asks again, in case of an edit.
      if (!this.plans[unit] && this.states[unit] === 2) this.plan(planner, unit);
      const plan = this.plans[unit];
      if (!plan || this.states[unit] === 1) continue;
      const result = plan.step(planner);
      this.states[unit] = result === "to" ? 0 : result === "arrived" ? 1 : 2;
      this.positions[2 * unit] = plan.x;
      this.positions[2 * unit + 1] = plan.y;
      if (plan.replans > this.known[unit]) {
        this.replans += plan.replans - this.known[unit];
        this.known[unit] = plan.replans;
        replanned.push(unit);
      }
    }
  }

  private stepCrowd(crowd: Crowd, planner: Planner): void {
    const { positions, states, replans } = crowd.step(planner);
    this.positions = positions;
    this.states = states;
    this.replans = replans;
  }
}

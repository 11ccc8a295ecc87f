/** Plays searches back: the nodes they expanded, in order; one engine, or two side by side in lockstep. */
import type { EngineName } from "farstride";
import type { Fleet } from "./fleet";
import type { Answer } from "./protocol";
import { Signal } from "./signal";

export interface PlayedSearch {
  engine: EngineName;
  answer: Answer;
  /** Nodes shown. */
  count: number;
  done: boolean;
  title: string;
}

export class Player {
  readonly changed = new Signal();
  /** Whether a search is on screen instead of the finished paths. */
  isOpen = false;
  isRunning = false;
  /** One or two engines. */
  engines: EngineName[] = [];
  /** Nodes shown of each search. */
  at = 0;
  /** Nodes per second. */
  speed = 400;

  private last = 0;
  /** Parts of a node that are not shown yet. */
  private rest = 0;

  constructor(private readonly fleet: Fleet) {
    fleet.isPlayed = (name) => this.isOpen && this.engines.includes(name);
    fleet.changed.on(() => {
      if (this.isOpen) this.changed.emit();
    });
  }

  get total(): number {
    return Math.max(0, ...this.engines.map((name) => (this.fleet.get(name)?.answer?.expanded?.length ?? 0) / 2));
  }

  open(engines: EngineName[]): void {
    this.engines = engines;
    this.isOpen = engines.length > 0;
    this.isRunning = false;
    this.at = 0;
    this.fleet.askAll();
    this.changed.emit();
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.isRunning = false;
    this.changed.emit();
  }

  run(on: boolean): void {
    this.isRunning = on && this.isOpen;
    if (this.isRunning) {
      if (this.at >= this.total) this.at = 0;
      this.rest = 0;
      this.last = performance.now();
      requestAnimationFrame(this.frame);
    }
    this.changed.emit();
  }

  seek(at: number): void {
    this.at = Math.min(Math.max(0, Math.round(at)), this.total);
    this.changed.emit();
  }

  step(by: number): void {
    this.isRunning = false;
    this.seek(this.at + by);
  }

  /** What the pane with this number shows, or null if nothing is played there or the search has not come. */
  search(pane: 0 | 1): PlayedSearch | null {
    const engine = this.engines[pane];
    const answer = this.isOpen && engine ? this.fleet.get(engine)?.answer : null;
    if (!answer?.expanded) return null;
    const total = answer.expanded.length / 2;
    const count = Math.min(this.at, total);
    const done = count === total;
    const title = `${engine}: ${count.toLocaleString("en")} of ${total.toLocaleString("en")} nodes${done ? ", done" : ""}`;
    return { engine, answer, count, done, title };
  }

  private readonly frame = (now: number): void => {
    if (!this.isRunning) return;
    this.rest += (Math.max(0, now - this.last) / 1000) * this.speed;
    this.last = now;
    const whole = Math.floor(this.rest);
    this.rest -= whole;
    const total = this.total;
    this.at = Math.min(this.at + whole, total);
    const hasCome = this.engines.some((name) => this.fleet.get(name)?.answer?.expanded);
    if (hasCome && this.at >= total) this.isRunning = false;
    else requestAnimationFrame(this.frame);
    this.changed.emit();
  };
}

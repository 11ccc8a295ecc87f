/** Controls of the walk, and its figures. */
import type { EngineName } from "farstride";
import { byId, fillChoices, make } from "../dom";
import { oncePerFrame } from "../signal";
import type { State } from "../state";
import type { Walk } from "../walk";
import { attempt } from "./notices";
import { Stopped } from "../link";

/** Engines that follow edits at once suit walking units best. */
const PREFERRED: readonly EngineName[] = ["hpa", "groups", "nsg+", "hpt"];

export class WalkPanel {
  private readonly engine = byId<HTMLSelectElement>("walk-engine");
  private readonly figures = byId("walk-figures");
  private readonly values: HTMLElement[] = [];
  private replans = 0;

  constructor(state: State, private readonly walk: Walk) {
    const speed = byId<HTMLInputElement>("walk-speed");
    byId("walk-begin").addEventListener("click", () => this.begin());
    byId("walk-pause").addEventListener("click", () => walk.run(!walk.isRunning));
    byId("walk-end").addEventListener("click", () => walk.end());
    const setSpeed = () => {
      walk.speed = Number(speed.value);
      byId("walk-speed-text").textContent = speed.value;
    };
    speed.addEventListener("input", setSpeed);
    setSpeed();
    state.chosenChanged.on(() => {
      const before = this.engine.value;
      fillChoices(this.engine, state.chosen.map((name) => ({ value: name, label: name })));
      const preferred = PREFERRED.find((name) => state.chosen.includes(name));
      if (this.engine.value !== before && preferred) this.engine.value = preferred;
    });
    for (const label of ["walking", "arrived", "no way", "replans", "time per frame"]) {
      const value = make("dd");
      this.values.push(value);
      this.figures.append(make("dt", {}, label), value);
    }
    const redraw = oncePerFrame(() => this.draw());
    walk.changed.on(redraw);
    redraw();
  }

  private begin(): void {
    const units = Number(byId<HTMLSelectElement>("walk-units").value);
    void attempt(async () => {
      try {
        await this.walk.begin(this.engine.value as EngineName, units);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
      }
    });
  }

  private draw(): void {
    const { walk } = this;
    byId<HTMLButtonElement>("walk-pause").disabled = !walk.isOpen;
    byId<HTMLButtonElement>("walk-end").disabled = !walk.isOpen;
    byId("walk-pause").textContent = walk.isOpen && !walk.isRunning ? "Go on" : "Pause";
    this.figures.hidden = !walk.isOpen;
    if (!walk.isOpen) return;
    const { engine, drawing } = walk.times;
    const texts = [
      `${walk.count(0)} of ${walk.size}`,
      String(walk.count(1)),
      String(walk.count(2)),
      String(walk.replans),
      `${(engine + drawing).toFixed(1)} ms: engine ${engine.toFixed(1)}, drawing ${drawing.toFixed(1)}`,
    ];
    texts.forEach((text, at) => (this.values[at].textContent = text));
    if (walk.replans > this.replans) this.flash(this.values[3]);
    this.replans = walk.replans;
  }

  private flash(element: HTMLElement): void {
    element.classList.remove("flash");
    void element.offsetWidth; // starts the animation again
    element.classList.add("flash");
  }
}

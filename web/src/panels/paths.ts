/** Which engines are compared, and the table of what they found. */
import type { Fleet } from "../fleet";
import { byId, make } from "../dom";
import { bytes, milliseconds, micros, percent } from "../format";
import { PALETTES } from "../palette";
import { oncePerFrame } from "../signal";
import type { Slot } from "../slot";
import { MOST_ENGINES, type State } from "../state";
import { tell } from "./notices";

const NO_PATH: Record<string, string> = {
  "already-there": "start and goal are the same cell",
  "start-blocked": "the start is inside a wall",
  "goal-blocked": "the goal is inside a wall",
  unreachable: "no way there",
  "budget-spent": "gave up",
};

/** A row of the table. Its parts are kept, so that a frame changes only texts. */
interface Row {
  element: HTMLTableRowElement;
  name: HTMLTableCellElement;
  figures: HTMLTableCellElement[];
  /** One wide cell instead of figures: progress, or why there is no path. */
  wide: HTMLTableCellElement;
  bar: HTMLProgressElement;
  building: HTMLElement;
  again: HTMLButtonElement;
  text: HTMLElement;
}

const FIGURES = 6;
/** Cost, excess, time and nodes are the query's; build time and size are shown beside a message, too. */
const OF_QUERY = 4;

export class PathsPanel {
  private readonly rows = new Map<Slot, Row>();
  private readonly redraw = oncePerFrame(() => this.draw());

  constructor(private readonly state: State, private readonly fleet: Fleet) {
    fleet.changed.on(() => this.redraw());
    state.themeChanged.on(() => this.drawEngines());
    state.chosenChanged.on(() => this.drawEngines());
  }

  /** Buttons for all engines; called once the engine has told which there are. */
  drawEngines(): void {
    const { paths } = PALETTES[this.state.theme];
    const { chosen } = this.state;
    const group = byId("engines");
    for (const { name, summary } of this.state.engines) {
      let button = group.querySelector<HTMLButtonElement>(`[data-engine="${name}"]`);
      if (!button) {
        button = make("button", { type: "button", "data-engine": name, title: summary }, make("span", { class: "swatch" }), name);
        button.addEventListener("click", () => this.toggle(name));
        group.append(button);
      }
      const place = chosen.indexOf(name);
      button.setAttribute("aria-pressed", String(place >= 0));
      button.style.setProperty("--colour", place >= 0 ? paths[place % paths.length] : "transparent");
      button.querySelector<HTMLElement>(".swatch")!.hidden = place < 0;
    }
    this.redraw();
  }

  private toggle(name: Slot["name"]): void {
    const on = !this.state.chosen.includes(name);
    if (on && this.state.chosen.length >= MOST_ENGINES) {
      tell(`${MOST_ENGINES} engines at once are enough to tell their colours apart; take one out first`);
      return;
    }
    this.state.choose(name, on);
  }

  private draw(): void {
    const slots = this.fleet.all();
    const body = byId("results");
    for (const [slot, row] of this.rows) {
      if (slots.includes(slot)) continue;
      row.element.remove();
      this.rows.delete(slot);
    }
    const best = { grid: this.best(slots, false), anyAngle: this.best(slots, true) };
    slots.forEach((slot, place) => {
      let row = this.rows.get(slot);
      if (!row) this.rows.set(slot, (row = this.row(slot)));
      if (body.children[place] !== row.element) body.insertBefore(row.element, body.children[place] ?? null);
      const { paths } = PALETTES[this.state.theme];
      row.name.style.setProperty("--colour", paths[place % paths.length]);
      this.fill(row, slot, slot.info.anyAngle ? best.anyAngle : best.grid);
    });
    this.note(slots);
  }

  private row(slot: Slot): Row {
    const { info } = slot;
    const name = make("td", { title: info.summary }, make("span", { class: "swatch" }), slot.name);
    if (info.anyAngle) name.append(make("span", { class: "kind", title: "any-angle paths" }, " ∠"));
    const figures = Array.from({ length: FIGURES }, () => make("td"));
    const bar = make("progress", { max: 1, value: 0, "aria-label": `building ${slot.name}` });
    const cancel = make("button", { type: "button", title: `Stop building ${slot.name}` }, "Cancel");
    cancel.addEventListener("click", () => slot.cancel());
    const building = make("div", {}, bar, cancel);
    const again = make("button", { type: "button" }, "Build");
    again.addEventListener("click", () => this.fleet.build(slot));
    const text = make("span");
    const wide = make("td", { colspan: FIGURES }, building, text, " ", again);
    const element = make("tr", { "data-engine": slot.name }, name, ...figures, wide);
    return { element, name, figures, wide, bar, building, again, text };
  }

  private fill(row: Row, slot: Slot, best: number): void {
    const { answer, built, state } = slot;
    row.element.dataset.state = state;
    const found = state === "ready" && answer?.status === "found";
    const isBuilding = state === "building";
    const message = isBuilding ? "" : this.message(slot);
    const keepsFigures = state === "ready" && built !== null;
    row.figures.forEach((figure, at) => (figure.hidden = at < OF_QUERY ? !found : !keepsFigures));
    row.wide.hidden = found;
    row.wide.colSpan = keepsFigures ? OF_QUERY : FIGURES;
    row.wide.className = isBuilding ? "building" : `message${state === "ready" || state === "outdated" ? " calm" : ""}`;
    row.building.hidden = !isBuilding;
    row.bar.value = slot.progress;
    row.again.hidden = state !== "cancelled";
    setText(row.text, message);
    if (found) {
      const { effort, length } = answer;
      setText(row.figures[0], length.toFixed(1));
      setText(row.figures[1], this.isCurrent(slot) ? percent(length, best) : "…");
      setText(row.figures[2], micros(answer.micros));
      setText(row.figures[3], effort.expanded.toLocaleString("en"));
    }
    if (keepsFigures) {
      setText(row.figures[4], milliseconds(built.ms));
      setText(row.figures[5], bytes(built.indexBytes));
      // The message comes before the figures that stay.
      if (!found && row.wide.nextElementSibling !== row.figures[OF_QUERY]) row.figures[OF_QUERY].before(row.wide);
    }
  }

  private message({ state, message, answer }: Slot): string {
    if (message) return message;
    if (state === "outdated") return "built again after this stroke";
    return answer ? (NO_PATH[answer.status] ?? "") : "…";
  }

  /** The length to compare with: of an optimal path if there is one, else the best shown. */
  private best(slots: Slot[], anyAngle: boolean): number {
    const lengths = slots
      .filter((slot) => slot.info.anyAngle === anyAngle && slot.answer?.status === "found" && this.isCurrent(slot))
      .map(({ answer }) => answer!.length);
    return Math.min(...lengths);
  }

  /** Whether the answer is about where start and goal are now; a slow engine's may be about where they were. */
  private isCurrent({ answered }: Slot): boolean {
    return answered?.start === this.state.start && answered.goal === this.state.goal;
  }

  private note(slots: Slot[]): void {
    const has = (test: (slot: Slot) => boolean) => slots.some(test);
    const parts: string[] = [];
    if (has(({ info }) => !info.anyAngle)) {
      parts.push(
        has(({ info, answer }) => info.optimal && !info.anyAngle && answer !== null)
          ? "Grid paths are compared with the shortest grid path."
          : "Grid paths are compared with the best shown; add astar for the shortest.",
      );
    }
    if (has(({ info }) => info.anyAngle)) {
      parts.push("Any-angle paths (∠) are compared with each other: the shortest shown.");
    }
    setText(byId("compare-note"), parts.join(" ") || "Choose an engine above.");
  }
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

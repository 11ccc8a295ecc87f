/** What to show on the map. */
import type { EngineName } from "farstride";
import { byId, fillChoices, make, wholeNumber } from "../dom";
import type { Fleet } from "../fleet";
import { LAYERS, type LayerEntry } from "../layers";
import type { Stage } from "../stage";
import { MOST_ENGINES, type State } from "../state";
import { tell } from "./notices";

export class LayersPanel {
  private readonly boxes = new Map<LayerEntry, HTMLInputElement>();

  constructor(private readonly state: State, fleet: Fleet, stage: Stage) {
    const list = byId("layers");
    for (const layer of LAYERS) {
      const box = make("input", { type: "checkbox", id: `layer-${layer.id}` });
      box.addEventListener("change", () => this.toggle(layer, box.checked));
      this.boxes.set(layer, box);
      const of = layer.sources.length > 0 ? ` (${layer.sources.join(", ")})` : "";
      list.append(make("li", {}, make("label", {}, box, make("span", {}, layer.label), make("span", { class: "hint" }, layer.hint + of))));
    }
    const level = byId<HTMLInputElement>("level");
    level.addEventListener("change", () => {
      state.level = wholeNumber(level);
      state.layersChanged.emit();
    });
    const inspected = byId<HTMLSelectElement>("inspected");
    inspected.addEventListener("change", () => {
      state.inspected = (inspected.value || null) as EngineName | null;
      state.layersChanged.emit();
    });
    const follow = () => {
      for (const [{ id }, box] of this.boxes) box.checked = state.layers.has(id);
      level.value = String(state.level);
      fillChoices(inspected, [{ value: "", label: "any engine" }, ...state.chosen.map((name) => ({ value: name, label: name }))]);
      inspected.value = state.inspected && state.chosen.includes(state.inspected) ? state.inspected : "";
    };
    state.layersChanged.on(follow);
    state.chosenChanged.on(follow);
    follow();
    stage.edgesLeftOut.on((count) => {
      byId("layers-note").textContent = count > 0 ? `${count.toLocaleString("en")} edges are not drawn: zoom in to see all.` : "";
    });
    // An engine may have been taken out together with the layers it showed.
    fleet.changed.on(() => {
      for (const [{ sources }, box] of this.boxes) box.indeterminate = box.checked && sources.length > 0 && !sources.some((name) => state.chosen.includes(name));
    });
  }

  /** A layer needs an engine that has it. If none is chosen, the first of those is added. */
  private toggle({ id, sources, label }: LayerEntry, on: boolean): void {
    const { state } = this;
    if (on && sources.length > 0 && !sources.some((name) => state.chosen.includes(name))) {
      if (state.chosen.length >= MOST_ENGINES) tell(`${label} needs ${sources.join(" or ")}; take another engine out first`);
      else state.choose(sources[0], true);
    }
    state.show(id, on);
  }
}

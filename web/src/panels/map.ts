/** Which map: ready-made, generated or from a file; and the rules on it. */
import type { Diagonals } from "farstride";
import { byId, fillChoices, make, wholeNumber } from "../dom";
import { LARGEST_FILE, READY_MADE, type Maps } from "../maps";
import type { ImageReading, Recipe } from "../protocol";
import { fromFile, isSharedFile, type Shared } from "../share";
import type { State } from "../state";
import { attempt } from "./notices";

export class MapPanel {
  private readonly kind = byId<HTMLSelectElement>("kind");
  private readonly readyMade = byId<HTMLSelectElement>("ready-made");
  private readonly seed = byId<HTMLInputElement>("seed");
  private readonly width = byId<HTMLInputElement>("width");
  private readonly height = byId<HTMLInputElement>("height");

  constructor(private readonly state: State, private readonly maps: Maps, private readonly restore: (shared: Shared) => Promise<void>) {
    fillChoices(this.readyMade, [{ value: "", label: "own" }, ...READY_MADE.map(({ label }, place) => ({ value: String(place), label }))]);
    this.readyMade.addEventListener("change", () => {
      const picked = READY_MADE[Number(this.readyMade.value)];
      if (this.readyMade.value && picked) void attempt(() => maps.generate(picked.recipe, picked.start, picked.goal));
    });
    this.kind.addEventListener("change", () => this.drawParameters());
    byId("generate").addEventListener("submit", (event) => {
      event.preventDefault();
      this.generate();
    });
    byId("next-seed").addEventListener("click", () => {
      this.seed.value = String(wholeNumber(this.seed) + 1);
      this.generate();
    });
    this.files();
    this.rules();
    state.mapReplaced.on(() => this.follow());
  }

  /** Generators are known once the engine is loaded. */
  drawGenerators(): void {
    fillChoices(
      this.kind,
      this.state.generators.map(({ kind, terrain }) => ({ value: kind, label: terrain ? `${kind} (weights)` : kind })),
    );
    this.drawParameters();
  }

  private drawParameters(values: Record<string, number> = {}): void {
    const generator = this.state.generators.find(({ kind }) => kind === this.kind.value);
    byId("parameters").replaceChildren(
      ...(generator?.parameters ?? []).map(({ name, value, least, most }) =>
        make("label", {}, `${name} `, make("input", { type: "number", name, min: least, max: most, value: values[name] ?? value, "data-own": value })),
      ),
    );
  }

  private generate(): void {
    const parameters: Record<string, number> = {};
    for (const input of byId("parameters").querySelectorAll("input")) {
      const value = wholeNumber(input);
      // What the generator would take by itself is left out, so that links and commands stay short.
      if (value !== Number(input.dataset.own)) parameters[input.name] = value;
    }
    const recipe: Recipe = {
      kind: this.kind.value,
      width: wholeNumber(this.width),
      height: wholeNumber(this.height),
      seed: wholeNumber(this.seed),
      parameters,
    };
    void attempt(() => this.maps.generate(recipe));
  }

  /** Shows in the fields how the present map came about. */
  private follow(): void {
    const { origin, width, height } = this.state.map;
    this.width.value = String(width);
    this.height.value = String(height);
    if (origin.from !== "generator") {
      this.readyMade.value = "";
      return;
    }
    const { recipe } = origin;
    this.kind.value = recipe.kind;
    this.seed.value = String(recipe.seed);
    this.drawParameters(recipe.parameters);
    const same = READY_MADE.findIndex((entry) => JSON.stringify(entry.recipe) === JSON.stringify(recipe));
    this.readyMade.value = same < 0 ? "" : String(same);
  }

  private reading(): ImageReading {
    const as = byId<HTMLSelectElement>("image-as").value;
    return as === "weights" ? { as } : { as: "walls", threshold: wholeNumber(byId<HTMLInputElement>("threshold")) };
  }

  private files(): void {
    const input = byId<HTMLInputElement>("file");
    byId("open-file").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      if (file) this.open(file);
      input.value = "";
    });
    for (const id of ["image-as", "threshold"]) {
      byId(id).addEventListener("change", () => void attempt(() => this.maps.readAgain(this.reading())));
    }
    const hint = byId("drop-hint");
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      hint.hidden = false;
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) hint.hidden = true;
    });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      hint.hidden = true;
      const file = event.dataTransfer?.files[0];
      if (file) this.open(file);
    });
  }

  private open(file: File): void {
    void attempt(async () => {
      // Before it is read: a film dropped by mistake would fill the memory.
      if (file.size > LARGEST_FILE) throw new Error(`${file.name} is larger than any map that the playground takes`);
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (isSharedFile(bytes)) await this.restore(await fromFile(bytes));
      else await this.maps.openFile(file.name, bytes, byId<HTMLInputElement>("terrain-letters").value.trim(), this.reading());
    });
  }

  private rules(): void {
    const diagonals = byId<HTMLSelectElement>("diagonals");
    const cluster = byId<HTMLInputElement>("cluster");
    const levels = byId<HTMLInputElement>("levels");
    const optional = (input: HTMLInputElement) => (input.value.trim() === "" ? null : wholeNumber(input));
    for (const input of [diagonals, cluster, levels]) {
      input.addEventListener("change", () => {
        this.state.settings = {
          diagonals: diagonals.value as Diagonals,
          index: { cluster: optional(cluster), levels: optional(levels) },
        };
        this.state.settingsChanged.emit();
      });
    }
    this.state.settingsChanged.on(() => {
      const { settings } = this.state;
      diagonals.value = settings.diagonals;
      cluster.value = settings.index.cluster === null ? "" : String(settings.index.cluster);
      levels.value = settings.index.levels === null ? "" : String(settings.index.levels);
    });
  }
}

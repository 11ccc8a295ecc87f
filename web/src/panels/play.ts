/** Controls of the search player. */
import type { EngineName } from "farstride";
import { byId, fillChoices } from "../dom";
import type { Player } from "../play";
import type { State } from "../state";

/** Until someone sets the speed, a search takes this many seconds, however many nodes it has. */
const WHOLE_SEARCH_S = 6;

export class PlayPanel {
  private readonly first = byId<HTMLSelectElement>("play-first");
  private readonly second = byId<HTMLSelectElement>("play-second");

  constructor(private readonly state: State, private readonly player: Player) {
    const slider = byId<HTMLInputElement>("play-slider");
    const speed = byId<HTMLInputElement>("play-speed");
    byId("play-run").addEventListener("click", () => this.toggle());
    byId("play-step").addEventListener("click", () => this.step(1));
    byId("play-back").addEventListener("click", () => this.step(-1));
    byId("play-close").addEventListener("click", () => player.close());
    slider.addEventListener("input", () => {
      player.isRunning = false;
      player.seek(Number(slider.value));
    });
    for (const select of [this.first, this.second]) {
      select.addEventListener("change", () => {
        if (player.isOpen) player.open(this.engines());
      });
    }
    let ownSpeed = false;
    const setSpeed = () => {
      player.speed = Math.round(10 ** Number(speed.value));
      byId("play-speed-text").textContent = `${player.speed.toLocaleString("en")} nodes per second`;
    };
    speed.addEventListener("input", () => {
      ownSpeed = true;
      setSpeed();
    });
    setSpeed();
    state.chosenChanged.on(() => this.follow());
    player.changed.on(() => {
      const { total, at, isOpen, isRunning } = player;
      if (!ownSpeed && total > 0 && slider.max !== String(total)) {
        speed.value = String(Math.log10(total / WHOLE_SEARCH_S));
        setSpeed();
      }
      slider.max = String(total);
      slider.value = String(at);
      slider.disabled = !isOpen;
      byId("play-at").textContent = isOpen ? `${at.toLocaleString("en")} of ${total.toLocaleString("en")}` : "";
      byId("play-run").textContent = isRunning ? "Pause" : "Play";
      byId<HTMLButtonElement>("play-close").disabled = !isOpen;
    });
    slider.disabled = true;
    byId<HTMLButtonElement>("play-close").disabled = true;
  }

  toggle(): void {
    this.ensureOpen();
    this.player.run(!this.player.isRunning);
  }

  step(by: number): void {
    this.ensureOpen();
    this.player.step(by);
  }

  private ensureOpen(): void {
    if (!this.player.isOpen) this.player.open(this.engines());
  }

  private engines(): EngineName[] {
    return [...new Set([this.first.value, this.second.value])].filter((name) => name !== "") as EngineName[];
  }

  /** A search of the map itself shows most; labels answer without any. */
  private mostTelling(): EngineName | undefined {
    const { chosen } = this.state;
    return chosen.find((name) => !this.state.info(name)?.hasIndex) ?? chosen.find((name) => name !== "labels") ?? chosen[0];
  }

  private follow(): void {
    const { chosen } = this.state;
    const choices = chosen.map((name) => ({ value: name as string, label: name as string }));
    const before = this.first.value;
    fillChoices(this.first, choices);
    if (this.first.value !== before) this.first.value = this.mostTelling() ?? "";
    fillChoices(this.second, [{ value: "", label: "nothing" }, ...choices]);
    if (!this.player.engines.every((name) => chosen.includes(name))) this.player.close();
  }
}

/** Tools, undo, zoom, theme, and the line below the map. */
import type { Camera } from "../camera";
import { byId, wholeNumber } from "../dom";
import type { State, Tool } from "../state";
import type { Theme } from "../palette";
import { KEY_ZOOM } from "../tools";
import { radioButtons } from "./tabs";

const THEME_KEY = "farstride-theme";

export class Toolbar {
  constructor(private readonly state: State, camera: Camera) {
    const mark = radioButtons(byId("toolbar"), "tool", (tool) => this.setTool(tool as Tool));
    state.toolChanged.on(() => {
      mark(state.tool);
      byId("brush-group").hidden = !["wall", "erase", "terrain"].includes(state.tool);
      byId("weight-label").hidden = state.tool !== "terrain";
      byId<HTMLInputElement>("brush").value = String(state.brush);
      this.status();
    });
    const brush = byId<HTMLInputElement>("brush");
    brush.addEventListener("change", () => (state.brush = wholeNumber(brush)));
    const weight = byId<HTMLInputElement>("weight");
    weight.addEventListener("change", () => (state.weight = wholeNumber(weight)));
    byId("undo").addEventListener("click", () => state.map.undo());
    byId("redo").addEventListener("click", () => state.map.redo());
    byId("zoom-in").addEventListener("click", () => camera.zoom(KEY_ZOOM));
    byId("zoom-out").addEventListener("click", () => camera.zoom(1 / KEY_ZOOM));
    byId("zoom-fit").addEventListener("click", () => camera.fit());
    byId("theme").addEventListener("click", () => this.switchTheme());
    state.mapReplaced.on(() => {
      state.map.settled.on(() => {
        this.history();
        this.status();
      });
      this.history();
      this.status();
    });
    state.cursorMoved.on(() => this.status());
    state.queryChanged.on(() => this.status());
    this.beginTheme();
  }

  setTool(tool: Tool): void {
    this.state.tool = tool;
    this.state.toolChanged.emit();
  }

  setBrush(size: number): void {
    this.state.brush = Math.min(64, Math.max(1, size));
    this.state.toolChanged.emit();
  }

  switchTheme(): void {
    const theme = this.state.theme === "light" ? "dark" : "light";
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // Storage may be forbidden; then the choice lasts as long as the page.
    }
    this.setTheme(theme);
  }

  /** The user's last choice, else what the system prefers, also when that changes. */
  private beginTheme(): void {
    const system = matchMedia("(prefers-color-scheme: dark)");
    let saved: string | null = null;
    try {
      saved = localStorage.getItem(THEME_KEY);
    } catch {
      // As above.
    }
    this.setTheme(saved === "light" || saved === "dark" ? saved : system.matches ? "dark" : "light");
    system.addEventListener("change", () => this.setTheme(system.matches ? "dark" : "light"));
  }

  private setTheme(theme: Theme): void {
    this.state.theme = theme;
    document.documentElement.dataset.theme = theme;
    byId("theme").textContent = theme === "light" ? "Dark" : "Light";
    this.state.themeChanged.emit();
  }

  private history(): void {
    byId<HTMLButtonElement>("undo").disabled = !this.state.map.canUndo;
    byId<HTMLButtonElement>("redo").disabled = !this.state.map.canRedo;
  }

  private status(): void {
    const { map, start, goal, cursor, selected } = this.state;
    const place = ({ x, y }: { x: number; y: number }) => `${x}, ${y}`;
    const parts = [
      `${map.width} × ${map.height} cells`,
      `start ${place(start)}${selected === "start" ? " (selected)" : ""}`,
      `goal ${place(goal)}${selected === "goal" ? " (selected)" : ""}`,
    ];
    if (cursor) {
      const weight = map.weightAt(cursor);
      parts.push(`at ${place(cursor)}: ${weight === 0 ? "wall" : weight === 1 ? "ground" : `weight ${weight}`}`);
    }
    byId("status").textContent = parts.join(" · ");
  }
}

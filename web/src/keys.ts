/** Keys that work everywhere on the page, except while typing. */
import type { Camera } from "./camera";
import type { PlayPanel } from "./panels/play";
import type { Tabs } from "./panels/tabs";
import type { Toolbar } from "./panels/toolbar";
import type { Player } from "./play";
import type { State } from "./state";
import { KEY_ZOOM } from "./tools";
import type { Walk } from "./walk";

interface Parts {
  state: State;
  camera: Camera;
  toolbar: Toolbar;
  tabs: Tabs;
  player: Player;
  playPanel: PlayPanel;
  walk: Walk;
}

export function listenToKeys({ state, camera, toolbar, tabs, player, playPanel, walk }: Parts): void {
  const actions: Record<string, () => void> = {
    s: () => state.select("start"),
    g: () => state.select("goal"),
    m: () => toolbar.setTool("move"),
    w: () => toolbar.setTool("wall"),
    e: () => toolbar.setTool("erase"),
    t: () => toolbar.setTool("terrain"),
    r: () => toolbar.setTool("room"),
    f: () => toolbar.setTool("fill"),
    "[": () => toolbar.setBrush(state.brush - 1),
    "]": () => toolbar.setBrush(state.brush + 1),
    "+": () => camera.zoom(KEY_ZOOM),
    "=": () => camera.zoom(KEY_ZOOM),
    "-": () => camera.zoom(1 / KEY_ZOOM),
    "0": () => camera.fit(),
    d: () => toolbar.switchTheme(),
    "?": () => tabs.open("help"),
    ",": () => playPanel.step(-1),
    ".": () => playPanel.step(1),
    " ": () => (walk.isOpen ? walk.run(!walk.isRunning) : playPanel.toggle()),
    Escape: () => {
      player.close();
      walk.end();
    },
  };

  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !isField) {
      event.preventDefault();
      if (event.shiftKey) state.map.redo();
      else state.map.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isField && event.key !== "Escape") return;
    // Space presses buttons; it must not also start a search.
    if (event.key === " " && target.tagName === "BUTTON") return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

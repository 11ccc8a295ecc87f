/** Tabs as screen readers know them: arrow keys move between them, one is in the tab order. */
import { byId } from "../dom";

export class Tabs {
  private readonly tabs = [...byId("tabs").querySelectorAll<HTMLButtonElement>("[role=tab]")];

  constructor() {
    this.tabs.forEach((tab, place) => {
      tab.addEventListener("click", () => this.show(tab));
      tab.addEventListener("keydown", (event) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (by === 0) return;
        const next = this.tabs[(place + by + this.tabs.length) % this.tabs.length];
        this.show(next);
        next.focus();
      });
    });
    this.show(this.tabs[0]);
  }

  open(name: string): void {
    this.show(byId<HTMLButtonElement>(`tab-${name}`));
  }

  private show(chosen: HTMLButtonElement): void {
    for (const tab of this.tabs) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      byId(tab.getAttribute("aria-controls")!).hidden = !on;
    }
  }
}

/** Buttons of which one is on: a click or an arrow key picks it. */
export function radioButtons(group: HTMLElement, attribute: string, pick: (value: string) => void): (value: string) => void {
  const buttons = [...group.querySelectorAll<HTMLButtonElement>(`[data-${attribute}]`)];
  const value = (button: HTMLButtonElement) => button.dataset[attribute]!;
  const mark = (chosen: string) => {
    for (const button of buttons) {
      const on = value(button) === chosen;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  };
  buttons.forEach((button, place) => {
    button.addEventListener("click", () => pick(value(button)));
    button.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      event.preventDefault();
      const next = buttons[(place + by + buttons.length) % buttons.length];
      next.focus();
      pick(value(next));
    });
  });
  return mark;
}

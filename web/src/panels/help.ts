/** What each engine does, in the engine's own words. */
import { byId, make } from "../dom";
import type { State } from "../state";

export function drawHelp({ engines }: State, version: string): void {
  byId("engine-help").replaceChildren(
    ...engines.flatMap(({ name, summary }) => [make("dt", {}, name), make("dd", {}, summary)]),
  );
  byId("version").textContent = `farstride ${version}`;
}

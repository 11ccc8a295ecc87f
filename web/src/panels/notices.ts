/** One line at the foot of the page that says what happened. */
import { byId } from "../dom";

const SHOWN_MS = 6000;
let timer = 0;

export function tell(message: string, alarm = false): void {
  const notice = byId("notice");
  notice.textContent = message;
  notice.classList.toggle("alarm", alarm);
  notice.hidden = false;
  clearTimeout(timer);
  timer = window.setTimeout(() => (notice.hidden = true), SHOWN_MS);
}

/** Runs something that may fail; if it does, says so, and the page lives on. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), true);
  }
}

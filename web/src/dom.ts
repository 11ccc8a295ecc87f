/** The element with this id, of the type that the caller names; the page's markup is ours, so it is there. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as T;
}

type Child = Node | string;

/** An element with attributes and children; attributes that are `false` or undefined are left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** Fills a list of choices and keeps the chosen one if it is still there. */
export function fillChoices(select: HTMLSelectElement, choices: readonly { value: string; label: string }[]): void {
  const chosen = select.value;
  select.replaceChildren(...choices.map(({ value, label }) => make("option", { value }, label)));
  if (choices.some(({ value }) => value === chosen)) select.value = chosen;
}

/** The whole number in a field, held within its own `min` and `max`; writes back what it took. */
export function wholeNumber(input: HTMLInputElement): number {
  const least = Number(input.min || 0);
  const most = Number(input.max || Number.MAX_SAFE_INTEGER);
  const typed = Math.round(Number(input.value));
  const value = Math.min(most, Math.max(least, Number.isFinite(typed) ? typed : least));
  input.value = String(value);
  return value;
}

/** Hands bytes or text to the user as a file. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name });
  link.click();
  // The download has begun by the next task; the address is not needed after that.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

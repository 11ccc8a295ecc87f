/** Something that happens now and then, and those who want to know. */
export class Signal<T = void> {
  private readonly listeners: ((value: T) => void)[] = [];

  on(listener: (value: T) => void): void {
    this.listeners.push(listener);
  }

  emit(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
}

/** Calls `work` once in the next frame, however often it is asked for. */
export function oncePerFrame(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

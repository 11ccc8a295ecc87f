/** Numbers as people read them. */

export function micros(value: number): string {
  if (value < 10) return `${value.toFixed(1)} µs`;
  if (value < 1000) return `${value.toFixed(0)} µs`;
  return milliseconds(value / 1000);
}

export function milliseconds(value: number): string {
  if (value < 0.1) return "0 ms";
  if (value < 10) return `${value.toFixed(1)} ms`;
  if (value < 1000) return `${value.toFixed(0)} ms`;
  return `${(value / 1000).toFixed(1)} s`;
}

export function bytes(value: number): string {
  if (value === 0) return "none";
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${(value / 1e3).toFixed(0)} kB`;
  return `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)} MB`;
}

/** How far a length is above the best, in percent. */
export function percent(length: number, best: number): string {
  const above = (length / best - 1) * 100;
  if (above < 0.0005) return "best";
  return `+${above.toFixed(above < 0.1 ? 2 : 1)} %`;
}

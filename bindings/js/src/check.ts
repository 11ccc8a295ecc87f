// Checks of what JavaScript hands over. Everything that gets past them is safe to hand on.

import { type ErrorKind, FarstrideError } from "./error.js";

/** A value as messages show it. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `'${value}'`;
    case "bigint":
      return `${value}n`;
    case "object":
      return value === null ? "null" : `of type ${Object.prototype.toString.call(value).slice(8, -1)}`;
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}

function refused(kind: ErrorKind, name: string, value: unknown, expected: string): FarstrideError {
  return new FarstrideError(kind, `${name} is ${shown(value)}; expected ${expected}`);
}

/** A whole number from 0 up to 2³² − 1. */
export function whole(value: unknown, name: string, kind: ErrorKind): number {
  if (typeof value !== "number" || value >>> 0 !== value) {
    throw refused(kind, name, value, "a whole number from 0 on");
  }
  return value;
}

/** A whole number that fits 32 bits with a sign. */
export function integer(value: unknown, name: string, kind: ErrorKind): number {
  if (typeof value !== "number" || (value | 0) !== value) {
    throw refused(kind, name, value, "a whole number");
  }
  return value;
}

/** A seed: any whole number that fits 64 bits. */
export function seed(value: unknown): bigint {
  if (typeof value === "bigint" && value >= 0n && value < 1n << 64n) {
    return value;
  }
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) {
    return BigInt(value);
  }
  throw refused("map", "seed", value, "a whole number from 0 on; write large ones as bigint");
}

/** Whether a cell is on a map; this runs with every query. */
export function isOn(x: unknown, y: unknown, width: number, height: number): boolean {
  return (
    typeof x === "number" && x >>> 0 === x && x < width && typeof y === "number" && y >>> 0 === y && y < height
  );
}

/** The error for a cell that is not on a map. */
export function offMap(x: unknown, y: unknown, width: number, height: number): FarstrideError {
  for (const [name, value] of [["x", x], ["y", y]] as const) {
    if (typeof value !== "number" || !Number.isInteger(value)) {
      return refused("query", name, value, "a whole number");
    }
  }
  const where = `x runs from 0 to ${width - 1}, y from 0 to ${height - 1}`;
  return new FarstrideError("query", `cell ${String(x)},${String(y)} is not on the map: ${where}`);
}

type Arrays = { Uint8Array: Uint8Array; Int32Array: Int32Array };
const EMPTY: Arrays = { Uint8Array: new Uint8Array(0), Int32Array: new Int32Array(0) };

/** A typed array, also of another page or frame. */
export function array<N extends keyof Arrays>(type: N, value: unknown, name: string, kind: ErrorKind): Arrays[N] {
  if (!ArrayBuffer.isView(value) || Object.prototype.toString.call(value) !== `[object ${type}]`) {
    throw refused(kind, name, value, `a ${type}`);
  }
  const list = value as unknown as Arrays[N];
  // One whose buffer was handed to a worker has no length, and cannot be read either.
  return list.length === 0 ? EMPTY[type] : list;
}

/** A string. */
export function text(value: unknown, name: string, kind: ErrorKind): string {
  if (typeof value !== "string") {
    throw refused(kind, name, value, "a string");
  }
  return value;
}

/** An object with options, or none. */
export function options<T extends object>(value: T | undefined, name: string, kind: ErrorKind): Partial<T> {
  if (value === undefined) {
    return {};
  }
  if (typeof value !== "object" || value === null) {
    throw refused(kind, name, value, "an object");
  }
  return value;
}

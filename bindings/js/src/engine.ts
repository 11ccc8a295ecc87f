// Loading the module, reading its memory, and what happens when a call on it traps.

import { FarstrideError, translated } from "./error.js";
import load, { type InitOutput, initSync, recover } from "./farstride.js";

type Exports = InitOutput & { readonly __stack_pointer: WebAssembly.Global };

let engine: Exports | undefined;
let loading: Promise<void> | undefined;

/** What `init` loads the engine from. */
export type Source = string | URL | BufferSource | WebAssembly.Module;

/**
 * Loads the engine; everything else needs it. Calling it again does nothing.
 *
 * Without a source, it loads `farstride_bg.wasm`, which lies beside this module: a browser fetches it,
 * Node reads it. A page that has compiled it already hands over the `WebAssembly.Module`, also to its
 * workers.
 */
export function init(source?: Source): Promise<void> {
  loading ??= start(source).catch((error: unknown) => {
    loading = undefined; // another source may work
    throw new FarstrideError("engine", `the engine could not be loaded: ${String(error)}`);
  });
  return loading;
}

async function start(source: Source = new URL("farstride_bg.wasm", import.meta.url)): Promise<void> {
  const from = source instanceof URL || typeof source === "string" ? await opened(source) : source;
  if (from instanceof WebAssembly.Module) {
    engine = initSync({ module: from }) as Exports;
  } else {
    engine = (await load({ module_or_path: from })) as Exports;
  }
  base = Number(engine.__stack_pointer.value);
}

/** What a browser fetches, or the bytes of a file. */
async function opened(place: string | URL): Promise<Response | BufferSource> {
  const url = new URL(place, import.meta.url);
  if (url.protocol !== "file:") {
    const response = await fetch(url);
    if (!response.ok) {
      throw new Error(`${url.href}: ${response.status} ${response.statusText}`);
    }
    return response;
  }
  // Only Node loads modules from files. Bundlers for browsers must not look for its modules,
  // so they are not told the name.
  const name = "node:fs/promises";
  const files = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    readFile(file: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return files.readFile(url);
}

function loaded(): Exports {
  if (engine === undefined) {
    throw new FarstrideError("engine", "the engine is not loaded; call init() first and wait for it");
  }
  return engine;
}

// Views of the module's memory. They lose their length when the memory grows.
let halves = new Uint16Array(0);
let numbers = new Float64Array(0);

function look(): void {
  const { buffer } = loaded().memory;
  halves = new Uint16Array(buffer);
  numbers = new Float64Array(buffer);
}

/** The block of numbers at an address: where it begins in the result. */
export function memory(): Float64Array {
  if (numbers.length === 0) {
    look();
  }
  return numbers;
}

/** A copy of some cells, which the module keeps as pairs of 16 bits; in `into`, if they fit there. */
export function copiedCells(address: number, count: number, into?: Int32Array): Int32Array {
  if (halves.length === 0) {
    look();
  }
  const first = address >>> 1;
  const cells = halves.subarray(first, first + 2 * count);
  if (into !== undefined && cells.length <= into.length) {
    into.set(cells);
    return into.subarray(0, cells.length);
  }
  // Widened by the copy, which takes no longer than a plain one.
  return new Int32Array(cells);
}

// Where the stack of the module ends as long as none of its calls runs, or none but those
// that wait for a function of JavaScript.
let base = 0;

/** Wraps a function that the module calls, so that calls on the module inside it may fail. */
export function called<A extends unknown[], R>(inner: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    const outer = base;
    base = Number(loaded().__stack_pointer.value);
    try {
      return inner(...given);
    } finally {
      base = outer;
    }
  };
}

/**
 * Why a call failed, to be thrown.
 *
 * A trap leaves the stack of the module where it was, and the objects that took part in a state
 * nobody knows. So the stack is put back and the objects are given up; all others are as they were.
 */
export function failure(error: unknown, ...concerned: Handle<Raw>[]): unknown {
  if (engine === undefined) {
    return error;
  }
  engine.__stack_pointer.value = base;
  const isTrap =
    error instanceof WebAssembly.RuntimeError ||
    (error instanceof RangeError && error.message.includes("call stack"));
  if (!isTrap) {
    return translated(error);
  }
  concerned.forEach((handle) => handle.giveUp());
  const why = recover() ?? (error.message.includes("unreachable") ? "out of memory" : error.message);
  return new FarstrideError("engine", `the engine failed: ${why}`);
}

/** Runs a call that makes or asks for something without an object. */
export function run<T>(call: () => T, ...concerned: Handle<Raw>[]): T {
  loaded();
  try {
    return call();
  } catch (error) {
    throw failure(error, ...concerned);
  }
}

/** An object of the module. */
export interface Raw {
  free(): void;
}

/** An object of the module until it is freed, or given up because a call on it trapped. */
export class Handle<R extends Raw> {
  readonly #what: string;
  #raw: R | undefined;
  #why = "was freed";

  constructor(what: string, raw: R) {
    this.#what = what;
    this.#raw = raw;
  }

  get raw(): R {
    if (this.#raw === undefined) {
      throw new FarstrideError("engine", `this ${this.#what} ${this.#why}`);
    }
    return this.#raw;
  }

  /** Runs a call on the object. */
  run<T>(call: (raw: R) => T): T {
    const { raw } = this;
    try {
      return call(raw);
    } catch (error) {
      throw failure(error, this as unknown as Handle<Raw>);
    }
  }

  free(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    try {
      raw?.free();
    } catch (error) {
      // An object that a trapped call was using cannot be freed; its memory is lost.
      failure(error);
    }
  }

  giveUp(): void {
    this.#raw = undefined;
    this.#why = "cannot be used any more: the engine failed in a call on it";
  }
}

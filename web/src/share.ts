/**
 * What is on screen as a link or a file.
 *
 * A JSON header with places and settings, then the cells that differ from the map's base: what a generator
 * makes, or ground that is blocked everywhere. Both are deflated together. A link carries them in base64url
 * after the `#`, so no server ever sees them; a file has them as bytes after a few letters of its own.
 */
import type { Diagonals, EngineName } from "farstride";
import { LAYERS, type LayerId } from "./layers";
import type { Origin } from "./map";
import type { Cell, Recipe } from "./protocol";
import type { Settings } from "./state";

const LINK_PREFIX = "#v1.";
const FILE_MAGIC = "farstride playground 1\n";
/** More than the largest map with a weight of its own in every cell. */
const LARGEST_BYTES = 24 << 20;

/** Everything that a link restores. */
export interface Shared {
  width: number;
  height: number;
  origin: Origin;
  /** Runs of cells that differ from the base; see `differences`. */
  cells: Uint8Array;
  start: Cell;
  goal: Cell;
  engines: EngineName[];
  inspected: EngineName | null;
  layers: LayerId[];
  level: number;
  settings: Settings;
}

export const isSharedFile = (bytes: Uint8Array): boolean =>
  new TextDecoder().decode(bytes.subarray(0, FILE_MAGIC.length)) === FILE_MAGIC;

export const isSharedLink = (hash: string): boolean => hash.startsWith(LINK_PREFIX);

export async function toLink(shared: Shared): Promise<string> {
  let text = "";
  // In pieces, because the arguments of a call are limited.
  const bytes = await pack(shared);
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return LINK_PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function fromLink(hash: string): Promise<Shared> {
  let text: string;
  try {
    text = atob(hash.slice(LINK_PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("the link is damaged: a letter in it is none that links are made of");
  }
  return unpack(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
}

export async function toFile(shared: Shared): Promise<Blob> {
  return new Blob([FILE_MAGIC, await pack(shared)]);
}

export function fromFile(bytes: Uint8Array): Promise<Shared> {
  return unpack(bytes.slice(FILE_MAGIC.length));
}

/** Runs of equal cells that differ from the base, as numbers of 7 bits a byte: cells skipped, cells in the run; then their weight. */
export function differences(base: Uint8Array, weights: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const put = (value: number) => {
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    bytes.push(value);
  };
  let skipped = 0;
  for (let at = 0; at < weights.length; ) {
    if (weights[at] === base[at]) {
      skipped++;
      at++;
      continue;
    }
    const from = at;
    while (at < weights.length && weights[at] === weights[from] && weights[at] !== base[at]) at++;
    put(skipped);
    put(at - from);
    bytes.push(weights[from]);
    skipped = 0;
  }
  return Uint8Array.from(bytes);
}

/** Puts what `differences` took back on the base. */
export function applyDifferences(base: Uint8Array, bytes: Uint8Array): void {
  let [at, cell] = [0, 0];
  const take = () => {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined || unit > 2 ** 35) throw damaged("its cells break off");
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
    }
  };
  while (at < bytes.length) {
    cell += take();
    const run = take();
    const weight = bytes[at++];
    if (weight === undefined || cell + run > base.length) throw damaged("it has more cells than its map");
    base.fill(weight, cell, cell + run);
    cell += run;
  }
}

const damaged = (what: string) => new Error(`the link or file is damaged: ${what}`);

async function pack({ cells, ...header }: Shared): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length, true);
  const stream = new Blob([length, text, cells as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpack(packed: Uint8Array<ArrayBuffer>): Promise<Shared> {
  const bytes = await inflate(packed);
  if (bytes.length < 4) throw damaged("it is too short");
  const length = new DataView(bytes.buffer).getUint32(0, true);
  if (length > bytes.length - 4) throw damaged("it is too short");
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  } catch {
    throw damaged("its header cannot be read");
  }
  return { ...checked(header), cells: bytes.subarray(4 + length) };
}

/** Inflates no more than a map can take, whatever the bytes promise. */
async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw damaged("it cannot be unpacked");
    });
    if (done) break;
    size += value.length;
    if (size > LARGEST_BYTES) {
      await reader.cancel();
      throw damaged("it is larger than any map");
    }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Takes a header apart field by field: it comes from outside. */
function checked(value: unknown): Omit<Shared, "cells"> {
  const header = fields(value);
  const width = whole(header.width, 1, 2048, "its width");
  const height = whole(header.height, 1, 2048, "its height");
  const cell = (value: unknown): Cell => {
    const { x, y } = fields(value);
    return { x: whole(x, 0, width - 1, "a place"), y: whole(y, 0, height - 1, "a place") };
  };
  const settings = fields(header.settings);
  const index = fields(settings.index);
  const optional = (value: unknown, least: number, most: number) =>
    value === null ? null : whole(value, least, most, "a setting");
  return {
    width,
    height,
    origin: origin(header.origin, width, height),
    start: cell(header.start),
    goal: cell(header.goal),
    engines: list(header.engines) as EngineName[],
    inspected: typeof header.inspected === "string" ? (header.inspected as EngineName) : null,
    layers: list(header.layers).filter((id) => LAYERS.some((layer) => layer.id === id)) as LayerId[],
    level: whole(header.level, 1, 14, "its level"),
    settings: {
      diagonals: oneOf<Diagonals>(settings.diagonals, ["strict", "one-side", "free", "none"]),
      index: { cluster: optional(index.cluster, 2, 256), levels: optional(index.levels, 1, 14) },
    },
  };
}

function origin(value: unknown, width: number, height: number): Origin {
  const header = fields(value);
  if (header.from !== "generator") return { from: "file", name: String(header.name ?? "map").slice(0, 80) };
  const recipe = fields(header.recipe);
  const parameters: Record<string, number> = {};
  for (const [name, amount] of Object.entries(fields(recipe.parameters))) parameters[name] = whole(amount, 0, 1e6, "a parameter");
  const made: Recipe = {
    kind: String(recipe.kind),
    width,
    height,
    seed: whole(recipe.seed, 0, Number.MAX_SAFE_INTEGER, "its seed"),
    parameters,
  };
  return { from: "generator", recipe: made };
}

function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw damaged("something is missing");
  return value as Record<string, unknown>;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value)].filter((each) => typeof each === "string") : [];
}

function whole(value: unknown, least: number, most: number, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    throw damaged(`${what} is out of range`);
  }
  return value as number;
}

function oneOf<T extends string>(value: unknown, choices: readonly T[]): T {
  if (!choices.includes(value as T)) throw damaged("a setting is unknown");
  return value as T;
}

// The package answers as the native engine does: on fifty maps of every generator, for every
// engine, the digests of map, saved index, costs, lengths and paths are the same. And files go
// both ways between the package and the command line.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Grid, init, Planner } from "../dist/index.js";
import { buildNative, run } from "./native.js";

let programs;
const farstride = (...given) => run(programs.farstride, ...given);

before(async () => {
  ({ programs } = buildNative());
  await init();
});

/** FNV-1a of 64 bits in two halves, as in crates/farstride-platforms. */
class Digest {
  high = 0xcbf29ce4;
  low = 0x84222325;
  #eight = new DataView(new ArrayBuffer(8));

  add(bytes) {
    let { high, low } = this;
    for (const byte of bytes) {
      low = (low ^ byte) >>> 0;
      // The prime is 2 ** 40 + 0x1b3.
      const product = low * 0x1b3;
      high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0)) % 2 ** 32;
      low = product % 2 ** 32;
    }
    Object.assign(this, { high, low });
  }

  addFloat(number) {
    this.#eight.setFloat64(0, number, true);
    this.add(new Uint8Array(this.#eight.buffer));
  }

  addWhole(number) {
    this.#eight.setBigUint64(0, BigInt(number), true);
    this.add(new Uint8Array(this.#eight.buffer));
  }

  toString() {
    return [this.high, this.low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

/** SplitMix64, as in farstride-testkit. */
function randomBelow(seed) {
  const wrap = (number) => BigInt.asUintN(64, number);
  let state = seed;
  return (bound) => {
    state = wrap(state + 0x9e3779b97f4a7c15n);
    let mixed = wrap((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = wrap((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    mixed ^= mixed >> 31n;
    return Number(((mixed >> 32n) * BigInt(bound)) >> 32n);
  };
}

/** Parameters of the maps, which `MAPS` in crates/farstride-platforms has as well. */
const PARAMETERS = {
  maze: { corridor: 2, wall: 1 },
  rooms: { room: 7 },
  random: { blocked: 30 },
  caves: { blocked: 45, rounds: 4 },
  city: { block: 12, street: 2 },
  open: { blocked: 10 },
};

function answers(grid, planner) {
  const weights = grid.weights();
  const free = [...weights.keys()].filter((cell) => weights[cell] > 0);
  const below = randomBelow(7n);
  const digest = new Digest();
  const text = new TextEncoder();
  for (let query = 0; query < 60; query += 1) {
    const [start, goal] = [free[below(free.length)], free[below(free.length)]];
    const cells = [start, goal].flatMap((cell) => [cell % grid.width, Math.floor(cell / grid.width)]);
    const route = planner.find(...cells);
    if (route.status === "found") {
      digest.addWhole(route.cost);
      digest.addFloat(route.length);
      // In half cells, as those of `straight` are.
      const scale = route.form === "halves" ? 1 : 2;
      digest.add(new Uint8Array(Uint32Array.from(route.path, (number) => scale * number).buffer));
      assert.equal(planner.cost(...cells), route.cost);
    } else {
      digest.add(text.encode(route.status === "unreachable" ? "unreachable" : "there"));
    }
  }
  return String(digest);
}

test("fifty maps, every engine: the digests of the native engine", () => {
  const lines = run(programs.digests, "--wide").trim().split("\n");
  const maps = new Set();
  const engines = new Set();
  let grid;
  for (const line of lines) {
    const [kind, width, height, seed, diagonals, engine, ...expected] = line.split(/\s+/);
    const name = line.slice(0, line.indexOf(engine));
    if (!maps.has(name)) {
      grid?.free();
      grid = Grid.generate(kind, Number(width), Number(height), BigInt(seed), { diagonals, ...PARAMETERS[kind] });
    }
    maps.add(name);
    engines.add(engine);
    const planner = new Planner(grid, engine);
    const saved = new Digest();
    if (planner.indexDigest !== null) {
      const bytes = planner.save();
      assert.equal(planner.indexBytes, bytes.length);
      saved.add(bytes);
    }
    assert.deepEqual([grid.digest, String(saved), answers(grid, planner)], expected, line);
    planner.free();
  }
  assert.equal(maps.size, 50);
  assert.equal(engines.size, 15);
  assert.ok(lines.length > 400, `${lines.length} lines`);
});

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "farstride-"));
});
after(() => rmSync(folder, { recursive: true }));

test("generated maps are those of the command line, by its own defaults", () => {
  for (const { kind, terrain } of Grid.kinds()) {
    const made = Grid.generate(kind, 61, 47, 9);
    const file = join(folder, terrain ? "made.pgm" : "made.map");
    const given = terrain ? ["terrain", "--kind", kind] : [kind];
    farstride("gen", ...given, "--size", "61x47", "--seed", "9", "-o", file);
    const bytes = readFileSync(file);
    const drawn = terrain ? Grid.fromWeightImage(bytes) : Grid.fromMovingAi(bytes);
    assert.equal(made.digest, drawn.digest, kind);
    assert.deepEqual(terrain ? made.toPgm() : Buffer.from(made.toMovingAi()), terrain ? new Uint8Array(bytes) : bytes);
  }
});

test("index files go from the command line to the package and back", () => {
  const grid = Grid.generate("caves", 90, 70, 5);
  const map = join(folder, "caves.map");
  writeFileSync(map, grid.toMovingAi());
  for (const engine of ["hpa", "hpt", "nsg+", "groups", "labels"]) {
    const [theirs, ours] = ["theirs.fsi", "ours.fsi"].map((name) => join(folder, name));
    farstride("build", "--map", map, "--engine", engine, "-o", theirs);
    const bytes = readFileSync(theirs);
    const built = new Planner(grid, engine);
    assert.deepEqual(Buffer.from(built.save()), bytes, engine);
    const opened = Planner.open(grid, bytes);
    assert.equal(opened.indexDigest, built.indexDigest);
    assert.deepEqual(opened.settings, built.settings);
    writeFileSync(ours, built.save());
    const info = JSON.parse(farstride("info", ours, "--json"));
    assert.equal(info.digest, built.indexDigest);
    assert.equal(info.map_digest, grid.digest);
  }
});

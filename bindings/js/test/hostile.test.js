// Arguments that nobody should hand over: each gives an exception with a message, never a trap,
// and leaves everything usable.

import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { Crowd, engines, FarstrideError, Grid, init, Plan, Planner } from "../dist/index.js";

let grid;
let planner;

before(async () => {
  await init();
  grid = Grid.generate("rooms", 30, 20, 1);
  planner = new Planner(grid, "hpa");
});

afterEach(() => {
  assert.equal(planner.find(1, 1, 1, 1).status, "already-there");
  assert.equal(new Planner(grid, "labels").engine, "labels");
});

/** Whatever is no number of a cell. */
const ODD = [NaN, Infinity, -Infinity, 0.5, -1, 30, 1e9, 2 ** 32, 2 ** 53, -(2 ** 31), "1", "", null, undefined, true, 1n, {}, [], [1], () => 1, Symbol("x"), new Date(), { valueOf: () => 1 }];
/** Whatever is no list of numbers. */
const NO_ARRAYS = [undefined, null, 5, "abcd", [1, 1, 1, 1], {}, new Uint16Array(4), new Float64Array(4), new ArrayBuffer(16), new DataView(new ArrayBuffer(16)), { [Symbol.toStringTag]: "Int32Array", length: 4 }];

/** Checks that a call is refused, with an error of ours of one of some kinds. */
function refused(call, ...kinds) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof FarstrideError, `${error?.stack}`);
    assert.ok(kinds.includes(error.kind), `${error.kind}: ${error.message}`);
    assert.ok(error.message.length > 5 && !error.message.includes("the engine failed"), error.message);
    return true;
  });
}

test("cells", () => {
  const crowd = new Crowd(planner);
  const { plan } = planner.plan(1, 1, 2, 2);
  for (const odd of ODD) {
    for (const at of [0, 1, 2, 3]) {
      const cells = [1, 1, 2, 2];
      cells[at] = odd;
      for (const call of ["find", "cost", "trace", "time", "plan"]) {
        refused(() => planner[call](...cells), "query");
      }
      refused(() => crowd.add(...cells), "query");
    }
    refused(() => planner.nearest(odd, 1, Int32Array.of(1, 1)), "query");
    refused(() => crowd.sendAll(1, odd), "query");
    refused(() => planner.layer("clusters", { x: odd === undefined ? null : odd, y: 1 }), "query");
    for (const call of ["isFree", "isConnected", "lineOfSight"]) {
      if (!Number.isInteger(odd)) {
        refused(() => grid[call](odd, 1, 1, 1), "query");
      } else {
        assert.equal(grid[call](odd, 1, 1, 1), false);
      }
    }
    if (!(typeof odd === "number" && odd >>> 0 === odd)) {
      refused(() => plan.standAt(odd, 1), "query");
    }
  }
  assert.equal(crowd.size, 0);
  // Off the map: known at the next step.
  plan.standAt(29, 2 ** 32 - 1);
  refused(() => plan.step(planner), "query");
});

test("lists of cells", () => {
  for (const odd of NO_ARRAYS) {
    refused(() => planner.findMany(odd), "query");
    refused(() => planner.nearest(1, 1, odd), "query");
    refused(() => planner.costTable(odd, Int32Array.of(1, 1)), "query");
    refused(() => planner.costTable(Int32Array.of(1, 1), odd), "query");
    refused(() => planner.editCells(odd), "query");
  }
  for (const length of [1, 2, 3, 5, 6, 7]) {
    refused(() => planner.findMany(new Int32Array(length)), "query");
  }
  refused(() => planner.nearest(1, 1, new Int32Array(3)), "query");
  refused(() => planner.costTable(new Int32Array(1), new Int32Array(2)), "query");
  for (const number of [-1, 30, 65536, 65537, 2 ** 31 - 1, -(2 ** 31)]) {
    refused(() => planner.findMany(Int32Array.of(1, 1, number, 1)), "query");
    refused(() => planner.nearest(1, 1, Int32Array.of(number, 1)), "query");
    refused(() => planner.costTable(Int32Array.of(1, number), Int32Array.of(1, 1)), "query");
  }
  const gone = Int32Array.of(1, 1, 2, 2);
  structuredClone(gone, { transfer: [gone.buffer] });
  assert.equal(planner.findMany(gone).status.length, 0);
});

test("details, budgets and times", () => {
  for (const odd of NO_ARRAYS.filter((odd) => odd !== undefined)) {
    refused(() => planner.find(1, 1, 2, 2, { into: odd }), "query");
  }
  for (const odd of [null, "all", 5, {}, { first: -1 }, { first: 0.5 }, { first: "2" }, [], true]) {
    refused(() => planner.find(1, 1, 2, 2, { detail: odd }), "query");
    refused(() => planner.findMany(Int32Array.of(1, 1, 2, 2), { detail: odd }), "query");
  }
  for (const odd of [NaN, -1, "5", null, 5n, {}]) {
    refused(() => planner.find(1, 1, 2, 2, { budget: odd }), "query");
    refused(() => planner.time(1, 1, 2, 2, odd), "query");
  }
  refused(() => planner.time(1, 1, 2, 2, Infinity), "query");
  for (const odd of [null, 5, "cells", true]) {
    refused(() => planner.find(1, 1, 2, 2, odd), "query");
  }
  assert.equal(planner.find(1, 1, 2, 2, { detail: { first: 2 ** 32 - 1 }, budget: 1e300 }).status, "found");
  assert.equal(planner.find(1, 1, 2, 2, { detail: undefined, budget: undefined }).status, "found");
});

test("maps", () => {
  const bytes = new Uint8Array(6).fill(1);
  for (const odd of [...ODD, 0, 10_001]) {
    if (odd === 30) {
      continue;
    }
    refused(() => new Grid(odd, 2, bytes), "map");
    refused(() => new Grid(3, odd, bytes), "map");
    refused(() => Grid.empty(odd, 2), "map");
    refused(() => Grid.empty(2, odd), "map");
    refused(() => Grid.generate("maze", odd, 2, 1), "map");
  }
  refused(() => new Grid(30, 2, bytes), "map");
  for (const odd of NO_ARRAYS) {
    refused(() => new Grid(3, 2, odd), "map");
    refused(() => Grid.fromWeightImage(odd), "map");
    if (typeof odd !== "string") {
      refused(() => Grid.fromMovingAi(odd), "map");
    }
  }
  for (const length of [0, 1, 5, 7]) {
    refused(() => new Grid(3, 2, new Uint8Array(length)), "map");
  }
  for (const odd of [null, 5, "strict"]) {
    refused(() => Grid.empty(2, 2, odd), "map");
  }
  for (const odd of ["", "Strict", 5, null, {}]) {
    refused(() => Grid.empty(2, 2, { diagonals: odd }), "map");
    refused(() => new Grid(3, 2, bytes, { diagonals: odd }), "map");
  }
  for (const odd of [NaN, -1, 0.5, 2 ** 53, -1n, 2n ** 64n, "1", null, undefined, {}]) {
    refused(() => Grid.generate("maze", 9, 9, odd), "map");
  }
  for (const odd of ["", "Maze", 5, null, undefined, {}]) {
    refused(() => Grid.generate(odd, 9, 9, 1), "map");
  }
  for (const odd of [NaN, -1, 0.5, 2 ** 32, 1e300, "2", null, {}, true, 1n, Symbol("x")]) {
    refused(() => Grid.generate("maze", 9, 9, 1, { wall: odd }), "map");
  }
});

test("files", () => {
  const texts = ["", "type", "type octile\nheight 1\nwidth 1\nmap\n", "type octile\nheight 99999999999999999999\nwidth 1\nmap\n.", "type octile\nheight 1\nwidth 4294967297\nmap\n.", "type octile\nheight 1\nwidth 2\nmap\n.x", "\0", "\u{1f600}".repeat(9)];
  for (const text of texts) {
    refused(() => Grid.fromMovingAi(text), "map");
    refused(() => Grid.fromWeightImage(new TextEncoder().encode(text)), "map");
  }
  refused(() => Grid.fromMovingAi("type octile\nheight 1\nwidth 1\nmap\n.\n", { terrain: 5 }), "map");
  refused(() => Grid.fromMovingAi("type octile\nheight 1\nwidth 1\nmap\n.\n", { terrain: "T=5" }), "map");
  const png = [137, 80, 78, 71, 13, 10, 26, 10];
  for (const rest of [[], [0, 0, 0, 13, 73, 72, 68, 82], Array(64).fill(255)]) {
    refused(() => Grid.fromWeightImage(Uint8Array.from([...png, ...rest])), "map");
  }
  refused(() => Grid.fromWeightImage(new TextEncoder().encode("P5 10000 10000 255 ")), "map");
});

test("engines and settings", () => {
  for (const odd of ["", "A*", "auto", 5, null, {}]) {
    refused(() => new Planner(grid, odd), "settings");
  }
  for (const odd of [undefined, null, 5, {}, "map", planner]) {
    refused(() => new Planner(odd), "map");
    refused(() => Planner.open(odd, new Uint8Array(4)), "map");
  }
  for (const odd of [null, 5, "fast"]) {
    refused(() => new Planner(grid, "hpa", odd), "settings");
    refused(() => new Planner(grid, "hpa", { settings: odd }), "settings");
    refused(() => new Planner(grid, "hpa", { onProgress: odd }), "settings");
  }
  for (const name of ["cluster", "levels", "group"]) {
    for (const odd of [NaN, -1, 0, 0.5, 1e9, 2 ** 53, 1e300, "8", null, true, {}, 8n, Symbol("x")]) {
      refused(() => new Planner(grid, "hpa", { settings: { [name]: odd } }), "settings");
      if (name !== "levels" || odd !== null) { // null: no limit
        refused(() => new Planner(grid, "groups", { settings: { [name]: odd } }), "settings");
      }
    }
  }
  for (const odd of [NaN, -1, 0, 0.5, 2 ** 32, "2"]) {
    refused(() => new Planner(grid, "nsg", { settings: { levels: odd } }), "settings");
  }
  for (const odd of [1, "true", null]) {
    refused(() => new Planner(grid, "hpa", { settings: { keepWays: odd } }), "settings");
  }
  for (const [engine, settings] of Object.entries({ hpa: { local: "theta" }, hpt: { gap: 3 }, labels: { block: 12 }, groups: { mode: "best" }, astar: { levels: 2 }, ssg: { levels: 2 }, tsg: { cluster: 8 } })) {
    refused(() => new Planner(grid, engine, { settings }), "settings");
  }
  refused(() => new Planner(grid, undefined, { settings: { levels: 2 } }), "settings");
  refused(() => new Planner(grid, "hpa", { settings: { unknown: 2 } }), "settings");
  const weighted = Grid.generate("noise", 9, 9, 1);
  for (const { name, weights } of engines()) {
    if (!weights) {
      refused(() => new Planner(weighted, name), "engine");
    }
  }
});

test("indexes", () => {
  refused(() => new Planner(grid, "astar").save(), "index");
  for (const odd of NO_ARRAYS) {
    refused(() => Planner.open(grid, odd), "index");
  }
  const other = Grid.generate("rooms", 30, 20, 2);
  for (const { name, hasIndex } of engines().filter(({ hasIndex }) => hasIndex)) {
    assert.ok(hasIndex);
    const bytes = new Planner(grid, name).save();
    refused(() => Planner.open(other, bytes), "index");
    refused(() => Planner.open(grid, bytes.subarray(0, bytes.length - 1)), "index");
    refused(() => Planner.open(grid, new Uint8Array(0)), "index");
    for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 97)) {
      const damaged = bytes.slice();
      damaged[at] ^= 255;
      refused(() => Planner.open(grid, damaged), "index");
      // Trusted bytes may be opened, and must not trap.
      try {
        Planner.open(grid, damaged, { trusted: true }).find(1, 1, 20, 15);
      } catch (error) {
        assert.equal(error.kind, "index", error.message);
      }
    }
  }
});

test("edits", () => {
  const before = planner.grid.digest;
  const good = { x: 1, y: 1, weight: 0 };
  for (const odd of [undefined, null, 5, "x", {}, good]) {
    refused(() => planner.edit(odd), "query");
  }
  for (const odd of [undefined, null, 5, "x", {}]) {
    refused(() => planner.edit([good, odd]), "query");
  }
  for (const name of ["x", "y", "width", "height", "weight"]) {
    for (const odd of ODD.filter((odd) => odd !== undefined && odd !== 30)) {
      refused(() => planner.edit([good, { x: 1, y: 1, width: 1, height: 1, weight: 1, [name]: odd }]), "query");
    }
  }
  for (const change of [{ width: 30 }, { height: 20 }, { width: 0 }, { height: -5 }, { width: 2 ** 31 - 1 }, { weight: 256 }]) {
    refused(() => planner.edit([good, { x: 1, y: 1, weight: 0, ...change }]), "query");
  }
  for (const triples of [[1], [1, 1], [1, 1, 0, 1], [1, 1, 256], [1, 1, -1], [-1, 1, 0], [30, 1, 0], [1, 1, 0, 29, 20, 0], [2 ** 31 - 1, 1, 0, -(2 ** 31), 1, 0]]) {
    refused(() => planner.editCells(Int32Array.from(triples)), "query");
  }
  planner.edit([]);
  planner.editCells(new Int32Array(0));
  assert.equal(planner.grid.digest, before, "nothing was edited");
});

test("layers", () => {
  for (const odd of ["", "walls", 5, null, undefined, "hubs"]) {
    refused(() => planner.layer(odd), "query");
  }
  for (const odd of [0, 5, -1, 0.5, NaN, 2 ** 32, "1", null]) {
    refused(() => planner.layer("clusters", { level: odd }), "query");
    refused(() => new Planner(grid, "ssg").layer("subgoals", { level: odd }), "query");
    refused(() => new Planner(grid, "groups").layer("clusters", { level: odd }), "query");
  }
  refused(() => planner.layer("abstract-path"), "query");
  refused(() => planner.layer("refined-path", { x: 1, y: 1 }), "query");
  refused(() => planner.layer("clusters", { x: 1 }), "query");
  for (const odd of [null, 5, "x"]) {
    refused(() => planner.layer("clusters", odd), "query");
  }
  const small = new Planner(Grid.generate("random", 90, 90, 1, { blocked: 30 }), "labels", { settings: { budget: 1 } });
  refused(() => small.layer("hubs", { x: 1, y: 1 }), "index");
  refused(() => small.layer("meeting", { x: 1, y: 1, goalX: 2, goalY: 2 }), "index");
  const labels = new Planner(new Grid(2, 1, Uint8Array.of(1, 0)), "labels");
  assert.equal(labels.layer("hubs", { x: 1, y: 0 }).length, 0);
});

test("objects that were freed, and objects that are something else", () => {
  const map = Grid.empty(9, 9);
  const gone = new Planner(map, "hpa");
  const { plan } = gone.plan(0, 0, 8, 8);
  const crowd = new Crowd(gone);
  gone.free();
  gone.free();
  refused(() => gone.find(0, 0, 1, 1), "engine");
  refused(() => gone.cost(0, 0, 1, 1), "engine");
  refused(() => gone.engine, "engine");
  refused(() => gone.grid, "engine");
  refused(() => gone.edit([]), "engine");
  refused(() => plan.step(gone), "engine");
  refused(() => crowd.step(gone), "engine");
  refused(() => crowd.add(0, 0, 1, 1), "engine");
  refused(() => new Crowd(gone), "engine");
  map.free();
  refused(() => new Planner(map, "hpa"), "engine");
  refused(() => map.weights(), "engine");
  for (const odd of [undefined, null, 5, {}, grid, plan]) {
    refused(() => plan.step(odd), "query");
    refused(() => crowd.step(odd), "query");
    refused(() => new Crowd(odd), "query");
  }
  // The planner of another map: too small for the plan, or just another one.
  refused(() => plan.step(new Planner(Grid.empty(3, 3), "hpa")), "query");
  assert.equal(plan.step(new Planner(Grid.empty(20, 20), "astar")), "to");
  plan.free();
  crowd.free();
  refused(() => plan.x, "engine");
  refused(() => crowd.size, "engine");
  assert.throws(() => Planner.prototype.find.call({}, 1, 1, 1, 1), TypeError);
  assert.throws(() => new Plan().x);
});

test("calls from inside a report of a build", () => {
  const map = Grid.generate("random", 120, 120, 1, { blocked: 20 });
  let seen = 0;
  const built = new Planner(map, "labels", {
    onProgress: () => {
      seen += 1;
      refused(() => planner.find(-1, 0, 0, 0), "query");
      refused(() => Planner.open(grid, new Uint8Array(9)), "index");
      map.free();
    },
  });
  assert.ok(seen > 0);
  assert.equal(built.find(0, 0, 0, 0).status.length > 0, true);
  refused(() => map.width, "engine");
});

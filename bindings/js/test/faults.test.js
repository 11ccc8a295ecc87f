// What is left after a call that panics, or that runs out of memory: everything but the objects
// it was called on. Such calls exist in the module of `./build --faults` alone.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Crowd, FarstrideError, Grid, init, Planner } from "../dist-faults/index.js";

let grid;
let other;
let expected;

before(async () => {
  await init();
  grid = Grid.generate("caves", 90, 70, 3);
  other = new Planner(grid, "labels");
  expected = other.indexDigest;
});

/** Everything works that did not take part. */
function checkRest() {
  assert.equal(other.indexDigest, expected);
  assert.equal(new Planner(grid, "labels").indexDigest, expected);
  const { plan } = other.plan(0, 0, 0, 0);
  assert.equal(plan, null);
  const text = grid.toMovingAi();
  assert.equal(Grid.fromMovingAi(text).digest, grid.digest);
}

/** A call of the module through the wrapper that every call goes through. */
const provoke = (planner, name) => planner.handle.run((raw) => raw[name]());

test("a panic is an error with its message, and costs one object", () => {
  // Often enough to use up the stack, if it were not put back: 8 kB each of 1 MB.
  for (let round = 0; round < 200; round += 1) {
    const planner = new Planner(grid, "hpa");
    const crowd = new Crowd(planner);
    assert.throws(
      () => provoke(planner, "provoke_panic"),
      (error) => error instanceof FarstrideError && error.kind === "engine" && /failed: .*provoked/s.test(error.message),
    );
    const broken = { kind: "engine", message: /^this Planner cannot be used any more/ };
    assert.throws(() => planner.find(0, 0, 1, 1), broken);
    assert.throws(() => crowd.step(planner), broken);
    planner.free();
    crowd.free();
  }
  checkRest();
});

test("a panic inside a report of a build leaves that build alone", () => {
  const levels = new Planner(grid, "nsg+").indexDigest;
  let panics = 0;
  const built = new Planner(grid, "labels", {
    onProgress: () => {
      const planner = new Planner(grid, "hpa");
      assert.throws(() => provoke(planner, "provoke_panic"), { kind: "engine" });
      panics += 1;
      // Uses the stack below that of the build, and must not touch it.
      assert.equal(new Planner(grid, "nsg+").indexDigest, levels);
    },
  });
  assert.ok(panics > 0);
  assert.equal(built.indexDigest, expected);
  checkRest();
});

test("running out of memory is an error", () => {
  const planner = new Planner(grid, "hpa");
  assert.throws(() => provoke(planner, "provoke_exhaustion"), { kind: "engine", message: "the engine failed: out of memory" });
  assert.throws(() => planner.engine, { kind: "engine" });
  checkRest();
});

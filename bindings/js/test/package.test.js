// The package as others get it: packed, installed into an empty project, its types checked, the
// examples of its README run.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const tsc = join(here, "node_modules", "typescript", "bin", "tsc");
let project;
let packed;

const run = (command, given, cwd) => execFileSync(command, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

before(() => {
  project = mkdtempSync(join(tmpdir(), "farstride-"));
  [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], here));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "clean", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(project, packed.filename)], project);
});
after(() => rmSync(project, { recursive: true }));

test("it has what it needs and nothing else", () => {
  const files = packed.files.map(({ path }) => path);
  for (const file of ["package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "dist/index.js", "dist/index.d.ts", "dist/farstride.js", "dist/farstride_bg.wasm"]) {
    assert.ok(files.includes(file), file);
  }
  assert.deepEqual(files.filter((file) => !/^(dist\/[a-z_]+\.(js|d\.ts|wasm)|README\.md|LICENSE-[A-Z]+|package\.json)$/.test(file)), []);
  const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
});

function write(file, text) {
  writeFileSync(join(project, file), text);
  return file;
}

/** What the compiler says about a file, with the strictest options and no types but those of the language and of a page. */
function complaints(file, text) {
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "false", "--pretty", "false"];
  const given = [tsc, ...options, "--types", "", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", write(file, text)];
  const { stdout, stderr } = spawnSync(process.execPath, given, { cwd: project, encoding: "utf8" });
  return stdout + stderr;
}

test("its types fit a program that uses all of it", () => {
  assert.equal(complaints("uses.ts", USES), "");
});

test("its types refuse what is wrong", () => {
  const wrong = ['new Planner(grid, "jps")', "planner.find(1, 1, 2)", 'planner.find(1, 1, 2, 2, { detail: "all" })', "new Grid(1, 1, [1])", 'planner.layer("walls")', "grid.width = 3", "planner.findMany([1, 1, 2, 2])", "new Planner(grid).handle"];
  const right = ['import { Grid, Planner } from "farstride"', "declare const grid: Grid", "declare const planner: Planner"];
  const said = complaints("wrong.ts", [...right, ...wrong].join(";\n"));
  const lines = [...said.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line));
  assert.deepEqual([...new Set(lines)], wrong.map((_, at) => right.length + at + 1), said);
});

test("the examples of the README run", () => {
  const readme = readFileSync(join(here, "README.md"), "utf8");
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text);
  assert.ok(examples.length >= 4);
  const printed = examples.map((text) => run(process.execPath, [write("example.js", text)], project));
  assert.match(printed[0], /^found 1[0-9.]+ Int32Array/);
  assert.match(printed[1], /^200 100/);
  assert.match(printed[3], /^nsg\+ \d+\ncancelled/);
});

/** Every name of the package in use, with the types of what it returns. */
const USES = `
import { Crowd, engines, FarstrideError, Grid, init, Plan, Planner, statuses, version } from "farstride";
import type { BuildOptions, BuildProgress, Change, CrowdStep, Diagonals, Effort, EngineInfo, EngineName, ErrorKind, FindOptions, LayerName, LayerOptions, MapKind, MapOptions, PathDetail, Route, Routes, SearchTrace, Source, Status } from "farstride";

const source: Source = new Uint8Array(4);
await init(); await init(source); await init("a"); await init(new URL("a", "b:"));
const release: string = version();
const infos: EngineInfo[] = engines();
const name: EngineName | undefined = infos[0]?.name;
const options: MapOptions = { diagonals: "strict" };
const grid: Grid = new Grid(2, 2, new Uint8Array(4), options);
const diagonals: Diagonals = grid.diagonals;
Grid.empty(2, 2); Grid.fromMovingAi("", { terrain: "S=5" }); Grid.fromMovingAi(new Uint8Array(1)); Grid.fromWeightImage(new Uint8Array(1));
Grid.generate("maze", 9, 9, 1n, { corridor: 2 }); Grid.generate("maze", 9, 9, 1, { diagonals: "none" });
const kinds: MapKind[] = Grid.kinds();
const facts: [number, number, boolean, number, string] = [grid.width, grid.height, grid.hasWeights, grid.freeCount, grid.digest];
const bytes: Uint8Array[] = [grid.weights(), grid.toPgm()];
const bools: boolean[] = [grid.isFree(1, 1), grid.isConnected(1, 1, 1, 1), grid.lineOfSight(1, 1, 1, 1)];
const text: string = grid.toMovingAi();
const build: BuildOptions = { settings: { levels: 2, local: "theta", smooth: true }, onProgress: (progress: BuildProgress) => progress.done < 5 };
const planner = new Planner(grid, "hpa", build);
new Planner(grid); new Planner(grid, "nsg+", { onProgress: () => {} });
Planner.open(grid, planner.save(), { trusted: true });
const about: [EngineName, Record<string, unknown>, number, string | null, Grid] = [planner.engine, planner.settings, planner.indexBytes, planner.indexDigest, planner.grid];
const detail: PathDetail = { first: 3 };
const how: FindOptions = { detail, budget: 9, into: new Int32Array(9) };
const route: Route = planner.find(1, 1, 2, 2, how);
const status: Status = route.status;
const form: "cells" | "points" | "waypoints" | "halves" | "omitted" = route.form;
const path: Int32Array = route.path;
const cost: number = planner.cost(1, 1, 2, 2);
const routes: Routes = planner.findMany(new Int32Array(4), { detail: "cost" });
const trace: SearchTrace = planner.trace(1, 1, 2, 2);
const effort: Effort = trace.effort;
const timed: { micros: number; runs: number } = planner.time(1, 1, 2, 2, 5);
const nearest: { index: number; route: Route } | null = planner.nearest(1, 1, new Int32Array(2));
const table: Float64Array = planner.costTable(new Int32Array(2), new Int32Array(2));
const planned: { status: Status; plan: Plan | null } = planner.plan(1, 1, 2, 2);
const change: Change = { x: 1, y: 1, width: 2, weight: 0 };
planner.edit([change]); planner.editCells(new Int32Array(3));
const layer: LayerOptions = { level: 1, x: 1, y: 1, goalX: 2, goalY: 2 };
const layers: LayerName[] = planner.layers();
const numbers: Int32Array = planner.layer("clusters", layer);
if (planned.plan) {
  const step: "to" | "arrived" | "unreachable" = planned.plan.step(planner);
  const { x, y, goalX, goalY, replans, cost } = planned.plan;
  const ahead: Int32Array[] = [planned.plan.refined(), planned.plan.waypoints()];
  planned.plan.standAt(x + y + goalX + goalY + replans + cost, ahead.length + step.length);
  planned.plan.free();
}
const crowd = new Crowd(planner);
const unit: number = crowd.add(1, 1, 2, 2) + crowd.size;
crowd.sendAll(1, 1);
const walked: CrowdStep = crowd.step(planner);
const error = new FarstrideError("map", "x");
const kind: ErrorKind = error.kind;
const all: readonly Status[] = statuses;
crowd.free(); planner.free(); grid.free();
grid[Symbol.dispose]();
export default [release, name, diagonals, kinds, facts, bytes, bools, text, about, status, form, path, cost, routes, effort, timed, nearest, table, layers, numbers, unit, walked, kind, all];
`;

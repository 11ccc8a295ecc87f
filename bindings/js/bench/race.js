// Query times of the package beside those of the native engine and of PathFinding.js,
// in one run: the sides take turns, round by round. See --help.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { inChromium } from "./chromium.js";
import { side, timed } from "./side.js";

const HELP = `usage: node bench/race.js [--queries N] [--rounds N] [--rivals N] [--package FOLDER]... [--chromium] [SET/MAP]...

Times queries with their whole paths, evenly spread over the scenario of each map
[default: sc1/AcrosstheCape dao/orz700d] in the folder FARSTRIDE_BENCHMARKS.
Each side runs every query once, and then a few times in a row, which count. The
sides take turns; of a query, the least time of all rounds counts. "module" is the
time inside the module; "call" what calling it from JavaScript and a copy of the path
take beyond that; "into" the same with an array of the caller's for the path.

  --queries N   queries per map [default: 300]
  --rounds N    rounds [default: 7]
  --rivals N    queries that PathFinding.js gets, evenly spread [default: 60]
  --package F   folder of a build to time; may be given several times [default: dist]
  --chromium    also times dist in Chromium, whose clock is coarse: every side then
                runs a query eight times as often in a row`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    queries: { type: "string", default: "300" },
    rounds: { type: "string", default: "7" },
    rivals: { type: "string", default: "60" },
    package: { type: "string", multiple: true, default: ["dist"] },
    chromium: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const folder = process.env.FARSTRIDE_BENCHMARKS;
if (values.help || folder === undefined) {
  console.log(values.help ? HELP : "FARSTRIDE_BENCHMARKS is not set; see --help");
  process.exit(values.help ? 0 : 2);
}

// How often a query is run in a row, so that the clock does not count.
const ENGINES = { astar: 1, hpa: 5, "nsg+": 8, labels: 40 };
const here = fileURLToPath(new URL("..", import.meta.url));
const [count, rounds, rivals] = [values.queries, values.rounds, values.rivals].map(Number);

const packages = [];
for (const name of values.package) {
  const farstride = await import(new URL(`../${name}/index.js`, import.meta.url));
  await farstride.init();
  packages.push({ name, ...farstride });
}
const built = execFileSync("cargo", ["build", "--release", "-p", "farstride-js", "--example", "native", "--message-format=json"], { cwd: here, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
const native = built.split("\n").filter(Boolean).map((line) => JSON.parse(line)).findLast((line) => line.executable).executable;

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const least = (one, other) => one.map((number, at) => Math.min(number, other[at]));
const shown = (micros) => (micros >= 100 ? micros.toFixed(0) : micros.toPrecision(3));

for (const map of positionals.length > 0 ? positionals : ["sc1/AcrosstheCape", "dao/orz700d"]) {
  await race(map);
}

async function race(map) {
  const files = [`${folder}/${map}.map`, `${folder}/${map}.map.scen`];
  const child = spawn(native, [...files, String(count)], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse((await lines.next()).value);
  const ask = (command) => (child.stdin.write(`${command}\n`), answer());
  const queries = await answer();
  const text = readFileSync(files[0]);
  const sides = packages.map(({ name, ...one }) => ({ name, ...side(one, text, queries) }));
  const browser = values.chromium ? await inChromium(text, queries) : undefined;
  if (browser !== undefined) {
    sides.push({ name: "Chromium", ...browser });
  }
  console.log(`\n${map}, ${queries.length / 4} queries\n`);
  const columns = sides.map(({ name }) => `${name}: module µs | × native | call µs | into µs | build ms`).join(" | ");
  console.log(`| engine | native µs | build ms | ${columns} |`);
  console.log(`|---|---:|---:|${"---:|---:|---:|---:|---:|".repeat(sides.length)}`);
  for (const [engine, few] of Object.entries(ENGINES)) {
    const repeats = values.chromium ? 8 * few : few;
    const buildNative = await ask(`build ${engine}`);
    const builds = [];
    for (const one of sides) {
      builds.push(await one.build(engine));
    }
    let best = new Array(queries.length / 4).fill(Infinity);
    const bests = sides.map(() => ({ called: best, into: best, inside: best }));
    for (let round = 0; round < rounds; round += 1) {
      best = least(best, await ask(`run ${repeats}`));
      for (const [at, one] of sides.entries()) {
        for (const [what, times] of Object.entries(await one.run(repeats))) {
          bests[at][what] = least(bests[at][what], times);
        }
      }
    }
    const cells = bests.map(({ called, into, inside }, at) => {
      const micros = mean(inside);
      const more = [called, into].map((times) => (mean(times) - micros).toFixed(2)).join(" | ");
      return `${shown(micros)} | ${(micros / mean(best)).toFixed(2)} | ${more} | ${builds[at].toFixed(0)}`;
    });
    console.log(`| ${engine} | ${shown(mean(best))} | ${buildNative.toFixed(0)} | ${cells.join(" | ")} |`);
  }
  await browser?.close();
  child.stdin.end();
  await once(child, "exit");
  if (rivals > 0) {
    await raceRivals(packages[0], text, queries);
  }
}

/** PathFinding.js on some of the queries, beside ours. Its grid is cleaned outside the timed part. */
async function raceRivals({ Grid, Planner }, text, queries) {
  const { default: PF } = await import("pathfinding");
  const grid = Grid.fromMovingAi(text);
  const weights = grid.weights();
  const rows = Array.from({ length: grid.height }, (_row, y) =>
    Array.from(weights.subarray(y * grid.width, (y + 1) * grid.width), (weight) => (weight === 0 ? 1 : 0)),
  );
  const theirs = new PF.Grid(rows);
  const clean = () => {
    for (const row of theirs.nodes) {
      for (const node of row) {
        node.opened = node.closed = node.tested = undefined;
        node.g = node.h = node.f = node.parent = undefined;
      }
    }
  };
  const options = { diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles };
  const finders = { "PathFinding.js A*": new PF.AStarFinder(options), "PathFinding.js JPS": new PF.JumpPointFinder(options) };
  const step = Math.max(1, Math.floor(queries.length / 4 / rivals));
  const some = queries.filter((_number, at) => Math.floor(at / 4) % step === 0);
  console.log(`\n| of ${some.length / 4} of these queries | mean ms | × labels | mean length |\n|---|---:|---:|---:|`);
  const rowsOf = [];
  for (const engine of ["labels", "nsg+", "hpa", "astar"]) {
    const planner = new Planner(grid, engine);
    let best = timed(planner, some, 5);
    for (let round = 0; round < 3; round += 1) {
      best = least(best, timed(planner, some, 5));
    }
    const lengths = [];
    for (let at = 0; at < some.length; at += 4) {
      lengths.push(planner.find(some[at], some[at + 1], some[at + 2], some[at + 3]).length);
    }
    rowsOf.push([`farstride ${engine}`, mean(best) / 1000, mean(lengths)]);
    planner.free();
  }
  for (const [name, finder] of Object.entries(finders)) {
    const [times, lengths] = [[], []];
    for (let at = 0; at < some.length; at += 4) {
      let best = Infinity;
      let path = [];
      for (let run = 0; run < 3; run += 1) {
        clean();
        const begun = performance.now();
        path = finder.findPath(some[at], some[at + 1], some[at + 2], some[at + 3], theirs);
        best = Math.min(best, performance.now() - begun);
      }
      times.push(best);
      lengths.push(PF.Util.pathLength(path));
    }
    rowsOf.push([name, mean(times), mean(lengths)]);
  }
  for (const [name, milliseconds, length] of rowsOf) {
    const factor = milliseconds / rowsOf[0][1];
    console.log(`| ${name} | ${milliseconds.toPrecision(3)} | ${factor.toFixed(0)} | ${length.toFixed(1)} |`);
  }
}

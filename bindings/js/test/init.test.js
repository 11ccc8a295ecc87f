// Loading the engine. A package is loaded once, so each case has a process of its own.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { promisify } from "node:util";

const place = new URL("../dist/index.js", import.meta.url).href;
const module = new URL("../dist/farstride_bg.wasm", import.meta.url);

/** What a program prints that has everything of the package at hand. */
const program = (text) => [
  "--input-type=module",
  "--eval",
  `import { readFile } from "node:fs/promises";
   import { engines, FarstrideError, Grid, init, Planner, version } from ${JSON.stringify(place)};
   const file = new URL(${JSON.stringify(module.href)});
   const cost = () => new Planner(Grid.empty(5, 5), "astar").cost(0, 0, 4, 0);
   ${text}`,
];
const printed = (text) => execFileSync(process.execPath, program(text), { encoding: "utf8" }).trim();

test("the engine is loaded from bytes, a module, a place or its name", () => {
  const bytes = "await readFile(file)";
  for (const source of ["", "file", "file.href", bytes, `Uint8Array.from(${bytes}).buffer`, `await WebAssembly.compile(${bytes})`]) {
    assert.equal(printed(`await init(${source}); console.log(cost());`), "19024", source);
  }
});

test("several calls of init are one", () => {
  assert.equal(printed(`await Promise.all([init(), init(), init(file)]); await init(); console.log(cost());`), "19024");
});

test("what cannot be loaded is an error, and another source may follow", () => {
  for (const source of ["new URL('nowhere.wasm', file)", "new Uint8Array([0, 97, 115, 109])", "'http://localhost:1/'", "5"]) {
    const text = `await init(${source}).catch((error) => console.log(error instanceof FarstrideError, error.kind, error.message));
      await init(); console.log(cost());`;
    assert.match(printed(text), /^true engine the engine could not be loaded: .+\n19024$/s, source);
  }
});

test("without init, every call says so", () => {
  for (const call of ["version()", "engines()", "Grid.empty(2, 2)", "new Grid(1, 1, new Uint8Array(1))", "Grid.kinds()"]) {
    const text = `try { ${call}; } catch (error) { console.log(error.kind, error.message); }`;
    assert.equal(printed(text), "engine the engine is not loaded; call init() first and wait for it", call);
  }
});

test("a server may send it, with and without the type of WebAssembly", async (context) => {
  const bytes = await readFile(module);
  const server = createServer((request, response) => {
    const isThere = request.url !== "/nowhere";
    const type = request.url === "/typed" ? "application/wasm" : "application/octet-stream";
    response.writeHead(isThere ? 200 : 404, { "content-type": type }).end(isThere ? bytes : "no");
  });
  context.after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${server.address().port}`;
  const run = async (text) => (await promisify(execFile)(process.execPath, program(text))).stdout.trim();
  assert.equal(await run(`await init("${address}/typed"); console.log(cost());`), "19024");
  assert.equal(await run(`console.warn = () => {}; await init("${address}/plain"); console.log(cost());`), "19024");
  const refused = await run(`await init("${address}/nowhere").catch((error) => console.log(error.message));`);
  assert.match(refused, /404 Not Found/);
});

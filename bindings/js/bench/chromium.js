// A side of the race in Chromium: a server hands a page its tasks, and the page posts the results.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAGE = `<!doctype html><script type="module">
  import * as farstride from "/dist/index.js";
  import { side } from "/bench/side.js";
  const post = (value) => fetch("/result", { method: "POST", body: JSON.stringify(value) });
  try {
    await farstride.init();
    const map = new Uint8Array(await (await fetch("/map")).arrayBuffer());
    const runner = side(farstride, map, await (await fetch("/queries")).json());
    for (;;) {
      const [call, given] = await (await fetch("/task")).json();
      await post({ value: runner[call](given) });
    }
  } catch (error) {
    await post({ error: String(error) });
  }
</script>`;

const FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(" ");
const TYPES = { js: "text/javascript", wasm: "application/wasm" };

/** A side as in side.js, whose calls return promises; `close` ends the browser. */
export async function inChromium(map, queries) {
  const [tasks, waiting, results] = [[], [], []];
  const give = () => {
    while (tasks.length > 0 && waiting.length > 0) {
      waiting.shift().end(JSON.stringify(tasks.shift()));
    }
  };
  // An isolated page has a clock that counts in five microseconds instead of a hundred.
  const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
  const server = createServer(async (request, response) => {
    const send = (body, type = "text/plain") => response.writeHead(200, { ...headers, "content-type": type }).end(body);
    const file = /^\/(dist|bench)\/[a-z_]+\.(js|wasm)$/.exec(request.url);
    if (request.url === "/") {
      send(PAGE, "text/html");
    } else if (file) {
      send(readFileSync(new URL(`..${request.url}`, import.meta.url)), TYPES[file[2]]);
    } else if (request.url === "/map") {
      send(map);
    } else if (request.url === "/queries") {
      send(JSON.stringify(queries));
    } else if (request.url === "/task") {
      waiting.push(response);
      give();
    } else if (request.url === "/result") {
      let text = "";
      for await (const part of request) {
        text += part;
      }
      const { value, error } = JSON.parse(text);
      const { resolve, reject } = results.shift();
      error === undefined ? resolve(value) : reject(new Error(error));
      send("");
    } else {
      response.writeHead(404).end();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const profile = mkdtempSync(join(tmpdir(), "farstride-"));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const browser = spawn("chromium", [...FLAGS, `--user-data-dir=${profile}`, address], { stdio: "ignore" });
  const ask = (...task) =>
    new Promise((resolve, reject) => {
      results.push({ resolve, reject });
      tasks.push(task);
      give();
    });
  return {
    build: (engine) => ask("build", engine),
    run: (repeats) => ask("run", repeats),
    async close() {
      browser.kill();
      await once(browser, "exit");
      server.closeAllConnections();
      server.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

// A real browser on the built page. Every page that a test opens must stay free of errors and on its origin.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

export const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const ARGUMENTS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // The next name may be there.
    }
  }
  throw new Error("no Chromium found: install it (Debian: apt-get install chromium), or name it in the variable CHROMIUM");
}

if (!existsSync(join(dist, "index.html"))) throw new Error("the page is not built: run ./playground --build first");

const server = await serve(dist, 0);
export const address = `http://localhost:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS.split(" ") });
after(async () => {
  await browser.close();
  server.close();
});

/** Opens the page, hands it to `use`, and then looks at what it logged and where it asked. */
export async function onPage(use, { hash = "", init, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: address });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000); // a busy machine is no failure
  const problems = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  // Of the whole context, so that requests of workers count, too.
  context.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) problems.push(`request: ${request.url()}`);
  });
  if (init) await page.addInitScript(init);
  try {
    await page.goto(address + hash);
    await page.waitForSelector("#results tr", { state: "attached" });
    await use(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

/** Waits until these engines, or all that are chosen, show a path between the present ends. */
export async function pathsShown(page, engines) {
  await page.waitForFunction((names) => {
    const rows = [...document.querySelectorAll("#results tr")].filter((row) => !names || names.includes(row.dataset.engine));
    const shown = ({ dataset, children: [, cost, above] }) => dataset.state === "ready" && !cost.hidden && cost.textContent !== "" && above.textContent !== "…";
    return rows.length >= (names ? names.length : 1) && rows.every(shown);
  }, engines);
}

/** The figures of an engine in the table. */
export async function figures(page, engine) {
  return page.evaluate((name) => {
    const cells = [...document.querySelectorAll(`#results tr[data-engine="${name}"] td`)].filter((cell) => !cell.hidden);
    const [, cost, above, time, nodes, build, index] = cells.map((cell) => cell.textContent);
    return { cost: Number(cost), above, time, nodes: Number(nodes?.replaceAll(",", "")), build, index };
  }, engine);
}

/** Exactly these engines, in this order. */
export async function choose(page, engines) {
  for (const name of await page.$$eval('#engines [aria-pressed="true"]', (buttons) => buttons.map(({ dataset }) => dataset.engine))) {
    await page.click(`#engines [data-engine="${name}"]`);
  }
  for (const name of engines) await page.click(`#engines [data-engine="${name}"]`);
}

export async function tab(page, name) {
  // The table above grows as answers come, and may move the tab away between press and release.
  do {
    await page.click(`#tab-${name}`);
  } while ((await page.getAttribute(`#tab-${name}`, "aria-selected")) !== "true");
}

/** A ready-made map, by the beginning of its label. */
export async function readyMade(page, label) {
  await tab(page, "map");
  const value = await page.$$eval("#ready-made option", (options, label) => options.find((option) => option.label.startsWith(label)).value, label);
  await page.selectOption("#ready-made", value);
  await page.waitForFunction((label) => {
    const size = /(\d+) × (\d+)/.exec(label)[0];
    return document.getElementById("status").textContent.startsWith(size);
  }, await page.$eval("#ready-made", (select) => select.selectedOptions[0].label));
  await nextFrames(page); // the table is drawn in the next frame
}

/** Waits for a map of this size. */
export async function sized(page, size) {
  await page.waitForFunction((size) => document.getElementById("status").textContent.startsWith(size), size);
  await nextFrames(page); // the table is drawn in the next frame
}

/** Where a cell is on the screen while the whole map is in view. */
export async function screenOf(page, x, y) {
  return page.evaluate(
    ([x, y]) => {
      const box = document.querySelector(".pane").getBoundingClientRect();
      const [width, height] = document.getElementById("status").textContent.match(/\d+/g).map(Number);
      const scale = Math.min(48, (box.width - 24) / width, (box.height - 24) / height);
      return {
        x: box.left + box.width / 2 + (x + 0.5 - width / 2) * scale,
        y: box.top + box.height / 2 + (y + 0.5 - height / 2) * scale,
      };
    },
    [x, y],
  );
}

export async function ends(page) {
  const [, , startX, startY, goalX, goalY] = (await page.textContent("#status")).match(/\d+/g).map(Number);
  return { start: { x: startX, y: startY }, goal: { x: goalX, y: goalY } };
}

/** Drags the pointer over cells of the map. */
export async function drag(page, cells, { steps = 12 } = {}) {
  const places = [];
  for (const [x, y] of cells) places.push(await screenOf(page, x, y));
  await page.mouse.move(places[0].x, places[0].y);
  await page.mouse.down();
  for (const place of places.slice(1)) await page.mouse.move(place.x, place.y, { steps });
  await page.mouse.up();
}

/** Pixels that are drawn on one of the canvases of a pane: 0 the ground, 1 what engines built, 2 paths. */
export async function drawn(page, canvas, { pane = 0, colour } = {}) {
  return page.evaluate(
    ([canvas, pane, colour]) => {
      const element = document.querySelectorAll(".pane")[pane].querySelectorAll("canvas")[canvas];
      // A copy, so that reading does not change how the page's own canvas works.
      const copy = new OffscreenCanvas(element.width, element.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(element, 0, 0);
      const { data } = copy.getImageData(0, 0, element.width, element.height);
      const near = (at) => !colour || colour.every((channel, place) => Math.abs(data[at + place] - channel) < 12);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0 && near(at)) count++;
      return count;
    },
    [canvas, pane, colour],
  );
}

/** Runs a check until it holds: what a worker answers comes when it comes. */
export async function eventually(check) {
  for (const end = Date.now() + 60_000; ; ) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

export const nextFrames = (page, count = 3) =>
  page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
  }, count);

/**
 * The tasks of the page's main thread while `use` runs, in milliseconds: how long each lasted, and how much processor
 * time it took. The second is what the page can be held to, because a busy machine makes any task last.
 */
export async function tasksDuring(page, use) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["toplevel"] });
  let trace;
  try {
    await use();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString());
  const main = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`));
  return traceEvents
    .filter(({ name, pid, tid }) => name === "ThreadControllerImpl::RunTask" && main.has(`${pid} ${tid}`))
    // A task at the beginning or the end of the trace may lack one of its times.
    .filter(({ dur, tdur }) => dur !== undefined && tdur !== undefined)
    .map(({ dur, tdur }) => ({ lasted: dur / 1000, busy: tdur / 1000 }));
}

/** Drops a file on the page, as a mouse would. */
export async function drop(page, name, bytes) {
  const transfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], name));
      return transfer;
    },
    [name, [...bytes]],
  );
  await page.dispatchEvent("#stage", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("#stage", "drop", { dataTransfer: transfer });
}

/** Writes a picture for people to look at, if the variable names a folder. */
export async function picture(page, name) {
  const folder = process.env.PLAYGROUND_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await nextFrames(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

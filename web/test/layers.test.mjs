import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, drawn, ends, eventually, nextFrames, onPage, pathsShown, picture, readyMade, screenOf, tab } from "./browser.mjs";

const BUILT = 1;
const PATHS = 2;

/** Switches a layer on and tells how many more pixels are drawn once it has come. */
async function shows(page, layer, canvas) {
  const before = await drawn(page, canvas);
  await page.check(`#layer-${layer}`);
  const deadline = Date.now() + 60_000;
  for (;;) {
    await nextFrames(page);
    const more = (await drawn(page, canvas)) - before;
    if (more > 0 || Date.now() > deadline) return more;
  }
}

test("every layer draws something of its own", () =>
  onPage(async (page) => {
    await readyMade(page, "Small world");
    await choose(page, ["hpa", "nsg+", "labels"]);
    await pathsShown(page, ["hpa", "nsg+", "labels"]);
    await tab(page, "layers");
    // Without paths, layers that lie below them can be told from them.
    await page.uncheck("#layer-paths");
    await nextFrames(page);
    const { goal } = await ends(page);
    const layers = {
      clusters: BUILT,
      entrances: BUILT,
      graph: BUILT,
      subgoals: BUILT,
      subgoalEdges: BUILT,
      abstract: PATHS,
      refined: PATHS,
      meeting: PATHS,
      heat: PATHS,
      taut: PATHS,
      hubs: PATHS,
    };
    for (const [layer, canvas] of Object.entries(layers)) {
      const at = await screenOf(page, goal.x + 20, goal.y + 20);
      await page.mouse.move(at.x, at.y);
      assert.ok((await shows(page, layer, canvas)) > 20, layer);
      await picture(page, `layer-${layer}`);
      await page.uncheck(`#layer-${layer}`);
      await nextFrames(page);
    }
  }));

test("a higher level has fewer clusters and entrances", () =>
  onPage(async (page) => {
    await readyMade(page, "Small world");
    await choose(page, ["hpt"]);
    await pathsShown(page, ["hpt"]);
    await tab(page, "layers");
    await page.check("#layer-entrances");
    await shows(page, "clusters", BUILT);
    const first = await drawn(page, BUILT);
    await page.fill("#level", "2");
    await page.dispatchEvent("#level", "change");
    await eventually(async () => {
      const second = await drawn(page, BUILT);
      assert.ok(second > 0 && second < first, `${first} pixels on level 1, ${second} on level 2`);
    });
    // A level that the index does not have draws nothing, and nothing breaks.
    await page.fill("#level", "14");
    await page.dispatchEvent("#level", "change");
    await eventually(async () => assert.equal(await drawn(page, BUILT), 0));
    await pathsShown(page, ["hpt"]);
  }));

test("a layer brings the engine that has it", () =>
  onPage(async (page) => {
    await readyMade(page, "Small world");
    await choose(page, ["astar"]);
    await tab(page, "layers");
    assert.ok((await shows(page, "subgoals", BUILT)) > 20);
    assert.equal(await page.getAttribute('#engines [data-engine="nsg+"]', "aria-pressed"), "true");
  }));

test("the hubs follow the pointer", () =>
  onPage(async (page) => {
    await readyMade(page, "Small world");
    await choose(page, ["labels"]);
    await pathsShown(page, ["labels"]);
    await tab(page, "layers");
    const look = async (x, y) => {
      const at = await screenOf(page, x, y);
      await page.mouse.move(at.x, at.y);
      await page.waitForTimeout(200);
      await nextFrames(page);
      return page.evaluate(() => document.querySelectorAll(".pane canvas")[2].toDataURL());
    };
    await page.check("#layer-hubs");
    const first = await look(20, 40);
    await eventually(async () => assert.notEqual(await look(120, 60), first));
  }));

test("the heat map floods a map that a search floods, and shows nodes of an index", () =>
  onPage(async (page) => {
    await readyMade(page, "World");
    await choose(page, ["astar", "hpa"]);
    await pathsShown(page, ["astar", "hpa"]);
    await tab(page, "layers");
    const flood = await shows(page, "heat", PATHS);
    assert.ok(flood > 100_000, `${flood} pixels`);
    await picture(page, "heat-astar");
    await page.uncheck("#layer-heat");
    await page.selectOption("#inspected", "hpa");
    await nextFrames(page);
    const nodes = await shows(page, "heat", PATHS);
    await picture(page, "heat-hpa");
    assert.ok(nodes > 500 && nodes < flood / 3, `${nodes} pixels`);
  }));

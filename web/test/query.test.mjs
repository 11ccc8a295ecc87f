import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, drag, drawn, ends, figures, nextFrames, onPage, pathsShown, picture, readyMade, screenOf } from "./browser.mjs";

const VERMILION = [0xd5, 0x5e, 0x00];

test("paths of all first engines appear, and the optimal ones agree", () =>
  onPage(async (page) => {
    await pathsShown(page);
    await picture(page, "first");
    const [labels, hpa, hpt, astar] = await Promise.all(["labels", "hpa", "hpt", "astar"].map((name) => figures(page, name)));
    // What `farstride render` says about this map and these places.
    assert.equal(labels.cost, 719.3);
    assert.equal(astar.cost, 719.3);
    assert.equal(hpt.cost, 688.8);
    assert.equal(labels.above, "best");
    // Near the shortest; how near depends on the settings that it picks by itself.
    assert.ok(hpa.cost >= 719.3 && hpa.cost < 730, `hpa: ${hpa.cost}`);
    // The page rounds both costs and, below a tenth of a percent, shows one more digit.
    const above = (hpa.cost / 719.3 - 1) * 100;
    const shown = hpa.above === "best" ? 0 : Number(/^\+(\d+\.\d+) %$/.exec(hpa.above)?.[1]);
    assert.ok(Math.abs(shown - above) < (above < 0.08 ? 0.02 : 0.07), `hpa: ${hpa.cost}, ${hpa.above}`);
    assert.ok(astar.nodes > 10_000 && hpa.nodes < 1000);
    assert.ok((await drawn(page, 2, { colour: VERMILION })) > 200);
  }));

test("dragging the goal changes the paths", () =>
  onPage(async (page) => {
    await readyMade(page, "Small world");
    await choose(page, ["astar", "hpt"]);
    await pathsShown(page, ["astar", "hpt"]);
    const before = await figures(page, "astar");
    await drag(page, [[3, 2], [40, 30], [100, 60]]);
    assert.deepEqual((await ends(page)).goal, { x: 100, y: 60 });
    await page.waitForFunction((cost) => document.querySelector('[data-engine="astar"] td:nth-child(2)').textContent !== String(cost), before.cost.toFixed(1));
    assert.ok((await figures(page, "astar")).cost < before.cost);
  }));

test("a wall drawn across the path reroutes it, undo brings it back", () =>
  onPage(async (page) => {
    await readyMade(page, "Empty field");
    await choose(page, ["hpa", "nsg+", "labels", "astar"]);
    await pathsShown(page, ["hpa", "nsg+", "labels", "astar"]);
    const before = await figures(page, "astar");
    await page.click('[data-tool="wall"]');
    await drag(page, [[64, 2], [64, 76]]);
    const rerouted = () =>
      page.waitForFunction(
        (cost) => [...document.querySelectorAll("#results tr")].every(({ children }) => Number(children[1].textContent) > cost + 5),
        before.cost,
      );
    await rerouted();
    await pathsShown(page);
    const after = await figures(page, "astar");
    // Engines that follow edits and those that build again agree on the changed map.
    assert.equal((await figures(page, "nsg+")).cost, after.cost);
    assert.equal((await figures(page, "labels")).cost, after.cost);
    await picture(page, "wall");
    await page.keyboard.press("Control+z");
    await page.waitForFunction((cost) => document.querySelector('[data-engine="astar"] td:nth-child(2)').textContent === cost, before.cost.toFixed(1));
    await page.click("#redo");
    await rerouted();
  }));

test("a wall around the goal leaves no way, and says so", () =>
  onPage(async (page) => {
    await readyMade(page, "Empty field");
    await choose(page, ["astar", "hpa"]);
    await pathsShown(page, ["astar", "hpa"]);
    const { goal } = await ends(page);
    await page.click('[data-tool="fill"]');
    await drag(page, [[goal.x - 4, goal.y - 4], [goal.x + 4, goal.y + 4]]);
    await page.waitForFunction(() => document.getElementById("results").innerText.includes("the goal is inside a wall"));
    await page.waitForFunction(() => document.querySelector('tr[data-engine="hpa"]').innerText.includes("the goal is inside a wall"));
  }));

test("terrain weights turn paths, and engines that refuse weights say so", () =>
  onPage(async (page) => {
    await readyMade(page, "Roads");
    await choose(page, ["astar", "hpa", "nsg+"]);
    await pathsShown(page, ["astar", "hpa"]);
    assert.ok((await figures(page, "astar")).cost > 0);
    await page.waitForFunction(() => document.querySelector('tr[data-engine="nsg+"]').dataset.state === "failed");
    assert.match(await page.textContent('tr[data-engine="nsg+"]'), /weight/);
    await picture(page, "terrain");
    await readyMade(page, "Empty field");
    await pathsShown(page, ["nsg+", "astar"]);
    const before = await figures(page, "astar");
    await page.click('[data-tool="terrain"]');
    await page.fill("#brush", "20");
    await page.dispatchEvent("#brush", "change");
    await drag(page, [[64, 10], [64, 70]]);
    await page.waitForFunction((cost) => Number(document.querySelector('[data-engine="astar"] td:nth-child(2)').textContent) > cost, before.cost);
    await page.waitForFunction(() => /weight/.test(document.querySelector('tr[data-engine="nsg+"]').innerText));
    await page.click("#undo");
    await pathsShown(page, ["nsg+", "astar"]);
    assert.equal((await figures(page, "nsg+")).cost, before.cost);
  }));

test("keys move the ends, paint and zoom", () =>
  onPage(async (page) => {
    await readyMade(page, "Empty field");
    await choose(page, ["astar"]);
    await pathsShown(page, ["astar"]);
    const { start, goal } = await ends(page);
    await page.focus("#stage");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("s");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await ends(page), { start: { x: start.x + 1, y: start.y }, goal: { x: goal.x - 1, y: goal.y + 10 } });
    const before = await page.evaluate(() => document.getElementById("status").textContent);
    await page.keyboard.press("w");
    for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    assert.notEqual(before, await page.textContent("#status"));
    assert.match(await page.textContent("#status"), /wall/);
    await nextFrames(page);
    assert.ok((await drawn(page, 0, { colour: [0xb4, 0xbb, 0xc5] })) > 0);
    const ground = await drawn(page, 0);
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await nextFrames(page);
    assert.ok((await drawn(page, 0)) > ground, "the map fills more of the screen");
  }));

test("fingers drag the goal and pinch", () =>
  onPage(
    async (page) => {
      await readyMade(page, "Empty field");
      await choose(page, ["astar"]);
      await pathsShown(page, ["astar"]);
      const { goal } = await ends(page);
      const devtools = await page.context().newCDPSession(page);
      const touch = (type, ...points) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
      await page.locator("#stage").scrollIntoViewIfNeeded();
      const from = await screenOf(page, goal.x, goal.y);
      const to = await screenOf(page, goal.x - 30, goal.y + 20);
      await touch("touchStart", from);
      for (let step = 1; step <= 8; step++) {
        await touch("touchMove", { x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 });
      }
      await touch("touchEnd");
      assert.deepEqual((await ends(page)).goal, { x: goal.x - 30, y: goal.y + 20 });
      const middle = await screenOf(page, 64, 40);
      const ground = () => drawn(page, 0);
      const before = await ground();
      const finger = (id, by) => ({ id, x: middle.x + by, y: middle.y });
      await touch("touchStart", finger(0, -20), finger(1, 20));
      for (let by = 20; by <= 70; by += 10) await touch("touchMove", finger(0, -by), finger(1, by));
      await touch("touchEnd");
      await nextFrames(page);
      assert.ok((await ground()) > before, "the map fills more of the screen");
      // With a brush, the first finger of a pinch paints before the second is there.
      await page.tap('[data-tool="wall"]');
      await touch("touchStart", finger(0, -20));
      await touch("touchStart", finger(0, -20), finger(1, 20));
      await touch("touchMove", finger(0, -30), finger(1, 30));
      await touch("touchEnd");
      await nextFrames(page);
      assert.ok(await page.isDisabled("#undo"), "a pinch leaves no paint");
      await touch("touchStart", finger(0, -20));
      await touch("touchMove", finger(0, 20));
      await touch("touchEnd");
      await nextFrames(page);
      assert.ok(await page.isEnabled("#undo"), "one finger paints");
    },
    { viewport: { width: 400, height: 800 }, hasTouch: true },
  ));

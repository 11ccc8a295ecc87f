import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, drag, ends, figures, onPage, pathsShown, picture, readyMade } from "./browser.mjs";

const row = (engine) => `#results tr[data-engine="${engine}"]`;

test("labels of a 1024² map build with a moving bar, cancel works, and others are not held back", () =>
  onPage(async (page) => {
    await choose(page, ["astar", "hpa"]);
    await readyMade(page, "Large world");
    await page.click('#engines [data-engine="labels"]');
    // Faster engines answer while labels build.
    await pathsShown(page, ["astar", "hpa"]);
    assert.equal(await page.getAttribute(row("labels"), "data-state"), "building");
    const seen = new Set();
    const deadline = Date.now() + 60_000;
    while (seen.size < 4 && Date.now() < deadline) {
      const value = await page.$eval(`${row("labels")} progress`, (bar) => bar.value);
      if (value > 0 && value < 1) seen.add(value);
      await page.waitForTimeout(30);
    }
    const values = [...seen];
    assert.ok(values.length >= 4, `the bar stood at ${values}`);
    assert.deepEqual(values, [...values].sort((a, b) => a - b), "the bar moves forward");
    await picture(page, "building");

    await page.click(`${row("labels")} >> text=Cancel`);
    await page.waitForSelector(`${row("labels")}[data-state="cancelled"]`);
    await page.waitForTimeout(300);
    assert.equal(await page.getAttribute(row("labels"), "data-state"), "cancelled");
    // The others go on as if nothing had happened.
    const before = await page.innerText(row("astar"));
    const { start, goal } = await ends(page);
    await drag(page, [[goal.x, goal.y], [start.x + 30, start.y - 30]]);
    await page.waitForFunction(([row, before]) => document.querySelector(row).innerText !== before, [row("astar"), before]);

    // Building again begins anew, and so does another map.
    await page.click(`${row("labels")} >> text=Build`);
    await page.waitForFunction(() => document.querySelector('tr[data-engine="labels"] progress').value > 0);
    await readyMade(page, "Small world");
    await pathsShown(page, ["astar", "hpa", "labels"]);
    assert.equal((await figures(page, "labels")).cost, (await figures(page, "astar")).cost);
  }));

test("a map of 2048 × 2048 cells works", () =>
  onPage(async (page) => {
    await choose(page, ["hpa", "nsg+"]);
    await readyMade(page, "Huge world");
    await pathsShown(page, ["hpa", "nsg+"]);
    const before = await figures(page, "nsg+");
    assert.ok(before.cost > 2000);
    await picture(page, "huge");
    // The largest stroke there is, and back.
    await page.click('[data-tool="fill"]');
    await drag(page, [[0, 0], [2047, 2047]]);
    await page.waitForFunction(() => [...document.querySelectorAll("#results tr")].every((row) => row.innerText.includes("inside a wall")));
    await page.click("#undo");
    await pathsShown(page, ["hpa", "nsg+"]);
    assert.equal((await figures(page, "nsg+")).cost, before.cost);
  }));

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, drag, ends, onPage, pathsShown, picture, readyMade, tab } from "./browser.mjs";

/** The figures below the controls: walking, arrived, no way, replans, time per frame. */
const walkFigures = (page) =>
  page.$$eval("#walk-figures dd", (values) => values.map(({ textContent }) => parseFloat(textContent)));

test("a unit arrives, and plans again if a wall cuts its way", () =>
  onPage(async (page) => {
    await readyMade(page, "Empty field");
    await choose(page, ["hpa"]);
    await pathsShown(page, ["hpa"]);
    await tab(page, "walk");
    await page.fill("#walk-speed", "8"); // so that the wall is there first
    await page.click("#walk-begin");
    await page.waitForFunction(() => document.querySelector("#walk-figures dd")?.textContent === "1 of 1");
    await picture(page, "walk-one");
    const { goal } = await ends(page);
    await page.click('[data-tool="wall"]');
    await drag(page, [[goal.x - 14, 0], [goal.x - 14, 70]], { steps: 30 });
    await page.waitForFunction(() => Number(document.querySelectorAll("#walk-figures dd")[3].textContent) > 0);
    await picture(page, "walk-replan");
    await page.fill("#walk-speed", "60");
    await page.waitForFunction(() => document.querySelectorAll("#walk-figures dd")[1].textContent === "1");
  }));

test("twenty units stop where there is no way, and go on when there is", () =>
  onPage(async (page) => {
    await readyMade(page, "Empty field");
    await choose(page, ["nsg+"]);
    await pathsShown(page, ["nsg+"]);
    await tab(page, "walk");
    await page.selectOption("#walk-units", "20");
    await page.fill("#walk-speed", "2"); // so that the walls are there first
    await page.click("#walk-begin");
    await page.waitForFunction(() => document.querySelector("#walk-figures dd")?.textContent.endsWith("of 20"));
    const { goal } = await ends(page);
    await page.click('[data-tool="fill"]');
    await drag(page, [[goal.x - 5, goal.y + 4], [goal.x + 5, goal.y + 5]]);
    await drag(page, [[goal.x - 5, goal.y - 5], [goal.x + 5, goal.y - 4]]);
    await drag(page, [[goal.x - 5, goal.y - 5], [goal.x - 4, goal.y + 5]]);
    await drag(page, [[goal.x + 4, goal.y - 5], [goal.x + 5, goal.y + 5]]);
    await page.waitForFunction(() => Number(document.querySelectorAll("#walk-figures dd")[2].textContent) > 10);
    // All four, because units may stand where the walls are.
    for (let wall = 0; wall < 4; wall++) await page.keyboard.press("Control+z");
    await page.waitForFunction(() => Number(document.querySelectorAll("#walk-figures dd")[2].textContent) === 0);
    await page.fill("#walk-speed", "60");
    await page.waitForFunction(() => Number(document.querySelectorAll("#walk-figures dd")[1].textContent) === 20);
  }));

test("a unit sent into a closed room goes there once a wall is taken away", () =>
  onPage(async (page) => {
    await readyMade(page, "Empty field");
    await choose(page, ["hpa"]);
    await pathsShown(page, ["hpa"]);
    await page.click('[data-tool="fill"]');
    for (const wall of [[[50, 30], [70, 30]], [[50, 50], [70, 50]], [[50, 30], [50, 50]], [[70, 30], [70, 50]]]) await drag(page, wall);
    await tab(page, "walk");
    await page.fill("#walk-speed", "10");
    await page.click("#walk-begin");
    await page.waitForFunction(() => document.querySelector("#walk-figures dd")?.textContent === "1 of 1");
    const { goal } = await ends(page);
    await page.click('[data-tool="move"]');
    await drag(page, [[goal.x, goal.y], [60, 40]]);
    await page.waitForFunction(() => document.querySelectorAll("#walk-figures dd")[2].textContent === "1");
    await page.click('[data-tool="erase"]');
    await drag(page, [[50, 40], [51, 40]]);
    await page.fill("#walk-speed", "60");
    await page.waitForFunction(() => document.querySelectorAll("#walk-figures dd")[1].textContent === "1");
  }));

test("a thousand units walk to one goal, and the time of a frame is shown", () =>
  onPage(async (page) => {
    await readyMade(page, "World");
    await choose(page, ["hpa"]);
    await pathsShown(page, ["hpa"]);
    await tab(page, "walk");
    await page.selectOption("#walk-units", "1000");
    await page.fill("#walk-speed", "30");
    await page.click("#walk-begin");
    await page.waitForFunction(() => /of 1000$/.test(document.querySelector("#walk-figures dd")?.textContent));
    await page.waitForTimeout(3000);
    await picture(page, "walk-thousand");
    const [walking, , , , frame] = await walkFigures(page);
    assert.ok(walking > 300, `${walking} still walk`);
    assert.ok(frame > 0, `${frame} ms`); // test/figures.test.mjs says how much it may be
    // The goal moves, and they follow.
    const { goal } = await ends(page);
    await page.keyboard.press("m");
    await drag(page, [[goal.x, goal.y], [250, 140]]);
    await page.waitForTimeout(500);
    assert.ok((await walkFigures(page))[0] > 500);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.getElementById("walk-end").disabled);
    await pathsShown(page, ["hpa"]);
  }));

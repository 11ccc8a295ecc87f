import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, drawn, nextFrames, onPage, pathsShown, picture, readyMade, tab } from "./browser.mjs";

/** Puts the slider at a share of its way. */
async function scrub(page, share) {
  await page.$eval(
    "#play-slider",
    (slider, share) => {
      slider.value = String(Math.round(Number(slider.max) * share));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    },
    share,
  );
  await nextFrames(page);
}

const labels = (page) => page.$$eval(".pane-label", (elements) => elements.map(({ textContent }) => textContent));

test("a search plays, pauses, steps and can be scrubbed", () =>
  onPage(async (page) => {
    await readyMade(page, "Small world");
    await choose(page, ["astar", "hpa"]);
    await pathsShown(page, ["astar", "hpa"]);
    await tab(page, "play");
    await page.click("#play-run");
    await page.waitForFunction(() => Number(document.getElementById("play-slider").value) > 30);
    await page.click("#play-run");
    const at = Number(await page.inputValue("#play-slider"));
    await page.waitForTimeout(150);
    assert.equal(Number(await page.inputValue("#play-slider")), at, "a paused search stands still");
    await page.click("#play-step");
    await page.click("#play-step");
    await page.click("#play-back");
    assert.equal(Number(await page.inputValue("#play-slider")), at + 1);
    await scrub(page, 0.9);
    const many = await drawn(page, 2);
    await picture(page, "play");
    await scrub(page, 0.3);
    const few = await drawn(page, 2);
    assert.ok(few < 0.7 * many, `${few} pixels of nodes after ${many}`);
    assert.match((await labels(page))[0], /^astar: [\d,]+ of [\d,]+ nodes$/);
    await scrub(page, 1);
    assert.match((await labels(page))[0], /done$/);
    await page.keyboard.press("Escape");
    await nextFrames(page);
    assert.ok(await page.isDisabled("#play-close"));
  }));

test("two engines run side by side in lockstep", () =>
  onPage(async (page) => {
    await readyMade(page, "World");
    await choose(page, ["astar", "theta", "hpa"]);
    await pathsShown(page, ["astar", "theta", "hpa"]);
    await tab(page, "play");
    await page.selectOption("#play-first", "astar");
    await page.selectOption("#play-second", "theta");
    await page.click("#play-step");
    await page.waitForFunction(() => document.querySelectorAll(".pane-label:not([hidden])").length === 2);
    await scrub(page, 0.2);
    const counts = (await labels(page)).map((label) => Number(/: ([\d,]+)/.exec(label)[1].replaceAll(",", "")));
    assert.equal(counts[0], counts[1]);
    assert.ok((await drawn(page, 2, { pane: 0 })) > 1000);
    assert.ok((await drawn(page, 2, { pane: 1 })) > 1000);
    await picture(page, "side-by-side");
    await page.click("#play-close");
    await nextFrames(page);
    assert.equal(await page.locator(".pane").count(), 1);
  }));

test("of the first engines, Play takes one that searches; without nodes, it stops", () =>
  onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    await tab(page, "play");
    assert.equal(await page.inputValue("#play-first"), "astar");
    await readyMade(page, "Small world");
    await choose(page, ["labels"]);
    await pathsShown(page, ["labels"]);
    await tab(page, "play");
    await page.click("#play-run");
    await page.waitForFunction(() => document.querySelector(".pane-label").textContent === "labels: 0 of 0 nodes, done");
    await page.waitForFunction(() => document.getElementById("play-run").textContent === "Play");
  }));

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, nextFrames, onPage, pathsShown, picture, readyMade, tab } from "./browser.mjs";

const TABS = ["map", "layers", "play", "walk", "share", "help"];

for (const width of [360, 768, 1280]) {
  test(`nothing sticks out at ${width} pixels of width`, () =>
    onPage(
      async (page) => {
        await readyMade(page, "Small world");
        await pathsShown(page);
        for (const name of TABS) {
          await tab(page, name);
          await nextFrames(page);
          const outside = await page.evaluate(() => {
            const width = document.documentElement.clientWidth;
            const scrolled = (element) => element.closest(".table-frame, pre");
            return [...document.querySelectorAll("body *")]
              .filter((element) => element.checkVisibility() && !scrolled(element) && element.getBoundingClientRect().right > width + 1)
              .map((element) => element.outerHTML.slice(0, 80));
          });
          assert.deepEqual(outside, [], name);
          await picture(page, `${width}-${name}`);
        }
        const stage = await page.locator("#stage").boundingBox();
        assert.ok(stage.width >= width * 0.5 && stage.height >= 250, `the map has ${stage.width} × ${stage.height} pixels`);
      },
      { viewport: { width, height: width === 360 ? 740 : 900 } },
    ));
}

test("the system's dark theme is taken over, the button switches, and the choice is kept", () =>
  onPage(
    async (page) => {
      const theme = () => page.getAttribute("html", "data-theme");
      await readyMade(page, "World");
      await choose(page, ["labels", "hpa", "hpt"]);
      await pathsShown(page);
      assert.equal(await theme(), "dark");
      await picture(page, "dark");
      await tab(page, "layers");
      await page.check("#layer-clusters");
      await page.check("#layer-heat");
      await page.selectOption("#inspected", "hpa");
      await page.waitForTimeout(500);
      await picture(page, "dark-layers");
      await page.click("#theme");
      assert.equal(await theme(), "light");
      await page.reload();
      assert.equal(await theme(), "light");
    },
    { colorScheme: "dark" },
  ));

test("everything that can be used has a name, and the tab order reaches it", () =>
  onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    for (const name of TABS) {
      await tab(page, name);
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, [tabindex='0']")]
          .filter((element) => element.checkVisibility())
          .filter((element) => {
            const label = element.getAttribute("aria-label") ?? element.getAttribute("aria-labelledby");
            return !label && !element.closest("label") && element.textContent.trim() === "";
          })
          .map((element) => element.outerHTML.slice(0, 80)),
      );
      assert.deepEqual(nameless, [], name);
    }
    const reached = new Set();
    await page.focus("#theme");
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.dataset.tool || document.activeElement?.dataset.engine));
    }
    for (const id of ["move", "stage", "astar", "tab-help"]) assert.ok(reached.has(id), `${id} of ${[...reached]}`);
  }));

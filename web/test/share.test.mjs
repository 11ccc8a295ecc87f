import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildNative } from "../../bindings/js/test/native.js";
import { choose, drag, drawn, drop, ends, figures, onPage, pathsShown, picture, readyMade, sized, tab } from "./browser.mjs";

/** All that a link must bring back, as a user sees it. */
async function seen(page) {
  return {
    ends: await ends(page),
    size: (await page.textContent("#status")).split(" · ")[0],
    engines: await page.$$eval("#results tr", (rows) => rows.map(({ dataset }) => dataset.engine)),
    cost: (await figures(page, "astar")).cost,
    layers: await page.$$eval("#layers input:checked", (boxes) => boxes.map(({ id }) => id)),
    level: await page.inputValue("#level"),
    diagonals: await page.inputValue("#diagonals"),
    cluster: await page.inputValue("#cluster"),
    levels: await page.inputValue("#levels"),
    walls: await drawn(page, 0, { colour: [0xb4, 0xbb, 0xc5] }),
  };
}

/** A map that was painted on, and settings that are not the first ones. */
async function arrange(page) {
  await readyMade(page, "Small world");
  await choose(page, ["hpa", "astar", "nsg+"]);
  await page.selectOption("#diagonals", "one-side");
  await page.fill("#cluster", "10");
  await page.dispatchEvent("#cluster", "change");
  await page.fill("#levels", "3");
  await page.dispatchEvent("#levels", "change");
  await tab(page, "layers");
  await page.check("#layer-clusters");
  await page.fill("#level", "2");
  await page.dispatchEvent("#level", "change");
  await drag(page, [[3, 2], [30, 14]]);
  await page.click('[data-tool="room"]');
  await drag(page, [[60, 30], [80, 50]]);
  await page.click('[data-tool="move"]');
  await page.mouse.move(5, 5);
  await page.waitForTimeout(1500); // until answers are about the room, too
  await pathsShown(page);
}

async function copiedLink(page) {
  await tab(page, "share");
  await page.click("#copy-link");
  await page.waitForSelector("#notice:not([hidden])");
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a link restores map, places, engines, layers and settings", async () => {
  let link;
  let before;
  await onPage(async (page) => {
    await arrange(page);
    before = await seen(page);
    link = await copiedLink(page);
    await picture(page, "share");
  });
  // A generated map travels as its recipe and what was painted.
  assert.ok(link.length < 700, `${link.length} letters`);
  await onPage(
    async (page) => {
      await pathsShown(page);
      assert.deepEqual(await seen(page), before);
    },
    { hash: new URL(link).hash },
  );
});

test("a saved file restores the same, also of a map that no generator made", async () => {
  const text = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@@@.\n.@....\n...@..\n";
  await onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    await drop(page, "tiny.map", Buffer.from(text));
    await sized(page, "6 × 4");
    await choose(page, ["astar", "hpa"]);
    await pathsShown(page, ["astar", "hpa"]);
    const before = await seen(page);
    await tab(page, "share");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-file")]);
    const bytes = await readFile(await download.path());
    const [map] = await Promise.all([page.waitForEvent("download"), page.click("#save-map")]);
    assert.equal(map.suggestedFilename(), "playground.map");
    assert.equal(await readFile(await map.path(), "utf8"), text);
    await readyMade(page, "Maze");
    await drop(page, "map.farstride", bytes);
    await sized(page, "6 × 4");
    await pathsShown(page, ["astar", "hpa"]);
    assert.deepEqual(await seen(page), before);
  });
});

test("damaged links give a message, and the page starts as always", async () => {
  let link;
  await onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    link = new URL(await copiedLink(page)).hash;
  });
  const middle = Math.floor(link.length / 2);
  for (const hash of ["#v1.", "#v1.!!!", "#v1.AAAA", link.slice(0, middle), link.slice(0, middle) + "AAAAAAAA" + link.slice(middle)]) {
    await onPage(
      async (page) => {
        await page.waitForSelector("#notice.alarm:not([hidden])");
        assert.match(await page.textContent("#notice"), /damaged/, hash);
        await pathsShown(page, ["astar"]);
      },
      { hash },
    );
  }
});

test("the code to copy names what is on screen", () =>
  onPage(async (page) => {
    await arrange(page);
    await tab(page, "share");
    await page.waitForFunction(() => document.getElementById("snippet").textContent.includes("farstride render"));
    const shell = await page.textContent("#snippet");
    assert.match(shell, /Save the map with the button above: playground\.map/);
    assert.match(shell, /farstride render --map playground\.map --from 126,56 --to 30,14 --diagonals one-side --engine hpa,astar,nsg\+ --cluster 10 --levels 3 --show path,clusters --level 2 -o picture\.png/);
    await page.click('[data-snippet="rust"]');
    await page.waitForFunction(() => document.getElementById("snippet").textContent.includes("fn main"));
    assert.match(await page.textContent("#snippet"), /HpaSettings::astar\(\)\.with_cluster\(10\)\.with_levels\(3\)/);
    await readyMade(page, "Roads");
    await tab(page, "share");
    await page.click('[data-snippet="shell"]');
    await page.waitForFunction(() => document.getElementById("snippet").textContent.startsWith("farstride gen terrain"));
    assert.match(await page.textContent("#snippet"), /^farstride gen terrain --kind roads --size 150x84 --seed 3 -o roads\.pgm\n/);
    await page.click('[data-snippet="js"]');
    await page.waitForFunction(() => document.getElementById("snippet").textContent.includes("await init"));
    assert.match(await page.textContent("#snippet"), /Grid\.generate\("roads", 150, 84, 3, \{"diagonals":"one-side"\}\)/);
  }));

/** The code shown in one of the languages. */
async function code(page, kind, sign) {
  await page.click(`[data-snippet="${kind}"]`);
  await page.waitForFunction((sign) => document.getElementById("snippet").textContent.includes(sign), sign);
  return page.textContent("#snippet");
}

/** Engines and what they found, from lines like "engine hpa: length 12.345, …" or "hpa found 12.345". */
const found = (text) => Object.fromEntries([...text.matchAll(/^(?:engine )?([a-z+-]+):? (?:found |length |cost )?([\d.]+)/gm)].map(([, engine, length]) => [engine, Number(length).toFixed(1)]));

test("the code to copy runs and finds the paths on screen", async (t) => {
  const { programs, libraries } = buildNative();
  const folder = await mkdtemp(join(tmpdir(), "farstride-"));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "node_modules"));
  await symlink(fileURLToPath(new URL("../../bindings/js", import.meta.url)), join(folder, "node_modules/farstride"));
  const run = (program, given) => execFileSync(program, given, { cwd: folder, encoding: "utf8", stdio: "pipe" });

  async function compare(page, engines) {
    await tab(page, "share");
    const [map] = await Promise.all([page.waitForEvent("download"), page.click("#save-map")]);
    await map.saveAs(join(folder, map.suggestedFilename()));
    const shown = {};
    for (const engine of engines) shown[engine] = (await figures(page, engine)).cost.toFixed(1);

    const lines = (await code(page, "shell", "farstride path")).split("\n").filter((line) => !line.startsWith("#"));
    const said = lines.map((line) => {
      const [command, ...given] = line.split(" ");
      assert.equal(command, "farstride");
      return run(programs.farstride, given);
    });
    assert.deepEqual(found(said.slice(-engines.length).join("")), shown);

    await writeFile(join(folder, "main.mjs"), await code(page, "js", "await init"));
    assert.deepEqual(found(run(process.execPath, ["main.mjs"])), shown);

    await writeFile(join(folder, "main.rs"), await code(page, "rust", "fn main"));
    const linked = ["farstride", "farstride_io"].flatMap((name) => ["--extern", `${name}=${libraries[name]}`]);
    run("rustc", ["--edition", "2021", "-D", "warnings", "-L", `dependency=${dirname(libraries.farstride)}`, ...linked, "main.rs"]);
    assert.deepEqual(found(run(join(folder, "main"), [])), shown);
  }

  await onPage(async (page) => {
    await arrange(page);
    // One of every kind of settings, and one without.
    const engines = ["hpa", "hpt", "nsg+", "nsg", "groups", "labels", "lazy-theta", "astar"];
    await choose(page, engines);
    await tab(page, "layers");
    for (const layer of ["heat", "abstract", "subgoals", "hubs", "meeting"]) await page.check(`#layer-${layer}`);
    await pathsShown(page, engines);
    await compare(page, engines);
    // A generated map with weights, by its recipe.
    await readyMade(page, "Roads");
    await choose(page, ["astar", "hpa", "labels"]);
    await pathsShown(page, ["astar", "hpa"]);
    await compare(page, ["astar", "hpa"]);
  });
});

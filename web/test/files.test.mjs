import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { drawn, drop, eventually, figures, onPage, pathsShown, picture, readyMade, sized, tab } from "./browser.mjs";

const MAP = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n";

/** A grey picture of 2 × 1 white and black blocks of 8 × 8 pixels, as PNG. */
function png(width, height, grey) {
  const table = Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value >>> 0;
  });
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    let sum = 0xffffffff;
    for (const byte of body) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE((sum ^ 0xffffffff) >>> 0, 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.concat(Array.from({ length: height }, (_, y) => Buffer.from([0, ...Array.from({ length: width }, (_, x) => grey(x, y))])));
  const magic = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([magic, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

test("broken files give a message, and the page lives on", () =>
  onPage(async (page) => {
    await readyMade(page, "Small world");
    await pathsShown(page, ["astar"]);
    const picture = png(40, 20, () => 255);
    const broken = {
      "noise.map": randomBytes(5000),
      "noise.png": randomBytes(5000),
      "empty.map": Buffer.alloc(0),
      "empty.png": Buffer.alloc(0),
      "short.map": Buffer.from("type octile\nheight 30\nwidth 40\nmap\n....\n"),
      "huge.map": Buffer.from("type octile\nheight 4000000000\nwidth 4000000000\nmap\n"),
      "letters.map": Buffer.from("type octile\nheight 1\nwidth 3\nmap\n.ß.\n"),
      "cut.png": picture.subarray(0, 50),
      "cut.pgm": Buffer.from("P5\n100 100\n255\nabc"),
      "wide.pgm": Buffer.from("P5\n99999 99999\n255\n"),
      "saved.farstride": Buffer.concat([Buffer.from("farstride playground 1\n"), randomBytes(300)]),
    };
    for (const [name, bytes] of Object.entries(broken)) {
      await page.evaluate(() => (document.getElementById("notice").hidden = true));
      await drop(page, name, bytes);
      await page.waitForSelector("#notice.alarm:not([hidden])", { timeout: 30_000 }).catch(() => assert.fail(`no message about ${name}`));
      assert.ok((await page.textContent("#notice")).length > 10, name);
      await sized(page, "150 × 84");
    }
    // All works as before.
    await drop(page, "good.map", Buffer.from(MAP));
    await sized(page, "4 × 3");
    await pathsShown(page, ["astar"]);
  }));

test("maps larger than the page takes are refused", () =>
  onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    await drop(page, "large.map", Buffer.from(`type octile\nheight 1\nwidth 2100\nmap\n${".".repeat(2100)}\n`));
    await page.waitForSelector("#notice.alarm:not([hidden])");
    assert.match(await page.textContent("#notice"), /2100 × 1 .* 2048 × 2048/);
  }));

test("a picture's dark parts are walls, its threshold can be changed, and greys can be weights", () =>
  onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    // Columns from black to white.
    await drop(page, "greys.png", png(64, 16, (x) => 4 * x));
    await sized(page, "64 × 16");
    const walls = () => drawn(page, 0, { colour: [0xb4, 0xbb, 0xc5] });
    const half = await walls();
    await page.fill("#threshold", "64");
    await page.dispatchEvent("#threshold", "change");
    await eventually(async () => {
      const quarter = await walls();
      assert.ok(Math.abs(quarter / half - 0.5) < 0.05, `${quarter} of ${half} pixels are walls`);
    });
    await page.selectOption("#image-as", "weights");
    await eventually(async () => assert.ok((await walls()) < 0.1 * half));
    await picture(page, "greys");
    await pathsShown(page, ["astar"]);
    assert.ok((await figures(page, "astar")).cost > 64, "weights make the path dear");
  }));

test("letters of a MovingAI map get weights", () =>
  onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    await page.fill("#terrain-letters", "T=9");
    await drop(page, "trees.map", Buffer.from("type octile\nheight 1\nwidth 5\nmap\n..T..\n"));
    await sized(page, "5 × 1");
    await pathsShown(page, ["astar"]);
    const status = await page.textContent("#status");
    assert.match(status, /5 × 1/);
    assert.ok((await figures(page, "astar")).cost > 10);
    await tab(page, "map");
    await page.fill("#terrain-letters", "T=nonsense");
    await drop(page, "trees.map", Buffer.from("type octile\nheight 1\nwidth 5\nmap\n..T..\n"));
    await page.waitForSelector("#notice.alarm:not([hidden])");
  }));

test("every generator makes a map with a path", () =>
  onPage(async (page) => {
    await pathsShown(page, ["astar"]);
    const kinds = await page.$$eval("#kind option", (options) => options.map(({ value }) => value));
    assert.ok(kinds.length >= 12, kinds.join());
    for (const [place, kind] of kinds.entries()) {
      const width = 90 + place;
      await page.selectOption("#kind", kind);
      await page.fill("#width", String(width));
      await page.fill("#height", "70");
      await page.click('#generate button[type="submit"]');
      await sized(page, `${width} × 70`);
      await pathsShown(page, ["astar"]);
      assert.ok((await figures(page, "astar")).cost > 20, kind);
    }
  }));

// Builds the page into dist/: two scripts, the engine, and files that are copied as they are.
import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = new URL("./", import.meta.url);
const dist = new URL("dist/", here);
const path = (name, base = here) => fileURLToPath(new URL(name, base));

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  entryPoints: [path("src/main.ts"), path("src/worker.ts")],
  outdir: fileURLToPath(dist),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  // The package reads its file by these in Node only.
  external: ["node:*"],
  legalComments: "none",
  logLevel: "warning",
});
for (const name of ["index.html", "style.css", "icon.svg"]) await copyFile(path(name), path(name, dist));
await copyFile(path("../bindings/js/dist/farstride_bg.wasm"), path("farstride_bg.wasm", dist));

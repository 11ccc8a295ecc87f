// What cargo builds natively: programs and libraries by name. Built as `./test` builds them, because with other
// features all would be compiled again.

import { execFileSync } from "node:child_process";

const root = new URL("../../..", import.meta.url);

export const run = (program, ...given) =>
  execFileSync(program, given, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 28 });

export function buildNative() {
  const all = ["--workspace", "--all-features", "--examples", "--bins"];
  const messages = run("cargo", "build", "--quiet", ...all, "--message-format=json").trim().split("\n");
  const [programs, libraries] = [{}, {}];
  for (const { executable, filenames, target } of messages.map((line) => JSON.parse(line))) {
    if (executable) programs[target.name] = executable;
    const library = filenames?.find((name) => name.endsWith(".rlib"));
    if (library) libraries[target.name] = library;
  }
  return { programs, libraries };
}

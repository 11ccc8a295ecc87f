// A static server for localhost. Any other web server does as well.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves a folder on localhost and returns the server once it listens; port 0 picks a free one. */
export async function serve(folder, port) {
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, "http://localhost");
      // A normalised absolute path has no "..", so nothing outside the folder is served.
      const file = join(folder, normalize(decodeURIComponent(pathname === "/" ? "/index.html" : pathname)));
      if (!(await stat(file)).isFile()) throw new Error("not a file");
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" });
      createReadStream(file).pipe(response);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[2] ?? 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error(`a port is a number from 0 to 65535, not ${process.argv[2]}`);
    process.exit(2);
  }
  const folder = fileURLToPath(new URL("dist/", import.meta.url));
  const server = await serve(folder, port).catch((error) => {
    // Most likely another server has the port; any free one will do.
    if (error.code !== "EADDRINUSE") throw error;
    return serve(folder, 0);
  });
  console.log(`the playground is at http://localhost:${server.address().port}/  (Ctrl+C ends it)`);
}

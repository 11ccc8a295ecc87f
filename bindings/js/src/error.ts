/** What an error is about. */
export type ErrorKind = "map" | "query" | "settings" | "index" | "cancelled" | "engine";

const KINDS: readonly string[] = ["map", "query", "settings", "index", "cancelled", "engine"];

/**
 * Every error of this package.
 *
 * `kind` says what it is about: a map that cannot be read, a query or an argument that makes no
 * sense, settings, an index, a build that was cancelled, or the engine itself: it does not support the map, is
 * not loaded, or failed.
 */
export class FarstrideError extends Error {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.name = "FarstrideError";
    this.kind = kind;
  }
}

/** An error of the module as ours: there its name is the kind. Others stay as they are. */
export function translated(error: unknown): unknown {
  const isOurs = error instanceof Error && KINDS.includes(error.name);
  return isOurs ? new FarstrideError(error.name as ErrorKind, error.message) : error;
}

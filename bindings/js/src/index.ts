/** Pathfinding for worlds too large for plain A*. Call `init` first. */

import { run } from "./engine.js";
import { version as rawVersion } from "./farstride.js";

export { init, type Source } from "./engine.js";
export { type ErrorKind, FarstrideError } from "./error.js";
export { type Diagonals, Grid, type MapKind, type MapOptions } from "./grid.js";
export { Crowd, type CrowdStep, Plan } from "./plan.js";
export {
  type BuildOptions,
  type BuildProgress,
  type Change,
  type Effort,
  type EngineChoice,
  type EngineInfo,
  type EngineName,
  engines,
  type FindOptions,
  type LayerName,
  type LayerOptions,
  type PathDetail,
  Planner,
  type Route,
  type Routes,
  type SearchTrace,
  type Status,
  statuses,
} from "./planner.js";

/** The release of the engine. */
export const version = (): string => run(() => rawVersion());

/** The same map, places, engines and settings for the command line, in Rust and in JavaScript. */
import type { EngineName } from "farstride";
import type { Fleet } from "./fleet";
import { inspectedCell, LAYERS, type LayerId } from "./layers";
import type { Recipe } from "./protocol";
import type { State } from "./state";

export type SnippetKind = "shell" | "rust" | "js";

/** Layers by the names of `farstride render --show`. */
const SHOW: Record<LayerId, string> = {
  paths: "path",
  heat: "expanded",
  clusters: "clusters",
  entrances: "entrances",
  graph: "graph",
  abstract: "abstract",
  refined: "refined",
  subgoals: "subgoals",
  subgoalEdges: "subgoals",
  taut: "taut",
  hubs: "label",
  meeting: "meeting",
};

/** Layers that `render` draws of one level, and those it draws of one cell. */
const OF_LEVEL: readonly LayerId[] = ["clusters", "entrances", "graph"];
const AT_CELL: readonly LayerId[] = ["taut", "hubs"];

const VARIANTS: Record<EngineName, string> = {
  dijkstra: "Dijkstra",
  astar: "Astar",
  theta: "Theta",
  "lazy-theta": "LazyTheta",
  hpa: "Hpa",
  hpt: "Hpt",
  ssg: "Ssg",
  tsg: "Tsg",
  tl: "Tl",
  nsg: "Nsg",
  "nsg+": "NsgPlus",
  groups: "Groups",
  labels: "Labels",
  overlay: "Overlay",
  straight: "Straight",
};

/** The file that commands and code read: what `gen` writes, or what the button saves. */
export function mapFile(state: State): { name: string; isImage: boolean; recipe: Recipe | null } {
  const { map } = state;
  const recipe = map.origin.from === "generator" && !map.isEdited ? map.origin.recipe : null;
  const isImage = map.hasWeights;
  const stem = recipe ? recipe.kind : "playground";
  return { name: `${stem}.${isImage ? "pgm" : "map"}`, isImage, recipe };
}

export function snippet(kind: SnippetKind, state: State, fleet: Fleet): string {
  if (state.chosen.length === 0) return "Choose an engine first.";
  if (usable(state).length === 0) return "None of the chosen engines takes weights; add astar or hpa.";
  return { shell, rust, js }[kind](state, fleet);
}

/** Engines that can work on this map; the others would end the command with an error. */
function usable(state: State): EngineName[] {
  const { hasWeights } = state.map;
  return state.chosen.filter((name) => !hasWeights || state.info(name)?.weights);
}

function generateCommand(state: State, { kind, width, height, seed, parameters }: Recipe, output: string): string {
  const isTerrain = state.generators.find((generator) => generator.kind === kind)?.terrain;
  const options = Object.entries(parameters).map(([name, value]) => ` --${name} ${value}`);
  return `farstride gen ${isTerrain ? `terrain --kind ${kind}` : kind} --size ${width}x${height} --seed ${seed}${options.join("")} -o ${output}`;
}

function shell(state: State, fleet: Fleet): string {
  const { start, goal, settings } = state;
  const { name, isImage, recipe } = mapFile(state);
  const lines = [recipe ? generateCommand(state, recipe, name) : `# Save the map with the button above: ${name}`];
  let engines = usable(state);
  const options = [`--${isImage ? "weights" : "map"} ${name}`, `--from ${start.x},${start.y} --to ${goal.x},${goal.y}`];
  const rules: string[] = [];
  if (settings.diagonals !== "strict") rules.push(`--diagonals ${settings.diagonals}`);
  const shown = LAYERS.filter(
    ({ id, sources }) => state.layers.has(id) && (sources.length === 0 || sources.some((engine) => engines.includes(engine))),
  ).map(({ id }) => id);
  const heat = fleet.heatSource();
  if (shown.includes("heat") && heat && engines.includes(heat)) {
    // `render` draws the expanded nodes of the first engine.
    engines = [heat, ...engines.filter((engine) => engine !== heat)];
  }
  const view: string[] = [];
  if (shown.some((id) => OF_LEVEL.includes(id)) && state.level > 1) view.push(`--level ${state.level}`);
  if (shown.some((id) => AT_CELL.includes(id))) {
    const at = inspectedCell(state);
    view.push(`--at ${at.x},${at.y}`);
  }
  const show = [...new Set(shown.map((id) => SHOW[id]))];
  lines.push(
    ["farstride render", ...options, ...rules, `--engine ${engines.join(",")}`, ...flags(engines, fleet), `--show ${show.join(",") || "path"}`, ...view, "-o picture.png"].join(" "),
  );
  for (const engine of engines) {
    lines.push(["farstride path", ...options, ...rules, `--engine ${engine}`, ...flags([engine], fleet)].join(" "));
  }
  return lines.join("\n");
}

/** Settings of indexes, as far as one of these engines takes them. */
function flags(engines: EngineName[], fleet: Fleet): string[] {
  const settings = Object.assign({}, ...engines.map((engine) => fleet.settingsOf(engine))) as Record<string, unknown>;
  return Object.entries(settings).map(([name, value]) => `--${name} ${value}`);
}

function rust(state: State, fleet: Fleet): string {
  const { start, goal, settings } = state;
  const { name, isImage, recipe } = mapFile(state);
  const roots = new Set(["Engine", "Planner"]);
  const uses = new Set<string>(["std::path::Path", isImage ? "farstride_io::weights" : "farstride_io::movingai"]);
  const planners = usable(state).map((engine) => {
    const index = rustSettings(engine, fleet, uses);
    if (!index) return `Planner::with_engine(grid.clone(), Engine::${VARIANTS[engine]})?`;
    roots.add("Index");
    return `Planner::with_index(grid.clone(), Index::build(&grid, ${index})?)?`;
  });
  let rules = "";
  if (settings.diagonals !== "strict") {
    for (const root of ["Diagonals", "Rules"]) roots.add(root);
    const variant = { "one-side": "OneSide", free: "Free", none: "None" }[settings.diagonals];
    rules = `.with_rules(Rules { diagonals: Diagonals::${variant}, ..Rules::default() })`;
  }
  if (!planners.some((line) => line.includes("Engine::"))) roots.delete("Engine");
  const load = isImage ? `weights::load_weights(Path::new("${name}"))?.to_grid()` : `movingai::load_map(Path::new("${name}"))?`;
  const names = [...roots].sort().join(", ");
  const imports = [roots.size > 1 ? `farstride::{${names}}` : `farstride::${names}`, ...uses].sort().map((use) => `use ${use};`);
  return `// cargo add farstride farstride-io
${imports.join("\n")}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // ${recipe ? generateCommand(state, recipe, name) : "saved with the button above"}
    let grid = ${load}${rules};
    let planners = [
${planners.map((line) => `        ${line},\n`).join("")}    ];
    for planner in &planners {
        match planner.path((${start.x}, ${start.y}), (${goal.x}, ${goal.y})) {
            Some(route) => println!("{}: {}", planner.engine(), route.length()),
            None => println!("{}: no way there", planner.engine()),
        }
    }
    Ok(())
}`;
}

/** An expression for the settings of an engine's index, or null if they are its own. */
function rustSettings(engine: EngineName, fleet: Fleet, uses: Set<string>): string | null {
  const { cluster, levels } = fleet.settingsOf(engine);
  if (cluster === undefined && levels === undefined) return null;
  if (engine === "groups") {
    uses.add("farstride::groups::GridGroupSettings");
    return `GridGroupSettings::default()${with_("side", cluster)}${with_("levels", levels && `Some(${levels})`)}`;
  }
  if (engine === "hpa" || engine === "hpt") {
    uses.add("farstride::hpa::HpaSettings");
    return `HpaSettings::${engine === "hpa" ? "astar" : "any_angle"}()${with_("cluster", cluster)}${with_("levels", levels)}`;
  }
  uses.add("farstride::subgoal::{Partition, SubgoalSettings}");
  return `SubgoalSettings::new(Partition::${engine === "nsg" ? "Basic" : "Advanced"}(Some(${levels})))`;
}

const with_ = (name: string, value: unknown): string => (value === undefined ? "" : `.with_${name}(${value})`);

function js(state: State, fleet: Fleet): string {
  const { start, goal, settings } = state;
  const { name, isImage, recipe } = mapFile(state);
  const options: Record<string, unknown> = settings.diagonals === "strict" ? {} : { diagonals: settings.diagonals };
  let imports = `import { Grid, Planner, init } from "farstride";`;
  let load: string;
  if (recipe) {
    Object.assign(options, recipe.parameters);
    load = `Grid.generate("${recipe.kind}", ${recipe.width}, ${recipe.height}, ${recipe.seed}${optional(options)})`;
  } else {
    imports = `import { readFileSync } from "node:fs";\n${imports}`;
    const method = isImage ? "fromWeightImage" : "fromMovingAi";
    load = `Grid.${method}(readFileSync("${name}")${optional(options)})`;
  }
  const engines = usable(state).map((engine) => {
    const settings = fleet.settingsOf(engine);
    return `  ["${engine}", ${JSON.stringify(settings)}],\n`;
  });
  return `// npm install farstride
${imports}

await init();
const grid = ${load};${recipe ? "" : " // saved with the button above"}
const engines = [
${engines.join("")}];
for (const [engine, settings] of engines) {
  const planner = new Planner(grid, engine, { settings });
  const route = planner.find(${start.x}, ${start.y}, ${goal.x}, ${goal.y});
  console.log(engine, route.status, route.length);
}`;
}

const optional = (options: Record<string, unknown>): string =>
  Object.keys(options).length === 0 ? "" : `, ${JSON.stringify(options)}`;

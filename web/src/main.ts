/** Puts the page together. */
import { Camera } from "./camera";
import { byId } from "./dom";
import { Fleet } from "./fleet";
import { listenToKeys } from "./keys";
import { WorkerLink } from "./link";
import { MapImage } from "./map-image";
import { Maps, READY_MADE } from "./maps";
import type { Scene } from "./pane";
import { drawHelp } from "./panels/help";
import { LayersPanel } from "./panels/layers";
import { MapPanel } from "./panels/map";
import { attempt, tell } from "./panels/notices";
import { PathsPanel } from "./panels/paths";
import { PlayPanel } from "./panels/play";
import { SharePanel } from "./panels/share";
import { Tabs } from "./panels/tabs";
import { Toolbar } from "./panels/toolbar";
import { WalkPanel } from "./panels/walk";
import { Player } from "./play";
import { fromLink, isSharedLink, type Shared } from "./share";
import { Stage } from "./stage";
import { MOST_ENGINES, State } from "./state";
import { Tools } from "./tools";
import { Walk } from "./walk";

/** One of each kind: the fastest, one that follows edits, one at any angle, and the one that everybody knows. */
const FIRST_ENGINES = ["labels", "hpa", "hpt", "astar"] as const;

/** Compiles the engine while it arrives, if the server says that it is WebAssembly; else once it is there. */
async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch("farstride_bg.wasm");
  if (!response.ok) throw new Error(`the engine could not be loaded: ${response.status} ${response.statusText}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function begin(): Promise<void> {
  const state = new State();
  const camera = new Camera();
  // First, because it sets the theme: a dark page must not flash while the engine is on its way.
  const toolbar = new Toolbar(state, camera);
  const module = await compile();
  const mapWorker = new WorkerLink(module);
  const maps = new Maps(state, mapWorker);
  const fleet = new Fleet(state, module);
  const player = new Player(fleet);
  const walk = new Walk(state, fleet, (goal, count) => maps.scatter(goal, count));

  const scene: Scene = { state, fleet, camera, player, walk, image: new MapImage(), preview: () => tools.preview() };
  const stage = new Stage(scene);
  const tools = new Tools(state, camera, stage);

  const restore = async (shared: Shared): Promise<void> => {
    const map = await maps.restored(shared);
    fleet.together(() => {
      state.layers = new Set(shared.layers);
      state.level = shared.level;
      state.inspected = shared.inspected;
      state.settings = shared.settings;
      state.chosen = shared.engines.filter((name) => state.info(name)).slice(0, MOST_ENGINES);
      state.setMap(map, shared.start, shared.goal);
      state.settingsChanged.emit();
      state.chosenChanged.emit();
      state.layersChanged.emit();
    });
  };

  const tabs = new Tabs();
  const mapPanel = new MapPanel(state, maps, restore);
  const pathsPanel = new PathsPanel(state, fleet);
  new LayersPanel(state, fleet, stage);
  const playPanel = new PlayPanel(state, player);
  new WalkPanel(state, walk);
  new SharePanel(state, fleet, maps);
  listenToKeys({ state, camera, toolbar, tabs, player, playPanel, walk });
  toolbar.setTool("move");

  const { engines, generators, version } = await mapWorker.ask("describe", {});
  state.engines = engines;
  state.generators = generators;
  mapPanel.drawGenerators();
  pathsPanel.drawEngines();
  drawHelp(state, version);

  const openHash = async (): Promise<void> => {
    if (isSharedLink(location.hash)) await restore(await fromLink(location.hash));
  };
  addEventListener("hashchange", () => void attempt(openHash));

  const beginAnew = async (): Promise<void> => {
    // Workers start while the first map is made.
    state.chosen = [...FIRST_ENGINES];
    state.chosenChanged.emit();
    const [{ recipe, start, goal }] = READY_MADE;
    await maps.generate(recipe, start, goal);
    fleet.together(() => {});
  };
  if (!isSharedLink(location.hash)) return beginAnew();
  try {
    await openHash();
  } catch (error) {
    tell((error as Error).message, true);
    await beginAnew();
  }
}

begin().catch((error: Error) => {
  tell(`The playground cannot start: ${error.message}`, true);
  byId("notice").hidden = false;
});

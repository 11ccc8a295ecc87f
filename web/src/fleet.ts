/** All chosen engines: a slot for each, told of every change of map, query and layers. Builds begin with the first `together`. */
import type { EngineName, LayerName } from "farstride";
import { isStill, LAYERS, layerOrders } from "./layers";
import type { Change } from "./map";
import type { EngineSettings } from "./protocol";
import { Signal } from "./signal";
import { Slot } from "./slot";
import type { State } from "./state";

/** Engines whose index has clusters to set, and those that have levels: as on the command line. */
const CLUSTERED: readonly EngineName[] = ["hpa", "hpt", "groups"];
const LEVELLED: readonly EngineName[] = [...CLUSTERED, "nsg", "nsg+"];

/** More cells than this at once are a new map: building is faster than following. */
const LARGEST_EDIT = 100_000;
/** Milliseconds to time a query over: while things move, and once they rest. */
const QUICK_TIMING = 1;
const CAREFUL_TIMING = 20;
/** How long nothing must happen before times are taken carefully. */
const REST_MS = 400;

export class Fleet {
  /** Something that the table or the picture shows has changed. */
  readonly changed = new Signal();
  readonly layerCame = new Signal<LayerName>();
  /** Whether this engine's units walk: then its planner must live on through edits. */
  isWalking: (name: EngineName) => boolean = () => false;
  /** Whether a search of this engine is being played: then its expanded nodes are needed. */
  isPlayed: (name: EngineName) => boolean = () => false;

  private readonly slots = new Map<EngineName, Slot>();
  /** Whether builds wait, because more changes are to come. */
  private held = true;

  constructor(private readonly state: State, private readonly module: WebAssembly.Module) {
    state.mapReplaced.on(() => {
      state.map.changed.on((change) => this.edit(change));
      state.map.settled.on(() => this.settle());
      this.buildAll();
    });
    state.settingsChanged.on(() => this.buildAll());
    state.chosenChanged.on(() => this.follow());
    state.queryChanged.on(() => this.askMoved());
    state.layersChanged.on(() => this.askAll());
    state.cursorMoved.on(() => this.askLayers(({ by }) => by === "cursor"));
    let rest = 0;
    this.changed.on(() => {
      clearTimeout(rest);
      rest = window.setTimeout(() => this.timeCarefully(), REST_MS);
    });
  }

  get(name: EngineName): Slot | undefined {
    return this.slots.get(name);
  }

  /** In the order of choice. */
  all(): Slot[] {
    return this.state.chosen.flatMap((name) => this.slots.get(name) ?? []);
  }

  settingsOf(name: EngineName): EngineSettings {
    const { cluster, levels } = this.state.settings.index;
    return {
      ...(cluster !== null && CLUSTERED.includes(name) && { cluster }),
      ...(levels !== null && LEVELLED.includes(name) && { levels }),
    };
  }

  /** Makes several changes and then builds once. */
  together(change: () => void): void {
    this.held = true;
    change();
    this.held = false;
    this.buildAll();
  }

  build(slot: Slot): void {
    if (this.held) return;
    const { map, settings } = this.state;
    slot.build({ cells: map.cells(), diagonals: settings.diagonals, settings: this.settingsOf(slot.name) });
    this.ask(slot);
  }

  /** Asks everything again, of every engine. */
  askAll(): void {
    for (const slot of this.slots.values()) this.ask(slot);
  }

  private ask(slot: Slot): void {
    this.askPath(slot);
    for (const order of layerOrders(this.state, this.layerSource)) {
      if (order.engine === slot.name) slot.layer(order);
    }
  }

  /** Asks for what depends on start and goal. */
  private askMoved(): void {
    for (const slot of this.slots.values()) this.askPath(slot);
    this.askLayers(({ name }) => !isStill(name));
  }

  private askPath(slot: Slot): void {
    const { start, goal, layers } = this.state;
    const expanded = this.isPlayed(slot.name) || (layers.has("heat") && this.heatSource() === slot.name);
    slot.query({ start, goal, expanded, timing: QUICK_TIMING });
  }

  /** The engine that shows a layer: the inspected one if it has it, else the first chosen one that has. */
  readonly layerSource = (layer: LayerName): EngineName | null => {
    const has = (name: EngineName) =>
      this.slots.get(name)?.built?.layers.includes(layer) ??
      LAYERS.some(({ sources, parts }) => sources.includes(name) && parts.includes(layer));
    const { chosen, inspected } = this.state;
    return inspected && chosen.includes(inspected) && has(inspected) ? inspected : (chosen.find(has) ?? null);
  };

  /** The engine whose expanded nodes the heat map shows. */
  heatSource(): EngineName | null {
    const { chosen, inspected } = this.state;
    return inspected && chosen.includes(inspected) ? inspected : (chosen[0] ?? null);
  }

  private buildAll(): void {
    for (const slot of this.slots.values()) this.build(slot);
    this.changed.emit();
  }

  private follow(): void {
    for (const [name, slot] of this.slots) {
      if (this.state.chosen.includes(name)) continue;
      slot.close();
      this.slots.delete(name);
    }
    for (const name of this.state.chosen) {
      const info = this.state.info(name);
      if (this.slots.has(name) || !info) continue;
      const slot = new Slot(info, this.module);
      slot.changed.on(() => this.changed.emit());
      slot.layerCame.on((name) => this.layerCame.emit(name));
      this.slots.set(name, slot);
      this.build(slot);
    }
    this.changed.emit();
    this.askAll();
  }

  private edit({ triples }: Change): void {
    const isLarge = triples.length / 3 > LARGEST_EDIT;
    for (const slot of this.slots.values()) {
      if (this.isWalking(slot.name) || (slot.followsEdits && !isLarge)) slot.edit(triples.slice());
      else slot.outdate();
    }
    this.askAll();
  }

  /** After a stroke, indexes that cannot follow are built again, and so are those that failed: the map may suit them now. */
  private settle(): void {
    for (const slot of this.slots.values()) {
      if (slot.state === "outdated" || slot.state === "failed") this.build(slot);
    }
  }

  /**
   * Takes sizes and times again when nothing else runs. The first run after a build meets code that the browser has not
   * optimised yet, and cores that other engines build on.
   */
  private timeCarefully(): void {
    const slots = this.all();
    if (slots.some(({ name, state }) => state === "building" || this.isWalking(name))) return;
    for (const slot of slots) slot.measure().catch(() => {}); // a build or a removal came first
    const next = slots.find(({ answer, answered }) => answer && answered && answered.timing < CAREFUL_TIMING);
    // One at a time: the answer is a change, and the next one's turn comes after that.
    if (next?.answered) next.query({ ...next.answered, timing: CAREFUL_TIMING });
  }

  private askLayers(which: (order: ReturnType<typeof layerOrders>[number]) => boolean): void {
    for (const order of layerOrders(this.state, this.layerSource)) {
      if (which(order)) this.slots.get(order.engine)?.layer(order);
    }
  }
}

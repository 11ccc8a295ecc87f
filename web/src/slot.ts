/**
 * One chosen engine: its worker, its index and its latest answer.
 *
 * A slot keeps what its worker still owes and sends one piece at a time: a build, painted cells, orders,
 * the query, layers. Newer queries and layers replace older ones that have not been sent. So however fast
 * someone drags, each engine answers the last position as soon as it can, and none waits for another.
 */
import type { Diagonals, EngineName, LayerName } from "farstride";
import { Stopped, WorkerLink } from "./link";
import type { Answer, Built, Cells, EngineInfo, EngineSettings, LayerQuery, QueryOrder, RequestName, Requests } from "./protocol";
import { Signal } from "./signal";

export type SlotState = "building" | "ready" | "outdated" | "cancelled" | "failed";

export interface BuildOrder {
  cells: Cells;
  diagonals: Diagonals;
  settings: EngineSettings;
}

export interface LayerOrder {
  name: LayerName;
  options: LayerQuery;
}

export class Slot {
  state: SlotState = "building";
  /** Share of the build that is done, 0 to 1. */
  progress = 0;
  built: Built | null = null;
  answer: Answer | null = null;
  /** The query that `answer` answers. */
  answered: QueryOrder | null = null;
  /** Why the build or the query failed. */
  message = "";
  /** Numbers of each layer that was asked for, by name. */
  readonly layers = new Map<LayerName, Int32Array>();

  readonly changed = new Signal();
  readonly layerCame = new Signal<LayerName>();

  private link: WorkerLink;
  private busy = false;
  /** Whether the worker builds, which can take long and cannot be interrupted. */
  private isBuilding = false;
  /** Whether the index was edited since its size was taken. */
  private hasOldSize = false;
  /** Counts maps, so that a late answer about an older one is dropped. */
  private generation = 0;
  private toBuild: BuildOrder | null = null;
  private toEdit: Int32Array[] = [];
  private orders: { run: () => Promise<void>; drop: (error: Error) => void }[] = [];
  private toQuery: QueryOrder | null = null;
  private toLayer = new Map<LayerName, LayerOrder>();

  constructor(readonly info: EngineInfo, private readonly module: WebAssembly.Module) {
    this.link = this.connect();
  }

  get name(): EngineName {
    return this.info.name;
  }

  /** Labels are built again after every edit; all other indexes follow edits. */
  get followsEdits(): boolean {
    return this.name !== "labels";
  }

  build(order: BuildOrder): void {
    this.abandon();
    this.toBuild = order;
    this.toEdit = [];
    this.dropOrders();
    this.hasOldSize = false;
    this.built = null;
    this.answer = null;
    this.answered = null;
    this.layers.clear();
    this.message = "";
    this.progress = 0;
    this.state = "building";
    this.changed.emit();
    this.pump();
  }

  cancel(): void {
    if (this.state !== "building") return;
    this.abandon();
    this.state = "cancelled";
    this.message = "cancelled";
    this.changed.emit();
  }

  edit(triples: Int32Array): void {
    // A failed, cancelled or outdated index is built from the map of that time.
    if (this.state !== "ready" && this.state !== "building") return;
    this.toEdit.push(triples);
    this.pump();
  }

  /** The map has changed and the index has not: paths would be false, so there are none until the next build. */
  outdate(): void {
    if (this.state === "failed" || this.state === "cancelled") return;
    this.abandon();
    this.answer = null;
    this.answered = null;
    this.layers.clear();
    this.state = "outdated";
    this.changed.emit();
  }

  query(order: QueryOrder): void {
    this.toQuery = order;
    this.pump();
  }

  layer(order: LayerOrder): void {
    this.toLayer.set(order.name, order);
    this.pump();
  }

  /** A request that must not be dropped; it waits for its turn after builds and edits. */
  order<K extends RequestName>(name: K, ask: Requests[K]["ask"]): Promise<Requests[K]["reply"]> {
    return new Promise((resolve, reject) => {
      this.orders.push({ run: () => this.link.ask(name, ask).then(resolve, reject), drop: reject });
      this.pump();
    });
  }

  /** Takes the size of the index again if it was edited. On a large map that takes far longer than the edit. */
  async measure(): Promise<void> {
    if (!this.hasOldSize) return;
    this.hasOldSize = false;
    const { generation } = this;
    const { indexBytes } = await this.order("size", {});
    if (generation !== this.generation || !this.built) return;
    this.built = { ...this.built, indexBytes };
    this.changed.emit();
  }

  close(): void {
    this.link.stop();
    this.dropOrders();
  }

  private connect(): WorkerLink {
    const link = new WorkerLink(this.module);
    link.onProgress = ({ done, total }) => {
      this.progress = total > 0 ? done / total : 0;
      this.changed.emit();
    };
    return link;
  }

  /** What is under way is about another map: a build is stopped, together with its worker; all else ends soon and is ignored. */
  private abandon(): void {
    this.generation++;
    this.toBuild = null;
    if (!this.isBuilding) return;
    this.link.stop();
    this.link = this.connect();
    this.isBuilding = false;
    this.busy = false;
  }

  private dropOrders(): void {
    for (const { drop } of this.orders.splice(0)) drop(new Stopped());
  }

  /** Sends the next piece of work, unless the worker has one. */
  private pump(): void {
    if (this.busy) return;
    const work = this.next();
    if (!work) return;
    this.busy = true;
    const { link, generation } = this;
    work()
      .catch((error: Error) => {
        if (!(error instanceof Stopped) && generation === this.generation) this.fail(error);
      })
      .finally(() => {
        if (link !== this.link) return; // the worker was replaced, and its work with it
        this.busy = false;
        this.pump();
      });
  }

  private next(): (() => Promise<void>) | null {
    const { toBuild, toQuery } = this;
    if (toBuild) {
      this.toBuild = null;
      return () => this.runBuild(toBuild);
    }
    if (this.state !== "ready") return null;
    if (this.toEdit.length > 0) {
      const triples = joined(this.toEdit);
      this.toEdit = [];
      return () => this.runEdit(triples);
    }
    const order = this.orders.shift();
    if (order) return order.run;
    if (toQuery) {
      this.toQuery = null;
      return () => this.runQuery(toQuery);
    }
    for (const [name, layer] of this.toLayer) {
      this.toLayer.delete(name);
      return () => this.runLayer(layer);
    }
    return null;
  }

  private async runBuild({ cells, diagonals, settings }: BuildOrder): Promise<void> {
    this.isBuilding = true;
    const { link } = this;
    try {
      this.built = await link.ask("build", { cells, diagonals, engine: this.name, settings }, [cells.weights.buffer]);
    } finally {
      if (link === this.link) this.isBuilding = false;
    }
    this.state = "ready";
    this.changed.emit();
  }

  private async runEdit(triples: Int32Array): Promise<void> {
    const { generation } = this;
    this.hasOldSize = true;
    try {
      await this.link.ask("edit", { triples }, [triples.buffer]);
    } catch (error) {
      if (generation === this.generation) this.built = null; // nobody knows what the index is of now
      throw error;
    }
  }

  private async runQuery(order: QueryOrder): Promise<void> {
    const { generation } = this;
    const answer = await this.link.ask("query", order);
    if (generation !== this.generation) return;
    this.answer = answer;
    this.answered = order;
    this.message = "";
    this.changed.emit();
  }

  private async runLayer({ name, options }: LayerOrder): Promise<void> {
    if (!this.built?.layers.includes(name)) return;
    const { generation } = this;
    try {
      const { numbers } = await this.link.ask("layer", { name, options });
      if (generation === this.generation) this.layers.set(name, numbers);
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.layers.delete(name); // such as a level that this index does not have: nothing to draw
    }
    this.layerCame.emit(name);
  }

  private fail(error: Error): void {
    this.message = error.message;
    if (!this.built) this.state = "failed";
    this.answer = null;
    this.changed.emit();
  }
}

function joined(parts: Int32Array[]): Int32Array<ArrayBuffer> {
  const all = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A worker and the requests it has not answered yet. */
import type { BuildProgress } from "farstride";
import type { ReplyMessage, RequestName, Requests } from "./protocol";

/** A worker was stopped before it answered. Nobody needs to be told: whoever stopped it knows. */
export class Stopped extends Error {}

interface Waiting {
  resolve(reply: never): void;
  reject(error: Error): void;
}

export class WorkerLink {
  onProgress: (progress: BuildProgress) => void = () => {};

  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  /** Why the worker answers no more. */
  private ended: Error | null = null;

  /** The page compiles the engine once; workers get the compiled module. */
  constructor(module: WebAssembly.Module) {
    this.worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<ReplyMessage>) => this.receive(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(new Error(event.message || "a worker could not start"));
    };
    // If loading fails, so does the next request, and that one is looked at.
    this.ask("load", { module }).catch(() => {});
  }

  ask<K extends RequestName>(name: K, ask: Requests[K]["ask"], transfer: Transferable[] = []): Promise<Requests[K]["reply"]> {
    if (this.ended) return Promise.reject(this.ended);
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, ask }, transfer);
    });
  }

  /** Ends the worker at once, whatever it does. This is how a build is cancelled: a worker that computes cannot listen. */
  stop(): void {
    this.worker.terminate();
    this.fail(new Stopped());
  }

  private receive(message: ReplyMessage): void {
    if ("progress" in message) return this.onProgress(message.progress);
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if ("error" in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.reply as never);
  }

  private fail(error: Error): void {
    this.ended = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

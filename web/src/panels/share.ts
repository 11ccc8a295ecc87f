/** Links, files and code for what is on screen. */
import { byId, download } from "../dom";
import type { Fleet } from "../fleet";
import { baseOf, type Maps } from "../maps";
import { differences, toFile, toLink, type Shared } from "../share";
import { oncePerFrame } from "../signal";
import { mapFile, snippet, type SnippetKind } from "../snippets";
import type { State } from "../state";
import { attempt, tell } from "./notices";
import { radioButtons } from "./tabs";

/** Longer links get lost in chats and mails. */
const LONG_LINK = 8000;
/** Chromium opens no longer address. */
const LONGEST_LINK = 2_000_000;

export class SharePanel {
  private kind: SnippetKind = "shell";

  constructor(private readonly state: State, private readonly fleet: Fleet, private readonly maps: Maps) {
    byId("copy-link").addEventListener("click", () => void attempt(() => this.copyLink()));
    byId("save-file").addEventListener("click", () => {
      void attempt(async () => download("map.farstride", await toFile(this.shared()), "application/octet-stream"));
    });
    byId("save-map").addEventListener("click", () => void attempt(() => this.saveMap()));
    const mark = radioButtons(byId("snippet-kinds"), "snippet", (kind) => {
      this.kind = kind as SnippetKind;
      mark(kind);
      redraw();
    });
    mark(this.kind);
    byId("copy-snippet").addEventListener("click", () => void attempt(() => this.copy(byId("snippet").textContent ?? "", "Copied.")));
    const redraw = oncePerFrame(() => this.draw());
    for (const signal of [state.queryChanged, state.chosenChanged, state.layersChanged, state.settingsChanged]) signal.on(redraw);
    state.mapReplaced.on(() => {
      state.map.settled.on(redraw);
      redraw();
    });
    byId("tab-share").addEventListener("click", redraw);
  }

  shared(): Shared {
    const { map, start, goal, chosen, inspected, layers, level, settings } = this.state;
    const cells = differences(baseOf(map, map.origin), map.weights);
    const { width, height, origin } = map;
    return { width, height, origin, cells, start, goal, engines: chosen, inspected, layers: [...layers], level, settings };
  }

  private async copyLink(): Promise<void> {
    const hash = await toLink(this.shared());
    if (hash.length > LONGEST_LINK) throw new Error("the map is too large for a link that browsers open; save it as a file");
    history.replaceState(null, "", hash);
    byId("share-note").textContent =
      hash.length > LONG_LINK
        ? `The link has ${hash.length.toLocaleString("en")} letters, more than some programs keep; a file is safer.`
        : `The link has ${hash.length.toLocaleString("en")} letters.`;
    await this.copy(location.href, "Link copied; it is in the address bar, too.");
  }

  private async saveMap(): Promise<void> {
    const { name, isImage } = mapFile(this.state);
    download(name, await this.maps.exported(isImage ? "pgm" : "map"), "application/octet-stream");
  }

  private async copy(text: string, done: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      tell(done);
    } catch {
      tell("The browser does not let the page copy; select the text or the address and copy it yourself.");
    }
  }

  private draw(): void {
    // Looking through the whole map for weights takes a while on large ones; a hidden text can wait.
    if (byId("panel-share").hidden) return;
    byId("snippet").textContent = snippet(this.kind, this.state, this.fleet);
  }
}

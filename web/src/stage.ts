/** Where the map is: one pane, or two side by side. Decides what is drawn again, at most once per frame. */
import { byId } from "./dom";
import { isStill } from "./layers";
import { Pane, type Scene } from "./pane";
import { PALETTES } from "./palette";
import { oncePerFrame, Signal } from "./signal";

export class Stage {
  readonly element = byId("stage");
  /** How many edges of a graph were left out when it was drawn. */
  readonly edgesLeftOut = new Signal<number>();

  private panes: Pane[] = [];
  private groundChanged = true;
  private builtChanged = true;
  private readonly redraw = oncePerFrame(() => this.draw());

  constructor(private readonly scene: Scene) {
    const { state, fleet, camera, player, walk } = scene;
    this.split(1);
    new ResizeObserver(() => this.resize()).observe(this.element);
    camera.moved.on(() => this.drawAll());
    state.mapReplaced.on(() => {
      state.map.changed.on(({ area }) => {
        scene.image.paint(state.map, this.cellPixels(), area);
        this.groundChanged = true;
        this.redraw();
      });
      this.repaint();
      camera.setMap(state.map.width, state.map.height);
    });
    state.themeChanged.on(() => this.repaint());
    state.layersChanged.on(() => this.drawAll());
    state.chosenChanged.on(() => this.drawAll());
    fleet.layerCame.on((layer) => {
      this.builtChanged ||= isStill(layer);
      this.redraw();
    });
    player.changed.on(() => {
      this.split(player.isOpen && player.engines.length > 1 ? 2 : 1);
      this.redraw();
    });
    for (const signal of [state.queryChanged, state.toolChanged, state.cursorMoved, fleet.changed, walk.moved]) {
      signal.on(() => this.redraw());
    }
  }

  /** Pixels of the first pane; all panes have the same size. */
  paneAt(clientX: number, clientY: number): { x: number; y: number } {
    const boxes = this.panes.map(({ element }) => element.getBoundingClientRect());
    const box = boxes.find(({ left, right, top, bottom }) => clientX >= left && clientX < right && clientY >= top && clientY < bottom) ?? boxes[0];
    return { x: clientX - box.left, y: clientY - box.top };
  }

  private split(count: number): void {
    if (this.panes.length === count) return;
    while (this.panes.length > count) this.panes.pop()!.element.remove();
    while (this.panes.length < count) {
      const pane = new Pane(this.scene, this.panes.length as 0 | 1);
      this.panes.push(pane);
      this.element.append(pane.element);
    }
    this.resize();
  }

  private resize(): void {
    this.arrange();
    for (const pane of this.panes) pane.resize();
    const { width, height } = this.panes[0].element.getBoundingClientRect();
    this.scene.camera.setPane(width, height);
  }

  /** Two panes lie beside or above each other, whichever shows the map larger. */
  private arrange(): void {
    const { map } = this.scene.state;
    const { width, height } = this.element.getBoundingClientRect();
    const scale = (across: number, down: number) => Math.min(width / across / map.width, height / down / map.height);
    if (this.panes.length === 1) delete this.element.dataset.split;
    else this.element.dataset.split = scale(2, 1) > scale(1, 2) ? "columns" : "rows";
  }

  private cellPixels(): Uint32Array {
    return PALETTES[this.scene.state.theme].cells;
  }

  private repaint(): void {
    this.scene.image.paint(this.scene.state.map, this.cellPixels());
    this.drawAll();
  }

  private drawAll(): void {
    this.groundChanged = true;
    this.builtChanged = true;
    this.redraw();
  }

  private draw(): void {
    const begin = performance.now();
    for (const pane of this.panes) {
      if (this.groundChanged) pane.drawGround();
      if (this.builtChanged) pane.drawBuilt();
      pane.drawPaths();
    }
    if (this.builtChanged) this.edgesLeftOut.emit(this.panes[0].edgesLeftOut);
    this.groundChanged = false;
    this.builtChanged = false;
    this.scene.walk.drew(performance.now() - begin);
  }
}

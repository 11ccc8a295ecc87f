/** The colours of `farstride render`, and their counterparts on a dark page. */

export type Theme = "light" | "dark";

type Rgb = readonly [number, number, number];

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const css = ([red, green, blue]: Rgb, alpha = 1): string => `rgba(${red},${green},${blue},${alpha})`;
const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((channel, at) => Math.round(channel + (to[at] - channel) * share)) as unknown as Rgb;

export interface Palette {
  readonly paper: string;
  readonly ink: string;
  /** Lines between cells, and around clusters. */
  readonly line: string;
  readonly border: string;
  readonly start: string;
  readonly goal: string;
  readonly unit: string;
  readonly replan: string;
  /** Strong colours for paths; any two can be told apart, with red-green blindness as well. */
  readonly paths: readonly string[];
  /** Levels of an abstraction, the lowest first. */
  readonly levels: readonly string[];
  /** A pixel for each weight, in the byte order of ImageData; weight 0 is a wall. */
  readonly cells: Uint32Array;
  /** Pixels from the first expanded node to the last. */
  readonly heat: Uint32Array;
}

interface Shades {
  paper: string;
  ink: string;
  border: number;
  ground: string;
  heaviest: string;
  /** As `render` draws walls below graphs: here there is always something on top. */
  wall: string;
  start: string;
  goal: string;
  unit: string;
  replan: string;
  paths: string[];
  levels: string[];
  heat: string[];
}

const LIGHT: Shades = {
  paper: "#ffffff",
  ink: "#374151",
  border: 0.7,
  ground: "#f5efe2",
  heaviest: "#b88856",
  wall: "#b4bbc5",
  start: "#008f68",
  goal: "#c21e3a",
  unit: "#332288",
  replan: "#d55e00",
  paths: ["#d55e00", "#0072b2", "#009e73", "#7b1f6a", "#e69f00", "#56b4e9", "#332288", "#e08cb4"],
  levels: ["#5fa8c4", "#2f7fb5", "#3b52a3", "#5a2d8a", "#8f1d6b", "#b8123f"],
  heat: ["#ffe08a", "#f59b3c", "#d6415a", "#7b1f6a"],
};

const DARK: Shades = {
  paper: "#12161d",
  ink: "#e6e1d6",
  border: 0.4,
  ground: "#2d3644",
  heaviest: "#a8794a",
  wall: "#10141b",
  start: "#22c997",
  goal: "#ff5a74",
  unit: "#b8b0ff",
  replan: "#ff9248",
  paths: ["#ff8533", "#4aa8e8", "#2fd3a2", "#d07fc4", "#f5c04a", "#9bdcff", "#9d92f2", "#f5b3d1"],
  levels: ["#8fd0ea", "#62aee6", "#8396ee", "#b18be8", "#e07cc4", "#ff6f92"],
  heat: ["#5a3a6e", "#a83a68", "#ee7a45", "#ffe08a"],
};

const pixel = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** How far on the way from the lightest ground to the heaviest: as `render` does, the weights 1 to 9 take most of it. */
function share(weight: number): number {
  const LETTERS = 0.8;
  return weight <= 9
    ? (LETTERS * Math.log(weight)) / Math.log(9)
    : LETTERS + ((1 - LETTERS) * Math.log(weight / 9)) / Math.log(255 / 9);
}

function cellPixels(shades: Shades): Uint32Array {
  const [ground, heaviest] = [rgb(shades.ground), rgb(shades.heaviest)];
  return Uint32Array.from({ length: 256 }, (_, weight) =>
    pixel(weight === 0 ? rgb(shades.wall) : mix(ground, heaviest, share(weight))),
  );
}

export const HEAT_STEPS = 256;

function heatPixels(stops: string[]): Uint32Array {
  return Uint32Array.from({ length: HEAT_STEPS }, (_, step) => {
    const place = (step / (HEAT_STEPS - 1)) * (stops.length - 1);
    const below = Math.min(Math.floor(place), stops.length - 2);
    return pixel(mix(rgb(stops[below]), rgb(stops[below + 1]), place - below));
  });
}

function palette(shades: Shades): Palette {
  return {
    ...shades,
    line: css(rgb(shades.ink), 0.09),
    border: css(rgb(shades.ink), shades.border),
    cells: cellPixels(shades),
    heat: heatPixels(shades.heat),
  };
}

export const PALETTES: Record<Theme, Palette> = { light: palette(LIGHT), dark: palette(DARK) };

export function levelColour({ levels }: Palette, level: number): string {
  return levels[Math.min(Math.max(level, 0), levels.length - 1)];
}

/** A colour of the heat map as CSS. */
export function heatColour({ heat }: Palette, at: number): string {
  const value = heat[Math.round(Math.min(Math.max(at, 0), 1) * (HEAT_STEPS - 1))];
  return css([value & 255, (value >> 8) & 255, (value >> 16) & 255]);
}

/** The same colour, more transparent. */
export function faded(hex: string, alpha: number): string {
  return css(rgb(hex), alpha);
}

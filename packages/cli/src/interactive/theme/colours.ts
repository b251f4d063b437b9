// Colours of a theme as a terminal takes them. A terminal with fewer colours gets the one that looks nearest: distances are
// measured in OKLab, where equal steps look equally large; in RGB, dark blues and greys would become each other.

/** Resolved: `#RRGGBB`, an index of the 256 colours, or `""`, the terminal's own. */
export type Colour = string | number;

export type ColourMode = "none" | "16" | "256" | "true";

export type Rgb = readonly [red: number, green: number, blue: number];

/** The 16 colours as xterm draws them. Terminals differ; these are in the middle. */
const basic: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

/** Steps of the colour cube at 16 to 231. */
const cube = [0, 95, 135, 175, 215, 255] as const;

/** The red, green and blue of a colour; undefined for the terminal's own. */
export function rgbOf(colour: Colour): Rgb | undefined {
  if (typeof colour === "number") return rgbOfIndex(colour);
  if (colour === "") return undefined;
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function rgbOfIndex(index: number): Rgb {
  const known = basic[index];
  if (known !== undefined) return known;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const at = index - 16;
  const step = (position: number) => cube[position] ?? 0;
  return [step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6)];
}

export function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

type Lab = readonly [lightness: number, greenRed: number, blueYellow: number];

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function labOf([red, green, blue]: Rgb): Lab {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

/** Made when first needed: most terminals have true colour. The first 16 of the 256 are left out, people change them. */
const palettes = new Map<"16" | "256", readonly (readonly [index: number, lab: Lab])[]>();

function paletteOf(mode: "16" | "256"): readonly (readonly [index: number, lab: Lab])[] {
  let palette = palettes.get(mode);
  if (palette === undefined) {
    const [start, end] = mode === "16" ? [0, 16] : [16, 256];
    palette = Array.from({ length: end - start }, (_, at) => [start + at, labOf(rgbOfIndex(start + at))]);
    palettes.set(mode, palette);
  }
  return palette;
}

/** The index of the colour that looks most like it. */
export function nearestIndex(rgb: Rgb, mode: "16" | "256"): number {
  const [lightness, greenRed, blueYellow] = labOf(rgb);
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, lab] of paletteOf(mode)) {
    const distance = (lab[0] - lightness) ** 2 + (lab[1] - greenRed) ** 2 + (lab[2] - blueYellow) ** 2;
    if (distance >= least) continue;
    least = distance;
    nearest = index;
  }
  return nearest;
}

/** Behind text only black and white are taken: the others are made for text, and text in one of them would be lost. */
export function nearestOf16(rgb: Rgb, layer: "text" | "background"): number {
  if (layer === "text") return nearestIndex(rgb, "16");
  return labOf(rgb)[0] < 0.6 ? 0 : 15;
}

/** The parameters of an SGR sequence that sets the colour; undefined where colours are off. */
export function sgrOf(colour: Colour, mode: ColourMode, layer: "text" | "background"): string | undefined {
  if (mode === "none") return undefined;
  const base = layer === "text" ? 38 : 48;
  const rgb = rgbOf(colour);
  if (rgb === undefined) return `${base + 1}`;
  if (mode === "true" && typeof colour === "string") return `${base};2;${rgb.join(";")}`;
  if (mode === "16") {
    const index = typeof colour === "number" && colour < 16 ? colour : nearestOf16(rgb, layer);
    return `${(index < 8 ? base - 8 : base + 52) + (index % 8)}`;
  }
  return `${base};5;${typeof colour === "number" ? colour : nearestIndex(rgb, "256")}`;
}

/** Relative luminance as WCAG has it, 0 to 1. */
export function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast of two colours as WCAG has it, 1 to 21. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => right - left);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** For those who cannot tell green from red: the hue (in HSV) is turned by 90 degrees, so that greens become blues. */
export function bluer(colour: Colour): Colour {
  const rgb = typeof colour === "string" ? rgbOf(colour) : undefined;
  if (rgb === undefined) return colour;
  const [hue, saturation, value] = hsvOf(rgb);
  return hexOf(rgbOfHsv((hue + 90) % 360, Math.min(1, saturation * 1.1), value));
}

function hsvOf([red, green, blue]: Rgb): readonly [hue: number, saturation: number, value: number] {
  const highest = Math.max(red, green, blue);
  const range = highest - Math.min(red, green, blue);
  const sixth = (() => {
    if (range === 0) return 0;
    if (highest === red) return ((green - blue) / range + 6) % 6;
    if (highest === green) return (blue - red) / range + 2;
    return (red - green) / range + 4;
  })();
  return [sixth * 60, highest === 0 ? 0 : range / highest, highest / 255];
}

function rgbOfHsv(hue: number, saturation: number, value: number): Rgb {
  const part = (offset: number) => {
    const at = (offset + hue / 60) % 6;
    return Math.round(255 * value * (1 - saturation * Math.max(0, Math.min(at, 4 - at, 1))));
  };
  return [part(5), part(3), part(1)];
}

// Signs in three presets: for every terminal with UTF-8, for fonts with icons (Nerd Fonts), and for terminals that know ASCII
// only. Signs of changes are the same everywhere: a diff is read by them where there is no colour.

import type { SymbolName } from "./theme.ts";

export const symbolPresets = ["unicode", "nerd", "ascii"] as const;
export type SymbolPreset = (typeof symbolPresets)[number];

export type Symbols = Readonly<Record<SymbolName, string>>;

const unicode: Symbols = {
  success: "✓",
  failure: "✗",
  warning: "⚠",
  info: "ℹ",
  pending: "○",
  stopped: "■",
  user: "❯",
  assistant: "●",
  thinking: "✻",
  tool: "◆",
  question: "?",
  bullet: "•",
  quote: "▌",
  selected: "❯",
  more: "…",
  arrow: "→",
  branch: "⎇",
  leaf: "◀",
  checked: "☑",
  unchecked: "☐",
  active: "▶",
  abandoned: "⊘",
  added: "+",
  removed: "-",
  separator: "·",
  line: "─",
  cornerTopLeft: "╭",
  cornerBottomLeft: "╰",
  vertical: "│",
  barFull: "█",
  barEmpty: "░",
  spinner: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏",
};

const nerd: Symbols = {
  ...unicode,
  success: "\uf00c",
  failure: "\uf00d",
  warning: "\uf071",
  info: "\uf05a",
  pending: "\uf10c",
  stopped: "\uf04d",
  user: "\uf007",
  assistant: "\uf111",
  thinking: "\uf0eb",
  tool: "\uf0ad",
  question: "\uf128",
  selected: "\uf054",
  branch: "\ue0a0",
  leaf: "\uf06c",
  checked: "\uf046",
  unchecked: "\uf096",
  active: "\uf04b",
  abandoned: "\uf05e",
  separator: "\ue0b1",
};

const ascii: Symbols = {
  success: "ok",
  failure: "x",
  warning: "!",
  info: "i",
  pending: "o",
  stopped: "#",
  user: ">",
  assistant: "*",
  thinking: "~",
  tool: "*",
  question: "?",
  bullet: "-",
  quote: "|",
  selected: ">",
  more: "...",
  arrow: "->",
  branch: "@",
  leaf: "<",
  checked: "[x]",
  unchecked: "[ ]",
  active: ">",
  abandoned: "-",
  added: "+",
  removed: "-",
  separator: "|",
  line: "-",
  cornerTopLeft: "+",
  cornerBottomLeft: "+",
  vertical: "|",
  barFull: "#",
  barEmpty: ".",
  spinner: "|/-\\",
};

const presets: Readonly<Record<SymbolPreset, Symbols>> = { unicode, nerd, ascii };

export function symbolsOf(preset: SymbolPreset): Symbols {
  return presets[preset];
}

export function isSymbolName(name: string): name is SymbolName {
  return Object.hasOwn(unicode, name);
}

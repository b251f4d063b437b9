// The keys that type no text, by the sequences of xterm, rxvt, the VT series, the Linux console and the Kitty protocol.

/** `CSI … letter` and `SS3 letter`. */
export const letterKeys: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

/** `CSI number ~`. */
export const numberKeys: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageUp",
  6: "pageDown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
  25: "f13",
  26: "f14",
  28: "f15",
  29: "f16",
  31: "f17",
  32: "f18",
  33: "f19",
  34: "f20",
};

/** The keypad in application mode, `SS3 letter`: what it types, or the key it is. */
export const keypadKeys: Readonly<Record<string, string>> = {
  M: "enter",
  X: "=",
  j: "*",
  k: "+",
  l: ",",
  m: "-",
  n: ".",
  o: "/",
  p: "0",
  q: "1",
  r: "2",
  s: "3",
  t: "4",
  u: "5",
  v: "6",
  w: "7",
  x: "8",
  y: "9",
};

/** Code points that stand for a key and not for a character. */
export const controlKeys: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
};

/** Kitty's private code points: the keypad, and function keys above F12. */
export function privateKey(codePoint: number): string | undefined {
  if (codePoint >= 57376 && codePoint <= 57398) return `f${codePoint - 57376 + 13}`;
  if (codePoint >= 57399 && codePoint <= 57408) return String(codePoint - 57399);
  return keypadByCode[codePoint];
}

const keypadByCode: Readonly<Record<number, string>> = {
  57409: ".",
  57410: "/",
  57411: "*",
  57412: "-",
  57413: "+",
  57414: "enter",
  57415: "=",
  57416: ",",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageUp",
  57422: "pageDown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
  57427: "clear",
};

// A sequence to the key that sent it: plain characters and control codes, xterm, rxvt and VT sequences, modifyOtherKeys
// (`CSI 27 ; modifiers ; code ~`) and the Kitty protocol (`CSI code:shifted:base ; modifiers:event ; text u`).
//
// An id is the key with shift, alt and ctrl before it, in this order; lock keys are masked, and a key with super or hyper is not
// one of ours. A letter has its small form in the id (`shift+a` types "A"); any other character is named as it is typed, so that
// "!" is "!" on each layout. With ctrl or alt, a character outside ASCII is named by the key's place on the standard layout where
// the terminal tells it (ctrl and the key that types "с" in Russian is `ctrl+c`); an ASCII one never is. What is not known is
// undefined, and nothing throws.

import type { KeyInput } from "./input.ts";
import { controlKeys, keypadKeys, letterKeys, numberKeys, privateKey } from "./key-names.ts";

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

const none: Modifiers = { shift: false, alt: false, ctrl: false };

export function parseKey(sequence: string): KeyInput | undefined {
  if (!sequence.startsWith("\u001b")) return characterKey(sequence, none);
  if (sequence === "\u001b") return key("escape", none);
  // A whole sequence behind another ESC: Alt was held (rxvt).
  if (sequence.startsWith("\u001b\u001b") && sequence.length > 2) {
    const inner = parseKey(sequence.slice(1));
    return inner === undefined ? undefined : withAlt(inner);
  }
  if (sequence.length === 2 || sequence.codePointAt(1) !== sequence.charCodeAt(1)) {
    return characterKey(sequence.slice(1), { ...none, alt: true });
  }
  if (sequence.startsWith("\u001b[")) return controlSequenceKey(sequence.slice(2));
  if (sequence.startsWith("\u001bO")) return singleShiftKey(sequence.slice(2));
  return undefined;
}

function withAlt(inner: KeyInput): KeyInput {
  if (inner.id.includes("alt+")) return inner;
  const id = inner.id.startsWith("shift+") ? `shift+alt+${inner.id.slice(6)}` : `alt+${inner.id}`;
  return { ...inner, id, text: undefined };
}

function key(name: string, modifiers: Modifiers, text?: string, isRelease = false): KeyInput {
  const { shift, alt, ctrl } = modifiers;
  const id = `${shift ? "shift+" : ""}${alt ? "alt+" : ""}${ctrl ? "ctrl+" : ""}${name}`;
  return { kind: "key", id, text: alt || ctrl ? undefined : text, isRelease };
}

/** A character as terminals send it without a protocol: control codes for ctrl, capitals for shift. */
function characterKey(character: string, modifiers: Modifiers): KeyInput | undefined {
  const codePoint = character.codePointAt(0);
  if (codePoint === undefined) return undefined;
  const control = controlKeys[codePoint];
  if (control !== undefined) return key(control, modifiers, codePoint === 32 ? " " : undefined);
  if (codePoint === 0) return key("space", { ...modifiers, ctrl: true });
  if (codePoint < 0x1b) return key(String.fromCodePoint(codePoint + 0x60), { ...modifiers, ctrl: true });
  if (codePoint < 0x20) return key(String.fromCodePoint(codePoint + 0x40), { ...modifiers, ctrl: true });
  if (codePoint > 0x7f && codePoint < 0xa0) return undefined;
  return printableKey(character, modifiers);
}

function printableKey(character: string, modifiers: Modifiers, isRelease = false): KeyInput {
  const small = character.toLowerCase();
  const isCapital = small !== character && [...small].length === 1;
  if (isCapital) return key(small, { ...modifiers, shift: true }, character, isRelease);
  return key(character, modifiers, character, isRelease);
}

function controlSequenceKey(body: string): KeyInput | undefined {
  const final = body.at(-1) ?? "";
  const parameters = body.slice(0, -1);
  if (body.startsWith("[")) return linuxConsoleKey(body);
  if (final === "u") return kittyKey(parameters);
  if (!/^[0-9;:]*$/.test(parameters)) return undefined;
  const [first = "", second = ""] = parameters.split(";");
  if (final === "Z") return modifiedKey("tab", second === "" ? "2" : second);
  if (final === "~" && first === "27") return otherKey(parameters);
  if (final === "~" || final === "$" || final === "^" || final === "@")
    return numberedKey(first, second, final);
  const rxvtArrow = "abcd".includes(final) ? letterKeys[final.toUpperCase()] : undefined;
  if (rxvtArrow !== undefined && parameters === "") return key(rxvtArrow, { ...none, shift: true });
  const name = letterKeys[final];
  if (name === undefined || !(first === "" || first === "1" || (first === "0" && second === "")))
    return undefined;
  return modifiedKey(name, second);
}

function linuxConsoleKey(body: string): KeyInput | undefined {
  const index = "ABCDE".indexOf(body.charAt(1));
  return index === -1 || body.length !== 2 ? undefined : key(`f${index + 1}`, none);
}

function numberedKey(first: string, second: string, final: string): KeyInput | undefined {
  const name = numberKeys[Number(first)];
  if (name === undefined) return undefined;
  if (final === "~") return modifiedKey(name, second);
  if (second !== "") return undefined;
  return key(name, { shift: final !== "^", alt: false, ctrl: final !== "$" });
}

function singleShiftKey(body: string): KeyInput | undefined {
  const final = body.at(-1) ?? "";
  const parameters = body.slice(0, -1);
  const rxvtArrow = "abcd".includes(final) ? letterKeys[final.toUpperCase()] : undefined;
  if (rxvtArrow !== undefined && parameters === "") return key(rxvtArrow, { ...none, ctrl: true });
  const keypad = keypadKeys[final];
  const name = letterKeys[final];
  if (name !== undefined) return modifiedKey(name, parameters.split(";").at(-1) ?? "");
  if (keypad === undefined || parameters !== "") return undefined;
  return keypad === "enter" ? key(keypad, none) : key(keypad, none, keypad);
}

/** `CSI 27 ; modifiers ; code ~`. */
function otherKey(parameters: string): KeyInput | undefined {
  const [, modifiers = "", code = ""] = parameters.split(";");
  const state = readModifiers(modifiers);
  const codePoint = Number.parseInt(code, 10);
  if (state === undefined || !isCharacter(codePoint)) return undefined;
  return codePointKey(codePoint, state, undefined, undefined);
}

/** `CSI code:shifted:base ; modifiers:event ; text u`, each but the code optional. */
function kittyKey(parameters: string): KeyInput | undefined {
  if (!/^[0-9;:]+$/.test(parameters)) return undefined;
  const [codes = "", modifiers = "", texts = ""] = parameters.split(";");
  const [code = "", shifted = "", base = ""] = codes.split(":");
  const codePoint = Number.parseInt(code, 10);
  const state = readModifiers(modifiers);
  if (state === undefined || !isCharacter(codePoint)) return undefined;
  const typed = texts === "" ? undefined : charactersOf(texts);
  const shiftedPoint = shifted === "" ? undefined : Number.parseInt(shifted, 10);
  const basePoint = base === "" ? undefined : Number.parseInt(base, 10);
  return codePointKey(codePoint, state, shiftedPoint, basePoint, typed);
}

function codePointKey(
  codePoint: number,
  state: KeyState,
  shifted: number | undefined,
  base: number | undefined,
  typed?: string,
): KeyInput | undefined {
  const { modifiers, isRelease } = state;
  const name = controlKeys[codePoint];
  if (name !== undefined) {
    return key(name, modifiers, codePoint === 32 ? (typed ?? " ") : undefined, isRelease);
  }
  if (codePoint >= 57344 && codePoint <= 63743) {
    const special = privateKey(codePoint);
    if (special === undefined) return undefined;
    return key(special, modifiers, special.length === 1 ? (typed ?? special) : undefined, isRelease);
  }
  if (codePoint < 0x20 || (codePoint > 0x7f && codePoint < 0xa0)) return undefined;
  if (modifiers.alt || modifiers.ctrl) {
    const isForeign = codePoint > 0x7f && base !== undefined && isCharacter(base);
    if (isForeign) return codePointKey(base, state, undefined, undefined);
  }
  const character = String.fromCodePoint(codePoint);
  const isLetter = character.toLowerCase() !== character.toUpperCase();
  if (modifiers.shift && !isLetter && shifted !== undefined && isCharacter(shifted)) {
    // What shift made of the key names it: no layout is assumed.
    const symbol = String.fromCodePoint(shifted);
    return key(symbol, { ...modifiers, shift: false }, typed ?? symbol, isRelease);
  }
  if (!isLetter) return key(character, otherSymbolModifiers(modifiers, typed), typed ?? character, isRelease);
  const isCapital = modifiers.shift !== state.hasCapsLock;
  const text = typed ?? (isCapital ? character.toUpperCase() : character.toLowerCase());
  return key(character.toLowerCase(), modifiers, text, isRelease);
}

/** modifyOtherKeys names a symbol as it is typed, and says shift, too. */
function otherSymbolModifiers(modifiers: Modifiers, typed: string | undefined): Modifiers {
  return typed === undefined ? { ...modifiers, shift: false } : modifiers;
}

interface KeyState {
  readonly modifiers: Modifiers;
  readonly hasCapsLock: boolean;
  readonly isRelease: boolean;
}

/** `modifiers` or `modifiers:event`. Undefined where a modifier is held that none of our keys has. */
function readModifiers(parameter: string): KeyState | undefined {
  const [mask = "", event = ""] = parameter.split(":");
  const bits = mask === "" ? 0 : Number.parseInt(mask, 10) - 1;
  if (!(bits >= 0) || (bits & 0b11000) !== 0) return undefined;
  return {
    modifiers: { shift: (bits & 1) !== 0, alt: (bits & 0b100010) !== 0, ctrl: (bits & 4) !== 0 },
    hasCapsLock: (bits & 64) !== 0,
    isRelease: event === "3",
  };
}

function modifiedKey(name: string, parameter: string): KeyInput | undefined {
  const state = readModifiers(parameter);
  return state === undefined ? undefined : key(name, state.modifiers, undefined, state.isRelease);
}

function isCharacter(codePoint: number): boolean {
  return codePoint >= 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}

function charactersOf(codes: string): string | undefined {
  const points = codes.split(":").map((code) => Number.parseInt(code, 10));
  return points.every((point) => isCharacter(point) && point >= 0x20)
    ? String.fromCodePoint(...points)
    : undefined;
}

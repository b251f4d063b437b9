// Ids of keys as people write them, in any order and case: "Ctrl+Shift+P" is `shift+ctrl+p`.

const otherNames: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageUp",
  pgdn: "pageDown",
  pageup: "pageUp",
  pagedown: "pageDown",
  spacebar: "space",
  control: "ctrl",
  option: "alt",
  meta: "alt",
  plus: "+",
};
const modifiers = ["shift", "alt", "ctrl"];
const named =
  /^(escape|enter|tab|backspace|delete|insert|home|end|pageUp|pageDown|up|down|left|right|space|f([1-9]|1[0-9]|2[0-4]))$/;

/** Undefined where it is no key. */
export function keyId(written: string): string | undefined {
  const endsInPlus = written.endsWith("+");
  const parts = (endsInPlus ? written.slice(0, -1).replace(/\+$/, "") : written).split("+").filter(Boolean);
  if (endsInPlus) parts.push("+");
  const words = parts.map(
    (part) => otherNames[part.toLowerCase()] ?? (part.length === 1 ? part : lowered(part)),
  );
  const key = words.pop();
  if (key === undefined || words.some((word) => !modifiers.includes(word))) return undefined;
  const isCharacter = [...key].length === 1;
  if (!isCharacter && !named.test(key)) return undefined;
  const held = new Set(words);
  const small = isCharacter ? key.toLowerCase() : key;
  if (isCharacter && small !== key && held.size === 0) held.add("shift");
  return [...modifiers.filter((modifier) => held.has(modifier)), small].join("+");
}

/** `Shift-Enter`, as help and docs show it. */
export function keyName(id: string): string {
  const endsInPlus = id.endsWith("+");
  const parts = (endsInPlus ? id.slice(0, -1) : id).split("+").filter(Boolean);
  if (endsInPlus) parts.push("+");
  const key = parts.pop() ?? "";
  const shown = key === "escape" ? "Esc" : key.length === 1 && parts.length === 0 ? key : capital(key);
  return [...parts.map(capital), shown].join("-");
}

function lowered(word: string): string {
  const small = word.toLowerCase();
  return otherNames[small] ?? small;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

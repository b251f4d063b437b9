// Keys as they are written: characters stand for themselves, others have names in angle brackets: <Esc> <CR> <Tab> <BS>
// <Del> <Space> <lt> <Bar> <C-r> … A name that is no key stays text, so that `<div>` can be typed. A line break is <CR>. The key
// <Tab> is a step of indentation, as in an editor; a tab that is written as a character is that character.

export type Key = string;

/** Stands between the strings of a list of keys: it finishes a command line or a search, and is nothing elsewhere. */
export const boundary = "<boundary>";

const named: Readonly<Record<string, Key>> = {
  esc: "<Esc>",
  cr: "<CR>",
  enter: "<CR>",
  return: "<CR>",
  nl: "<CR>",
  tab: "<Tab>",
  bs: "<BS>",
  backspace: "<BS>",
  del: "<Del>",
  delete: "<Del>",
  space: " ",
  lt: "<",
  gt: ">",
  bar: "|",
  bslash: "\\",
  left: "<Left>",
  right: "<Right>",
  up: "<Up>",
  down: "<Down>",
  home: "<Home>",
  end: "<End>",
};

const raw: Readonly<Record<string, Key>> = {
  "\x1b": "<Esc>",
  "\n": "<CR>",
  "\r": "<CR>",
  "\b": "<BS>",
  "\x7f": "<BS>",
  "\x12": "<C-r>",
};

/** Keys that Control gives another name. */
const controls: Readonly<Record<string, Key>> = { "[": "<Esc>", m: "<CR>", j: "<CR>", i: "<Tab>", h: "<BS>" };

export function keysOf(written: string | readonly string[]): Key[] {
  if (typeof written === "string") return parse(written);
  return written.flatMap((part) => [...parse(part), boundary]);
}

function parse(text: string): Key[] {
  const keys: Key[] = [];
  const token = /<C-(.)>|<([A-Za-z]+)>|\r\n|[\s\S]/giu;
  for (const [whole, control, name] of text.matchAll(token)) {
    const key = control === undefined ? named[(name ?? "").toLowerCase()] : controlKey(control.toLowerCase());
    if (key !== undefined) keys.push(key);
    else if (whole === "\r\n") keys.push("<CR>");
    else if (whole.length > 1 && name !== undefined) keys.push(...whole);
    else keys.push(raw[whole] ?? whole);
  }
  return keys;
}

function controlKey(key: string): Key {
  return controls[key] ?? `<C-${key}>`;
}

/** The text that a key types; undefined for keys that do not. */
export function typedText(key: Key): string | undefined {
  if (key === "<CR>") return "\n";
  if (key === "<Tab>") return "\t";
  return key.length > 2 && key.startsWith("<") && key.endsWith(">") ? undefined : key;
}

/** Keys as they would be written. */
export function formatKeys(keys: readonly Key[]): string {
  return keys.filter((key) => key !== boundary).join("");
}

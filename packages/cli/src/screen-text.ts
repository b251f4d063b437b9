// The one exit for text to a terminal.
//
// What is printed is our own words mixed with names, file contents, words of models and of servers. So nothing that is printed
// may hold codes for the terminal: styles and movements are marks, which only this file can make, because they hold a number
// that nobody outside of the process can know. At the exit marks become codes, and everything else is made visible. Text that
// nobody thought of is therefore safe, too.

import { inspect, type styleText } from "node:util";
import { type Visibility, visible } from "@stet/protocol/visible";

export type Style = Parameters<typeof styleText>[0];

/** Made with the first mark: many commands print plain words only, and should not wait for what makes it. */
let made: { readonly secret: string; readonly marks: RegExp } | undefined;

function mark(what: string): string {
  if (made === undefined) {
    const secret = process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex");
    made = { secret, marks: new RegExp(`\u001b${secret}<([\\w;]+)>`, "g") };
  }
  return `\u001b${made.secret}<${what}>`;
}

/** To the start of the line, which is then empty. */
export const clearLine = () => mark("clear");
/** The character before the cursor is taken away. */
export const stepBack = () => mark("back");

const movements: Readonly<Record<string, string>> = { clear: "\r\u001b[2K", back: "\b \b" };

/** Text in a style; the style of a part of it ends with that part. */
export function styled(style: Style, text: string): string {
  const names = typeof style === "string" ? [style] : style;
  const codes = names.flatMap((name) => {
    const pair = inspect.colors[name];
    return pair === undefined ? [] : [pair];
  });
  const opened = codes.map(([start]) => start).join(";");
  const closed = codes.map(([, end]) => end).join(";");
  return opened === "" ? text : `${mark(opened)}${text}${mark(closed)}`;
}

/** Where text leaves: writes it with marks as codes, and everything else visible. */
export function exitTo(write: (text: string) => void, how: Visibility): (text: string) => void {
  // Text comes in pieces, and what belongs to a letter is known by the letter before it.
  let before = "";
  return (text) => {
    const parts = (made === undefined ? [text] : text.split(made.marks)).map((part, index) => {
      if (index % 2 === 1) return movements[part] ?? `\u001b[${part}m`;
      const shown = visible(before + part, how).slice(visible(before, how).length);
      if (part !== "") before = lastLetter(part);
      return shown;
    });
    write(parts.join(""));
  };
}

/** Nothing where the last one is a control. */
function lastLetter(text: string): string {
  const letter = /[\ud800-\udbff]?[\s\S]$/.exec(text)?.[0] ?? "";
  return visible(letter, "steering") === letter ? letter : "";
}

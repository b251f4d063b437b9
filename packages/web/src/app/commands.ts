// Everything that can be done by name or by key. The palette lists it, the keyboard runs it, menus and buttons show its keys.
//
// Keys are written as "Mod-Shift-p": Mod is Ctrl, or Cmd on a Mac. A letter is meant by its place on the keyboard where Alt
// is part of it, because Alt makes other letters of it on some systems.

import { createSignal, onCleanup } from "solid-js";

export interface Command {
  readonly id: string;
  /** As the palette shows it: a verb first. */
  readonly title: string;
  /** Where it belongs, such as "Review". */
  readonly group: string;
  readonly keys: readonly string[];
  /** Whether it can be used now. */
  readonly isEnabled: () => boolean;
  readonly run: () => unknown;
}

/** The commands of a group, each as a row: its id, its title, its keys with a space between, when it can be used, what it does. */
export function commandsOf(group: string) {
  return (id: string, title: string, keys: string, isEnabled: () => boolean, run: () => unknown): Command => {
    return { id, title, group, keys: keys.split(" ").filter(Boolean), isEnabled, run };
  };
}

export const always = () => true;

export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? "");

export class Commands {
  readonly #known = new Map<string, Command>();
  readonly #changed = createSignal(0);

  /** Returns how to take them away again. */
  add(...commands: readonly Command[]): () => void {
    const [, setCount] = this.#changed;
    for (const command of commands) this.#known.set(command.id, command);
    setCount((count) => count + 1);
    return () => {
      for (const command of commands) {
        if (this.#known.get(command.id) === command) this.#known.delete(command.id);
      }
      setCount((count) => count + 1);
    };
  }

  /** For as long as the component that calls it lives. */
  use(...commands: readonly Command[]): void {
    onCleanup(this.add(...commands));
  }

  /** What can be used now. */
  list(): Command[] {
    const [count] = this.#changed;
    count();
    return [...this.#known.values()].filter((command) => command.isEnabled());
  }

  /** Everything there is, whether it can be used now or not. */
  all(): Command[] {
    const [count] = this.#changed;
    count();
    return [...this.#known.values()];
  }

  run(id: string): void {
    const command = this.#known.get(id);
    if (command?.isEnabled() === true) void command.run();
  }

  keysOf(id: string): string | undefined {
    const keys = this.#known.get(id)?.keys[0];
    return keys === undefined ? undefined : shownKeys(keys);
  }

  /** A title with the keys of a command, where it has some. */
  titleOf(title: string, id: string): string {
    const keys = this.keysOf(id);
    return keys === undefined ? title : `${title} (${keys})`;
  }

  /** Runs the command that the keys belong to; whether there was one. */
  press(event: KeyboardEvent): boolean {
    const pressed = pressedKeys(event);
    for (const command of this.#known.values()) {
      const fits = command.keys.some((keys) => pressed.includes(keys));
      if (!fits || !command.isEnabled()) continue;
      void command.run();
      return true;
    }
    return false;
  }
}

export type PressedKey = Pick<KeyboardEvent, "key" | "code" | "metaKey" | "ctrlKey" | "altKey" | "shiftKey">;

/** The names of what was pressed: by the character, and by the place of the key. */
export function pressedKeys(event: PressedKey): string[] {
  const modifiers = [
    (isMac ? event.metaKey : event.ctrlKey) ? "Mod-" : "",
    isMac && event.ctrlKey ? "Ctrl-" : "",
    event.altKey ? "Alt-" : "",
    event.shiftKey ? "Shift-" : "",
  ].join("");
  const character = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1]?.toLowerCase();
  const place = letter ?? (event.code === "Period" ? "." : undefined);
  return place === undefined ? [modifiers + character] : [modifiers + character, modifiers + place];
}

const symbols: Readonly<Record<string, string>> = isMac
  ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" }
  : { Mod: "Ctrl", Alt: "Alt", Shift: "Shift", Ctrl: "Ctrl" };

const names: Readonly<Record<string, string>> = {
  PageDown: "Page Down",
  PageUp: "Page Up",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

export function shownKeys(keys: string): string {
  const parts = keys
    .split(/-(?=.)/)
    .map((part) => symbols[part] ?? names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  return parts.join(isMac ? "" : "+");
}

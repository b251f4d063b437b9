// Which key does what: the table of actions, changed by the person's keys.json.
//
//   { "app.session.tree": ["ctrl+t"], "prompt.paste": null }
//
// A list replaces the keys of an action, one key may stand without a list, null leaves it without any. A key of the file is taken
// from the action of the same group that has it otherwise; two actions of the file that want the same key are told, and the first
// has it. Whatever is wrong is told in a sentence, and the rest holds.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { visible, visibleName } from "@stet/protocol/visible";
import { type ActionOf, type EditorAction, editorActions } from "@stet/tui/editor/editor-keys";
import { nearest } from "../../nearest.ts";
import { type ActionIn, type KeyAction, type KeyGroup, keyActions } from "./actions.ts";
import { keyId } from "./key-ids.ts";

export interface KeyBindings {
  readonly actionOf: { readonly [Group in KeyGroup]: ActionOf<ActionIn<Group>> };
  /** The editor's part of the prompt's keys: for every line that is typed somewhere else. */
  readonly editing: ActionOf<EditorAction>;
  /** The keys of an action, the one to show first. */
  keysOf(action: string): readonly string[];
  /** What is wrong with the file, a sentence each. */
  readonly problems: readonly string[];
}

const maxFileBytes = 256 * 1024;

export const keysFileName = "keys.json";

/** The table, changed by the file in the configuration folder where there is one. */
export function loadKeyBindings(configFolder: string): KeyBindings {
  const path = join(configFolder, keysFileName);
  try {
    const bytes = readFileSync(path);
    if (bytes.length <= maxFileBytes) return parseKeyBindings(bytes.toString("utf8"), path);
    return unread(path, `it has more than ${maxFileBytes / 1024} KB`);
  } catch (error) {
    if (isMissing(error)) return defaultKeyBindings();
    return unread(path, error instanceof Error ? error.message : "it cannot be opened");
  }
}

export function parseKeyBindings(content: string, path: string): KeyBindings {
  const problems: string[] = [];
  const name = visibleName(path);
  const written = parseObject(content, name, problems);
  const changes = new Map<string, readonly string[]>();
  for (const [action, value] of Object.entries(written)) {
    if (!groupOf(action)) problems.push(unknownAction(action, name));
    else {
      const keys = keysIn(value, action, name, problems);
      if (keys !== undefined) changes.set(action, keys);
    }
  }
  return bindKeys(changes, problems, name);
}

export function defaultKeyBindings(): KeyBindings {
  return bindKeys(new Map(), []);
}

function bindKeys(
  changes: ReadonlyMap<string, readonly string[]>,
  problems: string[],
  name = "",
): KeyBindings {
  const keysOf = new Map<string, readonly string[]>();
  const bind = <Action extends string>(actions: Readonly<Record<Action, KeyAction>>): ActionOf<Action> => {
    const byKey = new Map<string, Action>();
    const ids: Action[] = [];
    for (const id in actions) ids.push(id);
    for (const id of ids) {
      for (const key of changes.get(id) ?? []) {
        const other = byKey.get(key);
        if (other === undefined) byKey.set(key, id);
        else if (other !== id)
          problems.push(
            `${name} gives ${key} to ${other} and to ${id}. It does ${other}; choose another key for ${id}.`,
          );
      }
    }
    for (const id of ids) {
      if (changes.has(id)) continue;
      for (const key of actions[id].keys) if (!byKey.has(key)) byKey.set(key, id);
    }
    for (const id of ids) {
      const wanted = changes.get(id) ?? actions[id].keys;
      keysOf.set(
        id,
        wanted.filter((key) => byKey.get(key) === id),
      );
    }
    return (key) => byKey.get(key);
  };
  const actionOf = {
    everywhere: bind(keyActions.everywhere),
    prompt: bind(keyActions.prompt),
    list: bind(keyActions.list),
    models: bind(keyActions.models),
    pager: bind(keyActions.pager),
    review: bind(keyActions.review),
    tree: bind(keyActions.tree),
    agents: bind(keyActions.agents),
    jobs: bind(keyActions.jobs),
  };
  const editing = (key: string) => editorAction(actionOf.prompt(key));
  return { actionOf, editing, keysOf: (action) => keysOf.get(action) ?? [], problems };
}

function editorAction(action: ActionIn<"prompt"> | undefined): EditorAction | undefined {
  return action !== undefined && isEditorAction(action) ? action : undefined;
}

export function isEditorAction(action: ActionIn<"prompt">): action is EditorAction {
  return Object.hasOwn(editorActions, action);
}

function groupOf(action: string): boolean {
  return Object.values(keyActions).some((group) => Object.hasOwn(group, action));
}

function unread(path: string, why: string): KeyBindings {
  const reason = visible(why, "everything");
  return bindKeys(new Map(), [
    `${visibleName(path)} was not read (${reason}), so the keys are the usual ones.`,
  ]);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function parseObject(content: string, name: string, problems: string[]): object {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    problems.push(`${name} is not a JSON object of actions and their keys, so the keys are the usual ones.`);
  } catch (error) {
    const why = error instanceof Error ? visible(error.message, "everything") : "it cannot be read";
    problems.push(`${name} is not JSON (${why}), so the keys are the usual ones.`);
  }
  return {};
}

/** Undefined where the value is none at all, so that the usual keys stay. */
function keysIn(
  value: unknown,
  action: string,
  name: string,
  problems: string[],
): readonly string[] | undefined {
  if (value === null) return [];
  const written: readonly unknown[] = Array.isArray(value) ? value : [value];
  const keys: string[] = [];
  for (const one of written) {
    const id = typeof one === "string" ? keyId(one) : undefined;
    if (id !== undefined) keys.push(id);
    else {
      const shown = visible(JSON.stringify(one) ?? "nothing", "everything");
      problems.push(
        `${name} gives ${action} the key ${shown}, which is none. Keys look like "ctrl+t" or "shift+f5".`,
      );
    }
  }
  return keys.length === 0 && written.length > 0 ? undefined : keys;
}

function unknownAction(action: string, name: string): string {
  const known = Object.values(keyActions).flatMap((group) => Object.keys(group));
  const near = nearest(action, known);
  const hint = near === undefined ? "/help lists the actions." : `Did you mean ${near}?`;
  return `${name} names the action ${visibleName(action)}, which there is not. ${hint}`;
}

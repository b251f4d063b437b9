// The rules that a person gave for a session. They hold for as long as the session is gone on with, by whichever process:
// each session has a folder in Stet's own state, beside the project's rules and never in the session's file, because a file
// from elsewhere must not bring permissions along. Without a state folder they are gone when the process ends.

import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { makePrivateFolder } from "@stet/storage/private-files";
import type { PermissionRule } from "./permission-rule.ts";
import { addProjectRules, isSameRule, listProjectRules, removeProjectRule } from "./project-rules.ts";

const maxRules = 500;
/** Of the sessions with rules, the latest are kept. */
const maxSessions = 200;

export class SessionRules {
  readonly #bySession = new Map<string, PermissionRule[]>();
  readonly #folder: string | undefined;

  constructor(stateFolder?: string) {
    this.#folder = stateFolder === undefined ? undefined : join(stateFolder, "session-permissions");
  }

  list(session: string): readonly PermissionRule[] {
    const known = this.#bySession.get(session);
    if (known !== undefined) return known;
    const folder = this.#folderOf(session);
    const rules = folder === undefined ? [] : [...listProjectRules(folder).rules];
    this.#bySession.set(session, rules);
    return rules;
  }

  add(session: string, rules: readonly PermissionRule[]): void {
    this.#bySession.set(session, [...this.list(session), ...rules].slice(-maxRules));
    const folder = this.#folderOf(session);
    if (this.#folder === undefined || folder === undefined) return;
    try {
      makePrivateFolder(folder);
      ignoreFault(addProjectRules(folder, rules));
      removeOldest(this.#folder);
    } catch {
      // They hold for as long as the process runs.
    }
  }

  /** Whether there was such a rule. */
  remove(session: string, rule: PermissionRule): boolean | Fault {
    const rules = this.list(session);
    const left = rules.filter((known) => !isSameRule(known, rule));
    if (left.length === rules.length) return false;
    const folder = this.#folderOf(session);
    const removed = folder === undefined ? true : removeProjectRule(folder, rule);
    if (!isFault(removed)) this.#bySession.set(session, left);
    return isFault(removed) ? removed : true;
  }

  #folderOf(session: string): string | undefined {
    return this.#folder === undefined || !/^[\w-]+$/.test(session) ? undefined : join(this.#folder, session);
  }
}

function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= maxSessions) return;
  const byAge = names
    .map((name) => ({ name, age: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.age - a.age);
  for (const { name } of byAge.slice(maxSessions))
    rmSync(join(folder, name), { recursive: true, force: true });
}

// What Stet keeps in its data folder, looked at as a whole: what is damaged, and what `stet doctor --repair` does about it.
// Nothing is removed, and no file of the workspace is touched.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { PromptHistory } from "@stet/session/prompt-history";
import { isHere } from "@stet/session/session-find";
import { repairSession } from "@stet/session/session-repair";
import { onNotice } from "@stet/storage/notices";
import { dataFolder, stateFolder } from "@stet/workspace/files/state-folder";
import { listBackups } from "@stet/workspace/ledger/ledger-backup";
import { ledgerProblems, repairLedger } from "@stet/workspace/ledger/ledger-repair";
import type { CommandContext } from "./command.ts";
import { sessionStore } from "./open-session.ts";

export interface StoredFile {
  readonly name: string;
  /** What is wrong, each as a sentence; nothing where it is sound. */
  readonly problems: readonly string[];
  /** Mends it, and tells what was done. Undefined where nothing of ours can. */
  readonly repair: (() => Promise<string>) | undefined;
}

export function storedFiles(context: CommandContext): StoredFile[] {
  return [ledgerOf(context), promptsOf(context), ...sessionsOf(context), ...setAsideOf(context)];
}

function ledgerOf({ root, environment }: CommandContext): StoredFile {
  const state = stateFolder(root, dataFolder(environment));
  if (isFault(state)) return { name: "ledger", problems: [state.message], repair: undefined };
  const path = join(state, "ledger.sqlite");
  const { problems, isRepairable } = ledgerProblems(path);
  const [newest] = listBackups(path);
  const backup = newest === undefined ? "no backup yet" : `backup of ${timeOf(newest.at)}`;
  return {
    name: `ledger (${backup})`,
    problems,
    repair: isRepairable ? async () => describeRepair(path) : undefined,
  };
}

function describeRepair(path: string): string {
  const made = repairLedger(path);
  if (isFault(made)) return `${made.message} ${made.suggestion}`;
  const { aside, sources, entries, forgotten, hasGaps } = made;
  const from =
    sources.length === 0
      ? "begun anew, for nothing of it could be read"
      : `made again from ${sources.join(", and ")}: ${entries} entries`;
  const gaps = hasGaps ? " Some changes may be missing." : "";
  const lost =
    forgotten.length === 0
      ? ""
      : ` Nothing is known any more of ${forgotten.join(", ")}: these files are as they are on disk.`;
  return `The ledger was ${from}.${gaps}${lost} The damaged file is ${aside}.`;
}

/** Opening it mends it, and tells what was done. */
function promptsOf({ environment }: CommandContext): StoredFile {
  const told: string[] = [];
  const path = join(dataFolder(environment), "prompts.sqlite");
  const stop = onNotice((notice) => told.push(notice.message));
  const history = existsSync(path) || existsSync(`${path}.mark`) ? PromptHistory.open(path) : undefined;
  if (isFault(history)) told.push(`${history.message} ${history.suggestion}`);
  else if (history !== undefined) {
    const read = history.recent(100_000);
    if (isFault(read)) told.push(`${read.message} ${read.suggestion}`);
    history.close();
  }
  stop();
  return { name: "prompts", problems: told, repair: undefined };
}

function sessionsOf(context: CommandContext): StoredFile[] {
  const store = sessionStore(context);
  const found = store.list(context.root).filter((info) => isHere(info, context.root));
  const damaged = found.flatMap((info) => {
    const session = store.open(info.path);
    const problems = isFault(session)
      ? [`${session.message} ${session.suggestion}`]
      : session.damage.map(({ line, reason }) => `${info.path}, line ${line}: ${reason}.`);
    return problems.length === 0 ? [] : [{ path: info.path, problems }];
  });
  if (damaged.length === 0) return [{ name: "sessions", problems: [], repair: undefined }];
  return damaged.map(({ path, problems }) => ({
    name: "session",
    problems,
    repair: async () => {
      const made = repairSession(path, context.root);
      if (isFault(made)) return `${made.message} ${made.suggestion}`;
      const kept = made.aside === undefined ? "" : ` The damaged file is ${made.aside}.`;
      const what =
        made.entries === undefined
          ? "Nothing of it can be read, so it is no longer listed"
          : `It was made again from ${made.entries} entries`;
      return `${path}: ${what}.${kept}`;
    },
  }));
}

/** Files that were moved aside before, as a reminder. */
function setAsideOf(context: CommandContext): StoredFile[] {
  const { root, environment } = context;
  const data = dataFolder(environment);
  const state = stateFolder(root, data);
  const folders = [data, sessionStore(context).projectFolder(root), ...(isFault(state) ? [] : [state])];
  const aside = folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /\.damaged-[\d-]+$/.test(name))
          .map((name) => join(folder, name))
      : [],
  );
  return aside.length === 0
    ? []
    : [{ name: `moved aside earlier: ${aside.join(", ")}`, problems: [], repair: undefined }];
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ");
}

// The session of a turn: a new one, the latest here, or one by the start of its id.

import { Fault, isFault } from "@stet/protocol/fault";
import { currentTerminalId } from "@stet/session/breadcrumbs";
import { SessionStore } from "@stet/session/session-store";
import type { Session } from "@stet/session/session-tree";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { CommandContext } from "./command.ts";

export interface SessionChoice {
  readonly isContinued: boolean;
  readonly resume?: string | undefined;
  readonly isKept: boolean;
}

export function sessionStore({ environment }: CommandContext): SessionStore {
  return new SessionStore({
    dataFolder: dataFolder(environment),
    terminalId: currentTerminalId(environment),
  });
}

export function openSession(context: CommandContext, folder: string, choice: SessionChoice): Session | Fault {
  const store = sessionStore(context);
  if (!choice.isKept) return store.inMemory(folder);
  if (choice.resume === undefined)
    return choice.isContinued ? warnOfDamage(context, store.continueRecent(folder)) : store.create(folder);
  const found = store.find(choice.resume, folder);
  if (isFault(found)) return found;
  if (found.where === "here") return warnOfDamage(context, store.open(found.info.path));
  return new Fault(
    "conflict",
    `The session ${found.info.id} belongs to another folder: ${found.info.cwd}.`,
    `Work there (stet -C ${found.info.cwd} --resume ${found.info.id.slice(0, 8)} …), or copy it here: stet sessions fork ${found.info.id.slice(0, 8)}.`,
    { cwd: found.info.cwd },
  );
}

export function warnOfDamage({ terminal }: CommandContext, session: Session | Fault): Session | Fault {
  if (isFault(session)) return session;
  for (const { line, reason, keptIn } of session.damage) {
    const kept = keptIn === undefined ? "" : ` It is kept in ${keptIn}.`;
    const what = `${session.log.path ?? "The session"}, line ${line}: ${reason}.${kept}`;
    terminal.note(`${terminal.style("yellow", "Damaged:")} ${what}\n`);
  }
  return session;
}

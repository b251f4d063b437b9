// The session that the command line asks for, opened. One of another folder is copied here first, and one that another process may
// show is gone on with together or apart, as the person chooses.

import { relative, resolve } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Interactive } from "../interactive.ts";
import type { OpenedFolder } from "./opened-folder.ts";
import { sessionToOpen } from "./session-start.ts";

export async function openFirstSession(app: Interactive, opened: OpenedFolder): Promise<Fault | undefined> {
  const { start, tabs } = app.options;
  // The last one is in front.
  for (const file of tabs) {
    const path = relative(app.root, resolve(app.folder, file));
    const tab = await opened.connection.api.call("openTab", { body: { path } });
    if (isFault(tab)) return tab;
  }
  if (start.kind === "new") return opened.conversation.open(undefined);
  if (start.kind === "pick") {
    const fault = await opened.conversation.open(undefined);
    await app.work.command("resume");
    return fault;
  }
  const id = await sessionToOpen(opened.connection.api, start);
  if (isFault(id) && start.kind === "named") return openElsewhere(app, opened, start.id, id);
  if (isFault(id)) return id;
  if (id === undefined) {
    app.tell("No sessions found. This is a new one.");
    return opened.conversation.open(undefined);
  }
  return opened.kind === "attached" ? openBeside(app, opened, id) : opened.conversation.open(id);
}

/** A session of another folder by the start of its id, as a copy. */
async function openElsewhere(
  app: Interactive,
  opened: OpenedFolder,
  wanted: string,
  unknown: Fault,
): Promise<Fault | undefined> {
  const { api } = opened.connection;
  const first = await opened.conversation.open(undefined);
  if (first !== undefined) return first;
  const found = await api.call("findSessions", { query: { folders: "all", query: wanted, limit: 20 } });
  if (isFault(found)) return found;
  const fitting = found.sessions.filter(({ session_id: id }) => id.startsWith(wanted));
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return unknown;
  const where = visibleName(only.folder);
  if (!(await app.dialogs.confirm(`This session belongs to ${where}. Fork it into this folder?`))) {
    app.tell("No session selected");
    return undefined;
  }
  return openFork(opened, only.session_id);
}

/** Another process has the folder, and may show this very session. */
async function openBeside(app: Interactive, opened: OpenedFolder, id: string): Promise<Fault | undefined> {
  const fault = await opened.conversation.open(id);
  if (fault !== undefined) return fault;
  const isShared = await app.dialogs.choose({
    title: "Another terminal or server has this folder open, and may show this session.",
    choices: [
      { value: true, label: "Attach", detail: "both show the same conversation, and either may answer" },
      { value: false, label: "Fork", detail: "a copy of one's own; the other goes on by itself" },
    ],
    hint: "Enter chooses, Esc attaches",
  });
  return isShared === false ? openFork(opened, id) : undefined;
}

async function openFork(opened: OpenedFolder, id: string): Promise<Fault | undefined> {
  const made = await opened.connection.api.call("forkSession", { params: { session_id: id }, body: {} });
  return isFault(made) ? made : opened.conversation.open(made.session_id);
}

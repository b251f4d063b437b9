// /resume: another session takes the place of the one that is open. One of another folder is copied here first, if the person
// wants that.

import type { FoundSession } from "@stet/protocol/api/session-files";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App } from "../app.ts";
import { SessionPicker } from "./session-picker.ts";

export async function resume(app: App): Promise<void> {
  const chosen = await pickSession(app);
  if (chosen === undefined) {
    app.tell("No session selected");
    return;
  }
  if (chosen.session_id === app.conversation.id) {
    app.tell("This session is open already.");
    return;
  }
  if (chosen.is_here) await app.openSession(chosen.session_id);
  else await forkHere(app, chosen);
}

async function pickSession(app: App): Promise<FoundSession | undefined> {
  let chosen: FoundSession | undefined;
  const current = app.conversation.id;
  const open = (close: () => void) =>
    new SessionPicker(app, {
      current,
      done(session) {
        chosen = session;
        close();
      },
    });
  await app.dialogs.panel(open);
  return chosen;
}

async function forkHere(app: App, { session_id, folder }: FoundSession): Promise<void> {
  const where = visibleName(folder);
  if (!(await app.dialogs.confirm(`This session belongs to ${where}. Fork it into this folder?`))) {
    app.tell("No session selected");
    return;
  }
  const made = await app.api.call("forkSession", { params: { session_id }, body: {} });
  if (isFault(made)) {
    app.tellFault(made);
    return;
  }
  await app.openSession(made.session_id);
  app.tell(`This is a copy of the session of ${where}, which stays as it is.`);
}

// /rename: another title for the session.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App } from "../app.ts";

export async function rename(argument: string, app: App): Promise<void> {
  const { conversation } = app;
  const title =
    argument || (await app.dialogs.ask({ title: "The title of this session", text: conversation.title }));
  if (title === undefined || title.trim() === "") return;
  const id = await conversation.ensure();
  if (isFault(id)) return app.tellFault(id);
  const body = { title: title.trim().slice(0, 200), source: "user" as const };
  const renamed = await app.api.call("renameSession", { params: { session_id: id }, body });
  if (isFault(renamed)) return app.tellFault(renamed);
  await conversation.refresh();
  app.tell(`This session is called "${visibleName(renamed.title)}".`);
}

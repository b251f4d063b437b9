// /branch: a new session that begins like this one up to one of the person's messages, which stands in the prompt again.
// /fork: a new session that is a copy of the whole one.

import { isFault } from "@stet/protocol/fault";
import type { App } from "../app.ts";
import { cleanLine } from "../transcript/rows.ts";

const mostMessages = 20_000;

export async function branchOff(app: App): Promise<void> {
  const { id } = app.conversation;
  const tree =
    id === ""
      ? undefined
      : await app.api.call("sessionTree", {
          params: { session_id: id },
          query: { filter: "user-only", limit: mostMessages },
        });
  if (isFault(tree)) {
    app.tellFault(tree);
    return;
  }
  const messages = (tree?.nodes ?? []).filter((node) => node.is_on_path);
  if (messages.length === 0) {
    app.tell("Nothing was said in this session yet, so there is nothing to branch from.");
    return;
  }
  const entry = await app.dialogs.choose({
    title: "Begin a new session before which message?",
    choices: messages.map(({ entry_id, text, label }) => ({
      value: entry_id,
      label: cleanLine(text),
      ...(label === null ? {} : { detail: `[${cleanLine(label)}]` }),
    })),
    selected: messages.length - 1,
  });
  if (entry === undefined) return;
  const made = await app.api.call("branchOff", { params: { session_id: id }, body: { entry_id: entry } });
  if (isFault(made)) {
    app.tellFault(made);
    return;
  }
  await app.openSession(made.session_id, made.prefill ?? undefined);
  app.tell("This is a new session. The one that it began in stays as it is; /resume goes back to it.");
}

export async function forkSession(app: App): Promise<void> {
  const { id } = app.conversation;
  if (id === "") {
    app.tell("Nothing was said in this session yet, so there is nothing to copy.");
    return;
  }
  const made = await app.api.call("forkSession", { params: { session_id: id }, body: {} });
  if (isFault(made)) {
    app.tellFault(made);
    return;
  }
  await app.openSession(made.session_id);
  app.tell("This is a copy. The session that it was made from stays as it is; /resume goes back to it.");
}

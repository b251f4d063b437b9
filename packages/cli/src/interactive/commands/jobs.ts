// /jobs: what runs in the background and what waits to be told, over the whole screen, or as lines where nothing is drawn over.

import { isFault } from "@stet/protocol/fault";
import type { App } from "../app.ts";
import { deliverNow, dismiss, stopWork } from "../background/agent-actions.ts";
import { JobsPanel } from "../background/jobs-panel.ts";
import { autonomyText, entryOf, jobEntries, wholeText } from "../background/jobs-view.ts";
import { cleanLine, cleanText } from "../transcript/rows.ts";

export const jobsVerbs = ["list", "show", "stop", "tell", "dismiss"] as const;

export async function completeJobs(word: string, app: App): Promise<readonly string[]> {
  const ids = jobEntries(app.background.background).map(({ id }) => id);
  return [...jobsVerbs, ...ids].filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
}

export async function jobs(argument: string, app: App): Promise<void> {
  const [verb = "", id = ""] = argument.split(/\s+/);
  const session = app.conversation.id;
  if (argument === "" && app.dialogs.isLinear !== true) {
    const { api, theme, keys, background } = app;
    const parts = {
      ...{ api, theme, keys, background, session },
      get screen() {
        return app.screen;
      },
      requestRender: () => app.requestRender(),
    };
    return app.dialogs.panel((close) => new JobsPanel(parts, close), { over: "screen" });
  }
  if (session === "") return app.tell("Nothing runs in the background of this session yet.");
  await app.background.refresh();
  const ids = id === "" || id === "all" ? undefined : [id];
  if (verb === "" || verb === "list") return list(app);
  if (verb === "show") return show(app, id);
  const said =
    verb === "stop"
      ? await stopWork(app.api, session, ids)
      : verb === "tell"
        ? await deliverNow(app.api, session, ids)
        : verb === "dismiss"
          ? await dismiss(app.api, session, ids)
          : undefined;
  if (said === undefined)
    app.tell("Say /jobs, or /jobs show ID, stop [ID], tell [ID], dismiss [ID].", "error");
  else if (isFault(said)) app.tellFault(said);
  else app.tell(said);
}

async function list(app: App): Promise<void> {
  const { background } = app.background;
  const now = Date.now();
  const lines = jobEntries(background).map((entry) => {
    const { title, facts, detail } = entryOf(entry, now);
    const state = entry.kind === "waiting" ? `not told, ${facts}` : facts.replace("  ", ", ");
    return `${cleanLine(entry.id)}, ${state}: ${title}${detail === "" ? "" : `. ${detail}`}`;
  });
  const shown = lines.length === 0 ? ["Nothing runs in the background, and nothing waits."] : lines;
  await app.dialogs.page("Background", { render: () => [...shown, autonomyText(background).text] });
}

async function show(app: App, id: string): Promise<void> {
  const entry = jobEntries(app.background.background).find((one) => one.id === id);
  if (entry === undefined) {
    app.tell(
      `There is nothing called ${cleanLine(id) || "that"} in the background. /jobs lists what there is.`,
      "error",
    );
    return;
  }
  const lines = cleanText(wholeText(entry, Date.now()).trimEnd()).split("\n");
  await app.dialogs.page(cleanLine(id), { render: () => lines });
}

// /plan: the agent only reads until its plan is approved.
//
//   /plan ──▶ permission mode plan ──▶ turns that only read ──▶ /plan again, or the end of a turn ──▶ approval
//
// An approval brings the mode of before back; the session is named after the plan, unless the person named it.

import { isFault } from "@stet/protocol/fault";
import { permissionModes } from "@stet/protocol/permission-mode";
import type { App } from "../app.ts";
import { compact } from "./compact.ts";

type Mode = (typeof permissionModes)[number];
type Approval = "execute" | "compact" | "approve" | "keep" | "leave";

/** By session: the mode that was in force before, and the items that were there: an answer among them is no plan. */
const before = new Map<string, { readonly mode: Mode; readonly items: number }>();
const maxSessions = 100;

export async function plan(argument: string, app: App): Promise<void> {
  if (isPlanning(app) && argument === "") return offerApproval(app);
  if (!isPlanning(app) && !(await begin(app))) return;
  if (argument === "") return;
  const fault = await app.conversation.send(argument);
  if (fault !== undefined) app.tellFault(fault);
}

export function isPlanning({ conversation, settings }: App): boolean {
  return (conversation.choices.permission ?? settings["permission.mode"]) === "plan";
}

async function begin(app: App): Promise<boolean> {
  const { conversation, settings } = app;
  const id = await conversation.ensure();
  if (isFault(id)) {
    app.tellFault(id);
    return false;
  }
  const mode = conversation.choices.permission ?? settings["permission.mode"];
  const items = conversation.items.length;
  before.set(id, { mode: permissionModes.find((one) => one === mode) ?? "ask", items });
  const [oldest] = before.keys();
  if (before.size > maxSessions && oldest !== undefined) before.delete(oldest);
  // Only toolset code has permission modes; the others never change a file by themselves.
  const fault = await conversation.choose({ permission: "plan", toolset: "code" });
  if (fault !== undefined) {
    app.tellFault(fault);
    return false;
  }
  app.tell("Plan mode: the agent only reads. When its plan is there, /plan approves it.");
  return true;
}

/** What is to become of the plan; also asked when a turn of plan mode has ended. */
export async function offerApproval(app: App): Promise<void> {
  const text = lastAnswer(app);
  const choice = await app.dialogs.choose<Approval>({
    title: text === undefined ? "Plan mode" : "What about this plan?",
    choices: [
      ...(text === undefined
        ? []
        : ([
            { value: "execute", label: "Approve and execute", detail: "the agent begins at once" },
            {
              value: "compact",
              label: "Approve and compact context",
              detail: "what was read becomes a summary first, then the agent begins",
            },
            { value: "approve", label: "Approve", detail: "leave plan mode; you say when to begin" },
          ] as const)),
      { value: "keep", label: "Keep planning", detail: "say what to change" },
      { value: "leave", label: "Leave plan mode", detail: "without approving anything" },
    ],
  });
  if (choice === undefined || choice === "keep") return;
  if (choice !== "leave" && text !== undefined) await nameAfter(text, app);
  const { conversation, settings } = app;
  const fallback = settings["permission.mode"] === "plan" ? "ask" : settings["permission.mode"];
  const mode = before.get(conversation.id)?.mode ?? fallback;
  if (choice === "compact" && !(await compact("The plan that was approved, word for word.", app))) return;
  const fault = await conversation.choose({ permission: mode === "plan" ? "ask" : mode });
  if (fault !== undefined) return app.tellFault(fault);
  if (choice === "leave" || choice === "approve")
    return app.tell(`Permission mode ${mode}. ${choice === "approve" ? "The plan is approved." : ""}`.trim());
  const sent = await conversation.send("The plan is approved. Carry it out.");
  if (sent !== undefined) app.tellFault(sent);
}

function lastAnswer({ conversation }: App): string | undefined {
  const since = before.get(conversation.id)?.items ?? 0;
  const item = conversation.items
    .slice(since)
    .findLast((one) => one.kind === "assistant" && one.text.trim() !== "");
  return item?.kind === "assistant" ? item.text : undefined;
}

/** A title that the person gave stays. */
async function nameAfter(text: string, app: App): Promise<void> {
  const title = planTitle(text);
  if (title === "") return;
  const body = { title, source: "auto" as const };
  const renamed = await app.api.call("renameSession", { params: { session_id: app.conversation.id }, body });
  if (isFault(renamed)) app.tellFault(renamed);
  else await app.conversation.refresh();
}

const maxTitle = 80;

/** The first heading, else the first line: runs of - and _ are spaces, and the first letter is a capital. */
export function planTitle(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.find((line) => /^#+\s/.test(line)) ?? lines.find((line) => line !== "") ?? "";
  const words = first
    .replace(/^#+\s*/, "")
    .replace(/[*`]/g, "")
    .replace(/[-_]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxTitle);
  return words === "" ? "" : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

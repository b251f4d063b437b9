// /permissions: the mode, every rule in force with where it came from, and taking one back.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { isFault } from "@stet/protocol/fault";
import { permissionModes } from "@stet/protocol/permission-mode";
import { visibleName } from "@stet/protocol/visible";
import type { App, Choice } from "../app.ts";

type Permissions = Reply<Routes["listPermissions"]>;
type Rule = Permissions["rules"][number];
type Row = { readonly kind: "mode" } | { readonly kind: "rule"; readonly rule: Rule };

export const modeWords: Readonly<Record<(typeof permissionModes)[number], string>> = {
  plan: "only reads",
  ask: "asks before each change and each command that it does not know",
  "auto-edit": "edits without a question, asks before commands",
  full: "does everything without a question",
};

export async function permissions(argument: string, app: App): Promise<void> {
  if (argument !== "") return choose(argument, app);
  for (;;) {
    const { id } = app.conversation;
    const query = id === "" ? {} : { session_id: id };
    const listed = await app.api.call("listPermissions", { query });
    if (isFault(listed)) return app.tellFault(listed);
    if (listed.problem !== null) app.tell(visibleName(listed.problem), "warning");
    const row = await app.dialogs.choose<Row>({
      title: "What toolset code may do without a question",
      choices: rowsOf(listed),
      hint: "Enter changes the mode or takes a rule back, Esc closes",
    });
    if (row === undefined) return;
    if (row.kind === "mode") await choose(await pickMode(listed.mode, app), app);
    else await remove(row.rule, app);
  }
}

function rowsOf({ mode, mode_source: source, rules }: Permissions): Choice<Row>[] {
  return [
    { value: { kind: "mode" }, label: `mode ${mode}`, detail: `${modeWords[mode]} (${source})` },
    ...rules.toReversed().map((rule): Choice<Row> => {
      const from = rule.from === "" ? "" : ` ${visibleName(rule.from)}`;
      return {
        value: { kind: "rule", rule },
        label: `${rule.effect} ${visibleName(rule.tool)} ${visibleName(rule.target)}`,
        detail: `${rule.source}${from}`,
      };
    }),
  ];
}

function pickMode(current: string, app: App): Promise<string | undefined> {
  return app.dialogs.choose<string>({
    title: "Permission mode of this session",
    choices: permissionModes.map((mode) => ({ value: mode, label: mode, detail: modeWords[mode] })),
    selected: Math.max(0, [...permissionModes].map(String).indexOf(current)),
  });
}

async function choose(wanted: string | undefined, app: App): Promise<void> {
  if (wanted === undefined) return;
  const mode = permissionModes.find((one) => one === wanted);
  if (mode === undefined) return app.tell(`The mode is one of ${permissionModes.join(", ")}.`, "error");
  const fault = await app.conversation.choose({ permission: mode });
  if (fault !== undefined) app.tellFault(fault);
  else app.tell(`Permission mode ${mode}: ${modeWords[mode]}.`);
}

async function remove({ source, from, ...rule }: Rule, app: App): Promise<void> {
  if (source === "configuration") {
    app.tell(`This rule is of ${from === "" ? "the configuration" : visibleName(from)}: change it there.`);
    return;
  }
  const what = `${rule.effect} ${visibleName(rule.tool)} ${visibleName(rule.target)}`;
  if (!(await app.dialogs.confirm(`Take back the rule "${what}"?`))) return;
  const { id } = app.conversation;
  const session = id === "" ? {} : { session_id: id };
  const removed = await app.api.call("removePermission", { body: { ...rule, source, ...session } });
  if (isFault(removed)) return app.tellFault(removed);
  app.tell(removed.removed ? `Taken back: ${what}.` : "That rule was gone already.");
}

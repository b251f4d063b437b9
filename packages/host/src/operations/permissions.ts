// The rules of permission in force, and taking one back.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { listProjectRules, removeProjectRule } from "@stet/tools/permission/project-rules";
import type { Host } from "../host.ts";
import { keptChoices } from "../turn/session-choices.ts";

export function permissionOperations(host: Host) {
  const { sessions, sessionRules, workspace } = host;

  return {
    async listPermissions({ query }) {
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const { session_id: id } = query;
      const session = id === undefined ? undefined : await sessions.find(id);
      if (isFault(session)) return session;
      const { settings, origins } = configured;
      const originOf = (name: string) => origins.find((origin) => origin.name === name);
      const chosen = session === undefined ? undefined : keptChoices(session)["permission.mode"];
      const { rules, problem } = listProjectRules(workspace.stateFolder);
      const from = originOf("permission.rules")?.from ?? "";
      return {
        mode: chosen ?? settings["permission.mode"],
        mode_source: chosen === undefined ? (originOf("permission.mode")?.source ?? "default") : "session",
        rules: [
          ...settings["permission.rules"].map((rule) => {
            return { ...rule, source: "configuration" as const, from };
          }),
          ...rules.map((rule) => ({ ...rule, source: "project" as const, from: "" })),
          ...(id === undefined ? [] : sessionRules.list(id)).map((rule) => {
            return { ...rule, source: "session" as const, from: "" };
          }),
        ],
        problem: problem ?? null,
      };
    },

    async removePermission({ body }) {
      const { source, session_id: session, ...rule } = body;
      if (source === "session" && session === undefined) return noSession();
      const removed =
        source === "session" && session !== undefined
          ? sessionRules.remove(session, rule)
          : removeProjectRule(workspace.stateFolder, rule);
      return isFault(removed) ? removed : { removed };
    },
  } satisfies Partial<Operations>;
}

function noSession(): Fault {
  return new Fault(
    "invalid_arguments",
    "It is not said which session the rule was given for.",
    "Name it in session_id.",
  );
}

// The question for permission: exactly what would be allowed, with everything visible that could hide something, each part
// that needs permission and why, and what "always" would mean.

import type { ToolContext } from "@stet/agent/tool";
import { briefValue } from "@stet/protocol/cut-text";
import type { Permission, PermissionOption } from "@stet/protocol/question";
import { visible as visibleText } from "@stet/protocol/visible";
import type { JudgedPart, Judgement } from "./judge.ts";
import type { PermissionRequest, PermissionRule, PermissionTarget } from "./permission-rule.ts";
import { ruleInWords } from "./remembered-rules.ts";
import { visible } from "./shell-text.ts";

export interface Running {
  readonly isSandboxed: boolean;
  readonly network: boolean;
}

export function questionOf(
  { tool, targets }: PermissionRequest,
  call: Pick<ToolContext, "callId" | "given">,
  { parts }: Judgement,
  rules: readonly PermissionRule[] | undefined,
  running: Running | undefined,
): Permission {
  // Of a plain edit of a file the target says everything.
  const asked = parts.filter((part) => part.effect === "ask" && part.class !== "writeInside");
  return {
    kind: "permission",
    tool,
    tool_call_id: call.callId,
    arguments: briefValue(call.given()),
    targets: targets.map(targetOf),
    reasons: asked.map(reasonOf),
    running: running === undefined ? null : { sandbox: running.isSandboxed, network: running.network },
    options: optionsFor(rules ?? []),
  };
}

function targetOf(target: PermissionTarget): Permission["targets"][number] {
  switch (target.kind) {
    case "command":
      return { kind: "command", command: visible(target.command), folder: visible(target.folder) };
    case "url":
      return { kind: "url", url: visible(target.url) };
    case "send":
      return {
        kind: "send",
        what: visible(target.what),
        url: visible(target.url),
        content: visibleText(target.content),
      };
    case "path":
      return { kind: "path", path: visible(target.path), access: target.access };
  }
}

function reasonOf({ source, subject, why }: JudgedPart): Permission["reasons"][number] {
  if (subject.kind === "network") return { source: "the network", reason: why };
  const text = visible(source).replace(/\s+/g, " ");
  return { source: text.length > 200 ? `${text.slice(0, 200)}…` : text, reason: visible(why) };
}

function optionsFor(rules: readonly PermissionRule[]): PermissionOption[] {
  const once: PermissionOption = { id: "allow_once", kind: "allow_once", scope: null };
  const deny: PermissionOption = { id: "deny", kind: "deny", scope: null };
  if (rules.length === 0) return [once, deny];
  const scope = visible(rules.map(ruleInWords).join(", and "));
  return [
    once,
    { id: "allow_session", kind: "allow_session", scope },
    { id: "allow_project", kind: "allow_project", scope },
    deny,
  ];
}

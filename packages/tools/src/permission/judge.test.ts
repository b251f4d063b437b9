import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import cases from "./cases.json" with { type: "json" };
import { type JudgeSetting, judge } from "./judge.ts";
import type { PermissionMode, PermissionRule } from "./permission-rule.ts";
import type { Place } from "./place.ts";

const place: Place = {
  root: "/home/me/project",
  home: "/home/me",
  realPath: (absolute) => posix.normalize(absolute),
  isRepository: true,
  entriesIn: () => [],
  git: { tracked: () => [], known: () => [], unignored: (paths) => paths },
};

interface Case {
  readonly command: string;
  readonly mode: string;
  readonly effect: string;
  readonly why: string;
  readonly sandbox?: boolean;
  readonly folder?: string;
  readonly rules?: readonly { tool: string; target: string; effect: string }[];
}

function settingOf(rules: readonly PermissionRule[], more: Partial<JudgeSetting> = {}): JudgeSetting {
  return { mode: "ask", rules, remembered: [], place, hasSandbox: false, sandboxNetwork: false, ...more };
}

function judged({ command, folder = ".", mode, rules = [], sandbox = false }: Case) {
  const setting = settingOf(rules as readonly PermissionRule[], {
    mode: mode as PermissionMode,
    hasSandbox: sandbox,
  });
  return judge({ tool: "bash", targets: [{ kind: "command", command, folder, network: false }] }, setting);
}

test("every known command line is judged as written down", () => {
  const wrong: string[] = [];
  for (const entry of cases as readonly Case[]) {
    const { effect, parts } = judged(entry);
    if (effect === entry.effect) continue;
    const why = parts.map((part) => `${part.effect} ${part.class}: ${part.why}`).join("; ");
    wrong.push(`${entry.mode} ${JSON.stringify(entry.command)}: ${effect}, not ${entry.effect} (${why})`);
  }
  assert.deepEqual(wrong, []);
});

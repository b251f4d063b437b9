import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import type { PermissionMode } from "@stet/protocol/permission-mode";
import cases from "./cases.json" with { type: "json" };
import { examineCommand } from "./examine-command.ts";
import { type JudgeSetting, judge } from "./judge.ts";
import type { PathContext } from "./path-context.ts";
import type { PermissionRule } from "./permission-rule.ts";

const place: PathContext = {
  root: "/home/me/project",
  home: "/home/me",
  realPath: (absolute) => posix.normalize(absolute),
  entriesIn: () => [],
  git: { tracked: () => [], known: () => [], unignored: (paths) => paths },
  shell: "bash",
  isWritableProgram: () => false,
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
  return judge(
    { tool: "bash", targets: [{ kind: "command", command, folder, network: false }] },
    setting,
    examineCommand,
  );
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

test("a program that commands can have written is never taken for one that only reads", () => {
  const writable = new Set(["eslint", "rg", "timeout"]);
  const found = { ...place, isWritableProgram: (name: string) => writable.has(name) };
  for (const hasSandbox of [true, false]) {
    const effect = (command: string, mode: PermissionMode) => {
      const target = { kind: "command", command, folder: ".", network: false } as const;
      return judge(
        { tool: "bash", targets: [target] },
        settingOf([], { mode, hasSandbox, place: found }),
        examineCommand,
      ).effect;
    };
    for (const command of [
      "eslint --version",
      "rg foo",
      "ls | rg foo",
      "timeout 5 ls",
      "env rg foo",
      "./ls",
      "bin/cat a",
    ]) {
      assert.equal(effect(command, "plan"), "deny", command);
      assert.equal(effect(command, "ask"), "ask", command);
      assert.equal(effect(command, "auto-edit"), hasSandbox ? "allow" : "ask", command);
    }
    assert.equal(effect("ls", "plan"), "allow");
  }
});

// Bad input as folders of cases: what a model may get wrong, and what it must be told. Anyone can add a folder.
//
//   cases/<name>/case.json
//     about       what the case shows
//     documents   [{ title, text } | { title, repeat: { line, times } } | { title, base64 }], opened in tabs in this order
//     active      which document is in front; the first unless given
//     calls       [{ tool, arguments, expect, isError }], one message each
//     subagents   how they behave: "fail", "stall", "nonsense", "silent"; there are none unless given
//     close       tabs that the person closes before the calls, by the place of their document
//     unchanged   true where no document may have changed
//
// In arguments, "$version" is the version that the last call returned and "$tab:1" the tab of documents[1]. In `expect`,
// objects match by the fields they name, arrays element by element, and a string "/…/" is a pattern.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { callTool } from "@stet/agent/call-tool";
import { Subagents } from "@stet/agent/subagents";
import type { Tool } from "@stet/agent/tool";
import { Budget } from "@stet/model/budget";
import { isRecord } from "@stet/protocol/json-record";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { modelOf, type PlayedReply } from "./model-of.ts";
import { must, TestWorkspace } from "./workspace.ts";

interface CaseDocument {
  readonly title: string;
  readonly text?: string;
  readonly repeat?: { readonly line: string; readonly times: number };
  readonly base64?: string;
}

interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly expect?: unknown;
  readonly isError?: boolean;
}

interface Case {
  readonly about: string;
  readonly documents: readonly CaseDocument[];
  readonly active?: number;
  readonly calls: readonly Call[];
  readonly unchanged?: boolean;
  readonly subagents?: Misbehaviour;
  readonly close?: readonly number[];
}

/** What subagents of a case get wrong. */
export type Misbehaviour = "fail" | "stall" | "nonsense" | "silent";

export interface CaseFixture {
  readonly workspace: Workspace;
  readonly turn: Turn;
  /** Of the documents that are text, in the order of the case. */
  readonly documents: readonly number[];
  /** Undefined where the case has none. */
  readonly subagents: Subagents | undefined;
}

/** One test for each folder; `open` gives the tools over the case's documents. */
export function runToolCases(
  folder: URL,
  open: (fixture: CaseFixture, t: TestContext) => readonly Tool[],
): void {
  const path = fileURLToPath(folder);
  for (const name of readdirSync(path).sort()) {
    test(`case ${name}`, async (t) => {
      const content: Case = JSON.parse(readFileSync(join(path, name, "case.json"), "utf8"));
      await runCase(t, content, open);
    });
  }
}

async function runCase(
  t: TestContext,
  { documents, active = 0, calls, unchanged, subagents, close = [] }: Case,
  open: (fixture: CaseFixture, t: TestContext) => readonly Tool[],
): Promise<void> {
  const files = Object.fromEntries(documents.map((document) => [document.title, contentOf(document)]));
  const workspace = await new TestWorkspace(t, files).open();
  const tabs = documents.map(({ title }) => must(workspace.tabs.open(title)).tab_id);
  const front = tabs[active];
  if (front !== undefined) must(workspace.tabs.activate(front));
  for (const index of close) must(workspace.tabs.close(tabs[index] ?? ""));
  const turn = must(workspace.beginLockedTurn({ summary: "case" }));
  // Hooks run in the order they came: the workspace may be closed by then.
  t.after(() => (workspace.isOpen ? turn.discard() : undefined));
  const texts = documents.flatMap(({ title, base64 }) => (base64 === undefined ? [title] : []));
  const ids = texts.map((title) => must(workspace.documents.open(title)).id);
  const before = ids.map((id) => must(turn.read(id)).text);
  const tools = open({ workspace, turn, documents: ids, subagents: subagents && misbehaving(subagents) }, t);
  let version = "1";
  for (const [index, call] of calls.entries()) {
    const called = await callTool(
      {
        type: "toolCall",
        id: `call_${index}`,
        name: call.tool,
        arguments: filledIn(call.arguments, version, tabs),
      },
      { batch: String(index), tools, signal: AbortSignal.timeout(60_000), progress: () => {} },
    );
    const text = called.result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const result: unknown = JSON.parse(text);
    const where = `call ${index} (${call.tool})`;
    if (call.isError !== undefined) {
      assert.equal(called.result.isError, call.isError, `${where}: ${text.slice(0, 500)}`);
    }
    if (call.expect !== undefined) assertFits(result, call.expect, where);
    if (isRecord(result) && typeof result.version === "string") version = result.version;
  }
  if (unchanged) {
    for (const [index, id] of ids.entries()) {
      const after = must(turn.read(id)).text;
      assert.ok(before[index]?.eq(after), `${texts[index]} has changed`);
    }
  }
}

function misbehaving(how: Misbehaviour): Subagents {
  const replies: Readonly<Record<Misbehaviour, PlayedReply>> = {
    fail: { failure: { kind: "server", message: "The server is down." } },
    stall: { delayMs: 60_000 },
    nonsense: { text: "Bananas are yellow." },
    silent: {},
  };
  return new Subagents({ model: modelOf(() => replies[how]), budget: new Budget("case"), stallMs: 100 });
}

function contentOf({ text, repeat, base64 }: CaseDocument): string | Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  return repeat === undefined ? (text ?? "") : repeat.line.repeat(repeat.times);
}

function filledIn(
  value: Readonly<Record<string, unknown>>,
  version: string,
  tabs: readonly string[],
): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, argument]) => {
    if (argument === "$version") return [name, version];
    const tab = typeof argument === "string" ? /^\$tab:(\d+)$/.exec(argument)?.[1] : undefined;
    return [name, tab === undefined ? argument : tabs[Number(tab)]];
  });
  return Object.fromEntries(entries);
}

/** Whether a value has what is expected of it; more fields are all right. */
export function assertFits(value: unknown, expected: unknown, where: string): void {
  if (typeof expected === "string" && /^\/.+\/$/s.test(expected)) {
    assert.match(String(value), new RegExp(expected.slice(1, -1), "u"), where);
    return;
  }
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(value), `${where} is no list: ${JSON.stringify(value)?.slice(0, 200)}`);
    assert.equal(value.length, expected.length, `${where} has another length`);
    for (const [index, item] of expected.entries()) assertFits(value[index], item, `${where}[${index}]`);
    return;
  }
  if (isRecord(expected)) {
    assert.ok(isRecord(value), `${where} is no object: ${JSON.stringify(value)?.slice(0, 200)}`);
    for (const [name, item] of Object.entries(expected)) assertFits(value[name], item, `${where}.${name}`);
    return;
  }
  assert.deepEqual(value, expected, where);
}

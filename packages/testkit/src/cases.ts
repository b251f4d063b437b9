// Calls of tools as folders of cases, for the edit formats of toolset code, for tabs and for paper. Anyone can add a folder.
//
//   cases/…/<name>/case.json
//     about      what the case shows
//     files      what is there before, by path: its text, { repeat: { line, times } } or { base64 }
//     settings   of toolset code, where they matter
//     active     of the tabs that tabs and paper open, which file is in front; the first unless given
//     close      tabs that the person closes before the calls
//     subagents  how they behave: "fail", "stall", "nonsense", "silent"; there are none unless given
//     steps      in order, one of
//                { read: path, from?, to? }       the model is shown the file, or these lines of it
//                { person: path, edits }          the person edits it (see LineEdit of @stet/text)
//                { disk: path, content }          another program writes it; null deletes it
//                { tool?, call, … }               one message with one call; `edit` unless a tool is named
//                { calls: [{ tool?, call, … }] }  one message with several
//     after      what is there then, by path; null where nothing is
//     unchanged  true where no file may have changed
//
// A call is made, and `answer` fits what the model is told; with `refused` it is refused, and that fits the refusal. Objects
// match by the fields they name, arrays element by element, and a string "/…/" is a pattern. In arguments "$version" is the
// version that the last call returned, and "$tab:path" the tab of a file.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { callTool } from "@stet/agent/call-tool";
import { Subagents } from "@stet/agent/subagents";
import type { Tool } from "@stet/agent/tool";
import { Budget } from "@stet/model/budget";
import { isRecord } from "@stet/protocol/json-record";
import type { LineEdit } from "@stet/text/edits";
import { type CodeSettings, editModes } from "@stet/tools/code/code-settings";
import { editToolFor } from "@stet/tools/code/edit/edit-tools";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { openCodeFixture } from "./code-fixture.ts";
import { modelOf, type PlayedReply } from "./model-of.ts";
import { readLines } from "./read-anchors.ts";
import { must, personEdits, TestWorkspace } from "./workspace.ts";

interface Call {
  readonly tool?: string;
  readonly call: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
  readonly refused?: unknown;
}

type Step =
  | Call
  | { readonly calls: readonly Call[] }
  | { readonly read: string; readonly from?: number; readonly to?: number }
  | { readonly person: string; readonly edits: readonly LineEdit[] }
  | { readonly disk: string; readonly content: string | null };

type CaseFile =
  | string
  | { readonly repeat: { readonly line: string; readonly times: number } }
  | { readonly base64: string };

interface Case {
  readonly about: string;
  readonly files: Readonly<Record<string, CaseFile>>;
  readonly settings?: Partial<CodeSettings>;
  readonly active?: number;
  readonly close?: readonly string[];
  readonly subagents?: Misbehaviour;
  readonly steps: readonly Step[];
  readonly after?: Readonly<Record<string, string | null>>;
  readonly unchanged?: boolean;
}

/** What subagents of a case get wrong. */
export type Misbehaviour = "fail" | "stall" | "nonsense" | "silent";

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** A case that is set up. */
interface OpenCase {
  callAll(calls: readonly { tool: string; input: Record<string, unknown> }[]): Promise<readonly Answer[]>;
  read(path: string, from: number, to: number): void;
  person(path: string, edits: readonly LineEdit[]): void;
  disk(path: string, content: string | null): void;
  content(path: string): string | null;
  readonly tabs: ReadonlyMap<string, string>;
}

/** One test for each folder of each format of toolset code. */
export function runEditCases(folder: URL): void {
  for (const format of readdirSync(fileURLToPath(folder)).sort()) {
    const editMode = editModes.find((each) => each === format);
    assert.ok(editMode !== undefined, `${format} is no edit format`);
    runFolder(join(fileURLToPath(folder), format), `${format}: `, async (t, { files, settings }) => {
      const options = { files: contentsOf(files), settings: { ...settings, editMode } };
      const fixture = await openCodeFixture(t, [await editToolFor(editMode)], options);
      const { workspace, context, place } = fixture;
      return {
        tabs: new Map(),
        callAll: (calls) => fixture.callAll(calls),
        read: (path, from, to) => readLines(fixture, path, from, to),
        person: (path, edits) => personEdits(workspace, must(context.files.open(path)).document, ...edits),
        disk: (path, content) => write(place.path(path), content),
        content: (path) => (existsSync(place.path(path)) ? readFileSync(place.path(path), "utf8") : null),
      };
    });
  }
}

export interface CaseFixture {
  readonly workspace: Workspace;
  readonly turn: Turn;
  /** Of the files that are text, in the order of the case. */
  readonly documents: readonly number[];
  /** Undefined where the case has none. */
  readonly subagents: Subagents | undefined;
}

/** One test for each folder; `open` gives the tools over the case's files, which are open in tabs. */
export function runToolCases(folder: URL, open: (fixture: CaseFixture) => readonly Tool[]): void {
  runFolder(fileURLToPath(folder), "", async (t, { files, active = 0, close = [], subagents }) => {
    const place = new TestWorkspace(t, contentsOf(files));
    const workspace = await place.open();
    const paths = Object.keys(files);
    const tabs = new Map(paths.map((path) => [path, must(workspace.tabs.open(path)).tab_id]));
    const front = tabs.get(paths[active] ?? "");
    if (front !== undefined) must(workspace.tabs.activate(front));
    for (const path of close) must(workspace.tabs.close(tabs.get(path) ?? ""));
    const turn = must(workspace.beginLockedTurn({ summary: "case" }));
    // Hooks run in the order they came: the workspace may be closed by then.
    t.after(() => (workspace.isOpen ? turn.discard() : undefined));
    const texts = paths.filter((path) => !isBinary(files[path]));
    const ids = new Map(texts.map((path) => [path, must(workspace.documents.open(path)).id]));
    const idOf = (path: string) => ids.get(path) ?? must(workspace.documents.open(path)).id;
    const documents = [...ids.values()];
    const tools = open({ workspace, turn, documents, subagents: subagents && misbehaving(subagents) });
    let batch = 0;
    return {
      tabs,
      async callAll(calls) {
        batch += 1;
        const answers: Answer[] = [];
        for (const [index, { tool: name, input }] of calls.entries()) {
          const call = { type: "toolCall", id: `call_${batch}_${index}`, name, arguments: input } as const;
          const signal = AbortSignal.timeout(60_000);
          const { result } = await callTool(call, {
            batch: String(batch),
            tools,
            signal,
            progress: () => {},
          });
          const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
          answers.push({ text, isError: result.isError });
        }
        return answers;
      },
      read: (path) => assert.fail(`${path} is read by a tool`),
      person: (path, edits) => personEdits(workspace, idOf(path), ...edits),
      disk: (path, content) => write(place.path(path), content),
      content: (path) => must(turn.read(idOf(path))).text.toString(),
    };
  });
}

function runFolder(
  path: string,
  prefix: string,
  open: (t: TestContext, content: Case) => Promise<OpenCase>,
): void {
  for (const name of readdirSync(path).sort()) {
    const content: Case = JSON.parse(readFileSync(join(path, name, "case.json"), "utf8"));
    test(`${prefix}${content.about}`, async (t) => {
      const opened = await open(t, content);
      const texts = Object.keys(content.files).filter((file) => !isBinary(content.files[file]));
      const before = content.unchanged ? texts.map((file) => opened.content(file)) : [];
      const version = { last: "1" };
      for (const [index, step] of content.steps.entries()) await take(opened, step, version, `step ${index}`);
      for (const [file, expected] of Object.entries(content.after ?? {}))
        assert.equal(opened.content(file), expected, file);
      for (const [index, text] of before.entries())
        assert.ok(opened.content(texts[index] ?? "") === text, `${texts[index]} has changed`);
    });
  }
}

async function take(opened: OpenCase, step: Step, version: { last: string }, where: string): Promise<void> {
  if ("read" in step) opened.read(step.read, step.from ?? 1, step.to ?? Number.POSITIVE_INFINITY);
  else if ("person" in step) opened.person(step.person, step.edits);
  else if ("disk" in step) opened.disk(step.disk, step.content);
  else {
    const calls = "calls" in step ? step.calls : [step];
    const inputs = calls.map(({ tool = "edit", call }) => {
      return { tool, input: filledIn(call, version.last, opened.tabs) };
    });
    const answers = await opened.callAll(inputs);
    for (const [index, call] of calls.entries()) {
      const told = check(answers[index], call, `${where} (${call.tool ?? "edit"})`);
      if (isRecord(told) && typeof told.version === "string") version.last = told.version;
    }
  }
}

/** What the model is told, where that is an object. */
function check(given: Answer | undefined, { answer, refused }: Call, where: string): unknown {
  const { text = "", isError = true } = given ?? {};
  assert.equal(isError, refused !== undefined, `${where}: ${text.slice(0, 500)}`);
  const told: unknown = /^\s*[{[]/.test(text) ? JSON.parse(text) : text;
  if ((refused ?? answer) !== undefined) assertFits(told, refused ?? answer, where);
  return told;
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

function isBinary(file: CaseFile | undefined): boolean {
  return typeof file === "object" && "base64" in file;
}

function contentsOf(files: Case["files"]): Record<string, string | Uint8Array> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => {
      if (typeof file === "string") return [path, file];
      return [
        path,
        "base64" in file ? Buffer.from(file.base64, "base64") : file.repeat.line.repeat(file.repeat.times),
      ];
    }),
  );
}

function write(absolute: string, content: string | null): void {
  mkdirSync(dirname(absolute), { recursive: true });
  if (content === null) unlinkSync(absolute);
  else writeFileSync(absolute, content);
}

function filledIn(
  value: Readonly<Record<string, unknown>>,
  version: string,
  tabs: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, argument]) => {
    if (argument === "$version") return [name, version];
    const path = typeof argument === "string" ? /^\$tab:(.+)$/.exec(argument)?.[1] : undefined;
    return [name, path === undefined ? argument : tabs.get(path)];
  });
  return Object.fromEntries(entries);
}

/** Whether a value has what is expected of it; more fields are all right. */
function assertFits(value: unknown, expected: unknown, where: string): void {
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

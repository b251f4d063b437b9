// Edits of files as folders of cases, for every edit format of toolset code. Anyone can add a folder.
//
//   cases/<format>/<name>/case.json
//     about     what the case shows
//     files     what is there before, by path
//     settings  of the toolset, where they matter
//     steps     in order, one of
//               { read: path, from?, to? }       the model is shown the file, or these lines of it
//               { person: path, edits }          the person edits it (see LineEdit of @stet/text)
//               { disk: path, content }          another program writes it; null deletes it
//               { call: arguments, expect? }     one message with one call of the tool `edit`
//               { calls: [{ call, expect? }] }   one message with several
//     after     what is there then, by path; null where nothing is
//
// A call without `expect` is made. Otherwise it is refused, and `expect` fits what the model is told: objects match by the
// fields they name, arrays element by element, and a string "/…/" is a pattern.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { LineEdit } from "@stet/text/edits";
import { type CodeSettings, type EditMode, editModes } from "@stet/tools/code/code-settings";
import { editToolFor } from "@stet/tools/code/edit/edit-tools";
import { type CodeAnswer, type CodeFixture, openCodeFixture } from "./code-fixture.ts";
import { readLines } from "./read-anchors.ts";
import { assertFits } from "./tool-cases.ts";
import { must, personEdits } from "./workspace.ts";

interface EditCall {
  readonly call: Readonly<Record<string, unknown>>;
  readonly expect?: unknown;
}

type Step =
  | EditCall
  | { readonly calls: readonly EditCall[] }
  | { readonly read: string; readonly from?: number; readonly to?: number }
  | { readonly person: string; readonly edits: readonly LineEdit[] }
  | { readonly disk: string; readonly content: string | null };

interface EditCase {
  readonly about: string;
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: Partial<CodeSettings>;
  readonly steps: readonly Step[];
  readonly after: Readonly<Record<string, string | null>>;
}

/** One test for each folder of each format. */
export function runEditCases(folder: URL): void {
  const path = fileURLToPath(folder);
  for (const format of readdirSync(path).sort()) {
    const mode = editModes.find((each) => each === format);
    assert.ok(mode !== undefined, `${format} is no edit format`);
    for (const name of readdirSync(join(path, format)).sort()) {
      const content: EditCase = JSON.parse(readFileSync(join(path, format, name, "case.json"), "utf8"));
      test(`${format}: ${content.about}`, (t) => runCase(t, mode, content));
    }
  }
}

async function runCase(
  t: TestContext,
  editMode: EditMode,
  { files, settings, steps, after }: EditCase,
): Promise<void> {
  const tool = await editToolFor(editMode);
  const fixture = await openCodeFixture(t, [tool], { files, settings: { ...settings, editMode } });
  for (const [index, step] of steps.entries()) await take(fixture, step, `step ${index}`);
  for (const [path, content] of Object.entries(after)) {
    const absolute = fixture.place.path(path);
    assert.equal(existsSync(absolute) ? readFileSync(absolute, "utf8") : null, content, path);
  }
}

async function take(fixture: CodeFixture, step: Step, where: string): Promise<void> {
  if ("read" in step) readLines(fixture, step.read, step.from ?? 1, step.to ?? Number.POSITIVE_INFINITY);
  else if ("person" in step)
    personEdits(fixture.workspace, must(fixture.context.files.open(step.person)).document, ...step.edits);
  else if ("disk" in step) write(fixture.place.path(step.disk), step.content);
  else {
    const calls = "calls" in step ? step.calls : [step];
    const answers = await fixture.callAll(calls.map(({ call }) => ({ tool: "edit", input: call })));
    for (const [index, { expect }] of calls.entries()) check(answers[index], expect, where);
  }
}

function check(answer: CodeAnswer | undefined, expected: unknown, where: string): void {
  if (expected === undefined) assert.equal(answer?.error, undefined, `${where}: ${answer?.text}`);
  else assertFits(JSON.parse(answer?.isError ? answer.text : "{}"), expected, where);
}

function write(absolute: string, content: string | null): void {
  mkdirSync(dirname(absolute), { recursive: true });
  if (content === null) unlinkSync(absolute);
  else writeFileSync(absolute, content);
}

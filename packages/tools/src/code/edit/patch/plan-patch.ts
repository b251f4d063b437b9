// From the sections of a patch to steps on files: everything is found and checked before anything changes.
//
// A model writes hunks for what it was shown, so they are looked for there first (locate-hunks.ts), and followed from there
// through everything that happened since. Several updates of one file follow each other, each on what the one before left. A
// file that moves is made anew with its own bytes and the edits, and taken away where it was.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { startHistory } from "@stet/text/history";
import { rawLines } from "@stet/text/lines";
import { followedText } from "../../../locate/followed-edits.ts";
import type { Hunk, NamedHunk } from "../../../locate/hunk.ts";
import { edited } from "../../../locate/hunk-edits.ts";
import { type LocatedHunks, locateHunks } from "../../../locate/locate-hunks.ts";
import { isMiss, refusalOf } from "../../../locate/miss.ts";
import type { PlacedHunk } from "../../../locate/place-hunks.ts";
import type { CodeContext } from "../../code-context.ts";
import type { FileStep, OpenFile } from "../../code-files.ts";
import { rootPath } from "../../root-path.ts";
import { noChange } from "../edit-faults.ts";
import { generatedFault } from "../generated-file.ts";
import { changedSinceShown } from "./changed-since-shown.ts";
import type { PatchSection } from "./envelope.ts";
import { invalidPatch } from "./patch-hunk.ts";

export interface PatchRules {
  /** Whether a new file may take the place of one that exists. */
  readonly overwrites: boolean;
}

export interface PlannedPatch {
  readonly steps: readonly FileStep[];
  /** For each step the path that the file had before, where it moves. */
  readonly movedFrom: ReadonlyMap<FileStep, OpenFile>;
  readonly warnings: readonly string[];
}

type UpdateSection = Extract<PatchSection, { op: "update" }>;

interface Working {
  readonly file: OpenFile;
  readonly text: Text;
  readonly revision: number;
}

export function planPatch(
  context: Pick<CodeContext, "workspace" | "files" | "sight" | "display">,
  sections: readonly PatchSection[],
  rules: PatchRules,
): PlannedPatch | Fault {
  const planner = new Planner(context, rules);
  for (const [index, section] of sections.entries()) {
    // A file that is deleted and added is a file with other content.
    const path = rootPath(context.workspace, section.path);
    const isReplaced = sections.slice(index + 1).some((later) => {
      return later.op === "add" && rootPath(context.workspace, later.path) === path;
    });
    if (section.op === "delete" && isReplaced) continue;
    const fault = planner.plan(section, path);
    if (fault !== undefined) return fault;
  }
  return planner;
}

/** What a patch would do, as steps that can be tried out: a file that moves is shown where it is. */
export function previewSteps(
  context: CodeContext,
  sections: readonly PatchSection[],
  rules: PatchRules,
): readonly FileStep[] | undefined {
  const planned = planPatch(context, sections, rules);
  if (isFault(planned)) return undefined;
  const moved = new Set(planned.movedFrom.values());
  return planned.steps.flatMap((step): FileStep[] => {
    if (step.kind === "copy") return [whole(step.file, { op: "set_raw", lines: step.lines })];
    return step.kind === "remove" && moved.has(step.file) ? [] : [step];
  });
}

class Planner implements PlannedPatch {
  readonly steps: FileStep[] = [];
  readonly movedFrom = new Map<FileStep, OpenFile>();
  readonly warnings: string[] = [];
  readonly #context: Pick<CodeContext, "workspace" | "files" | "sight" | "display">;
  readonly #rules: PatchRules;
  readonly #working = new Map<number, Working>();
  /** Paths that are made or taken away: no other section may name them. */
  readonly #settled = new Set<string>();

  constructor(context: Pick<CodeContext, "workspace" | "files" | "sight" | "display">, rules: PatchRules) {
    this.#context = context;
    this.#rules = rules;
  }

  plan(section: PatchSection, path: string): Fault | undefined {
    if (this.#settled.has(path)) return namedTwice(section.line, path);
    if (section.op === "add") return this.#add(path, section);
    const file = this.#context.files.open(path);
    if (isFault(file)) return file;
    if (section.op === "update")
      return generatedFault(file.path, file.history.text) ?? this.#update(section, file);
    if (this.#working.has(file.document)) return namedTwice(section.line, path);
    const changed = changedSinceShown(this.#context, file, "deleted");
    if (changed !== undefined) return changed;
    this.#settled.add(path);
    this.steps.push({ kind: "remove", file });
    return undefined;
  }

  #add(path: string, { content, line }: Extract<PatchSection, { op: "add" }>): Fault | undefined {
    const existing = this.#taken(path);
    if (isFault(existing)) return existing;
    if (existing !== undefined && this.#working.has(existing.document)) return namedTwice(line, path);
    this.#settled.add(path);
    if (existing === undefined) {
      this.steps.push({ kind: "create", path, content });
      return undefined;
    }
    const generated = generatedFault(existing.path, existing.history.text);
    if (generated !== undefined) return generated;
    this.steps.push(whole(existing, { op: "set", content }));
    return undefined;
  }

  /** The file at a path where one is to be made. */
  #taken(path: string): OpenFile | undefined | Fault {
    const { workspace, files } = this.#context;
    const location = workspace.documents.locate(path);
    if (isFault(location) || !location.exists) return isFault(location) ? location : undefined;
    const file = files.open(path);
    if (isFault(file)) return file;
    if (this.#rules.overwrites) return changedSinceShown(this.#context, file, "replaced") ?? file;
    return new Fault(
      "file_exists",
      `${file.path} exists already. Nothing was changed.`,
      "Update that file, or choose another path.",
      { path: file.path },
    );
  }

  #update(section: UpdateSection, file: OpenFile): Fault | undefined {
    const before = this.#working.get(file.document) ?? {
      file,
      text: file.history.text,
      revision: file.history.revision,
    };
    if (section.moveTo !== undefined && before.text !== file.history.text)
      return namedTwice(section.line, file.path);
    const planned = section.hunks.length === 0 ? [] : this.#editsFor(section, before);
    if (isFault(planned)) return planned;
    if (planned.length === 0 && section.hunks.length > 0) return noChange(file.path);
    let { text } = before;
    for (const { revision, edits } of planned) {
      const after =
        text === file.history.text ? followedText(file.history, revision, edits) : edited(text, edits);
      if (isFault(after)) return after;
      text = after;
    }
    if (section.moveTo !== undefined) return this.#move(section.line, section.moveTo, file, text);
    // The lines that go are quoted in the hunks, so that they go is meant.
    for (const { revision, edits } of planned)
      this.steps.push({ kind: "edit", file, revision, edits, rewrite: true });
    this.#working.set(file.document, { file, text, revision: before.revision + planned.length });
    return undefined;
  }

  #move(line: number, to: string, file: OpenFile, text: Text): Fault | undefined {
    const path = rootPath(this.#context.workspace, to);
    if (this.#settled.has(path)) return namedTwice(line, path);
    const target = this.#taken(path);
    if (isFault(target)) return target;
    if (target?.document === file.document)
      return invalidPatch(line, `${file.path} cannot move to itself`, "give another path or leave it out");
    const lines = rawLines(text, 0, text.lines);
    const step: FileStep =
      target === undefined ? { kind: "copy", path, file, lines } : whole(target, { op: "set_raw", lines });
    this.#settled.add(path).add(file.path);
    this.movedFrom.set(step, file);
    this.steps.push(step, { kind: "remove", file });
    return undefined;
  }

  #editsFor({ hunks, moveTo }: UpdateSection, { file, text, revision }: Working): LocatedHunks[] | Fault {
    const { sight, display } = this.#context;
    const isUntouched = text === file.history.text;
    // What an earlier part of the patch makes of the file is nowhere yet, so nothing of it can be shown.
    const document = isUntouched ? file : { ...file, history: startHistory(text, revision) };
    // Only the first update of a file can be about what was shown; a moved file is made of what is there now.
    const shown = isUntouched && moveTo === undefined ? sight : undefined;
    const located = locateHunks(shown, document, hunks.map(named(file.path)));
    if (isMiss(located))
      return refusalOf({ sight: isUntouched ? sight : undefined, display }, document)(located);
    for (const { placed } of located) this.#warn(placed, file.path);
    return located.filter(({ edits }) => edits.length > 0);
  }

  #warn(placed: readonly PlacedHunk[], path: string): void {
    for (const { number, how, at } of placed) {
      if (how === "exact") continue;
      this.warnings.push(
        `Hunk ${number} of ${path} fits at line ${at + 1} only with other ${how}; lines that stay are as they were, ` +
          "and added lines were written the way the file is.",
      );
    }
  }
}

/** How a hunk of a file is called, and what to do where it has no place. */
function named(path: string): (hunk: Hunk, index: number) => NamedHunk {
  return (hunk, index) => ({
    hunk,
    number: index + 1,
    words: {
      name: `Hunk ${index + 1} (patch line ${hunk.line})`,
      path,
      facts: { hunk: index + 1 },
      inFull: "Write every line of the hunk in full; to change two places, write two hunks.",
      asThere:
        "Write the hunk with lines exactly as they stand there, if that is the place; otherwise read the file again.",
      more: "Give it more context lines, or put the line that begins its function or section behind @@.",
    },
  });
}

function whole(file: OpenFile, edit: LineEdit): FileStep {
  return { kind: "edit", file, revision: file.history.revision, edits: [edit], rewrite: true };
}

function namedTwice(line: number, path: string): Fault {
  return invalidPatch(
    line,
    `${path} is named twice, and one of the sections makes, moves or deletes it`,
    "name each file once",
  );
}

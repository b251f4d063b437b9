// The tool ast_edit: rewrites code by its structure. It only shows what would change; resolve does it.
//
// Applying finds everything anew and compares it with what was shown, byte for byte. All files are written or none.

import { defineTool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import { cutText } from "@stet/protocol/cut-text";
import { Fault, isFault } from "@stet/protocol/fault";
import { anchorAt, formatAnchor } from "@stet/text/anchors";
import * as z from "zod";
import { inPaths } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext, CodeTool } from "../code-context.ts";
import type { FileStep } from "../code-files.ts";
import { detailsOf } from "../edit/edit-outcome.ts";
import { generatedFault } from "../edit/generated-file.ts";
import type { PendingPreview } from "./resolve.ts";
import {
  findRewrites,
  type Replacement,
  type RewriteRule,
  type Rewrites,
  type RewrittenFile,
} from "./rewrites.ts";
import { permitSources } from "./source-files.ts";

const schema = z.object({
  ops: z
    .array(
      z.object({
        pat: z.string().describe("Pattern, as in ast_grep"),
        out: z.string().describe("What takes its place; empty deletes"),
      }),
    )
    .describe("Rewrite rules"),
  paths: z.array(z.string()).min(1).describe("Files, folders or globs, in one language"),
});

const maxShownLength = 120;
const maxShown = 200;

export function astEdit(pending: PendingPreview): CodeTool {
  return (context) =>
    defineTool({
      name: "ast_edit",
      description: prompt(import.meta.url, "ast-edit"),
      traits: ["reads", "exclusive"],
      words: ({ paths }) => `Plan structural changes${inPaths(paths)}`,
      schema,
      authorise: ({ paths }, call) => permitSources(context, "ast_edit", paths, call),
      async execute({ ops, paths }, call) {
        // An earlier preview is not what the next resolve means.
        pending.current = undefined;
        const rules = ops.map(({ pat, out }) => ({ pat: pat.trim(), out }));
        const refused = refusedRules(rules);
        if (refused !== undefined) return refused;
        const rewrites = await findRewrites(context, rules, paths, call);
        if (isFault(rewrites)) return rewrites;
        const generated = rewrites.files
          .map(({ path, text }) => generatedFault(path, text))
          .find((fault) => fault !== undefined);
        if (generated !== undefined) return generated;
        if (rewrites.files.length > 0) offer(context, pending, rules, paths, rewrites);
        return answer(context, rewrites);
      },
    });
}

function refusedRules(rules: readonly RewriteRule[]): Fault | undefined {
  const refuse = (message: string, suggestion: string) => new Fault("invalid_arguments", message, suggestion);
  if (rules.length === 0) return refuse("ops is empty.", "Give at least one rule: {pat, out}.");
  if (rules.some(({ pat }) => pat === "")) return refuse("A pat is empty.", "Say what is to be rewritten.");
  const patterns = rules.map(({ pat }) => pat);
  const twice = patterns.find((pattern, index) => patterns.indexOf(pattern) < index);
  if (twice === undefined) return undefined;
  return refuse(`The pattern ${JSON.stringify(twice)} occurs twice in ops.`, "Keep one of them.");
}

function countOf(files: readonly RewrittenFile[]): number {
  return files.reduce((sum, { replacements }) => sum + replacements.length, 0);
}

function counted(files: readonly RewrittenFile[]): string {
  const count = countOf(files);
  return `${count} ${count === 1 ? "replacement" : "replacements"} in ${files.length} ${files.length === 1 ? "file" : "files"}`;
}

function offer(
  context: CodeContext,
  pending: PendingPreview,
  rules: readonly RewriteRule[],
  paths: readonly string[],
  { files }: Rewrites,
): void {
  const shown = new Map(files.map(({ path, identity }) => [path, identity]));
  pending.current = {
    summary: counted(files),
    paths: files.map(({ path }) => path),
    apply: (call) => apply(context, rules, paths, shown, call),
  };
  context.shelf.offer(["resolve"]);
}

async function apply(
  context: CodeContext,
  rules: readonly RewriteRule[],
  paths: readonly string[],
  shown: ReadonlyMap<string, string>,
  call: ToolContext,
): Promise<ToolOutcome | Fault> {
  const now = await findRewrites(context, rules, paths, call);
  if (isFault(now)) return now.error === "aborted" ? now : stale(undefined, now);
  const identities = new Map(now.files.map(({ path, identity }) => [path, identity]));
  const all = [...new Set([...shown.keys(), ...identities.keys()])].sort();
  const different = all.find((path) => shown.get(path) !== identities.get(path));
  if (different !== undefined) return stale(different);
  const steps: FileStep[] = [];
  for (const { path, text, after } of now.files) {
    const file = context.files.open(path);
    if (isFault(file)) return stale(path, file);
    if (!file.history.text.eq(text)) return stale(path);
    const edits = [{ op: "set", content: after } as const];
    steps.push({ kind: "edit", file, revision: file.history.revision, edits, rewrite: true });
  }
  const results = await context.files.apply(steps);
  if (isFault(results)) return results;
  for (const result of results) context.sight.changed(result);
  return {
    content: `Applied ${counted(now.files)}.`,
    details: {
      applied: true,
      totalReplacements: countOf(now.files),
      filesTouched: now.files.length,
      perFileResults: results.map(detailsOf),
    },
  };
}

function stale(path: string | undefined, reason?: Fault): Fault {
  const why = reason === undefined ? "" : ` ${reason.message}`;
  return new Fault(
    "stale_preview",
    path === undefined
      ? `What was previewed is no longer what would happen.${why} Nothing was changed.`
      : `${path} is no longer as it was when the preview was made.${why} Nothing was changed.`,
    "Call ast_edit again to see what would change now.",
    path === undefined ? {} : { path },
  );
}

function answer(
  context: CodeContext,
  { files, filesSearched, limitReached, isSingle, issues }: Rewrites,
): ToolOutcome {
  const details = {
    totalReplacements: countOf(files),
    filesTouched: files.length,
    filesSearched,
    applied: false,
    limitReached,
    ...(issues.list.length > 0 && { parseErrors: issues.list }),
    fileReplacements: files.map(({ path, replacements }) => ({ path, count: replacements.length })),
  };
  const problems = issues.list.length > 0 ? [issues.report()] : [];
  if (files.length === 0) return { content: ["No replacements made", ...problems].join("\n"), details };
  let left = maxShown;
  const parts = files.flatMap(({ path, text, replacements }) => {
    const shown = replacements.slice(0, left);
    left -= shown.length;
    if (shown.length === 0) return [];
    const lines = shown.flatMap((replacement) => shownChange(context, text, replacement));
    return [(isSingle ? lines : [path, ...lines]).join("\n")];
  });
  const hidden = countOf(files) - (maxShown - left);
  if (hidden > 0) parts.push(`[${hidden} more replacements]`);
  if (limitReached) parts.push("Limit reached; narrow paths.");
  parts.push(
    ...problems,
    `Preview: ${counted(files)}. Nothing is changed yet: call resolve with action "apply" or "discard".`,
  );
  return { content: parts.join("\n\n"), details };
}

/** The first line of what goes and of what comes. */
function shownChange({ display }: CodeContext, text: RewrittenFile["text"], change: Replacement): string[] {
  const { start, end, insert } = change;
  const line = text.lineAt(start);
  const reference =
    display === "anchors"
      ? `${formatAnchor(anchorAt(text, line.number))}|`
      : `${line.number}:${start - line.from + 1} `;
  return [
    `-${reference}${firstLine(text.sliceString(start, Math.min(end, start + 1000)))}`,
    `+${reference}${firstLine(insert)}`,
  ];
}

function firstLine(text: string): string {
  return cutText(text.split("\n", 1)[0]?.replace(/\r$/, "") ?? "", maxShownLength);
}

// The files that a structural search or rewrite is about: files, folders and globs as a model names them.
//
// What is ignored is left out, what is hidden is not; node_modules only where it is named. `*.ts` means files right there,
// `**/*.ts` files below, too. Texts are as the workspace knows them now; looking at a file does not make it a document.

import { setImmediate } from "node:timers/promises";
import type { Text } from "@codemirror/state";
import { aborted } from "@stet/agent/call-tool";
import type { ToolContext } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { listFiles, scopeOf } from "@stet/workspace/search/listing";
import { leftOut } from "../../permission/left-out.ts";
import type { CodeContext } from "../code-context.ts";
import { rootPath } from "../root-path.ts";
import { type Language, languageOf, languages } from "./languages.ts";
import { ParseIssues } from "./parse-issues.ts";

export interface SourceFile {
  readonly path: string;
  readonly language: Language;
}

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  /** Paths that do not exist, beside others that do, for a start. */
  readonly issues: ParseIssues;
  /** Whether a single file was named. */
  readonly isSingle: boolean;
}

type Ground = Pick<CodeContext, "workspace" | "files" | "readEffect">;

const globCharacters = /[*?[\]{}]/;
const maxListed = 100_000;

/** Asks whether what was named may be read. */
export function permitSources(
  { permit, workspace }: Pick<CodeContext, "permit" | "workspace">,
  tool: string,
  paths: readonly string[],
  call: ToolContext,
): ReturnType<CodeContext["permit"]> {
  const target = (path: string) =>
    ({ kind: "path", path: rootPath(workspace, path), access: "read" }) as const;
  return permit({ tool, targets: paths.map(target) }, call);
}

/** Sorted by path; refused where nothing that was named exists, or none of it is in a known language. */
export async function sourceFiles(
  { workspace, readEffect }: Ground,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<SourceFiles | Fault> {
  const found = new Set<string>();
  const missing: Fault[] = [];
  const empty = paths.find((path) => path.trim() === "");
  if (empty !== undefined) return badPath("invalid_path", empty, "One of the paths is empty.");
  const distinct = [...new Set(paths.map((path) => rootPath(workspace, path)))];
  let isSingle = distinct.length === 1;
  for (const path of distinct) {
    const refused = refusedPath(path);
    if (refused !== undefined) return refused;
    const place = await fileScopeOf(workspace.root.path, path);
    if (isFault(place)) {
      if (place.error !== "file_not_found") return place;
      missing.push(place);
      continue;
    }
    if (!place.isFile) isSingle = false;
    const { prefix, glob } = place;
    const listing = await listFiles(workspace.root.path, {
      prefix,
      glob,
      hidden: true,
      limit: maxListed,
      signal,
    });
    if (isFault(listing)) return signal.aborted ? aborted() : listing;
    const wantsModules = path.includes("node_modules");
    for (const file of listing.files) {
      if (wantsModules || !file.split("/").includes("node_modules")) found.add(file);
    }
  }
  const [first] = missing;
  if (first !== undefined && missing.length === distinct.length) return first;
  const { isLeftOut } = leftOut(readEffect("ast_grep"), distinct);
  const files = [...found].sort().flatMap((path) => {
    if (isLeftOut(path)) return [];
    const language = languageOf(path);
    return language === undefined ? [] : [{ path, language }];
  });
  if (files.length === 0) return noSources(distinct, found.size);
  const issues = new ParseIssues();
  for (const { details } of missing) issues.add(String(details.path), "does not exist and was left out");
  return { files, issues, isSingle };
}

function refusedPath(path: string): Fault | undefined {
  if (path === ".." || path.startsWith("../")) {
    return badPath("path_outside", path, `${path} leads out of the workspace.`);
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return undefined;
  const message = `${path} is not a file of the workspace, so its structure cannot be searched.`;
  return badPath("unknown_address", path, message);
}

function badPath(
  code: "invalid_path" | "path_outside" | "unknown_address",
  path: string,
  message: string,
): Fault {
  return new Fault(code, message, 'Name files, folders or globs from the root, such as "src/**/*.ts".', {
    path,
  });
}

interface FileScope {
  readonly prefix: string;
  readonly glob: string | undefined;
  readonly isFile: boolean;
}

async function fileScopeOf(root: string, path: string): Promise<FileScope | Fault> {
  const plain = await scopeOf(root, path);
  // A name may have such characters without being meant as a glob.
  if (!isFault(plain)) return { prefix: path, glob: undefined, isFile: plain.isFile };
  if (!globCharacters.test(path)) return plain;
  const names = path.split("/");
  const first = names.findIndex((name) => globCharacters.test(name));
  const prefix = names.slice(0, first).join("/");
  const scope = await scopeOf(root, prefix);
  if (isFault(scope)) return scope;
  const below = scope.path === "" ? "" : `${scope.path.replace(/[\\*?[\]{}!]/g, "\\$&")}/`;
  return { prefix, glob: `/${below}${names.slice(first).join("/")}`, isFile: false };
}

function noSources(paths: readonly string[], count: number): Fault {
  return new Fault(
    "no_match",
    count === 0
      ? `No files at ${paths.join(", ")}.`
      : `None of the ${count} files at ${paths.join(", ")} is in a language whose structure is known.`,
    `Name files in ${languages.join(", ")}; for anything else use search.`,
    { paths },
  );
}

/** The text of a file now. A document that is known is looked for on disk again, others are only read. */
function sourceText(
  { workspace, files }: Pick<CodeContext, "workspace" | "files">,
  path: string,
): Text | Fault {
  if (workspace.documents.rowAt(path) === undefined) return workspace.documents.peek(path);
  const opened = files.open(path);
  return isFault(opened) ? opened : opened.history.text;
}

const maxSourceLength = 2 * 1024 * 1024;

/** The text of a file that can be parsed; what keeps others from it is an issue. */
export function parsableText(
  context: Pick<CodeContext, "workspace" | "files">,
  path: string,
  issues: ParseIssues,
): Text | undefined {
  const text = sourceText(context, path);
  if (!isFault(text) && text.length <= maxSourceLength) return text;
  issues.add(path, isFault(text) ? text.message : "is too long to be parsed, and was left out");
  return undefined;
}

/** Lets others work while something long is done, and tells how far it is after a second. */
export class Pace {
  readonly #call: Pick<ToolContext, "signal" | "progress">;
  #pausedAt = performance.now();
  #toldAt = performance.now();

  constructor(call: Pick<ToolContext, "signal" | "progress">) {
    this.#call = call;
  }

  /** To be awaited between two files. A fault where the person stopped the turn. */
  async step(tell: () => string): Promise<Fault | undefined> {
    if (this.#call.signal.aborted) return aborted();
    const now = performance.now();
    if (now - this.#toldAt > 1000) {
      this.#call.progress(tell());
      this.#toldAt = now;
    }
    if (now - this.#pausedAt > 20) {
      await setImmediate();
      this.#pausedAt = performance.now();
    }
    return this.#call.signal.aborted ? aborted() : undefined;
  }
}

// The diff of a pull request: one unified diff, and its files by number.

import { Fault } from "@stet/protocol/fault";
import { visible, visibleName } from "@stet/protocol/visible";
import type { Github, Kept } from "./github.ts";
import type { DiffPart } from "./github-address.ts";
import { type Repository, repositoryArgument } from "./repository.ts";

export interface DiffFile {
  readonly path: string;
  /** Where it was before; undefined where it was there. */
  readonly from: string | undefined;
  readonly status: "added" | "deleted" | "renamed" | "changed";
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
  readonly text: string;
}

const maxDiffBytes = 16 * 1024 * 1024;
const diffTime = 60_000;

export function keptDiff(github: Github, repository: Repository, number: number): Kept {
  const { host } = repository;
  return {
    repository,
    kind: "diff",
    number,
    fetch: (signal) => {
      const words = ["pr", "diff", String(number), repositoryArgument(repository), "--color=never"];
      return github.ask({ words, host, signal, milliseconds: diffTime, maxBytes: maxDiffBytes });
    },
  };
}

/** What a part of it reads like. */
export function diffText(
  diff: string,
  part: DiffPart,
  { number, address }: { readonly number: number; readonly address: string },
): string | Fault {
  if (part === "all") return visible(diff);
  const files = diffFiles(diff);
  if (part === "files") return listing(files, number, address);
  const file = files[part - 1];
  if (file !== undefined) return visible(file.text);
  return new Fault(
    "unknown_address",
    files.length === 0
      ? `The pull request ${number} changes nothing.`
      : `There is no file ${part}: the pull request ${number} changes ${files.length}, counted from 1.`,
    `Read ${address}/diff for the list.`,
    { files: files.length },
  );
}

function listing(files: readonly DiffFile[], number: number, address: string): string {
  if (files.length === 0) return `The pull request ${number} changes nothing.`;
  const sum = (of: (file: DiffFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const heading = `${count}, +${sum(({ added }) => added)} −${sum(({ removed }) => removed)}. Read ${address}/diff/1 for one of them, ${address}/diff/all for all.`;
  const lines = files.map(({ path, from, status, added, removed, isBinary }, index) => {
    const was = from === undefined ? "" : `, was ${visibleName(from)}`;
    const size = isBinary ? "binary" : `+${added} −${removed}`;
    return `${index + 1}. ${visibleName(path)} (${status}${was}; ${size})`;
  });
  return [heading, "", ...lines].join("\n");
}

/** In the order of the diff. Lines of a hunk begin with a sign or a space, so none looks like the header of a file. */
export function diffFiles(diff: string): DiffFile[] {
  const starts = [...diff.matchAll(/^diff --git /gm)].map(({ index }) => index);
  return starts.map((start, index) => fileOf(diff.slice(start, starts[index + 1] ?? diff.length)));
}

function fileOf(text: string): DiffFile {
  const lines = text.split("\n");
  const firstHunk = lines.findIndex((line) => line.startsWith("@@ "));
  const head = firstHunk < 0 ? lines : lines.slice(0, firstHunk);
  const hunks = firstHunk < 0 ? [] : lines.slice(firstHunk);
  const added = hunks.filter((line) => line.startsWith("+")).length;
  const removed = hunks.filter((line) => line.startsWith("-")).length;
  const field = (form: RegExp) =>
    head.map((line) => form.exec(line)?.[1]).find((found) => found !== undefined);
  const path =
    field(/^\+\+\+ "?b\/(.*?)"?\t?$/) ??
    field(/^rename to (.*)$/) ??
    field(/^--- "?a\/(.*?)"?\t?$/) ??
    field(/^diff --git "?a\/.*"? "?b\/(.*?)"?$/) ??
    "?";
  const from = field(/^rename from (.*)$/);
  const has = (form: RegExp) => head.some((line) => form.test(line));
  const status = has(/^new file mode /)
    ? "added"
    : has(/^deleted file mode /)
      ? "deleted"
      : from === undefined
        ? "changed"
        : "renamed";
  const isBinary = has(/^Binary files |^GIT binary patch/);
  return { path, from, status, added, removed, isBinary, text: text.replace(/\n$/, "") };
}

// An answer from GitHub as the model gets it: what it is, that strangers wrote it, then a page of it. The rest is read by
// its address.

import type { ToolContext } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";
import { type PagedOutcome, pagedText } from "../read/paged-text.ts";
import type { SelectedPath } from "../read/selector.ts";
import { diffText, keptDiff } from "./diff.ts";
import type { Github, KeptAnswer } from "./github.ts";
import { type GithubAddress, listParameters } from "./github-address.ts";
import { ageText, strangersNote } from "./github-text.ts";
import { itemText, keptItem } from "./item.ts";
import { listText } from "./lists.ts";
import { type Repository, repositoryName, repositoryUrl } from "./repository.ts";

/** What is read, with the repository that it is of. */
export interface GithubTarget {
  readonly address: GithubAddress;
  readonly repository: Repository;
}

export type GithubSelection = Pick<SelectedPath, "selector" | "isRaw">;

/** Where people find the same. */
export function targetUrl({ address, repository }: GithubTarget): string {
  const base = repositoryUrl(repository);
  const folder = address.kind === "pr" ? "pull" : "issues";
  if (address.view === "list") return `${base}/${address.kind === "pr" ? "pulls" : "issues"}`;
  return `${base}/${folder}/${address.number}${address.view === "diff" ? "/files" : ""}`;
}

/** As one would write it for `read`. */
export function addressText({ address, repository }: GithubTarget): string {
  const own = address.repository === undefined ? "" : repositoryName(repository);
  const of = own === "" || address.view === "list" ? own : `${own}/`;
  if (address.view === "list") return `${address.kind}://${of}${listQuery(address)}`;
  const item = `${address.kind}://${of}${address.number}`;
  if (address.view === "item") return address.comments ? item : `${item}?comments=0`;
  return `${item}/diff${address.part === "files" ? "" : `/${address.part}`}`;
}

function listQuery({ filters }: Extract<GithubAddress, { view: "list" }>): string {
  const query = listParameters(filters);
  return query.size === 0 ? "" : `?${query}`;
}

export async function answerGithub(
  context: CodeContext,
  target: GithubTarget,
  { selector, isRaw }: GithubSelection,
  { signal }: Pick<ToolContext, "signal">,
): Promise<PagedOutcome | Fault> {
  const github = await context.github();
  const found = await textOf(github, target, signal);
  if (isFault(found)) return found;
  const { text, kept } = found;
  const source = addressText(target);
  const paged = pagedText(context, text, { selector, isRaw, source });
  const url = targetUrl(target);
  const head = [`${source} (${url}${freshness(kept, github.now())})`, strangersNote(), "", "---", ""];
  return {
    content: [...head, paged.content].join("\n"),
    details: {
      ...paged.details,
      ...{
        kind: "github",
        url,
        contentType: target.address.view === "diff" ? "text/plain" : "text/markdown",
      },
    },
  };
}

function freshness(kept: KeptAnswer | undefined, now: number): string {
  if (kept === undefined) return "";
  const age = now - kept.fetchedAt;
  if (!kept.isStale) return age < 60_000 ? "" : `, as of ${ageText(age)}`;
  return `, as of ${ageText(age)}; it is being fetched anew: read it again for what is new`;
}

interface FoundText {
  readonly text: string;
  /** Undefined for what is never kept. */
  readonly kept: KeptAnswer | undefined;
}

async function textOf(github: Github, target: GithubTarget, signal: AbortSignal): Promise<FoundText | Fault> {
  const { address, repository } = target;
  if (address.view === "list") {
    const text = await listText(github, repository, address, signal);
    return isFault(text) ? text : { text, kept: undefined };
  }
  const { kind, number } = address;
  const name = addressText({ repository, address: { ...address, view: "item", comments: true } });
  if (address.view === "diff") {
    const kept = await github.kept(keptDiff(github, repository, number), signal);
    if (isFault(kept)) return kept;
    const text = diffText(kept.text, address.part, { number, address: name });
    return isFault(text) ? text : { text, kept };
  }
  const kept = await github.kept(keptItem(github, repository, kind, number), signal);
  if (isFault(kept)) return kept;
  const text = itemText(kept.text, { kind, repository, comments: address.comments, address: name });
  return isFault(text) ? text : { text, kept };
}

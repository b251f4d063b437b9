// Lists of issues and pull requests, as gh gives them: always asked for, never kept.

import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { notData } from "./gh-fault.ts";
import type { Github } from "./github.ts";
import { defaultListed, type ItemKind, type ListFilters } from "./github-address.ts";
import { named, timeText } from "./github-text.ts";
import { parsedJson } from "./item.ts";
import { type Repository, repositoryArgument, repositoryName } from "./repository.ts";

const entry = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  author: z.object({ login: z.string().catch("") }).nullish(),
  updatedAt: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  isDraft: z.boolean().nullish(),
});

const fields = "number,title,state,author,updatedAt,labels";

export async function listText(
  github: Github,
  repository: Repository,
  list: { readonly kind: ItemKind; readonly filters: ListFilters },
  signal: AbortSignal,
): Promise<string | Fault> {
  const { kind, filters } = list;
  const { host } = repository;
  const words = [
    kind,
    "list",
    repositoryArgument(repository),
    `--json=${kind === "pr" ? `${fields},isDraft` : fields}`,
    ...filterWords(filters),
  ];
  const answer = await github.ask({ words, host, signal });
  if (isFault(answer)) return answer;
  const parsed = z.array(entry).safeParse(parsedJson(answer));
  if (!parsed.success) return notData(host);
  return entriesText(parsed.data, repository, list);
}

/** Each in one word with its option, so that no value is taken for another one. */
function filterWords({ state, limit = defaultListed, author, labels }: ListFilters): string[] {
  return [
    `--limit=${limit}`,
    ...(state === undefined ? [] : [`--state=${state}`]),
    ...(author === undefined ? [] : [`--author=${author}`]),
    // gh reads a list of labels as a line of CSV.
    ...labels.map((label) => `--label=${/[",]/.test(label) ? `"${label.replaceAll('"', '""')}"` : label}`),
  ];
}

function entriesText(
  entries: readonly z.infer<typeof entry>[],
  repository: Repository,
  { kind, filters }: { readonly kind: ItemKind; readonly filters: ListFilters },
): string {
  const noun = (kind === "pr" ? "pull request" : "issue") + (entries.length === 1 ? "" : "s");
  const state = filters.state ?? "open";
  const where = `${state === "all" ? "" : `${state} `}${noun} of ${repositoryName(repository)}`;
  if (entries.length === 0) return `There are no ${where} that fit.`;
  const limit = filters.limit ?? defaultListed;
  const more = entries.length >= limit ? `, the newest ${limit}; there may be more` : "";
  const lines = entries.map(({ number, title, author, updatedAt, labels, isDraft, state: is }) => {
    const facts = [
      is.toLowerCase() + (isDraft === true ? " draft" : ""),
      author?.login ? named(author.login) : "",
      timeText(updatedAt),
      ...(labels ?? []).map((label) => named(label.name)),
    ];
    return `#${number} ${named(title)} (${facts.filter((fact) => fact !== "").join(", ")})`;
  });
  return [`${entries.length} ${where}${more}`, "", ...lines].join("\n");
}

// Search at GitHub, in its own syntax.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { notData } from "./gh-fault.ts";
import { defaultListed } from "./github-address.ts";
import { named, quotedText, strangersNote, timeText } from "./github-text.ts";
import { parsedJson } from "./item.ts";
import { type GithubOperation, missing, type OperationParts } from "./operations.ts";
import { permitReading } from "./permit-github.ts";
import type { Repository } from "./repository.ts";

type SearchKind = NonNullable<OperationParts["input"]["kind"]>;

const text = z.string().nullish();

const issueHit = z.object({
  number: z.number(),
  title: z.string(),
  state: text,
  html_url: z.string(),
  repository_url: text,
  updated_at: text,
  user: z.object({ login: z.string() }).nullish(),
});
const codeHit = z.object({
  path: z.string(),
  html_url: z.string(),
  repository: z.object({ full_name: z.string() }),
  text_matches: z.array(z.object({ fragment: text })).nullish(),
});
const commitHit = z.object({
  sha: z.string(),
  commit: z.object({ message: z.string(), author: z.object({ date: text, name: text }).nullish() }),
  repository: z.object({ full_name: z.string() }).nullish(),
});
const repositoryHit = z.object({
  full_name: z.string(),
  description: text,
  stargazers_count: z.number().nullish(),
  pushed_at: text,
});

interface Kind {
  /** Of the REST API, and of the page for people. */
  readonly path: string;
  readonly page: string;
  /** Joined to the query. */
  readonly qualifier: string;
  line(hit: unknown): string | undefined;
}

const kinds: Readonly<Record<SearchKind, Kind>> = {
  issues: { path: "issues", page: "issues", qualifier: "is:issue", line: issueLine },
  prs: { path: "issues", page: "pullrequests", qualifier: "is:pr", line: issueLine },
  code: { path: "code", page: "code", qualifier: "", line: codeLine },
  commits: { path: "commits", page: "commits", qualifier: "", line: commitLine },
  repos: { path: "repositories", page: "repositories", qualifier: "", line: repositoryLine },
};

export function searchOperation({
  context,
  github,
  input,
}: Omit<OperationParts, "repository">): GithubOperation | Fault {
  const { query = "", kind = "issues", repo, limit = defaultListed } = input;
  if (query.trim() === "") return missing("query", "search");
  const within = kind === "repos" ? undefined : withinRepository(query, () => github.repository(repo), repo);
  if (isFault(within)) return within;
  const host = within?.host ?? github.host;
  const { path, page, qualifier, line } = kinds[kind];
  const only = within === undefined ? "" : `repo:${within.owner}/${within.name}`;
  const q = [query.trim(), qualifier, only].filter((part) => part !== "").join(" ");
  const url = `https://${host}/search?${new URLSearchParams({ q, type: page })}`;
  return {
    permit: (call) => permitReading(context, { url, scope: `https://${host}/search*` }, call),
    run: (call) => found({ github, host, path, q, limit, line }, call),
  };
}

/** Undefined for all of GitHub: where the query itself says where, or there is no repository here. */
function withinRepository(
  query: string,
  find: () => Repository | Fault,
  named: string | undefined,
): Repository | Fault | undefined {
  if (/(?:^|\s)(?:repo|org|user):\S/.test(query)) return undefined;
  const repository = find();
  return isFault(repository) && named === undefined ? undefined : repository;
}

interface Search extends Pick<OperationParts, "github"> {
  readonly host: string;
  readonly path: string;
  readonly q: string;
  readonly limit: number;
  line(hit: unknown): string | undefined;
}

async function found(
  { github, host, path, q, limit, line }: Search,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault> {
  const words = [
    "api",
    `--hostname=${host}`,
    "--method=GET",
    `search/${path}`,
    "--header=Accept: application/vnd.github.text-match+json",
    // A field is one word with its name, so that a query is never an option.
    `--raw-field=q=${q}`,
    `--raw-field=per_page=${limit}`,
  ];
  const answer = await github.ask({ words, host, signal });
  if (isFault(answer)) return answer;
  const page = z
    .object({ total_count: z.number(), items: z.array(z.unknown()) })
    .safeParse(parsedJson(answer));
  if (!page.success) return notData(host);
  const { total_count: total, items } = page.data;
  const lines = items.map(line).filter((each) => each !== undefined);
  const title = `${lines.length} of ${total} found for ${named(q)}`;
  return { content: [title, strangersNote(), "", ...lines].join("\n"), details: { found: total } };
}

function issueLine(hit: unknown): string | undefined {
  const { data } = issueHit.safeParse(hit);
  if (data === undefined) return undefined;
  const repository = /\/repos\/([^/]+\/[^/]+)$/.exec(data.repository_url ?? "")?.[1] ?? "";
  const scheme = data.html_url.includes("/pull/") ? "pr" : "issue";
  const facts = [data.state ?? "", data.user?.login ?? "", timeText(data.updated_at)].map(named);
  return `${scheme}://${named(repository)}/${data.number} ${named(data.title)} (${facts.filter((fact) => fact !== "").join(", ")})`;
}

function codeLine(hit: unknown): string | undefined {
  const { data } = codeHit.safeParse(hit);
  if (data === undefined) return undefined;
  const fragments = (data.text_matches ?? []).slice(0, 2).flatMap(({ fragment }) => fragment ?? []);
  const head = `${named(data.repository.full_name)}: ${named(data.path)} ${named(data.html_url)}`;
  return [head, ...fragments.map((each) => quotedText(each.slice(0, 400)))].join("\n");
}

function commitLine(hit: unknown): string | undefined {
  const { data } = commitHit.safeParse(hit);
  if (data === undefined) return undefined;
  const { message, author } = data.commit;
  const facts = [data.repository?.full_name ?? "", author?.name ?? "", timeText(author?.date)].map(named);
  return `${data.sha.slice(0, 10)} ${named(message.split("\n")[0] ?? "")} (${facts.filter((fact) => fact !== "").join(", ")})`;
}

function repositoryLine(hit: unknown): string | undefined {
  const { data } = repositoryHit.safeParse(hit);
  if (data === undefined) return undefined;
  const about = data.description ? `: ${named(data.description)}` : "";
  return `${named(data.full_name)}${about} (${data.stargazers_count ?? 0} stars, ${timeText(data.pushed_at)})`;
}

// What a repository says of itself.

import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { notData } from "./gh-fault.ts";
import { named, quotedText, strangersNote, timeText } from "./github-text.ts";
import { parsedJson } from "./item.ts";
import { type GithubOperation, type OperationParts, readingOperation } from "./operations.ts";
import { repositoryName, repositoryUrl } from "./repository.ts";

const text = z.string().nullish();

const view = z.object({
  full_name: z.string(),
  description: text,
  default_branch: text,
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  fork: z.boolean().nullish(),
  parent: z.object({ full_name: z.string() }).nullish(),
  language: text,
  topics: z.array(z.string()).nullish(),
  stargazers_count: z.number().nullish(),
  forks_count: z.number().nullish(),
  open_issues_count: z.number().nullish(),
  license: z.object({ name: z.string() }).nullish(),
  pushed_at: text,
  homepage: text,
});

export function viewRepository(parts: OperationParts): GithubOperation {
  const { github, repository } = parts;
  const { host, owner, name } = repository;
  return readingOperation(parts, "", async ({ signal }) => {
    const words = ["api", `--hostname=${host}`, "--method=GET", `repos/${owner}/${name}`];
    const answer = await github.ask({ words, host, signal });
    if (isFault(answer)) return answer;
    const parsed = view.safeParse(parsedJson(answer));
    if (!parsed.success) return notData(host);
    const head = [
      `${repositoryName(repository)} (${repositoryUrl(repository)})`,
      strangersNote(),
      "",
      "---",
      "",
    ];
    return {
      content: [...head, viewText(parsed.data)].join("\n"),
      details: { repository: `${owner}/${name}` },
    };
  });
}

function viewText(data: z.infer<typeof view>): string {
  const kinds = [
    data.private === true ? "private" : "public",
    data.archived === true ? "archived" : "",
    data.fork === true ? `a fork of ${named(data.parent?.full_name ?? "another one")}` : "",
  ];
  const facts = [
    `${named(data.full_name)}: ${kinds.filter((kind) => kind !== "").join(", ")}`,
    data.description ? quotedText(data.description) : "",
    data.default_branch ? `main branch: ${named(data.default_branch)}` : "",
    data.language ? `language: ${named(data.language)}` : "",
    data.topics?.length ? `topics: ${data.topics.map(named).join(", ")}` : "",
    data.license ? `license: ${named(data.license.name)}` : "",
    `${data.stargazers_count ?? 0} stars, ${data.forks_count ?? 0} forks, ${data.open_issues_count ?? 0} open issues and pull requests`,
    timeText(data.pushed_at) === "" ? "" : `last push ${timeText(data.pushed_at)}`,
    data.homepage ? named(data.homepage) : "",
  ];
  return facts.filter((fact) => fact !== "").join("\n");
}

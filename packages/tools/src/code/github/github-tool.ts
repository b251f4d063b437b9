// The tool `github`: issues, pull requests, runs and searches of GitHub, through the person's own gh. What it does is loaded
// when it is called.

import { defineTool, type ToolContext } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut, quoted } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeTool } from "../code-context.ts";
import type { GithubOperation } from "./operations.ts";

export const githubOps = [
  "repo_view",
  "issue_list",
  "issue_view",
  "pr_list",
  "pr_view",
  "pr_diff",
  "pr_checks",
  "run_list",
  "run_view",
  "run_logs",
  "search",
  "comment",
  "issue_create",
  "pr_create",
] as const;

export const searchKinds = ["issues", "prs", "code", "commits", "repos"] as const;

const count = z.number().int().positive();

const schema = z.object({
  op: z.enum(githubOps).describe("What to do"),
  repo: z.string().optional().describe("owner/name; this folder's unless given"),
  number: count.optional().describe("Of the issue or pull request"),
  run: count.optional().describe("Id of the run"),
  file: count.optional().describe("pr_diff: which file, from 1; a list of them unless given"),
  query: z.string().optional().describe("search: in GitHub's syntax"),
  kind: z.enum(searchKinds).optional().describe("search: issues unless given"),
  state: z.string().optional().describe("Lists: open, closed, merged, all"),
  author: z.string().optional().describe("Lists"),
  labels: z.array(z.string()).optional().describe("Lists, issue_create"),
  limit: count.optional().describe("Lists, search: 30 unless given, at most 100"),
  comments: z.boolean().optional().describe("Views: false leaves comments out"),
  title: z.string().optional().describe("issue_create, pr_create"),
  body: z.string().optional().describe("comment, issue_create, pr_create: Markdown"),
  assignees: z.array(z.string()).optional().describe("issue_create"),
  head: z
    .string()
    .optional()
    .describe("pr_create: a branch that is pushed; the one checked out unless given"),
  base: z.string().optional().describe("pr_create: the branch to merge into"),
  draft: z.boolean().optional().describe("pr_create"),
  branch: z.string().optional().describe("run_list: only of this branch"),
});

export type GithubInput = z.infer<typeof schema>;

export const github: CodeTool = (context) => {
  /** From authorising to executing: what was allowed is what is done. */
  const settled = new WeakMap<ToolContext, GithubOperation>();
  return defineTool({
    name: "github",
    description: prompt(import.meta.url, "github"),
    traits: ["network", "volatile"],
    words: ({ op, repo, number, run, query }) => {
      const what = String(op ?? "").replaceAll("_", " ");
      const which = [number === undefined ? "" : `#${cut(number)}`, run === undefined ? "" : cut(run)];
      const about = query === undefined ? which.join("") : quoted(query);
      return ["GitHub:", what, about, repo === undefined ? "" : `in ${cut(repo)}`]
        .filter((part) => part !== "")
        .join(" ");
    },
    schema,
    async authorise(input, call) {
      const { operationFor } = await import("./operations.ts");
      const operation = await operationFor(input, context, call);
      if (isFault(operation)) return operation;
      settled.set(call, operation);
      return operation.permit(call);
    },
    async execute(_, call) {
      const operation = settled.get(call);
      if (operation === undefined) throw new Error("github was executed without having been authorised");
      return operation.run(call);
    },
  });
};

// What a call of the tool `github` comes to: the permission that it needs, and how it is carried out.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";
import type { Github } from "./github.ts";
import { type ItemKind, listFilters, listParameters, maxListed } from "./github-address.ts";
import { answerGithub, type GithubTarget, targetUrl } from "./github-answer.ts";
import type { GithubInput } from "./github-tool.ts";
import { permitReading } from "./permit-github.ts";
import { type Repository, repositoryUrl } from "./repository.ts";

export interface GithubOperation {
  /** Undefined means allowed. */
  permit(call: ToolContext): Promise<Fault | undefined>;
  run(call: ToolContext): Promise<ToolOutcome | Fault>;
}

/** What an operation works with. */
export interface OperationParts {
  readonly context: CodeContext;
  readonly github: Github;
  readonly repository: Repository;
  readonly input: GithubInput;
}

export async function operationFor(
  input: GithubInput,
  context: CodeContext,
  call: ToolContext,
): Promise<GithubOperation | Fault> {
  const github = await context.github();
  if (input.limit !== undefined && input.limit > maxListed) return tooMany(input.limit);
  if (input.op === "search") {
    const { searchOperation } = await import("./search.ts");
    return searchOperation({ context, github, input });
  }
  const repository = github.repository(input.repo);
  if (isFault(repository)) return repository;
  const parts: OperationParts = { context, github, repository, input };
  switch (input.op) {
    case "repo_view":
      return (await import("./repository-view.ts")).viewRepository(parts);
    case "issue_list":
    case "pr_list":
      return listOperation(parts, input.op === "pr_list" ? "pr" : "issue");
    case "issue_view":
    case "pr_view":
      return viewOperation(parts, input.op === "pr_view" ? "pr" : "issue");
    case "pr_diff":
      return diffOperation(parts);
    case "pr_checks":
      return (await import("./checks.ts")).checksOperation(parts);
    case "run_list":
    case "run_view":
    case "run_logs":
      return (await import("./runs.ts")).runOperation(parts, input.op);
    case "comment":
    case "issue_create":
    case "pr_create":
      return (await import("./sending.ts")).sendOperation(parts, input.op, call);
  }
}

/** For what is read by an address, too. */
function listOperation(parts: OperationParts, kind: ItemKind): GithubOperation | Fault {
  const { repo } = parts.input;
  const filters = listFilters(kind, listParameters(parts.input));
  if (isFault(filters)) return filters;
  return addressed(parts, { kind, repository: repo, view: "list", filters });
}

function viewOperation(parts: OperationParts, kind: ItemKind): GithubOperation | Fault {
  const { number, comments = true, repo } = parts.input;
  if (number === undefined) return missing("number", parts.input.op);
  return addressed(parts, { kind, repository: repo, view: "item", number, comments });
}

function diffOperation(parts: OperationParts): GithubOperation | Fault {
  const { number, file, repo } = parts.input;
  if (number === undefined) return missing("number", "pr_diff");
  return addressed(parts, { kind: "pr", repository: repo, view: "diff", number, part: file ?? "files" });
}

function addressed(
  { context, repository }: OperationParts,
  address: GithubTarget["address"],
): GithubOperation {
  const target = { address, repository };
  return {
    permit: (call) =>
      permitReading(context, { url: targetUrl(target), scope: `${repositoryUrl(repository)}/*` }, call),
    run: (call) => answerGithub(context, target, { selector: undefined, isRaw: true }, call),
  };
}

/** Something that is read of one repository. */
export function readingOperation(
  { context, repository }: Pick<OperationParts, "context" | "repository">,
  path: string,
  run: GithubOperation["run"],
): GithubOperation {
  const base = repositoryUrl(repository);
  return {
    permit: (call) => permitReading(context, { url: `${base}/${path}`, scope: `${base}/*` }, call),
    run,
  };
}

export function missing(field: string, op: string): Fault {
  return new Fault("invalid_arguments", `${op} needs ${field}.`, `Call it again with ${field}.`);
}

function tooMany(limit: number): Fault {
  return new Fault(
    "invalid_arguments",
    `A limit of ${limit} is more than is listed at once.`,
    `Ask for at most ${maxListed}, and narrow it down by state, author, labels or a search.`,
  );
}

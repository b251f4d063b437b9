// The checks of a pull request: what ran on its newest commit, and how it ended.

import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { notData } from "./gh-fault.ts";
import { named, strangersNote } from "./github-text.ts";
import { parsedJson } from "./item.ts";
import { type GithubOperation, missing, type OperationParts, readingOperation } from "./operations.ts";
import { repositoryArgument, repositoryName } from "./repository.ts";

const text = z.string().nullish();

/** Either a check of an app, or a status that somebody has set. */
const check = z.object({
  name: text,
  context: text,
  workflowName: text,
  status: text,
  conclusion: text,
  state: text,
  detailsUrl: text,
  targetUrl: text,
});

const checks = z.object({ headRefOid: text, statusCheckRollup: z.array(check).nullish() });
const maxChecks = 200;

export function checksOperation(parts: OperationParts): GithubOperation | Fault {
  const { github, repository, input } = parts;
  const { number } = input;
  if (number === undefined) return missing("number", input.op);
  const { host } = repository;
  return readingOperation(parts, `pull/${number}/checks`, async ({ signal }) => {
    const fields = "--json=headRefOid,statusCheckRollup";
    const words = ["pr", "view", String(number), repositoryArgument(repository), fields];
    const answer = await github.ask({ words, host, signal });
    if (isFault(answer)) return answer;
    const parsed = checks.safeParse(parsedJson(answer));
    if (!parsed.success) return notData(host);
    const { statusCheckRollup, headRefOid } = parsed.data;
    const found = statusCheckRollup ?? [];
    const at = headRefOid ? ` at ${headRefOid.slice(0, 10)}` : "";
    const title = `Checks of pull request #${number} of ${repositoryName(repository)}${at}: ${countsOf(found)}`;
    const lines = found.slice(0, maxChecks).map(lineOf);
    if (found.length > maxChecks) lines.push(`… ${found.length - maxChecks} more`);
    return {
      content: [title, strangersNote(), "", ...lines].join("\n"),
      details: { checks: found.length },
    };
  });
}

function countsOf(found: readonly z.infer<typeof check>[]): string {
  if (found.length === 0) return "none";
  const counts = Map.groupBy(found, stateOf);
  return [...counts].map(([state, of]) => `${of.length} ${state}`).join(", ");
}

function stateOf({ status, conclusion, state }: z.infer<typeof check>): string {
  return named((conclusion || state || status || "unknown").toLowerCase().replaceAll("_", " "));
}

function lineOf(one: z.infer<typeof check>): string {
  const name = [one.workflowName, one.name ?? one.context].filter(Boolean).map((part) => named(String(part)));
  const link = one.detailsUrl || one.targetUrl || "";
  const run = /\/actions\/runs\/(\d+)/.exec(link)?.[1];
  const where = run === undefined ? named(link) : `run ${run}`;
  return `- ${stateOf(one)}: ${name.join(" / ")}${where === "" ? "" : ` (${where})`}`;
}

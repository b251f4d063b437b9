// Runs of workflows: a list, one with its jobs, and the logs of what failed in it.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visible } from "@stet/protocol/visible";
import * as z from "zod";
import { notData } from "./gh-fault.ts";
import { defaultListed } from "./github-address.ts";
import { named, strangersNote, timeText } from "./github-text.ts";
import { parsedJson } from "./item.ts";
import { type GithubOperation, missing, type OperationParts, readingOperation } from "./operations.ts";
import { repositoryArgument, repositoryName } from "./repository.ts";

const text = z.string().nullish();

const run = z.object({
  databaseId: z.number(),
  displayTitle: text,
  workflowName: text,
  status: text,
  conclusion: text,
  headBranch: text,
  headSha: text,
  event: text,
  createdAt: text,
  url: text,
});

const step = z.object({ name: z.string(), number: z.number().nullish(), conclusion: text, status: text });
const job = z.object({
  databaseId: z.number().nullish(),
  name: z.string(),
  status: text,
  conclusion: text,
  steps: z.array(step).nullish(),
});
const runWithJobs = run.extend({ jobs: z.array(job).nullish() });

const fields =
  "databaseId,displayTitle,workflowName,status,conclusion,headBranch,headSha,event,createdAt,url";
const maxLogBytes = 48 * 1024 * 1024;
const logTime = 120_000;
/** Of a log the end says why. */
const shownLogLines = 300;
const shownLogCharacters = 30_000;
const maxKeptLog = 5_000_000;

export function runOperation(
  parts: OperationParts,
  op: "run_list" | "run_view" | "run_logs",
): GithubOperation | Fault {
  if (op === "run_list") return readingOperation(parts, "actions", (call) => listRuns(parts, call));
  const { run: id } = parts.input;
  if (id === undefined) return missing("run", op);
  return readingOperation(parts, `actions/runs/${id}`, (call) =>
    op === "run_view" ? viewRun(parts, id, call) : failedLog(parts, id, call),
  );
}

async function listRuns(
  { github, repository, input }: OperationParts,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault> {
  const { host } = repository;
  const { branch, limit = defaultListed } = input;
  const only = branch === undefined ? [] : [`--branch=${branch}`];
  const words = [
    "run",
    "list",
    repositoryArgument(repository),
    `--json=${fields}`,
    `--limit=${limit}`,
    ...only,
  ];
  const answer = await github.ask({ words, host, signal });
  if (isFault(answer)) return answer;
  const parsed = z.array(run).safeParse(parsedJson(answer));
  if (!parsed.success) return notData(host);
  const lines = parsed.data.map(runLine);
  const title = `${lines.length} runs of ${repositoryName(repository)}, the newest first`;
  return {
    content: [title, strangersNote(), "", ...lines].join("\n"),
    details: { runs: lines.length },
  };
}

function runLine(one: z.infer<typeof run>): string {
  const facts = [one.workflowName, one.headBranch, one.event]
    .filter(Boolean)
    .map((fact) => named(String(fact)));
  const at = timeText(one.createdAt);
  return `${one.databaseId} ${stateOf(one)}: ${named(one.displayTitle ?? "")} (${[...facts, at].filter((fact) => fact !== "").join(", ")})`;
}

function stateOf({
  status,
  conclusion,
}: {
  status?: string | null | undefined;
  conclusion?: string | null | undefined;
}) {
  return named((conclusion || status || "unknown").replaceAll("_", " "));
}

async function viewRun(
  { github, repository }: OperationParts,
  id: number,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault> {
  const { host } = repository;
  const words = ["run", "view", String(id), repositoryArgument(repository), `--json=${fields},jobs`];
  const answer = await github.ask({ words, host, signal });
  if (isFault(answer)) return answer;
  const parsed = runWithJobs.safeParse(parsedJson(answer));
  if (!parsed.success) return notData(host);
  const { data } = parsed;
  const jobs = (data.jobs ?? []).flatMap(({ name, steps, ...of }) => [
    `- ${stateOf(of)}: ${named(name)}`,
    ...(steps ?? []).filter(isBad).map((each) => `  - ${stateOf(each)}: ${named(each.name)}`),
  ]);
  const hasFailed = (data.jobs ?? []).some(isBad);
  const note = hasFailed ? ["", `{"op": "run_logs", "run": ${id}} shows why.`] : [];
  return {
    content: [
      `Run ${id} of ${repositoryName(repository)}`,
      strangersNote(),
      "",
      runLine(data),
      ...jobs,
      ...note,
    ].join("\n"),
    details: { jobs: data.jobs?.length ?? 0 },
  };
}

function isBad({ conclusion }: { readonly conclusion?: string | null | undefined }): boolean {
  return !["success", "skipped", "neutral", "", undefined, null].includes(conclusion);
}

async function failedLog(
  { context, github, repository }: OperationParts,
  id: number,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault> {
  const { host } = repository;
  const words = ["run", "view", String(id), repositoryArgument(repository), "--log-failed"];
  const answer = await github.ask({ words, host, signal, milliseconds: logTime, maxBytes: maxLogBytes });
  if (isFault(answer)) return answer;
  const log = visible(readableLog(answer));
  const head = [`What failed in run ${id} of ${repositoryName(repository)}`, strangersNote(), "", "---", ""];
  if (log.trim() === "") return { content: `Nothing failed in run ${id}, or it has no logs any more.` };
  const shown = endOfLog(log);
  const kept = shown === log ? undefined : context.keepArtifact?.(log.slice(-maxKeptLog));
  const lines = log.split("\n").length;
  const note = kept === undefined ? [] : [`[The end of ${lines} lines. All of it: ${kept}]`];
  return { content: [...head, ...note, shown].join("\n"), details: { lines, artifact: kept } };
}

function endOfLog(log: string): string {
  const lines = log.split("\n");
  if (lines.length <= shownLogLines && log.length <= shownLogCharacters) return log;
  const shown: string[] = [];
  let room = shownLogCharacters;
  for (const line of lines.slice(-shownLogLines).reverse()) {
    room -= line.length + 1;
    if (room < 0) break;
    shown.unshift(line);
  }
  return shown.length === 0 ? log.slice(-shownLogCharacters) : shown.join("\n");
}

/** gh puts job, step and time before each line; the first two are told once, and the time not at all. */
function readableLog(log: string): string {
  let last = "";
  const lines: string[] = [];
  for (const line of log.replace(/\r\n?/g, "\n").split("\n")) {
    const [, jobName = "", stepName = "", rest] =
      /^([^\t]*)\t([^\t]*)\t(?:\ufeff)?(?:\d{4}-\d\d-\d\dT[\d:.]+Z ?)?(.*)$/s.exec(line) ?? [];
    if (rest === undefined) {
      lines.push(line);
      continue;
    }
    const place = `${jobName} / ${stepName}`;
    if (place !== last) lines.push(`## ${place}`);
    last = place;
    lines.push(withoutColours(rest));
  }
  return lines.join("\n").trimEnd();
}

function withoutColours(line: string): string {
  return line.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
}

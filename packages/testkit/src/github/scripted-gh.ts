// A stand-in for gh where there is none: it answers the commands that Stet gives from the same made-up GitHub, in the words of
// the real one. The program itself only asks the test for its answer.

import {
  at,
  graphNode,
  type HubData,
  type HubRepository,
  restJob,
  restRun,
  troubles,
} from "./github-data.ts";
import { listed } from "./github-server.ts";

export interface ScriptedAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

export interface ScriptedCall {
  readonly words: readonly string[];
  readonly input: string;
  /** Of the environment. */
  readonly token: string;
}

/** The program, for a file. */
export const scriptedProgram = `#!${process.execPath}
const { readFileSync } = require("node:fs");
const { connect } = require("node:net");
const words = process.argv.slice(2);
const config = readFileSync(process.env.GH_CONFIG_DIR + "/config.yml", "utf8");
const input = words.includes("--input=-") ? readFileSync(0, "utf8") : "";
const token = process.env.GH_TOKEN ?? "";
const socket = connect(/scripted: (.*)/.exec(config)[1]);
let said = "";
socket.on("data", (part) => { said += part; });
socket.on("end", () => {
  const { stdout, stderr, code } = JSON.parse(said);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
});
socket.end(JSON.stringify({ words, input, token }));
`;

const wrote = (stdout: string): ScriptedAnswer => ({ stdout, stderr: "", code: 0 });
const wroteJson = (value: unknown) => wrote(JSON.stringify(value));
const failed = (stderr: string, code = 1): ScriptedAnswer => ({ stdout: "", stderr: `${stderr}\n`, code });

/** `login`: who is signed in in its settings. */
export function scriptedGh(call: ScriptedCall, data: HubData, login: string | undefined): ScriptedAnswer {
  const { words, token } = call;
  const [group = "", verb = ""] = words;
  if (group === "config")
    return login === undefined ? failed('could not find key "user"') : wrote(`${login}\n`);
  const user = token === "" ? login : data.tokens.get(token);
  if (token === "" && login === undefined)
    return failed("To get started with GitHub CLI, please run:  gh auth login", 4);
  const trouble = user === undefined ? "bad_credentials" : data.trouble;
  if (trouble !== undefined) {
    const { status, body } = troubles[trouble];
    if (trouble === "html" && group === "api") return wrote(body);
    if (trouble === "html") return failed("invalid character '<' looking for beginning of value");
    return failed(`HTTP ${status}: ${JSON.parse(body).message} (https://api.github.com/graphql)`);
  }
  if (group === "api") return api(call, data, user);
  const name = optionOf(words, "repo").replace(/^github\.com\//, "");
  const repository = data.repository(name, user);
  if (repository === undefined)
    return group === "run" || verb === "diff"
      ? failed(`HTTP 404: Not Found (https://api.github.com/repos/${name})`)
      : failed(`GraphQL: Could not resolve to a Repository with the name '${name}'. (repository)`);
  if (group === "run") return runs(words, name, repository);
  if (group === "issue" && repository.hasIssues === false)
    return failed(`the '${name}' repository has disabled issues`);
  return items(words, name, repository);
}

function optionOf(words: readonly string[], name: string): string {
  return words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
}

function items(words: readonly string[], name: string, repository: HubRepository): ScriptedAnswer {
  const [group, verb, number] = words;
  const kind = group === "pr" ? "pr" : "issue";
  const fields = optionOf(words, "json").split(",");
  if (verb === "list") {
    const search = ["label", "author"].flatMap((key) => {
      const value = optionOf(words, key).replace(/^"(.*)"$/s, (_, csv: string) => csv.replaceAll('""', '"'));
      return value === "" ? [] : [`${key}:${JSON.stringify(value)}`];
    });
    const state = optionOf(words, "state") || "open";
    const found = listed(repository, kind, { search: search.join(" "), state }).slice(
      0,
      Number(optionOf(words, "limit")),
    );
    return wroteJson(found.map((each) => exported(graphNode(name, kind, each), fields)));
  }
  const pull = repository.pulls.find((each) => each.number === Number(number));
  if (verb === "diff")
    return pull === undefined ? failed("could not find pull request diff: HTTP 404") : wrote(pull.diff ?? "");
  const issue =
    kind === "issue" ? repository.issues.find((each) => each.number === Number(number)) : undefined;
  const found = issue ?? pull;
  if (found === undefined)
    return failed(
      kind === "pr"
        ? `GraphQL: Could not resolve to a PullRequest with the number of ${number}. (repository.pullRequest)`
        : `GraphQL: Could not resolve to an issue or pull request with the number of ${number}. (repository.issue)`,
    );
  return wroteJson(exported(graphNode(name, issue === undefined ? "pr" : "issue", found), fields));
}

/** As gh exports it: lists without the connection around them. */
function exported(node: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = node[field];
      if (field === "statusCheckRollup") return [field, checksOf(node)];
      const isList = typeof value === "object" && value !== null && "nodes" in value;
      return [field, isList ? value.nodes : value];
    }),
  );
}

function checksOf(node: Record<string, unknown>): unknown {
  const text = JSON.stringify(node.statusCheckRollup);
  const contexts = /"contexts":\{"nodes":(\[.*?\])/.exec(text)?.[1] ?? "[]";
  return JSON.parse(contexts);
}

function runs(words: readonly string[], name: string, repository: HubRepository): ScriptedAnswer {
  const one = (run: HubRepository["runs"][number]) => {
    const rest = restRun(name, run);
    return {
      databaseId: run.id,
      displayTitle: run.title,
      workflowName: "CI",
      status: "completed",
      conclusion: run.conclusion,
      headBranch: "main",
      headSha: rest.head_sha,
      event: "push",
      createdAt: rest.created_at,
      url: rest.html_url,
      jobs: run.jobs.map((job) => ({ ...restJob(job), databaseId: job.id })),
    };
  };
  if (words[1] === "list") return wroteJson(repository.runs.map(one));
  const run = repository.runs.find(({ id }) => id === Number(words[2]));
  if (run === undefined)
    return failed(`HTTP 404: Not Found (https://api.github.com/repos/${name}/actions/runs)`);
  return words.includes("--log-failed") ? wrote(run.log ?? "") : wroteJson(one(run));
}

function api({ words, input }: ScriptedCall, data: HubData, user: string | undefined): ScriptedAnswer {
  const path = words.find((word) => !word.startsWith("-") && word !== "api") ?? "";
  if (path.startsWith("search/")) {
    const query =
      words.find((word) => word.startsWith("--raw-field=q="))?.slice("--raw-field=q=".length) ?? "";
    const name = /repo:(\S+)/.exec(query)?.[1] ?? "";
    const found = (data.repository(name, user)?.issues ?? []).filter(({ title }) =>
      title.toLowerCase().includes(query.split(" ")[0]?.toLowerCase() ?? ""),
    );
    const items = found.map(({ number, title }) => ({
      number,
      title,
      state: "open",
      html_url: `https://github.com/${name}/issues/${number}`,
      repository_url: `https://api.github.com/repos/${name}`,
    }));
    return wroteJson({ total_count: items.length, items });
  }
  const [, name = "", below = ""] = /^repos\/([^/]+\/[^/?]+)\/?([^?]*)/.exec(path) ?? [];
  const repository = data.repository(name, user);
  if (repository === undefined) return failed("gh: Not Found (HTTP 404)");
  if (words.includes("--method=POST")) {
    const made = data.write(name, below, JSON.parse(input));
    return made === undefined ? failed("gh: Not Found (HTTP 404)") : wroteJson(made);
  }
  if (below === "")
    return wroteJson({ full_name: name, private: repository.isPrivate === true, default_branch: "main" });
  const number = Number(/^pulls\/(\d+)\/comments$/.exec(below)?.[1]);
  const pull = repository.pulls.find((each) => each.number === number);
  return wroteJson(
    (pull?.lineComments ?? []).map(({ author, body, path: file, line, createdAt = at }) => ({
      user: { login: author },
      body,
      path: file,
      line,
      created_at: createdAt,
    })),
  );
}

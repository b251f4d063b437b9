// A made-up GitHub on a socket of this machine: the REST and GraphQL interfaces, as far as gh asks them.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  at,
  graphNode,
  type HubData,
  type HubRepository,
  restJob,
  restRun,
  troubles,
} from "./github-data.ts";

export interface HubServer {
  /** What was asked for: the method and path, and for GraphQL the name of the query. */
  readonly asked: string[];
  close(): void;
}

interface Reply {
  readonly status: number;
  readonly body: string | Uint8Array;
}

export async function startHub(socket: string, data: HubData): Promise<HubServer> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString("utf8");
    asked.push(nameOf(request, body));
    const reply = data.trouble === undefined ? replyTo(request, body, data) : troubles[data.trouble];
    send(response, reply);
  });
  server.listen(socket);
  await once(server, "listening");
  return {
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function nameOf({ method, url = "" }: IncomingMessage, body: string): string {
  const query = /query (\w+)/.exec(body)?.[1];
  return `${method} ${url.split("?")[0]}${query === undefined ? "" : ` ${query}`}`;
}

function send(response: ServerResponse, { status, body }: Reply): void {
  const type =
    typeof body !== "string" ? "application/zip" : body.startsWith("<") ? "text/html" : "application/json";
  response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(body);
}

function json(value: unknown, status = 200): Reply {
  return { status, body: JSON.stringify(value) };
}

const notFound = json({ message: "Not Found", documentation_url: "https://docs.github.com/rest" }, 404);

function replyTo(request: IncomingMessage, body: string, data: HubData): Reply {
  const token = /^(?:token|bearer) (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const login = data.tokens.get(token);
  if (login === undefined) return troubles.bad_credentials;
  const url = new URL(request.url ?? "/", "https://api.github.com");
  if (url.pathname === "/graphql") return json(graphql(JSON.parse(body), data, login));
  if (url.pathname.startsWith("/search/")) return json(searched(url, data, login));
  const [, name = "", path = ""] = /^\/repos\/([^/]+\/[^/]+)\/?(.*)$/.exec(url.pathname) ?? [];
  const repository = data.repository(name, login);
  if (repository === undefined) return notFound;
  if (request.method === "POST") {
    const made = data.write(name, path, JSON.parse(body));
    return made === undefined ? notFound : json(made, 201);
  }
  return rest(name, path, repository, request.headers.accept ?? "");
}

interface GraphRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

function graphql({ query, variables }: GraphRequest, data: HubData, login: string): unknown {
  const { owner, repo, number, pr_number: pull } = variables;
  const search = String(variables.q ?? variables.query ?? "");
  const name = owner === undefined ? (/repo:(\S+)/.exec(search)?.[1] ?? "") : `${owner}/${repo}`;
  if (/query CommentsFor/.test(query))
    return { data: { node: commentsOf(String(variables.id), data, login) } };
  const repository = data.repository(name, login);
  if (repository === undefined)
    return missing(["repository"], `Could not resolve to a Repository with the name '${name}'.`);
  const { hasIssues = true } = repository;
  const shared = { hasIssuesEnabled: hasIssues };
  if (/query IssueByNumber/.test(query)) {
    const node = itemNode(name, repository, Number(number));
    const why = `Could not resolve to an issue or pull request with the number of ${number}.`;
    const answer = { data: { repository: { ...shared, issue: node ?? null } } };
    if (node !== undefined) return answer;
    return { ...answer, errors: [{ type: "NOT_FOUND", path: ["repository", "issue"], message: why }] };
  }
  if (/query PullRequestByNumber/.test(query)) {
    const found = repository.pulls.find((each) => each.number === Number(pull));
    const why = `Could not resolve to a PullRequest with the number of ${pull}.`;
    if (found === undefined) return missing(["repository", "pullRequest"], why);
    return { data: { repository: { pullRequest: graphNode(name, "pr", found) } } };
  }
  const kind = /PullRequest/.test(query) ? "pr" : "issue";
  const state = String(variables.states ?? variables.state ?? "");
  const nodes = listed(repository, kind, { search, state }).map((each) => graphNode(name, kind, each));
  const page = { nodes, totalCount: nodes.length, pageInfo: { hasNextPage: false, endCursor: "" } };
  return {
    data: {
      repository: { ...shared, issues: page, pullRequests: page },
      search: { ...page, issueCount: nodes.length },
    },
  };
}

/** gh asks for the comments of an issue once more, by its id. */
function commentsOf(id: string, data: HubData, login: string): unknown {
  const [, name = "", number] = id.split(" ");
  const repository = data.repository(name, login);
  const node = repository && itemNode(name, repository, Number(number));
  // Of whoever wrote them it asks for the login alone, and takes no more.
  const comments: unknown = JSON.parse(
    JSON.stringify(node?.comments, (key, value) => (key === "author" ? { login: value.login } : value)),
  );
  return { comments };
}

function missing(path: readonly string[], message: string): unknown {
  return { data: { repository: null }, errors: [{ type: "NOT_FOUND", path, message }] };
}

function itemNode(name: string, { issues, pulls }: HubRepository, number: number) {
  const issue = issues.find((each) => each.number === number);
  if (issue !== undefined) return graphNode(name, "issue", issue);
  const pull = pulls.find((each) => each.number === number);
  return pull && graphNode(name, "pr", pull);
}

/** Those that fit the words of a search, or the states that are asked for. */
export function listed(
  { issues, pulls }: HubRepository,
  kind: "issue" | "pr",
  { search, state }: { readonly search: string; readonly state: string },
) {
  const word = (name: string) => {
    const [, quoted, plain] = new RegExp(`${name}:(?:"((?:[^"\\\\]|\\\\.)*)"|(\\S+))`).exec(search) ?? [];
    return quoted?.replaceAll(/\\(.)/g, "$1") ?? plain;
  };
  const wanted = (word("state") ?? state).toUpperCase();
  return (kind === "pr" ? pulls : issues).filter(
    ({ state: is = "OPEN", labels = [], author = "octocat" }) => {
      const [label, by] = [word("label"), word("author")];
      return (
        (wanted === "" || wanted === "ALL" || wanted.includes(is)) &&
        (label === undefined || labels.includes(label)) &&
        (by === undefined || by === author)
      );
    },
  );
}

function searched(url: URL, data: HubData, login: string): unknown {
  const query = url.searchParams.get("q") ?? "";
  const name = /repo:(\S+)/.exec(query)?.[1] ?? "";
  const repository = data.repository(name, login);
  const word = query.split(" ")[0]?.toLowerCase() ?? "";
  const items = (repository?.issues ?? [])
    .filter(({ title }) => title.toLowerCase().includes(word))
    .map(({ number, title }) => ({
      number,
      title,
      state: "open",
      html_url: `https://github.com/${name}/issues/${number}`,
      repository_url: `https://api.github.com/repos/${name}`,
      user: { login: "octocat" },
    }));
  return { total_count: items.length, items };
}

function rest(name: string, path: string, repository: HubRepository, accept: string): Reply {
  if (path === "")
    return json({
      full_name: name,
      private: repository.isPrivate === true,
      default_branch: "main",
      description: "Made up",
      stargazers_count: 3,
    });
  const [, pull, below] = /^pulls\/(\d+)(\/comments)?$/.exec(path) ?? [];
  if (pull !== undefined) {
    const found = repository.pulls.find((each) => each.number === Number(pull));
    if (found === undefined) return notFound;
    if (below === undefined)
      return accept.includes("diff") ? { status: 200, body: found.diff ?? "" } : notFound;
    return json(
      (found.lineComments ?? []).map(({ author, body, path: file, line, createdAt }) => ({
        user: { login: author },
        body,
        path: file,
        line,
        created_at: createdAt ?? at,
      })),
    );
  }
  return actions(name, path, repository);
}

function actions(name: string, path: string, { runs }: HubRepository): Reply {
  if (path === "actions/runs")
    return json({ total_count: runs.length, workflow_runs: runs.map((run) => restRun(name, run)) });
  if (path === "actions/workflows") return json({ total_count: 1, workflows: [{ id: 9, name: "CI" }] });
  if (path === "actions/workflows/9") return json({ id: 9, name: "CI" });
  const [, id, below = ""] = /^actions\/runs\/(\d+)(\/\w+)?$/.exec(path) ?? [];
  const run = runs.find((each) => each.id === Number(id));
  if (run === undefined) return notFound;
  if (below === "/jobs") return json({ total_count: run.jobs.length, jobs: run.jobs.map(restJob) });
  if (below === "/logs")
    return run.logArchive === undefined ? notFound : { status: 200, body: run.logArchive };
  return json(restRun(name, run));
}

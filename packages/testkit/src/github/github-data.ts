// What a made-up GitHub knows: users by their tokens, repositories with issues, pull requests and runs, in the words of its
// GraphQL interface.

export interface HubComment {
  readonly author: string;
  readonly body: string;
  readonly createdAt?: string;
  readonly authorAssociation?: string;
}

export interface HubIssue {
  readonly number: number;
  title: string;
  body?: string;
  state?: string;
  author?: string;
  labels?: readonly string[];
  comments?: readonly HubComment[];
}

export interface HubPull extends HubIssue {
  diff?: string;
  files?: readonly { readonly path: string; readonly additions: number; readonly deletions: number }[];
  reviews?: readonly (HubComment & { readonly state: string })[];
  lineComments?: readonly (HubComment & { readonly path: string; readonly line: number })[];
  checks?: readonly { readonly name: string; readonly conclusion: string; readonly detailsUrl: string }[];
}

export interface HubRun {
  readonly id: number;
  readonly title: string;
  readonly conclusion: string;
  readonly jobs: readonly HubJob[];
  /** As gh prints it, and the same as the archive that GitHub answers. */
  readonly log?: string;
  readonly logArchive?: Uint8Array;
}

export interface HubJob {
  readonly id: number;
  readonly name: string;
  readonly conclusion: string;
  readonly steps: readonly { readonly name: string; readonly number: number; readonly conclusion: string }[];
}

export interface HubRepository {
  isPrivate?: boolean;
  hasIssues?: boolean;
  issues: HubIssue[];
  pulls: HubPull[];
  runs: HubRun[];
}

/** Answers that every request gets, whatever it asks. */
export type HubTrouble = "rate_limit" | "html" | "bad_credentials" | "server_error" | "saml";

export const troubles: Readonly<Record<HubTrouble, { readonly status: number; readonly body: string }>> = {
  rate_limit: {
    status: 403,
    body: JSON.stringify({
      message: "API rate limit exceeded for user ID 1.",
      documentation_url: "https://docs.github.com/rest",
    }),
  },
  html: { status: 200, body: "<!DOCTYPE html><html><body>Sign in to the hotel's network</body></html>" },
  bad_credentials: { status: 401, body: JSON.stringify({ message: "Bad credentials" }) },
  server_error: { status: 502, body: JSON.stringify({ message: "Server Error" }) },
  saml: {
    status: 403,
    body: JSON.stringify({ message: "Resource protected by organization SAML enforcement." }),
  },
};

export class HubData {
  readonly repositories = new Map<string, HubRepository>();
  /** Tokens with the user's name. */
  readonly tokens = new Map<string, string>();
  /** Who may see what is private. */
  readonly members = new Set<string>();
  trouble: HubTrouble | undefined;
  /** What was written: the path with the request. */
  readonly sent: { readonly path: string; readonly request: Readonly<Record<string, unknown>> }[] = [];

  /** Undefined where the user may not see it. */
  repository(name: string, login: string | undefined): HubRepository | undefined {
    const found = this.repositories.get(name.toLowerCase());
    const isHidden = found?.isPrivate === true && (login === undefined || !this.members.has(login));
    return isHidden ? undefined : found;
  }

  add(name: string, repository: Partial<HubRepository> = {}): HubRepository {
    const made = { issues: [], pulls: [], runs: [], ...repository };
    this.repositories.set(name, made);
    return made;
  }

  /** Carries out what is written; undefined where there is no such path. */
  write(
    name: string,
    path: string,
    request: Readonly<Record<string, unknown>>,
  ): { html_url: string } | undefined {
    this.sent.push({ path: `${name}/${path}`, request });
    const base = `https://github.com/${name}`;
    const [, number] = /^issues\/(\d+)\/comments$/.exec(path) ?? [];
    if (number !== undefined) return { html_url: `${base}/issues/${number}#issuecomment-1` };
    if (path === "issues") return { html_url: `${base}/issues/77`, ...{ number: 77 } };
    if (path === "pulls") return { html_url: `${base}/pull/78`, ...{ number: 78 } };
    return undefined;
  }
}

export const at = "2026-03-01T10:00:00Z";

/** An issue or a pull request as GraphQL tells it. */
export function graphNode(name: string, kind: "issue" | "pr", item: HubPull): Record<string, unknown> {
  const folder = kind === "pr" ? "pull" : "issues";
  const { number, title, body = "", state = "OPEN", author = "octocat", labels = [], comments = [] } = item;
  return {
    __typename: kind === "pr" ? "PullRequest" : "Issue",
    id: `${kind} ${name} ${number}`,
    number,
    title,
    body,
    state,
    url: `https://github.com/${name}/${folder}/${number}`,
    author: user(author),
    createdAt: at,
    updatedAt: at,
    closed: state !== "OPEN",
    labels: connection(labels.map((label) => ({ name: label }))),
    assignees: connection([]),
    milestone: null,
    comments: connection(comments.map(graphComment)),
    ...(kind === "pr" ? pullFields(item) : {}),
  };
}

function pullFields({ files = [], reviews = [], checks = [] }: HubPull): Record<string, unknown> {
  const sum = (field: "additions" | "deletions") => files.reduce((total, file) => total + file[field], 0);
  const contexts = connection(
    checks.map((check) => ({ __typename: "CheckRun", status: "COMPLETED", ...check })),
  );
  return {
    isDraft: false,
    baseRefName: "main",
    headRefName: "topic",
    headRefOid: "0123456789abcdef0123456789abcdef01234567",
    additions: sum("additions"),
    deletions: sum("deletions"),
    changedFiles: files.length,
    files: connection(files),
    mergeable: "MERGEABLE",
    reviewDecision: "REVIEW_REQUIRED",
    reviews: connection(
      reviews.map((each) => ({
        ...graphComment(each),
        state: each.state,
        submittedAt: each.createdAt ?? at,
      })),
    ),
    statusCheckRollup: connection([{ commit: { statusCheckRollup: { contexts } } }]),
  };
}

function graphComment({ author, body, createdAt = at, authorAssociation = "NONE" }: HubComment) {
  return { id: "c", author: user(author), authorAssociation, body, createdAt, isMinimized: false };
}

/** One without an id is an app to gh. */
function user(login: string) {
  return { login, id: `U_${login}`, name: "" };
}

function connection(nodes: readonly unknown[]) {
  return { nodes, totalCount: nodes.length, pageInfo: { hasNextPage: false, endCursor: "" } };
}

export function restRun(name: string, run: HubRun): Record<string, unknown> {
  const base = `https://api.github.com/repos/${name}/actions/runs/${run.id}`;
  return {
    id: run.id,
    name: "CI",
    display_title: run.title,
    status: "completed",
    conclusion: run.conclusion,
    head_branch: "main",
    head_sha: "0123456789abcdef",
    event: "push",
    created_at: at,
    updated_at: at,
    run_started_at: at,
    run_number: 1,
    run_attempt: 1,
    workflow_id: 9,
    html_url: `https://github.com/${name}/actions/runs/${run.id}`,
    jobs_url: `${base}/jobs`,
    logs_url: `${base}/logs`,
    head_commit: { message: run.title },
    head_repository: { name: name.split("/")[1], owner: { login: name.split("/")[0] } },
  };
}

export function restJob({ id, name, conclusion, steps }: HubJob): Record<string, unknown> {
  return {
    id,
    name,
    status: "completed",
    conclusion,
    started_at: at,
    completed_at: at,
    html_url: `https://github.com/job/${id}`,
    steps: steps.map((step) => ({ ...step, status: "completed" })),
  };
}

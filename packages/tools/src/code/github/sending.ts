// What is written at GitHub: a comment, an issue, a pull request. A person is asked with exactly what would be sent, and that is
// what is sent: the body of one request, on gh's input.
//
// A request that broke off may have arrived. It is never repeated here, and the fault says so.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { notData, reasonOf } from "./gh-fault.ts";
import { named } from "./github-text.ts";
import { parsedJson } from "./item.ts";
import { type GithubOperation, missing, type OperationParts } from "./operations.ts";
import { type Repository, repositoryName, repositoryUrl } from "./repository.ts";

type SendOp = "comment" | "issue_create" | "pr_create";

interface Sending {
  /** What it is, for people: "a comment". */
  readonly what: string;
  /** Where it would appear. */
  readonly url: string;
  /** Below `repos/owner/name`. */
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** The issue or pull request that it changes. */
  readonly number: number | undefined;
}

/** As the REST API bounds it. */
const maxBody = 65_536;
const maxTitle = 256;
const maxListedNames = 20;

export async function sendOperation(
  parts: OperationParts,
  op: SendOp,
  { signal }: ToolContext,
): Promise<GithubOperation | Fault> {
  const { context, github, repository, input } = parts;
  const problem = tooLong(input);
  if (problem !== undefined) return problem;
  const sending = sendings[op](parts);
  if (isFault(sending)) return sending;
  const json = JSON.stringify(sending.request);
  if (github.redacted(json) !== json) return secretFault(sending.what);
  const account = await github.account(repository.host, signal);
  const as = account === undefined || account.startsWith("token ") ? "" : ` as ${account}`;
  return {
    permit: (call) =>
      context.permit(
        {
          tool: "github",
          targets: [
            {
              kind: "send",
              action: op,
              what: `${sending.what}${as}`,
              url: sending.url,
              content: contentText(sending.request),
            },
          ],
        },
        call,
      ),
    run: (call) => send(parts, sending, json, call),
  };
}

const sendings: Readonly<Record<SendOp, (parts: OperationParts) => Sending | Fault>> = {
  comment({ repository, input: { number, body } }) {
    if (number === undefined) return missing("number", "comment");
    if (!body?.trim()) return missing("body", "comment");
    return {
      what: "a comment",
      url: `${repositoryUrl(repository)}/issues/${number}`,
      path: `issues/${number}/comments`,
      request: { body },
      number,
    };
  },
  issue_create({ repository, input: { title, body, labels = [], assignees = [] } }) {
    if (!title?.trim()) return missing("title", "issue_create");
    return {
      what: "a new issue",
      url: `${repositoryUrl(repository)}/issues`,
      path: "issues",
      request: {
        title,
        ...(labels.length === 0 ? {} : { labels }),
        ...(assignees.length === 0 ? {} : { assignees }),
        body: body ?? "",
      },
      number: undefined,
    };
  },
  pr_create({ github, repository, input: { title, body, head, base, draft } }) {
    if (!title?.trim()) return missing("title", "pr_create");
    const { current, main } = github.branches;
    const [from, into] = [head ?? current, base ?? main];
    if (from === undefined) return missing("head, the name of a branch that is pushed,", "pr_create");
    if (into === undefined) return missing("base, the branch to merge into,", "pr_create");
    if (from === into) return sameBranch(from);
    return {
      what: draft === true ? "a new draft pull request" : "a new pull request",
      url: `${repositoryUrl(repository)}/pulls`,
      path: "pulls",
      request: {
        title,
        head: from,
        base: into,
        ...(draft === true ? { draft } : {}),
        body: body ?? "",
      },
      number: undefined,
    };
  },
};

/** Every field that is sent, the text last. */
function contentText({ body, ...fields }: Sending["request"]): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    return `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`;
  });
  const text = String(body);
  if (lines.length === 0) return text;
  return [...lines, "", text === "" ? "(no text)" : text].join("\n");
}

const made = z.object({ html_url: z.string(), number: z.number().nullish() });

async function send(
  { github, repository }: OperationParts,
  { what, path, number }: Sending,
  json: string,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault> {
  const { host, owner, name } = repository;
  const words = ["api", `--hostname=${host}`, "--method=POST", `repos/${owner}/${name}/${path}`, "--input=-"];
  const answer = await github.ask({ words, host, signal, input: json });
  if (isFault(answer)) return isUnsure(answer) ? unsureFault(what, answer) : answer;
  if (number !== undefined) await github.forget(repository, number, signal);
  const parsed = made.safeParse(parsedJson(answer));
  if (!parsed.success) return unsureFault(what, notData(host));
  const { html_url: url } = parsed.data;
  return { content: `Sent ${what}: ${named(url)}${nextOf(parsed.data, path, repository)}`, details: { url } };
}

function nextOf({ number }: z.infer<typeof made>, path: string, repository: Repository): string {
  if (number === null || number === undefined) return "";
  return ` (${path === "pulls" ? "pr" : "issue"}://${repositoryName(repository)}/${number})`;
}

/** Whether it may have arrived although nothing says so. */
function isUnsure(fault: Fault): boolean {
  const reason = reasonOf(fault);
  return fault.error === "aborted" || ["unreachable", "server", "other", "not_json"].includes(String(reason));
}

function unsureFault(what: string, fault: Fault): Fault {
  return new Fault(
    fault.error === "aborted" ? "aborted" : "page_failed",
    `It is not known whether ${what} arrived: ${fault.message}`,
    "Look whether it is there before you send anything again.",
    fault.details,
  );
}

function tooLong({ title = "", body = "", labels = [], assignees = [] }: OperationParts["input"]) {
  const problem =
    title.length > maxTitle
      ? `A title has at most ${maxTitle} characters, and this one ${title.length}`
      : body.length > maxBody
        ? `A text has at most ${maxBody} characters, and this one ${body.length}`
        : /[\r\n]/.test(title)
          ? "A title is one line"
          : Math.max(labels.length, assignees.length) > maxListedNames
            ? `There are at most ${maxListedNames} labels and assignees`
            : undefined;
  if (problem === undefined) return undefined;
  return new Fault("invalid_arguments", `${problem}.`, "Shorten it and call again.");
}

function sameBranch(branch: string): Fault {
  return new Fault(
    "invalid_arguments",
    `${JSON.stringify(branch)} cannot be merged into itself.`,
    "Make a branch, commit and push it (with bash), then call again with head.",
  );
}

function secretFault(what: string): Fault {
  return new Fault(
    "not_allowed",
    `The text of ${what} holds what looks like a key, a token or a password, so it is not sent.`,
    "Take it out, and tell the person where it came from.",
  );
}

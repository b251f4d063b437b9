// An issue or a pull request with its comments: how gh is asked for it, and how it reads.

import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { notData } from "./gh-fault.ts";
import type { Github, Kept } from "./github.ts";
import type { ItemKind } from "./github-address.ts";
import { named, quotedText, timeText } from "./github-text.ts";
import { type Repository, repositoryArgument, repositoryName } from "./repository.ts";

const author = z.object({ login: z.string().catch("") }).nullish();
const text = z.string().nullish();

const comment = z.object({
  author,
  authorAssociation: text,
  body: text,
  createdAt: text,
  isMinimized: z.boolean().nullish(),
});

const review = z.object({ author, authorAssociation: text, body: text, state: text, submittedAt: text });

/** A remark at a line of the diff, as the REST API tells it. */
const lineComment = z.object({
  user: author,
  author_association: text,
  body: text,
  path: z.string(),
  line: z.number().nullish(),
  original_line: z.number().nullish(),
  created_at: text,
});

const list = <T extends z.ZodType>(of: T) => z.array(of).nullish();

const item = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  url: z.string(),
  author,
  body: text,
  createdAt: text,
  updatedAt: text,
  labels: list(z.object({ name: z.string() })),
  assignees: list(z.object({ login: z.string() })),
  milestone: z.object({ title: z.string() }).nullish(),
  comments: list(comment),
  // Of a pull request.
  isDraft: z.boolean().nullish(),
  baseRefName: text,
  headRefName: text,
  additions: z.number().nullish(),
  deletions: z.number().nullish(),
  changedFiles: z.number().nullish(),
  files: list(z.object({ path: z.string(), additions: z.number(), deletions: z.number() })),
  mergeable: text,
  reviewDecision: text,
  reviews: list(review),
  lineComments: list(lineComment),
});

type Item = z.infer<typeof item>;

const common =
  "number,title,state,url,author,body,createdAt,updatedAt,labels,assignees,milestone,comments".split(",");
const ofPull =
  "isDraft,baseRefName,headRefName,additions,deletions,changedFiles,files,mergeable,reviewDecision,reviews".split(
    ",",
  );
const maxLineComments = 100;
const maxFiles = 50;

/** How it is fetched, for the cache. */
export function keptItem(github: Github, repository: Repository, kind: ItemKind, number: number): Kept {
  const { host, owner, name } = repository;
  const fields = kind === "pr" ? [...common, ...ofPull] : common;
  return {
    repository,
    kind,
    number,
    async fetch(signal) {
      const view = [
        kind,
        "view",
        String(number),
        repositoryArgument(repository),
        `--json=${fields.join(",")}`,
      ];
      const path = `repos/${owner}/${name}/pulls/${number}/comments?per_page=${maxLineComments}`;
      const remarks = ["api", `--hostname=${host}`, "--method=GET", path];
      const [main, lines] = await Promise.all([
        github.ask({ words: view, host, signal }),
        kind === "pr" ? github.ask({ words: remarks, host, signal }) : "[]",
      ]);
      if (isFault(main)) return main;
      // Remarks that cannot be had, as with a token that may not read them, take nothing from the rest.
      const parsed = parsedItem(main, isFault(lines) ? "[]" : lines);
      return parsed === undefined ? notData(host) : JSON.stringify(parsed);
    },
  };
}

/** Undefined where it is not what gh says of one. */
function parsedItem(main: string, lines: string): Item | undefined {
  const remarks = z.array(lineComment).safeParse(parsedJson(lines));
  const parsed = item.safeParse(parsedJson(main));
  if (!parsed.success) return undefined;
  return { ...parsed.data, lineComments: remarks.success ? remarks.data : [] };
}

export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export interface ItemView {
  readonly kind: ItemKind;
  readonly repository: Repository;
  readonly comments: boolean;
  /** What names it: `pr://5`, `pr://owner/name/5`. */
  readonly address: string;
}

/** `json` as the cache has it. */
export function itemText(json: string, view: ItemView): string | Fault {
  const parsed = item.safeParse(parsedJson(json));
  if (!parsed.success) return notData(view.repository.host);
  const { data } = parsed;
  const body = data.body?.trim() ? quotedText(data.body) : "(no text)";
  const parts = [headOf(data, view), body];
  if (view.kind === "pr") parts.push(filesOf(data, view.address));
  if (view.comments) parts.push(...remarksOf(data));
  else parts.push(leftOut(data));
  return parts.filter((part) => part !== "").join("\n\n");
}

function leftOut({ comments, reviews, lineComments }: Item): string {
  const count = (comments?.length ?? 0) + (reviews?.length ?? 0) + (lineComments?.length ?? 0);
  return count === 0 ? "" : `[${count === 1 ? "One comment is" : `${count} comments are`} left out.]`;
}

function headOf(data: Item, { kind, repository, address }: ItemView): string {
  const { number, title, state, url } = data;
  const isPull = kind === "pr" || /\/pull\/\d+$/.test(url);
  const noun = isPull ? "pull request" : "issue";
  const draft = data.isDraft === true ? "draft " : "";
  const made = [`by ${loginOf(data.author)}`, timeText(data.createdAt)].filter((part) => part !== "");
  const facts = [
    `${state.toLowerCase()} ${draft}${noun} #${number} of ${repositoryName(repository)}, ${made.join(", ")}`,
    changedFact(data),
    branchFact(data),
    listFact(
      "labels",
      data.labels?.map(({ name }) => name),
    ),
    listFact(
      "assigned to",
      data.assignees?.map(({ login }) => login),
    ),
    data.milestone ? `milestone: ${named(data.milestone.title)}` : "",
    data.reviewDecision ? `reviews: ${named(data.reviewDecision.toLowerCase().replaceAll("_", " "))}` : "",
    data.mergeable === "CONFLICTING" ? "it has conflicts with its base" : "",
    named(url),
    isPull && kind === "issue"
      ? `It is a pull request: ${address.replace(/^issue/, "pr")} has its changes and reviews.`
      : "",
  ];
  return [`# ${named(title)}`, "", ...facts.filter((fact) => fact !== "")].join("\n");
}

function changedFact({ createdAt, updatedAt }: Item): string {
  const changed = timeText(updatedAt);
  return changed === "" || updatedAt === createdAt ? "" : `changed ${changed}`;
}

function branchFact({ baseRefName, headRefName }: Item): string {
  return baseRefName && headRefName ? `from ${named(headRefName)} into ${named(baseRefName)}` : "";
}

function listFact(what: string, names: readonly string[] | undefined): string {
  return names === undefined || names.length === 0 ? "" : `${what}: ${names.map(named).join(", ")}`;
}

function filesOf({ files, changedFiles, additions, deletions }: Item, address: string): string {
  if (!files || files.length === 0) return "";
  const count = changedFiles ?? files.length;
  const lines = files.slice(0, maxFiles).map((file) => {
    return `- ${named(file.path)} +${file.additions} −${file.deletions}`;
  });
  const more = count - lines.length;
  const heading = `## ${count} changed ${count === 1 ? "file" : "files"}, +${additions ?? 0} −${deletions ?? 0} (${address}/diff)`;
  return [heading, "", ...lines, ...(more > 0 ? [`- … ${more} more`] : [])].join("\n");
}

interface Remark {
  readonly heading: string;
  readonly at: string;
  readonly body: string;
}

/** Comments, reviews and remarks at lines, in the order in which they were made. */
function remarksOf(data: Item): string[] {
  const remarks: Remark[] = [
    ...(data.comments ?? []).map((each) => ({
      heading: `Comment ${byline(each.author, each.authorAssociation, each.createdAt)}${each.isMinimized === true ? " (hidden there)" : ""}`,
      at: each.createdAt ?? "",
      body: each.body ?? "",
    })),
    ...(data.reviews ?? [])
      .filter(({ body, state }) => body?.trim() || (state !== "COMMENTED" && state !== "PENDING"))
      .map((each) => ({
        heading: `Review (${named((each.state ?? "").toLowerCase().replaceAll("_", " "))}) ${byline(each.author, each.authorAssociation, each.submittedAt)}`,
        at: each.submittedAt ?? "",
        body: each.body ?? "",
      })),
    ...(data.lineComments ?? []).map((each) => ({
      heading: `At ${named(each.path)}:${each.line ?? each.original_line ?? "?"} ${byline(each.user, each.author_association, each.created_at)}`,
      at: each.created_at ?? "",
      body: each.body ?? "",
    })),
  ];
  const count = remarks.length;
  return remarks
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .map(({ heading, body }, index) => {
      return `## ${index + 1} of ${count}: ${heading}${body.trim() === "" ? "" : `\n\n${quotedText(body)}`}`;
    });
}

function byline(
  by: Item["author"],
  association: string | null | undefined,
  time: string | null | undefined,
): string {
  const role = association && association !== "NONE" ? ` (${named(association.toLowerCase())})` : "";
  const at = timeText(time);
  return `by ${loginOf(by)}${role}${at === "" ? "" : `, ${at}`}`;
}

function loginOf(by: Item["author"]): string {
  return by?.login ? named(by.login) : "somebody";
}

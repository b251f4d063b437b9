// `issue://` and `pr://` as data.
//
//   issue://5   issue://owner/name/5              with its comments; ?comments=0 without
//   issue://    issue://owner/name                a list: ?state=&limit=&author=&label=
//   pr://5      pr://owner/name/5   pr://         the same for pull requests
//   pr://5/diff                                   the files that it changes
//   pr://5/diff/2                                 the second of them
//   pr://5/diff/all                               all of them
//
// A host other than github.com stands first: issue://github.example.com/owner/name/5.

import { Fault, isFault } from "@stet/protocol/fault";

export type ItemKind = "issue" | "pr";

export interface ListFilters {
  readonly state?: string | undefined;
  readonly limit?: number | undefined;
  readonly author?: string | undefined;
  readonly labels: readonly string[];
}

export type DiffPart = "files" | "all" | number;

interface AddressOf {
  readonly kind: ItemKind;
  /** As it is written; undefined for the one of the folder. */
  readonly repository: string | undefined;
}

export type GithubAddress =
  | (AddressOf & { readonly view: "list"; readonly filters: ListFilters })
  | (AddressOf & { readonly view: "item"; readonly number: number; readonly comments: boolean })
  | (AddressOf & { readonly view: "diff"; readonly number: number; readonly part: DiffPart });

export const defaultListed = 30;
export const maxListed = 100;

const states: Readonly<Record<ItemKind, readonly string[]>> = {
  issue: ["open", "closed", "all"],
  pr: ["open", "closed", "merged", "all"],
};

const form = /^(issue|pr):\/\/([^?#]*)(?:\?([^#]*))?$/is;

/** Undefined where it is no address of GitHub. */
export function parseGithubAddress(address: string): GithubAddress | Fault | undefined {
  if (!/^(?:issue|pr):\/\//i.test(address)) return undefined;
  const [, scheme = "", path = "", query = ""] = form.exec(address) ?? [];
  if (scheme === "") return unknown(address);
  const kind = scheme.toLowerCase() === "pr" ? "pr" : "issue";
  const parts = path.split("/").filter((part) => part !== "");
  const parameters = new URLSearchParams(query);
  const size = repositoryParts(parts);
  if (parts.length < size) return unknown(address);
  const repository = size === 0 ? undefined : parts.slice(0, size).join("/");
  const [given, word, part, ...rest] = parts.slice(size);
  if (given === undefined) {
    const filters = listFilters(kind, parameters);
    return isFault(filters) ? filters : { kind, repository, view: "list", filters };
  }
  const number = numberOf(given);
  if (isFault(number)) return number;
  if (word === undefined) return itemAt({ kind, repository }, number, parameters);
  if (kind !== "pr" || word !== "diff" || rest.length > 0) return unknown(address);
  const misplaced = onlyParameters(parameters, []);
  if (misplaced !== undefined) return misplaced;
  if (part === undefined || part === "all")
    return { kind, repository, view: "diff", number, part: part ?? "files" };
  const index = numberOf(part);
  return isFault(index) ? index : { kind, repository, view: "diff", number, part: index };
}

/** How many parts name the repository. A host has a dot, and an owner never has one. */
function repositoryParts(parts: readonly string[]): number {
  const [first = "", second] = parts;
  const isOwn = parts.length <= 1 || (/^\d+$/.test(first) && (parts.length === 2 || second === "diff"));
  if (isOwn) return 0;
  return first.includes(".") ? 3 : 2;
}

/** A number of an issue, or of a part, as it is written. */
export function numberOf(text: string): number | Fault {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  if (number !== undefined) return number;
  return new Fault(
    "invalid_arguments",
    `${JSON.stringify(text.slice(0, 100))} is not a number of an issue or a pull request.`,
    "Write digits, such as issue://5. issue:// lists what there is.",
  );
}

function itemAt(of: AddressOf, number: number, parameters: URLSearchParams): GithubAddress | Fault {
  const misplaced = onlyParameters(parameters, ["comments"]);
  if (misplaced !== undefined) return misplaced;
  const comments = parameters.get("comments") ?? "1";
  if (!["0", "1", "true", "false"].includes(comments)) return badValue("comments", comments, ["0", "1"]);
  return { ...of, view: "item", number, comments: comments === "1" || comments === "true" };
}

/** What of a list is asked for, checked; also for the tool. */
export function listFilters(kind: ItemKind, parameters: URLSearchParams): ListFilters | Fault {
  const misplaced = onlyParameters(parameters, ["state", "limit", "author", "label"]);
  if (misplaced !== undefined) return misplaced;
  const state = parameters.get("state")?.toLowerCase();
  if (state !== undefined && !states[kind].includes(state)) return badValue("state", state, states[kind]);
  const limit = parameters.get("limit");
  if (limit !== null && !(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= maxListed))
    return badValue("limit", limit, [`1 to ${maxListed}`]);
  return {
    state,
    limit: limit === null ? undefined : Number(limit),
    author: parameters.get("author") ?? undefined,
    labels: parameters.getAll("label").filter((label) => label !== ""),
  };
}

/** As they stand in an address. */
export function listParameters({
  state,
  limit,
  author,
  labels = [],
}: Pick<ListFilters, "state" | "limit" | "author"> & {
  readonly labels?: readonly string[] | undefined;
}): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ state, limit, author }))
    if (value !== undefined) query.set(name, String(value));
  for (const label of labels) query.append("label", label);
  return query;
}

function onlyParameters(parameters: URLSearchParams, known: readonly string[]): Fault | undefined {
  const other = [...parameters.keys()].find((name) => !known.includes(name));
  if (other === undefined) return undefined;
  const instead =
    known.length === 0
      ? "Leave out what stands behind the ?."
      : `There is: ${known.map((name) => `?${name}=`).join(", ")}.`;
  return new Fault("invalid_arguments", `There is no ?${other.slice(0, 50)}= here.`, instead);
}

function badValue(name: string, value: string, allowed: readonly string[]): Fault {
  return new Fault(
    "invalid_arguments",
    `${name}=${value.slice(0, 50)} is not understood.`,
    `Use one of these: ${allowed.join(", ")}.`,
  );
}

function unknown(address: string): Fault {
  return new Fault(
    "unknown_address",
    `${address.slice(0, 200)} names neither an issue nor a pull request.`,
    "Use issue://5, issue://owner/name/5, issue:// for a list; pr://5, pr://5/diff, pr://5/diff/2, pr://5/diff/all.",
    { address: address.slice(0, 200) },
  );
}

// Why gh could not answer, as a fault: told from how it ended and from what it said.

import { Fault, type FaultCode } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";

export type GhFailure =
  | { readonly kind: "aborted" }
  | { readonly kind: "start"; readonly reason: string }
  | { readonly kind: "time"; readonly milliseconds: number }
  | { readonly kind: "size"; readonly maxBytes: number }
  | {
      readonly kind: "exit";
      readonly code: number | null;
      readonly by: NodeJS.Signals | null;
      readonly message: string;
    };

/** What a fault's details say of the reason, so that nobody has to read the message. */
export type GhReason =
  | "not_signed_in"
  | "rate_limit"
  | "not_found"
  | "forbidden"
  | "no_issues"
  | "unreachable"
  | "server"
  | "refused"
  | "not_json"
  | "other";

interface KnownFailure {
  readonly reason: GhReason;
  readonly form: RegExp;
  readonly code: FaultCode;
  readonly message: (host: string, said: string) => string;
  readonly suggestion: (host: string) => string;
}

/** The first whose form is in what gh said. */
const known: readonly KnownFailure[] = [
  {
    reason: "rate_limit",
    form: /rate limit|HTTP 429|abuse detection/i,
    code: "page_failed",
    message: (host, said) => `${host} answers no more requests of this account for now: ${said}`,
    suggestion: () => "Go on without it, or wait some minutes. What was read before can still be read.",
  },
  {
    reason: "not_signed_in",
    form: /gh auth login|HTTP 401|Bad credentials|not logged in/i,
    code: "page_failed",
    message: (host) => `The program gh is not signed in to ${host}.`,
    suggestion: (host) =>
      `Ask the person to run this in a terminal: gh auth login --hostname ${host}. Do not try to sign in yourself.`,
  },
  {
    reason: "no_issues",
    form: /disabled issues|Issues (?:are|has been) disabled|HTTP 410/i,
    code: "unknown_address",
    message: () => "This repository has no issues: they are switched off.",
    suggestion: () => "Look at its pull requests instead: pr://.",
  },
  {
    reason: "forbidden",
    form: /SAML|HTTP 403|not accessible by|required scopes|Must have|FORBIDDEN/i,
    code: "not_allowed",
    message: (host, said) => `${host} does not allow this account that: ${said}`,
    suggestion: (host) =>
      `Tell the person. Where the sign-in lacks a right, this renews it: gh auth refresh --hostname ${host}.`,
  },
  {
    reason: "not_found",
    form: /Could not resolve to|HTTP 404|not found|no pull requests found/i,
    code: "unknown_address",
    message: (host, said) => `There is no such thing at ${host}, or this account may not see it: ${said}`,
    suggestion: () => "Check the repository and the number. issue:// and pr:// list what there is.",
  },
  {
    reason: "not_json",
    form: /invalid character|looking for beginning of value|unexpected end of JSON/i,
    code: "page_failed",
    message: (host) =>
      `What answered for ${host} was no data of GitHub: a proxy or a page of the network may be in between.`,
    suggestion: () => "Go on without it, and tell the person.",
  },
  {
    reason: "unreachable",
    form: /error connecting|dial (?:tcp|unix)|no such host|connection (?:refused|reset)|timeout|certificate|EOF/i,
    code: "page_failed",
    message: (host, said) => `${host} cannot be reached: ${said}`,
    suggestion: () => "Try again later. What was read before can still be read.",
  },
  {
    reason: "refused",
    form: /HTTP 4\d\d/i,
    code: "invalid_arguments",
    message: (host, said) => `${host} refused it: ${said}`,
    suggestion: () => "Correct what it names, and call again.",
  },
  {
    reason: "server",
    form: /HTTP 5\d\d|Something went wrong/i,
    code: "page_failed",
    message: (host, said) => `${host} has trouble of its own: ${said}`,
    suggestion: () => "Try again later.",
  },
];

export function failureFault(failure: GhFailure, host: string): Fault {
  switch (failure.kind) {
    case "aborted":
      return new Fault("aborted", "GitHub was not asked to the end.", "Wait for the next message.");
    case "start":
      return new Fault(
        "command_failed",
        `The program gh could not be started: ${failure.reason}`,
        "Tell the person.",
      );
    case "time":
      return new Fault(
        "page_failed",
        `The program gh did not answer within ${failure.milliseconds / 1000} seconds, and was ended.`,
        "Try again, or go on without it.",
        { reason: "unreachable", host },
      );
    case "size":
      return new Fault(
        "too_large",
        `The answer is larger than ${Math.round(failure.maxBytes / 1024 ** 2)} MB.`,
        "Ask for less: one file of a diff, a shorter list, or no comments.",
        { host },
      );
    case "exit":
      return exitFault(failure, host);
  }
}

function exitFault({ code, by, message }: Extract<GhFailure, { kind: "exit" }>, host: string): Fault {
  if (by !== null) {
    return new Fault(
      "page_failed",
      `The program gh was ended by ${by} before it had answered.`,
      "Try again.",
      {
        reason: "other",
        host,
      },
    );
  }
  const said = saidBy(message);
  const found = code === 4 ? known.find(({ reason }) => reason === "not_signed_in") : undefined;
  const told = found ?? known.find(({ form }) => form.test(message));
  if (told !== undefined) {
    const { reason } = told;
    return new Fault(told.code, told.message(host, said), told.suggestion(host), { reason, host });
  }
  return new Fault("page_failed", `gh failed: ${said}`, "Try another way, or tell the person.", {
    reason: "other",
    host,
  });
}

/** Its first lines, on one. */
function saidBy(message: string): string {
  const lines = message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, 3);
  const said = visibleName(lines.join(" ").slice(0, 400)).replace(/^(?:GraphQL|gh): /, "");
  return said === "" ? "it did not say why" : said;
}

export function reasonOf({ details }: Fault): unknown {
  return details.reason;
}

/** For an answer that is not what was asked for. */
export function notData(host: string): Fault {
  return new Fault(
    "page_failed",
    `What answered for ${host} was no data of GitHub: a proxy or a page of the network may be in between.`,
    "Go on without it, and tell the person.",
    { reason: "not_json", host },
  );
}

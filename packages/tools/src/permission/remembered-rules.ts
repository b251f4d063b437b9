// The rule that an answer of "always" makes: as narrow as it is useful.
//
// Never everything, never for commands that run other commands or code, and for what is dangerous only the very same words.

import { posix } from "node:path";
import { isSecretPath } from "@stet/workspace/files/secret-names";
import type { Finding } from "./examine-command.ts";
import type { JudgedPart } from "./judge.ts";
import type { PermissionRule } from "./permission-rule.ts";
import { literalOf, type ShellWord } from "./shell-step.ts";

/** The rules that would allow all of these parts; undefined when one of them is not to be remembered. */
export function rulesFor(tool: string, parts: readonly JudgedPart[]): readonly PermissionRule[] | undefined {
  const rules: PermissionRule[] = [];
  for (const part of parts) {
    const made = part.isTakenAlong ? undefined : rulesOf(tool, part);
    if (made === undefined) return undefined;
    rules.push(...made);
  }
  const seen = new Map(rules.map((rule) => [JSON.stringify(rule), rule]));
  return [...seen.values()];
}

function rulesOf(tool: string, { subject }: JudgedPart): readonly PermissionRule[] | undefined {
  switch (subject.kind) {
    case "page": {
      if (!URL.canParse(subject.url)) return undefined;
      const { protocol, host } = new URL(subject.url);
      return [{ tool, target: subject.scope ?? `${protocol}//${host}/*`, effect: "allow" }];
    }
    case "send":
      // Another text is another thing to say.
      return undefined;
    case "path":
      return pathRule(subject.names, subject.access);
    case "network": {
      const targets = subject.findings.flatMap((finding) =>
        finding.kind === "command" && finding.risk !== "read" ? [targetOf(finding)] : [],
      );
      const known = targets.filter((target) => target !== undefined);
      // A rule has to cover every command of a line, so only a line with one of them has such a rule.
      const [target] = known;
      if (target === undefined || new Set(known).size !== 1 || known.length !== targets.length)
        return undefined;
      return [{ tool: "network", target, effect: "allow" }];
    }
    default:
      return findingRule(tool, subject.finding);
  }
}

function findingRule(tool: string, finding: Finding): readonly PermissionRule[] | undefined {
  if (finding.kind === "path") {
    return ["protected", "network"].includes(finding.place)
      ? undefined
      : pathRule(finding.names, finding.access);
  }
  if (finding.kind === "unsure") return undefined;
  if (finding.kind === "assignment") {
    return finding.risk === "danger" ? undefined : [{ tool, target: `${finding.name}=*`, effect: "allow" }];
  }
  const target = targetOf(finding);
  return target === undefined ? undefined : [{ tool, target, effect: "allow" }];
}

function pathRule(names: readonly string[], access: "read" | "write"): readonly PermissionRule[] | undefined {
  const [name] = names;
  // What a link or a pattern leads to may be another file tomorrow.
  if (name === undefined || names.length > 1 || /[*?[\]{}]/.test(name)) return undefined;
  const folder = posix.dirname(name);
  const isExact =
    folder === "." || folder === "/" || isSecretPath(name) || (access === "write" && name.startsWith("/"));
  const target = isExact ? name : `${folder}/*`;
  return [{ tool: access === "read" ? "read" : "edit", target, effect: "allow" }];
}

// Their words are programs, or lead to one.
const codeRunners =
  /^(?:awk|gawk|mawk|nawk|sed|ed|ex|vi|vim|nvim|view|nano|emacs|less|more|most|man|tar|bsdtar|zip|7z|sqlite3|psql|mysql|mongosh|redis-cli|osascript|curl|wget|http|lua|php|R|Rscript|java|jq|xmllint|socat|openssl|ffmpeg|pandoc)$/;
const interpreters = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|pypy3?|perl|ruby|bash|sh|dash)$/;
const withVerb =
  /^(?:npm|pnpm|yarn|bun|npx|bunx|cargo|go|git|dotnet|gradle|gradlew|mvn|mvnw|mix|rake|rails|composer|uv|poetry|pdm|hatch|nx|turbo|lerna|rush|bazel|just|task|deno|swift|flutter|dart|stack|cabal|pre-commit)$/;
const exactOnly = /^(?:make|gmake|ninja|cmake|meson|xcodebuild|sbt|ant)$/;
const plainWord = /^[\w@%+=:,./-]+$/;

function targetOf(finding: Extract<Finding, { kind: "command" }>): string | undefined {
  const { isWrapper, risk, words } = finding;
  if (isWrapper) return undefined;
  const values = words.map(plainValue);
  const [name, verb, object] = values;
  if (name === undefined) return undefined;
  const program = posix.basename(name);
  if (risk === "danger" || exactOnly.test(program)) {
    if (/^(?:sudo|doas|su)$/.test(program) || values.includes(undefined)) return undefined;
    return values.join(" ");
  }
  if (codeRunners.test(program)) return undefined;
  if (interpreters.test(program) && !withVerb.test(program)) {
    if (verb === "-m" && program.startsWith("py") && object !== undefined) return `${name} -m ${object} *`;
    return verb === undefined || verb.startsWith("-") ? undefined : `${name} ${verb} *`;
  }
  if (!withVerb.test(program)) return `${name} *`;
  if (verb === undefined || verb.startsWith("-")) return undefined;
  if (!["run", "run-script", "exec", "x"].includes(verb)) return `${name} ${verb} *`;
  return object === undefined || object.startsWith("-") ? undefined : `${name} ${verb} ${object} *`;
}

function plainValue(word: ShellWord): string | undefined {
  const value = literalOf(word);
  return value !== undefined && plainWord.test(value) ? value : undefined;
}

/** A rule as a person reads it. */
export function ruleInWords({ tool, target }: PermissionRule): string {
  if (tool === "edit")
    return target.endsWith("/*") ? `change files in ${target.slice(0, -1)}` : `change ${target}`;
  if (tool === "read" && !/^[a-z]+:\/\//.test(target)) {
    return target.endsWith("/*") ? `read files in ${target.slice(0, -1)}` : `read ${target}`;
  }
  if (tool === "github") return `read ${target} through gh`;
  return tool === "network" ? `${target} with the network` : target;
}

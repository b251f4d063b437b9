// Whether a rule is about something.
//
// "maybe" is for words that only a shell will know: such a word could be what a rule forbids, so it is asked for; but it is
// never taken for what a rule allows.

import { posix } from "node:path";
import { literalOf, literalWord, type ShellWord } from "./shell-step.ts";

export type Match = "yes" | "maybe" | "no";

/** How a rule is read: what forbids is read generously, what allows to the letter. */
export type Reading = "strict" | "generous";

export function matchCommand(target: string, words: readonly ShellWord[], reading: Reading): Match {
  const tokens = target.trim().split(/\s+/);
  if (target.trim() === "*") return "yes";
  const forms = reading === "strict" ? [words] : [words, bareProgram(words), plainGit(bareProgram(words))];
  return best(forms.map((form) => matchWords(tokens, form, reading)));
}

/** `/bin/rm` is rm. */
function bareProgram(words: readonly ShellWord[]): readonly ShellWord[] {
  const name = literalOf(words[0]);
  if (name === undefined) return words;
  return [literalWord(posix.basename(name)), ...words.slice(1)];
}

const gitValues = new Set("-c -C --git-dir --work-tree --namespace --config-env --exec-path".split(" "));

/** `git -C x push` is `git push`. */
function plainGit(words: readonly ShellWord[]): readonly ShellWord[] {
  if (literalOf(words[0]) !== "git") return words;
  let at = 1;
  for (let value = literalOf(words[at]); value?.startsWith("-") === true; value = literalOf(words[at])) {
    at += gitValues.has(value) ? 2 : 1;
  }
  return [...words.slice(0, 1), ...words.slice(at)];
}

/** A `*` of its own stands for any words, also for none. Inside a word it stands for any characters of that word. */
function matchWords(tokens: readonly string[], words: readonly ShellWord[], reading: Reading): Match {
  const known = new Map<number, Match>();
  const from = (token: number, word: number): Match => {
    const key = token * (words.length + 1) + word;
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = compare(token, word);
    known.set(key, answer);
    return answer;
  };
  const compare = (token: number, word: number): Match => {
    const pattern = tokens[token];
    const next = words[word];
    if (pattern === undefined) {
      if (next === undefined) return "yes";
      return words.slice(word).every((rest) => rest.kind === "unknown") ? "maybe" : "no";
    }
    if (pattern === "*") {
      if (token === tokens.length - 1) return "yes";
      return next === undefined
        ? from(token + 1, word)
        : best([from(token + 1, word), from(token, word + 1)]);
    }
    if (next === undefined) return "no";
    if (next.kind === "literal") {
      return wildcard(pattern, reading).test(next.value) ? from(token + 1, word + 1) : "no";
    }
    // It may be this word, several words, or none.
    const all = best([from(token + 1, word + 1), from(token + 1, word), from(token, word + 1)]);
    return all === "no" ? "no" : "maybe";
  };
  return from(0, 0);
}

export function matchAssignment(target: string, source: string, reading: Reading): Match {
  return wildcard(target.trim(), reading).test(source) ? "yes" : "no";
}

/** All names of a path have to match what allows; one is enough for what forbids. */
export function matchPath(target: string, names: readonly string[], home: string, reading: Reading): Match {
  if (target === "*" || target === "**") return "yes";
  const pattern = pathPattern(target, home, reading);
  if (reading === "strict") return names.every((name) => pattern.test(name)) ? "yes" : "no";
  // What is denied in a folder is not searched through the folder's own name either.
  return names.some((name) => pattern.test(name) || pattern.test(`${name}/`)) ? "yes" : "no";
}

function pathPattern(target: string, home: string, reading: Reading): RegExp {
  const plain = target.replace(/^(?:\.\/)+/, "").replace(/^~(?=\/|$)/, home);
  const whole = plain.endsWith("/") ? `${plain}**` : plain;
  const body = whole.replace(/\*\*\/|\*\*|\*|\?|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
  // Some disks take `.ENV` for `.env`.
  return new RegExp(`^${body}$`, reading === "generous" ? "isu" : "su");
}

/** `https://example.com/*`, `https://*.example.com/*`; a `*` in the host never reaches into the path, nor the other way. */
export function matchUrl(target: string, url: string, reading: Reading): Match {
  if (target === "*") return "yes";
  const wanted = /^([a-z*]+):\/\/([^/]+)(\/.*)?$/i.exec(target.trim());
  if (wanted === null || !URL.canParse(url)) return "no";
  const { protocol, host, pathname, search } = new URL(url);
  const [, scheme = "", hosts = "", path = "/*"] = wanted;
  const isSame =
    wildcard(scheme, "generous").test(protocol.slice(0, -1)) &&
    wildcard(hosts, "generous").test(host) &&
    wildcard(path, reading).test(pathname + search);
  return isSame ? "yes" : "no";
}

/** `comment https://github.com/owner/*`. What forbids may leave out the word; what allows has to have it. */
export function matchSend(
  target: string,
  { action, url }: { readonly action: string; readonly url: string },
  reading: Reading,
): Match {
  if (target.trim() === "*") return "yes";
  const [, word, address = ""] = /^(?:([^\s:/]+)\s+)?(\S+)$/.exec(target.trim()) ?? [];
  if (word === undefined) return reading === "generous" ? matchUrl(address, url, reading) : "no";
  return wildcard(word, reading).test(action) ? matchUrl(address, url, reading) : "no";
}

function wildcard(pattern: string, reading: Reading): RegExp {
  const body = pattern.replace(/[\\^$.|+()[\]{}?]/g, "\\$&").replace(/\*+/g, ".*");
  return new RegExp(`^${body}$`, reading === "generous" ? "is" : "s");
}

function best(matches: readonly Match[]): Match {
  return matches.includes("yes") ? "yes" : matches.includes("maybe") ? "maybe" : "no";
}

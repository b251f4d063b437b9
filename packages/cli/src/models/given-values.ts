// The values of a provider that a command line and its standard input give.

import type { ProviderForm } from "./connect.ts";

const refused =
  "A key is never an argument: the shell's history keeps it, and every process can read it. It is asked for in a terminal, or read from standard input: stet login PROVIDER < key.txt. If this one is in use, make another one at the provider.";

/** The options by their names, or what is wrong as a sentence, which never repeats what may be a key. */
export function keyProblem(
  positionals: readonly string[],
  options: readonly string[],
): Readonly<Record<string, string>> | string {
  const [provider = "", ...others] = positionals;
  if ([...positionals, ...options].some(looksLikeKey) || others.length > 0) return refused;
  if (provider !== "" && !/^[a-z0-9][a-z0-9._-]{0,39}$/.test(provider))
    return "The name of a provider has small letters, digits, dots and dashes, at most 40. stet models --all lists those that are known.";
  const values: Record<string, string> = {};
  for (const option of options) {
    const [, name, value = ""] = /^([^=]+)=(.*)$/s.exec(option) ?? [];
    if (name === undefined) return "--option takes a name and a value: --option region=eu-central-1.";
    if (/key|secret|token|password/i.test(name)) return refused;
    values[name] = value;
  }
  return values;
}

/** What providers' keys begin with, or a long mixture of letters and digits. */
function looksLikeKey(word: string): boolean {
  const value = word.includes("=") ? word.slice(word.indexOf("=") + 1) : word;
  if (/^(sk|rk|pk|gsk|xai|hf|key|tok|AIza|AKIA|ghp|pplx|nvapi|csk|fw)[-_]?[\w-]{12,}/.test(value))
    return true;
  return /^[\w-]{28,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !value.includes("--");
}

/** Standard input is the provider's key; where it takes several secrets, a line for each in their order. */
export function pipedValues(
  { fields, title }: ProviderForm,
  given: Readonly<Record<string, string>>,
  input: string,
): Readonly<Record<string, string>> | string {
  const text = input.trim();
  if (text === "") return {};
  const secrets = fields.filter(({ name, is_secret: isSecret }) => isSecret && given[name] === undefined);
  const [first] = secrets;
  if (first === undefined) return `${title} takes no key, and standard input holds something.`;
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  // An account's file is a key of many lines.
  if (lines.length === 1 || text.startsWith("{")) return { [first.name]: text };
  if (lines.length > secrets.length)
    return `A key is one line, and standard input has ${lines.length}. Nothing was connected.`;
  return Object.fromEntries(lines.map((line, index) => [secrets[index]?.name ?? first.name, line]));
}

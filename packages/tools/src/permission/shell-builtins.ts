// Commands of the shell itself that change how the rest of a line, or a later one, is understood.

import { group } from "./dangerous-commands.ts";
import type { Inner } from "./inner-commands.ts";
import { literalOf, type ShellWord } from "./shell-step.ts";

const changing: Readonly<Record<string, string>> = {
  ...group("it runs a file in this shell", ". source"),
  ...group("it gives commands another meaning", "alias enable hash unalias"),
  ...group("it can run commands besides", "bind compgen complete coproc let mapfile readarray"),
  ...group("it changes how commands are read", "shopt"),
  ...group("it ends the shell, or starts another", "logout newgrp"),
  ...group("it changes the folder in a way that is not followed here", "popd pushd"),
};

/** Builtins that set what they name, with the options that change nothing else: -f is about functions, and -n and -i make later
 * assignments mean something else. */
const setting: Readonly<Record<string, RegExp>> = {
  ...group(/^[-+][xrgp]+$|^--$/, "export declare typeset readonly local"),
  unset: /^-v$/,
  read: /^-[rs]+$/,
  getopts: /(?!)/,
};

/** Of read, those with a value. */
const valued = /^-[rs]*[dnNptu]$/;

/** What a builtin does; undefined when it is none, or one that other tables know. */
export function readBuiltin(name: string, rest: readonly ShellWord[]): Inner | undefined {
  if (Object.hasOwn(changing, name)) return { danger: changing[name] ?? "" };
  if (Object.hasOwn(setting, name)) return assigning(name, rest);
  const first = literalOf(rest[0]);
  switch (name) {
    case "eval": {
      const words = rest.map((word) => literalOf(word));
      if (words.some((word) => word === undefined)) return { unsure: "it is not clear what it runs" };
      return { scripts: [{ text: words.join(" ") }] };
    }
    case "trap":
      if (rest.length === 0 || first === "-" || first === "-l" || first === "-p") return {};
      if (first === undefined) return { unsure: "it is not clear what it would run later" };
      return { scripts: [{ text: first }] };
    case "set": {
      const isHarmless = rest.length > 0 && rest.every((word) => harmlessSet.test(literalOf(word) ?? "?"));
      return isHarmless ? {} : { danger: "it changes how commands are read" };
    }
    case "exit":
    case "return":
    case "break":
    case "continue":
    case "shift":
    case "wait":
    case "jobs":
    case "times":
      return rest.every((word) => /^%?\d*$/.test(literalOf(word) ?? "?")) ? {} : undefined;
    case "printf":
      return first?.startsWith("-v") === true
        ? { danger: "it sets a variable whose index can run commands" }
        : undefined;
    default:
      return undefined;
  }
}

const harmlessSet = /^(?:[-+][efuxo]*|--|pipefail|errexit|nounset|xtrace|noglob)$/;

function assigning(name: string, rest: readonly ShellWord[]): Inner {
  const assigned: { name: string; source: string }[] = [];
  const declares = !["unset", "read", "getopts"].includes(name);
  const named = declares ? /^([A-Za-z_]\w*)(?:=|$)/ : /^([A-Za-z_]\w*)$/;
  for (let at = name === "getopts" ? 1 : 0; at < rest.length; at += 1) {
    const value = literalOf(rest[at]) ?? "";
    const variable = named.exec(value)?.[1];
    if (variable !== undefined) assigned.push({ name: variable, source: rest[at]?.source ?? value });
    else if (name === "read" && valued.test(value)) at += 1;
    // What is no name may have an index, which can run commands.
    else if (setting[name]?.test(value) !== true) return { unsure: "it is not clear what it sets" };
  }
  return declares && assigned.length === 0
    ? { danger: "it shows all variables, secrets among them" }
    : { assigned };
}

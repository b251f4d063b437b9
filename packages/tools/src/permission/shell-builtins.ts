// Commands of the shell itself that change how the rest of a line, or a later one, is understood.

import type { Inner } from "./inner-commands.ts";
import { literalOf, type ShellWord } from "./shell-step.ts";

const declaring = new Set(["export", "declare", "typeset", "readonly", "local"]);
const changing: Readonly<Record<string, string>> = {
  ".": "it runs a file in this shell",
  alias: "it gives commands another meaning",
  bind: "it runs commands on keys",
  compgen: "it can run commands to find words",
  complete: "it runs commands to complete words",
  coproc: "it runs a command besides",
  enable: "it gives commands another meaning",
  hash: "it gives commands another meaning",
  let: "arithmetic with variables can run commands",
  mapfile: "it can run commands for each line",
  newgrp: "it starts a shell with other rights",
  logout: "it ends the shell",
  popd: "it is not clear where it leads",
  pushd: "it changes the folder in a way that is not followed here",
  readarray: "it can run commands for each line",
  shopt: "it changes how commands are read",
  source: "it runs a file in this shell",
  unalias: "it gives commands another meaning",
};

/** What a builtin does; undefined when it is none, or one that other tables know. */
export function readBuiltin(name: string, rest: readonly ShellWord[]): Inner | undefined {
  if (Object.hasOwn(changing, name)) return { danger: changing[name] ?? "" };
  if (declaring.has(name)) return declared(name, rest);
  switch (name) {
    case "eval": {
      const words = rest.map((word) => literalOf(word));
      if (words.some((word) => word === undefined)) return { unsure: "it is not clear what it runs" };
      return { scripts: [{ text: words.join(" ") }] };
    }
    case "trap": {
      const script = literalOf(rest[0]);
      if (rest.length === 0 || script === "-" || script === "-l" || script === "-p") return {};
      if (script === undefined) return { unsure: "it is not clear what it would run later" };
      return { scripts: [{ text: script }] };
    }
    case "set":
      return isHarmlessSet(rest) ? {} : { danger: "it changes how commands are read" };
    case "unset":
      return named(rest, "it removes a function, or something that is not clear");
    case "read":
      return reading(rest);
    case "getopts":
      return named(rest.slice(1), "it is not clear what it sets");
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
      return literalOf(rest[0])?.startsWith("-v") === true
        ? { danger: "it sets a variable whose index can run commands" }
        : undefined;
    default:
      return undefined;
  }
}

function declared(name: string, rest: readonly ShellWord[]): Inner {
  const assigned: { name: string; source: string }[] = [];
  for (const word of rest) {
    const value = literalOf(word);
    const variable = /^([A-Za-z_]\w*)(?:=|$)/.exec(value ?? "")?.[1];
    if (variable !== undefined) assigned.push({ name: variable, source: word.source });
    // -f is about functions, -n and -i make later assignments mean something else.
    else if (value === undefined || !/^[-+][xrgp]+$|^--$/.test(value)) {
      return { unsure: "it is not clear what it sets" };
    }
  }
  if (assigned.length > 0) return { assigned };
  return { danger: name === "local" ? "it shows variables" : "it shows all variables, secrets among them" };
}

const harmlessSet = /^(?:[-+][efuxo]*|--|pipefail|errexit|nounset|xtrace|noglob)$/;

function isHarmlessSet(rest: readonly ShellWord[]): boolean {
  return rest.length > 0 && rest.every((word) => harmlessSet.test(literalOf(word) ?? "?"));
}

function named(rest: readonly ShellWord[], otherwise: string): Inner {
  const assigned: { name: string; source: string }[] = [];
  for (const word of rest) {
    const value = literalOf(word) ?? "";
    if (value === "-v") continue;
    if (!/^[A-Za-z_]\w*$/.test(value)) return { danger: otherwise };
    assigned.push({ name: value, source: word.source });
  }
  return { assigned };
}

/** read sets what it names, from whatever it is sent. */
function reading(rest: readonly ShellWord[]): Inner {
  const names: ShellWord[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const value = literalOf(rest[at]) ?? "";
    if (/^-[rs]*[dnNptu]$/.test(value)) at += 1;
    else if (/^-[rs]+$/.test(value)) continue;
    else names.push(rest[at] ?? { kind: "unknown", source: "" });
  }
  return named(names, "it sets something whose index can run commands");
}

// Variables that commands have set, carried from the shell of one profile of the sandbox to that of another: as data.
//
// What a shell lists may have been made up by any process of its profile. So of the listing only names and texts are taken,
// bounded in number and size, and each text is set as it is, quoted, in a variable without attributes: an integer or a
// reference of the same name would evaluate it. A name that makes programs run, load or obey something is never carried, and
// from a profile that may only read come the names that a line may use for itself. Nothing goes in or out of the unsandboxed one.

import type { Shell } from "./shell.ts";
import { quoted } from "./shell-script.ts";

export interface ShellVariable {
  readonly value: string;
  readonly isExported: boolean;
}

export type ShellVariables = ReadonlyMap<string, ShellVariable>;

/** What setting a variable may lead to: "none" is harmless, "danger" makes programs do something else. */
export type VariableRisk = (name: string, value: string) => "none" | "other" | "danger";

const maxListing = 256 * 1024;
const maxValue = 16 * 1024;
const maxVariables = 200;
/** A shell that takes longer has been made to. */
const maxMilliseconds = 2000;

/** The shell of a profile, as far as its variables are concerned. */
export interface VariableEnd {
  readonly shell: Shell;
  /** Whether it may only read. */
  readonly isReadOnly: boolean;
  /** What it began with. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it last had in common with another one. */
  synced: ShellVariables;
}

/** Gives one shell what commands have set in another. Both wait for a command. */
export async function carryVariables(from: VariableEnd, to: VariableEnd, risk: VariableRisk): Promise<void> {
  const listing = await listingOf(from.shell);
  if (listing === undefined) return;
  const mayCarry = (name: string, { value }: ShellVariable) => {
    const found = risk(name, value);
    return found === "none" || (found === "other" && !from.isReadOnly);
  };
  const all = parseListing(listing, from.environment);
  const wanted = new Map([...all].filter(([name, variable]) => mayCarry(name, variable)));
  const known = new Map([...to.synced].filter(([name, variable]) => mayCarry(name, variable)));
  from.synced = all;
  const changes = changesTo(known, wanted);
  to.synced = new Map([...to.synced, ...wanted]);
  if (changes.length > 0) await ask(to.shell, changeVariables(changes), () => {});
}

async function listingOf(shell: Shell): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isDone = await ask(shell, "builtin declare -p", (chunk) => {
    size += chunk.length;
    if (size <= maxListing) chunks.push(chunk);
  });
  return isDone ? Buffer.concat(chunks) : undefined;
}

/** Whether the shell did it in time. One that did not is ended. */
async function ask(shell: Shell, command: string, read: (chunk: Buffer) => void): Promise<boolean> {
  const timer = setTimeout(() => void shell.stop(), maxMilliseconds);
  const folder = shell.folder ?? "/";
  const { kind } = await shell.say({ command, env: {}, folder, instead: folder, returnTo: undefined }, read);
  clearTimeout(timer);
  return kind === "done";
}

/** A shell's own, which mean something else in another one. */
const ownNames =
  /^(?:_|__stet_\w+|BASH\w*|COMP_\w+|DIRSTACK|EPOCH\w+|EUID|FUNCNAME|GROUPS|HIST\w+|HOSTNAME|HOSTTYPE|IFS|LINENO|MACHTYPE|MAILCHECK|MAPFILE|OLDPWD|OPT(?:ARG|ERR|IND)|OSTYPE|PIPESTATUS|PPID|PROMPT_\w+|PS[0-4]|PWD|RANDOM|SECONDS|SHELLOPTS|SHLVL|SRANDOM|STET_COMMAND|TMOUT|UID)$/;

/**
 * The plain variables of a listing that are not as the shell began with them. Lines that are anything else, arrays and what
 * has attributes among them, are left out.
 */
export function parseListing(listing: Buffer, began: Readonly<Record<string, string>>): ShellVariables {
  const found = new Map<string, ShellVariable>();
  for (const line of listing.toString("latin1").split("\n")) {
    const [, flag, name = "", text = ""] = /^declare -([-x]) ([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (flag === undefined || ownNames.test(name) || found.size >= maxVariables) continue;
    const value = textOf(text);
    if (value === undefined || value.length > maxValue || began[name] === value) continue;
    found.set(name, { value, isExported: flag === "x" });
  }
  return found;
}

export interface VariableChange {
  readonly name: string;
  /** Undefined where it is to be unset. */
  readonly variable: ShellVariable | undefined;
}

/** What has to be changed in a shell that was last given `known`, so that it has what the other one has. */
export function changesTo(known: ShellVariables, wanted: ShellVariables): VariableChange[] {
  const isSame = (name: string, { value, isExported }: ShellVariable) =>
    known.get(name)?.value === value && known.get(name)?.isExported === isExported;
  const set = [...wanted].filter(([name, variable]) => !isSame(name, variable));
  const unset = [...known.keys()].filter((name) => !wanted.has(name));
  return [
    ...set.map(([name, variable]) => ({ name, variable })),
    ...unset.map((name) => ({ name, variable: undefined })),
  ];
}

/** What a shell is told to make the changes. Names are names, and values are quoted. */
export function changeVariables(changes: readonly VariableChange[]): string {
  const lines = changes.map(({ name, variable }) => {
    const unset = `builtin unset -n ${name}; builtin unset -v ${name}`;
    if (variable === undefined) return unset;
    const flag = variable.isExported ? "-x" : "--";
    return `${unset}; builtin declare ${flag} ${name}=${quoted(variable.value)}`;
  });
  return lines.join("\n");
}

/** A value as bash lists it: in double quotes, or with escapes where it has characters that cannot be seen. */
function textOf(quotedText: string): string | undefined {
  const [, plain] = /^"((?:[^"\\]|\\.)*)"$/.exec(quotedText) ?? [];
  const [, escaped] = /^\$'((?:[^'\\]|\\.)*)'$/.exec(quotedText) ?? [];
  const bytes =
    plain?.replaceAll(/\\(["$`\\])/g, "$1") ??
    escaped?.replaceAll(/\\([0-7]{1,3}|.)/g, (_, code: string) => escapes[code] ?? octal(code));
  if (bytes === undefined || bytes.includes("\0")) return undefined;
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  // Bytes that are no text cannot be sent as text.
  return text.includes("\ufffd") ? undefined : text;
}

const escapes: Readonly<Record<string, string>> = {
  E: "\x1b",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function octal(code: string): string {
  return /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : code;
}

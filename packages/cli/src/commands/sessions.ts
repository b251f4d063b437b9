// `stet sessions`: list (default), show, export, import, fork, branch, compact, rename, remove, prompts.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { addUsage, noUsage } from "@stet/protocol/message";
import { redactionFor } from "@stet/protocol/redact";
import { visibleName } from "@stet/protocol/visible";
import type { SessionEntry } from "@stet/session/entry";
import { timeAgo } from "@stet/session/session-listing";
import type { SessionStore } from "@stet/session/session-store";
import type { SessionTreeNode } from "@stet/session/session-tree";
import { writePrivateFile } from "@stet/storage/private-files";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { sessionStore, warnOfDamage } from "../open-session.ts";
import { showPrompts } from "../prompts.ts";
import { usageLine } from "../render-text.ts";
import { showFault } from "../terminal.ts";
import { usage } from "../with-folder.ts";

export async function sessions(
  { values, positionals }: WordsOf<"sessions">,
  context: CommandContext,
): Promise<number> {
  const [verb = "list", id = "", ...rest] = positionals;
  const store = sessionStore(context);
  const folder = context.root;
  const result = await run();
  if (!isFault(result)) return result;
  showFault(context.terminal, result);
  return exitCode.refused;

  async function run(): Promise<number | Fault> {
    if (verb === "prompts") {
      const prompts = showPrompts([id, ...rest].join(" ").trim(), 50, context);
      if (isFault(prompts)) return prompts;
      for (const prompt of prompts) context.terminal.out(`${visibleName(prompt)}\n`);
      return exitCode.done;
    }
    if (verb === "list") return list(store, folder, context, { ...values, limit: limitOf(values) });
    if (verb === "compact") return compact(store, folder, id, context);
    if (id === "")
      return usage(context, `Say which: stet sessions ${verb} ${verb === "import" ? "FILE" : "ID"}.`);
    if (verb === "import") return importSession(store, folder, resolve(context.folder, id), context);
    const found = store.find(id, folder);
    if (isFault(found)) return found;
    const { path } = found.info;
    if (verb === "show") return show(store, path, context);
    if (verb === "export") return exportSession(store, path, rest[0], context);
    if (verb === "fork") return importSession(store, folder, path, context);
    if (verb === "branch") return branchSession(store, path, rest[0], context);
    const fault = verb === "rename" ? store.rename(path, rest.join(" ")) : store.remove(path);
    if (fault !== undefined) return fault;
    context.terminal.out(verb === "rename" ? `Renamed to "${rest.join(" ")}".\n` : "Removed.\n");
    return exitCode.done;
  }
}

/** What a person reads is the newest ones: the file of each that is listed has to be opened. */
const usualLimit = 20;

/** Programs, and who asks for every folder, get all of them. */
function limitOf(values: { json: boolean; all: boolean; limit?: string | undefined }): number {
  if (values.limit !== undefined) return Number(values.limit);
  return values.json || values.all ? Number.POSITIVE_INFINITY : usualLimit;
}

function list(
  store: SessionStore,
  folder: string,
  { terminal }: CommandContext,
  values: { json: boolean; all: boolean; limit: number },
): number {
  const { limit } = values;
  // One more than is shown tells whether there are more.
  const known = values.all ? store.listAll() : store.recent(folder, limit + 1);
  const found = known.slice(0, limit);
  if (values.json) terminal.json(found);
  else if (found.length === 0) terminal.out("There are no sessions here yet.\n");
  for (const info of values.json ? [] : found) {
    const where = values.all ? `  ${visibleName(info.cwd)}` : "";
    terminal.out(
      `${terminal.style("bold", info.id.slice(0, 8))}  ${timeAgo(info.modified).padEnd(12)} ${visibleName(info.name.slice(0, 80))}${where}\n`,
    );
    if (info.damage !== undefined)
      terminal.note(
        `${terminal.style("yellow", "Damaged:")} ${info.path}: ${info.damage}. Run stet doctor --repair.\n`,
      );
  }
  if (!values.json && known.length > limit)
    terminal.note(terminal.style("dim", `There are older ones: stet sessions --limit ${limit * 4}\n`));
  return exitCode.done;
}

function show(store: SessionStore, path: string, context: CommandContext): number | Fault {
  const session = warnOfDamage(context, store.open(path));
  if (isFault(session)) return session;
  const { terminal } = context;
  const draw = (nodes: readonly SessionTreeNode[], depth: number) => {
    for (const node of nodes) {
      const entry = session.entry(node.head.id);
      const text = isFault(entry) ? entry.message : lineOf(entry);
      const mark = node.head.id === session.leafId ? terminal.style("green", " ← here") : "";
      terminal.out(
        `${"  ".repeat(depth)}${terminal.style("dim", node.head.id)} ${visibleName(text.slice(0, 100))}${mark}\n`,
      );
      // A branch is drawn further in; a line of one goes straight down.
      draw(node.children, node.children.length > 1 ? depth + 1 : depth);
    }
  };
  draw(session.tree(), 0);
  const spent = session.entries().reduce((sum, entry) => {
    const isAnswer = !isFault(entry) && entry.type === "message" && entry.message.role === "assistant";
    return isAnswer ? addUsage(sum, entry.message.usage) : sum;
  }, noUsage);
  terminal.out(terminal.style("dim", `In all: ${usageLine(spent)}.\n`));
  return exitCode.done;
}

async function compact(
  store: SessionStore,
  folder: string,
  id: string,
  context: CommandContext,
): Promise<number | Fault> {
  const latest = id === "" ? store.list(folder)[0] : undefined;
  const found = latest === undefined ? store.find(id, folder) : { info: latest };
  if (isFault(found)) return found;
  const session = store.open(found.info.path);
  if (isFault(session)) return session;
  const { environment, terminal, signal } = context;
  const { loadConfiguration } = await import("@stet/host/settings/configuration");
  const { isRefused, modelChooser } = await import("@stet/host/turn/choose-model");
  const { askedModel } = await import("@stet/host/turn/prepare-turn");
  const { compactSession } = await import("@stet/host/turn/compact-session");
  const words = await import("../model-words.ts");
  const configuration = loadConfiguration({ folder, environment, isTrusted: false });
  if (isFault(configuration)) return configuration;
  const { settings } = configuration;
  const asked = askedModel({ session, configured: settings, chosen: {} });
  words.tellPractice(terminal, settings, asked);
  const chosen = await modelChooser(environment)(settings, words.modelWatcher(terminal), asked);
  if (isRefused(chosen)) return words.refuseModel(terminal, chosen, asked);
  words.tellKeptModel(terminal, asked);
  const compacted = await compactSession(session, chosen.model, { signal });
  if (isFault(compacted)) return compacted;
  const { before, after, shortened } = compacted;
  terminal.out(`${shortened?.shortSummary ?? ""}\n`);
  terminal.note(terminal.style("dim", `${before} tokens became about ${after}.\n`));
  return exitCode.done;
}

function lineOf(entry: SessionEntry): string {
  if (entry.type === "stop") return entry.message;
  if (entry.type === "compaction") return `summary: ${entry.shortSummary ?? entry.summary.split("\n")[0]}`;
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  const why = message.role === "assistant" ? message.errorMessage : undefined;
  return `${message.role}: ${firstLine(message.content)}${why === undefined ? "" : ` Stopped: ${why}`}`;
}

function firstLine(
  content: string | readonly { readonly type: string; readonly text?: string; readonly name?: string }[],
): string {
  if (typeof content === "string") return content.split("\n")[0] ?? "";
  return (
    content
      .map((part) => part.text ?? (part.name === undefined ? "" : `[${part.name}]`))
      .join(" ")
      .split("\n")[0] ?? ""
  );
}

async function exportSession(
  store: SessionStore,
  path: string,
  target: string | undefined,
  context: CommandContext,
): Promise<number | Fault> {
  const session = store.open(path);
  if (isFault(session)) return session;
  // What is kept has no secrets any more; a session of an earlier time may have some.
  const redact = redactionFor(context.environment);
  const text = target?.endsWith(".jsonl")
    ? (await import("@stet/session/export-lines")).exportLines(session, redact)
    : target?.endsWith(".html")
      ? redact((await import("@stet/session/export-html")).exportHtml(session))
      : redact((await import("@stet/session/export-markdown")).exportMarkdown(session));
  if (target === undefined) {
    context.terminal.data(text);
    return exitCode.done;
  }
  const file = resolve(context.folder, target);
  if (existsSync(file))
    return new Fault("file_exists", `${file} exists already.`, "Choose another name.", { path: file });
  // A conversation: whoever else is to read it is for the person to say.
  writePrivateFile(file, text, "wx");
  context.terminal.out(`Written to ${file}.\n`);
  return exitCode.done;
}

function branchSession(
  store: SessionStore,
  path: string,
  entry: string | undefined,
  context: CommandContext,
): number | Fault {
  if (entry === undefined)
    return usage(context, "Say from which entry: stet sessions branch ID ENTRY. See stet sessions show ID.");
  const session = store.open(path);
  if (isFault(session)) return session;
  const branch = store.branchOff(session, entry);
  if (isFault(branch)) return branch;
  const id = branch.header.id.slice(0, 8);
  context.terminal.out(`The branch is ${id}. Go on with: stet --resume ${id} -p "…"\n`);
  return exitCode.done;
}

/** Any version of the family: a copy is made here, brought up to date; the file itself is not touched. */
function importSession(
  store: SessionStore,
  folder: string,
  source: string,
  { terminal }: CommandContext,
): number | Fault {
  const session = store.fork(source, folder);
  if (isFault(session)) return session;
  const id = session.header.id.slice(0, 8);
  terminal.out(`The copy is ${id}. Go on with: stet --resume ${id} -p "…"\n`);
  return exitCode.done;
}

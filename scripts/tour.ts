// `npm run tour`: a short tour on a copy of the sample project. Every step is real: real files, a real ledger, and a real
// process that is killed in the middle of a save.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, isFault } from "../packages/protocol/src/fault.ts";
import { diffWords } from "../packages/text/src/words.ts";
import type { ReviewHunk } from "../packages/workspace/src/review/review.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";

const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const paint = (code: number) => (text: string) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, red, green, yellow] = [paint(1), paint(2), paint(31), paint(32), paint(33)];

function say(text = ""): void {
  process.stdout.write(`${text}\n`);
}

let steps = 0;
function title(text: string): void {
  steps += 1;
  say(`\n${bold(`${steps}. ${text}`)}`);
}

function must<T>(value: T | Fault): T {
  if (isFault(value)) throw new Error(`${value.message} ${value.suggestion}`);
  return value;
}

function show(value: unknown): void {
  if (!isFault(value)) return;
  say(`   ${yellow(`refused (${value.error})`)}: ${value.message}`);
  say(`   ${dim(value.suggestion)}`);
}

function showHunk(hunk: ReviewHunk): void {
  const words = diffWords(hunk.removed.join("\n"), hunk.added.join("\n"));
  const excerpt = words.map(({ kind, text }) => {
    if (kind === "same") return text.length > 60 ? `${text.slice(0, 28)} … ${text.slice(-28)}` : text;
    return kind === "removed" ? red(`[-${text}-]`) : green(`{+${text}+}`);
  });
  say(
    `   ${dim(hunk.id.padEnd(6))} line ${String(hunk.newStart).padEnd(3)} ${excerpt.join("").replaceAll("\n", "⏎ ")}`,
  );
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === "--save-and-die") await saveAndDie(rest);
else await tour();

/** Saves and is killed after the first of two files was put in place. */
async function saveAndDie([where = "", data = ""]: string[]): Promise<void> {
  const step = (name: string) => {
    if (name === "rename:1" || name === "excerpt:1" || name === "keep:1")
      process.kill(process.pid, "SIGKILL");
  };
  const workspace = must(await Workspace.open(where, { dataFolder: data, step }));
  const documents = ["novel.md", "notes/characters.md"].map(
    (path) => must(workspace.documents.open(path)).id,
  );
  must(await workspace.saving.save(documents));
}

async function tour(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "stet-tour-"));
  const root = join(folder, "lighthouse");
  const dataFolder = join(folder, "data");
  cpSync(join(import.meta.dirname, "../examples/lighthouse"), root, { recursive: true });
  say(bold("Stet: an agent edits, you stay in control."));
  say(dim(`A copy of examples/lighthouse is in ${root}; nothing else is touched.`));
  let workspace = must(await Workspace.open(root, { dataFolder }));
  const novel = must(workspace.documents.open("novel.md")).id;
  const notes = must(workspace.documents.open("notes/characters.md")).id;
  const text = (id: number) => must(workspace.documents.state(id)).pending.current;
  const revision = (id: number) => must(workspace.documents.state(id)).history.revision;
  const lineWith = (id: number, words: string) =>
    text(id)
      .toString()
      .split("\n")
      .findIndex((line) => line.includes(words)) + 1;
  const rename = (line: string) => line.replaceAll("Tobias", "Elias");

  title("The agent renames Tobias to Elias, in two files, as one turn");
  const turn = workspace.beginTurn({ summary: "Rename Tobias to Elias" });
  for (const id of [novel, notes]) {
    const history = must(turn.read(id));
    const edits = history.text
      .toString()
      .split("\n")
      .flatMap((line, index) => {
        if (!line.includes("Tobias")) return [];
        return [{ op: "replace" as const, from: index + 1, to: index + 1, content: rename(line) }];
      });
    must(turn.edit(id, { revision: history.revision, policy: { kind: "rebase" }, edits }));
  }
  say(`   Staged: ${must(turn.commit()).documents.length} documents. Nothing is on disk yet.`);

  title("You keep writing in the same file, above the agent's lines");
  const seenByAgent = revision(novel);
  const typed = [{ op: "insert" as const, after: 2, content: "*For everyone who counts stairs.*\n\n" }];
  must(
    workspace.documents.edit(novel, {
      revision: seenByAgent,
      policy: { kind: "rebase" },
      edits: typed,
      origin: "user",
    }),
  );
  say("   Your dedication is yours at once; it is no hunk. The hunks moved down with the text:");
  for (const file of workspace.review.list()) for (const hunk of file.hunks) showHunk(hunk);

  title("The agent sends an edit for the file as it was before you typed");
  const late = workspace.beginTurn({ summary: "Cold brass" });
  const old = lineWith(novel, "cold brass") - 2;
  const sentence = text(novel)
    .line(old + 2)
    .text.replace("cold brass", "cold brass and rain");
  const stale = { revision: seenByAgent, policy: { kind: "rebase" as const } };
  const rebased = must(
    late.edit(novel, { ...stale, edits: [{ op: "replace", from: old, to: old, content: sentence }] }),
  );
  say(
    `   It said line ${old}; rebased from revision ${rebased.rebasedFrom}, it landed on line ${rebased.affected[0]?.line}, where that sentence is now.`,
  );
  must(late.commit());

  title("Another stale edit wants the very line that you have changed since");
  const stairs = lineWith(novel, "forty steps");
  const mine = text(novel).line(stairs).text.replace("without counting them", "and counted every one");
  const before = revision(novel);
  const own = [{ op: "replace" as const, from: stairs, to: stairs, content: mine }];
  must(
    workspace.documents.edit(novel, {
      revision: before,
      policy: { kind: "rebase" },
      edits: own,
      origin: "user",
    }),
  );
  const theirs = [{ op: "replace" as const, from: stairs, to: stairs, content: "Mara ran up the stairs." }];
  show(workspace.beginTurn().edit(novel, { revision: before, policy: { kind: "rebase" }, edits: theirs }));

  title("You reject one hunk and accept the rest");
  const unwanted = workspace.review
    .list()
    .flatMap((file) => file.hunks)
    .find((hunk) => hunk.added.some((line) => line.includes("rain")));
  const rejected = must(workspace.review.reject({ hunks: unwanted === undefined ? [] : [unwanted.id] }));
  const accepted = must(workspace.review.accept("everything"));
  say(
    `   Rejected ${rejected.hunks.join(", ")}, accepted ${accepted.hunks.length} others. Your own lines stayed as they are.`,
  );

  title("Both files are saved, and the process is killed between the first and the second");
  const [self = ""] = process.argv.slice(1);
  const args = ["--disable-warning=ExperimentalWarning", self, "--save-and-die", root, dataFolder];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [, signal] = await once(child, "exit");
  const onDisk = (path: string) => readFileSync(join(root, path), "utf8").includes("Elias");
  const state = () =>
    `novel.md is ${onDisk("novel.md") ? "new" : "old"}, notes/characters.md is ${onDisk("notes/characters.md") ? "new" : "old"}`;
  say(`   The process died of ${signal}. On disk now: ${red(state())}.`);

  title("Opening the folder again finishes the save");
  workspace.close();
  workspace = must(await Workspace.open(root, { dataFolder }));
  say(
    `   On disk now: ${green(state())}. Left over: ${readdirSync(root).filter((name) => name.endsWith(".tmp")).length} temporary files.`,
  );

  title("You change your mind: roll the whole turn back, then undo that");
  const first = workspace.checkpoints.list().at(-1);
  const names = () =>
    `Tobias ${text(novel).toString().split("Tobias").length - 1} times, Elias ${text(novel).toString().split("Elias").length - 1} times`;
  const rollback = must(workspace.checkpoints.rollback(first?.id ?? "", { mode: "hard_all" }));
  say(`   Rolled back to before "${first?.summary}": ${names()}.`);
  must(workspace.checkpoints.rollback(rollback.checkpoint ?? "", { mode: "hard_all" }));
  say(
    `   Undone: ${names()}. Your dedication is ${text(novel).toString().includes("counts stairs") ? green("there") : red("gone")}.`,
  );
  workspace.close();

  say(`\n${bold("That was the ground.")} Every step above is in the ledger, and survives a restart.`);
  say(dim("Read on: docs/ledger.md. Measure: npm run bench. Try to break it: npm run fuzz."));
  rmSync(folder, { recursive: true, force: true });
}

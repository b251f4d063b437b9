// /debug: what goes on behind the screen, a report of it as one file, and clearing what is old.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { redactionFor } from "@stet/protocol/redact";
import { attempt } from "@stet/protocol/system-fault";
import { visible, visibleName } from "@stet/protocol/visible";
import { artifactFolderOf } from "@stet/session/session-paths";
import { SessionStore } from "@stet/session/session-store";
import { writePrivateFile } from "@stet/storage/private-files";
import { Text } from "@stet/tui/components/text";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { App } from "../app.ts";
import * as facts from "./debug-facts.ts";

const cacheDays = 30;

const entries = {
  "open-artifacts": { about: "outputs of this session that were too long for the model", run: artifacts },
  performance: { about: "how busy this process and the host are", run: performance },
  work: { about: "jobs, subagents and the lock", run: work },
  dump: { about: "a report as a .tar.gz, to be sent with a question", run: report },
  memory: { about: "the memory of this process; a heap snapshot", run: memory },
  logs: { about: "the log for operators", run: logs },
  system: { about: "versions, machine and terminal", run: system },
  "raw-sse": { about: "the newest events as the API streams them", run: rawEvents },
  transcript: { about: "the conversation as Markdown", run: transcript },
  "clear-cache": {
    about: `outputs older than ${cacheDays} days, and contents that no session uses`,
    run: clear,
  },
} as const;

type Entry = keyof typeof entries;

export const debugEntries = Object.keys(entries);

export async function debug(argument: string, app: App): Promise<void> {
  const named = debugEntries.find((name): name is Entry => name === argument);
  if (argument !== "" && named === undefined)
    return app.tell(`/debug has ${debugEntries.join(", ")}.`, "error");
  const chosen =
    named ??
    (await app.dialogs.choose<Entry>({
      title: "Behind the screen",
      choices: Object.entries(entries).map(([name, { about }]) => {
        return { value: name as Entry, label: name, detail: about };
      }),
    }));
  if (chosen !== undefined) await entries[chosen].run(app);
}

function page(title: string, text: string, app: App): Promise<void> {
  return app.dialogs.page(title, new Text(visible(text)));
}

async function performance(app: App): Promise<void> {
  await page("Performance", await facts.performanceText(app), app);
}

async function work(app: App): Promise<void> {
  await page("Work", await facts.workText(app), app);
}

async function rawEvents(app: App): Promise<void> {
  await page("Events", await facts.eventsText(app), app);
}

async function system(app: App): Promise<void> {
  await page("System", facts.systemText(app, await versionOf(app)), app);
}

async function versionOf(app: App): Promise<string> {
  const health = await app.api.call("health", {});
  return isFault(health) ? "?" : health.version;
}

async function artifacts(app: App): Promise<void> {
  const path = await sessionPath(app);
  if (path === undefined) return app.tell("This session has no file yet, and so no outputs.");
  const folder = artifactFolderOf(path);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const rows = names.map((name) => `${name}  ${statSync(join(folder, name)).size} bytes`);
  await page("Kept outputs", [folder, "", ...(rows.length === 0 ? ["(none)"] : rows)].join("\n"), app);
}

async function sessionPath(app: App): Promise<string | undefined> {
  const { id } = app.conversation;
  if (id === "") return undefined;
  const query = { folders: "here" as const, query: id, limit: 10 };
  const found = await app.api.call("findSessions", { query });
  return isFault(found) ? undefined : found.sessions.find(({ session_id }) => session_id === id)?.path;
}

async function memory(app: App): Promise<void> {
  await page("Memory", facts.memoryText(), app);
  if (!(await app.dialogs.confirm("Write a heap snapshot? It holds everything that was said."))) return;
  const { writeHeapSnapshot } = await import("node:v8");
  const file = join(app.folder, `stet-${stamp()}.heapsnapshot`);
  const written = attempt("written", file, () => writeHeapSnapshot(file));
  if (isFault(written)) app.tellFault(written);
  else app.tell(`Written to ${visibleName(file)}.`);
}

async function logs(app: App): Promise<void> {
  const lines = facts.logLines(app);
  if (typeof lines === "string") return app.tell(visibleName(lines));
  const { atOnce } = facts.logLimits;
  // The newest at first; older ones when they are asked for, as many again.
  for (let shown = atOnce; ; shown += atOnce) {
    await page(
      `Log, ${Math.min(shown, lines.length)} of ${lines.length} lines`,
      lines.slice(-shown).join("\n"),
      app,
    );
    if (shown >= lines.length || !(await app.dialogs.confirm("Show older lines?"))) return;
  }
}

async function transcript(app: App): Promise<void> {
  const text = await transcriptText(app);
  if (text === undefined) return app.tell("Nothing was said yet.");
  await page("Transcript", text, app);
}

async function transcriptText(app: App): Promise<string | undefined> {
  const { id } = app.conversation;
  if (id === "") return undefined;
  const query = { format: "markdown" as const };
  const exported = await app.api.call("exportSession", { params: { session_id: id }, query });
  return isFault(exported) ? exported.message : exported.text;
}

/** Without keys; with the conversation only where the person wants that. */
async function report(app: App): Promise<void> {
  const withTalk = await app.dialogs.choose<boolean>({
    title: "A report: with the conversation?",
    choices: [
      { value: false, label: "Without it" },
      { value: true, label: "With it", detail: "everything that was said and read in this session" },
    ],
  });
  if (withTalk === undefined) return;
  const config = await app.api.call("getConfig", {});
  const lines = facts.logLines(app);
  const files = [
    { name: "system.txt", text: facts.systemText(app, await versionOf(app)) },
    { name: "performance.txt", text: `${await facts.performanceText(app)}\n${facts.memoryText()}` },
    { name: "work.txt", text: withTalk ? await facts.workText(app) : "" },
    { name: "settings.json", text: JSON.stringify(isFault(config) ? config : config.settings, undefined, 2) },
    {
      name: "log.txt",
      text: typeof lines === "string" ? lines : lines.slice(-facts.logLimits.reported).join("\n"),
    },
    { name: "events.jsonl", text: withTalk ? await facts.eventsText(app) : "" },
    { name: "transcript.md", text: withTalk ? ((await transcriptText(app)) ?? "") : "" },
  ];
  const redact = redactionFor(app.environment);
  const { packTar } = await import("@stet/tools/code/write/archive/pack-tar");
  const bytes = await packTar(
    files.filter(({ text }) => text !== "").map(({ name, text }) => ({ name, text: redact(text) })),
  );
  const file = join(app.folder, `stet-report-${stamp()}.tar.gz`);
  const written = attempt("written", file, () => writePrivateFile(file, bytes, "wx"));
  if (isFault(written)) app.tellFault(written);
  else app.tell(`The report is ${visibleName(file)}. Look into it before you send it.`);
}

async function clear(app: App): Promise<void> {
  const question = `Remove kept outputs older than ${cacheDays} days, and contents that no session uses?`;
  if (!(await app.dialogs.confirm(question))) return;
  const store = new SessionStore({ dataFolder: dataFolder(app.environment) });
  const folders = store.removeOldArtifacts(cacheDays * 86_400_000);
  const blobs = store.collectBlobs();
  if (isFault(blobs)) return app.tellFault(blobs);
  app.tell(`Removed the outputs of ${folders} sessions, and ${blobs} contents.`);
}

function stamp(): string {
  return new Date().toISOString().replace(/\D/g, "").slice(0, 14);
}

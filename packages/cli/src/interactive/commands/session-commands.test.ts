import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCommandApp } from "@stet/testkit/command-app";
import { must } from "@stet/testkit/workspace";
import { cellWidth } from "@stet/tui/text/width";
import type { App } from "../app.ts";
import { fixedTheme } from "../theme/fixed-theme.ts";
import { barOf } from "./context.ts";
import { codeBlocks } from "./copy.ts";
import { planTitle } from "./plan.ts";
import { parseCommand, runCommand } from "./run-command.ts";

const run = async (line: string, app: App) => {
  const command = parseCommand(line);
  assert.ok(command, line);
  await runCommand(command, app);
};

/** Says something and waits for the answer. */
async function ask(app: App, text: string): Promise<void> {
  assert.equal(await app.conversation.send(text), undefined);
  const id = must(await app.conversation.ensure());
  for (;;) {
    const session = must(await app.api.call("getSession", { params: { session_id: id } }));
    if (session.running_job_id === null) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await app.conversation.refresh();
}

test("/thinking, /permissions and /model hold for the session and say so; nonsense is refused", async (t) => {
  const { app, said } = await openCommandApp(t);
  await run("/thinking high", app);
  await run("/thinking very", app);
  await run("/permissions auto-edit", app);
  await run("/permissions none", app);
  await run("/model practice", app);
  await run("/model nobody/none", app);
  assert.deepEqual(app.conversation.choices, {
    thinking: "high",
    permission: "auto-edit",
    model: "practice",
  });
  assert.equal(said[0], "info: Thinking is high in this session.");
  assert.match(said[1] ?? "", /^error: Thinking is one of off, minimal/);
  assert.match(said[2] ?? "", /^info: Permission mode auto-edit: edits without a question/);
  assert.match(said[3] ?? "", /^error: The mode is one of plan, ask/);
  assert.match(said[5] ?? "", /^error: .*nobody/);
});

test("/model lists what can be used, and the rest leads into connecting it; a choice for good is a setting", async (t) => {
  const { app, said, shown } = await openCommandApp(t, {
    environment: { STET_MODEL: "" },
    answers: ["practice", "From now on", "anthropic"],
  });
  await run("/model", app);
  const list = shown.find(({ title }) => title === "Which model answers?");
  assert.ok(
    list?.rows.some((row) => /^practice {2}in use/.test(row)),
    list?.rows.join("\n"),
  );
  assert.ok(
    list?.rows.some((row) => /^anthropic {2}needs a key · \/login anthropic$/.test(row)),
    list?.rows.join("\n"),
  );
  assert.equal(app.settings.model, "practice");
  assert.equal(said.at(-1), "info: practice answers from now on.");
  await run("/model", app);
  assert.match(shown.at(-1)?.title ?? "", /^Key of Anthropic \(not shown; made at https:/);
});

test("/rename, /cost, /context and /status tell of the session", async (t) => {
  const { app, said, shown } = await openCommandApp(t, { files: { "a.md": "one\n" } });
  await run("/cost", app);
  assert.equal(said.pop(), "info: This session has used nothing yet.");
  await ask(app, "Hello.");
  await run("/rename The \u001b[31mgreeting", app);
  assert.match(said.at(-1) ?? "", /^info: This session is called "The .*greeting"\.$/);
  assert.doesNotMatch(said.at(-1) ?? "", /\p{Cc}/u);
  await run("/cost", app);
  assert.match(said.at(-1) ?? "", /^info: practice\/\S+: 1 answer, /);
  await run("/context", app);
  await run("/status", app);
  const [context, status] = shown.slice(-2);
  assert.match(context?.rows.join("\n") ?? "", /free/);
  assert.ok(context?.rows.every((row) => cellWidth(row) <= 80));
  assert.match(status?.rows.join("\n") ?? "", /permission +ask/);
  assert.match(status?.rows.join("\n") ?? "", /config\.json/);
});

test("a context's bar is as wide as it may be, and shows every part", () => {
  const theme = fixedTheme({ colours: "none", isPlain: true });
  const parts = [
    { name: "system", tokens: 10 },
    { name: "messages", tokens: 50_000 },
    { name: "results", tokens: 1 },
  ] as const;
  for (const width of [1, 2, 3, 10, 60]) assert.equal(cellWidth(barOf(parts, 100_000, theme, width)), width);
  const full = theme.symbol("barFull");
  assert.equal(barOf(parts, 100_000, theme, 10).split(full).length - 1, 7);
});

test("/export writes a file of the person's own, never over another one", async (t) => {
  const { app, said } = await openCommandApp(t);
  await run("/export", app);
  assert.match(said.pop() ?? "", /nothing to export/);
  await ask(app, "Hello.");
  await run("/rename Greeting", app);
  await run("/export", app);
  await run("/export", app);
  await run("/export page.html", app);
  await run("/export page.html", app);
  await run("/export page.doc", app);
  assert.match(said.at(-2) ?? "", /^error: .*page\.html exists already/);
  assert.match(said.at(-1) ?? "", /^error: Name a file that ends with/);
  const written = readdirSync(app.folder).sort();
  assert.deepEqual(
    written.filter((name) => /Greeting|page/.test(name)),
    ["Greeting-2.md", "Greeting.md", "page.html"],
  );
  assert.match(readFileSync(join(app.folder, "Greeting.md"), "utf8"), /## User\n\nHello\./);
  assert.match(readFileSync(join(app.folder, "page.html"), "utf8"), /data-scheme="dark"/);
  if (process.platform !== "win32") assert.equal(statSync(join(app.folder, "page.html")).mode & 0o077, 0);
});

test("/copy takes the last answer, or a block of code of it", async (t) => {
  const { app, said, copied } = await openCommandApp(t);
  await run("/copy", app);
  assert.match(said.pop() ?? "", /no answer yet/);
  await ask(app, "Hello.");
  await run("/copy", app);
  await run("/copy code", app);
  await run("/copy everything", app);
  const answer = app.conversation.items.findLast(({ kind }) => kind === "assistant");
  assert.deepEqual(copied, [answer?.kind === "assistant" ? answer.text : ""]);
  assert.match(said.at(-2) ?? "", /no block of code/);
  assert.match(said.at(-1) ?? "", /^error: /);
  assert.deepEqual(codeBlocks("a\n```ts\none\n```\nb\n~~~~\n```\ntwo\n~~~~\n```\nopen"), [
    "one",
    "```\ntwo",
    "open",
  ]);
});

test("/todo adds, finishes and edits tasks; what cannot be read changes nothing", async (t) => {
  let edited = "## Work\n- [x] Read\n- [ ] Leave\n";
  const { app, said, shown } = await openCommandApp(t, { edit: () => edited });
  await run("/todo", app);
  assert.match(said.pop() ?? "", /ask something first/);
  await ask(app, "Hello.");
  await run("/todo add Read the notes", app);
  await run("/todo add Write", app);
  await run("/todo done read", app);
  await run("/todo done nothing", app);
  assert.match(said.at(-1) ?? "", /^error: There is no task that begins with "nothing"/);
  await run("/todo", app);
  assert.deepEqual(shown.at(-1)?.rows, ["## Todos", "- [x] Read the notes", "- [/] Write"]);
  await run("/todo edit", app);
  edited = "nonsense";
  await run("/todo edit", app);
  assert.match(said.at(-1) ?? "", /^error: Line 1 is neither/);
  await run("/todo", app);
  assert.deepEqual(shown.at(-1)?.rows, ["## Work", "- [x] Read", "- [/] Leave"]);
  await run("/todo clear", app);
  await run("/todo", app);
  assert.match(said.at(-1) ?? "", /There is no list of tasks/);
});

test("/plan only reads until it is approved; the approval names the session and brings the mode back", async (t) => {
  const { app, said, shown } = await openCommandApp(t, { answers: ["Keep planning", "Approve"] });
  await run("/permissions auto-edit", app);
  await run("/plan", app);
  assert.deepEqual(app.conversation.choices, { permission: "plan", toolset: "code" });
  await ask(app, "Think of something.");
  await run("/plan", app);
  assert.equal(app.conversation.choices.permission, "plan");
  assert.deepEqual(
    shown.at(-1)?.rows.map((row) => row.split("  ")[0]),
    ["Approve and execute", "Approve and compact context", "Approve", "Keep planning", "Leave plan mode"],
  );
  await run("/plan", app);
  assert.match(said.at(-1) ?? "", /Permission mode auto-edit\. The plan is approved\./);
  assert.equal(app.conversation.choices.permission, "auto-edit");
  assert.equal(planTitle("Some words\n# fix_the--parser\nmore"), "Fix the parser");
});

test("/compact says what there is to say where nothing can be summed up", async (t) => {
  const { app, said } = await openCommandApp(t);
  await run("/compact", app);
  assert.match(said.pop() ?? "", /nothing to sum up/);
  await ask(app, "Hello.");
  await run("/compact keep names", app);
  assert.match(said.at(-1) ?? "", /nothing that a summary could stand for|tokens became about/);
});

test("/init asks for AGENTS.md", async (t) => {
  const { app, said } = await openCommandApp(t);
  await run("/init", app);
  assert.deepEqual(said, []);
  const jobs = must(await app.api.call("listJobs", { query: { limit: 1 } }));
  assert.match(jobs.jobs[0]?.instruction ?? "", /^Write the file AGENTS\.md/);
});

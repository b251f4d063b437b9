import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { openCommandApp } from "@stet/testkit/command-app";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { openTar } from "@stet/tools/code/read/archive/tar";
import { debug, debugEntries } from "./debug.ts";
import { boundedEvents, eventLimits } from "./debug-facts.ts";

test("/debug has its ten entries, and each shows something", async (t) => {
  const { app, said, shown } = await openCommandApp(t, { answers: ["system", "no", "no"] });
  await debug("", app);
  assert.deepEqual(
    shown[0]?.rows.map((row) => row.split("  ")[0]),
    debugEntries,
  );
  assert.equal(debugEntries.length, 10);
  for (const name of ["performance", "work", "raw-sse", "memory"]) await debug(name, app);
  const titles = shown.map(({ title }) => title);
  for (const title of ["System", "Performance", "Work", "Events", "Memory"])
    assert.ok(titles.includes(title));
  assert.match(shown.find(({ title }) => title === "System")?.rows.join("\n") ?? "", /node v\d+/);
  for (const name of ["logs", "transcript", "open-artifacts", "nothing"]) await debug(name, app);
  assert.match(said[0] ?? "", /STET_LOG=/);
  assert.match(said[1] ?? "", /Nothing was said yet/);
  assert.match(said[2] ?? "", /no file yet/);
  assert.match(said[3] ?? "", /^error: /);
});

test("a log is shown from its end, 50 lines at first", async (t) => {
  const log = join(temporaryFolder(t), "log");
  writeFileSync(log, Array.from({ length: 6000 }, (_, index) => `line ${index}\u001b[31m\n`).join(""));
  const { app, shown } = await openCommandApp(t, { environment: { STET_LOG: log }, answers: ["yes", "no"] });
  await debug("logs", app);
  const pages = shown.filter(({ title }) => title.startsWith("Log"));
  assert.deepEqual(
    pages.map(({ rows }) => rows.length),
    [50, 100],
  );
  assert.equal(pages[0]?.title, "Log, 50 of 5000 lines");
  assert.match(pages[0]?.rows.at(-1) ?? "", /^line 5999/);
  assert.doesNotMatch(pages[0]?.rows.join("") ?? "", /\p{Cc}/u);
});

test("a report has no keys, and the conversation only where that was wanted", async (t) => {
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  const log = join(temporaryFolder(t), "log");
  writeFileSync(log, `{"what":"x","key":"${secret}"}\n`);
  const { app, said } = await openCommandApp(t, {
    environment: { STET_LOG: log, ANTHROPIC_API_KEY: secret },
    answers: ["Without it"],
  });
  await debug("dump", app);
  assert.match(said.at(-1) ?? "", /The report is .*\.tar\.gz/);
  const [name = ""] = readdirSync(app.folder).filter((one) => one.endsWith(".tar.gz"));
  const bytes = gunzipSync(readFileSync(join(app.folder, name)));
  assert.ok(!bytes.includes(secret));
  const archive = must(await openTar(bytes, name, new AbortController().signal));
  assert.deepEqual(
    archive.entries.map(({ path }) => path),
    ["system.txt", "performance.txt", "settings.json", "log.txt"],
  );
});

test("events are bounded by their number, their length and all together", () => {
  assert.equal(boundedEvents(Array.from({ length: 3000 }, () => "x")).split("\n").length, eventLimits.events);
  const long = boundedEvents(Array.from({ length: 20 }, (_, index) => `${index} ${"y".repeat(70_000)}`));
  assert.ok(long.length <= eventLimits.characters + 20);
  assert.ok(long.split("\n").every((event) => event.length <= eventLimits.perEvent));
  assert.match(long, /^12 /);
});

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { installLog, log, logFailure } from "./operator-log.ts";
import { logSinkFor } from "./operator-log-sink.ts";

const noon = () => new Date(Date.UTC(2026, 0, 1, 12));

test("nothing is written until a log is asked for, and nothing after it ended", () => {
  log("error", "before");
  const lines: string[] = [];
  const sink = must(logSinkFor({ STET_LOG: "stderr" }, (line) => lines.push(line), noon));
  const stop = installLog(sink);
  log("info", "job.status", { job: "job_1", status: "running" });
  log("debug", "request", { route: "health" });
  stop();
  log("error", "after");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      {
        level: "info",
        time: "2026-01-01T12:00:00.000Z",
        what: "job.status",
        job: "job_1",
        status: "running",
      },
    ],
  );
});

test("secrets are in no line, also where an error or its stack has them", async (t) => {
  const secret = "correct-horse-battery-staple";
  const lines: string[] = [];
  const environment = { STET_LOG: "stderr", OPENAI_API_KEY: secret };
  const stop = installLog(must(logSinkFor(environment, (line) => lines.push(line))));
  t.after(stop);
  await Promise.reject(new Error(`refused ${secret}`)).catch(logFailure("model.failed", { key: secret }));
  log("warn", "address", {
    url: "https://x.example/?key=sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  });
  assert.equal(lines.length, 2);
  assert.doesNotMatch(lines.join(""), /horse|aaaaaaaa/);
  assert.match(lines[0] ?? "", /refused \[redacted:secret\]/);
});

test("a file belongs to the person alone, and is moved aside at its limit", (t) => {
  const path = join(temporaryFolder(t), "stet.log");
  const sink = must(logSinkFor({ STET_LOG: path }, () => assert.fail("stderr")));
  sink("info", "first", {});
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  writeFileSync(path, "x".repeat(10 * 1024 ** 2 + 1));
  const next = must(logSinkFor({ STET_LOG: path }, () => {}));
  next("info", "second", {});
  assert.ok(existsSync(`${path}.1`));
  assert.equal(JSON.parse(readFileSync(path, "utf8")).what, "second");
});

test("a level that there is none of is refused with those that there are", () => {
  const fault = refused(logSinkFor({ STET_LOG: "stderr", STET_LOG_LEVEL: "loud" }, () => {}));
  assert.match(`${fault.message} ${fault.suggestion}`, /"loud".*error, warn, info, debug/);
});

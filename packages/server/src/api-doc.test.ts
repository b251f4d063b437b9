// docs/api.md against the thing itself: every route and limit is listed, and its examples work.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { defaultLimits } from "@stet/host/limits";
import { routes } from "@stet/protocol/api/routes";
import { temporaryFolder } from "@stet/testkit/temporary";

const page = readFileSync(join(import.meta.dirname, "../../../docs/api.md"), "utf8");

test("the page lists every route and every limit as it is", () => {
  for (const { method, path, about } of Object.values(routes)) {
    const line = `| \`${method} ${path.replace(/:(\w+)/g, "{$1}")}\` | ${about} |`;
    assert.ok(page.includes(line), line);
  }
  for (const [name, value] of Object.entries(defaultLimits)) {
    assert.ok(page.includes(`| \`${name}\` | ${value} | `), name);
  }
});

const hasTools = ["bash", "curl", "jq"].every((name) => spawnSync(name, ["--version"]).status === 0);
const why = hasTools ? false : "needs bash, curl and jq";

test("the page's examples work as they stand", { skip: why }, (t) => {
  const main = join(import.meta.dirname, "../../cli/src/main.ts");
  const run = `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${main}" "$@"`;
  const folder = temporaryFolder(t, { "bin/stet": `#!/bin/sh\n${run}\n` });
  chmodSync(join(folder, "bin/stet"), 0o755);
  const examples = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code).join("\n");
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["-e", "-c", `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${examples}`],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: 180_000,
      env: {
        PATH: `${join(folder, "bin")}:${process.env.PATH}`,
        STET_DATA_DIR: join(folder, "data"),
        XDG_CONFIG_HOME: join(folder, "config"),
      },
    },
  );
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  for (const expected of [
    /^1 job\.started$/m,
    /diff\.generated/,
    /"awaiting_review"/,
    /"status":"completed"/,
    /chat\.final/,
  ])
    assert.match(stdout, expected);
  const story = readFileSync(join(folder, "notes/story.md"), "utf8");
  assert.equal(story, "Tobias came in.\nHe sat down.\nTobias laughed.\n", "applied, and rolled back");
});

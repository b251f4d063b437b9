import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadConfiguration } from "@stet/host/settings/configuration";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";

test("docs/configuration.md has every setting with its default, and no other", (t) => {
  const folder = temporaryFolder(t);
  const { origins } = must(
    loadConfiguration({ folder, environment: { XDG_CONFIG_HOME: folder }, isTrusted: false }),
  );
  const [table = ""] = /\| setting \| default \|[^\n]*\n(?:\|[^\n]*\n)+/.exec(
    readFileSync(new URL("../docs/configuration.md", import.meta.url), "utf8"),
  ) ?? [""];
  const rows = [...table.matchAll(/^\| `([^`]+)` \| `([^`]*)` \|/gm)].map(([, name, value]) => {
    return `${name} = ${value}`;
  });
  const settings = origins.map(({ name, value }) => `${name} = ${JSON.stringify(value)}`);
  assert.deepEqual(rows.toSorted(), settings.toSorted());
});

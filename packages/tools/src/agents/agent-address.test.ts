import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { read } from "../code/read/read.ts";
import { agentAddresses } from "./agent-address.ts";

const outputs: Readonly<Record<string, string | Fault>> = {
  "0-Look": Array.from({ length: 20 }, (_, index) => `step ${index + 1} of it\n`).join(""),
  "0-Look.0-Deeper": JSON.stringify({
    files: [{ path: "src/a.ts", lines: [1, 2] }],
    count: 0,
    none: null,
    "a key": { "b.c": "in quotes" },
    empty: [],
  }),
  "1-Gone": new Fault("io_failed", "The disk is gone.", "Look for it."),
};

async function opened(t: TestContext, known = outputs) {
  const addresses = agentAddresses({ names: () => Object.keys(known), read: (name) => known[name] });
  const fixture = await openCodeFixture(t, [(context) => read({ ...context, addresses })]);
  return async (path: string) => {
    const { text, error } = await fixture.call("read", { path });
    return { text, error };
  };
}

/** Of one page, what is in it. */
const shown = (text: string) => text.replace(/^\d+[a-z]*[|:]\s?/gm, "").trim();

test("without a name, an address lists what agents gave back", async (t) => {
  const readAt = await opened(t);
  assert.match((await readAt("agent://")).text, /agent:\/\/0-Look\n.*agent:\/\/0-Look\.0-Deeper/s);
  const empty = await opened(t, {});
  assert.match((await empty("agent://")).text, /No agent has given back anything yet\./);
});

test("a whole output is read, or lines of it", async (t) => {
  const readAt = await opened(t);
  assert.match((await readAt("agent://0-Look")).text, /step 1 of it\n.*step 20 of it/s);
  const { text } = await readAt("agent://0-Look:10-10");
  assert.match(text, /step 10 of it/);
  assert.doesNotMatch(text, /step (?:1|5|15|20) of it/);
  assert.match((await readAt("AGENT://0-Look/")).text, /step 1 of it/);
});

const parts: readonly [string, string][] = [
  ["/files/0/path", "src/a.ts"],
  ["?q=.files[0].path", "src/a.ts"],
  ["?q=files.0.path", "src/a.ts"],
  ["?q=.files%5B0%5D.lines", "[\n  1,\n  2\n]"],
  ["/count", "0"],
  ["/none", "null"],
  ["/a%20key/b.c", "in quotes"],
  ['?q=["a key"]["b.c"]', "in quotes"],
  ["?q=.['a key'][%22b.c%22]", "in quotes"],
];

for (const [part, value] of parts) {
  test(`the part ${part} of an output that is JSON`, async (t) => {
    const readAt = await opened(t);
    const { text, error } = await readAt(`agent://0-Look.0-Deeper${part}`);
    assert.equal(error, undefined, text);
    for (const line of value.split("\n")) assert.ok(text.includes(line), `${shown(text)} has ${line}`);
  });
}

const refused: readonly [string, string, RegExp][] = [
  [
    "agent://0-Look.0-Deeper/files:1-2",
    "invalid_arguments",
    /Cannot combine query extraction with offset\/limit\./,
  ],
  [
    "agent://0-Look.0-Deeper?q=.files:3",
    "invalid_arguments",
    /Cannot combine query extraction with offset\/limit\./,
  ],
  ["agent://0-Look.0-Deeper/files?q=.0", "invalid_arguments", /by a path or by q, not by both/],
  ["agent://0-Look/files", "not_readable", /The output of 0-Look is not JSON/],
  [
    "agent://0-Look.0-Deeper/folders",
    "no_match",
    /There is no folders .*There is: files, count, none, a key, empty/,
  ],
  ["agent://0-Look.0-Deeper/files/1", "no_match", /There is no files\/1 .*positions 0 to 0/],
  ["agent://0-Look.0-Deeper/empty/0", "no_match", /an empty list/],
  ["agent://0-Look.0-Deeper/count/0", "no_match", /0, which has no parts/],
  ["agent://0-Look.0-Deeper/constructor", "no_match", /There is no constructor/],
  ["agent://2-Nobody", "unknown_address", /no output of an agent \\"2-Nobody\\".*agent:\/\/0-Look/],
  ["agent://..%2F..%2Fetc%2Fpasswd", "unknown_address", /no output of an agent/],
  ["agent://1-Gone", "io_failed", /The disk is gone/],
];

for (const [path, error, message] of refused) {
  test(`${path} is refused: ${error}`, async (t) => {
    const readAt = await opened(t);
    const answer = await readAt(path);
    assert.equal(answer.error, error, answer.text);
    assert.match(answer.text.replaceAll("\n", " "), message);
  });
}

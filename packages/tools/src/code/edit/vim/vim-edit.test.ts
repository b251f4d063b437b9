import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { type CodeFixture, faultDetails, openCodeFixture } from "@stet/testkit/code-fixture";
import { vimEdit } from "./vim-edit.ts";

const source = "function total(items) {\n    let sum = 0;\n    return sum;\n}\n";

async function fixtureWith(t: TestContext, files: Record<string, string>): Promise<CodeFixture> {
  return openCodeFixture(t, [vimEdit], { settings: { editMode: "vim" }, files });
}

function content(fixture: CodeFixture, path: string): string {
  return readFileSync(fixture.place.path(path), "utf8");
}

test("keys are not on disk after the call, or the answer does not show where the cursor is", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source });
  const answer = await fixture.call("edit", { path: "a.ts", keys: "/sum<CR>cwtotal<Esc>" });
  assert.equal(content(fixture, "a.ts"), source.replace("let sum", "let total"));
  assert.match(answer.text, /^a\.ts NORMAL line 2 of 4, column 13\n/);
  assert.match(answer.text, /\n>2\| {4}let total = 0;\n {15}\^\n/);
  assert.match(answer.text, /-2\| {4}let sum = 0;\n\+2\| {4}let total = 0;/);
});

test("a buffer forgets its cursor, registers or undo between calls", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source });
  await fixture.call("edit", { path: "a.ts", keys: "jyy" });
  await fixture.call("edit", { path: "a.ts", keys: "p" });
  assert.equal(content(fixture, "a.ts").split("\n")[2], "    let sum = 0;");
  await fixture.call("edit", { path: "a.ts", keys: "u" });
  assert.equal(content(fixture, "a.ts"), source);
});

test("a list of keys needs <CR> behind each command line", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source });
  await fixture.call("edit", { path: "a.ts", keys: [":%s/sum/all/g", "/return", "Oconst x = 1;"] });
  assert.equal(
    content(fixture, "a.ts"),
    "function total(items) {\n    let all = 0;\nconst x = 1;\n    return all;\n}\n",
  );
});

test("keys that fail in the middle leave half of their work", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source });
  for (const [keys, error] of [
    ["ddfz", "no_match"],
    ["dd/nowhere<CR>", "no_match"],
    ["dd:s/nowhere/x/<CR>", "no_match"],
    ["dd:99d<CR>", "invalid_line_range"],
    ["dd:3,1d<CR>", "invalid_line_range"],
    ["dd:frobnicate<CR>", "invalid_arguments"],
    ["dd\x16x", "invalid_arguments"],
    ["dd<C-v>", "invalid_arguments"],
    ["ddd", "invalid_arguments"],
    ["ddci(x<Esc>", "no_match"],
    ["ddciqx<Esc>", "invalid_arguments"],
    ["dd'z", "no_match"],
    ['dd"zp', "no_match"],
    ["dduu", "no_match"],
    ["dd:s/\\(/x/<CR>", "invalid_regex"],
    ["dd:s/a\\{3/x/<CR>", "invalid_regex"],
    ["dd@q", "no_match"],
    ["ddgq", "invalid_arguments"],
  ] as const) {
    const answer = await fixture.call("edit", { path: "a.ts", keys });
    assert.equal(answer.error, error, `${keys}: ${answer.text}`);
    assert.match(answer.text, /None of the keys was carried out|not valid here|refused/, keys);
    assert.equal(content(fixture, "a.ts"), source, keys);
  }
  const after = await fixture.call("edit", { path: "a.ts", keys: "x" });
  assert.equal(after.error, undefined, "the buffer is not what the file is");
  assert.equal(content(fixture, "a.ts"), source.slice(1));
});

test("keys reach a shell or another file", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source, "b.ts": "b\n" });
  for (const keys of [
    ":!touch x<CR>",
    ":r !ls<CR>",
    ":r b.ts<CR>",
    ":%!sort<CR>",
    "!!sort<CR>",
    ":w b.ts<CR>",
    ":1w b.ts<CR>",
    ":e b.ts<CR>",
    ":source b.ts<CR>",
    ":s/a/\\=system('ls')/<CR>",
    ":exe 'x'<CR>",
  ]) {
    const answer = await fixture.call("edit", { path: "a.ts", keys });
    assert.equal(answer.error, "not_allowed", `${keys}: ${answer.text}`);
  }
  assert.equal(content(fixture, "b.ts"), "b\n");
  assert.equal(content(fixture, "a.ts"), source);
});

test("a save changes bytes that no key touched", async (t) => {
  const files = {
    "crlf.txt": "\ufeffone\r\ntwo\r\nthree\r\n",
    "mixed.txt": "one\r\ntwo\nthree",
    "tabs.txt": "\ta\n",
  };
  const fixture = await fixtureWith(t, files);
  await fixture.call("edit", { path: "crlf.txt", keys: "jA!<Esc>oand<Esc>" });
  assert.equal(content(fixture, "crlf.txt"), "\ufeffone\r\ntwo!\r\nand\r\nthree\r\n");
  await fixture.call("edit", { path: "mixed.txt", keys: "GA!<Esc>ggA?<Esc>" });
  assert.equal(content(fixture, "mixed.txt"), "one?\r\ntwo\nthree!");
  await fixture.call("edit", { path: "tabs.txt", keys: ">>o<Tab>b<Esc>" });
  assert.equal(content(fixture, "tabs.txt"), "\t\ta\n\tb\n");
});

test("a buffer that is not saved is written, or :e! does not drop it", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source });
  const kept = await fixture.call("edit", { path: "a.ts", keys: "dd", save: false });
  assert.match(kept.text, /Not saved yet:\n-1\|function total/);
  assert.equal(content(fixture, "a.ts"), source);
  await fixture.call("edit", { path: "a.ts", keys: ":e!<CR>A // x<Esc>" });
  assert.equal(content(fixture, "a.ts"), source.replace("{\n", "{ // x\n"));
  await fixture.call("edit", { path: "a.ts", keys: "ddZQ" });
  assert.equal(content(fixture, "a.ts"), source.replace("{\n", "{ // x\n"));
  await fixture.call("edit", { path: "a.ts", keys: "ddZZ", save: false });
  assert.equal(content(fixture, "a.ts").split("\n").length, 4);
});

test("what someone else did to the file is lost when a buffer is saved", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source });
  await fixture.call("edit", { path: "a.ts", keys: "jccchanged<Esc>", save: false });
  writeFileSync(fixture.place.path("a.ts"), source.replace("}\n", "}\n// theirs\n"));
  const saved = await fixture.call("edit", { path: "a.ts", keys: ":w<CR>" });
  assert.equal(saved.error, undefined, saved.text);
  assert.equal(content(fixture, "a.ts"), "function total(items) {\nchanged\n    return sum;\n}\n// theirs\n");

  await fixture.call("edit", { path: "a.ts", keys: "2Gccmine<Esc>", save: false });
  writeFileSync(fixture.place.path("a.ts"), "function total(items) {\ntheirs\n    return sum;\n}\n");
  const refused = await fixture.call("edit", { path: "a.ts", keys: ":w<CR>" });
  assert.equal(refused.error, "conflict", refused.text);
  assert.match(refused.text, /The buffer was read again/);
  assert.equal(content(fixture, "a.ts").split("\n")[1], "theirs");
  const again = await fixture.call("edit", { path: "a.ts", keys: "2GA too<Esc>" });
  assert.equal(again.error, undefined, again.text);
  assert.equal(content(fixture, "a.ts").split("\n")[1], "theirs too");
});

test("most of a long file goes without being asked for", async (t) => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join("");
  const fixture = await fixtureWith(t, { "a.txt": long });
  const refused = await fixture.call("edit", { path: "a.txt", keys: "5GdG" });
  assert.equal(refused.error, "large_deletion");
  assert.match(refused.text, /:w!/);
  assert.equal(content(fixture, "a.txt"), long);
  const forced = await fixture.call("edit", { path: "a.txt", keys: "5GdG:w!<CR>" });
  assert.equal(forced.error, undefined, forced.text);
  assert.equal(content(fixture, "a.txt"), "line 0\nline 1\nline 2\nline 3\n");
});

test("keys run forever or fill the memory", async (t) => {
  const fixture = await fixtureWith(t, { "a.txt": `${"a".repeat(5000)}\nb\n~@q\n` });
  const many = Array.from({ length: 20_000 }, (_, index) => `a line ${index}\n`).join("");
  writeFileSync(fixture.place.path("many.txt"), many);
  const started = performance.now();
  for (const keys of [":g/a/%s/nowhere/x/e<CR>", ":g/a/s/e\\n/x/e<CR>", ":g/a/normal /9999$<CR>"]) {
    const answer = await fixture.call("edit", { path: "many.txt", keys });
    assert.equal(answer.error, "too_large", `${keys} ${answer.text.slice(0, 200)}`);
  }
  for (const keys of [
    "999999999ilong text <Esc>",
    "yy999999999p",
    "qaA@a<Esc>0@aq@a",
    ":s/\\(a*\\)*\\1b/x/<CR>",
    "x".repeat(10_001),
    'G"qy$@q',
    `:s/a/${"&".repeat(9000)}/g<CR>`,
    "V9999999>",
    `yy${"Vp".repeat(1)}yyV99999999p`,
    `${'"Ayy'.repeat(1500)}`,
  ]) {
    const answer = await fixture.call("edit", { path: "a.txt", keys });
    assert.ok(
      ["too_large", "invalid_regex", "no_match"].includes(answer.error ?? ""),
      answer.text.slice(0, 300),
    );
  }
  assert.ok(performance.now() - started < 20_000);
  assert.ok(content(fixture, "a.txt").length < 6_000_000);
});

test("a path leads out, or a file is made where none is", async (t) => {
  const fixture = await fixtureWith(t, { "yarn.lock": "# yarn lockfile v1\n" });
  for (const [path, error] of [
    ["../x", "path_outside"],
    ["missing.txt", "file_not_found"],
    ["yarn.lock", "generated_file"],
  ] as const)
    assert.equal((await fixture.call("edit", { path, keys: "x" })).error, error, path);
});

test("an empty file cannot be filled, or a full one emptied", async (t) => {
  const fixture = await fixtureWith(t, { "empty.txt": "", "full.txt": "a\nb\n" });
  await fixture.call("edit", { path: "empty.txt", keys: "ione<CR>two<Esc>" });
  assert.equal(content(fixture, "empty.txt"), "one\ntwo\n");
  await fixture.call("edit", { path: "full.txt", keys: ":%d<CR>" });
  assert.equal(content(fixture, "full.txt"), "");
});

test("a refusal does not say where the cursor was", async (t) => {
  const fixture = await fixtureWith(t, { "a.ts": source });
  const answer = await fixture.call("edit", { path: "a.ts", keys: "jjfq" });
  const { line, keys, current } = faultDetails(answer);
  assert.deepEqual([line, keys], [3, "fq"]);
  assert.ok(Array.isArray(current) && current.includes("3|    return sum;"));
});

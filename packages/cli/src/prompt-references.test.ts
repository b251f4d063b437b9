import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pngPicture } from "@stet/testkit/picture";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

async function asked(t: TestContext, words: string[]) {
  const server = await startScriptedModel([{ text: "Good." }]);
  t.after(() => server.close());
  const project = new StetProject(t, { "a.txt": "alpha\n", "my notes.md": "beta\n" });
  mkdirSync(join(project.folder, "sub"));
  writeFileSync(join(project.folder, "shot.png"), pngPicture(3000, 20));
  writeFileSync(join(project.folder, "b.bin"), Buffer.from([0, 1, 2, 255, 254]));
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  const { code, note } = await project.stet(["--model", "openai-compatible/m", "-p", ...words], { env });
  const message = server.requests[0]?.messages.findLast(({ role }) => role === "user");
  const text = message?.role === "user" ? message.text : "";
  const images = message?.role === "user" ? (message.images ?? []) : [];
  return { code, note, text, images };
}

test("@picture is attached as a picture, and shrunk where it is too large", async (t) => {
  for (const words of [["look", "@shot.png"], ["What is in @shot.png?"]]) {
    const { code, note, text, images } = await asked(t, words);
    assert.equal(code, 0, note);
    assert.equal(text, words.join(" "));
    assert.equal(images.length, 1);
    assert.equal(images[0]?.mimeType, "image/png");
    assert.equal(Buffer.from(images[0]?.data ?? "", "base64").readUInt32BE(16), 2000);
  }
});

test("@file inside a quoted request is sent along, also with punctuation or blanks in its name", async (t) => {
  const cases: [string[], RegExp][] = [
    [["Explain @a.txt"], /^Explain @a\.txt\n\na\.txt:\nalpha\n$/],
    [["Explain (@a.txt), please"], /^Explain \(@a\.txt\), please\n\na\.txt:\nalpha\n$/],
    [['Compare @"my notes.md" and @a.txt.'], /my notes\.md:\nbeta\n\n\na\.txt:\nalpha\n$/],
    [["Explain", "@my notes.md"], /my notes\.md:\nbeta\n$/],
    [["@a.txt"], /^alpha$/],
  ];
  for (const [words, expected] of cases) {
    const { code, note, text } = await asked(t, words);
    assert.equal(code, 0, note);
    assert.match(text, expected);
  }
});

test("what names no file is text", async (t) => {
  for (const words of [["@alice said hi"], ["tell", "@alice"], ["Ask @alice.b about me@host.org"]]) {
    const { code, note, text } = await asked(t, words);
    assert.equal(code, 0, note);
    assert.equal(text, words.join(" "));
  }
});

test("a folder, other bytes and a mistyped path are refused with a sentence", async (t) => {
  const cases: [string[], RegExp][] = [
    [["list", "@."], /@\. is a folder\. Name files of it/],
    [["look into @sub"], /@sub is a folder/],
    [["explain", "@b.bin"], /@b\.bin is neither UTF-8 text nor a picture, so it was not sent/],
    [["explain", "@a.tx"], /There is no file .*a\.tx/],
  ];
  for (const [words, expected] of cases) {
    const { code, note, text } = await asked(t, words);
    assert.equal(code, 2, note);
    assert.match(note, expected);
    assert.equal(text, "");
  }
});

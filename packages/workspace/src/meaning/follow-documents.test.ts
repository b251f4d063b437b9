import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { WordEmbedder } from "@stet/testkit/word-embedder";
import { must, personEdits, TestWorkspace } from "@stet/testkit/workspace";
import { followDocuments } from "./follow-documents.ts";
import { type IndexReport, Meaning } from "./meaning.ts";

test("open documents are indexed, and again where they are edited; others are not", async (t) => {
  const paragraph = (number: number) =>
    `Paragraph ${number} is about thing${number} and nothing else. `.repeat(9);
  const content = Array.from({ length: 20 }, (_, number) => paragraph(number)).join("\n\n");
  const files = new TestWorkspace(t, { "open.md": content, "other.md": content.toUpperCase() });
  const workspace = await files.open();
  const embedder = new WordEmbedder();
  const meaning = must(Meaning.open(temporaryFolder(t), embedder));
  t.after(() => meaning.close());
  must(workspace.tabs.open("open.md"));
  const other = must(workspace.documents.open("other.md"));
  const { id } = must(workspace.documents.open("open.md"));

  let told: (indexed: { key: string; report: IndexReport }) => void = () => {};
  const next = () => new Promise<{ key: string; report: IndexReport }>((resolve) => (told = resolve));
  const first = next();
  const following = followDocuments(workspace, meaning, {
    quietMs: 5,
    onIndexed: ({ key }, report) => told({ key, report: must(report) }),
  });
  t.after(() => following.stop());
  assert.equal((await first).key, `document:${id}`);

  const second = next();
  personEdits(workspace, other.id, { op: "replace", from: 1, to: 1, content: "NOBODY LOOKS AT THIS." });
  personEdits(workspace, id, { op: "replace", from: 5, to: 5, content: "A person wrote this." });
  const { key, report } = await second;
  assert.equal(key, `document:${id}`);
  assert.ok(report.embedded >= 1 && report.embedded <= 4, `${report.embedded} were embedded`);
  assert.ok(!embedder.texts.some((text) => text.includes("NOBODY") || text.includes("THING")));

  const third = next();
  must(workspace.tabs.open("other.md"));
  following.look();
  assert.equal((await third).key, `document:${other.id}`);
});

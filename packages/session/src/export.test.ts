import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answered, must, newSession, openSession, resulted, said } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { exportHtml } from "./export-html.ts";
import { exportMarkdown } from "./export-markdown.ts";
import type { Session } from "./session-tree.ts";

const hostile = `<script>alert(1)</script><img src=x onerror="alert('1')"> & </pre></style></title>`;

function sample(): Session {
  const session = newSession();
  must(session.rename(hostile, "user"));
  must(session.appendMessage(said(hostile)));
  must(
    session.appendMessage({
      ...answered(hostile),
      content: [
        { type: "thinking", thinking: hostile },
        { type: "text", text: hostile },
        { type: "toolCall", id: "1", name: hostile, arguments: { [hostile]: hostile } },
      ],
      errorMessage: hostile,
    }),
  );
  must(
    session.appendMessage({
      ...resulted("1", `${hostile}\n\`\`\`\`\nfence`),
      toolName: hostile,
      isError: true,
    }),
  );
  must(
    session.appendMessage({
      role: "user",
      content: [
        { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
        { type: "image", data: `"><script>`, mimeType: "image/png" },
        { type: "image", data: "aGVsbG8=", mimeType: `image/svg+xml"><script>` },
      ],
      timestamp: 1,
    }),
  );
  must(session.append({ type: "turn", turnId: "turn_1", summary: hostile, files: [hostile] }));
  must(session.append({ type: "decision", turnId: "turn_1", verdict: "rejected", hunks: ["h_1_1"] }));
  must(session.append({ type: "compaction", summary: hostile, firstKeptEntryId: "x", tokensBefore: 1 }));
  must(session.append({ type: "custom_message", customType: "x", content: "hidden words", display: false }));
  return session;
}

test("nothing that a session holds becomes markup of the page", () => {
  const html = exportHtml(sample());
  assert.ok(!/<script/i.test(html));
  const images = html.match(/<img[^>]*>/g) ?? [];
  assert.deepEqual(images, ['<img alt="An image of the conversation" src="data:image/png;base64,aGVsbG8=">']);
  const tags = new Set(Array.from(html.matchAll(/<\/?([a-z0-9]+)/gi), (match) => match[1]));
  const allowed =
    "html head meta title style body main header h1 h2 p article div details summary pre img".split(" ");
  assert.deepEqual(
    [...tags].filter((tag) => !allowed.includes(tag ?? "")),
    [],
  );
  assert.ok(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;"));
});

test("the page stands alone, in light and dark, and may load nothing", () => {
  const html = exportHtml(sample());
  assert.match(html, /^<!doctype html>/);
  assert.match(html, /default-src 'none'/);
  assert.match(html, /light-dark\(/);
  assert.ok(!/(?:src|href)="(?!data:)/.test(html));
  assert.ok(!html.includes("hidden words"));
});

test("the page shows what would turn its text around or hide in it", () => {
  const session = newSession();
  must(session.appendMessage(said("live\u202eevil\u200b \u0000 👩\u200d🚒")));
  assert.match(exportHtml(session), /live⟨U\+202E⟩evil⟨U\+200B⟩ ␀ 👩\u200d🚒/);
  assert.match(exportMarkdown(session), /live\u202eevil\u200b/, "which is data");
});

test("Markdown tells who spoke and fences what tools gave", () => {
  const session = newSession();
  must(session.appendMessage(said("Fix **this**.")));
  must(
    session.appendMessage({
      ...answered(""),
      content: [{ type: "toolCall", id: "1", name: "read", arguments: { path: "a" } }],
    }),
  );
  must(session.appendMessage(resulted("1", "has ```` in it")));
  must(session.appendMessage(answered("Done.")));
  const markdown = exportMarkdown(session);
  const body = markdown.slice(markdown.indexOf("## User"));
  assert.equal(
    body,
    '## User\n\nFix **this**.\n\n## Assistant\n\n**read**\n\n```json\n{\n  "path": "a"\n}\n```\n\n**read**\n\n`````\nhas ```` in it\n`````\n\nDone.\n',
  );
});

test("what came from the background is told with why, and not as if somebody had typed it", () => {
  const session = newSession();
  must(session.appendMessage(said("Build it.")));
  const details = { kind: "job", id: "bash-1", label: "npm run *build*", type: "bash" };
  const content =
    '<job-result id="bash-1" type="bash" status="completed" seconds="2">\nAll is <b>well</b>\n</job-result>';
  must(session.append({ type: "custom_message", customType: "delivery", content, display: true, details }));
  const markdown = exportMarkdown(session);
  assert.equal(
    markdown.slice(markdown.indexOf("## User")),
    "## User\n\nBuild it.\n\n**Command ended: npm run \\*build\\* (exit 0)**\n\n```\nAll is <b>well</b>\n```\n",
  );
  assert.match(
    exportHtml(session),
    /<summary>Command ended: npm run \*build\* \(exit 0\)<\/summary><pre>All is &lt;b&gt;well&lt;\/b&gt;<\/pre>/,
  );
});

test("only the conversation up to the leaf is exported, and damage is shown", (t) => {
  const path = join(temporaryFolder(t), "session.jsonl");
  const session = newSession(path);
  const one = must(session.appendMessage(said("one")));
  must(session.appendMessage(answered("abandoned")));
  must(session.branch(one.id));
  must(session.appendMessage(answered("taken")));
  assert.ok(!exportMarkdown(session).includes("abandoned"));
  const broken = { ...answered("x"), content: 5 };
  const line = {
    type: "message",
    id: "ffffffff",
    parentId: one.id,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: broken,
  };
  writeFileSync(path, `${JSON.stringify(line)}\n`, { flag: "a" });
  assert.match(exportMarkdown(openSession(path)), /\*\*Damaged:\*\* .*line 5/);
  assert.match(exportHtml(openSession(path)), /class="damage"/);
});

import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Message } from "@stet/protocol/message";
import type { ModelEvent } from "@stet/protocol/model-stream";
import fc from "fast-check";
import { practiceModel } from "./practice-model.ts";
import { checkContract, fault, projectToolDescriptions, rehearse, user } from "./rehearsal.ts";

const twoCats = { "a.md": "cat\n", "b.md": "cat\n" };

test("a text in several files is asked about when no file was named", async () => {
  const one = await rehearse({ request: "replace cat with dog", files: twoCats, answers: ["b.md"] });
  assert.deepEqual(Object.fromEntries(one.files), { "a.md": "cat\n", "b.md": "dog\n" });
  assert.match(one.questions[0] ?? "", /“cat” stands in 2 files/);
  const both = await rehearse({ request: "replace cat with dog", files: twoCats, answers: ["all of them"] });
  assert.deepEqual(Object.fromEntries(both.files), { "a.md": "dog\n", "b.md": "dog\n" });
  const skipped = await rehearse({ request: "replace cat with dog", files: twoCats });
  assert.deepEqual(Object.fromEntries(skipped.files), twoCats);
  assert.match(skipped.answer, /did nothing, because my question was not answered/);
});

test("a name that fits several files is asked about", async () => {
  const files = { "one/notes.md": "cat\n", "two/notes.md": "cat\n" };
  const { files: after, calls } = await rehearse({
    request: 'append "x" to notes.md',
    files,
    answers: ["two/notes.md"],
  });
  assert.deepEqual(Object.fromEntries(after), { "one/notes.md": "cat\n", "two/notes.md": "cat\nx\n" });
  const asked = calls.find(({ name }) => name === "clarify_user");
  assert.deepEqual(asked?.arguments.options, ["one/notes.md", "two/notes.md"]);
});

test("the line that contains a text is asked about when there are several", async () => {
  const files = { "a.md": "x 1\ny\nx 2\n" };
  const { files: after } = await rehearse({
    request: 'delete the line that contains "x" in a.md',
    files,
    answers: ["line 3: x 2"],
  });
  assert.equal(after.get("a.md"), "x 1\ny\n");
});

test("without a tool for asking the answer asks, and the next message answers", async () => {
  const without = ["clarify_user"];
  const first = await rehearse({ request: "replace cat with dog", files: twoCats, without });
  assert.match(first.answer, /“a\.md”, “b\.md”.*\?$/);
  const second = await rehearse({ request: "b.md", files: twoCats, without, before: first.messages });
  assert.deepEqual(Object.fromEntries(second.files), { "a.md": "cat\n", "b.md": "dog\n" });
});

test("a question that was skipped is answered by the next message", async () => {
  const first = await rehearse({ request: "replace cat with dog", files: twoCats });
  const second = await rehearse({ request: "all 2 files", files: twoCats, before: first.messages });
  assert.equal(second.questions.length, 0);
  assert.deepEqual(Object.fromEntries(second.files), { "a.md": "dog\n", "b.md": "dog\n" });
});

test("a file that is not there is named, with those that are", async () => {
  const { answer } = await rehearse({ request: "replace cat with dog in c.md", files: twoCats });
  assert.match(answer, /no file “c\.md” here\. There are a\.md, b\.md/);
});

test("nothing found changes nothing and says so", async () => {
  const { answer, files } = await rehearse({ request: "replace bird with dog everywhere", files: twoCats });
  assert.match(answer, /found no “bird”, so I changed nothing/);
  assert.deepEqual(Object.fromEntries(files), twoCats);
  const inside = await rehearse({ request: "replace ca with do in a.md", files: twoCats });
  assert.match(inside.answer, /only inside longer words/);
});

test("a conflict is answered by reading again and repeating once", async () => {
  let isMoved = false;
  const { files, answer, calls } = await rehearse({
    request: 'replace "cat" with "cat food" in a.md',
    files: { "a.md": "cat\nx\ncat\ny\ncat\n" },
    intervene: (call, current) => {
      // Somebody adds lines above and changes the next line to be edited, after the first edit was made.
      if (call.name === "edit_file" && call.arguments.start_line === 3 && !isMoved) {
        isMoved = true;
        current.set("a.md", "new\ncat\nx\nmy cat\ny\ncat food\n");
      }
      return undefined;
    },
  });
  assert.equal(files.get("a.md"), "new\ncat food\nx\nmy cat food\ny\ncat food\n");
  assert.match(answer, /read it again and repeated the edit/);
  assert.equal(calls.filter(({ name }) => name === "read_file").length, 2);
});

test("whatever a person adds above meanwhile, every word is replaced once and nothing else changes", async () => {
  const line = fc.constantFrom("cat", "cats", "the cat's cat", "", "x  cat ", "concat");
  const law = fc.asyncProperty(
    fc.array(line, { minLength: 1, maxLength: 12 }),
    fc.nat(4),
    async (lines, moment) => {
      const text = `${lines.join("\n")}\n`;
      let edits = 0;
      let added = "";
      const { files } = await rehearse({
        request: 'replace "cat" with "cat food" in a.md',
        files: { "a.md": text },
        intervene: (call, current) => {
          if (call.name === "edit_file" && edits++ === moment) {
            added = "new\n";
            current.set("a.md", added + current.get("a.md"));
          }
          return undefined;
        },
      });
      assert.equal(files.get("a.md"), added + text.replaceAll(/\bcat\b/g, "cat food"));
    },
  );
  await fc.assert(law, { numRuns: 60, seed: 7 });
});

test("a conflict that comes again is explained", async () => {
  for (const code of ["conflict", "version_mismatch", "hash_mismatch"]) {
    const { files, answer, calls } = await rehearse({
      request: "replace cat with dog in a.md",
      files: twoCats,
      intervene: (call) =>
        call.name === "edit_file" ? fault(code, "The lines changed since they were read.") : undefined,
    });
    assert.deepEqual(Object.fromEntries(files), twoCats);
    assert.match(answer, /could not change it: The lines changed since/);
    assert.equal(calls.filter(({ name }) => name === "edit_file").length, 2);
  }
});

test("a fault that reading again cannot mend is explained at once", async () => {
  const { answer, calls } = await rehearse({
    request: 'append "x" to a.md',
    files: twoCats,
    intervene: (call) =>
      call.name === "edit_file" ? fault("protected_path", "a.md is protected.") : undefined,
  });
  assert.match(answer, /could not change a\.md: a\.md is protected/);
  assert.equal(calls.filter(({ name }) => name === "edit_file").length, 1);
});

test("a deletion by number never hits lines that moved there meanwhile", async () => {
  let isMoved = false;
  const play = (moved: string) =>
    rehearse({
      request: "delete line 2 in a.md",
      files: { "a.md": "one\ntwo\nthree\n" },
      intervene: (call, current) => {
        if (call.name === "edit_file" && !isMoved) {
          isMoved = true;
          current.set("a.md", moved);
        }
        return undefined;
      },
    });
  assert.equal((await play("zero\none\ntwo\nthree\n")).files.get("a.md"), "zero\none\nthree\n");
  isMoved = false;
  const gone = await play("one\nchanged\nthree\n");
  assert.equal(gone.files.get("a.md"), "one\nchanged\nthree\n");
  assert.match(gone.answer, /could not change a\.md/);
});

test("hashes that the model cannot compute are read for the exact lines", async () => {
  const hash = (lines: readonly string[]) =>
    `sha256:${createHash("sha256")
      .update(`salt${lines.join("\n")}`)
      .digest("hex")}`;
  const { files } = await rehearse({
    request: "replace cat with dog in a.md",
    files: { "a.md": "x\ncat\ny\ncat\n" },
    hash,
  });
  assert.equal(files.get("a.md"), "x\ndog\ny\ndog\n");
});

test("a result that was cut is asked for once more, then given up", async () => {
  const cut = await rehearse({
    request: "count the words in a.md",
    files: twoCats,
    intervene: (call, _, count) => (call.name === "read_file" && count === 1 ? "[elided]" : undefined),
  });
  assert.equal(cut.answer, "a.md has 1 word.");
  const always = await rehearse({
    request: "count the words in a.md",
    files: twoCats,
    intervene: (call) => (call.name === "read_file" ? "[elided]" : undefined),
  });
  assert.match(always.answer, /could not be read/);
  assert.ok(always.calls.length <= 5);
});

test("a note below a result does not make it unreadable", async () => {
  const { answer } = await rehearse({
    request: "list files",
    files: twoCats,
    intervene: () => `${JSON.stringify({ files: ["a.md"] })}\nThis is the 3rd time for this call.`,
  });
  assert.match(answer, /There is 1 file here/);
});

test("a search whose result was too long is narrowed to one file at a time", async () => {
  const { files } = await rehearse({
    request: "replace cat with dog everywhere",
    files: twoCats,
    intervene: (call) =>
      call.name === "search_project" && call.arguments.glob === undefined ? '{"results":[…' : undefined,
  });
  assert.deepEqual(Object.fromEntries(files), { "a.md": "dog\n", "b.md": "dog\n" });
});

test("a turn whose calls are used up says what was done, and goes on when told to", async () => {
  const request = "replace cat with dog everywhere";
  const first = await rehearse({ request, files: twoCats, maxCalls: 3 });
  assert.deepEqual(Object.fromEntries(first.files), { "a.md": "dog\n", "b.md": "cat\n" });
  assert.match(
    first.answer,
    /1 time in 1 file: a\.md \(1\)\. Not everything went through: the tool calls .* “go on”/,
  );
  const files = Object.fromEntries(first.files);
  const second = await rehearse({ request: "go on", files, before: first.messages });
  assert.deepEqual(Object.fromEntries(second.files), { "a.md": "dog\n", "b.md": "dog\n" });
});

test("tools that are not offered are named", async () => {
  const says = async (request: string, without: string[]) =>
    (await rehearse({ request, files: twoCats, without })).answer;
  assert.match(await says("replace cat with dog in a.md", ["edit_file"]), /edit_file is not offered/);
  assert.match(await says("find cat", ["search_project"]), /search_project is not offered/);
  assert.match(await says("list files", ["list_files"]), /list_files is not offered/);
  assert.match(await says("count the words in a.md", ["read_file"]), /read_file is not offered/);
  assert.match(
    await says(
      "list files",
      projectToolDescriptions.map(({ name }) => name),
    ),
    /none that I know is offered/,
  );
  assert.match(
    await says("replace cat with dog in a.md", ["search_project", "list_files"]),
    /1 time in 1 file/,
  );
});

test("parameters are named as the tool's schema names them", async () => {
  const tools = [
    {
      name: "read_file",
      description: "",
      parameters: { type: "object", properties: { path: {}, start_line: {} } },
    },
  ];
  const messages = [user("count the words in a.md")];
  let seen: unknown;
  for await (const event of practiceModel({ wordDelayMs: 0 }).stream({ system: "", messages, tools })) {
    if (event.type === "toolcall_end") seen = event.toolCall.arguments;
  }
  assert.deepEqual(seen, { path: "a.md", start_line: 1 });
});

test("a rename reaches every file of a project that is larger than one search", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `notes/${index}.md`,
      index % 2 === 0 ? "A cat.\n\nThe cat's food.\n" : "dogs\n",
    ]),
  );
  const { files: after, answer } = await rehearse({ request: "rename cat to hen in all files", files });
  for (const [path, text] of Object.entries(files))
    assert.equal(after.get(path), text.replaceAll("cat", "hen"));
  assert.match(answer, /200 times in 100 files/);
});

test("a file that is longer than one page is read to its end", async () => {
  const text = `${Array.from({ length: 1_700 }, (_, index) => (index % 500 === 3 ? "cat" : `line ${index}`)).join("\n")}\n`;
  const { files, answer } = await rehearse({
    request: "replace cat with dog in a.md",
    files: { "a.md": text },
  });
  assert.equal(files.get("a.md"), text.replaceAll("cat", "dog"));
  assert.match(answer, /4 times/);
});

test("a search that shows the saved file does not make the model doubt its edit", async () => {
  let searches = 0;
  const stale = { results: [{ file_path: "a.md", start_line: 1, end_line: 1, snippet: "cat" }] };
  const { answer } = await rehearse({
    request: "replace cat with dog everywhere",
    files: { "a.md": "cat\n" },
    intervene: (call) => {
      if (call.name !== "search_project") return undefined;
      searches += 1;
      return stale;
    },
  });
  assert.equal(searches, 2);
  assert.match(answer, /none is left/);
});

test("the same conversation always gives the same next step", async () => {
  const { messages } = await rehearse({ request: "replace cat with dog everywhere", files: twoCats });
  const replayed = await rehearse({ request: "replace cat with dog everywhere", files: twoCats });
  assert.deepEqual(withoutTimes(replayed.messages), withoutTimes(messages));
});

function withoutTimes(messages: readonly Message[]): unknown {
  return messages.map((message) => ({ ...message, timestamp: 0 }));
}

test("stopping ends the stream with one aborted error and no half call", async () => {
  for (const stopAt of ["start", "thinking_delta", "toolcall_delta"]) {
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    const request = { system: "", messages: [user("list files")], tools: projectToolDescriptions };
    for await (const event of practiceModel({ wordDelayMs: 1 }).stream(request, controller.signal)) {
      events.push(event);
      if (event.type === stopAt) controller.abort();
    }
    checkContract(events);
    const last = events.at(-1);
    assert.equal(last?.type, "error");
    assert.equal(last.reason, "aborted");
    assert.equal(last.failure.kind, "aborted");
    assert.equal(
      last.message.content.some((part) => part.type === "toolCall"),
      false,
    );
  }
});

test("thinking can be switched off, and waiting between words does not outlast a stop", async () => {
  const request = {
    system: "",
    messages: [user("list files")],
    tools: projectToolDescriptions,
    thinking: "off" as const,
  };
  const types: string[] = [];
  for await (const event of practiceModel({ wordDelayMs: 0 }).stream(request)) types.push(event.type);
  assert.equal(
    types.some((type) => type.startsWith("thinking")),
    false,
  );
  const started = performance.now();
  const slow = practiceModel({ wordDelayMs: 60_000 }).stream(
    { ...request, tools: [] },
    AbortSignal.timeout(20),
  );
  for await (const event of slow) types.push(event.type);
  assert.equal(types.at(-1), "error");
  assert.ok(performance.now() - started < 5_000);
});

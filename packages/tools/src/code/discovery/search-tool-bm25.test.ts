import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool } from "@stet/agent/call-tool";
import { defineTool, type Tool } from "@stet/agent/tool";
import * as z from "zod";
import { ranked, searchToolBm25 } from "./search-tool-bm25.ts";
import { ToolShelf } from "./tool-shelf.ts";

function tool(name: string, description: string): Tool {
  return defineTool({
    name,
    description,
    traits: ["reads"],
    schema: z.object({}),
    execute: async () => ({ content: "" }),
  });
}

function open() {
  const shelf = new ToolShelf();
  const hidden = [
    tool("ast_grep", "Structural code search by a pattern of the syntax tree."),
    tool("calc", "Calculates arithmetic expressions."),
    tool("notebook", "Edits cells of a Jupyter notebook."),
    tool("job", "Waits for background jobs and cancels them."),
  ];
  shelf.put(
    [
      searchToolBm25(
        { shelf },
        hidden.map(({ name }) => name),
      ),
    ],
    hidden,
  );
  const call = async (query: string) => {
    const { result, error } = await callTool(
      { type: "toolCall", id: "c", name: "search_tool_bm25", arguments: { query } },
      { batch: "1", tools: shelf.offered, signal: new AbortController().signal, progress: () => {} },
    );
    return { error, text: result.content.map((part) => (part.type === "text" ? part.text : "")).join("") };
  };
  return { shelf, call };
}

test("the hidden tools are told by name in one line", () => {
  const { shelf } = open();
  assert.match(shelf.offered[0]?.description ?? "", /ast_grep, calc, notebook, job/);
});

test("a tool that is asked for by what it does is offered from then on", async () => {
  const { shelf, call } = open();
  const { text } = await call("wait for a background job");
  assert.match(text, /^These can be called from your next message on:\njob: /);
  assert.deepEqual(shelf.offered.map(({ name }) => name).includes("job"), true);
});

test("names bring exactly what they name", async () => {
  const { shelf, call } = open();
  await call("calc, notebook");
  assert.deepEqual(
    shelf.offered.map(({ name }) => name),
    ["search_tool_bm25", "calc", "notebook"],
  );
  assert.match((await call("calc")).text, /calc can be called already/);
});

test("what fits nothing says what there is", async () => {
  const { call } = open();
  const { error, text } = await call("zzz");
  assert.equal(error, "no_match");
  assert.match(text, /ast_grep, calc, notebook, job/);
});

test("a rare word counts more than a common one, a name more than a description", () => {
  const texts = ["edit files", "edit cells of a notebook", "read files"];
  const rare = ranked(
    texts.map((description) => ({ name: "", description })),
    "edit notebook",
  );
  assert.equal(rare[0]?.description, "edit cells of a notebook");
  const job = { name: "job", description: "" };
  assert.equal(ranked([{ name: "b", description: "a job" }, job], "jobs")[0], job);
});

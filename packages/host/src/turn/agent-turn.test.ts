import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContext } from "@stet/session/session-context";
import { SessionStore } from "@stet/session/session-store";
import { modelOf } from "@stet/testkit/model-of";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { SessionRules } from "@stet/tools/permission/session-rules";
import { loadConfiguration } from "../settings/configuration.ts";
import { runAgentTurn } from "./agent-turn.ts";

test("a summary that made room is kept in the session, so that the next turn begins with it", async (t) => {
  const long = Array.from({ length: 600 }, (_, line) => `line ${line} of a long file`).join("\n");
  const place = new TestWorkspace(t, { "long.txt": long });
  const workspace = await place.open();
  const store = new SessionStore({ dataFolder: place.dataFolder });
  const session = store.create(place.root);
  const { settings } = must(
    loadConfiguration({
      folder: place.root,
      environment: { XDG_CONFIG_HOME: place.folder },
      isTrusted: false,
    }),
  );
  const read = (line: number) => ({
    calls: [{ name: "read_file", arguments: { file_path: "long.txt", start_line: line } }],
  });
  const model = modelOf(
    (request, index) => {
      if (request.toolChoice === "none") return { text: "The person wants the file read." };
      return index < 14 ? read(index + 1) : { text: "Done." };
    },
    { contextWindow: 14_000 },
  );
  const turn = {
    workspace,
    session,
    model,
    settings,
    instructions: [],
    ask: async () => "",
    signal: new AbortController().signal,
    code: {
      sessionRules: new SessionRules(),
      environment: {},
      isInteractive: false,
      configFolders: { project: undefined, user: undefined },
    },
  };
  const kinds: string[] = [];
  for await (const event of runAgentTurn({ ...turn, text: "Read long.txt again and again." })) {
    if (event.type === "compaction") kinds.push(event.by);
  }
  assert.ok(kinds.includes("summary"), kinds.join(", "));
  const again = must(store.open(session.log.path ?? ""));
  const { messages } = buildContext(again);
  assert.match(JSON.stringify(messages[0]), /The person wants the file read/);
  assert.notEqual(messages[1]?.role, "toolResult", "no answer without its call");
});

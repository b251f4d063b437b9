// A model in a process of its own, for bench/agents.ts. Asked by a person it sends agents, one for each of so many files, and waits
// for them; as one of them it reads and edits its file in turns, and gives back that it is done.

import { type SeenRequest, startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import type { ScriptedReply } from "../packages/testkit/src/scripted-model-reply.ts";

const [count = 1, calls = 20] = process.argv.slice(2).map(Number);

function reply({ messages }: SeenRequest): ScriptedReply {
  const first = messages.find(({ role }) => role === "user");
  const file = first?.role === "user" ? /^Work on (note-\d+\.txt)/.exec(first.text)?.[1] : undefined;
  const results = messages.filter(({ role }) => role === "toolResult");
  return file === undefined ? asSender(results.at(-1)) : asAgent(file, results.length);
}

function asSender(last: SeenRequest["messages"][number] | undefined): ScriptedReply {
  if (last?.role !== "toolResult") {
    const tasks = Array.from({ length: count }, (_, index) => {
      return { id: `Note${index}`, description: `note ${index}`, assignment: `Work on note-${index}.txt` };
    });
    return call("task", { agent: "quick_task", tasks });
  }
  const isOver = !last.text.includes("## Still Running") && last.text.includes("## Completed");
  return isOver ? { text: "Done." } : call("job", {});
}

function asAgent(path: string, step: number): ScriptedReply {
  if (step >= calls) return call("yield", { result: "Done." });
  const line = Math.floor(step / 2) + 1;
  if (step % 2 === 0) return call("read", { path: `${path}:${line}-${line + 9}` });
  const old_text = `Line ${line} of the note.`;
  return call("edit", { path, edits: [{ old_text, new_text: `Line ${line}, changed.` }] });
}

function call(name: string, given: object): ScriptedReply {
  return { toolCalls: [{ name, arguments: given }] };
}

const model = await startScriptedModel(reply);
process.on("disconnect", () => process.exit());
process.send?.({ url: model.url });

// Before anything was said: what one could ask.

import { For } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { fillComposer } from "./composer-text.ts";
import { chosenToolset } from "./speaking.ts";

const ofSample = [
  "Rename Tobias to Elias in all files",
  "Where is Mara mentioned?",
  "Send two agents (@task): Rename Tobias to Elias in novel.md; Where is Mara mentioned?",
];
const ofAny = ["Which files are there?", "Find “TODO” in all files", "Outline README.md"];

export function EmptyChat() {
  const workbench = useWorkbench();
  const examples = () => {
    const some = workbench.state.isSample ? [...ofSample, "Which files are there?"] : ofAny;
    const command = workbench.state.isSample ? "Run `node tools/count-words.js`" : "Run `git status`";
    return chosenToolset(workbench)?.runs_commands ? [...some, command] : some;
  };
  return (
    <div class="chat-empty fill">
      <h3>Ask the agent</h3>
      <p class="faint">
        {chosenToolset(workbench)?.runs_commands
          ? "It reads, edits and runs commands in this folder, and asks before it does what you have not allowed. Its edits are on disk at once; you see every change, and can reject it or go back."
          : "It reads and edits the documents of this folder. You see every change, and nothing is written to disk before you accept and save it."}
      </p>
      <ul class="chat-examples column" aria-label="Examples">
        <For each={examples()}>
          {(example) => (
            <li>
              <Button onPress={() => fillComposer(workbench, example)}>{example}</Button>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

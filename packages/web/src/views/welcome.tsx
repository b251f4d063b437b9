// What is shown when nothing is open: where one is, and the few keys that matter.

import FileIcon from "lucide-solid/icons/file-text";
import { For, Show } from "solid-js";
import { focusRegion } from "../app/regions.ts";
import { fileListOf } from "../files/file-list.ts";
import { recentFilesOf } from "../files/recent-files.ts";
import { BareButton, Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import "./welcome.css";

const maxRecent = 6;

const keys: readonly (readonly [string, string])[] = [
  ["palette.files", "Open a file by its name"],
  ["palette.commands", "Do anything by its name"],
  ["search.open", "Search in all files"],
  ["tab.new", "Write something new"],
  ["help.keys", "See all keys"],
];

export function Welcome() {
  const workbench = useWorkbench();
  const list = fileListOf(workbench);
  const recent = () => {
    const existing = new Set(list.paths() ?? []);
    return recentFilesOf(workbench.state.root)
      .paths()
      .filter((path) => existing.has(path))
      .slice(0, maxRecent);
  };
  const ask = () => {
    workbench.layout.set({ isAgentOpen: true });
    queueMicrotask(() => focusRegion("agent"));
  };
  return (
    <div class="welcome">
      <h1>{workbench.state.name}</h1>
      <p class="faint welcome-root">{workbench.state.root}</p>
      <div class="welcome-parts">
        <section>
          <h2>Start</h2>
          <ul class="welcome-list unlisted">
            <For each={keys}>
              {([id, title]) => (
                <li>
                  <BareButton class="welcome-row stretched bar" onPress={() => workbench.commands.run(id)}>
                    <span>{title}</span>
                    <kbd class="keys">{workbench.commands.keysOf(id)}</kbd>
                  </BareButton>
                </li>
              )}
            </For>
          </ul>
          <Button class="primary welcome-ask" onPress={ask}>
            Ask the agent
          </Button>
        </section>
        <Show when={recent().length > 0}>
          <section>
            <h2>Recent files</h2>
            <ul class="welcome-list unlisted">
              <For each={recent()}>
                {(path) => (
                  <li>
                    <BareButton
                      class="welcome-row stretched bar"
                      title={path}
                      onPress={() => workbench.openFile(path)}
                    >
                      <FileIcon size={15} />
                      <span>{path}</span>
                    </BareButton>
                  </li>
                )}
              </For>
            </ul>
          </section>
        </Show>
      </div>
    </div>
  );
}

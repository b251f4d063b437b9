// All commands and their keys.

import { createMemo, createSignal, For, Show } from "solid-js";
import { shownKeys } from "../app/commands.ts";
import { Field } from "../ui/field.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { fuzzyMatch } from "./fuzzy.ts";
import "./keys-view.css";

export function KeysView() {
  const workbench = useWorkbench();
  const [filter, setFilter] = createSignal("");
  const groups = createMemo(() => {
    const fitting = workbench.commands.all().filter(({ title, group }) => {
      return fuzzyMatch(filter(), `${group} ${title}`) !== undefined;
    });
    const byGroup = Map.groupBy(fitting, ({ group }) => group);
    const withKeys = [...byGroup].map(([group, commands]) => ({
      group,
      commands: [...commands].sort(
        (one, other) => Number(one.keys.length === 0) - Number(other.keys.length === 0),
      ),
    }));
    return withKeys.sort((one, other) => one.group.localeCompare(other.group));
  });
  return (
    <div class="keys-view">
      <h1>Keyboard shortcuts</h1>
      <p class="faint">Everything below can also be found by name with {shownKeys("Mod-k")}.</p>
      <Field
        class="keys-filter"
        type="search"
        label="Filter shortcuts"
        placeholder="Filter"
        value={filter()}
        onType={setFilter}
      />
      <div class="keys-groups">
        <For each={groups()}>
          {({ group, commands }) => (
            <section class="keys-group">
              <h2>{group}</h2>
              <dl>
                <For each={commands}>
                  {(command) => (
                    <div class="keys-row divided">
                      <dt>{command.title}</dt>
                      <dd>
                        <For each={command.keys ?? []}>
                          {(keys) => <kbd class="keys">{shownKeys(keys)}</kbd>}
                        </For>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
      </div>
      <Show when={groups().length === 0}>
        <p class="faint">No command fits this filter.</p>
      </Show>
    </div>
  );
}

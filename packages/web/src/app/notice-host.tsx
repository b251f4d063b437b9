// Where short messages appear. What went wrong is read out at once, the rest when there is a pause.

import XIcon from "lucide-solid/icons/x";
import { For, Show } from "solid-js";
import { Button, IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import "./notice-host.css";

export function NoticeHost() {
  const { notices } = useWorkbench();
  return (
    <section class="notices column" aria-label="Messages">
      <For each={notices.list()}>
        {(notice) => (
          <div class={`notice card bar ${notice.tone}`} role={notice.tone === "bad" ? "alert" : "status"}>
            <div class="notice-text grow">
              <p>{notice.text}</p>
              <Show when={notice.detail}>
                <p class="faint">{notice.detail}</p>
              </Show>
            </div>
            <Show when={notice.action}>
              {(action) => (
                <Button
                  small
                  onPress={() => {
                    notices.close(notice.id);
                    void action().run();
                  }}
                >
                  {action().label}
                </Button>
              )}
            </Show>
            <IconButton
              icon={XIcon}
              size={14}
              label="Close this message"
              onPress={() => notices.close(notice.id)}
            />
          </div>
        )}
      </For>
    </section>
  );
}

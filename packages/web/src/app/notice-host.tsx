// Where short messages appear. What went wrong is read out at once, the rest when there is a pause.

import XIcon from "lucide-solid/icons/x";
import { For, Show } from "solid-js";
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
                <button
                  type="button"
                  class="button small"
                  onClick={() => {
                    notices.close(notice.id);
                    void action().run();
                  }}
                >
                  {action().label}
                </button>
              )}
            </Show>
            <button
              type="button"
              class="icon-button"
              aria-label="Close this message"
              onClick={() => notices.close(notice.id)}
            >
              <XIcon size={14} />
            </button>
          </div>
        )}
      </For>
    </section>
  );
}

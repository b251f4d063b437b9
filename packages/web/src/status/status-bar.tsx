// The line at the bottom: whether the server is there, what the agent does, what is in front, and a few switches.

import { agentOfSession } from "@stet/client/agents";
import LockIcon from "lucide-solid/icons/lock";
import PauseIcon from "lucide-solid/icons/pause";
import PlayIcon from "lucide-solid/icons/play";
import ContrastIcon from "lucide-solid/icons/sun-moon";
import WrapIcon from "lucide-solid/icons/text-wrap";
import LostIcon from "lucide-solid/icons/wifi-off";
import { createMemo, Match, Show, Switch } from "solid-js";
import { agentOf } from "../agent/agent.ts";
import { cacheShare } from "../agent/use-words.ts";
import { themes } from "../app/app-commands.ts";
import { currentModel } from "../models/model-choice.ts";
import { openCount } from "../review/open-count.ts";
import { BareButton } from "../ui/button.tsx";
import { toggleMenu } from "../ui/menu.ts";
import type { ConnectionState } from "../workspace/feed.ts";
import { unseenUnsaved } from "../workspace/save-all.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { BackgroundStatus } from "./background-status.tsx";
import { DocumentStatus } from "./document-status.tsx";
import { contextWords, costWords, followUse } from "./session-use.ts";
import { plural } from "./word-count.ts";
import "./status-bar.css";

export function StatusBar() {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const openHunks = createMemo(() => openCount(workbench));
  const chooseTheme = (at: Element) =>
    toggleMenu({
      label: "Colours",
      at,
      entries: themes.map(([theme, title]) => ({
        label: title,
        isChosen: layout.state.theme === theme,
        run: () => layout.set({ theme }),
      })),
    });
  return (
    <footer class="status" data-region="status">
      <ConnectionText />
      <Working />
      <BackgroundStatus />
      <Index />
      <div class="status-rest grow">
        <Show when={openHunks() > 0}>
          <BareButton
            class="status-button chip status-waiting"
            onPress={() => layout.set({ left: "review" })}
          >
            {plural(openHunks(), "change")} to review
          </BareButton>
        </Show>
        <Unsaved />
        <Show when={workbench.activeTab()}>{(tab) => <DocumentStatus tab={tab()} />}</Show>
        <Model />
      </div>
      <BareButton
        class="status-button chip"
        aria-pressed={layout.state.wrapsLines}
        aria-label="Wrap long lines"
        title={workbench.commands.titleOf("Wrap long lines", "editor.wrap")}
        onPress={() => workbench.commands.run("editor.wrap")}
      >
        <WrapIcon size={14} />
      </BareButton>
      <BareButton
        class="status-button chip"
        aria-haspopup="menu"
        aria-label="Colours"
        title="Colours"
        onPress={(event) => chooseTheme(event.currentTarget)}
      >
        <ContrastIcon size={14} />
      </BareButton>
    </footer>
  );
}

/** Files that have no tab: their dot in the tree may be out of sight. */
function Unsaved() {
  const workbench = useWorkbench();
  const count = createMemo(() => unseenUnsaved(workbench, []));
  return (
    <Show when={count() > 0}>
      <BareButton
        class="status-button chip status-unsaved"
        title={workbench.commands.titleOf("Save all", "file.saveAll")}
        onPress={() => workbench.saveAll()}
      >
        {plural(count(), "file")} not saved
      </BareButton>
    </Show>
  );
}

const outages: Readonly<Record<ConnectionState, string>> = {
  connected: "",
  lost: "Connection lost: what you type is kept and sent when it returns",
  signed_out: "Signed out",
  other_folder: "Another folder is served",
};

function ConnectionText() {
  const workbench = useWorkbench();
  return (
    <span class="status-connection" role="status">
      <Switch>
        <Match when={outages[workbench.feed.connection()]}>
          {(words) => (
            <span class="status-alarm chip">
              <LostIcon size={14} />
              {words()}
            </span>
          )}
        </Match>
        <Match when={workbench.documents.hasUnsent()}>
          <span class="status-text chip">Sending…</span>
        </Match>
        <Match when={true}>
          <span class="status-text chip">
            <span class="status-dot" />
            Connected
          </span>
        </Match>
      </Switch>
    </span>
  );
}

function Working() {
  const workbench = useWorkbench();
  /** Of sessions themselves: agents that go on between them are told beside it. */
  const turns = () => workbench.state.jobs.filter(({ session }) => agentOfSession(session) === undefined);
  const words = () => {
    const { jobs, subagents } = workbench.state;
    const asking = jobs.find((job) => job.status === "waiting_for_user");
    if (asking === undefined && turns().length === 0) return "";
    const name = agentOfSession(asking?.session ?? null) ?? "The agent";
    const what = asking === undefined ? "The agent is working" : `${name} has a question`;
    return subagents > 0 && turns().length > 0 ? `${what}, with ${plural(subagents, "subagent")}` : what;
  };
  const cancel = async () => {
    for (const { id } of turns()) {
      await workbench.ask("cancelJob", { params: { job_id: id }, body: {} });
    }
  };
  return (
    <>
      <span class="status-agent" role="status">
        <Show when={words()}>
          <span class="status-text chip status-working">{words()}</span>
        </Show>
      </span>
      <Show when={turns().length > 0}>
        <BareButton class="status-button chip" onPress={() => cancel()}>
          Cancel
        </BareButton>
      </Show>
      <Show when={workbench.state.lock.locked}>
        <span class="status-text chip status-lock" title={workbench.state.lock.purpose ?? ""}>
          <LockIcon size={13} />
          Documents are locked
        </span>
      </Show>
    </>
  );
}

function Index() {
  const workbench = useWorkbench();
  const shown = () => {
    const index = workbench.state.index;
    return index?.state === "indexing" || index?.state === "paused" ? index : undefined;
  };
  const pausing = () => `${shown()?.state === "paused" ? "Go on with" : "Pause"} the search index`;
  const pause = (paused: boolean) => void workbench.ask("pauseIndex", { body: { paused } });
  return (
    <Show when={shown()}>
      {(index) => (
        <>
          <span class="status-text chip status-index" title={index().title ?? ""}>
            {index().state === "paused"
              ? "Search index paused"
              : `Search index ${index().total > 0 ? Math.floor((100 * index().done) / index().total) : 0}%`}
            {index().waiting > 0 ? `, ${index().waiting} more` : ""}
          </span>
          <BareButton
            class="status-button chip"
            aria-label={pausing()}
            title={pausing()}
            onPress={() => pause(index().state !== "paused")}
          >
            <Show when={index().state === "paused"} fallback={<PauseIcon size={13} />}>
              <PlayIcon size={13} />
            </Show>
          </BareButton>
        </>
      )}
    </Show>
  );
}

function Model() {
  const workbench = useWorkbench();
  const use = followUse(workbench);
  const cached = () => {
    const share = cacheShare(agentOf(workbench).state.lastJob?.usage);
    return share === undefined ? "" : `${share}% from the cache`;
  };
  const name = () => (workbench.state.models === null ? undefined : currentModel(workbench));
  return (
    <>
      <Show when={use()}>
        {(used) => (
          <span class="status-text chip status-use">
            {[contextWords(used()), costWords(used().cost_usd), cached()]
              .filter((part) => part !== "")
              .join(" · ")}
          </span>
        )}
      </Show>
      <Show when={name()}>
        <span class="status-text chip status-model" title="The model of the agent">
          <span class="ellipsis">{name() === "practice" ? "Practice model" : name()}</span>
        </span>
      </Show>
    </>
  );
}

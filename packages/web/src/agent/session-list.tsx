// All conversations of the folder: found by words of their title, opened, put aside.

import type { sessionSummary } from "@stet/protocol/api/sessions";
import { isFault } from "@stet/protocol/fault";
import ArchiveIcon from "lucide-solid/icons/archive";
import RestoreIcon from "lucide-solid/icons/archive-restore";
import ConversationsIcon from "lucide-solid/icons/messages-square";
import { createEffect, createSignal, createUniqueId, For, on, onCleanup } from "solid-js";
import type * as z from "zod";
import { IconButton } from "../ui/button.tsx";
import { soon } from "../workspace/soon.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import type { Agent } from "./agent.ts";
import { Popover } from "./popover.tsx";
import { timeText } from "./time-text.ts";

type Summary = z.infer<typeof sessionSummary>;

const limit = 100;

export function SessionList(props: { readonly agent: Agent }) {
  return (
    <Popover label="Conversations" side="below" button={<ConversationsIcon size={16} />}>
      {(close) => <Sessions agent={props.agent} onOpen={close} />}
    </Popover>
  );
}

function Sessions(props: { readonly agent: Agent; readonly onOpen: () => void }) {
  const workbench = useWorkbench();
  const field = createUniqueId();
  const [words, setWords] = createSignal("");
  const [showsArchived, setArchived] = createSignal(false);
  const [sessions, setSessions] = createSignal<readonly Summary[]>();
  const load = async () => {
    const query = words().trim();
    const reply = await workbench.client.call("listSessions", { query: { limit, ...(query && { query }) } });
    if (query === words().trim()) setSessions(isFault(reply) ? [] : reply.sessions);
  };
  createEffect(on(words, () => void load()));
  const loadSoon = soon(200, load);
  onCleanup(workbench.feed.on("session.changed", loadSoon));
  const archiving = () => (showsArchived() ? "Take up again" : "Put aside");
  const shown = () => (sessions() ?? []).filter(({ status }) => (status === "archived") === showsArchived());
  const archive = async (session: Summary) => {
    const params = { session_id: session.session_id };
    const archived = session.status !== "archived";
    const done = await workbench.told(
      workbench.client.call("archiveSession", { params, body: { archived } }),
    );
    if (done === undefined) return;
    if (archived && session.session_id === props.agent.state.session) void props.agent.startNew();
    await load();
  };
  return (
    <>
      <label class="unseen" for={field}>
        Find a conversation
      </label>
      <input
        id={field}
        class="field"
        type="search"
        autocomplete="off"
        placeholder="Find a conversation"
        value={words()}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul class="popover-list column" aria-label="Conversations">
        <For
          each={shown()}
          fallback={
            <li class="faint">{sessions() === undefined ? "Loading …" : "No conversation to show."}</li>
          }
        >
          {(session) => (
            <li class="popover-row row">
              <button
                type="button"
                class="popover-choice bare"
                aria-pressed={session.session_id === props.agent.state.session}
                onClick={() => {
                  props.onOpen();
                  void props.agent.open(session.session_id);
                }}
              >
                <span class="popover-choice-words grow">
                  {session.title || "Without a title"}
                  <small>{timeText(session.updated_at, Date.now())}</small>
                </span>
              </button>
              <IconButton
                icon={showsArchived() ? RestoreIcon : ArchiveIcon}
                size={14}
                label={`${archiving()}: ${session.title || "Without a title"}`}
                title={archiving()}
                onPress={() => archive(session)}
              />
            </li>
          )}
        </For>
      </ul>
      <label class="popover-row row">
        <input
          type="checkbox"
          checked={showsArchived()}
          onChange={(event) => setArchived(event.currentTarget.checked)}
        />
        Show those that were put aside
      </label>
    </>
  );
}

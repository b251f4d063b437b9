// All conversations of the folder: found by words of their title, opened, put aside.

import { rootSession } from "@stet/client/agents";
import type { sessionSummary } from "@stet/protocol/api/sessions";
import { isFault } from "@stet/protocol/fault";
import ArchiveIcon from "lucide-solid/icons/archive";
import RestoreIcon from "lucide-solid/icons/archive-restore";
import ConversationsIcon from "lucide-solid/icons/messages-square";
import { createEffect, createSignal, For, on } from "solid-js";
import type * as z from "zod";
import { mayPutAside } from "../agents/put-aside.ts";
import { BareButton, IconButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { reloadOn } from "../workspace/reload.ts";
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
  const [words, setWords] = createSignal("");
  const [showsArchived, setArchived] = createSignal(false);
  const [sessions, setSessions] = createSignal<readonly Summary[]>();
  const load = async () => {
    const query = words().trim();
    const reply = await workbench.client.call("listSessions", { query: { limit, ...(query && { query }) } });
    if (query === words().trim()) setSessions(isFault(reply) ? [] : reply.sessions);
  };
  createEffect(on(words, () => void load()));
  reloadOn(workbench, ["session.changed"], 200, load);
  const shownRoot = () => {
    const { session } = props.agent.state;
    return session === null ? null : rootSession(session);
  };
  const archiving = () => (showsArchived() ? "Take up again" : "Put aside");
  const shown = () => (sessions() ?? []).filter(({ status }) => (status === "archived") === showsArchived());
  const archive = async (session: Summary) => {
    const params = { session_id: session.session_id };
    const archived = session.status !== "archived";
    if (archived && !(await mayPutAside(workbench, session.session_id))) return;
    const done = await workbench.ask("archiveSession", { params, body: { archived } });
    if (done === undefined) return;
    if (archived && session.session_id === shownRoot()) void props.agent.startNew();
    await load();
  };
  return (
    <>
      <Field
        type="search"
        label="Find a conversation"
        placeholder="Find a conversation"
        value={words()}
        onType={setWords}
      />
      <ul class="popover-list unlisted column" aria-label="Conversations">
        <For
          each={shown()}
          fallback={
            <li class="faint">{sessions() === undefined ? "Loading …" : "No conversation to show."}</li>
          }
        >
          {(session) => (
            <li class="popover-row row">
              <BareButton
                class="popover-choice stretched"
                aria-pressed={session.session_id === shownRoot()}
                onPress={() => {
                  props.onOpen();
                  void props.agent.open(session.session_id);
                }}
              >
                <span class="popover-choice-words grow">
                  {session.title || "Without a title"}
                  <small>{timeText(session.updated_at, Date.now())}</small>
                </span>
              </BareButton>
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

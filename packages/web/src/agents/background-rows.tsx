// What goes on between turns: commands and monitors with what they print, timers, and what waits to be told.

import type { BackgroundJob, TimerView, WaitingDelivery } from "@stet/protocol/api/background";
import { deliveryText, deliveryTitle } from "@stet/protocol/delivery-words";
import MonitorIcon from "lucide-solid/icons/eye";
import WaitingIcon from "lucide-solid/icons/mail";
import CommandIcon from "lucide-solid/icons/square-terminal";
import TimerIcon from "lucide-solid/icons/timer";
import RemoveIcon from "lucide-solid/icons/x";
import { createEffect, createMemo, createUniqueId, For, type JSX, onCleanup, Show } from "solid-js";
import { isOpened, toggleOpened } from "../agent/opened.ts";
import { BareButton, Button, IconButton } from "../ui/button.tsx";
import { clock } from "./clock.ts";
import type { SessionWork } from "./session-work.ts";
import { StopButton } from "./stop-button.tsx";
import { clockWords, commandsIn, heldWords, jobWords, untilWords } from "./work-words.ts";

/** Of those that have ended, the newest. */
const maxEnded = 5;
/** How often an open command is read again, in milliseconds. */
const readEvery = 1500;

export function BackgroundRows(props: { readonly work: SessionWork }) {
  const jobs = createMemo(() => {
    const { background } = props.work.state;
    const all = background === null ? [] : commandsIn(background);
    const ended = all.filter(({ status }) => status !== "running");
    const shown = new Set(ended.slice(-maxEnded));
    return all.filter((job) => job.status === "running" || shown.has(job));
  });
  return (
    <>
      <Show when={jobs().length > 0}>
        <ul class="agents-jobs unlisted" aria-label="Commands in the background">
          <For each={jobs()}>{(job) => <JobRow work={props.work} job={job} />}</For>
        </ul>
      </Show>
      <Timers work={props.work} />
    </>
  );
}

/** A row with a text that can be folded out. */
function FoldRow(props: {
  readonly id: string;
  readonly icon: JSX.Element;
  readonly words: string;
  readonly note: string;
  readonly actions: JSX.Element;
  readonly children: JSX.Element;
}) {
  const id = createUniqueId();
  return (
    <li class="agents-job">
      <div class="row">
        <BareButton
          class="agents-open ring-inside hovers stretched bar"
          aria-expanded={isOpened(props.id)}
          aria-controls={id}
          title={props.words}
          onPress={() => toggleOpened(props.id)}
        >
          <span class="agents-icon" aria-hidden="true">
            {props.icon}
          </span>
          <span class="ellipsis grow">{props.words}</span>
          <span class="agents-note quiet">{props.note}</span>
        </BareButton>
        {props.actions}
      </div>
      <div id={id} hidden={!isOpened(props.id)}>
        <Show when={isOpened(props.id)}>{props.children}</Show>
      </div>
    </li>
  );
}

function Output(props: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <pre class="agents-output verbatim" tabIndex={0}>
      <span>{props.text}</span>
    </pre>
  );
}

function JobRow(props: { readonly work: SessionWork; readonly job: BackgroundJob }) {
  const key = () => `background:${props.work.session()}:${props.job.job_id}`;
  const isRunning = () => props.job.status === "running";
  // What a command prints is no event: it is read again while somebody looks at it.
  createEffect(() => {
    if (!isRunning() || !isOpened(key())) return;
    const timer = setInterval(() => void props.work.loadBackground(), readEvery);
    onCleanup(() => clearInterval(timer));
  });
  const owner = () => (props.job.agent === "main" ? "" : `${props.job.agent}, `);
  return (
    <FoldRow
      id={key()}
      icon={
        <Show when={props.job.type === "monitor"} fallback={<CommandIcon size={14} />}>
          <MonitorIcon size={14} />
        </Show>
      }
      words={props.job.label}
      note={`${owner()}${jobWords[props.job.status]}${isRunning() ? "" : `, ${clockWords(props.job.duration_ms)}`}`}
      actions={
        <Show when={isRunning()} fallback={<span class="agents-no-stop" />}>
          <StopButton of={props.job.label} onPress={() => props.work.stop([props.job.job_id])} />
        </Show>
      }
    >
      <Output text={props.job.output.trimEnd() || "It has printed nothing yet."} />
    </FoldRow>
  );
}

function Timers(props: { readonly work: SessionWork }) {
  const timers = () => props.work.state.background?.timers ?? [];
  return (
    <Show when={timers().length > 0}>
      <ul class="agents-jobs unlisted" aria-label="Timers">
        <For each={timers()}>{(timer) => <TimerRow work={props.work} timer={timer} />}</For>
      </ul>
    </Show>
  );
}

function TimerRow(props: { readonly work: SessionWork; readonly timer: TimerView }) {
  return (
    <FoldRow
      id={`timer:${props.timer.timer_id}`}
      icon={<TimerIcon size={14} />}
      words={props.timer.prompt}
      note={`${props.timer.human}, ${untilWords(props.timer.next_at, clock())}`}
      actions={
        <IconButton
          icon={RemoveIcon}
          size={14}
          label={`Remove the timer: ${props.timer.prompt.slice(0, 60)}`}
          title="Remove the timer"
          onPress={() => props.work.stop([props.timer.timer_id])}
        />
      }
    >
      <div class="agents-timer aside">
        <p class="verbatim">{props.timer.prompt}</p>
        <p>
          <code>{props.timer.cron_expression}</code>, next on {new Date(props.timer.next_at).toLocaleString()}
          {props.timer.recurring ? "" : ", once"}
        </p>
      </div>
    </FoldRow>
  );
}

export function WaitingRows(props: { readonly work: SessionWork }) {
  const waiting = () => props.work.state.background?.waiting ?? [];
  return (
    <Show when={waiting().length > 0}>
      <section class="agents-waiting" aria-label="To tell the agent">
        <ul class="agents-jobs unlisted">
          <For each={waiting()}>{(delivery) => <WaitingRow work={props.work} delivery={delivery} />}</For>
        </ul>
        <p class="quiet">{heldWordsOf(props.work)}</p>
        <div class="cluster">
          <Button small class="primary" onPress={() => props.work.deliver()}>
            Tell the agent now
          </Button>
          <Button small onPress={() => props.work.dismiss()}>
            Dismiss {waiting().length === 1 ? "it" : `all ${waiting().length}`}
          </Button>
        </div>
      </section>
    </Show>
  );
}

function heldWordsOf(work: SessionWork): string {
  const { background } = work.state;
  return background === null ? "" : heldWords(background.autonomy, work.isTurnAtWork());
}

function WaitingRow(props: { readonly work: SessionWork; readonly delivery: WaitingDelivery }) {
  const words = () => deliveryTitle(props.delivery);
  return (
    <FoldRow
      id={`waiting:${props.delivery.delivery_id}`}
      icon={<WaitingIcon size={14} />}
      words={words()}
      note=""
      actions={
        <IconButton
          icon={RemoveIcon}
          size={14}
          label={`Dismiss: ${words()}`}
          title="Dismiss: the agent is not told"
          onPress={() => props.work.dismiss([props.delivery.delivery_id])}
        />
      }
    >
      <Output text={deliveryText(props.delivery)} />
    </FoldRow>
  );
}

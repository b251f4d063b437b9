// What a panel of the terminal uses, over a real host with a played model: its API in this process, a screen of any size
// without colours, and the workspace's events.

import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { App } from "@stet/cli/interactive/app";
import { defaultKeyBindings, type KeyBindings } from "@stet/cli/interactive/keys/bindings";
import { fixedTheme } from "@stet/cli/interactive/theme/fixed-theme";
import type { Theme } from "@stet/cli/interactive/theme/theme";
import { type Api, type CallableRoute, directClient } from "@stet/client/direct";
import { followDirect } from "@stet/client/follow-direct";
import type { LogEvent } from "@stet/protocol/events/log-event";
import type { Model } from "@stet/protocol/model-stream";
import type { InputComponent } from "@stet/tui/component";
import type { KeyInput } from "@stet/tui/input/input";
import { stripAnsi } from "@stet/tui/text/ansi";
import { modelOf } from "./model-of.ts";
import { TestService } from "./test-service.ts";
import { must, TestWorkspace } from "./workspace.ts";

export interface PanelOptions {
  readonly model?: Model;
  readonly columns?: number;
  readonly rows?: number;
  /** What the person's own editor makes of a text. */
  readonly edits?: (text: string) => string;
}

export interface PanelFixture {
  readonly place: TestWorkspace;
  readonly service: TestService;
  readonly api: Api<CallableRoute>;
  readonly keys: KeyBindings;
  readonly theme: Theme;
  readonly follow: App["follow"];
  readonly screen: { columns: number; rows: number };
  requestRender(): void;
  onEvent(listener: (event: LogEvent) => void): () => void;
  editText(text: string, name: string): Promise<string>;
}

export async function openPanelFixture(
  t: TestContext,
  files: Record<string, string>,
  options: PanelOptions = {},
): Promise<PanelFixture> {
  const { model = modelOf([]), columns = 80, rows = 24, edits = (text: string) => text } = options;
  const place = new TestWorkspace(t, files);
  const service = await TestService.open(t, place, model);
  const { operations } = service.service;
  const listeners = new Set<(event: LogEvent) => void>();
  const caller = { signal: new AbortController().signal, lastEventId: undefined };
  const start = must(await operations.streamWorkspaceEvents({ params: {}, query: {}, body: {} }, caller));
  const stop = await start({
    send: (events) => {
      for (const { data } of events) for (const listener of listeners) listener(data as LogEvent);
    },
    end: () => {},
  });
  t.after(stop);
  return {
    place,
    service,
    api: directClient(operations),
    keys: defaultKeyBindings(),
    theme: fixedTheme({ colours: "none", isPlain: true }),
    screen: { columns, rows },
    follow({ job, cursor, signal: until }) {
      const none = { params: {}, query: {}, body: {} };
      const from = { signal: until, lastEventId: cursor };
      const starting =
        job === undefined
          ? operations.streamWorkspaceEvents(none, from)
          : operations.streamJobEvents({ ...none, params: { job_id: job } }, from);
      return followDirect(starting, until);
    },
    requestRender: () => {},
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    editText: async (text) => edits(text),
  };
}

/** A key as the terminal tells it: a character that is typed, or a key by its id. */
export function keyOf(key: string): KeyInput {
  const isTyped = [...key].length === 1;
  const small = key.toLowerCase();
  const id = key === " " ? "space" : isTyped && small !== key ? `shift+${small}` : key;
  return { kind: "key", id, text: isTyped ? key : undefined, isRelease: false };
}

/** On a busy machine; milliseconds. */
const patience = 30_000;

/** Waits until this is so, or fails. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  const end = performance.now() + patience;
  for (let tries = 0; performance.now() < end; tries += 1) {
    if (isSo()) return;
    await setImmediate();
    if (tries % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`it did not come: ${what}`);
}

/** What a person reads on a panel. */
export function rowsOf(panel: InputComponent, { screen }: Pick<PanelFixture, "screen">): string[] {
  return panel.render(screen.columns).map((row) => stripAnsi(row).trimEnd());
}

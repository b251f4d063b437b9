// The interactive mode as commands and panels use it, over a real host with a played model: panels are driven by keys and read
// as rows, other dialogs are answered by a script.

import type { TestContext } from "node:test";
import type { App, Choice, Conversation } from "@stet/cli/interactive/app";
import { SessionBackground } from "@stet/cli/interactive/background/session-background";
import { loadConfiguration } from "@stet/host/settings/configuration";
import type { InputComponent } from "@stet/tui/component";
import { stripAnsi } from "@stet/tui/text/ansi";
import {
  keyOf,
  openPanelFixture,
  type PanelFixture,
  type PanelOptions,
  rowsOf,
  until,
} from "./panel-fixture.ts";
import { must } from "./workspace.ts";

export interface PanelAppOptions extends PanelOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** One for each list and line: the start of the label to choose, a text, or undefined for Esc. */
  readonly answers?: readonly (string | undefined)[];
}

export interface PanelApp {
  readonly app: App;
  readonly fixture: PanelFixture;
  /** The session that is open. */
  session: string;
  readonly said: string[];
  /** Lists, questions and pages, with their rows. */
  readonly shown: string[];
  /** Sessions that were opened, with what stands in the prompt then. */
  readonly opened: { readonly id: string | undefined; readonly prefill: string | undefined }[];
  readonly answers: (string | undefined)[];
  /** What a person sees of the panel that is open; empty where none is. */
  screen(): string;
  /** Keys for the panel that is open, or opens soon. */
  press(...keys: string[]): Promise<string>;
  sees(pattern: RegExp): Promise<void>;
}

export async function openPanelApp(
  t: TestContext,
  files: Record<string, string>,
  options: PanelAppOptions = {},
): Promise<PanelApp> {
  const fixture = await openPanelFixture(t, files, options);
  const { root, folder } = fixture.place;
  const environment = { XDG_CONFIG_HOME: folder };
  const configured = must(loadConfiguration({ folder: root, environment, isTrusted: false })).settings;
  const panels: InputComponent[] = [];
  const answers = [...(options.answers ?? [])];
  let prompt = "";
  const next = (title: string, rows: readonly string[]) => {
    shown.push([title, ...rows].join("\n"));
    return answers.shift();
  };
  const shown: string[] = [];
  const said: string[] = [];
  const opened: { id: string | undefined; prefill: string | undefined }[] = [];
  const background = new SessionBackground({ api: fixture.api, session: () => state.session });
  t.after(() => background.close());
  t.after(fixture.onEvent((event) => background.hear(event)));
  const app: App = {
    ...fixture,
    folder: root,
    root,
    environment,
    settings: { ...configured, ...options.settings },
    get conversation() {
      return conversationOf(state.session);
    },
    background,
    prompt: {
      get text() {
        return prompt;
      },
      setText(text) {
        prompt = text;
      },
    },
    dialogs: {
      async choose<Value>({ title, choices }: { title: string; choices: readonly Choice<Value>[] }) {
        const rows = choices.map(({ label, detail = "" }) => `${label}  ${detail}`.trim());
        const answer = next(title, rows);
        const found = answer && choices.find(({ label }) => label.startsWith(answer));
        if (answer && !found) throw new Error(`"${answer}" is not among:\n${rows.join("\n")}`);
        return found ? found.value : undefined;
      },
      ask: async ({ title }) => next(title, []),
      confirm: async (question) => next(question, []) === "yes",
      async page(title, content) {
        shown.push([title, ...content.render(fixture.screen.columns).map(stripAnsi)].join("\n"));
      },
      panel: (make) =>
        new Promise((resolve) => {
          const panel = make(() => {
            panels.splice(panels.indexOf(panel), 1);
            resolve();
          });
          panel.isFocused = true;
          panels.push(panel);
        }),
    },
    copy: async () => true,
    tell: (text, kind = "info") => said.push(`${kind}: ${text}`),
    tellFault: ({ message, suggestion }) => said.push(`error: ${message} ${suggestion}`.trim()),
    reloadSettings: async () => {},
    async openSession(id, prefill) {
      opened.push({ id, prefill });
      state.session = id ?? "";
    },
    quit: async () => {},
  };
  const screen = () => {
    const panel = panels.at(-1);
    return panel === undefined ? "" : rowsOf(panel, fixture).join("\n");
  };
  const isBusy = () => {
    const panel = panels.at(-1);
    return panel !== undefined && "isBusy" in panel && panel.isBusy === true;
  };
  const state: PanelApp = {
    app,
    fixture,
    session: "",
    said,
    shown,
    opened,
    answers,
    screen,
    async press(...keys) {
      for (const key of keys) {
        await until(() => panels.length > 0 && !isBusy(), `a panel for ${key}`);
        screen();
        panels.at(-1)?.handleInput(keyOf(key));
        await until(() => !isBusy(), `what ${key} does`);
      }
      return screen();
    },
    sees: (pattern) => until(() => pattern.test(screen()), `${pattern} in\n${screen()}`),
  };
  return state;
}

function conversationOf(id: string): Conversation {
  const nothing = async () => undefined;
  return {
    id,
    title: "",
    items: [],
    turn: undefined,
    runningJob: undefined,
    use: undefined,
    choices: {},
    defaultToolset: undefined,
    ensure: async () => id,
    choose: nothing,
    send: nothing,
    cancel: nothing,
    answer: nothing,
    withdraw: nothing,
    refresh: nothing,
    onChange: () => () => {},
  };
}

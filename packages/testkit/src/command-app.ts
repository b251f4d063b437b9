// What a command of the prompt uses, over a real host in this process: its dialogs are answered by a script, and what it says
// and shows is kept.

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { TestContext } from "node:test";
import type { App, Choice } from "@stet/cli/interactive/app";
import { SessionBackground } from "@stet/cli/interactive/background/session-background";
import { Connection } from "@stet/cli/interactive/connection/connection";
import { OpenConversation } from "@stet/cli/interactive/connection/conversation";
import { defaultKeyBindings } from "@stet/cli/interactive/keys/bindings";
import { fixedTheme } from "@stet/cli/interactive/theme/fixed-theme";
import { loadConfiguration, userConfigFile } from "@stet/host/settings/configuration";
import { stripAnsi } from "@stet/tui/text/ansi";
import { StetProject } from "./stet-project.ts";
import { must } from "./workspace.ts";

export interface CommandAppOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Of the person's own configuration file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: NodeJS.ProcessEnv;
  /** One for each dialog: the start of the label to choose, a text, or undefined for Esc. */
  readonly answers?: readonly (string | undefined)[];
  readonly columns?: number;
  /** What the person's editor makes of a text. */
  readonly edit?: (text: string) => string;
}

export interface CommandApp {
  readonly app: App;
  readonly project: StetProject;
  /** `error: There is no …` */
  readonly said: string[];
  /** Titles of dialogs and pages, with the rows below each. */
  /** What was put onto the clipboard. */
  readonly copied: readonly string[];
  readonly shown: { readonly title: string; readonly rows: readonly string[] }[];
}

export async function openCommandApp(t: TestContext, options: CommandAppOptions = {}): Promise<CommandApp> {
  const { files = {}, settings = {}, columns = 80 } = options;
  const project = new StetProject(t, files);
  const environment = { ...project.environment, STET_MODEL: "practice", ...options.environment };
  const file = userConfigFile(environment);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings));
  const root = realpathSync(project.folder);
  const onFault = () => {};
  const connection = must(await Connection.open({ root, environment, onFault, onReplaced: () => {} }));
  t.after(() => connection.close());
  const conversation = new OpenConversation({ connection });
  const said: string[] = [];
  const shown: { title: string; rows: readonly string[] }[] = [];
  const copied: string[] = [];
  const answers = [...(options.answers ?? [])];
  const read = () => must(loadConfiguration({ folder: root, environment, isTrusted: false })).settings;
  let current = read();
  let text = "";
  const next = (title: string, rows: readonly string[]) => {
    shown.push({ title, rows });
    return answers.shift();
  };
  const app: App = {
    api: connection.api,
    folder: root,
    root,
    environment,
    get settings() {
      return current;
    },
    keys: defaultKeyBindings(),
    theme: fixedTheme({ colours: "none", isPlain: true }),
    conversation,
    background: new SessionBackground({ api: connection.api, session: () => conversation.id }),
    follow: (given) => connection.follow(given),
    prompt: {
      get text() {
        return text;
      },
      setText: (given) => {
        text = given;
      },
    },
    dialogs: {
      async choose<Value>({ title, choices }: { title: string; choices: readonly Choice<Value>[] }) {
        const rows = choices.map(({ label, detail = "" }) => `${label}  ${detail}`.trim());
        const answer = next(title, rows);
        if (answer === undefined) return undefined;
        const found =
          choices.find(({ label }) => label === answer) ??
          choices.find(({ label }) => label.startsWith(answer));
        if (found === undefined) throw new Error(`"${answer}" is not among:\n${rows.join("\n")}`);
        return found.value;
      },
      ask: async ({ title, text: before = "" }) => next(title, [before]),
      confirm: async (question) => next(question, []) === "yes",
      async page(title, content) {
        shown.push({ title, rows: content.render(columns).map(stripAnsi) });
      },
      async panel(make) {
        const panel = make(() => {});
        shown.push({ title: "panel", rows: panel.render(columns).map(stripAnsi) });
      },
    },
    screen: { columns, rows: 24 },
    onEvent: () => () => {},
    editText: async (given) => options.edit?.(given) ?? given,
    copy: async (given) => {
      copied.push(given);
      return true;
    },
    tell: (line, kind = "info") => said.push(`${kind}: ${line}`),
    tellFault: ({ message, suggestion }) => said.push(`error: ${message} ${suggestion}`.trim()),
    requestRender: () => {},
    async reloadSettings() {
      current = read();
    },
    openSession: async () => {},
    quit: async () => {
      said.push("quit");
    },
  };
  return { app, project, said, shown, copied };
}

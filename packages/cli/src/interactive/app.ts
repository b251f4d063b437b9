// What the parts of the interactive mode may use of each other: the API of the folder, the conversation that is open, the
// prompt, dialogs, and the theme. Commands and panels depend on this file and not on how the screen is put together.

import type { Api, CallableRoute } from "@stet/client/direct";
import type { TurnView } from "@stet/client/fold";
import type { Item } from "@stet/client/items";
import type { Settings } from "@stet/host/settings/configuration";
import type { SessionUse } from "@stet/protocol/api/sessions";
import type { LogEvent } from "@stet/protocol/events/log-event";
import type { Fault } from "@stet/protocol/fault";
import type { Component, InputComponent } from "@stet/tui/component";
import type { SessionBackground } from "./background/session-background.ts";
import type { Connection } from "./connection/connection.ts";
import type { KeyBindings } from "./keys/bindings.ts";
import type { Theme } from "./theme/theme.ts";

export interface App {
  /** Every route: of the host in this process, or of the server that serves the folder. */
  readonly api: Api<CallableRoute>;
  /** Where the person stands, and the root of the workspace. */
  readonly folder: string;
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: Settings;
  readonly theme: Theme;
  readonly conversation: Conversation;
  /** What goes on in the session that is open beside its turn. */
  readonly background: SessionBackground;
  readonly prompt: Prompt;
  readonly dialogs: Dialogs;
  /** The keys that are in force. */
  readonly keys: KeyBindings;
  /** How many cells there are now. */
  readonly screen: { readonly columns: number; readonly rows: number };
  /** Events of the workspace's log as they happen, whoever caused them. Returns what ends it. */
  onEvent(listener: (event: LogEvent) => void): () => void;
  /** Events of one job, or of the workspace, from a position on. */
  readonly follow: Connection["follow"];
  /** Opens the text in the person's own editor ($VISUAL, $EDITOR), as a file whose name ends like this one. */
  editText(text: string, name: string): Promise<string | Fault>;
  /** Puts text onto the clipboard; false where nothing could take it. */
  copy(text: string): Promise<boolean>;
  /** Says something below the conversation: it is no part of it. Text of others is made visible by the caller. */
  tell(text: string, kind?: "info" | "warning" | "error"): void;
  tellFault(fault: Fault): void;
  requestRender(): void;
  /** Reads the settings again, after they were changed. */
  reloadSettings(): Promise<void>;
  /** Another session, or a new one, takes the place of the one that is open; the screen is painted anew. */
  openSession(id: string | undefined, prefill?: string): Promise<void>;
  quit(): Promise<void>;
}

/** What was chosen in a session; the rest is as configured. */
export interface Choices {
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly toolset?: string | undefined;
  readonly permission?: string | undefined;
}

/** A picture that belongs to a message. */
export interface SentImage {
  /** Base64. */
  readonly data: string;
  readonly mime_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
}

export interface SendOptions {
  /** While a turn runs: heard after the running tool, which is the default, or when the turn is done. */
  readonly mode?: "steer" | "follow_up";
  /** Only with a message that begins a turn. */
  readonly images?: readonly SentImage[];
}

/** The session that is open. Changes are events, from whichever front end they come. */
export interface Conversation {
  /** Empty until something is said or chosen in a new one; `ensure` makes it. */
  readonly id: string;
  readonly title: string;
  /** All that a person sees of it: what the session holds, and the turn that runs. */
  readonly items: readonly Item[];
  readonly turn: TurnView | undefined;
  readonly runningJob: string | undefined;
  readonly use: SessionUse | undefined;
  readonly choices: Choices;
  /** The toolset where none was chosen, by the kind of folder; undefined where the configuration names one. */
  readonly defaultToolset: string | undefined;
  /** The id of the session, which is created where there is none yet. */
  ensure(): Promise<string | Fault>;
  /** Chooses what the next turn goes on with; kept in the session. */
  choose(choices: Choices): Promise<Fault | undefined>;
  /** Begins a turn, or queues the text where one runs. */
  send(text: string, options?: SendOptions): Promise<Fault | undefined>;
  /** Stops the turn that runs. */
  cancel(): Promise<Fault | undefined>;
  answer(questionId: string, answer: string): Promise<Fault | undefined>;
  /** Takes a message back that the agent has not heard yet. */
  withdraw(messageId: string): Promise<Fault | undefined>;
  /** Reads the session again, after something was done to it that its events do not tell. */
  refresh(): Promise<void>;
  /** Called after each change; returns what ends that. */
  onChange(listener: () => void): () => void;
}

/** The editor at the bottom. */
export interface Prompt {
  readonly text: string;
  setText(text: string): void;
}

export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  /** Beside the label, dim. */
  readonly detail?: string;
  /** What a search looks through beside the label. */
  readonly words?: string;
}

export interface ChoiceQuestion<Value> {
  readonly title: string;
  readonly choices: readonly Choice<Value>[];
  readonly selected?: number;
  /** Below the list: which keys do what. */
  readonly hint?: string;
  /** What another key does with the selected row, and the rows after that; undefined where it is none of its keys. */
  readonly onKey?: (key: string, value: Value) => Promise<readonly Choice<Value>[]> | undefined;
}

/** Questions of ours to the person. Undefined is Esc. */
export interface Dialogs {
  choose<Value>(question: ChoiceQuestion<Value>): Promise<Value | undefined>;
  /** Whether nothing is drawn over, so that there are no panels. */
  readonly isLinear?: boolean;
  /** `isSecret`: what is typed is not shown, and kept nowhere. */
  ask(question: {
    readonly title: string;
    readonly text?: string;
    readonly isSecret?: boolean;
  }): Promise<string | undefined>;
  confirm(question: string): Promise<boolean>;
  /** Rows to scroll through, over the whole screen; committed blocks are expanded like this. */
  page(title: string, content: Component): Promise<void>;
  /**
   * A panel of one's own in place of the prompt, or over the whole screen, which it fills with `screen.rows` rows; `close`
   * takes it away. Other dialogs may open above it.
   */
  panel(
    make: (close: () => void) => InputComponent,
    options?: { readonly over?: "prompt" | "screen" },
  ): Promise<void>;
}

/** A command of the prompt, as /help lists it. */
export interface SlashCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What follows it. */
  readonly arguments?: string;
  readonly help: string;
  /** Whether it may be used while a turn runs. */
  readonly whileBusy?: boolean;
  /** What the word that is being typed may become. */
  complete?(word: string, app: App): Promise<readonly string[]>;
  run(argument: string, app: App): Promise<void>;
}

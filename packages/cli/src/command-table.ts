// Every command with its verbs and options. Parsing, `--help`, completions and "did you mean" are made from this table, so
// what is added here is known everywhere. It imports names only: `--help` must not load what the commands
// need.

import { toolsetNames } from "@stet/protocol/toolset";

/** An option as `parseArgs` takes it, with what people read. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  readonly default?: string | boolean;
  /** What the value is called in help; FILE and DIR are also completed as such. */
  readonly value?: string;
  /** The only values that there are. */
  readonly choices?: readonly string[];
  /** A whole number from here on. */
  readonly atLeast?: number;
  /** Stands for the value where none is given; the next word is then never taken for it if it begins with "-". */
  readonly bare?: string;
  readonly help: string;
}

export interface Verb {
  /** What follows it. */
  readonly arguments?: string;
  readonly help: string;
}

export interface CommandEntry {
  /** What follows the name, where there are no verbs. */
  readonly arguments?: string;
  readonly help: string;
  /** The first is what the command does without one. */
  readonly verbs?: Readonly<Record<string, Verb>>;
  readonly options: Readonly<Record<string, Option>>;
  /** A first word that is no verb belongs to what the command does without one. */
  readonly takesOtherWords?: boolean;
  /** It does nothing without a verb. */
  readonly isVerbNeeded?: boolean;
  /** No words may follow. */
  readonly takesNoWords?: boolean;
}

const json = { type: "boolean", default: false, help: "for programs" } as const;

/** Options of every command; they may stand before its name. */
export const globalOptions = {
  folder: { type: "string", short: "C", value: "DIR", help: "work in another folder" },
  help: { type: "boolean", short: "h", default: false, help: "this; also of a command: stet COMMAND --help" },
  version: { type: "boolean", short: "v", default: false, help: "which version this is" },
} as const satisfies Record<string, Option>;

/** What a turn takes: `stet -p "…"`. */
export const turnEntry = {
  arguments: '[-p] ["what to do"] [@file …]',
  help: "An agent edits the files of this folder; you review every change. Without -p: a conversation.",
  options: {
    print: {
      type: "boolean",
      short: "p",
      default: false,
      help: "run one turn and print the answer; text from standard input is added",
    },
    mode: {
      type: "string",
      default: "text",
      choices: ["text", "json"],
      value: "MODE",
      help: "text (default) or json: one event a line",
    },
    model: { type: "string", value: "NAME", help: "provider/name, openai-compatible/NAME, or practice" },
    thinking: {
      type: "string",
      choices: ["off", "minimal", "low", "medium", "high", "xhigh"],
      value: "LEVEL",
      help: "how much the model thinks first: off, minimal, low, medium, high, xhigh",
    },
    "service-tier": {
      type: "string",
      value: "TIER",
      help: "how fast and at what price it answers: flex, priority, …",
    },
    toolset: {
      type: "string",
      choices: toolsetNames,
      value: "NAME",
      help: "project (default), tabs (long documents), paper (the one in front), or code",
    },
    tab: {
      type: "string",
      multiple: true,
      value: "FILE",
      help: "open a file in a tab, in front; for the toolsets tabs and paper",
    },
    review: {
      type: "string",
      choices: ["hunk", "turn", "none"],
      value: "HOW",
      help: "hunk (default), turn, or none: accept and save at once",
    },
    permission: {
      type: "string",
      choices: ["plan", "ask", "auto-edit", "full"],
      value: "MODE",
      help: "what toolset code may do unasked: plan, ask (default), auto-edit, full",
    },
    "max-cost": { type: "string", value: "USD", help: "stop before the next request beyond it" },
    background: {
      type: "string",
      default: "end",
      choices: ["end", "wait"],
      value: "HOW",
      help: "with -p, what still runs at the end: end it (default), or wait for it",
    },
    continue: { type: "boolean", short: "c", default: false, help: "go on with the latest session here" },
    resume: {
      type: "string",
      short: "r",
      value: "[ID]",
      bare: "",
      help: "go on with a session by the start of its id",
    },
    linear: {
      type: "boolean",
      default: false,
      help: "for screen readers: lines are only added, nothing is drawn over",
    },
    "no-session": { type: "boolean", default: false, help: "remember nothing of the conversation" },
    trust: {
      type: "boolean",
      default: false,
      help: "let the folder's .stet/config.json choose tools and limits, this once",
    },
  },
} as const satisfies CommandEntry;

export const commandTable = {
  tabs: {
    help: "which documents are open",
    verbs: {
      list: { help: "which are open (default)" },
      open: { arguments: "FILE …", help: "the last one is in front" },
      close: { arguments: "ID …", help: "what was not saved is kept" },
      front: { arguments: "ID", help: "the one that is meant where no tab is named" },
    },
    options: { json },
  },
  search: {
    arguments: "QUERY",
    help: "find by meaning, in this folder or in --file FILE",
    options: {
      file: { type: "string", value: "FILE", help: "only in this file" },
      glob: { type: "string", value: "GLOB", help: "only in files like these: --glob 'notes/**'" },
      limit: { type: "string", value: "N", default: "5", atLeast: 1, help: "how many places (5)" },
      json,
    },
  },
  review: {
    help: "what waits for a decision",
    verbs: {
      list: { help: "the files and their hunks (default)" },
      show: { arguments: "[HUNK or FILE]", help: "the hunks themselves" },
      accept: { arguments: "HUNK …", help: "or --file FILE, --turn TURN, --all" },
      reject: { arguments: "HUNK …", help: "or --file FILE, --turn TURN, --all" },
      undo: { arguments: "[HUNK …]", help: "the latest decision, or those named" },
      step: { help: "one after another, by single keys; ? tells which" },
      resolve: { arguments: "FILE", help: "a conflict with the file on disk: --keep, --reload or --both" },
    },
    options: {
      keep: { type: "boolean", default: false, help: "resolve: the text here, saved over the file's" },
      reload: {
        type: "boolean",
        default: false,
        help: "resolve: the file's, instead of what is unsaved or open",
      },
      both: { type: "boolean", default: false, help: "resolve: where they differ, the lines of both, saved" },
      file: { type: "string", value: "FILE", help: "everything in this file" },
      turn: { type: "string", value: "TURN", help: "everything of this turn" },
      also: {
        type: "string",
        value: "TURN",
        multiple: true,
        help: "a turn to decide along where its changes cannot be told from those of --turn",
      },
      all: { type: "boolean", default: false, help: "everything" },
      during: {
        type: "boolean",
        default: false,
        help: "with reject --all: also what was changed during a turn, maybe by somebody else",
      },
      json,
    },
  },
  checkpoints: {
    arguments: "[ID]",
    help: "the turns so far",
    options: {
      limit: { type: "string", value: "N", default: "20", atLeast: 1, help: "how many (20)" },
      json,
    },
  },
  rollback: {
    arguments: "ID [HUNK …]",
    help: "back to before a turn, or only some of its hunks",
    options: {
      "dry-run": { type: "boolean", default: false, help: "only say what would be taken back" },
      yes: { type: "boolean", default: false, help: "do not ask; needed where nobody can be asked" },
    },
  },
  sessions: {
    help: "conversations",
    verbs: {
      list: { help: "the newest of this folder, or of --all (default)" },
      show: { arguments: "ID", help: "as a tree" },
      export: { arguments: "ID [FILE]", help: "as Markdown, .html, or .jsonl, which can be imported" },
      import: { arguments: "FILE", help: "a copy of a session file, here" },
      fork: { arguments: "ID", help: "a copy here, also of another folder's session" },
      branch: { arguments: "ID ENTRY", help: "a new session with what led to an entry (see show)" },
      compact: { arguments: "[ID]", help: "replace what is older by a summary; the latest unless named" },
      rename: { arguments: "ID TITLE", help: "another title" },
      remove: { arguments: "ID", help: "for good" },
      prompts: { arguments: "[WORDS]", help: "what you have asked before" },
    },
    options: {
      all: { type: "boolean", default: false, help: "of every folder" },
      limit: { type: "string", value: "N", atLeast: 1, help: "how many (20)" },
      json,
    },
  },
  agents: { help: "who can be sent to work, and from which file", takesNoWords: true, options: { json } },
  jobs: {
    help: "what runs in the background of sessions",
    verbs: {
      list: { help: "what runs, by session (default)" },
      stop: { arguments: "ID …", help: "end these: commands, monitors, agents, timers; or --all" },
    },
    options: {
      session: { type: "string", value: "ID", help: "only of the session whose id begins so" },
      all: { type: "boolean", default: false, help: "stop: everything" },
      json,
    },
  },
  login: {
    arguments: "[PROVIDER]",
    help: "connect a provider of models, by its key or address",
    options: {
      address: {
        type: "string",
        value: "URL",
        help: "where it is asked; a new name is a server of your own",
      },
      option: {
        type: "string",
        multiple: true,
        value: "NAME=VALUE",
        help: "what else it takes: --option region=eu-central-1",
      },
      add: { type: "boolean", default: false, help: "another key beside those it has; they take turns" },
      device: { type: "boolean", default: false, help: "by a code that you type on its page" },
      model: { type: "string", value: "NAME", help: "answers from now on" },
    },
  },
  logout: {
    arguments: "[PROVIDER]",
    help: "forget its keys that were kept here",
    options: { key: { type: "string", value: "ID", help: "only this one" } },
  },
  models: {
    help: "who answers, what can be used, and what is missing",
    takesOtherWords: true,
    verbs: {
      list: {
        arguments: "[WORDS]",
        help: "those in which all words occur (default; the verb may be left out)",
      },
      use: { arguments: "NAME", help: "answers from now on" },
      test: { arguments: "NAME", help: "sends one very short request" },
      favourite: { arguments: "NAME", help: "stands first from now on" },
      unfavourite: { arguments: "NAME", help: "no longer" },
    },
    options: {
      ready: { type: "boolean", default: false, help: "only what can be used now" },
      all: { type: "boolean", default: false, help: "every model, also of providers that are not connected" },
      json,
    },
  },
  config: { help: "every setting and where it came from", takesNoWords: true, options: { json } },
  trust: {
    help: "trust this folder (--off to stop)",
    takesNoWords: true,
    options: { off: { type: "boolean", default: false, help: "trust it no longer" } },
  },
  permissions: {
    help: "what toolset code was allowed here for good",
    verbs: {
      list: { help: "the rules, with their numbers (default)" },
      remove: { arguments: "NUMBER …", help: "take some back" },
    },
    options: {},
  },
  serve: {
    help: "the workspace in your browser",
    takesNoWords: true,
    options: {
      root: { type: "string", value: "DIR", help: "the folder to serve" },
      sample: {
        type: "boolean",
        default: false,
        help: "a copy of the sample project, to try things on",
      },
      fresh: { type: "boolean", default: false, help: "with --sample: a new copy" },
      open: { type: "boolean", default: false, help: "open a browser, too" },
      port: { type: "string", value: "N", atLeast: 0, help: "7878 unless it is taken; 0 is any" },
      host: { type: "string", value: "ADDRESS", default: "127.0.0.1", help: "for other machines" },
      name: { type: "string", value: "NAME", multiple: true, help: "what other machines call this one" },
      "tls-cert": { type: "string", value: "FILE", help: "certificate for other machines" },
      "tls-key": { type: "string", value: "FILE", help: "and its key" },
      "allow-unencrypted-network": {
        type: "boolean",
        default: false,
        help: "other machines without encryption",
      },
      store: { type: "string", value: "URL", help: "shared through PostgreSQL: postgres://…" },
      json,
    },
  },
  work: {
    help: "carry out the jobs of folders shared through PostgreSQL",
    takesNoWords: true,
    options: {
      store: { type: "string", value: "URL", help: "postgres://user@host/database, or STET_STORE" },
      root: { type: "string", value: "DIR", multiple: true, help: "the folder, or several" },
      concurrency: { type: "string", value: "N", default: "4", atLeast: 1, help: "jobs at a time (4)" },
      retries: { type: "string", value: "N", default: "1", atLeast: 0, help: "for a job that fails (1)" },
    },
  },
  doctor: {
    help: "whether everything works here",
    takesNoWords: true,
    options: {
      json,
      repair: {
        type: "boolean",
        default: false,
        help: "mends damaged files of Stet's own, and keeps what was there",
      },
    },
  },
  completions: {
    help: "completion for a shell",
    isVerbNeeded: true,
    verbs: {
      bash: { help: "source <(stet completions bash)" },
      zsh: { help: "source <(stet completions zsh)" },
      fish: { help: "stet completions fish | source" },
    },
    options: {},
  },
} as const satisfies Record<string, CommandEntry>;

export type CommandTable = typeof commandTable;
export type CommandName = keyof CommandTable;

export function isCommandName(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commandTable, word);
}

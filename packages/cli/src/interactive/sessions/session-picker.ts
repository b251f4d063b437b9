// Sessions to go on with, in place of the prompt: of this folder, or of all (Tab). Typing searches, in this order: sessions whose
// title, first message, folder, id or path has every word as it was typed; those in which it was said, as soon as the API has
// looked; those that only have its letters in their order, as any long path has by chance.

import type { Api } from "@stet/client/direct";
import type { FoundSession } from "@stet/protocol/api/session-files";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visible, visibleName } from "@stet/protocol/visible";
import { timeAgo } from "@stet/session/session-listing";
import type { InputComponent } from "@stet/tui/component";
import { fuzzyFilter } from "@stet/tui/components/fuzzy";
import { OneLine } from "@stet/tui/components/one-line";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import type { App } from "../app.ts";
import { bothEnds, hintRow, ruleRow } from "../screen/panel-rows.ts";
import { cleanLine } from "../transcript/rows.ts";

export type PickerParts = Pick<App, "keys" | "theme" | "screen" | "requestRender"> & {
  readonly api: Api<"findSessions">;
};

export interface PickerOptions {
  /** The session that is open. */
  readonly current: string;
  /** Undefined where none was chosen. */
  readonly done: (session: FoundSession | undefined) => void;
}

const mostSessions = 1000;
const leastRows = 5;
/** What was said is looked for when nothing was typed for so long. */
const searchAfterMs = 150;

const hints = [
  { key: "enter", help: "go on with it" },
  { key: "tab", help: "all folders" },
  { key: "esc", help: "close" },
];

export class SessionPicker implements InputComponent {
  isFocused = false;
  readonly #parts: PickerParts;
  readonly #options: PickerOptions;
  readonly #search = new OneLine();
  #folders: "here" | "all" = "here";
  #all: readonly FoundSession[] = [];
  /** What the API found for the words that are typed. */
  #said: readonly FoundSession[] = [];
  #selected = 0;
  #fault: Fault | undefined;
  /** The newest request of each kind; the reply to an older one is dropped. */
  readonly #newest = { list: 0, search: 0 };
  /** Requests that are under way. */
  #reading = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: PickerParts, options: PickerOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#search.actionOf = parts.keys.editing;
    void this.#load("list");
  }

  /** Whether something is being read or will be. */
  get isBusy(): boolean {
    return this.#reading > 0 || this.#timer !== undefined;
  }

  async #load(kind: "list" | "search"): Promise<void> {
    const words = kind === "list" ? "" : this.#search.text.trim();
    this.#newest[kind] += 1;
    const own = this.#newest[kind];
    this.#reading += 1;
    const query = { folders: this.#folders, limit: mostSessions, ...(words === "" ? {} : { query: words }) };
    const reply = await this.#parts.api.call("findSessions", { query });
    this.#reading -= 1;
    if (own !== this.#newest[kind]) return;
    this.#fault = isFault(reply) ? reply : undefined;
    if (!isFault(reply)) this.#take(kind, reply.sessions);
    this.#parts.requestRender();
  }

  /** A session that was chosen with a key stays chosen where others come above it. */
  #take(kind: "list" | "search", sessions: readonly FoundSession[]): void {
    const chosen = this.#selected === 0 ? undefined : this.#found()[this.#selected]?.session_id;
    if (kind === "list") this.#all = sessions;
    else this.#said = sessions;
    const at = this.#found().findIndex(({ session_id: id }) => id === chosen);
    if (at !== -1) this.#selected = at;
  }

  #found(): FoundSession[] {
    const words = this.#search.text.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = fuzzyFilter(this.#all, this.#search.text, wordsOf);
    if (words.length === 0) return fitting;
    const { literal = [], scattered = [] } = Object.groupBy(fitting, (session) => {
      const text = wordsOf(session).toLowerCase();
      return words.every((word) => text.includes(word)) ? "literal" : "scattered";
    });
    const inOrder = [...literal, ...this.#said, ...scattered];
    return [...new Map(inOrder.map((session) => [session.session_id, session])).values()];
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.isRelease) return false;
    const found = this.#found();
    const action = input.kind === "key" ? this.#parts.keys.actionOf.list(input.id) : undefined;
    const count = Math.max(1, found.length);
    const page = this.#listRows();
    const moves: Readonly<Record<string, number>> = {
      "list.up": (this.#selected - 1 + count) % count,
      "list.down": (this.#selected + 1) % count,
      "list.pageUp": Math.max(0, this.#selected - page),
      "list.pageDown": Math.min(count - 1, this.#selected + page),
      "list.first": 0,
      "list.last": count - 1,
    };
    const next = action === undefined ? undefined : moves[action];
    if (next !== undefined) this.#selected = next;
    else if (action === "list.accept") this.#choose(found[this.#selected]);
    else if (action === "list.cancel") this.#cancel(input.kind === "key" && input.id === "ctrl+c");
    else if (input.kind === "key" && input.id === "tab") this.#turn();
    else this.#type(input);
    this.#parts.requestRender();
    return true;
  }

  #choose(session: FoundSession | undefined): void {
    if (session !== undefined) this.#close(session);
  }

  #cancel(isFinal: boolean): void {
    if (isFinal || this.#search.text === "") this.#close(undefined);
    else {
      this.#search.setText("");
      this.#forgetSearch();
    }
  }

  #close(session: FoundSession | undefined): void {
    clearTimeout(this.#timer);
    this.#options.done(session);
  }

  #turn(): void {
    this.#folders = this.#folders === "here" ? "all" : "here";
    this.#search.setText("");
    this.#forgetSearch();
    void this.#load("list");
  }

  #type(input: Input): void {
    const before = this.#search.text;
    this.#search.handleInput(input);
    if (this.#search.text === before) return;
    this.#forgetSearch();
    if (this.#search.text.trim() === "") return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#load("search");
    }, searchAfterMs);
  }

  /** What was found for other words, or will be. */
  #forgetSearch(): void {
    this.#selected = 0;
    this.#said = [];
    this.#newest.search += 1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #listRows(): number {
    const { rows } = this.#parts.screen;
    return Math.max(1, Math.min(Math.max(leastRows, Math.floor(rows / 2)), rows - 3));
  }

  render(width: number): readonly string[] {
    const { theme } = this.#parts;
    const found = this.#found();
    this.#selected = Math.max(0, Math.min(this.#selected, found.length - 1));
    const height = this.#listRows();
    const from = Math.max(0, Math.min(this.#selected - Math.floor(height / 2), found.length - height));
    const shown = found.slice(from, from + height);
    const rows = shown.map((session, index) => this.#row(session, from + index === this.#selected, width));
    const where = this.#folders === "here" ? "of this folder" : "of all folders";
    const count = theme.fg("muted", ` ${found.length}`);
    const title = `${theme.emphasis("bold", "Sessions")} ${where}${count}`;
    if (rows.length === 0) rows.push(theme.fg("muted", truncateCells(this.#emptyText(), width)));
    return [ruleRow(title, width, theme), ...rows, this.#searchRow(width), hintRow(hints, width, theme, 1)];
  }

  #emptyText(): string {
    if (this.#fault !== undefined) return visible(this.#fault.message);
    return this.#reading > 0 ? "Reading …" : "No sessions found";
  }

  #row(session: FoundSession, isSelected: boolean, width: number): string {
    const { theme } = this.#parts;
    const { session_id: id, name, updated_at: at, message_count: messages, is_here: isHere } = session;
    const details = [
      id === this.#options.current ? "open now" : timeAgo(Date.parse(at)),
      messages === null ? "" : `${messages} messages`,
      isHere ? "" : visibleName(session.folder),
      session.damage === null ? "" : "damaged",
    ].filter((part) => part !== "");
    const pointer = isSelected ? `${theme.fg("accent", theme.symbol("selected"))} ` : "  ";
    const title = isSelected ? theme.emphasis("bold", cleanLine(name)) : cleanLine(name);
    const detail = theme.fg("muted", details.join(`  `));
    return bothEnds(truncateCells(`${pointer}${title}`, width), detail, width);
  }

  #searchRow(width: number): string {
    const { theme } = this.#parts;
    if (this.#search.text === "") return theme.fg("dim", truncateCells("Type to search.", width));
    const sign = width > 20 ? "Search: " : "/";
    return `${theme.fg("muted", sign)}${this.#search.row(Math.max(1, width - sign.length), this.isFocused)}`;
  }
}

function wordsOf({ name, title, first_message: first, folder, session_id: id, path }: FoundSession): string {
  return [name, title ?? "", first.slice(0, 500), folder, id, path].join("\n");
}

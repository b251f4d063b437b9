// The tree of a session in place of the prompt: move, search, filter, name, and choose an entry to go on from.
//
// As many entries as half of the screen has rows, and at least five, around the selected one. Filter and search are the API's;
// the newest request wins, and the selection stays on its entry.

import type { Api } from "@stet/client/direct";
import { type SessionTreeNode, type TreeFilter, treeFilters } from "@stet/protocol/api/sessions";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visible } from "@stet/protocol/visible";
import type { InputComponent } from "@stet/tui/component";
import { OneLine } from "@stet/tui/components/one-line";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import type { App } from "../app.ts";
import { hintRow, ruleRow } from "../screen/panel-rows.ts";
import type { TreeAction } from "./tree-keys.ts";
import { lineRow, type TreeLine, treeLines } from "./tree-lines.ts";

export type TreeParts = Pick<App, "theme" | "keys" | "screen" | "requestRender" | "onEvent"> & {
  readonly api: Api<"sessionTree" | "labelEntry">;
};

/** Where the person was in the tree, to open it there again. */
export interface TreePosition {
  readonly filter: TreeFilter;
  readonly query: string;
  readonly selected: string | undefined;
}

export interface TreeChoice {
  readonly node: SessionTreeNode;
  /** The conversation goes on from there already. */
  readonly isLeaf: boolean;
  readonly position: TreePosition;
}

export interface TreePanelOptions {
  readonly session: string;
  readonly position?: TreePosition | undefined;
  /** Undefined where it was closed. */
  readonly done: (choice: TreeChoice | undefined) => void;
}

const mostNodes = 20_000;
const leastRows = 5;

const filterKeys: Partial<Record<TreeAction, TreeFilter>> = {
  "tree.filter.default": "default",
  "tree.filter.noTools": "no-tools",
  "tree.filter.user": "user-only",
  "tree.filter.labeled": "labeled-only",
  "tree.filter.all": "all",
};

const hints = [
  { key: "enter", help: "go on from here" },
  { key: "ctrl+o", help: "filter" },
  { key: "shift+l", help: "label" },
  { key: "esc", help: "close" },
];
const labelHints = [
  { key: "enter", help: "keep" },
  { key: "esc", help: "cancel" },
];

export class TreePanel implements InputComponent {
  isFocused = false;
  readonly #parts: TreeParts;
  readonly #options: TreePanelOptions;
  readonly #stopEvents: () => void;
  readonly #search = new OneLine();
  #filter: TreeFilter;
  #lines: readonly TreeLine[] = [];
  #leaf: string | null = null;
  #isCut = false;
  #selected: string | undefined;
  /** The name that is being given. */
  #label: { readonly entry: string; readonly line: OneLine } | undefined;
  #message = "";
  #asked = 0;
  #answered = 0;
  #isClosed = false;

  constructor(parts: TreeParts, options: TreePanelOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#filter = options.position?.filter ?? "default";
    this.#selected = options.position?.selected;
    this.#search.actionOf = parts.keys.editing;
    this.#search.setText(options.position?.query ?? "");
    this.#stopEvents = parts.onEvent((event) => {
      if (event.type === "session.changed" && event.data.session_id === options.session) void this.#load();
    });
    void this.#load();
  }

  /** Whether a request is on its way. */
  get isBusy(): boolean {
    return this.#answered < this.#asked;
  }

  async #load(): Promise<void> {
    this.#asked += 1;
    const own = this.#asked;
    const words = this.#search.text.trim();
    const reply = await this.#parts.api.call("sessionTree", {
      params: { session_id: this.#options.session },
      query: { filter: this.#filter, limit: mostNodes, ...(words === "" ? {} : { query: words }) },
    });
    if (own === this.#asked) {
      if (isFault(reply)) this.#tell(reply);
      else this.#take(reply);
    }
    this.#answered = Math.max(this.#answered, own);
    this.#parts.requestRender();
  }

  #take(reply: { nodes: readonly SessionTreeNode[]; leaf_id: string | null; truncated: boolean }): void {
    this.#lines = treeLines(reply.nodes);
    this.#leaf = reply.leaf_id;
    this.#isCut = reply.truncated;
    const has = (id: string | null | undefined) => reply.nodes.some(({ entry_id }) => entry_id === id);
    if (has(this.#selected)) return;
    const onPath = reply.nodes.findLast((node) => node.is_on_path) ?? reply.nodes.at(-1);
    this.#selected = has(this.#leaf) ? (this.#leaf ?? undefined) : onPath?.entry_id;
  }

  get #index(): number {
    return Math.max(
      0,
      this.#lines.findIndex(({ node }) => node.entry_id === this.#selected),
    );
  }

  handleInput(input: Input): boolean {
    if (this.#isClosed || (input.kind === "key" && input.isRelease)) return false;
    this.#message = "";
    if (this.#label !== undefined) this.#editLabel(this.#label, input);
    else {
      const action = input.kind === "key" ? this.#parts.keys.actionOf.tree(input.id) : undefined;
      if (action !== undefined) this.#act(action);
      else this.#type(input);
    }
    this.#parts.requestRender();
    return true;
  }

  #type(input: Input): void {
    const before = this.#search.text;
    this.#search.handleInput(input);
    if (this.#search.text !== before) void this.#load();
  }

  #act(action: TreeAction): void {
    const filter = filterKeys[action];
    if (filter !== undefined) this.#show(filter);
    else if (action === "tree.up") this.#move(-1, true);
    else if (action === "tree.down") this.#move(1, true);
    else if (action === "tree.pageUp") this.#move(-this.#listRows(), false);
    else if (action === "tree.pageDown") this.#move(this.#listRows(), false);
    else if (action === "tree.filter.next") this.#cycle(1);
    else if (action === "tree.filter.previous") this.#cycle(-1);
    else if (action === "tree.select") this.#choose();
    else if (action === "tree.label") this.#beginLabel();
    else if (action === "tree.back" && this.#search.text !== "") {
      this.#search.setText("");
      void this.#load();
    } else this.#close(undefined);
  }

  #move(by: number, wraps: boolean): void {
    const count = this.#lines.length;
    if (count === 0) return;
    const at = this.#index + by;
    const next = wraps ? (at + count) % count : Math.max(0, Math.min(count - 1, at));
    this.#selected = this.#lines[next]?.node.entry_id;
  }

  #cycle(by: 1 | -1): void {
    const at = treeFilters.indexOf(this.#filter) + by;
    this.#show(treeFilters.at(at % treeFilters.length) ?? "default");
  }

  #show(filter: TreeFilter): void {
    this.#filter = filter;
    void this.#load();
  }

  #choose(): void {
    const node = this.#lines[this.#index]?.node;
    if (node === undefined) return;
    const position = { filter: this.#filter, query: this.#search.text, selected: node.entry_id };
    this.#close({ node, isLeaf: node.entry_id === this.#leaf, position });
  }

  #close(choice: TreeChoice | undefined): void {
    this.#isClosed = true;
    this.#stopEvents();
    this.#options.done(choice);
  }

  #beginLabel(): void {
    const node = this.#lines[this.#index]?.node;
    if (node === undefined) return;
    const line = new OneLine();
    line.actionOf = this.#parts.keys.editing;
    line.setText(node.label ?? "");
    this.#label = { entry: node.entry_id, line };
  }

  #editLabel({ entry, line }: { readonly entry: string; readonly line: OneLine }, input: Input): void {
    const id = input.kind === "key" ? input.id : "";
    if (id === "escape" || id === "ctrl+c") this.#label = undefined;
    else if (id === "enter") {
      this.#label = undefined;
      void this.#keepLabel(entry, line.text.trim());
    } else line.handleInput(input);
  }

  async #keepLabel(entry: string, label: string): Promise<void> {
    const reply = await this.#parts.api.call("labelEntry", {
      params: { session_id: this.#options.session },
      body: { entry_id: entry, label },
    });
    if (isFault(reply)) this.#tell(reply);
    await this.#load();
  }

  #tell({ message, suggestion }: Fault): void {
    this.#message = `${message} ${suggestion}`;
  }

  /** Half of the screen, and at least five; title, search and keys have room beside them. */
  #listRows(): number {
    const { rows } = this.#parts.screen;
    return Math.max(1, Math.min(Math.max(leastRows, Math.floor(rows / 2)), rows - 3));
  }

  render(width: number): readonly string[] {
    const { theme } = this.#parts;
    const count = this.#lines.length;
    const at = this.#index;
    const place = count === 0 ? "" : theme.fg("muted", ` ${at + 1} of ${count}`);
    const title = `${theme.emphasis("bold", "Session tree")} ${theme.fg("accent", this.#filter)}${place}`;
    return [
      ruleRow(title, width, theme),
      ...this.#listed(width, at),
      this.#inputRow(width),
      hintRow(this.#label === undefined ? hints : labelHints, width, theme, 1),
    ];
  }

  #listed(width: number, at: number): string[] {
    const { theme } = this.#parts;
    const height = this.#listRows();
    const count = this.#lines.length;
    if (count === 0) return [theme.fg("muted", truncateCells(this.#emptyText(), width))];
    const from = Math.max(0, Math.min(at - Math.floor(height / 2), count - height));
    return this.#lines.slice(from, from + height).map((line, index) => {
      const look = { isSelected: from + index === at, isLeaf: line.node.entry_id === this.#leaf };
      return lineRow(line, look, width, theme);
    });
  }

  #emptyText(): string {
    if (this.isBusy) return "Reading …";
    if (this.#search.text.trim() !== "") return "No entry holds these words.";
    return this.#filter === "labeled-only" ? "Nothing has a name yet." : "Nothing was said yet.";
  }

  /** The name, the search, or what there is to say. */
  #inputRow(width: number): string {
    const { theme } = this.#parts;
    if (this.#message !== "") return theme.fg("error", truncateCells(visible(this.#message), width));
    const typed = (name: string, line: OneLine) => {
      const sign = truncateCells(`${name}: `, Math.max(1, width - 4));
      return `${theme.fg("muted", sign)}${line.row(Math.max(1, width - cellWidth(sign)), this.isFocused)}`;
    };
    if (this.#label !== undefined) return typed("Label", this.#label.line);
    if (this.#search.text !== "") return typed("Search", this.#search);
    const rest = this.#isCut ? "There are more entries: type words to find them." : "Type to search.";
    return theme.fg("dim", truncateCells(rest, width));
  }
}

// Ctrl-R: a search in everything that was sent before, in place of the prompt. The host searches by words; what was sent since it
// was asked last, or while it cannot be asked, is found here. Enter puts the prompt that was found into the editor.

import type { Api } from "@stet/client/direct";
import { isFault } from "@stet/protocol/fault";
import { visible } from "@stet/protocol/visible";
import type { InputComponent } from "@stet/tui/component";
import { OneLine } from "@stet/tui/components/one-line";
import { SelectList } from "@stet/tui/components/select-list";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import type { KeyBindings } from "../keys/bindings.ts";
import type { Theme } from "../theme/theme.ts";

export type PromptApi = Pick<Api<"listPrompts">, "call">;

export interface HistorySearchOptions {
  readonly api: () => PromptApi | undefined;
  /** What is known here, the newest first. */
  readonly known: readonly string[];
  readonly query: string;
  readonly theme: Theme;
  readonly keys: () => KeyBindings;
  readonly screenRows: () => number;
  readonly requestRender: () => void;
  /** Undefined where it was closed. */
  readonly onEnd: (prompt: string | undefined) => void;
}

const debounceMs = 60;
const maxFound = 50;
const maxLabel = 500;

export class HistorySearch implements InputComponent {
  isFocused = false;
  readonly #options: HistorySearchOptions;
  readonly #line = new OneLine();
  readonly #list: SelectList<string>;
  #problem = "";
  #search = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HistorySearchOptions) {
    this.#options = options;
    const { theme, screenRows } = options;
    this.#line.actionOf = options.keys().editing;
    this.#line.setText(options.query);
    this.#list = new SelectList<string>({
      items: [],
      maxRows: () => Math.max(1, Math.min(8, Math.floor(screenRows() / 3))),
      isSearchable: false,
      emptyText: "Nothing that was sent before fits.",
      style: {
        selected: (text) => theme.fg("accent", text),
        detail: (text) => theme.fg("muted", text),
        hint: (text) => theme.fg("dim", text),
        pointer: `${theme.symbol("selected")} `,
        searchSign: "",
      },
    });
    this.#list.onSelect = ({ value }) => this.#end(value);
    this.#show(this.#knownHere());
    void this.#find(this.#search.signal);
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key") {
      if (input.isRelease) return true;
      const { actionOf } = this.#options.keys();
      if (actionOf.prompt(input.id) === "prompt.history.search") {
        this.#list.perform("list.down");
        return true;
      }
      const action = actionOf.list(input.id);
      const isAccepted = action === "list.accept" || actionOf.prompt(input.id) === "prompt.complete";
      if (action === "list.cancel") this.#end(undefined);
      else if (isAccepted) this.#end(this.#list.selectedItem?.value);
      else if (action !== undefined && action !== "list.first" && action !== "list.last")
        this.#list.perform(action);
      else this.#type(input);
      return true;
    }
    this.#type(input);
    return true;
  }

  render(width: number): readonly string[] {
    const { theme } = this.#options;
    const line = theme.fg("borderAccent", theme.symbol("line").repeat(Math.max(0, width)));
    const sign = width > 20 ? "search: " : "";
    const rows = [
      line,
      theme.fg("muted", sign) + this.#line.row(Math.max(1, width - sign.length), this.isFocused),
    ];
    rows.push(...this.#list.render(width));
    if (this.#problem !== "") rows.push(theme.fg("warning", truncateCells(this.#problem, width)));
    return [...rows, line];
  }

  #type(input: Input): void {
    const before = this.#line.text;
    if (!this.#line.handleInput(input) || this.#line.text === before) return;
    this.#search.abort();
    this.#search = new AbortController();
    const { signal } = this.#search;
    this.#show(this.#knownHere());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#find(signal), debounceMs);
  }

  async #find(signal: AbortSignal): Promise<void> {
    const query = this.#line.text;
    const reply = await this.#options
      .api()
      ?.call("listPrompts", { query: { query, limit: maxFound } }, signal);
    if (signal.aborted) return;
    if (isFault(reply)) this.#problem = visible(reply.message, "everything");
    else if (reply !== undefined) {
      this.#problem = "";
      this.#show([...this.#knownHere(), ...reply.prompts.map(({ text }) => text)]);
    }
    this.#options.requestRender();
  }

  /** Those that have all the words, in whichever order. */
  #knownHere(): string[] {
    const words = this.#line.text.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (text: string) => words.every((word) => text.includes(word));
    return this.#options.known.filter((prompt) => fits(prompt.toLowerCase())).slice(0, maxFound);
  }

  #show(prompts: readonly string[]): void {
    this.#list.setItems([...new Set(prompts)].map((value) => ({ value, label: labelOf(value) })));
    this.#list.select(0);
  }

  #end(prompt: string | undefined): void {
    this.#search.abort();
    clearTimeout(this.#timer);
    this.#options.onEnd(prompt);
  }
}

function labelOf(prompt: string): string {
  return visible(prompt.slice(0, maxLabel).trim().replace(/\s+/g, " "), "everything");
}

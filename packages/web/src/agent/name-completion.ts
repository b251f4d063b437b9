// Completing "@" to an agent that can be sent, which names it to the model, or to a file of the folder, which then is part of
// the agent's context.

import type { AgentDefinitionView } from "@stet/protocol/api/agents";
import { isFault } from "@stet/protocol/fault";
import { type Accessor, createSignal } from "solid-js";
import type { Workbench } from "../workspace/workbench.ts";
import { addContextRow } from "./context.ts";
import { type Mention, matchingAgents, matchingFiles, mentionAt } from "./mention.ts";

const shownChoices = 8;
const shownAgents = 4;
const maxFiles = 20_000;
/** Agents' files may come and go; whoever types is not kept waiting for a new list each time. */
const agentsKeptMs = 10_000;

export interface Completed {
  readonly text: string;
  readonly cursor: number;
}

export type NameChoice =
  | { readonly kind: "agent"; readonly name: string; readonly about: string }
  | { readonly kind: "file"; readonly name: string };

export class NameCompletion {
  readonly choices: Accessor<readonly NameChoice[]>;
  readonly selected: Accessor<number>;
  readonly #setChoices: (choices: readonly NameChoice[]) => void;
  readonly #setSelected: (index: number) => void;
  readonly #workbench: Workbench;
  #all: readonly string[] | undefined;
  /** The state of the folder that `all` is from. */
  #seen = -1;
  #agents: readonly AgentDefinitionView[] = [];
  #agentsRead = Number.NEGATIVE_INFINITY;
  #mention: Mention | undefined;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    const [choices, setChoices] = createSignal<readonly NameChoice[]>([]);
    const [selected, setSelected] = createSignal(0);
    this.choices = choices;
    this.#setChoices = (next) => setChoices(next);
    this.selected = selected;
    this.#setSelected = (index) => setSelected(index);
  }

  get isOpen(): boolean {
    return this.choices().length > 0;
  }

  /** After every change of the text or the cursor. */
  async look(text: string, cursor: number): Promise<void> {
    const mention = mentionAt(text, cursor);
    this.#mention = mention;
    if (mention === undefined) return this.close();
    const [all, known] = await Promise.all([this.#knownFiles(), this.#knownAgents()]);
    if (this.#mention !== mention) return;
    const agents = matchingAgents(known, mention.word, shownAgents).map((agent): NameChoice => {
      return { kind: "agent", name: agent.name, about: agent.description };
    });
    const files = matchingFiles(all, mention.word, shownChoices - agents.length);
    this.#setChoices([...agents, ...files.map((name): NameChoice => ({ kind: "file", name }))]);
    this.#setSelected(0);
  }

  async #knownFiles(): Promise<readonly string[]> {
    const { filesChanged } = this.#workbench.state;
    if (this.#all !== undefined && this.#seen === filesChanged) return this.#all;
    const reply = await this.#workbench.client.call("listFiles", { query: { limit: maxFiles } });
    if (isFault(reply)) return this.#all ?? [];
    this.#all = reply.files;
    this.#seen = filesChanged;
    return reply.files;
  }

  async #knownAgents(): Promise<readonly AgentDefinitionView[]> {
    if (performance.now() - this.#agentsRead < agentsKeptMs) return this.#agents;
    this.#agentsRead = performance.now();
    const reply = await this.#workbench.client.call("listAgentDefinitions");
    if (!isFault(reply)) this.#agents = reply.agents;
    return this.#agents;
  }

  /** Whether what is chosen stands there already, so that there is nothing to complete. */
  isWritten(): boolean {
    const choice = this.choices()[this.selected()];
    return choice?.kind === "agent" && choice.name === this.#mention?.word;
  }

  move(step: number): void {
    const { length } = this.choices();
    this.#setSelected((this.selected() + step + length) % length);
  }

  close(): void {
    this.#mention = undefined;
    if (this.choices().length > 0) this.#setChoices([]);
  }

  /** The text with the name in it. */
  choose(text: string, index = this.selected()): Completed | undefined {
    const choice = this.choices()[index];
    const mention = this.#mention;
    if (choice === undefined || mention === undefined) return undefined;
    this.close();
    if (choice.kind === "file") void addContextRow(this.#workbench, { kind: "file", file_path: choice.name });
    const before = `${text.slice(0, mention.from)}@${choice.name} `;
    return { text: before + text.slice(mention.to).trimStart(), cursor: before.length };
  }
}

// The controller: twelve actions, and nothing else can be done to a paper.
//
//   handler     returns its plain output, or a fault
//   controller  wraps it, once: { ok: true, output } or { ok: false, error }
//
// An action is complete or has not happened. A tool that failed three times is not tried again before the model has found
// its place anew: a search that finds something, or lines that are shown, give every tool a new start. How many rounds a
// turn may take is the loop's limit (`maxIterations` of the toolset).

import { Fault, isFault } from "@stet/protocol/fault";
import { type ContextFound, type ContextParams, getContextLines } from "./context-handler.ts";
import { type Edited, type EditParams, edit } from "./edit-handler.ts";
import {
  clearAllKeptSearches,
  clearKeptSearch,
  getKeptSearches,
  type Kept,
  type KeptSummary,
  type KeyParams,
  keepSearch,
  type Retrieved,
  retrieveSearch,
} from "./kept-handlers.ts";
import type { Call, Paper } from "./paper.ts";
import {
  type CardsFound,
  type PaperFound,
  type SearchParams,
  searchChat,
  searchPaper,
  searchTools,
} from "./search-handlers.ts";
import { type Verified, verify } from "./verify-handler.ts";

type None = Readonly<Record<string, never>>;

/** Each action with what it takes and what it returns. */
interface Actions {
  search_paper: { params: SearchParams; output: PaperFound };
  search_chat: { params: SearchParams; output: CardsFound };
  search_tools: { params: SearchParams; output: CardsFound };
  get_context_lines: { params: ContextParams; output: ContextFound };
  keep_search: { params: KeyParams; output: Kept };
  retrieve_search: { params: KeyParams; output: Retrieved };
  get_kept_searches: { params: None; output: { searches: readonly KeptSummary[]; total: number } };
  clear_kept_search: { params: KeyParams; output: { deleted: boolean; remaining: number } };
  clear_all_kept_searches: { params: None; output: { cleared: number } };
  /** All four editing tools. */
  edit: { params: EditParams; output: Edited };
  verify: { params: None; output: Verified };
  /** No tool: whoever opened the toolset ends it. */
  close: { params: None; output: { closed: true } };
}

export type ActionName = keyof Actions;

type Handlers = {
  readonly [A in ActionName]: (
    paper: Paper,
    params: Actions[A]["params"],
    call: Call,
  ) => Actions[A]["output"] | Fault | Promise<Actions[A]["output"] | Fault>;
};

export const handlers: Handlers = {
  search_paper: searchPaper,
  search_chat: searchChat,
  search_tools: searchTools,
  get_context_lines: getContextLines,
  keep_search: keepSearch,
  retrieve_search: retrieveSearch,
  get_kept_searches: getKeptSearches,
  clear_kept_search: clearKeptSearch,
  clear_all_kept_searches: clearAllKeptSearches,
  edit,
  verify,
  close: () => ({ closed: true }),
};

export type Executed<Output> =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly error: Fault };

const errorQuota = 3;

export class Controller {
  private readonly paper: Paper;
  private readonly failures = new Map<string, number>();
  private isClosed = false;

  constructor(paper: Paper) {
    this.paper = paper;
  }

  async execute<A extends ActionName>(
    action: A,
    params: Actions[A]["params"],
    call: Call,
  ): Promise<Executed<Actions[A]["output"]>> {
    const tool = toolOf(action, params);
    const refusal = this.refusal(tool);
    if (refusal !== undefined) return { ok: false, error: refusal };
    const output = await handlers[action](this.paper, params, call);
    if (isFault(output)) {
      this.failures.set(tool, (this.failures.get(tool) ?? 0) + 1);
      return { ok: false, error: output };
    }
    if (findsPlace(output)) this.failures.clear();
    if (action === "close") this.isClosed = true;
    return { ok: true, output };
  }

  private refusal(tool: string): Fault | undefined {
    if (this.isClosed) return new Fault("turn_closed", "The paper is closed.", "Start a new turn.");
    if ((this.failures.get(tool) ?? 0) < errorQuota) return undefined;
    const instruction =
      "Please re-read context with search_paper() or get_context_lines() to find correct line number";
    return new Fault("not_allowed", `Tool '${tool}' failed ${errorQuota} times. Stopping.`, instruction, {
      instruction,
    });
  }
}

/** The tool that an action is done for. */
function toolOf(action: ActionName, params: object): string {
  return "edit_op" in params && typeof params.edit_op === "string" ? params.edit_op : action;
}

/** Whether the model has been shown lines of the paper. */
function findsPlace(output: object): boolean {
  if ("contextLines" in output) return true;
  return "results" in output && Array.isArray(output.results) && output.results.length > 0;
}

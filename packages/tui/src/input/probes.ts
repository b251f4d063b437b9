// Questions to the terminal. Most terminals answer only some of them, but all answer DA1 (`CSI c`), and answers come in order.
// So each question is sent together with a DA1 of its own, and the owners of the DA1s wait in a queue: when one comes back, the
// question at the head is over, answered or not. An answer belongs to the first question of its kind in the queue.
//
// A terminal that answers nothing at all ends every question after `timeoutMs`. Answers that come later still are no keys
// (reports.ts), and are used.

import { setTimeout as delay } from "node:timers/promises";
import type { Report } from "./reports.ts";

export type ProbeKind =
  | "keyboard"
  | "background"
  | "notifications"
  | "graphics"
  | "cellSize"
  | "synchronizedOutput"
  | "inBandResize"
  | "appearanceReports";

/** The DEC modes that are asked for by DECRQM. */
export const probedModes = { synchronizedOutput: 2026, inBandResize: 2048, appearanceReports: 2031 } as const;

const primaryAttributes = "\u001b[c";

const questions: Readonly<Record<ProbeKind, string>> = {
  keyboard: "\u001b[?u",
  background: "\u001b]11;?\u001b\\",
  notifications: "\u001b]99;i=stet-probe:p=?;\u001b\\",
  graphics: "\u001b_Gi=2147483647,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\",
  cellSize: "\u001b[16t",
  synchronizedOutput: `\u001b[?${probedModes.synchronizedOutput}$p`,
  inBandResize: `\u001b[?${probedModes.inBandResize}$p`,
  appearanceReports: `\u001b[?${probedModes.appearanceReports}$p`,
};

/** What a question gave: undefined where the terminal does not know it. */
export type ProbeResult = { readonly kind: ProbeKind; readonly report: Report | undefined };

interface Owner {
  readonly kind: ProbeKind;
  isAnswered: boolean;
}

export class Probes {
  readonly #write: (text: string) => void;
  readonly #onResult: (result: ProbeResult) => void;
  readonly #timeoutMs: number;
  #owners: Owner[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void, onResult: (result: ProbeResult) => void, timeoutMs = 2000) {
    this.#write = write;
    this.#onResult = onResult;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether an answer is still to come. */
  get isWaiting(): boolean {
    return this.#owners.length > 0;
  }

  ask(...kinds: readonly ProbeKind[]): void {
    if (kinds.length === 0) return;
    this.#owners.push(...kinds.map((kind) => ({ kind, isAnswered: false })));
    this.#write(kinds.map((kind) => questions[kind] + primaryAttributes).join(""));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), this.#timeoutMs);
    this.#timer.unref();
  }

  /** Takes a report; one that no question is waiting for changes nothing here. */
  answer(report: Report): void {
    if (report.kind === "attributes") {
      const owner = this.#owners.shift();
      if (this.#owners.length === 0) clearTimeout(this.#timer);
      if (owner !== undefined && !owner.isAnswered) this.#onResult({ kind: owner.kind, report: undefined });
      return;
    }
    const kind = kindOf(report);
    if (kind === undefined) return;
    const owner = this.#owners.find((candidate) => candidate.kind === kind && !candidate.isAnswered);
    if (owner !== undefined) owner.isAnswered = true;
    this.#onResult({ kind, report });
  }

  /** Resolves when every question is over, or after the given time. */
  async settled(milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while (this.isWaiting && performance.now() < deadline) await delay(5);
  }

  /** Forgets the questions: the terminal is given to another program. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#owners = [];
  }

  #giveUp(): void {
    const owners = this.#owners;
    this.#owners = [];
    for (const owner of owners)
      if (!owner.isAnswered) this.#onResult({ kind: owner.kind, report: undefined });
  }
}

function kindOf(report: Report): ProbeKind | undefined {
  if (report.kind === "mode") {
    if (report.mode === probedModes.synchronizedOutput) return "synchronizedOutput";
    if (report.mode === probedModes.inBandResize) return "inBandResize";
    return report.mode === probedModes.appearanceReports ? "appearanceReports" : undefined;
  }
  const { kind } = report;
  const isAnswer =
    kind === "keyboard" ||
    kind === "background" ||
    kind === "notifications" ||
    kind === "graphics" ||
    kind === "cellSize";
  return isAnswer ? kind : undefined;
}

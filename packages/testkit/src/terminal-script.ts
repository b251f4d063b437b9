// Random scripts against the renderer: a conversation that grows, changes and shrinks in a terminal that is resized, covered,
// scrolled and handed over. After each step history and window must be, row for row, what the shadow ledger says.
//
// What draws and what reads the screen is a port, so the same scripts run in an emulator and in a real tmux.

import assert from "node:assert/strict";
import { Tui, type TuiOptions } from "@stet/tui/renderer/tui";
import type { Terminal } from "@stet/tui/terminal/terminal";
import { Transcript } from "@stet/tui/transcript/transcript";
import { Random } from "./random.ts";
import { olderRowsText, type ShadowFrame, ShadowLedger, visible } from "./shadow-ledger.ts";
import {
  ObservedTranscript,
  ScriptBlock,
  ScriptBottom,
  ScriptOverlay,
  ScriptText,
} from "./terminal-parts.ts";

/** A terminal whose size can be changed and whose rows can be read back. */
export interface ScriptTerminal extends Terminal {
  resize(columns: number, rows: number): Promise<void> | void;
  key(id: string): void;
  /** All that was written is on the screen. */
  flush(): Promise<void>;
  /** Every row, history first, as it was written, and the one in which the cursor is. */
  readTape(): Promise<{ readonly rows: readonly string[]; readonly cursorRow: number }>;
  readonly writes: string[];
}

export interface ScriptOptions {
  readonly steps: number;
  /** Components keep the contract: nothing that is history is changed. */
  readonly isClean: boolean;
  readonly widthChanges: boolean;
  readonly heightChanges: boolean;
  /** The conversation does not tell what may still change: whatever scrolls off is final, as with a shell. */
  readonly hasNoSeam?: boolean;
  /** Only text that every terminal draws with the same number of cells. */
  readonly isPlain?: boolean;
}

export interface ScriptResult {
  /** Rows of the window that the terminal pushed into its history although they were not final. */
  readonly strays: number;
  /** Rows that are in the history twice because committed rows were changed, or pushed before they were final. */
  readonly repeats: number;
  readonly rows: number;
}

const shell = ["$ ls", "notes.md  paper.md", "$ stet"];

export class TerminalScript {
  readonly #random: Random;
  readonly #text: ScriptText;
  readonly #terminal: ScriptTerminal;
  readonly #options: ScriptOptions;
  readonly #tui: Tui;
  readonly #tuiOptions: TuiOptions;
  readonly #transcript: Transcript;
  readonly #observed: ObservedTranscript;
  readonly #gap: number;
  readonly #bottom = new ScriptBottom();
  readonly #shadow: ShadowLedger;
  #blocks: ScriptBlock[] = [];
  /** Rows of others that stay above, and how many of them are left. */
  #above: string[] = [...shell];
  #overlay: { readonly component: ScriptOverlay; close(): void } | undefined;
  #strays = 0;
  /** What the steps of the frame asked for. */
  #paint: "replace" | "reset" | undefined;

  constructor(seed: number, terminal: ScriptTerminal, options: ScriptOptions) {
    this.#random = new Random(seed);
    this.#text = new ScriptText(this.#random, options.isPlain === true);
    this.#terminal = terminal;
    this.#options = options;
    this.#gap = this.#random.below(2);
    // Few rows are only kept where the width stays: what an old row becomes at another one is not known any more.
    const replayRows =
      !options.widthChanges && this.#random.chance(0.3) ? this.#random.between(40, 120) : 10_000;
    this.#tuiOptions = {
      replayRows,
      resize: this.#random.chance(0.3) ? "replay" : "keep",
      olderRows: () => olderRowsText,
    };
    this.#transcript = new Transcript({ gap: this.#gap, replayRows: () => replayRows });
    this.#observed = new ObservedTranscript(this.#transcript);
    this.#tui = new Tui(terminal, this.#tuiOptions);
    this.#shadow = new ShadowLedger(terminal.rows);
  }

  async run(): Promise<ScriptResult> {
    const { steps } = this.#options;
    for (const row of shell) this.#terminal.write(`${row}\r\n`);
    const shellLike = { render: (width: number) => this.#rows(width) };
    this.#tui.add(this.#options.hasNoSeam === true ? shellLike : this.#observed);
    this.#tui.add(this.#bottom);
    this.#tui.setFocus(this.#bottom);
    this.#grow();
    this.#tui.start();
    this.#tui.flush();
    this.#shadow.paint(this.#frame(), "appended", this.#tuiOptions.replayRows ?? 0);
    await this.#check("start");
    for (let step = 0; step < steps; step++) await this.#step(step);
    this.#tui.stop();
    return { strays: this.#strays, repeats: this.#shadow.repeats, rows: this.#shadow.history.length };
  }

  async #step(step: number): Promise<void> {
    const random = this.#random;
    const chance = random.below(100);
    if (chance < 12 && this.#options.heightChanges) return this.#changeHeight(step);
    if (chance < 20 && this.#options.widthChanges) return this.#changeWidth(step);
    if (chance < 23) return this.#pause(step);
    const names: string[] = [];
    for (let count = random.between(1, 3); count > 0; count--) names.push(this.#change());
    const before = this.#terminal.writes.length;
    this.#tui.flush();
    const frame = this.#frame();
    const painted = this.#paint;
    if (painted === undefined) this.#shadow.frame(frame);
    else this.#shadow.paint(frame, this.#paintKind(painted), this.#tuiOptions.replayRows ?? 0);
    this.#paint = undefined;
    const name = `step ${step}: ${names.join(", ")}`;
    this.#assertBytes(name, this.#terminal.writes.slice(before), painted !== undefined);
    await this.#check(name);
  }

  #paintKind(painted: "replace" | "reset"): "erased" | "appended" | "in place" {
    if (this.#terminal.capabilities.isMultiplexer) return painted === "replace" ? "appended" : "in place";
    this.#above = [];
    return "erased";
  }

  /** One thing that happens to the screen; several may happen before it is drawn. */
  #change(): string {
    const random = this.#random;
    const live = this.#blocks.filter((block) => !block.isFinal);
    const kinds = ["grow", "stream", "stream", "stream", "tick", "key", "end", "bottom", "overlay", "paint"];
    if (!this.#options.isClean) kinds.push("rewrite", "shrink");
    const kind = random.pick(kinds);
    if (kind === "grow") this.#grow();
    else if (kind === "stream") for (const block of live) block.stream();
    else if (kind === "end") for (const block of live) block.isFinal = random.chance(0.7);
    else if (kind === "tick") {
      this.#bottom.spinner++;
      this.#tui.requestComponentRender(this.#bottom);
      return kind;
    } else if (kind === "key") this.#terminal.key(random.pick(["a", "b", "ü"]));
    else if (kind === "bottom") {
      this.#bottom.statusRows = random.below(5);
      this.#bottom.rowsBelow = random.below(3);
      if (random.chance(0.3)) this.#bottom.typed = "";
    } else if (kind === "overlay") this.#toggleOverlay();
    else if (kind === "paint") return this.#repaint();
    else if (kind === "rewrite") for (const block of live) block.rewrite();
    else if (kind === "shrink") for (const block of live) block.shrink();
    this.#tui.requestRender(random.chance(0.1) ? { force: true } : {});
    return kind;
  }

  #grow(): void {
    const random = this.#random;
    const lines = random.chance(0.1) ? random.between(10, 60) : random.between(1, 5);
    const block = new ScriptBlock(this.#text, lines, random.chance(0.5));
    this.#blocks.push(block);
    this.#transcript.add(block);
  }

  #toggleOverlay(): void {
    if (this.#overlay !== undefined) {
      this.#overlay.close();
      this.#overlay = undefined;
      return;
    }
    const component = new ScriptOverlay(this.#random);
    this.#overlay = { component, ...this.#tui.showOverlay(component, { anchor: "bottom" }) };
  }

  #repaint(): string {
    if (this.#paint !== undefined || this.#random.chance(0.7)) return "nothing";
    this.#paint = this.#random.pick(["replace", "reset"]);
    if (this.#paint === "reset") this.#tui.resetDisplay();
    else {
      this.#blocks = [];
      this.#transcript.replace([]);
      for (let count = this.#random.between(1, 12); count > 0; count--) this.#grow();
      this.#tui.requestRender({ clearScrollback: true });
    }
    return this.#paint;
  }

  async #changeHeight(step: number): Promise<void> {
    const rows = this.#random.between(1, 40);
    const name = `step ${step}: height ${this.#terminal.rows} to ${rows}`;
    await this.#terminal.resize(this.#terminal.columns, rows);
    const before = this.#terminal.writes.length;
    this.#tui.flush();
    this.#shadow.height(rows, this.#frame());
    this.#assertBytes(name, this.#terminal.writes.slice(before), false);
    await this.#check(name);
  }

  async #changeWidth(step: number): Promise<void> {
    const columns = this.#random.between(12, 120);
    const rows =
      this.#options.heightChanges && this.#random.chance(0.3)
        ? this.#random.between(4, 40)
        : this.#terminal.rows;
    const name = `step ${step}: size ${this.#terminal.columns} × ${this.#terminal.rows} to ${columns} × ${rows}`;
    if (columns === this.#terminal.columns) return;
    await this.#terminal.resize(columns, rows);
    this.#tui.flush();
    if (this.#tuiOptions.resize === "replay" && !this.#terminal.capabilities.isMultiplexer) {
      this.#above = [];
      this.#shadow.setHeight(rows);
      this.#shadow.paint(this.#frame(), "erased", this.#tuiOptions.replayRows ?? 0);
    } else {
      this.#shadow.width(rows, this.#frame());
      await this.#absorbStrays(name);
    }
    await this.#check(name);
  }

  /** Rows that are not final and do not fit any more were pushed into the history by the terminal, before anyone was asked. */
  async #absorbStrays(name: string): Promise<void> {
    const { history, window } = this.#shadow;
    const tape = (await this.#tape()).rows;
    const end = withoutEmptyEnd(window.map(visible));
    const expected = this.#above.length + history.length + end.length;
    const extra = tape.length - expected;
    if (extra <= 0) return;
    const { straysAt } = this.#shadow;
    const from = this.#above.length + straysAt;
    const strays = tape.slice(from, from + extra);
    assert.ok(extra <= this.#shadow.strays, `${name}: ${extra} rows are there twice: ${strays.join(" | ")}`);
    history.splice(straysAt, 0, ...strays);
    this.#strays += extra;
  }

  /** Ctrl-Z: the terminal is given back, a shell writes to it, and it is taken again. */
  async #pause(step: number): Promise<void> {
    if (this.#overlay !== undefined) this.#toggleOverlay();
    this.#tui.stop();
    const stopped = this.#frame();
    const others = this.#random.chance(0.5) ? ["$ fg"] : ["$ make", "done", "$ fg"];
    for (const row of others) this.#terminal.write(`${row}\r\n`);
    this.#tui.start();
    this.#tui.flush();
    this.#shadow.pause(stopped, others, this.#frame());
    await this.#check(`step ${step}: stop and start`);
  }

  /** The whole conversation. */
  #rows(columns: number): string[] {
    const rows: string[] = [];
    for (const block of this.#blocks) {
      const own = block.render(columns);
      if (rows.length > 0 && own.length > 0) for (let row = 0; row < this.#gap; row++) rows.push("");
      rows.push(...own);
    }
    return rows;
  }

  #frame(): ShadowFrame {
    const { columns } = this.#terminal;
    const rows = this.#rows(columns);
    const bottom = this.#bottom.render(columns);
    const { total, live, safe } = this.#observed;
    const hasNoSeam = this.#options.hasNoSeam === true;
    return {
      rows: [...rows, ...bottom],
      liveFromEnd: hasNoSeam ? undefined : total - live + bottom.length,
      safeFromEnd: hasNoSeam || safe === undefined ? undefined : total - safe + bottom.length,
      bottomRows: bottom.length,
      overlay: this.#overlay?.component.render(columns),
      cursorFromEnd: this.#bottom.isFocused ? 1 + this.#bottom.rowsBelow : undefined,
    };
  }

  async #tape(): Promise<{ readonly rows: string[]; readonly cursorRow: number }> {
    await this.#terminal.flush();
    const tape = await this.#terminal.readTape();
    return { rows: withoutEmptyEnd(tape.rows.map(visible)), cursorRow: tape.cursorRow };
  }

  async #check(name: string): Promise<void> {
    const { rows, cursorRow } = await this.#tape();
    const above = this.#above.length + this.#shadow.history.length;
    const expected = withoutEmptyEnd(
      [...this.#above, ...this.#shadow.history, ...this.#shadow.window].map(visible),
    );
    if (!isSame(rows, expected)) assert.deepEqual(rows, expected, name);
    assert.equal(cursorRow, above + this.#shadow.cursorRow, `${name}: the cursor's row`);
  }

  #assertBytes(name: string, writes: readonly string[], isPainted: boolean): void {
    const { capabilities } = this.#terminal;
    assert.ok(writes.length <= 1, `${name}: a frame is one write`);
    for (const bytes of writes) {
      const erases = bytes.includes("\u001b[3J");
      assert.equal(
        erases,
        isPainted && !capabilities.isMultiplexer,
        `${name}: the history is erased only by a paint`,
      );
      if (!isPainted) assert.doesNotMatch(bytes.replaceAll("\u001b", "␛"), /␛\[(?:2J|H|1;1H|22J)/, name);
      const isBracketed = bytes.startsWith("\u001b[?2026h") && bytes.endsWith("\u001b[?2026l");
      assert.equal(isBracketed, capabilities.synchronizedOutput, `${name}: the frame's brackets`);
      const hides = bytes.includes("\u001b[?25l");
      if (hides && this.#shadow.hasCursor)
        assert.ok(bytes.includes("\u001b[?25h"), `${name}: the cursor is shown`);
    }
  }
}

function withoutEmptyEnd(rows: readonly string[]): string[] {
  return rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index]);
}

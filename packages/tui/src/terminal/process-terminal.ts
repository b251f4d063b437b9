// The terminal that this process runs in. While it is started: raw mode, bracketed paste, focus reports, the best keyboard
// protocol it has, and probes for what else it can do. `stop` takes back everything that was turned on, in the opposite order;
// so does the end of the process, also by a signal.
//
// Writing never blocks the process: what a slow terminal has not taken yet is a backlog, and the renderer leaves out frames while
// there is one. A terminal that is gone (EIO, EPIPE, the end of its input, SIGHUP) is reported once.

import { writeSync } from "node:fs";
import type { ReadStream, WriteStream } from "node:tty";
import { InputBuffer } from "../input/input-buffer.ts";
import { parseKey } from "../input/keys.ts";
import { type ProbeResult, Probes } from "../input/probes.ts";
import { luminance, parseReport, type Report } from "../input/reports.ts";
import {
  detectCapabilities,
  type Environment,
  imageOverride,
  notificationOverride,
  probesFor,
  synchronizedOutputOverride,
} from "./capabilities.ts";
import { Keyboard } from "./keyboard.ts";
import { asciiSigns, isAsciiOnly } from "./locale.ts";
import { setBlocking } from "./non-blocking.ts";
import { onProcessEnd } from "./process-end.ts";
import type { Capabilities, Terminal, TerminalHandlers } from "./terminal.ts";

type TerminalStream = WriteStream & { readonly fd: number };

export interface ProcessTerminalOptions {
  readonly input?: ReadStream;
  readonly output?: TerminalStream;
  readonly environment?: Environment;
  readonly platform?: NodeJS.Platform;
  /** Whether keys that are let go are reported, where the terminal can; not unless given. */
  readonly reportsKeyRelease?: boolean;
}

const turnOn = "\u001b[?2004h\u001b[?1004h";
const turnOff = "\u001b[?1004l\u001b[?2004l";
/** What the renderer may have left in the middle of a frame: no wrapping, held output, a hidden cursor, a style. */
const endFrame = "\u001b[?2026l\u001b[?7h\u001b[0m\u001b[?25h";
/** How long the end of the program waits for answers over a slow connection. */
const settleMs = 300;
const inBandResize = { on: "\u001b[?2048h", off: "\u001b[?2048l" };
const appearanceReports = { on: "\u001b[?2031h", off: "\u001b[?2031l" };

export class ProcessTerminal implements Terminal {
  readonly #input: ReadStream;
  readonly #output: TerminalStream;
  readonly #environment: Environment;
  readonly #isAsciiOnly: boolean;
  readonly #buffer: InputBuffer;
  readonly #probes: Probes;
  readonly #keyboard: Keyboard;
  #capabilities: Capabilities;
  #handlers: TerminalHandlers | undefined;
  #columns: number;
  #rows: number;
  #hasInBandResize = false;
  #hasAppearanceReports = false;
  #saidBackground = false;
  #isLost = false;
  #releaseProcessEnd: (() => void) | undefined;

  constructor(options: ProcessTerminalOptions = {}) {
    this.#input = options.input ?? process.stdin;
    this.#output = options.output ?? process.stdout;
    this.#environment = options.environment ?? process.env;
    this.#isAsciiOnly = isAsciiOnly(this.#environment);
    this.#capabilities = detectCapabilities(this.#environment, options.platform ?? process.platform);
    this.#columns = this.#sizeOf("columns", this.#environment.COLUMNS, 80);
    this.#rows = this.#sizeOf("rows", this.#environment.LINES, 24);
    const write = (text: string) => this.write(text);
    this.#keyboard = new Keyboard(write, options.reportsKeyRelease ?? false);
    this.#probes = new Probes(write, (result) => this.#onProbe(result));
    this.#buffer = new InputBuffer({
      onSequence: (sequence) => this.#onSequence(sequence),
      onPaste: (text) => this.#handlers?.onInput({ kind: "paste", text }),
    });
  }

  get columns(): number {
    return this.#columns;
  }

  get rows(): number {
    return this.#rows;
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  get hasBacklog(): boolean {
    return this.#output.writableLength > 0;
  }

  write(text: string): void {
    if (this.#isLost || text === "") return;
    this.#output.write(this.#isAsciiOnly ? asciiSigns(text) : text);
    if (this.#output.writableLength > 0) this.#output.write("", () => this.#drained());
  }

  start(handlers: TerminalHandlers): void {
    if (this.#handlers !== undefined) return;
    this.#handlers = handlers;
    this.#readSize();
    if (this.#input.isTTY) this.#input.setRawMode(true);
    setBlocking(this.#output, false);
    this.#input.on("data", this.#onData);
    this.#input.on("end", this.#onGone);
    // These stay after a stop: a write that fails later must not be a crash.
    this.#input.off("error", this.#onGone).on("error", this.#onGone);
    this.#output.off("error", this.#onGone).on("error", this.#onGone);
    this.#output.on("resize", this.#onResize);
    this.#input.resume();
    this.#releaseProcessEnd = onProcessEnd({ restore: () => this.#restoreNow(), onHangUp: this.#onGone });
    this.write(turnOn);
    this.#probes.ask(...probesFor(this.#environment));
    this.#buffer.expectsReply = this.#probes.isWaiting;
    this.#keyboard.start();
  }

  settle(): Promise<void> {
    return this.#isLost ? Promise.resolve() : this.#probes.settled(settleMs);
  }

  stop(): void {
    if (this.#handlers === undefined) return;
    this.#handlers = undefined;
    this.#releaseProcessEnd?.();
    this.#probes.stop();
    this.#buffer.clear();
    this.write(this.#restoring());
    this.#forgetModes();
    this.#input.off("data", this.#onData);
    this.#input.off("end", this.#onGone);
    this.#output.off("resize", this.#onResize);
    setBlocking(this.#output, true);
    if (this.#input.isTTY && !this.#isLost) this.#input.setRawMode(false);
    this.#input.pause();
  }

  /** What takes back everything that was turned on. */
  #restoring(): string {
    const resize = this.#hasInBandResize ? inBandResize.off : "";
    const appearance = this.#hasAppearanceReports ? appearanceReports.off : "";
    return this.#keyboard.restoring + resize + appearance + turnOff + endFrame;
  }

  #forgetModes(): void {
    this.#keyboard.stop();
    this.#hasInBandResize = false;
    this.#hasAppearanceReports = false;
  }

  /** The process ends now: nothing that is asynchronous happens any more. */
  #restoreNow(): void {
    if (this.#handlers === undefined || this.#isLost) return;
    this.#handlers = undefined;
    try {
      writeSync(this.#output.fd, this.#restoring());
      if (this.#input.isTTY) this.#input.setRawMode(false);
    } catch {
      // It is gone; there is nothing to restore.
    }
  }

  readonly #onData = (bytes: Uint8Array): void => {
    this.#buffer.push(bytes);
    this.#buffer.expectsReply = this.#probes.isWaiting;
  };

  readonly #onGone = (): void => {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#handlers?.onLost();
  };

  readonly #onResize = (): void => {
    this.#readSize();
    this.#handlers?.onResize();
  };

  #readSize(): void {
    this.#columns = this.#sizeOf("columns", this.#environment.COLUMNS, 80);
    this.#rows = this.#sizeOf("rows", this.#environment.LINES, 24);
  }

  /** A terminal without a size (0, as on a serial line) has the one of the environment. */
  #sizeOf(side: "columns" | "rows", variable: string | undefined, otherwise: number): number {
    const own = this.#output[side];
    if (own > 0) return own;
    const given = Number(variable);
    return Number.isInteger(given) && given > 0 ? given : otherwise;
  }

  #drained(): void {
    if (this.#output.writableLength === 0) this.#handlers?.onDrain();
  }

  #onSequence(sequence: string): void {
    const report = parseReport(sequence);
    if (report === undefined) {
      const key = parseKey(sequence);
      if (key !== undefined) this.#handlers?.onInput(key);
      return;
    }
    this.#onReport(report);
    this.#probes.answer(report);
    this.#buffer.expectsReply = this.#probes.isWaiting;
  }

  /** What the terminal says by itself. */
  #onReport(report: Report): void {
    if (report.kind === "focus") this.#onFocus(report.isFocused);
    else if (report.kind === "appearance") {
      this.#learn({ appearance: report.appearance });
      this.#probes.ask("background");
    } else if (report.kind === "resize") {
      if (report.cellSize !== undefined) this.#learn({ cellSize: report.cellSize });
      const isSame = report.columns === this.#columns && report.rows === this.#rows;
      this.#columns = report.columns;
      this.#rows = report.rows;
      if (!isSame) this.#handlers?.onResize();
    } else if (report.kind === "attributes") this.#onAttributes(report.attributes);
  }

  #onFocus(isFocused: boolean): void {
    // The desktop may have gone from light to dark meanwhile, and this terminal would not say so by itself.
    if (isFocused && this.#saidBackground && !this.#hasAppearanceReports) this.#probes.ask("background");
    this.#handlers?.onFocus(isFocused);
  }

  #onAttributes(attributes: readonly number[]): void {
    const hasSixel = attributes.includes(4) && !this.#capabilities.isMultiplexer;
    if (hasSixel && this.#capabilities.images === "none" && imageOverride(this.#environment) === undefined) {
      this.#learn({ images: "sixel" });
    }
  }

  #onProbe({ kind, report }: ProbeResult): void {
    if (kind === "keyboard") this.#onKeyboard(report);
    else if (kind === "background" && report?.kind === "background") {
      this.#saidBackground = true;
      this.#learn({ appearance: luminance(report.colour) < 0.5 ? "dark" : "light" });
    } else if (kind === "cellSize" && report?.kind === "cellSize") {
      this.#learn({ cellSize: { width: report.width, height: report.height } });
    } else if (kind === "notifications" && report !== undefined) this.#onNotifications();
    else if (kind === "graphics" && report?.kind === "graphics" && report.isOk) this.#onGraphics();
    else if (report?.kind === "mode") this.#onMode(kind, report.isKnown);
  }

  #onKeyboard(report: Report | undefined): void {
    this.#keyboard.answer(report !== undefined);
    this.#learn({ kittyKeyboard: report !== undefined });
  }

  #onGraphics(): void {
    const isFree = imageOverride(this.#environment) === undefined && !this.#capabilities.isMultiplexer;
    if (isFree) this.#learn({ images: "kitty" });
  }

  #onNotifications(): void {
    if (notificationOverride(this.#environment) === undefined) this.#learn({ notifications: "osc99" });
  }

  #onMode(kind: ProbeResult["kind"], isKnown: boolean): void {
    if (kind === "synchronizedOutput") {
      if (synchronizedOutputOverride(this.#environment) === undefined)
        this.#learn({ synchronizedOutput: isKnown });
    } else if (kind === "inBandResize" && isKnown) {
      this.#hasInBandResize = true;
      this.write(inBandResize.on);
    } else if (kind === "appearanceReports" && isKnown) {
      this.#hasAppearanceReports = true;
      this.write(appearanceReports.on);
    }
  }

  /** Tells of capabilities only where one changed. */
  #learn(found: Partial<Capabilities>): void {
    const next = { ...this.#capabilities, ...found };
    if (JSON.stringify(next) === JSON.stringify(this.#capabilities)) return;
    this.#capabilities = next;
    this.#handlers?.onCapabilities();
  }
}

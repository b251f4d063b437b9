// The theme that is in force. Everyone draws with this one object, which stays the same while its colours change; rows that
// were kept for it are old when its `revision` grows.
//
//   auto       the name in the slot (dark or light) that the terminal's appearance chooses
//   set        a name, until the slot or the settings change; a failure falls back to the dark default and is reported
//   preview    for a moment: a failure changes nothing
//
// A custom theme's file is watched while it is in force. A change that cannot be read keeps the last good one, and so does a
// file that is gone: editors remove and write anew.

import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { log } from "@stet/storage/operator-log";
import { isAsciiOnly } from "@stet/tui/terminal/locale";
import { type Appearance, appearanceOf, asksSystem, systemAppearance } from "./appearance.ts";
import { builtInNames, darkTheme } from "./built-in.ts";
import type { ColourMode } from "./colours.ts";
import { customThemeFile, customThemesFolder, loadTheme, readCustomTheme } from "./load-theme.ts";
import { type Paint, type PaintOptions, paintOf } from "./paint.ts";
import type { SymbolPreset } from "./symbols.ts";
import type { BackgroundToken, Emphasis, SymbolName, TextToken, Theme } from "./theme.ts";
import type { ThemeData } from "./theme-file.ts";

export interface ThemeSettings {
  readonly "theme.dark": string;
  readonly "theme.light": string;
  readonly symbolPreset: SymbolPreset;
  readonly colorBlindMode: boolean;
}

export interface LiveThemeOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly colours: ColourMode;
  /** Called after each change: what is in the window is drawn again, history stays. */
  readonly onChange: () => void;
  /** No sequences at all: for a terminal without any. */
  readonly isPlain?: boolean;
  readonly platform?: NodeJS.Platform;
}

export type ThemeResult = { readonly success: true } | { readonly success: false; readonly error: Fault };

/** An editor writes a file in several steps; one reload is enough. */
const settleTime = 80;

export class LiveTheme implements Theme {
  readonly #options: LiveThemeOptions;
  readonly #folder: string;
  #settings: ThemeSettings | undefined;
  #colours: ColourMode;
  #reported: Appearance | undefined;
  #system: Appearance | undefined;
  /** What the slot asked for last. */
  #slotName: string | undefined;
  #name: string;
  #data: ThemeData;
  #paint: Paint;
  #revision = 0;
  /** The latest request: an earlier one that takes longer is dropped. */
  #request = 0;
  #watched: { readonly name: string; readonly watcher: FSWatcher } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveThemeOptions) {
    this.#options = options;
    this.#folder = customThemesFolder(options.environment);
    this.#colours = options.colours;
    this.#data = darkTheme();
    this.#name = this.#data.name;
    this.#paint = paintOf(this.#data, this.#paintOptions());
  }

  /** The name by which it was asked for: that of the file, for a custom one. */
  get name(): string {
    return this.#name;
  }

  get revision(): number {
    return this.#revision;
  }

  get data(): ThemeData {
    return this.#data;
  }

  get folder(): string {
    return this.#folder;
  }

  get appearance(): Appearance {
    const { environment, platform } = this.#options;
    return appearanceOf({
      reported: this.#reported,
      environment,
      system: this.#system,
      ...(platform && { platform }),
    });
  }

  fg(token: TextToken, text: string): string {
    return this.#paint.fg(token, text);
  }

  bg(token: BackgroundToken, text: string): string {
    return this.#paint.bg(token, text);
  }

  emphasis(kind: Emphasis, text: string): string {
    return this.#paint.emphasis(kind, text);
  }

  symbol(name: SymbolName): string {
    return this.#paint.symbol(name);
  }

  /** From the settings, at the start and after they changed. */
  async configure(settings: ThemeSettings): Promise<ThemeResult> {
    this.#settings = settings;
    if (asksSystem(this.#options.environment, this.#options.platform))
      this.#system = await systemAppearance();
    return this.#useSlot();
  }

  /** What the terminal told: how many colours it has, and its background. */
  async terminalChanged(colours: ColourMode, reported: Appearance | undefined): Promise<ThemeResult> {
    const isOther = colours !== this.#colours;
    this.#colours = colours;
    this.#reported = reported ?? this.#reported;
    if (isOther) this.#apply(this.#name, this.#data);
    // The same slot again needs no second load, and a theme that failed no second report.
    return this.#slotName === this.#wantedName() ? { success: true } : this.#useSlot();
  }

  /** Falls back to the dark default where it fails. */
  async setTheme(name: string): Promise<ThemeResult> {
    const result = await this.previewTheme(name);
    if (!result.success) {
      const dark = darkTheme();
      this.#apply(dark.name, dark);
    }
    return result;
  }

  /** Changes nothing where it fails. */
  async previewTheme(name: string): Promise<ThemeResult> {
    this.#request += 1;
    const request = this.#request;
    const data = await loadTheme(name, this.#folder);
    if (request !== this.#request) return { success: true };
    if (isFault(data)) return { success: false, error: data };
    this.#apply(name, data);
    return { success: true };
  }

  close(): void {
    this.#request += 1;
    this.#stopWatching();
  }

  #wantedName(): string | undefined {
    return this.#settings?.[this.appearance === "dark" ? "theme.dark" : "theme.light"];
  }

  async #useSlot(): Promise<ThemeResult> {
    this.#slotName = this.#wantedName();
    return this.#slotName === undefined ? { success: true } : this.setTheme(this.#slotName);
  }

  #paintOptions(): PaintOptions {
    const { environment, isPlain = false } = this.#options;
    const { symbolPreset = "unicode", colorBlindMode = false } = this.#settings ?? {};
    // Unicode is the default: a theme may prefer another set, and a locale without UTF-8 needs one.
    const otherwise = isAsciiOnly(environment) ? "ascii" : undefined;
    return {
      colours: this.#colours,
      isPlain,
      isColourBlind: colorBlindMode,
      preset: symbolPreset === "unicode" ? otherwise : symbolPreset,
    };
  }

  #apply(name: string, data: ThemeData): void {
    this.#name = name;
    this.#data = data;
    this.#paint = paintOf(data, this.#paintOptions());
    this.#revision += 1;
    this.#watch(name);
    this.#options.onChange();
  }

  #watch(name: string): void {
    if (this.#watched?.name === name) return;
    this.#stopWatching();
    const path = builtInNames.includes(name) ? undefined : customThemeFile(name, this.#folder);
    if (path === undefined) return;
    try {
      // The folder and not the file: an editor that saves puts another file in its place.
      const watcher = watch(this.#folder, { persistent: false }, (_, file) => {
        if (file === null || file === basename(path)) this.#reloadSoon(name);
      });
      watcher.on("error", (error) => log("warn", "theme.watch", { theme: name }, error));
      this.#watched = { name, watcher };
    } catch (error) {
      // No more watchers, or a file system without any: the theme is as it was read.
      log("warn", "theme.watch", { theme: name }, error);
    }
  }

  #stopWatching(): void {
    clearTimeout(this.#timer);
    this.#watched?.watcher.close();
    this.#watched = undefined;
  }

  #reloadSoon(name: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const data = readCustomTheme(name, this.#folder);
      if (this.#name !== name) return;
      if (isFault(data)) log("info", "theme.kept", { theme: name, reason: data.message });
      else this.#apply(name, data);
    }, settleTime).unref();
  }
}

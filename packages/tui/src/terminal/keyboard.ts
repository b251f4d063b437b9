// The keyboard protocol: Kitty's where the terminal knows it, otherwise xterm's modifyOtherKeys, so that Shift-Enter is not Enter.
// modifyOtherKeys is turned on when the terminal says that it does not know the other one, or after a short time without an
// answer. An answer that comes after that still wins.

/**
 * Disambiguated keys and the other characters of a key; with releases where somebody wants them. Otherwise the release of the key
 * that ends the program could reach the shell, where a connection is slow.
 */
const kitty = { on: "\u001b[>5u", withReleases: "\u001b[>7u", off: "\u001b[<u" };
const modifyOtherKeys = { on: "\u001b[>4;2m", off: "\u001b[>4;0m" };

const answerMs = 200;

export class Keyboard {
  readonly #write: (text: string) => void;
  readonly #wantsReleases: boolean;
  #mode: "plain" | "kitty" | "modifyOtherKeys" = "plain";
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void, wantsReleases: boolean) {
    this.#write = write;
    this.#wantsReleases = wantsReleases;
  }

  start(): void {
    this.#timer = setTimeout(() => this.answer(false), answerMs);
    this.#timer.unref();
  }

  answer(hasKitty: boolean): void {
    clearTimeout(this.#timer);
    if (hasKitty && this.#mode !== "kitty") {
      this.#write(this.restoring + (this.#wantsReleases ? kitty.withReleases : kitty.on));
      this.#mode = "kitty";
    } else if (!hasKitty && this.#mode === "plain") {
      this.#write(modifyOtherKeys.on);
      this.#mode = "modifyOtherKeys";
    }
  }

  /** What turns off the mode that is on. */
  get restoring(): string {
    if (this.#mode === "plain") return "";
    return this.#mode === "kitty" ? kitty.off : modifyOtherKeys.off;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#mode = "plain";
  }
}

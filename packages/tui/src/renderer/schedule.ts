// When frames are drawn. Requests until the next frame become one frame; frames come no closer than `minimumFrameInterval`.
// What a person did with a key is drawn at once, with everything else that waits.

/** Milliseconds between two frames that no key asked for: 60 a second. */
export const minimumFrameInterval = 16;

export class FrameSchedule {
  readonly #draw: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isUrgent = false;
  #lastFrame = Number.NEGATIVE_INFINITY;
  #isHeld = false;
  #isStopped = true;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  start(): void {
    this.#isStopped = false;
  }

  stop(): void {
    this.#isStopped = true;
    this.#clear();
  }

  request(): void {
    if (this.#timer !== undefined || this.#isUrgent || this.#isHeld || this.#isStopped) return;
    const wait = this.#lastFrame + minimumFrameInterval - performance.now();
    this.#timer = setTimeout(() => this.#run(), Math.max(0, wait));
  }

  /** After everything that came in the same read of the terminal was handled. */
  requestUrgent(): void {
    if (this.#isUrgent || this.#isHeld || this.#isStopped) return;
    this.#isUrgent = true;
    queueMicrotask(() => {
      if (this.#isUrgent) this.#run();
    });
  }

  /** No frame until the time is over: the window is being dragged, and each frame would be for a size of the past. */
  hold(milliseconds: number): void {
    if (this.#isStopped) return;
    this.#clear();
    this.#isHeld = true;
    this.#timer = setTimeout(() => {
      this.#isHeld = false;
      this.#run();
    }, milliseconds);
  }

  /** Draws now where something waits. */
  flush(): void {
    if (this.#timer !== undefined || this.#isUrgent) this.#run();
  }

  #run(): void {
    this.#clear();
    if (this.#isStopped) return;
    this.#lastFrame = performance.now();
    this.#draw();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isUrgent = false;
    this.#isHeld = false;
  }
}

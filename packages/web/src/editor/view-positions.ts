// Where the cursor and the text stood in each document, kept by the browser for as long as this tab of it lives: a page that is
// loaded again goes on where it was.

const key = "stet.places";

export interface ViewPosition {
  /** The cursor. */
  readonly head: number;
  /** The start of the first line in sight. */
  readonly top: number;
}

export function keepPositions(places: ReadonlyMap<number, ViewPosition>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(places)));
  } catch {
    // A browser that keeps nothing starts at the top.
  }
}

export function keptPosition(document: number): ViewPosition | undefined {
  try {
    const kept: unknown = JSON.parse(globalThis.sessionStorage?.getItem(key) ?? "{}");
    if (typeof kept !== "object" || kept === null) return undefined;
    const place: unknown = Object.entries(kept).find(([id]) => id === String(document))?.[1];
    if (typeof place !== "object" || place === null || !("head" in place) || !("top" in place))
      return undefined;
    const { head, top } = place;
    return typeof head === "number" && typeof top === "number" ? { head, top } : undefined;
  } catch {
    return undefined;
  }
}

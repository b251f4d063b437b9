// The commit ledger: which rows of the frame are in the terminal's history, and which row is the first one of the window.
//
//   C  committed   rows [0, C) were scrolled into the history; nobody can change them any more
//   W  top         the window shows rows [W, W + height); W >= C, except right after a frame shrank into its history
//   B  boundary    commitSafeEnd ?? liveRegionStart ?? length: rows from here on may still change, and stay in the window
//   L  length      rows of the frame
//
//   ordinary:          W = max(C, L - height)      C' = max(C, min(B, W))
//   below an overlay:  W as above                  C' = C; what is missing follows when the overlay closes
//   L <= C (shrink):   W = max(0, L - height)      C' = min(B, W); the old copy stays in the history
//
// All that is ever added to the history are the rows [C, C'), in order, as they are at that moment.

export interface Ledger {
  readonly committed: number;
  readonly top: number;
}

export interface FrameExtent {
  readonly length: number;
  readonly liveStart: number | undefined;
  readonly commitSafeEnd: number | undefined;
}

export function boundaryOf(frame: FrameExtent): number {
  const boundary = frame.commitSafeEnd ?? frame.liveStart ?? frame.length;
  return Math.max(0, Math.min(boundary, frame.length));
}

export function isShrink(committed: number, length: number): boolean {
  return committed > 0 && length <= committed;
}

export function advance(committed: number, frame: FrameExtent, height: number, isFrozen: boolean): Ledger {
  const boundary = boundaryOf(frame);
  if (isShrink(committed, frame.length)) {
    const top = Math.max(0, frame.length - height);
    return { committed: Math.min(boundary, top), top };
  }
  const top = Math.max(committed, frame.length - height);
  return { committed: isFrozen ? committed : Math.max(committed, Math.min(boundary, top)), top };
}

// Numbers for a document's texts, as the tabs dialect shows them. One number never names two texts.
//
//   decided   what the person has accepted or written; moves when they edit or accept, not when they reject
//   current   with everything that is still open; the same number where nothing is open
//   issued    the highest number that was ever given out

import type { EntryBody } from "./document-state.ts";

export interface Versions {
  readonly decided: number;
  readonly current: number;
  readonly issued: number;
}

export function firstVersions(number: number): Versions {
  return { decided: number, current: number, issued: number };
}

export interface Moved {
  /** Whether the current text is another one now. */
  readonly isText: boolean;
  /** Whether anything is open after it. */
  readonly hasOpen: boolean;
}

export function nextVersions(before: Versions, body: EntryBody, { isText, hasOpen }: Moved): Versions {
  const { decided, current, issued } = before;
  switch (body.kind) {
    case "start":
    case "saved":
      return before;
    case "change":
      if (body.origin === "agent") return moveCurrent(before, body.steps ?? 1, hasOpen);
      return isText ? moveBoth(issued, hasOpen) : before;
    case "disk":
    case "reload":
      if (isText) return moveBoth(issued, hasOpen);
      // Only what is decided has become another text.
      if (body.kind === "disk" && body.pieces !== undefined) return moveDecided(before, hasOpen);
      return before;
    case "decision":
      if (body.verdict === "rejected") return moveCurrent(before, 1, hasOpen);
      return moveDecided(before, hasOpen);
    case "undo":
      if (body.verdict === "rejected") return { decided, current: issued + 1, issued: issued + 1 };
      return { decided: issued + 1, current, issued: issued + 1 };
    case "restore":
      return body.versions === undefined ? moveBoth(issued, hasOpen) : { ...body.versions, issued };
  }
}

function moveCurrent({ decided, issued }: Versions, steps: number, hasOpen: boolean): Versions {
  if (!hasOpen) return { decided, current: decided, issued };
  return { decided, current: issued + steps, issued: issued + steps };
}

/** Where nothing is left open, what was current is now decided, under the number that it had. */
function moveDecided(before: Versions, hasOpen: boolean): Versions {
  const { current, issued } = before;
  return hasOpen ? { decided: issued + 1, current, issued: issued + 1 } : { ...before, decided: current };
}

function moveBoth(issued: number, hasOpen: boolean): Versions {
  const decided = issued + 1;
  const current = hasOpen ? decided + 1 : decided;
  return { decided, current, issued: current };
}

// Identifiers that cross a boundary. Each kind has a prefix, so that a reader and a log can tell them apart.

/** Who made a change. */
export type Origin = "agent" | "user" | "disk";

/** What became of a hunk; `reopened` where a decision was taken back. */
export type DecisionVerdict = "accepted" | "rejected" | "reopened";

export type TurnId = `turn_${string}`;
export type TabId = `tab_${number}`;
export type CheckpointId = `ckpt_${string}`;
/** `h_<document>_<number>`: stable as long as the hunk's lines live. */
export type HunkId = `h_${string}`;

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Time-ordered and unguessable enough for a name: 9 characters of time, 8 of chance. */
export function uniqueSuffix(now: number = Date.now()): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  let suffix = now.toString(36).padStart(9, "0");
  for (const byte of random) suffix += alphabet[byte % alphabet.length];
  return suffix;
}

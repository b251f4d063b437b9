// What the model was shown, as it is kept in a session's file. A value that does not fit is as good as none: the model is
// shown the lines again when it edits.

import * as z from "zod";

const savedFile = z.object({
  path: z.string(),
  /** Of the text in which the lines count, and how to recognise it. */
  revision: z.number(),
  length: z.number(),
  hash: z.string(),
  /** Number, raw line, count, and 1 where others have moved the lines since. */
  told: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly()).readonly(),
  /** Raw lines `[from, to)` that were shown whole. */
  known: z.array(z.tuple([z.number(), z.number()]).readonly()).readonly(),
});

const schema = z.object({ files: z.array(savedFile).readonly() });

export type SavedFile = Readonly<z.infer<typeof savedFile>>;

export interface SavedSight {
  readonly files: readonly SavedFile[];
}

/** The oldest files are left out beyond so many spans. */
const maxSpans = 1500;

export function savedSight(value: unknown): SavedSight {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : { files: [] };
}

/** Bounded, so that a session's file grows by little with each turn. */
export function boundedSight({ files }: SavedSight): SavedSight {
  let spans = 0;
  const kept = files.toReversed().filter(({ told, known }) => {
    spans += told.length + known.length;
    return spans <= maxSpans;
  });
  return { files: kept.toReversed() };
}

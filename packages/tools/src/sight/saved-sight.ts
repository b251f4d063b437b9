// What the model was shown, as it is kept in a session's file. A value that does not fit is as good as none: the model is
// shown the lines again when it edits.

import * as z from "zod";

/** A text, and how to recognise it. */
const savedText = z.object({ revision: z.number(), length: z.number(), hash: z.string() });

const savedFile = z.object({
  path: z.string(),
  /** The first is the one in which the lines of `numbered` and `known` count. */
  texts: z.array(savedText).min(1).readonly(),
  /** Number, raw line, count, 1 where others have moved the lines since, and 1 where the number is doubtful. */
  numbered: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]).readonly())
    .readonly(),
  /** Raw lines `[from, to)` that were shown whole. */
  known: z.array(z.tuple([z.number(), z.number()]).readonly()).readonly(),
  /** Which of the texts was shown, and which of its lines, 1-based and inclusive; or the version that stands for it. */
  shown: z.array(z.tuple([z.number(), z.number(), z.number(), z.string()]).readonly()).readonly(),
});

const schema = z.object({ files: z.array(savedFile).readonly() });

export type SavedText = Readonly<z.infer<typeof savedText>>;
export type SavedSightFile = Readonly<z.infer<typeof savedFile>>;

export interface SavedSight {
  readonly files: readonly SavedSightFile[];
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
  const kept = files.toReversed().filter(({ numbered, known, shown }) => {
    spans += numbered.length + known.length + shown.length;
    return spans <= maxSpans;
  });
  return { files: kept.toReversed() };
}

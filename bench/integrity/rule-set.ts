// What is compared: a format in which an edit is written, with the rules by which it is applied.

import type { Case } from "./cases.ts";
import type { Outcome } from "./judge.ts";

export interface RuleSet {
  readonly name: string;
  readonly isOurs: boolean;
  /** What the rules are, in a sentence or two. */
  readonly about: string;
  /** Where they are described in public; undefined for ours. */
  readonly source?: string | undefined;
  /** Undefined where the format cannot say this edit, or has no room for the slip. */
  run(one: Case): Promise<Ran | undefined>;
  close?(): Promise<void>;
}

export interface Ran {
  readonly outcome: Outcome;
  /** The edit as it was written, for counting its tokens. */
  readonly written: string;
  /** What a second try came to, written from the message of the refusal alone; undefined where it tells too little. */
  readonly retried?: Outcome | undefined;
  /** The case as it really happened, where that is not exactly as it was made up. */
  readonly judgedAs?: Case | undefined;
}

/** Rules that need nothing but the text of the file. */
export interface TextRules<Written> {
  readonly name: string;
  readonly about: string;
  readonly source: string;
  write(one: Case): Written | undefined;
  apply(content: string, written: Written, one: Case): Outcome;
  /** The edit written anew, from what the message shows; without it, a slip is mended by writing with care what was seen. */
  rewrite?(one: Case, message: string): Written | undefined;
}

export function textRuleSet<Written>(rules: TextRules<Written>, contentOf: (one: Case) => string): RuleSet {
  const { name, about, source } = rules;
  return {
    name,
    about,
    source,
    isOurs: false,
    async run(one) {
      const written = rules.write(one);
      if (written === undefined) return undefined;
      const content = contentOf(one);
      const outcome = rules.apply(content, written, one);
      const again = outcome.kind === "refused" ? rewritten(rules, one, outcome.message) : undefined;
      const retried = again === undefined ? undefined : rules.apply(content, again, one);
      return { outcome, written: JSON.stringify(written), retried };
    },
  };
}

function rewritten<Written>(rules: TextRules<Written>, one: Case, message: string): Written | undefined {
  if (rules.rewrite !== undefined) return rules.rewrite(one, message);
  return one.slip === "none" ? undefined : rules.write({ ...one, slip: "none" });
}

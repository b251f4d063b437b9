// Questions to the person. Only offered where someone is there to answer.

import { defineTool } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import { noAnswer } from "@stet/protocol/question-text";
import * as z from "zod";
import { prompt } from "../../prompt.ts";
import type { CodeContext } from "../code-context.ts";

const question = z.object({
  id: z.string().min(1),
  question: z.string().min(1),
  options: z
    .array(z.object({ label: z.string().min(1) }))
    .describe("the person can always type something else"),
  multi: z.boolean().optional().describe("several may be chosen"),
  recommended: z.number().int().optional().describe("index of the option you would take, from 0"),
});

type Question = z.infer<typeof question>;

interface Answer {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly multi: boolean;
  readonly selectedOptions: readonly string[];
  readonly customInput?: string;
}

export const ask = (context: Pick<CodeContext, "ask" | "isInteractive">) =>
  defineTool({
    name: "ask",
    description: prompt(import.meta.url, "ask"),
    traits: ["asks", "exclusive"],
    words: () => "Ask you",
    schema: z.object({ questions: z.array(question).min(1) }),
    async execute({ questions }, { signal, callId }) {
      if (!context.isInteractive) return nobody();
      const answers: Answer[] = [];
      for (const one of questions) {
        const asked = {
          kind: "clarification",
          text: wording(one),
          options: labels(one),
          ...(one.multi === true ? { multi: true } : {}),
        } as const;
        const said = await context.ask(asked, signal, callId);
        if (said === noAnswer) return skipped(one, answers);
        answers.push(answerTo(one, said));
      }
      const [only] = answers;
      if (answers.length === 1 && only !== undefined) {
        const { id, ...details } = only;
        return { content: answerText(only), details };
      }
      const lines = answers.map((answer) => `${answer.id}: ${answerText(answer)}`);
      return { content: `User answers:\n${lines.join("\n")}`, details: { results: answers } };
    },
  });

const recommendedMark = " (Recommended)";

function labels({ options, recommended, multi = false }: Question): string[] {
  return options.map(({ label }, index) =>
    index === recommended && !multi ? label + recommendedMark : label,
  );
}

function wording({ question: text, multi = false }: Question): string {
  return multi ? `${text}\n(Several can be chosen: their numbers or texts, separated by commas.)` : text;
}

/** A choice by its text or number, or else the person's own words. */
function answerTo({ id, question: text, options, multi = false }: Question, said: string): Answer {
  const names = options.map(({ label }) => label);
  const common = { id, question: text, options: names, multi };
  const parts = multi ? said.split(",").map((part) => part.trim()) : [said];
  const chosen = parts.flatMap((part) => {
    const plain = part.endsWith(recommendedMark) ? part.slice(0, -recommendedMark.length) : part;
    const exact = names.find((name) => name === plain || name === part);
    return exact ?? (multi && /^\d+$/.test(part) ? (names[Number(part) - 1] ?? []) : []);
  });
  if (chosen.length === parts.length) return { ...common, selectedOptions: [...new Set(chosen)] };
  return { ...common, selectedOptions: [], customInput: said };
}

function answerText({ selectedOptions, customInput }: Answer): string {
  return customInput === undefined
    ? `User selected: ${selectedOptions.join(", ")}`
    : `User provided custom input: ${customInput}`;
}

function skipped({ question: text }: Question, answers: readonly Answer[]): Fault {
  return new Fault(
    "skipped",
    `The person did not answer ${JSON.stringify(text)}.`,
    "Go on with what you would recommend and say so, or end your turn and say what you need to know.",
    { answers },
  );
}

function nobody(): Fault {
  return new Fault(
    "skipped",
    "Nobody is there who could answer a question.",
    "Go on with what you would recommend, and say in the end what you assumed.",
  );
}

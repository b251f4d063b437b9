// Arithmetic, so that a model need not guess at it. One bad expression refuses the whole batch.

import { defineTool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { prompt } from "../../prompt.ts";
import { evaluate } from "./expression.ts";

const maxCalculations = 100;

export const calc = () =>
  defineTool({
    name: "calc",
    description: prompt(import.meta.url, "calc"),
    traits: [],
    words: () => "Calculate",
    schema: z.object({
      calculations: z
        .array(
          z.object({
            expression: z.string().describe("such as (2 + 3) * 0x10 ** 2"),
            prefix: z.string().describe("put before the result"),
            suffix: z.string().describe("put after the result"),
          }),
        )
        .min(1)
        .max(maxCalculations),
    }),
    async execute({ calculations }) {
      const results: { expression: string; value: number; output: string }[] = [];
      for (const { expression, prefix, suffix } of calculations) {
        const value = evaluate(expression);
        if (isFault(value)) return named(value, expression);
        results.push({ expression, value, output: `${prefix}${value}${suffix}` });
      }
      return { content: results.map(({ output }) => output).join("\n"), details: { results } };
    },
  });

function named({ error, message, suggestion, details }: Fault, expression: string): Fault {
  return new Fault(
    error,
    `${message} in ${JSON.stringify(expression.slice(0, 200))}. Nothing was calculated.`,
    suggestion,
    {
      ...details,
      expression,
    },
  );
}

// What stands in the way of people who use a page by keyboard, by ear or with little sight, as far as axe-core can tell.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

const maxShown = 160;
/** What the colours alone decide. */
const colourRules = ["color-contrast", "link-in-text-block"];
/** Off by itself: whoever speaks to the page says what is written on a button, so that has to be part of its name. */
const options = { rules: { "label-content-name-mismatch": { enabled: true } } };

/** What fades in has its colours only when it is there. */
const settle = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
).then(() => undefined)`;

/** The serious and critical ones, each with the elements that it is about; `exclude` names parts to leave out. */
export function seriousViolations(page: Page, exclude: readonly string[] = []): Promise<string[]> {
  return violationsOf(page, exclude, options);
}

/** Those of a page that was looked at as a whole in other colours. */
export function colourViolations(page: Page): Promise<string[]> {
  return violationsOf(page, [], { runOnly: { type: "rule", values: colourRules } });
}

async function violationsOf(page: Page, exclude: readonly string[], options: unknown): Promise<string[]> {
  // Not as a script of the page, which its policy would refuse.
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8"));
  await page.evaluate(settle);
  const found: readonly Violation[] = await page.evaluate(
    `axe.run({ exclude: ${JSON.stringify(exclude)} }, ${JSON.stringify(options)}).then((result) => result.violations)`,
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, maxShown)).join(" | ")}`);
}

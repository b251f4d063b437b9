// The forms of a name that change. The name itself is found by code; other names of the same character are proposed by
// analysers, and decided on once for the whole document, so that chapter 3 and chapter 40 agree.
//
// Only chunks in which a word of the name occurs are read for other names: nowhere else could anyone know whom a nickname
// means. Once decided, it is changed everywhere.

import type { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Chunk } from "@stet/text/sentences/chunks";
import { chunkName } from "./document-chunks.ts";
import { countNames, type NameForm, namePattern, wordsOf } from "./names.ts";
import { nameFormsRole, namePlanRole, type Rename } from "./transform-kinds.ts";
import { assign, assignOne, type Workshop } from "./workshop.ts";

const sampleLength = 120;
const maxForms = 40;

export async function planNames(
  workshop: Workshop,
  text: Text,
  chunks: readonly Chunk[],
  { oldName, newName }: Rename,
): Promise<NameForm[] | Fault> {
  const own = { form: oldName, replacement: newName };
  const task = { old_name: oldName, new_name: newName };
  const anyWord = namePattern(wordsOf(oldName), { ignoresCase: true });
  const mentioned = chunks.filter((chunk) => chunk.text.search(anyWord) >= 0);
  const reports = await assign(
    workshop,
    nameFormsRole,
    mentioned.map((chunk) => ({
      name: `other names in ${chunkName(chunk, chunks)}`,
      task: { old_name: oldName },
      context: chunk.before,
      document: chunk.text,
    })),
    { doing: "Looking for other names", isKept: true },
  );
  if (isFault(reports)) return reports;
  const proposed = proposals(
    text,
    reports.flatMap(({ forms }) => forms.map(({ form }) => form.trim())),
    own,
  );
  if (proposed.length === 0) return [own];
  const plan = await assignOne(
    workshop,
    namePlanRole,
    {
      name: "the plan of names",
      task,
      document: proposed.map((form) => JSON.stringify(form)).join("\n"),
      check: ({ forms }) => {
        const unknown = forms.find(({ form }) => !proposed.some((one) => one.form === form));
        return unknown === undefined
          ? undefined
          : `“${unknown.form}” is not one of the forms that were found.`;
      },
    },
    { doing: "Planning names", isKept: false },
  );
  if (isFault(plan)) return plan;
  return [
    own,
    ...plan.forms.filter(({ form, replacement }) => form !== replacement && !/[\n\r]/.test(replacement)),
  ];
}

interface ProposedForm {
  readonly form: string;
  readonly count: number;
  readonly sample: string;
}

/** Forms that do occur, are not the name itself with more words around it, and look like names. */
function proposals(text: Text, forms: readonly string[], own: NameForm): ProposedForm[] {
  const isName = (form: string) => {
    if (form === "" || form === own.form || form === own.replacement || /^\p{Ll}/u.test(form)) return false;
    return !namePattern([own.form], { ignoresCase: true }).test(form);
  };
  const distinct = [...new Set(forms)].filter(isName);
  const counts = countNames(text.toString(), distinct);
  return distinct
    .flatMap((form) => {
      const counted = counts.get(form);
      if (counted === undefined) return [];
      const sample = text.lineAt(counted.first).text.trim().slice(0, sampleLength);
      return [{ form, count: counted.count, sample }];
    })
    .toSorted((one, other) => other.count - one.count)
    .slice(0, maxForms);
}

// Other forms of a name that are parts of it: "John" and "Smith" for "John Smith". Nicknames need understanding.

import type { SubagentMaterial } from "./subagent-material.ts";
import { literally } from "./words.ts";

const title =
  /^(?:Captain|Mr|Mrs|Ms|Miss|Dr|Doctor|Sir|Lady|Lord|King|Queen|Father|Mother|Aunt|Uncle|Professor|St|de|von|van|the|of)\.?$/i;

export function nameForms({ task, document }: SubagentMaterial): Record<string, unknown> {
  const name = String(task.old_name ?? "");
  const words = name.split(/\s+/);
  if (words.length < 2) return { forms: [] };
  const rest = document.replace(new RegExp(words.map(literally).join("\\s+"), "gu"), " ");
  const alone = words.filter((word) => {
    const isName = /^\p{Lu}/u.test(word) && word.length > 2 && !title.test(word);
    return isName && new RegExp(`(?<![\\p{L}\\p{N}])${literally(word)}(?![\\p{L}\\p{N}])`, "u").test(rest);
  });
  return { forms: [...new Set(alone)].map((form) => ({ form, reason: `part of ${name}` })) };
}

export function namePlan({ task, document }: SubagentMaterial): Record<string, unknown> {
  const old = String(task.old_name ?? "").split(/\s+/);
  const renamed = String(task.new_name ?? "").split(/\s+/);
  const forms = document.split("\n").flatMap((line) => {
    const { form } = JSON.parse(line) as { form: string };
    const at = old.indexOf(form);
    if (at < 0) return [];
    const fromEnd = at === old.length - 1 ? renamed.at(-1) : renamed[Math.min(at, renamed.length - 1)];
    const replacement = old.length === renamed.length ? renamed[at] : fromEnd;
    return replacement === undefined || replacement === form ? [] : [{ form, replacement }];
  });
  return { forms };
}

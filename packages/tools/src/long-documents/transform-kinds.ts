// What can be done to a whole document, with the parameters of each, and the shapes of what its subagents return.

import { Fault } from "@stet/protocol/fault";
import * as z from "zod";
import { listOf, remark, roleOf, written } from "./workshop.ts";

export const transformations = ["character_rename", "setting_change", "style_rewrite", "custom"] as const;
export type Transformation = (typeof transformations)[number];

export const paramsSchema = z.looseObject({
  old_name: z.string().optional().describe("character_rename: the name as the document writes it"),
  new_name: z.string().optional().describe("character_rename: the new name"),
  update_pronouns: z.boolean().optional().describe("character_rename: change pronouns, too; needs gender"),
  gender: z.string().optional().describe('character_rename: the gender after the change, "male" or "female"'),
  old_setting: z.string().optional().describe("setting_change: the place or time as it is"),
  new_setting: z.string().optional().describe("setting_change: what it becomes"),
  adapt_details: z.boolean().optional().describe("setting_change: adapt details, too; true unless given"),
  style: z.string().optional().describe("style_rewrite: the style to write in"),
});

export interface Rename {
  readonly kind: "character_rename";
  readonly oldName: string;
  readonly newName: string;
  /** Undefined where pronouns stay as they are. */
  readonly gender: string | undefined;
  readonly wantsPronouns: boolean;
}

export interface Rewrite {
  readonly kind: Exclude<Transformation, "character_rename">;
  /** What subagents are told. */
  readonly task: Readonly<Record<string, unknown>>;
  /** What was done, as the beginning of a sentence. */
  readonly done: string;
}

export interface TransformRequest {
  readonly transformation: Transformation;
  readonly params?: z.infer<typeof paramsSchema> | undefined;
  readonly customPrompt?: string | undefined;
}

export function plannedWork(request: TransformRequest): Rename | Rewrite | Fault {
  const { transformation: kind, params = {}, customPrompt } = request;
  const instructions = customPrompt?.trim() ?? "";
  const extra = instructions === "" ? {} : { instructions };
  switch (kind) {
    case "character_rename":
      return renameOf(params);
    case "setting_change": {
      const { old_setting = "", new_setting = "", adapt_details = true } = params;
      if (old_setting.trim() === "" || new_setting.trim() === "")
        return missing(kind, "params.old_setting and params.new_setting");
      const task = { transform: kind, old_setting, new_setting, adapt_details, ...extra };
      return { kind, task, done: `Moved the setting from '${old_setting}' to '${new_setting}'` };
    }
    case "style_rewrite": {
      const { style = "" } = params;
      if (style.trim() === "" && instructions === "") return missing(kind, "params.style or custom_prompt");
      return { kind, task: { transform: kind, style, ...extra }, done: "Rewrote the style" };
    }
    case "custom":
      if (instructions === "") return missing(kind, "custom_prompt");
      return { kind, task: { transform: kind, ...params, instructions }, done: "Changed the text" };
  }
}

function renameOf(params: z.infer<typeof paramsSchema>): Rename | Fault {
  const oldName = (params.old_name ?? "").trim();
  const newName = (params.new_name ?? "").trim();
  if (oldName === "" || newName === "")
    return missing("character_rename", "params.old_name and params.new_name");
  if (!/[\p{L}\p{N}]/u.test(oldName) || /[\n\r\0]/.test(newName)) {
    return new Fault(
      "invalid_arguments",
      "A name has letters and stands on one line.",
      "Give old_name and new_name as they should stand in the text.",
    );
  }
  if (oldName === newName) {
    return new Fault("no_change", `The character is called ${oldName} already.`, "Give another new_name.");
  }
  const gender = params.gender?.trim();
  const wantsPronouns = params.update_pronouns === true;
  const given = gender === undefined || gender === "" ? undefined : gender;
  return {
    kind: "character_rename",
    oldName,
    newName,
    wantsPronouns,
    gender: wantsPronouns ? given : undefined,
  };
}

function missing(kind: Transformation, what: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The transformation "${kind}" needs ${what}.`,
    "Call the tool again with what is missing.",
    { missing: what },
  );
}

const number = z.number().int().nonnegative();
const line = number.describe("The number before the line");

const questions = z
  .array(z.object({ line, message: written("What is unclear there, in one sentence") }))
  .default([])
  .describe("Places that a person should look at, because more than one reading is possible");

export const nameFormsRole = roleOf("report_name_forms", "name-forms", {
  forms: listOf(
    {
      form: written("The other name exactly as the text writes it"),
      reason: remark("Why it means this character, in a few words"),
    },
    "Other names for the character; empty where there are none",
  ),
});

export const namePlanRole = roleOf("plan_names", "name-plan", {
  forms: listOf(
    {
      form: written("One of the forms that were found"),
      replacement: written("What it becomes everywhere"),
    },
    "The forms that change; a form that is left out stays as it is",
  ),
});

export const pronounsRole = roleOf("edit_pronouns", "pronouns", {
  edits: listOf(
    {
      line,
      word: written("The pronoun as it stands there"),
      replacement: written("The pronoun that goes there, in the same case"),
      occurrence: z.number().int().positive().default(1).describe("Which of this word in the line, from 1"),
    },
    "One entry for each pronoun to change; empty where there is none",
  ),
  questions,
});

export const pronounCheckRole = roleOf("check_pronouns", "pronoun-check", {
  issues: listOf(
    { line, message: written("What contradicts what, in one sentence") },
    "Pronouns that contradict; empty where all are right",
  ),
});

export const termsRole = roleOf("report_terms", "terms", {
  terms: listOf(
    {
      term: written("The word or phrase exactly as the text writes it"),
      note: remark("What it is and why it is affected, in a few words"),
    },
    "What the change must treat alike everywhere; empty where there is nothing",
  ),
});

export const planRole = roleOf("plan_changes", "plan", {
  glossary: listOf(
    {
      term: written("A term exactly as the text writes it"),
      replacement: written("What it becomes everywhere"),
    },
    "Terms that change; what is left out stays as it is",
  ),
  guidelines: z.array(written("One rule")).describe("Rules that all parts must follow alike"),
});

export const rewriteRole = roleOf("rewrite_lines", "rewrite", {
  edits: listOf(
    {
      start_line: number.describe("The first line to replace, by the number before it"),
      end_line: number.describe("The last line to replace, inclusive"),
      content: z.string().describe("The new lines, without numbers; empty to delete the lines"),
    },
    "Edits in order, none overlapping; empty where nothing changes",
  ),
  questions,
});

export type PronounEdit = z.infer<typeof pronounsRole.schema>["edits"][number];
export type RewriteEdit = z.infer<typeof rewriteRole.schema>["edits"][number];
export type Plan = z.infer<typeof planRole.schema>;

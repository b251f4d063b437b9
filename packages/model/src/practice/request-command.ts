// Requests to run a command (see request.ts). What is quoted is the command as it stands. Unquoted, all that is said is the
// command, if it begins like the name of a program: "run npm test", but not "run through the second chapter".

import { operandOf, type Sentence } from "./phrases.ts";
import type { Request } from "./request-lines.ts";

const verb = /^(?:run|execute|chạy)\s+(\S.*)$/isu;
const tests =
  /^(?:(?:all|of|the|my|our|its|these|unit|project|project's)\s+){0,4}(?:tests?|test\s+suite|kiểm thử)[.!?]*$/iu;
const quotedCommand =
  /^(?:the\s+|this\s+)?(?:(?:shell|bash|terminal)\s+)?(?:(?:command|script|lệnh)\s*:?\s+)?(⟦\d+⟧)(?:\s+(?:in|inside|from|trong)\s+(?:the\s+)?(?:(?:folder|directory|thư mục)\s+)?(⟦\d+⟧|[^\s⟦]+?)(?:\s+(?:folder|directory))?)?[.!?]*$/iu;
const commandLead = /^(?:the\s+|this\s+)?(?:(?:shell|bash|terminal)\s+)?(?:command|lệnh)\s*:?\s+/iu;
const programForm = /^(?:[A-Z_][A-Z0-9_]*=\S*|[a-z0-9_.~/][\w.+~/-]*)$/;
const noPrograms = new Set(
  "a an the this that these those it them my your our his her its some any all every each another one two three through over into out away again down up for with on in at as after before and or if wild around".split(
    " ",
  ),
);

export function commandRequest(sentence: Sentence): Request | undefined {
  const words = verb.exec(sentence.text)?.[1]?.trim();
  if (words === undefined) return undefined;
  if (tests.test(words)) return { kind: "command", command: undefined, folder: undefined };
  const quoted = quotedCommand.exec(words);
  if (quoted !== null) {
    const command = operandOf(sentence, quoted[1] ?? "").trim();
    const folder = quoted[2] === undefined ? undefined : operandOf(sentence, quoted[2]);
    return command === "" ? undefined : { kind: "command", command, folder };
  }
  const plain = words.replace(commandLead, "");
  const program = plain.split(/\s/, 1)[0] ?? "";
  if (!programForm.test(program) || noPrograms.has(program)) return undefined;
  return { kind: "command", command: asWritten(sentence, plain), folder: undefined };
}

/** With its quotations, and without the full stop of the sentence: that of "ls ." and "./..." is part of the command. */
function asWritten(sentence: Sentence, words: string): string {
  return words
    .replace(/(?<=[\p{L}\p{N}⟧])[.!?]$/u, "")
    .replace(/⟦(\d+)⟧/g, (_, index) => sentence.quoted[Number(index)] ?? "");
}

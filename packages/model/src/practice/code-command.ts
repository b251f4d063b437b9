// Running one command with toolset code: in the shell, waited for where it goes on as a job, reported by its exit code and its
// last lines.

import type { AskCode } from "./code.ts";
import { Obstacle, type Steps } from "./steps.ts";

const maxPolls = 20;
const maxLines = 12;

export function* commandAnswer(ask: AskCode, command: string): Steps<string> {
  const name = `\`${command}\``;
  const text = yield* ask("bash", `I run ${command}.`, { command });
  if (text instanceof Obstacle) return `I did not run ${name}: ${text.sentence}`;
  const output = yield* untilEnd(ask, text);
  if (output instanceof Obstacle) return `I did not see the end of ${name}: ${output.sentence}`;
  return answerOf(name, output);
}

/** The output of a command, also where it goes on as a job. */
function* untilEnd(ask: AskCode, started: string): Steps<string | Obstacle> {
  const jobForm =
    /^(?:It takes longer, so it goes on|Started) as a job\b.* Its id is (\S+)\. Wait for it with job /;
  const id = jobForm.exec(started)?.[1];
  if (id === undefined) return started;
  for (let polls = 0; polls < maxPolls; polls += 1) {
    const thought = polls === 0 ? "It takes longer, so I wait for it." : "";
    const text = yield* ask("job", thought, { poll: [id] });
    if (text instanceof Obstacle) return text;
    const completed = text.indexOf("## Completed (");
    // Below the title and the line that names the job.
    if (completed >= 0) return text.slice(completed).split("\n").slice(2).join("\n");
  }
  return new Obstacle("timeout", "it takes longer than I wait, and ends with this turn.");
}

const noteForm =
  /^(?:\[(?:Command exited |Stopped |Shown: |The shell ended |sandboxed: |cwd: |The folder |Put back|The network ).*\]|Changed on disk: .*|)$/;

function answerOf(name: string, text: string): string {
  const lines = text.split("\n");
  const notes: string[] = [];
  while (lines.length > 0 && noteForm.test(lines.at(-1) ?? "")) notes.push(lines.pop() ?? "");
  const noteWith = (start: string) => notes.find((note) => note.startsWith(start));
  const code = /^\[Command exited with code (\S+)\]$/.exec(noteWith("[Command exited ") ?? "")?.[1] ?? "0";
  const stop = /^\[(Stopped [^.,]*)/.exec(noteWith("[Stopped ") ?? "")?.[1];
  const said = [
    `${name} ${stop === undefined ? `ended with exit code ${code}` : `was ${stop.toLowerCase()}`}.`,
  ];
  if (noteWith("[sandboxed: ") !== undefined) said.push("It runs in a sandbox, which may be why.");
  const changed = noteWith("Changed on disk: ");
  if (changed !== undefined) said.push(`${changed}.`);
  if (lines.length === 0 || (lines.length === 1 && lines[0] === "(no output)"))
    return `${said.join(" ")} It printed nothing.`;
  const lastLines = lines.slice(-maxLines);
  said.push(
    lastLines.length < lines.length ? `Its last ${maxLines} of ${lines.length} lines:` : "It printed:",
  );
  const fence = lastLines.some((line) => line.includes("```")) ? "~~~~" : "```";
  return `${said.join(" ")}\n\n${fence}\n${lastLines.join("\n")}\n${fence}`;
}

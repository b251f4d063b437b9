// What only toolset code can do: run a command, and create a file.

import type { CodeState } from "./code-state.ts";
import type { Request } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { counted, listed } from "./words.ts";

type CommandRequest = Request & { readonly kind: "command" };

const maxPolls = 20;
const maxShown = 12;

export function* runCommand(state: CodeState, request: CommandRequest): Steps<string> {
  const wanted =
    request.command === undefined ? yield* testCommand(state) : { ...request, command: request.command };
  if (wanted instanceof Obstacle) return wanted.sentence;
  const { command, folder } = wanted;
  const text = yield* state.ask("bash", `I run ${command}.`, { command, cwd: folder });
  const name = `\`${command}\`${folder === undefined ? "" : ` in ${folder}`}`;
  if (text instanceof Obstacle) return `I did not run ${name}: ${text.sentence}`;
  const ended = yield* untilEnd(state, text);
  if (ended instanceof Obstacle) return `I did not see the end of ${name}: ${ended.sentence}`;
  return answerOf(name, ended);
}

interface Wanted {
  readonly command: string;
  readonly folder: string | undefined;
}

/** What runs the tests of a folder that holds such a file; the first that is there counts. */
const testCommands: readonly (readonly [file: string, command: string])[] = [
  ["pnpm-lock.yaml", "pnpm test"],
  ["yarn.lock", "yarn test"],
  ["package.json", "npm test"],
  ["Cargo.toml", "cargo test"],
  ["go.mod", "go test ./..."],
  ["pyproject.toml", "python3 -m pytest"],
  ["pytest.ini", "python3 -m pytest"],
  ["Makefile", "make test"],
];

function* testCommand(state: CodeState): Steps<Wanted | Obstacle> {
  const pattern = `{${testCommands.map(([file]) => file).join(",")}}`;
  const found = yield* state.find("I look how the tests are run here.", pattern);
  if (found instanceof Obstacle) return found;
  const places = found.files.map((path) => ({
    folder: path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : undefined,
    file: path.slice(path.lastIndexOf("/") + 1),
  }));
  const folders = [...new Set(places.map(({ folder }) => folder))];
  const isSure = folders.includes(undefined) || folders.length === 1;
  const folder = folders.includes(undefined) ? undefined : folders[0];
  const here = places.filter((place) => place.folder === folder).map(({ file }) => file);
  const command = testCommands.find(([file]) => here.includes(file))?.[1];
  if (isSure && command !== undefined) return { command, folder };
  const several = listed(folders.flatMap((one) => one ?? []));
  return new Obstacle(
    "question",
    several === ""
      ? "I find nothing here that tells how the tests are run. Name the command, such as: run `npm test`."
      : `There may be tests in ${several}. Name the command and the folder, such as: run \`npm test\` in ${folders[0]}.`,
  );
}

/** What is told in the end of a command that goes on as a job. */
function* untilEnd(state: CodeState, started: string): Steps<string | Obstacle> {
  const id =
    /^(?:It takes longer, so it goes on|Started) as a job\b.* Its id is (\S+)\. Wait for it with job /.exec(
      started,
    )?.[1];
  if (id === undefined) return started;
  for (let polls = 0; polls < maxPolls; polls += 1) {
    const text = yield* state.ask("job", polls === 0 ? "It takes longer, so I wait for it." : "", {
      poll: [id],
    });
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
  const noted = (start: string) => notes.find((note) => note.startsWith(start));
  const code = /^\[Command exited with code (\S+)\]$/.exec(noted("[Command exited ") ?? "")?.[1] ?? "0";
  const stopped = /^\[(Stopped [^.,]*)/.exec(noted("[Stopped ") ?? "")?.[1];
  const end = stopped === undefined ? `ended with exit code ${code}` : `was ${stopped.toLowerCase()}`;
  const said = [`${name} ${end}.`];
  if (noted("[sandboxed: network") !== undefined)
    said.push("It may need the network, which commands do not have here.");
  if (noted("[sandboxed: only") !== undefined)
    said.push("It may need to write outside of the workspace, which commands cannot do here.");
  const changed = noted("Changed on disk: ");
  if (changed !== undefined) said.push(`${changed}.`);
  const isSilent = lines.length === 0 || (lines.length === 1 && lines[0] === "(no output)");
  if (isSilent) return `${said.join(" ")} It printed nothing.`;
  const shown = lines.slice(-maxShown);
  said.push(shown.length < lines.length ? `Its last ${maxShown} of ${lines.length} lines:` : "It printed:");
  const fence = shown.some((line) => line.includes("```")) ? "~~~~" : "```";
  return `${said.join(" ")}\n\n${fence}\n${shown.join("\n")}\n${fence}`;
}

export function* createFile(state: CodeState, request: Request & { kind: "create" }): Steps<string> {
  const { title: path, text } = request;
  if (state.has("find")) {
    const files = yield* state.list("I look whether it is there already.", undefined, [path]);
    if (files instanceof Obstacle) return files.sentence;
    if (files.includes(path.replace(/^\.\//, "")))
      return `${path} is there already, so I left it as it is. To add to it, say: append “…” to ${path}.`;
  }
  const content = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const answer = yield* state.ask("write", `I create ${path}.`, { path, content });
  if (answer instanceof Obstacle) return `I could not create ${path}: ${answer.sentence}`;
  const lines = content === "" ? 0 : content.split("\n").length - 1;
  return `I created ${path}, ${lines === 0 ? "which is empty" : `with ${counted(lines, "line")}`}.`;
}

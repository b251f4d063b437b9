// What the bundled command loads on the ways that people take most, found by taking them.
//
// Each journey is made once, with a hook that notes every file that is loaded. Modules that the same journeys load share a file
// of the bundle, so each journey loads a few files, and nothing that it does not need.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import type { BundleContents, Group } from "./bundle.ts";

const model = ["--model", "openai-compatible/scripted"];

interface Journey {
  readonly name: string;
  readonly words: readonly string[];
  /** What the model calls. */
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, string>> };
  /** Made in a terminal, until this is on its screen. One character: longer text may be drawn in parts. */
  readonly until?: string;
}

const readsFile = { name: "read_file", arguments: { file_path: "a.txt" } };

/** Providers whose packages have a way of their own beside the compatible one. */
const others = ["openai", "anthropic", "google", "ollama"].map((provider) => ({
  name: provider,
  words: ["--model", `${provider}/scripted`, "-p", "Read it."],
  call: readsFile,
}));

const journeys: readonly Journey[] = [
  { name: "start", words: ["--version"] },
  { name: "prompt", words: model, until: "\u276f" },
  { name: "terminal", words: [...model, "Read the file, and tell me what it has."], until: "\u00b6" },
  {
    name: "turn",
    words: [...model, "-p", "Read it."],
    call: readsFile,
  },
  {
    name: "turn-code",
    words: [...model, "--toolset", "code", "-p", "Read it."],
    call: { name: "read", arguments: { path: "a.txt" } },
  },
  ...others,
];

/** Nothing is noted any more once the text is written that the journey goes to. */
const noteLoads = `import { registerHooks } from "node:module";
import { appendFileSync } from "node:fs";
const { LOADED, UNTIL } = process.env;
let isNoted = true;
registerHooks({ load(url, context, next) { if (isNoted) appendFileSync(LOADED, url + "\\n"); return next(url, context); } });
const write = process.stdout.write.bind(process.stdout);
if (UNTIL) process.stdout.write = (text, ...rest) => { if (String(text).includes(UNTIL)) isNoted = false; return write(text, ...rest); };
`;

/** `entry` starts the command of a bundle with these contents. */
export async function groupsOf(entry: string, contents: BundleContents): Promise<Group[]> {
  const folder = mkdtempSync(join(tmpdir(), "stet-journeys-"));
  try {
    writeFileSync(join(folder, "note-loads.mjs"), noteLoads);
    const loaders = new Map<string, string[]>();
    for (const journey of journeys) {
      const files = await loadedBy(journey, entry, folder);
      for (const module of new Set(files.flatMap((file) => contents.get(file) ?? [])))
        loaders.set(module, [...(loaders.get(module) ?? []), journey.name]);
    }
    const shared = Map.groupBy(loaders.keys(), (module) => loaders.get(module)?.join("-") ?? "");
    // The bundler gives a group also what its modules import, unless a group before has it. What a module imports is loaded
    // by the same journeys, and maybe by others: those come first.
    const journeysOf = (name: string) => loaders.get(shared.get(name)?.[0] ?? "")?.length ?? 0;
    return [...shared]
      .sort(([one], [other]) => journeysOf(other) - journeysOf(one))
      .map(([name, modules]) => ({ name, modules: new Set(modules) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The names of the bundle's files that were loaded. */
async function loadedBy(journey: Journey, entry: string, folder: string): Promise<string[]> {
  const { name, words, call, until } = journey;
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a line\n");
  const calls = call === undefined ? [] : [{ toolCalls: [call] }];
  const scripted = await startScriptedModel([...calls, { text: until ?? "It has a line." }]);
  const list = join(folder, `${name}.txt`);
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: "C.UTF-8",
    LOADED: list,
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${scripted.url}/v1`,
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: `${scripted.url}/v1`,
    GEMINI_API_KEY: "none",
    GEMINI_BASE_URL: `${scripted.url}/v1beta`,
    OLLAMA_HOST: scripted.url,
    ...(until === undefined ? {} : { UNTIL: until, TERM: "xterm-256color" }),
  };
  const command = ["--import", join(folder, "note-loads.mjs"), entry, ...words];
  const options = { cwd: project, env: environment };
  try {
    if (until !== undefined) await showsInTerminal(until, command, options);
    else {
      const child = spawn(process.execPath, command, { ...options, stdio: "ignore" });
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`the journey "${name}" ended with ${code}`);
    }
  } finally {
    await scripted.close();
  }
  return readFileSync(list, "utf8")
    .split("\n")
    .map((url) => url.slice(url.lastIndexOf("/") + 1));
}

const patience = 180_000;

async function showsInTerminal(
  text: string,
  command: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<void> {
  const { spawn: spawnInTerminal } = await import("@lydell/node-pty");
  const child = spawnInTerminal(process.execPath, [...command], { ...options, cols: 100, rows: 30 });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`"${text}" was not shown: ${output}`)), patience);
    child.onData((data) => {
      output += data;
      if (!output.includes(text)) return;
      clearTimeout(late);
      resolve();
    });
  });
  child.kill("SIGKILL");
}

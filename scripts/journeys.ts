// What the bundled command loads on the ways that people take most, found by taking them.
//
// Each journey is made once, with a hook that notes every file that is loaded. Its group has what it loads beyond the journeys
// before it: what `stet --version` needs stays small, and a turn with commands adds to a turn without.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import type { BundleContents, Group } from "./bundle.ts";

const model = ["--model", "openai-compatible/scripted"];

const journeys = [
  { name: "start", words: ["--version"], call: undefined },
  {
    name: "turn",
    words: [...model, "-p", "Read it."],
    call: { name: "read_file", arguments: { file_path: "a.txt" } },
  },
  {
    name: "turn-code",
    words: [...model, "--toolset", "code", "-p", "Read it."],
    call: { name: "read", arguments: { path: "a.txt" } },
  },
] as const;

const noteLoads = `import { registerHooks } from "node:module";
import { appendFileSync } from "node:fs";
registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + "\\n"); return next(url, context); } });
`;

/** `entry` starts the command of a bundle with these contents. */
export async function groupsOf(entry: string, contents: BundleContents): Promise<Group[]> {
  const folder = mkdtempSync(join(tmpdir(), "stet-journeys-"));
  try {
    writeFileSync(join(folder, "note-loads.mjs"), noteLoads);
    const known = new Set<string>();
    const groups: Group[] = [];
    for (const journey of journeys) {
      const files = await loadedBy(journey, entry, folder);
      const loaded = files.flatMap((file) => contents.get(file) ?? []);
      const modules = new Set(loaded.filter((module) => !known.has(module)));
      for (const module of modules) known.add(module);
      groups.push({ name: journey.name, modules });
    }
    return groups;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The names of the bundle's files that were loaded. */
async function loadedBy(
  { name, words, call }: (typeof journeys)[number],
  entry: string,
  folder: string,
): Promise<string[]> {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a line\n");
  const calls = call === undefined ? [] : [{ toolCalls: [call] }];
  const scripted = await startScriptedModel([...calls, { text: "It has a line." }]);
  const list = join(folder, `${name}.txt`);
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    LOADED: list,
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${scripted.url}/v1`,
  };
  const child = spawn(process.execPath, ["--import", join(folder, "note-loads.mjs"), entry, ...words], {
    cwd: project,
    env: environment,
    stdio: "ignore",
  });
  const [code] = await once(child, "exit");
  await scripted.close();
  if (code !== 0) throw new Error(`the journey "${name}" ended with ${code}`);
  return readFileSync(list, "utf8")
    .split("\n")
    .map((url) => url.slice(url.lastIndexOf("/") + 1));
}

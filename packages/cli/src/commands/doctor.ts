// `stet doctor`: whether everything that Stet needs works here. Each line is a check, with what to do where it fails.

import { accessSync, constants } from "node:fs";
import { type Configuration, loadConfiguration } from "@stet/host/settings/configuration";
import { isTrusted } from "@stet/host/settings/trust";
import type { EmbeddingSettings } from "@stet/model/embedders/remote-embedder";
import { type Fault, isFault } from "@stet/protocol/fault";
import { faultOf } from "@stet/protocol/fault-error";
import { makePrivateFolder } from "@stet/storage/private-files";
import { dataFolder } from "@stet/workspace/files/state-folder";
import { Workspace } from "@stet/workspace/workspace";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { ownModels } from "../models/with-models.ts";
import { type StoredFile, storedFiles } from "../stored-files.ts";

function configurationOf({ root: folder, environment }: CommandContext): Configuration | Fault {
  return loadConfiguration({ folder, environment, isTrusted: isTrusted(folder, environment) });
}

function configurationProblem(context: CommandContext): string | undefined {
  const configuration = configurationOf(context);
  return isFault(configuration) ? `${configuration.message} ${configuration.suggestion}` : undefined;
}

/** Computes one vector, as a search would. */
async function meaningProblem(context: CommandContext): Promise<string | undefined> {
  const { environment } = context;
  const configuration = configurationOf(context);
  if (isFault(configuration)) return "The configuration has to be mended first.";
  const { embeddings: model, providers } = configuration.settings;
  if (model === "off") return "It is turned off in the configuration.";
  const { resolveEmbedder } = await import("@stet/host/turn/resolve-embedder");
  const embedder = await resolveEmbedder({ model, providers, environment } as EmbeddingSettings);
  if (isFault(embedder)) return `${embedder.message} ${embedder.suggestion}`;
  const made = await embedder.embed(["Is anyone there?"]);
  await embedder.close();
  return isFault(made) ? `${made.message} ${made.suggestion}` : undefined;
}

interface SandboxCheck {
  readonly problem: string | undefined;
  /** What it consists of, and what is missing. */
  readonly lines: readonly string[];
}

/** Starts nothing but what tells whether it would work. */
async function checkSandbox(folder: string, environment: NodeJS.ProcessEnv): Promise<SandboxCheck> {
  const workspace = await Workspace.open(folder, { dataFolder: dataFolder(environment) });
  if (isFault(workspace)) return { problem: `${workspace.message} ${workspace.suggestion}`, lines: [] };
  const { Commands } = await import("@stet/workspace/commands/commands");
  const { root, stateFolder } = workspace;
  const commands = new Commands({ root, stateFolder, environment, isSandboxed: true });
  const { kind, reason } = commands.sandbox;
  const lines = commands.hosts.sandboxReport;
  await commands.close();
  workspace.close();
  if (kind !== "none") return { problem: undefined, lines };
  const problem = `${reason} Toolset code asks before it runs commands that it would otherwise run in a sandbox.`;
  return { problem, lines };
}

interface Check {
  readonly name: string;
  /** What is wrong and what to do; undefined where nothing is. */
  run(): Promise<string | undefined>;
}

/** With what was done about it, where that was asked for. */
async function storedProblem(
  { problems, repair }: StoredFile,
  isRepaired: boolean,
): Promise<string | undefined> {
  if (problems.length === 0) return undefined;
  const told = problems.join(" ");
  return isRepaired && repair !== undefined ? `${told}\n    ${await repair()}` : told;
}

export async function doctor({ values }: WordsOf<"doctor">, context: CommandContext): Promise<number> {
  const { terminal, root: folder, environment } = context;
  const sandbox = await checkSandbox(folder, environment);
  const stored: Check[] = storedFiles(context).map((file) => ({
    name: file.name,
    run: () => storedProblem(file, values.repair),
  }));
  const data = dataFolder(environment);
  const checks: Check[] = [
    { name: `Node ${process.versions.node}`, run: async () => nodeProblem(process.versions.node) },
    {
      name: `data folder ${data}`,
      run: async () =>
        problemOf(() => {
          makePrivateFolder(data);
          accessSync(data, constants.W_OK);
        }, "Set STET_DATA_DIR to a folder that can be written."),
    },
    {
      name: `folder ${folder}`,
      run: async () =>
        problemOf(
          () => accessSync(folder, constants.R_OK | constants.W_OK),
          "Files here can be read at most, not saved.",
        ),
    },
    {
      name: "ledger and search",
      run: async () => {
        const workspace = await Workspace.open(folder, { dataFolder: dataFolder(environment) });
        if (isFault(workspace)) return `${workspace.message} ${workspace.suggestion}`;
        try {
          const listing = await workspace.list({ limit: 10 });
          return isFault(listing) ? `${listing.message} ${listing.suggestion}` : undefined;
        } finally {
          workspace.close();
        }
      },
    },
    { name: "configuration", run: async () => configurationProblem(context) },
    { name: "search by meaning", run: () => meaningProblem(context) },
    { name: "sandbox for commands", run: async () => sandbox.problem },
    ...sandbox.lines.map((line) => ({ name: `sandbox: ${line}`, run: async () => undefined })),
    {
      name: "a model other than the practice model",
      run: async () => {
        if (configurationProblem(context) !== undefined) return "The configuration has to be mended first.";
        const models = await (await ownModels(context)).call("listModels", {});
        if (isFault(models)) return `${models.message} ${models.suggestion}`;
        return models.providers.some(({ name, is_ready: isReady }) => isReady && name !== "practice")
          ? undefined
          : "stet login connects one; stet models tells what each takes.";
      },
    },
  ];
  const wanted = values.repair ? stored : [...checks, ...stored];
  const results: { name: string; ok: boolean; problem?: string }[] = [];
  for (const { name, run } of wanted) {
    const problem = await run().catch((error: unknown) => {
      // What is damaged may show only when it is used.
      const carried = faultOf(error);
      if (carried === undefined) throw error;
      return `${carried.message} ${carried.suggestion}`;
    });
    const isOk = problem === undefined;
    results.push({ name, ok: isOk, ...(isOk ? {} : { problem }) });
    const mark = isOk ? terminal.style("green", "ok ") : terminal.style("yellow", "no ");
    if (!values.json) terminal.out(`${mark} ${name}${isOk ? "" : `: ${problem}`}\n`);
  }
  if (values.json) terminal.json(results);
  return results.every(({ ok }) => ok) ? exitCode.done : exitCode.failed;
}

function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18) ? undefined : "Stet needs Node 22.18 or newer.";
}

function problemOf(action: () => void, advice: string): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}. ${advice}`;
  }
}

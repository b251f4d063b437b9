// A folder with files, and the `stet` command in it, with everything that is the person's own beside it.

import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { environmentBelow, type RunOptions, runStet, type StetResult } from "./run-stet.ts";
import { temporaryFolder } from "./temporary.ts";

const sample = join(import.meta.dirname, "../../../examples/lighthouse");

export class StetProject {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;

  /** The given files, or a copy of the sample project. */
  constructor(t: TestContext, files?: Readonly<Record<string, string>>) {
    const home = temporaryFolder(t, prefixed(files ?? {}));
    this.folder = join(home, "project");
    if (files === undefined) cpSync(sample, this.folder, { recursive: true });
    else mkdirSync(this.folder, { recursive: true });
    this.environment = environmentBelow(home);
  }

  /** Runs the command. `env` is added to the project's own. */
  stet(args: readonly string[], options: Partial<RunOptions> = {}): Promise<StetResult> {
    return runStet(args, { cwd: this.folder, ...options, env: { ...this.environment, ...options.env } });
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }
}

function prefixed(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/${name}`, text]));
}

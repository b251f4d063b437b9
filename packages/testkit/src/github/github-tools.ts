// Tools of toolset code in a folder that is a clone of acme/app at a made-up GitHub.

import type { TestContext } from "node:test";
import type { CodeTool } from "@stet/tools/code/code-context";
import { type CodeFixture, type CodeFixtureOptions, openCodeFixture } from "../code-fixture.ts";
import type { HubRepository } from "./github-data.ts";
import { type GithubFixture, githubFixture, realGh } from "./github-fixture.ts";

export interface GithubTools {
  readonly hub: GithubFixture;
  readonly fixture: CodeFixture;
  readonly repository: HubRepository;
}

export interface GithubToolsOptions extends CodeFixtureOptions {
  /** The real gh; a stand-in unless given. */
  readonly program?: string | undefined;
  readonly now?: () => number;
}

/** A clone, as far as anyone looks into it. */
export const cloneFiles: Readonly<Record<string, string>> = {
  ".git/config": '[remote "origin"]\n\turl = git@github.com:acme/app.git\n',
  ".git/HEAD": "ref: refs/heads/topic\n",
  ".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/main\n",
};

export async function openGithubTools(
  t: TestContext,
  tools: readonly CodeTool[],
  { program, now, ...options }: GithubToolsOptions = {},
): Promise<GithubTools> {
  const hub = await githubFixture(t, program);
  const github = { environment: hub.environment, ...(now === undefined ? {} : { now }) };
  const fixture = await openCodeFixture(t, tools, { files: cloneFiles, github, ...options });
  return { hub, fixture, repository: hub.data.add("acme/app") };
}

/** With which gh a test is run: with a stand-in everywhere, and with the real one where there is one. */
export function programs(): readonly { name: string; program: string | undefined; skip: string | false }[] {
  const { program, missing } = realGh();
  return [
    { name: "with a stand-in for gh", program: undefined, skip: false },
    { name: "with the real gh", program, skip: program === undefined ? missing : false },
  ];
}

// A made-up GitHub for one test, with a gh that reaches it: the real one, over a socket that its settings name, or a stand-in.
//
// `environment` is what a person's would be: their own settings of gh, and a PATH in which it is found.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { temporaryFolder } from "../temporary.ts";
import { HubData } from "./github-data.ts";
import { startHub } from "./github-server.ts";
import { type ScriptedCall, scriptedGh, scriptedProgram } from "./scripted-gh.ts";

export interface GithubFixture {
  readonly data: HubData;
  readonly environment: Record<string, string>;
  /** What gh was asked to do, in a stand-in; what the real one asked of GitHub. */
  readonly asked: readonly string[];
  /** Somebody else, or nobody, in gh's settings. */
  signIn(login: string | undefined): void;
}

/** Where the real one is, or why the tests do without it: newer ones may ask GitHub what the made-up one does not know. */
export function realGh(): { readonly program: string | undefined; readonly missing: string } {
  try {
    const script = "command -v gh && gh --version";
    const [program = "", version = ""] = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split(
      "\n",
    );
    const [, major, minor] = /version (\d+)\.(\d+)\./.exec(version) ?? [];
    const isKnown = major === "2" && Number(minor) >= 23 && Number(minor) <= 46;
    if (isKnown) return { program, missing: "" };
    return {
      program: undefined,
      missing: `the made-up GitHub speaks with gh 2.23 to 2.46, and this is ${version}`,
    };
  } catch {
    return { program: undefined, missing: "there is no gh here" };
  }
}

/** `program`: the real gh; a stand-in unless given. */
export async function githubFixture(
  t: Pick<TestContext, "after">,
  program?: string | undefined,
): Promise<GithubFixture> {
  const folder = temporaryFolder(t);
  const home = join(folder, "home");
  const config = join(folder, "gh");
  for (const each of [home, config, join(folder, "bin")]) mkdirSync(each);
  const [socket, scripted] = [join(folder, "hub.sock"), join(folder, "gh.sock")];
  const data = new HubData();
  data.tokens.set("gho_octocat", "octocat");
  data.members.add("octocat");
  const hub = await startHub(socket, data);
  t.after(() => hub.close());
  writeFileSync(join(config, "config.yml"), `http_unix_socket: ${socket}\nscripted: ${scripted}\n`);
  let login: string | undefined;
  const signIn = (name: string | undefined) => {
    login = name;
    if (name !== undefined) data.tokens.set(`gho_${name}`, name);
    const host =
      name === undefined ? "{}\n" : `github.com:\n    user: ${name}\n    oauth_token: gho_${name}\n`;
    writeFileSync(join(config, "hosts.yml"), host);
  };
  signIn("octocat");
  const calls: string[] = [];
  if (program === undefined) {
    writeFileSync(join(folder, "bin", "gh"), scriptedProgram);
    chmodSync(join(folder, "bin", "gh"), 0o755);
    const answering = createServer({ allowHalfOpen: true }, async (connection) => {
      const call: ScriptedCall = JSON.parse(await text(connection));
      if (call.words[0] !== "config") calls.push(call.words.join(" "));
      connection.end(JSON.stringify(scriptedGh(call, data, login)));
    });
    answering.listen(scripted);
    await once(answering, "listening");
    t.after(() => answering.close());
  }
  const path = program === undefined ? join(folder, "bin") : dirname(program);
  return {
    data,
    asked: program === undefined ? calls : hub.asked,
    environment: { PATH: `${path}:/usr/bin:/bin`, HOME: home, GH_CONFIG_DIR: config, TMPDIR: folder },
    signIn,
  };
}

/** A program of this text in place of gh: one that hangs, dies or floods. */
export function brokenGh(t: Pick<TestContext, "after">, script: string): Record<string, string> {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "gh"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "gh"), 0o755);
  return { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, GH_CONFIG_DIR: folder };
}

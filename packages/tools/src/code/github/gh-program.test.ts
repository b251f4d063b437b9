// A gh that is missing, hangs, dies, floods or says something else: a sentence each time, and nothing is left behind.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type CodeFixtureOptions, openCodeFixture } from "@stet/testkit/code-fixture";
import { brokenGh } from "@stet/testkit/github/github-fixture";
import { cloneFiles } from "@stet/testkit/github/github-tools";
import { living, uniqueName } from "@stet/testkit/living-processes";
import { read } from "../read/read.ts";
import { github } from "./github-tool.ts";

const onlyLinux = process.platform === "linux" ? false : "processes are looked for in /proc";

async function open(t: TestContext, options: Partial<NonNullable<CodeFixtureOptions["github"]>>) {
  const reached = { environment: {}, ...options };
  const fixture = await openCodeFixture(t, [read, github], { files: cloneFiles, github: reached });
  const look = async (signal?: AbortSignal) => {
    const { error, text } = await fixture.call("read", { path: "issue://5" }, signal);
    return `${error}: ${text}`;
  };
  return { fixture, look };
}

/** Answers who is signed in, and then does something else. */
function signedIn(t: TestContext, script: string): Record<string, string> {
  return brokenGh(t, `[ "$1" = config ] && echo octocat && exit 0\n${script}`);
}

test("without gh it is said what to install", async (t) => {
  const { look } = await open(t, { environment: { PATH: "/nowhere" } });
  assert.match(
    await look(),
    /^command_failed: .*through the program gh: there is none in the PATH.*cli\.github\.com/,
  );
});

test("a program of the folder is never taken for gh", async (t) => {
  const environment: Record<string, string> = {};
  const { fixture, look } = await open(t, { environment });
  const own = fixture.place.path("bin");
  mkdirSync(own);
  writeFileSync(join(own, "gh"), "#!/bin/sh\ntouch ran\n");
  chmodSync(join(own, "gh"), 0o755);
  environment.PATH = own;
  assert.match(await look(), /^command_failed: .*gh is not used, because .* lies in the workspace/);
});

test("a gh that hangs is ended with everything that it has started", { skip: onlyLinux }, async (t) => {
  const [name, other] = [uniqueName(), uniqueName()];
  const hang = (mark: string) => `sh -c 'sleep 600; : ${mark}' &\nsh -c 'sleep 600; : ${mark}'`;
  const slow = await open(t, { environment: signedIn(t, hang(name)), milliseconds: 1000 });
  assert.match(await slow.look(), /^page_failed: .*did not answer within 1 seconds/);
  const stopped = await open(t, { environment: signedIn(t, hang(other)) });
  const controller = new AbortController();
  const looking = stopped.look(controller.signal);
  while (living(other).length === 0) await new Promise((done) => setImmediate(done));
  controller.abort();
  assert.match(await looking, /^aborted: /);
  while (living(name).length + living(other).length > 0) await new Promise((done) => setImmediate(done));
});

test("a gh that dies, floods or says something else is told as that", async (t) => {
  for (const [script, said] of [
    ["kill -9 $$", /^page_failed: .*ended by SIGKILL/],
    ["echo; exit 0", /^page_failed: .*no data of GitHub/],
    ["echo '<html>Sign in</html>'", /^page_failed: .*no data of GitHub/],
    [`echo '{"number": "5"}'`, /^page_failed: .*no data of GitHub/],
    ["exec head -c 100000000 /dev/zero", /^too_large: .*larger than 20 MB/],
    ["exec >&2; head -c 10000000 /dev/zero | tr '\\0' x; exit 1", /^page_failed: .*gh failed: x{100}/],
    ["exit 3", /^page_failed: .*it did not say why/],
    ["echo 'error connecting to api.github.com' >&2; exit 1", /^page_failed: .*cannot be reached/],
    ["printf 'a\\033[2Jb\\342\\200\\256c\\n' >&2; exit 1", /gh failed: a␛\[2Jb⟨U\+202E⟩c/],
  ] as const) {
    const { look } = await open(t, { environment: signedIn(t, script) });
    assert.match(await look(), said, script);
  }
});

test("gh gets what it signs in with and no other secret, and no repository but the one that is named", async (t) => {
  const environment: Record<string, string> = {
    ...signedIn(t, 'env > "$HOME/seen"; pwd >> "$HOME/seen"; printf "%s\\n" "$@" >> "$HOME/seen"'),
    GITHUB_TOKEN: "gho_own",
    OPENAI_API_KEY: "sk-secret",
    GH_REPO: "acme/other",
    GH_DEBUG: "api",
    GIT_CONFIG_GLOBAL: "/x",
    BROWSER: "/bin/evil",
  };
  const { fixture, look } = await open(t, { environment });
  await look();
  const seen = readFileSync(join(environment.HOME ?? "", "seen"), "utf8");
  for (const line of ["GITHUB_TOKEN=gho_own", "GIT_DIR=/dev/null", "GH_PROMPT_DISABLED=1", "NO_COLOR=1"])
    assert.ok(seen.includes(`${line}\n`), line);
  assert.doesNotMatch(seen, /sk-secret|GH_DEBUG|GIT_CONFIG_GLOBAL|evil|GH_REPO/);
  assert.match(seen, /^issue\nview\n5\n--repo=github\.com\/acme\/other\n/m);
  assert.ok(seen.includes(`\n${fixture.workspace.stateFolder}\n`), "it does not run in the folder");
});

test("after a request that broke off nobody is told that it was not sent", async (t) => {
  for (const script of [
    "cat >/dev/null; kill -9 $$",
    "cat >/dev/null; echo '<html>'",
    "echo 'HTTP 502' >&2; exit 1",
  ]) {
    const { fixture } = await open(t, { environment: signedIn(t, script) });
    const { text } = await fixture.call("github", { op: "comment", number: 5, body: "Hello" });
    assert.match(text, /It is not known whether a comment arrived: .*Look whether it is there/, script);
  }
  const { fixture } = await open(t, {
    environment: signedIn(t, "echo 'gh: Validation Failed (HTTP 422)' >&2; exit 1"),
  });
  const { text } = await fixture.call("github", { op: "comment", number: 5, body: "Hello" });
  assert.match(text, /github\.com refused it: Validation Failed/);
});
